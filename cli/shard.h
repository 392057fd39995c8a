/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in parts: shard I of N has rows I, I + N, I + 2N, ...; all shards together are the whole table. */
#pragma once

#include "option.h"

typedef struct shard { uint32_t number, count; } shard;   /* a table in one piece is shard 1 of 1 */

/* Reads the value "I/N" of --shard. */
option_reader read_shard;

/* Tell whether a row, counted from 0, belongs to the shard. */
int shard_has(const shard *part, size_t row);

/* Write the first line of a shard: its number, the number of shards, the rows of the table, and a hash of `settings`,
 * the text of all settings on which the rows depend. */
void shard_header(FILE *to, const shard *part, size_t rows, const char *settings);

/* Join the files among the operands, the shards of one table: write its columns and rows to `to`.  Return 0, or the
 * exit code after an error message of one line. */
int shards_merge(FILE *to);
