/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The tables of formats for networks and assignments. */
#include "foreign/design/design.h"

static const struct network_format *const networks[] = {&network_graphml, &network_json, &network_sndlib,
                                                        &network_gnpy};
static const struct assignment_format *const assignments[] = {
    &assignment_csv, &assignment_table, &assignment_openconfig, &assignment_gnpy, &assignment_sndlib};

LISTED(rwa_network_format_name, networks, ->name)
LISTED(rwa_network_format_summary, networks, ->summary)

static rwa_status write_network(const rwa_network *net, const char *format, const char *path, rwa_write write,
                                void *data, rwa_error *err)
{
    struct output out;
    size_t i = 0;
    MUST(base_find_listed(&i, rwa_network_format_name, "format", format, err));
    rwa_status st = output_open(&out, path, write, data, err);
    return output_close(&out, st == RWA_OK ? networks[i]->put(&out, net) : st);
}

rwa_status rwa_network_write(const rwa_network *net, const char *format, const char *path, rwa_error *err)
{
    BEGIN(err, net, format, path);
    return write_network(net, format, path, NULL, NULL, err);
}

rwa_status rwa_network_stream(const rwa_network *net, const char *format, rwa_write write, void *data, rwa_error *err)
{
    BEGIN(err, net, format, write);
    return write_network(net, format, NULL, write, data, err);
}

LISTED(rwa_assignment_format_name, assignments, ->name)
LISTED(rwa_assignment_format_summary, assignments, ->summary)

rwa_status rwa_assignment_export(const rwa_assignment *result, const char *format, const char *path,
                                    const rwa_export_options *opts, rwa_error *err)
{
    BEGIN(err, result, format);
    struct assignment_export x = {.result = result, .net = rwa_assignment_network(result),
                                  .demands = rwa_assignment_demands(result), .path = path,
                                  .undirected = rwa_assignment_model(result) == RWA_UNDIRECTED, .err = err};
    rwa_export_options o;
    struct output out;
    size_t i = 0;
    MUST(base_options(rwa_export_options, &o, opts, "export options", err));
    BEGIN(err, o.write || path);
    x.device = o.device;
    MUST(base_find_listed(&i, rwa_assignment_format_name, "format", format, err));
    if (assignments[i]->write && o.write)
        return base_refuse(err, "%s: several files, expected a path in place of a function, or a format of one file",
                           format);
    if (assignments[i]->write)
        return assignments[i]->write(&x);
    rwa_status st = output_open(&out, path, o.write, o.write_data, err);
    return output_close(&out, st == RWA_OK ? assignments[i]->put(&out, &x) : st);
}
