/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths for a logical topology: greedily those that shorten the ways of all pairs most, for each link that they take. */
#include "scheme/own/logical.h"

#include "network/translations.h"

const char *physical_limit(const struct plan_request *request)
{
    const rwa_network *net = request->net;
    if (rwa_network_ports(net) == 1)
        return "a single port";
    if (network_has_reserved(net) || !network_is_uniform(net) || !rwa_network_is_paired(net))
        return "links that are not alike or lead one way only, reserved channels or failed links";
    bool large = rwa_network_ports(net) == 0 && (network_has_arcs(net) || logical_splits(net) || !network_is_transitive(net));
    uint32_t most = large ? LOGICAL_NODES : GREEDY_NODES;
    if (rwa_network_nodes(net) > most || rwa_network_nodes(net) < 3 || request->coll->nodes != rwa_network_nodes(net))
        return "fewer than 3 nodes, more than 256 (2048 on rings, lines, meshes and networks of unlike nodes of any ports), or members "
               "that are not all nodes";
    if (!network_has_arcs(net) && network_has_parallel_links(net))
        return "parallel links";
    return request->opts->stripes > 1 ? "stripes, since it cuts blocks by itself" : NULL;
}

/* ---- routes ---- */

/** Breadth-first from one node. */
static uint32_t find_routes(struct physical *p, uint32_t src, uint32_t *queue)
{
    const rwa_network *net = p->listed;
    uint32_t *into = p->into + (size_t)src * p->nodes, reached = 1;
    uint16_t *hops = p->hops + (size_t)src * p->nodes;
    for (uint32_t v = 0; v < p->nodes; v++)
        into[v] = UINT32_MAX;
    queue[0] = src;
    for (uint32_t i = 0; i < reached; i++)
        for (uint32_t k = net->first[queue[i]]; k < net->first[queue[i] + 1]; k++) {
            uint32_t to = net->links[net->out[k]].to;
            if (to == src || into[to] != UINT32_MAX)
                continue;
            into[to] = net->out[k];
            hops[to] = (uint16_t)(hops[queue[i]] + 1);
            queue[reached++] = to;
        }
    p->farthest = hops[queue[reached - 1]] > p->farthest ? hops[queue[reached - 1]] : p->farthest;
    return reached;
}

enum { LANES = 16 };

/** What LANES nodes, `now` far, gain by a way over another node, from which they are `onward`: squares before less after.  Squares fit
 *  16 bits, and compilers turn so many at a time into vector instructions. */
static inline int32_t gain_of_lanes(const uint16_t *now, const uint16_t *onward, uint16_t here)
{
    int32_t sum = 0;
    for (uint32_t k = 0; k < LANES; k++) {
        uint16_t before = now[k], after = (uint16_t)(here + onward[k]), least = after < before ? after : before;
        sum += (uint16_t)(before * before) - (uint16_t)(least * least);
    }
    return sum;
}

/** The squares of the distances of some nodes to all, before less after a and b are joined, for each link between these. */
static double gain_of(const struct physical *p, const uint16_t *hops, uint32_t a, uint32_t b)
{
    enum { LOOKS = 64 };
    uint32_t nodes = p->nodes, apart = (uint32_t)ceil_div(nodes, LOOKS);
    int64_t gain = 0;
    for (uint32_t x = (a + b) % apart; x < nodes; x += apart) {
        const uint16_t *from_x = hops + (size_t)x * nodes;
        uint32_t nearer = from_x[a] < from_x[b] ? a : b, other = a + b - nearer;
        const uint16_t *onward = hops + (size_t)other * nodes;
        uint32_t y = 0;
        int32_t here = from_x[nearer] + 1, sum = 0;
        if (from_x[other] <= here)
            continue;
        for (; y + LANES <= nodes; y += LANES)
            sum += gain_of_lanes(from_x + y, onward + y, (uint16_t)here);
        for (; y < nodes; y++) {
            int32_t before = from_x[y], after = here + onward[y];
            sum += after < before ? before * before - after * after : 0;
        }
        gain += sum;
    }
    return (double)gain / p->hops[(size_t)a * nodes + b];
}

/** 1, 2, 3, 4, 6, 8, 12, 16 …: few lengths are enough, and their lightpaths lie end to end. */
static bool is_round(uint32_t hops)
{
    while (hops % 2 == 0)
        hops /= 2;
    return hops == 1 || hops == 3;
}

static void find_first_gains(struct physical *p)
{
    for (uint32_t a = 0; a < p->nodes; a++)
        for (uint32_t b = a + 1; b < p->nodes; b++)
            if (is_round(p->hops[(size_t)a * p->nodes + b]))
                p->gain[(size_t)a * p->nodes + b] = gain_of(p, p->hops, a, b);
}

rwa_status physical_open(struct physical *out, const rwa_network *net, struct budget *budget, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), *queue;
    *out = (struct physical){.net = net, .nodes = nodes, .budget = budget, .memory = {.err = err}};
    assert(nodes <= LOGICAL_NODES);
    MUST(network_list_links(&out->listed, net, err));
    out->fibres = out->listed->link_count / 2;
    out->channels = rwa_network_channels(net);
    out->ports = rwa_network_ports(net) > 0 ? rwa_network_ports(net) : UINT32_MAX;
    arena_new(&out->memory, out->into, (size_t)nodes * nodes);
    arena_new(&out->memory, out->hops, (size_t)nodes * nodes);
    arena_new(&out->memory, out->gain, nodes <= GREEDY_NODES ? (size_t)nodes * nodes : 0);
    arena_new(&out->memory, queue, nodes);
    MUST(arena_status(&out->memory));
    out->degree = UINT32_MAX;
    for (uint32_t src = 0; src < nodes; src++) {
        uint32_t degree = out->listed->first[src + 1] - out->listed->first[src];
        out->degree = degree < out->degree ? degree : out->degree;
        if (find_routes(out, src, queue) < nodes)
            out->nodes = 0;
    }
    if (nodes <= GREEDY_NODES)
        find_first_gains(out);
    return nodes > GREEDY_NODES && logical_splits(net) ? physical_split(out, err) : RWA_OK;
}

void physical_close(struct physical *p)
{
    for (uint32_t d = 0; d < p->lines; d++)
        physical_close(&p->line[d]);
    rwa_network_free(p->listed);
    arena_free(&p->memory);
}

bool physical_stops(const struct physical *p)
{
    return p->budget && base_must_stop(p->budget, "choosing a logical topology", -1);
}

rwa_status physical_go_on(const struct physical *p, rwa_error *err)
{
    return physical_stops(p) ? base_fail(err, RWA_CANCELLED, "planning was stopped while a logical topology was chosen") : RWA_OK;
}

/** Whether pairs are too many to weigh the gain of each. */
static bool is_apart(const struct physical *p)
{
    return p->nodes > GREEDY_NODES;
}

/* ---- channels ---- */

struct candidate {
    double gain;                /* links that all pairs save, by those of the lightpath; no more than this */
    uint32_t a, b;
    uint32_t known;             /* links of the topology when the gain was found */
};

struct maker {
    struct logical *t;
    uint64_t *used;             /* [fibre pair][word]: channels */
    size_t words;
    size_t room;
    uint32_t *joined;           /* far nodes that each node is joined to */
    uint32_t *ends;             /* lightpaths out of each node */
    uint32_t *degree;           /* of each node: lightpaths out of it, if all channels are used that no lightpath through it has */
    uint32_t fewest, wanted;    /* of these; fewer are not enough */
    struct candidate *heap;     /* the greatest gain first */
    size_t count;
};

/** A channel that is free on the route from a to b, the lowest; UINT32_MAX: none is. */
static uint32_t free_channel(const struct maker *m, uint32_t a, uint32_t b)
{
    const struct physical *p = m->t->physical;
    for (size_t word = 0; word < m->words; word++) {
        uint64_t used = 0;
        for (uint32_t v = b; v != a && ~used; v = p->listed->links[p->into[(size_t)a * p->nodes + v]].from)
            used |= m->used[(size_t)(p->into[(size_t)a * p->nodes + v] >> 1) * m->words + word];
        if (~used)
            return (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(~used);
    }
    return UINT32_MAX;
}

static void add_link(struct logical *t, uint32_t from, uint32_t to, uint32_t channel)
{
    t->from[t->links] = from;
    t->to[t->links] = to;
    t->channel[t->links++] = channel;
}

static bool can_join(const struct maker *m, uint32_t a, uint32_t b)
{
    const struct physical *p = m->t->physical;
    bool free_ports = m->ends[a] < p->ports && m->ends[b] < p->ports;
    return free_ports && (free_channel(m, a, b) < p->channels || free_channel(m, b, a) < p->channels);
}

/** Two nodes are joined, there and back, by the route from either where a channel is free.  Whether one is. */
static bool join(struct maker *m, uint32_t a, uint32_t b)
{
    const struct physical *p = m->t->physical;
    if (!can_join(m, a, b))
        return false;
    uint32_t channel = free_channel(m, a, b), from = a;
    if (channel >= p->channels) {
        channel = free_channel(m, b, a);
        from = b;
    }
    assert(m->t->links + 2 <= m->room);
    for (uint32_t v = a + b - from; v != from; v = p->listed->links[p->into[(size_t)from * p->nodes + v]].from) {
        m->used[(size_t)(p->into[(size_t)from * p->nodes + v] >> 1) * m->words + channel / 64] |= (uint64_t)1 << channel % 64;
        m->degree[v] -= v == a + b - from ? 0 : 2;
        m->fewest = m->degree[v] < m->fewest ? m->degree[v] : m->fewest;
    }
    add_link(m->t, from, a + b - from, channel);
    add_link(m->t, a + b - from, from, channel);
    m->ends[a]++;
    m->ends[b]++;
    return true;
}

static void join_neighbours(struct maker *m, uint32_t times)
{
    const struct physical *p = m->t->physical;
    for (uint32_t k = 0; k < times; k++)
        for (uint32_t i = 0; i < p->fibres; i++)
            join(m, p->listed->links[2 * i].from, p->listed->links[2 * i].to);
}

/* ---- hops ---- */

rwa_status logical_links_out(struct bins *out, const struct logical *t, rwa_error *err)
{
    MUST(bins_open(out, t->physical->nodes, err));
    for (uint32_t l = 0; l < t->links; l++)
        bins_count(out, t->from[l]);
    MUST(bins_divide(out, t->physical->nodes, err));
    for (uint32_t l = 0; l < t->links; l++)
        bins_put(out, t->from[l], l);
    return RWA_OK;
}

/** Of lightpaths with the same ends one is enough.  @param seen  of each node, 0 */
static void leave_out_parallel(struct bins *links, const struct logical *t, uint32_t *seen)
{
    size_t at = 0, kept = 0;
    for (uint32_t v = 0; v < t->physical->nodes; v++) {
        size_t end = links->first[v + 1];
        links->first[v] = kept;
        for (; at < end; at++) {
            uint32_t link = links->number[at];
            if (seen[t->to[link]] != v + 1)
                links->number[kept++] = link;
            seen[t->to[link]] = v + 1;
        }
    }
    links->first[t->physical->nodes] = kept;
}

/** Breadth-first, over the lightpaths. */
static rwa_status find_logical_hops(struct logical *t, rwa_error *err)
{
    uint32_t nodes = t->physical->nodes, *queue;
    struct bins links = {0};
    rwa_status st = base_new(queue, nodes, err);
    TRY(st);
    TRY(logical_links_out(&links, t, err));
    leave_out_parallel(&links, t, queue);
    for (uint32_t src = 0; src < nodes; src++) {
        uint16_t *hops = t->hops + (size_t)src * nodes;
        uint32_t reached = 1;
        TRY(physical_go_on(t->physical, err));
        for (uint32_t v = 0; v < nodes; v++)
            hops[v] = v == src ? 0 : UINT16_MAX;
        queue[0] = src;
        for (uint32_t i = 0; i < reached; i++)
            for (size_t k = links.first[queue[i]]; k < links.first[queue[i] + 1]; k++) {
                uint32_t to = t->to[links.number[k]];
                if (hops[to] < UINT16_MAX)
                    continue;
                hops[to] = (uint16_t)(hops[queue[i]] + 1);
                queue[reached++] = to;
            }
    }
done:
    bins_free(&links);
    free(queue);
    return st;
}

/* ---- gains ---- */

static void shorten(struct logical *t, uint32_t a, uint32_t b)
{
    uint32_t nodes = t->physical->nodes;
    for (uint32_t x = 0; x < nodes; x++) {
        uint16_t *from_x = t->hops + (size_t)x * nodes;
        uint32_t nearer = from_x[a] < from_x[b] ? a : b, other = a + b - nearer;
        uint32_t here = from_x[nearer] + 1U;
        if (from_x[other] <= here)
            continue;
        for (uint32_t y = 0; y < nodes; y++) {
            uint32_t after = here + t->hops[(size_t)other * nodes + y];
            from_x[y] = after < from_x[y] ? (uint16_t)after : from_x[y];
        }
    }
}

static bool gains_more(const struct candidate *a, const struct candidate *b)
{
    return a->gain > b->gain;
}

HEAP(candidates, struct candidate, gains_more)

static void list_candidates(struct maker *m, uint32_t longest)
{
    const struct physical *p = m->t->physical;
    for (uint32_t a = 0; a < p->nodes; a++)
        for (uint32_t b = a + 1; b < p->nodes; b++) {
            uint32_t hops = p->hops[(size_t)a * p->nodes + b];
            bool few = p->ports < UINT32_MAX; /* neighbours may not be joined, so that more is to be gained */
            if (hops > !few && hops <= longest && is_round(hops))
                m->heap[m->count++] = (struct candidate){few ? INFINITY : p->gain[(size_t)a * p->nodes + b], a, b, few ? 0 : m->t->links};
        }
    for (size_t i = m->count / 2; i-- > 0;)
        candidates_sink(m->heap, m->count, i);
}

/** Gains hardly grow as others are joined, so the greatest is looked at again before it is taken. */
static rwa_status join_far(struct maker *m, uint32_t most, rwa_error *err)
{
    while (m->count > 0 && m->heap[0].gain > 0 && m->fewest >= m->wanted) {
        struct candidate *best = &m->heap[0];
        if (m->joined[best->a] >= most || m->joined[best->b] >= most || !can_join(m, best->a, best->b)) {
            candidates_pop(m->heap, &m->count);
            continue;
        }
        MUST(physical_go_on(m->t->physical, err));
        if (best->known != m->t->links) {
            best->gain = gain_of(m->t->physical, m->t->hops, best->a, best->b);
            best->known = m->t->links;
            candidates_sink(m->heap, m->count, 0);
            continue;
        }
        join(m, best->a, best->b);
        shorten(m->t, best->a, best->b);
        m->joined[best->a]++;
        m->joined[best->b]++;
        candidates_pop(m->heap, &m->count);
    }
    return RWA_OK;
}

/** Channels that are left join nodes that are not joined yet, near ones first. */
static rwa_status join_near(struct maker *m, uint32_t longest, rwa_error *err)
{
    const struct physical *p = m->t->physical;
    for (uint32_t hops = 2; hops <= longest && hops <= p->farthest; hops++)
        for (uint32_t a = 0; a < p->nodes && m->fewest >= m->wanted; a++) {
            MUST(physical_go_on(p, err));
            for (uint32_t b = a + 1; b < p->nodes; b++)
                if (p->hops[(size_t)a * p->nodes + b] == hops && m->t->hops[(size_t)a * p->nodes + b] > 1 && join(m, a, b))
                    shorten(m->t, a, b);
        }
    return RWA_OK;
}

/** Join a node that is not in the tree of `count` nodes yet to the first of these that is so many links away; whether there is one. */
static bool extend_tree(struct maker *m, uint32_t *tree, bool *inside, uint32_t count, uint32_t hops)
{
    const struct physical *p = m->t->physical;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t v = 0; v < p->nodes && m->ends[tree[i]] < p->ports; v++)
            if (!inside[v] && p->hops[(size_t)tree[i] * p->nodes + v] == hops && join(m, tree[i], v)) {
                inside[v] = true;
                tree[count] = v;
                return true;
            }
    return false;
}

/** With few ports a tree of short lightpaths comes first: else those of some neighbours might leave no port to join all nodes. */
static rwa_status join_tree(struct maker *m, uint32_t longest, rwa_error *err)
{
    const struct physical *p = m->t->physical;
    struct arena scratch = {.err = err};
    uint32_t count = 1, best = UINT32_MAX, *tree;
    bool *inside;
    arena_new(&scratch, tree, p->nodes);
    arena_new(&scratch, inside, p->nodes);
    rwa_status st = arena_status(&scratch);
    TRY(st);
    for (uint32_t v = 0; v < p->nodes; v++) {
        uint32_t sum = 0;
        for (uint32_t to = 0; to < p->nodes; to++)
            sum += p->hops[(size_t)v * p->nodes + to];
        tree[0] = sum < best ? v : tree[0];
        best = sum < best ? sum : best;
    }
    inside[tree[0]] = true;
    for (uint32_t hops = 1; hops <= longest && count < p->nodes; hops++)
        while (count < p->nodes && extend_tree(m, tree, inside, count, hops)) {
            count++;
            hops = 1;
        }
    m->t->given_up = count < p->nodes;
    if (!m->t->given_up)
        TRY(find_logical_hops(m->t, err));
done:
    arena_free(&scratch);
    return st;
}

/** On larger networks: all pairs so many links apart, in random order, the farthest first. */
static rwa_status join_apart(struct maker *m, const struct logical_choice *choice, rwa_error *err)
{
    const struct physical *p = m->t->physical;
    uint32_t nodes = p->nodes, *pair = NULL;
    uint64_t random = choice->longest;
    size_t room = 0;
    rwa_status st = RWA_OK;
    for (uint32_t hops = choice->longest; hops > 1; hops--) {
        size_t count = 0;
        TRY(physical_go_on(p, err));
        for (uint32_t a = 0; a < nodes; a++)
            for (uint32_t b = a + 1; b < nodes; b++)
                if (p->hops[(size_t)a * nodes + b] == hops && m->joined[a] < choice->joined && m->joined[b] < choice->joined)
                    TRY(base_append(pair, count, room, err, a * nodes + b));
        base_shuffle(pair, (uint32_t)count, &random);
        for (size_t i = 0; i < count; i++) {
            uint32_t a = pair[i] / nodes, b = pair[i] % nodes;
            bool joined = m->joined[a] < choice->joined && m->joined[b] < choice->joined && join(m, a, b);
            m->joined[a] += joined;
            m->joined[b] += joined;
        }
    }
done:
    free(pair);
    return st;
}

static rwa_status join_greedily(struct maker *m, const struct logical_choice *choice, rwa_error *err)
{
    if (m->t->physical->ports < UINT32_MAX)
        MUST(join_tree(m, choice->longest, err));
    else
        join_neighbours(m, choice->neighbours);
    if (m->t->given_up)
        return RWA_OK;
    if (is_apart(m->t->physical))
        return join_apart(m, choice, err);
    list_candidates(m, choice->longest);
    MUST(join_far(m, choice->joined, err));
    return join_near(m, choice->longest, err);
}

/* ---- levels ---- */

/** Lightpaths of a length that follow each other: once round a ring, or along a line; the last one may be shorter. */
static void join_stops(struct maker *m, uint32_t first, uint32_t length)
{
    const struct physical *p = m->t->physical;
    uint32_t end = network_is_cycle(p->net) ? first + p->nodes : p->nodes - 1;
    for (uint32_t at = first; at < end; at += length)
        join(m, at % p->nodes, (at + length < end ? at + length : end) % p->nodes);
}

/** On each level lightpaths begin where some of the level below do; those of other channels begin between them. */
static void join_levels(struct maker *m, const struct logical_choice *choice)
{
    uint32_t length = 1, below = 1;
    assert(choice->longest <= m->t->physical->farthest); /* a shorter route leads the other way round */
    for (uint32_t level = 0; level < choice->levels; level++, below = length, length *= choice->ratio) {
        uint32_t copies = levels_copies(choice, m->t->physical->channels, level);
        for (uint32_t c = 0; c < copies; c++)
            join_stops(m, c * (length / below) / copies * below, length);
    }
}

/** Of each node, and of the one that has the fewest. */
static void count_degrees(struct maker *m)
{
    const struct physical *p = m->t->physical;
    m->fewest = p->degree * p->channels;
    for (uint32_t v = 0; v < p->nodes; v++)
        m->degree[v] = (p->listed->first[v + 1] - p->listed->first[v]) * p->channels;
}

/** Channels that are left join neighbours. */
static rwa_status finish(struct logical *t, struct maker *m, rwa_error *err)
{
    join_neighbours(m, t->physical->channels);
    for (uint32_t v = 0; v < t->physical->nodes; v++)
        t->degree = m->ends[v] < t->degree ? m->ends[v] : t->degree;
    if (t->levelled || t->physical->ports < UINT32_MAX || is_apart(t->physical))
        MUST(find_logical_hops(t, err));
    for (size_t i = 0; i < (size_t)t->physical->nodes * t->physical->nodes; i++)
        t->farthest = t->hops[i] > t->farthest ? t->hops[i] : t->farthest;
    return RWA_OK;
}

rwa_status logical_open(struct logical *out, const struct physical *p, const struct logical_choice *choice, uint32_t degree,
                        rwa_error *err)
{
    struct arena scratch = {.err = err};
    struct maker m = {.t = out, .words = p->channels / 64 + 1, .room = 2 * (size_t)p->fibres * p->channels, .wanted = degree};
    rwa_status st = RWA_OK;
    if (p->lines > 0)
        return logical_open_lines(out, p, choice, degree, err);
    *out = (struct logical){.physical = p, .levelled = choice->levels > 0, .memory = {.err = err}};
    arena_new(&out->memory, out->from, m.room);
    arena_new(&out->memory, out->to, m.room);
    arena_new(&out->memory, out->channel, m.room);
    arena_copy(&out->memory, out->hops, p->hops, (size_t)p->nodes * p->nodes);
    arena_new(&scratch, m.used, p->fibres * m.words);
    arena_new(&scratch, m.joined, p->nodes);
    arena_new(&scratch, m.ends, p->nodes);
    arena_new(&scratch, m.degree, p->nodes);
    arena_new(&scratch, m.heap, choice->levels > 0 || is_apart(p) ? 0 : (size_t)p->nodes * p->nodes / 2);
    TRY(arena_status(&out->memory));
    TRY(arena_status(&scratch));
    for (size_t i = m.words - 1; i < p->fibres * m.words; i += m.words)
        m.used[i] = ~(uint64_t)0 << p->channels % 64; /* beyond the channels */
    count_degrees(&m);
    if (choice->levels > 0)
        join_levels(&m, choice);
    else
        TRY(join_greedily(&m, choice, err));
    out->given_up = out->given_up || m.fewest < degree || p->ports < degree;
    out->degree = m.fewest;
    if (!out->given_up)
        TRY(finish(out, &m, err));
done:
    arena_free(&scratch);
    return st;
}

void logical_close(struct logical *t)
{
    arena_free(&t->memory);
}

uint32_t logical_path(uint32_t *node, const struct logical *t, uint32_t link)
{
    const struct physical *p = t->physical;
    uint32_t src = t->from[link & ~1U], dst = t->to[link & ~1U], hops = p->hops[(size_t)src * p->nodes + dst];
    uint32_t v = dst;
    for (uint32_t i = hops + 1; i-- > 0;) {
        node[link & 1 ? hops - i : i] = v;
        if (i > 0)
            v = p->listed->links[p->into[(size_t)src * p->nodes + v]].from;
    }
    assert(v == src);
    return hops + 1;
}
