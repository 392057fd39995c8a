/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Symmetric all-gathers of a ring, checked at one node.
 *
 * As long as every record is a full orbit, the holdings are invariant under rotation: node v holds block b exactly when
 * node 0 holds the block v nodes farther back.  A record whose period P divides the nodes puts channel x + i onto link l + i for every
 * i, both modulo their number, so that its keys (x - l) mod P, one for each link of its route, identify its channels; two
 * records of a step and direction with one P meet on some link exactly when they have a key in common, and then on all.
 *
 * The first record that breaks the symmetry or a constraint ends this: the state is expanded to all nodes, and the checker
 * goes on lightpath by lightpath, which also names each violation.
 */
#include "check/checker.h"

struct symmetry {
    struct arena memory;    /* of the bits */
    uint64_t share;         /* blocks of a node */
    uint64_t *held;         /* bit block: node 0 holds it at the start of the step */
    uint64_t *coming;       /* bit block: node 0 gets it in this step */
    uint64_t *arrived;      /* these blocks, each once */
    size_t arrivals, capacity;
    uint32_t period[2];     /* of this step's records in each direction; 0: none so far */
    uint64_t *taken[2];     /* bit key */
    size_t words;
};

static bool is_symmetric_ring(const struct checker *chk)
{
    return rwa_network_topology(chk->net) == RWA_RING && chk->coll->kind == RWA_ALL_GATHER && !chk->members && !chk->device &&
           rwa_network_ports(chk->net) == 0 && chk->faults.link_count == 0 && chk->faults.channel_count == 0 &&
           chk->coll->blocks % chk->nodes == 0;
}

rwa_status symmetry_open(struct checker *chk)
{
    struct symmetry *t;
    if (!is_symmetric_ring(chk))
        return RWA_OK;
    t = chk->symmetry = base_array(1, sizeof *t, chk->err);
    MUST(t ? RWA_OK : RWA_NOMEM);
    t->share = chk->coll->blocks / chk->nodes;
    t->words = ((size_t)rwa_network_channels(chk->net) + 63) / 64;
    t->memory.err = chk->err;
    arena_new(&t->memory, t->held, (size_t)((chk->coll->blocks + 63) / 64));
    arena_new(&t->memory, t->coming, (size_t)((chk->coll->blocks + 63) / 64));
    arena_new(&t->memory, t->taken[0], t->words);
    arena_new(&t->memory, t->taken[1], t->words);
    if (arena_status(&t->memory) != RWA_OK)
        return RWA_NOMEM;
    for (uint64_t b = 0; b < t->share; b++)
        set_bit(t->held, b);
    return RWA_OK;
}

void symmetry_close(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    if (!t)
        return;
    arena_free(&t->memory);
    free(t->arrived);
    free(t);
    chk->symmetry = NULL;
}

/** The block whose position relative to node 0 is that of `block` relative to this node. */
static uint64_t seen_from_first(const struct checker *chk, uint32_t node, uint64_t block)
{
    uint64_t blocks = chk->coll->blocks;
    return (block + blocks - node * chk->symmetry->share) % blocks;
}

/* ---- a record ---- */

static bool is_regular(const struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    uint32_t period = chk->symmetry->period[lp->direction == RWA_CCW];
    return lp->orbit == chk->nodes && chk->nodes % lp->period == 0 && hops <= lp->period && (period == 0 || period == lp->period);
}

static uint32_t key_of(const struct checker *chk, const rwa_lightpath *lp, uint32_t hop)
{
    assert(lp->period > 0 && hop < lp->period);
    uint32_t from = lp->direction == RWA_CW ? lp->src : lp->dst, link = (from + hop) % lp->period;
    return ((uint32_t)channel_of(chk, lp) + lp->period - link) % lp->period;
}

static bool is_free(const struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    const uint64_t *taken = chk->symmetry->taken[lp->direction == RWA_CCW];
    for (uint32_t h = 0; h < hops; h++)
        if (get_bit(taken, key_of(chk, lp, h)))
            return false;
    return true;
}

static bool is_held(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint64_t block;
    for (struct blocks_of b = blocks_of(lp, lists); next_block(&b, &block);)
        if (!get_bit(chk->symmetry->held, seen_from_first(chk, lp->src, block)))
            return false;
    return true;
}

static rwa_status arrive(struct checker *chk, uint32_t node, uint64_t block)
{
    struct symmetry *t = chk->symmetry;
    uint64_t seen = seen_from_first(chk, node, block);
    if (get_bit(t->held, seen) || get_bit(t->coming, seen))
        return RWA_OK;
    MUST(base_grow((void **)&t->arrived, &t->capacity, t->arrivals + 1, sizeof *t->arrived, chk->err));
    t->arrived[t->arrivals++] = seen;
    set_bit(t->coming, seen);
    chk->gained++;
    return RWA_OK;
}

static rwa_status take(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint64_t block;
    chk->symmetry->period[lp->direction == RWA_CCW] = lp->period;
    for (uint32_t h = 0; h < hops; h++)
        set_bit(chk->symmetry->taken[lp->direction == RWA_CCW], key_of(chk, lp, h));
    for (struct blocks_of b = blocks_of(lp, lists); next_block(&b, &block);) {
        MUST(spend(chk, 1));
        for (uint32_t i = 0; i < lists->tap_count; i++)
            MUST(arrive(chk, lists->taps[i], block));
        MUST(arrive(chk, lp->dst, block));
    }
    return RWA_OK;
}

/* ---- expansion ---- */

static rwa_status expand_blocks(struct checker *chk)
{
    const struct symmetry *t = chk->symmetry;
    uint64_t blocks = chk->coll->blocks;
    for (uint64_t b = t->share; b < blocks; b++) {
        bool held = get_bit(t->held, b), coming = get_bit(t->coming, b);
        if (!held && !coming)
            continue;
        MUST(spend(chk, chk->nodes));
        for (uint32_t v = 0; v < chk->nodes; v++)
            MUST(held ? copies_hold(chk, v, (b + v * t->share) % blocks) : copies_arrive(chk, v, (b + v * t->share) % blocks));
    }
    return RWA_OK;
}

static void expand_keys(struct checker *chk)
{
    struct channels_in_use *l = &chk->channels;
    for (uint32_t dir = 0; dir < 2; dir++)
        for (uint32_t key = 0, period = chk->symmetry->period[dir]; key < period; key++)
            for (uint32_t link = 0; link < chk->links && get_bit(chk->symmetry->taken[dir], key); link++) {
                uint64_t lane = (uint64_t)dir * l->count + (key + link) % period;
                channels_claim(chk, lane * chk->links + link, 1);
                channels_light(chk, dir, (key + link) % period);
            }
}

static rwa_status expand(struct checker *chk)
{
    MUST(checker_open_models(chk));
    MUST(expand_blocks(chk));
    expand_keys(chk);
    symmetry_close(chk);
    return RWA_OK;
}

rwa_status symmetry_check(bool *done_whole, struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    *done_whole = is_regular(chk, lp, hops) && is_free(chk, lp, hops) && is_held(chk, lp, lists);
    if (*done_whole)
        return take(chk, lp, lists, hops);
    return expand(chk);
}

/* ---- between records ---- */

void symmetry_end_step(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    for (size_t i = 0; i < t->arrivals; i++) {
        set_bit(t->held, t->arrived[i]);
        t->coming[t->arrived[i] / 64] = 0;
    }
    t->arrivals = 0;
    for (uint32_t dir = 0; dir < 2; dir++) {
        uint32_t lit = t->period[dir];  /* an orbit of all nodes comes to every channel below its period */
        chk->report->wavelengths_used = lit > chk->report->wavelengths_used ? lit : chk->report->wavelengths_used;
        memset(t->taken[dir], 0, t->words * 8);
        t->period[dir] = 0;
    }
}

rwa_status symmetry_check_end(struct checker *chk)
{
    for (uint64_t b = 0; b < chk->coll->blocks; b++)
        if (!get_bit(chk->symmetry->held, b))
            return expand(chk);
    return RWA_OK;
}
