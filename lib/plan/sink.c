/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The sink of a scheme's stages, which turns them into steps of a schedule. */
#include "plan/plan.h"

#include "plan/pack/pack.h"
#include "schedule/schedule.h"

struct builder {
    struct schedule_sink sink;  /* first: a sink is a builder */
    rwa_plan *plan;
    const struct plan_request *request;
    struct budget budget;
    struct distances distances; /* for exchanges; opened by the first exchange */
    uint32_t used;              /* channels taken in the last step so far; 0: all, or unknown */
    struct coloured lightpaths; /* the stage that is being added lightpath by lightpath; only its numbers */
    uint32_t base, step, top;   /* steps before that stage; its current step, and the channels of that step */
};

static struct builder *builder_of(struct schedule_sink *sink)
{
    return (struct builder *)sink;
}

static void note_stage(rwa_plan *plan, const struct coloured *c, const rwa_network *net)
{
    rwa_plan_report *sum = &plan->summary;
    size_t j = sum->stages++;
    if (c->solver)
        sum->solver = c->solver;
    if (j < RWA_STAGES_MAX)
        plan->stage[j] = (rwa_stage){.radix = c->t.radix, .wavelengths = c->wavelengths, .bound = c->bound,
                                     .lightpaths = (uint64_t)c->t.count * row_count(&c->t.rows, net)};
}

static rwa_status check_budget(struct builder *b)
{
    if (!base_must_stop(&b->budget, "planning", -1))
        return RWA_OK;
    return base_fail(b->sink.err, RWA_CANCELLED, "planning was stopped at stage %zu", b->plan->summary.stages + 1);
}

/** Route and colour a stage on a ring or line, where the direction of a lightpath determines its route. */
static rwa_status colour_by_direction(struct builder *b, struct coloured *c, const rwa_network *net, rwa_error *err)
{
    const rwa_plan_report *sum = &b->plan->summary;
    const rwa_network *real = b->request->net;
    uint64_t backfilled = 0;
    MUST(route_stage(c));
    MUST(colour_stage(c, net, b->request->opts, err));
    note_stage(b->plan, c, real);
    MUST(backfill_spare(b->plan->schedule, c, b->used, net, b->request->opts, &b->budget, &backfilled, err));
    if (sum->stages <= RWA_STAGES_MAX)
        b->plan->stage[sum->stages - 1].backfilled = backfilled * row_count(&c->t.rows, real);
    b->used = c->wavelengths % rwa_network_channels(net);
    return RWA_OK;
}

static rwa_status colour_listed(struct builder *b, struct coloured *c, rwa_error *err)
{
    MUST(graph_stage(c, b->request, err));
    b->used = 0;
    if (b->request->why[0] == '\0')
        note_stage(b->plan, c, b->request->net);
    return RWA_OK;
}

static rwa_status push_transfers(struct schedule_sink *sink, struct transfers *stage)
{
    struct builder *b = builder_of(sink);
    struct coloured c = {.t = *stage};
    rwa_network *row = NULL;
    rwa_status st = RWA_OK;
    *stage = (struct transfers){0};
    if (b->request->why[0] != '\0')
        goto done; /* an earlier stage was refused */
    TRY(check_budget(b));
    TRY(row_network(&row, &c.t.rows, b->request->net, sink->err));
    const rwa_network *net = row ? row : b->request->net;
    TRY(network_has_arcs(net) ? colour_by_direction(b, &c, net, sink->err) : colour_listed(b, &c, sink->err));
    if (b->request->why[0] == '\0')
        TRY(pack_stage(b->plan->schedule, &c, 0, net, &b->budget, sink->err));
done:
    rwa_network_free(row);
    coloured_free(&c);
    return st;
}

static rwa_status push_exchange(struct schedule_sink *sink, const struct exchange *exchange)
{
    struct builder *b = builder_of(sink);
    struct coloured figures = {.solver = NULL};
    if (b->request->why[0] != '\0')
        return RWA_OK; /* an earlier stage was refused */
    MUST(check_budget(b));
    if (!b->distances.net)
        MUST(distances_open(&b->distances, b->request->net, sink->err));
    MUST(pack_exchange(b->plan->schedule, &figures, exchange, &b->distances, b->request, sink->err));
    b->used = 0;
    if (b->request->why[0] == '\0')
        note_stage(b->plan, &figures, b->request->net);
    return RWA_OK;
}

static rwa_status push_lightpath(struct schedule_sink *sink, const rwa_lightpath *given, const rwa_lists *lists)
{
    struct builder *b = builder_of(sink);
    rwa_schedule *sched = b->plan->schedule;
    rwa_lightpath lp = *given;
    uint32_t top = record_top(b->request->net, &lp), wavelengths = rwa_network_wavelengths(b->request->net);
    if (b->lightpaths.t.count == 0) {
        MUST(check_budget(b));
        b->base = rwa_schedule_steps(sched);
    }
    if (lp.step != b->step) {
        b->lightpaths.wavelengths += b->top;
        b->top = 0;
    }
    b->step = lp.step;
    RAISE(b->top, top);
    b->lightpaths.t.count += lp.orbit;
    lp.step += b->base;
    lp.fiber += lp.wavelength / wavelengths;
    lp.wavelength %= wavelengths;
    return rwa_schedule_add_lists(sched, &lp, lists ? lists : &(rwa_lists){0}, sink->err);
}

/** End a stage that a scheme pushed lightpath by lightpath, and add it to the report.  Its last step is not filled
 * further, as its free channels are unknown. */
static rwa_status end_stage(struct schedule_sink *sink)
{
    struct builder *b = builder_of(sink);
    if (b->lightpaths.t.count == 0)
        return RWA_OK;
    b->lightpaths.wavelengths += b->top;
    note_stage(b->plan, &b->lightpaths, b->request->net);
    b->lightpaths = (struct coloured){0};
    b->used = b->step = b->top = 0;
    return RWA_OK;
}

rwa_status build_stages(rwa_plan *plan, const struct scheme *scheme, const struct plan_request *request, rwa_error *err)
{
    struct builder b = {.sink = {push_transfers, push_exchange, push_lightpath, end_stage, err},
                        .plan = plan,
                        .request = request,
                        .budget = base_budget(0, request->opts->poll, request->opts->poll_data)};
    assert(request->parameters && plan->schedule);
    rwa_status st = scheme->plan(&b.sink, request);
    distances_free(&b.distances);
    assert(st != RWA_OK || b.lightpaths.t.count == 0); /* the scheme has ended its last stage */
    return st;
}
