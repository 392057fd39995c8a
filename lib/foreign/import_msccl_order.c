/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * When the instructions of an MSCCL program happen.  A program has no steps: its thread blocks run side by side, each in
 * order, and wait for each other.  Here every transfer takes place in the first step that this order allows, where what a
 * step sends is what was held before it: what waits for a receive to send comes a step later, and what waits for a send to
 * receive may share its step.  So two nodes that exchange their values, each ready to receive once it has sent, wait for
 * each other in a circle, but all in one step.
 */
#include "base/arena.h"
#include "foreign/import_msccl.h"

/** Every instruction has two sides, 2i that receives and 2i + 1 that sends (or does nothing); the sides that make a
 *  transfer happen at once, and are one event. */
struct wait {
    size_t from, to;        /* sides */
};

struct order {
    struct msccl_program *p;
    struct arena memory;    /* of the arrays below */
    size_t *event;          /* of each side: the sending side of its transfer, or itself */
    uint32_t *step;         /* of each event, from 0 */
    struct wait *waits;     /* by the event of `from` */
    size_t wait_count;
    size_t *first;          /* of each event: its waits begin here */
    size_t *circle;         /* of each event: the number of its circle; those that come later have lower numbers */
    size_t *settled;        /* events, circle by circle, the last ones first */
};

static rwa_status order_open(struct order *o)
{
    size_t sides = 2 * o->p->count;
    o->memory = (struct arena){.err = o->p->im->err};
    arena_new(&o->memory, o->event, sides);
    arena_new(&o->memory, o->step, sides);
    arena_new(&o->memory, o->waits, 3 * o->p->count);
    arena_new(&o->memory, o->first, sides + 2);
    arena_new(&o->memory, o->circle, sides);
    arena_new(&o->memory, o->settled, sides);
    if (arena_status(&o->memory) != RWA_OK)
        return RWA_NOMEM;
    for (size_t h = 0; h < sides; h++)
        o->event[h] = h;
    return RWA_OK;
}

/* ---- sends meet receives: the first of a pair and channel the first, and so on ---- */

struct end {
    uint32_t src, dst, chan, thread, place;
    size_t index;
};

static int by_channel(const struct end *x, const struct end *y)
{
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    if (x->dst != y->dst)
        return x->dst < y->dst ? -1 : 1;
    return (x->chan > y->chan) - (x->chan < y->chan);
}

static int by_end(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    int order = by_channel(x, y);
    if (order || x->thread == y->thread)
        return order ? order : (x->place > y->place) - (x->place < y->place);
    return x->thread < y->thread ? -1 : 1;
}

static size_t collect_ends(struct end *ends, const struct msccl_program *p, bool sends)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct msccl_step *s = &p->list[i];
        if (sends ? s->sends : s->receives)
            ends[count++] = (struct end){sends ? s->node : s->from, sends ? s->to : s->node, s->chan, s->thread, s->place, i};
    }
    if (count > 0)
        qsort(ends, count, sizeof *ends, by_end);
    return count;
}

static rwa_status alone(const struct msccl_program *p, const struct end *end, bool sends)
{
    return import_fail(p->im, p->list[end->index].line, "%s node %" PRIu32 " on channel %" PRIu32 ", which does not %s it",
                       sends ? "sends to" : "receives from", sends ? end->dst : end->src, end->chan, sends ? "receive" : "send");
}

static rwa_status check_pair(const struct msccl_program *p, const struct msccl_step *send, const struct msccl_step *receive)
{
    if (send->count != receive->count)
        return import_fail(p->im, receive->line, "receives %" PRIu32 " chunks, node %" PRIu32 " sends %" PRIu32 " (line %zu)",
                           receive->count, send->node, send->count, send->line);
    if (send->out != receive->in)
        return import_fail(p->im, receive->line, "stores as chunk %" PRIu32 " what node %" PRIu32 " sends as chunk %" PRIu32
                           " (line %zu): chunks that change places are not read", receive->in, send->node, send->out, send->line);
    return RWA_OK;
}

static rwa_status pair_ends(struct order *o, const struct end *sends, size_t send_count, const struct end *receives,
                            size_t receive_count)
{
    for (size_t i = 0; i < send_count || i < receive_count; i++) {
        int order = i == send_count ? 1 : i == receive_count ? -1 : by_channel(&sends[i], &receives[i]);
        if (order != 0)
            return alone(o->p, order < 0 ? &sends[i] : &receives[i], order < 0);
        MUST(check_pair(o->p, &o->p->list[sends[i].index], &o->p->list[receives[i].index]));
        o->event[2 * receives[i].index] = 2 * sends[i].index + 1;
    }
    return RWA_OK;
}

static rwa_status pair_all(struct order *o)
{
    struct end *sends = base_array(o->p->count, sizeof *sends, o->p->im->err);
    struct end *receives = base_array(o->p->count, sizeof *receives, o->p->im->err);
    rwa_status st = sends && receives ? RWA_OK : RWA_NOMEM;
    if (st == RWA_OK) {
        size_t send_count = collect_ends(sends, o->p, true), receive_count = collect_ends(receives, o->p, false);
        st = pair_ends(o, sends, send_count, receives, receive_count);
    }
    free(sends);
    free(receives);
    return st;
}

/* ---- dependencies ---- */

static size_t first_side(const struct msccl_program *p, size_t i)
{
    return 2 * i + !p->list[i].receives;
}

static size_t last_side(const struct msccl_program *p, size_t i)
{
    return 2 * i + (p->list[i].sends || !p->list[i].receives);
}

static int by_thread(const void *key, const void *entry)
{
    const struct msccl_step *k = key, *s = entry;
    if (k->awaits_thread != s->thread)
        return k->awaits_thread < s->thread ? -1 : 1;
    return (k->awaits_place > s->place) - (k->awaits_place < s->place);
}

/** The instruction that another one of its node waits for. */
static rwa_status find_awaited(const struct msccl_program *p, size_t i, size_t *found)
{
    const struct msccl_step *s = &p->list[i];
    size_t from = p->first[s->node], to = p->first[s->node + 1];
    const struct msccl_step *at = bsearch(s, p->list + from, to - from, sizeof *s, by_thread);
    if (!at)
        return import_fail(p->im, s->line, "waits for step %" PRIu32 " of thread block %" PRIu32 ", which node %" PRIu32 " has not",
                           s->awaits_place, s->awaits_thread, s->node);
    *found = (size_t)(at - p->list);
    return RWA_OK;
}

static void add_wait(struct order *o, size_t from, size_t to)
{
    o->waits[o->wait_count++] = (struct wait){from, to};
    o->first[o->event[from] + 2]++;
}

static rwa_status find_waits(struct order *o)
{
    const struct msccl_program *p = o->p;
    for (size_t i = 0; i < p->count; i++) {
        size_t awaited = 0;
        if (p->list[i].place > 0)
            add_wait(o, last_side(p, i - 1), first_side(p, i));
        if (p->list[i].receives && p->list[i].sends)
            add_wait(o, 2 * i, 2 * i + 1);
        if (p->list[i].awaits_thread == MSCCL_NONE)
            continue;
        MUST(find_awaited(p, i, &awaited));
        add_wait(o, last_side(p, awaited), first_side(p, i));
    }
    return RWA_OK;
}

/** Waits by the event they begin with: counting sort. */
static rwa_status sort_waits(struct order *o)
{
    struct wait *sorted;
    arena_new(&o->memory, sorted, o->wait_count);
    if (!sorted)
        return RWA_NOMEM;
    for (size_t e = 0; e < 2 * o->p->count; e++)
        o->first[e + 2] += o->first[e + 1];
    for (size_t i = 0; i < o->wait_count; i++)
        sorted[o->first[o->event[o->waits[i].from] + 1]++] = o->waits[i];
    o->waits = sorted;
    return RWA_OK;
}

/* ---- circles: strongly connected events (Tarjan: Depth-first search and linear graph algorithms, SIAM J. Comput. 1, 1972) ---- */

struct search {
    struct order *o;
    size_t *number, *low;   /* of each event, from 1 in the order of coming; 0: not yet seen */
    size_t *next;           /* of each event on the way: the wait to follow next */
    size_t *path, *open;     /* events from the root down; events whose circle is not yet known */
    size_t depth, open_count, seen, done, circles;
};

static void enter(struct search *s, size_t event)
{
    s->number[event] = s->low[event] = ++s->seen;
    s->next[event] = s->o->first[event];
    s->path[s->depth++] = event;
    s->open[s->open_count++] = event;
}

/** Back up from an event; when nothing above it was met, what is open down to it is a circle. */
static void leave(struct search *s)
{
    size_t event = s->path[--s->depth], member = SIZE_MAX;
    size_t *above = s->depth ? &s->low[s->path[s->depth - 1]] : NULL;
    if (above && s->low[event] < *above)
        *above = s->low[event];
    if (s->low[event] < s->number[event])
        return;
    while (member != event) {
        member = s->open[--s->open_count];
        s->o->circle[member] = s->circles;
        s->low[member] = SIZE_MAX; /* no longer open */
        s->o->settled[s->done++] = member;
    }
    assert(s->done <= 2 * s->o->p->count);
    s->circles++;
}

static void follow(struct search *s, size_t root)
{
    enter(s, root);
    while (s->depth > 0) {
        size_t event = s->path[s->depth - 1];
        if (s->next[event] == s->o->first[event + 1]) {
            leave(s);
            continue;
        }
        size_t to = s->o->event[s->o->waits[s->next[event]++].to];
        if (s->number[to] == 0)
            enter(s, to);
        else if (s->low[to] != SIZE_MAX && s->number[to] < s->low[event])
            s->low[event] = s->number[to];
    }
}

static rwa_status find_circles(struct order *o)
{
    size_t sides = 2 * o->p->count;
    size_t *numbers = base_array(sides, 5 * sizeof *numbers, o->p->im->err);
    struct search s = {.o = o, .number = numbers, .low = numbers + sides, .next = numbers + 2 * sides, .path = numbers + 3 * sides,
                       .open = numbers + 4 * sides};
    if (!numbers)
        return RWA_NOMEM;
    for (size_t e = 0; e < sides; e++)
        if (o->event[e] == e && s.number[e] == 0)
            follow(&s, e);
    for (size_t e = s.done; e < sides; e++)
        o->settled[e] = SIZE_MAX; /* sides that are no events */
    free(numbers);
    return RWA_OK;
}

/* ---- when ---- */

/** Two arrivals of which one replaces what is there cannot share a step. */
static bool clash(const struct msccl_step *a, const struct msccl_step *b)
{
    return !(a->reduces && b->reduces) && a->in < b->in + b->count && b->in < a->in + a->count;
}

/** The least number of steps between an event and one that waits for it. */
static uint32_t delay(const struct order *o, const struct wait *w)
{
    bool received = w->from % 2 == 0, receives = w->to % 2 == 0;
    if (!received)
        return 0;
    return !receives || clash(&o->p->list[w->from / 2], &o->p->list[w->to / 2]);
}

static rwa_status pass_on(struct order *o, size_t event)
{
    for (size_t i = o->first[event]; i < o->first[event + 1]; i++) {
        const struct wait *w = &o->waits[i];
        size_t to = o->event[w->to];
        uint32_t step = o->step[event] + delay(o, w);
        if (o->circle[to] == o->circle[event] && step > o->step[event])
            return import_fail(o->p->im, o->p->list[w->to / 2].line, "waits for itself through others");
        o->step[to] = step > o->step[to] ? step : o->step[to];
    }
    return RWA_OK;
}

/** Circle by circle: the events of one share a step, and hand it on to those that wait for them. */
static rwa_status settle_steps(struct order *o)
{
    size_t end = 2 * o->p->count;
    while (end > 0 && o->settled[end - 1] == SIZE_MAX)
        end--;
    for (size_t begin; end > 0; end = begin) {
        uint32_t step = 0;
        for (begin = end; begin > 0 && o->circle[o->settled[begin - 1]] == o->circle[o->settled[end - 1]]; begin--)
            step = o->step[o->settled[begin - 1]] > step ? o->step[o->settled[begin - 1]] : step;
        for (size_t i = begin; i < end; i++)
            o->step[o->settled[i]] = step;
        for (size_t i = begin; i < end; i++)
            MUST(pass_on(o, o->settled[i]));
    }
    return RWA_OK;
}

static rwa_status add_transfers(struct order *o)
{
    double moved = 0;
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < o->p->count; i++)
        moved += o->p->list[i].receives ? o->p->list[i].count : 0;
    TRY(base_fits_memory(moved * sizeof *o->p->im->list, "this MSCCL program", o->p->im->err));
    for (size_t i = 0; i < o->p->count; i++) {
        const struct msccl_step *s = &o->p->list[i];
        if (!s->receives)
            continue;
        rwa_transfer t = {.step = o->step[o->event[2 * i]] + 1, .src = s->from, .dst = s->node,
                          .op = s->reduces ? RWA_REDUCE : RWA_COPY};
        for (uint32_t k = 0; k < s->count; k++) {
            t.block = s->in + k;
            TRY(import_add(o->p->im, &t));
        }
    }
    if (o->p->im->count == 0)
        st = import_fail(o->p->im, 1, "nothing is sent");
done:
    return st;
}

rwa_status msccl_order(struct msccl_program *p)
{
    struct order o = {.p = p};
    rwa_status st = RWA_OK;
    TRY(order_open(&o));
    TRY(pair_all(&o));
    TRY(find_waits(&o));
    TRY(sort_waits(&o));
    TRY(find_circles(&o));
    TRY(settle_steps(&o));
    TRY(add_transfers(&o));
done:
    arena_free(&o.memory);
    return st;
}
