/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/line/one_sided_dp.h"

enum { OUT, BACK };

rwa_status one_sided_dp_create(struct one_sided_dp *s, uint32_t links, uint32_t steps, uint32_t longest, uint32_t drops, rwa_error *err)
{
    size_t nodes = (size_t)links + 1, row = (size_t)longest + 1;
    drops = drops < longest ? drops : longest;
    *s = (struct one_sided_dp){.memory.err = err, .steps = steps, .longest = longest, .drops = drops};
    struct { uint32_t **to; size_t count; } costs[] = {
        {&s->out, steps * nodes}, {&s->back, steps * nodes}, {&s->gap, nodes * row}, {&s->gap_back, nodes * row},
        {&s->before[OUT], nodes * row}, {&s->before[BACK], nodes * row}, {&s->reach[OUT], nodes * row},
        {&s->reach[BACK], nodes * row}, {&s->some_before, drops * row}, {&s->some_reach, drops * row}, {&s->end, nodes},
        {&s->upto[OUT], nodes}, {&s->upto[BACK], nodes}};
    struct { uint16_t **to; size_t count; } choices[] = {
        {&s->last[OUT], steps * nodes * row * drops}, {&s->last[BACK], steps * nodes * row * drops},
        {&s->without[OUT], steps * nodes * row}, {&s->without[BACK], steps * nodes * row}, {&s->split, steps * nodes * row},
        {&s->farthest, steps * nodes}};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++)
        arena_new(&s->memory, *costs[i].to, costs[i].count);
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        arena_new(&s->memory, *choices[i].to, choices[i].count);
    return arena_status(&s->memory);
}

void one_sided_dp_free(struct one_sided_dp *s)
{
    arena_free(&s->memory);
    memset(s, 0, sizeof *s);
}

/** Index of the first choice of a step and node. */
static size_t choice(const struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t a)
{
    return (step * ((size_t)links + 1) + a) * (s->longest + 1);
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void add_prices(struct one_sided_dp *s, uint32_t links, uint32_t step)
{
    const uint32_t *out = s->out + (size_t)step * links, *back = s->back + (size_t)step * links;
    s->upto[OUT][0] = s->upto[BACK][0] = 0;
    for (uint32_t e = 0; e < links; e++) {
        s->upto[OUT][e + 1] = s->upto[OUT][e] + out[e];
        s->upto[BACK][e + 1] = s->upto[BACK][e] + back[e];
    }
}

/** Let the hop that goes on from u be one over d, for all d, when p are without a lightpath at u. */
static void go_on(struct one_sided_dp *s, uint32_t most, uint32_t u, uint32_t p, const uint32_t *gap, uint16_t *last)
{
    size_t row = (size_t)s->longest + 1;
    uint32_t *before = s->some_before + p * row, here = s->some_reach[p * row + u];
    last += p * row;
    for (uint32_t d = u + 1; d <= most; d++)
        if (here + gap[d - u] < before[d]) {
            before[d] = here + gap[d - u];
            last[d] = (uint16_t)u;
        }
}

/** A lightpath that ends at u takes along all that are without one; or u is one more of these.  How many it takes. */
static uint32_t stop_at(struct one_sided_dp *s, uint32_t u, uint32_t price)
{
    size_t row = (size_t)s->longest + 1;
    uint32_t *before = s->some_before + u, *reach = s->some_reach + u, with = 0;
    for (uint32_t p = 1; p < s->drops; p++) {
        reach[p * row] = u == 0 ? DP_INFEASIBLE : before[(p - 1) * row];
        with = before[p * row] < before[with * row] ? p : with;
    }
    reach[0] = before[with * row] + price;
    return with;
}

/** The hops of a step from node a, one way: a hop over u links is followed by one over d, and the gap between is filled later. */
static void send_from(struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t a, int way)
{
    size_t row = (size_t)s->longest + 1, at = choice(s, links, step, a);
    uint32_t most = least_of(s->longest, way == OUT ? links - a : a);
    for (uint32_t i = 0; i < s->drops * row; i++)
        s->some_before[i] = DP_INFEASIBLE;
    s->some_before[0] = 0;
    for (uint32_t u = 0; u <= most; u++) {
        uint32_t to = way == OUT ? a + u : a - u;
        const uint32_t *gap = (way == OUT ? s->gap : s->gap_back) + to * row;
        uint32_t price = way == OUT ? s->upto[OUT][to] - s->upto[OUT][a] : s->upto[BACK][a] - s->upto[BACK][to];
        s->without[way][at + u] = (uint16_t)stop_at(s, u, price);
        for (uint32_t p = 0; p < s->drops; p++)
            if (s->some_reach[p * row + u] < DP_INFEASIBLE)
                go_on(s, most, u, p, gap, s->last[way] + at * s->drops);
    }
    memcpy(s->before[way] + a * row, s->some_before, ((size_t)most + 1) * sizeof *s->some_before);
    memcpy(s->reach[way] + a * row, s->some_reach, ((size_t)most + 1) * sizeof *s->some_reach);
}

/** Lightpaths out inform the nodes before some node of a gap, lightpaths back that node and the following ones. */
static void fill_gaps(struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t a)
{
    size_t row = (size_t)s->longest + 1;
    const uint32_t *before = s->before[OUT] + a * row;
    uint16_t *split = s->split + choice(s, links, step, a);
    for (uint32_t d = 2; d <= least_of(s->longest, links - a); d++) {
        const uint32_t *reach = s->reach[BACK] + (a + d) * row;
        uint32_t least = DP_INFEASIBLE, at = d;
        for (uint32_t z = 1; z <= d; z++)
            if (before[z] + reach[d - z] < least) {
                least = before[z] + reach[d - z];
                at = z;
            }
        s->gap[a * row + d] = s->gap_back[(a + d) * row + d] = least;
        split[d] = (uint16_t)at;
    }
}

static void run_to_end(struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t a)
{
    const uint32_t *reach = s->reach[OUT] + a * ((size_t)s->longest + 1);
    uint32_t least = DP_INFEASIBLE, at = 0;
    for (uint32_t d = 0; d <= least_of(s->longest, links - a); d++)
        if (reach[d] + s->end[a + d] < least) {
            least = reach[d] + s->end[a + d];
            at = d;
        }
    s->end[a] = least;
    s->farthest[step * ((size_t)links + 1) + a] = (uint16_t)at;
}

/** When no steps are left only gaps without nodes are filled, and only the last node is at the end. */
static void end_all(struct one_sided_dp *s, uint32_t links)
{
    size_t row = (size_t)s->longest + 1;
    for (uint32_t a = 0; a <= links; a++) {
        s->end[a] = a == links ? 0 : DP_INFEASIBLE;
        for (uint32_t d = 0; d <= s->longest; d++)
            s->gap[a * row + d] = s->gap_back[a * row + d] = d <= 1 ? 0 : DP_INFEASIBLE;
    }
}

static void solve(struct one_sided_dp *s, uint32_t links)
{
    end_all(s, links);
    for (uint32_t step = s->steps; step-- > 0;) {
        add_prices(s, links, step);
        for (uint32_t a = 0; a <= links; a++) {
            send_from(s, links, step, a, OUT);
            send_from(s, links, step, a, BACK);
        }
        for (uint32_t a = 0; a <= links; a++) {
            fill_gaps(s, links, step, a);
            run_to_end(s, links, step, a);
        }
    }
}

static void write_delivery(const struct dp_target *to, uint32_t step, uint32_t src, uint32_t dst, bool ends)
{
    uint32_t at = to->mirrored ? to->origin - dst : to->origin + dst;
    to->row[at] = (struct delivery){.from = to->mirrored ? to->origin - src : to->origin + src,
                                    .step = to->steps_before + step + 1,
                                    .links = dst > src ? dst - src : src - dst,
                                    .way = (dst > src) == to->mirrored,
                                    .ends = ends};
}

static void write_gap(const struct one_sided_dp *s, const struct dp_target *to, uint32_t links, uint32_t step, uint32_t a, uint32_t d);

/** The delivery from a over d links, those before it, and the gaps between them. */
static void write_hops(const struct one_sided_dp *s, const struct dp_target *to, uint32_t links, uint32_t step, uint32_t a, uint32_t d,
                       int way)
{
    size_t row = (size_t)s->longest + 1, at = choice(s, links, step, a);
    const uint16_t *last = s->last[way] + at * s->drops, *without = s->without[way] + at;
    for (uint32_t u, p = 0; d > 0; d = u) {
        bool ends = p == 0;
        p = ends ? without[d] : p - 1;
        u = last[p * row + d];
        assert(u < d);
        write_delivery(to, step, a, way == OUT ? a + d : a - d, ends);
        write_gap(s, to, links, step + 1, way == OUT ? a + u : a - d, d - u);
    }
}

/** As deep as there are steps. */
static void write_gap(const struct one_sided_dp *s, const struct dp_target *to, uint32_t links, uint32_t step, uint32_t a, uint32_t d)
{
    if (d <= 1)
        return;
    assert(step < s->steps);
    uint32_t z = s->split[choice(s, links, step, a) + d], u = s->last[OUT][choice(s, links, step, a) * s->drops + z];
    write_hops(s, to, links, step, a, u, OUT);
    write_gap(s, to, links, step + 1, a + u, z - u);
    write_hops(s, to, links, step, a + d, d - z, BACK);
}

void one_sided_dp_find(struct one_sided_dp *s, uint32_t links, const struct dp_target *to)
{
    uint32_t outermost = 0;
    assert((uint64_t)s->steps * s->longest >= links);
    solve(s, links);
    for (uint32_t step = 0; step < s->steps; step++) {
        uint32_t d = s->farthest[step * ((size_t)links + 1) + outermost];
        write_hops(s, to, links, step, outermost, d, OUT);
        outermost += d;
    }
    assert(outermost == links);
}

void one_sided_dp_fill(struct one_sided_dp *s, uint32_t links, const struct dp_target *to)
{
    assert(links >= 2 && links <= s->longest && s->steps >= 1);
    solve(s, links);
    write_gap(s, to, links, 0, 0, links);
}
