/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Orbits of all nodes, checked at node 0. */
#pragma once

#include "check/checker.h"
#include "network/network.h"

/** The holdings of node 0, which give those of every node; one file for each kind. */
struct first_holdings {
    bool (*fits)(const struct checker *chk);        /* whether there is memory for it */
    rwa_status (*open)(struct checker *chk);
    /** All transfers of a full orbit, or none: *taken is then false. */
    rwa_status (*take)(bool *taken, struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists);
    void (*end_step)(struct checker *chk);
    bool (*is_complete)(const struct checker *chk);
    /** Give the open chk->holdings what all nodes hold, and what is coming in this step. */
    rwa_status (*expand)(struct checker *chk);
    void (*close)(struct checker *chk);
};

extern const struct first_holdings first_holdings_of_copies, first_holdings_of_sums;

struct symmetry {
    struct arena memory;            /* of the arrays that do not grow */
    const struct first_holdings *holdings;
    struct first_copies *copies;    /* one of these two */
    struct first_sums *sums;
    uint64_t share;                 /* blocks of a node */
    uint32_t channels;
    uint32_t *period;               /* of this step's records, by class; 0: none so far */
    uint64_t *taken;                /* bit class * channels + key */
    uint64_t *lit;                  /* bit channel, of a ring by direction */
    size_t taken_words, lit_words;
    bool late;                      /* of a broadcast: chk->holdings and the channel model are open, as before this step */
};

/** The block whose position relative to a node `on` places on is that of `block` relative to node 0; of pairs both ends move. */
static inline uint64_t moved_on(const struct checker *chk, uint32_t on, uint64_t block)
{
    uint64_t n = chk->nodes, share = chk->symmetry->share, moved = block + on * share, parts = share / n;
    assert(block < chk->coll->blocks && on < n);
    if (!network_has_arcs(chk->net))
        return block_plus(&chk->group, chk->coll, block, on);
    if (chk->coll->kind == RWA_ALL_TO_ALL && block % share + on * parts >= share)
        moved -= share;
    if (chk->coll->kind == RWA_ALL_TO_ALL)
        moved += on * parts;
    return moved < chk->coll->blocks ? moved : moved - chk->coll->blocks;
}

/** The block whose position relative to node 0 is that of `block` relative to this node. */
static inline uint64_t seen_from_first(const struct checker *chk, uint32_t node, uint64_t block)
{
    return moved_on(chk, node_minus(&chk->group, 0, node), block);
}
