/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Choose circuits: first circuits between neighbours and then between random pairs of nodes, as long as channels are
 * free; or circuits of several lengths (levels) along a ring, a line or a walk through all nodes. */
#include "scheme/circuits/circuits.h"

#include "network/translations.h"

struct maker {
    struct circuits *made;
    const struct route_table *routes;
    uint64_t *used;             /* [link][word]: channels */
    size_t words;
    uint32_t capacity;
    uint32_t *in;               /* circuits into each node */
    uint32_t longest;           /* links of a circuit, at most */
    uint32_t ports;             /* limit on the lightpaths out of, and into, a node */
};

static uint32_t hops_of(const struct maker *m, uint32_t a, uint32_t b)
{
    return m->routes->hops[(size_t)a * m->routes->nodes + b];
}

/** Return the last link of the route from participant a to a node of the network; UINT32_MAX: a is at that node. */
static uint32_t link_into(const struct route_table *r, uint32_t a, uint32_t node)
{
    return r->into[(size_t)a * rwa_network_nodes(r->net) + node];
}

/** Return the last link of the route from participant a to participant b. */
static uint32_t last_link(const struct route_table *r, uint32_t a, uint32_t b)
{
    return link_into(r, a, routes_node(r, b));
}

/** Return the link before `link` on the routes that start at participant a; UINT32_MAX: `link` is the first one. */
static uint32_t link_before(const struct route_table *r, uint32_t a, uint32_t link)
{
    return link_into(r, a, r->net->links[link].from);
}

enum { FORTH = 1, BACK = 2, BOTH = FORTH | BACK };

/** Return the lowest channel that is free on all links of the route from a to b (`ways` is FORTH), on the links back
 * from b to a (BACK), or on both (BOTH); UINT32_MAX: there is none. */
static uint32_t free_channel(const struct maker *m, uint32_t a, uint32_t b, unsigned ways)
{
    const struct route_table *r = m->routes;
    for (size_t word = 0; word < m->words; word++) {
        uint64_t used = 0;
        for (uint32_t l = last_link(r, a, b); l != UINT32_MAX && ~used; l = link_before(r, a, l))
            for (uint32_t back = 0; back < 2; back++)
                used |= ways & (FORTH << back) ? m->used[(l ^ back) * m->words + word] : 0;
        if (~used)
            return (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(~used);
    }
    return UINT32_MAX;
}

static void add_circuit(struct maker *m, uint32_t a, uint32_t b, bool back, uint32_t channel)
{
    const struct route_table *r = m->routes;
    struct circuits *c = m->made;
    assert(c->count < m->capacity && channel < r->channels);
    for (uint32_t l = last_link(r, a, b); l != UINT32_MAX; l = link_before(r, a, l))
        set_bit(m->used + (l ^ back) * m->words, channel);
    c->from[c->count] = back ? b : a;
    c->to[c->count] = back ? a : b;
    c->reversed[c->count] = back;
    c->channel[c->count] = channel;
    c->sends[c->from[c->count]]++;
    m->in[c->to[c->count++]]++;
}

/** Set up, on one channel, circuits from a to b (FORTH), back over the same links (BACK), or BOTH, as `ways` says.
 * Returns whether a channel was free; ports are not checked. */
static bool join_from(struct maker *m, uint32_t a, uint32_t b, unsigned ways)
{
    uint32_t channel = free_channel(m, a, b, ways);
    if (channel == UINT32_MAX)
        return false;
    for (uint32_t back = 0; back < 2; back++)
        if (ways & (FORTH << back))
            add_circuit(m, a, b, back, channel);
    return true;
}

static bool may_lead(const struct maker *m, uint32_t from, uint32_t to)
{
    return m->made->sends[from] < m->ports && m->in[to] < m->ports && hops_of(m, from, to) <= m->longest;
}

/** Set up circuits in both directions between a and b, over the same links.  Returns whether a channel and ports
 * were free. */
static bool join(struct maker *m, uint32_t a, uint32_t b)
{
    return may_lead(m, a, b) && may_lead(m, b, a) && (join_from(m, a, b, BOTH) || join_from(m, b, a, BOTH));
}

/** Set up a circuit from a to b only.  Returns whether a channel and ports were free. */
static bool lead(struct maker *m, uint32_t a, uint32_t b)
{
    return may_lead(m, a, b) && (join_from(m, a, b, FORTH) || join_from(m, b, a, BACK));
}

static void join_near(struct maker *m, uint32_t times)
{
    const struct route_table *r = m->routes;
    for (uint32_t k = 0; k < times; k++)
        for (size_t i = 0; i < r->nears; i++)
            join(m, r->near[i] / r->nodes, r->near[i] % r->nodes);
}

/** Join all nodes by a spanning tree of short circuits.  Every node is a tree at first; each circuit joins two trees,
 * the shortest circuits first. */
static rwa_status join_trees(struct maker *m, rwa_error *err)
{
    uint32_t nodes = m->routes->nodes, *tree;
    MUST(base_new(tree, nodes, err));
    for (uint32_t v = 0; v < nodes; v++)
        tree[v] = v;
    for (uint32_t hops = 1; hops <= m->longest; hops++)
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

/** Set up circuits between pairs of nodes, in random order so that circuits of all lengths share the channels.  No
 * circuit has more than m->longest links. */
static rwa_status join_at_random(struct maker *m, const struct circuit_choice *choice, rwa_error *err)
{
    uint32_t nodes = m->routes->nodes, *pair = NULL, count = 0, shortest = m->ports < UINT32_MAX ? 1 : 2;
    uint64_t random = choice->seed;
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < nodes * nodes; i++)
        if (i / nodes < i % nodes && m->routes->hops[i] >= shortest && m->routes->hops[i] <= m->longest)
            TRY(base_append(pair, count, err, i));
    base_shuffle(pair, count, &random);
    for (uint32_t i = 0; i < count; i++) {
        if (i % nodes == 0)
            TRY(circuits_go_on(m->routes->budget, err));
        join(m, pair[i] / nodes, pair[i] % nodes);
    }
done:
    free(pair);
    return st;
}

/** Set up a chain of circuits of `length` links each from node `first` on: once round a ring, or to the end of a
 * line.  The last circuit may be shorter. */
static void join_stops(struct maker *m, uint32_t first, uint32_t length)
{
    uint32_t nodes = m->routes->nodes, end = m->routes->degree > 1 ? first + nodes : nodes - 1;
    for (uint32_t at = first; at < end; at += length)
        join(m, at % nodes, (at + length < end ? at + length : end) % nodes);
}

/** Set up circuits of several lengths (levels) along a ring or line.  The lowest level has one chain of circuits, each
 * of one link; the others share the other channels, with a chain for each channel.  The chains of a level begin at
 * different nodes, each where circuits of the level below meet. */
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

/** List all nodes in `order` along a depth-first search from node 0: nodes at even depth when the search enters them,
 * nodes at odd depth when it leaves them.  So successive nodes are at most 3 links apart.  With one_link, list all
 * nodes when the search enters them.  `path` and `tried` are scratch with an entry for each node. */
static void list_round(uint32_t *order, const struct maker *m, bool one_link, uint32_t *path, uint32_t *tried)
{
    const rwa_network *net = m->routes->net;
    uint32_t count = 1, depth = 1;
    order[0] = path[0] = 0;
    tried[0] = 1;
    while (depth > 0) {
        uint32_t v = path[depth - 1], k = net->first[v] + tried[v] - 1;
        if (k == net->first[v + 1]) { /* all links out of it are tried */
            /* on a tree, circuits between successive nodes then use one channel on each link (Sekanina 1960) */
            if (depth-- % 2 == 0 && !one_link)
                order[count++] = v;
            continue;
        }
        tried[v]++;
        uint32_t to = net->links[net->out[k]].to;
        if (tried[to] > 0)
            continue;
        tried[to] = 1;
        path[depth++] = to;
        if (depth % 2 == 1 || one_link)
            order[count++] = to;
    }
    assert(count == rwa_network_nodes(net));
}

/** Remove from `order`, a list of all nodes, those that do not take part, and replace the others by their participant
 * numbers.  `number` is scratch with an entry for each node. */
static void drop_others(uint32_t *order, const struct route_table *r, uint32_t *number)
{
    uint32_t nodes = rwa_network_nodes(r->net), count = 0;
    for (uint32_t v = 0; v < nodes; v++)
        number[v] = UINT32_MAX;
    for (uint32_t i = 0; i < r->nodes; i++)
        number[routes_node(r, i)] = i;
    for (uint32_t i = 0; i < nodes; i++)
        if (number[order[i]] < UINT32_MAX)
            order[count++] = number[order[i]];
}

/** Set up circuits in one direction along a closed walk through all participants: on the lowest level from each
 * participant to the next one, on higher levels to the r-th, the r²-th … after it (r = choice->ratio). */
static rwa_status join_round(struct maker *m, const struct circuit_choice *choice, rwa_error *err)
{
    uint32_t nodes = m->routes->nodes, all = rwa_network_nodes(m->routes->net), length = 1, *order, *path, *tried;
    struct arena scratch = {.err = err};
    arena_arrays(&scratch, all, order, path, tried);
    rwa_status st = arena_status(&scratch);
    if (st == RWA_OK) {
        list_round(order, m, choice->longest == 1, path, tried);
        drop_others(order, m->routes, path);
    }
    for (uint32_t level = 0; level < choice->levels && length < nodes && st == RWA_OK; level++, length *= choice->ratio)
        for (uint32_t i = 0; i < nodes; i++)
            lead(m, order[i], order[(i + length) % nodes]);
    arena_free(&scratch);
    return st;
}

static rwa_status join_all(struct maker *m, const struct circuit_choice *choice, rwa_error *err)
{
    if (choice->round)
        MUST(join_round(m, choice, err));
    else if (choice->levels > 0)
        join_levels(m, choice);
    else if (m->ports < UINT32_MAX)
        MUST(join_trees(m, err));
    else
        join_near(m, choice->neighbours);
    if (choice->levels == 0)
        MUST(join_at_random(m, choice, err));
    join_near(m, m->routes->channels);
    return RWA_OK;
}

static uint32_t least_degree(const struct circuits *c)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t v = 0; v < c->routes->nodes; v++)
        LOWER(least, c->sends[v]);
    return least;
}

/** Number the pairs of nodes that circuits join, by start and end node, and fill the tables of pairs in struct circuits
 * (`pair`, `before`, `after`, `out`, `into`, `alike`).
 * @param key scratch with an entry for each circuit */
static rwa_status find_pairs(struct circuits *c, uint32_t *key, rwa_error *err)
{
    uint32_t nodes = c->routes->nodes, pairs = 0;
    for (uint32_t i = 0; i < c->count; i++)
        key[i] = c->from[c->in.number[i]];
    MUST(bins_index(&c->out, nodes, c->count, NULL, key, NULL, err));
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t circuit = c->in.number[c->out.number[i]];
        if (pairs == 0 || c->before[pairs - 1] != c->from[circuit] || c->after[pairs - 1] != c->to[circuit]) {
            c->before[pairs] = c->from[circuit];
            c->after[pairs++] = c->to[circuit];
        }
        c->pair[circuit] = pairs - 1;
    }
    bins_free(&c->out);
    MUST(bins_index(&c->out, nodes, pairs, NULL, c->before, NULL, err));
    MUST(bins_index(&c->into, nodes, pairs, NULL, c->after, NULL, err));
    return bins_index(&c->alike, pairs, c->count, NULL, c->pair, NULL, err);
}

rwa_status circuits_open(struct circuits *out, const struct route_table *routes, const struct circuit_choice *choice,
                         rwa_error *err)
{
    struct route_table narrow = *routes, *r = &narrow;
    struct arena scratch = {.err = err};
    *out = (struct circuits){.routes = routes, .width = choice->more + 1, .memory = {.err = err}};
    r->channels /= out->width; /* one is for all lightpaths of a circuit */
    struct maker m = {.made = out,
                      .routes = r,
                      .words = ceil_div(r->channels, 64),
                      .capacity = r->net->link_count * r->channels,
                      .longest = choice->longest,
                      .ports = choice->ports > 0 ? choice->ports : r->ports};
    size_t sets = r->net->link_count * m.words;
    uint32_t *key;
    rwa_status st = RWA_OK;
    arena_new(&out->memory, out->sends, r->nodes);
    TRY(arena_arrays(&out->memory, m.capacity, out->from, out->to, out->channel, out->reversed, out->before, out->after,
                     out->pair));
    arena_new(&scratch, m.used, sets);
    arena_new(&scratch, m.in, r->nodes);
    TRY(arena_arrays(&scratch, m.capacity, key));
    for (size_t i = m.words - 1; i < sets && r->channels % 64 > 0; i += m.words)
        m.used[i] = ~(uint64_t)0 << r->channels % 64; /* beyond the channels */
    TRY(join_all(&m, choice, err));
    TRY(bins_index(&out->in, r->nodes, out->count, NULL, out->to, NULL, err));
    out->degree = least_degree(out);
    TRY(find_pairs(out, key, err));
done:
    arena_free(&scratch);
    return st;
}

void circuits_close(struct circuits *c)
{
    bins_free(&c->out);
    bins_free(&c->in);
    bins_free(&c->into);
    bins_free(&c->alike);
    arena_free(&c->memory);
    *c = (struct circuits){0};
}

uint32_t circuit_path(uint32_t *node, const struct circuits *c, uint32_t circuit)
{
    const struct route_table *r = c->routes;
    bool back = c->reversed[circuit];
    uint32_t src = (back ? c->to : c->from)[circuit], dst = (back ? c->from : c->to)[circuit];
    uint32_t hops = r->hops[(size_t)src * r->nodes + dst], at = hops;
    node[back ? 0 : hops] = routes_node(r, dst);
    for (uint32_t l = last_link(r, src, dst); l != UINT32_MAX; l = link_before(r, src, l)) {
        at--;
        node[back ? hops - at : at] = r->net->links[l].from;
    }
    assert(at == 0);
    return hops + 1;
}

uint32_t circuits_hops(uint16_t *hops, const struct circuits *c, uint32_t node, bool away, uint32_t *queue)
{
    uint32_t reached = 1, nodes = c->routes->nodes;
    const struct bins *pairs = away ? &c->out : &c->into;
    for (uint32_t v = 0; v < nodes; v++)
        hops[v] = UINT16_MAX;
    hops[node] = 0;
    queue[0] = node;
    for (uint32_t i = 0; i < reached; i++)
        for (size_t k = pairs->first[queue[i]]; k < pairs->first[queue[i] + 1]; k++) {
            uint32_t v = (away ? c->after : c->before)[pairs->number[k]];
            if (hops[v] < UINT16_MAX)
                continue;
            hops[v] = (uint16_t)(hops[queue[i]] + 1);
            queue[reached++] = v;
        }
    return reached == nodes ? hops[queue[nodes - 1]] : UINT16_MAX;
}
