/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of placement, circuits, ring bandwidth and one-hop plans is made to fail in turn: a status each
 *  time. */
#include "tests/support/failing.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <unistd.h>

static const char *const graph =
    "{\"tasks\":[{\"name\":\"A\",\"duration\":4,\"gradient\":8},{\"duration\":1},{\"name\":\"C\",\"duration\":3},"
    "{\"name\":\"D\",\"duration\":2}],\"edges\":[[\"A\",1,8],[1,\"C\",8],[\"A\",\"D\",3],[\"C\",\"D\",8]]}";

/** The whole chain: read, split, place, traffic, circuits, time, and lightpaths of a ring. */
static rwa_status chain(void *path)
{
    rwa_tasks *whole = NULL, *tasks = NULL;
    rwa_placement *placement = NULL;
    rwa_traffic *traffic = NULL;
    rwa_circuits *exact = NULL;
    rwa_network *net = NULL;
    rwa_allocation *ring = NULL;
    rwa_iteration it;
    rwa_error err = {0};
    rwa_placement_options po;
    rwa_circuits_options co;
    rwa_allocation_options ro;
    rwa_placement_options_init(&po);
    po.devices = 4;
    po.replicas = 2;
    po.degree = 3;
    rwa_circuits_options_init(&co);
    rwa_allocation_options_init(&ro);
    ro.method = RWA_RING_FLOW;
    rwa_status st = rwa_tasks_read(&whole, path, &err);
    if (st == RWA_OK)
        st = rwa_tasks_split(&tasks, whole, 1, 4, &err);
    if (st == RWA_OK)
        st = rwa_placement_make(&placement, tasks, &po, &err);
    if (st == RWA_OK)
        st = rwa_placement_traffic(&traffic, placement, &err);
    if (st == RWA_OK)
        st = rwa_circuits_make(&exact, traffic, 4, &co, &err);
    if (st == RWA_OK)
        st = rwa_placement_time(&it, placement, exact, 1e9, &err);
    if (st == RWA_OK)
        st = rwa_network_parse(&net, "ring:8", NULL, &err);
    if (st == RWA_OK)
        st = rwa_allocation_make(&ring, traffic, net, &ro, &err);
    rwa_allocation_free(ring);
    rwa_network_free(net);
    rwa_circuits_free(exact);
    rwa_traffic_free(traffic);
    rwa_placement_free(placement);
    rwa_tasks_free(tasks);
    rwa_tasks_free(whole);
    if (st != RWA_OK && err.status != st)
        return RWA_BACKEND; /* a failure that was not told in words */
    return st;
}

/** A traffic matrix, and circuits and lightpaths by integer programs. */
static rwa_status programs(void *path)
{
    rwa_traffic *traffic = NULL;
    rwa_circuits *circuits = NULL;
    rwa_network *net = NULL;
    rwa_allocation *ring = NULL;
    rwa_network_options no;
    rwa_circuits_options co;
    rwa_allocation_options ro;
    rwa_error err = {0};
    rwa_network_options_init(&no);
    no.wavelengths = 2;
    rwa_circuits_options_init(&co);
    co.method = RWA_CIRCUITS_ILP;
    rwa_allocation_options_init(&ro);
    ro.method = RWA_RING_ILP;
    rwa_status st = rwa_traffic_read(&traffic, path, &err);
    if (st == RWA_OK)
        st = rwa_circuits_make(&circuits, traffic, 3, &co, &err);
    if (st == RWA_OK)
        st = rwa_network_parse(&net, "ring:3", &no, &err);
    if (st == RWA_OK)
        st = rwa_allocation_make(&ring, traffic, net, &ro, &err);
    rwa_allocation_free(ring);
    rwa_network_free(net);
    rwa_circuits_free(circuits);
    rwa_traffic_free(traffic);
    if (st != RWA_OK && err.status != st)
        return RWA_BACKEND;
    return st;
}

struct plan {
    const char *network, *scheme;
    rwa_collective_kind kind;
    uint64_t blocks;
};

static rwa_status one_hop(void *data)
{
    const struct plan *p = data;
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_network_options_init(&o);
    rwa_plan_options_init(&opts);
    o.ports = 2;
    o.tuning = 1;
    opts.scheme = p->scheme;
    rwa_status st = rwa_network_parse(&net, p->network, &o, &err);
    if (st == RWA_OK)
        st = rwa_collective_init(&coll, p->kind, rwa_network_nodes(net), 0, 64, p->blocks, &err);
    if (st == RWA_OK)
        st = rwa_plan_make(&plan, net, &coll, &opts, &err);
    rwa_plan_free(plan);
    rwa_network_free(net);
    if (st != RWA_OK && err.status != st)
        return RWA_BACKEND;
    return st;
}

static void with_file(const char *text, rwa_status (*work)(void *data), long least)
{
    char path[] = "/tmp/rwa-place-XXXXXX";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs(text, file);
    fclose(file);
    expect_every_failure_told(work, path, least);
    unlink(path);
}

static void every_failing_allocation_of_the_chain_is_a_status(void)
{
    with_file(graph, chain, 50);
}

static void every_failing_allocation_of_the_programs_is_a_status(void)
{
    with_file("0,5,3\n2,0,7\n1,4,0\n", programs, 20);
}

static void every_failing_allocation_of_one_hop_plans_is_a_status(void)
{
    struct plan plans[] = {{"star:10", "tcp", RWA_BROADCAST, 6},       {"star:9", "tcp", RWA_ALL_TO_ALL, 0},
                           {"ron:12", "latency-hiding", RWA_BROADCAST, 3}, {"ron:12", "forest", RWA_BROADCAST, 5},
                           {"ocs:8x3", "tcp", RWA_ALL_GATHER, 0}};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        expect_every_failure_told(one_hop, &plans[i], 10);
}

int main(void)
{
    return RUN_TESTS("allocation of placement", every_failing_allocation_of_the_chain_is_a_status,
                     every_failing_allocation_of_the_programs_is_a_status,
                     every_failing_allocation_of_one_hop_plans_is_a_status);
}
