/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with units, as they stand on a command line.  Each reader gives 1, or 0 when the text is not such a value. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include <stdint.h>

typedef struct unit { const char *name; double factor; } unit;

/* Ended by a NULL name. */
extern const unit rate_units[], time_units[], limit_units[], clock_units[], share_units[], plain_units[];

/* Digits only; the rest of the text is left in *end.  0: no digits, or too large. */
int read_digits(uint64_t *out, const char *text, const char **end);
/* A whole number from least to most, and nothing else. */
int read_count(uint64_t *out, const char *text, uint64_t least, uint64_t most);
/* A whole number of bytes with a unit; the product must fit 63 bits. */
int read_size(uint64_t *out, const char *text);
/* A decimal number with one of the units: no sign, no hexadecimal, no infinity. */
int read_quantity(double *out, const char *text, const unit *units, int zero_allowed);

#endif
