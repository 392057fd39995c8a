/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/program/messages.h"

/** A block that moves. */
struct unit {
    uint32_t step, src, dst, block;
    bool reduces;
};

struct units {
    struct export_request *r;
    struct unit *list;
    size_t count, capacity;
};

static rwa_status refuse(const struct export_request *r, const char *format, bool any)
{
    if (!any && r->coll->kind != RWA_ALL_GATHER && r->coll->kind != RWA_ALL_REDUCE)
        return base_refuse(r->err, "%s: expected an all-gather or an all-reduce, not %s", format,
                           rwa_collective_name(r->coll->kind));
    if (r->o.step)
        return base_refuse(r->err, "%s: a program holds every step, expected no single one", format);
    return RWA_OK;
}

static rwa_status add_lightpath(struct units *u, const struct walk *w)
{
    rwa_run one;
    uint32_t runs = 0;
    rwa_lists lists = schedule_lists(u->r->sched, w->record);
    const rwa_run *list;
    runs = rwa_lists_runs(&list, &one, &w->whole, &lists);
    for (uint32_t i = 0; i < runs; i++)
        for (uint32_t k = 0; k < list[i].count; k++)
            MUST(base_append(u->list, u->count, u->capacity, u->r->err,
                             (struct unit){w->lp.step, w->lp.src, w->lp.dst,
                                           (uint32_t)walk_block(w, list[i].first + (uint64_t)k * list[i].stride),
                                           w->lp.op == RWA_REDUCE}));
    return RWA_OK;
}

static rwa_status collect(struct units *u, const char *format)
{
    for (uint32_t step = u->r->from; step <= u->r->to; step++) {
        MUST(export_go_on(u->r, step));
        for (struct walk w = walk_step(u->r->sched, step); walk_next(&w);)
            MUST(add_lightpath(u, &w));
    }
    if (u->count >= INT32_MAX)
        return base_refuse(u->r->err, "%s: %zu blocks move, expected fewer than 2^31", format, u->count);
    return RWA_OK;
}

COMPARATOR(by_pair, struct unit, UP(step) UP(src) UP(dst) UP(reduces) UP(block))
COMPARATOR(by_group, struct message, UP(step) UP(first) UP(src) UP(dst))

/** Whether a block of the list can travel in the message of the one before it. */
static bool joins(const struct messages *p, const struct units *u, size_t i)
{
    if (i == 0 || i == u->count)
        return false;
    const struct unit *before = &u->list[i - 1], *now = &u->list[i];
    bool same = before->step == now->step && before->src == now->src && before->dst == now->dst &&
                before->reduces == now->reduces && before->block + 1 == now->block;
    assert(before->block < p->blocks && now->block < p->blocks);
    if (!same || p->reduction)
        return same;
    const rwa_collective *coll = p->r->coll;
    return (rwa_collective_owner(coll, before->block) == now->src) ==
           (rwa_collective_owner(coll, now->block) == now->src);
}

/** Mark, in a reduction, the first block of each message of a step and the block after its last one, so that all
 * messages are cut there; or remove the marks. */
static void mark_cuts(bool *cut, const struct messages *p, const struct units *u, size_t from, size_t to, bool mark)
{
    for (size_t i = from; i < to; i++) {
        uint32_t block = u->list[i].block;
        if (!joins(p, u, i))
            cut[block] = mark;
        if (!joins(p, u, i + 1) && block + 1 < p->blocks)
            cut[block + 1] = mark;
    }
}

/** Merge the blocks of a step into messages.  In a reduction the messages of the same blocks form a group, and messages
 * limited to `most` blocks all end at the same blocks. */
static void merge(struct messages *p, const struct units *u, size_t from, size_t to, const bool *cut, uint32_t most)
{
    for (size_t i = from; i < to; i++) {
        const struct unit *unit = &u->list[i];
        struct message *last = p->count ? &p->list[p->count - 1] : NULL;
        bool apart = p->reduction && (cut[unit->block] || unit->block % most == 0);
        if (last && last->count < most && !apart && joins(p, u, i))
            last->count++;
        else
            p->list[p->count++] = (struct message){.step = unit->step,
                                                   .src = unit->src,
                                                   .dst = unit->dst,
                                                   .first = unit->block,
                                                   .count = 1,
                                                   .reduces = unit->reduces};
    }
}

static rwa_status merge_steps(struct messages *p, const struct units *u, uint32_t most)
{
    bool *cut = NULL;
    rwa_status st = RWA_OK;
    TRY(base_new(p->list, u->count, p->r->err));
    TRY(base_new(cut, p->reduction ? (size_t)p->blocks : 0, p->r->err));
    for (size_t from = 0, to; from < u->count; from = to) {
        for (to = from; to < u->count && u->list[to].step == u->list[from].step; to++)
            ;
        if (p->reduction)
            mark_cuts(cut, p, u, from, to, true);
        merge(p, u, from, to, cut, most);
        if (p->reduction)
            mark_cuts(cut, p, u, from, to, false);
    }
done:
    free(cut);
    return st;
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
    struct units u = {.r = r};
    rwa_status st = RWA_OK;
    *p = (struct messages){.r = r, .nodes = rwa_network_nodes(r->net), .blocks = r->coll->blocks,
                          .reduction = rwa_collective_is_reduction(r->coll->kind)};
    TRY(refuse(r, format, any));
    TRY(collect(&u, format));
    base_sort(u.list, u.count, by_pair);
    TRY(merge_steps(p, &u, most));
    assert(p->count <= u.count);
    qsort(p->list, p->count, sizeof *p->list, by_group);
    number_groups(p);
done:
    free(u.list);
    return st;
}

void messages_free(struct messages *p)
{
    free(p->list);
}

uint32_t messages_first(const struct messages *p, uint32_t node)
{
    return (uint32_t)(((uint64_t)node * p->blocks + p->nodes - 1) /
                      p->nodes); /* the least b with floor(b nodes / blocks) = node */
}

uint32_t messages_owned(const struct messages *p, uint32_t node)
{
    assert(node < p->nodes);
    return messages_first(p, node + 1) - messages_first(p, node);
}
