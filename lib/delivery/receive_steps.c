/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/receive_steps.h"

enum { POLL_EVERY = 256 };

/** Of nodes that change together: what a change may cost at first and at last, for each of them. */
static const double hot = 1, cold = 0.125;

/** Too many for any step where no holder is near enough. */
static uint64_t links_of(uint32_t hops)
{
    return hops == TEMPLATE_FAR ? 1 << 20 : hops;
}

static uint32_t nearest_before(struct receive_steps *a, uint32_t v, uint32_t step)
{
    const struct template_space *s = a->space;
    const uint16_t *order = s->order + (size_t)v * s->nodes;
    uint32_t least = TEMPLATE_FAR;
    uint32_t i = 1;
    while (i < s->nodes && (a->step[order[i]] >= step || (least = template_hops(s, order[i], v)) == TEMPLATE_FAR))
        i++;
    a->looked += i;
    return least;
}

static rwa_status set_hops(struct receive_steps *a, uint32_t v, uint32_t hops, rwa_error *err)
{
    MUST(base_grow((void **)&a->change, &a->capacity, a->changes + 1, sizeof *a->change, err));
    a->change[a->changes].node = v;
    a->change[a->changes++].hops = a->hops[v];
    a->cost[a->step[v]] += links_of(hops) - links_of(a->hops[v]);
    a->count[a->hops[v]]--;
    a->count[hops]++;
    a->hops[v] = hops;
    return RWA_OK;
}

/** Nodes that receive later than `v` does now or did may have it nearest, or had. */
static rwa_status follow(struct receive_steps *a, uint32_t v, uint32_t before, rwa_error *err)
{
    const struct template_space *s = a->space;
    const uint16_t *order = s->order + (size_t)v * s->nodes;
    uint32_t now = a->step[v], low = now < before ? now : before, high = now < before ? before : now, farthest = TEMPLATE_FAR;
    while (a->count[farthest] == 0)
        farthest--;
    for (uint32_t i = 1; i < s->nodes; i++) {
        uint32_t u = order[i], hops = template_hops(s, v, u);
        a->looked++;
        if (hops > farthest && hops < TEMPLATE_FAR)
            break;
        if (a->step[u] <= low || a->step[u] > high)
            continue;
        if (now < before && hops < a->hops[u])
            MUST(set_hops(a, u, hops, err));
        if (now > before && hops == a->hops[u])
            MUST(set_hops(a, u, nearest_before(a, u, a->step[u]), err));
    }
    return RWA_OK;
}

static rwa_status move(struct receive_steps *a, uint32_t v, uint32_t step, rwa_error *err)
{
    uint32_t before = a->step[v];
    a->cost[before] -= links_of(a->hops[v]);
    a->step[v] = step;
    a->cost[step] += links_of(a->hops[v]);
    MUST(set_hops(a, v, nearest_before(a, v, step), err));
    return follow(a, v, before, err);
}

/** With all its images. */
static rwa_status move_all(struct receive_steps *a, uint32_t first, uint32_t step, uint32_t *images, rwa_error *err)
{
    uint32_t v = first;
    a->changes = 0;
    *images = 0;
    do {
        MUST(move(a, v, step, err));
        v = a->space->turned[v];
        ++*images;
    } while (v != first);
    return RWA_OK;
}

static void undo(struct receive_steps *a, uint32_t first, uint32_t step)
{
    for (size_t i = a->changes; i-- > 0;) {
        uint32_t v = a->change[i].node;
        a->count[a->hops[v]]--;
        a->count[a->change[i].hops]++;
        a->hops[v] = a->change[i].hops;
    }
    uint32_t v = first;
    do {
        a->step[v] = step;
        v = a->space->turned[v];
    } while (v != first);
    memcpy(a->cost, a->kept, ((size_t)a->steps + 1) * sizeof *a->cost);
}

uint64_t receive_steps_excess(const struct receive_steps *a)
{
    uint64_t sum = 0;
    for (uint32_t t = 1; t <= a->steps; t++)
        sum += a->cost[t] > a->room[t] ? a->cost[t] - a->room[t] : 0;
    return sum;
}

/** All links, and those beyond the room of their steps once more. */
static uint64_t rate(const struct receive_steps *a, bool *fits)
{
    uint64_t excess = receive_steps_excess(a), sum = excess;
    for (uint32_t t = 1; t <= a->steps; t++)
        sum += a->cost[t];
    *fits = excess == 0;
    return sum;
}

rwa_status receive_steps_open(struct receive_steps *a, const struct template_space *s, uint32_t steps, uint64_t seed, rwa_error *err)
{
    *a = (struct receive_steps){.space = s, .memory.err = err, .steps = steps, .random = seed};
    arena_new(&a->memory, a->step, s->nodes);
    arena_new(&a->memory, a->hops, s->nodes);
    arena_new(&a->memory, a->room, steps + 1);
    arena_new(&a->memory, a->cost, steps + 1);
    arena_new(&a->memory, a->kept, steps + 1);
    MUST(arena_status(&a->memory));
    for (uint32_t t = 1; t <= steps; t++)
        a->room[t] = (uint64_t)s->ways * s->channels;
    for (uint32_t v = 1; v < s->nodes; v++)
        for (uint32_t u = v; a->step[u] == 0; u = s->turned[u])
            a->step[u] = a->step[v] > 0 ? a->step[v] : 1 + (uint32_t)base_random_below(&a->random, steps);
    for (uint32_t v = 1; v < s->nodes; v++) {
        a->hops[v] = nearest_before(a, v, a->step[v]);
        a->cost[a->step[v]] += links_of(a->hops[v]);
        a->count[a->hops[v]]++;
    }
    return RWA_OK;
}

void receive_steps_close(struct receive_steps *a)
{
    arena_free(&a->memory);
    free(a->change);
    *a = (struct receive_steps){.steps = 0};
}

/** One change at a temperature for each node that it moves. */
static rwa_status try_change(struct receive_steps *a, uint64_t *now, double temperature, bool *found, rwa_error *err)
{
    uint32_t v = 1 + (uint32_t)base_random_below(&a->random, a->space->nodes - 1), before = a->step[v], images;
    uint32_t step = 1 + (uint32_t)base_random_below(&a->random, a->steps);
    if (step == before)
        return RWA_OK;
    memcpy(a->kept, a->cost, ((size_t)a->steps + 1) * sizeof *a->cost);
    MUST(move_all(a, v, step, &images, err));
    uint64_t after = rate(a, found);
    double worse = (double)after - (double)*now, chance = (double)base_random_below(&a->random, 1 << 24) / (1 << 24);
    if (worse <= 0 || chance < exp(-worse / (temperature * images))) {
        *now = after;
        return RWA_OK;
    }
    undo(a, v, before);
    *found = false;
    return RWA_OK;
}

rwa_status receive_steps_find(struct receive_steps *a, bool *found, uint64_t work, struct budget *budget, rwa_error *err)
{
    uint64_t now = rate(a, found);
    for (uint64_t i = 0; !*found && a->looked < work; i++) {
        if (i % POLL_EVERY == 0 && base_must_stop(budget, "receive steps", (double)a->looked / (double)work))
            break;
        MUST(try_change(a, &now, hot * pow(cold / hot, (double)a->looked / (double)work), found, err));
    }
    return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped at the receive steps of a tree") : RWA_OK;
}
