/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static routing and wavelength assignment: a route, a fibre and a wavelength for every demand, and a proven bound. */
#ifndef RWA_ASSIGN_H
#define RWA_ASSIGN_H

#include "rwa/check.h"
#include "rwa/demand.h"
#include "rwa/fiber.h"
#include "rwa/solver.h"

typedef enum rwa_role {
    RWA_WORKING = 0,
    RWA_BACKUP = 1,     /**< of 1+1 protection: shares no link and no risk group with the working route */
    RWA_SHARED_BACKUP = 2   /**< likewise, but set up after a failure only: until then its channels may be those of
                                 shared backups whose working routes share no link and no risk group with its own */
} rwa_role;

/**
 * One lightpath of an assignment, or a lightpath of a demand without a route.
 * On ring and line a route is an arc with a `direction`, and `links` is NULL.  On all other networks `links` lists the
 * directed links in travel order, and `direction` has no meaning.
 */
typedef struct rwa_route {
    size_t demand;                  /**< its index in the demand set */
    uint32_t copy;                  /**< 0 … count - 1 of the demand */
    rwa_role role;
    uint32_t hops;                  /**< links of the route; 0: no route */
    rwa_direction direction;
    const uint32_t *links;          /**< hops entries */
    uint32_t fiber, wavelength;     /**< of the first link */
    const uint32_t *fibers;         /**< NULL: the same on every link; else hops entries */
    const uint32_t *wavelengths;    /**< NULL: the same on every link (no converter used); else hops entries */
    const char *why;                /**< no route: the reason in words; else NULL */
    int down;                       /**< 1: it crosses a failed link, keeps its channels and carries nothing; a shared
                                         backup also: another one is lit on one of its channels */
} rwa_route;

/** The witness of a bound, which verifies it without the solver. */
typedef enum rwa_witness_kind {
    RWA_WITNESS_NONE = 0,
    RWA_WITNESS_LENGTHS,    /**< integer lengths of the links: every route of a demand is at least as long as the
                                 shortest, and a wavelength offers each link's length once per fibre.  Failed links
                                 are left out, unless a lightpath is down.  Lengths of 0 and 1: a cut */
    RWA_WITNESS_LINK,       /**< one link: the routes, as they stand, that cross it */
    RWA_WITNESS_CLIQUE,     /**< lightpaths that, as routed, share a link pairwise */
    RWA_WITNESS_SEARCH = 5, /**< an exhausted search: nothing shorter than repeating it verifies it */
    /** Undirected: lengths of the links, and sets of nodes (rwa_assignment_report.odd_sets).  On a wavelength where no
     *  lightpath has exactly one end in a set, the lightpaths use an even number of the fibres that leave the set; if
     *  an odd number of fibres leave it, one stays dark.  The channels of all wavelengths together obey such a parity,
     *  too */
    RWA_WITNESS_ODD_CUTS
} rwa_witness_kind;

/** A set of nodes of the witness ODD_CUTS.  The length of every link is at least the sum of the weights of the sets
 *  that it leaves. */
typedef struct rwa_odd_set {
    uint32_t weight;            /**< at least 1 */
    const uint32_t *nodes;      /**< count nodes, ascending */
    size_t count;
} rwa_odd_set;

/** A lower bound on the wavelengths (or an upper bound on the lightpaths that can be served) and its witness. */
typedef struct rwa_certificate {
    const char *name;           /**< "cut", "metric", "odd-cuts", "load", "clique", "ring-all-to-all", "search"; as a
                                     file says it; NULL: none */
    uint64_t value;
    int fixed_routes;           /**< 1: holds for the routes of this answer only, so it proves no optimum over all
                                     routes */
    rwa_witness_kind kind;
    const uint32_t *lengths;    /**< LENGTHS, ODD_CUTS: one per link: directed links, or fibre pairs when undirected */
    size_t length_count;
    const uint64_t *routes;     /**< LINK, CLIQUE: indices of routes */
    size_t route_count;
    uint32_t link;              /**< LINK: directed link, or fibre pair when undirected */
    const char *source;         /**< the reference of the proof; a constant */
    int most_served;            /**< 1: upper bound on the lightpaths served; 0: lower bound on the wavelengths */
    uint32_t wavelengths;       /**< most_served: the bound holds for this number of wavelengths */
} rwa_certificate;

/** id, value, name: one change that lets in a lightpath while all others stay as they are.  `where` says what to
 *  change. */
#define RWA_REMEDY_MAP(X)                                                                                  \
    X(NONE, 0, "none")              /* no single change is enough */                                       \
    X(ROUTE, 1, "route")            /* request another route and channel */                                \
    X(MOVE, 2, "move")              /* move another lightpath to another channel of its route */           \
    X(REPAIR, 3, "repair")          /* repair a directed link */                                           \
    X(CONVERTER, 4, "converter")    /* a wavelength converter at a node */                                 \
    X(RELEASE, 5, "release")        /* release another lightpath */                                        \
    X(WAVELENGTHS, 6, "wavelength") /* that many wavelengths per fibre */                                  \
    X(FIBER, 7, "fiber")            /* one more fibre on a link */                                         \
    X(HOPS, 8, "hops")              /* routes of that many hops */                                         \
    X(NODE, 9, "node")              /* permission to pass a forbidden node */

typedef enum rwa_remedy_kind {
#define X(id, value, name) RWA_REMEDY_##id = value,
    RWA_REMEDY_MAP(X)
#undef X
} rwa_remedy_kind;

/** Return the name of a kind of remedy, such as "wavelength" or "move"; NULL for a value outside the enum. */
RWA_API const char *rwa_remedy_name(rwa_remedy_kind kind);

/** A change that lets in a lightpath of an assignment: WAVELENGTHS, FIBER, CONVERTER, HOPS or NODE. */
typedef struct rwa_remedy {
    size_t demand;              /**< a demand with an unserved lightpath */
    rwa_remedy_kind kind;
    uint32_t where;             /**< the wavelengths, directed link (or fibre pair when undirected), node or hops */
} rwa_remedy;

typedef enum rwa_objective {
    RWA_FEWEST_WAVELENGTHS = 0, /**< serve all */
    RWA_MOST_DEMANDS = 1,       /**< serve as many lightpaths as possible on the given wavelengths */
    RWA_MOST_TRAFFIC = 2        /**< serve as many slots as possible on the given wavelengths: the sum of the widths of
                                     the lightpaths, without guard slots */
} rwa_objective;

/** The choice of routes, before or beside that of wavelengths. */
typedef enum rwa_assignment_routing {
    RWA_ROUTES_AUTO = 0,            /**< the solvers auto and exact choose freely; others take k-shortest with `paths`
                                         above 1 or best-fit, else shortest */
    RWA_ROUTES_SHORTEST = 1,        /**< one shortest route for each demand */
    RWA_ROUTES_K_SHORTEST = 2,      /**< any of the `paths` shortest */
    RWA_ROUTES_MIN_LOAD = 3         /**< routes that load the fullest link least */
} rwa_assignment_routing;

/** Return the name of a routing: "auto", "shortest", "k-shortest" or "min-load"; NULL for a value outside the enum. */
RWA_API const char *rwa_assignment_routing_name(rwa_assignment_routing routing);

/** The second route of a lightpath, its backup: both share no link and no risk group, so that no single failure breaks
 *  both. */
typedef enum rwa_protection {
    RWA_PROTECTION_NONE = 0,
    RWA_PROTECTION_DEDICATED = 1,   /**< 1+1: the backup has channels of its own and carries the signal all the time */
    RWA_PROTECTION_SHARED = 2       /**< the backup is set up (lit) when a link of the route has failed; until then its
                                         channels may be those of other shared backups whose working routes share no
                                         link and no risk group with this one's, so that after any single failure all
                                         broken lightpaths can switch over at once.  After several failures no channel
                                         is lit twice: a lit backup keeps its channels until the working route is
                                         repaired, a link of the backup fails or the lightpath is released; other
                                         backups on one of these channels wait.  If one operation allows several backups
                                         to be lit, the lowest id comes first */
} rwa_protection;

/** Return the name of a protection: "none", "1+1" or "shared"; NULL for a value outside the enum. */
RWA_API const char *rwa_protection_name(rwa_protection protection);

typedef struct rwa_assignment_options {
    size_t struct_size;             /**< set by init */
    rwa_model model;                /**< 0: rwa_network_model() */
    rwa_objective objective;
    uint32_t wavelengths;           /**< per fibre; 0: find the fewest */
    rwa_assignment_routing routing; /**< default: auto */
    const char *solver;             /**< NULL or "auto", or a name of rwa_assignment_solver_name(); with very many
                                         lightpaths "auto" takes "first-fit" if no other solver can keep the time
                                         limit */
    uint32_t paths;                 /**< route candidates per demand; 0: the library chooses */
    uint32_t max_hops;              /**< most hops of a route; 0: no limit */
    rwa_protection protection;      /**< DEDICATED: every lightpath gets a backup; both together count as one served
                                         lightpath.
                                         Not SHARED: shared backups belong to states (rwa_state_add()) */
    const uint32_t *forbidden;      /**< forbidden_count nodes that no route may pass (routes may begin or end there) */
    size_t forbidden_count;
    const uint32_t *converters;     /**< converter_count nodes that can change the fibre and wavelength of a
                                         lightpath */
    size_t converter_count;
    double time_limit_s;            /**< wall clock; the result is the best answer found in it; 0: none; default 10 */
    uint64_t seed;                  /**< same seed, same work: same answer; default 1 */
    rwa_poll poll;                  /**< NULL, or called repeatedly */
    void *poll_data;
    const rwa_transmission *transmission;   /**< NULL, or every route must carry its rate in a modulation format that
                                                 reaches; borrowed */
    rwa_programs *programs;         /**< NULL, or the integer programs of min-load, ilp and exact are written there;
                                         borrowed */
    uint32_t guard;                 /**< slots kept free above every lightpath; default 0 */
} rwa_assignment_options;

RWA_INIT(rwa_assignment_options)

/** The numbers of an assignment.  The assignment owns the record; new members are added only at its end. */
typedef struct rwa_assignment_report {
    rwa_outcome outcome;            /**< OPTIMAL: the bound is met; INFEASIBLE: no assignment serves all demands;
                                         UNDECIDED: not all served, and feasibility unknown */
    char why[RWA_ERROR_TEXT];       /**< not all served: the obstacle and a remedy; else empty */
    uint64_t lightpaths;            /**< requested */
    uint64_t routed;                /**< served */
    uint32_t wavelengths;           /**< highest used, guard slots included, plus 1 */
    uint32_t extra_wavelengths;     /**< not all served: this many more suffice; 0: unknown */
    rwa_certificate bound;
    rwa_assignment_routing routing; /**< the routing that chose the routes */
    const char *solver;             /**< the solver that found this answer; a constant */
    double seconds;                 /**< wall clock, without the check */
    const rwa_check_report *check;  /**< the independent verdict; all 0 without a check */
    uint64_t routes_offered;        /**< route candidates of all lightpaths together; 0: none were listed (closed form,
                                         large traffic, or a line or ring without further options) */
    const char *program;            /**< the integer program of the solver "ilp": "solved", "unfinished" (time, or
                                         size), "not needed" (a greedy answer met a bound); a constant; NULL: another
                                         solver */
    const rwa_odd_set *odd_sets;    /**< of a bound by ODD_CUTS: odd_set_count sets; else NULL */
    size_t odd_set_count;
    double solver_seconds;          /**< the part of `seconds` after the routes and the first bound; all of them where
                                         a closed form or one pass chose routes and channels */
} rwa_assignment_report;

/** An assignment: the network, the demands, their lightpaths and what is known about them. */
typedef struct rwa_assignment rwa_assignment;

/**
 * Give every demand a route, a fibre and a wavelength, and check the answer with the independent checker.  Also compute
 * a lower bound on the wavelengths, or an upper bound on the lightpaths served (rwa_certificate.most_served).
 * @param[out] out  new result, caller frees with rwa_assignment_free(); also when not all demands could be served
 * @param net       borrowed; kinds star, ron and ocs are RWA_BADARG
 * @param demands   borrowed; on the nodes of the network
 * @param opts      NULL for the defaults
 * @return RWA_OK; RWA_BADARG: demands for another number of nodes, the undirected model where a link has no link back,
 *         an unknown solver, routing or protection, a node outside the network; RWA_NOMEM; RWA_BACKEND; RWA_CANCELLED
 *         when there is no answer yet
 */
RWA_API rwa_status rwa_assignment_make(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                              const rwa_assignment_options *opts, rwa_error *err);

/** rwa_assignment_solver_name() returns the name of solver i = 0, 1, …, rwa_assignment_solver_summary() a line of
 *  description; NULL past the end. */
RWA_API const char *rwa_assignment_solver_name(size_t i);
RWA_API const char *rwa_assignment_solver_summary(size_t i);

/** Create an empty assignment, to be filled by rwa_assignment_add().  The network and the demands are copied.  The
 *  caller frees *out with rwa_assignment_free(). */
RWA_API rwa_status rwa_assignment_create(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                                            rwa_model model, rwa_error *err);
/**
 * Append a route, with copies of its arrays and text; it is as wide as its demand and has no guard.  Append the routes
 * in ascending order of demand, of copy within a demand, and of role.  rwa_check_assignment() finds clashes and routes
 * that do not lead from src to dst.
 * @return RWA_OK; RWA_BADARG: a demand, copy, role, link or direction that does not exist, or out of order; RWA_NOMEM
 */
RWA_API rwa_status rwa_assignment_add(rwa_assignment *result, const rwa_route *route, rwa_error *err);
/**
 * Append a route as rwa_assignment_add() does, but one that takes `width` neighbouring wavelengths (slots of a flexible
 * grid) from route->wavelength on, and `guard` more above them, on every link.
 * @return as rwa_assignment_add(); RWA_BADARG also: a width of 0, a width and guard beyond RWA_CHANNELS_MAX
 */
RWA_API rwa_status rwa_assignment_add_wide(rwa_assignment *result, const rwa_route *route, uint32_t width,
                                           uint32_t guard, rwa_error *err);
/**
 * Set the name of the modulation format of route i, from 0; the name is copied.  Formats of a table are looked up by
 * this name (rwa_modulations_find()).
 * @return RWA_OK; RWA_BADARG: no such route, an empty name, more than 256 different names; RWA_NOMEM
 */
RWA_API rwa_status rwa_assignment_set_modulation(rwa_assignment *result, uint64_t i, const char *name, rwa_error *err);
/** Return the name of the modulation format of route i, from 0; NULL: none was set. */
RWA_API const char *rwa_assignment_modulation(const rwa_assignment *result, uint64_t i);
RWA_API void rwa_assignment_free(rwa_assignment *result);

RWA_API const rwa_assignment_report *rwa_assignment_summary(const rwa_assignment *result);
RWA_API const rwa_network *rwa_assignment_network(const rwa_assignment *result);
RWA_API const rwa_demands *rwa_assignment_demands(const rwa_assignment *result);
RWA_API rwa_model rwa_assignment_model(const rwa_assignment *result);
RWA_API uint64_t rwa_assignment_count(const rwa_assignment *result);
/** Set *out to route i, from 0.  Its pointers live as long as the result, until the next add. */
RWA_API void rwa_assignment_get(rwa_route *out, const rwa_assignment *result, uint64_t i);
/** Return the id of the lightpath of route i in the state that made the assignment (rwa_state_export()); a backup has
 *  the id of its lightpath.  0: no state made the assignment. */
RWA_API uint64_t rwa_assignment_lightpath(const rwa_assignment *result, uint64_t i);
/** The most bytes of a tag, which is a text of the caller's for a lightpath: UTF-8 without control characters, not
 *  empty. */
#define RWA_TAG_MAX 255
/** Return the tag of the lightpath of route i; NULL: it has none. */
RWA_API const char *rwa_assignment_tag(const rwa_assignment *result, uint64_t i);
/** rwa_assignment_width() returns the slots of the signal of route i, rwa_assignment_guard() those kept free above
 *  it. */
RWA_API uint32_t rwa_assignment_width(const rwa_assignment *result, uint64_t i);
RWA_API uint32_t rwa_assignment_guard(const rwa_assignment *result, uint64_t i);
/** Set *list to the remedies for unserved lightpaths, in the order of their demands, and return how many there are.
 *  Only the first few dozen unserved lightpaths have remedies.  *list lives as long as the result. */
RWA_API size_t rwa_assignment_remedies(const rwa_remedy **list, const rwa_assignment *result);
/**
 * Compute the GSNR of every lightpath, disturbed by the lightpaths that share its fibres.  A lightpath consists of one
 * or more carriers (rwa_carrier), side by side in the middle of its slots.  In a fixed channel there are as many as the
 * network's rate needs.
 * @param[out] out      for each route the ratios of its carrier with the lowest GSNR.  A demand without a route, a
 *                      lightpath that is down and a shared backup have no signal: all ratios are NaN, binding is NULL
 * @param transmission  formats and fibre profile; borrowed
 * @return RWA_OK; RWA_BADARG: no fibre profile, a route that names no format of the table, a link without a length;
 *         RWA_NOMEM.  Cost O(sum over fibres of carriers²)
 */
RWA_API rwa_status rwa_assignment_gsnr(rwa_gsnr *out, const rwa_assignment *result,
                                       const rwa_transmission *transmission, rwa_error *err);
/** Return the directed link of hop k of route i, 0 <= k < hops. */
RWA_API uint32_t rwa_assignment_link(const rwa_assignment *result, uint64_t i, uint32_t k);

/**
 * Write an assignment to a file, whole or not at all (format "rwa-assignment", docs/guide/networks.md).  The file is of
 * version 2 if a lightpath is wider than 1 or has a guard, else of version 1.  A demand for k lightpaths becomes k
 * demands for one lightpath each.  Path and errors as rwa_schedule_write().
 */
RWA_API rwa_status rwa_assignment_write(const rwa_assignment *result, const char *path, rwa_error *err);
/** Pass the bytes of the file of rwa_assignment_write(), not compressed, to the function `write`.  Errors as there;
 *  RWA_CANCELLED: the function stopped the output. */
RWA_API rwa_status rwa_assignment_stream(const rwa_assignment *result, rwa_write write, void *data, rwa_error *err);
/**
 * Read an assignment into memory.  Its network becomes a graph; each of its working lightpaths, with its backup if it
 * has one, serves one demand for one lightpath.  Clashes are not looked for.
 * @param[out] out  new assignment, caller frees with rwa_assignment_free()
 * @return RWA_OK; RWA_FORMAT with FILE:LINE: not JSON, a member missing or ill-typed, a demand without a line or with
 *         two working lines, a path that does not follow the links; RWA_IO; RWA_NOMEM
 */
RWA_API rwa_status rwa_assignment_read(rwa_assignment **out, const char *path, rwa_error *err);
/** Return 1 if the first line of a file says that it is an assignment, else 0; 0 also for pipes and for files that
 *  cannot be read. */
RWA_API int rwa_assignment_is_file(const char *path);
/**
 * Turn an assignment into a schedule that has one step, for drawings.  It is an all-to-all in which block
 * src * nodes + dst goes from src to dst, on a network that has only the wavelengths in use.  In the undirected model
 * each route becomes two lightpaths, one each way.  At a converter one lightpath ends and another begins.  Shared
 * backups are left out.  Of parallel links the schedule uses the first one.
 * @param[out] out  new schedule, caller frees with rwa_schedule_free()
 * @return RWA_OK; RWA_BADARG: a route that is no path; RWA_NOMEM.  Cost O(hops of all routes)
 */
RWA_API rwa_status rwa_assignment_schedule(rwa_schedule **out, const rwa_assignment *result, rwa_error *err);

#endif
