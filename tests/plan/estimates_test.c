/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Estimates of steps: exact ones are those of the plan, and no plan has fewer than the least. */
#include "collective/needs.h"
#include "plan/candidate.h"

#include "tests/support/request.h"

static const char *const networks[] = {"ring:5",  "ring:12",   "ring:33",   "ring:64",  "line:7",
                                       "line:20", "torus:4x6", "torus:8x8", "mesh:3x5", "mesh:8x4"};

/* Plans of one scheme in all its sets of parameters: which of them is built is left to the planner. */
static void compare_steps(const struct scheme *scheme, const rwa_network *net, rwa_collective_kind kind,
                          unsigned *known)
{
    struct request r = on_network(net, request_of("net %s by %s", rwa_collective_name(kind), scheme->name));
    rwa_collective coll = request_collective(&r, net);
    rwa_plan *plan = NULL;
    struct estimate e = {.steps = 0};
    struct plan_request request = {.net = net, .scheme = scheme, .coll = &coll, .opts = &r.options};
    OK(scheme->estimate(&e, &request, NULL));
    if (e.steps == 0 && e.least_steps == 0)
        return;
    OK(request_plan(&plan, &r, NULL));
    uint32_t steps = rwa_plan_summary(plan)->steps;
    if (rwa_plan_schedule(plan)) {
        ++*known;
        CU_ASSERT(steps >= e.least_steps);
        CU_ASSERT(e.steps == 0 || steps == e.steps);
        if (steps < e.least_steps || (e.steps > 0 && steps != e.steps))
            fprintf(stderr, "%s: %u steps, estimate %llu, at least %llu\n", scheme->name, steps,
                    (unsigned long long)e.steps, (unsigned long long)e.least_steps);
    }
}

static void compare_on(const rwa_network *net, unsigned *known)
{
    for (size_t i = 0; i < scheme_count; i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            if (schemes[i]->estimate && !scheme_has(schemes[i], SEARCHES) && (schemes[i]->collectives >> kind & 1) &&
                (schemes[i]->needs & network_capabilities(net)))
                compare_steps(schemes[i], net, kind, known);
}

static void estimates_bound_the_steps_of_plans(void)
{
    unsigned known = 0;
    for (size_t i = 0; i < COUNT(networks); i++)
        for (uint32_t w = 1; w <= 9; w += 2)
            compare_on(network_on("%s w=%u", networks[i], w), &known);
    CU_ASSERT(known > 150);
    printf(" %u plans ", known);
}

/** Of lightpaths that all fit together the estimate says the time of the schedule. */
static void compare_times(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                          rwa_cost_model model, unsigned *known)
{
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    struct residuals residuals = {.real = net, .coll = coll};
    char why[RWA_ERROR_TEXT] = "";
    rwa_plan_options_init(&o);
    o.cost.model = model;
    o.cost.alpha_s = 1e-6;
    OK(residuals_open(&residuals, 0, why, NULL));
    struct candidate *k = base_array(1, sizeof *k, NULL);
    *k = (struct candidate){.scheme = scheme, .task = {.net = net, .coll = coll, .opts = &o}, .residuals = &residuals,
                            .residual = residuals.list, .opts = o};
    if (candidate_rate(k, NULL) == RWA_OK && k->rating.time_s > 0) {
        OK(candidate_build(&plan, k, NULL));
        double time_s = rwa_plan_summary(plan)->time_s, most = fabs(time_s - k->rating.time_s) / k->rating.time_s;
        ++*known;
        CU_ASSERT(most < 1e-9);
        if (most >= 1e-9)
            fprintf(stderr, "%s, %s, %llu bytes, model %d: %g s, estimate %g s\n", scheme->name,
                    rwa_collective_name(coll->kind), (unsigned long long)coll->message_bytes, (int)model, time_s,
                    k->rating.time_s);
    }
    rwa_plan_free(plan);
    candidate_free(k);
    residuals_close(&residuals);
}

static void compare_times_of(const struct scheme *scheme, const rwa_network *net, unsigned *known)
{
    rwa_collective coll;
    for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
        for (uint64_t bytes = 720720; bytes <= 7207200; bytes *= 10) {
            OK(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, bytes, 0, NULL));
            if (!scheme_fits(scheme, net, &coll, NULL))
                continue;
            compare_times(scheme, net, &coll, RWA_COST_CIRCUIT, known);
            compare_times(scheme, net, &coll, RWA_COST_OVERLAP, known);
        }
}

static void times_of_lightpaths_that_stay_are_exact(void)
{
    static const char *const specs[] = {"mesh:3x5", "tree:2x3", "nsfnet14-21", "ring:12", "torus:4x4", "hypercube:4"};
    unsigned known = 0;
    for (size_t n = 0; n < COUNT(specs); n++)
        for (uint32_t w = 1; w <= 4; w += 3) {
            rwa_network *net = network_on("%s w=%u", specs[n], w);
            for (size_t i = 0; i < scheme_count; i++)
                if (scheme_has(schemes[i], KEEPS_LIGHTPATHS))
                    compare_times_of(schemes[i], net, &known);
        }
    CU_ASSERT(known > 200);
    printf(" %u plans ", known);
}

/** Matchings in the model `circuit`: switches, ports and the receivers of stars decide which steps fit.  (With more
 *  ports two of a node may lead to the same one of a ron, which the estimate counts as two users.) */
static void times_of_matchings_are_exact(void)
{
    static const char *const specs[] = {"ocs:13x3", "ocs:24x8", "ron:12", "ron:24", "star:9"};
    unsigned known = 0;
    for (size_t n = 0; n < COUNT(specs); n++)
        for (uint32_t ports = 0; ports <= 2; ports++)
            for (size_t i = 0; i < scheme_count; i++)
                if (strcmp(schemes[i]->name, "matchings") == 0)
                    compare_times_of(schemes[i], network_on("%s w=20 ports=%u tuning=%u", specs[n], ports, ports / 2),
                                     &known);
    CU_ASSERT(known > 200);
    printf(" %u plans ", known);
}

TESTS("estimates", estimates_bound_the_steps_of_plans, times_of_lightpaths_that_stay_are_exact,
      times_of_matchings_are_exact)
