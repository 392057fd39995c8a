/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The first step of events that wait for each other.  Events in a circle of waits (a strongly connected part) share a step; a delay
 * inside a circle never ends.
 */
#include "foreign/import_program.h"

struct steps {
    const struct import_program *p;
    size_t events;          /* as many as acts: those that are of another one's event wait for nothing */
    struct arena memory;    /* of the arrays below */
    size_t *first;          /* of each event: its waits begin here, in `order` */
    size_t *order;          /* waits by the event they begin with */
    size_t *circle;         /* of each event: the number of its circle; those that come later have lower numbers */
    size_t *settled;        /* events, circle by circle, the last ones first */
};

/** The events of a wait. */
static size_t from_of(const struct steps *s, size_t wait)
{
    return s->p->event[s->p->waits[wait].from];
}

static size_t to_of(const struct steps *s, size_t wait)
{
    return s->p->event[s->p->waits[wait].to];
}

static rwa_status steps_open(struct steps *s, rwa_error *err)
{
    s->memory = (struct arena){.err = err};
    arena_new(&s->memory, s->first, s->events + 2);
    arena_new(&s->memory, s->order, s->p->wait_count);
    arena_new(&s->memory, s->circle, s->events);
    arena_new(&s->memory, s->settled, s->events);
    return arena_status(&s->memory);
}

/** Counting sort. */
static void sort_waits(struct steps *s)
{
    for (size_t i = 0; i < s->p->wait_count; i++)
        s->first[from_of(s, i) + 2]++;
    for (size_t e = 0; e < s->events; e++)
        s->first[e + 2] += s->first[e + 1];
    for (size_t i = 0; i < s->p->wait_count; i++)
        s->order[s->first[from_of(s, i) + 1]++] = i;
}

/* ---- circles (Tarjan: Depth-first search and linear graph algorithms, SIAM J. Comput. 1, 1972) ---- */

struct search {
    struct steps *s;
    size_t *number, *low;   /* of each event, from 1 in the order of coming; 0: not yet seen */
    size_t *next;           /* of each event on the way: the wait to follow next */
    size_t *path, *open;    /* events from the root down; events whose circle is not yet known */
    size_t depth, open_count, seen, done, circles;
};

static void enter(struct search *s, size_t event)
{
    s->number[event] = s->low[event] = ++s->seen;
    s->next[event] = s->s->first[event];
    assert(s->depth < s->s->events && s->open_count < s->s->events);
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
        s->s->circle[member] = s->circles;
        s->low[member] = SIZE_MAX; /* no longer open */
        s->s->settled[s->done++] = member;
    }
    assert(s->done <= s->s->events);
    s->circles++;
}

static void follow(struct search *s, size_t root)
{
    enter(s, root);
    while (s->depth > 0) {
        size_t event = s->path[s->depth - 1];
        if (s->next[event] == s->s->first[event + 1]) {
            leave(s);
            continue;
        }
        size_t to = to_of(s->s, s->s->order[s->next[event]++]);
        if (s->number[to] == 0)
            enter(s, to);
        else if (s->low[to] != SIZE_MAX && s->number[to] < s->low[event])
            s->low[event] = s->number[to];
    }
}

static rwa_status find_circles(struct steps *s, rwa_error *err)
{
    size_t *numbers = base_array(s->events, 5 * sizeof *numbers, err);
    struct search search = {.s = s, .number = numbers, .low = numbers + s->events, .next = numbers + 2 * s->events,
                            .path = numbers + 3 * s->events, .open = numbers + 4 * s->events};
    MUST(numbers ? RWA_OK : RWA_NOMEM);
    for (size_t e = 0; e < s->events; e++)
        if (search.number[e] == 0)
            follow(&search, e);
    assert(search.done == s->events);
    free(numbers);
    return RWA_OK;
}

/* ---- steps ---- */

/** Hand the step of an event on to those that wait for it; an act of its circle that waits longer, or NULL. */
static const struct import_act *pass_on(const struct steps *s, size_t event)
{
    uint32_t *step = s->p->step;
    for (size_t i = s->first[event]; i < s->first[event + 1]; i++) {
        const struct import_wait *w = &s->p->waits[s->order[i]];
        const struct import_act *act = &s->p->acts[w->to];
        uint32_t delay = import_delay(&s->p->acts[w->from], act);
        size_t to = s->p->event[w->to];
        if (s->circle[to] == s->circle[event] && delay > 0)
            return act;
        step[to] = step[event] + delay > step[to] ? step[event] + delay : step[to];
    }
    return NULL;
}

/** Circle by circle: the events of one share a step. */
static const struct import_act *settle(const struct steps *s)
{
    const struct import_act *endless = NULL;
    uint32_t *step = s->p->step;
    for (size_t end = s->events, begin; end > 0 && !endless; end = begin) {
        uint32_t latest = 1;
        for (begin = end; begin > 0 && s->circle[s->settled[begin - 1]] == s->circle[s->settled[end - 1]]; begin--)
            latest = step[s->settled[begin - 1]] > latest ? step[s->settled[begin - 1]] : latest;
        for (size_t i = begin; i < end; i++)
            step[s->settled[i]] = latest;
        for (size_t i = begin; i < end && !endless; i++)
            endless = pass_on(s, s->settled[i]);
    }
    return endless;
}

rwa_status import_settle(struct import_program *p, const struct import_act **endless)
{
    struct steps s = {.p = p, .events = p->count};
    rwa_status st = RWA_OK;
    TRY(steps_open(&s, p->im->err));
    sort_waits(&s);
    TRY(find_circles(&s, p->im->err));
    *endless = settle(&s);
done:
    arena_free(&s.memory);
    return st;
}
