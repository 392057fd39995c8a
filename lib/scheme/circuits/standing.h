/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Circuits that are the same at every node.
 *
 * The nodes form a group under addition (network/translations.h), and the links of a node lead along cycles.  A *jump*
 * is a circuit over some links of one cycle; every node has its translation.  A template tree of jumps spreads a block
 * of node 0 to all nodes; the trees of all other blocks are translations of it.
 */
#pragma once

#include "network/translations.h"
#include "scheme/circuits/circuits.h"

enum { CYCLES_MOST = 16, LENGTHS_MOST = 16, JUMPS_MOST = 64 };

/** A cycle: each of its links is the translation of the one before, always by the same element. */
struct link_cycle {
    uint32_t order;             /* nodes round it; of 2, one link leads both ways */
    uint32_t *next, *before;    /* of each node */
    uint32_t *place;            /* of each node round its cycle */
};

struct standing_network {
    const rwa_network *net;
    struct translations group;
    uint32_t nodes, channels, max_hops;
    struct link_cycle cycle[CYCLES_MOST];
    size_t cycles;              /* 0: the network has no such structure */
    uint32_t *left;             /* scratch: places left in each period of channels */
    struct budget *budget;      /* borrowed, polled; NULL: none */
    struct arena memory;
};

/** Find the cycles of a network.  Returns RWA_OK, also when the network has no such structure (out->cycles is then 0);
 * RWA_NOMEM, RWA_CANCELLED.  standing_network_close() in any case. */
rwa_status standing_network_open(struct standing_network *out, const rwa_network *net, uint32_t max_hops,
                                 struct budget *budget, rwa_error *err);
void standing_network_close(struct standing_network *s);

/** A circuit over some links of a cycle, forwards or back, that every node has. */
struct jump {
    uint32_t cycle, links;
    bool back;
    uint32_t lightpaths;        /* parallel lightpaths of the circuit */
    size_t first;               /* index in jumps.slot of their channels */
    uint32_t inverse;           /* the jump that leads back, over the same channels the other way */
};

/**
 * Jumps with their channels.  The lightpath from place x of a cycle, forwards, has channel slot - slot % period + (slot
 * + x) % period; slots are chosen so that lightpaths of one channel share no link (docs/reference/schemes.md, "Standing
 * lightpaths").
 */
struct jumps {
    struct jump list[JUMPS_MOST];
    size_t count;               /* 0: there are too few channels */
    uint32_t period[CYCLES_MOST];
    uint32_t *slot;
};

/** The choice of jumps: their lengths are 1, r, r² … links, or for r = 1: 1, 2, 3 …; on every cycle that is long
 * enough.  A jump of l links has about 1 / sqrt(l) times as many lightpaths as a jump of one link. */
struct jump_choice {
    uint32_t lengths, ratio;    /* how many; r */
    uint32_t most;              /* lightpaths of a jump */
};
/** Choose as many lightpaths of each jump as the channels allow. out->slot must have space for `channels` entries for
 * each cycle; out->count is 0 if there are too few channels. */
void jumps_choose(struct jumps *out, const struct standing_network *s, const struct jump_choice *choice);
/** Return the channel of lightpath k of a jump that starts at a node. */
uint32_t jump_channel(const struct standing_network *s, const struct jumps *jumps, const struct jump *jump, uint32_t k,
                      uint32_t node);
/** Return the node at which a jump from a node ends. */
uint32_t jump_end(const struct standing_network *s, const struct jump *jump, uint32_t node);

/**
 * The template trees, one for each share of a block, all with the same number of steps.  Node v receives share s in
 * step[v] by jump[s * nodes + v], from the node where the inverse of that jump ends.
 */
struct standing_tree {
    uint32_t steps;             /* 0: the jumps do not reach all nodes in the steps allowed */
    uint32_t shares;
    uint32_t *step;             /* by node; of node 0: 0 */
    uint8_t *jump;              /* by share and node */
    uint32_t *count;            /* [step][jump]: shares that it carries; steps + 1 rows */
    struct arena memory;
};

/** Grow template trees of fewest steps, such that in each step the load of the jumps is about proportional to their
 * lightpaths. tree->steps is 0 if steps_most steps do not suffice.
 * @param apart true for an all-to-all: each node gets a block of its own, which loads the whole path to the node
 * RWA_NOMEM, RWA_CANCELLED; standing_tree_free() in any case.  O(shares * nodes * jumps) */
rwa_status standing_tree_grow(struct standing_tree *tree, const struct standing_network *s, const struct jumps *jumps,
                              uint32_t shares, bool apart, uint32_t steps_most, rwa_error *err);
void standing_tree_free(struct standing_tree *tree);
