/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Search for the radix sequences that are worth building: branch and bound over the closed form of the loads of their
 * stages.  When the children of a group hold equally many of the N blocks, a stage of radix m loads the middle of the
 * group with about floor(m^2 / 4) N / m lightpaths, on any level; the first stage of a ring, which goes round both
 * ways, with half as many. */
#include "scheme/published/optree.h"

/** Cost of a radix sequence: its steps; among equals the channels of all stages together, since spare ones may be used
 * by the next stage; then the fewest and most even radices, as in the paper's example (4, 4 for 16 nodes). */
struct cost {
    uint64_t steps, load, radices;
};

struct hunt {
    struct parameters *out;
    struct cost cost[PARAMETER_SETS];
    size_t most, found;
    struct optree_row row; /* each of its nodes has as many blocks as the row is wide */
    uint32_t channels, stages;
    uint32_t radix[RADIX_LEVELS];
};

static bool is_less(struct cost a, struct cost b)
{
    if (a.steps != b.steps)
        return a.steps < b.steps;
    return a.load != b.load ? a.load < b.load : a.radices < b.radices;
}

uint32_t middle_start(uint32_t size, uint32_t parts, uint32_t c)
{
    uint32_t extra = size % parts, first = (parts - extra) / 2;
    return c * (size / parts) + (c <= first ? 0 : c - first < extra ? c - first : extra);
}

/** Return the number of lightpaths over the most loaded border between the m children of a group.  The children hold
 * equal shares of `blocks` blocks, and each receives the blocks of all others. */
static uint64_t exchange_load(uint32_t blocks, uint32_t m)
{
    uint64_t most = 0;
    for (uint32_t c = m / 2; c <= (m + 1) / 2; c++) {
        uint64_t left = middle_start(blocks, m, c), there = left * (m - c), back = (blocks - left) * c;
        RAISE(most, there);
        RAISE(most, back);
    }
    return most;
}

/** Return the cost after one more stage of radix m, where `cost` is that of the stages before; `first`: there are
 * none. Each of the group's children sends its blocks to all others, so a link in the middle of the group carries
 * floor(m²/4) / m lightpaths for each block; in the first stage on a ring half as many, since there are two
 * directions. */
static struct cost add_stage(const struct hunt *h, struct cost cost, uint32_t m, bool first)
{
    uint32_t nodes = h->row.nodes, held = h->row.stride;
    uint64_t load = first && h->row.cycle ? ceil_div(ceil_div(nodes, m) * held * ((uint64_t)m * m / 4), 2)
                                          : exchange_load(nodes * held, m);
    return (struct cost){cost.steps + ceil_div(load, h->channels), cost.load + load, cost.radices + nodes + m};
}

/** Return a lower bound on the steps that stages of any radices take to separate groups of `size` nodes. */
static uint64_t least_steps(const struct hunt *h, uint32_t size)
{
    /* for each block, a stage of radix m loads the middle of a group with floor(m²/4) / m lightpaths and reduces
       ln(size) by ln m; the ratio of the two is least for m = 3 */
    double load = 2.0 / 3 / log(3) * h->row.nodes * h->row.stride * log(size);
    return (uint64_t)ceil(load / h->channels - 1e-6);
}

/** Tell whether a stage of radix m alone takes more steps than the worst set kept so far.  For N blocks it loads the
 * middle of a group with at least N (m² - 1) / 8m lightpaths. */
static bool is_too_large(const struct hunt *h, uint32_t m)
{
    double load = (m - 1.0 / m) / 8 * h->row.nodes * h->row.stride;
    return h->found == h->most && load / h->channels > (double)h->cost[h->found - 1].steps;
}

static void keep(struct hunt *h, size_t levels, struct cost cost)
{
    size_t at = h->found;
    if (at == h->most && is_less(h->cost[at - 1], cost))
        return;
    if (at == h->most)
        at--;
    else
        h->found++;
    for (; at > 0 && !is_less(h->cost[at - 1], cost); at--) { /* of equals the last, of larger first radices */
        h->out[at] = h->out[at - 1];
        h->cost[at] = h->cost[at - 1];
    }
    h->out[at] = (struct parameters){0};
    memcpy(h->out[at].radix, h->radix, levels * sizeof *h->radix);
    h->cost[at] = cost;
}

/** Extend the sequence of the first `levels` radices in h->radix, which cost so_far, by one more stage.  Do so
 * recursively, and keep complete sequences that are good enough.  `size` is the size of the groups that are left.  The
 * order of the stages after the first does not matter, so only descending radices are tried there. */
static void extend(struct hunt *h, size_t levels, uint32_t size, struct cost so_far)
{
    if (size == 1 && (h->stages == 0 || h->stages == levels))
        keep(h, levels, so_far);
    if (size == 1 || levels + 1 >= RADIX_LEVELS || (h->stages > 0 && levels >= h->stages))
        return;
    uint32_t limit = levels > 1 ? lesser(h->radix[levels - 1], size) : size;
    for (uint32_t m = 2; m <= limit && !is_too_large(h, m); m++) {
        struct cost sum = add_stage(h, so_far, m, levels == 0);
        uint32_t left = (uint32_t)ceil_div(size, m);
        if (h->found == h->most && sum.steps + least_steps(h, left) > h->cost[h->found - 1].steps)
            continue;
        h->radix[levels] = m;
        extend(h, levels + 1, left, sum);
    }
}

size_t optree_levels(const struct parameters *p)
{
    size_t levels = 0;
    while (levels < RADIX_LEVELS && p->radix[levels])
        levels++;
    return levels;
}

size_t optree_dimensions(const rwa_network *net)
{
    struct network_grid grid;
    return network_grid(&grid, net) ? grid.dimensions : 1;
}

struct optree_row optree_row(const rwa_network *net, size_t dimension)
{
    struct network_grid grid;
    struct optree_row row = {rwa_network_nodes(net), 1, network_is_cycle(net)};
    if (!network_grid(&grid, net))
        return row;
    assert(dimension < grid.dimensions);
    row.nodes = grid.size[dimension];
    row.cycle = grid.cyclic && row.nodes > 2;
    for (size_t d = dimension + 1; d < grid.dimensions; d++)
        row.stride *= grid.size[d];
    return row;
}

size_t optree_needed(const uint32_t *radix, size_t most, uint32_t nodes)
{
    uint64_t product = 1;
    if (nodes == 1)
        return 0;
    for (size_t j = 0; j < most; j++) {
        product *= radix[j];
        if (product >= nodes)
            return j + 1;
    }
    return most + 1;
}

/** Return the number of sets of radices to build and compare, limited by the number of their lightpaths together. */
static size_t sets_for(uint64_t nodes)
{
    const uint64_t lightpaths = 1 << 23;
    uint64_t sets = lightpaths / (nodes * nodes);
    return sets < 1 ? 1 : lesser(sets, PARAMETER_SETS);
}

/** Choose the best radices of each dimension, the last dimension first; if there is one dimension, several of the best
 * sets.  Returns the number of sets.  For up to 2^24 nodes the radices always fit into their array. */
static size_t choose_radices(struct parameters *out, const struct plan_request *request)
{
    size_t dimensions = optree_dimensions(request->net), levels = 0, sets = 0;
    struct parameters best[PARAMETER_SETS] = {{{0}, 0, ""}};
    for (size_t d = dimensions; d-- > 0;) {
        struct hunt h = {.out = best,
                         .most = dimensions > 1 ? 1 : sets_for(request->coll->nodes),
                         .row = optree_row(request->net, d),
                         .channels = rwa_network_channels(request->net),
                         .stages = request->opts->stages};
        extend(&h, 0, h.row.nodes, (struct cost){0});
        sets = h.found;
        for (size_t i = 0; i < sets; i++)
            memcpy(out[i].radix + levels, best[i].radix, optree_levels(&best[i]) * sizeof *best->radix);
        levels += optree_levels(best);
    }
    return sets;
}

/** Return a lower bound on the steps with these radices. */
static uint64_t least_steps_with(const struct parameters *p, const rwa_network *net)
{
    uint64_t channels = rwa_network_channels(net), steps = 1;
    size_t level = 0, levels = optree_levels(p);
    for (size_t d = optree_dimensions(net); d-- > 0;) {
        struct optree_row row = optree_row(net, d);
        uint64_t blocks = (uint64_t)row.nodes * row.stride;
        size_t end = level + optree_needed(p->radix + level, levels - level, row.nodes);
        for (size_t first = level; level < end && level < levels; level++) {
            uint64_t m = lesser(p->radix[level], row.nodes);
            /* an outermost child lacks at least half of the blocks, which arrive over one link; in the first stage on a
               cycle every child receives over two */
            uint64_t lacking = level == first && row.cycle ? ceil_div(blocks * (m - 1), 2 * m) : ceil_div(blocks, 2);
            steps += ceil_div(lacking, channels) - 1; /* the last one may use spare channels of the step before */
        }
    }
    return steps;
}

rwa_status optree_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    (void)err;
    if (o->radix_count > 0)
        memcpy(e->set[0].radix, o->radix, o->radix_count * sizeof *o->radix);
    e->sets = o->radix_count > 0 ? 1 : choose_radices(e->set, request);
    for (size_t i = 0; i < e->sets; i++) {
        uint64_t steps = least_steps_with(&e->set[i], request->net);
        e->least_steps = i == 0 || steps < e->least_steps ? steps : e->least_steps;
    }
    return RWA_OK;
}

/** Check the caller's radices and stages.  Each dimension, the last one first, takes as many radices as it needs to
 * separate its nodes, and leaves the others to the next dimension. */
rwa_status optree_validate(const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    size_t dimensions = optree_dimensions(request->net), used = 0;
    uint64_t nodes = rwa_network_nodes(request->net);
    if (o->radix_count >= RADIX_LEVELS)
        return base_refuse(err, "radix: %zu stages, expected at most %d", o->radix_count, RADIX_LEVELS - 1);
    for (size_t j = 0; j < o->radix_count; j++)
        if (o->radix[j] < 2)
            return base_refuse(err, "radix %u: expected at least 2", o->radix[j]);
    for (size_t d = dimensions; d-- > 0 && o->radix_count > 0;) {
        uint32_t row = optree_row(request->net, d).nodes;
        used += optree_needed(o->radix + used, o->radix_count - used, row);
        if (used > o->radix_count)
            return base_refuse(err, "radix: expected more or larger ones, for the %u nodes of dimension %zu", row,
                               d + 1);
    }
    if (o->stages > 0 && dimensions > 1)
        return base_refuse(err, "stages: every dimension of a torus or mesh has its own, expected radices");
    if (o->radix_count > 0 && o->stages > 0 && o->stages != o->radix_count)
        return base_refuse(err, "radix and stages: %zu radices and %u stages, expected as many", o->radix_count,
                           o->stages);
    if (o->stages >= RADIX_LEVELS || (o->stages > 1 && (UINT64_C(1) << (o->stages - 1)) >= nodes))
        return base_refuse(err, "stages: %u, expected at most the tree of radix 2 has for %llu nodes", o->stages,
                           (unsigned long long)nodes);
    return RWA_OK;
}
