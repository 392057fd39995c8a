/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From a network and a collective to a checked schedule. */
#ifndef RWA_PLAN_H
#define RWA_PLAN_H

#include "rwa/bound.h"
#include "rwa/check.h"
#include "rwa/cost.h"
#include "rwa/solver.h"

enum { RWA_STAGES_MAX = 64 };
#define RWA_SPLIT_BEST UINT32_MAX

/** The last stage of a reduction by groups: an all-to-all exchange of the representatives if it fits one step, or one
 *  more tree stage. */
typedef enum rwa_last_exchange { RWA_LAST_AUTO = 0, RWA_LAST_ALL_TO_ALL = 1, RWA_LAST_TREE = 2 } rwa_last_exchange;

/** What "auto" minimises: the time; or the number of steps, with whole blocks and one block on a lightpath, as papers
 *  count steps. */
typedef enum rwa_plan_objective { RWA_LEAST_TIME = 0, RWA_FEWEST_STEPS = 1 } rwa_plan_objective;

typedef struct rwa_plan_options {
    size_t struct_size;         /**< set by init */
    const char *scheme;         /**< a name from the table, or the scheme name in the schedule of a plan; NULL or
                                     "auto": the quickest feasible one */
    const char *solver;         /**< a name from the table, for schemes that use a solver; NULL: "auto" */
    const uint32_t *radix;      /**< optree: radix_count radices, first stage first, each at least 2, product at least
                                     N */
    size_t radix_count;         /**< 0: chosen */
    uint32_t stages;            /**< optree: number of stages; 0: chosen */
    uint32_t max_hops;          /**< most links of a lightpath; 0: no limit */
    const rwa_device *device;   /**< borrowed; NULL: power is not checked */
    rwa_power_model power_model;
    rwa_order order;            /**< of greedy solvers */
    rwa_cost_options cost;
    rwa_poll poll;
    void *poll_data;
    uint32_t group;             /**< wrht, h-ring, tree: nodes in a group; 0: chosen */
    rwa_last_exchange last_exchange;    /**< wrht */
    uint64_t seed;              /**< for schemes that search; the same seed and work give the same plan; default 1 */
    double time_limit_s;        /**< wall clock for planning, bounds and check together.  The answer is the best plan
                                     that passed its check by then; RWA_CANCELLED: there is none. 0 (default): no limit,
                                     so that the plan does not depend on the speed of the machine */
    uint32_t split_steps;       /**< tcp, broadcast: stages that split the message (h'); default RWA_SPLIT_BEST */
    uint32_t stripes;           /**< networks with links: parts of every block, each on its own channel: more steps,
                                     each shorter; 0: "auto" chooses, other schemes take 1 */
    uint32_t lightpath_blocks;  /**< most blocks of one source and destination on a lightpath; 0: as stripes */
    const uint32_t *members;    /**< the coll->nodes participants, ascending; NULL: all nodes; borrowed; not on star,
                                     ron and ocs.  The collective numbers them, and its root, from 0 in this order */
    uint32_t max_drops;         /**< wavefront, line-wavefront: most receivers of a lightpath, its dst and taps; used
                                     where that saves steps, not in reductions, nor with lightpath_blocks above 1; 0, 1:
                                     dst only */
    rwa_programs *programs;     /**< NULL, or the integer programs of the solver ilp are written there; borrowed */
    const rwa_limits *limits;   /**< lightpaths, memory and time of the plan with its check; NULL: none of the caller's;
                                     borrowed */
    rwa_plan_objective objective;   /**< RWA_FEWEST_STEPS: lightpath_blocks is 1, and no stripes; "auto" uses the
                                         default number of blocks, or that of the collective, returns the plan with the
                                         fewest steps that it finds, and times alternatives in the model paper */
} rwa_plan_options;

RWA_INIT(rwa_plan_options)

/** The figures of the paper's formula for the plan's setting.  The schedule may take fewer or more steps. */
typedef struct rwa_formula {
    int known;                                  /**< 0: the scheme has no formula here */
    uint64_t steps;                             /**< at the number of stages used (and the radices, where they were
                                                     given) */
    size_t stages;                              /**< entries of stage_wavelengths; 0: the formula gives none */
    uint64_t stage_wavelengths[RWA_STAGES_MAX];
    uint64_t best_steps;                        /**< at the paper's own best number of stages */
    uint32_t best_stages;                       /**< that number: OpTree Lemma 3 */
    const char *source;                         /**< "OpTree, Theorem 1" */
    uint64_t tunings;                           /**< star: wavelengths tuned; 0: no formula */
    const char *flaw;                           /**< why no schedule of the scheme takes so few steps;
                                                     NULL: no reason is known */
} rwa_formula;

/** A stage of a plan: lightpaths that start from the same holdings.  The plan owns the record; new members are added
 *  only at its end. */
typedef struct rwa_stage {
    uint32_t radix;             /**< optree: parts of each group; 0 with other schemes */
    uint64_t wavelengths;       /**< channels per direction that the stage needs to run in one step */
    uint64_t bound;             /**< no assignment of the stage's routes needs fewer; 0: unknown */
    uint64_t lightpaths;
    uint64_t backfilled;        /**< of them, sent in spare channels of the stage before */
} rwa_stage;

/** A scheme that "auto" compared.  Where limits or optical power can refuse plans, its plan passed the check.  The
 *  plan owns the record; new members are added only at its end. */
typedef struct rwa_alternative {
    const char *scheme;
    uint32_t steps;
    uint64_t blocks;            /**< of the message, as the scheme cuts it */
    double time_s;              /**< under the same cost model */
    uint32_t stripes, lightpath_blocks; /**< as in the options; 1: not given */
    uint32_t group;             /**< as in the options; 0: the scheme chooses */
} rwa_alternative;

/** A scheme for the collective of which "auto" knows no plan that passed the check, or whose quicker plans fail it.
 *  The plan owns it; it grows only at its end. */
typedef struct rwa_left_out {
    const char *scheme;
    double least_s;             /**< lower bound on the time of its plans, if that is the reason; else 0 */
    char why[RWA_ERROR_TEXT];   /**< the reason; empty: least_s */
} rwa_left_out;

/** The numbers of a plan.  The plan owns the record; new members are added only at its end. */
typedef struct rwa_plan_report {
    rwa_outcome outcome;        /**< OPTIMAL: steps equal the bound; INFEASIBLE: `why` names the limit */
    char why[RWA_ERROR_TEXT];   /**< empty unless the outcome is INFEASIBLE */
    const char *scheme;
    const char *solver;         /**< of the last stage that used one; NULL: none */
    size_t stages;              /**< all of them; rwa_plan_stage() describes the first RWA_STAGES_MAX */
    uint32_t steps;
    uint64_t lightpaths;
    uint32_t wavelengths_used;
    uint32_t longest_hops;
    rwa_formula formula;
    rwa_bound bound;            /**< the largest in steps; value 0: none applies */
    double time_s;              /**< under options.cost */
    const rwa_check_report *check;  /**< the checker's report; all 0 without a schedule */
    double plan_s;              /**< wall clock of planning, without the check */
    double check_s;
    uint32_t group;             /**< wrht, h-ring: nodes in a group; 0: no groups */
    double paper_s, circuit_s;  /**< the time in these cost models; see overlap_s for the third */
    size_t alternatives;        /**< "auto": see rwa_plan_alternative() */
    double time_bound_s;        /**< lower bound on the time, for any number of blocks; 0: unknown */
    uint32_t stripes, lightpath_blocks; /**< parts of a block; most blocks of a lightpath; at least 1 */
    uint32_t receivers;         /**< most receivers of a lightpath; 1: no taps */
    double overlap_s;           /**< the time in the model overlap */
    int part_of;                /**< not 0: the plan is a part of the plan that the scheme makes for this collective; 0:
                                     the scheme plans the given collective itself */
    const char *scatter_scheme; /**< the scheme of the first of two phases; NULL: there is one phase.  The second phase,
                                     by `scheme`, all-gathers the blocks of a scatter, broadcasts or scatters the sums
                                     of a reduce, broadcasts the blocks of a gather, or gathers the sums of a
                                     reduce-scatter */
    double first_plan_s;        /**< wall clock until the time of a first plan was known; 0: none was */
    rwa_alternative fewest;     /**< "auto": among the plans that the search met with whole blocks and one block on a
                                     lightpath, the chosen plan included, the one with the fewest steps; scheme NULL: it
                                     met none */
    uint32_t bound_max_hops;    /**< both bounds hold for lightpaths of at most so many links: options.max_hops, or the
                                     reach of the device if it is less; 0: of any number */
    const char *bound_proof, *time_proof;   /**< sentences that prove `bound` and `time_bound_s` for this request, owned
                                     by the plan; "" without a bound, NULL without a schedule */
} rwa_plan_report;

/** A plan: a schedule and what is known about it.  Immutable. */
typedef struct rwa_plan rwa_plan;

/**
 * Plan a collective, check the schedule with the independent checker, and compare it with the bounds.  The plan avoids
 * reserved channels and failed links of the network; star, ron and ocs must have none.
 * @param[out] out  new plan, caller frees with rwa_plan_free().  If no schedule satisfies the limits, or the scheme is
 *                  infeasible in this setting, rwa_plan_summary()->outcome is RWA_INFEASIBLE and rwa_plan_schedule() is
 *                  NULL.  The collective of the schedule has the number of blocks that the scheme uses
 * @param coll      borrowed; its number of blocks is the default number, or the number that the scheme uses
 * @param opts      NULL for the defaults.  An option that the scheme does not support is an error; "auto" considers
 *                  only schemes that support the given radices, stages, group, last exchange and split steps.
 *                  At least one of these must support each of max_drops, a solver and an order that is given.
 *                  Limits, seed and time hold for all schemes
 * @return RWA_OK; RWA_BADARG: unknown scheme or solver, radices that do not fit, an option that the scheme does not
 *         support (the message begins with its name and lists the schemes that support it), a collective that the
 *         scheme does not plan, a device grid smaller than the network's; RWA_NOMEM, also when the plan would not fit
 *         physical memory; RWA_BACKEND: GLPK or igraph failed, or the checker rejected the schedule; RWA_CANCELLED.
 *         Cost O(lightpaths) time and under 40 bytes a lightpath for one-stage and optree with the default solver
 */
RWA_API rwa_status rwa_plan_make(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                                 const rwa_plan_options *opts, rwa_error *err);
/**
 * Finish a collective after links failed, and keep the steps before at_step unchanged.  The result is the quickest of
 * these plans:
 * - From at_step on, lightpaths whose links work stay.  Those over failed links get another route, in their step, in a
 *   later one or in an additional one.
 * - Where blocks are only copied: the rest is planned from what nodes hold at the beginning of at_step.
 * - The whole collective is planned anew from at_step on, by any scheme; for reductions only if at_step is 1.
 * If translations map the steps before at_step to themselves, links or fibre pairs that they map to each other are
 * repaired equally well.
 * @param[out] out  new plan of all steps, whose network has the failed links from at_step on; caller frees it; outcome
 *                  RWA_INFEASIBLE when a node can no longer be reached
 * @param sched     the running schedule, on a network of links; borrowed
 * @param links     link_count directed links, as in rwa_network_link()
 * @param at_step   the first step in which the links carry nothing; 1 … steps + 1
 * @param opts      limits, device, cost; NULL for the defaults
 * @return RWA_OK; RWA_BADARG, also when the checker rejects both sched and the result; RWA_NOMEM; RWA_CANCELLED;
 *         RWA_BACKEND: the checker rejects the result but not sched.  Cost O(lightpaths * hops), a search for a route
 *         of each lightpath over a failed link, and two plans
 */
RWA_API rwa_status rwa_plan_repair(rwa_plan **out, const rwa_schedule *sched, const uint32_t *links, size_t link_count,
                                   uint32_t at_step, const rwa_plan_options *opts, rwa_error *err);
/**
 * Make a plan of a given schedule, from a file or another planner: check it, time it and compare it with the bounds,
 * for reports and rwa_plan_explain().  Stages, formula and alternatives stay empty.
 * @param[out] out  new plan with a copy of the schedule, caller frees it.  If the checker rejects the schedule, the
 *                  outcome is RWA_INFEASIBLE, `why` names the first violation, and rwa_plan_schedule() is NULL.  If it
 *                  breaks a limit of the options, the outcome is RWA_INFEASIBLE too, but the plan keeps its schedule
 * @param opts      limits, device, cost; NULL for the defaults; `members` are those of the schedule
 * @return RWA_OK; RWA_BADARG: an option that shapes plans; RWA_NOMEM; RWA_CANCELLED.  Cost of the copy, the check and
 *         the bounds
 */
RWA_API rwa_status rwa_plan_from_schedule(rwa_plan **out, const rwa_schedule *sched, const rwa_plan_options *opts,
                                          rwa_error *err);
/** A block that moves from one node to another in a step. */
typedef struct rwa_transfer {
    uint32_t step;              /**< from 1 */
    uint32_t src, dst;
    rwa_op op;
    uint64_t block;
} rwa_transfer;

/**
 * Make a schedule of given transfers: assign routes and wavelengths.  Every transfer takes a shortest route.  A step
 * that needs more channels than there are becomes several steps.  No two lightpaths share a channel;
 * rwa_check_schedule() tells whether the schedule completes the collective.
 * @param[out] out  new schedule, caller frees with rwa_schedule_free()
 * @param scheme    the name for the header; copied; NULL for ""
 * @param list      count transfers, steps ascending, gaps allowed; borrowed
 * @param opts      solver and order, time_limit_s (for all steps together), max_hops, seed, poll; NULL for the defaults
 * @return RWA_OK; RWA_BADARG: a node outside the network, descending steps, a block outside the collective, RWA_REDUCE
 *         in a collective without reduction, no route, a star, ron or ocs, reserved channels or failed links, a step of
 *         a reduction that needs more channels than there are and changes a value that it reads; RWA_NOMEM;
 *         RWA_BACKEND; RWA_CANCELLED
 */
RWA_API rwa_status rwa_plan_transfers(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll,
                                      const char *scheme, const rwa_transfer *list, size_t count,
                                      const rwa_plan_options *opts, rwa_error *err);
/**
 * Describe a plan in words and small drawings: the task, and the steps of one block.  The bounds and their proofs are
 * in rwa_plan_report.
 * @param[out] text  UTF-8; caller frees with rwa_text_free()
 * @param stage      only this step of the schedule, from 1; 0: all steps
 * @return RWA_OK; RWA_BADARG: an infeasible plan, no such step; RWA_NOMEM.  Cost O(lightpaths)
 */
RWA_API rwa_status rwa_plan_explain(char **text, const rwa_plan *plan, size_t stage, rwa_error *err);
RWA_API void rwa_plan_free(rwa_plan *plan);

RWA_API const rwa_plan_report *rwa_plan_summary(const rwa_plan *plan);
RWA_API const rwa_schedule *rwa_plan_schedule(const rwa_plan *plan);    /**< lives as long as the plan */
/** Return the schedule of a refused plan; it breaks the limit that rwa_plan_report.why names, and rwa_check_schedule()
 *  can examine it.  NULL: no such schedule was made.  It lives as long as the plan. */
RWA_API const rwa_schedule *rwa_plan_refused(const rwa_plan *plan);
/** Return stage i, from 0, which lives as long as the plan; NULL past the last stage, and from stage RWA_STAGES_MAX
 *  on. */
RWA_API const rwa_stage *rwa_plan_stage(const rwa_plan *plan, size_t i);
/** Return alternative i, 0 … alternatives - 1, a plan by a feasible scheme other than the chosen one; the quickest
 *  comes first.  NULL past the end. */
RWA_API const rwa_alternative *rwa_plan_alternative(const rwa_plan *plan, size_t i);
/** Return entry i, from 0, of the list of schemes that "auto" left out, in the order of the table of schemes; NULL past
 *  the end, or if the request named a scheme.  It lives as long as the plan. */
RWA_API const rwa_left_out *rwa_plan_left_out(const rwa_plan *plan, size_t i);

/** Return the name of scheme i = 0, 1, …, a constant; NULL past the end.  rwa_scheme_summary() returns a line of
 *  description in the same way, rwa_scheme_source() the paper. */
RWA_API const char *rwa_scheme_name(size_t i);
/** Return the present name of a scheme.  `name` is that name, a former one, or the name followed by a colon and a term;
 *  NULL: there is no such scheme. */
RWA_API const char *rwa_scheme_find(const char *name);
RWA_API const char *rwa_scheme_summary(size_t i);
RWA_API const char *rwa_scheme_source(size_t i);

#endif
