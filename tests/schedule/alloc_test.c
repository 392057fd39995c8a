/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules of every kind of network, with all they can carry: memory that runs out is told, never half a file. */
#include "tests/support/report.h"
#include "tests/support/failing.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

#include <string.h>

struct job {
    const char *spec;
    const char *path;       /* of the file */
    const uint32_t *route;  /* of the one lightpath, from node 1 to node 2; NULL: none is needed */
    uint32_t route_nodes;
    uint32_t failed;        /* directed links */
};

/** Nodes 1 and 2 reduce two blocks, each at its owner. */
static rwa_status fill(rwa_schedule *sched, const struct job *job, rwa_error *err)
{
    rwa_lists lists = {.path = job->route,
                       .path_nodes = job->route_nodes,
                       .blocks = (uint32_t[]){2, 3},
                       .block_count = 2};
    rwa_lightpath lp = {.step = 1, .src = 1, .dst = 2, .orbit = 1, .op = RWA_REDUCE};
    rwa_status st = rwa_schedule_add_lists(sched, &lp, &lists, err);
    lp = (rwa_lightpath){.step = 2, .src = 2, .dst = 1, .direction = RWA_CCW, .orbit = 1, .op = RWA_REDUCE};
    uint32_t back[8];
    for (uint32_t i = 0; i < job->route_nodes; i++)
        back[i] = job->route[job->route_nodes - 1 - i];
    lists = (rwa_lists){.path = back, .path_nodes = job->route_nodes, .blocks = (uint32_t[]){0, 1}, .block_count = 2};
    return st == RWA_OK ? rwa_schedule_add_lists(sched, &lp, &lists, err) : st;
}

static rwa_status make(rwa_schedule **out, const struct job *job, rwa_error *err)
{
    uint32_t channel = 3, link = 0, members[] = {1, 2};
    rwa_faults faults = {.channels = &channel, .channel_count = 1, .links = &link, .link_count = job->failed};
    rwa_network *plain = NULL, *net = NULL;
    rwa_network_options opts;
    rwa_collective coll;
    rwa_network_options_init(&opts);
    opts.ports = 2;
    *out = NULL;
    rwa_status st = rwa_network_parse(&plain, job->spec, &opts, err);
    THEN(rwa_network_with_faults(&net, plain, &faults, err));
    THEN(rwa_collective_init(&coll, RWA_REDUCE_SCATTER, 2, 0, 64, 4, err));
    THEN(rwa_schedule_create_among(out, net, &coll, members, "by hand", err));
    THEN(fill(*out, job, err));
    rwa_network_free(plain);
    rwa_network_free(net);
    return st;
}

/** Every call that did not run out of memory must be right. */
static rwa_status make_write_read_check(void *data)
{
    const struct job *job = data;
    rwa_schedule *sched = NULL, *back = NULL, *all = NULL;
    rwa_check_report seen = {0}, streamed = {0};
    rwa_error err = {0};
    rwa_status st = make(&sched, job, &err);
    THEN(rwa_schedule_write(sched, job->path, &err));
    THEN(rwa_schedule_read(&back, job->path, NULL, &err));
    THEN(rwa_schedule_expand(&all, back, &err));
    THEN(report_schedule(&seen, all, NULL, &err));
    THEN(report_file(&streamed, job->path, NULL, &err));
    CU_ASSERT_TRUE(st != RWA_OK || (seen.ok && streamed.ok && rwa_schedule_members(back) != NULL));
    rwa_schedule_free(sched);
    rwa_schedule_free(back);
    rwa_schedule_free(all);
    return told_in_words(st, &err);
}

static void every_failing_allocation_is_a_status(void)
{
    static const uint32_t torus[] = {1, 2};
    struct job jobs[] = {{"ring:6", NULL, NULL, 0, 1}, {"torus:3x3", NULL, torus, 2, 1}, {"star:5", NULL, NULL, 0, 0},
                         {"ron:5", NULL, NULL, 0, 0},  {"ocs:5x2", NULL, NULL, 0, 0}};
    struct file file = file_make("a.jsonl", "", 0);
    for (size_t i = 0; i < COUNT(jobs); i++) {
        jobs[i].path = file.path;
        expect_every_failure_told(make_write_read_check, &jobs[i], 50);
    }
    file_drop(&file);
}

TESTS("allocation", every_failing_allocation_is_a_status)
