/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Programs: the exchanges of a collective, one after the other, and the sets of blocks they move.  A program is written down, or only
 * timed: sets then know how many blocks they hold, not which.
 */
#pragma once

#include "delivery/exchange_load.h"
#include "delivery/exchange_load.h"
#include "scheme/compose/timings.h"

/** Blocks as runs, in the order in which they were added; no runs where a program is only timed. */
struct block_set {
    rwa_run *run;
    size_t runs, capacity;
    uint64_t count;
};

void block_set_free(struct block_set *set);
/** Blocks from … from + count - 1 of a set, in its order, added to another; where sets are only timed, their number.  RWA_NOMEM */
rwa_status block_set_slice(struct block_set *out, const struct block_set *set, uint64_t from, uint64_t count, rwa_error *err);
void block_set_clear(struct block_set *set);
/** A run that continues the last one extends it.  RWA_NOMEM */
rwa_status block_set_add(struct block_set *set, rwa_run run, rwa_error *err);
/** All blocks of another set, none of which is in this one.  RWA_NOMEM */
rwa_status block_set_join(struct block_set *set, const struct block_set *other, rwa_error *err);

/** Longer than anything takes that can be done. */
#define NEVER_S 1e299

/** Of what an exchange takes. */
struct prices {
    double step_s, block_s;     /* of a step, and of a part of a block */
    double kept_s;              /* of a step with the lightpaths of the step before */
    double hop_s;               /* of a part of a block over a link, when all channels of the network are loaded alike */
};

/** So many like some groups of participants do the same at once on other links: on average, and like each of them at least. */
struct times {
    double mean, least;
};

/** Channels that transfers take on all links of a way together, at least, and the blocks that these carry. */
struct way_load {
    double channels, blocks;
};

struct program {
    bool timed;                 /* only timed, not written */
    const struct distances *distances;
    const uint32_t *members;    /* NULL: all nodes take part; else participant i is node members[i] */
    struct prices prices;       /* timed */
    double time_s;              /* so far; NEVER_S or more where it is more than limit_s */
    double work, work_most;     /* links of the routes that were timed; beyond, nothing is timed any more; 0: no limit */
    uint32_t max_hops;          /* timed: an exchange over longer routes cannot be done; 0: no limit */
    double limit_s;             /* what takes longer is not timed exactly; 0: no limit */
    struct way_load load[WAYS_MOST];    /* timed: of the exchange being written */
    double to_come_s;           /* timed: this exchange and those behind it take no less; 0: not known */
    struct budget *budget;      /* timed: NULL, or asked at each exchange and now and then in it; borrowed */
    uint64_t sends;
    double lightpaths;          /* so far, about */
    struct times times;         /* timed: of the exchange being written */
    uint64_t pair_blocks;       /* of an all-to-all: blocks for each pair of nodes, … */
    double pairs_s;             /* … and how long all of them take at least */
    rwa_op op;                  /* of the exchanges to come; program_reverse() sets another for those written */
    bool at_once;               /* whether these must happen in one step */
    struct exchange now;        /* the exchange being written */
    double again_s, again_work, last_lightpaths;    /* timed: of the exchange before, once more: its time, and what timing that takes */
    struct routed routed;       /* timed: scratch */
    struct timings timings;     /* timed: of exchanges before */
    struct exchange *step;      /* written: the exchanges so far */
    size_t steps, capacity;
    rwa_error *err;
};

void program_free(struct program *p);
/** Time what follows by itself, up to a limit; 0: none. */
void program_restart(struct program *p, double limit_s);
/** Whether a timed program takes longer than its limit, or more work; it is NEVER_S then, and nothing more needs to be sent. */
bool program_gives_up(struct program *p);
/** Links of a shortest route between two participants. */
uint32_t program_hops(const struct program *p, uint32_t src, uint32_t dst);
/** So many transfers of so many blocks each from src to dst. */
void way_load_add(struct way_load load[WAYS_MOST], const struct program *p, uint32_t src, uint32_t dst, double times, double blocks);
/** Transfers of so many blocks each that load the ways so take no less. */
double way_load_least_s(const struct way_load load[WAYS_MOST], const struct program *p, uint64_t blocks);
/** How long their blocks take at least. */
double way_load_s(const struct way_load load[WAYS_MOST], const struct program *p);
/** Participant src sends all blocks of the set to dst in the exchange being written.  Nothing where the set is empty.  RWA_NOMEM */
rwa_status program_send(struct program *p, uint32_t src, uint32_t dst, const struct block_set *set);
/** The exchange is complete; an empty one is left out.  RWA_NOMEM */
rwa_status program_end_exchange(struct program *p);
/** Timed: the exchange that ended last, once more.  RWA_CANCELLED */
rwa_status program_repeat(struct program *p);
/** Run what was written since exchange `from` backwards: last exchange first, each transfer the other way, with this operation. */
void program_reverse(struct program *p, size_t from, rwa_op op);
