/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Extract from a schedule the part that carries out a smaller collective, which the schedule's own contains or equals.
 * Lightpaths and blocks that the smaller collective does not need are left out.  No lightpath is added, and none
 * changes its channel, so no channel is used twice.
 *
 * A block of the larger collective becomes the blocks of the smaller one that fall to it: several, one, or none.  So a
 * scheme's plan can take any number of blocks.
 *
 * Copies: a forward pass notes, at each node, the first arrival of each block that comes from the block's source.  A
 * backward pass keeps an arrival if its receiver needs the block at the end or for a later arrival.  Sums of all
 * contributions become copies of the source's block.
 * Sums: a backward pass keeps a contribution if the sum that it goes into is needed.  A sum that is overwritten by a
 * copy is not needed before that.
 */
#include "plan/plan.h"

#include "collective/needs.h"
#include "schedule/schedule.h"

#define NEVER UINT32_MAX

/** The blocks of one record that are kept: kept[begin] … kept[end - 1]. */
struct left {
    size_t begin, end;
};

struct restricting {
    const rwa_schedule *from;   /* the containing schedule, orbits written out */
    rwa_collective inner;
    uint64_t outer;             /* blocks of the larger collective that hold those of the smaller one */
    uint64_t skipped;           /* blocks of the larger collective before the first of these */
    uint64_t owners;            /* number of owners of blocks; 1: all blocks belong together */
    bool sums;
    bool heard;                 /* on a star: all listeners hear a transmission */
    uint32_t *place;            /* by node: its number among the participants */
    /* by participant and block: the step after which it has the block; 0: from the start */
    uint32_t *since;
    bool *needed;               /* by participant and block: needed at the end; in the backward pass, before the
                                   current step */
    struct left *left;          /* by record */
    uint32_t *kept;
    size_t count;
    uint32_t *blocks;           /* of the current record */
    uint32_t *turn;             /* by block: the turn in which lightpaths carry it, see take_turns() */
    uint32_t turns;
    struct arena memory;
};

/* ---- blocks ---- */

/** Tell whether each block belongs to an owner, and the blocks of one owner form a broadcast (all-gather) or a reduce
 * (reduce-scatter). */
static bool is_by_owner(rwa_collective_kind kind)
{
    return kind == RWA_ALL_GATHER || kind == RWA_REDUCE_SCATTER;
}

/** Return the number of blocks of the smaller collective if the caller did not choose it; 0: impossible.  Each is a
 * block of the larger collective or, where several owners would share such a block, an equal part of one.
 * @param kind  of the smaller collective */
static uint64_t inner_blocks(const rwa_collective *outer, rwa_collective_kind kind)
{
    uint64_t nodes = outer->nodes;
    if (is_by_owner(outer->kind))
        return outer->blocks % nodes != 0 ? 0 : collective_has_owners(kind) ? outer->blocks : outer->blocks / nodes;
    return collective_has_owners(kind) ? outer->blocks / common_divisor(outer->blocks, nodes) * nodes : outer->blocks;
}

/** Return the first smaller block (of the smaller collective) that lies in a larger block (of the larger one).  Here
 * larger blocks are counted from the first that holds smaller ones (r->skipped).  For r->outer, one past the last
 * larger block, return the number of all smaller blocks. */
static uint64_t first_inner(const struct restricting *r, uint64_t block)
{
    uint64_t each = r->outer / r->owners, owner = block / each;
    uint64_t begin = ceil_div(owner * r->inner.blocks, r->owners),
             end = ceil_div((owner + 1) * r->inner.blocks, r->owners);
    /* the owner's smaller blocks are spread evenly over its larger ones */
    return begin + block % each * (end - begin) / each;
}

/** A record of the schedule; r->blocks holds its `count` blocks of the smaller collective. */
struct cargo {
    rwa_lightpath lp;
    rwa_lists lists;
    uint32_t count;
};

static struct cargo read_cargo(const struct restricting *r, uint64_t record)
{
    struct cargo c = {schedule_lightpath(r->from, record), schedule_lists(r->from, record), 0};
    for (struct carried at = {0}; record_next_block(&at, &c.lp, &c.lists);) {
        uint64_t block = at.block - r->skipped;
        uint64_t end = block < r->outer ? first_inner(r, block + 1) : 0;
        for (uint64_t b = end > 0 ? first_inner(r, block) : 0; b < end; b++)
            r->blocks[c.count++] = (uint32_t)b;
    }
    assert(c.count <= r->inner.blocks);
    return c;
}

static size_t cell(const struct restricting *r, uint32_t node, uint32_t block)
{
    assert(block < r->inner.blocks && r->place[node] < r->inner.nodes);
    return (size_t)r->place[node] * r->inner.blocks + block;
}

/** Return the index of a block at receiver i of a lightpath, in r->since and r->needed.  Receiver 0 is the lightpath's
 * destination; the others are its taps. */
static size_t received(const struct restricting *r, const struct cargo *c, uint32_t i, uint32_t block)
{
    assert(i <= c->lists.tap_count);
    return cell(r, i == 0 ? c->lp.dst : c->lists.taps[i - 1], block);
}

/* ---- which blocks are needed ---- */

static bool can_send(const struct restricting *r, const struct cargo *c, uint32_t block)
{
    return r->sums || r->since[cell(r, c->lp.src, block)] < c->lp.step;
}

/** Forward pass: set r->since, the step in which each participant first gets each block. */
static void note_arrivals(struct restricting *r)
{
    for (uint64_t i = 0; i < rwa_schedule_records(r->from); i++) {
        struct cargo c = read_cargo(r, i);
        for (uint32_t b = 0; b < c.count; b++)
            for (uint32_t k = 0; can_send(r, &c, r->blocks[b]) && k <= c.lists.tap_count; k++) {
                uint32_t *since = &r->since[received(r, &c, k, r->blocks[b])];
                *since = *since == NEVER ? c.lp.step : *since;
            }
    }
}

/** Tell whether some receiver needs the block from this lightpath, and update r->needed: a copy ends the receiver's
 * need, but a contribution to a sum does not. */
static bool meets_need(struct restricting *r, const struct cargo *c, uint32_t block)
{
    bool meets = false;
    for (uint32_t k = 0; can_send(r, c, block) && k <= c->lists.tap_count; k++) {
        size_t at = received(r, c, k, block);
        if (!r->needed[at] || !(r->sums || r->since[at] == c->lp.step))
            continue;
        meets = true;
        r->needed[at] = r->sums && c->lp.op == RWA_REDUCE;
    }
    return meets;
}

/** Store the needed blocks of a record in r->kept.  On a star all listeners hear the whole transmission: if any block
 * is needed, store all that the source holds. */
static rwa_status keep_record(struct restricting *r, uint64_t record, rwa_error *err)
{
    struct cargo c = read_cargo(r, record);
    size_t begin = r->count;
    for (uint32_t b = 0; b < c.count; b++)
        if (meets_need(r, &c, r->blocks[b]))
            MUST(base_append(r->kept, r->count, err, r->blocks[b]));
    bool all = r->heard && r->count > begin;
    r->count = all ? begin : r->count;
    for (uint32_t b = 0; all && b < c.count; b++)
        if (can_send(r, &c, r->blocks[b]))
            MUST(base_append(r->kept, r->count, err, r->blocks[b]));
    r->left[record] = (struct left){begin, r->count};
    return RWA_OK;
}

/** Backward pass, from the last step to the first: find the blocks of each record that are still needed, and keep
 * them. */
static rwa_status keep_needed(struct restricting *r, rwa_error *err)
{
    for (uint32_t step = rwa_schedule_steps(r->from); step > 0; step--) {
        uint64_t first = rwa_schedule_first(r->from, step), end = rwa_schedule_first(r->from, step + 1);
        for (uint64_t i = first; i < end; i++)
            MUST(keep_record(r, i, err));
        for (uint64_t i = first; i < end; i++) {
            uint32_t src = schedule_lightpath(r->from, i).src;
            for (size_t k = r->left[i].begin; k < r->left[i].end; k++)
                r->needed[cell(r, src, r->kept[k])] = true;
        }
    }
    return RWA_OK;
}

/* ---- the schedule ---- */

/** Collect in r->blocks the kept blocks of a record that lightpaths carry in one turn (repetition of a step,
 * take_turns()); return their number. */
static uint32_t take_turn(const struct restricting *r, uint64_t record, uint32_t turn)
{
    uint32_t count = 0;
    for (size_t k = r->left[record].begin; k < r->left[record].end; k++)
        if (r->turn[r->kept[k]] == turn)
            r->blocks[count++] = r->kept[k];
    return count;
}

/** Add a record of the old schedule to the new one (`to`), as step `step`, with the first `count` of r->blocks. */
static rwa_status add_left(rwa_schedule *to, const struct restricting *r, uint64_t record, uint32_t count,
                           uint32_t step, rwa_error *err)
{
    rwa_lightpath lp = schedule_lightpath(r->from, record);
    rwa_lists lists = schedule_lists(r->from, record);
    lp.step = step;
    lp.op = r->sums ? lp.op : RWA_COPY;
    lp.block = r->blocks[0];
    lists.runs = NULL;
    lists.run_count = 0;
    lists.block_count = count > 1 ? count : 0;
    lists.blocks = count > 1 ? r->blocks : NULL;
    return rwa_schedule_add_lists(to, &lp, &lists, err);
}

/** Append step `before` + 1 with those records of step `step` that carry kept blocks in this turn (take_turns()).
 * *any tells whether there are such records; without them no step is appended. */
static rwa_status write_turn(bool *any, rwa_schedule *to, const struct restricting *r, uint32_t step, uint32_t turn,
                             uint32_t before, rwa_error *err)
{
    *any = false;
    for (uint64_t i = rwa_schedule_first(r->from, step); i < rwa_schedule_first(r->from, step + 1); i++) {
        uint32_t count = take_turn(r, i, turn);
        if (count > 0)
            MUST(add_left(to, r, i, count, before + 1, err));
        *any = *any || count > 0;
    }
    return RWA_OK;
}

/** Write the kept blocks of all records to the new schedule.  A step without any is left out, unless it lies between
 * others and ports need the time to retune. */
static rwa_status write_left(rwa_schedule *to, const struct restricting *r, rwa_error *err)
{
    bool rests = rwa_network_tuning(rwa_schedule_network(r->from)) > 0;
    for (uint32_t step = 1, written = 0, idle = 0; step <= rwa_schedule_steps(r->from); step++) {
        uint32_t before = written;
        for (uint32_t turn = 0; turn < r->turns; turn++) {
            uint32_t at = written == before ? written + idle : written;
            bool any;
            MUST(write_turn(&any, to, r, step, turn, at, err));
            written = any ? at + 1 : written;
        }
        idle = written > before ? 0 : idle + (rests && written > 0);
    }
    return RWA_OK;
}

/** Set each block's turn: the repetition of its step in which lightpaths carry it.  Of the smaller blocks in one
 * larger block, the first `together` have turn 0, the next turn 1, and so on. */
static void take_turns(struct restricting *r, uint32_t together)
{
    r->turns = 1;
    for (uint64_t outer = 0; outer < r->outer; outer++) {
        uint64_t first = first_inner(r, outer);
        for (uint64_t b = first; b < first_inner(r, outer + 1); b++) {
            r->turn[b] = (uint32_t)((b - first) / together);
            RAISE(r->turns, r->turn[b] + 1);
        }
    }
}

static rwa_status open_restricting(struct restricting *r, uint32_t together, rwa_error *err)
{
    const uint32_t *members = rwa_schedule_members(r->from);
    const rwa_collective *inner = &r->inner;
    size_t cells = (size_t)inner->nodes * inner->blocks;
    r->memory.err = err;
    arena_new(&r->memory, r->place, rwa_network_nodes(rwa_schedule_network(r->from)));
    arena_arrays(&r->memory, cells, r->since, r->needed);
    arena_new(&r->memory, r->left, rwa_schedule_records(r->from) + 1);
    MUST(arena_arrays(&r->memory, inner->blocks, r->blocks, r->turn));
    take_turns(r, together);
    for (uint32_t p = 0; p < inner->nodes; p++)
        r->place[base_mapped(members, p)] = p;
    for (uint32_t b = 0; b < inner->blocks; b++) {
        bool all = inner->kind == RWA_ALL_REDUCE;
        uint32_t first = !r->sums                           ? collective_source(inner, b)
                         : inner->kind == RWA_ROOTED_REDUCE ? inner->root
                                                            : rwa_collective_owner(inner, b);
        for (uint32_t p = 0; p < inner->nodes; p++) {
            size_t at = (size_t)p * inner->blocks + b;
            r->since[at] = !r->sums && first == p ? 0 : NEVER;
            r->needed[at] = r->sums ? all || first == p : first != p && collective_needs(inner, p, b);
        }
    }
    return RWA_OK;
}

/** Set r->inner, the smaller collective, and how its blocks lie in those of `whole`, the larger one.  Return false if
 * they do not fit: a block of `whole` would have to be shared between owners. */
static bool match_blocks(struct restricting *r, const rwa_collective *whole, const rwa_collective *coll)
{
    bool by_owner = is_by_owner(whole->kind), owned = collective_has_owners(coll->kind);
    uint64_t blocks = inner_blocks(whole, coll->kind), pairs = (uint64_t)coll->nodes * coll->nodes;
    r->outer = by_owner ? blocks : whole->blocks;
    r->skipped = by_owner && !owned ? coll->root * blocks : 0;
    r->owners = !owned ? 1 : coll->kind == RWA_ALL_TO_ALL ? pairs : coll->nodes;
    blocks = chose_blocks(coll) ? coll->blocks : blocks;
    if (blocks == 0 || rwa_collective_init(&r->inner, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks,
                                           NULL) != RWA_OK)
        return false;
    if (r->outer % r->owners == 0 && (coll->kind != RWA_ALL_TO_ALL || blocks % pairs == 0))
        return true;
    r->owners = 1;
    return blocks % r->outer == 0;
}

rwa_status restrict_schedule(rwa_schedule **out, const rwa_schedule *outer, const rwa_collective *coll,
                             uint32_t together, const char *name, rwa_error *err)
{
    struct restricting r = {.sums = rwa_collective_is_reduction(coll->kind)};
    rwa_schedule *written = NULL;
    rwa_status st = RWA_OK;
    if (!match_blocks(&r, rwa_schedule_collective(outer), coll))
        return RWA_OK;
    if (rwa_schedule_records(outer) < rwa_schedule_lightpaths(outer))
        TRY(rwa_schedule_expand(&written, outer, err));
    r.from = written ? written : outer;
    r.heard = network_capabilities(rwa_schedule_network(r.from)) & NETWORK_STAR;
    TRY(open_restricting(&r, together, err));
    if (!r.sums)
        note_arrivals(&r);
    TRY(keep_needed(&r, err));
    TRY(rwa_schedule_create_among(out, rwa_schedule_network(r.from), &r.inner, rwa_schedule_members(r.from), name,
                                  err));
    TRY(write_left(*out, &r, err));
done:
    arena_free(&r.memory);
    free(r.kept);
    rwa_schedule_free(written);
    return schedule_keep(out, st);
}
