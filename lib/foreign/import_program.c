/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/import_program.h"

rwa_status acts_fail(const struct import_program *p, const struct import_act *act, const char *format, ...)
{
    char text[RWA_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!p->by_node)
        return import_fail(p->im, act ? act->place : 1, "%s", text);
    if (!act)
        return base_fail(p->im->err, RWA_FORMAT, "%s: %s", p->im->path, text);
    return base_fail(p->im->err, RWA_FORMAT, "%s, node %" PRIu32 ": operation %zu: %s", p->im->path, act->node, act->place, text);
}

rwa_status acts_wait(struct import_program *p, size_t from, size_t to)
{
    return base_append(p->waits, p->wait_count, p->wait_capacity, p->im->err, (struct import_wait){from, to});
}

/* ---- sends meet receives ---- */

struct end {
    uint32_t src, dst;
    uint64_t channel;
    size_t act;
};

COMPARATOR(by_channel, struct end, UP(src) UP(dst) UP(channel))
COMPARATOR(by_act, struct end, UP(src) UP(dst) UP(channel) UP(act))

static size_t collect_ends(struct end *ends, const struct import_program *p, enum act_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->acts[i].kind == kind)
            ends[count++] = (struct end){p->acts[i].src, p->acts[i].dst, p->acts[i].channel, i};
    base_sort(ends, count, by_act);
    return count;
}

static rwa_status alone(const struct import_program *p, const struct import_act *act)
{
    bool sends = act->kind == ACT_SEND;
    return acts_fail(p, act, "%s node %" PRIu32 " %s %" PRIu64 ", which does not %s it", sends ? "sends to" : "receives from",
                        sends ? act->dst : act->src, p->channel_name, act->channel, sends ? "receive" : "send");
}

rwa_status acts_pair(struct import_program *p)
{
    struct end *sends = base_array(2 * p->count, sizeof *sends, p->im->err), *receives;
    rwa_status st = sends ? RWA_OK : RWA_NOMEM;
    TRY(st);
    p->memory.err = p->im->err;
    arena_new(&p->memory, p->event, p->count);
    arena_new(&p->memory, p->step, p->count);
    TRY(arena_status(&p->memory));
    for (size_t i = 0; i < p->count; i++)
        p->event[i] = i;
    receives = sends + p->count;
    size_t send_count = collect_ends(sends, p, ACT_SEND), receive_count = collect_ends(receives, p, ACT_RECEIVE);
    for (size_t i = 0; i < send_count || i < receive_count; i++) {
        int order = i == send_count ? 1 : i == receive_count ? -1 : by_channel(&sends[i], &receives[i]);
        if (order != 0)
            TRY(alone(p, &p->acts[order < 0 ? sends[i].act : receives[i].act]));
        TRY(p->join(p, sends[i].act, receives[i].act));
        p->event[receives[i].act] = sends[i].act;
    }
    if (send_count == 0)
        st = acts_fail(p, NULL, "nothing is sent");
done:
    free(sends);
    return st;
}

/* ---- steps ---- */

/** Two arrivals of which one replaces what is there cannot share a step. */
static bool clash(const struct import_act *a, const struct import_act *b)
{
    return !(a->reduces && b->reduces) && a->block < b->block + b->count && b->block < a->block + a->count;
}

uint32_t import_delay(const struct import_act *from, const struct import_act *to)
{
    return from->kind < ACT_RECEIVE ? 0 : to->kind < ACT_RECEIVE || clash(from, to);
}

rwa_status acts_settle(struct import_program *p)
{
    const struct import_act *endless = NULL;
    MUST(import_settle(p, &endless));
    return endless ? acts_fail(p, endless, "waits for itself through others") : RWA_OK;
}

rwa_status acts_add(const struct import_program *p)
{
    double moved = 0;
    for (size_t i = 0; i < p->count; i++)
        moved += p->acts[i].kind == ACT_RECEIVE ? (double)p->acts[i].count : 0;
    MUST(base_fits_memory(moved * sizeof *p->im->list, "this program", p->im->err));
    for (size_t i = 0; i < p->count; i++) {
        const struct import_act *a = &p->acts[i];
        rwa_transfer t = {.step = p->step[p->event[i]], .src = a->src, .dst = a->dst, .op = a->reduces ? RWA_REDUCE : RWA_COPY};
        for (uint64_t k = 0; a->kind == ACT_RECEIVE && k < a->count; k++) {
            t.block = a->block + k;
            MUST(import_add(p->im, &t));
        }
    }
    return RWA_OK;
}

void acts_free(struct import_program *p)
{
    arena_free(&p->memory);
    free_all(p->acts, p->waits);
}
