/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Lightpaths on every link in every slot of a plan, against the channels: for improvement that lets links be crowded in
 * between (negotiated congestion: McMurchie and Ebeling, PathFinder, FPGA 1995).  A slot is a step and a way.  The
 * links of a slot stand in a row, which on a ring closes.
 */
#pragma once

#include "base/base.h"

struct congestion {
    size_t slots;
    uint32_t links;             /* of each slot */
    uint32_t channels;          /* of each link */
    uint32_t *load;             /* [slot][link] */
    uint32_t *history;          /* [slot][link]: history cost */
    uint64_t over;              /* lightpaths beyond the channels, all links together */
};

/** No lightpaths.  RWA_NOMEM; congestion_free() in any case. */
rwa_status congestion_create(struct congestion *c, size_t slots, uint32_t links, uint32_t channels, rwa_error *err);
void congestion_free(struct congestion *c);

/** Cost of a link. */
enum {
    CONGESTION_PRICE = 64,      /* of a link; of one crowded by one lightpath, twice as much */
    CONGESTION_NOISE = 16       /* which lightpath gives way is left to chance */
};

/** The price of one more lightpath over a link, at most `most`. */
uint32_t congestion_price(const struct congestion *c, size_t slot, uint32_t link, uint32_t most, uint64_t *random);

/** Links get `step` more expensive for each lightpath too many, until `most`; the history of links with free channels
 *  loses one part in `decay`. */
void congestion_remember(struct congestion *c, uint32_t step, uint32_t most, uint32_t decay);

static inline uint32_t *congestion_row(const struct congestion *c, size_t slot)
{
    assert(slot < c->slots);
    return c->load + slot * c->links;
}

/** Count in a lightpath over `count` links from `first` on. */
static inline void congestion_add(struct congestion *c, size_t slot, uint32_t first, uint32_t count)
{
    uint32_t *load = congestion_row(c, slot);
    assert(first < c->links && count <= c->links);
    for (uint32_t e = first; count > 0; count--, e = e + 1 == c->links ? 0 : e + 1)
        c->over += ++load[e] > c->channels;
}

/** Count out a lightpath that was counted in. */
static inline void congestion_remove(struct congestion *c, size_t slot, uint32_t first, uint32_t count)
{
    uint32_t *load = congestion_row(c, slot);
    assert(first < c->links && count <= c->links);
    for (uint32_t e = first; count > 0; count--, e = e + 1 == c->links ? 0 : e + 1) {
        assert(load[e] > 0);
        c->over -= load[e]-- > c->channels;
    }
}

/** Whether a link in this part of a row is crowded. */
static inline bool congestion_is_over(const struct congestion *c, size_t slot, uint32_t first, uint32_t count)
{
    const uint32_t *load = congestion_row(c, slot);
    for (uint32_t e = first; count > 0; count--, e = e + 1 == c->links ? 0 : e + 1)
        if (load[e] > c->channels)
            return true;
    return false;
}
