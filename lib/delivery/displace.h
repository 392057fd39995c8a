/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Make way: serve a receiver in the step being filled even where lightpaths must be withdrawn.  Their receivers wait again, and
 *  may find another way.  Links that were fought over get a history cost (; PathFinder, McMurchie and Ebeling 1995). */
#pragma once

#include "base/arena.h"
#include "delivery/delivery_state.h"

/** Of a step on a network that lists its links. */
struct displacer {
    struct arena memory;    /* of the arrays */
    struct delivery_state *state;   /* borrowed */
    size_t *owner;                  /* [link][channel]: the delivery that takes it in this step; NO_OWNER */
    uint16_t *history;              /* [link][channel]: withdrawals */
    uint32_t *price;                /* [link][channel]: of a link of a path; 0: the network does not have it */
    size_t *into;                   /* of each entry of state->in: where the slots of that link begin */
    uint32_t *cost;                 /* of each node: from it to the receiver */
    uint32_t *onward;               /* of each node: the link that does */
    uint32_t *queue;                /* of nodes, circular */
    uint8_t *queued;
    uint32_t *path, *best_path;
    size_t *withdrawn;              /* by the last call: indices into state->sent */
    size_t count, capacity;
};

/** `d` starts as zeros; close it also after a failure.  RWA_NOMEM. */
rwa_status displacer_open(struct displacer *d, struct delivery_state *state, rwa_error *err);
void displacer_close(struct displacer *d);

/** Note the lightpaths of the step being filled; no history yet.  O(their links). */
void displacer_begin(struct displacer *d);

/**
 * Serve a node a block on the cheapest path from a holder with a free port, and withdraw the lightpaths that have its links.
 * @param max_hops  of the path; 0: no limit
 * @param[out] sent  false: there is no such path, nothing has changed
 * @return RWA_OK; RWA_NOMEM.  Cost: a shortest-path search for each channel.
 */
rwa_status displacer_serve(struct displacer *d, uint32_t node, uint64_t block, uint32_t max_hops, bool *sent);
