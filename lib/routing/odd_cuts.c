/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/odd_cuts.h"

#include "lp/grow.h"
#include "routing/odd_sets.h"
#include "routing/path_tree.h"

/* Rows of sets: at most so many, and so many at a time. */
enum { MOST_SETS = 400, SETS_AT_A_TIME = 40, LENGTH_BITS = 20 };

/* Few different lengths make a witness a person can follow, so the small scales come first. */
static const double scales[] = {1, 2, 3, 4, 6, 12, 60, 1u << 10, 1u << LENGTH_BITS};
enum { SCALES = sizeof scales / sizeof scales[0] };

/* Rows: each source first (its columns weigh 1 in all), then each link, then each set.  Column 0: the wavelengths. */
struct program {
    const struct routing_graph *graph;
    const struct traffic *traffic;
    struct lp_grow *lp;
    size_t sources;
    size_t *first;              /* pairs of source s: first[s] … first[s + 1] - 1 */
    uint32_t *root;             /* of each source */
    uint32_t *source_at;        /* of each node */
    uint64_t *between;          /* between[u * nodes + v]: traffic of the two, both ways */
    struct path_tree path_tree;
    uint64_t *length;           /* of each arc */
    size_t columns;             /* trees, one for each column from 1 on */
    uint32_t *tree, *load;      /* tree[c * nodes + v]: the arc that enters v; load[c * links + l] */
    size_t *source_of;          /* of each column */
    size_t tree_capacity, load_capacity, source_capacity;
    struct node_set *set;       /* of each row after the links */
    size_t sets;
    uint32_t *trial, *weight;   /* lengths of links, weights of sets */
    double *slack;              /* of each link: unused in the solution */
    int *index;                 /* scratch: of a row or column */
    double *value;
    size_t index_capacity, value_capacity;
    struct odd_cuts *out;
    rwa_error *err;
    struct arena arena;
};

void odd_cuts_free(struct odd_cuts *cuts)
{
    arena_free(&cuts->arena);
}

static void program_close(struct program *p)
{
    lp_grow_close(p->lp);
    path_tree_free(&p->path_tree);
    arena_free(&p->arena);
    free_all(p->tree, p->load, p->source_of, p->index, p->value);
}

static rwa_status reserve(struct program *p, size_t entries)
{
    MUST(base_grow((void **)&p->index, &p->index_capacity, entries, sizeof *p->index, p->err));
    return base_grow((void **)&p->value, &p->value_capacity, entries, sizeof *p->value, p->err);
}

static rwa_status allocate_program(struct program *p)
{
    const struct routing_graph *g = p->graph;
    size_t n = g->nodes;
    p->arena.err = p->out->arena.err = p->err;
    arena_new(&p->arena, p->first, p->traffic->pairs + 1);
    arena_new(&p->arena, p->root, p->traffic->pairs + 1);
    arena_new(&p->arena, p->source_at, n);
    arena_new(&p->arena, p->between, n * n);
    arena_new(&p->arena, p->length, g->arcs);
    arena_new(&p->arena, p->set, MOST_SETS);
    arena_new(&p->arena, p->weight, MOST_SETS);
    arena_new(&p->arena, p->trial, g->links);
    arena_new(&p->arena, p->slack, g->links);
    arena_new(&p->out->arena, p->out->length, g->links);
    MUST(arena_status(&p->arena));
    MUST(arena_status(&p->out->arena));
    MUST(path_tree_create(&p->path_tree, g, p->err));
    return reserve(p, g->links + MOST_SETS + 1);
}

static void read_traffic(struct program *p)
{
    const struct traffic *t = p->traffic;
    size_t n = p->graph->nodes;
    for (size_t i = 0; i < t->pairs; i++) {
        if (i == 0 || t->src[i] != t->src[i - 1]) {
            p->root[p->sources] = t->src[i];
            p->source_at[t->src[i]] = (uint32_t)p->sources;
            p->first[p->sources++] = i;
        }
        p->between[t->src[i] * n + t->dst[i]] += t->amount[i];
        p->between[t->dst[i] * n + t->src[i]] += t->amount[i];
    }
    p->first[p->sources] = t->pairs;
}

/* ---- columns ---- */

/* The load of a column on the fibres of a set. */
static double load_of_set(const struct program *p, const struct node_set *s, const uint32_t *load)
{
    const struct routing_graph *g = p->graph;
    double sum = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t k = g->out_first[v]; node_set_has(s, v) && k < g->out_first[v + 1]; k++)
            sum += node_set_leaves(s, g, g->out[k]) ? load[g->link[g->out[k]]] : 0;
    return sum;
}

/* tree: of each node the arc that enters it.  The column as it is kept. */
static rwa_status keep_tree(struct program *p, size_t source, const uint32_t *tree)
{
    const struct routing_graph *g = p->graph;
    const struct traffic *t = p->traffic;
    size_t c = p->columns;
    MUST(base_grow((void **)&p->load, &p->load_capacity, (c + 1) * g->links, sizeof *p->load, p->err));
    MUST(base_grow((void **)&p->tree, &p->tree_capacity, (c + 1) * g->nodes, sizeof *p->tree, p->err));
    MUST(base_grow((void **)&p->source_of, &p->source_capacity, c + 1, sizeof *p->source_of, p->err));
    uint32_t *load = p->load + c * g->links;
    memset(load, 0, g->links * sizeof *load);
    memcpy(p->tree + c * g->nodes, tree, g->nodes * sizeof *tree);
    p->source_of[c] = source;
    for (size_t i = p->first[source]; i < p->first[source + 1]; i++)
        for (uint32_t v = t->dst[i]; v != t->src[i]; v = g->from[tree[v]])
            load[g->link[tree[v]]] += (uint32_t)t->amount[i];
    p->columns++;
    return RWA_OK;
}

static rwa_status add_tree(struct program *p, size_t source, const uint32_t *tree)
{
    const struct routing_graph *g = p->graph;
    int n = 0;
    MUST(keep_tree(p, source, tree));
    const uint32_t *load = p->load + (p->columns - 1) * g->links;
    p->index[n] = (int)source;
    p->value[n++] = 1;
    for (uint32_t l = 0; l < g->links; l++)
        if (load[l] > 0) {
            p->index[n] = (int)(p->sources + l);
            p->value[n++] = load[l];
        }
    for (size_t s = 0; s < p->sets; s++) {
        p->index[n] = (int)(p->sources + g->links + s);
        p->value[n++] = load_of_set(p, &p->set[s], load);
    }
    return lp_grow_add(p->lp, 0, n, p->index, p->value, p->err);
}

static rwa_status add_flow_trees(struct program *p, const struct flow *flow)
{
    for (size_t c = 0; c < flow_trees(flow); c++) {
        double weight = 0;
        uint32_t root = 0;
        const uint32_t *tree = flow_tree(flow, c, &root, &weight);
        if (weight >= FLOW_LEAST_SHARE)
            MUST(add_tree(p, p->source_at[root], tree));
    }
    return RWA_OK;
}

/* ---- values of prices ---- */

static double dual_of(const struct program *p, size_t row)
{
    return fmax(0, -lp_grow_dual(p->lp, (int)(p->sources + row)));
}

/* The largest dual becomes `scale`.  Lengths of links: their own duals and those of the sets that they leave. */
static double round_duals(struct program *p, double scale)
{
    const struct routing_graph *g = p->graph;
    double most = 0;
    for (size_t r = 0; r < g->links + p->sets; r++)
        most = fmax(most, dual_of(p, r));
    double factor = most > 0 ? scale / most : 0;
    for (size_t r = 0; r < g->links; r++)
        p->trial[r] = (uint32_t)floor(dual_of(p, r) * factor + 0.5);
    for (size_t s = 0; s < p->sets; s++) {
        p->weight[s] = (uint32_t)floor(dual_of(p, g->links + s) * factor + 0.5);
        for (uint32_t v = 0; v < g->nodes && p->weight[s] > 0; v++)
            for (uint32_t k = g->out_first[v]; k < g->out_first[v + 1]; k++)
                p->trial[g->link[g->out[k]]] += node_set_leaves(&p->set[s], g, g->out[k]) ? p->weight[s] : 0;
    }
    return factor;
}

/* Traffic times distance of a source, under the trial. */
static uint64_t distance_of(struct program *p, size_t source)
{
    uint64_t sum = 0;
    path_tree_from(&p->path_tree, p->graph, p->length, p->root[source]);
    for (size_t i = p->first[source]; i < p->first[source + 1]; i++)
        sum += p->traffic->amount[i] * (p->path_tree.dist[p->traffic->dst[i]] >> GRAPH_HOP_BITS);
    return sum;
}

static uint64_t trial_value(struct program *p)
{
    uint64_t used = 0, offered = 0;
    graph_lengthen(p->length, p->graph, p->trial);
    for (size_t s = 0; s < p->sources; s++)
        used += distance_of(p, s);
    for (uint32_t l = 0; l < p->graph->links; l++)
        offered += (uint64_t)p->graph->fibers[l] * p->trial[l];
    for (size_t s = 0; s < p->sets; s++) {
        uint64_t lost = p->weight[s] * p->set[s].ends;
        assert(offered >= p->weight[s]);
        offered -= p->weight[s];
        used = used > lost ? used - lost : 0;
    }
    return offered > 0 ? (used + offered - 1) / offered : 0;
}

static rwa_status keep_trial(struct program *p, uint64_t value)
{
    struct odd_cuts *out = p->out;
    size_t most = p->sets;
    out->value = value;
    memcpy(out->length, p->trial, p->graph->links * sizeof *out->length);
    arena_new(&out->arena, out->sets, most);
    out->set_count = 0;
    for (size_t s = 0; s < most && !out->arena.failed; s++) {
        uint32_t *nodes = NULL;
        size_t count = 0;
        if (p->weight[s] == 0 || !arena_new(&out->arena, nodes, p->graph->nodes))
            continue;
        for (uint32_t v = 0; v < p->graph->nodes; v++)
            if (node_set_has(&p->set[s], v))
                nodes[count++] = v;
        out->sets[out->set_count++] = (rwa_odd_set){p->weight[s], nodes, count};
    }
    return arena_status(&out->arena);
}

static rwa_status find_witness(struct program *p)
{
    for (size_t i = 0; i < SCALES; i++) {
        round_duals(p, scales[i]);
        uint64_t value = trial_value(p);
        if (value > p->out->value)
            MUST(keep_trial(p, value));
    }
    return RWA_OK;
}

/* ---- generation of columns and rows ---- */

/* One tree per source that would make the program's value better. */
static rwa_status price_trees(struct program *p, size_t *added)
{
    double factor = round_duals(p, 1u << LENGTH_BITS);
    *added = 0;
    graph_lengthen(p->length, p->graph, p->trial);
    for (size_t s = 0; s < p->sources; s++) {
        double full = lp_grow_dual(p->lp, (int)s), used = factor > 0 ? (double)distance_of(p, s) / factor : 0;
        if (full - used <= 1e-7 * (1 + fabs(full)))
            continue;
        MUST(add_tree(p, s, p->path_tree.arc));
        ++*added;
    }
    return RWA_OK;
}

static void find_slack(struct program *p)
{
    const struct routing_graph *g = p->graph;
    double wavelengths = lp_grow_x(p->lp, 0);
    for (uint32_t l = 0; l < g->links; l++)
        p->slack[l] = wavelengths * g->fibers[l];
    for (size_t c = 0; c < p->columns; c++) {
        double x = lp_grow_x(p->lp, (int)c + 1);
        for (uint32_t l = 0; x > 0 && l < g->links; l++)
            p->slack[l] -= x * p->load[c * g->links + l];
    }
}

/* Load on its fibres - (fibres - 1) * wavelengths <= traffic with one end in it. */
static rwa_status add_row(struct program *p, const struct node_set *s)
{
    MUST(reserve(p, p->columns + 1));
    p->index[0] = 0;
    p->value[0] = 1 - (double)s->fibers;
    for (size_t c = 0; c < p->columns; c++) {
        p->index[c + 1] = (int)c + 1;
        p->value[c + 1] = load_of_set(p, s, p->load + c * p->graph->links);
    }
    MUST(lp_grow_add_row(p->lp, -INFINITY, (double)s->ends, (int)p->columns + 1, p->index, p->value, p->err));
    p->set[p->sets] = *s;
    arena_copy(&p->arena, p->set[p->sets].in, s->in, node_set_words(p->graph->nodes));
    p->sets++;
    return arena_status(&p->arena);
}

static rwa_status add_rows(struct program *p, size_t *added)
{
    rwa_status st = RWA_OK;
    struct arena arena = {.err = p->err};
    struct odd_sets found = {.graph = p->graph, .between = p->between, .slack = p->slack, .wavelengths = lp_grow_x(p->lp, 0),
                             .arena = &arena};
    *added = 0;
    find_slack(p);
    TRY(odd_sets_find(&found));
    for (size_t i = 0; i < found.count && *added < SETS_AT_A_TIME && p->sets < MOST_SETS; i++) {
        if (node_sets_have(p->set, p->sets, &found.list[i], p->graph->nodes))
            continue;
        TRY(add_row(p, &found.list[i]));
        ++*added;
    }
done:
    arena_free(&arena);
    return st;
}

static bool is_tight(const struct program *p)
{
    return (double)p->out->value >= ceil(lp_grow_value(p->lp) - 1e-6);
}

static rwa_status generate(struct program *p, uint64_t enough, struct budget *budget)
{
    bool solved = true;
    for (size_t added = 1; added > 0 && p->out->value < enough;) {
        MUST(lp_grow_solve(p->lp, budget, &solved, p->err));
        if (!solved)
            return RWA_OK;
        MUST(find_witness(p));
        added = 0;
        if (!is_tight(p))
            MUST(price_trees(p, &added));
        if (added == 0)
            MUST(add_rows(p, &added));
    }
    return RWA_OK;
}

/* ---- routes ---- */

static rwa_status keep_trees(struct program *p)
{
    struct odd_cuts *out = p->out;
    size_t nodes = p->graph->nodes;
    arena_new(&out->arena, out->tree, p->columns);
    arena_new(&out->arena, out->root, p->columns);
    for (size_t c = 0; c < p->columns && !out->arena.failed; c++) {
        if (lp_grow_x(p->lp, (int)c + 1) < FLOW_LEAST_SHARE)
            continue;
        out->root[out->trees] = p->root[p->source_of[c]];
        arena_copy(&out->arena, out->tree[out->trees++], p->tree + c * nodes, nodes);
    }
    return arena_status(&out->arena);
}

rwa_status odd_cuts_routes(const struct odd_cuts *cuts, const struct routing_graph *graph, struct paths *paths, uint32_t src, uint32_t dst,
                           rwa_error *err)
{
    size_t before = paths->count;
    for (size_t c = 0; c < cuts->trees; c++)
        if (cuts->root[c] == src)
            MUST(tree_add_path(paths, before, graph, cuts->tree[c], src, dst, err));
    return RWA_OK;
}

rwa_status odd_cuts_solve(struct odd_cuts *out, const struct routing_graph *graph, const struct traffic *traffic, const struct flow *flow,
                          uint64_t enough, struct budget *budget, rwa_error *err)
{
    assert(!traffic->twice);
    rwa_status st = RWA_OK;
    struct program p = {.graph = graph, .traffic = traffic, .out = out, .err = err};
    TRY(allocate_program(&p));
    read_traffic(&p);
    TRY(flow_open_program(&p.lp, graph, p.sources, 0, err));
    TRY(add_flow_trees(&p, flow));
    TRY(generate(&p, enough, budget));
    TRY(keep_trees(&p));
done:
    program_close(&p);
    return st;
}
