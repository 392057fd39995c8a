/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Requests of several slots: loss against Kaufman and Roberts, fragmentation against a scan, defragmentation that is
 *  hitless. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/states.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the formula ---- */

/** The product form over all combinations of calls: P(n) ~ product of a_k^n_k / n_k!; class k is lost where fewer than
 *  its width is free.  The library computes it by recursion. */
static void by_definition(double *lost, const uint32_t *widths, const double *erlang, size_t classes, uint32_t servers)
{
    uint32_t calls[4] = {0};
    double all = 0, sums[4] = {0};
    for (;;) {
        double p = 1;
        uint32_t taken = 0;
        for (size_t k = 0; k < classes; k++) {
            p *= exp(calls[k] * log(erlang[k]) - lgamma(calls[k] + 1.0));
            taken += calls[k] * widths[k];
        }
        if (taken <= servers) {
            all += p;
            for (size_t k = 0; k < classes; k++)
                sums[k] += servers - taken < widths[k] ? p : 0;
        }
        size_t k = 0;
        for (; k < classes && ++calls[k] * widths[k] > servers; k++)
            calls[k] = 0;
        if (k == classes)
            break;
    }
    for (size_t k = 0; k < classes; k++)
        lost[k] = sums[k] / all;
}

static void kaufman_roberts_is_its_definition(void)
{
    uint64_t random = 3;
    for (int i = 0; i < 200; i++) {
        uint32_t widths[4], servers = 1 + (uint32_t)base_random_below(&random, 24);
        double erlang[4], lost[4], want[4];
        size_t classes = 1 + (size_t)base_random_below(&random, 4);
        for (size_t k = 0; k < classes; k++) {
            widths[k] = 1 + (uint32_t)base_random_below(&random, 6);
            erlang[k] = 0.1 + (double)base_random_below(&random, 1000) / 100;
        }
        OK(rwa_kaufman_roberts(lost, widths, erlang, classes, servers, NULL));
        by_definition(want, widths, erlang, classes, servers);
        for (size_t k = 0; k < classes; k++)
            CU_ASSERT_DOUBLE_EQUAL(lost[k], want[k], 1e-10);
    }
}

/* With one class of width 1 it is Erlang B; with one of width w and w * n servers too; also where 1e200 is passed on
   the way. */
static void kaufman_roberts_holds_erlang_b(void)
{
    for (uint32_t n = 1; n <= 4000; n = n * 3 + 1)
        for (uint32_t width = 1; width <= 5; width += 2) {
            double erlang = 0.9 * n, lost = 0;
            OK(rwa_kaufman_roberts(&lost, &width, &erlang, 1, n * width, NULL));
            CU_ASSERT_DOUBLE_EQUAL(lost, rwa_erlang_b(erlang, n), 1e-9);
        }
    CU_ASSERT_EQUAL(rwa_kaufman_roberts(&(double){0}, &(uint32_t){0}, &(double){1}, 1, 5, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_kaufman_roberts(&(double){0}, &(uint32_t){1}, &(double){-1}, 1, 5, NULL), RWA_BADARG);
}

/* ---- the simulation on a single link ---- */

enum { CLASSES = 4 };
static const rwa_traffic_class mix[CLASSES] = {{1, 4, 0}, {2, 3, 0}, {3, 2, 0}, {4, 1, 0}};

static rwa_blocking simulate(const char *spec, uint32_t slots, double erlang, rwa_blocking_options *o,
                             rwa_class_blocking *answers)
{
    rwa_network *net = network_of(spec, slots, 1, 1);
    rwa_blocking b;
    o->state.model = RWA_UNDIRECTED;
    o->class_answers = answers;
    OK(rwa_blocking_simulate(&b, net, erlang, o, NULL));
    rwa_network_free(net);
    return b;
}

/* Scattered slots make the link the model of Kaufman and Roberts.  Of the 4 * 12 intervals of 95 % fewer than 40 hold
 * the truth less than once in a thousand tries. */
static void scattered_slots_are_the_formula(void)
{
    static const struct { uint32_t slots; double erlang; } cases[] = {{20, 6}, {40, 16}, {100, 45}, {12, 8}};
    int held = 0;
    for (size_t i = 0; i < 4; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            rwa_blocking_options o;
            rwa_class_blocking answers[CLASSES];
            double lost[CLASSES], loads[CLASSES], lost_slots = 0, slots = 0;
            uint32_t widths[CLASSES];
            rwa_blocking_options_init(&o);
            o.classes = mix;
            o.class_count = CLASSES;
            o.scattered = 1;
            o.state.seed = seed;
            o.requests = 100000;
            o.policy = (rwa_policy)(i % 5);
            rwa_blocking b = simulate("line:2", cases[i].slots, cases[i].erlang, &o, answers);
            for (size_t k = 0; k < CLASSES; k++) {
                loads[k] = cases[i].erlang * mix[k].share / 10;
                widths[k] = mix[k].width;
            }
            OK(rwa_kaufman_roberts(lost, widths, loads, CLASSES, cases[i].slots, NULL));
            for (size_t k = 0; k < CLASSES; k++) {
                CU_ASSERT_DOUBLE_EQUAL(answers[k].exact, lost[k], 1e-12);
                held += fabs(answers[k].probability - lost[k]) <= answers[k].half_width;
                CU_ASSERT_TRUE(fabs(answers[k].probability - lost[k]) <= 3 * answers[k].half_width);
                lost_slots += loads[k] * widths[k] * lost[k];
                slots += loads[k] * widths[k];
            }
            CU_ASSERT_TRUE(fabs(b.bandwidth - lost_slots / slots) <= 3 * b.bandwidth_half_width);
            CU_ASSERT_TRUE(fabs(b.probability - b.exact) <= 3 * b.half_width);
            /* Little's law: the slots in use are those offered and not lost. */
            CU_ASSERT_DOUBLE_EQUAL(b.utilization * cases[i].slots, slots - lost_slots, 0.03 * slots);
        }
    CU_ASSERT_TRUE(held >= 40);
}

/* Neighbouring slots lose more: by the formula's interval the wider classes for certain, and all requests in slots. */
static void neighbouring_slots_lose_more(void)
{
    for (int policy = 0; rwa_policy_name((rwa_policy)policy); policy++) {
        rwa_blocking_options o;
        rwa_class_blocking near[CLASSES], any[CLASSES];
        rwa_blocking_options_init(&o);
        o.classes = mix;
        o.class_count = CLASSES;
        o.policy = (rwa_policy)policy;
        rwa_blocking b = simulate("line:2", 40, 16, &o, near);
        o.scattered = 1;
        rwa_blocking scattered = simulate("line:2", 40, 16, &o, any);
        CU_ASSERT_TRUE(isnan(b.exact) && isnan(near[0].exact) && isfinite(scattered.exact));
        for (size_t k = 2; k < CLASSES; k++)
            CU_ASSERT_TRUE(near[k].probability - near[k].half_width > any[k].exact);
        CU_ASSERT_TRUE(b.bandwidth - b.bandwidth_half_width > scattered.bandwidth + scattered.bandwidth_half_width);
        CU_ASSERT_TRUE(b.fragmentation > 0 && b.fragmentation < 1);
    }
}

/* Where all requests have one span, first-fit keeps them on a grid of that span: Erlang B on floor(slots / span)
   servers. */
static void one_span_is_erlang_b(void)
{
    for (uint32_t width = 1; width <= 5; width++)
        for (uint32_t guard = 0; guard <= 2; guard++) {
            rwa_blocking_options o;
            rwa_traffic_class one = {width, 1, 0};
            rwa_blocking_options_init(&o);
            o.classes = &one;
            o.class_count = 1;
            o.guard = guard;
            rwa_blocking b = simulate("line:2", 65, 8, &o, NULL);
            double exact = rwa_erlang_b(8, 65 / (width + guard));
            if (b.blocked > 0)
                CU_ASSERT_TRUE(fabs(b.probability - exact) <= 2.5 * b.half_width);
            if (b.blocked == 0)
                CU_ASSERT_TRUE(exact < 1e-3);
        }
}

/* On one link a bit rate always gets the same format: the loss is that of its slots, request for request. */
static void bit_rates_are_the_widths_of_their_formats(void)
{
    static const rwa_link link = {0, 1, 700, 1};
    static const double rates[] = {25e9, 100e9, 400e9};
    rwa_network *net = graph_of(&link, 1, 2, 80, 1);
    rwa_modulations *table = NULL;
    rwa_transmission *transmission = NULL;
    rwa_traffic_class by_rate[3], by_width[3];
    rwa_class_blocking answers[2][3];
    rwa_blocking seen[2];
    OK(rwa_modulations_open(&table, "reach", NULL));
    OK(rwa_transmission_create(&transmission, table, NULL, 0, NULL));
    for (size_t k = 0; k < 3; k++) {
        rwa_modulation_choice choice;
        const uint32_t hop = 0;
        OK(rwa_transmission_choose_route(&choice, transmission, net, &hop, 1, rates[k], 80, NULL));
        CU_ASSERT_NOT_EQUAL_FATAL(choice.modulation, RWA_NONE);
        by_rate[k] = (rwa_traffic_class){1, 1, rates[k]};
        by_width[k] = (rwa_traffic_class){choice.width, 1, rates[k]};
    }
    CU_ASSERT_TRUE(by_width[0].width < by_width[2].width);
    for (int i = 0; i < 2; i++) {
        rwa_blocking_options o;
        rwa_blocking_options_init(&o);
        o.requests = 30000;
        o.guard = 1;
        o.classes = i ? by_width : by_rate;
        o.class_count = 3;
        o.class_answers = answers[i];
        o.transmission = i ? NULL : transmission;
        OK(rwa_blocking_simulate(&seen[i], net, 15, &o, NULL));
    }
    CU_ASSERT_TRUE(seen[0].blocked > 100 && seen[0].blocked == seen[1].blocked &&
                   seen[0].bandwidth == seen[1].bandwidth);
    CU_ASSERT_TRUE(seen[0].utilization == seen[1].utilization && seen[0].carried == seen[1].carried);
    for (size_t k = 0; k < 3; k++)
        CU_ASSERT_TRUE(answers[0][k].blocked == answers[1][k].blocked &&
                       answers[0][k].requests == answers[1][k].requests);
    rwa_transmission_free(transmission);
    rwa_modulations_free(table);
    rwa_network_free(net);
}

static void bad_classes_are_told(void)
{
    static const rwa_traffic_class bad[] = {{0, 1, 0},  {1, 0, 0}, {1, -1, 0}, {1, 1, -1}, {RWA_CHANNELS_MAX + 1, 1, 0},
                                            {1, NAN, 0}};
    rwa_network *net = NULL;
    rwa_blocking b;
    rwa_blocking_options o;
    OK(rwa_network_open(&net, "ring:4", NULL, NULL));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rwa_error err = {0};
        rwa_blocking_options_init(&o);
        o.classes = &bad[i];
        o.class_count = 1;
        CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 5, &o, &err), RWA_BADARG);
        expect_part(err.text, "class 0");
    }
    rwa_blocking_options_init(&o);
    o.scattered = 1;
    o.guard = 1;
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 5, &o, NULL), RWA_BADARG);
    rwa_network_free(net);
}

/* ---- fragmentation ---- */

static rwa_state *busy_state(const char *spec, uint32_t slots, uint64_t seed, uint32_t requests)
{
    rwa_state_options so;
    rwa_state *state = NULL;
    uint64_t random = seed;
    rwa_network *net = network_of(spec, slots, 1 + (uint32_t)base_random_below(&random, 2), 1);
    rwa_state_options_init(&so);
    so.history = 4096;
    OK(rwa_state_create(&state, net, &so, NULL));
    uint32_t nodes = rwa_network_nodes(net);
    for (uint32_t i = 0; i < requests; i++) {
        rwa_request q;
        rwa_placed placed;
        uint32_t src = (uint32_t)base_random_below(&random, nodes),
                 dst = (uint32_t)base_random_below(&random, nodes - 1);
        uint64_t id = rwa_state_next(state, base_random_below(&random, requests));
        rwa_request_init(&q, src, dst + (dst >= src));
        q.width = 1 + (uint32_t)base_random_below(&random, 6);
        q.guard = (uint32_t)base_random_below(&random, 2);
        q.routing = RWA_ROUTING_ALTERNATE;
        OK(rwa_state_add(&placed, state, &q, NULL));
        if (base_random_below(&random, 2) && id != RWA_NO_LIGHTPATH)
            OK(rwa_state_release(state, id, NULL));
    }
    rwa_network_free(net);
    return state;
}

/** The measures again, from the public questions alone. */
static rwa_fragmentation scan(const rwa_state *state)
{
    const rwa_network *net = rwa_state_network(state);
    uint32_t slots = rwa_network_wavelengths(net), fibers = 0, open = 0,
             step = rwa_state_model(state) == RWA_UNDIRECTED ? 2 : 1;
    rwa_fragmentation f = {0};
    for (uint32_t a = 0; a < rwa_network_links(net); a += step)
        for (uint32_t fiber = 0; fiber < rwa_network_fibers(net); fiber++, fibers++) {
            uint32_t free = 0, largest = 0;
            for (uint32_t w = 0; w < slots; w++) {
                uint32_t run = 0;
                while (w + run < slots && rwa_state_is_free(state, a, fiber, w + run))
                    run++;
                if (run == 0 && w + 1 > f.highest)
                    f.highest = w + 1;
                free += run;
                largest = run > largest ? run : largest;
                f.blocks += run > 0;
                f.entropy -= run > 0 ? (double)run / slots * log((double)run / slots) : 0;
                w += run > 0 ? run - 1 : 0;
            }
            open += free > 0;
            f.external += free > 0 ? 1 - (double)largest / free : 0;
        }
    f.external /= open ? open : 1;
    f.entropy /= fibers;
    f.blocks /= fibers;
    return f;
}

static void fragmentation_is_what_a_scan_finds(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rwa_state *state = busy_state(seed % 2 ? "nsfnet14-21" : "mesh:3x3", 70, seed, 300);
        rwa_fragmentation f, want = scan(state);
        rwa_state_fragmentation(&f, state);
        CU_ASSERT_DOUBLE_EQUAL(f.external, want.external, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(f.entropy, want.entropy, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(f.blocks, want.blocks, 1e-12);
        CU_ASSERT_EQUAL(f.highest, want.highest);
        rwa_state_free(state);
    }
}

/* ---- defragmentation ---- */

struct where {
    uint64_t id;
    uint32_t wavelength, width, guard, hops;
    uint32_t links[16];
};

static size_t list_lightpaths(struct where *list, const rwa_state *state)
{
    size_t count = 0;
    rwa_placed p;
    for (uint64_t id = rwa_state_next(state, 0); id != RWA_NO_LIGHTPATH; id = rwa_state_next(state, id)) {
        CU_ASSERT_TRUE(rwa_state_get(&p, state, id));
        list[count] =
            (struct where){id, p.wavelength, rwa_state_width(state, id), rwa_state_guard(state, id), p.hops, {0}};
        memcpy(list[count++].links, p.links, p.hops * sizeof *p.links);
    }
    return count;
}

/* Lightpaths keep id, route, width and guard, none rises, no step overlaps itself (one move at a time), and undoing
   restores all. */
static void defragmentation_is_hitless(void)
{
    static struct where before[400], after[400];
    uint32_t moved = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        rwa_state *state = busy_state(seed % 2 ? "nsfnet14-21" : "mesh:3x3", 70, seed, 300);
        uint64_t mark = rwa_state_mark(state);
        size_t count = list_lightpaths(before, state);
        rwa_defragmentation d;
        for (uint32_t steps = 0;; steps++) {
            struct where was[400];
            memcpy(was, before, sizeof was);
            list_lightpaths(was, state);
            OK(rwa_state_defragment(&d, state, 1, NULL));
            if (d.moves == 0)
                break;
            CU_ASSERT_EQUAL_FATAL(list_lightpaths(after, state), count);
            uint32_t changed = 0;
            for (size_t i = 0; i < count; i++) {
                if (after[i].wavelength == was[i].wavelength)
                    continue;
                changed++;  /* the old and the new slots have nothing in common, or it changed its fibre at a lower
                               slot */
                CU_ASSERT_TRUE(after[i].wavelength < was[i].wavelength);
            }
            CU_ASSERT_EQUAL(changed, 1);
            CU_ASSERT_FATAL(steps < 5000);
            moved++;
        }
        list_lightpaths(after, state);
        for (size_t i = 0; i < count; i++) {
            CU_ASSERT(after[i].id == before[i].id && after[i].wavelength <= before[i].wavelength &&
                      after[i].hops == before[i].hops);
            CU_ASSERT(after[i].width == before[i].width && after[i].guard == before[i].guard);
            CU_ASSERT(memcmp(after[i].links, before[i].links, before[i].hops * sizeof before[i].links[0]) == 0);
        }
        OK(rwa_state_rollback(state, mark, NULL));
        CU_ASSERT_EQUAL_FATAL(list_lightpaths(after, state), count);
        CU_ASSERT(memcmp(after, before, count * sizeof *before) == 0);
        OK(rwa_state_defragment(&d, state, 0, NULL));
        CU_ASSERT(d.after.highest <= d.before.highest);
        rwa_state_free(state);
    }
    CU_ASSERT(moved > 300);
}

int main(void)
{
    return RUN_TESTS("requests of several slots", kaufman_roberts_is_its_definition, kaufman_roberts_holds_erlang_b,
                     scattered_slots_are_the_formula, neighbouring_slots_lose_more, one_span_is_erlang_b,
                     bit_rates_are_the_widths_of_their_formats, bad_classes_are_told,
                     fragmentation_is_what_a_scan_finds, defragmentation_is_hitless);
}
