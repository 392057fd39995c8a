/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of bounds: what an entry is, and the request as it sees it.  Proofs: docs/reference/bounds.md. */
#pragma once

#include "base/arithmetic.h"
#include "base/base.h"
#include "collective/canonical.h"
#include "lattice/spheres.h"
#include "network/contracted.h"
#include "network/network.h"
#include "rwa/bound.h"

struct bound_graph;

/** The tightest of several places where so many blocks must pass and so many can in a step. */
struct bound_load {
    uint64_t steps;
    double share;       /**< blocks by what passes in a step, not rounded up */
};

/** Measure of the demand over the border of a set of nodes: blocks, or lightpaths that join each pair of a node in it
 * and one outside. */
enum cut_measure { CUT_BLOCKS, CUT_PAIRS, CUT_MEASURES };

/** Through a network of listed links: found once, as long as the case is open. */
struct bound_cuts {
    bool found;
    struct bound_load load[CUT_MEASURES];
};

/**
 * A network as its participants see it; on rings and lines reduced to their places, place p being participant
 * (p + first) mod nodes, which is how the collective counts.
 */
struct bound_case {
    const rwa_network *net;
    const rwa_collective *coll;
    unsigned capabilities; /* of what is left: the ring or line of places, or the network; enum network_capability */
    bool arcs;                  /* a ring or a line is left */
    uint32_t nodes;             /* that take part */
    uint32_t first;
    uint32_t root;              /* a place */
    uint32_t fibers;
    uint32_t lightpaths;        /* over one link in one direction: its channels without reserved ones; at least 1 */
    uint32_t slots;             /* blocks that a lightpath carries, no more than there are */
    uint64_t channels;          /* W: blocks over one link in one direction, slots for each lightpath */
    uint32_t max_hops;          /* of one lightpath, at least 1 */
    uint32_t drops; /* K: nodes that read one lightpath of a spread, 1 … nodes; reductions, time-reversed: 1 */
    bool taps;                  /* several nodes may read a lightpath, in whichever direction of time */
    bool reversed; /* of a reduce that uses links: the collective and the links are those of its time reversal */
    uint32_t ports;             /* star, ron, ocs: of a node; 0: no limit */
    uint32_t tuning;            /* ron: steps that a port rests while it turns */
    uint64_t reached;           /* steps of a schedule that is known, so that no more need be proven; 0: none is */
    struct budget *budget;
    struct link_loss *lost;    /* ring and line */
    size_t lost_count;
    struct canonical_task task; /* what net, coll and members come from */
    struct bound_cuts *cuts;    /* where there is a graph */
    struct bound_graph *graph;  /* NULL on rings and lines, and where every pair of nodes is one hop */
};

/** On the canonical network.  @param members  NULL: all nodes; else coll->nodes of them, ascending.  Close it also
 * after a failure. */
rwa_status bound_case_open(struct bound_case *c, const rwa_network *net, const rwa_collective *coll,
                           const rwa_bound_options *opts, struct budget *budget, rwa_error *err);
void bound_case_close(struct bound_case *c);

/** Ring and line: their directed links that work. */
uint64_t bound_links(const struct bound_case *c);

/**
 * How full lightpaths can be when none carries more than its `src` can hold, docs/reference/bounds.md: c->slots from
 * the start where that is 1, else from some step on.  Time-reversed for collectives that only end with a node's own
 * blocks.
 */
/** The blocks on a lightpath of each of so many steps, added up; saturating. */
uint64_t bound_filled(const struct bound_case *c, uint64_t steps);
/** The fewest steps in which `blocks` pass where full lightpaths pass `width` > 0 in a step, a multiple of c->slots. */
uint64_t bound_steps_to_pass(const struct bound_case *c, uint64_t blocks, uint64_t width);

/** Links of the longest shortest route: a hop limit from there on changes nothing.  Ring and line. */
uint32_t bound_farthest(const struct bound_case *c);

/** compute() gets name, unit, statement and source filled in, value 0 (does not apply) and holds 1; formula() returns
 * the value. */
struct bound_entry {
    const char *name;
    const char *unit;
    const char *statement;
    const char *source;
    rwa_status (*compute)(rwa_bound *b, const struct bound_case *c, rwa_error *err);
    uint64_t (*formula)(const struct bound_case *c);    /* in its place, where nothing can fail */
};

/** As rwa_bounds_make(), where a schedule of `reached` steps is known: bounds that take long to compute are left out
 * where they cannot prove it the shortest. */
rwa_status bound_list_for(struct rwa_bounds *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err);
/** The highest of the bounds that take no search, at least 1. */
rwa_status bound_start(uint64_t *steps, const struct bound_case *c, rwa_error *err);
/** The table, in the order of the output. */
#define BOUND_TABLE(X)     \
    X(lemma1_line)         \
    X(lemma1_ring)         \
    X(ring_alltoall_exact) \
    X(line_alltoall_exact) \
    X(load)                \
    X(receive)             \
    X(send)                \
    X(cut)                 \
    X(distance)            \
    X(spread)              \
    X(pairs)               \
    X(pipeline)            \
    X(broadcast_growth)    \
    X(growth)              \
    X(broadcast_tree)      \
    X(link_capacity)

/** The table for star, ron and ocs: all in one_hop.c. */
#define ONE_HOP_TABLE(X) \
    X(one_hop_receive)   \
    X(one_hop_send)      \
    X(one_hop_air)       \
    X(one_hop_sums)      \
    X(one_hop_growth)

#define X(name) extern const struct bound_entry bound_##name;
BOUND_TABLE(X)
ONE_HOP_TABLE(X)
#undef X

enum {
#define X(name) +1
    BOUNDS_MAX = 0 BOUND_TABLE(X)
#undef X
};

struct rwa_bounds {
    rwa_bound at[BOUNDS_MAX];
    size_t count;
};

static inline uint64_t bound_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline void bound_load_add(struct bound_load *l, const struct bound_case *c, uint64_t blocks, uint64_t width)
{
    if (width == 0)
        return;
    double share = (double)blocks / (double)width;
    if (share <= l->share) /* nor more steps */
        return;
    l->steps = bound_max(l->steps, bound_steps_to_pass(c, blocks, width));
    l->share = share;
}

static inline bool bound_on_cycle(const struct bound_case *c)
{
    return (c->capabilities & NETWORK_CYCLE) != 0;
}

static inline bool bound_on_path(const struct bound_case *c)
{
    return (c->capabilities & NETWORK_PATH) != 0;
}

/** floor(N^2/4): lightpaths over the middle link of a line, per direction, when every node sends to every other. */
static inline uint64_t bound_quarter_square(uint32_t nodes)
{
    return (uint64_t)nodes * nodes / 4;
}

/** Whether every node sends one block to every other: what one stage of lightpaths between all pairs does. */
static inline bool bound_is_exchange(const struct bound_case *c)
{
    if (c->coll->kind == RWA_ALL_GATHER)
        return c->coll->blocks == c->nodes;
    return c->coll->kind == RWA_ALL_TO_ALL && c->coll->blocks == (uint64_t)c->nodes * c->nodes;
}

/** Whether every block, or every contribution to it, must reach all nodes. */
static inline bool bound_is_spread(const struct bound_case *c)
{
    rwa_collective_kind k = c->coll->kind;
    return k == RWA_ALL_GATHER || k == RWA_REDUCE_SCATTER || k == RWA_ALL_REDUCE || k == RWA_BROADCAST;
}

/* ---- what several bounds count ---- */

/** The tightest cut found, single nodes among them. */
rwa_status cut_load(struct bound_load *l, const struct bound_case *c, enum cut_measure measure, rwa_error *err);

/** The distances of all blocks by the channels of all links; `share` without, `steps` with the hop limit. */
rwa_status distance_load(struct bound_load *l, const struct bound_case *c, rwa_error *err);

/** Steps in which one block, with all channels to itself, can reach all nodes from its owner (a root, or the worst). */
uint64_t spread_steps(const struct bound_case *c);
/** The same with so many epochs at most, in each of which all lightpaths fit the channels together;
 * docs/reference/bounds.md, "Epochs". */
uint64_t spread_steps_in_epochs(const struct bound_case *c, uint64_t epochs);

/** The most other nodes that a node can send to in an epoch; 0: no limit known. */
double spread_degree(const struct bound_case *c);

/** Steps in which lightpaths that may carry anything can join all pairs; 0 where not all nodes need something of
 * all. */
rwa_status pairs_steps(uint64_t *steps, const struct bound_case *c, rwa_error *err);

/** The blocks of each node by its ports, where these are limited. */
void ports_load(struct bound_load *l, const struct bound_case *c);

/** Blocks that a node sends, or takes in, in a step: what its links have room for, or fewer by its ports. */
uint64_t ports_width(const struct bound_case *c, uint64_t width);

/** Time of a byte of a broadcast on a ring or line in so many steps: on the channels of the root's links in the first,
 * and on all channels in the others.  In the time that a channel needs for a byte; 0: nothing known. */
double first_step_share(const struct bound_case *c, uint64_t steps);

/** The same, of what nodes that have anything can send, and to how many a byte must have come by each step.  On all
 * networks. */
double ramp_share(const struct bound_case *c, uint64_t steps);

/** A broadcast, or an all-reduce: it makes the vector of each node known to all, as if those of the others were 0. */
bool bound_starts_at_root(const struct bound_case *c);

/** A block's growth over a network of listed links, computed up to the steps that are asked for.  Borrows the case;
 * close it also after a failure.  RWA_NOMEM. */
struct growth;
rwa_status growth_open(struct growth **out, const struct bound_case *c, rwa_error *err);
void growth_close(struct growth *g);

/** The least link-channels that a block takes to reach all nodes in 0 … GROWTH_STEPS steps; in 0: in any number of
 * steps. */
enum { GROWTH_STEPS = 24 };
double growth_length(struct growth *g, uint64_t steps);

/** As first_step_share(), of a byte of the root's in so many steps; 0: nothing known. */
double growth_share(struct growth *g, uint64_t steps);

/** Star, ron and ocs: what the busiest node takes in or gives out, and what passes the channels of a star. */
void one_hop_load(struct bound_load *l, const struct bound_case *c);
/** Steps of a star in which every node that must send something has a channel; 0 elsewhere. */
uint64_t one_hop_turns(const struct bound_case *c);
/** Blocks that a node can take in, or give out, in a step; the same block sent to several counts once. */
uint64_t one_hop_width(const struct bound_case *c);
/** Other nodes that a node can send to in a step, on a ron or through switches; 0: no limit known. */
uint64_t one_hop_ports(const struct bound_case *c);
/** Blocks that pass the fullest circuit in so many steps, at least. */
double one_hop_share(const struct bound_case *c, uint64_t steps);
/** Blocks of an all-to-all that pass the fullest channel in any schedule with so many epochs; 0: nothing known. */
double epochs_share(const struct bound_case *c, uint64_t epochs);
/** Star: a bound on time, since a channel that goes over to another source is tuned; 0 elsewhere. */
double one_hop_turns_time(const struct bound_case *c, const rwa_cost_prices *floor, double block_bytes);

/** T steps suffice for the spreads of all blocks, whose spheres are those of T steps, only if cost <= room * T; less
 * where lightpaths cannot be full. */
struct tree_need {
    uint64_t cost;      /**< link-channels, each for one block; saturating */
    uint64_t room;      /**< of one step of full lightpaths */
};

/** Ring and line; collectives whose blocks spread to all. */
struct tree_need tree_need(const struct spheres *s, const struct bound_case *c);
