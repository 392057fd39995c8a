/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A problem of fixed paths as candidates: each demand has one route of one segment. */
#pragma once

#include "solvers/spectrum.h"
#include "solvers/solver.h"

struct single {
    size_t *index;      /* 0, 1, 2, …: a route per demand, a segment per route */
    size_t *hop;
    uint32_t *link;
    struct candidates cand;
    struct spectrum spectrum;
    struct placement best;  /* the best colouring so far */
    struct arena arena;
};

/** `single` starts as zeros; free it also after a failure.  `best` is the colouring of `run`, if it has one. */
rwa_status single_create(struct single *single, const struct solve *run);
void single_free(struct single *single);
/** Most links of all paths together; larger problems skip the searches on candidates. */
enum { SINGLE_MOST_HOPS = 10000000 };
double single_hops(const struct solve *run);
