/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Inside flow.c and odd_cuts.c: the linear program over shortest-path trees, with rows for sets of nodes. */
#pragma once

#include "lp/grow.h"
#include "routing/disjoint_pair.h"
#include "routing/flow.h"
#include "routing/odd_sets.h"
#include "routing/path_tree.h"

/* Rows of sets: at most so many.  Bits of the largest length. */
enum { FLOW_SETS = 400, FLOW_LENGTH_BITS = 20 };

/** Rows: each source first (its columns weigh 1 in all), then each link (its load, against what wavelengths offer),
 *  then each set. */
struct flow {
    const struct routing_graph *graph;
    const struct traffic *traffic;
    uint32_t wavelengths;
    size_t sources;
    size_t *first;          /* pairs of source s: first[s] … first[s + 1] - 1 */
    struct lp_grow *lp;
    struct metric best, trial;
    struct path_tree path_tree;
    struct disjoint_pair *pairs;    /* where the traffic is protected */
    uint64_t *length;       /* of each arc: the link's, then one per hop to break ties */
    uint64_t *load;         /* of each link, by the column at hand */
    int *row;
    double *value;
    struct node_set *set;   /* of each row after the links */
    uint32_t *set_weight;   /* of the trial */
    size_t sets;
    /* Trees that the program chose among, where the traffic is not protected. */
    size_t columns;
    size_t *source_of;      /* of each */
    uint32_t *tree;         /* of each: per node the arc that enters it, RWA_NONE at the root and where no traffic
                               goes */
    double *weight;         /* of each, in the end */
    size_t source_capacity, tree_capacity;
    bool approximate;       /* the program did not finish: the trees come from multiplicative weights, each of weight
                               1 */
    struct arena arena;
};

/** The program again, of the trees that it chose, fewest wavelengths; and its end, with their weights. */
rwa_status flow_reopen(struct flow *flow, rwa_error *err);
rwa_status flow_finish(struct flow *flow, rwa_error *err);
/** What tree c loads the links with; a load on the links that leave a set. */
void flow_load_column(struct flow *flow, size_t c);
double flow_load_of_set(const struct flow *flow, const struct node_set *set);
/** Lengths of the trial from the dual values, in several scales: `keep` looks at each. */
rwa_status flow_try_lengths(struct flow *flow, rwa_status (*keep)(struct flow *flow, void *data, rwa_error *err),
                            void *data, rwa_error *err);
/** One tree per source that would make the program's value better. */
rwa_status flow_price(struct flow *flow, int *added, rwa_error *err);
