/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Cuts: how many blocks must pass, or pairs of nodes must be joined, from one side to the other, against the channels
 * of the links between the sides. */
#include "base/arena.h"
#include "bound/demand.h"
#include "bound/graph.h"

enum { CLIMB_MOST = 128 }; /* most nodes for climbing */

/** A set of nodes that grows or shrinks node by node, and the channels of the links over its border. */
struct growing {
    const struct bound_case *c;
    bool *inside;
    uint32_t *order;
    struct demand_side side;
    uint64_t out, in;
    struct bound_load tightest[CUT_MEASURES];
    enum cut_measure measure;       /* that climb_from() raises */
};

static void clear(struct growing *s)
{
    memset(s->inside, 0, s->c->graph->nodes * sizeof *s->inside);
    s->side = (struct demand_side){0};
    s->out = s->in = 0;
}

/** Return the channels of the links between node v and the nodes of the set (s->inside).
 * @param e  links of the graph: `out` (count the links from v) or `in` (count the links to v) */
static uint64_t shared(const struct growing *s, const struct bound_ends *e, uint32_t v)
{
    uint64_t sum = 0;
    for (uint64_t k = e->first[v]; k < e->first[v + 1]; k++)
        sum += s->inside[e->node[k]] ? e->channels[k] : 0;
    return sum;
}

/** Compute the loads of a cut: what must leave the set `side` over `out` channels, and what must enter it over `in`.
 * Each replaces *l if it is higher.  Return whether one does.
 * @param demand  what is counted: blocks, or pairs of nodes */
static bool add_cut(struct bound_load *l, const struct bound_case *c, demand_measure *demand,
                    const struct demand_side *side, uint64_t out, uint64_t in)
{
    bool leave = bound_load_add(l, c, demand(c->coll, side), out),
         enter = bound_load_add(l, c, demand_of_others(demand, c->coll, side), in);
    if (leave || enter) {
        l->senders = enter ? c->nodes - side->members : side->members;
        l->others = enter;
    }
    return leave || enter;
}

static bool add_load(struct bound_load *l, const struct growing *s, enum cut_measure measure)
{
    return add_cut(l, s->c, demand_measures[measure], &s->side, s->out, s->in);
}

static void note(struct growing *s)
{
    uint32_t nodes = s->c->graph->nodes;
    for (enum cut_measure m = 0; m < CUT_MEASURES; m++)
        if (add_load(&s->tightest[m], s, m) && s->c->side)
            for (uint32_t v = 0; v < nodes; v++)
                s->c->side[m * nodes + v] = s->inside[v] != s->tightest[m].others;
}

/** Take node v into the set and note the cut, or take v out if it is in the set. */
static void toggle(struct growing *s, uint32_t v)
{
    const struct bound_graph *g = s->c->graph;
    bool enters = !s->inside[v];
    s->inside[v] = false;
    uint64_t over_border = shared(s, &g->out, v) + shared(s, &g->in, v), times = enters ? 1 : UINT64_MAX; /* or -1 */
    s->out += times * (g->out.width[v] - over_border);
    s->in += times * (g->in.width[v] - over_border);
    s->inside[v] = enters;
    if (g->rank[v] != BOUND_NO_RANK)
        demand_put(&s->side, s->c->coll, g->rank[v], enters);
    if (enters)
        note(s);
}

static void balls_around(struct growing *s, uint32_t node)
{
    uint32_t found = bound_graph_walk(s->c->graph, node, false);
    clear(s);
    for (uint32_t i = 0; i < found; i++)
        toggle(s, s->c->graph->order[i]);
}

static void runs_from(struct growing *s, uint32_t first)
{
    uint32_t nodes = s->c->graph->nodes;
    clear(s);
    for (uint32_t i = 0; i < nodes; i++)
        toggle(s, s->order[(first + i) % nodes]);
}

/** Return the number of nodes, evenly spaced, around which cuts are tried: 1 if all nodes are alike, else as many as
 * the work allows. */
static uint32_t starts(const struct bound_case *c)
{
    enum { STARTS_LEAST = 8 };              /* on the largest networks */
    const uint64_t most_work = 3000000;     /* nodes and links examined, about 10 ms */
    uint64_t each = (uint64_t)c->graph->nodes + c->graph->links, many = most_work / each + STARTS_LEAST;
    return c->graph->alike ? 1 : many < c->graph->nodes ? (uint32_t)many : c->graph->nodes;
}

/** Try cuts from each node that starts() counts.  Return false if the budget ends this. */
static bool try_from_all(struct growing *s, void (*try_from)(struct growing *s, uint32_t node))
{
    uint32_t count = starts(s->c);
    for (uint32_t i = 0; i < count; i++) {
        if (base_must_stop(s->c->budget, "cut bound", -1))
            return false;
        try_from(s, (uint32_t)((uint64_t)i * s->c->graph->nodes / count));
    }
    return true;
}

/** Write into s->order the nodes of a grid, sorted by coordinate `d`.  Nodes with the same coordinate stay in the order
 * of their numbers, so coordinate 0 gives just that order.
 * @param shape  sizes of the `count` dimensions */
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

/** Write into s->order the nodes as a depth-first search meets them: from node 0, then from any node not yet reached.
 * So the nodes of each branch of a tree stand together.  RWA_NOMEM. */
static rwa_status order_by_depth(struct growing *s, rwa_error *err)
{
    const struct bound_graph *g = s->c->graph;
    uint32_t filled = 0, *stack;
    MUST(base_new(stack, (size_t)g->links + g->nodes, err));
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

/* ---- from a good cut to a better one ---- */

static double share(const struct growing *s)
{
    struct bound_load l = {0};
    add_load(&l, s, s->measure);
    return l.share;
}

/* Make the set of `s` the ball around `node` (all nodes within some distance of it) whose border is the tightest cut by
 * s->measure. */
static void best_ball(struct growing *s, uint32_t node)
{
    uint32_t found = bound_graph_walk(s->c->graph, node, false), most = 1;
    double best = 0;
    clear(s);
    for (uint32_t i = 0; i < found; i++) {
        toggle(s, s->c->graph->order[i]);
        if (share(s) > best) {
            best = share(s);
            most = i + 1;
        }
    }
    for (uint32_t i = found; i > most; i--)
        toggle(s, s->c->graph->order[i - 1]);
}

/* From the best ball around `node` on, move single nodes into or out of the set of `s`, each time the one whose move
 * tightens the cut most, until no move helps.  Then note the cut in s->tightest. */
static void climb_from(struct growing *s, uint32_t node)
{
    uint32_t nodes = s->c->graph->nodes, best;
    best_ball(s, node);
    do {
        double tightest = share(s) * (1 + 1e-9);
        best = nodes;
        for (uint32_t v = 0; v < nodes; v++) {
            toggle(s, v);
            double now = share(s);
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

static rwa_status try_cuts(struct growing *s, rwa_error *err)
{
    struct network_grid grid;
    clear(s);
    for (uint32_t v = 0; v < s->c->graph->nodes; v++) {
        toggle(s, v);
        toggle(s, v);
    }
    balls_around(s, s->c->graph->member[s->c->coll->root]);
    bool go_on = try_from_all(s, balls_around);
    size_t count = network_grid(&grid, s->c->net) ? grid.dimensions : 1;
    for (size_t d = 0; go_on && d < count; d++) {
        uint32_t nodes = s->c->graph->nodes;
        order_by(s, count > 1 ? grid.size : &nodes, count, d);
        go_on = try_from_all(s, runs_from);
    }
    if (go_on && !s->c->graph->alike) {
        MUST(order_by_depth(s, err));
        go_on = try_from_all(s, runs_from);
    }
    for (s->measure = 0; go_on && s->c->graph->nodes <= CLIMB_MOST && s->measure < CUT_MEASURES; s->measure++)
        go_on = s->tightest[s->measure].share <= 0 || try_from_all(s, climb_from);
    return go_on ? RWA_OK : base_fail(err, RWA_CANCELLED, "stopped while computing the cut bound");
}

/** For each measure, find the tightest of many cuts through a network of listed links: single nodes, balls around
 * nodes, nodes that follow each other in one of several orders, and on small networks those that local search finds
 * from balls.  O(nodes * links), with fewer cuts where that is too much. */
static rwa_status graph_loads(struct bound_load loads[CUT_MEASURES], const struct bound_case *c, rwa_error *err)
{
    struct growing s = {.c = c};
    struct arena scratch = {.err = err};
    rwa_status st = arena_arrays(&scratch, c->graph->nodes, s.inside, s.order);
    if (st == RWA_OK)
        st = try_cuts(&s, err);
    memcpy(loads, s.tightest, sizeof s.tightest);
    arena_free(&scratch);
    return st;
}

/* ---- the bound ---- */

void cut_keep_run(const struct bound_case *c, int sides, const struct demand_run *run, bool others)
{
    uint32_t rank = network_is_path(c->net) ? 0 : c->nodes - 1, next = 0, nodes = rwa_network_nodes(c->net);
    for (uint32_t v = 0; v < nodes; v++) {
        if (next < c->nodes && base_mapped(c->task.members, next) == v)
            rank = next++;
        uint32_t place = (rank + 2 * c->nodes - c->first - run->first) % c->nodes;
        c->side[(uint32_t)sides * nodes + v] = (place < run->count) != others;
    }
}

static void load_over(struct bound_load *l, const struct bound_case *c, enum cut_measure measure,
                      struct demand_run run)
{
    struct demand_side side = demand_of_run(c, run);
    if (add_cut(l, c, demand_measures[measure], &side, demand_width_out(c, run), demand_width_in(c, run)) && c->side)
        cut_keep_run(c, (int)measure, &run, l->others);
}

/** On a ring or line, raise *l to the loads of some cuts around consecutive places from `first` on: one place, half of
 * all places, all but one, those before the root, and those up to the root. */
static void load_from(struct bound_load *l, const struct bound_case *c, enum cut_measure measure, uint32_t first)
{
    assert(first < c->nodes && c->root < c->nodes);
    uint32_t to_root = (c->root + c->nodes - first) % c->nodes;
    uint32_t counts[] = {1, c->nodes / 2, c->nodes - 1, to_root, to_root + 1};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] >= 1 && counts[i] < c->nodes)
            load_over(l, c, measure, (struct demand_run){first, counts[i]});
}

/** Set *l to the load, by one measure (blocks, or pairs of nodes), of the tightest cut tried through a network of
 * listed links.  The first call computes the cuts for all measures and keeps them in c->cuts. */
static rwa_status load_in_graph(struct bound_load *l, const struct bound_case *c, enum cut_measure measure,
                                rwa_error *err)
{
    rwa_status st = c->cuts->found ? RWA_OK : graph_loads(c->cuts->load, c, err);
    c->cuts->found = st == RWA_OK;
    *l = c->cuts->load[measure];
    return st;
}

rwa_status cut_load(struct bound_load *l, const struct bound_case *c, enum cut_measure measure, rwa_error *err)
{
    assert(measure < CUT_MEASURES);
    if (!c->arcs)
        return c->graph ? load_in_graph(l, c, measure, err) : RWA_OK;
    load_from(l, c, measure, 0);
    if (bound_on_cycle(c))
        load_from(l, c, measure, c->root);
    for (size_t i = 0; i < c->lost_count; i++)
        load_from(l, c, measure, (c->lost[i].link + 1) % c->nodes);
    return RWA_OK;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    struct bound_load l = {0};
    char place[QUOTIENT_TEXT];
    rwa_status st = cut_load(&l, c, CUT_BLOCKS, err);
    b->value = l.steps;
    snprintf(place, sizeof place, "pass from %" PRIu64 " node%s to the other %" PRIu64, l.senders,
             plural(l.senders), c->nodes - l.senders);
    bound_say_load(c, place, l.blocks, l.width, l.steps);
    return st;
}

const struct bound_entry bound_cut = {
    "cut", "steps",
    "the blocks that must pass from one side of a cut to the other need the channels of the links between the sides",
    "docs/reference/bounds.md: counting", .compute = compute, .sides = 1 + CUT_BLOCKS};
