/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Programs of schedules by every scheme. */
#ifndef SUPPORT_PROGRAMS_H
#define SUPPORT_PROGRAMS_H

#include "tests/support/request.h"

/** A program to make; one of more chunks is not for the test. */
struct program {
    const char *format, *path;
    const char *refusals[2];        /* words of the errors that are allowed */
    uint64_t chunks_most;
};

/** Whether there is a plan and a program of it. */
static inline bool program_make(const struct program *p, struct request r)
{
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    if (request_plan(&plan, &r, NULL) != RWA_OK || !rwa_plan_schedule(plan))
        return false;
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    rwa_status st = rwa_schedule_export(sched, p->format, p->path, NULL, &err);
    if (rwa_schedule_receivers(sched) == 1)
        CU_ASSERT(st == RWA_OK || strstr(err.text, p->refusals[0]) || strstr(err.text, p->refusals[1]));
    return st == RWA_OK && rwa_schedule_collective(sched)->blocks <= p->chunks_most;
}

/** All-gathers and all-reduces of 64 KiB by every scheme that fits a network; how many were tried. */
static inline int programs_of_every_scheme(const char *network, bool (*try)(struct request r))
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE};
    int tried = 0;
    for (size_t i = 0; rwa_scheme_name(i); i++)
        for (size_t k = 0; k < COUNT(kinds); k++)
            if (rwa_scheme_fits(i, network_on("%s", network), kinds[k]))
                tried += try(request_of("%s bytes=65536 %s by %s", network, rwa_collective_name(kinds[k]),
                                        rwa_scheme_name(i)));
    return tried;
}

#endif
