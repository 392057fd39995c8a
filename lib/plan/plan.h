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

/** Start a deadline for a whole plan.  From now on opts->poll stops all work after opts->time_limit_s seconds, or once
 * the caller's own poll has asked to stop. opts->time_limit_s, the limit for single searches, is halved.  `d` must
 * outlive the options. */
void deadline_begin(struct deadline *d, rwa_plan_options *opts);

/** Ask only the caller's own poll whether to stop, and ignore the time limit.  This is a poll function itself, whose
 * data is `deadline`, a struct deadline.  Return 1 to stop, else 0. */
int deadline_poll_caller(void *deadline, const char *phase, double fraction);

/** Record in `d` (may be NULL) the seconds from its start to the first plan; later calls change nothing. */
void deadline_note_plan(struct deadline *d);
/** Tell whether the time limit was exceeded at some poll. */
bool deadline_passed(const struct deadline *d);
/** Tell whether work that returned `st` was ended by the time limit, and not by the caller's poll. */
bool deadline_ended(const struct deadline *d, rwa_status st);
/** Tell whether work that returned `st` was ended by a limit on one scheme's work, and not by opts->poll. */
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
/** Tell whether the plan has a schedule and takes less time than the plan `than`.  A plan without a schedule takes
 * longer than any plan with one. */
bool plan_takes_less(const rwa_plan *plan, const rwa_plan *than);
/** Replace *kept by `other` if `better`, and free the plan that is not kept; either may be NULL. */
void plan_keep_one(rwa_plan **kept, rwa_plan *other, bool better);

/* ---- fitting.c: which schemes ---- */

/** Tell whether the caller leaves the choice of a scheme to the planner. */
bool scheme_is_open(const rwa_plan_options *o);
/** Return the capabilities of the network.  If failed links or members may turn its cycle into a path, include those
 * of a path.  `o` may be NULL. */
unsigned capabilities_left(const rwa_network *net, const rwa_plan_options *o);
/** Tell whether the scheme plans the collective on the network, or on what failures and members may leave of it; `o`
 * may be NULL. */
bool scheme_fits(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                 const rwa_plan_options *o);
/** Tell whether the scheme fits the task, and the options name it or leave the choice open. */
bool scheme_is_wanted(const struct scheme *scheme, const struct plan_task *t);
/** Return RWA_BADARG: no scheme fits the task, or the scheme that the options name does not.  The message names the
 * schemes that fit. */
rwa_status refuse_scheme(const struct plan_task *t, rwa_error *err);

/** Return the network to plan on: the canonical form, or `net` itself if the canonical form does not suit the scheme
 * asked for, its options or the blocks. */
const rwa_network *network_to_plan(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);

/* ---- unread_options.c ---- */

/** Return RWA_BADARG if the scheme asked for does not read a given option.  With "auto": if no scheme reads the option
 * together with all given options that shape a plan. */
rwa_status options_refuse_unread(const struct plan_task *task, rwa_error *err);
/** Return RWA_BADARG if an option is given that is not in `but` (bits READS_…).  Used where no scheme plans; the
 * message says that `what` does not read the option. */
rwa_status options_refuse_but(unsigned but, const char *what, const rwa_plan_options *o, rwa_error *err);
/** Tell whether the caller gave an option that shapes a plan: radices, stages, group, last_exchange or split_steps. */
bool options_shape(const rwa_plan_options *o);
/** Tell whether the scheme reads all given options that shape a plan; "auto" chooses only among such schemes. */
bool scheme_reads_shape(const struct scheme *scheme, const struct plan_task *task);

/* ---- size.c ---- */

/** Largest number of lightpaths that the checker visits within an acceptable time, about an hour. */
#define MOST_TO_CHECK 2147483648.0
/** Return the fewest lightpaths that carry out the collective if each brings one block to one receiver.  In an
 * all-to-all, one lightpath brings all blocks from one node to another. */
double least_lightpaths(const rwa_collective *coll);
/** Return the memory, in bytes, of the blocks that the checker records at each node. */
double bytes_to_check(const rwa_collective *coll);
/** Tell whether the caller limits the planning time. */
bool task_has_limit(const struct plan_task *t);
/** Tell whether a limit (device, hops, load, ports) may refuse the quickest plan.  Slower plans are then kept to
 * replace it. */
bool task_may_refuse(const struct plan_task *t);
/** Return an estimate of the work of the check of power: the number of pairs of a signal and a micro-ring that it
 * meets.  0: there is no device, or the network is no ring or line. */
double task_lit_pairs(const struct plan_task *t, const rwa_schedule *sched);
/** Return RWA_BADARG if the collective needs more lightpaths than the checker can visit, and orbits cannot reduce
 * them. */
rwa_status task_refuse_size(const struct plan_task *task, rwa_error *err);
/** Tell whether the caller chose the number of blocks, which may fit one scheme and not another. */
bool chose_blocks(const rwa_collective *coll);

/* ---- queue.c, power_budget.c ---- */

/** Put the alternative `met` into sum->fewest if it has fewer steps than the one there, or as many and less time.  An
 * alternative without a scheme is ignored. */
void plan_note_fewest(rwa_plan_report *sum, rwa_alternative met);

/** Make the quickest plan in the caller's cost model, by the scheme or composition that the options name, or with
 * "auto" by any, and check it.  If task->below_s > 0, *out is NULL unless a plan takes less time; that plan is checked
 * only if some limit may refuse it (task_may_refuse()). */
rwa_status plan_quickest(rwa_plan **out, const struct plan_task *task, rwa_error *err);

/** Return the hops of the longest lightpath of a schedule on a ring or line.  O(records). */
uint32_t plan_longest_hops(const rwa_schedule *sched);
/** Divide each epoch (steps that share a reconfiguration) in which a lightpath fails for its power.  Each part is made
 * as long as possible.  The plan's times are updated.  Only with a device, in the models `circuit` and `overlap`,
 * where all rings of an epoch are tuned at the same time. */
rwa_status cut_epochs_for_power(rwa_plan *plan, const rwa_plan_options *o, rwa_error *err);

/* ---- composed.c ---- */

/** Tell whether a scheme's name is that of a composition (composed.h).  NULL is none. */
bool is_composite_name(const char *scheme);

/** Create a schedule of the collective `whole` on `net`: the first `steps` steps of `first`, then all of `last`.  *out
 * is unchanged if that would be too large.
 * @param name  of the scheme, for the new schedule
 * @param once  write out orbits: a record for each lightpath */
rwa_status schedule_join(rwa_schedule **out, const rwa_network *net, const rwa_collective *whole, const char *name,
                         const rwa_schedule *first, uint32_t steps, const rwa_schedule *last, bool once,
                         rwa_error *err);

/* ---- verdict.c ---- */

/** Set in `sum` the number of steps, the time in the model `paper`, and the time in the model that the caller asked
 * for. plan_verdict() sets the time in the other models. */
rwa_status plan_times(rwa_plan_report *sum, const rwa_schedule *sched, const rwa_cost_options *asked, rwa_error *err);
/** Set *seconds to a lower bound on the time of any plan of the task. */
rwa_status task_least_time(double *seconds, const struct plan_task *t, rwa_error *err);
/** Check a plan's schedule independently, and compare it with the limits on ports, hops and power.  If it exceeds a
 * limit, it stays in the plan, and the outcome is INFEASIBLE. RWA_BACKEND: the checker found a mistake */
rwa_status plan_check_limits(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);
/** Check a plan's schedule and its limits (plan_check_limits()).  Also compute its lower bounds, and its time in all
 * cost models. */
rwa_status plan_verdict(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);
/** Check a plan's schedule and its limits (plan_check_limits()).  If it exceeds a limit, refuse the plan; else compute
 * its lower bounds, and its time in all cost models.  A plan that is refused already stays as it is. */
rwa_status plan_check(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/** Check the schedule of a plan again, after it was mapped to another network.  If it exceeds a limit, refuse the
 * plan. */
rwa_status plan_check_mapped(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/* ---- sink.c: stages of a scheme become steps of a schedule, by lib/plan/pack ---- */

/** Run a scheme.  Its stages become steps at the end of plan->schedule, and are listed in the report.
 * @return RWA_OK, also when request->why says why there is no plan; else the scheme's error */
rwa_status build_stages(rwa_plan *plan, const struct scheme *scheme, const struct plan_request *request,
                        rwa_error *err);

/* ---- transforms ---- */

/** time_reversal.c: return the collective whose time reversal is this one: all-gather for all-reduce and
 * reduce-scatter, scatter for gather, broadcast for reduce.  Other kinds are returned as they are. */
rwa_collective_kind forward_kind(rwa_collective_kind kind);
/** Time-reverse a plan of the forward collective, so that it carries out `coll` on `net`.  For an all-reduce, append
 * the schedule of `onward`, an all-gather.  If `onward` is `plan` itself, its schedule before the reversal is
 * appended. */
rwa_status reverse_plan(rwa_plan *plan, const rwa_plan *onward, const rwa_network *net, const rwa_collective *coll,
                        rwa_error *err);

/** restrict.c: extract from the schedule `outer` the part that carries out `coll`.  The collective of `outer` contains
 * `coll` or equals it.  The part uses the same lightpaths on the same network.  If the caller chose the number of
 * blocks of `coll` (chose_blocks()), the part has that many: each block of `outer` becomes several of these, one, or
 * none.  Otherwise the part keeps the blocks of `outer`.
 * @param[out] out  NULL before; stays NULL if the blocks of `outer` cannot be turned into those of `coll`
 * @param together  how many blocks made of one block of `outer` may share a lightpath; if there are more, the step is
 *                  repeated; UINT32_MAX: no limit
 * @param name      of the scheme, in the new schedule
 * @return RWA_OK; RWA_NOMEM.  Cost O(blocks of all lightpaths + participants * blocks) */
rwa_status restrict_schedule(rwa_schedule **out, const rwa_schedule *outer, const rwa_collective *coll,
                             uint32_t together, const char *name, rwa_error *err);

/** stripes.c: return the largest number of stripes into which a block can be cut on this network. */
uint32_t stripes_most(const rwa_network *net);
/** Create a network that has only a part of the channels of each link: those for one stripe, if each block is cut into
 * `stripes` stripes.  RWA_BADARG: failed links, reserved channels, no links, or too many stripes */
rwa_status thin_network(rwa_network **out, const rwa_network *net, uint32_t stripes, rwa_error *err);
/** Turn a plan on a network made by thin_network() into a plan of whole blocks of `coll` on `net`, with all stripes
 * side by side. */
rwa_status widen_plan(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll, uint32_t stripes,
                      rwa_error *err);
