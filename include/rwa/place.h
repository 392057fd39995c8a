/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * SiP-ML: task graphs onto devices, the traffic this causes, and circuits for the traffic: on optical circuit switches
 * (SiP-OCS) or on the wavelengths of a ring (SiP-Ring).
 */
#ifndef RWA_PLACE_H
#define RWA_PLACE_H

#include "rwa/demand.h"
#include "rwa/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/** ---- Traffic ------------------------------------------------------------------------------------------------ */

/** Bytes that go from one node to another. */
typedef struct rwa_flow {
    uint32_t src, dst;
    double bytes;
} rwa_flow;

/** A traffic matrix, kept as its flows: one per ordered pair with traffic, by src then dst.  Immutable. */
typedef struct rwa_traffic rwa_traffic;

/**
 * A traffic matrix from flows.
 * @param flows  copied; flows of one pair add up; those of a node to itself and those of 0 bytes need no circuit and are
 *               left out
 * @return RWA_OK; RWA_BADARG: nodes outside 2 … RWA_NODES_MAX, a flow outside the nodes, bytes that are negative or not
 *         finite; RWA_NOMEM.  Cost O(count log count)
 */
RWA_API rwa_status rwa_traffic_create(rwa_traffic **out, uint32_t nodes, const rwa_flow *flows, size_t count,
                                      rwa_error *err);

/**
 * Read a traffic matrix; "-" is standard input.
 * JSON: {"nodes":N, "flows":[[src,dst,bytes],…]}, or {"matrix":[[…],…]} with N rows of N numbers.
 * CSV: the line "src,dst,bytes" and then one flow a line, or N lines of N numbers.
 * @return RWA_OK; RWA_FORMAT with FILE and line or member; RWA_IO; RWA_NOMEM
 */
RWA_API rwa_status rwa_traffic_read(rwa_traffic **out, const char *path, rwa_error *err);
RWA_API void rwa_traffic_free(rwa_traffic *traffic);

RWA_API uint32_t rwa_traffic_nodes(const rwa_traffic *traffic);
RWA_API size_t rwa_traffic_flows(const rwa_traffic *traffic);
RWA_API rwa_flow rwa_traffic_flow(const rwa_traffic *traffic, size_t i);  /**< i below rwa_traffic_flows() */

/** ---- SiP-OCS: Q circuit switches, each joining every node to at most one other ------------------------------- */

typedef enum rwa_circuits_method {
    RWA_CIRCUITS_EXACT = 0, /**< bisection on the load of a circuit, down to the last bit: the best, without a solver */
    RWA_CIRCUITS_ILP = 1    /**< the integer program x_uv >= z T_uv, row and column sums at most Q, by GLPK */
} rwa_circuits_method;

typedef struct rwa_circuits_options {
    size_t struct_size;         /**< set by init */
    rwa_circuits_method method;
    uint32_t episodes;          /**< how often the switches are set; default 1 (single shot); 0: what takes least time */
    double rate_bps;            /**< of one circuit; default 25e9 */
    double reconfig_s;          /**< one setting of the switches, paid by every episode; default 10e-3 */
    double duty;                /**< with episodes 0: the least share of the time spent transmitting, below 1; default 0 */
    double time_limit_s;        /**< of the integer program; 0: none; default 60 */
    rwa_poll poll;
    void *poll_data;
} rwa_circuits_options;

RWA_API void rwa_circuits_options_init_sized(rwa_circuits_options *opts, size_t size);
#define rwa_circuits_options_init(o) rwa_circuits_options_init_sized((o), sizeof *(o))

/** What was found.  With E episodes a node has E times Q ports; every circuit is up for one episode. */
typedef struct rwa_circuits_summary {
    rwa_outcome outcome;        /**< OPTIMAL: the largest load per circuit is proven least; INFEASIBLE: see why */
    char why[RWA_ERROR_TEXT];   /**< which node has more peers than ports, and what would help */
    uint32_t nodes, switches, episodes;
    uint32_t most_peers;        /**< most nodes that one node sends to, or receives from */
    uint64_t circuits;
    double load_bytes;          /**< the largest T_uv / x_uv: what the slowest circuit carries in its episode */
    double bound_bytes;         /**< no circuits do with less; equals load_bytes when the outcome is OPTIMAL */
    uint32_t slowest_src, slowest_dst;
    double hold_s;              /**< from one setting of the switches to the next: reconfiguration and transfer */
    double time_s;              /**< episodes times hold */
    double duty;                /**< share of the time spent transmitting */
} rwa_circuits_summary;

/** Circuits: a count for every flow, and for every episode and switch a matching of the nodes.  Immutable. */
typedef struct rwa_circuits rwa_circuits;

/**
 * Circuits that make the slowest transfer as fast as possible: minimise max T_uv / x_uv with whole x_uv >= 1 for every flow
 * and at most episodes * switches circuits out of and into every node; then split them into one matching per episode and
 * switch (König: a bipartite multigraph of degree D is D matchings).
 * @param[out] out  new circuits, caller frees with rwa_circuits_free(); also when the outcome is INFEASIBLE (none then)
 * @param traffic   borrowed during the call
 * @param switches  Q, at least 1
 * @return RWA_OK; RWA_BADARG: no switch, more than 2^20 ports a node, a rate, time or duty out of range; RWA_NOMEM;
 *         RWA_BACKEND; RWA_CANCELLED (also when the time limit left the integer program without an answer).
 *         Cost O(flows) times the 64 bits of a load for the counts (once for every number of episodes tried), and
 *         O(circuits * (Q + N)) at worst for the matchings, near O(circuits * Q) in fact
 */
RWA_API rwa_status rwa_circuits_plan(rwa_circuits **out, const rwa_traffic *traffic, uint32_t switches,
                                     const rwa_circuits_options *opts, rwa_error *err);
RWA_API void rwa_circuits_free(rwa_circuits *circuits);
RWA_API const rwa_circuits_summary *rwa_circuits_get_summary(const rwa_circuits *circuits);
/** Circuits of a pair, over all episodes; 0 where there is no traffic.  O(log N). */
RWA_API uint32_t rwa_circuits_count(const rwa_circuits *circuits, uint32_t src, uint32_t dst);
/** To whom a switch joins a node's transmitter in an episode; RWA_NO_NODE: to nobody.  Episodes count from 0.  O(1). */
RWA_API uint32_t rwa_circuits_peer(const rwa_circuits *circuits, uint32_t episode, uint32_t sw, uint32_t node);

#ifdef __cplusplus
}
#endif
#endif
