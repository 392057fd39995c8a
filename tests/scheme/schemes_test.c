/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every scheme on every collective it does: the independent checker accepts it, in the steps its formula says. */
#include "tests/support/request.h"

static const uint32_t sizes[] = {2, 3, 4, 5, 8, 15, 16, 17, 31, 64, 100, 128};
static const uint32_t wavelengths[] = {1, 2, 4, 64};
enum { SIZES = COUNT(sizes), WAVELENGTHS = COUNT(wavelengths) };

/* On long lines line-wavefront searches for seconds.  A reduction is a reversed all-gather, found by the same search:
 * the reductions of up to 31 nodes cover the reversal, and the all-gathers of 64 and 128 nodes the long lines.
 * logical_test is about that scheme.  Networks of many nodes have one number of wavelengths each, unless all are asked
 * for. */
static bool is_selected(const char *scheme, rwa_collective_kind kind, bool line, size_t size, size_t k)
{
    uint32_t nodes = sizes[size];
    if (nodes > 31 && (strcmp(scheme, "logical-topology") == 0 ||
                       (line && strcmp(scheme, "line-wavefront") == 0 && (nodes == 100 || kind != RWA_ALL_GATHER))))
        return false;
    return thorough || nodes <= 17 || k == size % WAVELENGTHS;
}

static void try_sizes(size_t number, rwa_collective_kind kind, bool line)
{
    const char *scheme = rwa_scheme_name(number);
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < WAVELENGTHS; k++) {
            if (!is_selected(scheme, kind, line, i, k))
                continue;
            struct request r = request_of("%s:%u w=%u root=%u bytes=1048576 %s by %s", line ? "line" : "ring", sizes[i],
                                          wavelengths[k], sizes[i] / 3, rwa_collective_name(kind), scheme);
            if (!rwa_scheme_fits(number, request_network(r), kind))
                continue;
            bool odd = strcmp(scheme, "neighbor-exchange") == 0 && sizes[i] % 2 == 1;
            if (odd) {
                expect_part(refusal_for(r), "odd");
            } else {
                CU_ASSERT(plan_if_any(r) || strcmp(scheme, "logical-topology") == 0); /* there a node may be on the way
                                                                                         of all others */
            }
        }
}

static void the_checker_accepts_every_scheme_on_rings_and_lines(void)
{
    for (size_t i = 0; rwa_scheme_name(i); i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (int line = 0; line < 2; line++)
                try_sizes(i, kind, line);
}

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Least k with base^k >= n. */
static uint64_t log_up(uint64_t base, uint64_t n)
{
    uint64_t k = 0;
    for (uint64_t power = 1; power < n; power *= base)
        k++;
    return k;
}

/* Lightpaths over the heaviest link of a recursive doubling: D over distance D, D / 2 both ways round the ring. */
static uint64_t doubling_steps(uint64_t n, uint64_t w)
{
    uint64_t total = 0, ranks = 1;
    while (2 * ranks <= n)
        ranks *= 2;
    for (uint64_t apart = 1; apart < ranks; apart *= 2)
        total += ceil_div(2 * apart == ranks ? ceil_div(apart, 2) : apart, w);
    return total + (ranks < n ? 2 : 0);
}

/* A step of a ring uses every link once, so wavelengths do not matter; in a swap of neighbours two blocks cross a link
 * but the first time. ceil(floor(N^2 / 4) / 2) channels are proven the fewest for all-to-all on a ring; and an
 * all-reduce is two.  A root has 2w channels to send on, or to listen on; a step informs at most 2w nodes for each that
 * is informed. */
static void closed_forms(uint32_t n, uint32_t w)
{
    uint64_t once = ceil_div(ceil_div((uint64_t)n * n / 4, 2), w), direct = ceil_div(n - 1, 2 * w),
             tree = log_up(2 * w + 1, n);
    const struct { const char *what; uint64_t steps;
    } forms[] = {{"all-gather by ring", n - 1},
                 {"reduce-scatter by ring", n - 1},
                 {"all-reduce by ring", 2 * (n - 1)},
                 {"all-gather by ring-both", n / 2},
                 {"all-reduce by ring-both", 2 * (n / 2)},
                 {"all-gather by ring-striped", n / 2},
                 {"all-gather by one-stage", once},
                 {"all-to-all by one-stage", once},
                 {"reduce-scatter by one-stage", once},
                 {"all-reduce by one-stage", 2 * once},
                 {"scatter by direct", direct},
                 {"gather by direct", direct},
                 {"broadcast by tree", tree},
                 {"all-reduce by binary-tree", 2 * log_up(2, n)},
                 {"all-reduce by recursive-doubling", doubling_steps(n, w)}};
    for (size_t i = 0; i < COUNT(forms); i++)
        CU_ASSERT_EQUAL(steps_on("ring:%u w=%u %s", n, w, forms[i].what), forms[i].steps);
    CU_ASSERT_EQUAL(steps_on("ring:%u w=%u root=%u scatter by direct", n, w, n - 1), direct);
    CU_ASSERT_EQUAL(steps_on("ring:%u w=%u root=%u broadcast by tree", n, w, n - 1), tree);
    if (n % 2 == 0)
        CU_ASSERT_EQUAL(steps_on("ring:%u w=%u by neighbor-exchange", n, w), w > 1 ? n / 2 : n - 1);
}

/* 2 ceil(log_m N), or one less with a last exchange (WRHT, Section III-D); the exact need of that exchange is sometimes
 * less than printed, for instance 1 and not 2 wavelengths for three representatives.  H-Ring needs one step less than
 * Table I prints, and no more where groups are uneven. */
static void no_more_than_printed(uint32_t n, uint32_t w)
{
    static const char *const schemes[] = {"wrht", "h-ring"};
    for (size_t i = 0; i < 2; i++) {
        const rwa_plan_report *sum = report_on("ring:%u w=%u bytes=1048576 all-reduce by %s", n, w, schemes[i]);
        CU_ASSERT(sum->formula.known && sum->steps <= sum->formula.steps);
    }
}

static void schemes_take_their_formula(void)
{
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < WAVELENGTHS; k++) {
            closed_forms(sizes[i], wavelengths[k]);
            no_more_than_printed(sizes[i], wavelengths[k]);
        }
}

/* WRHT, Fig. 2 and Table I.  Two representatives exchange on one wavelength; six nodes in one group leave none to
   exchange. */
static void the_examples_of_wrht(void)
{
    struct request r = request_of("ring:1000 w=64 bytes=1048576 all-reduce by wrht");
    CU_ASSERT_EQUAL(steps_on("ring:15 w=2 all-reduce by wrht"), 3);
    CU_ASSERT_EQUAL(steps_on("ring:15 w=2 all-reduce by binary-tree"), 8);
    r.options.last_exchange = RWA_LAST_ALL_TO_ALL;
    CU_ASSERT_EQUAL(rwa_plan_summary(plan_for(r))->steps, 3);
    r.options.last_exchange = RWA_LAST_TREE;
    CU_ASSERT_EQUAL(rwa_plan_summary(plan_for(r))->steps, 4);
    CU_ASSERT_EQUAL(steps_on("ring:1000 w=64 all-reduce by binary-tree"), 20);
    CU_ASSERT_EQUAL(steps_on("ring:1000 w=64 all-reduce by ring"), 1998);
    /* printed 411; the formula printed beside it gives 407, and its last term is not needed */
    CU_ASSERT_EQUAL(steps_on("ring:1000 w=64 group=5 all-reduce by h-ring"), 406);
    r = request_of("ring:6 w=1 group=6 all-reduce by wrht");
    r.options.last_exchange = RWA_LAST_ALL_TO_ALL;
    expect_part(refusal_for(r), "6 representatives need 5 channels");
    r.options.group = 3;
    CU_ASSERT_EQUAL(rwa_plan_summary(plan_for(r))->steps, 3); /* gather, exchange, spread: one node on each side of a
                                                                 middle */
}

/* Groups of any size: sums still count everyone once. */
static void groups_of_any_size_work(void)
{
    for (uint32_t n = 2; n <= 40; n++)
        for (uint32_t g = 3; g <= n + 1; g++)
            for (uint32_t w = 1; w <= 3; w++) {
                plan_on("ring:%u w=%u group=%u all-reduce by h-ring", n, w, g);
                plan_on("ring:%u w=%u group=%u all-reduce by wrht", n, w, g);
                if (w == 1 && n % 3 == 0)
                    plan_on("ring:%u w=%u group=%u by wrht", n, w, g);
                plan_on("ring:%u w=%u group=%u scatter by tree", n, w, g);
            }
}

/* Where circuits may stay up, the striped ring is set once and then uses all bandwidth there is: (N - 1) d bits come in
 * over 2 W channels of 40 Gb/s.  1 MiB in 4 stripes of 2^18 bytes, each 2^13 flits of 1 ns; 31 nodes: 15 full steps. */
static void what_the_striped_ring_takes_is_found(void)
{
    const rwa_plan_report *sum = report_on("ring:31 w=4 bytes=1048576 model=circuit");
    CU_ASSERT_EQUAL(sum->outcome, RWA_OPTIMAL);
    CU_ASSERT_DOUBLE_EQUAL(sum->circuit_s, 25e-6 + 30.0 / 8 * 8 * (1 << 20) / 40e9 + 15 * 8192e-9, 1e-12);
}

TESTS("schemes", the_checker_accepts_every_scheme_on_rings_and_lines, schemes_take_their_formula, the_examples_of_wrht,
      groups_of_any_size_work, what_the_striped_ring_takes_is_found)
