/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gathers and all-to-alls of full orbits: the blocks that node 0 holds. */
#include "check/symmetry.h"

struct first_copies {
    uint64_t *held;         /* bit block: at the start of the step */
    uint64_t *coming;       /* bit block: node 0 gets it in this step */
    uint64_t *arrived;      /* these blocks, each once */
    size_t arrivals, capacity;
};

static bool blocks_fit(const struct checker *chk)
{
    return limits_fit(&chk->limits, (double)chk->coll->blocks / 4, "", NULL) == RWA_OK;
}

static rwa_status open_blocks(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    size_t words = (size_t)((chk->coll->blocks + 63) / 64);
    if (!arena_new(&t->memory, t->copies, 1))
        return RWA_NOMEM;
    arena_new(&t->memory, t->copies->held, words);
    arena_new(&t->memory, t->copies->coming, words);
    MUST(arena_status(&t->memory));
    for (uint64_t b = 0; b < t->share; b++)
        set_bit(t->copies->held, b);
    return RWA_OK;
}

static bool is_held(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint64_t block;
    for (struct blocks_of b = blocks_of(lp, lists); next_block(&b, &block);)
        if (!get_bit(chk->symmetry->copies->held, seen_from_first(chk, lp->src, block)))
            return false;
    return true;
}

static rwa_status arrive_first(struct checker *chk, uint32_t node, uint64_t block)
{
    struct first_copies *t = chk->symmetry->copies;
    uint64_t seen = seen_from_first(chk, node, block);
    if (get_bit(t->held, seen) || get_bit(t->coming, seen))
        return RWA_OK;
    MUST(base_append(t->arrived, t->arrivals, t->capacity, chk->err, seen));
    set_bit(t->coming, seen);
    chk->gained++;
    return RWA_OK;
}

static rwa_status take_blocks(bool *taken, struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint64_t block;
    *taken = is_held(chk, lp, lists);
    for (struct blocks_of b = blocks_of(lp, lists); *taken && next_block(&b, &block);) {
        MUST(spend(chk, 1));
        for (uint32_t i = 0; i < lists->tap_count; i++)
            MUST(arrive_first(chk, lists->taps[i], block));
        MUST(arrive_first(chk, lp->dst, block));
    }
    return RWA_OK;
}

static void settle_blocks(struct checker *chk)
{
    struct first_copies *t = chk->symmetry->copies;
    for (size_t i = 0; i < t->arrivals; i++) {
        set_bit(t->held, t->arrived[i]);
        t->coming[t->arrived[i] / 64] = 0;
    }
    t->arrivals = 0;
}

/** Of an all-to-all node 0 needs the first parts of each owner's blocks. */
static bool all_held(const struct checker *chk)
{
    const uint64_t *held = chk->symmetry->copies->held;
    uint64_t owner = 0, share = chk->symmetry->share, parts = share / chk->nodes;
    if (chk->coll->kind != RWA_ALL_TO_ALL)
        return bit_run_count(held, 0, chk->coll->blocks) == chk->coll->blocks;
    while (owner < chk->nodes && bit_run_count(held, owner * share, parts) == parts)
        owner++;
    return owner == chk->nodes;
}

static rwa_status expand_blocks(struct checker *chk)
{
    const struct symmetry *t = chk->symmetry;
    uint64_t blocks = chk->coll->blocks;
    for (uint64_t b = t->share; b < blocks; b++) {
        bool held = get_bit(t->copies->held, b), coming = get_bit(t->copies->coming, b);
        if (!held && !coming)
            continue;
        MUST(spend(chk, chk->nodes));
        for (uint32_t v = 0; v < chk->nodes; v++)
            MUST((held ? copies_hold : copies_arrive)(chk, v, moved_on(chk, v, b)));
    }
    return RWA_OK;
}

static void close_blocks(struct checker *chk)
{
    if (chk->symmetry->copies)
        free(chk->symmetry->copies->arrived);
}

const struct first_holdings first_holdings_of_copies = {
    blocks_fit, open_blocks, take_blocks, settle_blocks, all_held, expand_blocks, close_blocks};
