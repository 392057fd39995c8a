/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives without reductions: a node holds a block or it does not.
 *
 * Before the first step each rank holds an interval of blocks, which takes no memory; pages of bits hold the later arrivals.
 * The blocks that arrived where they are wanted are counted, so that a schedule that leaves many out costs no more to check
 * than its lightpaths.
 */
#include "check/symmetry.h"

/* Blocks, or nodes, between two polls; units of work that keeping an arrival until the end of the step counts for. */
enum { POLL_EVERY = 256, ARRIVAL_WORK = 8 };

/** Blocks that arrived in the current step. */
struct delivery {
    uint32_t rank;
    rwa_run run;
};

struct copies {
    struct bit_pages got;           /* bit_of() rank and block: arrived in an earlier step; without the blocks of the beginning */
    struct delivery *arrived;       /* in the current step; held from the next one on */
    size_t arrivals, capacity;
    uint64_t delivered;             /* bits of `got` that the collective demands */
    uint64_t parts;                 /* all-to-all: blocks for each pair of ranks, one after the other */
    uint64_t row;                   /* bits of a rank */
};

static uint64_t pair_parts(const rwa_collective *c)
{
    uint64_t pairs = (uint64_t)c->nodes * c->nodes;
    return c->blocks > pairs ? c->blocks / pairs : 1;
}

static struct interval all_blocks(const struct checker *chk)
{
    return (struct interval){0, chk->coll->blocks};
}

/** The blocks that a rank holds before the first step. */
static struct interval initial_of(const struct checker *chk, uint32_t rank)
{
    const rwa_collective *c = chk->coll;
    if (c->kind == RWA_BROADCAST || c->kind == RWA_SCATTER)
        return rank == c->root ? all_blocks(chk) : (struct interval){0, 0};
    return owned_blocks(c, rank);
}

/** The blocks that a rank must hold at the end; an all-to-all scatters its, see is_wanted(). */
static struct interval wanted_of(const struct checker *chk, uint32_t rank)
{
    const rwa_collective *c = chk->coll;
    assert(c->kind != RWA_ALL_TO_ALL);
    if (c->kind == RWA_GATHER)
        return rank == c->root ? all_blocks(chk) : (struct interval){0, 0};
    return c->kind == RWA_SCATTER ? owned_blocks(c, rank) : all_blocks(chk);
}

static bool is_initial(const struct checker *chk, uint32_t rank, uint64_t block)
{
    const rwa_collective *c = chk->coll;
    if (c->kind == RWA_BROADCAST || c->kind == RWA_SCATTER)
        return rank == c->root;
    return is_owned(c, rank, block);
}

static bool is_wanted(const struct checker *chk, uint32_t rank, uint64_t block)
{
    const rwa_collective *c = chk->coll;
    switch (c->kind) {
    case RWA_ALL_TO_ALL: return (uint32_t)(chk->copies->parts > 1 ? block / chk->copies->parts : block) % c->nodes == rank;
    case RWA_GATHER: return rank == c->root;
    case RWA_SCATTER: return is_owned(c, rank, block);
    default: return true;
    }
}

/** Pairs of an all-to-all by squares of so many senders and readers: a node gets what few send, or what is for few. */
enum { SQUARE = 64 };

static uint64_t place_of_pair(uint32_t pair, uint32_t nodes)
{
    uint32_t src = pair / nodes, dst = pair - src * nodes, squares = (nodes + SQUARE - 1) / SQUARE;
    return (((uint64_t)src / SQUARE * squares + dst / SQUARE) * SQUARE + src % SQUARE) * SQUARE + dst % SQUARE;
}

/** Rank by rank, or at node 0, which stands for all; in the order of the blocks, or by squares. */
static uint64_t bit_of(const struct checker *chk, uint32_t rank, uint64_t block)
{
    const struct copies *c = chk->copies;
    assert(rank < chk->coll->nodes && block < chk->coll->blocks);
    if (chk->symmetry) {
        block = seen_from_first(chk, rank, block);
        rank = 0;
    }
    if (chk->coll->kind != RWA_ALL_TO_ALL)
        return rank * c->row + block;
    uint64_t pair = c->parts > 1 ? block / c->parts : block;
    assert(block <= UINT32_MAX);
    return rank * c->row + place_of_pair((uint32_t)pair, chk->coll->nodes) * c->parts + (block - pair * c->parts);
}

static bool is_held(const struct checker *chk, uint32_t rank, uint64_t block)
{
    return bit_pages_get(&chk->copies->got, bit_of(chk, rank, block)) || is_initial(chk, rank, block);
}

/** The first block of from … to - 1 that a rank lacks, or `to`. */
static uint64_t first_lacking(const struct checker *chk, uint32_t rank, uint64_t from, uint64_t to)
{
    struct interval own = initial_of(chk, rank);
    uint64_t row = rank * chk->coll->blocks;
    while (from < to) {
        uint64_t stop = from < own.first && own.first < to ? own.first : to;
        if (from >= own.first && from < own.end) {
            from = own.end < to ? own.end : to;
            continue;
        }
        uint64_t found = bit_pages_first_clear(&chk->copies->got, row + from, row + stop) - row;
        if (found < stop)
            return found;
        from = stop;
    }
    return to;
}

/** How many of these blocks a rank lacks. */
static uint64_t count_lacking(const struct checker *chk, uint32_t rank, struct interval blocks)
{
    uint64_t arrived = bit_pages_count(&chk->copies->got, rank * chk->coll->blocks + blocks.first, length(blocks));
    return length(blocks) - length(meet(blocks, initial_of(chk, rank))) - arrived;
}

static rwa_status copies_open(struct checker *chk)
{
    struct copies *c = arena_new(&chk->memory, chk->copies, 1);
    uint64_t nodes = chk->coll->nodes, squares = (nodes + SQUARE - 1) / SQUARE;
    uint64_t row = chk->coll->kind == RWA_ALL_TO_ALL ? squares * squares * SQUARE * SQUARE * pair_parts(chk->coll) : chk->coll->blocks;
    uint64_t bits = chk->symmetry ? row : nodes * row;
    rwa_status st = c ? limits_fit(&chk->limits, bit_pages_bytes(bits), "checking this schedule", chk->err) : RWA_NOMEM;
    MUST(st);
    c->parts = pair_parts(chk->coll);
    c->row = row;
    return bit_pages_open(&c->got, bits, &chk->memory);
}

/* ---- a step ---- */

static void report_unheld(struct checker *chk, const rwa_lightpath *lp, uint64_t block)
{
    report_violation(chk, RWA_VIOLATION_CAUSALITY, RWA_NO_INDEX, lp->wavelength,
                     "step %u: node %u sends block %llu, which it does not hold at the start of the step", chk->step, lp->src,
                     (unsigned long long)block);
}

/** Whether the run is to be taken pair by pair of an all-to-all: the bits of a pair's parts lie one after the other. */
static bool goes_by_pairs(const struct checker *chk, const rwa_run *run)
{
    return chk->coll->kind == RWA_ALL_TO_ALL && chk->copies->parts > 1 && run->stride == 1 && !chk->symmetry;
}

/** Whether it is to be taken block by block: the bits of neighbouring blocks are no neighbours. */
static bool goes_by_blocks(const struct checker *chk, const rwa_run *run)
{
    return run->stride != 1 || run->count == 1 || chk->coll->kind == RWA_ALL_TO_ALL || chk->symmetry;
}

/** The blocks from `first` on that are of its pair, before `end`. */
static struct interval of_pair(const struct checker *chk, uint64_t first, uint64_t end)
{
    uint64_t parts = chk->copies->parts, next = first - first % parts + parts;
    return (struct interval){first, next < end ? next : end};
}

static void check_pairs(struct checker *chk, const rwa_lightpath *lp, uint32_t rank, struct interval blocks)
{
    struct interval pair;
    for (; blocks.first < blocks.end; blocks.first = pair.end) {
        pair = of_pair(chk, blocks.first, blocks.end);
        uint64_t bit = bit_of(chk, rank, pair.first), end = bit + length(pair);
        if (is_initial(chk, rank, pair.first) || bit_pages_first_clear(&chk->copies->got, bit, end) == end)
            continue;
        for (uint64_t block = pair.first; block < pair.end; block++)
            if (!is_held(chk, rank, block))
                report_unheld(chk, lp, block);
    }
}

/** Name the blocks that the sender lacks while there is room, and count the rest. */
static void check_sender(struct checker *chk, const rwa_lightpath *lp, const rwa_run *run)
{
    uint32_t rank = rank_of(chk, lp->src);
    struct interval rest = {run->first, (uint64_t)run->first + run->count};
    bool one_by_one = goes_by_blocks(chk, run);
    if (goes_by_pairs(chk, run)) {
        check_pairs(chk, lp, rank, rest);
        return;
    }
    for (uint32_t k = 0; one_by_one && k < run->count; k++)
        if (!is_held(chk, rank, run->first + (uint64_t)k * run->stride))
            report_unheld(chk, lp, run->first + (uint64_t)k * run->stride);
    if (one_by_one)
        return;
    for (; chk->report->named < RWA_VIOLATIONS_NAMED; rest.first++) {
        rest.first = first_lacking(chk, rank, rest.first, rest.end);
        if (rest.first == rest.end)
            return;
        report_unheld(chk, lp, rest.first);
    }
    report_count(chk, RWA_VIOLATION_CAUSALITY, count_lacking(chk, rank, rest));
}

static void copies_expect(const struct checker *chk, const rwa_lightpath *lp, const rwa_run *runs, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        __builtin_prefetch(bit_pages_place(&chk->copies->got, bit_of(chk, rank_of(chk, lp->src), runs[k].first)));
}

static rwa_status copies_transfer(struct checker *chk, const rwa_lightpath *lp, const rwa_run *run)
{
    struct copies *c = chk->copies;
    check_sender(chk, lp, run);
    MUST(spend(chk, ARRIVAL_WORK));
    return base_append(c->arrived, c->arrivals, c->capacity, chk->err, (struct delivery){rank_of(chk, lp->dst), *run});
}

static rwa_status hold(struct checker *chk, uint32_t rank, uint64_t block)
{
    struct copies *c = chk->copies;
    bool fresh = false;
    if (is_initial(chk, rank, block))
        return RWA_OK;
    MUST(bit_pages_take(&fresh, &c->got, bit_of(chk, rank, block)));
    chk->gained += fresh;
    c->delivered += fresh && is_wanted(chk, rank, block);
    return RWA_OK;
}

bool copies_hold_shares(const struct checker *chk)
{
    bool all = true;
    for (uint32_t rank = 0; rank < chk->coll->nodes && all; rank++) {
        struct interval share = owned_blocks(chk->coll, rank);
        all = first_lacking(chk, rank, share.first, share.end) == share.end;
    }
    return all;
}

/** Hold consecutive blocks more, none of them held before the first step. */
static rwa_status hold_new(struct checker *chk, uint32_t rank, struct interval blocks)
{
    struct copies *c = chk->copies;
    struct interval wanted = meet(blocks, wanted_of(chk, rank));
    bool all_wanted = length(wanted) == length(blocks);
    uint64_t fresh = 0;
    c->delivered += all_wanted ? 0 : count_lacking(chk, rank, wanted);
    MUST(bit_pages_set(&fresh, &c->got, rank * chk->coll->blocks + blocks.first, length(blocks)));
    c->delivered += all_wanted ? fresh : 0;
    chk->gained += fresh;
    return RWA_OK;
}

/** Hold consecutive blocks of an all-to-all. */
static rwa_status hold_pairs(struct checker *chk, uint32_t rank, struct interval blocks)
{
    struct copies *c = chk->copies;
    struct interval pair;
    for (; blocks.first < blocks.end; blocks.first = pair.end) {
        uint64_t fresh = 0;
        pair = of_pair(chk, blocks.first, blocks.end);
        if (is_initial(chk, rank, pair.first))
            continue;
        MUST(bit_pages_set(&fresh, &c->got, bit_of(chk, rank, pair.first), length(pair)));
        chk->gained += fresh;
        c->delivered += is_wanted(chk, rank, pair.first) ? fresh : 0;
    }
    return RWA_OK;
}

static rwa_status hold_run(struct checker *chk, uint32_t rank, const rwa_run *run)
{
    struct interval blocks = {run->first, (uint64_t)run->first + run->count}, own;
    if (goes_by_pairs(chk, run))
        return hold_pairs(chk, rank, blocks);
    if (goes_by_blocks(chk, run)) {
        for (uint32_t k = 0; k < run->count; k++)
            MUST(hold(chk, rank, run->first + (uint64_t)k * run->stride));
        return RWA_OK;
    }
    own = meet(blocks, initial_of(chk, rank));
    MUST(hold_new(chk, rank, (struct interval){blocks.first, own.first}));
    return hold_new(chk, rank, (struct interval){own.end, blocks.end});
}

static rwa_status copies_end_step(struct checker *chk)
{
    enum { AHEAD = 8 };
    struct copies *c = chk->copies;
    for (size_t i = 0; i < c->arrivals; i++) {
        const struct delivery *next = &c->arrived[i + AHEAD < c->arrivals ? i + AHEAD : i];
        __builtin_prefetch(bit_pages_place(&c->got, bit_of(chk, next->rank, next->run.first)));
        MUST(hold_run(chk, c->arrived[i].rank, &c->arrived[i].run));
    }
    c->arrivals = 0;
    return limits_allow(&chk->limits, (double)(c->got.used * BIT_PAGE / 8 + c->capacity * sizeof *c->arrived), "checking this schedule",
                        chk->err);
}

/* ---- the end ---- */

/** How many blocks the collective demands of ranks that do not hold them before the first step. */
static uint64_t demanded(const struct checker *chk)
{
    const rwa_collective *c = chk->coll;
    switch (c->kind) {
    case RWA_GATHER:
    case RWA_SCATTER: return c->blocks - length(owned_blocks(c, c->root));
    case RWA_ALL_TO_ALL: return c->blocks - c->nodes * chk->copies->parts;
    default: return (c->nodes - 1) * c->blocks;
    }
}

static void report_lacking(struct checker *chk, uint32_t rank, uint64_t block)
{
    REPORT(chk, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks block %llu", node_at(chk, rank), (unsigned long long)block);
}

static rwa_status poll_end(struct checker *chk, uint64_t part)
{
    if (part % POLL_EVERY == 0 && base_must_stop(&chk->budget, "checking", -1))
        return base_fail(chk->err, RWA_CANCELLED, "the check was stopped at the end of the schedule");
    return RWA_OK;
}

/** Name at most `most` of the blocks that ranks lack at the end of an all-to-all. */
static rwa_status name_scattered(struct checker *chk, uint64_t most)
{
    for (uint64_t block = 0; block < chk->coll->blocks && most > 0; block++) {
        uint32_t rank = (uint32_t)(block / chk->copies->parts % chk->coll->nodes);
        MUST(poll_end(chk, block));
        if (is_held(chk, rank, block))
            continue;
        report_lacking(chk, rank, block);
        most--;
    }
    return RWA_OK;
}

/** The same of the other collectives, where a rank wants neighbouring blocks. */
static rwa_status name_lacking(struct checker *chk, uint64_t most)
{
    for (uint32_t rank = 0; rank < chk->coll->nodes && most > 0; rank++) {
        struct interval rest = wanted_of(chk, rank);
        MUST(poll_end(chk, rank));
        for (; most > 0 && (rest.first = first_lacking(chk, rank, rest.first, rest.end)) < rest.end; rest.first++, most--)
            report_lacking(chk, rank, rest.first);
    }
    return RWA_OK;
}

static rwa_status copies_check_end(struct checker *chk)
{
    uint64_t lacking = demanded(chk) / (chk->symmetry ? chk->nodes : 1) - chk->copies->delivered;
    uint64_t room = RWA_VIOLATIONS_NAMED - chk->report->named, named = lacking < room ? lacking : room;
    chk->asymmetric = chk->symmetry && lacking > 0;
    if (chk->symmetry)
        return RWA_OK;
    rwa_status st = chk->coll->kind == RWA_ALL_TO_ALL ? name_scattered(chk, named) : name_lacking(chk, named);
    report_count(chk, RWA_VIOLATION_COMPLETENESS, lacking - named);
    return st;
}

static void copies_close(struct checker *chk)
{
    if (chk->copies)
        free(chk->copies->arrived);
}

const struct holdings holdings_of_copies = {copies_open, copies_expect, copies_transfer, copies_end_step, copies_check_end, copies_close};
