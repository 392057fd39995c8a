/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Positions of nodes for pictures. */
#pragma once

#include "rwa/network.h"

#include <stdbool.h>

/** Nodes that stand nearer would cover each other. */
#define NETWORK_NODES_APART 0.035

/**
 * Positions for the nodes, x and y between 0 and 1, y downwards.  Where the positions of half of the nodes or more are
 * known, a map: north is up, the others stand among their neighbours, and nodes that would cover each other move apart.
 * Else rings on a circle, lines in a row, torus and mesh of two dimensions on their grid, all others where igraph's
 * springs (Kamada and Kawai, 1989) come to rest.  Springs are as long as the links where all have a length, and the
 * longest axis lies flat.  The same network always gets the same positions.
 * @param[out] x, y  room for one number a node
 * @param apart      of a map: nodes stand so far apart, or half of what the square allows; at least NETWORK_NODES_APART
 * @return RWA_OK; RWA_NOMEM; RWA_BACKEND.  Cost O(nodes), maps O(nodes^2), with springs O(nodes^3): meant for what
 *         people can look at
 */
rwa_status network_layout(double *x, double *y, const rwa_network *net, double apart, rwa_error *err);

/* ---- layout_positions.c ---- */

/** Whether the positions of half of the nodes or more are known. */
bool layout_has_positions(const rwa_network *net);
/** Positions as the network has them, in their unit, y downwards.  Longitudes are scaled by the mean latitude. */
void layout_by_positions(double *x, double *y, const rwa_network *net);
/** Move nodes that are nearer to each other than `least` apart, in a few rounds.  O(nodes^2). */
void layout_part(double *x, double *y, uint32_t nodes, double least);
