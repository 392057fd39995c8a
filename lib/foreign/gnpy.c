/* SPDX-License-Identifier: GPL-3.0-or-later */
/** GNPy service requests: each lightpath of a step with its route and its slot, f = 193.1 THz + N 6.25 GHz, width M 12.5 GHz. */
#include "foreign/foreign.h"

#include "foreign/design/gnpy.h"

struct requests {
    struct export_request *r;
    struct output *out;
    uint64_t count;
};

/** The nodes passed, as strict hops. */
static void add_route(struct text *t, const rwa_network *net, const rwa_lightpath *lp)
{
    uint32_t nodes = rwa_network_nodes(net), hops = rwa_network_hops(net, lp->src, lp->dst, lp->direction), node = lp->src;
    for (uint32_t k = 1; k < hops; k++) {
        node = lp->direction == RWA_CW ? (node + 1 == nodes ? 0 : node + 1) : (node == 0 ? nodes - 1 : node - 1);
        text_add(t, "%s{\"index\":%" PRIu32 ",\"explicit-route-usage\":\"route-include-ero\",\"num-unnum-hop\":{\"node-id\":\"roadm n%"
                 PRIu32 "\",\"link-tp-id\":\"link-tp-id is not used\",\"hop-type\":\"STRICT\"}}", k > 1 ? "," : "", k - 1, node);
    }
}

static rwa_status add_request(void *data, const rwa_lightpath *lp)
{
    struct requests *q = data;
    struct text *t = &q->out->text;
    long n = 0, m = 0;
    MUST(gnpy_slot(&n, &m, q->r->o.device, lp->wavelength, q->r->err));
    text_add(t, "%s{\"request-id\":\"%" PRIu64 "\",\"source\":\"trx n%" PRIu32 "\",\"destination\":\"trx n%" PRIu32
             "\",\"src-tp-id\":\"trx n%" PRIu32 "\",\"dst-tp-id\":\"trx n%" PRIu32 "\",\"bidirectional\":false,",
             q->count ? ",\n" : "", q->count, lp->src, lp->dst, lp->src, lp->dst);
    text_add(t, "\"path-constraints\":{\"te-bandwidth\":{\"technology\":\"flexi-grid\",\"trx_type\":\"MRR\",\"trx_mode\":null,"
             "\"effective-freq-slot\":[{\"N\":%ld,\"M\":%ld}],\"spacing\":%lld.0,\"max-nb-of-channel\":null,\"output-power\":null,"
             "\"path_bandwidth\":%.1f}},\"explicit-route-objects\":{\"route-object-include-exclude\":[", n, m, m * 12500000000LL,
             rwa_device_rate_bps(q->r->o.device));
    add_route(t, q->r->net, lp);
    text_add(t, "]}}");
    q->count++;
    return output_flush(q->out);
}

static rwa_status put_gnpy(struct output *out, struct export_request *r)
{
    struct requests q = {.r = r, .out = out};
    MUST(export_needs_arcs(r, "gnpy"));
    MUST(export_needs_grid(r, "gnpy"));
    if (r->from != r->to)
        return base_fail(r->err, RWA_BADARG, "gnpy: requests have no time, expected one step of the %" PRIu32, r->to);
    text_add(&out->text, "{\"path-request\":[\n");
    MUST(export_each(r, r->from, add_request, &q));
    text_add(&out->text, "\n]}\n");
    return RWA_OK;
}

const struct export_format export_gnpy = {"gnpy", "GNPy service requests of one step (needs a device and a step)", put_gnpy, NULL};
