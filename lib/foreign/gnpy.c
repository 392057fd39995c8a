/* SPDX-License-Identifier: GPL-3.0-or-later */
/** GNPy service requests: each lightpath of a step with its slot and the nodes that it passes. */
#include "foreign/foreign.h"

#include "foreign/design/gnpy.h"

static rwa_status add_request(struct text *t, const struct export_request *r, const rwa_lightpath *lp, uint64_t id)
{
    const struct design_names numbers = {r->net, false};
    uint32_t nodes = rwa_network_nodes(r->net), hops = rwa_network_hops(r->net, lp->src, lp->dst, lp->direction);
    struct gnpy_slot slot = {0};
    MUST(gnpy_slot(&slot, r->o.device, lp->wavelength, r->err));
    struct gnpy_request request = gnpy_begin_request(t, &numbers, id ? "," : "", id, (uint32_t[2]){lp->src, lp->dst},
                                                     false, 0, &slot, rwa_device_rate_bps(r->o.device));
    for (uint32_t k = 1; k < hops; k++)
        gnpy_add_hop(&request, (lp->src + (lp->direction == RWA_CW ? k : nodes - k)) % nodes);
    gnpy_end_request(&request);
    return t->status;
}

static rwa_status put_gnpy(struct output *out, struct export_request *r)
{
    uint64_t count = 0;
    if (r->from != r->to)
        return base_refuse(r->err, "gnpy: requests have no time, expected one step of the %u", r->to);
    text_add(&out->text, "{\"path-request\": [");
    for (struct walk w = walk_step(r->sched, r->from); walk_next(&w);) {
        MUST(add_request(&out->text, r, &w.lp, count++));
        MUST(output_flush(out));
    }
    text_add(&out->text, "\n]}\n");
    return RWA_OK;
}

const struct export_format export_gnpy = {"gnpy", "GNPy service requests of one step (needs a device and a step)",
                                          put_gnpy, NULL, EXPORT_ARCS | EXPORT_GRID};
