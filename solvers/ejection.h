/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The cost of pushing the owners of a channel out of a segment, for all channels at once. */
#pragma once

#include "solvers/table.h"

/** Channels of a block: loops over a block have a fixed length, so that compilers vectorise them. */
enum { EJECTION_BLOCK = 4 };

/** Floats, because infinity is a cost and four of them fit a register.  Rows of `stride` channels. */
struct ejection {
    const struct table *table;
    uint32_t stride;        /* channels, rounded up to whole blocks and more */
    uint32_t *owner;        /* owner[l * stride + w], as in the table */
    float *cost;            /* cost[l * stride + w]: to push that owner out; 0: free; INFINITY: taken */
    float *sum;             /* of each channel, by ejection_sum() */
    struct arena arena;
};

/** For tables of at most so many channels; starts as zeros; free it also after a failure. */
rwa_status ejection_create(struct ejection *e, const struct table *table, uint32_t channels, rwa_error *err);
void ejection_free(struct ejection *e);
/** Begin with the table as it stands; cost[d] of demand d.  O(links * channels). */
void ejection_load(struct ejection *e, const float *cost);
/** After table_put(). */
void ejection_put(struct ejection *e, uint32_t demand, float cost);
/** After table_shrink(). */
void ejection_shrink(struct ejection *e);
/** Before table_lift(). */
void ejection_lift(struct ejection *e, uint32_t demand);
/**
 * e->sum: for each channel the cost of all that own it on a segment.  An owner that the segment meets, leaves and meets again
 * counts for each time.
 * @param from   channels from … to - 1 only: whole blocks
 * @param until  of each channel, stride entries: INFINITY where it is greater than `now`
 * @return the least of them.  O(hops * channels)
 */
float ejection_sum(struct ejection *e, size_t segment, uint32_t from, uint32_t to, const int32_t *until, int32_t now);
