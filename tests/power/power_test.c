/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The physics against vectors of an independent model, and the strictness of device profiles. */
#include "power/power.h"

#include "tests/support/fibers.h"

/** The profile of the vectors, with these members of parameters in place of ring_pass_db. */
static rwa_status open_vector(rwa_device **out, const char *pass, rwa_error *err)
{
    char text[256];
    snprintf(text, sizeof text, "\"ring_through_er_db\": 25, \"ring_q\": 8000, \"waveguide_db_per_cm\": 0.3,\n%s",
             pass);
    return ring_device_of(out, text, err);
}

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 6e-5)

static void test_vectors(void)
{
    rwa_device *device = NULL;
    OK(open_vector(&device, "\"ring_pass_db\": 0.005,", NULL));
    rwa_network *net = network_on("ring:4 w=4");
    rwa_lightpath paths[4] = {light(0, 2, 0), light(1, 3, 1), light(2, 3, 0)};
    rwa_power p[4];

    OK(rwa_power_step(p, device, RWA_POWER_RINGS, net, paths, 1, NULL));
    NEAR(p[0].received_dbm, 7.1874);
    NEAR(p[0].snr_db, 37.1874);
    NEAR(p[0].loss_db, 10 - 7.1874);
    CU_ASSERT(p[0].log10_ber < -300 && isfinite(p[0].log10_ber));
    CU_ASSERT(isinf(p[0].noise_dbm) && p[0].aggressor == UINT64_MAX);
    CU_ASSERT(p[0].budget == RWA_PASS && p[0].crosstalk == RWA_PASS && p[0].hops == 2);

    OK(rwa_power_step(p, device, RWA_POWER_RINGS, net, paths, 2, NULL));
    NEAR(p[0].received_dbm, 7.1786);
    NEAR(p[0].noise_dbm, -16.7227);
    NEAR(p[0].snr_db, 23.7018);
    CU_ASSERT_DOUBLE_EQUAL(p[0].log10_ber, log10(1.724e-26), 3e-4);
    CU_ASSERT(p[0].aggressor == 1 && p[1].aggressor == 0);
    NEAR(p[1].received_dbm, 7.0503);
    NEAR(p[1].noise_dbm, -42.7163);
    NEAR(p[1].snr_db, 36.8239);

    OK(rwa_power_step(p, device, RWA_POWER_RINGS, net, paths, 3, NULL));
    NEAR(p[2].received_dbm, 7.6742);
    NEAR(p[2].noise_dbm, -17.2384);
    CU_ASSERT_DOUBLE_EQUAL(p[2].coherent_dbm, -43.183, 6e-4);
    CU_ASSERT_DOUBLE_EQUAL(p[2].snr_db, 24.678, 6e-4);
    NEAR(p[2].snr_coherent_db, 24.6636);
    CU_ASSERT_DOUBLE_EQUAL(p[2].log10_ber, log10(6.6e-33), 0.01);

    /* Adding fields in the worst phase costs more than adding powers. */
    rwa_device *worst = NULL;
    rwa_power other[4];
    OK(open_vector(&worst, "\"ring_pass_db\": 0.005, \"coherent\": \"worst\",", NULL));
    OK(rwa_power_step(other, worst, RWA_POWER_RINGS, net, paths, 3, NULL));
    CU_ASSERT(other[2].log10_ber > p[2].log10_ber && other[2].loss_db == p[2].loss_db);
    rwa_device_free(worst);
    /* Light that passes its receiver travels on round a ring, but leaves at the end of a line. */
    OK(rwa_power_step(other, device, RWA_POWER_RINGS, network_on("line:4 w=4"), paths, 3, NULL));
    CU_ASSERT(other[0].coherent_dbm < p[0].coherent_dbm && other[0].loss_db == p[0].loss_db);

    static const double received[] = {7.6636, 7.6496, 7.6496, 7.6636};
    static const double noise[] = {-15.3865, -15.7458, -16.7018, -40.4214};
    static const double snr[] = {22.9025, 23.2353, 24.1528, 37.2863};
    for (uint32_t w = 0; w < 4; w++)
        paths[w] = light(0, 1, w);
    OK(rwa_power_step(p, device, RWA_POWER_RINGS, net, paths, 4, NULL));
    for (size_t w = 0; w < 4; w++) {
        NEAR(p[w].received_dbm, received[w]);
        NEAR(p[w].noise_dbm, noise[w]);
        NEAR(p[w].snr_db, snr[w]);
    }
    double most_dbm = NAN;
    OK(power_step(p, &most_dbm, device, RWA_POWER_RINGS, net, paths, NULL, 4, 4, NULL, NULL));
    CU_ASSERT_DOUBLE_EQUAL(most_dbm, 15.0, 0.1);
    paths[1].wavelength = 4;
    CU_ASSERT_EQUAL(rwa_power_step(p, device, RWA_POWER_RINGS, net, paths, 4, NULL), RWA_BADARG);

    /* Another fibre and the other direction are other waveguides. */
    net = network_on("ring:4 w=4 f=2");
    paths[0] = light(0, 2, 0);
    paths[1] = light(1, 3, 1);
    paths[1].fiber = 1;
    paths[2] = light(3, 1, 1);
    paths[2].direction = RWA_CCW;
    OK(rwa_power_step(p, device, RWA_POWER_RINGS, net, paths, 3, NULL));
    NEAR(p[0].received_dbm, 7.1874);
    CU_ASSERT(isinf(p[0].noise_dbm) && isinf(p[1].noise_dbm) && isinf(p[2].noise_dbm));
    rwa_device_free(device);
}

static double worst_ber(const rwa_device *device, const rwa_network *net, uint32_t count, uint32_t stride,
                        rwa_verdict verdict)
{
    rwa_lightpath paths[8] = {{0}};
    rwa_power p[8];
    size_t worst = 0;
    for (uint32_t w = 0; w < count; w++)
        paths[w] = light(0, 1, w * stride);
    OK(rwa_power_step(p, device, RWA_POWER_RINGS, net, paths, count, NULL));
    for (size_t i = 1; i < count; i++)
        worst = p[i].log10_ber > p[worst].log10_ber ? i : worst;
    CU_ASSERT_EQUAL(p[worst].crosstalk, verdict);
    CU_ASSERT_EQUAL(p[worst].budget, RWA_PASS);
    return pow(10.0, p[worst].log10_ber);
}

static void test_conservative(void)
{
    rwa_device *device = device_named("conservative");
    rwa_network *net = network_on("ring:4 w=8");
    CU_ASSERT_DOUBLE_EQUAL(worst_ber(device, net, 2, 1, RWA_PASS), 8.6e-11, 0.06e-11);
    CU_ASSERT_DOUBLE_EQUAL(worst_ber(device, net, 3, 1, RWA_FAIL), 3.8e-9, 0.06e-9);
    CU_ASSERT_DOUBLE_EQUAL(worst_ber(device, net, 8, 1, RWA_FAIL), 6.6e-8, 0.06e-8);
    CU_ASSERT_DOUBLE_EQUAL(worst_ber(device, net, 4, 2, RWA_PASS), 6e-22, 0.6e-22);
}

static void test_bit_errors(void)
{
    /* Eq. 9 takes the ratio: 19.04 dB gives 1e-9; with dB in the exponent it would take 80. */
    CU_ASSERT_DOUBLE_EQUAL(power_log10_ber(power_ratio(13.95)), -3, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(power_log10_ber(power_ratio(19.04)), -9, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(power_log10_ber(power_ratio(20.32)), -12, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(power_log10_ber(power_ratio(21.32)), -15, 0.03);
    CU_ASSERT(power_log10_ber(19.04) > -3);
    CU_ASSERT(isfinite(power_log10_ber(power_ratio(60))));
}

static void refuse(const char *pass, const char *words)
{
    rwa_device *device = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL(open_vector(&device, pass, &err), RWA_FORMAT);
    CU_ASSERT_PTR_NULL(device);
    expect_part(err.text, words);
}

static void test_profiles(void)
{
    rwa_device *device = NULL;
    rwa_error err = {0};
    refuse("", "parameters.ring_pass_db: is missing");
    refuse("\"ring_pass_db\": -1,", "parameters.ring_pass_db: is -1, expected a number of dB, 0 or more, or null");
    refuse("\"ring_pass_db\": \"0.1\",", "parameters.ring_pass_db: is a string");
    refuse("\"ring_pass_db\": 1e9,", "parameters.ring_pass_db: is 1e+09");
    refuse("\"ring_pass_db\": 0, \"ring_pas_db\": 0,", "parameters.ring_pas_db: unknown field");
    refuse("\"ring_pass_db\": 0, \"filter_order\": 1.5,", "parameters.filter_order: is 1.5");
    refuse("\"ring_pass_db\": 0, \"coherent\": \"no\",", "parameters.coherent");
    refuse("\"ring_pass_db\": ,", ".json:3:");
    CU_ASSERT_EQUAL(rwa_device_open(&device, "no-such", &err), RWA_BADARG);
    expect_part(err.text, "teraphy-2021");
    CU_ASSERT_EQUAL(rwa_device_open(&device, "./no/such.json", NULL), RWA_IO);
    for (size_t i = 0; rwa_device_builtin(i); i++)
        CU_ASSERT_STRING_EQUAL(rwa_device_name(device_named(rwa_device_builtin(i))), rwa_device_builtin(i));
}

static void test_null(void)
{
    rwa_network *net = network_on("ring:8 w=64");
    rwa_lightpath path = light(0, 3, 5);
    rwa_power p;
    rwa_device *device = device_named("optree-paper");
    CU_ASSERT_STRING_EQUAL(rwa_device_unchecked(device, 0), "laser_dbm");
    for (int model = RWA_POWER_RINGS; model <= RWA_POWER_PAPER; model++) {
        OK(rwa_power_step(&p, device, (rwa_power_model)model, net, &path, 1, NULL));
        CU_ASSERT(p.budget == RWA_UNCHECKED && p.crosstalk == RWA_UNCHECKED && isnan(p.loss_db) && p.hops == 3);
        CU_ASSERT_EQUAL(rwa_device_reach(device, (rwa_power_model)model, 8, 64), UINT32_MAX);
    }
}

static void test_paper(void)
{
    rwa_device *device = NULL;
    rwa_network *net = network_on("line:8 w=4");
    rwa_lightpath path = light(1, 4, 0);
    rwa_power p;
    OK(open_vector(&device,
                   "\"ring_pass_db\": null, \"paper_pass_db\": 0.5, "
                   "\"paper_rx_crosstalk_dbm\": -20, \"paper_tx_crosstalk_dbm\": -20,",
                   NULL));
    OK(rwa_power_step(&p, device, RWA_POWER_PAPER, net, &path, 1, NULL));
    NEAR(p.loss_db, 1 + 3 * 0.5);
    NEAR(p.noise_dbm, -20 + power_db(4));
    OK(rwa_power_step(&p, device, RWA_POWER_RINGS, net, &path, 1, NULL));
    CU_ASSERT_EQUAL(p.budget, RWA_UNCHECKED);
    rwa_device_free(device);
}

static void test_reach(void)
{
    rwa_device *device = device_named("teraphy-2021");
    CU_ASSERT_EQUAL(rwa_device_reach(device, RWA_POWER_RINGS, 64, 8), 6);
    CU_ASSERT_EQUAL(rwa_device_reach(device, RWA_POWER_RINGS, 4, 8), 3);
    uint32_t last = UINT32_MAX;
    for (uint32_t w = 1; w <= 8; w++) {
        uint32_t reach = rwa_device_reach(device, RWA_POWER_RINGS, 64, w);
        CU_ASSERT(reach <= last);
        last = reach;
    }
    /* The reach is where a lone lightpath stops closing its budget. */
    rwa_network *net = network_on("ring:64 w=8");
    for (uint32_t h = 5; h < 9; h++) {
        rwa_lightpath path = light(60, (60 + h) % 64, 0);
        rwa_power p;
        OK(rwa_power_step(&p, device, RWA_POWER_RINGS, net, &path, 1, NULL));
        CU_ASSERT_EQUAL(p.budget, h <= 6 ? RWA_PASS : RWA_FAIL);
    }
    CU_ASSERT_EQUAL(rwa_device_reach(device_named("conservative"), RWA_POWER_RINGS, 64, 8), 1);
}

TESTS("power", test_vectors, test_conservative, test_bit_errors, test_profiles, test_null, test_paper, test_reach)
