/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Tables of formats, and the format that reaches. */
#include "fiber/fiber.h"

#include "tests/support/fibers.h"
#include "tests/support/random.h"

/* The name of the format, or "-". */
static const char *chosen(const rwa_transmission *t, double km, double rate_bps, uint32_t most,
                          rwa_modulation_choice *c)
{
    static rwa_modulation m;
    OK(rwa_transmission_choose(c, t, &km, 1, rate_bps, most, NULL));
    if (c->modulation == RWA_NONE)
        return "-";
    rwa_modulations_get(&m, rwa_transmission_modulations(t), c->modulation);
    return m.name;
}

/* The thresholds of the table; 100 Gbit/s take 2 slots of 16QAM (50 Gbit/s each), 3 of 8QAM, 4 of QPSK, 8 of BPSK. */
static void reach_selects_the_format(void)
{
    rwa_transmission *t = builtin_transmission("reach", NULL);
    rwa_modulation_choice c;
    CU_ASSERT_STRING_EQUAL(chosen(t, 625, 100e9, 0, &c), "16QAM");
    CU_ASSERT_EQUAL(c.width, 2);
    CU_ASSERT_STRING_EQUAL(chosen(t, 625.001, 100e9, 0, &c), "8QAM");
    CU_ASSERT_EQUAL(c.width, 3);
    CU_ASSERT_STRING_EQUAL(chosen(t, 2500, 100e9, 0, &c), "QPSK");
    CU_ASSERT_EQUAL(c.width, 4);
    CU_ASSERT_STRING_EQUAL(chosen(t, 1e6, 100e9, 0, &c), "BPSK");
    CU_ASSERT_EQUAL(c.width, 8);
    CU_ASSERT_STRING_EQUAL(chosen(t, 2500, 100e9, 3, &c), "-");
    CU_ASSERT_EQUAL(c.width, 0);
    CU_ASSERT_DOUBLE_EQUAL(c.length_km, 2500, 1e-9);
    /* 25 Gbit/s take one slot of three formats: the one of most reach. */
    CU_ASSERT_STRING_EQUAL(chosen(t, 100, 25e9, 0, &c), "QPSK");
}

/* In ever longer routes the width only grows, and the GSNR only falls. */
static void longer_routes_never_take_less(void)
{
    rwa_transmission *t = builtin_transmission("coherent", "ssmf-roadm");
    uint32_t width = 0;
    bool reached = true;
    for (double km = 10; km < 20000; km *= 1.03) {
        rwa_modulation_choice c;
        chosen(t, km, 400e9, 0, &c);
        CU_ASSERT(reached || c.width == 0);
        reached = c.width > 0;
        if (!reached)
            continue;
        CU_ASSERT(c.width >= width && c.margin_db >= 0);
        width = c.width;
    }
    CU_ASSERT_FALSE(reached);
    CU_ASSERT_EQUAL(width, 24);     /* BPSK: 4 carriers of 64 Gbaud */
}

/* choose(), from lengths, computes the same as worst_case() from the spans that the profile places. */
static void lengths_and_their_spans_agree(void)
{
    static const double km[3] = {300, 79.5, 1000.25};
    rwa_transmission *t = builtin_transmission("coherent", "ssmf-roadm");
    rwa_span spans[32];
    rwa_modulation_choice chosen_one, same;
    size_t count = rwa_fiber_profile_place(NULL, rwa_transmission_profile(t), km, 3);
    CU_ASSERT_EQUAL_FATAL(count, 4 + 1 + 13);
    CU_ASSERT_EQUAL(rwa_fiber_profile_place(spans, rwa_transmission_profile(t), km, 3), count);
    CU_ASSERT(spans[0].behind_node && !spans[1].behind_node && spans[4].behind_node && spans[5].behind_node);
    OK(rwa_transmission_choose(&chosen_one, t, km, 3, 50e9, 0, NULL));
    OK(rwa_transmission_worst_case(&same, t, spans, count, chosen_one.modulation, NULL));
    CU_ASSERT_DOUBLE_EQUAL(same.gsnr_db, chosen_one.gsnr_db, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(same.length_km, 1379.75, 1e-9);
    CU_ASSERT(rwa_modulation_choice_reaches(&same, t));
    CU_ASSERT_EQUAL(rwa_fiber_profile_place(NULL, rwa_transmission_profile(t), (const double[]){10, 0}, 2), 0);
    CU_ASSERT_EQUAL(rwa_transmission_worst_case(&same, t, spans, count, 99, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_transmission_worst_case(&same, t, spans, 0, 0, NULL), RWA_BADARG);
}

/* A carrier of a random format, launch and place among others. */
struct loading {
    rwa_carrier carriers[400];
    uint32_t modulation[400];
    size_t count;
};

static void fill_randomly(struct loading *l, const rwa_transmission *t, uint64_t gaps)
{
    const rwa_modulations *table = rwa_transmission_modulations(t);
    const rwa_fiber_profile *profile = rwa_transmission_profile(t);
    l->count = 0;
    for (uint32_t slot = 0; slot < rwa_fiber_profile_slots(profile);) {
        rwa_modulation m;
        uint32_t i = any(rwa_modulations_count(table));
        rwa_modulations_get(&m, table, i);
        if (slot + m.slots > rwa_fiber_profile_slots(profile))
            break;
        if (any(10) < gaps) {
            slot++;
            continue;
        }
        l->modulation[l->count] = i;
        l->carriers[l->count++] =
            (rwa_carrier){rwa_fiber_profile_first_hz(profile) + RWA_SLOT_HZ * (slot + m.slots / 2.0), m.baud,
                          rwa_fiber_profile_launch_dbm(profile, m.baud)};
        slot += m.slots;
    }
}

/* rwa_transmission_choose() promises a GSNR that holds for whatever fills the band: try many fillings. */
static void no_loading_is_worse_than_the_worst_case(void)
{
    static const char *const tables[] = {"coherent", "voyager"};
    seed = 7;
    for (int k = 0; k < 2; k++) {
        rwa_transmission *t = builtin_transmission(tables[k], "ssmf-roadm");
        double worst[16], closest = INFINITY;
        rwa_span spans[8] = {{80, 1}, {80, 0}, {80, 0}, {80, 0}, {80, 0}, {80, 0}, {80, 0}, {80, 0}};
        for (size_t i = 0; i < rwa_modulations_count(rwa_transmission_modulations(t)); i++) {
            rwa_modulation_choice c;
            OK(rwa_transmission_worst_case(&c, t, spans, 8, i, NULL));
            worst[i] = c.gsnr_db;
        }
        for (int round = 0; round < 40; round++) {
            static struct loading l;
            static rwa_gsnr got[400];
            fill_randomly(&l, t, (uint64_t)(round % 4));
            OK(rwa_gsnr_line(got, rwa_transmission_profile(t), spans, 8, l.carriers, l.count, NULL));
            for (size_t i = 0; i < l.count; i++) {
                CU_ASSERT(got[i].gsnr_db >= worst[l.modulation[i]]);
                closest = fmin(closest, got[i].gsnr_db - worst[l.modulation[i]]);
            }
        }
        CU_ASSERT(closest < 0.3);   /* the bound is not far away either */
    }
}

/* Bit error rates before error correction at the required GSNR less 1.5 dB: at most 2e-2, and close to it. */
static void required_gsnr_follows_from_the_bit_error_rate(void)
{
    rwa_modulations *table = builtin_modulations("coherent");
    for (size_t i = 0; i < rwa_modulations_count(table); i++) {
        rwa_modulation m;
        rwa_modulations_get(&m, table, i);
        double snr = pow(10, (m.required_gsnr_db - 1.5) / 10), points = pow(2, m.bits_per_symbol / 2), ber;
        if (points < 3)
            ber = 0.5 * erfc(sqrt(snr));
        else
            ber = 2 / log2(points) * (1 - 1 / sqrt(points)) * erfc(sqrt(3 * snr / (2 * (points - 1))));
        CU_ASSERT(ber <= 2e-2 && ber > 1.8e-2);
        CU_ASSERT_DOUBLE_EQUAL(m.rate_bps, m.bits_per_symbol * m.baud / 1.28, 1);
    }
}

static void refuses_invalid_tables(void)
{
#define QPSK "\"name\": \"QPSK\", \"bits_per_symbol\": 4, \"baud_gbd\": 32"
    static const struct {
        const char *entries, *text;
    } cases[] = {
        {"", "modulations: has 0 entries, expected 1 to 256"},
        {"3", "modulations[0]: is a number, expected an object"},
        {"{" QPSK "}", "modulations[0].slots: is missing, expected an integer from 1 to 1600"},
        {"{" QPSK ", \"slots\": 2.5}", "modulations[0].slots: is 2.5, expected an integer from 1 to 1600"},
        {"{" QPSK ", \"slots\": 2}", "modulations[0].baud_gbd: is 32, expected at most the 25 GHz of its slots"},
        {"{" QPSK ", \"slots\": 3, \"width\": 1}", "modulations[0].width: unknown field"},
        {"{" QPSK ", \"slots\": 3, \"rate_gbps\": 200}",
         "rate_gbps: is 200, expected at most bits_per_symbol times baud_gbd"},
        {"{" QPSK ", \"slots\": 3, \"gsnr_db\": 8, \"osnr_db\": 12}", "osnr_db: expected it or gsnr_db, not both"},
        {"{" QPSK ", \"slots\": 3}, {" QPSK ", \"slots\": 4}",
         "modulations[1].name: is QPSK again, expected another name"},
        {"{" QPSK ", \"slots\": 3, \"reach_km\": 0}", "modulations[0].reach_km: is 0, expected a number of km above 0"},
        {"{\"bits_per_symbol\": 4, \"baud_gbd\": 32, \"slots\": 3}", "modulations[0].name: expected a string"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_modulations *table = NULL;
        rwa_error err = {0};
        CU_ASSERT_EQUAL(modulations_of(&table, cases[i].entries, &err), RWA_FORMAT);
        CU_ASSERT_PTR_NULL(table);
        expect_part(err.text, cases[i].text);
    }
}

static void refuses_what_it_cannot_choose_by(void)
{
    rwa_modulations *by_reach = builtin_modulations("reach"), *by_gsnr = builtin_modulations("coherent");
    rwa_fiber_profile *profile = builtin_profile("ssmf");
    rwa_transmission *t = NULL;
    rwa_modulation_choice c;
    rwa_error err = {0};
    double km[2] = {10, 0};
    CU_ASSERT_EQUAL(rwa_transmission_create(&t, by_reach, profile, 0, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "format BPSK of table reach has no required GSNR, expected gsnr_db or osnr_db");
    CU_ASSERT_EQUAL(rwa_transmission_create(&t, by_gsnr, NULL, 0, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "format BPSK-32 of table coherent has no reach, expected one or a fibre profile");
    CU_ASSERT_EQUAL(rwa_transmission_create(&t, by_gsnr, profile, 5000, &err), RWA_BADARG);
    CU_ASSERT_PTR_NULL(t);
    OK(rwa_transmission_create(&t, by_reach, NULL, 0, &err));
    CU_ASSERT_PTR_NULL(rwa_transmission_profile(t));
    CU_ASSERT_EQUAL(rwa_transmission_choose(&c, t, km, 2, 1e9, 0, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "link 1 of the route: length_km 0, expected above 0");
    CU_ASSERT_EQUAL(rwa_transmission_choose(&c, t, km, 1, 0, 0, &err), RWA_BADARG);
    rwa_transmission_free(t);
}

static void routes_take_their_lengths_from_the_network(void)
{
    rwa_transmission *t = builtin_transmission("reach", NULL);
    rwa_network *net = network_on("nsfnet14-21"), *without = network_on("ring:4");
    rwa_modulation_choice c;
    rwa_error err = {0};
    uint32_t links[2] = {rwa_network_find_link(net, 0, 1), rwa_network_find_link(net, 1, 2)},
             none = rwa_network_links(net);
    OK(rwa_transmission_choose_route(&c, t, net, links, 2, 50e9, 0, &err));
    CU_ASSERT_DOUBLE_EQUAL(c.length_km, 1700, 1e-9);
    CU_ASSERT_EQUAL(c.width, 2);
    CU_ASSERT_EQUAL(rwa_transmission_choose_route(&c, t, net, &none, 1, 50e9, 0, &err), RWA_BADARG);
    links[0] = 0;
    CU_ASSERT_EQUAL(rwa_transmission_choose_route(&c, t, without, links, 1, 50e9, 0, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "link 0 from node 0 to 1 has no length, expected one in km");
}

static void builtin_tables_open(void)
{
    rwa_error err = {0};
    rwa_modulations *table = NULL;
    size_t count = 0;
    for (const char *name; (name = rwa_modulations_builtin(count)); count++) {
        OK(rwa_modulations_open(&table, name, &err));
        CU_ASSERT_STRING_EQUAL(rwa_modulations_name(table), name);
        CU_ASSERT(strlen(rwa_modulations_description(table)) > 0);
        for (size_t i = 0; i < rwa_modulations_count(table); i++) {
            rwa_modulation m;
            rwa_modulations_get(&m, table, i);
            CU_ASSERT_EQUAL(rwa_modulations_find(table, m.name), i);
        }
        CU_ASSERT_EQUAL(rwa_modulations_find(table, "nothing"), RWA_NONE);
        rwa_modulations_free(table);
    }
    CU_ASSERT_EQUAL(count, 3);
    CU_ASSERT_EQUAL(rwa_modulations_open(&table, "nothing", &err), RWA_BADARG);
}

TESTS("modulations", reach_selects_the_format, longer_routes_never_take_less, lengths_and_their_spans_agree,
      no_loading_is_worse_than_the_worst_case, required_gsnr_follows_from_the_bit_error_rate, refuses_invalid_tables,
      refuses_what_it_cannot_choose_by, routes_take_their_lengths_from_the_network, builtin_tables_open)
