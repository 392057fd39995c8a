/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws figures with the help of other programs. */
#pragma once

#include "print.h"

/* The value of --plot; NULL: no figure is asked for.  Its reader takes a path that ends in .svg. */
extern const char *plot_file;
option_reader read_plot;
/* Check, before the work, that the programs are installed which plot_script() and figure_write() run.  Return 0,
 * also without --plot, or the exit code after a message that names the missing one: EXIT_MACHINE, or EXIT_BAD_INPUT
 * for a figure, which could be SVG instead. */
int plot_needs(void);
int figure_needs(const char *format, const char *path);

/* Make the figure of --plot by running gnuplot on the commands that script(to) writes (all but terminal and output);
 * the file appears whole or not at all.  Return 0, or EXIT_MACHINE after one line on standard error. */
int plot_script(void (*script)(FILE *to), unsigned width, unsigned height);
/* Make the figure of --plot, as plot_script() does, from `count` panels, two in a row of `height`, or from a single one
 * of height `alone`.  gnuplot runs the commands `all`, then for each panel i those that panel(to, i) writes. */
int plot_panels(const char *all, void (*panel)(FILE *to, size_t i), size_t count, unsigned height, unsigned alone);

/* Write an SVG text as a file in a format, "pdf" or "png", by rsvg-convert or Inkscape, whichever is installed; the
 * file appears whole or not at all.  Return 0, or the exit code after a message. */
int figure_write(const char *svg, const char *format, const char *path);
