/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bits in a row, a word at a time. */
#ifndef CHECK_RUNS_H
#define CHECK_RUNS_H

#include <stdbool.h>
#include <stdint.h>

/** Whether any of bits from … from + count - 1 is set. */
bool run_has(const uint64_t *bits, uint64_t from, uint64_t count);
/** Set them all. */
void run_set(uint64_t *bits, uint64_t from, uint64_t count);

#endif
