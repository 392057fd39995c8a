/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writes the topologies of the steps in the format of the Harvest planner: pairs of nodes with the number of
 *  wavelengths that join them in the step. */
#include "foreign/foreign.h"

struct end_pair {
    uint32_t src, dst;
};

struct end_pairs {
    struct end_pair *list;
    size_t count, capacity;
};

COMPARATOR(by_ends, struct end_pair, UP(src) UP(dst))

static rwa_status put_topology(struct output *out, struct export_request *r, struct end_pairs *p, uint32_t step)
{
    p->count = 0;
    MUST(export_go_on(r, step));
    for (struct walk w = walk_step(r->sched, step); walk_next(&w);)
        MUST(base_append(p->list, p->count, p->capacity, r->err, (struct end_pair){w.lp.src, w.lp.dst}));
    base_sort(p->list, p->count, by_ends);
    text_put(&out->text, "%s{\"step\":%u,\"topology\":[", step > r->from ? ",\n" : "", step);
    for (size_t i = 0, next; i < p->count; i = next) {
        for (next = i; next < p->count && by_ends(&p->list[i], &p->list[next]) == 0; next++)
            ;
        text_put(&out->text, "%s[%u,%u,%zu]", i ? "," : "", p->list[i].src, p->list[i].dst, next - i);
    }
    text_put(&out->text, "]}");
    return output_flush(out);
}

/** Count the reconfigurations of the exported steps: one before each epoch. */
static rwa_status count_reconfigurations(uint32_t *count, const struct export_request *r, const rwa_cost_options *cost)
{
    uint32_t *epoch = NULL;
    rwa_status st = RWA_OK;
    TRY(base_new(epoch, (size_t)rwa_schedule_steps(r->sched) + 1, r->err));
    TRY(rwa_cost_epochs(epoch, r->sched, cost, r->err));
    *count = epoch[r->to - 1] - epoch[r->from - 1] + 1;
done:
    free(epoch);
    return st;
}

static rwa_status put_head(struct output *out, const struct export_request *r)
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
    text_add(&out->text,
             "{\"alpha_r\":%.9g,\"collective\":\"%s\",\"cost\":%.9g,\"num_of_reconfigs\":%u,\"reconf_cost_total\":%.9g,"
             "\"n\":%u,\"steps\":[\n",
             cost->reconfig_s, rwa_collective_name(r->coll->kind), time_s, count, cost->reconfig_s * count,
             rwa_network_nodes(r->net));
    return RWA_OK;
}

static rwa_status put_harvest(struct output *out, struct export_request *r)
{
    struct end_pairs p = {0};
    rwa_status st = RWA_OK;
    MUST(put_head(out, r));
    for (uint32_t step = r->from; step <= r->to; step++)
        TRY(put_topology(out, r, &p, step));
    text_add(&out->text, "\n]}\n");
done:
    free(p.list);
    return st;
}

const struct export_format export_harvest = {"harvest", "per-step topologies as JSON: [source, destination, lanes]",
                                             put_harvest, NULL, EXPORT_SINGLE};
