/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finds the shape of a network from its links: cycle, path, torus or mesh, whatever the numbers of its nodes. */
#pragma once

#include "rwa/network.h"

#include <stdbool.h>

/** The canonical network of the same shape, and which of its nodes stands for which node; the lists are in the arena of
 *  the network. */
struct network_shape {
    rwa_network *canonical;     /**< ring, line, torus or mesh, with the same faults; NULL: the network is itself
                                     canonical, or has none of these shapes */
    uint32_t *node;             /**< of each canonical node: the number of that node in this network; NULL: the same
                                     number */
    uint32_t *place;            /**< of each node of this network: the number of the canonical node; NULL: the same
                                     number */
    bool cyclic;                /**< adding 1 to all nodes, modulo their number, takes links to links */
};

/**
 * Store in net->form the shape of a network that lists its links.  Cycles become ring:N, paths line:N.  Cartesian
 * products of cycles (and pairs of nodes) become a torus, in which two dimensions of size 2 become one of size 4.
 * Products of paths become a mesh.  A network has a shape only if all links have an opposite link and equally many
 * fibres, no links are parallel, and no link has a reserved channel of its own.  Lengths, names and risk groups are
 * ignored.
 * @return RWA_OK, also when there is no such shape; RWA_NOMEM.
 * Cost O(links * degree) time, O(nodes) memory
 */
rwa_status shape_find(rwa_network *net, rwa_error *err);
rwa_status shape_copy(rwa_network *copy, const rwa_network *net, rwa_error *err);
