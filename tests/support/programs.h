/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Programs of schedules by every scheme. */
#pragma once

#include "tests/support/random.h"

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

/* ---- machines that carry programs out ---- */

enum { GPUS_MOST = 36 };

/** How often the contribution of each node is in a chunk. */
typedef unsigned char chunk[GPUS_MOST];

/** What a node has of a chunk in the beginning; without sums one node has it. */
static inline bool has_at_first(int node, int c, int nodes, int chunks, bool sums)
{
    return sums || node == c * nodes / chunks;
}

/** Every chunk of a node has what the collective puts there, once. */
static inline bool is_complete(chunk *list, int nodes, int chunks, bool sums)
{
    bool right = true;
    for (int c = 0; c < chunks; c++)
        for (int i = 0; i < nodes; i++)
            right = right && list[c][i] == has_at_first(i, c, nodes, chunks, sums);
    return right;
}

/** Nodes take turns until nothing moves: from the first on or from the last, each as far as it can; or drawn at random,
 *  a step at a time.  `run` says whether a thread block could move. */
static inline void run_in_order(int order, int nodes, int (*blocks)(int node), bool (*run)(int node, int block))
{
    for (bool moved = true; moved;) {
        moved = false;
        for (int turn = 0; turn < nodes; turn++) {
            int g = order == 0 ? turn : order == 1 ? nodes - 1 - turn : (int)any((uint64_t)nodes);
            for (int k = 0; k < blocks(g); k++)
                while (run(g, order == 1 ? blocks(g) - 1 - k : k)) {
                    moved = true;
                    if (order > 1)
                        break;
                }
        }
        for (int g = 0; order > 1 && !moved && g < nodes; g++)  /* the draw missed those that can move */
            for (int k = 0; k < blocks(g); k++)
                moved = run(g, k) || moved;
    }
}
