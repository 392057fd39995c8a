/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Template broadcast trees on a ring, laid out from lattice points (lattice/lattice_points.h). */
#pragma once

#include "delivery/delivery_tree.h"
#include "lattice/lattice_points.h"

/** Set *out to the template tree whose offsets correspond to these lattice points.  RWA_NOMEM; delivery_tree_free() in
 * any case.  O(N log N) for N points. */
rwa_status broadcast_tree_place(struct delivery_tree *out, const struct lattice_points *points, uint32_t steps,
                                rwa_error *err);

/** Fill `row`, a template tree of `nodes` deliveries by offset, from `nodes` lattice points.  `point` lists the points,
 * the origin first, and gets sorted round the ring; `stack` is scratch for as many entries. */
void broadcast_tree_arrange(struct delivery *row, uint32_t nodes, const struct coordinate **point, uint32_t *stack);
