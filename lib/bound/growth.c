/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of listed links: how many nodes a block can have reached, on the average over all blocks, after each step. */
#include "bound/bound.h"
#include "bound/graph.h"

#include <math.h>
#include <stdlib.h>

/** How many nodes there are at most within d links of any one node; the last entry is the most there are at all. */
struct balls {
    uint64_t *size;
    uint32_t count;
};

static rwa_status measure(struct balls *b, const struct bound_case *c, bool against, rwa_error *err)
{
    struct bound_graph *g = c->graph;
    b->size = base_array(g->nodes, sizeof *b->size, err);
    if (!b->size)
        return RWA_NOMEM;
    for (uint32_t v = 0; v < (g->alike ? 1 : g->nodes); v++) {
        uint32_t found = bound_graph_walk(g, v, against), last = g->hops[g->order[found - 1]];
        for (uint32_t i = 0; i < found; i++)
            if (i + 1 == found || g->hops[g->order[i + 1]] > g->hops[g->order[i]])
                b->size[g->hops[g->order[i]]] = bound_max(b->size[g->hops[g->order[i]]], i + 1);
        if (last >= b->count)
            b->count = last + 1;
    }
    for (uint32_t d = 1; d < b->count; d++)
        b->size[d] = bound_max(b->size[d], b->size[d - 1]);
    return RWA_OK;
}

/**
 * From `holders` on the average to how many after one step in which a block has `room` link-channels on the average: a
 * holder's nearest nodes first, for each holder the same part of its room.  A lightpath is at least as long as all its
 * readers' distances by their number, and as their number.
 */
static double next_holders(double holders, double room, const struct balls *b, const struct bound_case *c)
{
    double told = 1, left = c->drops * (room / holders), most = 1 + room / holders;
    for (uint32_t d = 1; d < b->count && d <= c->max_hops && left > 0; d++) {
        double sphere = (double)(b->size[d] - b->size[d - 1]), affordable = left / d;
        told += sphere < affordable ? sphere : affordable;
        left -= sphere * d;
    }
    return holders * (told < most ? told : most);
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    const double margin = 1e-9; /* more than rounding can take away */
    struct balls balls = {0};
    rwa_status st = RWA_OK;
    double holders = 1, room;
    if (!c->graph || !bound_is_spread(c) || c->graph->channels == 0 || bound_graph_is_large(c->graph))
        return RWA_OK;
    TRY(measure(&balls, c, c->coll->kind == RWA_REDUCE_SCATTER, err));
    if (balls.size[balls.count - 1] < c->nodes) /* some are out of reach of all */
        goto done;
    room = (double)c->graph->channels / (double)c->coll->blocks;
    while (holders * (1 + margin) < c->nodes && room > holders * (double)(balls.size[1] - 1)) {
        holders = next_holders(holders, room, &balls, c);
        b->value++;
    }
    if (holders * (1 + margin) < c->nodes) /* from here on neighbours alone take all the room */
        b->value += (uint64_t)ceil((c->nodes - holders) / room * (1 - margin));
done:
    free(balls.size);
    return st;
}

const struct bound_entry bound_growth = {
    "growth", "steps",
    "on the average over all blocks, the holders of a block tell in a step only so many further nodes as the channels of "
    "all links allow, the nearest first",
    "docs/bounds.md: own bound; convexity of the cost of a step", compute};
