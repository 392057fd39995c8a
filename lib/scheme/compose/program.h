/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Programs: the exchanges of a collective, one after the other, and the sets of blocks they move.  A program is either
 * written, or only timed: block sets then have only a size.
 */
#pragma once

#include "delivery/exchange_load.h"

/** A set of blocks, as runs in the order in which they were added.  In a program that is only timed there are no runs,
 * only the count. */
struct block_set {
    rwa_run *run;
    size_t runs;
    uint64_t count;
};

void block_set_free(struct block_set *set);
void block_set_clear(struct block_set *set);
/** Add a run of blocks.  It extends the last run if it continues that one.  RWA_NOMEM */
rwa_status block_set_add(struct block_set *set, rwa_run run, rwa_error *err);
/** Add all blocks of another set; the two sets must share no block.  RWA_NOMEM */
rwa_status block_set_join(struct block_set *set, const struct block_set *other, rwa_error *err);

struct program {
    const struct distances *distances;
    uint64_t row;               /* of pairs: blocks of one source */
    struct exchange now;        /* the exchange being written */
    struct exchange *step;      /* written: the exchanges so far */
    size_t steps;
    /* all nodes do the same up to translation, so only the transfers of node 0 are timed; a phase that breaks this sets
     * it to false, and a timed program ends */
    bool alike;
    /* what follows is of a timed program */
    bool timed;                 /* only timed, not written */
    double kept_s;              /* in place of routed.step_s, with the lightpaths of the step before */
    double time_s;              /* so far; INFINITY where it is limit_s or more, or cannot be done */
    double limit_s;             /* programs that take this long are not timed further */
    double work, work_most;     /* links of the routes timed so far; beyond work_most nothing is timed */
    uint32_t max_hops;          /* an exchange over longer routes cannot be done; 0: no limit */
    double lightpaths;          /* so far, approximately */
    double again_s, again_lightpaths;   /* added if the previous exchange is repeated */
    struct budget *budget;      /* NULL, or polled at each exchange and now and then within it; borrowed */
    uint64_t sends;
    struct routed routed;       /* scratch, with the price of steps; its blocks are parts of blocks */
    rwa_error *err;
};

void program_free(struct program *p);
/** Set the time of a timed program back to 0, and set its time limit, in seconds. */
void program_restart(struct program *p, double limit_s);
/** Tell whether a timed program has reached its limit of time or work.  If so, its time becomes INFINITY, and no
 * further transfers are needed. */
bool program_gives_up(struct program *p);
/** Tell whether transfers from node `src` must be added to the program: all, or only those from node 0 if it stands for
 * all nodes. */
static inline bool program_lists(const struct program *p, uint32_t src)
{
    return !p->alike || src == 0;
}
/** Add a transfer from src to dst to the current exchange.  If `to` is NULL, it moves the blocks in `set`.  Otherwise,
 * in an all-to-all, `set` lists sources and `to` destinations, and the blocks of all these pairs move.  With an empty
 * set nothing is added.  RWA_NOMEM; RWA_CANCELLED */
rwa_status program_send(struct program *p, uint32_t src, uint32_t dst, const struct block_set *set,
                        const struct block_set *to);
/** Complete the current exchange; an empty one is left out.  RWA_NOMEM; RWA_CANCELLED */
rwa_status program_end_exchange(struct program *p);
/** Complete the current exchange, whose receivers add the blocks that arrive to their own.
 * @param at_once put all transfers in one step, since received sums must not be sent on */
rwa_status program_end_sums(struct program *p, bool at_once);
/** Add the time of the last exchange once more, in a timed program.  RWA_CANCELLED */
rwa_status program_repeat(struct program *p);
/** Reverse in time the exchanges from `from` on: the last exchange comes first, src and dst of each transfer are
 * swapped, and all get the operation `op`. */
void program_reverse(struct program *p, size_t from, rwa_op op);
