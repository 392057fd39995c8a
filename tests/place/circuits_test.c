/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Circuits of optical switches: against brute force, against the integer program, and matchings recounted by hand. */
#include "tests/support/placing.h"
#include "tests/support/random.h"
#include "tests/support/refused.h"

/** Random flows: about `share` percent of the pairs, 1 … 1000 bytes. */
static rwa_traffic *random_traffic(uint32_t nodes, uint32_t share)
{
    rwa_flow *flow = calloc((size_t)nodes * nodes, sizeof *flow);
    size_t count = 0;
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t v = 0; v < nodes; v++)
            if (any(100) < share)
                flow[count++] = (rwa_flow){u, v, 1 + any(1000)};
    rwa_traffic *t = traffic_of(nodes, flow, count);
    free(flow);
    return t;
}

/** Most peers of a node, in and out. */
static uint32_t peers(const rwa_traffic *t)
{
    uint32_t in[64] = {0}, out[64] = {0}, most = 0;
    for (size_t i = 0; i < rwa_traffic_flows(t); i++) {
        rwa_flow f = rwa_traffic_flow(t, i);
        out[f.src]++;
        in[f.dst]++;
    }
    for (uint32_t v = 0; v < rwa_traffic_nodes(t); v++) {
        RAISE(most, out[v]);
        RAISE(most, in[v]);
    }
    return most;
}

/** Every switch joins each node to at most one other, both ways, and the joins add up to exactly the circuits. */
static void matchings_are_right(const rwa_circuits *c, const rwa_traffic *t)
{
    const rwa_circuits_report *s = rwa_circuits_summary(c);
    uint32_t n = rwa_traffic_nodes(t);
    uint32_t *joined = calloc((size_t)n * n, sizeof *joined);
    uint64_t all = 0;
    for (uint32_t e = 0; e < s->episodes; e++)
        for (uint32_t q = 0; q < s->switches; q++) {
            char *taken = calloc(n, 1);
            for (uint32_t v = 0; v < n; v++) {
                uint32_t to = rwa_circuits_peer(c, e, q, v);
                if (to == RWA_NONE)
                    continue;
                CU_ASSERT_FATAL(to < n);
                CU_ASSERT_FALSE(taken[to]);
                taken[to] = 1;
                joined[(size_t)v * n + to]++;
                all++;
            }
            free(taken);
        }
    CU_ASSERT_EQUAL(all, s->circuits);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < n; v++)
            if (joined[(size_t)u * n + v] != rwa_circuits_count(c, u, v))
                CU_FAIL("the matchings do not cover the circuits");
    for (size_t i = 0; i < rwa_traffic_flows(t); i++) {
        rwa_flow f = rwa_traffic_flow(t, i);
        uint32_t x = rwa_circuits_count(c, f.src, f.dst);
        CU_ASSERT_TRUE(x >= 1 && f.bytes / x <= s->load_bytes);
    }
    free(joined);
}

/* The two ways share nothing but the question. */
static void bisection_equals_the_integer_program_on_200_matrices(void)
{
    seed = 20;
    for (int round = 0; round < 200; round++) {
        uint32_t n = 2 + any(7);
        rwa_traffic *t = random_traffic(n, 20 + any(60));
        uint32_t q = peers(t) + any(5);
        rwa_circuits_options o;
        rwa_circuits_options_init(&o);
        q = q ? q : 1;
        rwa_circuits *exact = circuits_of(t, q, &o);
        o.method = RWA_CIRCUITS_ILP;
        rwa_circuits *ilp = circuits_of(t, q, &o);
        CU_ASSERT_EQUAL(rwa_circuits_summary(exact)->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(rwa_circuits_summary(ilp)->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(rwa_circuits_summary(exact)->load_bytes, rwa_circuits_summary(ilp)->load_bytes);
        matchings_are_right(exact, t);
        matchings_are_right(ilp, t);
    }
}

/* Three flows from node 0 to three receivers: the least max T/x over all x1 + x2 + x3 <= Q, tried one by one. */
static void one_sender_equals_brute_force(void)
{
    seed = 7;
    for (int round = 0; round < 100; round++) {
        double b[3], best = INFINITY;
        rwa_flow flow[3];
        uint32_t q = 3 + any(12);
        for (uint32_t i = 0; i < 3; i++) {
            b[i] = 1 + any(50);
            flow[i] = (rwa_flow){0, i + 1, b[i]};
        }
        for (uint32_t x = 1; x < q; x++)
            for (uint32_t y = 1; x + y < q; y++)
                best = fmin(best, fmax(b[0] / x, fmax(b[1] / y, b[2] / (q - x - y))));
        rwa_traffic *t = traffic_of(4, flow, 3);
        rwa_circuits *c = circuits_of(t, q, NULL);
        CU_ASSERT_EQUAL(rwa_circuits_summary(c)->load_bytes, best);
    }
}

static void more_peers_than_switches_is_an_answer(void)
{
    rwa_flow flow[5];
    rwa_circuits_options o;
    for (uint32_t i = 0; i < 5; i++)
        flow[i] = (rwa_flow){2, i < 2 ? i : i + 1, 10};
    rwa_traffic *t = traffic_of(6, flow, 5);
    rwa_circuits *c = circuits_of(t, 3, NULL);
    CU_ASSERT_EQUAL(rwa_circuits_summary(c)->outcome, RWA_INFEASIBLE);
    expect_part(rwa_circuits_summary(c)->why, "node 2 sends to 5 others");
    expect_part(rwa_circuits_summary(c)->why, "at least 5 switches, or 2 episodes");
    CU_ASSERT_EQUAL(rwa_circuits_peer(c, 0, 0, 2), RWA_NONE);
    rwa_circuits_options_init(&o);
    o.episodes = 2; /* what the answer proposed */
    c = circuits_of(t, 3, &o);
    CU_ASSERT_EQUAL(rwa_circuits_summary(c)->outcome, RWA_OPTIMAL);
    matchings_are_right(c, t);
}

/* All episodes up to 40 one by one: the chosen number is the fastest of them, and with a duty cycle the fastest
   allowed. */
static void the_chosen_number_of_episodes_takes_least_time(void)
{
    seed = 3;
    for (int round = 0; round < 30; round++) {
        rwa_traffic *t = random_traffic(8, 60);
        rwa_circuits *c = NULL;
        rwa_circuits_options o;
        double best = INFINITY, best_at_duty = INFINITY, limit = 0.7;
        rwa_circuits_options_init(&o);
        o.rate_bps = 8e6; /* a byte takes a microsecond */
        o.reconfig_s = 20e-6;
        for (o.episodes = 1; o.episodes <= 40; o.episodes++) {
            c = circuits_of(t, 2, &o);
            const rwa_circuits_report *s = rwa_circuits_summary(c);
            if (s->outcome == RWA_OPTIMAL && s->time_s < best)
                best = s->time_s;
            if (s->outcome == RWA_OPTIMAL && s->duty >= limit && s->time_s < best_at_duty)
                best_at_duty = s->time_s;
        }
        o.episodes = 0;
        c = circuits_of(t, 2, &o);
        CU_ASSERT_DOUBLE_EQUAL(rwa_circuits_summary(c)->time_s, best, 1e-12);
        matchings_are_right(c, t);
        o.duty = limit;
        c = circuits_of(t, 2, &o);
        if (rwa_circuits_summary(c)->outcome == RWA_OPTIMAL) {
            CU_ASSERT_DOUBLE_EQUAL(rwa_circuits_summary(c)->time_s, best_at_duty, 1e-12);
        } else {
            CU_ASSERT_TRUE(isinf(best_at_duty));
        }
    }
}

/* SiP-ML, Section 3.1: circuits held for ten reconfigurations from one setting to the next transmit 90 % of the
   time. */
static void ten_reconfigurations_are_a_duty_cycle_of_nine_tenths(void)
{
    rwa_flow flow = {0, 1, 9e6};
    rwa_circuits_options o;
    rwa_circuits_options_init(&o);
    o.rate_bps = 8e9; /* 9 MB last 9 ms, the setting 1 ms */
    o.reconfig_s = 1e-3;
    rwa_traffic *t = traffic_of(2, &flow, 1);
    rwa_circuits *c = circuits_of(t, 1, &o);
    CU_ASSERT_DOUBLE_EQUAL(rwa_circuits_summary(c)->duty, 0.9, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rwa_circuits_summary(c)->hold_s, 10 * o.reconfig_s, 1e-12);
}

/* 1024 nodes with 32 peers each, as a circulant with random weights: every port of every switch is taken. */
static void a_thousand_nodes_take_seconds(void)
{
    enum { N = 1024, Q = 32 };
    rwa_flow *flow = calloc((size_t)N * Q, sizeof *flow);
    seed = 5;
    for (uint32_t u = 0; u < N; u++)
        for (uint32_t k = 0; k < Q; k++)
            flow[u * Q + k] = (rwa_flow){u, (u + 1 + 7 * k) % N, 1 + any(1000000)};
    rwa_traffic *t = traffic_of(N, flow, (size_t)N * Q);
    double start = base_now_s();
    rwa_circuits *c = circuits_of(t, Q, NULL);
    CU_ASSERT_TRUE(base_now_s() - start < 10);
    CU_ASSERT_EQUAL(rwa_circuits_summary(c)->circuits, (uint64_t)N * Q);
    matchings_are_right(c, t);
    free(flow);
}

/* The same three flows in every form that can be read. */
static void every_form_of_a_matrix_reads_the_same(void)
{
    static const char *const forms[] = {
        "{'nodes':3,'flows':[[0,1,5],[2,0,1.5],[0,1,2],[1,1,9]]}",
        "{'matrix':[[4,7,0],[0,0,0],[1.5,0,0]]}",
        "src,dst,bytes\r\n0,1,7\r\n2,0,1.5\r\n",
        "# a comment\n0, 7, 0\n0,0,0\n1.5,0,3\n",
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct file file = file_with("traffic", forms[i]);
        rwa_traffic *t = NULL;
        OK(rwa_traffic_read(&t, file.path, NULL));
        keep_traffic(t);
        file_drop(&file);
        CU_ASSERT_EQUAL(rwa_traffic_nodes(t), 3);
        CU_ASSERT_EQUAL_FATAL(rwa_traffic_flows(t), 2);
        CU_ASSERT_EQUAL(rwa_traffic_flow(t, 0).bytes, 7);
        CU_ASSERT_EQUAL(rwa_traffic_flow(t, 1).src, 2);
        CU_ASSERT_EQUAL(rwa_traffic_flow(t, 1).bytes, 1.5);
    }
}

static rwa_status refuse_traffic(const char *path, rwa_error *err)
{
    rwa_traffic *t = NULL;
    rwa_status st = rwa_traffic_read(&t, path, err);
    CU_ASSERT_PTR_NULL(t);
    return st;
}

static void what_is_no_matrix_is_refused_with_its_place(void)
{
    static const char *const texts[][2] = {
        {"", "fewer than 2 nodes"},
        {"1,2\n", "1 rows of 2 columns"},
        {"0,1\n1\n", ":2: 1 columns, expected 2"},
        {"0,1\n1,x\n", ":2: column 2"},
        {"0,1\n1,-2\n", ":2: column 2"},
        {"src,dst,bytes\n0,1\n", ":2: expected src,dst"},
        {"src,dst,bytes\n0,1.5,3\n", ":2: expected src,dst"},
        {"{'matrix':[[0,1],[1]]}", "matrix[1]: has 1"},
        {"{'nodes':2,'flows':[[0,2,1]]}", "flows[0]"},
        {"{'nodes':2,'flows':[[0,1,-1]]}", "flows[0]"},
        {"{'nodes':2}", "expected {\"nodes\""},
        {"{'nodes':2,", ":1: "},
        {"{}", "expected {\"nodes\""},
        {"0,nan\n1,0\n", ":1: column 2"},
        {"0,1e999\n1,0\n", ":1: column 2"},
    };
    refuse_texts("traffic", refuse_traffic, texts, COUNT(texts));
}

static void options_out_of_range_are_bad_arguments(void)
{
    rwa_flow flow = {0, 1, 5}, outside = {0, 2, 5}, negative = {0, 1, -5};
    rwa_traffic *t = NULL, *none = NULL;
    rwa_circuits *c = NULL;
    rwa_circuits_options o;
    t = traffic_of(2, &flow, 1);
    CU_ASSERT_EQUAL(rwa_traffic_create(&none, 2, &outside, 1, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_traffic_create(&none, 2, &negative, 1, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_circuits_make(&c, t, 0, NULL, NULL), RWA_BADARG);
    rwa_circuits_options_init(&o);
    o.duty = 1;
    CU_ASSERT_EQUAL(rwa_circuits_make(&c, t, 1, &o, NULL), RWA_BADARG);
    rwa_circuits_options_init(&o);
    o.rate_bps = 0;
    CU_ASSERT_EQUAL(rwa_circuits_make(&c, t, 1, &o, NULL), RWA_BADARG);
    rwa_circuits_options_init(&o);
    o.episodes = 0;
    o.reconfig_s = 0;
    CU_ASSERT_EQUAL(rwa_circuits_make(&c, t, 1, &o, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(c);
}

TESTS("circuits", bisection_equals_the_integer_program_on_200_matrices, one_sender_equals_brute_force,
      more_peers_than_switches_is_an_answer, the_chosen_number_of_episodes_takes_least_time,
      ten_reconfigurations_are_a_duty_cycle_of_nine_tenths, a_thousand_nodes_take_seconds,
      every_form_of_a_matrix_reads_the_same, what_is_no_matrix_is_refused_with_its_place,
      options_out_of_range_are_bad_arguments)
