/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all on a network that looks the same from every node: one route for all demands that are shifts of each other. */
#ifndef ASSIGN_ORBITS_H
#define ASSIGN_ORBITS_H

#include "assign/assign.h"
#include "routing/shifts.h"

/**
 * The demands fall into orbits under the shifts of `outer`.  A class is a set of routes, for one demand of each of some
 * orbits, whose shifts by `inner`, a subgroup of it, meet on no link: all those shifts can have one wave.  Then the
 * shifts by the other elements of `outer` serve the whole orbits on as many waves as `inner` has cosets in it.  The links
 * fall into lanes under `inner`, and routes belong in one class when they share no lane: so the orbits are the demands,
 * the lanes the links, and the classes the waves of a smaller problem of the same form.
 */
struct orbits {
    struct job *job;
    const struct translations *shifts;
    const struct subgroup *outer, *inner;
    const uint32_t *demand_at;  /* of src * nodes + dst; undirected: of both orders */
    uint32_t *turn;             /* turns elements of outer, one of each coset of inner */
    uint32_t turns;
    uint32_t *lane;             /* of each link */
    uint32_t lanes;
    uint32_t *leader;           /* of each orbit: its first demand */
    uint32_t count;
    struct paths paths;         /* route r of the cand: the arcs of the leader's lightpath, shifted by an element of turn */
    size_t *route, *segment;
    uint32_t *link;             /* the lanes of the paths */
    struct candidates cand;
    struct arena arena;
};

/**
 * Routes are samples of the shortest ones; `samples` of each orbit, and each in every turn.  `orbits` has its first five
 * members set and else zeros; free it also after a failure.
 * @param[out] fits  false: some orbit has no route whose lanes differ, or `inner` turns a link round
 */
rwa_status orbits_create(struct orbits *orbits, bool *fits, uint32_t samples, rwa_error *err);
void orbits_free(struct orbits *orbits);
/** Every demand's route and wave from a class for every orbit, as job->known. */
rwa_status orbits_unfold(const struct orbits *orbits, const struct placement *classes, rwa_error *err);

#endif
