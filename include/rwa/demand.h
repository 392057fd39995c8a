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
 * Create a set of demands from a list.
 * @param[out] out  new set, caller frees with rwa_demands_free()
 * @param nodes     number of nodes of the network for which the demands are
 * @param list      `count` entries, copied; entry i is demand number i
 * @return RWA_OK; RWA_BADARG: a node outside the network, src = dst, no lightpath asked for, a `via` node that is src
 *         or dst, more than RWA_DEMANDS_MAX lightpaths in all; RWA_NOMEM
 */
RWA_API rwa_status rwa_demands_create(rwa_demands **out, uint32_t nodes, const rwa_demand *list, size_t count,
                                      rwa_error *err);
RWA_API void rwa_demands_free(rwa_demands *demands);

/** Create a set with a demand for one lightpath from each node to each other, by src, then by dst; in the undirected
 *  model only those with src < dst.  `out` and errors as in rwa_demands_create(). */
RWA_API rwa_status rwa_demands_all_to_all(rwa_demands **out, uint32_t nodes, rwa_model model, rwa_error *err);
/** Create a set of `count` demands for one lightpath each between random nodes; in the undirected model src < dst.
 *  Several demands may have the same ends.  The same seed gives the same demands.  `out` and errors as in
 *  rwa_demands_create(). */
RWA_API rwa_status rwa_demands_random(rwa_demands **out, uint32_t nodes, rwa_model model, size_t count, uint64_t seed,
                                      rwa_error *err);

/**
 * Read demands from a file (docs/guide/networks.md): lines "src,dst,count,via", a matrix of counts, JSON, or the
 * demands of an SNDlib file.  An amount in bit/s asks for as many lightpaths of the network's rate as carry it.
 * @param[out] out  new set, caller frees with rwa_demands_free()
 * @param net       names the nodes; borrowed
 * @return RWA_OK; RWA_IO; RWA_FORMAT: "FILE:LINE: what is wrong, and what was expected", also for an unknown node, an
 *         amount below 0 and a file without demands; RWA_BADARG; RWA_NOMEM.  Cost O(size of the file)
 */
RWA_API rwa_status rwa_demands_read(rwa_demands **out, const char *path, const rwa_network *net, rwa_model model,
                                    rwa_error *err);
/** Create a set of demands from its specification: "all-to-all", "random:COUNT" (with the seed), or the path of a
 *  file.  `out` and errors as in rwa_demands_read(). */
RWA_API rwa_status rwa_demands_open(rwa_demands **out, const char *spec, const rwa_network *net, rwa_model model,
                                    uint64_t seed, rwa_error *err);

/**
 * Copy a set, with its rates, so that demand i asks for lightpaths of widths[i] neighbouring slots.
 * @param[out] out  new set, caller frees with rwa_demands_free()
 * @param widths    one for each demand, copied; NULL: each is one slot (or channel) wide
 * @return RWA_OK; RWA_BADARG: a width of 0 or beyond RWA_CHANNELS_MAX; RWA_NOMEM
 */
RWA_API rwa_status rwa_demands_with_widths(rwa_demands **out, const rwa_demands *demands, const uint32_t *widths,
                                           rwa_error *err);
/**
 * Copy a set, with its widths, so that each lightpath of demand i carries rates_bps[i] bit/s; 0: not known.
 * @param[out] out   new set, caller frees with rwa_demands_free()
 * @param rates_bps  one for each demand, copied; NULL: none is known
 * @return RWA_OK; RWA_BADARG: a rate that is negative or no number; RWA_NOMEM
 */
RWA_API rwa_status rwa_demands_with_rates(rwa_demands **out, const rwa_demands *demands, const double *rates_bps,
                                          rwa_error *err);
/** Return the width of each demand in slots; NULL: all are 1.  The array lives as long as the set. */
RWA_API const uint32_t *rwa_demands_widths(const rwa_demands *demands);
/** Return the bit rate of the lightpaths of each demand in bit/s; NULL: none is known.  The array lives as long as the
 *  set. */
RWA_API const double *rwa_demands_rates(const rwa_demands *demands);

RWA_API uint32_t rwa_demands_nodes(const rwa_demands *demands);
RWA_API size_t rwa_demands_count(const rwa_demands *demands);
RWA_API uint64_t rwa_demands_lightpaths(const rwa_demands *demands);   /**< the counts added up */
RWA_API const rwa_demand *rwa_demands_list(const rwa_demands *demands); /**< lives as long as the set */
/** Return 1 if the demands ask for one lightpath, one slot wide, for each pair of nodes (each ordered pair in the
 *  directed model) and for no more, in any order; else 0.  O(nodes^2 / 64) memory. */
RWA_API int rwa_demands_is_all_to_all(const rwa_demands *demands, rwa_model model);

#endif
