/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of the planner, of schedules with all they can carry, and of their files is made to fail in turn: a
 *  status each time, and no leak. */
#include "tests/support/failing.h"
#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/request.h"

static struct file file;

/** Every call that did not run out of memory must be right. */
static rwa_status make_and_write(void *data)
{
    const struct request *r = data;
    const rwa_faults faults = {.channels = r->reserved.at,
                               .channel_count = r->reserved.count,
                               .links = r->links.at,
                               .link_count = r->links.count};
    rwa_network *whole = NULL, *net = NULL;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_schedule *read = NULL, *all = NULL;
    rwa_check_report seen = {0}, streamed = {0};
    rwa_error err = {0};
    rwa_plan_options o = r->options;
    o.scheme = r->scheme[0] ? r->scheme : NULL;
    o.members = r->members.count > 0 ? r->members.at : NULL;
    rwa_status st = rwa_network_open(&whole, r->spec, &r->network, &err);
    THEN(rwa_network_with_faults(&net, whole, &faults, &err));
    THEN(rwa_collective_init(&coll, r->kind, o.members ? (uint32_t)r->members.count : rwa_network_nodes(net), 0,
                             r->bytes, r->blocks, &err));
    THEN(rwa_plan_make(&plan, net, &coll, &o, &err));
    THEN(rwa_schedule_write(rwa_plan_schedule(plan), file.path, &err));
    THEN(rwa_schedule_read(&read, file.path, NULL, &err));
    THEN(rwa_schedule_expand(&all, read, &err));
    THEN(report_schedule(&seen, all, NULL, &err));
    THEN(report_file(&streamed, file.path, NULL, &err));
    CU_ASSERT_TRUE(st != RWA_OK || (seen.ok && streamed.ok && (!o.members || rwa_schedule_members(all))));
    rwa_schedule_free(all);
    rwa_schedule_free(read);
    rwa_plan_free(plan);
    rwa_network_free(net);
    rwa_network_free(whole);
    return told_in_words(st, &err);
}

/* Auto plans with every scheme that does the collective; then schemes that plan nothing on rings, or nothing on so
 * small a one, and networks of one hop; at last several blocks on a lightpath, members, a link that failed and a
 * reserved channel.  Of two channels at most, so that few numbers of stripes are tried. */
static void every_failing_allocation_is_a_status(void)
{
    static const char *const lines[] = {
        "ring:4 w=2", "ring:4 w=2 all-reduce", "ring:4 w=2 gather", "ring:4 w=2 drops=3",
        "tree:2x2 w=2 all-reduce by logical-topology", "tree:2x2 w=2 model=circuit by logical-topology",
        "tree:2x2 w=2 model=overlap reduce-scatter by logical-topology", "tree:2x2 w=2 gather by logical-topology",
        "tree:2x2 w=2 model=circuit all-to-all by logical-topology",
        "tree:2x2 w=2 model=overlap all-to-all by logical-topology",
        "tree:2x2 w=2 model=overlap all-reduce by pipelined-trees", "torus:3x4 w=2 all-reduce by optree",
        "star:10 ports=2 tuning=1 blocks=6 broadcast by tcp", "star:9 ports=2 tuning=1 all-to-all by tcp",
        "ron:12 ports=2 tuning=1 blocks=3 broadcast by latency-hiding",
        "ron:12 ports=2 tuning=1 blocks=5 broadcast by forest", "ocs:8x3 ports=2 tuning=1 by tcp",
        "ring:8 w=1 load=2 reduce-scatter by wavefront",
        "ring:6 w=2 ports=2 links=0 reserved=1 members=1,2 blocks=4 reduce-scatter",
        "torus:3x3 w=2 ports=2 links=0 reserved=1 members=1,2,5 reduce-scatter",
        "star:5 w=4 reserved=3 members=1,2 reduce-scatter", "ron:5 w=4 reserved=3 members=1,2 reduce-scatter",
        "ocs:5x2 w=4 ports=2 members=1,2 reduce-scatter"};
    file = file_make("plan.jsonl", "", 0);
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct request r = request_of("%s", lines[i]);
        r.bytes = 64;
        expect_every_failure_told(make_and_write, &r, 50);
    }
    file_drop(&file);
}

TESTS("allocation", every_failing_allocation_is_a_status)
