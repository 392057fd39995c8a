/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A scheme's estimates only order its tunings; here the cheapest are built, and the one with fewest steps wins. */
#include "plan/plan.h"

#include <stdlib.h>

/** Steps of one stage, counted by its heaviest link. */
static rwa_status stage_steps(uint64_t *steps, struct coloured *c, const rwa_network *net, int64_t *change,
                              rwa_error *err)
{
    const struct stage *s = &c->stage;
    if (s->record_count > 0) {
        *steps += s->records[s->record_count - 1].step;
        return RWA_OK;
    }
    rwa_status st = route_stage(c, err);
    if (st == RWA_OK)
        *steps += ceil_div(route_load(c, rwa_network_nodes(net), change), rwa_network_channels(net));
    return st;
}

/** Explicit steps of a tuning: its stages are really built. */
static rwa_status explicit_steps(uint64_t *steps, const struct scheme *scheme, const struct scheme_request *request,
                                 struct budget *budget, rwa_error *err)
{
    void *state = NULL;
    struct coloured c = {0};
    rwa_status st = RWA_OK;
    int64_t *change = base_array((size_t)rwa_network_nodes(request->net) * 2 + 2, sizeof *change, err);
    *steps = 0;
    if (!change)
        return RWA_NOMEM;
    TRY(scheme->open(&state, request, err));
    for (;;) {
        TRY(scheme->next(state, &c.stage, err));
        if (c.stage.count == 0 && c.stage.record_count == 0)
            break;
        if (base_must_stop(budget, "choosing", -1)) {
            st = base_fail(err, RWA_CANCELLED, "planning was stopped while settings were compared");
            goto done;
        }
        TRY(stage_steps(steps, &c, request->net, change, err));
        coloured_free(&c);
    }
done:
    coloured_free(&c);
    scheme->close(state);
    free(change);
    return st;
}

rwa_status choose_tuning(struct tuning *best, const struct scheme *scheme, const struct scheme_request *request,
                         rwa_error *err)
{
    enum { MOST = 3, LIGHTPATHS = 1 << 23 };
    struct tuning tried[MOST];
    struct budget budget = base_budget(0, request->opts->poll, request->opts->poll_data);
    uint64_t steps = 0, least = UINT64_MAX, pairs = (uint64_t)request->coll->nodes * request->coll->nodes;
    size_t affordable = pairs > LIGHTPATHS ? 1 : (size_t)(LIGHTPATHS / pairs);
    rwa_status st = RWA_OK;
    *best = (struct tuning){0};
    if (!scheme->tunings)
        return RWA_OK;
    size_t count = scheme->tunings(tried, affordable > MOST ? MOST : affordable, request);
    *best = tried[0];
    for (size_t i = 0; i < count && count > 1; i++) {
        struct scheme_request attempt = *request;
        attempt.tuning = &tried[i];
        TRY(explicit_steps(&steps, scheme, &attempt, &budget, err));
        if (steps < least) {
            least = steps;
            *best = tried[i];
        }
    }
done:
    return st;
}
