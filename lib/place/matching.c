/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * König's theorem as an algorithm, edge by edge.  Where the two ends of an edge have no free colour in common, take the
 * path that starts at one end and alternates between a colour free at one end and a colour free at the other, and swap
 * its two colours.  The path cannot reach the other end of the edge, since the graph is bipartite.
 */
#include "place/place.h"

enum { SRC, DST };
#define NO_EDGE UINT32_MAX

struct edge_colouring {
    uint32_t colours;
    const uint32_t *end[2];     /* of each edge */
    uint32_t *colour;
    uint32_t *at[2];            /* [node * colours + colour]: the edge of that colour at the node, or NO_EDGE */
    uint32_t *path;             /* edges of an alternating path, which visits a node at most once */
};

static uint32_t *slot(const struct edge_colouring *c, int side, uint32_t edge, uint32_t colour)
{
    return &c->at[side][(size_t)c->end[side][edge] * c->colours + colour];
}

/** Return the lowest colour that no edge has yet at one end (`side`) of an edge.  There is one, since a node always has
 *  fewer coloured edges than colours. */
static uint32_t free_colour(const struct edge_colouring *c, int side, uint32_t edge)
{
    const uint32_t *row = slot(c, side, edge, 0);
    uint32_t colour = 0;
    while (row[colour] != NO_EDGE)
        colour++;
    assert(colour < c->colours);
    return colour;
}

static void put(struct edge_colouring *c, uint32_t edge, uint32_t colour)
{
    c->colour[edge] = colour;
    *slot(c, SRC, edge, colour) = edge;
    *slot(c, DST, edge, colour) = edge;
}

/** Make colour a free at the destination of an edge: swap colours a and b along the path of edges a, b, a, … that
 *  starts there. */
static void swap_path(struct edge_colouring *c, uint32_t edge, uint32_t a, uint32_t b)
{
    size_t length = 0;
    int side = DST;
    uint32_t next = *slot(c, DST, edge, a);
    while (next != NO_EDGE) {
        c->path[length++] = next;
        side = side == DST ? SRC : DST;
        next = *slot(c, side, next, length % 2 ? b : a);
    }
    for (size_t i = 0; i < length; i++) {
        *slot(c, SRC, c->path[i], c->colour[c->path[i]]) = NO_EDGE;
        *slot(c, DST, c->path[i], c->colour[c->path[i]]) = NO_EDGE;
    }
    for (size_t i = 0; i < length; i++)
        put(c, c->path[i], i % 2 ? a : b);
}

static void colour_edge(struct edge_colouring *c, uint32_t edge)
{
    uint32_t a = free_colour(c, SRC, edge);
    if (*slot(c, DST, edge, a) != NO_EDGE)
        swap_path(c, edge, a, free_colour(c, DST, edge));
    put(c, edge, a);
}

rwa_status edges_colour(uint32_t *colour, uint32_t nodes, const uint32_t *src, const uint32_t *dst, size_t edges,
                        uint32_t colours, struct budget *budget, rwa_error *err)
{
    struct edge_colouring c = {.colours = colours, .end = {src, dst}, .colour = colour};
    size_t slots = (size_t)nodes * colours;
    rwa_status st = base_fits_memory(8.0 * nodes * colours, "splitting the circuits into matchings", err);
    struct arena memory = {.err = err};
    TRY(st);
    arena_arrays(&memory, slots, c.at[SRC], c.at[DST]);
    TRY(arena_arrays(&memory, 2 * (size_t)nodes, c.path));
    for (size_t i = 0; i < slots; i++)
        c.at[SRC][i] = c.at[DST][i] = NO_EDGE;
    for (size_t e = 0; e < edges; e++) {
        if (e % 4096 == 0 && base_must_stop(budget, "matchings", (double)e / (double)edges))
            TRY(base_fail(err, RWA_CANCELLED, "stopped while splitting circuits into matchings"));
        colour_edge(&c, (uint32_t)e);
    }
done:
    arena_free(&memory);
    return st;
}
