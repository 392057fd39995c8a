/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/rank.h"

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
    uint32_t *sorted = base_array(n, sizeof *sorted, err);
    size_t *at = base_array((size_t)keys + 1, sizeof *at, err);
    TRY(sorted && at ? RWA_OK : RWA_NOMEM);
    for (size_t i = 0; i < n; i++)
        at[(size_t)key[i] + 1]++;
    for (size_t k = 0; k < keys; k++)
        at[k + 1] += at[k];
    for (size_t i = 0; i < n; i++)
        sorted[at[key[order[i]]]++] = order[i];
    memcpy(order, sorted, n * sizeof *order);
done:
    free_all(at, sorted);
    return st;
}

rwa_status sort_all_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    return sort_by(order, n, key, keys, err);
}
