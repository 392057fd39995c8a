/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stages become steps: directions, routes and channels for the transfers of a stage, and lightpaths appended to the
 * schedule. */
#pragma once

#include "rwa/assign.h"
#include "rwa/schedule.h"

#include "base/base.h"
#include "delivery/exchange_load.h"
#include "scheme/scheme.h"

/** A stage whose transfers have directions, clockwise ones first, and colours. */
struct coloured {
    struct transfers t;
    uint32_t *known;            /* colours by construction; NULL without */
    uint32_t *colour;
    size_t clockwise;
    rwa_assignment *routes;  /* where links are listed, else NULL */
    uint32_t wavelengths, bound;
    const char *solver;
};

void coloured_free(struct coloured *c);

/** route.c: choose directions and bring the clockwise transfers to the front, so that each direction is one plain
 * problem. */
rwa_status route_stage(struct coloured *c, rwa_error *err);

/** colour.c: give every lightpath of a routed stage a colour. */
rwa_status colour_stage(struct coloured *c, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/** pack.c: append a stage to the schedule, W colours a step, behind its last step; or, where `used` > 0 channels of
 * that are taken, what fits its spare ones. */
rwa_status pack_stage(rwa_schedule *sched, const struct coloured *c, uint32_t used, const rwa_network *net,
                      struct budget *budget, rwa_error *err);

/** exchange.c: route, colour and append an exchange, or refuse; `figures`: its lightpaths, channels and their bound. */
rwa_status pack_exchange(rwa_schedule *sched, struct coloured *figures, const struct exchange *exchange,
                         const struct distances *distances, const struct plan_request *request, rwa_error *err);

/** rows.c: the row of a stage about rows as a network by itself, a ring or a line; *out stays NULL for other stages. */
rwa_status row_network(rwa_network **out, const struct stage_rows *rows, const rwa_network *net, rwa_error *err);
/** How many rows do what the stage says: 1 where it is not about rows. */
uint32_t row_count(const struct stage_rows *rows, const rwa_network *net);
/** Append a lightpath of a stage, for every row. */
rwa_status row_add(rwa_schedule *sched, const struct stage_rows *rows, const rwa_lightpath *lp, rwa_error *err);

/** pack.c: the numbers of lightpaths by step, `channels` colours each, and ascending in a step; counting sort.  *order:
 *  caller frees,
 *  also on failure */
rwa_status order_by_step(uint32_t **order, const uint32_t *colour, size_t count, uint32_t channels, rwa_error *err);

/** colour.c: the options of a plan that wavelength solvers read. */
rwa_solver_options solver_options(const rwa_plan_options *o);

/** graph_stage.c: route and colour a stage on a network that lists its links; or refuse. */
rwa_status graph_stage(struct coloured *c, const struct plan_request *request, rwa_error *err);

/**
 * backfill.c: move transfers whose senders held their blocks before the last step into its spare channels (`used` are
 * taken), if the stage then needs fewer channels: it may end a step earlier, or leave more channels spare itself.  `c`
 * keeps the other transfers; *backfilled counts the moved ones.
 */
rwa_status backfill_spare(rwa_schedule *sched, struct coloured *c, uint32_t used, const rwa_network *net,
                          const rwa_plan_options *o, struct budget *budget, uint64_t *backfilled, rwa_error *err);
