/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in parts: shard I of N has rows I, I + N, I + 2N, ...; the parts together are the whole table. */
#pragma once

#include "option.h"

typedef struct shard_choice { uint32_t number, count; } shard_choice;   /* of a table in one piece both are 0 */

/* "I/N". */
option_reader read_shard;

/* Whether a row, counted from 0, belongs to the shard. */
int shard_has(const shard_choice *shard, size_t row);

/* The first line of a shard, which says what it is part of; nothing for a whole table.  settings: all that the rows depend on. */
void shard_header(FILE *to, const shard_choice *shard, size_t rows, const char *settings);

/* Put the shards of one table together: its columns and rows on `to`.  0, or the exit code after one line on standard error. */
int shards_merge(FILE *to, const char *const *files, size_t count);
