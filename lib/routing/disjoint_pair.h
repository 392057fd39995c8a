/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The shortest pair of paths between two nodes that share no link. */
#pragma once

#include "routing/graph.h"

/** Workspace. */
struct disjoint_pair;
rwa_status disjoint_pair_open(struct disjoint_pair **out, const struct routing_graph *graph, rwa_error *err);
void disjoint_pair_close(struct disjoint_pair *pairs);

/**
 * Return the least total length of two paths from src to dst that share no link, where `length` has an entry for each
 * arc.  Closed nodes may only be ends.  The paths are a cheapest flow of two units, found by two searches; the second
 * may take back arcs of the first (Suurballe: Disjoint paths in a network, Networks 4, 1974).  O(nodes * arcs), mostly
 * much less.
 * @return GRAPH_FAR: there are no two such paths
 */
uint64_t disjoint_pair_between(struct disjoint_pair *pairs, const uint64_t *length, uint32_t src, uint32_t dst);

/** Add an amount to the load of every link of the two paths found last. */
void disjoint_pair_load(const struct disjoint_pair *pairs, uint64_t *load, uint64_t amount);

/**
 * Write the two paths found last, one after the other, the one with fewer hops first.  All lengths must have been
 * positive when they were found.
 * @param[out] arc   2 * nodes entries
 * @param[out] hops  of the first path and of the second
 */
void disjoint_pair_read(struct disjoint_pair *pairs, uint32_t *arc, size_t hops[2]);
