/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/bits.h"

#include "base/base.h"

/** The part of a run that lies in the word of its first bit: its mask there, and its number of bits. */
static uint64_t first_word(uint64_t from, uint64_t count, uint64_t *mask)
{
    uint64_t rest = 64 - from % 64, here = count < rest ? count : rest;
    assert(count > 0);
    *mask = (here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1) << from % 64;
    return here;
}

uint64_t bit_run_first(const uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t done = 0, here = 0; done < count; done += here) {
        uint64_t at = from + done;
        here = first_word(at, count - done, &mask);
        if (bits[at / 64] & mask)
            return done + (uint64_t)__builtin_ctzll(bits[at / 64] & mask) - at % 64;
    }
    return count;
}

void bit_run_set(uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = first_word(from, count, &mask);
        bits[from / 64] |= mask;
    }
}

void bit_run_clear(uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = first_word(from, count, &mask);
        bits[from / 64] &= ~mask;
    }
}

/* ---- pages ---- */

double bit_pages_bytes(uint64_t bits)
{
    return 8.0 * (double)(bits / BIT_PAGE + 1);
}

rwa_status bit_pages_open(struct bit_pages *set, uint64_t bits, rwa_error *err)
{
    uint64_t count = bits / BIT_PAGE + 1;
    *set = (struct bit_pages){base_array((size_t)count, sizeof *set->pages, err), count, 0};
    return set->pages ? RWA_OK : RWA_NOMEM;
}

void bit_pages_close(struct bit_pages *set)
{
    for (uint64_t i = 0; set->pages && i < set->count; i++)
        free(set->pages[i]);
    free(set->pages);
    set->pages = NULL;
}

bool bit_pages_get(const struct bit_pages *set, uint64_t i)
{
    const uint64_t *page = set->pages[i / BIT_PAGE];
    assert(i / BIT_PAGE < set->count);
    return page && get_bit(page, i % BIT_PAGE);
}

/** How many of `count` bits from `from` on lie in its page. */
static uint64_t in_page(uint64_t from, uint64_t count)
{
    uint64_t rest = BIT_PAGE - from % BIT_PAGE;
    return count < rest ? count : rest;
}

rwa_status bit_pages_set(struct bit_pages *set, uint64_t from, uint64_t count, rwa_error *err)
{
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        uint64_t **page = &set->pages[from / BIT_PAGE];
        assert(from / BIT_PAGE < set->count);
        here = in_page(from, count);
        set->used += !*page;
        if (!*page && !(*page = base_array(BIT_PAGE / 64, sizeof **page, err)))
            return RWA_NOMEM;
        bit_run_set(*page, from % BIT_PAGE, here);
    }
    return RWA_OK;
}

static uint64_t count_set(const uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0, sum = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = first_word(from, count, &mask);
        sum += (uint64_t)__builtin_popcountll(bits[from / 64] & mask);
    }
    return sum;
}

uint64_t bit_pages_count(const struct bit_pages *set, uint64_t from, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        const uint64_t *page = set->pages[from / BIT_PAGE];
        here = in_page(from, count);
        sum += page ? count_set(page, from % BIT_PAGE, here) : 0;
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
