/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all and all-gather over circuits that stay up: port p of every node leads to the node shift[p] places
 * ahead on a circle.  Every block takes the fewest hops, and all blocks that have equally far to go take the same
 * ports. Several sets of shifts are tried; the one with the smallest total number of hops is used. */
#include "scheme/compose/matchings.h"

#include "base/arena.h"

struct circles {
    struct arena memory; /* of the arrays */
    struct matchings *m;
    uint32_t nodes, ports, rounds;
    uint32_t *shift, *trial; /* of each port */
    uint32_t *hops;          /* to each distance; UINT32_MAX: not reached */
    uint32_t *queue;         /* distances by their hops */
    uint32_t *port;          /* the last one to each distance; shifts commute, so that it may be taken first */
    uint32_t *rest;          /* how far it has still to go */
    uint64_t *load;          /* [round][port] */
};

/** Compute c->hops, the hops to the node at each distance ahead on the circle, by breadth-first search from distance
 * 0.  A hop on port p leads shift[p] nodes ahead.  Returns the sum of these hops, UINT64_MAX if some distance cannot
 * be reached; c->rounds becomes the largest number of hops. */
static uint64_t count_hops(struct circles *c, const uint32_t *shift)
{
    uint32_t head = 0, tail = 0;
    uint64_t sum = 0;
    memset(c->hops, 0xff, c->nodes * sizeof *c->hops);
    c->hops[0] = 0;
    c->queue[tail++] = 0;
    while (head < tail) {
        uint32_t z = c->queue[head++];
        sum += c->hops[z];
        c->rounds = c->hops[z];
        for (uint32_t p = 0; p < c->ports; p++) {
            uint32_t to = (z + shift[p]) % c->nodes;
            if (c->hops[to] == UINT32_MAX) {
                c->hops[to] = c->hops[z] + 1;
                c->queue[tail++] = to;
            }
        }
    }
    return tail == c->nodes ? sum : UINT64_MAX;
}

/** Choose c->shift, for each port the distance over which its circuits lead: 1 for port 0, random ones from a fixed
 * seed for the others.  Of several trials the one with the fewest hops in total is kept, with its hops in c->hops. */
static void choose_shifts(struct circles *c)
{
    enum { TRIALS = 60 };
    uint64_t best = UINT64_MAX, state = 1;
    for (int t = 0; t < TRIALS; t++) {
        memset(c->hops, 0, c->nodes * sizeof *c->hops);
        for (uint32_t p = 0; p < c->ports; p++) {
            uint32_t shift = p == 0 ? 1 : 1 + (uint32_t)(base_random(&state) % (c->nodes - 1));
            while (c->hops[shift]) /* each once, so that no two ports join the same two nodes */
                shift = shift % (c->nodes - 1) + 1;
            c->hops[shift] = 1;
            c->trial[p] = shift;
        }
        uint64_t sum = count_hops(c, c->trial);
        if (sum < best)
            memcpy(c->shift, c->trial, c->ports * sizeof *c->shift);
        LOWER(best, sum);
    }
    count_hops(c, c->shift);
    assert(best < UINT64_MAX);
}

static rwa_status circles_open(struct circles *c, struct matchings *m)
{
    size_t n = m->fabric.nodes, k = m->fabric.ports;
    *c = (struct circles){.memory.err = m->err, .m = m, .nodes = (uint32_t)n, .ports = (uint32_t)k};
    arena_arrays(&c->memory, k, c->shift, c->trial);
    MUST(arena_arrays(&c->memory, n, c->hops, c->queue, c->port, c->rest));
    choose_shifts(c);
    return arena_arrays(&c->memory, (c->rounds + (size_t)1) * k, c->load);
}

static uint32_t behind(const struct circles *c, uint32_t z, uint32_t port)
{
    return (z + c->nodes - c->shift[port]) % c->nodes;
}

/** Return the first round, from 0, in which the block for the node z places ahead is sent.  In an all-to-all (`pairs`)
 * that is round 0; in an all-gather the round of its last hop, since the nodes on its path receive the block anyway. */
static uint32_t begin_of(const struct circles *c, uint32_t z, bool pairs)
{
    return pairs ? 0 : c->hops[z] - 1;
}

static bool moves(const struct circles *c, uint32_t z, uint32_t round, bool pairs)
{
    return begin_of(c, z, pairs) <= round && round < c->hops[z];
}

/** Choose c->port, for each distance the port of the last hop.  Of the ports on a shortest path it is the one that
 * carries the fewest blocks in the first round of the block (begin_of()).  `pairs`: in an all-to-all; else in an
 * all-gather. */
static void choose_ports(struct circles *c, bool pairs)
{
    for (uint32_t i = 1; i < c->nodes; i++) {
        uint32_t z = c->queue[i], best = UINT32_MAX, at = z;
        uint64_t *load = c->load + (size_t)begin_of(c, z, pairs) * c->ports;
        for (uint32_t p = 0; p < c->ports; p++)
            if (c->hops[behind(c, z, p)] + 1 == c->hops[z] && (best == UINT32_MAX || load[p] < load[best]))
                best = p;
        c->port[z] = best;
        for (uint32_t round = begin_of(c, z, pairs); round < c->hops[z]; round++) {
            c->load[(size_t)round * c->ports + c->port[at]]++;
            at = behind(c, at, c->port[at]);
        }
    }
}

/** Send, from every node, the blocks that take this port in this round of an all-to-all (`pairs`) or all-gather.
 * Blocks are ordered by their distance. */
static void send_on_port(struct circles *c, const struct window_groups *g, uint32_t round, uint32_t port, bool pairs)
{
    uint32_t n = c->nodes, places = c->m->timed ? 1 : n, shift = c->shift[port];
    uint64_t count = c->load[(size_t)round * c->ports + port];
    for (uint32_t v = 0; v < places && count > 0; v++) {
        uint32_t dst = (g->mirror ? v + n - shift : v + shift) % n;
        matchings_send(c->m, port, shift, v, dst, count * g->scale);
        for (uint32_t z = 1; z < n && !c->m->timed; z++) {
            uint64_t src = (g->mirror ? dst + z : pairs ? v + c->rest[z] + n - z : dst + n - z) % n;
            if (moves(c, z, round, pairs) && c->port[c->rest[z]] == port)
                matchings_run(c->m, (rwa_run){(uint32_t)((pairs ? src * n + (src + z) % n : src) * g->scale),
                                              (uint32_t)g->scale, 1});
        }
    }
}

static void send_rounds(struct circles *c, const struct window_groups *g, bool pairs)
{
    for (uint32_t z = 0; z < c->nodes; z++)
        c->rest[z] = z;
    for (uint32_t round = 0; round < c->rounds; round++) {
        matchings_begin(c->m);
        for (uint32_t p = 0; p < c->ports; p++)
            send_on_port(c, g, round, p, pairs);
        for (uint32_t z = 1; z < c->nodes; z++)
            if (moves(c, z, round, pairs))
                c->rest[z] = behind(c, c->rest[z], c->port[c->rest[z]]);
    }
}

void phase_circles(struct matchings *m, const struct window_groups *g, bool pairs)
{
    struct circles c;
    rwa_status st = circles_open(&c, m);
    if (st == RWA_OK) {
        choose_ports(&c, pairs);
        send_rounds(&c, g, pairs);
    }
    matchings_fail(m, st);
    arena_free(&c.memory);
}
