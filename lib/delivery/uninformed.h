/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Who holds a block along a line, and the gaps between them, the widest to be had first. */
#ifndef SCHEME_LINE_HOLE_H
#define SCHEME_LINE_HOLE_H

#include "base/base.h"

#define LINE_NONE UINT32_MAX

/** A gap between neighbours that know a block by now, with the nearest on either side that may send (or LINE_NONE). */
struct hole {
    uint32_t block, low, high, below, above, next;
};

/** Gaps in lists of one width. */
struct holes {
    struct hole *hole;
    uint32_t *list;             /* of each width the last one added */
    size_t count, room;
    uint32_t most, widest;      /* width that there is room for; none is wider */
};

/** `most`: the widest there can be.  holes_free() in any case. */
rwa_status holes_open(struct holes *h, uint32_t most, rwa_error *err);
void holes_free(struct holes *h);
void holes_clear(struct holes *h);
rwa_status holes_add(struct holes *h, const struct hole *hole, rwa_error *err);
/** Take out one of the widest; false: there is none. */
bool holes_take(struct holes *h, struct hole *out);

/** A row has a bit for each place. */
static inline bool row_holds(const uint64_t *row, uint32_t place)
{
    return row[place / 64] >> (place % 64) & 1;
}

static inline void row_add(uint64_t *row, uint32_t place)
{
    row[place / 64] |= (uint64_t)1 << (place % 64);
}

/** The first holder from a place on; LINE_NONE when there is none among the first `places`. */
uint32_t row_next(const uint64_t *row, uint32_t places, uint32_t place);

#endif
