/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Load of an exchange on the links: routes for its transfers, and how many blocks a lightpath should carry.
 *
 * With at most tau blocks on a lightpath a transfer of c blocks needs ceil(c / tau) of them.  The fullest link says how
 * many steps of tau blocks each that takes; so do the ports of the fullest node, where they are few.  The least tau for
 * 1, 2, 3 … steps are the cuts worth looking at.
 */
#pragma once

#include "delivery/exchange.h"
#include "delivery/shortest_routes.h"
#include "network/network.h"

/** The distances of a network whose links are listed; for rings and lines only the channels. */
struct distances {
    const rwa_network *net;
    uint16_t *hops;             /* [src][dst]; UINT16_MAX: no way */
    uint32_t *to;               /* where link net->out[k] leads */
    uint32_t *alike;            /* of each link the one out of node 0 that it is a translation of; NULL: nodes differ */
    bool even;                  /* all links have equally many fibres */
    bool cycle;                 /* arcs go round */
};

/** Links of a shortest route from a node to every other one; UINT16_MAX: no way.  @param queue  scratch, of as many
 * entries as nodes */
void distances_from(uint16_t *hops, const rwa_network *net, uint32_t src, uint32_t *queue);
/** RWA_NOMEM.  O(nodes links).  distances_free() in any case. */
rwa_status distances_open(struct distances *out, const rwa_network *net, rwa_error *err);
void distances_free(struct distances *d);
/** Links of a shortest route from src to another node; UINT16_MAX: no way. */
uint32_t distances_hops(const struct distances *d, uint32_t src, uint32_t dst);
/** The participant with the fewest links to all others together; of several the one in the middle of the numbers, or
 *  else the first.
 *  @param members  NULL: all nodes; else `count` of them.  O(count²), on rings and lines O(1) */
uint32_t distances_centre(const struct distances *d, const uint32_t *members, uint32_t count);

/** Transfers of so many sizes are counted together. */
enum { LOAD_SIZES = 8 };

/** The routes of an exchange. */
struct routed {
    const struct exchange *e;
    const struct distances *distances;
    /* transfer i takes the links start[i], start[i] + 1 … end[i] - 1 round the ring, clockwise unless ccw[i]; else
     * link[first[i]] … link[first[i + 1] - 1]; of an exchange that is alike at all nodes those that stand
     * for them, which of halfway round a cycle lead both ways */
    bool arcs;
    uint8_t *ccw;
    uint32_t *start, *end, *link;
    uint64_t *first;
    size_t capacity, link_capacity;
    /* scratch, LOAD_SIZES rows with a number for each link, then for what each node sends and receives */
    int64_t *load;
    double looked;              /* links looked at for choosing routes again */
    /* row k of load holds the routes of transfers of size[k] blocks over each link that matters */
    bool counted;
    size_t columns, of_links;   /* how many columns those are, and how many of them are links: the first */
    uint64_t size[LOAD_SIZES];
    size_t sizes;               /* 0: too many to be counted together */
    size_t links, width;        /* columns of links; of a row: without a limit of ports no more than these */
    struct shortest_routes routes; /* scratch, of one transfer */
    uint32_t *next;             /* scratch, of each node: the best link onward, … */
    double *cost;               /* … and the cost of the route that it begins */
    uint32_t longest;           /* hops of the longest route */
    bool unreachable;           /* some transfer has no route */
    uint64_t largest, least;    /* blocks of the largest and of the smallest transfer */
};

/** Shortest routes: where there are several, the one whose links carry less so far.  The exchange and the distances are
 *  borrowed; `out` begins as zeros, and what it holds is used again.  RWA_NOMEM; routed_free() in any case. */
rwa_status routed_make(struct routed *out, const struct exchange *e, const struct distances *d, rwa_error *err);
void routed_free(struct routed *r);
/** What making it took, in links looked at, about. */
double routed_work(const struct routed *r);

/** Steps that the loads need with at most tau blocks on a lightpath. */
uint64_t routed_steps(struct routed *r, uint64_t tau);

/** Blocks on a lightpath, steps of that many, and how long they take. */
struct cut {
    uint64_t tau, steps;
    double time_s;
};

/** The most steps for which a cut is worth a look; whole transfers need `least`.  More where long transfers leave much
 *  of the last step empty. */
uint64_t routed_most_steps(const struct routed *r, uint64_t least, double step_s, double block_s);
/** The least tau with which the loads fit so many steps. */
struct cut routed_cut(struct routed *r, uint64_t steps, double step_s, double block_s);
/** The quickest cut by the loads; INFINITY where an exchange that must happen at once does not fit one step. */
struct cut routed_quickest(struct routed *r, double step_s, double block_s);
