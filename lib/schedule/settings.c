/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Settings of nodes: the lightpaths of two steps are cut at their nodes, sorted and compared. */
#include "rwa/settings.h"

#include "network/network.h"
#include "schedule/schedule.h"

struct rwa_settings {
    rwa_setting *list;
    size_t count;
    size_t changes;
    uint32_t *nodes;            /* sorted by number of changes */
    size_t node_count;
};

/** Collects the settings of a step. */
struct collector {
    const rwa_schedule *sched;
    uint32_t node;              /* RWA_NONE: all nodes */
    const rwa_hold *hold;       /* NULL: a record is up only in its own step */
    rwa_change change;          /* of the settings being added */
    bool held;                  /* the record is held but carries nothing in the step */
    struct rwa_settings *out;
    rwa_error *err;
};

/** Append to c->out the setting of one node for the walk's lightpath: how it adds, passes or drops the signal.  The
 * node lies k of `hops` hops after the source. */
static rwa_status add_setting(struct collector *c, const struct walk *w, uint32_t hops, uint32_t k)
{
    struct rwa_settings *s = c->out;
    uint32_t node = walk_hop_node(w, k);
    unsigned use = k == 0 ? RWA_USE_ADD : k == hops ? RWA_USE_DROP : RWA_USE_PASS;
    if (use == RWA_USE_PASS && walk_is_tap(w, node))
        use |= RWA_USE_DROP;
    return base_append(s->list, s->count, c->err,
                       (rwa_setting){.node = node,
                                     .in_link = k > 0 ? walk_hop_link(w, k - 1) : RWA_NONE,
                                     .out_link = k < hops ? walk_hop_link(w, k) : RWA_NONE,
                                     .fiber = w->lp.fiber,
                                     .wavelength = w->lp.wavelength,
                                     .use = use,
                                     .change = c->change,
                                     .src = w->lp.src,
                                     .dst = w->lp.dst,
                                     .held = c->held,
                                     .block = w->lp.block,
                                     .record = w->record,
                                     .since = w->step});
}

/** If c->node is RWA_NONE, append to c->out the settings of all nodes for the current lightpath of the walk.  Otherwise
 * append those of node c->node for all lightpaths of its record.  O(hops) */
static rwa_status add_settings(struct collector *c, const struct walk *w)
{
    uint32_t hops = walk_hops(w);
    for (uint32_t k = 0; k <= hops; k++) {
        struct walk one = *w;
        if (c->node != RWA_NONE)
            /* the one lightpath of the orbit with c->node k hops after its source */
            one.turn = translations_move(&c->sched->group, 0, walk_hop_node(w, k), c->node);
        if (one.turn >= w->whole.orbit)
            continue;
        if (one.turn != w->turn)
            rwa_lightpath_of_orbit(&one.lp, &w->whole, one.turn, c->sched->net, &c->sched->coll);
        MUST(add_setting(c, &one, hops, k));
    }
    return RWA_OK;
}

static rwa_status collect_step(struct collector *c, uint32_t step)
{
    uint32_t steps = c->sched->steps;
    if (step < 1 || step > steps)
        return RWA_OK;
    for (uint32_t s = c->hold ? 1 : step; s <= (c->hold ? steps : step); s++)
        for (struct walk w = walk_step(c->sched, s); walk_next(&w);) {
            bool up = !c->hold || (c->hold[w.record].from <= step && step <= c->hold[w.record].to);
            c->held = s != step;
            if (up)
                MUST(add_settings(c, &w));
            if (!up || c->node != RWA_NONE)
                w.turn = w.whole.orbit - 1;     /* go on to the next record */
        }
    return RWA_OK;
}

/* ---- the two steps beside each other ---- */

COMPARATOR(compare_settings, rwa_setting, UP(node) UP(in_link) UP(out_link) UP(fiber) UP(wavelength) UP(use))
COMPARATOR(by_channel, rwa_setting,
           UP(node) UP(in_link) UP(out_link) UP(fiber) UP(wavelength) UP(use) UP(change) UP(held) UP(record))
COMPARATOR(by_change, rwa_setting, UP(node) UP(change) UP(in_link) UP(out_link) UP(fiber) UP(wavelength) UP(use))

/** Compare the settings of two steps, which stand together in s->list.  If the first step clears a setting and the
 * second one sets an equal one, they become one setting to keep.  If a lightpath that is up but not used in the step
 * (`held`) needs a setting that is listed already, it is not listed again.  In the end s->list is sorted by node and
 * change, and s->changes counts the changes. */
static void compare_steps(struct rwa_settings *s)
{
    size_t kept = 0;
    if (s->count == 0)
        return;
    qsort(s->list, s->count, sizeof *s->list, by_channel);
    for (size_t i = 0; i < s->count; i++) {
        rwa_setting now = s->list[i];
        rwa_setting *before =
            kept > 0 && compare_settings(&s->list[kept - 1], &now) == 0 ? &s->list[kept - 1] : NULL;
        bool opposite = before && before->change == RWA_CHANGE_CLEAR && now.change == RWA_CHANGE_SET;
        if (before && !opposite && now.held) {
            LOWER(before->since, now.since);
            continue;
        }
        if (opposite) {
            now.change = RWA_CHANGE_KEEP;
            kept--;
        }
        s->list[kept++] = now;
    }
    s->count = kept;
    qsort(s->list, s->count, sizeof *s->list, by_change);
    for (size_t i = 0; i < s->count; i++)
        s->changes += s->list[i].change != RWA_CHANGE_KEEP;
}

/* ---- nodes, the fewest changes first ---- */

static size_t changes_of_node(const struct rwa_settings *s, uint32_t node)
{
    const rwa_setting *list = NULL;
    size_t count = rwa_settings_of_node(&list, s, node), changes = 0;
    while (changes < count && list[changes].change != RWA_CHANGE_KEEP) /* kept settings come last */
        changes++;
    return changes;
}

/** List in s->nodes of c->out the nodes by number of changes, the fewest first. */
static rwa_status order_nodes(const struct collector *c)
{
    struct rwa_settings *s = c->out;
    bool all = c->node == RWA_NONE;
    uint64_t *ranked = NULL;
    rwa_status st = RWA_OK;
    s->node_count = all ? c->sched->net->nodes : 1;
    TRY(base_new(ranked, s->node_count, c->err));
    TRY(base_new(s->nodes, s->node_count, c->err));
    /* sorted as numbers: the changes in the upper 32 bits, the node in the lower */
    for (uint32_t i = 0; i < s->node_count; i++)
        ranked[i] = (uint64_t)changes_of_node(s, all ? i : c->node) << 32 | (all ? i : c->node);
    base_sort(ranked, s->node_count, order_uint64);
    for (size_t i = 0; i < s->node_count; i++)
        s->nodes[i] = (uint32_t)ranked[i];
done:
    free(ranked);
    return st;
}

rwa_status rwa_settings_make(rwa_settings **out, const rwa_schedule *sched, uint32_t step, uint32_t node,
                             const rwa_hold *hold, rwa_error *err)
{
    BEGIN_NEW(out, err, sched);
    struct collector c = {.sched = sched, .node = node, .hold = hold, .err = err};
    rwa_status st = RWA_OK;
    if (step < 1 || step > sched->steps + 1)
        return base_refuse(err, "step %u: expected 1 to %u", step, sched->steps + 1);
    if (node != RWA_NONE && node >= sched->net->nodes)
        return base_refuse(err, "node %u: expected 0 to %u", node, sched->net->nodes - 1);
    MUST(base_new(c.out, 1, err));
    c.change = RWA_CHANGE_CLEAR;
    TRY(collect_step(&c, step - 1));
    c.change = RWA_CHANGE_SET;
    TRY(collect_step(&c, step));
    compare_steps(c.out);
    TRY(order_nodes(&c));
    *out = c.out;
    c.out = NULL;
done:
    rwa_settings_free(c.out);
    return st;
}

void rwa_settings_free(rwa_settings *settings)
{
    if (settings)
        free_all(settings->list, settings->nodes);
    free(settings);
}

size_t rwa_settings_list(const rwa_setting **list, const rwa_settings *settings)
{
    *list = settings->list;
    return settings->count;
}

GETTER(size_t, rwa_settings_changes, rwa_settings, changes)

COMPARATOR(by_node, rwa_setting, UP(node))

size_t rwa_settings_of_node(const rwa_setting **list, const rwa_settings *settings, uint32_t node)
{
    size_t first =
        base_first_from(settings->list, settings->count, sizeof *settings->list, &(rwa_setting){.node = node}, by_node);
    size_t end = first;
    while (end < settings->count && settings->list[end].node == node)
        end++;
    *list = settings->list + first;
    return end - first;
}

size_t rwa_settings_nodes(const uint32_t **nodes, const rwa_settings *settings)
{
    *nodes = settings->nodes;
    return settings->node_count;
}
