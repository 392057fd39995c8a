/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/arcs.h"

static rwa_status arcs_allocate(struct arcs *a, const rwa_problem *p, rwa_error *err)
{
    a->arena.err = err;
    arena_arrays(&a->arena, p->paths, a->from, a->to, a->many, a->member);
    arena_new(&a->arena, a->first, p->paths + 1);
    return arena_arrays(&a->arena, (size_t)p->links + 2, a->ends);
}

void arcs_free(struct arcs *arcs)
{
    arena_free(&arcs->arena);
}

/* Make one kind of each run of equal arcs in a->member, which is sorted so that equal arcs are neighbours. */
static void gather(struct arcs *a, const uint32_t *from, const uint32_t *to)
{
    assert(a->kinds == 0);
    for (size_t i = 0; i < a->paths; i++) {
        uint32_t path = a->member[i];
        int k = a->kinds - 1;
        if (k < 0 || a->from[k] != from[path] || a->to[k] != to[path]) {
            k = a->kinds++;
            a->from[k] = from[path];
            a->to[k] = to[path];
            a->first[k] = i;
        }
        a->many[k]++;
    }
    a->first[a->kinds] = a->paths;
}

static void index_ends(struct arcs *a)
{
    while (a->straight < a->kinds && a->to[a->straight] <= a->links)
        a->ends[a->to[a->straight++] + 1]++;
    for (uint32_t x = 0; x <= a->links; x++)
        a->ends[x + 1] += a->ends[x];
}

rwa_status arcs_create(struct arcs *a, const struct solve *run)
{
    const rwa_problem *p = run->problem;
    rwa_status st = RWA_OK;
    uint32_t *to = NULL;
    TRY(arcs_allocate(a, p, run->err));
    TRY(base_new(to, p->paths, run->err));
    a->links = p->links;
    a->paths = p->paths;
    for (size_t i = 0; i < p->paths; i++)
        to[i] = p->start[i] + path_length(p, i);
    TRY(sort_all_by(a->member, p->paths, p->start, p->links, run->err));
    TRY(sort_by(a->member, p->paths, to, 2 * p->links, run->err));
    gather(a, p->start, to);
    index_ends(a);
done:
    free(to);
    return st;
}

int64_t arcs_pack(const struct arcs *a, struct arc_packing *work, const int64_t *weight, int over, int *set, int *n)
{
    assert(over < a->kinds && (over < 0 || over >= a->straight));
    uint32_t low = over < 0 ? 0 : a->to[over] - a->links;
    uint32_t high = over < 0 ? a->links : a->from[over];
    work->best[low] = 0;
    for (uint32_t x = low + 1; x <= high; x++) {
        work->best[x] = work->best[x - 1];
        work->last[x] = -1;
        for (int k = a->ends[x]; k < a->ends[x + 1]; k++)
            if (a->from[k] >= low && work->best[a->from[k]] + weight[k] > work->best[x]) {
                work->best[x] = work->best[a->from[k]] + weight[k];
                work->last[x] = k;
            }
    }
    *n = 0;
    if (over >= 0)
        set[(*n)++] = over;
    for (uint32_t x = high; x > low; x = work->last[x] < 0 ? x - 1 : a->from[work->last[x]])
        if (work->last[x] >= 0)
            set[(*n)++] = work->last[x];
    return work->best[high] + (over < 0 ? 0 : weight[over]);
}
