/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Two judges on mutated files: each line stays a valid record and its meaning breaks (tests/support/schedule_mutator.h).  The
 * library's checker reads a file as a user's; the other one reads it with code of its own (tests/support/plain_read.h).
 * Usage: mutated_test [CASES]
 */
#include "tests/support/plain_read.h"
#include "tests/support/report.h"
#include "tests/support/schedule_mutator.h"
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <unistd.h>

enum { ROOM = 8192, FILES = 24 };

static int cases = 2000;

struct text {
    char bytes[ROOM];
    size_t size;
};

static char path[] = "/tmp/rwa-mutated-XXXXXX";

static void put(const struct text *t)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(t->bytes, 1, t->size, file), t->size);
    fclose(file);
}

static void take(struct text *t)
{
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    t->size = fread(t->bytes, 1, sizeof t->bytes, file);
    CU_ASSERT_TRUE(t->size > 0 && t->size < ROOM);
    fclose(file);
}

/** A right schedule: a plan of this collective, of several blocks a lightpath or several receivers where `extra` asks for them. */
static void plan(struct text *t, const char *network, rwa_collective_kind kind, unsigned extra)
{
    rwa_plan_options p = options_of(extra ? "wavefront" : NULL);
    p.max_drops = extra & 1 ? 3 : 0;
    p.lightpath_blocks = extra & 2 ? 2 : 0;
    rwa_plan *made = plan_made_on(network_of(network, 2), kind, 8, &p);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_write(rwa_plan_schedule(made), path, NULL), RWA_OK);
    take(t);
    rwa_plan_free(made);
}

static size_t plans(struct text *files)
{
    size_t count = 0;
    for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++) {
        plan(&files[count++], "ring:5", kind, 0);
        plan(&files[count++], "line:4", kind, 0);
    }
    plan(&files[count++], "ring:6", RWA_ALL_GATHER, 1);
    plan(&files[count++], "ring:6", RWA_ALL_GATHER, 2);
    return count;
}

struct tally {
    unsigned right, wrong, refused, beyond, kinds;
};

static void compare(struct tally *tally, const struct text *t)
{
    static struct setting s;
    rwa_check_report verdict;
    put(t);
    if (report_file(&verdict, path, NULL, NULL) != RWA_OK) {
        tally->refused++;
        return;
    }
    if (!plain_read(&s, path)) {
        tally->beyond++;
        return;
    }
    unsigned expected = second_opinion(&s), found = kinds_of(&verdict);
    CU_ASSERT_EQUAL(comparable(expected), comparable(found));
    if (comparable(expected) != comparable(found))
        fprintf(stderr, "kinds of violation: %#x, by the second judge %#x, in\n%.*s\n", found, expected, (int)t->size, t->bytes);
    *(expected ? &tally->wrong : &tally->right) += 1;
    tally->kinds |= expected;
}

/** Each file is mutated up to three times over, so that errors meet. */
static void both_judges_agree_on_mutated_files(void)
{
    static struct text files[FILES], file;
    struct tally tally = {0};
    uint64_t seed = 11;
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    size_t count = plans(files);
    for (int i = 0; i < cases; i++) {
        if (i % 3 == 0)
            file = files[(size_t)(i / 3) % count];
        file.size = mutate_schedule(file.bytes, file.size, ROOM, &seed);
        compare(&tally, &file);
    }
    unlink(path);
    printf(" %u right, %u wrong, %u refused, %u beyond the second judge ", tally.right, tally.wrong, tally.refused, tally.beyond);
    /* Lines stay valid: few files are refused.  Meaning breaks in every way in which a ring or line can break. */
    CU_ASSERT(tally.refused < (unsigned)cases / 4);
    CU_ASSERT(tally.right > (unsigned)cases / 50);
    CU_ASSERT(tally.wrong > (unsigned)cases / 3);
    for (size_t i = 0; i < sizeof judged_kinds / sizeof *judged_kinds; i++)
        CU_ASSERT_NOT_EQUAL(tally.kinds & (1u << judged_kinds[i]), 0);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(both_judges_agree_on_mutated_files), {0}};
    cases = argc > 1 ? atoi(argv[1]) : cases;
    return run_tests("two judges on mutated files", tests);
}
