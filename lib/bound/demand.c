/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/demand.h"

/** Blocks owned by the nodes below v: those with floor(b * nodes / blocks) < v. */
static uint64_t owned_below(const rwa_collective *coll, uint64_t v)
{
    return bound_divide_up(v * coll->blocks, coll->nodes);
}

static uint64_t owned(const rwa_collective *coll, struct node_run run)
{
    uint64_t end = (uint64_t)run.first + run.count;
    if (end <= coll->nodes)
        return owned_below(coll, end) - owned_below(coll, run.first);
    return coll->blocks - owned_below(coll, run.first) + owned_below(coll, end - coll->nodes);
}

static bool has_root(const rwa_collective *coll, struct node_run run)
{
    return (coll->root + coll->nodes - run.first) % coll->nodes < run.count;
}

static uint64_t pairs(const rwa_collective *coll, struct node_run run)
{
    bool one_each = coll->blocks == (uint64_t)coll->nodes * coll->nodes;
    return one_each ? (uint64_t)run.count * (coll->nodes - run.count) : 0;
}

uint64_t demand_out(const rwa_collective *coll, struct node_run run)
{
    switch (coll->kind) {
    case RWA_ALL_GATHER:
        return owned(coll, run);
    case RWA_REDUCE_SCATTER:
        return coll->blocks - owned(coll, run);
    case RWA_ALL_REDUCE:
        return coll->blocks;
    case RWA_BROADCAST:
        return has_root(coll, run) ? coll->blocks : 0;
    case RWA_SCATTER:
        return has_root(coll, run) ? coll->blocks - owned(coll, run) : 0;
    case RWA_GATHER:
        return has_root(coll, run) ? 0 : owned(coll, run);
    case RWA_ALL_TO_ALL:
        return pairs(coll, run);
    }
    return 0;
}

uint64_t demand_in(const rwa_collective *coll, struct node_run run)
{
    struct node_run others = {(run.first + run.count) % coll->nodes, coll->nodes - run.count};
    return demand_out(coll, others);
}
