/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A tree that all nodes repeat by translations: the step in which each node receives, such that no step takes more links than there
 *  are. */
#pragma once

#include "base/arena.h"
#include "network/translations.h"

/** Hops of a lightpath, at most, and what stands for more; nodes of the network. */
enum { TEMPLATE_HOPS = 32, TEMPLATE_FAR = TEMPLATE_HOPS + 1, TEMPLATE_NODES = 256 };

/**
 * Simulated annealing: nodes receive from the nearest holders; what the lightpaths of a step take beyond its room costs twice.
 * Node 0 has step 0, the others 1 … steps.  Images by a symmetry have the same step, so that no way is taken more often than its image.
 */
struct receive_steps {
    struct arena memory;        /* of the arrays */
    uint32_t nodes, steps;
    uint8_t *distance;          /* [from][to]: hops of a lightpath, or TEMPLATE_FAR */
    uint16_t *order;            /* [from][i]: all nodes, nearest first */
    uint32_t *turned;           /* of each node: its image by a symmetry that keeps all distances, and node 0 */
    uint32_t *step;             /* of each node */
    uint32_t *room;             /* of each step from 1: link-channels for one block; the caller may lower them */
    uint32_t *hops;             /* of each node: from the nearest earlier one, or TEMPLATE_FAR; behind these … */
    uint32_t *cost;             /* of each step from 1: links of its lightpaths; … */
    uint32_t *at;               /* nodes at so many hops */
    uint32_t *kept;             /* hops, cost and at, before the change at hand */
    uint64_t looked;            /* at nodes, since the beginning */
    uint64_t random;
};

/**
 * All rooms are empty: receive_steps_begin() comes next.
 * @param group     of at most TEMPLATE_NODES nodes
 * @param distance  of each node: hops of a lightpath from node 0, or TEMPLATE_FAR; copied
 * @return RWA_OK; RWA_NOMEM.  receive_steps_close() in any case.  Cost O(nodes² * hops)
 */
rwa_status receive_steps_open(struct receive_steps *r, const struct translations *group, const uint8_t *distance, uint32_t steps,
                              uint64_t seed, rwa_error *err);
void receive_steps_close(struct receive_steps *r);

/** Other steps, by chance, and so much room in each. */
void receive_steps_begin(struct receive_steps *r, uint32_t room);

/** The links that the lightpaths of all steps take beyond their room. */
uint32_t receive_steps_excess(const struct receive_steps *r);

/** Go on until the lightpaths of every step fit its room, or so many nodes have been looked at since the beginning.
 *  @return RWA_OK; RWA_CANCELLED */
rwa_status receive_steps_find(struct receive_steps *r, bool *found, uint64_t work, struct budget *budget, rwa_error *err);
