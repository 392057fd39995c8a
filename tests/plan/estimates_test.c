/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Estimates of steps: exact ones are those of the plan, and no plan has fewer than the least. */
#include "rwa.h"

#include "collective/needs.h"
#include "plan/plan.h"

#include "tests/support/suite.h"

static const char *const networks[] = {"ring:5", "ring:12", "ring:33", "ring:64", "line:7", "line:20", "torus:4x6", "torus:8x8",
                                       "mesh:3x5", "mesh:8x4"};

/* Plans of one scheme in all its sets of parameters: which of them is built is left to the planner. */
static void compare_steps(const struct scheme *scheme, const rwa_network *net, rwa_collective_kind kind, unsigned *known)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    struct estimate e = {.steps = 0};
    rwa_plan_options_init(&o);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, 4096, 0, NULL), RWA_OK);
    struct plan_request request = {.net = net, .coll = &coll, .opts = &o};
    CU_ASSERT_EQUAL_FATAL(scheme->estimate(&e, &request, NULL), RWA_OK);
    if (e.steps == 0 && e.least_steps == 0)
        return;
    o.scheme = scheme->name;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    uint32_t steps = rwa_plan_summary(plan)->steps;
    if (rwa_plan_schedule(plan)) {
        ++*known;
        CU_ASSERT(steps >= e.least_steps);
        CU_ASSERT(e.steps == 0 || steps == e.steps);
        if (steps < e.least_steps || (e.steps > 0 && steps != e.steps))
            fprintf(stderr, "%s: %u steps, estimate %llu, at least %llu\n", scheme->name, steps, (unsigned long long)e.steps,
                    (unsigned long long)e.least_steps);
    }
    rwa_plan_free(plan);
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
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (uint32_t w = 1; w <= 9; w += 2) {
            rwa_network *net = NULL;
            rwa_network_options o;
            rwa_network_options_init(&o);
            o.wavelengths = w;
            CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, networks[i], &o, NULL), RWA_OK);
            compare_on(net, &known);
            rwa_network_free(net);
        }
    CU_ASSERT(known > 150);
    printf(" %u plans ", known);
}

int main(void)
{
    static const struct test tests[] = {TEST(estimates_bound_the_steps_of_plans), {0}};
    return run_tests("estimates", tests);
}
