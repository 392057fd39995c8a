/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole orbits are judged at one node; the verdict must be that on the same lightpaths written out one by one. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <string.h>

static rwa_plan *plan_of(uint32_t nodes, uint32_t wavelengths, const char *scheme)
{
    rwa_network *net = NULL;
    rwa_network_options nopts;
    rwa_plan_options opts;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_network_options_init(&nopts);
    rwa_plan_options_init(&opts);
    nopts.wavelengths = wavelengths;
    opts.scheme = scheme;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, nodes, &nopts, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, nodes, 0, nodes * 64, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_OK);
    rwa_network_free(net);
    return plan;
}

/* One thing about one record changes; whatever the format forbids is left as it was. */
static void spoil(rwa_lightpath *lp, const rwa_schedule *sched, uint64_t *random)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net);
    switch (base_random_below(random, 6)) {
    case 0: lp->dst = (lp->dst + 1) % nodes; break;
    case 1: lp->block = base_random_below(random, rwa_schedule_collective(sched)->blocks); break;
    case 2: lp->wavelength = (uint32_t)base_random_below(random, rwa_network_channels(net)); break;
    case 3: lp->direction = lp->direction == RWA_CW ? RWA_CCW : RWA_CW; break;
    case 4: lp->orbit = 1 + (uint32_t)base_random_below(random, nodes); break;
    default:
        lp->period = rwa_network_channels(net);
    }
}

/* The schedule with record `victim` spoilt, or left out. */
static rwa_schedule *spoilt(const rwa_schedule *sched, uint64_t victim, uint64_t *random)
{
    rwa_schedule *out = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&out, rwa_schedule_network(sched), rwa_schedule_collective(sched), "spoilt", NULL),
                          RWA_OK);
    bool dropped = base_random_below(random, 5) == 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath was, lp;
        rwa_schedule_get(&was, sched, i);
        lp = was;
        if (i == victim && dropped)
            continue;
        if (i == victim)
            spoil(&lp, sched, random);
        if (rwa_schedule_add(out, &lp, NULL) != RWA_OK)
            CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(out, &was, NULL), RWA_OK);
    }
    return out;
}

static int same_verdict(const rwa_schedule *sched)
{
    rwa_schedule *expanded = NULL;
    rwa_check_report folded, plain;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&expanded, sched, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(report_schedule(&folded, sched, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(report_schedule(&plain, expanded, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL(folded.ok, plain.ok);
    CU_ASSERT_EQUAL(folded.violations, plain.violations);
    CU_ASSERT_EQUAL(memcmp(folded.by_kind, plain.by_kind, sizeof plain.by_kind), 0);
    CU_ASSERT_EQUAL(folded.lightpaths, plain.lightpaths);
    CU_ASSERT_EQUAL(folded.longest_hops, plain.longest_hops);
    CU_ASSERT_EQUAL(folded.wavelengths_used, plain.wavelengths_used);
    for (uint32_t i = 0; i < plain.named; i++)
        CU_ASSERT_STRING_EQUAL(folded.first[i].text, plain.first[i].text);
    rwa_schedule_free(expanded);
    return plain.ok;
}

static void orbits_are_judged_as_their_lightpaths(void)
{
    static const struct { uint32_t nodes, wavelengths; const char *scheme; } cases[] = {
        {24, 4, "wavefront"}, {32, 8, "wavefront"}, {30, 5, "wavefront"}, {25, 4, "wavefront"}, {12, 3, "ring-striped"},
        {10, 4, "ring-striped"}, {9, 2, "ring-both"}};
    uint64_t random = 11;
    size_t good = 0, bad = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rwa_plan *plan = plan_of(cases[c].nodes, cases[c].wavelengths, cases[c].scheme);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        CU_ASSERT(same_verdict(sched));
        for (int i = 0; i < 120; i++) {
            rwa_schedule *changed = spoilt(sched, base_random_below(&random, rwa_schedule_records(sched)), &random);
            *(same_verdict(changed) ? &good : &bad) += 1;
            rwa_schedule_free(changed);
        }
        rwa_plan_free(plan);
    }
    CU_ASSERT(bad > 400 && good > 5); /* both verdicts were really tried */
}

/* N (N - 1) blocks in 64 stripes each: thousands of millions of lightpaths, of which one node's are looked at. */
static void large_rings_take_little(void)
{
    rwa_plan *plan = plan_of(4096, 64, "ring-striped");
    rwa_check_report check;
    CU_ASSERT_EQUAL_FATAL(report_schedule(&check, rwa_plan_schedule(plan), NULL, NULL), RWA_OK);
    CU_ASSERT(check.ok);
    CU_ASSERT_EQUAL(check.lightpaths, (uint64_t)4096 * 4095 * 64);
    CU_ASSERT_EQUAL(check.wavelengths_used, 64);
    rwa_plan_free(plan);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(orbits_are_judged_as_their_lightpaths), TEST(large_rings_take_little), {0}};
    return run_tests("turns", tests);
}
