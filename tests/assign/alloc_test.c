/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of an assignment is made to fail in turn: a status each time, and no leak. */
#include "tests/support/assigning.h"
#include "tests/support/failing.h"

static rwa_status assign(void *data)
{
    const struct request *r = data;
    const rwa_assignment_options o = assignment_options(r);
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_error err = {0};
    rwa_status st = rwa_network_open(&net, r->spec, &r->network, &err);
    THEN(make_demands(&demands, r, net, &err));
    THEN(rwa_assignment_make(&result, net, demands, &o, &err));
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

/* Searches, one greedy pass of each order, the textbook's program, backups, too few wavelengths with what would help,
 * and thousands of lightpaths at once; lightpaths of two slots each with a guard. */
static void every_failing_allocation_is_a_status(void)
{
    static const char *const lines[] = {
        "mesh:2x3 by exact", "mesh:2x3 by dsatur", "mesh:2x3 given=1 by largest-degree-first", "mesh:2x2 by ilp",
        "mesh:2x3 min-load", "mesh:2x3 given=1 protected", "ring:6 by first-fit", "mesh:2x3 guard=1",
        "mesh:2x3 guard=1 given=3 by exact", "mesh:2x2 guard=1 by ilp", "mesh:2x3 guard=1 by last-fit",
        "mesh:2x3 guard=1 given=5 protected by random", "mesh:2x3 given=2 pairs=0>4x12000,3>1x9"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct request r = request_of("%s", lines[i]);
        r.assign.model = RWA_UNDIRECTED;
        r.assign.time_limit_s = r.pairs[0] ? 0 : 0.05;
        r.random = (struct numbers){{5, 2}, 2};
        expect_every_failure_told(assign, &r, 20);
    }
}

TESTS("allocation", every_failing_allocation_is_a_status)
