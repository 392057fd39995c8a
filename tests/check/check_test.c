/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The judge must be able to say no: one right schedule, broken in as many ways as there are rules. */
#include "rwa.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ring of 4, 2 wavelengths; step 1: everyone to the right and to the left; step 2: everyone passes on what came from the left */
static const char *header =
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":4,\"fibers\":1,"
    "\"wavelengths\":2},\"collective\":\"all-gather\",\"blocks\":4,\"block_bytes\":8,\"scheme\":\"shift\",\"steps\":2}\n";

static char lines[12][160];

static void right_schedule(void)
{
    static const char *form = "{\"step\":%d,\"src\":%d,\"dst\":%d,\"dir\":\"%s\",\"fiber\":0,\"wavelength\":0,\"block\":%d}\n";
    for (int v = 0; v < 4; v++) {
        snprintf(lines[v], sizeof lines[v], form, 1, v, (v + 1) % 4, "cw", v);
        snprintf(lines[4 + v], sizeof lines[v], form, 1, v, (v + 3) % 4, "ccw", v);
        snprintf(lines[8 + v], sizeof lines[v], form, 2, v, (v + 1) % 4, "cw", (v + 3) % 4);
    }
}

static rwa_status judge(rwa_check_report *out, const char *head, int count)
{
    char path[] = "/tmp/rwa-check-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    fputs(head, file);
    for (int i = 0; i < count; i++)
        fputs(lines[i], file);
    fclose(file);
    rwa_status st = report_file(out, path, NULL, NULL);
    unlink(path);
    return st;
}

/** Replace line i, judge, and expect the violation by its name. */
static void expect(int i, const char *line, rwa_violation_kind kind)
{
    rwa_check_report c;
    right_schedule();
    snprintf(lines[i], sizeof lines[i], "%s\n", line);
    CU_ASSERT_EQUAL(judge(&c, header, 12), RWA_OK);
    CU_ASSERT_FALSE(c.ok);
    CU_ASSERT_TRUE(c.by_kind[kind] > 0);
    if (c.by_kind[kind] == 0)
        fprintf(stderr, "%s: expected %s, got %s\n", line, rwa_violation_name(kind),
                c.named ? rwa_violation_name(c.first[0].kind) : "nothing");
}

static void a_right_schedule_passes(void)
{
    rwa_check_report c;
    right_schedule();
    CU_ASSERT_EQUAL(judge(&c, header, 12), RWA_OK);
    CU_ASSERT_TRUE(c.ok);
    CU_ASSERT_EQUAL(c.lightpaths, 12);
    CU_ASSERT_EQUAL(c.steps, 2);
    CU_ASSERT_EQUAL(c.longest_hops, 1);
}

static void each_corruption_is_named_for_what_it_is(void)
{
    /* the same channel twice: a second lightpath over link 0 */
    expect(3, "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0}", RWA_VIOLATION_CHANNEL);
    /* 3 -> 1 runs over node 0 and meets 0 -> 1 behind the wrap */
    expect(3, "{\"step\":1,\"src\":3,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":3}", RWA_VIOLATION_CHANNEL);
    /* the wrong direction goes the long way round, over the channels of others */
    expect(0, "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"ccw\",\"fiber\":0,\"wavelength\":0,\"block\":0}", RWA_VIOLATION_CHANNEL);
    expect(0, "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":2,\"block\":0}", RWA_VIOLATION_RANGE);
    expect(0, "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":1,\"wavelength\":0,\"block\":0}", RWA_VIOLATION_RANGE);
    expect(0, "{\"step\":1,\"src\":0,\"dst\":4,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0}", RWA_VIOLATION_RANGE);
    expect(0, "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":9}", RWA_VIOLATION_RANGE);
    /* node 0 never had block 2 before step 2 */
    expect(8, "{\"step\":2,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":2}", RWA_VIOLATION_CAUSALITY);
    /* sent in the very step it arrives */
    expect(7, "{\"step\":1,\"src\":1,\"dst\":2,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":1,\"block\":0}", RWA_VIOLATION_CAUSALITY);
    /* one block less: node 1 lacks block 3 */
    expect(8, "{\"step\":2,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0}", RWA_VIOLATION_COMPLETENESS);
    expect(11, "{\"step\":1,\"src\":3,\"dst\":0,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":2}", RWA_VIOLATION_ORDER);
    expect(11, "{\"step\":3,\"src\":3,\"dst\":0,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":2}", RWA_VIOLATION_HEADER);
    expect(0, "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0,\"orbit\":5}", RWA_VIOLATION_ORBIT);
    expect(0, "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0,\"orbit\":2,\"period\":3}",
           RWA_VIOLATION_ORBIT);
    expect(0, "{\"step\":1,\"src\":0,\"dst\":0,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0}", RWA_VIOLATION_CONTINUITY);
    expect(0, "{\"step\":0,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0}", RWA_VIOLATION_RANGE);
    /* nothing is added up in an all-gather */
    expect(0, "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0,\"op\":\"reduce\"}",
           RWA_VIOLATION_RANGE);
}

static void a_file_that_is_no_schedule_is_a_format_error(void)
{
    rwa_check_report c;
    right_schedule();
    snprintf(lines[11], sizeof lines[11], "{\"step\":2,\"src\":3,\"dst\"");
    CU_ASSERT_EQUAL(judge(&c, header, 12), RWA_FORMAT);
    CU_ASSERT_EQUAL(judge(&c, "", 0), RWA_FORMAT);
    CU_ASSERT_EQUAL(judge(&c, "\x01\x02\xff\n", 0), RWA_FORMAT);
}

/* One orbit of 4 with period 1 is the four lightpaths of a neighbour shift, so the verdicts must be the same figures. */
static void orbits_and_their_expansion_are_judged_alike(void)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_schedule *sched = NULL, *all = NULL;
    rwa_check_report a, b;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:9", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 9, 0, 8, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "shift", NULL), RWA_OK);
    for (uint32_t t = 0; t < 8; t++) { /* at step t + 1 node 0 passes on the block that came t nodes from the left */
        rwa_lightpath lp = {.step = t + 1, .src = 0, .dst = 1, .orbit = 9, .period = 1, .block = (9 - t) % 9};
        CU_ASSERT_EQUAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
    }
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, sched, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_schedule_records(sched), 8);
    CU_ASSERT_EQUAL(rwa_schedule_records(all), 72);
    CU_ASSERT_EQUAL(report_schedule(&a, sched, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL(report_schedule(&b, all, NULL, NULL), RWA_OK);
    CU_ASSERT_TRUE(a.ok && b.ok);
    CU_ASSERT_EQUAL(a.lightpaths, b.lightpaths);
    CU_ASSERT_EQUAL(a.steps, b.steps);
    CU_ASSERT_EQUAL(a.wavelengths_used, b.wavelengths_used);
    rwa_schedule_free(sched);
    rwa_schedule_free(all);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(a_right_schedule_passes), TEST(each_corruption_is_named_for_what_it_is),
        TEST(a_file_that_is_no_schedule_is_a_format_error), TEST(orbits_and_their_expansion_are_judged_alike), {0}};
    return run_tests("check", tests);
}
