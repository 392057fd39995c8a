/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/plans.h"
#include "tests/support/request.h"

/** Valid until the next call; NULL: there is no such step. */
static char *explained(const rwa_plan *plan, size_t step)
{
    static char *text;
    rwa_text_free(text);
    text = NULL;
    rwa_status st = rwa_plan_explain(&text, plan, step, NULL);
    CU_ASSERT_EQUAL(st == RWA_OK, text != NULL);
    return text;
}

/** The `*` of the drawings. */
static size_t drawn_as_informed(const rwa_plan *plan, size_t nodes)
{
    size_t drawn = 0;
    for (char *line = strtok(explained(plan, 0), "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, "    ", 4) == 0 && strlen(line) == nodes + 4 && strspn(line + 4, ".#*") == nodes)
            drawn += count_of(line, "*");
    return drawn;
}

/* In an all-gather every node but the owner gets block 0 once, in a broadcast the one block: N - 1 are drawn as getting
 * it, on networks that list links too. */
static void every_node_gets_the_block_once(void)
{
    static const char *const specs[] = {"torus:3x3", "mesh:2x4", "hypercube:3", "star:6", "ring:7", "line:5"};
    for (uint32_t nodes = 3; nodes <= 33; nodes += 5)
        CU_ASSERT_EQUAL(drawn_as_informed(plan_on("ring:%u w=2 by wavefront", nodes), nodes), nodes - 1);
    for (size_t i = 0; i < COUNT(specs); i++) {
        rwa_plan *plan = plan_on("%s w=2 root=1 broadcast", specs[i]);
        size_t nodes = rwa_network_nodes(rwa_schedule_network(rwa_plan_schedule(plan)));
        CU_ASSERT_EQUAL(drawn_as_informed(plan, nodes), nodes - 1);
    }
}

/* An epoch for each reconfiguration that is paid for, and none in the other models. */
static void epochs_are_told(void)
{
    static const char *const models[] = {"paper", "circuit", "overlap"};
    for (int m = 0; m < 3; m++) {
        struct request r = request_of("star:4 w=2 bytes=4194304 model=%s", models[m]);
        rwa_plan *plan = plan_for(r);
        uint32_t epoch[64], steps = rwa_schedule_steps(rwa_plan_schedule(plan));
        CU_ASSERT_FATAL(steps > 1 && steps <= 64);
        OK(rwa_cost_epochs(epoch, rwa_plan_schedule(plan), &r.options.cost, NULL));
        const char *text = explained(plan, 0);
        CU_ASSERT_EQUAL(count_of(text, " begins: "), m == 1 ? epoch[steps - 1] : 0);
        CU_ASSERT_EQUAL(count_of(text, " replaces one of step ") > 0, m > 0);
    }
}

/* The block that the text follows must move: a gather's root needs no block of its own, and no node's block is for
 * itself. */
static void the_block_that_is_followed_moves(void)
{
    static const char *const kinds[] = {"gather", "scatter", "all-to-all", "reduce-scatter", "all-reduce", "reduce"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        rwa_plan *plan = plan_on("mesh:2x3 w=2 root=1 %s", kinds[i]);
        const char *text = explained(plan, 0);
        CU_ASSERT_EQUAL(count_of(text, ": block "), rwa_plan_summary(plan)->steps);
        CU_ASSERT(count_of(text, " waits") < rwa_plan_summary(plan)->steps);
    }
}

/* "tree" is a scheme of broadcasts; a reduce by it is one of these, backwards. */
static void a_plan_run_backwards_says_so(void)
{
    CU_ASSERT_EQUAL(count_of(explained(plan_on("ring:9 w=2 root=1 broadcast by tree"), 0), "run backwards"), 0);
    expect_part(explained(plan_on("ring:9 w=2 root=1 reduce by tree"), 0), "Planned as broadcast and run backwards.\n");
    expect_part(explained(plan_on("ring:9 w=2 root=1 gather by tree"), 0), "Planned as scatter and run backwards.\n");
}

static void one_step_alone(void)
{
    const rwa_plan *plan = plan_on("ring:16 w=2 by optree");
    const char *text = explained(plan, 2);
    expect_part(text, "Step 2");
    CU_ASSERT_PTR_NULL(strstr(text, "Step 1:"));
    CU_ASSERT_PTR_NULL(explained(plan, 99));
}

/* A finished plan's schedule has the same verdict when it comes from elsewhere: the checker and the bounds ask nothing
 * of its origin.  So the text is the same too, but for a paper's formula, which no file holds. */
static void a_schedule_is_explained_as_its_plan(void)
{
    static const char *const requests[] = {
        "ring:16 w=2 by wavefront", "torus:4x4 w=2 by nearest", "star:6 w=2 root=1 broadcast", "line:9 w=2 all-reduce",
        "ring:12 w=2 all-to-all by compose", "hypercube:3 w=2 root=1 scatter"};
    for (size_t i = 0; i < COUNT(requests); i++) {
        rwa_plan *plan = plan_on("%s", requests[i]), *same = NULL;
        char *text = NULL;
        OK(rwa_plan_from_schedule(&same, rwa_plan_schedule(plan), NULL, NULL));
        const rwa_plan_report *x = rwa_plan_summary(plan), *y = rwa_plan_summary(keep_plan(same));
        CU_ASSERT(x->steps == y->steps && x->lightpaths == y->lightpaths && x->outcome == y->outcome);
        CU_ASSERT(x->time_s == y->time_s && x->bound.value == y->bound.value && x->longest_hops == y->longest_hops);
        CU_ASSERT_STRING_EQUAL(x->scheme, y->scheme);
        OK(rwa_plan_explain(&text, plan, 0, NULL));
        CU_ASSERT(x->formula.known || strcmp(text, explained(same, 0)) == 0);
        rwa_text_free(text);
    }
}

/* Two lightpaths on one channel, or none at all: an answer, not an error; and a file chooses no scheme. */
static void a_wrong_schedule_says_why(void)
{
    struct request r = request_of("ring:3 by ring");
    const rwa_network *net = request_network(r);
    rwa_collective coll = request_collective(&r, net);
    rwa_schedule *sched = NULL;
    rwa_plan *plan = NULL;
    OK(rwa_schedule_create(&sched, net, &coll, "mine", NULL));
    OK(rwa_plan_from_schedule(&plan, keep_schedule(sched), NULL, NULL));
    CU_ASSERT(rwa_plan_summary(keep_plan(plan))->outcome == RWA_INFEASIBLE && !rwa_plan_schedule(plan));
    expect_part(rwa_plan_summary(plan)->why, "the schedule is wrong: ");
    r.options.scheme = r.scheme;
    CU_ASSERT_EQUAL(rwa_plan_from_schedule(&plan, sched, &r.options, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(plan);
}

TESTS("explain", every_node_gets_the_block_once, epochs_are_told, the_block_that_is_followed_moves,
      a_plan_run_backwards_says_so, one_step_alone, a_schedule_is_explained_as_its_plan, a_wrong_schedule_says_why)
