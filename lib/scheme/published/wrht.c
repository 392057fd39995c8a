/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * WRHT (Dai, Chen, Huang, Zhang, Zhang: Wavelength Reused Hierarchical Tree).  Groups of m neighbours send to their
 * middle node, again among those representatives, until the ones left can exchange all-to-all in one step; then the same
 * ways back.  m = 2w + 1 is the most whose two sides fit w wavelengths.  As all-reduce the representatives add up, and
 * everything moves the whole message; as all-gather (OpTree, Section IV-B) everybody sends all it holds, block by block.
 */
#include "scheme/published/wrht.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 32 };

/** The representatives after so many groupings, in ring order; those after none are all nodes. */
struct level {
    uint32_t count;
    uint32_t *node;
    uint32_t *first;    /* representative i stands for the nodes first[i] … first[i + 1] - 1 */
};

struct wrht {
    uint32_t nodes;
    bool ring, reducing;
    bool exchange;      /* those of the top level exchange all-to-all */
    size_t top;
    size_t stage;
    struct level level[LEVELS_MAX];
};

static void wrht_close(void *state)
{
    struct wrht *t = state;
    if (!t)
        return;
    for (size_t j = 0; j < LEVELS_MAX; j++) {
        free(t->level[j].node);
        free(t->level[j].first);
    }
    free(t);
}

static rwa_status level_create(struct level *l, uint32_t count, rwa_error *err)
{
    l->count = count;
    l->node = base_array(count, sizeof *l->node, err);
    l->first = base_array((size_t)count + 1, sizeof *l->first, err);
    return l->node && l->first ? RWA_OK : RWA_NOMEM;
}

/** The middle of every group stands for the group; at most one more node on its left than on its right. */
static rwa_status group_up(struct level *up, const struct level *down, uint32_t group, rwa_error *err)
{
    uint32_t groups = (uint32_t)ceil_div(down->count, group);
    rwa_status st = level_create(up, groups, err);
    for (uint32_t g = 0; g < groups && st == RWA_OK; g++) {
        uint32_t from = part_start(down->count, groups, g), to = part_start(down->count, groups, g + 1);
        up->node[g] = down->node[from + (to - from) / 2];
        up->first[g + 1] = down->first[to];
    }
    return st;
}

/** Channels of an all-to-all exchange between so many places; on a ring see routing/exchange.h. */
static uint64_t exchange_need(uint64_t places, bool ring)
{
    return ring ? ceil_div(places * places / 4, 2) : places * places / 4;
}

static rwa_status build_levels(struct wrht *t, const struct scheme_request *request, rwa_error *err)
{
    uint32_t group = request->tuning->group, channels = rwa_network_channels(request->net);
    bool tree = request->opts->last_exchange == RWA_LAST_TREE;
    rwa_status st = RWA_OK;
    TRY(level_create(&t->level[0], t->nodes, err));
    for (uint32_t v = 0; v < t->nodes; v++) {
        t->level[0].node[v] = v;
        t->level[0].first[v + 1] = v + 1;
    }
    while (t->level[t->top].count > 1 && !t->exchange) {
        t->exchange = !tree && exchange_need(t->level[t->top].count, t->ring) <= channels;
        if (t->exchange)
            break;
        TRY(group_up(&t->level[t->top + 1], &t->level[t->top], group, err));
        t->top++;
    }
done:
    return st;
}

static rwa_status wrht_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct wrht *t = base_array(1, sizeof *t, err);
    *out = NULL;
    if (!t)
        return RWA_NOMEM;
    *t = (struct wrht){.nodes = rwa_network_nodes(request->net),
                       .ring = rwa_network_topology(request->net) == RWA_RING,
                       .reducing = request->coll->kind == RWA_ALL_REDUCE};
    TRY(build_levels(t, request, err));
    if (request->opts->last_exchange == RWA_LAST_ALL_TO_ALL && !t->exchange) {
        uint32_t left = t->level[t->top - 1].count;
        scheme_refuse(request, "the last %u representatives need %llu channels to exchange all-to-all, and there are %u; "
                      "more wavelengths, another --group or --last-exchange tree would do", left,
                      (unsigned long long)exchange_need(left, t->ring), rwa_network_channels(request->net));
    }
    *out = t;
    t = NULL;
done:
    wrht_close(t);
    return st;
}

/** How many blocks representative i of a level has gathered. */
static uint32_t held(const struct wrht *t, const struct level *l, uint32_t i)
{
    return t->reducing ? 1 : l->first[i + 1] - l->first[i];
}

static void send_held(const struct wrht *t, struct stage *s, const struct level *l, uint32_t i, uint32_t dst)
{
    for (uint32_t b = 0; b < held(t, l, i); b++)
        stage_add(s, l->node[i], dst, t->reducing ? 0 : l->first[i] + b);
}

/** Every member of a group sends what it holds to the middle. */
static rwa_status gather(const struct wrht *t, struct stage *s, size_t j, rwa_error *err)
{
    const struct level *down = &t->level[j], *up = &t->level[j + 1];
    rwa_status st = stage_create(s, t->nodes, err);
    s->op = t->reducing ? RWA_REDUCE : RWA_COPY;
    for (uint32_t g = 0, i = 0; g < up->count && st == RWA_OK; g++)
        for (; i < part_start(down->count, up->count, g + 1); i++)
            if (down->node[i] != up->node[g])
                send_held(t, s, down, i, up->node[g]);
    return st;
}

/** The places of the representatives; a copy of the exchange for every block the largest of them holds. */
static rwa_status name_places(const struct wrht *t, struct stage *s, const struct level *l, size_t transfers,
                              rwa_error *err)
{
    s->rank_of = base_array(t->nodes, sizeof *s->rank_of, err);
    s->copy = base_array(transfers, sizeof *s->copy, err);
    if (!s->rank_of || !s->copy)
        return RWA_NOMEM;
    s->ranks = l->count;
    for (uint32_t i = 0; i < l->count; i++) {
        s->rank_of[l->node[i]] = i;
        if (held(t, l, i) > s->copies)
            s->copies = held(t, l, i);
    }
    return RWA_OK;
}

/** All-to-all between the representatives that are left. */
static rwa_status exchange(const struct wrht *t, struct stage *s, rwa_error *err)
{
    const struct level *l = &t->level[t->top];
    size_t transfers = (size_t)(l->count - 1) * (t->reducing ? l->count : t->nodes);
    rwa_status st = RWA_OK;
    TRY(stage_create(s, transfers, err));
    s->op = t->reducing ? RWA_REDUCE : RWA_COPY;
    if (t->ring)
        TRY(name_places(t, s, l, transfers, err));
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < l->count; k++) {
            if (i == k)
                continue;
            for (uint32_t b = 0; t->ring && b < held(t, l, i); b++)
                s->copy[s->count + b] = b;
            send_held(t, s, l, i, l->node[k]);
        }
done:
    return st;
}

/** The middle of every group sends each member what it lacks. */
static rwa_status spread(const struct wrht *t, struct stage *s, size_t j, rwa_error *err)
{
    const struct level *down = &t->level[j], *up = &t->level[j + 1];
    size_t each = t->reducing ? 1 : t->nodes;
    rwa_status st = stage_create(s, each * (down->count - up->count), err);
    for (uint32_t g = 0, i = 0; g < up->count && st == RWA_OK; g++)
        for (; i < part_start(down->count, up->count, g + 1); i++)
            for (uint32_t b = 0; b < each && down->node[i] != up->node[g]; b++)
                if (t->reducing || b < down->first[i] || b >= down->first[i + 1])
                    stage_add(s, up->node[g], down->node[i], b);
    return st;
}

static rwa_status wrht_next(void *state, struct stage *s, rwa_error *err)
{
    struct wrht *t = state;
    size_t stage = t->stage++;
    if (stage < t->top)
        return gather(t, s, stage, err);
    if (t->exchange && stage == t->top)
        return exchange(t, s, err);
    stage -= t->top + t->exchange;
    return stage < t->top ? spread(t, s, t->top - 1 - stage, err) : RWA_OK;
}

const struct scheme scheme_wrht = {
    .name = "wrht",
    .summary = "groups of 2w + 1 neighbours gather in their middle, level by level; the last ones exchange all-to-all",
    .source = "WRHT, Section III; as all-gather OpTree, Section IV-B",
    .collectives = 1u << RWA_ALL_REDUCE | 1u << RWA_ALL_GATHER,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .reads = READS_GROUP | READS_LAST_EXCHANGE,
    .solved = 1u << RWA_RING | 1u << RWA_LINE,
    .stripes = true,
    .blocks = scheme_whole_message,
    .validate = wrht_validate,
    .tunings = wrht_tunings,
    .open = wrht_open,
    .next = wrht_next,
    .close = wrht_close,
    .formula = wrht_formula,
};
