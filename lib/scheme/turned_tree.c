/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The hops of a tree: the ring in as many segments as there are tops, in each a cheapest wave around its top, which leaves
 * one link of a ring of that size uncrossed: there it is cut.
 */
#include "scheme/turned.h"

#include "base/base.h"
#include "scheme/wavefront.h"

#include <stdlib.h>
#include <string.h>

void turned_tree_free(struct turned_tree *tree)
{
    free(tree->hop);
    free(tree->first);
    free(tree->told);
    memset(tree, 0, sizeof *tree);
}

/** A wave as a tree on a segment. */
struct segment {
    struct wave wave;
    uint32_t before;        /* places before the top */
};

/** How many offsets are told over the owner's counterclockwise side. */
static rwa_status count_before(struct segment *s, rwa_error *err)
{
    const struct wave *w = &s->wave;
    uint8_t *side = base_array(w->nodes, sizeof *side, err);
    if (!side)
        return RWA_NOMEM;
    s->before = 0;
    for (uint32_t step = 1; step <= w->steps; step++)
        for (uint32_t v = 1; v < w->nodes; v++)
            if (w->step[v] == step) {
                side[v] = w->from[v] == 0 ? w->direction[v] : side[w->from[v]];
                s->before += side[v] == RWA_CCW;
            }
    free(side);
    return RWA_OK;
}

static rwa_status segment_lay(struct segment *s, uint32_t nodes, uint32_t levels, rwa_error *err)
{
    struct points points = {0};
    rwa_status st = RWA_OK;
    TRY(points_choose(&points, nodes, levels, err));
    TRY(wave_lay(&s->wave, &points, levels, err));
    TRY(count_before(s, err));
done:
    free(points.part);
    return st;
}

/** The place of an offset of the segment's wave, whose top is at `top`. */
static uint32_t place_of(const struct segment *s, uint32_t top, uint32_t v, uint32_t places)
{
    uint32_t after = s->wave.nodes - 1 - s->before;
    return v <= after ? (top + v) % places : (top + places + v - s->wave.nodes) % places;
}

/** Where segment i begins: as even as can be. */
static uint32_t segment_start(const struct turns *at, uint32_t tops, uint32_t i)
{
    return (uint32_t)((uint64_t)at->places * i / tops);
}

/** The tops and the hops inside the segments. */
static rwa_status add_segments(struct turned_tree *tree, uint32_t *top, const struct turns *at, rwa_error *err)
{
    struct segment segment[2] = {{.before = 0}, {.before = 0}};
    uint32_t least = at->places / tree->tops;
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < tree->tops; i++) {
        uint32_t start = segment_start(at, tree->tops, i), nodes = segment_start(at, tree->tops, i + 1) - start;
        struct segment *s = &segment[nodes - least];
        if (!s->wave.step && nodes > 1)
            TRY(segment_lay(s, nodes, tree->levels, err));
        top[i] = start + s->before;
        for (uint32_t v = 1; v < nodes; v++) {
            struct turned_hop *hop = &tree->hop[tree->count++];
            *hop = (struct turned_hop){.from = place_of(s, top[i], s->wave.from[v], at->places), .to = place_of(s, top[i], v, at->places),
                                       .step = s->wave.step[v], .direction = s->wave.direction[v]};
            tree->told[hop->to] = hop->step;
        }
    }
done:
    wave_free(&segment[0].wave);
    wave_free(&segment[1].wave);
    return st;
}

/** All tops send to all, each the shorter way. */
static void add_exchange(struct turned_tree *tree, const uint32_t *top, const struct turns *at)
{
    for (uint32_t i = 0; i < tree->tops; i++)
        for (uint32_t k = 0; k < tree->tops; k++) {
            uint32_t onward = (top[k] + at->places - top[i]) % at->places;
            bool shorter = 2 * onward < at->places || (2 * onward == at->places && i < k);
            if (i != k)
                tree->hop[tree->count++] = (struct turned_hop){.from = top[i], .to = top[k], .step = tree->levels + 1,
                                                               .direction = (uint8_t)(shorter ? RWA_CW : RWA_CCW)};
        }
}

static size_t half_of(const struct turned_hop *hop)
{
    return (size_t)2 * (hop->step - 1) + hop->direction;
}

/** By step and direction: a counting sort. */
static rwa_status sort_halves(struct turned_tree *tree, rwa_error *err)
{
    size_t halves = (size_t)2 * tree->levels + 2;
    struct turned_hop *sorted = base_array(tree->count, sizeof *sorted, err);
    if (!sorted)
        return RWA_NOMEM;
    for (size_t i = 0; i < tree->count; i++)
        tree->first[half_of(&tree->hop[i]) + 1]++;
    for (size_t h = 0; h < halves; h++)
        tree->first[h + 1] += tree->first[h];
    for (size_t i = tree->count; i > 0; i--)
        sorted[--tree->first[half_of(&tree->hop[i - 1]) + 1]] = tree->hop[i - 1];
    memmove(tree->first, tree->first + 1, halves * sizeof *tree->first);
    tree->first[halves] = tree->count;
    free(tree->hop);
    tree->hop = sorted;
    return RWA_OK;
}

bool turned_is_told(const struct turned_tree *tree, const struct turns *at, const struct turned_hop *hop, uint32_t block)
{
    uint32_t node = turned_node(at, block, hop->to);
    uint32_t other[2] = {(hop->to + at->places - 1) % at->places, (hop->to + 1) % at->places};
    if (hop->step > tree->levels || at->places == at->nodes)
        return false;
    for (int i = 0; i < 2; i++)
        if (turned_node(at, block, other[i]) == node &&
            (tree->told[other[i]] < hop->step || (tree->told[other[i]] == hop->step && i == 0)))
            return true;
    return false;
}

/** Whether some hop of the step tells some node something. */
static bool is_needed(const struct turned_tree *tree, const struct turns *at, uint32_t step)
{
    for (size_t i = tree->first[2 * (step - 1)]; i < tree->first[2 * step]; i++)
        for (uint32_t block = 0; block < at->blocks; block++)
            if (!turned_is_told(tree, at, &tree->hop[i], block))
                return true;
    return false;
}

static rwa_status colour_all(bool *fits, struct turned_tree *tree, const struct turns *at, rwa_error *err)
{
    rwa_status st = RWA_OK;
    *fits = true;
    for (size_t h = (size_t)2 * tree->levels + 2; h > 0 && *fits; h--) /* the exchange first, which fits least */
        TRY(turned_colour(fits, tree->hop + tree->first[h - 1], tree->first[h] - tree->first[h - 1], at, err));
    for (uint32_t step = 1; step <= tree->levels && *fits; step++)
        *fits = is_needed(tree, at, step);
done:
    return st;
}

rwa_status turned_tree_lay(struct turned_tree *tree, const struct turns *at, uint32_t levels, uint32_t tops, rwa_error *err)
{
    uint32_t *top = base_array(tops, sizeof *top, err);
    bool fits = false;
    rwa_status st = RWA_OK;
    *tree = (struct turned_tree){.levels = levels, .tops = tops};
    tree->hop = base_array((size_t)at->places - tops + (size_t)tops * (tops - 1), sizeof *tree->hop, err);
    tree->first = base_array((size_t)2 * levels + 4, sizeof *tree->first, err);
    tree->told = base_array(at->places, sizeof *tree->told, err);
    if (!top || !tree->hop || !tree->first || !tree->told)
        st = RWA_NOMEM;
    TRY(st);
    TRY(add_segments(tree, top, at, err));
    add_exchange(tree, top, at);
    TRY(sort_halves(tree, err));
    TRY(colour_all(&fits, tree, at, err));
    if (!fits)
        turned_tree_free(tree);
done:
    free(top);
    return st;
}
