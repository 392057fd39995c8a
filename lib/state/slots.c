/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stores lightpaths.  Each one is in a slot, a record that also keeps the links of its route.  Freed slots are reused
 *  for routes of similar length, so that a busy state stops allocating. */
#include "state/state.h"

void slots_init(struct slots *s)
{
    for (size_t i = 0; i < SIZES; i++)
        s->free[i] = NO_SLOT;
    s->first = s->last = s->latest = NO_SLOT;
    s->next_id = 1;
}

void slots_free(struct slots *s)
{
    for (size_t slot = 0; slot < s->count; slot++)
        free(s->list[slot].tag);
    free_all(s->list, s->numbers, s->index);
}

/** Return the smallest size class that holds this many links: a record of class n has space for 2^n. */
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
    MUST(base_reserve(s->list, s->count + 1, err));
    MUST(base_reserve(s->numbers, need, err));
    *slot = (uint32_t)s->count++;
    s->list[*slot] = (struct slot){.first = s->number_count, .size = size & 0x3fu, .life = FREE, .other = NO_SLOT};
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

/* ---- numbers ---- */

static size_t home(const struct slots *s, uint64_t id)
{
    return (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (s->index_capacity - 1);
}

static void put(struct slots *s, uint32_t slot)
{
    size_t at = home(s, s->list[slot].id);
    while (s->index[at] != NO_SLOT)
        at = (at + 1) & (s->index_capacity - 1);
    s->index[at] = slot;
}

rwa_status slots_make_room(struct slots *s, rwa_error *err)
{
    size_t capacity = s->index_capacity > 0 ? 2 * s->index_capacity : 64, had = s->index_capacity;
    uint32_t *former = s->index, *index = NULL;
    if (s->next_id >= LIGHTPATH_IDS)
        return base_fail(err, RWA_NOMEM, "all numbers of lightpaths are given");
    if (2 * (s->named + 1) <= had)
        return RWA_OK;
    MUST(base_new(index, capacity, err));
    memset(index, 0xff, capacity * sizeof *index);
    s->index = index;
    s->index_capacity = capacity;
    for (size_t i = 0; i < had; i++)
        if (former[i] != NO_SLOT)
            put(s, former[i]);
    free(former);
    return RWA_OK;
}

void slots_name(struct slots *s, uint32_t slot, uint64_t id)
{
    assert(2 * (s->named + 1) <= s->index_capacity && s->list[slot].id == RWA_NO_LIGHTPATH);
    s->list[slot].id = id != RWA_NO_LIGHTPATH ? id : s->next_id;
    s->next_id = s->list[slot].id < s->next_id ? s->next_id : s->list[slot].id + 1;
    s->named++;
    put(s, slot);
}

/** Remove the lightpath in `slot` from the hash index of numbers, and move entries behind it so that searches still
 *  find them. */
static void unname(struct slots *s, uint32_t slot)
{
    size_t mask = s->index_capacity - 1, gap = home(s, s->list[slot].id);
    while (s->index[gap] != slot)
        gap = (gap + 1) & mask;
    for (size_t at = (gap + 1) & mask; s->index[at] != NO_SLOT; at = (at + 1) & mask) {
        size_t wants = home(s, s->list[s->index[at]].id);
        /* the search for this entry begins behind the gap */
        if (((at - wants) & mask) < ((at - gap) & mask))
            continue;
        s->index[gap] = s->index[at];
        gap = at;
    }
    s->index[gap] = NO_SLOT;
    s->list[slot].id = RWA_NO_LIGHTPATH;
    s->named--;
}

/** Insert the lightpath in `slot` into the list of those that are up, which is sorted by number. */
static void link_up(struct slots *s, uint32_t slot)
{
    struct slot *one = &s->list[slot];
    /* a tombstone returns to where it was; another lightpath goes to the end */
    uint32_t before = one->life == TOMBSTONE ? one->before : s->last;
    /* not the highest number: seek its place from the lightpath inserted last on, as files list them in ascending
     * order */
    if (before != NO_SLOT && s->list[before].id > one->id) {
        before = s->latest != NO_SLOT && s->list[s->latest].id < one->id ? s->latest : NO_SLOT;
        for (uint32_t next = before;
             (next = next == NO_SLOT ? s->first : s->list[next].after) != NO_SLOT && s->list[next].id < one->id;)
            before = next;
    }
    assert(before == NO_SLOT || (s->list[before].life == LIVE && s->list[before].id < one->id));
    one->before = before;
    one->after = before == NO_SLOT ? s->first : s->list[before].after;
    *(before == NO_SLOT ? &s->first : &s->list[before].after) = slot;
    *(one->after == NO_SLOT ? &s->last : &s->list[one->after].before) = slot;
    s->latest = slot;
}

static void unlink_from(struct slots *s, uint32_t slot)
{
    const struct slot *one = &s->list[slot];
    *(one->before == NO_SLOT ? &s->first : &s->list[one->before].after) = one->after;
    *(one->after == NO_SLOT ? &s->last : &s->list[one->after].before) = one->before;
    s->latest = s->latest == slot ? one->before : s->latest;
}

/* ---- lives ---- */

static void recycle(struct slots *s, uint32_t slot)
{
    struct slot *one = &s->list[slot];
    one->shared = one->lit = 0;
    one->requested = RWA_PROTECTION_NONE;
    if (one->id != RWA_NO_LIGHTPATH)
        unname(s, slot);
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
    if (one->life == LIVE && life != LIVE)
        unlink_from(s, slot);
    if (one->life != LIVE && life == LIVE)
        link_up(s, slot);
    s->live -= one->life == LIVE;
    s->live += life == LIVE;
    if (one->life != FREE && one->other != NO_SLOT)
        s->list[one->other].life = (uint8_t)(life == LIVE ? BACKUP : life);
    one->life = (uint8_t)life;
}

void slots_join(struct slots *s, uint32_t slot, uint32_t backup, bool shared)
{
    uint8_t life = s->list[slot].life;
    assert(s->list[backup].life == FREE && s->list[slot].other == NO_SLOT);
    s->list[slot].other = backup;
    s->list[backup].other = slot;
    s->list[backup].shared = shared;
    s->list[backup].life = life == LIVE ? BACKUP : life;
}

uint32_t slots_find(const struct slots *s, uint64_t id)
{
    if (id == RWA_NO_LIGHTPATH || s->named == 0)
        return NO_SLOT;
    for (size_t at = home(s, id); s->index[at] != NO_SLOT; at = (at + 1) & (s->index_capacity - 1))
        if (s->list[s->index[at]].id == id && s->list[s->index[at]].life == LIVE)
            return s->index[at];
    return NO_SLOT;
}

uint32_t slots_above(const struct slots *s, uint64_t id)
{
    uint32_t slot = slots_find(s, id);
    if (slot != NO_SLOT)
        return s->list[slot].after;
    for (slot = s->first; slot != NO_SLOT && s->list[slot].id <= id;)
        slot = s->list[slot].after;
    return slot;
}
