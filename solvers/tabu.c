/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/improve.h"

enum { RARE_LOSS = 100, MOST_WEIGHT = 1 << 16 };

/* Channels of a block: loops over a block have a fixed length, so that compilers vectorise them. */
enum { BLOCK = 4 };

/* The table has an owner for each (link, channel), in rows of `stride` channels.  Costs are floats, because these have
 * an infinity and four of them fit a register. */
struct tabu {
    const struct improve *run;
    const struct candidates *cand;
    uint32_t stride;        /* channels, rounded up to whole blocks and more */
    struct placement at;
    uint32_t *owner;        /* owner[l * stride + w]: a demand, FREE, or TAKEN */
    float *cost;            /* cost[l * stride + w]: cost of pushing that owner out; 0: free; INFINITY: taken */
    float *sum;             /* of each channel, by sum_costs() */
    struct channel_map map; /* the channels without an owner */
    uint32_t *unplaced;     /* demands without a place */
    uint32_t count;
    int32_t *until;         /* until[d * stride + w]: before that move, demand d may not push out others on channel w */
    float *weight;          /* of each demand: how often it found no free place; the cost of pushing it out */
    uint32_t moves;
    uint64_t spent;
    struct arena arena;
};

#define FREE UINT32_MAX
#define TAKEN (UINT32_MAX - 1)

/* ---- the table ---- */

static void own(struct tabu *t, uint32_t link, uint32_t channel, uint32_t owner, float cost)
{
    size_t cell = (size_t)link * t->stride + channel;
    t->owner[cell] = owner;
    t->cost[cell] = cost;
    if (channel < t->map.most)
        map_set(&t->map, link, channel, owner == FREE);
}

static rwa_status tabu_create(struct tabu *t, rwa_error *err)
{
    const struct candidates *cand = t->cand = t->run->spectrum->cand;
    uint32_t channels = t->at.channels = t->run->best->channels;
    size_t demands = cand->demands;
    /* Whole blocks, and an odd number of cache lines: otherwise the rows of a route compete for the same few cache
     * sets. */
    t->stride = ((channels + 15) / 16 | 1) * 16;
    MUST(base_fits_memory(8.0 * cand->links * t->stride + 4.0 * (double)demands * t->stride, "the tabu search", err));
    arena_arrays(&t->arena, (size_t)cand->links * t->stride, t->owner, t->cost);
    arena_arrays(&t->arena, demands, t->unplaced, t->weight);
    arena_new(&t->arena, t->sum, t->stride);
    MUST(arena_arrays(&t->arena, demands * t->stride, t->until));
    MUST(placement_create(&t->at, cand, err));
    MUST(map_create(&t->map, t->run->spectrum, (channels + cand->fibers - 1) / cand->fibers, err));
    t->map.channels = channels;
    for (uint32_t l = 0; l < cand->links; l++)
        for (uint32_t w = 0; w < t->stride; w++) {
            bool open = map_has(&t->map, l, w);
            own(t, l, w, open ? FREE : TAKEN, open ? 0 : INFINITY);
        }
    return RWA_OK;
}

static void tabu_free(struct tabu *t)
{
    placement_free(&t->at);
    map_free(&t->map);
    arena_free(&t->arena);
}

static void give(struct tabu *t, size_t route, uint32_t owner, float cost)
{
    const struct candidates *cand = t->cand;
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++)
        for (size_t k = cand->hop[s]; k < cand->hop[s + 1]; k++)
            own(t, cand->link[k], t->at.channel[s], owner, cost);
}

/* Return the cost of pushing out a demand from this route: its weight or, with t->run->by_hops, its weight times the
 * hops. */
static float cost_of(const struct tabu *t, uint32_t demand, size_t route)
{
    return t->weight[demand] * (float)(t->run->by_hops ? route_hops(t->cand, route) : 1);
}

/* Place a demand on a route.  Segment s of the route (the links between two converters) takes channel t->at.channel[s],
 * which must be free there. */
static void put(struct tabu *t, uint32_t demand, size_t route)
{
    assert(t->at.route[demand] == NO_ROUTE);
    assert(route >= t->cand->route[demand] && route < t->cand->route[demand + 1]);
    give(t, route, demand, cost_of(t, demand, route));
    t->at.route[demand] = route;
    t->at.placed++;
}

/* Take a demand off its route and channels, and append it to t->unplaced. */
static void lift(struct tabu *t, uint32_t demand)
{
    assert(t->at.route[demand] != NO_ROUTE && t->at.placed > 0);
    give(t, t->at.route[demand], FREE, 0);
    t->at.route[demand] = NO_ROUTE;
    t->at.placed--;
    t->unplaced[t->count++] = demand;
}

/* Set the sums of a block of channels to cost[], the cost of pushing out the owner on the first link of a segment.  The
 * sum of a channel that is tabu, that is, until[channel] > now, becomes INFINITY. */
static void begin_block(float *restrict sum, const float *restrict cost, const int32_t *restrict until, int32_t now)
{
    for (int i = 0; i < BLOCK; i++) {
        float first = cost[i];
        sum[i] = until[i] > now ? INFINITY : first;
    }
}

static void add_block(float *restrict sum, const float *restrict cost, const uint32_t *restrict owner,
                      const uint32_t *restrict before)
{
    for (int i = 0; i < BLOCK; i++) {
        float more = cost[i];
        sum[i] += owner[i] != before[i] ? more : 0;
    }
}

static void least_block(float *restrict least, const float *restrict sum)
{
    for (int i = 0; i < BLOCK; i++)
        LOWER(least[i], sum[i]);
}

/* Set t->sum, for each channel, to the total cost of pushing out its owners on the links of a segment; INFINITY for a
 * channel that is tabu, that is, until[channel] > now.  Return the least sum.  An owner counts once for several links
 * in a row, but again after a link of another owner.  O(hops * channels) */
static float sum_costs(struct tabu *t, size_t segment, const int32_t *until, int32_t now)
{
    const struct candidates *cand = t->cand;
    const uint32_t *link = cand->link + cand->hop[segment], *end = cand->link + cand->hop[segment + 1];
    size_t stride = t->stride;
    float least[BLOCK];
    assert(link < end && stride % BLOCK == 0);
    for (int i = 0; i < BLOCK; i++)
        least[i] = INFINITY;
    for (size_t w = 0; w < t->at.channels; w += BLOCK) {
        begin_block(t->sum + w, t->cost + *link * stride + w, until + w, now);
        for (const uint32_t *l = link + 1; l < end; l++)
            add_block(t->sum + w, t->cost + *l * stride + w, t->owner + *l * stride + w, t->owner + l[-1] * stride + w);
        least_block(least, t->sum + w);
    }
    for (int i = 1; i < BLOCK; i++)
        LOWER(least[0], least[i]);
    return least[0];
}

#ifndef NDEBUG
static size_t check_placed(const struct tabu *t, uint32_t demand)
{
    const struct candidates *cand = t->cand;
    size_t route = t->at.route[demand], hops = 0;
    assert(route >= cand->route[demand] && route < cand->route[demand + 1]);
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++) {
        assert(t->at.channel[s] < t->at.channels);
        for (size_t k = cand->hop[s]; k < cand->hop[s + 1]; k++, hops++)
            assert(t->owner[(size_t)cand->link[k] * t->stride + t->at.channel[s]] == demand);
    }
    return hops;
}

/* Abort unless placement, owners of channels and the map of free channels agree.  O(hops placed + channels of
 * links). */
static void check_table(const struct tabu *t)
{
    const struct candidates *cand = t->cand;
    size_t placed = 0, hops = 0, owned = 0;
    for (uint32_t d = 0; d < cand->demands; d++)
        if (t->at.route[d] != NO_ROUTE) {
            hops += check_placed(t, d);
            placed++;
        }
    for (uint32_t w = 0; w < t->at.channels; w++)
        for (uint32_t l = 0; l < cand->links; l++) {
            uint32_t owner = t->owner[(size_t)l * t->stride + w];
            assert(map_has(&t->map, l, w) == (owner == FREE));
            owned += owner < cand->demands;
        }
    assert(placed == t->at.placed && hops == owned);
}
#else
#define check_table(table) ((void)(table))
#endif

/* ---- the search ---- */

static bool has_channel(const struct tabu *t, uint32_t demand, uint32_t channel)
{
    const struct candidates *cand = t->cand;
    size_t route = t->at.route[demand];
    for (size_t s = first_segment(cand, route); s < end_segment(cand, route); s++)
        if (t->at.channel[s] == channel)
            return true;
    return false;
}

/* Give up the highest channel: demands on it lose their routes.  All demands must have a route before. */
static void drop_channel(struct tabu *t)
{
    uint32_t last = t->at.channels - 1;
    assert(t->count == 0 && t->at.placed == t->cand->demands);
    for (uint32_t d = 0; d < t->cand->demands; d++)
        if (has_channel(t, d, last))
            lift(t, d);
    for (uint32_t l = 0; l < t->cand->links; l++) {
        assert(t->owner[(size_t)l * t->stride + last] >= TAKEN);
        own(t, l, last, TAKEN, INFINITY);
    }
    t->at.channels = t->map.channels = last;
}

/* Copy the best placement so far, t->run->best, to t->at, and set all weights to 1. */
static void begin(struct tabu *t)
{
    const struct candidates *cand = t->cand;
    const struct placement *best = t->run->best;
    for (uint32_t d = 0; d < cand->demands; d++) {
        size_t route = best->route[d];
        t->weight[d] = 1;
        for (size_t s = first_segment(cand, route); s < end_segment(cand, route); s++)
            t->at.channel[s] = best->channel[s];
        if (route == NO_ROUTE)
            t->unplaced[t->count++] = d;
        else
            put(t, d, route);
    }
    check_table(t);
}

/* Return a random one of the channels whose cost in t->sum is at most `least`; there must be one. */
static uint32_t draw_channel(struct tabu *t, float least)
{
    const float *sum = t->sum;
    uint32_t ties = 0, w = 0;
    for (uint32_t i = 0; i < t->at.channels; i++)
        ties += sum[i] <= least;
    assert(ties > 0);
    for (uint64_t drawn = base_random_below(t->run->goal.random, ties) + 1; drawn > 0; w++)
        drawn -= sum[w] <= least;
    return w - 1;
}

/* Choose the channel on which a segment pushes out demands of the least total cost, and write it to
 * t->at.channel[segment].  Return that cost, 0 for a free channel.  If the cost exceeds `most`, return it and write
 * nothing; INFINITY: all channels are tabu or reserved. */
static float tabu_channel(struct tabu *t, uint32_t demand, size_t segment, float most)
{
    uint32_t open = map_lowest(&t->map, segment, 1);
    if (open < t->at.channels) {
        t->at.channel[segment] = open;
        return 0;
    }
    t->spent += (t->at.channels + BLOCK - 1) / BLOCK * BLOCK;
    float least = sum_costs(t, segment, t->until + (size_t)demand * t->stride, (int32_t)t->moves);
    if (least <= most && least < INFINITY)
        t->at.channel[segment] = draw_channel(t, least);
    return least;
}

static float choose_segments(struct tabu *t, uint32_t demand, size_t route, float most)
{
    float total = 0;
    for (size_t s = t->cand->segment[route]; s < t->cand->segment[route + 1]; s++) {
        total += tabu_channel(t, demand, s, most - total);
        if (total > most)
            return INFINITY;
    }
    return total;
}

/* Return the route on which the demand pushes out others at the least cost, with its channels written to t->at.channel.
 * NO_ROUTE: on every route, each channel is tabu, reserved or too costly. */
static size_t tabu_route(struct tabu *t, uint32_t demand)
{
    const struct candidates *cand = t->cand;
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
    assert(t->at.route[demand] != NO_ROUTE && t->count < t->cand->demands);
    const struct candidates *cand = t->cand;
    size_t route = t->at.route[demand];
    uint32_t stay = t->moves + 1 + 3 * t->count / 5 + (uint32_t)base_random_below(t->run->goal.random, 10);
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++)
        t->until[(size_t)demand * t->stride + t->at.channel[s]] = (int32_t)stay;
    lift(t, demand);
}

/* Raise the weight of a demand that pushed others out, so that it becomes harder to push out.  Where not all demands
 * can be served, demands are exchanged one for one and weights stay. */
static void raise_weight(struct tabu *t, uint32_t demand)
{
    bool all_wanted = !t->run->goal.most || t->run->goal.bound >= t->cand->demands;
    if (all_wanted && t->weight[demand] < MOST_WEIGHT)
        t->weight[demand]++;
}

static void move(struct tabu *t)
{
    assert(t->count > 0 && t->count + t->at.placed == t->cand->demands);
    const struct candidates *cand = t->cand;
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
            uint32_t victim = t->owner[cand->link[k] * (size_t)t->stride + t->at.channel[s]];
            if (victim != FREE)
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
    assert(t->run->goal.most || t->at.channels < t->run->best->channels);
    placement_copy(t->run->best, &t->at, t->cand);
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
            if (run->goal.most && t.at.placed > run->best->placed)
                keep(&t);
        }
        if (!run->goal.most && t.count == 0)
            keep(&t);
    }
    check_table(&t);
done:
    tabu_free(&t);
    return st;
}
