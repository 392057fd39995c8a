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

/** pack.c: append a stage after the last step of the schedule; each step has as many colours as the network has
 * channels. If used > 0, that many channels of the last step are taken already; then add only the lightpaths that fit
 * its spare channels. */
rwa_status pack_stage(rwa_schedule *sched, const struct coloured *c, uint32_t used, const rwa_network *net,
                      struct budget *budget, rwa_error *err);

/** exchange.c: route an exchange, give its lightpaths channels, and append them to the schedule.  Refuses by
 * scheme_refuse() if a node cannot be reached within max_hops, or if the exchange adds up sums, so that all its
 * transfers must be in one step, and needs more channels than a step has.
 * @param figures receives the numbers of its lightpaths and channels, and a lower bound on the latter */
rwa_status pack_exchange(rwa_schedule *sched, struct coloured *figures, const struct exchange *exchange,
                         const struct distances *distances, const struct plan_request *request, rwa_error *err);

/** rows.c: create one row of the grid on which a stage works, as a network of its own, a ring or a line; *out stays
 * NULL for other stages. */
rwa_status row_network(rwa_network **out, const struct stage_rows *rows, const rwa_network *net, rwa_error *err);
/** Return the number of rows that carry out the stage; 1 if it is not on rows. */
uint32_t row_count(const struct stage_rows *rows, const rwa_network *net);
/** Append a lightpath of a stage to the schedule, once for every row. */
rwa_status row_add(rwa_schedule *sched, const struct stage_rows *rows, const rwa_lightpath *lp, rwa_error *err);

/** pack.c: list the lightpaths by step (`channels` colours each), ascending within a step, by counting sort.
 * @param[out] order caller frees, also on failure */
rwa_status order_by_step(uint32_t **order, const uint32_t *colour, size_t count, uint32_t channels, rwa_error *err);

/** colour.c: return the options for wavelength solvers that are part of the options of a plan. */
rwa_solver_options solver_options(const rwa_plan_options *o);

/** graph_stage.c: give each transfer of the stage in `c` a route and a channel, on a network that lists its links.
 * Refuses by scheme_refuse() if the network has parallel, failed or reserved links, or a transfer finds no route; the
 * errors are those of rwa_assignment_make(). */
rwa_status graph_stage(struct coloured *c, const struct plan_request *request, rwa_error *err);

/** backfill.c: move transfers into the spare channels of the last step, of which `used` are taken.  A transfer may move
 * if its sender held the block before that step; transfers are only moved if the stage then needs fewer channels.  The
 * stage may thus end a step earlier, or itself leave more spare channels. `c` keeps the other transfers; *backfilled
 * counts the moved ones. */
rwa_status backfill_spare(rwa_schedule *sched, struct coloured *c, uint32_t used, const rwa_network *net,
                          const rwa_plan_options *o, struct budget *budget, uint64_t *backfilled, rwa_error *err);
