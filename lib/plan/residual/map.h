/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From one network to another of which it is a part or a renumbering: nodes, blocks, channels and routes of a
 * schedule. */
#pragma once

#include "rwa/schedule.h"

struct schedule_map {
    const rwa_network *net;         /**< the network to map to */
    const rwa_collective *coll;     /**< the collective there; its blocks are those of the schedule */
    const uint32_t *members;        /**< of it there; NULL: all nodes */
    const uint32_t *node;           /**< of each node of the schedule's network: the node there; NULL: the same */
    const uint32_t *participant;    /**< of each participant, likewise; NULL: the same */
    const uint32_t *channel;        /**< of each channel, likewise; NULL: the same */
};

/**
 * Orbits stay where the other network has them, else they are written out.  A direction becomes the path it takes where
 * links are listed, and a path round a cycle or along a line its direction.
 * @return RWA_OK; RWA_BADARG: owners that move while the blocks cannot be shared out evenly; RWA_NOMEM.
 *         Cost O(lightpaths), and O(hops of all of them) time and 4 bytes a hop where links are listed
 */
rwa_status map_schedule(rwa_schedule **out, const rwa_schedule *sched, const struct schedule_map *map, rwa_error *err);
