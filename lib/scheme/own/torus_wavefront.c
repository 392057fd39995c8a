/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront on a torus: lightpaths along all dimensions at the same time, each row of nodes coloured like a ring. */
#include "delivery/grid/grid_tree.h"
#include "delivery/ring/coloured_tree.h"
#include "scheme/scheme.h"

struct torus {
    const struct plan_request *request;
    struct budget budget;
    struct grid grid;
    struct coloured_tree coloured;
    uint32_t *capacity;         /* of each slot: (step - 1) * ways + way */
    uint32_t *stride;           /* of each dimension */
};

/** Wavelengths for every slot; where there are not enough, less capacity is left for the next attempt. */
static rwa_status colour_slots(struct torus *t, bool *fits, rwa_error *err)
{
    struct coloured_tree *c = &t->coloured;
    uint64_t *load = base_array((size_t)c->tree.steps * t->grid.ways, sizeof *load, err);
    rwa_status st = load ? RWA_OK : RWA_NOMEM;
    TRY(st);
    coloured_tree_forget(c);
    TRY(coloured_tree_cut(c, t->grid.ways, SHARE_TAPS, 1, err));
    TRY(coloured_tree_colour(c, fits, load, t->grid.shape, rwa_network_channels(t->request->net), &t->budget, err));
    for (size_t slot = 0; slot < coloured_tree_slots(c); slot++)
        if (c->first[slot + 1] > c->first[slot] && c->colouring[slot].size == 0)
            t->capacity[slot] = (uint32_t)load[slot] - 1;
done:
    free(load);
    return st;
}

/** Of a dimension of two nodes, which one link joins, only the way up exists. */
static uint32_t capacity_of(const struct torus *t, uint32_t way)
{
    return way % 2 == 1 && t->grid.shape[way / 2] == 2 ? 0 : rwa_network_channels(t->request->net);
}

static rwa_status open_grid(struct torus *t, rwa_error *err)
{
    const uint32_t *shape = NULL;
    size_t dimensions = rwa_network_shape(&shape, t->request->net);
    return grid_create(&t->grid, shape, dimensions, err);
}

/** Full capacity in every step. */
static rwa_status reset_capacity(struct torus *t, uint32_t steps, rwa_error *err)
{
    free(t->capacity);
    t->capacity = base_array((size_t)steps * t->grid.ways, sizeof *t->capacity, err);
    for (size_t slot = 0; t->capacity && slot < (size_t)steps * t->grid.ways; slot++)
        t->capacity[slot] = capacity_of(t, (uint32_t)(slot % t->grid.ways));
    return t->capacity ? RWA_OK : RWA_NOMEM;
}

static struct grid_limits limits_of(const struct torus *t, uint32_t steps)
{
    return (struct grid_limits){&t->grid, steps, rwa_network_channels(t->request->net), t->capacity, t->request->opts->seed};
}

/** Another tree of at most so many steps within the capacity that is left; one of `least` ends the search. */
static rwa_status refit(struct torus *t, bool *found, uint32_t steps, uint32_t least, rwa_error *err)
{
    struct grid_limits limits = limits_of(t, steps);
    struct delivery_tree next = {0};
    rwa_status st = RWA_OK;
    TRY(grid_tree_grow_best(&next, found, &limits, least, err));
    if (*found) {
        coloured_tree_forget(&t->coloured);
        delivery_tree_swap(&t->coloured.tree, &next);
    }
done:
    delivery_tree_free(&next);
    return st;
}

/** A tree of so many steps or fewer whose every slot finds its wavelengths. */
static rwa_status settle(struct torus *t, bool *fits, uint32_t steps, rwa_error *err)
{
    enum { ATTEMPTS = 12 };
    bool found = true;
    MUST(reset_capacity(t, steps, err));
    *fits = false;
    if (steps == t->coloured.tree.steps)
        MUST(colour_slots(t, fits, err));
    for (int i = 0; i < ATTEMPTS && found && !*fits; i++) {
        MUST(refit(t, &found, steps, steps, err));
        if (found)
            MUST(colour_slots(t, fits, err));
    }
    return RWA_OK;
}

/** The tree that was found, with a few steps more where wavelengths ask for it; at worst the plain one.  Only the first, if it has
 *  `below` steps or more. */
static rwa_status find_tree(struct torus *t, uint32_t below, rwa_error *err)
{
    enum { STEPS_MORE = 3 };
    struct delivery_tree *tree = &t->coloured.tree;
    uint32_t channels = rwa_network_channels(t->request->net);
    bool found, fits = false;
    MUST(grid_tree_plain(tree, &t->grid, channels, err));
    MUST(reset_capacity(t, tree->steps, err));
    MUST(refit(t, &found, tree->steps, grid_tree_least_steps(t->grid.shape, t->grid.dimensions, t->capacity), err));
    if (below > 0 && tree->steps >= below)
        return RWA_OK;
    for (uint32_t steps = tree->steps, i = 0; i <= STEPS_MORE && !fits; i++)
        MUST(settle(t, &fits, steps + i, err));
    if (fits)
        return RWA_OK;
    coloured_tree_free(&t->coloured);
    MUST(grid_tree_plain(tree, &t->grid, channels, err));
    return colour_slots(t, &fits, err);
}

/** Node a moved on by the offset b. */
static uint32_t add(const struct torus *t, uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (size_t d = 0; d < t->grid.dimensions; d++) {
        uint32_t size = t->grid.shape[d], x = a / t->stride[d] % size, y = b / t->stride[d] % size;
        sum += (x + y < size ? x + y : x + y - size) * t->stride[d];
    }
    return sum;
}

/** The path of a lightpath, from its end backwards; returns where it begins. */
static uint32_t trace(uint32_t *path, const struct torus *t, uint32_t dst, uint32_t hops, uint32_t way)
{
    path[hops] = dst;
    for (uint32_t i = hops; i-- > 0;)
        path[i] = t->grid.predecessor[(size_t)way * t->grid.nodes + path[i + 1]];
    return path[0];
}

/** The lightpath to an offset, of every owner's block: an orbit where its colours come round with the cycle. */
static rwa_status push_delivery(struct schedule_sink *sink, const struct torus *t, size_t slot, uint32_t index, uint32_t *path,
                                rwa_error *err)
{
    const struct coloured_tree *c = &t->coloured;
    uint32_t offset = coloured_tree_end(c, c->first[slot] + index), run, period, wavelengths = rwa_network_wavelengths(t->request->net);
    const struct delivery *d = &c->tree.at[offset];
    rwa_lists lists = {.path = path, .path_nodes = d->links + 1};
    uint32_t orbit = colouring_orbit(&c->colouring[slot], index), owners = orbit > 0 ? 1 : t->grid.nodes;
    for (uint32_t owner = 0; owner < owners; owner++) {
        uint32_t dst = add(t, owner, offset), src = trace(path, t, dst, d->links, d->way);
        uint32_t lowest = (d->way % 2 == 0 ? src : dst) / t->stride[d->way / 2] % t->grid.shape[d->way / 2];
        uint32_t channel = colouring_channel(&c->colouring[slot], index, lowest, &run, &period);
        rwa_lightpath lp = {.step = 1, .src = src, .dst = dst, .block = owner, .orbit = t->grid.nodes / owners, .period = orbit,
                            .fiber = channel / wavelengths, .wavelength = channel % wavelengths};
        MUST(sink_lightpath(sink, &lp, &lists, err));
    }
    return RWA_OK;
}

/** A stage for each step. */
static rwa_status push_tree_levels(struct schedule_sink *sink, const struct torus *t, uint32_t *path, rwa_error *err)
{
    const struct coloured_tree *c = &t->coloured;
    for (size_t slot = 0; slot < coloured_tree_slots(c); slot++) {
        for (uint32_t i = 0; i < c->first[slot + 1] - c->first[slot]; i++)
            MUST(push_delivery(sink, t, slot, i, path, err));
        if ((slot + 1) % t->grid.ways == 0)
            MUST(sink_end_stage(sink, err));
    }
    return RWA_OK;
}

/** On a smaller hypercube (dimensions of 2 or 4 nodes) nothing is said of the steps: there a plan of more steps than lightpaths that stay
 *  take may be quicker once tuning is hidden, and an estimate of the fewest would keep it from being built. */
static rwa_status estimate_torus(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    struct torus t = {.request = request};
    uint32_t capacity[2 * RWA_SHAPE_MAX];
    enum { CUBE_NODES = 512 };
    MUST(open_grid(&t, err));
    bool cube = t.grid.nodes <= CUBE_NODES;
    for (uint32_t way = 0; way < t.grid.ways; way++) {
        capacity[way] = capacity_of(&t, way);
        cube = cube && (t.grid.shape[way / 2] == 2 || t.grid.shape[way / 2] == 4);
    }
    if (!cube)
        out->least_steps = grid_tree_least_steps(t.grid.shape, t.grid.dimensions, capacity);
    grid_free(&t.grid);
    return RWA_OK;
}

static rwa_status plan_torus(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct torus t = {.request = request,
                      .budget = base_budget(request->opts->time_limit_s, request->opts->poll, request->opts->poll_data)};
    uint32_t *path = NULL;
    rwa_status st = RWA_OK;
    TRY(open_grid(&t, err));
    size_t dimensions = t.grid.dimensions;
    TRY(base_new(t.stride, dimensions, err));
    TRY(base_new(path, (size_t)t.grid.nodes + 1, err));
    for (size_t d = dimensions, stride = 1; d-- > 0; stride *= t.grid.shape[d])
        t.stride[d] = (uint32_t)stride;
    uint32_t below = scheme_steps_below(request);
    TRY(find_tree(&t, below, err));
    if (below > 0 && t.coloured.tree.steps >= below)
        TRY(scheme_refuse(request, "no plan of fewer than %u steps was found", below));
    else
        TRY(push_tree_levels(sink, &t, path, err));
done:
    grid_free(&t.grid);
    coloured_tree_free(&t.coloured);
    free_all(t.capacity, t.stride, path);
    return st;
}

const struct scheme scheme_torus_wavefront = {
    .name = "torus-wavefront",
    .summary = "every block spreads along all dimensions at a time, all spreads alike and moved",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_TORUS,
    .traits = REVERSIBLE | SLOW,
    .estimate = estimate_torus,
    .plan = plan_torus,
};
