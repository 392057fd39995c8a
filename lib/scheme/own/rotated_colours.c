/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Wavelengths for hops that b blocks make at once, each p places further on than the last.
 *
 * Hops strung together, each beginning where (counted modulo p) another ended, with gaps of single links where none does, may
 * close to a chain of m p places.  Where m divides b, copies of the chain follow each other round the ring on one channel, and m
 * channels, each rotated by p, carry all b of them.  Hops that load each of the p places m times, with gaps, are the edges of an
 * Eulerian graph on p vertices: one circuit strings them all, or one in each connected part.  So hops need as many channels as they
 * load a place, but for the divisors of b that make up W.
 */
#include "scheme/own/rotated.h"

static const uint32_t NONE = UINT32_MAX, GAP = UINT32_MAX - 1;

/** The hops of a step and direction, and the circuit of a chain: edges that leave each place, and the walk. */
struct packing {
    struct arena memory;        /* of the arrays */
    const struct rotation *at;
    struct rotated_hop *hop;
    size_t count;
    const struct rotated_capacity *capacity;
    uint32_t *gap;          /* of a chain, at each place modulo p */
    uint32_t *head, *next;
    uint32_t *place, *edge, *walk;
};

uint32_t rotated_rounds(uint32_t *round, uint32_t blocks, uint32_t channels)
{
    uint32_t count = 0;
    for (uint32_t m = blocks < channels ? blocks : channels; m > 0 && channels > 0; m--)
        for (; blocks % m == 0 && m <= channels; channels -= m)
            round[count++] = m;
    assert(channels == 0);      /* 1 divides all */
    return count;
}

static uint32_t low_end(const struct rotated_hop *hop)
{
    return hop->d.way == RWA_CW ? hop->d.from : hop->to;
}

void rotated_capacity_close(struct rotated_capacity *capacity)
{
    free_all(capacity->round, capacity->load);
}

rwa_status rotated_capacity_open(struct rotated_capacity *capacity, const struct rotation *at, rwa_error *err)
{
    *capacity = (struct rotated_capacity){.at = at};
    MUST(base_new(capacity->round, at->channels, err));
    capacity->chains = rotated_rounds(capacity->round, at->blocks, at->channels);
    return base_new(capacity->load, (size_t)capacity->chains * at->spacing, err);
}

void rotated_capacity_clear(struct rotated_capacity *capacity)
{
    memset(capacity->load, 0, (size_t)capacity->chains * capacity->at->spacing * sizeof *capacity->load);
}

static bool take_in_chain(struct rotated_capacity *capacity, uint32_t k, uint32_t first, uint32_t length)
{
    uint32_t spacing = capacity->at->spacing, full = length / spacing, rest = length % spacing, most = capacity->round[k];
    uint32_t *load = capacity->load + (size_t)k * spacing, touched = full > 0 ? spacing : rest;
    if (full + (rest > 0) > most)
        return false;
    for (uint32_t i = 0, v = first; i < touched; i++, v = v + 1 < spacing ? v + 1 : 0)
        if (load[v] + full + (i < rest) > most)
            return false;
    for (uint32_t i = 0, v = first; i < touched; i++, v = v + 1 < spacing ? v + 1 : 0)
        load[v] += full + (i < rest);
    return true;
}

bool rotated_capacity_take(struct rotated_capacity *capacity, struct rotated_hop *hop)
{
    assert(hop->d.links > 0 && hop->to < capacity->at->places);
    uint32_t length = hop->d.links, first = low_end(hop) % capacity->at->spacing, k = 0;
    while (k < capacity->chains && !take_in_chain(capacity, k, first, length))
        k++;
    hop->chain = k;
    return k < capacity->chains;
}

/** The edges of a chain's graph, and the gaps at each place. */
static void draw_graph(struct packing *p, uint32_t k)
{
    uint32_t spacing = p->at->spacing;
    assert(spacing > 0);
    for (uint32_t v = 0; v < spacing; v++) {
        p->head[v] = NONE;
        p->gap[v] = p->capacity->round[k] - p->capacity->load[(size_t)k * spacing + v];
    }
    for (uint32_t i = 0; i < p->count; i++)
        if (p->hop[i].chain == k) {
            uint32_t start = low_end(&p->hop[i]) % spacing;
            p->next[i] = p->head[start];
            p->head[start] = i;
        }
}

/** Walk along unused edges, back where there are none, and note each edge when leaving it for good: backwards, a circuit. */
static size_t find_circuit(struct packing *p, uint32_t start)
{
    uint32_t spacing = p->at->spacing;
    size_t depth = 1, length = 0;
    p->place[0] = start;
    p->edge[0] = NONE;
    while (depth > 0) {
        uint32_t v = p->place[depth - 1], hop = p->head[v];
        if (hop != NONE) {
            p->head[v] = p->next[hop];
            p->place[depth] = (v + p->hop[hop].d.links % spacing) % spacing;
            p->edge[depth++] = hop;
        } else if (p->gap[v] > 0) {
            p->gap[v]--;
            p->place[depth] = v + 1 < spacing ? v + 1 : 0;
            p->edge[depth++] = GAP;
        } else {
            p->walk[length++] = p->edge[--depth];
        }
    }
    return length - 1;
}

/** Channels from `base` on along the circuit of so many edges; how many. */
static uint32_t colour_circuit(struct packing *p, size_t edges, uint32_t start, uint32_t base)
{
    uint32_t spacing = p->at->spacing, rounds;
    uint64_t at = start;
    for (size_t i = 0; i < edges; i++)
        at += p->walk[i] == GAP ? 1 : p->hop[p->walk[i]].d.links;
    assert((at - start) % spacing == 0);     /* the circuit is closed */
    rounds = (uint32_t)((at - start) / spacing);
    at = start;
    for (size_t i = edges; i > 0; i--) {
        uint32_t edge = p->walk[i - 1];
        if (edge == GAP) {
            at++;
            continue;
        }
        struct rotated_hop *hop = &p->hop[edge];
        uint64_t turns = (at + (uint64_t)p->at->blocks * spacing - low_end(hop)) / spacing;
        hop->base = base;
        hop->rounds = rounds;
        hop->shift = (uint32_t)(turns % rounds);
        at += hop->d.links;
    }
    return rounds;
}

/** One circuit, or, where the graph falls apart, several of fewer rounds; false when one's do not divide b. */
static bool colour_chain(struct packing *p, uint32_t k, uint32_t base)
{
    bool fits = true;
    draw_graph(p, k);
    for (uint32_t start = 0; start < p->at->spacing && fits; start++)
        if (p->head[start] != NONE) {
            uint32_t rounds = colour_circuit(p, find_circuit(p, start), start, base);
            assert(rounds > 0);
            fits = p->at->blocks % rounds == 0;
            base += rounds;
        }
    return fits;
}

static bool colour_chains(struct packing *p)
{
    bool fits = true;
    uint32_t base = 0;
    for (uint32_t k = 0; k < p->capacity->chains && fits; k++) {
        fits = colour_chain(p, k, base);
        base += p->capacity->round[k];
    }
    return fits;
}

static rwa_status packing_open(struct packing *p)
{
    uint32_t spacing = p->at->spacing;
    size_t edges = p->count + (size_t)p->capacity->round[0] * spacing + 1;
    arena_new(&p->memory, p->gap, spacing);
    arena_new(&p->memory, p->head, spacing);
    arena_new(&p->memory, p->next, p->count);
    arena_new(&p->memory, p->place, edges);
    arena_new(&p->memory, p->edge, edges);
    arena_new(&p->memory, p->walk, edges);
    return arena_status(&p->memory);
}

rwa_status rotated_colour(bool *fits, struct rotated_hop *hop, size_t count, const struct rotated_capacity *capacity, rwa_error *err)
{
    struct packing p = {.memory.err = err, .at = capacity->at, .hop = hop, .count = count, .capacity = capacity};
    rwa_status st = RWA_OK;
    *fits = true;
    if (count == 0)
        return RWA_OK;
    TRY(packing_open(&p));
    *fits = colour_chains(&p);
done:
    arena_free(&p.memory);
    return st;
}
