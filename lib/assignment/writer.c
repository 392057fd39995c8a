/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writes assignment files: a header, then one lightpath a line. */
#include "assignment/assignment.h"

#include "base/sink.h"
#include "network/listing.h"
#include "network/network.h"

/** Return the number that a directed link has in the file: its own or, in the undirected model, that of its fibre
 *  pair. */
static uint32_t link_number(const rwa_assignment *r, uint32_t link)
{
    assert(link < rwa_network_links(r->net));
    return network_carrier(r->net, link, r->model);
}

/** Return the link with number i in the file.  In the undirected model these are numbers of fibre pairs; return the
 *  first link of the pair. */
static rwa_link link_of_number(const rwa_assignment *r, uint32_t i)
{
    bool halved = r->model == RWA_UNDIRECTED && !network_has_arcs(r->net);
    return rwa_network_link(r->net, halved ? 2 * i : i);
}

static uint32_t count_links(const rwa_assignment *r)
{
    return r->model == RWA_UNDIRECTED ? rwa_network_pairs(r->net) : rwa_network_links(r->net);
}

static bool put_position(struct text *t, const rwa_network *net, uint32_t i)
{
    rwa_position at;
    bool known = rwa_network_position(&at, net, i);
    if (known)
        text_add(t, "[%.15g,%.15g]", at.x, at.y);
    else
        text_put(t, "null");
    return known;
}

/** Tell whether the file lists a link.  In the undirected model it lists one link of each fibre pair. */
static bool is_written(const rwa_assignment *r, uint32_t link)
{
    return r->model == RWA_DIRECTED || link % 2 == 0;
}

/** Add to t an entry [link, fibre, wavelength] for each link that has the fibre of this channel, which is reserved on
 *  all links.  `before` is the text to write before the first entry; return the text to write before the next entry. */
static const char *add_closed(struct text *t, const rwa_assignment *r, uint32_t channel, const char *before)
{
    uint32_t fiber = channel / rwa_network_wavelengths(r->net), wavelength = channel % rwa_network_wavelengths(r->net);
    for (uint32_t i = 0; i < count_links(r); i++)
        if (fiber < link_of_number(r, i).fibers) {
            text_add(t, "%s[%u,%u,%u]", before, i, fiber, wavelength);
            before = ",";
        }
    return before;
}

static void add_reserved(struct text *t, const rwa_assignment *r, const rwa_faults *faults)
{
    const rwa_reserved *list = NULL;
    size_t count = rwa_network_reserved(&list, r->net);
    const char *before = ",\"reserved\":[";
    for (size_t i = 0; i < count; i++)
        if (is_written(r, list[i].link)) {
            text_add(t, "%s[%u,%u,%u]", before, link_number(r, list[i].link), list[i].fiber, list[i].wavelength);
            before = ",";
        }
    for (size_t i = 0; i < faults->channel_count; i++)
        before = add_closed(t, r, faults->channels[i], before);
    if (before[1] == '\0')
        text_add(t, "]");
}

/** Add the member "failed", the numbers of the links that have failed; nothing if `faults` has none.  In the undirected
 *  model these are the numbers of fibre pairs of which at least one link has failed. */
static void add_failed(struct text *t, const rwa_assignment *r, const rwa_faults *faults)
{
    uint32_t count = faults->link_count > 0 ? count_links(r) : 0;
    bool halved = r->model == RWA_UNDIRECTED, arcs = network_has_arcs(r->net);
    const char *before = ",\"failed\":[";
    for (uint32_t i = 0; i < count; i++) {
        uint32_t one = halved && !arcs ? 2 * i : i, back = !halved ? one : arcs ? i + count : one + 1;
        if (rwa_network_is_failed(r->net, one) || rwa_network_is_failed(r->net, back)) {
            text_add(t, "%s%u", before, i);
            before = ",";
        }
    }
    if (before[1] == '\0')
        text_add(t, "]");
}

static void add_failures(struct text *t, const rwa_assignment *r)
{
    for (size_t i = 0; i < r->failure_count; i++) {
        struct assignment_failure f = r->failures[i];
        text_add(t, "%s[\"%s\",%u]", i ? "," : ",\"failures\":[", assignment_failures_of[f.kind],
                 f.kind == RWA_FAILURE_LINK ? link_number(r, f.number) : f.number);
    }
    text_put(t, "%s", r->failure_count ? "]" : "");
}

static void add_groups(struct text *t, const rwa_assignment *r)
{
    size_t groups = rwa_network_risk_groups(r->net);
    for (size_t g = 0; g < groups; g++) {
        const uint32_t *links = NULL;
        size_t count = rwa_network_risk_group(&links, r->net, g);
        const char *before = "";
        text_put(t, g ? ",[" : ",\"risk_groups\":[[");
        for (size_t k = 0; k < count; k++)
            if (is_written(r, links[k])) {
                text_put(t, "%s%u", before, link_number(r, links[k]));
                before = ",";
            }
        text_put(t, g + 1 < groups ? "]" : "]]");
    }
}

static bool put_length(struct text *t, const rwa_network *net, uint32_t i)
{
    double km = rwa_network_link(net, i).length_km;
    text_add(t, "%.17g", km);
    return km > 0;
}

static void add_network(struct text *t, const rwa_assignment *r)
{
    rwa_faults faults = network_faults(r->net);
    uint32_t count = count_links(r), each = r->model == RWA_UNDIRECTED && !network_has_arcs(r->net) ? 2 : 1;
    text_put(t, ",\"network\":{\"kind\":\"%s\",\"nodes\":%u", rwa_topology_name(r->net->kind), r->net->nodes);
    listing_add(t, "links", listing_ends, r->net, count, each);
    if (count == 0)
        text_put(t, ",\"links\":[]"); /* readers require the member */
    text_put(t, ",\"fibers\":%u", rwa_network_fibers(r->net));
    if (rwa_network_slot_hz(r->net) > 0)
        text_add(t, ",\"slot_ghz\":%.12g", rwa_network_slot_hz(r->net) / 1e9);
    listing_add(t, "link_fibers", listing_fibers, r->net, count, each);
    listing_add(t, "lengths_km", put_length, r->net, count, each);
    text_add(t, ",\"rate_bps\":%.17g", rwa_network_rate_bps(r->net));
    add_reserved(t, r, &faults);
    add_failed(t, r, &faults);
    add_failures(t, r);
    add_groups(t, r);
    listing_add(t, "names", listing_name, r->net, r->net->nodes, 1);
    listing_add(t, "positions", put_position, r->net, r->net->nodes, 1);
    text_put(t, "}");
}

/** Add the sets of nodes of a bound by odd cuts, [weight, node, node, …] each. */
static void add_odd_sets(struct text *t, const rwa_odd_set *sets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_put(t, "%s[%u", i ? "," : ",\"odd_sets\":[", sets[i].weight);
        for (size_t k = 0; k < sets[i].count; k++)
            text_put(t, ",%u", sets[i].nodes[k]);
        text_put(t, i + 1 < count ? "]" : "]]");
    }
}

/** Add the bound and its witness: lengths, odd cuts, a link or a clique.  There is no witness to add for an exhausted
 *  search. */
static void add_bound(struct text *t, const rwa_assignment *r)
{
    const rwa_certificate *c = &r->summary.bound;
    if (!c->name)
        return;
    text_add(t, ",\"bound\":{\"name\":\"%s\",\"value\":%" PRIu64, c->name, c->value);
    if (c->fixed_routes)
        text_add(t, ",\"fixed_routes\":true");
    if (c->most_served)
        text_add(t, ",\"most_served\":true,\"wavelengths\":%u", c->wavelengths);
    if (c->kind == RWA_WITNESS_LENGTHS)
        listing_numbers(t, "lengths", c->lengths, c->length_count);
    if (c->kind == RWA_WITNESS_ODD_CUTS) {  /* no member "lengths": readers that do not know the sets see no witness */
        listing_numbers(t, "odd_lengths", c->lengths, c->length_count);
        add_odd_sets(t, r->summary.odd_sets, r->summary.odd_set_count);
    }
    if (c->kind == RWA_WITNESS_LINK)
        text_add(t, ",\"link\":%u", c->link);
    for (size_t i = 0; c->kind == RWA_WITNESS_CLIQUE && i < c->route_count; i++)
        text_put(t, "%s%" PRIu64 "%s", i ? "," : ",\"clique\":[", c->routes[i], i + 1 < c->route_count ? "" : "]");
    text_add(t, "}");
}

/** Add a member whose value is a text: ,"NAME":"text". */
static void add_member(struct text *t, const char *name, const char *text)
{
    text_put(t, ",\"%s\":", name);
    text_add_json(t, text);
}

static void add_header(struct text *t, const rwa_assignment *r)
{
    text_add(t, "{\"format\":\"rwa-assignment\",\"version\":%d,\"model\":\"%s\"", assignment_is_wide(r) ? 2 : 1,
             rwa_model_name(r->model));
    add_network(t, r);
    text_add(t, ",\"demands\":%" PRIu64 ",\"wavelengths\":%u", rwa_demands_lightpaths(r->demands),
             r->summary.wavelengths);
    add_bound(t, r);
    if (r->protection)
        text_add(t, ",\"protection\":true");
    if (r->next_id > 0)
        text_add(t, ",\"next_lightpath\":%" PRIu64, r->next_id);
    listing_numbers(t, "converters", r->converters, r->converter_count);
    text_add(t, "}\n");
}

/** Add the member "path", the nodes of route i, which has `hops` links.  The path need not begin at the src of its
 *  demand.  parallel: the network has parallel links, which a path of nodes does not tell apart; so add the links,
 *  too. */
static void add_path(struct text *t, const rwa_assignment *r, uint64_t i, uint32_t hops, bool parallel)
{
    text_put(t, ",\"path\":[%u", rwa_network_link(r->net, rwa_assignment_link(r, i, 0)).from);
    for (uint32_t k = 0; k < hops; k++)
        text_put(t, ",%u", rwa_network_link(r->net, rwa_assignment_link(r, i, k)).to);
    text_put(t, "]");
    for (uint32_t k = 0; parallel && k < hops; k++)
        text_put(t, "%s%u", k ? "," : ",\"links\":[", link_number(r, rwa_assignment_link(r, i, k)));
    text_put(t, parallel ? "]" : "");
}

/** Add the member "remedies" of a demand without a route, such as [["wavelength",9],["converter",3]]; nothing if the
 *  demand has none. */
static void add_remedies(struct text *t, const rwa_assignment *r, size_t demand)
{
    const char *before = ",\"remedies\":[";
    for (size_t i = 0; i < r->remedy_count; i++)
        if (r->remedies[i].demand == demand) {
            text_put(t, "%s[\"%s\",%u]", before, rwa_remedy_name(r->remedies[i].kind), r->remedies[i].where);
            before = ",";
        }
    text_put(t, before[1] ? "" : "]");
}

/** Add the members that only the line of a route with links has: path, fibres, wavelengths, condition and format.
 *  `parallel` as in add_path(). */
static void add_routed(struct text *t, const rwa_assignment *r, uint64_t i, const rwa_route *route, bool parallel)
{
    const char *modulation = rwa_assignment_modulation(r, i);
    add_path(t, r, i, route->hops, parallel);
    text_put(t, ",\"fiber\":%u,\"wavelength\":%u", route->fiber, route->wavelength);
    listing_numbers(t, "fibers", route->fibers, route->fibers ? route->hops : 0);
    listing_numbers(t, "wavelengths", route->wavelengths, route->wavelengths ? route->hops : 0);
    if (r->routes[i].lost)
        text_put(t, ",\"lost\":\"%s\"", assignment_roles[r->routes[i].lost]);
    if (route->down)
        text_put(t, ",\"down\":true");
    if (modulation)
        add_member(t, "modulation", modulation);
}

/** Add the line of route i.  `demand`: the number that its lightpath has as a demand in the file.  `parallel` as in
 *  add_path(). */
static void add_route(struct text *t, const rwa_assignment *r, uint64_t i, uint64_t demand, bool parallel)
{
    rwa_route route = result_route(r, i);
    struct extent extent = assignment_extent(r, i);
    const rwa_demand *d = &rwa_demands_list(r->demands)[route.demand];
    const double *rates = rwa_demands_rates(r->demands);
    bool working = route.role == RWA_WORKING && route.hops > 0;
    text_put(t, "{\"demand\":%" PRIu64 ",\"src\":%u,\"dst\":%u", demand, d->src, d->dst);
    if (r->ids && working)
        text_put(t, ",\"lightpath\":%" PRIu64, r->ids[route.demand]);
    if (working && rwa_assignment_tag(r, i))
        add_member(t, "tag", rwa_assignment_tag(r, i));
    if (d->via != RWA_NONE)
        text_put(t, ",\"via\":%u", d->via);
    if (extent.width > 1)
        text_put(t, ",\"width\":%u", extent.width);
    if (extent.guard > 0)
        text_put(t, ",\"guard\":%u", extent.guard);
    if (rates && rates[route.demand] > 0)
        text_add(t, ",\"rate_bps\":%.17g", rates[route.demand]);
    if (route.role != RWA_WORKING)
        text_put(t, ",\"role\":\"%s\"", assignment_roles[route.role]);
    if (route.hops > 0) {
        add_routed(t, r, i, &route, parallel);
    } else {
        text_put(t, ",\"path\":null");
        add_member(t, "why", route.why);
        add_remedies(t, r, route.demand);
    }
    text_put(t, "}\n");
}

/** Add a line for each route.  A demand for several lightpaths becomes several demands in the file, one for each
 *  lightpath. */
static void add_routes(struct text *t, const rwa_assignment *r)
{
    bool parallel = network_has_parallel_links(r->net);
    uint64_t first = 0;         /* number in the file of the first lightpath of demand d */
    for (size_t i = 0, d = 0; i < r->count && t->status == RWA_OK; i++) {
        for (; d < r->routes[i].demand; d++)
            first += rwa_demands_list(r->demands)[d].count;
        add_route(t, r, i, first + r->routes[i].copy, parallel);
    }
}

static rwa_status write_to(const rwa_assignment *result, const char *path, rwa_write write, void *data, rwa_error *err)
{
    struct text header = {.err = err};
    struct sink sink;
    rwa_status st = sink_open_to(&sink, path, write, data, err);
    if (st == RWA_OK) {
        add_header(&header, result);
        text_add_part(&sink.text, &header);
        add_routes(&sink.text, result);
        st = sink_finish(&sink);
    }
    sink_drop(&sink);
    return st;
}

rwa_status rwa_assignment_write(const rwa_assignment *result, const char *path, rwa_error *err)
{
    BEGIN(err, result, path);
    return write_to(result, path, NULL, NULL, err);
}

rwa_status rwa_assignment_stream(const rwa_assignment *result, rwa_write write, void *data, rwa_error *err)
{
    BEGIN(err, result, write);
    return write_to(result, NULL, write, data, err);
}
