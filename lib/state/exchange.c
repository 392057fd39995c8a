/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Converts the lightpaths of a state to assignments and their files, and imports lightpaths from assignments. */
#include "state/journal.h"

#include "assignment/assignment.h"

#include "network/network.h"

/* ---- out ---- */

/** Make one demand for each lightpath that is up, and set ids[i] to the number of demand i's lightpath.  The demand is
 *  as wide as the narrower of the lightpath and its backup.  `ids` has space for all lightpaths.  RWA_NOMEM. */
static rwa_status list_demands(rwa_demands **out, uint64_t *ids, const struct rwa_state *s, rwa_error *err)
{
    rwa_demand *list;
    uint32_t *widths;
    double *rates;
    size_t count = 0;
    bool rated = false;
    struct arena memory = {.err = err};
    rwa_demands *narrow = NULL, *unrated = NULL;
    rwa_status st = RWA_OK;
    TRY(arena_arrays(&memory, s->slots.live, list, widths, rates));
    EACH_LIGHTPATH(s, slot) {
        const struct slot *one = slot_at(s, slot);
        ids[count] = one->id;
        rates[count] = one->rate_bps;
        rated = rated || rates[count] > 0;
        widths[count] = one->width;
        if (one->other != NO_SLOT)
            LOWER(widths[count], slot_at(s, one->other)->width);
        list[count++] = (rwa_demand){one->src, one->dst, 1, RWA_NONE};
    }
    TRY(rwa_demands_create(&narrow, s->nodes, list, count, err));
    TRY(rwa_demands_with_widths(&unrated, narrow, widths, err));
    TRY(rwa_demands_with_rates(out, unrated, rated ? rates : NULL, err));
done:
    rwa_demands_free(narrow);
    rwa_demands_free(unrated);
    arena_free(&memory);
    return st;
}

/** Add the lightpath or backup in `slot` to the exported assignment, as a route of this demand in this role.
 *  RWA_NOMEM. */
static rwa_status export_route(rwa_assignment *result, const struct rwa_state *s, uint32_t slot, size_t demand,
                               rwa_role role, rwa_error *err)
{
    const struct slot *one = slot_at(s, slot);
    const uint32_t *links = slot_links(s, slot);
    bool loses = role == RWA_SHARED_BACKUP && !switching_carries(s, one->other);
    rwa_route route = {.demand = demand,
                       .role = role,
                       .hops = one->hops,
                       .links = links,
                       .fiber = one->channel % s->fibers,
                       .wavelength = one->channel / s->fibers,
                       .down = loses || !is_whole(s, slot)};
    if (network_has_arcs(s->net))
        route.direction = links[0] < rwa_network_pairs(s->net) ? RWA_CW : RWA_CCW;
    MUST(rwa_assignment_add_wide(result, &route, one->width, one->guard, err));
    return one->format ? rwa_assignment_set_modulation(result, rwa_assignment_count(result) - 1, one->format, err)
                       : RWA_OK;
}

/** Add the failed links, nodes and risk groups to the assignment.  If only links have failed, add nothing: they are
 *  listed as failed in the network of the assignment.  RWA_NOMEM. */
static rwa_status export_failures(rwa_assignment *result, const struct rwa_state *s, rwa_error *err)
{
    struct assignment_failure *list = NULL;
    size_t count = 0;
    bool others = false;
    MUST(base_new(list, state_elements(s), err));
    for (uint32_t e = 0; e < state_elements(s); e++)
        if (s->marked[e]) {
            list[count].kind = state_kind(s, e, &list[count].number);
            others = others || list[count].kind != RWA_FAILURE_LINK;
            count++;
        }
    rwa_status st = assignment_keep(result, failures, failure_count, list, others ? count : 0, err);
    free(list);
    return st;
}

rwa_status rwa_state_export(rwa_assignment **out, const rwa_state *state, rwa_error *err)
{
    BEGIN_NEW(out, err, state);
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_network *net = NULL;
    uint64_t *ids = NULL;
    size_t demand = 0, backups = 0;
    rwa_status st = RWA_OK;
    TRY(base_new(ids, state->slots.live, err));
    TRY(list_demands(&demands, ids, state, err));
    TRY(routes_network(&net, &state->routes, state->model, err));
    TRY(rwa_assignment_create(&result, net, demands, state->model, err));
    EACH_LIGHTPATH(state, slot) {
        const struct slot *one = slot_at(state, slot);
        uint32_t backup = one->other;
        TRY(export_route(result, state, slot, demand, RWA_WORKING, err));
        if (backup == NO_SLOT)  /* protections have the numbers of their backups' roles */
            result->routes[result->count - 1].lost = one->requested;
        TRY(one->tag ? assignment_tag(result, demand, one->tag, err) : RWA_OK);
        if (backup != NO_SLOT)
            TRY(export_route(result, state, backup, demand,
                             slot_at(state, backup)->shared ? RWA_SHARED_BACKUP : RWA_BACKUP, err));
        backups += backup != NO_SLOT;
        demand++;
    }
    TRY(assignment_number(result, ids, state->slots.next_id, err));
    TRY(export_failures(result, state, err));
    result->protection = demand > 0 && backups == demand;
    assignment_check(result);
    *out = result;
    result = NULL;
done:
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
    free(ids);
    return st;
}

rwa_status rwa_state_write(const rwa_state *state, const char *path, rwa_error *err)
{
    BEGIN(err, state, path);
    rwa_assignment *result = NULL;
    if (journal_is(state->journal, path))
        return base_refuse(err, "%s: this is the state's journal, expected another file", path);
    MUST(rwa_state_export(&result, state, err));
    rwa_status st = rwa_assignment_write(result, path, err);
    rwa_assignment_free(result);
    return st;
}

/* ---- links of another network ---- */

/** A link with its sort keys: among parallel links it is the carrier, so that the two links of a fibre pair stay
 *  together. */
struct placed_link {
    uint32_t from, to, carrier, link;
};

COMPARATOR(by_ends, struct placed_link, UP(from) UP(to) UP(carrier))

static void sort_links(struct placed_link *list, const rwa_network *net, rwa_model model)
{
    uint32_t count = rwa_network_links(net);
    for (uint32_t a = 0; a < count; a++) {
        rwa_link link = rwa_network_link(net, a);
        list[a] = (struct placed_link){link.from, link.to, network_carrier(net, a, model), a};
    }
    qsort(list, count, sizeof *list, by_ends);
}

rwa_status state_match_links(uint32_t *map, const struct rwa_state *s, const rwa_network *other, rwa_error *err)
{
    struct placed_link *ours, *theirs;
    struct arena arena = {.err = err};
    rwa_status st = RWA_OK;
    if (rwa_network_nodes(other) != s->nodes || network_is_one_hop(other) || rwa_network_links(other) != s->links)
        return base_refuse(err, "another network: expected one of %u nodes and %u directed links", s->nodes, s->links);
    TRY(arena_arrays(&arena, s->links, ours, theirs));
    sort_links(ours, s->net, s->model);
    sort_links(theirs, other, s->model);
    for (uint32_t i = 0; i < s->links; i++) {
        if (ours[i].from != theirs[i].from || ours[i].to != theirs[i].to)
            TRY(base_refuse(err, "another network: it has a link from node %u to node %u", theirs[i].from,
                            theirs[i].to));
        map[theirs[i].link] = ours[i].link;
    }
done:
    arena_free(&arena);
    return st;
}

/* ---- in ---- */

/** A lightpath that this import has set up. */
struct imported {
    uint32_t slot;
    bool dark;              /* its backup is marked as down in the source */
};

/** An import in progress: it sets up lightpaths one by one, and removes all of them if one fails. */
struct state_import {
    struct rwa_state *state;
    uint32_t *map;
    uint32_t *links;        /* of the current lightpath; nodes entries */
    bool *marked;           /* elements that had failed before */
    struct imported *up;    /* the lightpaths set up so far */
    size_t count;
    size_t demand;          /* demand of the working route set up last, and its copy number; SIZE_MAX: it has its
                               backup already, or there is no such route */
    uint32_t copy;
    uint64_t next_id;       /* of the state before the import */
    rwa_error *err;
    struct arena arena;     /* of all arrays but `up` */
};

static rwa_status import_open(struct state_import *in, const rwa_network *net)
{
    in->next_id = in->state->slots.next_id;
    arena_new(&in->arena, in->map, in->state->links);
    arena_new(&in->arena, in->links, in->state->nodes);
    arena_copy(&in->arena, in->marked, in->state->marked, state_elements(in->state));
    MUST(arena_status(&in->arena));
    return state_match_links(in->map, in->state, net, in->err);
}

/** Until import_close(), treat as working the links that have failed in the imported network, so that lightpaths
 *  across them can be set up. */
static void lift_failures(struct state_import *in, const rwa_network *net)
{
    struct rwa_state *s = in->state;
    rwa_faults faults = network_faults(net);
    s->routes.stale = true;
    for (size_t i = 0; i < faults.link_count; i++)
        s->failed[s->carrier[in->map[faults.links[i]]]] = false;
}

/** Mark as failed in the state all links, nodes and risk groups that the assignment lists as failed.  Then mark each
 *  failed link of its network that belongs to no failed element of the state.  RWA_BADARG: the state has no such
 *  element. */
static rwa_status take_failures(struct state_import *in, const rwa_assignment *result)
{
    struct rwa_state *s = in->state;
    rwa_faults faults = network_faults(rwa_assignment_network(result));
    for (size_t i = 0; i < result->failure_count; i++) {
        struct assignment_failure f = result->failures[i];
        rwa_failure kind = (rwa_failure)f.kind;
        if (state_element(s, kind, f.number) == state_elements(s))
            return base_refuse(in->err, "%s %u has failed, which is not in this network", assignment_failures_of[kind],
                               f.number);
        state_fail(s, state_element(s, kind, kind == RWA_FAILURE_LINK ? in->map[f.number] : f.number), true);
    }
    for (size_t i = 0; i < faults.link_count; i++)
        if (s->causes[s->carrier[in->map[faults.links[i]]]] == 0)
            state_fail(s, s->carrier[in->map[faults.links[i]]], true);
    return RWA_OK;
}

/** Light the shared backups that are not marked down in the imported assignment, then all others that the state
 *  needs.  A backup stays dark while another lit one uses one of its channels. */
static void switch_over(struct state_import *in)
{
    for (size_t i = 0; i < in->count; i++)
        if (!in->up[i].dark)
            switching_light(in->state, in->up[i].slot);
    switching_update(in->state);
}

static void import_revert(struct state_import *in)
{
    struct rwa_state *s = in->state;
    switching_replay(s, switching_end(s), false);
    for (uint32_t element = 0; in->marked && element < state_elements(s); element++)
        state_fail(s, element, in->marked[element]);
    for (size_t i = 0; i < in->count; i++) {
        state_vacate(s, in->up[i].slot);
        slots_recycle(&s->slots, in->up[i].slot);
    }
    s->slots.next_id = in->next_id;
}

/** End an import, which has gone so far with status `st`.  After success write the journal anew and forget the
 *  history: nothing before an import can be undone.  After a failure remove all that was imported. */
static rwa_status import_close(struct state_import *in, rwa_status st)
{
    struct rwa_state *s = in->state;
    state_end_trial(s);
    if (st == RWA_OK)
        switch_over(in);
    if (st == RWA_OK && s->journal)
        st = journal_rewrite(s, 0, in->err);
    if (st == RWA_OK) {
        switching_end(s);
        history_forget(s);
    } else {
        import_revert(in);
    }
    state_check(s);
    arena_free(&in->arena);
    free(in->up);
    return st;
}

rwa_status state_arrive(uint32_t *slot, struct rwa_state *s, const struct arrival *a, rwa_error *err)
{
    struct request request;
    struct choice choice;
    rwa_error why = {0};
    unsigned long long n = a->number;
    rwa_status st = request_take(s, &request, &a->asked, NULL, &why);
    request.format = a->format;
    request.id = a->id;
    request.asked.protection = a->protects;
    if (st == RWA_OK && a->protects != RWA_PROTECTION_NONE)
        st = protect_join(s, *slot, &request, &why);
    if (st != RWA_OK)
        return base_fail(err, st, "lightpath %llu: %s", n, why.text);
    if (a->protects != RWA_PROTECTION_NONE)
        return RWA_OK;
    if (!a->moves && slots_find(&s->slots, a->id) != NO_SLOT)
        return base_refuse(err, "lightpath %llu, from node %u to node %u: a lightpath of the state has this id",
                           (unsigned long long)a->id, a->asked.src, a->asked.dst);
    MUST(request_choose(s, &request, &choice, err));
    if (choice.hops == 0)
        return base_refuse(err, "lightpath %llu, from node %u to node %u: fibre %u, wavelength %u is not free", n,
                           a->asked.src, a->asked.dst, a->asked.fiber, a->asked.wavelength);
    if (!a->moves)
        return state_set_up(s, &request, &choice, slot, err);
    MUST(state_take_slot(s, &request, &choice, slot, err));
    state_set_slot(s, *slot, false);
    return RWA_OK;
}

/** Import route i of the assignment.  A working route becomes a lightpath, a backup becomes that of the lightpath set
 *  up last. */
static rwa_status import_route(struct state_import *in, const rwa_assignment *result, uint64_t i)
{
    rwa_route route = result_route(result, i);
    const rwa_demand *demand = &rwa_demands_list(rwa_assignment_demands(result))[route.demand];
    const double *rates = rwa_demands_rates(rwa_assignment_demands(result));
    bool works = route.role == RWA_WORKING;
    uint32_t slot = in->count > 0 ? in->up[in->count - 1].slot : NO_SLOT;
    if (route.hops == 0)
        return RWA_OK;
    if (route.fibers || route.wavelengths)
        return base_refuse(in->err, "lightpath %llu changes its channel on the way, expected one all along",
                           (unsigned long long)i);
    for (uint32_t k = 0; k < route.hops && k < in->state->nodes; k++)
        in->links[k] = in->map[rwa_assignment_link(result, i, k)];
    if (!works && (in->demand != route.demand || in->copy != route.copy))
        return base_refuse(in->err, "lightpath %llu is a backup without a working route", (unsigned long long)i);
    struct arrival a = {.number = i,
                        .id = works ? rwa_assignment_lightpath(result, i) : RWA_NO_LIGHTPATH,
                        .protects = (rwa_protection)route.role,     /* they have the same numbers */
                        .format = rwa_assignment_modulation(result, i),
                        .asked = {.struct_size = sizeof(rwa_request),
                                  .src = demand->src,
                                  .dst = demand->dst,
                                  .links = in->links,
                                  .hops = route.hops,
                                  .fiber = route.fiber,
                                  .wavelength = route.wavelength,
                                  .width = rwa_assignment_width(result, i),
                                  .guard = rwa_assignment_guard(result, i),
                                  .rate_bps = rates ? rates[route.demand] : 0,
                                  .tag = works ? rwa_assignment_tag(result, i) : NULL}};
    MUST(base_reserve(in->up, in->count + 1, in->err));
    MUST(state_arrive(&slot, in->state, &a, in->err));
    if (works) {
        slot_at(in->state, slot)->requested = result->routes[i].lost;
        in->up[in->count++].slot = slot;
    }
    in->up[in->count - 1].dark = !works && route.down;
    in->demand = works ? route.demand : SIZE_MAX;   /* one backup for each lightpath */
    in->copy = route.copy;
    return RWA_OK;
}

rwa_status rwa_state_import(rwa_state *state, const rwa_assignment *result, rwa_error *err)
{
    BEGIN(err, state, result);
    struct state_import in = {.state = state, .demand = SIZE_MAX, .err = err, .arena = {.err = err}};
    rwa_status st = RWA_OK;
    if (rwa_assignment_model(result) != state->model)
        return base_refuse(err, "an assignment of the %s model: expected %s",
                           rwa_model_name(rwa_assignment_model(result)), rwa_model_name(state->model));
    TRY(import_open(&in, rwa_assignment_network(result)));
    lift_failures(&in, rwa_assignment_network(result));
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++)
        TRY(import_route(&in, result, i));
    TRY(switching_prepare(state, NO_SLOT, err));
    TRY(take_failures(&in, result));
    RAISE(state->slots.next_id, result->next_id);
done:
    return import_close(&in, st);
}

rwa_status rwa_state_read(rwa_state *state, const char *path, rwa_error *err)
{
    BEGIN(err, state, path);
    rwa_assignment *result = NULL;
    MUST(rwa_assignment_read(&result, path, err));
    rwa_status st = rwa_state_import(state, result, err);
    rwa_assignment_free(result);
    return st;
}
