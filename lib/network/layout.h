/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Computes positions of nodes for pictures. */
#pragma once

#include "rwa/network.h"

#include <stdbool.h>

/** Nodes at a smaller distance would cover each other. */
#define NETWORK_NODES_APART 0.035

/**
 * Compute positions of the nodes, x and y between 0 and 1, y downwards.  If the positions of at least half of the nodes
 * are known, the result is a map.  North is up, nodes without a position stand among their neighbours, and nodes that
 * would cover each other move apart.  Otherwise rings are drawn on a circle, lines in a row, and torus and mesh of two
 * dimensions on their grid.  All other networks are drawn by igraph's spring layout (Kamada and Kawai, 1989).  If all
 * links have a length, longer links get longer springs, unless nodes would then cover each other; the longest axis of
 * such a drawing is horizontal.  The same network always gets the same positions.
 * @param[out] x, y  arrays of one number for each node
 * @param apart      the least distance between nodes on a map, at least NETWORK_NODES_APART; reduced to half of what
 *                   the square allows if it is too large
 * @return RWA_OK; RWA_NOMEM; RWA_BACKEND.  Cost O(nodes), maps O(nodes^2), with springs O(nodes^3): meant for what
 *         people can look at
 */
rwa_status network_layout(double *x, double *y, const rwa_network *net, double apart, rwa_error *err);

/* ---- layout_positions.c ---- */

/** Set x and y to the known positions, in the unit in which they are given but y downwards.  Longitudes are scaled by
 *  the cosine of the mean latitude, and nodes without a position are put among their neighbours. */
void layout_by_positions(double *x, double *y, const rwa_network *net);
/** Change x[] and y[] so that nodes nearer to each other than `least` move apart, in at most 60 rounds of cost
 * O(nodes^2). */
void layout_part(double *x, double *y, uint32_t nodes, double least);
