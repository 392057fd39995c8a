/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checker times whole orbits by one lightpath each; the time must be that of the same lightpaths, one by one, by its definition. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <string.h>

enum { NODES = 10, WAVELENGTHS = 5, STEPS = 9, RECORDS = 5, MOST = 4000 };

/* All lightpaths of a schedule on a ring of NODES nodes, one by one. */
struct one {
    uint32_t step, src, dst, channel, hops, tap;   /* tap: seen from the source; 0: none */
    rwa_direction direction;
};

struct all {
    struct one at[MOST];
    size_t count;
};

static uint32_t hops_of(const rwa_lightpath *lp)
{
    return (lp->direction == RWA_CW ? lp->dst + NODES - lp->src : lp->src + NODES - lp->dst) % NODES;
}

static uint32_t first_link(const struct one *o)
{
    return o->direction == RWA_CW ? o->src : o->dst;
}

static bool share_channel(const struct one *a, const struct one *b)
{
    uint32_t from_a = (first_link(a) + NODES - first_link(b)) % NODES, from_b = (NODES - from_a) % NODES;
    return a->direction == b->direction && a->channel == b->channel && (from_a < b->hops || from_b < a->hops);
}

static bool is_same(const struct one *a, const struct one *b)
{
    return a->src == b->src && a->dst == b->dst && a->channel == b->channel && a->direction == b->direction && a->tap == b->tap;
}

/* Lightpath `turn` of a record, from the definition of orbits in docs/formats.md. */
static struct one one_of(const rwa_lightpath *record, uint32_t tap, uint32_t turn)
{
    uint32_t channel = record->wavelength;
    if (record->orbit > 1)
        channel = (channel + turn) % record->period;
    return (struct one){record->step, (record->src + turn) % NODES, (record->dst + turn) % NODES, channel, hops_of(record), tap,
                        record->direction};
}

/* @return whether no channel of the record is taken in its step; only then are its lightpaths added */
static bool add_to(struct all *all, const rwa_lightpath *record, uint32_t tap)
{
    size_t before = all->count;
    for (uint32_t turn = 0; turn < record->orbit; turn++) {
        struct one next = one_of(record, tap, turn);
        for (size_t i = 0; i < all->count; i++)
            if (all->at[i].step == next.step && share_channel(&all->at[i], &next)) {
                all->count = before;
                return false;
            }
        all->at[all->count++] = next;
    }
    return true;
}

/* A step of one block of 1000 bytes: 200 ns, and 8 packets of 4 flits of 1 ns. */
static double by_definition(const struct all *all, const rwa_cost_options *o, uint32_t steps)
{
    double end[STEPS + NODES + 1] = {0};
    for (uint32_t step = 1; step <= steps; step++) {
        double ready = step == 1 ? o->reconfig_s : 0, begin = end[step - 1] + o->alpha_s;
        bool any = step == 1;
        for (const struct one *a = all->at; a < all->at + all->count; a++) {
            bool new = a->step == step;
            for (const struct one *b = all->at; b < all->at + all->count && new; b++)
                new = b->step != step - 1 || !is_same(a, b);
            any = any || new;
            for (const struct one *b = all->at; b < all->at + all->count && new; b++)
                if (b->step < step && share_channel(a, b))
                    ready = fmax(ready, end[b->step] + o->reconfig_s);
            ready = new ? fmax(ready, o->reconfig_s) : ready;
        }
        begin = o->model == RWA_COST_OVERLAP ? fmax(begin, ready) : begin + (any ? o->reconfig_s : 0);
        end[step] = begin + 200e-9 + 32e-9;
    }
    return end[steps];
}

/* The shapes of random records: mostly one period, so that whole orbits meet, and some of another or of a part of the nodes. */
static rwa_lightpath random_record(uint32_t step, uint32_t period, uint32_t strange, uint64_t *state)
{
    uint32_t src = (uint32_t)base_random_below(state, NODES), hops = 1 + (uint32_t)base_random_below(state, 3);
    rwa_lightpath lp = {.step = step, .src = src, .orbit = NODES, .period = period, .direction = RWA_CW};
    if (base_random_below(state, 10) < strange) {
        lp.orbit = 1 + (uint32_t)base_random_below(state, NODES);
        lp.period = 1 + (uint32_t)base_random_below(state, WAVELENGTHS);
    }
    if (base_random_below(state, 2))
        lp.direction = RWA_CCW;
    lp.wavelength = (uint32_t)base_random_below(state, lp.period);
    lp.dst = (src + (lp.direction == RWA_CW ? hops : NODES - hops)) % NODES;
    lp.block = src;
    return lp;
}

/* The record, counted from another of its lightpaths; of a whole orbit whose period divides the nodes it is the same orbit. */
static rwa_lightpath turned(const rwa_lightpath *record, uint32_t step, uint32_t turn)
{
    struct one first = one_of(record, 0, turn);
    rwa_lightpath lp = *record;
    lp.step = step;
    lp.src = first.src;
    lp.dst = first.dst;
    lp.wavelength = first.channel;
    lp.block = lp.src;
    return lp;
}

static bool add(rwa_schedule *sched, struct all *all, const rwa_lightpath *lp, bool tapped)
{
    uint32_t after = (lp->src + (lp->direction == RWA_CW ? 1 : NODES - 1)) % NODES;
    bool taps = tapped && hops_of(lp) > 1;
    rwa_lists lists = {.taps = &after, .tap_count = 1};
    if (!add_to(all, lp, taps ? 1 : 0))
        return false;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(sched, lp, taps ? &lists : NULL, NULL), RWA_OK);
    return true;
}

/* Every node passes on what it got last: after NODES - 1 steps all hold all. */
static uint32_t complete(rwa_schedule *sched, struct all *all, uint32_t step, uint32_t period)
{
    for (uint32_t k = 0; k + 1 < NODES; k++) {
        rwa_lightpath lp = {.step = step + k, .dst = 1, .block = (NODES - k) % NODES, .orbit = NODES, .period = period};
        add(sched, all, &lp, false);
    }
    return step + NODES - 2;
}

static double checked(const rwa_schedule *sched, const rwa_cost_options *cost)
{
    rwa_check_options opts;
    rwa_check *check = NULL;
    rwa_check_options_init(&opts);
    opts.cost = cost;
    CU_ASSERT_EQUAL_FATAL(rwa_check_schedule(&check, sched, &opts, NULL), RWA_OK);
    CU_ASSERT_TRUE_FATAL(rwa_check_summary(check)->ok);
    double seconds = rwa_check_summary(check)->time_s;
    rwa_check_free(check);
    return seconds;
}

static void agrees(const rwa_schedule *sched, const struct all *all, const rwa_cost_options *cost)
{
    rwa_schedule *plain = NULL;
    double expected = by_definition(all, cost, rwa_schedule_steps(sched)), planned = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&plain, sched, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_cost_schedule(&planned, sched, cost, NULL), RWA_OK);
    CU_ASSERT_DOUBLE_EQUAL(checked(sched, cost), expected, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(checked(plain, cost), expected, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(planned, expected, 1e-15);
    rwa_schedule_free(plain);
}

static void random_schedule(const rwa_network *net, uint32_t period, uint32_t strange, uint64_t *state)
{
    static struct all all;
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_cost_options cost;
    rwa_lightpath last = random_record(1, period, 0, state);
    bool last_tapped = false;
    uint32_t step = 1, steps = 1 + (uint32_t)base_random_below(state, STEPS);
    all.count = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, NODES, 0, 1000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    for (; step <= steps; step++)
        for (uint64_t k = 0, count = 1 + base_random_below(state, RECORDS); k < count;) {
            rwa_lightpath again = turned(&last, step, (uint32_t)base_random_below(state, last.orbit));
            bool repeats = base_random_below(state, 2);
            last = repeats ? again : random_record(step, period, strange, state);
            last_tapped = repeats ? last_tapped : base_random_below(state, 2);
            k += add(sched, &all, &last, last_tapped) || k > 0; /* no step is empty */
        }
    complete(sched, &all, step, period);
    rwa_cost_options_init(&cost);
    cost.alpha_s = base_random_below(state, 2) ? 1e-6 : 1e-7;
    cost.reconfig_s = base_random_below(state, 2) ? 25e-6 : 1e-6;
    for (int model = RWA_COST_CIRCUIT; model <= RWA_COST_OVERLAP; model++) {
        cost.model = (rwa_cost_model)model;
        agrees(sched, &all, &cost);
    }
    rwa_schedule_free(sched);
}

/* Periods 1, 2 and 5 divide the nodes, 3 and 4 do not: a node further on their orbits are others. */
static void random_orbits_take_the_time_of_their_lightpaths(void)
{
    uint64_t state = 16;
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.wavelengths = WAVELENGTHS;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, NODES, &o, NULL), RWA_OK);
    for (uint32_t trial = 0; trial < 400; trial++)
        random_schedule(net, trial % 5 + 1, trial % 6 * 2, &state);
    rwa_network_free(net);
}

/* 131,072 orbits of 1024 lightpaths: the checker must not look at each of 134 million lightpaths.  The times are of the definition:
 * nothing is tuned after the first step, which repeats. */
static void a_large_schedule_of_orbits_takes_little_work(void)
{
    enum { MANY = 1024, W = 64, HALF = MANY / 2 };
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_cost_options cost;
    rwa_network_options_init(&o);
    o.wavelengths = W;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, MANY, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, MANY, 0, W * 1000, W * MANY, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    for (uint32_t step = 1; step < MANY; step++)
        for (uint32_t c = 0; c < W; c++) {
            rwa_lightpath lp = {.step = step, .dst = 1, .wavelength = c, .block = (uint64_t)(MANY - step + 1) % MANY * W + c, .orbit = MANY,
                                .period = W};
            CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
        }
    rwa_cost_options_init(&cost);
    cost.alpha_s = 1e-6;
    for (int model = RWA_COST_CIRCUIT; model <= RWA_COST_OVERLAP; model++) {
        cost.model = (rwa_cost_model)model;
        double first_s = model == RWA_COST_CIRCUIT ? cost.alpha_s + cost.reconfig_s : cost.reconfig_s;
        CU_ASSERT_DOUBLE_EQUAL(checked(sched, &cost), first_s + (MANY - 2) * cost.alpha_s + (MANY - 1) * 232e-9, 1e-12);
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

static rwa_schedule *broadcast_after_a_pause(const rwa_network *net)
{
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_lightpath first = {.step = 2, .src = 0, .dst = 1, .orbit = 1}, second = {.step = 3, .src = 1, .dst = 2, .orbit = 1};
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, 3, 0, 1000, 1, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &first, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &second, NULL), RWA_OK);
    return sched;
}

/* docs/formats.md, "Time": step 1 begins at max(alpha, r) in `overlap` and alpha + r in `circuit`, also when it is empty.  Nothing is
   in use before steps 2 and 3, which retune meanwhile in `overlap`. */
static void an_empty_first_step_begins_like_any_first_step(void)
{
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_cost_options cost;
    rwa_network_options_init(&o);
    o.wavelengths = o.ports = o.tuning = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RON, 3, &o, NULL), RWA_OK);
    rwa_schedule *sched = broadcast_after_a_pause(net);
    double send_s = 8 * 1000 / rwa_network_rate_bps(net) + 8 * 4e-9;
    rwa_cost_options_init(&cost);
    cost.reconfig_s = 25e-6;
    for (int slow = 0; slow <= 1; slow++) {
        double begin_s[3], end_s[3], later_s = slow ? 40e-6 : cost.reconfig_s;
        cost.alpha_s = slow ? 40e-6 : 1e-6;
        cost.model = RWA_COST_OVERLAP;
        CU_ASSERT_DOUBLE_EQUAL(checked(sched, &cost), later_s + 2 * cost.alpha_s + 3 * send_s, 1e-15);
        CU_ASSERT_EQUAL_FATAL(rwa_cost_step_times(begin_s, end_s, sched, rwa_network_rate_bps(net), &cost, NULL), RWA_OK);
        CU_ASSERT_DOUBLE_EQUAL(begin_s[0], later_s, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(end_s[2], later_s + 2 * cost.alpha_s + 3 * send_s, 1e-15);
        cost.model = RWA_COST_CIRCUIT;
        CU_ASSERT_DOUBLE_EQUAL(checked(sched, &cost), 3 * (cost.alpha_s + cost.reconfig_s + send_s), 1e-15);
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {TEST(random_orbits_take_the_time_of_their_lightpaths),
                                        TEST(a_large_schedule_of_orbits_takes_little_work),
                                        TEST(an_empty_first_step_begins_like_any_first_step), {NULL, NULL}};
    return run_tests("timing", tests);
}
