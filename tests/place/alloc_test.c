/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of integer programs for circuits and rings is made to fail in turn: a status each time.  The
 *  functions of placement are in tests/api/every_export.h. */
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

static void every_failing_allocation_of_the_programs_is_a_status(void)
{
    static const char text[] = "0,5,3\n2,0,7\n1,4,0\n";
    struct file file = file_make("traffic", text, strlen(text));
    expect_every_failure_told(programs, file.path, 20);
    file_drop(&file);
}

TESTS("allocation of placement", every_failing_allocation_of_the_programs_is_a_status)
