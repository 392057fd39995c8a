/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * From lattice points to a template tree.  Each point stands for a link, seen from a holder outwards in one
 * direction. Links crossed by lightpaths of an earlier step are nearer than the others; among those of one step,
 * links crossed by more lightpaths are nearer.  The links between the ends of two lightpaths come in this order:
 * those served later from the near end, those served later from the far end (the nearest to the far end last), the
 * link of the far end itself.
 */
#include "delivery/ring/broadcast_tree.h"

#include "base/arena.h"
#include "rwa/network.h"

/** Return 0 if coordinate p of a lattice point and the next coordinate have the same direction, 1 if the directions
 * differ, 2 if p is the last coordinate. */
static int sequel(const struct coordinate *p)
{
    return p[1].step == 0 ? 2 : (p[1].hops > 0) != (p[0].hops > 0);
}

/** Compare two lattice points by the order of their nodes round the ring, clockwise from the owner; for qsort(). */
static int by_place(const void *a, const void *b)
{
    const struct coordinate *x = *(const struct coordinate *const *)a, *y = *(const struct coordinate *const *)b;
    if ((x->hops > 0) != (y->hops > 0))
        return x->hops > 0 ? -1 : 1;
    int outward = x->hops > 0 ? 1 : -1;
    for (;; x++, y++) {
        if (x->step != y->step)
            return x->step < y->step ? -outward : outward;
        if (x->hops != y->hops)
            return abs(x->hops) > abs(y->hops) ? -outward : outward;
        int after_x = sequel(x), after_y = sequel(y);
        if (after_x != after_y)
            return after_x < after_y ? -outward : outward;
        if (after_x == 2)
            return 0;
        if (after_x == 1)
            outward = -outward;
    }
}

static const struct coordinate *last_coordinate(const struct coordinate *p)
{
    assert(p->step > 0);
    while (p[1].step != 0)
        p++;
    return p;
}

/** Set row[v].from and row[v].links, the sender and the length of the lightpath, for each offset v that receives in
 * direction `dir`.  The sender is the nearest offset against this direction that is informed in an earlier step.
 * `stack` is scratch with an entry for each offset. */
static void find_senders(struct delivery *row, uint32_t nodes, rwa_direction dir, uint32_t *stack)
{
    size_t depth = 1;
    stack[0] = 0;
    for (uint32_t i = 1; i < nodes; i++) {
        uint32_t v = dir == RWA_CW ? i : nodes - i;
        while (row[stack[depth - 1]].step >= row[v].step)
            depth--;
        assert(depth > 0);
        if (row[v].way == dir) {
            row[v].from = stack[depth - 1];
            row[v].links = dir == RWA_CW ? v - row[v].from : (row[v].from == 0 ? nodes : row[v].from) - v;
        }
        stack[depth++] = v;
    }
}

void broadcast_tree_arrange(struct delivery *row, uint32_t nodes, const struct coordinate **point, uint32_t *stack)
{
    assert(point[0]->step == 0);
    qsort(point + 1, nodes - 1, sizeof *point, by_place);
    for (uint32_t v = 1; v < nodes; v++) {
        const struct coordinate *last = last_coordinate(point[v]);
        row[v] = (struct delivery){.step = last->step, .way = last->hops > 0 ? RWA_CW : RWA_CCW, .ends = true};
    }
    find_senders(row, nodes, RWA_CW, stack);
    find_senders(row, nodes, RWA_CCW, stack);
}

rwa_status broadcast_tree_place(struct delivery_tree *t, const struct lattice_points *points, uint32_t steps,
                                rwa_error *err)
{
    struct arena scratch = {.err = err};
    const struct coordinate **order;
    uint32_t *stack;
    rwa_status st = RWA_OK;
    TRY(delivery_tree_create(t, 1, (uint32_t)points->count, steps, err));
    TRY(arena_arrays(&scratch, points->count, order, stack));
    for (size_t i = 0; i < points->count; i++)
        order[i] = lattice_point(points, i);
    broadcast_tree_arrange(t->at, t->nodes, order, stack);
    delivery_tree_check(t);
done:
    arena_free(&scratch);
    return st;
}
