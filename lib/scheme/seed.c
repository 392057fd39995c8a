/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/seed.h"

/** A sink that only counts: each stage is a step. */
struct counter {
    struct schedule_sink sink;  /* first: a sink is a counter */
    uint32_t steps;
};

static rwa_status count_transfers(struct schedule_sink *sink, struct transfers *stage, rwa_error *err)
{
    (void)err;
    transfers_free(stage);
    ((struct counter *)sink)->steps++;
    return RWA_OK;
}

static rwa_status pass_lightpath(struct schedule_sink *sink, const rwa_lightpath *lp, const rwa_lists *lists, rwa_error *err)
{
    (void)sink, (void)lp, (void)lists, (void)err;
    return RWA_OK;
}

static rwa_status count_stage(struct schedule_sink *sink, rwa_error *err)
{
    (void)err;
    ((struct counter *)sink)->steps++;
    return RWA_OK;
}

/** On rings and lines without a limit of hops a tree has the fewest steps there are. */
rwa_status seed_push(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    rwa_collective one;
    struct plan_request seed = *request;
    MUST(rwa_collective_init(&one, RWA_BROADCAST, request->coll->nodes, request->coll->root, 1, 1, err));
    seed.coll = &one;
    seed.below_s = 0;
    seed.brief = true;
    return (network_has_arcs(request->net) ? scheme_tree : scheme_nearest).plan(sink, &seed, err);
}

rwa_status seed_steps(uint32_t *steps, const struct plan_request *request, rwa_error *err)
{
    struct counter counter = {.sink = {count_transfers, NULL, pass_lightpath, count_stage}};
    struct plan_request counted = *request;
    char why[RWA_ERROR_TEXT] = "";
    counted.why = why;
    *steps = 0;
    if (network_has_arcs(request->net) && request->opts->max_hops > 0)
        return RWA_OK;
    MUST(seed_push(&counter.sink, &counted, err));
    *steps = why[0] == '\0' ? counter.steps : 0;
    return RWA_OK;
}
