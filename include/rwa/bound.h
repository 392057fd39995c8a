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
 * Every bound that applies, first those on the steps from the highest down, for all schedules in which lightpaths
 * carry at most opts->lightpath_blocks blocks and have at most opts->max_drops receivers.  Reserved channels and failed
 * links of the network strengthen the bounds.
 * @param[out] out  new list, caller frees with rwa_bounds_free(); empty when no bound applies
 * @param opts      NULL for the defaults
 * @return RWA_OK; RWA_BADARG: members that do not ascend or lie outside the network, a collective that does not fit,
 *         lightpath_blocks of 0 or above RWA_LIGHTPATH_BLOCKS_MAX; RWA_NOMEM; RWA_CANCELLED.  Cost on rings and lines
 *         of N nodes for a bound of T steps: broadcast-tree O(sqrt N log N), with a hop limit O(T * distances);
 *         link-capacity (lines up to some 150 nodes only) O(N³ T) a round, at most some 2 s; the others O(1).
 *         Networks of listed links: some walks from every node, O(nodes * links), less on large ones.
 */
RWA_API rwa_status rwa_bounds_make(rwa_bounds **out, const rwa_network *net, const rwa_collective *coll,
                                   const rwa_bound_options *opts, rwa_error *err);
RWA_API void rwa_bounds_free(rwa_bounds *bounds);
RWA_API size_t rwa_bounds_count(const rwa_bounds *bounds);
/** Bound i, 0 … count - 1, which lives as long as the list; NULL past the end. */
RWA_API const rwa_bound *rwa_bounds_get(const rwa_bounds *bounds, size_t i);

/** The sentence that leads to the value of bound i from numbers of this task ("15 blocks must reach one node, and 4
 *  pass in a step: 15 / 4 = 3.75, so 4"); lives as long as the list; NULL past the end. */
RWA_API const char *rwa_bounds_proof(const rwa_bounds *bounds, size_t i);

/** The two sides of the cut that bound i counts over, of "cut" and "pairs", or the busiest node and all others, of
 *  "receive" and "send": 1: the node is on the side that the blocks leave, 0: on the other (in a reduce to one root,
 *  which is bounded backwards in time, the sides are exchanged); -1: bound i counts all links or nodes together, or
 *  there is no such bound or node.  A node of a ring or line that takes no part is on the side of the participant
 *  before it. */
RWA_API int rwa_bounds_sends(const rwa_bounds *bounds, size_t i, uint32_t node);

/** The largest bound on the steps that holds; out->value is 0 if no bound applies. */
RWA_API rwa_status rwa_bound_best(rwa_bound *out, const rwa_network *net, const rwa_collective *coll,
                                  const rwa_bound_options *opts, rwa_error *err);

/**
 * A lower bound on the time of any schedule of the same bytes, for any number of blocks and any grouping of them, at
 * the prices of a cost model.  opts->lightpath_blocks is ignored.
 * @param[out] seconds  0 when no bound is known
 * @param[out] proof    NULL, or RWA_ERROR_TEXT bytes: the sentence that says of which terms the bound consists; empty
 *                      when no bound is known
 * @param floor         from rwa_cost_floor()
 * @return as rwa_bounds_make().  Cost as there
 */
RWA_API rwa_status rwa_bound_time(double *seconds, char *proof, const rwa_network *net, const rwa_collective *coll,
                                  const rwa_cost_prices *floor, const rwa_bound_options *opts, rwa_error *err);

#endif
