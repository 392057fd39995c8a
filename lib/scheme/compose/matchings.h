/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives on networks where every pair of nodes is one hop apart and a node sends and receives on few ports: in a
 * step each port connects every node to at most one other node, a matching.  A program lists the transfers of each
 * step; it is written, or only timed.
 */
#pragma once

#include "delivery/exchange_load.h"
#include "scheme/compose/term.h"

/** Load of a step. */
struct fabric {
    uint32_t nodes;
    uint32_t ports;                 /* circuits that a node sends, and that it receives, in a step */
    uint32_t lanes;                 /* lightpaths of a circuit */
    uint32_t alike;                 /* largest number of circuits between the same two nodes */
    uint32_t wavelengths, channels; /* of the network */
    uint32_t pause;                 /* idle steps of a port before it is retuned */
    bool switches;                  /* the fibre of a lightpath is its port */
    bool shared;                    /* star: every port of every node sends on a channel of its own */
    uint32_t limit;                 /* ports of a node that may be tuned at once; 0: any number */
};

/** No ports: a star has too few channels. */
struct fabric fabric_of(const rwa_network *net);

/** Patterns of circuits that stay the same throughout a phase, while nodes begin to send one after the other. */
enum { MATCHING_KIND = 62 };    /* bits above this one say which of these a pattern is */
#define MATCHING_STANDS (UINT64_C(3) << MATCHING_KIND)
/** Pattern of a phase that began with turn `begun`, in which each node receives in at most one turn (time-reversed:
 *  sends). */
#define MATCHING_ONCE(begun, turn) (UINT64_C(1) << MATCHING_KIND | (uint64_t)(begun) << 32 | (turn))

/** State of a port in a step.  The pattern identifies the pairs of nodes that it connects.  No lanes: it is idle. */
struct circuit {
    uint64_t pattern;
    uint32_t lanes;
};

struct turn {
    size_t leg; /* its first; the others follow */
    size_t legs;
    size_t circuit;  /* of its port 0; the others follow */
    uint64_t most;   /* blocks on its fullest lightpath */
    size_t conflict; /* the last turn, from 1, whose circuits conflict with turns up to this one; 0: none */
    uint32_t step;   /* from 1; ports that are retuned are idle before it */
    double end_s;    /* as matchings_time() found */
    rwa_op op;
    bool backwards;
};

struct matchings {
    struct fabric fabric;
    uint32_t load;              /* blocks that a lightpath may carry in a step; 0: any number */
    bool timed; /* only timed, without legs; if all nodes do the same, one represents all */
    struct turn *turn;
    struct circuit *circuit;
    struct exchange legs;       /* of all turns */
    uint32_t *port;             /* of each leg */
    size_t turns, turn_capacity, circuits, circuit_capacity, port_capacity;
    rwa_status status; /* the first failure; all functions do nothing then */
    rwa_error *err;
};

void matchings_free(struct matchings *m);
/** Begin a new step. */
void matchings_begin(struct matchings *m);
/** Add a transfer to the last step, on a port set to this pattern; if the program is written, its runs follow. */
void matchings_send(struct matchings *m, uint32_t port, uint64_t pattern, uint32_t src, uint32_t dst, uint64_t blocks);
void matchings_run(struct matchings *m, rwa_run run);
/** Add to the last transfer blocks first … first + count - 1, modulo `all`. */
void matchings_range(struct matchings *m, uint64_t first, uint64_t count, uint64_t all);
/** Reverse in time the steps from `from` on: last step first, src and dst swapped, with operation `op`. */
void matchings_reverse(struct matchings *m, size_t from, rwa_op op);
/** The program is complete: find the steps in which circuits change. */
void matchings_end(struct matchings *m);
/** The time of all steps with blocks of so many bytes. */
double matchings_time(struct matchings *m, const struct plan_request *request, uint64_t block_bytes);
/** Upper bound on the lightpaths of all steps: as if every node took part in every pattern. */
double matchings_lightpaths(const struct matchings *m);
/** Push all steps as one stage. */
rwa_status matchings_push(struct schedule_sink *sink, const struct matchings *m);

/* ---- terms ---- */

/** Factor `of` into numbers of a term, each at most `most`, greedily with the largest factor first.  False: there is no
 * such factorisation. */
bool matching_factors(struct term *out, uint32_t of, uint32_t most);
/** Bytes of a block if the collective has `blocks` blocks. */
uint64_t matching_block_bytes(const rwa_collective *coll, uint64_t blocks);
/** Whether the term carries out the collective on these nodes. */
bool matching_suits(const struct composition *c, const struct plan_request *request);
/** Blocks of the collective if no block is cut: its units. */
uint64_t matching_units(const struct composition *c, const struct plan_request *request);
/** Write a term, or time it, with each unit cut into `scale` blocks. */
rwa_status matching_write(struct matchings *m, const struct composition *c, const struct plan_request *request,
                          uint64_t scale);

struct matching_found {
    struct composition term;
    uint64_t scale;
    double time_s, lightpaths;
};
/** Find the quickest term without too many lightpaths; if a term is given, its best scale.  lightpaths 0: no term keeps
 * to the caller's limit on the load.  RWA_NOMEM; RWA_CANCELLED */
rwa_status matching_search(struct matching_found *out, const struct plan_request *request,
                           const struct composition *given, rwa_error *err);

/* ---- phases ---- */

/** Groups of nodes: group b has the nodes b * size + a; each carries out an all-gather of `size` classes of `scale`
 *  blocks. */
struct window_groups {
    uint32_t size, groups;
    uint64_t scale;
    bool mirror;    /* in the opposite direction, so that its time-reversed schedule uses the same circuits */
    uint32_t root;  /* node 0 of a phase from a root; its blocks are those of class 0 */
};

/** All-gather: each node's window grows in stages from its own blocks to all. */
void phase_windows(struct matchings *m, const struct window_groups *g, const struct term *stage);
/** Nodes at the same place a of all groups add up all blocks that they hold, those of class a.  The product of the
 * radices is the number of groups. */
void phase_sums(struct matchings *m, const struct window_groups *g, const struct term *sum);
/** Scatter from node 0 of the first group: each node of the group gets its class. */
void phase_scatter(struct matchings *m, const struct window_groups *g);
/** Broadcast a message of `scale` blocks from node 0. */
void phase_copies(struct matchings *m, const struct window_groups *g);
/** All-to-all: block src * nodes + dst moves by the digits of its distance. */
void phase_shift_digits(struct matchings *m, const struct term *r, uint64_t scale);
/** All-gather, or all-to-all if `pairs`, over circuits that stay up; those of a port lead the same distance from every
 *  node. */
void phase_circles(struct matchings *m, const struct window_groups *g, bool pairs);
/** Broadcast a message in chunks; each chunk has a block for each port, which goes down the tree of that port. */
void phase_trees(struct matchings *m, uint32_t root, uint32_t chunks, uint64_t scale);
