/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Dynamic use, for controllers: the occupied channels of a network.  Lightpaths are set up, released and moved, and
 *  each operation can be undone. */
#ifndef RWA_STATE_H
#define RWA_STATE_H

#include "rwa/assign.h"

/** The choice among the free channels of a route; for a lightpath of several slots, among the places where it fits.
 *  First-fit (last-fit) takes the lowest (highest) wavelength, then fibre.  Most-used (least-used) takes the
 *  wavelengths in use on most (fewest) links, the lowest of equals.  Random takes any of them with equal probability.
 *  Exact-fit takes the smallest block of slots free on the whole route, the lowest of equals, and its low end.
 *  Least-fragmentation takes the place that leaves the links of the route with the fewest blocks of free slots, the
 *  lowest of equals. */
typedef enum rwa_policy {
    RWA_POLICY_FIRST_FIT = 0,
    RWA_POLICY_LAST_FIT = 1,
    RWA_POLICY_MOST_USED = 2,   /**< also called best-fit or pack */
    RWA_POLICY_LEAST_USED = 3,  /**< also called spread */
    RWA_POLICY_RANDOM = 4,
    RWA_POLICY_EXACT_FIT = 5,
    RWA_POLICY_LEAST_FRAGMENTATION = 6
} rwa_policy;

/** The choice of a route.  No route crosses a failed link. */
typedef enum rwa_routing {
    RWA_ROUTING_SHORTEST = 0,       /**< fixed: the shortest by hops, then by kilometres; no other is tried */
    RWA_ROUTING_ALTERNATE = 1,      /**< fixed-alternate: the `paths` shortest, the first that has a free channel */
    RWA_ROUTING_LEAST_LOADED = 2    /**< of the `paths` shortest the one with most free channels, or places (L. Li and
                                         A. K.  Somani, IEEE/ACM Transactions on Networking 7(5), 1999), the shortest of
                                         equals */
} rwa_routing;

/** Return the name of a policy, such as "first-fit"; NULL for a value outside the enum.  rwa_routing_name() does the
 *  same for a routing, such as "least-loaded". */
RWA_API const char *rwa_policy_name(rwa_policy policy);
RWA_API const char *rwa_routing_name(rwa_routing routing);
/** Return the rwa_policy that has this name ("best-fit" is most-used); -1: there is none.  rwa_routing_find() does the
 *  same for an rwa_routing. */
RWA_API int rwa_policy_find(const char *name);
RWA_API int rwa_routing_find(const char *name);

/** The most guard slots of a lightpath in a state. */
#define RWA_GUARD_MAX UINT16_MAX
/** No lightpath has this id. */
#define RWA_NO_LIGHTPATH UINT64_C(0)
/** The policy chooses. */
#define RWA_ANY_CHANNEL UINT32_MAX

typedef struct rwa_state_options {
    size_t struct_size;     /**< set by init */
    rwa_model model;        /**< 0: rwa_network_model() */
    uint32_t paths;         /**< candidate routes for each pair of nodes; default 3 */
    uint32_t max_hops;      /**< most hops of a candidate route; 0: no limit (default) */
    uint32_t history;       /**< most operations that can be undone; default 1024 */
    uint64_t seed;          /**< of RWA_POLICY_RANDOM; default 1 */
    int sync;               /**< of rwa_state_open(): 0 (default): answered operations survive a crash of the process;
                                 1: also a power failure, at the cost of a write to the disk for each */
    int batch;              /**< of rwa_state_open(): 0 (default): as `sync` says; 1: only after rwa_state_commit(),
                                 with one write for all operations since the last: a crash, also of the process, loses
                                 those, although they were answered */
} rwa_state_options;

RWA_INIT(rwa_state_options)

/** A request for a lightpath.  Start it with rwa_request_init(). */
typedef struct rwa_request {
    size_t struct_size;     /**< set by init */
    uint32_t src, dst;
    rwa_routing routing;    /**< default: shortest */
    rwa_policy policy;      /**< default: first-fit */
    const uint32_t *links;  /**< NULL: by `routing`; else hops directed links in travel order, from src to dst */
    uint32_t hops;
    uint32_t fiber;         /**< RWA_ANY_CHANNEL (default): by `policy` */
    uint32_t wavelength;    /**< RWA_ANY_CHANNEL (default): by `policy`; the lowest slot of several */
    uint32_t width;         /**< neighbouring slots (wavelengths) on one fibre; 0 (default): 1, or in a move as many as
                                 before */
    uint32_t guard;         /**< slots kept free above them, at most RWA_GUARD_MAX; default 0; in a move with width 0 as
                                 before */
    /** NULL, or routes carry rate_bps in a modulation format that reaches: each takes the slots of its format (`width`
     *  is ignored; on fixed channels one), and a route without such a format is left out.  Borrowed. */
    const rwa_transmission *transmission;
    double rate_bps;        /**< what it carries, kept for files; 0 (default): not known, or with a transmission the
                                 network's */
    /** Default: none.  With a backup `routing` chooses among pairs of routes, the shortest together first: the shortest
     *  pair, the first of `paths` pairs with a place on both, or the pair whose fuller route has most places.  The
     *  shorter route is the working route, and `fiber` and `wavelength` are for it; a dedicated backup takes a place by
     *  `policy`, a shared one the place that takes the fewest free channels, the highest of equals.  Not with given
     *  links, and not in a move. */
    rwa_protection protection;
    const char *tag;        /**< a text of the caller's, at most RWA_TAG_MAX bytes of UTF-8 without control characters,
                                 copied; NULL (default): none.  A move ignores it: lightpaths keep their tags */
} rwa_request;

RWA_API void rwa_request_init_sized(rwa_request *request, size_t size, uint32_t src, uint32_t dst);
#define rwa_request_init(r, src, dst) rwa_request_init_sized((r), sizeof *(r), (src), (dst))

/** A lightpath of a state, or the lightpath that a request would get. */
typedef struct rwa_placed {
    uint64_t id;            /**< its number: 1, 2, … in the order of rwa_state_add(), kept by rwa_state_write() and
                                 _read(); unique, never reused; RWA_NO_LIGHTPATH: blocked, or the result of
                                 rwa_state_try() */
    uint32_t src, dst;
    uint32_t hops;          /**< 0: blocked */
    const uint32_t *links;  /**< directed, in travel order, numbered as in rwa_network_link(); until the next call on
                                 the state */
    uint32_t fiber, wavelength; /**< the lowest of its slots */
    int down;               /**< 1: a link of its route has failed; of a backup see rwa_state_backup() */
    uint32_t width, guard;  /**< slots of its signal, and of the guard above them */
    rwa_protection protection;  /**< the protection asked for, also where a move has released the backup */
    double rate_bps;        /**< its bit rate; 0: not known */
    const char *modulation; /**< the name of its modulation format, which lives as long as the state; NULL: not
                                 known */
    const char *tag;        /**< its tag, until it is released; NULL: it has none, or the result of rwa_state_try() */
} rwa_placed;

/** The occupancy of a network.  One thread at a time; states of one network may be used by several threads. */
typedef struct rwa_state rwa_state;

/**
 * Create a state without lightpaths.  Its failed links and reserved channels are those of the network.
 * @param[out] out  new state, caller frees with rwa_state_free()
 * @param net       copied; kinds star, ron and ocs are RWA_BADARG
 * @param opts      NULL for the defaults
 * @return RWA_OK; RWA_BADARG: opts->paths of 0, the undirected model where a link has no link back; RWA_NOMEM.  Memory
 *         O(links * channels / 8) bytes
 */
RWA_API rwa_status rwa_state_create(rwa_state **out, const rwa_network *net, const rwa_state_options *opts,
                                    rwa_error *err);
/**
 * Open a state that survives crashes: every operation is appended to a journal, a file (docs/reference/formats.md),
 * before the call returns.  The state begins as the journal ended, with the same lightpaths, ids, tags, failures, lit
 * backups, random numbers, marks and operations that can be undone.  An operation that cannot be appended fails with
 * RWA_IO, and the state is unchanged.
 * A rewritten journal has two parts: the lightpaths before the operations that can be undone, then these operations.
 * The journal is rewritten when it is 128 KiB longer than twice its length after the last rewriting, or, if none came
 * since the state was opened, than twice the length of its first part.  rwa_state_import(), rwa_state_read() and an
 * opening with another opts->history rewrite it too.  If rewriting fails, the journal keeps growing.
 * rwa_state_mark() and rwa_state_count() are 0 for a new journal, and for one that holds no operation and no lightpath
 * any more.  No call lists what is marked as failed: after an opening ask rwa_state_is_failed() for each link, node and
 * risk group.
 * @param[out] out  as in rwa_state_create()
 * @param net       as in rwa_state_create(); for an existing journal of the same nodes, links, fibres, wavelengths and
 *                  reserved channels, but the failed links are those of the journal
 * @param opts      as in rwa_state_create(); seed is for a new journal
 * @param path      copied; no file there, or an empty one: a new journal.  One state at a time has it open; do not
 *                  rename or change it meanwhile
 * @return RWA_OK; RWA_FORMAT with FILE:LINE and the remedy: no journal, of another network or model, or damaged (a last
 *         line that a crash cut short is dropped, since its call had not returned); RWA_IO: cannot be read or written,
 *         or another state has it open; RWA_BADARG, RWA_NOMEM.  Cost some microseconds for each lightpath and operation
 */
RWA_API rwa_status rwa_state_open(rwa_state **out, const rwa_network *net, const rwa_state_options *opts,
                                  const char *path, rwa_error *err);
/** Write to the journal the operations that wait for this call (rwa_state_options.batch).  At 128 KiB they are written
 *  without it.  After a crash the state is that of the last commit, or a later one.  RWA_IO: the operations wait for
 *  the next call. */
RWA_API rwa_status rwa_state_commit(rwa_state *state, rwa_error *err);
/** Free a state.  Its journal stays on disk.  Operations that wait for rwa_state_commit() are written if that is
 *  possible. */
RWA_API void rwa_state_free(rwa_state *state);

/* ---- lightpaths ---- */

/**
 * Set up a lightpath on one channel, the same fibre and wavelength on every link; or on request->width neighbouring
 * ones, with request->guard more above them.
 * The state computes the routes of a pair of nodes once, and keeps about 64 MiB of routes.  A call without a tag
 * allocates no memory if the routes are kept and as many lightpaths of that length have been up before.  Cost
 * O(routes * (hops + log(width)) * channels / 64); all policies but first-fit, last-fit and random O(channels * hops)
 * more.
 * @param[out] out  the new lightpath; blocked: out->hops is 0, and the state is unchanged
 * @return RWA_OK also when blocked; RWA_BADARG: a node, fibre or wavelength outside the network, src = dst, given links
 *         that are not a simple path from src to dst, a tag that breaks the rules of rwa_request.tag; RWA_NOMEM;
 *         RWA_IO: the journal cannot be written.  On failure the state is unchanged
 */
RWA_API rwa_status rwa_state_add(rwa_placed *out, rwa_state *state, const rwa_request *request, rwa_error *err);
/** Find the lightpath that rwa_state_add() would set up now, without a change of the state; out->id is
 *  RWA_NO_LIGHTPATH.  Status as rwa_state_add(), but not RWA_IO. */
RWA_API rwa_status rwa_state_try(rwa_placed *out, rwa_state *state, const rwa_request *request, rwa_error *err);
/** Release a lightpath, and its backup.  RWA_BADARG: no lightpath has this id.  RWA_IO: the journal cannot be written.
 *  RWA_NOMEM: possible only with a journal, or if the lightpath's shared backup carries its signal, since other backups
 *  may then take over its channels. */
RWA_API rwa_status rwa_state_release(rwa_state *state, uint64_t id, rwa_error *err);
/**
 * Move a lightpath to another route or channel, for example around a failed link.  Its own channels count as free, and
 * it keeps its id.  Its backup is released; rwa_state_protect() gives it a new one.  Blocked: out->hops is 0, and the
 * lightpath is unchanged.  Status as rwa_state_add(); RWA_BADARG also for other ends.
 */
RWA_API rwa_status rwa_state_move(rwa_placed *out, rwa_state *state, uint64_t id, const rwa_request *request,
                                  rwa_error *err);

/* ---- failures ---- */

/** What can fail. */
typedef enum rwa_failure {
    RWA_FAILURE_LINK = 0,   /**< a directed link; in the undirected model its fibre pair */
    RWA_FAILURE_NODE = 1,   /**< a node: all links into it and out of it, so all lightpaths that end at or pass it */
    RWA_FAILURE_GROUP = 2   /**< a risk group of the network, numbered as in rwa_network_risk_group(): its links */
} rwa_failure;

/**
 * rwa_state_fail() marks a link, node or risk group as failed, rwa_state_repair() as repaired.  A link works when
 * neither the link itself nor its nodes nor any of its risk groups is marked as failed.
 * Lightpaths across a failed link keep their channels.  Their backups carry the signal without a further call, where
 * they can (rwa_state_condition()).  A dedicated backup can when its own links work; a shared one when its own links
 * work and no other lit backup is on one of its channels.  A shared backup then stays lit until its working route is
 * repaired, a link of its own fails, or its lightpath is released or moved.  If one event asks for several backups on
 * one channel, the lightpaths that carried a signal until then come first, by id, then those that waited, by id.
 * A call that changes nothing is no operation for rwa_state_undo().  Routes that the state keeps (rwa_state_add()) are
 * computed anew after a change.
 * @return RWA_OK; RWA_BADARG: no such link, node or group; RWA_NOMEM; RWA_IO: the journal cannot be written.  On
 *         failure the state is unchanged.  Cost O(links + hops of all lightpaths with shared backups)
 */
RWA_API rwa_status rwa_state_fail(rwa_state *state, rwa_failure kind, uint32_t number, rwa_error *err);
RWA_API rwa_status rwa_state_repair(rwa_state *state, rwa_failure kind, uint32_t number, rwa_error *err);
/** Return 1 if a link, node or risk group is marked as failed, by rwa_state_fail() or as a failed link of the network
 *  at the start.  Return 2 for a link that is not marked, but one of its nodes or risk groups is.  Return 0 for what
 *  works or does not exist. */
RWA_API int rwa_state_is_failed(const rwa_state *state, rwa_failure kind, uint32_t number);

/** Where a lightpath carries its signal, and whether the next failure can stop it. */
typedef enum rwa_condition {
    RWA_CONDITION_UNPROTECTED = 1,  /**< on its route; no backup was asked for */
    RWA_CONDITION_PROTECTED = 2,    /**< on its route; after the failure of any one more link or risk group it still
                                         carries */
    RWA_CONDITION_EXPOSED = 4,      /**< on its route, and has lost protection: if its route alone failed now, it would
                                         be down, since its backup crosses a failed link, meets another lit backup on
                                         a channel or was released by a move */
    RWA_CONDITION_ON_BACKUP = 8,    /**< its route has failed, its backup carries; the next failure there stops it */
    RWA_CONDITION_DOWN = 16         /**< carries nothing */
} rwa_condition;

/** Return the rwa_condition of a lightpath; 0: no lightpath has this id. */
RWA_API int rwa_state_condition(const rwa_state *state, uint64_t id);
/**
 * Return the least id above `id` (RWA_NO_LIGHTPATH: of all) of the lightpaths that are in one of the conditions and
 * have the tag; RWA_NO_LIGHTPATH: there is none.  O(1) if the lightpath `id` exists and the next one fits, else
 * O(lightpaths).
 * @param conditions  or-ed: RWA_CONDITION_EXPOSED | RWA_CONDITION_ON_BACKUP lists those to protect anew; 0: any
 * @param tag         several lightpaths may have the same; NULL: any or none
 */
RWA_API uint64_t rwa_state_next_in(const rwa_state *state, uint64_t id, int conditions, const char *tag);
#define rwa_state_next(state, id) rwa_state_next_in((state), (id), 0, NULL)

/* ---- after a failure ---- */

/**
 * Give a lightpath a new backup, and release its former one.  The new backup shares no link and no risk group with the
 * route on which the signal runs now.  It shares no channel with that signal, nor with any backup that the same failure
 * can call for.  If the signal runs on the former backup, that becomes the working route.  This is one operation for
 * rwa_state_undo().
 * @param[out] out  the backup, as rwa_state_backup().  Blocked: out->hops is 0 and the state is unchanged, because no
 *                  such route has free channels, or because the signal runs on a backup whose channels other backups
 *                  share: protect those first (RWA_CONDITION_EXPOSED), then this one
 * @param request   src and dst of the lightpath; protection: NONE for the kind it had, else the new kind; routing,
 *                  policy, fiber, wavelength, width and transmission are of the backup, as in rwa_state_move(); no
 *                  links
 * @return RWA_OK also when blocked; RWA_BADARG as rwa_state_move(), and for a lightpath that is down or, if the request
 *         names no protection, never had a backup; RWA_NOMEM; RWA_IO: the journal cannot be written.  On failure the
 *         state is unchanged.  Cost of the candidate routes on a network without links of the route: O(links + paths *
 *         hops searches)
 */
RWA_API rwa_status rwa_state_protect(rwa_placed *out, rwa_state *state, uint64_t id, const rwa_request *request,
                                     rwa_error *err);

/** What comes first when lightpaths are restored. */
typedef enum rwa_restore_order {
    RWA_RESTORE_MOST_TRAFFIC = 0,   /**< by bit rate, where it is not known by slots times rwa_network_rate_bps(),
                                         highest first, then by id; for each the first that works of a move of its own,
                                         and one after another lightpath has made way */
    RWA_RESTORE_FEWEST_MOVES = 1    /**< likewise, but none makes way while a move of its own restores some
                                         lightpath */
} rwa_restore_order;

/** A restoration; an answer in the sense of docs/reference/versions.md. */
typedef struct rwa_restoration {
    uint32_t down;          /**< lightpaths that were down */
    uint32_t restored;      /**< of them carry again */
    uint32_t cut_off;       /**< of them have no route left, within max_hops; restored + cut_off == down: no other
                                 order or choice of channels restores more */
    uint32_t moves;         /**< lightpaths moved, those restored and those that made way */
    const uint64_t *ids;    /**< their ids in the order of the moves, until the next call on the state: one that made
                                 way stands directly before the one restored by that, and an id may stand twice */
    double down_bps, restored_bps, cut_off_bps; /**< traffic of those lightpaths */
} rwa_restoration;

/**
 * Move lightpaths that are down to new routes, in the given order.  Lightpaths that are up keep their signal.  One of
 * them that has no backup may make way: it changes to another channel of its own route, which is free before it leaves
 * the old one.  Channels held for a plan (RWA_HOLD_TAG) stay, and out->down does not count them: rwa_plan_repair()
 * mends the plan, before this call (rwa_state_hold()).  Backups of the restored lightpaths are released:
 * rwa_state_protect() gives new ones, best after all are restored.
 * Passes repeat until one restores none.  So in the end no lightpath that is down can be restored by a move of its own,
 * nor by such a move after one other lightpath has made way for it.  In the order by traffic, the first lightpath is
 * restored if such moves can restore it.  More is not promised: restoring the most traffic is NP-hard.
 * The call changes the state before any device is set, so ask the state about the new routes.  Each move is an
 * operation for rwa_state_undo(); rwa_state_rollback() to a mark taken before discards them all, as far as the history
 * reaches.
 * @param size  sizeof *out; the macro rwa_state_restore() passes it
 * @param how   NULL: RWA_ROUTING_ALTERNATE, first-fit; else routing, policy and transmission for the new routes; slots
 *              as before unless a transmission says otherwise
 * @return RWA_OK; RWA_BADARG; RWA_NOMEM, RWA_IO (the journal cannot be written): moves made until then stay, and are in
 *         *out.  Cost of a pass O(down * lightpaths * channels) times that of rwa_state_try()
 */
RWA_API rwa_status rwa_state_restore_sized(rwa_restoration *out, size_t size, rwa_state *state, rwa_restore_order order,
                                           const rwa_request *how, rwa_error *err);
#define rwa_state_restore(out, ...) rwa_state_restore_sized((out), sizeof(rwa_restoration), __VA_ARGS__)

/* ---- undoing ---- */

/** Undo the last `count` operations.  Lightpaths get back their ids, routes and channels; failures and lit
 *  backups are as before.  RWA_BADARG: the history holds fewer operations; RWA_IO, RWA_NOMEM: the journal cannot be
 *  written.  On failure the state is unchanged. */
RWA_API rwa_status rwa_state_undo(rwa_state *state, uint32_t count, rwa_error *err);
/** Return a mark for rwa_state_rollback(): the number of operations done and not undone. */
RWA_API uint64_t rwa_state_mark(const rwa_state *state);
/** Undo all operations since a mark, for example a proposal.  Errors as rwa_state_undo(); RWA_BADARG also if operations
 *  before the mark were undone.  A state opened from the journal after a crash between mark and rollback still has
 *  these operations.  It does not have them with rwa_state_options.batch, if rwa_state_commit() was called before the
 *  mark and their lines in the journal do not exceed 128 KiB. */
RWA_API rwa_status rwa_state_rollback(rwa_state *state, uint64_t mark, rwa_error *err);

/* ---- obstacles ---- */

/** The obstacle of a request. */
typedef enum rwa_obstacle_kind {
    RWA_OBSTACLE_NONE = 0,      /**< the request fits */
    RWA_OBSTACLE_NO_ROUTE,      /**< no route, or none within max_hops */
    RWA_OBSTACLE_FAILED_LINK,   /**< the given route crosses a failed link: `link` */
    RWA_OBSTACLE_FULL_LINK,     /**< no requested channel is free on `link` */
    RWA_OBSTACLE_NO_COMMON_CHANNEL, /**< every link of the route has a free channel, but none is free on all */
    RWA_OBSTACLE_NO_FORMAT,         /**< no modulation format of the request's transmission carries the rate over any
                                         candidate route */
    RWA_OBSTACLE_NO_BACKUP          /**< of a request with protection: no pair of candidate routes without a common link
                                         or risk group exists, or none has a place on both */
} rwa_obstacle_kind;

typedef struct rwa_obstacle {
    rwa_obstacle_kind kind;     /**< of the first candidate route */
    uint32_t link;              /**< directed */
    uint32_t src, dst;          /**< the ends of the request */
    uint32_t routes;            /**< the number of candidate routes; with protection of candidate pairs */
    rwa_remedy_kind remedy;     /**< NONE, ROUTE, MOVE, REPAIR, CONVERTER or RELEASE */
    uint64_t id;                /**< of remedy MOVE, RELEASE */
    uint32_t fiber, wavelength; /**< remedy ROUTE: of the new lightpath; MOVE: the new channel of lightpath `id` */
    uint32_t node;              /**< of remedy CONVERTER */
    uint32_t repair;            /**< of remedy REPAIR: the number of what is to be repaired */
    rwa_failure repair_kind;    /**< of remedy REPAIR: a link, node or risk group */
    const uint32_t *links;      /**< of remedy ROUTE: hops directed links, until the next call on the state */
    uint32_t hops;
    char text[RWA_ERROR_TEXT];  /**< obstacle and remedy in one line */
} rwa_obstacle;

/**
 * Explain why a request for a new lightpath is blocked, and find one change that lets it in.  The changes are tried in
 * this order: route, move, repair, converter, release; with protection only move, repair and release, and the request
 * then gets in with its backup.  The state stays unchanged.  A blocked move, backup or restoration cannot be
 * explained.  Cost O(channels * links), that of rwa_state_try() for every lightpath and failed link, and one search for
 * routes for every failed link.
 * @param size  sizeof *out; the macro rwa_state_explain() passes it
 * @return RWA_OK, also if the request is not blocked, or if no change lets it in; errors as rwa_state_add(), but not
 *         RWA_IO
 */
RWA_API rwa_status rwa_state_explain_sized(rwa_obstacle *out, size_t size, rwa_state *state, const rwa_request *request,
                                           rwa_error *err);
#define rwa_state_explain(out, ...) rwa_state_explain_sized((out), sizeof(rwa_obstacle), __VA_ARGS__)

/* ---- queries ---- */

RWA_API const rwa_network *rwa_state_network(const rwa_state *state);   /**< the copy */
RWA_API rwa_model rwa_state_model(const rwa_state *state);
RWA_API size_t rwa_state_count(const rwa_state *state);                 /**< lightpaths */
/** Set *out to the lightpath of an id and return 1; 0: there is none. */
RWA_API int rwa_state_get(rwa_placed *out, const rwa_state *state, uint64_t id);
/** Set *out to the backup of a lightpath, with the lightpath's id and the backup's route and channel, and return 1; 0:
 *  it has no backup.  out->down is 1 if a link of the backup has failed, or if another lit backup is on one of its
 *  channels.  Channels of backups are not free.  rwa_state_get(), rwa_state_next() and rwa_state_count() do not list
 *  backups by themselves. */
RWA_API int rwa_state_backup(rwa_placed *out, const rwa_state *state, uint64_t id);
/** Return the tag of a lightpath, which lives until the lightpath is released; NULL: no tag, or no lightpath has this
 *  id. */
RWA_API const char *rwa_state_tag(const rwa_state *state, uint64_t id);
/** Return 1 if this channel of a directed link exists and is neither occupied nor reserved, and the link works; else
 *  0. */
RWA_API int rwa_state_is_free(const rwa_state *state, uint32_t link, uint32_t fiber, uint32_t wavelength);
RWA_API uint32_t rwa_state_free_channels(const rwa_state *state, uint32_t link);    /**< of a directed link; 0: no such
                                                                                         one */

/** How the free slots of the links are split into blocks; an answer in the sense of docs/reference/versions.md.
 *  Failed links are left out. */
typedef struct rwa_fragmentation {
    double external;        /**< 1 - (largest free block / free slots) of a fibre, on average over those with free
                                 slots; 0: one block each */
    double entropy;         /**< -sum over the free blocks of (size / slots) ln (size / slots), on average over the
                                 fibres (P. Wright, M. C. Parker and A. Lord, J. Opt. Commun. Netw. 7(2), 2015) */
    double blocks;          /**< free blocks of a fibre, on average */
    uint32_t highest;       /**< the highest slot taken, plus 1 */
} rwa_fragmentation;

/** Measure how the free slots of each fibre are split into free blocks, runs of neighbouring free slots.  The macro
 *  rwa_state_fragmentation() passes size = sizeof *out.  O(links * slots). */
RWA_API void rwa_state_fragmentation_sized(rwa_fragmentation *out, size_t size, const rwa_state *state);
#define rwa_state_fragmentation(out, state) rwa_state_fragmentation_sized((out), sizeof(rwa_fragmentation), (state))

/** The moves of a defragmentation; an answer in the sense of docs/reference/versions.md. */
typedef struct rwa_defragmentation {
    uint32_t moves;         /**< lightpaths moved */
    rwa_fragmentation before, after;
} rwa_defragmentation;

/**
 * Move lightpaths to lower slots of their routes, beginning with the lightpath in the highest slots, until none can
 * move or `most` have moved.  Every move is hitless: the new slots are free before the lightpath leaves the old ones,
 * and the two do not overlap, so it can light both while it switches over.  Lightpaths that are down, have a backup or
 * are held for a plan (RWA_HOLD_TAG) stay.  Each move is an operation for rwa_state_undo(); rwa_state_rollback() to a
 * mark taken before undoes them all, as far as the history reaches.
 * @param size  sizeof *out; the macro rwa_state_defragment() passes it
 * @param most  0: as many as help
 * @return RWA_OK; RWA_NOMEM, RWA_IO (the journal cannot be written): moves made until then stay.  Cost O(lightpaths *
 *         (log(lightpaths) + links * slots / 64)) for each pass
 */
RWA_API rwa_status rwa_state_defragment_sized(rwa_defragmentation *out, size_t size, rwa_state *state, uint32_t most,
                                              rwa_error *err);
#define rwa_state_defragment(out, ...) rwa_state_defragment_sized((out), sizeof(rwa_defragmentation), __VA_ARGS__)

/* ---- plans beside lightpaths ---- */

/**
 * Make the network that is left for plans and assignments: the state's network with the links that are failed now,
 * where every channel that a lightpath or a backup holds is reserved on its links.  Names, positions, lengths, fibres
 * and risk groups stay.  rwa_plan_make() and rwa_assignment_make() avoid reserved channels, link by link.
 * If no channel is held, the kind of the network stays.  Else it is RWA_GRAPH: in the directed model link i is link i
 * of the state's network; in the undirected model a channel is reserved in both directions, and fibre pair e has the
 * links 2e and 2e + 1.
 * @param[out] out  new network, caller frees with rwa_network_free()
 * @return RWA_OK; RWA_NOMEM.  Cost O(links * channels)
 */
RWA_API rwa_status rwa_state_residual(rwa_network **out, const rwa_state *state, rwa_error *err);

/** The beginning of the tags of channels held for plans.  rwa_state_defragment() does not move these channels, and
 *  rwa_state_explain() proposes no other channel for them. */
#define RWA_HOLD_TAG "plan:"

/**
 * Hold the channels that a schedule uses, on each link those of all its steps together: the schedule can then run from
 * its first step to its last beside the lightpaths of the state.  In the undirected model a channel that the schedule
 * uses in either direction of a fibre pair is held in both.  Nothing is held on failed links: in a repaired
 * schedule only the steps before the failure use them, and these are over.
 * The state keeps held channels as lightpaths of one link, one for each run of neighbouring channels; files and
 * rwa_state_next_in() show them by their tag.  Each run is an operation; rwa_state_rollback() to a mark taken before
 * undoes them all, as far as the history reaches.
 * rwa_plan_repair() knows the network of the schedule, not the lightpaths set up since.  So repair a plan, release its
 * tag and hold the repaired schedule before rwa_state_restore() or other operations take channels.
 * @param sched  on a network of the same nodes and links
 * @param step   0: all steps; else this step alone
 * @param tag    copied; begins with RWA_HOLD_TAG; rwa_state_release_tag() gives the channels back
 * @return RWA_OK; RWA_BADARG: other links, a channel that is not free or not in the network, no such step or tag;
 *         RWA_NOMEM.  On failure the state is unchanged, as far as the history reaches; but RWA_IO, if the journal
 *         cannot be written, can leave runs held (rwa_state_release_tag()).  Cost O(lightpaths of the schedule *
 *         hops * log degree + links * channels)
 */
RWA_API rwa_status rwa_state_hold(rwa_state *state, const rwa_schedule *sched, uint32_t step, const char *tag,
                                  rwa_error *err);
/** Release all lightpaths that have a tag, one operation each.  RWA_BADARG: none has it.  Other errors as
 *  rwa_state_release(); some lightpaths may then be released already. */
RWA_API rwa_status rwa_state_release_tag(rwa_state *state, const char *tag, rwa_error *err);

/* ---- import and export ---- */

/** Make an assignment of the lightpaths: one demand each, by id, with ids, backups, rates, formats and tags, on the
 *  network with the links that are failed now.  Lightpaths across a failed link are marked as down.  The caller frees
 *  it with rwa_assignment_free().  RWA_NOMEM. */
RWA_API rwa_status rwa_state_export(rwa_assignment **out, const rwa_state *state, rwa_error *err);
/** Write the assignment of rwa_state_export() to a file for `rwa check` (docs/guide/networks.md), whole or not at
 *  all; path as rwa_schedule_write(). */
RWA_API rwa_status rwa_state_write(const rwa_state *state, const char *path, rwa_error *err);

/**
 * Set up all lightpaths of an assignment beside those of the state, then mark the failed links of its network as
 * failed.  On failure the state is unchanged.  Success clears the history: rwa_state_undo() cannot go back further.
 * Lightpaths keep the ids that they have in the assignment (rwa_assignment_lightpath()); others get new ids in their
 * order.  The next id is one that neither the state nor the assignment has given.  A lightpath and its backup become
 * one protected lightpath.  Shared backups whose working routes have failed are lit unless they are marked as down; of
 * two on one channel the first is lit.  Options, `history` included, and random numbers stay those of the state.
 * @param result  of the same nodes, links and model; demands without a route are left out
 * @return RWA_OK; RWA_BADARG: other links, another model, an occupied, reserved or unknown channel, a lightpath across
 *         a link that failed in the state and works in the assignment, a lightpath that changes its channel, an id that
 *         a lightpath of the state has; RWA_NOMEM; RWA_IO: the journal cannot be written
 */
RWA_API rwa_status rwa_state_import(rwa_state *state, const rwa_assignment *result, rwa_error *err);
/** Read an assignment file and import it; errors of rwa_assignment_read() and rwa_state_import(). */
RWA_API rwa_status rwa_state_read(rwa_state *state, const char *path, rwa_error *err);

#endif
