/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SNDlib native format: the network, and each lightpath of a step (or of all steps) as a demand with its route. */
#include "foreign/foreign.h"

#include "foreign/design/design.h"
#include "network/network.h"

struct demands {
    struct export_request *r;
    const struct design_names *names;
    struct text *t;
    uint64_t count;
    bool paths;         /* second pass: their routes */
};

/** The fibre pairs of a lightpath in travel order. */
static void add_path(const struct demands *d, const struct walk *w)
{
    const rwa_network *net = d->r->net;
    uint32_t links = rwa_network_pairs(net), hops = rwa_network_hops(net, w->lp.src, w->lp.dst, w->lp.direction), nodes = 0;
    const uint32_t *path = rwa_schedule_path(&nodes, d->r->sched, w->record);
    uint32_t link = w->lp.direction == RWA_CW ? w->lp.src : w->lp.src == 0 ? links - 1 : w->lp.src - 1;
    for (uint32_t k = 0; path && k + 1 < nodes; k++)
        text_add(d->t, " l%" PRIu32, rwa_network_pair(net, rwa_network_find_link(net, walk_node(w, path[k]), walk_node(w, path[k + 1]))));
    for (uint32_t k = 0; !path && k < hops; k++) {
        text_add(d->t, " l%" PRIu32, link);
        link = w->lp.direction == RWA_CW ? (link + 1 == links ? 0 : link + 1) : (link == 0 ? links - 1 : link - 1);
    }
}

static rwa_status add_demand(struct demands *d, const struct walk *w)
{
    uint64_t id = d->count++;
    char from[16], to[16];
    if (d->paths) {
        text_add(d->t, "  d%" PRIu64 " (\n    p%" PRIu64 " (", id, id);
        add_path(d, w);
        text_add(d->t, " )\n  )\n");
    } else {
        double rate = d->r->o.device ? rwa_device_rate_bps(d->r->o.device) : rwa_network_rate_bps(d->r->net);
        text_add(d->t, "  d%" PRIu64 " ( %s %s ) 1 %.15g UNLIMITED\n", id, design_name(d->names, w->lp.src, from),
                 design_name(d->names, w->lp.dst, to), rate / 1e9);
    }
    return d->t->status;
}

static rwa_status add_section(struct export_request *r, const struct design_names *names, struct text *t, bool paths)
{
    struct demands d = {.r = r, .names = names, .t = t, .paths = paths};
    text_add(t, paths ? "ADMISSIBLE_PATHS (\n" : "DEMANDS (\n");
    for (uint32_t step = r->from; step <= r->to; step++) {
        MUST(export_go_on(r, step));
        for (struct walk w = walk_step(r->sched, step); walk_next(&w);)
            MUST(add_demand(&d, &w));
    }
    text_add(t, ")\n");
    return RWA_OK;
}

static rwa_status put_sndlib(struct output *out, struct export_request *r)
{
    struct text *t = &out->text;
    struct design_names names;
    char origin[64];
    MUST(sndlib_needs_pairs(r->net, r->err));
    if (rwa_schedule_receivers(r->sched) > 1)
        return base_fail(r->err, RWA_BADARG, "sndlib: up to %" PRIu32 " nodes read a lightpath, which this format cannot express; expected "
                         "a schedule without taps, or csv", rwa_schedule_receivers(r->sched));
    MUST(design_names(&names, r->net, sndlib_allows, r->err));
    snprintf(origin, sizeof origin, "steps %" PRIu32 " to %" PRIu32 " of a schedule", r->from, r->to);
    sndlib_add_head(t, &names, origin);
    MUST(add_section(r, &names, t, false));
    return add_section(r, &names, t, true);
}

const struct export_format export_sndlib = {"sndlib", "SNDlib native network, demands and routes", put_sndlib, NULL};
