/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Find where the holders of a block can send it over free channels, by a forward search from all holders at once. */
#include "delivery/delivery_state.h"

#include "network/network.h"

/* Extend the search over the links out of a node that it has reached on some channels.  Append to s->queue, which has
 * `waiting` entries, each node that is reached on channels that are new there, unless it is in the queue already.
 * Returns the new number of entries. */
static uint32_t lead_on(struct delivery_state *s, uint32_t node, uint32_t waiting)
{
    struct backward_search *b = &s->search;
    size_t words = s->map.words;
    for (uint32_t i = s->net->first[node]; i < s->net->first[node + 1]; i++) {
        uint32_t link = s->net->out[i], to = s->net->links[link].to;
        const uint64_t *row = load_map_row(&s->map, delivery_link(s, link)), *here = b->seen + node * words;
        uint64_t *there = b->seen + to * words, fresh = 0;
        for (size_t w = 0; w < words; w++) {
            fresh |= here[w] & row[w] & ~there[w];
            there[w] |= here[w] & row[w];
        }
        if (fresh == 0 || b->stamp[to] == b->token)
            continue;
        b->stamp[to] = b->token;
        s->queue[waiting++] = to;
    }
    return waiting;
}

void delivery_sweep_ahead(struct delivery_state *s, uint64_t block, uint64_t *leads)
{
    struct backward_search *b = &s->search;
    size_t words = s->map.words;
    uint32_t waiting = 0;
    b->token++;
    memset(b->seen, 0, s->nodes * words * sizeof *b->seen);
    for (uint32_t v = 0; v < s->nodes; v++)
        if (delivery_can_send(s, v, block)) {
            memset(b->seen + v * words, 0xff, words * sizeof *b->seen);
            s->queue[waiting++] = v;
        }
    while (waiting > 0) {
        uint32_t node = s->queue[--waiting];
        b->stamp[node] = 0;
        set_bit(leads, node);
        waiting = lead_on(s, node, waiting);
    }
}
