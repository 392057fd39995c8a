/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Keeps the last operations on a state in a circular buffer, and undoes them. */
#include "state/state.h"

/** Free what an operation kept so that it could be undone: the released lightpath, or the former route of a moved
 *  one. */
static void discard(struct rwa_state *s, const struct event *e)
{
    switching_forget(s, e->switched);
    if (e->operation == RELEASED)
        slots_recycle(&s->slots, e->subject);
    if (e->operation == MOVED)
        slots_recycle(&s->slots, e->former);
}

/** Return the last operation of the history, and step back to it in the circular buffer. */
static const struct event *last_event(struct history *h)
{
    assert(h->capacity > 0 && h->kept > 0);
    h->next = h->next == 0 ? h->capacity - 1 : h->next - 1;
    return &h->ring[h->next];
}

/** Bring the state to where it was before its last operation. */
static void revert(struct rwa_state *s, const struct event *e)
{
    switching_undo(s, e->switched);
    switch (e->operation) {
    case ADDED:
        state_vacate(s, e->subject);
        slots_recycle(&s->slots, e->subject);
        break;
    case RELEASED:
        switching_return(s, e->subject);
        break;
    case MOVED:
        state_swap(s, e->subject, e->former);
        slots_recycle(&s->slots, e->former);
        break;
    case FAILED: state_fail(s, e->subject, false); break;
    case REPAIRED: state_fail(s, e->subject, true); break;
    }
}

static void keep(struct rwa_state *s, const struct event *event)
{
    struct history *h = &s->history;
    if (h->capacity == 0) {
        discard(s, event);
        return;
    }
    struct event *place = &h->ring[h->next];
    h->next = h->next + 1 == h->capacity ? 0 : h->next + 1;
    if (h->kept == h->capacity)
        discard(s, place);
    else
        h->kept++;
    *place = *event;
}

rwa_status history_add(struct rwa_state *s, struct event event, rwa_error *err)
{
    event.switched = switching_end(s);
    rwa_status st = s->journal ? journal_event(s, &event, err) : RWA_OK;
    if (st != RWA_OK) {
        revert(s, &event);
        return st;
    }
    s->history.operations++;
    keep(s, &event);
    state_check(s);
    if (s->journal)
        journal_compact(s);
    return RWA_OK;
}

rwa_status history_resize(struct rwa_state *s, uint32_t capacity, rwa_error *err)
{
    struct history *h = &s->history;
    struct event *ring = NULL;
    if (h->ring && capacity == h->capacity)
        return RWA_OK;
    MUST(base_fits_memory((double)capacity * sizeof *ring, "this history", err));
    MUST(base_new(ring, capacity, err));
    for (uint32_t left = h->kept, at = 0; left > 0; left--) {
        const struct event *e = &h->ring[(h->next + h->capacity - left) % h->capacity];
        if (left > capacity)
            discard(s, e);
        else
            ring[at++] = *e;
    }
    free(h->ring);
    h->ring = ring;
    h->capacity = capacity;
    LOWER(h->kept, capacity);
    h->next = h->kept < capacity ? h->kept : 0;
    return RWA_OK;
}

void history_forget(struct rwa_state *s)
{
    struct history *h = &s->history;
    for (; h->kept > 0; h->kept--)
        discard(s, last_event(h));
    switching_forget(s, (uint32_t)s->switching.count);
}

static void undo_last(struct rwa_state *s)
{
    struct history *h = &s->history;
    assert(h->operations > 0);
    revert(s, last_event(h));
    h->operations--;
    h->kept--;
    state_check(s);
}

rwa_status rwa_state_undo(rwa_state *state, uint32_t count, rwa_error *err)
{
    BEGIN(err, state);
    if (count > state->history.kept)
        return base_refuse(err, "undo %u operations: only %u are remembered", count, state->history.kept);
    if (state->journal && count > 0)
        MUST(journal_number(state, "undo", count, err));
    for (; count > 0; count--)
        undo_last(state);
    if (state->journal)
        journal_compact(state);
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
