/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of the bounds: what one entry of the table is, and what it sees.  Proofs: docs/bounds.md. */
#ifndef BOUND_BOUND_H
#define BOUND_BOUND_H

#include "base/base.h"
#include "rwa/bound.h"

struct bound_case {
    const rwa_collective *coll;
    rwa_network_kind kind;
    uint32_t nodes;
    uint32_t fibers;
    uint32_t channels;      /* W: of one link in one direction */
    uint32_t max_hops;      /* of one lightpath, 1 … nodes - 1 */
    uint32_t ports;         /* star, ron, ocs: of a node; 0: no limit */
    uint32_t tuning;        /* ron: steps that a port rests while it turns */
    struct watch *watch;
};

/** compute() gets name, unit, statement and source filled in, value 0 (does not apply) and holds 1. */
struct bound_entry {
    const char *name;
    const char *unit;
    const char *statement;
    const char *source;
    rwa_status (*compute)(rwa_bound *b, const struct bound_case *c, rwa_error *err);
};

/** The table, in the order of the output: bound_NAME is defined in the file of that name. */
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
    X(pipeline)            \
    X(ramp)                \
    X(broadcast_tree)      \
    X(step_capacity)

/** The table for star, ron and ocs: all in one_hop.c. */
#define ONE_HOP_TABLE(X) \
    X(one_hop_receive)   \
    X(one_hop_send)      \
    X(one_hop_air)       \
    X(one_hop_growth)

#define X(name) extern const struct bound_entry bound_##name;
BOUND_TABLE(X)
ONE_HOP_TABLE(X)
#undef X

static inline uint64_t bound_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/** Saturating: UINT64_MAX stands for anything as large. */
static inline uint64_t bound_times(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static inline uint64_t bound_plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/** floor(N^2/4): lightpaths over the middle link of a line, per direction, when every node sends to every other. */
static inline uint64_t bound_quarter_square(uint32_t nodes)
{
    return (uint64_t)nodes * nodes / 4;
}

/** Whether every node sends one block to every other: what one stage of lightpaths between all pairs does. */
static inline bool bound_is_exchange(const struct bound_case *c)
{
    if (c->coll->kind == RWA_ALL_GATHER)
        return c->coll->blocks == c->nodes;
    return c->coll->kind == RWA_ALL_TO_ALL && c->coll->blocks == (uint64_t)c->nodes * c->nodes;
}

#endif
