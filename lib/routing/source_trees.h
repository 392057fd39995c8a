/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes for large traffic by congestion prices: a few trees for each source, and lower bounds from the prices. */
#pragma once

#include "routing/flow.h"
#include "routing/path_tree.h"

/** The most trees kept for a source. */
enum { SOURCE_TREES = 12 };

/**
 * Near-optimal routing for the least load of the most loaded link.  In every round each source gets a shortest-path
 * tree under prices that grow exponentially with the load of a link (Plotkin, Shmoys, Tardos: Fast approximation
 * algorithms for fractional packing and covering problems, Mathematics of Operations Research 20, 1995), and the load
 * of the source moves towards that of the tree.  The trees of the last rounds are kept as routes.  The prices are
 * averaged, improved by subgradient steps and rounded to integers; these prove a lower bound.
 */
struct source_trees {
    const struct routing_graph *graph;
    const struct traffic *traffic;
    size_t sources;
    size_t *first;          /* pairs of source s: first[s] … first[s + 1] - 1 */
    uint32_t *source_of;    /* of each pair */
    uint32_t kept;          /* trees of each source, at least 1 */
    uint32_t *tree;         /* tree[(s * kept + k) * nodes + v]: the arc that enters v in tree k of source s */
    uint16_t *distinct;     /* of each pair: bit k is set when route k differs from those before it */
    uint32_t made;          /* trees made for each source; fewer than `kept` when the budget ended the rounds */
    uint32_t rounds;        /* rounds made */
    double load;            /* fractional load of the most loaded link, per fibre */
    struct metric bound;    /* name NULL: there is none yet */

    struct path_tree path_tree;
    double *amount;         /* of each link: its fractional load */
    float *of_source;       /* of_source[s * links + l]: load of source s on link l */
    double *price, *average;
    double *part;           /* scratch: of each link */
    double *below;          /* scratch: of each node, the traffic to it and to nodes behind it */
    uint64_t *length;       /* of each arc */
    struct metric trial;
    struct arena arena;
};

/**
 * Compute a few trees of routes for each source, and prices of the links, in rounds.
 * @param trees   starts as zeros; free it also after a failure. graph and traffic are borrowed; every pair must have a
 *                path
 * @param rounds  how many; the budget may end them, but at least one is made
 * @param kept    the most trees to keep for each source; at most SOURCE_TREES are
 * @param budget  polled
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED when the caller cancelled.  Cost O(rounds * sources * arcs log nodes);
 *         memory O(sources * (trees * nodes + links))
 */
rwa_status source_trees_solve(struct source_trees *trees, const struct routing_graph *graph,
                              const struct traffic *traffic, uint32_t rounds, uint32_t kept, struct budget *budget,
                              rwa_error *err);
/**
 * Use the caller's trees and prices in place of those of source_trees_solve(): fill(data, root, k, tree) writes tree
 * number k of the source `root`, for each node the arc that enters it, RWA_NONE at the root.
 * @param price  of each link: the prices from which source_trees_bound() starts
 */
rwa_status source_trees_take(struct source_trees *trees, const struct routing_graph *graph,
                             const struct traffic *traffic, uint32_t kept,
                             void (*fill)(void *data, uint32_t root, uint32_t k, uint32_t *tree), void *data,
                             const double *price, rwa_error *err);
/** Raise trees->bound by subgradient steps from the prices, in `rounds` rounds of 20 steps, until it reaches `target`
 *  or the budget ends.  O(sources * arcs log nodes) for each step. */
rwa_status source_trees_bound(struct source_trees *trees, uint64_t target, uint32_t rounds, struct budget *budget,
                              rwa_error *err);
void source_trees_free(struct source_trees *trees);

/** Return the tree that contains route k of a pair: for each node the arc that enters it.  Follow these arcs from dst
 *  back to src, by c->graph->from. */
static inline const uint32_t *source_trees_of(const struct source_trees *c, size_t pair, uint32_t k)
{
    return c->tree + ((size_t)c->source_of[pair] * c->kept + k) * c->graph->nodes;
}
