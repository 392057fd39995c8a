/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The seam of the schemes: (network, collective, parameters) -> stages of transfers, one after the other. */
#ifndef SCHEME_SCHEME_H
#define SCHEME_SCHEME_H

#include "rwa/plan.h"

#include <stdbool.h>

/** Settings a scheme leaves to the planner to choose among: radices (ended by a 0), a group size (0: none). */
enum { RADIX_LEVELS = 32 };
struct tuning {
    uint32_t radix[RADIX_LEVELS];
    uint32_t group;
};

/** What a scheme is asked to plan.  Everything is borrowed and outlives the scheme's state. */
struct scheme_request {
    const rwa_network *net;
    const rwa_collective *coll;         /* with the number of blocks the scheme asked for */
    const rwa_plan_options *opts;       /* the caller's, complete */
    const struct tuning *tuning;        /* one of the scheme's tunings(); all 0 when it has none */
    char *why;                          /* RWA_ERROR_TEXT bytes for scheme_refuse() */
};

/** Say why this setting cannot be planned and what could: the answer is then "infeasible".  Returns RWA_OK, so that
 *  open() and next() can end with it. */
rwa_status scheme_refuse(const struct scheme_request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * The rows of a torus or mesh along one dimension: `nodes` nodes each, 0 where a stage is not about rows, and `stride`
 * between the numbers of neighbours.  src and dst of a transfer are then places in a row, a ring or a line by itself,
 * and all rows carry out the stage at once.  nodes * stride nodes that follow each other are a slab of rows; block b
 * stands for that block counted from the first node of the row's own slab.
 */
struct stage_rows {
    uint32_t nodes, stride;
};

/**
 * One logical exchange.  Either transfers, which may all happen at the same time and which the planner routes, colours
 * and packs into steps; or finished records, which it only appends, their steps counted from 1 within the stage.
 * A transfer's direction is the given one; without, with `ranks` set, the stage is an all-to-all exchange round the
 * whole ring between `ranks` places (rank_of[node]), in as many copies as nodes share a place (copy_of[src]) or as a node
 * has blocks to send (copy); otherwise it never crosses the border between the last node and node 0.
 */
struct stage {
    size_t count;
    uint32_t *src, *dst, *block;
    uint8_t *direction;         /* NULL, or an rwa_direction for each transfer */
    uint32_t *colour;           /* NULL, or (with direction) the colour of each, which is final: transfers of one colour
                                   stay in one step, as exchanges of partial sums must */
    uint8_t *early;             /* NULL, or 1: src held the block before the stage that came just before this one */
    rwa_op op;                  /* of all transfers */
    uint32_t radix;             /* for the summary; 0: none */
    uint32_t ranks, copies;
    uint32_t *rank_of, *copy_of;
    uint32_t *copy;             /* NULL, or for each transfer, in place of copy_of */
    struct stage_rows rows;
    rwa_lightpath *records;
    size_t record_count;
    uint32_t *path;             /* NULL, or the nodes of all records' paths, one path after the other … */
    size_t *path_first;         /* … and where each begins, and the last ends: record_count + 1 entries */
    uint32_t *blocks;           /* NULL, or the blocks of all records, in place of the one in each … */
    size_t *block_first;        /* … and where each record's begin, likewise */
    uint32_t *taps;             /* NULL, or the taps of all records … */
    size_t *tap_first;          /* … likewise */
};

/** Empty the stage and make room for `most` transfers (src, dst, block). */
rwa_status stage_create(struct stage *stage, size_t most, rwa_error *err);
void stage_free(struct stage *stage);

/** What a closed form says of a schedule. */
struct forecast {
    uint64_t steps;
    uint64_t settings;          /* steps that set something anew; 0: not known */
};

/** How much a schedule holds. */
struct extent {
    double records;
    bool whole;                 /* each stands for a lightpath of every node, on channels that come round with the ring */
};

/** Options that only some schemes read; what is given to none that does is refused (plan/settings.c). */
enum { READS_RADIX = 1, READS_STAGES = 2, READS_GROUP = 4, READS_LAST_EXCHANGE = 8, READS_SPLIT_STEPS = 16, READS_TAPS = 32,
       READS_SOLVER = 64 };

/** A scheme; one file, and one line in schemes.c. */
struct scheme {
    const char *name, *summary, *source;
    unsigned collectives;       /* bits 1u << RWA_ALL_GATHER … */
    unsigned networks;          /* bits 1u << RWA_RING … */
    unsigned reads;             /* bits READS_RADIX … READS_SPLIT_STEPS; the others follow from what comes next */
    unsigned solved;            /* bits of networks, on which it leaves wavelengths to opts->solver */
    bool reversible;            /* every node gets each block once: run backwards, its all-gather is a reduce-scatter (and
                                   with itself after that an all-reduce), its scatter a gather */
    bool stripes;               /* with fewer channels it takes little more steps: "auto" tries blocks in stripes, too */
    bool merges;                /* it takes up to opts->slots blocks onto a lightpath */
    bool taps;                  /* it lets up to opts->max_drops nodes read a lightpath, where that saves steps */
    bool shortens;              /* it keeps to opts->max_hops, at the price of more steps */
    bool mends;                 /* it keeps off failed links (and, but on rings and lines, where there are none left, off
                                   reserved channels); others are never asked to */
    bool only_failed;           /* it is only for networks with failed links */
    bool last_resort;           /* it is only for networks with failed links or few ports */
    /** How many blocks it cuts the message into; NULL: the collective's default. */
    uint64_t (*blocks)(const struct scheme_request *request);
    /** Refuse options that make no sense (RWA_BADARG); NULL: it takes none of its own. */
    rwa_status (*validate)(const struct scheme_request *request, rwa_error *err);
    /** What every schedule of the scheme comes to, without making one (tests/scheme/forecast_test.c); false, and NULL: it has
     *  to be made. */
    bool (*forecast)(struct forecast *out, const struct scheme_request *request);
    /** How much it will hold, about; NULL: a record for each lightpath.  The network is not limited by its lightpaths then. */
    void (*extent)(struct extent *out, const struct scheme_request *request);
    /** Group sizes of which each is the quickest for some message, fewest steps first, at most `most` of them; NULL: the scheme
     *  finds the best one alone.  "auto" tries them all.  RWA_NOMEM. */
    rwa_status (*groups)(uint32_t *out, size_t *count, size_t most, const struct scheme_request *request, rwa_error *err);
    /** Tunings worth trying, best estimate first, at most `most` (at least 1): how many; NULL: none.  The planner builds
     *  them all when the network is small enough, and keeps the one with fewest steps. */
    size_t (*tunings)(struct tuning *out, size_t most, const struct scheme_request *request);
    /** RWA_OK also after scheme_refuse(). */
    rwa_status (*open)(void **state, const struct scheme_request *request, rwa_error *err);
    /** The next stage, zeroed before the call; without transfers and records: finished (or refused). */
    rwa_status (*next)(void *state, struct stage *stage, rwa_error *err);
    void (*close)(void *state);
    /** What the paper's formula says for the request (out is zeroed); NULL: there is none. */
    void (*formula)(rwa_formula *out, const struct scheme_request *request);
};

/** The table, in the order in which "auto" tries them. */
extern const struct scheme *const schemes[];
extern const size_t scheme_count;

/** Whether a caller means the scheme; rotated-trees also answers to its former name, turned-trees. */
bool scheme_is_named(const struct scheme *scheme, const char *name);

extern const struct scheme scheme_wavefront, scheme_line_wavefront, scheme_torus_wavefront, scheme_optree, scheme_one_stage,
    scheme_ring, scheme_ring_both, scheme_ring_striped, scheme_neighbor_exchange, scheme_wrht, scheme_h_ring, scheme_binary_tree,
    scheme_recursive_doubling, scheme_rotated_trees, scheme_tree, scheme_direct, scheme_nearest, scheme_tcp, scheme_forest,
    scheme_latency_hiding, scheme_ron_b1, scheme_ron_b2, scheme_ron_b3, scheme_relay, scheme_broken_wavefront;

/** For `blocks`: an all-reduce moves the whole message as one block, anything else the default number. */
uint64_t scheme_whole_message(const struct scheme_request *request);

/** How often a scheme that is planned as an all-gather goes over the message: twice for an all-reduce. */
static inline uint64_t scheme_passes(const struct scheme_request *request)
{
    return request->coll->kind == RWA_ALL_REDUCE ? 2 : 1;
}

/** Put a transfer into a stage that has room for it. */
static inline void stage_add(struct stage *stage, uint32_t src, uint32_t dst, uint32_t block)
{
    stage->src[stage->count] = src;
    stage->dst[stage->count] = dst;
    stage->block[stage->count++] = block;
}

/** Where part c of `size` things cut into `parts` begins: sizes differ by at most one, larger ones first. */
static inline uint32_t part_start(uint32_t size, uint32_t parts, uint32_t c)
{
    uint32_t extra = size % parts;
    return c * (size / parts) + (c < extra ? c : extra);
}

/** a / b, rounded up; b > 0. */
static inline uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

#endif
