/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper/paper.h"

#include "tests/support/request.h"

KEEPER(paper)

static rwa_paper *reproduce(const char *name, const char *item, int schedules)
{
    rwa_paper_options opts;
    rwa_paper *paper = NULL;
    rwa_error err = {0};
    rwa_paper_options_init(&opts);
    opts.item = item;
    opts.schedules = schedules;
    OK(rwa_paper_make(&paper, name, &opts, &err));
    return keep_paper(paper);
}

static const rwa_paper_row *find(const rwa_paper *paper, const char *row, const char *column)
{
    for (size_t i = 0; i < rwa_paper_rows(paper); i++)
        if (strcmp(rwa_paper_get(paper, i)->row, row) == 0 && strcmp(rwa_paper_get(paper, i)->column, column) == 0)
            return rwa_paper_get(paper, i);
    CU_FAIL_FATAL("no such row");
    return NULL;
}

/* Every printed figure follows from a formula that is named, or its note says why not. */
static void every_figure_is_matched_or_explained(void)
{
    size_t matched = 0;
    for (size_t p = 0; rwa_paper_name(p); p++) {
        rwa_paper *paper = reproduce(rwa_paper_name(p), NULL, 0);
        for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
            const rwa_paper_row *r = rwa_paper_get(paper, i);
            CU_ASSERT(r->matches || r->note[0] != '\0');
            CU_ASSERT(isfinite(r->formula) && r->formula_name[0] != '\0');
            matched += (size_t)r->matches;
        }
        }
    /* all of OpTree's 55 but one; of WRHT's 12, those in steps but H-Ring; all of the star's 18 and the ron's 24 */
    CU_ASSERT_EQUAL(matched, 54 + 5 + 18 + 24);
}

/* The tables of OpTree are whole: what does not follow is the one-stage model of Table 1, 2048 steps and not 128. */
static void only_the_one_stage_model_of_optree_is_wrong(void)
{
    rwa_paper *paper = reproduce("optree", NULL, 0);
    for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        CU_ASSERT(isfinite(r->printed));
        CU_ASSERT_EQUAL(r->matches, strcmp(r->row, "OSM") != 0);
    }
    CU_ASSERT_EQUAL(find(paper, "OSM", "N = 1024, w = 64")->formula, 1024.0 * 1024 / (8 * 64));
}

/* WRHT's own formula gives 407 for H-Ring, where its table prints 411. */
static void h_ring_is_407(void)
{
    rwa_paper *paper = reproduce("wrht", "table I", 1);
    const rwa_paper_row *h = find(paper, "H-Ring", "N = 1000, w = 64, g = 5");
    CU_ASSERT_EQUAL(h->printed, 411);
    CU_ASSERT_EQUAL(h->formula, 2.0 * (25 + 1000) / 5 + 1 - 4);
    CU_ASSERT_FALSE(h->matches);
    /* Ring: every node but one sends in each of 2 (N - 1) steps, by formula and in fact. */
    CU_ASSERT_EQUAL(find(paper, "Ring", "N = 1000, w = 64")->schedule, 2 * 999);
    CU_ASSERT_EQUAL(find(paper, "WRHT", "N = 1000, w = 64")->schedule, 4);
    CU_ASSERT_EQUAL(find(paper, "WRHT, last step all-to-all", "N = 1000, w = 64")->schedule, 3);
}

/* Every schedule on a star costs exactly what the tables say. */
static void star_is_right(void)
{
    rwa_paper *paper = reproduce("star", NULL, 1);
    for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        CU_ASSERT(r->formula == r->printed);
        CU_ASSERT(strncmp(r->column, "lower bound", 11) == 0 ? isnan(r->schedule) : r->schedule == r->printed);
    }
}

static void the_motivation_examples_come_out(void)
{
    rwa_paper *paper = reproduce("optree", "Motivation", 1);
    const rwa_paper_row *one = find(paper, "one-stage", "all"), *four = find(paper, "4-ary tree", "all");
    CU_ASSERT(one->schedule == 16 && four->schedule <= 12 && find(paper, "3-ary tree", "all")->schedule <= 16);
}

/* A figure's curves begin at the normaliser: OpTree at its first message is 1 by definition. */
static void curves_are_normalised(void)
{
    rwa_paper *paper = reproduce("optree", "Fig. 5", 0);
    CU_ASSERT_EQUAL(rwa_paper_rows(paper), 2 * 4 * 6);
    CU_ASSERT_DOUBLE_EQUAL(rwa_paper_get(paper, 0)->formula, 1, 1e-12);
    for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        CU_ASSERT(isnan(r->printed) && isnan(r->schedule) && isfinite(r->x) && r->formula >= 1 - 1e-12);
    }
    for (size_t p = 0; rwa_paper_name(p); p++)
        for (size_t f = 0; rwa_paper_figure(p, f); f++) {
            paper = reproduce(rwa_paper_name(p), rwa_paper_figure(p, f), 0);
            CU_ASSERT(rwa_paper_rows(paper) >= 30);
                }
}

/* Every figure that the RON paper prints is its formula's and its schedule's. */
static void ron_is_right(void)
{
    rwa_paper *paper = reproduce("ron", NULL, 1);
    CU_ASSERT_EQUAL(rwa_paper_rows(paper), 4 * 4 + 4 * 2);
    for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        CU_ASSERT(r->formula == r->printed && r->schedule == r->printed);
    }
}

static void bad_requests_are_refused(void)
{
    rwa_paper_options opts;
    rwa_paper *paper = NULL;
    rwa_paper_options_init(&opts);
    CU_ASSERT_EQUAL(rwa_paper_make(&paper, "no-such", NULL, NULL), RWA_BADARG);
    opts.item = "Table 9";
    CU_ASSERT_EQUAL(rwa_paper_make(&paper, "optree", &opts, NULL), RWA_BADARG);
    opts.item = NULL;
    opts.poll = stop_once;
    opts.poll_data = &(struct stop){.at = 1};
    CU_ASSERT_EQUAL(rwa_paper_make(&paper, "optree", &opts, NULL), RWA_CANCELLED);
    CU_ASSERT_PTR_NULL(paper);
    rwa_paper_free(paper);
}

/* The papers' settings but for the nodes, of which fewer are quick to plan: whatever the message and the wavelengths,
 * no published scheme's schedule is quicker than what auto chooses. */
static void auto_is_never_slower_than_what_is_published(void)
{
    static const struct { const char *paper, *item; } cases[] = {
        {"optree", "comparison-48"}, {"optree", "comparison-75"}, {"wrht", "comparison-96"}, {"wrht", "Comparison 50"}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        rwa_paper *paper = reproduce(cases[c].paper, cases[c].item, 1);
        CU_ASSERT_EQUAL(rwa_paper_rows(paper), 7 * 12);
        for (size_t i = 0; i < rwa_paper_rows(paper); i++)
            CU_ASSERT(rwa_paper_get(paper, i)->schedule >= 1 - 1e-9);
        }
}

/* WRHT, Table II: 25 Gb/s, routers of 32 ports and 50 us.  15 neighbours and their exchange stay in one router. */
static void electrical_baselines(void)
{
    double packet = 64 * 8 / 25e9;
    /* 1000 packets over 10 nodes: 18 steps of 100 packets through one router */
    CU_ASSERT_DOUBLE_EQUAL(paper_electrical_ring_s(10, 64000), 18 * (101 * packet + 50e-6), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(paper_electrical_ring_s(20, 64000), 38 * (53 * packet + 150e-6), 1e-12);
    /* distances 1, 2, 4, 8 inside a router, 16 beyond */
    CU_ASSERT_DOUBLE_EQUAL(paper_electrical_doubling_s(32, 64000),
                           4 * (1001 * packet + 50e-6) + 1003 * packet + 150e-6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(paper_electrical_doubling_s(5, 64000), 4 * (1001 * packet + 50e-6), 1e-12);
}

TESTS("papers", every_figure_is_matched_or_explained, only_the_one_stage_model_of_optree_is_wrong, h_ring_is_407,
      star_is_right, the_motivation_examples_come_out, curves_are_normalised, ron_is_right, bad_requests_are_refused,
      auto_is_never_slower_than_what_is_published, electrical_baselines)
