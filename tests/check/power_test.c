/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rings the checker takes as tuned in a step, against sets straight from the definition in
 * docs/reference/formats.md ("Time", Power), with the physics of the library.
 */
#include "tests/check/failures.h"

#include "check/physics/rings.h"
#include "power/power.h"

/* The steps in which lightpaths are tuned together with those of a step. */
struct span {
    uint32_t first, last;
};

static struct span epoch_of(struct judge *j, uint32_t step)
{
    struct span span = {1, j->story->steps};
    for (uint32_t s = 1; s <= j->story->steps; s++)
        if (begins_epoch(j, s, span.first)) {
            if (s > step)
                return (struct span){span.first, s - 1};
            span.first = s;
        }
    return span;
}

static struct span tuned_from(struct judge *j, uint32_t step)
{
    struct span span = {step, step};
    while (span.last < j->story->steps && apart(j, span.last + 1) < step)
        span.last++;
    return span;
}

/* Whether a resource of a lightpath, last used in step `from`, went to others by step `to`: as many users came as there
 * is place for. Of ports that rested equally long it is open which is retuned, so that all count as kept. */
static bool has_lost(const struct judge *j, size_t id, uint32_t from, uint32_t to)
{
    for (size_t p = 0; p < j->count; p++) {
        static bool seen[USES_MOST];
        const struct use *place = &j->use[p];
        uint32_t users = 0;
        if (j->id[place->record] != id || place->step != from)
            continue;
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < j->count; i++) {
            const struct use *u = &j->use[i];
            if (u->place_number != place->place_number || u->step <= from || u->step > to || seen[u->user_number])
                continue;
            seen[u->user_number] = true;
            users++;
        }
        if (users >= place->fits)
            return true;
    }
    return false;
}

/* Whether a lightpath that is not in the step is tuned in it all the same. */
static bool is_tuned(const struct judge *j, size_t id, uint32_t step, const struct span *span, rwa_cost_model model)
{
    const struct story *s = j->story;
    uint32_t before = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (j->id[i] == id && s->at[i].step >= span->first && s->at[i].step <= span->last)
            return true;
        if (j->id[i] == id && s->at[i].step < step)
            before = s->at[i].step;
    }
    return model == RWA_COST_OVERLAP && before > 0 && !has_lost(j, id, before, span->last);
}

struct light {
    rwa_lightpath list[MOST];
    uint32_t tap[MOST * HOPS_MOST];
    size_t first[MOST + 1], count;
};

static void add_light(struct light *l, const struct story *s, const struct one *o)
{
    size_t end = l->first[l->count];
    l->list[l->count++] = lightpath_in(s, o);
    for (uint32_t k = 0; k < o->tap_count; k++)
        l->tap[end++] = o->tap[k];
    l->first[l->count] = end;
}

/* The lightpaths that fail, the worst first: the more lacking margin, then the more bit errors. */
static size_t failing[MOST], failing_count;
static float severity[MOST];

static void add_failing(size_t number, const rwa_power *p)
{
    float worse = (float)(p->budget == RWA_FAIL ? fmax(0, -p->margin_db) : p->log10_ber);
    size_t at = failing_count++;
    for (; at > 0 && severity[at - 1] < worse; at--) {
        failing[at] = failing[at - 1];
        severity[at] = severity[at - 1];
    }
    failing[at] = number;
    severity[at] = worse;
}

static rwa_power_report by_definition_of_power(const struct story *s, const rwa_device *device, rwa_cost_model model)
{
    static struct judge j;
    static struct light l;
    static rwa_power power[MOST];
    rwa_power_report report;
    uint64_t index = 0;
    failing_count = 0;
    judge_open(&j, s);
    power_report_init(&report);
    for (uint32_t step = 1; step <= s->steps; step++) {
        struct span span = model == RWA_COST_CIRCUIT   ? epoch_of(&j, step)
                           : model == RWA_COST_OVERLAP ? tuned_from(&j, step)
                                                       : (struct span){step, step};
        bool sends[MOST] = {false};
        double most_dbm;
        l.count = 0;
        for (size_t i = 0; i < s->count; i++)
            if (s->at[i].step == step) {
                add_light(&l, s, &s->at[i]);
                sends[j.id[i]] = true;
            }
        size_t lit = l.count;
        for (size_t i = 0; i < s->count; i++)
            if (j.id[i] == i && !sends[i] && is_tuned(&j, i, step, &span, model))
                add_light(&l, s, &s->at[i]);
        struct power_taps taps = {l.tap, l.first};
        OK(power_step(power, &most_dbm, device, RWA_POWER_RINGS, s->net, l.list, &taps, l.count, lit, NULL, NULL));
        power_report_add(&report, device, step, index, power, lit);
        report.waveguide_max_dbm = fmax(report.waveguide_max_dbm, most_dbm);
        for (size_t i = 0; i < lit; i++)
            if (power[i].budget == RWA_FAIL || power[i].crosstalk == RWA_FAIL)
                add_failing(index + i, &power[i]);
        index += lit;
    }
    return report;
}

static bool near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fabs(a)) || (isnan(a) && isnan(b));
}

/* @return whether the power was checked */
static bool agrees(const rwa_schedule *sched, const struct story *s, const rwa_device *device, rwa_cost_model model)
{
    rwa_check_options opts;
    rwa_cost_options cost;
    rwa_check *check = NULL;
    rwa_check_options_init(&opts);
    rwa_cost_options_init(&cost);
    cost.model = model;
    opts.cost = &cost;
    opts.device = device;
    OK(rwa_check_schedule(&check, sched, &opts, NULL));
    const rwa_check_report *found = rwa_check_summary(check);
    bool checked = found->power_unchecked == NULL;
    if (checked) {
        rwa_power_report expected = by_definition_of_power(s, device, model);
        const rwa_power_report *p = &found->power;
        CU_ASSERT_EQUAL(found->violations, found->by_kind[RWA_VIOLATION_POWER]);
        CU_ASSERT_EQUAL(found->violations, expected.failing);
        CU_ASSERT(p->verdict == expected.verdict && p->failing == expected.failing);
        CU_ASSERT(p->worst_step == expected.worst_step && p->worst_lightpath == expected.worst_lightpath);
        CU_ASSERT(near(p->worst_loss_db, expected.worst_loss_db) && near(p->margin_db, expected.margin_db));
        CU_ASSERT(near(p->worst_snr_db, expected.worst_snr_db) && near(p->worst_log10_ber, expected.worst_log10_ber));
        CU_ASSERT(near(p->waveguide_max_dbm, expected.waveguide_max_dbm));
        /* the worst are named first, of equal ones those that come first */
        for (size_t i = 0; i < found->named; i++)
            CU_ASSERT(found->first[i].lightpath == failing[i] && found->first[i].step == s->at[failing[i]].step);
    } else {
        CU_ASSERT_NOT_EQUAL(found->power.verdict, RWA_PASS);
    }
    rwa_check_free(check);
    return checked;
}

static void rings_of_an_epoch_are_tuned_together(void)
{
    static const char *const specs[] = {"ring:6", "ring:9", "line:6"};
    static struct story s;
    seed = 9;
    uint32_t checked = 0, failed = 0;
    rwa_device *device = device_named("onoc-typical");
    double laser_dbm = device->laser_dbm;
    for (uint32_t trial = 0; trial < 240; trial++) {
        rwa_network *net = random_network(specs[trial % 3]);
        random_story(&s, net, trial / 3 % 3 == 1);
        if (any(3) == 0)
            cut(&s);
        rwa_schedule *sched = failing_schedule_of(&s);
        device->laser_dbm = laser_dbm;
        double margin_db = by_definition_of_power(&s, device, RWA_COST_CIRCUIT).margin_db;
        device->laser_dbm -=
            margin_db + (any(1000) + 0.5) / 1000;   /* so little that only some fail */
        for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
            checked += agrees(sched, &s, device, (rwa_cost_model)model);
            failed += failing_count > 0 && failing_count < s.count;
        }
    }
    CU_ASSERT_TRUE(checked > 640);  /* of 720: a failure may come before steps that only repeat lightpaths */
    CU_ASSERT_TRUE(failed > 100);
}

/* Steps of two lightpaths of two links, on the same two wavelengths: their crosstalk follows from where they are, so
 * the figures of the step before hold only if their lightpaths are the same. */
static void only_equal_steps_have_equal_power(void)
{
    static struct story s;
    rwa_device *device = device_named("conservative");
    seed = 5;
    for (uint32_t trial = 0; trial < 40; trial++) {
        rwa_network *net = network_on("ring:9 w=2");
        s = (struct story){.net = net};
        uint32_t step = flood(&s, 1);
        for (uint32_t last = step + 6; step < last; step++)
            for (uint32_t channel = 0; channel < 2; channel++) {
                uint32_t src = any(9);
                struct one o = {.step = step,
                                .node = {src, (src + 1) % 9, (src + 2) % 9},
                                .hops = 2,
                                .blocks = 1,
                                .channel = channel};
                CU_ASSERT_TRUE_FATAL(add_one(&s, &o));
            }
        s.steps = step - 1;
        CU_ASSERT_TRUE(agrees(schedule_of(&s, net), &s, device, RWA_COST_PAPER));
    }
}

TESTS("power of epochs", rings_of_an_epoch_are_tuned_together, only_equal_steps_have_equal_power)
