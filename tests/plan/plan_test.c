/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"
#include "plan/plan.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

/* All-to-all on a ring needs ceil(floor(N^2/4)/2) wavelengths (total shortest length over the links), on a line
 * floor(N^2/4) (the middle link): the explicit assignment must reach exactly that, N = 5 for instance 3 and not 4. */
static void one_stage_uses_exactly_the_proven_minimum(void)
{
    for (uint32_t n = 2; n <= 200; n += thorough || n < 20 ? 1 : 7) {
        uint32_t exact = n * n / 4;
        CU_ASSERT_EQUAL(rwa_plan_stage(plan_on("ring:%u w=64 load=1 by one-stage", n), 0)->wavelengths,
                        (exact + 1) / 2);
        CU_ASSERT_EQUAL(rwa_plan_stage(plan_on("line:%u w=64 load=1 by one-stage", n), 0)->wavelengths, exact);
    }
}

/* OpTree's own example (Section III-C): 12 steps in two 4-ary stages, 16 in stages 2, 3, 3; explicit never more. */
static void the_paper_example_is_met_or_beaten(void)
{
    const rwa_plan_report *s = report_on("ring:16 w=2 radix=4,4 by optree");
    CU_ASSERT(s->formula.steps == 12 && s->steps <= 12);
    CU_ASSERT(s->formula.stage_wavelengths[0] == 8 && s->formula.stage_wavelengths[1] == 16);
    s = report_on("ring:16 w=2 radix=2,3,3 by optree");
    CU_ASSERT(s->formula.steps == 16 && s->steps <= 16 && s->formula.stage_wavelengths[1] == 12);
}

/* Theorem 1 at the stages that Tables 1 to 3 of OpTree rest on.  Equal shares instead of equal positions, and spare
 * channels lent to the next stage, beat them all. */
static void optree_takes_fewer_steps_than_printed(void)
{
    static const struct known printed[] = {{"ring:512 w=64", 32},
                                           {"ring:1024 w=64", 70},
                                           {"ring:1024 w=4", 1118},
                                           {"ring:1024 w=16", 280},
                                           {"ring:1024 w=128", 35}};
    for (size_t i = 0; i < COUNT(printed); i++)
        CU_ASSERT(steps_on("%s load=1 by optree", printed[i].line) < printed[i].steps);
}

/* A stage whose children hold equal shares of N blocks crosses the middle of its group floor(m^2 / 4) ceil(N / m) times
 * at most, give or take the rounding of shares.  The second stage of a ring is left out: it starts from positions. */
static void later_stages_need_what_equal_shares_say(void)
{
    for (uint32_t n = 300; n <= 1024; n += 181) {
        rwa_plan *plan = plan_on("ring:%u w=64 radix=5,3,3,3,3,3 load=1 by optree", n);
        for (size_t j = 2; j < rwa_plan_summary(plan)->stages; j++)
            CU_ASSERT(rwa_plan_stage(plan, j)->wavelengths <= 2 * ((n + 2) / 3) + 2);
    }
}

/* Any radices whose product reaches N: no node is left in company, no block lost. */
static void any_radices_are_carried_out(void)
{
    seed = 11;
    for (int round = 0; round < 400; round++) {
        uint32_t n = 2 + any(90), w = 1 + any(5);
        struct request r = request_of("%s:%u w=%u load=1 by optree", round % 3 ? "ring" : "line", n, w);
        for (uint64_t product = 1; product < n; product *= r.radices.at[r.radices.count - 1])
            r.radices.at[r.radices.count++] = 2 + any(6);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan_for(r))->lightpaths, (uint64_t)n * (n - 1));
    }
    expect_part(refusal_on("ring:16 w=2 radix=3,5 by optree"), "BADARG");
    expect_part(refusal_on("ring:16 w=2 radix=1,16 by optree"), "BADARG");
}

/* With one port and one block on a lightpath a node of 8 sends one block a step: 7 steps at least.  one-stage sends
   more at a time. */
static void schedules_that_crowd_the_ports_are_refused(void)
{
    expect_part(refusal_on("ring:8 ports=1 load=1 by one-stage"), "1 ports");
    CU_ASSERT_EQUAL(steps_on("ring:8 ports=1 load=1"), 7);
    /* Its all-gather is refused first, and is no schedule of this request. */
    expect_part(refusal_on("mesh:2x3 all-reduce by standing"), "scheme standing is for rings");
}

/* Where it searched the plans of all of them, or their checks went through all lightpaths, these took minutes and
   more. */
static void giant_networks_are_planned_or_refused_at_once(void)
{
    static const char *const planned[] = {"ring:65536", "ring:65536 model=overlap", "ring:65536 all-reduce",
                                          "ring:65536 broadcast", "ring:65536 reduce-scatter"};
    static const char *const refused[] = {"line:1048576", "torus:256x256"};
    for (size_t i = 0; i < COUNT(planned); i++)
        CU_ASSERT(steps_on("%s bytes=4194304", planned[i]) > 0);
    for (size_t i = 0; i < COUNT(refused); i++)
        expect_part(refusal_on("%s bytes=4194304", refused[i]), "BADARG");
    /* standing fills all links equally; its sums, too, are checked at one node for all */
    const rwa_plan_report *s = report_on("torus:10x10x20 w=16 bytes=64000000 model=circuit all-reduce");
    CU_ASSERT(s->time_s < 1.01 * s->time_bound_s);
}

/* A limit that ends the work on one scheme leaves others; a caller who stops the planning, or a failure, ends it. */
static void a_limit_of_one_scheme_ends_no_planning(void)
{
    rwa_plan_options o;
    struct stop stop = {.at = 0};
    rwa_plan_options_init(&o);
    CU_ASSERT(work_was_limited(&o, RWA_CANCELLED) && !work_was_limited(&o, RWA_NOMEM));
    o.poll = stop_once;
    o.poll_data = &stop;
    CU_ASSERT(work_was_limited(&o, RWA_CANCELLED));
    stop.at = stop.polls + 1;
    CU_ASSERT(!work_was_limited(&o, RWA_CANCELLED));
}

/* Stripe j of block b belongs to the owner of b only if all nodes own equally many blocks: with 2 blocks for 7 nodes,
 * stripes 0 and 1 of 4 are node 0's and 1's, but of 2 blocks nodes 0 and 3 have one each.  A block in no stripes then,
 * or no plan. */
static void stripes_stay_with_the_owner_of_their_block(void)
{
    static const char *const owned[] = {"scatter", "gather", "all-gather", "reduce-scatter"};
    for (size_t k = 0; k < COUNT(owned); k++)
        for (uint32_t blocks = 2; blocks < 7; blocks++) {
            rwa_plan *plan = plan_on("tree:2x2 bytes=1073741824 blocks=%u %s", blocks, owned[k]);
            CU_ASSERT_EQUAL(rwa_plan_summary(plan)->stripes, 1);
            CU_ASSERT_EQUAL(rwa_schedule_collective(rwa_plan_schedule(plan))->blocks, blocks);
            expect_part(refusal_on("tree:2x2 bytes=1073741824 stripes=2 blocks=%u %s", blocks, owned[k]), "BADARG");
        }
    /* The one block of a scatter is node 0's, which is the root. */
    expect_part(refusal_on("tree:2x2 blocks=1 scatter"), "nothing is to be sent");
}

/* A collective's meaning allows every number of blocks but in an all-to-all, so there is a plan for each of them,
 * valid, and with one block on a lightpath where that is asked for. */
static void every_number_of_blocks_is_planned(void)
{
    static const char *const nets[] = {"ring:6 w=3", "line:5 w=2", "torus:3x3 w=2", "mesh:2x3", "ocs:5x2", "star:5",
                                       "ring:9 members=0,1,2,4,7", "ring:7 w=2 ports=2"};
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_BROADCAST,      RWA_SCATTER,    RWA_GATHER,
                                                RWA_ALL_REDUCE, RWA_REDUCE_SCATTER, RWA_ROOTED_REDUCE};
    for (size_t n = 0; n < COUNT(nets); n++)
        for (size_t k = 0; k < COUNT(kinds); k++)
            for (uint32_t blocks = 2; blocks < 23; blocks += 4 + blocks / 7) {
                const char *name = rwa_collective_name(kinds[k]);
                const rwa_schedule *any = schedule_on("%s blocks=%u %s", nets[n], blocks, name),
                                   *one = schedule_on("%s blocks=%u load=1 %s", nets[n], blocks, name);
                CU_ASSERT_EQUAL(rwa_schedule_collective(any)->blocks, blocks);
                CU_ASSERT_EQUAL(rwa_schedule_lightpath_blocks(one), 1);
            }
}

/* Two blocks on a ring of 8: all nodes can send to both roots at once, 4 one way round and 3 the other; then back. */
static void few_blocks_take_few_steps(void)
{
    CU_ASSERT_EQUAL(report_on("ring:8 w=4 all-reduce blocks=2")->steps, 2);
}

/* A plan by lightpaths of 2 hops, which stay up from step to step, is also one without a limit of hops. */
static void more_hops_are_no_slower(void)
{
    static const char settings[] = "tree:2x2 w=1 scatter root=3 load=1 bytes=1 model=circuit reconfig=0.001";
    CU_ASSERT(report_on("%s", settings)->time_s <= report_on("%s hops=2", settings)->time_s * (1 + 1e-9));
}

/* Four steps of 1e308 s are longer than a number can say, for planner and checker alike: no reason to doubt the
   plan. */
static void a_time_may_be_infinite(void)
{
    CU_ASSERT(isinf(time_on("ring:8 w=1 reconfig=1e308")));
}

/* A size of 1 adds nothing: a search that goes dimension by dimension must not come back to it for ever. */
static void dimensions_of_one_node_are_planned(void)
{
    static const char *const specs[] = {"torus:4x1", "torus:2x1", "mesh:5x1", "torus:4x1x5", "mesh:2x1x3"};
    static const char *const kinds[] = {"all-gather", "reduce-scatter", "all-reduce", "broadcast"};
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t k = 0; k < COUNT(kinds); k++)
            if (thorough || k == i % 4) /* every network, and every collective */
                CU_ASSERT(steps_on("%s bytes=1000000000000 %s", specs[i], kinds[k]) > 0);
}

TESTS("plan", one_stage_uses_exactly_the_proven_minimum, the_paper_example_is_met_or_beaten,
      optree_takes_fewer_steps_than_printed, later_stages_need_what_equal_shares_say, any_radices_are_carried_out,
      schedules_that_crowd_the_ports_are_refused, giant_networks_are_planned_or_refused_at_once,
      a_limit_of_one_scheme_ends_no_planning, stripes_stay_with_the_owner_of_their_block,
      every_number_of_blocks_is_planned, few_blocks_take_few_steps, more_hops_are_no_slower, a_time_may_be_infinite,
      dimensions_of_one_node_are_planned)
