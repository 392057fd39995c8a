/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Makes the HTML page of an assignment: the template (map.html) with the data in place of its placeholder. */
#include "view/map.h"

#include "assignment/assignment.h"
#include "network/network.h"

static const char data_place[] = "/*RWA-DATA*/null";

static void add_nodes(struct text *t, const struct map *m)
{
    const rwa_network *net = m->spectrum.result->net;
    text_add(t, "\"nodes\":[");
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++) {
        char name[128];
        network_name_node(name, sizeof name, net, v);
        text_add(t, "%s[%.4f,%.4f,", v ? "," : "", m->places.x[v], m->places.y[v]);
        view_add_quoted(t, name);
        text_add(t, "]");
    }
    text_add(t, "]");
}

static void add_lines(struct text *t, const struct map *m)
{
    const struct spectrum_map *s = &m->spectrum;
    text_add(t, ",\n\"lines\":[");
    for (uint32_t l = 0; l < m->line_count; l++) {
        rwa_link ends = rwa_network_link(s->result->net, m->lines[l].link);
        text_add(t, "%s[%u,%u,%.4f]", l ? "," : "", ends.from, ends.to, m->places.bow[m->lines[l].link]);
    }
    text_add(t, "],\n\"carriers\":[");
    for (uint32_t c = 0; c < s->carriers; c++) {
        rwa_link link = rwa_network_link(s->result->net, spectrum_link_of(s, c));
        text_add(t, "%s[%u,%u,%u,%u,%.6g]", c ? "," : "", m->line[c], link.from, link.to,
                 link.fibers, link.length_km > 0 ? link.length_km : 0);
    }
    text_add(t, "]");
}

/** Add the reserved slots, each range of adjacent ones as [carrier, fibre, first slot, number of slots]. */
static void add_reserved(struct text *t, const struct spectrum_map *s)
{
    bool first = true;
    text_add(t, ",\n\"reserved\":[");
    for (uint32_t row = 0; row < s->rows; row++)
        for (uint32_t slot = 0, end; slot < s->slots; slot = end + 1) {
            for (end = slot; end < s->slots && *spectrum_cell(s, row, end) == SPECTRUM_RESERVED;)
                end++;
            if (end == slot)
                continue;
            text_add(t, "%s[%u,%u,%u,%u]", first ? "" : ",", s->carrier[row],
                     row - s->first_row[s->carrier[row]], slot, end - slot);
            first = false;
        }
    text_add(t, "]");
}

/** Add the carriers (fibre pairs or directed links) that a route crosses, in the order of travel. */
static void add_carriers(struct text *t, const struct spectrum_map *s, uint64_t i, uint32_t hops)
{
    text_add(t, "[");
    for (uint32_t k = 0; k < hops; k++)
        text_add(t, "%s%u", k ? "," : "", spectrum_carrier_of(s, rwa_assignment_link(s->result, i, k)));
    text_add(t, "]");
}

static void add_route(struct text *t, const struct spectrum_map *s, uint64_t i)
{
    rwa_route route = result_route(s->result, i);
    struct extent extent = assignment_extent(s->result, i);
    const rwa_demand *d = &rwa_demands_list(s->result->demands)[route.demand];
    const char *format = rwa_assignment_modulation(s->result, i);
    text_add(t, "%s{\"demand\":%zu,\"src\":%u,\"dst\":%u", i ? ",\n" : "\n", route.demand, d->src, d->dst);
    if (route.role != RWA_WORKING)
        text_add(t, ",\"backup\":1");
    if (route.hops == 0) {
        text_add(t, ",\"why\":");
        view_add_quoted(t, route.why ? route.why : "");
    } else {
        text_add(t, ",\"links\":");
        add_carriers(t, s, i, route.hops);
        text_add(t, ",\"fiber\":%u,\"slot\":%u", route.fiber, route.wavelength);
        if (extent.width != 1 || extent.guard > 0)
            text_add(t, ",\"width\":%u,\"guard\":%u", extent.width, extent.guard);
        if (route.down)
            text_add(t, ",\"down\":1");
    }
    if (route.hops > 0 && route.fibers) {
        text_add(t, ",\"fibers\":");
        view_add_list(t, route.fibers, route.hops);
    }
    if (route.hops > 0 && route.wavelengths) {
        text_add(t, ",\"slots\":");
        view_add_list(t, route.wavelengths, route.hops);
    }
    if (format) {
        text_add(t, ",\"format\":");
        view_add_quoted(t, format);
    }
    text_add(t, "}");
}

/** Add the remedies of blocked demands as [demand, kind, where].  `where` is a line of the map if the remedy is another
 *  fibre. */
static void add_remedies(struct text *t, const struct map *m)
{
    const rwa_assignment *r = m->spectrum.result;
    const rwa_remedy *list = NULL;
    size_t count = rwa_assignment_remedies(&list, r);
    text_add(t, "],\n\"remedies\":[");
    for (size_t i = 0; i < count; i++) {
        bool is_link = list[i].kind == RWA_REMEDY_FIBER;
        text_add(t, "%s[%zu,\"%s\",%u]", i ? "," : "", list[i].demand, rwa_remedy_name(list[i].kind),
                 is_link ? m->line[list[i].where] : list[i].where);
    }
    text_add(t, "]");
}

/** Add the proof of the bound: its words, for each node its side of the cut, for each line its length, and the
 *  lightpaths that meet. */
static void add_proof(struct text *t, const struct map *m)
{
    const rwa_certificate *bound = &m->spectrum.result->summary.bound;
    text_add(t, ",\n\"proof\":{\"words\":");
    view_add_quoted(t, m->proof);
    text_add(t, ",\"side\":");
    view_add_list(t, m->side, rwa_network_nodes(m->spectrum.result->net));
    text_add(t, ",\"lines\":[");
    for (uint32_t l = 0; l < m->line_count; l++)
        text_add(t, "%s%u", l ? "," : "", m->lines[l].counted);
    text_add(t, "],\"routes\":[");
    for (size_t i = 0; i < bound->route_count && bound->kind == RWA_WITNESS_CLIQUE; i++)
        text_add(t, "%s%" PRIu64, i ? "," : "", bound->routes[i]);
    text_add(t, "]}");
}

static void add_data(struct text *t, const struct map *m)
{
    const rwa_assignment *r = m->spectrum.result;
    struct text title = {.err = t->err};
    view_name_assignment(&title, r, &m->opts);
    text_add(t, "{\"title\":");
    view_add_quoted(t, title.data ? title.data : "");
    text_drop_part(t, &title);
    text_add(t, ",\"directed\":%d,\"flexible\":%d,\"slots\":%u,\n", r->model != RWA_UNDIRECTED,
             rwa_network_slot_hz(r->net) > 0, m->spectrum.slots);
    add_nodes(t, m);
    add_lines(t, m);
    add_reserved(t, &m->spectrum);
    text_add(t, ",\n\"paths\":[");
    for (uint64_t i = 0; i < r->count; i++)
        add_route(t, &m->spectrum, i);
    add_remedies(t, m);
    if (m->proof)
        add_proof(t, m);
    text_add(t, "}");
}

rwa_status rwa_view_assignment_html(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                    rwa_error *err)
{
    BEGIN_NEW(text, err, result);
    struct text t = {.err = err};
    struct map m;
    rwa_status st = RWA_OK;
    const char *page = view_page("map"), *hole = strstr(page, data_place);
    TRY(map_open(&m, result, opts, err));
    text_add(&t, "%s", view_page("head"));
    text_add_bytes(&t, page, (size_t)(hole - page));
    add_data(&t, &m);
    text_add(&t, "%s", hole + strlen(data_place));
    st = text_finish(&t, text);
done:
    map_close(&m);
    return st;
}
