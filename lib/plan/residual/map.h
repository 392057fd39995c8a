/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Map a schedule to another network, of which its own is a part or a renumbering: nodes, blocks, channels and
 * routes. */
#pragma once

#include "rwa/schedule.h"

#include <stdbool.h>

struct schedule_map {
    const rwa_network *net;         /**< the network to map to */
    const rwa_collective *coll;     /**< the collective on that network; its blocks are those of the schedule */
    const uint32_t *members;        /**< of the collective on that network; NULL: all nodes */
    const uint32_t *node;           /**< for each node of the schedule's network: the node there; NULL: the same */
    const uint32_t *participant;    /**< for each participant: the participant there; NULL: the same */
    const uint32_t *channel;        /**< for each channel: the channel there; NULL: the same */
    bool all_move;                  /**< the blocks of an all-reduce move with participants, as in orbits */
};

/**
 * Map a schedule to map->net.  Orbits are kept if that network has them, else written out.  Where links are listed a
 * direction becomes a path; round a cycle or along a line a path becomes a direction.
 * @return RWA_OK; RWA_BADARG: blocks move with their owners, who do not own equally many; RWA_NOMEM. Cost
 *         O(lightpaths), and O(hops of all of them) time and 4 bytes a hop where links are listed
 */
rwa_status map_schedule(rwa_schedule **out, const rwa_schedule *sched, const struct schedule_map *map, rwa_error *err);

/** Append the steps of a schedule from `first` on, mapped as by map_schedule(), to a schedule of first - 1 steps on
 * map->net with the same number of blocks.  RWA_BADARG also for records that the other network does not have. */
rwa_status map_steps(rwa_schedule *to, const rwa_schedule *sched, uint32_t first, const struct schedule_map *map,
                     rwa_error *err);
