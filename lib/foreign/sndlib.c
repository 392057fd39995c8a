/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SNDlib native format: the network, and each lightpath of a step (or of all steps) as a demand with its route. */
#include "foreign/foreign.h"

#include "foreign/design/design.h"

/** Add the section DEMANDS, a demand for each lightpath; with `paths`, the section ADMISSIBLE_PATHS, their routes. */
static rwa_status add_section(struct text *t, struct export_request *r, bool paths)
{
    uint64_t id = 0;
    text_add(t, paths ? "ADMISSIBLE_PATHS (\n" : "DEMANDS (\n");
    for (uint32_t step = r->from; step <= r->to; step++) {
        MUST(export_go_on(r, step));
        for (struct walk w = walk_step(r->sched, step); t->status == RWA_OK && walk_next(&w); id++) {
            if (!paths) {
                sndlib_add_demand(t, r, id, w.lp.src, w.lp.dst, design_rate_bps(r, 0) / 1e9);
                continue;
            }
            text_add(t, "  d%" PRIu64 " (\n    p%" PRIu64 " (", id, id);
            for (uint32_t k = 0; k < walk_hops(&w); k++)
                text_add(t, " l%u", rwa_network_pair(r->net, walk_hop_link(&w, k)));
            text_add(t, " )\n  )\n");
        }
    }
    text_add(t, ")\n");
    return t->status;
}

static rwa_status put_sndlib(struct text *t, struct export_request *r)
{
    char origin[64];
    snprintf(origin, sizeof origin, "steps %u to %u of a schedule", r->from, r->to);
    MUST(sndlib_add_head(t, r, origin));
    MUST(add_section(t, r, false));
    return add_section(t, r, true);
}

const struct export_format export_sndlib = {"sndlib", put_sndlib, EXPORT_LINKS | EXPORT_UNTAPPED};
