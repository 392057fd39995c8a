/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Light that several nodes read, against a walk along the ring that knows nothing of shares: what every reader is to
 * get is guessed, each takes that much, and the guess is right when the last one is left with exactly it.
 */
#include "power/power.h"

#include "tests/support/fibers.h"
#include "tests/support/random.h"

/** Rings so narrow that a parked one leaves all light alone: then only what is said here is lost. */
static rwa_device *narrow(double pass_db, double span_db, double depth_db)
{
    rwa_device *device = NULL;
    char text[256];
    snprintf(text, sizeof text,
             "\"ring_pass_db\": %.17g, \"ring_through_er_db\": %.17g, \"ring_q\": 1e9, \"waveguide_db_per_cm\": %.17g,",
             pass_db, depth_db, span_db);
    OK(ring_device_of(&device, text, NULL));
    return keep_device(device);
}

/** The first lightpath alone is tapped. */
static void shine(rwa_power *p, const rwa_device *device, rwa_power_model model, const rwa_network *net,
                  const rwa_lightpath *paths, const uint32_t *taps, size_t tap_count, size_t count)
{
    size_t first[5] = {0};
    for (size_t i = 1; i <= count; i++)
        first[i] = tap_count;
    struct power_taps t = {taps, first};
    OK(power_step(p, NULL, device, model, net, paths, &t, count, count, NULL, NULL));
}

/* Nothing tapped: to the last bit what was said before. */
static void one_reader_is_as_before(void)
{
    rwa_network *net = network_on("ring:8 w=4");
    rwa_lightpath paths[3] = {light(0, 5, 0), light(2, 3, 1), light(5, 7, 0)};
    for (size_t d = 0; rwa_device_builtin(d); d++)
        for (int model = RWA_POWER_RINGS; model <= RWA_POWER_PAPER; model++) {
            rwa_device *device = device_named(rwa_device_builtin(d));
            rwa_power with[3], without[3];
            memset(with, 0, sizeof with);
            memset(without, 0, sizeof without);
            shine(with, device, (rwa_power_model)model, net, paths, NULL, 0, 3);
            OK(rwa_power_step(without, device, (rwa_power_model)model, net, paths, 3, NULL));
            CU_ASSERT(memcmp(with, without, sizeof with) == 0);
        }
}

/* Nodes that lose nothing: each of K readers gets a K-th, 10 log10 K less than one alone. */
static void without_losses_all_get_a_share(void)
{
    static const uint32_t taps[] = {1, 3, 4, 7, 11, 12, 20};
    rwa_device *device = narrow(0, 0, 400);
    rwa_network *net = network_on("ring:32 w=1");
    rwa_lightpath path = light(0, 25, 0);
    rwa_power alone, p;
    shine(&alone, device, RWA_POWER_RINGS, net, &path, NULL, 0, 1);
    for (size_t k = 1; k <= 8; k++) {
        shine(&p, device, RWA_POWER_RINGS, net, &path, taps, k - 1, 1);
        CU_ASSERT_DOUBLE_EQUAL(p.loss_db - alone.loss_db, 10 * log10((double)k), 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(alone.margin_db - p.margin_db, 10 * log10((double)k), 1e-6);
    }
}

/** The power of node 0's light left at the last reader, negative when the others get too little. */
static double left_over(double each_mw, const uint32_t *readers, size_t count, double pass_db, double span_db,
                        double depth)
{
    double mw = pow(10, (10 - 1) / 10.0), drop = pow(10, -0.1), pass = pow(10, -pass_db / 10),
           span = pow(10, -span_db / 10);
    uint32_t node = 0;
    for (size_t k = 0; k < count; k++)
        for (; node < readers[k];) {
            mw *= span;
            node++;
            if (node < readers[k])
                mw *= pass * pass; /* its receiver and its transmitter ring, parked */
            else if (k + 1 < count)
                mw = (mw - depth * each_mw / drop) * pass * pass; /* the first of them takes its share */
        }
    return mw - each_mw / drop;
}

static void all_readers_get_the_same(void)
{
    seed = 11;
    rwa_network *net = network_on("ring:32 w=1");
    for (int i = 0; i < 200; i++) {
        double pass_db = 0.01 * any(50),
               span_db = 0.01 * any(50);
        double depth_db = 5 + any(20), depth = 1 - pow(10, -depth_db / 10), low = 0,
               high = 100;
        uint32_t readers[8], node = 0;
        size_t count = 1 + any(8);
        rwa_device *device = narrow(pass_db, span_db, depth_db);
        rwa_power p;
        for (size_t k = 0; k < count; k++)
            readers[k] = node += 1 + any(3);
        rwa_lightpath path = light(0, readers[count - 1], 0);
        for (int turn = 0; turn < 200; turn++) {
            double each = (low + high) / 2;
            *(left_over(each, readers, count, pass_db, span_db, depth) > 0 ? &low : &high) = each;
        }
        shine(&p, device, RWA_POWER_RINGS, net, &path, readers, count - 1, 1);
        CU_ASSERT_DOUBLE_EQUAL(p.received_dbm, 10 * log10(low), 1e-6);
    }
}

/** The power that a lightpath on wavelength 0 from node 0 to 6 leaks into the receiver of another one at node 5,
 *  dBm. */
static double disturbance(const rwa_device *device, const rwa_network *net, const uint32_t *taps, size_t tap_count)
{
    rwa_lightpath paths[2] = {light(0, 6, 0), light(4, 5, 1)};
    rwa_power p[2];
    shine(p, device, RWA_POWER_RINGS, net, paths, taps, tap_count, 2);
    CU_ASSERT_EQUAL(p[1].aggressor, 0);
    return p[1].noise_dbm;
}

/* A reader that takes light from a lightpath takes it from its crosstalk as well; and each reader is checked. */
static void tapped_light_disturbs_less(void)
{
    static const uint32_t early[] = {1, 2, 3}, late[] = {5};
    rwa_network *net = network_on("ring:8 w=4");
    rwa_lightpath paths[2] = {light(0, 6, 0), light(2, 3, 1)};
    rwa_power p[2], untouched[2];
    rwa_device *device = device_named("onoc-typical");
    CU_ASSERT(disturbance(device, net, early, 1) < disturbance(device, net, early, 0) - 1);
    CU_ASSERT(disturbance(device, net, early, 3) < disturbance(device, net, early, 1) - 1);
    /* Node 3 alone hears the neighbour, whose light ends there: its bit errors are those of the lightpath. */
    shine(p, device, RWA_POWER_RINGS, net, paths, early, 3, 2);
    shine(untouched, device, RWA_POWER_RINGS, net, paths, late, 1, 2);
    CU_ASSERT(p[0].aggressor == 1 && p[0].noise_dbm > untouched[0].noise_dbm + 10);
    CU_ASSERT(p[0].log10_ber > untouched[0].log10_ber);
}

/* A ring on resonance takes light that passes, whether its own lightpath sends or not; only one that sends disturbs
   others. */
static void idle_rings_take_light_and_disturb_nobody(void)
{
    rwa_network *net = network_on("ring:8 w=4");
    rwa_lightpath paths[2] = {light(0, 6, 0), light(2, 3, 1)};
    rwa_power alone[2], beside[2], both[2];
    double most_dbm[3];
    rwa_device *device = device_named("onoc-typical");
    OK(power_step(alone, &most_dbm[0], device, RWA_POWER_RINGS, net, paths, NULL, 1, 1, NULL, NULL));
    OK(power_step(beside, &most_dbm[1], device, RWA_POWER_RINGS, net, paths, NULL, 2, 1, NULL, NULL));
    OK(power_step(both, &most_dbm[2], device, RWA_POWER_RINGS, net, paths, NULL, 2, 2, NULL, NULL));
    CU_ASSERT(beside[0].received_dbm < alone[0].received_dbm && beside[0].received_dbm == both[0].received_dbm);
    CU_ASSERT(beside[0].noise_dbm == alone[0].noise_dbm && beside[0].noise_dbm < both[0].noise_dbm);
    CU_ASSERT(beside[0].aggressor == UINT64_MAX && most_dbm[1] < most_dbm[2]);
}

static void taps_off_the_way_are_refused(void)
{
    static const uint32_t wrong[][2] = {{6, 5}, {0, 2}, {3, 3}, {4, 2}, {1, 8}};
    rwa_network *net = network_on("ring:8 w=1");
    rwa_device *device = narrow(0, 0, 20);
    rwa_lightpath path = light(0, 5, 0);
    size_t first[2] = {0, 2};
    rwa_power p;
    for (size_t i = 0; i < 5; i++) {
        struct power_taps t = {wrong[i], first};
        CU_ASSERT_EQUAL(power_step(&p, NULL, device, RWA_POWER_RINGS, net, &path, &t, 1, 1, NULL, NULL), RWA_BADARG);
    }
}

TESTS("tapped light", one_reader_is_as_before, without_losses_all_get_a_share, all_readers_get_the_same,
      tapped_light_disturbs_less, idle_rings_take_light_and_disturb_nobody, taps_off_the_way_are_refused)
