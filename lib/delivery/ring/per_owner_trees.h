/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Small rings on which the owners' trees must differ: where no template repeated at every owner finds its
 * wavelengths. */
#pragma once

#include "delivery/delivery_tree.h"

/**
 * Trees of cheapest points, one for each owner, such that all links of all steps together fit the channels: a random
 * walk of limited effort, none on rings so large that it would end before it stalls.  Nodes of a tree are offsets from
 * its owner; channels are set.
 * @return RWA_OK, also when none were found (out->at is then NULL); RWA_NOMEM; RWA_CANCELLED.  delivery_tree_free() in
 * any case.
 */
rwa_status owner_trees_find(struct delivery_tree *out, uint32_t nodes, uint32_t channels, uint32_t steps, uint64_t seed,
                            struct budget *budget, rwa_error *err);

/** Channels for arcs of a ring (start, length < nodes), exactly; false: there are none, or the effort was too small.
 *  `channel` gets one entry an arc; `order` is scratch of `count` entries. */
bool arcs_colour(uint32_t *channel, const uint32_t *start, const uint32_t *length, size_t count, uint32_t nodes,
                 uint32_t channels, uint32_t *order);
