/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bandwidth on a ring: every lightpath's links, fibres and wavelengths claimed again, bandwidth counted from them. */
#include "tests/support/placing.h"
#include "tests/support/random.h"

KEEPER(allocation)

static rwa_allocation *allocation_of(const rwa_traffic *traffic, const rwa_network *net,
                                     const rwa_allocation_options *o)
{
    rwa_allocation *allocation = NULL;
    OK(rwa_allocation_make(&allocation, traffic, net, o, NULL));
    return keep_allocation(allocation);
}

/** No channel of a link twice; as many lightpaths a pair as reported; the load and the slowest pair as reported. */
static void allocation_is_right(const rwa_allocation *r, const rwa_traffic *t, const rwa_network *net, int one_way)
{
    const rwa_allocation_report *s = rwa_allocation_summary(r);
    uint32_t n = rwa_network_nodes(net), channels = rwa_network_channels(net);
    char *taken = calloc((size_t)2 * n * channels, 1);
    uint32_t *count = calloc((size_t)n * n, sizeof *count);
    size_t clashes = 0, served = 0;
    double load = 0;
    for (uint64_t i = 0; i < s->lightpaths; i++) {
        rwa_lightpath p = rwa_allocation_lightpath(r, i);
        CU_ASSERT_FATAL(p.fiber < rwa_network_fibers(net) && p.wavelength < rwa_network_wavelengths(net));
        CU_ASSERT_TRUE(!one_way || p.direction == RWA_CW);
        uint32_t channel = p.fiber * rwa_network_wavelengths(net) + p.wavelength;
        for (uint32_t v = p.src; v != p.dst;) {
            uint32_t to = p.direction == RWA_CW ? (v + 1) % n : (v + n - 1) % n;
            uint32_t link = p.direction == RWA_CW ? v : to;
            char *slot = &taken[((size_t)p.direction * n + link) * channels + channel];
            clashes += *slot != 0;
            *slot = 1;
            v = to;
        }
        count[(size_t)p.src * n + p.dst]++;
    }
    CU_ASSERT_EQUAL(clashes, 0);
    for (size_t i = 0; i < rwa_traffic_flows(t); i++) {
        rwa_flow f = rwa_traffic_flow(t, i);
        CU_ASSERT_EQUAL(count[(size_t)f.src * n + f.dst], rwa_allocation_count(r, i));
        served += rwa_allocation_count(r, i) > 0;
        if (rwa_allocation_count(r, i) > 0)
            load = fmax(load, f.bytes / rwa_allocation_count(r, i));
    }
    CU_ASSERT_EQUAL(served, s->served);
    CU_ASSERT_EQUAL(load, s->load_bytes);
    CU_ASSERT_DOUBLE_EQUAL(s->transfer_s, load * 8 / rwa_network_rate_bps(net), 1e-12);
    if (s->served == s->pairs)
        CU_ASSERT_TRUE(s->bound_bytes <= s->load_bytes * (1 + 1e-6));
    free(count);
    free(taken);
}

/* Five nodes, one direction, i -> i+2: every link has load 2, yet the conflicts are a 5-cycle, which two wavelengths
   cannot colour: a channel holds two of these arcs, so two channels serve four pairs, and three serve all five. */
static void the_five_cycle_gets_three_wavelengths(void)
{
    rwa_flow flow[5];
    rwa_allocation *r = NULL;
    rwa_allocation_options o;
    rwa_allocation_options_init(&o);
    for (uint32_t i = 0; i < 5; i++)
        flow[i] = (rwa_flow){i, (i + 2) % 5, 1e6};
    rwa_traffic *t = traffic_of(5, flow, 5);
    o.one_way = 1;
    for (int m = RWA_RING_AUTO; m <= RWA_RING_ILP; m++) {
        rwa_network *two = network_on("ring:5 w=2 rate=25e9"), *three = network_on("ring:5 w=3");
        o.method = (rwa_allocation_method)m;
        r = allocation_of(t, two, &o);
        CU_ASSERT_EQUAL(rwa_allocation_summary(r)->served, 4);
        CU_ASSERT_EQUAL(rwa_allocation_summary(r)->outcome, RWA_INFEASIBLE);
        expect_part(rwa_allocation_summary(r)->why, "4 of 5 pairs");
        expect_part(rwa_allocation_summary(r)->why, "; 3 do");
        allocation_is_right(r, t, two, 1);
        r = allocation_of(t, three, &o);
        CU_ASSERT_EQUAL(rwa_allocation_summary(r)->served, 5);
        CU_ASSERT_EQUAL(rwa_allocation_summary(r)->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(rwa_allocation_summary(r)->load_bytes, 1e6);
        allocation_is_right(r, t, three, 1);
    }
    /* With both directions two wavelengths carry 2 * 2 + 2 * 1 = 6 lightpaths: one a pair, and no second one for
       all. */
    rwa_network *two = network_on("ring:5 w=2");
    r = allocation_of(t, two, NULL);
    CU_ASSERT_EQUAL(rwa_allocation_summary(r)->outcome, RWA_OPTIMAL);
    CU_ASSERT_EQUAL(rwa_allocation_summary(r)->load_bytes, 1e6);
    CU_ASSERT_EQUAL(rwa_allocation_summary(r)->lightpaths, 6);
    allocation_is_right(r, t, two, 0);
}

/* The integer program is exact, so it is never slower than the flow, and what the flow proves is never wrong. */
static void the_flow_is_near_the_integer_program(void)
{
    seed = 4;
    int equal = 0, rounds = 30;
    for (int round = 0; round < rounds; round++) {
        uint32_t n = 4 + any(3), pairs = 0;
        rwa_flow flow[36];
        rwa_allocation_options o;
        rwa_network *net = network_on("ring:%u w=2 f=%u rate=25e9", n, 1 + any(2));
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = 0; v < n; v++)
                if (u != v && any(100) < 25)
                    flow[pairs++] = (rwa_flow){u, v, 1 + any(20)};
        rwa_traffic *t = traffic_of(n, flow, pairs);
        rwa_allocation_options_init(&o);
        o.time_limit_s = 0.25;
        o.method = RWA_RING_FLOW;
        rwa_allocation *quick = allocation_of(t, net, &o);
        o.method = RWA_RING_ILP;
        rwa_allocation *exact = allocation_of(t, net, &o);
        const rwa_allocation_report *a = rwa_allocation_summary(quick), *b = rwa_allocation_summary(exact);
        allocation_is_right(quick, t, net, 0);
        allocation_is_right(exact, t, net, 0);
        CU_ASSERT_TRUE(b->served >= a->served);
        if (a->served == a->pairs) {
            CU_ASSERT_TRUE(b->load_bytes <= a->load_bytes);
            CU_ASSERT_TRUE(a->bound_bytes <= b->load_bytes * (1 + 1e-8));
            equal += a->load_bytes == b->load_bytes;
        }
        if (a->outcome == RWA_OPTIMAL)
            CU_ASSERT_EQUAL(a->load_bytes, b->load_bytes);
    }
    CU_ASSERT_TRUE(equal >= rounds / 2);
}

/* Next neighbours, one direction, equal bytes: a channel is tiled by one lightpath a pair, so every pair gets them
   all. */
static void neighbours_get_every_wavelength(void)
{
    enum { N = 7, W = 12 };
    rwa_flow flow[N];
    rwa_allocation_options o;
    rwa_network *net = network_on("ring:%d w=%d f=2", N, W / 2);
    rwa_allocation_options_init(&o);
    o.one_way = 1;
    for (uint32_t i = 0; i < N; i++)
        flow[i] = (rwa_flow){i, (i + 1) % N, 120};
    rwa_traffic *t = traffic_of(N, flow, N);
    rwa_allocation *r = allocation_of(t, net, &o);
    CU_ASSERT_EQUAL(rwa_allocation_summary(r)->outcome, RWA_OPTIMAL);
    CU_ASSERT_EQUAL(rwa_allocation_summary(r)->load_bytes, 10);
    allocation_is_right(r, t, net, 1);
}

static void a_thousand_nodes_take_seconds(void)
{
    enum { N = 1024, PEERS = 3 };
    rwa_flow *flow = calloc(N * PEERS, sizeof *flow);
    rwa_network *net = network_on("ring:%d w=64", N);
    seed = 2;
    for (uint32_t u = 0; u < N; u++)
        for (uint32_t k = 0; k < PEERS; k++)
            flow[u * PEERS + k] = (rwa_flow){u, (u + 1 + k) % N, 100 + any(1000)};
    rwa_traffic *t = traffic_of(N, flow, N * PEERS);
    double start = base_now_s();
    rwa_allocation *r = allocation_of(t, net, NULL);
    CU_ASSERT_TRUE(base_now_s() - start < 20);
    CU_ASSERT_EQUAL(rwa_allocation_summary(r)->served, rwa_allocation_summary(r)->pairs);
    allocation_is_right(r, t, net, 0);
    free(flow);
}

static void wrong_questions_are_bad_arguments(void)
{
    rwa_flow flow = {0, 1, 5};
    rwa_allocation *r = NULL;
    rwa_traffic *t = traffic_of(4, &flow, 1);
    CU_ASSERT_EQUAL(rwa_allocation_make(&r, t, network_on("line:4"), NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_allocation_make(&r, t, network_on("ring:5 w=2"), NULL, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(r);
}

TESTS("ring bandwidth", the_five_cycle_gets_three_wavelengths, the_flow_is_near_the_integer_program,
      neighbours_get_every_wavelength, a_thousand_nodes_take_seconds, wrong_questions_are_bad_arguments)
