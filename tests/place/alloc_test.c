/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of integer programs for circuits and rings, and of one-hop plans, is made to fail in turn: a status
 *  each time.  The functions of placement are in tests/api/every_export.h. */
#include "tests/support/failing.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

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
    THEN(rwa_circuits_make(&circuits, traffic, 3, &co, &err));
    THEN(rwa_network_parse(&net, "ring:3", &no, &err));
    THEN(rwa_allocation_make(&ring, traffic, net, &ro, &err));
    rwa_allocation_free(ring);
    rwa_network_free(net);
    rwa_circuits_free(circuits);
    rwa_traffic_free(traffic);
    return told_in_words(st, &err);
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
    THEN(rwa_collective_init(&coll, p->kind, rwa_network_nodes(net), 0, 64, p->blocks, &err));
    THEN(rwa_plan_make(&plan, net, &coll, &opts, &err));
    rwa_plan_free(plan);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

static void every_failing_allocation_of_the_programs_is_a_status(void)
{
    static const char text[] = "0,5,3\n2,0,7\n1,4,0\n";
    struct file file = file_make("traffic", text, strlen(text));
    expect_every_failure_told(programs, file.path, 20);
    file_drop(&file);
}

static void every_failing_allocation_of_one_hop_plans_is_a_status(void)
{
    struct plan plans[] = {{"star:10", "tcp", RWA_BROADCAST, 6},       {"star:9", "tcp", RWA_ALL_TO_ALL, 0},
                           {"ron:12", "latency-hiding", RWA_BROADCAST, 3}, {"ron:12", "forest", RWA_BROADCAST, 5},
                           {"ocs:8x3", "tcp", RWA_ALL_GATHER, 0}};
    for (size_t i = 0; i < COUNT(plans); i++)
        expect_every_failure_told(one_hop, &plans[i], 10);
}

TESTS("allocation of placement", every_failing_allocation_of_the_programs_is_a_status,
      every_failing_allocation_of_one_hop_plans_is_a_status)
