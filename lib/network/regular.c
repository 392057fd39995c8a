/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The fibre pairs of the regular networks that list their links. */
#include "network/network.h"

#include "base/base.h"

/** Counts what is drawn, and writes it down when it has paper. */
struct pen {
    rwa_link *pairs;
    uint64_t count;
};

static void draw(struct pen *pen, uint64_t a, uint64_t b)
{
    if (pen->pairs)
        pen->pairs[pen->count] = (rwa_link){.from = (uint32_t)a, .to = (uint32_t)b};
    pen->count++;
}

/** Along the last dimension neighbours are 1 apart, along the one before as far as the last is long, and so on. */
static void draw_grid(struct pen *pen, const uint32_t *shape, size_t count, uint64_t nodes, bool wraps)
{
    uint64_t stride[RWA_SHAPE_MAX];
    uint64_t step = 1;
    for (size_t d = count; d-- > 0; step *= shape[d])
        stride[d] = step;
    for (uint64_t v = 0; v < nodes; v++)
        for (size_t d = 0; d < count; d++) {
            uint64_t at = v / stride[d] % shape[d];
            if (at + 1 < shape[d])
                draw(pen, v, v + stride[d]);
            else if (wraps && shape[d] > 2)
                draw(pen, v, v - at * stride[d]);
        }
}

static void draw_hypercube(struct pen *pen, uint32_t dimensions)
{
    for (uint64_t v = 0; v < (uint64_t)1 << dimensions; v++)
        for (uint32_t d = 0; d < dimensions; d++)
            if (!(v >> d & 1))
                draw(pen, v, v | (uint64_t)1 << d);
}

static void draw_tree(struct pen *pen, uint32_t arity, uint64_t nodes)
{
    for (uint64_t v = 1; v < nodes; v++)
        draw(pen, (v - 1) / arity, v);
}

/** Edge switch e of a pod serves hosts e*k/2 …; aggregation switch a of every pod reaches the core switches a*k/2 …. */
static void draw_fat_tree(struct pen *pen, uint64_t k)
{
    uint64_t half = k / 2, hosts = k * half * half, core = hosts + k * k;
    for (uint64_t pod = 0; pod < k; pod++) {
        uint64_t edge = hosts + pod * k, aggregation = edge + half;
        for (uint64_t e = 0; e < half; e++)
            for (uint64_t h = 0; h < half; h++)
                draw(pen, (pod * half + e) * half + h, edge + e);
        for (uint64_t e = 0; e < half; e++)
            for (uint64_t a = 0; a < half; a++)
                draw(pen, edge + e, aggregation + a);
        for (uint64_t a = 0; a < half; a++)
            for (uint64_t c = 0; c < half; c++)
                draw(pen, aggregation + a, core + a * half + c);
    }
}

static void draw_circulant(struct pen *pen, const uint32_t *shape, size_t count)
{
    uint64_t nodes = shape[0];
    for (size_t s = 1; s < count; s++)
        for (uint64_t v = 0; v < (2 * (uint64_t)shape[s] == nodes ? nodes / 2 : nodes); v++)
            draw(pen, v, (v + shape[s]) % nodes);
}

uint64_t shape_pairs(rwa_link *pairs, rwa_topology kind, const uint32_t *shape, size_t count)
{
    struct pen pen = {pairs, 0};
    uint32_t nodes = 0;
    if (shape_nodes(&nodes, kind, shape, count, NULL) != RWA_OK)
        return 0;
    switch (kind) {
    case RWA_TORUS:
    case RWA_MESH:
        draw_grid(&pen, shape, count, nodes, kind == RWA_TORUS);
        break;
    case RWA_HYPERCUBE:
        draw_hypercube(&pen, shape[0]);
        break;
    case RWA_TREE:
        draw_tree(&pen, shape[0], nodes);
        break;
    case RWA_FAT_TREE:
        draw_fat_tree(&pen, shape[0]);
        break;
    case RWA_CIRCULANT:
        draw_circulant(&pen, shape, count);
        break;
    case RWA_RING:
    case RWA_LINE:
    case RWA_GRAPH:
    case RWA_STAR:
    case RWA_RON:
    case RWA_OCS:
        break;
    }
    return pen.count;
}

/** Beyond RWA_NODES_MAX the exact number does not matter; it never overflows. */
static uint64_t times(uint64_t a, uint64_t b)
{
    return b != 0 && a > (uint64_t)UINT32_MAX / b ? UINT32_MAX : a * b;
}

static uint64_t product(const uint32_t *shape, size_t count)
{
    uint64_t nodes = 1;
    for (size_t d = 0; d < count; d++)
        nodes = times(nodes, shape[d]);
    return nodes;
}

static uint64_t tree_nodes(uint32_t arity, uint32_t depth)
{
    uint64_t nodes = 1, level = 1;
    for (uint32_t d = 0; d < depth && nodes <= RWA_NODES_MAX; d++) {
        level = times(level, arity);
        nodes += level;
    }
    return arity == 0 ? 0 : nodes;
}

/** 0 when a shift is outside 1 … nodes/2 or comes twice. */
static uint64_t circulant_nodes(const uint32_t *shape, size_t count)
{
    for (size_t s = 1; s < count; s++) {
        if (shape[s] < 1 || shape[s] > shape[0] / 2)
            return 0;
        for (size_t t = 1; t < s; t++)
            if (shape[t] == shape[s])
                return 0;
    }
    return shape[0];
}

static uint64_t count_nodes(rwa_topology kind, const uint32_t *shape, size_t count)
{
    switch (kind) {
    case RWA_TORUS:
    case RWA_MESH:
        return product(shape, count);
    case RWA_HYPERCUBE:
        return shape[0] < 1 ? 0 : shape[0] > 31 ? UINT32_MAX : (uint64_t)1 << shape[0];
    case RWA_TREE:
        return tree_nodes(shape[0], shape[1]);
    case RWA_FAT_TREE:
        return shape[0] % 2 || shape[0] < 2 ? 0
               : times(times(shape[0], shape[0]), shape[0]) / 4 + times(times(shape[0], shape[0]), 5) / 4;
    case RWA_CIRCULANT:
        return circulant_nodes(shape, count);
    case RWA_OCS:
        return shape[1] < 1 ? 0 : shape[0];
    case RWA_RING:
    case RWA_LINE:
    case RWA_GRAPH:
    case RWA_STAR:
    case RWA_RON:
        break;
    }
    return shape[0];
}

static const struct {
    rwa_topology kind;
    size_t least, most;     /* numbers of its shape */
    const char *expected;
} rules[] = {
    {RWA_RING, 1, 1, "a number of nodes, as in ring:16"},
    {RWA_LINE, 1, 1, "a number of nodes, as in line:16"},
    {RWA_TORUS, 1, RWA_SHAPE_MAX, "sizes of at least 1, as in torus:8x8"},
    {RWA_MESH, 1, RWA_SHAPE_MAX, "sizes of at least 1, as in mesh:4x4"},
    {RWA_HYPERCUBE, 1, 1, "a number of dimensions, as in hypercube:4"},
    {RWA_TREE, 2, 2, "the children of a node and the depth, as in tree:2x3"},
    {RWA_FAT_TREE, 1, 1, "an even number of ports, as in fat-tree:4"},
    {RWA_CIRCULANT, 2, RWA_SHAPE_MAX, "nodes and different shifts of at most half as many, as in circulant:8:1,2"},
    {RWA_STAR, 1, 1, "a number of nodes, as in star:64"},
    {RWA_RON, 1, 1, "a number of nodes, as in ron:41"},
    {RWA_OCS, 2, 2, "nodes and switches, as in ocs:64x8"},
};

rwa_status shape_nodes(uint32_t *nodes, rwa_topology kind, const uint32_t *shape, size_t count, rwa_error *err)
{
    /* Their links are numbered without a list, by 32 bits; those of a ron need no numbers. */
    bool full = kind == RWA_STAR || kind == RWA_OCS;
    uint32_t most = full ? 1u << 16 : RWA_NODES_MAX;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].kind != kind)
            continue;
        bool fits = count >= rules[i].least && count <= rules[i].most;
        uint64_t found = fits ? count_nodes(kind, shape, count) : 0;
        if (found < 2 || found > most)
            return base_fail(err, RWA_BADARG, "%s: expected %s, and 2 to %u nodes", rwa_topology_name(kind),
                             rules[i].expected, most);
        *nodes = (uint32_t)found;
        return RWA_OK;
    }
    return base_fail(err, RWA_BADARG, "network kind %d has no shape", (int)kind);
}
