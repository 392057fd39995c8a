/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths of one step of a tree that all owners repeat: their sources, routes and channels, no two in one slot. */
#pragma once

#include "delivery/template_space.h"

/** Of owner 0, to one receiver. */
struct template_lightpath {
    uint32_t from, to;
    const uint8_t *route;       /* `hops` ways; borrowed from the space */
    uint32_t hops;
    uint32_t channel;
};

/**
 * Every receiver gets the cheapest lightpath from a nearest holder; lightpaths whose slots it takes wait again, and these slots cost more
 * from then on (negotiated congestion: McMurchie and Ebeling, PathFinder, 1995).
 * @param list   of `count` receivers, with `hops` from the nearest holders; the rest is filled in
 * @param step   of each node: when it receives; those below `now` hold the block
 * @param looked grows by the slots looked at
 * @param[out] packed  false: the effort was too small
 * @return RWA_OK; RWA_NOMEM
 */
rwa_status slots_pack(struct template_lightpath *list, uint32_t count, bool *packed, const struct template_space *space,
                      const uint32_t *step, uint32_t now, uint64_t *random, uint64_t *looked, rwa_error *err);
