/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Sink for the stages of a scheme.  A stage holds transfers of single blocks, which still need routes and wavelengths,
 * an exchange of aggregated ones, or finished lightpaths.  Stages follow one another: a later stage begins in a later
 * step than the last step of the stage before.
 */
#pragma once

#include "base/arena.h"
#include "delivery/exchange.h"
#include "rwa/schedule.h"

/**
 * The rows of a grid along one dimension: `nodes` nodes each (0: the stage does not work on rows); neighbours differ by
 * `stride` in their numbers.  src and dst of a transfer are places in a row, which is a cycle or a path, and all rows
 * carry out the stage at once.  nodes * stride consecutive nodes are a slab of rows; block b is counted from the first
 * node of the slab that contains the row.
 */
struct stage_rows {
    uint32_t nodes, stride;
};

/**
 * Transfers that may all happen in the same step.  Optional arrays may be NULL.  A transfer without a direction takes
 * the direction that does not cross the border between the last node and node 0; but with `ranks` set the stage is an
 * all-to-all exchange round the whole cycle, between `ranks` places, in `copies` copies.
 */
struct transfers {
    struct arena memory;        /* of the arrays */
    size_t count, capacity;
    uint32_t *src, *dst, *block;
    uint8_t *direction;         /* NULL, or an rwa_direction for each transfer */
    /* NULL, or (with direction) the final colour of each: transfers of one colour stay in one step, as exchanges of
     * partial sums must */
    uint32_t *colour;
    uint8_t *early;             /* NULL, or 1: src held the block before the stage that came just before this one */
    uint32_t *copy;             /* NULL, or the copy of the exchange that each transfer belongs to; NULL: copy 0 */
    uint32_t *rank_of;          /* NULL, or the place of each node in the exchange; NULL: its number */
    uint32_t ranks, copies;
    rwa_op op;                  /* of all transfers */
    uint32_t radix;             /* for the summary; 0: none */
    struct stage_rows rows;
};

/** Bits for transfers_create(): arrays that it makes besides src, dst and block. */
enum { WITH_DIRECTION = 1, WITH_COLOUR = 2, WITH_EARLY = 4, WITH_COPY = 8 };

/** Allocate space for `most` transfers, all zero.  `with` (bits WITH_…) says which optional arrays to allocate.
 * RWA_NOMEM: nothing is allocated.  Free with transfers_free(), unless sink_transfers() takes them. */
rwa_status transfers_create(struct transfers *t, size_t most, unsigned with, rwa_error *err);
/** Free the arrays and set the structure to zeros; it may be zero already. */
void transfers_free(struct transfers *t);

/** Append a transfer of `block` from node src to node dst, for which there must be space.  The caller sets its
 * direction, colour, early and copy, in the arrays in use, at the index that t->count has before the call. */
static inline void transfer_add(struct transfers *t, uint32_t src, uint32_t dst, uint32_t block)
{
    assert(t->count < t->capacity && src != dst);
    t->src[t->count] = src;
    t->dst[t->count] = dst;
    t->block[t->count++] = block;
}

/** The receiver of the stages of a scheme, implemented by lib/plan. */
struct schedule_sink {
    rwa_status (*transfers)(struct schedule_sink *sink, struct transfers *stage);
    rwa_status (*exchange)(struct schedule_sink *sink, const struct exchange *exchange);
    rwa_status (*lightpath)(struct schedule_sink *sink, const rwa_lightpath *lp, const rwa_lists *lists);
    rwa_status (*end_stage)(struct schedule_sink *sink);
    rwa_error *err;             /* error of all functions that push into the sink; borrowed */
};

/** Push a stage of transfers.  Takes over their arrays and leaves `stage` zeroed, also on failure.  An empty stage is
 * ignored.
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED; whatever the solver returns */
rwa_status sink_transfers(struct schedule_sink *sink, struct transfers *stage);

/** Push an exchange as a stage of its own.  It is borrowed, and must have the runs of all transfers.  An empty exchange
 * is ignored.
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED; whatever the solver returns */
static inline rwa_status sink_exchange(struct schedule_sink *sink, const struct exchange *exchange)
{
    return exchange->count > 0 ? sink->exchange(sink, exchange) : RWA_OK;
}

/** Push lightpath lp, with its channel, as part of the current stage.  Steps count from 1 within the stage, and must
 * not decrease from one call to the next.  The channel may be given as a wavelength of fibre 0: wavelengths beyond
 * those of a fibre are on the next fibres.
 * @param lists NULL, or the path, blocks and taps of lp; copied.  RWA_BADARG; RWA_NOMEM */
static inline rwa_status sink_lightpath(struct schedule_sink *sink, const rwa_lightpath *lp, const rwa_lists *lists)
{
    assert(lp->step > 0 && lp->orbit > 0 && sink->lightpath);
    return sink->lightpath(sink, lp, lists);
}

/** End the stage of lightpaths that were pushed; does nothing if there are none. */
static inline rwa_status sink_end_stage(struct schedule_sink *sink)
{
    return sink->end_stage(sink);
}
