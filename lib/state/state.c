/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Creates a state; sets up, releases and moves lightpaths. */
#include "state/state.h"

#include "network/network.h"

/* ---- making one ---- */

OPTIONS(rwa_state_options, .paths = 3, .history = 1024, .seed = 1)

void rwa_request_init_sized(rwa_request *asked, size_t size, uint32_t src, uint32_t dst)
{
    rwa_request defaults = {.struct_size = sizeof defaults, .src = src, .dst = dst, .fiber = RWA_ANY_CHANNEL,
                            .wavelength = RWA_ANY_CHANNEL};
    if (size == sizeof defaults) {  /* nearly always: a short copy */
        *asked = defaults;
        return;
    }
    memcpy(asked, &defaults, size < sizeof defaults ? size : sizeof defaults);
    asked->struct_size = size;
}

static rwa_status check_options(const rwa_state_options *o, const rwa_network *net, rwa_error *err)
{
    if (network_is_one_hop(net))
        return base_refuse(err, "a network of kind %s has no links to route over, expected one of fibres",
                           rwa_topology_name(net->kind));
    if (o->model == RWA_UNDIRECTED && !rwa_network_is_paired(net))
        return base_refuse(err, "the undirected model needs links in pairs, this network has single ones");
    if (o->paths == 0)
        return base_refuse(err, "paths: expected at least 1");
    return RWA_OK;
}

static rwa_status allocate(struct rwa_state *s, const rwa_state_options *o, rwa_error *err)
{
    s->arena.err = err;
    MUST(base_fits_memory((double)s->carriers * s->words * 8 + 4.0 * s->links, "the occupancy of this network", err));
    MUST(history_resize(s, o->history, err));
    arena_new(&s->arena, s->carrier, s->links);
    arena_arrays(&s->arena, s->carriers, s->carrier_fibers, s->failed, s->causes, s->marks);
    arena_new(&s->arena, s->marked, state_elements(s));
    arena_new(&s->arena, s->free, (size_t)s->carriers * s->words);
    arena_new(&s->arena, s->use, s->net->wavelengths);
    arena_arrays(&s->arena, s->nodes, s->seen, s->given);
    return arena_arrays(&s->arena, s->words, s->mask, s->places, s->open);
}

static inline void set_channel(struct rwa_state *s, uint32_t carrier, uint32_t channel, bool open)
{
    uint64_t *word = &s->free[(size_t)carrier * s->words + channel / 64], bit = UINT64_C(1) << (channel % 64);
    *word = open ? *word | bit : *word & ~bit;
}

/** Mark as free the channels of a link that are not reserved.  A fibre pair has only the channels that both of its
 *  links have. */
static void open_link(struct rwa_state *s, uint32_t link)
{
    uint32_t fibers = rwa_network_link(s->net, link).fibers, *least = &s->carrier_fibers[s->carrier[link]];
    bool first = *least == 0;
    *least = first || fibers < *least ? fibers : *least;
    for (uint32_t channel = 0; channel < s->channels; channel++) {
        bool open = fiber_of(s, channel) < fibers &&
                    !rwa_network_is_reserved(s->net, link, fiber_of(s, channel), wavelength_of(s, channel));
        set_channel(s, s->carrier[link], channel, open && (first || is_free(s, s->carrier[link], channel)));
    }
}

static void open_channels(struct rwa_state *s)
{
    rwa_faults faults = network_faults(s->net);
    for (uint32_t a = 0; a < s->links; a++) {
        s->carrier[a] = network_carrier(s->net, a, s->model);
        open_link(s, a);
    }
    s->closed = (uint64_t)s->carriers * s->channels;
    for (size_t i = 0; i < (size_t)s->carriers * s->words; i++)
        s->closed -= (uint64_t)__builtin_popcountll(s->free[i]);
    for (size_t i = 0; i < faults.link_count; i++)
        state_fail(s, s->carrier[faults.links[i]], true);
}

rwa_status rwa_state_create(rwa_state **out, const rwa_network *net, const rwa_state_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, net);
    rwa_state_options o;
    rwa_state *s = NULL;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_state_options, &o, opts, err));
    o.model = o.model ? o.model : rwa_network_model(net);
    TRY(check_options(&o, net, err));
    TRY(base_new(s, 1, err));
    TRY((s->net = network_copy(net, err)) ? RWA_OK : RWA_NOMEM);
    s->model = o.model;
    s->nodes = net->nodes;
    s->links = rwa_network_links(net);
    s->carriers = s->model == RWA_UNDIRECTED ? rwa_network_pairs(net) : s->links;
    s->fibers = network_most_fibers(net);
    s->channels = s->fibers * net->wavelengths;
    s->words = (s->channels + 63) / 64;
    s->random = o.seed;
    slots_init(&s->slots);
    TRY(allocate(s, &o, err));
    open_channels(s);
    s->routes.most = o.paths;
    s->routes.max_hops = o.max_hops;
    s->routes.net = s->net;
    s->routes.failed = s->failed;
    TRY(routes_begin(&s->routes, s->model, err));
    *out = s;
    s = NULL;
done:
    rwa_state_free(s);
    return st;
}

void rwa_state_free(rwa_state *s)
{
    if (!s)
        return;
    journal_leave(s->journal);
    rwa_network_free(s->net);
    protect_free(s);
    switching_free(s);
    routes_free(&s->routes);
    names_free(&s->formats);
    slots_free(&s->slots);
    arena_free(&s->arena);
    free_all(s->history.ring, s->moved, s);
}

/* ---- lightpaths ---- */

void state_set(struct rwa_state *s, uint32_t carrier, uint32_t channel, uint32_t span, bool open)
{
    assert(channel < s->channels && span > 0 && span <= (s->channels - channel + s->fibers - 1) / s->fibers);
    uint64_t *free = s->free + (size_t)carrier * s->words, mask = 0;
    for (uint32_t here = 0; s->fibers == 1 && span > 0; span -= here, channel += here) {
        uint64_t *word = &free[channel / 64];
        here = (uint32_t)bits_of_word(&mask, channel, span);
        *word = open ? *word | mask : *word & ~mask;
    }
    for (; span > 0; span--, channel += s->fibers)
        set_channel(s, carrier, channel, open);
}

void state_set_slot(struct rwa_state *s, uint32_t slot, bool open)
{
    const struct slot *one = slot_at(s, slot);
    const uint32_t *links = slot_links(s, slot);
    uint32_t lowest = wavelength_of(s, one->channel), span = slot_span(one);
    uint64_t uses = open ? 0 - (uint64_t)one->hops : one->hops;
    assert(one->channel < s->channels);
    for (uint32_t k = 0; k < one->hops; k++)
        if (span == 1)  /* nearly always on fixed grids */
            set_channel(s, s->carrier[links[k]], one->channel, open);
        else
            state_set(s, s->carrier[links[k]], one->channel, span, open);
    for (uint32_t i = 0; i < span; i++)
        s->use[lowest + i] += uses;
    s->taken += span * uses;
}

void state_occupy(struct rwa_state *s, uint32_t slot)
{
    uint32_t backup = slot_at(s, slot)->other;
    state_set_slot(s, slot, false);
    if (backup != NO_SLOT)
        protect_set(s, backup, false);
}

void state_vacate(struct rwa_state *s, uint32_t slot)
{
    uint32_t backup = slot_at(s, slot)->other;
    state_set_slot(s, slot, true);
    if (backup != NO_SLOT)
        protect_set(s, backup, true);
}

void state_set_live(struct rwa_state *s, uint32_t slot, bool live)
{
    if (!live)
        state_vacate(s, slot);
    slots_live(&s->slots, slot, live ? LIVE : TOMBSTONE);
    if (live)
        state_occupy(s, slot);
}

/** Store in a record what a request asks for and what was chosen for it, except links, format and tag. */
static void describe(struct slot *one, const struct rwa_state *s, const struct request *request,
                     const struct choice *choice)
{
    const rwa_request *q = &request->asked;
    one->src = q->src;
    one->dst = q->dst;
    one->hops = choice->hops;
    one->channel = choice->channel;
    one->width = q->width;
    one->guard = (uint16_t)q->guard;
    one->rate_bps = q->transmission && !(q->rate_bps > 0) ? rwa_network_rate_bps(s->net) : q->rate_bps;
}

rwa_status state_take_slot(struct rwa_state *s, const struct request *request, const struct choice *choice,
                           uint32_t *slot, rwa_error *err)
{
    uint32_t format = 0;
    char *tag = NULL;
    if (request->format)
        MUST(names_add(&s->formats, request->format, &format, err));
    if (request->asked.tag && !(tag = base_copy_text(request->asked.tag, err)))
        return RWA_NOMEM;
    rwa_status st = slots_take(&s->slots, choice->hops, slot, err);
    if (st != RWA_OK) {
        free(tag);
        return st;
    }
    struct slot *one = slot_at(s, *slot);
    describe(one, s, request, choice);
    memcpy(s->slots.numbers + one->first, choice->links, choice->hops * sizeof *choice->links);
    free(one->tag);
    one->tag = tag;
    one->format = request->format ? s->formats.list[format] : NULL;
    return RWA_OK;
}

rwa_status state_set_up(struct rwa_state *s, const struct request *request, const struct choice *choice, uint32_t *slot,
                        rwa_error *err)
{
    MUST(slots_make_room(&s->slots, err));
    MUST(state_take_slot(s, request, choice, slot, err));
    slots_name(&s->slots, *slot, request->id);
    slots_live(&s->slots, *slot, LIVE);
    state_occupy(s, *slot);
    s->random = request->random;
    return RWA_OK;
}

static void report(rwa_placed *out, const struct rwa_state *s, const struct slot *one, const uint32_t *links)
{
    *out = (rwa_placed){.id = RWA_NO_LIGHTPATH, .src = one->src, .dst = one->dst, .hops = one->hops};
    if (one->hops == 0)
        return;
    out->links = links;
    out->fiber = fiber_of(s, one->channel);
    out->wavelength = wavelength_of(s, one->channel);
    out->width = one->width;
    out->guard = one->guard;
    out->protection = (rwa_protection)one->requested;
    out->rate_bps = one->rate_bps;
    out->modulation = one->format;
    out->tag = one->tag;
}

/** Fill in *out for a request whose lightpath is not set up, by the route and channel chosen for it. */
static void report_choice(rwa_placed *out, const struct rwa_state *s, const struct request *request,
                          const struct choice *choice)
{
    struct slot one = {.format = request->format, .requested = request->asked.protection & 3u};
    describe(&one, s, request, choice);
    report(out, s, &one, choice->links);
}

static void report_lightpath(const struct rwa_state *s, uint32_t slot, rwa_placed *out)
{
    report(out, s, slot_at(s, slot), slot_links(s, slot));
    out->id = slot_at(s, slot)->id;
}

void state_report(const struct rwa_state *s, uint32_t slot, rwa_placed *out)
{
    report_lightpath(s, slot, out);
    out->down = !is_whole(s, slot);
}

rwa_status state_choose(struct rwa_state *s, struct request *request, struct choice *choice, uint32_t *slot,
                        rwa_error *err)
{
    struct protected_choice pair;
    if (request->asked.protection == RWA_PROTECTION_NONE) {
        MUST(request_choose(s, request, choice, err));
        return slot && choice->hops > 0 ? state_set_up(s, request, choice, slot, err) : RWA_OK;
    }
    MUST(protect_choose(s, request, &pair, err));
    *choice = pair.route[0];
    return slot && choice->hops > 0 ? protect_set_up(s, &pair, slot, err) : RWA_OK;
}

/** Find a route and a channel for a request, and fill in *out.  With set_up, also set up the lightpath. */
static rwa_status add(rwa_placed *out, rwa_state *state, const rwa_request *request, bool set_up, rwa_error *err)
{
    struct request taken;
    struct choice choice;
    uint32_t slot = NO_SLOT;
    *out = (rwa_placed){.id = RWA_NO_LIGHTPATH};
    MUST(request_take(state, &taken, request, NULL, err));
    MUST(state_choose(state, &taken, &choice, set_up ? &slot : NULL, err));
    if (slot != NO_SLOT) {
        MUST(history_add(state, (struct event){.operation = ADDED, .subject = slot}, err));
        report_lightpath(state, slot, out);   /* its route has no failed link */
        assert(is_whole(state, slot));
    } else {
        report_choice(out, state, &taken, &choice);
    }
    return RWA_OK;
}

rwa_status rwa_state_try(rwa_placed *out, rwa_state *state, const rwa_request *request, rwa_error *err)
{
    BEGIN(err, out, state, request);
    return add(out, state, request, false, err);
}

rwa_status rwa_state_add(rwa_placed *out, rwa_state *state, const rwa_request *request, rwa_error *err)
{
    BEGIN(err, out, state, request);
    return add(out, state, request, true, err);
}

rwa_status state_find(const struct rwa_state *s, uint64_t id, uint32_t *slot, rwa_error *err)
{
    *slot = slots_find(&s->slots, id);
    if (*slot == NO_SLOT)
        return base_refuse(err, "no lightpath has the id %llu", (unsigned long long)id);
    return RWA_OK;
}

rwa_status rwa_state_release(rwa_state *state, uint64_t id, rwa_error *err)
{
    BEGIN(err, state);
    uint32_t slot = NO_SLOT;
    MUST(state_find(state, id, &slot, err));
    MUST(switching_prepare(state, slot, err));
    switching_leave(state, slot);
    return history_add(state, (struct event){.operation = RELEASED, .subject = slot}, err);
}

/** Copy a lightpath with its backup from `from` to the record `slot`, which keeps its own number, life, tag and
 *  neighbours in the list. */
static void take_place(struct rwa_state *s, uint32_t slot, const struct slot *from)
{
    struct slot *to = slot_at(s, slot), kept = *to;
    *to = *from;
    to->id = kept.id;
    to->life = kept.life;
    to->tag = kept.tag;
    to->before = kept.before;
    to->after = kept.after;
    if (to->other == NO_SLOT)
        return;
    slot_at(s, to->other)->other = slot;
    slot_at(s, to->other)->life = (uint8_t)(to->life == LIVE ? BACKUP : to->life);
}

void state_swap(struct rwa_state *s, uint32_t slot, uint32_t other)
{
    const struct slot before = *slot_at(s, slot), after = *slot_at(s, other);
    state_vacate(s, slot);
    take_place(s, slot, &after);
    take_place(s, other, &before);
    state_occupy(s, slot);
}

rwa_status state_exchange(struct rwa_state *s, uint32_t slot, uint32_t other, rwa_error *err)
{
    slots_live(&s->slots, other, TOMBSTONE);
    switching_exchange(s, slot, other);
    return history_add(s, (struct event){.operation = MOVED, .subject = slot, .former = other}, err);
}

rwa_status state_reroute(struct rwa_state *s, uint32_t slot, struct request *request, struct choice *choice,
                         rwa_error *err)
{
    uint32_t other = NO_SLOT;
    MUST(switching_prepare(s, slot, err));
    state_vacate(s, slot);
    rwa_status st = request_choose(s, request, choice, err);
    state_occupy(s, slot);
    if (st != RWA_OK || choice->hops == 0)
        return st;
    MUST(state_take_slot(s, request, choice, &other, err));
    slot_at(s, other)->requested = slot_at(s, slot)->requested;
    s->random = request->random;
    return state_exchange(s, slot, other, err);
}

rwa_status state_take_change(struct rwa_state *s, uint64_t id, const rwa_request *asked, struct request *request,
                             uint32_t *slot, rwa_error *err)
{
    MUST(state_find(s, id, slot, err));
    const struct slot *one = slot_at(s, *slot);
    MUST(request_take(s, request, asked, one, err));
    if (request->asked.src != one->src || request->asked.dst != one->dst)
        return base_refuse(err, "lightpath %llu leads from node %u to node %u, it cannot move to others",
                           (unsigned long long)id, one->src, one->dst);
    return RWA_OK;
}

rwa_request state_retuned(const struct rwa_state *s, uint32_t slot, uint32_t channel)
{
    const struct slot *one = slot_at(s, slot);
    rwa_request request;
    rwa_request_init(&request, one->src, one->dst);
    request.links = slot_links(s, slot);
    request.hops = one->hops;
    request.fiber = fiber_of(s, channel);
    request.wavelength = wavelength_of(s, channel);
    return request;
}

rwa_status rwa_state_move(rwa_placed *out, rwa_state *state, uint64_t id, const rwa_request *request, rwa_error *err)
{
    BEGIN(err, out, state, request);
    struct request taken;
    struct choice choice;
    uint32_t slot = NO_SLOT;
    *out = (rwa_placed){.id = RWA_NO_LIGHTPATH};
    MUST(state_take_change(state, id, request, &taken, &slot, err));
    if (taken.asked.protection != RWA_PROTECTION_NONE)
        return base_refuse(err, "protection in a move: expected none, and rwa_state_protect() after it");
    MUST(state_reroute(state, slot, &taken, &choice, err));
    if (choice.hops > 0)
        state_report(state, slot, out);
    else
        report_choice(out, state, &taken, &choice);
    return RWA_OK;
}

/* ---- looking ---- */

GETTER(const rwa_network *, rwa_state_network, rwa_state, net)
GETTER(rwa_model, rwa_state_model, rwa_state, model)
GETTER(size_t, rwa_state_count, rwa_state, slots.live)

/** Return the record of the lightpath that is up under this number.  If there is none, return one without backup and
 *  tag. */
static const struct slot *lightpath(const struct rwa_state *s, uint64_t id)
{
    static const struct slot none = {.other = NO_SLOT};
    uint32_t slot = slots_find(&s->slots, id);
    return slot == NO_SLOT ? &none : slot_at(s, slot);
}

int rwa_state_get(rwa_placed *out, const rwa_state *s, uint64_t id)
{
    uint32_t slot = slots_find(&s->slots, id);
    *out = (rwa_placed){.id = RWA_NO_LIGHTPATH};
    if (slot != NO_SLOT)
        state_report(s, slot, out);
    return slot != NO_SLOT;
}

int rwa_state_backup(rwa_placed *out, const rwa_state *s, uint64_t id)
{
    const struct slot *one = lightpath(s, id);
    *out = (rwa_placed){.id = RWA_NO_LIGHTPATH};
    if (one->other == NO_SLOT)
        return 0;
    state_report(s, one->other, out);
    out->id = id;
    out->protection = (rwa_protection)one->requested;
    out->down = out->down || switching_is_taken(s, one->other);
    return 1;
}

int rwa_state_is_free(const rwa_state *s, uint32_t link, uint32_t fiber, uint32_t wavelength)
{
    return link < s->links && fiber < s->fibers && wavelength < s->net->wavelengths && !s->failed[s->carrier[link]] &&
           is_free(s, s->carrier[link], channel_of(s, fiber, wavelength));
}

const char *rwa_state_tag(const rwa_state *s, uint64_t id)
{
    return lightpath(s, id)->tag;
}

uint32_t rwa_state_free_channels(const rwa_state *s, uint32_t link)
{
    uint32_t count = 0;
    for (uint32_t w = 0; link < s->links && !s->failed[s->carrier[link]] && w < s->words; w++)
        count += (uint32_t)__builtin_popcountll(s->free[(size_t)s->carrier[link] * s->words + w]);
    return count;
}
