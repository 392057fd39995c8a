/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * An assignment as a folder that gnpy-path-request runs as it is: topology.json, equipment.json, services.json, and
 * default_edfa_config.json, which older versions look for beside the equipment.  A lightpath is a request with its
 * Roadms as strict hops and its slot: centre 193.1 THz + N x 6.25 GHz, width M x 12.5 GHz.
 */
#include "foreign/design/gnpy.h"

#include "power/power.h"

/* The grid without a device, in the units n and m of gnpy_slot: wavelengths every 50 GHz from 191.4 THz.  A flexible
 * grid begins at the edge of the band, 191.35 THz. */
enum { GRID_FIRST_N = -272, GRID_STEP_N = 8, GRID_M = 4, BAND_EDGE_N = -280 };
/* The band of the amplifiers, in MHz. */
static const double band_low = 191350000, band_high = 196100000;

/** A mode of the transceiver: a bit rate in a slot of m x 12.5 GHz. */
struct mode {
    long m;
    double rate_bps;
};

struct services {
    const struct export_request *x;
    bool parallel;              /* some nodes are joined by several links: requests name fibres too */
    struct mode *modes;         /* each kind that a request asks for, once */
    size_t mode_count;
};

static rwa_status find_slot(struct gnpy_slot *slot, const struct export_request *x, uint32_t wavelength,
                            uint32_t width)
{
    double slot_hz = rwa_network_slot_hz(x->net);
    if (slot_hz > 0 ? slot_hz != RWA_SLOT_HZ || x->o.device : width > 1)
        return base_refuse(x->err, "gnpy: %s",
                           slot_hz > 0 ? "a flexible grid has slots of 12.5 GHz and needs no device"
                                       : "a lightpath of several channels on a fixed grid, expected a flexible one");
    *slot = slot_hz > 0 ? (struct gnpy_slot){BAND_EDGE_N + 2 * (long)wavelength + (long)width, (long)width} :
            (struct gnpy_slot){GRID_FIRST_N + GRID_STEP_N * (long)wavelength, GRID_M};
    if (x->o.device && wavelength >= rwa_device_wavelengths(x->o.device))
        return base_refuse(x->err, "gnpy: wavelength %u, the grid of device %s has %u", wavelength,
                           rwa_device_name(x->o.device), rwa_device_wavelengths(x->o.device));
    if (x->o.device)
        MUST(gnpy_slot(slot, x->o.device, wavelength, x->err));
    double centre = 193100000 + 6250 * (double)slot->n, half = 6250 * (double)slot->m;
    if (centre - half < band_low || centre + half > band_high)
        return base_refuse(x->err,
                           "gnpy: wavelength %u at %.4f THz is outside the amplifiers' band of 191.35 to 196.1 "
                           "THz, expected %s",
                           wavelength, centre / 1e6, x->o.device ? "a device with another grid" : "fewer wavelengths");
    return RWA_OK;
}

/* ---- requests ---- */

/** Return RWA_BADARG if route i, which is r, cannot be expressed as a GNPy request. */
static rwa_status check_route(const struct services *s, uint64_t i, const rwa_route *r)
{
    const char *what = r->wavelengths              ? "a lightpath that changes its wavelength"
                       : r->fibers || r->fiber > 0 ? "several fibres on a link"
                       : r->down                   ? "a lightpath across a failed link"
                                                   : NULL;
    if (!what)
        return RWA_OK;
    return base_refuse(s->x->err, "gnpy: route %" PRIu64 ": it cannot express %s, expected another format, such as csv",
                       i, what);
}

/** Set *mode to the index, from 0, of the transceiver mode with a slot of m * 12.5 GHz and this bit rate.  If there is
 *  none, append it. */
static rwa_status find_mode(size_t *mode, struct services *s, long m, double rate_bps)
{
    for (*mode = 0; *mode < s->mode_count; ++*mode)
        if (s->modes[*mode].m == m && s->modes[*mode].rate_bps == rate_bps)
            return RWA_OK;
    return base_append(s->modes, s->mode_count, s->x->err, (struct mode){m, rate_bps});
}

static rwa_status add_request(struct text *t, struct services *s, uint64_t i, const rwa_route *r, bool first)
{
    const rwa_demand *d = &rwa_demands_list(s->x->demands)[r->demand];
    double rate_bps = design_rate_bps(s->x, r->demand);
    struct gnpy_slot slot = {0};
    size_t mode = 0;
    uint32_t hop = 0;
    MUST(check_route(s, i, r));
    MUST(find_slot(&slot, s->x, r->wavelength, rwa_assignment_width(s->x->result, i)));
    MUST(find_mode(&mode, s, slot.m, rate_bps));
    gnpy_begin_request(t, s->x, first ? "" : ",", i, (uint32_t[2]){d->src, d->dst},
                       rwa_assignment_model(s->x->result) == RWA_UNDIRECTED, mode + 1, &slot, rate_bps);
    for (uint32_t k = 0; k <= r->hops; k++) {
        gnpy_add_hop(t, s->x, hop++, design_route_node(s->x->result, i, d->src, k));
        if (s->parallel && k < r->hops)
            gnpy_add_fiber(t, s->x, hop++, rwa_assignment_link(s->x->result, i, k));
    }
    text_add(t, GNPY_REQUEST_END);
    return t->status;
}

static rwa_status add_services(struct text *t, struct services *s)
{
    bool first = true;
    text_add(t, "{\"path-request\": [");
    for (uint64_t i = 0; i < rwa_assignment_count(s->x->result); i++) {
        rwa_route r = result_route(s->x->result, i);
        if (r.hops == 0)
            continue;
        MUST(add_request(t, s, i, &r, first));
        first = false;
    }
    text_add(t, "]}\n");
    if (first)
        return base_refuse(s->x->err, "gnpy: no demand is served, so there is nothing to request");
    return RWA_OK;
}

/* ---- equipment ---- */

/** Add the transceiver with its modes.  A mode takes the fewest bits per symbol that keep its symbol rate within 0.64
 *  of the slot width. */
static void add_transceiver(struct text *t, const struct services *s)
{
    text_add(t,
             " \"Transceiver\": [{\"type_variety\": \"" GNPY_TRANSCEIVER
             "\", \"frequency\": {\"min\": %.1f, \"max\": %.1f}, "
             "\"mode\": [",
             band_low * 1e6, band_high * 1e6);
    for (size_t i = 0; i < s->mode_count; i++) {
        double width = (double)s->modes[i].m * 12.5e9, rate = s->modes[i].rate_bps, bits = ceil(rate / (0.64 * width));
        assert(bits >= 1);
        text_add(t,
                 "%s\n   {\"format\": \"mode %zu\", \"baud_rate\": %.1f, \"OSNR\": 10, \"bit_rate\": %.1f, "
                 "\"roll_off\": 0.15, "
                 "\"tx_osnr\": 40, \"min_spacing\": %.1f, \"cost\": 1}",
                 i ? "," : "", i + 1, rate / bits, rate, width);
    }
    text_add(t, "]}]}\n");
}

static void add_equipment(struct text *t, const struct services *s)
{
    double width = (double)s->modes[0].m * 12.5e9;
    text_add(t, "{\"Edfa\": [{\"type_variety\": \"" GNPY_AMPLIFIER
                "\", \"type_def\": \"variable_gain\", \"gain_flatmax\": 26, "
                "\"gain_min\": 15, \"p_max\": 23, \"nf_min\": 6, \"nf_max\": 10, \"out_voa_auto\": false, "
                "\"allowed_for_design\": true}],\n"
                " \"Fiber\": [{\"type_variety\": \"SSMF\", \"dispersion\": 1.67e-05, \"effective_area\": 83e-12, "
                "\"pmd_coef\": 1.265e-15}],\n"
                " \"Span\": [{\"power_mode\": true, \"delta_power_range_db\": [0, 0, 0], "
                "\"max_fiber_lineic_loss_for_raman\": 0.25, "
                "\"target_extended_gain\": 2.5, \"max_length\": 150, \"length_units\": \"km\", \"max_loss\": 28, "
                "\"padding\": 10, \"EOL\": 0, "
                "\"con_in\": 0, \"con_out\": 0}],\n");
    text_add(t,
             " \"Roadm\": [{\"target_pch_out_db\": -20, \"add_drop_osnr\": 38, \"pmd\": 0, \"pdl\": 0, "
             "\"restrictions\": {\"preamp_variety_list\": [], \"booster_variety_list\": []}}],\n"
             " \"SI\": [{\"f_min\": %.1f, \"f_max\": %.1f, \"baud_rate\": %.1f, \"spacing\": %.1f, \"power_dbm\": 0, "
             "\"power_range_db\": [0, 0, 1], \"roll_off\": 0.15, \"tx_osnr\": 40, \"sys_margins\": 0}],\n",
             band_low * 1e6, band_high * 1e6, 0.64 * width, width);
    add_transceiver(t, s);
}

/* ---- the folder ---- */

static rwa_status put_files(struct text *t, struct export_request *x, struct services *s)
{
    gnpy_add_topology(t, x);
    MUST(export_end_file(x, "topology.json"));
    MUST(add_services(t, s));
    MUST(export_end_file(x, "services.json"));
    add_equipment(t, s);
    MUST(export_end_file(x, "equipment.json"));
    text_add(t, "{\"nf_fit_coeff\": [0.0], \"f_min\": 191.35e12, \"f_max\": 196.1e12, \"nf_ripple\": [0.0, 0.0], "
                "\"gain_ripple\": [0.0, 0.0], \"dgt\": [2.7, 1.0]}\n");
    return export_end_file(x, "default_edfa_config.json");
}

static rwa_status put_assignment(struct text *t, struct export_request *x)
{
    struct services s = {.x = x, .parallel = network_has_parallel_links(x->net)};
    MUST(gnpy_names(x));
    rwa_status st = put_files(t, x, &s);
    free(s.modes);
    return st;
}

const struct export_format assignment_gnpy = {"gnpy", put_assignment, EXPORT_LINKS | EXPORT_FOLDER};
