/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Orbits: the lightpaths that a record stands for, one by one, step by step, or all written out. */
#include "schedule/schedule.h"

#include "network/network.h"

/** Return (a + b) mod `modulus`, without a division if the sum is below 2 * modulus, as it is on every orbit of a
 *  correct record. */
static uint64_t wrap(uint64_t a, uint64_t b, uint64_t modulus)
{
    uint64_t sum = a + b;
    if (sum >= modulus)
        sum -= modulus;
    return sum < modulus ? sum : sum % modulus;
}

/** Return the node of lightpath i of an orbit that corresponds to `node` of the orbit's first lightpath.
 * @param group  the translations of the network; NULL: a ring */
static uint32_t orbit_node(uint32_t node, uint32_t i, uint32_t nodes, const struct translations *group)
{
    return group ? translations_add(group, node, i) : (uint32_t)wrap(node, i, nodes);
}

/** Return the block that lightpath i of an orbit carries if the first one carries `block`. */
static uint64_t orbit_block(uint64_t block, uint32_t i, const rwa_collective *coll, const struct translations *group)
{
    uint32_t n = coll->nodes;
    uint64_t each = coll->blocks / n;
    assert(n > 0 && block < coll->blocks);
    if (coll->kind != RWA_ALL_TO_ALL && !group)
        return wrap(block, i * each, coll->blocks);
    uint64_t owner = orbit_node((uint32_t)(block / each), i, n, group), rest = block % each;
    if (coll->kind == RWA_ALL_TO_ALL) {
        uint64_t parts = each / n;
        rest = orbit_node((uint32_t)(rest / parts), i, n, group) * parts + rest % parts;
    }
    return owner * each + rest;
}

uint32_t record_top(const rwa_network *net, const rwa_lightpath *record)
{
    uint32_t channel = lightpath_channel(net, record);
    return record->orbit > 1 ? (channel / record->period + 1) * record->period : channel + 1;
}

/** Return lightpath i > 0 of a record's orbit. */
static rwa_lightpath lightpath_of(const rwa_lightpath *record, uint32_t i, const rwa_network *net,
                                  const rwa_collective *coll, const struct translations *group)
{
    uint64_t channel = lightpath_channel(net, record),
             bank = channel - channel % record->period;
    uint64_t place = group ? translations_digit(group, i, translations_dimension(group, record->src, record->dst)) : i;
    rwa_lightpath lp = *record;
    lp.orbit = 1;
    lp.period = 0;
    lp.src = orbit_node(record->src, i, net->nodes, group);
    lp.dst = orbit_node(record->dst, i, net->nodes, group);
    lightpath_set_channel(&lp, net, bank + (channel + place) % record->period);
    lp.block = orbit_block(record->block, i, coll, group);
    return lp;
}

void rwa_lightpath_of_orbit(rwa_lightpath *out, const rwa_lightpath *lp, uint32_t i, const rwa_network *net,
                            const rwa_collective *coll)
{
    struct translations group;
    *out = *lp;
    out->orbit = 1;
    out->period = 0;
    if (lp->orbit <= 1 || i == 0)
        return;
    assert(lp->period > 0);
    bool cycle = network_is_cycle(net) || !translations_of(&group, net);
    *out = lightpath_of(lp, i, net, coll, cycle ? NULL : &group);
}

uint32_t rwa_node_of_orbit(uint32_t node, uint32_t i, const rwa_network *net)
{
    struct translations group;
    bool cycle = network_is_cycle(net) || !translations_of(&group, net);
    return orbit_node(node, i, net->nodes, cycle ? NULL : &group);
}

/** On a ring, change w->lp, a lightpath of the record's orbit, to the next one.  Unlike rwa_lightpath_of_orbit(), this
 *  needs no division by the period. */
static void orbit_next(struct walk *w)
{
    const rwa_network *net = w->sched->net;
    rwa_lightpath *lp = &w->lp;
    uint32_t channel = lightpath_channel(net, lp) + 1;
    assert(network_is_cycle(net) && lp->src < net->nodes && lp->dst < net->nodes && channel <= w->top);
    lp->src = lp->src + 1 < net->nodes ? lp->src + 1 : 0;
    lp->dst = lp->dst + 1 < net->nodes ? lp->dst + 1 : 0;
    lightpath_set_channel(lp, net, channel == w->top ? channel - w->whole.period : channel);
    lp->block = orbit_block(lp->block, 1, &w->sched->coll, NULL);
}

uint32_t schedule_symmetric_until(struct translations *group, const rwa_schedule *sched)
{
    const rwa_collective *coll = &sched->coll;
    if (!translations_of(group, sched->net) || !network_is_uniform(sched->net) ||
        network_has_parallel_links(sched->net) || sched->members || rwa_collective_has_root(coll->kind) ||
        coll->blocks % coll->nodes != 0)
        return 0;
    uint64_t i = 0;
    while (i < sched->count && sched->orbit && sched->orbit[i] == coll->nodes)
        i++;
    return i < sched->count ? schedule_lightpath(sched, i).step : sched->steps + 1;
}

struct walk walk_step(const rwa_schedule *sched, uint32_t step)
{
    /* as if at the last lightpath of the previous record */
    uint64_t before = rwa_schedule_first(sched, step) - 1;
    return (struct walk){.sched = sched, .step = step, .record = before, .end = rwa_schedule_first(sched, step + 1)};
}

bool walk_next(struct walk *w)
{
    if (w->turn + 1 < w->whole.orbit) {
        w->turn++;
        if (w->sched->needs_path)
            w->lp = lightpath_of(&w->whole, w->turn, w->sched->net, &w->sched->coll, &w->sched->group);
        else
            orbit_next(w);
        return true;
    }
    if (++w->record == w->end)
        return false;
    w->turn = 0;
    rwa_lightpath lp = record_in_step(w->sched, w->record, w->step); /* built in registers, so that no copy waits for
                                                                        stores */
    w->whole = lp;
    w->top = record_top(w->sched->net, &lp);
    w->lists = schedule_lists(w->sched, w->record);
    lp.orbit = 1;
    lp.period = 0;
    w->lp = lp;
    return true;
}

/** Return the translations of the network that turn the first lightpath of an orbit into the others; NULL: a ring. */
static const struct translations *group_of(const rwa_schedule *s)
{
    return s->needs_path ? &s->group : NULL;
}

uint64_t walk_block(const struct walk *w, uint64_t block)
{
    return w->turn == 0 ? block : orbit_block(block, w->turn, &w->sched->coll, group_of(w->sched));
}

bool record_next_block(struct carried *c, const rwa_lightpath *record, const rwa_lists *lists)
{
    if (!c->run)
        c->runs = rwa_lists_runs(&c->run, &c->one, record, lists);
    if (c->runs == 0)
        return false;
    c->block = c->run->first + (uint64_t)c->k * c->run->stride;
    if (++c->k == c->run->count) {
        c->run++;
        c->runs--;
        c->k = 0;
    }
    return true;
}

bool walk_next_block(struct carried *c, const struct walk *w)
{
    if (!record_next_block(c, &w->whole, &w->lists))
        return false;
    c->block = walk_block(w, c->block);
    return true;
}

uint32_t walk_node(const struct walk *w, uint32_t node)
{
    return w->turn == 0 ? node : orbit_node(node, w->turn, w->sched->net->nodes, group_of(w->sched));
}

uint32_t walk_hop_node(const struct walk *w, uint32_t k)
{
    uint32_t nodes = w->sched->net->nodes;
    if (network_has_arcs(w->sched->net))
        return (uint32_t)(((uint64_t)w->lp.src + (w->lp.direction == RWA_CW ? k : nodes - k)) % nodes);
    return w->lists.path_nodes > 0 ? walk_node(w, w->lists.path[k]) : k == 0 ? w->lp.src : w->lp.dst;
}

uint32_t walk_hop_link(const struct walk *w, uint32_t k)
{
    const rwa_network *net = w->sched->net;
    uint32_t from = walk_hop_node(w, k);
    return network_has_arcs(net) ? network_arc_link(net, from, w->lp.direction)
                                 : rwa_network_find_link(net, from, walk_hop_node(w, k + 1));
}

bool walk_is_tap(const struct walk *w, uint32_t node)
{
    uint32_t k = 0;
    while (k < w->lists.tap_count && walk_node(w, w->lists.taps[k]) != node)
        k++;
    return k < w->lists.tap_count;
}

static void mix(uint64_t *hash, uint64_t next)
{
    *hash ^= next;
    *hash = base_random(hash);
}

uint64_t walk_hash(const struct walk *w)
{
    const uint32_t own[] = {w->lp.src, w->lp.dst, w->lp.fiber, w->lp.wavelength, w->lp.direction};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        mix(&hash, own[i]);
    for (uint32_t k = 0; k < w->lists.path_nodes; k++)
        mix(&hash, walk_node(w, w->lists.path[k]));
    for (uint32_t k = 0; k < w->lists.tap_count; k++)
        mix(&hash, (uint64_t)1 << 32 | walk_node(w, w->lists.taps[k]));
    return hash;
}

bool walk_carries(const struct walk *w, uint64_t block)
{
    const rwa_schedule *s = w->sched;
    uint32_t back = s->needs_path ? translations_move(&s->group, 0, w->turn, 0) : s->net->nodes - w->turn;
    if (w->turn > 0)
        block = orbit_block(block, back, &s->coll, group_of(s));
    return record_carries(&w->whole, &w->lists, block);
}

/** Return the lists of the walk's current lightpath.
 *  @param words  memory for all its nodes and blocks */
static rwa_lists lists_of_orbit(const struct walk *w, uint32_t *words)
{
    const rwa_lists *lists = &w->lists;
    rwa_lists moved = {.path = words + lists->block_count, .path_nodes = lists->path_nodes, .blocks = words,
                       .block_count = lists->block_count, .taps = words + lists->block_count + lists->path_nodes,
                       .tap_count = lists->tap_count};
    for (struct carried c = {0}; lists->block_count > 0 && walk_next_block(&c, w);)
        *words++ = (uint32_t)c.block;
    for (uint32_t k = 0; k < lists->path_nodes; k++)
        *words++ = walk_node(w, lists->path[k]);
    for (uint32_t k = 0; k < lists->tap_count; k++)
        *words++ = walk_node(w, lists->taps[k]);
    assert(words == moved.taps + moved.tap_count);
    return moved;
}

rwa_status walk_lists(rwa_lists *out, uint32_t **words, const struct walk *w, rwa_error *err)
{
    *out = w->lists;
    if (w->turn == 0)
        return RWA_OK;
    MUST(base_reserve(*words, (size_t)out->block_count + out->path_nodes + out->tap_count, err));
    *out = lists_of_orbit(w, *words);
    return RWA_OK;
}

rwa_status rwa_schedule_expand(rwa_schedule **out, const rwa_schedule *sched, rwa_error *err)
{
    BEGIN_NEW(out, err, sched);
    rwa_schedule *all = NULL;
    uint32_t *words = NULL;
    rwa_lists lists;
    rwa_status st = RWA_OK;
    TRY(rwa_schedule_create_among(&all, sched->net, &sched->coll, sched->members, sched->scheme, err));
    TRY(schedule_reserve(all, sched->lightpaths, err));
    for (uint32_t step = 1; step <= sched->steps; step++)
        for (struct walk w = walk_step(sched, step); walk_next(&w);) {
            TRY(walk_lists(&lists, &words, &w, err));
            TRY(rwa_schedule_add_lists(all, &w.lp, &lists, err));
        }
    assert(all->lightpaths == sched->lightpaths && all->steps == sched->steps);
    TRY(schedule_keep_cuts(all, sched, UINT32_MAX, err));
    schedule_check(all);
    *out = all;
    all = NULL;
done:
    free(words);
    rwa_schedule_free(all);
    return st;
}
