/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static char *path;      /* FILE.part; NULL: no journal is open */
static int fd;

static int cannot(void)
{
    return fail(EXIT_MACHINE, "%s: %s", path, strerror(errno));
}

static void take_line(const char *line, journal_line *take)
{
    char *end = NULL;
    unsigned long index = strtoul(line, &end, 10);
    if (end != line && *end == ',')
        take(index, end + 1);
}

/* Read the journal of an earlier run, whose first line must be `settings`, and pass each complete line after it to
 * take().  Add the bytes of all complete lines to *kept.  Return 0, or the exit code after an error message. */
static int read_earlier(const char *settings, journal_line *take, long *kept)
{
    static char *line;
    size_t capacity = 0, size = strlen(settings);
    FILE *from = fdopen(dup(fd), "r");
    if (!from)
        return cannot();
    for (ssize_t length; (length = getline(&line, &capacity, from)) > 0 && line[length - 1] == '\n'; *kept += length)
        if (*kept > 0)
            take_line(line, take);
        else if ((size_t)length != size + 1 || strncmp(line, settings, size) != 0)
            return BAD_INPUT("%s is from a run with other settings, expected the same; remove it to start again", path);
    fclose(from);
    return 0;
}

/* Lock the journal and return whether that succeeded.  A lock of this kind ends with the process, even if the process
 * is killed. */
static int lock_alone(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &lock) == 0;
}

int journal_open(const char *file, const char *settings, journal_line *take)
{
    long kept = 0;
    MUST(NEW(path, strlen(file) + sizeof ".part"));
    strcat(strcpy(path, file), ".part");
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot();
    MUST(read_earlier(settings, take, &kept));
    if (!lock_alone())
        return BAD_INPUT("%s is in use by another run", path);
    if (ftruncate(fd, kept) != 0 || lseek(fd, kept, SEEK_SET) < 0 || (kept == 0 && dprintf(fd, "%s\n", settings) < 0))
        return cannot();
    return 0;
}

int journal_add(size_t index, const char *line)
{
    assert(strchr(line, '\n') == line + strlen(line) - 1);
    return path && dprintf(fd, "%zu,%s", index, line) < 0 ? -1 : 0;
}

void journal_remove(void)
{
    if (path)
        unlink(path);
}
