/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The way of a plan: request -> residual networks -> attempts (estimate, build, transform) -> candidates -> check -> report. */
#pragma once

#include "rwa/assign.h"
#include "rwa/plan.h"

#include "base/base.h"
#include "plan/residual/residual.h"
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
    bool unsuited;              /* refused unseen: the scheme is none for what is left of the network */
};

/** The request to the planner.  Everything is borrowed; the options are complete and checked. */
struct plan_task {
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_plan_options *opts;
    struct memo *memo;          /* of the caller's request; NULL: none */
    double below_s;             /* plans that take no less are of no interest; 0: all are */
    unsigned without;           /* schemes that have one of these traits are left out */
    double lightpaths_most;     /* larger plans are of no interest, orbits written out; 0: all are */
    double records_most;        /* the same as they are, in place of lightpaths_most; 0: all are */
    bool once;                  /* as in plan_request */
    const struct deadline *deadline;    /* NULL: none; without a limit it never passes */
};

/* ---- deadline.c: the end of the time that a caller gives to a whole plan: planning, bounds and the check ---- */

struct deadline {
    rwa_poll poll;              /* the caller's */
    void *data;
    double limit_s, at_s;
    bool passed;                /* work was stopped by it */
    bool stopped;               /* work was stopped by the caller */
};

/** The shorter of two limits in seconds; 0: none. */
double shorter_limit(double one_s, double other_s);

/** opts->poll becomes the deadline's: once the caller's has stopped the work it is not asked again.  With opts->total_limit_s all that
 *  polls stops in time, and searches end after half of it.  `d` must outlive the options. */
void deadline_begin(struct deadline *d, rwa_plan_options *opts);

/** The deadline's poll without its limit. */
int deadline_poll_caller(void *deadline, const char *phase, double fraction);

/** Whether all the time is over. */
bool deadline_passed(const struct deadline *d);
/** Whether a status says that work was given up for want of time: the deadline passed, or a part of the time was too short for a part of
 *  the work. */
bool deadline_ended(const struct deadline *d, rwa_status st);
/** Whether it says so of a limit to the work on one scheme, and the caller does not stop the planning. */
bool work_was_limited(const rwa_plan_options *opts, rwa_status st);
/** In place of such a failure: no plan was found in time.  Other statuses stay.  RWA_CANCELLED */
rwa_status deadline_explain(const struct deadline *d, rwa_status st, rwa_error *err);

/* ---- plan.c ---- */

/** rwa_plan_make() without refusing options that the scheme asked for does not read. */
rwa_status plan_leniently(rwa_plan **out, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *opts, rwa_error *err);
/** An empty plan by a scheme of this name, which is borrowed.  RWA_NOMEM */
rwa_status plan_create(rwa_plan **out, const char *scheme, rwa_error *err);
/** The outcome is INFEASIBLE, and the schedule goes. */
void plan_refuse(rwa_plan *plan);
/** Put another schedule in place of the plan's. */
void plan_replace_schedule(rwa_plan *plan, rwa_schedule *schedule);
/** The message of a collective; where it does not say one, as that of a file, what makes blocks of their size. */
uint64_t plan_message_bytes(const rwa_collective *coll);
/** Whether it has a schedule, and takes less time than another, or that one has none. */
bool plan_takes_less(const rwa_plan *plan, const rwa_plan *than);
/** Keep the other plan if it is better, and free the one that is not kept; either may be NULL. */
void plan_keep_one(rwa_plan **kept, rwa_plan *other, bool better);

/* ---- fitting.c: which schemes ---- */

/** Whether the choice among schemes is left to the planner. */
bool scheme_is_open(const rwa_plan_options *o);
/** The capabilities of the network, and of a path where failed links or members may leave one of a cycle; `o` may be NULL. */
unsigned capabilities_left(const rwa_network *net, const rwa_plan_options *o);
/** Whether the scheme does the collective on the network, or on what may be left of it; `o` may be NULL. */
bool scheme_fits(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);
/** The first scheme for the collective on the network that puts several blocks on a lightpath; NULL: there is none. */
const struct scheme *merging_scheme(const rwa_network *net, const rwa_collective *coll);
/** Whether the caller left it to "auto" how many blocks and stripes lightpaths carry. */
bool may_load(const struct plan_task *t);
/** On larger networks stripes are for schemes that few channels cost few steps. */
bool may_stripe(const struct scheme *scheme, const struct plan_task *t);
/** A number of stripes or of blocks on a lightpath that is asked for leaves nothing to schemes that choose these. */
bool is_left_out(const struct scheme *scheme, const struct plan_task *t);
/** Whether the task leaves the scheme out. */
bool is_unwanted(const struct scheme *scheme, const struct plan_task *t);
/** Whether no scheme after this one of the table has an estimate that searches. */
bool is_last_that_searches(size_t i);
/** The scheme that was asked for, or with "auto" the first of the table from *at on that fits; *at moves past it.
 *  RWA_BADARG when there is none (left). */
rwa_status pick_scheme(const struct scheme **out, size_t *at, const struct plan_task *task, rwa_error *err);

/** The canonical network; the network as it stands where only that suits the scheme asked for, or the number of blocks. */
const rwa_network *network_to_plan(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o);

/* ---- unread_options.c ---- */

/** Refuse an option that is given and not read by the scheme asked for, or with "auto" by any, or by none together.  RWA_BADARG */
rwa_status options_refuse_unread(const struct plan_task *task, rwa_error *err);
/** Refuse all that is given but the options `but` (bits READS_…), where no scheme is at work: `what` does not read them. */
rwa_status options_refuse_but(unsigned but, const char *what, const rwa_plan_options *o, rwa_error *err);
/** Whether an option is given that shapes a plan. */
bool options_shape(const rwa_plan_options *o);
/** Whether the scheme reads all given options that shape a plan: others are none for "auto". */
bool scheme_reads_shape(const struct scheme *scheme, const struct plan_task *task);

/* ---- job.c: one scheme on one residual network ---- */

/** A job; parts of the attempt's residual networks are borrowed, so it lives no longer than these. */
struct job {
    const struct scheme *scheme;
    const struct residual *residual;
    rwa_plan_options opts;      /* the caller's, with the residual network's own members and limit of hops */
    rwa_network *thin;          /* stripes: the network with the channels of one stripe; NULL: the blocks are whole */
    rwa_collective forward;     /* what the scheme plans, in the scheme's blocks: residual->coll, or what in reverse is residual->coll */
    struct estimate estimate;
    rwa_cost_prices price;
    struct memo *memo;          /* as in plan_task */
    double below_s;             /* of one pass, as in plan_task of all */
    double lightpaths_most, records_most;   /* as in plan_task */
    bool anyhow, once;   /* as in plan_request */
};

/** Prepare; options are validated and the estimate made.
 *  @return RWA_OK; RWA_BADARG: options, stripes or blocks that the scheme cannot have; RWA_NOMEM; RWA_CANCELLED.
 *          job_close() in any case */
rwa_status job_open(struct job *job, const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o,
                    const struct plan_task *task, rwa_error *err);
void job_close(struct job *job);
/** The request to the scheme: valid until the job moves.  `why`: RWA_ERROR_TEXT bytes */
struct plan_request job_request(const struct job *job, const struct parameters *parameters, char *why);
/** The network that the scheme plans on. */
const rwa_network *job_network(const struct job *job);
/** Whether the scheme plans the collective that in reverse is the one asked for. */
bool job_is_reversed(const struct job *job);
/** How often it runs over the message: an all-reduce is a reduce-scatter, which is an all-gather reversed, and an all-gather. */
uint64_t job_passes(const struct job *job);
/** Into how many blocks the scheme cuts the message, stripes not counted. */
uint64_t job_blocks(const struct job *job);

/* ---- size.c ---- */

/** How much a job's schedule holds. */
struct plan_size {
    double records;
    double to_check;            /* lightpaths that the checker goes through; of whole orbits one, but in reductions all */
    double bytes;               /* of the schedule while it is made, and of what its check keeps */
};
struct plan_size job_size(const struct job *job);
/** Whether its plan has more lightpaths, orbits written out, than the task wants. */
bool job_has_too_many(const struct job *job);
/** Whether all that "auto" could choose is compared, built where a closed form does not say its time: not on larger networks. */
bool task_is_thorough(const struct plan_task *t);
/** Whether a search takes so long that the planner leaves out those that hardly ever gain anything. */
bool task_has_many_nodes(const struct plan_task *t);
/** Whether the caller's time is limited. */
bool task_has_limit(const struct plan_task *t);
/** Whether the quickest plan may still be refused, so that slower ones count. */
bool task_may_refuse(const struct plan_task *t);
/** Whether steps take more of that time than bytes do, so that many times the bytes may be as quick as few. */
bool task_takes_few_steps(const struct plan_task *t, double seconds);
/** Whether a search that visits all nodes for each of hundreds of choices takes seconds, so that another scheme's plan is enough. */
bool task_is_giant(const struct plan_task *t);
/** Pairs of a signal and a ring that it may reach, at most all in its direction and fibre of the step, and all that its route passes: what
 *  following all signals takes; 0 without a device. */
double task_lit_pairs(const struct plan_task *t, const rwa_schedule *sched);
/** Hops of the longest lightpath of a schedule on arcs.  O(records). */
uint32_t plan_longest_hops(const rwa_schedule *sched);
/** Refuse at once a collective of more lightpaths than the checker goes through, on a network where orbits do not stand for them.
 *  RWA_BADARG */
rwa_status task_refuse_size(const struct plan_task *task, rwa_error *err);
/** Whether the schedule and its check fit this machine and a patient hour: RWA_BADARG and RWA_NOMEM if not. */
rwa_status job_refuse_size(const struct job *job, rwa_error *err);

/* ---- build.c: jobs become plans ---- */

/** Build with set number `set` < job_sets(), transform (time reversal, stripes, map to the real network) and time; the check is not made.
 *  @return RWA_OK, also when the scheme refuses (outcome INFEASIBLE, no schedule); what the scheme returns */
rwa_status job_build(rwa_plan **out, const struct job *job, size_t set, const struct residuals *residuals, rwa_error *err);
/** How many sets of parameters become plans of their own: terms do. */
size_t job_sets(const struct job *job);

/* ---- attempt.c: one scheme on all residual networks that suit it ---- */

struct attempt {
    const struct scheme *scheme;
    const struct plan_task *task;       /* the network, the collective, the caller's options */
    rwa_plan_options opts;              /* the caller's, or with stripes, blocks per lightpath, group and limits of this attempt */
    struct residuals residuals;
    struct job job[2];
    size_t jobs;
    char why[RWA_ERROR_TEXT];           /* why there is no residual network; "" when there is one */
    rwa_error failure;                  /* what opening ended with; attempt_build() returns it */
};

/** Never fails at once: failure.status says what happened.  The attempt must not move.  attempt_close() in any case. */
void attempt_open(struct attempt *a, const struct scheme *scheme, const struct plan_task *task, const rwa_plan_options *opts);
void attempt_close(struct attempt *a);
/** Close and free one from the heap, or NULL. */
void attempt_free(struct attempt *a);
/** The quickest of its plans, unchecked; refused when no residual network suits. */
rwa_status attempt_build(rwa_plan **out, const struct attempt *a, rwa_error *err);
/** Open, build, close. */
rwa_status attempt_once(rwa_plan **out, const struct scheme *scheme, const struct plan_task *task, const rwa_plan_options *opts,
                        rwa_error *err);

/** The estimate of an attempt before it is built. */
struct plan_estimate {
    double records;             /* about so many; infinite when they do not fit this machine */
    double to_check;            /* as in plan_size */
    uint64_t steps;             /* by a closed form; 0: there is none, and the rest is not known either */
    uint64_t blocks;
    double time_s;              /* under the cost model of the options */
    double least_s;             /* where the time is not known: it takes no less */
    uint64_t least_steps;       /* of least_s; 0: not known */
    bool any_steps;             /* least_s is that of a single step, since nothing is known of how many there are */
};
void attempt_estimate(struct plan_estimate *out, const struct attempt *a);
/** How many times its least time a plan in another number of blocks takes at least: none of 1600 came nearer than this, or than one step
 *  more than it has at least. */
double estimate_hope_of_cut(const struct plan_estimate *e);
/** Whether the planner chose a band, stripes or a group itself, so that a refusal is of its own choice. */
bool attempt_is_own_choice(const struct attempt *a, const rwa_plan_options *given);
/** Into how many blocks the scheme cuts the message; 0: it plans on no residual network. */
uint64_t attempt_blocks(const struct attempt *a);
/** Whether a search takes less than building the plan; if not, the plan comes first, and limits the search.  The plan of a scheme that is
 *  SLOW takes less on small rings and lines, for all-to-alls, and mostly where its estimate says nothing of its steps. */
bool attempt_outlasts_search(const struct attempt *a);
/** Whether the caller chose the number of blocks: it may not fit one scheme, and fit another. */
bool chose_blocks(const rwa_collective *coll);

/* ---- candidates.c, power_budget.c ---- */

/** The checked plan of the scheme asked for; with "auto" the quickest under the caller's cost model.  With task->below_s the quickest,
 *  checked only where a limit may refuse it, or NULL: none takes less. */
rwa_status plan_quickest(rwa_plan **out, const struct plan_task *task, rwa_error *err);

/** Check a plan; in place of one that fails its device's limits the one with the most receivers of a lightpath that passes, or
 *  else without taps the one with the longest lightpaths that do; when none does, one that says why.  As plan_check() unless the
 *  scheme can shorten and there is a device. */
rwa_status fit_power_budget(rwa_plan **plan, const struct attempt *a, rwa_error *err);
/** In the models `circuit` and `overlap`, with a device: cut epochs whose rings, tuned together, leave a lightpath too little power; the
 *  longest that passes first.  The times of the plan become those with the cuts. */
rwa_status cut_epochs_for_power(rwa_plan *plan, const rwa_plan_options *o, rwa_error *err);

/** contained.c: the quickest plan, unchecked, that is part of one for a collective which contains the task's, if it takes less than
 *  below_s; else NULL. */
rwa_status plan_part(rwa_plan **out, const struct plan_task *task, double below_s, rwa_error *err);
/** The same, checked, if it keeps the limits and takes less than a plan of that time, which is not next to the bound; else *part is
 *  NULL. */
rwa_status plan_checked_part(rwa_plan **part, const struct plan_task *task, double time_s, rwa_error *err);
/** sequence.c: a broadcast as a scatter and then an all-gather, a reduce as these backwards, or an all-reduce as a broadcast backwards and
 *  then forwards, unchecked, if it takes less than below_s; else NULL. */
rwa_status plan_sequence(rwa_plan **out, const struct plan_task *task, double below_s, rwa_error *err);

/** Larger schedules are not joined. */
enum { JOINED_RECORDS_MOST = 5000000, JOINED_BLOCKS_MOST = 1 << 22 };
/** sequence.c: the first `steps` steps of a schedule behind the last one of `to`, whose blocks are equal parts of its own.  once: orbits
 *  are written out.  RWA_NOMEM */
rwa_status schedule_append_steps(rwa_schedule *to, const rwa_schedule *from, uint32_t steps, bool once, rwa_error *err);

/** named.c: the names of plans that are made of plans by schemes A and B: a part of one for a collective, and two, one after the other. */
#define NAME_OF_PART "part of %s by %s"
#define NAME_OF_SEQUENCE "%s by %s after %s by %s"
/** Whether a scheme asked for is such a name; NULL is not. */
bool is_composite_name(const char *scheme);
/** The checked plan of that name.  RWA_BADARG: the collective has none */
rwa_status plan_named(rwa_plan **out, const struct plan_task *task, rwa_error *err);
/** contained.c: the quickest part, unchecked, of a plan by `scheme` for the collective `outer`.  RWA_BADARG: it does not contain the
 *  task's */
rwa_status plan_named_part(rwa_plan **out, const struct plan_task *task, rwa_collective_kind outer, const char *scheme, rwa_error *err);
/** sequence.c: a plan for the collective `last` by one scheme after one for `first` by another, unchecked.  RWA_BADARG: the task's is no
 *  such sequence */
struct sequence_names {
    rwa_collective_kind first, last;
    const char *first_scheme, *last_scheme;
};
rwa_status plan_named_sequence(rwa_plan **out, const struct plan_task *task, const struct sequence_names *names, rwa_error *err);

/* ---- verdict.c ---- */

/** The steps, and the time under the model `paper` and under the one asked for: of a large schedule no more than that in the model
 *  `overlap`, until its verdict, which adds the other models. */
rwa_status plan_times(rwa_plan_report *sum, const rwa_schedule *sched, const rwa_cost_options *asked, rwa_error *err);
/** The limits that hold for bounds as for the plan; `bounding` is initialised. */
void plan_bound_options(rwa_bound_options *bounding, const rwa_plan_options *opts);
/** No plan of the task takes less time. */
rwa_status task_least_time(double *seconds, const struct plan_task *t, rwa_error *err);
/** The independent check, the bound and the limits of a plan with a schedule.  A schedule that breaks a limit stays, with the
 *  outcome INFEASIBLE.  RWA_BACKEND when the checker finds a mistake */
rwa_status plan_verdict(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o, rwa_error *err);
/** The same, unless the plan is refused already; what breaks a limit is refused. */
rwa_status plan_check(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/** Check the schedule of a checked plan once more, after it was mapped to another network, and its limits; what breaks one is
 *  refused. */
rwa_status plan_check_mapped(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err);

/* ---- sink.c: stages become steps of a schedule, by lib/plan/pack ---- */

/** Run a scheme; its stages are appended to plan->schedule and noted in the summary.
 *  @return RWA_OK, also when request->why says why there is no plan; what the scheme returns */
rwa_status build_stages(rwa_plan *plan, const struct scheme *scheme, const struct plan_request *request, rwa_error *err);

/* ---- transforms ---- */

/** time_reversal.c: the collective that in reverse is this one: all-gather for all-reduce and reduce-scatter, scatter for gather,
 *  broadcast for reduce. */
rwa_collective_kind forward_kind(rwa_collective_kind kind);
/** Reverse a plan of the forward collective into one of `coll` on `net`; an all-reduce then continues with `onward`, which may be
 *  the plan itself. */
rwa_status reverse_plan(rwa_plan *plan, const rwa_plan *onward, const rwa_network *net, const rwa_collective *coll, rwa_error *err);

/** Schedules of more lightpaths are not looked at. */
enum { RESTRICTED_MOST = 1 << 18 };
/**
 * restrict.c: the part of a schedule that carries out a collective which the schedule's own contains, with its network, its lightpaths
 * and its blocks.
 * @param coll     how its message is cut is not read
 * @param[out] out  NULL before; stays NULL where the schedule is too large, or its blocks are no blocks of the collective
 * @return RWA_OK; RWA_NOMEM.  Cost O(blocks of all lightpaths + participants * blocks)
 */
rwa_status restrict_schedule(rwa_schedule **out, const rwa_schedule *outer, const rwa_collective *coll, rwa_error *err);

/** stripes.c: the most stripes of a block. */
uint32_t stripes_most(const rwa_network *net);
/** Whether, where links are listed, "auto" may cut the blocks of a scheme into stripes. */
bool stripes_may_pay(const struct plan_task *t, const struct scheme *scheme);
/** Whether "auto" tries so many stripes: the most of so many channels, where a power of two would be one of these; on small networks also
 *  where a power of two is the number of channels. */
bool stripes_are_round(const struct plan_task *t, uint32_t stripes);
/** The network with the channels of one of `stripes` stripes.  RWA_BADARG: links failed, channels reserved, no links, too many stripes */
rwa_status thin_network(rwa_network **out, const rwa_network *net, uint32_t stripes, rwa_error *err);
/** A plan on a thin network becomes one of whole blocks of `coll` on `net`, all stripes side by side. */
rwa_status widen_plan(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll, uint32_t stripes, rwa_error *err);

/* ---- transfers.c: routes and wavelengths for transfers that are given, several blocks on a lightpath ---- */

/**
 * rwa_plan_transfers(), where the blocks that go from one node to another in a step, by one operation, share lightpaths.
 * @param out   set when it succeeds
 * @param single  each block on a lightpath of its own; else as many as suit each step
 */
rwa_status plan_messages(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll, const char *scheme,
                         const rwa_transfer *list, size_t count, bool single, const rwa_plan_options *opts, rwa_error *err);
