/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Trees on large tori from trees on small ones: a block goes first to the corners of all cells of a torus cut into
 * equal cells, as on a small torus with long links, then from every corner into its cell, as on a torus of the size of
 * the cell with as many channels as the corners leave each other.  Every cut is estimated by counting, the most
 * promising are tried, and the best is squeezed into fewer steps as long as that works.
 */
#include "delivery/grid/grid_tree.h"

enum { DIMENSIONS = RWA_SHAPE_MAX, CUTS = 256, ANNEALINGS = 32, SMALL = 160, FEW = 8 };
static const uint64_t small_moves = 1u << 18, large_moves = 1u << 21;

struct cut {
    uint32_t cell[DIMENSIONS], corners[DIMENSIONS];
    uint32_t estimate, size;
};

struct refinement {
    const struct grid *grid;
    const uint32_t *capacity;       /* of each way */
    uint64_t seed;
    struct budget *budget;
    struct cut cuts[CUTS];
    size_t count;
    unsigned annealings;            /* left */
};

/** Capacity of the ways of the corners' torus: a lightpath there crosses a whole cell. */
static void corner_capacity(uint32_t *capacity, const struct refinement *r, const struct cut *c)
{
    for (uint32_t way = 0; way < r->grid->ways; way++)
        capacity[way] = c->corners[way / 2] > 1 ? r->capacity[way] / c->cell[way / 2] : 0;
}

/** Capacity within a cell: all cells do the same at the same time. */
static void cell_capacity(uint32_t *capacity, const struct refinement *r, const struct cut *c)
{
    uint32_t cells = 1;
    for (size_t d = 0; d < r->grid->dimensions; d++)
        cells *= c->corners[d];
    for (uint32_t way = 0; way < r->grid->ways; way++)
        capacity[way] = c->cell[way / 2] > 1 ? r->capacity[way] / cells : 0;
}

/** Nodes that so many holders can inform along one way: of each the nearest first, at k links the k-th. */
static uint64_t informed_along(uint64_t holders, uint32_t capacity, uint32_t size)
{
    uint64_t informed = 0, left = capacity, hops = 1;
    for (; hops < size && left >= hops * holders; hops++) {
        informed += holders;
        left -= hops * holders;
    }
    return hops < size ? informed + left / hops : informed;
}

uint32_t grid_tree_least_steps(const uint32_t *shape, size_t dimensions, const uint32_t *capacity, uint32_t *nodes)
{
    uint32_t steps = 0, entered = 0;
    uint64_t holders = 1;
    *nodes = 1;
    for (size_t d = 0; d < dimensions; d++) {
        *nodes *= shape[d];
        entered += shape[d] > 1;
        if (shape[d] > 1 && capacity[2 * d] + capacity[2 * d + 1] == 0)
            return UINT32_MAX;
    }
    for (; holders < *nodes; steps++) {
        uint64_t before = holders;
        for (size_t way = 0; way < 2 * dimensions; way++)
            holders += informed_along(before, capacity[way], shape[way / 2]);
    }
    return steps > entered ? steps : entered;
}

static void add_cut(struct refinement *r, const uint32_t *cell)
{
    struct cut c = {.estimate = 0};
    uint32_t capacity[2 * DIMENSIONS] = {0}, outside, inside, far, near;
    size_t at = r->count;
    for (size_t d = 0; d < r->grid->dimensions; d++) {
        c.cell[d] = cell[d];
        c.corners[d] = r->grid->shape[d] / cell[d];
    }
    corner_capacity(capacity, r, &c);
    far = grid_tree_least_steps(c.corners, r->grid->dimensions, capacity, &outside);
    cell_capacity(capacity, r, &c);
    near = grid_tree_least_steps(c.cell, r->grid->dimensions, capacity, &inside);
    if (far == UINT32_MAX || near == UINT32_MAX || outside > SMALL || inside > SMALL || r->count == CUTS)
        return;
    c.estimate = far + near;
    c.size = outside > inside ? outside : inside;
    for (; at > 0 && (r->cuts[at - 1].estimate > c.estimate ||
                      (r->cuts[at - 1].estimate == c.estimate && r->cuts[at - 1].size > c.size)); at--)
        r->cuts[at] = r->cuts[at - 1];
    r->cuts[at] = c;
    r->count++;
}

/** All ways to cut: in each dimension a divisor. */
static void list_cuts(struct refinement *r, uint32_t *cell, size_t d)
{
    if (d == r->grid->dimensions) {
        add_cut(r, cell);
        return;
    }
    for (cell[d] = 1; cell[d] <= r->grid->shape[d]; cell[d]++)
        if (r->grid->shape[d] % cell[d] == 0)
            list_cuts(r, cell, d + 1);
}

/** The same capacity in every step. */
static rwa_status repeat_capacity(uint32_t **all, const uint32_t *capacity, uint32_t ways, uint32_t steps, rwa_error *err)
{
    *all = base_array((size_t)steps * ways, sizeof **all, err);
    for (size_t i = 0; *all && i < (size_t)steps * ways; i++)
        (*all)[i] = capacity[i % ways];
    return *all ? RWA_OK : RWA_NOMEM;
}

static rwa_status anneal(struct delivery_tree *out, bool *found, struct refinement *r, const struct grid *grid,
                         const uint32_t *capacity, uint32_t steps, const struct delivery_tree *start, uint64_t moves,
                         rwa_error *err)
{
    uint32_t *all = NULL, channels = 0;
    rwa_status st = RWA_OK;
    for (uint32_t way = 0; way < grid->ways; way++)
        channels = capacity[way] > channels ? capacity[way] : channels;
    TRY(repeat_capacity(&all, capacity, grid->ways, steps, err));
    struct grid_limits limits = {grid, steps, channels, all, r->seed};
    st = grid_tree_anneal(out, found, &limits, start, moves, r->budget, err);
done:
    free(all);
    if (!*found || st != RWA_OK)
        delivery_tree_free(out);
    return st;
}

/** A tree on a small torus in at most `most` steps; out->steps stays 0 when there is only one node or none was found. */
static rwa_status find_small(struct delivery_tree *out, bool *found, struct refinement *r, const uint32_t *shape,
                             const uint32_t *capacity, uint32_t most, rwa_error *err)
{
    struct grid grid = {0};
    uint32_t nodes, steps = grid_tree_least_steps(shape, r->grid->dimensions, capacity, &nodes);
    rwa_status st = RWA_OK;
    *found = nodes == 1;
    memset(out, 0, sizeof *out);
    if (*found)
        return RWA_OK;
    TRY(grid_create(&grid, shape, r->grid->dimensions, err));
    for (; steps <= most && !*found && r->annealings > 0; steps++, r->annealings--)
        TRY(anneal(out, found, r, &grid, capacity, steps, NULL, small_moves, err));
done:
    grid_free(&grid);
    return st;
}

/** A node that is no corner does what its place in the cell does, after all corners. */
static rwa_status join(struct delivery_tree *out, const struct refinement *r, const struct cut *c,
                       const struct delivery_tree *far, const struct delivery_tree *near, rwa_error *err)
{
    const struct grid *g = r->grid;
    rwa_status st = delivery_tree_create(out, 1, g->nodes, far->steps + near->steps, err);
    for (uint32_t v = 1; v < g->nodes && st == RWA_OK; v++) {
        uint32_t corner = 0, inside = 0, rest = v, corners = 1, places = 1;
        for (size_t d = g->dimensions; d-- > 0; rest /= g->shape[d], corners *= c->corners[d], places *= c->cell[d]) {
            corner += rest % g->shape[d] / c->cell[d] * corners;
            inside += rest % g->shape[d] % c->cell[d] * places;
        }
        bool outside = inside == 0;
        assert(outside ? far->at != NULL : near->at != NULL);
        out->at[v].way = outside ? far->at[corner].way : near->at[inside].way;
        out->at[v].step = outside ? far->at[corner].step : far->steps + near->at[inside].step;
        out->at[v].links = outside ? far->at[corner].links * c->cell[out->at[v].way / 2] : near->at[inside].links;
    }
    if (st == RWA_OK)
        grid_tree_name_senders(out, g);
    return st;
}

/** The tree that a cut leads to, if it has fewer steps than the best so far. */
static rwa_status try_cut(struct delivery_tree *best, struct refinement *r, const struct cut *c, rwa_error *err)
{
    uint32_t capacity[2 * DIMENSIONS] = {0};
    struct delivery_tree far = {0}, near = {0}, joined = {0};
    bool found = false;
    rwa_status st = RWA_OK;
    corner_capacity(capacity, r, c);
    TRY(find_small(&far, &found, r, c->corners, capacity, best->steps - 1, err));
    if (!found || far.steps >= best->steps)
        goto done;
    cell_capacity(capacity, r, c);
    TRY(find_small(&near, &found, r, c->cell, capacity, best->steps - far.steps - 1, err));
    if (!found || far.steps + near.steps >= best->steps)
        goto done;
    TRY(join(&joined, r, c, &far, &near, err));
    delivery_tree_free(best);
    *best = joined;
    memset(&joined, 0, sizeof joined);
done:
    delivery_tree_free(&far);
    delivery_tree_free(&near);
    delivery_tree_free(&joined);
    return st;
}

/** Fewer steps, in strides that halve with every failure. */
static rwa_status squeeze(struct delivery_tree *best, struct refinement *r, rwa_error *err)
{
    uint32_t nodes, least = grid_tree_least_steps(r->grid->shape, r->grid->dimensions, r->capacity, &nodes);
    uint32_t stride = (best->steps - least + 1) / 2;
    while (stride > 0 && best->steps > least) {
        struct delivery_tree less = {0};
        bool found = false;
        stride = stride < best->steps - least ? stride : best->steps - least;
        MUST(anneal(&less, &found, r, r->grid, r->capacity, best->steps - stride, best, stride > 1 ? small_moves : large_moves, err));
        if (found) {
            delivery_tree_free(best);
            *best = less;
        } else {
            stride /= 2;
        }
    }
    return RWA_OK;
}

/** With few channels: a grown tree, if it has fewer steps. */
static rwa_status try_growing(struct delivery_tree *best, const struct refinement *r, rwa_error *err)
{
    struct delivery_tree grown = {0};
    rwa_status st = grid_tree_grow(&grown, r->grid, r->capacity, r->seed, err);
    if (st == RWA_OK && grown.steps < best->steps) {
        delivery_tree_free(best);
        *best = grown;
        memset(&grown, 0, sizeof grown);
    }
    delivery_tree_free(&grown);
    return st;
}

rwa_status grid_tree_find(struct delivery_tree *out, const struct grid *grid, const uint32_t *capacity, uint64_t seed,
                          struct budget *budget, rwa_error *err)
{
    struct refinement *r = base_array(1, sizeof *r, err);
    uint32_t cell[DIMENSIONS], least = UINT32_MAX;
    rwa_status st = r ? RWA_OK : RWA_NOMEM;
    memset(out, 0, sizeof *out);
    TRY(st);
    r->grid = grid;
    r->capacity = capacity;
    r->seed = seed;
    r->budget = budget;
    r->annealings = ANNEALINGS;
    for (uint32_t way = 0; way < grid->ways; way++)
        if (capacity[way] > 0)
            least = capacity[way] < least ? capacity[way] : least;
    TRY(grid_tree_plain(out, grid, least, err));
    if (least <= FEW)
        TRY(try_growing(out, r, err));
    list_cuts(r, cell, 0);
    for (size_t i = 0; i < r->count; i++)
        if (r->cuts[i].estimate < out->steps)
            TRY(try_cut(out, r, &r->cuts[i], err));
    TRY(squeeze(out, r, err));
done:
    free(r);
    return st;
}
