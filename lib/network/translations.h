/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Translations: on some networks nodes add up like the elements of an Abelian group, and adding maps links to links. */
#ifndef NETWORK_TRANSLATIONS_H
#define NETWORK_TRANSLATIONS_H

#include "base/base.h"
#include "rwa/network.h"

/** Nodes are written with digits of these radices, the last fastest, and add digit by digit. */
struct translations {
    const rwa_network *net;     /* borrowed */
    uint32_t nodes;
    uint32_t radix[RWA_SHAPE_MAX];
    size_t digits;
};

/** false: none are known of this network.  Torus, hypercube, circulant and ring have them.  Links lead to links, but need not
 *  be alike: network_is_uniform(). */
bool translations_of(struct translations *out, const rwa_network *net);
uint32_t translations_add(const struct translations *t, uint32_t a, uint32_t b);
/** The node that `node` becomes by the translation that moves `from` to `to`. */
uint32_t translations_move(const struct translations *t, uint32_t node, uint32_t from, uint32_t to);

/** All links have the same channels, and none failed. */
bool network_is_uniform(const rwa_network *net);

/**
 * A network folded by a subgroup of its translations: nodes are alike that a member of the subgroup moves to each other, and
 * so are links.  What is planned for one of them all others do at the same time.
 */
struct folding {
    struct translations group;
    uint32_t *member;           /* the subgroup: node 0 becomes this node; the first is 0 */
    uint32_t members;
    uint32_t cosets;            /* sets of nodes that are alike; the lowest nodes in them are 0 … cosets - 1 */
    uint32_t *node;             /* of each node: the lowest that is alike */
    uint32_t *link;             /* of each directed link: the one that is alike out of such a node */
};

/**
 * Fold by the nodes whose digits add up to a multiple of `cosets`, which divides every radix; 1: by all translations.
 * `out` starts as zeros; free it also after a failure.
 * @param listed  the network of the group with its links listed (network_list_links())
 * @return RWA_OK; RWA_NOMEM.  Cost O(nodes + links * log degree)
 */
rwa_status folding_create(struct folding *out, const struct translations *group, const rwa_network *listed, uint32_t cosets,
                          rwa_error *err);
void folding_free(struct folding *folding);

#endif
