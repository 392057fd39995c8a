/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gather on a line: every block runs to both ends by long hops and fills the gaps behind them. */
#ifndef SCHEME_LINE_FRONT_H
#define SCHEME_LINE_FRONT_H

#include "base/base.h"

/** What dst reads of a lightpath from src, which runs up where dst > src.  Nodes count from 0 at one end of the line; block b is
 *  node b's. */
struct line_hop {
    uint32_t src, dst, block, channel;
    bool ends;              /* it is where its lightpath ends: always, where one node reads each */
};

/** A schedule of hops; those of step s (from 1) are hop[first[s - 1]] … hop[first[s] - 1]. */
struct line_schedule {
    uint32_t nodes, steps;
    uint32_t drops;         /* as many nodes read a lightpath; the others stand before the one at its end */
    struct line_hop *hop;
    size_t *first, first_room; /* steps + 1 entries */
};

struct line_limits {
    uint32_t nodes, channels;   /* channels of each link and direction */
    uint32_t max_hops;          /* 0: no limit */
    uint32_t drops;             /* as many nodes may read a lightpath; 1: its end only */
    uint32_t ports;             /* a node reads, and sends, no more lightpaths in a step; 0: no limit */
    uint64_t seed;
};

/** No schedule has fewer steps: an end has one link in, a node so many ports, and a block travels max_hops a step. */
uint32_t line_fewest_steps(const struct line_limits *limits);

/**
 * The schedule of fewest steps that was found, in a number of attempts that depends on `nodes` alone, with taps where they save
 * steps.  Each costs about N² log N + hops; 24 N² bytes of memory, with taps three times as much.
 * @return RWA_OK, also when the budget's time is up (but one attempt is always made); RWA_NOMEM; RWA_CANCELLED.
 *         line_schedule_free() in any case
 */
rwa_status line_schedule_find(struct line_schedule *out, const struct line_limits *limits, struct budget *budget, rwa_error *err);
void line_schedule_free(struct line_schedule *front);

/** Room for an all-gather among so many, while it is made; `first` may have to grow.  RWA_NOMEM. */
rwa_status line_schedule_open(struct line_schedule *front, uint32_t nodes, rwa_error *err);

/** Let hops of one block from one node in one direction and step share lightpaths, the farthest `drops` of them the first, which
 *  takes the fewest channels on every link: those of a lightpath follow each other, its end last. */
void line_schedule_share(struct line_schedule *front, uint32_t drops);

/** Give all lightpaths of a schedule channels, of which no link has fewer than lightpaths in a step and direction.  RWA_NOMEM. */
rwa_status line_schedule_assign(struct line_schedule *front, uint32_t channels, rwa_error *err);

#endif
