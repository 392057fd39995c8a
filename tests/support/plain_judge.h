/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A second judge of schedules on rings and lines, written another way than the judge: link by link over plain numbers.
 */
#pragma once

#include "rwa.h"

#include "tests/support/wants.h"

#include <string.h>

enum { CHANNELS = 12, RECORDS = 2000, CLOSED = CHANNELS, OFTEN = 1000000 };
/* Arcs of more than 64 links matter to a judge that works on words of bits; sums and exchanges stay small. */
enum { FEW = 12, MANY = 160, BLOCKS = MANY, READERS = 6, LOAD = 4 };

struct line {
    uint64_t step, src, dst, fiber, wavelength, block, orbit, period;
    bool ccw, reduce;
    uint32_t loads, taps;           /* loads: entries of blocks, which then stand in place of block; 0: block alone */
    uint32_t blocks[LOAD], tap[READERS];
};

/** A schedule, not sorted and not in range if it has been damaged. */
struct setting {
    bool ring, reduction;
    rwa_collective_kind kind;
    uint64_t nodes, links, fibers, wavelengths, root, blocks, steps;    /* root: a place, as in the collective */
    uint64_t ports, slots;
    uint64_t places;                /* who takes part, counted from 0 in this order */
    uint32_t member[MANY];
    uint32_t reserved[CLOSED], failed[CLOSED], failed_from;
    size_t reserved_count, failed_count, count;
    struct line lines[RECORDS];
};

/** Links from .. to - 1 of one channel in one step. */
struct interval {
    uint64_t from, to;
};

struct state {
    const struct setting *s;
    unsigned kinds;             /* 1u << rwa_violation_kind of all that was found */
    uint64_t step, last, turn;  /* turn: counts the changes of step */
    struct interval taken[2][CHANNELS][MANY];
    size_t taken_count[2][CHANNELS];
    uint64_t sends[MANY], receptions[MANY];     /* in this step */
    uint64_t arrival[MANY][BLOCKS];             /* the turn; 0: there from the start */
    uint32_t counts[FEW][BLOCKS][FEW];          /* [holder][block][contributor] */
    uint32_t before[FEW][BLOCKS][FEW];          /* at the start of the step */
    uint32_t copies[FEW][BLOCKS], sums[FEW][BLOCKS];    /* arrivals in this step */
};

static void blame(struct state *t, rwa_violation_kind kind)
{
    t->kinds |= 1u << kind;
}

/** The place of a node among those that take part; s->places: it takes none. */
static uint64_t place_of(const struct setting *s, uint64_t node)
{
    uint64_t place = 0;
    while (place < s->places && s->member[place] != node)
        place++;
    return place;
}

/** By places, not by nodes. */
static rwa_collective collective_of(const struct setting *s)
{
    return (rwa_collective){
        .kind = s->kind, .nodes = (uint32_t)s->places, .root = (uint32_t)s->root, .blocks = s->blocks};
}

static void begin(struct state *t, const struct setting *s)
{
    rwa_collective coll = collective_of(s);
    t->s = s;
    t->kinds = 0;
    t->step = t->last = t->turn = 0;
    memset(t->counts, 0, sizeof t->counts);
    for (uint64_t place = 0; place < s->places; place++)
        for (uint64_t b = 0; b < s->blocks; b++) {
            uint64_t v = s->member[place];
            t->arrival[v][b] = starts_with(&coll, place, b) ? 0 : UINT64_MAX;
            if (s->reduction)
                t->counts[v][b][v] = 1;
        }
}

static void turn_to(struct state *t, uint64_t step)
{
    if (step == t->step)
        return;
    if (step != t->step + 1)
        blame(t, RWA_VIOLATION_ORDER);
    t->step = step;
    t->last = step > t->last ? step : t->last;
    t->turn++;
    memset(t->taken_count, 0, sizeof t->taken_count);
    memset(t->sends, 0, sizeof t->sends);
    memset(t->receptions, 0, sizeof t->receptions);
    if (t->s->reduction) {
        memset(t->copies, 0, sizeof t->copies);
        memset(t->sums, 0, sizeof t->sums);
        memcpy(t->before, t->counts, sizeof t->before);
    }
}

static void take_links(struct state *t, bool ccw, uint64_t channel, uint64_t from, uint64_t to)
{
    struct interval *taken = t->taken[ccw][channel];
    size_t *count = &t->taken_count[ccw][channel];
    for (uint64_t link = from; link < to; link++)
        for (size_t i = 0; i < t->s->failed_count; i++)
            if (t->s->failed[i] == (ccw ? t->s->links : 0) + link && t->step >= t->s->failed_from)
                blame(t, RWA_VIOLATION_CHANNEL);
    for (size_t i = 0; i < *count; i++)
        if (from < taken[i].to && taken[i].from < to) {
            blame(t, RWA_VIOLATION_CHANNEL);
            return;
        }
    taken[(*count)++] = (struct interval){from, to};
}

/** Arcs by their lower end: a counter-clockwise one covers the links from dst to src. */
static void take_route(struct state *t, const struct line *l)
{
    uint64_t from = l->ccw ? l->dst : l->src, to = l->ccw ? l->src : l->dst;
    uint64_t channel = l->fiber * t->s->wavelengths + l->wavelength;
    for (size_t i = 0; i < t->s->reserved_count; i++)
        if (t->s->reserved[i] == channel)
            blame(t, RWA_VIOLATION_CHANNEL);
    if (from < to) {
        take_links(t, l->ccw, channel, from, to);
    } else {
        take_links(t, l->ccw, channel, from, t->s->nodes);
        if (to > 0)
            take_links(t, l->ccw, channel, 0, to);
    }
}

static void deliver_copy(struct state *t, const struct line *l)
{
    if (t->arrival[l->src][l->block] >= t->turn)
        blame(t, RWA_VIOLATION_CAUSALITY);
    if (t->arrival[l->dst][l->block] > t->turn)
        t->arrival[l->dst][l->block] = t->turn;
}

static void deliver_sum(struct state *t, const struct line *l)
{
    uint32_t *to = t->counts[l->dst][l->block];
    const uint32_t *from = t->before[l->src][l->block];
    uint32_t copies = t->copies[l->dst][l->block] += !l->reduce, sums = t->sums[l->dst][l->block] += l->reduce;
    if (copies > 1 || (copies > 0 && sums > 0))
        blame(t, RWA_VIOLATION_COMPLETENESS);
    for (uint64_t v = 0; v < t->s->nodes; v++) {
        uint32_t sum = from[v] + (l->reduce ? to[v] : 0);
        to[v] = sum < OFTEN ? sum : OFTEN;
    }
}

/** Every block of a lightpath to every node that reads it: each a small delivery of its own. */
static void deliver(struct state *t, const struct line *l)
{
    for (uint32_t b = 0; b == 0 || b < l->loads; b++)
        for (uint32_t r = 0; r <= l->taps; r++) {
            struct line one = *l;
            one.block = l->loads ? l->blocks[b] : l->block;
            one.dst = r < l->taps ? l->tap[r] : l->dst;
            (t->s->reduction ? deliver_sum : deliver_copy)(t, &one);
        }
}

/** One port sends, and one at every reader receives, however much is on the light. */
static void use_ports(struct state *t, const struct line *l)
{
    uint64_t most = ++t->sends[l->src];
    for (uint32_t r = 0; r <= l->taps; r++) {
        uint64_t received = ++t->receptions[r < l->taps ? l->tap[r] : l->dst];
        most = received > most ? received : most;
    }
    if (t->s->ports > 0 && most > t->s->ports)
        blame(t, RWA_VIOLATION_PORTS);
}

/** The block that node `by` further on would send in its place. */
static uint64_t moved_block(const struct setting *s, uint64_t block, uint64_t by)
{
    if (s->kind == RWA_ALL_TO_ALL)
        return (block / s->nodes + by) % s->nodes * s->nodes + (block % s->nodes + by) % s->nodes;
    return (block + by * (s->blocks / s->nodes)) % s->blocks;
}

/** Lightpath i of an orbit. */
static struct line moved_copy(const struct setting *s, const struct line *l, uint64_t i)
{
    struct line one = *l;
    uint64_t first = l->fiber * s->wavelengths + l->wavelength,
             channel = first - first % l->period + (first + i) % l->period;
    one.src = (l->src + i) % s->nodes;
    one.dst = (l->dst + i) % s->nodes;
    one.fiber = channel / s->wavelengths;
    one.wavelength = channel % s->wavelengths;
    one.block = moved_block(s, l->block, i);
    for (uint32_t b = 0; b < l->loads; b++)
        one.blocks[b] = (uint32_t)moved_block(s, l->blocks[b], i);
    for (uint32_t k = 0; k < l->taps; k++)
        one.tap[k] = (uint32_t)((l->tap[k] + i) % s->nodes);
    one.orbit = 1;
    return one;
}

static bool takes_part(const struct setting *s, const struct line *l)
{
    bool all = place_of(s, l->src) < s->places && place_of(s, l->dst) < s->places;
    for (uint32_t i = 0; i < l->taps; i++)
        all = all && place_of(s, l->tap[i]) < s->places;
    return all;
}

static bool in_range(const struct setting *s, const struct line *l)
{
    bool fits = l->loads <= s->slots && (l->loads > 0 || l->block < s->blocks);
    for (uint32_t b = 0; b < l->loads; b++)
        fits = fits && l->blocks[b] < s->blocks;
    return fits && l->fiber < s->fibers && l->wavelength < s->wavelengths && (!l->reduce || s->reduction) &&
           takes_part(s, l);
}

static bool orbit_allowed(const struct setting *s, const struct line *l)
{
    if (l->orbit == 1)
        return true;
    return s->ring && s->places == s->nodes && s->blocks % s->nodes == 0 && l->orbit >= 1 && l->orbit <= s->nodes &&
           l->period >= 1 && (l->fiber * s->wavelengths + l->wavelength) / l->period <
                                 s->fibers * s->wavelengths / l->period;
}

/** The whole way is there, and the light comes by its readers one after the other before it ends. */
static bool has_route(const struct setting *s, const struct line *l)
{
    uint64_t at = l->src;
    uint32_t met = 0;
    if (l->src == l->dst || (!s->ring && (l->src < l->dst) == l->ccw))
        return false;
    do {
        at = (at + (l->ccw ? s->nodes - 1 : 1)) % s->nodes;
        met += at != l->dst && met < l->taps && l->tap[met] == at;
    } while (at != l->dst);
    return met == l->taps;
}

static void see(struct state *t, const struct line *l)
{
    const struct setting *s = t->s;
    if (l->step == 0) {
        blame(t, RWA_VIOLATION_RANGE);
        return;
    }
    turn_to(t, l->step);
    if (!in_range(s, l)) {
        blame(t, RWA_VIOLATION_RANGE);
    } else if (!orbit_allowed(s, l)) {
        blame(t, RWA_VIOLATION_ORBIT);
    } else if (!has_route(s, l)) {
        blame(t, RWA_VIOLATION_CONTINUITY);
    } else {
        for (uint64_t i = 0; i < l->orbit; i++) {
            struct line one = l->orbit > 1 ? moved_copy(s, l, i) : *l;
            take_route(t, &one);
            use_ports(t, &one);
            deliver(t, &one);
        }
    }
}

static bool is_there(const struct state *t, uint64_t node, uint64_t block)
{
    if (!t->s->reduction)
        return t->arrival[node][block] != UINT64_MAX;
    for (uint64_t place = 0; place < t->s->places; place++)
        if (t->counts[node][block][t->s->member[place]] != 1)
            return false;
    return true;
}

/** All kinds of violation, as bits. */
static inline unsigned kinds_of(const rwa_check_report *c)
{
    unsigned kinds = 0;
    for (unsigned k = 0; k < 16; k++)
        kinds |= c->by_kind[k] > 0 ? 1u << k : 0;
    return kinds;
}

/** Every kind that a schedule on a ring or line can break. */
static const rwa_violation_kind judged_kinds[] = {
    RWA_VIOLATION_CHANNEL, RWA_VIOLATION_CONTINUITY, RWA_VIOLATION_CAUSALITY, RWA_VIOLATION_COMPLETENESS,
    RWA_VIOLATION_PORTS, RWA_VIOLATION_RANGE, RWA_VIOLATION_ORDER, RWA_VIOLATION_ORBIT, RWA_VIOLATION_HEADER};

/** The kinds that both must agree on: judges may differ about the consequences of a block that was sent and not held.
 */
static inline unsigned comparable(unsigned kinds)
{
    return kinds & (1u << RWA_VIOLATION_CAUSALITY) ? kinds & ~(1u << RWA_VIOLATION_COMPLETENESS) : kinds;
}

/** All kinds of violation that this judge finds. */
static unsigned second_opinion(const struct setting *s)
{
    static struct state t;
    rwa_collective coll = collective_of(s);
    begin(&t, s);
    for (size_t i = 0; i < s->count; i++)
        see(&t, &s->lines[i]);
    if (t.last != s->steps)
        blame(&t, RWA_VIOLATION_HEADER);
    for (uint64_t place = 0; place < s->places; place++)
        for (uint64_t b = 0; b < s->blocks; b++)
            if (wants(&coll, place, b) && !is_there(&t, s->member[place], b))
                blame(&t, RWA_VIOLATION_COMPLETENESS);
    return t.kinds;
}
