/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of compare and of sweep: one scheme in one setting. */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "options.h"

#include <jansson.h>
#include <stdio.h>

enum { SCHEMES_MAX = RWA_STAGES_MAX, ROW_TEXT = 1024 };

/* The setting that the figures belong to, copied out of the network and the collective. */
typedef struct row {
    rwa_network_kind kind;
    rwa_collective_kind collective;
    uint32_t nodes, wavelengths, fibers;
    rwa_comparison figures;
} row;

/* Fill a row; RWA_OK also when the scheme has no schedule here (figures.outcome says so). */
rwa_status row_make(row *out, const char *scheme, const rwa_network *net, const rwa_collective *coll,
                    const rwa_plan_options *opts, rwa_error *err);

/* The schemes to show: those named with --scheme, else all of the table that can do it.  0 when there is none. */
size_t rows_schemes(const char *names[SCHEMES_MAX], const options *o, const rwa_network *net, rwa_collective_kind kind);

/* The columns of the CSV form, and a row in it, without the newline. */
extern const char row_csv_columns[];
void row_csv(char text[ROW_TEXT], const row *r);
json_t *row_json(const row *r);
/* The table for people, with the reasons of the refusals below it. */
void rows_text(FILE *to, const row *rows, size_t count);

#endif
