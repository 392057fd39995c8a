/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Candidates of the planner.  A candidate is either a scheme on one residual network, with a number of stripes, of
 * blocks per lightpath and a group, or a composition of plans for other collectives.
 */
#pragma once

#include "plan/composed.h"

/** The state of the work on a candidate; OUT: it is dropped. */
enum state { UNRATED, RATED, BUILT, CHECKED, OUT };

/** A plan whose time exceeds its limit by this factor rules out similar candidates. */
#define FAR 2.0

struct rating {
    double time_s;              /* under the cost model of the options; 0: not known */
    double least_s;             /* lower bound on the time; 0: not known */
    uint64_t steps, blocks;     /* of the plan timed by time_s; 0: not known */
    uint64_t lightpaths;        /* of the plan; 0: not built */
    double least_lightpaths;    /* lower bound on them; 0: not rated, or a composition */
    double records;             /* estimated number; infinite when they do not fit this machine */
    /* lightpaths that the checker visits: one for a whole orbit */
    double to_check;
    double bytes;               /* of memory for the schedule while it is built and for its check */
};

struct candidate {
    const struct scheme *scheme;            /* NULL: a composition, or the name of a composition */
    const struct sequence *composition;
    struct plan_task task;                  /* of the request */
    const struct residuals *residuals;
    const struct residual *residual;
    /* number that the message is cut into; 0: as the task, or the scheme, says */
    uint64_t blocks;
    rwa_plan_options opts;                  /* the caller's options with this candidate's load and group, for the
                                               residual network */
    /* with stripes: the network with the channels of one stripe; NULL: whole blocks */
    rwa_network *thin;
    /* the collective on the residual network; the one that the scheme plans: the same or its time reversal, in the
     * scheme's blocks */
    rwa_collective whole, forward;
    struct estimate estimate;
    rwa_cost_prices price;
    double below_s;                         /* only plans that take less time are wanted; 0: all */
    enum state state;
    struct rating rating;
    /* blocks per lightpath of its plan; as estimated until it is built, or 1 */
    uint32_t load;
    rwa_plan *plan;                         /* NULL: not built, or dropped; a plan without a schedule was refused */
};

/** Tell whether a scheme can plan on a residual network, with as many stripes as the options ask for. */
bool scheme_suits(const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o);
/** Validate the options, cut the message into blocks, and estimate the plan's size and time.  The state becomes RATED,
 * or OUT if the plan would be larger than the task allows.
 * @return RWA_OK; RWA_BADARG: options, stripes or blocks that the scheme does not support; RWA_NOMEM; RWA_CANCELLED */
rwa_status candidate_rate(struct candidate *k, rwa_error *err);
/** Build the candidate's quickest plan, without checking it.  A search only looks for plans that take less than
 * k->below_s seconds (0: no limit).  If a scheme finds none, *out has no schedule, and its report says why.  If a
 * composition finds none, *out is NULL. */
rwa_status candidate_build(rwa_plan **out, const struct candidate *k, rwa_error *err);
/** power_budget.c: check the candidate's plan.  If it fails for its power, replace it: first by plans with fewer
 * receivers per lightpath, then by plans without taps and with shorter lightpaths.  If none passes, *plan is refused
 * and says why.  Plans are replaced only on rings and lines, with a device, if the scheme can shorten its lightpaths;
 * otherwise only check, as plan_check() does. */
rwa_status fit_power_budget(rwa_plan **plan, const struct candidate *k, rwa_error *err);
/** Free the candidate and all that it owns. */
void candidate_free(struct candidate *k);
