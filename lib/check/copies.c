/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Collectives without reductions: a node holds a block or it does not. */
#include "check/checker.h"

#include <assert.h>
#include <stdlib.h>

/* Blocks, or nodes, between two polls. */
enum { POLL_EVERY = 256 };

/** Where each block is before the first step. */
static void place_blocks(struct checker *chk)
{
    uint64_t blocks = chk->coll->blocks;
    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t owner = rwa_collective_owner(chk->coll, b);
        if (chk->coll->kind == RWA_SCATTER)
            owner = chk->coll->root;
        set_bit(chk->held, owner * blocks + b);
    }
}

static rwa_status copies_open(struct checker *chk)
{
    rwa_status st = RWA_OK;
    uint64_t bits = chk->coll->nodes * chk->coll->blocks;
    TRY(base_fits_memory((double)bits / 8, "checking this schedule", chk->err));
    if (!arena_new(&chk->memory, chk->held, (size_t)((bits + 63) / 64)))
        return RWA_NOMEM;
    place_blocks(chk);
done:
    return st;
}

static rwa_status copies_transfer(struct checker *chk, const rwa_lightpath *lp)
{
    rwa_status st = RWA_OK;
    if (!get_bit(chk->held, rank_of(chk, lp->src) * chk->coll->blocks + lp->block))
        report_violation(chk, RWA_VIOLATION_CAUSALITY, RWA_NO_INDEX, lp->wavelength,
               "step %u: node %u sends block %llu, which it does not hold at the start of the step", chk->step, lp->src,
               (unsigned long long)lp->block);
    assert(rank_of(chk, lp->dst) < chk->coll->nodes && lp->block < chk->coll->blocks);
    TRY(base_grow((void **)&chk->arrived, &chk->arrival_capacity, chk->arrivals + 1, sizeof *chk->arrived, chk->err));
    chk->arrived[chk->arrivals++] = (struct delivery){rank_of(chk, lp->dst), (uint32_t)lp->block};
done:
    return st;
}

static void copies_end_step(struct checker *chk)
{
    for (size_t i = 0; i < chk->arrivals; i++)
        set_bit(chk->held, chk->arrived[i].rank * chk->coll->blocks + chk->arrived[i].block);
    chk->arrivals = 0;
}

/** The one rank that must hold the block at the end, or NO_RANK: all ranks. */
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

static void check_held(struct checker *chk, uint32_t rank, uint64_t block)
{
    if (!get_bit(chk->held, rank * chk->coll->blocks + block))
        REPORT(chk, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks block %llu", node_at(chk, rank),
               (unsigned long long)block);
}

/** Check that a rank holds every block; 64 bits at a time where it holds them all. */
static void check_row(struct checker *chk, uint32_t rank)
{
    uint64_t start = rank * chk->coll->blocks, end = start + chk->coll->blocks;
    for (uint64_t i = start; i < end;) {
        if (i % 64 == 0 && end - i >= 64 && chk->held[i / 64] == UINT64_MAX) {
            i += 64;
        } else {
            check_held(chk, rank, i - start);
            i++;
        }
    }
}

static rwa_status copies_check_end(struct checker *chk)
{
    bool everywhere = receiver_of(chk->coll, 0) == NO_RANK;
    uint64_t parts = everywhere ? chk->coll->nodes : chk->coll->blocks;
    for (uint64_t i = 0; i < parts; i++) {
        if (i % POLL_EVERY == 0 && base_must_stop(&chk->budget, "checking", -1))
            return base_fail(chk->err, RWA_CANCELLED, "the check was stopped at the end of the schedule");
        if (everywhere)
            check_row(chk, (uint32_t)i);
        else
            check_held(chk, receiver_of(chk->coll, i), i);
    }
    return RWA_OK;
}

static void copies_close(struct checker *chk)
{
    free(chk->arrived);
}

const struct holdings holdings_of_copies = {copies_open, copies_transfer, copies_end_step, copies_check_end, copies_close};
