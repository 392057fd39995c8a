/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A folder that a test program makes for itself. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

static char dir[64];

static inline void folder_make(const char *name)
{
    snprintf(dir, sizeof dir, "/tmp/rwa-%s-XXXXXX", name);
    if (!mkdtemp(dir))
        exit(EXIT_FAILURE);
}

/** With all that is in it; whether that or the tests failed. */
static inline int folder_drop(int failed)
{
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) != 0 || failed;
}

/** main() of a test in such a folder; its name is that of the test. */
#define TESTS_IN_FOLDER(name, ...)                              \
    int main(void)                                              \
    {                                                           \
        folder_make(name);                                      \
        return folder_drop(RUN_TESTS(name, __VA_ARGS__));       \
    }

/** The path of a name in the folder; the last two stay valid. */
static inline const char *in_dir(const char *name)
{
    static char path[2][160];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}
