/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Why a request is blocked, and one change that would let it through. */
#include "state/state.h"

#include "network/network.h"
#include "routing/path_tree.h"

/** The lightpaths that block one place of a route. */
struct blocker {
    uint32_t slot;          /* the last one found */
    uint32_t lightpaths;
};

struct inquiry {
    struct rwa_state *state;
    struct request *request;
    struct tried tried;
    rwa_obstacle *out;
    bool *on_route;         /* carriers */
    struct blocker *blockers;   /* channels */
    uint32_t *queue, *reached_by;   /* nodes: breadth-first search */
    struct pair_survey pairs;   /* of a request with a backup */
    bool fits_alone;            /* it would fit without its backup */
    uint64_t *beside;           /* words: the places of a lightpath that moves */
    rwa_error *err;
    struct arena arena;
};

static bool is_allowed(const struct inquiry *q, uint32_t channel)
{
    return !q->request->mask || (q->request->mask[channel / 64] >> (channel % 64) & 1);
}

static void report_channel(const struct inquiry *q, uint32_t channel)
{
    q->out->fiber = channel % q->state->fibers;
    q->out->wavelength = channel / q->state->fibers;
}

/* ---- the obstacle ---- */

static void name_obstacle(struct inquiry *q)
{
    struct rwa_state *s = q->state;
    struct choice route;
    q->out->kind = RWA_OBSTACLE_NO_ROUTE;
    if (q->tried.count == 0)
        return;
    route = request_route(s, q->request, &q->tried, 0);
    q->out->link = failed_on(s, route.links, route.hops);
    q->out->kind = RWA_OBSTACLE_FAILED_LINK;
    if (q->out->link != RWA_NONE)
        return;
    q->out->kind = RWA_OBSTACLE_FULL_LINK;
    for (uint32_t k = 0; k < route.hops; k++)
        if (free_lowest(s, &route.links[k], 1, q->request->span, q->request->mask) == NO_CHANNEL) {
            q->out->link = route.links[k];
            return;
        }
    q->out->kind = RWA_OBSTACLE_NO_COMMON_CHANNEL;
}

/** Whether a format carries the request over a route; the request then takes its slots. */
static bool fits_format(struct inquiry *q, const struct choice *route)
{
    bool fits = false;
    return request_fit(&fits, q->state, q->request, route, NULL) == RWA_OK && fits;
}

/** The obstacle is the length of the routes, whatever is free. */
static bool is_too_far(struct inquiry *q)
{
    for (uint32_t i = 0; i < q->tried.count; i++) {
        struct choice route = request_route(q->state, q->request, &q->tried, i);
        if (fits_format(q, &route))
            return false;
    }
    return q->tried.count > 0;
}

/* ---- another route ---- */

/** The fewest links from src to dst on which the channel is free, into `links`; how many, 0: none. */
static uint32_t search_channel(struct inquiry *q, uint32_t channel, uint32_t *links)
{
    const struct rwa_state *s = q->state;
    const struct routing_graph *r = &s->routes.graph;
    uint32_t src = q->request->asked.src, dst = q->request->asked.dst, head = 0, tail = 0;
    for (uint32_t v = 0; v < s->nodes; v++)
        q->reached_by[v] = RWA_NONE;
    q->queue[tail++] = src;
    while (head < tail && q->reached_by[dst] == RWA_NONE) {
        uint32_t v = q->queue[head++];
        for (uint32_t i = r->out_first[v]; i < r->out_first[v + 1]; i++) {
            uint32_t a = r->out[i], to = r->to[a];
            if (to == src || q->reached_by[to] != RWA_NONE || !is_free_span(s, s->carrier[a], channel, q->request->span))
                continue;
            q->reached_by[to] = a;
            q->queue[tail++] = to;
        }
    }
    return (uint32_t)tree_path(links, r, q->reached_by, src, dst);
}

/** The shortest route that has a channel free, whether the routing would try it or not. */
static bool try_other_route(struct inquiry *q)
{
    const struct rwa_state *s = q->state;
    uint32_t most = s->routes.max_hops ? s->routes.max_hops : s->nodes, best = NO_CHANNEL, least = 0;
    uint32_t *links = s->given;     /* the route given there has been examined; this one stays until the next call */
    for (uint32_t channel = 0; channel < s->channels; channel++) {
        uint32_t hops = is_allowed(q, channel) ? search_channel(q, channel, links) : 0;
        if (hops > 0 && hops <= most && (best == NO_CHANNEL || hops < least)) {
            best = channel;
            least = hops;
        }
    }
    if (best == NO_CHANNEL)
        return false;
    search_channel(q, best, links);
    uint32_t span = q->request->span;
    if (!fits_format(q, &(struct choice){links, least, best}) || q->request->span > span)
        return false;
    q->out->links = links;
    q->out->hops = least;
    report_channel(q, best);
    return true;
}

/* ---- blocking lightpaths ---- */

/** A lightpath blocks the places whose slots overlap its own: from span - 1 slots below its lowest up to its highest. */
static void count_blocker(struct inquiry *q, uint32_t slot)
{
    const struct slot *one = &q->state->slots.list[slot];
    uint32_t fibers = q->state->fibers, below = one->channel / fibers;
    uint32_t reach = q->request->span - 1 < below ? q->request->span - 1 : below;
    for (uint32_t i = 0; i < reach + slot_span(one); i++) {
        struct blocker *b = &q->blockers[one->channel + (uint64_t)i * fibers - (uint64_t)reach * fibers];
        b->lightpaths++;
        b->slot = slot;
    }
}

static void count_blockers(struct inquiry *q, const struct choice *route)
{
    const struct rwa_state *s = q->state;
    memset(q->blockers, 0, s->channels * sizeof *q->blockers);
    for (uint32_t k = 0; k < route->hops; k++)
        q->on_route[s->carrier[route->links[k]]] = true;
    for (uint32_t slot = s->slots.first; slot != NO_SLOT; slot = s->slots.list[slot].after) {
        const uint32_t *links = slots_links(&s->slots, slot);
        uint32_t shared = 0;
        for (uint32_t k = 0; k < s->slots.list[slot].hops; k++)
            shared += q->on_route[s->carrier[links[k]]];
        if (shared > 0)
            count_blocker(q, slot);
    }
    for (uint32_t k = 0; k < route->hops; k++)
        q->on_route[s->carrier[route->links[k]]] = false;
}

static bool fits_at(const struct inquiry *q, const struct choice *route, uint32_t channel)
{
    for (uint32_t k = 0; k < route->hops; k++)
        if (!is_free_span(q->state, q->state->carrier[route->links[k]], channel, q->request->span))
            return false;
    return true;
}

/** One lightpath alone keeps the place from the route: nothing reserved does, and no missing fibre. */
static bool is_one_away(const struct inquiry *q, const struct choice *route, uint32_t channel)
{
    uint32_t slot = q->blockers[channel].slot;
    if (q->blockers[channel].lightpaths != 1 || !is_allowed(q, channel))
        return false;
    state_vacate(q->state, slot);
    bool fits = fits_at(q, route, channel);
    state_occupy(q->state, slot);
    return fits;
}

/** Another place on its route for a lightpath, beside the request at its own; the state is as before. */
static uint32_t place_beside(const struct inquiry *q, const struct choice *route, uint32_t channel, uint32_t slot)
{
    struct rwa_state *s = q->state;
    const struct slot *one = &s->slots.list[slot];
    state_vacate(s, slot);
    for (uint32_t k = 0; k < route->hops; k++)
        state_set(s, s->carrier[route->links[k]], channel, q->request->span, false);
    uint32_t place = free_lowest(s, slots_links(&s->slots, slot), one->hops, slot_span(one), NULL);
    for (uint32_t k = 0; k < route->hops; k++)
        state_set(s, s->carrier[route->links[k]], channel, q->request->span, true);
    state_occupy(s, slot);
    return place;
}

/** A lightpath that can leave its place for another one (move), or would have to go. */
static bool try_blockers(struct inquiry *q, bool move)
{
    assert(!q->out->id || move);
    const struct rwa_state *s = q->state;
    for (uint32_t i = 0; i < q->tried.count; i++) {
        struct choice route = request_route(s, q->request, &q->tried, i);
        if (failed_on(s, route.links, route.hops) != RWA_NONE || !fits_format(q, &route))
            continue;
        count_blockers(q, &route);
        for (uint32_t channel = 0; channel < s->channels; channel++) {
            if (!is_one_away(q, &route, channel))
                continue;
            uint32_t slot = q->blockers[channel].slot;
            const struct slot *one = &s->slots.list[slot];
            bool stays = one->other != NO_SLOT || failed_on(s, slots_links(&s->slots, slot), one->hops) != RWA_NONE;
            uint32_t other = move && !stays ? place_beside(q, &route, channel, slot) : NO_CHANNEL;
            if (move && other == NO_CHANNEL)
                continue;
            q->out->id = slots_id(&s->slots, slot);
            if (move)
                report_channel(q, other);
            return true;
        }
    }
    return false;
}

/* ---- other changes ---- */

/** Whether the request, with its backup if it asks for one, fits into the state as it stands. */
static rwa_status try_request(struct inquiry *q, bool *fits)
{
    struct request request = *q->request;
    struct protected_choice pair;
    struct choice choice;
    if (request.asked.protection == RWA_PROTECTION_NONE) {
        MUST(request_choose(q->state, &request, &choice, q->err));
        *fits = choice.hops > 0;
    } else {
        MUST(protect_choose(q->state, &request, &pair, q->err));
        *fits = pair.route[0].hops > 0;
    }
    return RWA_OK;
}

/** Whether it fits while one failed carrier works; the state is as before. */
static rwa_status try_repair(struct inquiry *q, bool *fits)
{
    struct rwa_state *s = q->state;
    rwa_status st = RWA_OK;
    *fits = false;
    for (uint32_t a = 0; a < s->links && !*fits && st == RWA_OK; a++) {
        if (!s->failed[s->carrier[a]])
            continue;
        MUST(switching_prepare(s, q->err));
        state_fail(s, s->carrier[a], false);
        switching_update(s);
        st = try_request(q, fits);
        switching_undo(s, switching_end(s));
        if (*fits)
            q->out->repair = a;
        state_fail(s, s->carrier[a], true);
    }
    if (st == RWA_OK)   /* the trial has dropped the cached routes, and with them these */
        st = request_routes(s, q->request, &q->tried, q->err);
    return st;
}

/** A node where a route could change its channel: one is free up to there, and one from there on. */
static bool try_converter(struct inquiry *q)
{
    struct rwa_state *s = q->state;
    for (uint32_t i = 0; i < q->tried.count && !q->request->mask; i++) {
        struct choice route = request_route(s, q->request, &q->tried, i);
        if (failed_on(s, route.links, route.hops) != RWA_NONE || !fits_format(q, &route))
            continue;
        uint32_t span = q->request->span;
        for (uint32_t k = 1; k < route.hops; k++)
            if (free_lowest(s, route.links, k, span, NULL) != NO_CHANNEL &&
                free_lowest(s, route.links + k, route.hops - k, span, NULL) != NO_CHANNEL) {
                q->out->node = s->routes.graph.from[route.links[k]];
                return true;
            }
    }
    return false;
}

/** Another route comes last in time, since it is put where a given one stands, and first in rank. */
static rwa_status find_remedy(struct inquiry *q)
{
    bool works = false;
    MUST(try_repair(q, &works));
    if (works)
        q->out->remedy = RWA_REMEDY_REPAIR;
    else if (try_converter(q))
        q->out->remedy = RWA_REMEDY_CONVERTER;
    else if (try_blockers(q, false))
        q->out->remedy = RWA_REMEDY_RELEASE;
    if (try_blockers(q, true))
        q->out->remedy = RWA_REMEDY_MOVE;
    if (try_other_route(q))
        q->out->remedy = RWA_REMEDY_ROUTE;
    return RWA_OK;
}

/* ---- requests with backups ---- */

/** Whether two routes share a carrier. */
static bool routes_meet(const struct rwa_state *s, const struct choice *route, const uint32_t *links, uint32_t hops)
{
    for (uint32_t k = 0; k < route->hops; k++)
        for (uint32_t i = 0; i < hops; i++)
            if (s->carrier[route->links[k]] == s->carrier[links[i]])
                return true;
    return false;
}

/** The lowest place on its own route for a lightpath that has left its channels, beside both routes of the request; NO_CHANNEL. */
static uint32_t place_beside_pair(const struct inquiry *q, const struct protected_choice *pair, uint32_t slot)
{
    struct rwa_state *s = q->state;
    const struct slot *one = &s->slots.list[slot];
    const uint32_t *links = slots_links(&s->slots, slot);
    memset(q->beside, 0xff, s->words * sizeof *q->beside);
    for (int r = 0; r < 2; r++) {
        const struct choice *route = &pair->route[r];
        uint32_t low = wavelength_of(s, route->channel), high = low + pair->request[r].span;
        if (!routes_meet(s, route, links, one->hops))
            continue;
        for (uint32_t channel = fiber_of(s, route->channel); channel < s->channels; channel += s->fibers)
            if (wavelength_of(s, channel) < high && low < wavelength_of(s, channel) + slot_span(one))
                q->beside[channel / 64] &= ~(UINT64_C(1) << channel % 64);
    }
    return free_lowest(s, links, one->hops, slot_span(one), q->beside);
}

/** A lightpath that can leave its place for another one (move), or would have to go; the state is as before. */
static rwa_status try_lightpaths(struct inquiry *q, bool move, bool *works)
{
    struct rwa_state *s = q->state;
    *works = false;
    for (uint32_t slot = s->slots.first; slot != NO_SLOT && !*works; slot = s->slots.list[slot].after) {
        const struct slot *one = &s->slots.list[slot];
        struct protected_choice pair;
        uint32_t place = NO_CHANNEL;
        if (move && (one->other != NO_SLOT || failed_on(s, slots_links(&s->slots, slot), one->hops) != RWA_NONE))
            continue;
        MUST(switching_is_lit(s, slot) ? switching_prepare(s, q->err) : RWA_OK);
        switching_leave(s, slot);
        rwa_status st = protect_choose(s, q->request, &pair, q->err);
        bool fits = st == RWA_OK && pair.route[0].hops > 0;
        if (fits && move)
            place = place_beside_pair(q, &pair, slot);
        switching_undo(s, switching_end(s));
        switching_return(s, slot);
        MUST(st);
        *works = fits && (!move || place != NO_CHANNEL);
        if (*works)
            q->out->id = slots_id(&s->slots, slot);
        if (*works && move)
            report_channel(q, place);
    }
    return RWA_OK;
}

/** The first that works of move, repair and release, each tried with the backup. */
static rwa_status find_backup_remedy(struct inquiry *q)
{
    bool works = false;
    if (q->pairs.count > 0)
        MUST(try_lightpaths(q, true, &works));
    if (works) {
        q->out->remedy = RWA_REMEDY_MOVE;
        return RWA_OK;
    }
    MUST(try_repair(q, &works));
    if (works) {
        q->out->remedy = RWA_REMEDY_REPAIR;
        return RWA_OK;
    }
    if (q->pairs.count > 0)
        MUST(try_lightpaths(q, false, &works));
    q->out->remedy = works ? RWA_REMEDY_RELEASE : RWA_REMEDY_NONE;
    return RWA_OK;
}

static rwa_status name_backup_obstacle(struct inquiry *q)
{
    struct request alone = *q->request;
    struct choice choice;
    alone.asked.protection = RWA_PROTECTION_NONE;
    MUST(request_choose(q->state, &alone, &choice, q->err));
    MUST(request_routes(q->state, &alone, &q->tried, q->err));
    q->fits_alone = choice.hops > 0;
    q->out->kind = q->tried.count == 0                            ? RWA_OBSTACLE_NO_ROUTE
                   : q->pairs.count > 0 && !q->pairs.fits_format ? RWA_OBSTACLE_NO_FORMAT
                                                                  : RWA_OBSTACLE_NO_BACKUP;
    return RWA_OK;
}

static rwa_status explain_backup(struct inquiry *q)
{
    bool fits = false;
    MUST(try_request(q, &fits));
    MUST(protect_survey(q->state, q->request, &q->pairs, q->err));
    q->out->routes = q->pairs.count;
    if (fits)
        return RWA_OK;
    arena_new(&q->arena, q->beside, q->state->words);
    MUST(arena_status(&q->arena));
    MUST(name_backup_obstacle(q));
    return find_backup_remedy(q);
}

/* ---- the text ---- */

static void describe_pairs(const struct inquiry *q, char *to, size_t size)
{
    if (q->pairs.count > 0)
        snprintf(to, size, "no pair of routes tried, without a common link or risk group, has a place on both");
    else
        snprintf(to, size, "no two routes without a common link or risk group %s%s", q->pairs.all ? "lead there" : "were found",
                 q->state->routes.max_hops ? " within max_hops" : "");
}

static void describe_obstacle(const struct inquiry *q, char *to, size_t size)
{
    const rwa_obstacle *o = q->out;
    const struct routing_graph *r = &q->state->routes.graph;
    const char *which = q->request->asked.links ? "given" : "shortest";
    char what[64];
    if (q->request->span == 1)
        snprintf(what, sizeof what, "%s", q->request->mask ? "channel that is asked for" : "channel");
    else
        snprintf(what, sizeof what, "block of %u slots%s", q->request->span, q->request->mask ? " that is asked for" : "");
    char from[NODE_TEXT] = "", end[NODE_TEXT] = "";
    if (o->link != RWA_NONE) {
        network_node_text(from, q->state->net, r->from[o->link]);
        network_node_text(end, q->state->net, r->to[o->link]);
    }
    switch (o->kind) {
    case RWA_OBSTACLE_NONE: snprintf(to, size, "it fits"); break;
    case RWA_OBSTACLE_NO_ROUTE:
        snprintf(to, size, "no route leads there%s", q->state->routes.max_hops ? " within max_hops" : "");
        break;
    case RWA_OBSTACLE_FAILED_LINK:
        snprintf(to, size, "link %u, from node %s to node %s, on the given route has failed", o->link, from, end);
        break;
    case RWA_OBSTACLE_FULL_LINK:
        snprintf(to, size, "no %s is free on link %u, from node %s to node %s, of the %s route", what, o->link, from, end, which);
        break;
    case RWA_OBSTACLE_NO_FORMAT:
        snprintf(to, size, "no modulation format carries the rate over %s",
                 q->pairs.count > 0 ? "both routes of any pair tried" : "any route tried");
        break;
    case RWA_OBSTACLE_NO_BACKUP:
        describe_pairs(q, to, size);
        break;
    case RWA_OBSTACLE_NO_COMMON_CHANNEL:
        snprintf(to, size, "every link of the %s route has a %s free, but none is free on all of them", which, what);
        break;
    }
}

static void describe_remedy(const struct inquiry *q, char *to, size_t size)
{
    const rwa_obstacle *o = q->out;
    const struct routing_graph *r = &q->state->routes.graph;
    unsigned long long id = o->id;
    char from[NODE_TEXT], end[NODE_TEXT];
    switch (o->remedy) {
    case RWA_REMEDY_NONE:
        if (q->fits_alone)
            snprintf(to, size, "it would fit without protection");
        else
            snprintf(to, size, "no single change%s would be enough",
                     q->request->asked.transmission || q->request->asked.protection ? " that was tried" : "");
        break;
    case RWA_REMEDY_ROUTE:
        snprintf(to, size, "another route, of %u hops, has fibre %u, wavelength %u free", o->hops, o->fiber, o->wavelength);
        break;
    case RWA_REMEDY_MOVE:
        snprintf(to, size, "it would fit if lightpath %llu moved to fibre %u, wavelength %u", id, o->fiber, o->wavelength);
        break;
    case RWA_REMEDY_REPAIR:
        snprintf(to, size, "it would fit if link %u, from node %s to node %s, were repaired", o->repair,
                 network_node_text(from, q->state->net, r->from[o->repair]), network_node_text(end, q->state->net, r->to[o->repair]));
        break;
    case RWA_REMEDY_CONVERTER:
        snprintf(to, size, "it would fit with a wavelength converter at node %s", network_node_text(end, q->state->net, o->node));
        break;
    case RWA_REMEDY_RELEASE: snprintf(to, size, "it would fit if lightpath %llu were released", id); break;
    default: assert(false);
    }
}

static void describe(const struct inquiry *q)
{
    rwa_obstacle *o = q->out;
    char obstacle[RWA_ERROR_TEXT / 2], remedy[RWA_ERROR_TEXT / 3], src[NODE_TEXT], dst[NODE_TEXT];
    describe_obstacle(q, obstacle, sizeof obstacle);
    describe_remedy(q, remedy, sizeof remedy);
    snprintf(o->text, sizeof o->text, "node %s to node %s: %s%s%s", network_node_text(src, q->state->net, o->src),
             network_node_text(dst, q->state->net, o->dst), obstacle,
             o->kind == RWA_OBSTACLE_NONE ? "" : "; ", o->kind == RWA_OBSTACLE_NONE ? "" : remedy);
}

static rwa_status open_inquiry(struct inquiry *q)
{
    const struct rwa_state *s = q->state;
    arena_new(&q->arena, q->on_route, s->carriers);
    arena_new(&q->arena, q->blockers, s->channels);
    arena_new(&q->arena, q->queue, s->nodes);
    arena_new(&q->arena, q->reached_by, s->nodes);
    return arena_status(&q->arena);
}

static rwa_status explain_alone(struct inquiry *q)
{
    struct request trial = *q->request;
    struct choice choice;
    MUST(request_choose(q->state, &trial, &choice, q->err));
    MUST(request_routes(q->state, q->request, &q->tried, q->err));
    q->out->routes = q->tried.count;
    if (choice.hops > 0)
        return RWA_OK;
    MUST(open_inquiry(q));
    if (is_too_far(q))
        q->out->kind = RWA_OBSTACLE_NO_FORMAT;
    else
        name_obstacle(q);
    return find_remedy(q);
}

rwa_status rwa_state_explain_sized(rwa_obstacle *out, size_t size, rwa_state *state, const rwa_request *request, rwa_error *err)
{
    BEGIN(err, out, state, request);
    struct request taken;
    rwa_obstacle found = {.link = RWA_NONE, .node = RWA_NONE, .repair = RWA_NONE};
    struct inquiry q = {.state = state, .request = &taken, .out = &found, .err = err, .arena = {.err = err}};
    rwa_status st = RWA_OK;
    TRY(request_take(state, &taken, request, NULL, err));
    found.src = taken.asked.src;
    found.dst = taken.asked.dst;
    TRY((taken.asked.protection != RWA_PROTECTION_NONE ? explain_backup : explain_alone)(&q));
    describe(&q);
done:
    base_give_answer(out, size, &found, sizeof found);
    arena_free(&q.arena);
    return st;
}
