/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lattice/weighted.h"

static const uint32_t origin = UINT32_MAX;

rwa_status weighted_open(struct weighted *w, uint32_t steps, uint32_t slopes, uint32_t max_hops, uint32_t drops,
                         rwa_error *err)
{
    *w = (struct weighted){.memory.err = err, .steps = steps, .slopes = slopes, .max_hops = max_hops, .drops = drops};
    arena_new(&w->memory, w->slope, slopes);
    arena_new(&w->memory, w->next, slopes);
    arena_new(&w->memory, w->reach, slopes);
    arena_new(&w->memory, w->reach_from, slopes);
    arena_new(&w->memory, w->from, (size_t)steps * slopes);
    arena_new(&w->memory, w->count, 2 * (size_t)slopes);
    return arena_status(&w->memory);
}

void weighted_close(struct weighted *w)
{
    arena_free(&w->memory);
}

/** Point number i of those the table stands for: the origin, then every slope twice. */
static uint64_t point(const struct weighted *w, uint32_t have, uint32_t i)
{
    if (i == 0)
        return 0;
    return (i - 1) / 2 < have ? w->slope[(i - 1) / 2] : UINT64_MAX;
}

/**
 * The smallest of point + k * price, k = 1, 2, …, each `drops` times: each is price more than a point, which is taken
 * so often, or than one of these.
 * @return how many: as many as are wanted or within reach
 */
static uint32_t find_reach(struct weighted *w, uint32_t have, uint64_t price)
{
    uint32_t most = w->slopes < w->max_hops ? w->slopes : w->max_hops, points = 0, again = 0, n = 0;
    for (; n < most; n++) {
        uint32_t p = points / w->drops;
        uint64_t fresh = point(w, have, p);
        if (again < n && w->reach[again] < fresh) {
            w->reach[n] = w->reach[again] + price;
            w->reach_from[n] = (struct slope_origin){w->reach_from[again].slope, w->reach_from[again].times + 1};
            again++;
        } else {
            w->reach[n] = fresh + price;
            w->reach_from[n] = (struct slope_origin){p == 0 ? origin : (p - 1) / 2, 1};
            points++;
        }
    }
    return n;
}

/** The smallest of the slopes there were and those in reach. */
static uint32_t merge(struct weighted *w, uint32_t have, uint32_t reached, struct slope_origin *from)
{
    uint32_t old = 0, new = 0, n = 0;
    for (; n < w->slopes && (old < have || new < reached); n++) {
        if (new >= reached || (old < have && w->slope[old] <= w->reach[new])) {
            w->next[n] = w->slope[old];
            from[n] = (struct slope_origin){old++, 0};
        } else {
            w->next[n] = w->reach[new];
            from[n] = w->reach_from[new++];
        }
    }
    return n;
}

void weighted_solve(struct weighted *w, const uint64_t *price)
{
    uint32_t have = 0;
    for (uint32_t step = w->steps; step-- > 0;) {
        uint32_t reached = find_reach(w, have, price[step]);
        have = merge(w, have, reached, w->from + (size_t)step * w->slopes);
        uint64_t *kept = w->slope;
        w->slope = w->next;
        w->next = kept;
    }
}

void weighted_links(struct weighted *w, uint64_t *links, const uint64_t *share)
{
    uint64_t *now = w->count, *shorter = w->count + w->slopes;
    memcpy(now, share, w->slopes * sizeof *now);
    for (uint32_t step = 0; step < w->steps; step++) {
        const struct slope_origin *from = w->from + (size_t)step * w->slopes;
        uint64_t *kept = now;
        memset(shorter, 0, w->slopes * sizeof *shorter);
        links[step] = 0;
        for (uint32_t j = 0; j < w->slopes; j++) {
            links[step] += now[j] * from[j].times;
            if (from[j].slope != origin)
                shorter[from[j].slope] += now[j];
        }
        now = shorter;
        shorter = kept;
    }
}
