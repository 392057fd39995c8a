/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/own/disjoint_trees.h"

#include "base/arena.h"
#include "base/bins.h"

void disjoint_trees_free(struct disjoint_trees *t)
{
    free(t->parent);
    free(t->hops);
    free(t->ccw);
    free(t->channel);
    *t = (struct disjoint_trees){0};
}

struct arc {
    uint32_t from, to;
    bool ccw;
    bool taken;                 /* by a tree */
    bool flows;                 /* in the flow being looked for */
};

struct graph {
    uint32_t nodes, arcs, root;
    struct arc *arc;
    struct bins touching;       /* the arcs that begin or end at each node */
    uint32_t *queue, *by;       /* scratch: nodes; the arc by which a node was found, plus 1 */
    struct arena memory;
};

static void add_arc(struct graph *g, uint32_t from, uint32_t to, bool ccw)
{
    g->arc[g->arcs++] = (struct arc){.from = from, .to = to, .ccw = ccw};
}

static void list_arcs(struct graph *g, const rwa_network *net)
{
    bool cycle = network_is_cycle(net);
    for (uint32_t v = 0; network_has_arcs(net) && v < g->nodes; v++) {
        if (!cycle && v + 1 == g->nodes)
            break;
        add_arc(g, v, (v + 1) % g->nodes, false);
        add_arc(g, (v + 1) % g->nodes, v, true);
    }
    for (uint32_t l = 0; !network_has_arcs(net) && l < net->link_count; l++)
        add_arc(g, net->links[l].from, net->links[l].to, false);
}

static rwa_status index_arcs(struct graph *g, rwa_error *err)
{
    MUST(bins_open(&g->touching, g->nodes, err));
    for (uint32_t a = 0; a < g->arcs; a++) {
        bins_count(&g->touching, g->arc[a].from);
        bins_count(&g->touching, g->arc[a].to);
    }
    MUST(bins_divide(&g->touching, g->nodes, err));
    for (uint32_t a = 0; a < g->arcs; a++) {
        bins_put(&g->touching, g->arc[a].from, a);
        bins_put(&g->touching, g->arc[a].to, a);
    }
    return RWA_OK;
}

static rwa_status open_graph(struct graph *g, const rwa_network *net, uint32_t root, rwa_error *err)
{
    uint32_t most = network_has_arcs(net) ? 2 * rwa_network_nodes(net) : rwa_network_links(net);
    *g = (struct graph){.nodes = rwa_network_nodes(net), .root = root, .memory = {.err = err}};
    arena_new(&g->memory, g->arc, most);
    arena_new(&g->memory, g->queue, g->nodes);
    arena_new(&g->memory, g->by, g->nodes);
    MUST(arena_status(&g->memory));
    list_arcs(g, net);
    return index_arcs(g, err);
}

/** The node to which one may go from v by an arc that no tree has: along it without flow, or against its flow; else v. */
static uint32_t other_end(const struct arc *a, uint32_t v)
{
    if (a->taken || (a->from == v) == a->flows)
        return v;
    return a->from == v ? a->to : a->from;
}

/** One path more from the root to `to`.  Whether there is one. */
static bool augment(struct graph *g, uint32_t to)
{
    uint32_t tail = 0;
    memset(g->by, 0, g->nodes * sizeof *g->by);
    g->queue[tail++] = g->root;
    for (uint32_t head = 0; head < tail && g->by[to] == 0; head++)
        for (size_t k = g->touching.first[g->queue[head]]; k < g->touching.first[g->queue[head] + 1]; k++) {
            uint32_t next = other_end(&g->arc[g->touching.number[k]], g->queue[head]);
            if (next == g->queue[head] || next == g->root || g->by[next] > 0)
                continue;
            g->by[next] = g->touching.number[k] + 1;
            g->queue[tail++] = next;
        }
    for (uint32_t v = to; g->by[to] > 0 && v != g->root;) {
        struct arc *a = &g->arc[g->by[v] - 1];
        a->flows = !a->flows;
        v = a->from == v ? a->to : a->from;
    }
    return g->by[to] > 0;
}

/** Paths from the root to a node that share no arc, up to so many. */
static uint32_t paths_to(struct graph *g, uint32_t to, uint32_t most)
{
    uint32_t paths = 0;
    for (uint32_t a = 0; a < g->arcs; a++)
        g->arc[a].flows = false;
    while (paths < most && augment(g, to))
        paths++;
    return paths;
}

static uint32_t least_cut(struct graph *g)
{
    uint32_t least = TREES_MOST;
    for (uint32_t v = 0; v < g->nodes && least > 0; v++)
        if (v != g->root)
            least = paths_to(g, v, least);
    return least;
}

/** Take an arc into a tree, unless one of the `others` still to come would lack it: a cut that it crosses holds its end. */
static bool take_arc(struct graph *g, struct arc *a, uint32_t others)
{
    a->taken = true;
    if (others > 0 && paths_to(g, a->to, others) < others)
        a->taken = false;
    return a->taken;
}

static rwa_status grow_tree(struct disjoint_trees *t, struct graph *g, uint32_t tree, rwa_error *err)
{
    uint32_t *parent = t->parent + (size_t)tree * g->nodes, *hops = t->hops + (size_t)tree * g->nodes;
    uint32_t *order = base_array(g->nodes, sizeof *order, err), tail = 0;
    MUST(order ? RWA_OK : RWA_NOMEM);
    for (uint32_t v = 0; v < g->nodes; v++)
        parent[v] = v == g->root ? v : UINT32_MAX;
    order[tail++] = g->root;
    for (uint32_t head = 0; head < tail; head++)
        for (size_t k = g->touching.first[order[head]]; k < g->touching.first[order[head] + 1]; k++) {
            struct arc *a = &g->arc[g->touching.number[k]];
            if (a->from != order[head] || a->taken || parent[a->to] != UINT32_MAX || !take_arc(g, a, t->trees - 1 - tree))
                continue;
            parent[a->to] = a->from;
            hops[a->to] = hops[a->from] + 1;
            t->ccw[(size_t)tree * g->nodes + a->to] = a->ccw;
            t->depth = hops[a->to] > t->depth ? hops[a->to] : t->depth;
            order[tail++] = a->to;
        }
    assert(tail == g->nodes); /* Edmonds' theorem */
    free(order);
    return RWA_OK;
}

rwa_status disjoint_trees_pack(struct disjoint_trees *out, const rwa_network *net, uint32_t root, rwa_error *err)
{
    struct graph g;
    rwa_status st = RWA_OK;
    *out = (struct disjoint_trees){.nodes = rwa_network_nodes(net), .width = 1};
    TRY(open_graph(&g, net, root, err));
    out->trees = least_cut(&g);
    TRY(base_new(out->parent, (size_t)out->trees * g.nodes, err));
    TRY(base_new(out->hops, (size_t)out->trees * g.nodes, err));
    TRY(base_new(out->ccw, (size_t)out->trees * g.nodes, err));
    TRY(base_new(out->channel, (size_t)out->trees * g.nodes, err));
    for (uint32_t tree = 0; tree < out->trees; tree++)
        TRY(grow_tree(out, &g, tree, err));
done:
    arena_free(&g.memory);
    bins_free(&g.touching);
    return st;
}
