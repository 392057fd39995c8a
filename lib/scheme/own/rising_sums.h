/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Chunks of a vector that follow each other up trees, and are summed on the way: when each leaves a node, and how.
 *
 * A node sends chunk c, from 0, to its parent c steps after the first one, which goes once the sums of all its children have come.
 * Until then its lightpath would have nothing to carry, and would come up later.  So in each of these steps it may send a share of a later
 * chunk ahead of time: what it holds of it, mostly its own.  What comes to it of that chunk from then on takes the place of what it has
 * sent, and goes on when it is the chunk's turn.  The first to come must come alone, since a copy meets no other sum in its step: children
 * of one parent begin one after the other, and send shares of different chunks.  A leaf that begins late sends its last chunks first.
 */
#pragma once

#include "rwa/schedule.h"
#include "scheme/own/disjoint_trees.h"

struct rising {
    uint32_t *slot;             /* [tree][node]: the step in which the first chunk leaves it, from 1; 0: the root's */
    uint32_t *ahead;            /* [tree][node]: in step s before that it sends a share of chunk s - 1 + ahead; 0: it sends none */
    uint32_t *child, *sibling;  /* [tree][node]: the last child to begin, and the one before it; UINT32_MAX: none */
    uint32_t steps;             /* until the first chunk has come to the root */
    uint64_t chunks;            /* that there must be, at least */
    uint32_t nodes;
};

/** early: shares go ahead.  RWA_NOMEM; rising_free() in any case.  O(trees * nodes * children of a node) */
rwa_status rising_find(struct rising *out, const struct disjoint_trees *t, bool early, rwa_error *err);
void rising_free(struct rising *r);
/** The chunk of which a node sends something in a step; UINT64_MAX: it sends nothing. */
uint64_t rising_chunk(const struct rising *r, uint32_t tree, uint32_t node, uint64_t step, uint64_t chunks);
/** Whether that is added to what its parent holds, or replaces it. */
rwa_op rising_op(const struct rising *r, const struct disjoint_trees *t, uint32_t tree, uint32_t node, uint64_t step, uint64_t chunk);
