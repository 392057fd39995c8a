/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Explains why a request is blocked, and finds one change that would let it through. */
#include "state/state.h"

#include "base/text.h"
#include "network/network.h"
#include "routing/path_tree.h"
#include "solvers/runs.h"

struct inquiry {
    struct rwa_state *state;
    struct request *request;
    struct tried tried;
    rwa_obstacle *out;
    struct path_tree tree;
    bool *shut;                 /* of each arc: its channel is taken */
    uint32_t *links;            /* nodes: the route found */
    struct pairs_tried pairs;   /* route pairs of a request with a backup */
    bool fits_alone;            /* the request fits without its backup */
    uint64_t release;           /* the first lightpath whose release lets the request fit; RWA_NO_LIGHTPATH: none */
    rwa_error *err;
    struct arena arena;
};

static void report_channel(const struct inquiry *q, uint32_t channel)
{
    q->out->fiber = channel % q->state->fibers;
    q->out->wavelength = channel / q->state->fibers;
}

/* ---- the obstacle ---- */

/** Tell whether some modulation format can carry the request over a route.  If so, set the width of q->request to the
 *  one that it has in this format. */
static bool fits_format(struct inquiry *q, const struct choice *route)
{
    bool fits = false;
    return request_fit(&fits, q->state, q->request, route, NULL) == RWA_OK && fits;
}

/** Tell whether no modulation format can carry the request over any of the routes tried, whatever channels are
 *  free. */
static bool is_too_far(struct inquiry *q)
{
    for (uint32_t i = 0; i < q->tried.count; i++) {
        struct choice route = request_route(q->state, q->request, &q->tried, i);
        if (fits_format(q, &route))
            return false;
    }
    return q->tried.count > 0;
}

/** Return why a request without a backup is blocked.  If that is due to one link, store the link in q->out. */
static rwa_obstacle_kind find_obstacle(struct inquiry *q)
{
    struct rwa_state *s = q->state;
    if (q->tried.count == 0)
        return RWA_OBSTACLE_NO_ROUTE;
    if (is_too_far(q))
        return RWA_OBSTACLE_NO_FORMAT;
    struct choice route = request_route(s, q->request, &q->tried, 0);
    q->out->link = failed_on(s, route.links, route.hops);
    if (q->out->link != RWA_NONE)
        return RWA_OBSTACLE_FAILED_LINK;
    for (uint32_t k = 0; k < route.hops; k++)
        if (free_lowest(s, &route.links[k], 1, q->request->span, q->request->mask) == NO_CHANNEL) {
            q->out->link = route.links[k];
            return RWA_OBSTACLE_FULL_LINK;
        }
    return RWA_OBSTACLE_NO_COMMON_CHANNEL;
}

/* ---- another route ---- */

/** Find the route with the fewest links on which the channels that the request needs, from `channel` on, are free.
 *  Store it in q->links, and return its number of links; 0: there is none. */
static uint32_t search_channel(struct inquiry *q, uint32_t channel)
{
    const struct rwa_state *s = q->state;
    const struct routing_graph *r = &s->routes.graph;
    uint32_t src = q->request->asked.src, dst = q->request->asked.dst;
    for (uint32_t a = 0; a < r->arcs; a++)
        q->shut[a] = !is_free_span(s, s->carrier[a], channel, q->request->span);
    return path_tree_between(&q->tree, r, r->length, src, dst, NULL, NULL, q->shut)
               ? (uint32_t)tree_path(q->links, r, q->tree.arc, src, dst) : 0;
}

/** Find the shortest route that has a free channel for the request, among all routes, not only those that are tried.
 *  *works: there is one, which q->out then describes. */
static rwa_status try_other_route(struct inquiry *q, bool *works)
{
    struct rwa_state *s = q->state;
    uint32_t most = s->routes.max_hops ? s->routes.max_hops : s->nodes, best = NO_CHANNEL, least = 0,
             span = q->request->span;
    for (uint32_t channel = 0; channel < s->channels; channel++) {
        const uint64_t *mask = q->request->mask;
        uint32_t hops = !mask || runs_have(mask, s->words, channel) ? search_channel(q, channel) : 0;
        if (hops > 0 && hops <= most && (best == NO_CHANNEL || hops < least)) {
            best = channel;
            least = hops;
        }
    }
    if (best == NO_CHANNEL)
        return RWA_OK;
    search_channel(q, best);
    *works = fits_format(q, &(struct choice){q->links, least, best}) && q->request->span <= span;
    if (!*works)
        return RWA_OK;
    memcpy(s->given, q->links, least * sizeof *s->given);   /* overwrites the request's own links, which are no
                                                               longer needed */
    q->out->links = s->given;
    q->out->hops = least;
    report_channel(q, best);
    return RWA_OK;
}

/* ---- other changes ---- */

/** Set *fits to whether the request, with its backup if it asks for one, fits the current state.  The state does not
 *  change. */
static rwa_status try_request(struct rwa_state *s, const struct request *request, bool *fits, rwa_error *err)
{
    struct request copy = *request;
    struct choice choice;
    MUST(state_choose(s, &copy, &choice, NULL, err));
    *fits = choice.hops > 0;
    return RWA_OK;
}

rwa_status explain_move(struct rwa_state *s, const struct request *request, uint32_t slot, const uint64_t *allowed,
                       bool *fits, uint32_t *channel, rwa_error *err)
{
    struct slot *one = slot_at(s, slot);
    uint32_t own = one->channel;
    bool works = false;
    *fits = false;
    *channel = NO_CHANNEL;
    MUST(switching_prepare(s, slot, err));
    switching_leave(s, slot);
    rwa_status st = try_request(s, request, fits, err);
    bool moves = *fits && one->other == NO_SLOT && is_whole(s, slot) && !state_is_held(s, slot);
    if (moves && !allowed && find_places(s, slot_links(s, slot), one->hops, slot_span(one), NULL))
        allowed = memcpy(s->open, s->places, s->words * sizeof *s->open);
    for (uint32_t c = NO_CHANNEL; moves && allowed && *channel == NO_CHANNEL && st == RWA_OK;) {
        if ((c = runs_next(allowed, s->words, c + 1)) == NO_CHANNEL)
            break;
        one->channel = c;
        state_set_slot(s, slot, false);
        st = try_request(s, request, &works, err);
        state_set_slot(s, slot, true);
        *channel = works ? c : NO_CHANNEL;
    }
    one->channel = own;
    switching_replay(s, switching_end(s), false);
    state_set_live(s, slot, true);
    return st;
}

/** Find a lightpath that can move to another channel of its route so that the request fits.  *works: there is one,
 *  which q->out then names.  Also store in q->release the first lightpath whose release would be enough. */
static rwa_status try_move(struct inquiry *q, bool *works)
{
    struct rwa_state *s = q->state;
    for (uint32_t slot = s->slots.first; q->out->routes > 0 && slot != NO_SLOT && !*works;
         slot = slot_at(s, slot)->after) {
        bool fits = false;
        uint32_t channel = NO_CHANNEL;
        MUST(explain_move(s, q->request, slot, NULL, &fits, &channel, q->err));
        *works = channel != NO_CHANNEL;
        if (*works)
            report_channel(q, channel);
        q->out->id = *works ? slot_at(s, slot)->id : RWA_NO_LIGHTPATH;
        if (fits && q->release == RWA_NO_LIGHTPATH)
            q->release = slot_at(s, slot)->id;
    }
    return RWA_OK;
}

static rwa_status try_release(struct inquiry *q, bool *works)
{
    q->out->id = q->release;
    *works = q->release != RWA_NO_LIGHTPATH;
    return RWA_OK;
}

/** Find a failed link, node or risk group whose repair lets the request fit.  *works: there is one, which q->out then
 *  names.  The state is as before. */
static rwa_status try_repair(struct inquiry *q, bool *works)
{
    struct rwa_state *s = q->state;
    rwa_status st = RWA_OK;
    for (uint32_t e = 0; e < state_elements(s) && !*works && st == RWA_OK; e++) {
        if (!s->marked[e])
            continue;
        MUST(switching_prepare(s, NO_SLOT, q->err));
        state_fail(s, e, false);
        switching_update(s);
        st = try_request(s, q->request, works, q->err);
        switching_replay(s, switching_end(s), false);
        if (*works)
            q->out->repair_kind = state_kind(s, e, &q->out->repair);
        state_fail(s, e, true);
    }
    if (st == RWA_OK)   /* the trial has dropped the cached routes, and q->tried with them */
        st = request_routes(s, q->request, &q->tried, q->err);
    return st;
}

/** Find a node on a route where a wavelength converter would help: some channel is free on all links before the node,
 *  and some channel on all links after it.  *works: there is one, which q->out then names. */
static rwa_status try_converter(struct inquiry *q, bool *works)
{
    struct rwa_state *s = q->state;
    for (uint32_t i = 0; i < q->tried.count && !q->request->mask && !*works; i++) {
        struct choice route = request_route(s, q->request, &q->tried, i);
        if (failed_on(s, route.links, route.hops) != RWA_NONE || !fits_format(q, &route))
            continue;
        for (uint32_t k = 1; k < route.hops && !*works; k++) {
            *works = free_lowest(s, route.links, k, q->request->span, NULL) != NO_CHANNEL &&
                     free_lowest(s, route.links + k, route.hops - k, q->request->span, NULL) != NO_CHANNEL;
            if (*works)
                q->out->node = s->routes.graph.from[route.links[k]];
        }
    }
    return RWA_OK;
}

/** Set q->out->remedy to the first kind of change, in a fixed order, that lets the request fit; q->out then describes
 *  the change.  Another route and a converter are not tried for a request with a backup. */
static rwa_status find_remedy(struct inquiry *q)
{
    static const struct {
        rwa_remedy_kind remedy;
        bool backed_up;     /* the change is also tried with a backup */
        rwa_status (*try)(struct inquiry *q, bool *works);
    } changes[] = {{RWA_REMEDY_ROUTE, false, try_other_route},
                {RWA_REMEDY_MOVE, true, try_move},
                {RWA_REMEDY_REPAIR, true, try_repair},
                {RWA_REMEDY_CONVERTER, false, try_converter},
                {RWA_REMEDY_RELEASE, true, try_release}};
    bool works = false, alone = q->request->asked.protection == RWA_PROTECTION_NONE;
    for (size_t i = 0; i < sizeof changes / sizeof *changes && !works; i++) {
        if (alone || changes[i].backed_up)
            MUST(changes[i].try(q, &works));
        q->out->remedy = works ? changes[i].remedy : RWA_REMEDY_NONE;
    }
    return RWA_OK;
}

/** Set q->out->kind to the reason why a request with a backup is blocked, and q->fits_alone to whether it would fit
 *  without the backup. */
static rwa_status find_backup_obstacle(struct inquiry *q)
{
    struct request alone = *q->request;
    struct choice choice;
    alone.asked.protection = RWA_PROTECTION_NONE;
    MUST(request_choose(q->state, &alone, &choice, q->err));
    q->fits_alone = choice.hops > 0;
    q->out->kind = q->tried.count == 0                            ? RWA_OBSTACLE_NO_ROUTE
                   : q->pairs.count > 0 && !q->pairs.fits_format ? RWA_OBSTACLE_NO_FORMAT
                                                                  : RWA_OBSTACLE_NO_BACKUP;
    return RWA_OK;
}

static rwa_status explain(struct inquiry *q)
{
    const struct rwa_state *s = q->state;
    struct protected_choice pair = {.tried = {0}};
    bool fits = false, alone = q->request->asked.protection == RWA_PROTECTION_NONE;
    if (alone)
        MUST(try_request(q->state, q->request, &fits, q->err));
    else
        MUST(protect_choose(q->state, q->request, &pair, q->err));
    MUST(request_routes(q->state, q->request, &q->tried, q->err));
    q->pairs = pair.tried;
    q->out->routes = alone ? q->tried.count : q->pairs.count;
    if (fits || pair.route[0].hops > 0)
        return RWA_OK;
    arena_new(&q->arena, q->shut, s->links);
    MUST(arena_arrays(&q->arena, s->nodes, q->links));
    MUST(path_tree_create(&q->tree, &s->routes.graph, q->err));
    if (alone)
        q->out->kind = find_obstacle(q);
    else
        MUST(find_backup_obstacle(q));
    return find_remedy(q);
}

/* ---- the text ---- */

enum { LINK_TEXT = 2 * NODE_TEXT + 64 };

static void name_link(char *to, const rwa_network *net, uint32_t number)
{
    rwa_link link = rwa_network_link(net, number);
    snprintf(to, LINK_TEXT, "link %u, from node %s to node %s", number,
             network_node_text((char[NODE_TEXT]){0}, net, link.from),
             network_node_text((char[NODE_TEXT]){0}, net, link.to));
}

static void describe_pairs(const struct inquiry *q)
{
    char *to = q->out->text;
    if (q->pairs.count > 0)
        text_append(to, "no pair of routes tried, without a common link or risk group, has a place on both");
    else
        text_append(to, "no two routes without a common link or risk group %s%s",
                 q->pairs.all ? "lead there" : "were found", q->state->routes.max_hops ? " within max_hops" : "");
}

static void describe_obstacle(const struct inquiry *q)
{
    char *to = q->out->text;
    const rwa_obstacle *o = q->out;
    const char *which = q->request->asked.links ? "given" : "shortest";
    char what[64];
    if (q->request->span == 1)
        snprintf(what, sizeof what, "%s", q->request->mask ? "channel that is asked for" : "channel");
    else
        snprintf(what, sizeof what, "block of %u slots%s", q->request->span,
                 q->request->mask ? " that is asked for" : "");
    char link[LINK_TEXT] = "";
    if (o->link != RWA_NONE)
        name_link(link, q->state->net, o->link);
    switch (o->kind) {
    case RWA_OBSTACLE_NONE: text_append(to, "it fits"); break;
    case RWA_OBSTACLE_NO_ROUTE:
        text_append(to, "no route leads there%s", q->state->routes.max_hops ? " within max_hops" : "");
        break;
    case RWA_OBSTACLE_FAILED_LINK:
        text_append(to, "%s, on the given route has failed", link);
        break;
    case RWA_OBSTACLE_FULL_LINK:
        text_append(to, "no %s is free on %s, of the %s route", what, link, which);
        break;
    case RWA_OBSTACLE_NO_FORMAT:
        text_append(to, "no modulation format carries the rate over %s",
                 q->pairs.count > 0 ? "both routes of any pair tried" : "any route tried");
        break;
    case RWA_OBSTACLE_NO_BACKUP:
        describe_pairs(q);
        break;
    case RWA_OBSTACLE_NO_COMMON_CHANNEL:
        text_append(to, "every link of the %s route has a %s free, but none is free on all of them", which, what);
        break;
    }
}

static void describe_repair(const struct inquiry *q)
{
    const rwa_network *net = q->state->net;
    uint32_t number = q->out->repair;
    char what[LINK_TEXT];
    if (q->out->repair_kind == RWA_FAILURE_LINK)
        name_link(what, net, number);
    else if (q->out->repair_kind == RWA_FAILURE_NODE)
        snprintf(what, sizeof what, "node %s", network_node_text((char[NODE_TEXT]){0}, net, number));
    else
        snprintf(what, sizeof what, "risk group %u", number);
    text_append(q->out->text, "it would fit if %s were repaired", what);
}

static void describe_remedy(const struct inquiry *q)
{
    char *to = q->out->text;
    const rwa_obstacle *o = q->out;
    unsigned long long id = o->id;
    char end[NODE_TEXT];
    switch (o->remedy) {
    case RWA_REMEDY_NONE:
        if (q->fits_alone)
            text_append(to, "it would fit without protection");
        else
            text_append(to, "no single change%s would be enough",
                     q->request->asked.transmission || q->request->asked.protection ? " that was tried" : "");
        break;
    case RWA_REMEDY_ROUTE:
        text_append(to, "another route, of %u hops, has fibre %u, wavelength %u free", o->hops, o->fiber,
                 o->wavelength);
        break;
    case RWA_REMEDY_MOVE:
        text_append(to, "it would fit if lightpath %llu moved to fibre %u, wavelength %u", id, o->fiber,
                 o->wavelength);
        break;
    case RWA_REMEDY_REPAIR: describe_repair(q); break;
    case RWA_REMEDY_CONVERTER:
        text_append(to, "it would fit with a wavelength converter at node %s",
                 network_node_text(end, q->state->net, o->node));
        break;
    case RWA_REMEDY_RELEASE: text_append(to, "it would fit if lightpath %llu were released", id); break;
    default: assert(false);
    }
}

static void describe(const struct inquiry *q)
{
    char *to = q->out->text, src[NODE_TEXT], dst[NODE_TEXT];
    text_append(to, "node %s to node %s: ", network_node_text(src, q->state->net, q->out->src),
                network_node_text(dst, q->state->net, q->out->dst));
    describe_obstacle(q);
    if (q->out->kind == RWA_OBSTACLE_NONE)
        return;
    text_append(to, "; ");
    describe_remedy(q);
}

rwa_status rwa_state_explain_sized(rwa_obstacle *out, size_t size, rwa_state *state, const rwa_request *request,
                                   rwa_error *err)
{
    BEGIN(err, out, state, request);
    struct request taken;
    rwa_obstacle found = {.link = RWA_NONE, .node = RWA_NONE, .repair = RWA_NONE};
    struct inquiry q = {.state = state, .request = &taken, .out = &found, .err = err, .arena = {.err = err}};
    rwa_status st = RWA_OK;
    TRY(request_take(state, &taken, request, NULL, err));
    found.src = taken.asked.src;
    found.dst = taken.asked.dst;
    TRY(explain(&q));
    describe(&q);
done:
    base_give_answer(out, size, &found, sizeof found);
    path_tree_free(&q.tree);
    arena_free(&q.arena);
    return st;
}
