/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules from steps that the caller has planned.  Each step is an exchange, which gets routes and wavelengths, and
 * is split into several steps if the channels do not suffice. */
#include "plan/transfers.h"

#include "plan/pack/pack.h"
#include "plan/plan.h"
#include "schedule/schedule.h"

/** The transfers of the current step that the caller gave. */
struct given {
    rwa_schedule *sched;
    const rwa_network *net;
    rwa_transfer *list;         /* sorted within each step */
    size_t count;
    bool single;                /* each block has a lightpath of its own */
    struct exchange step;
    uint8_t *op;                /* of each transfer of the step */
    rwa_error *err;
};

static rwa_status check_network(const rwa_network *net, rwa_error *err)
{
    if (network_is_one_hop(net))
        return base_refuse(err, "given steps: a %s has no routes to choose, expected a network with links",
                           rwa_topology_name(rwa_network_topology(net)));
    if (network_has_reserved(net) || network_has_failed_links(net))
        return base_refuse(err, "given steps: expected a network without reserved channels or failed links");
    return RWA_OK;
}

static rwa_status check_transfers(const rwa_transfer *list, size_t count, const rwa_collective *coll, uint32_t nodes,
                                  rwa_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const rwa_transfer *t = &list[i];
        uint32_t before = i ? list[i - 1].step : 1;
        if (t->step < before || t->step == 0)
            return base_refuse(err, "transfer %zu: step %u after step %u, expected steps from 1 that do not go down", i,
                               t->step, before);
        if (t->src >= nodes || t->dst >= nodes || t->src == t->dst)
            return base_refuse(err, "transfer %zu: from node %u to node %u, expected two different nodes from 0 to %u",
                               i, t->src, t->dst, nodes - 1);
        if (t->block >= coll->blocks)
            return base_refuse(err, "transfer %zu: block %llu, expected fewer than %llu", i,
                               (unsigned long long)t->block, (unsigned long long)coll->blocks);
    }
    return RWA_OK;
}

COMPARATOR(by_ends, rwa_transfer, UP(step) UP(src) UP(dst) UP(op) UP(block))
COMPARATOR(by_arrival, rwa_transfer, UP(dst) UP(block))

/** Set *change to true if some node sends a block that the same step changes at this node.  Such a step must not be
 * split: one part would change what another one reads. */
static rwa_status reads_change(bool *change, const struct given *g, const rwa_transfer *list, size_t count)
{
    rwa_transfer *arrival;
    MUST(base_new(arrival, count, g->err));
    memcpy(arrival, list, count * sizeof *arrival);
    qsort(arrival, count, sizeof *arrival, by_arrival);
    for (size_t i = 0; i < count && !*change; i++) {
        rwa_transfer sought = {.dst = list[i].src, .block = list[i].block};
        *change = bsearch(&sought, arrival, count, sizeof *arrival, by_arrival) != NULL;
    }
    free(arrival);
    return RWA_OK;
}

/** Turn the transfers of a step into the exchange g->step: the blocks that go from one node to another by the same
 * operation become one transfer. */
static rwa_status fill_step(struct given *g, const rwa_transfer *list, size_t count)
{
    struct exchange *e = &g->step;
    exchange_clear(e);
    e->one_block = g->single;
    e->ops = g->op;
    e->at_once = false;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && list[end].src == list[i].src && list[end].dst == list[i].dst && list[end].op == list[i].op;)
            end++;
        MUST(exchange_add(e, list[i].src, list[i].dst, end - i, g->err));
        g->op[e->count - 1] = (uint8_t)list[i].op;
        for (size_t k = i; k < end; k++)
            MUST(exchange_run(e, (rwa_run){(uint32_t)list[k].block, 1, 1}, g->err));
    }
    return rwa_collective_is_reduction(rwa_schedule_collective(g->sched)->kind)
               ? reads_change(&e->at_once, g, list, count)
               : RWA_OK;
}

static rwa_status add_steps(struct given *g, const struct plan_request *request, struct budget *budget)
{
    struct distances distances = {.net = NULL};
    struct coloured figures = {.solver = NULL};
    rwa_status st = RWA_OK;
    TRY(distances_open(&distances, g->net, g->err));
    for (size_t i = 0, end; i < g->count; i = end) {
        uint32_t step = g->list[i].step;
        for (end = i + 1; end < g->count && g->list[end].step == step;)
            end++;
        if (base_must_stop(budget, "planning", (double)i / (double)g->count))
            TRY(base_fail(g->err, RWA_CANCELLED, "planning was stopped at step %u", step));
        TRY(fill_step(g, g->list + i, end - i));
        TRY(pack_exchange(g->sched, &figures, &g->step, &distances, request, g->err));
        if (request->why[0] != '\0')
            TRY(base_refuse(g->err, "step %u: %s; more wavelengths would help", step, request->why));
    }
done:
    distances_free(&distances);
    return st;
}

rwa_status plan_messages(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll, const char *scheme,
                         const rwa_transfer *list, size_t count, bool single, const rwa_plan_options *opts,
                         rwa_error *err)
{
    char why[RWA_ERROR_TEXT] = "";
    rwa_plan_options o;
    struct plan_request request = {.net = net, .coll = coll, .opts = &o, .why = why};
    struct given g = {.net = net, .count = count, .single = single, .err = err};
    struct deadline deadline = {.limit_s = 0};
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_plan_options, &o, opts, err));
    TRY(options_refuse_but(READS_SOLVER, "transfers that are given", &o, err));
    deadline_begin(&deadline, &o);
    struct budget budget = base_budget(0, o.poll, o.poll_data);
    TRY(check_network(net, err));
    TRY(check_transfers(list, count, coll, rwa_network_nodes(net), err));
    TRY(rwa_cost_floor(&request.price, rwa_network_rate_bps(net), &o.cost, err));
    request.price.step_s = fmax(o.cost.reconfig_s, o.cost.alpha_s); /* new lightpaths are set up in each step */
    TRY(rwa_schedule_create(&g.sched, net, coll, scheme, err));
    TRY(base_new(g.list, count, err));
    TRY(base_new(g.op, count, err));
    for (size_t i = 0; i < count; i++)
        g.list[i] = list[i];
    base_sort(g.list, count, by_ends);
    TRY(add_steps(&g, &request, &budget));
    *out = g.sched;
    g.sched = NULL;
done:
    rwa_schedule_free(g.sched);
    exchange_free(&g.step);
    free_all(g.list, g.op);
    return deadline_explain(&deadline, st, err);
}

rwa_status rwa_plan_transfers(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll,
                              const char *scheme, const rwa_transfer *list, size_t count, const rwa_plan_options *opts,
                              rwa_error *err)
{
    BEGIN_NEW(out, err, net, coll, !count || list);
    return plan_messages(out, net, coll, scheme, list, count, true, opts, err);
}
