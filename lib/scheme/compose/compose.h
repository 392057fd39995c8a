/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Compositions as whole collectives: write one, time one, or find the quickest. */
#pragma once

#include "scheme/compose/phases.h"
#include "scheme/scheme.h"

/** A collective on a network, as compositions see it. */
struct composing {
    const struct plan_request *request;
    struct distances distances;
    struct network_grid grid;   /* the dimensions may be rotated in so many ways; else 1 turn */
    uint32_t turns, common;     /* what divides the sizes of all dimensions */
    bool may_be_alike;          /* the network and the collective let all nodes do the same */
    uint64_t units;             /* blocks of which none is cut: one for each node, or for each pair in an all-to-all */
    rwa_error *err;
};

rwa_status composing_open(struct composing *c, const struct plan_request *request, rwa_error *err);
void composing_close(struct composing *c);

/** Whether a composition carries out the collective here: numbers divide, steps go round cycles … */
bool composition_suits(const struct composition *composition, const struct composing *c);
/** The participants by number, each holding its own block in `scale` parts; timed: only how many.  On a ring trees
 *  begin with the root in the middle.  Turned: a group for each rotation, with a share of the parts. */
rwa_status composing_parties(struct parties *out, const struct composing *c, bool turned, uint64_t scale, bool timed);
/** Write a composition, of blocks cut in so many parts each, as a program; or time it: `p` says which. */
rwa_status composition_write(struct program *p, const struct composition *composition, const struct composing *c,
                             uint64_t scale);

/** Whether all nodes do the same in a composition, moved by translations of the network.  RWA_NOMEM */
rwa_status composition_is_alike(bool *alike, const struct composition *composition, const struct composing *c);

struct found {
    struct composition composition;     /* no nodes: none */
    double time_s, lightpaths;
    uint64_t scale;             /* parts into which each block is cut */
    bool alike;                 /* composition_is_alike(): of the lightpaths, those of one node */
    struct composition other[PARAMETER_SETS - 1];   /* about as quick; no nodes: none */
};

/** The quickest composition by loads, with its best scale, or the best scale of the one that is given.  None where a
 *  node cannot reach another, or where none takes less than the request wants.  RWA_NOMEM; RWA_CANCELLED */
rwa_status compose_search(struct found *out, const struct composing *c, const struct composition *given);

/** No plan of a composition takes less than this, by its time. */
double compose_least_s(const struct plan_request *request, double time_s);
