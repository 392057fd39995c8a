/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Programs: the exchanges of a collective, one after the other, and the sets of blocks they move.  A program is either
 * written, or only timed: block sets then have only a size.
 */
#pragma once

#include "delivery/exchange_load.h"

/** Blocks as runs, in the order in which they were added; no runs where a program is only timed. */
struct block_set {
    rwa_run *run;
    size_t runs, capacity;
    uint64_t count;
};

void block_set_free(struct block_set *set);
void block_set_clear(struct block_set *set);
/** A run that continues the last one extends it.  RWA_NOMEM */
rwa_status block_set_add(struct block_set *set, rwa_run run, rwa_error *err);
/** All blocks of another set, none of which is in this one.  RWA_NOMEM */
rwa_status block_set_join(struct block_set *set, const struct block_set *other, rwa_error *err);

/** Cost of an exchange. */
struct prices {
    double step_s, block_s;     /* of a step, and of a part of a block */
    double kept_s;              /* of a step with the lightpaths of the step before */
};

struct program {
    const struct distances *distances;
    uint64_t row;               /* of pairs: blocks of one source */
    struct exchange now;        /* the exchange being written */
    struct exchange *step;      /* written: the exchanges so far */
    size_t steps, capacity;
    /* all nodes do the same up to translation, so only the transfers of node 0 are timed; a phase that breaks this sets
     * it to false, and a timed program ends */
    bool alike;
    /* what follows is of a timed program */
    bool timed;                 /* only timed, not written */
    struct prices prices;
    double time_s;              /* so far; INFINITY where it is limit_s or more, or cannot be done */
    double limit_s;             /* programs that take this long are not timed further */
    double work, work_most;     /* links of the routes timed so far; beyond work_most nothing is timed */
    uint32_t max_hops;          /* an exchange over longer routes cannot be done; 0: no limit */
    double lightpaths;          /* so far, approximately */
    double again_s, again_lightpaths;   /* added if the previous exchange is repeated */
    struct budget *budget;      /* NULL, or polled at each exchange and now and then within it; borrowed */
    uint64_t sends;
    struct routed routed;       /* scratch */
    rwa_error *err;
};

void program_free(struct program *p);
/** Reset the time of a timed program, and set its limit. */
void program_restart(struct program *p, double limit_s);
/** Whether a timed program has reached its limit of time or work; its time is then INFINITY, and no further transfers
 * are needed. */
bool program_gives_up(struct program *p);
/** Whether the transfers of a node must be sent: false if node 0 represents it. */
static inline bool program_lists(const struct program *p, uint32_t src)
{
    return !p->alike || src == 0;
}
/** Node src sends all blocks of a set to dst in the current exchange; blocks of pairs: those from sources in the first
 *  set to destinations in the second.  Nothing if a set is empty.  RWA_NOMEM; RWA_CANCELLED */
rwa_status program_send(struct program *p, uint32_t src, uint32_t dst, const struct block_set *set,
                        const struct block_set *to);
/** The exchange is complete; an empty one is left out.  RWA_NOMEM; RWA_CANCELLED */
rwa_status program_end_exchange(struct program *p);
/** The same for sums.  @param at_once  all transfers in one step, since received sums must not be sent on */
rwa_status program_end_sums(struct program *p, bool at_once);
/** Timed: repeat the last exchange.  RWA_CANCELLED */
rwa_status program_repeat(struct program *p);
/** Reverse in time the exchanges from `from` on: last exchange first, src and dst of each transfer swapped, with
 * operation `op`. */
void program_reverse(struct program *p, size_t from, rwa_op op);
