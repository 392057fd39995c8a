/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assign channels to arcs of a ring by backtracking: first the arcs that cross the last link, each on a channel of its
 * own, then all others from left to right. */
#include "delivery/ring/per_owner_trees.h"

/** CHANNELS: largest number of channels.  PLACED_MOST: limit on the arcs placed, including those taken back; some
 * milliseconds. */
enum { CHANNELS = 256, PLACED_MOST = 100000 };

struct colouring_trial {
    const uint32_t *start, *length;
    uint32_t *channel, *order;
    size_t count;
    uint32_t channels;
    uint32_t free_from[CHANNELS], free_to[CHANNELS];    /* links of each channel not yet taken */
    uint64_t effort;
};

/** Tell whether a channel need not be tried, since from link `start` on a lower channel is free on the same links. */
static bool is_repeated(const struct colouring_trial *t, uint32_t channel, uint32_t start)
{
    for (uint32_t c = 0; c < channel; c++)
        if (t->free_from[c] <= start && t->free_to[c] == t->free_to[channel])
            return true;
    return false;
}

static bool place(struct colouring_trial *t, size_t at)
{
    if (at == t->count)
        return true;
    if (t->effort-- == 0) {
        t->effort = 0;
        return false;
    }
    uint32_t arc = t->order[at], from = t->start[arc], to = from + t->length[arc];
    assert(at == 0 || t->start[t->order[at - 1]] <= from);
    for (uint32_t c = 0; c < t->channels; c++) {
        uint32_t before = t->free_from[c];
        if (before > from || to > t->free_to[c] || is_repeated(t, c, from))
            continue;
        t->free_from[c] = to;
        t->channel[arc] = c;
        if (place(t, at + 1))
            return true;
        t->free_from[c] = before;
        if (t->effort == 0)
            return false;
    }
    return false;
}

static void sort_by_start(uint32_t *order, size_t count, const uint32_t *start)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t arc = order[i];
        size_t at = i;
        for (; at > 0 && start[order[at - 1]] > start[arc]; at--)
            order[at] = order[at - 1];
        order[at] = arc;
    }
}

bool arcs_colour(uint32_t *channel, const uint32_t *start, const uint32_t *length, size_t count, uint32_t nodes,
                 uint32_t channels, uint32_t *order)
{
    struct colouring_trial t = {.start = start,
                                .length = length,
                                .channel = channel,
                                .order = order,
                                .channels = channels,
                                .effort = PLACED_MOST};
    uint32_t over = 0;
    if (channels > CHANNELS)
        return false;
    for (uint32_t c = 0; c < channels; c++)
        t.free_to[c] = nodes;
    for (uint32_t i = 0; i < count; i++) {
        if (start[i] + length[i] <= nodes) {
            order[t.count++] = i;
            continue;
        }
        if (over == channels)
            return false;
        t.free_from[over] = start[i] + length[i] - nodes;
        t.free_to[over] = start[i];
        channel[i] = over++;
    }
    sort_by_start(order, t.count, start);
    return place(&t, 0);
}
