/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/template_plan.h"

#include "delivery/displace.h"
#include "delivery/receive_steps.h"
#include "delivery/slot_packing.h"
#include "network/network.h"

/** Attempts from other random steps; the next one only where the last came so near: a part of a step's room was missing.  Before them so
 *  many attempts, divided by all pairs of nodes, of such a part of the work: what is found is mostly found soon.  A step without slots for
 *  its lightpaths gets less room by such a part of their links. */
enum { ATTEMPTS = 4, BRIEF_PAIRS = 640 << 10, BRIEF_MOST = 128, BRIEFER = 8, NEARLY = 4, LESS = 16 };

/** On so many nodes, with so many digits, each owner may have channels of its own: trees tried so, fewer on more nodes,
 *  and some that are not found; lightpaths placed, for each at most. */
enum { EACH_NODES = 64, EACH_DIGITS = 2, TREES_TIMES_NODES = 512, MORE_TREES = 4, SERVED_EACH = 20 };

/** A plan may list the blocks of so many owners. */
enum { LISTED_NODES = 256 };

struct template_plan {
    const struct template_request *request;
    const struct folding *folding;  /* NULL: the plan lists the blocks of all nodes */
    struct template_space space;
    struct arena memory;        /* of the arrays */
    struct receive_steps tree;
    struct template_lightpath *list;    /* of all steps, in their order */
    uint32_t *path;
    uint64_t random;
    bool each;                  /* the plan found lists all owners, whatever the folding */
};

/** Of some digit; on large networks of all of them, so that a plan of few owners stands for all. */
static bool has_period(const struct translations *group, uint32_t period)
{
    bool has = folding_exists(group, period);
    for (size_t d = 0; d < group->digits && group->nodes <= LISTED_NODES; d++)
        has = has || group->radix[d] % period == 0;
    return has;
}

/** The most phases that there are and the channels suffice for. */
static uint32_t find_period(const struct translations *group, uint32_t channels)
{
    uint32_t period = channels;
    while (!has_period(group, period))
        period--;
    assert(period >= 1);
    return period;
}

/** The receivers of a step. */
static uint32_t list_receivers(struct template_lightpath *list, const struct template_plan *p, uint32_t step)
{
    uint32_t count = 0;
    for (uint32_t v = 1; v < p->space.nodes; v++)
        if (p->tree.step[v] == step)
            list[count++] = (struct template_lightpath){.to = v, .hops = p->tree.hops[v]};
    return count;
}

/** One step after the other, until the lightpaths of one find no slots. */
static rwa_status pack_steps(struct template_plan *p, bool *packed, rwa_error *err)
{
    struct template_lightpath *list = p->list;
    *packed = true;
    for (uint32_t t = 1; t <= p->request->steps && *packed; t++) {
        uint32_t count = list_receivers(list, p, t);
        MUST(slots_pack(list, count, packed, &p->space, p->tree.step, t, &p->random, &p->tree.looked, err));
        if (!*packed)
            p->tree.room[t] = p->tree.cost[t] - 1 - p->tree.cost[t] / LESS;
        list += count;
    }
    return RWA_OK;
}

static uint32_t owners(const struct template_plan *p)
{
    return p->folding ? p->folding->by.index : p->space.nodes;
}

/** The lightpath as an owner has it. */
static rwa_status send_for(struct template_plan *p, struct delivery_state *state, const struct template_lightpath *l, uint32_t owner)
{
    uint32_t channel = template_channel(&p->space, owner, l->channel);
    bool sent;
    p->path[0] = translations_add(p->space.group, l->from, owner);
    for (uint32_t k = 0; k < l->hops; k++)
        p->path[k + 1] = translations_add(p->space.group, p->path[k], p->space.way[l->route[k]]);
    rwa_lightpath lp = {.src = p->path[0], .dst = p->path[l->hops], .block = owner, .fiber = channel / state->wavelengths,
                        .wavelength = channel % state->wavelengths};
    MUST(delivery_send(state, &lp, p->path, l->hops + 1, &sent));
    assert(sent);
    return RWA_OK;
}

static rwa_status send_all(struct template_plan *p, struct delivery_state *state)
{
    const struct template_lightpath *l = p->list, *end = l + p->space.nodes - 1;
    for (uint32_t t = 1; t <= p->request->steps; t++) {
        delivery_begin_step(state, false);
        for (; l < end && p->tree.step[l->to] == t; l++)
            for (uint32_t owner = 0; owner < owners(p); owner++)
                MUST(send_for(p, state, l, owner));
        delivery_end_step(state);
    }
    return RWA_OK;
}

/** Each lightpath of owner 0 becomes those of the first owners. */
static rwa_status write(struct deliveries *out, struct template_plan *p, rwa_error *err)
{
    struct delivery_state state = {.err = err};
    rwa_status st = delivery_open(&state, p->request->net, owners(p), p->folding, err);
    TRY(st);
    delivery_reset(&state);
    for (uint32_t owner = 0; owner < owners(p); owner++)
        delivery_hold(&state, owner, owner);
    TRY(send_all(p, &state));
    *out = state.sent;
    state.sent = (struct deliveries){.count = 0};
done:
    delivery_close(&state);
    return st;
}

/** From other random steps.  *near: their lightpaths nearly fit, or did, but found no slots. */
static rwa_status attempt(struct template_plan *p, uint64_t work, bool *packed, bool *near, rwa_error *err)
{
    const struct template_request *r = p->request;
    struct receive_steps *tree = &p->tree;
    bool found = true;
    *packed = *near = false;
    receive_steps_close(tree);
    MUST(receive_steps_open(tree, &p->space, r->steps, base_random(&p->random), err));
    while (found && !*packed) {
        MUST(receive_steps_find(tree, &found, work, r->budget, err));
        *near = *near || receive_steps_excess(tree) <= tree->room[1] / NEARLY;
        if (found)
            MUST(pack_steps(p, packed, err));
    }
    return RWA_OK;
}

/* ---- every owner with channels of its own ---- */

/** Lightpaths of a step that wait for a channel. */
struct waiting {
    struct { uint32_t node, owner; } *at;
    size_t count;
};

static void await(struct waiting *w, uint32_t node, uint32_t owner)
{
    w->at[w->count].node = node;
    w->at[w->count++].owner = owner;
}

/** All owners' lightpaths of a step, one by one, those in their way withdrawn. */
static rwa_status serve_step(struct template_plan *p, struct displacer *d, struct waiting *w, uint32_t step, bool *served)
{
    struct delivery_state *state = d->state;
    *served = true;
    delivery_begin_step(state, false);
    displacer_begin(d);
    for (uint32_t v = 1; v < p->space.nodes; v++)
        for (uint32_t owner = 0; owner < p->space.nodes && p->tree.step[v] == step; owner++)
            await(w, translations_add(p->space.group, v, owner), owner);
    for (size_t left = SERVED_EACH * w->count; w->count > 0 && left > 0 && *served; left--) {
        size_t i = (size_t)base_random_below(&p->random, w->count);
        uint32_t node = w->at[i].node, owner = w->at[i].owner;
        w->at[i] = w->at[--w->count];
        MUST(displacer_serve(d, node, owner, p->request->max_hops, served));
        for (size_t k = 0; k < d->count; k++) {
            const rwa_lightpath *lp = &state->sent.list[d->withdrawn[k]];
            await(w, lp->dst, (uint32_t)lp->block);
        }
    }
    *served = *served && w->count == 0;
    delivery_end_step(state);
    return RWA_OK;
}

static rwa_status serve_all(struct deliveries *out, struct template_plan *p, bool *served, rwa_error *err)
{
    uint32_t nodes = p->space.nodes;
    struct delivery_state state = {.err = err};
    struct displacer displacer = {.state = NULL};
    struct waiting waiting = {.count = 0};
    rwa_status st = RWA_OK;
    TRY(delivery_open(&state, p->request->net, nodes, NULL, err));
    TRY(displacer_open(&displacer, &state, err));
    waiting.at = base_array((size_t)nodes * nodes, sizeof *waiting.at, err);
    st = waiting.at ? RWA_OK : RWA_NOMEM;
    TRY(st);
    delivery_reset(&state);
    for (uint32_t owner = 0; owner < nodes; owner++)
        delivery_hold(&state, owner, owner);
    *served = true;
    for (uint32_t t = 1; t <= p->request->steps && *served; t++)
        TRY(serve_step(p, &displacer, &waiting, t, served));
    if (*served) {
        *out = state.sent;
        state.sent = (struct deliveries){.count = 0};
    }
done:
    free(waiting.at);
    displacer_close(&displacer);
    delivery_close(&state);
    return st;
}

/** The fewest hops along a way on any route of a displacement. */
static uint32_t hops_along(const struct template_space *s, uint32_t to, uint32_t way)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < s->routes[to]; i++) {
        const uint8_t *route = s->route + ((size_t)to * TEMPLATE_ROUTES + i) * TEMPLATE_HOPS;
        uint32_t count = 0;
        for (uint32_t k = 0; k < template_hops(s, 0, to); k++)
            count += route[k] == way;
        least = count < least ? count : least;
    }
    return least;
}

/** Whether no way out of the owners must carry more in the first step than it has channels. */
static bool is_balanced(const struct template_plan *p)
{
    const struct template_space *s = &p->space;
    bool balanced = true;
    for (uint32_t way = 0; way < s->ways && balanced; way++) {
        uint64_t links = 0;
        for (uint32_t v = 1; v < s->nodes; v++)
            links += p->tree.step[v] == 1 ? hops_along(s, v, way) : 0;
        balanced = links <= s->channels;
    }
    return balanced;
}

/** Each owner's lightpaths on channels of their own; trees with the symmetry of the network first, then such without. */
static rwa_status search_each(struct deliveries *out, struct template_plan *p, const rwa_network *listed, rwa_error *err)
{
    const struct template_request *r = p->request;
    receive_steps_close(&p->tree);
    template_space_close(&p->space);
    MUST(template_space_open(&p->space, r->group, listed, 0, r->max_hops, err));
    uint32_t most = TREES_TIMES_NODES / p->space.nodes;
    for (uint32_t i = 0, tried = 0; i < most + MORE_TREES && tried < most && out->steps == 0; i++) {
        bool found, served;
        for (uint32_t v = 0; v < p->space.nodes && i == most / 2; v++)
            p->space.turned[v] = v;
        receive_steps_close(&p->tree);
        MUST(receive_steps_open(&p->tree, &p->space, r->steps, base_random(&p->random), err));
        MUST(receive_steps_find(&p->tree, &found, r->work, r->budget, err));
        if (!found || !is_balanced(p))
            continue;
        tried++;
        MUST(serve_all(out, p, &served, err));
    }
    return RWA_OK;
}

static rwa_status search(struct deliveries *out, struct template_plan *p, const rwa_network *listed, rwa_error *err)
{
    uint32_t brief = BRIEF_PAIRS / (p->space.nodes * p->space.nodes);
    uint64_t work = p->request->work;
    bool packed = false, near = true;
    p->memory.err = err;
    arena_new(&p->memory, p->list, p->space.nodes);
    arena_new(&p->memory, p->path, TEMPLATE_HOPS + 1);
    MUST(arena_status(&p->memory));
    for (uint32_t i = 0; i < brief && i < BRIEF_MOST && near && !packed; i++)
        MUST(attempt(p, work / BRIEFER, &packed, &near, err));
    near = true;
    for (int i = 0; i < ATTEMPTS && near && !packed; i++)
        MUST(attempt(p, work, &packed, &near, err));
    if (packed)
        return write(out, p, err);
    if (p->space.nodes > EACH_NODES || p->space.group->digits > EACH_DIGITS)
        return RWA_OK;
    MUST(search_each(out, p, listed, err));
    p->each = out->steps > 0;
    return RWA_OK;
}

rwa_status template_plan_find(struct deliveries *out, struct folding *folding, const struct template_request *request, rwa_error *err)
{
    struct template_plan p = {.request = request, .random = request->seed};
    uint32_t period = find_period(request->group, rwa_network_channels(request->net));
    rwa_network *listed = NULL;
    rwa_status st = RWA_OK;
    *out = (struct deliveries){.count = 0};
    TRY(network_list_links(&listed, request->net, err));
    if (folding_exists(request->group, period)) {
        TRY(folding_create(folding, request->group, listed, period, err));
        p.folding = folding;
    }
    TRY(template_space_open(&p.space, request->group, listed, period, request->max_hops, err));
    TRY(search(out, &p, listed, err));
    if (p.each)
        folding_free(folding);
done:
    receive_steps_close(&p.tree);
    template_space_close(&p.space);
    arena_free(&p.memory);
    rwa_network_free(listed);
    return st;
}
