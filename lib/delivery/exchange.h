/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * An exchange: aggregated transfers, each of any number of blocks, that may all happen in the same step.  The planner
 * gives every transfer as many parallel lightpaths as the channels allow, so that the step is as short as can be, or
 * spreads the exchange over several steps where there are more transfers than channels.
 */
#pragma once

#include "base/base.h"
#include "rwa/schedule.h"

struct exchange {
    size_t count, capacity;
    uint32_t *src, *dst;        /* of each transfer */
    uint64_t *blocks;           /* that each carries */
    /* its runs: run[first[i]] … run[first[i + 1] - 1]; none where only the blocks are counted */
    size_t *first;
    rwa_run *run;
    size_t runs, run_capacity;
    rwa_op op;                  /* of all */
    const uint8_t *ops;         /* NULL, or an rwa_op for each; borrowed */
    bool one_block;             /* each block on a lightpath of its own */
    bool at_once;               /* all in one step: what some receive changes what they send */
    bool alike;                 /* each transfer stands for all that translations of the network make of it */
};

void exchange_free(struct exchange *e);
/** No transfers; what was allocated stays for the next ones. */
void exchange_clear(struct exchange *e);

/** Append a transfer of so many blocks; src != dst, blocks > 0.  Its runs, if any, follow.  RWA_NOMEM */
rwa_status exchange_add(struct exchange *e, uint32_t src, uint32_t dst, uint64_t blocks, rwa_error *err);
/** A run of the last transfer, of blocks that it does not carry yet; one that continues the last run extends that.
 * RWA_NOMEM */
rwa_status exchange_run(struct exchange *e, rwa_run run, rwa_error *err);

/** Blocks from … from + count - 1 of transfer i, counted in the order of its runs, as runs; out: room for as many as
 *  the transfer has.  How many. */
uint32_t exchange_slice(rwa_run *out, const struct exchange *e, size_t i, uint64_t from, uint64_t count);

/** Debug builds: ends differ, and the runs of each transfer hold as many blocks as it says. */
#ifdef NDEBUG
#define exchange_check(e) ((void)0)
#else
void exchange_check(const struct exchange *e);
#endif

/** Blocks from … of a run, at most `most` > 0 of them; from < run->count. */
rwa_run run_part(const rwa_run *run, uint32_t from, uint64_t most);
/** Let `run` go on with `next`, where that starts at its end with the same stride: whether it does. */
bool run_extend(rwa_run *run, const rwa_run *next);
/** Let the last of a list of `runs` runs go on with `next`, or add it behind them, where there must be room.  Runs
 * afterwards. */
uint32_t run_append(rwa_run *run, uint32_t runs, rwa_run next);
