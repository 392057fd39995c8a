/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finish a collective after a failure.  The plan goes on where its lightpaths still work; nodes that miss a block get it from the
 *  nearest holder.  Several pauses for that are tried, and so is the whole collective once more (restart.c). */
#include "collective/canonical.h"

#include "check/check.h"
#include "collective/needs.h"
#include "plan/residual/map.h"
#include "plan/plan.h"
#include "plan/residual/reroute.h"
#include "schedule/schedule.h"
#include "delivery/delivery_state.h"

/** Pauses tried, in steps; then once more without going on at all. */
enum { PAUSES = 4 };
#define NEVER UINT32_MAX

/** A lightpath of the plan, with its path where links are listed. */
struct planned {
    rwa_lightpath lp;
    const uint32_t *path;       /* borrowed from the schedule */
    uint32_t path_nodes;
};

/** The plan lightpath by lightpath, and how many deliveries rest on each. */
struct intent {
    struct planned *list;       /* orbits expanded, by step */
    size_t *first;              /* of step s at first[s]; steps + 2 entries */
    uint32_t steps, at_step;
    uint32_t *due;              /* [node][block]: the step that delivers it; 0: from the start; NEVER: not needed there */
    uint32_t *weight;           /* [node][block]: deliveries that rest on this one, itself included */
};

/** A node that misses a block. */
struct missing {
    uint32_t node, weight;
    uint64_t block;
};

struct repair {
    const rwa_schedule *sched;
    const rwa_collective *coll;
    rwa_network *net;           /* with the failed links */
    struct intent plan;
    struct missing *missing;
    size_t missing_count, missing_capacity;
    bool found;                 /* a try has completed: the next ones may be given up */
    struct budget budget;
    rwa_error *err;
};

/* ---- what was planned ---- */

static rwa_status list_lightpaths(struct repair *r)
{
    struct intent *p = &r->plan;
    size_t count = 0;
    p->steps = rwa_schedule_steps(r->sched);
    MUST(base_new(p->list, (size_t)rwa_schedule_lightpaths(r->sched), r->err));
    MUST(base_new(p->first, (size_t)p->steps + 2, r->err));
    for (uint32_t s = 1; s <= p->steps; s++) {
        p->first[s] = count;
        for (struct walk w = walk_step(r->sched, s); walk_next(&w); count++) {
            p->list[count].lp = w.lp;
            p->list[count].path = rwa_schedule_path(&p->list[count].path_nodes, r->sched, w.record);
        }
    }
    p->first[p->steps + 1] = count;
    assert(count == rwa_schedule_lightpaths(r->sched));
    return RWA_OK;
}

static rwa_status weigh_deliveries(struct repair *r)
{
    struct intent *p = &r->plan;
    size_t pairs = (size_t)(r->coll->nodes * r->coll->blocks);
    MUST(base_new(p->due, pairs, r->err));
    MUST(base_new(p->weight, pairs, r->err));
    for (size_t i = 0; i < pairs; i++) {
        bool needed = collective_needs(r->coll, (uint32_t)(i / r->coll->blocks), i % r->coll->blocks);
        p->due[i] = needed ? p->steps : NEVER;
        p->weight[i] = 1;
    }
    for (size_t i = p->first[p->steps + 1]; i > 0; i--) {
        const rwa_lightpath *lp = &p->list[i - 1].lp;
        size_t to = (size_t)(lp->dst * r->coll->blocks + lp->block), from = (size_t)(lp->src * r->coll->blocks + lp->block);
        assert(lp->src < r->coll->nodes && lp->dst < r->coll->nodes && lp->block < r->coll->blocks);
        assert(p->due[to] == NEVER || p->due[to] >= lp->step); /* backwards from the last step */
        p->due[to] = lp->step;
        p->weight[from] += p->weight[to];
    }
    return RWA_OK;
}

/* ---- one try ---- */

COMPARATOR(heavier_first, struct missing, DOWN(weight) UP(block) UP(node))

/** RWA_CANCELLED when the caller cancels, and without a message when time is up and a try has completed. */
static rwa_status check_time(struct repair *r, const struct delivery_state *state)
{
    bool stop = base_must_stop(&r->budget, "repairing", -1);
    if (stop && r->budget.cancelled)
        return base_fail(r->err, RWA_CANCELLED, "repairing was stopped at step %u", state->sent.steps);
    return stop && r->found ? RWA_CANCELLED : RWA_OK;
}

/** The pairs due by the end of this step of the plan that miss their block. */
static rwa_status list_missing(struct repair *r, const struct delivery_state *state, uint32_t step)
{
    r->missing_count = 0;
    for (uint32_t v = 0; v < state->nodes; v++)
        for (uint64_t b = 0; b < state->blocks; b++) {
            size_t i = (size_t)(v * state->blocks + b);
            if (!delivery_lacks(state, v, b) || r->plan.due[i] > step)
                continue;
            MUST(base_append(r->missing, r->missing_count, r->missing_capacity, r->err, (struct missing){v, r->plan.weight[i], b}));
        }
    base_sort(r->missing, r->missing_count, heavier_first);
    return RWA_OK;
}

/** Serve the missing pairs: those with most weight first, and the near ones of these before the far ones. */
static rwa_status serve_missing(struct repair *r, struct delivery_state *state, uint32_t step)
{
    MUST(list_missing(r, state, step));
    for (uint32_t reach = 1, last = 0; !last; reach *= 2) {
        last = reach >= state->links;
        MUST(check_time(r, state));
        for (size_t i = 0; i < r->missing_count; i++) {
            struct missing *m = &r->missing[i];
            enum delivery_answer answer;
            if (!delivery_lacks(state, m->node, m->block))
                continue;
            MUST(delivery_serve(state, m->node, m->block, reach, &answer));
        }
    }
    return RWA_OK;
}

static rwa_status replay(const struct repair *r, struct delivery_state *state, uint32_t step)
{
    bool sent;
    rwa_status st = RWA_OK;
    assert(step >= 1 && step <= r->plan.steps);
    for (size_t i = r->plan.first[step]; i < r->plan.first[step + 1] && st == RWA_OK; i++)
        st = delivery_send(state, &r->plan.list[i].lp, r->plan.list[i].path, r->plan.list[i].path_nodes, &sent);
    return st;
}

/** Before the first step: every source holds its blocks. */
static rwa_status open_state(const struct repair *r, struct delivery_state *state)
{
    rwa_status st = delivery_open(state, r->net, r->coll->blocks, NULL, r->err);
    for (uint64_t b = 0; b < r->coll->blocks && st == RWA_OK; b++)
        delivery_hold(state, collective_source(r->coll, b), b);
    return st;
}

/** Up to the step of the failure nothing changes. */
static rwa_status replay_healthy(const struct repair *r, struct delivery_state *state)
{
    rwa_status st = RWA_OK;
    for (uint32_t s = 1; s < r->plan.at_step && s <= r->plan.steps && st == RWA_OK; s++) {
        delivery_begin_step(state, true);
        st = replay(r, state, s);
        delivery_end_step(state);
    }
    return st;
}

/** At most `pause` steps that only serve, until no pair misses a block due by `step`. */
static rwa_status serve_alone(struct repair *r, struct delivery_state *state, uint32_t step, uint32_t pause)
{
    for (uint32_t k = 0; k < pause; k++) {
        MUST(check_time(r, state));
        delivery_begin_step(state, false);
        MUST(serve_missing(r, state, step));
        delivery_end_step(state);
        if (delivery_step_is_empty(state)) { /* all are served, or none can be served */
            delivery_drop_step(state);
            break;
        }
    }
    return RWA_OK;
}

/** The whole collective, pausing `pause` steps at the failure; NEVER: the rest of the plan is given up. */
static rwa_status try_pause(struct repair *r, struct delivery_state *state, uint32_t pause)
{
    struct intent *p = &r->plan;
    MUST(open_state(r, state));
    MUST(replay_healthy(r, state));
    if (pause != NEVER) {
        MUST(serve_alone(r, state, p->at_step - 1, pause));
        for (uint32_t s = p->at_step; s <= p->steps; s++) {
            MUST(check_time(r, state));
            delivery_begin_step(state, false);
            MUST(replay(r, state, s));
            MUST(serve_missing(r, state, s));
            delivery_end_step(state);
            if (delivery_step_is_empty(state)) /* all of it crosses the failed links, or is not needed any more */
                delivery_drop_step(state);
        }
    }
    return serve_alone(r, state, p->steps, NEVER);
}

static bool is_complete(const struct repair *r, const struct delivery_state *state)
{
    for (uint32_t v = 0; v < state->nodes; v++)
        for (uint64_t b = 0; b < state->blocks; b++)
            if (!delivery_holds(state, v, b) && collective_needs(r->coll, v, b))
                return false;
    return true;
}

/** The try with the fewest steps; r->found stays false when none completes. */
static rwa_status best_try(struct repair *r, struct delivery_state *best)
{
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i <= PAUSES; i++) {
        struct delivery_state now = {0};
        st = try_pause(r, &now, i < PAUSES ? i : NEVER);
        if (st == RWA_OK && is_complete(r, &now) && (!r->found || now.sent.steps < best->sent.steps)) {
            struct delivery_state worse = *best;
            *best = now;
            now = worse;
            r->found = true;
        }
        delivery_close(&now);
        if (st != RWA_OK)
            break;
    }
    return st == RWA_CANCELLED && r->found && !r->budget.cancelled ? RWA_OK : st;
}

/* ---- the plan ---- */

static rwa_status write_schedule(rwa_plan *plan, const struct repair *r, const struct delivery_state *state)
{
    MUST(rwa_schedule_create(&plan->schedule, r->net, r->coll, rwa_schedule_scheme(r->sched), r->err));
    for (size_t i = 0; i < state->sent.count; i++) {
        const struct deliveries *d = &state->sent;
        const uint32_t *path = d->path + d->path_first[i];
        uint32_t path_nodes = (uint32_t)(d->path_first[i + 1] - d->path_first[i]);
        MUST(network_has_arcs(r->net) ? rwa_schedule_add(plan->schedule, &d->list[i], r->err)
                                      : rwa_schedule_add_path(plan->schedule, &d->list[i], path, path_nodes, r->err));
    }
    return RWA_OK;
}

static rwa_status check_request(const rwa_schedule *sched, uint32_t at_step, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    if (network_is_one_hop(net))
        return base_fail(err, RWA_BADARG, "a schedule on a %s cannot be repaired, expected a network of links between nodes",
                         rwa_topology_name(rwa_network_topology(net)));
    if (at_step < 1 || at_step > rwa_schedule_steps(sched) + 1)
        return base_fail(err, RWA_BADARG, "failure in step %u: expected 1 to %u", at_step, rwa_schedule_steps(sched) + 1);
    return RWA_OK;
}

/** The network with its failed links, each from its own step on, and these from at_step on: the steps before are history. */
static rwa_status fail_links(struct repair *r, const uint32_t *links, size_t count)
{
    const rwa_network *net = rwa_schedule_network(r->sched);
    uint32_t *both = NULL, *from = NULL;
    rwa_faults faults = network_faults(net);
    size_t all = faults.link_count + count;
    rwa_status st = RWA_OK;
    TRY(base_new(both, all, r->err));
    TRY(base_new(from, all, r->err));
    for (size_t i = 0; i < all; i++) {
        both[i] = i < count ? links[i] : faults.links[i - count];
        from[i] = i < count ? r->plan.at_step : (uint32_t)network_failed_from(net, both[i]);
    }
    faults.links = both;
    faults.link_count = all;
    TRY(network_with_failures(&r->net, net, &faults, from, r->err));
done:
    free(both);
    free(from);
    return st;
}

static rwa_status finish_plan(rwa_plan *plan, struct repair *r, const rwa_plan_options *o)
{
    struct delivery_state best = {0};
    rwa_status st = RWA_OK;
    TRY(best_try(r, &best));
    if (!r->found) {
        plan->summary.outcome = RWA_INFEASIBLE;
        snprintf(plan->summary.why, sizeof plan->summary.why,
                 "some node cannot be reached over the links that are left from a holder of a block it lacks; more working links "
                 "would help");
        goto done;
    }
    TRY(write_schedule(plan, r, &best));
    plan->summary.scheme = rwa_schedule_scheme(plan->schedule);
    TRY(plan_times(&plan->summary, plan->schedule, &o->cost, r->err));
    TRY(plan_verdict(plan, rwa_schedule_network(r->sched), r->coll, o, r->err));
done:
    delivery_close(&best);
    return st;
}

/* ---- the same transfers over other routes ---- */

/** Whether nothing but the routes may change: sums, members, several blocks on a lightpath, failed links of before. */
static bool keeps_transfers(const rwa_schedule *sched)
{
    return rwa_collective_is_reduction(rwa_schedule_collective(sched)->kind) || rwa_schedule_members(sched) ||
           rwa_schedule_lightpath_blocks(sched) > 1 || rwa_schedule_receivers(sched) > 1 ||
           network_has_failed_links(rwa_schedule_network(sched));
}

static rwa_status reroute_plan(rwa_plan *plan, struct repair *r, const rwa_plan_options *o)
{
    struct reroute_limits limits = {.at_step = r->plan.at_step, .max_hops = o->max_hops, .budget = &r->budget};
    rwa_plan_options with_members = *o;
    with_members.members = rwa_schedule_members(r->sched);
    MUST(reroute_schedule(&plan->schedule, plan->summary.why, r->sched, r->net, &limits, r->err));
    if (!plan->schedule) {
        plan->summary.outcome = RWA_INFEASIBLE;
        return RWA_OK;
    }
    plan->summary.scheme = rwa_schedule_scheme(plan->schedule);
    MUST(plan_times(&plan->summary, plan->schedule, &o->cost, r->err));
    return plan_verdict(plan, rwa_schedule_network(r->sched), r->coll, &with_members, r->err);
}

/** On the network of the schedule, as it stands. */
static rwa_status repair_here(rwa_plan **out, const rwa_schedule *sched, const uint32_t *links, size_t link_count, uint32_t at_step,
                         const rwa_plan_options *o, rwa_error *err)
{
    struct repair r = {.sched = sched, .coll = rwa_schedule_collective(sched), .plan = {.at_step = at_step}, .err = err};
    rwa_plan *plan = NULL;
    rwa_schedule *all = NULL;
    rwa_status st = RWA_OK;
    r.budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    if (schedule_version(sched) == 4) {
        TRY(rwa_schedule_expand(&all, sched, err));
        r.sched = all;
    }
    TRY(fail_links(&r, links, link_count));
    TRY(plan_create(&plan, rwa_schedule_scheme(sched), err));
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(sched);
    if (keeps_transfers(r.sched)) {
        TRY(reroute_plan(plan, &r, o));
    } else {
        TRY(list_lightpaths(&r));
        TRY(weigh_deliveries(&r));
        TRY(finish_plan(plan, &r, o));
    }
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    rwa_network_free(r.net);
    free_all(r.plan.list, r.plan.first, r.plan.due, r.plan.weight);
    rwa_schedule_free(all);
    free(r.missing);
    return st;
}

/* ---- on the canonical network ---- */

/** The same links there. */
static rwa_status map_links(uint32_t **out, const rwa_network *net, const uint32_t *links, size_t count, rwa_error *err)
{
    *out = base_array(count, sizeof **out, err);
    for (size_t i = 0; *out && i < count; i++) {
        if (links[i] >= rwa_network_links(net))
            return base_fail(err, RWA_BADARG, "failed link %u: expected a directed link below %u", links[i], rwa_network_links(net));
        rwa_link link = rwa_network_link(net, links[i]);
        (*out)[i] = rwa_network_find_link(network_canonical(net), network_canonical_place(net, link.from),
                                          network_canonical_place(net, link.to));
    }
    return *out ? RWA_OK : RWA_NOMEM;
}

/** A repaired schedule becomes one of the real network with its failed links, and is checked there once more. */
static rwa_status map_back(rwa_plan *plan, const rwa_schedule *sched, const rwa_faults *faults, const struct canonical_task *task,
                           const rwa_plan_options *o, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_network *failed = NULL;
    rwa_schedule *mapped = NULL;
    rwa_status st = RWA_OK;
    TRY(rwa_network_with_faults(&failed, net, faults, err));
    struct schedule_map map = {.net = failed, .coll = rwa_schedule_collective(sched), .node = network_canonical_nodes(net),
                               .participant = task->participant};
    TRY(map_schedule(&mapped, plan->schedule, &map, err));
    rwa_schedule_free(plan->schedule);
    plan->schedule = mapped;
    plan->summary.scheme = rwa_schedule_scheme(mapped);
    TRY(plan_check_mapped(plan, failed, o, err));
done:
    rwa_network_free(failed);
    return st;
}

static rwa_status repair_canonically(rwa_plan **out, const rwa_schedule *sched, const uint32_t *links, size_t link_count,
                                     uint32_t at_step, const rwa_plan_options *o, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    struct canonical_task task = {.net = NULL};
    rwa_schedule *there = NULL;
    uint32_t *links_there = NULL;
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    rwa_faults faults = network_faults(net);
    faults.links = links;
    faults.link_count = link_count;
    faults.links_from = at_step;
    TRY(canonical_open(&task, net, rwa_schedule_collective(sched), NULL, err));
    struct schedule_map map = {.net = task.net, .coll = &task.coll, .node = network_canonical_places(net),
                               .participant = network_canonical_places(net)};
    TRY(map_schedule(&there, sched, &map, err));
    TRY(map_links(&links_there, net, links, link_count, err));
    TRY(repair_here(&plan, there, links_there, link_count, at_step, o, err));
    plan->summary.scheme = rwa_schedule_scheme(sched);
    if (plan->schedule)
        TRY(map_back(plan, sched, &faults, &task, o, err));
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    rwa_schedule_free(there);
    free(links_there);
    canonical_close(&task);
    return st;
}

/** In place of the repair the collective once more from the failure on, if that takes less; without it when time is over. */
static rwa_status or_restart(rwa_plan **out, const rwa_schedule *sched, const uint32_t *links, size_t link_count, uint32_t at_step,
                             const rwa_plan_options *o, const struct deadline *deadline, rwa_error *err)
{
    struct repair r = {.sched = sched, .plan = {.at_step = at_step}, .err = err};
    rwa_error why = {.status = RWA_OK};
    rwa_plan *again = NULL;
    MUST(fail_links(&r, links, link_count));
    rwa_status st = plan_restart(&again, sched, r.net, at_step, o, &why);
    plan_keep_one(out, again, again && (!(*out)->schedule || again->summary.time_s < (*out)->summary.time_s * (1 - ROUNDING)));
    rwa_network_free(r.net);
    return st == RWA_OK || ((*out)->schedule && deadline_ended(deadline, st)) ? RWA_OK : base_fail(err, st, "%s", why.text);
}

/** On rings and lines the reason is the gap that the failed links leave; without a gap it stays as it is. */
static rwa_status name_gap(rwa_plan *plan, const rwa_schedule *sched, const uint32_t *links, size_t link_count, uint32_t at_step,
                           rwa_error *err)
{
    const rwa_collective *coll = rwa_schedule_collective(sched);
    struct repair r = {.sched = sched, .plan = {.at_step = at_step}, .err = err};
    struct canonical_task task = {.net = NULL};
    rwa_status st = RWA_OK;
    TRY(fail_links(&r, links, link_count));
    if (!canonical_applies(r.net, coll))
        goto done;
    TRY(canonical_open(&task, r.net, coll, rwa_schedule_members(sched), err));
    TRY(residuals_explain(plan->summary.why, task.net, &task.coll, task.members, 0, network_canonical_nodes(r.net), err));
done:
    canonical_close(&task);
    rwa_network_free(r.net);
    return st;
}

/** The checker rejected the result: a schedule that is wrong itself is to blame. */
static rwa_status blame_schedule(const rwa_schedule *sched, rwa_error *err)
{
    rwa_check_report report;
    MUST(check_schedule(&report, sched, NULL, err));
    if (report.ok)
        return RWA_BACKEND;
    base_begin(err);
    return base_fail(err, RWA_BADARG, "the schedule to repair is wrong: %s", report.first[0].text);
}

rwa_status rwa_plan_repair(rwa_plan **out, const rwa_schedule *sched, const uint32_t *links, size_t link_count,
                           uint32_t at_step, const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, sched, !link_count || links);
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_plan_options o;
    struct deadline deadline = {.limit_s = 0};
    double begin = base_now_s();
    rwa_status st = RWA_OK;
    rwa_plan_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "plan options", err));
    deadline_begin(&deadline, &o);
    TRY(options_refuse_but(0, "a repair", &o, err));
    TRY(check_request(sched, at_step, err));
    bool canonical = !keeps_transfers(sched) && network_canonical(net) != net && canonical_applies(net, rwa_schedule_collective(sched));
    st = (canonical ? repair_canonically : repair_here)(out, sched, links, link_count, at_step, &o, err);
    TRY(st == RWA_BACKEND ? blame_schedule(sched, err) : st);
    if (!deadline_passed(&deadline))
        st = or_restart(out, sched, links, link_count, at_step, &o, &deadline, err);
    if (st == RWA_OK && !(*out)->schedule)
        st = name_gap(*out, sched, links, link_count, at_step, err);
    if (st != RWA_OK) {
        rwa_plan_free(*out);
        *out = NULL;
        goto done;
    }
    (*out)->summary.plan_s = base_now_s() - begin - (*out)->summary.check_s;
done:
    return deadline_explain(&deadline, st, err);
}
