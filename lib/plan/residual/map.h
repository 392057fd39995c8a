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

/** Map a schedule to map->net.  Orbits are written out if that network cannot keep them.  A direction becomes a path
 * if map->net lists its links; a path becomes a direction on a ring or line.
 * @return RWA_OK; RWA_BADARG: owners of different numbers of blocks change their places, or on a ring or line a path
 *         turns back; RWA_NOMEM. Cost O(lightpaths); where links are listed, O(hops of all lightpaths) time and 4
 *         bytes a hop */
rwa_status map_schedule(rwa_schedule **out, const rwa_schedule *sched, const struct schedule_map *map, rwa_error *err);

/** Append to `to` the steps of `sched` from step `first` on, mapped as by map_schedule().  `to` is a schedule on
 * map->net with first - 1 steps and the same number of blocks.  RWA_BADARG: as map_schedule(), or map->net does not
 * have a lightpath */
rwa_status map_steps(rwa_schedule *to, const rwa_schedule *sched, uint32_t first, const struct schedule_map *map,
                     rwa_error *err);
