/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment: route candidates -> bound -> search -> answer. */
#pragma once

#include "rwa/assign.h"

#include "network/network.h"
#include "routing/flow.h"
#include "routing/k_shortest.h"
#include "routing/odd_cuts.h"
#include "routing/path_tree.h"
#include "routing/protection.h"
#include "solvers/improve.h"
#include "solvers/spectrum.h"

/** A solver of the table: a search, or one greedy pass by a rule. */
struct method {
    const char *name, *summary;
    enum { METHOD_SEARCH = 0, METHOD_EXACT, METHOD_GREEDY, METHOD_ILP, METHOD_SLOTS } kind;  /* slots: a greedy rule for
                                                                                                several slots */
    enum fit_rule rule;
    enum fit_order order;
};

/** The routes each demand may take.  Demands between the same nodes, by the same node, are of one kind and share
 *  them. */
struct route_sets {
    struct paths paths;
    size_t *first;          /* of kind k: paths first[k] … first[k + 1] - 1 */
    uint32_t *kind_of;      /* of each demand */
    size_t kinds;
    struct sorting *sorted;
    size_t *chosen;         /* NULL, or the only path of each lightpath that has a route, by demand and copy */
    bool complete;          /* there are no other routes */
    bool unsure;            /* for some kind none was found, but there might be one */
};

/** The candidates of one search, and the demand that each belongs to. */
struct instance {
    struct candidates cand;
    struct spectrum spectrum;       /* of these: with spans and values where lightpaths take several slots */
    uint32_t *demand_of, *copy_of;  /* of each unit: a lightpath that has a route, by demand and copy */
    size_t *route, *segment, *hop;
    uint32_t *link, *arc;   /* of each hop */
    size_t *backup;         /* of each route its first segment that belongs to the backup; NULL without protection */
    struct channel *taken;
    uint32_t *fibers_of, *span;
    uint64_t *value;
    struct arena arena;     /* of all arrays above */
};

/** One static assignment under way. */
struct job {
    const rwa_network *net;
    const rwa_demands *demands;
    const rwa_assignment_options *opts;
    rwa_model model;
    const struct method *method;
    double began_s;
    struct budget budget;
    uint64_t work;          /* of assign_counted(); 0: time ends the work */
    uint64_t random;
    struct routing_graph graph;
    struct risks risks;
    struct traffic traffic; /* of the demands that have a route */
    struct flow *flow;
    struct route_sets sets;
    struct odd_cuts odd;    /* of a bound by odd cuts */
    struct odd_cuts parity; /* of one by the parity of nodes */
    rwa_certificate bound;  /* on wavelengths, or on lightpaths served when those are given; borrows from flow */
    bool fewest_left_out;   /* it is proven that no fewer lightpaths can be left out on the wavelengths given */
    uint32_t extra;         /* wavelengths beyond those given that would serve all; 0: not needed, or not known */

    struct instance instance;
    uint32_t *unroutable;         /* unroutable_count demands without any route, ascending */
    size_t unroutable_count;
    bool unroutable_unsure;       /* one of them might have a route after all */
    bool complete;          /* the offer has every route there is */
    rwa_certificate fixed;  /* with one route for every unit: what these routes need; its name is NULL otherwise */
    uint64_t *witness;      /* what that rests on: routes */
    bool balanced;          /* the first routes load the heaviest link least */
    struct placement best;

    struct paths symmetric;     /* found before the candidates: a route for every demand, */
    uint32_t *symmetric_channel;    /* and its channel */
    uint32_t symmetric_channels;   /* 0: none were found */
    uint32_t *symmetric_length; /* of each link: what a bound found with them rests on */

    uint32_t *cut;              /* of each link, several slots wide: what a bound by cuts rests on */
    uint32_t *fewest;       /* of each demand: slots on any route, in any format; NULL: as the demands ask */

    rwa_assignment_routing routing;
    const char *program;        /* of the solver "ilp", as in rwa_assignment_report */
    rwa_error *err;
};

/** assign.c: everything but what the caller gave. */
void job_free(struct job *job);
/** assign.c: all lightpaths on the fewest wavelengths, without reserved channels, failed links, nodes or hops that are
 *  ruled out, nodes to pass, converters or backups. */
bool job_is_plain(const struct job *job);
/** assign.c: whether the solver seeks proof by all means, not by the rule it is named after; over any routes. */
bool job_searches(const struct job *job);
bool job_searches_freely(const struct job *job);
bool job_has_equal_fibers(const struct job *job);
/** assign.c: from now on the method is first-fit over shortest routes, where a search has not begun but for its
 *  traffic. */
void job_first_fit(struct job *job);

/** routes.c: at most so many routes for each kind of demand, the shortest; only_all: give up (complete is false) as
 *  soon as a kind has more. */
rwa_status route_sets_find(struct route_sets *c, struct job *job, size_t most, bool only_all);
/** The routes of one demand, without kinds. */
rwa_status route_sets_of(struct route_sets *c, const struct job *job, size_t demand);
void route_sets_free(struct route_sets *c);

/** reach.c: leave out the routes from number `from` on that carry the rate of a lightpath in no format. */
rwa_status routes_keep_reaching(struct route_sets *c, size_t from, const struct job *job);
/**
 * reach.c: append a route from src to dst that carries the rate, when there is one.
 * @param[out] none  whether it is proven that there is none
 */
rwa_status routes_add_reaching(struct route_sets *c, const struct job *job, uint32_t src, uint32_t dst, bool *none);

/** reach.c: name the format of the route of a demand that was added last, along these arcs; nothing when none is asked
 *  for. */
rwa_status route_name_format(rwa_assignment *result, const struct job *job, size_t demand, const uint32_t *arc,
                             size_t hops);
/** reach.c: the slots of a lightpath follow from its rate and route: a transmission on a flexible grid. */
bool job_has_formats(const struct job *job);
/** reach.c: `fewest`, where formats decide.  RWA_BADARG: a demand that is given a width, or that no format carries. */
rwa_status job_fewest_slots(struct job *job);
/**
 * reach.c: the slots of a demand on a route: of its narrowest format that reaches; without formats as it asks.  More
 * than any fibre has: no format carries it there.
 */
rwa_status route_width(uint32_t *width, const struct job *job, size_t demand, const uint32_t *arc, size_t hops);
/** reach.c: wavelengths, or slots, that the band of the fibre profile holds; UINT32_MAX without a profile. */
uint32_t band_of(const rwa_network *net, const rwa_transmission *transmission);
/** reach.c: bit/s of a lightpath of a demand. */
double job_rate_bps(const struct job *job, size_t demand);

/** instance.c: the route sets as candidates of lightpaths; the instance stays where it is. */
rwa_status instance_create(struct instance *instance, const struct job *job, const struct route_sets *c);
void instance_free(struct instance *instance);

/** arcs.c: the direction of the shortest route on a ring or line; of antipodal pairs on a ring by turns. */
bool job_goes_ccw(const struct job *job, uint32_t src, uint32_t dst);

/** routes.c: the routes each demand may take, `bound`, and the instance. */
rwa_status job_routes(struct job *job);
/** bound.c: the lower bound. */
rwa_status job_bound(struct job *job);
/** bound.c: raise `bound` by odd cuts where they prove more, and offer the routes of their program, for searches that
 *  did not meet it. */
rwa_status job_odd_cuts(struct job *job);
/** bound.c: raise `bound`, of lengths, by one where the parity of nodes proves it. */
rwa_status job_parity(struct job *job, const struct traffic *traffic);
/** routes.c: offer the routes of `flow` once more, after odd cuts; the best placement stays. */
rwa_status job_more_routes(struct job *job);
/** routes.c: an instance of these sets, which have all routes of the present one; the best placement stays. */
rwa_status job_offer(struct job *job, const struct route_sets *c);
/** routes.c: the links of a path the other way, undirected. */
void job_turn_path(const struct job *job, uint32_t *arc, size_t hops);
/** min_load.c: the lightpaths of each kind that has routes; the caller frees the list. */
uint64_t *count_kinds(const struct job *job, const struct route_sets *c);
/** min_load.c: one route for each lightpath, so that the most loaded link is loaded least; may raise `bound`. */
rwa_status job_min_load(struct job *job, struct route_sets *c);
/** min_load.c: `fixed`, where every unit has one route only: what the load of a link or a clique proves of these. */
rwa_status job_fixed(struct job *job);
/** The traffic of all demands but those skipped (NULL: none). */
rwa_status job_traffic(struct traffic *traffic, const struct job *job, const bool *skip);
/** Whether failed links, forbidden channels or demands without a route bind it. */
bool job_has_limits(const struct job *job);
/** The certificate of integer lengths of the links; borrows them. */
rwa_certificate job_certificate(const struct job *job, const struct metric *metric);

/** symmetry.c: `symmetric` and `bound`, for all-to-all on networks with translations; else nothing. */
rwa_status job_symmetry(struct job *job);

/** search.c: the best placement: of all units on few channels, or of many units on the channels given. */
rwa_status job_search(struct job *job);

/**
 * exact.c: go through all there is, for all units on fewer channels or (goal->most) for more on so many; raises the
 * bounds when nothing better exists.  Units of one slot only where they and their routes are few.
 */
rwa_status job_branch_bound(struct job *job, const struct spectrum_goal *goal);
/** exact.c: the same by the link-path integer program, over the routes of the instance. */
rwa_status job_link_path(struct job *job, const struct spectrum_goal *goal, bool only_written);
/** search.c: no fewer wavelengths can be found over the routes of the instance. */
uint64_t job_least(const struct job *job);
/** exact.c: wavelengths that a number of channels takes. */
uint32_t wavelengths_of(const struct job *job, uint32_t channels);

/** reach.c: whether lightpaths take several slots, or a rule of those is asked for. */
bool job_is_wide(const struct job *job);
/** reach.c: the slots of a demand's lightpaths: of the signal, and with the guard. */
uint32_t job_width(const struct job *job, size_t demand);
uint32_t job_span(const struct job *job, size_t demand);
/** slots_bound.c: raise `bound` by what cuts prove (docs/reference/bounds.md). */
rwa_status job_bound_slots(struct job *job);
/** slots_bound.c: `bound`, the most that can be served, as lengths prove it. */
rwa_status job_bound_served(struct job *job, const struct metric *metric);

/** arcs.c: the whole answer for rings and lines without further options; *out stays NULL otherwise. */
rwa_status job_arcs(rwa_assignment **out, struct job *job);

/** torus.c: the whole answer for all-to-all on tori that have a closed form; *out stays NULL otherwise. */
rwa_status job_torus(rwa_assignment **out, struct job *job);

/** large.c: the whole answer for very many lightpaths without further options; *out stays NULL otherwise. */
rwa_status job_large(rwa_assignment **out, struct job *job);

/** answer.c: the placement as a result. */
rwa_status job_answer(rwa_assignment **out, const struct job *job);
/** answer.c: a result of the routes that `add` writes, with its proof, outcome, reasons and the checker's verdict. */
rwa_status job_write(rwa_assignment **out, const struct job *job, rwa_status (*add)(rwa_assignment *result, void *data),
                     void *data);
