/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The judge against a second one that shares no thought with it: planned schedules on rings and lines, whole or damaged
 * at random, must get the same verdict from both, kind by kind.  Where the judge keeps bits, turns and random weights,
 * this one walks link by link over plain numbers: for every channel the intervals of links that are taken, for every
 * (node, block) the turn in which it arrived, and in reductions how often each single contribution is counted.
 * Usage: property_test [CASES]
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHANNELS = 12, RECORDS = 2000, CLOSED = 4, OFTEN = 1000000 };
/* Arcs of more than 64 links matter to a judge that works on words of bits; sums and exchanges stay small. */
enum { FEW = 12, MANY = 160, BLOCKS = MANY };

struct line {
    uint64_t step, src, dst, fiber, wavelength, block, orbit, period;
    bool ccw, reduce;
};

/** A schedule, not sorted and not in range if it has been damaged. */
struct setting {
    bool ring, reduction;
    rwa_collective_kind kind;
    uint64_t nodes, links, fibers, wavelengths, root, blocks, steps;
    uint32_t reserved[CLOSED], failed[CLOSED], failed_from;
    size_t reserved_count, failed_count, count;
    struct line lines[RECORDS];
};

static uint64_t seed = 20;
static int cases = 2000;

static uint64_t any(uint64_t below)
{
    return base_random_below(&seed, below);
}

/* ---- the second judge ---- */

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
    uint64_t arrival[MANY][BLOCKS];             /* the turn; 0: there from the start */
    uint32_t counts[FEW][BLOCKS][FEW];          /* [holder][block][contributor] */
    uint32_t before[FEW][BLOCKS][FEW];          /* at the start of the step */
    uint32_t copies[FEW][BLOCKS], sums[FEW][BLOCKS];    /* arrivals in this step */
};

static void blame(struct state *t, rwa_violation_kind kind)
{
    t->kinds |= 1u << kind;
}

static uint64_t starts_at(const struct setting *s, uint64_t block)
{
    if (s->kind == RWA_BROADCAST || s->kind == RWA_SCATTER)
        return s->root;
    return s->kind == RWA_ALL_TO_ALL ? block / s->nodes : block * s->nodes / s->blocks;
}

static bool is_wanted(const struct setting *s, uint64_t node, uint64_t block)
{
    switch (s->kind) {
    case RWA_GATHER:
        return node == s->root;
    case RWA_SCATTER:
    case RWA_REDUCE_SCATTER:
        return node == block * s->nodes / s->blocks;
    case RWA_ALL_TO_ALL:
        return node == block % s->nodes;
    default:
        return true;
    }
}

static void begin(struct state *t, const struct setting *s)
{
    t->s = s;
    t->kinds = 0;
    t->step = t->last = t->turn = 0;
    memset(t->counts, 0, sizeof t->counts);
    for (uint64_t v = 0; v < s->nodes; v++)
        for (uint64_t b = 0; b < s->blocks; b++) {
            t->arrival[v][b] = starts_at(s, b) == v ? 0 : UINT64_MAX;
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

/** Lightpath i of an orbit. */
static struct line turned(const struct setting *s, const struct line *l, uint64_t i)
{
    struct line one = *l;
    uint64_t channel = (l->fiber * s->wavelengths + l->wavelength + i) % l->period;
    one.src = (l->src + i) % s->nodes;
    one.dst = (l->dst + i) % s->nodes;
    one.fiber = channel / s->wavelengths;
    one.wavelength = channel % s->wavelengths;
    if (s->kind == RWA_ALL_TO_ALL)
        one.block = (l->block / s->nodes + i) % s->nodes * s->nodes + (l->block % s->nodes + i) % s->nodes;
    else
        one.block = (l->block + i * (s->blocks / s->nodes)) % s->blocks;
    one.orbit = 1;
    return one;
}

static bool in_range(const struct setting *s, const struct line *l)
{
    return l->src < s->nodes && l->dst < s->nodes && l->fiber < s->fibers && l->wavelength < s->wavelengths &&
           l->block < s->blocks && (!l->reduce || s->reduction);
}

static bool orbit_allowed(const struct setting *s, const struct line *l)
{
    bool rooted = s->kind == RWA_BROADCAST || s->kind == RWA_SCATTER || s->kind == RWA_GATHER;
    if (l->orbit == 1)
        return true;
    return s->ring && !rooted && s->blocks % s->nodes == 0 && l->orbit >= 1 && l->orbit <= s->nodes &&
           l->fiber * s->wavelengths + l->wavelength < l->period && l->period <= s->fibers * s->wavelengths;
}

static bool has_route(const struct setting *s, const struct line *l)
{
    return l->src != l->dst && (s->ring || (l->src < l->dst) == !l->ccw);
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
            struct line one = l->orbit > 1 ? turned(s, l, i) : *l;
            take_route(t, &one);
            (s->reduction ? deliver_sum : deliver_copy)(t, &one);
        }
    }
}

static bool is_there(const struct state *t, uint64_t node, uint64_t block)
{
    if (!t->s->reduction)
        return t->arrival[node][block] != UINT64_MAX;
    for (uint64_t v = 0; v < t->s->nodes; v++)
        if (t->counts[node][block][v] != 1)
            return false;
    return true;
}

/** All kinds of violation, as bits. */
static unsigned second_opinion(const struct setting *s)
{
    static struct state t;
    begin(&t, s);
    for (size_t i = 0; i < s->count; i++)
        see(&t, &s->lines[i]);
    if (t.last != s->steps)
        blame(&t, RWA_VIOLATION_HEADER);
    for (uint64_t v = 0; v < s->nodes; v++)
        for (uint64_t b = 0; b < s->blocks; b++)
            if (is_wanted(s, v, b) && !is_there(&t, v, b))
                blame(&t, RWA_VIOLATION_COMPLETENESS);
    return t.kinds;
}

/* ---- the judge, from a file and from memory ---- */

static void write_faults(FILE *file, const struct setting *s)
{
    fprintf(file, ",\"reserved\":[");
    for (size_t i = 0; i < s->reserved_count; i++)
        fprintf(file, "%s%u", i ? "," : "", s->reserved[i]);
    fprintf(file, "],\"failed\":[");
    for (size_t i = 0; i < s->failed_count; i++)
        fprintf(file, "%s\"%s:%u\"", i ? "," : "", s->failed[i] < s->links ? "cw" : "ccw",
                s->failed[i] % (uint32_t)s->links);
    fprintf(file, "]");
    if (s->failed_from)
        fprintf(file, ",\"failed_from\":%u", s->failed_from);
}

#define NUMBER(x) (unsigned long long)(x)

static void write_setting(FILE *file, const struct setting *s)
{
    fprintf(file, "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"%s\",\"nodes\":%llu,\"fibers\":%llu,"
            "\"wavelengths\":%llu", s->ring ? "ring" : "line", NUMBER(s->nodes), NUMBER(s->fibers), NUMBER(s->wavelengths));
    write_faults(file, s);
    fprintf(file, "},\"collective\":\"%s\",\"blocks\":%llu,\"block_bytes\":8,\"steps\":%llu,\"scheme\":\"any\"",
            rwa_collective_name(s->kind), NUMBER(s->blocks), NUMBER(s->steps));
    if (s->kind == RWA_BROADCAST || s->kind == RWA_SCATTER || s->kind == RWA_GATHER)
        fprintf(file, ",\"root\":%llu", NUMBER(s->root));
    fprintf(file, "}\n");
    for (size_t i = 0; i < s->count; i++) {
        const struct line *l = &s->lines[i];
        fprintf(file, "{\"step\":%llu,\"src\":%llu,\"dst\":%llu,\"dir\":\"%s\",\"fiber\":%llu,\"wavelength\":%llu,"
                "\"block\":%llu", NUMBER(l->step), NUMBER(l->src), NUMBER(l->dst), l->ccw ? "ccw" : "cw",
                NUMBER(l->fiber), NUMBER(l->wavelength), NUMBER(l->block));
        if (l->reduce)
            fprintf(file, ",\"op\":\"reduce\"");
        if (l->orbit != 1)
            fprintf(file, ",\"orbit\":%llu,\"period\":%llu", NUMBER(l->orbit), NUMBER(l->period));
        fprintf(file, "}\n");
    }
}

static unsigned kinds_of(const rwa_check *c)
{
    unsigned kinds = 0;
    for (unsigned k = 0; k < 16; k++)
        kinds |= c->by_kind[k] > 0 ? 1u << k : 0;
    CU_ASSERT_EQUAL(c->ok, kinds == 0);
    return kinds;
}

static unsigned verdict_of_file(const struct setting *s, const char *path)
{
    rwa_check c;
    rwa_error err = {0};
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    write_setting(file, s);
    fclose(file);
    rwa_status st = rwa_check_file(&c, path, NULL, &err);
    CU_ASSERT_EQUAL_FATAL(st, RWA_OK);
    return kinds_of(&c);
}

static rwa_status add_line(rwa_schedule *sched, const struct line *l)
{
    rwa_lightpath lp = {.step = (uint32_t)l->step, .src = (uint32_t)l->src, .dst = (uint32_t)l->dst,
                        .fiber = (uint32_t)l->fiber, .wavelength = (uint32_t)l->wavelength, .orbit = (uint32_t)l->orbit,
                        .period = (uint32_t)l->period, .direction = l->ccw ? RWA_CCW : RWA_CW,
                        .op = l->reduce ? RWA_REDUCE : RWA_COPY, .block = l->block};
    return rwa_schedule_add(sched, &lp, NULL);
}

/** False when the schedule has what memory does not take.  Steps are counted there, so the header is never wrong. */
static bool verdict_of_memory(unsigned *kinds, const struct setting *s)
{
    rwa_network *plain = NULL, *net = NULL;
    rwa_schedule *sched = NULL;
    rwa_collective coll;
    rwa_network_options o;
    rwa_check c;
    bool taken = true;
    rwa_faults faults = {.channels = s->reserved, .channel_count = s->reserved_count, .links = s->failed,
                         .link_count = s->failed_count, .links_from = s->failed_from};
    rwa_network_options_init(&o);
    o.fibers = (uint32_t)s->fibers;
    o.wavelengths = (uint32_t)s->wavelengths;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&plain, s->ring ? RWA_RING : RWA_LINE, (uint32_t)s->nodes, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, plain, &faults, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, (uint32_t)s->nodes, (uint32_t)s->root, 8, s->blocks, NULL),
                          RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, NULL, NULL), RWA_OK);
    for (size_t i = 0; taken && i < s->count; i++)
        taken = add_line(sched, &s->lines[i]) == RWA_OK;
    if (taken) {
        CU_ASSERT_EQUAL_FATAL(rwa_check_schedule(&c, sched, NULL, NULL), RWA_OK);
        *kinds = kinds_of(&c);
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
    rwa_network_free(plain);
    return taken;
}

/* ---- schedules ---- */

static const char *const schemes[] = {"wavefront", "optree", "one-stage", "ring-both", "ring", "neighbor-exchange", "wrht",
                                      "h-ring", "recursive-doubling", "binary-tree", "tree", "direct"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static void random_setting(struct setting *s)
{
    memset(s, 0, sizeof *s);
    s->ring = any(3) > 0;
    s->kind = (rwa_collective_kind)(RWA_ALL_GATHER + any(7));
    s->reduction = s->kind == RWA_ALL_REDUCE || s->kind == RWA_REDUCE_SCATTER;
    s->nodes = s->reduction || s->kind == RWA_ALL_TO_ALL || any(4) ? 2 + any(FEW - 1) : 2 + any(MANY - 1);
    s->links = s->ring ? s->nodes : s->nodes - 1;
    s->fibers = 1 + any(3);
    s->wavelengths = 1 + any(CHANNELS / 3);
    if (s->kind == RWA_BROADCAST || s->kind == RWA_SCATTER || s->kind == RWA_GATHER)
        s->root = any(s->nodes);
}

static void copy_lines(struct setting *s, const rwa_schedule *sched)
{
    s->blocks = rwa_schedule_collective(sched)->blocks;
    s->steps = rwa_schedule_steps(sched);
    s->count = (size_t)rwa_schedule_records(sched);
    for (size_t i = 0; i < s->count && i < RECORDS; i++) {
        rwa_lightpath lp;
        rwa_schedule_get(sched, i, &lp);
        s->lines[i] = (struct line){.step = lp.step, .src = lp.src, .dst = lp.dst, .fiber = lp.fiber, .block = lp.block,
                                    .wavelength = lp.wavelength, .orbit = lp.orbit, .period = lp.period,
                                    .ccw = lp.direction == RWA_CCW, .reduce = lp.op == RWA_REDUCE};
    }
}

/** False: this scheme does not serve this setting. */
static bool planned(struct setting *s)
{
    rwa_network *net = NULL;
    rwa_plan *plan = NULL;
    rwa_collective coll;
    rwa_network_options o;
    rwa_plan_options p;
    random_setting(s);
    rwa_network_options_init(&o);
    o.fibers = (uint32_t)s->fibers;
    o.wavelengths = (uint32_t)s->wavelengths;
    rwa_plan_options_init(&p);
    p.scheme = schemes[any(SCHEMES)];
    p.solver = "first-fit";
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, s->ring ? RWA_RING : RWA_LINE, (uint32_t)s->nodes, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, (uint32_t)s->nodes, (uint32_t)s->root, 8, 0, NULL), RWA_OK);
    bool made = rwa_plan_make(&plan, net, &coll, &p, NULL) == RWA_OK && rwa_plan_schedule(plan);
    if (made)
        copy_lines(s, rwa_plan_schedule(plan));
    rwa_plan_free(plan);
    rwa_network_free(net);
    return made && s->count <= RECORDS / 2 && s->blocks <= BLOCKS;
}

static struct line random_line(const struct setting *s, uint64_t step)
{
    return (struct line){.step = step, .src = any(s->nodes), .dst = any(s->nodes), .fiber = any(s->fibers),
                         .wavelength = any(s->wavelengths), .block = any(s->blocks), .orbit = 1, .ccw = any(2),
                         .reduce = s->reduction && any(2)};
}

/** A few lightpaths among three nodes at most: often right by chance. */
static void scribbled(struct setting *s)
{
    random_setting(s);
    s->nodes = 2 + any(2);
    s->links = s->ring ? s->nodes : s->nodes - 1;
    s->root %= s->nodes;
    s->blocks = s->kind == RWA_ALL_TO_ALL ? s->nodes * s->nodes : 1 + any(2);
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
        insert(s, at, l.orbit > 1 ? turned(s, &l, i) : l);
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

static void damage(struct setting *s)
{
    size_t at = any(s->count);
    struct line *l = &s->lines[at];
    switch (any(18)) {
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
    default: write_out(s, at); break;
    }
}

/* ---- the comparison ---- */

/** The kinds that both must agree on: what follows from a block that was sent and not held is a matter of taste. */
static unsigned comparable(unsigned kinds)
{
    return kinds & (1u << RWA_VIOLATION_CAUSALITY) ? kinds & ~(1u << RWA_VIOLATION_COMPLETENESS) : kinds;
}

struct tally {
    unsigned right, wrong, in_memory;
    unsigned kinds;
};

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
        if (i % 10 == 0)
            while (!planned(&whole))
                ;
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
    static const rwa_violation_kind kinds[] = {
        RWA_VIOLATION_CHANNEL, RWA_VIOLATION_CONTINUITY, RWA_VIOLATION_CAUSALITY, RWA_VIOLATION_COMPLETENESS,
        RWA_VIOLATION_RANGE, RWA_VIOLATION_ORDER, RWA_VIOLATION_ORBIT, RWA_VIOLATION_HEADER};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        CU_ASSERT_NOT_EQUAL(tally.kinds & (1u << kinds[i]), 0);
    printf(" %u right, %u wrong ", tally.right, tally.wrong);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(both_judges_agree), {0}};
    cases = argc > 1 ? atoi(argv[1]) : cases;
    return run_tests("two judges", tests);
}
