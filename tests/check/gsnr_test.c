/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Signal to noise of assignments: the checker beside the library's own figures, the worst case below both, spoilt ones
 * refused. */
#include "tests/support/assigning.h"
#include "tests/support/fibers.h"
#include "tests/support/random.h"
#include "tests/support/report.h"

enum { NODES = 8, SLOTS = 384, ROUTES_MAX = 200 };

/* The verdict with a transmission. */
static rwa_check_report verdict_of(const rwa_assignment *result, const rwa_transmission *t)
{
    rwa_check_options opts;
    rwa_check_report report;
    rwa_check_options_init(&opts);
    opts.transmission = t;
    OK(report_assignment(&report, result, &opts, NULL));
    return report;
}

/* ---- flexible grids ---- */

/* A chain of links of 50 to 300 km: every two nodes have one route. */
static rwa_network *chain(void)
{
    struct request r = request_of("links: w=%d", SLOTS);
    char *end = r.spec + strlen(r.spec);
    for (uint32_t i = 0; i + 1 < NODES; i++)
        end += sprintf(end, "%u-%u@%u,", i, i + 1, 50 + any(250));
    r.network.slot_hz = RWA_SLOT_HZ;
    return request_network(r);
}

/* Demands of random rates in the format chosen for them, side by side with random gaps, no slot used twice anywhere. */
static rwa_assignment *fill_spectrum(const rwa_network *net, const rwa_transmission *t, double *worst_case)
{
    rwa_demand demands[ROUTES_MAX];
    rwa_modulation_choice choice[ROUTES_MAX];
    uint32_t slot[ROUTES_MAX], next = 0, links[NODES];
    size_t count = 0;
    rwa_demands *set = NULL;
    rwa_assignment *result = NULL;
    while (count < ROUTES_MAX) {
        uint32_t src = any(NODES - 1);
        uint32_t dst = src + 1 + any(NODES - 1 - src);
        double rate = 50e9 * (1 + any(12));
        for (uint32_t k = src; k < dst; k++)
            links[k - src] = 2 * k;
        OK(rwa_transmission_choose_route(&choice[count], t, net, links, dst - src, rate, 0, NULL));
        next += any(3);
        if (choice[count].modulation == RWA_NONE)
            continue;
        if (next + choice[count].width > SLOTS)
            break;
        slot[count] = next;
        next += choice[count].width;
        worst_case[count] = choice[count].gsnr_db;
        demands[count++] = (rwa_demand){src, dst, 1, RWA_NONE};
    }
    CU_ASSERT_FATAL(count > 5);
    OK(rwa_demands_create(&set, NODES, demands, count, NULL));
    OK(rwa_assignment_create(&result, net, set, RWA_DIRECTED, NULL));
    for (size_t i = 0; i < count; i++) {
        rwa_modulation m;
        for (uint32_t k = demands[i].src; k < demands[i].dst; k++)
            links[k - demands[i].src] = 2 * k;
        rwa_route route = {.demand = i, .hops = demands[i].dst - demands[i].src, .links = links, .wavelength = slot[i]};
        OK(rwa_assignment_add_wide(result, &route, choice[i].width, 0, NULL));
        rwa_modulations_get(&m, rwa_transmission_modulations(t), choice[i].modulation);
        OK(rwa_assignment_set_modulation(result, i, m.name, NULL));
    }
    keep_demands(set);
    return keep_assignment(result);
}

/* The checker's least margin is that of the library's figures, which never fall below the worst case. */
static void expect_agreement(const rwa_assignment *result, const rwa_transmission *t, const double *worst_case)
{
    static rwa_gsnr gsnr[5000];
    double least = INFINITY;
    OK(rwa_assignment_gsnr(gsnr, result, t, NULL));
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
        rwa_modulation m;
        if (!gsnr[i].binding)
            continue;
        const rwa_modulations *table = rwa_transmission_modulations(t);
        rwa_modulations_get(&m, table, rwa_modulations_find(table, rwa_assignment_modulation(result, i)));
        least = fmin(least, gsnr[i].gsnr_db - m.required_gsnr_db - 2);     /* 2 dB: the margin of ssmf-roadm */
        CU_ASSERT(!worst_case || gsnr[i].gsnr_db >= worst_case[i]);
    }
    rwa_check_report report = verdict_of(result, t);
    CU_ASSERT(report.ok);
    CU_ASSERT_EQUAL(report.gsnr_checked, rwa_assignment_summary(result)->routed);
    CU_ASSERT_DOUBLE_EQUAL(report.gsnr_margin_db, least, 1e-9);
    CU_ASSERT(report.gsnr_margin_db >= 0);
}

static void wide_lightpaths_arrive_whatever_their_neighbours(void)
{
    seed = 11;
    rwa_transmission *t = builtin_transmission("coherent", "ssmf-roadm");
    for (int round = 0; round < 30; round++) {
        double worst_case[ROUTES_MAX];
        expect_agreement(fill_spectrum(chain(), t, worst_case), t, worst_case);
    }
}

/* ---- fixed channels, files ---- */

static rwa_assignment *assign(const char *network, double rate_bps, const rwa_transmission *t)
{
    struct request r = request_of("%s seconds=1", network);
    r.network.rate_bps = rate_bps;
    r.assign.transmission = t;
    return assignment_for(r);
}

static void assignments_arrive_among_their_neighbours(void)
{
    static const char *const networks[] = {"nsfnet14-21", "german17-24", "polska12-18", "nobel-eu28-41"};
    rwa_transmission *t = builtin_transmission("coherent", "ssmf-roadm");
    for (int i = 0; i < (thorough ? 4 : 2); i++) {
        rwa_assignment *result = assign(networks[i], i % 2 ? 200e9 : 100e9, t);
        expect_agreement(result, t, NULL);
        CU_ASSERT(rwa_assignment_summary(result)->check->gsnr_checked > 0);
    }
}

/* Written, read, and checked as a file it is the same. */
static void files_carry_the_formats(void)
{
    struct file file = file_make("a.jsonl", "", 0);
    rwa_transmission *t = builtin_transmission("coherent", "ssmf-roadm");
    rwa_assignment *result = assign("polska12-18", 100e9, t), *again = NULL;
    rwa_check_options opts;
    rwa_check_report report;
    OK(rwa_assignment_write(result, file.path, NULL));
    OK(rwa_assignment_read(&again, file.path, NULL));
    CU_ASSERT_EQUAL(rwa_assignment_count(again), rwa_assignment_count(result));
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++)
        CU_ASSERT_STRING_EQUAL(rwa_assignment_modulation(again, i), rwa_assignment_modulation(result, i));
    rwa_check_options_init(&opts);
    opts.transmission = t;
    OK(report_file(&report, file.path, &opts, NULL));
    CU_ASSERT_DOUBLE_EQUAL(report.gsnr_margin_db, verdict_of(result, t).gsnr_margin_db, 1e-9);
    CU_ASSERT(report.ok);
    file_drop(&file);
    rwa_assignment_free(again);
}

/* One lightpath of 5000 km, or 500 km; in a format that is no longer good enough, unknown, or missing. */
static void spoilt_formats_are_violations(void)
{
    static const struct {
        double km, rate_bps;
        const char *format, *table, *fiber, *text;
    } cases[] = {
        {500, 100e9, "QPSK-32", "coherent", "ssmf", NULL},
        {500, 200e9, "QPSK-32", "coherent", "ssmf", "has 4 slots, too few for 200 Gbit/s by QPSK-32"},
        {5000, 200e9, "16QAM-32", "coherent", "ssmf", "16QAM-32 needs 14.30 dB"},
        {500, 100e9, "256QAM", "coherent", "ssmf", "modulated by 256QAM, which table coherent does not have"},
        {500, 100e9, NULL, "coherent", "ssmf", "names no modulation format"},
        {0, 100e9, "QPSK-32", "coherent", "ssmf", "crosses a link without a length"},
        {600, 50e9, "16QAM", "reach", NULL, NULL},
        {700, 50e9, "16QAM", "reach", NULL, "of 700.0 km is longer than the reach of 16QAM, 625.0 km"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct request r = request_of("links:0-1@%g", cases[i].km);
        rwa_assignment *result = NULL;
        rwa_transmission *t = builtin_transmission(cases[i].table, cases[i].fiber);
        r.network.rate_bps = cases[i].rate_bps;
        const rwa_network *net = request_network(r);
        OK(rwa_assignment_create(&result, net, request_demands(&r, net), RWA_UNDIRECTED, NULL));
        keep_assignment(result);
        rwa_route route = {.hops = 1, .links = &(uint32_t){0}};
        OK(rwa_assignment_add(result, &route, NULL));
        if (cases[i].format)
            OK(rwa_assignment_set_modulation(result, 0, cases[i].format, NULL));
        rwa_check_report report = verdict_of(result, t);
        CU_ASSERT_EQUAL(report.ok, !cases[i].text);
        CU_ASSERT(!cases[i].text ||
                  (report.first[0].kind == RWA_VIOLATION_POWER && strstr(report.first[0].text, cases[i].text)));
    }
}

/* Rings give no lengths to links, and a star has none: schedules there are refused. */
static void schedules_need_the_lengths_of_links(void)
{
    static const char *const on[] = {"ring:6", "star:6", "ocs:6x1"};
    rwa_check_options opts;
    rwa_check_report report;
    rwa_check_options_init(&opts);
    opts.transmission = builtin_transmission("coherent", "ssmf");
    for (size_t i = 0; i < COUNT(on); i++) {
        rwa_plan *plan = plan_for(request_of("%s bytes=64", on[i]));
        CU_ASSERT_EQUAL(report_schedule(&report, rwa_plan_schedule(plan), &opts, NULL), RWA_BADARG);
        rwa_plan_free(plan);
    }
}

TESTS("GSNR of assignments", wide_lightpaths_arrive_whatever_their_neighbours,
      assignments_arrive_among_their_neighbours, files_carry_the_formats, spoilt_formats_are_violations,
      schedules_need_the_lengths_of_links)
