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

/** Return how many blocks a lightpath can carry in `steps` steps, added up over the steps; saturating.  A lightpath
 *  carries no more than its source can hold (docs/reference/bounds.md): c->slots blocks in all steps if that is 1, else
 *  only from some step on.  Collectives that end, but do not begin, with a node's own blocks are considered
 *  time-reversed. */
uint64_t bound_filled(const struct bound_case *c, uint64_t steps);
/** Return the fewest steps in which `blocks` blocks can pass a place where full lightpaths carry `width` blocks in a
 *  step.  `width` is positive and a multiple of c->slots (blocks per lightpath). */
uint64_t bound_steps_to_pass(const struct bound_case *c, uint64_t blocks, uint64_t width);

/** Return the hops between the two nodes of a ring or line that are farthest apart.  A hop limit of at least this
 *  changes nothing. */
uint32_t bound_farthest(const struct bound_case *c);

/** Replace the sentence that proves the bound which is being computed (rwa_bounds_proof()). */
#define bound_say(c, ...) (void)((c)->proof && snprintf((c)->proof, RWA_ERROR_TEXT, __VA_ARGS__))
/** Write into the proof that `blocks` blocks must pass a place ("reach one node"), `width` in a step, so `steps` steps.
 *  Lightpaths that carry several blocks are not always full, so that the quotient alone may be too low. */
void bound_say_load(const struct bound_case *c, const char *place, uint64_t blocks, uint64_t width, uint64_t steps);

/** Write into the proof that in `steps` steps the blocks take `cost` channels of links in all (UINT64_MAX: no number
 *  suffices), a block as `sum` says (may be empty), and that all links offer `paths` lightpaths over a link in each. */
void bound_say_need(const struct bound_case *c, uint64_t steps, uint64_t cost, const char *sum, uint64_t paths);
/** Write how an all-reduce uses `cost` channels of links for each block: to inform all nodes, and for the sum. */
void bound_split_sum(char *to, const struct bound_case *c, double cost);

/** Write into the proof how many others a node sends to in a step (forwards; else: hears from), a limit in words, and
 *  the list of how many nodes that informs after 1, 2, ... steps. */
void bound_say_spread(const struct bound_case *c, bool forwards, double others, const char *limit, const char *list);

/** Add a number to a list of RWA_ERROR_TEXT bytes, for a sentence; after some dozens only dots.  NULL: do nothing. */
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

static inline void bound_load_add(struct bound_load *l, const struct bound_case *c, uint64_t blocks, uint64_t width)
{
    if (width == 0)
        return;
    double share = (double)blocks / (double)width;
    if (share <= l->share) /* a lower share cannot need more steps */
        return;
    l->steps = bound_max(l->steps, bound_steps_to_pass(c, blocks, width));
    l->share = share;
    l->blocks = blocks;
    l->width = width;
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

/** Compute the tightest cut among those that are tried; single nodes are tried too.  `measure` says whether blocks or
 *  pairs of nodes are counted over the cut. */
rwa_status cut_load(struct bound_load *l, const struct bound_case *c, enum cut_measure measure, rwa_error *err);

struct demand_run;
/** Store in row `sides` of c->side which nodes are inside a run of places (`others`: outside it), on a ring or line.  A
 *  node that takes no part is on the side of the participant before it; on a line, nodes before the first participant
 *  are on the side of that one. */
void cut_keep_run(const struct bound_case *c, int sides, const struct demand_run *run, bool others);

/** Add up the distances that all blocks must travel, and compare the sum with the channels of all links.  l->steps
 *  takes the hop limit into account, l->share does not. */
rwa_status distance_load(struct bound_load *l, const struct bound_case *c, rwa_error *err);

/** Return the fewest steps in which one block, with all channels to itself, can reach all nodes from its owner: the
 *  root, or the node from which this takes longest. */
uint64_t spread_steps(const struct bound_case *c);
/** Return the fewest steps in which a block can reach all nodes if lightpaths are set up at most `epochs` times.  All
 *  lightpaths of an epoch (the steps between two reconfigurations) together fit the channels; docs/reference/bounds.md,
 *  "Epochs". */
uint64_t spread_steps_in_epochs(const struct bound_case *c, uint64_t epochs);

/** Return the most other nodes that a node can send to in an epoch (the steps between two reconfigurations), or 0 if no
 *  limit is known. */
double spread_degree(const struct bound_case *c);

/** Compute the fewest steps in which lightpaths, whatever they carry, can bring data of every node to every other node;
 *  0 if the collective does not require that. */
rwa_status pairs_steps(uint64_t *steps, const struct bound_case *c, rwa_error *err);

/** Compare the blocks that each node must receive or send with the number of its ports; nothing is added if ports are
 *  not limited. */
void ports_load(struct bound_load *l, const struct bound_case *c);

/** Return the most blocks that a node can send, or receive, in a step: `width`, which its links allow, or fewer if it
 *  has few ports. */
uint64_t ports_width(const struct bound_case *c, uint64_t width);

/** Return the least time of a byte of a broadcast on a ring or line in `steps` steps, in units of the time that a
 *  channel needs for a byte.  The first step has only the channels of the root's links, the others have all channels.
 *  0: nothing is known.  terms: NULL, or gets the sum for a sentence, "3 / 192 + 12 / 768"; so do the shares below. */
double first_step_share(const struct bound_case *c, uint64_t steps, char *terms);

/** Return the least time of a byte as first_step_share() does, but for all networks: it follows from how many nodes a
 *  byte must have reached after each step, and from what the nodes that have it by then can send. */
double ramp_share(const struct bound_case *c, uint64_t steps, char *terms);

/** Tell whether each block starts at one node: in a broadcast, and in an all-reduce without taps, which broadcasts the
 *  vector of each node as if all other vectors were 0. */
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

/** Return the least time of a byte from the root to all nodes in `steps` steps, in the unit of first_step_share(); 0:
 *  nothing is known. */
double growth_share(struct growth *g, uint64_t steps, char *terms);

/** Compare the blocks that the busiest node must receive or send with its ports, and on a star all blocks with the
 *  channels.  Only for networks where every pair of nodes is one hop apart (star, ron, switches). */
void one_hop_load(struct bound_load *l, const struct bound_case *c);
/** Return the steps until every node that must send something has had a channel of the star; 0 on other networks. */
uint64_t one_hop_turns(const struct bound_case *c);
/** Return the most blocks that a node can receive, or send, in a step on a network where every pair of nodes is one hop
 *  apart.  A block sent to several nodes counts once. */
uint64_t one_hop_width(const struct bound_case *c);
/** Return the most other nodes that a node of a ron or of a switched network can send to in a step; 0: no limit is
 *  known. */
uint64_t one_hop_ports(const struct bound_case *c);
/** Return a lower bound on the blocks that pass the fullest circuit in `steps` steps, on a network where every pair of
 *  nodes is one hop apart; 0: nothing is known. */
double one_hop_share(const struct bound_case *c, uint64_t steps, char *terms);
/** Return how many blocks of an all-to-all pass the fullest channel at least, in any schedule with `epochs` epochs
 *  (spans of steps without reconfiguration); 0: nothing is known. */
double epochs_share(const struct bound_case *c, uint64_t epochs, char *terms);
/** Return a lower bound on the time on a star, in seconds: a channel must be retuned before it can serve another
 *  source.  0 on other networks.  Write its proof if it is more than `above`. */
double one_hop_turns_time(const struct bound_case *c, const rwa_cost_prices *floor, double block_bytes, double above);

/** The link-channels (channels of a link in a step) that the spreads of all blocks need.  Computed for T steps, T steps
 *  can suffice only if cost <= capacity * T; where lightpaths cannot be full, less than capacity * T is available. */
struct tree_need {
    uint64_t cost;      /**< link-channels for one block each; saturating */
    uint64_t capacity;  /**< in one step of full lightpaths */
};

/** Write which distances the cheapest tree of a block has on a ring ("8 nodes x 1 link + 7 x 2"), and what an
 *  all-reduce adds; nothing on a line, or with several receivers on a lightpath. */
void tree_sum(char *to, struct spheres size, const struct bound_case *c);

/** Compute the link-channels that the spreads of all blocks need on a ring or line; for collectives whose blocks go to
 *  all nodes. */
struct tree_need tree_need(const struct spheres *s, const struct bound_case *c);
