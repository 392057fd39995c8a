/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/number.h"

#include <langinfo.h>
#include <string.h>

locale_t number_enter(void)
{
    if (strcmp(nl_langinfo(RADIXCHAR), ".") == 0)
        return (locale_t)0;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return c ? uselocale(c) : (locale_t)0;
}

void number_leave(locale_t before)
{
    if (!before)
        return;
    freelocale(uselocale(before));
}

double number_read(const char *text, char **end)
{
    locale_t before = number_enter();
    double number = strtod(text, end);
    number_leave(before);
    return number;
}

bool number_is(const char *text, double *number)
{
    char *end = NULL;
    *number = number_read(text, &end);
    return end != text && !end[strspn(end, " \t\r\n")];
}
