/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Circuits: lightpaths that stay up from the first step to the last, so that tuning is paid for once.  They are the
 * links of another network, of fewer hops, over which blocks move from node to node.
 */
#pragma once

#include "base/arena.h"
#include "base/bins.h"
#include "scheme/scheme.h"

/** Nodes at most: tables have an entry for each pair. */
enum { CIRCUIT_NODES = 2048 };

/**
 * A network of links there and back, and a shortest route between every two nodes that take part.  These are numbered
 * in their order: circuits and blocks go by these numbers, routes lead past all nodes of the network.
 */
struct route_table {
    rwa_network *net;           /* owned: with its links listed; link l and link l ^ 1 lead there and back */
    const uint32_t *members;    /* borrowed; NULL: all nodes take part */
    uint32_t nodes;             /* that take part; 0: some cannot be reached */
    uint32_t channels;          /* of a link */
    uint32_t ports;             /* lightpaths out of, and into, a node, at most; UINT32_MAX: any number */
    uint32_t degree;            /* links out of the participant with the fewest */
    uint32_t farthest;          /* links of the longest route */
    uint32_t *into;             /* [src][node of the network]: the last link of the route; UINT32_MAX: src is there */
    uint16_t *hops;             /* [src][dst] */
    uint32_t *near;             /* pairs of participants whose route passes no other: there and back once */
    size_t nears;
    struct budget *budget;      /* polled by all that is slow; NULL: none */
    struct arena memory;
};

/** @param members  NULL, or `count` of the nodes, ascending
 *  RWA_NOMEM.  routes_close() in any case.  O(count * (links + count * farthest)) */
rwa_status routes_open(struct route_table *out, const rwa_network *net, const uint32_t *members, uint32_t count,
                       struct budget *budget, rwa_error *err);
void routes_close(struct route_table *r);
/** RWA_CANCELLED when the budget ends the planning.  budget: NULL for none. */
rwa_status circuits_go_on(struct budget *budget, rwa_error *err);
/** The same where little is done for each of many nodes; asks after some of them. */
static inline rwa_status circuits_go_on_at(struct budget *budget, size_t node, rwa_error *err)
{
    enum { POLL_EVERY = 1 << 18 };
    return node % POLL_EVERY == 0 ? circuits_go_on(budget, err) : RWA_OK;
}
/** The node of a participant. */
static inline uint32_t routes_node(const struct route_table *r, uint32_t number)
{
    return r->members ? r->members[number] : number;
}

/** Which circuits are chosen. */
struct circuit_choice {
    uint32_t longest;       /* links of a circuit, at most */
    uint32_t neighbours;    /* circuits of one link that come first, for each link; then pairs are joined at random */
    uint32_t levels;        /* on a ring or line: levels of circuits of 1, r, r² … `longest` links instead; 0: none */
    uint32_t ratio;         /* r */
    uint32_t seed;          /* of the pairs drawn */
    uint32_t ports;         /* lightpaths out of, and into, a node; 0: as many as the network has ports */
    bool round;             /* the levels go one way round through all nodes, on any network */
};

struct circuits {
    const struct route_table *routes;
    uint32_t *from, *to, *channel;
    bool *reversed;             /* it takes the route of its end to its start, the other way */
    uint32_t count;
    uint32_t degree;            /* circuits out of the node with the fewest */
    struct bins out, in;        /* circuits by the node that they leave, and by that where they end */
    /* node v is entered from before[first_before[v]] … before[first_before[v + 1] - 1], once each however many circuits
       lead from there; the place of that is the circuit's pair */
    uint32_t *first_before, *before, *pair;
    struct arena memory;
};

/** As many as find channels.  RWA_NOMEM, RWA_CANCELLED.  O(nodes² * longest).  circuits_close() in any case. */
rwa_status circuits_open(struct circuits *out, const struct route_table *routes, const struct circuit_choice *choice,
                         rwa_error *err);
void circuits_close(struct circuits *c);
/** The nodes of a circuit, src first; returns how many. */
uint32_t circuit_path(uint32_t *node, const struct circuits *c, uint32_t circuit);
/** Fewest circuits from every node to one; UINT16_MAX: there is no way.
 *  @param queue  scratch, of as many entries as nodes
 *  @return the most of these */
uint32_t circuits_hops(uint16_t *hops, const struct circuits *c, uint32_t node, uint32_t *queue);

/** Blocks of the collective, each cut into parts. */
uint64_t circuits_blocks(const struct plan_request *request, uint32_t parts);
/** Bytes of a part; INFINITY where so many parts are too many. */
double circuits_part_bytes(const struct plan_request *request, uint32_t parts);
/** Blocks on a lightpath, at most. */
uint32_t circuits_most_load(const struct plan_request *request);

/** A circuit carries a block in a step: at `place`, the steps before it times the circuits, plus the circuit. */
struct move {
    uint32_t place, block;
};

/** How blocks move. */
struct moves {
    struct move *list;          /* of each block in the order of its steps */
    size_t count, room;
    uint32_t steps;             /* 0: it was given up */
    double time_s;              /* of all steps, without what is paid once */
    double looked;              /* the work that it took */
};
void moves_free(struct moves *m);

struct moving {
    const struct plan_request *request;
    rwa_cost_prices price;
    uint32_t parts;             /* of a block of the collective */
    uint32_t most;              /* all-gather: blocks on a circuit and step; else steps that a block may wait, plus 1 */
    double bytes;               /* of a part */
    double limit_s;             /* what takes longer is given up */
    bool timed;                 /* without the list */
};

/** An all-gather: each node gets each block once, rare ones first, as many as circuits may carry in each step.
 *  RWA_NOMEM, RWA_CANCELLED; moves_free() in any case. */
rwa_status moves_gather(struct moves *out, const struct circuits *c, const struct moving *how, rwa_error *err);
/** An all-to-all, or a scatter: each block goes over the fewest circuits, those that carry least, and waits until
 *  they do.  RWA_NOMEM, RWA_CANCELLED; moves_free() in any case. */
rwa_status moves_exchange(struct moves *out, const struct circuits *c, const struct moving *how, rwa_error *err);
