/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/uninformed.h"

#include <stdlib.h>
#include <string.h>

rwa_status holes_open(struct holes *h, uint32_t most, rwa_error *err)
{
    *h = (struct holes){.most = most};
    h->list = base_array((size_t)most + 1, sizeof *h->list, err);
    return h->list ? RWA_OK : RWA_NOMEM;
}

void holes_free(struct holes *h)
{
    free(h->hole);
    free(h->list);
    memset(h, 0, sizeof *h);
}

void holes_clear(struct holes *h)
{
    h->count = 0;
    h->widest = 0;
    memset(h->list, 0xff, ((size_t)h->most + 1) * sizeof *h->list);
}

rwa_status holes_add(struct holes *h, const struct hole *hole, rwa_error *err)
{
    uint32_t width = hole->high - hole->low;
    rwa_status st = base_grow((void **)&h->hole, &h->room, h->count + 1, sizeof *h->hole, err);
    if (st != RWA_OK)
        return st;
    h->hole[h->count] = *hole;
    h->hole[h->count].next = h->list[width];
    h->list[width] = (uint32_t)h->count++;
    h->widest = width > h->widest ? width : h->widest;
    return RWA_OK;
}

bool holes_take(struct holes *h, struct hole *out)
{
    while (h->widest > 0 && h->list[h->widest] == LINE_NONE)
        h->widest--;
    if (h->widest == 0)
        return false;
    *out = h->hole[h->list[h->widest]];
    h->list[h->widest] = out->next;
    return true;
}

uint32_t row_next(const uint64_t *row, uint32_t places, uint32_t place)
{
    size_t word = place / 64, words = ((size_t)places + 63) / 64;
    if (place >= places)
        return LINE_NONE;
    uint64_t bits = row[word] >> (place % 64) << (place % 64);
    while (bits == 0)
        if (++word == words)
            return LINE_NONE;
        else
            bits = row[word];
    return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
}
