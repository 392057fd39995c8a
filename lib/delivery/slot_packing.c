/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/slot_packing.h"

#define NO_OWNER UINT32_MAX

/** Lightpaths placed, for each receiver and at least; nearest holders that one looks at. */
enum { PLACED_EACH = 32, PLACED_LEAST = 1024, MOST_HOLDERS = 8 };

struct packing {
    const struct template_space *space;
    struct arena memory;        /* of the arrays but `list` */
    struct template_lightpath *list;
    uint32_t *owner;            /* of each slot: an entry of the list, or NO_OWNER */
    uint32_t *history;          /* of each slot: lightpaths that had to leave it */
    uint32_t *wait, waits;      /* entries of the list */
    uint64_t *random;
    uint64_t looked;            /* slots, so far */
};

static rwa_status open(struct packing *p, uint32_t count, rwa_error *err)
{
    size_t slots = (size_t)p->space->ways * p->space->channels;
    p->memory.err = err;
    arena_new(&p->memory, p->owner, slots);
    arena_new(&p->memory, p->history, slots);
    arena_new(&p->memory, p->wait, count);
    MUST(arena_status(&p->memory));
    memset(p->owner, 0xff, slots * sizeof *p->owner);
    for (uint32_t i = 0; i < count; i++)
        p->wait[p->waits++] = i;
    base_shuffle(p->wait, count, p->random);
    return RWA_OK;
}

/** The nodes from which a lightpath's hops start. */
static void list_nodes(uint32_t *node, const struct template_space *s, const struct template_lightpath *l)
{
    node[0] = l->from;
    for (uint32_t k = 1; k < l->hops; k++)
        node[k] = translations_add(s->group, node[k - 1], s->way[l->route[k - 1]]);
}

/** The cost of a lightpath on its channel, or `least` where that is not more; UINT64_MAX: it meets itself. */
static uint64_t price_of(struct packing *p, const struct template_lightpath *l, const uint32_t *node, uint64_t least)
{
    size_t slot[TEMPLATE_HOPS];
    uint64_t price = 0;
    bool alone = l->channel - l->channel % p->space->period + p->space->period > p->space->channels;
    for (uint32_t k = 0; k < l->hops && price < least; k++) {
        slot[k] = template_slot(p->space, l->route[k], node[k], l->channel);
        price += p->owner[slot[k]] != NO_OWNER ? 1 + p->history[slot[k]] : 0;
        p->looked++;
        for (uint32_t j = 0; j < k && alone; j++)
            if (slot[j] == slot[k])
                return UINT64_MAX;
    }
    return price;
}

/** The cheapest of a route's channels; among equals the first after one by chance. */
static void try_channels(struct packing *p, struct template_lightpath *best, uint64_t *least, struct template_lightpath now)
{
    uint32_t channels = p->space->channels, first = (uint32_t)base_random_below(p->random, channels), node[TEMPLATE_HOPS];
    list_nodes(node, p->space, &now);
    for (uint32_t c = 0; c < channels && *least > 0; c++) {
        now.channel = (first + c) % channels;
        uint64_t price = price_of(p, &now, node, *least);
        if (price < *least) {
            *least = price;
            *best = now;
        }
    }
}

static void try_routes(struct packing *p, struct template_lightpath *best, uint64_t *least, uint32_t from)
{
    const struct template_space *s = p->space;
    uint32_t by = translations_move(s->group, best->to, from, 0), routes = s->routes[by];
    struct template_lightpath now = {.from = from, .to = best->to, .hops = template_hops(s, from, best->to)};
    uint32_t first = (uint32_t)base_random_below(p->random, routes);
    for (uint32_t i = 0; i < routes && *least > 0; i++) {
        now.route = s->route + ((size_t)by * TEMPLATE_ROUTES + (first + i) % routes) * TEMPLATE_HOPS;
        try_channels(p, best, least, now);
    }
}

/** The nearest nodes that hold the block. */
static uint32_t list_holders(uint32_t *holder, const struct template_space *s, const uint32_t *step, uint32_t now, uint32_t to)
{
    const uint16_t *order = s->order + (size_t)to * s->nodes;
    uint32_t count = 0;
    for (uint32_t i = 1; i < s->nodes && count < MOST_HOLDERS; i++) {
        uint32_t hops = template_hops(s, order[i], to);
        if (count > 0 && hops > template_hops(s, holder[0], to))
            break;
        if (step[order[i]] < now && hops < TEMPLATE_FAR)
            holder[count++] = order[i];
    }
    return count;
}

/** All slots of a lightpath have this owner now; their owners before wait again. */
static void set_owner(struct packing *p, const struct template_lightpath *l, uint32_t owner)
{
    uint32_t node[TEMPLATE_HOPS];
    list_nodes(node, p->space, l);
    for (uint32_t k = 0; k < l->hops; k++) {
        size_t slot = template_slot(p->space, l->route[k], node[k], l->channel);
        uint32_t before = p->owner[slot];
        if (owner != NO_OWNER && before != NO_OWNER) {
            p->history[slot]++;
            p->wait[p->waits++] = before;
            set_owner(p, &p->list[before], NO_OWNER);
        }
        p->owner[slot] = owner;
    }
}

/** false: no holder is near enough. */
static bool place(struct packing *p, uint32_t i, const uint32_t *step, uint32_t now)
{
    uint32_t holder[MOST_HOLDERS], count = list_holders(holder, p->space, step, now, p->list[i].to);
    uint64_t least = UINT64_MAX;
    if (count == 0)
        return false;
    uint32_t first = (uint32_t)base_random_below(p->random, count);
    for (uint32_t k = 0; k < count && least > 0; k++)
        try_routes(p, &p->list[i], &least, holder[(first + k) % count]);
    if (least < UINT64_MAX)
        set_owner(p, &p->list[i], i);
    return least < UINT64_MAX;
}

/** Of those that wait, one with the longest way. */
static uint32_t next_waiting(struct packing *p)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < p->waits; k++)
        if (p->list[p->wait[k]].hops > p->list[p->wait[best]].hops)
            best = k;
    uint32_t next = p->wait[best];
    p->wait[best] = p->wait[--p->waits];
    return next;
}

rwa_status slots_pack(struct template_lightpath *list, uint32_t count, bool *packed, const struct template_space *space,
                      const uint32_t *step, uint32_t now, uint64_t *random, uint64_t *looked, rwa_error *err)
{
    struct packing p = {.space = space, .list = list, .random = random};
    rwa_status st = RWA_OK;
    bool possible = true;
    TRY(open(&p, count, err));
    for (uint32_t left = PLACED_EACH * count + PLACED_LEAST; p.waits > 0 && left > 0 && possible; left--)
        possible = place(&p, next_waiting(&p), step, now);
    *packed = possible && p.waits == 0;
    *looked += p.looked / 4;
done:
    arena_free(&p.memory);
    return st;
}
