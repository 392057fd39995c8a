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
struct order {
    struct msccl_program *p;
    struct arena memory;    /* of the arrays below */
    size_t *event;          /* of each side: the sending side of its transfer, or itself */
    uint32_t *step;         /* of each event, from 0 */
    struct import_wait *waits;
    size_t wait_count;
};

static rwa_status order_open(struct order *o)
{
    size_t sides = 2 * o->p->count;
    o->memory = (struct arena){.err = o->p->im->err};
    arena_new(&o->memory, o->event, sides);
    arena_new(&o->memory, o->step, sides);
    arena_new(&o->memory, o->waits, 3 * o->p->count);
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

COMPARATOR(by_channel, struct end, UP(src) UP(dst) UP(chan))
COMPARATOR(by_end, struct end, UP(src) UP(dst) UP(chan) UP(thread) UP(place))

static size_t collect_ends(struct end *ends, const struct msccl_program *p, bool sends)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct msccl_step *s = &p->list[i];
        if (sends ? s->sends : s->receives)
            ends[count++] = (struct end){sends ? s->node : s->from, sends ? s->to : s->node, s->chan, s->thread, s->place, i};
    }
    base_sort(ends, count, by_end);
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

static rwa_status pair_ends(struct order *o, const struct end *sends, size_t send_count, const struct end *receives, size_t receive_count)
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
    free_all(sends, receives);
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
    ASCENDING(k->awaits_thread, s->thread);
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

/** Two arrivals of which one replaces what is there cannot share a step. */
static bool clash(const struct msccl_step *a, const struct msccl_step *b)
{
    return !(a->reduces && b->reduces) && a->in < b->in + b->count && b->in < a->in + a->count;
}

/** The least number of steps between two sides of which one waits for the other. */
static uint32_t delay(const struct order *o, size_t from, size_t to)
{
    bool received = from % 2 == 0, receives = to % 2 == 0;
    return !received ? 0 : !receives || clash(&o->p->list[from / 2], &o->p->list[to / 2]);
}

static void add_wait(struct order *o, size_t from, size_t to)
{
    o->waits[o->wait_count++] = (struct import_wait){o->event[from], o->event[to], delay(o, from, to), to / 2};
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

static rwa_status settle_steps(struct order *o)
{
    size_t endless = IMPORT_NO_WAIT;
    rwa_status st = import_settle(o->step, &endless, 2 * o->p->count, o->waits, o->wait_count, o->p->im->err);
    if (st != RWA_OK || endless == IMPORT_NO_WAIT)
        return st;
    return import_fail(o->p->im, o->p->list[o->waits[endless].by].line, "waits for itself through others");
}

static rwa_status add_transfers(struct order *o)
{
    double moved = 0;
    for (size_t i = 0; i < o->p->count; i++)
        moved += o->p->list[i].receives ? o->p->list[i].count : 0;
    MUST(base_fits_memory(moved * sizeof *o->p->im->list, "this MSCCL program", o->p->im->err));
    for (size_t i = 0; i < o->p->count; i++) {
        const struct msccl_step *s = &o->p->list[i];
        if (!s->receives)
            continue;
        rwa_transfer t = {.step = o->step[o->event[2 * i]] + 1, .src = s->from, .dst = s->node, .op = s->reduces ? RWA_REDUCE : RWA_COPY};
        for (uint32_t k = 0; k < s->count; k++) {
            t.block = s->in + k;
            MUST(import_add(o->p->im, &t));
        }
    }
    return o->p->im->count == 0 ? import_fail(o->p->im, 1, "nothing is sent") : RWA_OK;
}

rwa_status msccl_order(struct msccl_program *p)
{
    struct order o = {.p = p};
    rwa_status st = RWA_OK;
    TRY(order_open(&o));
    TRY(pair_all(&o));
    TRY(find_waits(&o));
    TRY(settle_steps(&o));
    TRY(add_transfers(&o));
done:
    arena_free(&o.memory);
    return st;
}
