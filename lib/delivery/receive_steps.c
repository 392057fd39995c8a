/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/receive_steps.h"

enum { POLL_EVERY = 256 };

/** Of nodes that change together: what a change may cost at first and at last, for each of them. */
static const double hot = 1, cold = 0.125;

/** Too many for any step where no holder is near enough. */
static uint32_t links_of(uint32_t hops)
{
    return hops == TEMPLATE_FAR ? 1 << 20 : hops;
}

static uint32_t hops_between(const struct receive_steps *a, uint32_t from, uint32_t to)
{
    return a->distance[(size_t)from * a->nodes + to];
}

static uint32_t nearest_before(struct receive_steps *a, uint32_t v, uint32_t step)
{
    const uint16_t *order = a->order + (size_t)v * a->nodes;
    uint32_t i = 1;
    while (i < a->nodes && a->step[order[i]] >= step)
        i++;
    a->looked += i;
    return i < a->nodes ? hops_between(a, order[i], v) : TEMPLATE_FAR;
}

static void set_hops(struct receive_steps *a, uint32_t v, uint32_t hops)
{
    a->cost[a->step[v]] += links_of(hops) - links_of(a->hops[v]);
    a->at[a->hops[v]]--;
    a->at[hops]++;
    a->hops[v] = hops;
}

/** Nodes that receive later than `v` does now or did may have it nearest, or had. */
static void follow(struct receive_steps *a, uint32_t v, uint32_t before)
{
    const uint16_t *order = a->order + (size_t)v * a->nodes;
    uint32_t now = a->step[v], low = now < before ? now : before, high = now < before ? before : now, farthest = TEMPLATE_FAR;
    while (a->at[farthest] == 0)
        farthest--;
    for (uint32_t i = 1; i < a->nodes; i++) {
        uint32_t u = order[i], hops = hops_between(a, v, u);
        a->looked++;
        if (hops > farthest)
            break;
        if (a->step[u] <= low || a->step[u] > high)
            continue;
        if (now < before && hops < a->hops[u])
            set_hops(a, u, hops);
        if (now > before && hops == a->hops[u])
            set_hops(a, u, nearest_before(a, u, a->step[u]));
    }
}

static void move(struct receive_steps *a, uint32_t v, uint32_t step)
{
    uint32_t before = a->step[v];
    a->cost[before] -= links_of(a->hops[v]);
    a->step[v] = step;
    a->cost[step] += links_of(a->hops[v]);
    set_hops(a, v, nearest_before(a, v, step));
    follow(a, v, before);
}

uint32_t receive_steps_excess(const struct receive_steps *a)
{
    uint32_t sum = 0;
    for (uint32_t t = 1; t <= a->steps; t++)
        sum += a->cost[t] > a->room[t] ? a->cost[t] - a->room[t] : 0;
    return sum;
}

/** All links, and those beyond the room of their steps once more. */
static uint32_t rate(const struct receive_steps *a, bool *fits)
{
    uint32_t excess = receive_steps_excess(a), sum = excess;
    for (uint32_t t = 1; t <= a->steps; t++)
        sum += a->cost[t];
    *fits = excess == 0;
    return sum;
}

/** What holds for node 0 holds for every node. */
static void fill_tables(struct receive_steps *a, const struct translations *group, const uint8_t *from_0)
{
    uint32_t end = 0;
    for (uint32_t hops = 0; hops <= TEMPLATE_FAR; hops++)
        for (uint32_t v = 0; v < a->nodes; v++)
            if (from_0[v] == hops)
                a->order[end++] = (uint16_t)v;
    assert(end == a->nodes && a->order[0] == 0);
    for (uint32_t from = a->nodes; from-- > 0;)
        for (uint32_t i = 0; i < a->nodes; i++) {
            uint32_t to = translations_add(group, a->order[i], from);
            a->order[(size_t)from * a->nodes + i] = (uint16_t)to;
            a->distance[(size_t)from * a->nodes + to] = from_0[a->order[i]];
        }
}

/** A turn by a right angle where two digits are alike, else the change of all signs, if all distances stay as they are. */
static void find_symmetry(struct receive_steps *a, const struct translations *g)
{
    bool square = g->digits == 2 && g->radix[0] == g->radix[1] && !g->element, kept = true;
    for (uint32_t v = 0; v < a->nodes; v++) {
        uint32_t high = v / g->radix[1 % g->digits], low = v % g->radix[1 % g->digits];
        a->turned[v] = square ? (g->radix[0] - low) % g->radix[0] * g->radix[0] + high : translations_move(g, 0, v, 0);
        kept = kept && a->distance[a->turned[v]] == a->distance[v];
    }
    for (uint32_t v = 0; v < a->nodes && !kept; v++)
        a->turned[v] = v;
}

static size_t state_size(const struct receive_steps *a)
{
    return (size_t)a->nodes + a->steps + 1 + TEMPLATE_FAR + 1;
}

rwa_status receive_steps_open(struct receive_steps *a, const struct translations *group, const uint8_t *distance, uint32_t steps,
                              uint64_t seed, rwa_error *err)
{
    size_t nodes = group->nodes;
    assert(nodes <= TEMPLATE_NODES);
    *a = (struct receive_steps){.memory.err = err, .nodes = group->nodes, .steps = steps, .random = seed};
    arena_new(&a->memory, a->distance, nodes * nodes);
    arena_new(&a->memory, a->order, nodes * nodes);
    arena_new(&a->memory, a->turned, nodes);
    arena_new(&a->memory, a->step, nodes);
    arena_new(&a->memory, a->room, steps + 1);
    arena_new(&a->memory, a->hops, state_size(a));
    arena_new(&a->memory, a->kept, state_size(a));
    MUST(arena_status(&a->memory));
    a->cost = a->hops + nodes;
    a->at = a->cost + steps + 1;
    fill_tables(a, group, distance);
    find_symmetry(a, group);
    return RWA_OK;
}

void receive_steps_close(struct receive_steps *a)
{
    arena_free(&a->memory);
    *a = (struct receive_steps){.steps = 0};
}

void receive_steps_begin(struct receive_steps *a, uint32_t room)
{
    memset(a->hops, 0, state_size(a) * sizeof *a->hops);
    memset(a->step, 0, a->nodes * sizeof *a->step);
    a->looked = 0;
    for (uint32_t t = 1; t <= a->steps; t++)
        a->room[t] = room;
    for (uint32_t v = 1; v < a->nodes; v++)
        for (uint32_t u = v; a->step[u] == 0; u = a->turned[u])
            a->step[u] = a->step[v] > 0 ? a->step[v] : 1 + (uint32_t)base_random_below(&a->random, a->steps);
    for (uint32_t v = 1; v < a->nodes; v++) {
        a->hops[v] = nearest_before(a, v, a->step[v]);
        a->cost[a->step[v]] += links_of(a->hops[v]);
        a->at[a->hops[v]]++;
    }
}

/** Move a node and all its images to a step.  @return how many they are */
static uint32_t change(struct receive_steps *a, uint32_t first, uint32_t step, void (*move_one)(struct receive_steps *, uint32_t, uint32_t))
{
    uint32_t v = first, images = 0;
    do {
        move_one(a, v, step);
        v = a->turned[v];
        images++;
    } while (v != first);
    return images;
}

static void set_step(struct receive_steps *a, uint32_t v, uint32_t step)
{
    a->step[v] = step;
}

/** One change at a temperature, or none. */
static uint32_t try_change(struct receive_steps *a, uint32_t now, double temperature, bool *fits)
{
    uint32_t v = 1 + (uint32_t)base_random_below(&a->random, a->nodes - 1), before = a->step[v];
    uint32_t step = 1 + (uint32_t)base_random_below(&a->random, a->steps);
    if (step == before)
        return now;
    memcpy(a->kept, a->hops, state_size(a) * sizeof *a->kept);
    uint32_t images = change(a, v, step, move);
    uint32_t after = rate(a, fits);
    double worse = (double)after - (double)now, chance = (double)base_random_below(&a->random, 1 << 24) / (1 << 24);
    if (worse <= 0 || chance < exp(-worse / (temperature * images)))
        return after;
    change(a, v, before, set_step);
    memcpy(a->hops, a->kept, state_size(a) * sizeof *a->kept);
    *fits = false;
    return now;
}

rwa_status receive_steps_find(struct receive_steps *a, bool *found, uint64_t work, struct budget *budget, rwa_error *err)
{
    uint32_t now = rate(a, found);
    for (uint64_t i = 0; !*found && a->looked < work; i++) {
        double done = (double)a->looked / (double)work;
        if (i % POLL_EVERY == 0 && base_must_stop(budget, "receive steps", done))
            break;
        now = try_change(a, now, hot * pow(cold / hot, done), found);
    }
    return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped at the receive steps of a tree") : RWA_OK;
}
