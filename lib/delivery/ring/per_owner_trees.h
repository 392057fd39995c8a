/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gathers on small rings in which every owner has a tree of its own.  They are used if one template tree, repeated
 * at every owner, finds no wavelengths. */
#pragma once

#include "delivery/delivery_tree.h"

/** Find trees of cheapest lattice points, one for each owner, such that no link carries more lightpaths than channels
 * in any step.  The search is a random walk of limited effort, begun with `seed`.  It is left out on rings too large
 * for it.  Nodes of a tree are offsets from its owner; each delivery gets a channel.
 * @return RWA_OK, also when none were found (out->at is then NULL); RWA_NOMEM; RWA_CANCELLED.  delivery_tree_free() in
 * any case. */
rwa_status owner_trees_find(struct delivery_tree *out, uint32_t nodes, uint32_t channels, uint32_t steps, uint64_t seed,
                            struct budget *budget, rwa_error *err);
