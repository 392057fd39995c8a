/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gather on a line, or on a ring that lost clockwise links: every block runs to both ends and fills the gaps
 * behind its fronts. */
#pragma once

#include "delivery/line/line_limits.h"
#include "delivery/schedule_sink.h"

struct line_schedule {
    struct line_limits limits;
    struct delivery_tree trees;     /* [block][place], with channels */
    struct bins steps;              /* the deliveries of each step, by block and place */
    uint32_t *origin;
};

/**
 * The schedule of fewest steps that was found, of a few greedy passes.
 * @return RWA_OK, also when the budget's time is up (but one pass is always made); RWA_NOMEM; RWA_CANCELLED.
 *         line_schedule_free() in any case
 */
rwa_status line_schedule_find(struct line_schedule *out, const struct line_limits *limits, struct budget *budget,
                              rwa_error *err);
void line_schedule_free(struct line_schedule *schedule);

/** Push it as a stage for each step. @param node  of each position; block b is that of node[b].  @param rising  which
 * way on the network */
rwa_status push_line_schedule(struct schedule_sink *sink, const struct line_schedule *s, const uint32_t *node,
                              rwa_direction rising, uint32_t wavelengths, rwa_error *err);
