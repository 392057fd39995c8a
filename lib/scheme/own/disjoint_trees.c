/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Link-disjoint trees that grow together from the root.  A tree may take an arc (a directed link) only if the other
 * trees can still be completed.  By Edmonds' theorem that is so if enough arc-disjoint paths, each from another tree,
 * lead to every node that those trees lack.  The paths are found as a flow, one more path at a time. */
#include "scheme/own/disjoint_trees.h"

#include "base/bins.h"

void disjoint_trees_free(struct disjoint_trees *t)
{
    free_all(t->parent, t->hops, t->ccw, t->channel);
    *t = (struct disjoint_trees){0};
}

struct tree_arc {
    uint32_t from, to;
    uint32_t flow;              /* the last flow that uses the arc, see graph.flow */
    bool taken;                 /* by a tree */
};

struct graph {
    uint32_t nodes, arcs, root;
    struct tree_arc *arc;
    struct bins touching;       /* the arcs that begin or end at each node */
    struct disjoint_trees *t;   /* the partial trees: a node without a parent is not in the tree yet */
    uint32_t enters[TREES_MOST];/* of each tree: the node where the flow leaves it; NO_NODE: no flow from this tree */
    uint32_t met[TREES_MOST];   /* scratch: the node by which the search reached each tree; NO_NODE: not reached */
    uint32_t grown[TREES_MOST]; /* nodes of each tree */
    uint32_t flow;              /* number of the flow being looked for */
    uint32_t *queue,
        *by; /* scratch: nodes; the arc by which a node was found, plus 1, or all arcs and the tree, plus 1 */
    struct arena memory;
};

#define NO_NODE UINT32_MAX

static rwa_status index_arcs(struct graph *g, rwa_error *err)
{
    rwa_status st = RWA_OK;
    while (bins_pass(&g->touching, g->nodes, &st, err))
        for (uint32_t a = 0; a < g->arcs; a++) {
            bins_add(&g->touching, g->arc[a].from, a);
            bins_add(&g->touching, g->arc[a].to, a);
        }
    return st;
}

static rwa_status open_graph(struct graph *g, const rwa_network *net, uint32_t root, rwa_error *err)
{
    *g = (struct graph){.nodes = rwa_network_nodes(net), .root = root, .memory = {.err = err}};
    g->arcs = net->link_count;
    arena_new(&g->memory, g->arc, g->arcs);
    MUST(arena_arrays(&g->memory, g->nodes, g->queue, g->by));
    for (uint32_t l = 0; l < g->arcs; l++)
        g->arc[l] = (struct tree_arc){.from = net->links[l].from, .to = net->links[l].to};
    return index_arcs(g, err);
}

static bool has(const struct graph *g, uint32_t tree, uint32_t v)
{
    return g->t->parent[(size_t)tree * g->nodes + v] != NO_NODE;
}

/** Return the node from which an arc leads to v in the residual network: in its own direction if it carries no flow,
 * else in the opposite one.  Returns v if the arc does not lead there, or if a tree has taken it. */
static uint32_t other_end(const struct graph *g, const struct tree_arc *a, uint32_t v)
{
    if (a->taken || (a->to == v) == (a->flow == g->flow))
        return v;
    return a->from == v ? a->to : a->from;
}

static void turn_path(struct graph *g, uint32_t from, uint32_t to)
{
    for (uint32_t v = from; v != to;)
        if (g->by[v] > g->arcs) {
            uint32_t tree = g->by[v] - g->arcs - 1;
            v = g->enters[tree] = g->met[tree];
        } else {
            struct tree_arc *a = &g->arc[g->by[v] - 1];
            a->flow = a->flow == g->flow ? 0 : g->flow;
            v = a->from == v ? a->to : a->from;
        }
}

/** Try to let the path that was found from v to `to` begin in a tree that contains v, but not `to`.  Returns true if
 * no path begins in that tree yet, and makes this one begin there.  If one does, it may begin at v instead: the node
 * at which it begins now joins the search, at the end of g->queue, which has *tail entries. */
static bool meet_trees(struct graph *g, uint32_t v, uint32_t to, uint32_t *tail)
{
    for (uint32_t tree = 0; tree < g->t->trees; tree++) {
        if (!has(g, tree, v) || has(g, tree, to) || g->met[tree] != NO_NODE)
            continue;
        g->met[tree] = v;
        uint32_t other = g->enters[tree];
        if (other == NO_NODE) {
            g->enters[tree] = v;
            turn_path(g, v, to);
            return true;
        }
        if (g->by[other] == 0 && other != to) {
            g->by[other] = g->arcs + tree + 1;
            g->queue[(*tail)++] = other;
        }
    }
    return false;
}

/** Search backwards from `to`, breadth-first in the residual network, for a tree in which one more path can begin, and
 * make it begin there.  *tail, 0 at first, counts the nodes in g->queue.
 * @return whether a tree was found */
static bool search_back(struct graph *g, uint32_t to, uint32_t *tail)
{
    memset(g->met, 0xff, sizeof g->met);
    g->queue[(*tail)++] = to;
    for (uint32_t head = 0; head < *tail; head++) {
        uint32_t v = g->queue[head];
        if (meet_trees(g, v, to, tail))
            return true;
        for (size_t k = g->touching.first[v]; k < g->touching.first[v + 1]; k++) {
            uint32_t next = other_end(g, &g->arc[g->touching.number[k]], v);
            if (next == v || next == to || g->by[next] > 0)
                continue;
            g->by[next] = g->touching.number[k] + 1;
            g->queue[(*tail)++] = next;
        }
    }
    return false;
}

/** Find one more path to node `to` that shares no arc with the paths found before; these may be rerouted for it (an
 * augmenting path of a flow).  The path begins in a tree that does not contain `to`, and no two paths begin in the same
 * tree.  Returns whether there is one. */
static bool augment(struct graph *g, uint32_t to)
{
    uint32_t tail = 0;
    bool found = search_back(g, to, &tail);
    while (tail > 0)
        g->by[g->queue[--tail]] = 0;
    return found;
}

/** Return the number of arc-disjoint paths to node `to`, but at most `most`.  Each path begins in a tree of its own
 * that lacks this node. */
static uint32_t paths_to(struct graph *g, uint32_t to, uint32_t most)
{
    uint32_t paths = 0;
    g->flow++;
    memset(g->enters, 0xff, sizeof g->enters);
    while (paths < most && augment(g, to))
        paths++;
    return paths;
}

/** Reduce g->t->trees, the number of trees, to the largest k such that k arc-disjoint paths lead from the root to
 * every node.  A single tree is not checked here, but as it grows. */
static void count_trees(struct graph *g)
{
    for (uint32_t v = 0; v < g->nodes && g->t->trees > 1; v++) {
        if (v == g->root)
            continue;
        g->t->trees = paths_to(g, v, g->t->trees);
        /* later paths may begin at v: no cut of fewer than k arcs separates v from the root */
        for (uint32_t tree = 0; tree < g->t->trees; tree++)
            g->t->parent[(size_t)tree * g->nodes + v] = g->root;
    }
}

/** Add an arc to a tree, unless the other trees could then no longer be completed.  Returns whether it was added. */
static bool take_arc(struct graph *g, struct tree_arc *a, uint32_t tree)
{
    uint32_t *parent = g->t->parent + (size_t)tree * g->nodes, lacking = 0;
    a->taken = true;
    parent[a->to] = a->from;
    for (uint32_t other = 0; other < g->t->trees; other++)
        lacking += !has(g, other, a->to);
    /* only cuts that the arc crosses lose an arc, and all of them separate its end from the root */
    if (lacking > 0 && paths_to(g, a->to, lacking) < lacking) {
        a->taken = false;
        parent[a->to] = NO_NODE;
    }
    return a->taken;
}

/** Tell whether a tree may take an arc in this level.  If there are several trees, each takes only one arc out of the
 * root in level 1, so that no tree takes all of them. */
static bool may_take(const struct graph *g, const struct tree_arc *a, uint32_t tree, uint32_t level)
{
    size_t at = (size_t)tree * g->nodes + a->from;
    bool first = level > 1 || g->t->trees == 1 || g->grown[tree] == 1;
    return first && !a->taken && !has(g, tree, a->to) && has(g, tree, a->from) && g->t->hops[at] < level;
}

static void extend(struct graph *g, const struct tree_arc *a, uint32_t tree)
{
    struct disjoint_trees *t = g->t;
    size_t first = (size_t)tree * g->nodes;
    t->hops[first + a->to] = t->hops[first + a->from] + 1;
    RAISE(t->depth, t->hops[first + a->to]);
    g->grown[tree]++;
}

/** Add node v to the trees that can reach it in this level, each by the first arc that the other trees do not need.
 * The first tree to try differs from node to node.
 * @return number of trees that node v was added to */
static uint32_t reach(struct graph *g, uint32_t v, uint32_t level)
{
    const struct bins *in = &g->touching;
    uint32_t trees = g->t->trees, reached = 0;
    for (uint32_t i = 0; i < trees; i++) {
        uint32_t tree = (v + i) % trees;
        for (size_t k = in->first[v]; k < in->first[v + 1] && !has(g, tree, v); k++) {
            struct tree_arc *a = &g->arc[in->number[k]];
            if (a->to != v || !may_take(g, a, tree, level) || !take_arc(g, a, tree))
                continue;
            extend(g, a, tree);
            reached++;
        }
    }
    return reached;
}

/** Reset all trees, so that each contains only the root. */
static void clear_trees(struct graph *g)
{
    struct disjoint_trees *t = g->t;
    memset(t->parent, 0xff, (size_t)t->trees * g->nodes * sizeof *t->parent);
    for (uint32_t tree = 0; tree < t->trees; tree++) {
        t->parent[(size_t)tree * g->nodes + g->root] = g->root;
        g->grown[tree] = 1;
    }
}

/** Grow the trees level by level until they reach all nodes.  If some node is out of reach, g->t->trees becomes 0. */
static void grow_trees(struct graph *g)
{
    uint64_t lacking = (uint64_t)g->t->trees * (g->nodes - 1), before = lacking + 1;
    clear_trees(g);
    for (uint32_t level = 1; lacking > 0 && lacking < before; level++) {
        before = lacking;
        for (uint32_t v = 0; v < g->nodes; v++)
            lacking -= reach(g, v, level);
    }
    if (lacking > 0) /* only a single tree can get stuck: several can always go on (Edmonds) */
        g->t->trees = 0;
}

rwa_status disjoint_trees_open(struct disjoint_trees *t, rwa_error *err)
{
    size_t entries = (size_t)t->trees * t->nodes;
    MUST(base_new(t->parent, entries, err));
    MUST(base_new(t->hops, entries, err));
    MUST(base_new(t->ccw, entries, err));
    return base_new(t->channel, entries, err);
}

rwa_status disjoint_trees_pack(struct disjoint_trees *out, const rwa_network *net, uint32_t root, uint32_t most,
                               rwa_error *err)
{
    struct graph g;
    rwa_status st = RWA_OK;
    assert(!network_has_arcs(net) && most >= 1 && most <= TREES_MOST);
    *out = (struct disjoint_trees){.nodes = rwa_network_nodes(net), .trees = most, .width = 1};
    TRY(open_graph(&g, net, root, err));
    g.t = out;
    TRY(disjoint_trees_open(out, err));
    clear_trees(&g);
    count_trees(&g);
    grow_trees(&g);
done:
    arena_free(&g.memory);
    bins_free(&g.touching);
    return st;
}
