/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The choice of the blocks that move, for files that name only their number.  A sender sends blocks that it holds and
 * the receiver lacks, so that every node gets every block once.  For a ring, recursive doubling or direct exchange
 * there is only one choice.  Otherwise two rules are tried.  The first, for trees and exchanges: the sender's own
 * block; then blocks whose owner will not send to the receiver itself, among these the one that the sender has had
 * longest.  The second, for ring algorithms: the block whose owner is farthest from the receiver.  Neither rule is a
 * search, so both may fail on a file for which another choice completes the collective.
 */
#include "base/arithmetic.h"
#include "foreign/import.h"

enum { LACKS = 0, FROM_START = 1 }; /* received in step t: t + 1 */

/* The most blocks of a file that does not name them. */
#define BLOCKS_MAX ((uint64_t)1 << 20)

struct ranked_block {
    uint64_t rank;
    uint32_t block;
};

struct block_choice {
    struct import *im;
    size_t from, to;            /* the lanes in work: from … to - 1 */
    bool farthest;              /* the second rule */
    bool backwards;             /* time and direction are reversed: a gather reversed in time is a reduction */
    uint32_t nodes, last_step;
    uint64_t blocks;
    struct arena memory;        /* of the arrays below */
    uint32_t *state;            /* [node][block]: LACKS, or the first step in which the node can send the block */
    uint32_t *held, *holds;     /* [node][…]: its blocks in the order of arrival; the number of them */
    struct ranked_block *candidates;   /* to go on a lane */
    uint32_t *direct;           /* [src][dst]: the last step with a lane from src to dst */
};

static rwa_transfer in_gathering(const struct block_choice *c, const struct import_lane *lane)
{
    if (!c->backwards)
        return (rwa_transfer){.step = lane->step, .src = lane->src, .dst = lane->dst};
    return (rwa_transfer){.step = c->last_step + 1 - lane->step, .src = lane->dst, .dst = lane->src};
}

static void take(struct block_choice *c, uint32_t node, uint64_t block, uint32_t when)
{
    assert(node < c->nodes && block < c->blocks && c->holds[node] < c->blocks);
    c->state[node * c->blocks + block] = when;
    c->held[node * c->blocks + c->holds[node]++] = (uint32_t)block;
}

static rwa_status choice_open(struct block_choice *c)
{
    double bytes = (double)c->nodes * (2 * (double)c->blocks + c->nodes) * sizeof *c->state;
    MUST(base_fits_memory(bytes, "choosing blocks", c->im->err));
    c->memory = (struct arena){.err = c->im->err};
    arena_arrays(&c->memory, (size_t)(c->nodes * c->blocks), c->state, c->held);
    arena_new(&c->memory, c->holds, c->nodes);
    arena_new(&c->memory, c->direct, (size_t)c->nodes * c->nodes);
    MUST(arena_arrays(&c->memory, (size_t)c->blocks, c->candidates));
    for (uint64_t b = 0; b < c->blocks; b++)
        take(c, rwa_collective_owner(&c->im->coll, b), b, FROM_START);
    for (size_t i = c->from; i < c->to; i++) {
        rwa_transfer t = in_gathering(c, &c->im->lanes[i]);
        uint32_t *last = &c->direct[(size_t)t.src * c->nodes + t.dst];
        RAISE(*last, t.step);
    }
    return RWA_OK;
}

static bool can_go(const struct block_choice *c, const rwa_transfer *t, uint32_t block)
{
    assert(block < c->blocks && t->step > 0);
    return c->state[t->dst * c->blocks + block] == LACKS && c->state[t->src * c->blocks + block] <= t->step;
}

/** Return the rank of a block for transfer t; the block with the lowest rank goes first.  c->farthest selects the
 *  second rule.  `i` is the block's place, from 0, in the order in which the sender got its blocks. */
static uint64_t rank(const struct block_choice *c, const rwa_transfer *t, uint32_t block, uint32_t i)
{
    uint32_t owner = rwa_collective_owner(&c->im->coll, block), ahead = (owner + c->nodes - t->dst) % c->nodes;
    if (c->farthest)
        return (uint64_t)(c->nodes - (ahead < c->nodes - ahead ? ahead : c->nodes - ahead)) << 32 | block;
    uint64_t later = owner != t->src && c->direct[(size_t)owner * c->nodes + t->dst] >= t->step;
    return later << 32 | i; /* own blocks came first */
}

COMPARATOR(by_rank, struct ranked_block, UP(rank))

/** Store the blocks that transfer t can carry in c->candidates, and return their number.  The `wanted` blocks of lowest
 *  rank come first, in order. */
static uint32_t find_candidates(struct block_choice *c, const rwa_transfer *t, uint64_t wanted)
{
    uint32_t count = 0, best = 0;
    assert(t->src < c->nodes && t->dst < c->nodes);
    for (uint32_t i = 0; i < c->holds[t->src]; i++) {
        uint32_t block = c->held[t->src * c->blocks + i];
        if (!can_go(c, t, block))
            continue;
        c->candidates[count] = (struct ranked_block){rank(c, t, block, i), block};
        best = c->candidates[count].rank < c->candidates[best].rank ? count : best;
        count++;
    }
    if (wanted > 1 && count > 1)
        qsort(c->candidates, count, sizeof *c->candidates, by_rank);
    else if (count > 0)
        c->candidates[0] = c->candidates[best];
    return count;
}

static rwa_status choose(struct block_choice *c, const struct import_lane *lane)
{
    rwa_transfer t = in_gathering(c, lane);
    uint32_t found = find_candidates(c, &t, lane->count);
    assert(found <= c->holds[t.src]);
    if (found < lane->count)
        return import_fail_at(c->im, lane->at,
                              "step %u: %" PRIu64 " blocks go from node %u to node %u"
                              ", found only %u that %s; the file does not say which they are",
                              lane->step, lane->count, lane->src, lane->dst, found,
                              c->backwards ? "are still to be added" : "one has and the other lacks");
    for (uint32_t k = 0; k < lane->count; k++) {
        rwa_transfer sent = {.step = lane->step, .src = lane->src, .dst = lane->dst, .block = c->candidates[k].block,
                             .op = c->backwards ? RWA_REDUCE : RWA_COPY};
        take(c, t.dst, sent.block, t.step + 1);
        MUST(import_add(c->im, &sent));
    }
    return RWA_OK;
}

static rwa_status choose_all(struct block_choice *c)
{
    rwa_status st = RWA_OK;
    TRY(choice_open(c));
    for (size_t i = 0; i < c->to - c->from; i++)
        TRY(choose(c, &c->im->lanes[c->backwards ? c->to - 1 - i : c->from + i]));
done:
    arena_free(&c->memory);
    return st;
}

/** Choose the blocks that lanes from ... to - 1 move, by the first rule or, if it fails, by the second, and append the
 *  transfers to im->list.  The lanes bring every block to every node or, if `backwards`, would do so if run backwards
 *  in time: they are a reduction.  RWA_FORMAT: both rules fail. */
static rwa_status gather(struct block_choice *c, size_t from, size_t to, bool backwards)
{
    struct import *im = c->im;
    rwa_error *err = im->err, why[2] = {{0}};
    size_t before = im->count;
    rwa_status st = RWA_FORMAT;
    assert(from <= to);
    c->from = from;
    c->to = to;
    c->backwards = backwards;
    c->last_step = to > from ? im->lanes[to - 1].step : 0;
    for (int rule = 0; rule < 2 && st == RWA_FORMAT; rule++) {
        c->farthest = rule > 0;
        im->count = before;
        im->err = &why[rule];
        st = choose_all(c);
    }
    im->err = err;
    return st == RWA_OK ? st : base_fail(err, st, "%s", why[st != RWA_FORMAT && why[1].status].text);
}

/** Return the number of lanes, from the first on, that are the reduce-scatter of an all-reduce; the all-gather follows.
 *  Both move equally many blocks, so the border lies where half have moved.  Return 0 if no step ends there. */
static size_t first_half(const struct import_lane *lanes, size_t count)
{
    uint64_t all = 0, seen = 0;
    size_t i = 0;
    for (size_t k = 0; k < count; k++)
        all += lanes[k].count;
    while (i < count && seen < all / 2)
        seen += lanes[i++].count;
    return 2 * seen == all && i > 0 && i < count && lanes[i].step != lanes[i - 1].step ? i : 0;
}

static rwa_status exchange_pairs(const struct block_choice *c)
{
    struct import *im = c->im;
    for (const struct import_lane *lane = im->lanes; lane < im->lanes + im->lane_count; lane++) {
        rwa_transfer t = {.step = lane->step,
                          .src = lane->src,
                          .dst = lane->dst,
                          .block = (uint64_t)lane->src * c->nodes + lane->dst};
        if (lane->count != 1)
            return import_fail_at(im, lane->at,
                                  "step %u: %" PRIu64 " blocks from node %u to node %u"
                                  ", expected each pair's own block alone",
                                  lane->step, lane->count, lane->src, lane->dst);
        MUST(import_add(im, &t));
    }
    return RWA_OK;
}

uint64_t import_count_blocks(struct import *im)
{
    uint64_t unit = 0;
    for (size_t i = 0; i < im->lane_count; i++)
        unit = common_divisor(im->lanes[i].count, unit);
    for (size_t i = 0; i < im->lane_count; i++)
        im->lanes[i].count /= unit;
    return unit;
}

rwa_status import_choose_blocks(struct import *im)
{
    rwa_collective_kind kind = im->coll.kind;
    struct block_choice c = {.im = im, .nodes = im->coll.nodes, .blocks = im->coll.blocks};
    im->found.blocks_assigned = 1;
    if (kind == RWA_ALL_TO_ALL)
        return exchange_pairs(&c);
    if (c.blocks > BLOCKS_MAX)
        return base_refuse(im->err,
                           "%s: %" PRIu64 " blocks, expected at most %" PRIu64 " when the file does not name them",
                           im->path, c.blocks, BLOCKS_MAX);
    if (kind == RWA_SCATTER || kind == RWA_GATHER)
        return base_refuse(im->err, "%s: the numbers of blocks do not determine the blocks of a %s", im->path,
                           rwa_collective_name(kind));
    if (kind != RWA_ALL_REDUCE)
        return gather(&c, 0, im->lane_count, rwa_collective_is_reduction(kind));
    size_t middle = first_half(im->lanes, im->lane_count);
    if (middle == 0)
        return base_refuse(im->err,
                           "%s: no step ends with half of what moves, expected a reduce-scatter and then an "
                           "all-gather",
                           im->path);
    MUST(gather(&c, 0, middle, true));
    return gather(&c, middle, im->lane_count, false);
}
