/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront on a torus: hops along all dimensions at the same time, each row of nodes tiled like a ring. */
#include "scheme/scheme.h"
#include "delivery/grid_tree.h"
#include "delivery/periodic_colouring.h"

#include <stdlib.h>
#include <string.h>

struct torus {
    const struct plan_request *request;
    struct budget budget;
    struct grid grid;
    struct grid_wave wave;
    uint32_t *room;             /* of each group: (step - 1) * ways + way */
    uint32_t *order, *first;    /* offsets 1 … nodes-1 by group; first: groups + 1 entries */
    struct colouring *colouring;      /* of each group: its hops in the order of `order` */
    uint32_t *stride;           /* of each dimension */
};

static size_t groups_of(const struct torus *t)
{
    return (size_t)t->wave.steps * t->grid.ways;
}

static void forget_tilings(struct torus *t)
{
    for (size_t g = 0; t->colouring && g < groups_of(t); g++)
        colouring_free(&t->colouring[g]);
    free(t->colouring);
    free(t->order);
    free(t->first);
    t->colouring = NULL;
    t->order = t->first = NULL;
}

static size_t group_of(const struct torus *t, uint32_t v)
{
    return (size_t)(t->wave.step[v] - 1) * t->grid.ways + t->wave.way[v];
}

/** Counting sort of the offsets by step and way. */
static rwa_status sort_offsets(struct torus *t, rwa_error *err)
{
    size_t groups = groups_of(t);
    t->order = base_array(t->grid.nodes, sizeof *t->order, err);
    t->first = base_array(groups + 2, sizeof *t->first, err);
    t->colouring = base_array(groups, sizeof *t->colouring, err);
    if (!t->order || !t->first || !t->colouring)
        return RWA_NOMEM;
    for (uint32_t v = 1; v < t->grid.nodes; v++)
        t->first[group_of(t, v) + 2]++;
    for (size_t g = 2; g <= groups; g++)
        t->first[g + 1] += t->first[g];
    for (uint32_t v = 1; v < t->grid.nodes; v++)
        t->order[t->first[group_of(t, v) + 1]++] = v;
    return RWA_OK;
}

/** Wavelengths for every group; where there are not enough, less room is left for the next attempt. */
static rwa_status tile(struct torus *t, bool *fits, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(t->request->net);
    uint32_t *length = base_array(t->grid.nodes, sizeof *length, err);
    rwa_status st = length ? RWA_OK : RWA_NOMEM;
    *fits = true;
    TRY(st);
    forget_tilings(t);
    TRY(sort_offsets(t, err));
    for (size_t g = 0; g < groups_of(t); g++) {
        size_t count = t->first[g + 1] - t->first[g];
        uint32_t load = 0;
        for (size_t i = 0; i < count; i++) {
            length[i] = t->wave.hops[t->order[t->first[g] + i]];
            load += length[i];
        }
        TRY(colouring_find(&t->colouring[g], length, count, t->grid.shape[g % t->grid.ways / 2], channels, err));
        if (count == 0 || t->colouring[g].size > 0)
            continue;
        t->room[g] = load - 1;
        *fits = false;
    }
done:
    free(length);
    return st;
}

/** Of a dimension of two nodes, which one link joins, only the way up exists. */
static uint32_t room_of(const struct torus *t, uint32_t way)
{
    return way % 2 == 1 && t->grid.shape[way / 2] == 2 ? 0 : rwa_network_channels(t->request->net);
}

/** Full room in every step. */
static rwa_status clear_room(struct torus *t, uint32_t steps, rwa_error *err)
{
    free(t->room);
    t->room = base_array((size_t)steps * t->grid.ways, sizeof *t->room, err);
    for (size_t g = 0; t->room && g < (size_t)steps * t->grid.ways; g++)
        t->room[g] = room_of(t, (uint32_t)(g % t->grid.ways));
    return t->room ? RWA_OK : RWA_NOMEM;
}

/** The same labels, moved on until every group finds its wavelengths. */
static rwa_status settle(struct torus *t, bool *fits, uint32_t steps, rwa_error *err)
{
    enum { ATTEMPTS = 12 };
    const uint64_t moves = 1u << 19;
    struct grid_wave next = {0};
    bool found = true;
    rwa_status st = RWA_OK;
    TRY(clear_room(t, steps, err));
    *fits = false;
    if (steps == t->wave.steps)
        TRY(tile(t, fits, err));
    for (int i = 0; i < ATTEMPTS && found && !*fits; i++) {
        struct grid_limits limits = {&t->grid, steps, rwa_network_channels(t->request->net), t->room,
                                     t->request->opts->seed};
        TRY(grid_wave_anneal(&next, &found, &limits, &t->wave, moves, &t->budget, err));
        if (!found)
            break;
        forget_tilings(t);
        grid_wave_free(&t->wave);
        t->wave = next;
        memset(&next, 0, sizeof next);
        TRY(tile(t, fits, err));
    }
done:
    grid_wave_free(&next);
    return st;
}

/** The wave that was found, with a few steps more where wavelengths ask for it; at worst the plain one. */
static rwa_status find_wave(struct torus *t, rwa_error *err)
{
    enum { STEPS_MORE = 3 };
    uint32_t *room = base_array(t->grid.ways, sizeof *room, err);
    bool fits = false;
    rwa_status st = room ? RWA_OK : RWA_NOMEM;
    TRY(st);
    for (uint32_t way = 0; way < t->grid.ways; way++)
        room[way] = room_of(t, way);
    TRY(grid_wave_find(&t->wave, &t->grid, room, t->request->opts->seed, &t->budget, err));
    for (uint32_t steps = t->wave.steps, i = 0; i <= STEPS_MORE && !fits; i++)
        TRY(settle(t, &fits, steps + i, err));
    if (fits)
        goto done;
    forget_tilings(t);
    grid_wave_free(&t->wave);
    TRY(grid_wave_plain(&t->wave, &t->grid, rwa_network_channels(t->request->net), err));
    TRY(settle(t, &fits, t->wave.steps, err));
done:
    free(room);
    return st;
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

/** The path of a hop, from its end backwards; returns where it begins. */
static uint32_t trace(uint32_t *path, const struct torus *t, uint32_t dst, uint32_t hops, uint32_t way)
{
    path[hops] = dst;
    for (uint32_t i = hops; i-- > 0;)
        path[i] = t->grid.behind[(size_t)way * t->grid.nodes + path[i + 1]];
    return path[0];
}

/** The hop to an offset, of every owner's block. */
static rwa_status push_hop(struct schedule_sink *sink, const struct torus *t, size_t group, size_t index, uint32_t *path, rwa_error *err)
{
    uint32_t offset = t->order[t->first[group] + index], hops = t->wave.hops[offset], run, period;
    uint32_t way = t->wave.way[offset], wavelengths = rwa_network_wavelengths(t->request->net);
    rwa_lists lists = {.path = path, .path_nodes = hops + 1};
    rwa_status st = RWA_OK;
    for (uint32_t owner = 0; owner < t->grid.nodes; owner++) {
        uint32_t dst = add(t, owner, offset), src = trace(path, t, dst, hops, way);
        uint32_t lowest = (way % 2 == 0 ? src : dst) / t->stride[way / 2] % t->grid.shape[way / 2];
        uint32_t channel = colouring_channel(&t->colouring[group], index, lowest, &run, &period);
        rwa_lightpath lp = {.step = 1, .src = src, .dst = dst, .block = owner, .orbit = 1, .fiber = channel / wavelengths,
                            .wavelength = channel % wavelengths};
        TRY(sink_lightpath(sink, &lp, &lists, err));
    }
done:
    return st;
}

/** A stage for each step. */
static rwa_status push_steps(struct schedule_sink *sink, const struct torus *t, uint32_t *path, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (size_t g = 0; g < groups_of(t); g++) {
        for (size_t i = 0; i < t->first[g + 1] - t->first[g]; i++)
            TRY(push_hop(sink, t, g, i, path, err));
        if ((g + 1) % t->grid.ways == 0)
            TRY(sink_end_stage(sink, err));
    }
done:
    return st;
}

static rwa_status plan_torus(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    const uint32_t *shape = NULL;
    size_t dimensions = rwa_network_shape(&shape, request->net);
    struct torus t = {.request = request,
                      .budget = base_budget(request->opts->time_limit_s, request->opts->poll, request->opts->poll_data)};
    uint32_t *path = NULL;
    rwa_status st = RWA_OK;
    TRY(grid_create(&t.grid, shape, dimensions, err));
    t.stride = base_array(dimensions, sizeof *t.stride, err);
    path = base_array((size_t)t.grid.nodes + 1, sizeof *path, err);
    TRY(t.stride && path ? RWA_OK : RWA_NOMEM);
    for (size_t d = dimensions, stride = 1; d-- > 0; stride *= shape[d])
        t.stride[d] = (uint32_t)stride;
    TRY(find_wave(&t, err));
    TRY(push_steps(sink, &t, path, err));
done:
    forget_tilings(&t);
    grid_free(&t.grid);
    grid_wave_free(&t.wave);
    free(t.room);
    free(t.stride);
    free(path);
    return st;
}

const struct scheme scheme_torus_wavefront = {
    .name = "torus-wavefront",
    .summary = "every block spreads along all dimensions at a time, all spreads alike and moved",
    .source = "own",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_TORUS,
    .traits = REVERSIBLE,
    .plan = plan_torus,
};
