/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Some participants, the roots, spread blocks along translations of one broadcast tree.  If every participant is a
 * root, each spreads its own blocks.  With fewer roots each tree has more channels, so that it takes fewer steps, but
 * each step carries more blocks.  A place is a node's position behind the root, and a hop a lightpath of the tree
 * between two places. */
#include "scheme/compose/phases.h"

#include "base/arithmetic.h"
#include "delivery/ring/broadcast_tree.h"

/** A hop of every root's tree: in a step, the place `from` behind the root sends the root's blocks to the place `ahead`
 * places further on.  `rest` is `from` modulo the distance of roots. */
struct hop {
    uint32_t step, from, rest;
    int64_t ahead;
};

COMPARATOR(by_step_and_way, struct hop, UP(step) UP(ahead) UP(rest) UP(from))

/** A place that is not yet informed, the step in which the cheapest tree informs it, and the links of that
 * lightpath. */
struct due {
    uint32_t place, step, links;
};

COMPARATOR(by_step_and_length, struct due, UP(step) DOWN(links) UP(place))

/** A tree under construction.  A copy of it begins every `size` places, so the load of all copies on a link is the load
 * of one copy on all links with the same number modulo `size`. */
struct step_growth {
    uint32_t nodes, size, channels;
    struct due *due;
    bool *informed;             /* of each place */
    /* links from the nearest holder before it, and from the one behind it, when a step begins */
    uint32_t *apart[2];
    uint32_t *load[2];          /* ahead and back, of each link modulo size */
    struct hop *hop;
    size_t hops;
    struct arena memory;
};

/** Allocate the arrays.  The template is the broadcast tree of `steps` steps that takes the fewest link-channels.  List
 * in g->due, for each place, the step and the length of the lightpath by which the template informs it.  If every place
 * is a root, also list the hops of the template in g->hop. */
static rwa_status open_growth(struct step_growth *g, uint32_t steps, struct budget *budget, rwa_error *err)
{
    struct lattice_points points = {0};
    struct delivery_tree tree = {0};
    rwa_status st = RWA_OK;
    size_t count = 0;
    g->memory = (struct arena){.err = err};
    arena_arrays(&g->memory, g->nodes, g->due, g->informed);
    for (int back = 0; back < 2; back++) {
        arena_new(&g->memory, g->apart[back], g->nodes);
        arena_new(&g->memory, g->load[back], g->size);
    }
    TRY(arena_status(&g->memory));
    TRY(lattice_points_choose(&points, g->nodes, steps, budget, err));
    TRY(broadcast_tree_place(&tree, &points, steps, err));
    for (uint32_t v = 1; v < g->nodes; v++)
        g->due[count++] = (struct due){v, tree.at[v].step, tree.at[v].links};
    base_sort(g->due, count, by_step_and_length);
    if (g->size == 1) /* all channels are for the template */
        for (uint32_t v = 1; v < g->nodes; v++)
            g->hop[g->hops++] = (struct hop){tree.at[v].step, tree.at[v].from, 0,
                                             tree.at[v].way == 0 ? tree.at[v].links : -(int64_t)tree.at[v].links};
done:
    free(points.coordinate);
    delivery_tree_free(&tree);
    return st;
}

static void find_holders(struct step_growth *g)
{
    for (uint32_t i = 0, n = g->nodes, ahead = n, back = n; i < 2 * n; i++) {
        ahead = g->informed[i % n] ? 0 : ahead + 1;
        g->apart[0][i % n] = ahead;
        back = g->informed[(2 * n - 1 - i) % n] ? 0 : back + 1;
        g->apart[1][(2 * n - 1 - i) % n] = back;
    }
}

/** Add a lightpath over `links` links, from link `first` on, to the loads of these links in `load`, if each link has a
 * free channel.  Returns whether the lightpath was added. */
static bool take_links(const struct step_growth *g, uint32_t *load, uint32_t first, uint32_t links)
{
    uint32_t full = links / g->size, rest = links % g->size;
    for (int take = 0; take < 2; take++)
        for (uint32_t i = 0; i < (full > 0 ? g->size : rest); i++) {
            uint32_t add = full + (i < rest), *at = &load[(first + i) % g->size];
            if (!take && *at + add > g->channels)
                return false;
            *at += take ? add : 0;
        }
    return true;
}

/** Inform a place in this step from the nearest holder before it or behind it, and append the hop to g->hop.  Returns
 * whether the place was informed.  It is not if no channel is free, or if the template informs it later and no holder
 * is yet as near as in the template. */
static bool inform(struct step_growth *g, const struct due *due, uint32_t step)
{
    enum { FARTHER = 2 };
    uint32_t n = g->nodes, v = due->place, near = g->apart[1][v] < g->apart[0][v];
    if (due->step > step && g->apart[near][v] > due->links)
        return false;
    /* from the nearer side, or without a free channel from the other, if that is not much farther */
    for (uint32_t k = 0, way = near; k < 2; k++, way = 1 - near) {
        uint32_t links = g->apart[way][v], from = way == 0 ? (v + n - links) % n : (v + links) % n;
        if (links > FARTHER * g->apart[near][v] || !take_links(g, g->load[way], way == 0 ? from : v, links))
            continue;
        g->hop[g->hops++] = (struct hop){step, from, from % g->size, way == 0 ? (int64_t)links : -(int64_t)links};
        return true;
    }
    return false;
}

/** Grow the tree step by step.  In each step inform() serves the places that it can, long hops first.  The others
 * wait; in a later step a holder will be nearer. */
static void grow(struct step_growth *g)
{
    uint32_t left = g->nodes - 1, channels = g->channels, roots = g->nodes / g->size;
    g->informed[0] = true;
    /* in the first step all lightpaths begin at roots, and seldom have a colouring where they fill all channels, unless
     * these divide the number of roots or are a multiple of it */
    g->channels -= roots % channels != 0 && channels % roots != 0;
    for (uint32_t step = 1; left > 0; step++, g->channels = channels) {
        uint32_t still = 0;
        size_t before = g->hops;
        find_holders(g);
        memset(g->load[0], 0, g->size * sizeof *g->load[0]);
        memset(g->load[1], 0, g->size * sizeof *g->load[1]);
        for (uint32_t i = 0; i < left; i++)
            if (!inform(g, &g->due[i], step))
                g->due[still++] = g->due[i];
        left = still;
        for (size_t h = before; h < g->hops; h++)
            g->informed[(g->hop[h].from + (uint64_t)(g->hop[h].ahead + g->nodes)) % g->nodes] = true;
    }
}

/** List in *out all hops of the tree that fits the channels if there is a root every `size` places, sorted by step and
 * direction.  Its template informs `nodes` places in `steps` steps.  The caller frees *out. */
static rwa_status list_hops(struct hop **out, const struct program *p, uint32_t nodes, uint32_t size, uint32_t steps)
{
    struct step_growth g = {.nodes = nodes, .size = size, .channels = rwa_network_channels(p->distances->net)};
    rwa_status st = RWA_OK;
    MUST(base_new(*out, nodes, p->err));
    g.hop = *out;
    TRY(open_growth(&g, steps, p->budget, p->err));
    if (size > 1)
        grow(&g);
    assert(g.hops == nodes - 1);
    qsort(g.hop, g.hops, sizeof *g.hop, by_step_and_way);
done:
    arena_free(&g.memory);
    return st;
}

/** The roots of a group are the leaders of its segments.  Each has the blocks of all participants of its segment; other
 * participants have nothing.  Roots are `size` places apart.  Where they are fewer participants apart, some of these
 * are at two places each, so that no link carries more lightpaths than a link between places. */
struct roots {
    struct program *p;
    const struct parties *parties;  /* what each holds by itself */
    struct parties leaders;         /* with what segments hold */
    uint32_t size;
    size_t places;
    /* each participant is a root and all hold equally many blocks, so only their number matters */
    bool counts;
    size_t *at;                     /* of each place from the first root on: the participant, by index in its group */
    size_t *rank;                   /* of each place from a root on: 1 + index of the hop that informs it; root: 0 */
    struct block_set set;           /* scratch */
};

/** Return the place to which a hop from place `from` leads. */
static size_t target_of(const struct roots *r, size_t from, const struct hop *hop)
{
    return (from + (size_t)(hop->ahead + (int64_t)r->places)) % r->places;
}

static rwa_status open_roots(struct roots *r, const struct hop *hop)
{
    const struct party *party = r->parties->party;
    MUST(parties_leaders(&r->leaders, r->parties, r->size, r->p->err));
    MUST(base_new(r->at, r->places, r->p->err));
    MUST(base_new(r->rank, r->places, r->p->err));
    for (size_t place = 0; place < r->places; place++)
        r->at[place] = place_of(parties_of(r->parties, 0), r->size, r->places, place);
    for (size_t h = 0; h + 1 < r->places; h++)
        r->rank[target_of(r, hop[h].from, &hop[h])] = h + 1;
    r->counts = r->p->timed && r->size == 1;
    for (size_t i = 0; i < r->parties->count; i++)
        r->counts = r->counts && party[i].holds.count == party[0].holds.count;
    return RWA_OK;
}

/** Tell whether the participant at place `to`, which is `behind` places behind a root, is also at a place next to it
 * where it gets the root's blocks before. */
static bool is_informed(const struct roots *r, size_t to, size_t behind)
{
    size_t n = r->places, next[] = {1, n - 1};
    for (size_t i = 0; i < 2; i++)
        if (r->at[(to + next[i]) % n] == r->at[to] && r->rank[(behind + next[i]) % n] < r->rank[behind])
            return true;
    return false;
}

/** Collect in r->set the blocks that the given hops bring to place `to`.  The first is a hop of root `root`, the others
 * are hops of roots before it.  Each carries the blocks of its root, but none that the participant at `to` had at the
 * start, or collected. */
static rwa_status join_blocks(struct roots *r, size_t group, size_t root, size_t to, const struct hop *hop, size_t hops)
{
    size_t n = parties_of(r->parties, group), first = r->parties->first[group], roots = parties_of(&r->leaders, group);
    block_set_clear(&r->set);
    for (size_t h = 0; h < hops; h++) {
        size_t k = (root + roots - (hop[h].from - hop->from) / r->size) % roots, at = first + r->at[to];
        struct segment b, s = {.from = first + segment_start(n, roots, k),
                               .to = first + segment_start(n, roots, k + 1)};
        if (is_informed(r, to, target_of(r, hop[h].from, &hop[h])))
            continue;
        if (r->parties->whole || at < s.from || at >= s.to) {
            MUST(block_set_join(&r->set, &r->leaders.party[r->leaders.first[group] + k].holds, r->p->err));
            continue;
        }
        s.leader = first + r->at[k * r->size];
        b = segment_bundle(&s, at, rwa_network_channels(r->p->distances->net));
        if (b.leader != at)
            b = (struct segment){.from = at, .to = at + 1};
        MUST(parties_join(&r->set, r->parties, false, s.from, b.from, SIZE_MAX, r->p->err));
        MUST(parties_join(&r->set, r->parties, false, b.to, s.to, SIZE_MAX, r->p->err));
    }
    return RWA_OK;
}

/** Send the given hops of all roots of group number `group`.  The hops lead equally far ahead, from places that are
 * multiples of the roots' distance apart; so hops of different roots share a transfer. */
static rwa_status send_hops(struct roots *r, size_t group, const struct hop *hop, size_t hops)
{
    const struct party *party = r->parties->party + r->parties->first[group];
    r->set.count = hops * party->holds.count;
    for (size_t k = 0; k < parties_of(&r->leaders, group); k++) {
        size_t from = (k * r->size + hop->from) % r->places, to = target_of(r, from, hop);
        if (!program_lists(r->p, party[r->at[from]].node))
            continue;
        if (!r->counts)
            MUST(join_blocks(r, group, k, to, hop, hops));
        MUST(program_send(r->p, party[r->at[from]].node, party[r->at[to]].node, &r->set, NULL));
    }
    return RWA_OK;
}

/** Send the hops of one step of the tree, and end the exchange.  Hops of the same length and direction share a
 * transfer. */
static rwa_status send_step(struct roots *r, const struct hop *hop, size_t hops)
{
    for (size_t from = 0, to = 0; from < hops; from = to) {
        while (to < hops && hop[to].ahead == hop[from].ahead && hop[to].rest == hop[from].rest)
            to++;
        for (size_t g = 0; g < r->parties->groups; g++)
            MUST(send_hops(r, g, hop + from, to - from));
    }
    return program_end_exchange(r->p);
}

/** Tell whether two steps with `hops` hops each have the same transfers, apart from the blocks that these carry. */
static bool are_alike(const struct hop *a, const struct hop *b, size_t hops)
{
    size_t i = 0;
    while (i < hops && a[i].ahead == b[i].ahead)
        i++;
    return i == hops;
}

rwa_status phase_roots(struct program *p, const struct parties *parties, uint32_t size, uint32_t steps)
{
    size_t n = parties_of(parties, 0), before = 0, segments = segments_of(n, size);
    struct roots r = {.p = p, .parties = parties, .size = (uint32_t)ceil_div(n, segments)};
    struct hop *hop = NULL;
    rwa_status st = RWA_OK;
    assert(steps > 0);
    if (n < 2 || program_gives_up(p))
        return RWA_OK;
    r.places = segments * r.size;
    TRY(list_hops(&hop, p, (uint32_t)r.places, r.size, steps));
    TRY(open_roots(&r, hop));
    for (size_t from = 0, to = 0; to + 1 < r.places && !program_gives_up(p); before = to - from, from = to) {
        while (to + 1 < r.places && hop[to].step == hop[from].step)
            to++;
        if (r.counts && to - from == before && are_alike(hop + from, hop + from - before, before))
            TRY(program_repeat(p));
        else
            TRY(send_step(&r, hop + from, to - from));
    }
done:
    block_set_free(&r.set);
    parties_free(&r.leaders);
    free_all(hop, r.at, r.rank);
    return st;
}
