/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writers of one target: what killed ones leave is removed, what live ones write is not. */
#include "base/sink.h"

#include "tests/support/files.h"
#include "tests/support/suite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[64];

/* In the place of the C library's: which files were synced, the folder's failure. */
static unsigned synced_files, synced_folders;
static bool renamed_first;      /* the target had its name when the folder was synced */
static int folder_errno;
static const char *watched;

int fsync(int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return -1;
    if (!S_ISDIR(info.st_mode)) {
        synced_files++;
        return 0;
    }
    synced_folders++;
    renamed_first = watched && access(watched, F_OK) == 0;
    errno = folder_errno;
    return folder_errno == 0 ? 0 : -1;
}

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void enter_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/rwa-sink-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

/** How many files the folder has; remove them and it. */
static unsigned leave_folder(void)
{
    unsigned count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (entry->d_name[0] != '.') {
            count++;
            unlink(path_of(entry->d_name));
        }
    if (list)
        closedir(list);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
    return count;
}

/** A process that has opened the target and written to it, and then waits. */
static pid_t start_writer(const char *path)
{
    int ready[2];
    char byte = 0;
    CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct sink s;
        bool opened = sink_open(&s, path, NULL) == RWA_OK && sink_write(&s, "half", 4) == RWA_OK;
        if (opened && write(ready[1], "x", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    close(ready[1]);
    CU_ASSERT_EQUAL(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

static void kill_writer(pid_t child)
{
    CU_ASSERT_EQUAL(kill(child, SIGKILL), 0);
    CU_ASSERT_EQUAL(waitpid(child, NULL, 0), child);
}

static void killed_writers_leave_nothing_to_the_next(void)
{
    static const char *const names[] = {"plan.jsonl", "plan.jsonl.gz"};
    for (size_t i = 0; i < 2; i++) {
        enter_folder();
        for (int round = 0; round < 3; round++)
            kill_writer(start_writer(path_of(names[i])));
        OK(base_save(path_of(names[i]), "whole", 5, NULL));
        CU_ASSERT_EQUAL(leave_folder(), 1);
    }
}

/* A writer that lives keeps its temporary while others of its target come and go, in other processes and in its own. */
static void live_writers_keep_their_temporaries(void)
{
    struct sink a, b;
    char text[16] = "";
    enter_folder();
    pid_t child = start_writer(path_of("plan.jsonl"));
    char *path = strdup(path_of("plan.jsonl"));
    OK(sink_open(&a, path, NULL));
    OK(sink_open(&b, path, NULL));
    OK(sink_write(&a, "first", 5));
    OK(sink_write(&b, "second", 6));
    OK(sink_finish(&b));
    sink_drop(&b);
    OK(base_save(path, "third", 5, NULL));
    CU_ASSERT_EQUAL(access(a.temporary, F_OK), 0);
    OK(sink_finish(&a));
    sink_drop(&a);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof text, file));
    CU_ASSERT_STRING_EQUAL(text, "first");
    fclose(file);
    free(path);
    kill_writer(child);
    CU_ASSERT_EQUAL(leave_folder(), 2); /* the file, and what the child had begun */
}

/* Other targets' temporaries, and files that only resemble one, are not the writer's to remove. */
static void files_of_others_stay(void)
{
    static const char *const others[] = {"plan.jsonl.rwatmpabc", "plan.jsonl.rwatmpabcdefg", "plan.jsonl.rwatmpABCDEF",
                                         "plan.jsonl.tmpabcdef", "aplan.jsonl.rwatmpabcdef", "plan.rwatmpabcdef"};
    enum { OTHERS = COUNT(others) };
    enter_folder();
    for (size_t i = 0; i < OTHERS; i++)
        file_write(path_of(others[i]), "mine", 4);
    CU_ASSERT_EQUAL(mkdir(path_of("plan.jsonl.rwatmpfolder"), 0777), 0);
    CU_ASSERT_EQUAL(mkfifo(path_of("plan.jsonl.rwatmpapipe0"), 0666), 0);
    CU_ASSERT_EQUAL(symlink(others[0], path_of("plan.jsonl.rwatmpalink0")), 0);
    OK(base_save(path_of("plan.jsonl"), "whole", 5, NULL));
    CU_ASSERT_EQUAL(rmdir(path_of("plan.jsonl.rwatmpfolder")), 0);
    CU_ASSERT_EQUAL(leave_folder(), OTHERS + 3);
}

/* A file system that cannot sync a folder (EINVAL) writes files nevertheless. */
static void the_folder_is_synced_after_the_rename(void)
{
    static const struct { int code; rwa_status status; } cases[] = {{0, RWA_OK}, {EINVAL, RWA_OK}, {EIO, RWA_IO}};
    char path[512];
    for (size_t i = 0; i < COUNT(cases); i++) {
        enter_folder();
        snprintf(path, sizeof path, "%s", path_of("plan.jsonl"));
        watched = path;
        synced_files = synced_folders = 0;
        folder_errno = cases[i].code;
        CU_ASSERT_EQUAL(base_save(path, "whole", 5, NULL), cases[i].status);
        CU_ASSERT(synced_files == 1 && synced_folders == 1 && renamed_first);
        CU_ASSERT_EQUAL(leave_folder(), 1);
    }
    folder_errno = 0;
    watched = NULL;
}

TESTS("writers of files", killed_writers_leave_nothing_to_the_next, live_writers_keep_their_temporaries,
      files_of_others_stay, the_folder_is_synced_after_the_rename)
