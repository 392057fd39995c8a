/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What routes are made of: the links of a network in the eyes of one model, and the shortest ways through them. */
#ifndef ROUTING_ROADS_H
#define ROUTING_ROADS_H

#include "base/base.h"
#include "rwa/demand.h"

/**
 * Arcs are the directed links of the network, by their numbers.  Each uses up one link of the model: itself, or its
 * fibre pair when undirected.  Failed links are no arcs.
 */
struct roads {
    uint32_t nodes;
    uint32_t arcs;      /* numbers of arcs are below; failed ones are in no list */
    uint32_t links;     /* of the model */
    uint32_t *from, *to, *link;     /* of each arc */
    uint32_t *out_first, *out;      /* arcs that leave node v: out[out_first[v]] … out[out_first[v + 1] - 1], ascending */
    uint32_t *in_first, *in;        /* arcs that enter it, likewise */
    uint32_t *fibers;               /* of each link of the model */
    uint64_t *length;               /* of each arc: one hop, then kilometres to break ties */
    bool *closed;                   /* nodes that no route may pass */
};

/** One hop of roads.length; what is below counts the metres. */
#define ROADS_HOP (UINT64_C(1) << 40)

/** `roads` starts as zeros; free it also after a failure. */
rwa_status roads_create(struct roads *roads, const rwa_network *net, rwa_model model, rwa_error *err);
void roads_free(struct roads *roads);

#define ROADS_FAR UINT64_MAX

/** Shortest ways from one node, or to one. */
struct ways {
    uint64_t *dist;     /* of each node; ROADS_FAR: no way */
    uint32_t *arc;      /* the arc towards the root; RWA_NO_LINK at the root and where there is no way */
    uint32_t *heap, *place;
    uint32_t count;
};

rwa_status ways_create(struct ways *ways, const struct roads *roads, rwa_error *err);
void ways_free(struct ways *ways);
/** All shortest ways from `root`, under a length for each arc.  Ties go to the arc that came first.  O(arcs log nodes). */
void ways_from(struct ways *ways, const struct roads *roads, const uint64_t *length, uint32_t root);
/** All shortest ways to `root`. */
void ways_to(struct ways *ways, const struct roads *roads, const uint64_t *length, uint32_t root);
/**
 * A shortest way from src to dst past nodes and arcs that are shut (NULL: none).
 * @param left  NULL, or the distances to dst under the same lengths when nothing is shut, which lead the search; dist
 *              then counts only what a way is longer than that
 * @return whether there is one; it is read back from dst along ways->arc
 */
bool ways_between(struct ways *ways, const struct roads *roads, const uint64_t *length, uint32_t src, uint32_t dst,
                  const uint64_t *left, const bool *shut_node, const bool *shut_arc);

#endif
