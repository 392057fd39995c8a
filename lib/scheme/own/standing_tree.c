/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The template trees over jumps: as few steps as can be, and in each step the lightpaths of all jumps about equally full. */
#include "scheme/own/standing.h"

void standing_tree_free(struct standing_tree *tree)
{
    free_all(tree->step, tree->jump, tree->count);
    *tree = (struct standing_tree){0};
}

struct growth {
    const struct standing_network *s;
    const struct jumps *jumps;
    struct standing_tree *tree;
    uint32_t *end;              /* of each jump from each node */
    uint32_t *order;            /* nodes by the fewest steps to them */
    uint32_t *first_child;      /* by share and node: the first step in which it informs another; UINT32_MAX: it informs none */
    uint32_t *weight;           /* by share and node: blocks on the way to it and beyond; 1 but in an all-to-all */
    bool apart;                 /* as in standing_use */
    struct arena memory;
};

static uint32_t end_of(const struct growth *g, size_t jump, uint32_t node)
{
    return g->end[jump * g->s->nodes + node];
}

static uint32_t *count_in(const struct growth *g, uint32_t step)
{
    return g->tree->count + (size_t)step * g->jumps->count;
}

static void find_ends(struct growth *g)
{
    for (size_t j = 0; j < g->jumps->count; j++) {
        uint32_t to = jump_end(g->s, &g->jumps->list[j], 0);
        for (uint32_t v = 0; v < g->s->nodes; v++)
            g->end[j * g->s->nodes + v] = translations_add(&g->s->group, v, to);
    }
}

/** The fewest steps to each node, and the nodes in this order; steps 0 where not all are reached in `most`. */
static void find_steps(struct growth *g, uint32_t most)
{
    struct standing_tree *tree = g->tree;
    uint32_t nodes = g->s->nodes, reached = 1;
    for (uint32_t v = 0; v < nodes; v++)
        tree->step[v] = UINT32_MAX;
    tree->step[0] = g->order[0] = 0;
    for (uint32_t i = 0; i < reached && reached < nodes && tree->step[g->order[i]] < most; i++)
        for (size_t j = 0; j < g->jumps->count; j++) {
            uint32_t to = end_of(g, j, g->order[i]);
            if (tree->step[to] == UINT32_MAX) {
                tree->step[to] = tree->step[g->order[i]] + 1;
                g->order[reached++] = to;
            }
        }
    tree->steps = reached == nodes ? tree->step[g->order[nodes - 1]] : 0;
}

/** How full the lightpaths of a jump are with so many shares. */
static double fill_of(const struct growth *g, size_t jump, uint32_t shares)
{
    return (double)shares / g->jumps->list[jump].lightpaths;
}

/** Of the jumps that can inform the node in its step the one whose lightpaths are then least full. */
static size_t best_jump(const struct growth *g, uint32_t v, uint32_t weight)
{
    const uint32_t *count = count_in(g, g->tree->step[v]);
    size_t best = SIZE_MAX;
    for (size_t j = 0; j < g->jumps->count; j++) {
        uint32_t from = end_of(g, g->jumps->list[j].inverse, v);
        if (g->tree->step[from] >= g->tree->step[v])
            continue;
        if (best == SIZE_MAX || fill_of(g, j, count[j] + weight) < fill_of(g, best, count[best] + weight))
            best = j;
    }
    assert(best != SIZE_MAX);
    return best;
}

/** Each share of each node takes the best jump, and then again, knowing those of all others of its step. */
static void choose_jumps(struct growth *g)
{
    enum { PASSES = 3 };
    uint32_t nodes = g->s->nodes, shares = g->tree->shares;
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t i = 1; i < nodes; i++)
            for (uint32_t share = 0; share < shares; share++) {
                uint8_t *jump = &g->tree->jump[(size_t)share * nodes + g->order[i]];
                uint32_t *count = count_in(g, g->tree->step[g->order[i]]);
                if (pass > 0)
                    count[*jump]--;
                *jump = (uint8_t)best_jump(g, g->order[i], 1);
                count[*jump]++;
            }
}

/** The same where weights are those of all nodes beyond: from the farthest ones back. */
static void choose_heavy_jumps(struct growth *g)
{
    for (uint32_t i = g->s->nodes; i-- > 1;)
        for (size_t share = 0; share < g->tree->shares; share++) {
            uint32_t v = g->order[i];
            size_t base = share * g->s->nodes, j = best_jump(g, v, g->weight[base + v]);
            g->tree->jump[base + v] = (uint8_t)j;
            count_in(g, g->tree->step[v])[j] += g->weight[base + v];
            g->weight[base + end_of(g, g->jumps->list[j].inverse, v)] += g->weight[base + v];
        }
}

static void choose_all_jumps(struct growth *g)
{
    uint32_t nodes = g->s->nodes, shares = g->tree->shares;
    for (size_t i = 0; i < (size_t)shares * nodes; i++)
        g->weight[i] = 1;
    (g->apart ? choose_heavy_jumps : choose_jumps)(g);
    for (uint32_t share = 1; share < shares; share++)
        memcpy(g->tree->step + (size_t)share * nodes, g->tree->step, nodes * sizeof *g->tree->step);
}

static void find_children(struct growth *g)
{
    uint32_t nodes = g->s->nodes;
    for (size_t i = 0; i < (size_t)g->tree->shares * nodes; i++)
        g->first_child[i] = UINT32_MAX;
    for (size_t share = 0; share < g->tree->shares; share++)
        for (uint32_t v = 1; v < nodes; v++) {
            size_t at = share * nodes + v, from = share * nodes + end_of(g, g->jumps->list[g->tree->jump[at]].inverse, v);
            if (g->tree->step[at] < g->first_child[from])
                g->first_child[from] = g->tree->step[at];
        }
}

/** Let a jump that carries nothing in a step carry a share then that it carries in an earlier one, beside others. */
static void keep_jump(struct growth *g, size_t jump, uint32_t step)
{
    for (uint32_t i = g->s->nodes; i-- > 1;)
        for (size_t share = 0; share < g->tree->shares; share++) {
            size_t at = share * g->s->nodes + g->order[i];
            uint32_t weight = g->weight[at];
            if (g->tree->jump[at] != jump || g->tree->step[at] >= step || g->first_child[at] <= step ||
                count_in(g, g->tree->step[at])[jump] <= weight)
                continue;
            count_in(g, g->tree->step[at])[jump] -= weight;
            g->tree->step[at] = step;
            count_in(g, step)[jump] += weight;
            return;
        }
}

static void keep_jumps(struct growth *g)
{
    find_children(g);
    for (uint32_t step = 2; step <= g->tree->steps; step++)
        for (size_t j = 0; j < g->jumps->count; j++)
            if (count_in(g, step)[j] == 0)
                keep_jump(g, j, step);
}

static rwa_status reserve_rows(struct standing_tree *tree, const struct growth *g, rwa_error *err)
{
    size_t rows = ((size_t)tree->steps + 1) * g->jumps->count;
    MUST(base_grow((void **)&tree->count, &tree->capacity, rows, sizeof *tree->count, err));
    memset(tree->count, 0, rows * sizeof *tree->count);
    return RWA_OK;
}

rwa_status standing_tree_grow(struct standing_tree *tree, const struct standing_network *s, const struct jumps *jumps,
                              const struct standing_use *use, rwa_error *err)
{
    struct growth g = {.s = s, .jumps = jumps, .tree = tree, .apart = use->apart, .memory = {.err = err}};
    size_t places = (size_t)use->shares * s->nodes;
    rwa_status st = RWA_OK;
    assert(jumps->count > 0 && jumps->count <= JUMPS_MOST && use->shares > 0);
    tree->shares = use->shares;
    arena_new(&g.memory, g.end, jumps->count * s->nodes);
    arena_new(&g.memory, g.order, s->nodes);
    arena_new(&g.memory, g.first_child, places);
    arena_new(&g.memory, g.weight, places);
    TRY(arena_status(&g.memory));
    TRY(base_resize((void **)&tree->step, places, sizeof *tree->step, err));
    TRY(base_resize((void **)&tree->jump, places, sizeof *tree->jump, err));
    find_ends(&g);
    find_steps(&g, use->steps_most);
    if (tree->steps == 0)
        goto done;
    TRY(reserve_rows(tree, &g, err));
    choose_all_jumps(&g);
    keep_jumps(&g);
done:
    arena_free(&g.memory);
    return st;
}
