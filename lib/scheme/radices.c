/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Which radix sequences are worth building: all are searched by the closed form of their stages' loads, branch and bound.
 * Where the children of a group hold equally much of the N blocks, a stage of radix m loads the middle of the group with
 * about floor(m^2 / 4) N / m lightpaths, whatever the level; the first one of a ring, going both ways round, with half.
 */
#include "scheme/optree.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

enum { KEPT_MOST = 64 };

/** Steps, and among equals the channels of all stages together, since spare ones may be lent to the next stage. */
struct cost {
    uint64_t steps, load;
};

struct hunt {
    struct tuning *out;
    struct cost cost[KEPT_MOST];
    size_t most, found;
    uint32_t nodes, channels, stages;
    bool ring;
    uint32_t radix[RADIX_LEVELS];
};

static bool is_less(struct cost a, struct cost b)
{
    return a.steps < b.steps || (a.steps == b.steps && a.load < b.load);
}

uint32_t middle_start(uint32_t size, uint32_t parts, uint32_t c)
{
    uint32_t extra = size % parts, first = (parts - extra) / 2;
    return c * (size / parts) + (c <= first ? 0 : c - first < extra ? c - first : extra);
}

/** The heaviest cut of a group whose m children share the N blocks evenly. */
static uint64_t exchange_load(uint32_t nodes, uint32_t m)
{
    uint64_t most = 0;
    for (uint32_t c = m / 2; c <= (m + 1) / 2; c++) {
        uint64_t left = middle_start(nodes, m, c), load = left * (m - c);
        most = load > most ? load : most;
        load = (nodes - left) * c;
        most = load > most ? load : most;
    }
    return most;
}

/** Of the largest group, which is cut last into ones: m parts, or as many as it has nodes. */
static struct cost stage_cost(const struct hunt *h, uint32_t m, bool first)
{
    uint64_t load = first && h->ring ? ceil_div(ceil_div(h->nodes, m) * ((uint64_t)m * m / 4), 2)
                                     : exchange_load(h->nodes, m);
    return (struct cost){ceil_div(load, h->channels), load};
}

/** No stages separate groups of `size` nodes at less: m = 3 has the least load for each factor of e it cuts by. */
static uint64_t least_steps(const struct hunt *h, uint32_t size)
{
    double load = 2.0 / 3 / log(3) * h->nodes * log(size);
    return (uint64_t)ceil(load / h->channels - 1e-6);
}

static void keep(struct hunt *h, size_t levels, struct cost cost)
{
    size_t at = h->found;
    if (at == h->most && !is_less(cost, h->cost[at - 1]))
        return;
    if (at == h->most)
        at--;
    else
        h->found++;
    for (; at > 0 && is_less(cost, h->cost[at - 1]); at--) {
        h->out[at] = h->out[at - 1];
        h->cost[at] = h->cost[at - 1];
    }
    h->out[at] = (struct tuning){0};
    memcpy(h->out[at].radix, h->radix, levels * sizeof *h->radix);
    h->cost[at] = cost;
}

/** Later stages in descending order only: their order does not matter, the first stage's radix does. */
static void extend(struct hunt *h, size_t levels, uint32_t size, struct cost so_far)
{
    if (size == 1) {
        if (h->stages == 0 || h->stages == levels)
            keep(h, levels, so_far);
        return;
    }
    if (levels + 1 >= RADIX_LEVELS || (h->stages > 0 && levels >= h->stages))
        return;
    uint32_t limit = levels > 1 && h->radix[levels - 1] < size ? h->radix[levels - 1] : size;
    for (uint32_t m = limit; m >= 2; m--) {
        struct cost stage = stage_cost(h, m, levels == 0), sum = {so_far.steps + stage.steps, so_far.load + stage.load};
        uint32_t left = (uint32_t)ceil_div(size, m);
        if (h->found == h->most && sum.steps + least_steps(h, left) > h->cost[h->found - 1].steps)
            continue;
        h->radix[levels] = m;
        extend(h, levels + 1, left, sum);
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
    struct hunt h = {.out = out, .most = most < KEPT_MOST ? most : KEPT_MOST, .stages = request->opts->stages,
                     .nodes = rwa_network_nodes(request->net), .channels = rwa_network_channels(request->net),
                     .ring = rwa_network_get_kind(request->net) == RWA_RING};
    if (request->opts->radix_count > 0)
        return given(out, request->opts);
    extend(&h, 0, h.nodes, (struct cost){0, 0});
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
