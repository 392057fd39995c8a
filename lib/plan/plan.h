/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The main data flow of planning: request -> networks to plan on -> queue of candidates (rate, build, check) ->
 *  report. */
#pragma once

#include "rwa/assign.h"
#include "rwa/plan.h"

#include "base/base.h"
#include "plan/residual/residual.h"
#include "plan/steps.h"
#include "scheme/memo.h"
#include "scheme/scheme.h"

enum { ALTERNATIVES_MAX = 128, LEFT_OUT_MAX = 32 };
/** Relative tolerance for comparing times: sums of the same terms in another order differ by less. */
#define ROUNDING 1e-9

struct rwa_plan {
    rwa_plan_report summary;
    rwa_stage stage[RWA_STAGES_MAX];                    /* the first of summary.stages */
    rwa_alternative alternative[ALTERNATIVES_MAX];      /* summary.alternatives of them */
    rwa_left_out left_out[LEFT_OUT_MAX];                /* of `left_outs` schemes */
    size_t left_outs;
    rwa_check_report check;     /* summary.check points here */
    rwa_schedule *schedule;     /* NULL: refused, and summary.why says why */
    rwa_schedule *refused;      /* the schedule before plan_refuse(); NULL: there was none */
    bool lacks_power;           /* refused for its optical power alone */
    char bound_proof[RWA_ERROR_TEXT];   /* of summary.bound: bound_best_for() */
    char time_proof[RWA_ERROR_TEXT];    /* of summary.time_bound_s: rwa_bound_time() */
    rwa_cost_options cost;      /* the model that the plan is timed in; struct_size 0: not timed yet */
};

/** The request to the planner.  All pointers are borrowed; the options are complete and validated. */
struct plan_task {
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_plan_options *opts;
    const uint32_t *number;     /* of each node, its number in messages; NULL: the node itself */
    struct memo *memo;          /* results kept for the caller's request; NULL: none */
    double below_s;             /* only plans that take less time are wanted; 0: all */
    double lightpaths_most;     /* only plans of at most so many lightpaths, orbits written out, are wanted; 0: all */
    double records_most;        /* limit on records in place of lightpaths_most; 0: none */
    struct deadline *deadline;  /* NULL: none; a deadline without a limit never passes */
};

/* ---- deadline.c: the deadline of a whole plan, with its bounds and its check ---- */

struct deadline {
    rwa_poll poll;              /* the caller's */
    void *data;
    double limit_s, begin_s;
    double first_s;             /* seconds from the beginning until the first plan was timed; 0: no plan yet */
    bool passed;                /* the deadline has stopped work */
    bool stopped;               /* the caller has stopped work */
};

/** Start a deadline for a whole plan.  It replaces opts->poll by a poll that stops all work opts->time_limit_s seconds
 * after the start, or when the caller's own poll asks to stop; the latter is then not called again.  It also halves
 * opts->time_limit_s, the time for searches. `d` must outlive the options. */
void deadline_begin(struct deadline *d, rwa_plan_options *opts);

/** Poll the caller only, and ignore the time limit. */
int deadline_poll_caller(void *deadline, const char *phase, double fraction);

/** Note that a plan was timed; only the first call for a deadline counts. d may be NULL. */
void deadline_note_plan(struct deadline *d);
/** Tell whether a poll has found the time limit exceeded. */
bool deadline_passed(const struct deadline *d);
/** Tell whether the status says that work was given up for lack of time: the deadline has passed, or a share of the
 * time was too short for a part of the work. */
bool deadline_ended(const struct deadline *d, rwa_status st);
/** Tell whether the status says that the limit on one scheme's work was reached, and the caller has not asked to
 * stop. */
bool work_was_limited(const rwa_plan_options *opts, rwa_status st);
/** Return RWA_CANCELLED, with the message that no plan was found in time, if deadline_ended(); otherwise return
 * `st`. */
rwa_status deadline_explain(const struct deadline *d, rwa_status st, rwa_error *err);

/* ---- plan.c ---- */

/** Make a plan as rwa_plan_make() does, but options that the chosen scheme does not read are no error. */
rwa_status plan_leniently(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_plan_options *opts, rwa_error *err);
/** Create an empty plan with the name of its scheme, which is borrowed.  RWA_NOMEM */
rwa_status plan_create(rwa_plan **out, const char *scheme, rwa_error *err);
/** Set the plan's outcome to INFEASIBLE, and keep its schedule as refused. */
void plan_refuse(rwa_plan *plan);
/** Replace the plan's schedule; the plan owns the new one. */
void plan_replace_schedule(rwa_plan *plan, rwa_schedule *schedule);
/** Tell whether the plan has a schedule and takes less time than the other plan, or the other has no schedule. */
bool plan_takes_less(const rwa_plan *plan, const rwa_plan *than);
/** Replace *kept by `other` if `better`, and free the plan that is not kept; either may be NULL. */
void plan_keep_one(rwa_plan **kept, rwa_plan *other, bool better);

/* ---- fitting.c: which schemes ---- */

/** Tell whether the caller leaves the choice of a scheme to the planner. */
bool scheme_is_open(const rwa_plan_options *o);
/** Return the capabilities of the network, and also those of a path if failed links or members may turn a cycle into a
 * path. `o` may be NULL. */
unsigned capabilities_left(const rwa_network *net, const rwa_plan_options *o);
/** Tell whether the scheme plans the collective on the network, or on what failures and members may leave of it; `o`
 * may be NULL. */
bool scheme_fits(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                 const rwa_plan_options *o);
/** Tell whether the scheme fits the task, and is the one asked for or any scheme will do. */
bool scheme_is_wanted(const struct scheme *scheme, const struct plan_task *t);
/** Return RWA_BADARG, with the reason why no scheme is wanted. */
rwa_status refuse_scheme(const struct plan_task *t, rwa_error *err);

/** Return the network to plan on: the canonical form, or the network itself if only that suits the scheme asked for or
 * the number of blocks. */
const rwa_network *network_to_plan(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);

/* ---- unread_options.c ---- */

/** Refuse a given option that the scheme asked for does not read.  With "auto", refuse an option that no scheme reads,
 * and given options that no scheme reads together.  RWA_BADARG */
rwa_status options_refuse_unread(const struct plan_task *task, rwa_error *err);
/** Refuse every given option except those in `but` (bits READS_…), where no scheme is used; the message says that
 * `what` does not read them.  RWA_BADARG */
rwa_status options_refuse_but(unsigned but, const char *what, const rwa_plan_options *o, rwa_error *err);
/** Tell whether the caller gave an option that shapes a plan: radices, stages, group, last_exchange or split_steps. */
bool options_shape(const rwa_plan_options *o);
/** Tell whether the scheme reads all given options that shape a plan; "auto" chooses only among such schemes. */
bool scheme_reads_shape(const struct scheme *scheme, const struct plan_task *task);

/* ---- size.c ---- */

/** Largest number of lightpaths that the checker visits within an acceptable time, about an hour. */
#define MOST_TO_CHECK 2147483648.0
/** Return a lower bound on the lightpaths of any schedule: one for each block at each node that receives or sends
 * it. */
double least_lightpaths(const rwa_collective *coll);
/** Return the memory, in bytes, of the blocks that the checker records at each node. */
double bytes_to_check(const rwa_collective *coll);
/** Tell whether the checker may follow whole orbits at one node only.  For reductions it keeps the contributions to
 * every block at that node, which limits their size. */
bool is_checked_at_one_node(const rwa_collective *coll);
/** Tell whether the caller limits the planning time. */
bool task_has_limit(const struct plan_task *t);
/** Tell whether the quickest plan may still be refused, so that slower plans must be kept. */
bool task_may_refuse(const struct plan_task *t);
/** Return an upper bound on the (signal, ring) pairs that are visited when all signals are followed; 0 without a
 * device.  A signal meets at most all lightpaths in its direction and fibre of the step, and at most all rings that its
 * route passes. */
double task_lit_pairs(const struct plan_task *t, const rwa_schedule *sched);
/** Refuse early a collective with more lightpaths than the checker can visit, on a network where orbits cannot stand
 * for them.  RWA_BADARG */
rwa_status task_refuse_size(const struct plan_task *task, rwa_error *err);
/** Tell whether the caller chose the number of blocks, which may fit one scheme and not another. */
bool chose_blocks(const rwa_collective *coll);

/* ---- queue.c, power_budget.c ---- */

/** Keep in sum->fewest the alternative with the fewest steps, of equals the quickest.  An alternative without a scheme
 * is ignored. */
void plan_note_fewest(rwa_plan_report *sum, rwa_alternative met);

/** Make the plan of the scheme asked for, which may be the name of a composition; with "auto", the quickest plan in the
 * caller's cost model.  It is checked.  If task->below_s is set, *out is the quickest plan below it, or NULL; it is
 * then checked only if a limit may refuse it. */
rwa_status plan_quickest(rwa_plan **out, const struct plan_task *task, rwa_error *err);

/** Return the hops of the longest lightpath of a schedule on a ring or line.  O(records). */
uint32_t plan_longest_hops(const rwa_schedule *sched);
/** Cut epochs (steps that share a reconfiguration) in which a lightpath gets too little power because all rings of the
 * epoch are tuned together; in the models `circuit` and `overlap`, with a device.  The longest epochs that pass are
 * tried first.  The plan's times are updated. */
rwa_status cut_epochs_for_power(rwa_plan *plan, const rwa_plan_options *o, rwa_error *err);

/* ---- composed.c ---- */

/** Tell whether a scheme name (NULL: no) is the name of a composition (composed.h). */
bool is_composite_name(const char *scheme);

/** Create a schedule of the collective `whole` on `net`: the first `steps` steps of `first`, then `last`. *out is
 * unchanged if that would be too large.
 * @param once  write out orbits */
rwa_status schedule_join(rwa_schedule **out, const rwa_network *net, const rwa_collective *whole, const char *name,
                         const rwa_schedule *first, uint32_t steps, const rwa_schedule *last, bool once,
                         rwa_error *err);

/* ---- verdict.c ---- */

/** Compute the steps, and the time in the model `paper` and in the one asked for; the verdict adds the other models. */
rwa_status plan_times(rwa_plan_report *sum, const rwa_schedule *sched, const rwa_cost_options *asked, rwa_error *err);
/** Compute a lower bound on the time of any plan of the task. */
rwa_status task_least_time(double *seconds, const struct plan_task *t, rwa_error *err);
/** Check a plan with a schedule independently, and its limits.  A schedule that exceeds one is kept, with the outcome
 * INFEASIBLE.  RWA_BACKEND: the checker found a mistake */
rwa_status plan_check_limits(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);
/** Check a plan as plan_check_limits() does, and compute its bounds. */
rwa_status plan_verdict(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);
/** Check a plan as plan_verdict() does, unless it is refused already; refuse it if it exceeds a limit. */
rwa_status plan_check(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/** Check the schedule of a checked plan again, with its limits, after it was mapped to another network; refuse the plan
 * if it exceeds a limit. */
rwa_status plan_check_mapped(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/* ---- sink.c: stages of a scheme become steps of a schedule, by lib/plan/pack ---- */

/** Run a scheme.  Its stages are appended to plan->schedule and noted in the summary.
 * @return RWA_OK, also when request->why says why there is no plan; else the scheme's error */
rwa_status build_stages(rwa_plan *plan, const struct scheme *scheme, const struct plan_request *request,
                        rwa_error *err);

/* ---- transforms ---- */

/** time_reversal.c: return the collective whose time reversal is this one: all-gather for all-reduce and
 * reduce-scatter, scatter for gather, broadcast for reduce.  Other kinds are returned as they are. */
rwa_collective_kind forward_kind(rwa_collective_kind kind);
/** Time-reverse a plan of the forward collective; the result carries out `coll` on `net`.  For an all-reduce the
 * schedule of `onward` is appended, which may be the plan itself. */
rwa_status reverse_plan(rwa_plan *plan, const rwa_plan *onward, const rwa_network *net, const rwa_collective *coll,
                        rwa_error *err);

/**
 * restrict.c: extract from a schedule the part that carries out `coll`; the schedule's own collective contains or
 * equals `coll`.  The part is a schedule on the same network with the same lightpaths.  It has the same blocks, unless
 * chose_blocks(coll): then it has the blocks of `coll`, and each block of the schedule becomes several of these, one,
 * or none.
 * @param together  most of the blocks made of one block that a lightpath carries together; if there are more, the
 *                  lightpaths of a step are repeated; UINT32_MAX: all
 * @param[out] out  NULL before; stays NULL where the schedule's blocks are no blocks of the collective
 * @return RWA_OK; RWA_NOMEM.  Cost O(blocks of all lightpaths + participants * blocks)
 */
rwa_status restrict_schedule(rwa_schedule **out, const rwa_schedule *outer, const rwa_collective *coll,
                             uint32_t together, const char *name, rwa_error *err);

/** stripes.c: return the largest number of stripes into which a block can be cut. */
uint32_t stripes_most(const rwa_network *net);
/** Create the network with the channels of one of `stripes` stripes.  RWA_BADARG: failed links, reserved channels, no
 * links, or too many stripes */
rwa_status thin_network(rwa_network **out, const rwa_network *net, uint32_t stripes, rwa_error *err);
/** Turn a plan on a network made by thin_network() into a plan of whole blocks of `coll` on `net`, with all stripes
 * side by side. */
rwa_status widen_plan(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll, uint32_t stripes,
                      rwa_error *err);
