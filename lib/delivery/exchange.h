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
    size_t count;
    uint32_t *src, *dst;        /* of each transfer */
    uint64_t *blocks;           /* that each carries */
    /* runs of transfer i: run[first[i]] … run[first[i + 1] - 1]; none if blocks are only counted */
    size_t *first;
    rwa_run *run;
    size_t runs;
    rwa_op op;                  /* of all */
    const uint8_t *ops;         /* NULL, or an rwa_op for each; borrowed */
    bool one_block;             /* one block on a lightpath */
    bool at_once;               /* all in one step, since receiving changes what a node would send */
    bool alike;                 /* each transfer stands for all its translations on the network */
};

void exchange_free(struct exchange *e);
/** Remove all transfers, but keep the allocated memory for the next ones. */
void exchange_clear(struct exchange *e);

/** Append a transfer of `blocks` blocks; src != dst, blocks > 0.  Its runs, if any, are added afterwards.  RWA_NOMEM */
rwa_status exchange_add(struct exchange *e, uint32_t src, uint32_t dst, uint64_t blocks, rwa_error *err);
/** Add a run (equally spaced blocks) to the last transfer of e, whose other runs must not have any of these blocks.  A
 * run that continues the one before extends it.  RWA_NOMEM */
rwa_status exchange_run(struct exchange *e, rwa_run run, rwa_error *err);

/** List in out[] `count` blocks of transfer i as runs, in the order of the transfer's own runs.  The first `from`
 * blocks of the transfer are skipped.
 * @param out at least as many entries as the transfer has runs
 * @return number of runs in out[] */
uint32_t exchange_slice(rwa_run *out, const struct exchange *e, size_t i, uint64_t from, uint64_t count);

/** In debug builds, assert that src and dst differ, and that the runs of each transfer add up to its blocks. */
#ifdef NDEBUG
#define exchange_check(e) ((void)0)
#else
void exchange_check(const struct exchange *e);
#endif

/** Extend `run` by `next` if `next` continues it with the same stride.  Returns whether it was extended. */
bool run_extend(rwa_run *run, const rwa_run *next);
/** Add `next` to an array run[] of `runs` runs: extend the last one if `next` continues it, else append `next`, for
 * which the array must have space.  Returns the new number of runs. */
uint32_t run_append(rwa_run *run, uint32_t runs, rwa_run next);
