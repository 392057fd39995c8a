/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which radix sequences are worth building: all small ones that reach N without waste, by their estimated channels. */
#include "scheme/optree.h"

#include "base/base.h"

#include <string.h>

enum { LARGEST_RADIX = 9 };

struct hunt {
    struct tuning *out;
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
        h->out[at] = h->out[at - 1];
        h->cost[at] = h->cost[at - 1];
    }
    h->out[at] = (struct tuning){0};
    memcpy(h->out[at].radix, radix, levels * sizeof *radix);
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

size_t optree_levels(const struct tuning *tuning)
{
    size_t levels = 0;
    while (levels < RADIX_LEVELS && tuning->radix[levels])
        levels++;
    return levels;
}

/** The caller's radices are the only choice when they are given. */
static size_t given(struct tuning *out, const rwa_plan_options *o)
{
    *out = (struct tuning){0};
    memcpy(out->radix, o->radix, o->radix_count * sizeof *o->radix);
    return 1;
}

size_t optree_tunings(struct tuning *out, size_t most, const struct scheme_request *request)
{
    uint32_t stages = request->opts->stages, radix[RADIX_LEVELS] = {0};
    struct hunt h = {.out = out, .most = most < 64 ? most : 64, .nodes = rwa_network_nodes(request->net),
                     .stages = stages, .ring = rwa_network_get_kind(request->net) == RWA_RING};
    if (request->opts->radix_count > 0)
        return given(out, request->opts);
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

rwa_status optree_validate(const struct scheme_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    uint64_t product = 1, nodes = rwa_network_nodes(request->net);
    if (o->radix_count >= RADIX_LEVELS)
        return base_fail(err, RWA_BADARG, "radix: %zu stages, expected at most %d", o->radix_count, RADIX_LEVELS - 1);
    for (size_t j = 0; j < o->radix_count; j++) {
        if (o->radix[j] < 2)
            return base_fail(err, RWA_BADARG, "radix %u: expected at least 2", o->radix[j]);
        product = product >= nodes ? product : product * o->radix[j];
    }
    if (o->radix_count > 0 && product < nodes)
        return base_fail(err, RWA_BADARG, "radix: the product is %llu, expected at least the %llu nodes",
                         (unsigned long long)product, (unsigned long long)nodes);
    if (o->radix_count > 0 && o->stages > 0 && o->stages != o->radix_count)
        return base_fail(err, RWA_BADARG, "radix has %zu stages but %u are asked for: give one of the two",
                         o->radix_count, o->stages);
    if (o->stages >= RADIX_LEVELS || (o->stages > 1 && ((uint64_t)1 << (o->stages - 1)) >= nodes))
        return base_fail(err, RWA_BADARG, "stages: %u, expected at most the tree of radix 2 has for %llu nodes", o->stages,
                         (unsigned long long)nodes);
    return RWA_OK;
}
