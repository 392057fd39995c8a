/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of an assignment is made to fail in turn: a status each time, and no leak. */
#include "tests/support/failing.h"
#include "tests/support/suite.h"

struct work {
    const char *network, *solver;
    rwa_assignment_routing routing;
    rwa_protection protection;
    uint32_t wavelengths;
    uint32_t guard;         /* 1: lightpaths of two slots each */
};

static rwa_status assign(void *data)
{
    const struct work *work = data;
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_assignment_options opts;
    rwa_error err = {0};
    rwa_assignment_options_init(&opts);
    opts.model = RWA_UNDIRECTED;
    opts.solver = work->solver;
    opts.routing = work->routing;
    opts.protection = work->protection;
    opts.wavelengths = work->wavelengths;
    opts.guard = work->guard;
    opts.time_limit_s = 0.05;
    rwa_status st = rwa_network_open(&net, work->network, NULL, &err);
    if (st == RWA_OK)
        st = rwa_demands_random(&demands, rwa_network_nodes(net), RWA_UNDIRECTED, 5, 2, &err);
    if (st == RWA_OK)
        st = rwa_assignment_make(&result, net, demands, &opts, &err);
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
    if (st != RWA_OK && err.status != st)
        return RWA_BACKEND; /* a failure that was not told in words */
    return st;
}

/* Searches, one greedy pass of each order, the textbook's program, backups, and too few wavelengths with what would
   help. */
static void every_failing_allocation_is_a_status(void)
{
    static const struct work all[] =
        {{.network = "mesh:2x3", .solver = "exact"},
         {.network = "mesh:2x3", .solver = "dsatur"},
         {.network = "mesh:2x3", .solver = "largest-degree-first", .wavelengths = 1},
         {.network = "mesh:2x2", .solver = "ilp"},
         {.network = "mesh:2x3", .solver = "auto", .routing = RWA_ROUTES_MIN_LOAD},
         {.network = "mesh:2x3", .solver = "auto", .wavelengths = 1, .protection = RWA_PROTECTION_DEDICATED},
         {.network = "ring:6", .solver = "first-fit"},
         {.network = "mesh:2x3", .solver = "auto", .guard = 1},
         {.network = "mesh:2x3", .solver = "exact", .wavelengths = 3, .guard = 1},
         {.network = "mesh:2x2", .solver = "ilp", .guard = 1},
         {.network = "mesh:2x3", .solver = "last-fit", .guard = 1},
         {.network = "mesh:2x3",
          .solver = "random",
          .wavelengths = 5,
          .guard = 1,
          .protection = RWA_PROTECTION_DEDICATED}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        expect_every_failure_told(assign, (void *)&all[i], 20);
}

int main(void)
{
    return RUN_TESTS("allocation", every_failing_allocation_is_a_status);
}
