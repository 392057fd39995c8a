/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Backups: pairs of routes that share no link and no risk group, and channels that several backups may hold.
 *
 * Two backups may hold the same channel of a link when their lightpaths' routes share no link and no risk group: then
 * no single failure breaks both routes.  After several failures the first of the two is set up, and the other not
 * (switching.c).
 */
#include "state/state.h"

/** The shared backups whose routes use one carrier (a directed link, or a fibre pair in the undirected model). */
struct crossing {
    uint32_t *slots;
    size_t count;
};

struct protector {
    /* Pairs of routes, kept while the links stay as they are. */
    struct risks risks;
    struct protection *search;  /* NULL: not open */
    struct paths pairs;
    struct pair_table table;
    /* Shared backups. */
    struct crossing *on;        /* carriers */
    uint32_t *holders;          /* carriers * channels: how many backups hold each channel */
    uint64_t *held;             /* carriers * words: channels that some backup holds */
    uint64_t *kept;             /* nodes * words: the free channels of a route's links, saved while channels are lent
                                   to it */
    uint64_t *lent;             /* words */
    uint32_t *fresh;            /* channels: on how many links of the route each is free, not counting lent ones */
    struct arena arena;
};

/* ---- opening ---- */

/** Allocate the data for backups, unless the state has them already.  If memory runs out, nothing stays allocated. */
static rwa_status open_protector(struct rwa_state *s, rwa_error *err)
{
    struct protector *p = NULL;
    uint64_t *lit;
    rwa_status st = RWA_OK;
    if (s->protector)
        return RWA_OK;
    TRY(base_fits_memory(4.0 * s->carriers * s->channels + 8.0 * s->nodes * s->words, "the backups of this network",
                         err));
    TRY(base_new(p, 1, err));
    p->arena.err = err;
    arena_new(&p->arena, p->on, s->carriers);
    arena_new(&p->arena, p->holders, (size_t)s->carriers * s->channels);
    arena_arrays(&p->arena, (size_t)s->carriers * s->words, p->held, lit);
    arena_new(&p->arena, p->kept, (size_t)s->nodes * s->words);
    arena_new(&p->arena, p->lent, s->words);
    TRY(arena_arrays(&p->arena, s->channels, p->fresh));
    s->switching.lit = lit;
    s->protector = p;
    return RWA_OK;
done:
    if (p)
        arena_free(&p->arena);
    free(p);
    return st;
}

static rwa_status open_search(struct rwa_state *s, rwa_error *err)
{
    struct protector *p = s->protector;
    rwa_status st = RWA_OK;
    assert(!s->routes.stale);
    if (p->search)
        return RWA_OK;
    TRY(risks_create(&p->risks, s->net, &s->routes.graph, err));
    TRY(protection_open(&p->search, &s->routes.graph, &p->risks, err));
done:
    if (st != RWA_OK)
        protect_drop_routes(s);
    return st;
}

void protect_drop_routes(struct rwa_state *s)
{
    struct protector *p = s->protector;
    if (!p)
        return;
    protection_close(p->search);
    p->search = NULL;
    risks_free(&p->risks);
    pairs_forget(&p->table, &p->pairs);
}

void protect_free(struct rwa_state *s)
{
    struct protector *p = s->protector;
    if (!p)
        return;
    protect_drop_routes(s);
    for (uint32_t c = 0; c < s->carriers; c++)
        free(p->on[c].slots);
    paths_free(&p->pairs);
    free(p->table.list);
    arena_free(&p->arena);
    free(p);
}

/* ---- pairs of routes ---- */

/** Store in *out the cache entry of the pairs of routes, working route and backup, that the request's routing tries.
 *  They share no link and no risk group.  If the end nodes have no entry yet, search for their pairs.  RWA_NOMEM. */
static rwa_status find_pairs(struct rwa_state *s, const struct request *request, struct pair *out, rwa_error *err)
{
    struct protector *p = s->protector;
    const rwa_request *q = &request->asked;
    uint64_t key = routes_key(&s->routes, q->src, q->dst);
    struct pair *pair = pairs_place(&p->table, key);
    bool all = false;
    if (!pair || !pair->key) {
        pairs_limit(&p->table, &p->pairs);
        size_t before = p->pairs.count;
        rwa_status st =
            protection_find(p->search, &p->pairs,
                            &(struct protection_query){q->src, RWA_NONE, q->dst, s->routes.most, s->routes.max_hops},
                            &all, err);
        MUST(pairs_note(&p->table, &p->pairs, key, before, all ? s->routes.most : 0, st, &pair, err));
    }
    *out = *pair;
    if (q->routing == RWA_ROUTING_SHORTEST && out->count > 1)
        out->count = 1;
    return RWA_OK;
}

/** Store the two routes of pair i (from 0) in route[0] and route[1], the shorter one first. */
static void read_pair(struct choice route[2], const struct protector *p, const struct pair *pair, uint32_t i)
{
    assert(i < pair->count);
    size_t at = pair->first + i, cut = p->pairs.working[at], hops = paths_hops(&p->pairs, at);
    const uint32_t *arcs = paths_arcs(&p->pairs, at);
    bool second = hops - cut < cut;
    route[second] = (struct choice){arcs, (uint32_t)cut, NO_CHANNEL};
    route[!second] = (struct choice){arcs + cut, (uint32_t)(hops - cut), NO_CHANNEL};
}

/* ---- channels that backups share ---- */

/** Mark in s->marks every carrier that may fail together with the route in a single failure: the route's carriers, and
 *  all that are in a risk group with one of these. */
static void mark_route(struct rwa_state *s, const struct choice *route)
{
    const struct risks *risks = &s->protector->risks;
    const uint32_t *links = NULL;
    if (++s->mark_number == 0) {
        memset(s->marks, 0, s->carriers * sizeof *s->marks);
        s->mark_number = 1;
    }
    for (uint32_t k = 0; k < route->hops; k++) {
        uint32_t carrier = s->carrier[route->links[k]];
        s->marks[carrier] = s->mark_number;
        for (size_t i = risks->of.first[carrier]; i < risks->of.first[carrier + 1]; i++)
            for (size_t j = rwa_network_risk_group(&links, s->net, risks->of.number[i]); j-- > 0;)
                s->marks[s->carrier[links[j]]] = s->mark_number;
    }
}

/** Tell whether a route uses a carrier that mark_route() has marked: then a single failure may break it together with
 *  the route given to mark_route(). */
static bool fails_too(const struct rwa_state *s, const uint32_t *links, uint32_t hops)
{
    for (uint32_t k = 0; k < hops; k++)
        if (s->marks[s->carrier[links[k]]] == s->mark_number)
            return true;
    return false;
}

/** Set s->protector->lent to the channels of a carrier that backups hold and one more backup may share.  No lit backup
 *  may use such a channel, and no single failure may break both the route given to mark_route() and a working route
 *  whose backup holds the channel. */
static void find_lent(const struct rwa_state *s, uint32_t carrier)
{
    struct protector *p = s->protector;
    const struct crossing *on = &p->on[carrier];
    for (size_t w = 0, at = (size_t)carrier * s->words; w < s->words; w++)
        p->lent[w] = p->held[at + w] & ~s->switching.lit[at + w];
    for (size_t i = 0; i < on->count; i++) {
        const struct slot *backup = slot_at(s, on->slots[i]);
        if (!fails_too(s, slot_links(s, backup->other), slot_at(s, backup->other)->hops))
            continue;
        for (uint32_t k = 0, channel = backup->channel; k < slot_span(backup); k++, channel += s->fibers)
            clear_bit(p->lent, channel);
    }
}

/** For a shared backup, mark the channels on its route that it may share with other backups as free, until
 *  take_back(), and return true.  For a dedicated backup do nothing and return false. */
static bool lend(struct rwa_state *s, const struct request *request, const struct choice *route)
{
    struct protector *p = s->protector;
    if (request->asked.protection != RWA_PROTECTION_SHARED)
        return false;
    mark_route(s, request->working);
    for (uint32_t k = 0; k < route->hops; k++) {
        uint64_t *open = s->free + (size_t)s->carrier[route->links[k]] * s->words;
        memcpy(p->kept + (size_t)k * s->words, open, s->words * sizeof *open);
        find_lent(s, s->carrier[route->links[k]]);
        for (uint32_t w = 0; w < s->words; w++)
            open[w] |= p->lent[w];
    }
    return true;
}

static void take_back(struct rwa_state *s, const struct choice *route)
{
    const struct protector *p = s->protector;
    for (uint32_t k = 0; k < route->hops; k++)
        memcpy(s->free + (size_t)s->carrier[route->links[k]] * s->words, p->kept + (size_t)k * s->words,
               s->words * sizeof *s->free);
}

static void count_fresh(const struct rwa_state *s, const struct choice *route)
{
    struct protector *p = s->protector;
    memset(p->fresh, 0, s->channels * sizeof *p->fresh);
    for (uint32_t k = 0; k < route->hops; k++)
        for (uint32_t w = 0; w < s->words; w++)
            for (uint64_t word = p->kept[(size_t)k * s->words + w]; word; word &= word - 1)
                p->fresh[64 * w + (uint32_t)__builtin_ctzll(word)]++;
}

/** Return the cost of a place for a shared backup: the number of free channels that it would use there, times
 *  s->channels, less the place.  So the highest of equally good places costs least. */
static int64_t fresh_at(const struct rwa_state *s, const struct choice *route, uint32_t place, uint32_t span)
{
    int64_t fresh = 0;
    (void)route;
    for (uint32_t i = 0; i < span; i++)
        fresh += s->protector->fresh[place + i * s->fibers];
    return fresh * s->channels - place;
}

/** Return the channel at which a shared backup uses the fewest free channels, since later requests may need those;
 *  NO_CHANNEL: it fits nowhere.  Among equals it is the highest, far from the low channels of first-fit.  Call lend()
 *  first. */
static uint32_t fewest_fresh(struct rwa_state *s, const struct request *request, const struct choice *route)
{
    if (!find_places(s, route->links, route->hops, request->span, request->mask))
        return NO_CHANNEL;
    count_fresh(s, route);
    return least_place(s, route, request->span, fresh_at);
}

uint32_t backup_place(struct rwa_state *s, struct request *request, const struct choice *route)
{
    if (!lend(s, request, route))
        return place_choose(s, request, route);
    uint32_t channel = fewest_fresh(s, request, route);
    take_back(s, route);
    return channel;
}

uint32_t backup_places(struct rwa_state *s, const struct request *request, const struct choice *route)
{
    bool lent = lend(s, request, route);
    uint32_t count = free_count(s, route->links, route->hops, request->span, request->mask);
    if (lent)
        take_back(s, route);
    return count;
}

/** Add one to the backups that hold a channel of a carrier or, with `open`, remove one.  The first holder takes the
 *  channel, and the last one frees it. */
static void set_held(struct rwa_state *s, uint32_t carrier, uint32_t channel, bool open)
{
    struct protector *p = s->protector;
    uint32_t *holders = &p->holders[(size_t)carrier * s->channels + channel];
    uint64_t *word = &p->held[(size_t)carrier * s->words + channel / 64], bit = UINT64_C(1) << channel % 64;
    assert(!open || *holders > 0);
    if (open ? --*holders > 0 : (*holders)++ > 0)
        return;
    state_set(s, carrier, channel, 1, open);
    *word ^= bit;
    s->use[wavelength_of(s, channel)] += open ? UINT64_MAX : 1; /* modulo 2^64 */
    s->taken += open ? UINT64_MAX : 1;
}

static void leave_carrier(struct crossing *on, uint32_t slot)
{
    size_t at = 0;
    while (on->slots[at] != slot)
        at++;
    assert(at < on->count);
    on->slots[at] = on->slots[--on->count];
}

void protect_set(struct rwa_state *s, uint32_t slot, bool open)
{
    const struct slot *one = slot_at(s, slot);
    if (!one->shared) {
        state_set_slot(s, slot, open);
        return;
    }
    s->switching.backups += open ? UINT32_MAX : 1;  /* modulo 2^32 */
    for (uint32_t k = 0; k < one->hops; k++) {
        uint32_t carrier = s->carrier[slot_links(s, slot)[k]];
        struct crossing *on = &s->protector->on[carrier];
        assert(open || on->count < base_capacity(on->slots));
        if (open)
            leave_carrier(on, slot);
        else
            on->slots[on->count++] = slot;
        for (uint32_t i = 0; i < slot_span(one); i++)
            set_held(s, carrier, one->channel + i * s->fibers, open);
    }
}

/* ---- choosing ---- */

/** Set *fits to whether modulation formats can carry the request over both routes, working route and backup. */
static rwa_status fit_pair(bool *fits, const struct rwa_state *s, struct protected_choice *c, rwa_error *err)
{
    rwa_status st = request_fit(fits, s, &c->request[0], &c->route[0], err);
    return st == RWA_OK && *fits ? request_fit(fits, s, &c->request[1], &c->route[1], err) : st;
}

/** Choose a channel for each of the two routes in c->route, the working route and the backup's, and store it there.
 *  Return false if one of them has none free.  The two choices are independent, since the routes share no link. */
static bool place_pair(struct rwa_state *s, struct protected_choice *c)
{
    c->route[0].channel = place_choose(s, &c->request[0], &c->route[0]);
    if (c->route[0].channel == NO_CHANNEL)
        return false;
    c->request[1].random = c->request[0].random;
    c->route[1].channel = backup_place(s, &c->request[1], &c->route[1]);
    return c->route[1].channel != NO_CHANNEL;
}

/** Return the number of channels at which the request fits on its working route, or on its backup's route, whichever
 *  number is smaller. */
static uint32_t count_places(struct rwa_state *s, const struct protected_choice *c)
{
    uint32_t working = free_count(s, c->route[0].links, c->route[0].hops, c->request[0].span, c->request[0].mask);
    uint32_t backup = working ? backup_places(s, &c->request[1], &c->route[1]) : 0;
    return working < backup ? working : backup;
}

/** Choose a pair of routes with channels on both, and store it in *c; *found: there is one.  It is the first such pair
 *  or, with `least`, the first among those with the largest count_places(). */
static rwa_status choose_pair(struct rwa_state *s, const struct pair *pair, struct protected_choice *c, bool least,
                              bool *found, rwa_error *err)
{
    struct protected_choice best;
    uint32_t most = 0;
    bool fits = false;
    for (uint32_t i = 0; i < pair->count && !*found; i++) {
        read_pair(c->route, s->protector, pair, i);
        MUST(fit_pair(&fits, s, c, err));
        c->tried.fits_format = c->tried.fits_format || fits;
        uint32_t places = fits && least ? count_places(s, c) : 0;
        if (places > most)
            best = *c;
        RAISE(most, places);
        *found = fits && !least && place_pair(s, c);
    }
    if (most == 0)
        return RWA_OK;
    *c = best;
    *found = place_pair(s, c);
    return RWA_OK;
}

/** Prepare a search for pairs of routes: renew the cached routes after failures, and allocate what the search needs.
 *  RWA_NOMEM. */
static rwa_status prepare(struct rwa_state *s, rwa_error *err)
{
    MUST(routes_refresh(s, err));
    MUST(open_protector(s, err));
    return open_search(s, err);
}

rwa_status protect_choose(struct rwa_state *s, const struct request *request, struct protected_choice *out,
                          rwa_error *err)
{
    struct pair pair;
    bool found = false;
    rwa_status st = RWA_OK;
    *out = (struct protected_choice){.request = {*request, *request}};
    out->request[1].working = &out->route[0];
    out->request[1].mask = NULL;
    out->request[1].asked.tag = NULL;
    TRY(prepare(s, err));
    TRY(find_pairs(s, request, &pair, err));
    out->tried = (struct pairs_tried){pair.count, pair.sought > 0, false};
    TRY(choose_pair(s, &pair, out, request->asked.routing == RWA_ROUTING_LEAST_LOADED, &found, err));
done:
    if (!found)
        out->route[0].hops = out->route[1].hops = 0;
    return st;
}

rwa_status protect_choose_backup(struct rwa_state *s, struct request *request, const struct choice *working,
                                 struct choice *out, rwa_error *err)
{
    request->working = working;
    MUST(prepare(s, err));
    mark_route(s, working);
    for (uint32_t c = 0; c < s->carriers; c++)  /* as if all links failed that fail together with the route */
        s->failed[c] = s->failed[c] || s->marks[c] == s->mark_number;
    rwa_status st = routes_begin(&s->routes, s->model, err);
    if (st == RWA_OK)
        st = request_choose(s, request, out, err);
    state_end_trial(s);
    return st;
}

bool protect_shares(const struct rwa_state *s, uint32_t backup)
{
    const struct slot *one = slot_at(s, backup);
    for (uint32_t k = 0; one->shared && k < one->hops; k++)
        for (uint32_t i = 0; i < slot_span(one); i++)
            if (s->protector->holders[(size_t)s->carrier[slot_links(s, backup)[k]] * s->channels + one->channel +
                                      i * s->fibers] > 1)
                return true;
    return false;
}

/* ---- setting up ---- */

rwa_status protect_attach(struct rwa_state *s, uint32_t slot, const struct request *request, const struct choice *route,
                          rwa_error *err)
{
    bool shared = request->asked.protection == RWA_PROTECTION_SHARED;
    uint32_t backup = NO_SLOT;
    for (uint32_t k = 0; shared && k < route->hops; k++) {
        struct crossing *on = &s->protector->on[s->carrier[route->links[k]]];
        MUST(base_reserve(on->slots, on->count + 1, err));
    }
    MUST(state_take_slot(s, request, route, &backup, err));
    slots_join(&s->slots, slot, backup, shared);
    slot_at(s, slot)->requested = request->asked.protection & 3u;
    return RWA_OK;
}

static rwa_status join(struct rwa_state *s, uint32_t slot, const struct request *request, const struct choice *route,
                       rwa_error *err)
{
    MUST(protect_attach(s, slot, request, route, err));
    protect_set(s, slot_at(s, slot)->other, false);
    return RWA_OK;
}

rwa_status protect_set_up(struct rwa_state *s, const struct protected_choice *c, uint32_t *slot, rwa_error *err)
{
    MUST(state_set_up(s, &c->request[0], &c->route[0], slot, err));
    rwa_status st = join(s, *slot, &c->request[1], &c->route[1], err);
    if (st == RWA_OK) {
        s->random = c->request[1].random;
        return st;
    }
    state_vacate(s, *slot);
    slots_recycle(&s->slots, *slot);
    return st;
}

rwa_status protect_join(struct rwa_state *s, uint32_t slot, const struct request *backup, rwa_error *err)
{
    const struct slot *one = slot_at(s, slot);
    struct request request = *backup;
    struct choice route, working = {slot_links(s, slot), one->hops, one->channel};
    assert(one->other == NO_SLOT);
    MUST(prepare(s, err));
    mark_route(s, &working);
    if (fails_too(s, backup->asked.links, backup->asked.hops))
        return base_refuse(err, "the backup from node %u to node %u shares a link or a risk group with its lightpath",
                           one->src, one->dst);
    request.working = &working;
    MUST(request_choose(s, &request, &route, err));
    if (route.hops == 0)
        return base_refuse(err, "the backup from node %u to node %u: fibre %u, wavelength %u is not free", one->src,
                           one->dst, request.asked.fiber, request.asked.wavelength);
    return join(s, slot, &request, &route, err);
}
