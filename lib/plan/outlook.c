/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is known of a plan before it is built, from the extent and the closed form of its scheme. */
#include "plan/build.h"

#include <string.h>

/** A closed form stands for the solver that suits the scheme, and for one run of it unless steps alone count. */
static bool may_foresee(const struct scheme *scheme, const struct scheme_request *request, bool turned)
{
    const rwa_plan_options *o = request->opts;
    bool usual = !o->solver || strcmp(o->solver, "auto") == 0;
    return scheme->forecast && usual && !(turned && o->cost.model != RWA_COST_PAPER);
}

static void foresee(struct outlook *out, const struct scheme *scheme, const struct scheme_request *request,
                    const rwa_collective *coll)
{
    const rwa_cost_options *cost = &request->opts->cost;
    uint64_t times = request->coll->kind != coll->kind && coll->kind == RWA_ALL_REDUCE ? 2 : 1;
    struct forecast f = {.steps = 0};
    rwa_collective cut;
    if (rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, request->coll->blocks, NULL) != RWA_OK)
        return;
    if (!may_foresee(scheme, request, request->coll->kind != coll->kind) || !scheme->forecast(&f, request) ||
        (cost->model != RWA_COST_PAPER && f.settings == 0))
        return;
    out->steps = f.steps * times;
    out->blocks = request->coll->blocks;
    out->time_s = rwa_cost_steps(out->steps, cut.block_bytes, rwa_network_rate_bps(request->net), cost);
    if (cost->model != RWA_COST_PAPER)
        out->time_s += (double)f.settings * cost->reconfig_s + (double)f.steps * (cost->alpha_s - cost->reconfig_s);
}

static void look_ahead(struct outlook *out, const struct scheme *scheme, const struct residual *residual,
                       const rwa_plan_options *o)
{
    rwa_collective forwards, cut;
    rwa_plan_options asked = ask_on(residual, o);
    struct scheme_request request = {.net = residual->net, .coll = &forwards, .opts = &asked};
    if (o->stripes > 1) {
        stripe_outlook(out, scheme, residual->net, &residual->coll, &asked);
        return;
    }
    if (turn_forwards(&forwards, scheme, residual->net, &residual->coll, NULL) != RWA_OK ||
        cut_message(&cut, scheme, &request, NULL) != RWA_OK)
        return;
    request.coll = &cut;
    struct extent e = extent_of(scheme, &request, residual);
    bool fits = base_fits_memory(bytes_to_plan(scheme, &request, residual), "", NULL) == RWA_OK;
    out->records = fits ? e.records : INFINITY;
    out->to_check = lightpaths_to_check(scheme, &request, residual);
    if (fits && !residual->broken)
        foresee(out, scheme, &request, &residual->coll);
}

static uint64_t blocks_on(const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o)
{
    rwa_collective forwards;
    rwa_plan_options asked = ask_on(residual, o);
    struct scheme_request request = {.net = residual->net, .coll = &forwards, .opts = &asked};
    if (turn_forwards(&forwards, scheme, residual->net, &residual->coll, NULL) != RWA_OK)
        return 0;
    uint64_t own = scheme->blocks ? scheme->blocks(&request) : 0;
    return own > 0 ? own : rwa_collective_default_blocks(forwards.kind, forwards.nodes);
}

bool chose_blocks(const rwa_collective *coll)
{
    return coll->blocks != rwa_collective_default_blocks(coll->kind, coll->nodes);
}

/** The first that the scheme plans on; NULL: there is none. */
static const struct residual *first_residual(const struct residuals *residuals, const struct scheme *scheme,
                                             const rwa_plan_options *o)
{
    for (const struct residual *residual = residuals->list; residual < residuals->list + residuals->count; residual++)
        if (suits_residual(scheme, residual, o))
            return residual;
    return NULL;
}

uint64_t plan_blocks(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    struct residuals residuals = {.count = 0};
    char why[RWA_ERROR_TEXT] = "";
    const struct residual *residual = NULL;
    if (residuals_open(&residuals, net, coll, o->members, o->max_hops, why, NULL) == RWA_OK)
        residual = first_residual(&residuals, scheme, o);
    uint64_t blocks = residual ? blocks_on(scheme, residual, o) : 0;
    residuals_close(&residuals);
    return blocks;
}

void plan_outlook(struct outlook *out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                  const rwa_plan_options *o)
{
    struct residuals residuals = {.count = 0};
    char why[RWA_ERROR_TEXT] = "";
    *out = (struct outlook){.records = INFINITY};
    if (residuals_open(&residuals, net, coll, o->members, o->max_hops, why, NULL) == RWA_OK) {
        const struct residual *residual = first_residual(&residuals, scheme, o);
        if (residual)
            look_ahead(out, scheme, residual, o);
        else
            out->records = 0; /* it will be refused at once */
        if (residuals.count > 1)
            out->steps = 0; /* several ways, of which building tells the best */
    }
    residuals_close(&residuals);
}
