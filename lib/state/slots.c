/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths, each in a slot that keeps its links; slots of like size are used again, so that a busy state stops allocating. */
#include "state/state.h"

void slots_init(struct slots *s)
{
    for (size_t i = 0; i < SIZES; i++)
        s->free[i] = NO_SLOT;
}

void slots_free(struct slots *s)
{
    free_all(s->list, s->numbers);
}

/** The least size that holds so many links. */
static uint8_t size_for(uint32_t hops)
{
    uint8_t size = 0;
    while (size + 1 < SIZES && (uint32_t)1 << size < hops)
        size++;
    return size;
}

static rwa_status add_slot(struct slots *s, uint8_t size, uint32_t *slot, rwa_error *err)
{
    size_t need = s->number_count + ((size_t)1 << size);
    if (s->count == NO_SLOT)
        return base_fail(err, RWA_NOMEM, "more than %zu lightpaths at a time", s->count);
    MUST(base_grow((void **)&s->list, &s->capacity, s->count + 1, sizeof *s->list, err));
    MUST(base_grow((void **)&s->numbers, &s->number_capacity, need, sizeof *s->numbers, err));
    *slot = (uint32_t)s->count++;
    s->list[*slot] = (struct slot){.first = s->number_count, .size = size & 0x7fu, .life = FREE, .other = NO_SLOT};
    s->number_count = need;
    return RWA_OK;
}

rwa_status slots_take(struct slots *s, uint32_t hops, uint32_t *slot, rwa_error *err)
{
    assert(hops > 0);
    uint8_t size = size_for(hops);
    if (s->free[size] == NO_SLOT)
        return add_slot(s, size, slot, err);
    *slot = s->free[size];
    s->free[size] = s->list[*slot].other;
    s->list[*slot].other = NO_SLOT;
    return RWA_OK;
}

static void recycle(struct slots *s, uint32_t slot)
{
    struct slot *one = &s->list[slot];
    one->shared = 0;
    one->other = NO_SLOT;
    if (++one->generation == UINT32_MAX)    /* its ids are used up */
        return;
    one->other = s->free[one->size];
    s->free[one->size] = slot;
}

void slots_recycle(struct slots *s, uint32_t slot)
{
    assert(slot < s->count);
    uint32_t backup = s->list[slot].life == FREE ? NO_SLOT : s->list[slot].other;
    slots_live(s, slot, FREE);
    recycle(s, slot);
    if (backup != NO_SLOT)
        recycle(s, backup);
}

void slots_live(struct slots *s, uint32_t slot, enum life life)
{
    assert(slot < s->count && life != BACKUP);
    struct slot *one = &s->list[slot];
    s->live -= one->life == LIVE;
    s->live += life == LIVE;
    if (one->life != FREE && one->other != NO_SLOT)
        s->list[one->other].life = (uint8_t)(life == LIVE ? BACKUP : life);
    one->life = (uint8_t)life;
}

void slots_join(struct slots *s, uint32_t lightpath, uint32_t backup, bool shared)
{
    assert(s->list[lightpath].life == LIVE && s->list[backup].life == FREE);
    s->list[lightpath].other = backup;
    s->list[backup].other = lightpath;
    s->list[backup].shared = shared;
    s->list[backup].life = BACKUP;
}

uint64_t slots_id(const struct slots *s, uint32_t slot)
{
    assert(slot < s->count);
    return (uint64_t)s->list[slot].generation << 32 | ((uint64_t)slot + 1);
}

uint32_t slots_find(const struct slots *s, uint64_t id)
{
    uint64_t slot = (id & UINT32_MAX) - 1;
    if (id == RWA_NO_LIGHTPATH || slot >= s->count || s->list[slot].life != LIVE || s->list[slot].generation != id >> 32)
        return NO_SLOT;
    return (uint32_t)slot;
}

uint32_t slots_from(const struct slots *s, size_t slot)
{
    while (slot < s->count && s->list[slot].life != LIVE)
        slot++;
    return slot < s->count ? (uint32_t)slot : NO_SLOT;
}
