/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * When the operations of traces happen.  Traces have no steps: here every transfer takes place in the first step that its dependencies
 * allow, where a step sends what was held before it.  A send that waits for a receive comes a step later; a receive that waits for a send
 * can share its step.
 */
#include "foreign/import_chakra.h"

#include "foreign/program/chakra.h"

COMPARATOR(by_id, struct chakra_op, UP(node) UP(id))

/** Ids become numbers of operations, which are sorted by node and id. */
static rwa_status resolve_deps(struct chakra_traces *t)
{
    base_sort(t->ops, t->count, by_id);
    for (size_t i = 1; i < t->count; i++)
        if (by_id(&t->ops[i - 1], &t->ops[i]) == 0)
            return chakra_fail(t, &t->ops[i], "id %" PRIu64 " a second time, expected each once", t->ops[i].id);
    for (size_t i = 0; i < t->count; i++)
        for (size_t d = t->ops[i].first_dep; d < t->ops[i].first_dep + t->ops[i].dep_count; d++) {
            struct chakra_op key = {.node = t->ops[i].node, .id = t->deps[d]};
            const struct chakra_op *found = bsearch(&key, t->ops, t->count, sizeof *t->ops, by_id);
            if (!found)
                return chakra_fail(t, &t->ops[i], "depends on id %" PRIu64 ", which node %" PRIu32 " has not", key.id, key.node);
            t->deps[d] = (uint64_t)(found - t->ops);
        }
    return RWA_OK;
}

/* ---- sends meet receives: of equal ends and tags the first the first, and so on ---- */

struct end {
    uint64_t src, dst, tag;
    uint32_t number;
    size_t op;
};

COMPARATOR(by_message, struct end, UP(src) UP(dst) UP(tag))
COMPARATOR(by_end, struct end, UP(src) UP(dst) UP(tag) UP(number))

static size_t collect_ends(struct end *ends, const struct chakra_traces *t, uint64_t type)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->ops[i].type == type)
            ends[count++] = (struct end){t->ops[i].src, t->ops[i].dst, t->ops[i].tag, t->ops[i].number, i};
    base_sort(ends, count, by_end);
    return count;
}

static rwa_status join(struct chakra_traces *t, size_t send, size_t receive)
{
    struct chakra_op *s = &t->ops[send], *r = &t->ops[receive];
    if (s->bytes != r->bytes && s->bytes != CHAKRA_NONE && r->bytes != CHAKRA_NONE)
        return chakra_fail(t, r, "receives %" PRIu64 " bytes, node %" PRIu32 " sends %" PRIu64, r->bytes, s->node, s->bytes);
    if (s->block == CHAKRA_NONE) {
        s->block = r->block;
        s->blocks = r->blocks;
    }
    if (r->block != CHAKRA_NONE && (r->block != s->block || r->blocks != s->blocks))
        return chakra_fail(t, r, "receives other blocks than node %" PRIu32 " sends", s->node);
    if (t->transfers > 0 && (s->block == CHAKRA_NONE) != (t->ops[t->send[0]].block == CHAKRA_NONE))
        return chakra_fail(t, s, "names %s block, expected that of all sends or of none", s->block == CHAKRA_NONE ? "no" : "a");
    r->block = s->block;
    r->blocks = s->blocks;
    s->event = r->event = t->transfers;
    t->send[t->transfers] = send;
    t->receive[t->transfers++] = receive;
    return RWA_OK;
}

static rwa_status alone(const struct chakra_traces *t, const struct end *end, bool sends)
{
    return chakra_fail(t, &t->ops[end->op], "%s node %" PRIu64 " with tag %" PRIu64 ", which does not %s it",
                       sends ? "sends to" : "receives from", sends ? end->dst : end->src, end->tag, sends ? "receive" : "send");
}

static rwa_status join_ends(struct chakra_traces *t)
{
    struct end *sends = base_array(t->count, sizeof *sends, t->im->err), *receives = base_array(t->count, sizeof *receives, t->im->err);
    rwa_status st = sends && receives ? RWA_OK : RWA_NOMEM;
    TRY(st);
    size_t send_count = collect_ends(sends, t, CHAKRA_SEND), receive_count = collect_ends(receives, t, CHAKRA_RECV);
    for (size_t i = 0; i < send_count || i < receive_count; i++) {
        int order = i == send_count ? 1 : i == receive_count ? -1 : by_message(&sends[i], &receives[i]);
        if (order != 0)
            TRY(alone(t, order < 0 ? &sends[i] : &receives[i], order < 0));
        TRY(join(t, sends[i].op, receives[i].op));
    }
    if (t->transfers == 0)
        st = chakra_fail(t, NULL, "nothing is sent");
done:
    free_all(sends, receives);
    return st;
}

/** In a reduction a computation that depends on a receive adds what it brought; others take no step. */
static void join_additions(struct chakra_traces *t)
{
    rwa_collective_kind kind = t->im->o.collective ? t->im->o.collective : t->kind;
    bool reduction = rwa_collective_is_reduction(kind);
    t->events = t->transfers;
    for (size_t i = 0; i < t->count; i++) {
        struct chakra_op *op = &t->ops[i], *receive = NULL;
        if (op->type == CHAKRA_SEND || op->type == CHAKRA_RECV)
            continue;
        for (size_t d = op->first_dep; reduction && op->type == CHAKRA_COMP && d < op->first_dep + op->dep_count; d++)
            if (t->ops[t->deps[d]].type == CHAKRA_RECV && !t->ops[t->deps[d]].reduces)
                receive = &t->ops[t->deps[d]];
        if (receive) {
            op->reduces = receive->reduces = true;
            op->block = receive->block;
            op->blocks = receive->blocks;
        }
        op->event = receive ? receive->event : t->events++;
    }
}

rwa_status chakra_resolve(struct chakra_traces *t)
{
    arena_new(&t->memory, t->send, t->count);
    arena_new(&t->memory, t->receive, t->count);
    MUST(arena_status(&t->memory));
    MUST(resolve_deps(t));
    MUST(join_ends(t));
    join_additions(t);
    return RWA_OK;
}

/* ---- when ---- */

static bool arrives(const struct chakra_op *op)
{
    return op->type == CHAKRA_RECV || op->reduces;
}

/** Two arrivals of which one replaces what is there cannot share a step. */
static bool clash(const struct chakra_op *a, const struct chakra_op *b)
{
    return a->block != CHAKRA_NONE && b->block != CHAKRA_NONE && !(a->reduces && b->reduces) && a->block < b->block + b->blocks &&
           b->block < a->block + a->blocks;
}

/** The least number of steps between an operation and one that depends on it. */
static uint32_t delay(const struct chakra_op *before, const struct chakra_op *op)
{
    if (before->type == CHAKRA_SEND)
        return 0;
    return op->type == CHAKRA_SEND || (arrives(before) && arrives(op) && clash(before, op));
}

rwa_status chakra_settle(uint32_t *step, const struct chakra_traces *t)
{
    struct import_wait *waits = NULL;
    size_t count = 0, endless = IMPORT_NO_WAIT;
    rwa_status st = RWA_OK;
    TRY(base_new(waits, t->dep_count, t->im->err));
    for (size_t i = 0; i < t->count; i++)
        for (size_t d = t->ops[i].first_dep; d < t->ops[i].first_dep + t->ops[i].dep_count; d++) {
            const struct chakra_op *before = &t->ops[t->deps[d]];
            assert(before->node == t->ops[i].node);
            if (before->event == t->ops[i].event && before != &t->ops[i])
                continue; /* an addition and its receive */
            waits[count++] = (struct import_wait){before->event, t->ops[i].event, delay(before, &t->ops[i]), i};
        }
    TRY(import_settle(step, &endless, t->events, waits, count, t->im->err));
    if (endless != IMPORT_NO_WAIT)
        st = chakra_fail(t, &t->ops[waits[endless].by], "waits for itself through others");
done:
    free(waits);
    return st;
}
