/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of a collective while its plan is made, on a network of fibres: which nodes hold each block, and the
 * channels and ports that are left in the step being filled. */
#pragma once

#include "base/arena.h"
#include "delivery/deliveries.h"
#include "delivery/load_map.h"

/** State of a node for a block.  NODE_HOLDS: it has the block. 1 … NODE_FAR: a lower bound on the hops to the nearest
 * holder; NODE_FAR stands for all larger numbers.  NODE_GETS: it receives the block in the step being filled, and can
 * send it from the next step on. */
enum { NODE_HOLDS = 0, NODE_FAR = 253, NODE_GETS = 255 };

/** A backward search from the node to be served.  Level d has an entry for each node reached at distance d, with the
 * channels that are free on the whole path from there. */
struct backward_search {
    size_t *level;              /* level d: entries level[d] … level[d + 1] - 1 */
    uint32_t *node;             /* of each entry */
    size_t *before;             /* of each entry: the entry of the same node at a smaller distance; NO_ENTRY */
    uint64_t *bits;             /* [entry][word] */
    size_t count;
    uint64_t block;             /* looked for */
    uint32_t reach;
    bool limited;               /* the reach ended the search: some holder may be farther */
    size_t *newest;             /* of each node: its latest entry */
    uint64_t *seen;             /* [node][word]: channels of all its entries */
    uint32_t *stamp, token;     /* newest and seen of node v are valid while stamp[v] == token */
};

/** The nodes to which some holder can send a block over free channels, as found by the last sweep (a search from all
 * holders at once); later in the same step there can only be fewer.  A search for the block from another node must
 * fail. */
struct sweeps {
    size_t words;               /* of 64 nodes each; 0: the network is large, and nothing is kept */
    uint64_t *leads;            /* [block][word]: the nodes found */
    bool *swept;                /* of each block: swept in this step */
    size_t *failed;             /* of each block: entries of failed searches since its last sweep */
};

struct delivery_state {
    struct arena memory;    /* of the arrays */
    rwa_network *net;           /* own; lists its links */
    bool arcs;                  /* the caller's network is a ring or a line: directions say the routes */
    uint32_t nodes, links, ports;
    uint64_t blocks;
    const struct folding *folding;  /* borrowed; NULL: none */
    struct load_map map;        /* folded: only the rows of links that stand for all their translations are valid */
    uint32_t *in_first, *in;    /* links into node v: in[in_first[v]] … in[in_first[v + 1] - 1] */
    uint32_t *in_from;          /* of each entry of `in`: the node that the link leaves */
    uint8_t *near;              /* [block][node]: NODE_HOLDS … NODE_GETS */
    uint32_t *queue;            /* of nodes whose distance became smaller */
    /* of each node: free channels of the links into it; folded: only valid for the lowest node of those that are
     * translations of each other, as the next two */
    uint32_t *in_left;
    uint32_t *may_send, *may_receive; /* free ports of each node in this step */
    struct backward_search search;
    struct sweeps sweeps;
    uint64_t looked;            /* nodes visited by all searches so far */
    struct deliveries sent;
    bool hindered;              /* folded: some lightpath was not sent, as it would meet its translations */
    rwa_error *err;             /* borrowed */
};

/** Set up a state in which no node holds a block and no step is begun.  In a step each node starts and ends at most as
 * many lightpaths as the network has ports.  Failed links have no channels.  On networks other than rings and lines,
 * links in pairs have only the channels that both links have; this lets every plan be time-reversed.  `state` starts as
 * zeros; close it also after a failure.
 * @param folding NULL, or a folding of the network: each lightpath then stands for its translations by all members,
 * which take channels and ports at the same time
 * @return RWA_OK; RWA_BADARG: star, ron or ocs; RWA_NOMEM */
rwa_status delivery_open(struct delivery_state *state, const rwa_network *net, uint64_t blocks,
                         const struct folding *folding, rwa_error *err);
void delivery_close(struct delivery_state *state);

/** Reset to the state after delivery_open(): no holders and no steps. */
void delivery_reset(struct delivery_state *state);

/** Store in the state that the node holds the block from the start.  O(links). */
void delivery_hold(struct delivery_state *state, uint32_t node, uint64_t block);
/** Store in the state that `block` is held from the start, too, by the only node that holds block - 1.  O(nodes). */
void delivery_hold_like_last(struct delivery_state *state, uint64_t block);

/** Begin the next step, with all channels and ports free. */
void delivery_begin_step(struct delivery_state *state);
/** End the step: its receivers now hold their blocks. */
void delivery_end_step(struct delivery_state *state);
/** Tell whether the step being filled has no lightpaths yet. */
bool delivery_step_is_empty(const struct delivery_state *state);

/** Answers of delivery_serve().  DELIVERY_CUT_OFF: no holder at any distance can send; this lasts until the step ends,
 * since free channels and ports only decrease.  It is also the answer if, with a folding, the translations of the
 * lightpath would meet. */
enum delivery_answer { DELIVERY_SENT, DELIVERY_TOO_FAR, DELIVERY_CUT_OFF };

/** Send a block to a node from a nearest holder that is at most `reach` hops away.  The lightpath takes the lowest
 * channel that is free on the whole path, and a port at both ends.  *answer says whether it was sent or why not.
 * RWA_NOMEM. */
rwa_status delivery_serve(struct delivery_state *state, uint32_t node, uint64_t block, uint32_t reach,
                          enum delivery_answer *answer);

/** sweep_ahead.c: find all nodes to which some holder can send the block over free channels, at any distance.  For each
 * such node v, set bit v of `leads`, which has words of 64 bits and starts as zeros. */
void delivery_sweep_ahead(struct delivery_state *state, uint64_t block, uint64_t *leads);

/** Remove the lightpaths to nodes that neither need the block nor pass it on, and the steps that become empty.  All
 * steps must have ended.  The caller has set state->near[block * nodes + node] to 1 if the node needs the block, else
 * to 0. */
void delivery_prune(struct delivery_state *state);

/** Return the largest factor by which the number of holders of a block can grow in a step.  It is 1 + the largest
 * number of lightpaths that can leave a node with its channels and ports. */
uint64_t delivery_growth(const struct delivery_state *state);

/** In debug builds, assert that the counts of free channels and ports agree with the lightpaths of the step. */
void delivery_check(const struct delivery_state *state);

/** Return the node whose channels and ports are counted in place of `node`: with a folding the one that stands for all
 * its translations, else `node` itself. */
static inline uint32_t delivery_place(const struct delivery_state *state, uint32_t node)
{
    assert(node < state->nodes);
    return state->folding ? state->folding->by.coset[node] : node;
}

/** Return the link whose channels are counted in place of `link`: with a folding the one that stands for all its
 * translations, else `link` itself. */
static inline uint32_t delivery_link(const struct delivery_state *state, uint32_t link)
{
    assert(link < state->links);
    return state->folding ? state->folding->link[link] : link;
}

static inline uint8_t delivery_at(const struct delivery_state *state, uint32_t node, uint64_t block)
{
    assert(node < state->nodes && block < state->blocks);
    return state->near[block * state->nodes + node];
}

static inline bool delivery_holds(const struct delivery_state *state, uint32_t node, uint64_t block)
{
    return delivery_at(state, node, block) == NODE_HOLDS;
}

/** Tell whether the node holds the block and has a free port to send it. */
static inline bool delivery_can_send(const struct delivery_state *state, uint32_t node, uint64_t block)
{
    return delivery_holds(state, node, block) && state->may_send[delivery_place(state, node)] > 0;
}

static inline bool delivery_lacks(const struct delivery_state *state, uint32_t node, uint64_t block)
{
    uint8_t at = delivery_at(state, node, block);
    return at != NODE_HOLDS && at != NODE_GETS;
}
