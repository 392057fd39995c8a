/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Blocking probability of a network under random traffic: a simulation, with a confidence interval. */
#ifndef RWA_BLOCKING_H
#define RWA_BLOCKING_H

#include "rwa/state.h"

/** Return the blocking probability by Erlang B: the share of calls that are lost if `servers` servers get an offered
 *  load of `erlang` Erlang; both at least 0. */
RWA_API double rwa_erlang_b(double erlang, uint32_t servers);

/**
 * Compute the blocking probability of each class of requests on one link of `servers` slots.  Poisson requests of class
 * k offer a load of erlang[k].  Each takes widths[k] slots, which need not be neighbours, and is lost if fewer are free
 * (J. S. Kaufman, IEEE Transactions on Communications 29(10), 1981; J. W. Roberts, 1981).  One class of width 1 gives
 * Erlang B.  If slots must be neighbours, more bandwidth is lost, but not in every class: docs/guide/spectrum.md.
 * @param[out] blocking  class_count entries
 * @return RWA_OK; RWA_BADARG: a width of 0, a load that is negative or no number; RWA_NOMEM.  Cost O(servers *
 *         class_count)
 */
RWA_API rwa_status rwa_kaufman_roberts(double *blocking, const uint32_t *widths, const double *erlang,
                                       size_t class_count, uint32_t servers, rwa_error *err);

/** Requests of one kind in a mix. */
typedef struct rwa_traffic_class {
    uint32_t width;         /**< neighbouring slots; at least 1; with a transmission it has no effect on the slots
                                 taken */
    double share;           /**< of the requests, relative to those of the other classes; above 0 */
    double rate_bps;        /**< what one request carries; 0: not known */
} rwa_traffic_class;

/** The results of one traffic class. */
typedef struct rwa_class_blocking {
    uint64_t requests, blocked;
    double probability, half_width;     /**< as in rwa_blocking */
    double exact;                       /**< by Kaufman and Roberts where that is exact; else NAN */
} rwa_class_blocking;

typedef struct rwa_blocking_options {
    size_t struct_size;     /**< set by init */
    rwa_state_options state;    /**< model, paths, max_hops, and the seed, also of the traffic; history is unused */
    rwa_routing routing;    /**< default: shortest */
    rwa_policy policy;      /**< default: first-fit */
    uint64_t warm_up;       /**< requests before counting begins; default 10000 */
    uint32_t batches;       /**< at least 2; default 20 */
    uint64_t requests;      /**< counted in all, rounded up to a multiple of batches; default 200000 */
    rwa_poll poll;          /**< NULL, or called repeatedly */
    void *poll_data;
    const rwa_traffic_class *classes;   /**< class_count of them; 0: every request is 1 wide */
    size_t class_count;
    rwa_class_blocking *class_answers;  /**< NULL, or class_count entries that the simulation fills */
    uint32_t guard;         /**< guard slots of every lightpath; default 0 */
    int scattered;          /**< 1: the slots of a request need not be neighbours; each is set up by itself, all or
                                 none.  For tests against the formula; without guards */
    const rwa_transmission *transmission;   /**< NULL, or the slots of a request follow from its rate and route, as by
                                 rwa_request.transmission; classes without a rate carry the network's.  Not with
                                 `scattered`; borrowed */
    rwa_protection protection;  /**< of every lightpath; default: none.  `utilization` counts the channels of backups,
                                     shared ones once.  Not with `scattered` */
} rwa_blocking_options;

RWA_INIT(rwa_blocking_options)

/** The results at one load; an answer in the sense of docs/reference/versions.md. */
typedef struct rwa_blocking {
    double erlang;          /**< offered to the whole network: requests per mean holding time */
    uint64_t requests, blocked;     /**< after the warm-up */
    double probability;     /**< blocked / requests */
    double half_width;      /**< of the 95 % confidence interval: Student's t over the batches; where nothing was
                                 blocked, 3 / requests (the rule of three) */
    double carried;         /**< lightpaths up, on average over time */
    double utilization;     /**< occupied share of the usable channels of all links, on average over time */
    double mean_hops;       /**< of the lightpaths set up; NAN: no lightpath */
    double exact;           /**< networks of two nodes: the probability by Erlang B, or by Kaufman and Roberts, where
                                 the formula is exact; else NAN */
    double bandwidth;       /**< the share lost of the bit rate requested, or of the slots where some class has no
                                 rate */
    double bandwidth_half_width;
    double fragmentation;   /**< `external` of rwa_state_fragmentation(), on average over samples at every 4096th
                                 request, or at the end */
} rwa_blocking;

/**
 * Simulate random traffic on a network.  Requests arrive as a Poisson process, each between two random nodes; all pairs
 * (ordered pairs if lightpaths have one direction) are equally likely.  A lightpath is held for an exponential time of
 * mean 1; a blocked request is lost.  The probability that a request belongs to a class is in proportion to the
 * share of the class (rwa_traffic_class).
 * @param[out] out  receives the blocking probability and what else was measured
 * @param size      sizeof *out; the macro rwa_blocking_simulate() passes it
 * @param net       borrowed
 * @param erlang    offered load, above 0
 * @param opts      NULL for the defaults.  The traffic follows from load, classes and seed, not from policy or routing
 * @return RWA_OK; RWA_BADARG: no load, fewer than 2 batches, no requests, a class without width or share, guard slots
 *         or backups with opts->scattered, so many requests on so long a ring or line that they would take minutes, or
 *         as rwa_state_create(); RWA_NOMEM; RWA_CANCELLED.  Cost
 *         O(requests * (rwa_state_add() + log(lightpaths)))
 */
RWA_API rwa_status rwa_blocking_simulate_sized(rwa_blocking *out, size_t size, const rwa_network *net, double erlang,
                                               const rwa_blocking_options *opts, rwa_error *err);
#define rwa_blocking_simulate(out, ...) rwa_blocking_simulate_sized((out), sizeof(rwa_blocking), __VA_ARGS__)

#endif
