/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Broadcast on reconfigurable networks: the paper's tables and formulas, its node sets, and schedules the judge
 *  accepts. */
#include "scheme/published/ron.h"

#include "tests/support/request.h"

/* A broadcast of 1 MiB, its steps as long as the plan says; each node gets each message once. */
static uint64_t steps_of(const char *scheme, uint32_t nodes, uint32_t ports, uint32_t delay, uint32_t root,
                         uint32_t messages)
{
    const rwa_plan_report *s =
        report_on("ron:%u ports=%u tuning=%u w=8 root=%u blocks=%u bytes=1048576 broadcast by %s", nodes, ports, delay,
                  root, messages, scheme);
    CU_ASSERT(s->check->finish_steps == s->steps && (!s->formula.known || s->formula.steps == s->steps));
    CU_ASSERT_EQUAL(s->lightpaths, (uint64_t)(nodes - 1) * messages);
    return s->steps;
}

static const char *const names[] = {"ron-b1", "ron-b2", "ron-b3", "latency-hiding"};

/* Afsahi and Dimopoulos, Table 1 (k = 2) and Table 2 (one port, d = 3): formulas and schedules. */
static void the_papers_tables_come_out(void)
{
    static const uint32_t one[][6] = {
        {1393, 1, 20, 14, 11, 8}, {2703, 3, 44, 32, 14, 10}, {2145, 5, 66, 42, 16, 10}, {8193, 10, 143, 99, 23, 12}};
    static const uint64_t two[][3] = {{69, 28, 12}, {1252, 44, 21}, {8657, 56, 27}, {82629, 68, 34}};
    for (size_t i = 0; i < 4; i++) {
        for (size_t a = 0; a < 4; a++) {
            CU_ASSERT_EQUAL(ron_steps((enum ron_algorithm)(RON_B1 + a), one[i][0], 2, one[i][1], 1), one[i][2 + a]);
            CU_ASSERT_EQUAL(steps_of(names[a], one[i][0], 2, one[i][1], 3, 1), one[i][2 + a]);
        }
        /* B2 with one port is the binomial tree, (d + 1) ceil(log2 N) */
        CU_ASSERT_EQUAL(ron_steps(RON_B2, two[i][0], 1, 3, 1), two[i][1]);
        CU_ASSERT_EQUAL(ron_steps(RON_HIDING, two[i][0], 1, 3, 1), two[i][2]);
    }
    CU_ASSERT_EQUAL(steps_of("latency-hiding", 82629, 1, 3, 0, 1), 34);
    CU_ASSERT_EQUAL(steps_of("latency-hiding", 100000, 2, 1, 0, 1), ron_steps(RON_HIDING, 100000, 2, 1, 1));
}

/* C(n, r), k^first + ... + k^last. */
static long double binomial(uint64_t n, uint64_t r)
{
    long double c = 1;
    for (uint64_t i = 1; i <= r; i++)
        c = c * (long double)(n - r + i) / (long double)i;
    return c;
}

static long double geometric(uint64_t k, uint64_t first, uint64_t last)
{
    long double power = 1, sum = 0;
    for (uint64_t i = 0; i <= last; i++, power *= (long double)k)
        sum += i >= first ? power : 0;
    return sum;
}

/* Lemma 1: generation 1 is a k-ary tree of depth S; generation i + 1 are the trees whose roots have retuned and send
 * again, for the i-th time: the sum over j of C(j+i-2, i-1) (k^j + ... + k^(S-i(d+1))). */
static long double informed_closed(uint64_t k, uint64_t d, uint64_t s)
{
    long double nodes = geometric(k, 0, s);
    for (uint64_t i = 1; i * (d + 1) <= s; i++)
        for (uint64_t j = 1; j <= s - i * (d + 1); j++)
            nodes += binomial(j + i - 2, i - 1) * geometric(k, j, s - i * (d + 1));
    return nodes;
}

/* Numbers up to 2^40 are exact in 64 bits of mantissa; 53 suffice too. */
static void closed_forms_equal_the_recurrence(void)
{
    const uint64_t nodes = (uint64_t)1 << 40;
    for (uint32_t k = 1; k <= 8; k++)
        for (uint32_t d = 1; d <= 20; d++) {
            struct ron_sets sets;
            OK(ron_sets_open(&sets, nodes, k, d, NULL));
            for (uint64_t s = 0; s <= sets.steps; s++)
                CU_ASSERT_EQUAL((uint64_t)roundl(fminl(informed_closed(k, d, s), (long double)nodes)),
                                sets.informed[s]);
            ron_sets_close(&sets);
        }
}

static void any_size_root_and_delay_is_accepted(void)
{
    for (uint32_t n = 2; n <= 40; n += 1 + n / 7)
        for (uint32_t k = 0; k <= 4; k++)
            for (uint32_t d = 0; d <= 3; d++)
                for (size_t a = 0; a < 4; a++)
                    steps_of(names[a], n, k, d, n / 3, 1 + n % 3);
}

/* Pipelined: S + M - 1 units, S those of one message at the delay d + M - 1. */
static void pipelined_messages_come_one_after_the_other(void)
{
    for (uint32_t m = 1; m <= 20; m += 1 + m / 3)
        for (uint32_t k = 1; k <= 3; k++)
            for (uint32_t d = 0; d <= 6; d += 3) {
                uint64_t steps = steps_of("latency-hiding", 200, k, d, 7, m);
                CU_ASSERT_EQUAL(steps, ron_steps(RON_HIDING, 200, k, d + m - 1, 1) + m - 1);
                /* one after the other, without pipelining, would take M times as long */
                CU_ASSERT_TRUE(steps <= m * ron_steps(RON_HIDING, 200, k, d, 1));
            }
}

/* ceil(M/k) - 1 steps until the last message leaves the root, then the depth of a tree on the other nodes, of which
   some may hang one deeper; no schedule takes fewer than ceil(M/k) - 1 and the steps for one message. */
static void a_forest_takes_a_kth_of_the_messages(void)
{
    for (uint32_t n = 2; n <= 300; n += 1 + n / 6)
        for (uint32_t k = 1; k <= 6; k++)
            for (uint32_t m = 1; m <= 50; m += 7) {
                uint32_t ports = k < n ? k : n - 1, trees = ports < m ? ports : m;
                uint64_t steps = steps_of("forest", n, k, 5, n / 2, m);
                uint64_t depth = 1 + ron_tree_levels(n - 1, ports);
                CU_ASSERT_TRUE(steps >= (m + trees - 1) / trees - 1 + depth);
                CU_ASSERT_TRUE(steps <= (m + trees - 1) / trees + depth);
            }
    CU_ASSERT_EQUAL(steps_of("forest", 2145, 2, 5, 0, 16), 8 - 1 + 12);
}

TESTS("ron", the_papers_tables_come_out, closed_forms_equal_the_recurrence,
      any_size_root_and_delay_is_accepted, pipelined_messages_come_one_after_the_other,
      a_forest_takes_a_kth_of_the_messages)
