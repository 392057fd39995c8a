/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which radix sequences are worth building: all small ones that reach N without waste, by their estimated channels. */
#include "scheme/scheme.h"

#include <string.h>

enum { LARGEST_RADIX = 9 };

struct hunt {
    radix_sequence *out;
    double cost[64];
    size_t most, found;
    uint32_t nodes, stages;
    bool ring;
};

/** Channels a stage of radix m needs, per node of the network, when all sizes are equal. */
static double stage_cost(const struct hunt *h, uint32_t m, bool first)
{
    double pairs = (double)((uint64_t)m * m / 4);
    return (first && h->ring ? pairs / 2 : pairs) * h->nodes / m;
}

static void keep(struct hunt *h, const uint32_t *radix, size_t levels, double cost)
{
    size_t at = h->found;
    if (at == h->most && cost >= h->cost[at - 1])
        return;
    if (at == h->most)
        at--;
    else
        h->found++;
    for (; at > 0 && h->cost[at - 1] > cost; at--) {
        memcpy(h->out[at], h->out[at - 1], sizeof h->out[at]);
        h->cost[at] = h->cost[at - 1];
    }
    memset(h->out[at], 0, sizeof h->out[at]);
    memcpy(h->out[at], radix, levels * sizeof *radix);
    h->cost[at] = cost;
}

/** Later stages in descending order only: their order hardly matters, the first stage's radix does. */
static void extend(struct hunt *h, uint32_t *radix, size_t levels, uint64_t product, double cost)
{
    if (product >= h->nodes) {
        if (h->stages == 0 || h->stages == levels)
            keep(h, radix, levels, cost);
        return;
    }
    if (levels + 1 >= RADIX_LEVELS || (h->stages > 0 && levels >= h->stages))
        return;
    uint32_t limit = levels > 1 ? radix[levels - 1] : LARGEST_RADIX;
    for (uint32_t m = 2; m <= limit; m++) {
        radix[levels] = m;
        extend(h, radix, levels + 1, product * m, cost + stage_cost(h, m, levels == 0));
    }
}

/** The smallest m whose k-th power reaches n. */
static uint32_t root_up(uint32_t n, uint32_t k)
{
    for (uint32_t m = 2;; m++) {
        uint64_t power = 1;
        for (uint32_t i = 0; i < k && power < n; i++)
            power *= m;
        if (power >= n)
            return m;
    }
}

size_t optree_candidates(radix_sequence *out, size_t most, const rwa_network *net, uint32_t stages)
{
    struct hunt h = {.out = out, .most = most < 64 ? most : 64, .nodes = rwa_network_nodes(net), .stages = stages,
                     .ring = rwa_network_get_kind(net) == RWA_RING};
    radix_sequence radix = {0};
    extend(&h, radix, 0, 1, 0);
    if (stages <= 1) {
        radix[0] = h.nodes;
        keep(&h, radix, 1, stage_cost(&h, h.nodes, true));
    }
    if (h.found == 0 && stages < RADIX_LEVELS) { /* few stages of a large network need radices beyond the search */
        for (uint32_t j = 0; j < stages; j++)
            radix[j] = root_up(h.nodes, stages);
        keep(&h, radix, stages, 0);
    }
    return h.found;
}
