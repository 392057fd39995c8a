/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Spreads: a tree for each owner of blocks, by which these reach all nodes in so many steps over few links. */
#pragma once

#include "delivery/exchange_load.h"

/** Larger networks have no spreads, and blocks no more variants than so many. */
enum { SPREAD_NODES = 256, SPREAD_VARIANTS = 12, SPREAD_STEPS = 32 };

/** In `step`, from 1, one part of the owner's blocks goes from a node to another. */
struct spread_hop {
    uint32_t step, from, to, owner, variant;
};

/** Owners cut their blocks into `variants` parts with a tree each; hops by step, then by their ends. */
struct spread {
    struct spread_hop *hop;
    size_t hops;
    uint32_t variants;
};

/**
 * Trees of `steps` steps.  As many steps as the network has hops at most: every block moves one link nearer in each step, over links that
 * carry equally much (breadth-first broadcast: Zhao et al., 2022).  Fewer: a greedy search for nodes that pass blocks on, so that all
 * hops together are short; where translations are known it is made for one owner and moved to all others.
 * RWA_NOMEM; none (hops 0) where a node is not reached, or nodes are many.  spread_free() in any case.
 */
rwa_status spread_make(struct spread *out, const struct distances *distances, uint32_t steps, rwa_error *err);
void spread_free(struct spread *s);
/** The longest distance, at most SPREAD_STEPS; 0: a node is not reached, or there are too many. */
uint32_t spread_steps_most(const struct distances *distances);
/** And the fewest worth their search: where a network has no translations, trees of few steps are grown for every owner apart,
 *  O(nodes⁴). */
uint32_t spread_steps_least(const struct distances *distances);
