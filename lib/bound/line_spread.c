/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The cheapest spreads along a line, by a recurrence over the steps, from the last to the first.  In a step a sender
 * has receivers above it, and every lightpath ends at a receiver; nodes between two receivers are informed in later
 * steps.  Lightpaths downwards are treated as their mirror images. */
#include "bound/line_spread.h"

rwa_status line_spread_open(struct line_spread *s, uint32_t nodes, uint32_t steps, uint32_t max_hops, uint32_t drops,
                            rwa_error *err)
{
    size_t n = nodes, pairs = n * n;
    *s = (struct line_spread){.memory.err = err, .nodes = nodes, .steps = steps, .max_hops = max_hops, .drops = drops};
    arena_new(&s->memory, s->price, steps * (n - 1));
    arena_arrays(&s->memory, n, s->right, s->upto, s->holders, s->next_holders);
    arena_arrays(&s->memory, pairs, s->gap, s->before, s->reach, s->gaps, s->next_gaps);
    arena_arrays(&s->memory, n * drops, s->some_before, s->some_reach);
    arena_new(&s->memory, s->hops, pairs * drops);
    arena_new(&s->memory, s->farthest, steps * n);
    arena_arrays(&s->memory, steps * pairs, s->without, s->split);
    arena_new(&s->memory, s->last, steps * pairs * drops);
    return arena_status(&s->memory);
}

void line_spread_close(struct line_spread *s)
{
    arena_free(&s->memory);
    memset(s, 0, sizeof *s);
}

/** Set the costs s->gap and s->right for the time when no step is left.  A gap between two holders costs nothing if no
 * node lies in it; otherwise it cannot be filled.  The nodes above the last holder are treated in the same way. */
static void end_all(struct line_spread *s)
{
    size_t n = s->nodes;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a; b < n; b++)
            s->gap[a * n + b] = b - a <= 1 ? 0 : LINE_SPREAD_FAR;
    for (size_t a = 0; a < n; a++)
        s->right[a] = a == n - 1 ? 0 : LINE_SPREAD_FAR;
}

static void add_prices(struct line_spread *s, size_t step)
{
    const uint64_t *price = s->price + step * (s->nodes - 1);
    s->upto[0] = 0;
    for (size_t e = 0; e + 1 < s->nodes; e++)
        s->upto[e + 1] = s->upto[e] + price[e];
}

/** Try each node y above u as the next receiver of a sender whose last receiver so far is u.  The cost for y includes
 * the gap between u and y, which later steps fill.  If it is below the known cost for y (s->some_before), keep it, and
 * u in last[y].
 * @param p  receivers up to u that are on no lightpath yet: one that ends farther up will serve them */
static void go_on(struct line_spread *s, size_t u, size_t p, uint32_t *last)
{
    size_t n = s->nodes;
    const uint64_t *gap = s->gap + u * n;
    uint64_t *before = s->some_before + p * n, here = s->some_reach[p * n + u];
    for (size_t y = u + 1; y < n && here < LINE_SPREAD_FAR; y++)
        if (here + gap[y] < before[y]) {
            before[y] = here + gap[y];
            last[y] = (uint32_t)u;
        }
}

/** Compute the costs with node u as a receiver (s->some_reach).  Either a lightpath for `price` ends at u, and also
 * serves the receivers before u that are on no lightpath yet, or u waits with them for one that ends farther up.
 * Return how many of them the cheapest lightpath to u serves.
 * @param first  u is the sender itself */
static uint32_t stop_at(struct line_spread *s, size_t u, bool first, uint64_t price)
{
    size_t n = s->nodes;
    uint32_t with = 0;
    for (uint32_t p = 1; p < s->drops; p++) {
        s->some_reach[p * n + u] = first ? LINE_SPREAD_FAR : s->some_before[(p - 1) * n + u];
        with = s->some_before[p * n + u] < s->some_before[with * n + u] ? p : with;
    }
    s->some_reach[u] = s->some_before[with * n + u] + price;
    return with;
}

/** Compute before[a][b] and reach[a][b] for each b: the least costs of informing all nodes between a and b if node a
 * sends lightpaths upwards in this step. reach includes the lightpath to b.  Later steps inform the nodes between two
 * receivers. */
static void send_from(struct line_spread *s, size_t step, size_t a)
{
    size_t n = s->nodes, at = (step * n + a) * n;
    for (size_t i = 0; i < s->drops * n; i++)
        s->some_before[i] = s->some_reach[i] = LINE_SPREAD_FAR;
    s->some_before[a] = 0;
    for (size_t u = a; u < n && u - a <= s->max_hops; u++) {
        s->without[at + u] = stop_at(s, u, u == a, s->upto[u] - s->upto[a]);
        for (size_t p = 0; p < s->drops; p++)
            go_on(s, u, p, s->last + at * s->drops + p * n);
    }
    memcpy(s->before + a * n + a, s->some_before + a, (n - a) * sizeof *s->before);
    memcpy(s->reach + a * n + a, s->some_reach + a, (n - a) * sizeof *s->reach);
}

/** Compute gap[a][b] for each b: the least cost of informing all nodes between holders a and b from this step on.
 * Lightpaths up from a inform the nodes below some node z; lightpaths down from b inform z and the nodes above it.
 * The latter cost as much as their mirror images. */
static void fill_gaps(struct line_spread *s, size_t step, size_t a)
{
    size_t n = s->nodes;
    const uint64_t *before = s->before + a * n;
    for (size_t b = a + 2; b < n; b++) {
        const uint64_t *down = s->reach + (n - 1 - b) * n;
        uint64_t least = LINE_SPREAD_FAR;
        uint32_t at = (uint32_t)b;
        for (size_t z = a + 1; z <= b; z++)
            if (before[z] + down[n - 1 - z] < least) {
                least = before[z] + down[n - 1 - z];
                at = (uint32_t)z;
            }
        s->gap[a * n + b] = least;
        s->split[(step * n + a) * n + b] = at;
    }
}

/** Compute right[a]: the least cost of informing all nodes above a if there is no holder among them.  The farthest
 * node that a informs in this step goes on from there in later steps. */
static void run_to_end(struct line_spread *s, size_t step, size_t a)
{
    size_t n = s->nodes;
    uint64_t least = LINE_SPREAD_FAR;
    uint32_t at = (uint32_t)a;
    for (size_t y = a; y < n; y++)
        if (s->reach[a * n + y] + s->right[y] < least) {
            least = s->reach[a * n + y] + s->right[y];
            at = (uint32_t)y;
        }
    s->right[a] = least;
    s->farthest[step * n + a] = at;
}

void line_spread_solve(struct line_spread *s)
{
    end_all(s);
    for (size_t step = s->steps; step-- > 0;) {
        add_prices(s, step);
        for (size_t a = 0; a < s->nodes; a++)
            send_from(s, step, a);
        for (size_t a = 0; a < s->nodes; a++) {
            fill_gaps(s, step, a);
            run_to_end(s, step, a);
        }
    }
}

/** Count `times` spreads in which node a informs the nodes below y in this step.  Add them to s->hops for the hop from
 * a to node u, the last receiver before y (s->last), and to s->next_gaps for the gap between u and y, which later steps
 * fill.
 * @param p  receivers before y that are on no lightpath yet */
static void count_before(struct line_spread *s, size_t step, size_t a, size_t p, size_t y, uint32_t times)
{
    size_t n = s->nodes, u = s->last[((step * n + a) * s->drops + p) * n + y];
    s->hops[(a * s->drops + p) * n + u] += times;
    s->next_gaps[u * n + y] += times;
}

static void count_gap(struct line_spread *s, size_t step, size_t a, size_t b, uint32_t times)
{
    size_t n = s->nodes, z = s->split[(step * n + a) * n + b];
    count_before(s, step, a, 0, z, times);
    s->hops[(n - 1 - b) * s->drops * n + n - 1 - z] += times;
}

/** Add to `load` the links of all lightpaths up from node a in a step, and count their receivers and the gaps between
 * these.  Lightpaths downwards are counted as lightpaths up from the mirror image of their sender. */
static void count_hops(struct line_spread *s, size_t step, size_t a, uint64_t *load)
{
    size_t n = s->nodes;
    const uint32_t *without = s->without + (step * n + a) * n, *hops = s->hops + a * s->drops * n;
    uint64_t beyond = 0;
    /* the farthest receivers first, since each determines the one before it */
    for (size_t y = n - 1; y > a; y--) {
        for (size_t p = 0; p < s->drops; p++)
            if (hops[p * n + y] > 0)
                count_before(s, step, a, p > 0 ? p - 1 : without[y], y, hops[p * n + y]);
        beyond += hops[y];
        load[y - 1] += beyond;
    }
}

static void count_step(struct line_spread *s, size_t step, uint64_t *load)
{
    size_t n = s->nodes;
    memset(s->hops, 0, n * n * s->drops * sizeof *s->hops);
    memset(s->next_gaps, 0, n * n * sizeof *s->next_gaps);
    memset(s->next_holders, 0, n * sizeof *s->next_holders);
    for (size_t a = 0; a < n; a++) {
        size_t y = s->farthest[step * n + a];
        s->hops[a * s->drops * n + y] += s->holders[a];
        s->next_holders[y] += s->holders[a];
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 2; b < n; b++)
            if (s->gaps[a * n + b] > 0)
                count_gap(s, step, a, b, s->gaps[a * n + b]);
    for (size_t a = 0; a < n; a++)
        count_hops(s, step, a, load);
}

static void swap(uint32_t **a, uint32_t **b)
{
    uint32_t *kept = *a;
    *a = *b;
    *b = kept;
}

void line_spread_links(struct line_spread *s, uint64_t *load, const uint32_t *sides)
{
    size_t n = s->nodes;
    memset(load, 0, s->steps * (n - 1) * sizeof *load);
    memset(s->gaps, 0, n * n * sizeof *s->gaps);
    memcpy(s->holders, sides, n * sizeof *sides);
    for (size_t step = 0; step < s->steps; step++) {
        count_step(s, step, load + step * (n - 1));
        swap(&s->gaps, &s->next_gaps);
        swap(&s->holders, &s->next_holders);
    }
}
