/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plot.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int plot_check(const char *path)
{
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".svg") == 0)
        return 0;
    return fail(EXIT_BAD_INPUT, "--plot %s: expected a file name that ends in .svg", path);
}

static int have_gnuplot(void)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/gnuplot", (int)length, path);
        if (access(file, X_OK) == 0)
            return 1;
        path += length + (path[length] == ':');
    }
    return 0;
}

/* gnuplot's single-quoted strings know one escape: a quote is doubled. */
static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', to);
        fputc(*text, to);
    }
    fputc('\'', to);
}

/* 0, or -1: gnuplot has said why. */
static int run_gnuplot(const char *file, const char *script, unsigned width, unsigned height)
{
    FILE *to = popen("exec gnuplot -", "w");
    if (to == NULL)
        return -1;
    fprintf(to, "set terminal svg size %u,%u font 'sans,12' background rgb 'white'\nset output ", width, height);
    put_quoted(to, file);
    fprintf(to, "\n%s\nunset output\n", script);
    int status = pclose(to);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && access(file, R_OK) == 0 ? 0 : -1;
}

int plot_draw(const char *path, const char *script, unsigned width, unsigned height)
{
    char temporary[PATH_MAX];
    if (!have_gnuplot())
        return fail(EXIT_MACHINE, "--plot %s: gnuplot is not installed; on Debian or Ubuntu: apt-get install gnuplot-nox", path);
    int length = snprintf(temporary, sizeof temporary, "%s.tmp%ld", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof temporary)
        return fail(EXIT_BAD_INPUT, "--plot: the file name is too long");
    errno = 0;
    if (run_gnuplot(temporary, script, width, height) == 0 && rename(temporary, path) == 0)
        return 0;
    const char *why = errno != 0 ? strerror(errno) : "gnuplot failed";
    unlink(temporary);
    return fail(EXIT_MACHINE, "--plot %s: cannot draw: %s", path, why);
}

static void put_value(FILE *to, int known, uint64_t value)
{
    if (known && value > 0)
        fprintf(to, " %" PRIu64, value);
    else
        fprintf(to, " ?");
}

static void bars(FILE *to, const row *rows, size_t count)
{
    fprintf(to, "$rows << END\n");
    for (size_t i = 0; i < count; i++) {
        const rwa_comparison *c = &rows[i].figures;
        fprintf(to, "%s", c->scheme);
        put_value(to, c->formula.known, c->formula.steps);
        put_value(to, 1, c->steps);
        put_value(to, c->steps > 0, c->bound.value);
        fputc('\n', to);
    }
    fprintf(to, "END\nset title \"%s on a %s of %" PRIu32 " nodes, %" PRIu32 " wavelengths\"\n",
            rwa_collective_name(rows[0].collective), rwa_network_kind_name(rows[0].kind), rows[0].nodes,
            rows[0].wavelengths * rows[0].fibers);
    fprintf(to, "set style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9\n"
                "set logscale y\nset yrange [0.8:*]\nset ylabel 'steps'\nset grid y\nset key top left\nset xtics rotate by -30\n"
                "set datafile missing '?'\n"
                "plot $rows using 2:xtic(1) title 'formula' linecolor rgb '#b0b0b0', "
                "'' using 3 title 'schedule' linecolor rgb '#1f77b4', "
                "'' using 4 title 'at least' linecolor rgb '#d62728'\n");
}

int plot_rows(const char *path, const row *rows, size_t count)
{
    char *script = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&script, &size);
    if (to == NULL)
        return fail(EXIT_MACHINE, "out of memory");
    bars(to, rows, count);
    int code = fclose(to) == 0 ? plot_draw(path, script, 800, 480) : fail(EXIT_MACHINE, "out of memory");
    free(script);
    return code;
}
