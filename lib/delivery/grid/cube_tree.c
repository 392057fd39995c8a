/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/grid/cube_tree.h"

#include "base/arena.h"

/** Moves in all, times vertices; moves from one start; one in so many moves is kept although it is worse. */
enum { MOST_WORK = 1 << 20, MOVES = 1 << 12, UPHILL = 50 };
enum { MOST_DIMENSIONS = 9, MOST_STEPS = 4, MOST_PARTS = 4 };

struct cube {
    struct arena memory;
    struct cube_tree *tree;
    uint32_t channels;
    uint32_t *part;     /* [channel][dimension]: in the first step the dimensions of one part of a channel make a lightpath */
    uint32_t *order;    /* [step][i]: vertices in the order in which they may receive */
    uint32_t *taken;    /* [dimension][channel]: the vertex that receives, in the step being filled */
    uint32_t used[MOST_DIMENSIONS]; /* channels of each dimension in that step */
    bool tried[MOST_DIMENSIONS];
    uint64_t random;
};

static uint32_t any(struct cube *c, uint32_t below)
{
    return (uint32_t)base_random_below(&c->random, below);
}

/* ---- a vertex has a bit for each dimension of 2, and two for one of 4, which change in the order of a square ---- */

static uint32_t bits_of(const struct grid *grid)
{
    uint32_t bits = 0;
    for (size_t d = 0; d < grid->dimensions; d++) {
        if (grid->shape[d] != 2 && grid->shape[d] != 4)
            return 0;
        bits += grid->shape[d] / 2;
    }
    return bits <= MOST_DIMENSIONS ? bits : 0;
}

bool cube_tree_suits(const struct grid *grid)
{
    return bits_of(grid) > 0;
}

static uint32_t node_of(const struct grid *grid, uint32_t vertex)
{
    uint32_t node = 0;
    for (size_t d = 0; d < grid->dimensions; d++) {
        uint32_t size = grid->shape[d], low = vertex % size;
        vertex /= size;
        node = node * size + (size == 4 ? low ^ low >> 1 : low);
    }
    return node;
}

/* ---- the steps of a tree ---- */

static bool is_informed(const struct cube_tree *t, uint32_t v)
{
    return v == 0 || t->at[v].step > 0;
}

static void receive(struct cube_tree *t, uint32_t v, struct cube_delivery by)
{
    assert(v > 0 && !is_informed(t, v) && by.from != v);
    t->at[v] = by;
}

/* From vertex 0, over all dimensions of a part. */
static void take_first_step(struct cube *c)
{
    struct cube_tree *t = c->tree;
    memset(t->at, 0, t->vertices * sizeof *t->at);
    for (uint32_t ch = 0; ch < c->channels; ch++) {
        uint32_t set[MOST_PARTS] = {0};
        for (uint32_t d = 0; d < t->dimensions; d++)
            set[c->part[ch * t->dimensions + d]] |= 1u << d;
        for (uint32_t p = 0; p < MOST_PARTS; p++)
            if (set[p] > 0 && !is_informed(t, set[p]))
                receive(t, set[p], (struct cube_delivery){0, 1, ch});
    }
}

/* A channel for v from some neighbour, where others may go over to other neighbours of theirs: an augmenting path. */
static bool find_channel(struct cube *c, uint32_t v)
{
    const struct cube_tree *t = c->tree;
    for (uint32_t d = 0; d < t->dimensions; d++) {
        uint32_t *taken = c->taken + (size_t)d * c->channels;
        if (c->tried[d] || !is_informed(t, v ^ 1u << d))
            continue;
        c->tried[d] = true;
        uint32_t ch = 0;
        while (ch < c->used[d] && !find_channel(c, taken[ch]))
            ch++;
        if (ch == c->channels)
            continue;
        c->used[d] += ch == c->used[d];
        taken[ch] = v;
        return true;
    }
    return false;
}

/* As many vertices as can, the first ones first; *left: those that cannot. */
static void take_step(struct cube *c, uint32_t step, uint32_t *left)
{
    struct cube_tree *t = c->tree;
    uint32_t served = 0;
    *left = 0;
    memset(c->used, 0, sizeof c->used);
    for (uint32_t i = 0; i < t->vertices; i++) {
        uint32_t v = c->order[(size_t)step * t->vertices + i];
        if (is_informed(t, v))
            continue;
        memset(c->tried, 0, sizeof c->tried);
        bool fits = served < c->channels * t->dimensions && find_channel(c, v);
        served += fits;
        *left += !fits;
    }
    for (uint32_t d = 0; d < t->dimensions; d++)
        for (uint32_t ch = 0; ch < c->used[d]; ch++) {
            uint32_t v = c->taken[(size_t)d * c->channels + ch];
            receive(t, v, (struct cube_delivery){v ^ 1u << d, step, ch});
        }
}

/* How many vertices are left after the last step. */
static uint32_t take_all_steps(struct cube *c)
{
    uint32_t left = 0;
    take_first_step(c);
    for (uint32_t step = 2; step <= c->tree->steps; step++)
        take_step(c, step, &left);
    return left;
}

/* ---- the search ---- */

static void begin(struct cube *c)
{
    const struct cube_tree *t = c->tree;
    for (uint32_t i = 0; i < c->channels * t->dimensions; i++)
        c->part[i] = any(c, MOST_PARTS);
    for (uint32_t step = 0; step <= t->steps; step++)
        for (uint32_t i = 0; i < t->vertices; i++) {
            uint32_t *order = c->order + (size_t)step * t->vertices, k = any(c, i + 1);
            order[i] = order[k];
            order[k] = i;
        }
}

/* Another part for a dimension of a channel, or two vertices change places in a step between the first and the last. */
static uint32_t move(struct cube *c, uint32_t before)
{
    const struct cube_tree *t = c->tree;
    bool places = t->steps > 2 && any(c, 2) == 0;
    uint32_t *order = c->order + (size_t)(places ? 2 + any(c, t->steps - 2) : 0) * t->vertices;
    uint32_t *a = places ? &order[any(c, t->vertices)] : &c->part[any(c, c->channels * t->dimensions)];
    uint32_t other = any(c, MOST_PARTS), *b = places ? &order[any(c, t->vertices)] : &other, kept = *a;
    *a = *b;
    *b = kept;
    uint32_t left = take_all_steps(c);
    if (left <= before || any(c, UPHILL) == 0)
        return left;
    *b = *a;
    *a = kept;
    return before;
}

static rwa_status search(struct cube *c, bool *found, struct budget *budget, rwa_error *err)
{
    uint32_t moves = MOST_WORK / c->tree->vertices, left = 0;
    for (uint32_t i = 0; i < moves && !*found; i++) {
        if (i % MOVES == 0 && base_must_stop(budget, "trees on a hypercube", (double)i / moves))
            return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped at trees on a hypercube") : RWA_OK;
        if (i % MOVES == 0)
            begin(c);
        left = i % MOVES == 0 ? take_all_steps(c) : move(c, left);
        *found = left == 0;
    }
    return RWA_OK;
}

static rwa_status allocate(struct cube *c, rwa_error *err)
{
    struct cube_tree *t = c->tree;
    size_t slots = (size_t)c->channels * t->dimensions;
    c->memory.err = err;
    arena_new(&c->memory, c->part, slots);
    arena_new(&c->memory, c->taken, slots);
    arena_new(&c->memory, c->order, (t->steps + 1) * (size_t)t->vertices);
    MUST(arena_status(&c->memory));
    t->node = base_array(t->vertices, sizeof *t->node, err);
    t->at = base_array(t->vertices, sizeof *t->at, err);
    return t->node && t->at ? RWA_OK : RWA_NOMEM;
}

rwa_status cube_tree_find(struct cube_tree *out, bool *found, const struct grid *grid, uint32_t channels, uint32_t steps, uint64_t seed,
                          struct budget *budget, rwa_error *err)
{
    uint32_t bits = bits_of(grid);
    struct cube c = {.tree = out, .channels = channels, .random = seed};
    rwa_status st = RWA_OK;
    *out = (struct cube_tree){.dimensions = bits, .vertices = 1u << bits, .steps = steps};
    *found = false;
    assert(bits > 0);
    if (steps < 2 || steps > MOST_STEPS || (double)steps * channels * bits < out->vertices - 1)
        return RWA_OK;
    TRY(allocate(&c, err));
    for (uint32_t v = 0; v < out->vertices; v++)
        out->node[v] = node_of(grid, v);
    TRY(search(&c, found, budget, err));
done:
    arena_free(&c.memory);
    return st;
}

void cube_tree_free(struct cube_tree *tree)
{
    free_all(tree->node, tree->at);
    memset(tree, 0, sizeof *tree);
}
