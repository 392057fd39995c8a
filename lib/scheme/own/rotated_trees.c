/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-reduce between tree and wavefront: the vector in b blocks, 1 <= b < N, each summed up a tree of its own and told down again,
 * all trees alike and turned (scheme/own/rotated.h).  With several tops these exchange their sums in between, as WRHT's last ones
 * do.  Fewer blocks take fewer steps: by the broadcast-tree bound b C(N, T) <= 2 N W T for T steps each way.
 */
#include "scheme/own/rotated.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>

struct rotated {
    struct rotation at;
    struct rotated_tree tree;
    uint32_t stage;
};

/** What a group size comes to. */
struct offer {
    uint32_t group, steps;
    double share;           /* steps, each of one block's part of the vector */
};

/** About a quarter more blocks each time, from one to half as many as there are nodes. */
static uint32_t next_group(uint32_t nodes, uint32_t group)
{
    enum { PARTS = 4 };
    uint64_t blocks = ceil_div(nodes, group), next = blocks + (blocks + PARTS - 1) / PARTS;
    uint32_t smaller = (uint32_t)ceil_div(nodes, next);
    return smaller < group ? smaller : group - 1;
}

/** The tree of a group size on the request's ring, until its caller wants no more. */
static rwa_status find_tree(struct rotated_tree *tree, struct rotation *at, const struct scheme_request *request, uint32_t group,
                            rwa_error *err)
{
    struct budget budget = base_budget(0, request->opts->poll, request->opts->poll_data);
    return rotated_find(tree, at, request->coll->nodes, rwa_network_channels(request->net), group, &budget, err);
}

static rwa_status make_offer(struct offer *o, const struct scheme_request *request, uint32_t group, rwa_error *err)
{
    struct rotation at;
    struct rotated_tree tree;
    rwa_status st = find_tree(&tree, &at, request, group, err);
    *o = (struct offer){group, rotated_steps(&tree), (double)rotated_steps(&tree) / at.blocks};
    rotated_tree_free(&tree);
    return st;
}

/** Whether the middle one of three offers, of rising steps, is never quicker than both others. */
static bool is_beaten(const struct offer *a, const struct offer *b, const struct offer *c)
{
    return (a->share - b->share) * (c->steps - b->steps) <= (b->share - c->share) * (b->steps - a->steps);
}

/** Offers that are quickest for some message: the lower hull of steps and share. */
static size_t add_to_hull(struct offer *hull, size_t count, const struct offer *o)
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

enum { OFFERS_MOST = 64 };

static rwa_status find_offers(struct offer *hull, size_t *count, const struct scheme_request *request, rwa_error *err)
{
    struct offer o;
    uint32_t nodes = request->coll->nodes;
    rwa_status st = RWA_OK;
    *count = 0;
    for (uint32_t group = nodes; group > 1 && *count < OFFERS_MOST; group = next_group(nodes, group)) {
        TRY(make_offer(&o, request, group, err));
        *count = add_to_hull(hull, *count, &o);
    }
done:
    return st;
}

static rwa_status rotated_groups(uint32_t *group, size_t *count, size_t most, const struct scheme_request *request, rwa_error *err)
{
    struct offer hull[OFFERS_MOST];
    rwa_status st = find_offers(hull, count, request, err);
    *count = *count < most ? *count : most;
    for (size_t i = 0; i < *count; i++)
        group[i] = hull[i].group;
    return st;
}

static double seconds_of(const struct offer *o, const struct scheme_request *request)
{
    const rwa_collective *coll = request->coll;
    struct rotation at = rotation_of(coll->nodes, rwa_network_channels(request->net), o->group);
    rwa_collective cut;
    if (rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, at.blocks, NULL) != RWA_OK)
        return INFINITY;
    return rwa_cost_steps(o->steps, cut.block_bytes, rwa_network_rate_bps(request->net), &request->opts->cost);
}

/** The caller's group size, or the quickest for the message. */
static uint32_t group_of(const struct scheme_request *request)
{
    struct offer hull[OFFERS_MOST];
    size_t count = 0, best = 0;
    uint32_t nodes = request->coll->nodes, group = request->opts->group;
    if (group > 0)
        return group < nodes ? group : nodes;
    if (find_offers(hull, &count, request, NULL) != RWA_OK || count == 0)
        return nodes;
    for (size_t i = 1; i < count; i++)
        if (seconds_of(&hull[i], request) < seconds_of(&hull[best], request))
            best = i;
    return hull[best].group;
}

static size_t rotated_tunings(struct tuning *out, size_t most, const struct scheme_request *request)
{
    (void)most;
    *out = (struct tuning){.group = group_of(request)};
    return 1;
}

static uint64_t rotated_blocks(const struct scheme_request *request)
{
    return rotation_of(request->coll->nodes, rwa_network_channels(request->net), group_of(request)).blocks;
}

static rwa_status rotated_validate(const struct scheme_request *request, rwa_error *err)
{
    if (request->opts->group == 1)
        return base_fail(err, RWA_BADARG, "--group 1: expected at least 2 nodes");
    return RWA_OK;
}

static bool rotated_forecast(struct forecast *f, const struct scheme_request *request)
{
    struct rotation at;
    struct rotated_tree tree;
    bool found = find_tree(&tree, &at, request, group_of(request), NULL) == RWA_OK;
    if (found) {
        f->steps = rotated_steps(&tree);
        if (request->opts->cost.model != RWA_COST_PAPER) /* which counts steps alone */
            f->settings = rotated_settings(&tree, &at);
    }
    rotated_tree_free(&tree);
    return found;
}

static rwa_status rotated_open(void **state, const struct scheme_request *request, rwa_error *err)
{
    struct rotated *t = base_array(1, sizeof *t, err);
    *state = t;
    if (!t)
        return RWA_NOMEM;
    return find_tree(&t->tree, &t->at, request, request->tuning->group, err);
}

static void rotated_close(void *state)
{
    struct rotated *t = state;
    if (t)
        rotated_tree_free(&t->tree);
    free(t);
}

/** The hop of one block, inwards when sums are made. */
static void send(struct stage *s, const struct rotated *t, const struct rotated_hop *hop, uint32_t block, bool inwards)
{
    uint32_t from = rotated_node(&t->at, block, hop->from), to = rotated_node(&t->at, block, hop->to);
    s->direction[s->count] = inwards ? hop->direction == RWA_CW ? RWA_CCW : RWA_CW : hop->direction;
    s->colour[s->count] = rotated_channel(hop, block);
    stage_add(s, inwards ? to : from, inwards ? from : to, block);
}

/** All hops of a step of the tree, or of the exchange, for all blocks. */
static rwa_status send_step(struct stage *s, const struct rotated *t, uint32_t step, bool inwards, rwa_error *err)
{
    size_t first = t->tree.first[2 * (step - 1)], end = t->tree.first[2 * step], most = (end - first) * t->at.blocks;
    rwa_status st = RWA_OK;
    TRY(stage_create(s, most, err));
    s->direction = base_array(most, sizeof *s->direction, err);
    s->colour = base_array(most, sizeof *s->colour, err);
    if (!s->direction || !s->colour)
        return RWA_NOMEM;
    for (size_t i = first; i < end; i++)
        for (uint32_t block = 0; block < t->at.blocks; block++)
            if (!rotated_is_told(&t->tree, &t->at, &t->tree.hop[i], block))
                send(s, t, &t->tree.hop[i], block, inwards);
done:
    return st;
}

static rwa_status rotated_next(void *state, struct stage *s, rwa_error *err)
{
    struct rotated *t = state;
    uint32_t levels = t->tree.levels, steps = rotated_steps(&t->tree), stage = t->stage++;
    if (stage >= steps)
        return RWA_OK;
    bool reducing = stage < steps - levels, inwards = stage < levels;
    s->op = reducing ? RWA_REDUCE : RWA_COPY;
    uint32_t step = inwards ? levels - stage : reducing ? levels + 1 : stage - (steps - levels) + 1;
    rwa_status st = send_step(s, t, step, inwards, err);
    s->op = reducing ? RWA_REDUCE : RWA_COPY;
    return st;
}

const struct scheme scheme_rotated_trees = {
    .name = "rotated-trees",
    .summary = "the vector in fewer blocks than nodes, each summed up and told down a tree, all trees alike and turned",
    .source = "own; between WRHT's trees and a wavefront",
    .collectives = 1u << RWA_ALL_REDUCE,
    .networks = 1u << RWA_RING,
    .reads = READS_GROUP,
    .groups = rotated_groups,
    .blocks = rotated_blocks,
    .validate = rotated_validate,
    .forecast = rotated_forecast,
    .tunings = rotated_tunings,
    .open = rotated_open,
    .next = rotated_next,
    .close = rotated_close,
};
