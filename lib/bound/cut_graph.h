/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BOUND_CUT_GRAPH_H
#define BOUND_CUT_GRAPH_H

#include "bound/bound.h"

/**
 * The tightest cut through a network of listed links: of all up to 16 nodes, else among: single nodes; balls around
 * nodes; runs of nodes in their numbering (rows of a torus, halves of a hypercube), by each other coordinate first, and in
 * depth-first order (branches of a tree).  O(nodes * links), fewer cuts where that is too much.
 */
rwa_status cut_graph_load(struct bound_load *l, const struct bound_case *c, rwa_error *err);

#endif
