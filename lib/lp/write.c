/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lp/write.h"

#include <errno.h>

/** The place of the ending of a file name, its dot; the end of the name where it has none. */
static size_t ending_at(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - path) : strlen(path);
}

char *lp_file_name(const rwa_programs *programs, rwa_error *err)
{
    enum { NUMBER = 16 };
    size_t size = strlen(programs->path) + NUMBER, end = ending_at(programs->path);
    char *name = base_array(size, 1, err);
    if (!name)
        return NULL;
    if (programs->count == 0)
        snprintf(name, size, "%s", programs->path);
    else
        snprintf(name, size, "%.*s-%" PRIu32 "%s", (int)end, programs->path, programs->count + 1, programs->path + end);
    return name;
}

bool lp_is_mps(const char *path)
{
    return strcmp(path + ending_at(path), ".mps") == 0;
}

rwa_status lp_file_finish(const char *path, const char *temporary, bool written, rwa_error *err)
{
    if (written && rename(temporary, path) == 0)
        return RWA_OK;
    int code = errno;
    remove(temporary);
    return base_fail(err, RWA_IO, "%s: cannot write the integer program: %s", path, strerror(code ? code : EIO));
}
