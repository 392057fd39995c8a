/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Simulated annealing over the labels of a tree: the step and the way by which each offset receives. */
#include "delivery/grid/grid_tree.h"

enum { BETWEEN_POLLS = 4096 };

struct anneal {
    const struct grid *grid;
    struct delivery_tree *tree;
    const uint32_t *capacity;
    uint32_t channels;
    uint32_t *load;             /* like capacity */
    uint64_t over;              /* load beyond capacity */
    uint32_t *changed, *before; /* nodes whose hops the move changes, and what they were */
    size_t changes;
    uint64_t random;
};

/** Links to the nearest node predecessor that knows earlier; more than there is capacity for, when there is none. */
static uint32_t hops_to(const struct anneal *a, uint32_t v)
{
    const struct delivery_tree *w = a->tree;
    const uint32_t *predecessor = a->grid->predecessor + (size_t)w->at[v].way * w->nodes;
    uint32_t size = a->grid->shape[w->at[v].way / 2], from = v;
    for (uint32_t hops = 1; hops < size; hops++) {
        from = predecessor[from];
        if (w->at[from].step < w->at[v].step)
            return hops;
    }
    return a->channels + size;
}

static void change_load(struct anneal *a, uint32_t v, bool in)
{
    size_t group = (size_t)(a->tree->at[v].step - 1) * a->grid->ways + a->tree->at[v].way;
    uint32_t *load = &a->load[group], capacity = a->capacity[group];
    a->over -= *load > capacity ? *load - capacity : 0;
    *load += in ? a->tree->at[v].links : 0 - a->tree->at[v].links;
    a->over += *load > capacity ? *load - capacity : 0;
}

static void set_hops(struct anneal *a, uint32_t v, uint32_t hops)
{
    change_load(a, v, false);
    a->tree->at[v].links = hops;
    change_load(a, v, true);
}

static void set_label(struct anneal *a, uint32_t v, uint32_t step, uint8_t way)
{
    change_load(a, v, false);
    a->tree->at[v].step = step;
    a->tree->at[v].way = way;
    a->tree->at[v].links = hops_to(a, v);
    change_load(a, v, true);
}

/** The nodes on v's lines whose nearest earlier node is another one now. */
static void follow_lines(struct anneal *a, uint32_t v)
{
    const struct grid *g = a->grid;
    a->changes = 0;
    for (size_t d = 0; d < g->dimensions; d++)
        for (uint32_t u = g->predecessor[2 * d * g->nodes + v]; u != v; u = g->predecessor[2 * d * g->nodes + u]) {
            if (u == 0 || a->tree->at[u].way / 2 != d)
                continue;
            uint32_t hops = hops_to(a, u);
            if (hops == a->tree->at[u].links)
                continue;
            a->changed[a->changes] = u;
            a->before[a->changes++] = a->tree->at[u].links;
            set_hops(a, u, hops);
        }
}

static uint8_t random_way(struct anneal *a)
{
    uint32_t way;
    do
        way = (uint32_t)base_random_below(&a->random, a->grid->ways);
    while (a->capacity[way] == 0 || a->grid->shape[way / 2] == 1);
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
    struct delivery_tree *w = a->tree;
    uint32_t v = 1 + (uint32_t)base_random_below(&a->random, w->nodes - 1), step = w->at[v].step;
    uint8_t way = w->at[v].way, new_way = way;
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

/** The labels of a tree, squeezed where it has more steps. */
static void begin(struct anneal *a, const struct delivery_tree *start)
{
    struct delivery_tree *w = a->tree;
    for (uint32_t v = 1; v < w->nodes; v++) {
        w->at[v].step = (uint32_t)(((uint64_t)start->at[v].step * w->steps + start->steps - 1) / start->steps);
        w->at[v].way = start->at[v].way;
    }
    for (uint32_t v = 1; v < w->nodes; v++) {
        w->at[v].links = hops_to(a, v);
        change_load(a, v, true);
    }
}

static rwa_status cool(struct anneal *a, uint64_t moves, struct budget *budget, rwa_error *err)
{
    for (uint64_t i = 0; i < moves && a->over > 0; i++) {
        double left = 1 - (double)i / (double)moves;
        if (i % BETWEEN_POLLS == 0 && base_must_stop(budget, "broadcast trees", 1 - left))
            return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped at broadcast trees of %u steps",
                                                a->tree->steps) : RWA_OK;
        move(a, 0.3 * left + 0.05);
    }
    return RWA_OK;
}

rwa_status grid_tree_anneal(struct delivery_tree *out, bool *found, const struct grid_limits *limits,
                            const struct delivery_tree *start, uint64_t moves, struct budget *budget, rwa_error *err)
{
    const struct grid *g = limits->grid;
    struct anneal a = {.grid = g, .tree = out, .capacity = limits->capacity, .channels = limits->channels, .random = limits->seed};
    size_t line = 0;
    rwa_status st = RWA_OK;
    *found = false;
    TRY(delivery_tree_create(out, 1, g->nodes, limits->steps, err));
    for (size_t d = 0; d < g->dimensions; d++)
        line += g->shape[d];
    a.load = base_array((size_t)limits->steps * g->ways, sizeof *a.load, err);
    a.changed = base_array(line, sizeof *a.changed, err);
    a.before = base_array(line, sizeof *a.before, err);
    st = a.load && a.changed && a.before ? RWA_OK : RWA_NOMEM;
    TRY(st);
    begin(&a, start);
    TRY(cool(&a, moves, budget, err));
    *found = a.over == 0;
    if (*found)
        grid_tree_name_senders(out, g);
done:
    free_all(a.load, a.changed, a.before);
    return st;
}
