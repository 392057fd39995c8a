/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A collective on the canonical network of its network: what is planned and bounded there holds for the real one. */
#pragma once

#include "rwa/collective.h"
#include "rwa/network.h"

#include <stdbool.h>

struct canonical_task {
    const rwa_network *net;     /**< borrowed from the real network, which may be it */
    rwa_collective coll;        /**< with the root's number there */
    uint32_t *members;          /**< the places of the members, ascending; NULL: all nodes */
    uint32_t *participant;      /**< of each participant there: its number in the real collective; NULL: the same */
    uint32_t *node;             /**< of each node there: the real node, where the root was moved; else NULL */
};

/** Tell whether a collective on `net` can be moved to the canonical network, such as ring:64 for torus:64.  If that
 *  renumbers the nodes, all owners must have equally many blocks, since they take their blocks with them. */
bool canonical_applies(const rwa_network *net, const rwa_collective *coll);

/**
 * Map a collective to the canonical network of `net`, such as ring:64 for torus:64 (network_canonical()), which may
 * number the nodes in another way.  If the collective cannot be moved there (canonical_applies()), it stays on `net`.
 * @param members  NULL: all nodes; else coll->nodes of the network's nodes, ascending
 * @return RWA_OK; RWA_NOMEM.  Call canonical_close() in any case.  O(nodes) if nodes are renumbered or members are
 *         given, else O(1)
 */
rwa_status canonical_open(struct canonical_task *out, const rwa_network *net, const rwa_collective *coll,
                          const uint32_t *members, rwa_error *err);
/** Replace the root by a node that symmetry makes equivalent: on a torus node 0, on a mesh the reflection of the root
 *  into the first half of each dimension.  So equivalent roots get the same plan; task->node maps the nodes of the plan
 *  back to those of `real`, the network given to canonical_open().  Do nothing unless the collective is among all nodes
 *  of a uniform line, torus or mesh.  Call it after canonical_open().  RWA_NOMEM */
rwa_status canonical_move_root(struct canonical_task *task, const rwa_network *real, rwa_error *err);
void canonical_close(struct canonical_task *task);
