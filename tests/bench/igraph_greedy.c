/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * igraph's greedy colouring of a conflict graph: reads "VERTICES EDGES" and the edges, prints the colours and
 * the processor seconds of graph and colouring.  For tests/bench/networks.py.
 */
#include <igraph.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
    unsigned vertices = 0, edges = 0, from = 0, to = 0;
    igraph_vector_int_t ends, colour;
    igraph_t graph;
    if (scanf("%u %u", &vertices, &edges) != 2)
        return 2;
    igraph_vector_int_init(&ends, 2 * (igraph_integer_t)edges);
    for (unsigned e = 0; e < edges && scanf("%u %u", &from, &to) == 2; e++) {
        VECTOR(ends)[2 * e] = from;
        VECTOR(ends)[2 * e + 1] = to;
    }
    clock_t begin = clock();
    igraph_create(&graph, &ends, vertices, IGRAPH_UNDIRECTED);
    igraph_vector_int_init(&colour, 0);
    igraph_vertex_coloring_greedy(&graph, &colour, IGRAPH_COLORING_GREEDY_COLORED_NEIGHBORS);
    printf("%d %g\n", (int)igraph_vector_int_max(&colour) + 1, (double)(clock() - begin) / CLOCKS_PER_SEC);
    igraph_vector_int_destroy(&colour);
    igraph_vector_int_destroy(&ends);
    igraph_destroy(&graph);
    return 0;
}
