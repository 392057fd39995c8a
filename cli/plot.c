/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes figures by other programs: curves and bars by gnuplot, PDF and PNG of SVG by rsvg-convert or Inkscape. */
#include "plot.h"

#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

int read_plot(const option *opt, const char *value)
{
    return ends_with(value, ".svg") ? read_file(opt, value) : bad_value(opt, value, "a file name that ends in .svg");
}

const char *plot_file;

static int is_installed(const char *program)
{
    return system(phrase("command -v %s > /dev/null 2>&1", program)) == 0;
}

int plot_needs(void)
{
    if (!plot_file || is_installed("gnuplot"))
        return 0;
    return fail(EXIT_MACHINE, "--plot %s: gnuplot is not installed; on Debian or Ubuntu: apt-get install gnuplot-nox",
                plot_file);
}

int figure_needs(const char *format, const char *path)
{
    if (is_installed("rsvg-convert") || is_installed("inkscape"))
        return 0;
    return BAD_INPUT("%s: %s needs rsvg-convert (Debian: librsvg2-bin) or inkscape, expected one of them, or .svg",
                     path, format);
}

/* Run the shell command `make`, which reads `text` and writes a temporary file, $RWA_FILE.  Rename this file to `path`,
 * or copy it there if `path` is a device or a pipe.  Return the exit code of the commands; -1: they cannot be started,
 * or the path is too long. */
static int run_program(const char *make, const char *text, const char *path)
{
    char temporary[PATH_MAX];
    const char *line = phrase(
        "{ { %s; } && if [ -e \"$RWA_PATH\" ] && [ ! -f \"$RWA_PATH\" ]; then cat \"$RWA_FILE\" > \"$RWA_PATH\"; "
        "else mv -f -- \"$RWA_FILE\" \"$RWA_PATH\"; fi; } 2> /dev/null",
        make);
    int length = snprintf(temporary, sizeof temporary, "%s.tmp%08lx", path, (unsigned long)getpid() & 0xFFFFFFFFu);
    if (length < 0 || (size_t)length >= sizeof temporary || setenv("RWA_FILE", temporary, 1) != 0 ||
        setenv("RWA_PATH", path, 1) != 0)
        return -1;
    FILE *to = popen(line, "w");
    if (!to)
        return -1;
    fputs(text, to);
    int status = pclose(to);
    unlink(temporary);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int plot_script(void (*script)(FILE *to), unsigned width, unsigned height)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return fail_memory();
    fprintf(to, "set terminal svg size %u,%u font 'sans,12' background rgb 'white'\n", width, height);
    script(to);
    if (fclose(to) != 0)
        return fail_memory();
    /* gnuplot does not report a full disk. */
    int code = run_program("gnuplot - > \"$RWA_FILE\" && grep -q '</svg>' \"$RWA_FILE\"", text, plot_file);
    free(text);
    return code == 0 ? 0 : fail(EXIT_MACHINE, "--plot %s: cannot draw: gnuplot failed", plot_file);
}

static const char *for_all;
static void (*put_panel)(FILE *to, size_t i);
static size_t panels;

static void panels_script(FILE *to)
{
    fprintf(to, "%sset multiplot layout %zu,%d\n", for_all, (panels + 1) / 2, panels > 1 ? 2 : 1);
    for (size_t i = 0; i < panels; i++)
        put_panel(to, i);
    fprintf(to, "unset multiplot\n");
}

int plot_panels(const char *all, void (*panel)(FILE *to, size_t i), size_t count, unsigned height, unsigned alone)
{
    for_all = all;
    put_panel = panel;
    panels = count;
    return panels > 1 ? plot_script(panels_script, 1200, height * (unsigned)((panels + 1) / 2))
                      : plot_script(panels_script, 800, alone);
}

int figure_write(const char *svg, const char *format, const char *path)
{
    const char *make = phrase(
        "if command -v rsvg-convert; then rsvg-convert --unlimited --background-color white -f %s -o \"$RWA_FILE\"; "
        "else inkscape --pipe --export-background white --export-type %s -o \"$RWA_FILE\"; fi > /dev/null",
        format, format);
    int code = run_program(make, svg, path);
    return code == 0 ? 0 : fail(EXIT_MACHINE, "%s: the program that makes %s of SVG failed", path, format);
}
