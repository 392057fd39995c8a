/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A variable for every place of every route; each lightpath has at most one place, each slot of a fibre of a link at most one lightpath.
 * The highest slot is a variable above the end of every place.
 */
#include "spectrum/spectrum.h"

#include "lp/rows.h"

enum { MOST_COLUMNS = 60000, MOST_ENTRIES = 4000000 };

struct program {
    const struct spectrum *spectrum;
    const struct spectrum_goal *goal;
    struct lp_rows rows;
    uint32_t slots, channels;
    size_t *first;          /* of each segment: its columns, one for each channel on which it can begin */
    size_t columns, entries;
    uint64_t *taken;        /* bits link * channels + channel: reserved, or no such fibre */
};

static bool is_taken(const struct program *p, uint32_t link, uint32_t channel)
{
    size_t bit = (size_t)link * p->channels + channel;
    return p->taken[bit / 64] >> bit % 64 & 1;
}

static void take(struct program *p, uint32_t link, uint32_t channel)
{
    size_t bit = (size_t)link * p->channels + channel;
    p->taken[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void mark_taken(struct program *p)
{
    const struct candidates *c = p->spectrum->cand;
    for (uint32_t l = 0; l < c->links; l++)
        for (uint32_t channel = 0; c->fibers_of && channel < p->channels; channel++)
            if (channel % c->fibers >= c->fibers_of[l])
                take(p, l, channel);
    for (size_t i = 0; i < c->taken_count; i++)
        if (c->taken[i].channel < p->channels)
            take(p, c->taken[i].link, c->taken[i].channel);
}

/** Channels on which a span can begin without leaving the fibre. */
static uint32_t starts(const struct program *p, uint32_t span)
{
    return span <= p->slots ? (p->slots - span + 1) * p->spectrum->cand->fibers : 0;
}

static rwa_status count_columns(struct program *p)
{
    const struct candidates *c = p->spectrum->cand;
    size_t segments = c->segment[c->route[c->demands]];
    MUST(base_new(p->first, segments + 1, p->goal->err));
    MUST(base_new(p->taken, ((size_t)c->links * p->channels) / 64 + 1, p->goal->err));
    for (size_t r = 0; r < c->route[c->demands]; r++)
        for (size_t s = c->segment[r]; s < c->segment[r + 1]; s++) {
            size_t here = starts(p, p->spectrum->span[r]);
            p->first[s + 1] = p->first[s] + here;
            p->entries += here * (2 + p->spectrum->span[r] * (c->hop[s + 1] - c->hop[s]));
        }
    p->columns = p->first[segments];
    if (p->columns > MOST_COLUMNS || p->entries > MOST_ENTRIES)
        return base_fail(p->goal->err, RWA_BADARG, "the integer program has %zu variables and %zu entries, expected at most %d and %d: "
                         "give fewer slots or routes, or another solver", p->columns, p->entries, MOST_COLUMNS, MOST_ENTRIES);
    return RWA_OK;
}

static bool can_begin(const struct program *p, size_t segment, uint32_t channel, uint32_t span)
{
    const struct candidates *c = p->spectrum->cand;
    for (size_t k = c->hop[segment]; k < c->hop[segment + 1]; k++)
        for (uint32_t i = 0; i < span; i++)
            if (is_taken(p, c->link[k], channel + i * c->fibers))
                return false;
    return true;
}

/** All segments of a route are used alike: a row for each but the first says so. */
static void put_unit(struct program *p, uint32_t u)
{
    const struct candidates *c = p->spectrum->cand;
    for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
        for (size_t x = p->first[c->segment[r]]; x < p->first[c->segment[r] + 1]; x++)
            lp_rows_put(&p->rows, x, 1);
    lp_rows_name_row(&p->rows, "demand_d%" PRIu32, u);
    lp_rows_end(&p->rows, p->goal->most ? -INFINITY : 1, 1);
    for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
        for (size_t s = c->segment[r] + 1; s < c->segment[r + 1]; s++) {
            for (size_t x = p->first[s]; x < p->first[s + 1]; x++)
                lp_rows_put(&p->rows, x, 1);
            for (size_t x = p->first[s - 1]; x < p->first[s]; x++)
                lp_rows_put(&p->rows, x, -1);
            lp_rows_name_row(&p->rows, "route_d%" PRIu32 "_r%zu_s%zu", u, r - c->route[u], s - c->segment[r]);
            lp_rows_end(&p->rows, 0, 0);
        }
}

/** The slots above the end of a lightpath's place; the highest slot is at least that for every one. */
static void put_height(struct program *p, size_t route)
{
    const struct candidates *c = p->spectrum->cand;
    for (size_t s = c->segment[route]; s < c->segment[route + 1]; s++)
        for (size_t x = p->first[s]; x < p->first[s + 1]; x++)
            lp_rows_put(&p->rows, x, (double)((x - p->first[s]) / c->fibers + p->spectrum->span[route]));
}

static void put_heights(struct program *p)
{
    const struct candidates *c = p->spectrum->cand;
    for (uint32_t u = 0; u < c->demands; u++) {
        bool whole = true;
        for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
            whole = whole && c->segment[r + 1] - c->segment[r] == 1;
        for (size_t r = c->route[u]; r < c->route[u + 1]; r++) {
            put_height(p, r);
            if (whole && r + 1 < c->route[u + 1])
                continue;   /* one row for all routes: only one is used */
            lp_rows_put(&p->rows, p->columns, -1);
            lp_rows_name_row(&p->rows, "height_d%" PRIu32 "_r%zu", u, r - c->route[u]);
            lp_rows_end(&p->rows, -INFINITY, 0);
        }
    }
}

/** Entries by link and channel: those of the places that cover it. */
static void put_slot(struct program *p, uint32_t link, uint32_t channel)
{
    const struct candidates *c = p->spectrum->cand;
    char text[CHANNEL_TEXT];
    int before = p->rows.entry;
    for (size_t r = 0; r < c->route[c->demands]; r++)
        for (size_t s = c->segment[r]; s < c->segment[r + 1]; s++) {
            bool crosses = false;
            for (size_t k = c->hop[s]; k < c->hop[s + 1] && !crosses; k++)
                crosses = c->link[k] == link;
            for (uint32_t i = 0; crosses && i < p->spectrum->span[r] && i * c->fibers <= channel; i++)
                if (channel - i * c->fibers < p->first[s + 1] - p->first[s])
                    lp_rows_put(&p->rows, p->first[s] + channel - i * c->fibers, 1);
        }
    if (p->rows.entry == before)
        return;
    lp_rows_name_row(&p->rows, "link_l%" PRIu32 "_%s", link, candidates_channel_text(text, c, channel));
    lp_rows_end(&p->rows, -INFINITY, 1);
}

/** Demand, route of it, part of the route between converters, lowest channel; and the highest slot. */
static void name_columns(struct program *p)
{
    const struct candidates *c = p->spectrum->cand;
    char part[32] = "", text[CHANNEL_TEXT];
    for (uint32_t u = 0; u < c->demands; u++)
        for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
            for (size_t s = c->segment[r]; s < c->segment[r + 1]; s++) {
                if (c->segment[r + 1] - c->segment[r] > 1)
                    snprintf(part, sizeof part, "_s%zu", s - c->segment[r]);
                else
                    part[0] = '\0';
                for (size_t x = p->first[s]; x < p->first[s + 1]; x++)
                    lp_rows_name_column(&p->rows, x, "x_d%" PRIu32 "_r%zu%s_%s", u, r - c->route[u], part,
                                        candidates_channel_text(text, c, (uint32_t)(x - p->first[s])));
            }
    lp_rows_name_column(&p->rows, p->columns, "slots");
}

static rwa_status fill(struct program *p)
{
    const struct candidates *c = p->spectrum->cand;
    size_t segments = c->segment[c->route[c->demands]], rows = 2 * segments + 2 * (size_t)c->demands + (size_t)c->links * p->channels;
    MUST(lp_rows_open(&p->rows, p->columns + 1, rows, 3 * p->entries + 2 * segments + p->columns, p->goal->err));
    lp_rows_keep_names(&p->rows, p->goal->budget);
    for (uint32_t u = 0; u < c->demands; u++)
        for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
            for (size_t s = c->segment[r]; s < c->segment[r + 1]; s++)
                for (size_t x = p->first[s]; x < p->first[s + 1]; x++) {
                    bool first = s == c->segment[r];
                    p->rows.upper[x] = can_begin(p, s, (uint32_t)(x - p->first[s]), p->spectrum->span[r]);
                    if (p->goal->most && first)
                        p->rows.cost[x] = -(double)(p->spectrum->value ? p->spectrum->value[u] : 1);
                }
    p->rows.lower[p->columns] = p->goal->most ? 0 : (double)p->goal->bound;
    p->rows.upper[p->columns] = p->slots;
    p->rows.cost[p->columns] = p->goal->most ? 0 : 1;
    for (uint32_t u = 0; u < c->demands; u++)
        put_unit(p, u);
    if (!p->goal->most)
        put_heights(p);
    for (uint32_t l = 0; l < c->links; l++)
        for (uint32_t channel = 0; channel < p->channels; channel++)
            put_slot(p, l, channel);
    if (p->goal->budget->programs)
        name_columns(p);
    return arena_status(&p->rows.memory);
}

static void read_unit(const struct program *p, struct placement *at, uint32_t u, const double *x)
{
    const struct candidates *c = p->spectrum->cand;
    at->route[u] = NO_ROUTE;
    for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
        for (size_t s = c->segment[r]; s < c->segment[r + 1]; s++)
            for (size_t i = p->first[s]; i < p->first[s + 1]; i++)
                if (x[i] > 0.5) {
                    at->route[u] = r;
                    at->channel[s] = (uint32_t)(i - p->first[s]);
                }
    at->placed += at->route[u] != NO_ROUTE;
}

rwa_status spectrum_ilp(struct placement *best, bool *proven, const struct spectrum *spectrum, const struct spectrum_goal *goal)
{
    struct program p = {.spectrum = spectrum, .goal = goal, .slots = goal->slots, .channels = goal->slots * spectrum->cand->fibers};
    struct lp_result result = {0};
    struct placement at = {0};
    rwa_status st = RWA_OK;
    *proven = false;
    TRY(count_columns(&p));
    mark_taken(&p);
    TRY(fill(&p));
    TRY(placement_create(&at, spectrum->cand, goal->err));
    st = RWA_NOMEM;
    result.x = base_array(p.columns + 1, sizeof *result.x, goal->err);
    if (!result.x)
        goto done;
    TRY(lp_solve(&result, lp_rows_close(&p.rows), goal->budget, goal->err));
    *proven = result.optimal || result.infeasible;
    for (uint32_t u = 0; result.solved && u < spectrum->cand->demands; u++)
        read_unit(&p, &at, u, result.x);
    at.channels = spectrum_slots(&at, spectrum) * spectrum->cand->fibers;
    if (result.solved)
        placement_copy(best, &at, spectrum->cand);
done:
    lp_rows_free(&p.rows);
    placement_free(&at);
    free_all(result.x, p.first, p.taken);
    return st;
}
