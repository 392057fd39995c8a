/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "figure.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The program was not found. */
enum { NOT_FOUND = 127 };

/* A program that reads SVG from standard input and writes a file. */
typedef struct converter { const char *name, *arguments[10]; } converter;

static void fill(char **to, const converter *c, const char *format, const char *path)
{
    size_t n = 0;
    for (; c->arguments[n] != NULL; n++) {
        const char *word = c->arguments[n];
        to[n] = (char *)(strcmp(word, "FORMAT") == 0 ? format : strcmp(word, "FILE") == 0 ? path : word);
    }
    to[n] = NULL;
}

/* In the child: standard input from the pipe, nothing on standard output. */
static void become(const converter *c, const char *format, const char *path, const int *ends)
{
    char *words[10];
    int null = open("/dev/null", O_WRONLY);
    dup2(ends[0], STDIN_FILENO);
    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    fill(words, c, format, path);
    execvp(c->name, words);
    _exit(NOT_FOUND);
}

static void feed(int to, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t n = write(to, text, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* its exit code says why it does not read */
        text += n;
        left -= (size_t)n;
    }
}

/* The exit code of the program, NOT_FOUND where there is none of that name; -1: it cannot be started. */
static int convert(const converter *c, const char *svg, const char *format, const char *path)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return -1;
    void (*former)(int) = signal(SIGPIPE, SIG_IGN);
    pid_t child = fork();
    if (child == 0)
        become(c, format, path, ends);
    close(ends[0]);
    if (child > 0)
        feed(ends[1], svg);
    close(ends[1]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGPIPE, former);
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int figure_write(const char *svg, const char *format, const char *path)
{
    static const converter converters[] = {
        {"rsvg-convert", {"rsvg-convert", "--unlimited", "--background-color", "white", "-f", "FORMAT", "-o", "FILE", NULL}},
        {"inkscape", {"inkscape", "--pipe", "--export-background", "white", "--export-type", "FORMAT", "-o", "FILE", NULL}}};
    size_t size = strlen(path) + 16;
    char *temporary = malloc(size);
    int code = NOT_FOUND;
    if (temporary == NULL)
        return fail_memory();
    snprintf(temporary, size, "%s.tmp%08lx", path, (unsigned long)getpid() & 0xFFFFFFFFu);
    for (size_t i = 0; code == NOT_FOUND && i < sizeof converters / sizeof *converters; i++)
        code = convert(&converters[i], svg, format, temporary);
    int answer = EXIT_YES;
    if (code == NOT_FOUND)
        answer = fail(EXIT_BAD_INPUT, "%s: %s needs rsvg-convert (Debian: librsvg2-bin) or inkscape, expected one of them, or .svg", path,
                      format);
    else if (code != 0)
        answer = fail(EXIT_MACHINE, "%s: the program that makes %s of SVG failed", path, format);
    else if (rename(temporary, path) != 0)
        answer = fail(EXIT_MACHINE, "%s: cannot write: %s", path, strerror(errno));
    unlink(temporary);
    free(temporary);
    return answer;
}
