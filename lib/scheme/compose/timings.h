/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Exchanges that were timed: a search meets most of them several times. */
#pragma once

#include "delivery/exchange.h"

/** The time of an exchange, and the counts that it follows from. */
struct timing {
    uint64_t key[2];            /* of its transfers, in their order, and their prices; {0, 0}: a free slot */
    double time_s, work, lightpaths;
    uint64_t steps;
};

/** A hash table with open addressing; zeros are an empty one. */
struct timings {
    struct timing *slot;
    size_t slots, count;        /* slots: 0, or a power of two, at least twice the count */
};

void timings_free(struct timings *t);

/** The key of an exchange at these prices: two exchanges with one key differ with a chance of about 2^-128. */
void timing_set_key(struct timing *timing, const struct exchange *e, double step_s, double block_s);

/** Fill in what is known for the key.  @return false: nothing */
bool timings_find(const struct timings *t, struct timing *timing);

/** The key is new.  Where there are very many, it is not kept.  RWA_NOMEM */
rwa_status timings_keep(struct timings *t, const struct timing *timing, rwa_error *err);
