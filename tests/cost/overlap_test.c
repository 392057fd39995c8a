/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model `overlap` against its definition in docs/formats.md, taken word by word. */
#include "rwa/cost.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <math.h>
#include <stdlib.h>

static bool thorough;

enum { STEPS = 7 };

static rwa_network *network(const char *spec, uint32_t fibers, uint32_t wavelengths, uint32_t ports)
{
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.fibers = fibers;
    o.wavelengths = wavelengths;
    o.ports = ports;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &o, NULL), RWA_OK);
    return net;
}

static rwa_schedule *schedule(const rwa_network *net)
{
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 1000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    return sched;
}

static rwa_cost_options options(double alpha_s, double reconfig_s)
{
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    o.model = RWA_COST_OVERLAP;
    o.alpha_s = alpha_s;
    o.reconfig_s = reconfig_s;
    return o;
}

static double seconds_of(const rwa_schedule *sched, const rwa_cost_options *o)
{
    double seconds = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_cost_schedule(&seconds, sched, o, NULL), RWA_OK);
    return seconds;
}

/* ---- the definition ---- */

static bool is_one_of(const rwa_network *net, rwa_topology kind)
{
    return rwa_network_topology(net) == kind;
}

static bool is_arc(const rwa_network *net)
{
    return is_one_of(net, RWA_RING) || is_one_of(net, RWA_LINE);
}

/* Whether record i of a schedule without orbits passes from node to node there. */
static bool passes(const rwa_schedule *sched, uint64_t i, uint32_t from, uint32_t to)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net), at, count;
    rwa_lightpath lp;
    rwa_schedule_get(&lp, sched, i);
    if (is_arc(net)) {
        for (at = lp.src; at != lp.dst;) {
            uint32_t next = (at + (lp.direction == RWA_CW ? 1 : nodes - 1)) % nodes;
            if (at == from && next == to)
                return true;
            at = next;
        }
        return false;
    }
    const uint32_t *path = rwa_schedule_path(&count, sched, i);
    for (uint32_t h = 0; h + 1 < count; h++)
        if (path[h] == from && path[h + 1] == to)
            return true;
    return false;
}

static bool share_link(const rwa_schedule *sched, uint64_t a, uint64_t b)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched));
    for (uint32_t from = 0; from < nodes; from++)
        for (uint32_t to = 0; to < nodes; to++)
            if (passes(sched, a, from, to) && passes(sched, b, from, to))
                return true;
    return false;
}

static bool same_direction(const rwa_lightpath *a, const rwa_lightpath *b)
{
    return a->direction == b->direction;
}

/* Whether two lightpaths take one channel of a link or one end, or where ports are counted, the ports of one node. */
static bool conflict(const rwa_schedule *sched, uint64_t i, uint64_t k)
{
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_lightpath a, b;
    rwa_schedule_get(&a, sched, i);
    rwa_schedule_get(&b, sched, k);
    bool ports = rwa_network_ports(net) > 0, channel = a.fiber == b.fiber && a.wavelength == b.wavelength;
    if (ports && (a.src == b.src || (a.dst == b.dst && !is_one_of(net, RWA_RON))))
        return true;
    if (is_one_of(net, RWA_RON))
        return false;
    if (is_one_of(net, RWA_STAR))
        return channel;
    if (is_one_of(net, RWA_OCS))
        return a.fiber == b.fiber && (a.src == b.src || a.dst == b.dst);
    return channel && (!is_arc(net) || same_direction(&a, &b)) && share_link(sched, i, k);
}

static bool same_path(const rwa_schedule *sched, uint64_t i, uint64_t k)
{
    uint32_t a = 0, b = 0;
    const uint32_t *p = rwa_schedule_path(&a, sched, i), *q = rwa_schedule_path(&b, sched, k);
    bool equal = a == b;
    for (uint32_t h = 0; equal && h < a; h++)
        equal = p[h] == q[h];
    return equal;
}

static bool same(const rwa_schedule *sched, uint64_t i, uint64_t k)
{
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_lightpath a, b;
    rwa_schedule_get(&a, sched, i);
    rwa_schedule_get(&b, sched, k);
    return a.src == b.src && a.dst == b.dst && a.fiber == b.fiber && (is_one_of(net, RWA_OCS) || a.wavelength == b.wavelength) &&
           (!is_arc(net) || same_direction(&a, &b)) && same_path(sched, i, k);
}

static bool is_new(const rwa_schedule *sched, uint64_t i, uint32_t step)
{
    for (uint64_t k = step > 1 ? rwa_schedule_first(sched, step - 1) : 0; step > 1 && k < rwa_schedule_first(sched, step); k++)
        if (same(sched, i, k))
            return false;
    return true;
}

static double by_definition(const rwa_schedule *sched, const rwa_cost_options *o)
{
    double end[STEPS + 1] = {0};
    for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++) {
        double start = end[step - 1] + o->alpha_s;
        for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
            if (!is_new(sched, i, step))
                continue;
            start = fmax(start, o->reconfig_s);
            for (uint32_t before = 1; before < step; before++)
                for (uint64_t k = rwa_schedule_first(sched, before); k < rwa_schedule_first(sched, before + 1); k++)
                    if (conflict(sched, i, k))
                        start = fmax(start, end[before] + o->reconfig_s);
        }
        /* 1000 bytes: 200 ns, and 8 packets of 4 flits of 1 ns */
        uint32_t blocks = rwa_schedule_step_blocks(sched, step);
        end[step] = start + blocks * 200e-9 + ceil(1000.0 * blocks / 128) * 4e-9;
    }
    return end[rwa_schedule_steps(sched)];
}

/* ---- random schedules ---- */

/* Whether the step has another circuit from or to a node, which the switch could not join. */
static bool meets_circuit(const rwa_schedule *sched, const rwa_lightpath *lp)
{
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath other;
        rwa_schedule_get(&other, sched, i);
        if (other.step == lp->step && other.fiber == lp->fiber && (other.src == lp->src) != (other.dst == lp->dst))
            return true;
    }
    return false;
}

/* Some lightpath; few different ones, so that steps share channels and keep lightpaths. */
static void add_random(rwa_schedule *sched, uint32_t step, uint64_t *state)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net), hops = (uint32_t)base_random_below(state, 2) + 1;
    rwa_lightpath lp = {.step = step, .src = (uint32_t)base_random_below(state, nodes - 2), .orbit = 1, .period = 1,
                        .fiber = (uint32_t)base_random_below(state, rwa_network_fibers(net)),
                        .wavelength = (uint32_t)base_random_below(state, rwa_network_wavelengths(net)),
                        .direction = base_random_below(state, 2) && is_one_of(net, RWA_RING) ? RWA_CCW : RWA_CW};
    lp.dst = (lp.src + (lp.direction == RWA_CW ? hops : nodes - hops)) % nodes;
    if (is_one_of(net, RWA_RING) && base_random_below(state, 3) == 0) {
        lp.fiber = 0;
        lp.orbit = (uint32_t)base_random_below(state, nodes) + 1;
        lp.period = lp.wavelength + 1;
    }
    uint32_t path[] = {lp.src, lp.src + 1, lp.dst};
    if (hops == 1)
        path[1] = lp.dst;
    bool listed = is_one_of(net, RWA_GRAPH);
    if (listed && base_random_below(state, 2))
        lp.direction = RWA_CCW; /* says nothing here */
    if (is_one_of(net, RWA_OCS) && meets_circuit(sched, &lp))
        return;
    rwa_status st = listed ? rwa_schedule_add_path(sched, &lp, path, hops + 1, NULL) : rwa_schedule_add(sched, &lp, NULL);
    CU_ASSERT_EQUAL_FATAL(st, RWA_OK);
}

/* A lightpath from every node, on the channels of a period; some long enough to meet others of its own. */
static void add_whole(rwa_schedule *sched, uint32_t step, uint32_t period, uint64_t *state)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net), channel = (uint32_t)base_random_below(state, period);
    rwa_lightpath lp = {.step = step, .src = (uint32_t)base_random_below(state, nodes), .orbit = nodes, .period = period,
                        .fiber = channel / rwa_network_wavelengths(net), .wavelength = channel % rwa_network_wavelengths(net),
                        .direction = base_random_below(state, 2) ? RWA_CCW : RWA_CW};
    uint32_t hops = 1 + (uint32_t)base_random_below(state, period < nodes && base_random_below(state, 4) ? period : nodes - 1);
    lp.dst = (lp.src + (lp.direction == RWA_CW ? hops : nodes - hops)) % nodes;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
}

/* The same on a torus, along one dimension. */
static void add_straight(rwa_schedule *sched, uint32_t step, uint32_t period, uint64_t *state)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const uint32_t *shape = NULL;
    uint32_t nodes = rwa_network_nodes(net), channel = (uint32_t)base_random_below(state, period), path[8], stride = 1;
    size_t dimensions = rwa_network_shape(&shape, net), d = base_random_below(state, dimensions);
    for (size_t e = dimensions; e-- > d + 1;)
        stride *= shape[e];
    uint32_t size = shape[d], hops = 1 + (uint32_t)base_random_below(state, size - 1), up = base_random_below(state, 2) ? 1 : size - 1;
    path[0] = (uint32_t)base_random_below(state, nodes);
    for (uint32_t k = 0; k < hops; k++) {
        uint32_t at = path[k] / stride % size;
        path[k + 1] = path[k] - at * stride + (at + up) % size * stride;
    }
    rwa_lightpath lp = {.step = step, .src = path[0], .dst = path[hops], .orbit = nodes, .period = period,
                        .fiber = channel / rwa_network_wavelengths(net), .wavelength = channel % rwa_network_wavelengths(net)};
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_path(sched, &lp, path, hops + 1, NULL), RWA_OK);
}

/* Nodes in a row and a chord between every second: paths of one and two links between the same ends. */
static rwa_network *chords(void)
{
    static const rwa_link links[] = {{.from = 0, .to = 1, .fibers = 1}, {.from = 1, .to = 2, .fibers = 1},
                                     {.from = 2, .to = 3, .fibers = 1}, {.from = 0, .to = 2, .fibers = 1},
                                     {.from = 1, .to = 3, .fibers = 1}};
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.wavelengths = 2;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create_graph(&net, 4, links, sizeof links / sizeof *links, &o, NULL), RWA_OK);
    return net;
}

/* @param period  0, or of all records, which are whole orbits then */
static void agrees_with_definition(const rwa_network *net, uint32_t period, uint64_t *state)
{
    const rwa_cost_options o = options(base_random_below(state, 2) ? 1e-6 : 1e-7, base_random_below(state, 2) ? 25e-6 : 1e-6);
    rwa_schedule *sched = schedule(net), *plain = NULL;
    for (uint32_t step = 1; step <= STEPS; step++)
        for (uint64_t k = base_random_below(state, 4) + 1; k > 0; k--)
            if (period > 0)
                (is_one_of(net, RWA_TORUS) ? add_straight : add_whole)(sched, step, period, state);
            else
                add_random(sched, step, state);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&plain, sched, NULL), RWA_OK);
    double expected = by_definition(plain, &o);
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(plain, &o), expected, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, &o), expected, 1e-15);
    rwa_schedule_free(plain);
    rwa_schedule_free(sched);
}

static void random_schedules_agree_with_definition(void)
{
    static const struct { const char *spec; uint32_t fibers, wavelengths, ports; } cases[] = {
        {"ring:5", 1, 2, 0}, {"ring:5", 2, 2, 0}, {"ring:5", 1, 3, 1}, {"line:5", 1, 2, 0}, {"star:4", 1, 3, 0}, {"star:4", 1, 3, 1},
        {"ocs:4x2", 2, 2, 0}, {"ron:4", 1, 2, 2}, {"ron:4", 1, 2, 0}};
    uint64_t state = 11;
    rwa_network *graph = chords();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network(cases[i].spec, cases[i].fibers, cases[i].wavelengths, cases[i].ports);
        for (int round = 0; round < 200; round++)
            agrees_with_definition(net, 0, &state);
        rwa_network_free(net);
    }
    for (int round = 0; round < 200; round++)
        agrees_with_definition(graph, 0, &state);
    rwa_network_free(graph);
}

/* One period of links stands for all of them, unless ports count; on tori the channels follow one dimension. */
static void whole_orbits_of_one_period_agree_with_definition(void)
{
    static const struct { const char *spec; uint32_t fibers, wavelengths, ports, period; } cases[] = {
        {"ring:8", 1, 2, 0, 2}, {"ring:8", 2, 2, 0, 4}, {"ring:9", 1, 4, 0, 3}, {"ring:12", 2, 3, 0, 6}, {"ring:7", 1, 3, 0, 1},
        {"ring:6", 3, 2, 0, 6}, {"ring:8", 1, 4, 2, 4}, {"torus:3x3", 1, 3, 0, 3}, {"torus:2x4", 2, 1, 0, 2}, {"torus:3x3", 1, 3, 0, 1},
        {"torus:4x3", 1, 4, 0, 3}, {"torus:2x4", 1, 4, 0, 4}};
    uint64_t state = 12;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network(cases[i].spec, cases[i].fibers, cases[i].wavelengths, cases[i].ports);
        for (int round = 0; round < (thorough ? 100 : 25); round++)
            agrees_with_definition(net, cases[i].period, &state);
        rwa_network_free(net);
    }
}

/* ---- closed forms ---- */

/* A chain round a ring, one lightpath a step.  On one wavelength the steps use different links, so all but the first are tuned when
 * they start; so are they through the whole ring, where the second round uses links for the second time. */
static void chain_pays_for_one_reconfiguration(void)
{
    rwa_network *net = network("ring:30", 1, 1, 0);
    const rwa_cost_options o = options(1e-6, 25e-6);
    rwa_schedule *sched = schedule(net);
    for (uint32_t step = 1; step <= 30; step++) {
        rwa_lightpath lp = {.step = step, .src = step - 1, .dst = step % 30, .orbit = 1};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
    }
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, &o), 25e-6 + 29 * 1e-6 + 30 * 232e-9, 1e-15);
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

/* Two lightpaths that cross one link: on one wavelength the second waits for a whole reconfiguration, on two only for its start-up. */
static void second_wavelength_hides_tuning(void)
{
    rwa_network *net = network("line:4", 1, 2, 0);
    const rwa_cost_options o = options(1e-6, 25e-6);
    for (uint32_t wavelength = 0; wavelength < 2; wavelength++) {
        rwa_schedule *sched = schedule(net);
        rwa_lightpath first = {.step = 1, .src = 0, .dst = 2, .orbit = 1};
        rwa_lightpath second = {.step = 2, .src = 1, .dst = 3, .orbit = 1, .wavelength = wavelength};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &first, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &second, NULL), RWA_OK);
        CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, &o), 25e-6 + (wavelength ? 1e-6 : 25e-6) + 2 * 232e-9, 1e-15);
        rwa_schedule_free(sched);
    }
    rwa_network_free(net);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(random_schedules_agree_with_definition),
                                        TEST(whole_orbits_of_one_period_agree_with_definition),
                                        TEST(chain_pays_for_one_reconfiguration), TEST(second_wavelength_hides_tuning), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("overlap", tests);
}
