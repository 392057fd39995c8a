/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The residual network: what members, reserved channels and failed links leave of a network, as a whole network by
 * itself on which every scheme can plan.  The plan is then mapped to the real network, each link of a residual ring or
 * line to the links between two neighbouring participants.
 */
#pragma once

#include "rwa/plan.h"

#include <stdbool.h>

struct residual {
    const rwa_network *net;     /**< to plan on: `own`, or the real network where nothing has to be taken out */
    rwa_network *own;
    /** `net` with every failed link failed in the other direction instead, or where links lead one way only with all
     * of them reversed: a plan made on it can be reversed in time on `net`. NULL: on `net` as well */
    rwa_network *opposite;
    /** failed links or reserved channels are still in it: only for schemes that avoid them */
    bool broken;
    rwa_collective coll;        /**< on the nodes of `net` */
    const uint32_t *members;    /**< NULL: all of its nodes take part; else those that do, for the same schemes */
    uint32_t *node;             /**< of each node of `net` the real node; NULL: the same, and orbits stay */
    uint32_t *participant;      /**< of each node of `net` the participant; NULL: the same */
    uint32_t max_hops;          /**< hops on `net` that exceed the limit on no real route; 0: no limit */
};

/** The residual networks of a network, the one on which more schemes plan first. */
struct residuals {
    const rwa_network *real;
    const rwa_collective *coll;
    const uint32_t *members;    /**< NULL: all nodes */
    const uint32_t *number;     /**< of each node in messages; NULL: its own */
    uint32_t *channel;          /**< of each channel of a residual network the real one; NULL: the same */
    struct residual list[2];
    size_t count;
};

/**
 * A ring with a failed direction leaves two: the line without that link, and itself; so do links that are
 * listed and alike: one with fewer channels, or of the links that work both ways, and itself.
 * @param c         starts with real, coll, members (NULL, or coll->nodes of the network's nodes, ascending) and number;
 * all borrowed
 * @param max_hops  0: no limit
 * @param why       RWA_ERROR_TEXT bytes: the reason when there is none; else left alone
 * @return RWA_OK; RWA_BADARG: reserved channels of circuit switches; RWA_NOMEM.
 *         residuals_close() in any case
 */
rwa_status residuals_open(struct residuals *c, uint32_t max_hops, char *why, rwa_error *err);
/** Whether reserved channels or failed links leave listed links on which schemes can plan that know of neither. */
bool network_leaves_whole(const rwa_network *net);
void residuals_close(struct residuals *residuals);

/** Map a schedule made on a residual network to the real network. */
rwa_status residual_map(rwa_schedule **out, const rwa_schedule *sched, const struct residuals *all,
                        const struct residual *residual, rwa_error *err);
