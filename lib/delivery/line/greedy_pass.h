/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One greedy pass, step by step: an all-gather on a line, or on a ring some of whose clockwise links failed. */
#pragma once

#include "delivery/delivery_tree.h"
#include "delivery/line/uninformed.h"
#include "lattice/gap_split.h"

/**
 * Positions 0 … nodes-1 stand along the line; rising lightpaths have way 0, falling ones way 1.  On a ring they begin at a node above
 * a failed link and run counterclockwise, which is whole; falling lightpaths go clockwise, over the links that work.  Link e lies
 * between positions e and e + 1.  Block b is that of position b on a line and of position (above - b) mod nodes on a ring.
 */
struct line_limits {
    uint32_t nodes, channels;   /* channels of each link and direction */
    uint32_t max_hops;          /* 0: no limit */
    uint32_t drops;             /* as many nodes may read a lightpath; 1: its end only */
    uint32_t ports;             /* a node reads, and sends, no more lightpaths in a step; 0: no limit */
    uint64_t seed;
    bool brief;                 /* with an eighth of the work: one of many schedules that are compared */
    const bool *failed;         /* NULL: a line; otherwise [link]: it has no falling lightpaths; [0] is one of them */
    uint32_t above;             /* the node at position 0 of a ring */
};

enum { GREEDY_ONE = 1024 };

/** How a pass goes about it; speeds, and the bias, in units of 1/GREEDY_ONE. */
struct greedy_parameters {
    uint32_t aim;               /* steps in which all is to be done */
    uint32_t speed;             /* a block's front advances by so many nodes a step (on a ring by as many as it must) … */
    uint32_t last_speed;        /* … but at an end or a failed link by so many … */
    uint32_t slope;             /* … and by so many more for each node that lies between */
    uint32_t cut;               /* capacity that is left goes to nodes a cut-th of a gap away from its end: 2 … */
    uint32_t bias;              /* line: how much more links towards an end cost near it: 0 nothing, GREEDY_ONE three times;
                                   ring: how much falling links cost: 0 the least, GREEDY_ONE the most */
};

/** The lowest link of a delivery's route; on a ring, position 0 as an upper end is beyond the last link. */
static inline uint32_t lowest_link(const struct delivery *d, uint32_t nodes)
{
    return d->way == 0 ? d->from : (d->from > 0 ? d->from : nodes) - d->links;
}

/** A lightpath of a step that others may tap, too: how far it goes and how many read it. */
struct open_lightpath {
    uint32_t block, src, end, readers;
};

/**
 * A block's places are its positions; on a ring they are counted from the owner upwards, and place `nodes` is the owner once more.
 */
struct greedy_pass {
    struct line_limits limits;
    struct greedy_parameters parameters;
    const struct gap_table *table;
    uint32_t places;            /* of each block */
    uint32_t step;
    uint64_t *old, *now;        /* holders at the start of the step, and by now: `words` words a block */
    size_t words;
    uint32_t *front[2];         /* of each block: its outermost holders by now, rising and falling */
    uint32_t *origin;           /* position of each block's place 0 */
    uint32_t *run[2];           /* ring, of each position: rising links to the next failed link, falling links to it */
    uint32_t *capacity[2];      /* free channels of each link, rising and falling */
    uint32_t *sends, *reads;    /* lightpaths of each position in this step, for the ports */
    uint64_t missing;           /* blocks at nodes that lack them */
    struct open_lightpath *open[2];     /* of the step, rising and falling, where lightpaths may be tapped … */
    uint32_t opened[2];
    uint32_t *latest[2];        /* [block][place]: the last lightpath of a block from there, if there is one */
    uint32_t *order;            /* of the blocks: shuffled every step, on a ring those with the longest way first */
    uint32_t *list, *next;
    struct gap_split split;
    struct intervals intervals; /* uninformed ones by now */
    struct delivery_tree made;  /* [block][position] */
    uint64_t random;
};

/** Borrows limits->failed and the table.  RWA_NOMEM; greedy_pass_free() in any case. */
rwa_status greedy_pass_create(struct greedy_pass *pass, const struct line_limits *limits, const struct gap_table *table, rwa_error *err);
void greedy_pass_free(struct greedy_pass *pass);

#define GREEDY_ANY_STEPS (UINT32_MAX - 1)

/** Carry it out; *done false: it takes more than `most` steps, or was given up: for lack of time only where `most` is a limit, for
 *  the caller always.  Afterwards pass->made is what was done.  RWA_NOMEM. */
rwa_status greedy_pass_go(struct greedy_pass *pass, bool *done, const struct greedy_parameters *parameters, uint32_t most,
                          uint64_t seed, struct budget *budget, rwa_error *err);
