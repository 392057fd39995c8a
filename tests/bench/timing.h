/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the measuring programs share: clocks, and calls of the library that must work. */
#pragma once

#include "rwa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static rwa_error err;

static inline double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void demand(rwa_status st)
{
    if (st == RWA_OK)
        return;
    fprintf(stderr, "bench: %s\n", err.text[0] ? err.text : rwa_status_text(st));
    exit(1);
}
