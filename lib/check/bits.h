/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sets of bits in 64-bit words, and sparse ones in pages. */
#pragma once

#include "base/arena.h"

static inline bool get_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static inline void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

/** The offset of the first set bit among bits from … from + count - 1, or count.  O(count / 64). */
uint64_t bit_run_first(const uint64_t *bits, uint64_t from, uint64_t count);
/** As bit_run_first(), and then set all bits from … from + count - 1. */
uint64_t bit_run_take(uint64_t *bits, uint64_t from, uint64_t count);
/** Set bits from … from + count - 1.  @return how many of them were clear before */
uint64_t bit_run_set(uint64_t *bits, uint64_t from, uint64_t count);
/** Clear bits from … from + count - 1. */
void bit_run_clear(uint64_t *bits, uint64_t from, uint64_t count);
/** Number of set bits among from … from + count - 1. */
uint64_t bit_run_count(const uint64_t *bits, uint64_t from, uint64_t count);

enum { BIT_PAGE = 4096 };

/** A sparse set of bits: memory is used only for pages of BIT_PAGE bits in which a bit was set; NULL: all clear. */
struct bit_pages {
    uint64_t **pages;
    uint64_t count;         /* number of pages */
    uint64_t used;          /* number of pages that exist */
    uint64_t *spare;        /* memory for the next pages */
    uint64_t spare_count;   /* number of pages in it */
    struct arena *memory;
};

/** Memory of an empty set. */
double bit_pages_bytes(uint64_t bits);
/** Open an empty set; its memory belongs to the arena.  RWA_NOMEM.  Cost: 8 bytes for every BIT_PAGE bits, which the
 * system provides when they are touched. */
rwa_status bit_pages_open(struct bit_pages *set, uint64_t bits, struct arena *memory);

/** Set bits from … from + count - 1, and add to *fresh the number of those that were clear. O(count / 64 + count /
 * BIT_PAGE).  RWA_NOMEM. */
rwa_status bit_pages_set(uint64_t *fresh, struct bit_pages *set, uint64_t from, uint64_t count);
/** The word of a bit, to prefetch it; NULL: its page does not exist yet. */
static inline const uint64_t *bit_pages_place(const struct bit_pages *set, uint64_t i)
{
    const uint64_t *page = set->pages[i / BIT_PAGE];
    return page ? &page[i % BIT_PAGE / 64] : NULL;
}
/** Number of set bits among from … from + count - 1.  O(count / BIT_PAGE), plus O(count / 64) in pages that exist. */
uint64_t bit_pages_count(const struct bit_pages *set, uint64_t from, uint64_t count);
/** The first clear bit in from … to - 1, or `to`. */
uint64_t bit_pages_first_clear(const struct bit_pages *set, uint64_t from, uint64_t to);
