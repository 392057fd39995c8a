/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Load of an exchange on the links: choose routes for its transfers, and the largest number of blocks on a lightpath
 * (tau).
 *
 * With at most tau blocks on a lightpath, a transfer of c blocks needs ceil(c / tau) lightpaths.  The most loaded link,
 * or the most loaded node if ports are limited, determines the number of steps, each of which takes the time of tau
 * blocks.  Only the least tau for 1, 2, 3 … steps needs to be considered. */
#pragma once

#include "delivery/exchange.h"
#include "delivery/shortest_routes.h"
#include "network/network.h"
#include "rwa/cost.h"

/** Distances in a network whose links are listed.  On rings and lines they are computed when needed, and nothing is
 * stored. */
struct distances {
    const rwa_network *net;
    uint16_t *hops;             /* [src][dst]; UINT16_MAX: no route */
    uint32_t *to;               /* the end of link net->out[k] */
    uint32_t *alike;            /* of each link: the link out of node 0 that it translates; NULL: nodes differ */
    bool even;                  /* all links have equally many fibres */
    bool cycle;                 /* arcs go round */
};

/** Set hops[v] to the hops of a shortest route from src to node v, for all nodes; UINT16_MAX: no route.
 * @param queue scratch of net->nodes entries */
void distances_from(uint16_t *hops, const rwa_network *net, uint32_t src, uint32_t *queue);
/** Compute the distances between all nodes.  RWA_NOMEM.  O(nodes links). distances_free() in any case. */
rwa_status distances_open(struct distances *out, const rwa_network *net, rwa_error *err);
void distances_free(struct distances *d);
/** Return the hops of a shortest route from src to dst; UINT16_MAX: no route. */
uint32_t distances_hops(const struct distances *d, uint32_t src, uint32_t dst);
/** Return the number, from 0, of the participant with the least sum of hops to all others.  If several have this sum,
 * it is the one with the middle number, (count - 1) / 2, or, if that is not among them, the first of them.
 * @param members NULL: all nodes; else `count` of them.  O(count²), on rings and lines O(1) */
uint32_t distances_centre(const struct distances *d, const uint32_t *members, uint32_t count);

/** Largest number of different transfer sizes with which transfers are counted by size. */
enum { LOAD_SIZES = 8 };

/** The routes of an exchange, and the loads of links. */
struct routed {
    const struct exchange *e;
    const struct distances *distances;
    /* arcs: transfer i takes the links start[i], start[i] + 1 … end[i] - 1 round the ring, clockwise unless ccw[i];
     * otherwise link[first[i]] … link[first[i + 1] - 1].  If all nodes do the same, these are links out of node 0 that
     * represent the route; a transfer halfway round a cycle then uses both directions */
    bool arcs;
    uint8_t *ccw;
    uint32_t *start, *end, *link;
    uint64_t *first;
    /* scratch, LOAD_SIZES rows: a column for each link, then for the sending and the receiving side of each node */
    int64_t *load;
    double looked;              /* links visited while routes were improved */
    /* row k of load: the number of routes of transfers of size[k] blocks over each link that can be the fullest */
    bool counted;
    size_t columns, of_links;   /* number of columns kept in load; the first of_links of them are links */
    uint64_t size[LOAD_SIZES];
    size_t sizes;               /* 0: too many to be counted together */
    size_t links, width;        /* columns of links, and of a row; equal without a limit of ports */
    struct shortest_routes routes; /* scratch, of one transfer */
    uint32_t *next;             /* scratch, of each node: the best link onward, … */
    double *cost;               /* … and the cost of the route that it begins */
    uint32_t longest;           /* hops of the longest route */
    bool unreachable;           /* some transfer has no route */
    uint64_t largest, least;    /* blocks of the largest and of the smallest transfer */
    /* the price of steps, set by the caller: of one without transmission, and what transmission depends on */
    double step_s;
    uint64_t block_bytes;
    const rwa_cost_options *model;
};

/** Choose a shortest route for each transfer; if there are several, one whose links have a low load so far.  The
 * exchange and the distances are borrowed.  `out` starts as zeros and may be reused.  RWA_NOMEM; routed_free() in any
 * case. */
rwa_status routed_make(struct routed *out, const struct exchange *e, const struct distances *d, rwa_error *err);
void routed_free(struct routed *r);
/** Return the approximate work of routed_make(), in links visited. */
double routed_work(const struct routed *r);

/** Return the number of steps that the loads of links and ports need with at most tau blocks on a lightpath. */
uint64_t routed_steps(struct routed *r, uint64_t tau);

/** Return the time, in seconds, of a step with `tau` blocks on its fullest lightpath. */
double routed_step_s(const struct routed *r, uint64_t tau);

/** A division of an exchange into lightpaths: blocks on a lightpath (tau), the number of steps, and their time. */
struct cut {
    uint64_t tau, steps;
    double time_s;
};

/** Return the largest number of steps for which routed_quickest() looks for a division.  It is 1 if all transfers must
 * happen in one step (e->at_once), else more than `least`.  If the longest transfer takes much longer than the setup of
 * a step, more steps are worth a try, so the number may be larger.
 * @param least the steps if no transfer is divided */
uint64_t routed_most_steps(const struct routed *r, uint64_t least);
/** Return the division of the transfers into lightpaths that fits into `steps` steps with the fewest blocks on a
 * lightpath (tau). */
struct cut routed_cut(struct routed *r, uint64_t steps);
/** Return the quickest division into lightpaths according to the loads.  Its time is INFINITY if all transfers must
 * happen in one step (e->at_once) and do not fit. */
struct cut routed_quickest(struct routed *r);
