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

/* Tell whether a path has the ending of a picture or page, but the option writes data. */
static bool is_drawing(const option *opt, const char *path)
{
    const char *end = strrchr(path, '.');
    return end && strcmp(opt->argument, "FILE") == 0 && is_among(end, strlen(end), ".svg .pdf .png .html .htm");
}

int read_file(const option *opt, const char *value)
{
    if (!*value)
        return bad_value(opt, value, "the name of a file");
    if (is_drawing(opt, value))
        return BAD_INPUT("--%s %s: rwa %s writes no drawing there; rwa show FILE -o %s draws a schedule or "
                         "assignment", opt->name, value, args.command->name, value);
    const char *why = strcmp(value, "-") == 0 ? NULL : why_unwritable(value);
    if (why)
        return BAD_INPUT("--%s %s: cannot write: %s; expected a path that can be written", opt->name, value, why);
    return read_text(opt, value);
}
