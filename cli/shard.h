/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in parts: shard I of N has rows I, I + N, I + 2N, ...; the parts together are the whole table. */
#pragma once

#include "option.h"

typedef struct shard { uint32_t number, count; } shard;   /* of a table in one piece both are 0 */

/* "I/N", of a shard. */
option_reader read_shard;

/* Whether a row, counted from 0, belongs to the shard. */
int shard_has(const shard *part, size_t row);

/* The first line of a shard, which says what it is part of; nothing for a whole table.  settings: all that the rows
 * depend on. */
void shard_header(FILE *to, const shard *part, size_t rows, const char *settings);

/* Put the shards of one table, the operands, together: its columns and rows on `to`.  0, or the exit code after one
 * line on standard error. */
int shards_merge(FILE *to);
