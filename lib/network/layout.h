/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Positions of nodes for pictures. */
#ifndef NETWORK_LAYOUT_H
#define NETWORK_LAYOUT_H

#include "rwa/network.h"

/**
 * Places for the nodes, x and y between 0 and 1: rings on a circle, lines in a row, torus and mesh of two dimensions on
 * their grid, all others where igraph's springs (Kamada and Kawai, 1989) come to rest.  Springs are as long as the links where all have
 * a length, and the longest axis lies flat.  The same network always gets
 * the same places.
 * @param[out] x, y  room for one number a node
 * @return RWA_OK; RWA_NOMEM; RWA_BACKEND.  Cost O(nodes), with springs O(nodes^3): meant for what people can look at
 */
rwa_status network_layout(double *x, double *y, const rwa_network *net, rwa_error *err);

#endif
