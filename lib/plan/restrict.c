/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The part of a schedule that carries out a collective which the schedule's own contains.  Lightpaths and blocks that the smaller
 * one does not need are left out; no lightpath is added, and none changes its channel, so that no channel is used twice.
 *
 * Copies: forwards, each node keeps the first arrival of each block that comes from the block's source; backwards, an arrival is
 * needed by its receiver at the end, or by a later one.  A sum of all contributions becomes a copy of the source's.
 * Sums: backwards, a contribution is needed by the sum it goes into; copied over, a sum is no longer needed before.
 */
#include "plan/plan.h"

#include "collective/needs.h"
#include "schedule/schedule.h"

#define NEVER UINT32_MAX
#define NO_BLOCK UINT32_MAX
/** Larger schedules are not looked at. */
enum { HELD_MOST = 1 << 22 };

/** The blocks of one record that are left: kept[begin] … kept[end - 1]. */
struct left {
    size_t begin, end;
};

struct restricting {
    const rwa_schedule *from;   /* the containing schedule, orbits written out */
    const rwa_collective *outer;
    rwa_collective inner;
    uint32_t parts;             /* of a block of the larger collective: blocks of the smaller one */
    bool sums;
    bool heard;                 /* transmissions on a star, by all of their listeners */
    bool once;                  /* each participant gets each block of the larger collective once: no arrival is in vain */
    uint32_t *place;            /* by node: which participant it is */
    uint32_t *since;            /* by participant and block: the step at whose end it has the block; 0: from the start */
    bool *needed;               /* by participant and block: at the end, and then before the step at hand */
    struct left *left;          /* by record */
    uint32_t *kept;
    size_t count, capacity;
    struct arena memory;
};

/* ---- blocks ---- */

/** Whether the message of each node has blocks of its own: one node's are those of a broadcast or a reduce. */
static bool is_by_owner(rwa_collective_kind kind)
{
    return kind == RWA_ALL_GATHER || kind == RWA_REDUCE_SCATTER;
}

/** Into how many blocks the smaller collective cuts its message, so that they are blocks of the larger one or, where several owners
 *  share one of these, equal parts of it; 0: that cannot be. */
static uint64_t inner_blocks(const rwa_collective *outer, rwa_collective_kind kind)
{
    uint64_t nodes = outer->nodes;
    if (is_by_owner(outer->kind))
        return outer->blocks % nodes != 0 ? 0 : collective_has_owners(kind) ? outer->blocks : outer->blocks / nodes;
    return collective_has_owners(kind) ? outer->blocks / common_divisor(outer->blocks, nodes) * nodes : outer->blocks;
}

/** The block of the smaller collective that a block of the larger one, or its first part, is; NO_BLOCK: none. */
static uint32_t inner_block(const struct restricting *r, uint64_t block)
{
    const rwa_collective *inner = &r->inner;
    if (is_by_owner(r->outer->kind) && !collective_has_owners(inner->kind))
        return block / inner->blocks == inner->root ? (uint32_t)(block % inner->blocks) : NO_BLOCK;
    return (uint32_t)(block * r->parts);
}

static size_t cell(const struct restricting *r, uint32_t node, uint32_t block)
{
    assert(block < r->inner.blocks && r->place[node] < r->inner.nodes);
    return (size_t)r->place[node] * r->inner.blocks + block;
}

/** The blocks of a record one after the other:
 *  for (struct cargo c = cargo_of(r, record); cargo_next(&c);) … c.block … */
struct cargo {
    const struct restricting *r;
    rwa_lightpath lp;
    rwa_lists lists;
    rwa_run one;
    const rwa_run *run;
    uint32_t runs, at, k, part;
    uint32_t block;             /* of the smaller collective */
};

static struct cargo cargo_of(const struct restricting *r, uint64_t record)
{
    struct cargo c = {.r = r};
    rwa_schedule_get(&c.lp, r->from, record);
    rwa_schedule_lists(&c.lists, r->from, record);
    return c;
}

static bool cargo_next(struct cargo *c)
{
    c->run = rwa_lists_runs(&c->runs, &c->one, &c->lp, &c->lists);
    if (c->part > 0 && c->part < c->r->parts) {
        c->part++;
        c->block++;
        return true;
    }
    for (; c->at < c->runs; c->at++, c->k = 0)
        while (c->k < c->run[c->at].count) {
            c->block = inner_block(c->r, c->run[c->at].first + (uint64_t)c->k * c->run[c->at].stride);
            c->k++;
            c->part = 1;
            if (c->block != NO_BLOCK)
                return true;
        }
    return false;
}

/** Receiver i of a lightpath; 0: its end. */
static uint32_t receiver(const struct cargo *c, uint32_t i)
{
    assert(i <= c->lists.tap_count);
    return i == 0 ? c->lp.dst : c->lists.taps[i - 1];
}

/* ---- which blocks are needed ---- */

/** Whether as many blocks arrive as all participants lack, so that none arrives twice. */
static bool arrives_once(const struct restricting *r)
{
    const rwa_collective *outer = r->outer;
    uint64_t arrivals = 0;
    if (outer->kind != RWA_ALL_GATHER && outer->kind != RWA_BROADCAST)
        return false;
    for (uint64_t i = 0; i < rwa_schedule_records(r->from); i++) {
        rwa_lists lists = schedule_lists(r->from, i);
        arrivals += (lists.block_count > 0 ? lists.block_count : 1) * (uint64_t)(1 + lists.tap_count);
    }
    return arrivals == (outer->nodes - 1) * outer->blocks;
}

/** Forwards: when each participant first has each block. */
static void note_arrivals(struct restricting *r)
{
    for (uint32_t step = 1; step <= rwa_schedule_steps(r->from); step++)
        for (uint64_t i = rwa_schedule_first(r->from, step); i < rwa_schedule_first(r->from, step + 1); i++)
            for (struct cargo c = cargo_of(r, i); cargo_next(&c);)
                for (uint32_t k = 0; r->since[cell(r, c.lp.src, c.block)] < step && k <= c.lists.tap_count; k++) {
                    uint32_t *since = &r->since[cell(r, receiver(&c, k), c.block)];
                    *since = *since == NEVER ? step : *since;
                }
}

static rwa_status keep(struct restricting *r, uint32_t block, rwa_error *err)
{
    return base_append(r->kept, r->count, r->capacity, err, block);
}

/** Whether some receiver needs the block from this lightpath of the step; the need of those is met. */
static bool meets_need(struct restricting *r, const struct cargo *c, uint32_t step)
{
    bool meets = false;
    if (!r->sums && !r->once && r->since[cell(r, c->lp.src, c->block)] >= step)
        return false;
    for (uint32_t k = 0; k <= c->lists.tap_count; k++) {
        size_t at = cell(r, receiver(c, k), c->block);
        if (!r->needed[at] || !(r->sums || r->once || r->since[at] == step))
            continue;
        meets = true;
        r->since[at] = step;
        r->needed[at] = r->sums && c->lp.op == RWA_REDUCE;
    }
    return meets;
}

/** All that the source has of a record: the listeners of a transmission on a star all hear the same. */
static rwa_status keep_all(struct restricting *r, uint64_t record, uint32_t step, rwa_error *err)
{
    r->left[record].begin = r->count;
    for (struct cargo c = cargo_of(r, record); cargo_next(&c);)
        if (r->sums || r->since[cell(r, c.lp.src, c.block)] < step)
            MUST(keep(r, c.block, err));
    r->left[record].end = r->count;
    return RWA_OK;
}

/** The blocks of a record that are needed. */
static rwa_status keep_some(struct restricting *r, uint64_t record, uint32_t step, rwa_error *err)
{
    r->left[record].begin = r->count;
    for (struct cargo c = cargo_of(r, record); cargo_next(&c);)
        if (meets_need(r, &c, step))
            MUST(keep(r, c.block, err));
    r->left[record].end = r->count;
    return RWA_OK;
}

/** Backwards: the blocks that are needed of each record. */
static rwa_status keep_needed(struct restricting *r, rwa_error *err)
{
    for (uint32_t step = rwa_schedule_steps(r->from); step > 0; step--) {
        uint64_t first = rwa_schedule_first(r->from, step), end = rwa_schedule_first(r->from, step + 1);
        for (uint64_t i = first; i < end; i++) {
            MUST(keep_some(r, i, step, err));
            if (r->heard && r->left[i].begin < r->left[i].end)
                MUST(keep_all(r, i, step, err));
        }
        for (uint64_t i = first; i < end; i++) {
            rwa_lightpath lp = schedule_lightpath(r->from, i);
            for (size_t k = r->left[i].begin; k < r->left[i].end; k++)
                r->needed[cell(r, lp.src, r->kept[k])] = true;
        }
    }
    return RWA_OK;
}

/* ---- the schedule ---- */

static rwa_status add_left(rwa_schedule *to, const struct restricting *r, uint64_t record, uint32_t step, rwa_error *err)
{
    const struct left *left = &r->left[record];
    rwa_lightpath lp = schedule_lightpath(r->from, record);
    rwa_lists lists = schedule_lists(r->from, record);
    lp.step = step;
    lp.op = r->sums ? lp.op : RWA_COPY;
    lp.block = r->kept[left->begin];
    lists.runs = NULL;
    lists.run_count = 0;
    lists.block_count = left->end - left->begin > 1 ? (uint32_t)(left->end - left->begin) : 0;
    lists.blocks = lists.block_count > 0 ? r->kept + left->begin : NULL;
    return rwa_schedule_add_lists(to, &lp, &lists, err);
}

/** Steps of which nothing is left go, but between others where ports may rest meanwhile. */
static rwa_status write_left(rwa_schedule **out, const struct restricting *r, rwa_error *err)
{
    char name[RWA_ERROR_TEXT];
    rwa_schedule *to = NULL;
    uint32_t steps = 0, idle = 0;
    bool rests = rwa_network_tuning(rwa_schedule_network(r->from)) > 0;
    rwa_status st = RWA_OK;
    snprintf(name, sizeof name, NAME_OF_PART, rwa_collective_name(r->outer->kind), rwa_schedule_scheme(r->from));
    TRY(rwa_schedule_create_among(&to, rwa_schedule_network(r->from), &r->inner, rwa_schedule_members(r->from), name, err));
    for (uint32_t step = 1; step <= rwa_schedule_steps(r->from); step++) {
        bool any = false;
        for (uint64_t i = rwa_schedule_first(r->from, step); i < rwa_schedule_first(r->from, step + 1); i++)
            if (r->left[i].begin < r->left[i].end) {
                steps += any ? 0 : 1 + idle;
                any = true;
                idle = 0;
                TRY(add_left(to, r, i, steps, err));
            }
        idle += !any && rests && steps > 0;
    }
    *out = to;
    to = NULL;
done:
    rwa_schedule_free(to);
    return st;
}

static rwa_status open_restricting(struct restricting *r, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(r->from));
    const uint32_t *members = rwa_schedule_members(r->from);
    uint32_t *first;    /* by block: the participant that has it first, or sums it up */
    size_t cells = (size_t)r->inner.nodes * r->inner.blocks;
    r->memory.err = err;
    arena_new(&r->memory, r->place, nodes);
    arena_new(&r->memory, r->since, cells);
    arena_new(&r->memory, r->needed, cells);
    arena_new(&r->memory, r->left, rwa_schedule_records(r->from) + 1);
    arena_new(&r->memory, first, r->inner.blocks);
    MUST(arena_status(&r->memory));
    for (uint32_t b = 0; b < r->inner.blocks; b++)
        first[b] = !r->sums ? collective_source(&r->inner, b)
                            : r->inner.kind == RWA_ROOTED_REDUCE ? r->inner.root : rwa_collective_owner(&r->inner, b);
    for (uint32_t p = 0; p < r->inner.nodes; p++)
        r->place[members ? members[p] : p] = p;
    for (uint32_t p = 0; p < r->inner.nodes; p++)
        for (uint32_t b = 0; b < r->inner.blocks; b++) {
            size_t at = (size_t)p * r->inner.blocks + b;
            r->since[at] = !r->sums && first[b] == p ? 0 : NEVER;
            r->needed[at] = r->sums ? first[b] == p : r->since[at] != 0 && collective_needs(&r->inner, p, b);
        }
    return RWA_OK;
}

static void close_restricting(struct restricting *r)
{
    arena_free(&r->memory);
    free(r->kept);
}

static bool is_small(const rwa_schedule *outer, uint64_t blocks)
{
    const rwa_collective *coll = rwa_schedule_collective(outer);
    return blocks > 0 && rwa_schedule_lightpaths(outer) <= RESTRICTED_MOST && (double)coll->nodes * (double)blocks <= HELD_MOST &&
           (double)rwa_schedule_lightpaths(outer) * rwa_schedule_lightpath_blocks(outer) <= 4.0 * HELD_MOST;
}

rwa_status restrict_schedule(rwa_schedule **out, const rwa_schedule *outer, const rwa_collective *coll, rwa_error *err)
{
    struct restricting r = {.outer = rwa_schedule_collective(outer), .sums = rwa_collective_is_reduction(coll->kind)};
    uint64_t blocks = inner_blocks(r.outer, coll->kind);
    rwa_schedule *written = NULL;
    rwa_status st = RWA_OK;
    if (!is_small(outer, blocks) ||
        rwa_collective_init(&r.inner, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, NULL) != RWA_OK)
        return RWA_OK;
    r.parts = is_by_owner(r.outer->kind) ? 1 : (uint32_t)(blocks / r.outer->blocks);
    assert(r.parts > 0 && r.inner.block_bytes <= r.outer->block_bytes);
    if (rwa_schedule_records(outer) < rwa_schedule_lightpaths(outer))
        TRY(rwa_schedule_expand(&written, outer, err));
    r.from = written ? written : outer;
    r.heard = network_capabilities(rwa_schedule_network(r.from)) & NETWORK_STAR;
    TRY(open_restricting(&r, err));
    r.once = !r.heard && arrives_once(&r);
    if (!r.sums && !r.once)
        note_arrivals(&r);
    TRY(keep_needed(&r, err));
    TRY(write_left(out, &r, err));
done:
    close_restricting(&r);
    rwa_schedule_free(written);
    return st;
}
