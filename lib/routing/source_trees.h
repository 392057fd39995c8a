/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes for a large traffic by congestion: a few trees for each source, lower bounds from the prices of the links. */
#pragma once

#include "routing/flow.h"
#include "routing/path_tree.h"

/** The most trees kept for a source. */
enum { SOURCE_TREES = 12 };

/**
 * Near-optimal routing for the least load of the most loaded link.  In every round each source gets a shortest-path
 * tree under prices that grow exponentially with the load of a link (Plotkin, Shmoys, Tardos: Fast approximation
 * algorithms for fractional packing and covering problems, Mathematics of Operations Research 20, 1995), and its load
 * moves towards the tree's.  The trees of the last rounds are kept: those are the routes.  The prices, averaged and
 * sharpened by subgradient steps, and rounded to integers, are a bound.
 */
struct source_trees {
    const struct routing_graph *graph;
    const struct traffic *traffic;
    size_t sources;
    size_t *first;          /* pairs of source s: first[s] … first[s + 1] - 1 */
    uint32_t *source_of;    /* of each pair */
    uint32_t kept;          /* trees of each source, at least 1 */
    uint32_t *tree;         /* tree[(s * kept + k) * nodes + v]: the arc that enters v in tree k of source s */
    uint16_t *distinct;     /* of each pair: bit k: route k differs from those before it */
    uint32_t made;          /* trees of each that there are, fewer when the budget ended the rounds */
    uint32_t rounds;        /* that were made */
    double load;            /* of the most loaded link for each of its fibres, fractional */
    struct metric bound;    /* name NULL: there is none yet */

    struct path_tree path_tree;
    double *amount;         /* of each link: fractional load */
    float *of_source;       /* of_source[s * links + l] */
    double *price, *average;
    double *part;           /* scratch: of each link */
    double *below;          /* scratch: of each node, traffic to it and beyond */
    uint32_t *children, *queue;
    uint64_t *length;       /* of each arc */
    struct metric trial;
    struct arena arena;
};

/**
 * @param trees  starts as zeros; free it also after a failure.  graph and traffic are borrowed: every pair has a path
 * @param rounds      of all sources; the budget may end them, but one round is always done
 * @param budget      also for the bound; polled
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED when the caller cancelled.  Cost O(rounds * sources * arcs log nodes);
 *         memory O(sources * (trees * nodes + links))
 */
rwa_status source_trees_solve(struct source_trees *trees, const struct routing_graph *graph,
                              const struct traffic *traffic, uint32_t rounds, uint32_t kept, struct budget *budget,
                              rwa_error *err);
/**
 * Trees of the caller's instead: fill() writes the arc that enters each node, RWA_NONE at the root.
 * @param price  of each link: where source_trees_bound() begins
 */
rwa_status source_trees_take(struct source_trees *trees, const struct routing_graph *graph,
                             const struct traffic *traffic, uint32_t kept,
                             void (*fill)(void *data, uint32_t root, uint32_t k, uint32_t *tree), void *data,
                             const double *price, rwa_error *err);
/** Bounds from the prices, and better ones in rounds of 20 subgradient steps, until the bound reaches `target` or the
 *  budget ends.  O(sources * arcs log nodes) for each step. */
rwa_status source_trees_bound(struct source_trees *trees, uint64_t target, uint32_t rounds, struct budget *budget,
                              rwa_error *err);
void source_trees_free(struct source_trees *trees);

/** The tree of route k of a pair, for walking from its dst to its src by graph->from of the arcs. */
static inline const uint32_t *source_trees_of(const struct source_trees *c, size_t pair, uint32_t k)
{
    return c->tree + ((size_t)c->source_of[pair] * c->kept + k) * c->graph->nodes;
}
