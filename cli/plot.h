/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures that other programs draw. */
#pragma once

#include "rows.h"

/* Simulated traffic at one load. */
typedef struct traffic_point {
    rwa_routing routing;
    rwa_policy policy;
    rwa_blocking seen;
} traffic_point;

/* A path that ends in .svg. */
option_reader read_plot;

/* Run gnuplot on the commands that a function writes (all but terminal and output); the drawing is a file that appears
 * whole or not at all. 0, or the exit code after one line on standard error: EXIT_MACHINE when there is no gnuplot (and
 * how to get it). */
typedef void plot_writer(FILE *to, const void *data);
int plot_script(const char *path, plot_writer *script, const void *data, unsigned width, unsigned height);

/* Write an SVG text as a file of a format, "pdf" or "png", with rsvg-convert or Inkscape, whichever is there; the file
 * appears whole or not at all.  0, or the exit code after one line: EXIT_BAD_INPUT where neither is installed. */
int figure_write(const char *svg, const char *format, const char *path);

/* Steps of schemes in one setting, as bars: formula, schedule, bound. */
int plot_rows(const char *path, const row *rows, size_t count);

/* Steps over nodes (or over wavelengths, when the nodes are one count), from lines of row_csv(). */
int plot_sweep(const char *path, char *const *lines, size_t count, const number_list *nodes,
               const number_list *wavelengths);

/* Blocking over the load, a curve for each routing and policy. */
int plot_traffic(const char *path, const traffic_point *points, size_t count);

/* The curves of a paper's figure (not a table), a panel an item: formulas as lines, schedules as points. */
int plot_paper(const char *path, const rwa_paper *paper);

/* Write gnuplot commands that place the panels of a figure, two in a row. */
void put_layout(FILE *to, size_t panels);
