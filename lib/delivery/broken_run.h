/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One attempt at an all-gather on a ring some of whose clockwise links failed, step by step. */
#ifndef SCHEME_BROKEN_RUN_H
#define SCHEME_BROKEN_RUN_H

#include "base/base.h"
#include "delivery/line_schedule.h"
#include "lattice/gap_split.h"
#include "delivery/uninformed.h"

#include <stdbool.h>

enum { BROKEN_ONE = 1024 };

struct broken_limits {
    uint32_t nodes, channels;   /* channels of each link and direction */
    uint32_t max_hops;          /* 0: no limit */
    const bool *failed;         /* [node]: the link clockwise from it … */
    uint32_t above;             /* … among them that to this node */
};

/** How an attempt goes about it; speeds, and the lean, in units of 1/BROKEN_ONE. */
struct broken_pace {
    uint32_t aim;               /* steps in which all is to be done */
    uint32_t speed;             /* a block's head advances by so many nodes a step, or as many as it must, … */
    uint32_t last_speed;        /* … but before a failed link by so many … */
    uint32_t rise;              /* … and by so many more for each node that lies between */
    uint32_t cut;               /* room that is left goes to nodes a cut-th of a gap away from its end: 2 … */
    uint32_t lean;              /* how dear links down are in gaps: 0 as cheap as can be, BROKEN_ONE as dear */
};

/**
 * A block's places are the nodes counted down from its owner: place u is node (owner - u) mod nodes, and place `nodes` is the
 * owner once more.
 */
struct broken_run {
    struct broken_limits limits;
    struct broken_pace pace;
    const struct gap_table *table;
    uint32_t step;
    uint64_t *old, *now;        /* who holds what at the start of the step, and by now: `words` words a block */
    size_t words;
    uint32_t *head, *tail;      /* of each block: places between which no gap was filled yet, for a failed link lies there */
    uint32_t *fall, *climb;     /* of each node: links down to the next node behind which one failed, links up that work */
    uint32_t *room[2];          /* channels left on each link (by its node below), down and up */
    uint64_t missing;           /* blocks at nodes that lack them */
    uint32_t *order, *list, *next; /* of the blocks, those with the longest way first */
    struct gap_split split;
    struct holes holes;         /* gaps by now */
    struct line_schedule made;     /* so far, on a line of nodes + 1 places: from node `above` down round the ring to itself */
    uint64_t random;
};

/** broken_run_free() in any case; `limits->failed` and the table are borrowed. */
rwa_status broken_run_create(struct broken_run *run, const struct broken_limits *limits, const struct gap_table *table,
                             rwa_error *err);
void broken_run_free(struct broken_run *run);

/** Carry it out; *done false: it takes more than `most` steps, or the budget said to stop: for lack of time only if `hurry`.
 *  Afterwards run->made is what was done.  RWA_NOMEM. */
rwa_status broken_run_go(struct broken_run *run, bool *done, const struct broken_pace *pace, uint32_t most, uint64_t seed,
                         struct budget *budget, bool hurry, rwa_error *err);

#endif
