/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Finds the first possible step of events that wait for each other.  Events in a circle of waits (a strongly connected
 * component) share a step; a delay inside a circle is an error, since it would never end.  The search of Tarjan
 * (Depth-first search and linear graph algorithms, SIAM J.  Comput.  1, 1972) goes from each event to the events that
 * it waits for, and completes a circle when the steps of all other events that the circle waits for are known.
 */
#include "foreign/import_program.h"

#include "base/bins.h"

/** An event in the search.  There is one for each act; an act that belongs to the event of another act waits for
 *  nothing. */
struct event_visit {
    size_t number;      /* from 1 in the order of coming; 0: not yet seen */
    size_t low;         /* the least number of an open event that it leads to; SETTLED: its step is known */
    size_t next;        /* the wait to follow next */
    size_t by;          /* the event from which it was reached; SETTLED: it is a root */
};
#define SETTLED SIZE_MAX

struct circle_search {
    struct import *im;
    struct bins waits;          /* of each event that waits */
    struct event_visit *visits;
    size_t *open;               /* events whose step is not yet known */
    size_t open_count, seen;
};

/** Tell whether two receives or additions of a node cannot share a step: they have a block in common whose value at
 *  least one of them replaces. */
static bool clash(const struct import_act *a, const struct import_act *b)
{
    return !(a->reduces && b->reduces) && a->block < b->block + b->count && b->block < a->block + a->count;
}

/** Return by how many steps at least, 0 or 1, act `to` comes after act `from`, for which it waits.  It is 1 if `from`
 * receives or adds data, and `to` does neither or clashes with `from` (clash()). */
static uint32_t delay(const struct import_act *from, const struct import_act *to)
{
    return from->kind < ACT_RECEIVE ? 0 : to->kind < ACT_RECEIVE || clash(from, to);
}

static void enter(struct circle_search *s, size_t event, size_t by)
{
    s->visits[event] = (struct event_visit){++s->seen, s->seen, s->waits.first[event], by};
    assert(s->open_count < s->im->act_count);
    s->open[s->open_count++] = event;
}

/** Set the step of the acts that stand for a circle of events, those in s->open from index `from` on, and remove these
 *  from s->open.  It is the first step that their waits allow.  RWA_FORMAT: a wait inside the circle needs a later
 *  step. */
static rwa_status settle(struct circle_search *s, size_t from)
{
    struct import_act *acts = s->im->acts;
    uint32_t step = 1;
    for (size_t i = from; i < s->open_count; i++)
        for (size_t k = s->waits.first[s->open[i]]; k < s->waits.first[s->open[i] + 1]; k++) {
            const struct import_wait *w = &s->im->waits[s->waits.number[k]];
            uint32_t later = delay(&acts[w->from], &acts[w->to]);
            size_t before = acts[w->from].event;
            if (s->visits[before].low != SETTLED && later > 0)
                return acts_fail(s->im, &acts[w->to], "waits for itself through others");
            if (s->visits[before].low == SETTLED && acts[before].step + later > step)
                step = acts[before].step + later;
        }
    while (s->open_count > from) {
        size_t event = s->open[--s->open_count];
        acts[event].step = step;
        s->visits[event].low = SETTLED;
    }
    return RWA_OK;
}

/** End the visit of an event, all of whose waits have been followed.  If they lead to no open event that was seen
 *  before it, find the step of its circle: this event and those behind it in s->open. */
static rwa_status leave(struct circle_search *s, size_t event)
{
    const struct event_visit *v = &s->visits[event];
    size_t from = s->open_count;
    if (v->by != SETTLED)
        LOWER(s->visits[v->by].low, v->low);
    if (v->low < v->number)
        return RWA_OK;
    while (s->open[--from] != event)
        ;
    return settle(s, from);
}

static rwa_status follow(struct circle_search *s, size_t root)
{
    enter(s, root, SETTLED);
    for (size_t event = root; event != SETTLED;) {
        struct event_visit *v = &s->visits[event];
        if (v->next == s->waits.first[event + 1]) {
            MUST(leave(s, event));
            event = v->by;
            continue;
        }
        size_t to = s->im->acts[s->im->waits[s->waits.number[v->next++]].from].event;
        if (s->visits[to].number == 0) {
            enter(s, to, event);
            event = to;
        } else if (s->visits[to].low != SETTLED) {
            LOWER(v->low, s->visits[to].number);
        }
    }
    return RWA_OK;
}

rwa_status acts_settle(struct import *im)
{
    struct circle_search s = {.im = im};
    rwa_status st = RWA_OK;
    TRY(arena_arrays(&im->memory, im->act_count, s.visits, s.open));
    while (bins_pass(&s.waits, im->act_count, &st, im->err))
        for (size_t i = 0; i < im->wait_count; i++)
            bins_add(&s.waits, im->acts[im->waits[i].to].event, (uint32_t)i);
    TRY(st);
    for (size_t event = 0; event < im->act_count; event++)
        if (s.visits[event].number == 0)
            TRY(follow(&s, event));
done:
    bins_free(&s.waits);
    return st;
}
