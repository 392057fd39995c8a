/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Turn stages into steps: the transfers of a stage get directions, routes and channels, and are appended to the
 * schedule as lightpaths. */
#pragma once

#include "rwa/assign.h"
#include "rwa/schedule.h"

#include "base/base.h"
#include "delivery/exchange_load.h"
#include "scheme/scheme.h"

/** A stage whose transfers have directions, the clockwise ones first, and colours (wavelengths, which may exceed the
 * channels). */
struct coloured {
    struct transfers t;
    uint32_t *known;            /* in t.memory: colours that the scheme constructed; NULL: none */
    uint32_t *colour;           /* in t.memory */
    size_t clockwise;
    rwa_assignment *routes;  /* where links are listed, else NULL */
    uint32_t wavelengths, bound;
    const char *solver;
};

void coloured_free(struct coloured *c);

/** route.c: choose the direction of each transfer, and move the clockwise transfers to the front, so that each
 * direction is a separate, contiguous colouring problem. */
rwa_status route_stage(struct coloured *c);

/** colour.c: assign a colour (wavelength) to every lightpath of a routed stage. */
rwa_status colour_stage(struct coloured *c, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/** pack.c: append a stage to the schedule in new steps, each with as many colours as the network has channels.  If
 * used > 0, append nothing but the lightpaths whose colours fit the last step, in which `used` channels are taken. */
rwa_status pack_stage(rwa_schedule *sched, const struct coloured *c, uint32_t used, const rwa_network *net,
                      struct budget *budget, rwa_error *err);

/** exchange.c: route an exchange, give its lightpaths channels, and append them to the schedule.  Refuse it by
 * scheme_refuse() if a node cannot be reached within max_hops, or if a route has no free channel.  If nodes exchange
 * sums, which must all move in one step, also refuse it if they do not fit one step.
 * @param figures  receives its number of lightpaths, the channels that they take, and a lower bound on these */
rwa_status pack_exchange(rwa_schedule *sched, struct coloured *figures, const struct exchange *exchange,
                         const struct distances *distances, const struct plan_request *request, rwa_error *err);

/** rows.c: if a stage works on the rows of a grid, create one of these rows as a network, a ring or a line; else *out
 * stays NULL. */
rwa_status row_network(rwa_network **out, const struct stage_rows *rows, const rwa_network *net, rwa_error *err);
/** Return the number of rows of the grid on which the stage takes place at once; 1 if it does not work on rows. */
uint32_t row_count(const struct stage_rows *rows, const rwa_network *net);
/** Append a lightpath of a stage to the schedule.  If the stage works on the rows of a grid, append it once for each
 * row. */
rwa_status row_add(rwa_schedule *sched, const struct stage_rows *rows, const rwa_lightpath *lp, rwa_error *err);

/** pack.c: list lightpaths step by step; lightpath i belongs to step colour[i] / channels (from 0).  Within a step
 * their indices ascend.  Counting sort.
 * @param[out] order  their indices; caller frees, also on failure */
rwa_status order_by_step(uint32_t **order, const uint32_t *colour, size_t count, uint32_t channels, rwa_error *err);

/** colour.c: return the options for wavelength solvers that are part of the options of a plan. */
rwa_solver_options solver_options(const rwa_plan_options *o);

/** graph_stage.c: give each transfer of the stage in `c` a route and a channel, on a network that lists its links.
 * Refuses by scheme_refuse() if the network has parallel, failed or reserved links, or a transfer finds no route; the
 * errors are those of rwa_assignment_make(). */
rwa_status graph_stage(struct coloured *c, const struct plan_request *request, rwa_error *err);

/** backfill.c: move transfers of a stage into the schedule's last step, in which `used` channels are taken.  A
 * transfer may move if its sender held the block before that step.  Nothing moves unless the stage then needs fewer
 * channels.  `c` keeps the transfers that do not move.
 * @param[out] backfilled  the number of transfers moved */
rwa_status backfill_spare(rwa_schedule *sched, struct coloured *c, uint32_t used, const rwa_network *net,
                          const rwa_plan_options *o, struct budget *budget, uint64_t *backfilled, rwa_error *err);
