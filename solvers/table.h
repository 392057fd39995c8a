/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of channel owners, for searches that push others out. */
#pragma once

#include "solvers/spectrum.h"

/** An owner for each (channel, link). */
struct table {
    const struct candidates *cand;
    uint32_t channels;
    struct placement at;
    uint32_t *owner;    /* owner[w * links + l]: a demand, or TABLE_FREE, or TABLE_TAKEN */
    struct spectrum spectrum;   /* one slot each */
    struct map map;             /* the channels without an owner */
};

#define TABLE_FREE UINT32_MAX
#define TABLE_TAKEN (UINT32_MAX - 1)

/** An empty table for channels 0 … channels - 1; `table` starts as zeros, and stays where it is; free it also after a failure. */
rwa_status table_create(struct table *table, const struct candidates *cand, uint32_t channels, rwa_error *err);
void table_free(struct table *table);

/** Place a demand on a route whose segments are free on the channels channel[s] of placement `at`. */
void table_put(struct table *table, uint32_t demand, size_t route);
/** Take a placed demand's channels back. */
void table_lift(struct table *table, uint32_t demand);
/** Do without the last channel, which no demand has. */
void table_shrink(struct table *table);
/** Debug builds: abort unless placement, owners and full channels agree.  O(hops placed + channels of links). */
#ifndef NDEBUG
void table_check(const struct table *table);
#else
#define table_check(table) ((void)(table))
#endif
/** The same placement as elsewhere, as far as its wavelengths are below ours; `table` must be empty. */
void table_load(struct table *table, const struct placement *from);
