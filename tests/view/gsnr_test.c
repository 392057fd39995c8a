/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The drawings of signal to noise along a route, and of link budgets. */
#include "tests/support/files.h"
#include "tests/support/request.h"

static void every_ratio_has_a_curve_with_all_points(void)
{
    rwa_gsnr along[3] = {{.osnr_db = 30, .nli_db = 28, .gsnr_db = 26, .length_km = 80},
                         {.osnr_db = 27, .nli_db = 25, .gsnr_db = 23, .length_km = 160},
                         {.osnr_db = 25, .nli_db = 23, .gsnr_db = 21, .length_km = 240}};
    char *text = NULL;
    OK(rwa_view_gsnr(&text, along, 3, 14.3, "A & B <1>", NULL));
    CU_ASSERT_EQUAL(count_of(text, "<polyline"), 3);
    CU_ASSERT_EQUAL(count_of(text, "GSNR 21.0 dB</text>"), 1);
    CU_ASSERT_EQUAL(count_of(text, "required 14.3</text>"), 1);
    CU_ASSERT_EQUAL(count_of(text, "A &amp; B &lt;1&gt;"), 2);
    const char *points = strstr(text, "points=\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(points);
    CU_ASSERT_EQUAL(strcspn(points + 8, "\"") > 0 && strchr(points, ',') < strchr(points + 8, '"'), 1);
    rwa_text_free(text);
}

static void noise_that_is_absent_has_no_curve(void)
{
    rwa_gsnr one = {.osnr_db = 30, .nli_db = INFINITY, .gsnr_db = 30, .length_km = 80};
    rwa_error err = {0};
    char *text = NULL;
    OK(rwa_view_gsnr(&text, &one, 1, NAN, "A", &err));
    CU_ASSERT_EQUAL(count_of(text, "<polyline"), 2);
    CU_ASSERT_EQUAL(count_of(text, "required"), 1);  /* the style alone */
    CU_ASSERT_EQUAL(count_of(text, "inf") + count_of(text, "nan"), 0);
    rwa_text_free(text);
    CU_ASSERT_EQUAL(rwa_view_gsnr(&text, &one, 0, NAN, "A", &err), RWA_BADARG);
    CU_ASSERT_PTR_NULL(text);
}

/** The losses lead from the laser to the received power, and in the drawing the last of their bars ends where the bar
 *  of the received power does. */
static void waterfalls_end_at_the_received_power(void)
{
    static const char *const devices[] = {"aggressive", "conservative", "teraphy-2021", "synthetic-64"},
                      *const lines[] = {"ring:16 w=2 by wavefront", "ring:16 w=2 drops=4 by wavefront",
                                        "torus:4x4 w=2 by torus-wavefront"};
    uint32_t drawn = 0;
    for (size_t i = 0; i < COUNT(devices) * COUNT(lines) * 2; i++) {
        rwa_check *check = NULL;
        rwa_check_options o;
        rwa_budget_term terms[RWA_BUDGET_TERMS];
        char *text = NULL, value[48];
        rwa_check_options_init(&o);
        o.device = device_named(devices[i % COUNT(devices)]);
        o.power_model = i / COUNT(devices) / COUNT(lines) ? RWA_POWER_PAPER : RWA_POWER_RINGS;
        for (o.lightpath = 0; o.lightpath < 40; o.lightpath += 13) {
            OK(rwa_check_schedule(&check, schedule_on("%s", lines[i / COUNT(devices) % COUNT(lines)]), &o, NULL));
            const rwa_link_budget *b = &rwa_check_summary(check)->budget;
            rwa_status st = rwa_view_budget(&text, b, "A & B", NULL);
            CU_ASSERT_EQUAL(st, isfinite(b->power.received_dbm) && b->step > 0 ? RWA_OK : RWA_BADARG);
            if (st == RWA_OK) {
                size_t count = rwa_link_budget_terms(terms, b);
                double sum = b->laser_dbm, left = 0, x = 0, width = 0;
                for (size_t k = 0; k < count; k++)
                    sum -= terms[k].db;
                CU_ASSERT_DOUBLE_EQUAL(sum, b->power.received_dbm, 1e-9);
                CU_ASSERT_EQUAL(count_of(text, "<rect x="), count + 6);
                const char *bar = text;
                for (size_t k = 0; k <= count + 1; k++) {
                    bar = strstr(bar + 1, "<rect x=");
                    left = x;
                    CU_ASSERT_EQUAL_FATAL(sscanf(bar, "<rect x=\"%lf\" y=\"%*f\" width=\"%lf\"", &x, &width), 2);
                }
                CU_ASSERT_DOUBLE_EQUAL(x + width, left, 0.2);
                snprintf(value, sizeof value, ">%.2f dBm</text>", b->power.received_dbm);
                CU_ASSERT_PTR_NOT_NULL(strstr(text, value));
                drawn++;
            }
            rwa_text_free(text);
            rwa_check_free(check);
        }
    }
    CU_ASSERT(drawn > 40);
}

TESTS("view of GSNR and budgets", every_ratio_has_a_curve_with_all_points, noise_that_is_absent_has_no_curve,
      waterfalls_end_at_the_received_power)
