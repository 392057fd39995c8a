/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in which several nodes read a lightpath: they pass the checker, and take as few steps as the bound with taps. */
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include "base/base.h"

static bool thorough;

static rwa_plan *tapped(const rwa_network *net, rwa_collective_kind kind, const rwa_plan_options *o, uint32_t nodes)
{
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, 0, 1 << 16, 0, NULL), RWA_OK);
    if (rwa_plan_make(&plan, net, &coll, o, &err) != RWA_OK)
        fprintf(stderr, "%s on %u nodes, %u drops: %s\n", rwa_collective_name(kind), nodes, o->max_drops, err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    return plan;
}

static void expect_refused(const rwa_network *net, rwa_collective_kind kind, const rwa_plan_options *o, uint32_t nodes)
{
    rwa_collective coll;
    rwa_plan *plan = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, 0, 1 << 16, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &coll, o, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(plan);
}

static rwa_plan_options with_drops(uint32_t drops)
{
    rwa_plan_options o;
    rwa_plan_options_init(&o);
    o.scheme = "wavefront";
    o.max_drops = drops;
    o.time_limit_s = 0; /* what is found may not depend on how quick the machine is */
    return o;
}

/* The bound is another room's, and says nothing of how plans are made. */
static void the_bound_is_met(void)
{
    static const uint32_t cases[][3] = {{1024, 64, 2}, {1024, 64, 5}, {512, 64, 2}, {1024, 16, 5}, {64, 8, 3}, {64, 8, 5}, {16, 2, 2},
                                        {100, 8, 5}, {97, 7, 4}, {33, 3, 2}, {4096, 64, 8}, {16, 4, 4}, {193, 8, 3}, {53, 16, 3},
                                        {102, 16, 5}, {81, 8, 4}, {25, 8, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[32];
        snprintf(spec, sizeof spec, "ring:%u", cases[i][0]);
        rwa_network *net = network_of(spec, cases[i][1]);
        rwa_plan_options o = with_drops(cases[i][2]), alone = with_drops(0);
        rwa_plan *p = tapped(net, RWA_ALL_GATHER, &o, cases[i][0]), *plain = tapped(net, RWA_ALL_GATHER, &alone, cases[i][0]);
        const rwa_plan_report *s = rwa_plan_summary(p);
        CU_ASSERT(s->check->ok && s->outcome == RWA_OPTIMAL && s->steps == s->bound.value);
        CU_ASSERT(s->receivers > 1 && s->receivers <= cases[i][2] && rwa_schedule_receivers(rwa_plan_schedule(p)) == s->receivers);
        CU_ASSERT(s->steps < rwa_plan_summary(plain)->steps && rwa_plan_summary(plain)->receivers == 1);
        rwa_plan_free(p);
        rwa_plan_free(plain);
        rwa_network_free(net);
    }
}

/** Some nodes, a failed link, or a reserved channel; no more steps than without taps, and never more readers than allowed. */
static void in_part(const rwa_network *net, rwa_collective_kind kind, rwa_plan_options *o, uint32_t nodes)
{
    rwa_plan_options plain = *o;
    plain.max_drops = 1;
    if (kind == RWA_REDUCE_SCATTER) { /* where blocks are added up nothing is tapped */
        expect_refused(net, kind, o, nodes);
        return;
    }
    rwa_plan *p = tapped(net, kind, o, nodes), *without = tapped(net, kind, &plain, nodes);
    const rwa_plan_report *s = rwa_plan_summary(p), *w = rwa_plan_summary(without);
    CU_ASSERT_EQUAL(rwa_plan_schedule(p) != NULL, rwa_plan_schedule(without) != NULL);
    if (rwa_plan_schedule(p)) {
        CU_ASSERT(s->check->ok && s->steps <= w->steps && s->bound.value <= s->steps);
        CU_ASSERT(s->receivers <= o->max_drops);
        CU_ASSERT(s->longest_hops <= (o->max_hops ? o->max_hops : UINT32_MAX));
    }
    rwa_plan_free(p);
    rwa_plan_free(without);
}

static rwa_network *less(rwa_network *net, const rwa_faults *faults)
{
    rwa_network *out = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&out, net, faults, NULL), RWA_OK);
    rwa_network_free(net);
    return out;
}

static void on_what_is_left(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_REDUCE_SCATTER};
    static const uint32_t link = 2, channel = 1;
    static const rwa_faults faults[] = {{NULL, 0, &link, 1, 0}, {&channel, 1, NULL, 0, 0}};
    uint64_t seed = 3;
    for (unsigned i = 0; i < 150; i++) {
        uint32_t nodes = 6 + (uint32_t)base_random_below(&seed, 30), members[36], count = 0;
        rwa_plan_options o = with_drops(2 + (uint32_t)base_random_below(&seed, 5));
        char spec[32];
        snprintf(spec, sizeof spec, "ring:%u", nodes);
        rwa_network *net = network_of(spec, 2 + (uint32_t)base_random_below(&seed, 5));
        for (uint32_t v = 0; v < nodes; v++)
            if (v % 3 != 1)
                members[count++] = v;
        o.max_hops = base_random_below(&seed, 2) ? 0 : 3 + (uint32_t)base_random_below(&seed, 5);
        o.members = i % 4 == 3 ? members : NULL;
        o.stripes = i % 8 == 4 ? 2 : 0;
        if (i % 4 == 1 || i % 4 == 2)
            net = less(net, &faults[i % 4 - 1]);
        in_part(net, kinds[i % 3], &o, o.members ? count : nodes);
        rwa_network_free(net);
    }
}

/* Auto takes what is quickest, which here is the tapped wavefront; a scheme that taps nothing is not asked to in vain. */
static void auto_lets_it_win(void)
{
    rwa_network *net = network_of("ring:64", 8);
    rwa_plan_options o = with_drops(5);
    o.scheme = "auto";
    rwa_plan *p = tapped(net, RWA_ALL_GATHER, &o, 64);
    CU_ASSERT_EQUAL(rwa_plan_summary(p)->steps, rwa_plan_summary(p)->bound.value);
    CU_ASSERT(rwa_plan_summary(p)->receivers > 1);
    rwa_plan_free(p);
    o.scheme = "ring";
    expect_refused(net, RWA_ALL_GATHER, &o, 64);
    rwa_network_free(net);
}

/* One who reads on the way and one at the end: the reduction reversed has both to feed one lightpath, so it is not tapped. */
static void an_all_reduce_taps_its_second_half(void)
{
    rwa_network *net = network_of("ring:64", 8);
    rwa_plan_options o = with_drops(5), alone = with_drops(1);
    rwa_plan *p = tapped(net, RWA_ALL_REDUCE, &o, 64), *gather = tapped(net, RWA_ALL_GATHER, &o, 64);
    rwa_plan *scatter = tapped(net, RWA_REDUCE_SCATTER, &alone, 64);
    const rwa_schedule *sched = rwa_plan_schedule(p);
    CU_ASSERT_EQUAL(rwa_plan_summary(p)->steps, rwa_plan_summary(gather)->steps + rwa_plan_summary(scatter)->steps);
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath lp;
        rwa_lists lists;
        rwa_schedule_get(&lp, sched, i);
        rwa_schedule_lists(&lists, sched, i);
        CU_ASSERT(lp.op == RWA_COPY || lists.tap_count == 0);
    }
    rwa_plan_free(p);
    rwa_plan_free(gather);
    rwa_plan_free(scatter);
    rwa_network_free(net);
}

/** On a built-in device. */
static rwa_plan *lit(const rwa_network *net, const char *name, uint32_t drops, uint32_t nodes)
{
    rwa_device *device = NULL;
    rwa_plan_options o = with_drops(drops);
    CU_ASSERT_EQUAL_FATAL(rwa_device_open(&device, name, NULL), RWA_OK);
    o.device = device;
    rwa_plan *p = tapped(net, RWA_ALL_GATHER, &o, nodes);
    rwa_device_free(device);
    return p;
}

/* Light that is shared is looked at; where it does not suffice fewer share it, at last none, as if nothing had been allowed. */
static void no_more_read_than_the_light_allows(void)
{
    rwa_network *net = network_of("ring:64", 8), *wide = network_of("ring:128", 16);
    rwa_plan *p = lit(net, "onoc-typical", 5, 64), *alone = lit(wide, "aggressive", 1, 128), *many = lit(wide, "aggressive", 64, 128);
    const rwa_plan_report *s = rwa_plan_summary(p), *a = rwa_plan_summary(alone), *m = rwa_plan_summary(many);
    CU_ASSERT(s->outcome == RWA_OPTIMAL && s->receivers > 1 && s->check->power.verdict == RWA_PASS && s->check->power_checked);
    CU_ASSERT(a->check->power.verdict == RWA_PASS && m->check->power.verdict == RWA_PASS);
    CU_ASSERT(m->steps <= a->steps && m->receivers < 64 && m->bound.value <= a->bound.value);
    rwa_plan_free(p);
    rwa_plan_free(alone);
    rwa_plan_free(many);
    rwa_network_free(net);
    rwa_network_free(wide);
}

/* With few ports a node cannot read all that taps would bring: it must do no worse than without them. */
static void few_ports_lose_nothing(void)
{
    static const uint32_t cases[][4] = {{14, 3, 4, 2}, {52, 16, 20, 2}, {56, 6, 9, 5}, {68, 2, 3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[32];
        rwa_network_options no;
        rwa_network *net = NULL;
        rwa_plan_options o = with_drops(cases[i][3]);
        snprintf(spec, sizeof spec, "ring:%u", cases[i][0]);
        rwa_network_options_init(&no);
        no.wavelengths = cases[i][1];
        no.ports = cases[i][2];
        CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &no, NULL), RWA_OK);
        in_part(net, RWA_ALL_GATHER, &o, cases[i][0]);
        rwa_network_free(net);
    }
}

/* Taps as far as ports allow: without them 8, 13 and 20 steps are the fewest that are found, with them none is wasted. */
static void few_ports_are_used(void)
{
    static const uint32_t cases[][5] = {{40, 4, 6, 3, 7}, {64, 4, 6, 3, 11}, {100, 4, 6, 4, 17}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[32];
        rwa_network_options no;
        rwa_network *net = NULL;
        rwa_plan_options o = with_drops(cases[i][3]), alone = with_drops(1);
        snprintf(spec, sizeof spec, "ring:%u", cases[i][0]);
        rwa_network_options_init(&no);
        no.wavelengths = cases[i][1];
        no.ports = cases[i][2];
        CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &no, NULL), RWA_OK);
        rwa_plan *p = tapped(net, RWA_ALL_GATHER, &o, cases[i][0]), *plain = tapped(net, RWA_ALL_GATHER, &alone, cases[i][0]);
        const rwa_plan_report *s = rwa_plan_summary(p);
        CU_ASSERT(s->check->ok && s->outcome == RWA_OPTIMAL && s->receivers > 1);
        CU_ASSERT_EQUAL(s->steps, cases[i][4]);
        CU_ASSERT(s->steps < rwa_plan_summary(plain)->steps);
        rwa_plan_free(p);
        rwa_plan_free(plain);
        rwa_network_free(net);
    }
}

/* Six nodes, the third link: each of three below it needs two lightpaths for the three beyond, when two read each, so one step
   takes 6 channels there; all other links take less. */
static void one_step_on_a_line(void)
{
    for (uint32_t channels = 5; channels <= 6; channels++) {
        rwa_network *net = network_of("line:6", channels);
        rwa_plan_options o = with_drops(2);
        o.scheme = "line-wavefront";
        rwa_plan *p = tapped(net, RWA_ALL_GATHER, &o, 6);
        CU_ASSERT_EQUAL(rwa_plan_summary(p)->steps, channels == 5 ? 2 : 1);
        CU_ASSERT_EQUAL(rwa_plan_summary(p)->outcome, RWA_OPTIMAL);
        rwa_plan_free(p);
        rwa_network_free(net);
    }
}

/* An end takes in a block for each channel of its link in a step, and with taps that is nearly all there is to it. */
static void lines_take_what_their_ends_allow(void)
{
    static const uint32_t cases[][3] = {{5, 4, 2}, {12, 3, 2}, {20, 3, 3}, {33, 4, 4}, {64, 8, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases - !thorough; i++) {
        char spec[32];
        snprintf(spec, sizeof spec, "line:%u", cases[i][0]);
        rwa_network *net = network_of(spec, cases[i][1]);
        rwa_plan_options o = with_drops(cases[i][2]), alone = with_drops(1);
        o.scheme = alone.scheme = "line-wavefront";
        rwa_plan *p = tapped(net, RWA_ALL_GATHER, &o, cases[i][0]), *plain = tapped(net, RWA_ALL_GATHER, &alone, cases[i][0]);
        const rwa_plan_report *s = rwa_plan_summary(p);
        CU_ASSERT(s->check->ok && s->outcome == RWA_OPTIMAL && s->steps == (cases[i][0] - 1 + cases[i][1] - 1) / cases[i][1]);
        CU_ASSERT(s->receivers <= cases[i][2] && s->steps <= rwa_plan_summary(plain)->steps);
        rwa_plan_free(p);
        rwa_plan_free(plain);
        rwa_network_free(net);
    }
}

/* Both sides meet: every plan is as short as the bound, which brute force and closed forms confirm elsewhere. */
static void small_lines_are_at_the_bound(void)
{
    for (uint32_t nodes = 3; nodes <= 13; nodes += 2)
        for (uint32_t channels = 2; channels <= 5; channels++)
            for (uint32_t drops = 2; drops <= 4; drops++) {
                char spec[32];
                snprintf(spec, sizeof spec, "line:%u", nodes);
                rwa_network *net = network_of(spec, channels);
                rwa_plan_options o = with_drops(drops);
                o.scheme = "line-wavefront";
                rwa_plan *p = tapped(net, RWA_ALL_GATHER, &o, nodes);
                CU_ASSERT_EQUAL(rwa_plan_summary(p)->steps, rwa_plan_summary(p)->bound.value);
                rwa_plan_free(p);
                rwa_network_free(net);
            }
}

/* Lines by themselves and as what is left of rings, with hop limits, few ports, members and reserved channels. */
static void on_lines(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_REDUCE_SCATTER};
    static const uint32_t link = 2, channel = 1;
    static const rwa_faults faults[] = {{NULL, 0, &link, 1, 0}, {&channel, 1, NULL, 0, 0}};
    uint64_t seed = 5;
    for (unsigned i = 0; i < 60; i++) {
        uint32_t nodes = 4 + (uint32_t)base_random_below(&seed, 14), members[36], count = 0;
        rwa_plan_options o = with_drops(2 + (uint32_t)base_random_below(&seed, 4));
        rwa_network_options no;
        rwa_network *net = NULL;
        char spec[32];
        snprintf(spec, sizeof spec, i % 5 == 1 ? "ring:%u" : "line:%u", nodes);
        rwa_network_options_init(&no);
        no.wavelengths = 2 + (uint32_t)base_random_below(&seed, 5);
        no.ports = i % 5 == 4 ? 1 + (uint32_t)base_random_below(&seed, 2 * no.wavelengths) : 0;
        CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &no, NULL), RWA_OK);
        for (uint32_t v = 0; v < nodes; v++)
            if (v % 3 != 1)
                members[count++] = v;
        o.scheme = "line-wavefront";
        o.max_hops = base_random_below(&seed, 2) ? 0 : 3 + (uint32_t)base_random_below(&seed, 5);
        o.members = i % 5 == 3 ? members : NULL;
        if (i % 5 == 1 || i % 5 == 2)
            net = less(net, &faults[i % 5 - 1]);
        in_part(net, kinds[i % 3], &o, o.members ? count : nodes);
        rwa_network_free(net);
    }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(the_bound_is_met), TEST(on_what_is_left), TEST(auto_lets_it_win),
        TEST(an_all_reduce_taps_its_second_half), TEST(no_more_read_than_the_light_allows),
        TEST(few_ports_lose_nothing), TEST(few_ports_are_used), TEST(one_step_on_a_line), TEST(lines_take_what_their_ends_allow),
        TEST(small_lines_are_at_the_bound), TEST(on_lines), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("taps", tests);
}
