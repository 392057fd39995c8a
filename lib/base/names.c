/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"

#include "base/base.h"

/** Return the FNV-1a hash (Fowler, Noll, Vo) of a text. */
static uint64_t hash(const char *text)
{
    uint64_t h = 0xCBF29CE484222325u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001B3u;
    return h ^ (h >> 32);
}

/** Return the slot of the hash table that holds the name, or the free slot where it would go. */
static size_t find_slot(const struct names *names, const char *text)
{
    assert(names->slot_count > names->count);
    size_t mask = names->slot_count - 1, at = (size_t)hash(text) & mask;
    while (names->slots[at] && strcmp(names->list[names->slots[at] - 1], text) != 0)
        at = (at + 1) & mask;
    return at;
}

/** Double the hash table.  At most half of it is ever full, so that searches end soon.  RWA_NOMEM. */
static rwa_status widen(struct names *names, rwa_error *err)
{
    size_t wanted = names->slot_count ? names->slot_count * 2 : 64;
    uint32_t *slots;
    MUST(base_new(slots, wanted, err));
    free(names->slots);
    names->slots = slots;
    names->slot_count = wanted;
    for (uint32_t i = 0; i < names->count; i++)
        slots[find_slot(names, names->list[i])] = i + 1;
    return RWA_OK;
}

rwa_status names_add(struct names *names, const char *text, uint32_t *number, rwa_error *err)
{
    if ((size_t)names->count * 2 >= names->slot_count)
        MUST(widen(names, err));
    size_t slot = find_slot(names, text);
    if (!names->slots[slot]) {
        MUST(base_reserve(names->list, (size_t)names->count + 1, err));
        if (!(names->list[names->count] = base_copy_text(text, err)))
            return RWA_NOMEM;
        names->slots[slot] = ++names->count;
    }
    *number = names->slots[slot] - 1;
    return RWA_OK;
}

uint32_t names_find(const struct names *names, const char *text)
{
    return names->slot_count ? names->slots[find_slot(names, text)] - 1 : NAMES_NONE;
}

void names_free(struct names *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free_all(names->list, names->slots);
    *names = (struct names){0};
}
