/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Counter-clockwise ("down") the ring is whole, clockwise ("up") it is cut into lines.  The node above a failed link takes all
 * it lacks from its one link, so that nothing should pass it by: a block's head runs down from its owner and stops at each of
 * these nodes, its tail runs up from the owner as far as links work.  A gap without a failed link inside is filled from both
 * ends as on a line, by what the cheapest way to fill it in the steps left begins with; room that remains goes to the widest
 * gaps.  Since every lightpath down stops above a failed link, those of a step and direction are intervals of a line, and
 * channels suffice wherever no link carries more of them than there are.
 */
#include "delivery/broken_run.h"

#include <stdlib.h>
#include <string.h>

enum { DOWN, UP };

/** fall and climb, by walking round twice. */
static void measure(struct broken_run *r)
{
    uint32_t n = r->limits.nodes;
    const bool *failed = r->limits.failed;
    for (uint32_t i = 0; i < 2 * n; i++) {
        uint32_t up = i % n, before = (up + n - 1) % n, down = (2 * n - 1 - i) % n;
        r->fall[up] = failed[before] ? 0 : r->fall[before] + 1;
        r->climb[down] = failed[down] ? 0 : r->climb[(down + 1) % n] + 1;
    }
}

rwa_status broken_run_create(struct broken_run *r, const struct broken_limits *limits, const struct gap_table *table,
                             rwa_error *err)
{
    size_t n = limits->nodes;
    *r = (struct broken_run){.limits = *limits, .table = table, .words = n / 64 + 1};
    r->old = base_array(n * r->words, sizeof *r->old, err);
    r->now = base_array(n * r->words, sizeof *r->now, err);
    uint32_t **each[] = {&r->head, &r->tail, &r->fall, &r->climb, &r->room[DOWN], &r->room[UP], &r->order, &r->list,
                         &r->next, &r->split.up, &r->split.down};
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        *each[i] = base_array(n + 1, sizeof **each[i], err);
        if (!*each[i])
            return RWA_NOMEM;
    }
    rwa_status st = r->old && r->now ? RWA_OK : RWA_NOMEM;
    TRY(st);
    measure(r);
    TRY(holes_open(&r->holes, limits->nodes, err));
    TRY(line_schedule_open(&r->made, limits->nodes, err));
done:
    return st;
}

void broken_run_free(struct broken_run *r)
{
    void *const each[] = {r->old, r->now, r->head, r->tail, r->fall, r->climb, r->room[DOWN], r->room[UP], r->order, r->list,
                          r->next, r->split.up, r->split.down};
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
        free(each[i]);
    holes_free(&r->holes);
    line_schedule_free(&r->made);
    memset(r, 0, sizeof *r);
}

static uint32_t node_at(const struct broken_run *r, uint32_t block, uint32_t place)
{
    uint32_t n = r->limits.nodes;
    return block >= place ? block - place : block + n - place;
}

static bool holds(const struct broken_run *r, const uint64_t *who, uint32_t block, uint32_t place)
{
    return row_holds(who + block * r->words, place);
}

/** There is one, the owner at the end. */
static uint32_t next_holder(const struct broken_run *r, const uint64_t *who, uint32_t block, uint32_t place)
{
    return row_next(who + block * r->words, r->limits.nodes + 1, place);
}

/** The channels left between a place and the next. */
static uint32_t *room_at(struct broken_run *r, int way, uint32_t block, uint32_t place)
{
    return &r->room[way][node_at(r, block, place + 1)];
}

/** Links from the node above a failed link down to a place; at its upper end a lightpath is never all round. */
static uint32_t from_above(const struct broken_run *r, uint32_t block, uint32_t place, bool upper)
{
    uint32_t n = r->limits.nodes, links = (r->limits.above + n - node_at(r, block, place)) % n;
    return links == 0 && !upper ? n : links;
}

static void land(struct broken_run *r, uint32_t block, uint32_t src, uint32_t dst)
{
    size_t at = (size_t)r->limits.nodes * (r->limits.nodes - 1) - r->missing--;
    row_add(r->now + block * r->words, dst);
    r->made.hop[at] = (struct line_hop){from_above(r, block, src, src < dst), from_above(r, block, dst, dst < src), block, 0, true};
}

/** Send down to a place, or as far towards it as there is room, but beyond `past`; where it landed, or none. */
static uint32_t send_down(struct broken_run *r, uint32_t block, uint32_t src, uint32_t past, uint32_t dst)
{
    uint32_t at = src, end = r->limits.max_hops > 0 && dst - src > r->limits.max_hops ? src + r->limits.max_hops : dst;
    while (at < end && *room_at(r, DOWN, block, at) > 0)
        at++;
    if (at <= past || holds(r, r->now, block, at))
        return LINE_NONE;
    for (uint32_t i = src; i < at; i++)
        --*room_at(r, DOWN, block, i);
    land(r, block, src, at);
    return at;
}

static uint32_t send_up(struct broken_run *r, uint32_t block, uint32_t src, uint32_t past, uint32_t dst)
{
    uint32_t at = src, end = r->limits.max_hops > 0 && src - dst > r->limits.max_hops ? src - r->limits.max_hops : dst;
    while (at > end && *room_at(r, UP, block, at - 1) > 0)
        at--;
    if (at >= past || holds(r, r->now, block, at))
        return LINE_NONE;
    for (uint32_t i = at; i < src; i++)
        --*room_at(r, UP, block, i);
    land(r, block, src, at);
    return at;
}

static uint32_t steps_left(const struct broken_run *r)
{
    return r->step < r->pace.aim ? r->pace.aim - r->step + 1 : 1;
}

/** Whether a failed link lies between two holders with nodes above it that lack the block: those up to place *stop. */
static bool is_torn(const struct broken_run *r, uint32_t block, uint32_t low, uint32_t high, uint32_t *stop)
{
    if (high - low < 2)
        return false;
    *stop = low + 1 + r->fall[node_at(r, block, low + 1)];
    return *stop < high;
}

/** How far a head or tail sends that has `distance` nodes before its next stop, and `way` until its last. */
static uint32_t stride(struct broken_run *r, uint32_t distance, uint32_t way)
{
    uint64_t speed = r->pace.last_speed + (uint64_t)r->pace.rise * distance, must = (uint64_t)way * BROKEN_ONE / steps_left(r);
    if (speed > r->pace.speed)
        speed = r->pace.speed;
    if (speed < must)
        speed = must;
    uint64_t nodes = (speed + base_random_below(&r->random, BROKEN_ONE)) / BROKEN_ONE;
    return nodes >= distance ? distance : nodes > 0 ? (uint32_t)nodes : 1;
}

/** How far down the head of a block has yet to go; 0: no failed link is before it. */
static uint32_t way_of(const struct broken_run *r, uint32_t block)
{
    uint32_t head = r->head[block], tail = r->tail[block], stop;
    if (!is_torn(r, block, head, tail, &stop))
        return 0;
    return tail - 1 - r->climb[node_at(r, block, tail)] - head;
}

static void advance(struct broken_run *r, uint32_t block)
{
    uint32_t head = r->head[block], tail = r->tail[block], way = way_of(r, block), stop = tail, at;
    if (way == 0)
        return;
    (void)is_torn(r, block, head, tail, &stop);
    at = send_down(r, block, head, head, head + stride(r, stop - head, way));
    if (at != LINE_NONE)
        r->head[block] = at;
    way = tail - 1 - (head + way);
    if (way > 0)
        at = send_up(r, block, tail, tail, tail - stride(r, way, way));
    if (way > 0 && at != LINE_NONE)
        r->tail[block] = at;
}

/** Far hops first: a nearer node is told even when room ends before it. */
static void fill_gap(struct broken_run *r, uint32_t block, uint32_t low, uint32_t high)
{
    const uint32_t golden = 40503, silver = 27146; /* fractions of 1/65536 whose multiples spread evenly */
    struct gap_split *s = &r->split;
    unsigned lean = (unsigned)(((uint64_t)r->pace.lean * (GAP_LEANS - 1) + base_random_below(&r->random, BROKEN_ONE)) / BROKEN_ONE);
    gap_split(s, r->table, high - low, steps_left(r), lean, (block * golden + r->step * silver) % 65536);
    for (size_t k = s->ups; k-- > 0;)
        send_down(r, block, low, low + (k > 0 ? s->up[k - 1] : 0), low + s->up[k]);
    for (size_t k = s->downs; k-- > 0;)
        send_up(r, block, high, high - (k > 0 ? s->down[k - 1] : 0), high - s->down[k]);
}

static void fill_gaps(struct broken_run *r, uint32_t block)
{
    uint32_t low = 0, high, stop;
    for (; low < r->limits.nodes; low = high) {
        high = next_holder(r, r->old, block, low + 1);
        if (high - low > 1 && !is_torn(r, block, low, high, &stop))
            fill_gap(r, block, low, high);
    }
}

static rwa_status add_hole(struct broken_run *r, const struct hole *hole, rwa_error *err)
{
    uint32_t stop;
    bool closed = hole->high - hole->low < 2 || is_torn(r, hole->block, hole->low, hole->high, &stop);
    return closed ? RWA_OK : holes_add(&r->holes, hole, err);
}

/** All gaps that a block has by now. */
static rwa_status list_holes(struct broken_run *r, uint32_t block, rwa_error *err)
{
    struct hole h = {.block = block};
    rwa_status st = RWA_OK;
    for (; h.low < r->limits.nodes; h.low = h.high) {
        h.high = next_holder(r, r->now, block, h.low + 1);
        h.above = h.high - h.low > 1 ? next_holder(r, r->old, block, h.high) : LINE_NONE;
        TRY(add_hole(r, &h, err));
        h.below = holds(r, r->old, block, h.high) ? h.high : h.below;
    }
done:
    return st;
}

/** Tell a place in a gap, from the nearer side if there is room: the farther it lies the more it helps, but the more room it
 *  takes. */
static uint32_t split_hole(struct broken_run *r, const struct hole *h)
{
    uint32_t part = (h->high - h->low + r->pace.cut - 1) / r->pace.cut, at = LINE_NONE, stop;
    bool whole_below = !is_torn(r, h->block, h->below, h->high, &stop), first = h->low - h->below <= h->above - h->high;
    if (first && whole_below)
        at = send_down(r, h->block, h->below, h->low, h->low + part);
    if (at == LINE_NONE)
        at = send_up(r, h->block, h->above, h->high, h->high - part);
    if (at == LINE_NONE && !first && whole_below)
        at = send_down(r, h->block, h->below, h->low, h->low + part);
    return at;
}

/** The room that is left goes to the widest gaps. */
static rwa_status use_rest(struct broken_run *r, rwa_error *err)
{
    struct hole h;
    rwa_status st = RWA_OK;
    holes_clear(&r->holes);
    for (uint32_t i = 0; i < r->limits.nodes; i++)
        TRY(list_holes(r, r->order[i], err));
    while (holes_take(&r->holes, &h)) {
        struct hole upper = h, lower = h;
        uint32_t at = split_hole(r, &h);
        if (at == LINE_NONE)
            continue;
        upper.high = lower.low = at;
        TRY(add_hole(r, &upper, err));
        TRY(add_hole(r, &lower, err));
    }
done:
    return st;
}

/** By chance, but blocks whose heads have a longer way first. */
static void put_in_order(struct broken_run *r)
{
    uint32_t n = r->limits.nodes, at = 0;
    base_shuffle(r->order, n, &r->random);
    memset(r->list, 0xff, ((size_t)n + 1) * sizeof *r->list);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t way = way_of(r, r->order[i]);
        r->next[r->order[i]] = r->list[way];
        r->list[way] = r->order[i];
    }
    for (uint32_t way = n + 1; way-- > 0;)
        for (uint32_t block = r->list[way]; block != LINE_NONE; block = r->next[block])
            r->order[at++] = block;
}

static rwa_status make_step(struct broken_run *r, rwa_error *err)
{
    uint32_t n = r->limits.nodes;
    memcpy(r->old, r->now, n * r->words * sizeof *r->old);
    for (uint32_t i = 0; i < n; i++) {
        r->room[DOWN][i] = r->limits.channels;
        r->room[UP][i] = r->limits.failed[i] ? 0 : r->limits.channels;
    }
    put_in_order(r);
    for (uint32_t i = 0; i < n; i++)
        advance(r, r->order[i]);
    for (uint32_t i = 0; i < n; i++)
        fill_gaps(r, r->order[i]);
    return use_rest(r, err);
}

static void begin(struct broken_run *r, const struct broken_pace *pace, uint64_t seed)
{
    uint32_t n = r->limits.nodes;
    r->pace = *pace;
    r->random = seed;
    r->step = 0;
    r->made.first[0] = 0;
    r->made.nodes = n + 1;
    r->missing = (uint64_t)n * (n - 1);
    memset(r->now, 0, n * r->words * sizeof *r->now);
    for (uint32_t b = 0; b < n; b++) {
        row_add(r->now + b * r->words, 0);
        row_add(r->now + b * r->words, n);
        r->head[b] = 0;
        r->tail[b] = n;
        r->order[b] = b;
    }
}

rwa_status broken_run_go(struct broken_run *r, bool *done, const struct broken_pace *pace, uint32_t most, uint64_t seed,
                         struct budget *budget, bool hurry, rwa_error *err)
{
    uint64_t all = (uint64_t)r->limits.nodes * (r->limits.nodes - 1);
    rwa_status st = RWA_OK;
    begin(r, pace, seed);
    while (r->missing > 0 && r->step < most) {
        if (base_must_stop(budget, "running round the broken ring", -1) && (budget->cancelled || hurry))
            break;
        r->step++;
        TRY(base_grow((void **)&r->made.first, &r->made.first_room, (size_t)r->step + 1, sizeof *r->made.first, err));
        TRY(make_step(r, err));
        r->made.first[r->step] = (size_t)(all - r->missing);
        r->made.steps = r->step;
    }
    *done = r->missing == 0;
done:
    return st;
}
