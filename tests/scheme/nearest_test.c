/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Collectives on networks of any form: every plan passes the checker, keeps its limits, and is at a bound where that is known. */
#include "rwa.h"

#include "base/base.h"
#include "delivery/delivery_search.h"
#include "network/network.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static bool thorough;

static rwa_network *open_network(const char *spec, uint32_t wavelengths)
{
    rwa_network_options opts;
    rwa_network *net = NULL;
    rwa_error err = {0};
    rwa_network_options_init(&opts);
    opts.wavelengths = wavelengths;
    if (rwa_network_open(&net, spec, &opts, &err) != RWA_OK)
        fprintf(stderr, "%s: %s\n", spec, err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(net);
    return net;
}

static rwa_plan *plan_on(const rwa_network *net, rwa_collective_kind kind, const rwa_plan_options *opts)
{
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, 4096, 0, NULL), RWA_OK);
    if (rwa_plan_make(&plan, net, &coll, opts, &err) != RWA_OK)
        fprintf(stderr, "%s\n", err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    return plan;
}

static rwa_plan_options usual(void)
{
    rwa_plan_options opts;
    rwa_plan_options_init(&opts);
    return opts;
}

/* A node of two links in receives 199 blocks, two in a step: 100 steps at least.  A chain of such nodes lies on a cut of two links, so
 * each block must pass that cut on one of them only. */
static void narrow_cuts_pass_each_block_once(void)
{
    rwa_network *net = open_network("geometric:200:7", 1);
    rwa_plan_options opts = usual();
    opts.scheme = "nearest";
    rwa_plan *plan = plan_on(net, RWA_ALL_GATHER, &opts);
    CU_ASSERT(rwa_plan_summary(plan)->check->ok);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, 100);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

static int stop_after(void *data, const char *phase, double fraction)
{
    (void)fraction;
    return strncmp(phase, "serving", 7) == 0 && --*(int *)data < 0;
}

/* A pass over the receivers may end in its middle: those that it served no longer wait when the next pass sorts them. */
static void a_search_stops_at_any_time(void)
{
    static const char *const specs[] = {"mesh:6x6", "nobel-eu28-41"};
    int stopped = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (int polls = 0; polls < 400; polls += thorough ? 1 : 3) {
            rwa_network *net = open_network(specs[i], i == 0 ? 2 : 1);
            rwa_collective coll;
            rwa_plan *plan = NULL;
            rwa_plan_options opts = usual();
            int left = polls;
            opts.scheme = "nearest";
            opts.poll = stop_after;
            opts.poll_data = &left;
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 4096, 0, NULL), RWA_OK);
            rwa_status st = rwa_plan_make(&plan, net, &coll, &opts, NULL);
            CU_ASSERT(st == RWA_OK || st == RWA_CANCELLED);
            stopped += st == RWA_CANCELLED;
            rwa_plan_free(plan);
            rwa_network_free(net);
        }
    CU_ASSERT(stopped > 10);
}

static void every_network_has_every_collective(void)
{
    static const char *const specs[] = {"mesh:3x4", "torus:3x3", "hypercube:3", "tree:2x2", "fat-tree:4", "circulant:9:1,3",
                                        "nsfnet14-21", "cost239-11-26"};
    rwa_plan_options opts = usual();
    opts.time_limit_s = 0.2;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t w = 1; w <= 9; w += 4)
            for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++) {
                if (!thorough && w != 1 + 4 * ((i + (size_t)kind) % 3)) /* one number of wavelengths for each network and collective */
                    continue;
                rwa_network *net = open_network(specs[i], w);
                rwa_plan *plan = plan_on(net, (rwa_collective_kind)kind, &opts);
                const rwa_plan_report *s = rwa_plan_summary(plan);
                CU_ASSERT(s->check->ok);
                CU_ASSERT(s->bound.value > 0 && s->steps >= s->bound.value);
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

/*
 * Complete networks: one step on one channel.  A star of 7 leaves (tree:7x1): all-gather brings 7 blocks over a leaf's one
 * link.  NSFNET: 49 pairs over a cut of 4 links, 4 channels each: 4 steps.  hypercube:4 broadcast: 4 links lead out of the
 * root and 15 nodes ask, so that 4 channels are enough.  tree:2x3: 7 times 8 pairs over a link at the root, 4 channels.
 * COST 266: the cut that asks for 86 wavelengths at a time asks for 86/4 steps.
 */
static void bounds_that_are_met(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths;
        rwa_collective_kind kind;
        uint32_t steps;
    } known[] = {{"circulant:7:1,2,3", 1, RWA_ALL_GATHER, 1}, {"circulant:7:1,2,3", 1, RWA_ALL_TO_ALL, 1},
                 {"tree:7x1", 1, RWA_ALL_GATHER, 7},          {"tree:7x1", 1, RWA_SCATTER, 1},
                 {"nsfnet14-21", 4, RWA_ALL_TO_ALL, 4},       {"nsfnet14-21", 13, RWA_ALL_TO_ALL, 1},
                 {"hypercube:4", 8, RWA_BROADCAST, 1},        {"tree:2x3", 4, RWA_ALL_TO_ALL, 14},
                 {"cost266-37-57", 4, RWA_ALL_TO_ALL, 22}};
    rwa_plan_options opts = usual();
    opts.scheme = "nearest";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rwa_network *net = open_network(known[i].spec, known[i].wavelengths);
        rwa_plan *plan = plan_on(net, known[i].kind, &opts);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, known[i].steps);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->bound.value, known[i].steps);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_OPTIMAL);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/* All-to-all in one stage: as many steps as the fewest wavelengths known for it fill, and a cut that shows no fewer do. */
static void one_stage_by_assignment(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths, fewest;
    } known[] = {{"nsfnet14-21", 4, 13}, {"nsfnet14-21", 13, 13}, {"uknet21-39", 4, 19}, {"torus:5x5", 4, 15},
                 {"hypercube:4", 4, 8},  {"tree:2x3", 8, 56},     {"mesh:3x4", 5, 12}};
    rwa_plan_options opts = usual();
    opts.scheme = "one-stage";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rwa_network *net = open_network(known[i].spec, known[i].wavelengths);
        rwa_plan *plan = plan_on(net, RWA_ALL_TO_ALL, &opts);
        const rwa_plan_report *s = rwa_plan_summary(plan);
        CU_ASSERT_EQUAL(s->steps, (known[i].fewest + known[i].wavelengths - 1) / known[i].wavelengths);
        CU_ASSERT_EQUAL(rwa_plan_stage(plan, 0)->wavelengths, known[i].fewest);
        CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
        CU_ASSERT(s->check->ok);
        rwa_plan_free(plan);
        plan = plan_on(net, RWA_ALL_REDUCE, &opts);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

static rwa_network *read_network(const char *name, const char *text, uint32_t wavelengths)
{
    struct file file = file_make(name, text, strlen(text));
    rwa_network *net = open_network(file.path, wavelengths);
    file_drop(&file);
    return net;
}

/* A square with one corner cut off: reserved wavelengths, links of several fibres, parallel links and a failed link. */
static void what_is_taken_is_left_alone(void)
{
    static const char text[] = "{\"nodes\":5,\"links\":[{\"from\":0,\"to\":1,\"reserved\":[0,\"2\"]},[1,2],{\"from\":2,"
                               "\"to\":3,\"fibers\":2},[3,0],[3,4],[3,4],[0,2]]}";
    static const uint32_t failed[] = {12, 13}, closed[] = {1};
    rwa_plan_options opts = usual();
    for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++) {
        rwa_network *sound = read_network("t.json", text, 4), *net = NULL;
        rwa_faults faults = {.channels = closed, .channel_count = 1, .links = failed, .link_count = 2};
        CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, sound, &faults, NULL), RWA_OK);
        rwa_plan *plan = plan_on(net, (rwa_collective_kind)kind, &opts);
        const rwa_schedule *s = rwa_plan_schedule(plan);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok);
        for (uint64_t i = 0; i < rwa_schedule_records(s); i++) {
            uint32_t nodes = 0;
            const uint32_t *path = rwa_schedule_path(&nodes, s, i);
            rwa_lightpath lp;
            rwa_schedule_get(&lp, s, i);
            CU_ASSERT(lp.fiber > 0 || lp.wavelength != 1); /* channel 1 is of the first fibre */
            for (uint32_t k = 0; k + 1 < nodes; k++) {
                CU_ASSERT_FALSE(path[k] + path[k + 1] == 1 && (lp.wavelength == 0 || lp.wavelength == 2));
                CU_ASSERT_FALSE(path[k] + path[k + 1] == 2); /* 0-2, which failed; 1 has no link to itself */
            }
        }
        rwa_plan_free(plan);
        rwa_network_free(net);
        rwa_network_free(sound);
    }
}

static void hops_are_limited(void)
{
    rwa_network *net = open_network("nsfnet14-21", 8);
    rwa_plan_options opts = usual();
    for (opts.max_hops = 1; opts.max_hops <= 3; opts.max_hops++) {
        rwa_plan *plan = plan_on(net, RWA_ALL_REDUCE, &opts);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok);
        CU_ASSERT(rwa_plan_summary(plan)->longest_hops <= opts.max_hops);
        rwa_plan_free(plan);
    }
    opts.max_hops = 1; /* nodes on the way pass blocks on that they do not need */
    for (int kind = RWA_SCATTER; kind <= RWA_ROOTED_REDUCE; kind++) {
        rwa_plan *plan = plan_on(net, (rwa_collective_kind)kind, &opts);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->longest_hops, 1);
        rwa_plan_free(plan);
    }
    rwa_network_free(net);
}

/* One way round a square: what runs backwards is planned on the links reversed. */
static void single_links_lead_one_way(void)
{
    rwa_network *net = read_network("d.json", "{\"directed\":true,\"nodes\":4,\"links\":[[0,1],[1,2],[2,3],[3,0]]}", 3);
    rwa_plan_options opts = usual();
    rwa_plan *plan = plan_on(net, RWA_ALL_GATHER, &opts);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, 2); /* 3 blocks come over one link; 1 + 2 + 3 hops need 2 steps of 3 */
    rwa_plan_free(plan);
    opts.scheme = "nearest";
    opts.lightpath_blocks = 1; /* the usual blocks */
    plan = plan_on(net, RWA_ALL_REDUCE, &opts);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, 4); /* backwards, and forwards */
    CU_ASSERT(rwa_plan_summary(plan)->check->ok);
    rwa_plan_free(plan);
    opts = usual(); /* compositions add up forwards */
    plan = plan_on(net, RWA_ALL_REDUCE, &opts);
    CU_ASSERT(rwa_plan_summary(plan)->check->ok);
    rwa_plan_free(plan);
    rwa_network_free(net);
    net = read_network("d.json", "{\"directed\":true,\"nodes\":3,\"links\":[[0,1],[0,2]]}", 3);
    plan = plan_on(net, RWA_ALL_GATHER, &opts);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_INFEASIBLE);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

/*
 * An all-gather that translations repeat keeps every link busy on few channels: (N - 1) / degree steps, rounded up.  With 64
 * channels hypercube:10 needs 3 steps, as in 2 steps the translations of 640 lightpath-links a step do not reach 1023 nodes
 * (bound growth); torus:16x16 with 4 needs 17.
 */
static void translations_fill_every_link(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths, ports, steps;
    } known[] = {{"hypercube:6", 1, 0, 11},      {"hypercube:8", 1, 0, 32},     {"hypercube:9", 1, 0, 57}, {"hypercube:10", 64, 0, 3},
                 {"torus:8x8", 1, 0, 16},        {"torus:16x16", 4, 0, 17},     {"torus:2x3x4", 1, 0, 5},  {"circulant:64:1,8", 1, 0, 16},
                 {"circulant:100:1,7,30", 8, 0, 3}, {"hypercube:6", 2, 3, 21}};
    rwa_plan_options opts = usual();
    opts.scheme = "nearest";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rwa_network_options no;
        rwa_network *net = NULL;
        rwa_network_options_init(&no);
        no.wavelengths = known[i].wavelengths;
        no.ports = known[i].ports;
        CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, known[i].spec, &no, NULL), RWA_OK);
        rwa_plan *plan = plan_on(net, RWA_ALL_GATHER, &opts);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, known[i].steps);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->bound.value, known[i].steps);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/* With 2 ports a node takes in its 15 blocks in 8 steps at least: one port is idle once in all. */
static void few_ports_are_kept_busy(void)
{
    rwa_network_options no;
    rwa_network *net = NULL;
    rwa_plan_options opts = usual();
    rwa_network_options_init(&no);
    no.wavelengths = 8;
    no.ports = 2;
    opts.scheme = "nearest";
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, "mesh:4x4", &no, NULL), RWA_OK);
    rwa_plan *plan = plan_on(net, RWA_ALL_TO_ALL, &opts);
    CU_ASSERT(rwa_plan_summary(plan)->check->ok);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, 8);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

static uint32_t steps_in_blocks(const char *spec, uint32_t wavelengths, rwa_collective_kind kind, uint64_t blocks, const char *scheme)
{
    rwa_network *net = open_network(spec, wavelengths);
    rwa_plan_options opts = usual();
    rwa_plan *plan = NULL;
    rwa_collective coll;
    opts.scheme = scheme;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, 1 << 20, blocks, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_OK);
    uint32_t steps = rwa_plan_summary(plan)->steps;
    CU_ASSERT_EQUAL(rwa_schedule_collective(rwa_plan_schedule(plan))->blocks, blocks);
    rwa_plan_free(plan);
    rwa_network_free(net);
    return steps;
}

/* A node of two links takes in 2 of the 13 B/14 blocks of the others in a step: 7 steps of whole blocks, 13 of halves, 26 of quarters. */
static void blocks_are_cut_as_asked(void)
{
    CU_ASSERT_EQUAL(steps_in_blocks("nsfnet14-21", 1, RWA_ALL_GATHER, 14, "nearest"), 7);
    CU_ASSERT_EQUAL(steps_in_blocks("nsfnet14-21", 1, RWA_ALL_GATHER, 28, "nearest"), 13);
    CU_ASSERT_EQUAL(steps_in_blocks("nsfnet14-21", 1, RWA_ALL_GATHER, 56, "nearest"), 26);
    CU_ASSERT(steps_in_blocks("nsfnet14-21", 1, RWA_ALL_GATHER, 28, "auto") <= 13); /* fewer with several blocks on a lightpath */
    CU_ASSERT_EQUAL(steps_in_blocks("nsfnet14-21", 1, RWA_REDUCE_SCATTER, 28, "nearest"), 13);
}

/* Channels for all pairs at once, of which one-stage finds an assignment; a composition that seems as quick takes two steps.  Whatever
 * "auto" takes, it must not be slower. */
static void estimates_that_fail_leave_others_a_chance(void)
{
    rwa_network *net = open_network("circulant:64:1,8", 64);
    rwa_plan_options opts = usual();
    rwa_plan *any = plan_on(net, RWA_ALL_GATHER, &opts), *named;
    opts.scheme = "one-stage";
    named = plan_on(net, RWA_ALL_GATHER, &opts);
    CU_ASSERT_EQUAL(rwa_plan_summary(named)->steps, 1);
    CU_ASSERT(rwa_plan_summary(any)->time_s <= rwa_plan_summary(named)->time_s);
    rwa_plan_free(any);
    rwa_plan_free(named);
    rwa_network_free(net);
}

/* 16 blocks leave the root of the torus in a step, the farthest node is 8 links away: 32 + 8 steps; each channel of the root's carries 1/16
 * of the message, and two thirds of the time are spent on that at least. */
static void blocks_of_a_long_broadcast_follow_each_other(void)
{
    rwa_network *net = open_network("torus:8x8", 4);
    rwa_collective coll;
    rwa_plan *plan = NULL;
    CU_ASSERT_TRUE(steps_in_blocks("torus:8x8", 4, RWA_BROADCAST, 512, "nearest") <= 32 + 8);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, 64, 0, 256000000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, NULL, NULL), RWA_OK);
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s < 1.5 * rwa_plan_summary(plan)->time_bound_s);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

/* A step costs as much as many bytes here: all-reduces in fewer blocks than nodes take fewer steps, each of a longer block. */
static void few_blocks_save_steps_of_an_all_reduce(void)
{
    static const char *const specs[] = {"nobel-eu28-41", "torus:8x8"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rwa_network *net = open_network(specs[i], 2);
        uint32_t nodes = rwa_network_nodes(net);
        rwa_collective coll;
        rwa_plan *plan = NULL;
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_REDUCE, nodes, 0, 1000000, 0, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, NULL, NULL), RWA_OK);
        CU_ASSERT(rwa_schedule_collective(rwa_plan_schedule(plan))->blocks < nodes);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s < 2.5 * rwa_plan_summary(plan)->time_bound_s);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/* A leaf of a tree has one link, over which a stripe of each other node's block comes in a step: N - 1 steps, the fewest there are, each as
 * long as a part of a block on one of all wavelengths.  So large messages take hardly longer than the bytes that pass that link. */
static void stripes_fill_all_wavelengths(void)
{
    static const char *const specs[] = {"tree:2x3", "tree:3x2", "tree:2x4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t w = 2; w <= 16; w *= 2)
            for (int chosen = 0; chosen < 2; chosen++) {
                rwa_network *net = open_network(specs[i], w);
                rwa_collective coll;
                rwa_plan_options opts;
                rwa_plan *plan = NULL;
                uint32_t nodes = rwa_network_nodes(net);
                rwa_plan_options_init(&opts);
                opts.scheme = chosen ? NULL : "nearest";
                opts.stripes = chosen ? 0 : w;
                CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, nodes, 0, 64000000, 0, NULL), RWA_OK);
                CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_OK);
                const rwa_plan_report *report = rwa_plan_summary(plan);
                CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
                CU_ASSERT_TRUE(report->check->ok && report->time_s <= 1.03 * report->time_bound_s);
                CU_ASSERT_TRUE(chosen || report->steps == nodes - 1);
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

static uint32_t greedy_steps(const rwa_network *net, const rwa_collective *coll, uint32_t below, uint64_t seed)
{
    struct budget budget = base_budget(0, NULL, NULL);
    struct delivery_request ask = {
        .net = net, .coll = coll, .below = below, .effort = 1 << 17, .tries = 20, .seed = seed, .budget = &budget};
    struct delivery_found answer;
    CU_ASSERT_EQUAL_FATAL(nearest_holder_plan(&answer, &ask, NULL), RWA_OK);
    uint32_t steps = answer.plan.steps;
    deliveries_free(&answer.plan);
    return steps;
}

/* A try is the same whatever is known before it: so a limit above what is found without one loses no plan. */
static void a_limit_loses_no_plan(void)
{
    static const char *const specs[] = {"torus:5x6", "mesh:4x5", "nsfnet14-21", "circulant:20:1,6"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint64_t seed = 1; seed <= 12; seed++) {
            rwa_network *net = open_network(specs[i], 3);
            rwa_collective coll;
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, rwa_network_nodes(net), 0, 64000, 5 * seed, NULL), RWA_OK);
            uint32_t steps = greedy_steps(net, &coll, 0, seed);
            CU_ASSERT_EQUAL(greedy_steps(net, &coll, steps + 1, seed), steps);
            CU_ASSERT_EQUAL(greedy_steps(net, &coll, steps, seed), 0);
            rwa_network_free(net);
        }
}

/* On these the greedy takes a step more than the lower bound, a theorem.  Where a channel is closed, as many steps as without it. */
static void trees_of_each_owner_take_fewest_steps(void)
{
    static const struct { const char *network; uint32_t wavelengths, closed, steps; } known[] = {
        {"mesh:3x4", 2, 0, 3}, {"mesh:3x4", 3, 0, 2}, {"mesh:4x4", 4, 0, 2}, {"mesh:4x4", 5, 1, 2}, {"mesh:4x5", 6, 0, 2},
        {"mesh:5x5", 4, 0, 3}, {"mesh:6x6", 6, 0, 3}, {"mesh:8x8", 4, 0, 8}, {"mesh:8x8", 8, 0, 4},
        {"torus:3x7", 4, 0, 2}, {"torus:4x7", 6, 0, 2}, {"torus:5x6", 6, 0, 2}, {"torus:5x7", 8, 0, 2}, {"circulant:64:1,8", 16, 0, 2}};
    static const uint32_t channel = 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i += thorough ? 1 : 3) {
        rwa_network *sound = open_network(known[i].network, known[i].wavelengths), *net = NULL;
        rwa_faults faults = {.channels = &channel, .channel_count = known[i].closed};
        rwa_plan_options opts = usual();
        opts.scheme = "nearest";
        opts.time_limit_s = 60;
        CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, sound, &faults, NULL), RWA_OK);
        rwa_plan *plan = plan_on(net, i % 2 ? RWA_ALL_GATHER : RWA_REDUCE_SCATTER, &opts);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, known[i].steps);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->bound.value, known[i].steps);
        rwa_plan_free(plan);
        rwa_network_free(net);
        rwa_network_free(sound);
    }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(a_search_stops_at_any_time), TEST(every_network_has_every_collective),
        TEST(bounds_that_are_met), TEST(one_stage_by_assignment),
        TEST(what_is_taken_is_left_alone), TEST(hops_are_limited), TEST(single_links_lead_one_way),
        TEST(translations_fill_every_link), TEST(few_ports_are_kept_busy), TEST(blocks_are_cut_as_asked),
        TEST(estimates_that_fail_leave_others_a_chance),
        TEST(blocks_of_a_long_broadcast_follow_each_other),
        TEST(few_blocks_save_steps_of_an_all_reduce),
        TEST(narrow_cuts_pass_each_block_once), TEST(stripes_fill_all_wavelengths),

        TEST(a_limit_loses_no_plan), TEST(trees_of_each_owner_take_fewest_steps), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("nearest", tests);
}
