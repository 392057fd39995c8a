/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Collectives without reductions: a node holds a block or it does not. */
#include "check/judge.h"

#include <stdlib.h>

/* Blocks, or nodes, between two questions whether to go on. */
enum { POLL_EVERY = 256 };

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

/** All nodes but one may go without a block; which must hold it, or NO_RANK: all. */
static uint32_t receiver_of(const rwa_collective *c, uint64_t block)
{
    switch (c->kind) {
    case RWA_GATHER:
        return c->root;
    case RWA_SCATTER:
        return rwa_collective_owner(c, block);
    case RWA_ALL_TO_ALL:
        return (uint32_t)(block % c->nodes);
    default:
        return NO_RANK;
    }
}

static void judge_held(struct judge *j, uint32_t rank, uint64_t block)
{
    if (!get_bit(j->held, rank * j->coll->blocks + block))
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks block %llu", node_at(j, rank),
               (unsigned long long)block);
}

/** Every node every block: a row is passed over 64 bits at a time where all are held. */
static void judge_row(struct judge *j, uint32_t rank)
{
    uint64_t start = rank * j->coll->blocks, end = start + j->coll->blocks;
    for (uint64_t i = start; i < end;) {
        if (i % 64 == 0 && end - i >= 64 && j->held[i / 64] == UINT64_MAX) {
            i += 64;
        } else {
            judge_held(j, rank, i - start);
            i++;
        }
    }
}

static rwa_status copies_judge_end(struct judge *j)
{
    bool everywhere = receiver_of(j->coll, 0) == NO_RANK;
    uint64_t parts = everywhere ? j->coll->nodes : j->coll->blocks;
    for (uint64_t i = 0; i < parts; i++) {
        if (i % POLL_EVERY == 0 && base_must_stop(&j->budget, "checking", -1))
            return base_fail(j->err, RWA_CANCELLED, "the check was stopped at the end of the schedule");
        if (everywhere)
            judge_row(j, (uint32_t)i);
        else
            judge_held(j, receiver_of(j->coll, i), i);
    }
    return RWA_OK;
}

static void copies_close(struct judge *j)
{
    free(j->held);
    free(j->arrived);
}

const struct book book_of_copies = {copies_open, copies_carry, copies_end_step, copies_judge_end, copies_close};
