/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives where every pair of nodes is one hop apart and a node sends and receives on few ports: in a step each
 * port joins every node to at most one other, a matching.  A program lists the transfers of each step; it is written
 * down, or only timed.
 */
#pragma once

#include "delivery/exchange_load.h"
#include "scheme/compose/term.h"

/** Load of a step. */
struct fabric {
    uint32_t nodes;
    uint32_t ports;                 /* circuits that a node sends, and that it receives, in a step */
    uint32_t lanes;                 /* lightpaths of a circuit */
    uint32_t alike;                 /* circuits between the same two nodes, at most */
    uint32_t wavelengths, channels; /* of the network */
    uint32_t pause;                 /* steps that a port rests before it leads elsewhere */
    bool switches;                  /* the fibre of a lightpath is its port */
    bool shared;                    /* star: every port of every node sends on a channel of its own */
    uint32_t limit;                 /* ports of a node that may be tuned at once; 0: any number */
};

/** No ports: a star has too few channels. */
struct fabric fabric_of(const rwa_network *net);

/** Circuits that are the same throughout, over which nodes begin to send one after the other. */
enum { MATCHING_KIND = 62 };    /* bits above this one say which of these a pattern is */
#define MATCHING_STANDS (UINT64_C(3) << MATCHING_KIND)
/** Of a phase that began with this turn, in which each node receives in one turn at most (sends, backwards). */
#define MATCHING_ONCE(begun, turn) (UINT64_C(1) << MATCHING_KIND | (uint64_t)(begun) << 32 | (turn))

/** State of a port in a step: a pattern stands for the pairs that it joins.  No lanes: it is idle. */
struct circuit {
    uint64_t pattern;
    uint32_t lanes;
};

struct turn {
    size_t leg; /* its first; the others follow */
    size_t legs;
    size_t circuit;  /* of its port 0; the others follow */
    uint64_t most;   /* blocks on its fullest lightpath */
    size_t conflict; /* the last turn, from 1, that does not fit with those up to this one; 0: all do */
    uint32_t step;   /* from 1: a port that leads elsewhere rests before */
    double end_s;    /* as matchings_time() found */
    rwa_op op;
    bool backwards;
};

struct matchings {
    struct fabric fabric;
    uint32_t load;              /* blocks that a lightpath may carry in a step; 0: any number */
    bool timed; /* only timed: no legs; where all nodes do the same, one stands for all */
    struct turn *turn;
    struct circuit *circuit;
    struct exchange legs;       /* of all turns */
    uint32_t *port;             /* of each leg */
    size_t turns, turn_capacity, circuits, circuit_capacity, port_capacity;
    rwa_status status; /* the first failure; all functions do nothing then */
    rwa_error *err;
};

void matchings_free(struct matchings *m);
/** A new step. */
void matchings_begin(struct matchings *m);
/** A transfer of so many blocks in the last step, on a port where this pattern is set; runs follow where it is
 * written. */
void matchings_send(struct matchings *m, uint32_t port, uint64_t pattern, uint32_t src, uint32_t dst, uint64_t blocks);
void matchings_run(struct matchings *m, rwa_run run);
/** Blocks first … first + count - 1 of a circle of `all` blocks. */
void matchings_range(struct matchings *m, uint64_t first, uint64_t count, uint64_t all);
/** Run the steps since step `from` backwards: the last first, each transfer the other way, with this operation. */
void matchings_reverse(struct matchings *m, size_t from, rwa_op op);
/** All is written: find out when circuits change. */
void matchings_end(struct matchings *m);
/** The time of all steps with blocks of so many bytes. */
double matchings_time(struct matchings *m, const struct plan_request *request, uint64_t block_bytes);
/** Lightpaths of all steps, no fewer than there are: as if every node took part in every pattern. */
double matchings_lightpaths(const struct matchings *m);
/** Push all steps as one stage. */
rwa_status matchings_push(struct schedule_sink *sink, const struct matchings *m);

/* ---- terms ---- */

/** As few large factors as numbers of a term, each at most `most`, as the largest first give.  False: there are
 * none. */
bool matching_factors(struct term *out, uint32_t of, uint32_t most);
/** Bytes of each of so many blocks of a collective. */
uint64_t matching_block_bytes(const rwa_collective *coll, uint64_t blocks);
/** Whether the term carries out the collective on these nodes. */
bool matching_suits(const struct composition *c, const struct plan_request *request);
/** Blocks of the collective of which none is cut. */
uint64_t matching_units(const struct composition *c, const struct plan_request *request);
/** Write a term, or time it, with each unit in `scale` blocks. */
rwa_status matching_write(struct matchings *m, const struct composition *c, const struct plan_request *request,
                          uint64_t scale);

struct matching_found {
    struct composition term;
    uint64_t scale;
    double time_s, lightpaths;
};
/** The quickest term of those with not too many lightpaths; the best scale of the one given; lightpaths 0: none keeps
 * to the load that the caller wants.  RWA_NOMEM; RWA_CANCELLED */
rwa_status matching_search(struct matching_found *out, const struct plan_request *request,
                           const struct composition *given, rwa_error *err);

/* ---- phases ---- */

/** Nodes b * size + a, groups b, each an all-gather of `size` classes of `scale` blocks. */
struct window_groups {
    uint32_t size, groups;
    uint64_t scale;
    bool mirror;    /* the other way round, so that its time-reversed schedule takes the same circuits */
    uint32_t root;  /* node 0 of a phase from a root; its blocks are those of class 0 */
};

/** Each node's window grows from its own blocks to all, by stages. */
void phase_windows(struct matchings *m, const struct window_groups *g, const struct term *stage);
/** Nodes of equal place in all groups add up all that they hold: the blocks of window class a.  The product of the
 * radices is groups. */
void phase_sums(struct matchings *m, const struct window_groups *g, const struct term *sum);
/** From node 0 of the first group, to each of it its class. */
void phase_scatter(struct matchings *m, const struct window_groups *g);
/** A message of `scale` blocks from node 0 to all. */
void phase_copies(struct matchings *m, const struct window_groups *g);
/** Block src * nodes + dst, by the digits of how far it goes. */
void phase_shift_digits(struct matchings *m, const struct term *r, uint64_t scale);
/** All-gather, or all-to-all of pairs, over circuits that stay, each leading the same number of nodes on. */
void phase_circles(struct matchings *m, const struct window_groups *g, bool pairs);
/** A message in chunks of as many blocks as ports, each down its tree. */
void phase_trees(struct matchings *m, uint32_t root, uint32_t chunks, uint64_t scale);
