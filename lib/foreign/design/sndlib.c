/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SNDlib's native format: a network, and with an assignment its demands and the routes that it chose.  Amounts are in
 * Gbit/s and the file says so; a link is a fibre pair. */
#include "foreign/design/design.h"

static bool is_allowed(const char *name)
{
    return *name && !strpbrk(name, " \t\r\n()#");
}

static void add_links(struct text *t, const struct export_request *r)
{
    text_add(t, "LINKS (\n");
    for (uint32_t i = 0; i < design_links(r->net); i++) {
        uint32_t directed = 0;
        rwa_link link = design_link(&directed, r->net, i);
        double capacity = (double)link.fibers * rwa_network_wavelengths(r->net) * rwa_network_rate_bps(r->net) / 1e9;
        text_add(t, "  l%u ( %s %s ) %.15g 0.00 %.15g 0.00 ( )\n", i, r->names[link.from], r->names[link.to], capacity,
                 link.length_km);
    }
    text_add(t, ")\n");
}

rwa_status sndlib_add_head(struct text *t, struct export_request *r, const char *origin)
{
    uint32_t nodes = rwa_network_nodes(r->net);
    if (!rwa_network_is_paired(r->net))
        return base_refuse(
            r->err, "sndlib: some links have no way back, which the format cannot express; expected fibre pairs");
    MUST(export_names(r, is_allowed));
    text_add(t, "?SNDlib native format; type: network; version: 1.0\n"
             "# links are fibre pairs; capacities and demands in Gbit/s\n"
             "META (\n  granularity = wavelength\n  unit = GBITPERSEC\n  origin = librwa, %s\n)\nNODES (\n", origin);
    for (uint32_t v = 0; v < nodes; v++) {
        rwa_position at;
        if (!rwa_network_position(&at, r->net, v))
            at = (rwa_position){round(cos(2 * M_PI * v / nodes) * 1e4) / 1e4,
                                round(sin(2 * M_PI * v / nodes) * 1e4) / 1e4};
        text_add(t, "  %s ( %.15g %.15g )\n", r->names[v], at.x, at.y);
    }
    text_add(t, ")\n");
    add_links(t, r);
    return RWA_OK;
}

static rwa_status put_network(struct text *t, struct export_request *r)
{
    return sndlib_add_head(t, r, rwa_topology_name(rwa_network_topology(r->net)));
}

const struct export_format network_sndlib = {"sndlib", put_network, EXPORT_LINKS};

/* ---- assignments ---- */

void sndlib_add_demand(struct text *t, const struct export_request *r, uint64_t id, uint32_t src, uint32_t dst,
                       double gbps)
{
    text_add(t, "  d%" PRIu64 " ( %s %s ) 1 %.15g UNLIMITED\n", id, r->names[src], r->names[dst], gbps);
}

static void add_demands(struct text *t, const struct export_request *x)
{
    const rwa_demand *list = rwa_demands_list(x->demands);
    text_add(t, "DEMANDS (\n");
    for (size_t d = 0; d < rwa_demands_count(x->demands); d++)
        sndlib_add_demand(t, x, d, list[d].src, list[d].dst, design_rate_bps(x, d) / 1e9 * list[d].count);
    text_add(t, ")\n");
}

/** Add the routes of all demands.  In the assignment the routes of one demand follow each other. */
static void add_paths(struct text *t, const struct export_request *x)
{
    size_t last = SIZE_MAX;
    text_add(t, "ADMISSIBLE_PATHS (\n");
    for (uint64_t i = 0; i < rwa_assignment_count(x->result); i++) {
        rwa_route r = result_route(x->result, i);
        if (r.hops == 0)
            continue;
        if (r.demand != last)
            text_add(t, "%s  d%zu (\n", last == SIZE_MAX ? "" : "  )\n", r.demand);
        text_add(t, "    p%" PRIu64 " (", i);
        for (uint32_t k = 0; k < r.hops; k++)
            text_add(t, " l%u", rwa_network_pair(x->net, rwa_assignment_link(x->result, i, k)));
        text_add(t, " )\n");
        last = r.demand;
    }
    text_add(t, "%s)\n", last == SIZE_MAX ? "" : "  )\n");
}

static rwa_status put_assignment(struct text *t, struct export_request *x)
{
    MUST(sndlib_add_head(t, x, "an assignment"));
    add_demands(t, x);
    add_paths(t, x);
    return RWA_OK;
}

const struct export_format assignment_sndlib = {"sndlib", put_assignment, EXPORT_LINKS};
