/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * On a line the lightpaths of a step and direction are intervals, so channels suffice wherever no link carries more of
 * them than there are: only room on links counts.  What ends of the line can take in limits most: they have one link, and
 * every block must come over it.  So in every step the outermost holders of all blocks send first, about as far as there
 * are channels, which fills the links towards an end with blocks that are new there; near an end by shorter hops, since
 * the gaps they leave can be filled from one side mainly.  Then every gap does what the cheapest way to fill it in
 * the steps left begins with; what room remains goes to the widest gaps.  Where nodes may read a lightpath on its way, one that
 * goes beyond a node is read there, and one that ends before it goes on, before another is sent.
 */
#include "delivery/line_run.h"

#include <stdlib.h>
#include <string.h>

enum { UP, DOWN };

/** A step has no more of them in one direction than channels on all links, and than blocks that nodes lack. */
static rwa_status create_lights(struct line_run *r, rwa_error *err)
{
    size_t n = r->limits.nodes, most = r->limits.channels < n ? r->limits.channels * n : n * n;
    rwa_status st = RWA_OK;
    for (int way = UP; way <= DOWN; way++) {
        r->light[way] = base_array(most, sizeof *r->light[way], err);
        r->latest[way] = base_array(n * n, sizeof *r->latest[way], err);
        st = r->light[way] && r->latest[way] ? st : RWA_NOMEM;
    }
    return st;
}

rwa_status line_run_create(struct line_run *r, const struct line_limits *limits, const struct gap_table *table,
                           rwa_error *err)
{
    size_t n = limits->nodes;
    *r = (struct line_run){.limits = *limits, .table = table, .words = (n + 63) / 64};
    r->old = base_array(n * r->words, sizeof *r->old, err);
    r->now = base_array(n * r->words, sizeof *r->now, err);
    uint32_t **each[] = {&r->top, &r->bottom, &r->room[UP], &r->room[DOWN], &r->sends, &r->reads, &r->order, &r->split.up, &r->split.down};
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        *each[i] = base_array(n + 1, sizeof **each[i], err);
        if (!*each[i])
            return RWA_NOMEM;
    }
    rwa_status st = r->old && r->now ? RWA_OK : RWA_NOMEM;
    TRY(st);
    if (limits->drops > 1)
        TRY(create_lights(r, err));
    TRY(holes_open(&r->holes, limits->nodes, err));
    TRY(line_schedule_open(&r->made, limits->nodes, err));
done:
    return st;
}

void line_run_free(struct line_run *r)
{
    free(r->old);
    free(r->now);
    free(r->top);
    free(r->bottom);
    for (int way = UP; way <= DOWN; way++) {
        free(r->room[way]);
        free(r->light[way]);
        free(r->latest[way]);
    }
    free(r->sends);
    free(r->reads);
    free(r->order);
    free(r->split.up);
    free(r->split.down);
    holes_free(&r->holes);
    line_schedule_free(&r->made);
    memset(r, 0, sizeof *r);
}

static bool holds(const struct line_run *r, const uint64_t *who, uint32_t block, uint32_t node)
{
    return row_holds(who + block * r->words, node);
}

static uint32_t next_holder(const struct line_run *r, const uint64_t *who, uint32_t block, uint32_t node)
{
    return row_next(who + block * r->words, r->limits.nodes, node);
}

static void land(struct line_run *r, uint32_t block, uint32_t src, uint32_t dst)
{
    size_t at = (size_t)r->limits.nodes * (r->limits.nodes - 1) - r->missing--;
    row_add(r->now + block * r->words, dst);
    r->reads[dst]++;
    r->made.hop[at] = (struct line_hop){src, dst, block, 0, true};
    if (dst > r->top[block])
        r->top[block] = dst;
    if (dst < r->bottom[block])
        r->bottom[block] = dst;
}

/** The last lightpath that src sent of a block in this step, if it may have another reader. */
static struct line_light *shared(struct line_run *r, int way, uint32_t block, uint32_t src)
{
    if (r->limits.drops == 1)
        return NULL;
    uint32_t at = r->latest[way][(size_t)block * r->limits.nodes + src];
    struct line_light *l = &r->light[way][at];
    return at < r->lights[way] && l->block == block && l->src == src && l->readers < r->limits.drops ? l : NULL;
}

/** Whether the ports of dst, and of src where that is to send one lightpath more, suffice. */
static bool has_ports(const struct line_run *r, const struct line_light *l, uint32_t src, uint32_t dst)
{
    uint32_t ports = r->limits.ports;
    return ports == 0 || (r->reads[dst] < ports && (l || r->sends[src] < ports));
}

/** dst reads a lightpath that was there, and now ends at `end`, or (NULL) a new one. */
static void share(struct line_run *r, int way, struct line_light *l, uint32_t block, uint32_t src, uint32_t end)
{
    r->sends[src] += !l;
    if (l) {
        l->readers++;
        l->end = end;
    } else if (r->limits.drops > 1) {
        r->latest[way][(size_t)block * r->limits.nodes + src] = r->lights[way];
        r->light[way][r->lights[way]++] = (struct line_light){block, src, end, 1};
    }
}

/** Send up to a node, or as far towards it as there is room, but beyond `past`; where it landed, or none. */
static uint32_t send_up(struct line_run *r, uint32_t block, uint32_t src, uint32_t past, uint32_t dst)
{
    struct line_light *light = shared(r, UP, block, src);
    uint32_t *room = r->room[UP], from = light ? light->end : src, at = from;
    uint32_t end = r->limits.max_hops > 0 && dst - src > r->limits.max_hops ? src + r->limits.max_hops : dst;
    while (at < end && room[at] > 0)
        at++;
    at = at < end ? at : end;
    if (at <= past || holds(r, r->now, block, at) || !has_ports(r, light, src, at))
        return LINE_NONE;
    for (uint32_t i = from; i < at; i++)
        room[i]--;
    share(r, UP, light, block, src, at > from ? at : from);
    land(r, block, src, at);
    return at;
}

static uint32_t send_down(struct line_run *r, uint32_t block, uint32_t src, uint32_t past, uint32_t dst)
{
    struct line_light *light = shared(r, DOWN, block, src);
    uint32_t *room = r->room[DOWN], from = light ? light->end : src, at = from;
    uint32_t end = r->limits.max_hops > 0 && src - dst > r->limits.max_hops ? src - r->limits.max_hops : dst;
    while (at > end && room[at - 1] > 0)
        at--;
    at = at > end ? at : end;
    if (at >= past || holds(r, r->now, block, at) || !has_ports(r, light, src, at))
        return LINE_NONE;
    for (uint32_t i = at; i < from; i++)
        room[i]--;
    share(r, DOWN, light, block, src, at < from ? at : from);
    land(r, block, src, at);
    return at;
}

static uint32_t steps_left(const struct line_run *r)
{
    return r->step < r->pace.aim ? r->pace.aim - r->step + 1 : 1;
}

/** How far a block's outermost holder sends that has `distance` nodes before it. */
static uint32_t stride(struct line_run *r, uint32_t distance)
{
    uint64_t speed = r->pace.last_speed + (uint64_t)r->pace.rise * distance;
    if (speed > r->pace.speed)
        speed = r->pace.speed;
    uint64_t nodes = (speed + base_random_below(&r->random, PACE_ONE)) / PACE_ONE;
    if (nodes > distance || steps_left(r) == 1)
        return distance;
    return nodes > 0 ? (uint32_t)nodes : 1;
}

/** Those whom a lightpath passes read it at equal distances; in the last step next to each other, since no gap may stay. */
static void read_evenly(struct line_run *r, uint32_t block, uint32_t src, uint32_t dst)
{
    uint32_t links = dst > src ? dst - src : src - dst, drops = r->limits.drops;
    for (uint32_t i = 1; i < drops && i < links; i++) {
        uint32_t back = steps_left(r) == 1 || links <= drops ? i : (uint32_t)((uint64_t)links * i / drops);
        if (dst > src)
            send_up(r, block, src, src, dst - back);
        else
            send_down(r, block, src, src, dst + back);
    }
}

static void advance(struct line_run *r, uint32_t block)
{
    uint32_t last = r->limits.nodes - 1, top = r->top[block], bottom = r->bottom[block];
    if (top < last && send_up(r, block, top, top, top + stride(r, last - top)) != LINE_NONE)
        read_evenly(r, block, top, r->top[block]);
    if (bottom > 0 && send_down(r, block, bottom, bottom, bottom - stride(r, bottom)) != LINE_NONE)
        read_evenly(r, block, bottom, r->bottom[block]);
}

/** Links towards an end are the dearer, the nearer it is: they are needed for what has yet to reach it. */
static unsigned lean_at(struct line_run *r, uint32_t low, uint32_t high)
{
    int64_t from_middle = (int64_t)low + high - r->limits.nodes;
    int64_t lean = GAP_EVEN * PACE_ONE + from_middle * GAP_EVEN * r->pace.lean / r->limits.nodes +
                   (int64_t)base_random_below(&r->random, PACE_ONE);
    return lean < GAP_LEANS * PACE_ONE ? (unsigned)(lean / PACE_ONE) : GAP_LEANS - 1;
}

/** Far hops first: a nearer node is told even when room ends before it. */
static void fill_gap(struct line_run *r, uint32_t block, uint32_t low, uint32_t high)
{
    const uint32_t golden = 40503, silver = 27146; /* fractions of 1/65536 whose multiples spread evenly */
    struct gap_split *s = &r->split;
    gap_split(s, r->table, high - low, steps_left(r), lean_at(r, low, high), (block * golden + r->step * silver) % 65536);
    for (size_t k = s->ups; k-- > 0;)
        send_up(r, block, low, low + (k > 0 ? s->up[k - 1] : 0), low + s->up[k]);
    for (size_t k = s->downs; k-- > 0;)
        send_down(r, block, high, high - (k > 0 ? s->down[k - 1] : 0), high - s->down[k]);
}

static void fill_gaps(struct line_run *r, uint32_t block)
{
    uint32_t low = next_holder(r, r->old, block, 0), high;
    for (; (high = next_holder(r, r->old, block, low + 1)) != LINE_NONE; low = high)
        if (high - low > 1)
            fill_gap(r, block, low, high);
}

static rwa_status add_hole(struct line_run *r, const struct hole *hole, rwa_error *err)
{
    return hole->high - hole->low < 2 ? RWA_OK : holes_add(&r->holes, hole, err);
}

/** All gaps that a block has by now. */
static rwa_status list_holes(struct line_run *r, uint32_t block, rwa_error *err)
{
    struct hole h = {.block = block, .low = next_holder(r, r->now, block, 0)};
    rwa_status st = RWA_OK;
    h.below = holds(r, r->old, block, h.low) ? h.low : LINE_NONE;
    for (; (h.high = next_holder(r, r->now, block, h.low + 1)) != LINE_NONE; h.low = h.high) {
        h.above = h.high - h.low > 1 ? next_holder(r, r->old, block, h.high) : LINE_NONE;
        TRY(add_hole(r, &h, err));
        h.below = holds(r, r->old, block, h.high) ? h.high : h.below;
    }
done:
    return st;
}

/** Tell a node in a gap, from the nearer side if there is room: the farther it lies the more it helps, but the more room
 *  it takes. */
static uint32_t split_hole(struct line_run *r, const struct hole *h)
{
    uint32_t part = (h->high - h->low + r->pace.cut - 1) / r->pace.cut, at = LINE_NONE;
    bool from_below = h->below != LINE_NONE && (h->above == LINE_NONE || h->low - h->below <= h->above - h->high);
    if (from_below)
        at = send_up(r, h->block, h->below, h->low, h->low + part);
    if (at == LINE_NONE && h->above != LINE_NONE)
        at = send_down(r, h->block, h->above, h->high, h->high - part);
    if (at == LINE_NONE && !from_below && h->below != LINE_NONE)
        at = send_up(r, h->block, h->below, h->low, h->low + part);
    return at;
}

/** The room that is left goes to the widest gaps. */
static rwa_status use_rest(struct line_run *r, rwa_error *err)
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

static rwa_status make_step(struct line_run *r, rwa_error *err)
{
    uint32_t n = r->limits.nodes;
    memcpy(r->old, r->now, n * r->words * sizeof *r->old);
    r->lights[UP] = r->lights[DOWN] = 0;
    for (uint32_t i = 0; i < n; i++)
        r->room[UP][i] = r->room[DOWN][i] = r->limits.channels;
    memset(r->sends, 0, n * sizeof *r->sends);
    memset(r->reads, 0, n * sizeof *r->reads);
    base_shuffle(r->order, n, &r->random);
    for (uint32_t i = 0; i < n; i++)
        advance(r, r->order[i]);
    for (uint32_t i = 0; i < n; i++)
        fill_gaps(r, r->order[i]);
    return use_rest(r, err);
}

static void begin(struct line_run *r, const struct line_pace *pace, uint64_t seed)
{
    uint32_t n = r->limits.nodes;
    r->pace = *pace;
    r->random = seed;
    r->step = 0;
    r->made.first[0] = 0;
    r->made.nodes = n;
    r->missing = (uint64_t)n * (n - 1);
    memset(r->now, 0, n * r->words * sizeof *r->now);
    for (uint32_t b = 0; b < n; b++) {
        row_add(r->now + b * r->words, b);
        r->top[b] = r->bottom[b] = r->order[b] = b;
    }
}

static bool must_give_up(struct budget *budget, uint32_t most)
{
    return base_must_stop(budget, "running along the line", -1) && (budget->cancelled || most < LINE_ANY_STEPS);
}

rwa_status line_run_go(struct line_run *r, bool *done, const struct line_pace *pace, uint32_t most, uint64_t seed,
                       struct budget *budget, rwa_error *err)
{
    uint64_t all = (uint64_t)r->limits.nodes * (r->limits.nodes - 1);
    rwa_status st = RWA_OK;
    begin(r, pace, seed);
    while (r->missing > 0 && r->step < most && !must_give_up(budget, most)) {
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
