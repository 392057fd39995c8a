/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fewest steps of any schedule on very small networks, found by trying all of them, against every bound in steps.
 * The search is kinder than a real schedule: load instead of wavelengths, and a node that gets the same contribution
 * twice does not mind.  So a bound above its answer would be above the true optimum too.
 */

#include "tests/support/bounds.h"
#include "tests/support/random.h"
#include "tests/support/wants.h"

enum { NODES = 6, LINKS = 12, ROUTES = 256, LIGHTPATHS = 4096, TRIES = 100000, SEEN = 1 << 17 /* > TRIES */ };

struct route {
    unsigned src;
    unsigned readers, links;    /* sets of nodes and of directed links */
};

/** One instance; a state packs, for every node and block, which nodes' contributions to the block the node has. */
struct game {
    const rwa_network *net;
    const uint32_t *members;    /* NULL: all nodes */
    struct route routes[ROUTES];
    unsigned route_count;
    rwa_collective coll;
    unsigned channels, hops, drops, slots;
    unsigned bits;          /* of one node and block */
    uint64_t start, goal;
    unsigned long tries;    /* sets of lightpaths so far; beyond TRIES the game is given up */
};

/** States from which the goal is known to be too far, with the steps that were left. */
static uint64_t seen[2 * SEEN];

struct lightpath {
    uint64_t gain;          /* bits it adds to the state */
    unsigned links;
};

static uint64_t field(const struct game *g, unsigned node, unsigned block, uint64_t bits)
{
    return bits << ((node * (unsigned)g->coll.blocks + block) * g->bits);
}

static uint64_t get(const struct game *g, uint64_t state, unsigned node, unsigned block)
{
    return state >> ((node * (unsigned)g->coll.blocks + block) * g->bits) & ((UINT64_C(1) << g->bits) - 1);
}

static bool reduces(const struct game *g)
{
    return rwa_collective_is_reduction(g->coll.kind);
}

/** Every simple path on from `at`, its last node, that the hop limit allows, with every choice of `drops` nodes at most
 * that read it; those before `at` are `taps`. */
static void find_routes(struct game *g, unsigned src, unsigned at, struct route so_far, unsigned hops, unsigned visited)
{
    struct route read = {src, so_far.readers | (at != src ? 1u << at : 0), so_far.links};
    if (at != src && (unsigned)__builtin_popcount(read.readers) <= g->drops) {
        CU_ASSERT_FATAL(g->route_count < ROUTES);
        g->routes[g->route_count++] = read;
    }
    for (unsigned l = 0; l < rwa_network_links(g->net) && hops < g->hops; l++) {
        rwa_link link = rwa_network_link(g->net, l);
        if (link.from != at || (visited >> link.to & 1) || rwa_network_is_failed(g->net, l))
            continue;
        struct route on = {src, so_far.readers, so_far.links | 1u << l}, tapped = {src, read.readers, on.links};
        find_routes(g, src, link.to, on, hops + 1, visited | 1u << link.to);
        if (at != src && (unsigned)__builtin_popcount(read.readers) < g->drops)
            find_routes(g, src, link.to, tapped, hops + 1, visited | 1u << link.to);
    }
}

static void set_up(struct game *g)
{
    unsigned n = g->coll.nodes;
    g->bits = reduces(g) ? n : 1;
    CU_ASSERT_FATAL(rwa_network_nodes(g->net) * g->coll.blocks * g->bits <= 64);
    g->start = g->goal = 0;
    for (unsigned r = 0; r < n; r++)
        for (unsigned b = 0; b < g->coll.blocks; b++) {
            unsigned v = g->members ? g->members[r] : r;
            if (reduces(g))
                g->start |= field(g, v, b, UINT64_C(1) << r);
            else if (starts_with(&g->coll, r, b))
                g->start |= field(g, v, b, 1);
            if (wants(&g->coll, r, b))
                g->goal |= field(g, v, b, (UINT64_C(1) << g->bits) - 1);
        }
    for (unsigned v = 0; v < rwa_network_nodes(g->net); v++)
        find_routes(g, v, v, (struct route){v, 0, 0}, 0, 1u << v);
}

/** One lightpath more; of two over the same links the one whose readers gain more stands for both. */
static unsigned add(struct lightpath *list, unsigned count, struct lightpath more)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i].links == more.links &&
            ((list[i].gain & more.gain) == list[i].gain || (list[i].gain & more.gain) == more.gain)) {
            list[i].gain |= more.gain;
            return count;
        }
    if (count == LIGHTPATHS)
        CU_FAIL_FATAL("more lightpaths than expected");
    list[count] = more;
    return count + 1;
}

static uint64_t gain_of(const struct game *g, uint64_t state, const struct route *r, unsigned block)
{
    uint64_t gain = 0;
    for (unsigned v = 0; v < NODES; v++)
        if (r->readers >> v & 1)
            gain |= field(g, v, block, get(g, state, r->src, block) & ~get(g, state, v, block));
    return gain;
}

static unsigned add_full(struct lightpath *list, unsigned count, const struct game *g, uint64_t state,
                         const struct route *r)
{
    uint64_t gain = 0;
    for (unsigned b = 0; b < g->coll.blocks; b++)
        gain |= gain_of(g, state, r, b);
    return gain ? add(list, count, (struct lightpath){gain, r->links}) : count;
}

/** A lightpath over the route with some of the blocks from `block` on, `slots` of them at most, beside those it has. */
static unsigned load_blocks(struct lightpath *list, unsigned count, const struct game *g, uint64_t state,
                            const struct route *r, unsigned block, unsigned slots, uint64_t gain)
{
    if (gain)
        count = add(list, count, (struct lightpath){gain, r->links});
    if (slots >= g->coll.blocks) /* all there are, on the fullest lightpath alone */
        return add_full(list, count, g, state, r);
    for (unsigned b = block; b < g->coll.blocks && slots > 0; b++) {
        uint64_t more = gain_of(g, state, r, b);
        if (more)
            count = load_blocks(list, count, g, state, r, b + 1, slots - 1, gain | more);
    }
    return count;
}

static unsigned useful(struct lightpath *list, const struct game *g, uint64_t state)
{
    unsigned count = 0;
    for (unsigned i = 0; i < g->route_count; i++)
        count = load_blocks(list, count, g, state, &g->routes[i], 0, g->slots, 0);
    return count;
}

static bool load(unsigned *used, unsigned links, const struct game *g)
{
    for (unsigned l = 0; l < LINKS; l++)
        if ((links >> l & 1) && used[l] == g->channels)
            return false;
    for (unsigned l = 0; l < LINKS; l++)
        used[l] += links >> l & 1;
    return true;
}

static void unload(unsigned *used, unsigned links)
{
    for (unsigned l = 0; l < LINKS; l++)
        used[l] -= links >> l & 1;
}

static bool reachable(struct game *g, uint64_t state, unsigned steps);

/** Whether one more lightpath would help and fit; then the set with it is tried as well, and is no worse. */
static bool has_room(const struct lightpath *list, unsigned count, const unsigned *used, uint64_t state,
                     const struct game *g)
{
    for (unsigned i = 0; i < count; i++) {
        bool fits = (list[i].gain & ~state) != 0;
        for (unsigned l = 0; fits && l < LINKS; l++)
            fits = !(list[i].links >> l & 1) || used[l] < g->channels;
        if (fits)
            return true;
    }
    return false;
}

/** Try every set of the lightpaths from `from` on, beside those whose load and gain are given. */
static bool choose(struct game *g, const struct lightpath *list, unsigned count, unsigned from, unsigned *used,
                   uint64_t state, unsigned steps)
{
    if ((state & g->goal) == g->goal || ++g->tries > TRIES)
        return true;
    for (; from < count; from++) {
        if ((list[from].gain & ~state) == 0 || !load(used, list[from].links, g))
            continue;
        bool found = choose(g, list, count, from + 1, used, state | list[from].gain, steps);
        unload(used, list[from].links);
        if (found)
            return true;
    }
    return steps > 0 && !has_room(list, count, used, state, g) && reachable(g, state, steps);
}

/** Whether this state was tried before with as many steps left; otherwise it is noted. */
static bool tried(uint64_t state, unsigned steps)
{
    size_t i = (size_t)((state * 0x9E3779B97F4A7C15u + steps) >> 40) % SEEN;
    while (seen[2 * i + 1] != 0 && (seen[2 * i] != state || seen[2 * i + 1] != steps))
        i = (i + 1) % SEEN;
    if (seen[2 * i + 1] != 0)
        return true;
    seen[2 * i] = state;
    seen[2 * i + 1] = steps;
    return false;
}

static bool reachable(struct game *g, uint64_t state, unsigned steps)
{
    struct lightpath list[LIGHTPATHS];
    unsigned used[LINKS] = {0};
    if (tried(state, steps))
        return false;
    return choose(g, list, useful(list, g, state), 0, used, state, steps - 1);
}

static unsigned optimum(struct game *g)
{
    for (unsigned steps = 1; steps < 20; steps++) {
        memset(seen, 0, sizeof seen);
        if (reachable(g, g->start, steps))
            return steps;
    }
    return 0;
}

static unsigned tested, reached, given_up;
static void play(struct request r)
{
    r.bytes = 60;
    r.options.max_drops = r.options.max_drops ? r.options.max_drops : 1;
    struct bound_task t = bound_task_of(&r);
    const rwa_bounds *list = bounds_for(r);
    struct game g = {.net = t.net,
                     .members = t.opts.members,
                     .coll = t.coll,
                     .hops = t.opts.max_hops,
                     .drops = t.opts.max_drops,
                     .slots = t.opts.lightpath_blocks,
                     .channels = rwa_network_channels(t.net) - (unsigned)r.reserved.count};
    uint64_t best = 0;
    CU_ASSERT_FATAL(rwa_network_links(g.net) <= LINKS && rwa_network_nodes(g.net) <= NODES);
    set_up(&g);
    unsigned steps = optimum(&g);
    CU_ASSERT_FATAL(steps > 0);
    if (g.tries > TRIES) {
        given_up++;
        return;
    }
    for (size_t i = 0; i < rwa_bounds_count(list); i++) {
        const rwa_bound *b = rwa_bounds_get(list, i);
        if (!b->holds || strcmp(b->unit, "steps") != 0)
            continue;
        CU_ASSERT(b->value <= steps);
        if (b->value > steps)
            printf("%s: %s says %u, but %u steps suffice\n", r.line, b->name, (unsigned)b->value, steps);
        best = b->value > best ? b->value : best;
    }
    tested++;
    reached += best == steps;
    if (best != steps && getenv("RWA_TEST_VERBOSE"))
        printf("%s: bound %u, optimum %u\n", r.line, (unsigned)best, steps);
}

/** Whether every node reaches every other: otherwise no number of steps suffices. */
static bool is_connected(const rwa_network *net)
{
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++) {
        unsigned reached_nodes = 1u << v, before = 0;
        while (before != reached_nodes) {
            before = reached_nodes;
            for (uint32_t l = 0; l < rwa_network_links(net); l++)
                if (!rwa_network_is_failed(net, l) && (reached_nodes >> rwa_network_link(net, l).from & 1))
                    reached_nodes |= 1u << rwa_network_link(net, l).to;
        }
        if (reached_nodes + 1 != 1u << rwa_network_nodes(net))
            return false;
    }
    return true;
}

/** With links or directions of them that failed, a reserved channel of two, members, several blocks on a lightpath, or
 * several receivers; fewer blocks than owners, or more. */
static void random_requests(void)
{
    static const char *const nets[] = {
        "ring:2", "ring:3", "ring:4", "ring:5", "line:2", "line:3", "line:4", "line:5", "tree:3x1", "mesh:2x2",
        "circulant:4:1", "circulant:4:1,2", "circulant:5:1"};
    static const unsigned loads[] = {1, 1, 2, 3, 25};
    for (unsigned i = 0; i < (thorough ? 100000 : 7000); i++) {
        rwa_collective_kind kind = RWA_ALL_GATHER + any(8);
        struct request r = request_of("%s w=%u drops=%u load=%u hops=%u %s", nets[any(COUNT(nets))], 1 + any(2),
                                      1 + any(any(3) + 1), loads[any(COUNT(loads))], 1 + any(4),
                                      rwa_collective_name(kind));
        const rwa_network *net = request_network(r);
        unsigned nodes = rwa_network_nodes(net), part = nodes > 3 && any(3) == 0 ? 3 : nodes;
        bool faulty = r.network.wavelengths == 2 && any(2), sums = rwa_collective_is_reduction(kind);
        r.reserved.count = faulty;
        r.links.at[0] = any(rwa_network_links(net));
        r.links.at[1] = rwa_network_pair(net, r.links.at[0]);
        r.links.count = faulty ? any(3) : 0;
        r.members = part < nodes ? (struct numbers){{0, 2, 3}, 3} : r.members;
        r.blocks = kind == RWA_ALL_TO_ALL || any(2) ? 0 : 1 + any(part + 1);
        r.root = rwa_collective_has_root(kind) ? any(part) : 0;
        uint64_t bits = nodes * request_collective(&r, net).blocks * (sums ? part : 1);
        if (bits <= 64 && is_connected(request_network(r)))
            play(r);
    }
}

static void are_tight(void)
{
    printf("bound reached in %u of %u cases, %u given up, ", reached, tested, given_up);
    CU_ASSERT(reached > tested / 2);
}

/** Usage: optimum_test [thorough]: also larger networks */
TESTS("optimum", random_requests, are_tight)
