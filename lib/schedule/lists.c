/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Paths, taps and several blocks: the lists of a record. */
#include "schedule/schedule.h"

#include "network/network.h"

/* Most entries of a line in a file. */
enum { ENTRIES_MAX = 90000 };

/** Most words of the head of a record's lists: number of nodes of the path with flags that say whether the counts of
 *  runs and blocks, and of taps, follow. */
enum { HEAD_MOST = 4 };
#define HAS_BLOCKS (UINT32_C(1) << 30)
#define HAS_TAPS (UINT32_C(1) << 31)

/** Refuse a path (RWA_BADARG) unless it is a walk over existing links, each of which has the record's fibre. */
static rwa_status refuse_path(const struct rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, rwa_error *err)
{
    if (!s->needs_path && l->path_nodes > 0)
        return base_refuse(err, "a path: expected none, the direction determines the route on this network");
    if (!s->needs_path)
        return RWA_OK;
    if (l->path_nodes < 2)
        return base_refuse(err, "a path of %u nodes: expected at least 2", l->path_nodes);
    if (l->path[0] != lp->src || l->path[l->path_nodes - 1] != lp->dst)
        return base_refuse(err, "lightpath %u to %u: its path leads from %u to %u", lp->src, lp->dst, l->path[0],
                           l->path[l->path_nodes - 1]);
    for (uint32_t h = 0; h + 1 < l->path_nodes; h++) {
        uint32_t link = rwa_network_find_link(s->net, l->path[h], l->path[h + 1]);
        if (link == RWA_NONE)
            return base_refuse(err, "lightpath %u to %u: no link from %u to %u", lp->src, lp->dst, l->path[h],
                               l->path[h + 1]);
        if (lp->fiber >= rwa_network_link(s->net, link).fibers)
            return base_refuse(err, "lightpath %u to %u: the link from %u to %u has no fiber %u", lp->src, lp->dst,
                               l->path[h], l->path[h + 1], lp->fiber);
    }
    return RWA_OK;
}

/** Return how many hops after the record's source `node` lies on its route; 0: it does not.  On a listed path, only
 * nodes more than `after` hops away count. */
static uint32_t hops_to(const struct rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, uint32_t node,
                        uint32_t after)
{
    if (network_has_arcs(s->net))
        return network_hops(s->net, lp->src, node, lp->direction);
    for (uint32_t h = after + 1; h < l->path_nodes; h++)
        if (l->path[h] == node)
            return h;
    return 0;
}

static rwa_status refuse_taps(const struct rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, rwa_error *err)
{
    uint32_t hops = network_has_arcs(s->net) ? network_hops(s->net, lp->src, lp->dst, lp->direction)
                                             : l->path_nodes - (l->path_nodes > 0);
    uint32_t before = 0;
    for (uint32_t i = 0; i < l->tap_count; i++) {
        uint32_t at = hops_to(s, lp, l, l->taps[i], before);
        if (at <= before || at >= hops)
            return base_refuse(err, "tap %u: expected taps between %u and %u, in travel order", l->taps[i], lp->src,
                               lp->dst);
        before = at;
    }
    return RWA_OK;
}

static rwa_status refuse_block(const struct rwa_schedule *s, uint64_t block, rwa_error *err)
{
    if (block < s->coll.blocks)
        return RWA_OK;
    return base_refuse(err, "block %" PRIu64 ": expected below %" PRIu64, block, s->coll.blocks);
}

static rwa_status refuse_runs(const struct rwa_schedule *s, const rwa_lists *l, rwa_error *err)
{
    uint64_t blocks = 0;
    assert(l->run_count == 0 || l->runs);
    for (uint32_t i = 0; i < l->run_count; i++) {
        const rwa_run *run = &l->runs[i];
        if (run->count == 0 || run->count > s->coll.blocks)
            return base_refuse(err, "a run of %u blocks: expected 1 to %" PRIu64, run->count, s->coll.blocks);
        MUST(refuse_block(s, run->first + (uint64_t)(run->count - 1) * run->stride, err));
        blocks += run->count;
    }
    if (l->runs && (l->blocks || blocks != l->block_count))
        return base_refuse(
            err, "runs of %" PRIu64 " blocks: expected runs of block_count = %u blocks, without a list of them", blocks,
            l->block_count);
    return RWA_OK;
}

static rwa_status refuse_blocks(const struct rwa_schedule *s, const rwa_lists *l, rwa_error *err)
{
    for (uint32_t i = 0; l->blocks && i < l->block_count; i++)
        MUST(refuse_block(s, l->blocks[i], err));
    return refuse_runs(s, l, err);
}

rwa_status lists_refuse(const struct rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, rwa_error *err)
{
    uint64_t entries = (uint64_t)l->path_nodes + (l->runs ? l->run_count : l->block_count) + l->tap_count;
    if (entries > ENTRIES_MAX)
        return base_refuse(err, "a record with %" PRIu64 " nodes and blocks: expected at most %d", entries,
                           ENTRIES_MAX);
    MUST(refuse_path(s, lp, l, err));
    MUST(refuse_taps(s, lp, l, err));
    return refuse_blocks(s, l, err);
}

/** Append words to the pool, whose capacity must suffice. */
static void put_words(struct pool *pool, const uint32_t *words, uint32_t count)
{
    assert(count <= base_capacity(pool->words) - pool->used);
    if (count > 0)
        memcpy(pool->words + pool->used, words, count * sizeof *words);
    pool->used += count;
}

/** Return the longest run at the beginning of a list of `count` > 0 blocks.  The blocks of a run ascend by equal
 * strides; where the list descends or repeats a block, the run ends. */
static rwa_run first_run(const uint32_t *block, uint32_t count)
{
    assert(count > 0);
    rwa_run run = {block[0], 1, 1};
    if (count > 1 && block[1] > block[0])
        run.stride = block[1] - block[0];
    while (run.count < count && block[run.count] > block[run.count - 1] &&
           block[run.count] - block[run.count - 1] == run.stride)
        run.count++;
    return run;
}

uint32_t runs_of_blocks(rwa_run *out, const uint32_t *block, uint32_t count)
{
    uint32_t runs = 0;
    for (uint32_t i = 0; i < count; i += out[runs++].count)
        out[runs] = first_run(block + i, count - i);
    return runs;
}

rwa_status pool_put(struct pool *pool, const rwa_lists *l, uint64_t *place, uint32_t *runs, rwa_error *err)
{
    static_assert(sizeof(rwa_run) == 3 * sizeof(uint32_t), "a run is three words of the pool");
    uint32_t most = l->runs ? l->run_count : l->block_count;
    size_t need = (size_t)HEAD_MOST + l->path_nodes + (size_t)3 * most + l->tap_count;
    assert(l->path_nodes < HAS_BLOCKS);
    MUST(base_reserve(pool->words, pool->used + need, err));
    uint32_t *head = pool->words + pool->used;
    *place = pool->used++;
    *head = l->path_nodes | (most > 0 ? HAS_BLOCKS : 0) | (l->tap_count > 0 ? HAS_TAPS : 0);
    if (most > 0) {
        head[2] = l->block_count; /* head[1] is the number of runs, set below */
        pool->used += 2;
    }
    if (l->tap_count > 0)
        pool->words[pool->used++] = l->tap_count;
    put_words(pool, l->path, l->path_nodes);
    *runs = most;
    if (l->runs)
        memcpy(pool->words + pool->used, l->runs, l->run_count * sizeof *l->runs);
    else
        *runs = runs_of_blocks((rwa_run *)(pool->words + pool->used), l->blocks, l->block_count);
    if (most > 0)
        head[1] = *runs;
    pool->used += (size_t)3 * *runs;
    put_words(pool, l->taps, l->tap_count);
    return RWA_OK;
}

void pool_get(const struct pool *pool, uint64_t place, rwa_lists *out)
{
    assert(place < pool->used);
    const uint32_t *at = pool->words + place, head = *at++;
    *out = (rwa_lists){.path_nodes = head & (HAS_BLOCKS - 1)};
    if (head & HAS_BLOCKS) {
        out->run_count = *at++;
        out->block_count = *at++;
    }
    if (head & HAS_TAPS)
        out->tap_count = *at++;
    out->path = out->path_nodes ? at : NULL;
    at += out->path_nodes;
    out->runs = out->run_count ? (const rwa_run *)at : NULL;
    at += (size_t)3 * out->run_count;
    out->taps = out->tap_count ? at : NULL;
    assert(at + out->tap_count <= pool->words + pool->used);
}

uint32_t rwa_lists_runs(const rwa_run **runs, rwa_run *one, const rwa_lightpath *record, const rwa_lists *lists)
{
    assert(!lists->blocks);
    *one = (rwa_run){(uint32_t)record->block, 1, 1};
    *runs = lists->run_count ? lists->runs : one;
    return lists->run_count ? lists->run_count : 1;
}

bool record_carries(const rwa_lightpath *record, const rwa_lists *lists, uint64_t block)
{
    rwa_run one;
    uint32_t runs;
    const rwa_run *run;
    runs = rwa_lists_runs(&run, &one, record, lists);
    for (uint32_t i = 0; i < runs; i++) {
        uint64_t ahead = block - run[i].first;
        if (block >= run[i].first &&
            (run[i].stride ? ahead % run[i].stride == 0 && ahead / run[i].stride < run[i].count : ahead == 0))
            return true;
    }
    return false;
}
