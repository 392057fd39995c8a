/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writes assignment files: a header, then one lightpath a line.  A demand for several lightpaths becomes as many
 *  demands. */
#include "assignment/assignment.h"

#include "base/sink.h"
#include "network/listing.h"
#include "network/network.h"

struct writing {
    const rwa_assignment *result;
    struct sink sink;
    bool parallel;          /* some nodes are joined by parallel links, so every path names its links */
    uint64_t *first;        /* of each demand: the number of its first lightpath in the file */
};

/** Return the number of a directed link in the file. */
static uint32_t link_number(const rwa_assignment *r, uint32_t link)
{
    assert(link < rwa_network_links(r->net));
    return r->model == RWA_UNDIRECTED ? rwa_network_pair(r->net, link) : link;
}

/** Return the link of the network that has number i in the file. */
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

/** Tell whether a link is written: of a fibre pair only one direction is. */
static bool is_written(const rwa_assignment *r, uint32_t link)
{
    return r->model == RWA_DIRECTED || link % 2 == 0;
}

/** Add a channel that is reserved on all links: one entry for each link that has its fibre.  `before` is the text
 *  before the first entry; return the text before the next one. */
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

/** Add the failed links.  A fibre pair has failed when one of its directions has; if both are listed, the pair is
 *  written once. */
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

/** Add the sets of a bound by odd cuts, [weight, node, node, …] each. */
static void add_odd_sets(struct text *t, const rwa_odd_set *sets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_put(t, "%s[%u", i ? "," : ",\"odd_sets\":[", sets[i].weight);
        for (size_t k = 0; k < sets[i].count; k++)
            text_put(t, ",%u", sets[i].nodes[k]);
        text_put(t, i + 1 < count ? "]" : "]]");
    }
}

/** Add the bound and its witness, where the witness can be verified from the file. */
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
    if (c->kind == RWA_WITNESS_FORMULA)
        text_add(t, ",\"theorem\":\"%s\"", c->name);
    text_add(t, "}");
}

static rwa_status write_header(struct writing *w)
{
    const rwa_assignment *r = w->result;
    struct text t = {.err = w->sink.err};
    text_add(&t, "{\"format\":\"rwa-assignment\",\"version\":%d,\"model\":\"%s\"", assignment_is_wide(r) ? 2 : 1,
             rwa_model_name(r->model));
    add_network(&t, r);
    text_add(&t, ",\"demands\":%" PRIu64 ",\"wavelengths\":%u", rwa_demands_lightpaths(r->demands),
             r->summary.wavelengths);
    add_bound(&t, r);
    if (r->protection)
        text_add(&t, ",\"protection\":true");
    if (r->next_id > 0)
        text_add(&t, ",\"next_lightpath\":%" PRIu64, r->next_id);
    listing_numbers(&t, "converters", r->converters, r->converter_count);
    text_add(&t, "}\n");
    return sink_write_text(&w->sink, &t);
}

/** Write the path as it is, even if it does not begin at its demand's src. */
static void put_path(struct writing *w, uint64_t i, uint32_t hops)
{
    const rwa_assignment *r = w->result;
    sink_put(&w->sink, ",\"path\":[%u", rwa_network_link(r->net, rwa_assignment_link(r, i, 0)).from);
    for (uint32_t k = 0; k < hops; k++)
        sink_put(&w->sink, ",%u", rwa_network_link(r->net, rwa_assignment_link(r, i, k)).to);
    sink_put(&w->sink, "]");
    for (uint32_t k = 0; w->parallel && k < hops; k++)
        sink_put(&w->sink, "%s%u", k ? "," : ",\"links\":[", link_number(r, rwa_assignment_link(r, i, k)));
    if (w->parallel)
        sink_put(&w->sink, "]");
}

static void put_list(struct writing *w, const char *name, const uint32_t *list, uint32_t count)
{
    for (uint32_t k = 0; list && k < count; k++)
        sink_put(&w->sink, "%s%u", k ? "," : name, list[k]);
    if (list)
        sink_put(&w->sink, "]");
}

/** Write ,MEMBER:"text". */
static rwa_status put_text(struct writing *w, const char *member, const char *text)
{
    struct text t = {.err = w->sink.err};
    text_add(&t, ",%s:", member);
    text_add_json(&t, text);
    return sink_write_text(&w->sink, &t);
}

/** Write [["wavelength",9],["converter",3]]; nothing without a remedy. */
static void put_remedies(struct writing *w, size_t demand)
{
    const rwa_remedy *list = NULL;
    size_t count = rwa_assignment_remedies(&list, w->result), put = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].demand == demand)
            sink_put(&w->sink, "%s[\"%s\",%u]", put++ ? "," : ",\"remedies\":[", rwa_remedy_name(list[i].kind),
                     list[i].where);
    if (put > 0)
        sink_put(&w->sink, "]");
}

/** Write the bit rate of a demand's lightpath, if it is known. */
static rwa_status put_rate(struct writing *w, size_t demand)
{
    const double *rates = rwa_demands_rates(w->result->demands);
    struct text t = {.err = w->sink.err};
    if (!rates || !(rates[demand] > 0))
        return RWA_OK;
    text_add(&t, ",\"rate_bps\":%.17g", rates[demand]);
    return sink_write_text(&w->sink, &t);
}

static const char *role_name(uint32_t role)
{
    return role == RWA_BACKUP ? "backup" : "shared-backup";
}

static rwa_status put_route(struct writing *w, uint64_t i)
{
    struct sink *s = &w->sink;
    rwa_route route = result_route(w->result, i);
    struct extent extent = assignment_extent(w->result, i);
    const rwa_demand *demand = &rwa_demands_list(w->result->demands)[route.demand];
    const char *modulation = rwa_assignment_modulation(w->result, i), *tag = rwa_assignment_tag(w->result, i);
    sink_put(s, "{\"demand\":%" PRIu64 ",\"src\":%u,\"dst\":%u", w->first[route.demand] + route.copy, demand->src,
             demand->dst);
    if (w->result->ids && route.role == RWA_WORKING && route.hops > 0)
        sink_put(s, ",\"lightpath\":%" PRIu64, w->result->ids[route.demand]);
    if (tag && route.role == RWA_WORKING && route.hops > 0)
        MUST(put_text(w, "\"tag\"", tag));
    if (demand->via != RWA_NONE)
        sink_put(s, ",\"via\":%u", demand->via);
    if (extent.width > 1)
        sink_put(s, ",\"width\":%u", extent.width);
    if (extent.guard > 0)
        sink_put(s, ",\"guard\":%u", extent.guard);
    MUST(put_rate(w, route.demand));
    if (route.role != RWA_WORKING)
        sink_put(s, ",\"role\":\"%s\"", role_name(route.role));
    if (route.hops == 0) {
        MUST(put_text(w, "\"path\":null,\"why\"", route.why));
        put_remedies(w, route.demand);
    } else {
        put_path(w, i, route.hops);
        sink_put(s, ",\"fiber\":%u,\"wavelength\":%u", route.fiber, route.wavelength);
        put_list(w, ",\"fibers\":[", route.fibers, route.hops);
        put_list(w, ",\"wavelengths\":[", route.wavelengths, route.hops);
        if (w->result->routes[i].lost)
            sink_put(s, ",\"lost\":\"%s\"", role_name(w->result->routes[i].lost));
        if (route.down)
            sink_put(s, ",\"down\":true");
        MUST(modulation ? put_text(w, "\"modulation\"", modulation) : RWA_OK);
    }
    sink_put(s, "}\n");
    return s->status;
}

static rwa_status number_demands(struct writing *w, rwa_error *err)
{
    const rwa_demands *demands = w->result->demands;
    uint64_t at = 0;
    MUST(base_new(w->first, rwa_demands_count(demands), err));
    for (size_t d = 0; d < rwa_demands_count(demands); d++) {
        w->first[d] = at;
        at += rwa_demands_list(demands)[d].count;
    }
    return RWA_OK;
}

static rwa_status write_to(const rwa_assignment *result, const char *path, rwa_write write, void *data, rwa_error *err)
{
    struct writing w = {.result = result, .parallel = network_has_parallel_links(result->net)};
    rwa_status st = number_demands(&w, err);
    if (st != RWA_OK)
        return st;
    TRY(sink_open_to(&w.sink, path, write, data, err));
    TRY(write_header(&w));
    for (uint64_t i = 0; i < result->count; i++)
        TRY(put_route(&w, i));
    TRY(sink_finish(&w.sink));
done:
    sink_drop(&w.sink);
    free(w.first);
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
