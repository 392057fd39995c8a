/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The hops of a tree.  The ring is cut into as many segments as there are roots; in each a cheapest template tree around its root, which
 * leaves one link of a ring of that size uncrossed, says when each place is due.  Step by step, all places that are due are informed
 * from the nearest holder, long hops first, while there is capacity; the others wait, and are near a holder then.
 */
#include "scheme/own/rotated.h"

#include "delivery/ring/broadcast_tree.h"

void rotated_tree_free(struct rotated_tree *tree)
{
    free_all(tree->hop, tree->first);
    delivery_tree_free(&tree->tree);
    memset(tree, 0, sizeof *tree);
}

/* ---- the plan ---- */

/** When a template informs a place, and over how many links. */
struct due {
    uint32_t step, length;
};

/** A template on a segment. */
struct segment {
    struct delivery_tree tree;
    uint32_t before;        /* places before the root */
};

/** How many offsets are informed over the owner's counterclockwise side. */
static rwa_status count_before(struct segment *s, rwa_error *err)
{
    const struct delivery_tree *t = &s->tree;
    uint8_t *side = base_array(t->nodes, sizeof *side, err);
    MUST(side ? RWA_OK : RWA_NOMEM);
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

static rwa_status segment_place(struct segment *s, uint32_t nodes, uint32_t levels, rwa_error *err)
{
    struct lattice_points points = {0};
    rwa_status st = RWA_OK;
    TRY(lattice_points_choose(&points, nodes, levels, NULL, err));
    TRY(broadcast_tree_place(&s->tree, &points, levels, err));
    TRY(count_before(s, err));
done:
    free(points.coordinate);
    return st;
}

/** The place of an offset of the segment's template, whose root is at `root`. */
static uint32_t place_of(const struct segment *s, uint32_t root, uint32_t v, uint32_t places)
{
    assert(v < s->tree.nodes && s->before < s->tree.nodes);
    uint32_t after = s->tree.nodes - 1 - s->before;
    return v <= after ? (root + v) % places : (root + places + v - s->tree.nodes) % places;
}

/** First place of segment i: sizes as even as can be. */
static uint32_t segment_start(const struct rotation *at, uint32_t roots, uint32_t i)
{
    assert(i <= roots && roots <= at->places);
    return (uint32_t)((uint64_t)at->places * i / roots);
}

static rwa_status plan_segments(struct due *due, uint32_t *root, const struct rotation *at, uint32_t roots, uint32_t planned,
                                rwa_error *err)
{
    struct segment segment[2] = {{.before = 0}, {.before = 0}};
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < roots; i++) {
        uint32_t start = segment_start(at, roots, i), nodes = segment_start(at, roots, i + 1) - start;
        struct segment *s = &segment[nodes - at->places / roots];
        if (!s->tree.at && nodes > 1)
            TRY(segment_place(s, nodes, planned, err));
        root[i] = start + s->before;
        for (uint32_t v = 1; v < nodes; v++)
            due[place_of(s, root[i], v, at->places)] = (struct due){s->tree.at[v].step, s->tree.at[v].links};
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
    uint32_t *order;        /* places: what is due first, and of that what is informed over most links */
    uint32_t *predecessor, *successor;   /* the nearest holder, counterclockwise and clockwise, when the step begins */
    struct rotated_capacity capacity[2];
    size_t hops_size;
    struct budget *budget;
};

static const uint32_t not_received = UINT32_MAX;

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

/** The roots hold the block from the start. */
static void find_holders(struct growth *g)
{
    const struct delivery *at = g->tree->tree.at;
    uint32_t places = g->at->places, first = 0, last = places - 1;
    while (at[first].step == not_received)
        first++;
    while (at[last].step == not_received)
        last--;
    for (uint32_t v = 0, holder = last; v < places; v++)
        g->predecessor[v] = holder = at[v].step != not_received ? v : holder;
    for (uint32_t v = places, holder = first; v-- > 0;)
        g->successor[v] = holder = at[v].step != not_received ? v : holder;
}

static rwa_status add_hop(struct growth *g, struct rotated_hop hop, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    return base_append(t->hop, t->count, g->hops_size, err, hop);
}

/** From the nearer holder, or the other one where that is not much farther; *informed: there was capacity. */
static rwa_status inform(bool *informed, struct growth *g, uint32_t v, uint32_t step, rwa_error *err)
{
    enum { FARTHER = 2 };
    uint32_t places = g->at->places, before = g->predecessor[v], after = g->successor[v];
    uint32_t onward = v - before + (v < before ? places : 0), back = after - v + (after < v ? places : 0);
    bool first = onward <= back;
    uint32_t nearer = first ? onward : back, other = first ? back : onward;
    assert(onward > 0 && back > 0);
    *informed = false;
    if (g->due[v].step > step && nearer > g->due[v].length)
        return RWA_OK;
    for (int i = 0; i < 2 && !*informed && (i == 0 || other <= FARTHER * nearer); i++) {
        bool cw = first == (i == 0);
        struct rotated_hop hop = {v, {.from = cw ? g->predecessor[v] : g->successor[v], .step = step, .links = cw ? onward : back,
                                      .way = cw ? RWA_CW : RWA_CCW, .ends = true}, 0, 0, 0, 0};
        *informed = rotated_capacity_take(&g->capacity[hop.d.way], &hop);
        if (*informed)
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
            if (t->hop[i].d.way == dir)
                sorted[count++] = t->hop[i];
        TRY(rotated_colour(fits, sorted + from, count - from, &g->capacity[dir], err));
        rotated_capacity_clear(&g->capacity[dir]);
    }
    if (count > 0)
        memcpy(t->hop + first, sorted, count * sizeof *sorted);
done:
    free(sorted);
    return st;
}

/** One step: *left places are still to be informed, and fewer after it. */
static rwa_status grow_step(bool *fits, uint32_t *left, struct growth *g, uint32_t step, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    size_t first = t->count;
    uint32_t still = 0;
    find_holders(g);
    for (uint32_t i = 0; i < *left; i++) {
        bool informed = false;
        MUST(inform(&informed, g, g->order[i], step, err));
        if (informed)
            t->tree.at[g->order[i]] = t->hop[t->count - 1].d;
        else
            g->order[still++] = g->order[i];
    }
    *fits = still < *left;
    *left = still;
    if (*fits)
        MUST(close_step(fits, g, first, err));
    return RWA_OK;
}

/** All roots send to all, each the shorter way. */
static rwa_status add_exchange(bool *fits, struct growth *g, const uint32_t *root, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    uint32_t places = g->at->places;
    size_t first = t->count;
    *fits = true;
    for (uint32_t far = t->roots; far > 0 && *fits; far--) /* long ones first */
        for (uint32_t i = 0; i < t->roots && far < t->roots && *fits; i++) {
            uint32_t k = (i + far) % t->roots, onward = (root[k] + places - root[i]) % places;
            bool cw = 2 * onward < places || (2 * onward == places && i < k);
            struct rotated_hop hop = {root[k], {.from = root[i], .step = t->levels + 1, .links = cw ? onward : places - onward,
                                                .way = cw ? RWA_CW : RWA_CCW, .ends = true}, 0, 0, 0, 0};
            *fits = rotated_capacity_take(&g->capacity[hop.d.way], &hop);
            if (*fits)
                MUST(add_hop(g, hop, err));
        }
    if (*fits)
        MUST(close_step(fits, g, first, err));
    return RWA_OK;
}

/** Whether the exchange has capacity, before anything else is done. */
static rwa_status try_exchange(bool *fits, struct growth *g, const uint32_t *root, rwa_error *err)
{
    rwa_status st = add_exchange(fits, g, root, err);
    g->tree->count = 0;
    rotated_capacity_clear(&g->capacity[0]);
    rotated_capacity_clear(&g->capacity[1]);
    return st;
}

/** All steps, of which there may be `most`. */
static rwa_status grow(bool *fits, struct growth *g, const uint32_t *root, uint32_t most, rwa_error *err)
{
    struct rotated_tree *t = g->tree;
    uint32_t left = g->at->places - t->roots;
    MUST(try_exchange(fits, g, root, err));
    memmove(g->order, g->order + t->roots, left * sizeof *g->order); /* the roots are due in step 0 */
    while (left > 0 && *fits) {
        if (base_must_stop(g->budget, "growing trees", -1))
            return base_fail(err, RWA_CANCELLED, "planning was stopped while trees grew");
        *fits = t->levels < most;
        if (*fits)
            MUST(grow_step(fits, &left, g, ++t->levels, err));
    }
    if (*fits)
        MUST(add_exchange(fits, g, root, err));
    return RWA_OK;
}

/** Index of the first lightpath of each step and direction. */
static rwa_status index_slots(struct rotated_tree *tree, rwa_error *err)
{
    size_t slots = (size_t)2 * tree->levels + 2;
    MUST(base_new(tree->first, slots + 1, err));
    for (size_t i = 0; i < tree->count; i++)
        tree->first[delivery_slot(&tree->hop[i].d, 2) + 1]++;
    for (size_t slot = 0; slot < slots; slot++)
        tree->first[slot + 1] += tree->first[slot];
    return RWA_OK;
}

bool rotated_is_received(const struct rotated_tree *tree, const struct rotation *at, const struct rotated_hop *hop, uint32_t block)
{
    uint32_t node = rotated_node(at, block, hop->to);
    uint32_t other[2] = {(hop->to + at->places - 1) % at->places, (hop->to + 1) % at->places};
    if (hop->d.step > tree->levels || at->places == at->nodes)
        return false;
    for (int i = 0; i < 2; i++)
        if (rotated_node(at, block, other[i]) == node &&
            (tree->tree.at[other[i]].step < hop->d.step || (tree->tree.at[other[i]].step == hop->d.step && i == 0)))
            return true;
    return false;
}

/** Whether in every step some hop informs some node. */
static bool all_needed(const struct rotated_tree *tree, const struct rotation *at)
{
    uint32_t step = 1;
    for (bool needed = true; step <= tree->levels && needed; step += needed) {
        needed = false;
        for (size_t i = tree->first[2 * (step - 1)]; i < tree->first[2 * step] && !needed; i++)
            for (uint32_t block = 0; block < at->blocks && !needed; block++)
                needed = !rotated_is_received(tree, at, &tree->hop[i], block);
    }
    return step > tree->levels;
}

static void growth_close(struct growth *g)
{
    free_all(g->order, g->predecessor, g->successor);
    rotated_capacity_close(&g->capacity[0]);
    rotated_capacity_close(&g->capacity[1]);
}

static rwa_status growth_open(struct growth *g, uint32_t planned, rwa_error *err)
{
    uint32_t places = g->at->places;
    MUST(delivery_tree_create(&g->tree->tree, 1, places, 0, err));
    MUST(base_new(g->order, places, err));
    MUST(base_new(g->predecessor, places, err));
    MUST(base_new(g->successor, places, err));
    for (uint32_t v = 0; v < places; v++)
        g->tree->tree.at[v].step = g->due[v].step > 0 ? not_received : 0;
    MUST(sort_places(g, planned, err));
    MUST(rotated_capacity_open(&g->capacity[0], g->at, err));
    return rotated_capacity_open(&g->capacity[1], g->at, err);
}

rwa_status rotated_tree_place(struct rotated_tree *tree, const struct rotation *at, uint32_t planned, uint32_t roots, uint32_t most,
                           struct budget *budget, rwa_error *err)
{
    uint32_t *root = base_array(roots, sizeof *root, err);
    struct due *due = base_array(at->places, sizeof *due, err);
    struct growth g = {.tree = tree, .at = at, .due = due, .budget = budget};
    bool fits = false;
    rwa_status st = root && due ? RWA_OK : RWA_NOMEM;
    *tree = (struct rotated_tree){.roots = roots};
    TRY(st);
    TRY(plan_segments(due, root, at, roots, planned, err));
    TRY(growth_open(&g, planned, err));
    TRY(grow(&fits, &g, root, most, err));
    tree->tree.steps = tree->levels;
    if (fits) {
        delivery_tree_check(&tree->tree);
        TRY(index_slots(tree, err));
    }
    if (!fits || !all_needed(tree, at))
        rotated_tree_free(tree);
done:
    growth_close(&g);
    free_all(due, root);
    return st;
}
