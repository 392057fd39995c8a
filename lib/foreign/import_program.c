/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/import_program.h"

rwa_status acts_fail(const struct import *im, const struct import_act *act, const char *format, ...)
{
    char text[RWA_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (im->text)
        return import_fail(im, act ? act->place : 1, "%s", text);
    if (!act)
        return base_fail(im->err, RWA_FORMAT, "%s: %s", im->path, text);
    return base_fail(im->err, RWA_FORMAT, "%s, node %u: operation %zu: %s", im->path, act->node, act->place,
                     text);
}

rwa_status acts_append(struct import *im, const struct import_act *act, uint32_t thread, uint64_t number)
{
    MUST(base_append(im->names, im->name_count, im->err,
                     (struct import_name){act->node, thread, number, im->act_count}));
    return base_append(im->acts, im->act_count, im->err, *act);
}

rwa_status acts_wait(struct import *im, size_t from, size_t to)
{
    return base_append(im->waits, im->wait_count, im->err, (struct import_wait){from, to});
}

rwa_status acts_await(struct import *im, uint32_t node, uint32_t thread, uint64_t number)
{
    return base_append(im->awaited, im->awaited_count, im->err,
                       (struct import_name){node, thread, number, im->act_count});
}

COMPARATOR(by_name, struct import_name, UP(node) UP(thread) UP(number))
COMPARATOR(by_name_and_act, struct import_name, UP(node) UP(thread) UP(number) UP(act))

/** Turn each call of acts_await() into a wait for the last act of the operation.  RWA_FORMAT: there is no such
 *  operation, or two have the same number. */
static rwa_status link_acts(struct import *im)
{
    const struct import_name *names = im->names;
    base_sort(im->names, im->name_count, by_name_and_act);
    for (size_t i = 1; i < im->name_count; i++)
        if (by_name(&names[i - 1], &names[i]) == 0 && im->acts[names[i - 1].act].place != im->acts[names[i].act].place)
            return acts_fail(im, &im->acts[names[i].act], "id %" PRIu64 " a second time, expected each once",
                             names[i].number);
    for (const struct import_name *a = im->awaited; a < im->awaited + im->awaited_count; a++) {
        struct import_name end = {a->node, a->thread, a->number, SIZE_MAX};
        size_t at = base_first_from(names, im->name_count, sizeof end, &end, by_name_and_act);
        if (at == 0 || by_name(&names[at - 1], a) != 0)
            return acts_fail(im, &im->acts[a->act], "depends on id %" PRIu64 ", which %snode %u has not", a->number,
                             im->text ? "that thread block of " : "", a->node);
        MUST(acts_wait(im, names[at - 1].act, a->act));     /* the last act of the operation */
    }
    return RWA_OK;
}

/* ---- sends meet receives ---- */

struct end {
    uint64_t src, dst, channel;
    size_t act;
};

COMPARATOR(by_channel, struct end, UP(src) UP(dst) UP(channel))
COMPARATOR(by_act, struct end, UP(src) UP(dst) UP(channel) UP(act))

static size_t collect_ends(struct end *ends, const struct import *im, enum act_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < im->act_count; i++)
        if (im->acts[i].kind == kind)
            ends[count++] = (struct end){im->acts[i].src, im->acts[i].dst, im->acts[i].channel, i};
    base_sort(ends, count, by_act);
    return count;
}

static rwa_status alone(const struct import *im, const struct import_act *act)
{
    bool sends = act->kind == ACT_SEND;
    return acts_fail(im, act, "%s node %" PRIu64 " %s %" PRIu64 ", which does not %s it",
                     sends ? "sends to" : "receives from", sends ? act->dst : act->src,
                     im->text ? "on channel" : "with tag", act->channel, sends ? "receive" : "send");
}

static rwa_status join(const struct import *im, struct import_act *send, struct import_act *receive)
{
    if (send->bytes != receive->bytes && send->bytes != ACT_UNKNOWN && receive->bytes != ACT_UNKNOWN)
        return acts_fail(im, receive, "receives %" PRIu64 " bytes, node %u sends %" PRIu64, receive->bytes,
                         send->node, send->bytes);
    struct import_act *named = send->count > 0 ? send : receive, *other = send->count > 0 ? receive : send;
    if (other->count > 0 && (other->count != named->count || other->block != named->block))
        return acts_fail(im, receive,
                         "receives %" PRIu64 " chunks from chunk %" PRIu64 " on, node %u sends %" PRIu64
                         " from chunk %" PRIu64 " on (%zu): chunks that change places are not read",
                         receive->count, receive->block, send->node, send->count, send->block, send->place);
    other->block = named->block;
    other->count = named->count;
    receive->event = send->event;
    return RWA_OK;
}

rwa_status acts_pair(struct import *im)
{
    struct end *sends = NULL;
    rwa_status st = RWA_OK;
    MUST(link_acts(im));
    TRY(base_new(sends, 2 * im->act_count, im->err));
    for (size_t i = 0; i < im->act_count; i++)
        im->acts[i].event = i;
    struct end *receives = sends + im->act_count;
    size_t send_count = collect_ends(sends, im, ACT_SEND), receive_count = collect_ends(receives, im, ACT_RECEIVE);
    for (size_t i = 0; i < send_count || i < receive_count; i++) {
        int order = i == send_count ? 1 : i == receive_count ? -1 : by_channel(&sends[i], &receives[i]);
        if (order != 0)
            TRY(alone(im, &im->acts[order < 0 ? sends[i].act : receives[i].act]));
        TRY(join(im, &im->acts[sends[i].act], &im->acts[receives[i].act]));
    }
    if (send_count == 0)
        st = acts_fail(im, NULL, "nothing is sent");
done:
    free(sends);
    return st;
}

rwa_status acts_add(struct import *im)
{
    double moved = 0;
    for (size_t i = 0; i < im->act_count; i++)
        moved += im->acts[i].kind == ACT_RECEIVE ? (double)im->acts[i].count : 0;
    MUST(base_fits_memory(moved * sizeof *im->list, "this program", im->err));
    for (size_t i = 0; i < im->act_count; i++) {
        const struct import_act *a = &im->acts[i];
        rwa_transfer t = {.step = im->acts[a->event].step, .src = (uint32_t)a->src, .dst = (uint32_t)a->dst,
                          .op = a->reduces ? RWA_REDUCE : RWA_COPY};
        for (uint64_t k = 0; a->kind == ACT_RECEIVE && k < a->count; k++) {
            t.block = a->block + k;
            MUST(import_add(im, &t));
        }
    }
    return RWA_OK;
}
