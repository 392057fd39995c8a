/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Paths, taps and merged blocks in memory and in files: what goes in comes out, and what is wrong does not go in. */
#include "base/base.h"

#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/same.h"

#define WITH " ports=7 tuning=2 bytes=64"

static rwa_schedule *through_file(const rwa_schedule *sched, const char *name)
{
    struct file file = file_make(name, "", 0);
    rwa_schedule *back = NULL;
    rwa_error err = {0};
    OK(rwa_schedule_write(sched, file.path, NULL));
    if (rwa_schedule_read(&back, file.path, NULL, &err) != RWA_OK)
        fprintf(stderr, "%s\n", err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(back);
    file_drop(&file);
    return keep_schedule(back);
}

/** A path that passes no node twice; how many nodes it has. */
static uint32_t random_path(const rwa_network *net, uint32_t *path, uint64_t *seed)
{
    uint32_t nodes = rwa_network_nodes(net), count = 1;
    path[0] = (uint32_t)base_random_below(seed, nodes);
    for (int tries = 0; tries < 40 && count < nodes; tries++) {
        rwa_link link = rwa_network_link(net, (uint32_t)base_random_below(seed, rwa_network_links(net)));
        bool fresh = link.from == path[count - 1];
        for (uint32_t i = 0; i < count; i++)
            fresh = fresh && path[i] != link.to;
        if (fresh)
            path[count++] = link.to;
    }
    return count;
}

static void fill_randomly(rwa_schedule *sched, uint64_t seed)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t path[64], blocks[3];
    uint64_t all = rwa_schedule_collective(sched)->blocks;
    for (uint32_t i = 0; i < 300; i++) {
        rwa_lists lists = {.path = path, .path_nodes = random_path(net, path, &seed), .blocks = blocks};
        if (lists.path_nodes < 2)
            continue;
        lists.block_count = (uint32_t)base_random_below(&seed, 4);
        for (uint32_t b = 0; b < lists.block_count; b++)
            blocks[b] = (uint32_t)base_random_below(&seed, all);
        lists.taps = path + 1;
        lists.tap_count = base_random(&seed) & 1 ? lists.path_nodes - 2 : 0;
        rwa_lightpath lp = {.step = rwa_schedule_steps(sched) + (i % 7 == 0 || i == 0), .src = path[0],
                            .dst = path[lists.path_nodes - 1], .wavelength = i % 64, .orbit = 1, .block = i % all};
        if (lp.step == 0)
            lp.step = 1;
        OK(rwa_schedule_add_lists(sched, &lp, &lists, NULL));
    }
}

static void paths_come_back_from_files(void)
{
    static const char *const specs[] = {"torus:3x4", "mesh:3x3",   "hypercube:4",
                                        "tree:3x2",  "fat-tree:4", "circulant:9:1,3"};
    for (size_t i = 0; i < COUNT(specs); i++) {
        rwa_schedule *sched = empty_on("%s" WITH, specs[i]), *back;
        fill_randomly(sched, i);
        back = through_file(sched, i % 2 ? "a.jsonl.gz" : "a.jsonl");
        expect_same_schedule(sched, back);
    }
}

/* Star, ron and ocs: the path is src and dst, in the file and not in memory. */
static void one_hop_paths_are_written_and_not_kept(void)
{
    static const char *const specs[] = {"star:6", "ron:6", "ocs:6x4"};
    for (size_t i = 0; i < 3; i++) {
        rwa_schedule *sched = empty_on("%s" WITH " broadcast", specs[i]), *back;
        uint32_t path[] = {0, 4, 5};
        rwa_lightpath lp = {.step = 1, .src = 0, .dst = 4, .wavelength = 3, .orbit = 1};
        OK(rwa_schedule_add(sched, &lp, NULL));
        OK(rwa_schedule_add_path(sched, &lp, path, 2, NULL));
        CU_ASSERT_PTR_NULL(rwa_schedule_path(path + 2, sched, 1));
        CU_ASSERT_EQUAL(path[2], 0);
        lp.dst = 5;
        CU_ASSERT_EQUAL(rwa_schedule_add_path(sched, &lp, path, 2, NULL), RWA_BADARG);
        path[2] = 5;
        CU_ASSERT_EQUAL(rwa_schedule_add_path(sched, &lp, path, 3, NULL), RWA_BADARG);
        back = through_file(sched, "a.jsonl");
        expect_same_schedule(sched, back);
    }
}

/* Only on a ron may steps be without a lightpath: its nodes are reconfiguring then. */
static void only_a_ron_skips_steps(void)
{
    rwa_schedule *ron = empty_on("ron:6" WITH " broadcast"), *star = empty_on("star:6" WITH " broadcast"), *back;
    rwa_lightpath lp = {.step = 3, .src = 0, .dst = 4, .orbit = 1};
    CU_ASSERT_EQUAL(rwa_schedule_add(star, &lp, NULL), RWA_BADARG);
    OK(rwa_schedule_add(ron, &lp, NULL));
    lp.step = 6;
    OK(rwa_schedule_add(ron, &lp, NULL));
    CU_ASSERT_EQUAL(rwa_schedule_steps(ron), 6);
    CU_ASSERT(rwa_schedule_first(ron, 1) == 0 && rwa_schedule_first(ron, 3) == 0 && rwa_schedule_first(ron, 4) == 1);
    CU_ASSERT(rwa_schedule_first(ron, 6) == 1 && rwa_schedule_first(ron, 7) == 2);
    CU_ASSERT(lightpath_of(ron, 0).step == 3 && lightpath_of(ron, 1).step == 6);
    back = through_file(ron, "a.jsonl");
    expect_same_schedule(ron, back);
}

/** The lists that a ring of 8 with 8 blocks takes for a lightpath 0 to 4, cw. */
static rwa_status add_to_ring(rwa_schedule *sched, const rwa_lists *lists)
{
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 4, .orbit = 1};
    return rwa_schedule_add_lists(sched, &lp, lists, NULL);
}

static void wrong_lists_are_refused(void)
{
    rwa_schedule *ring = empty_on("ring:8" WITH), *torus = empty_on("torus:3x3" WITH);
    uint32_t path[] = {0, 1, 2, 3, 4}, words[] = {2, 1, 8};
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 4, .orbit = 1};
    CU_ASSERT_EQUAL(add_to_ring(ring, &(rwa_lists){.path = path, .path_nodes = 5}), RWA_BADARG);
    CU_ASSERT_EQUAL(add_to_ring(ring, &(rwa_lists){.taps = words, .tap_count = 2}), RWA_BADARG);
    CU_ASSERT_EQUAL(add_to_ring(ring, &(rwa_lists){.taps = path + 3, .tap_count = 2}), RWA_BADARG);
    CU_ASSERT_EQUAL(add_to_ring(ring, &(rwa_lists){.taps = path, .tap_count = 1}), RWA_BADARG);
    CU_ASSERT_EQUAL(add_to_ring(ring, &(rwa_lists){.taps = words + 2, .tap_count = 1}), RWA_BADARG);
    CU_ASSERT_EQUAL(add_to_ring(ring, &(rwa_lists){.blocks = words, .block_count = 3}), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_schedule_records(ring), 0);
    OK(add_to_ring(ring, &(rwa_lists){.taps = path + 1, .tap_count = 3, .blocks = words, .block_count = 2}));
    CU_ASSERT_EQUAL(rwa_schedule_lightpath_blocks(ring), 2);
    CU_ASSERT_EQUAL(rwa_schedule_receivers(ring), 4);
    /* 0 -> 4 on a torus of 3 x 3 goes by 1 or 3; the file's path is the only route */
    CU_ASSERT_EQUAL(rwa_schedule_add(torus, &lp, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_schedule_add_path(torus, &lp, path, 5, NULL), RWA_BADARG); /* no link 2 -> 3 */
    CU_ASSERT_EQUAL(rwa_schedule_add_path(torus, &lp, path, 2, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_schedule_add_path(torus, &lp, path, 1, NULL), RWA_BADARG);
    OK(rwa_schedule_add_path(torus, &lp, (uint32_t[]){0, 3, 4}, 3, NULL));
    CU_ASSERT_EQUAL(rwa_schedule_records(torus), 1);
}

/* Every node to its farthest, tapped by all on the way: arcs of 7 on 8 wavelengths, one all-gather in one step. */
static void orbits_move_taps_and_blocks(void)
{
    rwa_schedule *sched = empty_on("ring:8 blocks=16" WITH), *all, *back;
    rwa_check_report a, b;
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 7, .orbit = 8, .period = 8};
    rwa_lists lists = {.taps = (uint32_t[]){1, 2, 3, 4, 5, 6},
                       .tap_count = 6,
                       .blocks = (uint32_t[]){0, 1},
                       .block_count = 2};
    OK(rwa_schedule_add_lists(sched, &lp, &lists, NULL));
    back = through_file(sched, "a.jsonl");
    expect_same_schedule(sched, back);
    all = expanded(back);
    CU_ASSERT_EQUAL(rwa_schedule_records(all), 8);
    OK(report_schedule(&a, sched, NULL, NULL));
    OK(report_schedule(&b, all, NULL, NULL));
    CU_ASSERT_TRUE(a.ok && b.ok);
    lists = lists_of(all, 3);
    CU_ASSERT(nth_block(&lists, 0) == 6 && nth_block(&lists, 1) == 7 && lists.taps[0] == 4 && lists.taps[5] == 1);
}

/** Faults and members belong to the header. */
static void faults_and_members_come_back_from_files(void)
{
    static const char *const specs[] = {"ring:8", "line:8", "torus:3x4", "star:8"};
    for (size_t i = 0; i < COUNT(specs); i++) {
        rwa_faults out;
        uint32_t members[] = {1, 4, 6}, links = i < 3 ? 4 : 0;
        rwa_schedule *sched = empty_on("%s reserved=5,3,5 links=%s members=1,4,6 root=1 bytes=8 broadcast", specs[i],
                                       links ? "6,13,2,9" : ""),
                     *back = through_file(sched, "a.jsonl");
        expect_same_schedule(sched, back);
        rwa_network_faults(&out, rwa_schedule_network(back));
        CU_ASSERT(same_words(out.channels, (uint32_t)out.channel_count, (uint32_t[]){3, 5}, 2));
        CU_ASSERT(
            same_words(out.links, (uint32_t)out.link_count, (uint32_t[]){2, 6, 9, 13}, links));
        CU_ASSERT(same_words(rwa_schedule_members(back), 3, members, 3));
        CU_ASSERT_EQUAL(rwa_schedule_collective(back)->root, 1);
        CU_ASSERT_EQUAL(rwa_schedule_collective(back)->nodes, 3);
    }
}

/** The links and nodes of a network file belong to the header too. */
static void links_keep_lengths_names_and_reserved_channels(void)
{
    static const char *const names[] = {"Aachen", NULL, "K\xC3\xB6ln"};
    rwa_reserved reserved[] = {{1, 2, 7}, {3, 0, 0}};
    /* channel 66: fibre 1, wavelength 2: only link 1 has it */
    struct request r = request_of("links:0>1@12.5,1>2x3,1>2x1@7.25,2>0@1e-3 reserved=66 bytes=8");
    const rwa_reserved *out;
    r.network.node_names = names;
    r.network.reserved = reserved;
    r.network.reserved_count = 2;
    rwa_schedule *sched = empty_for(r), *back = through_file(sched, "a.jsonl");
    const rwa_network *read = rwa_schedule_network(back);
    expect_same_network(rwa_schedule_network(sched), read);
    CU_ASSERT_EQUAL_FATAL(rwa_network_reserved(&out, read), 2);
    CU_ASSERT(memcmp(out, reserved, sizeof reserved) == 0);
    CU_ASSERT(rwa_network_is_reserved_everywhere(read, 66) && rwa_network_is_reserved(read, 1, 1, 2));
    CU_ASSERT(rwa_network_is_reserved(read, 1, 2, 7) && !rwa_network_is_reserved(read, 1, 0, 7));
}

/* A node of an all-to-all sends all that goes to an odd node, and of a scatter what it likes: the runs that go in come
 * out, through files too, and a list of the same blocks makes the same runs. */
static void runs_of_blocks_come_back(void)
{
    rwa_schedule *sched = empty_on("ring:64 all-to-all" WITH), *back;
    rwa_run runs[] = {{1, 32, 2}, {64, 64, 1}, {4095, 1, 1}};
    uint32_t listed[97];
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 1, .orbit = 1};
    rwa_lists lists = {.runs = runs, .run_count = 3, .block_count = 97};
    for (uint32_t k = 0; k < 97; k++)
        listed[k] = nth_block(&lists, k);
    OK(rwa_schedule_add_lists(sched, &lp, &lists, NULL));
    OK(rwa_schedule_add_lists(sched, &lp, &(rwa_lists){.blocks = listed, .block_count = 97}, NULL));
    CU_ASSERT_EQUAL(rwa_schedule_step_blocks(sched, 1), 97);
    back = through_file(sched, "a.jsonl");
    expect_same_schedule(sched, back);
    for (uint64_t i = 0; i < 2; i++) {
        lists = lists_of(back, i);
        CU_ASSERT_EQUAL_FATAL(lists.run_count, 3);
        CU_ASSERT_EQUAL(memcmp(lists.runs, runs, 3 * sizeof *runs), 0);
    }
    lists = (rwa_lists){.runs = runs, .run_count = 3, .block_count = 96};
    CU_ASSERT_EQUAL(rwa_schedule_add_lists(sched, &lp, &lists, NULL), RWA_BADARG);
    lists = (rwa_lists){.runs = &(rwa_run){4000, 97, 1}, .run_count = 1, .block_count = 97};
    CU_ASSERT_EQUAL(rwa_schedule_add_lists(sched, &lp, &lists, NULL), RWA_BADARG);
    lists.runs = &(rwa_run){0, 0, 1};
    CU_ASSERT_EQUAL(rwa_schedule_add_lists(sched, &lp, &lists, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_schedule_records(sched), 2);
}

TESTS("lists of records", paths_come_back_from_files, one_hop_paths_are_written_and_not_kept, only_a_ron_skips_steps,
      wrong_lists_are_refused, orbits_move_taps_and_blocks, runs_of_blocks_come_back,
      faults_and_members_come_back_from_files, links_keep_lengths_names_and_reserved_channels)
