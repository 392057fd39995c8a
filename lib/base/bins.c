/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bins.h"

#include <stdlib.h>
#include <string.h>

rwa_status bins_open(struct bins *b, size_t keys, rwa_error *err)
{
    b->first = base_array(keys + 2, sizeof *b->first, err);
    return b->first ? RWA_OK : RWA_NOMEM;
}

rwa_status bins_divide(struct bins *b, size_t keys, rwa_error *err)
{
    for (size_t k = 0; k < keys; k++)
        b->first[k + 2] += b->first[k + 1];
    b->number = base_array(b->first[keys + 1], sizeof *b->number, err);
    return b->number ? RWA_OK : RWA_NOMEM;
}

void bins_free(struct bins *b)
{
    free(b->first);
    free(b->number);
    memset(b, 0, sizeof *b);
}
