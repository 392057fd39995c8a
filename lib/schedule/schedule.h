/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a schedule: one array per member, 17 bytes a record without orbits and lists. */
#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include "rwa/schedule.h"

#include <stdbool.h>

/** flags of a record: bit 0 the direction, bit 1 the operation */
enum { RECORD_CCW = 1, RECORD_REDUCE = 2 };

/** The lists of all records, one behind the other: path_nodes, block_count, tap_count, then what they count. */
struct pool {
    uint32_t *words;
    size_t used, room;
};

struct rwa_schedule {
    struct rwa_network *net;
    rwa_collective coll;
    uint32_t *members;      /* NULL: all nodes */
    char *scheme;
    bool needs_path;        /* the network lists its links */
    uint32_t fibers;        /* of the link that has most */
    size_t count;
    size_t capacity;
    uint32_t *src;
    uint32_t *dst;
    uint32_t *block;
    uint32_t *channel;      /* fiber * wavelengths + wavelength */
    uint8_t *flags;
    uint32_t *orbit;        /* NULL while no record has an orbit */
    uint32_t *period;
    uint64_t *lists;        /* place in the pool plus 1, 0: none; NULL while no record has lists */
    struct pool pool;
    bool merged;            /* some record has several blocks, or taps */
    uint32_t slots;         /* most blocks of a record */
    uint32_t drops;         /* most receivers of a record */
    uint64_t *first;        /* first record of step s at first[s - 1]; steps + 1 entries once closed */
    size_t first_capacity;
    uint32_t *step_blocks;  /* of each step: most blocks of a record, at least 1 */
    size_t step_capacity;
    uint32_t steps;
    uint64_t lightpaths;
};

/** The lightpaths of a step one after the other, orbits written out:
 *  for (struct walk w = walk_step(sched, step); walk_next(&w);) … w.lp … */
struct walk {
    const rwa_schedule *sched;
    uint64_t record, end;   /* of the lightpath; behind the step */
    uint32_t turn;          /* in the record's orbit */
    rwa_lightpath whole;    /* the record */
    rwa_lightpath lp;
};
struct walk walk_step(const rwa_schedule *sched, uint32_t step);
bool walk_next(struct walk *walk);

/** Room for exactly `records` more records, so that a planner that knows its size wastes nothing. */
rwa_status schedule_reserve(struct rwa_schedule *sched, size_t records, rwa_error *err);

/** Whether the format of this schedule needs version 2. */
bool schedule_is_merged(const struct rwa_schedule *sched);

/** RWA_BADARG unless the members ascend within the network. */
rwa_status members_refuse(const struct rwa_network *net, const uint32_t *members, uint32_t count, rwa_error *err);

/* Lists, in a file of their own. */

/** RWA_BADARG unless path, taps and blocks are right for this record. */
rwa_status lists_refuse(const struct rwa_schedule *sched, const rwa_lightpath *lp, const rwa_lists *lists, rwa_error *err);
/** Append to the pool; *place is where they are. */
rwa_status pool_put(struct pool *pool, const rwa_lists *lists, uint64_t *place, rwa_error *err);
void pool_get(const struct pool *pool, uint64_t place, rwa_lists *out);

#endif
