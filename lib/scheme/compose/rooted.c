/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Phases that begin at a root: a scatter, a broadcast of the whole message, and a broadcast in chunks that travel down
 * several trees at once.  Run backwards they end at the root. */
#include "scheme/compose/matchings.h"

#include "base/arena.h"
#include "place/place.h"
#include "scheme/published/ron_forest.h"

/* ---- scatter ---- */

enum { LEVELS = 32 };

/** Compute quota[t], the largest number of classes that a node sends on a port in step t, from 0, of a scatter to a
 * group of `size` nodes.  A class is the blocks for one node.  *levels becomes the number of steps. */
static void quotas_of(uint64_t quota[LEVELS], uint32_t *levels, uint32_t size, uint32_t ports)
{
    uint64_t left = ceil_div(size - 1, ports), serves = 1, reversed[LEVELS];
    *levels = 0;
    while (left > 0) { /* from the last step backwards, until the root has sent all classes but its own */
        uint64_t q = serves < left ? serves : left;
        assert(*levels < LEVELS);
        reversed[(*levels)++] = q;
        serves += ports * q; /* a node receives its own class, and those that it can still send on */
        left -= q;
    }
    for (uint32_t t = 0; t < *levels; t++)
        quota[t] = reversed[*levels - 1 - t];
}

/** Classes low … high - 1, held by the node of class low. */
struct range {
    uint32_t low, high;
};

static uint32_t node_of(const struct matchings *m, const struct window_groups *g, uint64_t index)
{
    return (uint32_t)((g->root + index) % m->fabric.nodes);
}

/** Let a node send some of the classes that it holds, range[at], on each port.  A class is the blocks for one node;
 * the classes of a range are those of consecutive nodes, the first one of the holder itself.  On a port the last
 * classes of the range, at most `quota`, go to the node that owns the first of them.  They leave range[at] and are
 * appended to `range`, which has *ranges entries, as a range of their own.  The circuits of every port have the
 * pattern `pattern`. */
static void hand_on(struct matchings *m, const struct window_groups *g, struct range *range, size_t at, size_t *ranges,
                    uint64_t quota, uint64_t pattern)
{
    for (uint32_t port = 0; port < m->fabric.ports && range[at].high - range[at].low > 1; port++) {
        uint64_t others = range[at].high - range[at].low - 1, count = others < quota ? others : quota;
        uint32_t low = range[at].high - (uint32_t)count;
        matchings_send(m, port, pattern, node_of(m, g, range[at].low), node_of(m, g, low), count * g->scale);
        matchings_range(m, (g->root + low) * g->scale, count * g->scale, g->size * g->scale);
        range[(*ranges)++] = (struct range){low, range[at].high};
        range[at].high = low;
    }
}

void phase_scatter(struct matchings *m, const struct window_groups *g)
{
    uint64_t quota[LEVELS];
    uint32_t levels = 0;
    size_t ranges = 1, begun = m->turns;
    struct range *range;
    matchings_fail(m, base_new(range, g->size, m->err));
    if (!range)
        return;
    range[0] = (struct range){0, g->size};
    if (g->size > 1)
        quotas_of(quota, &levels, g->size, m->fabric.ports);
    for (uint32_t t = 0; t < levels; t++) {
        matchings_begin(m);
        for (size_t i = 0, before = ranges; i < before; i++)
            hand_on(m, g, range, i, &ranges, quota[t], MATCHING_ONCE(begun, t));
    }
    assert(ranges == g->size);
    free(range);
}

/* ---- copies ---- */

/** Append the steps of a broadcast: in each step, every node that holds the message sends it on all its ports to nodes
 * that lack it. */
void phase_copies(struct matchings *m, const struct window_groups *g)
{
    uint64_t ports = m->fabric.ports;
    size_t begun = m->turns;
    for (uint64_t have = 1, reached; have < g->size; have += reached) {
        reached = have * ports < g->size - have ? have * ports : g->size - have;
        matchings_begin(m);
        for (uint64_t k = 0; k < reached; k++) {
            matchings_send(m, (uint32_t)(k % ports), MATCHING_ONCE(begun, have), node_of(m, g, k / ports),
                           node_of(m, g, have + k), g->scale);
            matchings_range(m, 0, g->scale, g->scale);
        }
    }
}

/* ---- trees ---- */

/** The branches of all trees, with a port for each, such that no node sends or receives twice on one port. */
struct grove {
    struct ron_forest forest;
    uint32_t *port;     /* of each branch; NULL: only the time is wanted */
};

static void grove_free(struct grove *g)
{
    ron_forest_free(&g->forest);
    free(g->port);
}

static rwa_status grove_plant(struct grove *g, const struct matchings *m)
{
    uint32_t nodes = m->fabric.nodes, ports = m->fabric.ports;
    size_t branches = (size_t)ports * (nodes - 1);
    struct budget budget = base_budget(0, NULL, NULL);
    *g = (struct grove){.forest = {.nodes = nodes, .ports = ports, .trees = ports}};
    MUST(ron_forest_plant(&g->forest, m->err));
    if (m->timed)
        return RWA_OK;
    MUST(base_new(g->port, branches, m->err));
    return edges_colour(g->port, nodes, g->forest.parent, g->forest.node, branches, ports, &budget, m->err);
}

/** Append one step of a broadcast in chunks: in each tree, the branches at depth d carry chunk step - d, if there is
 * one.  Steps and depths count from 1, chunks from 0.  A chunk has `scale` blocks in each tree. */
static void send_down(struct matchings *m, const struct grove *g, uint32_t root, uint32_t step, uint32_t chunks,
                      uint64_t scale)
{
    const struct ron_forest *f = &g->forest;
    uint64_t all = (uint64_t)chunks * f->trees * scale;
    matchings_begin(m);
    for (uint32_t p = 0; p < f->ports && m->timed; p++)
        matchings_send(m, p, MATCHING_STANDS, 0, 1, scale);
    for (uint32_t i = 0; i < f->trees * (f->nodes - 1) && !m->timed; i++) {
        uint64_t tree = i / (f->nodes - 1), chunk = (uint64_t)step - f->depth[i];
        if (step < f->depth[i] || chunk >= chunks)
            continue;
        matchings_send(m, g->port[i], MATCHING_STANDS, (f->parent[i] + root) % f->nodes,
                       (f->node[i] + root) % f->nodes, scale);
        matchings_range(m, (chunk * f->trees + tree) * scale, scale, all);
    }
}

void phase_trees(struct matchings *m, uint32_t root, uint32_t chunks, uint64_t scale)
{
    struct grove grove;
    rwa_status st = grove_plant(&grove, m);
    uint32_t steps = grove.forest.deepest + chunks - 1;
    for (uint32_t step = 1; st == RWA_OK && step <= steps; step++)
        send_down(m, &grove, root, step, chunks, scale);
    matchings_fail(m, st);
    grove_free(&grove);
}
