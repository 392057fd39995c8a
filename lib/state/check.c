/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The invariants of a state, for debug builds. */
#ifndef NDEBUG
#include "state/state.h"

/* A check visits all channels and lightpaths, so states larger than SMALL are checked only once in EVERY operations. */
enum { SMALL = 64, EVERY = 4096 };

static uint64_t closed_channels(const struct rwa_state *s)
{
    uint64_t open = 0;
    for (size_t i = 0; i < (size_t)s->carriers * s->words; i++)
        open += (uint64_t)__builtin_popcountll(s->free[i]);
    return (uint64_t)s->carriers * s->channels - open;
}

/** Check the invariants of the lightpath or backup in `slot`.  Return how many channels it takes, summed over its
 *  links; 0 if it is not up, or is a shared backup, whose channels others may take too. */
static uint32_t check_slot(const struct rwa_state *s, uint32_t slot)
{
    const struct slot *one = slot_at(s, slot);
    assert(one->hops > 0 && one->hops <= (uint32_t)1 << one->size && one->channel < s->channels);
    assert(one->first + one->hops <= s->slots.number_count && one->src != one->dst);
    assert(one->other == NO_SLOT || slot_at(s, one->other)->other == slot);
    assert(one->width > 0 && one->channel / s->fibers + slot_span(one) <= rwa_network_wavelengths(s->net));
    assert(!one->lit || (one->life == BACKUP && one->shared));
    bool up = one->life == LIVE || one->life == BACKUP;
    for (uint32_t k = 0; up && k < one->hops; k++)
        for (uint32_t i = 0; i < slot_span(one); i++)
            assert(!is_free(s, s->carrier[slot_links(s, slot)[k]], one->channel + i * s->fibers));
    return up && !one->shared ? one->hops * slot_span(one) : 0;
}

/** Return how many tombstones an event of the history needs for undo: one for the released lightpath, or for the former
 *  route of the moved one, and one more for a backup of it.  Other events need none. */
static size_t tombstones_of(const struct rwa_state *s, const struct event *e)
{
    uint32_t slot = e->operation == MOVED ? e->former : e->subject;
    if (e->operation != RELEASED && e->operation != MOVED)
        return 0;
    return slot_at(s, slot)->other == NO_SLOT ? 1 : 2;
}

static size_t tombstones_needed(const struct rwa_state *s)
{
    const struct history *h = &s->history;
    size_t count = 0;
    for (uint32_t i = 1; i <= h->kept; i++)
        count += tombstones_of(s, &h->ring[(h->operations - i) & h->mask]);
    return count;
}

/** Check that each shared backup that is lit is needed, and that each dark one that is needed shares a channel with a
 *  lit one.  Return the channels of the lit ones, summed over links. */
static uint64_t lit_channels(const struct rwa_state *s)
{
    uint64_t lit = 0;
    EACH_LIGHTPATH(s, slot) {
        uint32_t backup = slot_at(s, slot)->other;
        if (backup == NO_SLOT || !slot_at(s, backup)->shared)
            continue;
        const struct slot *one = slot_at(s, backup);
        bool needed = !is_whole(s, slot) && is_whole(s, backup);
        assert(one->lit ? needed : !needed || switching_is_taken(s, backup));
        lit += one->lit ? (uint64_t)one->hops * slot_span(one) : 0;
    }
    return lit;
}

static void check_all(const struct rwa_state *s)
{
    uint64_t alone = 0, used = 0, id = RWA_NO_LIGHTPATH;
    size_t live = 0, tombstones = 0, listed = 0;
    for (uint32_t slot = 0; slot < s->slots.count; slot++) {
        enum life life = (enum life)slot_at(s, slot)->life;
        live += life == LIVE;
        tombstones += life == TOMBSTONE;
        alone += life == FREE ? 0 : check_slot(s, slot);
    }
    EACH_LIGHTPATH(s, slot) {
        assert(slot_at(s, slot)->id > id && slot_at(s, slot)->life == LIVE);
        id = slot_at(s, slot)->id;
        listed++;
    }
    assert(listed == live && id < s->slots.next_id);
    for (uint32_t w = 0; w < rwa_network_wavelengths(s->net); w++)
        used += s->use[w];
    assert(live == s->slots.live && tombstones == tombstones_needed(s));
    assert(used == s->taken && alone <= used);
    uint64_t lit = lit_channels(s);
    for (size_t i = 0; s->switching.lit && i < (size_t)s->carriers * s->words; i++)
        lit -= (uint64_t)__builtin_popcountll(s->switching.lit[i]);
    assert(lit == 0);   /* so no channel is lit twice */
    assert(closed_channels(s) == s->closed + s->taken); /* so none but backups share a channel of a link */
}

void state_check(const struct rwa_state *s)
{
    const struct history *h = &s->history;
    assert(h->kept <= h->capacity && h->capacity <= h->mask + 1 && h->operations >= h->kept);
    if (s->slots.count <= SMALL || h->operations % EVERY == 0)
        check_all(s);
}
#else
typedef int state_check_is_compiled_out;
#endif
