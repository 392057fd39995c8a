/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What checker and state make of assignment files: numbers of lightpaths, failed links, backups; and states made from
 *  assignments, schedules and files. */

#include "tests/support/assigning.h"
#include "tests/support/fibers.h"
#include "tests/support/judged.h"
#include "tests/support/states.h"

/* A square with a diagonal; lightpaths 0-1 and 2-3, whose backups use the diagonal on one wavelength. */
#define SQUARE(more, end)                                                                                    \
    "{'format':'rwa-assignment','version':1,'model':'undirected','network':{'nodes':4,'links':[[0,1],[1,2]," \
    "[2,3],[3,0],[0,2]],'fibers':1" more "},'demands':2,'wavelengths':3" end "}"
#define NINE SQUARE("", ",'next_lightpath':9")
#define FIRST "d0 0>1 path=0,1 0/0"
#define FIRST_BACK "d0 0>1 role=shared-backup path=0,2,1 0/1"
#define OTHER "d1 2>3 path=2,3 0/0"
#define OTHER_BACK "d1 2>3 role=shared-backup path=2,0,3 0/1"
#define DARK " down=true"

static rwa_state *square(void)
{
    return state_on("links:0-1,1-2,2-3,3-0,0-2 w=3 undirected");
}

static rwa_status read_judged(rwa_state *state, const struct judged *file, rwa_error *err)
{
    char path[] = "/tmp/rwa-state-XXXXXX";
    rwa_status st = judged_file(path, file) ? rwa_state_read(state, path, err) : RWA_IO;
    unlink(path);
    return st;
}

/* Numbers that are no numbers of lightpaths: check and state say so in one line. */
static void wrong_numbers_are_refused(void)
{
    static const struct { const char *header, *first, *other, *says; } cases[] = {
        {NINE, FIRST " lightpath=4", OTHER " lightpath=7", NULL},
        {SQUARE("", ""), FIRST, OTHER, NULL}, /* an old file */
        {NINE, FIRST " lightpath=4", OTHER " lightpath=4", ":3: \"lightpath\""},
        {NINE, FIRST " lightpath=7", OTHER " lightpath=4", ":3: \"lightpath\""},
        {NINE, FIRST " lightpath=4", OTHER " lightpath=9", ":3: \"lightpath\""},
        {NINE, FIRST " lightpath=0", OTHER " lightpath=4", ":2: \"lightpath\""},
        {NINE, FIRST " lightpath=-3", OTHER " lightpath=4", ":2: \"lightpath\""},
        {NINE, FIRST " lightpath=\"4\"", OTHER " lightpath=5", ":2: \"lightpath\""},
        {NINE, FIRST " lightpath=4", OTHER, ":3: \"lightpath\""},
        {SQUARE("", ""), FIRST " lightpath=4", OTHER, ":2: \"lightpath\""},
        {NINE, OTHER " lightpath=4", FIRST " lightpath=5", ":3: \"demand\""},
        {SQUARE("", ",'next_lightpath':0"), FIRST, OTHER, ":1: \"next_lightpath\""},
        {SQUARE("", ",'next_lightpath':9007199254740993"), FIRST, OTHER, ":1: \"next_lightpath\""},
        {SQUARE("", ",'next_lightpath':1.5"), FIRST, OTHER, ":1: \"next_lightpath\""}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct judged file = {cases[i].header, {cases[i].first, cases[i].other}};
        rwa_state *state = square();
        rwa_check_report report;
        rwa_error err[2] = {{0}, {0}};
        rwa_status expected = cases[i].says ? RWA_FORMAT : RWA_OK;
        CU_ASSERT_EQUAL(judged_check_with(&report, &file, NULL, &err[0]), expected);
        CU_ASSERT_EQUAL(read_judged(state, &file, &err[1]), expected);
        CU_ASSERT_EQUAL(rwa_state_count(state), cases[i].says ? 0 : 2);
        for (int k = 0; k < 2 && cases[i].says; k++) {
            expect_part(err[k].text, cases[i].says);
            CU_ASSERT_PTR_NULL(strchr(err[k].text, '\n'));
        }
    }
}

/* Numbers 4 and 7 of 9 come back; a state where another lightpath has one of them refuses the file and stays as it
   was. */
static void numbers_come_in_once(void)
{
    static const struct judged file = {NINE, {FIRST " lightpath=4", OTHER " lightpath=7"}},
                               last = {SQUARE("", ",'next_lightpath':9007199254740992"),
                                       {FIRST " lightpath=4", OTHER " lightpath=9007199254740991"}};
    rwa_state *state = square();
    rwa_request q;
    rwa_placed placed;
    rwa_error err = {0};
    rwa_request_init(&q, 2, 3);
    OK(read_judged(state, &file, NULL));
    CU_ASSERT_TRUE(rwa_state_next(state, 0) == 4 && rwa_state_next(state, 4) == 7 &&
                   rwa_state_next(state, 7) == RWA_NO_LIGHTPATH);
    CU_ASSERT_EQUAL(add_lightpath(state, 2, 3, RWA_PROTECTION_NONE).id, 9);
    OK(rwa_state_release(state, 4, NULL));
    CU_ASSERT_EQUAL(read_judged(state, &file, &err), RWA_BADARG);
    expect_part(err.text, "lightpath 7, from node 2 to node 3: a lightpath of the state has this id");
    OK(rwa_state_undo(state, 1, NULL));    /* what failed is no operation and forgets none */
    CU_ASSERT_TRUE(rwa_state_get(&placed, state, 4) && rwa_state_next(state, 4) == 7 && rwa_state_next(state, 7) == 9);
    for (uint64_t id = 0; (id = rwa_state_next(state, 0)) != RWA_NO_LIGHTPATH;)
        OK(rwa_state_release(state, id, NULL));
    OK(read_judged(state, &file, NULL));    /* a file may come back */
    CU_ASSERT_EQUAL(add_lightpath(state, 2, 3, RWA_PROTECTION_NONE).id, 10);
    state = square();
    OK(read_judged(state, &last, NULL));
    CU_ASSERT_EQUAL(rwa_state_add(&placed, state, &q, &err), RWA_NOMEM);        /* no number is left */
}

/* Wrong backups, and marks of what is down: the checker wants one of two backups on a channel marked as down when both
 * are needed, and none without a reason.  A state lights those that are not marked, and takes nothing that clashes. */
static void the_checker_knows_backups_and_who_is_lit(void)
{
    static const struct {
        const char *more, *lines[4];
        rwa_violation_kind kind;
        const char *says;
        int carried[2];     /* no lightpath: the state refuses it */
    } cases[] = {
        {"", {FIRST, FIRST_BACK, OTHER, OTHER_BACK}, 0, NULL, {1, 1}},
        {",'risk_groups':[[0,2]]", {FIRST, FIRST_BACK, OTHER, OTHER_BACK}, RWA_VIOLATION_PROTECTION, "", {0, 0}},
        {"", {FIRST, FIRST_BACK, "d1 0>1 path=0,1 0/2", "d1 0>1 role=shared-backup path=0,3,2,1 0/1"},
         RWA_VIOLATION_PROTECTION, "", {0, 0}}, /* link 0-1 breaks both, and both need 1-2 */
        {"", {FIRST, FIRST_BACK, "d1 1>2 path=1,2 0/1"}, RWA_VIOLATION_CHANNEL, "", {0, 0}},
        {"", {FIRST, "d0 0>1 role=shared-backup path=0,2,1 0/3", "d1 1>2 path=1,2 0/1"}, RWA_VIOLATION_RANGE, "",
         {0, 0}},
        {"", {FIRST, "d0 0>1 role=shared-backup path=0,1 0/2", "d1 1>2 path=1,2 0/1"}, RWA_VIOLATION_PROTECTION, "",
         {0, 0}},
        {",'failed':[0]", {FIRST DARK, FIRST_BACK, OTHER, OTHER_BACK}, 0, NULL, {1, 1}},
        {",'failed':[0,2]", {FIRST DARK, FIRST_BACK, OTHER DARK, OTHER_BACK DARK}, 0, NULL, {1, 0}},
        {",'failed':[0,2]", {FIRST DARK, FIRST_BACK DARK, OTHER DARK, OTHER_BACK}, 0, NULL, {0, 1}},
        {",'failed':[0,2,3]", {FIRST DARK, FIRST_BACK, OTHER DARK, OTHER_BACK DARK}, 0, NULL, {1, 0}},
        {",'failed':[0]", {FIRST DARK, FIRST_BACK, OTHER, OTHER_BACK DARK}, 0, NULL, {1, 1}},
        {",'failed':[0,2]", {FIRST DARK, FIRST_BACK, OTHER DARK, OTHER_BACK}, RWA_VIOLATION_CHANNEL,
         "its shared backup and that of demand 0 are both lit on fibre 0, wavelength 1 of link 4 (0 - 2)", {1, 0}},
        {",'failed':[0,2]", {FIRST DARK, FIRST_BACK DARK, OTHER DARK, OTHER_BACK DARK}, RWA_VIOLATION_HEADER,
         "no lit backup is on its channels", {1, 0}},
        {",'failed':[2]", {FIRST, FIRST_BACK, OTHER DARK, OTHER_BACK DARK}, RWA_VIOLATION_HEADER,
         "no lit backup is on its channels", {1, 1}},
        {"", {FIRST, FIRST_BACK DARK, OTHER, OTHER_BACK}, RWA_VIOLATION_HEADER, "no lit backup is on its channels",
         {1, 1}}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char header[512], path[] = "/tmp/rwa-state-XXXXXX";
        struct judged file = {.header = header};
        rwa_check_report streamed, whole;
        rwa_assignment *result = NULL;
        snprintf(header, sizeof header, SQUARE("%s", ""), cases[i].more);
        memcpy(file.lines, cases[i].lines, sizeof cases[i].lines);
        CU_ASSERT_FATAL(judged_file(path, &file));
        OK(rwa_assignment_read(&result, path, NULL));
        keep_assignment(result);
        OK(report_assignment(&whole, result, NULL, NULL));
        rwa_check *check = NULL;
        OK(rwa_check_file(&check, path, NULL, NULL));
        if (cases[i].says)
            expect_part(rwa_check_summary(check)->first[0].text, cases[i].says);
        OK(report_copy(&streamed, check, RWA_OK));
        CU_ASSERT_EQUAL(streamed.ok, cases[i].says == NULL);
        CU_ASSERT_EQUAL(whole.violations, streamed.violations);
        CU_ASSERT_EQUAL(cases[i].says ? streamed.by_kind[cases[i].kind] : 0, streamed.violations);
        rwa_state *state = state_of(rwa_assignment_network(result), RWA_UNDIRECTED, 0);
        bool taken = cases[i].carried[0] || cases[i].carried[1];
        CU_ASSERT_EQUAL(rwa_state_import(state, result, NULL), taken ? RWA_OK : RWA_BADARG);
        CU_ASSERT_EQUAL(rwa_state_count(state), taken ? 2 : 0);
        for (uint64_t id = 1; id <= 2; id++)
            CU_ASSERT_EQUAL((rwa_state_condition(state, id) & ~RWA_CONDITION_DOWN) > 0, cases[i].carried[id - 1]);
        unlink(path);
    }
}

/* What crosses a link that failed here and works in the file cannot come: the state stays as it was. */
static void a_lost_link_refuses_what_crosses_it(void)
{
    static const struct judged file = {SQUARE(",'failed':[0]", ""), {FIRST DARK, OTHER}};
    rwa_state *state = square();
    OK(rwa_state_fail(state, RWA_FAILURE_LINK, 4, NULL));
    CU_ASSERT_EQUAL(read_judged(state, &file, NULL), RWA_BADARG);
    CU_ASSERT_TRUE(rwa_state_count(state) == 0 && rwa_state_is_failed(state, RWA_FAILURE_LINK, 4) &&
                   !rwa_state_is_failed(state, RWA_FAILURE_LINK, 0));
    OK(rwa_state_repair(state, RWA_FAILURE_LINK, 4, NULL));
    OK(rwa_state_fail(state, RWA_FAILURE_LINK, 0, NULL));
    OK(read_judged(state, &file, NULL));
    CU_ASSERT_TRUE(rwa_state_count(state) == 2 && rwa_state_is_failed(state, RWA_FAILURE_LINK, 0));
}

/* Written, checked with the device and read again, lightpaths have the formats that they had. */
static void files_keep_formats(void)
{
    rwa_transmission *t = builtin_transmission("coherent", "ssmf");
    rwa_state *state = state_on("nsfnet14-21 w=120" FLEXIBLE " undirected paths=4"),
              *again = state_on("nsfnet14-21 w=120" FLEXIBLE " undirected paths=4");
    struct file file = file_make("state.jsonl", "", 0);
    rwa_check_options check;
    rwa_check_report report;
    seed = 3;
    for (int i = 0; i < 60; i++) {
        rwa_request q = any_request(state);
        rwa_placed placed;
        q.protection = (rwa_protection)(i % 3);
        q.transmission = t;
        q.rate_bps = 50e9 * (1 + i % 8);
        OK(rwa_state_add(&placed, state, &q, NULL));
    }
    OK(rwa_state_write(state, file.path, NULL));
    rwa_check_options_init(&check);
    check.transmission = t;
    OK(report_file(&report, file.path, &check, NULL));
    CU_ASSERT_TRUE(report.ok && report.gsnr_checked > 0);
    OK(rwa_state_read(again, file.path, NULL));
    for (uint64_t id = 0; (id = rwa_state_next(state, id)) != RWA_NO_LIGHTPATH;) {
        rwa_placed placed, read;
        CU_ASSERT_TRUE_FATAL(rwa_state_get(&placed, state, id) && rwa_state_get(&read, again, id));
        CU_ASSERT_STRING_EQUAL(read.modulation, placed.modulation);
        CU_ASSERT_EQUAL(read.rate_bps, placed.rate_bps);
    }
    file_drop(&file);
}

/* An all-to-all assignment leaves on each link as many channels as its load does not take. */
static void an_assignment_comes_in(void)
{
    rwa_state *state = state_on("nsfnet14-21 w=16 paths=1"), *ring = state_on("ring:14 w=16 paths=1");
    const rwa_network *net = rwa_state_network(state);
    rwa_assignment *result = assignment_on("nsfnet14-21 w=16 undirected");
    CU_ASSERT_EQUAL(rwa_state_import(ring, result, NULL), RWA_BADARG);
    OK(rwa_state_import(state, result, NULL));
    CU_ASSERT_EQUAL(rwa_state_model(state), RWA_UNDIRECTED);
    CU_ASSERT_EQUAL(rwa_state_count(state), 91);
    for (uint32_t pair = 0; pair < rwa_network_pairs(net); pair++) {
        uint32_t load = 0;
        for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
            rwa_route route;
            rwa_assignment_get(&route, result, i);
            for (uint32_t k = 0; k < route.hops; k++)
                load += route.links[k] / 2 == pair;
        }
        CU_ASSERT_EQUAL(rwa_state_free_channels(state, 2 * pair), 16 - load);
    }
}

TESTS("files of states", wrong_numbers_are_refused, numbers_come_in_once, the_checker_knows_backups_and_who_is_lit,
      a_lost_link_refuses_what_crosses_it, files_keep_formats, an_assignment_comes_in)
