/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of bounds: the form of an entry, and the request (network, collective, limits) as the entries see it.
 *  Proofs: docs/reference/bounds.md. */
#pragma once

#include "base/arithmetic.h"
#include "base/base.h"
#include "base/text.h"
#include "collective/canonical.h"
#include "lattice/spheres.h"
#include "network/contracted.h"
#include "network/network.h"
#include "rwa/bound.h"

struct bound_graph;

/** The tightest of several bottlenecks (cuts, nodes, links): the blocks that must pass it against those that pass in a
 *  step. */
struct bound_load {
    uint64_t steps;
    double share;       /**< blocks divided by what passes in a step, not rounded up */
    uint64_t blocks, width; /**< the two numbers of this quotient */
    uint64_t senders;       /**< of a cut: the participants on the side that the blocks leave */
    bool others;            /**< of a cut around a set of nodes: the senders are those outside it */
};

/** What is counted over the border of a set of nodes: blocks, or the lightpaths needed to join each node inside with
 * each node outside. */
enum cut_measure { CUT_BLOCKS, CUT_PAIRS, CUT_MEASURES };

/** The divisions of the nodes that bounds leave in a case's `side`: the tightest cut by each measure, then the busiest
 *  node and the others. */
enum { SIDES_OF_NODE = CUT_MEASURES, BOUND_SIDES };

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
    char *proof;                /* bound_say() writes there; NULL: no sentence is wanted */
    uint8_t *side;              /* BOUND_SIDES rows, of each node of net: 1 on the side that the blocks leave, 0 on the
                                   other; NULL: not wanted */
    struct link_loss *lost;    /* ring and line */
    size_t lost_count;
    struct canonical_task task; /* owns what net, coll and members point to */
    struct bound_cuts *cuts;    /* NULL without a graph */
    struct bound_graph *graph;  /* NULL on rings and lines, and where every pair of nodes is one hop */
};

/** Fill in a case (the request as all bounds see it) on the canonical network.  opts->members is NULL, or lists
 *  coll->nodes nodes in ascending order.  Call bound_case_close() also after a failure. */
rwa_status bound_case_open(struct bound_case *c, const rwa_network *net, const rwa_collective *coll,
                           const rwa_bound_options *opts, struct budget *budget, rwa_error *err);
void bound_case_close(struct bound_case *c);

/** Return the number of working directed links of the ring or line, at least 1. */
uint64_t bound_links(const struct bound_case *c);

/** Return the most blocks that one channel can carry in `steps` steps together; saturating.  In each step its
 * lightpath carries at most c->slots blocks, and no more than its source can hold, which may be fewer in the first
 * steps (docs/reference/bounds.md).  Collectives at whose end nodes hold only their own blocks are considered
 * time-reversed. */
uint64_t bound_filled(const struct bound_case *c, uint64_t steps);
/** Return the fewest steps in which `blocks` blocks can pass a place (a node, link or cut), where full lightpaths
 * carry `width` blocks in a step.  In the first steps lightpaths may not be full, as for bound_filled().  `width` is
 * positive and a multiple of c->slots (blocks per lightpath). */
uint64_t bound_steps_to_pass(const struct bound_case *c, uint64_t blocks, uint64_t width);

/** Return the hops between the two nodes of a ring or line that are farthest apart.  A hop limit of at least this
 *  changes nothing. */
uint32_t bound_farthest(const struct bound_case *c);

/** Replace the sentence that proves the bound which is being computed (rwa_bounds_proof()). */
#define bound_say(c, ...) (void)((c)->proof && snprintf((c)->proof, RWA_ERROR_TEXT, __VA_ARGS__))
/** Write into the proof that `blocks` blocks must pass a place, at most `width` in a step, so it takes `steps` steps.
 * These may be more than the quotient, since lightpaths with several blocks are not always full.
 * @param place  what the blocks must do, such as "reach one node" */
void bound_say_load(const struct bound_case *c, const char *place, uint64_t blocks, uint64_t width, uint64_t steps);

/** Write into the proof that all blocks need `cost` link-channels (channels of a link in a step) in `steps` steps, and
 * how many the network offers.
 * @param cost   UINT64_MAX: no number of channels is enough
 * @param sum    how the link-channels of one block add up, in words; may be empty
 * @param paths  channels of all links in a step */
void bound_say_need(const struct bound_case *c, uint64_t steps, uint64_t cost, const char *sum, uint64_t paths);
/** Append to `to` how an all-reduce uses `cost` link-channels (channels of a link in a step) for a block: to inform
 * all nodes, and to collect the sum. */
void bound_split_sum(char *to, const struct bound_case *c, double cost);

/** Write into the proof how fast data can spread from one node (`forwards`), or be collected at one node.
 * @param others  the most nodes that a node sends to (hears from) in a step
 * @param limit   a further limit in words; may be empty
 * @param list    how many nodes can have been informed (heard from) after 1, 2, … steps */
void bound_say_spread(const struct bound_case *c, bool forwards, double others, const char *limit, const char *list);

/** Append a number to a list for a sentence, such as "3, 9, 27"; after some dozens, only dots.  The list has
 * RWA_ERROR_TEXT bytes.  NULL: do nothing. */
void bound_list(char *list, double number);

/** A bound.  compute() receives a bound with name, unit, statement and source filled in, value 0 (the bound does not
 *  apply) and holds 1.  formula() returns the value. */
struct bound_entry {
    const char *name;
    const char *unit;
    const char *statement;
    const char *source;
    rwa_status (*compute)(rwa_bound *b, const struct bound_case *c, rwa_error *err);
    uint64_t (*formula)(const struct bound_case *c);    /* in place of compute(), where nothing can fail */
    int sides;              /* 1 + its row of a case's `side`; 0: it divides no nodes */
};

/** List the bounds as rwa_bounds_make() does, when a schedule of `reached` steps is already known (0: none is known).
 *  Bounds that take long to compute are skipped if they cannot prove that this schedule has the fewest steps. */
rwa_status bound_list_for(struct rwa_bounds *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err);
/** Compute the highest of the lower bounds on the steps that need no search; at least 1. */
rwa_status bound_start(uint64_t *steps, const struct bound_case *c, rwa_error *err);
/** The table of bounds for networks whose lightpaths have routes, in the order of the output. */
#define BOUND_TABLE(X)     \
    X(lemma1_line)         \
    X(lemma1_ring)         \
    X(ring_alltoall_exact) \
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

/** The table of bounds for stars, rons (reconfigurable networks) and circuit switches, all of which are in
 *  one_hop.c. */
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

/** A bound of a list. */
struct bound_listed {
    rwa_bound bound;
    char proof[RWA_ERROR_TEXT];
    uint8_t *side;      /* of each real node, as in a case; NULL: it divides no nodes */
    uint64_t rank;      /* its value if it holds and bounds the steps, else 0 */
    size_t place;       /* in the table */
};

struct rwa_bounds {
    struct bound_listed at[BOUNDS_MAX];     /* the highest bounds on the steps first */
    size_t count;
    uint32_t nodes;
    uint8_t *side;      /* a row for each bound; NULL: not wanted */
};

static inline uint64_t bound_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/** Raise *l to the load of `blocks` blocks that must pass a place where `width` pass in a step, if that is higher.
 *  Return whether it is. */
static inline bool bound_load_add(struct bound_load *l, const struct bound_case *c, uint64_t blocks, uint64_t width)
{
    double share = width > 0 ? (double)blocks / (double)width : 0;
    if (share <= l->share) /* a lower share cannot need more steps */
        return false;
    l->steps = bound_max(l->steps, bound_steps_to_pass(c, blocks, width));
    l->share = share;
    l->blocks = blocks;
    l->width = width;
    return true;
}

static inline bool bound_on_cycle(const struct bound_case *c)
{
    return (c->capabilities & NETWORK_CYCLE) != 0;
}

static inline bool bound_on_path(const struct bound_case *c)
{
    return (c->capabilities & NETWORK_PATH) != 0;
}

/** Return floor(N^2/4), the number of lightpaths over the middle link of a line in each direction when each of N nodes
 *  sends to every other. */
static inline uint64_t bound_quarter_square(uint32_t nodes)
{
    return (uint64_t)nodes * nodes / 4;
}

/** Tell whether every node sends one block to every other node, so that one step with a lightpath between each pair of
 *  nodes would do. */
static inline bool bound_is_exchange(const struct bound_case *c)
{
    if (c->coll->kind == RWA_ALL_GATHER)
        return c->coll->blocks == c->nodes;
    return c->coll->kind == RWA_ALL_TO_ALL && c->coll->blocks == (uint64_t)c->nodes * c->nodes;
}

/** Tell whether every block must reach all nodes, or, in reductions, whether all nodes must contribute to every
 *  block. */
static inline bool bound_is_spread(const struct bound_case *c)
{
    rwa_collective_kind k = c->coll->kind;
    return k == RWA_ALL_GATHER || k == RWA_REDUCE_SCATTER || k == RWA_ALL_REDUCE || k == RWA_BROADCAST;
}

/* ---- what several bounds count ---- */

/** Compute the load of the tightest cut among many that are tried, single nodes among them.  `measure` says what is
 * counted over a cut: blocks, or pairs of nodes. */
rwa_status cut_load(struct bound_load *l, const struct bound_case *c, enum cut_measure measure, rwa_error *err);

struct demand_run;
/** On a ring or line, store in row `sides` of c->side a 1 for each node inside a run of consecutive places (with
 * `others`: outside it), and a 0 for the rest.  A node that takes no part counts with the participant before it.  On a
 * line, nodes before the first participant count with the first one. */
void cut_keep_run(const struct bound_case *c, int sides, const struct demand_run *run, bool others);

/** Add up the distances that all blocks must travel, and divide the sum by the channels that all links have in a step.
 * l->steps is at least this quotient, and also takes the hop limit into account; l->share is the quotient itself. */
rwa_status distance_load(struct bound_load *l, const struct bound_case *c, rwa_error *err);

/** Return the fewest steps in which one block, with all channels to itself, can reach all nodes from the root, or,
 * without a root, from the node where this takes longest.  If the collective must bring data of all nodes to one node,
 * return the fewest steps for that if they are more. */
uint64_t spread_steps(const struct bound_case *c);
/** Return the fewest steps in which a block can reach all nodes if lightpaths are set up at most `epochs` times.  All
 *  lightpaths of an epoch (the steps between two reconfigurations) together fit the channels; docs/reference/bounds.md,
 *  "Epochs". */
uint64_t spread_steps_in_epochs(const struct bound_case *c, uint64_t epochs);

/** Return the most other nodes that a node can send to in an epoch (the steps between two reconfigurations), or 0 if no
 *  limit is known. */
double spread_degree(const struct bound_case *c);

/** Set *steps to the fewest steps in which lightpaths can bring data of every node to every other node, however much
 * each carries; 0: the collective does not require that. */
rwa_status pairs_steps(uint64_t *steps, const struct bound_case *c, rwa_error *err);

/** Raise *l to the load of the busiest node, if that is higher: the blocks that it must receive or send, against its
 * ports.  In an all-reduce without taps, also consider the transfers of all blocks against the ports of all nodes.  If
 * ports are not limited, do nothing. */
void ports_load(struct bound_load *l, const struct bound_case *c);

/** Return the most blocks that a node can send, or receive, in a step: `width`, which its links allow, or less if it
 * has few ports. */
uint64_t ports_width(const struct bound_case *c, uint64_t width);

/** Return a lower bound on the time that a byte of a broadcast takes on a ring or line, in units of the time that a
 * channel takes for a byte; 0: nothing is known.  It is the number of copies of the byte, divided by the channels that
 * can carry them.  In the first of the `steps` steps these are the channels of the root's links, later all channels.
 * @param terms  NULL, or receives the sum for a sentence, such as ": 3 / 192 in step 1 + 12 / 768 later" */
double first_step_share(const struct bound_case *c, uint64_t steps, char *terms);

/** Return a lower bound on the time that a byte of a broadcast takes in `steps` steps, on any network, in units of the
 * time that a channel takes for a byte.  It is a sum over the steps: the further copies of the byte that must exist
 * after the step, divided by the channels of the nodes that can have the byte at its start.
 * @param terms  NULL, or receives the sum for a sentence */
double ramp_share(const struct bound_case *c, uint64_t steps, char *terms);

/** Tell whether the collective must bring data of a single node to all others: a broadcast, or an all-reduce without
 * taps, which must do so with the vector of each node. */
bool bound_starts_at_root(const struct bound_case *c);

/** The spread of a block over a network of listed links, computed for as many steps as are asked for.  It borrows the
 *  case; close it also after a failure.  RWA_NOMEM. */
struct growth;
rwa_status growth_open(struct growth **out, const struct bound_case *c, rwa_error *err);
void growth_close(struct growth *g);

/** growth_length(): the least link-channels (channels of a link in a step) that a block needs to reach all nodes in 1 …
 *  GROWTH_STEPS steps; with steps = 0: in any number of steps. */
enum { GROWTH_STEPS = 24 };
double growth_length(struct growth *g, uint64_t steps);

/** Return a lower bound on the time that each byte takes from the root to all nodes in `steps` steps, in units of the
 * time that a channel takes for a byte; 0: nothing is known.
 * @param terms  NULL, or receives the sum for a sentence */
double growth_share(struct growth *g, uint64_t steps, char *terms);

/** Raise *l to the load of the busiest node, if that is higher: the blocks that it must receive or send, against its
 * ports.  In an all-reduce, also consider the transfers of all blocks against the ports of all nodes, and on a star all
 * blocks against all channels.  Only for networks where every pair of nodes is one hop apart (star, ron, switches). */
void one_hop_load(struct bound_load *l, const struct bound_case *c);
/** Return the fewest steps in which every node that must send something can have used a channel of the star; 0 on
 * other networks. */
uint64_t one_hop_turns(const struct bound_case *c);
/** Return the most blocks that a node can receive, or send, in a step on a network where every pair of nodes is one hop
 *  apart.  A block sent to several nodes counts once. */
uint64_t one_hop_width(const struct bound_case *c);
/** Return the most other nodes that a node of a ron or of a switched network can send to in a step; 0: no limit is
 *  known. */
uint64_t one_hop_ports(const struct bound_case *c);
/** Return a lower bound on the blocks that pass the fullest circuit in `steps` steps, on a network where every pair of
 * nodes is one hop apart; 0: nothing is known.
 * @param terms  NULL, or receives the calculation in words */
double one_hop_share(const struct bound_case *c, uint64_t steps, char *terms);
/** Return a lower bound on the blocks of an all-to-all that pass the fullest channel, in any schedule with `epochs`
 * epochs (spans of steps without reconfiguration); 0: nothing is known.
 * @param terms  NULL, or receives the calculation in words */
double epochs_share(const struct bound_case *c, uint64_t epochs, char *terms);
/** Return a lower bound on the time of a schedule on a star, in seconds; 0 on other networks.  Each sender needs a
 * channel, and a channel must be retuned before it can serve another sender.  If the bound exceeds `above` seconds,
 * write its proof.
 * @param floor        prices of the cost model (rwa_cost_floor())
 * @param block_bytes  size of a block */
double one_hop_turns_time(const struct bound_case *c, const rwa_cost_prices *floor, double block_bytes, double above);

/** The link-channels (channels of a link in a step) that the spreads of all blocks need.  Computed for T steps, T steps
 *  can suffice only if cost <= capacity * T; where lightpaths cannot be full, less than capacity * T is available. */
struct tree_need {
    uint64_t cost;      /**< link-channels for one block each; saturating */
    uint64_t capacity;  /**< in one step of full lightpaths */
};

/** Append to `to`, a text of RWA_ERROR_TEXT bytes, how the links of a block's cheapest tree on a ring add up, such as
 * "8 nodes x 1 link + 7 x 2", and for an all-reduce the links that collect the sum.  Append nothing on a line, or if
 * lightpaths have several receivers. */
void tree_sum(char *to, struct spheres size, const struct bound_case *c);

/** Compute the link-channels that the spreads of all blocks need on a ring or line; for collectives whose blocks go to
 *  all nodes. */
struct tree_need tree_need(const struct spheres *s, const struct bound_case *c);
