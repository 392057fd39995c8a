/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-to-all and all-gather over circuits that stay: port p of every node leads shift[p] nodes on.  A block takes as few hops as it
 * can, and those of one distance do alike.  Of several sets of shifts the one with the fewest hops in all is taken.
 */
#include "scheme/matching/matchings.h"

struct circles {
    struct arena memory;        /* of the arrays */
    struct matchings *m;
    uint32_t nodes, ports;
    uint32_t *shift, *trial;    /* of each port */
    uint32_t *hops;             /* to each distance; UINT32_MAX: not reached */
    uint32_t *queue;
    uint32_t *take;             /* [distance][port]: how often the block takes it */
    uint32_t *place;            /* where the block of a distance is, counted from its source */
    uint64_t *load;             /* [round][port] */
    uint8_t *port;              /* [distance][round]: the port that it takes then, plus 1; 0: none */
    uint32_t rounds;
};

/** Breadth first from 0; the sum of all hops, and *rounds the most.  UINT64_MAX: some distance is not reached. */
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

/** 1 and others at random, from a fixed seed. */
static void choose_shifts(struct circles *c)
{
    enum { TRIALS = 60 };
    uint64_t best = UINT64_MAX, state = 1;
    for (int t = 0; t < TRIALS; t++) {
        memset(c->hops, 0, c->nodes * sizeof *c->hops);
        for (uint32_t p = 0; p < c->ports; p++) {
            uint32_t shift = p == 0 ? 1 : 1 + (uint32_t)(base_random(&state) % (c->nodes - 1));
            while (c->hops[shift] && c->m->fabric.alike < c->ports) /* each once: too few channels join the same two nodes */
                shift = shift % (c->nodes - 1) + 1;
            c->hops[shift] = 1;
            c->trial[p] = shift;
        }
        uint64_t sum = count_hops(c, c->trial);
        if (sum < best)
            memcpy(c->shift, c->trial, c->ports * sizeof *c->shift);
        best = sum < best ? sum : best;
    }
    count_hops(c, c->shift);
    assert(best < UINT64_MAX);
}

/** The last hop of each distance from where the ports are used least; load[p]: how often so far. */
static void choose_directions(struct circles *c)
{
    memset(c->load, 0, c->ports * sizeof *c->load);
    for (uint32_t i = 1; i < c->nodes; i++) { /* by their hops, as count_hops() left them */
        uint32_t z = c->queue[i], best = UINT32_MAX;
        for (uint32_t p = 0; p < c->ports; p++) {
            uint32_t from = (z + c->nodes - c->shift[p]) % c->nodes;
            if (c->hops[from] + 1 == c->hops[z] && (best == UINT32_MAX || c->load[p] < c->load[best]))
                best = p;
        }
        uint32_t from = (z + c->nodes - c->shift[best]) % c->nodes;
        memcpy(&c->take[(size_t)z * c->ports], &c->take[(size_t)from * c->ports], c->ports * sizeof *c->take);
        c->take[(size_t)z * c->ports + best]++;
        for (uint32_t p = 0; p < c->ports; p++)
            c->load[p] += c->take[(size_t)z * c->ports + p];
    }
}

/** Each hop of a distance into a round after the one before, on the port that carries least then. */
static void choose_rounds(struct circles *c, uint32_t z)
{
    uint32_t *left = &c->take[(size_t)z * c->ports], before = 0;
    for (uint32_t h = 0; h < c->hops[z]; h++) {
        uint32_t last = c->rounds - (c->hops[z] - h - 1), round = UINT32_MAX, port = 0;
        for (uint32_t r = before; r < last; r++)
            for (uint32_t p = 0; p < c->ports; p++)
                if (left[p] > 0 && (round == UINT32_MAX || c->load[r * c->ports + p] < c->load[round * c->ports + port])) {
                    round = r;
                    port = p;
                }
        c->load[round * c->ports + port]++;
        c->port[(size_t)z * c->rounds + round] = (uint8_t)(port + 1);
        left[port]--;
        before = round + 1;
    }
}

static void send_distances(struct circles *c, uint32_t round, uint32_t port, uint64_t scale)
{
    uint32_t n = c->nodes, places = c->m->timed ? 1 : n;
    uint64_t count = c->load[round * c->ports + port];
    for (uint32_t v = 0; v < places && count > 0; v++) {
        matchings_send(c->m, port, c->shift[port], v, (v + c->shift[port]) % n, count * scale);
        for (uint32_t z = 1; z < n && !c->m->timed; z++) {
            uint64_t src = (v + n - c->place[z]) % n;
            if (c->port[(size_t)z * c->rounds + round] == port + 1)
                matchings_run(c->m, (rwa_run){(uint32_t)((src * n + (src + z) % n) * scale), (uint32_t)scale, 1});
        }
    }
}

static void send_round(struct circles *c, uint32_t round, uint64_t scale)
{
    matchings_begin(c->m);
    for (uint32_t p = 0; p < c->ports; p++)
        send_distances(c, round, p, scale);
    for (uint32_t z = 1; z < c->nodes; z++) {
        uint32_t p = c->port[(size_t)z * c->rounds + round];
        c->place[z] = p > 0 ? (c->place[z] + c->shift[p - 1]) % c->nodes : c->place[z];
    }
}

static rwa_status circles_open(struct circles *c, struct matchings *m)
{
    size_t n = m->fabric.nodes, k = m->fabric.ports < UINT8_MAX ? m->fabric.ports : UINT8_MAX - 1;
    *c = (struct circles){.memory.err = m->err, .m = m, .nodes = (uint32_t)n, .ports = (uint32_t)k};
    arena_new(&c->memory, c->shift, k);
    arena_new(&c->memory, c->trial, k);
    arena_new(&c->memory, c->hops, n);
    arena_new(&c->memory, c->queue, n);
    arena_new(&c->memory, c->take, n * k);
    arena_new(&c->memory, c->place, n);
    MUST(arena_status(&c->memory));
    choose_shifts(c);
    arena_new(&c->memory, c->load, (c->rounds > 0 ? c->rounds : 1) * k);
    arena_new(&c->memory, c->port, n * c->rounds);
    return arena_status(&c->memory);
}

void phase_circles(struct matchings *m, uint64_t scale)
{
    struct circles c;
    rwa_status st = circles_open(&c, m);
    if (st == RWA_OK) {
        choose_directions(&c);
        memset(c.load, 0, (size_t)c.rounds * c.ports * sizeof *c.load);
        for (uint32_t i = c.nodes; i-- > 1;) /* those with most hops first */
            choose_rounds(&c, c.queue[i]);
        for (uint32_t r = 0; r < c.rounds; r++)
            send_round(&c, r, scale);
    }
    m->status = m->status == RWA_OK ? st : m->status;
    arena_free(&c.memory);
}

/* ---- all-gather ---- */

/** The port on which what an owner so far behind has comes in, plus 1: of those that save a hop the one with least in that round. */
static void choose_last_ports(struct circles *c)
{
    for (uint32_t i = 1; i < c->nodes; i++) {
        uint32_t z = c->queue[i], best = UINT32_MAX;
        uint64_t *load = c->load + (size_t)(c->hops[z] - 1) * c->ports;
        for (uint32_t p = 0; p < c->ports; p++)
            if (c->hops[(z + c->nodes - c->shift[p]) % c->nodes] + 1 == c->hops[z] && (best == UINT32_MAX || load[p] < load[best]))
                best = p;
        load[best]++;
        c->port[z] = (uint8_t)(best + 1);
    }
}

/** All nodes send on a port what its other end lacks and gets from here. */
static void send_owners(struct circles *c, uint32_t round, uint32_t port, uint64_t scale, bool mirror)
{
    uint32_t n = c->nodes, places = c->m->timed ? 1 : n, shift = c->shift[port];
    uint64_t count = c->load[(size_t)round * c->ports + port];
    for (uint32_t v = 0; v < places && count > 0; v++) {
        uint32_t dst = (mirror ? v + n - shift : v + shift) % n;
        matchings_send(c->m, port, shift, v, dst, count * scale);
        for (uint32_t z = 1; z < n && !c->m->timed; z++)
            if (c->port[z] == port + 1 && c->hops[z] == round + 1)
                matchings_run(c->m, (rwa_run){(uint32_t)((mirror ? dst + z : dst + n - z) % n * scale), (uint32_t)scale, 1});
    }
}

void phase_circles_gather(struct matchings *m, uint64_t scale, bool mirror)
{
    struct circles c;
    rwa_status st = circles_open(&c, m);
    if (st == RWA_OK) {
        choose_last_ports(&c);
        for (uint32_t r = 0; r < c.rounds; r++) {
            matchings_begin(m);
            for (uint32_t p = 0; p < c.ports; p++)
                send_owners(&c, r, p, scale, mirror);
        }
    }
    m->status = m->status == RWA_OK ? st : m->status;
    arena_free(&c.memory);
}
