/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Which radix sequences are worth building: all are searched by the closed form of their stages' loads, branch and bound.
 * Where the children of a group hold equally much of the N blocks, a stage of radix m loads the middle of the group with
 * about floor(m^2 / 4) N / m lightpaths, whatever the level; the first one of a ring, going both ways round, with half.
 */
#include "scheme/published/optree.h"

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
    uint32_t nodes, held, channels, stages;
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

/** The heaviest cut of a group whose m children share all blocks evenly. */
static uint64_t exchange_load(uint32_t blocks, uint32_t m)
{
    uint64_t most = 0;
    for (uint32_t c = m / 2; c <= (m + 1) / 2; c++) {
        uint64_t left = middle_start(blocks, m, c), load = left * (m - c);
        most = load > most ? load : most;
        load = (blocks - left) * c;
        most = load > most ? load : most;
    }
    return most;
}

/** Of the largest group, which is cut last into ones: m parts, or as many as it has nodes. */
static struct cost stage_cost(const struct hunt *h, uint32_t m, bool first)
{
    uint64_t load = first && h->ring ? ceil_div(ceil_div(h->nodes, m) * h->held * ((uint64_t)m * m / 4), 2)
                                     : exchange_load(h->nodes * h->held, m);
    return (struct cost){ceil_div(load, h->channels), load};
}

/** No stages separate groups of `size` nodes at less: m = 3 has the least load for each factor of e it cuts by. */
static uint64_t least_steps(const struct hunt *h, uint32_t size)
{
    double load = 2.0 / 3 / log(3) * h->nodes * h->held * log(size);
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

size_t optree_dimensions(const rwa_network *net)
{
    const uint32_t *shape = NULL;
    rwa_topology kind = rwa_network_topology(net);
    return kind == RWA_TORUS || kind == RWA_MESH ? rwa_network_shape(&shape, net) : 1;
}

struct optree_row optree_row(const rwa_network *net, size_t dimension)
{
    const uint32_t *shape = NULL;
    rwa_topology kind = rwa_network_topology(net);
    struct optree_row row = {rwa_network_nodes(net), 1, kind == RWA_RING};
    if (kind != RWA_TORUS && kind != RWA_MESH)
        return row;
    size_t count = rwa_network_shape(&shape, net);
    row.nodes = shape[dimension];
    row.ring = kind == RWA_TORUS && row.nodes > 2;
    for (size_t d = dimension + 1; d < count; d++)
        row.stride *= shape[d];
    return row;
}

size_t optree_needed(const uint32_t *radix, size_t most, uint32_t nodes)
{
    uint64_t product = 1;
    for (size_t j = 0; j < most; j++) {
        product *= radix[j];
        if (product >= nodes)
            return j + 1;
    }
    return most + 1;
}

/** The best radices of each dimension, one after the other.  2^24 nodes never need as many as there is room for. */
static size_t tune_dimensions(struct tuning *out, struct hunt *h, const rwa_network *net)
{
    struct tuning best;
    size_t levels = 0;
    *out = (struct tuning){0};
    h->out = &best;
    h->most = 1;
    for (size_t d = optree_dimensions(net); d-- > 0;) {
        struct optree_row row = optree_row(net, d);
        h->nodes = row.nodes;
        h->held = row.stride;
        h->ring = row.ring;
        h->found = 0;
        extend(h, 0, h->nodes, (struct cost){0, 0});
        memcpy(out->radix + levels, best.radix, optree_levels(&best) * sizeof *best.radix);
        levels += optree_levels(&best);
    }
    return 1;
}

size_t optree_tunings(struct tuning *out, size_t most, const struct scheme_request *request)
{
    struct hunt h = {.out = out, .most = most < KEPT_MOST ? most : KEPT_MOST, .stages = request->opts->stages,
                     .nodes = rwa_network_nodes(request->net), .held = 1,
                     .channels = rwa_network_channels(request->net),
                     .ring = rwa_network_topology(request->net) == RWA_RING};
    if (request->opts->radix_count > 0)
        return given(out, request->opts);
    if (optree_dimensions(request->net) > 1)
        return tune_dimensions(out, &h, request->net);
    extend(&h, 0, h.nodes, (struct cost){0, 0});
    return h.found;
}

/** Every dimension takes as many radices as it needs, and leaves the others to the next. */
static rwa_status validate_dimensions(const struct scheme_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    size_t used = 0;
    if (o->stages > 0)
        return base_fail(err, RWA_BADARG, "--stages: every dimension of a torus or mesh has its own, expected radices");
    for (size_t d = optree_dimensions(request->net); d-- > 0 && o->radix_count > 0;) {
        uint32_t nodes = optree_row(request->net, d).nodes;
        used += optree_needed(o->radix + used, o->radix_count - used, nodes);
        if (used > o->radix_count)
            return base_fail(err, RWA_BADARG, "--radix: expected more stages, for the %u nodes of dimension %zu too", nodes,
                             d + 1);
    }
    return RWA_OK;
}

rwa_status optree_validate(const struct scheme_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    uint64_t product = 1, nodes = rwa_network_nodes(request->net);
    if (o->radix_count >= RADIX_LEVELS)
        return base_fail(err, RWA_BADARG, "--radix: %zu stages, expected at most %d", o->radix_count, RADIX_LEVELS - 1);
    for (size_t j = 0; j < o->radix_count; j++) {
        if (o->radix[j] < 2)
            return base_fail(err, RWA_BADARG, "--radix %u: expected at least 2", o->radix[j]);
        product = product >= nodes ? product : product * o->radix[j];
    }
    if (optree_dimensions(request->net) > 1)
        return validate_dimensions(request, err);
    if (o->radix_count > 0 && product < nodes)
        return base_fail(err, RWA_BADARG, "--radix: the product is %llu, expected at least the %llu nodes",
                         (unsigned long long)product, (unsigned long long)nodes);
    if (o->radix_count > 0 && o->stages > 0 && o->stages != o->radix_count)
        return base_fail(err, RWA_BADARG, "--radix has %zu stages, --stages asks for %u: expected one of the two",
                         o->radix_count, o->stages);
    if (o->stages >= RADIX_LEVELS || (o->stages > 1 && ((uint64_t)1 << (o->stages - 1)) >= nodes))
        return base_fail(err, RWA_BADARG, "--stages: %u, expected at most the tree of radix 2 has for %llu nodes", o->stages,
                         (unsigned long long)nodes);
    return RWA_OK;
}
