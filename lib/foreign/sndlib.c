/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SNDlib native format: the network, and each lightpath of a step (or of all steps) as a demand with its route. */
#include "foreign/foreign.h"

#include "foreign/design/design.h"
#include "network/network.h"

/** Add the fibre pairs of a lightpath, in travel order. */
static void add_path(struct text *t, const struct export_request *r, const struct walk *w)
{
    uint32_t links = rwa_network_pairs(r->net), nodes = 0;
    const uint32_t *path = rwa_schedule_path(&nodes, r->sched, w->record);
    uint32_t hops = path ? nodes - 1 : rwa_network_hops(r->net, w->lp.src, w->lp.dst, w->lp.direction);
    for (uint32_t k = 0; k < hops; k++)
        text_add(t, " l%u",
                 path ? rwa_network_pair(
                            r->net, rwa_network_find_link(r->net, walk_node(w, path[k]), walk_node(w, path[k + 1])))
                      : (w->lp.src + (w->lp.direction == RWA_CW ? k : links - 1 - k)) % links);
}

/** Add the lightpaths as demands or, with `paths`, their routes. */
static rwa_status add_section(struct text *t, struct export_request *r, const struct design_names *names, bool paths)
{
    double rate = r->o.device ? rwa_device_rate_bps(r->o.device) : rwa_network_rate_bps(r->net);
    uint64_t id = 0;
    text_add(t, paths ? "ADMISSIBLE_PATHS (\n" : "DEMANDS (\n");
    for (uint32_t step = r->from; step <= r->to; step++) {
        MUST(export_go_on(r, step));
        for (struct walk w = walk_step(r->sched, step); t->status == RWA_OK && walk_next(&w); id++) {
            if (!paths) {
                sndlib_add_demand(t, names, id, w.lp.src, w.lp.dst, rate / 1e9);
                continue;
            }
            text_add(t, "  d%" PRIu64 " (\n    p%" PRIu64 " (", id, id);
            add_path(t, r, &w);
            text_add(t, " )\n  )\n");
        }
    }
    text_add(t, ")\n");
    return t->status;
}

static rwa_status put_sndlib(struct output *out, struct export_request *r)
{
    struct design_names names;
    char origin[64];
    MUST(sndlib_names(&names, r->net, r->err));
    snprintf(origin, sizeof origin, "steps %u to %u of a schedule", r->from, r->to);
    sndlib_add_head(&out->text, &names, origin);
    MUST(add_section(&out->text, r, &names, false));
    return add_section(&out->text, r, &names, true);
}

const struct export_format export_sndlib = {"sndlib", "SNDlib native network, demands and routes", put_sndlib, NULL,
                                            EXPORT_LINKS | EXPORT_UNTAPPED};
