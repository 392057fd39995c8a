/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demand sets: given one by one, all to all, or at random. */
#include "demand/demand_list.h"

#include "base/arena.h"

struct rwa_demands {
    struct arena memory;    /* of the arrays */
    uint32_t nodes;
    size_t count;
    uint64_t lightpaths;
    rwa_demand *list;
    uint32_t *widths;       /* NULL: all 1 */
    double *rates;          /* NULL: none is known */
};

const char *rwa_model_name(rwa_model model)
{
    return model == RWA_DIRECTED ? "directed" : model == RWA_UNDIRECTED ? "undirected" : NULL;
}

rwa_model rwa_network_model(const rwa_network *net)
{
    return rwa_network_topology(net) == RWA_GRAPH && rwa_network_is_paired(net) ? RWA_UNDIRECTED : RWA_DIRECTED;
}

static rwa_status check_demand(uint32_t nodes, const rwa_demand *d, uint32_t width, double rate_bps, size_t i,
                               rwa_error *err)
{
    uint32_t outside = d->src >= nodes ? d->src : d->dst;
    if (d->src >= nodes || d->dst >= nodes)
        return base_refuse(err, "demand %zu: node %u, expected 0 to %u", i, outside, nodes - 1);
    if (d->src == d->dst)
        return base_refuse(err, "demand %zu leads from node %u to itself: expected two nodes", i, d->src);
    if (d->count == 0)
        return base_refuse(err, "demand %zu asks for no lightpath: expected at least 1", i);
    if (d->via != RWA_NONE && (d->via >= nodes || d->via == d->src || d->via == d->dst))
        return base_refuse(err, "demand %zu: via node %u, expected another node of the network", i, d->via);
    if (width < 1 || width > RWA_CHANNELS_MAX)
        return base_refuse(err, "demand %zu: a width of %u slots, expected 1 to %u", i, width, RWA_CHANNELS_MAX);
    if (!(rate_bps >= 0) || !isfinite(rate_bps))
        return base_refuse(err, "demand %zu: a rate of %g bit/s, expected one that is not negative", i, rate_bps);
    return RWA_OK;
}

/** Create an empty set with space for `count` demands.  Call rwa_demands_free() also after a failure. */
static rwa_status demands_begin(rwa_demands **out, uint32_t nodes, size_t count, rwa_error *err)
{
    rwa_demands *d = NULL;
    *out = NULL;
    if (nodes < 2 || nodes > RWA_NODES_MAX)
        return base_refuse(err, "demands between %u nodes: expected 2 to %u", nodes, RWA_NODES_MAX);
    if (count > RWA_DEMANDS_MAX)
        return base_refuse(err, "%zu demands: expected at most %u", count, RWA_DEMANDS_MAX);
    MUST(base_fits_memory((double)count * sizeof *d->list, "this demand set", err));
    MUST(base_new(d, 1, err));
    *d = (rwa_demands){.memory.err = err, .nodes = nodes};
    arena_new(&d->memory, d->list, count);
    *out = d;
    return arena_status(&d->memory);
}

static void push(rwa_demands *d, rwa_demand demand)
{
    assert(d && d->list);
    d->list[d->count++] = demand;
    d->lightpaths += demand.count;
}

/** End the creation of the set `d`.  If `st` is RWA_OK, put it into *out, which was NULL; else free it and return
 *  `st`.  RWA_BADARG: more than RWA_DEMANDS_MAX lightpaths. */
static rwa_status demands_end(rwa_demands **out, rwa_demands *d, rwa_status st)
{
    if (st == RWA_OK && d->lightpaths > RWA_DEMANDS_MAX)
        st = base_refuse(d->memory.err, "more than %u lightpaths in all", RWA_DEMANDS_MAX);
    if (st != RWA_OK) {
        rwa_demands_free(d);
        return st;
    }
    d->memory.err = NULL;
    *out = d;
    return RWA_OK;
}

rwa_status demands_make(rwa_demands **out, uint32_t nodes, const rwa_demand *list, size_t count, const uint32_t *widths,
                        const double *rates, rwa_error *err)
{
    rwa_demands *d = NULL;
    bool wide = false, known = false;
    rwa_status st = demands_begin(&d, nodes, count, err);
    for (size_t i = 0; st == RWA_OK && i < count; i++) {
        uint32_t width = widths ? widths[i] : 1;
        double rate = rates ? rates[i] : 0;
        TRY(check_demand(nodes, &list[i], width, rate, i, err));
        push(d, list[i]);
        wide = wide || width > 1;
        known = known || rate > 0;
    }
    TRY(st);
    if (wide)
        arena_copy(&d->memory, d->widths, widths, count);
    if (known)
        arena_copy(&d->memory, d->rates, rates, count);
    st = arena_status(&d->memory);
done:
    return demands_end(out, d, st);
}

rwa_status rwa_demands_create(rwa_demands **out, uint32_t nodes, const rwa_demand *list, size_t count, rwa_error *err)
{
    BEGIN_NEW(out, err, !count || list);
    return demands_make(out, nodes, list, count, NULL, NULL, err);
}

void rwa_demands_free(rwa_demands *d)
{
    if (d)
        arena_free(&d->memory);
    free(d);
}

rwa_status rwa_demands_with_widths(rwa_demands **out, const rwa_demands *demands, const uint32_t *widths,
                                   rwa_error *err)
{
    BEGIN_NEW(out, err, demands);
    return demands_make(out, demands->nodes, demands->list, demands->count, widths, demands->rates, err);
}

rwa_status rwa_demands_with_rates(rwa_demands **out, const rwa_demands *demands, const double *rates_bps,
                                  rwa_error *err)
{
    BEGIN_NEW(out, err, demands);
    return demands_make(out, demands->nodes, demands->list, demands->count, demands->widths, rates_bps, err);
}

GETTER(const uint32_t *, rwa_demands_widths, rwa_demands, widths)
GETTER(const double *, rwa_demands_rates, rwa_demands, rates)

rwa_status rwa_demands_all_to_all(rwa_demands **out, uint32_t nodes, rwa_model model, rwa_error *err)
{
    BEGIN(err, out);
    rwa_demands *d = *out = NULL;
    uint64_t pairs = (uint64_t)nodes * (nodes - (uint64_t)(nodes > 0)) / (model == RWA_UNDIRECTED ? 2 : 1);
    if (!rwa_model_name(model))
        return base_refuse(err, "all-to-all: expected the directed or the undirected model");
    rwa_status st = demands_begin(&d, nodes, (size_t)pairs, err);
    for (uint32_t src = 0; st == RWA_OK && src < nodes; src++)
        for (uint32_t dst = model == RWA_UNDIRECTED ? src + 1 : 0; dst < nodes; dst++)
            if (src != dst)
                push(d, (rwa_demand){src, dst, 1, RWA_NONE});
    return demands_end(out, d, st);
}

rwa_status rwa_demands_random(rwa_demands **out, uint32_t nodes, rwa_model model, size_t count, uint64_t seed,
                              rwa_error *err)
{
    BEGIN(err, out);
    rwa_demands *d = *out = NULL;
    if (!rwa_model_name(model))
        return base_refuse(err, "random demands: expected the directed or the undirected model");
    rwa_status st = demands_begin(&d, nodes, count, err);
    for (size_t i = 0; st == RWA_OK && i < count; i++) {
        uint32_t src = (uint32_t)base_random_below(&seed, nodes);
        uint32_t dst = (uint32_t)base_random_below(&seed, nodes - 1);
        dst += dst >= src;
        bool swapped = model == RWA_UNDIRECTED && dst < src;
        push(d, (rwa_demand){swapped ? dst : src, swapped ? src : dst, 1, RWA_NONE});
    }
    return demands_end(out, d, st);
}

GETTER(uint32_t, rwa_demands_nodes, rwa_demands, nodes)
GETTER(size_t, rwa_demands_count, rwa_demands, count)
GETTER(uint64_t, rwa_demands_lightpaths, rwa_demands, lightpaths)
GETTER(const rwa_demand *, rwa_demands_list, rwa_demands, list)

int rwa_demands_is_all_to_all(const rwa_demands *d, rwa_model model)
{
    uint64_t pairs = (uint64_t)d->nodes * (d->nodes - 1) / (model == RWA_UNDIRECTED ? 2 : 1);
    int each_once = d->count == pairs && d->lightpaths == pairs && !d->widths;
    uint64_t *seen =
        each_once ? base_array((size_t)((uint64_t)d->nodes * d->nodes / 64 + 1), sizeof *seen, NULL) : NULL;
    each_once = seen != NULL;
    for (size_t i = 0; each_once && i < d->count; i++) {
        const rwa_demand *one = &d->list[i];
        bool swapped = model == RWA_UNDIRECTED && one->src > one->dst;
        uint64_t key = (uint64_t)(swapped ? one->dst : one->src) * d->nodes + (swapped ? one->src : one->dst);
        each_once = one->via == RWA_NONE && !get_bit(seen, key);
        set_bit(seen, key);
    }
    free(seen);
    return each_once;
}
