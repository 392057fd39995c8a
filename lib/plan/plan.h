/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The line a stage walks down: transfers -> routes -> colours -> steps of the schedule. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "rwa/plan.h"

#include "base/base.h"
#include "scheme/scheme.h"

#include <math.h>

struct rwa_plan {
    rwa_plan_report summary;
    rwa_check_report check;     /* summary.check points here */
    rwa_schedule *schedule;
    bool unsuited;              /* refused unseen: the scheme is none for what is left of the network */
};

/** A stage whose transfers have directions, clockwise ones first, and colours. */
struct coloured {
    struct stage stage;
    uint32_t *known;        /* colours by construction; NULL without */
    uint32_t *colour;
    size_t clockwise;
    uint32_t wavelengths, bound;
    const char *solver;
};

void coloured_free(struct coloured *c);

/** route.c: choose directions and bring the clockwise transfers to the front, so that each is one plain problem. */
rwa_status route_stage(struct coloured *c, rwa_error *err);
/** The most lightpaths of a routed stage over one link and direction; `change` has room for 2 * nodes + 2. */
uint64_t route_load(const struct coloured *c, uint32_t nodes, int64_t *change);

/** colour.c: give every lightpath of a routed stage a colour. */
rwa_status colour_stage(struct coloured *c, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/** pack.c: append a stage to the schedule, W colours a step. */
rwa_status pack_stage(rwa_schedule *sched, const struct coloured *c, const rwa_network *net, rwa_error *err);
/** Append the lightpaths whose colour is below `colours` to the last step, above its `used` channels. */
rwa_status pack_spare(rwa_schedule *sched, const struct coloured *c, uint32_t used, uint32_t colours,
                      const rwa_network *net, rwa_error *err);
/** rows.c: the row of a stage about rows as a network by itself, a ring or a line; *out stays NULL for other stages. */
rwa_status row_network(rwa_network **out, const struct stage_rows *rows, const rwa_network *net, rwa_error *err);
/** How many rows do what the stage says: 1 where it is not about rows. */
uint32_t row_count(const struct stage_rows *rows, const rwa_network *net);
/** Append a lightpath of a stage, for every row. */
rwa_status row_add(rwa_schedule *sched, const struct stage_rows *rows, const rwa_lightpath *lp, rwa_error *err);

/** listed.c: route, colour and append a stage on a network that lists its links, W waves a step; or refuse. */
rwa_status listed_stage(rwa_schedule *sched, struct coloured *c, const struct scheme_request *request, rwa_error *err);

/** Append the finished records of a stage. */
rwa_status pack_records(rwa_schedule *sched, const struct stage *stage, rwa_error *err);

/**
 * borrow.c: send in the spare channels of the last step (of which `used` are taken) what its senders already held
 * before the stage now ending, when that leaves this stage fewer channels to need: it may end a step earlier, or have more
 * to lend itself.  `c` keeps the rest; *borrowed counts what went.
 */
rwa_status borrow_spare(rwa_schedule *sched, struct coloured *c, uint32_t used, const rwa_network *net,
                        const rwa_plan_options *o, uint64_t *borrowed, rwa_error *err);

/** pick.c: the scheme that was asked for, or with "auto" the first of the table from *at on that does the collective on the
 *  network; *at moves past it.  RWA_BADARG when there is none (left). */
rwa_status pick_scheme(const struct scheme **out, size_t *at, const rwa_network *net, const rwa_collective *coll,
                       const rwa_plan_options *o, rwa_error *err);

/** The canonical network; the network as it stands where only that suits the scheme asked for, or the number of blocks. */
const rwa_network *network_to_plan(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);

/** The kinds of network, as bits, that may be left of this one: of a ring a line too. */
unsigned kinds_left(const rwa_network *net, const rwa_plan_options *o);
/** Whether the scheme does the collective on the network, or on what may be left of it; `o` may be NULL. */
bool scheme_fits(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);

/** settings.c: refuse what is given and not read by the scheme asked for, or with "auto" by any, or by none together.  RWA_BADARG */
rwa_status settings_refuse(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o, rwa_error *err);
/** Refuse all that is given but the settings `but` (bits READS_RADIX …), where no scheme is at work: `what` reads them not. */
rwa_status settings_refuse_but(unsigned but, const char *what, const rwa_plan_options *o, rwa_error *err);
/** Whether the scheme reads all that shapes a plan and is given: others are none for "auto". */
bool settings_suit(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);

/** The first scheme for the collective on the network that takes several blocks onto a lightpath; NULL: there is none. */
const struct scheme *merging_scheme(const rwa_network *net, const rwa_collective *coll);

/** Whether the choice among schemes is left to the planner. */
bool scheme_is_open(const rwa_plan_options *o);

/** choose.c: the scheme's tuning with the fewest steps, by really building the stages of the promising ones. */
rwa_status choose_tuning(struct tuning *best, const struct scheme *scheme, const struct scheme_request *request,
                         rwa_error *err);

/** reverse.c: the collective that, run backwards, is this one: all-gather for reductions, scatter for gather. */
rwa_collective_kind forward_kind(rwa_collective_kind kind);
/** Turn a plan of the forward collective into one of `coll`; an all-reduce then goes on with `onward`, which may be the
 *  plan itself. */
rwa_status reverse_plan(rwa_plan *plan, const rwa_plan *onward, const rwa_collective *coll, rwa_error *err);

/** build.c: build with one scheme, without judging more than its times; a refusal is an answer too (outcome INFEASIBLE).
 *  max_hops takes the place of the option. */
rwa_status plan_build(rwa_plan **out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                      const rwa_plan_options *o, uint32_t max_hops, rwa_error *err);
/** outlook.c: what is known of a plan before it is built. */
struct outlook {
    double records;         /* about so many; infinite when they do not fit this machine */
    double to_check;        /* lightpaths, or orbits of which one stands for all */
    uint64_t steps;         /* by a closed form; 0: there is none, and the rest is not known either */
    uint64_t blocks;
    double time_s;          /* under the cost model of the options */
};
void plan_outlook(struct outlook *out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                  const rwa_plan_options *o);
/** Into how many blocks the scheme cuts the message when nobody says it, not in stripes; 0: it plans on none of what is left. */
uint64_t plan_blocks(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);
/** Whether the caller chose the number of blocks: it may not fit one scheme, and fit another. */
bool chose_blocks(const rwa_collective *coll);
/** stripe.c: the same with o->stripes > 1. */
rwa_status stripe_build(rwa_plan **out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                        const rwa_plan_options *o, uint32_t max_hops, rwa_error *err);
void stripe_outlook(struct outlook *out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                    const rwa_plan_options *o);
/** plan.c: judge what was built, unless it is refused already; what breaks a limit is refused. */
rwa_status plan_judge(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);
/** There is no such plan: the outcome is INFEASIBLE, and the schedule goes. */
void plan_refuse(rwa_plan *plan);

/** plan.c: rwa_plan_make() without settings_refuse(): a scheme that was asked for leaves aside what it does not read. */
rwa_status plan_leniently(rwa_plan **out, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *opts,
                          rwa_error *err);

/** auto.c: the judged plan of the scheme asked for; with "auto" the quickest under the caller's cost model. */
rwa_status quickest_plan(rwa_plan **out, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o,
                         rwa_error *err);

/** shorten.c: judge a plan, or in place of one that fails its device's limits the one with the most readers of a lightpath
 *  that passes, or else without taps the one with the longest lightpaths that do; when none does, one that says why.  As
 *  plan_judge() unless the scheme can shorten and there is a device. */
rwa_status judge_shortened(rwa_plan **plan, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                           const rwa_plan_options *o, rwa_error *err);

/** rivals.c: sort what else was built by its time, and find which is quickest for which message size; `group`: the plan's own,
 *  as in rwa_alternative. */
void compare_rivals(rwa_plan_report *sum, const rwa_network *net, const rwa_collective *coll,
                    const rwa_cost_options *cost, uint32_t group);

/** judge.c: the time under both cost models. */
rwa_status judge_times(rwa_plan_report *sum, const rwa_schedule *sched, const rwa_cost_options *asked, rwa_error *err);
/** The independent verdict, the bound and the limits of a finished schedule. */
rwa_status judge_plan(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o,
                      rwa_error *err);

/** Check a schedule once more that was mapped to another network, and its limits. */
rwa_status judge_mapped(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

#endif
