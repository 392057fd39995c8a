/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demands: numbers of lightpaths from one node to another. */
#ifndef RWA_DEMAND_H
#define RWA_DEMAND_H

#include "rwa/network.h"

/** The most lightpaths a demand set may ask for. */
#define RWA_DEMANDS_MAX (1u << 31)

/** One demand. */
typedef struct rwa_demand {
    uint32_t src, dst;
    uint32_t count;     /**< lightpaths asked for, at least 1; each gets a route and a wavelength of its own */
    uint32_t via;       /**< every route of the demand must pass this node; RWA_NONE: none */
} rwa_demand;

/** Demands on a number of nodes; immutable, may be shared by threads. */
typedef struct rwa_demands rwa_demands;

/**
 * A set of demands, from a list.
 * @param[out] out  new set, caller frees with rwa_demands_free()
 * @param nodes     of the network they are for
 * @param list      count entries, copied; their order is kept, their indices are the demands' numbers
 * @return RWA_OK; RWA_BADARG: a node outside the network, src = dst, no lightpath asked for, via an end, more than
 *         RWA_DEMANDS_MAX lightpaths in all; RWA_NOMEM
 */
RWA_API rwa_status rwa_demands_create(rwa_demands **out, uint32_t nodes, const rwa_demand *list, size_t count,
                                      rwa_error *err);
RWA_API void rwa_demands_free(rwa_demands *demands);

/** One lightpath per pair of nodes: src < dst for undirected, both orders for directed; by src, then by dst. */
RWA_API rwa_status rwa_demands_all_to_all(rwa_demands **out, uint32_t nodes, rwa_model model, rwa_error *err);
/** A number of lightpaths between random nodes, src < dst for undirected.  A pair may occur in several demands.  Same
 *  seed: same demands. */
RWA_API rwa_status rwa_demands_random(rwa_demands **out, uint32_t nodes, rwa_model model, size_t count, uint64_t seed,
                                      rwa_error *err);

/**
 * Demands from a file (docs/guide/networks.md): lines "src,dst,count,via", a matrix of counts, JSON, or the demands of
 * an SNDlib file, whose amounts in bit/s become as many lightpaths of the network's rate as they need.
 * @param net  names the nodes; borrowed
 * @return RWA_OK; RWA_IO; RWA_FORMAT: "FILE:LINE: what is wrong, and what was expected", also for an unknown node, an
 *         amount below 0 and a file without demands; RWA_BADARG; RWA_NOMEM.  Cost O(size of the file)
 */
RWA_API rwa_status rwa_demands_read(rwa_demands **out, const char *path, const rwa_network *net, rwa_model model,
                                    rwa_error *err);
/** "all-to-all", "random:COUNT" (by the seed), or a file. */
RWA_API rwa_status rwa_demands_open(rwa_demands **out, const char *spec, const rwa_network *net, rwa_model model,
                                    uint64_t seed, rwa_error *err);

/**
 * A copy in which demand i asks for lightpaths of widths[i] neighbouring slots; rates are copied.
 * @param widths  one for each demand, copied; NULL: each is one slot (or channel) wide
 * @return RWA_OK; RWA_BADARG: a width of 0 or beyond RWA_CHANNELS_MAX; RWA_NOMEM
 */
RWA_API rwa_status rwa_demands_with_widths(rwa_demands **out, const rwa_demands *demands, const uint32_t *widths,
                                           rwa_error *err);
/**
 * A copy in which each lightpath of demand i carries rates_bps[i] bit/s; 0: not known.  Widths are copied.
 * @param rates_bps  one for each demand, copied; NULL: none is known
 * @return RWA_OK; RWA_BADARG: a rate that is negative or no number; RWA_NOMEM
 */
RWA_API rwa_status rwa_demands_with_rates(rwa_demands **out, const rwa_demands *demands, const double *rates_bps,
                                          rwa_error *err);
/** The width of each demand in slots; NULL: all are 1.  Lives as long as the set. */
RWA_API const uint32_t *rwa_demands_widths(const rwa_demands *demands);
/** The bit rate of each demand's lightpaths; NULL: none is known.  Lives as long as the set. */
RWA_API const double *rwa_demands_rates(const rwa_demands *demands);

RWA_API uint32_t rwa_demands_nodes(const rwa_demands *demands);
RWA_API size_t rwa_demands_count(const rwa_demands *demands);
RWA_API uint64_t rwa_demands_lightpaths(const rwa_demands *demands);   /**< the counts added up */
RWA_API const rwa_demand *rwa_demands_list(const rwa_demands *demands); /**< lives as long as the set */
/** 1: the demands are exactly one lightpath, one slot wide, for each pair of the model, in any order.  O(nodes^2 / 64)
 *  memory. */
RWA_API int rwa_demands_is_all_to_all(const rwa_demands *demands, rwa_model model);

#endif
