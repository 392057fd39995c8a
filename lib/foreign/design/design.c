/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/design/design.h"

static const struct export_format *const assignments[] = {
    &assignment_csv, &assignment_table, &assignment_openconfig, &assignment_gnpy, &assignment_sndlib};

LISTED(rwa_assignment_format_name, assignments, ->name)

rwa_status rwa_assignment_export(const rwa_assignment *result, const char *format, const char *path,
                                 const rwa_export_options *opts, rwa_error *err)
{
    BEGIN(err, result, format);
    struct export_request r = {.result = result, .net = rwa_assignment_network(result),
                               .demands = rwa_assignment_demands(result), .path = path, .err = err};
    MUST(base_options(rwa_export_options, &r.o, opts, err));
    BEGIN(err, r.o.write || path);
    return export_by(assignments, rwa_assignment_format_name, format, &r);
}

/* ---- links ---- */

uint32_t design_links(const rwa_network *net)
{
    return rwa_network_is_paired(net) ? rwa_network_pairs(net) : rwa_network_links(net);
}

rwa_link design_link(uint32_t *directed, const rwa_network *net, uint32_t i)
{
    assert(i < design_links(net));
    *directed = rwa_network_is_paired(net) && !network_has_arcs(net) ? 2 * i : i;
    return rwa_network_link(net, *directed);
}

uint32_t design_route_node(const rwa_assignment *result, uint64_t route, uint32_t src, uint32_t k)
{
    const rwa_network *net = rwa_assignment_network(result);
    assert(src < rwa_network_nodes(net));
    return k == 0 ? src : rwa_network_link(net, rwa_assignment_link(result, route, k - 1)).to;
}

double design_rate_bps(const struct export_request *x, size_t demand)
{
    const double *rates = x->demands ? rwa_demands_rates(x->demands) : NULL;
    if (rates && rates[demand] > 0)
        return rates[demand];
    return x->o.device ? rwa_device_rate_bps(x->o.device) : rwa_network_rate_bps(x->net);
}
