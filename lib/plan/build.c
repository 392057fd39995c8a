/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One plan by one scheme: forwards or backwards, on every residual of the network that suits it, the quickest of them. */
#include "plan/build.h"

#include "schedule/schedule.h"

#include "network/network.h"

#include <stdio.h>

rwa_status cut_message(rwa_collective *cut, const struct scheme *scheme, const struct scheme_request *request, rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    uint64_t usual = rwa_collective_default_blocks(coll->kind, coll->nodes), blocks = scheme->blocks ? scheme->blocks(request) : usual;
    rwa_status st = rwa_collective_init(cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, err);
    if (st == RWA_OK && coll->blocks != usual && coll->blocks != cut->blocks)
        return base_fail(err, RWA_BADARG, "%llu blocks: scheme %s cuts the message into %llu",
                         (unsigned long long)coll->blocks, scheme->name, (unsigned long long)cut->blocks);
    return st;
}

rwa_status turn_forwards(rwa_collective *out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                         rwa_error *err)
{
    rwa_collective_kind kind = forward_kind(coll->kind);
    bool whole = coll->kind == RWA_REDUCE_SCATTER || coll->kind == RWA_ALL_REDUCE;
    *out = *coll;
    if ((scheme->collectives >> coll->kind & 1) || kind == coll->kind)
        return RWA_OK;
    if (!rwa_network_is_paired(net) && !network_is_one_hop(net))
        return base_fail(err, RWA_BADARG, "%s is planned as %s run backwards, expected a link back beside every link",
                         rwa_collective_name(coll->kind), rwa_collective_name(kind));
    return rwa_collective_init(out, kind, coll->nodes, coll->root,
                               whole ? ceil_div(coll->message_bytes, coll->nodes) : coll->message_bytes, coll->blocks,
                               err);
}

static rwa_status build_schedule(rwa_plan *plan, const struct scheme *scheme, const struct scheme_request *request,
                                 rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(rwa_schedule_create_among(&plan->schedule, request->net, request->coll, request->opts->members, scheme->name, err));
    TRY(build_stages(plan, scheme, request, err));
done:
    return st;
}

/** The way there is planned on links that failed in the other direction, and without taps, for what reads a lightpath would
 *  have to feed it when turned round; the way on, of an all-reduce, is one more where it differs. */
static rwa_status build_reversed(rwa_plan *plan, const struct scheme *scheme, struct scheme_request *request,
                                 const struct residual *residual, const rwa_collective *cut, rwa_error *err)
{
    rwa_plan onward = {.schedule = NULL};
    const rwa_plan_options *asked = request->opts;
    rwa_plan_options untapped = *asked;
    bool twice = (residual->opposite || (scheme->taps && asked->max_drops > 1)) && cut->kind == RWA_ALL_REDUCE;
    rwa_status st = RWA_OK;
    if (residual->opposite)
        request->net = residual->opposite;
    untapped.max_drops = 1;
    request->opts = &untapped;
    TRY(build_schedule(plan, scheme, request, err));
    request->net = residual->net;
    request->opts = asked;
    if (twice && request->why[0] == '\0')
        TRY(build_schedule(&onward, scheme, request, err));
    if (request->why[0] == '\0')
        TRY(reverse_plan(plan, twice ? &onward : plan, cut, err));
done:
    rwa_schedule_free(onward.schedule);
    return st;
}

static rwa_status refuse_merging(const struct scheme *scheme, const struct scheme_request *request)
{
    const struct scheme *other = merging_scheme(request->net, request->coll);
    if (other)
        return scheme_refuse(request, "scheme %s puts one block on a lightpath; --load-factor 1, or the scheme %s, would do",
                             scheme->name, other->name);
    return scheme_refuse(request, "no scheme puts several blocks on a lightpath for this collective on such a network; "
                         "--load-factor 1 would do");
}

/** The stages, the schedule, and what the paper says of it. */
static rwa_status carry_out(rwa_plan *plan, const struct scheme *scheme, struct scheme_request *request,
                            struct tuning *tuning, const struct residual *residual, rwa_error *err)
{
    const rwa_collective *coll = &residual->coll, *forwards = request->coll;
    rwa_collective cut = *forwards;
    rwa_status st = RWA_OK;
    TRY(refuse_request(scheme, request, residual, err));
    if (request->opts->slots > 1 && !scheme->merges)
        return refuse_merging(scheme, request);
    TRY(choose_tuning(tuning, scheme, request, err));
    plan->summary.group = tuning->group;
    if (forwards->kind == coll->kind) {
        TRY(build_schedule(plan, scheme, request, err));
    } else {
        TRY(rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, forwards->blocks, err));
        TRY(build_reversed(plan, scheme, request, residual, &cut, err));
    }
    request->coll = &cut;
    if (scheme->formula)
        scheme->formula(&plan->summary.formula, request);
    request->coll = NULL;
done:
    return st;
}

/** What was planned on a residual becomes a plan of the real network. */
static rwa_status move_to_real(rwa_plan *plan, const struct residuals *residuals, const struct residual *residual, rwa_error *err)
{
    rwa_schedule *mapped = NULL;
    if (residual->net == residuals->real)
        return RWA_OK;
    rwa_status st = residual_map(&mapped, plan->schedule, residuals, residual, err);
    if (st != RWA_OK)
        return st;
    rwa_schedule_free(plan->schedule);
    plan->schedule = mapped;
    return RWA_OK;
}

static rwa_status new_plan(rwa_plan **out, const struct scheme *scheme, rwa_error *err)
{
    *out = base_array(1, sizeof **out, err);
    if (!*out)
        return RWA_NOMEM;
    (*out)->summary.check = &(*out)->check;
    (*out)->summary.scheme = scheme->name;
    (*out)->summary.stripes = (*out)->summary.slots = 1;
    return RWA_OK;
}

/** On the nodes and links of a residual. */
static rwa_status build_whole(rwa_plan **out, const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o,
                              rwa_error *err)
{
    struct tuning tuning = {0};
    rwa_collective forwards, cut;
    struct scheme_request request = {.net = residual->net, .coll = &forwards, .opts = o, .tuning = &tuning};
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(new_plan(&plan, scheme, err));
    request.why = plan->summary.why;
    TRY(turn_forwards(&forwards, scheme, residual->net, &residual->coll, err));
    TRY(cut_message(&cut, scheme, &request, err));
    request.coll = &cut;
    TRY(carry_out(plan, scheme, &request, &tuning, residual, err));
    if (plan->schedule)
        plan->summary.slots = rwa_schedule_slots(plan->schedule);
    if (request.why[0] != '\0')
        plan_refuse(plan);
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

rwa_plan_options ask_on(const struct residual *residual, const rwa_plan_options *o)
{
    rwa_plan_options asked = *o;
    asked.max_hops = residual->max_hops;
    asked.members = residual->members;
    return asked;
}

static rwa_status build_on(rwa_plan **out, const struct scheme *scheme, const struct residuals *residuals, const struct residual *residual,
                           const rwa_plan_options *o, rwa_error *err)
{
    rwa_plan_options asked = ask_on(residual, o);
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    if (o->stripes > 1)
        TRY(stripe_build(&plan, scheme, residual->net, &residual->coll, &asked, asked.max_hops, err));
    else
        TRY(build_whole(&plan, scheme, residual, &asked, err));
    if (plan->schedule) {
        TRY(move_to_real(plan, residuals, residual, err));
        TRY(judge_times(&plan->summary, plan->schedule, &o->cost, err));
    }
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

/** The quicker one of two plans, the first of equals, or the one that there is. */
static void keep_quicker(rwa_plan **best, rwa_plan *next)
{
    bool better = !*best || (next->schedule && (!(*best)->schedule || next->summary.time_s < (*best)->summary.time_s));
    rwa_plan *worse = better ? *best : next;
    *best = better ? next : *best;
    rwa_plan_free(worse);
}

/** Whether the scheme plans on a residual, once one block is on each lightpath. */
static bool suits_unloaded(const struct scheme *scheme, const struct residual *residual)
{
    return (scheme->networks >> rwa_network_topology(residual->net) & 1) && (!residual->broken || scheme->mends);
}

bool suits_residual(const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o)
{
    return suits_unloaded(scheme, residual) && (!residual->broken || (o->stripes <= 1 && o->slots <= 1));
}

/** No residual is one for this scheme. */
static void say_unsuited(char *why, const struct scheme *scheme, const struct residuals *c, const rwa_plan_options *o)
{
    const char *kind = rwa_topology_name(rwa_network_topology(c->list[0].net));
    for (size_t i = 0; i < c->count; i++)
        if (suits_unloaded(scheme, &c->list[i])) {
            snprintf(why, RWA_ERROR_TEXT, "scheme %s puts one block on a lightpath on what is left of this network; --load-factor 1 "
                     "would do", scheme->name);
            return;
        }
    if (o->slots > 1)
        snprintf(why, RWA_ERROR_TEXT, "no scheme puts several blocks on a lightpath on the %s that is left of this network; %s"
                 "--load-factor 1 would do", kind, scheme_is_open(o) ? "" : "scheme auto with ");
    else if (o->stripes > 1 && c->list[0].broken)
        snprintf(why, RWA_ERROR_TEXT, "no scheme puts blocks in stripes around what failed or is reserved on this %s; %s--load-factor 1 "
                 "would do", kind, scheme_is_open(o) ? "" : "scheme auto with ");
    else if (scheme_is_open(o))
        snprintf(why, RWA_ERROR_TEXT, "no scheme plans on what failed links, reserved channels and nodes that take no part leave of this "
                 "%s", kind);
    else if (c->list[0].broken)
        snprintf(why, RWA_ERROR_TEXT, "scheme %s does not plan around failed links, reserved channels or nodes that take no part of a "
                 "%s; scheme auto would help, if any can", scheme->name, kind);
    else
        snprintf(why, RWA_ERROR_TEXT, "a %s is left of this network, on which scheme %s does not plan; scheme auto would help, if any "
                 "can", kind, scheme->name);
}

static rwa_status refuse_residuals(rwa_plan **out, const struct scheme *scheme, const struct residuals *c, const char *why,
                               const rwa_plan_options *o, rwa_error *err)
{
    rwa_status st = new_plan(out, scheme, err);
    if (st != RWA_OK)
        return st;
    if (why[0] != '\0')
        snprintf((*out)->summary.why, RWA_ERROR_TEXT, "%s", why);
    else
        say_unsuited((*out)->summary.why, scheme, c, o);
    (*out)->unsuited = why[0] == '\0';
    plan_refuse(*out);
    return RWA_OK;
}

static rwa_status check_grid(const rwa_network *net, const rwa_device *device, rwa_error *err)
{
    uint32_t wavelengths = rwa_network_wavelengths(net);
    if (!device || wavelengths <= rwa_device_wavelengths(device))
        return RWA_OK;
    return base_fail(err, RWA_BADARG, "%u wavelengths: the grid of device %s has %u", wavelengths,
                     rwa_device_name(device), rwa_device_wavelengths(device));
}

rwa_status plan_build(rwa_plan **out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                      const rwa_plan_options *o, uint32_t max_hops, rwa_error *err)
{
    struct residuals residuals = {.count = 0};
    char why[RWA_ERROR_TEXT] = "";
    double begin = base_now_s();
    rwa_plan *best = NULL, *next = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(check_grid(net, o->device, err));
    TRY(residuals_open(&residuals, net, coll, o->members, max_hops, why, err));
    for (size_t i = 0; i < residuals.count; i++)
        if (suits_residual(scheme, &residuals.list[i], o)) {
            TRY(build_on(&next, scheme, &residuals, &residuals.list[i], o, err));
            keep_quicker(&best, next);
        }
    if (!best)
        TRY(refuse_residuals(&best, scheme, &residuals, why, o, err));
    best->summary.plan_s = base_now_s() - begin;
    *out = best;
    best = NULL;
done:
    rwa_plan_free(best);
    residuals_close(&residuals);
    return st;
}
