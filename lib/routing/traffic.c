/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/flow.h"

struct traffic_part {
    uint32_t src, dst, demand;
    uint64_t amount;
};

void traffic_free(struct traffic *t)
{
    free_all(t->src, t->dst, t->amount, t->pair_of);
    memset(t, 0, sizeof *t);
}

static size_t split(struct traffic_part *part, const rwa_demand *list, size_t count, const bool *skip, rwa_model model)
{
    size_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const rwa_demand *d = &list[i];
        uint32_t middle = d->via == RWA_NONE ? d->dst : d->via;
        if (skip && skip[i])
            continue;
        part[n++] = (struct traffic_part){d->src, middle, i, d->count};
        if (middle != d->dst)
            part[n++] = (struct traffic_part){middle, d->dst, i, d->count};
    }
    for (size_t i = 0; i < n; i++)
        if (model == RWA_UNDIRECTED && part[i].src > part[i].dst)
            part[i] = (struct traffic_part){part[i].dst, part[i].src, part[i].demand, part[i].amount};
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
        t->pair_of[part[i].demand] = k;
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
    TRY(base_new(t->pair_of, count, err));
    n = split(part, list, count, skip, model);
    qsort(part, n, sizeof *part, by_ends);
    merge(t, part, n);
done:
    free(part);
    return st;
}
