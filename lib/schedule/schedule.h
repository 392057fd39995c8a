/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a schedule: one array per member, 17 bytes a record without orbits. */
#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include "rwa/schedule.h"

/** flags of a record: bit 0 the direction, bit 1 the operation */
enum { RECORD_CCW = 1, RECORD_REDUCE = 2 };

struct rwa_schedule {
    struct rwa_network *net;
    rwa_collective coll;
    char *scheme;
    size_t count;
    size_t capacity;
    uint32_t *src;
    uint32_t *dst;
    uint32_t *block;
    uint32_t *channel;      /* fiber * wavelengths + wavelength */
    uint8_t *flags;
    uint32_t *orbit;        /* NULL while no record has an orbit */
    uint32_t *period;
    uint64_t *first;        /* first record of step s at first[s - 1]; steps + 1 entries once closed */
    size_t first_capacity;
    uint32_t steps;
    uint64_t lightpaths;
};

/** Room for exactly `records` more records, so that a planner that knows its size wastes nothing. */
rwa_status schedule_reserve(struct rwa_schedule *sched, size_t records, rwa_error *err);

#endif
