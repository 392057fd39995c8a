/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Programs of schedules by every scheme. */
#ifndef TESTS_SUPPORT_PROGRAMS_H
#define TESTS_SUPPORT_PROGRAMS_H

#include "tests/support/plans.h"

#include <stdbool.h>

/** A program to make: of a collective of 64 KiB in so many blocks (0: the usual number), planned by a scheme with so
 *  many on a lightpath. */
struct program {
    const char *format, *path;
    const char *refusals[2];        /* words of the errors that are allowed */
    uint64_t blocks, chunks_most;   /* programs of more chunks are not for the test */
    uint32_t merged;
};

/** Whether there is a plan and a program of it. */
static inline bool program_make(const struct program *p, const rwa_network *net, rwa_collective_kind kind,
                                const char *scheme)
{
    rwa_collective coll;
    rwa_plan_options opts = options_of(scheme);
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    bool fits = false;
    opts.lightpath_blocks = p->merged;
    if (rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, 1 << 16, p->blocks, NULL) == RWA_OK &&
        rwa_plan_make(&plan, net, &coll, &opts, NULL) == RWA_OK && rwa_plan_schedule(plan)) {
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        rwa_status st = rwa_schedule_export(sched, p->format, p->path, NULL, &err);
        if (rwa_schedule_receivers(sched) == 1)
            CU_ASSERT(st == RWA_OK || strstr(err.text, p->refusals[0]) || strstr(err.text, p->refusals[1]));
        fits = st == RWA_OK && rwa_schedule_collective(sched)->blocks <= p->chunks_most;
    }
    rwa_plan_free(plan);
    return fits;
}

/** All-gathers and all-reduces by every scheme that fits a network; how many were tried. */
static inline int programs_of_every_scheme(const char *spec, uint32_t wavelengths,
                                           bool (*try)(const rwa_network *net, rwa_collective_kind kind,
                                                       const char *scheme))
{
    rwa_network *net = network_of(spec, wavelengths);
    int tried = 0;
    for (size_t i = 0; rwa_scheme_name(i); i++) {
        if (rwa_scheme_fits(i, net, RWA_ALL_GATHER))
            tried += try(net, RWA_ALL_GATHER, rwa_scheme_name(i));
        if (rwa_scheme_fits(i, net, RWA_ALL_REDUCE))
            tried += try(net, RWA_ALL_REDUCE, rwa_scheme_name(i));
    }
    rwa_network_free(net);
    return tried;
}

#endif
