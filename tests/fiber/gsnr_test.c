/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Noise and interference: rows of another program, laws of the model, invalid input. */
#include "fiber/fiber.h"

#include "tests/support/fibers.h"

enum { CHANNELS = 128, SPANS = 32 };

#define SSMF                                                                                                           \
    "\"fiber_db_per_km\": 0.2, \"dispersion_ps_nm_km\": 16.7, \"effective_area_um2\": 83, \"span_km\": 80, "           \
    "\"launch_dbm\": 0, "                                                                                              \
    "\"transmitter_osnr_db\": 100, \"first_ghz\": 191300, \"slots\": 384"

static rwa_fiber_profile *ssmf(double noise_figure_db)
{
    char text[512];
    rwa_fiber_profile *profile = NULL;
    snprintf(text, sizeof text, SSMF ", \"noise_figure_db\": %g", noise_figure_db);
    OK(profile_of(&profile, text, NULL));
    return keep_fiber_profile(profile);
}

static void fill_comb(rwa_carrier *carriers, int count, double spacing_ghz, double baud_gbd, double launch_dbm)
{
    for (int i = 0; i < count; i++)
        carriers[i] = (rwa_carrier){191.35e12 + (i + 1) * spacing_ghz * 1e9, baud_gbd * 1e9, launch_dbm};
}

static void fill_spans(rwa_span *spans, int count, double length_km)
{
    for (int i = 0; i < count; i++)
        spans[i] = (rwa_span){.length_km = length_km};
}

/* The program rounds to 0.01 dB. */
static void ratios_equal_those_of_gnpy(void)
{
    char line[256];
    int rows = 0;
    FILE *file = fopen(RWA_TEST_DATA "/fiber/uniform_links.csv", "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    while (fgets(line, sizeof line, file)) {
        double span_km, nf, spacing, baud, launch, osnr, nli, gsnr;
        int spans, channels, channel;
        if (line[0] == '#')
            continue;
        CU_ASSERT_EQUAL_FATAL(sscanf(line, "%d %lf %lf %lf %lf %lf %d %d %lf %lf %lf", &spans, &span_km, &nf, &spacing,
                                     &baud, &launch, &channels, &channel, &osnr, &nli, &gsnr),
                              11);
        rwa_carrier carriers[CHANNELS];
        rwa_span list[SPANS];
        rwa_gsnr got[CHANNELS];
        rwa_fiber_profile *profile = ssmf(nf);
        fill_comb(carriers, channels, spacing, baud, launch);
        fill_spans(list, spans, span_km);
        OK(rwa_gsnr_line(got, profile, list, (size_t)spans, carriers, (size_t)channels, NULL));
        CU_ASSERT_DOUBLE_EQUAL(got[channel - 1].osnr_db, osnr, 0.0101);
        CU_ASSERT_DOUBLE_EQUAL(got[channel - 1].nli_db, nli, 0.0101);
        CU_ASSERT_DOUBLE_EQUAL(got[channel - 1].gsnr_db, gsnr, 0.0101);
        rows++;
    }
    fclose(file);
    CU_ASSERT_EQUAL(rows, 45);
}

/* One carrier in the middle of 41, behind ten spans. */
static rwa_gsnr middle(const rwa_fiber_profile *profile, double launch_dbm, int spans)
{
    rwa_carrier carriers[41];
    rwa_span list[SPANS];
    rwa_gsnr got[41];
    fill_comb(carriers, 41, 50, 32, launch_dbm);
    fill_spans(list, spans, 80);
    OK(rwa_gsnr_line(got, profile, list, (size_t)spans, carriers, 41, NULL));
    return got[20];
}

/* Noise does not know the signal; interference is its third power. */
static void one_db_more_power_is_one_db_more_osnr_and_two_less_nli(void)
{
    rwa_fiber_profile *profile = builtin_profile("ssmf");
    rwa_gsnr low = middle(profile, -1, 10), high = middle(profile, 0, 10);
    CU_ASSERT_DOUBLE_EQUAL(high.osnr_db - low.osnr_db, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(high.nli_db - low.nli_db, -2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(high.gsnr_01nm_db - high.gsnr_db, 10 * log10(32 / 12.5), 1e-9);
}

/* At the best power P the noise a/P is twice the interference b P²: the derivative of a/P + b P² is 0. */
static void best_power_has_twice_as_much_noise_as_interference(void)
{
    rwa_fiber_profile *profile = builtin_profile("ssmf");
    double best = -5, step = 0.01;
    for (double p = -5; p < 5; p += step)
        if (middle(profile, p, 10).gsnr_db > middle(profile, best, 10).gsnr_db)
            best = p;
    rwa_gsnr at = middle(profile, best, 10);
    CU_ASSERT_DOUBLE_EQUAL(at.nli_db - at.osnr_db, 10 * log10(2), 0.02);
    CU_ASSERT_STRING_EQUAL(at.binding, "amplifier noise of the spans");
    CU_ASSERT_STRING_EQUAL(middle(profile, best + 3, 10).binding, "nonlinear interference");
}

static void equal_spans_add_up(void)
{
    rwa_fiber_profile *profile = builtin_profile("ssmf");
    rwa_gsnr one = middle(profile, 0, 1);
    for (int spans = 2; spans <= 20; spans++) {
        rwa_gsnr many = middle(profile, 0, spans);
        CU_ASSERT_DOUBLE_EQUAL(one.osnr_db - many.osnr_db, 10 * log10(spans), 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(one.nli_db - many.nli_db, 10 * log10(spans), 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(many.length_km, 80.0 * spans, 1e-9);
    }
}

/* The band of a carrier holds the integral of density² / sqrt(1 + x² f²): by the trapezoidal rule. */
static void interference_is_an_integral(void)
{
    rwa_fiber_profile *profile = builtin_profile("ssmf");
    double x = fiber_walk_off(profile, 32e9), low = 30e9, high = 90e9, sum = 0;
    enum { STEPS = 100000 };
    for (int i = 0; i <= STEPS; i++) {
        double f = low + (high - low) * i / STEPS;
        sum += (i == 0 || i == STEPS ? 0.5 : 1) / sqrt(1 + x * x * f * f);
    }
    double unit = fiber_interference(profile, 193e12, 32e9, 1e-14, 0, 1e6, 2) / 1e6;    /* k(0) = 1 */
    double whole = fiber_interference(profile, 193e12, 32e9, 1e-14, low, high, 2);
    CU_ASSERT_DOUBLE_EQUAL(whole / unit, sum * (high - low) / STEPS, 1e-6 * whole / unit);
}

/* Nodes of 20 dB loss: each of them adds h f B F 20 dB / P. */
static void nodes_add_noise_of_their_amplifiers(void)
{
    rwa_fiber_profile *profile = builtin_profile("ssmf-roadm");
    rwa_carrier one = {193.1e12, 32e9, 0};
    rwa_span spans[3] = {{80, 1}, {80, 0}, {80, 1}};
    rwa_gsnr got[3];
    OK(rwa_gsnr_along(got, profile, spans, 3, &one, 1, 0, NULL));
    double hfb = 6.62607015e-34 * 193.1e12 * 32e9 / 1e-3, node = hfb * pow(10, 2.6),
           span = hfb * pow(10, (17 + 5.5) / 10);
    double transmitter = 1e-4 * 32 / 12.5;
    CU_ASSERT_DOUBLE_EQUAL(got[0].osnr_db, -10 * log10(node + span + transmitter), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(got[1].osnr_db, -10 * log10(node + 2 * span + transmitter), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(got[2].osnr_db, -10 * log10(2 * node + 3 * span + transmitter), 1e-9);
    CU_ASSERT_STRING_EQUAL(got[0].binding, "amplifier noise of the nodes");
}

static void the_ratios_along_a_route_end_with_those_of_the_route(void)
{
    rwa_fiber_profile *profile = builtin_profile("ssmf-roadm");
    rwa_carrier carriers[9];
    rwa_span spans[5] = {{80, 1}, {40, 0}, {95, 1}, {10, 1}, {120, 0}};
    rwa_gsnr along[5], line[9];
    fill_comb(carriers, 9, 75, 64, 2);
    OK(rwa_gsnr_along(along, profile, spans, 5, carriers, 9, 3, NULL));
    OK(rwa_gsnr_line(line, profile, spans, 5, carriers, 9, NULL));
    CU_ASSERT_DOUBLE_EQUAL(along[4].gsnr_db, line[3].gsnr_db, 1e-12);
    for (int k = 1; k < 5; k++)
        CU_ASSERT(along[k].gsnr_db < along[k - 1].gsnr_db && along[k].length_km > along[k - 1].length_km);
}

static void refuses_what_it_cannot_compute(void)
{
    rwa_fiber_profile *profile = builtin_profile("ssmf");
    rwa_span span = {80, 0}, none = {0, 0};
    rwa_carrier good[2] = {{193e12, 32e9, 0}, {193.05e12, 32e9, 0}},
                touching[2] = {{193e12, 32e9, 0}, {193.032e12, 32e9, 0}};
    rwa_carrier near[2] = {{193e12, 32e9, 0}, {193.03e12, 32e9, 0}}, far = {100e12, 32e9, 0}, slow = {193e12, 0, 0};
    rwa_carrier loud = {193e12, 32e9, NAN};
    rwa_gsnr got[2];
    rwa_error err = {0};
    OK(rwa_gsnr_line(got, profile, &span, 1, good, 2, &err));
    OK(rwa_gsnr_line(got, profile, &span, 1, touching, 2, &err));
    CU_ASSERT_EQUAL(rwa_gsnr_line(got, profile, &span, 1, near, 2, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "the carriers at 193.000000 and 193.030000 THz overlap");
    CU_ASSERT_EQUAL(rwa_gsnr_line(got, profile, &none, 1, good, 2, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_gsnr_line(got, profile, &span, 0, good, 2, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_gsnr_line(got, profile, &span, 1, good, 0, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_gsnr_line(got, profile, &span, 1, &far, 1, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_gsnr_line(got, profile, &span, 1, &slow, 1, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_gsnr_line(got, profile, &span, 1, &loud, 1, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_gsnr_along(got, profile, &span, 1, good, 2, 2, &err), RWA_BADARG);
}

static void refuses_invalid_profiles(void)
{
    static const struct {
        const char *parameters, *text;
    } cases[] = {
        {SSMF, "parameters.noise_figure_db: is missing, expected a number of dB, 0 or more"},
        {SSMF ", \"noise_figure_db\": \"5\"",
         "parameters.noise_figure_db: is a string, expected a number of dB, 0 or more"},
        {SSMF ", \"noise_figure_db\": 5, \"gain\": 1", "parameters.gain: unknown field"},
        {SSMF ", \"noise_figure_db\": 5, \"margin_db\": -1",
         "parameters.margin_db: is -1, expected a number of dB, 0 or more"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_fiber_profile *profile = NULL;
        rwa_error err = {0};
        CU_ASSERT_EQUAL(profile_of(&profile, cases[i].parameters, &err), RWA_FORMAT);
        CU_ASSERT_PTR_NULL(profile);
        expect_part(err.text, cases[i].text);
    }
}

static void builtin_profiles_open(void)
{
    rwa_error err = {0};
    rwa_fiber_profile *profile = NULL;
    size_t count = 0;
    for (const char *name; (name = rwa_fiber_profile_builtin(count)); count++) {
        OK(rwa_fiber_profile_open(&profile, name, &err));
        CU_ASSERT_STRING_EQUAL(rwa_fiber_profile_name(profile), name);
        CU_ASSERT(strlen(rwa_fiber_profile_description(profile)) > 0);
        CU_ASSERT_EQUAL(rwa_fiber_profile_slots(profile), 384);
        CU_ASSERT_EQUAL(rwa_fiber_profile_first_hz(profile), 191.3e12);
        rwa_fiber_profile_free(profile);
    }
    CU_ASSERT_EQUAL(count, 2);
    CU_ASSERT_EQUAL(rwa_fiber_profile_open(&profile, "nothing", &err), RWA_BADARG);
    expect_part(err.text, "no fibre profile \"nothing\"; there are: ssmf");
}

static void a_link_has_the_fewest_spans(void)
{
    rwa_fiber_profile *profile = builtin_profile("ssmf");
    CU_ASSERT_EQUAL(rwa_fiber_profile_spans(profile, 0), 0);
    CU_ASSERT_EQUAL(rwa_fiber_profile_spans(profile, 1), 1);
    CU_ASSERT_EQUAL(rwa_fiber_profile_spans(profile, 80), 1);
    CU_ASSERT_EQUAL(rwa_fiber_profile_spans(profile, 80.1), 2);
    CU_ASSERT_EQUAL(rwa_fiber_profile_spans(profile, 800), 10);
    CU_ASSERT_DOUBLE_EQUAL(rwa_fiber_profile_launch_dbm(profile, 64e9), 10 * log10(2), 1e-12);
}

TESTS("gsnr", ratios_equal_those_of_gnpy, one_db_more_power_is_one_db_more_osnr_and_two_less_nli,
      best_power_has_twice_as_much_noise_as_interference, equal_spans_add_up, interference_is_an_integral,
      nodes_add_noise_of_their_amplifiers, the_ratios_along_a_route_end_with_those_of_the_route,
      refuses_what_it_cannot_compute, refuses_invalid_profiles, builtin_profiles_open, a_link_has_the_fewest_spans)
