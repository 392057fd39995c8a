/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Measures how the free slots are split into blocks (runs of adjacent free slots), and moves lightpaths to join the
 *  blocks again. */
#include "state/state.h"

/* ---- measures ---- */

/** The number, total size, largest size and entropy of the free blocks of one fibre. */
struct blocks {
    uint32_t count, free, largest;
    double entropy;
};

static bool has_fiber(const struct rwa_state *s, uint32_t carrier, uint32_t fiber)
{
    return fiber < s->carrier_fibers[carrier];
}

static void end_block(struct blocks *b, uint32_t size, uint32_t slots)
{
    double share = (double)size / slots;
    if (size == 0)
        return;
    b->count++;
    b->free += size;
    RAISE(b->largest, size);
    b->entropy -= share * log(share);
}

static struct blocks blocks_of(const struct rwa_state *s, uint32_t carrier, uint32_t fiber)
{
    struct blocks b = {0};
    uint32_t slots = s->channels / s->fibers, run = 0;
    for (uint32_t w = 0; w < slots; w++) {
        bool open = is_free(s, carrier, channel_of(s, fiber, w));
        if (!open)
            end_block(&b, run, slots);
        run = open ? run + 1 : 0;
    }
    end_block(&b, run, slots);
    return b;
}

static uint32_t highest_slot(const struct rwa_state *s)
{
    uint32_t w = s->channels / s->fibers;
    while (w > 0 && s->use[w - 1] == 0)
        w--;
    return w;
}

static rwa_fragmentation measure(const struct rwa_state *s)
{
    rwa_fragmentation f = {.highest = highest_slot(s)};
    uint32_t fibers = 0, open = 0;
    for (uint32_t c = 0; c < s->carriers; c++)
        for (uint32_t fiber = 0; fiber < s->fibers; fiber++) {
            if (s->failed[c] || !has_fiber(s, c, fiber))
                continue;
            struct blocks b = blocks_of(s, c, fiber);
            fibers++;
            open += b.free > 0;
            f.external += b.free > 0 ? 1 - (double)b.largest / b.free : 0;
            f.entropy += b.entropy;
            f.blocks += b.count;
        }
    f.external /= open > 0 ? open : 1;
    f.entropy /= fibers > 0 ? fibers : 1;
    f.blocks /= fibers > 0 ? fibers : 1;
    return f;
}

void rwa_state_fragmentation_sized(rwa_fragmentation *out, size_t size, const rwa_state *s)
{
    rwa_fragmentation f = measure(s);
    base_give_answer(out, size, &f, sizeof f);
}

/* ---- moves ---- */

struct relocation {
    uint64_t id;
    uint32_t slot, top;     /* top: the slot above its highest one */
};

COMPARATOR(by_height, struct relocation, DOWN(top) UP(id))

static size_t list_candidates(struct relocation *list, const struct rwa_state *s)
{
    size_t count = 0;
    EACH_LIGHTPATH(s, slot) {
        const struct slot *one = slot_at(s, slot);
        if (one->other != NO_SLOT || state_is_held(s, slot))
            continue;   /* not moved: its backup was chosen for its route, or a plan uses its channel */
        list[count++] = (struct relocation){one->id, slot, one->channel / s->fibers + slot_span(one)};
    }
    return count;
}

/** Return the lowest channel at which the lightpath in `slot` fits on its present route, if that channel is on a lower
 *  wavelength than the present one.  NO_CHANNEL: there is none, or a link of the route has failed. */
static uint32_t lower_place(struct rwa_state *s, uint32_t slot)
{
    const struct slot *one = slot_at(s, slot);
    if (!is_whole(s, slot))
        return NO_CHANNEL;
    uint32_t place = free_lowest(s, slot_links(s, slot), one->hops, slot_span(one), NULL);
    return place != NO_CHANNEL && place / s->fibers < one->channel / s->fibers ? place : NO_CHANNEL;
}

/** Move up to `most` lightpaths to lower channels of their routes, those that reach highest in the spectrum first; set
 *  *moved to their number.  Lightpaths with backups, and those held for plans, stay.  `list` has space for all
 *  lightpaths. */
static rwa_status lower_all(struct rwa_state *s, struct relocation *list, uint32_t most, uint32_t *moved,
                            rwa_error *err)
{
    size_t count = list_candidates(list, s);
    rwa_placed placed;
    *moved = 0;
    base_sort(list, count, by_height);
    for (size_t i = 0; i < count && *moved < most; i++) {
        uint32_t place = lower_place(s, list[i].slot);
        if (place == NO_CHANNEL)
            continue;
        rwa_request request = state_retuned(s, list[i].slot, place);
        MUST(rwa_state_move(&placed, s, list[i].id, &request, err));
        ++*moved;
    }
    return RWA_OK;
}

rwa_status rwa_state_defragment_sized(rwa_defragmentation *out, size_t size, rwa_state *state, uint32_t most,
                                      rwa_error *err)
{
    BEGIN(err, out, state);
    rwa_defragmentation found = {.before = measure(state)};
    struct relocation *list = NULL;
    uint32_t left = most > 0 ? most : UINT32_MAX, moved = 0;
    rwa_status st = RWA_OK;
    TRY(base_new(list, state->slots.live, err));
    do {    /* terminates: every move lowers the sum of all slots in use */
        TRY(lower_all(state, list, left, &moved, err));
        found.moves += moved;
        left -= moved;
    } while (moved > 0 && left > 0);
done:
    found.after = measure(state);
    base_give_answer(out, size, &found, sizeof found);
    free(list);
    return st;
}
