/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Chooses a route and a channel for a request, trying its routes in order. */
#include "state/state.h"

#include "assignment/assignment.h"
#include "fiber/fiber.h"

/* ---- the request ---- */

/** Check that the links given in a request form a directed path from src to dst that visits no node twice. */
static rwa_status check_route(struct rwa_state *s, const rwa_request *q, rwa_error *err)
{
    uint32_t at = q->src;
    if (++s->seen_number == 0) {
        memset(s->seen, 0, s->nodes * sizeof *s->seen);
        s->seen_number = 1;
    }
    s->seen[at] = s->seen_number;
    if (q->hops == 0 || q->hops >= s->nodes)
        return base_refuse(err, "a route of %u links: expected 1 to %u", q->hops, s->nodes - 1);
    for (uint32_t k = 0; k < q->hops; k++) {
        if (q->links[k] >= s->links)
            return base_refuse(err, "hop %u of the route: link %u, expected one below %u", k, q->links[k], s->links);
        rwa_link link = {s->routes.graph.from[q->links[k]], s->routes.graph.to[q->links[k]], 0, 0};
        if (link.from != at)
            return base_refuse(err, "hop %u of the route leaves node %u, expected node %u", k, link.from, at);
        at = link.to;
        if (s->seen[at] == s->seen_number)
            return base_refuse(err, "the route passes node %u twice", at);
        s->seen[at] = s->seen_number;
    }
    if (at != q->dst)
        return base_refuse(err, "the route ends at node %u, expected node %u", at, q->dst);
    return RWA_OK;
}

/** Check that the band of the fibre profile has a frequency for every wavelength or slot of the network. */
static rwa_status check_band(const struct rwa_state *s, const rwa_request *q, rwa_error *err)
{
    uint32_t have = rwa_network_wavelengths(s->net), most = transmission_band(s->net, q->transmission);
    if (have > most)
        return base_refuse(err, "%u wavelengths or slots: the band of the fibre profile holds %u", have, most);
    return RWA_OK;
}

static rwa_status check_protection(const rwa_request *q, rwa_error *err)
{
    if (!rwa_protection_name(q->protection))
        return base_refuse(err, "protection %d: expected one of rwa_protection", (int)q->protection);
    if (q->links)
        return base_refuse(err,
                           "protection and links: expected one of the two, since backups come with routes of their "
                           "own");
    return RWA_OK;
}

static rwa_status check_request(const struct rwa_state *s, const rwa_request *q, rwa_error *err)
{
    if (q->src >= s->nodes || q->dst >= s->nodes || q->src == q->dst)
        return base_refuse(err, "a lightpath from node %u to node %u: expected two nodes below %u", q->src, q->dst,
                           s->nodes);
    if ((unsigned)q->policy > RWA_POLICY_LEAST_FRAGMENTATION)
        return base_refuse(err, "policy %d: expected one of rwa_policy", (int)q->policy);
    if ((unsigned)q->routing > RWA_ROUTING_LEAST_LOADED)
        return base_refuse(err, "routing %d: expected one of rwa_routing", (int)q->routing);
    if (q->fiber != RWA_ANY_CHANNEL && q->fiber >= s->fibers)
        return base_refuse(err, "fibre %u: expected one below %u", q->fiber, s->fibers);
    if (q->wavelength != RWA_ANY_CHANNEL && q->wavelength >= rwa_network_wavelengths(s->net))
        return base_refuse(err, "wavelength %u: expected one below %u", q->wavelength, rwa_network_wavelengths(s->net));
    if (q->width > RWA_CHANNELS_MAX)
        return base_refuse(err, "width %u: expected at most %u slots", q->width, RWA_CHANNELS_MAX);
    if (q->guard > RWA_GUARD_MAX)
        return base_refuse(err, "guard %u: expected at most %u slots", q->guard, RWA_GUARD_MAX);
    if (q->protection != RWA_PROTECTION_NONE)
        MUST(check_protection(q, err));
    if (q->transmission)
        MUST(check_band(s, q, err));
    if (!(q->rate_bps >= 0 && isfinite(q->rate_bps)))
        return base_refuse(err, "rate_bps %g: expected a number, 0 or more", q->rate_bps);
    if (q->tag && !assignment_is_tag(q->tag))
        return base_refuse(err, "tag \"%.40s\": expected 1 to %d bytes of UTF-8 without control characters", q->tag,
                           RWA_TAG_MAX);
    return RWA_OK;
}

/** Return a bit mask (s->mask) of the channels on the fibre, the wavelength, or both that the request names; NULL: it
 *  names neither. */
static const uint64_t *fill_mask(struct rwa_state *s, const rwa_request *q)
{
    if (q->fiber == RWA_ANY_CHANNEL && q->wavelength == RWA_ANY_CHANNEL)
        return NULL;
    memset(s->mask, 0, s->words * sizeof *s->mask);
    for (uint32_t channel = 0; channel < s->channels; channel++)
        if ((q->fiber == RWA_ANY_CHANNEL || q->fiber == fiber_of(s, channel)) &&
            (q->wavelength == RWA_ANY_CHANNEL || q->wavelength == wavelength_of(s, channel)))
            set_bit(s->mask, channel);
    return s->mask;
}

/** Complete a request to move the lightpath `moved` or, if that is NULL, to set one up.  Without a width it gets the
 *  width, guard and format of `moved`, or a width of one slot.  Without a rate it gets that of `moved`. */
static void take_width(struct request *request, const struct slot *moved)
{
    rwa_request *q = &request->asked;
    request->format = NULL;
    if (moved) {
        q->tag = NULL;
        q->rate_bps = q->rate_bps > 0 ? q->rate_bps : moved->rate_bps;
        request->format = q->width == 0 ? moved->format : NULL;
    }
    if (q->width > 0)
        return;
    q->width = moved ? moved->width : 1;
    q->guard = moved ? moved->guard : q->guard;
}

rwa_status request_take(struct rwa_state *s, struct request *request, const rwa_request *asked,
                        const struct slot *moved, rwa_error *err)
{
    if (asked->struct_size == sizeof *asked) {  /* nearly always: a short copy */
        request->asked = *asked;
    } else {
        rwa_request_init(&request->asked, 0, 0);
        MUST(base_take_options(&request->asked, sizeof request->asked, asked, "rwa_request", err));
    }
    request->id = RWA_NO_LIGHTPATH;
    request->working = NULL;
    take_width(request, moved);
    MUST(check_request(s, &request->asked, err));
    request->span = request->asked.width + request->asked.guard;
    if (request->asked.links) {
        MUST(check_route(s, &request->asked, err));
        memmove(s->given, request->asked.links, request->asked.hops * sizeof *s->given); /* the links may be the
                                                                                            state's own */
        request->asked.links = s->given;
    }
    request->mask = fill_mask(s, &request->asked);
    request->random = s->random;
    return RWA_OK;
}

/* ---- its routes ---- */

rwa_status routes_refresh(struct rwa_state *s, rwa_error *err)
{
    if (!s->routes.stale)
        return RWA_OK;
    protect_drop_routes(s);
    return routes_begin(&s->routes, s->model, err);
}

rwa_status request_routes(struct rwa_state *s, const struct request *request, struct tried *out, rwa_error *err)
{
    const rwa_request *q = &request->asked;
    *out = (struct tried){.count = 1};
    MUST(routes_refresh(s, err));
    if (q->links)
        return RWA_OK;
    uint32_t most = q->routing == RWA_ROUTING_SHORTEST ? 1 : s->routes.most;
    return routes_find(&s->routes, q->src, q->dst, most, out, err);
}

uint32_t failed_on(const struct rwa_state *s, const uint32_t *links, uint32_t hops)
{
    for (uint32_t k = 0; k < hops; k++)
        if (s->failed[s->carrier[links[k]]])
            return links[k];
    return RWA_NONE;
}

bool is_whole(const struct rwa_state *s, uint32_t slot)
{
    return failed_on(s, slot_links(s, slot), slot_at(s, slot)->hops) == RWA_NONE;
}

/* ---- a route and a place on it ---- */

static inline uint32_t choose_place(struct rwa_state *s, struct request *request, const struct choice *route)
{
    return request->working ? backup_place(s, request, route) : place_choose(s, request, route);
}

static inline uint32_t count_places(struct rwa_state *s, const struct request *request, const struct choice *route)
{
    return request->working ? backup_places(s, request, route)
                            : free_count(s, route->links, route->hops, request->span, request->mask);
}

rwa_status request_fit(bool *fits, const struct rwa_state *s, struct request *request, const struct choice *route,
                       rwa_error *err)
{
    const rwa_transmission *t = request->asked.transmission;
    rwa_modulation_choice choice;
    *fits = true;
    if (!t)
        return RWA_OK;
    bool flexible = rwa_network_slot_hz(s->net) > 0;
    double rate_bps = request->asked.rate_bps > 0 ? request->asked.rate_bps : rwa_network_rate_bps(s->net);
    uint32_t most = flexible ? rwa_network_wavelengths(s->net) : rwa_transmission_channel_slots(t);
    rwa_status st = rwa_transmission_choose_route(&choice, t, s->net, route->links, route->hops, rate_bps, most, err);
    *fits = st == RWA_OK && choice.modulation != RWA_NONE;
    if (!*fits)
        return st;
    rwa_modulation format;
    rwa_modulations_get(&format, rwa_transmission_modulations(t), choice.modulation);
    request->format = format.name;
    request->asked.width = flexible ? choice.width : 1;
    request->span = request->asked.width + request->asked.guard;
    return RWA_OK;
}

/** Choose a route and a channel for the request.  The route is the first one on which it fits or, for least-loaded
 *  routing, the one with the most channels at which it fits.  On each route the request has the width that its
 *  modulation format needs there.  If it fits on none, *best is unchanged. */
static rwa_status choose_route(struct choice *best, struct rwa_state *s, struct request *request,
                               const struct tried *tried, rwa_error *err)
{
    bool fits = true, by_format = request->asked.transmission != NULL;
    bool least = request->asked.routing == RWA_ROUTING_LEAST_LOADED;
    uint32_t most = 0;
    for (uint32_t i = 0; i < tried->count && (least || best->hops == 0); i++) {
        struct choice one = request_route(s, request, tried, i);
        if (by_format)
            MUST(request_fit(&fits, s, request, &one, err));
        uint32_t count = least && fits ? count_places(s, request, &one) : 0;
        if (fits && !least)
            one.channel = choose_place(s, request, &one);
        if (count > most || one.channel != NO_CHANNEL)
            *best = one;
        RAISE(most, count);
    }
    if (most > 0 && by_format)
        MUST(request_fit(&fits, s, request, best, err));
    if (most > 0)
        best->channel = choose_place(s, request, best);
    return RWA_OK;
}

rwa_status request_choose(struct rwa_state *s, struct request *request, struct choice *choice, rwa_error *err)
{
    struct tried tried;
    *choice = (struct choice){NULL, 0, NO_CHANNEL};
    MUST(request_routes(s, request, &tried, err));
    if (request->asked.links && failed_on(s, request->asked.links, request->asked.hops) != RWA_NONE)
        return RWA_OK;
    return choose_route(choice, s, request, &tried, err);
}
