/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * From points to a wave.  Seen from a holder outwards in one direction, the links crossed by hops of an earlier step are
 * nearer than those that are not, and of one step those crossed by more hops are nearer.  Between the ends of two
 * hops come first the links served later on from the near end, then (nearest to the far end last) those served from the
 * far end, then the far end itself.
 */
#include "lattice/lattice_points.h"

#include <stdlib.h>
#include <string.h>

/** What follows part i of a point: more of the same direction, of the other one, or nothing. */
static int sequel(const struct coordinate *p)
{
    if (p[1].step == 0)
        return 2;
    return (p[1].hops > 0) != (p[0].hops > 0);
}

/** Order of two points round the ring, clockwise from the owner. */
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

static const struct coordinate *last_part(const struct coordinate *p)
{
    while (p[1].step != 0)
        p++;
    return p;
}

/** The nearest offset behind each one that is told earlier, for one direction; `stack` has room for all offsets. */
static void find_senders(struct wave *w, rwa_direction dir, uint32_t *stack)
{
    size_t depth = 1;
    stack[0] = 0;
    for (uint32_t i = 1; i < w->nodes; i++) {
        uint32_t v = dir == RWA_CW ? i : w->nodes - i;
        while (w->step[stack[depth - 1]] >= w->step[v])
            depth--;
        if (w->direction[v] == dir)
            w->from[v] = stack[depth - 1];
        stack[depth++] = v;
    }
}

rwa_status wave_create(struct wave *w, uint32_t nodes, uint32_t steps, rwa_error *err)
{
    *w = (struct wave){.nodes = nodes, .steps = steps};
    w->step = base_array(nodes, sizeof *w->step, err);
    w->from = base_array(nodes, sizeof *w->from, err);
    w->direction = base_array(nodes, sizeof *w->direction, err);
    return w->step && w->from && w->direction ? RWA_OK : RWA_NOMEM;
}

void wave_arrange(struct wave *w, const struct coordinate **point, uint32_t *stack)
{
    qsort(point + 1, w->nodes - 1, sizeof *point, by_place);
    for (uint32_t v = 1; v < w->nodes; v++) {
        const struct coordinate *last = last_part(point[v]);
        w->step[v] = last->step;
        w->direction[v] = last->hops > 0 ? RWA_CW : RWA_CCW;
    }
    find_senders(w, RWA_CW, stack);
    find_senders(w, RWA_CCW, stack);
}

rwa_status wave_lay(struct wave *w, const struct lattice_points *points, uint32_t steps, rwa_error *err)
{
    const struct coordinate **order = base_array(points->count, sizeof *order, err);
    uint32_t *stack = base_array(points->count, sizeof *stack, err);
    rwa_status st = wave_create(w, (uint32_t)points->count, steps, err);
    if (!order || !stack)
        st = RWA_NOMEM;
    TRY(st);
    for (size_t i = 0; i < points->count; i++)
        order[i] = points->coordinate + i * points->width;
    wave_arrange(w, order, stack);
done:
    free(order);
    free(stack);
    return st;
}

void wave_free(struct wave *w)
{
    free(w->step);
    free(w->from);
    free(w->direction);
    memset(w, 0, sizeof *w);
}

uint32_t wave_hops(const struct wave *w, uint32_t v)
{
    uint32_t from = w->from[v];
    if (w->direction[v] == RWA_CW)
        return v - from;
    return (from == 0 ? w->nodes : from) - v;
}
