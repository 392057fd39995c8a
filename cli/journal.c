/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int cannot(const journal *j)
{
    return fail(EXIT_MACHINE, "%s: %s", j->path, strerror(errno));
}

static void take_line(const char *line, journal_line *take)
{
    char *end = NULL;
    unsigned long index = strtoul(line, &end, 10);
    if (end != line && *end == ',')
        take(index, end + 1);
}

/* Read the lines of an earlier run, which must have the same settings.  Set *kept to the number of bytes of its
 * complete lines. */
static int read_earlier(journal *j, const char *settings, journal_line *take, long *kept)
{
    char *line = NULL;
    size_t capacity = 0, size = strlen(settings);
    int code = 0;
    FILE *from = fdopen(dup(j->fd), "r");
    if (!from)
        return cannot(j);
    for (ssize_t length; code == 0 && (length = getline(&line, &capacity, from)) > 0 && line[length - 1] == '\n';
         *kept += length)
        if (*kept > 0)
            take_line(line, take);
        else if ((size_t)length != size + 1 || strncmp(line, settings, size) != 0)
            code =
                BAD_INPUT("%s is from a run with other settings, expected the same; remove it to start again", j->path);
    free(line);
    fclose(from);
    return code;
}

/* Lock the journal and return whether that succeeded.  A lock of this kind ends with the process, even if the process
 * is killed. */
static int lock_alone(const journal *j)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(j->fd, F_SETLK, &lock) == 0;
}

int journal_open(journal *j, const char *file, const char *settings, journal_line *take)
{
    size_t size = strlen(file) + sizeof ".part";
    long kept = 0;
    j->path = malloc(size);
    if (!j->path)
        return fail_memory();
    snprintf(j->path, size, "%s.part", file);
    j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->fd < 0)
        return cannot(j);
    int code = read_earlier(j, settings, take, &kept);
    if (code != 0)
        return code;
    if (!lock_alone(j))
        return BAD_INPUT("%s is in use by another run", j->path);
    if (ftruncate(j->fd, kept) != 0 || lseek(j->fd, kept, SEEK_SET) < 0 ||
        (kept == 0 && dprintf(j->fd, "%s\n", settings) < 0))
        return cannot(j);
    return 0;
}

int journal_add(journal *j, size_t index, const char *line)
{
    assert(j->fd >= 0 && strchr(line, '\n') == line + strlen(line) - 1);
    return dprintf(j->fd, "%zu,%s", index, line) < 0 ? -1 : 0;
}

void journal_close(journal *j, int done)
{
    if (j->fd >= 0)
        close(j->fd);
    if (done && j->path)
        unlink(j->path);
    free(j->path);
}
