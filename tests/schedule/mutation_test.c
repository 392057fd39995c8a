/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedule files with damaged bytes and numbers: whatever stands in them, what fuzz/readers.h promises.
 *  Usage: mutation_test [ROUNDS]; run it long under the sanitizers. */
#include "tests/fuzz/readers.h"
#include "tests/support/files.h"
#include "tests/support/random.h"

/** Of the fuzzer: networks of every kind, with faults, members, taps, runs and orbits. */
static const char *const seeds[] = {"orbit", "line", "graph", "star", "ron", "ocs", "torus-orbit", "runs"};

static int rounds = 1000;

/** A number in the text becomes another; mostly a small one, sometimes one of the edges. */
static size_t change_number(char *text, size_t length)
{
    static const char *const edges[] = {"4294967296", "-1", "1e3", "99999999999999999999", "3000", "65536"};
    size_t start = any(length), end;
    char value[24];
    while (start < length && (text[start] < '0' || text[start] > '9'))
        start++;
    for (end = start; end < length && text[end] >= '0' && text[end] <= '9';)
        end++;
    if (any(6) == 0)
        snprintf(value, sizeof value, "%s", edges[any(6)]);
    else
        snprintf(value, sizeof value, "%u", (unsigned)any(7));
    size_t with = strlen(value);
    memmove(text + start + with, text + end, length - end);
    memcpy(text + start, value, with);
    return length - (end - start) + with;
}

/** A line goes, or comes twice. */
static size_t change_line(char *text, size_t length)
{
    char *first = memchr(text, '\n', length);
    char *end = first ? memchr(first + 1, '\n', length - (size_t)(first + 1 - text)) : NULL;
    size_t size = end ? (size_t)(end - first) : 0;
    if (size == 0)
        return length;
    if (any(2)) {
        memmove(first + 1, end + 1, length - (size_t)(end + 1 - text));
        return length - size;
    }
    memcpy(text + length, first + 1, size);
    return length + size;
}

static size_t damage(char *text, size_t length)
{
    static const char alphabet[] = "{}[]\",:0123456789-.eabc\n\\\xC3\x01";
    size_t where = any(length);
    switch (any(8)) {
    case 0:
        text[where] = alphabet[any(sizeof alphabet - 1)];
        return length;
    case 1:
        memmove(text + where, text + where + 1, length - where - 1);
        return length - 1;
    case 2:
        return change_line(text, length);
    default:
        return change_number(text, length);
    }
}

static void damaged_files_are_survived(void)
{
    const struct fuzz_reader *schedules = fuzz_find("schedule");
    int judged = 0, refused = 0;
    seed = 97;
    for (int round = 0; round < rounds; round++) {
        char path[512], text[4096];
        snprintf(path, sizeof path, RWA_TEST_DATA "/fuzz/corpus/schedule/%s.jsonl",
                 seeds[(size_t)round % COUNT(seeds)]);
        char *whole = text_of(path);
        size_t length = strlen(whole);
        CU_ASSERT_FATAL(2 * length < sizeof text);
        memcpy(text, whole, length);
        free(whole);
        for (uint64_t times = any(4); times > 0; times--)
            length = damage(text, length);
        struct file file = file_make("damaged.jsonl", text, length);
        *(fuzz_read(schedules, file.path) == RWA_OK ? &judged : &refused) += 1;
        file_drop(&file);
    }
    CU_ASSERT_TRUE(judged > rounds / 4 && refused > rounds / 10);
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? atoi(argv[1]) : rounds;
    return RUN_TESTS("mutations", damaged_files_are_survived);
}
