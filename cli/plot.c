/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plot.h"

#include <errno.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

int read_plot(void *to, const option *opt, const char *value)
{
    size_t length = strlen(value);
    if (length > 4 && strcmp(value + length - 4, ".svg") == 0)
        return read_file(to, opt, value);
    return bad_value(opt, value, "a file name that ends in .svg");
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

/* gnuplot's drawing into a file that is there; 0, or -1. */
static int run_gnuplot(const char *file, const char *script, unsigned width, unsigned height)
{
    FILE *to = popen("exec gnuplot - 2>/dev/null", "w");
    if (to == NULL)
        return -1;
    fprintf(to, "set terminal svg size %u,%u font 'sans,12' background rgb 'white'\nset output ", width, height);
    print_quoted(to, file, '\'');
    fprintf(to, "\n%s\nunset output\n", script);
    int status = pclose(to);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* The rest of a stream as a text; NULL with errno. */
static char *read_all(FILE *from)
{
    char *text = NULL, buffer[4096];
    size_t size = 0, n;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return NULL;
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, n, to);
    int failed = ferror(from) != 0;
    if (fclose(to) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

/* The drawing; NULL with errno, 0 when gnuplot failed. */
static char *draw(const char *script, unsigned width, unsigned height)
{
    const char *folder = getenv("TMPDIR");
    char file[PATH_MAX], *text = NULL;
    snprintf(file, sizeof file, "%.*s/rwa-plot-XXXXXX", (int)sizeof file - 32, folder != NULL && *folder != '\0' ? folder : "/tmp");
    int fd = mkstemp(file);
    FILE *from = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (from == NULL) {
        if (fd >= 0) {
            close(fd);
            unlink(file);
        }
        return NULL;
    }
    errno = 0;
    if (run_gnuplot(file, script, width, height) == 0) {
        text = read_all(from);  /* gnuplot wrote into this file, it did not replace it */
        if (text != NULL && strstr(text, "</svg>") == NULL) {
            free(text);
            text = NULL;
        }
    }
    fclose(from);
    unlink(file);
    return text;
}

static int draw_text(const char *path, const char *script, unsigned width, unsigned height)
{
    rwa_error err = {0};
    if (!have_gnuplot())
        return fail(EXIT_MACHINE, "--plot %s: gnuplot is not installed; on Debian or Ubuntu: apt-get install gnuplot-nox", path);
    char *text = draw(script, width, height);
    if (text == NULL)
        return fail(EXIT_MACHINE, "--plot %s: cannot draw: %s", path, errno != 0 ? strerror(errno) : "gnuplot failed");
    rwa_status status = rwa_text_write(text, path, &err);
    free(text);
    return status == RWA_OK ? 0 : fail_status(status, &err, 1);
}

static void put_value(FILE *to, int known, uint64_t value)
{
    if (known && value > 0)
        fprintf(to, " %" PRIu64, value);
    else
        fprintf(to, " ?");
}

struct rows {
    const row *rows;
    size_t count;
};

static void bars(FILE *to, const void *data)
{
    const row *rows = ((const struct rows *)data)->rows;
    size_t count = ((const struct rows *)data)->count;
    fprintf(to, "$rows << END\n");
    for (size_t i = 0; i < count; i++) {
        const rwa_comparison *c = &rows[i].figures;
        fprintf(to, "%s", c->scheme);
        put_value(to, c->formula.known, c->formula.steps);
        put_value(to, 1, c->steps);
        put_value(to, c->steps > 0, c->bound.value);
        fputc('\n', to);
    }
    fprintf(to, "END\nset title \"%s on a %s of %" PRIu32 " nodes, %" PRIu32 " wavelength%s\"\n",
            rwa_collective_name(rows[0].collective), rwa_topology_name(rows[0].kind), rows[0].nodes,
            rows[0].wavelengths * rows[0].fibers, plural(rows[0].wavelengths * rows[0].fibers));
    fprintf(to, "set style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9\n"
                "set logscale y\nset yrange [0.8:*]\nset ylabel 'steps'\nset grid y\nset key top left\nset xtics rotate by -30\n"
                "set datafile missing '?'\n"
                "plot $rows using 2:xtic(1) title 'formula' linecolor rgb '#b0b0b0', "
                "'' using 3 title 'schedule' linecolor rgb '#1f77b4', "
                "'' using 4 title 'lower bound' linecolor rgb '#d62728'\n");
}

int plot_script(const char *path, plot_writer *script, const void *data, unsigned width, unsigned height)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return fail_memory();
    script(to, data);
    int code = fclose(to) == 0 ? draw_text(path, text, width, height) : fail_memory();
    free(text);
    return code;
}

int plot_rows(const char *path, const row *rows, size_t count)
{
    assert(count > 0);
    struct rows data = {rows, count};
    return plot_script(path, bars, &data, 800, 480);
}

/* ---- sweeps ---- */

/* The columns of row_csv() that are drawn; none before them is quoted. */
typedef struct point { uint32_t nodes, wavelengths; char scheme[64]; unsigned long steps, bound; } point;

static int read_point(point *p, const char *line)
{
    char field[11][64] = {{0}};
    for (size_t i = 0; i < 11; i++) {
        size_t length = strcspn(line, ",");
        snprintf(field[i], sizeof field[i], "%.*s", length < 64 ? (int)length : 63, line);
        line += length + (line[length] == ',');
    }
    *p = (point){.nodes = (uint32_t)strtoul(field[2], NULL, 10), .wavelengths = (uint32_t)strtoul(field[3], NULL, 10),
                 .steps = strtoul(field[8], NULL, 10), .bound = strtoul(field[9], NULL, 10)};
    memcpy(p->scheme, field[5], sizeof p->scheme);
    return p->steps > 0;
}

struct sweep_lines {
    char *const *lines;
    size_t count;
    const count_list *nodes, *wavelengths;
};

static void sweep_points(FILE *to, const struct sweep_lines *s, const char *scheme, uint32_t wavelengths, int bound)
{
    int by_nodes = s->nodes->count > 1;
    uint32_t last = 0;
    for (size_t i = 0; i < s->count; i++) {
        point p;
        if (!read_point(&p, s->lines[i]) || (scheme != NULL && strcmp(p.scheme, scheme) != 0) || (by_nodes && p.wavelengths != wavelengths))
            continue;
        uint32_t x = by_nodes ? p.nodes : p.wavelengths;
        unsigned long y = bound ? p.bound : p.steps;
        if (y > 0 && x != last)
            fprintf(to, "%" PRIu32 " %lu\n", x, y);
        last = x;
    }
    fprintf(to, "END\n");
}

/* The names in the order of their first line; how many. */
static size_t sweep_schemes(char names[][64], const struct sweep_lines *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count && count < SCHEMES_MAX; i++) {
        size_t k = 0;
        point p;
        if (!read_point(&p, s->lines[i]))
            continue;
        while (k < count && strcmp(names[k], p.scheme) != 0)
            k++;
        if (k == count)
            memcpy(names[count++], p.scheme, sizeof p.scheme);
    }
    return count;
}

static void sweep_panel(FILE *to, const struct sweep_lines *s, uint32_t wavelengths, size_t panel)
{
    static char names[SCHEMES_MAX][64];
    size_t count = sweep_schemes(names, s);
    for (size_t k = 0; k < count; k++) {
        fprintf(to, "$p%zu_%zu << END\n", panel, k);
        sweep_points(to, s, names[k], wavelengths, 0);
    }
    fprintf(to, "$b%zu << END\n", panel);
    sweep_points(to, s, NULL, wavelengths, 1);
    if (s->nodes->count > 1)
        fprintf(to, "set title '%" PRIu32 " wavelengths'\nset xlabel 'nodes'\n", wavelengths);
    else
        fprintf(to, "set title '%" PRIu32 " nodes'\nset xlabel 'wavelengths'\n", s->nodes->values[0]);
    fprintf(to, "plot ");
    for (size_t k = 0; k < count; k++)
        fprintf(to, "$p%zu_%zu using 1:2 with linespoints linewidth 2 pointtype 7 title '%s', ", panel, k, names[k]);
    fprintf(to, "$b%zu using 1:2 with lines dashtype 2 linewidth 2 linecolor rgb 'black' title 'lower bound'\n", panel);
}

static size_t sweep_panels(const struct sweep_lines *s)
{
    return s->nodes->count > 1 ? s->wavelengths->count : 1;
}

static void sweep_script(FILE *to, const void *data)
{
    const struct sweep_lines *s = data;
    size_t panels = sweep_panels(s), columns = panels < 2 ? panels : 2;
    fprintf(to, "set logscale x 2\nset logscale y\nset grid\nset ylabel 'steps'\nset key top left\n"
                "set multiplot layout %zu,%zu\n", (panels + columns - 1) / columns, columns);
    for (size_t i = 0; i < panels; i++)
        sweep_panel(to, s, s->wavelengths->values[i], i);
    fprintf(to, "unset multiplot\n");
}

int plot_sweep(const char *path, char *const *lines, size_t count, const count_list *nodes, const count_list *wavelengths)
{
    struct sweep_lines data = {lines, count, nodes, wavelengths};
    size_t panels = sweep_panels(&data);
    unsigned high = (unsigned)((panels + 1) / 2);
    return plot_script(path, sweep_script, &data, panels > 1 ? 1200 : 800, panels > 1 ? 400 * high : 480);
}
