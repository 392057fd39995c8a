/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Fractional routing of all demands at once: a lower bound with a witness in integers, and the routes it suggests. */
#pragma once

#include "routing/graph.h"
#include "routing/paths.h"

/** Lightpaths between pairs of nodes: amount[i] from src[i] to dst[i]; sorted by src, then by dst, each pair once. */
struct traffic {
    size_t pairs;
    uint32_t *src, *dst;
    uint64_t *amount;
    uint64_t total;
    size_t *pair_of;    /* of each demand: its pair; of one through a node: one of its two */
    bool twice;     /* each lightpath has two paths that share no link; its distance is their total length */
};

/** Set *traffic to the traffic of all demands that are not marked in `skip` (NULL: of all), that is, to the number of
 *  lightpaths between each pair of nodes.  A demand that must pass a node counts as one to that node and one from it.
 *  In the undirected model src < dst. */
rwa_status traffic_create(struct traffic *traffic, const rwa_demand *list, size_t count, const bool *skip,
                          rwa_model model, rwa_error *err);
void traffic_free(struct traffic *traffic);

/**
 * The bound that integer lengths of the links prove.  Every lightpath uses up at least the distance between its ends,
 * and each wavelength offers the length of every link once per fibre; so
 *   wavelengths = 0: all of the traffic needs at least ceil(sum of amount * distance / sum of fibres * length)
 *   wavelengths; else: of the traffic no more can be served than fits wavelengths * (sum of fibres * length), nearest
 *   first.
 */
struct metric {
    const char *name;   /* "distance": all lengths equal; "cut": the links between two sides; else "metric" */
    uint64_t value;
    uint32_t *length;   /* of each link of the model */
    uint64_t used;      /* sum of amount times distance, of the pairs that have a path */
    uint64_t offered;   /* by one wavelength */
    struct budget *budget;  /* NULL, or ends the evaluation early, which then proves nothing: 0 wavelengths, or all
                               of the traffic served */
};

/** Lightpaths of one kind under link lengths: the cost of each is the sum of its channels times the lengths of their
 *  links; and its value. */
struct served {
    uint64_t cost, value, count;
};
/** Return an upper bound on the value of lightpaths that together cost at most `capacity`.  It takes lightpaths by cost
 *  per value, lowest first; of the first one that no longer fits, the part that fits counts, rounded down.  Sorts the
 *  list. */
uint64_t served_most(struct served *list, size_t count, double capacity);

/** Set metric->value to the bound that the lengths metric->length prove, and metric->name to its name.  The bound is a
 *  lower bound on the wavelengths if `wavelengths` is 0 (UINT64_MAX: some demand has no path), else an upper bound on
 *  the lightpaths that these wavelengths serve.  O(sources * arcs log nodes); with protected traffic, two searches for
 *  every pair. */
rwa_status metric_evaluate(struct metric *metric, const struct routing_graph *graph, const struct traffic *traffic,
                           uint32_t wavelengths, rwa_error *err);

/** The linear program of least maximum load (wavelengths = 0) or most traffic served, and its results. */
struct flow;

/** Solve the linear program of the least maximum load (wavelengths = 0) or of the most traffic served on the
 *  wavelengths given, by Dantzig-Wolfe decomposition.  A column is a shortest-path tree for all traffic of a source
 *  (protected traffic: the two paths of a pair).  The duals of the rows of links are the lengths for the next shortest
 *  paths; rounded to integers, they are also the witness.  When the budget ends, the best bound so far is kept. */
rwa_status flow_solve(struct flow **out, const struct routing_graph *graph, const struct traffic *traffic,
                      uint32_t wavelengths, struct budget *budget, rwa_error *err);
void flow_close(struct flow *flow);

/** A tree with a smaller share of its source's traffic is ignored. */
#define FLOW_LEAST_SHARE 1e-6

/** Append to `paths` the different routes from src to dst in the program's solution; none if the program was stopped
 *  early. */
rwa_status flow_routes(const struct flow *flow, struct paths *paths, uint32_t src, uint32_t dst, rwa_error *err);

/** Return the best bound found, with the link lengths that prove it; its name is NULL if there is none. */
const struct metric *flow_bound(const struct flow *flow);
