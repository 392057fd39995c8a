/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Holders of a block along a line, and the uninformed intervals between them, the widest first. */
#pragma once

#include "base/base.h"

#define PLACE_NONE UINT32_MAX

/** A gap between neighbouring holders of a block by now, with the nearest on either side that may send (or PLACE_NONE). */
struct interval {
    uint32_t block, low, high, below, above, next;
};

/** Intervals in lists of one width. */
struct intervals {
    struct interval *interval;
    uint32_t *list;             /* of each width the last interval added */
    size_t count, size;
    uint32_t most, widest;      /* widest that there can be; none present is wider */
};

/** `most`: the widest there can be.  RWA_NOMEM; intervals_free() in any case. */
rwa_status intervals_open(struct intervals *h, uint32_t most, rwa_error *err);
void intervals_free(struct intervals *h);
void intervals_clear(struct intervals *h);
rwa_status intervals_add(struct intervals *h, const struct interval *interval, rwa_error *err);
/** Take out one of the widest; false: none is left. */
bool intervals_take(struct intervals *h, struct interval *out);

/** A row has a bit for each place. */
static inline bool row_holds(const uint64_t *row, uint32_t place)
{
    return row[place / 64] >> (place % 64) & 1;
}

static inline void row_add(uint64_t *row, uint32_t place)
{
    row[place / 64] |= (uint64_t)1 << (place % 64);
}

/** The first holder from a place on; PLACE_NONE when there is none among the first `places`. */
static inline uint32_t row_next(const uint64_t *row, uint32_t places, uint32_t place)
{
    size_t word = place / 64, words = ((size_t)places + 63) / 64;
    if (place >= places)
        return PLACE_NONE;
    uint64_t bits = row[word] >> (place % 64) << (place % 64);
    while (bits == 0)
        if (++word == words)
            return PLACE_NONE;
        else
            bits = row[word];
    return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
}
