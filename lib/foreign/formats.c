/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/foreign.h"

#include "network/network.h"
#include "power/power.h"

static const struct export_format *const formats[] = {
    &export_csv,   &export_nodes,   &export_settings, &export_openconfig, &export_harvest,
    &export_msccl, &export_mscclpp, &export_chakra,   &export_gnpy,       &export_sndlib};

LISTED(rwa_schedule_format_name, formats, ->name)
LISTED(rwa_schedule_format_summary, formats, ->summary)

OPTIONS(rwa_export_options, .node = RWA_EXPORT_ALL)

static rwa_status check_request(const struct export_request *r)
{
    uint32_t nodes = rwa_network_nodes(r->net), steps = rwa_schedule_steps(r->sched);
    if (steps == 0)
        return base_refuse(r->err, "the schedule has no step, so there is nothing to export");
    if (r->o.step > steps)
        return base_refuse(r->err, "step %u: expected 1 to %u", r->o.step, steps);
    if (r->o.node != RWA_EXPORT_ALL && r->o.node >= nodes)
        return base_refuse(r->err, "node %" PRIu64 ": expected 0 to %u", r->o.node, nodes - 1);
    return RWA_OK;
}

rwa_status rwa_schedule_export(const rwa_schedule *sched, const char *format, const char *path,
                               const rwa_export_options *opts, rwa_error *err)
{
    BEGIN(err, sched, format);
    size_t found = 0;
    struct output out;
    struct export_request r = {.sched = sched,
                               .net = rwa_schedule_network(sched),
                               .coll = rwa_schedule_collective(sched),
                               .path = path,
                               .err = err};
    MUST(base_options(rwa_export_options, &r.o, opts, "export options", err));
    BEGIN(err, r.o.write || path);
    MUST(base_find_listed(&found, rwa_schedule_format_name, "format", format, err));
    MUST(check_request(&r));
    r.from = r.o.step ? r.o.step : 1;
    r.to = r.o.step ? r.o.step : rwa_schedule_steps(sched);
    r.budget = base_budget(0, r.o.poll, r.o.poll_data);
    rwa_status st =
        formats[found]->write ? formats[found]->write(&r) : output_open(&out, path, r.o.write, r.o.write_data, err);
    if (!formats[found]->write)
        st = output_close(&out, st == RWA_OK ? formats[found]->put(&out, &r) : st);
    free(r.hold);
    return st;
}

rwa_status export_hold(struct export_request *r)
{
    if (!r->o.cost || r->o.cost->model == RWA_COST_PAPER)
        return RWA_OK;
    MUST(base_new(r->hold, (size_t)rwa_schedule_records(r->sched), r->err));
    return rwa_cost_holds(r->hold, r->sched, r->o.cost, r->err);
}

rwa_status export_go_on(struct export_request *r, uint32_t step)
{
    if (base_must_stop(&r->budget, "exporting", (double)(step - r->from) / (double)(r->to - r->from + 1)))
        return base_fail(r->err, RWA_CANCELLED, "the export was stopped at step %u", step);
    return RWA_OK;
}

rwa_status export_needs_untapped(const struct export_request *r, const char *format)
{
    if (rwa_schedule_receivers(r->sched) == 1)
        return RWA_OK;
    return base_refuse(r->err,
                       "%s: up to %u nodes read a lightpath, which this format cannot express; expected a "
                       "schedule without taps, or csv",
                       format, rwa_schedule_receivers(r->sched));
}

rwa_status export_needs_arcs(const struct export_request *r, const char *format)
{
    MUST(export_needs_untapped(r, format));
    if (network_has_arcs(r->net))
        return RWA_OK;
    return base_refuse(r->err, "%s: a %s has no such settings, expected a ring or a line", format,
                       rwa_topology_name(rwa_network_topology(r->net)));
}

rwa_status export_needs_folder(const struct export_request *r, const char *format)
{
    if (!r->o.write)
        return RWA_OK;
    return base_refuse(r->err, "%s: several files, expected a path in place of a function, or a format of one file",
                       format);
}

rwa_status export_needs_plain(const struct export_request *r, const char *format, uint32_t most)
{
    const char *what = rwa_schedule_members(r->sched) ? "that only some nodes take part"
                       : rwa_schedule_lightpath_blocks(r->sched) > most ? "several blocks on a lightpath"
                       : rwa_schedule_receivers(r->sched) > 1 ? "lightpaths that several nodes read" : NULL;
    if (!what)
        return RWA_OK;
    return base_refuse(r->err, "%s: it cannot express %s, expected another format, such as csv", format, what);
}

rwa_status export_needs_grid(const struct export_request *r, const char *format)
{
    if (!r->o.device)
        return base_refuse(r->err, "%s: frequencies are needed, expected a device profile with a grid", format);
    if (rwa_network_wavelengths(r->net) > rwa_device_wavelengths(r->o.device))
        return base_refuse(r->err, "%s: the schedule has %u wavelengths, the grid of device %s %u", format,
                           rwa_network_wavelengths(r->net), rwa_device_name(r->o.device),
                           rwa_device_wavelengths(r->o.device));
    return RWA_OK;
}

rwa_status export_slot_mhz(uint64_t band[2], const rwa_device *device, uint32_t wavelength, rwa_error *err)
{
    double center = rwa_device_frequency_ghz(device, wavelength) * 1000, half = device->spacing_ghz * 500;
    if (!isfinite(center) || !isfinite(half))
        return base_refuse(err, "device %s: its grid has no absolute frequency (grid_base_ghz or spacing_ghz is null)",
                           rwa_device_name(device));
    if (center - half < 1 || fabs(center - half - nearbyint(center - half)) > 1e-3 ||
        fabs(2 * half - nearbyint(2 * half)) > 1e-3)
        return base_refuse(err, "device %s: slot of wavelength %u is not in whole MHz", rwa_device_name(device),
                           wavelength);
    band[0] = (uint64_t)llround(center - half);
    band[1] = (uint64_t)llround(center + half);
    return RWA_OK;
}
