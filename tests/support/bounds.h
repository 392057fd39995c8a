/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The bounds of a task in an array of the test. */
#ifndef TESTS_SUPPORT_BOUNDS_H
#define TESTS_SUPPORT_BOUNDS_H

#include "rwa.h"

enum { BOUNDS_ROOM = 32 };

/** @param list  BOUNDS_ROOM entries */
static inline rwa_status list_bounds(rwa_bound *list, size_t *count, const rwa_network *net, const rwa_collective *coll,
                                     const rwa_bound_options *opts)
{
    rwa_bounds *found = NULL;
    rwa_status st = rwa_bounds_make(&found, net, coll, opts, NULL);
    *count = 0;
    while (st == RWA_OK && *count < BOUNDS_ROOM && rwa_bounds_get(found, *count)) {
        list[*count] = *rwa_bounds_get(found, *count);
        ++*count;
    }
    rwa_bounds_free(found);
    return st;
}

#endif
