/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Compositions as whole collectives: write one, time one, or find the quickest. */
#pragma once

#include "scheme/compose/orders.h"
#include "scheme/compose/phases.h"
#include "scheme/scheme.h"

/** A collective on a network, as compositions see it. */
struct composing {
    const struct plan_request *request;
    struct distances distances;
    uint32_t *order[ORDER_KINDS][TURNS_MOST]; /* of the participants; NULL: there is none.  On a ring trees begin with the root in the
                                                 middle */
    size_t root[ORDER_KINDS][TURNS_MOST];     /* its place in each order */
    uint32_t turns;
    uint64_t units;             /* blocks of which none is cut: one for each node, or for each pair in an all-to-all */
    rwa_error *err;
};

rwa_status composing_open(struct composing *c, const struct plan_request *request, rwa_error *err);
void composing_close(struct composing *c);

/** Whether a composition carries out the collective here: numbers divide, steps go round cycles … */
bool composition_suits(const struct composition *composition, const struct composing *c);
/** The participants in the order of the composition, each holding its own block in `scale` parts; timed: only how many.  Rotated: a
 *  group for each rotation, with a share of the parts. */
rwa_status composing_parties(struct parties *out, const struct composing *c, const struct composition *composition, uint64_t scale,
                             bool timed);
/** Write a composition, of blocks cut in so many parts each, as a program; or time it: `p` says which. */
rwa_status composition_write(struct program *p, const struct composition *composition, const struct composing *c, uint64_t scale);

/** Result of the search: at most so many. */
enum { FOUND_MOST = PARAMETER_SETS };

struct found {
    struct composition composition;
    double time_s, lightpaths;
    uint64_t scale;             /* parts into which each block is cut */
};

/** The quickest compositions by loads, quickest first, all with the best scale of the first; or that of a term, where `given` is one.
 *  None where a node cannot reach another.  RWA_NOMEM; RWA_CANCELLED */
rwa_status compose_search(struct found out[FOUND_MOST], size_t *count, const struct composing *c,
                          const struct composition *given);

/** No plan of a composition takes less than this, by its time. */
double compose_least_s(const struct plan_request *request, double time_s);
