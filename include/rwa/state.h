/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Dynamic use, for controllers: the occupied channels of a network; lightpaths are added, released, moved and undone. */
#ifndef RWA_STATE_H
#define RWA_STATE_H

#include "rwa/assign.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which of the free channels of a route is taken: that of lowest (highest) wavelength, then fibre; of the wavelength that
 *  most (fewest) links of the network use already, the lowest of equals; any, with equal chance. */
typedef enum rwa_policy {
    RWA_POLICY_FIRST_FIT = 0,
    RWA_POLICY_LAST_FIT = 1,
    RWA_POLICY_MOST_USED = 2,   /**< also called best-fit or pack */
    RWA_POLICY_LEAST_USED = 3,  /**< also called spread */
    RWA_POLICY_RANDOM = 4
} rwa_policy;

/** Which route is taken.  Routes are those of the network as it stands, without its failed links. */
typedef enum rwa_routing {
    RWA_ROUTING_SHORTEST = 0,       /**< fixed: the shortest by hops, then by kilometres; no other is tried */
    RWA_ROUTING_ALTERNATE = 1,      /**< fixed-alternate: the `paths` shortest, the first that has a free channel */
    RWA_ROUTING_LEAST_LOADED = 2    /**< of the `paths` shortest that with most channels free all along (L. Li and A. K.
                                         Somani, IEEE/ACM Transactions on Networking 7(5), 1999), the shortest of equals */
} rwa_routing;

/** "first-fit", "least-loaded"; NULL for no such policy or routing. */
RWA_API const char *rwa_policy_name(rwa_policy policy);
RWA_API const char *rwa_routing_name(rwa_routing routing);
/** The one of that name, "best-fit" being most-used; -1 when there is none. */
RWA_API int rwa_policy_find(const char *name);
RWA_API int rwa_routing_find(const char *name);

/** No lightpath has this id. */
#define RWA_NO_LIGHTPATH UINT64_C(0)
/** The policy chooses. */
#define RWA_ANY_CHANNEL UINT32_MAX

typedef struct rwa_state_options {
    size_t struct_size;     /**< set by init */
    rwa_model model;        /**< 0: rwa_network_model() */
    uint32_t paths;         /**< routes known for each pair of nodes; default 3 */
    uint32_t max_hops;      /**< no route that is searched for is longer; 0: no limit (default) */
    uint32_t history;       /**< the last operations that can be undone; default 1024; 0: none can */
    uint64_t seed;          /**< of RWA_POLICY_RANDOM; default 1 */
} rwa_state_options;

RWA_API void rwa_state_options_init_sized(rwa_state_options *opts, size_t size);
#define rwa_state_options_init(o) rwa_state_options_init_sized((o), sizeof *(o))

/** A request for a lightpath.  Start it with rwa_request_init(). */
typedef struct rwa_request {
    size_t struct_size;     /**< set by init */
    uint32_t src, dst;
    rwa_routing routing;    /**< default: shortest */
    rwa_policy policy;      /**< default: first-fit */
    const uint32_t *links;  /**< NULL: by `routing`; else hops directed links in travel order, from src to dst */
    uint32_t hops;
    uint32_t fiber;         /**< RWA_ANY_CHANNEL (default): by `policy` */
    uint32_t wavelength;    /**< RWA_ANY_CHANNEL (default): by `policy` */
} rwa_request;

RWA_API void rwa_request_init_sized(rwa_request *request, size_t size, uint32_t src, uint32_t dst);
#define rwa_request_init(r, src, dst) rwa_request_init_sized((r), sizeof *(r), (src), (dst))

/** A lightpath of a state, or the one that a request would get. */
typedef struct rwa_placed {
    uint64_t id;            /**< never used again for another; RWA_NO_LIGHTPATH: blocked, or only asked about */
    uint32_t src, dst;
    uint32_t hops;          /**< 0: blocked */
    const uint32_t *links;  /**< directed, in travel order, numbered as in rwa_network_link(); until the next call on the state */
    uint32_t fiber, wavelength;
    int down;               /**< 1: a link on its way has failed */
} rwa_placed;

/** The occupancy of a network.  One thread at a time; states of one network may be used by several threads. */
typedef struct rwa_state rwa_state;

/**
 * A network on which no lightpath is up; failed links and reserved channels as the network says.
 * @param[out] out  new state, caller frees with rwa_state_free()
 * @param net       copied; kinds star, ron and ocs are RWA_BADARG
 * @param opts      NULL for the defaults
 * @return RWA_OK; RWA_BADARG: no path, the undirected model on links without a way back; RWA_NOMEM.
 *         Memory O(links * channels / 8) bytes
 */
RWA_API rwa_status rwa_state_create(rwa_state **out, const rwa_network *net, const rwa_state_options *opts, rwa_error *err);
RWA_API void rwa_state_free(rwa_state *state);

/* ---- lightpaths ---- */

/**
 * Set up a lightpath: one channel, the same fibre and wavelength all along.
 * Routes of a pair of nodes are searched for once and kept, about 64 MiB of them.  Where they are known, and as many
 * lightpaths of that length have been up before, nothing is allocated.
 * Cost O(routes * hops * channels / 64), most-used and least-used O(channels) more.
 * @param[out] out  where it runs; blocked: out->hops is 0, and nothing has changed
 * @return RWA_OK also when blocked; RWA_BADARG: a node, fibre or wavelength that the network has not, src = dst, given links
 *         that are no simple path from src to dst; RWA_NOMEM.  On failure nothing has changed
 */
RWA_API rwa_status rwa_state_add(rwa_placed *out, rwa_state *state, const rwa_request *request, rwa_error *err);
/** The result that rwa_state_add() would have now; changes nothing; out->id is RWA_NO_LIGHTPATH. */
RWA_API rwa_status rwa_state_try(rwa_placed *out, rwa_state *state, const rwa_request *request, rwa_error *err);
/** Take a lightpath down.  RWA_BADARG: no lightpath has this id. */
RWA_API rwa_status rwa_state_release(rwa_state *state, uint64_t id, rwa_error *err);
/**
 * Place a lightpath anew, as on another channel, or around a failed link; its own channels count as free meanwhile.  It keeps
 * its id.  Blocked: out->hops is 0, and it stays where it is.  Status as rwa_state_add(); RWA_BADARG also for other ends.
 */
RWA_API rwa_status rwa_state_move(rwa_placed *out, rwa_state *state, uint64_t id, const rwa_request *request, rwa_error *err);

/* ---- failed links ---- */

/**
 * A directed link fails (undirected model: its fibre pair), or works again.  Lightpaths across it keep their channels and
 * are down until then, or until they are moved or released.  What is so already stays so, and is no operation.
 * Routes are searched for anew.  RWA_BADARG: no such link.
 */
RWA_API rwa_status rwa_state_fail_link(rwa_state *state, uint32_t link, rwa_error *err);
RWA_API rwa_status rwa_state_repair_link(rwa_state *state, uint32_t link, rwa_error *err);

/* ---- undoing ---- */

/** Undo the last `count` operations: what came up goes down, what went down or moved comes back under its id, links fail and
 *  work as before.  RWA_BADARG, and nothing undone, when fewer are remembered. */
RWA_API rwa_status rwa_state_undo(rwa_state *state, uint32_t count, rwa_error *err);
/** A point to come back to: the number of operations done and not undone. */
RWA_API uint64_t rwa_state_mark(const rwa_state *state);
/** Undo all operations since a mark.  RWA_BADARG: undone already, or more of them than are remembered. */
RWA_API rwa_status rwa_state_rollback(rwa_state *state, uint64_t mark, rwa_error *err);

/* ---- obstacles ---- */

/** The obstacle of a request. */
typedef enum rwa_obstacle_kind {
    RWA_OBSTACLE_NONE = 0,      /**< it would fit */
    RWA_OBSTACLE_NO_ROUTE,      /**< no way leads there, or none short enough */
    RWA_OBSTACLE_FAILED_LINK,   /**< the given route crosses a failed link: `link` */
    RWA_OBSTACLE_FULL_LINK,     /**< no channel that is wanted is free on `link` */
    RWA_OBSTACLE_NO_COMMON_CHANNEL  /**< every link of the route has a free channel, but none is free on all */
} rwa_obstacle_kind;

typedef struct rwa_obstacle {
    rwa_obstacle_kind kind;     /**< of the first route that would have been tried */
    uint32_t link;              /**< directed */
    uint32_t src, dst;          /**< the first route: its ends and */
    uint32_t routes;            /**< how many routes were tried */
    rwa_remedy_kind remedy;     /**< NONE, ROUTE, MOVE, REPAIR, CONVERTER or RELEASE */
    uint64_t id;                /**< of remedy MOVE, RELEASE */
    uint32_t fiber, wavelength; /**< of remedy ROUTE: of the new lightpath; MOVE: where the other one goes */
    uint32_t node;              /**< of remedy CONVERTER */
    uint32_t repair;            /**< of remedy REPAIR: the directed link */
    const uint32_t *links;      /**< of remedy ROUTE: hops directed links, until the next call on the state */
    uint32_t hops;
    char text[RWA_ERROR_TEXT];  /**< obstacle and remedy in one line */
} rwa_obstacle;

/**
 * The obstacle of a request, and one change that removes it: the first that works of route, move, repair, converter and
 * release.  Changes nothing.
 * Cost O(channels * links + lightpaths * hops), with failed links as many searches for routes.
 * @return as rwa_state_add()
 */
RWA_API rwa_status rwa_state_explain_sized(rwa_obstacle *out, size_t size, rwa_state *state, const rwa_request *request,
                                           rwa_error *err);
#define rwa_state_explain(out, ...) rwa_state_explain_sized((out), sizeof(rwa_obstacle), __VA_ARGS__)

/* ---- queries ---- */

RWA_API const rwa_network *rwa_state_network(const rwa_state *state);   /**< the copy */
RWA_API rwa_model rwa_state_model(const rwa_state *state);
RWA_API size_t rwa_state_count(const rwa_state *state);                 /**< lightpaths */
/** The lightpath of an id; 0 when there is none. */
RWA_API int rwa_state_get(rwa_placed *out, const rwa_state *state, uint64_t id);
/** The lightpath after one in some order that only changes with the state, from RWA_NO_LIGHTPATH on; RWA_NO_LIGHTPATH at the
 *  end.  Gone ones are skipped; amortised O(1). */
RWA_API uint64_t rwa_state_next(const rwa_state *state, uint64_t id);
/** The same for those that are down. */
RWA_API uint64_t rwa_state_next_down(const rwa_state *state, uint64_t id);
/** 1: a lightpath may take this channel of a directed link: it is there, not taken, not reserved, and the link works. */
RWA_API int rwa_state_is_free(const rwa_state *state, uint32_t link, uint32_t fiber, uint32_t wavelength);
RWA_API uint32_t rwa_state_free_channels(const rwa_state *state, uint32_t link);    /**< of a directed link; 0: no such one */
RWA_API int rwa_state_is_failed(const rwa_state *state, uint32_t link);

/* ---- import and export ---- */

/** The lightpaths as an assignment, a demand each, by their ids, on the network with the links that are failed now; those
 *  across them are down.  Caller frees.  RWA_NOMEM. */
RWA_API rwa_status rwa_state_export(rwa_assign_result **out, const rwa_state *state, rwa_error *err);
/** The same to a file that `rwa check` judges (docs/networks.md), whole or not at all; path as rwa_schedule_write(). */
RWA_API rwa_status rwa_state_write(const rwa_state *state, const char *path, rwa_error *err);

/**
 * Set up all lightpaths of an assignment beside those that are up, then let the links fail that failed on its network; or nothing of
 * that.  Nothing before it can be undone.
 * @param result  of the same nodes, links and model; demands that got no route are left out
 * @return RWA_OK; RWA_BADARG: other links, another model, a channel that is taken, reserved or not there, a lightpath
 *         across a link that failed here and not there, a lightpath that changes its channel on the way; RWA_NOMEM
 */
RWA_API rwa_status rwa_state_import(rwa_state *state, const rwa_assign_result *result, rwa_error *err);
/** The same from an assignment file; errors of its reader too. */
RWA_API rwa_status rwa_state_read(rwa_state *state, const char *path, rwa_error *err);
/** The same for the lightpaths of one step of a schedule on the same network, directed model only. */
RWA_API rwa_status rwa_state_import_step(rwa_state *state, const rwa_schedule *sched, uint32_t step, rwa_error *err);

#ifdef __cplusplus
}
#endif
#endif
