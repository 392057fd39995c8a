/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/improve.h"

#include "solvers/table.h"

enum { RARE_LOSS = 100, MOST_WEIGHT = 1 << 16 };

struct tabu {
    const struct improve *run;
    struct table table;
    uint32_t *unplaced;     /* demands without a place */
    uint32_t count;
    int32_t *until;         /* until[d * stride + w]: before that move, demand d may not push out others on channel w */
    float *weight;          /* of each demand: how often it found no free place; the cost of pushing it out */
    uint32_t moves;
    uint64_t spent;
    struct arena arena;
};

static void tabu_free(struct tabu *t)
{
    table_free(&t->table);
    arena_free(&t->arena);
}

static rwa_status tabu_create(struct tabu *t, rwa_error *err)
{
    const struct candidates *cand = t->run->spectrum->cand;
    size_t demands = cand->demands, channels = t->run->best->channels;
    MUST(base_fits_memory(4.0 * (double)demands * (double)channels, "the tabu list", err));
    MUST(table_create(&t->table, t->run->spectrum, (uint32_t)channels, err));
    arena_arrays(&t->arena, demands, t->unplaced, t->weight);
    return arena_arrays(&t->arena, demands * t->table.stride, t->until);
}

/* Return the cost of pushing out a demand on this route: its weight or, with by_hops, its weight times the hops. */
static float cost_of(const struct tabu *t, uint32_t demand, size_t route)
{
    return t->weight[demand] * (float)(t->run->by_hops ? route_hops(t->table.cand, route) : 1);
}

static bool has_channel(const struct tabu *t, uint32_t demand, uint32_t channel)
{
    const struct candidates *cand = t->table.cand;
    size_t route = t->table.at.route[demand];
    for (size_t s = first_segment(cand, route); s < end_segment(cand, route); s++)
        if (t->table.at.channel[s] == channel)
            return true;
    return false;
}

static void put(struct tabu *t, uint32_t demand, size_t route)
{
    table_put(&t->table, demand, route, cost_of(t, demand, route));
}

/* Remove the last channel: its demands lose their place.  All demands must have one. */
static void drop_channel(struct tabu *t)
{
    uint32_t last = t->table.channels - 1;
    assert(t->count == 0 && t->table.at.placed == t->table.cand->demands);
    for (uint32_t d = 0; d < t->table.cand->demands; d++)
        if (has_channel(t, d, last)) {
            table_lift(&t->table, d);
            t->unplaced[t->count++] = d;
        }
    table_shrink(&t->table);
}

/* Start from the best placement so far, with all weights 1. */
static void begin(struct tabu *t)
{
    const struct candidates *cand = t->table.cand;
    const struct placement *best = t->run->best;
    for (uint32_t d = 0; d < cand->demands; d++) {
        size_t route = best->route[d];
        t->weight[d] = 1;
        for (size_t s = first_segment(cand, route); s < end_segment(cand, route); s++)
            t->table.at.channel[s] = best->channel[s];
        if (route == NO_ROUTE)
            t->unplaced[t->count++] = d;
        else
            put(t, d, route);
    }
    table_check(&t->table);
}

/* Return a random channel among those that cost at most `least`; there must be one. */
static uint32_t draw_channel(struct tabu *t, float least)
{
    const float *sum = t->table.sum;
    uint32_t ties = 0, w = 0;
    for (uint32_t i = 0; i < t->table.channels; i++)
        ties += sum[i] <= least;
    assert(ties > 0);
    for (uint64_t drawn = base_random_below(t->run->goal.random, ties) + 1; drawn > 0; w++)
        drawn -= sum[w] <= least;
    return w - 1;
}

/* Choose the channel on which the segment pushes out demands of the least total cost, write it to the placement, and
 * return the cost; 0: the channel is free.  If every channel costs more than `most`, return more than `most` and
 * write nothing. */
static float tabu_channel(struct tabu *t, uint32_t demand, size_t segment, float most)
{
    uint32_t open = map_lowest(&t->table.map, segment, 1);
    if (open < t->table.channels) {
        t->table.at.channel[segment] = open;
        return 0;
    }
    t->spent += (t->table.channels + TABLE_BLOCK - 1) / TABLE_BLOCK * TABLE_BLOCK;
    float least = table_sum(&t->table, segment, t->until + (size_t)demand * t->table.stride, (int32_t)t->moves);
    if (least <= most && least < INFINITY)
        t->table.at.channel[segment] = draw_channel(t, least);
    return least;
}

static float choose_segments(struct tabu *t, uint32_t demand, size_t route, float most)
{
    float total = 0;
    for (size_t s = t->table.cand->segment[route]; s < t->table.cand->segment[route + 1]; s++) {
        total += tabu_channel(t, demand, s, most - total);
        if (total > most)
            return INFINITY;
    }
    return total;
}

/* Return the route on which the demand pushes out the least, with its channels written to the placement.  NO_ROUTE:
 * the tabu list bars every channel of every route, or all cost too much. */
static size_t tabu_route(struct tabu *t, uint32_t demand)
{
    const struct candidates *cand = t->table.cand;
    size_t best = NO_ROUTE;
    float least = INFINITY;
    uint32_t ties = 0;
    if (t->run->goal.most && t->run->goal.bound < cand->demands) /* not all can be served: a demand may push out one
                                                                    other, now and then two */
        least = base_random_below(t->run->goal.random, RARE_LOSS) == 0 ? 2 : 1;
    for (size_t r = cand->route[demand]; r < cand->route[demand + 1] && least > 0; r++) {
        if (t->run->left_out && t->run->left_out[r])
            continue;
        float out = choose_segments(t, demand, r, least);
        if (out > least || out == INFINITY)
            continue;
        ties = out < least ? 1 : ties + 1;
        if (out < least || base_random_below(t->run->goal.random, ties) == 0)
            best = r;
        least = out;
    }
    return best;
}

static void push_out(struct tabu *t, uint32_t demand)
{
    assert(t->table.at.route[demand] != NO_ROUTE && t->count < t->table.cand->demands);
    const struct candidates *cand = t->table.cand;
    size_t route = t->table.at.route[demand];
    uint32_t stay = t->moves + 1 + 3 * t->count / 5 + (uint32_t)base_random_below(t->run->goal.random, 10);
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++)
        t->until[(size_t)demand * t->table.stride + t->table.at.channel[s]] = (int32_t)stay;
    table_lift(&t->table, demand);
    t->unplaced[t->count++] = demand;
}

/* Raise the weight of a demand that pushed others out, so that it is harder to push out.  Where only some demands
 * can be served, they are exchanged one for one and weights stay. */
static void raise_weight(struct tabu *t, uint32_t demand)
{
    bool all_wanted = !t->run->goal.most || t->run->goal.bound >= t->table.cand->demands;
    if (all_wanted && t->weight[demand] < MOST_WEIGHT)
        t->weight[demand]++;
}

static void move(struct tabu *t)
{
    assert(t->count > 0 && t->count + t->table.at.placed == t->table.cand->demands);
    const struct candidates *cand = t->table.cand;
    uint32_t at = (uint32_t)base_random_below(t->run->goal.random, t->count);
    uint32_t demand = t->unplaced[at];
    size_t route = tabu_route(t, demand);
    t->moves++;
    t->spent++;
    if (route == NO_ROUTE)
        return;
    t->unplaced[at] = t->unplaced[--t->count];
    uint32_t others = t->count;
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++)
        for (size_t k = cand->hop[s]; k < cand->hop[s + 1]; k++) {
            uint32_t victim = t->table.owner[cand->link[k] * (size_t)t->table.stride + t->table.at.channel[s]];
            if (victim != TABLE_FREE)
                push_out(t, victim);
        }
    if (t->count > others)
        raise_weight(t, demand);
    put(t, demand, route);
}

static bool must_stop(struct tabu *t)
{
    const struct improve *run = t->run;
    if (t->moves == INT32_MAX / 2 || (run->work > 0 && t->spent > run->work))
        return true;
    return t->moves % 256 == 0 && base_must_stop(run->goal.budget, "tabu search", -1);
}

static void keep(struct tabu *t)
{
    assert(t->run->goal.most || t->table.channels < t->run->best->channels);
    placement_copy(t->run->best, &t->table.at, t->table.cand);
}

bool improve_done(const struct improve *run)
{
    return spectrum_met(run->best, run->spectrum, &run->goal);
}

rwa_status improve_tabu(const struct improve *run)
{
    assert(run->goal.most || run->best->placed == run->spectrum->cand->demands);
    rwa_status st = RWA_OK;
    struct tabu t = {.run = run, .arena = {.err = run->goal.err}};
    bool stop = false;
    if (improve_done(run))
        return RWA_OK;
    TRY(tabu_create(&t, run->goal.err));
    begin(&t);
    while (!stop && !improve_done(run)) {
        if (!run->goal.most)
            drop_channel(&t);
        while (t.count > 0 && !stop && !(run->goal.most && improve_done(run))) {
            move(&t);
            stop = must_stop(&t);
            if (run->goal.most && t.table.at.placed > run->best->placed)
                keep(&t);
        }
        if (!run->goal.most && t.count == 0)
            keep(&t);
    }
    table_check(&t.table);
done:
    tabu_free(&t);
    return st;
}
