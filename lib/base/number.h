/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Numbers in files have a decimal point, whatever the locale of the program that calls the library makes of it. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <locale.h>

/** As strtod(). */
double number_read(const char *text, char **end);

/** From here on this thread writes and reads points; give what comes back to number_leave(). */
locale_t number_enter(void);
void number_leave(locale_t before);

#endif
