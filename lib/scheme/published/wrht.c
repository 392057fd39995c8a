/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * WRHT (Dai, Chen, Huang, Zhang, Zhang: Wavelength Reused Hierarchical Tree).  Groups of m neighbours send to their
 * middle node, again among those representatives, until the ones left can exchange all-to-all in one step; then the same
 * ways back.  m = 2w + 1 is the most whose two sides fit w wavelengths.  As all-reduce the representatives add up, and
 * everything moves the whole message; as all-gather (OpTree, Section IV-B) everybody sends all it holds, block by block.
 */
#include "scheme/published/wrht.h"

enum { LEVELS_MAX = 32 };

/** The representatives after so many groupings, in ring order; those after none are all nodes. */
struct level {
    uint32_t count;
    uint32_t *node;
    uint32_t *first;    /* representative i stands for the nodes first[i] … first[i + 1] - 1 */
};

struct wrht {
    uint32_t nodes;
    bool cycle, reducing;
    bool exchange;      /* those of the top level exchange all-to-all */
    size_t top;
    struct level level[LEVELS_MAX];
};

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
        assert(from < to && to - from <= group);
        up->node[g] = down->node[from + (to - from) / 2];
        up->first[g + 1] = down->first[to];
    }
    return st;
}

/** Whether so many representatives exchange all they have at once.  Sums take one step, in which each has a port for every other one. */
static bool can_exchange(const struct wrht *t, const rwa_network *net, uint32_t count)
{
    uint32_t ports = rwa_network_ports(net);
    bool joined = !t->reducing || ports == 0 || count <= ports + 1;
    return joined && exchange_wavelengths(count, t->cycle) <= rwa_network_channels(net);
}

static rwa_status build_levels(struct wrht *t, const struct plan_request *request, rwa_error *err)
{
    uint32_t group = request->parameters->group;
    bool tree = request->opts->last_exchange == RWA_LAST_TREE;
    MUST(level_create(&t->level[0], t->nodes, err));
    for (uint32_t v = 0; v < t->nodes; v++) {
        t->level[0].node[v] = v;
        t->level[0].first[v + 1] = v + 1;
    }
    while (t->level[t->top].count > 1 && !t->exchange) {
        t->exchange = !tree && can_exchange(t, request->net, t->level[t->top].count);
        if (t->exchange)
            break;
        assert(t->top + 1 < LEVELS_MAX && group >= 2);
        MUST(group_up(&t->level[t->top + 1], &t->level[t->top], group, err));
        t->top++;
    }
    return RWA_OK;
}

/** How many blocks representative i of a level has gathered. */
static uint32_t held(const struct wrht *t, const struct level *l, uint32_t i)
{
    return t->reducing ? 1 : l->first[i + 1] - l->first[i];
}

static void send_held(const struct wrht *t, struct transfers *s, const struct level *l, uint32_t i, uint32_t dst)
{
    assert(i < l->count);
    for (uint32_t b = 0; b < held(t, l, i); b++)
        transfer_add(s, l->node[i], dst, t->reducing ? 0 : l->first[i] + b);
}

/** Every member of a group sends what it holds to the middle. */
static rwa_status gather(struct schedule_sink *sink, const struct wrht *t, size_t j, rwa_error *err)
{
    const struct level *down = &t->level[j], *up = &t->level[j + 1];
    struct transfers s;
    MUST(transfers_create(&s, t->nodes, 0, err));
    s.op = t->reducing ? RWA_REDUCE : RWA_COPY;
    for (uint32_t g = 0, i = 0; g < up->count; g++)
        for (; i < part_start(down->count, up->count, g + 1); i++)
            if (down->node[i] != up->node[g])
                send_held(t, &s, down, i, up->node[g]);
    return sink_transfers(sink, &s, err);
}

/** The places of the representatives; a copy of the exchange for every block the largest of them holds. */
static rwa_status name_places(const struct wrht *t, struct transfers *s, const struct level *l, rwa_error *err)
{
    MUST(base_new(s->rank_of, t->nodes, err));
    s->ranks = l->count;
    for (uint32_t i = 0; i < l->count; i++) {
        s->rank_of[l->node[i]] = i;
        if (held(t, l, i) > s->copies)
            s->copies = held(t, l, i);
    }
    return RWA_OK;
}

/** All-to-all between the representatives that are left. */
static rwa_status exchange(struct schedule_sink *sink, const struct wrht *t, rwa_error *err)
{
    const struct level *l = &t->level[t->top];
    struct transfers s;
    rwa_status st = RWA_OK;
    TRY(transfers_create(&s, (size_t)(l->count - 1) * (t->reducing ? l->count : t->nodes), t->cycle ? WITH_COPY : 0, err));
    s.op = t->reducing ? RWA_REDUCE : RWA_COPY;
    if (t->cycle)
        TRY(name_places(t, &s, l, err));
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < l->count; k++) {
            if (i == k)
                continue;
            for (uint32_t b = 0; t->cycle && b < held(t, l, i); b++)
                s.copy[s.count + b] = b;
            send_held(t, &s, l, i, l->node[k]);
        }
    TRY(sink_transfers(sink, &s, err));
done:
    transfers_free(&s);
    return st;
}

/** The middle of every group sends each member what it lacks. */
static rwa_status spread(struct schedule_sink *sink, const struct wrht *t, size_t j, rwa_error *err)
{
    const struct level *down = &t->level[j], *up = &t->level[j + 1];
    size_t each = t->reducing ? 1 : t->nodes;
    struct transfers s;
    MUST(transfers_create(&s, each * (down->count - up->count), 0, err));
    for (uint32_t g = 0, i = 0; g < up->count; g++)
        for (; i < part_start(down->count, up->count, g + 1); i++)
            for (uint32_t b = 0; b < each && down->node[i] != up->node[g]; b++)
                if (t->reducing || b < down->first[i] || b >= down->first[i + 1])
                    transfer_add(&s, up->node[g], down->node[i], b);
    return sink_transfers(sink, &s, err);
}

static rwa_status push_levels(struct schedule_sink *sink, const struct wrht *t, rwa_error *err)
{
    for (size_t j = 0; j < t->top; j++)
        MUST(gather(sink, t, j, err));
    if (t->exchange)
        MUST(exchange(sink, t, err));
    for (size_t j = t->top; j-- > 0;)
        MUST(spread(sink, t, j, err));
    return RWA_OK;
}

static rwa_status plan_wrht(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct wrht t = {.nodes = rwa_network_nodes(request->net), .cycle = network_is_cycle(request->net),
                     .reducing = request->coll->kind == RWA_ALL_REDUCE};
    rwa_status st = RWA_OK;
    TRY(build_levels(&t, request, err));
    if (request->opts->last_exchange == RWA_LAST_ALL_TO_ALL && !t.exchange) {
        uint32_t left = t.level[t.top - 1].count;
        st = scheme_refuse(request, "the last %u representatives need %llu channels, and %u ports, to exchange all-to-all, and there are "
                           "%u channels; more of these, another 'group' or last_exchange tree would do", left,
                           (unsigned long long)exchange_wavelengths(left, t.cycle), left - 1, rwa_network_channels(request->net));
    } else {
        st = push_levels(sink, &t, err);
    }
done:
    for (size_t j = 0; j < LEVELS_MAX; j++) {
        free_all(t.level[j].node, t.level[j].first);
    }
    return st;
}

const struct scheme scheme_wrht = {
    .name = "wrht",
    .summary = "groups of 2w + 1 neighbours gather in their middle, level by level; the last ones exchange all-to-all",
    .source = "WRHT, Section III; as all-gather OpTree, Section IV-B",
    .collectives = 1u << RWA_ALL_REDUCE | 1u << RWA_ALL_GATHER,
    .needs = NETWORK_ARCS,
    .reads = READS_GROUP | READS_LAST_EXCHANGE,
    .solver_needs = NETWORK_ARCS,
    .traits = STRIPES,
    .validate = wrht_validate,
    .estimate = wrht_estimate,
    .plan = plan_wrht,
    .formula = wrht_formula,
};
