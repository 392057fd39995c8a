/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The residual network: what members, reserved channels and failed links leave of a network, as a network of its own
 * on which every scheme can plan.  The plan is then mapped to the real network.  Each link of a residual ring or
 * line stands for the links between two neighbouring participants.
 */
#pragma once

#include "rwa/plan.h"

#include <stdbool.h>

struct residual {
    const rwa_network *net;     /**< the network to plan on: `own`, or the real network if nothing has to be taken
                                     out */
    rwa_network *own;
    /** `net` where for each failed link the opposite direction fails instead, or, where links lead one way only, with
     * all links reversed: a plan made on it can be time-reversed to `net`.  NULL: `net` itself will do */
    rwa_network *opposite;
    /** failed links or reserved channels remain in it: only for schemes that avoid them */
    bool broken;
    rwa_collective coll;        /**< of the nodes of `net` */
    const uint32_t *members;    /**< NULL: all nodes of `net` take part; else the participants, for schemes that
                                     support members */
    uint32_t *node;             /**< for each node of `net` the real node; NULL: the same, and orbits are kept */
    uint32_t *participant;      /**< for each node of `net` the participant; NULL: the same */
    uint32_t max_hops;          /**< hops on `net` that never exceed the limit on the real network; 0: no limit */
};

/** The residual networks of a network, beginning with the one on which more schemes can plan. */
struct residuals {
    const rwa_network *real;
    const rwa_collective *coll;
    const uint32_t *members;    /**< NULL: all nodes */
    const uint32_t *number;     /**< for each node its number in messages; NULL: the node itself */
    uint32_t *channel;          /**< for each channel of a residual network the real one; NULL: the same */
    struct residual list[2];
    size_t count;
};

/** Find the residual networks.  A ring with one interrupted link has two: the line without that link, and the ring
 * itself, where the link may work one way.  Listed links that are alike also give two: the network without failures
 * and reserved channels, and the network itself.
 * @param c         starts with real, coll, members (NULL, or coll->nodes of the network's nodes, ascending) and
 *                  number; all borrowed
 * @param max_hops  0: no limit
 * @param why       RWA_ERROR_TEXT bytes: the reason when there is none; else unchanged
 * @return RWA_OK; RWA_BADARG: reserved channels of circuit switches; RWA_NOMEM. residuals_close() in any case */
rwa_status residuals_open(struct residuals *c, uint32_t max_hops, char *why, rwa_error *err);
void residuals_close(struct residuals *residuals);

/** Map a schedule made on a residual network to the real network. */
rwa_status residual_map(rwa_schedule **out, const rwa_schedule *sched, const struct residuals *all,
                        const struct residual *residual, rwa_error *err);
