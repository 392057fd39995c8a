/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront on a line, whose ends every block must reach over one link. */
#include "delivery/line_schedule.h"
#include "scheme/scheme.h"

#include <stdlib.h>

struct line {
    struct line_schedule front;
    uint32_t wavelengths, step;     /* stages done */
};

static rwa_status line_open(void **state, const struct scheme_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct line *line = base_array(1, sizeof *line, err);
    struct line_limits limits = {.nodes = request->coll->nodes, .channels = rwa_network_channels(request->net), .max_hops = o->max_hops,
                                 .drops = o->max_drops > 1 ? o->max_drops : 1, .ports = rwa_network_ports(request->net),
                                 .seed = o->seed};
    limits.drops = limits.drops < limits.nodes ? limits.drops : limits.nodes;
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    *state = line;
    if (!line)
        return RWA_NOMEM;
    line->wavelengths = rwa_network_wavelengths(request->net);
    return line_schedule_find(&line->front, &limits, &budget, err);
}

static void line_close(void *state)
{
    struct line *line = state;
    if (line)
        line_schedule_free(&line->front);
    free(line);
}

/** Room for a step of so many hops, all but the ends of lightpaths being taps. */
static rwa_status make_room(struct stage *stage, size_t hops, bool tapped, rwa_error *err)
{
    stage->records = base_array(hops, sizeof *stage->records, err);
    if (tapped) {
        stage->taps = base_array(hops, sizeof *stage->taps, err);
        stage->tap_first = base_array(hops + 1, sizeof *stage->tap_first, err);
    }
    return stage->records && (!tapped || (stage->taps && stage->tap_first)) ? RWA_OK : RWA_NOMEM;
}

/** One step. */
static rwa_status line_next(void *state, struct stage *stage, rwa_error *err)
{
    struct line *line = state;
    const struct line_schedule *f = &line->front;
    if (line->step == f->steps)
        return RWA_OK;
    size_t from = f->first[line->step], count = f->first[line->step + 1] - from, taps = 0;
    bool tapped = f->drops > 1;
    rwa_status st = make_room(stage, count, tapped, err);
    for (size_t i = 0; st == RWA_OK && i < count; i++) {
        const struct line_hop *h = &f->hop[from + i];
        if (!h->ends) {
            stage->taps[taps++] = h->dst;
            continue;
        }
        stage->records[stage->record_count++] = (rwa_lightpath){
            .step = 1, .src = h->src, .dst = h->dst, .direction = h->dst > h->src ? RWA_CW : RWA_CCW, .block = h->block,
            .fiber = h->channel / line->wavelengths, .wavelength = h->channel % line->wavelengths, .orbit = 1};
        if (tapped)
            stage->tap_first[stage->record_count] = taps;
    }
    line->step++;
    return st;
}

const struct scheme scheme_line_wavefront = {
    .name = "line-wavefront",
    .summary = "every block runs to both ends by long hops and fills the gaps behind them",
    .source = "own",
    .collectives = 1u << RWA_ALL_GATHER,
    .networks = 1u << RWA_LINE,
    .reversible = true,
    .taps = true,
    .shortens = true,
    .open = line_open,
    .next = line_next,
    .close = line_close,
};
