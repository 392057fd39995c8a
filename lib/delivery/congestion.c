/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/congestion.h"

rwa_status congestion_create(struct congestion *c, size_t slots, uint32_t links, uint32_t channels, rwa_error *err)
{
    *c = (struct congestion){.slots = slots, .links = links, .channels = channels};
    MUST(base_new(c->load, slots * links, err));
    return base_new(c->history, slots * links, err);
}

void congestion_free(struct congestion *c)
{
    free_all(c->load, c->history);
    memset(c, 0, sizeof *c);
}

uint32_t congestion_price(const struct congestion *c, size_t slot, uint32_t link, uint32_t most, uint64_t *random)
{
    size_t i = slot * c->links + link;
    uint32_t load = c->load[i], history = c->history[i];
    uint64_t price = CONGESTION_PRICE + base_random_below(random, CONGESTION_NOISE) + history;
    assert(slot < c->slots && link < c->links);
    if (load >= c->channels)
        price += (uint64_t)(load - c->channels + 1) * (CONGESTION_PRICE + history);
    return price < most ? (uint32_t)price : most;
}

void congestion_remember(struct congestion *c, uint32_t step, uint32_t most, uint32_t decay)
{
    for (size_t i = 0; i < c->slots * c->links; i++) {
        if (c->load[i] > c->channels && c->history[i] < most)
            c->history[i] += step * (c->load[i] - c->channels);
        else if (c->load[i] < c->channels)
            c->history[i] -= c->history[i] / decay;
    }
}
