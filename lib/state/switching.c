/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Which shared backups are lit.  A backup is set up (lit) when the route of its lightpath has failed, its own route has
 * not, and no other lit backup uses one of its channels; so no channel is lit twice.  It stays lit until the working
 * route is repaired, a link of the backup fails, or its lightpath is released; until then no other backup takes its
 * channels.  If one operation allows several backups to be lit, those of lightpaths that carried until then go before
 * those that waited, each by number.  So a lightpath on its route, whose backup has no failed link and meets no lit
 * one, survives the next failure of a link or risk group: the other lightpaths that the failure cuts share no channel
 * with its backup (protect.c), those that waited come later, and no lit backup comes back to its channels.
 * Each change is logged, so that undoing an operation restores exactly what was lit before it.
 */
#include "state/state.h"

static uint32_t backup_of(const struct rwa_state *s, uint32_t slot)
{
    uint32_t backup = slot_at(s, slot)->other;
    return backup != NO_SLOT && slot_at(s, backup)->shared ? backup : NO_SLOT;
}

/** Return the word of the bitset of lit channels that has the i-th channel of a backup on link k of its route (both
 *  from 0).  Set *bit to the mask of this channel in the word. */
static uint64_t *lit_word(const struct rwa_state *s, uint32_t backup, uint32_t k, uint32_t i, uint64_t *bit)
{
    const struct slot *one = slot_at(s, backup);
    uint32_t channel = one->channel + i * s->fibers, carrier = s->carrier[slot_links(s, backup)[k]];
    *bit = UINT64_C(1) << channel % 64;
    return &s->switching.lit[(size_t)carrier * s->words + channel / 64];
}

/** Tell whether a lit backup uses one of this backup's channels on some link of its route. */
static bool meets_light(const struct rwa_state *s, uint32_t backup)
{
    const struct slot *one = slot_at(s, backup);
    uint64_t bit = 0;
    for (uint32_t k = 0; k < one->hops; k++)
        for (uint32_t i = 0; i < slot_span(one); i++)
            if (*lit_word(s, backup, k, i, &bit) & bit)
                return true;
    return false;
}

static void toggle(struct rwa_state *s, uint32_t backup)
{
    struct slot *one = slot_at(s, backup);
    uint64_t bit = 0;
    for (uint32_t k = 0; k < one->hops; k++)
        for (uint32_t i = 0; i < slot_span(one); i++) {
            uint64_t *word = lit_word(s, backup, k, i, &bit);
            assert(((*word & bit) != 0) == one->lit);
            *word ^= bit;
        }
    one->lit = !one->lit;
}

/* ---- the log ---- */

rwa_status switching_reserve(struct rwa_state *s, rwa_error *err)
{
    struct switching *w = &s->switching;
    if (w->first + w->count + w->backups <= base_capacity(w->log))
        return RWA_OK;
    if (w->first >= w->count + w->backups) {
        memmove(w->log, w->log + w->first, w->count * sizeof *w->log);
        w->first = 0;
    }
    return base_reserve(w->log, w->first + w->count + w->backups, err);
}

rwa_status switching_prepare(struct rwa_state *s, uint32_t from, rwa_error *err)
{
    if (!s->switching.lit || (from != NO_SLOT && !switching_is_lit(s, from)))
        return RWA_OK;
    EACH_LIGHTPATH(s, slot)
        if (backup_of(s, slot) != NO_SLOT)
            slot_at(s, backup_of(s, slot))->was_up = switching_carries(s, slot);
    return switching_reserve(s, err);
}

static void change(struct rwa_state *s, uint32_t backup)
{
    struct switching *w = &s->switching;
    assert(w->first + w->count < base_capacity(w->log));
    w->log[w->first + w->count++] = backup;
    w->fresh++;
    toggle(s, backup);
}

uint32_t switching_end(struct rwa_state *s)
{
    uint32_t fresh = s->switching.fresh;
    s->switching.fresh = 0;
    return fresh;
}

void switching_replay(struct rwa_state *s, uint32_t count, bool forward)
{
    struct switching *w = &s->switching;
    assert(w->fresh == 0 && (forward || count <= w->count));
    for (; count > 0; count--)
        toggle(s, w->log[w->first + (forward ? w->count++ : --w->count)]);
}

void switching_forget(struct rwa_state *s, uint32_t count)
{
    struct switching *w = &s->switching;
    assert(count <= w->count);
    w->count -= count;
    w->first = w->count > 0 ? w->first + count : 0;
}

/* ---- switching over and back ---- */

/** Tell whether the lightpath's working route has a failed link while its backup has none. */
static bool is_needed(const struct rwa_state *s, uint32_t slot, uint32_t backup)
{
    return !is_whole(s, slot) && is_whole(s, backup);
}

void switching_update(struct rwa_state *s)
{
    if (!s->switching.lit)
        return;
    EACH_LIGHTPATH(s, slot) {
        uint32_t backup = backup_of(s, slot);
        if (backup != NO_SLOT && slot_at(s, backup)->lit && !is_needed(s, slot, backup))
            change(s, backup);
    }
    for (int was_up = 1; was_up >= 0; was_up--)
        EACH_LIGHTPATH(s, slot)
            if (backup_of(s, slot) != NO_SLOT && slot_at(s, backup_of(s, slot))->was_up == (unsigned)was_up)
                switching_light(s, slot);
}

void switching_light(struct rwa_state *s, uint32_t slot)
{
    uint32_t backup = backup_of(s, slot);
    if (backup != NO_SLOT && !slot_at(s, backup)->lit && is_needed(s, slot, backup) && !meets_light(s, backup))
        change(s, backup);
}

bool switching_is_lit(const struct rwa_state *s, uint32_t slot)
{
    uint32_t backup = backup_of(s, slot);
    return backup != NO_SLOT && slot_at(s, backup)->lit;
}

void switching_leave(struct rwa_state *s, uint32_t slot)
{
    bool lit = switching_is_lit(s, slot);
    if (lit)
        change(s, backup_of(s, slot));
    state_set_live(s, slot, false);
    if (lit)
        switching_update(s);
}

void switching_exchange(struct rwa_state *s, uint32_t slot, uint32_t other)
{
    bool lit = switching_is_lit(s, slot);
    if (lit)
        change(s, backup_of(s, slot));
    state_swap(s, slot, other);
    if (lit)
        switching_update(s);
}

bool switching_is_taken(const struct rwa_state *s, uint32_t backup)
{
    const struct slot *one = slot_at(s, backup);
    return one->shared && !one->lit && meets_light(s, backup);
}

bool switching_carries(const struct rwa_state *s, uint32_t slot)
{
    uint32_t backup = slot_at(s, slot)->other;
    if (is_whole(s, slot) || backup == NO_SLOT)
        return is_whole(s, slot);
    return slot_at(s, backup)->shared ? slot_at(s, backup)->lit : is_whole(s, backup);
}

void switching_free(struct rwa_state *s)
{
    free(s->switching.log);
}
