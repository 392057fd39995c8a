/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reductions: every contribution exactly once, and each way to miss that called by its name. */
#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/request.h"
#include "tests/support/suite.h"

enum { ROOM = 4096 };

/** A schedule being written by hand: put in any order, sorted by step before it is judged. */
struct script {
    rwa_collective_kind kind;
    uint32_t nodes;
    uint64_t blocks;
    size_t count;
    rwa_lightpath lp[ROOM];
};

static struct script script;

static rwa_lightpath *put(uint32_t step, uint32_t src, uint32_t dst, uint64_t block, rwa_op op)
{
    rwa_lightpath *lp = &script.lp[script.count++];
    *lp = (rwa_lightpath){.step = step, .src = src, .dst = dst, .block = block, .orbit = 1, .op = op};
    return lp;
}

static rwa_lightpath *find(uint32_t step, uint32_t src, uint64_t block)
{
    for (size_t i = 0; i < script.count; i++)
        if (script.lp[i].step == step && script.lp[i].src == src && script.lp[i].block == block)
            return &script.lp[i];
    CU_FAIL_FATAL("no such lightpath");
    return NULL;
}

static void drop(rwa_lightpath *lp)
{
    *lp = script.lp[--script.count];
}

COMPARATOR(by_step, rwa_lightpath, UP(step))

static rwa_check_report judge(void)
{
    struct request r = request_of("ring:%u bytes=64 %s", script.nodes, rwa_collective_name(script.kind));
    rwa_schedule *sched = NULL;
    rwa_check_report verdict;
    r.blocks = script.blocks;
    const rwa_network *net = request_network(r);
    rwa_collective coll = request_collective(&r, net);
    OK(rwa_schedule_create(&sched, net, &coll, "by hand", NULL));
    base_sort(script.lp, script.count, by_step);
    for (size_t i = 0; i < script.count; i++)
        OK(rwa_schedule_add(sched, &script.lp[i], NULL));
    OK(report_schedule(&verdict, keep_schedule(sched), NULL, NULL));
    return verdict;
}

static void expect_ok(void)
{
    rwa_check_report c = judge();
    CU_ASSERT_TRUE(c.ok);
    if (!c.ok)
        fprintf(stderr, "%u nodes: %s\n", script.nodes, c.first[0].text);
}

static void expect(rwa_violation_kind kind, const char *text)
{
    rwa_check_report c = judge();
    bool said = false;
    for (size_t i = 0; i < c.named; i++)
        said = said || (c.first[i].kind == kind && strstr(c.first[i].text, text));
    CU_ASSERT_FALSE(c.ok);
    CU_ASSERT_TRUE(said);
    if (!said)
        fprintf(stderr, "expected \"%s\", got \"%s\"\n", text, c.named ? c.first[0].text : "ok");
}

static void start(rwa_collective_kind kind, uint32_t nodes, uint64_t blocks)
{
    script.kind = kind;
    script.nodes = nodes;
    script.blocks = blocks;
    script.count = 0;
}

/** Block b leaves node b + 1 and is added to at every node on its way round to its owner, node b. */
static void ring_reduce_scatter(uint32_t n)
{
    start(RWA_REDUCE_SCATTER, n, n);
    for (uint32_t step = 1; step < n; step++)
        for (uint32_t v = 0; v < n; v++)
            put(step, v, (v + 1) % n, (v + n - step) % n, RWA_REDUCE);
}

/** After that the owners' sums go round once more. */
static void ring_all_reduce(uint32_t n)
{
    ring_reduce_scatter(n);
    script.kind = RWA_ALL_REDUCE;
    for (uint32_t step = 0; step + 1 < n; step++)
        for (uint32_t v = 0; v < n; v++)
            put(n + step, v, (v + 1) % n, (v + n - step) % n, RWA_COPY);
}

/** After a reduce-scatter every owner sends its sum to the root, node 0. */
static void ring_reduce(uint32_t n)
{
    ring_reduce_scatter(n);
    script.kind = RWA_ROOTED_REDUCE;
    for (uint32_t v = 1; v < n; v++)
        put(n, v, 0, v, RWA_COPY)->wavelength = v;
}

static void ring_reductions_are_right(void)
{
    static const uint32_t sizes[] = {2, 3, 4, 5, 8, 17, 31};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        ring_reduce_scatter(sizes[i]);
        expect_ok();
        ring_all_reduce(sizes[i]);
        expect_ok();
        ring_reduce(sizes[i]);
        expect_ok();
    }
}

/* Everyone sends its contribution straight to the owner in one step: the receiver adds them all. */
static void reductions_of_one_step_add_up(void)
{
    enum { N = 5 };
    start(RWA_REDUCE_SCATTER, N, 2 * N);
    for (uint32_t b = 0; b < 2 * N; b++)
        for (uint32_t k = 1; k < N; k++)
            put(1, (b / 2 + k) % N, b / 2, b, RWA_REDUCE)->wavelength = b * (N - 1) + k - 1;
    expect_ok();
    drop(find(1, 3, 2));
    expect(RWA_VIOLATION_COMPLETENESS, "node 1 lacks the contribution of node 3 to block 2");
}

/* One vector of one block: in by a tree of node 0, out again by copies. */
static void a_tree_reduces_a_single_block(void)
{
    start(RWA_ALL_REDUCE, 4, 1);
    put(1, 1, 0, 0, RWA_REDUCE)->direction = RWA_CCW;
    put(1, 3, 2, 0, RWA_REDUCE)->direction = RWA_CCW;
    put(2, 2, 0, 0, RWA_REDUCE)->direction = RWA_CCW;
    put(3, 0, 2, 0, RWA_COPY);
    put(4, 0, 1, 0, RWA_COPY);
    put(4, 2, 3, 0, RWA_COPY);
    expect_ok();
}

/** In step t every second node that is left adds its sum to that of the one before. */
static void tree_to_root(uint32_t n)
{
    start(RWA_ROOTED_REDUCE, n, 1);
    for (uint32_t unit = 1, step = 1; unit < n; unit *= 2, step++)
        for (uint32_t v = unit; v < n; v += 2 * unit)
            put(step, v, v - unit, 0, RWA_REDUCE)->direction = RWA_CCW;
}

/* Only the root must have the sum; what others were left with does not matter. */
static void a_reduce_ends_at_its_root(void)
{
    for (uint32_t n = 2; n < 20; n++) {
        tree_to_root(n);
        expect_ok();
    }
    tree_to_root(8);
    drop(find(1, 5, 0)); /* node 4 goes on without it */
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 0 lacks the contribution of node 5 to block 0");
    CU_ASSERT_EQUAL(judge().violations, 1);
    tree_to_root(8);
    put(2, 5, 0, 0, RWA_REDUCE); /* which node 4 brings along in step 3 */
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 0 counts the contribution of node 5 to block 0 twice");
    tree_to_root(8);
    find(1, 5, 0)->dst = 6;
    find(1, 5, 0)->direction = RWA_CW; /* another way to the root */
    expect_ok();
    find(1, 7, 0)->src = 4; /* and what node 4 adds to both ways is counted twice, that of node 7 never */
    find(1, 4, 0)->direction = RWA_CW;
    expect(RWA_VIOLATION_COMPLETENESS,
           "at the end node 0 counts the contribution of node 4 to block 0 twice and lacks that of node 7");
    tree_to_root(8);
    find(3, 4, 0)->op = RWA_COPY; /* the root forgets what it had added */
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 0 lacks contributions to block 0: it counts 4 of 8");
}

static void a_lost_contribution_is_named(void)
{
    ring_reduce_scatter(5);
    drop(find(1, 1, 0));
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 0 lacks the contribution of node 1 to block 0");
    ring_all_reduce(5);
    drop(find(1, 1, 0)); /* and every node copies the owner's mistake */
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 3 lacks the contribution of node 1 to block 0");
    CU_ASSERT_EQUAL(judge().by_kind[RWA_VIOLATION_COMPLETENESS], 5);
    /* a copy where a reduction belongs wipes out what the receiver would have added */
    ring_reduce_scatter(5);
    find(2, 2, 0)->op = RWA_COPY;
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 0 lacks the contribution of node 3 to block 0");
    /* the last copy of a block: node 4, the last to add to it, lacks only the owner's; node 3 had added three */
    ring_all_reduce(5);
    drop(find(8, 3, 0));
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 4 lacks the contribution of node 0 to block 0");
    CU_ASSERT_EQUAL(judge().violations, 1);
    ring_all_reduce(5);
    drop(find(7, 2, 0));
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 3 lacks contributions to block 0: it counts 3 of 5");
}

static void a_contribution_counted_twice_is_named(void)
{
    ring_reduce_scatter(5);
    put(2, 1, 0, 0, RWA_REDUCE)->direction = RWA_CCW; /* node 1 gave the same to node 2 in step 1 */
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 0 counts the contribution of node 1 to block 0 twice");
    ring_reduce_scatter(5);
    rwa_lightpath *lp = put(4, 2, 0, 0, RWA_REDUCE); /* node 2 has added that of node 1 */
    lp->direction = RWA_CCW;
    expect(RWA_VIOLATION_COMPLETENESS, "counts contributions to block 0 more than once: 7 in place of 5");
    ring_all_reduce(5);
    find(5, 0, 0)->op = RWA_REDUCE; /* the sum is added to what node 1 still holds, its own */
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 1 counts the contribution of node 1 to block 0 twice");
}

/* Right in number, wrong in kind: a count alone would not see it. */
static void one_twice_and_one_never_are_both_named(void)
{
    ring_reduce_scatter(5);
    rwa_lightpath *lp = find(1, 1, 0);
    lp->src = 3;
    lp->direction = RWA_CCW;
    expect(RWA_VIOLATION_COMPLETENESS,
           "at the end node 0 counts the contribution of node 3 to block 0 twice and lacks that of node 1");
}

/* Node 2 sends in step 1 what reaches it in step 1: it can only send what it had before. */
static void values_are_read_at_the_start_of_the_step(void)
{
    ring_reduce_scatter(5);
    rwa_lightpath *lp = find(2, 2, 0);
    lp->step = 1;
    lp->wavelength = 1;
    expect(RWA_VIOLATION_COMPLETENESS, "at the end node 0 lacks the contribution of node 1 to block 0");
}

static void what_meets_a_copy_is_a_clash(void)
{
    ring_all_reduce(5);
    put(5, 3, 1, 0, RWA_COPY)->wavelength = 1;
    expect(RWA_VIOLATION_COMPLETENESS, "step 5: node 1 receives block 0 as two copies");
    ring_all_reduce(5);
    put(5, 3, 1, 0, RWA_REDUCE)->wavelength = 1;
    expect(RWA_VIOLATION_COMPLETENESS, "step 5: node 1 receives block 0 as a copy and a reduction");
    ring_reduce_scatter(5);
    put(1, 4, 2, 0, RWA_COPY)->wavelength = 1; /* node 1 adds to the same block of node 2 */
    expect(RWA_VIOLATION_COMPLETENESS, "step 1: node 2 receives block 0 as a copy and a reduction");
    /* another block, or the next step, is no clash: sending node 1 its sum again changes nothing */
    ring_all_reduce(5);
    put(6, 0, 1, 0, RWA_COPY)->wavelength = 1;
    expect_ok();
}

/*
 * Two nodes adding their sums to each other 62 times count each contribution 2^61 times, which is 1 modulo 2^61 - 1:
 * the sum of the weights is right, and only the count, which does not wrap, gives it away.
 */
static void doubling_does_not_wrap(void)
{
    for (uint32_t steps = 1; steps <= 130; steps++) {
        start(RWA_ALL_REDUCE, 2, 1);
        for (uint32_t step = 1; step <= steps; step++) {
            put(step, 0, 1, 0, RWA_REDUCE);
            put(step, 1, 0, 0, RWA_REDUCE);
        }
        CU_ASSERT_EQUAL(judge().ok, steps == 1);
    }
}

/* Nothing is added up in a gather; the schedule does not take such a record in the first place. */
static void a_reduction_outside_reductions_is_refused(void)
{
    rwa_schedule *sched = NULL;
    const rwa_schedule *like = schedule_on("ring:4");
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 1, .orbit = 1, .op = RWA_REDUCE};
    OK(rwa_schedule_create(&sched, rwa_schedule_network(like), rwa_schedule_collective(like), "by hand", NULL));
    CU_ASSERT_EQUAL(rwa_schedule_add(keep_schedule(sched), &lp, NULL), RWA_BADARG);
}

TESTS("reductions", ring_reductions_are_right, reductions_of_one_step_add_up,
      a_tree_reduces_a_single_block, a_reduce_ends_at_its_root, a_lost_contribution_is_named,
      a_contribution_counted_twice_is_named, one_twice_and_one_never_are_both_named,
      values_are_read_at_the_start_of_the_step, what_meets_a_copy_is_a_clash, doubling_does_not_wrap,
      a_reduction_outside_reductions_is_refused)
