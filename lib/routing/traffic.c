/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/flow.h"

struct traffic_part {
    uint32_t src, dst;
    uint64_t amount;
};

void traffic_free(struct traffic *t)
{
    free_all(t->src, t->dst, t->amount);
    memset(t, 0, sizeof *t);
}

static struct traffic_part part_of(uint32_t src, uint32_t dst, uint64_t amount, rwa_model model)
{
    bool turn = model == RWA_UNDIRECTED && src > dst;
    return (struct traffic_part){turn ? dst : src, turn ? src : dst, amount};
}

static size_t split(struct traffic_part *part, const rwa_demand *list, size_t count, const bool *skip, rwa_model model)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const rwa_demand *d = &list[i];
        if (skip && skip[i])
            continue;
        bool straight = d->via == RWA_NONE;
        part[n++] = part_of(d->src, straight ? d->dst : d->via, d->count, model);
        if (!straight)
            part[n++] = part_of(d->via, d->dst, d->count, model);
    }
    return n;
}

COMPARATOR(by_ends, struct traffic_part, UP(src) UP(dst))

static void merge(struct traffic *t, const struct traffic_part *part, size_t n)
{
    assert(t->pairs == 0);
    for (size_t i = 0; i < n; i++) {
        bool same = t->pairs > 0 && t->src[t->pairs - 1] == part[i].src && t->dst[t->pairs - 1] == part[i].dst;
        size_t k = same ? t->pairs - 1 : t->pairs++;
        t->src[k] = part[i].src;
        t->dst[k] = part[i].dst;
        t->amount[k] += part[i].amount;
        t->total += part[i].amount;
    }
}

rwa_status traffic_create(struct traffic *t, const rwa_demand *list, size_t count, const bool *skip, rwa_model model,
                          rwa_error *err)
{
    assert(t->pairs == 0 && t->total == 0);
    rwa_status st = RWA_OK;
    size_t most = 2 * count, n = 0;
    struct traffic_part *part;
    MUST(base_new(part, most, err));
    TRY(base_new(t->src, most, err));
    TRY(base_new(t->dst, most, err));
    TRY(base_new(t->amount, most, err));
    n = split(part, list, count, skip, model);
    qsort(part, n, sizeof *part, by_ends);
    merge(t, part, n);
done:
    free(part);
    return st;
}
