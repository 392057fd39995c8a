/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The bound that lengths of links prove, computed anew: lightpaths are as long as shortest routes, odd
 *  cuts leave fibres dark. */
#include "check/assignment.h"

#include "base/arithmetic.h"
#include "base/text.h"

/* ---- lengths ---- */

/** An entry of the heap in Dijkstra's search (1959).  A node may be in the heap more than once; the first of its
 *  entries to leave it counts. */
struct certificate_entry {
    uint64_t distance;
    uint32_t node;
};

struct certificate_search {
    struct assignment_checker *chk;
    struct bound_claim *claim;      /* of chk */
    const rwa_network *graph;       /* the network with listed links, those left out without fibres; lengths are
                                       numbered by the links of chk->net */
    uint64_t *length;               /* of each link of the graph */
    uint32_t src;                   /* node of the last search; RWA_NONE: none yet */
    uint64_t *distance;             /* from src, UINT64_MAX: not reached; with backups that of the second path */
    uint64_t *first;                /* with backups: distance of the first path */
    uint32_t *by;                   /* of each node: the link by which its shortest path enters it */
    uint32_t *entered;              /* of each node: the link by which the first path of a pair does; RWA_NONE: none */
    struct certificate_entry *heap;
    size_t count;
    struct arena memory;
};

/** Return the length that the claim gives to a link of s->graph.  On a ring or line the numbers of links differ: the
 *  graph has link i as 2 i (clockwise) and 2 i + 1 (back), but the claim numbers all clockwise links first. */
static uint32_t length_of(const struct certificate_search *s, uint32_t link)
{
    const uint32_t *lengths = s->claim->claimed.lengths;
    if (s->chk->model == RWA_UNDIRECTED)
        return lengths[link / 2];
    return lengths[network_has_arcs(s->chk->net) ? link / 2 + (link % 2) * rwa_network_pairs(s->chk->net) : link];
}

static bool is_nearer(const struct certificate_entry *a, const struct certificate_entry *b)
{
    return a->distance < b->distance;
}

HEAP(entries, struct certificate_entry, is_nearer)

static rwa_status reach(struct certificate_search *s, uint32_t to, uint64_t distance, uint32_t by)
{
    if (distance >= s->distance[to])
        return RWA_OK;
    s->distance[to] = distance;
    if (by != RWA_NONE)
        s->by[to] = by;
    return entries_push(&s->heap, &s->count, (struct certificate_entry){distance, to}, s->chk->err);
}

/** Update the distances of the neighbours of node e.node, whose entry Dijkstra's algorithm has taken from its heap.
 *  `again`: the search is for the second path of a disjoint pair, as in Suurballe's algorithm.  RWA_NOMEM. */
static rwa_status look_around(struct certificate_search *s, struct certificate_entry e, bool again)
{
    const rwa_network *g = s->graph;
    uint32_t entered = s->entered[e.node];
    for (uint32_t k = g->first[e.node]; k < g->first[e.node + 1]; k++) {
        uint32_t link = g->out[k], to = g->links[link].to;
        /* the second path may not use a carrier (directed link, or fibre pair) of the first one */
        bool used = g->links[link].fibers == 0 || s->entered[to] == link ||
                    (s->chk->model == RWA_UNDIRECTED && entered == (link ^ 1));
        /* reduces the length by distances of the first search; it stays at least 0, as the assertion says */
        uint64_t gain = again ? s->first[e.node] - s->first[to] : 0;
        assert(used || !again || s->first[to] <= s->first[e.node] + s->length[link]);
        if (!used)
            MUST(reach(s, to, e.distance + s->length[link] + gain, again ? RWA_NONE : link));
    }
    /* but it may cross a link of the first path backwards: both paths then do without the link */
    return entered == RWA_NONE ? RWA_OK : reach(s, g->links[entered].from, e.distance, RWA_NONE);
}

/** Run Dijkstra's algorithm from node `src`, and store the distances in s->distance.  If `second` is RWA_NONE, the
 *  search is for shortest paths to all nodes; else for the second path of a disjoint pair, from `src` to `second`.
 *  RWA_NOMEM. */
static rwa_status measure(struct certificate_search *s, uint32_t src, uint32_t second)
{
    for (uint32_t v = 0; v < s->graph->nodes; v++)
        s->distance[v] = UINT64_MAX;
    s->src = src;
    s->count = 0;
    MUST(reach(s, src, 0, RWA_NONE));
    /* no sum overflows: at most 2^24 hops of at most 2^32 each */
    while (s->count > 0) {
        struct certificate_entry e = entries_pop(s->heap, &s->count);
        if (e.node == second)
            break;
        if (e.distance == s->distance[e.node])
            MUST(look_around(s, e, second != RWA_NONE));
    }
    return RWA_OK;
}

/** Mark in s->entered the links of the shortest path from s->src to dst, as the first path of a disjoint pair; with
 *  `used` false remove the marks. */
static void use(struct certificate_search *s, uint32_t dst, bool used)
{
    for (uint32_t v = dst; v != s->src; v = s->graph->links[s->by[v]].from)
        s->entered[v] = used ? s->by[v] : RWA_NONE;
}

/** Set *length to the total length of a shortest pair of paths from src to dst that share no carrier, after Suurballe
 *  (1974); UINT64_MAX: there is none. */
static rwa_status measure_pair(uint64_t *length, struct certificate_search *s, uint32_t src, uint32_t dst)
{
    if (s->src != src) {
        MUST(measure(s, src, RWA_NONE));
        memcpy(s->first, s->distance, s->graph->nodes * sizeof *s->first);
    }
    *length = UINT64_MAX;
    if (s->first[dst] == UINT64_MAX)
        return RWA_OK;
    use(s, dst, true);
    MUST(measure(s, src, dst));
    use(s, dst, false);
    if (s->distance[dst] != UINT64_MAX)
        *length = 2 * s->first[dst] + s->distance[dst];
    return RWA_OK;
}

/** Add a product to *sum.  Return false if a number would exceed 64 bits. */
static bool add(uint64_t *sum, uint64_t a, uint64_t b)
{
    return !__builtin_mul_overflow(a, b, &a) && !__builtin_add_overflow(*sum, a, sum);
}

/** Set *distance to the length of a shortest path from src to dst, or with backups of a shortest pair of paths without
 *  a common link.  UINT64_MAX: there is none. */
static rwa_status leg(uint64_t *distance, struct certificate_search *s, uint32_t src, uint32_t dst)
{
    bool measured = !s->chk->protection && s->src == src;
    if (!measured && base_must_stop(&s->chk->budget, "checking the bound", -1))
        return base_fail(s->chk->err, RWA_CANCELLED, "checking was stopped");
    if (s->chk->protection)
        return measure_pair(distance, s, src, dst);
    if (!measured)
        MUST(measure(s, src, RWA_NONE));
    *distance = s->distance[dst];
    return RWA_OK;
}

static rwa_status measure_demand(uint64_t *taken, struct certificate_search *s, const struct ends *d)
{
    uint64_t rest = 0;
    bool straight = d->via == RWA_NONE;
    MUST(leg(taken, s, d->src, straight ? d->dst : d->via));
    if (!straight && *taken != UINT64_MAX) {
        MUST(leg(&rest, s, d->via, d->dst));
        *taken = rest == UINT64_MAX ? rest : *taken + rest;
    }
    if (*taken == UINT64_MAX)
        return RWA_OK;
    if (__builtin_mul_overflow(*taken, (uint64_t)d->slots, taken) || *taken == UINT64_MAX)
        return base_refuse(s->chk->err, "the lengths of a bound are too large to multiply");
    return RWA_OK;
}

COMPARATOR(by_src, struct ends, UP(src))

/** Sort the demands by source.  Set taken[i] to the slots of demand i times the least length of its route (with
 *  backups: of its two routes together); UINT64_MAX: it has no route. */
static rwa_status measure_all(uint64_t *taken, struct certificate_search *s)
{
    struct ends *demands = s->claim->ends;
    base_sort(demands, s->chk->demands, by_src);
    for (size_t i = 0; i < s->chk->demands; i++)
        MUST(measure_demand(&taken[i], s, &demands[i]));
    return RWA_OK;
}

/** Return the length that one wavelength offers: the sum of the lengths of all links, each times its fibres.  For
 *  undirected demands a fibre pair counts once. */
static uint64_t sum_lengths(const struct certificate_search *s)
{
    uint64_t offered = 0;
    for (uint32_t i = 0; i < s->graph->link_count; i += s->chk->model == RWA_UNDIRECTED ? 2 : 1)
        offered += s->length[i] * s->graph->links[i].fibers;
    return offered;
}

/** The lengths of the links, each fibre pair counted once if demands are undirected. */
struct length_words {
    uint32_t stride, used, first;   /**< 2: of fibre pairs; links of positive length, and the first of them */
    uint64_t longest, shortest;
};

static struct length_words count_lengths(const struct certificate_search *s)
{
    struct length_words w = {.stride = s->chk->model == RWA_UNDIRECTED ? 2 : 1, .shortest = UINT64_MAX};
    for (uint32_t i = s->graph->link_count; i > 0;) {
        i -= w.stride;
        RAISE(w.longest, s->length[i]);
        if (s->graph->links[i].fibers > 0)
            LOWER(w.shortest, s->length[i]);
        w.used += s->length[i] > 0;
        w.first = s->length[i] > 0 ? i : w.first;
    }
    return w;
}

/** Append to s->claim->proof up to eight links of positive length, with their lengths if one exceeds 1, and the number
 *  of further ones.  `w`: count_lengths(). */
static void say_links(const struct certificate_search *s, const struct length_words *w)
{
    enum { LINKS_SAID = 8 }; /* they fit a line */
    uint32_t said = 0;
    for (uint32_t i = w->first; i < s->graph->link_count && said < LINKS_SAID; i += w->stride) {
        if (s->length[i] == 0)
            continue;
        text_append(s->claim->proof, said++ ? ", %u%c%u" : "%u%c%u", s->graph->links[i].from,
                    w->stride == 2 ? '-' : '>', s->graph->links[i].to);
        if (w->longest > 1)
            text_append(s->claim->proof, ": %" PRIu64, s->length[i]);
    }
    if (w->used > said)
        text_append(s->claim->proof, " and %u more", w->used - said);
}

/** If the links of length 1 are the links of a cut, and all others have length 0, set *side to the number of nodes on
 *  the sending side of the cut; otherwise to 0.  `w`: count_lengths(). */
static rwa_status count_side(uint64_t *side, struct certificate_search *s, const struct length_words *w)
{
    *side = 0;
    if (w->longest != 1)
        return RWA_OK;
    MUST(measure(s, s->graph->links[w->first].from, RWA_NONE));
    for (uint32_t v = 0; v < s->graph->nodes; v++)
        *side += s->distance[v] == 0;
    for (uint32_t i = 0; i < s->graph->link_count; i += w->stride) {
        bool leaves = s->distance[s->graph->links[i].from] == 0, enters = s->distance[s->graph->links[i].to] > 0;
        if (s->length[i] > 0 && (w->stride == 2 ? leaves != enters : !leaves || !enters))
            *side = 0;
    }
    return RWA_OK;
}

/** Append to the proof how many wavelengths are needed: the quotient of `sum`, the length that all lightpaths together
 *  take, and `offered`, the length that a wavelength offers, rounded up.  RWA_NOMEM. */
static rwa_status say_lengths(struct certificate_search *s, uint64_t sum, uint64_t offered)
{
    struct length_words w = count_lengths(s);
    char *to = s->claim->proof;
    uint64_t side;
    bool slots = rwa_network_slot_hz(s->chk->net) > 0;
    const char *links = offered != w.used ? "fibre" : w.stride == 2 ? "link" : "directed link";
    MUST(count_side(&side, s, &w));
    uint64_t others = s->graph->nodes - side;
    if (w.shortest == 1 && w.longest == 1) {
        text_append(to, "The shortest routes of all lightpaths have %" PRIu64 " hop%s%s in all", sum,
                    slots ? " slot" : "", plural(sum));
    } else if (w.longest == 1) {
        text_append(to, "%s %" PRIu64 " %s%s (", side > 0 ? "A cut of" : "Routes must take", offered, links,
                    plural(offered));
        say_links(s, &w);
        if (side > 0)
            text_append(to, ") separates %" PRIu64 " node%s from the other %" PRIu64 ": ", side, plural(side), others);
        if (side > 0 && side * others == sum)
            text_append(to, "%" PRIu64 " x %" PRIu64 " = ", side, others);
        text_append(to, side > 0 ? "%" PRIu64 " %s%s must cross it" : ") %" PRIu64 " %s%s in all", sum,
                    slots ? "slot" : side > 0 ? "lightpath" : "time", plural(sum));
    } else {
        text_append(to, "With these link lengths (");
        say_links(s, &w);
        text_append(to, "), the shortest routes of all lightpaths add up to %" PRIu64, sum);
    }
    text_append(to, ", and each %s offers %" PRIu64 ": %s", slots ? "slot" : "wavelength", offered,
                QUOTIENT(sum, offered));
    return RWA_OK;
}

/** If all lengths are 0 or 1, raise *value to the bound that the pigeonhole principle gives, and append its proof if
 *  it is higher.  taken[i]: the length that demand i takes, as measure_all() sets it.  RWA_NOMEM. */
static rwa_status pigeonholes(uint64_t *value, struct certificate_search *s, const uint64_t *taken)
{
    uint64_t fibers = sum_lengths(s), *slots; /* of all narrower lightpaths together, the narrowest first */
    size_t n = 0, shared = 0;
    uint32_t widest = 0;
    for (uint32_t i = 0; i < s->graph->link_count; i++)
        if (s->length[i] > 1)
            return RWA_OK;
    MUST(arena_arrays(&s->memory, (size_t)s->chk->demands + 1, slots));
    for (size_t i = 0; i < s->chk->demands; i++)
        if (taken[i] > 0 && taken[i] != UINT64_MAX) {
            slots[++n] = s->claim->ends[i].slots;
            RAISE(widest, s->claim->ends[i].slots);
        }
    if (widest > 1)
        base_sort(slots + 1, n, order_uint64);
    for (size_t i = 1; i <= n; i++)
        slots[i] += slots[i - 1];
    /* Each of the n lightpaths takes its slots on one of the F = `fibers` fibres of length 1 at least.  So some
     * j + 1 of the j F + 1 widest share a fibre.  It has at least the slots of the j + 1 narrowest of these. */
    for (size_t j = 0; fibers > 0 && j < n && j <= (n - 1) / fibers; j++) {
        size_t narrower = n - j * (size_t)fibers - 1;
        uint64_t least = slots[narrower + j + 1] - slots[narrower];
        shared = least > *value ? j + 1 : shared;
        RAISE(*value, least);
    }
    if (shared > 0)
        text_append(s->claim->proof, ".  Of the widest %" PRIu64 " lightpaths, %zu share a fibre: %" PRIu64 " slots",
                    (shared - 1) * fibers + 1, shared, *value);
    return RWA_OK;
}

/* ---- odd cuts ---- */

/** A set of nodes whose odd cut the claim uses, and the numbers that follow from it. */
struct claimed_cut {
    uint64_t weight, fibers, ends;  /**< weight of the set; fibres that leave it; slots of lightpaths with one end in
                                         it */
};

/** The length that odd cuts take from the demands and from the wavelengths when the two are compared. */
struct losses {
    uint64_t ends;      /**< sum over the sets of weight times slots of lightpaths with one end in the set */
    uint64_t weights;   /**< sum of the weights */
    struct claimed_cut *cut;    /**< of each set in the claim */
    uint64_t *left;     /**< of each fibre pair: sum of the weights of the sets that it leaves */
    bool *inside;       /**< of each node: whether it belongs to the current set */
    bool sound;         /**< no link is shorter than the weights of the sets that it leaves */
};

static bool mark_set(struct losses *x, const rwa_odd_set *set, uint32_t nodes)
{
    memset(x->inside, 0, nodes * sizeof *x->inside);
    for (size_t k = 0; k < set->count; k++) {
        if (set->nodes[k] >= nodes || x->inside[set->nodes[k]])
            return false;
        x->inside[set->nodes[k]] = true;
    }
    return true;
}

/** For each fibre pair that leaves the current set of nodes (x->inside), add its fibres to *fibers, and the `weight`
 *  of the set to the pair's entry of x->left.  Return false if the entry then exceeds the length of the pair. */
static bool leave_set(struct losses *x, const struct certificate_search *s, uint32_t weight, uint64_t *fibers)
{
    for (uint32_t i = 0; i < s->graph->link_count; i += 2) {
        if (x->inside[s->graph->links[i].from] == x->inside[s->graph->links[i].to])
            continue;
        *fibers += s->graph->links[i].fibers;
        x->left[i / 2] += weight;
        if (x->left[i / 2] > s->length[i])
            return false;
    }
    return true;
}

/** Return the slots of all lightpaths with exactly one end in the current set of nodes, x->inside.  A lightpath that
 *  must pass a via node counts as two: one to that node, one from it. */
static uint64_t slots_with_one_end(const struct losses *x, const struct certificate_search *s)
{
    uint64_t slots = 0;
    for (size_t i = 0; i < s->chk->demands; i++) {
        const struct ends *d = &s->claim->ends[i];
        uint32_t middle = d->via == RWA_NONE ? d->dst : d->via;
        slots += x->inside[d->src] != x->inside[middle] ? d->slots : 0;
        slots += x->inside[middle] != x->inside[d->dst] ? d->slots : 0;
    }
    return slots;
}

static rwa_status find_losses(struct losses *x, struct certificate_search *s)
{
    uint32_t nodes = s->graph->nodes;
    arena_new(&s->memory, x->left, s->graph->link_count / 2);
    arena_new(&s->memory, x->inside, nodes);
    MUST(arena_arrays(&s->memory, s->claim->set_count, x->cut));
    x->sound = true;
    for (size_t i = 0; i < s->claim->set_count && x->sound; i++) {
        const rwa_odd_set *set = &s->claim->sets[i];
        struct claimed_cut *cut = &x->cut[i];
        x->sound = mark_set(x, set, nodes) && leave_set(x, s, set->weight, &cut->fibers);
        cut->weight = set->weight;
        cut->ends = x->sound ? slots_with_one_end(x, s) : 0;
        if (cut->fibers % 2 == 0)
            continue;
        if (!add(&x->ends, cut->ends, set->weight))
            return base_refuse(s->chk->err, "the weights of a bound are too large to multiply");
        x->weights += set->weight;
    }
    return RWA_OK;
}

/** Return a lower bound on the fibres of a cut that stay dark (carry no lightpath), summed over `wavelengths`
 *  wavelengths. */
static uint64_t dark_fibers(const struct claimed_cut *cut, uint64_t wavelengths)
{
    /* Only lightpaths with one end in the set cross the cut an odd number of times.  In an odd cut each wavelength
     * without one of these therefore leaves a fibre dark. */
    if (cut->fibers % 2 == 1 && wavelengths > cut->ends)
        return wavelengths - cut->ends;
    /* For the same reason the number of lit fibres is odd exactly if cut->ends is.  If the number of all fibres has
     * the other parity, one stays dark. */
    return (cut->fibers % 2 * (wavelengths % 2) + cut->ends) % 2;
}

/** Tell whether `wavelengths` wavelengths, each of which offers the length `offered`, offer less than is needed.
 *  Needed are `sum`, the length that all lightpaths take, and for each cut in x->cut its weight times the fibres that
 *  stay dark there.  Return false also if a number exceeds 64 bits, which proves nothing. */
static bool is_too_few(const struct certificate_search *s, const struct losses *x, uint64_t sum, uint64_t offered,
                       uint64_t wavelengths)
{
    for (size_t i = 0; i < s->claim->set_count; i++) {
        if (!add(&sum, dark_fibers(&x->cut[i], wavelengths), x->cut[i].weight))
            return false;
    }
    return ceil_div(sum, offered) > wavelengths;
}

/** Set *value to the least number of wavelengths that offer what all demands take (demand i: the length taken[i]),
 *  although odd cuts leave fibres dark.  Append the proof to s->claim->proof.  *value is 0 if all lengths are 0, or if
 *  the set of an odd cut is invalid (find_losses()).  RWA_BADARG: a sum exceeds 64 bits; RWA_NOMEM. */
static rwa_status fewest(uint64_t *value, struct certificate_search *s, const uint64_t *taken)
{
    uint64_t sum = 0, offered = sum_lengths(s);
    struct losses lost = {.sound = true};
    for (size_t i = 0; i < s->chk->demands; i++)
        if (taken[i] != UINT64_MAX && !add(&sum, taken[i], 1))
            return base_refuse(s->chk->err, "the lengths of a bound are too large to add up");
    if (s->claim->set_count > 0)
        MUST(find_losses(&lost, s));
    *value = 0;
    if (!lost.sound || offered == 0)
        return RWA_OK;
    *value = ceil_div(sum, offered);
    MUST(say_lengths(s, sum, offered));
    if (offered > lost.weights && sum > lost.ends) {
        uint64_t rest = sum - lost.ends, each = offered - lost.weights, by_odd = ceil_div(rest, each);
        if (by_odd > *value)
            text_append(s->claim->proof, ".  At odd cuts a wavelength loses %" PRIu64 " of its offer, but for %" PRIu64
                        " in all: (%" PRIu64 " - %" PRIu64 ") / (%" PRIu64 " - %" PRIu64 "): %s", lost.weights,
                        lost.ends, sum, lost.ends, offered, lost.weights, QUOTIENT(rest, each));
        RAISE(*value, by_odd);
    }
    if (s->claim->set_count > 0 && is_too_few(s, &lost, sum, offered, *value)) {
        text_append(s->claim->proof, ".  With %" PRIu64 ", parity leaves fibres of odd cuts dark, "
                    "and the others offer less than %" PRIu64 ": so %" PRIu64, *value, sum, *value + 1);
        ++*value;
    }
    return RWA_OK;
}

/** Set *value to the most demands whose lengths taken[i] fit together in the length that the claimed wavelengths offer.
 *  Sort `taken`, so that they are the first ones, and append the proof to s->claim->proof. */
static rwa_status most(uint64_t *value, struct certificate_search *s, uint64_t *taken)
{
    uint64_t offered = sum_lengths(s), wavelengths = s->claim->claimed.wavelengths, count = s->chk->demands, used = 0,
             sum = 0;
    if (offered > UINT64_MAX / wavelengths)
        return base_refuse(s->chk->err, "the lengths of a bound are too large to multiply");
    base_sort(taken, (size_t)count, order_uint64);
    for (*value = 0; *value < count && taken[*value] <= offered * wavelengths - used; ++*value)
        used += taken[*value];
    if (*value == count || taken[*value] == UINT64_MAX)
        return RWA_OK;
    for (uint64_t i = 0; i < count; i++)
        sum += taken[i] == UINT64_MAX ? 0 : taken[i];
    MUST(say_lengths(s, sum, offered));
    text_append(s->claim->proof, ".  But %" PRIu64 " of them offer %" PRIu64 ": the %" PRIu64 " shortest lightpaths "
                "take %" PRIu64 ", and the next one needs %" PRIu64, wavelengths, offered * wavelengths, *value, used,
                taken[*value]);
    return RWA_OK;
}

/** Tell whether a link of s->graph is left out because it has failed; for undirected demands a fibre pair fails with
 *  either direction.
 *  If no lightpath is down, none crosses a failed link.  So every route is a path of the network without these links,
 *  and at least as long as a shortest path there, and all channels are on the other links, which alone offer length.  A
 *  demand without a path there has no route, and takes nothing.  Lightpaths that are down cross failed links, and may
 *  be shorter: then all links count. */
static bool is_left_out(const struct certificate_search *s, uint32_t link)
{
    uint32_t back = link ^ (s->chk->model == RWA_UNDIRECTED);
    return s->chk->report->down == 0 &&
           (rwa_network_is_failed(s->graph, link) || rwa_network_is_failed(s->graph, back));
}

static rwa_status search_open(struct certificate_search *s, rwa_network **graph)
{
    MUST(network_list_links(graph, s->chk->net, s->chk->err));
    s->graph = *graph;
    s->src = RWA_NONE;
    s->memory.err = s->chk->err;
    arena_new(&s->memory, s->length, s->graph->link_count);
    MUST(arena_arrays(&s->memory, s->graph->nodes, s->distance, s->first, s->by, s->entered));
    for (uint32_t i = 0; i < s->graph->link_count; i++)
        if (is_left_out(s, i))
            (*graph)->links[i].fibers = 0;
        else
            s->length[i] = length_of(s, i);
    for (uint32_t v = 0; v < s->graph->nodes; v++)
        s->entered[v] = RWA_NONE;
    return RWA_OK;
}

rwa_status certificate_of_lengths(uint64_t *value, struct assignment_checker *chk)
{
    struct certificate_search s = {.chk = chk, .claim = &chk->claim};
    rwa_network *graph = NULL;
    rwa_status st = RWA_OK;
    uint64_t *taken;
    *value = 0;
    TRY(search_open(&s, &graph));
    TRY(arena_arrays(&s.memory, (size_t)chk->demands, taken));
    TRY(measure_all(taken, &s));
    if (chk->claim.claimed.most_served) {
        st = most(value, &s, taken);
        goto done;
    }
    TRY(fewest(value, &s, taken));
    st = pigeonholes(value, &s, taken);
done:
    rwa_network_free(graph);
    arena_free(&s.memory);
    free(s.heap);
    return st;
}
