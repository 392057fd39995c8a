/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Circuits: lightpaths that stay up from the first step to the last, so that tuning is paid for once.  They are the
 * links of another network, of fewer hops, over which blocks move from node to node.
 */
#pragma once

#include "base/arena.h"
#include "base/bins.h"
#include "scheme/scheme.h"

/** Largest number of nodes of the network, since some tables have an entry for each pair of nodes. */
enum { CIRCUIT_NODES = 2048 };

/**
 * A network of paired links, and a shortest route between every two participants.  Participants are numbered in
 * ascending order; circuits and blocks use these numbers.  Routes pass through any node of the network.
 */
struct route_table {
    rwa_network *net;           /* owned: with its links listed; link l and link l ^ 1 lead there and back */
    const uint32_t *members;    /* borrowed; NULL: all nodes take part */
    uint32_t nodes;             /* participants; 0: some cannot be reached */
    uint32_t channels;          /* of a link */
    uint32_t ports;             /* limit on the lightpaths out of, and into, a node; UINT32_MAX: none */
    uint32_t degree;            /* links out of the participant with the fewest */
    uint32_t farthest;          /* links of the longest route */
    uint32_t *into;             /* [src][node of the network]: the last link of the route; UINT32_MAX: src is there */
    uint16_t *hops;             /* [src][dst] */
    uint32_t *near;             /* pairs of participants whose route passes no other; once for both directions */
    size_t nears;
    struct budget *budget;      /* polled by slow functions; NULL: none */
    struct arena memory;
};

/**
 * Find a shortest route between every two participants of a network.  out->nodes is 0 if a participant cannot be
 * reached.  RWA_NOMEM.  routes_close() in any case.  O(count * (links + count * links of the longest route))
 * @param members  NULL: all nodes, whose number is `count`; else `count` of the nodes, ascending
 * @param budget  kept in *out for the functions that choose circuits and moves; not polled here
 */
rwa_status routes_open(struct route_table *out, const rwa_network *net, const uint32_t *members, uint32_t count,
                       struct budget *budget, rwa_error *err);
void routes_close(struct route_table *r);
/** Poll the budget (NULL: none), and return RWA_CANCELLED if it ends the planning. */
rwa_status circuits_go_on(struct budget *budget, rwa_error *err);
/** Poll the budget as circuits_go_on() does, but only if `node` is a multiple of POLL_EVERY: for loops that do little
 * work for each node. */
static inline rwa_status circuits_go_on_at(struct budget *budget, size_t node, rwa_error *err)
{
    enum { POLL_EVERY = 1 << 18 };
    return node % POLL_EVERY == 0 ? circuits_go_on(budget, err) : RWA_OK;
}
/** Return the node of the participant with this number. */
static inline uint32_t routes_node(const struct route_table *r, uint32_t number)
{
    return base_mapped(r->members, number);
}

/** The parameters by which circuits are chosen. */
struct circuit_choice {
    uint32_t longest;       /* links of a circuit, at most */
    uint32_t neighbours;    /* circuits set up first on each link, of one link; then pairs are joined at random */
    uint32_t levels;        /* on a ring or line: levels of circuits of 1, r, r² … `longest` links instead; 0: none */
    uint32_t ratio;         /* r */
    uint32_t seed;          /* of the random order of pairs */
    uint32_t ports;         /* lightpaths out of, and into, a node; 0: as many as the network has ports */
    uint32_t more;          /* further lightpaths of a circuit, besides the first */
    bool round;             /* the levels lead in one direction along a closed walk through all nodes, on any network */
};

struct circuits {
    const struct route_table *routes;
    uint32_t *from, *to, *channel;
    bool *reversed;             /* the circuit takes the reversed route from its end to its start */
    uint32_t count;
    uint32_t width;             /* lightpaths of a circuit, from channel * width on, which share each block evenly */
    uint32_t degree;            /* circuits out of the node with the fewest */
    uint32_t *sends;            /* circuits out of each node */
    struct bins in;             /* circuits by end node */
    uint32_t *pair;             /* of each circuit: the pair of nodes that it joins; pairs ascend by start and end */
    uint32_t *before, *after;   /* start and end of each pair */
    struct bins out, into, alike;   /* pairs by start node, and by end node; circuits by pair */
    struct arena memory;
};

/** Set up circuits as `choice` says, as many as the channels allow.  RWA_NOMEM, RWA_CANCELLED.  circuits_close() in any
 * case.  O(nodes² * choice->longest) */
rwa_status circuits_open(struct circuits *out, const struct route_table *routes, const struct circuit_choice *choice,
                         rwa_error *err);
void circuits_close(struct circuits *c);
/** List in `node` the nodes on the route of a circuit, its start first.  Returns their number. */
uint32_t circuit_path(uint32_t *node, const struct circuits *c, uint32_t circuit);
/** Compute hops[v] for every node v: the fewest circuits on a path from v to `node` or, if `away`, from `node` to v;
 * UINT16_MAX: no path.
 * @param queue scratch of as many entries as nodes
 * @return the largest of these numbers */
uint32_t circuits_hops(uint16_t *hops, const struct circuits *c, uint32_t node, bool away, uint32_t *queue);

/** Return the number of blocks of the collective if each is cut into `parts` parts: `parts` for each node, or in an
 * all-to-all for each pair of nodes. */
uint64_t circuits_blocks(const struct plan_request *request, uint32_t parts);
/** Return the bytes of a part if each block of the collective is cut into `parts` parts; INFINITY: there are too many
 * parts. */
double circuits_part_bytes(const struct plan_request *request, uint32_t parts);
/** Return the largest number of pieces of a block: more would be too small, or too many for the checker.
 * @param sums  the checker needs memory for the sum of each piece at each node */
double circuits_most_pieces(const struct plan_request *request, bool sums);
/** Return the largest number of blocks that the caller allows on a lightpath; UINT32_MAX: no limit. */
uint32_t circuits_most_load(const struct plan_request *request);

/** A move of a block over a circuit in a step: place = (step - 1) * circuits + circuit. */
struct move {
    uint32_t place, block;
};

/** The moves of all blocks over circuits. */
struct moves {
    struct move *list;          /* of each block in the order of its steps */
    size_t count;
    uint32_t steps;             /* 0: given up */
    double time_s;              /* of all steps, without what is paid once */
    double looked;              /* work done, in visited blocks */
};
void moves_free(struct moves *m);

/** Largest number of blocks visited by the search of an all-gather, and by each of its plans: about half a second. */
#define WORK_MOST 1.5e8

struct moving {
    const struct plan_request *request;
    rwa_cost_prices price;
    uint32_t parts;             /* of a block of the collective */
    uint32_t most;              /* all-gather: blocks on a circuit and step; else steps that a block may wait, plus 1 */
    double bytes;               /* of a part */
    double limit_s;             /* slower plans are given up */
    bool timed;                 /* only the time is wanted, not the list */
};

/** Plan the moves of blocks over circuits in an all-gather.  Each node receives each block once, blocks with the fewest
 * holders go first, and a circuit carries at most how->most blocks in a step.
 * RWA_NOMEM, RWA_CANCELLED; moves_free() in any case. */
rwa_status moves_gather(struct moves *out, const struct circuits *c, const struct moving *how, rwa_error *err);
/** Tell whether moves_exchange() gives up, since so many moves would take much memory or some seconds. */
bool moves_are_too_many(double moves, const struct circuits *c);
/** Plan the moves of blocks over circuits in an all-to-all or a scatter.  Each block takes a path of the fewest
 * circuits, in each step over the least loaded one of those that lead nearer to its destination.  It may wait at its
 * source for a less loaded step.
 * RWA_NOMEM, RWA_CANCELLED; moves_free() in any case. */
rwa_status moves_exchange(struct moves *out, const struct circuits *c, const struct moving *how, rwa_error *err);
