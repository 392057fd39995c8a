/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Circuits that are the same at every node.
 *
 * Nodes add up (network/translations.h), and the links of a node lead along cycles.  A *jump* is a circuit over some
 * links of one cycle, which every node has, moved by its number.  A template tree of jumps spreads a block of node 0 to
 * all nodes; all other blocks spread alike, moved.
 */
#pragma once

#include "network/translations.h"
#include "scheme/circuits/circuits.h"

enum { CYCLES_MOST = 16, LENGTHS_MOST = 16, JUMPS_MOST = 64 };

/** The nodes that follow each other over links that one translation moves to each other. */
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
    size_t cycles;              /* 0: the network is not one of these */
    uint32_t *left;             /* scratch: places left in each period of channels */
    struct budget *budget;      /* borrowed, polled; NULL: none */
    struct arena memory;
};

/** RWA_OK, also when the network is none of these; RWA_NOMEM, RWA_CANCELLED.  standing_network_close() in any case. */
rwa_status standing_network_open(struct standing_network *out, const rwa_network *net, uint32_t max_hops,
                                 struct budget *budget, rwa_error *err);
void standing_network_close(struct standing_network *s);

/** A circuit over some links of a cycle, forwards or back, that every node has. */
struct jump {
    uint32_t cycle, links;
    bool back;
    uint32_t lightpaths;        /* side by side */
    size_t first;               /* into jumps.slot: the channels of these */
    uint32_t inverse;           /* the jump that leads back, over the same channels the other way */
};

/**
 * Jumps that find channels.  The lightpath from place x of a cycle, forwards, has channel slot - slot % period + (slot
 * + x) % period; slots are such that the links over which lightpaths of one channel lead do not meet
 * (docs/reference/schemes.md, "Standing lightpaths").
 */
struct jumps {
    struct jump list[JUMPS_MOST];
    size_t count;               /* 0: they find no channels */
    uint32_t period[CYCLES_MOST];
    uint32_t *slot;
};

/** Which jumps: of 1, r, r² … links, or for r = 1 of 1, 2, 3 …, on all cycles that are long enough.  A jump of l links
 *  has about 1 / sqrt(l) times as many lightpaths as one of a link. */
struct jump_choice {
    uint32_t lengths, ratio;    /* how many; r */
    uint32_t most;              /* lightpaths of a jump */
};
/** As many of each as there are channels for; out->slot has room for `channels` numbers for each cycle. */
void jumps_choose(struct jumps *out, const struct standing_network *s, const struct jump_choice *choice);
/** Its channel from a node. */
uint32_t jump_channel(const struct standing_network *s, const struct jumps *jumps, const struct jump *jump, uint32_t k,
                      uint32_t node);
/** The node where a jump from a node ends. */
uint32_t jump_end(const struct standing_network *s, const struct jump *jump, uint32_t node);

/**
 * The template trees: one for each share of a block, with as many steps.  Node v is informed of share s in step[v] by
 * jump[s * nodes + v], from the node where the inverse of that jump ends.
 */
struct standing_tree {
    uint32_t steps;             /* 0: the jumps do not reach all nodes in as many steps as were allowed */
    uint32_t shares;
    uint32_t *step;             /* by node; of node 0: 0 */
    uint8_t *jump;              /* by share and node */
    uint32_t *count;            /* [step][jump]: shares that it carries; steps + 1 rows */
    struct arena memory;
};

/** Fewest steps; in each of them jumps carry shares in proportion to their lightpaths.
 *  @param apart  each node gets a block of its own, which all nodes on the way to it carry: an all-to-all
 *  RWA_NOMEM, RWA_CANCELLED; standing_tree_free() in any case.  O(shares * nodes * jumps) */
rwa_status standing_tree_grow(struct standing_tree *tree, const struct standing_network *s, const struct jumps *jumps,
                              uint32_t shares, bool apart, uint32_t steps_most, rwa_error *err);
void standing_tree_free(struct standing_tree *tree);
