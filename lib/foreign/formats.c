/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/foreign.h"

#include "base/names.h"
#include "power/power.h"

static const struct export_format
    *const schedules[] = {&export_csv, &export_nodes, &export_settings, &export_openconfig, &export_harvest,
                          &export_msccl, &export_mscclpp, &export_chakra, &export_gnpy, &export_sndlib},
    *const networks[] = {&network_graphml, &network_json, &network_sndlib, &network_gnpy};

LISTED(rwa_schedule_format_name, schedules, ->name)
LISTED(rwa_network_format_name, networks, ->name)

OPTIONS(rwa_export_options, .node = RWA_EXPORT_ALL)

static rwa_status check_steps(struct export_request *r)
{
    uint32_t nodes = rwa_network_nodes(r->net), steps = rwa_schedule_steps(r->sched);
    if (steps == 0)
        return base_refuse(r->err, "the schedule has no step, so there is nothing to export");
    if (r->o.step > steps)
        return base_refuse(r->err, "step %u: expected 1 to %u", r->o.step, steps);
    if (r->o.node != RWA_EXPORT_ALL && r->o.node >= nodes)
        return base_refuse(r->err, "node %" PRIu64 ": expected 0 to %u", r->o.node, nodes - 1);
    r->from = r->o.step ? r->o.step : 1;
    r->to = r->o.step ? r->o.step : steps;
    return RWA_OK;
}

/** Return RWA_BADARG if format f cannot express the schedule: members, several blocks on a lightpath, or several
 *  receivers. */
static rwa_status check_lightpaths(const struct export_request *r, const struct export_format *f)
{
    const char *what = f->needs & (EXPORT_PLAIN | EXPORT_SINGLE) && rwa_schedule_members(r->sched)
                       ? "that only some nodes take part"
                       : f->needs & EXPORT_SINGLE && rwa_schedule_lightpath_blocks(r->sched) > 1
                       ? "several blocks on a lightpath"
                       : f->needs & (EXPORT_PLAIN | EXPORT_SINGLE | EXPORT_UNTAPPED | EXPORT_ARCS) &&
                         rwa_schedule_receivers(r->sched) > 1
                       ? "lightpaths that several nodes read" : NULL;
    if (!what)
        return RWA_OK;
    return base_refuse(r->err, "%s: it cannot express %s, expected another format, such as csv", f->name, what);
}

static rwa_status check_needs(const struct export_request *r, const struct export_format *f)
{
    const rwa_device *device = r->o.device;
    const char *kind = rwa_topology_name(rwa_network_topology(r->net));
    uint32_t wavelengths = rwa_network_wavelengths(r->net);
    if (r->sched)
        MUST(check_lightpaths(r, f));
    if (f->needs & EXPORT_ARCS && !network_has_arcs(r->net))
        return base_refuse(r->err, "%s: a %s has no such settings, expected a ring or a line", f->name, kind);
    if (f->needs & EXPORT_LINKS && network_is_one_hop(r->net))
        return base_refuse(r->err, "%s: a %s lists no links between its nodes, expected another network or graphml",
                           f->name, kind);
    if (f->needs & EXPORT_GRID && !device)
        return base_refuse(r->err, "%s: frequencies are needed, expected a device profile with a grid", f->name);
    if (f->needs & EXPORT_GRID && wavelengths > rwa_device_wavelengths(device))
        return base_refuse(r->err, "%s: the schedule has %u wavelengths, the grid of device %s %u", f->name,
                           wavelengths, rwa_device_name(device), rwa_device_wavelengths(device));
    return RWA_OK;
}

rwa_status export_by(const struct export_format *const *formats, const char *(*listed)(size_t i), const char *format,
                     struct export_request *r)
{
    size_t found = 0;
    MUST(base_find_listed(&found, listed, "format", format, r->err));
    if (r->sched)
        MUST(check_steps(r));
    const struct export_format *f = formats[found];
    bool one = f->needs & EXPORT_ONE_FILE && r->from == r->to && r->o.node != RWA_EXPORT_ALL,
         folder = f->needs & EXPORT_FOLDER && !one;
    rwa_status st = RWA_OK;
    MUST(check_needs(r, f));
    if (folder && r->o.write)
        return base_refuse(r->err,
                           "%s: several files, expected a path in place of a function, or a format of one file",
                           f->name);
    r->sink = (struct sink){.text.err = r->err, .fd = -1};
    r->memory.err = r->err;
    TRY(folder ? folder_open(&r->folder, r->path, r->err)
               : sink_open_to(&r->sink, r->path, r->o.write, r->o.write_data, r->err));
    TRY(f->put(&r->sink.text, r));
    TRY(folder ? folder_finish(&r->folder) : sink_finish(&r->sink));
done:
    folder_drop(&r->folder);
    sink_drop(&r->sink);
    arena_free(&r->memory);
    return st;
}

rwa_status export_end_file(struct export_request *r, const char *name)
{
    struct text *t = &r->sink.text;
    if (t->drain)
        return RWA_OK;
    MUST(t->status);
    rwa_status st = folder_put(&r->folder, name, t->data, t->used);
    t->used = 0;
    return st;
}

rwa_status rwa_schedule_export(const rwa_schedule *sched, const char *format, const char *path,
                               const rwa_export_options *opts, rwa_error *err)
{
    BEGIN(err, sched, format);
    struct export_request r = {.sched = sched,
                               .net = rwa_schedule_network(sched),
                               .coll = rwa_schedule_collective(sched),
                               .path = path,
                               .err = err};
    MUST(base_options(rwa_export_options, &r.o, opts, err));
    BEGIN(err, r.o.write || path);
    r.budget = base_budget(0, r.o.poll, r.o.poll_data);
    return export_by(schedules, rwa_schedule_format_name, format, &r);
}

static rwa_status write_network(const rwa_network *net, const char *format, const char *path, rwa_write write,
                                void *data, rwa_error *err)
{
    struct export_request r = {.net = net, .path = path, .o = {.write = write, .write_data = data}, .err = err};
    return export_by(networks, rwa_network_format_name, format, &r);
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

rwa_status export_hold(struct export_request *r)
{
    if (!r->o.cost || r->o.cost->model == RWA_COST_PAPER)
        return RWA_OK;
    MUST(arena_arrays(&r->memory, (size_t)rwa_schedule_records(r->sched), r->hold));
    return rwa_cost_holds(r->hold, r->sched, r->o.cost, r->err);
}

rwa_status export_go_on(struct export_request *r, uint32_t step)
{
    MUST(r->sink.text.status);
    if (base_must_stop(&r->budget, "exporting", (double)(step - r->from) / (double)(r->to - r->from + 1)))
        return base_fail(r->err, RWA_CANCELLED, "the export was stopped at step %u", step);
    return RWA_OK;
}

rwa_status export_band_mhz(uint64_t band[2], const rwa_device *device, uint32_t first, uint32_t last, rwa_error *err)
{
    for (int end = 0; end < 2; end++) {
        uint32_t wavelength = end ? last : first;
        double center = rwa_device_frequency_ghz(device, wavelength) * 1000, half = device->spacing_ghz * 500;
        if (!isfinite(center) || !isfinite(half))
            return base_refuse(err,
                               "device %s: its grid has no absolute frequency (grid_base_ghz or spacing_ghz is null)",
                               rwa_device_name(device));
        if (center - half < 1 || fabs(center - half - nearbyint(center - half)) > 1e-3 ||
            fabs(2 * half - nearbyint(2 * half)) > 1e-3)
            return base_refuse(err, "device %s: slot of wavelength %u is not in whole MHz", rwa_device_name(device),
                               wavelength);
        band[end] = (uint64_t)llround(end ? center + half : center - half);
    }
    return RWA_OK;
}

bool export_any_name(const char *name)
{
    return *name;
}

rwa_status export_names(struct export_request *r, bool (*allowed)(const char *name))
{
    struct names seen = {0};
    uint32_t nodes = rwa_network_nodes(r->net), number = 0;
    bool own = true;
    char buffer[16];
    rwa_status st = arena_arrays(&r->memory, nodes, r->names);
    TRY(st);
    for (uint32_t v = 0; own && v < nodes; v++) {
        r->names[v] = rwa_network_node_name(r->net, v);
        own = r->names[v] && allowed && allowed(r->names[v]);
        if (own)
            TRY(names_add(&seen, r->names[v], &number, r->err));
        own = own && number == v;
    }
    for (uint32_t v = 0; !own && v < nodes; v++) {
        int length = snprintf(buffer, sizeof buffer, "n%u", v);
        arena_copy(&r->memory, r->names[v], buffer, (size_t)length + 1);
    }
    st = arena_status(&r->memory);
done:
    names_free(&seen);
    return st;
}
