/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Compositions (terms with subterms) that carry out whole collectives: write one, time one, or find the quickest. */
#pragma once

#include "scheme/compose/phases.h"
#include "scheme/scheme.h"

/** A collective on a network, as compositions see it. */
struct composing {
    const struct plan_request *request;
    struct distances distances;
    struct network_grid grid;
    uint32_t turns, common;     /* rotations of the grid's dimensions, else 1; common divisor of their sizes */
    bool may_be_alike;          /* network and collective allow all nodes to do the same */
    /* blocks of which none is cut: one for each node, for each pair in an all-to-all, or for each root in an all-reduce
     * (composing_divide()) */
    uint64_t units;
    rwa_error *err;
};

rwa_status composing_open(struct composing *c, const struct plan_request *request, rwa_error *err);
void composing_close(struct composing *c);

/** Divide the message of an all-reduce into as many blocks as the composition has roots, if it begins with the phase
 * `roots`.  Returns whether it does. */
bool composing_divide(struct composing *c, const struct composition *composition);

/** Tell whether a composition carries out the collective on this network: its phases must suit the collective, and some
 * of its numbers must divide the number of nodes. */
bool composition_suits(const struct composition *composition, const struct composing *c);
/** List the participants in `out` as compositions number them.  Each, or the first in the segment of each root, has its
 * own block in `scale` parts; if `timed`, only the number of the parts is set, without a list of them.  On a ring, the
 * root of a collective is the middle participant.  If `turned`, there is a group of all participants for each rotation
 * of a grid's dimensions, and each group moves an equal share of the parts; otherwise there is one group.  RWA_NOMEM;
 * parties_free() in any case. */
rwa_status composing_parties(struct parties *out, const struct composing *c, bool turned, uint64_t scale, bool timed);
/** Write a composition as a program, with each block cut into `scale` parts; if p->timed, only compute its time. */
rwa_status composition_write(struct program *p, const struct composition *composition, const struct composing *c,
                             uint64_t scale);

/** Set *alike to whether the transfers from every node in a composition are translations of those from node 0.
 * RWA_NOMEM */
rwa_status composition_is_alike(bool *alike, const struct composition *composition, const struct composing *c);

struct found {
    struct composition composition;     /* no nodes: none */
    double time_s, lightpaths;
    double least_s;             /* lower bound on the time of its plan */
    uint64_t scale;             /* parts into which each block is cut */
    bool alike;                 /* composition_is_alike(): only the lightpaths of one node count */
    struct composition other[PARAMETER_SETS - 1];   /* about as quick; no nodes: none */
};

/** Find the quickest composition, and the number of parts of a block with which it is quickest, according to the loads
 * on the links.  out->composition.nodes is 0 if a node cannot reach another, or if no composition is quick enough for
 * c->request->below_s.  If `given` is not NULL, only find the number of parts for that composition, however slow it
 * is.  RWA_NOMEM; RWA_CANCELLED */
rwa_status compose_search(struct found *out, const struct composing *c, const struct composition *given);
