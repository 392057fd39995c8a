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
    const char *what = rwa_schedule_members(r->sched) ? "that only some nodes take part"
                       : rwa_schedule_receivers(r->sched) > 1 ? "lightpaths that several nodes read" : NULL;
    if (!any && r->coll->kind != RWA_ALL_GATHER && r->coll->kind != RWA_ALL_REDUCE)
        return base_fail(r->err, RWA_BADARG, "%s: expected an all-gather or an all-reduce, not %s", format,
                         rwa_collective_name(r->coll->kind));
    if (r->o.step)
        return base_fail(r->err, RWA_BADARG, "%s: a program holds every step, expected no single one", format);
    if (what)
        return base_fail(r->err, RWA_BADARG, "%s: it cannot express %s, expected another format, such as csv", format, what);
    return RWA_OK;
}

static rwa_status add_unit(struct units *u, const struct walk *w, uint64_t block)
{
    return base_append(u->list, u->count, u->capacity, u->r->err,
                       (struct unit){w->lp.step, w->lp.src, w->lp.dst, (uint32_t)block, w->lp.op == RWA_REDUCE});
}

static rwa_status add_lightpath(struct units *u, const struct walk *w)
{
    rwa_run one;
    uint32_t runs = 0;
    rwa_lists lists = schedule_lists(u->r->sched, w->record);
    const rwa_run *list = rwa_lists_runs(&runs, &one, &w->whole, &lists);
    for (uint32_t i = 0; i < runs; i++)
        for (uint32_t k = 0; k < list[i].count; k++)
            MUST(add_unit(u, w, walk_block(w, list[i].first + (uint64_t)k * list[i].stride)));
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
        return base_fail(u->r->err, RWA_BADARG, "%s: %zu blocks move, expected fewer than 2^31", format, u->count);
    return RWA_OK;
}

COMPARATOR(by_pair, struct unit, UP(step) UP(src) UP(dst) UP(reduces) UP(block))
COMPARATOR(by_group, struct message, UP(step) UP(first) UP(src) UP(dst))

/** Whether a block can travel in the message of the one before it. */
static bool joins(const struct messages *p, const struct unit *before, const struct unit *now)
{
    bool same = before->step == now->step && before->src == now->src && before->dst == now->dst && before->reduces == now->reduces &&
                before->block + 1 == now->block;
    assert(before->block < p->blocks && now->block < p->blocks);
    if (!same || p->reduction)
        return same;
    const rwa_collective *coll = p->r->coll;
    return (rwa_collective_owner(coll, before->block) == now->src) == (rwa_collective_owner(coll, now->block) == now->src);
}

static void merge(struct messages *p, const struct unit *list, size_t count, const bool *cut, uint32_t most)
{
    for (size_t i = 0; i < count; i++) {
        struct message *last = p->count ? &p->list[p->count - 1] : NULL;
        if (i > 0 && last && last->count < most && joins(p, &list[i - 1], &list[i]) && !(cut && cut[list[i].block]))
            last->count++;
        else
            p->list[p->count++] = (struct message){.step = list[i].step, .src = list[i].src, .dst = list[i].dst, .first = list[i].block,
                                                   .count = 1, .reduces = list[i].reduces};
    }
}

/** Reductions: mark the blocks at which a message of the step begins or behind which one ends, so that all are cut there. */
static void find_cuts(bool *cut, const struct messages *p, const struct unit *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !joins(p, &list[i - 1], &list[i]))
            cut[list[i].block] = true;
        if ((i + 1 == count || !joins(p, &list[i], &list[i + 1])) && list[i].block + 1 < p->blocks)
            cut[list[i].block + 1] = true;
    }
}

static rwa_status merge_steps(struct messages *p, const struct units *u, uint32_t most)
{
    bool *cut = p->reduction ? base_array((size_t)p->blocks, sizeof *cut, p->r->err) : NULL;
    if (p->reduction && !cut)
        return RWA_NOMEM;
    for (size_t i = 0, next; i < u->count; i = next) {
        for (next = i; next < u->count && u->list[next].step == u->list[i].step; next++)
            ;
        for (uint64_t b = most; cut && b < p->blocks; b += most)
            cut[b] = true; /* so that messages of `most` blocks end at the same places */
        if (cut)
            find_cuts(cut, p, u->list + i, next - i);
        merge(p, u->list + i, next - i, cut, most);
        for (uint64_t b = 0; cut && b < p->blocks; b++)
            cut[b] = false;
    }
    free(cut);
    return RWA_OK;
}

static void number_groups(struct messages *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const struct message *m = &p->list[i], *before = i ? m - 1 : NULL;
        bool same = p->reduction && before && before->step == m->step && before->first == m->first;
        p->groups += !same;
        p->list[i].group = p->groups - 1;
        assert(!same || before->count == m->count);
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
    p->list = base_array(u.count, sizeof *p->list, r->err);
    st = p->list ? merge_steps(p, &u, most) : RWA_NOMEM;
    TRY(st);
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
    return (uint32_t)(((uint64_t)node * p->blocks + p->nodes - 1) / p->nodes); /* the least b with floor(b nodes / blocks) = node */
}

uint32_t messages_owned(const struct messages *p, uint32_t node)
{
    assert(node < p->nodes);
    return messages_first(p, node + 1) - messages_first(p, node);
}
