/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/grid_tree.h"

#include <stdlib.h>
#include <string.h>

enum { BETWEEN_POLLS = 4096 };

rwa_status grid_create(struct grid *g, const uint32_t *shape, size_t dimensions, rwa_error *err)
{
    uint32_t stride = 1;
    *g = (struct grid){.shape = shape, .dimensions = dimensions, .nodes = 1, .ways = (uint32_t)(2 * dimensions)};
    for (size_t d = 0; d < dimensions; d++)
        g->nodes *= shape[d];
    g->behind = base_array((size_t)g->ways * g->nodes, sizeof *g->behind, err);
    if (!g->behind)
        return RWA_NOMEM;
    for (size_t d = dimensions; d-- > 0; stride *= shape[d])
        for (uint32_t v = 0; v < g->nodes; v++) {
            uint32_t at = v / stride % shape[d], row = v - at * stride;
            g->behind[2 * d * g->nodes + v] = row + (at + shape[d] - 1) % shape[d] * stride;
            g->behind[(2 * d + 1) * g->nodes + v] = row + (at + 1) % shape[d] * stride;
        }
    return RWA_OK;
}

void grid_free(struct grid *g)
{
    free(g->behind);
    memset(g, 0, sizeof *g);
}

rwa_status grid_wave_create(struct grid_wave *w, uint32_t nodes, uint32_t steps, rwa_error *err)
{
    *w = (struct grid_wave){.nodes = nodes, .steps = steps};
    w->step = base_array(nodes, sizeof *w->step, err);
    w->hops = base_array(nodes, sizeof *w->hops, err);
    w->way = base_array(nodes, sizeof *w->way, err);
    return w->step && w->hops && w->way ? RWA_OK : RWA_NOMEM;
}

void grid_wave_free(struct grid_wave *w)
{
    free(w->step);
    free(w->hops);
    free(w->way);
    memset(w, 0, sizeof *w);
}

struct anneal {
    const struct grid *grid;
    struct grid_wave *wave;
    const uint32_t *room;
    uint32_t channels;
    uint32_t *load;             /* like room */
    uint64_t over;              /* load beyond room */
    uint32_t *changed, *before; /* nodes whose hops the move changes, and what they were */
    size_t changes;
    uint64_t random;
};

/** Links to the nearest node behind that knows earlier; more than there is room for, when there is none. */
static uint32_t hops_to(const struct anneal *a, uint32_t v)
{
    const struct grid_wave *w = a->wave;
    const uint32_t *behind = a->grid->behind + (size_t)w->way[v] * w->nodes;
    uint32_t size = a->grid->shape[w->way[v] / 2], from = v;
    for (uint32_t hops = 1; hops < size; hops++) {
        from = behind[from];
        if (w->step[from] < w->step[v])
            return hops;
    }
    return a->channels + size;
}

static void change_load(struct anneal *a, uint32_t v, bool in)
{
    size_t group = (size_t)(a->wave->step[v] - 1) * a->grid->ways + a->wave->way[v];
    uint32_t *load = &a->load[group], room = a->room[group];
    a->over -= *load > room ? *load - room : 0;
    *load += in ? a->wave->hops[v] : 0 - a->wave->hops[v];
    a->over += *load > room ? *load - room : 0;
}

static void set_hops(struct anneal *a, uint32_t v, uint32_t hops)
{
    change_load(a, v, false);
    a->wave->hops[v] = hops;
    change_load(a, v, true);
}

static void set_label(struct anneal *a, uint32_t v, uint32_t step, uint8_t way)
{
    change_load(a, v, false);
    a->wave->step[v] = step;
    a->wave->way[v] = way;
    a->wave->hops[v] = hops_to(a, v);
    change_load(a, v, true);
}

/** The nodes on v's lines whose nearest earlier node is another one now. */
static void follow_lines(struct anneal *a, uint32_t v)
{
    const struct grid *g = a->grid;
    a->changes = 0;
    for (size_t d = 0; d < g->dimensions; d++)
        for (uint32_t u = g->behind[2 * d * g->nodes + v]; u != v; u = g->behind[2 * d * g->nodes + u]) {
            if (u == 0 || a->wave->way[u] / 2 != d)
                continue;
            uint32_t hops = hops_to(a, u);
            if (hops == a->wave->hops[u])
                continue;
            a->changed[a->changes] = u;
            a->before[a->changes++] = a->wave->hops[u];
            set_hops(a, u, hops);
        }
}

static uint8_t random_way(struct anneal *a)
{
    uint32_t way;
    do
        way = (uint32_t)base_random_below(&a->random, a->grid->ways);
    while (a->room[way] == 0 || a->grid->shape[way / 2] == 1);
    return (uint8_t)way;
}

/** About -ln(u) of a uniform u, by a straight line between powers of two: the same on every machine. */
static double exponential(struct anneal *a)
{
    uint64_t r = base_random(&a->random) | 1;
    int zeros = __builtin_clzll(r);
    double mantissa = (double)(r << zeros) / 9223372036854775808.0; /* 1 … 2 */
    return 0.6931471805599453 * (zeros + 2 - mantissa);
}

/** Another step, another way, or both, for one node. */
static void move(struct anneal *a, double temperature)
{
    struct grid_wave *w = a->wave;
    uint32_t v = 1 + (uint32_t)base_random_below(&a->random, w->nodes - 1), step = w->step[v];
    uint8_t way = w->way[v], new_way = way;
    uint32_t new_step = step, kind = (uint32_t)base_random_below(&a->random, 3);
    uint64_t over = a->over;
    if (kind > 0)
        new_step = 1 + (uint32_t)base_random_below(&a->random, w->steps);
    if (kind < 2)
        new_way = random_way(a);
    set_label(a, v, new_step, new_way);
    a->changes = 0;
    if (new_step != step)
        follow_lines(a, v);
    if (a->over <= over || (double)(a->over - over) <= temperature * exponential(a))
        return;
    for (size_t i = a->changes; i-- > 0;)
        set_hops(a, a->changed[i], a->before[i]);
    set_label(a, v, step, way);
}

/** Labels at random, or those of a wave of more steps, squeezed. */
static void begin(struct anneal *a, const struct grid_wave *start)
{
    struct grid_wave *w = a->wave;
    for (uint32_t v = 1; v < w->nodes; v++) {
        w->step[v] = start ? (uint32_t)(((uint64_t)start->step[v] * w->steps + start->steps - 1) / start->steps)
                           : 1 + (uint32_t)base_random_below(&a->random, w->steps);
        w->way[v] = start ? start->way[v] : random_way(a);
    }
    for (uint32_t v = 1; v < w->nodes; v++) {
        w->hops[v] = hops_to(a, v);
        change_load(a, v, true);
    }
}

static rwa_status cool(struct anneal *a, double heat, uint64_t moves, struct budget *budget, rwa_error *err)
{
    for (uint64_t i = 0; i < moves && a->over > 0; i++) {
        double left = 1 - (double)i / (double)moves;
        if (i % BETWEEN_POLLS == 0 && base_must_stop(budget, "spreading", 1 - left))
            return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped at a wavefront of %u steps",
                                                a->wave->steps) : RWA_OK;
        move(a, heat * left + 0.05);
    }
    return RWA_OK;
}

rwa_status grid_wave_anneal(struct grid_wave *out, bool *found, const struct grid_limits *limits,
                            const struct grid_wave *start, uint64_t moves, struct budget *budget, rwa_error *err)
{
    const struct grid *g = limits->grid;
    struct anneal a = {.grid = g, .wave = out, .room = limits->room, .channels = limits->channels,
                       .random = limits->seed};
    size_t line = 0;
    rwa_status st = RWA_OK;
    *found = false;
    TRY(grid_wave_create(out, g->nodes, limits->steps, err));
    for (size_t d = 0; d < g->dimensions; d++)
        line += g->shape[d];
    a.load = base_array((size_t)limits->steps * g->ways, sizeof *a.load, err);
    a.changed = base_array(line, sizeof *a.changed, err);
    a.before = base_array(line, sizeof *a.before, err);
    st = a.load && a.changed && a.before ? RWA_OK : RWA_NOMEM;
    TRY(st);
    begin(&a, start);
    TRY(cool(&a, start ? 0.3 : 3, moves, budget, err));
    *found = a.over == 0;
done:
    free(a.load);
    free(a.changed);
    free(a.before);
    return st;
}

/** How far node v lies up or down the ring of a dimension: the shorter way. */
static uint32_t distance(uint32_t at, uint32_t size)
{
    return at <= size / 2 ? at : size - at;
}

/** Nodes whose offset in later dimensions is 0 are told first; of one distance, `channels` lines at a time. */
rwa_status grid_wave_plain(struct grid_wave *out, const struct grid *g, uint32_t channels, rwa_error *err)
{
    uint32_t stride = 1, before = 0; /* nodes and steps so far */
    rwa_status st = grid_wave_create(out, g->nodes, 0, err);
    for (size_t d = g->dimensions; d-- > 0 && st == RWA_OK; stride *= g->shape[d]) {
        uint32_t rounds = stride / channels + (stride % channels != 0), size = g->shape[d];
        for (uint32_t v = stride; v < stride * size; v++) {
            uint32_t at = v / stride, line = v % stride;
            out->step[v] = before + (distance(at, size) - 1) * rounds + line / channels + 1;
            out->way[v] = (uint8_t)(2 * d + (at > size / 2));
            out->hops[v] = 1;
        }
        before += size / 2 * rounds;
    }
    out->steps = before;
    return st;
}
