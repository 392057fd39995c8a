/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From a network and a collective to a checked schedule. */
#ifndef RWA_PLAN_H
#define RWA_PLAN_H

#include "rwa/bound.h"
#include "rwa/check.h"
#include "rwa/cost.h"
#include "rwa/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RWA_STAGES_MAX = 64 };
#define RWA_SPLIT_BEST UINT32_MAX

/** How the representatives that remain end a reduction: exchange all-to-all when that fits one step, or go on as a tree. */
typedef enum rwa_last_exchange { RWA_LAST_AUTO = 0, RWA_LAST_ALL_TO_ALL = 1, RWA_LAST_TREE = 2 } rwa_last_exchange;

typedef struct rwa_plan_options {
    size_t struct_size;         /**< set by init */
    const char *scheme;         /**< a name from the table; NULL or "auto": the best known one */
    const char *solver;         /**< a name from the table, for schemes that leave wavelengths to one; NULL: "auto" */
    const uint32_t *radix;      /**< optree: the tree's radices, first stage first, each at least 2, product at least N */
    size_t radix_count;         /**< 0: chosen */
    uint32_t stages;            /**< optree: number of stages; 0: chosen */
    uint32_t max_hops;          /**< no lightpath longer; 0: no limit */
    const rwa_device *device;   /**< borrowed; NULL: power is not checked */
    rwa_power_model power_model;
    rwa_solver_options solving;
    rwa_cost_options cost;
    rwa_poll poll;
    void *poll_data;
    uint32_t group;             /**< wrht, h-ring, tree: nodes in a group; rotated-trees: nodes for each block; 0: chosen */
    rwa_last_exchange last_exchange;    /**< wrht */
    uint64_t seed;              /**< of schemes that search; same seed, same work: same plan; default 1 */
    double time_limit_s;        /**< of schemes that search; the best plan so far is kept; 0: none; default 10 */
    uint32_t split_steps;       /**< tcp, broadcast: stages that split the message (h'); default RWA_SPLIT_BEST */
    uint32_t stripes;           /**< rings and lines: every block in so many parts, each on a channel of its own, which makes
                                     steps shorter, and more of them; 0: what "auto" finds best, 1 with any other scheme */
    uint32_t lightpath_blocks;  /**< wavefront: up to so many blocks of one source and destination on a lightpath, which
                                     makes steps longer, and fewer of them; 0: likewise */
    const uint32_t *members;    /**< not on star, ron and ocs: the nodes that take part, coll->nodes of them, ascending; NULL: all;
                                     borrowed.  The collective counts them, its root too, from 0 in this order */
    uint32_t max_drops;         /**< wavefront, line-wavefront: up to so many nodes may read a lightpath, its dst and taps, where
                                     that saves steps; not where blocks are added up, nor with lightpath_blocks above 1; 0, 1: its dst
                                     alone */
} rwa_plan_options;

RWA_API void rwa_plan_options_init_sized(rwa_plan_options *opts, size_t size);
#define rwa_plan_options_init(o) rwa_plan_options_init_sized((o), sizeof *(o))

/** What a paper's formula says for the plan's setting; beside, never instead of, what the schedule does. */
typedef struct rwa_formula {
    int known;                                  /**< 0: the scheme has no formula here */
    uint64_t steps;                             /**< at the number of stages used (and the radices, where they were given) */
    size_t stages;                              /**< entries of stage_wavelengths; 0: the formula gives none */
    uint64_t stage_wavelengths[RWA_STAGES_MAX];
    uint64_t best_steps;                        /**< at the paper's own best number of stages */
    uint32_t best_stages;                       /**< that number: OpTree Lemma 3 */
    const char *source;                         /**< "OpTree, Theorem 1" */
    uint64_t tunings;                           /**< star: wavelengths tuned; 0: the formula says nothing of it */
} rwa_formula;

/** A stage of a plan: lightpaths that start from the same holdings.  The plan owns it; it grows only at its end. */
typedef struct rwa_stage {
    uint32_t radix;             /**< optree: parts of each group; 0 with other schemes */
    uint64_t wavelengths;       /**< channels per direction that the stage needs to run in one step */
    uint64_t bound;             /**< no assignment of the stage's routes needs fewer; 0: unknown */
    uint64_t lightpaths;
    uint64_t backfilled;        /**< of them, sent in spare channels of the stage before */
} rwa_stage;

/** A scheme that "auto" compared.  Its optical power is unchecked.  The plan owns it; it grows only at its end. */
typedef struct rwa_alternative {
    const char *scheme;
    uint32_t steps;
    uint64_t blocks;            /**< it cuts the message into */
    double time_s;              /**< under the same cost model */
    uint32_t stripes, lightpath_blocks; /**< as in the options, at least 1 */
    uint32_t group;             /**< rotated-trees: as in the options; 0: left to the scheme */
} rwa_alternative;

/** From this message size on (bytes, as rwa_collective_init() takes it) a scheme is the quickest in the paper model.  The plan
 *  owns it; it grows only at its end. */
typedef struct rwa_crossover {
    const char *scheme;
    uint64_t from_bytes;
    uint32_t stripes, lightpath_blocks; /**< as in the options, at least 1 */
    uint32_t group;             /**< as in rwa_alternative */
} rwa_crossover;

/** Everything `rwa plan` prints.  Plain data, valid as long as the plan. */
typedef struct rwa_plan_report {
    rwa_outcome outcome;        /**< OPTIMAL: steps equal a bound; INFEASIBLE: `why` says which limit, and what would help */
    char why[RWA_ERROR_TEXT];   /**< empty unless the outcome is INFEASIBLE */
    const char *scheme;
    const char *solver;         /**< that coloured most of the lightpaths */
    size_t stages;              /**< all of them; rwa_plan_stage() describes the first RWA_STAGES_MAX */
    uint32_t steps;
    uint64_t lightpaths;
    uint32_t wavelengths_used;
    uint32_t longest_hops;
    rwa_formula formula;
    rwa_bound bound;            /**< the best in steps; value 0: none applies */
    double time_s;              /**< under options.cost */
    const rwa_check_report *check;  /**< the independent verdict; all 0 without a schedule */
    double plan_s;              /**< wall clock of planning, without the check */
    double check_s;
    uint32_t group;             /**< wrht, h-ring, rotated-trees: nodes in a group; 0: no groups */
    double paper_s, circuit_s;  /**< the time under either cost model; time_s is one of them */
    size_t alternatives;        /**< "auto": see rwa_plan_alternative() */
    size_t crossovers;          /**< "auto": see rwa_plan_crossover() */
    double time_bound_s;        /**< no schedule takes less time, however it cuts the message; 0: nothing is known */
    uint32_t stripes, lightpath_blocks; /**< parts of a block side by side; the most blocks of a lightpath; at least 1 */
    uint32_t receivers;         /**< the most nodes that read a lightpath; 1: nothing is tapped */
} rwa_plan_report;

/** A plan: a schedule and what is known about it.  Immutable. */
typedef struct rwa_plan rwa_plan;

/**
 * Plan a collective, check the schedule with the independent checker, and compare it with the bounds.  Reserved channels
 * and failed links of the network are planned around (but on star, ron and ocs).
 * @param[out] out  new plan, caller frees with rwa_plan_free(); also when no schedule satisfies the limits or the scheme
 *                  cannot be carried out in this setting (rwa_plan_summary()->outcome is RWA_INFEASIBLE,
 *                  rwa_plan_schedule() is then NULL).  The schedule's collective says into how many blocks the scheme
 *                  has cut the message
 * @param coll      its blocks: the default number, or the number the scheme works with
 * @param opts      NULL for the defaults.  None is ignored: a scheme that was asked for reads whatever is given; "auto" plans
 *                  with those that read the radices, stages, group, last exchange or split steps that are given, and of taps,
 *                  a solver or an order somebody must be able to make use.  Limits, seeds and times hold for all
 * @return RWA_OK; RWA_BADARG: unknown scheme or solver, radices that do not fit, an option that is given and not read (the
 *         message begins with its name and says who reads it), a collective the scheme cannot do, a device grid smaller than
 *         the network's; RWA_NOMEM (also when the plan would not fit this machine's memory);
 *         RWA_BACKEND; RWA_CANCELLED.
 *         Cost O(lightpaths) time and under 40 bytes a lightpath for one-stage and optree with the default solver
 */
RWA_API rwa_status rwa_plan_make(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                                 const rwa_plan_options *opts, rwa_error *err);
/**
 * Finish a collective after links failed in the middle of it.  What was sent before the failure stays as it was; what
 * still can be sent is; what the failure cut off is served from the nearest holders in spare channels, and in as few
 * further steps as several ways of doing so need, one of which begins afresh without what nodes hold.  After
 * opts->time_limit_s the best so far is taken.
 * @param[out] out   new plan of all steps, whose network has the failed links from at_step on; caller frees it; outcome
 *                   RWA_INFEASIBLE when some node can no longer be reached
 * @param sched      what was under way: copies only (no reductions), all nodes taking part, one block and one reader to a
 *                   lightpath, on a ring or line; borrowed
 * @param links      link_count directed links, as in rwa_network_link()
 * @param at_step    the step in which they failed: nothing crossed them in it; 1 … steps + 1
 * @param opts       limits, device, cost; NULL for the defaults
 * @return RWA_OK; RWA_BADARG; RWA_NOMEM; RWA_CANCELLED; RWA_BACKEND: the result did not pass the checker.
 *         Cost O(tries * (lightpaths * hops + steps * missing pairs * distance)), nodes * blocks bytes
 */
RWA_API rwa_status rwa_plan_repair(rwa_plan **out, const rwa_schedule *sched, const uint32_t *links, size_t link_count,
                                   uint32_t at_step, const rwa_plan_options *opts, rwa_error *err);
/** A block on its way from one node to another. */
typedef struct rwa_transfer {
    uint32_t step;              /**< from 1 */
    uint32_t src, dst;
    rwa_op op;
    uint64_t block;
} rwa_transfer;

/**
 * Routes and wavelengths for steps that somebody else has planned: who sends which block to whom is given, how is sought
 * here.  On rings and lines every transfer takes the shorter way; elsewhere routes are chosen as rwa_assign() does.  A
 * step that the channels do not suffice for becomes several in a row.
 * @param[out] out  new schedule, caller frees with rwa_schedule_free().  No light of it clashes; whether it carries out
 *                  the collective is the checker's question, rwa_check_schedule()
 * @param scheme    the name for the header; copied; NULL for ""
 * @param list      count transfers, their steps ascending; numbers may be left out; borrowed
 * @param opts      solver and solving, time_limit_s (for all steps together), max_hops, seed, poll; NULL for the defaults
 * @return RWA_OK; RWA_BADARG: a node outside the network, steps that go down, a block outside the collective, a reduction
 *         where it has none, no route, a star, ron or ocs, reserved channels or failed links, a step of a reduction that
 *         would have to be split between reading a value and changing it; RWA_NOMEM; RWA_BACKEND; RWA_CANCELLED
 */
RWA_API rwa_status rwa_plan_transfers(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll,
                                      const char *scheme, const rwa_transfer *list, size_t count,
                                      const rwa_plan_options *opts, rwa_error *err);
/**
 * How a plan was made, in words and small drawings: the task, the tree's stages or the way of one block, the loads, the
 * bound, and where the light goes.
 * @param[out] text  UTF-8; caller frees with rwa_text_free()
 * @param device     the one the plan was made with; borrowed, or NULL
 * @param stage      only this stage (of a tree) or step; 0: all of it
 * @return RWA_OK; RWA_BADARG: an infeasible plan, a stage it has not; RWA_NOMEM.  Cost O(lightpaths)
 */
RWA_API rwa_status rwa_plan_explain(char **text, const rwa_plan *plan, const rwa_device *device, size_t stage,
                                    rwa_error *err);
RWA_API void rwa_plan_free(rwa_plan *plan);

RWA_API const rwa_plan_report *rwa_plan_summary(const rwa_plan *plan);
RWA_API const rwa_schedule *rwa_plan_schedule(const rwa_plan *plan);    /**< lives as long as the plan */
/** Stage i from 0, which lives as long as the plan; NULL past the stages, or past the first RWA_STAGES_MAX of them. */
RWA_API const rwa_stage *rwa_plan_stage(const rwa_plan *plan, size_t i);
/** Feasible scheme i beside the chosen one, 0 … alternatives - 1, the quickest first; NULL past the end. */
RWA_API const rwa_alternative *rwa_plan_alternative(const rwa_plan *plan, size_t i);
/** Crossover i, 0 … crossovers - 1, the smallest message size first; NULL past the end. */
RWA_API const rwa_crossover *rwa_plan_crossover(const rwa_plan *plan, size_t i);

/** The schemes: name, one line on each, and the paper; NULL past the end. */
RWA_API const char *rwa_scheme_name(size_t i);
RWA_API const char *rwa_scheme_summary(size_t i);
RWA_API const char *rwa_scheme_source(size_t i);

#ifdef __cplusplus
}
#endif
#endif
