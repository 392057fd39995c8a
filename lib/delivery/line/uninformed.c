/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/line/uninformed.h"

rwa_status intervals_open(struct intervals *h, uint32_t most, rwa_error *err)
{
    *h = (struct intervals){.most = most};
    return base_new(h->list, (size_t)most + 1, err);
}

void intervals_free(struct intervals *h)
{
    free_all(h->interval, h->list);
    memset(h, 0, sizeof *h);
}

void intervals_clear(struct intervals *h)
{
    h->count = 0;
    h->widest = 0;
    memset(h->list, 0xff, ((size_t)h->most + 1) * sizeof *h->list);
}

rwa_status intervals_add(struct intervals *h, const struct interval *interval, rwa_error *err)
{
    uint32_t width = interval->high - interval->low;
    assert(interval->high > interval->low && width <= h->most);
    if (h->count == h->size)
        MUST(base_grow((void **)&h->interval, &h->size, h->count + 1, sizeof *h->interval, err));
    h->interval[h->count] = *interval;
    h->interval[h->count].next = h->list[width];
    h->list[width] = (uint32_t)h->count++;
    h->widest = width > h->widest ? width : h->widest;
    return RWA_OK;
}

bool intervals_take(struct intervals *h, struct interval *out)
{
    while (h->widest > 0 && h->list[h->widest] == PLACE_NONE)
        h->widest--;
    if (h->widest == 0)
        return false;
    *out = h->interval[h->list[h->widest]];
    h->list[h->widest] = out->next;
    return true;
}
