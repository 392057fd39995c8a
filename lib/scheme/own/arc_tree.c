/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Trees on rings and lines, whose lightpaths are all up at once: two paths round a ring, one in each direction, or one
 * tree of few steps.
 *
 * A holder informs the nodes on one side of it, with `ahead` channels free in that direction and `back` in the other.
 * It sends one lightpath ahead.  The nodes before the end of the lightpath are informed by the holder, with one channel
 * less, and backwards by the end node; those beyond it by the end node alone.  docs/reference/schemes.md, "Pipelined
 * trees on rings and lines".
 */
#include "scheme/own/disjoint_trees.h"

#include "base/arithmetic.h"

struct tree_maker {
    struct disjoint_trees *t;
    uint32_t tree, hops;        /* of a lightpath, at most */
    uint32_t *most;             /* [steps][ahead][back]: nodes on one side informed in so many steps, at most all */
};

/** A set of consecutive nodes to be informed, on one side of a holder. */
struct side {
    uint32_t holder, nodes;
    bool ccw;
    uint32_t ahead, back;       /* free channels */
};

static uint32_t *most_of(const struct tree_maker *m, uint32_t steps, uint32_t ahead, uint32_t back)
{
    uint32_t width = m->t->width;
    assert(ahead <= width && back <= width);
    return &m->most[((size_t)steps * (width + 1) + ahead) * (width + 1) + back];
}

/** Compute m->most for `steps` steps from the entries for one step less: the most nodes on one side of a holder that
 * can be informed in that time, for each number of free channels ahead and back. */
static void count_step(const struct tree_maker *m, uint32_t steps)
{
    for (uint32_t ahead = 1; ahead <= m->t->width; ahead++)
        for (uint32_t back = 0; back <= m->t->width; back++) {
            uint64_t before =
                (uint64_t)*most_of(m, steps, ahead - 1, back) + *most_of(m, steps - 1, back, ahead - 1);
            uint64_t sum = UINT64_C(1) + lesser(before, m->hops - 1) + *most_of(m, steps - 1, ahead, back);
            *most_of(m, steps, ahead, back) = lesser(sum, m->t->nodes);
        }
}

/** Find the fewest steps in which the root can inform all nodes on one side of it.  Fills m->most up to that number of
 * steps. */
static rwa_status count_steps(uint32_t *steps, struct tree_maker *m, const struct side *side, rwa_error *err)
{
    size_t row = (size_t)(m->t->width + 1) * (m->t->width + 1);
    *steps = 0;
    MUST(base_reserve(m->most, row, err));
    memset(m->most, 0, row * sizeof *m->most);
    while (*most_of(m, *steps, side->ahead, side->back) < side->nodes) {
        ++*steps;
        MUST(base_reserve(m->most, (*steps + 1) * row, err));
        memset(m->most + *steps * row, 0, row * sizeof *m->most);
        count_step(m, *steps);
    }
    return RWA_OK;
}

/** Enter in m->t the branches to all nodes of `s`, the nodes on one side of a holder, such that all are informed in at
 * most `steps` steps. */
static void inform(const struct tree_maker *m, struct side s, uint32_t steps)
{
    struct disjoint_trees *t = m->t;
    while (s.nodes > 0) {
        assert(steps > 0 && s.ahead > 0);
        uint32_t beyond = lesser(s.nodes - 1, *most_of(m, steps - 1, s.ahead, s.back)), before = s.nodes - 1 - beyond;
        uint32_t back = lesser(before, *most_of(m, steps - 1, s.back, s.ahead - 1));
        uint32_t end = (s.holder + (s.ccw ? t->nodes - before - 1 : before + 1)) % t->nodes;
        size_t at = (size_t)m->tree * t->nodes + end;
        t->parent[at] = s.holder;
        t->hops[at] = t->hops[(size_t)m->tree * t->nodes + s.holder] + 1;
        t->ccw[at] = s.ccw;
        t->channel[at] = s.ahead - 1;
        RAISE(t->depth, t->hops[at]);
        inform(m, (struct side){s.holder, before - back, s.ccw, s.ahead - 1, s.back}, steps);
        inform(m, (struct side){end, back, !s.ccw, s.back, s.ahead - 1}, --steps);
        s.holder = end;
        s.nodes = beyond;
    }
}

rwa_status arc_trees_make(struct disjoint_trees *out, const rwa_network *net, uint32_t root,
                          const struct arc_shape *shape, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), steps;
    bool cycle = network_is_cycle(net);
    struct tree_maker m = {.t = out, .hops = shape->hops > 0 ? shape->hops : nodes};
    struct side side[] = {{root, cycle ? nodes / 2 : nodes - 1 - root, false, shape->width, shape->back},
                          {root, cycle ? (nodes - 1) / 2 : root, true, shape->width, shape->back}};
    rwa_status st = RWA_OK;
    assert(network_has_arcs(net) && shape->width > 0 && shape->width <= ARC_WIDTH && root < nodes &&
           (cycle || !shape->round));
    *out = (struct disjoint_trees){.nodes = nodes, .trees = shape->round ? 2 : 1, .width = shape->width};
    TRY(disjoint_trees_open(out, err));
    if (shape->round)
        side[0].nodes = side[1].nodes = nodes - 1;
    TRY(count_steps(&steps, &m, &side[side[1].nodes > side[0].nodes], err));
    for (uint32_t i = 0; i < 2; i++) {
        m.tree = shape->round ? i : 0;
        out->parent[m.tree * nodes + root] = root;
        inform(&m, side[i], steps);
    }
done:
    free(m.most);
    return st;
}
