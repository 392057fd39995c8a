/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finds whether the links of a network form a Cartesian product of paths and cycles: a line, ring, mesh or torus.
 *  The search follows the dimensions of the product from its corner, a node of the least degree. */

#include "network/network.h"

/** The nodes that lie on one dimension of a product of paths and cycles, starting at its corner. */
struct axis {
    uint32_t first;         /* the corner's neighbour along the axis */
    uint32_t last;          /* the corner's other neighbour, if the axis is a cycle; else RWA_NONE */
    uint32_t size;
    uint32_t stride;        /* difference between the cell numbers of neighbours */
};

/** A product of paths and cycles that is being found in a network.  Each node gets a cell; cell numbers count the last
 *  dimension fastest. */
struct grid {
    const rwa_network *net;
    uint32_t nodes, corner;
    struct axis axis[RWA_SHAPE_MAX];
    size_t dimensions;
    uint32_t *cell;         /* the node of each cell */
    uint32_t *place;        /* the cell of each node, RWA_NONE: none yet */
};

static uint32_t degree(const rwa_network *net, uint32_t v)
{
    return net->first[v + 1] - net->first[v];
}

/** Return neighbour number k, from 0, of node v.  Neighbours are in ascending order. */
static uint32_t neighbour(const rwa_network *net, uint32_t v, uint32_t k)
{
    assert(k < degree(net, v));
    return net->links[net->out[net->first[v] + k]].to;
}

static bool adjacent(const rwa_network *net, uint32_t a, uint32_t b)
{
    return graph_find_link(net, a, b) != RWA_NONE;
}

/** Tell whether no link has a reserved channel of its own, all links have equally many fibres and an opposite link, and
 *  no two are parallel. */
static bool is_uniform(const rwa_network *net)
{
    if (net->reserved_count > 0 || net->link_count == 0)
        return false;
    for (uint32_t v = 0; v < net->nodes; v++)
        for (uint32_t k = 0; k < degree(net, v); k++) {
            uint32_t to = neighbour(net, v, k);
            bool parallel = k > 0 && neighbour(net, v, k - 1) == to, opposite = net->paired || adjacent(net, to, v);
            if (parallel || !opposite || net->links[net->out[net->first[v] + k]].fibers != net->links[0].fibers)
                return false;
        }
    return true;
}

/** Tell whether adding 1 to all node numbers, modulo the number of nodes, maps links to links.  The links must be
 *  uniform (is_uniform()). */
static bool is_cyclic(const rwa_network *net)
{
    for (uint32_t i = 0; i < net->link_count; i++)
        if (!adjacent(net, (net->links[i].from + 1) % net->nodes, (net->links[i].to + 1) % net->nodes))
            return false;
    return true;
}

/* ---- products ---- */

/** Return the number of neighbours that nodes a and b have in common.  Set *other to one of them that is not node
 *  `but`, or to RWA_NONE if there is none. */
static uint32_t common(uint32_t *other, const rwa_network *net, uint32_t a, uint32_t b, uint32_t but)
{
    uint32_t count = 0, i = 0, k = 0;
    *other = RWA_NONE;
    while (i < degree(net, a) && k < degree(net, b)) {
        uint32_t x = neighbour(net, a, i), y = neighbour(net, b, k);
        if (x == y) {
            count++;
            *other = x == but ? *other : x;
        }
        i += x <= y;
        k += y <= x;
    }
    return count;
}

/** Tell whether two neighbours a and b of node `middle` lie on the same dimension of a product of paths and cycles.  If
 *  they did not, the three nodes would be corners of a square, and a and b would have a second common neighbour. */
static bool in_line(const rwa_network *net, uint32_t a, uint32_t middle, uint32_t b)
{
    uint32_t other;
    return adjacent(net, a, b) || common(&other, net, a, b, middle) == 1;
}

/** Store the dimensions of the product in g, as found from the neighbours of its corner, g->corner.  Two neighbours on
 *  the same cycle make one dimension; every other neighbour makes one alone.  A cycle of 4 appears as two dimensions of
 *  size 2.
 *  Return false if there are too many dimensions, or one neighbour lies in line with two others. */
static bool find_axes(struct grid *g)
{
    uint32_t count = degree(g->net, g->corner);
    bool paired[2 * RWA_SHAPE_MAX] = {false};
    if (count > 2 * RWA_SHAPE_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct axis a = {.first = neighbour(g->net, g->corner, i), .last = RWA_NONE};
        if (paired[i])
            continue;
        for (uint32_t k = i + 1; k < count; k++) {
            uint32_t other = neighbour(g->net, g->corner, k);
            if (!in_line(g->net, a.first, g->corner, other))
                continue;
            if (paired[k] || a.last != RWA_NONE)
                return false;
            paired[k] = true;
            a.last = other;
        }
        if (g->dimensions == RWA_SHAPE_MAX)
            return false;
        g->axis[g->dimensions++] = a;
    }
    return true;
}

/** Continue a walk along a dimension from node `before` to node `at`: set *next to the node after `at`, or to RWA_NONE
 *  if the dimension ends there.  Return false if several nodes could come next. */
static bool go_straight(uint32_t *next, const struct grid *g, uint32_t before, uint32_t at)
{
    *next = RWA_NONE;
    for (uint32_t k = 0; k < degree(g->net, at); k++) {
        uint32_t v = neighbour(g->net, at, k);
        if (v == before || !in_line(g->net, before, at, v))
            continue;
        if (*next != RWA_NONE)
            return false;
        *next = v;
    }
    return true;
}

static bool put(struct grid *g, uint32_t cell, uint32_t node)
{
    if (node == RWA_NONE || g->place[node] != RWA_NONE)
        return false;
    g->cell[cell] = node;
    g->place[node] = cell;
    return true;
}

/** Walk along dimension a from the corner to its end or, on a cycle, to the corner's other neighbour.  Store the size
 *  of the dimension in a, and in g each node on the walk with its cell.  Return false if the dimension is neither a
 *  path nor a cycle, or has more cells than the network has nodes. */
static bool measure(struct grid *g, struct axis *a)
{
    uint32_t before = g->corner, at = a->first, next;
    for (a->size = 1; at != RWA_NONE; at = next) {
        if ((uint64_t)a->size * a->stride >= g->nodes || !put(g, a->size++ * a->stride, at))
            return false;
        if (at == a->last)
            return true;
        if (a->last != RWA_NONE && adjacent(g->net, at, a->last))
            next = a->last;
        else if (!go_straight(&next, g, before, at))
            return false;
        before = at;
    }
    return a->last == RWA_NONE;
}

COMPARATOR(far_first, struct axis, DOWN(first))

/** Measure all dimensions of the product in g, sorted such that a network numbered row by row keeps its node numbers.
 *  Return false if the sizes do not multiply to the number of nodes. */
static bool measure_all(struct grid *g)
{
    uint64_t cells = 1;
    qsort(g->axis, g->dimensions, sizeof *g->axis, far_first);
    for (size_t d = g->dimensions; d-- > 0;) {
        g->axis[d].stride = (uint32_t)cells;
        if (!measure(g, &g->axis[d]))
            return false;
        cells *= g->axis[d].size;
        if (cells > g->nodes)
            return false;
    }
    return cells == g->nodes;
}

/** Find the node of cell number `cell` of g and store it in g; return false if there is none.  Cells that differ from
 *  the corner in one dimension have their nodes already.  Any other cell is the fourth corner of a square whose other
 *  three cells have theirs. */
static bool fill_cell(struct grid *g, uint32_t cell)
{
    uint32_t back[2], node;
    size_t found = 0;
    for (size_t d = 0; d < g->dimensions && found < 2; d++)
        if (cell / g->axis[d].stride % g->axis[d].size > 0)
            back[found++] = g->axis[d].stride;
    assert(found > 0);
    if (found == 1)
        return true;
    return common(&node, g->net, g->cell[cell - back[0]], g->cell[cell - back[1]], g->cell[cell - back[0] - back[1]]) ==
               2 &&
           put(g, cell, node);
}

/** Tell whether the network has exactly the links of the product in g. */
static bool has_links(const struct grid *g)
{
    uint64_t links = 0;
    for (uint32_t c = 0; c < g->nodes; c++)
        for (size_t d = 0; d < g->dimensions; d++) {
            const struct axis *a = &g->axis[d];
            uint32_t at = c / a->stride % a->size;
            if (at + 1 == a->size && a->last == RWA_NONE)
                continue;
            uint32_t next = at + 1 < a->size ? c + a->stride : c - at * a->stride;
            if (!adjacent(g->net, g->cell[c], g->cell[next]))
                return false;
            links += 2;
        }
    return links == g->net->link_count;
}

/** Store a hypercube in g as a product of dimensions of size 2, each node in the cell of its number.  This avoids the
 *  search of find_axes() and measure_all(), which takes a second for 2^20 nodes. */
static void take_hypercube(struct grid *g)
{
    uint32_t nodes = g->nodes;
    assert(nodes == 1u << g->net->shape[0]);
    for (g->dimensions = 0; nodes > 1; nodes /= 2)
        g->axis[g->dimensions++] = (struct axis){.first = nodes / 2, .last = RWA_NONE, .size = 2, .stride = nodes / 2};
    for (uint32_t c = 0; c < g->nodes; c++)
        g->cell[c] = c;
}

static bool find_cells(struct grid *g)
{
    if (g->net->kind == RWA_HYPERCUBE) {
        take_hypercube(g);
        return true;
    }
    memset(g->place, 0xff, g->nodes * sizeof *g->place);
    for (uint32_t v = 1; v < g->nodes; v++)
        if (degree(g->net, v) < degree(g->net, g->corner))
            g->corner = v;
    if (degree(g->net, g->corner) < 1 || !find_axes(g) || !put(g, 0, g->corner) || !measure_all(g))
        return false;
    for (uint32_t c = 1; c < g->nodes; c++)
        if (!fill_cell(g, c))
            return false;
    return has_links(g);
}

/** A dimension of a torus or mesh, and the strides of the axes of the product that form it. */
struct dimension {
    uint32_t size, stride;
    uint32_t second;        /* 0, or the stride of the second of two axes of size 2, which form a dimension of size 4 */
};

struct folded {
    struct dimension at[RWA_SHAPE_MAX];
    uint32_t size[RWA_SHAPE_MAX];
    size_t count;
};

/* The shape does not depend on the order of dimensions, and plans are more often quicker in this one. */
COMPARATOR(larger_first, struct dimension, DOWN(size) DOWN(stride))

/** Store in f the dimensions of the canonical network, the largest first, as they follow from those of the product in
 *  g.  Without paths of more than 2 nodes, two dimensions of size 2 become one cycle of 4.  Return the kind: RWA_TORUS
 *  or RWA_MESH, for one dimension RWA_RING or RWA_LINE.  0: the product has both cycles and paths of more than 2
 *  nodes. */
static rwa_topology fold(struct folded *f, const struct grid *g)
{
    size_t open = 0, cycles = 0, half = RWA_SHAPE_MAX;
    for (size_t d = 0; d < g->dimensions; d++) {
        cycles += g->axis[d].last != RWA_NONE;
        open += g->axis[d].last == RWA_NONE && g->axis[d].size > 2;
    }
    if (open > 0 && cycles > 0)
        return (rwa_topology)0;
    for (size_t d = 0; d < g->dimensions; d++) {
        const struct axis *a = &g->axis[d];
        bool pair = a->size == 2 && open == 0;
        if (pair && half < RWA_SHAPE_MAX) {
            f->at[half].size = 4;
            f->at[half].second = a->stride;
            half = RWA_SHAPE_MAX;
            continue;
        }
        half = pair ? f->count : half;
        f->at[f->count++] = (struct dimension){a->size, a->stride, 0};
    }
    base_sort(f->at, f->count, larger_first);
    for (size_t d = 0; d < f->count; d++)
        f->size[d] = f->at[d].size;
    if (f->count == 1)
        return cycles > 0 || f->at[0].second ? RWA_RING : RWA_LINE;
    return open > 0 ? RWA_MESH : RWA_TORUS;
}

/** Set node[p], for every node p of the canonical network, to the network's own number of this node.  Where a cycle of
 *  4 replaced two dimensions of size 2, its nodes 0 to 3 have the coordinates (0,0), (0,1), (1,1), (1,0) in these
 *  two. */
static void number_nodes(uint32_t *node, const struct grid *g, const struct folded *f)
{
    for (uint32_t p = 0; p < g->nodes; p++) {
        uint32_t cell = 0, rest = p;
        for (size_t d = f->count; d-- > 0;) {
            const struct dimension *along = &f->at[d];
            uint32_t at = rest % along->size;
            rest /= along->size;
            cell += along->second ? (at >= 2) * along->stride + (at == 1 || at == 2) * along->second
                                  : at * along->stride;
        }
        assert(cell < g->nodes);
        node[p] = g->cell[cell];
    }
}

/* ---- the canonical network ---- */

static rwa_status find_product(rwa_topology *kind, struct folded *f, uint32_t *node, const rwa_network *net,
                               rwa_error *err)
{
    struct grid g = {.net = net, .nodes = net->nodes};
    struct arena arena = {.err = err};
    rwa_status st = RWA_OK;
    TRY(arena_arrays(&arena, net->nodes, g.cell, g.place));
    *kind = find_cells(&g) ? fold(f, &g) : (rwa_topology)0;
    if (*kind)
        number_nodes(node, &g, f);
done:
    arena_free(&arena);
    return st;
}

static bool is_identity(const uint32_t *node, uint32_t nodes)
{
    for (uint32_t v = 0; v < nodes; v++)
        if (node[v] != v)
            return false;
    return true;
}

static rwa_status take_places(rwa_network *net, const uint32_t *node)
{
    uint32_t nodes = net->nodes;
    if (is_identity(node, nodes))
        return RWA_OK;
    arena_copy(&net->arena, net->form.node, node, nodes);
    arena_new(&net->arena, net->form.place, nodes);
    for (uint32_t p = 0; p < nodes && net->form.place; p++)
        net->form.place[node[p]] = p;
    return arena_status(&net->arena);
}

static bool is_itself(const rwa_network *net, rwa_topology kind, const struct folded *f, const uint32_t *node)
{
    return net->kind == kind && net->shape_count == f->count &&
           memcmp(net->shape, f->size, f->count * sizeof *f->size) == 0 && is_identity(node, net->nodes);
}

static rwa_status make_canonical(rwa_network *net, rwa_topology kind, const struct folded *f, const uint32_t *node,
                                 rwa_error *err)
{
    rwa_network_options o = network_options_like(net);
    o.fibers = net->links[0].fibers;
    o.slot_hz = 0;
    MUST(rwa_network_create_shape(&net->form.canonical, kind, f->size, f->count, &o, err));
    return take_places(net, node);
}

/** Tell whether a torus or mesh is its own canonical network.  It is not if some dimension has size 1 or is smaller
 *  than the next one, or if two dimensions of size 2 make a cycle of 4. */
static bool is_canonical_kind(const rwa_network *net)
{
    size_t pairs = 0, single = 0, rises = 0;
    for (size_t d = 0; d < net->shape_count; d++) {
        pairs += net->shape[d] == 2;
        single += net->shape[d] == 1;
        rises += d > 0 && net->shape[d] > net->shape[d - 1];
    }
    return (net->kind == RWA_TORUS || net->kind == RWA_MESH) && net->shape_count > 1 && single + rises == 0 &&
           (pairs < 2 || (net->kind == RWA_MESH && pairs < net->shape_count));
}

rwa_status shape_find(rwa_network *net, rwa_error *err)
{
    struct folded f = {.count = 0};
    rwa_topology kind;
    uint32_t *node = NULL;
    rwa_status st = RWA_OK;
    if (!net->links || is_canonical_kind(net) || !is_uniform(net))
        return RWA_OK;
    net->form.cyclic = is_cyclic(net);
    MUST(base_new(node, net->nodes, err));
    TRY(find_product(&kind, &f, node, net, err));
    if (kind && !is_itself(net, kind, &f, node))
        TRY(make_canonical(net, kind, &f, node, err));
done:
    free(node);
    return st;
}

rwa_status shape_copy(rwa_network *copy, const rwa_network *net, rwa_error *err)
{
    const struct network_shape *shape = &net->form;
    if (!shape->canonical)
        return RWA_OK;
    copy->form.canonical = network_copy(shape->canonical, err);
    arena_copy(&copy->arena, copy->form.node, shape->node, net->nodes);
    arena_copy(&copy->arena, copy->form.place, shape->place, net->nodes);
    return copy->form.canonical ? arena_status(&copy->arena) : RWA_NOMEM;
}
