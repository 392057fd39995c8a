/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Collectives on networks of any form: every plan passes the checker, keeps its limits, and is at a bound where that
 * is known. */
#include "delivery/delivery_search.h"

#include "tests/support/files.h"
#include "tests/support/request.h"
#include "tests/support/suite.h"

/* With few ports too, and links one by one: nodes on the way then pass blocks on that they do not need. */
static void every_network_has_every_collective(void)
{
    static const char *const specs[] = {
        "mesh:3x4", "torus:3x3", "hypercube:3", "tree:2x2", "fat-tree:4", "circulant:9:1,3", "nsfnet14-21",
        "cost239-11-26", "ring:9", "line:8"};
    for (size_t i = 0; i < COUNT(specs); i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (uint32_t limit = ((uint32_t)i + kind) % 2; limit <= 4; limit += 2) {
                uint32_t w = 1 + 4 * (((uint32_t)i + limit + kind) % 3), hops = limit == 4;
                CU_ASSERT(report_on("%s w=%u ports=%u hops=%u root=%u %s", specs[i], w, limit % 4, hops,
                                    2 * limit % 3, rwa_collective_name(kind))
                              ->bound.value > 0);
            }
}

static void bounds_are_met(void)
{
    static const struct known rows[] = {
        /* Complete networks: one step on one channel. */
        {"circulant:7:1,2,3 w=1 by nearest", 1},
        {"circulant:7:1,2,3 w=1 all-to-all by nearest", 1},
        /* A star of 7 leaves: all-gather brings 7 blocks over a leaf's one link. */
        {"tree:7x1 w=1 by nearest", 7},
        {"tree:7x1 w=1 scatter by nearest", 1},
        /* 49 pairs over a cut of 4 links, 4 channels each; 7 times 8 pairs over a link at the root; a cut asks for 86
           wavelengths. */
        {"nsfnet14-21 w=4 all-to-all by nearest", 4},
        {"nsfnet14-21 w=13 all-to-all by nearest", 1},
        {"tree:2x3 w=4 all-to-all by nearest", 14},
        {"cost266-37-57 w=4 all-to-all by nearest", 22},
        /* 4 links lead out of the root and 15 nodes ask, so that 4 channels are enough. */
        {"hypercube:4 w=8 broadcast by nearest", 1},
        /* An all-gather that translations repeat keeps every link busy on few channels: (N - 1) / degree steps, rounded
         * up.  In 2 steps the translations of 640 lightpath-links a step do not reach 1023 nodes (bound growth). */
        {"hypercube:6 w=1 by nearest", 11},
        {"hypercube:8 w=1 by nearest", 32},
        {"hypercube:9 w=1 by nearest", 57},
        {"hypercube:10 w=64 by nearest", 3},
        {"torus:8x8 w=1 by nearest", 16},
        {"torus:16x16 w=4 by nearest", 17},
        {"torus:2x3x4 w=1 by nearest", 5},
        {"circulant:64:1,8 w=1 by nearest", 16},
        {"circulant:100:1,7,30 w=8 by nearest", 3},
        {"hypercube:6 w=2 ports=3 by nearest", 21},
        /* On these the greedy takes a step more than the lower bound, a theorem.  Where a channel is closed, as many
           steps as without. */
        {"mesh:3x4 w=2 limit=60 reduce-scatter by nearest", 3},
        {"mesh:4x4 w=5 reserved=1 limit=60 by nearest", 2},
        {"mesh:6x6 w=6 limit=60 reduce-scatter by nearest", 3},
        {"torus:3x7 w=4 limit=60 by nearest", 2},
        {"torus:5x7 w=8 limit=60 reduce-scatter by nearest", 2}};
    static const struct known more[] = {
        {"mesh:3x4 w=3 limit=60 by nearest", 2}, {"mesh:4x4 w=4 limit=60 reduce-scatter by nearest", 2},
        {"mesh:4x5 w=6 limit=60 reduce-scatter by nearest", 2}, {"mesh:5x5 w=4 limit=60 by nearest", 3},
        {"mesh:8x8 w=4 limit=60 by nearest", 8}, {"mesh:8x8 w=8 limit=60 reduce-scatter by nearest", 4},
        {"torus:4x7 w=6 limit=60 reduce-scatter by nearest", 2}, {"torus:5x6 w=6 limit=60 by nearest", 2},
        {"circulant:64:1,8 w=16 limit=60 by nearest", 2}};
    take_steps(rows, COUNT(rows), OPTIMAL);
    take_steps(more, thorough ? COUNT(more) : 0, OPTIMAL);
}

static void fewest_steps_are_taken(void)
{
    static const struct known rows[] = {
        /* A node of two links in receives 199 blocks, two in a step.  A chain of such nodes lies on a cut of two links,
         * so that each block must pass that cut on one of them only. */
        {"geometric:200:7 w=1 by nearest", 100},
        /* With 2 ports a node takes in its 15 blocks in 8 steps at least: one port is idle once in all. */
        {"mesh:4x4 w=8 ports=2 all-to-all by nearest", 8},
        /* A node of two links takes in 2 of the 13 B/14 blocks of the others in a step: whole blocks, halves, quarters.
         */
        {"nsfnet14-21 w=1 by nearest", 7},
        {"nsfnet14-21 w=1 blocks=28 by nearest", 13},
        {"nsfnet14-21 w=1 blocks=56 by nearest", 26},
        {"nsfnet14-21 w=1 blocks=28 reduce-scatter by nearest", 13},
        /* Channels for all pairs at once, of which one-stage finds an assignment. */
        {"circulant:64:1,8 w=64 by one-stage", 1}};
    take_steps(rows, COUNT(rows), EXACT);
    CU_ASSERT(steps_on("nsfnet14-21 w=1 bytes=1048576 blocks=28") <= 13); /* fewer with several blocks on a lightpath */
    CU_ASSERT(time_on("circulant:64:1,8 w=64") <=
              time_on("circulant:64:1,8 w=64 by one-stage")); /* a composition seems as quick */
    /* 16 blocks leave the root of the torus in a step, the farthest node is 8 links away. */
    CU_ASSERT(steps_on("torus:8x8 w=4 broadcast bytes=1048576 blocks=512 by nearest") <= 32 + 8);
}

/* A node of an a x b torus takes in at most 4W blocks a step; plans stay near that. */
static void tori_are_near_what_links_take(void)
{
    static const struct known most[] = {
        {"torus:4x4 w=2", 4}, {"torus:2x5 w=1", 8}, {"torus:3x5x2 w=4", 6}, {"torus:8x8 w=16 reduce-scatter", 4},
        {"torus:6x7 w=8 all-reduce", 8}, {"torus:8x8 w=16", 2}, /* two steps, the fewest that join all pairs */
        {"hypercube:5 w=4", 3}, /* in two steps a node can take in 40, 96 and 224 blocks at most: one step more */
        {"hypercube:6 w=8", 2}, {"hypercube:6 w=8 reduce-scatter", 2}, {"torus:4x4x4 w=8", 2}, {"torus:2x4x4 w=4", 3},
        {"hypercube:7 w=16", 3}};
    take_steps(most, COUNT(most), AT_MOST);
}

static void times_are_near_their_bound(void)
{
    static const struct near_bound rows[] = {/* Each channel of the root's carries 1/16 of the message, and two thirds
                                                of the time are spent on that at least. */
                                             {"torus:8x8 w=4 broadcast bytes=256000000", 1.5},
                                             {"nobel-eu28-41 w=2 all-reduce bytes=1000000", 2.5},
                                             {"torus:8x8 w=2 all-reduce bytes=1000000", 2.5}};
    stay_near_bound(rows, COUNT(rows));
    /* A step costs as much as many bytes there: all-reduces in fewer blocks than nodes take fewer steps, each of a
     * longer block. */
    CU_ASSERT(rwa_schedule_collective(schedule_on("%s", rows[1].line))->blocks < 28);
    CU_ASSERT(rwa_schedule_collective(schedule_on("%s", rows[2].line))->blocks < 64);
}

/* All-to-all in one stage: as many steps as the fewest wavelengths known for it fill, and a cut that shows no fewer do.
 */
static void one_stage_by_assignment(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths, fewest;
    } known[] = {{"nsfnet14-21", 4, 13}, {"nsfnet14-21", 13, 13}, {"uknet21-39", 4, 19}, {"torus:5x5", 4, 15},
                 {"hypercube:4", 4, 8},  {"tree:2x3", 8, 56},     {"mesh:3x4", 5, 12}};
    for (size_t i = 0; i < COUNT(known); i++) {
        uint32_t w = known[i].wavelengths;
        rwa_plan *plan = plan_on("%s w=%u all-to-all by one-stage", known[i].spec, w);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, (known[i].fewest + w - 1) / w);
        CU_ASSERT_EQUAL(rwa_plan_stage(plan, 0)->wavelengths, known[i].fewest);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_OPTIMAL);
        plan_on("%s w=%u all-reduce by one-stage", known[i].spec, w);
    }
}

/* A square with one corner cut off: reserved wavelengths, links of several fibres, parallel links and a failed link. */
static void what_is_taken_is_left_alone(void)
{
    static const char text[] = "{\"nodes\":5,\"links\":[{\"from\":0,\"to\":1,\"reserved\":[0,\"2\"]},[1,2],{\"from\":2,"
                               "\"to\":3,\"fibers\":2},[3,0],[3,4],[3,4],[0,2]]}";
    struct file file = file_make("t.json", text, strlen(text));
    for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
        plan_on("%s w=4 reserved=1 links=12,13 %s", file.path, rwa_collective_name(kind));
    file_drop(&file);
}

/* One way round a square: what runs backwards is planned on the links reversed; compositions add up forwards. */
static void single_links_lead_one_way(void)
{
    static const char square[] = "{\"directed\":true,\"nodes\":4,\"links\":[[0,1],[1,2],[2,3],[3,0]]}";
    static const char fork[] = "{\"directed\":true,\"nodes\":3,\"links\":[[0,1],[0,2]]}";
    struct file round = file_make("d.json", square, strlen(square)), out = file_make("d.json", fork, strlen(fork));
    CU_ASSERT_EQUAL(steps_on("%s w=3", round.path),
                    2); /* 3 blocks come over one link; 1 + 2 + 3 hops need 2 steps of 3 */
    CU_ASSERT_EQUAL(steps_on("%s w=3 load=1 all-reduce by nearest", round.path), 4); /* backwards, and forwards */
    plan_on("%s w=3 all-reduce", round.path);
    expect_part(refusal_on("%s w=3", out.path), "no route leads there");
    file_drop(&round);
    file_drop(&out);
}

static uint32_t greedy_steps(const rwa_network *net, const rwa_collective *coll, uint32_t below, uint64_t seed)
{
    struct budget budget = base_budget(0, NULL, NULL);
    struct delivery_request ask = {
        .net = net, .coll = coll, .below = below, .effort = 1 << 17, .tries = 20, .seed = seed, .budget = &budget};
    struct delivery_found answer;
    OK(nearest_holder_plan(&answer, &ask, NULL));
    uint32_t steps = answer.plan.steps;
    deliveries_free(&answer.plan);
    return steps;
}

/* A try is the same whatever is known before it: so a limit above what is found without one loses no plan. */
static void a_limit_loses_no_plan(void)
{
    static const char *const specs[] = {"torus:5x6", "mesh:4x5", "nsfnet14-21", "circulant:20:1,6"};
    for (size_t i = 0; i < COUNT(specs); i++)
        for (uint64_t seed = 1; seed <= 12; seed++) {
            struct request r = request_of("%s w=3 bytes=64000 blocks=%u broadcast", specs[i], 5 * (unsigned)seed);
            const rwa_network *net = request_network(r);
            rwa_collective coll = request_collective(&r, net);
            uint32_t steps = greedy_steps(net, &coll, 0, seed);
            CU_ASSERT(greedy_steps(net, &coll, steps + 1, seed) == steps && greedy_steps(net, &coll, steps, seed) == 0);
        }
}

/* A leaf of a tree has one link, over which a stripe of each other node's block comes in a step: N - 1 steps, the
 * fewest there are, each as long as a part of a block on one of all wavelengths.  So large messages take hardly longer
 * than the bytes that pass that link. */
static void stripes_fill_all_wavelengths(void)
{
    static const struct known trees[] = {{"tree:2x3", 14}, {"tree:3x2", 12}, {"tree:2x4", 30}};
    for (size_t i = 0; i < COUNT(trees); i++)
        for (uint32_t w = 2; w <= 16; w *= 2) {
            const rwa_plan_report *s = report_on("%s w=%u stripes=%u bytes=64000000 by nearest", trees[i].line, w, w);
            const rwa_plan_report *chosen = report_on("%s w=%u bytes=64000000", trees[i].line, w);
            CU_ASSERT(s->time_s <= 1.03 * s->time_bound_s && chosen->time_s <= 1.03 * chosen->time_bound_s);
            CU_ASSERT_EQUAL(s->steps, trees[i].steps);
        }
}

TESTS("nearest", every_network_has_every_collective, bounds_are_met, fewest_steps_are_taken,
      tori_are_near_what_links_take, times_are_near_their_bound, one_stage_by_assignment, what_is_taken_is_left_alone,
      single_links_lead_one_way, a_limit_loses_no_plan, stripes_fill_all_wavelengths)
