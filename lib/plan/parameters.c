/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Estimates only order a scheme's parameter sets; here all are built, and the one with fewest steps wins.  Terms are compared as
 *  plans, by their time. */
#include "plan/plan.h"

#include "plan/pack/pack.h"

/** A sink that only counts steps, of each stage by its heaviest link.  Schemes with several parameter sets push transfers alone. */
struct counter {
    struct schedule_sink sink;
    const rwa_network *net;
    struct budget budget;
    int64_t *change;            /* for route_load() */
    uint64_t steps;
};

static rwa_status count_transfers(struct schedule_sink *sink, struct transfers *stage, rwa_error *err)
{
    struct counter *n = (struct counter *)sink;
    struct coloured c = {.t = *stage};
    *stage = (struct transfers){0};
    rwa_status st = route_stage(&c, err);
    if (st == RWA_OK)
        n->steps += ceil_div(route_load(&c, rwa_network_nodes(n->net), n->change), rwa_network_channels(n->net));
    if (st == RWA_OK && base_must_stop(&n->budget, "choosing", -1))
        st = base_fail(err, RWA_CANCELLED, "planning was stopped while settings were compared");
    coloured_free(&c);
    return st;
}

static rwa_status count_steps(uint64_t *steps, const struct job *job, const struct parameters *p, int64_t *change, rwa_error *err)
{
    char why[RWA_ERROR_TEXT] = "";
    struct plan_request request = job_request(job, p, why);
    struct counter n = {.sink = {.transfers = count_transfers}, .net = request.net, .change = change,
                        .budget = base_budget(0, job->opts.poll, job->opts.poll_data)};
    rwa_status st = job->scheme->plan(&n.sink, &request, err);
    *steps = n.steps;
    return st;
}

size_t job_sets(const struct job *job)
{
    bool compared = scheme_has(job->scheme, TAKES_TERM) && job->estimate.sets > 1;
    return compared ? job->estimate.sets : 1;
}

rwa_status choose_parameters(struct parameters *best, const struct job *job, size_t set, rwa_error *err)
{
    const struct estimate *e = &job->estimate;
    uint64_t steps = 0, least = UINT64_MAX;
    int64_t *change = NULL;
    rwa_status st = RWA_OK;
    assert(set < job_sets(job));
    *best = e->set[set]; /* zero when the scheme has none */
    if (e->sets <= 1 || scheme_has(job->scheme, TAKES_TERM))
        return RWA_OK;
    TRY(base_new(change, (size_t)rwa_network_nodes(job_network(job)) * 2 + 2, err));
    for (size_t i = 0; i < e->sets; i++) {
        assert(e->set[i].radix[0] > 0 || e->set[i].group > 0);
        TRY(count_steps(&steps, job, &e->set[i], change, err));
        if (steps < least) {
            least = steps;
            *best = e->set[i];
        }
    }
done:
    free(change);
    return st;
}
