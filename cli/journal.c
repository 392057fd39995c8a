/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "journal.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int cannot(const journal *j)
{
    return fail(EXIT_MACHINE, "%s: %s", j->path, strerror(errno));
}

static int write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        text += n;
        size -= (size_t)n;
    }
    return 0;
}

/* "INDEX,TEXT" of an earlier run. */
static void take_line(char *line, char **lines, size_t count)
{
    char *end = NULL;
    unsigned long index = strtoul(line, &end, 10);
    if (end != line && *end == ',' && index < count && lines[index] == NULL)
        lines[index] = strdup(end + 1);
}

/* The lines of an earlier run; *kept: the bytes of its complete lines. */
static int read_earlier(journal *j, const char *settings, char **lines, size_t count, long *kept)
{
    char *line = NULL;
    size_t capacity = 0, number = 0;
    int code = 0;
    FILE *from = fdopen(dup(j->fd), "r");
    if (from == NULL)
        return cannot(j);
    *kept = 0;
    for (ssize_t length; code == 0 && (length = getline(&line, &capacity, from)) > 0 && line[length - 1] == '\n'; number++) {
        line[length - 1] = '\0';
        if (number > 0)
            take_line(line, lines, count);
        else if (strcmp(line, settings) != 0)
            code = fail(EXIT_BAD_INPUT, "%s is from a run with other settings, expected the same; remove it to start again", j->path);
        *kept += length;
    }
    free(line);
    fclose(from);
    return code;
}

/* Locks of this kind end with the process, even when it is killed. */
static int lock_alone(const journal *j)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(j->fd, F_SETLK, &lock) == 0;
}

int journal_open(journal *j, const char *file, const char *settings, char **lines, size_t count)
{
    size_t length = strlen(file);
    long kept = 0;
    j->fd = -1;
    j->path = malloc(length + sizeof ".part");
    if (j->path == NULL)
        return fail_memory();
    memcpy(j->path, file, length);
    memcpy(j->path + length, ".part", sizeof ".part");
    j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->fd < 0)
        return cannot(j);
    int code = read_earlier(j, settings, lines, count, &kept);
    if (code != 0)
        return code;
    if (!lock_alone(j))
        return fail(EXIT_BAD_INPUT, "%s is in use by another run", j->path);
    if (ftruncate(j->fd, kept) != 0 || lseek(j->fd, kept, SEEK_SET) < 0)
        return cannot(j);
    if (kept == 0 && (write_all(j->fd, settings, strlen(settings)) != 0 || write_all(j->fd, "\n", 1) != 0))
        return cannot(j);
    return 0;
}

int journal_add(journal *j, size_t index, const char *text)
{
    char number[32];
    assert(j->fd >= 0 && strchr(text, '\n') == NULL);
    size_t length = strlen(text);
    int digits = snprintf(number, sizeof number, "%zu,", index);
    char *line = malloc((size_t)digits + length + 1);
    if (line == NULL)
        return -1;
    memcpy(line, number, (size_t)digits);
    memcpy(line + digits, text, length);
    line[(size_t)digits + length] = '\n';
    int failed = write_all(j->fd, line, (size_t)digits + length + 1);   /* in one call: a kill leaves it whole, or cut */
    free(line);
    return failed;
}

void journal_close(journal *j, int done)
{
    if (j->fd >= 0)
        close(j->fd);
    if (done && j->path != NULL)
        unlink(j->path);
    free(j->path);
    j->path = NULL;
    j->fd = -1;
}
