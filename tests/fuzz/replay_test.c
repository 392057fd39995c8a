/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The seeds and the findings of fuzzing, replayed: tests/fuzz/corpus/READER/ and tests/fuzz/found/READER/.
 * Inputs are kept under any name; the reader sees them under the name it expects.
 */
#include "tests/fuzz/readers.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

#include <dirent.h>
#include <time.h>

enum { INPUT_MAX = 1 << 20 };

/* Seconds of processor for one small input, on a slow machine and under valgrind */
static const double slowest_s = 20;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void replay(const struct fuzz_reader *reader, const char *path)
{
    static char bytes[INPUT_MAX];
    FILE *stream = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    struct file file = file_make(reader->file, bytes, size);
    double begun = now_s();
    fuzz_read(reader, file.path);
    if (now_s() - begun > slowest_s)
        fprintf(stderr, "%s took %.1f s\n", path, now_s() - begun);
    CU_ASSERT_TRUE(now_s() - begun <= slowest_s);
    file_drop(&file);
}

/** Every file of a folder; how many there were. */
static size_t replay_folder(const struct fuzz_reader *reader, const char *which)
{
    char folder[512], path[1024];
    size_t count = 0;
    snprintf(folder, sizeof folder, RWA_TEST_DATA "/fuzz/%s/%s", which, reader->name);
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        replay(reader, path);
        count++;
    }
    if (dir)
        closedir(dir);
    return count;
}

static void every_reader_survives_what_was_found(void)
{
    for (size_t i = 0; i < FUZZ_READERS; i++)
        replay_folder(&fuzz_readers[i], "found");
}

/** Each reader starts from something: an input that no folder has is a reader that is not fuzzed well. */
static void every_reader_survives_its_seeds(void)
{
    for (size_t i = 0; i < FUZZ_READERS; i++)
        CU_ASSERT_TRUE(replay_folder(&fuzz_readers[i], "corpus") > 0);
}

TESTS("inputs of the fuzzers", every_reader_survives_what_was_found, every_reader_survives_its_seeds)
