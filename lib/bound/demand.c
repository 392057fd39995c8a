/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/demand.h"

/** Return the number of blocks owned by the participants with numbers below r.  Block b belongs to participant
 * floor(b * nodes / blocks). */
static uint64_t owned_below(const rwa_collective *coll, uint64_t r)
{
    assert(r <= coll->nodes);
    return ceil_div(r * coll->blocks, coll->nodes);
}

static uint64_t owned_by(const rwa_collective *coll, uint32_t rank)
{
    return owned_below(coll, (uint64_t)rank + 1) - owned_below(coll, rank);
}

void demand_put(struct demand_side *side, const rwa_collective *coll, uint32_t rank, bool inside)
{
    uint64_t times = inside ? 1 : UINT64_MAX;   /* or -1 */
    side->members += times;
    side->blocks += times * owned_by(coll, rank);
    side->root = rank == coll->root ? inside : side->root;
    assert(side->members <= coll->nodes && side->blocks <= coll->blocks);
}

bool demand_owns(const rwa_collective *coll, uint32_t rank)
{
    return owned_by(coll, rank) > 0;
}

bool demand_is_personal(const rwa_collective *coll)
{
    return coll->kind == RWA_ALL_TO_ALL && coll->blocks % ((uint64_t)coll->nodes * coll->nodes) == 0;
}

struct demand_side demand_others(const rwa_collective *coll, const struct demand_side *side)
{
    assert(side->members <= coll->nodes && side->blocks <= coll->blocks);
    return (struct demand_side){coll->nodes - side->members, coll->blocks - side->blocks, !side->root};
}

uint64_t demand_out(const rwa_collective *coll, const struct demand_side *side)
{
    uint64_t outside = coll->blocks - side->blocks;
    if (side->members == 0 || side->members == coll->nodes)
        return 0;
    switch (coll->kind) {
    case RWA_ALL_GATHER:
        return side->blocks;
    case RWA_REDUCE_SCATTER:
        return outside;
    case RWA_ALL_REDUCE:
        return coll->blocks;
    case RWA_BROADCAST:
        return side->root ? coll->blocks : 0;
    case RWA_ROOTED_REDUCE:
        return side->root ? 0 : coll->blocks;
    case RWA_SCATTER:
        return side->root ? outside : 0;
    case RWA_GATHER:
        return side->root ? 0 : side->blocks;
    case RWA_ALL_TO_ALL:
        return demand_is_personal(coll) ? side->members * (coll->nodes - side->members) * collective_parts(coll) : 0;
    }
    return 0;
}

uint64_t demand_of_others(demand_measure *demand, const rwa_collective *coll, const struct demand_side *side)
{
    struct demand_side rest = demand_others(coll, side);
    return demand(coll, &rest);
}

uint64_t demand_in(const rwa_collective *coll, const struct demand_side *side)
{
    return demand_of_others(demand_out, coll, side);
}

/** Return the number of participants in the set that own blocks.  If there are fewer blocks than participants, no one
 * owns two, so this is the number of the set's blocks. */
static uint64_t owners(const rwa_collective *coll, const struct demand_side *side)
{
    return coll->blocks < coll->nodes ? side->blocks : side->members;
}

bool demand_joins_all(const rwa_collective *coll)
{
    return coll->kind == RWA_ALL_GATHER || coll->kind == RWA_REDUCE_SCATTER || coll->kind == RWA_ALL_REDUCE ||
           demand_is_personal(coll);
}

uint64_t demand_senders(const rwa_collective *coll, const struct demand_side *side)
{
    assert(demand_joins_all(coll));
    return coll->kind == RWA_ALL_GATHER ? owners(coll, side) : side->members;
}

uint64_t demand_receivers(const rwa_collective *coll, const struct demand_side *side)
{
    assert(demand_joins_all(coll));
    return coll->kind == RWA_REDUCE_SCATTER ? owners(coll, side) : side->members;
}

/** Return the number of pairs (a, b) in which a is in the set, b is outside, and b needs data of a; 0 if the collective
 *  does not make all nodes need data of all others. */
static uint64_t demand_pairs(const rwa_collective *coll, const struct demand_side *side)
{
    struct demand_side rest = demand_others(coll, side);
    return demand_joins_all(coll) ? demand_senders(coll, side) * demand_receivers(coll, &rest) : 0;
}

demand_measure *const demand_measures[CUT_MEASURES] = {demand_out, demand_pairs};

struct demand_side demand_of_run(const struct bound_case *c, struct demand_run run)
{
    uint64_t n = c->nodes, from = ((uint64_t)run.first + c->first) % n, to = from + run.count;
    assert(run.first < n && run.count >= 1 && run.count < n);
    struct demand_side side = {run.count, 0, (c->root + n - run.first) % n < run.count};
    if (to <= n)
        side.blocks = owned_below(c->coll, to) - owned_below(c->coll, from);
    else
        side.blocks = c->coll->blocks - owned_below(c->coll, from) + owned_below(c->coll, to - n);
    assert(side.blocks <= c->coll->blocks);
    return side;
}

/** Tell whether the link between places p and p + 1 of the ring or line works in a direction. */
static bool works(const struct bound_case *c, uint32_t p, rwa_direction dir)
{
    if (bound_on_path(c) && p == c->nodes - 1)
        return false;
    for (size_t i = 0; i < c->lost_count; i++)
        if (c->lost[i].link == p)
            return dir == RWA_CW ? !c->lost[i].cw : !c->lost[i].ccw;
    return true;
}

static uint64_t width(const struct bound_case *c, struct demand_run run, rwa_direction at_start)
{
    uint32_t before = (run.first + c->nodes - 1) % c->nodes, last = (run.first + run.count - 1) % c->nodes;
    rwa_direction at_end = at_start == RWA_CW ? RWA_CCW : RWA_CW;
    uint64_t links = (uint64_t)works(c, before, at_start) + works(c, last, at_end);
    return (links > 0 ? links : 1) * c->channels;
}

uint64_t demand_width_out(const struct bound_case *c, struct demand_run run)
{
    return width(c, run, RWA_CCW);
}

uint64_t demand_width_in(const struct bound_case *c, struct demand_run run)
{
    return width(c, run, RWA_CW);
}
