/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The way of a plan: request -> networks to plan on -> a queue of candidates (rate, build, check) -> report. */
#pragma once

#include "rwa/assign.h"
#include "rwa/plan.h"

#include "base/base.h"
#include "plan/residual/residual.h"
#include "scheme/memo.h"
#include "scheme/scheme.h"

enum { ALTERNATIVES_MAX = 128 };
/** Sums of the same times in another order differ by less, relatively. */
#define ROUNDING 1e-9

struct rwa_plan {
    rwa_plan_report summary;
    rwa_stage stage[RWA_STAGES_MAX];                    /* the first of summary.stages */
    rwa_alternative alternative[ALTERNATIVES_MAX];      /* summary.alternatives of them */
    rwa_check_report check;     /* summary.check points here */
    rwa_schedule *schedule;     /* NULL: refused, and summary.why says why */
    rwa_cost_options cost;      /* the model that the plan was timed in; struct_size 0: not timed yet */
};

/** The request to the planner.  Everything is borrowed; the options are complete and checked. */
struct plan_task {
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_plan_options *opts;
    const uint32_t *number;     /* of each node in messages; NULL: its own */
    struct memo *memo;          /* of the caller's request; NULL: none */
    double below_s;             /* only plans that take less are of interest; 0: all */
    double lightpaths_most;     /* only plans of no more lightpaths, orbits written out, are of interest; 0: all */
    double records_most;        /* the same for records, in place of lightpaths_most; 0: all */
    struct deadline *deadline;  /* NULL: none; without a limit it never passes */
};

/* ---- deadline.c: the end of the time that a caller gives to a whole plan: planning, bounds and the check ---- */

struct deadline {
    rwa_poll poll;              /* the caller's */
    void *data;
    double limit_s, begin_s;
    double first_s;             /* from the beginning until the first plan was timed; 0: there is none yet */
    bool passed;                /* work was stopped by it */
    bool stopped;               /* work was stopped by the caller */
};

/** The shorter of two limits in seconds; 0: none. */
double shorter_limit(double one_s, double other_s);

/** opts->poll becomes the deadline's: once the caller's has stopped the work it is not asked again.  With
 *  opts->time_limit_s all that polls stops in time; half of it is left there, for searches.  `d` must outlive the
 *  options. */
void deadline_begin(struct deadline *d, rwa_plan_options *opts);

/** The deadline's poll without its limit. */
int deadline_poll_caller(void *deadline, const char *phase, double fraction);

/** Note that a plan was timed: the first one counts.  Nothing where d is NULL. */
void deadline_note_plan(struct deadline *d);
/** Whether all the time is over. */
bool deadline_passed(const struct deadline *d);
/** Whether a status says that work was given up for want of time: the deadline passed, or a part of the time was too
 *  short for a part of the work. */
bool deadline_ended(const struct deadline *d, rwa_status st);
/** Whether it says so of a limit to the work on one scheme, and the caller does not stop the planning. */
bool work_was_limited(const rwa_plan_options *opts, rwa_status st);
/** RWA_CANCELLED, with the words that no plan was found in time, where deadline_ended(); other statuses as they are. */
rwa_status deadline_explain(const struct deadline *d, rwa_status st, rwa_error *err);

/* ---- plan.c ---- */

/** rwa_plan_make() without refusing options that the scheme asked for does not read. */
rwa_status plan_leniently(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_plan_options *opts, rwa_error *err);
/** An empty plan by a scheme of this name, which is borrowed.  RWA_NOMEM */
rwa_status plan_create(rwa_plan **out, const char *scheme, rwa_error *err);
/** The outcome is INFEASIBLE, and the schedule goes. */
void plan_refuse(rwa_plan *plan);
/** Put another schedule in place of the plan's. */
void plan_replace_schedule(rwa_plan *plan, rwa_schedule *schedule);
/** Bytes of a collective's message; where it names none, as one from a file, those that its blocks make up. */
uint64_t plan_message_bytes(const rwa_collective *coll);
/** Whether the plan has a schedule that takes less time than the other's, or the other has none. */
bool plan_takes_less(const rwa_plan *plan, const rwa_plan *than);
/** Keep the other plan if it is better, and free the one that is not kept; either may be NULL. */
void plan_keep_one(rwa_plan **kept, rwa_plan *other, bool better);

/* ---- fitting.c: which schemes ---- */

/** Whether the choice among schemes is left to the planner. */
bool scheme_is_open(const rwa_plan_options *o);
/** The capabilities of the network, and of a path where failed links or members may leave one of a cycle; `o` may be
 * NULL. */
unsigned capabilities_left(const rwa_network *net, const rwa_plan_options *o);
/** Whether the scheme does the collective on the network, or on what may be left of it; `o` may be NULL. */
bool scheme_fits(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                 const rwa_plan_options *o);
/** The first scheme for the collective on the network that puts several blocks on a lightpath; NULL: there is none. */
const struct scheme *merging_scheme(const rwa_network *net, const rwa_collective *coll);
/** Whether it is the scheme asked for, or any is, and it fits. */
bool scheme_is_wanted(const struct scheme *scheme, const struct plan_task *t);
/** The first scheme that is wanted; NULL: none. */
const struct scheme *wanted_scheme(const struct plan_task *t);
/** RWA_BADARG, with the reason why no scheme is wanted. */
rwa_status refuse_scheme(const struct plan_task *t, rwa_error *err);

/** The canonical network; the network as it stands where only that suits the scheme asked for, or the number of
 * blocks. */
const rwa_network *network_to_plan(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);

/* ---- unread_options.c ---- */

/** Refuse an option that is given and not read by the scheme asked for, or with "auto" by any, or by none together.
 * RWA_BADARG */
rwa_status options_refuse_unread(const struct plan_task *task, rwa_error *err);
/** Refuse all that is given but the options `but` (bits READS_…), where no scheme is at work: `what` does not read
 * them. */
rwa_status options_refuse_but(unsigned but, const char *what, const rwa_plan_options *o, rwa_error *err);
/** Whether an option is given that shapes a plan. */
bool options_shape(const rwa_plan_options *o);
/** Whether the scheme reads all given options that shape a plan: "auto" chooses among no others. */
bool scheme_reads_shape(const struct scheme *scheme, const struct plan_task *task);

/* ---- size.c ---- */

/** Lightpaths that the checker goes through within a patient hour. */
#define MOST_TO_CHECK 2147483648.0
/** The fewest lightpaths any schedule has: one for each block at each node that receives it or sends it. */
double least_lightpaths(const rwa_collective *coll);
/** Of the holdings that the checker keeps. */
double bytes_to_check(const rwa_collective *coll);
/** Whether the checker follows whole orbits at one node: of reductions it then keeps the contributions to every
 * block. */
bool is_checked_at_one_node(const rwa_collective *coll);
/** Whether the caller's time is limited. */
bool task_has_limit(const struct plan_task *t);
/** Whether the quickest plan may still be refused, so that slower ones count. */
bool task_may_refuse(const struct plan_task *t);
/** Pairs of a signal and a ring that it may reach, at most all in its direction and fibre of the step, and all that its
 *  route passes: what following all signals takes; 0 without a device. */
double task_lit_pairs(const struct plan_task *t, const rwa_schedule *sched);
/** Refuse at once a collective of more lightpaths than the checker goes through, on a network where orbits do not stand
 *  for them. RWA_BADARG */
rwa_status task_refuse_size(const struct plan_task *task, rwa_error *err);
/** Whether the caller chose the number of blocks: it may not fit one scheme, and fit another. */
bool chose_blocks(const rwa_collective *coll);

/* ---- queue.c, power_budget.c ---- */

/** Keep the alternative with fewer steps, of equally many the quicker; one without a scheme is none. */
void plan_note_fewest(rwa_plan_report *sum, rwa_alternative met);

/** The checked plan of the scheme asked for, which may be a composition's name; with "auto" the quickest under the
 *  caller's cost model. With task->below_s the quickest, checked only where a limit may refuse it, or NULL: none takes
 *  less. */
rwa_status plan_quickest(rwa_plan **out, const struct plan_task *task, rwa_error *err);

/** Hops of the longest lightpath of a schedule on arcs.  O(records). */
uint32_t plan_longest_hops(const rwa_schedule *sched);
/** In the models `circuit` and `overlap`, with a device: cut epochs whose rings, tuned together, leave a lightpath too
 *  little power; the longest that passes first.  The times of the plan become those with the cuts. */
rwa_status cut_epochs_for_power(rwa_plan *plan, const rwa_plan_options *o, rwa_error *err);

/* ---- composed.c ---- */

/** Whether a scheme asked for is the name of a plan made of others (composed.h); NULL is not. */
bool is_composite_name(const char *scheme);

/** The first `steps` steps of a schedule behind the last one of `to`, whose blocks are equal parts of its own.  once:
 *  orbits are written
 *  out.  RWA_NOMEM */
rwa_status schedule_append_steps(rwa_schedule *to, const rwa_schedule *from, uint32_t steps, bool once, rwa_error *err);
/** A schedule of `whole` on `net`: the first `steps` steps of one, then another; *out stays as it is where that would
 * be too large. */
rwa_status schedule_join(rwa_schedule **out, const rwa_network *net, const rwa_collective *whole, const char *name,
                         const rwa_schedule *first, uint32_t steps, const rwa_schedule *last, bool once,
                         rwa_error *err);

/* ---- verdict.c ---- */

/** The steps, and the time under the model `paper` and under the one asked for; the verdict adds the other models. */
rwa_status plan_times(rwa_plan_report *sum, const rwa_schedule *sched, const rwa_cost_options *asked, rwa_error *err);
/** No plan of the task takes less time. */
rwa_status task_least_time(double *seconds, const struct plan_task *t, rwa_error *err);
/** The independent check, the bound and the limits of a plan with a schedule.  A schedule that breaks a limit stays,
 *  with the outcome INFEASIBLE.  RWA_BACKEND when the checker finds a mistake */
rwa_status plan_verdict(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);
/** The same, unless the plan is refused already; what breaks a limit is refused. */
rwa_status plan_check(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/** Check the schedule of a checked plan once more, after it was mapped to another network, and its limits; what breaks
 *  one is refused. */
rwa_status plan_check_mapped(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/* ---- sink.c: stages become steps of a schedule, by lib/plan/pack ---- */

/** Run a scheme; its stages are appended to plan->schedule and noted in the summary.
 *  @return RWA_OK, also when request->why says why there is no plan; what the scheme returns */
rwa_status build_stages(rwa_plan *plan, const struct scheme *scheme, const struct plan_request *request,
                        rwa_error *err);

/* ---- transforms ---- */

/** time_reversal.c: the collective that in reverse is this one: all-gather for all-reduce and reduce-scatter, scatter
 *  for gather, broadcast for reduce. */
rwa_collective_kind forward_kind(rwa_collective_kind kind);
/** Reverse a plan of the forward collective into one of `coll` on `net`; an all-reduce then continues with `onward`,
 *  which may be the plan itself. */
rwa_status reverse_plan(rwa_plan *plan, const rwa_plan *onward, const rwa_network *net, const rwa_collective *coll,
                        rwa_error *err);

/**
 * restrict.c: the part of a schedule that carries out a collective which the schedule's own contains or is, with its
 * network, its lightpaths and its blocks, under another name.
 * @param coll     how its message is cut is not read
 * @param[out] out  NULL before; stays NULL where the schedule's blocks are no blocks of the collective
 * @return RWA_OK; RWA_NOMEM.  Cost O(blocks of all lightpaths + participants * blocks)
 */
rwa_status restrict_schedule(rwa_schedule **out, const rwa_schedule *outer, const rwa_collective *coll,
                             const char *name, rwa_error *err);

/** stripes.c: the most stripes of a block. */
uint32_t stripes_most(const rwa_network *net);
/** The network with the channels of one of `stripes` stripes.  RWA_BADARG: links failed, channels reserved, no links,
 * too many stripes */
rwa_status thin_network(rwa_network **out, const rwa_network *net, uint32_t stripes, rwa_error *err);
/** A plan on a thin network becomes one of whole blocks of `coll` on `net`, all stripes side by side. */
rwa_status widen_plan(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll, uint32_t stripes,
                      rwa_error *err);
