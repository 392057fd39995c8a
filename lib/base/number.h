/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Numbers in files have a decimal point in every locale of the calling program. */
#pragma once

#include <locale.h>
#include <stdbool.h>

/** Read a number with a decimal point, as strtod() does in the C locale. */
double number_read(const char *text, char **end);

/** Tell whether a text is one number, perhaps among blanks, and read it.  It may be infinite or NaN. */
bool number_is(const char *text, double *number);

/** Switch this thread to decimal points in numbers.  Pass the result to number_leave() to switch back. */
locale_t number_enter(void);
void number_leave(locale_t before);
