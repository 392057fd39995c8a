/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time that the checker finds, and that of lib/cost, against a second judge: straight from the definition in
 * docs/reference/formats.md ("Time"), by sets of users of each resource between each pair of steps, on lightpaths written
 * out.  The checker keeps the last users of each resource instead, and times whole orbits by the links of a few nodes.
 */
#include "tests/check/epochs.h"

/* ---- the checker ---- */

static double checked(const rwa_schedule *sched, const rwa_cost_options *cost)
{
    rwa_check_options opts;
    rwa_check *check = NULL;
    rwa_check_options_init(&opts);
    opts.cost = cost;
    CU_ASSERT_EQUAL_FATAL(rwa_check_schedule(&check, sched, &opts, NULL), RWA_OK);
    const rwa_check_report *report = rwa_check_summary(check);
    if (!report->ok)
        fprintf(stderr, "%s\n", report->first[0].text);
    CU_ASSERT_TRUE_FATAL(report->ok);
    double seconds = report->time_s;
    rwa_check_free(check);
    return seconds;
}

static void agrees(const rwa_schedule *sched, const struct story *s, uint64_t *state)
{
    rwa_cost_options cost;
    rwa_cost_options_init(&cost);
    cost.alpha_s = base_random_below(state, 2) ? 1e-6 : 1e-7;
    cost.reconfig_s = base_random_below(state, 2) ? 25e-6 : 1e-6;
    for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
        cost.model = (rwa_cost_model)model;
        double defined_s = by_definition(s, &cost), cost_s = 0;
        CU_ASSERT_EQUAL_FATAL(rwa_cost_schedule(&cost_s, sched, &cost, NULL), RWA_OK);
        CU_ASSERT_DOUBLE_EQUAL_FATAL(cost_s, defined_s, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL_FATAL(checked(sched, &cost), defined_s, 1e-12);
    }
}

static void random_schedules_take_the_time_of_the_definition(void)
{
    static struct story s;
    uint64_t state = 7;
    for (uint32_t trial = 0; trial < 2700; trial++) {
        rwa_network *net = random_network(kinds[trial % KINDS], &state);
        random_story(&s, net, trial / KINDS % 3 == 1, &state);
        if (base_random_below(&state, 4) == 0)
            cut(&s, &state);
        rwa_schedule *sched = schedule_of(&s);
        agrees(sched, &s, &state);
        rwa_schedule_free(sched);
        rwa_network_free(net);
    }
}

/* ---- what follows from the definition ---- */

static double time_of(const struct story *s, rwa_cost_model model, double alpha_s, double reconfig_s)
{
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    o.model = model;
    o.alpha_s = alpha_s;
    o.reconfig_s = reconfig_s;
    return by_definition(s, &o);
}

static void turn_back(struct story *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->at[i].step = s->steps + 1 - s->at[i].step;
}

/* Steps first … last, from step 1 on. */
static void take_part(struct story *s, uint32_t first, uint32_t last)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->at[i].step >= first && s->at[i].step <= last) {
            s->at[kept] = s->at[i];
            s->at[kept++].step -= first - 1;
        }
    s->count = kept;
    s->steps = last - first + 1;
}

static void leave_out(struct story *s, uint64_t *state)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (base_random_below(state, 3) > 0)
            s->at[kept++] = s->at[i];
    s->count = kept;
}

/* The users of a resource in a part of the steps, or of the lightpaths, are some of those in all; the models are the same backwards in
 * time since the steps that fit are. */
static void the_models_are_ordered_and_monotone(void)
{
    static struct story s, other;
    uint64_t state = 8;
    double slack = 1e-12;
    for (uint32_t trial = 0; trial < 900; trial++) {
        rwa_network *net = random_network(kinds[trial % KINDS], &state);
        double alpha_s = base_random_below(&state, 2) ? 1e-6 : 0, r_s = base_random_below(&state, 2) ? 25e-6 : 1e-6, time_s[3];
        random_story(&s, net, false, &state);
        time_s[RWA_COST_PAPER] = time_of(&s, RWA_COST_PAPER, 0, alpha_s + r_s);
        time_s[RWA_COST_CIRCUIT] = time_of(&s, RWA_COST_CIRCUIT, alpha_s, r_s);
        time_s[RWA_COST_OVERLAP] = time_of(&s, RWA_COST_OVERLAP, alpha_s, r_s);
        CU_ASSERT_TRUE(time_s[RWA_COST_OVERLAP] <= time_s[RWA_COST_CIRCUIT] + slack);
        CU_ASSERT_TRUE(time_s[RWA_COST_CIRCUIT] <= time_s[RWA_COST_PAPER] + slack);
        for (int model = RWA_COST_CIRCUIT; model <= RWA_COST_OVERLAP; model++) {
            uint32_t first = 1 + (uint32_t)base_random_below(&state, s.steps);
            other = s;
            turn_back(&other);
            CU_ASSERT_DOUBLE_EQUAL(time_of(&other, (rwa_cost_model)model, alpha_s, r_s), time_s[model], slack);
            other = s;
            take_part(&other, first, first + (uint32_t)base_random_below(&state, s.steps - first + 1));
            CU_ASSERT_TRUE(time_of(&other, (rwa_cost_model)model, alpha_s, r_s) <= time_s[model] + slack);
            other = s;
            leave_out(&other, &state);
            CU_ASSERT_TRUE(time_of(&other, (rwa_cost_model)model, alpha_s, r_s) <= time_s[model] + slack);
        }
        rwa_network_free(net);
    }
}

/* ---- orbits ---- */

/* The node next to another along a dimension of a shape of two, or of a ring. */
static uint32_t beside(const uint32_t shape[2], uint32_t node, uint32_t dimension, bool up)
{
    uint32_t at[2] = {node / shape[1], node % shape[1]};
    at[dimension] = (at[dimension] + (up ? 1 : shape[dimension] - 1)) % shape[dimension];
    return at[0] * shape[1] + at[1];
}

/* Records that are mostly whole orbits of one period, straight along a dimension; `strange` of ten are of another kind. */
static void random_record(rwa_lightpath *lp, struct one *o, const rwa_network *net, const uint32_t shape[2], uint32_t period,
                          uint32_t strange, uint64_t *state)
{
    uint32_t n = shape[0] * shape[1], channels = rwa_network_channels(net);
    uint32_t dimension = shape[0] > 1 ? (uint32_t)base_random_below(state, 2) : 1;
    bool odd = base_random_below(state, 10) < strange, up = base_random_below(state, 2), arcs = network_has_arcs(net);
    uint32_t turn = odd && !arcs ? 1 + (uint32_t)base_random_below(state, 2) : HOPS_MOST, hops = 1 + (uint32_t)base_random_below(state, 3);
    *o = (struct one){.node = {(uint32_t)base_random_below(state, n)}};
    for (; o->hops < hops && o->hops + 1 < shape[dimension]; o->hops++) {
        dimension = o->hops == turn ? 1 - dimension : dimension;
        o->node[o->hops + 1] = beside(shape, o->node[o->hops], dimension, up);
    }
    for (uint32_t h = 1; h < o->hops; h++)
        if (base_random_below(state, 3) == 0)
            o->tap[o->tap_count++] = o->node[h];
    *lp = (rwa_lightpath){.src = o->node[0], .dst = o->node[o->hops], .orbit = n, .period = period, .direction = up ? RWA_CW : RWA_CCW};
    if (odd && base_random_below(state, 2))
        lp->period = 1 + (uint32_t)base_random_below(state, channels);
    if (odd && base_random_below(state, 3) == 0)
        lp->orbit = arcs ? 1 + (uint32_t)base_random_below(state, n) : 1;
    lp->wavelength = (uint32_t)base_random_below(state, arcs ? lp->period : channels / lp->period * lp->period);
    lp->block = lp->src;
}

/* Take the channels of all lightpaths of a record in the step; false: some are taken, and none is then. */
static bool claim(bool busy[][NODES_MOST][NODES_MOST], const rwa_lightpath *lp, const struct one *o, const rwa_network *net,
                  const rwa_collective *coll)
{
    static bool before[NODES_MOST][NODES_MOST][NODES_MOST];
    memcpy(before, busy, sizeof before);
    for (uint32_t i = 0; i < lp->orbit; i++) {
        rwa_lightpath one;
        rwa_lightpath_of_orbit(&one, lp, i, net, coll);
        for (uint32_t h = 0; h < o->hops; h++) {
            uint32_t from = rwa_node_of_orbit(o->node[h], i, net), to = rwa_node_of_orbit(o->node[h + 1], i, net);
            if (busy[one.wavelength][from][to]) {
                memcpy(busy, before, sizeof before);
                return false;
            }
            busy[one.wavelength][from][to] = true;
        }
    }
    return true;
}

static rwa_status add_record(rwa_schedule *sched, const rwa_lightpath *lp, const struct one *o)
{
    rwa_lists lists = {.taps = o->tap, .tap_count = o->tap_count};
    if (!network_has_arcs(rwa_schedule_network(sched))) {
        lists.path = o->node;
        lists.path_nodes = o->hops + 1;
    }
    return rwa_schedule_add_lists(sched, lp, &lists, NULL);
}

/* An all-gather by whole orbits of period 1 between neighbours, one block a step: first along the rows, then along the columns. */
static uint32_t gather(rwa_schedule *sched, const uint32_t shape[2], uint32_t step, uint32_t period)
{
    uint32_t row = shape[1], columns = shape[0];
    for (uint32_t k = 0; k < (row - 1) + (columns - 1) * row; k++, step++) {
        bool first = k + 1 < row;
        uint32_t c = first ? k : k - (row - 1), down = first ? 0 : c / row, dimension = first ? 1 : 0;
        uint32_t owner = first ? (row - c) % row : (columns - down) % columns * row + c % row;
        struct one o = {.node = {0, beside(shape, 0, dimension, true)}, .hops = 1};
        rwa_lightpath lp = {.step = step, .dst = o.node[1], .block = owner, .orbit = shape[0] * row, .period = period};
        CU_ASSERT_EQUAL_FATAL(add_record(sched, &lp, &o), RWA_OK);
    }
    return step - 1;
}

/* The root of a broadcast gives every node its share, one node a step: from then on whole orbits are those of an all-gather. */
static uint32_t share_out(rwa_schedule *sched, const uint32_t shape[2])
{
    uint32_t n = shape[0] * shape[1];
    for (uint32_t v = 1; v < n; v++) {
        struct one o = {.hops = 0};
        rwa_lightpath lp = {.step = v, .dst = v, .block = v, .orbit = 1, .direction = v > n / 2 ? RWA_CCW : RWA_CW};
        for (; o.node[o.hops] != v; o.hops++) {
            bool ring = shape[0] == 1, along = ring || o.node[o.hops] / shape[1] == v / shape[1];
            o.node[o.hops + 1] = beside(shape, o.node[o.hops], along, !ring || lp.direction == RWA_CW);
        }
        CU_ASSERT_EQUAL_FATAL(add_record(sched, &lp, &o), RWA_OK);
    }
    return n;
}

static void story_of(struct story *s, const rwa_schedule *sched)
{
    rwa_schedule *all = NULL;
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t n = rwa_network_nodes(net);
    const uint32_t *cuts;
    s->cut_count = rwa_schedule_epoch_cuts(&cuts, sched);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, sched, NULL), RWA_OK);
    if (cuts)
        memcpy(s->cut, cuts, s->cut_count * sizeof *cuts);
    s->net = net;
    s->failure_count = 0;
    s->steps = rwa_schedule_steps(sched);
    CU_ASSERT_TRUE_FATAL(s->steps <= STEPS_MOST && rwa_schedule_records(all) <= MOST);
    for (s->count = 0; s->count < rwa_schedule_records(all); s->count++) {
        rwa_lightpath lp;
        rwa_lists lists;
        rwa_schedule_get(&lp, all, s->count);
        rwa_schedule_lists(&lists, all, s->count);
        struct one o = {.step = lp.step, .node = {lp.src}, .channel = lp.wavelength, .tap_count = lists.tap_count, .blocks = 1};
        for (; o.node[o.hops] != lp.dst; o.hops++) {
            uint32_t next = lp.direction == RWA_CW ? o.node[o.hops] + 1 : o.node[o.hops] + n - 1;
            o.node[o.hops + 1] = network_has_arcs(net) ? next % n : lists.path[o.hops + 1];
        }
        for (uint32_t k = 0; k < lists.tap_count; k++)
            o.tap[k] = lists.taps[k];
        s->at[s->count] = o;
    }
    rwa_schedule_free(all);
}

/* A record again, as it is seen from another of its lightpaths: a whole orbit whose period divides the cycle is the same orbit. */
static void see_from(rwa_lightpath *lp, struct one *o, uint32_t turn, const rwa_network *net, const rwa_collective *coll)
{
    rwa_lightpath first;
    rwa_lightpath_of_orbit(&first, lp, turn, net, coll);
    lp->src = first.src;
    lp->dst = first.dst;
    lp->wavelength = first.wavelength;
    lp->block = lp->src;
    for (uint32_t h = 0; h <= o->hops; h++)
        o->node[h] = rwa_node_of_orbit(o->node[h], turn, net);
    for (uint32_t k = 0; k < o->tap_count; k++)
        o->tap[k] = rwa_node_of_orbit(o->tap[k], turn, net);
}

static void random_orbits(const rwa_network *net, const uint32_t shape[2], rwa_collective_kind kind, uint32_t strange, uint64_t *state)
{
    static struct story s;
    static bool busy[NODES_MOST][NODES_MOST][NODES_MOST];
    static const uint32_t divisors[] = {1, 2, 4, 6, 3, 5};
    rwa_collective coll;
    rwa_schedule *sched = NULL, *plain = NULL;
    rwa_lightpath last = {0}, earlier[STEPS_MOST * 4];
    struct one route = {0}, earlier_route[STEPS_MOST * 4];
    size_t count = 0;
    uint32_t n = shape[0] * shape[1], step = 1, steps = 1 + (uint32_t)base_random_below(state, 9);
    uint32_t kinds_of_periods = base_random_below(state, 2) ? 1 : 3, offset = (uint32_t)base_random_below(state, 4);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, n, 0, kind == RWA_BROADCAST ? 1000 * n : 1000, n, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    step = kind == RWA_BROADCAST ? share_out(sched, shape) : 1;
    for (steps += step - 1; step <= steps; step++) {
        memset(busy, 0, sizeof busy);
        uint32_t period = divisors[offset + base_random_below(state, kinds_of_periods)];
        for (uint32_t k = 0, tries = 0, most = 1 + (uint32_t)base_random_below(state, 4); k < most && (tries < 20 || k == 0); tries++) {
            size_t at = count > 0 ? base_random_below(state, count) : 0;
            if (count > 0 && (strange > 0 || earlier[at].period == period) && base_random_below(state, 2)) { /* the same again */
                last = earlier[at];
                route = earlier_route[at];
            } else if (count == 0 || k > 0 || tries > 3 || base_random_below(state, 2))
                random_record(&last, &route, net, shape, period, strange, state);
            else if (last.orbit == n)
                see_from(&last, &route, (uint32_t)base_random_below(state, n), net, &coll);
            last.step = step;
            if (claim(busy, &last, &route, net, &coll)) {
                CU_ASSERT_EQUAL_FATAL(add_record(sched, &last, &route), RWA_OK);
                earlier[count] = last;
                earlier_route[count++] = route;
                k++;
            }
        }
    }
    gather(sched, shape, step, divisors[offset]);
    story_of(&s, sched);
    if (base_random_below(state, 4) == 0)
        cut(&s, state);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_cut_epochs(sched, s.cut, s.cut_count, NULL), RWA_OK);
    agrees(sched, &s, state);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&plain, sched, NULL), RWA_OK);
    agrees(plain, &s, state);
    rwa_schedule_free(plain);
    rwa_schedule_free(sched);
}

/* Periods 1 to 6 on cycles of 3 to 12 nodes: some divide the cycle, several meet, and on tori paths bend. */
static void random_orbits_take_the_time_of_their_lightpaths(void)
{
    static const uint32_t shapes[][2] = {{1, 12}, {1, 10}, {1, 6}, {2, 6}, {4, 4}, {3, 4}, {4, 3}};
    uint64_t state = 16;
    for (uint32_t trial = 0; trial < 840; trial++) {
        const uint32_t *shape = shapes[trial % 7];
        bool ring = shape[0] == 1;
        rwa_network *net = NULL;
        rwa_network_options o;
        rwa_network_options_init(&o);
        o.wavelengths = 6;
        CU_ASSERT_EQUAL_FATAL(rwa_network_create_shape(&net, ring ? RWA_RING : RWA_TORUS, shape + ring, ring ? 1 : 2, &o, NULL), RWA_OK);
        random_orbits(net, shape, RWA_ALL_GATHER, trial / 7 % 3 * 2, &state);
        random_orbits(net, shape, RWA_BROADCAST, 0, &state);
        rwa_network_free(net);
    }
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

/* docs/reference/formats.md, "Time": step 1 begins at max(alpha, r) in `overlap` and alpha + r in `circuit`, also when it is
   empty.  Nothing is in use before steps 2 and 3, which retune meanwhile in `overlap`. */
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
        CU_ASSERT_DOUBLE_EQUAL(checked(sched, &cost), cost.reconfig_s + 3 * (cost.alpha_s + send_s), 1e-15); /* one epoch */
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {TEST(random_schedules_take_the_time_of_the_definition), TEST(the_models_are_ordered_and_monotone),
                                        TEST(random_orbits_take_the_time_of_their_lightpaths),
                                        TEST(a_large_schedule_of_orbits_takes_little_work),
                                        TEST(an_empty_first_step_begins_like_any_first_step), {NULL, NULL}};
    return run_tests("timing", tests);
}
