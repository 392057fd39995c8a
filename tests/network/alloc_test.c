/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of the readers is made to fail in turn: a status each time. */
#include "tests/support/failing.h"

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

TESTS("allocation in readers", networks_fail_with_a_status, demands_fail_with_a_status)
