/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-gathers in which every node of a ring does the same, judged at one node.
 *
 * As long as every record is a whole orbit, who holds what looks the same from every node: node v holds the block that
 * node 0 holds v nodes farther back.  A record whose period P divides the nodes puts channel x + i onto link l + i for every
 * i, both modulo their number, so that what it takes is told by its keys (x - l) mod P, one for each link of its route; two
 * records of a step and direction with one P meet on some link exactly when they have a key in common, and then on all.
 *
 * The first record that is different, or wrong, ends this: what is known is unfolded, and everything from there on is
 * judged lightpath by lightpath, which also names what is wrong.
 */
#include "check/judge.h"

#include <stdlib.h>
#include <string.h>

struct turns {
    uint64_t share;         /* blocks of a node */
    uint64_t *held;         /* bit block: node 0 holds it at the start of the step */
    uint64_t *arrived;      /* blocks that node 0 gets in this step */
    size_t arrivals, room;
    uint32_t period[2];     /* of this step's records in each direction; 0: none so far */
    uint64_t *taken[2];     /* bit key */
    size_t words;
};

static bool is_even_ring(const struct judge *j)
{
    rwa_faults faults;
    rwa_network_faults(&faults, j->net);
    return rwa_network_topology(j->net) == RWA_RING && j->coll->kind == RWA_ALL_GATHER && !j->members && !j->device &&
           rwa_network_ports(j->net) == 0 && faults.link_count == 0 && faults.channel_count == 0 &&
           j->coll->blocks % j->nodes == 0;
}

rwa_status turns_open(struct judge *j)
{
    struct turns *t;
    if (!is_even_ring(j))
        return RWA_OK;
    t = j->turns = base_array(1, sizeof *t, j->err);
    if (!t)
        return RWA_NOMEM;
    t->share = j->coll->blocks / j->nodes;
    t->words = ((size_t)rwa_network_channels(j->net) + 63) / 64;
    t->held = base_array((size_t)((j->coll->blocks + 63) / 64), 8, j->err);
    t->taken[0] = base_array(t->words, 8, j->err);
    t->taken[1] = base_array(t->words, 8, j->err);
    if (!t->held || !t->taken[0] || !t->taken[1])
        return RWA_NOMEM;
    for (uint64_t b = 0; b < t->share; b++)
        set_bit(t->held, b);
    return RWA_OK;
}

void turns_close(struct judge *j)
{
    struct turns *t = j->turns;
    if (!t)
        return;
    free(t->held);
    free(t->arrived);
    free(t->taken[0]);
    free(t->taken[1]);
    free(t);
    j->turns = NULL;
}

/** The block that node 0 has where this node has `block`. */
static uint64_t seen_from_first(const struct judge *j, uint32_t node, uint64_t block)
{
    uint64_t blocks = j->coll->blocks;
    return (block + blocks - node * j->turns->share) % blocks;
}

/* ---- a record ---- */

static bool is_regular(const struct judge *j, const rwa_lightpath *lp, uint32_t hops)
{
    uint32_t period = j->turns->period[lp->direction == RWA_CCW];
    return lp->orbit == j->nodes && j->nodes % lp->period == 0 && hops <= lp->period && (period == 0 || period == lp->period);
}

static uint32_t key_of(const struct judge *j, const rwa_lightpath *lp, uint32_t hop)
{
    uint32_t from = lp->direction == RWA_CW ? lp->src : lp->dst, link = (from + hop) % lp->period;
    return ((uint32_t)channel_of(j, lp) + lp->period - link) % lp->period;
}

static bool is_free(const struct judge *j, const rwa_lightpath *lp, uint32_t hops)
{
    const uint64_t *taken = j->turns->taken[lp->direction == RWA_CCW];
    for (uint32_t h = 0; h < hops; h++)
        if (get_bit(taken, key_of(j, lp, h)))
            return false;
    return true;
}

static bool is_held(const struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint64_t block;
    for (struct blocks_of b = blocks_of(lp, lists); next_block(&b, &block);)
        if (!get_bit(j->turns->held, seen_from_first(j, lp->src, block)))
            return false;
    return true;
}

static rwa_status arrive(struct judge *j, uint32_t node, uint64_t block)
{
    struct turns *t = j->turns;
    rwa_status st = base_grow((void **)&t->arrived, &t->room, t->arrivals + 1, sizeof *t->arrived, j->err);
    if (st == RWA_OK)
        t->arrived[t->arrivals++] = seen_from_first(j, node, block);
    return st;
}

static rwa_status take(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint64_t block;
    rwa_status st = RWA_OK;
    j->turns->period[lp->direction == RWA_CCW] = lp->period;
    for (uint32_t h = 0; h < hops; h++)
        set_bit(j->turns->taken[lp->direction == RWA_CCW], key_of(j, lp, h));
    for (struct blocks_of b = blocks_of(lp, lists); next_block(&b, &block);) {
        for (uint32_t i = 0; i < lists->tap_count; i++)
            TRY(arrive(j, lists->taps[i], block));
        TRY(arrive(j, lp->dst, block));
    }
done:
    return st;
}

/* ---- unfolding ---- */

static rwa_status unfold_blocks(struct judge *j)
{
    const struct turns *t = j->turns;
    uint64_t blocks = j->coll->blocks;
    rwa_status st = RWA_OK;
    for (uint64_t b = 0; b < blocks; b++)
        for (uint32_t v = 0; v < j->nodes && get_bit(t->held, b); v++)
            set_bit(j->held, v * blocks + (b + v * t->share) % blocks);
    for (size_t i = 0; i < t->arrivals; i++)
        for (uint32_t v = 0; v < j->nodes; v++) {
            TRY(base_grow((void **)&j->arrived, &j->arrival_room, j->arrivals + 1, sizeof *j->arrived, j->err));
            j->arrived[j->arrivals++] = (struct delivery){v, (uint32_t)((t->arrived[i] + v * t->share) % blocks)};
        }
done:
    return st;
}

static void unfold_keys(struct judge *j)
{
    struct lanes *l = &j->lanes;
    for (uint32_t dir = 0; dir < 2; dir++)
        for (uint32_t key = 0, period = j->turns->period[dir]; key < period; key++)
            for (uint32_t link = 0; link < j->links && get_bit(j->turns->taken[dir], key); link++) {
                uint64_t lane = (uint64_t)dir * l->channels + (key + link) % period;
                set_bit(l->busy, lane * j->links + link);
                set_bit(l->lit, lane);
            }
}

static rwa_status unfold(struct judge *j)
{
    rwa_status st = RWA_OK;
    TRY(judge_open_fully(j));
    TRY(unfold_blocks(j));
    unfold_keys(j);
    turns_close(j);
done:
    return st;
}

rwa_status turns_judge(bool *judged, struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    *judged = j->turns && is_regular(j, lp, hops) && is_free(j, lp, hops) && is_held(j, lp, lists);
    if (*judged)
        return take(j, lp, lists, hops);
    return j->turns ? unfold(j) : RWA_OK;
}

/* ---- between records ---- */

void turns_end_step(struct judge *j)
{
    struct turns *t = j->turns;
    for (size_t i = 0; i < t->arrivals; i++)
        set_bit(t->held, t->arrived[i]);
    t->arrivals = 0;
    for (uint32_t dir = 0; dir < 2; dir++) {
        uint32_t lit = t->period[dir];  /* an orbit of all nodes comes to every channel below its period */
        j->verdict->wavelengths_used = lit > j->verdict->wavelengths_used ? lit : j->verdict->wavelengths_used;
        memset(t->taken[dir], 0, t->words * 8);
        t->period[dir] = 0;
    }
}

rwa_status turns_judge_end(struct judge *j)
{
    for (uint64_t b = 0; b < j->coll->blocks; b++)
        if (!get_bit(j->turns->held, b))
            return unfold(j);
    return RWA_OK;
}
