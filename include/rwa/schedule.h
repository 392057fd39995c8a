/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules: steps of lightpaths.  Compact in memory (17 bytes a record, 8 more with orbits, and the size of its
 *  lists); orbits stay symbolic. */
#ifndef RWA_SCHEDULE_H
#define RWA_SCHEDULE_H

#include "rwa/collective.h"

/** The operation of the receiver: replace its copy of the block, or (in reductions) add to it. */
typedef enum rwa_op { RWA_COPY = 0, RWA_REDUCE = 1 } rwa_op;

/**
 * One record of a schedule: one lightpath, or with orbit > 1 the lightpaths i = 0 … orbit-1.  On a ring lightpath i has
 * src and dst plus i (mod nodes), the block of the shifted owner, and channel B + (c - B + i) mod period, where c is
 * fiber * wavelengths + wavelength and B the largest multiple of the period that is not above c.  On a torus or
 * hypercube, orbit is the number of nodes, and lightpath i is translated by the coordinates of node i:
 * docs/reference/formats.md, "Orbits".
 */
typedef struct rwa_lightpath {
    uint32_t step;          /**< from 1 */
    uint32_t src, dst;
    uint32_t fiber;
    uint32_t wavelength;
    uint32_t orbit;         /**< 1: this lightpath alone */
    uint32_t period;        /**< of the channel along the orbit; unused if orbit is 1 */
    rwa_direction direction;
    rwa_op op;
    uint64_t block;
} rwa_lightpath;

/** A run of blocks: first, first + stride, first + 2 stride, … */
typedef struct rwa_run {
    uint32_t first, count, stride;
} rwa_run;

/**
 * The lists of a record.  The caller keeps ownership of every pointer; an empty list is NULL with count 0.
 * On ring and line the direction gives the route, so there is no path; on star, ron and ocs the path is always src and
 * dst, and a schedule does not store it.  The caller gives several blocks as `blocks` or as `runs`; a schedule keeps
 * their order, stores them as runs and returns runs only.
 */
typedef struct rwa_lists {
    const uint32_t *path;       /**< the nodes from src to dst, one more than hops; on networks that list links */
    uint32_t path_nodes;
    const uint32_t *blocks;     /**< input only: all move from src to dst on this lightpath, in place of the record's
                                     block */
    uint32_t block_count;       /**< of `blocks`, or of all `runs` together; 0: the record's block alone */
    const uint32_t *taps;       /**< further receivers, on the route between src and dst in travel order */
    uint32_t tap_count;
    const rwa_run *runs;        /**< the blocks as runs; not together with `blocks` */
    uint32_t run_count;
} rwa_lists;

/** A schedule.  One thread fills it; then any number of threads may read it. */
typedef struct rwa_schedule rwa_schedule;

/**
 * Create an empty schedule.
 * @param[out] out  new schedule, caller frees with rwa_schedule_free()
 * @param net       copied
 * @param coll      copied; it must have as many nodes as the network
 * @param scheme    the name written into the header; copied; NULL for ""
 * @return RWA_OK; RWA_BADARG: a collective on another number of nodes; RWA_NOMEM
 */
RWA_API rwa_status rwa_schedule_create(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll,
                                       const char *scheme, rwa_error *err);

/**
 * Create an empty schedule of a collective in which only some nodes, the members, take part.  Node i of the collective
 * is members[i]; the root and the owners of blocks use these numbers i too.  Lightpaths start and end at members only.
 * @param[out] out  as in rwa_schedule_create()
 * @param members   coll->nodes of the network's nodes, ascending; copied.  All nodes: as rwa_schedule_create()
 * @return as rwa_schedule_create(); RWA_BADARG also for members that do not ascend or are not in the network
 */
RWA_API rwa_status rwa_schedule_create_among(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll,
                                             const uint32_t *members, const char *scheme, rwa_error *err);
RWA_API void rwa_schedule_free(rwa_schedule *sched);

/**
 * Append one record.  Steps must not descend.  Amortised O(1).
 * @return RWA_OK; RWA_BADARG: a step before the last one or 0, a node, fibre, wavelength or block outside the header's
 *         ranges, no route in this direction, an orbit that the format does not allow; RWA_NOMEM.
 *         On failure the schedule is unchanged.
 */
RWA_API rwa_status rwa_schedule_add(rwa_schedule *sched, const rwa_lightpath *lightpath, rwa_error *err);

/**
 * Append one record with a copy of its lists.  If they have several blocks, the record's own block is ignored.
 * @param lists  NULL for none
 * @return as rwa_schedule_add(); RWA_BADARG also for a path that does not lead from src to dst over links of the
 *         network (networks that list links need a path, others take none), taps that are not on the route in travel
 *         order, blocks outside the header's range.  Cost O(nodes in the lists, times log degree)
 */
RWA_API rwa_status rwa_schedule_add_lists(rwa_schedule *sched, const rwa_lightpath *lightpath, const rwa_lists *lists,
                                          rwa_error *err);
/** Append one record with a path of path_nodes nodes and no other list.  Errors and cost as
 *  rwa_schedule_add_lists(). */
RWA_API rwa_status rwa_schedule_add_path(rwa_schedule *sched, const rwa_lightpath *lightpath, const uint32_t *path,
                                         uint32_t path_nodes, rwa_error *err);

/**
 * Let a new epoch begin at each of these steps in the models circuit and overlap (docs/reference/formats.md, "Time"),
 * in place of earlier cuts.  A planner cuts an epoch where the optical power does not allow all its lightpaths to be
 * tuned at the same time.
 * @param steps  `count` of them, ascending, each at least 2 and at most the last step so far; copied; count 0: no cuts
 * @return RWA_OK; RWA_BADARG: not ascending, or not such steps; RWA_NOMEM.  On failure the schedule is unchanged.
 */
RWA_API rwa_status rwa_schedule_cut_epochs(rwa_schedule *sched, const uint32_t *steps, size_t count, rwa_error *err);
/** Set *steps to the steps at which epochs are cut (rwa_schedule_cut_epochs()), ascending, and return how many there
 *  are; 0, and NULL, without cuts.  They live until the cuts change. */
RWA_API size_t rwa_schedule_epoch_cuts(const uint32_t **steps, const rwa_schedule *sched);

/** Return the network of a schedule; rwa_schedule_collective() returns its collective.  Both are to be read only, and
 *  live as long as the schedule. */
RWA_API const rwa_network *rwa_schedule_network(const rwa_schedule *sched);
RWA_API const rwa_collective *rwa_schedule_collective(const rwa_schedule *sched);
/** Return the nodes that take part, as many as the collective has; NULL: all nodes of the network. */
RWA_API const uint32_t *rwa_schedule_members(const rwa_schedule *sched);
RWA_API const char *rwa_schedule_scheme(const rwa_schedule *sched);
RWA_API uint32_t rwa_schedule_steps(const rwa_schedule *sched);
RWA_API uint64_t rwa_schedule_records(const rwa_schedule *sched);
RWA_API uint64_t rwa_schedule_lightpaths(const rwa_schedule *sched);  /**< orbits counted in full */
/** Return the first record of a step, 1 … steps + 1.  The records of step s are first(s) … first(s + 1) - 1. */
RWA_API uint64_t rwa_schedule_first(const rwa_schedule *sched, uint32_t step);
/** Set *out to record i, 0 … records - 1. */
RWA_API void rwa_schedule_get(rwa_lightpath *out, const rwa_schedule *sched, uint64_t i);

/** The records of a schedule as columns, one entry for each record; the pointers live until the schedule changes. */
typedef struct rwa_columns {
    uint64_t records;
    const uint32_t *src, *dst;
    const uint32_t *block;      /**< of a record with several blocks, the first as it was given; rwa_schedule_lists()
                                     has all */
    const uint32_t *channel;    /**< fiber * wavelengths + wavelength */
    const uint8_t *flags;       /**< bit 0: counter-clockwise; bit 1: reduce */
    const uint32_t *orbit, *period;     /**< NULL: every orbit is 1 */
} rwa_columns;

/** Set *out to the columns of the records, without a copy.  The records of a step are a range (rwa_schedule_first()).
 *  *out is an answer in the sense of docs/reference/versions.md; the macro rwa_schedule_columns() passes size = sizeof
 *  *out. */
RWA_API void rwa_schedule_columns_sized(rwa_columns *out, size_t size, const rwa_schedule *sched);
#define rwa_schedule_columns(out, sched) rwa_schedule_columns_sized((out), sizeof(rwa_columns), (sched))

/** Set *out to the lists of record i, which live until the schedule changes. */
RWA_API void rwa_schedule_lists(rwa_lists *out, const rwa_schedule *sched, uint64_t i);
/**
 * List the blocks of a record as runs; a single block is one run.
 * @param[out] runs  the runs, in `lists` or in `one`
 * @param one        space for the run of a single block
 * @param lists      from rwa_schedule_lists() or rwa_reader_lists()
 * @return the number of runs, at least 1
 */
RWA_API uint32_t rwa_lists_runs(const rwa_run **runs, rwa_run *one, const rwa_lightpath *record,
                                const rwa_lists *lists);
/** Return the nodes of the path of record i, and set *nodes to their number.  NULL, and 0 nodes, if the network needs
 *  no paths. */
RWA_API const uint32_t *rwa_schedule_path(uint32_t *nodes, const rwa_schedule *sched, uint64_t i);
/** Return the most blocks that one lightpath of the schedule carries. */
RWA_API uint32_t rwa_schedule_lightpath_blocks(const rwa_schedule *sched);
/** Return the most blocks that one lightpath of a step (1 … steps) carries, at least 1: the step lasts as long as their
 *  transfer. */
RWA_API uint32_t rwa_schedule_step_blocks(const rwa_schedule *sched, uint32_t step);
/** Return the transfer time of the schedule in blocks: the sum of rwa_schedule_step_blocks() over all steps.
 *  O(steps). */
RWA_API uint64_t rwa_schedule_block_times(const rwa_schedule *sched);
/** Return the most receivers of a lightpath; 1 without taps. */
RWA_API uint32_t rwa_schedule_receivers(const rwa_schedule *sched);

/** Set *out to lightpath i, 0 … record->orbit - 1, of the orbit of a record; out->orbit is 1.  O(1). */
RWA_API void rwa_lightpath_of_orbit(rwa_lightpath *out, const rwa_lightpath *record, uint32_t i, const rwa_network *net,
                                    const rwa_collective *coll);
/** Return the node that lightpath i of an orbit has in place of `node`, a node of the path or a tap of its record.
 *  O(1). */
RWA_API uint32_t rwa_node_of_orbit(uint32_t node, uint32_t i, const rwa_network *net);

/** Copy a schedule with every orbit written out.  The caller frees *out with rwa_schedule_free().  Cost O(lightpaths).
 *  RWA_NOMEM. */
RWA_API rwa_status rwa_schedule_expand(rwa_schedule **out, const rwa_schedule *sched, rwa_error *err);

#endif
