/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Numbers in files have a decimal point in every locale of the calling program. */
#pragma once

#include <locale.h>

/** Read a number with a decimal point, as strtod() does in the C locale. */
double number_read(const char *text, char **end);

/** Switch this thread to decimal points in numbers.  Pass the result to number_leave() to switch back. */
locale_t number_enter(void);
void number_leave(locale_t before);
