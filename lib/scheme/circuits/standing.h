/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Circuits that are the same at every node.
 *
 * The nodes form a group under addition (network/translations.h), and the links of a node lead along cycles.  An
 * *offset* is a circuit over some links of one cycle; every node has its translation.  A template tree of offsets
 * spreads a block of node 0 to all nodes; the trees of all other blocks are translations of it.
 */
#pragma once

#include "network/translations.h"
#include "scheme/circuits/circuits.h"

enum { CYCLES_MOST = 16, LENGTHS_MOST = 16, OFFSETS_MOST = 64 };

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

/** Find the cycles of a network.  Returns RWA_OK also if its nodes form no group or its links no cycles (out->cycles
 * is then 0); RWA_NOMEM, RWA_CANCELLED.  standing_network_close() in any case.  max_hops limits the links of an offset
 * (0: no limit). */
rwa_status standing_network_open(struct standing_network *out, const rwa_network *net, uint32_t max_hops,
                                 struct budget *budget, rwa_error *err);
void standing_network_close(struct standing_network *s);

/** A circuit over `links` links of a cycle, forwards or back; every node has its translation. */
struct offset {
    uint32_t cycle, links;
    bool back;
    uint32_t lightpaths;        /* parallel lightpaths of the circuit */
    size_t first;               /* index in offsets.slot of their channels */
    uint32_t inverse;           /* the offset that leads back, over the same channels the other way */
};

/**
 * Offsets with their channels.  The lightpath from place x of a cycle, forwards, has channel slot - slot % period +
 * (slot
 * + x) % period; slots are chosen so that lightpaths of one channel share no link (docs/reference/schemes.md, "Standing
 * lightpaths").
 */
struct offsets {
    struct offset list[OFFSETS_MOST];
    size_t count;               /* 0: there are too few channels */
    uint32_t period[CYCLES_MOST];
    uint32_t *slot;
};

/** The choice of offsets: their lengths are 1, r, r² … links, or for r = 1: 1, 2, 3 …; on every cycle that is long
 * enough.  An offset of l links has about 1 / sqrt(l) times as many lightpaths as an offset of one link. */
struct offset_choice {
    uint32_t lengths, ratio;    /* how many; r */
};
/** Set up the offsets that `choice` asks for, with as many lightpaths as the channels allow. out->slot must have space
 * for `channels` entries for each cycle; out->count is 0 if there are too few channels. */
void offsets_choose(struct offsets *out, const struct standing_network *s, const struct offset_choice *choice);
/** Return the channel of the k-th lightpath (from 0) of an offset that starts at a node. */
uint32_t offset_channel(const struct standing_network *s, const struct offsets *offsets, const struct offset *offset,
                        uint32_t k, uint32_t node);
/** Return the node to which an offset leads from a node. */
uint32_t offset_end(const struct standing_network *s, const struct offset *offset, uint32_t node);

/**
 * The template trees, one for each share of a block, all with the same number of steps; in an all-to-all, paths to all
 * nodes.
 */
struct standing_tree {
    uint32_t steps; /* 0: the offsets do not reach all nodes in the steps allowed */
    uint32_t shares;
    uint32_t *order;            /* nodes by number of steps */
    uint32_t *step;             /* by node: in which a share arrives; of node 0: 0 */
    uint8_t *offset;            /* by share and node, the farthest first: by which it is informed; in an all-to-all
                                   those of the whole path, the last one first */
    size_t moves;               /* number of these offsets */
    uint32_t *count;            /* [step][offset]: shares that it carries; steps + 1 rows */
    struct arena memory;
};

/** Grow template trees of fewest steps, one for each of `shares` shares of a block.  In each step the loads of the
 * offsets are about proportional to the numbers of their lightpaths. tree->steps is 0 if steps_most steps do not
 * suffice.
 * @param apart true for an all-to-all: each node gets a block of its own
 * RWA_NOMEM, RWA_CANCELLED; standing_tree_free() in any case.  O(moves of all shares * offsets) */
rwa_status standing_tree_grow(struct standing_tree *tree, const struct standing_network *s,
                              const struct offsets *offsets, uint32_t shares, bool apart, uint32_t steps_most,
                              rwa_error *err);
void standing_tree_free(struct standing_tree *tree);
