/* SPDX-License-Identifier: GPL-3.0-or-later */
/** GNPy service requests: each lightpath of a step with its slot and the nodes that it passes. */
#include "foreign/foreign.h"

#include "foreign/design/gnpy.h"

static rwa_status add_request(struct text *t, const struct export_request *r, const struct walk *w, uint64_t id)
{
    struct gnpy_slot slot = {0};
    MUST(gnpy_slot(&slot, r->o.device, w->lp.wavelength, r->err));
    gnpy_begin_request(t, r, id ? "," : "", id, (uint32_t[2]){w->lp.src, w->lp.dst}, false, 0, &slot,
                       rwa_device_rate_bps(r->o.device));
    for (uint32_t k = 1; k < walk_hops(w); k++)
        gnpy_add_hop(t, r, k - 1, walk_hop_node(w, k));
    text_add(t, GNPY_REQUEST_END);
    return t->status;
}

static rwa_status put_gnpy(struct text *t, struct export_request *r)
{
    uint64_t count = 0;
    if (r->from != r->to)
        return base_refuse(r->err, "gnpy: requests have no time, expected one step of the %u", r->to);
    MUST(export_names(r, NULL));
    text_add(t, "{\"path-request\": [");
    for (struct walk w = walk_step(r->sched, r->from); walk_next(&w);)
        MUST(add_request(t, r, &w, count++));
    text_add(t, "\n]}\n");
    return RWA_OK;
}

const struct export_format export_gnpy = {"gnpy", put_gnpy, EXPORT_ARCS | EXPORT_GRID};
