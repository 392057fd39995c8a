/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The verdict on a schedule with orbits, and that on its lightpaths written out: they must agree in all that they
 *  say. */
#pragma once

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <math.h>

/** Violations that end a step come in the order in which its runs of blocks were looked at. */
static inline int is_named(const rwa_check_report *r, const char *text)
{
    uint32_t i = 0;
    while (i < r->named && strcmp(r->first[i].text, text) != 0)
        i++;
    return i < r->named;
}

/** Also of the time in each cost model.  @return whether the schedule is right */
static inline int same_verdict(const rwa_schedule *sched)
{
    static const rwa_cost_model models[] = {RWA_COST_PAPER, RWA_COST_CIRCUIT, RWA_COST_OVERLAP};
    rwa_schedule *all = NULL;   /* not kept: callers compare hundreds */
    rwa_check_report folded, plain;
    OK(rwa_schedule_expand(&all, sched, NULL));
    for (size_t m = 0; m < 3; m++) {
        rwa_check_options o;
        rwa_cost_options cost;
        double written_s = 0, orbits_s = 0;
        rwa_check_options_init(&o);
        rwa_cost_options_init(&cost);
        cost.model = models[m];
        cost.alpha_s = 1e-6;
        o.cost = &cost;
        OK(report_schedule(&folded, sched, &o, NULL));
        OK(report_schedule(&plain, all, &o, NULL));
        OK(rwa_cost_schedule(&orbits_s, sched, &cost, NULL));
        OK(rwa_cost_schedule(&written_s, all, &cost, NULL));
        CU_ASSERT(fabs(orbits_s - written_s) <= 1e-12 * written_s);
        CU_ASSERT(!plain.ok || (fabs(folded.time_s - plain.time_s) <= 1e-12 * plain.time_s &&
                                fabs(folded.time_s - written_s) <= 1e-9 * written_s));
    }
    CU_ASSERT_EQUAL(folded.ok, plain.ok);
    CU_ASSERT_EQUAL(folded.violations, plain.violations);
    CU_ASSERT_EQUAL(memcmp(folded.by_kind, plain.by_kind, sizeof plain.by_kind), 0);
    CU_ASSERT_EQUAL(folded.lightpaths, plain.lightpaths);
    CU_ASSERT_EQUAL(folded.longest_hops, plain.longest_hops);
    CU_ASSERT_EQUAL(folded.wavelengths_used, plain.wavelengths_used);
    for (uint32_t i = 0; i < plain.named && plain.violations <= RWA_VIOLATIONS_NAMED; i++)
        CU_ASSERT(is_named(&folded, plain.first[i].text));
    rwa_schedule_free(all);
    return plain.ok;
}
