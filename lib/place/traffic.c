/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/place.h"

void rwa_traffic_free(rwa_traffic *traffic)
{
    if (!traffic)
        return;
    bins_free(&traffic->of[0]);
    bins_free(&traffic->of[1]);
    free_all(traffic->flow, traffic);
}

GETTER(uint32_t, rwa_traffic_nodes, rwa_traffic, nodes)
GETTER(size_t, rwa_traffic_flows, rwa_traffic, count)

GETTER_ENTRY(rwa_flow, rwa_traffic_flow, rwa_traffic, flow)

COMPARATOR(by_pair, rwa_flow, UP(src) UP(dst))

static rwa_status check_flow(const rwa_flow *f, size_t i, uint32_t nodes, rwa_error *err)
{
    if (f->src >= nodes || f->dst >= nodes)
        return base_refuse(err, "flow %zu: from %u to %u, expected nodes 0 to %u", i, f->src, f->dst, nodes - 1);
    if (!(f->bytes >= 0) || !isfinite(f->bytes))
        return base_refuse(err, "flow %zu: %g bytes, expected a number of at least 0", i, f->bytes);
    return RWA_OK;
}

/** Sort the flows by source and destination, add up those of the same pair, and drop flows without bytes or from a node
 *  to itself. */
static void join_pairs(rwa_traffic *t)
{
    size_t kept = 0;
    qsort(t->flow, t->count, sizeof *t->flow, by_pair);
    for (size_t i = 0; i < t->count; i++) {
        if (t->flow[i].bytes <= 0 || t->flow[i].src == t->flow[i].dst)
            continue;
        if (kept > 0 && by_pair(&t->flow[kept - 1], &t->flow[i]) == 0)
            t->flow[kept - 1].bytes += t->flow[i].bytes;
        else
            t->flow[kept++] = t->flow[i];
    }
    assert(kept <= t->count);
    t->count = kept;
}

static rwa_status index_flows(rwa_traffic *t, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (int end = 0; end < 2 && st == RWA_OK; end++)
        while (bins_pass(&t->of[end], t->nodes, &st, err))
            for (size_t i = 0; i < t->count; i++)
                bins_add(&t->of[end], end ? t->flow[i].dst : t->flow[i].src, (uint32_t)i);
    return st;
}

rwa_status rwa_traffic_create(rwa_traffic **out, uint32_t nodes, const rwa_flow *flows, size_t count, rwa_error *err)
{
    BEGIN_NEW(out, err, !count || flows);
    rwa_status st = RWA_OK;
    rwa_traffic *t = NULL;
    if (nodes < 2 || nodes > RWA_NODES_MAX)
        return base_refuse(err, "traffic among %u nodes, expected 2 to %u", nodes, RWA_NODES_MAX);
    if (count > UINT32_MAX)
        return base_refuse(err, "more than 2^32 flows");
    for (size_t i = 0; i < count; i++)
        if (check_flow(&flows[i], i, nodes, err) != RWA_OK)
            return RWA_BADARG;
    MUST(base_new(t, 1, err));
    t->nodes = nodes;
    t->count = count;
    TRY(base_new(t->flow, count, err));
    if (count > 0)
        memcpy(t->flow, flows, count * sizeof *flows);
    join_pairs(t);
    for (size_t i = 0; i < t->count; i++)
        if (!isfinite(t->flow[i].bytes))
            TRY(base_refuse(err, "from %u to %u: the flows add up to no finite number of bytes", t->flow[i].src,
                            t->flow[i].dst));
    TRY(index_flows(t, err));
    *out = t;
    t = NULL;
done:
    rwa_traffic_free(t);
    return st;
}
