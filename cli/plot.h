/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws figures with the help of other programs. */
#pragma once

#include "print.h"

/* The value of --plot; NULL: no figure is asked for.  Its reader takes a path that ends in .svg. */
extern const char *plot_file;
option_reader read_plot;
/* Check before any work that gnuplot is installed if --plot is given.  Return 0, or EXIT_MACHINE after a message. */
int plot_needs(void);
/* Check before any work that a program is installed that converts SVG to the format of a figure, "pdf" or "png".
 * Return 0, or EXIT_BAD_INPUT after a message that names `path`: the user can ask for SVG instead. */
int figure_needs(const char *format, const char *path);

/* Make the figure of --plot by gnuplot, `width` by `height` pixels.  script(to) writes the commands for gnuplot, except
 * those that set terminal and output.  The file appears whole or not at all.  Return 0, or EXIT_MACHINE after one line
 * on standard error. */
int plot_script(void (*script)(FILE *to), unsigned width, unsigned height);
/* Make the figure of --plot, as plot_script() does, from `count` panels.  Two stand side by side, `height` pixels high;
 * a single panel is `alone` pixels high.  all: commands that gnuplot runs first; then it runs those that panel(to, i)
 * writes for each panel i.  Return as plot_script() does. */
int plot_panels(const char *all, void (*panel)(FILE *to, size_t i), size_t count, unsigned height, unsigned alone);

/* Write an SVG text as a file in a format, "pdf" or "png", by rsvg-convert or Inkscape, whichever is installed; the
 * file appears whole or not at all.  Return 0, or the exit code after a message. */
int figure_write(const char *svg, const char *format, const char *path);
