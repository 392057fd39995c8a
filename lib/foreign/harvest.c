/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writes the topologies of the steps in the format of the Harvest planner: pairs of nodes with the number of
 *  wavelengths that join them in the step. */
#include "foreign/foreign.h"

/** The ends of the lightpaths of a step: src in the upper half, dst in the lower. */
struct end_pairs {
    uint64_t *list;
    size_t count;
};

static rwa_status put_topology(struct text *t, struct export_request *r, struct end_pairs *p, uint32_t step)
{
    p->count = 0;
    MUST(export_go_on(r, step));
    for (struct walk w = walk_step(r->sched, step); walk_next(&w);)
        MUST(base_append(p->list, p->count, r->err, (uint64_t)w.lp.src << 32 | w.lp.dst));
    base_sort(p->list, p->count, order_uint64);
    text_put(t, "%s{\"step\":%u,\"topology\":[", step > r->from ? ",\n" : "", step);
    for (size_t i = 0, next; i < p->count; i = next) {
        for (next = i; next < p->count && p->list[next] == p->list[i]; next++)
            ;
        text_put(t, "%s[%u,%u,%zu]", i ? "," : "", (uint32_t)(p->list[i] >> 32), (uint32_t)p->list[i], next - i);
    }
    text_put(t, "]}");
    return RWA_OK;
}

/** Set *count to the number of epochs of the exported steps; a reconfiguration begins each epoch. */
static rwa_status count_reconfigurations(uint32_t *count, struct export_request *r, const rwa_cost_options *cost)
{
    uint32_t *epoch;
    MUST(arena_arrays(&r->memory, (size_t)rwa_schedule_steps(r->sched) + 1, epoch));
    MUST(rwa_cost_epochs(epoch, r->sched, cost, r->err));
    *count = epoch[r->to - 1] - epoch[r->from - 1] + 1;
    return RWA_OK;
}

static rwa_status put_head(struct text *t, struct export_request *r)
{
    rwa_cost_options paper;
    const rwa_cost_options *cost = r->o.cost ? r->o.cost : &paper;
    double time_s = 0;
    uint32_t count = 0;
    rwa_cost_options_init(&paper);
    if (cost->model == RWA_COST_OVERLAP)
        return base_refuse(r->err,
                           "harvest: in the model overlap reconfigurations have no time of their own, expected paper "
                           "or circuit");
    MUST(rwa_cost_schedule(&time_s, r->sched, cost, r->err));
    MUST(count_reconfigurations(&count, r, cost));
    text_add(t,
             "{\"alpha_r\":%.9g,\"collective\":\"%s\",\"cost\":%.9g,\"num_of_reconfigs\":%u,\"reconf_cost_total\":%.9g,"
             "\"n\":%u,\"steps\":[\n",
             cost->reconfig_s, rwa_collective_name(r->coll->kind), time_s, count, cost->reconfig_s * count,
             rwa_network_nodes(r->net));
    return RWA_OK;
}

static rwa_status put_harvest(struct text *t, struct export_request *r)
{
    struct end_pairs p = {0};
    rwa_status st = RWA_OK;
    MUST(put_head(t, r));
    for (uint32_t step = r->from; step <= r->to; step++)
        TRY(put_topology(t, r, &p, step));
    text_add(t, "\n]}\n");
done:
    free(p.list);
    return st;
}

const struct export_format export_harvest = {"harvest", put_harvest, EXPORT_SINGLE};
