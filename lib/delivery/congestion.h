/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Count the lightpaths on every link in every slot of a plan, and compare them with the channels.  Searches use it
 * that allow crowded links for a while (negotiated congestion: McMurchie and Ebeling, PathFinder, FPGA 1995).  A slot
 * is a step and a direction.  The links of a slot form a row, which is cyclic on a ring. */
#pragma once

#include "base/base.h"

struct congestion {
    size_t slots;
    uint32_t links;             /* of each slot */
    uint32_t channels;          /* of each link */
    uint32_t *load;             /* [slot][link] */
    uint32_t *history;          /* [slot][link]: history cost */
    uint64_t over;              /* lightpaths in excess of the channels, summed over all links */
};

/** Create the counts of lightpaths, all 0, for `slots` slots of `links` links with `channels` channels each.
 * RWA_NOMEM; call congestion_free() in any case. */
rwa_status congestion_create(struct congestion *c, size_t slots, uint32_t links, uint32_t channels, rwa_error *err);
void congestion_free(struct congestion *c);

/** Parts of the cost of a link. */
enum {
    CONGESTION_PRICE = 64,      /* of a link with free capacity; twice as much with one lightpath in excess */
    CONGESTION_NOISE = 16       /* random part, so that chance decides which lightpath is rerouted */
};

/** Return the cost of one more lightpath over a link in a slot, but at most `most`.  It rises with the lightpaths in
 * excess of the channels and with the link's history cost.  A random part breaks ties; *random is the state of the
 * generator. */
uint32_t congestion_price(const struct congestion *c, size_t slot, uint32_t link, uint32_t most, uint64_t *random);

/** Update the history cost of all links in all slots after a round of a search.  On a link with more lightpaths than
 * channels it rises by `step` for each lightpath in excess, unless it has reached `most`.  On a link with free channels
 * it falls by 1 / decay of its value. */
void congestion_remember(struct congestion *c, uint32_t step, uint32_t most, uint32_t decay);

static inline uint32_t *congestion_row(const struct congestion *c, size_t slot)
{
    assert(slot < c->slots);
    return c->load + slot * c->links;
}

/** Add a lightpath over `count` links, from link `first` on, to the loads of a slot. */
static inline void congestion_add(struct congestion *c, size_t slot, uint32_t first, uint32_t count)
{
    uint32_t *load = congestion_row(c, slot);
    assert(first < c->links && count <= c->links);
    for (uint32_t e = first; count > 0; count--, e = e + 1 == c->links ? 0 : e + 1)
        c->over += ++load[e] > c->channels;
}

/** Take a lightpath over `count` links, from link `first` on, off the loads of a slot. */
static inline void congestion_remove(struct congestion *c, size_t slot, uint32_t first, uint32_t count)
{
    uint32_t *load = congestion_row(c, slot);
    assert(first < c->links && count <= c->links);
    for (uint32_t e = first; count > 0; count--, e = e + 1 == c->links ? 0 : e + 1) {
        assert(load[e] > 0);
        c->over -= load[e]-- > c->channels;
    }
}

/** Tell whether one of `count` links, from link `first` on, carries more lightpaths in a slot than it has channels. */
static inline bool congestion_is_over(const struct congestion *c, size_t slot, uint32_t first, uint32_t count)
{
    const uint32_t *load = congestion_row(c, slot);
    for (uint32_t e = first; count > 0; count--, e = e + 1 == c->links ? 0 : e + 1)
        if (load[e] > c->channels)
            return true;
    return false;
}
