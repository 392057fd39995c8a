/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>

static char *explanation(const char *spec, uint32_t wavelengths, const char *scheme, size_t stage)
{
    rwa_plan *plan = plan_of(spec, wavelengths, RWA_ALL_GATHER, scheme);
    char *text = NULL;
    rwa_status st = rwa_plan_explain(&text, plan, NULL, stage, NULL);
    CU_ASSERT_EQUAL(st == RWA_OK, text != NULL);
    rwa_plan_free(plan);
    return text;
}

/* In an all-gather every node but the owner gets block 0 once: the '+' of the drawings are N - 1 in all, apart from those
 * that name places. */
static void every_node_gets_the_block_once(void)
{
    for (uint32_t nodes = 3; nodes <= 33; nodes += 5) {
        char spec[16], *text;
        snprintf(spec, sizeof spec, "ring:%u", nodes);
        text = explanation(spec, 2, "wavefront", 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        size_t drawn = 0;
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            if (strncmp(line, "    ", 4) == 0 && strspn(line + 4, ".#+") == nodes)
                drawn += count_of(line, "+");
        CU_ASSERT_EQUAL(drawn, nodes - 1);
        rwa_text_free(text);
    }
}

/* On networks that list links too, and everywhere a broadcast's one block reaches each node once: N - 1 are drawn as getting it. */
static void steps_are_drawn_on_every_network(void)
{
    static const char *const specs[] = {"torus:3x3", "mesh:2x4", "hypercube:3", "star:6", "ring:7", "line:5"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rwa_plan *plan = plan_of(specs[i], 2, RWA_BROADCAST, NULL);
        char *text = NULL;
        size_t nodes = rwa_network_nodes(rwa_schedule_network(rwa_plan_schedule(plan))), drawn = 0;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_explain(&text, plan, NULL, 0, NULL), RWA_OK);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            if (strncmp(line, "    ", 4) == 0 && strlen(line) == nodes + 4 && strspn(line + 4, ".#+") == nodes)
                drawn += count_of(line, "+");
        CU_ASSERT_EQUAL(drawn, nodes - 1);
        rwa_text_free(text);
        rwa_plan_free(plan);
    }
}

/* An epoch for each reconfiguration that is paid for, and none in the other models. */
static void epochs_are_told(void)
{
    rwa_network *net = NULL;
    rwa_network_options n;
    rwa_collective coll;
    rwa_network_options_init(&n);
    n.wavelengths = 2;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "star:4", &n, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 4, 0, 4 << 20, 0, NULL), RWA_OK);
    for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
        rwa_plan *plan = NULL;
        rwa_plan_options o;
        uint32_t epoch[64];
        char *text = NULL;
        rwa_plan_options_init(&o);
        o.cost.model = (rwa_cost_model)model;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        CU_ASSERT_FATAL(rwa_schedule_steps(sched) > 1 && rwa_schedule_steps(sched) <= 64);
        CU_ASSERT_EQUAL_FATAL(rwa_cost_epochs(epoch, sched, &o.cost, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_plan_explain(&text, plan, NULL, 0, NULL), RWA_OK);
        CU_ASSERT_EQUAL(count_of(text, " begins: "), model == RWA_COST_CIRCUIT ? epoch[rwa_schedule_steps(sched) - 1] : 0);
        CU_ASSERT_EQUAL(count_of(text, " replaces one of step ") > 0, model != RWA_COST_PAPER);
        rwa_text_free(text);
        rwa_plan_free(plan);
    }
    rwa_network_free(net);
}

/* The block that the text follows must move: a gather's root needs no block of its own, and no node's block is for itself. */
static void the_block_that_is_followed_moves(void)
{
    static const rwa_collective_kind kinds[] = {RWA_GATHER,         RWA_SCATTER,    RWA_ALL_TO_ALL,
                                                RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_ROOTED_REDUCE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        rwa_plan *plan = plan_of("mesh:2x3", 2, kinds[i], NULL);
        char *text = NULL;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_explain(&text, plan, NULL, 0, NULL), RWA_OK);
        size_t steps = count_of(text, ": block ");
        CU_ASSERT_EQUAL(steps, rwa_schedule_steps(rwa_plan_schedule(plan)));
        CU_ASSERT(count_of(text, " waits") < steps);
        rwa_text_free(text);
        rwa_plan_free(plan);
    }
}

/* "tree" is a scheme of broadcasts; a reduce by it is one of these, backwards. */
static void a_plan_run_backwards_says_so(void)
{
    static const struct { rwa_collective_kind kind; const char *says; } cases[] = {
        {RWA_BROADCAST, NULL}, {RWA_ROOTED_REDUCE, "Planned as broadcast and run backwards\n"},
        {RWA_GATHER, "Planned as scatter and run backwards\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *plan = plan_of("ring:9", 2, cases[i].kind, "tree");
        char *text = NULL;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_explain(&text, plan, NULL, 0, NULL), RWA_OK);
        CU_ASSERT_EQUAL(strstr(text, "run backwards") != NULL, cases[i].says != NULL);
        CU_ASSERT(!cases[i].says || strstr(text, cases[i].says));
        rwa_text_free(text);
        rwa_plan_free(plan);
    }
}

static void a_proof_is_claimed_only_where_there_is_one(void)
{
    char *best = explanation("ring:16", 2, "wavefront", 0), *tree = explanation("ring:16", 2, "optree", 0);
    char *striped = explanation("ring:16", 2, "ring-striped", 0);   /* more steps than `best`, and the fewest for its blocks */
    CU_ASSERT_PTR_NOT_NULL(strstr(best, "no plan has fewer steps"));
    CU_ASSERT_PTR_NULL(strstr(tree, "no plan has fewer steps"));
    CU_ASSERT_PTR_NULL(strstr(striped, "no plan has fewer steps"));
    CU_ASSERT_PTR_NOT_NULL(strstr(striped, "no plan of as many blocks has fewer steps"));
    rwa_text_free(striped);
    rwa_text_free(best);
    rwa_text_free(tree);
}

static void one_step_alone(void)
{
    char *text = explanation("ring:16", 2, "optree", 2), *none = explanation("ring:16", 2, "optree", 99);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "Step 2"));
    CU_ASSERT_PTR_NULL(strstr(text, "Step 1:"));
    CU_ASSERT_PTR_NULL(none);
    rwa_text_free(text);
}

/* A finished plan's schedule has the same verdict when it comes from elsewhere: the checker and the bounds ask nothing of its
 * origin.  So the text is the same too, but for a paper's formula, which no file holds. */
static void a_schedule_is_explained_as_its_plan(void)
{
    static const struct { const char *spec, *scheme; rwa_collective_kind kind; } cases[] = {
        {"ring:16", "wavefront", RWA_ALL_GATHER}, {"torus:4x4", "nearest", RWA_ALL_GATHER}, {"star:6", NULL, RWA_BROADCAST},
        {"line:9", NULL, RWA_ALL_REDUCE}, {"ring:12", "compose", RWA_ALL_TO_ALL}, {"hypercube:3", NULL, RWA_SCATTER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *plan = plan_of(cases[i].spec, 2, cases[i].kind, cases[i].scheme), *same = NULL;
        char *text = NULL, *again = NULL;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_from_schedule(&same, rwa_plan_schedule(plan), NULL, NULL), RWA_OK);
        const rwa_plan_report *x = rwa_plan_summary(plan), *y = rwa_plan_summary(same);
        CU_ASSERT(x->steps == y->steps && x->lightpaths == y->lightpaths && x->outcome == y->outcome);
        CU_ASSERT(x->time_s == y->time_s && x->bound.value == y->bound.value && x->longest_hops == y->longest_hops);
        CU_ASSERT_STRING_EQUAL(x->scheme, y->scheme);
        CU_ASSERT_EQUAL_FATAL(rwa_plan_explain(&text, plan, NULL, 0, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_plan_explain(&again, same, NULL, 0, NULL), RWA_OK);
        CU_ASSERT(x->formula.known || strcmp(text, again) == 0);
        rwa_text_free(text);
        rwa_text_free(again);
        rwa_plan_free(plan);
        rwa_plan_free(same);
    }
}

/* Two lightpaths on one channel, or none at all: an answer, not an error; and a file chooses no scheme. */
static void a_wrong_schedule_says_why(void)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_plan *plan = NULL;
    rwa_plan_options opts;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:3", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 3, 0, 1, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "mine", NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_from_schedule(&plan, sched, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_INFEASIBLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(rwa_plan_summary(plan)->why, "the schedule is wrong: "));
    CU_ASSERT_PTR_NULL(rwa_plan_schedule(plan));
    rwa_plan_free(plan);
    rwa_plan_options_init(&opts);
    opts.scheme = "ring";
    CU_ASSERT_EQUAL(rwa_plan_from_schedule(&plan, sched, &opts, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(plan);
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(every_node_gets_the_block_once), TEST(steps_are_drawn_on_every_network),
        TEST(epochs_are_told), TEST(the_block_that_is_followed_moves), TEST(a_plan_run_backwards_says_so),
        TEST(a_proof_is_claimed_only_where_there_is_one), TEST(one_step_alone), TEST(a_schedule_is_explained_as_its_plan),
        TEST(a_wrong_schedule_says_why), {0}};
    return run_tests("explain", tests);
}
