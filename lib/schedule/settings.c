/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Settings of nodes: the lightpaths of two steps are cut at their nodes, sorted and compared. */
#include "rwa/settings.h"

#include "network/network.h"
#include "schedule/schedule.h"

struct rwa_settings {
    rwa_setting *list;
    size_t count, capacity;
    size_t changes;
    uint32_t *nodes;            /* sorted by number of changes */
    size_t node_count;
};

/** Collects the settings of a step. */
struct collector {
    const rwa_schedule *sched;
    const rwa_network *net;
    uint32_t node;              /* RWA_NONE: all nodes */
    const rwa_hold *hold;       /* NULL: a record is up only in its own step */
    bool arcs;
    rwa_change change;          /* of the settings being added */
    bool held;                  /* the record is held but carries nothing in the step */
    rwa_lightpath record;
    rwa_lists lists;
    uint64_t at;                /* number of the record */
    uint32_t hops;
    struct rwa_settings *out;
    rwa_error *err;
};

/** Return the node k hops after the source of lp, which is lightpath number `turn` of the record's orbit. */
static uint32_t node_behind(const struct collector *c, const rwa_lightpath *lp, uint32_t turn, uint32_t k)
{
    uint32_t nodes = rwa_network_nodes(c->net);
    assert(k <= c->hops);
    if (c->arcs)
        return (uint32_t)(((uint64_t)lp->src + (lp->direction == RWA_CW ? k : nodes - k)) % nodes);
    return c->lists.path_nodes > 0 ? rwa_node_of_orbit(c->lists.path[k], turn, c->net) : k == 0 ? lp->src : lp->dst;
}

/** Return the directed link of hop k of lp, counted from 0; RWA_NONE: the network has no links. */
static uint32_t link_of_hop(const struct collector *c, const rwa_lightpath *lp, uint32_t turn, uint32_t k)
{
    uint32_t from = node_behind(c, lp, turn, k), to = node_behind(c, lp, turn, k + 1);
    if (!c->arcs)
        return rwa_network_find_link(c->net, from, to);
    return lp->direction == RWA_CW ? from : network_links_each_way(c->net) + to;
}

/** Tell whether a node is a tap of lightpath number `turn` of the record's orbit. */
static bool is_read(const struct collector *c, uint32_t turn, uint32_t node)
{
    for (uint32_t i = 0; i < c->lists.tap_count; i++)
        if (rwa_node_of_orbit(c->lists.taps[i], turn, c->net) == node)
            return true;
    return false;
}

/** Add the setting for lp, lightpath number `turn` of the record's orbit, at the node k hops after its source. */
static rwa_status add_setting(struct collector *c, const rwa_lightpath *lp, uint32_t turn, uint32_t k)
{
    struct rwa_settings *s = c->out;
    uint32_t node = node_behind(c, lp, turn, k);
    unsigned use = k == 0 ? RWA_USE_ADD : k == c->hops ? RWA_USE_DROP : RWA_USE_PASS;
    MUST(base_reserve(s->list, s->count + 1, s->capacity, c->err));
    if (use == RWA_USE_PASS && is_read(c, turn, node))
        use |= RWA_USE_DROP;
    s->list[s->count++] = (rwa_setting){.node = node,
                                        .in_link = k > 0 ? link_of_hop(c, lp, turn, k - 1) : RWA_NONE,
                                        .out_link = k < c->hops ? link_of_hop(c, lp, turn, k) : RWA_NONE,
                                        .fiber = lp->fiber,
                                        .wavelength = lp->wavelength,
                                        .use = use,
                                        .change = c->change,
                                        .src = lp->src,
                                        .dst = lp->dst,
                                        .held = c->held,
                                        .block = lp->block,
                                        .record = c->at};
    return RWA_OK;
}

static rwa_status add_all_nodes(struct collector *c)
{
    rwa_status st = RWA_OK;
    for (uint32_t turn = 0; turn < c->record.orbit; turn++) {
        rwa_lightpath lp;
        rwa_lightpath_of_orbit(&lp, &c->record, turn, c->net, rwa_schedule_collective(c->sched));
        for (uint32_t k = 0; k <= c->hops && st == RWA_OK; k++)
            st = add_setting(c, &lp, turn, k);
    }
    return st;
}

/** Add the settings of node c->node.  For each k, it is k hops after the source of at most one lightpath of the
 *  orbit. */
static rwa_status add_one_node(struct collector *c)
{
    struct translations group;
    rwa_status st = RWA_OK;
    translations_of(&group, c->net);
    for (uint32_t k = 0; k <= c->hops && st == RWA_OK; k++) {
        uint32_t turn = translations_move(&group, 0, node_behind(c, &c->record, 0, k), c->node);
        rwa_lightpath lp;
        if (turn >= c->record.orbit)
            continue;
        rwa_lightpath_of_orbit(&lp, &c->record, turn, c->net, rwa_schedule_collective(c->sched));
        st = add_setting(c, &lp, turn, k);
    }
    return st;
}

/** Collect the settings of record c->at; O(hops) for one node. */
static rwa_status collect_record(struct collector *c)
{
    rwa_schedule_get(&c->record, c->sched, c->at);
    rwa_schedule_lists(&c->lists, c->sched, c->at);
    if (c->lists.block_count > 0) {
        rwa_run one;
        const rwa_run *runs;
        rwa_lists_runs(&runs, &one, &c->record, &c->lists);
        c->record.block = runs->first;
    }
    c->hops = c->arcs ? rwa_network_hops(c->net, c->record.src, c->record.dst, c->record.direction)
                      : c->lists.path_nodes > 0 ? c->lists.path_nodes - 1 : 1;
    return c->node == RWA_NONE ? add_all_nodes(c) : add_one_node(c);
}

/** Tell whether the lightpaths of record number `at` are up in the step. */
static bool is_up(const struct collector *c, uint32_t step, uint64_t at)
{
    return !c->hold || (c->hold[at].from <= step && step <= c->hold[at].to);
}

static rwa_status collect_step(struct collector *c, uint32_t step)
{
    rwa_status st = RWA_OK;
    if (step < 1 || step > rwa_schedule_steps(c->sched))
        return RWA_OK;
    uint64_t first = rwa_schedule_first(c->sched, step), end = rwa_schedule_first(c->sched, step + 1);
    uint64_t to = c->hold ? rwa_schedule_records(c->sched) : end;
    for (c->at = c->hold ? 0 : first; c->at < to && st == RWA_OK; c->at++) {
        c->held = c->at < first || c->at >= end;
        if (is_up(c, step, c->at))
            st = collect_record(c);
    }
    return st;
}

/* ---- the two steps beside each other ---- */

COMPARATOR(compare_settings, rwa_setting, UP(node) UP(in_link) UP(out_link) UP(fiber) UP(wavelength) UP(use))
COMPARATOR(by_channel, rwa_setting,
           UP(node) UP(in_link) UP(out_link) UP(fiber) UP(wavelength) UP(use) UP(change) UP(held) UP(record))
COMPARATOR(by_change, rwa_setting, UP(node) UP(change) UP(in_link) UP(out_link) UP(fiber) UP(wavelength) UP(use))

/** Merge equal settings: one to clear followed by one to set is one to keep.  A setting that several steps hold is
 *  listed once, for the step that uses it. */
static void compare_steps(struct rwa_settings *s)
{
    size_t kept = 0;
    if (s->count == 0)
        return;
    qsort(s->list, s->count, sizeof *s->list, by_channel);
    for (size_t i = 0; i < s->count; i++) {
        rwa_setting now = s->list[i];
        const rwa_setting *before =
            kept > 0 && compare_settings(&s->list[kept - 1], &now) == 0 ? &s->list[kept - 1] : NULL;
        bool opposite = before && before->change == RWA_CHANGE_CLEAR && now.change == RWA_CHANGE_SET;
        if (before && !opposite && now.held)
            continue;
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

struct ranked_setting {
    size_t changes;
    uint32_t node;
};

COMPARATOR(by_changes, struct ranked_setting, UP(changes) UP(node))

static rwa_status order_nodes(const struct collector *c)
{
    struct rwa_settings *s = c->out;
    s->node_count = c->node == RWA_NONE ? rwa_network_nodes(c->net) : 1;
    struct ranked_setting *ranked = base_array(s->node_count, sizeof *ranked, c->err);
    s->nodes = base_array(s->node_count, sizeof *s->nodes, c->err);
    if (ranked && s->nodes) {
        for (uint32_t i = 0; i < s->node_count; i++) {
            uint32_t node = c->node == RWA_NONE ? i : c->node;
            ranked[i] = (struct ranked_setting){changes_of_node(s, node), node};
        }
        qsort(ranked, s->node_count, sizeof *ranked, by_changes);
        for (size_t i = 0; i < s->node_count; i++)
            s->nodes[i] = ranked[i].node;
    }
    rwa_status st = ranked && s->nodes ? RWA_OK : RWA_NOMEM;
    free(ranked);
    return st;
}

static rwa_status settings_refuse(const rwa_schedule *sched, uint32_t step, uint32_t node, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched)), steps = rwa_schedule_steps(sched);
    if (step < 1 || step > steps + 1)
        return base_refuse(err, "step %u: expected 1 to %u", step, steps + 1);
    if (node != RWA_NONE && node >= nodes)
        return base_refuse(err, "node %u: expected 0 to %u", node, nodes - 1);
    return RWA_OK;
}

rwa_status rwa_settings_make(rwa_settings **out, const rwa_schedule *sched, uint32_t step, uint32_t node,
                             const rwa_hold *hold, rwa_error *err)
{
    BEGIN_NEW(out, err, sched);
    struct collector c = {.sched = sched, .net = rwa_schedule_network(sched), .node = node, .hold = hold, .err = err};
    rwa_status st = settings_refuse(sched, step, node, err);
    TRY(st);
    c.arcs = network_has_arcs(c.net);
    c.out = base_array(1, sizeof *c.out, err);
    st = c.out ? RWA_OK : RWA_NOMEM;
    TRY(st);
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
