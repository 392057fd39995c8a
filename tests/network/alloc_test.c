/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of the readers, of an assignment and of its judge is made to fail in turn: a status each time. */
#include "tests/support/report.h"
#include "tests/support/failing.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

#include <glob.h>

static rwa_status read_network(void *path)
{
    rwa_network *net = NULL;
    rwa_error err = {0};
    rwa_status st = rwa_network_read(&net, path, NULL, &err);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

static rwa_status read_demands(void *path)
{
    rwa_network *net = NULL;
    rwa_demands *set = NULL;
    rwa_error err = {0};
    rwa_status st = rwa_network_open(&net, "abilene12-15", NULL, &err);
    THEN(rwa_demands_read(&set, path, net, RWA_DIRECTED, &err));
    rwa_demands_free(set);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

/** On a mesh: made, written, judged, read back and judged again. */
static rwa_status assign_and_read(void *path)
{
    rwa_network *net = NULL;
    rwa_demands *set = NULL;
    rwa_assignment *result = NULL, *again = NULL;
    rwa_check_report check;
    rwa_error err = {0};
    rwa_status st = rwa_network_parse(&net, "mesh:2x2", NULL, &err);
    THEN(rwa_demands_all_to_all(&set, 4, RWA_DIRECTED, &err));
    THEN(rwa_assignment_create(&result, net, set, RWA_DIRECTED, &err));
    for (size_t d = 0; st == RWA_OK && d < rwa_demands_count(set); d++) {
        const rwa_demand *demand = &rwa_demands_list(set)[d];
        uint32_t link = rwa_network_find_link(net, demand->src, demand->dst);
        rwa_route route = {.demand = d, .hops = link != RWA_NONE, .links = &link, .why = "far"};
        st = rwa_assignment_add(result, &route, &err);
    }
    THEN(rwa_assignment_write(result, path, &err));
    THEN(report_file(&check, path, NULL, &err));
    THEN(rwa_assignment_read(&again, path, &err));
    THEN(report_assignment(&check, again, NULL, &err));
    rwa_assignment_free(again);
    rwa_assignment_free(result);
    rwa_demands_free(set);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

/** Every file of the fuzzing corpus of some readers. */
static void sweep(rwa_status (*read)(void *), const char *pattern)
{
    glob_t files = {0};
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        expect_every_failure_told(read, files.gl_pathv[i], 5);
    globfree(&files);
}

static void networks_fail_with_a_status(void)
{
    sweep(read_network, RWA_TEST_DATA "/fuzz/corpus/network-*/*");
}

static void demands_fail_with_a_status(void)
{
    sweep(read_demands, RWA_TEST_DATA "/fuzz/corpus/demands-*/*");
}

static void assignments_fail_with_a_status(void)
{
    struct file file = file_make("a.jsonl", "", 0);
    expect_every_failure_told(assign_and_read, file.path, 50);
    file_drop(&file);
}

TESTS("allocation in readers", networks_fail_with_a_status,
      demands_fail_with_a_status, assignments_fail_with_a_status)
