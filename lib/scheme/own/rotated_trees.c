/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-reduce between tree and wavefront: the vector in b blocks, 1 <= b < N, each summed up a tree of its own and informed down again,
 * all trees alike and rotated (scheme/own/rotated.h).  With several roots these exchange their sums in between, as WRHT's last ones
 * do.  Fewer blocks take fewer steps: by the broadcast-tree bound b C(N, T) <= 2 N W T for T steps each way.
 */
#include "scheme/own/rotated.h"

struct rotated {
    struct rotation at;
    struct rotated_tree tree;
};

/** About a quarter more blocks each time, from one to half as many as there are nodes. */
static uint32_t next_group(uint32_t nodes, uint32_t group)
{
    enum { PARTS = 4 };
    uint64_t blocks = ceil_div(nodes, group), next = blocks + (blocks + PARTS - 1) / PARTS;
    uint32_t smaller = (uint32_t)ceil_div(nodes, next);
    return smaller < group ? smaller : group - 1;
}

rwa_status rotated_choose(struct rotated_tree *tree, struct rotation *at, const struct plan_request *request, uint32_t group,
                            rwa_error *err)
{
    struct budget budget = base_budget(0, request->opts->poll, request->opts->poll_data);
    return rotated_find(tree, at, request->coll->nodes, rwa_network_channels(request->net), group, &budget, err);
}

/** The levels of trees that may take less than request->below_s, at most. */
static uint32_t most_levels(const struct plan_request *request)
{
    rwa_cost_prices floor;
    bool limited = request->below_s > 0 &&
                   rwa_cost_floor(&floor, rwa_network_rate_bps(request->net), &request->opts->cost, NULL) == RWA_OK && floor.step_s > 0;
    return limited ? (uint32_t)fmin(request->below_s / floor.step_s / (double)scheme_passes(request), UINT32_MAX) : UINT32_MAX;
}

/** Without steps where no tree is quick enough. */
static rwa_status make_candidate(struct rotated_candidate *o, const struct plan_request *request, uint32_t group, uint32_t levels_most,
                                 rwa_error *err)
{
    struct rotation at;
    struct rotated_tree tree;
    *o = (struct rotated_candidate){.group = group};
    if (levels_most < UINT32_MAX &&
        rotated_least_levels(request->coll->nodes, rwa_network_channels(request->net), group) > levels_most)
        return RWA_OK;
    rwa_status st = rotated_choose(&tree, &at, request, group, err);
    *o = (struct rotated_candidate){group, rotated_steps(&tree), (double)rotated_steps(&tree) / at.blocks};
    rotated_tree_free(&tree);
    return st;
}

/** Whether the middle one of three candidates, of rising steps, is never quicker than both others. */
static bool is_beaten(const struct rotated_candidate *a, const struct rotated_candidate *b, const struct rotated_candidate *c)
{
    return (a->share - b->share) * (c->steps - b->steps) <= (b->share - c->share) * (b->steps - a->steps);
}

/** Offers that are quickest for some message: the lower hull of steps and share. */
static size_t add_to_hull(struct rotated_candidate *hull, size_t count, const struct rotated_candidate *o)
{
    while (count > 0 && hull[count - 1].steps >= o->steps && hull[count - 1].share >= o->share)
        count--;
    if (count > 0 && hull[count - 1].share <= o->share)
        return count;
    while (count > 1 && is_beaten(&hull[count - 2], &hull[count - 1], o))
        count--;
    hull[count] = *o;
    return count + 1;
}

/** Nodes times groups that are tried in search of the smallest: on up to 2048 nodes there are no more. */
enum { SHRINK_WORK = 1 << 18 };

/** The smallest group that takes no more steps than a larger one; `smaller` takes more.  A larger one when *work is over. */
static rwa_status shrink(struct rotated_candidate *larger, uint32_t smaller, const struct plan_request *request, uint32_t levels_most,
                         uint64_t *work, rwa_error *err)
{
    uint32_t nodes = request->coll->nodes;
    for (; larger->group - smaller > 1 && *work >= nodes; *work -= nodes) {
        struct rotated_candidate middle;
        MUST(make_candidate(&middle, request, smaller + (larger->group - smaller) / 2, levels_most, err));
        if (middle.steps > 0 && middle.steps <= larger->steps)
            *larger = middle;
        else
            smaller = middle.group;
    }
    return RWA_OK;
}

static rwa_status find_candidates(struct rotated_candidate *hull, size_t *count, const struct plan_request *request, uint32_t levels_most,
                                  rwa_error *err)
{
    struct rotated_candidate o, last = {0};
    uint32_t nodes = request->coll->nodes;
    uint64_t work = SHRINK_WORK;
    *count = 0;
    for (uint32_t group = nodes; group > 1 && *count + 1 < ROTATED_CANDIDATES; group = next_group(nodes, group)) {
        MUST(make_candidate(&o, request, group, levels_most, err));
        if (o.steps == 0) /* no tree */
            continue;
        if (last.group > 0 && last.group < nodes && o.steps > last.steps) {
            MUST(shrink(&last, group, request, levels_most, &work, err));
            *count = add_to_hull(hull, *count, &last);
        }
        *count = add_to_hull(hull, *count, &o);
        last = o;
    }
    return RWA_OK;
}

/** The results of a search. */
struct found_hull {
    uint32_t levels_most;
    struct rotated_candidate list[ROTATED_CANDIDATES];
};

/** They depend on nodes, channels and the limit alone; those of a higher limit do as well. */
rwa_status rotated_candidates(struct rotated_candidate *hull, size_t *count, const struct plan_request *request, rwa_error *err)
{
    const struct {
        const char *what;
        uint32_t nodes, channels;
    } key = {"rotated candidates", request->coll->nodes, rwa_network_channels(request->net)};
    const size_t head = offsetof(struct found_hull, list);
    struct found_hull found = {.levels_most = most_levels(request)};
    size_t size;
    const struct found_hull *known = memo_find(&size, request->memo, &key, sizeof key);
    if (known && known->levels_most >= found.levels_most) {
        *count = (size - head) / sizeof *hull;
        memcpy(hull, known->list, size - head);
        return RWA_OK;
    }
    MUST(find_candidates(found.list, count, request, found.levels_most, err));
    memcpy(hull, found.list, *count * sizeof *hull);
    return memo_keep(request->memo, &key, sizeof key, &found, head + *count * sizeof *hull, err);
}

static double seconds_of(const struct rotated_candidate *o, const struct plan_request *request)
{
    const rwa_collective *coll = request->coll;
    struct rotation at = rotation_of(coll->nodes, rwa_network_channels(request->net), o->group);
    rwa_collective cut;
    if (rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, at.blocks, NULL) != RWA_OK)
        return INFINITY;
    return rwa_cost_steps(o->steps, cut.block_bytes, rwa_network_rate_bps(request->net), &request->opts->cost);
}

/** The quickest for the message. */
static uint32_t best_group(const struct rotated_candidate *hull, size_t count, const struct plan_request *request)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (seconds_of(&hull[i], request) < seconds_of(&hull[best], request))
            best = i;
    return count > 0 ? hull[best].group : request->coll->nodes;
}

/** All group sizes on the hull, and the quickest of them. */
static rwa_status estimate_hull(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    struct rotated_candidate hull[ROTATED_CANDIDATES];
    size_t count = 0;
    MUST(rotated_candidates(hull, &count, request, err));
    e->groups = count < GROUP_SIZES ? count : GROUP_SIZES;
    for (size_t i = 0; i < e->groups; i++)
        e->group[i] = hull[i].group;
    e->set[0].group = best_group(hull, count, request);
    return RWA_OK;
}

/** The closed form of the caller's group size: the paper model counts steps alone. */
static rwa_status estimate_group(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    struct rotation at;
    struct rotated_tree tree;
    rwa_status st = rotated_choose(&tree, &at, request, e->set[0].group, err);
    if (st == RWA_OK)
        e->steps = rotated_steps(&tree);
    rotated_tree_free(&tree);
    return st;
}

static rwa_status rotated_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    uint32_t nodes = request->coll->nodes, group = request->opts->group;
    e->sets = 1;
    e->set[0].group = group < nodes ? group : nodes;
    MUST(group > 0 ? estimate_group(e, request, err) : estimate_hull(e, request, err));
    e->blocks = rotation_of(nodes, rwa_network_channels(request->net), e->set[0].group).blocks;
    return RWA_OK;
}

rwa_status rotated_validate(const struct plan_request *request, rwa_error *err)
{
    return request->opts->group == 1 ? base_fail(err, RWA_BADARG, "group 1: expected at least 2 nodes") : RWA_OK;
}

/** The hop of one block, inwards when sums are made. */
static void send(struct transfers *s, const struct rotated *t, const struct rotated_hop *hop, uint32_t block, bool inwards)
{
    uint32_t from = rotated_node(&t->at, block, hop->d.from), to = rotated_node(&t->at, block, hop->to);
    s->direction[s->count] = inwards ? hop->d.way == RWA_CW ? RWA_CCW : RWA_CW : hop->d.way;
    s->colour[s->count] = rotated_channel(hop, block);
    transfer_add(s, inwards ? to : from, inwards ? from : to, block);
}

/** All hops of a step of the tree, or of the exchange, for all blocks. */
static rwa_status push_tree_step(struct schedule_sink *sink, const struct rotated *t, uint32_t step, bool inwards, bool reducing,
                            rwa_error *err)
{
    size_t first = t->tree.first[2 * (step - 1)], end = t->tree.first[2 * step];
    struct transfers s;
    MUST(transfers_create(&s, (end - first) * t->at.blocks, WITH_DIRECTION | WITH_COLOUR, err));
    s.op = reducing ? RWA_REDUCE : RWA_COPY;
    for (size_t i = first; i < end; i++)
        for (uint32_t block = 0; block < t->at.blocks; block++)
            if (!rotated_is_received(&t->tree, &t->at, &t->tree.hop[i], block))
                send(&s, t, &t->tree.hop[i], block, inwards);
    return sink_transfers(sink, &s, err);
}

/** Inwards level by level, the exchange between several roots, outwards. */
static rwa_status push_tree(struct schedule_sink *sink, const struct rotated *t, rwa_error *err)
{
    uint32_t levels = t->tree.levels;
    for (uint32_t step = levels; step > 0; step--)
        MUST(push_tree_step(sink, t, step, true, true, err));
    if (t->tree.roots > 1)
        MUST(push_tree_step(sink, t, levels + 1, false, true, err));
    for (uint32_t step = 1; step <= levels; step++)
        MUST(push_tree_step(sink, t, step, false, false, err));
    return RWA_OK;
}

static rwa_status rotated_plan(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct rotated t;
    rwa_status st = rotated_choose(&t.tree, &t.at, request, request->parameters->group, err);
    if (st == RWA_OK)
        st = t.tree.count > 0 ? push_tree(sink, &t, err)
                              : scheme_refuse(request, "rotated trees of this group size have steps that inform no node");
    rotated_tree_free(&t.tree);
    return st;
}

const struct scheme scheme_rotated_trees = {
    .name = "rotated-trees",
    .former_names = "turned-trees",
    .summary = "the vector in fewer blocks than nodes, each summed up a tree and sent back down it, all trees alike and rotated",
    .source = "this work; between WRHT's trees and a wavefront",
    .collectives = 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_CYCLE,
    .reads = READS_GROUP,
    .traits = OFFERS_GROUPS | RETUNES,
    .validate = rotated_validate,
    .estimate = rotated_estimate,
    .plan = rotated_plan,
};
