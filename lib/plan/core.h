/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What is left to plan on when the nodes that take no part, the reserved channels and the failed links are taken out of a
 * network: its core, a whole network by itself on which every scheme can plan as on any other.  The plan is then laid on
 * the real network, a link of a core's ring or line on the stretch between two neighbouring participants.
 */
#ifndef PLAN_CORE_H
#define PLAN_CORE_H

#include "rwa/plan.h"

#include <stdbool.h>

struct core {
    const rwa_network *net;     /* to plan on: `own`, or the real network where nothing has to be taken out */
    rwa_network *own;
    rwa_network *turned;        /* `own` with every failed link failed in the other direction instead: a plan made on it can
                                   be run backwards on `own`.  NULL: no link of the core failed */
    bool broken;                /* what failed or is reserved is still in it: only for schemes that mend */
    rwa_collective coll;        /* on the core's nodes */
    const uint32_t *members;    /* NULL: all of its nodes take part; else those that do, for the same schemes */
    bool scattered;             /* its nodes have other numbers than the real ones, so orbits are written out */
    uint32_t first;             /* node p of a ring's or line's core is participant (p + first) mod nodes */
    uint32_t max_hops;          /* so many links of the core are never more than the limit's links; 0: no limit */
};

/** The cores of a network, the one on which more schemes plan first. */
struct cores {
    const rwa_network *real;
    const rwa_collective *coll;
    const uint32_t *members;    /* NULL: all nodes */
    uint32_t *channel;          /* of the real network for each of a core; NULL: the same */
    struct core list[2];
    size_t count;
};

/**
 * A ring with a failed direction has two cores: the line that is left without that link, and itself; so has a torus or mesh
 * with reserved channels: one with fewer channels, and itself.
 * @param members   NULL, or coll->nodes of the network's nodes, ascending; borrowed, as all else
 * @param max_hops  0: no limit
 * @param why       RWA_ERROR_TEXT bytes: says so when there is no core
 * @return RWA_OK; RWA_BADARG: anything on a star, ron or ocs; RWA_NOMEM.
 *         cores_close() in any case
 */
rwa_status cores_open(struct cores *out, const rwa_network *net, const rwa_collective *coll, const uint32_t *members,
                      uint32_t max_hops, char *why, rwa_error *err);
void cores_close(struct cores *cores);

/** Lay a schedule made on a core on the real network.  Orbits stay where the format has them.
 *  @return RWA_OK; RWA_BADARG: blocks that do not move with the nodes; RWA_NOMEM */
rwa_status core_lay(rwa_schedule **out, const rwa_schedule *sched, const struct cores *cores, const struct core *core,
                    rwa_error *err);

#endif
