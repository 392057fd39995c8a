/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The whole command on words from a fuzzer, in a process of its own, since a process runs one command.  Takes the place
 * of cli/progress.c: what goes on for too long is stopped as by a signal, and there is no terminal.
 */
#include "tests/fuzz/command.h"

#include "cli/cli.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 24, LINE = 512 };

int rwa_main(int argc, char **argv);    /* cli/main.c */

static double begun_s;

double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void signals_install(void)
{
}

int signals_asked(void)
{
    return clock_s() > begun_s + 0.2;
}

int poll_progress(void *data, const char *phase, double fraction)
{
    (void)data;
    (void)phase;
    (void)fraction;
    return signals_asked();
}

void progress_bar(size_t done, size_t all, double fraction, double begin_s)
{
    (void)done;
    (void)all;
    (void)fraction;
    (void)begin_s;
}

void progress_clear(void)
{
}

/** Numbers that promise nodes by the million; much larger ones are refused at once, and welcome. */
static int asks_too_much(const char *word)
{
    int steep = strstr(word, "cube") || strstr(word, "tree:");
    unsigned long product = 1;
    for (const char *p = word; *p;) {
        size_t digits = strspn(p, "0123456789");
        if (digits > 3 && digits < 11)
            return 1;
        if (digits > 0 && digits <= 3)
            product *= 1 + strtoul(p, NULL, 10);
        if (product > (steep ? 70u : 1500u))
            return 1;
        p += digits ? digits : 1;
    }
    return 0;
}

static int is_barred(const char *word)
{
    return strncmp(word, "-o", 2) == 0 || strncmp(word, "--o", 3) == 0 || strncmp(word, "--pl", 4) == 0 ||
           strchr(word, '/') != NULL || asks_too_much(word);
}

int fuzz_command(const uint8_t *data, size_t size)
{
    char line[LINE + 1], name[] = "rwa", *words[WORDS + 2] = {name};
    int count = 1, status = 0;
    if (size > LINE || memchr(data, '\0', size))
        return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    for (char *rest = line, *word; count <= WORDS && (word = strtok_r(rest, "\n", &rest)); words[count++] = word)
        if (is_barred(word))
            return 0;
    words[count] = NULL;
    begun_s = clock_s();
    pid_t child = fork();
    if (child == 0)
        _exit(rwa_main(count, words));
    if (child > 0 && (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) > EXIT_MACHINE))
        abort();
    return 0;
}
