/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Translations of a network: on some networks the nodes are the elements of an Abelian group, and adding one element
 *  to all nodes maps links to links. */
#pragma once

#include "base/base.h"
#include "rwa/demand.h"
#include "rwa/network.h"

/** A group of translations.  Its elements are numbers with digits of these radices, the last digit fastest, that add
 *  digit by digit without carry.  Node 0 is element 0. */
struct translations {
    const rwa_network *net;     /* borrowed */
    uint32_t nodes;
    uint32_t radix[RWA_SHAPE_MAX];
    size_t digits;
    const uint32_t *node;       /* of each element; NULL: the same number.  Borrowed from the network */
    const uint32_t *element;    /* of each node */
};

/** Set *out to the translations of a network, and return true; false if none are known.  Rings, tori, hypercubes,
 *  circulants, and networks with the same links under other node numbers have them.  A translation may move a link to a
 *  failed one or to one with other channels, unless network_is_uniform().  Cost O(1), found when the network was
 *  built. */
bool translations_of(struct translations *out, const rwa_network *net);
uint32_t translations_add(const struct translations *t, uint32_t a, uint32_t b);
/** Return the node to which `node` moves by the translation that moves `from` to `to`. */
uint32_t translations_move(const struct translations *t, uint32_t node, uint32_t from, uint32_t to);
/** Return the first dimension, from 0, in which the coordinates (digits) of nodes a and b differ; the last dimension if
 *  a and b are equal. */
size_t translations_dimension(const struct translations *t, uint32_t a, uint32_t b);
uint32_t translations_digit(const struct translations *t, uint32_t node, size_t dimension);
/** Tell whether one record of a schedule may stand for a lightpath and all its translations (an orbit).  This holds on
 *  rings, tori and hypercubes, where node v is element v of the group. */
bool network_has_orbits(const rwa_network *net);
/** Return the directed link to which `link` moves by the translation that moves node 0 to `by`. */
uint32_t translations_link(const struct translations *t, uint32_t link, uint32_t by);
/** Apply one translation to the `count` links of links[], at least one, and store the result in moved[], which may be
 *  links[] itself.  It is the translation that gives one of them the lowest number that any of them can get.  All
 *  translations of a single link, or of a fibre pair, therefore give the same result.
 *  @return the node to which the translation back moves node 0 */
uint32_t translations_lowest(uint32_t *moved, const struct translations *t, const uint32_t *links, size_t count);

/** Tell whether all links have the same channels and none has failed. */
bool network_is_uniform(const rwa_network *net);

/** A subgroup of the translations: a set of nodes closed under addition. */
struct subgroup {
    uint32_t order;
    uint32_t *member;   /* ascending; 0 comes first */
    uint32_t *coset;    /* of each node: its coset, numbered from 0 by the lowest node in it */
    uint32_t index;     /* cosets */
};

struct subgroups {
    struct subgroup *list;
    size_t count;
};

/** Store in `out` at most `most` subgroups of at most `index` cosets each, larger subgroups first.  They are
 *  intersections of kernels of the group's characters, the homomorphisms to the integers modulo its exponent.  `out`
 *  starts as zeros; free it also after a failure. */
rwa_status subgroups_find(struct subgroups *out, const struct translations *group, uint32_t index, size_t most,
                          rwa_error *err);
void subgroups_free(struct subgroups *subgroups);
/** Tell whether `inner` is contained in `outer`. */
bool subgroup_holds(const struct subgroup *outer, const struct subgroup *inner);

/** Number the orbits of the links under a subgroup, from 0 by their lowest link; return their number.  An orbit is a
 *  set of links that the subgroup maps to each other.  orbit[] gets the number for each directed link, or for each
 *  fibre pair in the undirected model. */
uint32_t subgroup_link_orbits(uint32_t *orbit, const struct subgroup *by, const struct translations *group,
                              rwa_model model);

/**
 * A network folded by a subgroup of its translations.  Two nodes, or two links, are alike if a member of the subgroup
 * moves one to the other.  A plan is made for one node of each class of alike nodes, and all nodes of the class carry
 * it out at the same time.
 */
struct folding {
    struct translations group;
    struct subgroup by;         /* nodes of one coset are alike; nodes 0 … index - 1 are in different ones, in order */
    uint32_t *link;             /* for each directed link the one like it that leaves a node below by.index */
};

/** Tell whether folding_create() can fold the network into `cosets` classes of alike nodes. */
bool folding_exists(const struct translations *group, uint32_t cosets);
/**
 * Fold a network into `cosets` classes of alike nodes: nodes are alike if the digit sums of their group elements are
 * equal modulo `cosets`.  `out` starts as zeros; free it also after a failure.
 * @param group   a group for which folding_exists() is true
 * @param listed  the network of the group with its links listed (network_list_links())
 * @return RWA_OK; RWA_NOMEM.  Cost O(nodes + links * log degree)
 */
rwa_status folding_create(struct folding *out, const struct translations *group, const rwa_network *listed,
                          uint32_t cosets, rwa_error *err);
void folding_free(struct folding *folding);
