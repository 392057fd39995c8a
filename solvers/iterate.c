/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/improve.h"

#include "solvers/rank.h"

/* Demands placed between two looks at the clock. */
enum { BETWEEN_LOOKS = 1024 };

enum { BY_CHANCE = 0, BY_LENGTH, REVERSED, BY_SIZE, WAYS };

struct iterate {
    const struct improve *run;
    struct table table;
    uint64_t *rank;     /* per wavelength: the key it is sorted by above, its number below */
    uint32_t *turn;     /* when a wavelength has its turn */
    uint32_t *fill;     /* counting sort */
    uint32_t *order;    /* of the demands */
    uint64_t spent;
    struct arena arena;
};

static rwa_status iterate_create(struct iterate *it, rwa_error *err)
{
    size_t channels = it->run->best->channels;
    MUST(table_create(&it->table, it->run->cand, (uint32_t)channels, err));
    arena_new(&it->arena, it->rank, channels);
    arena_new(&it->arena, it->turn, channels);
    arena_new(&it->arena, it->fill, channels + 1);
    arena_new(&it->arena, it->order, it->run->cand->demands);
    return arena_status(&it->arena);
}

/* A demand belongs to the wavelength of its first segment. */
static uint32_t class_of(const struct improve *run, uint32_t demand)
{
    assert(run->best->route[demand] != NO_ROUTE);
    return run->best->channel[run->cand->segment[run->best->route[demand]]];
}

static void rank_classes(struct iterate *it, unsigned way)
{
    assert(way < WAYS);
    const struct improve *run = it->run;
    uint32_t channels = run->best->channels;
    for (uint32_t w = 0; w < channels; w++)
        it->rank[w] = way == BY_CHANCE ? base_random(run->state) >> 32 : way == REVERSED ? channels - w : UINT32_MAX / 2;
    for (uint32_t d = 0; d < run->cand->demands && (way == BY_LENGTH || way == BY_SIZE); d++) {
        size_t s = run->cand->segment[run->best->route[d]];
        it->rank[class_of(run, d)] -= way == BY_SIZE ? 1 : run->cand->hop[s + 1] - run->cand->hop[s];
    }
    turns_by_rank(it->turn, it->rank, channels);
}

static void order_demands(struct iterate *it)
{
    const struct improve *run = it->run;
    uint32_t channels = run->best->channels;
    for (uint32_t w = 0; w <= channels; w++)
        it->fill[w] = 0;
    for (uint32_t d = 0; d < run->cand->demands; d++)
        it->fill[it->turn[class_of(run, d)] + 1]++;
    for (uint32_t w = 0; w < channels; w++)
        it->fill[w + 1] += it->fill[w];
    for (uint32_t d = 0; d < run->cand->demands; d++)
        it->order[it->fill[it->turn[class_of(run, d)]]++] = d;
}

/* The highest wavelength a route needs when each segment takes its lowest free one. */
static uint32_t lowest_on(struct iterate *it, size_t route, uint32_t below)
{
    const struct candidates *cand = it->run->cand;
    uint32_t most = 0;
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++) {
        uint32_t w = table_lowest(&it->table, s);
        it->spent += w / 64 + 1;
        if (w >= below)
            return UINT32_MAX;
        it->table.at.channel[s] = w;
        most = w > most ? w : most;
    }
    return most;
}

/* Its present route is tried first, so that it wins ties: a class as it stands always fits its own new wavelength. */
static bool place_lowest(struct iterate *it, uint32_t demand)
{
    const struct candidates *cand = it->run->cand;
    size_t best = it->run->best->route[demand];
    uint32_t channels = it->table.channels, lowest = lowest_on(it, best, channels);
    for (size_t r = cand->route[demand]; r < cand->route[demand + 1] && lowest > 0; r++) {
        uint32_t w = r == it->run->best->route[demand] ? UINT32_MAX : lowest_on(it, r, lowest < channels ? lowest : channels);
        if (w < lowest) {
            lowest = w;
            best = r;
        }
    }
    if (lowest == UINT32_MAX)
        return false;
    table_put(&it->table, demand, best);
    return true;
}

static uint32_t channels_in_use(const struct iterate *it)
{
    assert(it->table.at.placed == it->run->cand->demands);
    const struct candidates *cand = it->run->cand;
    uint32_t channels = 0;
    for (uint32_t d = 0; d < cand->demands; d++)
        for (size_t s = cand->segment[it->table.at.route[d]]; s < cand->segment[it->table.at.route[d] + 1]; s++)
            channels = it->table.at.channel[s] >= channels ? it->table.at.channel[s] + 1 : channels;
    return channels;
}

static void round_once(struct iterate *it)
{
    const struct improve *run = it->run;
    bool all = true;
    rank_classes(it, base_random_below(run->state, 10) < 5 ? BY_CHANCE : (unsigned)base_random_below(run->state, WAYS));
    order_demands(it);
    table_clear(&it->table, run->best->channels);
    for (uint32_t i = 0; i < run->cand->demands && all; i++)
        all = place_lowest(it, it->order[i]) &&
              !(i % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 && base_must_stop(run->budget, "iterated greedy", -1));
    if (!all) /* the time is over; or converters or taken channels: the old placement need not survive a new order */
        return;
    placement_copy(run->best, &it->table.at, run->cand);
    run->best->channels = channels_in_use(it);
}

rwa_status improve_greedy(const struct improve *run, rwa_error *err)
{
    assert(run->fixed || run->best->placed == run->cand->demands);
    rwa_status st = RWA_OK;
    struct iterate it = {.run = run, .arena = {.err = err}};
    if (run->fixed || run->best->channels == 0 || improve_done(run))
        return RWA_OK;
    TRY(iterate_create(&it, err));
    while (!improve_done(run) && !(run->work > 0 && it.spent > run->work) && !base_must_stop(run->budget, "iterated greedy", -1))
        round_once(&it);
done:
    table_free(&it.table);
    arena_free(&it.arena);
    return st;
}
