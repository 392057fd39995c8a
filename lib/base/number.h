/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Numbers in files have a decimal point in every locale of the calling program. */
#pragma once

#include <locale.h>
#include <stdbool.h>

/** Return the number with a decimal point that a text begins with.  Set *end (end may be NULL) to the rest of the
 *  text.  It is strtod() in the C locale. */
double number_read(const char *text, char **end);

/** Read a text that is one number, perhaps among blanks, into *number; it may be infinite or NaN.  Return false if the
 *  text is anything else; *number is then arbitrary. */
bool number_is(const char *text, double *number);

/** Switch this thread to decimal points in numbers.  Return its former locale: number_leave() takes it and switches
 *  back. */
locale_t number_enter(void);
void number_leave(locale_t before);
