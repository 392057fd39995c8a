/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"
#include "bound/demand.h"
#include "bound/graph.h"

enum { EVERY_CUT = 16, CLIMB_MOST = 128 }; /* nodes */

/** A set of nodes that grows, and the channels of the links over its border. */
struct growing {
    const struct bound_case *c;
    bool *inside;
    uint32_t *order;
    struct demand_side side;
    uint64_t out, in;
    uint64_t *least_out, *least_in; /* [members][root]: channels of the narrowest set so far; NULL: owners_differ() */
    struct bound_load tightest[CUT_MEASURES];
};

static void clear(struct growing *s)
{
    memset(s->inside, 0, s->c->graph->nodes * sizeof *s->inside);
    s->side = (struct demand_side){0};
    s->out = s->in = 0;
}

/** Channels between node v and the set. */
static uint64_t shared(const struct growing *s, const struct bound_ends *e, uint32_t v)
{
    uint64_t sum = 0;
    for (uint64_t k = e->first[v]; k < e->first[v + 1]; k++)
        sum += s->inside[e->node[k]] ? e->channels[k] : 0;
    return sum;
}

static void add_load(struct bound_load *l, const struct growing *s, enum cut_measure measure)
{
    demand_measure *demand = demand_measures[measure];
    bound_load_add(l, s->c, demand(s->c->coll, &s->side), s->out);
    bound_load_add(l, s->c, demand_of_others(demand, s->c->coll, &s->side), s->in);
}

/** Whether a set with as many participants, also with or without the root, was as narrow: then the demand is the same. */
static bool is_wider(struct growing *s)
{
    size_t alike = 2 * (size_t)s->side.members + s->side.root;
    if (!s->least_out)
        return false;
    if (s->out >= s->least_out[alike] && s->in >= s->least_in[alike])
        return true;
    /* no channels at all say nothing */
    s->least_out[alike] = s->out > 0 && s->out < s->least_out[alike] ? s->out : s->least_out[alike];
    s->least_in[alike] = s->in > 0 && s->in < s->least_in[alike] ? s->in : s->least_in[alike];
    return false;
}

static void note(struct growing *s)
{
    if (is_wider(s))
        return;
    for (enum cut_measure m = 0; m < CUT_MEASURES; m++)
        add_load(&s->tightest[m], s, m);
}

static void take(struct growing *s, uint32_t v)
{
    const struct bound_graph *g = s->c->graph;
    uint64_t to_set = shared(s, &g->out, v), from_set = shared(s, &g->in, v);
    s->out = s->out + g->out.width[v] - to_set - from_set;
    s->in = s->in + g->in.width[v] - to_set - from_set;
    s->inside[v] = true;
    if (g->rank[v] != BOUND_NO_RANK)
        demand_add(&s->side, s->c->coll, g->rank[v]);
    note(s);
}

static void single(struct growing *s, uint32_t v)
{
    const struct bound_graph *g = s->c->graph;
    s->side = (struct demand_side){0};
    s->out = g->out.width[v];
    s->in = g->in.width[v];
    if (g->rank[v] != BOUND_NO_RANK)
        demand_add(&s->side, s->c->coll, g->rank[v]);
    note(s);
}

static void balls_around(struct growing *s, uint32_t node)
{
    uint32_t found = bound_graph_walk(s->c->graph, node, false);
    clear(s);
    for (uint32_t i = 0; i < found; i++)
        take(s, s->c->graph->order[i]);
}

static void runs_from(struct growing *s, uint32_t first)
{
    uint32_t nodes = s->c->graph->nodes;
    clear(s);
    for (uint32_t i = 0; i < nodes; i++)
        take(s, s->order[(first + i) % nodes]);
}

/** How many nodes to start from, evenly apart: where all are alike one, else as many as the work allows. */
static uint32_t starts(const struct bound_case *c)
{
    const uint64_t most_work = 5000000;
    uint64_t each = (uint64_t)c->graph->nodes + c->graph->links, many = most_work / each + 8;
    return c->graph->alike ? 1 : many < c->graph->nodes ? (uint32_t)many : c->graph->nodes;
}

static uint32_t start(const struct bound_case *c, uint32_t i)
{
    return (uint32_t)((uint64_t)i * c->graph->nodes / starts(c));
}

static bool runs_from_all(struct growing *s)
{
    for (uint32_t i = 0; i < starts(s->c); i++) {
        if (base_must_stop(s->c->budget, "cut bound", -1))
            return false;
        runs_from(s, start(s->c, i));
    }
    return true;
}

static bool balls_around_all(struct growing *s)
{
    balls_around(s, s->c->graph->member[s->c->coll->root]);
    for (uint32_t i = 0; i < starts(s->c); i++) {
        if (base_must_stop(s->c->budget, "cut bound", -1))
            return false;
        balls_around(s, start(s->c, i));
    }
    return true;
}

/** By coordinate `d`, the last fastest; coordinate 0 gives the numbering itself. */
static void order_by(struct growing *s, const uint32_t *shape, size_t count, size_t d)
{
    uint32_t inner = 1, filled = 0, nodes = s->c->graph->nodes;
    for (size_t i = d + 1; i < count; i++)
        inner *= shape[i];
    for (uint32_t x = 0; x < shape[d]; x++)
        for (uint32_t row = x * inner; row < nodes; row += shape[d] * inner)
            for (uint32_t v = row; v < row + inner; v++)
                s->order[filled++] = v;
    assert(filled == nodes);
}

/** Depth first from node 0 and from whatever that does not reach, so that the branches of a tree are runs. */
static rwa_status order_by_depth(struct growing *s, rwa_error *err)
{
    const struct bound_graph *g = s->c->graph;
    uint32_t filled = 0, *stack = base_array((size_t)g->links + g->nodes, sizeof *stack, err);
    MUST(stack ? RWA_OK : RWA_NOMEM);
    clear(s);
    for (uint32_t root = 0; root < g->nodes; root++) {
        size_t depth = 0;
        stack[depth++] = root;
        while (depth > 0) {
            uint32_t v = stack[--depth];
            if (s->inside[v])
                continue;
            s->inside[v] = true;
            s->order[filled++] = v;
            for (uint64_t k = g->out.first[v]; k < g->out.first[v + 1]; k++)
                if (!s->inside[g->out.node[k]])
                    stack[depth++] = g->out.node[k];
        }
    }
    free(stack);
    return RWA_OK;
}

/** A set of nodes in one half of the network, by itself. */
enum { HALF = EVERY_CUT / 2 };
struct half_set {
    uint64_t out, in;
    struct demand_side side;
};

/** Channels between two nodes, both ways together. */
typedef uint64_t joined[EVERY_CUT][EVERY_CUT];

static void join_all(joined j, const struct bound_graph *g)
{
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint64_t k = g->out.first[v]; k < g->out.first[v + 1]; k++) {
            j[v][g->out.node[k]] += g->out.channels[k];
            j[g->out.node[k]][v] += g->out.channels[k];
        }
}

/** Between a node and a set of nodes from `first` on. */
static uint64_t joined_to(joined j, uint32_t v, uint32_t set, uint32_t first)
{
    uint64_t sum = 0;
    for (uint32_t rest = set; rest; rest &= rest - 1)
        sum += j[v][first + (uint32_t)__builtin_ctz(rest)];
    return sum;
}

/** All sets of `count` nodes from `first` on, each from one with a node less. */
static void list_half(struct half_set *list, const struct bound_case *c, joined j, uint32_t first, uint32_t count)
{
    const struct bound_graph *g = c->graph;
    for (uint32_t set = 1; set < UINT32_C(1) << count; set++) {
        uint32_t v = first + (uint32_t)__builtin_ctz(set);
        struct half_set *to = &list[set];
        uint64_t inner = joined_to(j, v, set & (set - 1), first);
        *to = list[set & (set - 1)];
        to->out += g->out.width[v] - inner;
        to->in += g->in.width[v] - inner;
        if (g->rank[v] != BOUND_NO_RANK)
            demand_add(&to->side, c->coll, g->rank[v]);
    }
}

/* Every set of one half with one set of the other. */
static void join_halves(struct growing *s, const struct half_set *low, uint32_t sets, const struct half_set *high, const uint64_t *across)
{
    uint64_t between[1 << HALF] = {0};
    for (uint32_t set = 0; set < sets; set++) {
        if (set > 0)
            between[set] = between[set & (set - 1)] + across[__builtin_ctz(set)];
        s->out = low[set].out + high->out - between[set];
        s->in = low[set].in + high->in - between[set];
        s->side.members = low[set].side.members + high->side.members;
        s->side.blocks = low[set].side.blocks + high->side.blocks;
        s->side.root = low[set].side.root || high->side.root;
        note(s);
    }
}

/* Every set without the last node; the complements are the same cuts. */
static void every_set(struct growing *s)
{
    uint32_t others = s->c->graph->nodes - 1, few = others < HALF ? others : HALF;
    struct half_set low[1 << HALF] = {0}, high[1 << HALF] = {0};
    joined j = {0};
    join_all(j, s->c->graph);
    list_half(low, s->c, j, 0, few);
    list_half(high, s->c, j, few, others - few);
    for (uint32_t set = 0; set < UINT32_C(1) << (others - few); set++) {
        uint64_t across[HALF];
        for (uint32_t v = 0; v < few; v++)
            across[v] = joined_to(j, v, set, few);
        join_halves(s, low, UINT32_C(1) << few, &high[set], across);
    }
}

/* ---- from a good cut to a better one ---- */

static void give_back(struct growing *s, uint32_t v)
{
    const struct bound_graph *g = s->c->graph;
    s->inside[v] = false;
    uint64_t to_set = shared(s, &g->out, v), from_set = shared(s, &g->in, v);
    s->out = s->out + to_set + from_set - g->out.width[v];
    s->in = s->in + to_set + from_set - g->in.width[v];
    if (g->rank[v] != BOUND_NO_RANK)
        demand_remove(&s->side, s->c->coll, g->rank[v]);
}

static void toggle(struct growing *s, uint32_t v)
{
    if (s->inside[v])
        give_back(s, v);
    else
        take(s, v);
}

static double share(const struct growing *s, enum cut_measure measure)
{
    struct bound_load l = {0};
    add_load(&l, s, measure);
    return l.share;
}

/* The nodes next to `node` that make the tightest ball. */
static void best_ball(struct growing *s, uint32_t node, enum cut_measure measure)
{
    uint32_t found = bound_graph_walk(s->c->graph, node, false), most = 1;
    double best = 0;
    clear(s);
    for (uint32_t i = 0; i < found; i++) {
        take(s, s->c->graph->order[i]);
        if (share(s, measure) > best) {
            best = share(s, measure);
            most = i + 1;
        }
    }
    for (uint32_t i = found; i > most; i--)
        give_back(s, s->c->graph->order[i - 1]);
}

/* Moves the single node that makes the cut tightest to the other side, as long as there is one. */
static void climb(struct growing *s, enum cut_measure measure)
{
    uint32_t nodes = s->c->graph->nodes, best;
    do {
        double tightest = share(s, measure) * (1 + 1e-9);
        best = nodes;
        for (uint32_t v = 0; v < nodes; v++) {
            toggle(s, v);
            double now = share(s, measure);
            toggle(s, v);
            if (now <= tightest)
                continue;
            tightest = now;
            best = v;
        }
        if (best < nodes)
            toggle(s, best);
    } while (best < nodes);
    note(s);
}

static bool climb_from_all(struct growing *s, enum cut_measure measure)
{
    for (uint32_t v = 0; v < s->c->graph->nodes; v++) {
        if (base_must_stop(s->c->budget, "cut bound", -1))
            return false;
        best_ball(s, v, measure);
        climb(s, measure);
    }
    return true;
}

static rwa_status try_cuts(struct growing *s, rwa_error *err)
{
    struct network_grid grid;
    if (s->c->graph->nodes <= EVERY_CUT) {
        every_set(s);
        return RWA_OK;
    }
    for (uint32_t v = 0; v < s->c->graph->nodes; v++)
        single(s, v);
    bool go_on = balls_around_all(s);
    size_t count = network_grid(&grid, s->c->net) ? grid.dimensions : 1;
    for (size_t d = 0; go_on && d < count; d++) {
        uint32_t nodes = s->c->graph->nodes;
        order_by(s, count > 1 ? grid.size : &nodes, count, d);
        go_on = runs_from_all(s);
    }
    if (go_on && !s->c->graph->alike) {
        MUST(order_by_depth(s, err));
        go_on = runs_from_all(s);
    }
    bool climbs = !s->c->graph->alike && s->c->graph->nodes <= CLIMB_MOST;
    for (enum cut_measure m = 0; go_on && climbs && m < CUT_MEASURES; m++)
        go_on = s->tightest[m].share <= 0 || climb_from_all(s, m);
    return go_on ? RWA_OK : base_fail(err, RWA_CANCELLED, "stopped while computing the cut bound");
}

/** Whether the demand of a set depends on whose blocks are in it. */
static bool owners_differ(const rwa_collective *coll)
{
    return coll->kind != RWA_BROADCAST && coll->kind != RWA_ALL_REDUCE && coll->blocks % coll->nodes > 0;
}

static rwa_status open_least(struct growing *s, rwa_error *err)
{
    size_t kinds = 2 * ((size_t)s->c->nodes + 1);
    if (owners_differ(s->c->coll))
        return RWA_OK;
    s->least_out = base_array(kinds, sizeof *s->least_out, err);
    s->least_in = base_array(kinds, sizeof *s->least_in, err);
    MUST(s->least_out && s->least_in ? RWA_OK : RWA_NOMEM);
    memset(s->least_out, 0xff, kinds * sizeof *s->least_out);
    memset(s->least_in, 0xff, kinds * sizeof *s->least_in);
    return RWA_OK;
}

rwa_status cut_graph_loads(struct bound_load loads[CUT_MEASURES], const struct bound_case *c, rwa_error *err)
{
    struct growing s = {.c = c};
    rwa_status st = RWA_NOMEM;
    s.inside = base_array(c->graph->nodes, sizeof *s.inside, err);
    s.order = base_array(c->graph->nodes, sizeof *s.order, err);
    if (s.inside && s.order)
        st = open_least(&s, err);
    if (st == RWA_OK)
        st = try_cuts(&s, err);
    memcpy(loads, s.tightest, sizeof s.tightest);
    free_all(s.inside, s.order, s.least_out, s.least_in);
    return st;
}
