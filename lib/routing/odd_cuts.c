/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/odd_cuts.h"

#include "routing/program.h"

/* Rows of sets added at a time; the most nodes of a set; the least excess that counts, as a share of the
 * wavelengths. */
enum { SETS_AT_A_TIME = 40, LARGEST_SET = 32 };
#define LEAST_EXCESS 1e-4

struct cut_search {
    struct flow *flow;
    const struct routing_graph *graph;
    uint64_t *between;          /* between[u * nodes + v]: traffic of the two, both ways */
    double wavelengths, *slack; /* of the solution; of each link: channels that it leaves unused */
    struct node_set *list;      /* count sets found for it, largest excess first */
    size_t count;
    struct arena found;         /* of the list */
    struct odd_cuts *out;
    rwa_error *err;
    struct arena arena;
};

void odd_cuts_free(struct odd_cuts *cuts)
{
    arena_free(&cuts->arena);
}

static rwa_status search_open(struct cut_search *x)
{
    struct flow *f = x->flow;
    const struct traffic *t = f->traffic;
    size_t n = f->graph->nodes;
    x->arena.err = f->arena.err = x->out->arena.err = x->err;
    arena_new(&x->arena, x->between, n * n);
    arena_new(&x->arena, x->slack, f->graph->links);
    arena_new(&x->out->arena, x->out->length, f->graph->links);
    MUST(arena_status(&x->arena));
    MUST(arena_arrays(&f->arena, FLOW_SETS, f->set, f->set_weight));
    MUST(arena_status(&x->out->arena));
    for (size_t i = 0; i < t->pairs; i++) {
        x->between[t->src[i] * n + t->dst[i]] += t->amount[i];
        x->between[t->dst[i] * n + t->src[i]] += t->amount[i];
    }
    return flow_reopen(f, x->err);
}

/* ---- values of prices ---- */

static rwa_status trial_value(uint64_t *value, const struct flow *f, rwa_error *err)
{
    struct metric m = {.length = f->trial.length};
    MUST(metric_evaluate(&m, f->graph, f->traffic, 0, err));
    for (size_t s = 0; s < f->sets; s++) {
        uint64_t lost = f->set_weight[s] * f->set[s].ends;
        assert(m.offered >= f->set_weight[s]);
        m.offered -= f->set_weight[s];
        m.used = m.used > lost ? m.used - lost : 0;
    }
    *value = m.offered > 0 ? (m.used + m.offered - 1) / m.offered : 0;
    return RWA_OK;
}

static rwa_status keep_better(struct flow *f, void *data, rwa_error *err)
{
    struct odd_cuts *out = data;
    uint64_t value = 0;
    MUST(trial_value(&value, f, err));
    if (value <= out->value)
        return RWA_OK;
    out->value = value;
    memcpy(out->length, f->trial.length, f->graph->links * sizeof *out->length);
    arena_new(&out->arena, out->sets, f->sets);
    out->set_count = 0;
    for (size_t s = 0; s < f->sets && !out->arena.failed; s++) {
        uint32_t *nodes = NULL;
        size_t count = 0;
        if (f->set_weight[s] == 0 || !arena_new(&out->arena, nodes, f->graph->nodes))
            continue;
        for (uint32_t v = 0; v < f->graph->nodes; v++)
            if (node_set_has(&f->set[s], v))
                nodes[count++] = v;
        out->sets[out->set_count++] = (rwa_odd_set){f->set_weight[s], nodes, count};
    }
    return arena_status(&out->arena);
}

/* ---- sets ---- */

static size_t set_words(uint32_t nodes)
{
    return nodes / 64 + 1;
}

static bool has_set(const struct node_set *list, size_t count, const struct node_set *set, uint32_t nodes)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(list[i].in, set->in, set_words(nodes) * sizeof *set->in) == 0)
            return true;
    return false;
}

static void measure_set(const struct cut_search *x, struct node_set *s)
{
    const struct routing_graph *g = x->graph;
    double slack = 0;
    s->fibers = 0;
    s->ends = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        if (!node_set_has(s, v))
            continue;
        for (uint32_t u = 0; u < g->nodes; u++)
            s->ends += node_set_has(s, u) ? 0 : x->between[(size_t)v * g->nodes + u];
        for (uint32_t k = g->out_first[v]; k < g->out_first[v + 1]; k++)
            if (node_set_leaves(s, g, g->out[k])) {
                s->fibers += g->fibers[g->link[g->out[k]]];
                slack += x->slack[g->link[g->out[k]]];
            }
    }
    s->excess = x->wavelengths - slack - (double)s->ends;
}

static rwa_status list_set(struct cut_search *x, const struct node_set *s)
{
    uint32_t nodes = x->graph->nodes;
    if (s->fibers % 2 == 0 || s->excess <= LEAST_EXCESS * (1 + x->wavelengths) ||
        has_set(x->list, x->count, s, nodes))
        return RWA_OK;
    x->list[x->count] = *s;
    arena_copy(&x->found, x->list[x->count].in, s->in, set_words(nodes));
    x->count++;
    return arena_status(&x->found);
}

static void flip_node(struct node_set *s, uint32_t node)
{
    s->in[node / 64] ^= UINT64_C(1) << node % 64;
}

/* Return the node next to the set that gives the set the largest excess (struct node_set) if it joins; RWA_NONE: there
 * is no such node. */
static uint32_t best_neighbour(const struct cut_search *x, struct node_set *s)
{
    const struct routing_graph *g = x->graph;
    uint32_t best = RWA_NONE;
    double most = -INFINITY;
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t k = g->out_first[v]; k < g->out_first[v + 1]; k++) {
            uint32_t u = g->to[g->out[k]];
            if (!node_set_leaves(s, g, g->out[k]) || u == best)
                continue;
            flip_node(s, u);
            measure_set(x, s);
            if (s->excess > most) {
                most = s->excess;
                best = u;
            }
            flip_node(s, u);
        }
    return best;
}

/* Grow a set of nodes from one node, and list in x->list each set on the way that has an odd number of fibres and an
 * excess.  Stop at LARGEST_SET nodes, or when as much traffic as there are wavelengths has one end in the set. */
static rwa_status grow_from(struct cut_search *x, struct node_set *s, uint32_t node)
{
    memset(s->in, 0, set_words(x->graph->nodes) * sizeof *s->in);
    for (uint32_t size = 1; node != RWA_NONE && size <= LARGEST_SET; size++) {
        flip_node(s, node);
        measure_set(x, s);
        MUST(list_set(x, s));
        /* an excess is at most the wavelengths less the traffic with one end in the set */
        node = (double)s->ends < x->wavelengths ? best_neighbour(x, s) : RWA_NONE;
    }
    return RWA_OK;
}

COMPARATOR(by_excess, struct node_set, DOWN(excess) UP(ends))

/* List in x->list sets of nodes that have an excess (struct node_set) and an odd number of fibres to the other nodes,
 * largest excess first.  The sets are found while one grows from each node.  O(nodes * steps * neighbours * nodes). */
static rwa_status find_sets(struct cut_search *x)
{
    struct node_set s = {0};
    x->count = 0;
    x->found.err = x->err;
    arena_new(&x->found, x->list, (size_t)x->graph->nodes * LARGEST_SET);
    MUST(arena_arrays(&x->found, set_words(x->graph->nodes), s.in));
    for (uint32_t v = 0; v < x->graph->nodes; v++)
        MUST(grow_from(x, &s, v));
    base_sort(x->list, x->count, by_excess);
    return RWA_OK;
}

/* ---- rows ---- */

static void find_slack(struct cut_search *x)
{
    struct flow *f = x->flow;
    x->wavelengths = lp_grow_x(f->lp, 0);
    for (uint32_t l = 0; l < f->graph->links; l++)
        x->slack[l] = x->wavelengths * f->graph->fibers[l];
    for (size_t c = 0; c < f->columns; c++) {
        double share = lp_grow_x(f->lp, (int)c + 1);
        if (share <= 0)
            continue;
        flow_load_column(f, c);
        for (uint32_t l = 0; l < f->graph->links; l++)
            x->slack[l] -= share * (double)f->load[l];
    }
}

/* Add the row of a set of nodes to the linear program: the load on its fibres, less (fibres - 1) * wavelengths, is at
 * most the traffic with one end in the set. */
static rwa_status add_row(struct cut_search *x, const struct node_set *s)
{
    struct flow *f = x->flow;
    struct arena arena = {.err = x->err};
    rwa_status st = RWA_OK;
    int *index;
    double *value;
    TRY(arena_arrays(&arena, f->columns + 1, index, value));
    value[0] = 1 - (double)s->fibers;
    for (size_t c = 0; c < f->columns; c++) {
        flow_load_column(f, c);
        index[c + 1] = (int)c + 1;
        value[c + 1] = flow_load_of_set(f, s);
    }
    TRY(lp_grow_add_row(f->lp, -INFINITY, (double)s->ends, (int)f->columns + 1, index, value, x->err));
    f->set[f->sets] = *s;
    arena_copy(&f->arena, f->set[f->sets].in, s->in, set_words(f->graph->nodes));
    f->sets++;
    st = arena_status(&f->arena);
done:
    arena_free(&arena);
    return st;
}

static rwa_status add_rows(struct cut_search *x, int *added)
{
    rwa_status st = RWA_OK;
    struct flow *f = x->flow;
    find_slack(x);
    TRY(find_sets(x));
    for (size_t i = 0; i < x->count && *added < SETS_AT_A_TIME && f->sets < FLOW_SETS; i++) {
        if (has_set(f->set, f->sets, &x->list[i], f->graph->nodes))
            continue;
        TRY(add_row(x, &x->list[i]));
        ++*added;
    }
done:
    arena_free(&x->found);
    return st;
}

static rwa_status generate(struct cut_search *x, uint64_t enough, struct budget *budget)
{
    struct flow *f = x->flow;
    bool solved = true;
    for (int added = 1; added > 0 && x->out->value < enough;) {
        MUST(lp_grow_solve(f->lp, budget, &solved, x->err));
        if (!solved)
            return RWA_OK;
        MUST(flow_try_lengths(f, keep_better, x->out, x->err));
        added = 0;
        if ((double)x->out->value < ceil(lp_grow_value(f->lp) - 1e-6))
            MUST(flow_price(f, &added, x->err));
        if (added == 0)
            MUST(add_rows(x, &added));
    }
    return RWA_OK;
}

rwa_status odd_cuts_solve(struct odd_cuts *out, struct flow *flow, uint64_t enough, struct budget *budget,
                          rwa_error *err)
{
    assert(!flow->traffic->twice);
    rwa_status st = RWA_OK;
    struct cut_search x = {.flow = flow, .graph = flow->graph, .out = out, .err = err};
    TRY(search_open(&x));
    TRY(generate(&x, enough, budget));
    TRY(flow_finish(flow, err));
done:
    arena_free(&x.arena);
    return st;
}

/* ---- the parity of nodes ---- */

/* Whether, on these wavelengths, some channel at the node must stay unused: the number of its channels and `ends`, the
 * lightpaths that end there, differ in parity. */
static bool wastes_channel(const struct routing_graph *g, uint32_t node, uint64_t ends, uint64_t wavelengths)
{
    uint64_t channels = 0;
    for (uint32_t k = g->out_first[node]; k < g->out_first[node + 1]; k++)
        channels += g->fibers[g->link[g->out[k]]] * wavelengths;
    /* a lightpath that passes takes two channels here, one that ends here takes one */
    return (channels + ends) % 2 == 1;
}

static uint32_t shortest_link(const struct routing_graph *g, uint32_t node, const uint32_t *length)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t k = g->out_first[node]; k < g->out_first[node + 1]; k++)
        LOWER(least, length[g->link[g->out[k]]]);
    return least;
}

static rwa_status add_node(struct odd_cuts *out, uint32_t node, uint32_t weight)
{
    uint32_t *nodes = arena_new(&out->arena, nodes, 1);
    MUST(nodes ? RWA_OK : RWA_NOMEM);
    nodes[0] = node;
    out->sets[out->set_count++] = (rwa_odd_set){weight, nodes, 1};
    return RWA_OK;
}

/* List in out->sets each node that must leave a channel unused.  Its weight is the length of its shortest link; *lost
 * is the sum of the weights.  Then double all lengths in out->length, since a length must be at least the sum of the
 * weights at both ends. */
static rwa_status weigh_nodes(struct odd_cuts *out, uint64_t *lost, const struct routing_graph *g, const uint64_t *ends,
                              uint64_t wavelengths)
{
    *lost = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        bool wastes = g->out_first[v] < g->out_first[v + 1] && wastes_channel(g, v, ends[v], wavelengths);
        uint32_t weight = wastes ? shortest_link(g, v, out->length) : 0;
        *lost += weight;
        if (weight > 0)
            MUST(add_node(out, v, weight));
    }
    for (uint32_t l = 0; l < g->links; l++)
        out->length[l] *= 2;
    return RWA_OK;
}

rwa_status odd_cuts_at_nodes(struct odd_cuts *out, const struct routing_graph *graph, const struct traffic *traffic,
                             const uint32_t *length, uint64_t wavelengths, rwa_error *err)
{
    assert(!traffic->twice && wavelengths > 0);
    uint64_t lost = 0, *ends = NULL;
    out->arena.err = err;
    for (uint32_t l = 0; l < graph->links; l++)
        if (length[l] > UINT32_MAX / 2)
            return RWA_OK;
    arena_copy(&out->arena, out->length, length, graph->links);
    MUST(arena_arrays(&out->arena, graph->nodes, out->sets, ends));
    struct metric plain = {.length = out->length};
    MUST(metric_evaluate(&plain, graph, traffic, 0, err));
    for (size_t i = 0; i < traffic->pairs; i++) {
        ends[traffic->src[i]] += traffic->amount[i];
        ends[traffic->dst[i]] += traffic->amount[i];
    }
    MUST(weigh_nodes(out, &lost, graph, ends, wavelengths));
    if (plain.value != UINT64_MAX && 2 * plain.used + lost > 2 * plain.offered * wavelengths)
        out->value = wavelengths + 1;
    return RWA_OK;
}
