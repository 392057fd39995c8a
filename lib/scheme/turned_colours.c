/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Wavelengths for hops that b blocks make at once, each p places further on than the last.
 *
 * Hops strung together, each beginning where (counted modulo p) another ended, with gaps of single links where none does, may
 * close to a chain of m p places.  Where m divides b, copies of the chain follow each other round the ring on one channel, and m
 * channels, each turned by p, carry all b of them.  Hops that load each of the p places m times, with gaps, are the edges of an
 * Eulerian graph on p vertices: one circuit strings them all.  So hops need as many channels as they load a place, but for the
 * divisors of b that make up W.
 */
#include "scheme/turned.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t NONE = UINT32_MAX, GAP = UINT32_MAX - 1;

/** A chain of `rounds` times p places in the making. */
struct chain {
    uint32_t rounds;
    uint32_t *load;         /* of each place modulo p */
};

struct packing {
    const struct turns *at;
    struct turned_hop *hop;
    size_t count;
    struct chain *chain;
    uint32_t chains;
    uint32_t *load;         /* of all chains */
    uint32_t *of;           /* the chain of each hop */
    uint32_t *order;        /* hops, longest first */
    /* a circuit: edges that leave each place, and the walk */
    uint32_t *head, *next;
    uint32_t *place, *edge, *walk;
};

uint32_t turned_rounds(uint32_t *round, uint32_t blocks, uint32_t channels)
{
    uint32_t count = 0;
    for (uint32_t m = blocks < channels ? blocks : channels; m > 0 && channels > 0; m--)
        for (; blocks % m == 0 && m <= channels; channels -= m)
            round[count++] = m;
    return count;
}

static uint32_t low_end(const struct turned_hop *hop)
{
    return hop->direction == RWA_CW ? hop->from : hop->to;
}

/** Whether the chain has room for the hop; then it is taken. */
static bool take(struct chain *c, const struct packing *p, const struct turned_hop *hop)
{
    uint32_t spacing = p->at->spacing, length = turned_length(hop, p->at), full = length / spacing, rest = length % spacing;
    uint32_t first = low_end(hop) % spacing;
    if (full + (rest > 0) > c->rounds)
        return false;
    for (uint32_t i = 0; i < (full > 0 ? spacing : rest); i++)
        if (c->load[(first + i) % spacing] + full + (i < rest) > c->rounds)
            return false;
    for (uint32_t i = 0; i < (full > 0 ? spacing : rest); i++)
        c->load[(first + i) % spacing] += full + (i < rest);
    return true;
}

/** Longest first: a counting sort by length. */
static rwa_status sort_hops(struct packing *p, rwa_error *err)
{
    size_t places = p->at->places, *fill = base_array(places + 1, sizeof *fill, err);
    if (!fill)
        return RWA_NOMEM;
    for (size_t i = 0; i < p->count; i++)
        fill[places - turned_length(&p->hop[i], p->at) + 1]++;
    for (size_t length = 0; length < places; length++)
        fill[length + 1] += fill[length];
    for (size_t i = 0; i < p->count; i++)
        p->order[fill[places - turned_length(&p->hop[i], p->at)]++] = (uint32_t)i;
    free(fill);
    return RWA_OK;
}

/** Every hop to the first chain with room; false: one finds none. */
static bool share_out(struct packing *p)
{
    for (size_t i = 0; i < p->count; i++) {
        uint32_t k = 0, hop = p->order[i];
        while (k < p->chains && !take(&p->chain[k], p, &p->hop[hop]))
            k++;
        if (k == p->chains)
            return false;
        p->of[hop] = k;
    }
    return true;
}

/** The edges of a chain's graph; its load array becomes the gaps at each place.  The place where a hop begins, or NONE. */
static uint32_t draw_graph(struct packing *p, uint32_t k)
{
    uint32_t start = NONE, spacing = p->at->spacing;
    for (uint32_t v = 0; v < spacing; v++) {
        p->head[v] = NONE;
        p->chain[k].load[v] = p->chain[k].rounds - p->chain[k].load[v];
    }
    for (uint32_t i = 0; i < p->count; i++)
        if (p->of[i] == k) {
            start = low_end(&p->hop[i]) % spacing;
            p->next[i] = p->head[start];
            p->head[start] = i;
        }
    return start;
}

/** Walk along unused edges, back where there are none, and note each edge when leaving it for good: backwards, a circuit. */
static size_t find_circuit(struct packing *p, uint32_t *gaps, uint32_t start)
{
    uint32_t spacing = p->at->spacing;
    size_t depth = 1, length = 0;
    p->place[0] = start;
    p->edge[0] = NONE;
    while (depth > 0) {
        uint32_t v = p->place[depth - 1], hop = p->head[v];
        if (hop != NONE) {
            p->head[v] = p->next[hop];
            p->place[depth] = (v + turned_length(&p->hop[hop], p->at) % spacing) % spacing;
            p->edge[depth++] = hop;
        } else if (gaps[v] > 0) {
            gaps[v]--;
            p->place[depth] = v + 1 < spacing ? v + 1 : 0;
            p->edge[depth++] = GAP;
        } else {
            p->walk[length++] = p->edge[--depth];
        }
    }
    return length - 1;
}

/** Channels along the circuit; false when it did not reach all hops. */
static bool lay_chain(struct packing *p, uint32_t k, uint32_t base)
{
    uint32_t spacing = p->at->spacing, rounds = p->chain[k].rounds, start = draw_graph(p, k);
    uint64_t at = start;
    if (start == NONE)
        return true;
    for (size_t i = find_circuit(p, p->chain[k].load, start); i > 0; i--) {
        uint32_t edge = p->walk[i - 1];
        if (edge == GAP) {
            at++;
            continue;
        }
        struct turned_hop *hop = &p->hop[edge];
        uint64_t turns = (at + (uint64_t)p->at->blocks * spacing - low_end(hop)) / spacing;
        hop->base = base;
        hop->round = rounds;
        hop->turn = (uint32_t)(turns % rounds);
        at += turned_length(hop, p->at);
    }
    return at - start == (uint64_t)rounds * spacing;
}

static bool lay_chains(struct packing *p)
{
    bool fits = true;
    uint32_t base = 0;
    for (uint32_t k = 0; k < p->chains && fits; k++) {
        fits = lay_chain(p, k, base);
        base += p->chain[k].rounds;
    }
    return fits;
}

static void packing_close(struct packing *p)
{
    free(p->chain);
    free(p->load);
    free(p->of);
    free(p->order);
    free(p->head);
    free(p->next);
    free(p->place);
    free(p->edge);
    free(p->walk);
}

static rwa_status packing_open(struct packing *p, rwa_error *err)
{
    uint32_t spacing = p->at->spacing, *round = base_array(p->at->channels, sizeof *round, err);
    rwa_status st = round ? RWA_OK : RWA_NOMEM;
    TRY(st);
    p->chains = turned_rounds(round, p->at->blocks, p->at->channels);
    size_t edges = p->count + (size_t)round[0] * spacing + 1;
    p->chain = base_array(p->chains, sizeof *p->chain, err);
    p->load = base_array((size_t)p->chains * spacing, sizeof *p->load, err);
    p->of = base_array(p->count, sizeof *p->of, err);
    p->order = base_array(p->count, sizeof *p->order, err);
    p->head = base_array(spacing, sizeof *p->head, err);
    p->next = base_array(p->count, sizeof *p->next, err);
    p->place = base_array(edges, sizeof *p->place, err);
    p->edge = base_array(edges, sizeof *p->edge, err);
    p->walk = base_array(edges, sizeof *p->walk, err);
    if (!p->chain || !p->load || !p->of || !p->order || !p->head || !p->next || !p->place || !p->edge || !p->walk)
        st = RWA_NOMEM;
    for (uint32_t k = 0; k < p->chains && st == RWA_OK; k++)
        p->chain[k] = (struct chain){round[k], p->load + (size_t)k * spacing};
done:
    free(round);
    return st;
}

rwa_status turned_colour(bool *fits, struct turned_hop *hop, size_t count, const struct turns *at, rwa_error *err)
{
    struct packing p = {.at = at, .hop = hop, .count = count};
    rwa_status st = RWA_OK;
    *fits = true;
    if (count == 0)
        return RWA_OK;
    TRY(packing_open(&p, err));
    TRY(sort_hops(&p, err));
    *fits = share_out(&p) && lay_chains(&p);
done:
    packing_close(&p);
    return st;
}
