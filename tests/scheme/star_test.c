/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Collectives on a passive star: the paper's costs, counted by the judge, and any number of nodes. */
#include "tests/support/request.h"
#include "tests/support/suite.h"

enum { TUNING = 7 };

/** Of TCP on a star where retuning takes TUNING steps, with wavelengths enough for all transmissions. */
static const rwa_plan_report *cost_of(uint32_t nodes, uint32_t ports, const char *what)
{
    const rwa_plan_report *s =
        report_on("star:%u ports=%u tuning=%d w=%u bytes=1048576 %s by tcp", nodes, ports, TUNING, nodes * ports, what);
    CU_ASSERT_EQUAL(s->check->tuning_cost, s->check->tunings * TUNING);
    return s;
}

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Desprez, Ferreira, Tourancheau, Section 3, at P = 64, k = 3, so h = 3: scatter and gather (P-1)/k = 21 and P-1
   tunings, all-to-all (P-1)/k and hPk = 576, personalised h P/(k+1) = 48 and hPk; broadcast of m = 128 messages with h'
   split steps (2/k ((k+1)^h' - 1) + h - h') m/(k+1)^h' and P-1 + h'Pk.  The lower bounds are those of Table 1: m/k,
   else (P-1)/k. */
static void the_papers_costs_are_counted(void)
{
    static const struct {
        const char *what;
        uint64_t steps, tunings, bound;
    } cases[] = {{"scatter", 21, 63, 21},
                 {"gather", 21, 63, 21},
                 {"all-gather", 21, 576, 21},
                 {"all-to-all", 48, 576, 21},
                 {"broadcast splits=0 blocks=128", 3 * 128, 63, 43},
                 {"broadcast splits=1 blocks=128", (2 + 2) * 128 / 4, 63 + 192, 43},
                 {"broadcast splits=2 blocks=128", (10 + 1) * 128 / 16, 63 + 384, 43},
                 {"broadcast splits=3 blocks=128", 42 * 128 / 64, 63 + 576, 43},
                 {"all-gather blocks=320", 5 * 21, 576, 105},
                 {"scatter blocks=128", 42, 63, 42}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const rwa_plan_report *c = cost_of(64, 3, cases[i].what);
        CU_ASSERT(c->steps == cases[i].steps && c->formula.steps == cases[i].steps);
        CU_ASSERT(c->check->tunings == cases[i].tunings && c->formula.tunings == cases[i].tunings);
        CU_ASSERT_EQUAL(c->bound.value, cases[i].bound);
    }
}

static uint64_t total_of(const rwa_plan_report *s)
{
    return s->steps + TUNING * s->check->tunings;
}

/* h' with the least total: against all h' one by one, the judge's counts. */
static void the_best_split_is_the_best(void)
{
    char what[64];
    for (uint32_t m = 16; m <= 4096; m *= 4) {
        snprintf(what, sizeof what, "broadcast blocks=%u", m);
        uint64_t best = total_of(cost_of(64, 3, what));
        for (uint32_t splits = 0; splits <= 3; splits++) {
            snprintf(what, sizeof what, "broadcast blocks=%u splits=%u", m, splits);
            CU_ASSERT(best <= total_of(cost_of(64, 3, what)));
        }
    }
}

static void expect_within_formula(const rwa_plan_report *c, bool in_steps)
{
    CU_ASSERT(c->check->tunings <= c->formula.tunings && (!in_steps || c->steps <= c->formula.steps));
}

/** Never more than the paper says for the next power of k + 1; all-gather reaches ceil((P-1)/k) for any P. */
static void judge_size(uint32_t n, uint32_t k, bool all)
{
    static const char *const rooted[] = {"scatter", "gather"};
    char what[64];
    uint64_t classes = 1;
    for (size_t i = 0; i < 2; i++) {
        snprintf(what, sizeof what, "root=%u %s", n / 3, rooted[i]);
        const rwa_plan_report *c = cost_of(n, k, what);
        CU_ASSERT(c->steps <= c->formula.steps && c->check->tunings == n - 1);
    }
    const rwa_plan_report *gather = cost_of(n, k, "all-gather");
    CU_ASSERT_EQUAL(gather->steps, ceil_div(n - 1, k < n ? k : n - 1));
    expect_within_formula(gather, false);
    for (uint32_t splits = 0; splits == 0 || classes < n; splits++) {
        classes *= splits ? k + 1 : 1; /* parts of two blocks; more parts than nodes: then one part a node */
        snprintf(what, sizeof what, "root=%u broadcast splits=%u blocks=%u", n / 3, splits, (unsigned)classes * 2);
        expect_within_formula(cost_of(n, k, what), classes <= n);
    }
    if (all)
        expect_within_formula(cost_of(n, k, "all-to-all"), true);
}

static void any_number_of_nodes_costs_no_more_than_the_next_power(void)
{
    const char *full = getenv("RWA_TEST_FULL"); /* every P up to 200 */
    for (uint32_t n = 2; n <= 200; n += full ? 1 : 1 + n / 9)
        for (uint32_t k = 1; k <= 7; k++)
            judge_size(n, k, full || n <= 70);
    judge_size(200, 3, true);
}

/* With fewer channels than transmissions they take turns.  The same patterns are matchings of switches, where no
   formula is known. */
static void few_channels_and_switches_carry_the_patterns_too(void)
{
    static const char *const kinds[] = {"all-gather", "all-to-all", "root=1 broadcast blocks=30", "root=1 scatter",
                                        "root=1 gather"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        for (uint32_t w = 1; w <= 16; w *= 2)
            plan_on("star:20 ports=3 tuning=7 w=%u bytes=1048576 %s by tcp", w, kinds[i]);
        for (uint32_t n = 2; n <= 60; n += 1 + n / 8)
            for (uint32_t q = 1; q <= 6; q++)
                CU_ASSERT_FALSE(report_on("ocs:%ux%u w=%u ports=%u bytes=65536 %s by tcp", n, q, 1 + n % 3, q % 4,
                                          kinds[i])->formula.known);
    }
}

static void a_split_that_does_not_fit_is_a_bad_argument(void)
{
    expect_part(refusal_on("star:64 ports=3 broadcast bytes=64 blocks=64 splits=4 by tcp"), "BADARG");
    expect_part(refusal_on("star:64 ports=3 scatter bytes=64 splits=1 by tcp"), "BADARG");
}

TESTS("star", the_papers_costs_are_counted, the_best_split_is_the_best,
      any_number_of_nodes_costs_no_more_than_the_next_power, few_channels_and_switches_carry_the_patterns_too,
      a_split_that_does_not_fit_is_a_bad_argument)
