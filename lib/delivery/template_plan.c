/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/template_plan.h"

#include "delivery/receive_steps.h"
#include "delivery/slot_packing.h"
#include "network/network.h"

/** Attempts from other random steps; the next one only where the last came so near: a part of a step's room was missing.  Before them so
 *  many attempts, divided by all pairs of nodes, of such a part of the work: what is found is mostly found soon.  A step without slots for
 *  its lightpaths gets less room by such a part of their links. */
enum { ATTEMPTS = 4, BRIEF_PAIRS = 640 << 10, BRIEF_MOST = 128, BRIEFER = 8, NEARLY = 4, LESS = 16 };

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
        delivery_begin_step(state);
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

static rwa_status search(struct deliveries *out, struct template_plan *p, rwa_error *err)
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
    return packed ? write(out, p, err) : RWA_OK;
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
    TRY(search(out, &p, err));
done:
    receive_steps_close(&p.tree);
    template_space_close(&p.space);
    arena_free(&p.memory);
    rwa_network_free(listed);
    return st;
}
