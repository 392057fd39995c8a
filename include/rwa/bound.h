/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lower bounds on any schedule.  Each has a name, a value, a statement and a source. */
#ifndef RWA_BOUND_H
#define RWA_BOUND_H

#include "rwa/cost.h"

enum { RWA_LIGHTPATH_BLOCKS_MAX = 4096 };

typedef struct rwa_bound {
    const char *name;       /**< "broadcast-tree"; constants, never NULL */
    uint64_t value;
    const char *unit;       /**< "wavelengths" (of a one-stage exchange) or "steps" (of any schedule) */
    const char *statement;  /**< one sentence: the quantity that is bounded, and the reason */
    const char *source;     /**< the paper and its lemma, or the section of docs/reference/bounds.md with the proof */
    int holds;              /**< 1: a lower bound; 0: printed in a paper, but no lower bound on this network */
} rwa_bound;

typedef struct rwa_bound_options {
    size_t struct_size;     /**< set by init */
    uint32_t max_hops;      /**< most links of a lightpath; 0: no limit */
    rwa_poll poll;
    void *poll_data;
    const uint32_t *members;    /**< the coll->nodes participants, ascending; NULL: all nodes; borrowed */
    uint32_t lightpath_blocks;  /**< most blocks of a lightpath, 1 … RWA_LIGHTPATH_BLOCKS_MAX; default 1 */
    int taps;                   /**< 1: any number of nodes may receive a lightpath; default 0 */
    uint32_t max_drops;         /**< most receivers of a lightpath, its dst and taps; 0: 1, or with `taps` any number */
} rwa_bound_options;

RWA_INIT(rwa_bound_options)

/** The bounds of one task.  Immutable; free them with rwa_bounds_free(). */
typedef struct rwa_bounds rwa_bounds;

/**
 * Compute every lower bound that applies to schedules in which lightpaths carry at most opts->lightpath_blocks blocks
 * and have at most opts->max_drops receivers.  The bounds on the steps come first, the highest first.  Reserved
 * channels and failed links of the network make bounds higher.
 * @param[out] out  new list, caller frees with rwa_bounds_free(); empty when no bound applies
 * @param opts      NULL for the defaults
 * @return RWA_OK; RWA_BADARG: members that do not ascend or lie outside the network, a collective that does not fit,
 *         lightpath_blocks of 0 or above RWA_LIGHTPATH_BLOCKS_MAX; RWA_NOMEM; RWA_CANCELLED.  Cost on rings and lines
 *         of N nodes for a bound of T steps: broadcast-tree O(sqrt N log N), with a limit of H hops O(T H);
 *         link-capacity (lines up to some 150 nodes only) O(N³ T) for each round of its search, at most some 2 s in
 *         all; the others O(1).  Networks of listed links: O(nodes * links) for searches from every node; on large
 *         networks less, since they begin at fewer nodes
 */
RWA_API rwa_status rwa_bounds_make(rwa_bounds **out, const rwa_network *net, const rwa_collective *coll,
                                   const rwa_bound_options *opts, rwa_error *err);
RWA_API void rwa_bounds_free(rwa_bounds *bounds);
RWA_API size_t rwa_bounds_count(const rwa_bounds *bounds);
/** Return bound i, 0 … count - 1, which lives as long as the list; NULL past the end. */
RWA_API const rwa_bound *rwa_bounds_get(const rwa_bounds *bounds, size_t i);

/** Return a sentence that computes the value of bound i from the numbers of this task, such as "15 blocks must reach
 *  one node, and 4 pass in a step: 15 / 4 = 3.75, so 4".  It lives as long as the list; NULL past the end. */
RWA_API const char *rwa_bounds_proof(const rwa_bounds *bounds, size_t i);

/** Tell on which side of bound i a node is.  The bounds "cut" and "pairs" divide the nodes into the two sides of a cut,
 *  "receive" and "send" into the busiest node and all others; other bounds do not divide them.  Return 1 on the side
 *  that the blocks leave and 0 on the side that they reach; in a reduce to one root, which is bounded backwards in
 *  time, 0 and 1 change places.  Return -1 if bound i does not divide the nodes, or if there is no such bound or node.
 *  On a ring or line, a node that takes no part is on the side of the participant before it. */
RWA_API int rwa_bounds_sends(const rwa_bounds *bounds, size_t i, uint32_t node);

/** Set *out to the largest bound on the steps that holds (rwa_bound.holds); out->value is 0 if no bound applies.
 *  Errors and cost as rwa_bounds_make(). */
RWA_API rwa_status rwa_bound_best(rwa_bound *out, const rwa_network *net, const rwa_collective *coll,
                                  const rwa_bound_options *opts, rwa_error *err);

/**
 * Compute a lower bound on the time of a collective in a cost model.  It holds for any schedule that moves the bytes of
 * `coll`, whatever the number of blocks and however many of them a lightpath carries.  opts->lightpath_blocks is
 * ignored.
 * @param[out] seconds  0 when no bound is known
 * @param[out] proof    NULL, or RWA_ERROR_TEXT bytes: a sentence with the terms of the bound; empty when no bound is
 *                      known
 * @param floor         the prices of the cost model, from rwa_cost_floor()
 * @return as rwa_bounds_make().  Cost as rwa_bounds_make()
 */
RWA_API rwa_status rwa_bound_time(double *seconds, char *proof, const rwa_network *net, const rwa_collective *coll,
                                  const rwa_cost_prices *floor, const rwa_bound_options *opts, rwa_error *err);

#endif
