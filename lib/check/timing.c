/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Find the steps that do not fit together, lightpath by lightpath: their definition is in docs/reference/formats.md,
 * "Time".
 *
 * A place is a resource with the users that used it last, and the last step of each.  A channel of a link or of a star,
 * and an end of a switch's circuit, have one such user; the ports of a node have one more than there are ports.  If a
 * step brings one user too many, it does not fit together with the last step of the user that must leave;
 * chk->timing->unfit is the latest step of this kind.
 *
 * A lightpath that leads straight along links of one class (symmetry.c) is identified, on each of its links, by the
 * number of this link on its route, its hops and its receivers, which are the same all along an orbit.  So an orbit of
 * all nodes whose period P divides the cycle looks the same from each link of its class, with channels that step by one
 * modulo P.  While node 0 stands for all nodes (chk->symmetry), one link stands for all of a class if its orbits have
 * one period.  If they have several periods, as many positions along the cycle are needed as their least common
 * multiple.  Otherwise lightpaths are taken one by one.
 *
 * A broadcast that goes on in orbits has taken places lightpath by lightpath before.  If an orbit takes a place of its
 * class for the first time, its lightpaths also take their places one by one, and so meet those users.  From then on
 * later users meet the orbit in the places of the class.
 */
#include "check/timing.h"

/** Number of places between two polls. */
enum { POLL_PLACES = 1 << 22 };

/* ---- opening ---- */

static uint64_t places(const struct checker *chk)
{
    uint64_t channels = chk->timing->channels;
    switch (rwa_network_topology(chk->net)) {
    case RWA_RING:
    case RWA_LINE: return 2 * channels * chk->links;
    case RWA_STAR: return channels;
    case RWA_RON: return 0;
    case RWA_OCS: return 2 * (uint64_t)chk->fibers * chk->nodes;
    default: return channels * chk->links;
    }
}

static rwa_status refuse_cost(const rwa_cost_options *o, double rate_bps, rwa_error *err)
{
    bool units = o->packet_bytes > 0 && o->flit_bytes > 0 && o->clock_hz > 0 && isfinite(o->clock_hz) && rate_bps > 0 &&
                 isfinite(rate_bps);
    return units ? RWA_OK : base_refuse(err, "cost: expected packets, flits, clock and rate above 0");
}

/** List in chk->timing->failures the steps from 2 on in which links fail, in ascending order, each once. */
static rwa_status list_failures(struct checker *chk)
{
    struct timing *t = chk->timing;
    size_t count = 0;
    if (!arena_new(&chk->memory, t->failures, chk->faults.link_count))
        return RWA_NOMEM;
    for (size_t i = 0; i < chk->faults.link_count; i++) {
        uint64_t from = network_failed_from(chk->net, chk->faults.links[i]);
        if (from >= 2 && from <= UINT32_MAX)
            t->failures[count++] = (uint32_t)from;
    }
    t->failure_count = base_sort_unique(t->failures, count, sizeof *t->failures, order_uint32);
    return RWA_OK;
}

rwa_status timing_open(struct checker *chk, const rwa_check_options *opts)
{
    struct timing *t;
    chk->report->time_s = NAN;
    if (!opts->cost)
        return RWA_OK;
    if (!arena_new(&chk->memory, t, 1))
        return RWA_NOMEM;
    MUST(base_take_options(&t->cost, sizeof t->cost, opts->cost, "rwa_cost_options", chk->err));
    t->rate_bps = opts->rate_bps > 0 ? opts->rate_bps : rwa_network_rate_bps(chk->net);
    MUST(refuse_cost(&t->cost, t->rate_bps, chk->err));
    t->channels = (uint64_t)chk->fibers * chk->wavelengths;
    t->ports = rwa_network_ports(chk->net);
    if (t->ports > 0)
        arena_new(&chk->memory, t->out, chk->nodes);
    if (t->ports > 0 && rwa_network_topology(chk->net) != RWA_RON)
        arena_new(&chk->memory, t->in, chk->nodes);
    MUST(arena_arrays(&chk->memory, chk->classes, t->class));
    chk->timing = t;
    return list_failures(chk);
}

void timing_close(struct checker *chk)
{
    const struct timing *t = chk->timing;
    if (!t)
        return;
    for (uint32_t v = 0; v < chk->nodes; v++) {
        if (t->out)
            free(t->out[v].at);
        if (t->in)
            free(t->in[v].at);
    }
    free_all(t->known.slot, t->ended);
}

/* ---- users ---- */

uint64_t mix(uint64_t sum, uint64_t next)
{
    uint64_t state = sum ^ next;
    return base_random(&state) + sum;
}

/** Let a user (a lightpath, or a circuit) take `place` in the current step, a resource that has one user at a time,
 *  such as a channel of a link.  If another user had it before, the current step does not fit together with that user's
 *  last step: chk->timing->unfit becomes at least that step. */
static void take(struct checker *chk, struct use *place, uint64_t user)
{
    if (place->user != user)
        RAISE(chk->timing->unfit, place->step);
    *place = (struct use){user, chk->step};
}

/** Let a user (a lightpath, or a circuit) take a port of a node in the current step.  `of`: the last users of each
 *  node's ports; NULL: ports are not limited.  If users now outnumber ports, the one that has been idle longest must
 *  leave, and chk->timing->unfit becomes at least its last step.  RWA_NOMEM. */
static rwa_status take_port(struct checker *chk, struct recent_users *of, uint32_t node, uint64_t user)
{
    struct timing *t = chk->timing;
    size_t i = 0;
    if (!of)
        return RWA_OK;
    struct recent_users *r = &of[node];
    while (i < r->count && r->at[i].user != user)
        i++;
    if (i == r->count && r->count <= t->ports)
        MUST(base_append(r->at, r->count, chk->err, (struct use){0}));
    else if (i == r->count)
        i--;
    memmove(r->at + 1, r->at, i * sizeof *r->at);
    r->at[0] = (struct use){user, chk->step};
    if (r->count > t->ports)
        RAISE(t->unfit, r->at[t->ports].step);
    return RWA_OK;
}

/** Return the entry that holds a number in the hash set, or the free entry where it belongs. */
static uint64_t *find_slot(const struct number_set *s, uint64_t number)
{
    size_t i = number & (s->slots - 1);
    assert(s->count < s->slots);
    while (s->slot[i] != 0 && s->slot[i] != number)
        i = (i + 1) & (s->slots - 1);
    return &s->slot[i];
}

static rwa_status double_set(struct checker *chk, struct number_set *s)
{
    struct number_set twice = {.slots = s->slots > 0 ? 2 * s->slots : 64, .count = s->count};
    MUST(limits_fit(&chk->limits, (double)twice.slots * sizeof *twice.slot, "checking this schedule", chk->err));
    MUST(base_new(twice.slot, twice.slots, chk->err));
    for (size_t i = 0; i < s->slots; i++)
        if (s->slot[i] != 0)
            *find_slot(&twice, s->slot[i]) = s->slot[i];
    free(s->slot);
    *s = twice;
    return RWA_OK;
}

rwa_status note_number(bool *fresh, struct checker *chk, struct number_set *s, uint64_t number)
{
    if (2 * (s->count + 1) > s->slots)
        MUST(double_set(chk, s));
    number = number > 0 ? number : 1;
    *fresh = *find_slot(s, number) == 0;
    s->count += *fresh;
    *find_slot(s, number) = number;
    return RWA_OK;
}

/** Record the hash `lightpath` of a lightpath, and set chk->timing->fresh if no earlier lightpath has it.  After a link
 *  failure such a lightpath ends an epoch.  RWA_NOMEM. */
static rwa_status note_known(struct checker *chk, uint64_t lightpath)
{
    bool fresh;
    MUST(note_number(&fresh, chk, &chk->timing->known, lightpath));
    chk->timing->fresh = chk->timing->fresh || fresh;
    return RWA_OK;
}

/* ---- lightpaths, one by one ---- */

/** Return the number of hops from the source of a lightpath to one of its taps. */
static uint32_t hops_to(const struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t tap)
{
    uint32_t hops = 0;
    if (lists->path_nodes == 0)
        return network_hops(chk->net, record->src, tap, record->direction);
    while (lists->path[hops] != tap)
        hops++;
    return hops;
}

/** Return a hash of a lightpath's route and receivers as seen from its source, the same for all lightpaths of an orbit
 *  whose route leads straight along one class of links.  Any other route is hashed by its nodes. */
static uint64_t shape_of(const struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops)
{
    uint32_t class =
        network_has_arcs(chk->net) ? record->direction == RWA_CCW : class_of_route(chk, record, lists, hops);
    uint64_t shape = mix(hops, class);
    if (lists->path_nodes > 0 && class >= chk->classes)
        for (uint32_t i = 0; i < lists->path_nodes; i++)
            shape = mix(shape, lists->path[i]);
    for (uint32_t i = 0; i < lists->tap_count; i++)
        shape = mix(shape, (uint64_t)1 << 32 | hops_to(chk, record, lists, lists->taps[i]));
    return shape;
}

/** Return the last user of a lightpath's channel on link `hop` of its route (from 0, on a ring or line clockwise). */
static struct use *place_of(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hop)
{
    const struct timing *t = chk->timing;
    if (network_has_arcs(chk->net))
        return &t->place[arc_place(chk, lp, hop)];
    return &t->place[rwa_network_find_link(chk->net, lists->path[hop], lists->path[hop + 1]) * t->channels +
                     channel_of(chk, lp)];
}

/** Let a lightpath take its channel on each link, and its ports, on a network of links. */
static rwa_status take_lightpath(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    struct timing *t = chk->timing;
    uint64_t shape = shape_of(chk, lp, lists, hops), itself = mix(mix(shape, lp->src), channel_of(chk, lp));
    for (uint32_t h = 0; h < hops; h++)
        take(chk, place_of(chk, lp, lists, h), mix(shape, h));
    MUST(take_port(chk, t->out, lp->src, itself));
    MUST(take_port(chk, t->in, lp->dst, itself));
    for (uint32_t i = 0; i < lists->tap_count; i++)
        MUST(take_port(chk, t->in, lists->taps[i], itself));
    t->work += hops;
    if (t->work >= POLL_PLACES)
        MUST(poll_check(chk));
    t->work %= POLL_PLACES;
    return t->failure_count > 0 ? note_known(chk, itself) : RWA_OK;
}

/** Let a lightpath take its channel or circuit, and its ports, on a network where every pair of nodes is one hop
 *  apart. */
static rwa_status take_hop(struct checker *chk, const rwa_lightpath *lp)
{
    struct timing *t = chk->timing;
    uint64_t switches = chk->fibers, channel = channel_of(chk, lp);
    switch (rwa_network_topology(chk->net)) {
    case RWA_STAR:
        take(chk, &t->place[channel], lp->src);
        MUST(take_port(chk, t->out, lp->src, channel));
        return take_port(chk, t->in, lp->dst, channel);
    case RWA_OCS:
        take(chk, &t->place[(uint64_t)lp->fiber * chk->nodes + lp->src], lp->dst);
        take(chk, &t->place[(switches + lp->fiber) * chk->nodes + lp->dst], lp->src);
        MUST(take_port(chk, t->out, lp->src, lp->dst * switches + lp->fiber));
        return take_port(chk, t->in, lp->dst, lp->src * switches + lp->fiber);
    default:
        return take_port(chk, t->out, lp->src, lp->dst);
    }
}

/* ---- whole orbits ---- */

/** Return the last use of a channel by an orbit of all nodes, on the link of a class at `position` along its cycle
 *  (class_position()).  NULL: no orbit can have used the channel yet. */
static const struct use *place_of_class(const struct checker *chk, uint32_t class, uint32_t position, uint64_t channel)
{
    const struct class_places *c = &chk->timing->class[class];
    uint64_t channels = chk->timing->channels;
    if (c->period == 0)
        return NULL;
    if (c->span > 1)
        return &c->at[position % c->span * channels + channel];
    return channel / c->period < channels / c->period ? &c->at[class_key(chk, 0, c->period, channel, position)] : NULL;
}

/** Prepare a class of links for orbits with a period that it did not have before: replace its list of last users.  The
 *  new list has as many positions along the cycle as the least common multiple of the periods; with a single period it
 *  has position 0 alone.  RWA_NOMEM. */
static rwa_status open_class(struct checker *chk, uint32_t class, uint32_t period)
{
    struct timing *t = chk->timing;
    struct class_places *c = &t->class[class], next = {.period = period, .span = 1};
    uint32_t before = c->span > 1 ? c->span : c->period;
    for (next.span = before > 0 ? before : 1; before > 0 && next.span % period != 0; next.span += before)
        ; /* up to the least common multiple, which divides the cycle */
    MUST(limits_fit(&chk->limits, (double)next.span * (double)t->channels * sizeof *next.at,
                    "the time of this schedule", chk->err));
    if (!arena_new(&chk->memory, next.at, next.span * t->channels))
        return RWA_NOMEM;
    for (uint32_t position = 0; position < next.span; position++)
        for (uint64_t channel = 0; channel < t->channels; channel++) {
            const struct use *place = place_of_class(chk, class, position, channel);
            if (place)
                next.at[position * t->channels + channel] = *place;
        }
    *c = next;
    return RWA_OK;
}

static rwa_status take_each(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops)
{
    rwa_lightpath lp;
    rwa_lists moved;
    for (uint32_t i = 0; i < record->orbit; i++) {
        MUST(orbit_lightpath(&lp, &moved, chk, record, lists, i));
        MUST(take_lightpath(chk, &lp, &moved, hops));
    }
    return RWA_OK;
}

static rwa_status take_whole(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops)
{
    struct timing *t = chk->timing;
    uint32_t class = class_of_route(chk, record, lists, hops);
    struct class_places *c = &t->class[class];
    uint64_t shape = shape_of(chk, record, lists, hops), cycle = class_cycle(chk, class),
             channel = channel_of(chk, record);
    bool first = false;
    if (c->span > 1 ? c->span % record->period != 0 : c->period != record->period)
        MUST(open_class(chk, class, record->period));
    for (uint32_t h = 0; h < hops; h++)
        for (uint32_t position = 0; position < c->span; position++) {
            uint64_t back = class_position(chk, class, link_node(chk, record, lists, h)) + cycle - position;
            uint64_t there = class_key(chk, 0, record->period, channel, (uint32_t)(back % cycle));
            struct use *place = &c->at[position * t->channels + there];
            first = first || place->step == 0;
            take(chk, place, mix(shape, h));
        }
    return first && t->place ? take_each(chk, record, lists, hops) : RWA_OK;
}

/** Allocate the list of last users: of each channel of each link, of each channel of a star, of each end of a switch's
 *  circuits.  RWA_NOMEM. */
static rwa_status open_places(struct checker *chk)
{
    struct timing *t = chk->timing;
    uint64_t count = places(chk);
    if (t->place || count == 0)
        return RWA_OK;
    MUST(limits_fit(&chk->limits, (double)count * sizeof *t->place, "the time of this schedule", chk->err));
    return arena_new(&chk->memory, t->place, count) ? RWA_OK : RWA_NOMEM;
}

/* ---- a record ---- */

rwa_status timing_record(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops)
{
    struct timing *t = chk->timing;
    if (has_no_time(chk))
        return RWA_OK;
    RAISE(t->blocks, lists->block_count);
    if (t->cost.model == RWA_COST_PAPER)
        return RWA_OK;
    if (chk->symmetry)
        return take_whole(chk, record, lists, hops);
    MUST(open_places(chk));
    return network_is_one_hop(chk->net) ? take_hop(chk, record) : take_lightpath(chk, record, lists, hops);
}
