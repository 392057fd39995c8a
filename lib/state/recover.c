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

/** Take a slot with the route on which the lightpath runs. */
static rwa_status copy_route(struct rwa_state *s, struct renewal *r, rwa_error *err)
{
    const struct slot *one = slot_at(s, r->runs);
    struct detail detail = details_get(&s->details, r->runs);
    struct request as_is = {.asked = {.src = one->src, .dst = one->dst, .width = one->width, .guard = one->guard,
                                      .rate_bps = detail.rate_bps},
                            .format = details_name(&s->details, detail)};
    memcpy(s->given, slot_links(s, r->runs), one->hops * sizeof *s->given);
    return state_take_slot(s, &as_is, &(struct choice){s->given, one->hops, one->channel}, &r->made, err);
}

/** Choose a new backup while the lightpath holds its present route alone.  The state is restored. */
static rwa_status choose_backup(struct rwa_state *s, struct renewal *r, rwa_error *err)
{
    struct routes around = {0};
    bool *shut = NULL;
    rwa_status st = RWA_OK;
    state_vacate(s, r->slot);
    state_set_slot(s, r->made, false);
    struct choice working = {slot_links(s, r->made), slot_at(s, r->made)->hops, slot_at(s, r->made)->channel};
    TRY(protect_choose_backup(s, &r->request, &working, &r->choice, &around, &shut, err));
    if (r->choice.hops > 0)
        TRY(protect_attach(s, r->made, &r->request, &r->choice, err));
done:
    state_set_slot(s, r->made, true);
    state_occupy(s, r->slot);
    routes_free(&around);
    free(shut);
    return st;
}

static rwa_status renew(struct rwa_state *s, struct renewal *r, rwa_error *err)
{
    MUST(switching_is_lit(s, r->slot) ? switching_prepare(s, err) : RWA_OK);
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
        r.request.asked.protection = (rwa_protection)one->wish;
    if (r.request.asked.protection == RWA_PROTECTION_NONE || r.request.asked.links)
        return base_refuse(err, "lightpath %llu: expected the protection to be dedicated or shared, and no links",
                           (unsigned long long)id);
    if (r.runs == r.slot || !protect_shares(state, r.runs))
        MUST(renew(state, &r, err));
    if (r.choice.hops > 0)
        rwa_state_backup(out, NULL, state, id);
    return RWA_OK;
}
