/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "assign/even_mesh.h"

#include "network/network.h"

/* A node of the mesh: its column x and its row y. */
struct mesh_place {
    uint32_t x, y;
};

void even_mesh_of(struct even_mesh *mesh, const rwa_network *net)
{
    struct network_grid grid;
    *mesh = (struct even_mesh){.net = net};
    if (network_grid(&grid, network_canonical(net)) && !grid.cyclic && grid.dimensions == 2 &&
        grid.size[0] == grid.size[1] && grid.size[0] % 2 == 0 && grid.size[0] >= 4)
        mesh->size = grid.size[0];
}

static struct mesh_place place_of(const struct even_mesh *mesh, uint32_t node)
{
    uint32_t number = network_canonical_place(mesh->net, node);
    return (struct mesh_place){number % mesh->size, number / mesh->size};
}

static uint32_t node_at(const struct even_mesh *mesh, uint32_t x, uint32_t y)
{
    assert(x < mesh->size && y < mesh->size);
    return network_canonical_node(mesh->net, y * mesh->size + x);
}

static uint32_t towards(uint32_t from, uint32_t to)
{
    return from < to ? from + 1 : from > to ? from - 1 : from;
}

/* Fill a tree of routes from `root`: tree[v] becomes the link that enters node v.  Tree k = 0 follows the root's row,
 * then columns; tree k = 1 its column, then rows. */
static void fill_tree(void *data, uint32_t root, uint32_t k, uint32_t *tree)
{
    const struct even_mesh *mesh = data;
    struct mesh_place at = place_of(mesh, root);
    for (uint32_t y = 0; y < mesh->size; y++)
        for (uint32_t x = 0; x < mesh->size; x++) {
            bool along_column = k == 0 ? y != at.y : x == at.x;
            uint32_t node = node_at(mesh, x, y);
            uint32_t before = along_column ? node_at(mesh, x, towards(y, at.y)) : node_at(mesh, towards(x, at.x), y);
            tree[node] = node == root ? RWA_NONE : rwa_network_find_link(mesh->net, before, node);
        }
}

static bool is_middle(const struct even_mesh *mesh, uint32_t a, uint32_t b)
{
    return (a < mesh->size / 2) != (b < mesh->size / 2);
}

rwa_status even_mesh_routes(struct source_trees *routes, const struct even_mesh *mesh,
                            const struct routing_graph *graph, const struct traffic *traffic, rwa_error *err)
{
    struct even_mesh copy = *mesh;
    double *price;
    MUST(base_new(price, graph->links, err));
    for (uint32_t a = 0; a < graph->arcs; a++) {
        struct mesh_place from = place_of(mesh, graph->from[a]), to = place_of(mesh, graph->to[a]);
        price[graph->link[a]] = is_middle(mesh, from.x, to.x) || is_middle(mesh, from.y, to.y);
    }
    rwa_status st = source_trees_take(routes, graph, traffic, 2, fill_tree, &copy, price, err);
    free(price);
    return st;
}

/* Return the distance of a row or column number `at`, from 0, from the nearest border of the mesh (from_outside()) or
 * from its middle (from_middle()).  Both distances are counted from 0. */
static uint32_t from_outside(const struct even_mesh *mesh, uint32_t at)
{
    return at < mesh->size / 2 ? at : mesh->size - 1 - at;
}

static uint32_t from_middle(const struct even_mesh *mesh, uint32_t at)
{
    return mesh->size / 2 - 1 - from_outside(mesh, at);
}

static uint32_t diagonal_channel(const struct even_mesh *mesh, struct mesh_place src, struct mesh_place dst)
{
    uint32_t m = mesh->size / 2;
    return (from_outside(mesh, src.x) * m + from_middle(mesh, dst.y)) * m +
           (from_middle(mesh, dst.x) + from_outside(mesh, src.y)) % m;
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

rwa_status even_mesh_start(const struct even_mesh *mesh, const struct tree_fit *fit, struct tree_fit_start *start,
                           struct arena *arena)
{
    uint8_t *route;
    uint32_t *channel, *key;
    const struct traffic *t = fit->routes->traffic;
    MUST(arena_arrays(arena, fit->units, route, channel, key));
    for (uint32_t u = 0; u < fit->units; u++) {
        struct mesh_place src = place_of(mesh, t->src[fit->pair[u]]), dst = place_of(mesh, t->dst[fit->pair[u]]);
        bool diagonal = is_middle(mesh, src.x, dst.x) && is_middle(mesh, src.y, dst.y);
        channel[u] = diagonal ? diagonal_channel(mesh, src, dst) : TREE_FIT_NONE;
        key[u] = 2 * mesh->size - distance(src.x, dst.x) - distance(src.y, dst.y);
    }
    *start = (struct tree_fit_start){.route = route, .channel = channel, .key = key, .keys = 2 * mesh->size + 1};
    return RWA_OK;
}
