/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of channel owners and the cost of pushing them out, for the tabu search. */
#pragma once

#include "solvers/spectrum.h"

/** Channels of a block: loops over a block have a fixed length, so that compilers vectorise them. */
enum { TABLE_BLOCK = 4 };

/** An owner for each (link, channel), in rows of `stride` channels.  Costs are floats, because these have an
 *  infinity and four of them fit a register. */
struct table {
    const struct candidates *cand;
    uint32_t channels;
    uint32_t stride;    /* channels, rounded up to whole blocks and more */
    struct placement at;
    uint32_t *owner;    /* owner[l * stride + w]: a demand, or TABLE_FREE, or TABLE_TAKEN */
    float *cost;        /* cost[l * stride + w]: cost of pushing that owner out; 0: free; INFINITY: taken */
    float *sum;         /* of each channel, by table_sum() */
    struct channel_map map;     /* the channels without an owner */
    struct arena arena;
};

#define TABLE_FREE UINT32_MAX
#define TABLE_TAKEN (UINT32_MAX - 1)

/** An empty table for channels 0 … channels - 1 and lightpaths of one slot; starts as zeros; free it also after a
 *  failure. */
rwa_status table_create(struct table *table, const struct spectrum *spectrum, uint32_t channels, rwa_error *err);
void table_free(struct table *table);

/** Place a demand on a route.  Segment s of the route (the links between two converters) takes channel
 *  table->at.channel[s], which the caller has set and which must be free there.  `cost` is what it costs another
 *  demand to push it out. */
void table_put(struct table *table, uint32_t demand, size_t route, float cost);
/** Remove a placed demand from its channels. */
void table_lift(struct table *table, uint32_t demand);
/** Remove the last channel, which no demand uses. */
void table_shrink(struct table *table);
/**
 * Fill table->sum: for each channel, the cost of all its owners on the links of a segment.  An owner that the segment
 * meets, leaves and meets again counts each time.
 * @param until  of each channel, stride entries: its sum is INFINITY where this is greater than `now`
 * @return the least of these sums.  O(hops * channels)
 */
float table_sum(struct table *table, size_t segment, const int32_t *until, int32_t now);
/** Debug builds: abort unless placement, owners and full channels agree.  O(hops placed + channels of links). */
#ifndef NDEBUG
void table_check(const struct table *table);
#else
#define table_check(table) ((void)(table))
#endif
