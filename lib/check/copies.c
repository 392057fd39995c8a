/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Collectives without reductions: a node holds a block or it does not. */
#include "check/judge.h"

#include <stdlib.h>

/** Where each block is before the first step. */
static void place_blocks(struct judge *j)
{
    uint64_t blocks = j->coll->blocks;
    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t owner = rwa_collective_owner(j->coll, b);
        if (j->coll->kind == RWA_SCATTER)
            owner = j->coll->root;
        set_bit(j->held, owner * blocks + b);
    }
}

static rwa_status copies_open(struct judge *j)
{
    rwa_status st = RWA_OK;
    uint64_t bits = j->coll->nodes * j->coll->blocks;
    TRY(base_fits_memory((double)bits / 8, "checking this schedule", j->err));
    j->held = base_array((size_t)((bits + 63) / 64), 8, j->err);
    if (!j->held)
        return RWA_NOMEM;
    place_blocks(j);
done:
    return st;
}

static rwa_status copies_carry(struct judge *j, const rwa_lightpath *lp)
{
    rwa_status st = RWA_OK;
    if (!get_bit(j->held, rank_of(j, lp->src) * j->coll->blocks + lp->block))
        accuse(j, RWA_VIOLATION_CAUSALITY, RWA_NO_INDEX, lp->wavelength,
               "step %u: node %u sends block %llu, which it does not hold at the start of the step", j->step, lp->src,
               (unsigned long long)lp->block);
    TRY(base_grow((void **)&j->arrived, &j->arrival_room, j->arrivals + 1, sizeof *j->arrived, j->err));
    j->arrived[j->arrivals++] = (struct delivery){rank_of(j, lp->dst), (uint32_t)lp->block};
done:
    return st;
}

static void copies_end_step(struct judge *j)
{
    for (size_t i = 0; i < j->arrivals; i++)
        set_bit(j->held, j->arrived[i].rank * j->coll->blocks + j->arrived[i].block);
    j->arrivals = 0;
}

static bool must_hold(const rwa_collective *c, uint32_t rank, uint64_t block)
{
    switch (c->kind) {
    case RWA_GATHER:
        return rank == c->root;
    case RWA_SCATTER:
        return rwa_collective_owner(c, block) == rank;
    case RWA_ALL_TO_ALL:
        return block % c->nodes == rank;
    default:
        return true;
    }
}

static void copies_judge_end(struct judge *j)
{
    for (uint32_t rank = 0; rank < j->coll->nodes; rank++)
        for (uint64_t b = 0; b < j->coll->blocks; b++)
            if (!get_bit(j->held, rank * j->coll->blocks + b) && must_hold(j->coll, rank, b))
                ACCUSE(j, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks block %llu", node_at(j, rank),
                       (unsigned long long)b);
}

static void copies_close(struct judge *j)
{
    free(j->held);
    free(j->arrived);
}

const struct book book_of_copies = {copies_open, copies_carry, copies_end_step, copies_judge_end, copies_close};
