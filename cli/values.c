/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unit size_units[] = {{"", 1}, {"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
    {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}, {NULL, 0}};
const unit rate_units[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"bps", 1}, {"kbps", 1e3},
    {"Mbps", 1e6}, {"Gbps", 1e9}, {"Tbps", 1e12}, {"bit/s", 1}, {"Gbit/s", 1e9}, {"Gb/s", 1e9}, {NULL, 0}};
const unit time_units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {NULL, 0}};
const unit share_units[] = {{"", 1}, {"%", 1e-2}, {NULL, 0}};
const unit plain_units[] = {{"", 1}, {NULL, 0}};
const unit limit_units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {NULL, 0}};
const unit clock_units[] = {{"", 1}, {"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}, {NULL, 0}};

int read_digits(uint64_t *out, const char *text, const char **end)
{
    uint64_t value = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    *out = value;
    *end = p;
    return p != text;
}

int read_count(uint64_t *out, const char *text, uint64_t least, uint64_t most)
{
    const char *end;
    uint64_t value;
    if (!read_digits(&value, text, &end) || *end != '\0' || value < least || value > most)
        return 0;
    *out = value;
    return 1;
}

int read_size(uint64_t *out, const char *text)
{
    const char *end;
    uint64_t value;
    if (!read_digits(&value, text, &end) || value == 0)
        return 0;
    for (const unit *u = size_units; u->name != NULL; u++)
        if (strcmp(u->name, end) == 0) {
            uint64_t factor = (uint64_t)u->factor;
            if (value > (uint64_t)INT64_MAX / factor)
                return 0;
            *out = value * factor;
            return 1;
        }
    return 0;
}

int read_quantity(double *out, const char *text, const unit *units, int zero_allowed)
{
    const char *p = text;
    size_t digits = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        digits++;
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++)
            digits++;
    if (digits == 0)
        return 0;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        if (*q == '+' || *q == '-')
            q++;
        if (*q < '0' || *q > '9')
            return 0;
        for (p = q; *p >= '0' && *p <= '9'; p++)
            ;
    }
    double value = strtod(text, NULL);
    for (const unit *u = units; u->name != NULL; u++)
        if (strcmp(u->name, p) == 0) {
            value *= u->factor;
            /* "0", or so small that nothing is left */
            if (!isfinite(value) || (!zero_allowed && !(value > 0)))
                return 0;
            *out = value;
            return 1;
        }
    return 0;
}
