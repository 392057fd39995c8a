/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/layout.h"

#include "network/igraph_guard.h"
#include "network/network.h"

#include <igraph.h>

static void on_circle(double *x, double *y, uint32_t nodes)
{
    for (uint32_t v = 0; v < nodes; v++) {
        x[v] = 0.5 + 0.5 * sin(2 * M_PI * v / nodes);
        y[v] = 0.5 - 0.5 * cos(2 * M_PI * v / nodes);
    }
}

/** Set x[v], y[v] of node v = row * columns + column to its place on a grid in the unit square.  These are the numbers
 *  of the nodes in a torus or mesh. */
static void on_grid(double *x, double *y, uint32_t rows, uint32_t columns)
{
    double pitch = 1.0 / ((rows > columns ? rows : columns) - 1);
    for (uint32_t v = 0; v < rows * columns; v++) {
        x[v] = v % columns * pitch;
        y[v] = v / columns * pitch;
    }
}

/** Scale and move the positions x[v], y[v] into the unit square, keeping their proportions. */
static void fit(double *x, double *y, uint32_t nodes)
{
    double left = x[0], right = x[0], top = y[0], bottom = y[0];
    for (uint32_t v = 1; v < nodes; v++) {
        left = fmin(left, x[v]);
        right = fmax(right, x[v]);
        top = fmin(top, y[v]);
        bottom = fmax(bottom, y[v]);
    }
    double size = fmax(fmax(right - left, bottom - top), 1e-9);
    for (uint32_t v = 0; v < nodes; v++) {
        x[v] = (x[v] - left) / size;
        y[v] = (y[v] - top) / size;
    }
}

/** Tell whether every link has a length. */
static bool has_lengths(const rwa_network *net)
{
    for (uint32_t l = 0; l < net->link_count; l++)
        if (!(net->links[l].length_km > 0))
            return false;
    return net->link_count > 0;
}

/** Rotate the positions x[v], y[v] so that their longest axis is horizontal, since screens and sheets are wider than
 *  high. */
static void turn_flat(double *x, double *y, uint32_t nodes)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (uint32_t v = 0; v < nodes; v++) {
        mean_x += x[v] / nodes;
        mean_y += y[v] / nodes;
    }
    for (uint32_t v = 0; v < nodes; v++) {
        xx += (x[v] - mean_x) * (x[v] - mean_x);
        yy += (y[v] - mean_y) * (y[v] - mean_y);
        xy += (x[v] - mean_x) * (y[v] - mean_y);
    }
    double angle = -0.5 * atan2(2 * xy, xx - yy);
    for (uint32_t v = 0; v < nodes; v++) {
        double dx = x[v] - mean_x, dy = y[v] - mean_y;
        x[v] = dx * cos(angle) - dy * sin(angle);
        y[v] = dx * sin(angle) + dy * cos(angle);
    }
}

/** Tell whether two nodes are so near that they would cover each other. */
static bool is_crowded(const double *x, const double *y, uint32_t nodes)
{
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = a + 1; b < nodes; b++)
            if (hypot(x[a] - x[b], y[a] - y[b]) < NETWORK_NODES_APART)
                return true;
    return false;
}

/** Set x[v], y[v] by igraph's spring model, one spring for each link.  by_length: the length of a spring is
 *  proportional to the square root of its link's length, so that the shortest links stay visible; else all springs are
 *  equally long. */
static rwa_status by_springs(double *x, double *y, const rwa_network *net, bool by_length, rwa_error *err)
{
    struct arena memory = {.err = err};
    igraph_t graph;
    igraph_vector_int_t ends;
    igraph_vector_t weights;
    igraph_matrix_t places;
    igraph_integer_t *end, nodes = net->nodes, links = net->link_count;
    double *length, *place, sum = 0;
    rwa_status st = arena_arrays(&memory, 2 * (size_t)(nodes + links), end, length, place);
    TRY(st);
    for (igraph_integer_t l = 0; l < links; l++) {
        end[2 * l] = net->links[l].from;
        end[2 * l + 1] = net->links[l].to;
        sum += length[l] = sqrt(net->links[l].length_km);
    }
    for (igraph_integer_t l = 0; l < links; l++)
        length[l] = length[l] * (double)links / sum;
    on_circle(place, place + nodes, net->nodes);
    igraph_vector_view(&weights, length, links);
    igraph_matrix_view(&places, place, nodes, 2);
    igraph_guard_enter();
    igraph_vector_int_view(&ends, end, 2 * links);
    igraph_error_t code = igraph_create(&graph, &ends, nodes, IGRAPH_UNDIRECTED);
    if (code == IGRAPH_SUCCESS) {
        code = igraph_layout_kamada_kawai(&graph, &places, 1, 50 * nodes, 0, (igraph_real_t)nodes,
                                          by_length ? &weights : NULL, NULL, NULL, NULL, NULL);
        igraph_destroy(&graph);
    }
    st = igraph_guard_status((int)code, "placing the nodes", err);
    igraph_guard_leave();
    TRY(st);
    memcpy(x, place, net->nodes * sizeof *x);
    memcpy(y, place + nodes, net->nodes * sizeof *y);
    if (by_length)
        turn_flat(x, y, net->nodes);
    fit(x, y, net->nodes);
done:
    arena_free(&memory);
    return st;
}

/** Set x[v], y[v] to the position of the same node in the layout of the canonical network, which has the same shape but
 *  other node numbers. */
static rwa_status by_shape(double *x, double *y, const rwa_network *net, rwa_error *err)
{
    const rwa_network *canonical = network_canonical(net);
    double *places = base_array(2 * (size_t)net->nodes, sizeof *places, err);
    if (!places)
        return RWA_NOMEM;
    rwa_status st = network_layout(places, places + net->nodes, canonical, NETWORK_NODES_APART, err);
    for (uint32_t v = 0; v < net->nodes && st == RWA_OK; v++) {
        x[v] = places[network_canonical_place(net, v)];
        y[v] = places[net->nodes + network_canonical_place(net, v)];
    }
    free(places);
    return st;
}

/** Set x[v], y[v] from the known positions, as large as the unit square allows.  Nodes nearer to each other than
 *  `apart` move apart; if there are too many nodes for this distance, a smaller one is used. */
static void on_map(double *x, double *y, const rwa_network *net, double apart)
{
    double least = fmin(apart, 0.5 / sqrt(net->nodes));
    layout_by_positions(x, y, net);
    fit(x, y, net->nodes);
    layout_part(x, y, net->nodes, least);
    fit(x, y, net->nodes);
}

rwa_status network_layout(double *x, double *y, const rwa_network *net, double apart, rwa_error *err)
{
    struct network_grid grid;
    rwa_status st = RWA_OK;
    uint32_t known = network_known_positions(net);
    if (known > 0 && 2 * (uint64_t)known >= net->nodes) {
        on_map(x, y, net, apart);
        return RWA_OK;
    }
    if (network_canonical(net) != net && !has_lengths(net))
        return by_shape(x, y, net, err);
    if (network_grid(&grid, net) && grid.dimensions == 2)
        on_grid(x, y, grid.size[0], grid.size[1]);
    else if (network_is_path(net))
        on_grid(x, y, 1, net->nodes);
    else if (network_is_cycle(net) || network_is_one_hop(net))
        on_circle(x, y, net->nodes);
    else
        st = by_springs(x, y, net, has_lengths(net), err);
    if (st == RWA_OK && has_lengths(net) && is_crowded(x, y, net->nodes))
        st = by_springs(x, y, net, false, err);
    return st;
}
