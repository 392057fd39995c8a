/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Translations: on some networks the nodes are the elements of an Abelian group, and adding an element to all nodes
 *  maps links to links. */
#pragma once

#include "base/base.h"
#include "rwa/demand.h"
#include "rwa/network.h"

/** Elements are written with digits of these radices, the last fastest, and add digit by digit.  Node 0 is element
 *  0. */
struct translations {
    const rwa_network *net;     /* borrowed */
    uint32_t nodes;
    uint32_t radix[RWA_SHAPE_MAX];
    size_t digits;
    const uint32_t *node;       /* of each element; NULL: the same number.  Borrowed from the network */
    const uint32_t *element;    /* of each node */
};

/** false: no translations are known.  Rings, tori, hypercubes, circulants and networks of the same links under other
 *  numbers have them.  A translation maps links to links, which may differ in channels or failures:
 *  network_is_uniform().  Cost O(1), found when the network was built. */
bool translations_of(struct translations *out, const rwa_network *net);
uint32_t translations_add(const struct translations *t, uint32_t a, uint32_t b);
/** The node that `node` becomes by the translation that moves `from` to `to`. */
uint32_t translations_move(const struct translations *t, uint32_t node, uint32_t from, uint32_t to);
/** The first digit in which two nodes differ; the last one if none does. */
size_t translations_dimension(const struct translations *t, uint32_t a, uint32_t b);
uint32_t translations_digit(const struct translations *t, uint32_t node, size_t dimension);
/** Whether one record of a schedule may stand for all translations of a lightpath, an orbit: rings, tori and
 *  hypercubes, whose nodes have the numbers of their elements. */
bool network_has_orbits(const rwa_network *net);
/** The directed link that another becomes by the translation that moves node 0 to `by`. */
uint32_t translations_link(const struct translations *t, uint32_t link, uint32_t by);

/** All links have the same channels, and none failed. */
bool network_is_uniform(const rwa_network *net);

/** A set of nodes that is closed under adding. */
struct subgroup {
    uint32_t order;
    uint32_t *member;   /* ascending; 0 comes first */
    uint32_t *coset;    /* of each node: its coset, numbered from 0 by the lowest node in it */
    uint32_t index;     /* cosets */
};

struct subgroups {
    struct subgroup *list;
    size_t count, capacity;
};

/** Subgroups of index at most `index`, larger ones first, but no more than `most` of them: intersections of kernels of
 *  the group's characters.  `out` starts as zeros; free it also after a failure. */
rwa_status subgroups_find(struct subgroups *out, const struct translations *group, uint32_t index, size_t most,
                          rwa_error *err);
void subgroups_free(struct subgroups *subgroups);
/** Whether inner is part of outer. */
bool subgroup_holds(const struct subgroup *outer, const struct subgroup *inner);

/** Number the links by the orbits into which the subgroup takes them, from 0 by the lowest link, and return how many
 *  orbits there are.  orbit has an entry for each directed link, or for each fibre pair when undirected. */
uint32_t subgroup_link_orbits(uint32_t *orbit, const struct subgroup *by, const struct translations *group,
                              rwa_model model);

/**
 * A network folded by a subgroup of its translations.  Two nodes, or two links, are alike if a member of the subgroup
 * moves one to the other.  A plan is made for one of several alike nodes, and all of them carry it out at the same
 * time.
 */
struct folding {
    struct translations group;
    struct subgroup by;         /* nodes of one coset are alike; nodes 0 … index - 1 are in different ones, in order */
    uint32_t *link;             /* of each directed link: the alike link that leaves a node below by.index */
};

/** Whether a network can be folded into `cosets` classes of alike nodes. */
bool folding_exists(const struct translations *group, uint32_t cosets);
/**
 * Fold by the nodes whose digits add up to a multiple of `cosets`; 1: by all translations.
 * `out` starts as zeros; free it also after a failure.
 * @param group   folding_exists() of it
 * @param listed  the network of the group with its links listed (network_list_links())
 * @return RWA_OK; RWA_NOMEM.  Cost O(nodes + links * log degree)
 */
rwa_status folding_create(struct folding *out, const struct translations *group, const rwa_network *listed,
                          uint32_t cosets, rwa_error *err);
void folding_free(struct folding *folding);
