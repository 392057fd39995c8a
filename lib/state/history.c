/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Keeps the last operations on a state in a circular buffer, and undoes them. */
#include "state/state.h"

/** Undo an operation or, with `forward`, redo it.  Neither can fail, since neither allocates memory. */
static void step(struct rwa_state *s, const struct event *e, bool forward)
{
    if (!forward)
        switching_replay(s, e->switched, false);
    switch (e->operation) {
    case ADDED:
    case RELEASED: state_set_live(s, e->subject, (e->operation == ADDED) == forward); break;
    case MOVED: state_swap(s, e->subject, e->former); break;
    case FAILED:
    case REPAIRED: state_fail(s, e->subject, (e->operation == FAILED) == forward); break;
    default: assert(false);
    }
    if (forward)
        switching_replay(s, e->switched, true);
}

/** Free the records that were kept for an event: the lightpath if its operation is `kept`, and the route not in use of
 *  a move.  `kept`: RELEASED for an event that is now forgotten, ADDED for one that was undone for good. */
static void discard(struct rwa_state *s, const struct event *e, enum operation kept)
{
    if (e->operation == kept)
        slots_recycle(&s->slots, e->subject);
    if (e->operation == MOVED)
        slots_recycle(&s->slots, e->former);
}

static void forget(struct rwa_state *s, const struct event *e)
{
    if (e->switched > 0)
        switching_forget(s, e->switched);
    discard(s, e, RELEASED);
}

/** Return the event of operation number `operation`, counted from 0. */
static struct event *event_of(const struct history *h, uint64_t operation)
{
    return &h->ring[operation & h->mask];
}

/** Undo the last operation, drop it from the history, and return its event, which stays valid until the next
 *  operation. */
static const struct event *step_back(struct rwa_state *s)
{
    struct history *h = &s->history;
    assert(h->operations > 0 && h->kept > 0);
    const struct event *e = event_of(h, --h->operations);
    h->kept--;
    step(s, e, false);
    return e;
}

rwa_status history_add(struct rwa_state *s, struct event event, rwa_error *err)
{
    struct history *h = &s->history;
    event.switched = s->switching.fresh > 0 ? switching_end(s) : 0;
    rwa_status st = s->journal ? journal_append(s, &event, err) : RWA_OK;
    if (st != RWA_OK) {
        step(s, &event, false);
        discard(s, &event, ADDED);
        return st;
    }
    if (h->kept < h->capacity)
        h->kept++;
    else
        forget(s, h->capacity > 0 ? event_of(h, h->operations - h->kept) : &event);
    *event_of(h, h->operations++) = event;
    state_check(s);
    if (s->journal)
        journal_shorten(s);
    return RWA_OK;
}

rwa_status history_resize(struct rwa_state *s, uint32_t capacity, rwa_error *err)
{
    struct history *h = &s->history;
    struct event *ring = NULL;
    uint64_t size = 1;
    while (size < capacity)
        size *= 2;
    MUST(base_fits_memory((double)size * sizeof *ring, "this history", err));
    MUST(base_new(ring, size, err));
    for (; h->kept > capacity; h->kept--)
        forget(s, event_of(h, h->operations - h->kept));
    for (uint64_t i = h->operations - h->kept; i < h->operations; i++)
        ring[i & (size - 1)] = *event_of(h, i);
    free(h->ring);
    h->ring = ring;
    h->mask = size - 1;
    h->capacity = capacity;
    return RWA_OK;
}

void history_forget(struct rwa_state *s)
{
    struct history *h = &s->history;
    for (; h->kept > 0; h->kept--)
        forget(s, event_of(h, h->operations - h->kept));
    switching_forget(s, (uint32_t)s->switching.count);
}

void history_replay(struct rwa_state *s, uint32_t count, void (*each)(void *, const struct event *), void *data)
{
    struct history *h = &s->history;
    bool stale = s->routes.stale;
    uint32_t left = h->kept - count;
    while (h->kept > left)
        step_back(s);
    each(data, NULL);
    for (; h->kept < left + count; h->kept++) {
        const struct event *e = event_of(h, h->operations++);
        step(s, e, true);
        each(data, e);
    }
    s->routes.stale = stale;    /* the same links have failed as before */
    state_check(s);
}

rwa_status rwa_state_undo(rwa_state *state, uint32_t count, rwa_error *err)
{
    BEGIN(err, state);
    if (count > state->history.kept)
        return base_refuse(err, "undo %u operations: only %u are remembered", count, state->history.kept);
    if (state->journal && count > 0)
        MUST(journal_append(state, &(struct event){.operation = UNDONE, .subject = count}, err));
    for (; count > 0; count--) {
        discard(state, step_back(state), ADDED);
        state_check(state);
    }
    if (state->journal)
        journal_shorten(state);
    return RWA_OK;
}

GETTER(uint64_t, rwa_state_mark, rwa_state, history.operations)

rwa_status rwa_state_rollback(rwa_state *state, uint64_t mark, rwa_error *err)
{
    BEGIN(err, state);
    if (mark > state->history.operations)
        return base_refuse(err, "roll back to operation %llu: it is undone already", (unsigned long long)mark);
    if (state->history.operations - mark > state->history.kept)
        return base_refuse(err, "roll back %llu operations: only %u are remembered",
                           (unsigned long long)(state->history.operations - mark), state->history.kept);
    return rwa_state_undo(state, (uint32_t)(state->history.operations - mark), err);
}
