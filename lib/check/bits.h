/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sets of bits in 64-bit words, and sparse sets of bits in pages. */
#pragma once

#include "base/arena.h"

/** Return how many of the `count` bits from `from` on are clear before the first set one, or `count` if all are clear.
 *  O(count / 64). */
uint64_t bit_run_first(const uint64_t *bits, uint64_t from, uint64_t count);
/** Set the `count` bits from `from` on.  Return the number of clear bits in front of the first one that was set before
 *  the call; `count` if all were clear. */
uint64_t bit_run_take(uint64_t *bits, uint64_t from, uint64_t count);
/** Set the `count` bits from `from` on, and return how many of them were clear before. */
uint64_t bit_run_set(uint64_t *bits, uint64_t from, uint64_t count);
/** Clear the `count` bits from `from` on. */
void bit_run_clear(uint64_t *bits, uint64_t from, uint64_t count);
/** Return how many of the `count` bits from `from` on are set. */
uint64_t bit_run_count(const uint64_t *bits, uint64_t from, uint64_t count);

enum { BIT_PAGE = 4096 };

/** A sparse set of bits.  A page of BIT_PAGE bits takes memory only after one of its bits was set; the pointer to a
 *  page whose bits are all clear is NULL. */
struct bit_pages {
    uint64_t **pages;
    uint64_t count;         /* number of pages */
    uint64_t used;          /* number of pages that exist */
    uint64_t *spare;        /* memory for the next pages */
    uint64_t spare_count;   /* number of pages in it */
    struct arena *memory;
};

/** Return the memory in bytes of an empty sparse set that can hold `bits` bits. */
double bit_pages_bytes(uint64_t bits);
/** Open an empty sparse set for `bits` bits; its memory belongs to the arena.  RWA_NOMEM.  The table of its pages
 *  takes 8 bytes for every BIT_PAGE bits. */
rwa_status bit_pages_open(struct bit_pages *set, uint64_t bits, struct arena *memory);

/** Set the `count` bits from `from` on, and add to *fresh the number of those that were clear.  O(1 + count / 64).
 *  RWA_NOMEM. */
rwa_status bit_pages_set(uint64_t *fresh, struct bit_pages *set, uint64_t from, uint64_t count);
/** Return the address of the 64-bit word with bit i, to read or prefetch it.  NULL: its page does not exist, so the
 *  bit is clear. */
static inline const uint64_t *bit_pages_place(const struct bit_pages *set, uint64_t i)
{
    const uint64_t *page = set->pages[i / BIT_PAGE];
    return page ? &page[i % BIT_PAGE / 64] : NULL;
}
/** Return how many of the `count` bits from `from` on are set.  O(1 + count / BIT_PAGE), plus O(count / 64) in pages
 *  that exist. */
uint64_t bit_pages_count(const struct bit_pages *set, uint64_t from, uint64_t count);
/** Return the first clear bit among bits `from` to `to` - 1, or `to` if all are set. */
uint64_t bit_pages_first_clear(const struct bit_pages *set, uint64_t from, uint64_t to);
