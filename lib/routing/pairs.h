/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Two ways between two nodes that share no link, and no risk group: a lightpath and its backup. */
#ifndef ROUTING_PAIRS_H
#define ROUTING_PAIRS_H

#include "routing/paths.h"

/** Workspace. */
struct pairs;
rwa_status pairs_open(struct pairs **out, const struct roads *roads, rwa_error *err);
void pairs_close(struct pairs *pairs);

/**
 * The least total length of two ways from src to dst that have no link in common, under a length for each arc; closed
 * nodes only end them.  A cheapest flow of two units by two searches, the second of which may take the first one's arcs
 * back (Suurballe: Disjoint paths in a network, Networks 4, 1974).  O(nodes * arcs), mostly much less.
 * @return ROADS_FAR: there are no two such ways
 */
uint64_t pairs_between(struct pairs *pairs, const uint64_t *length, uint32_t src, uint32_t dst);

/** Add an amount to every link of the two ways found last. */
void pairs_load(const struct pairs *pairs, uint64_t *load, uint64_t amount);

/**
 * The two ways found last, the one with fewer hops first, in a row; lengths must have been positive.
 * @param[out] arc   twice the nodes of room
 * @param[out] hops  of each
 */
void pairs_read(struct pairs *pairs, uint32_t *arc, size_t hops[2]);

/** Links that fail together: of each link of the model, the groups it belongs to. */
struct risks {
    size_t groups;
    size_t *first;      /* of link l: group[first[l]] … group[first[l + 1] - 1] */
    uint32_t *group;
};

rwa_status risks_create(struct risks *risks, const rwa_network *net, const struct roads *roads, rwa_error *err);
void risks_free(struct risks *risks);

/** Pairs of routes in a row: path i of `paths` is a route and, from its arc cut[i] on, its backup. */
struct guarded {
    struct paths paths;
    size_t *cut;
    size_t room;
};

void guarded_free(struct guarded *g);

/** What to pair, between which nodes. */
struct guard_quest {
    uint32_t src, via, dst;     /* via: RWA_NO_NODE, or a node that both ways pass */
    size_t most;                /* pairs wanted */
    uint32_t max_hops;          /* of each of the two; 0: no limit */
};

/** Workspace to find many pairs. */
struct guards;
rwa_status guards_open(struct guards **out, const struct roads *roads, const struct risks *risks, rwa_error *err);
void guards_close(struct guards *guards);

/**
 * Append pairs of routes that share no link and no risk group, the shortest together first.
 * @param[out] all   there are no others; when none were found, that there are none
 * @return RWA_OK; RWA_NOMEM
 */
rwa_status guards_find(struct guards *guards, struct guarded *out, const struct guard_quest *quest, bool *all, rwa_error *err);

#endif
