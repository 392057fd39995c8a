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

static void look_ahead(struct outlook *out, const struct scheme *scheme, const struct core *core, const rwa_plan_options *o)
{
    rwa_collective forwards, cut;
    rwa_plan_options asked = ask_on(core, o);
    struct scheme_request request = {.net = core->net, .coll = &forwards, .opts = &asked};
    if (o->stripes > 1) {
        stripe_outlook(out, scheme, core->net, &core->coll, &asked);
        return;
    }
    if (turn_forwards(&forwards, scheme, core->net, &core->coll, NULL) != RWA_OK || cut_message(&cut, scheme, &request, NULL) != RWA_OK)
        return;
    request.coll = &cut;
    struct extent e = extent_of(scheme, &request, core);
    bool fits = base_fits_memory(bytes_to_plan(scheme, &request, core), "", NULL) == RWA_OK;
    out->records = fits ? e.records : INFINITY;
    out->to_check = lightpaths_to_check(scheme, &request, core);
    if (fits && !core->broken)
        foresee(out, scheme, &request, &core->coll);
}

static uint64_t blocks_on(const struct scheme *scheme, const struct core *core, const rwa_plan_options *o)
{
    rwa_collective forwards;
    rwa_plan_options asked = ask_on(core, o);
    struct scheme_request request = {.net = core->net, .coll = &forwards, .opts = &asked};
    if (turn_forwards(&forwards, scheme, core->net, &core->coll, NULL) != RWA_OK)
        return 0;
    uint64_t own = scheme->blocks ? scheme->blocks(&request) : 0;
    return own > 0 ? own : rwa_collective_usual_blocks(forwards.kind, forwards.nodes);
}

bool chose_blocks(const rwa_collective *coll)
{
    return coll->blocks != rwa_collective_usual_blocks(coll->kind, coll->nodes);
}

/** The first that the scheme plans on; NULL: there is none. */
static const struct core *first_core(const struct cores *cores, const struct scheme *scheme, const rwa_plan_options *o)
{
    for (const struct core *core = cores->list; core < cores->list + cores->count; core++)
        if (suits_core(scheme, core, o))
            return core;
    return NULL;
}

uint64_t plan_blocks(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    struct cores cores = {.count = 0};
    char why[RWA_ERROR_TEXT] = "";
    const struct core *core = NULL;
    if (cores_open(&cores, net, coll, o->members, o->max_hops, why, NULL) == RWA_OK)
        core = first_core(&cores, scheme, o);
    uint64_t blocks = core ? blocks_on(scheme, core, o) : 0;
    cores_close(&cores);
    return blocks;
}

void plan_outlook(struct outlook *out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                  const rwa_plan_options *o)
{
    struct cores cores = {.count = 0};
    char why[RWA_ERROR_TEXT] = "";
    *out = (struct outlook){.records = INFINITY};
    if (cores_open(&cores, net, coll, o->members, o->max_hops, why, NULL) == RWA_OK) {
        const struct core *core = first_core(&cores, scheme, o);
        if (core)
            look_ahead(out, scheme, core, o);
        else
            out->records = 0; /* it will be refused at once */
        if (cores.count > 1)
            out->steps = 0; /* several ways, of which building tells the best */
    }
    cores_close(&cores);
}
