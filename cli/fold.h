/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Text for people, in lines that fit where it is read. */
#ifndef CLI_FOLD_H
#define CLI_FOLD_H

#include <stdint.h>
#include <stdio.h>

/* The columns of a stream: COLUMNS, or what its terminal says, or 0 when neither does; at least 40, at most 1000. */
uint32_t fold_columns(FILE *to);

/* A text that is written first and folded when it is complete. */
typedef struct fold {
    FILE *to;
    FILE *draft;            /* NULL: there was no memory, and nothing is folded */
    char *text;
    size_t size;
} fold;

/* Where to write; fold_close() must follow. */
FILE *fold_open(fold *f, FILE *to);
/*
 * Print it, lines broken at blanks where they are longer than the columns of `to`, but no more than 100; what goes on is
 * indented by `hang` blanks, or when that is negative like the line it belongs to.
 * otherwise: the columns where nobody says them; 0: only on a terminal are lines broken, and what a program reads stays whole
 */
void fold_close(fold *f, int hang, uint32_t otherwise);

/* Prose, which is folded at 80 columns where nobody says them. */
enum { FOLD_PROSE = 80, FOLD_HANG = 18 };   /* the figures of summaries begin in column 18 */

#endif
