/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The hops of a tree.  The ring is cut into as many segments as there are tops; in each a cheapest wave around its top, which
 * leaves one link of a ring of that size uncrossed, says when which place is to be told.  Step by step, all places whose time
 * has come are told from the nearest holder, long hops first, while there is room; the others wait, and are near a holder then.
 */
#include "scheme/own/rotated.h"

#include "base/bins.h"
#include "delivery/ring/broadcast_tree.h"

#include <stdlib.h>
#include <string.h>

void rotated_tree_free(struct rotated_tree *tree)
{
    free(tree->hop);
    free(tree->first);
    free(tree->told);
    memset(tree, 0, sizeof *tree);
}

/* ---- the plan ---- */

/** When a wave tells a place, and over how many links. */
struct due {
    uint32_t step, length;
};

/** A wave as a tree on a segment. */
struct segment {
    struct delivery_tree tree;
    uint32_t before;        /* places before the top */
};

/** How many offsets are told over the owner's counterclockwise side. */
static rwa_status count_before(struct segment *s, rwa_error *err)
{
    const struct delivery_tree *t = &s->tree;
    uint8_t *side = base_array(t->nodes, sizeof *side, err);
    if (!side)
        return RWA_NOMEM;
    s->before = 0;
    for (uint32_t step = 1; step <= t->steps; step++)
        for (uint32_t v = 1; v < t->nodes; v++)
            if (t->at[v].step == step) {
                side[v] = t->at[v].from == 0 ? t->at[v].way : side[t->at[v].from];
                s->before += side[v] == RWA_CCW;
            }
    free(side);
    return RWA_OK;
}

static rwa_status segment_lay(struct segment *s, uint32_t nodes, uint32_t levels, rwa_error *err)
{
    struct lattice_points points = {0};
    rwa_status st = RWA_OK;
    TRY(lattice_points_choose(&points, nodes, levels, err));
    TRY(broadcast_tree_lay(&s->tree, &points, levels, err));
    TRY(count_before(s, err));
done:
    free(points.coordinate);
    return st;
}

/** The place of an offset of the segment's wave, whose top is at `top`. */
static uint32_t place_of(const struct segment *s, uint32_t top, uint32_t v, uint32_t places)
{
    uint32_t after = s->tree.nodes - 1 - s->before;
    return v <= after ? (top + v) % places : (top + places + v - s->tree.nodes) % places;
}

/** Where segment i begins: as even as can be. */
static uint32_t segment_start(const struct rotation *at, uint32_t tops, uint32_t i)
{
    return (uint32_t)((uint64_t)at->places * i / tops);
}

static rwa_status plan_segments(struct due *due, uint32_t *top, const struct rotation *at, uint32_t tops, uint32_t planned, rwa_error *err)
{
    struct segment segment[2] = {{.before = 0}, {.before = 0}};
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < tops; i++) {
        uint32_t start = segment_start(at, tops, i), nodes = segment_start(at, tops, i + 1) - start;
        struct segment *s = &segment[nodes - at->places / tops];
        if (!s->tree.at && nodes > 1)
            TRY(segment_lay(s, nodes, planned, err));
        top[i] = start + s->before;
        for (uint32_t v = 1; v < nodes; v++)
            due[place_of(s, top[i], v, at->places)] = (struct due){s->tree.at[v].step, s->tree.at[v].links};
    }
done:
    delivery_tree_free(&segment[0].tree);
    delivery_tree_free(&segment[1].tree);
    return st;
}

/* ---- carrying it out ---- */

struct growth {
    struct rotated_tree *tree;
    const struct rotation *at;
    const struct due *due;
    uint32_t *order;        /* places: what is due first, and of that what is told over most links */
    uint32_t *behind, *ahead;   /* the nearest holder, counterclockwise and clockwise, when the step begins */
    struct rotated_room room[2];
    size_t hops_room;
    struct budget *budget;
};

static const uint32_t untold = UINT32_MAX;

/** By length, then by step. */
static rwa_status sort_places(struct growth *g, uint32_t planned, rwa_error *err)
{
    uint32_t places = g->at->places;
    struct bins shorter = {0}, step = {0};
    rwa_status st = RWA_OK;
    TRY(bins_open(&shorter, (size_t)places + 1, err));
    TRY(bins_open(&step, (size_t)planned + 1, err));
    for (uint32_t v = 0; v < places; v++) {
        bins_count(&shorter, places - g->due[v].length);
        bins_count(&step, g->due[v].step);
    }
    TRY(bins_divide(&shorter, (size_t)places + 1, err));
    TRY(bins_divide(&step, (size_t)planned + 1, err));
    for (uint32_t v = 0; v < places; v++)
        bins_put(&shorter, places - g->due[v].length, v);
    for (uint32_t i = 0; i < places; i++)
        bins_put(&step, g->due[shorter.number[i]].step, shorter.number[i]);
    memcpy(g->order, step.number, places * sizeof *g->order);
done:
    bins_free(&shorter);
    bins_free(&step);
    return st;
}

static void find_holders(struct growth *g)
{
    uint32_t places = g->at->places, holder = untold;
    for (uint32_t i = 0; i < 2 * places; i++) {
        holder = g->tree->told[i % places] != untold ? i % places : holder;
        g->behind[i % places] = holder;
    }
    for (uint32_t i = 2 * places; i > 0; i--) {
        holder = g->tree->told[(i - 1) % places] != untold ? (i - 1) % places : holder;
        g->ahead[(i - 1) % places] = holder;
    }
}

static rwa_status add_hop(struct growth *g, struct rotated_hop hop, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    rwa_status st = base_grow((void **)&t->hop, &g->hops_room, t->count + 1, sizeof *t->hop, err);
    if (st == RWA_OK)
        t->hop[t->count++] = hop;
    return st;
}

/** From the nearer holder, or the other one where that is not much farther; *told: there was room. */
static rwa_status tell(bool *told, struct growth *g, uint32_t v, uint32_t step, rwa_error *err)
{
    enum { FARTHER = 2 };
    uint32_t places = g->at->places, onward = (v + places - g->behind[v]) % places, back = (g->ahead[v] + places - v) % places;
    bool first = onward <= back;
    uint32_t nearer = first ? onward : back, other = first ? back : onward;
    *told = false;
    if (g->due[v].step > step && nearer > g->due[v].length)
        return RWA_OK;
    for (int i = 0; i < 2 && !*told && (i == 0 || other <= FARTHER * nearer); i++) {
        bool cw = first == (i == 0);
        struct rotated_hop hop = {.from = cw ? g->behind[v] : g->ahead[v], .to = v, .step = step,
                                 .direction = (uint8_t)(cw ? RWA_CW : RWA_CCW)};
        *told = rotated_room_take(&g->room[hop.direction], &hop);
        if (*told)
            return add_hop(g, hop, err);
    }
    return RWA_OK;
}

/** Channels for the hops of a step, which are the last ones and come in both directions. */
static rwa_status close_step(bool *fits, struct growth *g, size_t first, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    size_t count = 0;
    struct rotated_hop *sorted = base_array(t->count - first, sizeof *sorted, err);
    rwa_status st = sorted ? RWA_OK : RWA_NOMEM;
    TRY(st);
    *fits = true;
    for (int dir = 0; dir < 2 && *fits; dir++) {
        size_t from = count;
        for (size_t i = first; i < t->count; i++)
            if (t->hop[i].direction == dir)
                sorted[count++] = t->hop[i];
        TRY(rotated_colour(fits, sorted + from, count - from, &g->room[dir], err));
        rotated_room_clear(&g->room[dir]);
    }
    if (count > 0)
        memcpy(t->hop + first, sorted, count * sizeof *sorted);
done:
    free(sorted);
    return st;
}

/** One step: *left places are still to be told, and fewer after it. */
static rwa_status grow_step(bool *fits, uint32_t *left, struct growth *g, uint32_t step, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    size_t first = t->count;
    uint32_t still = 0;
    rwa_status st = RWA_OK;
    find_holders(g);
    for (uint32_t i = 0; i < *left; i++) {
        bool told = false;
        TRY(tell(&told, g, g->order[i], step, err));
        if (told)
            t->told[g->order[i]] = step;
        else
            g->order[still++] = g->order[i];
    }
    *fits = still < *left;
    *left = still;
    if (*fits)
        TRY(close_step(fits, g, first, err));
done:
    return st;
}

/** All tops send to all, each the shorter way. */
static rwa_status add_exchange(bool *fits, struct growth *g, const uint32_t *top, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    uint32_t places = g->at->places;
    size_t first = t->count;
    rwa_status st = RWA_OK;
    *fits = true;
    for (uint32_t far = t->tops; far > 0 && *fits; far--) /* long ones first */
        for (uint32_t i = 0; i < t->tops && far < t->tops && *fits; i++) {
            uint32_t k = (i + far) % t->tops, onward = (top[k] + places - top[i]) % places;
            bool cw = 2 * onward < places || (2 * onward == places && i < k);
            struct rotated_hop hop = {.from = top[i], .to = top[k], .step = t->levels + 1, .direction = (uint8_t)(cw ? RWA_CW : RWA_CCW)};
            *fits = rotated_room_take(&g->room[hop.direction], &hop);
            if (*fits)
                TRY(add_hop(g, hop, err));
        }
    if (*fits)
        TRY(close_step(fits, g, first, err));
done:
    return st;
}

/** Whether the exchange has room, before anything else is done. */
static rwa_status try_exchange(bool *fits, struct growth *g, const uint32_t *top, rwa_error *err)
{
    rwa_status st = add_exchange(fits, g, top, err);
    g->tree->count = 0;
    rotated_room_clear(&g->room[0]);
    rotated_room_clear(&g->room[1]);
    return st;
}

/** All steps, of which there may be `most`. */
static rwa_status grow(bool *fits, struct growth *g, const uint32_t *top, uint32_t most, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    uint32_t left = g->at->places - t->tops;
    rwa_status st = RWA_OK;
    TRY(try_exchange(fits, g, top, err));
    memmove(g->order, g->order + t->tops, left * sizeof *g->order); /* the tops are due in step 0 */
    while (left > 0 && *fits) {
        if (base_must_stop(g->budget, "growing trees", -1))
            return base_fail(err, RWA_CANCELLED, "planning was stopped while trees grew");
        *fits = t->levels < most;
        if (*fits)
            TRY(grow_step(fits, &left, g, ++t->levels, err));
    }
    if (*fits)
        TRY(add_exchange(fits, g, top, err));
done:
    return st;
}

static size_t half_of(const struct rotated_hop *hop)
{
    return (size_t)2 * (hop->step - 1) + hop->direction;
}

/** Where each step and direction begins. */
static rwa_status index_halves(struct rotated_tree *tree, rwa_error *err)
{
    size_t halves = (size_t)2 * tree->levels + 2;
    tree->first = base_array(halves + 1, sizeof *tree->first, err);
    if (!tree->first)
        return RWA_NOMEM;
    for (size_t i = 0; i < tree->count; i++)
        tree->first[half_of(&tree->hop[i]) + 1]++;
    for (size_t h = 0; h < halves; h++)
        tree->first[h + 1] += tree->first[h];
    return RWA_OK;
}

bool rotated_is_told(const struct rotated_tree *tree, const struct rotation *at, const struct rotated_hop *hop, uint32_t block)
{
    uint32_t node = rotated_node(at, block, hop->to);
    uint32_t other[2] = {(hop->to + at->places - 1) % at->places, (hop->to + 1) % at->places};
    if (hop->step > tree->levels || at->places == at->nodes)
        return false;
    for (int i = 0; i < 2; i++)
        if (rotated_node(at, block, other[i]) == node &&
            (tree->told[other[i]] < hop->step || (tree->told[other[i]] == hop->step && i == 0)))
            return true;
    return false;
}

/** Whether in every step some hop tells some node something. */
static bool all_needed(const struct rotated_tree *tree, const struct rotation *at)
{
    uint32_t step = 1;
    for (bool needed = true; step <= tree->levels && needed; step += needed) {
        needed = false;
        for (size_t i = tree->first[2 * (step - 1)]; i < tree->first[2 * step] && !needed; i++)
            for (uint32_t block = 0; block < at->blocks && !needed; block++)
                needed = !rotated_is_told(tree, at, &tree->hop[i], block);
    }
    return step > tree->levels;
}

static void growth_close(struct growth *g)
{
    free(g->order);
    free(g->behind);
    free(g->ahead);
    rotated_room_close(&g->room[0]);
    rotated_room_close(&g->room[1]);
}

static rwa_status growth_open(struct growth *g, uint32_t planned, rwa_error *err)
{
    rwa_status st = RWA_NOMEM;
    uint32_t places = g->at->places;
    g->order = base_array(places, sizeof *g->order, err);
    g->behind = base_array(places, sizeof *g->behind, err);
    g->ahead = base_array(places, sizeof *g->ahead, err);
    g->tree->told = base_array(places, sizeof *g->tree->told, err);
    if (!g->order || !g->behind || !g->ahead || !g->tree->told)
        goto done;
    for (uint32_t v = 0; v < places; v++)
        g->tree->told[v] = g->due[v].step > 0 ? untold : 0;
    TRY(sort_places(g, planned, err));
    TRY(rotated_room_open(&g->room[0], g->at, err));
    TRY(rotated_room_open(&g->room[1], g->at, err));
done:
    return st;
}

rwa_status rotated_tree_lay(struct rotated_tree *tree, const struct rotation *at, uint32_t planned, uint32_t tops, uint32_t most,
                           struct budget *budget, rwa_error *err)
{
    uint32_t *top = base_array(tops, sizeof *top, err);
    struct due *due = base_array(at->places, sizeof *due, err);
    struct growth g = {.tree = tree, .at = at, .due = due, .budget = budget};
    bool fits = false;
    rwa_status st = top && due ? RWA_OK : RWA_NOMEM;
    *tree = (struct rotated_tree){.tops = tops};
    TRY(st);
    TRY(plan_segments(due, top, at, tops, planned, err));
    TRY(growth_open(&g, planned, err));
    TRY(grow(&fits, &g, top, most, err));
    if (fits)
        TRY(index_halves(tree, err));
    if (!fits || !all_needed(tree, at))
        rotated_tree_free(tree);
done:
    growth_close(&g);
    free(due);
    free(top);
    return st;
}
