/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The failures that shared backups are for, one after the other: whatever a failure breaks must be able to switch over at once. */
#pragma once

#include "base/bins.h"
#include "rwa/status.h"

/** A shared backup: the carriers of its working route, then carriers and channels of its own, in `numbers`. */
struct shared_backup {
    uint64_t record, demand;
    size_t first;               /* in numbers */
    uint32_t working, places;   /* carriers; pairs of a carrier and a channel */
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

/** Two backups that one failure needs on one channel. */
struct conflict {
    const struct shared_backup *backup, *other;
    uint32_t carrier, channel;
    size_t failure;             /* a carrier, or carriers + a risk group */
};

void failures_free(struct failures *f);
/** A working route; a backup that follows belongs to it. */
rwa_status failures_begin(struct failures *f, const uint32_t *carriers, uint32_t count, rwa_error *err);
/** A backup of the last working route, then its places one by one. */
rwa_status failures_add(struct failures *f, uint64_t record, uint64_t demand, rwa_error *err);
rwa_status failures_add_place(struct failures *f, uint32_t carrier, uint32_t channel, rwa_error *err);
/** Place i of a backup. */
void failures_place(const struct failures *f, const struct shared_backup *backup, uint32_t i, uint32_t *carrier, uint32_t *channel);

/**
 * Let every carrier fail, and every risk group: all carriers of a group at once.
 * @param risks   of each carrier its groups
 * @param report  called for each place that two backups need after one failure, once for each failure and place
 * Cost O(sum over backups of (carriers of the working route and its groups) * places)
 */
rwa_status failures_check(const struct failures *f, uint32_t carriers, uint64_t channels, const struct bins *risks, size_t groups,
                          void (*report)(void *data, const struct conflict *conflict), void *data, rwa_error *err);
