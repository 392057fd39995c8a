/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for people, in lines that fit their terminal. */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* The columns of a stream: COLUMNS, or those of its terminal, or 0 when both are unknown; at least 40, at most 1000. */
uint32_t wrap_columns(FILE *to);

/* A text, wrapped when it is complete; "?" for control characters of names and paths. */
typedef struct wrap {
    FILE *to;
    FILE *draft;            /* NULL: out of memory, nothing is wrapped */
    char *text;
    size_t size;
} wrap;

/* The stream to write to; wrap_close() must follow. */
FILE *wrap_open(wrap *f, FILE *to);
/*
 * Print it.  Lines longer than the columns of `to`, at most 100, are broken at blanks.
 * hang: the indent of a continued line; negative: that of the line it continues
 * otherwise: the columns when they are unknown; 0: break lines on a terminal only, so that programs read whole lines
 */
void wrap_close(wrap *f, int hang, uint32_t otherwise);

/* Prose is wrapped at 80 columns when they are unknown. */
enum { WRAP_PROSE = 80, WRAP_HANG = 18 };   /* the figures of reports begin in column 18 */
