/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Route candidates of demands, placements on them, and the table of channel owners. */
#pragma once

#include "base/arena.h"

#define NO_ROUTE SIZE_MAX

struct channel {
    uint32_t link, channel;     /* channel = wavelength * fibers + fiber */
};

/**
 * The candidates of all demands.  A route is cut into segments at wavelength converters (without them it is one segment).  Each
 * segment has one channel: a wavelength of one of the parallel fibres.  Arrays are borrowed; every route has a link, no segment has
 * a link twice.
 */
struct candidates {
    uint32_t links;
    uint32_t fibers;            /* parallel fibres, at least 1: channel w is wavelength w / fibers of fibre w % fibers */
    const uint32_t *fibers_of;  /* NULL, or the fibres of each link, the first of those */
    uint32_t demands;
    const size_t *route;        /* demand d: routes route[d] … route[d + 1] - 1 */
    const size_t *segment;      /* route r: segments segment[r] … segment[r + 1] - 1 */
    const size_t *hop;          /* segment s: links link[hop[s]] … link[hop[s + 1] - 1] */
    const uint32_t *link;
    const struct channel *taken;    /* taken_count channels no demand may have */
    size_t taken_count;
};

/** A choice for every demand, which the searches improve. */
struct placement {
    uint32_t channels;  /* channels 0 … channels - 1 are used */
    uint32_t placed;    /* demands with a route */
    size_t *route;      /* of each demand, an index into cand->segment; NO_ROUTE: not placed */
    uint32_t *channel;  /* of each segment; meaningful for the routes chosen */
};

rwa_status placement_create(struct placement *p, const struct candidates *cand, rwa_error *err);
void placement_free(struct placement *p);
void placement_copy(struct placement *to, const struct placement *from, const struct candidates *cand);

/** "w3", or "f1_w3" where links have several fibres; returns text. */
enum { CHANNEL_TEXT = 32 };
const char *candidates_channel_text(char text[CHANNEL_TEXT], const struct candidates *cand, uint32_t channel);

/** The table: an owner for each (channel, link). */
struct table {
    const struct candidates *cand;
    uint32_t channels;
    struct placement at;
    uint32_t *owner;    /* owner[w * links + l]: a demand, or TABLE_FREE, or TABLE_TAKEN */
    uint64_t *full;     /* bit w % 64 of full[(w / 64) * links + l]: the owner is not TABLE_FREE */
    uint32_t *begin;    /* of each link: all words before this one are full */
};

#define TABLE_FREE UINT32_MAX
#define TABLE_TAKEN (UINT32_MAX - 1)

/** An empty table for channels 0 … channels - 1; `table` starts as zeros; free it also after a failure. */
rwa_status table_create(struct table *table, const struct candidates *cand, uint32_t channels, rwa_error *err);
void table_free(struct table *table);
/** Empty the table and give it `channels` channels, at most those it was created with. */
void table_clear(struct table *table, uint32_t channels);

/** The wavelengths 64 word … 64 word + 63 that are free all along a segment. */
uint64_t table_open(const struct table *table, size_t segment, uint32_t word);
/** No word before this one has a channel that is free all along a segment. */
uint32_t table_first_word(const struct table *table, size_t segment);
/** The lowest free one; == channels when there is none. */
uint32_t table_lowest(const struct table *table, size_t segment);

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
