/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme -> routes -> wavelengths -> steps -> checked plan. */
#include "plan/plan.h"

#include "network/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rwa_plan_options_init_sized(rwa_plan_options *opts, size_t size)
{
    rwa_plan_options defaults = {.struct_size = sizeof defaults, .seed = 1, .time_limit_s = 10, .split_steps = RWA_SPLIT_BEST};
    rwa_solver_options_init(&defaults.solving);
    rwa_cost_options_init(&defaults.cost);
    memcpy(opts, &defaults, size < sizeof defaults ? size : sizeof defaults);
    opts->struct_size = size;
}

static void note_stage(rwa_plan_summary *sum, const struct coloured *c, const rwa_network *net)
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

/** All stages of the scheme, one after the other. */
static rwa_status build(rwa_plan *plan, const struct scheme *scheme, const struct scheme_request *request,
                        rwa_error *err)
{
    void *state = NULL;
    struct coloured c = {0};
    struct watch watch = base_watch(0, request->opts->poll, request->opts->poll_data);
    uint32_t used = 0;
    rwa_status st = RWA_OK;
    TRY(scheme->open(&state, request, err));
    while (request->why[0] == '\0') {
        TRY(scheme->next(state, &c.stage, err));
        if (c.stage.count == 0 && c.stage.record_count == 0)
            break;
        if (base_must_stop(&watch, "planning", -1)) {
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

/** The fewest lightpaths any schedule has: one for each block at each node that must be told it, or asked for it. */
static double least_lightpaths(const rwa_collective *coll)
{
    double others = coll->nodes - 1.0, blocks = (double)coll->blocks;
    switch (coll->kind) {
    case RWA_ALL_REDUCE:
        return 2 * others * blocks;
    case RWA_ALL_TO_ALL:
        return others * coll->nodes;
    case RWA_SCATTER:
    case RWA_GATHER:
        return others * blocks / coll->nodes;
    default:
        return others * blocks;
    }
}

/** What the checker keeps of who holds what. */
static double bytes_to_check(const rwa_collective *coll)
{
    bool sums = coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER;
    return (double)coll->nodes * (double)coll->blocks * (sums ? 16 : 1.0 / 8);
}

/** Whether every step is one of whole orbits, which are neither listed nor checked one by one. */
static struct extent extent_of(const struct scheme *scheme, const struct scheme_request *request)
{
    struct extent e = {.records = least_lightpaths(request->coll)};
    if (scheme->extent)
        scheme->extent(&e, request);
    return e;
}

/** Bytes of the schedule while it is made, and of the channels and blocks that its check goes through. */
static double bytes_to_plan(const struct scheme *scheme, const struct scheme_request *request)
{
    enum { RECORD = 48, SHARE_OF_OTHERS = 4 };
    const rwa_network *net = request->net;
    struct extent e = extent_of(scheme, request);
    double lanes = network_has_arcs(net) ? 2.0 * rwa_network_links(net) * rwa_network_channels(net) / 8 : 0;
    double check = e.whole ? (double)request->coll->blocks / 8 : lanes + bytes_to_check(request->coll);
    return (e.records * RECORD + check) * SHARE_OF_OTHERS / (SHARE_OF_OTHERS - 1);
}

/** Lightpaths that the checker goes through; of whole orbits one, but in reductions all. */
static double to_check(const struct scheme *scheme, const struct scheme_request *request, const rwa_collective *coll)
{
    struct extent e = extent_of(scheme, request);
    double passes = coll->kind == RWA_ALL_REDUCE && request->coll->kind != coll->kind ? 2 : 1;
    return e.whole && request->coll->kind == coll->kind ? e.records : passes * least_lightpaths(request->coll);
}

/** Whether the scheme does this at all, and whether what it must list, and the check, fit this machine and a patient hour. */
static rwa_status check_request(const struct scheme *scheme, const struct scheme_request *request,
                                const rwa_collective *coll, rwa_error *err)
{
    const double most = (double)((uint64_t)1 << 31);
    const rwa_device *device = request->opts->device;
    uint32_t wavelengths = rwa_network_wavelengths(request->net);
    rwa_status st = RWA_OK;
    if (device && wavelengths > rwa_device_wavelengths(device))
        return base_fail(err, RWA_BADARG, "%u wavelengths: the grid of device %s has %u", wavelengths,
                         rwa_device_name(device), rwa_device_wavelengths(device));
    if (to_check(scheme, request, coll) > most)
        return base_fail(err, RWA_BADARG, "%s by scheme %s on %u nodes has %.0f lightpaths to check one by one, expected at most %.0f",
                         rwa_collective_name(coll->kind), scheme->name, coll->nodes, to_check(scheme, request, coll), most);
    TRY(base_fits_memory(bytes_to_plan(scheme, request), "this plan, with its check,", err));
    if (scheme->validate)
        TRY(scheme->validate(request, err));
done:
    return st;
}

/** The collective in the blocks of the scheme; the caller may have left their number to the scheme. */
static rwa_status cut_message(rwa_collective *cut, const struct scheme *scheme, const struct scheme_request *request,
                              rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    rwa_status st = rwa_collective_init(cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, 0, err);
    uint64_t usual = cut->blocks;
    if (st == RWA_OK && scheme->blocks)
        st = rwa_collective_init(cut, coll->kind, coll->nodes, coll->root, coll->message_bytes,
                                 scheme->blocks(request), err);
    if (st == RWA_OK && coll->blocks != usual && coll->blocks != cut->blocks)
        return base_fail(err, RWA_BADARG, "%llu blocks: scheme %s cuts the message into %llu",
                         (unsigned long long)coll->blocks, scheme->name, (unsigned long long)cut->blocks);
    return st;
}

/** What the scheme is to carry out: the collective itself, or the one that is it when run backwards. */
static rwa_status turn_forwards(rwa_collective *out, const struct scheme *scheme, const rwa_network *net,
                                const rwa_collective *coll, rwa_error *err)
{
    rwa_collective_kind kind = forward_kind(coll->kind);
    bool whole = coll->kind == RWA_REDUCE_SCATTER || coll->kind == RWA_ALL_REDUCE;
    *out = *coll;
    if ((scheme->collectives >> coll->kind & 1) || kind == coll->kind)
        return RWA_OK;
    if (!rwa_network_is_paired(net) && !network_is_full(net))
        return base_fail(err, RWA_BADARG, "%s is planned as %s run backwards, expected a link back beside every link",
                         rwa_collective_name(coll->kind), rwa_collective_name(kind));
    return rwa_collective_init(out, kind, coll->nodes, coll->root,
                               whole ? ceil_div(coll->message_bytes, coll->nodes) : coll->message_bytes, coll->blocks,
                               err);
}

/** The stages, the schedule, and what the paper says of it. */
static rwa_status carry_out(rwa_plan *plan, const struct scheme *scheme, struct scheme_request *request,
                            struct tuning *tuning, const rwa_collective *coll, rwa_error *err)
{
    const rwa_collective *forwards = request->coll;
    rwa_collective cut = *forwards;
    rwa_status st = RWA_OK;
    TRY(check_request(scheme, request, coll, err));
    if (request->opts->slots > 1 && !scheme->merges)
        return scheme_refuse(request, "scheme %s puts one block on a lightpath; a load factor of at most 1, or the scheme "
                             "wavefront, would do", scheme->name);
    TRY(choose_tuning(tuning, scheme, request, err));
    plan->summary.group = tuning->group;
    TRY(rwa_schedule_create(&plan->schedule, request->net, forwards, scheme->name, err));
    TRY(build(plan, scheme, request, err));
    if (forwards->kind != coll->kind && request->why[0] == '\0') {
        TRY(rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, forwards->blocks, err));
        TRY(reverse_plan(plan, &cut, err));
    }
    request->coll = &cut;
    if (scheme->formula)
        scheme->formula(&plan->summary.formula, request);
    request->coll = NULL;
done:
    return st;
}

rwa_status plan_build(rwa_plan **out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                      const rwa_plan_options *o, uint32_t max_hops, rwa_error *err)
{
    struct tuning tuning = {0};
    rwa_collective forwards, cut;
    rwa_plan_options asked = *o;
    struct scheme_request request = {.net = net, .coll = &forwards, .opts = &asked, .tuning = &tuning};
    double begin = base_now_s();
    rwa_status st = RWA_OK;
    if (o->stripes > 1)
        return stripe_build(out, scheme, net, coll, o, max_hops, err);
    rwa_plan *plan = base_array(1, sizeof *plan, err);
    *out = NULL;
    if (!plan)
        return RWA_NOMEM;
    asked.max_hops = max_hops;
    request.why = plan->summary.why;
    plan->summary.scheme = scheme->name;
    plan->summary.stripes = plan->summary.slots = 1;
    TRY(turn_forwards(&forwards, scheme, net, coll, err));
    TRY(cut_message(&cut, scheme, &request, err));
    request.coll = &cut;
    TRY(carry_out(plan, scheme, &request, &tuning, coll, err));
    plan->summary.plan_s = base_now_s() - begin;
    if (plan->schedule)
        plan->summary.slots = rwa_schedule_slots(plan->schedule);
    if (request.why[0] != '\0')
        plan_refuse(plan);
    else
        TRY(judge_times(&plan->summary, plan->schedule, &o->cost, err));
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

rwa_status plan_judge(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    rwa_status st = RWA_OK;
    if (!plan->schedule)
        return RWA_OK;
    TRY(judge_plan(plan, net, rwa_schedule_collective(plan->schedule), o, err));
    if (plan->summary.outcome == RWA_INFEASIBLE)
        plan_refuse(plan);
done:
    return st;
}

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

void plan_outlook(struct outlook *out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                  const rwa_plan_options *o)
{
    rwa_collective forwards, cut;
    struct scheme_request request = {.net = net, .coll = &forwards, .opts = o};
    if (o->stripes > 1) {
        stripe_outlook(out, scheme, net, coll, o);
        return;
    }
    *out = (struct outlook){.records = INFINITY};
    if (turn_forwards(&forwards, scheme, net, coll, NULL) != RWA_OK || cut_message(&cut, scheme, &request, NULL) != RWA_OK)
        return;
    request.coll = &cut;
    struct extent e = extent_of(scheme, &request);
    bool fits = base_fits_memory(bytes_to_plan(scheme, &request), "", NULL) == RWA_OK;
    out->records = fits ? e.records : INFINITY;
    out->to_check = to_check(scheme, &request, coll);
    if (fits)
        foresee(out, scheme, &request, coll);
}

void plan_refuse(rwa_plan *plan)
{
    plan->summary.outcome = RWA_INFEASIBLE;
    rwa_schedule_free(plan->schedule);
    plan->schedule = NULL;
}

/** A message that makes blocks of this size, for a collective that does not say its message. */
static uint64_t message_of(const rwa_collective *coll)
{
    bool whole = coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER || coll->kind == RWA_BROADCAST;
    uint64_t total = coll->block_bytes * coll->blocks;
    return whole ? total : ceil_div(total, coll->nodes);
}

/** The caller's collective, also from a program built when the structure was shorter. */
static rwa_status take_collective(rwa_collective *coll, const rwa_collective *given, const rwa_network *net,
                                  rwa_error *err)
{
    *coll = (rwa_collective){0};
    rwa_status st = base_take_options(coll, sizeof *coll, given, "collective", err);
    if (st != RWA_OK)
        return st;
    if (coll->nodes != rwa_network_nodes(net) || coll->blocks == 0 || !rwa_collective_name(coll->kind))
        return base_fail(err, RWA_BADARG, "expected a collective on the network's %u nodes, made by its init function",
                         rwa_network_nodes(net));
    if (coll->message_bytes == 0)
        coll->message_bytes = message_of(coll);
    return RWA_OK;
}

rwa_status rwa_plan_make(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                         const rwa_plan_options *opts, rwa_error *err)
{
    rwa_plan_options o;
    rwa_collective whole;
    rwa_status st = RWA_OK;
    *out = NULL;
    rwa_plan_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "plan options", err));
    TRY(take_collective(&whole, coll, net, err));
    TRY(quickest_plan(out, net, &whole, &o, err));
done:
    return st;
}

void rwa_plan_free(rwa_plan *plan)
{
    if (!plan)
        return;
    rwa_schedule_free(plan->schedule);
    free(plan);
}

const rwa_plan_summary *rwa_plan_get_summary(const rwa_plan *plan)
{
    return &plan->summary;
}

const rwa_schedule *rwa_plan_schedule(const rwa_plan *plan)
{
    return plan->schedule;
}
