/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which circuits: neighbours and then pairs of nodes at random, as long as channels are free; or levels along a ring
 *  or line. */
#include "scheme/circuits/circuits.h"

#include "network/translations.h"

struct maker {
    struct circuits *made;
    const struct route_table *routes;
    uint64_t *used;             /* [fibre pair][word]: channels */
    size_t words;
    uint32_t room;
    uint32_t *ends;             /* circuits out of each node */
};

static uint32_t hops_of(const struct maker *m, uint32_t a, uint32_t b)
{
    return m->routes->hops[(size_t)a * m->routes->nodes + b];
}

/** The last link of the route from a to v. */
static uint32_t link_into(const struct route_table *r, uint32_t a, uint32_t v)
{
    return r->into[(size_t)a * r->nodes + v];
}

/** A channel that is free on the route from a to b, the lowest; UINT32_MAX: none is. */
static uint32_t free_channel(const struct maker *m, uint32_t a, uint32_t b)
{
    const struct route_table *r = m->routes;
    for (size_t word = 0; word < m->words; word++) {
        uint64_t used = 0;
        for (uint32_t v = b; v != a && ~used; v = r->net->links[link_into(r, a, v)].from)
            used |= m->used[(link_into(r, a, v) >> 1) * m->words + word];
        if (~used)
            return (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(~used);
    }
    return UINT32_MAX;
}

/** Two nodes are joined, there and back, by the route from a where a channel is free.  Whether one is. */
static bool join_from(struct maker *m, uint32_t a, uint32_t b)
{
    const struct route_table *r = m->routes;
    struct circuits *c = m->made;
    uint32_t channel = free_channel(m, a, b);
    if (channel == UINT32_MAX)
        return false;
    assert(c->count + 2 <= m->room && channel < r->channels);
    for (uint32_t v = b; v != a; v = r->net->links[link_into(r, a, v)].from)
        m->used[(link_into(r, a, v) >> 1) * m->words + channel / 64] |= (uint64_t)1 << channel % 64;
    for (uint32_t back = 0; back < 2; back++) {
        c->from[c->count] = back ? b : a;
        c->to[c->count] = back ? a : b;
        c->channel[c->count++] = channel;
    }
    m->ends[a]++;
    m->ends[b]++;
    return true;
}

static bool join(struct maker *m, uint32_t a, uint32_t b)
{
    bool free_ports = m->ends[a] < m->routes->ports && m->ends[b] < m->routes->ports;
    return free_ports && (join_from(m, a, b) || join_from(m, b, a));
}

static void join_neighbours(struct maker *m, uint32_t times)
{
    const rwa_network *net = m->routes->net;
    for (uint32_t k = 0; k < times; k++)
        for (uint32_t l = 0; l < net->link_count; l += 2)
            join(m, net->links[l].from, net->links[l].to);
}

/** With few ports a tree of short circuits comes first: else those of some neighbours might leave no port to join all
 *  nodes.  Two trees become one as long as there are any, so each has a node with a free port. */
static rwa_status join_trees(struct maker *m, uint32_t longest, rwa_error *err)
{
    uint32_t nodes = m->routes->nodes, *tree;
    MUST(base_new(tree, nodes, err));
    for (uint32_t v = 0; v < nodes; v++)
        tree[v] = v;
    for (uint32_t hops = 1; hops <= longest; hops++)
        for (uint32_t a = 0; a < nodes; a++)
            for (uint32_t b = 0; b < nodes; b++) {
                uint32_t other = tree[b];
                if (other == tree[a] || hops_of(m, a, b) != hops || !join(m, a, b))
                    continue;
                for (uint32_t v = 0; v < nodes; v++)
                    tree[v] = tree[v] == other ? tree[a] : tree[v];
            }
    free(tree);
    return RWA_OK;
}

/** Pairs of nodes no farther apart than the longest circuit, in random order: those of all lengths are about as many
 *  as channels allow. */
static rwa_status join_at_random(struct maker *m, const struct circuit_choice *choice, rwa_error *err)
{
    uint32_t nodes = m->routes->nodes, *pair = NULL, count = 0, shortest = m->routes->ports < UINT32_MAX ? 1 : 2;
    uint64_t random = choice->seed;
    size_t room = 0;
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < nodes * nodes; i++)
        if (i / nodes < i % nodes && m->routes->hops[i] >= shortest && m->routes->hops[i] <= choice->longest)
            TRY(base_append(pair, count, room, err, i));
    base_shuffle(pair, count, &random);
    for (uint32_t i = 0; i < count; i++) {
        if (i % nodes == 0)
            TRY(routes_go_on(m->routes, err));
        join(m, pair[i] / nodes, pair[i] % nodes);
    }
done:
    free(pair);
    return st;
}

/** Circuits of a length that follow each other: once round a ring, or along a line; the last one may be shorter. */
static void join_stops(struct maker *m, uint32_t first, uint32_t length)
{
    uint32_t nodes = m->routes->nodes, end = m->routes->degree > 1 ? first + nodes : nodes - 1;
    for (uint32_t at = first; at < end; at += length)
        join(m, at % nodes, (at + length < end ? at + length : end) % nodes);
}

/** Of the channels the lowest level has one, the others share the rest.  On each level circuits begin where some of
 *  the level below do; those of other channels begin between them. */
static void join_levels(struct maker *m, const struct circuit_choice *choice)
{
    uint32_t length = 1, below = 1;
    assert(choice->longest <= m->routes->farthest); /* a shorter route leads the other way round */
    for (uint32_t level = 0; level < choice->levels; level++, below = length, length *= choice->ratio) {
        uint32_t copies = level == 0 ? 1 : part_start(m->routes->channels - 1, choice->levels - 1, level) -
                                               part_start(m->routes->channels - 1, choice->levels - 1, level - 1);
        for (uint32_t c = 0; c < copies; c++)
            join_stops(m, c * (length / below) / copies * below, length);
    }
}

static rwa_status join_all(struct maker *m, const struct circuit_choice *choice, rwa_error *err)
{
    if (choice->levels > 0)
        join_levels(m, choice);
    else if (m->routes->ports < UINT32_MAX)
        MUST(join_trees(m, choice->longest, err));
    else
        join_neighbours(m, choice->neighbours);
    if (choice->levels == 0)
        MUST(join_at_random(m, choice, err));
    join_neighbours(m, m->routes->channels);
    return RWA_OK;
}

static rwa_status list_by_node(struct circuits *c, rwa_error *err)
{
    uint32_t nodes = c->routes->nodes;
    MUST(bins_open(&c->out, nodes, err));
    for (uint32_t i = 0; i < c->count; i++)
        bins_count(&c->out, c->from[i]);
    MUST(bins_divide(&c->out, nodes, err));
    for (uint32_t i = 0; i < c->count; i++)
        bins_put(&c->out, c->from[i], i);
    c->degree = UINT32_MAX;
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t degree = (uint32_t)(c->out.first[v + 1] - c->out.first[v]);
        c->degree = degree < c->degree ? degree : c->degree;
    }
    return RWA_OK;
}

rwa_status circuits_open(struct circuits *out, const struct route_table *r, const struct circuit_choice *choice, rwa_error *err)
{
    struct arena scratch = {.err = err};
    struct maker m = {.made = out, .routes = r, .words = ceil_div(r->channels, 64), .room = r->net->link_count * r->channels};
    size_t sets = r->net->link_count / 2 * m.words;
    rwa_status st = RWA_OK;
    *out = (struct circuits){.routes = r, .memory = {.err = err}};
    arena_new(&out->memory, out->from, m.room);
    arena_new(&out->memory, out->to, m.room);
    arena_new(&out->memory, out->channel, m.room);
    arena_new(&scratch, m.used, sets);
    arena_new(&scratch, m.ends, r->nodes);
    TRY(arena_status(&out->memory));
    TRY(arena_status(&scratch));
    for (size_t i = m.words - 1; i < sets && r->channels % 64 > 0; i += m.words)
        m.used[i] = ~(uint64_t)0 << r->channels % 64; /* beyond the channels */
    TRY(join_all(&m, choice, err));
    TRY(list_by_node(out, err));
done:
    arena_free(&scratch);
    return st;
}

void circuits_close(struct circuits *c)
{
    bins_free(&c->out);
    arena_free(&c->memory);
    *c = (struct circuits){0};
}

uint32_t circuit_path(uint32_t *node, const struct circuits *c, uint32_t circuit)
{
    const struct route_table *r = c->routes;
    uint32_t src = c->from[circuit & ~1U], v = c->to[circuit & ~1U], hops = r->hops[(size_t)src * r->nodes + v];
    for (uint32_t i = hops; i > 0; i--) {
        node[circuit & 1 ? hops - i : i] = v;
        v = r->net->links[link_into(r, src, v)].from;
    }
    node[circuit & 1 ? hops : 0] = src;
    assert(v == src);
    return hops + 1;
}

uint32_t circuits_hops(uint16_t *hops, const struct circuits *c, uint32_t to, uint32_t *queue)
{
    uint32_t reached = 1, nodes = c->routes->nodes;
    for (uint32_t v = 0; v < nodes; v++)
        hops[v] = UINT16_MAX;
    hops[to] = 0;
    queue[0] = to;
    for (uint32_t i = 0; i < reached; i++)
        for (size_t k = c->out.first[queue[i]]; k < c->out.first[queue[i] + 1]; k++) {
            uint32_t v = c->to[c->out.number[k]];
            if (hops[v] < UINT16_MAX)
                continue;
            hops[v] = (uint16_t)(hops[queue[i]] + 1);
            queue[reached++] = v;
        }
    return reached == nodes ? hops[queue[nodes - 1]] : UINT16_MAX;
}
