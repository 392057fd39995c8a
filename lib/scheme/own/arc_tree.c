/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Trees on rings and lines, whose lightpaths are all up at once: two paths round a ring, one each way, or one tree of few steps.
 *
 * A gap lies between two holders, with a free channels one way and b the other. The nearer end sends a lightpaths ahead, which cut the
 * gap; beyond the j-th of them j channels are free again. docs/schemes.md, "Pipelined trees on rings and lines".
 */
#include "scheme/own/disjoint_trees.h"

struct tree_maker {
    struct disjoint_trees *t;
    uint32_t width;
    uint32_t *most;             /* [step][a][b]: nodes of a gap that so many steps fill */
    uint32_t *beyond;           /* [step]: nodes beyond the last holder of a line */
    uint32_t steps;
};

static uint32_t *gap_of(const struct tree_maker *m, uint32_t steps, uint32_t a, uint32_t b)
{
    assert(a <= m->width && b <= m->width);
    return &m->most[((size_t)steps * (m->width + 1) + a) * (m->width + 1) + b];
}

static uint32_t sum_up_to(uint64_t sum, uint32_t nodes)
{
    return sum < nodes ? (uint32_t)sum : nodes;
}

/** The nodes that gaps hold after one step more, up to those of the network, from the counts of steps - 1. */
static void count_gaps(struct tree_maker *m, uint32_t steps)
{
    uint32_t nodes = m->t->nodes, width = m->width;
    for (uint32_t a = 0; a <= width; a++)
        for (uint32_t b = 0; b <= width; b++) {
            uint64_t sum = (uint64_t)a + b + *gap_of(m, steps - 1, a, b);
            for (uint32_t j = 0; j < a; j++)
                sum += *gap_of(m, steps - 1, j, b);
            for (uint32_t j = 0; j < b; j++)
                sum += *gap_of(m, steps - 1, a, j);
            *gap_of(m, steps, a, b) = sum_up_to(sum, nodes);
        }
    uint64_t sum = (uint64_t)width + m->beyond[steps - 1];
    for (uint32_t j = 0; j < width; j++)
        sum += *gap_of(m, steps - 1, j, width);
    m->beyond[steps] = sum_up_to(sum, nodes);
}

/** Nodes to be informed between two holders, or beyond the last one; nodes are counted from the first holder on. */
struct gap {
    uint32_t from, nodes;
    bool back, open;            /* counter-clockwise; without a holder at the other end */
    uint32_t a, b;              /* channels free away from the first holder, and towards it */
};

static uint32_t room_of(const struct tree_maker *m, uint32_t steps, uint32_t a, uint32_t b, bool open)
{
    return open ? m->beyond[steps] : *gap_of(m, steps, a, b);
}

static uint32_t node_at(const struct tree_maker *m, const struct gap *gap, uint32_t at)
{
    uint32_t nodes = m->t->nodes;
    return (gap->back ? gap->from + nodes - at % nodes : gap->from + at) % nodes;
}

/** A holder at one place of a gap informs a node at another. */
static void inform(struct tree_maker *m, const struct gap *gap, uint32_t holder, uint32_t at, uint32_t channel)
{
    uint32_t v = node_at(m, gap, at), parent = node_at(m, gap, holder);
    m->t->parent[v] = parent;
    m->t->hops[v] = m->t->hops[parent] + 1;
    m->t->ccw[v] = gap->back != (holder > at);
    m->t->channel[v] = channel;
    m->t->depth = m->t->hops[v] > m->t->depth ? m->t->hops[v] : m->t->depth;
}

/** How a gap is cut: lightpath j of the holder at each end has `size` nodes before it; of no lightpath UINT32_MAX. */
struct cuts {
    uint32_t near[ARC_WIDTH], far[ARC_WIDTH], middle;
};

static void cut_off(uint32_t *size, uint32_t *rest, uint32_t room)
{
    *size = *rest == 0 ? UINT32_MAX : *rest - 1 < room ? *rest - 1 : room;
    *rest -= *rest == 0 ? 0 : *size + 1;
}

/** The middle takes what it can; the ends share the rest. */
static void cut_gap(struct cuts *c, const struct tree_maker *m, const struct gap *gap, uint32_t steps)
{
    uint32_t room = room_of(m, steps, gap->a, gap->b, gap->open);
    c->middle = gap->nodes < room ? gap->nodes : room;
    uint32_t rest = gap->nodes - c->middle;
    for (uint32_t j = m->width; j-- > 0;) {
        c->near[j] = c->far[j] = UINT32_MAX;
        if (j < gap->a)
            cut_off(&c->near[j], &rest, *gap_of(m, steps, j, gap->b));
        if (j < gap->b && !gap->open)
            cut_off(&c->far[j], &rest, *gap_of(m, steps, gap->a, j));
    }
    assert(rest == 0);
}

static void fill_gap(struct tree_maker *m, const struct gap *gap, uint32_t steps);

static void fill_part(struct tree_maker *m, const struct gap *gap, uint32_t at, uint32_t nodes, uint32_t a, uint32_t b, uint32_t steps)
{
    fill_gap(m, &(struct gap){node_at(m, gap, at), nodes, gap->back, false, a, b}, steps);
}

/** In so many steps, of which the first is this. */
static void fill_gap(struct tree_maker *m, const struct gap *gap, uint32_t steps)
{
    struct cuts c;
    uint32_t at = 0;
    if (gap->nodes == 0)
        return;
    assert(steps > 0);
    cut_gap(&c, m, gap, steps - 1);
    for (uint32_t j = 0; j < gap->a; j++) {
        if (c.near[j] == UINT32_MAX)
            continue;
        inform(m, gap, 0, at + c.near[j] + 1, j);
        fill_part(m, gap, at, c.near[j], j, gap->b, steps - 1);
        at += c.near[j] + 1;
    }
    uint32_t end = at + c.middle + 1, middle = at;
    for (uint32_t j = gap->b; j-- > 0 && !gap->open;) {
        if (c.far[j] == UINT32_MAX)
            break;
        inform(m, gap, gap->nodes + 1, end, j);
        end += c.far[j] + 1;
    }
    struct gap between = {node_at(m, gap, middle), c.middle, gap->back, gap->open, gap->a, gap->b};
    fill_gap(m, &between, steps - 1);
    at += c.middle + 1;
    for (uint32_t j = gap->b; j-- > 0 && !gap->open && c.far[j] != UINT32_MAX; at += c.far[j] + 1)
        fill_part(m, gap, at, c.far[j], gap->a, j, steps - 1);
}

/** Steps until all nodes are informed; the tables up to there. */
static rwa_status count_steps(struct tree_maker *m, bool cycle, uint32_t root, rwa_error *err)
{
    uint32_t nodes = m->t->nodes, longer = root > nodes - 1 - root ? root : nodes - 1 - root;
    size_t row = (size_t)(m->width + 1) * (m->width + 1), have = 0, have_beyond = 0;
    bool all = false;
    for (m->steps = 0; !all; m->steps++) {
        MUST(base_grow((void **)&m->most, &have, (m->steps + 1) * row, sizeof *m->most, err));
        MUST(base_grow((void **)&m->beyond, &have_beyond, m->steps + 1, sizeof *m->beyond, err));
        memset(m->most + m->steps * row, 0, row * sizeof *m->most);
        m->beyond[m->steps] = 0;
        if (m->steps > 0)
            count_gaps(m, m->steps);
        all = cycle ? *gap_of(m, m->steps, m->width, m->width) >= nodes - 1 : m->beyond[m->steps] >= longer;
    }
    m->steps--;
    return RWA_OK;
}

rwa_status arc_paths_make(struct disjoint_trees *out, const rwa_network *net, uint32_t root, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    assert(network_is_cycle(net) && root < nodes);
    *out = (struct disjoint_trees){.nodes = nodes, .trees = 2, .width = 1, .depth = nodes - 1};
    MUST(disjoint_trees_open(out, err));
    for (uint32_t ccw = 0; ccw < 2; ccw++)
        for (uint32_t i = 0, v = root, before = root; i < nodes; i++, before = v, v = (ccw ? v + nodes - 1 : v + 1) % nodes) {
            out->parent[ccw * nodes + v] = before;
            out->hops[ccw * nodes + v] = i;
            out->ccw[ccw * nodes + v] = ccw == 1;
        }
    return RWA_OK;
}

rwa_status arc_chains_make(struct disjoint_trees *out, const rwa_network *net, uint32_t root, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), longest[] = {nodes - 1 - root, root};
    assert(network_has_arcs(net) && root < nodes);
    if (network_is_cycle(net)) {
        longest[0] = nodes / 2;
        longest[1] = (nodes - 1) / 2;
    }
    *out = (struct disjoint_trees){.nodes = nodes, .trees = 1, .width = 1, .depth = longest[0] > longest[1] ? longest[0] : longest[1]};
    MUST(disjoint_trees_open(out, err));
    out->parent[root] = root;
    for (uint32_t ccw = 0; ccw < 2; ccw++)
        for (uint32_t i = 1, before = root; i <= longest[ccw]; i++) {
            uint32_t v = node_after(nodes, before, ccw ? RWA_CCW : RWA_CW);
            out->parent[v] = before;
            out->hops[v] = i;
            out->ccw[v] = ccw == 1;
            before = v;
        }
    return RWA_OK;
}

rwa_status arc_tree_make(struct disjoint_trees *out, const rwa_network *net, uint32_t root, uint32_t width, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    struct tree_maker m = {.t = out, .width = width};
    rwa_status st = RWA_OK;
    assert(network_has_arcs(net) && width > 0 && width <= ARC_WIDTH && root < nodes);
    *out = (struct disjoint_trees){.nodes = nodes, .trees = 1, .width = width};
    TRY(disjoint_trees_open(out, err));
    TRY(count_steps(&m, network_is_cycle(net), root, err));
    out->parent[root] = root;
    if (network_is_cycle(net)) {
        fill_gap(&m, &(struct gap){root, nodes - 1, false, false, width, width}, m.steps);
    } else {
        fill_gap(&m, &(struct gap){root, nodes - 1 - root, false, true, width, width}, m.steps);
        fill_gap(&m, &(struct gap){root, root, true, true, width, width}, m.steps);
    }
done:
    free_all(m.most, m.beyond);
    return st;
}
