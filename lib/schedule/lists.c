/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Paths, taps and several blocks: what a record carries besides its members. */
#include "schedule/schedule.h"

#include "base/base.h"
#include "network/network.h"

#include <string.h>

/* So many entries fit a line that the reader takes. */
enum { HEAD = 3, ENTRIES_MAX = 90000 };

/** A walk over links that exist, each with the record's fibre. */
static rwa_status refuse_path(const struct rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, rwa_error *err)
{
    if (!s->needs_path && l->path_nodes > 0)
        return base_fail(err, RWA_BADARG, "a path: expected none, the kind of network says the route");
    if (!s->needs_path)
        return RWA_OK;
    if (l->path_nodes < 2)
        return base_fail(err, RWA_BADARG, "a path of %u nodes: expected at least 2", l->path_nodes);
    if (l->path[0] != lp->src || l->path[l->path_nodes - 1] != lp->dst)
        return base_fail(err, RWA_BADARG, "lightpath %u to %u: its path leads from %u to %u", lp->src, lp->dst, l->path[0],
                         l->path[l->path_nodes - 1]);
    for (uint32_t h = 0; h + 1 < l->path_nodes; h++) {
        uint32_t link = rwa_network_find_link(s->net, l->path[h], l->path[h + 1]);
        if (link == RWA_NO_LINK)
            return base_fail(err, RWA_BADARG, "lightpath %u to %u: no link from %u to %u", lp->src, lp->dst, l->path[h],
                             l->path[h + 1]);
        if (lp->fiber >= rwa_network_link(s->net, link).fibers)
            return base_fail(err, RWA_BADARG, "lightpath %u to %u: the link from %u to %u has no fiber %u", lp->src,
                             lp->dst, l->path[h], l->path[h + 1], lp->fiber);
    }
    return RWA_OK;
}

/** How many hops from src a node is met, 0 when it is not. */
static uint32_t hops_to(const struct rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, uint32_t node,
                        uint32_t after)
{
    if (network_has_arcs(s->net))
        return rwa_network_hops(s->net, lp->src, node, lp->direction);
    for (uint32_t h = after + 1; h < l->path_nodes; h++)
        if (l->path[h] == node)
            return h;
    return 0;
}

static rwa_status refuse_taps(const struct rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, rwa_error *err)
{
    uint32_t hops = network_has_arcs(s->net) ? rwa_network_hops(s->net, lp->src, lp->dst, lp->direction)
                                             : l->path_nodes - (l->path_nodes > 0);
    uint32_t before = 0;
    for (uint32_t i = 0; i < l->tap_count; i++) {
        uint32_t at = hops_to(s, lp, l, l->taps[i], before);
        if (at <= before || at >= hops)
            return base_fail(err, RWA_BADARG, "tap %u: expected taps between %u and %u, in travel order", l->taps[i],
                             lp->src, lp->dst);
        before = at;
    }
    return RWA_OK;
}

static rwa_status refuse_blocks(const struct rwa_schedule *s, const rwa_lists *l, rwa_error *err)
{
    for (uint32_t i = 0; i < l->block_count; i++)
        if (l->blocks[i] >= s->coll.blocks)
            return base_fail(err, RWA_BADARG, "block %u: expected below %llu", l->blocks[i],
                             (unsigned long long)s->coll.blocks);
    return RWA_OK;
}

rwa_status lists_refuse(const struct rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, rwa_error *err)
{
    uint64_t entries = (uint64_t)l->path_nodes + l->block_count + l->tap_count;
    rwa_status st = RWA_OK;
    if (entries > ENTRIES_MAX)
        return base_fail(err, RWA_BADARG, "a record with %llu nodes and blocks: expected at most %d",
                         (unsigned long long)entries, ENTRIES_MAX);
    TRY(refuse_path(s, lp, l, err));
    TRY(refuse_taps(s, lp, l, err));
    TRY(refuse_blocks(s, l, err));
done:
    return st;
}

static void put_words(struct pool *pool, const uint32_t *words, uint32_t count)
{
    if (count > 0)
        memcpy(pool->words + pool->used, words, count * sizeof *words);
    pool->used += count;
}

rwa_status pool_put(struct pool *pool, const rwa_lists *l, uint64_t *place, rwa_error *err)
{
    size_t need = (size_t)HEAD + l->path_nodes + l->block_count + l->tap_count;
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&pool->words, &pool->room, pool->used + need, sizeof *pool->words, err));
    *place = pool->used;
    put_words(pool, (uint32_t[HEAD]){l->path_nodes, l->block_count, l->tap_count}, HEAD);
    put_words(pool, l->path, l->path_nodes);
    put_words(pool, l->blocks, l->block_count);
    put_words(pool, l->taps, l->tap_count);
done:
    return st;
}

void pool_get(const struct pool *pool, uint64_t place, rwa_lists *out)
{
    const uint32_t *head = pool->words + place, *at = head + HEAD;
    *out = (rwa_lists){.path_nodes = head[0], .block_count = head[1], .tap_count = head[2]};
    out->path = head[0] ? at : NULL;
    at += head[0];
    out->blocks = head[1] ? at : NULL;
    at += head[1];
    out->taps = head[2] ? at : NULL;
}
