/* SPDX-License-Identifier: GPL-3.0-or-later */
/** After failures: new backups for lightpaths that have lost protection, new routes for those that are down. */
#include "state/state.h"

/* ---- new backups ---- */

/** A lightpath that is to get a new backup. */
struct renewal {
    uint32_t slot;
    uint32_t runs;          /* the slot whose route carries the signal: its own, or its backup */
    uint32_t made;          /* a slot with that route, and the new backup */
    struct request request; /* of the new backup */
    struct choice choice;
};

/** Take a new record, r->made, and copy to it the route that carries the lightpath's signal now: its own, or its
 *  backup's.  RWA_NOMEM. */
static rwa_status copy_route(struct rwa_state *s, struct renewal *r, rwa_error *err)
{
    const struct slot *one = slot_at(s, r->runs);
    struct request as_is = {.asked = {.src = one->src, .dst = one->dst, .width = one->width, .guard = one->guard,
                                      .rate_bps = one->rate_bps},
                            .format = one->format};
    memcpy(s->given, slot_links(s, r->runs), one->hops * sizeof *s->given);
    return state_take_slot(s, &as_is, &(struct choice){s->given, one->hops, one->channel}, &r->made, err);
}

/** Choose a new backup for the lightpath r->slot, and attach it to the record r->made, which has the route that carries
 *  the signal now.  Of the channels of the lightpath and its old backup, those of r->made alone count as taken.
 *  r->choice.hops is 0 if there is no new backup.  In the end the lightpath and its old backup hold their channels as
 *  before. */
static rwa_status choose_backup(struct rwa_state *s, struct renewal *r, rwa_error *err)
{
    rwa_status st = RWA_OK;
    state_vacate(s, r->slot);
    state_set_slot(s, r->made, false);
    struct choice working = {slot_links(s, r->made), slot_at(s, r->made)->hops, slot_at(s, r->made)->channel};
    TRY(protect_choose_backup(s, &r->request, &working, &r->choice, err));
    if (r->choice.hops > 0)
        TRY(protect_attach(s, r->made, &r->request, &r->choice, err));
done:
    state_set_slot(s, r->made, true);
    state_occupy(s, r->slot);
    return st;
}

static rwa_status renew(struct rwa_state *s, struct renewal *r, rwa_error *err)
{
    MUST(switching_prepare(s, r->slot, err));
    MUST(copy_route(s, r, err));
    rwa_status st = choose_backup(s, r, err);
    if (st == RWA_OK && r->choice.hops > 0) {
        s->random = r->request.random;
        return state_exchange(s, r->slot, r->made, err);
    }
    slots_recycle(&s->slots, r->made);
    return st;
}

rwa_status rwa_state_protect(rwa_placed *out, rwa_state *state, uint64_t id, const rwa_request *request, rwa_error *err)
{
    BEGIN(err, out, state, request);
    struct renewal r = {.choice = {NULL, 0, NO_CHANNEL}};
    *out = (rwa_placed){.id = RWA_NO_LIGHTPATH};
    MUST(state_take_change(state, id, request, &r.request, &r.slot, err));
    const struct slot *one = slot_at(state, r.slot);
    r.runs = is_whole(state, r.slot) ? r.slot : one->other;
    if (!switching_carries(state, r.slot))
        return base_refuse(err, "lightpath %llu is down: restore or move it before it gets a backup",
                           (unsigned long long)id);
    if (r.request.asked.protection == RWA_PROTECTION_NONE)
        r.request.asked.protection = (rwa_protection)one->requested;
    if (r.request.asked.protection == RWA_PROTECTION_NONE || r.request.asked.links)
        return base_refuse(err, "lightpath %llu: expected the protection to be dedicated or shared, and no links",
                           (unsigned long long)id);
    if (r.runs == r.slot || !protect_shares(state, r.runs))
        MUST(renew(state, &r, err));
    if (r.choice.hops > 0)
        rwa_state_backup(out, state, id);
    return RWA_OK;
}

/* ---- new routes ---- */

struct victim {
    double bps;
    uint64_t id;
};

struct recovery {
    struct rwa_state *state;
    rwa_request how;
    struct victim *list;    /* the lightpaths that are down, those with most traffic first */
    rwa_restoration found;
    rwa_error *err;
};

COMPARATOR(by_traffic, struct victim, DOWN(bps) UP(id))

static double traffic_of(const struct rwa_state *s, uint32_t slot)
{
    double rate = slot_at(s, slot)->rate_bps;
    return rate > 0 ? rate : slot_at(s, slot)->width * rwa_network_rate_bps(s->net);
}

/** Make a request to move the lightpath in `slot` with the options `how`, between its own end nodes. */
static rwa_status make_request(struct recovery *r, uint32_t slot, const rwa_request *how, struct request *request)
{
    const struct slot *one = slot_at(r->state, slot);
    rwa_request asked = *how;
    asked.src = one->src;
    asked.dst = one->dst;
    return request_take(r->state, request, &asked, one, r->err);
}

static rwa_status list_victims(struct recovery *r)
{
    const struct rwa_state *s = r->state;
    struct request request;
    struct tried tried;
    MUST(base_new(r->list, s->slots.live, r->err));
    EACH_LIGHTPATH(s, slot) {
        if (switching_carries(s, slot) || state_is_held(s, slot))
            continue;
        double bps = traffic_of(s, slot);
        r->list[r->found.down++] = (struct victim){bps, slot_at(s, slot)->id};
        r->found.down_bps += bps;
        MUST(make_request(r, slot, &r->how, &request));
        MUST(request_routes(r->state, &request, &tried, r->err));
        r->found.cut_off += tried.count == 0;
        r->found.cut_off_bps += tried.count == 0 ? bps : 0;
    }
    qsort(r->list, r->found.down, sizeof *r->list, by_traffic);
    return RWA_OK;
}

/** Move the lightpath in `slot` with the options `how`.  *moved: it has moved, and r->state->moved has its number as
 *  the last one; false: it is blocked. */
static rwa_status move(struct recovery *r, uint32_t slot, const rwa_request *how, bool *moved)
{
    struct rwa_state *s = r->state;
    struct request request;
    struct choice choice;
    MUST(base_reserve(s->moved, r->found.moves + 1, r->err));
    MUST(make_request(r, slot, how, &request));
    MUST(state_reroute(s, slot, &request, &choice, r->err));
    *moved = choice.hops > 0;
    if (*moved)
        s->moved[r->found.moves++] = slot_at(s, slot)->id;
    return RWA_OK;
}

/** Move the lightpath in `slot`, which is down, after another lightpath has made way for it.  The other one, which is
 *  up and has no backup, moves to other channels of its route.  *moved, false at first, stays so if none can make
 *  way. */
static rwa_status move_after_another(struct recovery *r, uint32_t slot, bool *moved)
{
    struct rwa_state *s = r->state;
    struct request request;
    MUST(make_request(r, slot, &r->how, &request));
    for (uint32_t helper = s->slots.first; helper != NO_SLOT && !*moved; helper = slot_at(s, helper)->after) {
        const struct slot *one = slot_at(s, helper);
        uint32_t channel = NO_CHANNEL;
        bool fits = false;
        if (one->other != NO_SLOT || !is_whole(s, helper) || state_is_held(s, helper) ||
            !find_places(s, slot_links(s, helper), one->hops, slot_span(one), NULL))
            continue;
        memcpy(s->open, s->places, s->words * sizeof *s->open);
        state_vacate(s, slot);
        rwa_status st = explain_move(s, &request, helper, s->open, &fits, &channel, r->err);
        state_occupy(s, slot);
        if (st != RWA_OK || channel == NO_CHANNEL) {
            MUST(st);
            continue;
        }
        rwa_request aside = state_retuned(s, helper, channel);
        MUST(move(r, helper, &aside, moved));
        assert(*moved);
        MUST(move(r, slot, &r->how, moved));
        assert(*moved);
    }
    return RWA_OK;
}

/** Try once to move each lightpath that is down, in the order of r->list; with `others`, also by letting another one
 *  make way.  *changed: some lightpath has moved. */
static rwa_status make_pass(struct recovery *r, bool others, bool *changed)
{
    struct rwa_state *s = r->state;
    *changed = false;
    for (uint32_t i = 0; i < r->found.down; i++) {
        uint32_t slot = slots_find(&s->slots, r->list[i].id);
        bool moved = false;
        if (switching_carries(s, slot))
            continue;
        MUST(move(r, slot, &r->how, &moved));
        if (!moved && others)
            MUST(move_after_another(r, slot, &moved));
        r->found.restored += moved;
        r->found.restored_bps += moved ? r->list[i].bps : 0;
        *changed = *changed || moved;
    }
    return RWA_OK;
}

rwa_status rwa_state_restore_sized(rwa_restoration *out, size_t size, rwa_state *state, rwa_restore_order order,
                                   const rwa_request *how, rwa_error *err)
{
    BEGIN(err, out, state);
    struct recovery r = {.state = state, .err = err};
    rwa_status st = RWA_OK;
    bool changed = false;
    rwa_request_init(&r.how, 0, 0);
    r.how.routing = RWA_ROUTING_ALTERNATE;
    if (how)
        TRY(base_take_options(&r.how, sizeof r.how, how, "rwa_request", err));
    if (r.how.links || r.how.protection != RWA_PROTECTION_NONE || order > RWA_RESTORE_FEWEST_MOVES)
        TRY(base_refuse(err, "restore: expected an rwa_restore_order, and a request without links or protection"));
    r.how.fiber = r.how.wavelength = RWA_ANY_CHANNEL;
    r.how.width = 0;
    r.how.rate_bps = 0;
    TRY(list_victims(&r));
    for (int others = order == RWA_RESTORE_MOST_TRAFFIC; others <= 1; others++)
        do
            TRY(make_pass(&r, others, &changed));
        while (changed);
done:
    r.found.ids = state->moved;
    base_give_answer(out, size, &r.found, sizeof r.found);
    free(r.list);
    return st;
}
