/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all on a network with translations: one route for all demands that are translations of each other. */
#pragma once

#include "assign/assign.h"
#include "network/translations.h"

/** Demands that translations of the group `outer` map to each other form an orbit.  A class is a set of routes, each
 *  for one demand of an orbit, such that the routes and all their translations by `inner`, a subgroup of `outer`, share
 *  no link: all these can have one channel.  The other translations of `outer` serve the rest of these orbits, on as
 *  many channels as `inner` has cosets in `outer`.  Links that `inner` maps to each other form a link orbit, and routes
 *  can be in one class if they share no link orbit.  So there is a smaller problem of the same form: its demands are
 *  the orbits, its links the link orbits, and its channels the classes. */
struct orbits {
    struct job *job;
    const struct translations *group;
    const struct subgroup *outer, *inner;
    const uint32_t *demand_at;  /* of src * nodes + dst; undirected: of both orders */
    uint32_t *moved;            /* moved[arc * nodes + by]: 1 more than the arc that a translation makes of it; 0: not
                                   asked for yet */
    uint32_t *representative;   /* an element of outer from each coset of inner */
    uint32_t cosets;            /* of inner in outer */
    uint32_t *link_orbit;       /* of each link */
    uint32_t link_orbits;
    uint32_t *leader;           /* of each orbit: its first demand */
    uint32_t count;
    struct paths paths;         /* route r of the cand: the arcs of the leader's lightpath, moved by a representative */
    size_t *route, *segment;
    uint32_t *link;             /* the link orbits of the paths */
    struct candidates cand;
    struct arena arena;
};

/**
 * Build the smaller problem, of orbits of demands and of links.  Its candidate routes are `samples` random shortest
 * routes of the first demand of each orbit, translated by one element of each coset of `inner`.  The caller sets the
 * first six members of `orbits` and zeros the others, and frees it also after a failure.
 * @param[out] fits  false: every sampled route of some orbit passes a link orbit twice, or `inner` reverses a link
 */
rwa_status orbits_create(struct orbits *orbits, bool *fits, uint32_t samples, rwa_error *err);
void orbits_free(struct orbits *orbits);
/** Translate an answer of the smaller problem, the route and class of each orbit, to all demands: their routes go to
 *  orbits->job->symmetric, their channels to orbits->job->symmetric_channel. */
rwa_status orbits_unfold(const struct orbits *orbits, const struct placement *classes, rwa_error *err);
