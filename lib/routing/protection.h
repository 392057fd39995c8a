/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A working route and its backup: paths that share no link and no risk group. */
#pragma once

#include "base/bins.h"
#include "routing/graph.h"
#include "routing/paths.h"

/** Links that fail together. */
struct risks {
    size_t groups;
    struct bins of;     /* the groups by the links of the model */
};

rwa_status risks_create(struct risks *risks, const rwa_network *net, const struct routing_graph *graph, rwa_error *err);
void risks_free(struct risks *risks);

/** A search for pairs of routes. */
struct protection_query {
    uint32_t src, via, dst;     /* via: RWA_NONE, or a node that both paths pass */
    size_t most;                /* pairs wanted */
    uint32_t max_hops;          /* of each of the two; 0: no limit */
};

/** Workspace to find many pairs. */
struct protection;
rwa_status protection_open(struct protection **out, const struct routing_graph *graph, const struct risks *risks,
                           rwa_error *err);
void protection_close(struct protection *protection);

/**
 * Append pairs of routes that share no link and no risk group, those of the least total length first.
 * @param[out] all   true: no other pairs exist; if none was found, it is proven that there is none
 * @return RWA_OK; RWA_NOMEM
 */
rwa_status protection_find(struct protection *protection, struct paths *out, const struct protection_query *query,
                           bool *all, rwa_error *err);
