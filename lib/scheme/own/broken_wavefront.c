/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront on a ring that lost links in one direction: many attempts at random paces, each to beat the best so far. */
#include "delivery/broken_run.h"
#include "scheme/scheme.h"

#include <stdlib.h>
#include <string.h>

struct broken {
    const struct plan_request *request;
    struct broken_limits limits;
    bool *failed;
    bool mirrored;              /* counter-clockwise links failed: node v stands for node -v */
    struct broken_run run;
    struct gap_table table;
    struct line_schedule best;     /* as broken_run.h says */
    uint64_t random;
};

static uint32_t mirror(const struct broken *b, uint32_t node)
{
    return b->mirrored ? (b->limits.nodes - node) % b->limits.nodes : node;
}

/** All failed in the same direction, or some node would not be reached; without any there is nothing to be done. */
static rwa_status take_failed(struct broken *b, rwa_error *err)
{
    uint32_t n = b->limits.nodes;
    rwa_faults faults;
    rwa_network_faults(&faults, b->request->net);
    b->failed = base_array(n, sizeof *b->failed, err);
    if (!b->failed)
        return RWA_NOMEM;
    b->limits.failed = b->failed;
    b->mirrored = faults.link_count > 0 && faults.links[0] >= n;
    for (size_t i = 0; i < faults.link_count; i++) {
        uint32_t link = faults.links[i] % n, below = b->mirrored ? n - 1 - link : link;
        b->failed[below] = true;
        b->limits.above = (below + 1) % n;
    }
    return RWA_OK;
}

/** A node behind a failed link takes all in over one link. */
static uint32_t fewest_steps(const struct broken_limits *l)
{
    return (uint32_t)ceil_div(l->nodes - 1, l->channels);
}

static uint32_t pick(struct broken *b, uint32_t low, uint32_t high)
{
    return low + (uint32_t)base_random_below(&b->random, (uint64_t)high - low + 1);
}

/** So often can the nodes of a ring be halved. */
static uint32_t digits(uint32_t nodes)
{
    uint32_t count = 0;
    while (nodes >> count > 1)
        count++;
    return count;
}

/** The ranges hold what did well for one setting or another from 24 to 1024 nodes; the first pace is a good one for most. */
static void choose_pace(struct broken_pace *pace, struct broken *b, uint32_t attempt)
{
    uint32_t full = b->limits.channels * BROKEN_ONE, fewest = fewest_steps(&b->limits), best = b->best.steps;
    if (attempt == 0) {
        *pace = (struct broken_pace){fewest + digits(b->limits.nodes), full, full / 3, BROKEN_ONE / 2, 4, BROKEN_ONE / 2};
        return;
    }
    pace->aim = pick(b, best > fewest + 4 ? best - 4 : fewest, best + 4);
    pace->speed = pick(b, full / 5 * 4, full / 4 * 5);
    pace->last_speed = pick(b, full / 8, full / 2);
    pace->rise = pick(b, BROKEN_ONE / 4, BROKEN_ONE / 4 * 3);
    pace->cut = pick(b, 3, pick(b, 3, 7));
    pace->lean = pick(b, BROKEN_ONE / 8, BROKEN_ONE / 8 * 7);
}

/** What the run made is the best now; the run goes on in the room of the one before. */
static rwa_status keep(struct broken *b, rwa_error *err)
{
    struct line_schedule before = b->best;
    b->best = b->run.made;
    b->run.made = before;
    return before.hop ? RWA_OK : line_schedule_open(&b->run.made, b->limits.nodes, err);
}

/** As many as take some seconds at most. */
static uint32_t attempts_for(uint32_t nodes)
{
    const uint32_t effort = 1u << 20;
    uint32_t attempts = effort / (nodes * nodes);
    return attempts < 8 ? 8 : attempts > 256 ? 256 : attempts;
}

static rwa_status try_paces(struct broken *b, struct budget *budget, rwa_error *err)
{
    uint32_t fewest = fewest_steps(&b->limits), attempts = attempts_for(b->limits.nodes);
    rwa_status st = RWA_OK;
    b->best.steps = UINT32_MAX;
    for (uint32_t i = 0; i < attempts && b->best.steps > fewest; i++) {
        struct broken_pace pace;
        bool done = false, hurry = b->best.hop != NULL;
        if (hurry && base_must_stop(budget, "running round the broken ring", (double)i / attempts))
            break;
        choose_pace(&pace, b, i);
        TRY(broken_run_go(&b->run, &done, &pace, b->best.steps - 1, base_random(&b->random), budget, hurry, err));
        if (done)
            TRY(keep(b, err));
        if (budget->cancelled)
            break;
    }
    if (budget->cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped on a broken ring");
done:
    return st;
}

static rwa_lightpath lightpath_of(const struct broken *b, const struct line_hop *h)
{
    uint32_t n = b->limits.nodes, above = b->limits.above, wavelengths = rwa_network_wavelengths(b->request->net);
    bool down = h->dst > h->src;
    return (rwa_lightpath){.step = 1,
                           .src = mirror(b, (above + n - h->src) % n),
                           .dst = mirror(b, (above + n - h->dst) % n),
                           .direction = down != b->mirrored ? RWA_CCW : RWA_CW,
                           .block = mirror(b, h->block),
                           .fiber = h->channel / wavelengths,
                           .wavelength = h->channel % wavelengths,
                           .orbit = 1};
}

/** A stage for each step. */
static rwa_status push_steps(struct schedule_sink *sink, const struct broken *b, rwa_error *err)
{
    const struct line_schedule *f = &b->best;
    rwa_status st = RWA_OK;
    for (uint32_t step = 0; step < f->steps; step++) {
        for (size_t i = f->first[step]; i < f->first[step + 1]; i++) {
            rwa_lightpath lp = lightpath_of(b, &f->hop[i]);
            TRY(sink_lightpath(sink, &lp, NULL, err));
        }
        TRY(sink_end_stage(sink, err));
    }
done:
    return st;
}

static rwa_status plan_broken(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    struct broken b = {.request = request, .random = o->seed,
                       .limits = {.nodes = request->coll->nodes, .channels = rwa_network_channels(request->net), .max_hops = o->max_hops}};
    rwa_status st = RWA_OK;
    TRY(take_failed(&b, err));
    TRY(gap_table_create(&b.table, b.limits.nodes + 1, 2 * fewest_steps(&b.limits) + 8, 1, err));
    TRY(broken_run_create(&b.run, &b.limits, &b.table, err));
    TRY(try_paces(&b, &budget, err));
    TRY(line_schedule_assign(&b.best, b.limits.channels, err));
    TRY(push_steps(sink, &b, err));
done:
    broken_run_free(&b.run);
    gap_table_free(&b.table);
    line_schedule_free(&b.best);
    free(b.failed);
    return st;
}

const struct scheme scheme_broken_wavefront = {
    .name = "broken-wavefront",
    .summary = "around failed links: every block runs down the whole direction and fills the gaps from both sides",
    .source = "own",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_CYCLE,
    .traits = REVERSIBLE | SHORTENS | MENDS | ONLY_FAILED,
    .plan = plan_broken,
};
