/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Entry of libFuzzer and AFL++: fuzz --reader=NAME [the engine's options] [FILES] */
#include "tests/fuzz/command.h"
#include "tests/fuzz/readers.h"
#include "tests/support/schedule_mutator.h"

#include <fcntl.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static const struct fuzz_reader *reader;    /* NULL: the command line */
static char folder[64], path[128];
static int input = -1;

static void clean_up(void)
{
    unlink(path);
    rmdir(folder);
}

/** The reader's name, removed from the words: AFL++ takes each word for a file. */
static const char *take_name(int *argc, char **argv)
{
    const char *name = NULL;
    int kept = 1;
    for (int i = 1; i < *argc; i++)
        if (strncmp(argv[i], "--reader=", 9) == 0)
            name = argv[i] + 9;
        else
            argv[kept++] = argv[i];
    argv[*argc = kept] = NULL;
    return name;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = take_name(argc, *argv);
    reader = name ? fuzz_find(name) : NULL;
    if (!reader && (!name || strcmp(name, "command") != 0)) {
        fprintf(stderr, "fuzz: --reader=NAME, command or one of\n");
        for (size_t i = 0; i < FUZZ_READERS; i++)
            fprintf(stderr, "  %s\n", fuzz_readers[i].name);
        exit(2);
    }
    if (reader) {
        /* Where files cost no disk. */
        snprintf(folder, sizeof folder, "%s/rwa-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        FUZZ_EXPECT(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/%s", folder, reader->file);
        input = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        FUZZ_EXPECT(input >= 0);
        atexit(clean_up);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!reader)
        return fuzz_command(data, size);
    FUZZ_EXPECT(ftruncate(input, 0) == 0 && pwrite(input, data, size, 0) == (ssize_t)size);
    fuzz_read(reader, path);
    return 0;
}

/** libFuzzer's own changes, for schedules half of the time those of meaning.  AFL++ takes them from
 *  schedule_mutator.so. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t state = seed;
    bool schedule = reader && strcmp(reader->name, "schedule") == 0;
    if (!schedule || base_random_below(&state, 2) == 0)
        return LLVMFuzzerMutate(data, size, most);
    return mutate_schedule((char *)data, size, most, &state);
}
