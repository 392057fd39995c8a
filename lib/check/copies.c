/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives without reductions: a node holds a block, or it does not.
 *
 * Pages of bits tell which blocks a rank holds.  Blocks that come where they are wanted are counted, so checking a
 * schedule that leaves out many costs no more than its lightpaths.
 */
#include "check/symmetry.h"

/* Blocks, or nodes, between two polls; units of work that keeping an arrival until the end of the step counts for. */
enum { POLL_EVERY = 256, ARRIVAL_WORK = 8 };

/** Blocks that arrived at a participant in the current step. */
struct copy_delivery {
    uint32_t rank;
    rwa_run run;
};

struct copies {
    struct bit_pages got;           /* bit_of() rank and block: held at the start of the step */
    struct copy_delivery *arrived;       /* in the current step; held from the next one on */
    size_t arrivals;
    uint64_t delivered;             /* number of bits in `got` that the collective demands */
    uint64_t parts;                 /* all-to-all: consecutive blocks for each pair of ranks */
    uint64_t row;                   /* number of bits of a rank */
};

static uint64_t pair_parts(const rwa_collective *c)
{
    uint64_t pairs = (uint64_t)c->nodes * c->nodes;
    return c->blocks > pairs ? c->blocks / pairs : 1;
}

/** Return the blocks that the member of this rank holds before the first step. */
static struct interval initial_of(const struct checker *chk, uint32_t rank)
{
    const rwa_collective *c = chk->coll;
    if (c->kind == RWA_BROADCAST || c->kind == RWA_SCATTER)
        return (struct interval){0, rank == c->root ? c->blocks : 0};
    return owned_blocks(c, rank);
}

struct interval wanted_blocks(const struct checker *chk, uint32_t rank, struct interval blocks)
{
    const rwa_collective *c = chk->coll;
    uint64_t parts = chk->copies ? chk->copies->parts : 1, pair;
    switch (c->kind) {
    case RWA_ALL_TO_ALL:
        pair = blocks.first / parts;
        pair += rank - pair % c->nodes;
        return meet(blocks, (struct interval){pair * parts, (pair + 1) * parts});
    case RWA_GATHER:
    case RWA_ROOTED_REDUCE: return rank == c->root ? blocks : (struct interval){0, 0};
    case RWA_SCATTER:
    case RWA_REDUCE_SCATTER: return meet(blocks, owned_blocks(c, rank));
    default: return blocks;
    }
}

/** The blocks of an all-to-all are stored by pair of nodes, in squares of this many sources and destinations: what a
 *  node gets comes from few sources or is for few destinations. */
enum { SQUARE = 64 };

static uint64_t place_of_pair(uint32_t pair, uint32_t nodes)
{
    uint32_t src = pair / nodes, dst = pair - src * nodes, squares = (nodes + SQUARE - 1) / SQUARE;
    return (((uint64_t)src / SQUARE * squares + dst / SQUARE) * SQUARE + src % SQUARE) * SQUARE + dst % SQUARE;
}

/** Return the bit of copies.got that tells whether the member of this rank holds a block.  While node 0 stands for all
 *  nodes, member and block are first translated by seen_from_owner().  The bits of a member are in the order of the
 *  blocks, in an all-to-all in the order of place_of_pair(). */
static inline uint64_t bit_of(const struct checker *chk, uint32_t rank, uint64_t block)
{
    const struct copies *c = chk->copies;
    assert(rank < chk->coll->nodes && block < chk->coll->blocks);
    if (chk->symmetry) {
        block = seen_from_owner(chk, &rank, block);
    } else if (chk->coll->kind == RWA_ALL_TO_ALL) {
        uint64_t pair = c->parts > 1 ? block / c->parts : block;
        assert(block <= UINT32_MAX);
        block += (place_of_pair((uint32_t)pair, chk->coll->nodes) - pair) * c->parts;
    }
    assert(block < c->row);
    return rank * c->row + block;
}

/** Return blocks of a run, from its k-th (from 0) on: as many as have consecutive numbers and consecutive bits
 *  (bit_of()).  In an all-to-all they have one source. */
static struct interval neighbours(const struct checker *chk, const rwa_run *run, uint32_t k)
{
    uint64_t first = run->first + (uint64_t)k * run->stride, parts = chk->copies->parts, nodes = chk->coll->nodes;
    struct interval rest = {first, first + run->count - k};
    if (run->stride != 1 || run->count == 1 || chk->symmetry)
        return (struct interval){first, first + 1};
    if (chk->coll->kind != RWA_ALL_TO_ALL)
        return rest;
    uint64_t pair = first / parts, dst = pair % nodes, end = dst - dst % SQUARE + SQUARE;
    return meet(rest, (struct interval){first, (pair - dst + (end < nodes ? end : nodes)) * parts});
}

/** Return the first of `blocks` that a member lacks, or blocks.end.  The bits of `blocks` must be consecutive, see
 *  neighbours(). */
static uint64_t first_lacking(const struct checker *chk, uint32_t rank, struct interval blocks)
{
    if (length(blocks) == 0)
        return blocks.end;
    uint64_t bit = bit_of(chk, rank, blocks.first);
    return blocks.first + bit_pages_first_clear(&chk->copies->got, bit, bit + length(blocks)) - bit;
}

/** Return how many of `blocks` a member lacks.  The bits of `blocks` must be consecutive, see neighbours(). */
static uint64_t count_lacking(const struct checker *chk, uint32_t rank, struct interval blocks)
{
    if (length(blocks) == 0)
        return 0;
    return length(blocks) - bit_pages_count(&chk->copies->got, bit_of(chk, rank, blocks.first), length(blocks));
}

/* ---- a step ---- */

/** Report those of `blocks` that the sender of a lightpath does not hold.  Once the report is full, only count
 *  them. */
static void check_sender(struct checker *chk, const rwa_lightpath *lp, struct interval blocks)
{
    uint32_t rank = rank_of(chk, lp->src);
    while ((blocks.first = first_lacking(chk, rank, blocks)) < blocks.end) {
        if (report_is_full(chk->report, RWA_VIOLATION_CAUSALITY)) {
            report_count(chk->report, RWA_VIOLATION_CAUSALITY, count_lacking(chk, rank, blocks));
            return;
        }
        report_violation(chk, RWA_VIOLATION_CAUSALITY, RWA_NO_INDEX, lp->wavelength,
                         "step %u: node %u sends block %" PRIu64 ", which it does not hold at the start of the step",
                         chk->step, lp->src, blocks.first++);
    }
}

static bool holds(const struct checker *chk, uint32_t rank, uint64_t block)
{
    uint64_t bit = bit_of(chk, rank, block);
    const uint64_t *word = bit_pages_place(&chk->copies->got, bit);
    return word && *word >> bit % 64 & 1;
}

static rwa_status copies_transfer(struct checker *chk, const rwa_lightpath *lp, uint32_t to, const rwa_run *run)
{
    struct copies *c = chk->copies;
    struct interval blocks;
    bool one_held = run->count == 1 && holds(chk, rank_of(chk, lp->src), run->first);
    for (uint32_t k = one_held; k < run->count; k += (uint32_t)length(blocks)) {
        blocks = neighbours(chk, run, k);
        check_sender(chk, lp, blocks);
    }
    MUST(spend(chk, ARRIVAL_WORK));
    return base_append(c->arrived, c->arrivals, chk->err,
                       (struct copy_delivery){rank_of(chk, to), *run});
}

bool copies_hold_shares(const struct checker *chk)
{
    bool all = true;
    for (uint32_t rank = 0; rank < chk->coll->nodes && all; rank++) {
        struct interval share = owned_blocks(chk->coll, rank);
        all = first_lacking(chk, rank, share) == share.end;
    }
    return all;
}

/** Record that a member holds `blocks`, whose bits must be consecutive (see neighbours()).  Add to chk->gained those
 *  that it did not hold before, and to copies.delivered those of them that the collective demands of it.  RWA_NOMEM. */
static rwa_status hold(struct checker *chk, uint32_t rank, struct interval blocks)
{
    struct copies *c = chk->copies;
    struct interval wanted = wanted_blocks(chk, rank, blocks);
    bool all_wanted = length(wanted) == length(blocks);
    uint64_t fresh = 0;
    c->delivered += all_wanted ? 0 : count_lacking(chk, rank, wanted);
    MUST(bit_pages_set(&fresh, &c->got, bit_of(chk, rank, blocks.first), length(blocks)));
    c->delivered += all_wanted ? fresh : 0;
    chk->gained += fresh;
    return RWA_OK;
}

static rwa_status hold_run(struct checker *chk, uint32_t rank, const rwa_run *run)
{
    struct interval blocks;
    for (uint32_t k = 0; k < run->count; k += (uint32_t)length(blocks)) {
        blocks = neighbours(chk, run, k);
        MUST(hold(chk, rank, blocks));
    }
    return RWA_OK;
}

/** Record which blocks each member holds before the first step; if node 0 stands for all nodes, record its blocks
 *  alone.  RWA_NOMEM. */
static rwa_status hold_initial(struct checker *chk)
{
    uint64_t gained = chk->gained;      /* what is held from the start earns no work */
    for (uint32_t rank = 0; rank < (chk->symmetry ? 1 : chk->coll->nodes); rank++) {
        struct interval own = initial_of(chk, rank);
        MUST(hold_run(chk, rank, &(rwa_run){(uint32_t)own.first, (uint32_t)length(own), 1}));
    }
    chk->gained = gained;
    return RWA_OK;
}

static rwa_status copies_open(struct checker *chk)
{
    struct copies *c = arena_new(&chk->memory, chk->copies, 1);
    uint64_t nodes = chk->coll->nodes, squares = (nodes + SQUARE - 1) / SQUARE;
    if (!c)
        return RWA_NOMEM;
    c->parts = pair_parts(chk->coll);
    c->row = chk->symmetry                       ? chk->symmetry->share
             : chk->coll->kind == RWA_ALL_TO_ALL ? squares * squares * SQUARE * SQUARE * c->parts
                                                 : chk->coll->blocks;
    MUST(limits_fit(&chk->limits, bit_pages_bytes(nodes * c->row), "checking this schedule", chk->err));
    MUST(bit_pages_open(&c->got, nodes * c->row, &chk->memory));
    return hold_initial(chk);
}

static rwa_status copies_end_step(struct checker *chk)
{
    enum { AHEAD = 8 };
    struct copies *c = chk->copies;
    for (size_t i = 0; i < c->arrivals; i++) {
        const struct copy_delivery *next = &c->arrived[i + AHEAD < c->arrivals ? i + AHEAD : i];
        __builtin_prefetch(bit_pages_place(&c->got, bit_of(chk, next->rank, next->run.first)));
        MUST(hold_run(chk, c->arrived[i].rank, &c->arrived[i].run));
    }
    c->arrivals = 0;
    return limits_allow(&chk->limits, (double)(c->got.used * BIT_PAGE / 8 + base_bytes(c->arrived)),
                        "checking this schedule", chk->err);
}

/* ---- the end ---- */

/** Return how many (member, block) pairs the collective demands at the end. */
static uint64_t demanded(const struct checker *chk)
{
    const rwa_collective *c = chk->coll;
    bool once = c->kind == RWA_GATHER || c->kind == RWA_SCATTER || c->kind == RWA_ALL_TO_ALL;
    return once ? c->blocks : c->nodes * c->blocks;
}

/** Report as violations the first `most` blocks that members lack at the end.  RWA_CANCELLED. */
static rwa_status name_lacking(struct checker *chk, uint64_t most)
{
    const rwa_collective *c = chk->coll;
    /* wanted_blocks() takes blocks of one source */
    uint64_t each = c->kind == RWA_ALL_TO_ALL ? c->blocks / c->nodes : c->blocks;
    for (uint64_t from = 0; from < c->blocks; from += each)
        for (uint32_t rank = 0; rank < c->nodes && most > 0; rank++) {
            struct interval rest = wanted_blocks(chk, rank, (struct interval){from, from + each});
            if (rank % POLL_EVERY == 0)
                MUST(poll_check(chk));
            for (; most > 0 && (rest.first = first_lacking(chk, rank, rest)) < rest.end; rest.first++, most--)
                REPORT(chk, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks block %" PRIu64, node_at(chk, rank),
                       rest.first);
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
    rwa_status st = name_lacking(chk, named);
    report_count(chk->report, RWA_VIOLATION_COMPLETENESS, lacking - named);
    return st;
}

static void copies_close(struct checker *chk)
{
    if (chk->copies)
        free(chk->copies->arrived);
}

const struct holdings holdings_of_copies = {copies_open, copies_transfer, copies_end_step, copies_check_end,
                                            copies_close};
