/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Costs alone are found first, several at a time; the choices behind them are found again for the nodes that send. */
#include "delivery/line/one_sided_dp.h"

#include "base/arithmetic.h"

enum { OUT, BACK };
enum { VECTOR = 8 };

rwa_status one_sided_dp_create(struct one_sided_dp *s, uint32_t links, uint32_t steps, uint32_t longest, uint32_t drops, rwa_error *err)
{
    size_t nodes = (size_t)links + 1, row = ((size_t)longest + 1 + VECTOR) / VECTOR * VECTOR, all = nodes * row + VECTOR;
    drops = drops < longest ? drops : longest;
    *s = (struct one_sided_dp){.memory.err = err, .steps = steps, .longest = longest, .drops = drops, .row = row};
    struct { int32_t **to; size_t count; } costs[] = {
        {&s->gap, (steps + 1) * nodes * row + VECTOR}, {&s->gap_back, (steps + 1) * nodes * row + VECTOR}, {&s->before, all},
        {&s->reach, all}, {&s->reach_back, all}, {&s->some_before, (drops + 1) * row}, {&s->some_reach, (drops + 1) * row},
        {&s->end, (steps + 1) * nodes}, {&s->upto[OUT], steps * nodes}, {&s->upto[BACK], steps * nodes}};
    struct { uint16_t **to; size_t count; } choices[] = {{&s->last, drops * row}, {&s->without, row}, {&s->chain, steps * row}};
    arena_new(&s->memory, s->out, steps * nodes);
    arena_new(&s->memory, s->back, steps * nodes);
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

/** Index of the first entry of a step and node. */
static size_t entry(const struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t a)
{
    return (step * ((size_t)links + 1) + a) * s->row;
}

static int32_t cheaper(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void add_prices(struct one_sided_dp *s, uint32_t links)
{
    for (uint32_t step = 0; step < s->steps; step++) {
        const uint32_t *out = s->out + (size_t)step * links, *back = s->back + (size_t)step * links;
        int32_t *upto_out = s->upto[OUT] + step * ((size_t)links + 1), *upto_back = s->upto[BACK] + step * ((size_t)links + 1);
        upto_out[0] = upto_back[0] = 0;
        for (uint32_t e = 0; e < links; e++) {
            upto_out[e + 1] = upto_out[e] + (int32_t)out[e];
            upto_back[e + 1] = upto_back[e] + (int32_t)back[e];
        }
    }
}

/** least[i] becomes here + more[i] where that is less, for i < count; some entries more are read, and may change, too. */
static void relax(int32_t *restrict least, const int32_t *restrict more, int32_t here, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VECTOR, least += VECTOR, more += VECTOR)
        for (int k = 0; k < VECTOR; k++)
            least[k] = cheaper(here + more[k], least[k]);
}

/** Where the hop before that to d was one over u, for all d that this makes cheaper; before relax(). */
static void note_last(struct one_sided_dp *s, uint32_t most, uint32_t u, uint32_t p, const int32_t *gap)
{
    const int32_t *before = s->some_before + p * s->row;
    int32_t here = s->some_reach[p * s->row + u];
    for (uint32_t d = u + 1; d <= most; d++)
        if (here + gap[d - u] < before[d])
            s->last[p * s->row + d] = (uint16_t)u;
}

/** A lightpath that ends at u takes along all that are without one; or u is one more of these. */
static void stop_at(struct one_sided_dp *s, uint32_t u, int32_t price)
{
    const int32_t *before = s->some_before + u;
    uint32_t with = 0;
    for (uint32_t p = 1; p < s->drops; p++) {
        s->some_reach[p * s->row + u] = u == 0 ? DP_INFEASIBLE : before[(p - 1) * s->row];
        with = before[p * s->row] < before[with * s->row] ? p : with;
    }
    s->some_reach[u] = cheaper(before[with * s->row] + price, DP_INFEASIBLE);
    s->without[u] = (uint16_t)with;
}

/** The hops of a step from node a, one way, into some_before and some_reach: a hop over u links is followed by one over d, and the gap
 *  between is filled later. */
static void send_from(struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t a, int way, bool note)
{
    uint32_t stop = s->stop[way] ? s->stop[way][a] : way == OUT ? links : 0;
    uint32_t most = lesser(s->longest, way == OUT ? stop - a : a - stop);
    const int32_t *upto = s->upto[way] + step * ((size_t)links + 1), *gaps = way == OUT ? s->gap : s->gap_back;
    for (size_t i = 0; i < s->drops * s->row; i++)
        s->some_before[i] = s->some_reach[i] = DP_INFEASIBLE;
    s->some_before[0] = 0;
    for (uint32_t u = 0; u <= most; u++) {
        uint32_t to = way == OUT ? a + u : a - u;
        const int32_t *gap = gaps + entry(s, links, step + 1, to);
        stop_at(s, u, way == OUT ? upto[to] - upto[a] : upto[a] - upto[to]);
        for (uint32_t p = 0; p < s->drops; p++) {
            int32_t here = s->some_reach[p * s->row + u];
            if (here >= DP_INFEASIBLE)
                continue;
            if (note)
                note_last(s, most, u, p, gap);
            relax(s->some_before + p * s->row + u + 1, gap + 1, here, most - u);
        }
    }
    for (uint32_t d = most + 1; d < s->row; d++)
        s->some_before[d] = DP_INFEASIBLE;
}

static void send_all(struct one_sided_dp *s, uint32_t links, uint32_t step)
{
    for (uint32_t a = 0; a <= links; a++) {
        send_from(s, links, step, a, OUT, false);
        memcpy(s->before + a * s->row, s->some_before, s->row * sizeof *s->before);
        memcpy(s->reach + a * s->row, s->some_reach, s->row * sizeof *s->reach);
        send_from(s, links, step, a, BACK, false);
        for (uint32_t d = 0; d <= lesser(s->longest, a); d++)
            s->reach_back[(a - d) * s->row + d] = s->some_reach[d];
    }
}

/** Lightpaths out inform the nodes before some node of a gap, lightpaths back that node and the following ones. */
static void fill_gaps(struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t a)
{
    int32_t *gap = s->gap + entry(s, links, step, a);
    const int32_t *before = s->before + a * s->row;
    uint32_t most = lesser(s->longest, links - a);
    for (size_t d = 0; d < s->row; d++)
        gap[d] = DP_INFEASIBLE;
    for (uint32_t z = 1; z <= most; z++)
        if (before[z] < DP_INFEASIBLE)
            relax(gap + z, s->reach_back + (a + z) * s->row, before[z], lesser(most - z + 1, (uint32_t)(s->row - z)));
    gap[0] = gap[1] = 0;
    for (uint32_t d = 0; d <= most; d++)
        s->gap_back[entry(s, links, step, a + d) + d] = gap[d];
}

/** How far the next outermost holder lies beyond a, with the hops from there in `reach`, and the least cost. */
static uint32_t run_to_end(const struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t a, const int32_t *reach, int32_t *least)
{
    const int32_t *end = s->end + (step + 1) * ((size_t)links + 1);
    uint32_t at = 0;
    *least = DP_INFEASIBLE;
    for (uint32_t d = 0; d <= lesser(s->longest, links - a); d++)
        if (reach[d] < DP_INFEASIBLE && reach[d] + end[a + d] < *least) {
            *least = reach[d] + end[a + d];
            at = d;
        }
    return at;
}

/** When no steps are left only gaps without nodes are filled, and only the last node is at the end. */
static void end_all(struct one_sided_dp *s, uint32_t links)
{
    for (uint32_t a = 0; a <= links; a++) {
        size_t at = entry(s, links, s->steps, a);
        s->end[s->steps * ((size_t)links + 1) + a] = a == links ? 0 : DP_INFEASIBLE;
        for (uint32_t d = 0; d < s->row; d++)
            s->gap[at + d] = s->gap_back[at + d] = d <= 1 ? 0 : DP_INFEASIBLE;
    }
}

static void solve(struct one_sided_dp *s, uint32_t links)
{
    add_prices(s, links);
    end_all(s, links);
    for (uint32_t step = s->steps; step-- > 0;) {
        send_all(s, links, step);
        for (uint32_t a = 0; a <= links; a++) {
            fill_gaps(s, links, step, a);
            run_to_end(s, links, step, a, s->reach + a * s->row, &s->end[step * ((size_t)links + 1) + a]);
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

static void write_gap(struct one_sided_dp *s, const struct dp_target *to, uint32_t links, uint32_t step, uint32_t a, uint32_t d);

/** The delivery from a over d links, those before it, and the gaps between them; send_from() has noted the choices of a. */
static void write_hops(struct one_sided_dp *s, const struct dp_target *to, uint32_t links, uint32_t step, uint32_t a, uint32_t d, int way)
{
    uint16_t *chain = s->chain + step * s->row;
    uint32_t count = 0;
    for (uint32_t p = 0; d > 0; d = s->last[p * s->row + d]) {
        bool ends = p == 0;
        p = ends ? s->without[d] : p - 1;
        chain[count++] = (uint16_t)d;
        write_delivery(to, step, a, way == OUT ? a + d : a - d, ends);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t near = i + 1 < count ? chain[i + 1] : 0;
        write_gap(s, to, links, step + 1, way == OUT ? a + near : a - chain[i], chain[i] - near);
    }
}

/** As deep as there are steps. */
static void write_gap(struct one_sided_dp *s, const struct dp_target *to, uint32_t links, uint32_t step, uint32_t a, uint32_t d)
{
    int32_t *before = s->before + a * s->row, least = DP_INFEASIBLE;
    uint32_t z = d;
    if (d <= 1)
        return;
    assert(step < s->steps);
    send_from(s, links, step, a, OUT, false);
    memcpy(before, s->some_before, (d + 1) * sizeof *before);
    send_from(s, links, step, a + d, BACK, true);
    for (uint32_t i = 1; i <= d; i++)
        if (before[i] + s->some_reach[d - i] < least) {
            least = before[i] + s->some_reach[d - i];
            z = i;
        }
    write_hops(s, to, links, step, a + d, d - z, BACK);
    send_from(s, links, step, a, OUT, true);
    uint32_t u = s->last[z];
    write_hops(s, to, links, step, a, u, OUT);
    write_gap(s, to, links, step + 1, a + u, z - u);
}

bool one_sided_dp_find(struct one_sided_dp *s, uint32_t links, const struct dp_target *to)
{
    uint32_t outermost = 0;
    int32_t least;
    solve(s, links);
    if (s->end[0] >= DP_INFEASIBLE)
        return false;
    for (uint32_t step = 0; step < s->steps; step++) {
        send_from(s, links, step, outermost, OUT, true);
        uint32_t d = run_to_end(s, links, step, outermost, s->some_reach, &least);
        write_hops(s, to, links, step, outermost, d, OUT);
        outermost += d;
    }
    assert(outermost == links);
    return true;
}

bool one_sided_dp_fill(struct one_sided_dp *s, uint32_t links, const struct dp_target *to)
{
    assert(links >= 2 && links <= s->longest && s->steps >= 1);
    solve(s, links);
    if (s->gap[entry(s, links, 0, 0) + links] >= DP_INFEASIBLE)
        return false;
    write_gap(s, to, links, 0, 0, links);
    return true;
}
