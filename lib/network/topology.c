/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of network kinds: names, shapes, capabilities, and the fibre pairs of the kinds that list their links. */
#include "network/network.h"

#include "base/arithmetic.h"

/** Return a * b, or UINT32_MAX if the product is larger; beyond RWA_NODES_MAX the exact number does not matter. */
static uint64_t times(uint64_t a, uint64_t b)
{
    return b != 0 && a > (uint64_t)UINT32_MAX / b ? UINT32_MAX : a * b;
}

static uint64_t grid_nodes(const uint32_t *shape, size_t count)
{
    uint64_t nodes = 1;
    for (size_t d = 0; d < count; d++)
        nodes = times(nodes, shape[d]);
    return nodes;
}

static uint64_t tree_nodes(const uint32_t *shape, size_t count)
{
    (void)count;
    uint64_t nodes = 1, level = 1;
    for (uint32_t d = 0; d < shape[1] && nodes <= RWA_NODES_MAX; d++) {
        level = times(level, shape[0]);
        nodes += level;
    }
    return shape[0] == 0 ? 0 : nodes;
}

/** Return the number of nodes of a circulant, shape[0]; the other numbers of shape[] are its shifts.  0: a shift is
 *  given twice or outside 1 … nodes/2, or the shifts together do not reach every node. */
static uint64_t circulant_nodes(const uint32_t *shape, size_t count)
{
    uint32_t apart = shape[0];
    for (size_t s = 1; s < count; s++) {
        if (shape[s] < 1 || shape[s] > shape[0] / 2)
            return 0;
        for (size_t t = 1; t < s; t++)
            if (shape[t] == shape[s])
                return 0;
        apart = (uint32_t)common_divisor(apart, shape[s]);
    }
    return apart > 1 ? 0 : shape[0];
}

static uint64_t one_number(const uint32_t *shape, size_t count)
{
    return shape[count - 1] < 1 ? 0 : shape[0];
}

static uint64_t hypercube_nodes(const uint32_t *shape, size_t count)
{
    (void)count;
    return shape[0] < 1 ? 0 : shape[0] > 31 ? UINT32_MAX : (uint64_t)1 << shape[0];
}

static uint64_t fat_tree_nodes(const uint32_t *shape, size_t count)
{
    uint64_t k = shape[0], square = times(k, k);
    (void)count;
    return k % 2 ? 0 : times(square, k) / 4 + times(square, 5) / 4;
}

/** Return the number of nodes of a dragonfly, or 0 if its groups cannot all be linked.  shape[] holds the routers of a
 *  group, the number of groups, and the links of a router to other groups. */
static uint64_t dragonfly_nodes(const uint32_t *shape, size_t count)
{
    (void)count;
    return shape[1] < 1 || shape[1] - 1 > times(shape[0], shape[2]) ? 0 : times(shape[0], shape[1]);
}

void pen_draw(struct pen *pen, uint64_t a, uint64_t b)
{
    if (pen->pairs)
        pen->pairs[pen->count] = (rwa_link){.from = (uint32_t)a, .to = (uint32_t)b};
    pen->count++;
}

/** Draw the links of a torus (pen->wraps) or mesh of the dimensions shape[].  Nodes are numbered row by row, the last
 *  dimension fastest. */
static void draw_grid(struct pen *pen, const uint32_t *shape, size_t count)
{
    uint64_t stride[RWA_SHAPE_MAX], nodes = 1;
    for (size_t d = count; d-- > 0; nodes *= shape[d])
        stride[d] = nodes;
    for (uint64_t v = 0; v < nodes; v++)
        for (size_t d = 0; d < count; d++) {
            uint64_t at = v / stride[d] % shape[d];
            if (at + 1 < shape[d])
                pen_draw(pen, v, v + stride[d]);
            else if (pen->wraps && shape[d] > 2)
                pen_draw(pen, v, v - at * stride[d]);
        }
}

static void draw_hypercube(struct pen *pen, const uint32_t *shape, size_t count)
{
    uint32_t dimensions = shape[0];
    (void)count;
    for (uint64_t v = 0; v < (uint64_t)1 << dimensions; v++)
        for (uint32_t d = 0; d < dimensions; d++)
            if (!(v >> d & 1))
                pen_draw(pen, v, v | (uint64_t)1 << d);
}

static void draw_tree(struct pen *pen, const uint32_t *shape, size_t count)
{
    uint64_t nodes = tree_nodes(shape, count);
    for (uint64_t v = 1; v < nodes; v++)
        pen_draw(pen, (v - 1) / shape[0], v);
}

/** Draw a fat tree of switches with shape[0] = k ports: k pods of k/2 edge and k/2 aggregation switches.  Each edge
 *  switch has k/2 hosts and links to all aggregation switches of its pod.  Aggregation switch a of a pod has links to
 *  the core switches a*k/2 … a*k/2 + k/2 - 1.  Numbers: first the hosts, then the switches pod by pod, edge before
 *  aggregation, then the core switches. */
static void draw_fat_tree(struct pen *pen, const uint32_t *shape, size_t count)
{
    (void)count;
    uint64_t k = shape[0], half = k / 2, hosts = k * half * half, core = hosts + k * k;
    for (uint64_t pod = 0; pod < k; pod++) {
        uint64_t edge = hosts + pod * k, aggregation = edge + half;
        for (uint64_t e = 0; e < half; e++)
            for (uint64_t h = 0; h < half; h++)
                pen_draw(pen, (pod * half + e) * half + h, edge + e);
        for (uint64_t e = 0; e < half; e++)
            for (uint64_t a = 0; a < half; a++)
                pen_draw(pen, edge + e, aggregation + a);
        for (uint64_t a = 0; a < half; a++)
            for (uint64_t c = 0; c < half; c++)
                pen_draw(pen, aggregation + a, core + a * half + c);
    }
}

static void draw_circulant(struct pen *pen, const uint32_t *shape, size_t count)
{
    uint64_t nodes = shape[0];
    for (size_t s = 1; s < count; s++)
        for (uint64_t v = 0; v < (2 * (uint64_t)shape[s] == nodes ? nodes / 2 : nodes); v++)
            pen_draw(pen, v, (v + shape[s]) % nodes);
}

/** Draw a dragonfly of fully linked groups of routers; shape[] as in dragonfly_nodes().  Each group has one port for
 *  each other group, the first ports on its first router.  Port p of group g and port groups - 2 - p of group g + 1 + p
 *  (modulo groups) are linked. */
static void draw_dragonfly(struct pen *pen, const uint32_t *shape, size_t count)
{
    (void)count;
    uint64_t routers = shape[0], groups = shape[1], each = shape[2];
    if (!pen->pairs) { /* there may be very many */
        pen->count = groups * (routers * (routers - 1) + groups - 1) / 2;
        return;
    }
    for (uint64_t g = 0; g < groups; g++)
        for (uint64_t a = 0; a < routers; a++)
            for (uint64_t b = a + 1; b < routers; b++)
                pen_draw(pen, g * routers + a, g * routers + b);
    for (uint64_t g = 0; g < groups; g++)
        for (uint64_t to = g + 1; to < groups; to++) {
            uint64_t port = to - g - 1, back = groups - 2 - port;
            pen_draw(pen, g * routers + port / each, to * routers + back / each);
        }
}

static const struct topology topologies[] = {
    {RWA_RING, "ring", "x", 1, 1, "a number of nodes, as in ring:16", NETWORK_CYCLE, one_number, NULL, NULL},
    {RWA_LINE, "line", "x", 1, 1, "a number of nodes, as in line:16", NETWORK_PATH, one_number, NULL, NULL},
    {RWA_TORUS, "torus", "x", 1, RWA_SHAPE_MAX, "sizes of at least 1, as in torus:8x8", NETWORK_TORUS | NETWORK_LISTED,
     grid_nodes, draw_grid, NULL},
    {RWA_MESH, "mesh", "x", 1, RWA_SHAPE_MAX, "sizes of at least 1, as in mesh:4x4", NETWORK_MESH | NETWORK_LISTED,
     grid_nodes, draw_grid, NULL},
    {RWA_HYPERCUBE, "hypercube", "x", 1, 1, "a number of dimensions, as in hypercube:4", NETWORK_LISTED,
     hypercube_nodes, draw_hypercube, NULL},
    {RWA_TREE, "tree", "x", 2, 2, "the children of a node and the depth, as in tree:2x3", NETWORK_LISTED, tree_nodes,
     draw_tree, NULL},
    {RWA_FAT_TREE, "fat-tree", "x", 1, 1, "an even number of ports, as in fat-tree:4", NETWORK_LISTED, fat_tree_nodes,
     draw_fat_tree, NULL},
    {RWA_CIRCULANT, "circulant", ":,", 2, RWA_SHAPE_MAX,
     "nodes and different shifts of at most half as many that reach every node, as in circulant:8:1,2", NETWORK_LISTED,
     circulant_nodes, draw_circulant, NULL},
    {RWA_DRAGONFLY, "dragonfly", ":", 3, 3,
     "routers of a group, groups, and links of a router to other groups that reach them all, as in dragonfly:4:9:2",
     NETWORK_LISTED, dragonfly_nodes, draw_dragonfly, NULL},
    {RWA_WAXMAN, "waxman", ":", 2, 2, "nodes (at most 16384) and a seed, as in waxman:200:7", NETWORK_LISTED,
     seeded_nodes, draw_waxman, seeded_pairs},
    {RWA_GEOMETRIC, "geometric", ":", 2, 2, "nodes (at most 16384) and a seed, as in geometric:200:7", NETWORK_LISTED,
     seeded_nodes, draw_geometric, seeded_pairs},
    {RWA_BARABASI_ALBERT, "barabasi-albert", ":", 3, 3,
     "nodes (at most 16384), links of a newcomer (fewer) and a seed, as in barabasi-albert:200:2:7", NETWORK_LISTED,
     barabasi_albert_nodes, draw_barabasi_albert, barabasi_albert_pairs},
    {RWA_REGULAR, "regular", ":", 3, 3,
     "nodes (at most 16384), a degree of at least 3 that such a network can have and a seed, as in regular:200:4:7",
     NETWORK_LISTED, regular_nodes, draw_regular, regular_pairs},
    {RWA_GRAPH, "graph", "", 0, 0, NULL, NETWORK_LISTED, NULL, NULL, NULL},
    {RWA_STAR, "star", "x", 1, 1, "a number of nodes, as in star:64", NETWORK_STAR, one_number, NULL, NULL},
    {RWA_RON, "ron", "x", 1, 1, "a number of nodes, as in ron:41", NETWORK_PORTS, one_number, NULL, NULL},
    {RWA_OCS, "ocs", "x", 2, 2, "nodes and switches, as in ocs:64x8", NETWORK_SWITCHES, one_number, NULL, NULL},
};

const struct topology *topology_at(size_t i)
{
    return i < sizeof topologies / sizeof *topologies ? &topologies[i] : NULL;
}

const struct topology *topology_of(rwa_topology kind)
{
    const struct topology *t;
    for (size_t i = 0; (t = topology_at(i)) && t->kind != kind;)
        i++;
    return t;
}

const char *rwa_topology_name(rwa_topology kind)
{
    const struct topology *t = topology_of(kind);
    return t ? t->name : NULL;
}

int rwa_topology_find(const char *name)
{
    const struct topology *t = NULL;
    for (size_t i = 0; name && (t = topology_at(i)) && strcmp(t->name, name) != 0;)
        i++;
    return t ? (int)t->kind : -1;
}

uint64_t shape_pairs(rwa_link *pairs, rwa_topology kind, const uint32_t *shape, size_t count)
{
    const struct topology *t = topology_of(kind);
    struct pen pen = {.pairs = pairs, .wraps = kind == RWA_TORUS};
    assert(t && count >= t->least && count <= t->most);
    if (!pairs && t->pairs)
        return t->pairs(shape, count);
    if (t->draw)
        t->draw(&pen, shape, count);
    arena_free(&pen.arena);
    return pen.count;
}

rwa_status shape_nodes(uint32_t *nodes, rwa_topology kind, const uint32_t *shape, size_t count, rwa_error *err)
{
    const struct topology *t = topology_of(kind);
    if (!t || !t->nodes)
        return base_refuse(err, "network kind %d has no shape", (int)kind);
    /* Links of stars and circuit switches are numbered without a list, by 32 bits; those of a ron need no numbers. */
    uint32_t most = t->capabilities & (NETWORK_STAR | NETWORK_SWITCHES) ? 1u << 16 : RWA_NODES_MAX;
    uint64_t found = count >= t->least && count <= t->most ? t->nodes(shape, count) : 0;
    if (found < 2 || found > most)
        return base_refuse(err, "%s: expected %s, and 2 to %u nodes", t->name, t->expected, most);
    *nodes = (uint32_t)found;
    return RWA_OK;
}
