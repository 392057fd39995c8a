/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *base_array(size_t count, size_t size, rwa_error *err)
{
    void *array = calloc(count ? count : 1, size ? size : 1); /* calloc checks the product */
    if (!array)
        base_fail(err, RWA_NOMEM, "out of memory for %zu entries of %zu bytes", count, size);
    return array;
}

rwa_status base_grow(void **array, size_t *have, size_t need, size_t size, rwa_error *err)
{
    size_t room = *have < 16 ? 16 : *have;
    void *grown = NULL;
    if (need <= *have)
        return RWA_OK;
    while (room < need && room <= SIZE_MAX / 2)
        room *= 2;
    if (room < need || room > SIZE_MAX / size)
        return base_fail(err, RWA_NOMEM, "out of memory: %zu entries of %zu bytes do not fit", need, size);
    grown = realloc(*array, room * size);
    if (!grown)
        return base_fail(err, RWA_NOMEM, "out of memory for %zu entries of %zu bytes", room, size);
    *array = grown;
    *have = room;
    return RWA_OK;
}

rwa_status base_fits_memory(double bytes, const char *what, rwa_error *err)
{
    double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (bytes > have)
        return base_fail(err, RWA_NOMEM, "%s would need about %.0f GiB of memory, this machine has %.0f GiB", what,
                         bytes / 1073741824.0, have / 1073741824.0);
    return RWA_OK;
}

char *base_copy_text(const char *text, rwa_error *err)
{
    size_t length = strlen(text) + 1;
    char *copy = base_array(length, 1, err);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}
