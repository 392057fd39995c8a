/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/folder.h"

#include "base/base.h"
#include "base/text.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static rwa_status cannot(const struct folder *f, int code)
{
    return base_fail(f->err, RWA_IO, "%s: cannot write: %s", f->path, strerror(code ? code : EIO));
}

rwa_status folder_open(struct folder *f, const char *path, rwa_error *err)
{
    struct stat info;
    *f = (struct folder){.path = path, .err = err};
    if (*path == '\0' || strcmp(path, "-") == 0)
        return base_refuse(err, "several documents cannot go to standard output, expected the name of a new folder");
    if (lstat(path, &info) == 0)
        return base_refuse(err, "%s: exists already, expected the name of a new folder", path);
    if (!(f->target = base_copy_text(path, err)))
        return RWA_NOMEM;
    for (char *end = f->target + strlen(path) - 1; end > f->target && *end == '/'; end--)
        *end = '\0';
    struct text name = {.err = err};
    text_add(&name, "%s.tmp%08" PRIx32, f->target, (uint32_t)getpid());
    char *temporary = NULL;
    MUST(text_finish(&name, &temporary));
    if (mkdir(temporary, 0777) != 0) {
        int code = errno;
        free(temporary);
        return cannot(f, code);
    }
    f->temporary = temporary;
    return RWA_OK;
}

/** Write `size` bytes of data to the file `path`, which must not exist yet.  f: for the error */
static rwa_status write_new(const struct folder *f, const char *path, const char *data, size_t size)
{
    FILE *file = fopen(path, "wx");
    if (!file)
        return cannot(f, errno);
    errno = 0;
    bool whole = fwrite(data, 1, size, file) == size;
    int code = errno;
    return fclose(file) == 0 && whole ? RWA_OK : cannot(f, code ? code : errno);
}

rwa_status folder_put(struct folder *f, const char *name, const char *data, size_t size)
{
    struct text built = {.err = f->err};
    char *path = NULL;
    text_add(&built, "%s/%s", f->temporary, name);
    MUST(text_finish(&built, &path));
    char *slash = strrchr(path, '/');
    *slash = '\0';
    rwa_status st = mkdir(path, 0777) == 0 || errno == EEXIST ? RWA_OK : cannot(f, errno);
    *slash = '/';
    if (st == RWA_OK)
        st = write_new(f, path, data, size);
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
