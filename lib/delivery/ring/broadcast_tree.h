/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Template broadcast trees on a ring, laid out from lattice points (lattice/lattice_points.h). */
#pragma once

#include "delivery/delivery_tree.h"
#include "lattice/lattice_points.h"

/** Make the template tree whose offsets correspond to these lattice points.  RWA_NOMEM; delivery_tree_free() in any
 * case.  O(N log N). */
rwa_status broadcast_tree_place(struct delivery_tree *out, const struct lattice_points *points, uint32_t steps,
                                rwa_error *err);

/** Make the template tree of some lattice points in a row of `nodes` deliveries. `point` lists the points, the origin
 * first, and gets sorted; `stack` is scratch for as many entries. */
void broadcast_tree_arrange(struct delivery *row, uint32_t nodes, const struct coordinate **point, uint32_t *stack);
