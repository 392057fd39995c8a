/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Many messages on a reconfigurable optical network, without ever retuning a port: as many trees as a node has ports
 * (k), each reaching all nodes; each node is an inner node of one tree only, with k children.  Message m goes down tree
 * m mod k, one level in a step, so that the root sends k messages in a step: ceil(M / k) steps plus the depth of a
 * tree, whereas latency hiding in one set of trees takes M.  (This work; interior-disjoint trees are known from packet
 * networks.)
 *
 * A k-ary tree of n nodes has ceil((n-1) / k) inner ones; all but the last have k children and belong to one tree.  The
 * few nodes that are left share the children that remain.
 */
#include "scheme/published/ron_forest.h"

#include "base/arena.h"
#include "scheme/published/ron.h"

struct forest {
    struct ron_forest of;
    uint32_t root, messages;
};

/** Return the number of nodes of a tree that are inner nodes of this tree only; it is the same for each tree. */
static uint32_t own_count(const struct ron_forest *f)
{
    uint32_t others = f->nodes - 1;
    return others > 1 ? (uint32_t)ceil_div(others - 1, f->ports) - 1 : 0;
}

/** Tell whether a node other than the root may be an inner node of a tree: it may, unless it is reserved as an inner
 * node for another tree. */
static bool passes_on(const struct ron_forest *f, uint32_t tree, uint32_t node)
{
    uint32_t own = own_count(f), first = 1 + tree * own;
    return node > f->trees * own || (node >= first && node < first + own);
}

/** List in `order` the nodes 1 … N-1 as a tree takes them: first the inner nodes reserved for it, then nodes that are
 * reserved for no tree and can still take children (spare[v] > 0), then all others. */
static void order_nodes(uint32_t *order, const struct ron_forest *f, uint32_t tree, const uint32_t *spare)
{
    uint32_t left = 1 + f->trees * own_count(f), count = 0;
    enum { OWN, LEFT_OVER, REST, RANKS };
    for (int rank = OWN; rank < RANKS; rank++)
        for (uint32_t v = 1; v < f->nodes; v++)
            if (rank == (!passes_on(f, tree, v) || (v >= left && spare[v] == 0) ? REST : v >= left ? LEFT_OVER : OWN))
                order[count++] = v;
}

/** Attach the nodes to a tree in the given order.  The first one becomes a child of the root, each later one a child
 * of the first node in the tree that may still take a child.  spare[v] is the number of children that node v may still
 * take in all trees; each child reduces it. */
static void grow_tree(struct ron_forest *f, uint32_t tree, const uint32_t *order, uint32_t *spare)
{
    size_t first = (size_t)tree * (f->nodes - 1), at = first;
    memcpy(f->node + first, order, (f->nodes - 1) * sizeof *order);
    f->depth[first] = 1;
    for (size_t i = first + 1; i < first + f->nodes - 1; i++) {
        while (spare[f->node[at]] == 0 || !passes_on(f, tree, f->node[at]))
            at++;
        spare[f->node[at]]--;
        f->parent[i] = f->node[at];
        f->depth[i] = f->depth[at] + 1;
    }
}

rwa_status ron_forest_plant(struct ron_forest *f, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct arena scratch = {.err = err};
    uint32_t *order, *spare;
    size_t branches = (size_t)f->trees * (f->nodes - 1);
    TRY(arena_arrays(&scratch, f->nodes, order, spare));
    TRY(base_new(f->node, branches, err));
    TRY(base_new(f->parent, branches, err));
    TRY(base_new(f->depth, branches, err));
    for (uint32_t v = 0; v < f->nodes; v++)
        spare[v] = f->ports;
    for (uint32_t tree = 0; tree < f->trees; tree++) {
        order_nodes(order, f, tree, spare);
        grow_tree(f, tree, order, spare);
    }
    for (size_t i = 0; i < branches; i++)
        RAISE(f->deepest, f->depth[i]);
done:
    arena_free(&scratch);
    return st;
}

void ron_forest_free(struct ron_forest *f)
{
    free_all(f->node, f->parent, f->depth);
}

/** Push a step of a tree, from 1: the branches at depth d carry the message that entered the tree d - 1 steps ago. */
static rwa_status carry(struct schedule_sink *sink, const struct forest *f, uint32_t tree, uint32_t step)
{
    const struct ron_forest *of = &f->of;
    size_t first = (size_t)tree * (of->nodes - 1);
    for (size_t i = first; i < first + of->nodes - 1; i++) {
        uint64_t message = (uint64_t)(step - of->depth[i]) * of->trees + tree;
        rwa_lightpath lp = {.step = 1,
                            .src = (of->parent[i] + f->root) % of->nodes,
                            .dst = (of->node[i] + f->root) % of->nodes,
                            .orbit = 1,
                            .wavelength = tree,
                            .block = message};
        if (step >= of->depth[i] && message < f->messages)
            MUST(sink_lightpath(sink, &lp, NULL));
    }
    return RWA_OK;
}

static rwa_status plan_forest(struct schedule_sink *sink, const struct plan_request *request)
{
    const rwa_collective *coll = request->coll;
    struct forest f = {.of = {.nodes = coll->nodes, .ports = ron_ports(request->net)},
                       .root = coll->root,
                       .messages = (uint32_t)coll->blocks};
    rwa_status st = RWA_OK;
    f.of.trees = lesser(lesser(f.of.ports, rwa_network_channels(request->net)), f.messages);
    TRY(ron_forest_plant(&f.of, sink->err));
    for (uint32_t step = 1; step < f.of.deepest + ceil_div(f.messages, f.of.trees); step++) {
        for (uint32_t tree = 0; tree < f.of.trees; tree++)
            TRY(carry(sink, &f, tree, step));
        TRY(sink_end_stage(sink));
    }
done:
    ron_forest_free(&f.of);
    return st;
}

const struct scheme scheme_forest = {
    .name = "forest",
    .summary = "messages take turns on trees, as many as ports; each node passes on in one of them, and no port turns",
    .source = "rwa's own, unpublished",
    .collectives = 1u << RWA_BROADCAST,
    .needs = NETWORK_PORTS,
    .estimate = ron_estimate,
    .plan = plan_forest,
};
