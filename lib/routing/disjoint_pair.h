/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The shortest pair of paths between two nodes that share no link. */
#pragma once

#include "routing/graph.h"

/** Workspace. */
struct disjoint_pair;
rwa_status disjoint_pair_open(struct disjoint_pair **out, const struct routing_graph *graph, rwa_error *err);
void disjoint_pair_close(struct disjoint_pair *pairs);

/**
 * The least total length of two paths from src to dst that have no link in common, under a length for each arc; closed
 * nodes only end them.  A cheapest flow of two units by two searches, the second of which may take the first one's arcs
 * back (Suurballe: Disjoint paths in a network, Networks 4, 1974).  O(nodes * arcs), mostly much less.
 * @return GRAPH_FAR: there are no two such paths
 */
uint64_t disjoint_pair_between(struct disjoint_pair *pairs, const uint64_t *length, uint32_t src, uint32_t dst);

/** Add an amount to every link of the two paths found last. */
void disjoint_pair_load(const struct disjoint_pair *pairs, uint64_t *load, uint64_t amount);

/**
 * The two paths found last, the one with fewer hops first, one after the other; lengths must have been positive.
 * @param[out] arc   2 * nodes entries
 * @param[out] hops  of each
 */
void disjoint_pair_read(struct disjoint_pair *pairs, uint32_t *arc, size_t hops[2]);
