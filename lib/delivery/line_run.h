/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One attempt at an all-gather on a line, step by step. */
#ifndef SCHEME_LINE_RUN_H
#define SCHEME_LINE_RUN_H

#include "delivery/line_schedule.h"
#include "lattice/gap_split.h"
#include "delivery/uninformed.h"

enum { PACE_ONE = 1024 };

/** How an attempt goes about it; speeds, and the lean, in units of 1/PACE_ONE. */
struct line_pace {
    uint32_t aim;               /* steps in which gaps are to be full */
    uint32_t speed;             /* a block's outermost holder advances by so many nodes a step … */
    uint32_t last_speed;        /* … but at an end by so many … */
    uint32_t rise;              /* … and by so many more for each node that lies between */
    uint32_t cut;               /* room that is left goes to nodes a cut-th of a gap away from its end: 2 … */
    uint32_t lean;              /* how much dearer links towards an end are near it: 0 not at all, PACE_ONE three times */
};

/** A lightpath of a step that others may read, too: how far it goes and how many read it. */
struct line_light {
    uint32_t block, src, end, readers;
};

struct line_run {
    struct line_limits limits;
    struct line_pace pace;
    const struct gap_table *table;
    uint32_t step;
    uint64_t *old, *now;        /* who holds what at the start of the step, and by now: `words` words a block */
    size_t words;
    uint32_t *top, *bottom;     /* of each block: its outermost holders by now */
    uint32_t *room[2];          /* channels left on each link, up and down */
    uint32_t *sends, *reads;    /* lightpaths of each node in this step; where ports limit them */
    uint64_t missing;           /* blocks at nodes that lack them */
    struct line_light *light[2];        /* of the step, up and down, where lightpaths may be tapped … */
    uint32_t lights[2];
    uint32_t *latest[2];        /* [block][src]: the last that src sent of a block, if there is one */
    uint32_t *order;            /* of the blocks, shuffled every step */
    struct gap_split split;
    struct holes holes;         /* gaps by now */
    struct line_schedule made;     /* so far */
    uint64_t random;
};

rwa_status line_run_create(struct line_run *run, const struct line_limits *limits, const struct gap_table *table,
                           rwa_error *err);
void line_run_free(struct line_run *run);

#define LINE_ANY_STEPS (UINT32_MAX - 1)

/** Carry it out; false: it takes more than `most` steps, or was given up: for lack of time only where `most` is a limit, for
 *  the caller always.  Afterwards run->made is what was done.  RWA_NOMEM. */
rwa_status line_run_go(struct line_run *run, bool *done, const struct line_pace *pace, uint32_t most, uint64_t seed,
                       struct budget *budget, rwa_error *err);

#endif
