/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The drawing of signal to noise along a route. */
#include "rwa.h"

#include "tests/support/files.h"
#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

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

TESTS("view of GSNR", every_ratio_has_a_curve_with_all_points, noise_that_is_absent_has_no_curve)
