/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures that another program makes of SVG. */
#pragma once

#include "cli.h"

/* Write an SVG text as a file of a format, "pdf" or "png", with rsvg-convert or Inkscape, whichever is there; the file appears whole
 * or not at all.  0, or the exit code after one line: EXIT_BAD_INPUT where neither is installed. */
int figure_write(const char *svg, const char *format, const char *path);
