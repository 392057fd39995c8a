/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Programs: the exchanges of a collective, one after the other, and the sets of blocks they move.  A program is written
 * down, or only timed: sets then know how many blocks they hold, not which.
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

/** Of what an exchange takes. */
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
    /* all nodes do the same, moved by translations, so that only what node 0 sends counts; a phase in which they do
     * not makes it false, and a timed program ends */
    bool alike;
    /* what follows is of a timed program */
    bool timed;                 /* only timed, not written */
    struct prices prices;
    double time_s;              /* so far; INFINITY where it is limit_s or more, or cannot be done */
    double limit_s;             /* what takes as long is not timed exactly */
    double work, work_most;     /* links of the routes that were timed; beyond, nothing is timed any more */
    uint32_t max_hops;          /* an exchange over longer routes cannot be done; 0: no limit */
    double lightpaths;          /* so far, about */
    double again_s, again_lightpaths;   /* the exchange before, once more */
    struct budget *budget;      /* NULL, or asked at each exchange and now and then in it; borrowed */
    uint64_t sends;
    struct routed routed;       /* scratch */
    rwa_error *err;
};

void program_free(struct program *p);
/** Time what follows by itself, up to a limit. */
void program_restart(struct program *p, double limit_s);
/** Whether a timed program takes as long as its limit, or more work; its time is INFINITY then, and nothing more needs
 * to be sent. */
bool program_gives_up(struct program *p);
/** Whether what a node sends is to be sent. */
static inline bool program_lists(const struct program *p, uint32_t src)
{
    return !p->alike || src == 0;
}
/** Node src sends all blocks of the set to dst in the exchange being written; of pairs, those from the set to the other
 *  set. Nothing where a set is empty.  RWA_NOMEM; RWA_CANCELLED */
rwa_status program_send(struct program *p, uint32_t src, uint32_t dst, const struct block_set *set,
                        const struct block_set *to);
/** The exchange is complete; an empty one is left out.  RWA_NOMEM; RWA_CANCELLED */
rwa_status program_end_exchange(struct program *p);
/** … whose blocks are added up, at_once: where what is received must not be sent on, in one step. */
rwa_status program_end_sums(struct program *p, bool at_once);
/** Timed: the exchange that ended last, once more.  RWA_CANCELLED */
rwa_status program_repeat(struct program *p);
/** Run what was written since exchange `from` backwards: last exchange first, each transfer the other way, with this
 * operation. */
void program_reverse(struct program *p, size_t from, rwa_op op);
