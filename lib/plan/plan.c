/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The main flow of planning: take the request, refuse options that no scheme reads, choose the networks to plan on,
 * and report the quickest plan that the queue of candidates (queue.c) finds on them. */
#include "plan/plan.h"

#include "base/limits.h"
#include "collective/canonical.h"
#include "collective/needs.h"
#include "network/translations.h"
#include "plan/residual/map.h"
#include "schedule/schedule.h"

void rwa_plan_options_init_sized(rwa_plan_options *opts, size_t size)
{
    rwa_plan_options defaults = {
        .struct_size = sizeof defaults, .seed = 1, .split_steps = RWA_SPLIT_BEST};
    rwa_cost_options_init(&defaults.cost);
    base_init_options(opts, size, &defaults, sizeof defaults);
}

/* ---- a plan ---- */

rwa_status plan_create(rwa_plan **out, const char *scheme, rwa_error *err)
{
    MUST(base_new(*out, 1, err));
    (*out)->summary.scheme = scheme;
    (*out)->summary.check = &(*out)->check;
    (*out)->summary.stripes = (*out)->summary.lightpath_blocks = 1;
    return RWA_OK;
}

void plan_refuse(rwa_plan *plan)
{
    plan->summary.outcome = RWA_INFEASIBLE;
    rwa_schedule_free(plan->refused);
    plan->refused = plan->schedule;
    plan->schedule = NULL;
}

void plan_replace_schedule(rwa_plan *plan, rwa_schedule *schedule)
{
    rwa_schedule_free(plan->schedule);
    plan->schedule = schedule;
}

void rwa_plan_free(rwa_plan *plan)
{
    if (plan) {
        rwa_schedule_free(plan->schedule);
        rwa_schedule_free(plan->refused);
    }
    free(plan);
}

void plan_keep_one(rwa_plan **kept, rwa_plan *other, bool better)
{
    rwa_plan_free(better ? *kept : other);
    *kept = better ? other : *kept;
}

GETTER_ADDRESS(rwa_plan_report, rwa_plan_summary, rwa_plan, summary)

GETTER(const rwa_schedule *, rwa_plan_schedule, rwa_plan, schedule)
GETTER(const rwa_schedule *, rwa_plan_refused, rwa_plan, refused)

const rwa_stage *rwa_plan_stage(const rwa_plan *plan, size_t i)
{
    return i < plan->summary.stages && i < RWA_STAGES_MAX ? &plan->stage[i] : NULL;
}

const rwa_alternative *rwa_plan_alternative(const rwa_plan *plan, size_t i)
{
    assert(plan->summary.alternatives <= ALTERNATIVES_MAX);
    return i < plan->summary.alternatives ? &plan->alternative[i] : NULL;
}

const rwa_left_out *rwa_plan_left_out(const rwa_plan *plan, size_t i)
{
    return i < plan->left_outs ? &plan->left_out[i] : NULL;
}

/* ---- the request ---- */

uint64_t plan_message_bytes(const rwa_collective *coll)
{
    if (coll->message_bytes > 0)
        return coll->message_bytes;
    bool whole = collective_message_is_whole(coll->kind);
    uint64_t total = coll->block_bytes * coll->blocks;
    return whole ? total : ceil_div(total, coll->nodes);
}

/** Copy the caller's collective (`given`) to `coll`, and validate it.  A program compiled with an older release may
 * pass a shorter structure.
 * @param members  the nodes that take part, ascending; NULL: all */
static rwa_status take_collective(rwa_collective *coll, const rwa_collective *given, const rwa_network *net,
                                  const uint32_t *members, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    *coll = (rwa_collective){0};
    MUST(base_take_options(coll, sizeof *coll, given, "rwa_collective", err));
    if ((members ? coll->nodes > nodes || coll->nodes < 2 : coll->nodes != nodes) || coll->blocks == 0 ||
        !rwa_collective_name(coll->kind))
        return base_refuse(err, "expected a collective on the network's %u nodes, or on the members among them, "
                           "made by its init function", nodes);
    coll->message_bytes = plan_message_bytes(coll);
    return members ? members_refuse(net, members, coll->nodes, err) : RWA_OK;
}

static rwa_status refuse_grid(const rwa_network *net, const rwa_device *device, rwa_error *err)
{
    uint32_t wavelengths = rwa_network_wavelengths(net);
    if (!device || wavelengths <= rwa_device_wavelengths(device))
        return RWA_OK;
    return base_refuse(err, "%u wavelengths: the grid of device %s has %u", wavelengths, rwa_device_name(device),
                       rwa_device_wavelengths(device));
}

/* ---- the networks to plan on ---- */

/** A network on which to plan in place of the task's network; schedules are mapped back. */
struct view {
    const rwa_network *net;
    rwa_collective coll;
    const uint32_t *members, *node, *participant;   /* NULL: the same */
};

/** Return the options for the check of the final plan.  A check of few lightpaths may go on after the time limit. */
static rwa_plan_options options_to_check(const struct plan_task *task, const rwa_schedule *s)
{
    enum { SHORT = 1 << 20 };
    rwa_plan_options o = *task->opts;
    if (o.poll && rwa_schedule_lightpaths(s) <= SHORT)
        o.poll = deadline_poll_caller;
    return o;
}

/** Map a schedule from the view's network, on which it was planned, to the task's network; NULL stays NULL. */
static rwa_status map_back(rwa_schedule **sched, const struct view *view, const struct plan_task *task, rwa_error *err)
{
    const struct schedule_map map = {.net = task->net,
                                     .coll = task->coll,
                                     .members = task->opts->members,
                                     .node = view->node,
                                     .participant = view->participant};
    rwa_schedule *mapped = NULL;
    MUST(*sched ? map_schedule(&mapped, *sched, &map, err) : RWA_OK);
    rwa_schedule_free(*sched);
    *sched = mapped;
    return RWA_OK;
}

/** Map a plan from the view's network, on which it was made, to the task's network, and check it there.
 * @param first  this is the first plan; it was checked on the view's network.  A later plan with very many lightpaths
 *               is not mapped but refused: it then has no schedule. */
static rwa_status map_plan(rwa_plan *plan, const struct view *view, const struct plan_task *task, bool first,
                           rwa_error *err)
{
    enum { MAPPED_MOST = 1 << 20 };
    /* writing out its orbits would take longer than all other work */
    if (!first && rwa_schedule_lightpaths(plan->schedule) > MAPPED_MOST) {
        plan_refuse(plan);
        return RWA_OK;
    }
    MUST(map_back(&plan->schedule, view, task, err));
    rwa_plan_options o = options_to_check(task, plan->schedule);
    if (rwa_network_ports(task->net) != rwa_network_ports(view->net))   /* then other lightpaths stay up */
        MUST(plan_times(&plan->summary, plan->schedule, &o.cost, err));
    return (first ? plan_check_mapped : plan_check)(plan, task->net, &o, err);
}

bool plan_takes_less(const rwa_plan *plan, const rwa_plan *than)
{
    return plan->schedule && (!than->schedule || plan->summary.time_s < than->summary.time_s * (1 - ROUNDING));
}

void plan_note_fewest(rwa_plan_report *sum, rwa_alternative met)
{
    const rwa_alternative *kept = &sum->fewest;
    bool fewer = !kept->scheme || met.steps < kept->steps || (met.steps == kept->steps && met.time_s < kept->time_s);
    if (met.scheme && fewer)
        sum->fewest = met;
}

/** Make the quickest plan on a network that stands for the real one.  Use half of the time limit; in the rest the
 * caller maps the plan to the real network and checks it. */
static rwa_status plan_quickest_to_map(rwa_plan **out, const struct plan_task *task, rwa_error *err)
{
    const double share = 0.5;
    struct deadline *d = task->deadline;
    const double limit_s = d->limit_s;
    d->limit_s *= share;
    rwa_status st = plan_quickest(out, task, err);
    d->limit_s = limit_s;
    d->passed = false; /* the next poll looks at the clock again */
    return st;
}

/** Plan on the view's network, which stands for the task's.  Replace the best plan so far (*best; NULL: none) if the
 * new one is quicker.
 * @param strict  options that are not read are an error */
static rwa_status plan_in_view(rwa_plan **best, const struct view *view, const struct plan_task *task, bool strict,
                               rwa_error *err)
{
    struct memo memo = {.list = NULL}; /* its results hold for the nodes and networks of this view only */
    rwa_plan_options o = *task->opts;
    struct plan_task below = {.net = view->net, .coll = &view->coll, .opts = &o, .number = view->node, .memo = &memo,
                              .deadline = task->deadline};
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    bool first = !*best || !(*best)->schedule, same = view->net == task->net && !view->node;
    o.members = view->members;
    below.below_s = first ? 0 : (*best)->summary.time_s;
    if (strict && !is_composite_name(o.scheme))
        TRY(options_refuse_unread(&below, err));
    TRY((same ? plan_quickest : plan_quickest_to_map)(&plan, &below, err));
    if (plan && plan->schedule && !same)
        TRY(map_plan(plan, view, task, first, err));
    else if (plan && !same)
        TRY(map_back(&plan->refused, view, task, err));
    if (plan && *best && (*best)->summary.alternatives > plan->summary.alternatives) {
        plan->summary.alternatives = (*best)->summary.alternatives;
        memcpy(plan->alternative, (*best)->alternative, sizeof plan->alternative);
    }
    if (plan && *best) {
        plan_note_fewest(&plan->summary, (*best)->summary.fewest);
        plan_note_fewest(&(*best)->summary, plan->summary.fewest);
        plan->left_outs = (*best)->left_outs;   /* with all channels */
        memcpy(plan->left_out, (*best)->left_out, sizeof plan->left_out);
    }
    plan_keep_one(best, plan, plan && (!*best || plan_takes_less(plan, *best)));
    plan = NULL;
done:
    rwa_plan_free(plan);
    memo_close(&memo);
    return st;
}

/** Plan on the view's network as plan_in_view() does.  If that returns RWA_BADARG, or the time limit ends it, keep
 * *best and return RWA_OK.  After other errors *best is NULL. */
static rwa_status or_in_view(rwa_plan **best, const struct view *view, const struct plan_task *task, bool strict,
                             rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_status st = plan_in_view(best, view, task, strict, &why);
    if (st == RWA_OK || st == RWA_BADARG || deadline_ended(task->deadline, st))
        return RWA_OK;
    rwa_plan_free(*best);
    *best = NULL;
    return base_fail(err, st, "%s", why.text);
}

/** Tell whether to plan on the network itself, besides its canonical form, whose numbers of nodes may break orbits
 * (records that stand for all translations of a lightpath).  True only on large networks without failures where all
 * nodes take part, if the planner chooses the scheme. */
static bool keeps_orbits(const rwa_network *net, const struct plan_task *t)
{
    enum { MANY_NODES = 256 };
    bool own = network_canonical_nodes(net) && network_has_orbits(net) && network_is_uniform(net);
    return own && scheme_is_open(t->opts) && !t->opts->members && rwa_network_nodes(net) > MANY_NODES;
}

/** Plan on the canonical form of a network.  Also plan on the network itself, if the canonical form has no plan or may
 * break orbits.
 * @param net     the task's network, or a copy of it with fewer channels or ports
 * @param best    the quickest plan so far (NULL: none), which a quicker one replaces
 * @param strict  options that are not read are an error */
static rwa_status plan_numbered(rwa_plan **best, const rwa_network *net, const struct plan_task *task, bool strict,
                                rwa_error *err)
{
    const struct view own = {.net = net, .coll = *task->coll, .members = task->opts->members};
    struct canonical_task c = {.net = NULL};
    rwa_status st = RWA_OK;
    bool canonical = network_to_plan(net, task->coll, task->opts) != net, both = keeps_orbits(net, task);
    if (canonical || network_canonical(net) == net) {
        TRY(canonical_open(&c, net, task->coll, task->opts->members, err));
        TRY(canonical_move_root(&c, net, err));
        canonical = canonical || c.node;
    }
    if (!canonical || both)
        TRY((*best ? or_in_view : plan_in_view)(best, &own, task, strict, err));
    if (canonical) {
        const struct view view = {c.net, c.coll, c.members, c.node ? c.node : network_canonical_nodes(net),
                                  c.participant};
        TRY((*best ? or_in_view : plan_in_view)(best, &view, task, strict, err));
    }
    if (canonical && !both && !(*best)->schedule)
        TRY(or_in_view(best, &own, task, strict, err));
done:
    canonical_close(&c);
    return st;
}

/** Channels that are left: on so many fibres of each link, the wavelengths 0, step, 2 step, … below `wavelengths`. */
struct channels_left {
    uint32_t fibers, wavelengths, step;
};

/** Create a copy of a network that has only the channels `left`.  No channel of the network may be reserved. */
static rwa_status open_fewer(rwa_network **out, const rwa_network *net, struct channels_left left, rwa_error *err)
{
    rwa_faults faults = network_faults(net);
    uint32_t *left_out = NULL, wavelengths = rwa_network_wavelengths(net),
             channels = wavelengths * rwa_network_fibers(net);
    assert(faults.channel_count == 0 && left.step > 0);
    MUST(base_new(left_out, channels, err));
    for (uint32_t c = 0; c < channels; c++)
        if (c % wavelengths % left.step != 0 || c % wavelengths >= left.wavelengths || c / wavelengths >= left.fibers)
            left_out[faults.channel_count++] = c;
    faults.channels = left_out;
    rwa_status st = rwa_network_with_faults(out, net, &faults, err);
    free(left_out);
    return st;
}

static rwa_status plan_with_fewer(rwa_plan **best, const struct plan_task *task, struct channels_left left,
                                  rwa_error *err)
{
    rwa_network *fewer = NULL;
    MUST(open_fewer(&fewer, task->net, left, err));
    rwa_status st = plan_numbered(best, fewer, task, false, err);
    rwa_network_free(fewer);
    return st;
}

/** Try plans that use fewer channels, and replace *best by a quicker one.  With a device, on rings and lines: use
 * every second, fourth, … wavelength.  Without a device: use the largest power of 2 of fibres, then of wavelengths.
 * Do nothing if channels are reserved. */
static rwa_status use_fewer_channels(rwa_plan **best, const struct plan_task *task, rwa_error *err)
{
    const struct channels_left all = {rwa_network_fibers(task->net), rwa_network_wavelengths(task->net), 1};
    const struct channels_left power = {power_within(all.fibers), power_within(all.wavelengths), 1};
    bool device = task->opts->device, arcs = network_has_arcs(task->net);
    if (network_faults(task->net).channel_count > 0)
        return RWA_OK;
    /* micro-rings tuned to wavelengths farther apart cause less loss and crosstalk */
    for (uint32_t step = 2; arcs && device && step < all.wavelengths; step *= 2)
        MUST(plan_with_fewer(best, task, (struct channels_left){all.fibers, all.wavelengths, step}, err));
    /* powers of 2 suit schemes that halve the set of nodes in each stage */
    if (!device && power.fibers < all.fibers)
        MUST(plan_with_fewer(best, task, (struct channels_left){power.fibers, all.wavelengths, 1}, err));
    if (!device && power.wavelengths < all.wavelengths)
        MUST(plan_with_fewer(best, task, (struct channels_left){all.fibers, power.wavelengths, 1}, err));
    return RWA_OK;
}

/** Try plans that leave out, on all links, each channel that is reserved on some link, and replace *best by a quicker
 * one.  All links are then alike, so more schemes can plan. */
static rwa_status use_common_channels(rwa_plan **best, const struct plan_task *task, rwa_error *err)
{
    const rwa_reserved *list;
    rwa_network *alike = NULL;
    if (rwa_network_reserved(&list, task->net) == 0)
        return RWA_OK;
    MUST(network_reserve_on_all(&alike, task->net, err));
    rwa_status st = plan_numbered(best, alike, task, false, err);
    rwa_network_free(alike);
    return st;
}

static rwa_status plan_within(rwa_plan **best, const struct plan_task *task, uint32_t ports, uint32_t hops,
                              rwa_error *err)
{
    rwa_plan_options o = *task->opts;
    struct plan_task within = *task;
    bool same = ports == rwa_network_ports(task->net);  /* its plans need not be mapped */
    rwa_network *fewer = same ? NULL : network_with_fewer(task->net, rwa_network_wavelengths(task->net), ports, err);
    o.max_hops = hops;
    within.opts = &o;
    rwa_status st = same || fewer ? plan_numbered(best, same ? task->net : fewer, &within, false, err) : RWA_NOMEM;
    rwa_network_free(fewer);
    return st;
}

/** Plan again with stricter limits, which may lead a search to a better plan, and replace *best by a quicker one.  Try
 * one port less, then half as many, a quarter, …, and then the hop limit in the same way.  Without a hop limit, try 2
 * hops and 1 hop if lightpaths may stay up between steps and the caller limits the blocks on each. */
static rwa_status use_fewer(rwa_plan **best, const struct plan_task *task, rwa_error *err)
{
    const rwa_plan_options *o = task->opts;
    const rwa_plan *before = *best;
    bool kept = o->cost.model != RWA_COST_PAPER && o->lightpath_blocks > 0;
    uint32_t ports = rwa_network_ports(task->net), hops = o->max_hops;
    for (uint32_t fewer = ports > 0 ? ports - 1 : 0; fewer > 0; fewer /= 2)
        MUST(plan_within(best, task, fewer, hops, err));
    for (uint32_t fewer = hops > 0 ? hops - 1 : 2 * kept; fewer > 0; fewer /= 2)
        MUST(plan_within(best, task, ports, fewer, err));
    return *best != before ? plan_check(*best, task->net, o, err) : RWA_OK; /* bounds for what was asked */
}

static rwa_status plan_all(rwa_plan **out, const struct plan_task *task, bool strict, rwa_error *err)
{
    *out = NULL;
    MUST(plan_numbered(out, task->net, task, strict, err));
    if (!scheme_is_open(task->opts))
        return RWA_OK;
    MUST(use_fewer_channels(out, task, err));
    MUST(use_common_channels(out, task, err));
    return use_fewer(out, task, err);
}

/* ---- fewest steps ---- */

static rwa_status refuse_objective(const rwa_plan_options *o, rwa_error *err)
{
    if (o->objective != RWA_LEAST_TIME && o->objective != RWA_FEWEST_STEPS)
        return base_refuse(err, "objective %d: expected RWA_LEAST_TIME or RWA_FEWEST_STEPS", (int)o->objective);
    if (o->objective == RWA_FEWEST_STEPS && (o->stripes > 1 || o->lightpath_blocks > 1))
        return base_refuse(err,
                           "load_factor: the objective steps counts whole blocks, one on a lightpath; load_factor 1, "
                           "or the objective time, would do");
    return RWA_OK;
}

/** Change the options so that the quickest plan has the fewest steps: whole blocks, one on each lightpath, timed in
 * the model `paper`.  With "auto", all schemes must use the same number of blocks. */
static void aim_at_steps(rwa_plan_options *o, rwa_collective *coll)
{
    o->stripes = o->lightpath_blocks = 1;
    o->cost.model = RWA_COST_PAPER;
    coll->blocks_given = coll->blocks_given || scheme_is_open(o); /* each scheme chooses its own number */
}

/** Compute the time of the plan in the cost model that the caller asked for (`asked`), and compare it with the lower
 * bound in that model.  Do nothing if the plan was chosen in this model, or has no schedule. */
static rwa_status time_as_asked(rwa_plan *plan, const struct plan_task *task, rwa_cost_model asked, rwa_error *err)
{
    rwa_plan_options o = *task->opts;
    if (!plan->schedule || asked == o.cost.model)
        return RWA_OK;
    o.cost.model = asked;
    MUST(plan_times(&plan->summary, plan->schedule, &o.cost, err));
    return plan_check(plan, task->net, &o, err);
}

static rwa_status make(rwa_plan **out, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *opts,
                       bool strict, rwa_error *err)
{
    rwa_plan_options o;
    rwa_collective whole;
    struct deadline deadline = {.limit_s = 0};
    struct memo memo = {.list = NULL};
    const struct plan_task task = {.net = net, .coll = &whole, .opts = &o, .memo = &memo, .deadline = &deadline};
    rwa_limits limits;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(base_options(rwa_plan_options, &o, opts, err));
    TRY(limits_take(&limits, o.limits, err));
    if (limits.time_limit_s > 0 && (o.time_limit_s <= 0 || limits.time_limit_s < o.time_limit_s))
        o.time_limit_s = limits.time_limit_s;
    deadline_begin(&deadline, &o);
    TRY(take_collective(&whole, coll, net, o.members, err));
    if (o.lightpath_blocks > 1 && o.max_drops > 1)
        return base_refuse(err, "load_factor %u and max_drops %u: expected only one of them above 1",
                           o.lightpath_blocks, o.max_drops);
    if (whole.nodes == rwa_network_nodes(net))
        o.members = NULL;
    TRY(refuse_objective(&o, err));
    const rwa_cost_model asked = o.cost.model;
    if (o.objective == RWA_FEWEST_STEPS)
        aim_at_steps(&o, &whole);
    MUST(task_refuse_size(&task, err));
    MUST(refuse_grid(net, o.device, err));
    TRY(plan_all(out, &task, strict, err));
    TRY(time_as_asked(*out, &task, asked, err));
    (*out)->summary.plan_s = base_now_s() - deadline.begin_s - (*out)->summary.check_s;
    (*out)->summary.first_plan_s = deadline.first_s;
done:
    memo_close(&memo);
    if (st != RWA_OK) {
        rwa_plan_free(*out);
        *out = NULL;
    }
    return deadline_explain(&deadline, st, err);
}

rwa_status rwa_plan_make(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                         const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, net, coll);
    return make(out, net, coll, opts, true, err);
}

rwa_status plan_leniently(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_plan_options *opts, rwa_error *err)
{
    return make(out, net, coll, opts, false, err);
}
