/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plans and checks real schedules for the papers' settings, once each. */
#include "paper/paper.h"

#include "collective/needs.h"

/** Return the setting `s` as a schedule is planned for it: without a variant that only selects a form of the paper's
 *  formula.  OpTree gets the number of stages that is best for the schedule, unless the setting gives the depth. */
static struct setting as_planned(const struct setting *s)
{
    struct setting planned = *s;
    bool tree = strcmp(s->scheme, "optree") == 0,
         read = strcmp(s->variant, "tree") == 0 || strcmp(s->variant, "all-to-all") == 0;
    planned.parameter = tree && strcmp(s->variant, "depth") != 0 ? 0 : s->parameter;
    planned.variant = read || s->star || (*s->variant >= '0' && *s->variant <= '9') ? s->variant : "";
    return planned;
}

static bool same(const struct setting *a, const struct setting *b)
{
    return strcmp(a->scheme, b->scheme) == 0 && strcmp(a->variant, b->variant) == 0 && a->collective == b->collective &&
           a->nodes == b->nodes && a->wavelengths == b->wavelengths && a->parameter == b->parameter &&
           a->ports == b->ports && a->tuning == b->tuning && a->star == b->star;
}

/** Plan a schedule for a setting and a message of `bytes` bytes.  *found stays NULL after a failure. */
static rwa_status make(rwa_plan **found, struct reproduction *r, const struct setting *s, uint64_t bytes)
{
    struct question q = {0};
    rwa_status st = RWA_OK;
    TRY(paper_ask(&q, r, s, bytes));
    TRY(rwa_plan_make(found, q.net, &q.coll, &q.opts, r->err));
done:
    rwa_network_free(q.net);
    return st;
}

/** Return the number of blocks of a node's message (in a reduction, of the vector), divided by the most blocks that one
 *  lightpath carries. */
static double parts_of(const rwa_schedule *sched)
{
    const rwa_collective *coll = rwa_schedule_collective(sched);
    bool whole = collective_message_is_whole(coll->kind);
    return (double)coll->blocks / (whole ? 1 : coll->nodes) / rwa_schedule_lightpath_blocks(sched);
}

static rwa_status plan(struct known_schedule *k, struct reproduction *r)
{
    bool whole = k->asked.collective == RWA_ALL_REDUCE || k->asked.star;
    rwa_plan *found = NULL;
    MUST(make(&found, r, &k->asked, (uint64_t)PROBE_BYTES * (whole ? 1 : k->asked.nodes)));
    const rwa_schedule *sched = rwa_plan_schedule(found);
    if (sched) {
        k->steps = rwa_schedule_steps(sched);
        k->tunings = (double)rwa_plan_summary(found)->check->tunings;
        k->parts = parts_of(sched);
    }
    rwa_plan_free(found);
    return RWA_OK;
}

rwa_status paper_quickest(struct quickest *out, struct reproduction *r, const struct setting *s, double bytes)
{
    rwa_plan *found = NULL;
    MUST(make(&found, r, s, (uint64_t)bytes));
    const rwa_plan_report *sum = rwa_plan_summary(found);
    if (rwa_plan_schedule(found))
        *out = (struct quickest){sum->time_s, sum->scheme, sum->stripes};
    rwa_plan_free(found);
    return RWA_OK;
}

rwa_status paper_schedule(struct known_schedule *out, struct reproduction *r, const struct setting *s)
{
    *out = (struct known_schedule){as_planned(s), NAN, NAN, NAN};
    if (!r->opts->schedules)
        return RWA_OK;
    for (size_t i = 0; i < r->known_count; i++)
        if (same(&r->known[i].asked, &out->asked)) {
            *out = r->known[i];
            return RWA_OK;
        }
    MUST(plan(out, r));
    return base_append(r->known, r->known_count, r->err, *out);
}
