/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The lightpaths of an exchange where nodes have few ports: which may share a step, and their channels on rings and lines. */
#include "plan/pack/pieces.h"

rwa_status free_ports_open(struct free_ports *out, const rwa_network *net, struct arena *memory)
{
    *out = (struct free_ports){.nodes = rwa_network_nodes(net), .ports = rwa_network_ports(net)};
    arena_new(memory, out->sends, out->nodes);
    arena_new(memory, out->receives, out->nodes);
    return arena_status(memory);
}

void free_ports_begin_step(struct free_ports *f)
{
    for (uint32_t v = 0; v < f->nodes; v++)
        f->sends[v] = f->receives[v] = f->ports > 0 ? f->ports : UINT32_MAX;
}

bool free_ports_has(const struct free_ports *f, uint32_t src, uint32_t dst)
{
    return f->sends[src] > 0 && f->receives[dst] > 0;
}

void free_ports_take(struct free_ports *f, uint32_t src, uint32_t dst)
{
    assert(free_ports_has(f, src, dst));
    f->sends[src]--;
    f->receives[dst]--;
}

struct shifted {
    uint32_t shift, transfer;
};

COMPARATOR(by_shift, struct shifted, UP(shift) UP(transfer))

rwa_status order_by_shift(uint32_t **order, const struct exchange *e, uint32_t nodes, struct arena *memory)
{
    struct shifted *list;
    arena_new(memory, *order, e->count);
    arena_new(memory, list, e->count);
    MUST(arena_status(memory));
    for (size_t i = 0; i < e->count; i++)
        list[i] = (struct shifted){(e->dst[i] + nodes - e->src[i]) % nodes, (uint32_t)i};
    qsort(list, e->count, sizeof *list, by_shift);
    for (size_t i = 0; i < e->count; i++)
        (*order)[i] = list[i].transfer;
    return RWA_OK;
}

/* ---- rings and lines ---- */

struct arc_step {
    uint32_t nodes, channels;
    size_t words;
    uint64_t *taken;            /* [direction][link][word] */
    struct free_ports ports;
    struct arena memory;
};

static rwa_status arc_step_open(struct arc_step *a, const struct packing *p)
{
    *a = (struct arc_step){.nodes = rwa_network_nodes(p->request->net), .channels = p->channels, .words = (p->channels + 63) / 64,
                           .memory = {.err = p->err}};
    arena_new(&a->memory, a->taken, 2 * a->nodes * a->words);
    return free_ports_open(&a->ports, p->request->net, &a->memory);
}

static uint64_t *links_of(const struct arc_step *a, bool ccw, uint32_t link)
{
    return a->taken + ((size_t)ccw * a->nodes + link) * a->words;
}

/** The lowest channel that is free on all links of a piece; as many as there are: none is. */
static uint32_t lowest_free(const struct arc_step *a, bool ccw, uint32_t start, uint32_t end)
{
    uint32_t channel = a->channels;
    for (size_t w = 0; w < a->words && channel == a->channels; w++) {
        uint64_t taken = 0;
        for (uint32_t l = start; l != end; l = l + 1 < a->nodes ? l + 1 : 0)
            taken |= links_of(a, ccw, l)[w];
        channel = ~taken ? (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(~taken) : channel;
    }
    return channel < a->channels ? channel : a->channels;
}

/** Fill a step with what fits of order[0 … *left - 1], and keep the rest there. */
static void fill_arcs(struct pieces *c, const struct packing *p, struct arc_step *a, uint32_t *order, size_t *left, uint32_t step)
{
    const struct exchange *e = p->routed.e;
    size_t kept = 0;
    memset(a->taken, 0, 2 * a->nodes * a->words * sizeof *a->taken);
    free_ports_begin_step(&a->ports);
    for (size_t i = 0; i < *left; i++) {
        uint32_t k = order[i], src = e->src[c->transfer[k]], dst = e->dst[c->transfer[k]];
        bool ccw = k >= c->clockwise, ready = free_ports_has(&a->ports, src, dst);
        uint32_t channel = ready ? lowest_free(a, ccw, c->start[k], c->end[k]) : a->channels;
        if (channel == a->channels) {
            order[kept++] = k;
            continue;
        }
        c->colour[k] = step * a->channels + channel;
        free_ports_take(&a->ports, src, dst);
        for (uint32_t l = c->start[k]; l != c->end[k]; l = l + 1 < a->nodes ? l + 1 : 0)
            links_of(a, ccw, l)[channel / 64] |= UINT64_C(1) << channel % 64;
    }
    assert(kept < *left);
    *left = kept;
}

static uint32_t arc_length(const struct pieces *c, uint32_t nodes, uint32_t k)
{
    return (c->end[k] + nodes - c->start[k]) % nodes;
}

rwa_status colour_within_ports(struct pieces *c, const struct packing *p)
{
    struct arc_step a = {0};
    uint32_t *order, step = 0;
    size_t left = 0;
    rwa_status st = RWA_OK;
    TRY(arc_step_open(&a, p));
    arena_new(&a.memory, order, c->count);
    TRY(arena_status(&a.memory));
    for (uint32_t hops = p->routed.longest; hops > 0; hops--)
        for (uint32_t k = 0; k < c->count; k++)
            if (arc_length(c, a.nodes, k) == hops)
                order[left++] = k;
    assert(left == c->count);
    for (; left > 0; step++)
        fill_arcs(c, p, &a, order, &left, step);
    c->colours = step * a.channels;
done:
    arena_free(&a.memory);
    return st;
}
