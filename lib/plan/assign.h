/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The line a demand set walks down: routes to choose from -> bound -> search -> answer. */
#ifndef PLAN_ASSIGN_H
#define PLAN_ASSIGN_H

#include "rwa/assign.h"

#include "routing/flow.h"
#include "solvers/improve.h"

/** One static assignment under way. */
struct job {
    const rwa_network *net;
    const rwa_demands *demands;
    const rwa_assign_options *opts;
    rwa_model model;
    double began_s;
    struct watch watch;
    uint64_t random;
    struct roads roads;
    struct traffic traffic; /* of the demands that have a route */
    struct flow *flow;
    rwa_certificate bound;  /* on wavelengths, or on lightpaths served when those are given; borrows from flow */
    uint32_t extra;         /* wavelengths beyond those given that would serve all; 0: not needed, or not known */

    /* Units: the lightpaths that have a route, by demand and copy. */
    struct menu menu;
    uint32_t *demand_of, *copy_of;
    uint32_t *dead;         /* dead_count demands without any route, ascending */
    size_t dead_count;
    size_t *route, *segment, *hop;
    uint32_t *link, *arc;   /* of each hop */
    size_t *backup;         /* of each route its first segment that belongs to the backup; NULL without protection */
    struct channel *taken;
    uint32_t *fibers_of;
    struct placement best;

    struct paths known;     /* found before the menu: a route for every demand, */
    uint32_t *known_wave;   /* and its wave */
    uint32_t known_waves;   /* 0: nothing is known */
    uint32_t *known_length; /* of each link: what a bound found with them rests on */

    const char *routing, *solver;
    bool greedy;            /* no search after the first placement */
    rwa_error *err;
};

/** assign_menu.c: the routes each demand may take, and the menu of them; then `bound` and the routes it suggests. */
rwa_status job_routes(struct job *job);

/** What integer lengths of the links prove; borrows them. */
rwa_certificate job_certificate(const struct job *job, const struct metric *metric);

/** assign_shifts.c: `known` and `bound`, for all-to-all on networks that look the same from every node; else nothing. */
rwa_status job_shifts(struct job *job);

/** assign_search.c: the best placement: of all units on few waves, or of many units on the waves given. */
rwa_status job_search(struct job *job);

/** assign_arcs.c: the whole answer for rings and lines when nothing else is asked; *out stays NULL otherwise. */
rwa_status job_arcs(rwa_assign_result **out, struct job *job);

/** assign_answer.c: the placement as a result. */
rwa_status job_answer(rwa_assign_result **out, const struct job *job);
/** What is said of a result whose routes and bound are in it: outcome, reasons, the checker's verdict. */
rwa_status job_conclude(rwa_assign_result *result, const struct job *job);

#endif
