/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random requests: the same ones for the same seed. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include "base/base.h"

#include "tests/support/request.h"

static uint64_t seed = 1;

static inline uint32_t any(uint64_t below)
{
    return (uint32_t)base_random_below(&seed, below);
}

/** So many different numbers below `below`, ascending. */
static inline void random_numbers(struct numbers *list, uint32_t count, uint32_t below)
{
    list->count = 0;
    for (uint32_t number = 0; list->count < count; number++)
        if (any(below - number) < count - list->count)
            list->at[list->count++] = number;
}

/** How many nodes take part. */
static inline uint32_t places_of(const struct request *r)
{
    return r->members.count > 0 ? (uint32_t)r->members.count : rwa_network_nodes(request_network(*r));
}

#endif
