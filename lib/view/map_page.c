/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Makes the HTML page of an assignment: its data as a script, and the template (map.html). */
#include "view/map.h"

#include "assignment/assignment.h"
#include "network/network.h"

static void add_carriers(struct text *t, const struct map *m)
{
    const struct spectrum_map *s = &m->spectrum;
    text_add(t, "carriers:[");
    for (uint32_t c = 0; c < s->carriers; c++) {
        uint32_t l = spectrum_link_of(s, c);
        rwa_link link = rwa_network_link(s->result->net, l);
        text_add(t, "[%u,%u,%.4f,%u,%.6g],", link.from, link.to, m->places.bow[l], link.fibers,
                 link.length_km > 0 ? link.length_km : 0);
    }
    text_add(t, "],\n");
}

/** Add the reserved slots, each range of adjacent ones as [carrier, fibre, first slot, number of slots]. */
static void add_reserved(struct text *t, const struct spectrum_map *s)
{
    text_add(t, "reserved:[");
    for (uint32_t row = 0; row < s->rows; row++)
        for (uint32_t slot = 0, end; slot < s->slots; slot = end + 1) {
            for (end = slot; end < s->slots && *spectrum_cell(s, row, end) == SPECTRUM_RESERVED;)
                end++;
            if (end > slot)
                text_add(t, "[%u,%u,%u,%u],", s->carrier[row], row - s->first_row[s->carrier[row]], slot, end - slot);
        }
    text_add(t, "],\n");
}

/** Add route number i with the carriers (fibre pairs or directed links) that it crosses, in the order of travel. */
static void add_route(struct text *t, const struct spectrum_map *s, uint64_t i)
{
    rwa_route route = result_route(s->result, i);
    struct extent extent = assignment_extent(s->result, i);
    const rwa_demand *d = &rwa_demands_list(s->result->demands)[route.demand];
    text_add(t, "{demand:%zu,index:%" PRIu64 ",src:%u,dst:%u,fiber:%u,slot:%u,width:%u,guard:%u,backup:%d,down:%d,"
             "why:", route.demand, i, d->src, d->dst, route.fiber, route.wavelength, extent.width, extent.guard,
             route.role != RWA_WORKING, route.down);
    view_add_quoted(t, route.why);
    text_add(t, ",format:");
    view_add_quoted(t, rwa_assignment_modulation(s->result, i));
    text_add(t, route.hops > 0 ? ",links:[" : "");
    for (uint32_t k = 0; k < route.hops; k++)
        text_add(t, "%u,", spectrum_carrier_of(s, rwa_assignment_link(s->result, i, k)));
    text_add(t, route.hops > 0 ? "]" : "");
    if (route.fibers) {
        text_add(t, ",fibers:");
        view_add_list(t, route.fibers, route.hops);
    }
    if (route.wavelengths) {
        text_add(t, ",slots:");
        view_add_list(t, route.wavelengths, route.hops);
    }
    text_add(t, "},\n");
}

/** Add the remedies, the changes that would each let a blocked demand in, as [demand, kind, where]. */
static void add_remedies(struct text *t, const rwa_assignment *r)
{
    const rwa_remedy *list = NULL;
    size_t count = rwa_assignment_remedies(&list, r);
    text_add(t, "],\nremedies:[");
    for (size_t i = 0; i < count; i++)
        text_add(t, "[%zu,\"%s\",%u],", list[i].demand, rwa_remedy_name(list[i].kind), list[i].where);
    text_add(t, "],\n");
}

/** Add the proof of the bound: its words, the side of each node, the length of each carrier, and the routes of a
 *  clique. */
static void add_proof(struct text *t, const struct map *m)
{
    const rwa_certificate *bound = &m->spectrum.result->summary.bound;
    map_add_proof(t, m->proof, m->side, rwa_network_nodes(m->spectrum.result->net));
    text_add(t, ",lengths:[");
    for (uint32_t c = 0; c < m->spectrum.carriers; c++)
        text_add(t, "%u,", m->lengths[spectrum_link_of(&m->spectrum, c)]);
    text_add(t, "],routes:[");
    for (size_t i = 0; i < bound->route_count && bound->kind == RWA_WITNESS_CLIQUE; i++)
        text_add(t, "%" PRIu64 ",", bound->routes[i]);
    text_add(t, "]}");
}

static rwa_status add_data(struct text *t, struct map *m)
{
    const rwa_assignment *r = m->spectrum.result;
    struct text title = {.err = t->err};
    view_name_assignment(&title, r, &m->opts);
    text_add(t, "{title:");
    view_add_quoted(t, title.data);
    text_drop_part(t, &title);
    text_add(t, ",directed:%d,flexible:%d,slots:%u,\n", r->model != RWA_UNDIRECTED, rwa_network_slot_hz(r->net) > 0,
             m->spectrum.slots);
    map_add_spots(t, &m->places, r->net);
    MUST(svg_map_sizes(t, r->net, &m->places, &m->arena));
    add_carriers(t, m);
    add_reserved(t, &m->spectrum);
    text_add(t, "paths:[\n");
    for (uint64_t i = 0; i < r->count; i++)
        add_route(t, &m->spectrum, i);
    add_remedies(t, r);
    if (m->proof)
        add_proof(t, m);
    text_add(t, "};\n</script>\n");
    return RWA_OK;
}

rwa_status rwa_view_assignment_html(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                    rwa_error *err)
{
    BEGIN_NEW(text, err, result);
    struct text t = {.err = err};
    struct map m;
    rwa_status st = RWA_OK;
    TRY(map_open(&m, result, opts, err));
    view_open_page(&t, "data");
    TRY(add_data(&t, &m));
    view_add_page(&t, "map");
    st = text_finish(&t, text);
done:
    free(t.data);
    arena_free(&m.arena);
    return st;
}
