/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme -> routes -> wavelengths -> steps -> checked plan. */
#include "plan/core.h"
#include "plan/plan.h"
#include "schedule/schedule.h"

#include "network/network.h"

#include <math.h>
#include <stdio.h>
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

/** Whether every step is one of whole orbits, which are neither listed nor checked one by one; laid from a core on the real
 *  network they are checked, and some are written out. */
static struct extent extent_of(const struct scheme *scheme, const struct scheme_request *request, const struct core *core)
{
    struct extent e = {.records = least_lightpaths(request->coll)};
    if (scheme->extent && !core->scattered)
        scheme->extent(&e, request);
    e.whole = e.whole && !core->own;
    return e;
}

/** Bytes of the schedule while it is made, and of the channels and blocks that its check goes through. */
static double bytes_to_plan(const struct scheme *scheme, const struct scheme_request *request, const struct core *core)
{
    enum { RECORD = 48, SHARE_OF_OTHERS = 4 };
    const rwa_network *net = request->net;
    struct extent e = extent_of(scheme, request, core);
    double lanes = network_has_arcs(net) ? 2.0 * rwa_network_links(net) * rwa_network_channels(net) / 8 : 0;
    double check = e.whole ? (double)request->coll->blocks / 8 : lanes + bytes_to_check(request->coll);
    return (e.records * RECORD + check) * SHARE_OF_OTHERS / (SHARE_OF_OTHERS - 1);
}

/** Lightpaths that the checker goes through; of whole orbits one, but in reductions all. */
static double to_check(const struct scheme *scheme, const struct scheme_request *request, const struct core *core)
{
    struct extent e = extent_of(scheme, request, core);
    bool turned = request->coll->kind != core->coll.kind;
    double passes = turned && core->coll.kind == RWA_ALL_REDUCE ? 2 : 1;
    return e.whole && !turned ? e.records : passes * least_lightpaths(request->coll);
}

/** Whether the scheme does this at all, and whether what it must list, and the check, fit this machine and a patient hour. */
static rwa_status check_request(const struct scheme *scheme, const struct scheme_request *request,
                                const struct core *core, rwa_error *err)
{
    const double most = (double)((uint64_t)1 << 31);
    rwa_status st = RWA_OK;
    if (to_check(scheme, request, core) > most)
        return base_fail(err, RWA_BADARG, "%s by scheme %s on %u nodes has %.0f lightpaths to check one by one, expected at most %.0f",
                         rwa_collective_name(core->coll.kind), scheme->name, core->coll.nodes, to_check(scheme, request, core), most);
    TRY(base_fits_memory(bytes_to_plan(scheme, request, core), "this plan, with its check,", err));
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

static rwa_status build_schedule(rwa_plan *plan, const struct scheme *scheme, const struct scheme_request *request,
                                 rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(rwa_schedule_create(&plan->schedule, request->net, request->coll, scheme->name, err));
    TRY(build(plan, scheme, request, err));
done:
    return st;
}

/** The way there is planned on links that failed in the other direction; the way on, of an all-reduce, is one more. */
static rwa_status build_reversed(rwa_plan *plan, const struct scheme *scheme, struct scheme_request *request,
                                 const struct core *core, const rwa_collective *cut, rwa_error *err)
{
    rwa_plan onward = {.schedule = NULL};
    bool twice = core->turned && cut->kind == RWA_ALL_REDUCE;
    rwa_status st = RWA_OK;
    if (core->turned)
        request->net = core->turned;
    TRY(build_schedule(plan, scheme, request, err));
    request->net = core->net;
    if (twice && request->why[0] == '\0')
        TRY(build_schedule(&onward, scheme, request, err));
    if (request->why[0] == '\0')
        TRY(reverse_plan(plan, twice ? onward.schedule : plan->schedule, cut, err));
done:
    rwa_schedule_free(onward.schedule);
    return st;
}

/** The stages, the schedule, and what the paper says of it. */
static rwa_status carry_out(rwa_plan *plan, const struct scheme *scheme, struct scheme_request *request,
                            struct tuning *tuning, const struct core *core, rwa_error *err)
{
    const rwa_collective *coll = &core->coll, *forwards = request->coll;
    rwa_collective cut = *forwards;
    rwa_status st = RWA_OK;
    TRY(check_request(scheme, request, core, err));
    if (request->opts->slots > 1 && !scheme->merges)
        return scheme_refuse(request, "scheme %s puts one block on a lightpath; a load factor of at most 1, or the scheme "
                             "wavefront, would do", scheme->name);
    TRY(choose_tuning(tuning, scheme, request, err));
    plan->summary.group = tuning->group;
    if (forwards->kind == coll->kind) {
        TRY(build_schedule(plan, scheme, request, err));
    } else {
        TRY(rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, forwards->blocks, err));
        TRY(build_reversed(plan, scheme, request, core, &cut, err));
    }
    request->coll = &cut;
    if (scheme->formula)
        scheme->formula(&plan->summary.formula, request);
    request->coll = NULL;
done:
    return st;
}

/** What was planned on a core becomes a plan of the real network. */
static rwa_status move_to_real(rwa_plan *plan, const struct cores *cores, const struct core *core, rwa_error *err)
{
    rwa_schedule *laid = NULL;
    if (core->net == cores->real)
        return RWA_OK;
    rwa_status st = core_lay(&laid, plan->schedule, cores, core, err);
    if (st != RWA_OK)
        return st;
    rwa_schedule_free(plan->schedule);
    plan->schedule = laid;
    return RWA_OK;
}

static rwa_status new_plan(rwa_plan **out, const struct scheme *scheme, rwa_error *err)
{
    *out = base_array(1, sizeof **out, err);
    if (!*out)
        return RWA_NOMEM;
    (*out)->summary.scheme = scheme->name;
    (*out)->summary.stripes = (*out)->summary.slots = 1;
    return RWA_OK;
}

/** On the nodes and links of a core. */
static rwa_status build_whole(rwa_plan **out, const struct scheme *scheme, const struct core *core, const rwa_plan_options *o,
                              rwa_error *err)
{
    struct tuning tuning = {0};
    rwa_collective forwards, cut;
    struct scheme_request request = {.net = core->net, .coll = &forwards, .opts = o, .tuning = &tuning};
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(new_plan(&plan, scheme, err));
    request.why = plan->summary.why;
    TRY(turn_forwards(&forwards, scheme, core->net, &core->coll, err));
    TRY(cut_message(&cut, scheme, &request, err));
    request.coll = &cut;
    TRY(carry_out(plan, scheme, &request, &tuning, core, err));
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

/** What the options ask for on a core: its own limit of hops, and nobody who takes no part. */
static rwa_plan_options ask_on(const struct core *core, const rwa_plan_options *o)
{
    rwa_plan_options asked = *o;
    asked.max_hops = core->max_hops;
    asked.members = NULL;
    return asked;
}

static rwa_status build_on(rwa_plan **out, const struct scheme *scheme, const struct cores *cores, const struct core *core,
                           const rwa_plan_options *o, rwa_error *err)
{
    rwa_plan_options asked = ask_on(core, o);
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    if (o->stripes > 1)
        TRY(stripe_build(&plan, scheme, core->net, &core->coll, &asked, asked.max_hops, err));
    else
        TRY(build_whole(&plan, scheme, core, &asked, err));
    if (plan->schedule) {
        TRY(move_to_real(plan, cores, core, err));
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

static bool suits(const struct scheme *scheme, const struct core *core, const rwa_plan_options *o)
{
    bool mends = scheme->mends && o->stripes <= 1 && o->slots <= 1;
    return (scheme->networks >> rwa_network_get_kind(core->net) & 1) && (!core->broken || mends);
}

/** No core is one for this scheme. */
static rwa_status refuse_cores(rwa_plan **out, const struct scheme *scheme, const struct cores *c, const char *why,
                               rwa_error *err)
{
    rwa_status st = new_plan(out, scheme, err);
    if (st != RWA_OK)
        return st;
    if (why[0] != '\0')
        snprintf((*out)->summary.why, RWA_ERROR_TEXT, "%s", why);
    else
        snprintf((*out)->summary.why, RWA_ERROR_TEXT, "a %s is left of this network%s, on which scheme %s does not plan; "
                 "scheme auto would help, if any can", rwa_network_kind_name(rwa_network_get_kind(c->list[0].net)),
                 c->list[0].broken ? " with what failed or is reserved" : "", scheme->name);
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
    struct cores cores = {.count = 0};
    char why[RWA_ERROR_TEXT] = "";
    double begin = base_now_s();
    rwa_plan *best = NULL, *next = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(check_grid(net, o->device, err));
    TRY(cores_open(&cores, net, coll, o->members, max_hops, why, err));
    for (size_t i = 0; i < cores.count; i++)
        if (suits(scheme, &cores.list[i], o)) {
            TRY(build_on(&next, scheme, &cores, &cores.list[i], o, err));
            keep_quicker(&best, next);
        }
    if (!best)
        TRY(refuse_cores(&best, scheme, &cores, why, err));
    best->summary.plan_s = base_now_s() - begin;
    *out = best;
    best = NULL;
done:
    rwa_plan_free(best);
    cores_close(&cores);
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
    out->to_check = to_check(scheme, &request, core);
    if (fits && !core->broken)
        foresee(out, scheme, &request, &core->coll);
}

void plan_outlook(struct outlook *out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                  const rwa_plan_options *o)
{
    struct cores cores = {.count = 0};
    char why[RWA_ERROR_TEXT] = "";
    *out = (struct outlook){.records = INFINITY};
    if (cores_open(&cores, net, coll, o->members, o->max_hops, why, NULL) == RWA_OK) {
        const struct core *core = cores.list;
        while (core < cores.list + cores.count && !suits(scheme, core, o))
            core++;
        if (core < cores.list + cores.count)
            look_ahead(out, scheme, core, o);
        else
            out->records = 0; /* it will be refused at once */
        if (cores.count > 1)
            out->steps = 0; /* several ways, of which building tells the best */
    }
    cores_close(&cores);
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
                                  const uint32_t *members, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    *coll = (rwa_collective){0};
    rwa_status st = base_take_options(coll, sizeof *coll, given, "collective", err);
    if (st != RWA_OK)
        return st;
    if ((members ? coll->nodes > nodes || coll->nodes < 2 : coll->nodes != nodes) || coll->blocks == 0 ||
        !rwa_collective_name(coll->kind))
        return base_fail(err, RWA_BADARG, "expected a collective on the network's %u nodes, or on the members among them, "
                         "made by its init function", nodes);
    if (coll->message_bytes == 0)
        coll->message_bytes = message_of(coll);
    return members ? members_refuse(net, members, coll->nodes, err) : RWA_OK;
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
    TRY(take_collective(&whole, coll, net, o.members, err));
    if (whole.nodes == rwa_network_nodes(net))
        o.members = NULL;
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
