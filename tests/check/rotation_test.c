/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Power where a rotation maps the lightpaths of a step onto themselves, and one stands for its copies.  A lightpath
 * alone on a second fibre disturbs none on the first, but leaves no such rotation: the figures must be those that each
 * lightpath has when it is followed by itself, by the library and by the checker.
 */
#include "power/rotation.h"

#include "check/physics/rings.h"

#include "tests/support/random.h"

enum { NODES = 24, WAVELENGTHS = 8, MOST = 512 };

/** The lightpaths of a step; the first `lit` send. */
static struct step {
    rwa_lightpath list[MOST];
    uint32_t tap[MOST];
    size_t first[MOST + 1], count, lit;
} step;

/** Add a lightpath, and with `tap` > 0 one that the node after so many hops reads, too. */
static void add(uint32_t src, uint32_t hops, uint32_t tap, const rwa_lightpath *like)
{
    bool ccw = like->direction == RWA_CCW;
    size_t i = step.count++, end = step.first[i];
    step.list[i] = *like;
    step.list[i].src = src;
    step.list[i].dst = (src + (ccw ? NODES - hops : hops)) % NODES;
    if (tap > 0)
        step.tap[end++] = (src + (ccw ? NODES - tap : tap)) % NODES;
    step.first[i + 1] = end;
}

/** The links that a lightpath takes, a bit each. */
static uint32_t links_of(uint32_t src, uint32_t hops, bool ccw)
{
    uint32_t links = 0;
    for (uint32_t h = 0; h < hops; h++)
        links |= 1u << (ccw ? src + NODES - 1 - h : src + h) % NODES;
    return links;
}

/** Add a random lightpath with its copies `turn` nodes apart, if their channel is free on all links. */
static void draw_one(uint32_t taken[2][WAVELENGTHS], uint32_t turn)
{
    rwa_lightpath like = {.step = 1, .wavelength = any(WAVELENGTHS), .orbit = 1,
                          .direction = any(2) ? RWA_CCW : RWA_CW};
    bool ccw = like.direction == RWA_CCW, free_links = true;
    uint32_t from = any(turn), hops = 1 + any(turn < NODES ? turn : NODES - 1), tap = any(hops),
             *channel = &taken[ccw][like.wavelength];
    for (uint32_t v = from; v < NODES; v += turn)
        free_links = free_links && (links_of(v, hops, ccw) & *channel) == 0;
    for (uint32_t v = from; v < NODES && free_links; v += turn) {
        add(v, hops, tap, &like);
        *channel |= links_of(v, hops, ccw);
    }
}

/** Random lightpaths without conflicts; the last ones only hold their rings. */
static void draw(uint32_t turn)
{
    enum { SENDING = 10, HOLDING = 4 };
    uint32_t taken[2][WAVELENGTHS] = {{0}};
    step.count = 0;
    for (int k = 0; k < SENDING; k++)
        draw_one(taken, turn);
    step.lit = step.count;
    for (int k = 0; k < HOLDING; k++)
        draw_one(taken, turn);
}

static void power_by(bool checker, rwa_power *power, double *most_dbm, const rwa_network *net, const rwa_device *device)
{
    const struct power_taps taps = {step.tap, step.first};
    struct budget budget = base_budget(0, NULL, NULL);
    static struct lit_path list[MOST];
    const struct lit_set set = {net, device, RWA_POWER_RINGS, list, step.count,
                                .lit = step.lit};
    for (size_t i = 0; i < step.count; i++)
        list[i] = (struct lit_path){.lp = step.list[i], .taps = step.tap + step.first[i],
                                    .tap_count = (uint32_t)(step.first[i + 1] - step.first[i])};
    OK(checker ? physics_of(power, most_dbm, &set, &budget, NULL)
               : power_step(power, most_dbm, device, RWA_POWER_RINGS, net, step.list, &taps, step.count, step.lit, NULL,
                            NULL));
}

static bool near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static bool same(const rwa_power *a, const rwa_power *b)
{
    return a->hops == b->hops && near(a->received_dbm, b->received_dbm) && near(a->noise_dbm, b->noise_dbm) &&
           near(a->coherent_dbm, b->coherent_dbm) && near(a->snr_coherent_db, b->snr_coherent_db) &&
           near(a->log10_ber, b->log10_ber) && a->budget == b->budget && a->crosstalk == b->crosstalk;
}

/** Signals equally loud may be told apart by rounding, so that either is named; it is another one, that sends. */
static bool names_another(const rwa_power *power, size_t i)
{
    return power->aggressor == UINT64_MAX || (power->aggressor < step.lit && power->aggressor != i);
}

static uint32_t turn_of(const rwa_network *net)
{
    struct arena memory = {.err = NULL};
    struct rotation found;
    const struct power_taps taps = {step.tap, step.first};
    OK(rotation_find(&found, net, step.list, &taps, step.count, step.lit, &memory));
    uint32_t turn = found.turn;
    arena_free(&memory);
    return turn;
}

static void copies_have_the_figures_of_the_first(void)
{
    rwa_network *net = network_on("ring:24 w=%u f=2", WAVELENGTHS);
    const rwa_device *device = device_named("aggressive");
    for (int i = 0; i < 300; i++) {
        static const uint32_t turns[] = {1, 2, 3, 4, 6, 8, 12, 24};
        static rwa_power each[2][MOST], alone[2][MOST];
        double most_dbm[2], alone_dbm[2];
        uint32_t turn = turns[any(COUNT(turns))];
        draw(turn);
        CU_ASSERT(turn % turn_of(net) == 0);
        for (int checker = 0; checker < 2; checker++)
            power_by(checker, each[checker], &most_dbm[checker], net, device);
        add(any(NODES), 1, 0, &(rwa_lightpath){.step = 1, .fiber = 1, .orbit = 1, .direction = RWA_CW});
        CU_ASSERT_EQUAL(turn_of(net), NODES);
        for (int checker = 0; checker < 2; checker++)
            power_by(checker, alone[checker], &alone_dbm[checker], net, device);
        CU_ASSERT(near(most_dbm[0], alone_dbm[0]) && near(most_dbm[1], alone_dbm[0]) &&
                  near(alone_dbm[1], alone_dbm[0]));
        for (size_t k = 0; k < step.lit; k++) {
            CU_ASSERT(same(&each[0][k], &alone[0][k]) && same(&each[1][k], &alone[0][k]) &&
                      same(&alone[1][k], &alone[0][k]));
            CU_ASSERT(names_another(&each[0][k], k) && names_another(&each[1][k], k));
        }
    }
}

TESTS("rotation", copies_have_the_figures_of_the_first)
