/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/timings.h"

enum { FIRST_SLOTS = 256, SLOTS_MOST = 1 << 16 };

void timings_free(struct timings *t)
{
    free(t->slot);
    *t = (struct timings){0};
}

/** Two hashes that multiply by different odd numbers, and move high bits down. */
static void mix(uint64_t key[2], uint64_t word)
{
    key[0] = (key[0] ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    key[0] ^= key[0] >> 32;
    key[1] = (key[1] + word) * UINT64_C(0xc2b2ae3d27d4eb4f);
    key[1] ^= key[1] >> 29;
}

static void mix_number(uint64_t key[2], double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    mix(key, word);
}

void timing_set_key(struct timing *timing, const struct exchange *e, double step_s, double block_s)
{
    *timing = (struct timing){.key = {1, 1}};
    mix_number(timing->key, step_s);
    mix_number(timing->key, block_s);
    mix(timing->key, e->at_once);
    for (size_t i = 0; i < e->count; i++) {
        mix(timing->key, (uint64_t)e->src[i] << 32 | e->dst[i]);
        mix(timing->key, e->blocks[i]);
    }
    timing->key[0] |= 1; /* no key of a free slot */
}

/** The slot with the key, or the free one where it belongs. */
static struct timing *slot_of(const struct timings *t, const uint64_t key[2])
{
    size_t i = (size_t)key[1] & (t->slots - 1);
    while (t->slot[i].key[0] != 0 && memcmp(t->slot[i].key, key, sizeof t->slot[i].key) != 0)
        i = (i + 1) & (t->slots - 1);
    return &t->slot[i];
}

bool timings_find(const struct timings *t, struct timing *timing)
{
    const struct timing *found = t->slots > 0 ? slot_of(t, timing->key) : NULL;
    if (!found || found->key[0] == 0)
        return false;
    *timing = *found;
    return true;
}

static rwa_status grow(struct timings *t, rwa_error *err)
{
    struct timings more = {.slots = t->slots > 0 ? 2 * t->slots : FIRST_SLOTS, .count = t->count};
    MUST(base_new(more.slot, more.slots, err));
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i].key[0] != 0)
            *slot_of(&more, t->slot[i].key) = t->slot[i];
    free(t->slot);
    *t = more;
    return RWA_OK;
}

rwa_status timings_keep(struct timings *t, const struct timing *timing, rwa_error *err)
{
    if (2 * t->count >= t->slots && t->slots == SLOTS_MOST)
        return RWA_OK;
    if (2 * t->count >= t->slots)
        MUST(grow(t, err));
    struct timing *slot = slot_of(t, timing->key);
    assert(slot->key[0] == 0);
    *slot = *timing;
    t->count++;
    return RWA_OK;
}
