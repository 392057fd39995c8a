/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws figures with the help of other programs. */
#pragma once

#include "rows.h"

/* The result of simulated traffic at one load. */
typedef struct traffic_point {
    rwa_routing routing;
    rwa_policy policy;
    rwa_blocking seen;
} traffic_point;

/* Reads the value of --plot, a path that ends in .svg. */
option_reader read_plot;
/* Check, before the work, that the programs are installed which plot_script() and figure_write() run.  Return 0,
 * also without a path, or the exit code after a message that names the missing one: EXIT_MACHINE, or EXIT_BAD_INPUT
 * for a figure, which could be SVG instead. */
int plot_needs(const char *path);
int figure_needs(const char *format, const char *path);

/* Run gnuplot on the commands that script(to) writes (all but terminal and output); the drawing is a file that
 * appears whole or not at all.  Return 0, or EXIT_MACHINE after one line on standard error. */
int plot_script(const char *path, void (*script)(FILE *to), unsigned width, unsigned height);
/* Do so for a figure of panels, two in a row of `height`, or one of height `alone`: by the commands for all of them,
 * then those that panel(to, i) writes for panel i. */
int plot_panels(const char *path, const char *all, void (*panel)(FILE *to, size_t i), size_t panels, unsigned height,
                unsigned alone);

/* Write an SVG text as a file in a format, "pdf" or "png", by rsvg-convert or Inkscape, whichever is installed; the
 * file appears whole or not at all.  Return 0, or the exit code after a message. */
int figure_write(const char *svg, const char *format, const char *path);

/* Draw the steps of schemes in one setting as bars: formula, schedule, bound.  Return 0 or the exit code. */
int plot_rows(const char *path, const row *rows, size_t count);

/* A row of a sweep.  steps 0: no schedule. */
typedef struct sweep_row {
    uint32_t nodes, wavelengths;
    const char *scheme;
    unsigned long steps, bound;
} sweep_row;

/* Draw steps over nodes, a panel for each number of wavelengths, or over wavelengths if there is one number of nodes.
 * The rows, row_at(0) to row_at(count - 1), go through all schemes for each of `wavelengths` numbers for each of
 * `nodes` numbers.  Return 0 or the exit code. */
int plot_sweep(const char *path, sweep_row (*row_at)(size_t i), size_t count, size_t nodes, size_t wavelengths);

/* Draw blocking over the load, with a curve for each routing and policy.  Return 0 or the exit code. */
int plot_traffic(const char *path, const traffic_point *points, size_t count);

/* Draw the curves of a paper's figure (not a table), a panel for each item: formulas as lines, schedules as points.
 * Return 0 or the exit code. */
int plot_paper(const char *path, const rwa_paper *paper);
