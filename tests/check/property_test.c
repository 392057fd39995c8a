/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The judge against a second one that shares no thought with it: schedules on rings and lines, planned with all that a plan
 * may be asked for or repaired after a failure, whole or damaged at random, must get the same verdict from both, kind by
 * kind.  Where the judge keeps bits, turns and random weights, the other one (tests/support/plain_judge.h) walks link by
 * link over plain numbers: for every channel the intervals of links that are taken, for every (node, block) the turn in
 * which it arrived, and in reductions how often each single contribution is counted.
 * Usage: property_test [CASES]
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/blocks.h"
#include "tests/support/plain_judge.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t seed = 20;
static int cases = 2000;

static uint64_t any(uint64_t below)
{
    return base_random_below(&seed, below);
}

/* ---- the judge, from a file and from memory ---- */

#define NUMBER(x) (unsigned long long)(x)

/** `,"name":[1,2,3]` */
static void write_list(FILE *file, const char *name, const uint32_t *list, size_t count)
{
    fprintf(file, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%u", i ? "," : "", list[i]);
    fprintf(file, "]");
}

static void write_network(FILE *file, const struct setting *s)
{
    fprintf(file, "\"network\":{\"kind\":\"%s\",\"nodes\":%llu,\"fibers\":%llu,\"wavelengths\":%llu",
            s->ring ? "ring" : "line", NUMBER(s->nodes), NUMBER(s->fibers), NUMBER(s->wavelengths));
    if (s->ports)
        fprintf(file, ",\"ports\":%llu", NUMBER(s->ports));
    write_list(file, "reserved", s->reserved, s->reserved_count);
    fprintf(file, ",\"failed\":[");
    for (size_t i = 0; i < s->failed_count; i++)
        fprintf(file, "%s\"%s:%u\"", i ? "," : "", s->failed[i] < s->links ? "cw" : "ccw",
                s->failed[i] % (uint32_t)s->links);
    fprintf(file, "]");
    if (s->failed_from)
        fprintf(file, ",\"failed_from\":%u", s->failed_from);
    fprintf(file, "}");
}

static void write_line(FILE *file, const struct line *l)
{
    fprintf(file, "{\"step\":%llu,\"src\":%llu,\"dst\":%llu,\"dir\":\"%s\",\"fiber\":%llu,\"wavelength\":%llu", NUMBER(l->step),
            NUMBER(l->src), NUMBER(l->dst), l->ccw ? "ccw" : "cw", NUMBER(l->fiber), NUMBER(l->wavelength));
    if (l->loads)
        write_list(file, "blocks", l->blocks, l->loads);
    else
        fprintf(file, ",\"block\":%llu", NUMBER(l->block));
    if (l->taps)
        write_list(file, "taps", l->tap, l->taps);
    if (l->reduce)
        fprintf(file, ",\"op\":\"reduce\"");
    if (l->orbit != 1)
        fprintf(file, ",\"orbit\":%llu,\"period\":%llu", NUMBER(l->orbit), NUMBER(l->period));
    fprintf(file, "}\n");
}

static void write_setting(FILE *file, const struct setting *s)
{
    fprintf(file, "{\"format\":\"rwa-schedule\",\"version\":2,");
    write_network(file, s);
    fprintf(file, ",\"collective\":\"%s\",\"blocks\":%llu,\"block_bytes\":8,\"steps\":%llu,\"slots\":%llu,\"scheme\":\"any\"",
            rwa_collective_name(s->kind), NUMBER(s->blocks), NUMBER(s->steps), NUMBER(s->slots));
    if (rwa_collective_has_root(s->kind))
        fprintf(file, ",\"root\":%u", s->member[s->root]);
    if (s->places < s->nodes)
        write_list(file, "members", s->member, s->places);
    fprintf(file, "}\n");
    for (size_t i = 0; i < s->count; i++)
        write_line(file, &s->lines[i]);
}

static unsigned expect_kinds(const rwa_check_report *c)
{
    CU_ASSERT_EQUAL(c->ok, kinds_of(c) == 0);
    return kinds_of(c);
}

static unsigned verdict_of_file(const struct setting *s, const char *path)
{
    rwa_check_report c;
    rwa_error err = {0};
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    write_setting(file, s);
    fclose(file);
    rwa_status st = report_file(&c, path, NULL, &err);
    CU_ASSERT_EQUAL_FATAL(st, RWA_OK);
    return expect_kinds(&c);
}

static rwa_status add_line(rwa_schedule *sched, const struct line *l)
{
    rwa_lightpath lp = {.step = (uint32_t)l->step, .src = (uint32_t)l->src, .dst = (uint32_t)l->dst,
                        .fiber = (uint32_t)l->fiber, .wavelength = (uint32_t)l->wavelength, .orbit = (uint32_t)l->orbit,
                        .period = (uint32_t)l->period, .direction = l->ccw ? RWA_CCW : RWA_CW,
                        .op = l->reduce ? RWA_REDUCE : RWA_COPY, .block = l->block};
    rwa_lists lists = {.blocks = l->loads ? l->blocks : NULL, .block_count = l->loads, .taps = l->taps ? l->tap : NULL,
                       .tap_count = l->taps};
    return rwa_schedule_add_lists(sched, &lp, &lists, NULL);
}

/** The network as planners see it: with its faults, from the first step on. */
static rwa_network *network_of(const struct setting *s)
{
    rwa_network *plain = NULL, *net = NULL;
    rwa_network_options o;
    rwa_faults faults = {.channels = s->reserved, .channel_count = s->reserved_count, .links = s->failed,
                         .link_count = s->failed_count, .links_from = s->failed_from};
    rwa_network_options_init(&o);
    o.fibers = (uint32_t)s->fibers;
    o.wavelengths = (uint32_t)s->wavelengths;
    o.ports = (uint32_t)s->ports;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&plain, s->ring ? RWA_RING : RWA_LINE, (uint32_t)s->nodes, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, plain, &faults, NULL), RWA_OK);
    rwa_network_free(plain);
    return net;
}

/**
 * False when the schedule has what memory does not take.  Steps are counted there, and so are the blocks of the fullest
 * lightpath, so the header is never wrong.
 */
static bool verdict_of_memory(unsigned *kinds, const struct setting *s)
{
    rwa_network *net = network_of(s);
    rwa_schedule *sched = NULL;
    rwa_collective coll;
    rwa_check_report c;
    bool taken = true;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, (uint32_t)s->places, (uint32_t)s->root, 8, s->blocks, NULL),
                          RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create_among(&sched, net, &coll, s->member, NULL, NULL), RWA_OK);
    for (size_t i = 0; taken && i < s->count; i++)
        taken = s->lines[i].loads <= s->slots && add_line(sched, &s->lines[i]) == RWA_OK;
    if (taken) {
        CU_ASSERT_EQUAL_FATAL(report_schedule(&c, sched, NULL, NULL), RWA_OK);
        *kinds = expect_kinds(&c);
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
    return taken;
}

/* ---- schedules ---- */

/** So many different numbers below `below`, ascending. */
static void random_numbers(uint32_t *list, uint64_t count, uint64_t below)
{
    for (uint64_t number = 0; count > 0; number++)
        if (any(below - number) < count) {
            *list++ = (uint32_t)number;
            count--;
        }
}

static void random_faults(struct setting *s)
{
    uint64_t channels = s->fibers * s->wavelengths;
    if (channels > 1 && any(3) == 0) {
        s->reserved_count = 1 + any(channels - 1 < CLOSED ? channels - 1 : CLOSED);
        random_numbers(s->reserved, s->reserved_count, channels);
    }
    if (any(4) == 0) {
        s->failed_count = 1 + any(s->links < 2 ? s->links : 2);
        random_numbers(s->failed, s->failed_count, 2 * s->links);
    }
}

static void take_all(struct setting *s)
{
    s->places = s->nodes;
    for (uint32_t v = 0; v < s->nodes; v++)
        s->member[v] = v;
}

static void random_setting(struct setting *s)
{
    memset(s, 0, sizeof *s);
    s->ring = any(3) > 0;
    s->kind = (rwa_collective_kind)(RWA_ALL_GATHER + any(7));
    s->reduction = rwa_collective_is_reduction(s->kind);
    s->nodes = s->reduction || s->kind == RWA_ALL_TO_ALL || any(4) ? 2 + any(FEW - 1) : 2 + any(MANY - 1);
    s->links = s->ring ? s->nodes : s->nodes - 1;
    s->fibers = 1 + any(3);
    s->wavelengths = 1 + any(CHANNELS / 3);
    s->slots = 1;
    s->ports = any(4) ? 0 : 1 + any(5);
    take_all(s);
    if (s->nodes > 2 && any(4) == 0) {
        s->places = 2 + any(s->nodes - 2);
        random_numbers(s->member, s->places, s->nodes);
    }
    if (rwa_collective_has_root(s->kind))
        s->root = any(s->places);
}

/** False: what it holds is more than there is room for here. */
static bool copy_line(struct line *l, const rwa_schedule *sched, size_t i)
{
    rwa_lightpath lp;
    rwa_lists lists;
    rwa_schedule_get(&lp, sched, i);
    rwa_schedule_lists(&lists, sched, i);
    *l = (struct line){.step = lp.step, .src = lp.src, .dst = lp.dst, .fiber = lp.fiber, .wavelength = lp.wavelength,
                       .block = lp.block, .orbit = lp.orbit, .period = lp.period, .ccw = lp.direction == RWA_CCW,
                       .reduce = lp.op == RWA_REDUCE, .loads = lists.block_count, .taps = lists.tap_count};
    if (l->loads > LOAD || l->taps > READERS)
        return false;
    for (uint32_t b = 0; b < l->loads; b++)
        l->blocks[b] = nth_block(&lists, b);
    for (uint32_t t = 0; t < l->taps; t++)
        l->tap[t] = lists.taps[t];
    return true;
}

/** False: too much to damage and to judge here. */
static bool copy_lines(struct setting *s, const rwa_schedule *sched)
{
    bool fits = true;
    s->blocks = rwa_schedule_collective(sched)->blocks;
    s->steps = rwa_schedule_steps(sched);
    s->slots = rwa_schedule_lightpath_blocks(sched);
    s->count = (size_t)rwa_schedule_records(sched);
    if (s->count > RECORDS / 2 || s->blocks > BLOCKS)
        return false;
    for (size_t i = 0; fits && i < s->count; i++)
        fits = copy_line(&s->lines[i], sched, i);
    return fits;
}

/** One that knows such networks and collectives; NULL: all of them. */
static const char *random_scheme(const rwa_network *net, rwa_collective_kind kind)
{
    size_t i = 0, count = 0;
    while (rwa_scheme_name(count))
        count++;
    do
        i = any(count);
    while (!rwa_scheme_fits(i, net, kind));
    return any(8) ? rwa_scheme_name(i) : NULL;
}

/** The options of a plan; a solver and a group seldom, since only some schemes read them.  Searches get a moment only: any
 *  answer will do. */
static void random_options(rwa_plan_options *o, const struct setting *s, const rwa_network *net)
{
    rwa_plan_options_init(o);
    o->scheme = random_scheme(net, s->kind);
    o->solver = any(4) ? NULL : "first-fit";
    o->members = s->places < s->nodes ? s->member : NULL;
    o->max_hops = any(6) ? 0 : 1 + (uint32_t)any(s->nodes);
    o->stripes = any(2) ? 0 : 1 + (uint32_t)any(3);
    o->group = any(4) ? 0 : 2 + (uint32_t)any(4);
}

/** All of a whole ring of this size. */
static void start_over(struct setting *s, uint64_t nodes, uint64_t wavelengths)
{
    s->ring = true;
    s->nodes = s->links = nodes;
    s->wavelengths = wavelengths;
    s->failed_count = s->reserved_count = s->ports = 0;
    take_all(s);
}

/** Several readers of a lightpath: where blocks are kept and not added up, and most often where that saves a step. */
static void ask_for_taps(rwa_plan_options *o, struct setting *s)
{
    s->kind = any(3) ? RWA_ALL_GATHER : RWA_BROADCAST;
    s->reduction = false;
    if (any(3))
        start_over(s, 6 + any(20), 1 + any(2));
    s->root = s->kind == RWA_BROADCAST ? any(s->places) : 0;
    o->members = s->places < s->nodes ? s->member : NULL;
    o->scheme = any(3) ? "wavefront" : NULL;
    o->solver = NULL;
    o->stripes = o->group = 0;
    o->max_drops = 2 + (uint32_t)any(READERS - 1);
}

/** Several blocks on a lightpath: a ring on which all take part, and as many blocks and channels as it takes to save a step. */
static void ask_for_merging(rwa_plan_options *o, struct setting *s)
{
    s->kind = RWA_ALL_GATHER;
    s->reduction = false;
    s->root = 0;
    start_over(s, 20 + any(20), 4);
    o->members = NULL;
    o->scheme = any(3) ? "wavefront" : NULL;
    o->solver = NULL;
    o->stripes = o->group = 0;
    o->lightpath_blocks = 2 + (uint32_t)any(LOAD - 1);
}

/** Some links fail in the middle of the plan, and the rest is planned again.  False: it was not. */
static bool repaired(struct setting *s, const rwa_schedule *sched)
{
    rwa_plan *plan = NULL;
    rwa_plan_options p;
    rwa_plan_options_init(&p);
    s->failed_count = 1 + any(s->links < 2 ? s->links : 2);
    random_numbers(s->failed, s->failed_count, 2 * s->links);
    s->failed_from = 1 + (uint32_t)any(rwa_schedule_steps(sched) + 1);
    rwa_status st = rwa_plan_repair(&plan, sched, s->failed, s->failed_count, s->failed_from, &p, NULL);
    CU_ASSERT_TRUE(st == RWA_OK || st == RWA_BADARG);
    bool made = st == RWA_OK && rwa_plan_schedule(plan) && copy_lines(s, rwa_plan_schedule(plan));
    rwa_plan_free(plan);
    return made;
}

/** False: this scheme does not serve this setting. */
static bool planned(struct setting *s)
{
    rwa_plan *plan = NULL;
    rwa_collective coll;
    rwa_plan_options p;
    random_setting(s);
    random_faults(s);
    rwa_network *net = network_of(s);
    random_options(&p, s, net);
    switch (any(6)) {
    case 0: ask_for_taps(&p, s); break;
    case 1: ask_for_merging(&p, s); break;
    default: break;
    }
    rwa_network_free(net);
    net = network_of(s);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, (uint32_t)s->places, (uint32_t)s->root, 8, 0, NULL), RWA_OK);
    rwa_status st = rwa_plan_make(&plan, net, &coll, &p, NULL);
    CU_ASSERT_TRUE(st == RWA_OK || st == RWA_BADARG);
    const rwa_schedule *sched = st == RWA_OK ? rwa_plan_schedule(plan) : NULL;
    bool again = sched && !s->reduction && s->places == s->nodes && s->failed_count == 0 && any(4) == 0;
    bool made = sched && (again ? repaired(s, sched) : copy_lines(s, sched));
    rwa_plan_free(plan);
    rwa_network_free(net);
    return made;
}

static void random_blocks(const struct setting *s, struct line *l)
{
    l->loads = (uint32_t)any(LOAD < s->blocks ? LOAD + 1 : s->blocks + 1);
    random_numbers(l->blocks, l->loads, s->blocks);
}

/** Readers in travel order, as far as there are so many on the way. */
static void random_taps(const struct setting *s, struct line *l)
{
    uint64_t between = (l->ccw ? l->src + s->nodes - l->dst : l->dst + s->nodes - l->src) % s->nodes;
    between = between > 0 ? between - 1 : 0;
    l->taps = (uint32_t)any(between < READERS ? between + 1 : READERS + 1);
    random_numbers(l->tap, l->taps, between);
    for (uint32_t i = 0; i < l->taps; i++)
        l->tap[i] = (uint32_t)((l->src + (l->ccw ? s->nodes - 1 - l->tap[i] : 1 + l->tap[i])) % s->nodes);
}

static struct line random_line(const struct setting *s, uint64_t step)
{
    struct line l = {.step = step, .src = any(s->nodes), .dst = any(s->nodes), .fiber = any(s->fibers),
                     .wavelength = any(s->wavelengths), .block = any(s->blocks), .orbit = 1, .ccw = any(2),
                     .reduce = s->reduction && any(2)};
    if (any(3) == 0)
        random_taps(s, &l);
    return l;
}

/** A few lightpaths among three nodes at most: often right by chance. */
static void scribbled(struct setting *s)
{
    random_setting(s);
    s->nodes = 2 + any(2);
    s->links = s->ring ? s->nodes : s->nodes - 1;
    take_all(s);
    s->root %= s->nodes;
    s->blocks = s->kind == RWA_ALL_TO_ALL ? s->nodes * s->nodes : 1 + any(2);
    s->slots = 1 + any(2);
    s->count = any(7);
    s->steps = s->count ? 1 : 0;
    for (size_t i = 0; i < s->count; i++) {
        s->steps += i > 0 && any(2);
        s->lines[i] = random_line(s, s->steps);
    }
}

static void insert(struct setting *s, size_t at, struct line l)
{
    memmove(&s->lines[at + 1], &s->lines[at], (s->count - at) * sizeof l);
    s->lines[at] = l;
    s->count++;
}

static void drop(struct setting *s, size_t at)
{
    s->count--;
    memmove(&s->lines[at], &s->lines[at + 1], (s->count - at) * sizeof *s->lines);
}

/** To the end of another step, so that the order stays right. */
static void move_to_step(struct setting *s, size_t at, uint64_t step)
{
    struct line l = s->lines[at];
    size_t end = 0;
    drop(s, at);
    while (end < s->count && s->lines[end].step <= step)
        end++;
    l.step = step;
    insert(s, end, l);
}

/** An orbit written out, in part or in full: no damage. */
static void write_out(struct setting *s, size_t at)
{
    struct line l = s->lines[at];
    drop(s, at);
    for (uint64_t i = 0; i < l.orbit; i++)
        insert(s, at, l.orbit > 1 ? moved_copy(s, &l, i) : l);
}

/** The first value out of range, in one of the fields. */
static void step_out(struct setting *s, struct line *l)
{
    switch (any(6)) {
    case 0: l->src = s->nodes; break;
    case 1: l->dst = s->nodes; break;
    case 2: l->fiber = s->fibers; break;
    case 3: l->wavelength = s->wavelengths; break;
    case 4: l->block = s->blocks; break;
    default: l->step = 0; break;
    }
}

static void close_something(struct setting *s)
{
    if (any(2) && s->reserved_count < CLOSED)
        s->reserved[s->reserved_count++] = (uint32_t)any(s->fibers * s->wavelengths);
    else if (s->failed_count < CLOSED)
        s->failed[s->failed_count++] = (uint32_t)any(2 * s->links);
    if (s->failed_count && any(2))
        s->failed_from = (uint32_t)any(s->steps + 2);
}

static void swap_with_next(struct setting *s, size_t at)
{
    if (at + 1 == s->count)
        return;
    struct line l = s->lines[at];
    s->lines[at] = s->lines[at + 1];
    s->lines[at + 1] = l;
}

/** A reader too many, gone, elsewhere, or two in the wrong order. */
static void damage_taps(struct setting *s, struct line *l)
{
    uint64_t i = l->taps ? any(l->taps) : 0;
    if (l->taps == 0 || any(3) == 0) {
        random_taps(s, l);
    } else if (any(2)) {
        l->tap[i] = (uint32_t)any(s->nodes + any(2));
    } else if (any(2)) {
        uint32_t last = l->tap[l->taps - 1];
        l->tap[l->taps - 1] = l->tap[i];
        l->tap[i] = last;
    } else {
        l->taps--;
    }
}

/** Others, one of them another, or fewer slots than there are blocks on it. */
static void damage_blocks(struct setting *s, struct line *l)
{
    if (l->loads == 0 || any(3) == 0)
        random_blocks(s, l);
    else if (any(3))
        l->blocks[any(l->loads)] = (uint32_t)any(s->blocks + any(2));
    s->slots = any(4) ? s->slots : 1 + any(LOAD);
}

/** A node outside the members may be asked to take part, and one port less may be too few. */
static void damage_network(struct setting *s)
{
    uint64_t other = any(s->nodes);
    if (any(2))
        s->ports = any(4);
    else if (s->places < s->nodes && place_of(s, other) == s->places)
        s->lines[any(s->count)].dst = other;
    else
        close_something(s);
}

static void damage(struct setting *s)
{
    size_t at = any(s->count);
    struct line *l = &s->lines[at];
    switch (any(22)) {
    case 0: l->wavelength = any(s->wavelengths); break;
    case 1: l->fiber = any(s->fibers); break;
    case 2: l->ccw = !l->ccw; break;
    case 3: l->block = any(s->blocks); break;
    case 4: l->src = any(s->nodes); break;
    case 5: l->dst = any(s->nodes); break;
    case 6: drop(s, at); break;
    case 7: insert(s, at, *l); break;
    case 8: move_to_step(s, at, 1 + any(s->steps)); break;
    case 9: l->step = any(s->steps + 2); break;
    case 10: l->reduce = !l->reduce; break;
    case 11: step_out(s, l); break;
    case 12: l->orbit = 2 + any(s->nodes), l->period = 1 + any(s->fibers * s->wavelengths + 1); break;
    case 13: s->steps += any(2); break;
    case 14: close_something(s); break;
    case 15: swap_with_next(s, at); break;
    case 16: insert(s, at, random_line(s, l->step)); break;
    case 17: damage_taps(s, l); break;
    case 18: damage_blocks(s, l); break;
    case 19: damage_network(s); break;
    default: write_out(s, at); break;
    }
}

/* ---- the comparison ---- */

struct tally {
    unsigned right, wrong, in_memory;
    unsigned kinds;
    unsigned plans, tapped, merged, striped, ported, parted, reserved, failed, repaired;
};

/** The features of the damaged schedules. */
static void count_plan(struct tally *t, const struct setting *s)
{
    bool taps = false;
    for (size_t i = 0; i < s->count; i++)
        taps = taps || s->lines[i].taps > 0;
    t->plans++;
    t->tapped += taps;
    t->merged += s->slots > 1;
    t->striped += s->kind == RWA_ALL_GATHER && s->blocks > s->places;
    t->ported += s->ports > 0;
    t->parted += s->places < s->nodes;
    t->reserved += s->reserved_count > 0;
    t->failed += s->failed_count > 0 && s->failed_from == 0;
    t->repaired += s->failed_from > 0;
}

/** Nothing is shown by plans that are all alike: some of everything. */
static void expect_all_sorts(const struct tally *t)
{
    const unsigned sorts[] = {t->tapped, t->merged, t->striped, t->ported, t->parted, t->reserved, t->failed, t->repaired};
    printf(" %u plans (%u tapped, %u merged, %u striped, %u with ports, %u in part, %u reserved, %u failed, %u repaired),", t->plans,
           t->tapped, t->merged, t->striped, t->ported, t->parted, t->reserved, t->failed, t->repaired);
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        CU_ASSERT(sorts[i] > 0);
}

static void compare(const struct setting *s, const char *path, struct tally *tally)
{
    unsigned expected = second_opinion(s), got = verdict_of_file(s, path), again = 0;
    bool differs = comparable(got) != comparable(expected);
    if (verdict_of_memory(&again, s)) {
        differs = differs || again != (got & ~(1u << RWA_VIOLATION_HEADER));
        tally->in_memory++;
    }
    CU_ASSERT_FALSE(differs);
    if (differs) {
        fprintf(stderr, "kinds of violation: expected %#x, from the file %#x, from memory %#x, in\n", expected, got, again);
        write_setting(stderr, s);
    }
    *(expected ? &tally->wrong : &tally->right) += 1;
    tally->kinds |= expected;
}

static void both_judges_agree(void)
{
    static struct setting whole, s;
    struct tally tally = {0};
    char path[] = "/tmp/rwa-property-XXXXXX";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    for (int i = 0; i < cases; i++) {
        if (i % 10 == 0) {
            while (!planned(&whole))
                ;
            count_plan(&tally, &whole);
        }
        s = whole;
        if (i % 10 == 9)
            scribbled(&s);
        else
            for (int d = i % 10 - i / 10 % 4; d > 0 && s.count > 0; d -= 2)
                damage(&s);
        compare(&s, path, &tally);
    }
    unlink(path);
    /* Nothing is shown by cases that are all alike: many of either verdict, and every kind a ring or line can break. */
    CU_ASSERT(tally.right > (unsigned)cases / 5);
    CU_ASSERT(tally.wrong > (unsigned)cases / 5);
    CU_ASSERT(tally.in_memory > (unsigned)cases / 5);
    for (size_t i = 0; i < sizeof judged_kinds / sizeof *judged_kinds; i++)
        CU_ASSERT_NOT_EQUAL(tally.kinds & (1u << judged_kinds[i]), 0);
    expect_all_sorts(&tally);
    printf(" %u right, %u wrong ", tally.right, tally.wrong);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(both_judges_agree), {0}};
    cases = argc > 1 ? atoi(argv[1]) : cases;
    return run_tests("two judges", tests);
}
