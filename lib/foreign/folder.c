/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nftw() belongs to the X/Open part of POSIX. */
#define _XOPEN_SOURCE 700
#include "foreign/folder.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/** Bytes added to the name of the temporary folder, and to names within it. */
enum { SUFFIX = 16, INSIDE = 64 };

static rwa_status cannot(struct folder *f, int code)
{
    return base_fail(f->err, RWA_IO, "%s: cannot write: %s", f->path, strerror(code ? code : EIO));
}

static rwa_status take_names(struct folder *f)
{
    size_t length = strlen(f->path);
    while (length > 1 && f->path[length - 1] == '/')
        length--;
    f->target = base_array(length + 1, 1, f->err);
    char *name = base_array(length + SUFFIX, 1, f->err);
    if (!f->target || !name) {
        free(name);
        return RWA_NOMEM;
    }
    memcpy(f->target, f->path, length);
    snprintf(name, length + SUFFIX, "%s.tmp%08" PRIx32, f->target, (uint32_t)getpid());
    if (mkdir(name, 0777) != 0) {
        int code = errno;
        free(name);
        return cannot(f, code);
    }
    f->temporary = name;
    return RWA_OK;
}

rwa_status folder_open(struct folder *f, const char *path, rwa_error *err)
{
    struct stat info;
    *f = (struct folder){.path = path, .err = err};
    if (*path == '\0' || strcmp(path, "-") == 0)
        return base_fail(err, RWA_BADARG, "several documents cannot go to standard output, expected the name of a new folder");
    if (stat(path, &info) == 0)
        return base_fail(err, RWA_IO, "%s: exists already, expected the name of a new folder", path);
    return take_names(f);
}

static rwa_status write_whole(struct folder *f, const char *path, const char *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot(f, errno);
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            int code = n < 0 ? errno : ENOSPC;
            close(fd);
            return cannot(f, code);
        }
        data += n;
        size -= (size_t)n;
    }
    return close(fd) == 0 ? RWA_OK : cannot(f, errno);
}

rwa_status folder_add(struct folder *f, uint32_t step, uint32_t node, const char *data, size_t size)
{
    size_t capacity = strlen(f->temporary) + INSIDE;
    char *path = base_array(capacity, 1, f->err);
    rwa_status st = path ? RWA_OK : RWA_NOMEM;
    if (path && step != f->step) {
        snprintf(path, capacity, "%s/step-%" PRIu32, f->temporary, step);
        st = mkdir(path, 0777) == 0 ? RWA_OK : cannot(f, errno);
        f->step = step;
    }
    if (st == RWA_OK) {
        snprintf(path, capacity, "%s/step-%" PRIu32 "/n%" PRIu32 ".json", f->temporary, step, node);
        st = write_whole(f, path, data, size);
    }
    free(path);
    return st;
}

rwa_status folder_put(struct folder *f, const char *name, const char *data, size_t size)
{
    size_t capacity = strlen(f->temporary) + strlen(name) + 2;
    char *path = base_array(capacity, 1, f->err);
    MUST(path ? RWA_OK : RWA_NOMEM);
    snprintf(path, capacity, "%s/%s", f->temporary, name);
    rwa_status st = write_whole(f, path, data, size);
    free(path);
    return st;
}

rwa_status folder_finish(struct folder *f)
{
    if (rename(f->temporary, f->target) != 0)
        return cannot(f, errno);
    free(f->temporary);
    f->temporary = NULL;
    return RWA_OK;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

void folder_drop(struct folder *f)
{
    enum { DESCRIPTORS = 8 };
    if (f->temporary)
        nftw(f->temporary, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
    free_all(f->temporary, f->target);
    f->temporary = f->target = NULL;
}
