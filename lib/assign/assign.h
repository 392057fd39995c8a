/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment: route candidates -> bound -> search -> answer. */
#pragma once

#include "rwa/assign.h"

#include "fiber/fiber.h"
#include "network/network.h"
#include "routing/flow.h"
#include "routing/k_shortest.h"
#include "routing/least_load.h"
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

/** The candidate routes of all demands.  Demands with the same ends and the same node to pass are one kind and share
 *  their routes. */
struct route_sets {
    struct paths paths;
    size_t *first;          /* of kind k: paths first[k] … first[k + 1] - 1 */
    uint32_t *kind_of;      /* of each demand */
    size_t kinds;
    struct sorting *sorted;
    size_t *chosen;         /* NULL, or the only path of each lightpath that has a route, by demand and copy */
    bool complete;          /* no demand has any other route */
    bool unsure;            /* for some kind no route was found, though one may exist */
};

/** The candidates of one search, and the demand that each belongs to. */
struct instance {
    struct candidates cand;
    struct spectrum spectrum;       /* of these: with spans and values where lightpaths take several slots */
    uint32_t *demand_of, *copy_of;  /* of each unit (a lightpath that has a route): its demand, and which copy of
                                       that demand it is */
    size_t *route, *segment, *hop;
    uint32_t *link, *arc;   /* of each hop */
    size_t *backup;         /* of each route: its first segment that belongs to the backup; NULL without protection */
    struct channel *taken;
    uint32_t *span;
    uint64_t *value;
    struct arena arena;     /* of all arrays above */
};

/** One static assignment under way. */
struct job {
    const rwa_network *net;
    const rwa_demands *demands;
    const rwa_demand *list; /* of the demands: count entries */
    size_t count;
    const rwa_assignment_options *opts;
    rwa_model model;
    const struct method *method;
    double began_s, search_s;   /* when it began; how long the solver took, 0 before */
    struct budget budget;
    uint64_t work;          /* work limit of assign_counted(); 0: time ends the work */
    uint64_t random;
    struct routing_graph graph;
    struct risks risks;
    struct traffic traffic; /* of the demands that have a route */
    struct flow *flow;
    struct route_sets sets;
    struct odd_cuts odd;    /* sets and lengths of a bound by odd cuts */
    struct odd_cuts parity; /* sets and lengths of a bound by the parity of nodes */
    rwa_certificate bound;  /* on wavelengths, or on the lightpaths served when wavelengths are given; borrows from
                               flow */
    bool fewest_left_out;   /* proven: on the wavelengths given, no assignment leaves out fewer lightpaths */
    uint32_t extra;         /* wavelengths beyond those given with which all are served; 0: none needed, or not known */

    struct instance instance;
    bool *has_no_route;           /* of each demand */
    uint32_t *unroutable;         /* unroutable_count demands without any route, ascending */
    size_t unroutable_count;
    bool unroutable_unsure;       /* some demand of `unroutable` may have a route after all */
    bool complete;          /* the instance offers every route that exists */
    rwa_certificate fixed;  /* a bound for the candidate routes, proven by these or by a search; name NULL: none */
    uint64_t *witness;      /* the witness of `fixed`: numbers of routes */
    struct placement best;

    struct paths symmetric;     /* a route for every demand, found by job_symmetry() before the candidates */
    uint32_t *symmetric_channel;    /* of each route of `symmetric` */
    uint32_t symmetric_channels;   /* channels that `symmetric` uses; 0: no such routes were found */
    uint32_t *symmetric_length; /* of each link: the witness of the bound found with `symmetric` */

    uint32_t *cut;              /* of each link, where lightpaths take several slots: the witness of a bound by cuts */
    uint32_t *fewest;       /* of each demand: its fewest slots on any route, in any format; NULL: the slots that the
                               demand asks for */

    rwa_assignment_routing routing;
    const char *program;        /* of the solver "ilp", as in rwa_assignment_report */
    rwa_error *err;
};

/** On a ring or line with more lightpaths than these a search would take too long, even where the wavelengths given do
 *  not suffice. */
enum { MANY_ARCS = 20000 };

/** assign.c: free what the job owns: all but the network, demands, options and err. */
void job_free(struct job *job);
/** assign.c: whether the job asks for the fewest wavelengths and for nothing else: no lightpaths of several slots,
 *  fibre profile, reserved channels, failed links, hop limit, forbidden nodes, nodes to pass, converters or backups. */
bool job_is_plain(const struct job *job);
/** Whether the solver searches until its answer is proven optimal; false: it makes one greedy pass or solves an integer
 *  program.  job_searches_freely(): it searches, and routing is automatic. */
bool job_searches(const struct job *job);
bool job_searches_freely(const struct job *job);
bool job_has_equal_fibers(const struct job *job);
/** assign.c: switch the job to the solver first-fit over shortest routes, and free its traffic.  Call it before
 *  candidate routes are searched for. */
void job_first_fit(struct job *job);

/** routes.c: store in *c the shortest routes for each kind of demand (demands with equal ends and node to pass), at
 *  most `most` for each kind (0: as many as the job asks for).  only_all: give up as soon as some kind has more routes;
 *  c->complete is then false. */
rwa_status route_sets_find(struct route_sets *c, struct job *job, size_t most, bool only_all);
void route_sets_free(struct route_sets *c);

/** reach.c: remove the routes with index `from` or higher over which no modulation format carries the lightpath's
 *  rate. */
rwa_status routes_keep_reaching(struct route_sets *c, size_t from, const struct job *job);
/**
 * reach.c: look for a route from src to dst over which a modulation format carries the rate, and append it if there is
 * one.
 * @param[out] none  true: it is proven that there is no such route
 */
rwa_status routes_add_reaching(struct route_sets *c, const struct job *job, uint32_t src, uint32_t dst, bool *none);

/** reach.c: store in the result the name of the modulation format of the route that was added last: a route of demand
 *  number `demand`, with `hops` arcs.  Do nothing if the job has no fibre profile. */
rwa_status route_name_format(rwa_assignment *result, const struct job *job, size_t demand, const uint32_t *arc,
                             size_t hops);
/** reach.c: whether modulation formats determine the slots of a lightpath, by its rate and route: with a fibre profile
 *  on a flexible grid. */
bool job_has_formats(const struct job *job);
/** reach.c: if modulation formats determine the slots, set job->fewest to the fewest slots of each demand in any
 *  format.  RWA_BADARG: a demand states its slots although formats determine them, or no format carries its rate. */
rwa_status job_fewest_slots(struct job *job);
/** reach.c: set *width to the slots of a demand's signal on the route with these `hops` arcs.  They are those of the
 *  narrowest modulation format that reaches over the route or, without formats, those that the demand asks for.
 *  RWA_CHANNELS_MAX: no format reaches, so the signal fits nowhere. */
rwa_status route_width(uint32_t *width, const struct job *job, size_t demand, const uint32_t *arc, size_t hops);
/** reach.c: the rate of each lightpath of a demand, in bit/s. */
double job_rate_bps(const struct job *job, size_t demand);

/** instance.c: set *instance to the candidates of a search: each lightpath with the routes of its demand.  It points
 *  into itself, so do not move it in memory. */
rwa_status instance_create(struct instance *instance, const struct job *job, const struct route_sets *c);
void instance_free(struct instance *instance);

/** arcs.c: whether the shortest route on a ring or line goes counter-clockwise; antipodal pairs on a ring alternate. */
bool job_goes_ccw(const struct job *job, uint32_t src, uint32_t dst);

/** routes.c: find the candidate routes of all demands, compute job->bound, and build job->instance. */
rwa_status job_routes(struct job *job);
/** bound.c: solve the linear program of the bound, and set job->bound. */
rwa_status job_bound(struct job *job);
/** bound.c: make a witness of link lengths valid for the checker, which does not know forbidden nodes and hop limits,
 *  and counts demands that only these leave without a route.  If the lengths then prove less than job->bound, remove
 *  the witness; if they prove more wavelengths, raise job->bound.  Call it once, after the search. */
rwa_status job_settle_lengths(struct job *job);
/** bound.c: raise job->bound by odd cuts where they prove more.  If the best placement does not meet the bound, add the
 *  routes of their linear program to the instance. */
rwa_status job_odd_cuts(struct job *job);
/** bound.c: if link lengths prove job->bound, and the parity of the lightpaths that end at each node proves one
 *  wavelength more, raise it by one. */
rwa_status job_parity(struct job *job, const struct traffic *traffic);
/** routes.c: add the routes of the bound's linear program (job->flow) to the instance again, since odd cuts may have
 *  changed them.  The best placement is kept. */
rwa_status job_more_routes(struct job *job);
/** routes.c: build the instance anew from route sets that contain all routes of the present one.  The best placement is
 *  kept. */
rwa_status job_offer(struct job *job, const struct route_sets *c);
/** routes.c: reverse a path in place: the opposite arcs in the opposite order.  Only in the undirected model do these
 *  use the same links. */
void job_turn_path(const struct job *job, uint32_t *arc, size_t hops);
/** min_load.c: fix one of the routes in *c for each lightpath (c->chosen) such that the load of the most loaded link is
 *  as low as the budget allows.  May raise job->bound. */
rwa_status job_min_load(struct job *job, struct route_sets *c);
/** min_load.c: if every lightpath has a single candidate route, set job->fixed to the bound that these routes prove, by
 *  the most loaded link or by a clique. */
rwa_status job_fixed(struct job *job);
/** Set *traffic to the traffic of all demands that are not marked in `skip` (NULL: of all), that is, to the number of
 *  lightpaths between each pair of nodes.  A lightpath counts once for each of its slots. */
rwa_status job_traffic(struct traffic *traffic, const struct job *job, const bool *skip);
/** Whether the job has failed links, forbidden nodes or demands without a route. */
bool job_has_limits(const struct job *job);
/** Return the certificate of the bound that integer link lengths prove.  It points to the lengths of `metric`. */
rwa_certificate job_certificate(const struct job *job, const struct metric *metric);

/** symmetry.c: for all-to-all on a network with translations and at most 256 nodes, if job_is_plain() and
 *  job_searches_freely(), set job->bound, and job->symmetric to the best assignment found by symmetry
 *  (job->symmetric_channels 0: none).  Otherwise do nothing. */
rwa_status job_symmetry(struct job *job);

/** search.c: set job->best to the best placement found on the candidate routes: all lightpaths on few channels, or as
 *  many as possible on the channels given. */
rwa_status job_search(struct job *job);

/** exact.c: by branch and bound, look for a placement of all lightpaths on fewer channels or, with goal->most, of more
 *  lightpaths (or slots of traffic) on the channels given.  A placement replaces job->best.  A proof that there is none
 *  tightens job->bound if no route is missing.  Else, without goal->most and for lightpaths of one slot, it becomes
 *  job->fixed, a bound for these routes.  If lightpaths take one slot, the search runs only for few of them with few
 *  routes. */
rwa_status job_branch_bound(struct job *job, const struct spectrum_goal *goal);
/** exact.c: solve the link-path integer program over the candidate routes, and update job->bound by what it proves.  It
 *  looks for a placement of all lightpaths on fewer channels or, with goal->most, of more lightpaths on the channels
 *  given.  only_written: write the program to the files of the budget and do not solve it. */
rwa_status job_link_path(struct job *job, const struct spectrum_goal *goal, bool only_written);
/** search.c: return a lower bound on the wavelengths of any assignment on the candidate routes. */
uint64_t job_least(const struct job *job);
/** exact.c: return how many wavelengths this number of channels of a link needs, rounded up: a wavelength has a channel
 *  on each fibre. */
uint32_t wavelengths_of(const struct job *job, uint32_t channels);

/** reach.c: whether lightpaths may take several slots: by widths, a guard, modulation formats or the solver. */
bool job_is_wide(const struct job *job);
/** reach.c: job_width() returns the slots of a demand's signal (its fewest, where formats determine them), job_span()
 *  those slots with the guard. */
uint32_t job_width(const struct job *job, size_t demand);
uint32_t job_span(const struct job *job, size_t demand);
/** slots_bound.c: where lightpaths take several slots, raise job->bound by cuts of the network
 *  (docs/reference/bounds.md). */
rwa_status job_bound_slots(struct job *job);
/** slots_bound.c: set job->bound to an upper bound, proven by the link lengths of `metric`, on what the given
 *  wavelengths can serve: lightpaths or, with the objective RWA_MOST_TRAFFIC, their slots. */
rwa_status job_bound_served(struct job *job, const struct metric *metric);

/** arcs.c: for rings and lines without further options, set *out to the whole answer; otherwise leave it NULL. */
rwa_status job_arcs(rwa_assignment **out, struct job *job);

/** torus.c: for all-to-all on rings and tori that have a closed form, set *out to the whole answer; otherwise leave it
 *  NULL. */
rwa_status job_closed_form(rwa_assignment **out, struct job *job);

/** large.c: for very many lightpaths without further options, set *out to the whole answer; otherwise leave it NULL. */
rwa_status job_large(rwa_assignment **out, struct job *job);

/** answer.c: make the result from the placement job->best. */
rwa_status job_answer(rwa_assignment **out, const struct job *job);
/** answer.c: make a result: add(result, data) adds the routes, and this function the proof, outcome, reasons and the
 *  checker's verdict. */
rwa_status job_write(rwa_assignment **out, const struct job *job, rwa_status (*add)(rwa_assignment *result, void *data),
                     void *data);
