/* SPDX-License-Identifier: GPL-3.0-or-later */
/** For flow.c and odd_cuts.c alone: the linear program over shortest-path trees, with rows for sets of nodes. */
#pragma once

#include "lp/grow.h"
#include "routing/disjoint_pair.h"
#include "routing/flow.h"
#include "routing/path_tree.h"

/* FLOW_SETS: most rows of sets.  FLOW_LENGTH_BITS: bits of the largest length. */
enum { FLOW_SETS = 400, FLOW_LENGTH_BITS = 20 };

/** A set of nodes with an odd number of fibres to the other nodes: some of these must stay dark, which a fractional
 *  routing ignores. */
struct node_set {
    uint64_t *in;       /* bit v % 64 of in[v / 64]: node v belongs to the set */
    uint32_t fibers;    /* from the set to the other nodes */
    uint64_t ends;      /* traffic with one end in the set */
    double excess;      /* wavelengths - channels unused on these fibres - ends; above 0: no assignment can use the
                           fibres as this routing does */
};

static inline bool node_set_has(const struct node_set *set, uint32_t node)
{
    return get_bit(set->in, node);
}

static inline bool node_set_leaves(const struct node_set *set, const struct routing_graph *graph, uint32_t arc)
{
    return node_set_has(set, graph->from[arc]) && !node_set_has(set, graph->to[arc]);
}

/** Rows: first one for each source (the weights of its columns add up to 1), then one for each link (its load
 *  against what the wavelengths offer), then one for each set. */
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
    uint64_t *length;       /* of each arc: the length of its link, then one per hop to break ties */
    uint64_t *load;         /* of each link: from the current column */
    int *row;
    double *value;
    struct node_set *set;   /* of each row after the links */
    uint32_t *set_weight;   /* of each set, in the current trial */
    size_t sets;
    /* The trees that the program may choose, where the traffic is not protected. */
    size_t columns;
    size_t *source_of;      /* of each tree */
    uint32_t *tree;         /* of each tree: for each node the arc that enters it, RWA_NONE at the root and where no
                               traffic goes */
    double *weight;         /* of each tree, at the end */
    bool approximate;       /* the program did not finish: the trees are those of multiplicative weights, each with
                               weight 1 */
    struct arena arena;
};

/** flow_reopen() opens the program for the fewest wavelengths again; its columns are the trees of its last solution.
 *  flow_finish() closes the program and stores the weights of the trees in its solution. */
rwa_status flow_reopen(struct flow *flow, rwa_error *err);
rwa_status flow_finish(struct flow *flow, rwa_error *err);
/** Set flow->load to the load on each link if the traffic of a source follows tree number c.  flow_load_of_set()
 *  returns flow->load, summed over the links that lead out of a set of nodes. */
void flow_load_column(struct flow *flow, size_t c);
double flow_load_of_set(const struct flow *flow, const struct node_set *set);
/** Round the duals of the program to integer link lengths, flow->trial.length, in one scale after another, and call
 *  keep(flow, data, err) each time. */
rwa_status flow_try_lengths(struct flow *flow, rwa_status (*keep)(struct flow *flow, void *data, rwa_error *err),
                            void *data, rwa_error *err);
/** For each source, find the shortest-path tree under the duals, and add it as a column if it improves the program.
 *  *added is the number of columns added. */
rwa_status flow_price(struct flow *flow, int *added, rwa_error *err);
