/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives on networks where every pair of nodes is one hop apart and a node sends and receives on few ports: in a
 * step each port connects every node to at most one other node, a matching.  A program lists the transfers of each
 * step; it is written, or only timed.
 */
#pragma once

#include "delivery/exchange_load.h"
#include "scheme/compose/term.h"

/** Limits on the transfers of a step. */
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

/** Return the limits of a network on the transfers of a step.  `ports` is 0 if a star has too few channels. */
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

/** A turn: one exchange over given circuits.  Its transfers are called legs. */
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
    size_t turns, circuits;
    rwa_status status; /* the first failure; all functions do nothing then */
    rwa_error *err;
};

void matchings_free(struct matchings *m);
/** Record that the program failed with status `st`, unless it is RWA_OK or a failure is recorded already. */
void matchings_fail(struct matchings *m, rwa_status st);
/** Append a new turn: an exchange over given circuits, in one step (several if the load of a lightpath is limited). */
void matchings_begin(struct matchings *m);
/** Add a transfer of `blocks` blocks to the last turn, on a port.  `pattern` identifies the pairs of nodes that the
 * port connects, and is the same for all transfers on this port in the turn.  If the program is written (not only
 * timed), add the runs of blocks afterwards. */
void matchings_send(struct matchings *m, uint32_t port, uint64_t pattern, uint32_t src, uint32_t dst, uint64_t blocks);
void matchings_run(struct matchings *m, rwa_run run);
/** Add the blocks with the numbers first … first + count - 1, modulo `all`, to the last transfer. */
void matchings_range(struct matchings *m, uint64_t first, uint64_t count, uint64_t all);
/** Reverse in time the turns from `from` on: the last turn comes first, src and dst are swapped, and all get the
 * operation `op`. */
void matchings_reverse(struct matchings *m, size_t from, rwa_op op);
/** Complete the program: find for each turn its step and its conflict, the last turn that must end before its ports
 * are retuned. */
void matchings_end(struct matchings *m);
/** Return the time of all steps, in seconds, with blocks of block_bytes bytes. */
double matchings_time(struct matchings *m, const struct plan_request *request, uint64_t block_bytes);
/** Return an upper bound on the number of lightpaths of all steps: every node is assumed to send on every port in
 * use. */
double matchings_lightpaths(const struct matchings *m);
/** Push all steps of the program into the sink, as one stage. */
rwa_status matchings_push(struct schedule_sink *sink, const struct matchings *m);

/* ---- terms ---- */

/** Factor the number `of` into numbers of at most `most`, and make them the numbers of a sums term: greedily, the
 * largest factor first.  Returns false if that fails. */
bool matching_factors(struct term *out, uint32_t of, uint32_t most);
/** Return the bytes of a block if the message is cut into `blocks` blocks. */
uint64_t matching_block_bytes(const rwa_collective *coll, uint64_t blocks);
/** Tell whether the term carries out the collective of the request on its network. */
bool matching_suits(const struct composition *c, const struct plan_request *request);
/** Return the number of units: the blocks into which the collective is divided if none is cut into parts. */
uint64_t matching_units(const struct composition *c, const struct plan_request *request);
/** Write a term as a program, or time it, with each unit (uncut block) divided into `scale` blocks. */
rwa_status matching_write(struct matchings *m, const struct composition *c, const struct plan_request *request,
                          uint64_t scale);

struct matching_found {
    struct composition term;
    uint64_t scale;
    double time_s, lightpaths;
};
/** Find the quickest term that does not have too many lightpaths; if `given` is not NULL, only the number of parts of a
 * block (scale) for that term. out->lightpaths is 0 if the caller allows fewer blocks on a lightpath than every term
 * needs.  RWA_NOMEM; RWA_CANCELLED */
rwa_status matching_search(struct matching_found *out, const struct plan_request *request,
                           const struct composition *given, rwa_error *err);

/* ---- phases ---- */

/** Groups of nodes, where group b has the nodes b * size + a.  Each group carries out an all-gather of `size` classes
 * (place a in the group) of `scale` blocks each. */
struct window_groups {
    uint32_t size, groups;
    uint64_t scale;
    bool mirror;    /* in the opposite direction, so that its time-reversed schedule uses the same circuits */
    uint32_t root;  /* node 0 of a phase from a root; its blocks are those of class 0 */
};

/** Append an all-gather inside each group.  The window of a node (the consecutive blocks that it holds) grows in steps
 * from its own blocks to all: in step e, from 0, by the factor stage->number[e]. */
void phase_windows(struct matchings *m, const struct window_groups *g, const struct term *stage);
/** Append an all-reduce between groups: the nodes at the same place of all groups add up the blocks of that place.  The
 * product of the numbers of `sum` is the number of groups; the e-th number is how many sums become one in step e. */
void phase_sums(struct matchings *m, const struct window_groups *g, const struct term *sum);
/** Append a scatter inside the first group from its node g->root: each node gets the g->scale blocks of its place. */
void phase_scatter(struct matchings *m, const struct window_groups *g);
/** Append a broadcast of a message of g->scale blocks from node g->root. */
void phase_copies(struct matchings *m, const struct window_groups *g);
/** Append an all-to-all, in which blocks move from src to dst one digit of the distance after the other.  Each pair of
 * nodes has `scale` blocks, from number (src * nodes + dst) * scale on.  The numbers of `r` are the radices of the
 * digits, the least significant first. */
void phase_shift_digits(struct matchings *m, const struct term *r, uint64_t scale);
/** Append an all-gather, or an all-to-all if `pairs`, over circuits that stay up.  The circuits of a port lead equally
 * far ahead on a circle from every node, and blocks move over them from node to node. */
void phase_circles(struct matchings *m, const struct window_groups *g, bool pairs);
/** Append a broadcast of a message in chunks.  Each chunk has `scale` blocks for each port, which go down the tree of
 * that port. */
void phase_trees(struct matchings *m, uint32_t root, uint32_t chunks, uint64_t scale);
