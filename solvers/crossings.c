/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/crossings.h"

#include "solvers/rank.h"

/* Limit on the pairs of routes that share a link, summed over all links: about ten seconds of work. */
#define MOST_MEETINGS 4e9

static rwa_status list_crossings(struct crossings *c, rwa_error *err)
{
    const struct candidates *cand = c->cand;
    rwa_status st = RWA_OK;
    double meetings = 0;    /* pairs of demands that share a link, summed over all links */
    while (bins_pass(&c->demands, cand->links, &st, err))
        for (uint32_t d = 0; d < cand->demands; d++)
            for (size_t k = first_hop(cand, cand->route[d]); k < end_hop(cand, cand->route[d]); k++)
                bins_add(&c->demands, cand->link[k], d);
    for (uint32_t l = 0; st == RWA_OK && l < cand->links; l++)
        meetings += pow((double)(c->demands.first[l + 1] - c->demands.first[l]), 2);
    if (meetings > MOST_MEETINGS)
        return base_refuse(err, "%.2g pairs of routes meet, expected at most %.0g for orders by degree or "
                           "saturation: longest-first takes any number", meetings, MOST_MEETINGS);
    return st;
}

rwa_status crossings_create(struct crossings *c, const struct candidates *cand, rwa_error *err)
{
    assert(!c->degree);
    rwa_status st = RWA_OK;
    uint32_t *met = NULL;   /* of each demand: the last demand, plus 1, that was found to share a link with it */
    c->cand = cand;
    TRY(list_crossings(c, err));
    TRY(base_new(c->degree, cand->demands, err));
    TRY(base_new(met, cand->demands, err));
    for (uint32_t d = 0; d < cand->demands; d++) {
        met[d] = d + 1;
        for (size_t k = first_hop(cand, cand->route[d]); k < end_hop(cand, cand->route[d]); k++)
            for (size_t i = c->demands.first[cand->link[k]]; i < c->demands.first[cand->link[k] + 1]; i++) {
                c->degree[d] += met[c->demands.number[i]] != d + 1;
                met[c->demands.number[i]] = d + 1;
            }
    }
done:
    free(met);
    return st;
}

void crossings_free(struct crossings *c)
{
    bins_free(&c->demands);
    free(c->degree);
    memset(c, 0, sizeof *c);
}

rwa_status crossings_order(uint32_t **order, const struct crossings *c, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t demands = c->cand->demands, *key = NULL;
    TRY(base_new(*order, demands, err));
    TRY(base_new(key, demands, err));
    for (uint32_t d = 0; d < demands; d++)
        key[d] = demands - c->degree[d];
    TRY(sort_all_by(*order, demands, key, demands + 1, err));
done:
    free(key);
    return st;
}
