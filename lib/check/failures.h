/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Shared backups.  Those of routes that have failed are lit now, and no two on one channel; and every single failure is tried: whatever it
 * breaks must be able to switch over at once.
 */
#pragma once

#include "base/bins.h"
#include "rwa/status.h"

/** A shared backup: the carriers of its working route, then carriers and channels of its own, in `numbers`. */
struct shared_backup {
    uint64_t record, demand;
    size_t first;               /* in numbers */
    uint32_t working, places;   /* carriers; pairs of a carrier and a channel */
    bool lit;                   /* its working route has failed, and it is neither broken nor marked down */
    bool waits;                 /* marked down, though no link of it has failed */
};

/** Start with zeros. */
struct failures {
    uint32_t *working;          /* carriers of the last working route */
    size_t working_count, working_capacity;
    struct shared_backup *list;
    size_t count, capacity;
    uint32_t *numbers;
    size_t number_count, number_capacity;
};

/** No failure, but what has failed already. */
#define FAILED_NOW SIZE_MAX

/** Two backups that one failure needs on one channel; without `other` a backup that waits for no lit one. */
struct conflict {
    const struct shared_backup *backup, *other;
    uint32_t carrier, channel;
    size_t failure;             /* a carrier, carriers + a risk group, or FAILED_NOW */
};

void failures_free(struct failures *f);
/** A working route; a backup that follows belongs to it. */
rwa_status failures_begin(struct failures *f, const uint32_t *carriers, uint32_t count, rwa_error *err);
/** A backup of the last working route (record, demand, lit, waits), then its places one by one. */
rwa_status failures_add(struct failures *f, const struct shared_backup *backup, rwa_error *err);
rwa_status failures_add_place(struct failures *f, uint32_t carrier, uint32_t channel, rwa_error *err);
/** Place i of a backup. */
void failures_place(const struct failures *f, const struct shared_backup *backup, uint32_t i, uint32_t *carrier, uint32_t *channel);

/**
 * The backups that are lit now: report each place that two of them hold, and each backup that waits without a lit one on its places.
 * Then let every carrier fail, and every risk group: all carriers of a group at once.
 * @param risks   of each carrier its groups
 * @param report  also called for each place that two backups need after one failure, once for each failure and place
 * Cost O(sum over backups of (carriers of the working route and its groups) * places)
 */
rwa_status failures_check(const struct failures *f, uint32_t carriers, uint64_t channels, const struct bins *risks, size_t groups,
                          void (*report)(void *data, const struct conflict *conflict), void *data, rwa_error *err);
