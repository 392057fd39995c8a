/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/rank.h"

#include "base/bins.h"

rwa_status classes_renumber(uint32_t *class_of, size_t items, uint32_t classes, enum class_order order,
                            uint64_t *random, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct arena arena = {.err = err};
    uint64_t *rank;     /* the sort key in the upper half, the number of the class in the lower */
    uint32_t *turn;
    arena_new(&arena, rank, classes);
    TRY(arena_arrays(&arena, classes, turn));
    for (uint32_t w = 0; w < classes; w++)
        rank[w] = order == CLASSES_BY_CHANCE  ? base_random(random) >> 32
                  : order == CLASSES_REVERSED ? classes - w
                                              : UINT32_MAX;
    for (size_t i = 0; i < items && order == CLASSES_BY_WEIGHT; i++)
        rank[class_of[i]]--;
    for (uint32_t w = 0; w < classes; w++)
        rank[w] = rank[w] << 32 | w;
    qsort(rank, classes, sizeof *rank, order_uint64);
    for (uint32_t w = 0; w < classes; w++)
        turn[rank[w] & UINT32_MAX] = w;
    for (size_t i = 0; i < items; i++)
        class_of[i] = turn[class_of[i]];
done:
    arena_free(&arena);
    return st;
}

rwa_status sort_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct bins sorted = {0};
    TRY(bins_open(&sorted, keys, err));
    for (size_t i = 0; i < n; i++)
        bins_count(&sorted, key[i]);
    TRY(bins_divide(&sorted, keys, err));
    for (size_t i = 0; i < n; i++)
        bins_put(&sorted, key[order[i]], order[i]);
    memcpy(order, sorted.number, n * sizeof *order);
done:
    bins_free(&sorted);
    return st;
}

rwa_status sort_all_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    return sort_by(order, n, key, keys, err);
}
