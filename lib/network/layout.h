/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Positions of nodes for pictures. */
#pragma once

#include "rwa/network.h"

#include <stdbool.h>

/** Nodes that stand nearer would cover each other. */
#define NETWORK_NODES_APART 0.035

/**
 * Positions for the nodes, x and y between 0 and 1, y downwards.  If the positions of at least half of the nodes are
 * known, the result is a map: north is up, nodes without a position stand among their neighbours, and nodes that would
 * cover each other move apart.  Otherwise rings are drawn on a circle, lines in a row, torus and mesh of two dimensions
 * on their grid, and all other networks by igraph's spring layout (Kamada and Kawai, 1989).  If all links have a
 * length, the springs are as long as the links; the longest axis is horizontal.  The same network always gets the same
 * positions.
 * @param[out] x, y  room for one number a node
 * @param apart      of a map: the least distance between nodes, reduced to half of what the square allows if it is too
 *                   large; at least NETWORK_NODES_APART
 * @return RWA_OK; RWA_NOMEM; RWA_BACKEND.  Cost O(nodes), maps O(nodes^2), with springs O(nodes^3): meant for what
 *         people can look at
 */
rwa_status network_layout(double *x, double *y, const rwa_network *net, double apart, rwa_error *err);

/* ---- layout_positions.c ---- */

/** Whether the positions of half of the nodes or more are known. */
bool layout_has_positions(const rwa_network *net);
/** Positions as the network has them, in their unit, y downwards.  Longitudes are scaled by the mean latitude. */
void layout_by_positions(double *x, double *y, const rwa_network *net);
/** Move apart nodes whose distance is below `least`, in a few rounds.  O(nodes^2). */
void layout_part(double *x, double *y, uint32_t nodes, double least);
