/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finish a collective that copies blocks from what every node holds: a nearest-holder greedy over the links that are
 *  left. */
#include "plan/reroute.h"

#include "collective/needs.h"
#include "delivery/delivery_search.h"
#include "network/network.h"
#include "plan/plan.h"
#include "schedule/schedule.h"

/** Randomised plans, of which the shortest is kept: one for each number of far steps of the greedy. */
enum { TRIES = 4 };

struct resume {
    const rwa_schedule *sched;
    const rwa_collective *coll;
    uint32_t *rank;             /* of each node that takes part */
    uint8_t *held;              /* [block][participant] */
};

static rwa_status open_ranks(struct resume *r, rwa_error *err)
{
    const uint32_t *members = rwa_schedule_members(r->sched);
    MUST(base_new(r->rank, rwa_network_nodes(rwa_schedule_network(r->sched)), err));
    for (uint32_t v = 0; v < r->coll->nodes; v++)
        r->rank[base_mapped(members, v)] = v;
    return RWA_OK;
}

static void receive(struct resume *r, const struct walk *w, uint32_t node)
{
    for (struct carried c = {0}; walk_next_block(&c, w);)
        r->held[c.block * r->coll->nodes + r->rank[node]] = 1;
}

/** Set r->held to the blocks that every participant holds when step `at_step` begins. */
static rwa_status find_holdings(struct resume *r, uint32_t at_step, rwa_error *err)
{
    MUST(base_fits_memory((double)r->coll->blocks * r->coll->nodes, "the holders of all blocks", err));
    MUST(base_new(r->held, (size_t)r->coll->blocks * r->coll->nodes, err));
    for (uint64_t b = 0; b < r->coll->blocks; b++)
        r->held[b * r->coll->nodes + collective_source(r->coll, b)] = 1;
    for (uint32_t step = 1; step < at_step; step++)
        for (struct walk w = walk_step(r->sched, step); walk_next(&w);) {
            receive(r, &w, w.lp.dst);
            for (uint32_t k = 0; k < w.lists.tap_count; k++)
                receive(r, &w, walk_node(&w, w.lists.taps[k]));
        }
    return RWA_OK;
}

static rwa_status add_deliveries(rwa_schedule *to, const struct deliveries *d, rwa_error *err)
{
    uint32_t before = rwa_schedule_steps(to);
    uint32_t wavelengths = rwa_network_wavelengths(rwa_schedule_network(to));
    bool arcs = network_has_arcs(rwa_schedule_network(to));
    for (size_t i = 0; i < d->count; i++) {
        rwa_lightpath lp = d->list[i];
        rwa_lists lists = {0};
        lp.step += before;
        lp.fiber = lp.wavelength / wavelengths;     /* a delivery counts channels */
        lp.wavelength %= wavelengths;
        if (!arcs) {
            lists.path = d->path + d->path_first[i];
            lists.path_nodes = (uint32_t)(d->path_first[i + 1] - d->path_first[i]);
        }
        MUST(rwa_schedule_add_lists(to, &lp, &lists, err));
    }
    return RWA_OK;
}

/** Set *most to the fewest further steps with which the schedule cannot end before best_s seconds, even if in each step
 * lightpaths carry one block.  Further steps begin with step `at_step`.  *most is 0 if there is no limit. */
static rwa_status steps_too_many(uint32_t *most, const struct resume *r, uint32_t at_step, double best_s,
                                 const rwa_plan_options *o, rwa_error *err)
{
    rwa_cost_prices price;
    double *end_s = NULL;
    rwa_status st = RWA_OK;
    *most = 0;
    if (!(best_s > 0))
        return RWA_OK;
    TRY(rwa_cost_floor(&price, rwa_network_rate_bps(rwa_schedule_network(r->sched)), &o->cost, err));
    TRY(base_new(end_s, rwa_schedule_steps(r->sched) + 1, err));
    end_s[0] = price.once_s;
    TRY(rwa_cost_step_times(NULL, NULL, end_s + 1, r->sched, 0, &o->cost, err));
    double steps = ceil((best_s - end_s[at_step - 1]) / (price.step_s + price.byte_s * (double)r->coll->block_bytes));
    *most = steps < UINT32_MAX ? (uint32_t)fmax(steps, 1) : 0;
done:
    free(end_s);
    return st;
}

rwa_status resume_schedule(rwa_schedule **out, const rwa_schedule *sched, const rwa_network *net, uint32_t at_step,
                           double best_s, const rwa_plan_options *o, rwa_error *err)
{
    struct resume r = {.sched = sched, .coll = rwa_schedule_collective(sched)};
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    struct delivery_request ask = {.net = net, .coll = r.coll, .members = o->members, .max_hops = o->max_hops,
                                   .seed = o->seed, .tries = TRIES, .effort = UINT64_MAX, .budget = &budget};
    struct delivery_found found = {.cut_off = false};
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(steps_too_many(&ask.below, &r, at_step, best_s, o, err));
    TRY(open_ranks(&r, err));
    TRY(find_holdings(&r, at_step, err));
    TRY(nearest_holder_rest(&found, &ask, r.held, err));
    if (found.plan.steps == 0)
        goto done;
    TRY(rwa_schedule_create_among(out, net, r.coll, o->members, "nearest", err));
    TRY(schedule_append_steps(*out, sched, at_step - 1, true, err));
    TRY(add_deliveries(*out, &found.plan, err));
done:
    deliveries_free(&found.plan);
    free_all(r.rank, r.held);
    return schedule_keep(out, st);
}
