/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all: every block goes as far round the circle as every other node's block of the same distance. */
#include "scheme/matching/matchings.h"

/** Distances whose digit is the same move together: how many, and which digit. */
struct item {
    uint32_t digit;
    uint32_t count;
    uint32_t ports;
};

COMPARATOR(by_count, struct item, DOWN(count) UP(digit))

struct digit {
    struct matchings *m;
    uint32_t unit, radix; /* of this digit */
    uint64_t scale;
};

/** Blocks from … to - 1 of those that node v sends on, by distance, each of d->scale blocks. */
static void list_blocks(const struct digit *d, const struct item *item, uint32_t v, uint64_t from, uint64_t to)
{
    uint32_t n = d->m->fabric.nodes;
    uint64_t at = 0;
    if (d->m->timed)
        return;
    for (uint64_t high = (uint64_t)item->digit * d->unit; high < n; high += (uint64_t)d->unit * d->radix)
        for (uint64_t z = high; z < high + d->unit && z < n; z++, at += d->scale) {
            uint64_t low = at > from ? at : from, end = at + d->scale < to ? at + d->scale : to;
            uint32_t src = (uint32_t)((v + n - z % d->unit) % n), dst = (uint32_t)((src + z) % n);
            if (low < end)
                matchings_run(d->m, (rwa_run){(uint32_t)(((uint64_t)src * n + dst) * d->scale + (low - at)),
                                              (uint32_t)(end - low), 1});
        }
}

static void send_item(const struct digit *d, const struct item *item, uint32_t *port)
{
    uint32_t n = d->m->fabric.nodes, places = d->m->timed ? 1 : n;
    uint64_t blocks = item->count * d->scale, shift = (uint64_t)item->digit * d->unit % n;
    for (uint32_t p = 0; p < item->ports; p++) {
        uint64_t from = blocks * p / item->ports, to = blocks * (p + 1) / item->ports;
        if (from == to)
            continue;
        for (uint32_t v = 0; v < places; v++) {
            matchings_send(d->m, *port, shift, v, (uint32_t)((v + shift) % n), to - from);
            list_blocks(d, item, v, from, to);
        }
        ++*port;
    }
}

/** Ports that are left go to the item that has most for each of its own. */
static void share_ports(struct item *item, size_t items, const struct fabric *f)
{
    for (size_t i = 0; i < items; i++)
        item[i].ports = 1;
    for (uint32_t left = f->ports - (uint32_t)items; left > 0; left--) {
        size_t best = items;
        for (size_t i = 0; i < items; i++)
            if (item[i].ports < f->alike && (best == items || (uint64_t)item[i].count * item[best].ports >
                                                                  (uint64_t)item[best].count * item[i].ports))
                best = i;
        if (best == items)
            return;
        item[best].ports++;
    }
}

/** As many items a step as ports, those with most first. */
static void send_items(const struct digit *d, struct item *item, size_t items)
{
    qsort(item, items, sizeof *item, by_count);
    for (size_t first = 0; first < items; first += d->m->fabric.ports) {
        size_t now = items - first < d->m->fabric.ports ? items - first : d->m->fabric.ports;
        uint32_t port = 0;
        share_ports(item + first, now, &d->m->fabric);
        matchings_begin(d->m);
        for (size_t i = first; i < first + now; i++)
            send_item(d, &item[i], &port);
    }
}

void phase_shift_digits(struct matchings *m, const struct radices *r, uint64_t scale)
{
    uint32_t n = m->fabric.nodes;
    uint64_t unit = 1;
    struct item *item = base_array(n, sizeof *item, m->err);
    if (!item)
        m->status = m->status == RWA_OK ? RWA_NOMEM : m->status;
    for (uint32_t e = 0; e < r->count && unit < n && item; e++) {
        struct digit d = {m, (uint32_t)unit, r->number[e], scale};
        size_t items = 0;
        for (uint32_t j = 1; j < r->number[e] && j * unit < n; j++)
            item[items++] = (struct item){j, (uint32_t)count_with_digit(n, unit, r->number[e], j), 0};
        assert(items > 0);
        send_items(&d, item, items);
        unit *= r->number[e];
    }
    assert(unit >= n || !item);
    free(item);
}
