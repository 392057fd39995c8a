/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/program.h"
#include "routing/source_trees.h"

/* Small scales come first: a witness with few different lengths is easier for a person to follow. */
static const double scales[] = {1, 2, 3, 4, 6, 12, 60, 1u << 10, 1u << FLOW_LENGTH_BITS};
enum { SCALES = sizeof scales / sizeof scales[0] };

/* Multiplicative weights: rounds over all sources, the rounds whose trees are kept (as far as they fit memory), and
 * the rounds for the bound. */
enum { ROUNDS = 48, KEPT_ROUNDS = SOURCE_TREES, BOUND_ROUNDS = 4 };
enum { MOST_TREE_ENTRIES = 1 << 24, MOST_PAIR_ENTRIES = 1 << 22 };

/* Shares of the budget: for the linear program, and for the weights after it. */
#define PROGRAM_SHARE 0.6
#define WEIGHTS_SHARE 0.5

void flow_close(struct flow *f)
{
    if (!f)
        return;
    lp_grow_close(f->lp);
    path_tree_free(&f->path_tree);
    disjoint_pair_close(f->pairs);
    arena_free(&f->arena);
    free_all(f->source_of, f->tree, f);
}

static rwa_status flow_allocate(struct flow *f, rwa_error *err)
{
    const struct routing_graph *r = f->graph;
    const struct traffic *t = f->traffic;
    f->arena.err = err;
    arena_new(&f->arena, f->first, t->pairs + 1);
    arena_arrays(&f->arena, r->links, f->best.length, f->trial.length, f->load);
    arena_new(&f->arena, f->length, r->arcs);
    MUST(arena_arrays(&f->arena, (size_t)r->links + FLOW_SETS + 1, f->row, f->value));
    for (size_t i = 0; i < t->pairs; i++)
        if (i == 0 || t->twice || t->src[i] != t->src[i - 1])
            f->first[f->sources++] = i;
    f->first[f->sources] = t->pairs;
    f->best.value = f->wavelengths > 0 ? t->total : 0;
    rwa_status st = path_tree_create(&f->path_tree, r, err);
    return st == RWA_OK && t->twice ? disjoint_pair_open(&f->pairs, r, err) : st;
}

static rwa_status open_program(struct flow *f, rwa_error *err)
{
    rwa_status st = RWA_OK;
    const struct routing_graph *r = f->graph;
    size_t sources = f->sources, rows = sources + r->links;
    uint32_t wavelengths = f->wavelengths;
    struct arena memory = {.err = err};
    double *lower, *upper, *value;
    int *row;
    arena_arrays(&memory, rows, lower, upper);
    TRY(arena_arrays(&memory, r->links, value, row));
    for (size_t i = 0; i < rows; i++) {
        lower[i] = i < sources && wavelengths == 0 ? 1 : -INFINITY;
        upper[i] = i < sources ? 1 : (double)wavelengths * r->fibers[i - sources];
    }
    TRY(lp_grow_open(&f->lp, (int)rows, lower, upper, err));
    for (uint32_t l = 0; l < r->links; l++) {
        row[l] = (int)(sources + l);
        value[l] = -(double)r->fibers[l];
    }
    if (wavelengths == 0)
        TRY(lp_grow_add(f->lp, 1, (int)r->links, row, value, err));
done:
    arena_free(&memory);
    return st;
}

/* Set f->path_tree to the shortest-path tree of source number `source` under f->length.  If the traffic is protected,
 * do nothing, since each pair of nodes then has a search of its own. */
static void find_tree(struct flow *f, size_t source)
{
    if (!f->pairs)
        path_tree_from(&f->path_tree, f->graph, f->length, f->traffic->src[f->first[source]]);
}

static uint64_t pair_length(const struct flow *f, size_t pair)
{
    assert(pair < f->traffic->pairs);
    return f->pairs ? disjoint_pair_between(f->pairs, f->length, f->traffic->src[pair], f->traffic->dst[pair])
                    : f->path_tree.dist[f->traffic->dst[pair]];
}

/* Copy a pair's path from f->path_tree to the tree that will be the next column of the linear program. */
static void keep_path(struct flow *f, size_t pair)
{
    uint32_t *tree = f->tree + f->columns * f->graph->nodes;
    for (uint32_t v = f->traffic->dst[pair]; v != f->traffic->src[pair]; v = f->graph->from[tree[v]])
        tree[v] = f->path_tree.arc[v];
}

void flow_load_column(struct flow *f, size_t c)
{
    const struct routing_graph *r = f->graph;
    const struct traffic *t = f->traffic;
    const uint32_t *tree = f->tree + c * r->nodes;
    memset(f->load, 0, r->links * sizeof *f->load);
    for (size_t i = f->first[f->source_of[c]]; i < f->first[f->source_of[c] + 1]; i++)
        for (uint32_t v = t->dst[i]; v != t->src[i] && tree[v] != RWA_NONE; v = r->from[tree[v]])
            f->load[r->link[tree[v]]] += t->amount[i];
}

/* Begin a tree of a source, which will be the next column of the linear program, without arcs.  keep_path() adds the
 * arcs. */
static rwa_status begin_tree(struct flow *f, size_t source, rwa_error *err)
{
    size_t nodes = f->graph->nodes;
    MUST(base_reserve(f->source_of, f->columns + 1, err));
    MUST(base_reserve(f->tree, (f->columns + 1) * nodes, err));
    f->source_of[f->columns] = source;
    for (size_t v = 0; v < nodes; v++)
        f->tree[f->columns * nodes + v] = RWA_NONE;
    return RWA_OK;
}

/* Route on shortest paths those pairs of a source whose distance is below `reach`.  Set f->load to their load on each
 * link, and return how many lightpaths they have. */
static uint64_t load_tree(struct flow *f, size_t source, uint64_t reach)
{
    assert(source < f->sources);
    uint64_t served = 0;
    memset(f->load, 0, f->graph->links * sizeof *f->load);
    for (size_t i = f->first[source]; i < f->first[source + 1]; i++)
        if (pair_length(f, i) < reach) {
            served += f->traffic->amount[i];
            if (f->pairs)
                disjoint_pair_load(f->pairs, f->load, f->traffic->amount[i]);
            else
                keep_path(f, i);
        }
    if (!f->pairs)
        flow_load_column(f, f->columns);
    return served;
}

double flow_load_of_set(const struct flow *f, const struct node_set *s)
{
    const struct routing_graph *g = f->graph;
    double sum = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t k = g->out_first[v]; node_set_has(s, v) && k < g->out_first[v + 1]; k++)
            sum += node_set_leaves(s, g, g->out[k]) ? (double)f->load[g->link[g->out[k]]] : 0;
    return sum;
}

/* Add a column to the linear program: routes for `served` lightpaths of a source, which put f->load on the links. */
static rwa_status add_column(struct flow *f, size_t source, uint64_t served, rwa_error *err)
{
    int n = 0;
    f->row[n] = (int)source;
    f->value[n++] = 1;
    for (uint32_t l = 0; l < f->graph->links; l++)
        if (f->load[l] > 0) {
            f->row[n] = (int)(f->sources + l);
            f->value[n++] = (double)f->load[l];
        }
    for (size_t s = 0; s < f->sets; s++) {
        f->row[n] = (int)(f->sources + f->graph->links + s);
        f->value[n++] = flow_load_of_set(f, &f->set[s]);
    }
    f->columns += !f->pairs;
    return lp_grow_add(f->lp, f->wavelengths > 0 ? -(double)served : 0, n, f->row, f->value, err);
}

static rwa_status add_tree(struct flow *f, size_t source, uint64_t reach, rwa_error *err)
{
    if (!f->pairs)
        MUST(begin_tree(f, source, err));
    return add_column(f, source, load_tree(f, source, reach), err);
}

rwa_status flow_reopen(struct flow *f, rwa_error *err)
{
    size_t count = f->columns, nodes = f->graph->nodes;
    assert(!f->lp && f->wavelengths == 0 && !f->pairs);
    MUST(open_program(f, err));
    f->columns = 0;
    f->approximate = false;
    for (size_t c = 0; c < count; c++) {
        if (f->weight[c] < FLOW_LEAST_SHARE)
            continue;
        f->source_of[f->columns] = f->source_of[c];
        memmove(f->tree + f->columns * nodes, f->tree + c * nodes, nodes * sizeof *f->tree);
        flow_load_column(f, f->columns);
        MUST(add_column(f, f->source_of[c], 0, err));
    }
    return RWA_OK;
}

static double dual_of(const struct flow *f, size_t row)
{
    return fmax(0, -lp_grow_dual(f->lp, (int)(f->sources + row)));
}

/* Set f->trial.length, the integer link lengths to try as a witness: for each link its dual, plus the duals of the node
 * sets that it leads out of.  Multiply the duals by a factor that makes the largest one `scale`, and round them.
 * Return the factor. */
static double round_duals(struct flow *f, double scale)
{
    const struct routing_graph *r = f->graph;
    double most = 0;
    for (size_t i = 0; i < r->links + f->sets; i++)
        most = fmax(most, dual_of(f, i));
    double factor = most > 0 ? scale / most : 0;
    for (uint32_t l = 0; l < r->links; l++)
        f->trial.length[l] = (uint32_t)floor(dual_of(f, l) * factor + 0.5);
    for (size_t s = 0; s < f->sets; s++) {
        f->set_weight[s] = (uint32_t)floor(dual_of(f, r->links + s) * factor + 0.5);
        for (uint32_t v = 0; v < r->nodes && f->set_weight[s] > 0; v++)
            for (uint32_t k = r->out_first[v]; k < r->out_first[v + 1]; k++)
                f->trial.length[r->link[r->out[k]]] += node_set_leaves(&f->set[s], r, r->out[k]) ? f->set_weight[s] : 0;
    }
    return factor;
}

static rwa_status keep_if_better(struct flow *f, void *data, rwa_error *err)
{
    (void)data;
    rwa_status st = metric_evaluate(&f->trial, f->graph, f->traffic, f->wavelengths, err);
    bool better = f->wavelengths > 0 ? f->trial.value < f->best.value : f->trial.value > f->best.value;
    if (st == RWA_OK && better) {
        f->best.name = f->trial.name;
        f->best.value = f->trial.value;
        memcpy(f->best.length, f->trial.length, f->graph->links * sizeof *f->best.length);
    }
    return st;
}

rwa_status flow_try_lengths(struct flow *f, rwa_status (*keep)(struct flow *flow, void *data, rwa_error *err),
                            void *data, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < SCALES && st == RWA_OK; i++) {
        round_duals(f, scales[i]);
        st = keep(f, data, err);
    }
    return st;
}

rwa_status flow_price(struct flow *f, int *added, rwa_error *err)
{
    double scale = round_duals(f, 1u << FLOW_LENGTH_BITS);
    *added = 0;
    graph_lengthen(f->length, f->graph, f->trial.length);
    for (size_t s = 0; s < f->sources; s++) {
        double gain = lp_grow_dual(f->lp, (int)s);
        double unit = scale * (double)(UINT64_C(1) << GRAPH_HOP_BITS);
        find_tree(f, s);
        for (size_t i = f->first[s]; i < f->first[s + 1]; i++) {
            uint64_t d = pair_length(f, i);
            double dist = d == GRAPH_FAR ? INFINITY
                          : unit > 0     ? (double)(d >> GRAPH_HOP_BITS << GRAPH_HOP_BITS) / unit
                                         : 0;
            if (f->wavelengths == 0)
                gain -= dist * (double)f->traffic->amount[i];
            else if (dist < 1)
                gain += (1 - dist) * (double)f->traffic->amount[i];
        }
        if (gain <= 1e-7 * (1 + fabs(lp_grow_dual(f->lp, (int)s))))
            continue;
        MUST(add_tree(f, s, f->wavelengths > 0 && unit > 0 ? (uint64_t)unit : GRAPH_FAR, err));
        ++*added;
    }
    return RWA_OK;
}

static bool bound_is_tight(const struct flow *f)
{
    double value = lp_grow_value(f->lp);
    return f->wavelengths > 0 ? (double)f->best.value <= floor(-value + 1e-6)
                              : (double)f->best.value >= ceil(value - 1e-6);
}

/* Whether the linear program would be too large: if the traffic is protected, it has a row for each pair of nodes. */
static bool has_many_pairs(const struct flow *f)
{
    return f->pairs && (double)f->sources * f->graph->nodes > MOST_PAIR_ENTRIES;
}

/** Begin with all links of length 1: try these lengths as a witness, and add the shortest-path tree of each source to
 *  the linear program.  Set *all to whether the budget lasted until the last source. */
static rwa_status first_trees(struct flow *f, bool *all, struct budget *budget, rwa_error *err)
{
    *all = true;
    for (uint32_t l = 0; l < f->graph->links; l++)
        f->trial.length[l] = 1;
    MUST(keep_if_better(f, NULL, err));
    graph_lengthen(f->length, f->graph, f->trial.length);
    for (size_t s = 0; s < f->sources && *all && f->best.value != UINT64_MAX && !has_many_pairs(f); s++) {
        find_tree(f, s);
        MUST(add_tree(f, s, GRAPH_FAR, err));
        *all = !base_must_stop(budget, "bounds", -1);
    }
    return RWA_OK;
}

/* ---- multiplicative weights ---- */

/* Replace the columns of `f` by the trees that `t` made for each source. */
static rwa_status take_trees(struct flow *f, const struct source_trees *t, rwa_error *err)
{
    size_t nodes = f->graph->nodes, columns = t->sources * t->made;
    MUST(base_reserve(f->source_of, columns, err));
    MUST(base_reserve(f->tree, columns * nodes, err));
    for (f->columns = 0; f->columns < columns; f->columns++) {
        size_t s = f->columns / t->made, k = f->columns % t->made;
        f->source_of[f->columns] = s;
        memcpy(f->tree + f->columns * nodes, t->tree + (s * t->kept + k) * nodes, nodes * sizeof *f->tree);
    }
    f->approximate = true;
    return RWA_OK;
}

/* Find near-optimal trees and a bound by multiplicative weights, without the linear program.  If the caller cancels,
 * the best bound found so far stays. */
static rwa_status approximate(struct flow *f, struct budget *budget, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct budget part = base_budget_part(budget, WEIGHTS_SHARE);
    struct source_trees t = {0};
    TRY(source_trees_solve(&t, f->graph, f->traffic, ROUNDS, KEPT_ROUNDS, &part, err));
    TRY(take_trees(f, &t, err));
    TRY(source_trees_bound(&t, UINT64_MAX, BOUND_ROUNDS, &part, err));
    memcpy(f->trial.length, t.bound.length, f->graph->links * sizeof *f->trial.length);
    TRY(keep_if_better(f, NULL, err));
done:
    budget->cancelled = part.cancelled;
    source_trees_free(&t);
    if (st == RWA_CANCELLED)
        rwa_error_clear(err);
    return st == RWA_CANCELLED ? RWA_OK : st;
}

/* Whether approximate() may be used: for the fewest wavelengths, without protection, and if its trees fit in memory. */
static bool may_approximate(const struct flow *f, const struct budget *budget)
{
    return f->wavelengths == 0 && !f->pairs && !budget->cancelled && f->best.value > 0 && f->best.value != UINT64_MAX &&
           (double)f->sources * f->graph->nodes * KEPT_ROUNDS <= MOST_TREE_ENTRIES;
}

/* ---- column generation ---- */

static rwa_status generate(struct flow *f, struct budget *budget, rwa_error *err)
{
    int added = 1;
    bool all = true;
    uint64_t looks = budget->looks;
    budget->looks = 0;  /* limits the programs only; the approximation counts rounds instead */
    struct budget part = base_budget_part(budget, PROGRAM_SHARE);
    MUST(first_trees(f, &all, &part, err));
    part.looks = looks;
    if (!all || has_many_pairs(f))
        return RWA_OK;
    while (added > 0 && f->best.value != UINT64_MAX) {
        bool solved = false;
        MUST(lp_grow_solve(f->lp, &part, &solved, err));
        budget->cancelled = part.cancelled;
        if (!solved)
            return may_approximate(f, budget) ? approximate(f, budget, err) : RWA_OK;
        MUST(flow_try_lengths(f, keep_if_better, NULL, err));
        if (bound_is_tight(f))
            break;
        MUST(flow_price(f, &added, err));
    }
    return RWA_OK;
}

rwa_status flow_finish(struct flow *f, rwa_error *err)
{
    f->arena.err = err;
    arena_new(&f->arena, f->weight, f->columns);
    for (size_t c = 0; f->weight && c < f->columns; c++)
        f->weight[c] = f->approximate ? 1 : lp_grow_x(f->lp, (int)c + (f->wavelengths == 0));
    lp_grow_close(f->lp);
    f->lp = NULL;
    return arena_status(&f->arena);
}

rwa_status flow_solve(struct flow **out, const struct routing_graph *graph, const struct traffic *traffic,
                      uint32_t wavelengths, struct budget *budget, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct flow *f;
    *out = NULL;
    MUST(base_new(f, 1, err));
    f->graph = graph;
    f->traffic = traffic;
    f->wavelengths = wavelengths;
    f->trial.budget = budget;
    TRY(flow_allocate(f, err));
    TRY(open_program(f, err));
    TRY(generate(f, budget, err));
    TRY(flow_finish(f, err));
    *out = f;
    f = NULL;
done:
    flow_close(f);
    return st;
}

rwa_status flow_routes(const struct flow *f, struct paths *paths, uint32_t src, uint32_t dst, rwa_error *err)
{
    assert(!f->lp && f->weight);
    size_t before = paths->count;
    for (size_t c = 0; c < f->columns; c++)
        if (f->weight[c] >= FLOW_LEAST_SHARE && f->traffic->src[f->first[f->source_of[c]]] == src)
            MUST(tree_add_path(paths, before, f->graph, f->tree + c * f->graph->nodes, src, dst, err));
    return RWA_OK;
}

GETTER_ADDRESS(struct metric, flow_bound, struct flow, best)
