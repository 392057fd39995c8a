/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The stages of a scheme, one after the other, become steps of a schedule. */
#include "plan/build.h"

#include "network/network.h"

static void note_stage(rwa_plan_report *sum, const struct coloured *c, const rwa_network *net)
{
    size_t j = sum->stages++;
    if (c->solver)
        sum->solver = c->solver;
    if (j >= RWA_STAGES_MAX)
        return;
    sum->radix[j] = c->stage.radix;
    sum->stage_wavelengths[j] = c->wavelengths;
    sum->stage_bound[j] = c->bound;
    sum->stage_lightpaths[j] = (uint64_t)c->stage.count * row_count(&c->stage.rows, net);
}

/** Transfers become lightpaths of the schedule; *used: channels taken in its last step so far (0: all, or none). */
static rwa_status add_transfers(rwa_plan *plan, struct coloured *c, uint32_t *used, const struct scheme_request *request,
                                rwa_error *err)
{
    uint64_t borrowed = 0;
    rwa_network *row = NULL;
    rwa_status st = RWA_OK;
    TRY(row_network(&row, &c->stage.rows, request->net, err));
    const rwa_network *net = row ? row : request->net;
    if (!network_has_arcs(net)) {
        *used = 0;
        TRY(listed_stage(plan->schedule, c, request, err));
        if (request->why[0] == '\0')
            note_stage(&plan->summary, c, request->net);
        goto done;
    }
    TRY(route_stage(c, err));
    TRY(colour_stage(c, net, request->opts, err));
    note_stage(&plan->summary, c, request->net);
    TRY(borrow_spare(plan->schedule, c, *used, net, request->opts, &borrowed, err));
    if (plan->summary.stages <= RWA_STAGES_MAX)
        plan->summary.stage_borrowed[plan->summary.stages - 1] = borrowed * row_count(&c->stage.rows, request->net);
    TRY(pack_stage(plan->schedule, c, net, err));
    *used = c->wavelengths % rwa_network_channels(net);
done:
    rwa_network_free(row);
    return st;
}

/** Finished records; nothing is known of channels left in their last step. */
static rwa_status add_records(rwa_plan *plan, struct coloured *c, uint32_t *used, rwa_error *err)
{
    uint32_t wavelengths = rwa_network_wavelengths(rwa_schedule_network(plan->schedule)), step = 0, most = 0;
    for (size_t i = 0; i < c->stage.record_count; i++) {
        const rwa_lightpath *lp = &c->stage.records[i];
        uint32_t top = lp->orbit > 1 ? lp->period : lp->fiber * wavelengths + lp->wavelength + 1;
        most = lp->step == step && most > top ? most : top;
        if (i + 1 == c->stage.record_count || lp[1].step != lp->step)
            c->wavelengths += most;
        step = lp->step;
        c->stage.count += lp->orbit;
    }
    note_stage(&plan->summary, c, rwa_schedule_network(plan->schedule));
    *used = 0;
    return pack_records(plan->schedule, &c->stage, err);
}

rwa_status build_stages(rwa_plan *plan, const struct scheme *scheme, const struct scheme_request *request, rwa_error *err)
{
    void *state = NULL;
    struct coloured c = {0};
    struct budget budget = base_budget(0, request->opts->poll, request->opts->poll_data);
    uint32_t used = 0;
    rwa_status st = RWA_OK;
    TRY(scheme->open(&state, request, err));
    while (request->why[0] == '\0') {
        TRY(scheme->next(state, &c.stage, err));
        if (c.stage.count == 0 && c.stage.record_count == 0)
            break;
        if (base_must_stop(&budget, "planning", -1)) {
            st = base_fail(err, RWA_CANCELLED, "planning was stopped at stage %zu", plan->summary.stages + 1);
            goto done;
        }
        if (c.stage.record_count > 0)
            TRY(add_records(plan, &c, &used, err));
        else
            TRY(add_transfers(plan, &c, &used, request, err));
        coloured_free(&c);
    }
done:
    coloured_free(&c);
    scheme->close(state);
    return st;
}
