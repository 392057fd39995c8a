/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assignments in memory: routes in one list, arcs of rings without lists. */
#include "assignment/assignment.h"

#include "base/file.h"
#include "network/network.h"

#define PROTECTIONS(X)                                                                                                 \
    X(, RWA_PROTECTION_NONE, "none") X(, RWA_PROTECTION_DEDICATED, "1+1") X(, RWA_PROTECTION_SHARED, "shared")
NAMED(rwa_protection_name, rwa_protection, PROTECTIONS, NULL)

rwa_status rwa_assignment_create(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                                    rwa_model model, rwa_error *err)
{
    BEGIN_NEW(out, err, net, demands);
    rwa_assignment *r = NULL;
    rwa_status st = RWA_OK;
    if (rwa_demands_nodes(demands) != net->nodes)
        return base_refuse(err, "demands between %u nodes do not fit a network of %u", rwa_demands_nodes(demands),
                           net->nodes);
    if (!rwa_model_name(model))
        return base_refuse(err, "model %d: expected directed or undirected", (int)model);
    if (model == RWA_UNDIRECTED && !rwa_network_is_paired(net))
        return base_refuse(err, "the undirected model needs links in pairs, this network has single ones");
    st = RWA_NOMEM;
    r = base_array(1, sizeof *r, err);
    if (!r || !(r->net = network_copy(net, err)))
        goto done;
    TRY(rwa_demands_with_widths(&r->demands, demands, rwa_demands_widths(demands), err));
    r->model = model;
    r->summary.check = &r->check;
    r->summary.lightpaths = rwa_demands_lightpaths(demands);
    *out = r;
    r = NULL;
done:
    rwa_assignment_free(r);
    return st;
}

void rwa_assignment_free(rwa_assignment *r)
{
    if (!r)
        return;
    rwa_network_free(r->net);
    rwa_demands_free(r->demands);
    names_free(&r->formats.names);
    free_all(r->routes, r->extents, r->formats.of, r->numbers, r->text);
    arena_free(&r->arena);
    free(r);
}

/** Tell whether route `next` comes after route `last` in the order of an assignment.  The order is by demand, then by
 *  copy (which lightpath of the demand), then by role (working route before backup). */
static bool comes_after(const struct assignment_route *last, const rwa_route *next)
{
    if (last->demand != next->demand)
        return last->demand < next->demand;
    return last->copy != next->copy ? last->copy < next->copy : last->role < (unsigned)next->role;
}

static rwa_status check_links(const rwa_assignment *r, const rwa_route *route, rwa_error *err)
{
    uint32_t links = rwa_network_links(r->net);
    for (uint32_t k = 0; k < route->hops; k++)
        if (!route->links || route->links[k] >= links)
            return base_refuse(err, "route of demand %zu: hop %u is no link of the network", route->demand, k);
    return RWA_OK;
}

static rwa_status check_route(const rwa_assignment *r, const rwa_route *route, rwa_error *err)
{
    size_t demands = rwa_demands_count(r->demands);
    if (route->demand >= demands)
        return base_refuse(err, "route of demand %zu: expected a demand below %zu", route->demand, demands);
    const rwa_demand *demand = &rwa_demands_list(r->demands)[route->demand];
    if (route->copy >= demand->count)
        return base_refuse(err, "route %u of demand %zu: it asks for %u", route->copy, route->demand, demand->count);
    if (route->role != RWA_WORKING && route->role != RWA_BACKUP && route->role != RWA_SHARED_BACKUP)
        return base_refuse(err, "route of demand %zu: no such role", route->demand);
    if (r->count > 0 && !comes_after(&r->routes[r->count - 1], route))
        return base_refuse(err, "route of demand %zu: expected after the ones before it", route->demand);
    if (!network_has_arcs(r->net))
        return check_links(r, route, err);
    if (route->hops > 0 && network_hops(r->net, demand->src, demand->dst, route->direction) != route->hops)
        return base_refuse(err, "route of demand %zu: no arc of %u hops in this direction", route->demand, route->hops);
    return RWA_OK;
}

static rwa_status append_numbers(rwa_assignment *r, const uint32_t *numbers, uint32_t count, rwa_error *err)
{
    return base_append_all(r->numbers, r->number_count, err, numbers, numbers ? count : 0);
}

static rwa_status append_text(rwa_assignment *r, const char *text, rwa_error *err)
{
    return base_append_all(r->text, r->text_count, err, text, strlen(text) + 1);
}

/** Append to r->extents the width and guard of the route that the caller is adding.  The list stays NULL as long as all
 *  routes have 1 slot without guard.  RWA_NOMEM. */
static rwa_status append_extent(rwa_assignment *r, struct extent extent, rwa_error *err)
{
    size_t had = r->extents ? r->count : 0;
    if (!r->extents && extent.width == 1 && extent.guard == 0)
        return RWA_OK;
    MUST(base_reserve(r->extents, r->count + 1, err));
    for (size_t i = had; i < r->count; i++)
        r->extents[i] = (struct extent){1, 0};
    r->extents[r->count] = extent;
    return RWA_OK;
}

struct extent assignment_extent(const struct rwa_assignment *r, uint64_t i)
{
    assert(i < r->count);
    return r->extents ? r->extents[i] : (struct extent){1, 0};
}

bool assignment_is_wide(const struct rwa_assignment *r)
{
    return r->extents || rwa_demands_widths(r->demands);
}

uint32_t rwa_assignment_width(const rwa_assignment *r, uint64_t i)
{
    return assignment_extent(r, i).width;
}

uint32_t rwa_assignment_guard(const rwa_assignment *r, uint64_t i)
{
    return assignment_extent(r, i).guard;
}

/** Add a new route to r->summary: count a working route as a routed lightpath, and raise the number of wavelengths to 1
 *  + the highest in use.  A route without links counts nothing. */
static void count_route(rwa_assignment *r, const rwa_route *route, struct extent extent)
{
    uint32_t above = extent.width + extent.guard - 1;
    if (route->hops == 0)
        return;
    r->summary.routed += route->role == RWA_WORKING;
    for (uint32_t k = 0; k < (route->wavelengths ? route->hops : 1); k++) {
        uint32_t used = route_channel(route, k);
        if (used < UINT32_MAX - above && used + above >= r->summary.wavelengths)
            r->summary.wavelengths = used + above + 1;
    }
}

rwa_status rwa_assignment_add(rwa_assignment *result, const rwa_route *route, rwa_error *err)
{
    BEGIN(err, result, route);
    const uint32_t *widths = rwa_demands_widths(result->demands);
    bool known = widths && route->demand < rwa_demands_count(result->demands);
    return rwa_assignment_add_wide(result, route, known ? widths[route->demand] : 1, 0, err);
}

rwa_status rwa_assignment_add_wide(rwa_assignment *result, const rwa_route *route, uint32_t width, uint32_t guard,
                                   rwa_error *err)
{
    BEGIN(err, result, route);
    const uint32_t *links = network_has_arcs(result->net) ? NULL : route->links;
    size_t numbers = result->number_count;
    rwa_status st = RWA_OK;
    if (width < 1 || width > RWA_CHANNELS_MAX || guard > RWA_CHANNELS_MAX - width)
        return base_refuse(err, "route of demand %zu: %u slots and a guard of %u, expected 1 to %u in all",
                           route->demand, width, guard, RWA_CHANNELS_MAX);
    TRY(check_route(result, route, err));
    TRY(append_extent(result, (struct extent){width, guard}, err));
    TRY(base_reserve(result->routes, result->count + 1, err));
    struct assignment_route a = {
        .demand = (uint32_t)route->demand, .copy = route->copy, .fiber = route->fiber, .wavelength = route->wavelength,
        .hops = route->hops, .role = (unsigned)route->role & 3, .direction = route->direction == RWA_CCW,
        .has_links = route->hops > 0 && links, .has_fibers = route->hops > 0 && route->fibers,
        .has_wavelengths = route->hops > 0 && route->wavelengths, .down = route->hops > 0 && route->down,
        .first = route->hops > 0 ? result->number_count : result->text_count};
    if (route->hops == 0) {
        TRY(append_text(result, route->why ? route->why : "", err));
    } else {
        TRY(append_numbers(result, links, route->hops, err));
        TRY(append_numbers(result, route->fibers, route->hops, err));
        TRY(append_numbers(result, route->wavelengths, route->hops, err));
    }
    result->routes[result->count++] = a;
    numbers = result->number_count;
    count_route(result, route, (struct extent){width, guard});
done:
    result->number_count = numbers;
    return st;
}

const char *const assignment_roles[] = {"working", "backup", "shared-backup", NULL};
const char *const assignment_failures_of[] = {"link", "node", "risk-group", NULL};

rwa_status assignment_number(struct rwa_assignment *r, const uint64_t *ids, uint64_t next, rwa_error *err)
{
    r->arena.err = err;
    r->next_id = next;
    arena_copy(&r->arena, r->ids, ids, rwa_demands_count(r->demands));
    return arena_status(&r->arena);
}

uint64_t rwa_assignment_lightpath(const rwa_assignment *r, uint64_t i)
{
    assert(i < r->count);
    return r->ids ? r->ids[r->routes[i].demand] : 0;
}

bool assignment_is_tag(const char *text)
{
    char copy[RWA_TAG_MAX + 1];
    size_t length = strnlen(text, sizeof copy);
    if (length == 0 || length > RWA_TAG_MAX || file_bad_line(text, length) > 0)
        return false;
    return strcmp(rwa_text_make_visible(strcpy(copy, text)), text) == 0;
}

rwa_status assignment_tag(struct rwa_assignment *r, size_t demand, const char *tag, rwa_error *err)
{
    r->arena.err = err;
    if (!r->tags && !arena_new(&r->arena, r->tags, rwa_demands_count(r->demands)))
        return RWA_NOMEM;
    r->tags[demand] = arena_copy_text(&r->arena, tag);
    return arena_status(&r->arena);
}

const char *rwa_assignment_tag(const rwa_assignment *r, uint64_t i)
{
    assert(i < r->count);
    return r->tags ? r->tags[r->routes[i].demand] : NULL;
}

NAMED(rwa_remedy_name, rwa_remedy_kind, RWA_REMEDY_MAP, NULL)

size_t rwa_assignment_remedies(const rwa_remedy **list, const rwa_assignment *r)
{
    *list = r->remedies;
    return r->remedy_count;
}

rwa_status assignment_certify(struct rwa_assignment *r, const rwa_certificate *certificate, rwa_error *err)
{
    rwa_certificate *bound = &r->summary.bound;
    r->arena.err = err;
    *bound = *certificate;
    bound->lengths =
        arena_copy_array(&r->arena, certificate->lengths, certificate->length_count, sizeof *bound->lengths);
    bound->routes = arena_copy_array(&r->arena, certificate->routes, certificate->route_count, sizeof *bound->routes);
    bound->name = arena_copy_text(&r->arena, certificate->name);
    return arena_status(&r->arena);
}

rwa_status assignment_odd_sets(struct rwa_assignment *r, const rwa_odd_set *sets, size_t count, rwa_error *err)
{
    rwa_odd_set *copy = NULL;
    r->arena.err = err;
    arena_copy(&r->arena, copy, sets, count);
    for (size_t i = 0; i < count && copy; i++)
        copy[i].nodes = arena_copy_array(&r->arena, sets[i].nodes, sets[i].count, sizeof *sets[i].nodes);
    r->summary.odd_sets = copy;
    r->summary.odd_set_count = count;
    return arena_status(&r->arena);
}

GETTER_ADDRESS(rwa_assignment_report, rwa_assignment_summary, rwa_assignment, summary)

GETTER(const rwa_network *, rwa_assignment_network, rwa_assignment, net)
GETTER(const rwa_demands *, rwa_assignment_demands, rwa_assignment, demands)
GETTER(rwa_model, rwa_assignment_model, rwa_assignment, model)
GETTER(uint64_t, rwa_assignment_count, rwa_assignment, count)

void rwa_assignment_get(rwa_route *out, const rwa_assignment *r, uint64_t i)
{
    assert(i < r->count);
    const struct assignment_route *a = &r->routes[i];
    *out = (rwa_route){.demand = a->demand, .copy = a->copy, .role = (rwa_role)a->role, .hops = a->hops,
                       .direction = (rwa_direction)a->direction, .fiber = a->fiber, .wavelength = a->wavelength,
                       .down = a->down};
    const uint32_t *at = r->numbers ? r->numbers + a->first : NULL;
    if (a->hops == 0) {
        out->why = r->text + a->first;
        return;
    }
    if (a->has_links) {
        out->links = at;
        at += a->hops;
    }
    if (a->has_fibers) {
        out->fibers = at;
        at += a->hops;
    }
    if (a->has_wavelengths)
        out->wavelengths = at;
}

uint32_t rwa_assignment_link(const rwa_assignment *r, uint64_t i, uint32_t k)
{
    assert(i < r->count && k < r->routes[i].hops);
    const struct assignment_route *a = &r->routes[i];
    uint32_t nodes = r->net->nodes, src = rwa_demands_list(r->demands)[a->demand].src;
    if (a->has_links)
        return r->numbers[a->first + k];
    if (a->direction == RWA_CW)
        return (uint32_t)(((uint64_t)src + k) % nodes);
    return rwa_network_pairs(r->net) + (uint32_t)(((uint64_t)src + nodes - 1 - k) % nodes);
}

#ifndef NDEBUG
static void check_bounds(const rwa_assignment *r, const struct assignment_route *a)
{
    size_t lists = (size_t)(a->has_links + a->has_fibers + a->has_wavelengths);
    assert(a->demand < rwa_demands_count(r->demands) && a->copy < rwa_demands_list(r->demands)[a->demand].count);
    assert(a->hops > 0 || (lists == 0 && !a->down));
    assert(a->hops > 0 ? a->first + lists * a->hops <= r->number_count : a->first < r->text_count);
    for (uint32_t k = 0; a->has_links && k < a->hops; k++)
        assert(r->numbers[a->first + k] < rwa_network_links(r->net));
}

void assignment_check(const rwa_assignment *r)
{
    uint64_t routed = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct assignment_route *a = &r->routes[i];
        const rwa_route next = {.demand = a->demand, .copy = a->copy, .role = (rwa_role)a->role};
        assert(i == 0 || comes_after(&r->routes[i - 1], &next));
        check_bounds(r, a);
        routed += a->hops > 0 && a->role == RWA_WORKING;
    }
    assert(routed == r->summary.routed && routed <= r->summary.lightpaths);
}
#endif
