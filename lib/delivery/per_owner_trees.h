/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Small rings on which the owners' waves must differ: where no wave repeated at every node finds its wavelengths. */
#ifndef SCHEME_WAVEFRONT_MIXED_H
#define SCHEME_WAVEFRONT_MIXED_H

#include "lattice/lattice_points.h"

struct owner_trees {
    uint32_t nodes, steps;
    struct wave *wave;      /* of each owner */
    uint32_t *channel;      /* of owner i's hop to its offset v: channel[i * nodes + v] */
};

/**
 * Waves of cheapest points, one for each owner, such that all links of all steps together fit the channels: a random
 * walk of limited effort.  At most OWNER_TREES_NODES nodes.
 * @return RWA_OK, also when none were found (out->wave is then NULL); RWA_NOMEM; RWA_CANCELLED.  owner_trees_free() in any case.
 */
enum { OWNER_TREES_NODES = 32 };
rwa_status owner_trees_find(struct owner_trees *out, uint32_t nodes, uint32_t channels, uint32_t steps, uint64_t seed,
                      struct budget *budget, rwa_error *err);
void owner_trees_free(struct owner_trees *mixed);

/** Channels for arcs of a ring (start, length < nodes), exactly; false: there are none, or the effort was too small.
 *  `channel` gets one entry an arc; `order` is scratch of `count` entries. */
bool arcs_colour(uint32_t *channel, const uint32_t *start, const uint32_t *length, size_t count, uint32_t nodes,
                 uint32_t channels, uint32_t *order);

#endif
