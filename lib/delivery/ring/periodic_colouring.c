/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Search for periods, intervals of channels that repeat round the ring.  A hop stands for the lightpaths of one length
 * at all nodes, and fills as many channels of a period as it has links.  A period must be filled exactly, by hops and
 * by idle channels, which count as hops of length 1. */
#include "delivery/ring/periodic_colouring.h"

#include "base/arena.h"
#include "base/arithmetic.h"

/** The hops, sorted by length, while they are packed into periods (intervals of channels that repeat round the
 * ring). */
struct period_packing {
    struct arena memory;        /* of the arrays */
    struct colouring *colouring;
    const uint32_t *length;
    uint32_t *left;         /* hops of each length still to place; idle channels count as hops of length 1 */
    uint32_t *first;        /* of each length: its hops are order[first[s]] … order[first[s + 1] - 1] */
    uint32_t *order;        /* hops by length */
    uint32_t *next;         /* of each length: the next of them to place */
    /* of each sum: the length it was reached by, and how often that was used; came 0: not reached */
    uint32_t *came, *used;
    uint32_t longest, channels;
};

/** Sort the hops by length into p->order, with a counting sort. */
static void sort_hops(struct period_packing *p, size_t count)
{
    for (size_t i = 0; i < count; i++)
        p->first[p->length[i] + 1]++;
    for (uint32_t s = 0; s <= p->channels; s++)
        p->first[s + 1] += p->first[s];
    memcpy(p->next, p->first, ((size_t)p->channels + 1) * sizeof *p->next);
    for (size_t i = 0; i < count; i++)
        p->order[p->next[p->length[i]]++] = (uint32_t)i;
}

static rwa_status packing_create(struct period_packing *p, struct colouring *t, const uint32_t *length, size_t count,
                                 uint32_t channels, rwa_error *err)
{
    size_t space = (size_t)channels + 2;
    *p = (struct period_packing){.memory.err = err, .colouring = t, .length = length, .channels = channels};
    arena_arrays(&p->memory, space, p->left, p->first, p->next, p->came, p->used);
    MUST(arena_arrays(&p->memory, count, p->order));
    MUST(base_new(t->start, count, err));
    MUST(base_new(t->period, count, err));
    MUST(base_new(t->base, space, err));
    sort_hops(p, count);
    for (size_t i = 0; i < count; i++)
        RAISE(p->longest, length[i]);
    return RWA_OK;
}

/** Mark all hops as not placed, for a new try with `size` channels.  Of these, `idle` channels are to stay unused. */
static void unpack(struct period_packing *p, uint32_t size, uint32_t idle)
{
    for (uint32_t s = 1; s <= p->longest; s++) {
        p->left[s] = p->first[s + 1] - p->first[s];
        p->next[s] = p->first[s];
    }
    p->left[1] += idle;
    p->colouring->size = size;
    p->colouring->periods = 0;
    p->colouring->base[0] = 0;
}

/** Find the numbers of channels, up to `most`, that hops not yet placed can fill: the sums of their lengths.  Hops
 * longer than `longest` are not used, and long ones are preferred.  p->came[sum] and p->used[sum] tell how each sum is
 * made. */
static void find_sums(struct period_packing *p, uint32_t longest, uint32_t most)
{
    memset(p->came, 0, ((size_t)most + 1) * sizeof *p->came);
    for (uint32_t s = longest; s > 0; s--) {
        if (p->left[s] == 0)
            continue;
        for (uint32_t sum = s; sum <= most; sum++) {
            uint32_t before = sum - s, used = p->came[before] == s ? p->used[before] : 0;
            if (p->came[sum] != 0 || (before > 0 && p->came[before] == 0) || used == p->left[s])
                continue;
            p->came[sum] = s;
            p->used[sum] = used + 1;
        }
    }
}

/** Place a hop of this length on the channels from `at` on, in the period being filled.  If all hops of length 1 are
 * placed, one of that length is an idle channel, so nothing is stored. */
static void place(struct period_packing *p, uint32_t length, uint32_t at)
{
    struct colouring *t = p->colouring;
    assert(p->left[length] > 0 && at + length <= t->size);
    p->left[length]--;
    if (p->next[length] == p->first[length + 1])
        return;
    uint32_t hop = p->order[p->next[length]++];
    t->start[hop] = at + length - 1;
    t->period[hop] = (uint32_t)t->periods;
}

/** Add a period of `size` channels, filled by a hop of length `longest` and other hops as find_sums() found. */
static void add_period(struct period_packing *p, uint32_t longest, uint32_t size)
{
    struct colouring *t = p->colouring;
    uint32_t at = t->base[t->periods];
    place(p, longest, at);
    at += longest;
    for (uint32_t sum = size - longest; sum > 0;) {
        uint32_t s = p->came[sum];
        assert(s > 0 && s <= sum);
        place(p, s, at);
        at += s;
        sum -= s;
    }
    t->base[++t->periods] = at;
}

/** Return the largest possible size of the next period, when `size` channels are divided into periods.  That is the
 * number of channels left, but at most `multiple`, which must be divisible by the size of every period.  multiple 0:
 * without this condition. */
static uint32_t channels_for(const struct period_packing *p, uint32_t size, uint32_t multiple)
{
    return (uint32_t)limited(size - p->colouring->base[p->colouring->periods], multiple);
}

/** Return a size for the next period, the largest possible one if `large`, else the smallest; 0: there is none.  The
 * size is at most `space`, divides `multiple` (0: any size does), and can be filled exactly by a hop of length
 * `longest` and others not yet placed. */
static uint32_t period_size(const struct period_packing *p, uint32_t longest, uint32_t space, uint32_t multiple,
                            bool large)
{
    assert(longest > 0 && longest <= space);
    for (uint32_t i = 0; i <= space - longest; i++) {
        uint32_t size = large ? space - i : longest + i;
        if (multiple % size == 0 && (size == longest || p->came[size - longest] != 0))
            return size;
    }
    return 0;
}

/** Divide `size` channels, of which `idle` stay unused, completely into periods whose sizes divide `multiple` (0: any
 * size will do).  Large periods come first if `large`, else small ones.  Returns whether that is possible. */
static bool pack(struct period_packing *p, uint32_t size, uint32_t idle, uint32_t multiple, bool large)
{
    struct colouring *t = p->colouring;
    unpack(p, size, idle);
    for (uint32_t longest = p->longest; t->base[t->periods] < size;) {
        uint32_t space = channels_for(p, size, multiple);
        while (p->left[longest] == 0)
            longest--;
        if (longest > space)
            return false;
        p->left[longest]--;
        find_sums(p, longest, space - longest);
        p->left[longest]++;
        uint32_t next = period_size(p, longest, space, multiple, large);
        if (next == 0)
            return false;
        add_period(p, longest, next);
    }
    return true;
}

static bool pack_cut(struct period_packing *p, uint32_t size, uint32_t idle, uint32_t uncut)
{
    uint32_t rest = p->colouring->nodes - uncut;
    p->colouring->uncut = uncut;
    return pack(p, size, idle, rest, true) || pack(p, size, idle, rest, false);
}

/** Try to make all channels a single period for the whole ring, which suits any lengths.  It is possible if some number
 * from `load` to `channels` divides the number of nodes.  Returns whether it is. */
static bool pack_whole(struct period_packing *p, uint32_t load, uint32_t channels)
{
    for (uint32_t size = load; size <= channels; size++)
        if (p->colouring->nodes % size == 0) {
            p->colouring->uncut = p->colouring->nodes;
            return pack(p, size, size - load, size, true);
        }
    return false;
}

/** Try to divide the channels into periods in several ways, with limited effort.  At least `load` channels are needed.
 * Returns whether one of the ways succeeds. */
static bool pack_any(struct period_packing *p, uint32_t load, uint32_t channels)
{
    enum { TRIES = 4096, USUAL_SIZE = 4096 };
    uint32_t nodes = p->colouring->nodes;
    uint64_t effort = 0;
    if (pack_whole(p, load, channels))
        return true;
    for (uint32_t lap = 0; lap <= nodes / load; lap++)
        for (uint32_t size = channels; size >= load; size--) {
            uint32_t laps = nodes / size;
            if (lap <= laps && pack_cut(p, size, size - load, (laps - lap) * size))
                return true;
            effort += size < USUAL_SIZE ? USUAL_SIZE : size;
            if (effort >= (uint64_t)TRIES * USUAL_SIZE)
                return false;
        }
    return false;
}

rwa_status colouring_find(struct colouring *t, const uint32_t *length, size_t count, uint32_t nodes, uint32_t channels,
                          rwa_error *err)
{
    struct period_packing p;
    uint64_t load = 0;
    memset(t, 0, sizeof *t);
    t->nodes = nodes;
    t->hops = count;
    for (size_t i = 0; i < count; i++)
        load += length[i];
    if (load > channels || count == 0)
        return RWA_OK;
    rwa_status st = packing_create(&p, t, length, count, channels, err);
    if (st == RWA_OK && !pack_any(&p, (uint32_t)load, channels))
        t->size = 0;
    arena_free(&p.memory);
    return st;
}

void colouring_free(struct colouring *t)
{
    free_all(t->start, t->period, t->base);
    memset(t, 0, sizeof *t);
}

uint32_t colouring_channel(const struct colouring *t, size_t hop, uint32_t node, uint32_t *run, uint32_t *period)
{
    assert(t->size > 0 && hop < t->hops && node < t->nodes);
    if (node < t->uncut) {
        *run = t->uncut - node;
        *period = t->size;
        return (t->start[hop] + node) % t->size;
    }
    uint32_t base = t->base[t->period[hop]], size = t->base[t->period[hop] + 1] - base;
    uint32_t within = (t->start[hop] - base + (node - t->uncut)) % size;
    *run = t->nodes - node;
    *period = size;
    if (base % size > 0) { /* an orbit's channels begin at a multiple of its period: up to the period's end only */
        LOWER(*run, size - within);
        *period = base + size;
    }
    return base + within;
}
