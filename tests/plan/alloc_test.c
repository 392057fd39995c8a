/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of the planner and the reader is made to fail in turn: a status each time, and no leak. */
#include "tests/support/failing.h"
#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/request.h"

static struct file file;

static rwa_status make_and_write(void *data)
{
    const struct request *r = data;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_schedule *read = NULL;
    rwa_check_report check;
    rwa_error err = {0};
    rwa_plan_options o = r->options;
    o.scheme = r->scheme[0] ? r->scheme : NULL;
    rwa_status st = rwa_network_open(&net, r->spec, &r->network, &err);
    THEN(rwa_collective_init(&coll, r->kind, rwa_network_nodes(net), 0, 64, 0, &err));
    THEN(rwa_plan_make(&plan, net, &coll, &o, &err));
    THEN(rwa_schedule_write(rwa_plan_schedule(plan), file.path, &err));
    THEN(rwa_schedule_read(&read, file.path, NULL, &err));
    THEN(report_file(&check, file.path, NULL, &err));
    rwa_schedule_free(read);
    rwa_plan_free(plan);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

/* Auto plans with every scheme that does the collective; then schemes that plan nothing on rings, or nothing on so
 * small a one.  Of two channels, so that few numbers of stripes are tried. */
static void every_failing_allocation_is_a_status(void)
{
    static const char *const lines[] = {
        "ring:4", "ring:4 all-reduce", "ring:4 gather", "ring:4 drops=3",
        "tree:2x2 all-reduce by logical-topology", "tree:2x2 model=circuit by logical-topology",
        "tree:2x2 model=overlap reduce-scatter by logical-topology", "tree:2x2 gather by logical-topology",
        "tree:2x2 model=circuit all-to-all by logical-topology",
        "tree:2x2 model=overlap all-to-all by logical-topology",
        "tree:2x2 model=overlap all-reduce by pipelined-trees", "torus:3x4 all-reduce by optree"};
    file = file_make("plan.jsonl", "", 0);
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct request r = request_of("%s", lines[i]);
        r.network.wavelengths = 2;
        expect_every_failure_told(make_and_write, &r, 50);
    }
    file_drop(&file);
}

TESTS("allocation", every_failing_allocation_is_a_status)
