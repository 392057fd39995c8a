/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sets of bits: runs of bits in 64-bit words, and the pages of sparse sets. */
#include "check/bits.h"

/* Words of a page; the least number of pages that are allocated together. */
enum { PAGE_WORDS = BIT_PAGE / 64, SPARE_LEAST = 8 };

uint64_t bit_run_first(const uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t done = 0, here = 0; done < count; done += here) {
        uint64_t at = from + done;
        here = bits_of_word(&mask, at, count - done);
        if (bits[at / 64] & mask)
            return done + (uint64_t)__builtin_ctzll(bits[at / 64] & mask) - at % 64;
    }
    return count;
}

uint64_t bit_run_set(uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0, fresh = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = bits_of_word(&mask, from, count);
        uint64_t clear = ~bits[from / 64] & mask;
        fresh += clear == mask ? here : clear ? (uint64_t)__builtin_popcountll(clear) : 0; /* mostly all, or none */
        bits[from / 64] |= mask;
    }
    return fresh;
}

uint64_t bit_run_take(uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0, first = count;
    for (uint64_t done = 0, here = 0; done < count; done += here) {
        uint64_t at = from + done;
        here = bits_of_word(&mask, at, count - done);
        if (bits[at / 64] & mask && first == count)
            first = done + (uint64_t)__builtin_ctzll(bits[at / 64] & mask) - at % 64;
        bits[at / 64] |= mask;
    }
    return first;
}

void bit_run_clear(uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = bits_of_word(&mask, from, count);
        bits[from / 64] &= ~mask;
    }
}

uint64_t bit_run_count(const uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0, sum = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = bits_of_word(&mask, from, count);
        uint64_t set = bits[from / 64] & mask;
        sum += set == mask ? here : set ? (uint64_t)__builtin_popcountll(set) : 0; /* most words are clear, or full */
    }
    return sum;
}

/* ---- pages ---- */

double bit_pages_bytes(uint64_t bits)
{
    return 8.0 * (double)(bits / BIT_PAGE + 1);
}

rwa_status bit_pages_open(struct bit_pages *set, uint64_t bits, struct arena *memory)
{
    *set = (struct bit_pages){.count = bits / BIT_PAGE + 1, .memory = memory};
    return arena_new(memory, set->pages, (size_t)set->count) ? RWA_OK : RWA_NOMEM;
}

/** Return how many of the `count` bits from `from` on lie in the same page as the first one. */
static inline uint64_t in_page(uint64_t from, uint64_t count)
{
    uint64_t rest = BIT_PAGE - from % BIT_PAGE;
    return count < rest ? count : rest;
}

/** Allocate memory for further pages: as many as exist already but at least SPARE_LEAST, so that allocations are few.
 *  RWA_NOMEM. */
static rwa_status add_spare(struct bit_pages *set)
{
    uint64_t count = set->used < SPARE_LEAST ? SPARE_LEAST : set->used;
    set->spare_count = count < set->count - set->used ? count : set->count - set->used;
    return arena_new(set->memory, set->spare, (size_t)set->spare_count * PAGE_WORDS) ? RWA_OK : RWA_NOMEM;
}

/** Return the page (BIT_PAGE bits) that holds bit i, and create it if it does not exist.  NULL: out of memory. */
static uint64_t *page_for(struct bit_pages *set, uint64_t i)
{
    uint64_t **page = &set->pages[i / BIT_PAGE];
    assert(i / BIT_PAGE < set->count);
    if (*page)
        return *page;
    if (set->spare_count == 0 && add_spare(set) != RWA_OK)
        return NULL;
    *page = set->spare;
    set->spare += PAGE_WORDS;
    set->spare_count--;
    set->used++;
    return *page;
}

rwa_status bit_pages_set(uint64_t *fresh, struct bit_pages *set, uint64_t from, uint64_t count)
{
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        uint64_t *page = page_for(set, from);
        here = in_page(from, count);
        if (!page)
            return RWA_NOMEM;
        *fresh += bit_run_set(page, from % BIT_PAGE, here);
    }
    return RWA_OK;
}

uint64_t bit_pages_count(const struct bit_pages *set, uint64_t from, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        const uint64_t *page = set->pages[from / BIT_PAGE];
        here = in_page(from, count);
        sum += page ? bit_run_count(page, from % BIT_PAGE, here) : 0;
    }
    return sum;
}

uint64_t bit_pages_first_clear(const struct bit_pages *set, uint64_t from, uint64_t to)
{
    while (from < to) {
        const uint64_t *page = set->pages[from / BIT_PAGE];
        uint64_t bits = page ? ~page[from % BIT_PAGE / 64] >> from % 64 : UINT64_MAX;
        if (bits)
            return from + (uint64_t)__builtin_ctzll(bits) < to ? from + (uint64_t)__builtin_ctzll(bits) : to;
        from += 64 - from % 64;
    }
    return to;
}
