/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of bounds: what an entry is, and how it sees the request.  Proofs: docs/reference/bounds.md. */
#pragma once

#include "base/arithmetic.h"
#include "base/base.h"
#include "collective/canonical.h"
#include "lattice/spheres.h"
#include "network/contracted.h"
#include "network/network.h"
#include "rwa/bound.h"

struct bound_graph;

/** The tightest of several places that blocks must pass: their number against what passes in a step. */
struct bound_load {
    uint64_t steps;
    double share;       /**< blocks divided by what passes in a step, not rounded up */
};

/** What is counted over the border of a set of nodes: blocks, or the lightpaths needed to join each node inside with
 * each node outside. */
enum cut_measure { CUT_BLOCKS, CUT_PAIRS, CUT_MEASURES };

/** Cuts of a network of listed links; computed once per case. */
struct bound_cuts {
    bool found;
    struct bound_load load[CUT_MEASURES];
};

/**
 * The network as its participants see it.  A ring or line is reduced to the places of the participants: place p is
 * participant (p + first) mod nodes; the collective counts participants in the same way.
 */
struct bound_case {
    const rwa_network *net;
    const rwa_collective *coll;
    unsigned capabilities; /* enum network_capability: of the ring or line of places, or of the network */
    bool arcs;                  /* the participants form a ring or a line */
    uint32_t nodes;             /* number of participants */
    uint32_t first;
    uint32_t root;              /* as a place */
    uint32_t fibers;
    uint32_t lightpaths;        /* over one link in one direction: its channels that are not reserved; at least 1 */
    uint32_t slots;             /* blocks per lightpath, at most the number of blocks */
    uint64_t channels;          /* W: blocks over one link in one direction, lightpaths * slots */
    uint32_t max_hops;          /* of one lightpath, at least 1 */
    uint32_t drops; /* K: receivers of a lightpath of a spread, 1 … nodes; 1 for time-reversed reductions */
    bool taps;                  /* lightpaths may have several receivers, whichever direction of time is considered */
    bool reversed; /* for a reduce that uses links: collective and links are time-reversed */
    uint32_t ports;             /* star, ron, ocs: of a node; 0: no limit */
    uint32_t tuning;            /* ron: steps in which a port rests while it retunes */
    uint64_t reached;           /* steps of a known schedule: no higher bound is needed; 0: none is known */
    struct budget *budget;
    struct link_loss *lost;    /* ring and line */
    size_t lost_count;
    struct canonical_task task; /* owns what net, coll and members point to */
    struct bound_cuts *cuts;    /* NULL without a graph */
    struct bound_graph *graph;  /* NULL on rings and lines, and where every pair of nodes is one hop */
};

/** Open a case on the canonical network.  opts->members: NULL, or coll->nodes ascending nodes.  Close the case also
 * after a failure. */
rwa_status bound_case_open(struct bound_case *c, const rwa_network *net, const rwa_collective *coll,
                           const rwa_bound_options *opts, struct budget *budget, rwa_error *err);
void bound_case_close(struct bound_case *c);

/** Ring and line: number of working directed links. */
uint64_t bound_links(const struct bound_case *c);

/** The blocks on a full lightpath of each of `steps` steps, added up; saturating.  A lightpath carries no more than
 *  its source can hold (docs/reference/bounds.md): c->slots in all steps if that is 1, else only from some step on.
 *  Collectives that end, but do not begin, with a node's own blocks are considered time-reversed. */
uint64_t bound_filled(const struct bound_case *c, uint64_t steps);
/** The fewest steps in which `blocks` can pass, if full lightpaths pass `width` > 0 in a step; `width` is a multiple
 *  of c->slots. */
uint64_t bound_steps_to_pass(const struct bound_case *c, uint64_t blocks, uint64_t width);

/** Ring and line: hops of the longest shortest route.  A hop limit of at least this changes nothing. */
uint32_t bound_farthest(const struct bound_case *c);

/** compute() receives a bound with name, unit, statement and source filled in, with value 0 (does not apply) and
 * holds 1; formula() returns the value. */
struct bound_entry {
    const char *name;
    const char *unit;
    const char *statement;
    const char *source;
    rwa_status (*compute)(rwa_bound *b, const struct bound_case *c, rwa_error *err);
    uint64_t (*formula)(const struct bound_case *c);    /* in place of compute(), where nothing can fail */
};

/** As rwa_bounds_make(), when a schedule of `reached` steps is known.  Bounds that take long to compute are left out
 * where they cannot prove that this schedule has the fewest steps. */
rwa_status bound_list_for(struct rwa_bounds *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err);
/** The highest of the bounds that need no search, at least 1. */
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
    if (share <= l->share) /* a lower share cannot need more steps */
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

/** floor(N^2/4): lightpaths over the middle link of a line in each direction when every node sends to every other. */
static inline uint64_t bound_quarter_square(uint32_t nodes)
{
    return (uint64_t)nodes * nodes / 4;
}

/** Whether every node sends one block to every other, as one stage of lightpaths between all pairs does. */
static inline bool bound_is_exchange(const struct bound_case *c)
{
    if (c->coll->kind == RWA_ALL_GATHER)
        return c->coll->blocks == c->nodes;
    return c->coll->kind == RWA_ALL_TO_ALL && c->coll->blocks == (uint64_t)c->nodes * c->nodes;
}

/** Whether every block must reach all nodes; in reductions: whether all nodes must contribute to every block. */
static inline bool bound_is_spread(const struct bound_case *c)
{
    rwa_collective_kind k = c->coll->kind;
    return k == RWA_ALL_GATHER || k == RWA_REDUCE_SCATTER || k == RWA_ALL_REDUCE || k == RWA_BROADCAST;
}

/* ---- what several bounds count ---- */

/** The tightest cut that is found; single nodes are cuts too. */
rwa_status cut_load(struct bound_load *l, const struct bound_case *c, enum cut_measure measure, rwa_error *err);

/** The distances of all blocks against the channels of all links; `steps` respects the hop limit, `share` does not. */
rwa_status distance_load(struct bound_load *l, const struct bound_case *c, rwa_error *err);

/** Steps in which one block, with all channels to itself, can reach all nodes from its owner (the root, or the worst
 *  node). */
uint64_t spread_steps(const struct bound_case *c);
/** As spread_steps() with at most `epochs` epochs; in each of them all lightpaths together fit the channels;
 * docs/reference/bounds.md, "Epochs". */
uint64_t spread_steps_in_epochs(const struct bound_case *c, uint64_t epochs);

/** Most other nodes that a node can send to in an epoch; 0: no limit known. */
double spread_degree(const struct bound_case *c);

/** Steps in which lightpaths that may carry anything can join all pairs of nodes; 0 where not all nodes need data of
 * all others. */
rwa_status pairs_steps(uint64_t *steps, const struct bound_case *c, rwa_error *err);

/** The blocks of each node against its ports, where ports are limited. */
void ports_load(struct bound_load *l, const struct bound_case *c);

/** Most blocks that a node can send, or receive, in a step: `width` by its links, or fewer by its ports. */
uint64_t ports_width(const struct bound_case *c, uint64_t width);

/** Least time of a byte of a broadcast on a ring or line in `steps` steps, in units of the time that a channel needs
 * for a byte.  The first step has only the channels of the root's links, the others have all channels.  0: nothing
 * known. */
double first_step_share(const struct bound_case *c, uint64_t steps);

/** As first_step_share(), on all networks, from what the nodes that already have data can send, and how many nodes a
 * byte must have reached after each step. */
double ramp_share(const struct bound_case *c, uint64_t steps);

/** Whether each block starts at one node: a broadcast, or an all-reduce, which makes each node's vector known to
 *  all, as if those of the others were 0. */
bool bound_starts_at_root(const struct bound_case *c);

/** The growth of a block over a network of listed links, computed as far as steps are asked for.  Borrows the case;
 * close it also after a failure.  RWA_NOMEM. */
struct growth;
rwa_status growth_open(struct growth **out, const struct bound_case *c, rwa_error *err);
void growth_close(struct growth *g);

/** The least link-channels that a block needs to reach all nodes in 1 … GROWTH_STEPS steps; with steps = 0: in any
 * number of steps. */
enum { GROWTH_STEPS = 24 };
double growth_length(struct growth *g, uint64_t steps);

/** As first_step_share(), for a byte of the root in `steps` steps; 0: nothing known. */
double growth_share(struct growth *g, uint64_t steps);

/** Star, ron and ocs: what the busiest node receives or sends, and what passes the channels of a star. */
void one_hop_load(struct bound_load *l, const struct bound_case *c);
/** Star: steps until every node that must send something has had a channel; 0 on other networks. */
uint64_t one_hop_turns(const struct bound_case *c);
/** Most blocks that a node can receive, or send, in a step; a block sent to several nodes counts once. */
uint64_t one_hop_width(const struct bound_case *c);
/** Ron and switches: most other nodes that a node can send to in a step; 0: no limit known. */
uint64_t one_hop_ports(const struct bound_case *c);
/** A lower bound on the blocks that pass the fullest circuit in `steps` steps. */
double one_hop_share(const struct bound_case *c, uint64_t steps);
/** Blocks of an all-to-all that pass the fullest channel in any schedule with `epochs` epochs; 0: nothing known. */
double epochs_share(const struct bound_case *c, uint64_t epochs);
/** Star: a lower bound on the time, since a channel must be retuned to serve another source; 0 on other networks. */
double one_hop_turns_time(const struct bound_case *c, const rwa_cost_prices *floor, double block_bytes);

/** Link-channels that the spreads of all blocks need.  With s for T steps, T steps can suffice only if cost <= room *
 * T, and less is available where lightpaths cannot be full. */
struct tree_need {
    uint64_t cost;      /**< link-channels for one block each; saturating */
    uint64_t room;      /**< in one step of full lightpaths */
};

/** Ring and line; for collectives whose blocks spread to all nodes. */
struct tree_need tree_need(const struct spheres *s, const struct bound_case *c);
