/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/spread.h"

#include "base/bins.h"
#include "network/translations.h"

/** A tree from one owner: when a node gets the blocks, and from whom; the owner in step 0. */
struct spreading {
    const struct distances *d;
    uint32_t nodes, steps, owner;
    uint32_t *step, *parent;
    bool *passes;               /* whether a node passes blocks on */
    struct arena memory;
};

static uint32_t hops_between(const struct distances *d, uint32_t from, uint32_t to)
{
    return d->hops[(size_t)from * d->net->nodes + to];
}

uint32_t spread_steps_most(const struct distances *d)
{
    uint32_t nodes = d->net->nodes, most = 0;
    if (!d->hops || nodes > SPREAD_NODES)
        return 0;
    for (size_t i = 0; i < (size_t)nodes * nodes; i++)
        most = d->hops[i] > most ? d->hops[i] : most;
    return most <= SPREAD_STEPS ? most : 0;
}

uint32_t spread_steps_least(const struct distances *d)
{
    enum { GROWN_APART = 48 };
    struct translations group;
    return d->net->nodes <= GROWN_APART || translations_of(&group, d->net) ? 2 : spread_steps_most(d);
}

void spread_free(struct spread *s)
{
    free(s->hop);
    *s = (struct spread){0};
}

/* ---- order ---- */

enum hop_end { HOP_TO, HOP_FROM, HOP_STEP };

static uint32_t end_of(const struct spread_hop *hop, enum hop_end end)
{
    return end == HOP_TO ? hop->to : end == HOP_FROM ? hop->from : hop->step;
}

/** Stable counting sort of `from` into `to`. */
static void sort_by(struct spread_hop *to, const struct spread_hop *from, size_t hops, enum hop_end end, size_t *fill, size_t keys)
{
    memset(fill, 0, (keys + 1) * sizeof *fill);
    for (size_t i = 0; i < hops; i++) {
        assert(end_of(&from[i], end) < keys);
        fill[end_of(&from[i], end) + 1]++;
    }
    for (size_t k = 0; k < keys; k++)
        fill[k + 1] += fill[k];
    for (size_t i = 0; i < hops; i++)
        to[fill[end_of(&from[i], end)]++] = from[i];
}

/** Hops that stand by owner and variant, by step and ends before these. */
static rwa_status sort_hops(struct spread *s, uint32_t nodes, rwa_error *err)
{
    size_t keys = nodes > SPREAD_STEPS ? nodes : SPREAD_STEPS + 1;
    struct spread_hop *scratch = base_array(s->hops, sizeof *scratch, err);
    size_t *fill = base_array(keys + 1, sizeof *fill, err);
    rwa_status st = scratch && fill ? RWA_OK : RWA_NOMEM;
    TRY(st);
    sort_by(scratch, s->hop, s->hops, HOP_TO, fill, keys);
    sort_by(s->hop, scratch, s->hops, HOP_FROM, fill, keys);
    sort_by(scratch, s->hop, s->hops, HOP_STEP, fill, keys);
    memcpy(s->hop, scratch, s->hops * sizeof *s->hop);
done:
    free_all(scratch, fill);
    return st;
}

/* ---- one link in each step ---- */

struct breadth {
    const rwa_network *net;
    struct bins into;           /* the links that lead to each node */
    uint32_t *from;             /* the node that each of these comes from */
    uint32_t *load;             /* of each step and link */
    uint32_t *link;             /* over which each owner's variant reaches a node: [owner][variant][node] */
    struct arena memory;        /* of the arrays but `into` */
};

static rwa_status list_links_into(struct breadth *b, rwa_error *err)
{
    const rwa_network *net = b->net;
    MUST(bins_open(&b->into, net->nodes, err));
    for (uint32_t l = 0; l < net->link_count; l++)
        bins_count(&b->into, net->links[l].to);
    MUST(bins_divide(&b->into, net->nodes, err));
    for (uint32_t l = 0; l < net->link_count; l++)
        bins_put(&b->into, net->links[l].to, l);
    for (uint32_t k = 0; k < net->link_count; k++)
        b->from[k] = net->links[b->into.number[k]].from;
    return RWA_OK;
}

/** The link with the least load of those that come from a node one step nearer to the owner. */
static void choose_link(struct breadth *b, const uint16_t *hops, uint32_t to, uint32_t *chosen)
{
    uint32_t *load = b->load + (size_t)hops[to] * b->net->link_count, least = UINT32_MAX, best = UINT32_MAX;
    if (*chosen != UINT32_MAX)
        load[*chosen]--;
    for (size_t k = b->into.first[to]; k < b->into.first[to + 1]; k++) {
        uint32_t link = b->into.number[k], here = hops[b->from[k]] + 1U == hops[to] ? load[link] : UINT32_MAX;
        best = here < least ? link : best; /* no jumps: which links are chosen cannot be foreseen */
        least = here < least ? here : least;
    }
    assert(best != UINT32_MAX);
    load[best]++;
    *chosen = best;
}

static void choose_links(struct breadth *b, const struct distances *d)
{
    enum { PASSES = 3 };
    uint32_t nodes = b->net->nodes;
    memset(b->link, 0xff, (size_t)nodes * SPREAD_VARIANTS * nodes * sizeof *b->link);
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t variant = 0; variant < SPREAD_VARIANTS; variant++)
            for (uint32_t owner = 0; owner < nodes; owner++)
                for (uint32_t to = 0; to < nodes; to++)
                    if (to != owner)
                        choose_link(b, d->hops + (size_t)owner * nodes, to,
                                    &b->link[((size_t)owner * SPREAD_VARIANTS + variant) * nodes + to]);
}

static rwa_status breadth_open(struct breadth *b, const struct distances *d, uint32_t steps, rwa_error *err)
{
    uint32_t nodes = d->net->nodes, links = d->net->link_count;
    *b = (struct breadth){.net = d->net, .memory = {.err = err}};
    arena_new(&b->memory, b->from, links);
    arena_new(&b->memory, b->load, (size_t)(steps + 1) * links);
    arena_new(&b->memory, b->link, (size_t)nodes * SPREAD_VARIANTS * nodes);
    MUST(arena_status(&b->memory));
    return list_links_into(b, err);
}

static void breadth_close(struct breadth *b)
{
    bins_free(&b->into);
    arena_free(&b->memory);
}

static rwa_status spread_by_links(struct spread *s, const struct distances *d, uint32_t steps, rwa_error *err)
{
    uint32_t nodes = d->net->nodes;
    struct breadth b;
    rwa_status st = RWA_OK;
    s->variants = SPREAD_VARIANTS;
    s->hop = base_array((size_t)nodes * nodes * SPREAD_VARIANTS, sizeof *s->hop, err);
    TRY(breadth_open(&b, d, steps, err));
    TRY(s->hop ? RWA_OK : RWA_NOMEM);
    choose_links(&b, d);
    for (uint32_t owner = 0; owner < nodes; owner++)
        for (uint32_t variant = 0; variant < SPREAD_VARIANTS; variant++)
            for (uint32_t to = 0; to < nodes; to++)
                if (to != owner)
                    s->hop[s->hops++] =
                        (struct spread_hop){hops_between(d, owner, to),
                                            b.net->links[b.link[((size_t)owner * SPREAD_VARIANTS + variant) * nodes + to]].from, to,
                                            owner, variant};
done:
    breadth_close(&b);
    return st;
}

/* ---- few steps ---- */

static rwa_status spreading_open(struct spreading *t, const struct distances *d, uint32_t steps, rwa_error *err)
{
    uint32_t nodes = d->net->nodes;
    *t = (struct spreading){.d = d, .nodes = nodes, .steps = steps, .memory = {.err = err}};
    arena_new(&t->memory, t->step, nodes);
    arena_new(&t->memory, t->parent, nodes);
    arena_new(&t->memory, t->passes, nodes);
    return arena_status(&t->memory);
}

/** How many links it saves if node v, which ends a branch, gets the blocks by `step` and passes them on; *parent: from whom it gets
 *  them. */
static int64_t gain_of(const struct spreading *t, uint32_t v, uint32_t step, uint32_t *parent)
{
    int64_t gain = hops_between(t->d, t->parent[v], v);
    uint32_t least = UINT32_MAX;
    for (uint32_t u = 0; u < t->nodes; u++)
        if (t->passes[u] && t->step[u] < step && hops_between(t->d, u, v) < least) {
            least = hops_between(t->d, u, v);
            *parent = u;
        }
    gain -= least;
    for (uint32_t w = 0; w < t->nodes; w++) {
        uint32_t now = w == v || t->step[w] <= step ? 0 : hops_between(t->d, t->parent[w], w), then = hops_between(t->d, v, w);
        gain += then < now ? now - then : 0;
    }
    return gain;
}

static void pass_on(struct spreading *t, uint32_t v, uint32_t step, uint32_t parent)
{
    t->parent[v] = parent;
    t->step[v] = step;
    t->passes[v] = true;
    for (uint32_t w = 0; w < t->nodes; w++)
        if (w != v && t->step[w] > step && hops_between(t->d, v, w) < hops_between(t->d, t->parent[w], w))
            t->parent[w] = v;
}

/** Let the owner send to all in the last step; then, as long as that saves links, choose a node that passes blocks on. */
static void grow_tree(struct spreading *t, uint32_t owner)
{
    int64_t best;
    t->owner = owner;
    for (uint32_t v = 0; v < t->nodes; v++) {
        t->parent[v] = owner;
        t->step[v] = v == owner ? 0 : t->steps;
        t->passes[v] = v == owner;
    }
    do {
        uint32_t at = 0, when = 0, from = 0, parent = owner;
        best = 0;
        for (uint32_t v = 0; v < t->nodes; v++)
            for (uint32_t step = 1; !t->passes[v] && step < t->steps; step++) {
                int64_t gain = gain_of(t, v, step, &parent);
                if (gain <= best)
                    continue;
                best = gain;
                at = v;
                when = step;
                from = parent;
            }
        if (best > 0)
            pass_on(t, at, when, from);
    } while (best > 0);
}

/* ---- symmetry ---- */

/** Maps of a group of translations onto itself that keep node 0 and its links: digits change places, or all elements their sign. */
struct symmetry {
    struct translations group;
    size_t shift;
    bool negative;
};

static uint32_t symmetric_node(const struct symmetry *s, uint32_t node)
{
    const struct translations *t = &s->group;
    uint32_t digit[RWA_SHAPE_MAX], element = t->element ? t->element[node] : node, image = 0;
    for (size_t d = t->digits; d-- > 0;) {
        assert(t->radix[d] > 0);
        digit[d] = element % t->radix[d];
        element /= t->radix[d];
    }
    for (size_t d = 0; d < t->digits; d++) {
        uint32_t value = digit[(d + s->shift) % t->digits];
        image = image * t->radix[d] + (s->negative && value > 0 ? t->radix[d] - value : value);
    }
    return t->node ? t->node[image] : image;
}

static bool keeps_links(const struct symmetry *s, const struct distances *d)
{
    for (size_t k = 0; k < s->group.digits; k++)
        if (s->group.radix[k] != s->group.radix[(k + s->shift) % s->group.digits])
            return false;
    for (uint32_t v = 0; v < d->net->nodes; v++)
        if (hops_between(d, 0, v) != hops_between(d, 0, symmetric_node(s, v)))
            return false;
    return true;
}

static uint32_t list_symmetries(struct symmetry out[SPREAD_VARIANTS], const struct translations *group, const struct distances *d)
{
    uint32_t count = 0, longest = 0;
    for (size_t k = 0; k < group->digits; k++)
        longest = group->radix[k] > longest ? group->radix[k] : longest;
    for (int negative = 0; negative < (longest > 2 ? 2 : 1); negative++)
        for (size_t shift = 0; shift < group->digits && count < SPREAD_VARIANTS; shift++) {
            out[count] = (struct symmetry){*group, shift, negative};
            count += keeps_links(&out[count], d);
        }
    assert(count > 0); /* the identity */
    return count;
}

/** The node that each node of the tree of owner 0 becomes in a variant: rows of `nodes`. */
static void list_images(uint32_t *image, const struct symmetry *symmetry, uint32_t variants, uint32_t nodes)
{
    for (uint32_t variant = 0; variant < variants; variant++)
        for (uint32_t v = 0; v < nodes; v++)
            image[(size_t)variant * nodes + v] = symmetric_node(&symmetry[variant], v);
}

/** The tree of owner 0, in each variant, becomes the trees of all owners. */
static rwa_status move_tree(struct spread *s, const struct spreading *t, const struct symmetry *symmetry, rwa_error *err)
{
    uint32_t nodes = t->nodes, *moved = base_array(nodes, sizeof *moved, err);
    uint32_t *image = base_array((size_t)s->variants * nodes, sizeof *image, err);
    rwa_status st = moved && image ? RWA_OK : RWA_NOMEM;
    TRY(st);
    assert(t->owner == 0);
    list_images(image, symmetry, s->variants, nodes);
    for (uint32_t owner = 0; owner < nodes; owner++) {
        for (uint32_t v = 0; v < nodes; v++)
            moved[v] = translations_move(&symmetry->group, v, 0, owner);
        for (uint32_t variant = 0; variant < s->variants; variant++) {
            const uint32_t *to = image + (size_t)variant * nodes;
            for (uint32_t v = 1; v < nodes; v++)
                s->hop[s->hops++] = (struct spread_hop){t->step[v], moved[to[t->parent[v]]], moved[to[v]], owner, variant};
        }
    }
done:
    free_all(moved, image);
    return st;
}

static void add_tree(struct spread *s, const struct spreading *t)
{
    for (uint32_t v = 0; v < t->nodes; v++)
        if (v != t->owner)
            s->hop[s->hops++] = (struct spread_hop){t->step[v], t->parent[v], v, t->owner, 0};
}

/** Every node gets the blocks of owner 0 from a node one link nearer. */
static void tree_by_links(struct spreading *t)
{
    const rwa_network *net = t->d->net;
    t->owner = t->parent[0] = t->step[0] = 0;
    for (uint32_t l = net->link_count; l-- > 0;) {
        uint32_t from = net->links[l].from, to = net->links[l].to;
        if (hops_between(t->d, 0, to) != hops_between(t->d, 0, from) + 1)
            continue;
        t->parent[to] = from;
        t->step[to] = hops_between(t->d, 0, to);
    }
}

/** Whether the variants take every link out of node 0 to each of these links equally often.  Then the trees of all owners load all
 *  links alike in each step. */
static bool variants_load_alike(const struct symmetry *symmetry, uint32_t variants, const struct distances *d)
{
    const rwa_network *net = d->net;
    const uint32_t *out = net->out + net->first[0], degree = net->first[1] - net->first[0];
    for (uint32_t a = 0; a < degree; a++)
        for (uint32_t b = 0; b < degree; b++) {
            uint32_t times = 0;
            for (uint32_t variant = 0; variant < variants; variant++)
                times += symmetric_node(&symmetry[variant], net->links[out[a]].to) == net->links[out[b]].to;
            if (times * degree != variants)
                return false;
        }
    return true;
}

/** As spread_by_links(), moved from one owner's tree; `suits`: whether links are loaded alike.  None otherwise. */
static rwa_status spread_by_symmetry(struct spread *s, bool *suits, const struct distances *d, uint32_t steps, rwa_error *err)
{
    struct symmetry symmetry[SPREAD_VARIANTS];
    struct translations group;
    struct spreading t = {0};
    uint32_t nodes = d->net->nodes;
    rwa_status st = RWA_OK;
    *suits = false;
    if (!translations_of(&group, d->net))
        return RWA_OK;
    s->variants = list_symmetries(symmetry, &group, d);
    if (!variants_load_alike(symmetry, s->variants, d))
        return RWA_OK;
    *suits = true;
    s->hop = base_array((size_t)s->variants * nodes * nodes, sizeof *s->hop, err);
    TRY(spreading_open(&t, d, steps, err));
    TRY(s->hop ? RWA_OK : RWA_NOMEM);
    tree_by_links(&t);
    TRY(move_tree(s, &t, symmetry, err));
done:
    arena_free(&t.memory);
    return st;
}

static rwa_status spread_in_few_steps(struct spread *s, const struct distances *d, uint32_t steps, rwa_error *err)
{
    struct symmetry symmetry[SPREAD_VARIANTS];
    struct translations group;
    struct spreading t = {0};
    uint32_t nodes = d->net->nodes;
    bool moved = translations_of(&group, d->net);
    rwa_status st = RWA_OK;
    s->variants = moved ? list_symmetries(symmetry, &group, d) : 1;
    s->hop = base_array((size_t)s->variants * nodes * nodes, sizeof *s->hop, err);
    TRY(spreading_open(&t, d, steps, err));
    TRY(s->hop ? RWA_OK : RWA_NOMEM);
    for (uint32_t owner = 0; owner < (moved ? 1 : nodes); owner++) {
        grow_tree(&t, owner);
        if (!moved)
            add_tree(s, &t);
    }
    if (moved)
        TRY(move_tree(s, &t, symmetry, err));
done:
    arena_free(&t.memory);
    return st;
}

rwa_status spread_make(struct spread *out, const struct distances *d, uint32_t steps, rwa_error *err)
{
    uint32_t most = spread_steps_most(d);
    bool alike = false;
    *out = (struct spread){0};
    assert(steps > 0);
    if (most == 0)
        return RWA_OK;
    if (steps < most)
        MUST(spread_in_few_steps(out, d, steps, err));
    else
        MUST(spread_by_symmetry(out, &alike, d, most, err));
    if (steps >= most && !alike)
        MUST(spread_by_links(out, d, most, err));
    return sort_hops(out, d->net->nodes, err);
}
