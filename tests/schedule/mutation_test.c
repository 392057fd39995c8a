/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedule files with damaged bytes and numbers: whatever stands in them, a status and a verdict, never a crash.
 *  Usage: mutation_test [ROUNDS]; run it long under the sanitizers. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const seeds[] = {
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":4,\"fibers\":1,"
    "\"wavelengths\":2,"
    "\"reserved\":[1],\"failed\":[\"cw:1\",\"2\"]},\"collective\":\"all-reduce\",\"blocks\":4,\"block_bytes\":8,"
    "\"steps\":2,"
    "\"scheme\":\"x\"}\n"
    "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":3,\"op\":\"reduce\","
    "\"orbit\":4,"
    "\"period\":1}\n"
    "{\"step\":2,\"src\":0,\"dst\":1,\"dir\":\"ccw\",\"fiber\":0,\"wavelength\":0,\"block\":2,\"op\":\"copy\","
    "\"orbit\":4}\n",
    "{\"format\":\"rwa-schedule\",\"version\":2,\"network\":{\"kind\":\"line\",\"nodes\":5,\"wavelengths\":2},"
    "\"collective\":"
    "\"scatter\",\"root\":3,\"members\":[0,1,3],\"blocks\":6,\"slots\":2,\"block_bytes\":8,\"steps\":1,\"scheme\":"
    "\"x\"}\n"
    "{\"step\":1,\"src\":3,\"dst\":0,\"dir\":\"ccw\",\"fiber\":0,\"wavelength\":0,\"blocks\":[0,1],\"taps\":[1]}\n"
    "{\"step\":1,\"src\":3,\"dst\":1,\"dir\":\"ccw\",\"fiber\":0,\"wavelength\":1,\"blocks\":[2,3]}\n",
    "{\"format\":\"rwa-schedule\",\"version\":2,\"network\":{\"kind\":\"graph\",\"nodes\":4,\"fibers\":1,"
    "\"wavelengths\":2,"
    "\"links\":[[0,1],[1,2],[2,3],[3,0]],\"link_fibers\":[2,1,1,1],\"lengths_km\":[1,2,3.5,4],\"names\":[\"a\",null,"
    "\"c\","
    "\"d\"],\"reserved\":[[0,1,1],3],\"failed\":[\"3\"],\"ports\":2},\"collective\":\"broadcast\",\"root\":0,"
    "\"blocks\":1,"
    "\"slots\":1,\"block_bytes\":8,\"steps\":1,\"scheme\":\"x\"}\n"
    "{\"step\":1,\"src\":0,\"dst\":3,\"path\":[0,1,2,3],\"fiber\":0,\"wavelength\":0,\"block\":0,\"taps\":[1,2]}\n",
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"star\",\"nodes\":4,\"wavelengths\":2,\"ports\":"
    "1,"
    "\"tuning\":3},\"collective\":\"all-to-all\",\"blocks\":16,\"block_bytes\":8,\"steps\":2,\"scheme\":\"x\"}\n"
    "{\"step\":1,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":0,\"block\":1}\n"
    "{\"step\":2,\"src\":2,\"dst\":1,\"path\":[2,1],\"fiber\":0,\"wavelength\":1,\"block\":9}\n",
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ron\",\"nodes\":5,\"wavelengths\":2,\"ports\":"
    "2,"
    "\"tuning\":1},\"collective\":\"broadcast\",\"root\":1,\"blocks\":1,\"block_bytes\":8,\"steps\":3,\"scheme\":\"x\"}"
    "\n"
    "{\"step\":1,\"src\":1,\"dst\":2,\"path\":[1,2],\"fiber\":0,\"wavelength\":0,\"block\":0}\n"
    "{\"step\":3,\"src\":1,\"dst\":3,\"path\":[1,3],\"fiber\":0,\"wavelength\":0,\"block\":0}\n",
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ocs\",\"nodes\":4,\"fibers\":2,\"wavelengths\":"
    "2,"
    "\"tuning\":9},\"collective\":\"gather\",\"root\":0,\"blocks\":4,\"block_bytes\":8,\"steps\":1,\"scheme\":\"x\"}\n"
    "{\"step\":1,\"src\":1,\"dst\":0,\"path\":[1,0],\"fiber\":0,\"wavelength\":0,\"block\":1}\n"
    "{\"step\":1,\"src\":2,\"dst\":0,\"path\":[2,0],\"fiber\":1,\"wavelength\":1,\"block\":2}\n",
};

static int rounds = 2000;

/** A number in the text becomes another; mostly a small one, sometimes one of the edges. */
static size_t change_number(char *text, size_t length, uint64_t *seed)
{
    static const char *const edges[] = {"4294967296", "-1", "1e3", "99999999999999999999", "3000", "65536"};
    size_t start = (size_t)base_random_below(seed, length), end;
    char value[24];
    while (start < length && (text[start] < '0' || text[start] > '9'))
        start++;
    for (end = start; end < length && text[end] >= '0' && text[end] <= '9';)
        end++;
    if (base_random_below(seed, 6) == 0)
        snprintf(value, sizeof value, "%s", edges[base_random_below(seed, 6)]);
    else
        snprintf(value, sizeof value, "%u", (unsigned)base_random_below(seed, 7));
    size_t with = strlen(value);
    memmove(text + start + with, text + end, length - end);
    memcpy(text + start, value, with);
    return length - (end - start) + with;
}

/** A line goes, or comes twice. */
static size_t change_line(char *text, size_t length, uint64_t *seed)
{
    char *first = memchr(text, '\n', length);
    char *end = first ? memchr(first + 1, '\n', length - (size_t)(first + 1 - text)) : NULL;
    size_t size = end ? (size_t)(end - first) : 0;
    if (size == 0)
        return length;
    if (base_random(seed) & 1) {
        memmove(first + 1, end + 1, length - (size_t)(end + 1 - text));
        return length - size;
    }
    memcpy(text + length, first + 1, size);
    return length + size;
}

static size_t damage(char *text, size_t length, uint64_t *seed)
{
    static const char alphabet[] = "{}[]\",:0123456789-.eabc\n\\\xC3\x01";
    size_t where = (size_t)base_random_below(seed, length);
    switch (base_random_below(seed, 8)) {
    case 0:
        text[where] = alphabet[base_random_below(seed, sizeof alphabet - 1)];
        return length;
    case 1:
        memmove(text + where, text + where + 1, length - where - 1);
        return length - 1;
    case 2:
        return change_line(text, length, seed);
    default:
        return change_number(text, length, seed);
    }
}

static void put_file(const char *path, const char *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fwrite(data, 1, size, f), size);
    CU_ASSERT_EQUAL(fclose(f), 0);
}

/** A file read whole gets the same verdict as one checked while it is read. */
static rwa_status judge_both_ways(const char *path)
{
    rwa_check_report streamed, whole;
    rwa_schedule *sched = NULL;
    rwa_error err = {0};
    rwa_status st = report_file(&streamed, path, NULL, &err);
    CU_ASSERT_TRUE(st == RWA_OK || ((st == RWA_FORMAT || st == RWA_NOMEM) && err.text[0] != '\0'));
    if (rwa_schedule_read(&sched, path, NULL, NULL) == RWA_OK && st == RWA_OK) {
        OK(report_schedule(&whole, sched, NULL, NULL));
        CU_ASSERT_EQUAL(streamed.violations, whole.violations);
        CU_ASSERT_EQUAL(streamed.lightpaths, whole.lightpaths);
    }
    rwa_schedule_free(sched);
    return st;
}

static void damaged_files_are_survived(void)
{
    char path[] = "/tmp/rwa-mutation-XXXXXX";
    uint64_t seed = 97;
    int judged = 0, refused = 0, fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    for (int round = 0; round < rounds; round++) {
        char text[4096];
        size_t length = strlen(seeds[round % 6]);
        memcpy(text, seeds[round % 6], length);
        for (uint64_t times = base_random_below(&seed, 4); times > 0; times--)
            length = damage(text, length, &seed);
        put_file(path, text, length);
        *(judge_both_ways(path) == RWA_OK ? &judged : &refused) += 1;
    }
    CU_ASSERT_TRUE(judged > rounds / 4 && refused > rounds / 10);
    unlink(path);
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? atoi(argv[1]) : rounds;
    return RUN_TESTS("mutations", damaged_files_are_survived);
}
