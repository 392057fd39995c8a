/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The seam of the schemes: (network, collective, parameters) -> stages of transfers, one after the other. */
#ifndef SCHEME_SCHEME_H
#define SCHEME_SCHEME_H

#include "rwa/collective.h"

#include <stdbool.h>

/**
 * One logical exchange: transfers that may all happen at the same time.  With `ranks` set it is an all-to-all exchange
 * round the whole ring between `ranks` places (rank_of[node]), in as many copies as nodes share a place (copy_of[src]);
 * without, every transfer runs inside its segment and never over the border between the last node and node 0.
 */
struct stage {
    size_t count;
    uint32_t *src, *dst, *block;
    uint8_t *early;             /* 1: src held the block before the stage that came just before this one */
    uint32_t radix;
    uint32_t ranks, copies;
    uint32_t *rank_of, *copy_of;
};

void stage_free(struct stage *stage);

/** The tree of OpTree under construction: who holds what, and the groups of the level reached. */
struct tree;

/** A tree over all nodes whose groups will be split by radices (borrowed), first stage first. */
rwa_status tree_create(struct tree **out, const rwa_network *net, const uint32_t *radix, size_t levels, rwa_error *err);
void tree_free(struct tree *tree);
/** The next stage; stage->count is 0 when every group is a single node. */
rwa_status tree_next(struct tree *tree, struct stage *stage, rwa_error *err);

/** OpTree's formulas as printed.  Theorem 1 (k >= 2), ceil(N^2 / 8w) for k = 1; stages need not fit N. */
uint64_t optree_theorem1(uint32_t nodes, uint32_t channels, uint32_t stages);
/** Lemma 3: the paper's best number of stages (rounded up, which its tables need). */
uint32_t optree_lemma3(uint32_t nodes);
/** Wavelengths of each stage as the motivation example of OpTree computes them; ring or line. */
void optree_stage_wavelengths(uint64_t *out, const rwa_network *net, const uint32_t *radix, size_t levels);

/** Radix sequences worth trying, cheapest estimate first: at most `most` of them, each ended by a 0. */
enum { RADIX_LEVELS = 32 };
typedef uint32_t radix_sequence[RADIX_LEVELS];
size_t optree_candidates(radix_sequence *out, size_t most, const rwa_network *net, uint32_t stages);

#endif
