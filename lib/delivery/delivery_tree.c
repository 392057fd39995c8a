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

rwa_status delivery_tree_copy(struct delivery_tree *out, const struct delivery_tree *from, rwa_error *err)
{
    rwa_status st = RWA_OK;
    *out = (struct delivery_tree){.steps = from->steps};
    if (!from->at)
        return RWA_OK;
    st = delivery_tree_create(out, from->trees, from->nodes, from->steps, err);
    if (st == RWA_OK)
        memcpy(out->at, from->at, (size_t)from->trees * from->nodes * sizeof *from->at);
    return st;
}

/** By step and, where ways are distinguished (ways > 1), by way. */
static rwa_status list_deliveries(struct bins *out, const struct delivery_tree *t, uint32_t ways, rwa_error *err)
{
    size_t keys = (size_t)t->steps * ways, count = (size_t)t->trees * t->nodes;
    assert(count <= UINT32_MAX);
    memset(out, 0, sizeof *out);
    MUST(bins_open(out, keys, err));
    for (size_t i = 0; i < count; i++)
        if (t->at[i].step > 0)
            bins_count(out, ways > 1 ? delivery_slot(&t->at[i], ways) : t->at[i].step - 1);
    MUST(bins_divide(out, keys, err));
    for (size_t i = 0; i < count; i++)
        if (t->at[i].step > 0)
            bins_put(out, ways > 1 ? delivery_slot(&t->at[i], ways) : t->at[i].step - 1, (uint32_t)i);
    return RWA_OK;
}

rwa_status delivery_tree_by_slot(struct bins *out, const struct delivery_tree *t, uint32_t ways, rwa_error *err)
{
    assert(t->trees == 1 && ways > 1);
    return list_deliveries(out, t, ways, err);
}

rwa_status delivery_tree_by_step(struct bins *out, const struct delivery_tree *t, rwa_error *err)
{
    return list_deliveries(out, t, 1, err);
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
