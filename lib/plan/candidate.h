/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the planner chooses from.  A candidate is a recipe: a scheme on one residual network, with its stripes, blocks
 * on a lightpath and group; or a composition of plans for other collectives.
 */
#pragma once

#include "plan/composed.h"

/** What of a candidate is known, or that it is of no use any more. */
enum state { UNRATED, RATED, BUILT, CHECKED, OUT };

/** A plan that takes so many times the limit says that others like it are not worth a try. */
#define FAR 2.0

struct rating {
    double time_s;              /* under the cost model of the options; 0: not known */
    double least_s;             /* it takes no less; 0: not known */
    uint64_t steps, blocks;     /* of time_s; 0: not known */
    double records;             /* about so many; infinite when they do not fit this machine */
    /* lightpaths that the checker goes through; of whole orbits one, but in reductions all */
    double to_check;
    double bytes;               /* of the schedule while it is made, and of what its check keeps */
};

struct candidate {
    const struct scheme *scheme;            /* NULL: composed, or a composite name */
    const struct sequence *composition;
    struct plan_task task;                  /* the request's */
    const struct residuals *residuals;
    const struct residual *residual;
    /* into which the message is cut; 0: as many as the task, or the scheme, says */
    uint64_t blocks;
    rwa_plan_options opts;                  /* the caller's, with this load and group, on the residual network */
    /* stripes: the network with the channels of one stripe; NULL: the blocks are whole */
    rwa_network *thin;
    /* on the residual network; what the scheme plans, in its blocks: that, or in reverse that */
    rwa_collective whole, forward;
    struct estimate estimate;
    rwa_cost_prices price;
    double below_s;                         /* plans that take no less are of no interest; 0: all are */
    enum state state;
    struct rating rating;
    /* blocks on a lightpath of its plan; 1: before it is built, or never more */
    uint32_t load;
    rwa_plan *plan;                         /* NULL: not built, or dropped; without a schedule: refused */
};

/** Whether a scheme plans on a residual network with such a load. */
bool scheme_suits(const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o);
/** Validate, estimate, cut the message, rate: RATED, or OUT where its plan would be larger than the task wants.
 *  @return RWA_OK; RWA_BADARG: options, stripes or blocks that the scheme cannot have; RWA_NOMEM; RWA_CANCELLED */
rwa_status candidate_rate(struct candidate *k, rwa_error *err);
/** Its quickest plan below k->below_s, unchecked; refused, or NULL of a composition, when there is none. */
rwa_status candidate_build(rwa_plan **out, const struct candidate *k, rwa_error *err);
/** power_budget.c: check a plan of the candidate; in place of one that fails its device's limits the one with the most
 *  receivers of a lightpath that passes, or else without taps the one with the longest lightpaths that do; when none
 *  does, one that says why.  As plan_check() unless the scheme can shorten and there is a device. */
rwa_status fit_power_budget(rwa_plan **plan, const struct candidate *k, rwa_error *err);
/** Free all that it owns, and itself. */
void candidate_free(struct candidate *k);
/** Into how many blocks the scheme cuts the message, stripes not counted. */
uint64_t candidate_blocks(const struct candidate *k);
