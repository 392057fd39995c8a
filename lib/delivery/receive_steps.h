/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Trees that all owners repeat: the step in which each node receives, such that no step takes more links than there are. */
#pragma once

#include "delivery/template_space.h"

/**
 * Simulated annealing: nodes receive from the nearest holders; what the lightpaths of a step take beyond its room costs twice.
 * Node 0 has step 0, the others 1 … steps.
 */
struct receive_steps {
    const struct template_space *space; /* borrowed */
    struct arena memory;        /* of the arrays */
    uint32_t steps;
    uint32_t *step;             /**< of each node */
    uint32_t *hops;             /**< of each node: from the nearest earlier one, or TEMPLATE_FAR */
    uint64_t *room;             /**< of each step from 1: link-channels, for one block; the caller may lower them */
    uint64_t *cost, *kept;      /* of each step: links of its lightpaths; before the change at hand */
    uint32_t count[TEMPLATE_FAR + 1];   /* of nodes at so many hops */
    struct { uint32_t node, hops; } *change;    /* of the change at hand */
    size_t changes, capacity;
    uint64_t looked;            /**< nodes, so far */
    uint64_t random;
};

/** At random, with room for the channels of all ways together.  RWA_NOMEM; receive_steps_close() in any case. */
rwa_status receive_steps_open(struct receive_steps *r, const struct template_space *space, uint32_t steps, uint64_t seed, rwa_error *err);
void receive_steps_close(struct receive_steps *r);

/** The links that the lightpaths of all steps take beyond their room. */
uint64_t receive_steps_excess(const struct receive_steps *r);

/**
 * Go on until the lightpaths of every step fit its room, or so many nodes have been looked at.
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED
 */
rwa_status receive_steps_find(struct receive_steps *r, bool *found, uint64_t work, struct budget *budget, rwa_error *err);
