/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/ejection.h"

rwa_status ejection_create(struct ejection *e, const struct table *table, uint32_t channels, rwa_error *err)
{
    size_t links = table->cand->links;
    e->table = table;
    /* Whole blocks, and an odd number of cache lines, so that the rows of a route do not share the same few sets of the cache. */
    e->stride = ((channels + 15) / 16 | 1) * 16;
    e->arena.err = err;
    MUST(base_fits_memory(8.0 * (double)links * e->stride, "the costs of channels", err));
    arena_new(&e->arena, e->owner, links * e->stride);
    arena_new(&e->arena, e->cost, links * e->stride);
    arena_new(&e->arena, e->sum, e->stride);
    return arena_status(&e->arena);
}

void ejection_free(struct ejection *e)
{
    arena_free(&e->arena);
}

void ejection_load(struct ejection *e, const float *cost)
{
    const struct table *t = e->table;
    size_t links = t->cand->links;
    assert(t->channels <= e->stride);
    for (size_t l = 0; l < links; l++)
        for (uint32_t w = 0; w < e->stride; w++) {
            uint32_t owner = w < t->channels ? t->owner[w * links + l] : TABLE_TAKEN;
            e->owner[l * e->stride + w] = owner;
            e->cost[l * e->stride + w] = owner == TABLE_FREE ? 0 : owner == TABLE_TAKEN ? INFINITY : cost[owner];
        }
}

static void give(struct ejection *e, uint32_t demand, uint32_t owner, float cost)
{
    const struct candidates *cand = e->table->cand;
    size_t route = e->table->at.route[demand];
    assert(route != NO_ROUTE);
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++)
        for (size_t k = cand->hop[s]; k < cand->hop[s + 1]; k++) {
            size_t cell = (size_t)cand->link[k] * e->stride + e->table->at.channel[s];
            e->owner[cell] = owner;
            e->cost[cell] = cost;
        }
}

void ejection_put(struct ejection *e, uint32_t demand, float cost)
{
    give(e, demand, demand, cost);
}

void ejection_lift(struct ejection *e, uint32_t demand)
{
    give(e, demand, TABLE_FREE, 0);
}

void ejection_shrink(struct ejection *e)
{
    for (size_t l = 0; l < e->table->cand->links; l++) {
        size_t cell = l * e->stride + e->table->channels;
        e->owner[cell] = TABLE_TAKEN;
        e->cost[cell] = INFINITY;
    }
}

/* The first link of a segment: all owners are met for the first time. */
static void begin_block(float *restrict sum, const float *restrict cost, const int32_t *restrict until, int32_t now)
{
    for (int i = 0; i < EJECTION_BLOCK; i++) {
        float first = cost[i];
        sum[i] = until[i] > now ? INFINITY : first;
    }
}

static void add_block(float *restrict sum, const float *restrict cost, const uint32_t *restrict owner, const uint32_t *restrict before)
{
    for (int i = 0; i < EJECTION_BLOCK; i++) {
        float more = cost[i];
        sum[i] += owner[i] != before[i] ? more : 0;
    }
}

static void least_block(float *restrict least, const float *restrict sum)
{
    for (int i = 0; i < EJECTION_BLOCK; i++)
        least[i] = sum[i] < least[i] ? sum[i] : least[i];
}

float ejection_sum(struct ejection *e, size_t segment, uint32_t from, uint32_t to, const int32_t *until, int32_t now)
{
    const struct candidates *cand = e->table->cand;
    const uint32_t *link = cand->link + cand->hop[segment], *end = cand->link + cand->hop[segment + 1];
    size_t stride = e->stride;
    float least[EJECTION_BLOCK];
    assert(link < end && from % EJECTION_BLOCK == 0 && to % EJECTION_BLOCK == 0);
    for (int i = 0; i < EJECTION_BLOCK; i++)
        least[i] = INFINITY;
    for (size_t w = from; w < to; w += EJECTION_BLOCK) {
        begin_block(e->sum + w, e->cost + *link * stride + w, until + w, now);
        for (const uint32_t *l = link + 1; l < end; l++)
            add_block(e->sum + w, e->cost + *l * stride + w, e->owner + *l * stride + w, e->owner + l[-1] * stride + w);
        least_block(least, e->sum + w);
    }
    for (int i = 1; i < EJECTION_BLOCK; i++)
        least[0] = least[i] < least[0] ? least[i] : least[0];
    return least[0];
}
