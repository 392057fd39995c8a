/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Two widths on one link of a few slots, first-fit, as a Markov chain of all arrangements: its exact losses against the
 * simulation, and against Kaufman and Roberts, whose requests take any free slots.
 */

#include "tests/support/states.h"

enum { SLOTS_MAX = 8, CODES = 1 << 2 * SLOTS_MAX, STATES_MAX = 4096, CLASSES = 2 };
enum { OPEN, NARROW, WIDE, REST };      /* of a slot, two bits: free, the lowest of a lightpath of class 0 or 1, another
                                           of its slots */

struct chain {
    uint32_t slots, widths[CLASSES];
    double loads[CLASSES];
    uint32_t code[STATES_MAX];
    uint16_t number[CODES];     /* of a state, plus 1 */
    uint32_t count;
    double share[STATES_MAX];   /* of the time */
};

static uint32_t slot_of(uint32_t code, uint32_t slot)
{
    return code >> 2 * slot & 3;
}

/** With a lightpath of a class set up (or, with `clear`, released) at a slot. */
static uint32_t with(const struct chain *c, uint32_t code, uint32_t class, uint32_t at, bool clear)
{
    for (uint32_t i = 0; i < c->widths[class]; i++) {
        code &= ~(UINT32_C(3) << 2 * (at + i));
        code |= (clear ? OPEN : i > 0 ? REST : class == 0 ? NARROW : (uint32_t)WIDE) << 2 * (at + i);
    }
    return code;
}

/** The lowest place; c->slots: none. */
static uint32_t first_fit(const struct chain *c, uint32_t code, uint32_t class)
{
    uint32_t run = 0;
    for (uint32_t slot = 0; slot < c->slots; slot++) {
        run = slot_of(code, slot) == OPEN ? run + 1 : 0;
        if (run == c->widths[class])
            return slot + 1 - run;
    }
    return c->slots;
}

static uint32_t number_of(struct chain *c, uint32_t code)
{
    if (c->number[code] == 0) {
        CU_ASSERT_FATAL(c->count < STATES_MAX);
        c->code[c->count++] = code;
        c->number[code] = (uint16_t)c->count;
    }
    return c->number[code] - 1u;
}

/** One step of power iteration on the chain with at most `fastest` events in a unit of time; how much changed. */
static double iterate(struct chain *c, double fastest)
{
    static double next[STATES_MAX];
    double change = 0;
    memcpy(next, c->share, c->count * sizeof *next);
    for (uint32_t i = 0; i < c->count; i++) {
        double part = c->share[i] / fastest;
        for (uint32_t k = 0; k < CLASSES; k++) {
            uint32_t at = first_fit(c, c->code[i], k);
            if (at == c->slots)
                continue;
            next[number_of(c, with(c, c->code[i], k, at, false))] += part * c->loads[k];
            next[i] -= part * c->loads[k];
        }
        for (uint32_t at = 0; at < c->slots; at++) {
            uint32_t kind = slot_of(c->code[i], at);
            if (kind != NARROW && kind != WIDE)
                continue;
            next[number_of(c, with(c, c->code[i], kind - NARROW, at, true))] += part;
            next[i] -= part;
        }
    }
    for (uint32_t i = 0; i < c->count; i++)
        change += fabs(next[i] - c->share[i]);
    memcpy(c->share, next, c->count * sizeof *next);
    return change;
}

/** All arrangements that first-fit and departures reach from an empty link. */
static void find_states(struct chain *c)
{
    number_of(c, 0);
    for (uint32_t i = 0; i < c->count; i++) {
        for (uint32_t k = 0; k < CLASSES; k++)
            if (first_fit(c, c->code[i], k) < c->slots)
                number_of(c, with(c, c->code[i], k, first_fit(c, c->code[i], k), false));
        for (uint32_t at = 0; at < c->slots; at++)
            if (slot_of(c->code[i], at) == NARROW || slot_of(c->code[i], at) == WIDE)
                number_of(c, with(c, c->code[i], slot_of(c->code[i], at) - NARROW, at, true));
    }
}

/** The exact loss of each class. */
static void solve(double lost[CLASSES], uint32_t slots, const uint32_t widths[CLASSES], const double loads[CLASSES])
{
    static struct chain c;
    memset(&c, 0, sizeof c);
    c.slots = slots;
    memcpy(c.widths, widths, sizeof c.widths);
    memcpy(c.loads, loads, sizeof c.loads);
    find_states(&c);
    c.share[0] = 1;
    while (iterate(&c, loads[0] + loads[1] + slots) > 1e-13)
        ;
    for (uint32_t k = 0; k < CLASSES; k++) {
        lost[k] = 0;
        for (uint32_t i = 0; i < c.count; i++)
            if (first_fit(&c, c.code[i], k) == slots)
                lost[k] += c.share[i];
    }
}

static const uint32_t pairs[][CLASSES] = {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 5}, {3, 4}};
enum { PAIRS = COUNT(pairs) };

/* Wide requests lose more than by the formula, since free slots that are no neighbours do not serve them, and so does
 * the bandwidth.  So narrow requests find the link emptier, and lose less.  Only where the two systems hold the same
 * lightpaths are they equal: a link of 6 with widths 3 and 4 has room for one of them at a time, or for two of width
 * 3. */
static void narrow_requests_lose_less_and_wide_ones_more(void)
{
    uint32_t cases = 0, less = 0, more = 0;
    for (size_t i = 0; i < PAIRS; i++)
        for (uint32_t slots = pairs[i][1] + 2; slots <= SLOTS_MAX; slots++)
            for (double load = 0.5; load <= 4; load *= 2) {
                double loads[] = {load, load}, near[CLASSES], any[CLASSES];
                solve(near, slots, pairs[i], loads);
                OK(rwa_kaufman_roberts(any, pairs[i], loads, CLASSES, slots, NULL));
                CU_ASSERT_TRUE(near[0] < any[0] + 1e-9 && near[1] > any[1] - 1e-9);
                CU_ASSERT_TRUE(pairs[i][0] * (near[0] - any[0]) + pairs[i][1] * (near[1] - any[1]) > -1e-9);
                cases++;
                less += near[0] < any[0] - 1e-6;
                more += near[1] > any[1] + 1e-6;
            }
    CU_ASSERT_TRUE(cases == 84 && less == 80 && more == 80);
}

/* The simulation has the same losses as the chain: of 16 intervals none is off by half as much again. */
static void the_simulation_is_the_chain(void)
{
    for (size_t i = 0; i < 4; i++)
        for (uint32_t slots = 7; slots <= SLOTS_MAX; slots++) {
            rwa_traffic_class classes[CLASSES] = {{pairs[i][0], 1, 0}, {pairs[i][1], 1, 0}};
            rwa_class_blocking seen[CLASSES];
            rwa_blocking_options o;
            rwa_blocking b;
            double loads[] = {1.5, 1.5}, near[CLASSES];
            rwa_blocking_options_init(&o);
            o.state.model = RWA_UNDIRECTED;
            o.classes = classes;
            o.class_count = CLASSES;
            o.class_answers = seen;
            OK(rwa_blocking_simulate(&b, network_on("line:2 w=%u" FLEXIBLE, slots), 3, &o, NULL));
            solve(near, slots, pairs[i], loads);
            for (size_t k = 0; k < CLASSES; k++)
                CU_ASSERT_DOUBLE_EQUAL(seen[k].probability, near[k], 1.5 * seen[k].half_width);
        }
}

TESTS("chain", narrow_requests_lose_less_and_wide_ones_more, the_simulation_is_the_chain)
