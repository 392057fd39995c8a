/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The checker against a second judge that shares no thought with it: schedules on rings and lines, planned with all
 * that a plan may be asked for or repaired after a failure, whole or with lines that break their meaning
 * (tests/support/schedule_mutator.h), must get the same verdict from both, kind by kind.  Where the checker keeps bits,
 * turns and random weights, the other one (tests/support/plain_judge.h) walks link by link over plain numbers; it reads
 * the file with code of its own (tests/support/plain_read.h).  What the library reads from the file must be judged
 * alike. Usage: property_test [CASES]
 */
#include "tests/support/files.h"
#include "tests/support/plain_read.h"
#include "tests/support/schedule_mutator.h"
#include "tests/support/random.h"
#include "tests/support/report.h"

enum { ROOM = 1 << 18 };

static int cases = 3000;

struct text {
    char bytes[ROOM];
    size_t size;
};

static char path[] = "/tmp/rwa-property-XXXXXX";

/** False: it is too long. */
static bool take(struct text *t)
{
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    t->size = fread(t->bytes, 1, sizeof t->bytes, file);
    fclose(file);
    return t->size < sizeof t->bytes / 2;
}

/* ---- plans ---- */

/** On rings and lines of any kind.  Most schemes read only some of the options, and refuse the others. */
static struct request random_request(void)
{
    rwa_collective_kind kind = RWA_ALL_GATHER + any(8);
    bool few = rwa_collective_is_reduction(kind) || kind == RWA_ALL_TO_ALL || any(4);
    struct request r =
        request_of("%s:%u w=%u f=%u ports=%u bytes=8 %s", any(3) ? "ring" : "line", 2 + any((few ? FEW : MANY) - 1),
                   1 + any(CHANNELS / 3), 1 + any(3), any(4) ? 0 : 1 + any(5), rwa_collective_name(kind));
    size_t scheme = any(64);
    random_faults(&r);
    r.options.max_hops = any(6) ? 0 : 1 + any(rwa_network_nodes(request_network(r)));
    r.options.max_drops = any(6) ? 0 : 2 + any(READERS - 1);
    r.options.stripes = any(2) ? 0 : 1 + any(3);
    r.options.group = any(4) ? 0 : 2 + any(4);
    for (size_t i = 0; rwa_scheme_name(i); i++)
        if (i == scheme && rwa_scheme_fits(i, request_network(r), kind))
            strcpy(r.scheme, rwa_scheme_name(i));
    return r;
}

/** Rings on which several receivers, or several blocks, of a lightpath save a step. */
static struct request crowded_request(void)
{
    if (any(2))
        return request_of("ring:%u w=4 load=%u bytes=8 by %s", 20 + any(20), 2 + any(LOAD - 1),
                          any(3) ? "wavefront" : "auto");
    return request_of("ring:%u w=%u drops=%u bytes=8 by wavefront", 6 + any(20), 1 + any(2), 2 + any(READERS - 1));
}

/** The rest of a schedule after a failure in the middle of it; NULL: there is none. */
static const rwa_schedule *repaired(const rwa_schedule *sched)
{
    struct numbers failed = {.count = 0};
    rwa_plan *plan = NULL;
    random_numbers(&failed, 1 + any(2), rwa_network_links(rwa_schedule_network(sched)));
    rwa_status st =
        rwa_plan_repair(&plan, sched, failed.at, failed.count, 1 + any(rwa_schedule_steps(sched) + 1), NULL, NULL);
    CU_ASSERT_TRUE(st == RWA_OK || st == RWA_BADARG);
    return st == RWA_OK ? rwa_plan_schedule(keep_plan(plan)) : NULL;
}

/** The file of a plan that both judges can read; false: this request has none. */
static bool planned(struct text *t)
{
    struct request r = any(3) ? random_request() : crowded_request();
    rwa_plan *plan = NULL;
    rwa_status st = request_plan(&plan, &r, NULL);
    CU_ASSERT_TRUE(st == RWA_OK || st == RWA_BADARG);
    const rwa_schedule *sched = plan ? rwa_plan_schedule(plan) : NULL;
    if (sched && r.links.count == 0 && any(4) == 0)
        sched = repaired(sched);
    return sched && rwa_schedule_write(sched, path, NULL) == RWA_OK && take(t);
}

/* ---- the comparison ---- */

static const char *const sorts[] = {"tapped", "merged", "striped", "with ports", "in part", "reserved", "failed",
                                    "repaired"};

struct tally {
    unsigned right, wrong, refused, beyond, in_memory, kinds, plans, of[COUNT(sorts)];
};

/** The features of the schedules. */
static void count_plan(struct tally *t, const struct setting *s)
{
    bool taps = false;
    for (size_t i = 0; i < s->count; i++)
        taps = taps || s->lines[i].taps > 0;
    const bool has[COUNT(sorts)] = {taps, s->slots > 1, s->kind == RWA_ALL_GATHER && s->blocks > s->places,
                                    s->ports > 0, s->places < s->nodes, s->reserved_count > 0,
                                    s->failed_count > 0 && s->failed_from == 0, s->failed_from > 0};
    t->plans++;
    for (size_t i = 0; i < COUNT(sorts); i++)
        t->of[i] += has[i];
}

/** Nothing is shown by plans that are all alike: some of everything. */
static void expect_all_sorts(const struct tally *t)
{
    printf(" %u right, %u wrong, %u refused, %u beyond the second judge, %u plans", t->right, t->wrong, t->refused,
           t->beyond, t->plans);
    for (size_t i = 0; i < COUNT(sorts); i++) {
        printf(", %u %s", t->of[i], sorts[i]);
        CU_ASSERT(t->of[i] > 0);
    }
}

/** Whether memory takes the schedule; steps are counted there, so that its header is never wrong. */
static bool verdict_of_memory(unsigned *kinds)
{
    rwa_schedule *sched = NULL;
    rwa_check_report verdict;
    if (rwa_schedule_read(&sched, path, NULL, NULL) != RWA_OK)
        return false;
    OK(report_schedule(&verdict, keep_schedule(sched), NULL, NULL));
    *kinds = kinds_of(&verdict);
    return true;
}

static void compare(struct tally *tally, const struct text *t, bool is_plan)
{
    static struct setting s;
    rwa_check_report verdict;
    file_write(path, t->bytes, t->size);
    bool refused = report_file(&verdict, path, NULL, NULL) != RWA_OK, beyond = !refused && !plain_read(&s, path);
    tally->refused += refused;
    tally->beyond += beyond;
    if (refused || beyond)
        return;
    unsigned expected = second_opinion(&s), found = kinds_of(&verdict), again = found;
    bool in_memory = verdict_of_memory(&again),
         alike = comparable(expected) == comparable(found) &&
                 (again | 1u << RWA_VIOLATION_HEADER) == (found | 1u << RWA_VIOLATION_HEADER);
    CU_ASSERT(alike && verdict.ok == (found == 0));
    if (!alike)
        fprintf(stderr, "kinds of violation: %#x, by the second judge %#x, from memory %#x, in\n%.*s\n", found,
                expected, again, (int)t->size, t->bytes);
    *(expected ? &tally->wrong : &tally->right) += 1;
    tally->in_memory += in_memory;
    tally->kinds |= expected;
    if (is_plan)
        count_plan(tally, &s);
}

/** Each plan as it is, and mutated up to three times over, so that errors meet. */
static void both_judges_agree(void)
{
    static struct text whole, file;
    struct tally tally = {0};
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    for (int i = 0; i < cases; i++) {
        while (i % 20 == 0 && !planned(&whole))
            ;
        if (i % 4 == 0)
            file = whole;
        if (i % 20 > 0)
            file.size = mutate_schedule(file.bytes, file.size, ROOM, &seed);
        compare(&tally, &file, i % 20 == 0);
    }
    unlink(path);
    /* Lines stay valid: few files are refused.  Meaning breaks in every way in which a ring or line can break. */
    CU_ASSERT(tally.refused < (unsigned)cases / 4);
    CU_ASSERT(tally.right > (unsigned)cases / 20);
    CU_ASSERT(tally.wrong > (unsigned)cases / 3);
    CU_ASSERT(tally.in_memory > (unsigned)cases / 10);
    for (size_t i = 0; i < COUNT(judged_kinds); i++)
        CU_ASSERT_NOT_EQUAL(tally.kinds & (1u << judged_kinds[i]), 0);
    expect_all_sorts(&tally);
}

int main(int argc, char **argv)
{
    seed = 20;
    cases = argc > 1 ? atoi(argv[1]) : cases;
    return RUN_TESTS("two judges", both_judges_agree);
}
