/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Makes messages of a schedule: first one for each block of a lightpath, then merges those of a step. */
#include "foreign/program/messages.h"

static rwa_status refuse(const struct export_request *r, const char *format, bool any)
{
    if (!any && r->coll->kind != RWA_ALL_GATHER && r->coll->kind != RWA_ALL_REDUCE)
        return base_refuse(r->err, "%s: expected an all-gather or an all-reduce, not %s", format,
                           rwa_collective_name(r->coll->kind));
    if (r->o.step)
        return base_refuse(r->err, "%s: a program holds every step, expected no single one", format);
    return RWA_OK;
}

/** Append to p->list a message of one block for each block that a lightpath carries. */
static rwa_status add_lightpath(struct messages *p, const struct walk *w)
{
    for (struct carried c = {0}; walk_next_block(&c, w);)
        MUST(base_append(p->list, p->count, p->r->err,
                         (struct message){.step = w->lp.step, .src = w->lp.src, .dst = w->lp.dst, .count = 1,
                                          .first = (uint32_t)c.block, .reduces = w->lp.op == RWA_REDUCE}));
    return RWA_OK;
}

static rwa_status collect(struct messages *p, const char *format)
{
    for (uint32_t step = p->r->from; step <= p->r->to; step++) {
        MUST(export_go_on(p->r, step));
        for (struct walk w = walk_step(p->r->sched, step); walk_next(&w);)
            MUST(add_lightpath(p, &w));
    }
    if (p->count >= INT32_MAX)
        return base_refuse(p->r->err, "%s: %zu blocks move, expected fewer than 2^31", format, p->count);
    return RWA_OK;
}

COMPARATOR(by_pair, struct message, UP(step) UP(src) UP(dst) UP(reduces) UP(first))
COMPARATOR(by_group, struct message, UP(step) UP(first) UP(src) UP(dst))

/** Tell whether `block`, a message of one block, can be merged into the message before it: same step, ends and
 *  operation, and the next block.  Outside reductions, a message must not mix blocks of its sender with those of other
 *  owners. */
static bool joins(const struct messages *p, const struct message *before, const struct message *block)
{
    const rwa_collective *coll = p->r->coll;
    bool same = before->step == block->step && before->src == block->src && before->dst == block->dst &&
                before->reduces == block->reduces && before->first + before->count == block->first;
    if (!same || p->reduction)
        return same;
    return (rwa_collective_owner(coll, before->first) == block->src) ==
           (rwa_collective_owner(coll, block->first) == block->src);
}

/** Mark in cut[] where a reduction must cut the messages of a step, those from `from` to just before `to`.  cut[b]
 *  becomes true if a run of consecutive blocks between two nodes begins at block b or ends before it. */
static void mark_cuts(bool *cut, const struct messages *p, const struct message *from, const struct message *to)
{
    for (const struct message *m = from; m < to; m++) {
        if (m == from || !joins(p, m - 1, m))
            cut[m->first] = true;
        if (m + 1 == to || !joins(p, m, m + 1))
            cut[m->first + 1] = true;
    }
}

/** Merge the blocks of each step in p->list into messages of at most `most` blocks.  In a reduction, cut all messages
 *  of a step at the same blocks, so that messages with common blocks have the same blocks. */
static rwa_status merge_steps(struct messages *p, uint32_t most)
{
    struct message *last = NULL, *end = p->list + p->count;
    bool *cut;
    MUST(arena_arrays(&p->r->memory, p->reduction ? (size_t)p->blocks + 1 : 0, cut));
    for (struct message *from = p->list, *to, *first; from < end; from = to) {
        first = last ? last + 1 : p->list;
        for (to = from; to < end && to->step == from->step; to++)
            ;
        if (p->reduction)
            mark_cuts(cut, p, from, to);
        for (const struct message *m = from; m < to; m++)
            if (last && last->count < most && joins(p, last, m) &&
                !(p->reduction && (cut[m->first] || m->first % most == 0)))
                last->count++;
            else
                *(last = last ? last + 1 : p->list) = *m;
        for (const struct message *m = first; p->reduction && m <= last; m++)
            cut[m->first] = cut[m->first + m->count] = false;
    }
    p->count = last ? (size_t)(last - p->list) + 1 : 0;
    return RWA_OK;
}

static void number_groups(struct messages *p)
{
    uint32_t groups = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        struct message *m = &p->list[i];
        bool same = p->reduction && i > 0 && m[-1].step == m->step && m[-1].first == m->first;
        groups += !same;
        m->group = groups - 1;
        assert(!same || m[-1].count == m->count);
    }
}

rwa_status messages_collect(struct messages *p, struct export_request *r, const char *format, bool any, uint32_t most)
{
    *p = (struct messages){.r = r, .nodes = rwa_network_nodes(r->net), .blocks = r->coll->blocks,
                          .reduction = rwa_collective_is_reduction(r->coll->kind)};
    MUST(refuse(r, format, any));
    MUST(collect(p, format));
    base_sort(p->list, p->count, by_pair);
    MUST(merge_steps(p, most));
    base_sort(p->list, p->count, by_group);
    number_groups(p);
    return RWA_OK;
}
