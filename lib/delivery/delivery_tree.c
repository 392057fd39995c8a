/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/delivery_tree.h"

rwa_status delivery_tree_create(struct delivery_tree *t, uint32_t trees, uint32_t nodes, uint32_t steps, rwa_error *err)
{
    *t = (struct delivery_tree){.nodes = nodes, .steps = steps, .trees = trees};
    return base_new(t->at, (size_t)trees * nodes, err);
}

void delivery_tree_free(struct delivery_tree *t)
{
    free(t->at);
    memset(t, 0, sizeof *t);
}

void delivery_tree_swap(struct delivery_tree *a, struct delivery_tree *b)
{
    struct delivery_tree kept = *a;
    *a = *b;
    *b = kept;
}

rwa_status delivery_tree_list(struct bins *out, const struct delivery_tree *t, bool by_way, rwa_error *err)
{
    size_t ways = by_way ? 2 : 1, keys = t->steps * ways, count = (size_t)t->trees * t->nodes;
    rwa_status st = RWA_OK;
    assert(count <= UINT32_MAX);
    memset(out, 0, sizeof *out);
    while (bins_pass(out, keys, &st, err))
        for (size_t i = 0; i < count; i++)
            if (t->at[i].step > 0)
                bins_add(out, (t->at[i].step - 1) * ways + (by_way ? t->at[i].way : 0), (uint32_t)i);
    return st;
}

#ifndef NDEBUG
void delivery_tree_check(const struct delivery_tree *t)
{
    for (uint32_t block = 0; block < t->trees; block++) {
        const struct delivery *row = delivery_tree_row(t, block);
        uint32_t owners = 0;
        for (uint32_t v = 0; v < t->nodes; v++) {
            owners += row[v].step == 0;
            assert(row[v].step <= t->steps);
            assert(row[v].step == 0 || (row[v].from < t->nodes && row[row[v].from].step < row[v].step));
            assert(row[v].step == 0 || row[v].links > 0);
        }
        assert(owners >= 1);
    }
}
#endif
