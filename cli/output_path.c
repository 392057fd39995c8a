/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks options that name an output: a path that cannot be written is refused before any work is done. */
#include "option.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Write the folder of a path into folder[]; return 0 if it is too long, else 1. */
static int folder_of(char folder[PATH_MAX], const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') /* the name of a folder to make */
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length >= PATH_MAX)
        return 0;
    snprintf(folder, PATH_MAX, "%.*s", length > 0 ? (int)length : 2, length > 0 ? path : "./");
    return 1;
}

/* Return the reason why a path cannot be written, or NULL if it can.  Its folder must be writable, since an output is a
 * new file that is renamed to the path when it is complete.  Devices and pipes are written directly. */
static const char *why_unwritable(const char *path)
{
    char folder[PATH_MAX];
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return "a folder has this name already";
    if (exists && !S_ISREG(info.st_mode))
        return access(path, W_OK) == 0 ? NULL : strerror(errno);
    if (!folder_of(folder, path))
        return strerror(ENAMETOOLONG);
    return access(folder, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

int read_file(const option *opt, const char *value)
{
    if (!*value)
        return bad_value(opt, value, "the name of a file");
    const char *why = strcmp(value, "-") == 0 ? NULL : why_unwritable(value);
    if (why)
        return BAD_INPUT("--%s %s: cannot write: %s; expected a path that can be written", opt->name, value, why);
    return read_text(opt, value);
}
