/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plot.h"

static const rwa_paper *paper;

static const rwa_paper_row *at(size_t i)
{
    return rwa_paper_get(paper, i);
}

/* Return the row after the last one of the panel that begins at row `first`. */
static size_t panel_end(size_t first)
{
    size_t end = first;
    while (end < rwa_paper_rows(paper) && strcmp(at(end)->item, at(first)->item) == 0)
        end++;
    return end;
}

static size_t curve_end(size_t first, size_t end)
{
    size_t i = first;
    while (i < end && strcmp(at(i)->row, at(first)->row) == 0)
        i++;
    return i;
}

/* Write the points of a curve as data for gnuplot: x, formula, schedule. */
static void put_points(FILE *to, size_t first, size_t end, size_t curve)
{
    fprintf(to, "$c%zu << END\n", curve);
    for (size_t i = first; i < end; i++) {
        const rwa_paper_row *r = at(i);
        fprintf(to, "%.9g %.9g ", r->x, r->formula);
        fprintf(to, isfinite(r->schedule) ? "%.9g\n" : "?\n", r->schedule);
    }
    fprintf(to, "END\n");
}

static void put_axes(FILE *to, size_t first, size_t end)
{
    const char *column = at(first)->column;
    const char *label = strstr(column, "MB") ? "message, MB" : *column == 'k' ? "depth k" : "nodes";
    double last = at(end - 1)->x;
    fprintf(to, "set title '%s'\nset xlabel '%s'\n", at(first)->item, label);
    fprintf(to, last >= 8 * at(first)->x && *column != 'k' ? "set logscale x 2\n" : "unset logscale x\n");
    /* A little beyond the last tick, which rounding of logarithms could put outside. */
    fprintf(to, "set xrange [%.9g:%.9g]\nset xtics (", at(first)->x, last * 1.0001);
    for (size_t i = first, stop = curve_end(first, end); i < stop; i++)
        fprintf(to, "%.9g%s", at(i)->x, i + 1 < stop ? ", " : ")\n");
}

static void put_panel(FILE *to, size_t panel)
{
    size_t curves = 0, first = 0;
    while (panel-- > 0)
        first = panel_end(first);
    size_t end = panel_end(first);
    for (size_t i = first, next; i < end; i = next) {
        next = curve_end(i, end);
        put_points(to, i, next, curves++);
    }
    put_axes(to, first, end);
    fprintf(to, "plot ");
    size_t at_row = first;
    for (size_t k = 0; k < curves; k++) {
        fprintf(to, "$c%zu using 1:2 with lines linewidth 2 linetype %zu title '%s', ", k, k + 1,
                at(at_row)->row);
        fprintf(to, "$c%zu using 1:3 with points pointtype 6 linewidth 2 linetype %zu notitle%s", k, k + 1,
                k + 1 < curves ? ", " : "\n");
        at_row = curve_end(at_row, end);
    }
}

int plot_paper(const char *path, const rwa_paper *of)
{
    size_t panels = 0;
    paper = of;
    for (size_t i = 0; i < rwa_paper_rows(paper); i = panel_end(i))
        panels++;
    return plot_panels(path,
                       "set datafile missing '?'\nset logscale y\nset grid\nset key outside bottom center horizontal\n"
                       "set ylabel 'normalised; lines: formula, circles: schedule'\n",
                       put_panel, panels, 420, 520);
}
