/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * SiP-ML: placement of task graphs on devices, the traffic matrix of a placement, and circuits for a traffic matrix: on
 * optical circuit switches (SiP-OCS) or on the wavelengths of a ring (SiP-Ring).
 */
#ifndef RWA_PLACE_H
#define RWA_PLACE_H

#include "rwa/demand.h"
#include "rwa/schedule.h"
#include "rwa/solver.h"

/** ---- Traffic ------------------------------------------------------------------------------------------------ */

/** Bytes that go from one node to another. */
typedef struct rwa_flow {
    uint32_t src, dst;
    double bytes;
} rwa_flow;

/** A traffic matrix, kept as its flows: one per ordered pair with traffic, by src then dst.  Immutable. */
typedef struct rwa_traffic rwa_traffic;

/**
 * Make a traffic matrix from flows: flows of one pair are added up; flows of a node to itself and of 0 bytes are left
 * out.
 * @param[out] out  new traffic matrix, caller frees with rwa_traffic_free()
 * @param flows     count of them, copied
 * @return RWA_OK; RWA_BADARG: nodes outside 2 … RWA_NODES_MAX, a flow outside the nodes, bytes that are negative or not
 *         finite; RWA_NOMEM.  Cost O(count log count)
 */
RWA_API rwa_status rwa_traffic_create(rwa_traffic **out, uint32_t nodes, const rwa_flow *flows, size_t count,
                                      rwa_error *err);

/**
 * Read a traffic matrix; "-" is standard input.
 * JSON: {"nodes":N, "flows":[[src,dst,bytes],…]}, or {"matrix":[[…],…]} with N rows of N numbers.
 * CSV: the line "src,dst,bytes" and then one flow a line, or N lines of N numbers.
 * @param[out] out  as in rwa_traffic_create()
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
    uint32_t episodes;          /**< how often the switches are set; default 1 (single shot); 0: the number of least
                                     time */
    double rate_bps;            /**< of one circuit; default 25e9 */
    double reconfig_s;          /**< one setting of the switches, paid by every episode; default 10e-3 */
    double duty;                /**< with episodes 0: lower limit on the share of time spent transmitting, below 1;
                                     default 0 */
    double time_limit_s;        /**< of the integer program; 0: none; default 60 */
    rwa_poll poll;
    void *poll_data;
    rwa_programs *programs;     /**< NULL, or the integer programs are written there; borrowed */
} rwa_circuits_options;

RWA_INIT(rwa_circuits_options)

/** The numbers of a set of circuits.  With E episodes a node has E times Q ports; every circuit is up for one
 *  episode. */
typedef struct rwa_circuits_report {
    rwa_outcome outcome;        /**< OPTIMAL: the largest load per circuit is proven least; INFEASIBLE: see why */
    char why[RWA_ERROR_TEXT];   /**< the node that has more peers than ports, and a remedy */
    uint32_t nodes, switches, episodes;
    uint32_t most_peers;        /**< most nodes that one node sends to, or receives from */
    uint64_t circuits;
    double load_bytes;          /**< the largest T_uv / x_uv: the bytes that the slowest circuit carries in its
                                     episode */
    double bound_bytes;         /**< lower bound on load_bytes; equals it when the outcome is OPTIMAL */
    uint32_t slowest_src, slowest_dst;
    double hold_s;              /**< from one setting of the switches to the next: reconfiguration and transfer */
    double time_s;              /**< episodes times hold */
    double duty;                /**< share of the time spent transmitting */
} rwa_circuits_report;

/** Circuits: a count for every flow, and for every episode and switch a matching of the nodes.  Immutable. */
typedef struct rwa_circuits rwa_circuits;

/**
 * Find circuits that make the slowest transfer as fast as possible.  Each pair u, v of nodes with traffic T_uv (bytes)
 * gets a whole number x_uv >= 1 of circuits, at most episodes * switches out of and into every node, such that the
 * largest T_uv / x_uv, the load of a circuit, is as small as possible.  Then split the circuits into one matching per
 * episode and switch (König: the edges of a bipartite multigraph of degree D split into D matchings).
 * @param[out] out  new circuits, caller frees with rwa_circuits_free(); with the outcome INFEASIBLE a report without
 *                  circuits
 * @param traffic   borrowed during the call
 * @param switches  Q, at least 1
 * @return RWA_OK; RWA_BADARG: no switch, more than 2^20 ports a node, a rate, time or duty out of range; RWA_NOMEM;
 *         RWA_BACKEND; RWA_CANCELLED (also when the time limit left the integer program without an answer).  Cost of
 *         the counts O(flows) for each of some 64 steps of a bisection, once for every number of episodes tried; of
 *         the matchings of N nodes O(circuits * (Q + N)) at worst, about O(circuits * Q) in measurements
 */
RWA_API rwa_status rwa_circuits_make(rwa_circuits **out, const rwa_traffic *traffic, uint32_t switches,
                                     const rwa_circuits_options *opts, rwa_error *err);
RWA_API void rwa_circuits_free(rwa_circuits *circuits);
RWA_API const rwa_circuits_report *rwa_circuits_summary(const rwa_circuits *circuits);
/** Return the number of circuits from src to dst in all episodes together; 0 if there is no traffic.  O(log N). */
RWA_API uint32_t rwa_circuits_count(const rwa_circuits *circuits, uint32_t src, uint32_t dst);
/** Return the node whose receiver the switch `sw` joins to the transmitter of `node` in an episode; RWA_NONE: none.
 *  Episodes and switches count from 0.  O(1). */
RWA_API uint32_t rwa_circuits_peer(const rwa_circuits *circuits, uint32_t episode, uint32_t sw, uint32_t node);

/** ---- SiP-Ring: lightpaths of a ring for the traffic ----------------------------------------------------------- */

typedef enum rwa_allocation_method {
    RWA_RING_AUTO = 0,  /**< flow; then the integer program if it is small and flow is not proven optimal */
    RWA_RING_FLOW = 1,  /**< the traffic split over both directions as a flow, rounded to lightpaths, repaired, filled
                             up */
    RWA_RING_ILP = 2    /**< lightpaths and their wavelengths in one integer program, by GLPK; small rings only */
} rwa_allocation_method;

typedef struct rwa_allocation_options {
    size_t struct_size;         /**< set by init */
    rwa_allocation_method method;
    int one_way;                /**< 1: clockwise lightpaths only; default 0 */
    double reconfig_s;          /**< one setting of the micro-rings; default 25e-6 */
    double time_limit_s;        /**< of the integer program; 0: none; default 10 */
    rwa_poll poll;
    void *poll_data;
    rwa_programs *programs;     /**< NULL, or the integer programs are written there; borrowed */
} rwa_allocation_options;

RWA_INIT(rwa_allocation_options)

typedef struct rwa_allocation_report {
    rwa_outcome outcome;        /**< OPTIMAL: load_bytes is proven least; INFEASIBLE: no assignment serves every pair;
                                     UNDECIDED: this one does not serve every pair.  Served pairs have lightpaths in any
                                     case */
    char why[RWA_ERROR_TEXT];   /**< of INFEASIBLE and UNDECIDED: a remedy */
    const char *method;         /**< "flow" or "ilp": the method that found this answer */
    size_t pairs, served;
    uint64_t lightpaths;
    double load_bytes;          /**< the largest T / x of the pairs served, x its lightpaths */
    double bound_bytes;         /**< lower bound on load_bytes; INFINITY: not all pairs can be served */
    uint32_t slowest_src, slowest_dst;
    double transfer_s;          /**< load_bytes at the rate of a wavelength */
    double duty;                /**< share of the time spent transmitting, reconfiguring before each such transfer */
} rwa_allocation_report;

/** Lightpaths with wavelengths, each pair of nodes as many as it got.  Immutable. */
typedef struct rwa_allocation rwa_allocation;

/**
 * Find lightpaths on a ring for a traffic matrix that make the slowest transfer as fast as possible: the largest T / x
 * is as small as possible, where T is the traffic of a pair of nodes in bytes and x the number of its lightpaths.
 * Every lightpath gets a route, a fibre and a wavelength, and shares no channel with another one.
 * @param[out] out  new allocation, caller frees with rwa_allocation_free()
 * @param net       a ring; borrowed during the call
 * @return RWA_OK; RWA_BADARG: not a ring, another number of nodes, options out of range, an integer program too large;
 *         RWA_NOMEM; RWA_BACKEND; RWA_CANCELLED.  Cost of RWA_RING_FLOW: some 40 packings of O(lightpaths * channels *
 *         hops / 64) each
 */
RWA_API rwa_status rwa_allocation_make(rwa_allocation **out, const rwa_traffic *traffic, const rwa_network *net,
                                     const rwa_allocation_options *opts, rwa_error *err);
RWA_API void rwa_allocation_free(rwa_allocation *ring);
RWA_API const rwa_allocation_report *rwa_allocation_summary(const rwa_allocation *ring);
/** Return the number of lightpaths for flow number `flow`, from 0, of the traffic. */
RWA_API uint32_t rwa_allocation_count(const rwa_allocation *ring, size_t flow);
/** Return lightpath i, from 0 and below `lightpaths` of the report, in the order of the flows: its src, dst, direction,
 *  fibre and wavelength.  Step and orbit are 1, all other members 0. */
RWA_API rwa_lightpath rwa_allocation_lightpath(const rwa_allocation *ring, uint64_t i);

/** ---- Placement: sub-operations onto devices (SiP-ML, Algorithm 1) -------------------------------------------- */

/** A sub-operation: one device computes it without interruption. */
typedef struct rwa_task {
    double duration_s;
    double memory_bytes;        /**< on its device, all the time */
    double gradient_bytes;      /**< the replicas of the model add up this many after each iteration */
} rwa_task;

/** The data that one sub-operation sends to another. */
typedef struct rwa_task_edge {
    uint32_t from, to;
    double bytes;
} rwa_task_edge;

/** A directed acyclic graph of sub-operations.  Immutable. */
typedef struct rwa_tasks rwa_tasks;

/**
 * Create a task graph from its sub-operations and edges.
 * @param[out] out      new task graph, caller frees with rwa_tasks_free()
 * @param tasks, edges  copied; parallel edges are allowed
 * @param names         NULL, or one per task; copied
 * @return RWA_OK; RWA_BADARG: no task or more than 2^28, an edge outside the tasks or on a cycle (it is named), a value
 *         that is negative or not finite; RWA_NOMEM.  Cost O(tasks + edges)
 */
RWA_API rwa_status rwa_tasks_create(rwa_tasks **out, const rwa_task *tasks, const char *const *names, size_t count,
                                    const rwa_task_edge *edges, size_t edge_count, rwa_error *err);

/**
 * Read a task graph; "-" is standard input.
 * {"tasks":[{"name":"A","duration":1e-3,"memory":4e6,"gradient":1e6},…], "edges":[["A","B",5e5],…]}: seconds and bytes;
 * only duration is needed; an edge names its tasks or gives their numbers.
 * @param[out] out  as in rwa_tasks_create()
 * @return RWA_OK; RWA_FORMAT with FILE and member; RWA_IO; RWA_NOMEM
 */
RWA_API rwa_status rwa_tasks_read(rwa_tasks **out, const char *path, rwa_error *err);
RWA_API void rwa_tasks_free(rwa_tasks *tasks);

/**
 * Copy a task graph with every operation split into round(duration / quantum) equal sub-operations, at least 1 and at
 * most `most` (SiP-ML, Section 3.2 (i)).  Every sub-operation of a consumer reads an equal share from every
 * sub-operation of the producer.
 * @param[out] out  as in rwa_tasks_create()
 * @return RWA_OK; RWA_BADARG: a quantum that is no number above 0, most 0, more than 2^28 tasks; RWA_NOMEM.  Cost
 *         O(most * most * edges) at worst
 */
RWA_API rwa_status rwa_tasks_split(rwa_tasks **out, const rwa_tasks *tasks, double quantum_s, uint32_t most,
                                   rwa_error *err);

RWA_API size_t rwa_tasks_count(const rwa_tasks *tasks);
RWA_API rwa_task rwa_tasks_task(const rwa_tasks *tasks, size_t i);
RWA_API const char *rwa_tasks_name(const rwa_tasks *tasks, size_t i);   /**< NULL when it has none */
RWA_API size_t rwa_tasks_edges(const rwa_tasks *tasks);
RWA_API rwa_task_edge rwa_tasks_edge(const rwa_tasks *tasks, size_t i); /**< in no particular order */

typedef struct rwa_placement_options {
    size_t struct_size;         /**< set by init */
    uint32_t devices;           /**< k: one replica of the model uses k devices; default 1 */
    uint32_t replicas;          /**< l, each on k devices of its own; default 1.  Device d of replica r is node r k +
                                     d */
    uint32_t degree;            /**< D: a device may send to D others; with several replicas one of them is the next
                                     replica's device.  0: no limit (default) */
    double memory_bytes;        /**< of a device; 0: no limit (default) */
    rwa_poll poll;
    void *poll_data;
} rwa_placement_options;

RWA_INIT(rwa_placement_options)

typedef struct rwa_placement_report {
    rwa_outcome outcome;        /**< OPTIMAL: the makespan equals its bound; UNDECIDED or INFEASIBLE: the tasks do not
                                     fit,
                                     see why; then devices and starts have no meaning */
    char why[RWA_ERROR_TEXT];
    uint32_t devices, replicas;
    uint32_t distance;          /**< Delta: consumers may be this far ahead of a device (modulo k) */
    double makespan_s;          /**< of one iteration without communication */
    double bound_s;             /**< lower bound on makespan_s: the critical path, or all work shared by k devices */
    uint32_t reach;             /**< the result was found with this reach: no sub-operation is further ahead of its
                                     foremost producer; at most `distance` */
    uint64_t repairs;           /**< sub-operations whose producers were too far apart */
    uint64_t moved;             /**< sub-operations moved by repairs, each time counted */
    double busiest_s, idlest_s; /**< work of the device with most and with least of it */
    double memory_bytes;        /**< on the fullest device */
} rwa_placement_report;

/** A device and a start for every sub-operation.  Immutable. */
typedef struct rwa_placement rwa_placement;

/**
 * Place the sub-operations on k devices in topological order.  Position p of a line is device p modulo k.  Each
 * sub-operation goes to one of the positions that are 0 … Delta ahead of each of its producers
 * (rwa_placement_report.distance): to the one whose device is free first.  If there is no such position, producers move
 * to the closest positions that allow one.  Tasks that are then more than Delta ahead of a producer move too, until
 * none is; why this ends is in docs/guide/place.md.  Beyond the paper, the function tries the reaches Delta, Delta/2,
 * Delta/4 … in place of Delta and keeps the fastest result.
 * @param[out] out  new placement, caller frees with rwa_placement_free()
 * @param tasks     copied
 * @return RWA_OK; RWA_BADARG: no device or more than 2^20, no replica, more than RWA_NODES_MAX nodes, a degree that
 *         leaves no peer; RWA_NOMEM; RWA_CANCELLED.  Cost O(tasks * Delta + edges), and O(tasks + edges) for each
 *         repair at worst
 */
RWA_API rwa_status rwa_placement_make(rwa_placement **out, const rwa_tasks *tasks, const rwa_placement_options *opts,
                                      rwa_error *err);
RWA_API void rwa_placement_free(rwa_placement *placement);
RWA_API const rwa_placement_report *rwa_placement_summary(const rwa_placement *placement);
RWA_API uint32_t rwa_placement_device(const rwa_placement *placement, size_t task);  /**< 0 … devices - 1 */
RWA_API double rwa_placement_start(const rwa_placement *placement, size_t task);     /**< seconds */

/**
 * Compute the bytes from node to node in one iteration.  In every replica they are those of the edges between devices.
 * With l > 1 replicas a ring all-reduce of the gradients adds 2 (l-1) / l of the gradients of each device, sent to the
 * same device of the next replica.
 * @param[out] out  as in rwa_traffic_create()
 * @return RWA_OK; RWA_BADARG: the placement was refused, or a single node, which has no traffic matrix; RWA_NOMEM
 */
RWA_API rwa_status rwa_placement_traffic(rwa_traffic **out, const rwa_placement *placement, rwa_error *err);

/** The time of one iteration with its communication. */
typedef struct rwa_iteration {
    double compute_s;       /**< sub-operations and the transfers between them; the slowest replica */
    double reduce_s;        /**< the all-reduce of the gradients, after that */
    double time_s;          /**< the sum */
} rwa_iteration;

/**
 * Compute the time of an iteration over circuits that stay up.  A sub-operation starts when its input has arrived and
 * its device is free.  A transfer starts when its producer has ended and all circuits of its pair of nodes are free,
 * and uses them all.  Sub-operations on a device, and transfers on a pair, keep their order of placement.
 * @param rate_bps  of one circuit
 * @return RWA_OK; RWA_BADARG: the placement was refused; circuits of another number of nodes or of several episodes, or
 *         none for a pair with traffic; RWA_NOMEM.  Cost O(replicas * (tasks + edges) log nodes)
 */
RWA_API rwa_status rwa_placement_time(rwa_iteration *out, const rwa_placement *placement, const rwa_circuits *circuits,
                                      double rate_bps, rwa_error *err);

#endif
