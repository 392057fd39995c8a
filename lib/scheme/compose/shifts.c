/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all on a circle of nodes: blocks with the same distance from source to destination take the same hops.  The
 * distance is written in digits, and the blocks move one digit at a time. */
#include "scheme/compose/matchings.h"

/** All distances with the same value of the current digit, which move together. */
struct shift_item {
    uint32_t digit;
    uint32_t count;
};

COMPARATOR(by_count, struct shift_item, DOWN(count) UP(digit))

struct digit {
    struct matchings *m;
    uint32_t unit, radix; /* of this digit */
    uint64_t scale;
};

/** Add to the last transfer some of the blocks that node v sends on for an item (all distances with the same value of
 * the digit).  The blocks of an item are ordered by distance, d->scale for each; those at positions `from` to `to` - 1
 * are added. */
static void list_blocks(const struct digit *d, const struct shift_item *item, uint32_t v, uint64_t from, uint64_t to)
{
    uint64_t n = d->m->fabric.nodes;
    for (uint64_t k = from / d->scale; k * d->scale < to && !d->m->timed; k++) {
        uint64_t place = k % d->unit, z = (item->digit + k / d->unit * d->radix) * d->unit + place;
        uint64_t src = (v + n - place) % n, at = k * d->scale, low = at > from ? at : from;
        uint64_t end = at + d->scale < to ? at + d->scale : to;
        matchings_run(
            d->m, (rwa_run){(uint32_t)((src * n + (src + z) % n) * d->scale + (low - at)), (uint32_t)(end - low), 1});
    }
}

/** Send the blocks of an item (all distances with the same value of the digit) from every node to the node that this
 * value leads to.  The blocks are divided evenly among `ports` ports, the first of which is `port`. */
static void send_item(const struct digit *d, const struct shift_item *item, uint32_t port, uint32_t ports)
{
    uint32_t n = d->m->fabric.nodes, places = d->m->timed ? 1 : n;
    uint64_t blocks = item->count * d->scale, shift = (uint64_t)item->digit * d->unit % n;
    for (uint32_t p = 0; p < ports; p++) {
        uint64_t from = blocks * p / ports, to = blocks * (p + 1) / ports;
        for (uint32_t v = 0; v < places && from < to; v++) {
            matchings_send(d->m, port + p, shift, v, (uint32_t)((v + shift) % n), to - from);
            list_blocks(d, item, v, from, to);
        }
    }
}

/** Append the steps that move all blocks by one digit of their distance.  Each item is a value of the digit; in a step
 * there are as many items as ports, those with the most blocks first, and they share the ports evenly. */
static void send_items(const struct digit *d, struct shift_item *item, uint32_t items)
{
    const struct fabric *f = &d->m->fabric;
    qsort(item, items, sizeof *item, by_count);
    for (uint32_t first = 0; first < items; first += f->ports) {
        uint32_t now = lesser(items - first, f->ports);
        matchings_begin(d->m);
        for (uint32_t i = 0; i < now; i++) {
            uint32_t port = part_start(f->ports, now, i), ports = part_start(f->ports, now, i + 1) - port;
            send_item(d, &item[first + i], port, lesser(ports, f->alike));
        }
    }
}

void phase_shift_digits(struct matchings *m, const struct term *r, uint64_t scale)
{
    uint32_t n = m->fabric.nodes;
    uint64_t unit = 1;
    struct shift_item *item;
    matchings_fail(m, base_new(item, n, m->err));
    for (uint32_t e = 0; e < r->numbers && unit < n && item; e++) {
        struct digit d = {m, (uint32_t)unit, r->number[e], scale};
        uint32_t items = 0;
        for (uint32_t j = 1; j < r->number[e] && j * unit < n; j++)
            item[items++] = (struct shift_item){j, (uint32_t)count_with_digit(n, unit, r->number[e], j)};
        assert(items > 0);
        send_items(&d, item, items);
        unit *= r->number[e];
    }
    assert(unit >= n || !item);
    free(item);
}
