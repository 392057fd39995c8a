/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Symmetric collectives of a ring, torus or hypercube, checked at one node.
 *
 * As long as every record is a full orbit, the holdings are invariant under translation: node v holds block b exactly as
 * node 0 holds the block that b becomes when v is moved to 0, the one as far from its owner; of an all-to-all, that of the moved pair.
 *
 * Channels: translations move the links of a class to each other, on a ring those of a direction, on a torus those that lead one way along
 * one dimension.  The position of a link is that of the node where it begins, round the cycle to which it belongs.  A record
 * leads straight along links of one class, and its period P divides the nodes of the cycle.  Its lightpath i is moved by i, of which
 * x is the coordinate along the cycle: it takes the link at position l + x in place of the one at l, and channel B + (k + x) mod P in place
 * of B + k, where B is a multiple of P.  So B and (k - l) mod P, the same for all i, give the channel that the orbit takes on each
 * link of the class: for each link of the route one, its keys.  With one P for all records of a step and class, two of them meet on some
 * link exactly when they have B and a key in common, and then on all; a record does not meet itself as it has no more links than P.
 *
 * A broadcast whose root has given every node its share of the blocks goes on like an all-gather.  From a step on that begins with a
 * full orbit nodes are then taken to hold their shares alone: a schedule that is right for them is right for nodes that hold more.
 *
 * The first record that breaks the symmetry or a constraint ends this: the state is expanded to all nodes, and the checker
 * goes on lightpath by lightpath, which also names each violation.
 */
#include "check/symmetry.h"

#include "network/translations.h"

static const struct first_holdings *holdings_for(rwa_collective_kind kind)
{
    switch (kind) {
    case RWA_BROADCAST:
    case RWA_ALL_GATHER:
    case RWA_ALL_TO_ALL: return &first_holdings_of_copies;
    case RWA_REDUCE_SCATTER:
    case RWA_ALL_REDUCE: return &first_holdings_of_sums;
    default: return NULL;
    }
}

/* ---- classes of links ---- */

void classes_open(struct checker *chk)
{
    const rwa_network *net = chk->net;
    if (network_is_cycle(net))
        chk->classes = 2;
    else if (network_has_orbits(net) && network_is_uniform(net) && !network_has_parallel_links(net))
        chk->classes = net->first[1] - net->first[0];
}

/** Where the link of a class leads from node 0. */
static uint32_t class_end(const struct checker *chk, uint32_t class)
{
    assert(class < chk->classes);
    return chk->net->links[chk->net->out[chk->net->first[0] + class]].to;
}

uint32_t class_of_link(const struct checker *chk, uint32_t from, uint32_t to)
{
    uint32_t class = 0, end = node_minus(&chk->group, to, from);
    while (class < chk->classes && class_end(chk, class) != end)
        class++;
    return class;
}

uint32_t class_of_route(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    const uint32_t *path = lists->path;
    if (network_is_cycle(chk->net))
        return lp->direction == RWA_CCW;
    if (chk->classes == 0)
        return 0;
    for (uint32_t hop = 1; hop < hops; hop++)
        if (node_minus(&chk->group, path[hop + 1], path[hop]) != node_minus(&chk->group, path[hop], path[hop - 1]))
            return chk->classes;
    return class_of_link(chk, path[0], path[1]);
}

uint64_t link_of_class(const struct checker *chk, uint32_t class, uint32_t node)
{
    return rwa_network_find_link(chk->net, node, node_plus(&chk->group, node, class_end(chk, class)));
}

/** Of the translations: the dimension along which a class leads. */
static size_t class_dimension(const struct checker *chk, uint32_t class)
{
    return chk->group.count == 1 ? 0 : first_difference(&chk->group, 0, class_end(chk, class));
}

uint32_t class_cycle(const struct checker *chk, uint32_t class)
{
    return chk->group.size[class_dimension(chk, class)];
}

uint32_t class_position(const struct checker *chk, uint32_t class, uint32_t node)
{
    return chk->group.count == 1 ? node : coordinate_of(&chk->group, node, class_dimension(chk, class));
}

/* ---- opening ---- */

static bool is_symmetric(const struct checker *chk)
{
    bool plain = rwa_network_ports(chk->net) == 0 && chk->faults.link_count == 0 && chk->faults.channel_count == 0;
    return plain && chk->classes > 0 && holdings_for(chk->coll->kind) && !chk->members &&
           !(chk->device && network_has_arcs(chk->net)) && blocks_rotate(chk->coll) && holdings_for(chk->coll->kind)->fits(chk);
}

static rwa_status open_state(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    bool arcs = network_has_arcs(chk->net);
    t->share = chk->coll->blocks / chk->nodes;
    t->channels = rwa_network_channels(chk->net);
    t->taken_words = ((size_t)chk->classes * t->channels + 63) / 64;
    t->lit_words = ((size_t)(arcs ? 2 : 1) * t->channels + 63) / 64;
    t->memory.err = chk->err;
    t->holdings = holdings_for(chk->coll->kind);
    arena_new(&t->memory, t->period, chk->classes);
    arena_new(&t->memory, t->taken, t->taken_words);
    arena_new(&t->memory, t->lit, t->lit_words);
    MUST(arena_status(&t->memory));
    MUST(arcs ? RWA_OK : links_open_routes(chk));
    return t->holdings->open(chk);
}

rwa_status symmetry_open(struct checker *chk)
{
    chk->may_turn = is_symmetric(chk);
    if (!chk->may_turn || chk->coll->kind == RWA_BROADCAST)
        return RWA_OK;
    chk->symmetry = base_array(1, sizeof *chk->symmetry, chk->err);
    return chk->symmetry ? open_state(chk) : RWA_NOMEM;
}

rwa_status symmetry_begin(struct checker *chk, const rwa_lightpath *record)
{
    if (!chk->may_turn || record->orbit != chk->nodes || !copies_hold_shares(chk))
        return RWA_OK;
    chk->symmetry = base_array(1, sizeof *chk->symmetry, chk->err);
    MUST(chk->symmetry ? open_state(chk) : RWA_NOMEM);
    chk->symmetry->late = true;
    return RWA_OK;
}

void symmetry_close(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    if (!t)
        return;
    t->holdings->close(chk);
    arena_free(&t->memory);
    free(t);
    chk->symmetry = NULL;
}

/* ---- a record ---- */

static bool is_regular(const struct checker *chk, const rwa_lightpath *lp, uint32_t hops, uint32_t class)
{
    if (lp->orbit != chk->nodes || class >= chk->classes)
        return false;
    uint32_t period = chk->symmetry->period[class];
    return class_cycle(chk, class) % lp->period == 0 && hops <= lp->period && (period == 0 || period == lp->period);
}

/** The bit of `taken` for link `hop` of the route. */
static uint64_t key_of(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t class, uint32_t hop)
{
    return class_key(chk, class, lp->period, channel_of(chk, lp), class_position(chk, class, link_node(chk, lp, lists, hop)));
}

static bool is_free(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops, uint32_t class)
{
    for (uint32_t h = 0; h < hops; h++)
        if (get_bit(chk->symmetry->taken, key_of(chk, lp, lists, class, h)))
            return false;
    return true;
}

static void occupy(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops, uint32_t class)
{
    struct symmetry *t = chk->symmetry;
    uint64_t channel = channel_of(chk, lp), side = network_has_arcs(chk->net) ? class : 0;
    t->period[class] = lp->period;
    for (uint32_t h = 0; h < hops; h++)
        set_bit(t->taken, key_of(chk, lp, lists, class, h));
    bit_run_set(t->lit, side * t->channels + channel - channel % lp->period, lp->period); /* an orbit comes to all of them */
}

/* ---- expansion ---- */

/** The channel of a key is taken on every link of its class. */
static void expand_key(struct checker *chk, uint32_t class, uint32_t key)
{
    struct channels_in_use *l = &chk->channels;
    bool arcs = network_has_arcs(chk->net);
    uint32_t period = chk->symmetry->period[class], bank = key - key % period;
    for (uint32_t v = 0; v < chk->nodes; v++) {
        uint64_t channel = bank + (key - bank + class_position(chk, class, v)) % period;
        if (arcs) {
            channels_claim(chk, ((uint64_t)class * l->count + channel) * chk->links + v, 1);
        } else {
            channels_claim(chk, link_of_class(chk, class, v) * l->count + channel, 1);
        }
        channels_light(chk, arcs ? class : 0, channel);
    }
}

static void expand_keys(struct checker *chk)
{
    const struct symmetry *t = chk->symmetry;
    for (uint32_t class = 0; class < chk->classes; class++)
        for (uint32_t key = 0; key < t->channels; key++)
            if (get_bit(t->taken, (uint64_t)class * t->channels + key))
                expand_key(chk, class, key);
}

static rwa_status expand(struct checker *chk)
{
    chk->may_turn = false;
    MUST(chk->symmetry->late ? RWA_OK : checker_open_models(chk));
    MUST(chk->symmetry->holdings->expand(chk));
    expand_keys(chk);
    symmetry_close(chk);
    return RWA_OK;
}

rwa_status symmetry_check(bool *whole, struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint32_t class = class_of_route(chk, lp, lists, hops);
    *whole = is_regular(chk, lp, hops, class) && is_free(chk, lp, lists, hops, class);
    if (*whole)
        MUST(chk->symmetry->holdings->take(whole, chk, lp, lists));
    if (!*whole)
        return expand(chk);
    occupy(chk, lp, lists, hops, class);
    return RWA_OK;
}

/* ---- between records ---- */

void symmetry_end_step(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    t->holdings->end_step(chk);
    for (uint32_t side = 0; side < (network_has_arcs(chk->net) ? 2 : 1); side++) {
        uint32_t lit = (uint32_t)bit_run_count(t->lit, (uint64_t)side * t->channels, t->channels);
        chk->report->wavelengths_used = lit > chk->report->wavelengths_used ? lit : chk->report->wavelengths_used;
    }
    memset(t->lit, 0, t->lit_words * sizeof *t->lit);
    memset(t->taken, 0, t->taken_words * sizeof *t->taken);
    memset(t->period, 0, chk->classes * sizeof *t->period);
}

rwa_status symmetry_check_end(struct checker *chk)
{
    return chk->symmetry->holdings->is_complete(chk) ? RWA_OK : expand(chk);
}
