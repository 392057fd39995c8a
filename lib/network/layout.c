/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/layout.h"

#include "network/graphs.h"
#include "network/network.h"

#include <igraph.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

static void on_circle(double *x, double *y, uint32_t nodes)
{
    for (uint32_t v = 0; v < nodes; v++) {
        x[v] = 0.5 + 0.5 * sin(2 * pi * v / nodes);
        y[v] = 0.5 - 0.5 * cos(2 * pi * v / nodes);
    }
}

/** Node v = row * columns + column, as torus and mesh number them. */
static void on_grid(double *x, double *y, uint32_t rows, uint32_t columns)
{
    double pitch = 1.0 / ((rows > columns ? rows : columns) - 1);
    for (uint32_t v = 0; v < rows * columns; v++) {
        x[v] = v % columns * pitch;
        y[v] = v / columns * pitch;
    }
}

/** Into the unit square, shape kept. */
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

static igraph_error_t join(igraph_t *graph, const rwa_network *net)
{
    igraph_vector_int_t ends;
    igraph_error_t code = igraph_vector_int_init(&ends, 2 * (igraph_integer_t)net->link_count);
    if (code != IGRAPH_SUCCESS)
        return code;
    for (uint32_t l = 0; l < net->link_count; l++) {
        VECTOR(ends)[2 * l] = net->links[l].from;
        VECTOR(ends)[2 * l + 1] = net->links[l].to;
    }
    code = igraph_create(graph, &ends, net->nodes, IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&ends);
    return code;
}

/** The springs start from the circle, so nothing is left to chance. */
static igraph_error_t relax(const igraph_t *graph, double *x, double *y, uint32_t nodes)
{
    igraph_matrix_t places;
    igraph_error_t code = igraph_matrix_init(&places, nodes, 2);
    if (code != IGRAPH_SUCCESS)
        return code;
    on_circle(x, y, nodes);
    for (uint32_t v = 0; v < nodes; v++) {
        MATRIX(places, v, 0) = x[v];
        MATRIX(places, v, 1) = y[v];
    }
    code = igraph_layout_kamada_kawai(graph, &places, 1, 50 * (igraph_integer_t)nodes, 0, nodes, NULL, NULL, NULL, NULL, NULL);
    for (uint32_t v = 0; v < nodes; v++) {
        x[v] = MATRIX(places, v, 0);
        y[v] = MATRIX(places, v, 1);
    }
    igraph_matrix_destroy(&places);
    return code;
}

static rwa_status by_springs(double *x, double *y, const rwa_network *net, rwa_error *err)
{
    igraph_t graph;
    rwa_status st = RWA_OK;
    graphs_lock();
    igraph_error_t code = join(&graph, net);
    if (code == IGRAPH_SUCCESS) {
        code = relax(&graph, x, y, net->nodes);
        igraph_destroy(&graph);
    }
    st = graphs_status((int)code, "placing the nodes", err);
    graphs_unlock();
    if (st == RWA_OK)
        fit(x, y, net->nodes);
    return st;
}

rwa_status network_layout(double *x, double *y, const rwa_network *net, rwa_error *err)
{
    struct network_grid grid;
    if (network_grid(&grid, net) && grid.dimensions == 2)
        on_grid(x, y, grid.size[0], grid.size[1]);
    else if (network_is_path(net))
        on_grid(x, y, 1, net->nodes);
    else if (network_is_cycle(net) || network_is_one_hop(net))
        on_circle(x, y, net->nodes);
    else
        return by_springs(x, y, net, err);
    return RWA_OK;
}
