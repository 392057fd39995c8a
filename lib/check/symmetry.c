/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Symmetric collectives of a ring, checked at one node.
 *
 * As long as every record is a full orbit, the holdings are invariant under rotation: node v holds block b exactly as
 * node 0 holds the block v nodes farther back; of an all-to-all, that of the pair v nodes farther back.  A record whose period P
 * divides the nodes puts channel x + i onto link l + i for every i, both modulo their number, so that its keys (x - l) mod P, one for
 * each link of its route, identify its channels; two records of a step and direction with one P meet on some link exactly when they
 * have a key in common, and then on all.
 *
 * A broadcast whose root has given every node its share of the blocks goes on like an all-gather.  From a step on that begins with a
 * full orbit nodes are then taken to hold their shares alone: a schedule that is right for them is right for nodes that hold more.
 *
 * The first record that breaks the symmetry or a constraint ends this: the state is expanded to all nodes, and the checker
 * goes on lightpath by lightpath, which also names each violation.
 */
#include "check/symmetry.h"

static const struct first_holdings *holdings_for(rwa_collective_kind kind)
{
    switch (kind) {
    case RWA_BROADCAST:
    case RWA_ALL_GATHER:
    case RWA_ALL_TO_ALL: return &first_holdings_of_copies;
    case RWA_REDUCE_SCATTER:
    case RWA_ALL_REDUCE: return &first_holdings_of_sums;
    default: return NULL;
    }
}

static bool is_symmetric_ring(const struct checker *chk)
{
    return rwa_network_topology(chk->net) == RWA_RING && holdings_for(chk->coll->kind) && !chk->members && !chk->device &&
           rwa_network_ports(chk->net) == 0 && chk->faults.link_count == 0 && chk->faults.channel_count == 0 &&
           blocks_rotate(chk->coll) && holdings_for(chk->coll->kind)->fits(chk);
}

static rwa_status open_state(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    t->share = chk->coll->blocks / chk->nodes;
    t->words = ((size_t)rwa_network_channels(chk->net) + 63) / 64;
    t->memory.err = chk->err;
    t->holdings = holdings_for(chk->coll->kind);
    arena_new(&t->memory, t->taken[0], t->words);
    arena_new(&t->memory, t->taken[1], t->words);
    MUST(arena_status(&t->memory));
    return t->holdings->open(chk);
}

rwa_status symmetry_open(struct checker *chk)
{
    chk->may_turn = is_symmetric_ring(chk);
    if (!chk->may_turn || chk->coll->kind == RWA_BROADCAST)
        return RWA_OK;
    chk->symmetry = base_array(1, sizeof *chk->symmetry, chk->err);
    return chk->symmetry ? open_state(chk) : RWA_NOMEM;
}

rwa_status symmetry_begin(struct checker *chk, const rwa_lightpath *record)
{
    if (!chk->may_turn || record->orbit != chk->nodes || !copies_hold_shares(chk))
        return RWA_OK;
    chk->symmetry = base_array(1, sizeof *chk->symmetry, chk->err);
    MUST(chk->symmetry ? open_state(chk) : RWA_NOMEM);
    chk->symmetry->late = true;
    return RWA_OK;
}

void symmetry_close(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    if (!t)
        return;
    t->holdings->close(chk);
    arena_free(&t->memory);
    free(t);
    chk->symmetry = NULL;
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

static void occupy(struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    chk->symmetry->period[lp->direction == RWA_CCW] = lp->period;
    for (uint32_t h = 0; h < hops; h++)
        set_bit(chk->symmetry->taken[lp->direction == RWA_CCW], key_of(chk, lp, h));
}

/* ---- expansion ---- */

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
    chk->may_turn = false;
    MUST(chk->symmetry->late ? RWA_OK : checker_open_models(chk));
    MUST(chk->symmetry->holdings->expand(chk));
    expand_keys(chk);
    symmetry_close(chk);
    return RWA_OK;
}

rwa_status symmetry_check(bool *whole, struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    *whole = is_regular(chk, lp, hops) && is_free(chk, lp, hops);
    if (*whole)
        MUST(chk->symmetry->holdings->take(whole, chk, lp, lists));
    if (!*whole)
        return expand(chk);
    occupy(chk, lp, hops);
    return RWA_OK;
}

/* ---- between records ---- */

void symmetry_end_step(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    t->holdings->end_step(chk);
    for (uint32_t dir = 0; dir < 2; dir++) {
        uint32_t lit = t->period[dir];  /* an orbit of all nodes comes to every channel below its period */
        chk->report->wavelengths_used = lit > chk->report->wavelengths_used ? lit : chk->report->wavelengths_used;
        memset(t->taken[dir], 0, t->words * 8);
        t->period[dir] = 0;
    }
}

rwa_status symmetry_check_end(struct checker *chk)
{
    return chk->symmetry->holdings->is_complete(chk) ? RWA_OK : expand(chk);
}
