/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Waves on large tori from waves on small ones: a block goes first to the corners of all cells of a torus cut into
 * equal cells, as on a small torus with long links, then from every corner into its cell, as on a torus of the size of
 * the cell with as many channels as the corners leave each other.  Every cut is estimated by counting, the most
 * promising are tried, and the best is squeezed into fewer steps as long as that works.
 */
#include "delivery/grid_tree.h"

#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = RWA_SHAPE_MAX, CUTS = 256, ANNEALINGS = 32, SMALL = 160, FEW = 8 };
static const uint64_t small_moves = 1u << 18, large_moves = 1u << 21;

struct cut {
    uint32_t cell[DIMENSIONS], corners[DIMENSIONS];
    uint32_t estimate, size;
};

struct refinement {
    const struct grid *grid;
    const uint32_t *room;           /* of each way */
    uint64_t seed;
    struct budget *budget;
    struct cut cuts[CUTS];
    size_t count;
    unsigned annealings;            /* left */
};

/** Room of the ways of the corners' torus: a hop there crosses a whole cell. */
static void corner_room(uint32_t *room, const struct refinement *r, const struct cut *c)
{
    for (uint32_t way = 0; way < r->grid->ways; way++)
        room[way] = c->corners[way / 2] > 1 ? r->room[way] / c->cell[way / 2] : 0;
}

/** Room within a cell: all cells do the same at the same time. */
static void cell_room(uint32_t *room, const struct refinement *r, const struct cut *c)
{
    uint32_t cells = 1;
    for (size_t d = 0; d < r->grid->dimensions; d++)
        cells *= c->corners[d];
    for (uint32_t way = 0; way < r->grid->ways; way++)
        room[way] = c->cell[way / 2] > 1 ? r->room[way] / cells : 0;
}

/** No wave is shorter, since every hop has length 1 at least; UINT32_MAX: a dimension cannot be entered at all. */
static uint32_t least_steps(const uint32_t *shape, size_t dimensions, const uint32_t *room, uint32_t *nodes)
{
    uint64_t sum = 0;
    *nodes = 1;
    for (size_t d = 0; d < dimensions; d++) {
        *nodes *= shape[d];
        sum += (uint64_t)room[2 * d] + room[2 * d + 1];
        if (shape[d] > 1 && room[2 * d] + room[2 * d + 1] == 0)
            return UINT32_MAX;
    }
    return *nodes == 1 ? 0 : (uint32_t)((*nodes - 2 + sum) / sum);
}

static void add_cut(struct refinement *r, const uint32_t *cell)
{
    struct cut c = {.estimate = 0};
    uint32_t room[2 * DIMENSIONS], outside, inside, far, near;
    size_t at = r->count;
    for (size_t d = 0; d < r->grid->dimensions; d++) {
        c.cell[d] = cell[d];
        c.corners[d] = r->grid->shape[d] / cell[d];
    }
    corner_room(room, r, &c);
    far = least_steps(c.corners, r->grid->dimensions, room, &outside);
    cell_room(room, r, &c);
    near = least_steps(c.cell, r->grid->dimensions, room, &inside);
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

/** The same room in every step. */
static rwa_status spread_room(uint32_t **all, const uint32_t *room, uint32_t ways, uint32_t steps, rwa_error *err)
{
    *all = base_array((size_t)steps * ways, sizeof **all, err);
    for (size_t i = 0; *all && i < (size_t)steps * ways; i++)
        (*all)[i] = room[i % ways];
    return *all ? RWA_OK : RWA_NOMEM;
}

static rwa_status anneal(struct grid_wave *out, bool *found, struct refinement *r, const struct grid *grid,
                         const uint32_t *room, uint32_t steps, const struct grid_wave *start, uint64_t moves,
                         rwa_error *err)
{
    uint32_t *all = NULL, channels = 0;
    rwa_status st = RWA_OK;
    for (uint32_t way = 0; way < grid->ways; way++)
        channels = room[way] > channels ? room[way] : channels;
    TRY(spread_room(&all, room, grid->ways, steps, err));
    struct grid_limits limits = {grid, steps, channels, all, r->seed};
    st = grid_wave_anneal(out, found, &limits, start, moves, r->budget, err);
done:
    free(all);
    if (!*found || st != RWA_OK)
        grid_wave_free(out);
    return st;
}

/** A wave on a small torus in at most `most` steps; out->steps stays 0 when there is only one node or none was found. */
static rwa_status find_small(struct grid_wave *out, bool *found, struct refinement *r, const uint32_t *shape,
                             const uint32_t *room, uint32_t most, rwa_error *err)
{
    struct grid grid = {0};
    uint32_t nodes, steps = least_steps(shape, r->grid->dimensions, room, &nodes);
    rwa_status st = RWA_OK;
    *found = nodes == 1;
    memset(out, 0, sizeof *out);
    if (*found)
        return RWA_OK;
    TRY(grid_create(&grid, shape, r->grid->dimensions, err));
    for (; steps <= most && !*found && r->annealings > 0; steps++, r->annealings--)
        TRY(anneal(out, found, r, &grid, room, steps, NULL, small_moves, err));
done:
    grid_free(&grid);
    return st;
}

/** A node that is no corner does what its place in the cell does, after all corners have been told. */
static rwa_status join(struct grid_wave *out, const struct refinement *r, const struct cut *c,
                       const struct grid_wave *far, const struct grid_wave *near, rwa_error *err)
{
    const struct grid *g = r->grid;
    rwa_status st = grid_wave_create(out, g->nodes, far->steps + near->steps, err);
    for (uint32_t v = 1; v < g->nodes && st == RWA_OK; v++) {
        uint32_t corner = 0, inside = 0, rest = v, corners = 1, places = 1;
        for (size_t d = g->dimensions; d-- > 0; rest /= g->shape[d], corners *= c->corners[d], places *= c->cell[d]) {
            corner += rest % g->shape[d] / c->cell[d] * corners;
            inside += rest % g->shape[d] % c->cell[d] * places;
        }
        bool outside = inside == 0;
        out->way[v] = outside ? far->way[corner] : near->way[inside];
        out->step[v] = outside ? far->step[corner] : far->steps + near->step[inside];
        out->hops[v] = outside ? far->hops[corner] * c->cell[out->way[v] / 2] : near->hops[inside];
    }
    return st;
}

/** The wave that a cut leads to, if it has fewer steps than the best so far. */
static rwa_status try_cut(struct grid_wave *best, struct refinement *r, const struct cut *c, rwa_error *err)
{
    uint32_t room[2 * DIMENSIONS];
    struct grid_wave far = {0}, near = {0}, joined = {0};
    bool found = false;
    rwa_status st = RWA_OK;
    corner_room(room, r, c);
    TRY(find_small(&far, &found, r, c->corners, room, best->steps - 1, err));
    if (!found || far.steps >= best->steps)
        goto done;
    cell_room(room, r, c);
    TRY(find_small(&near, &found, r, c->cell, room, best->steps - far.steps - 1, err));
    if (!found || far.steps + near.steps >= best->steps)
        goto done;
    TRY(join(&joined, r, c, &far, &near, err));
    grid_wave_free(best);
    *best = joined;
    memset(&joined, 0, sizeof joined);
done:
    grid_wave_free(&far);
    grid_wave_free(&near);
    grid_wave_free(&joined);
    return st;
}

/** Fewer steps, in strides that halve with every failure. */
static rwa_status squeeze(struct grid_wave *best, struct refinement *r, rwa_error *err)
{
    uint32_t nodes, least = least_steps(r->grid->shape, r->grid->dimensions, r->room, &nodes);
    uint32_t stride = (best->steps - least + 1) / 2;
    rwa_status st = RWA_OK;
    while (stride > 0 && best->steps > least) {
        struct grid_wave less = {0};
        bool found = false;
        stride = stride < best->steps - least ? stride : best->steps - least;
        TRY(anneal(&less, &found, r, r->grid, r->room, best->steps - stride, best,
                   stride > 1 ? small_moves : large_moves, err));
        if (found) {
            grid_wave_free(best);
            *best = less;
        } else {
            stride /= 2;
        }
    }
done:
    return st;
}

/** With few channels: a grown wave, if it has fewer steps. */
static rwa_status try_growing(struct grid_wave *best, const struct refinement *r, rwa_error *err)
{
    struct grid_wave grown = {0};
    rwa_status st = grid_wave_grow(&grown, r->grid, r->room, r->seed, err);
    if (st == RWA_OK && grown.steps < best->steps) {
        grid_wave_free(best);
        *best = grown;
        memset(&grown, 0, sizeof grown);
    }
    grid_wave_free(&grown);
    return st;
}

rwa_status grid_wave_find(struct grid_wave *out, const struct grid *grid, const uint32_t *room, uint64_t seed,
                          struct budget *budget, rwa_error *err)
{
    struct refinement *r = base_array(1, sizeof *r, err);
    uint32_t cell[DIMENSIONS], least = UINT32_MAX;
    rwa_status st = r ? RWA_OK : RWA_NOMEM;
    memset(out, 0, sizeof *out);
    TRY(st);
    r->grid = grid;
    r->room = room;
    r->seed = seed;
    r->budget = budget;
    r->annealings = ANNEALINGS;
    for (uint32_t way = 0; way < grid->ways; way++)
        if (room[way] > 0)
            least = room[way] < least ? room[way] : least;
    TRY(grid_wave_plain(out, grid, least, err));
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
