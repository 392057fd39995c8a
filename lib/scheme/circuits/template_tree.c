/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Grow the template trees over offsets: of fewest steps, and such that in each step the lightpaths of all offsets are
 * about equally full. */
#include "scheme/circuits/standing.h"

void standing_tree_free(struct standing_tree *tree)
{
    arena_free(&tree->memory);
    *tree = (struct standing_tree){0};
}

struct template_growth {
    const struct offsets *offsets;
    struct standing_tree *tree;
    uint32_t nodes;
    uint32_t *end;              /* of each offset from each node */
    struct budget *budget;
    rwa_error *err;
};

static uint32_t end_of(const struct template_growth *g, size_t offset, uint32_t node)
{
    return g->end[offset * g->nodes + node];
}

/** Find the fewest steps in which each node can be reached over offsets, and list the nodes by that number, in `step`
 * and `order` of g->tree.  g->tree->steps becomes 0 if `most` steps do not reach all nodes. */
static rwa_status find_steps(struct template_growth *g, uint32_t most)
{
    struct standing_tree *tree = g->tree;
    uint32_t reached = 1;
    for (uint32_t v = 1; v < g->nodes; v++)
        tree->step[v] = UINT32_MAX;
    for (uint32_t i = 0; i < reached && reached < g->nodes && tree->step[g->tree->order[i]] < most; i++) {
        MUST(circuits_go_on_at(g->budget, i, g->err));
        for (size_t j = 0; j < g->offsets->count; j++) {
            uint32_t to = end_of(g, j, g->tree->order[i]);
            if (tree->step[to] < UINT32_MAX)
                continue;
            tree->step[to] = tree->step[g->tree->order[i]] + 1;
            g->tree->order[reached++] = to;
        }
    }
    tree->steps = reached == g->nodes ? tree->step[g->tree->order[g->nodes - 1]] : 0;
    return RWA_OK;
}

/** Return the offset by which node v should receive one more share of a block: among those from nodes that are informed
 * earlier, the one whose lightpaths are then least loaded.  `count` gives the shares that each offset carries in the
 * step in which v is informed. */
static size_t best_offset(const struct template_growth *g, uint32_t v, const uint32_t *count)
{
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t j = 0; j < g->offsets->count; j++) {
        double fill = (double)(count[j] + 1) / g->offsets->list[j].lightpaths;
        if (g->tree->step[end_of(g, g->offsets->list[j].inverse, v)] >= g->tree->step[v] || fill >= least)
            continue;
        best = j;
        least = fill;
    }
    assert(best != SIZE_MAX);
    return best;
}

/** Choose the offset by which each node is informed, and enter it in g->tree->offset; in an all-to-all (`apart`) enter
 * the offsets of a separate path to each node.  Several passes repeat all choices, those for the farthest nodes first,
 * and each choice counts the loads of all others. */
static rwa_status choose_offsets(struct template_growth *g, bool apart)
{
    enum { PASSES = 3 };
    struct standing_tree *tree = g->tree;
    uint32_t others = g->nodes - 1;
    for (int pass = 0; pass < PASSES; pass++) {
        uint8_t *at = tree->offset;
        for (uint32_t i = 0; i < tree->shares * others; i++) {
            MUST(circuits_go_on_at(g->budget, i, g->err));
            for (uint32_t v = tree->order[others - i % others], more = 1; more > 0; more = apart && v > 0, at++) {
                uint32_t *count = tree->count + tree->step[v] * g->offsets->count;
                count[*at] -= pass > 0;
                *at = (uint8_t)best_offset(g, v, count);
                count[*at]++;
                v = end_of(g, g->offsets->list[*at].inverse, v);
            }
        }
    }
    return RWA_OK;
}

rwa_status standing_tree_grow(struct standing_tree *tree, const struct standing_network *s,
                              const struct offsets *offsets, uint32_t shares, bool apart, uint32_t steps_most,
                              rwa_error *err)
{
    struct template_growth g = {.offsets = offsets, .tree = tree, .nodes = s->nodes, .budget = s->budget, .err = err};
    struct arena scratch = {.err = err};
    rwa_status st = RWA_OK;
    assert(offsets->count > 0 && offsets->count <= OFFSETS_MOST && shares > 0);
    *tree = (struct standing_tree){.shares = shares, .memory = {.err = err}};
    TRY(arena_arrays(&tree->memory, s->nodes, tree->step, tree->order));
    TRY(arena_arrays(&scratch, offsets->count * s->nodes, g.end));
    for (size_t i = 0; i < offsets->count * s->nodes; i++) {
        TRY(circuits_go_on_at(s->budget, i, err));
        g.end[i] = offset_end(s, &offsets->list[i / s->nodes], (uint32_t)(i % s->nodes));
    }
    TRY(find_steps(&g, steps_most));
    for (uint32_t v = 1; v < s->nodes && tree->steps > 0; v++)
        tree->moves += (size_t)shares * (apart ? tree->step[v] : 1);
    arena_new(&tree->memory, tree->offset, tree->moves);
    TRY(arena_arrays(&tree->memory, (tree->steps + 1) * offsets->count, tree->count));
    if (tree->steps > 0)
        TRY(choose_offsets(&g, apart));
done:
    arena_free(&scratch);
    return st;
}
