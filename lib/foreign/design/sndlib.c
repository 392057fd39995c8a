/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SNDlib's native format: a network, and with an assignment its demands and the routes that it chose.  Amounts are in
 * Gbit/s and the file says so; a link is a fibre pair. */
#include "foreign/design/design.h"

#include "network/network.h"

static const double pi = 3.14159265358979323846;

static bool is_allowed(const char *name)
{
    return !strpbrk(name, " \t\r\n()#");
}

rwa_status sndlib_names(struct design_names *names, const rwa_network *net, rwa_error *err)
{
    if (!rwa_network_is_paired(net))
        return base_refuse(
            err, "sndlib: some links have no way back, which the format cannot express; expected fibre pairs");
    return design_names(names, net, is_allowed, err);
}

static void add_links(struct text *t, const struct design_names *names)
{
    const rwa_network *net = names->net;
    char from[16], to[16];
    text_add(t, "LINKS (\n");
    for (uint32_t i = 0; i < design_links(net); i++) {
        uint32_t directed = 0;
        rwa_link link = design_link(&directed, net, i);
        double capacity = (double)link.fibers * rwa_network_wavelengths(net) * rwa_network_rate_bps(net) / 1e9;
        text_add(t, "  l%u ( %s %s ) %.15g 0.00 %.15g 0.00 ( )\n", i, design_name(names, link.from, from),
                 design_name(names, link.to, to), capacity, link.length_km);
    }
    text_add(t, ")\n");
}

void sndlib_add_head(struct text *t, const struct design_names *names, const char *origin)
{
    uint32_t nodes = rwa_network_nodes(names->net);
    char buffer[16];
    text_add(t, "?SNDlib native format; type: network; version: 1.0\n"
             "# links are fibre pairs; capacities and demands in Gbit/s\n"
             "META (\n  granularity = wavelength\n  unit = GBITPERSEC\n  origin = librwa, %s\n)\nNODES (\n", origin);
    for (uint32_t v = 0; v < nodes; v++) {
        rwa_position at;
        if (!rwa_network_position(&at, names->net, v))
            at = (rwa_position){round(cos(2 * pi * v / nodes) * 1e4) / 1e4, round(sin(2 * pi * v / nodes) * 1e4) / 1e4};
        text_add(t, "  %s ( %.15g %.15g )\n", design_name(names, v, buffer), at.x, at.y);
    }
    text_add(t, ")\n");
    add_links(t, names);
}

static rwa_status put_network(struct output *out, struct export_request *r)
{
    struct design_names names;
    MUST(sndlib_names(&names, r->net, r->err));
    sndlib_add_head(&out->text, &names, rwa_topology_name(rwa_network_topology(r->net)));
    return RWA_OK;
}

const struct export_format network_sndlib = {"sndlib", "SNDlib native; a link is a fibre pair", put_network, NULL,
                                              EXPORT_LINKS};

/* ---- assignments ---- */

void sndlib_add_demand(struct text *t, const struct design_names *names, uint64_t id, uint32_t src, uint32_t dst,
                       double gbps)
{
    char from[16], to[16];
    text_add(t, "  d%" PRIu64 " ( %s %s ) 1 %.15g UNLIMITED\n", id, design_name(names, src, from),
             design_name(names, dst, to), gbps);
}

static void add_demands(struct text *t, const struct export_request *x, const struct design_names *names)
{
    const rwa_demand *list = rwa_demands_list(x->demands);
    text_add(t, "DEMANDS (\n");
    for (size_t d = 0; d < rwa_demands_count(x->demands); d++)
        sndlib_add_demand(t, names, d, list[d].src, list[d].dst, design_rate_bps(x, d) / 1e9 * list[d].count);
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

static rwa_status put_assignment(struct output *out, struct export_request *x)
{
    struct design_names names;
    MUST(sndlib_names(&names, x->net, x->err));
    sndlib_add_head(&out->text, &names, "an assignment");
    add_demands(&out->text, x, &names);
    add_paths(&out->text, x);
    return RWA_OK;
}

const struct export_format assignment_sndlib = {"sndlib", "SNDlib native network, demands and the routes chosen",
                                                    put_assignment, NULL, EXPORT_LINKS};
