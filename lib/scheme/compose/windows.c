/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gathers by growing windows (Bruck, Ho, Kipnis, Upfal, Weathersby, 1997).  The nodes form a circle, and a node's
 * window is the run of consecutive blocks that it holds, beginning with its own.  In each step a node receives the
 * blocks that follow its window from up to k nodes ahead (k ports).  Sums between nodes at the same place of all groups
 * use the same pattern. */
#include "scheme/compose/matchings.h"

struct windows {
    struct matchings *m;
    const struct window_groups *g;
    uint64_t all, have; /* blocks of the circle, and of a window */
};

/** Return the node at a place of a group, modulo the group's size; with g->mirror places are counted backwards. */
static uint32_t node_at(const struct window_groups *g, uint32_t group, uint64_t place)
{
    uint32_t a = (uint32_t)(place % g->size);
    return group * g->size + (g->mirror ? (g->size - a) % g->size : a);
}

static void send_range(struct windows *w, uint64_t first, uint64_t count)
{
    const struct window_groups *g = w->g;
    uint64_t from = first % w->all;
    if (g->mirror) /* class a counted backwards, and so are the blocks in it */
        from = (w->all + g->scale - from + w->all - count) % w->all;
    matchings_range(w->m, from, count, w->all);
}

/** Send every node `count` blocks on a port, from the node `ahead` places ahead of it.  The blocks are numbered from
 * the receiver's own first block; `start` is the first one sent. */
static void take(struct windows *w, uint32_t port, uint64_t ahead, uint64_t start, uint64_t count)
{
    const struct window_groups *g = w->g;
    uint32_t groups = w->m->timed ? 1 : g->groups, places = w->m->timed ? 1 : g->size;
    uint64_t pattern = (uint64_t)g->size << 32 | ahead; /* a mirror is run backwards: then it leads the same way */
    assert(ahead > 0 && ahead < g->size && start + count <= ahead * g->scale + w->have);
    for (uint32_t b = 0; b < groups; b++)
        for (uint32_t a = 0; a < places; a++) {
            matchings_send(w->m, port, pattern, node_at(g, b, a + ahead), node_at(g, b, a), count);
            send_range(w, a * g->scale + start, count);
        }
}

/** Append one step in which the window of every node grows to `goal` blocks; each port receives from a different
 * distance ahead. */
static void spread(struct windows *w, uint64_t goal)
{
    uint64_t scale = w->g->scale, count = goal - w->have, ports = w->m->fabric.ports, share = ceil_div(count, ports);
    bool slack = share + scale <= w->have + 1 && w->m->fabric.alike >= ports;
    if (!slack) /* whole classes, so that what a node ahead is asked for is in its window */
        share = ceil_div(count / scale, ports) * scale;
    assert(share <= w->have);
    matchings_begin(w->m);
    for (uint64_t at = 0, port = 0; at < count; at += share, port++) {
        uint64_t start = w->have + at;
        take(w, (uint32_t)port, start / scale, start, count - at < share ? count - at : share);
    }
}

void phase_windows(struct matchings *m, const struct window_groups *g, const struct term *stage)
{
    struct windows w = {m, g, g->size * g->scale, g->scale};
    for (uint32_t e = 0; e < stage->numbers; e++) {
        uint64_t goal = w.have * stage->number[e] < w.all ? w.have * stage->number[e] : w.all;
        if (goal == w.have)
            continue;
        spread(&w, goal);
        w.have = goal;
    }
    assert(m->status != RWA_OK || w.have == w.all);
}

/* ---- sums ---- */

/** Append one step of sums between groups.  Every node adds the sums of the nodes at its own place in `radix` - 1 other
 * groups, those `unit`, 2 * unit … groups ahead.  Each transfer is spread over the ports available for it. */
static void sum_stage(struct matchings *m, const struct window_groups *g, uint64_t unit, uint32_t radix)
{
    uint32_t nodes = m->fabric.nodes, places = m->timed ? 1 : nodes,
             ports = lesser(m->fabric.ports / (radix - 1), m->fabric.alike);
    uint64_t blocks = g->scale;
    matchings_begin(m);
    for (uint32_t j = 1; j < radix; j++)
        for (uint32_t p = 0; p < ports; p++) {
            uint64_t from = blocks * p / ports, to = blocks * (p + 1) / ports;
            uint64_t shift = j * unit * g->size, pattern = UINT64_C(1) << 63 | shift;
            for (uint32_t v = 0; v < places && to > from; v++) {
                matchings_send(m, (j - 1) * ports + p, pattern, (uint32_t)((v + shift) % nodes), v, to - from);
                matchings_range(m, v % g->size * g->scale + from, to - from, g->size * g->scale);
            }
        }
}

void phase_sums(struct matchings *m, const struct window_groups *g, const struct term *sum)
{
    uint64_t unit = 1;
    size_t from = m->turns;
    for (uint32_t e = 0; e < sum->numbers; e++) {
        assert(sum->number[e] >= 2 && sum->number[e] <= m->fabric.ports + 1);
        sum_stage(m, g, unit, sum->number[e]);
        unit *= sum->number[e];
    }
    for (size_t t = from; t < m->turns && m->status == RWA_OK; t++)
        m->turn[t].op = RWA_REDUCE;
    assert(unit == g->groups);
}
