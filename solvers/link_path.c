/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The link-path integer program: x(segment, channel) and y(wavelength), without cuts. */
#include "solvers/link_path.h"

#include "base/bins.h"
#include "lp/rows.h"

struct program {
    const struct link_path *run;
    size_t segments, routes, x;     /* x: variables of segments and channels; those of wavelengths follow */
    uint32_t wavelengths;
    struct lp_rows rows;
    struct bins crossing;           /* segments over each link */
};

static rwa_status program_open(struct program *p, rwa_error *err)
{
    const struct candidates *cand = p->run->cand;
    p->routes = cand->route[cand->demands];
    p->segments = cand->segment[p->routes];
    p->wavelengths = (p->run->channels + cand->fibers - 1) / cand->fibers;
    p->x = p->segments * p->run->channels;
    size_t columns = p->x + p->wavelengths;
    size_t rows = cand->demands + (p->segments - p->routes) + (size_t)cand->links * p->run->channels + p->wavelengths;
    size_t entries = 3 * p->x + cand->hop[p->segments] * p->run->channels + (size_t)cand->links * p->run->channels + 2 * columns;
    if (columns > p->run->most_variables || entries > p->run->most_entries)
        return base_fail(err, RWA_BADARG, "ilp: the link-path program has %zu variables here, expected at most %zu: fewer paths or "
                         "demands make it smaller; auto and exact have no such limit", columns, p->run->most_variables);
    MUST(lp_rows_open(&p->rows, columns, rows, entries, err));
    lp_rows_keep_names(&p->rows, p->run->budget);
    return bins_index(&p->crossing, cand->links, p->segments, cand->hop, cand->link, NULL, err);
}

static size_t x_of(const struct program *p, size_t segment, uint32_t channel)
{
    return segment * p->run->channels + channel;
}

static size_t y_of(const struct program *p, uint32_t wavelength)
{
    return p->x + wavelength;
}

static void put_channels(struct program *p, size_t segment, double value)
{
    for (uint32_t w = 0; w < p->run->channels; w++)
        lp_rows_put(&p->rows, x_of(p, segment, w), value);
}

/* One route for each demand (at most one), and as many channels for its later segments as for its first. */
static void add_choices(struct program *p)
{
    const struct candidates *cand = p->run->cand;
    for (uint32_t d = 0; d < cand->demands; d++) {
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            put_channels(p, cand->segment[r], 1);
        lp_rows_name_row(&p->rows, "demand_d%" PRIu32, d);
        lp_rows_end(&p->rows, p->run->most ? -INFINITY : 1, 1);
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            for (size_t s = cand->segment[r] + 1; s < cand->segment[r + 1]; s++) {
                put_channels(p, s, 1);
                put_channels(p, cand->segment[r], -1);
                lp_rows_name_row(&p->rows, "route_d%" PRIu32 "_r%zu_s%zu", d, r - cand->route[d], s - cand->segment[r]);
                lp_rows_end(&p->rows, 0, 0);
            }
    }
}

/* A channel of a link once, and only of a wavelength in use; wavelengths are used from the lowest. */
static void add_channels(struct program *p)
{
    const struct candidates *cand = p->run->cand;
    char text[CHANNEL_TEXT];
    for (uint32_t l = 0; l < cand->links; l++)
        for (uint32_t w = 0; w < p->run->channels && p->crossing.first[l] < p->crossing.first[l + 1]; w++) {
            for (size_t i = p->crossing.first[l]; i < p->crossing.first[l + 1]; i++)
                lp_rows_put(&p->rows, x_of(p, p->crossing.number[i], w), 1);
            lp_rows_put(&p->rows, y_of(p, w / cand->fibers), -1);
            lp_rows_name_row(&p->rows, "link_l%" PRIu32 "_%s", l, candidates_channel_text(text, cand, w));
            lp_rows_end(&p->rows, -INFINITY, 0);
        }
    for (uint32_t v = 1; v < p->wavelengths; v++) {
        lp_rows_put(&p->rows, y_of(p, v - 1), 1);
        lp_rows_put(&p->rows, y_of(p, v), -1);
        lp_rows_name_row(&p->rows, "order_w%" PRIu32, v);
        lp_rows_end(&p->rows, 0, INFINITY);
    }
}

static void close_channel(struct program *p, uint32_t link, uint32_t channel)
{
    assert(link < p->run->cand->links);
    for (size_t i = p->crossing.first[link]; i < p->crossing.first[link + 1] && channel < p->run->channels; i++)
        p->rows.upper[x_of(p, p->crossing.number[i], channel)] = 0;
}

static void add_columns(struct program *p)
{
    const struct candidates *cand = p->run->cand;
    assert(p->rows.upper && p->rows.cost);
    for (int c = 0; c < p->rows.columns; c++)
        p->rows.upper[c] = 1;
    for (uint32_t v = 0; v < p->wavelengths && !p->run->most; v++)
        p->rows.cost[y_of(p, v)] = 1;
    for (size_t r = 0; r < p->routes && p->run->most; r++)
        for (uint32_t w = 0; w < p->run->channels; w++)
            p->rows.cost[x_of(p, cand->segment[r], w)] = -1;
    for (uint32_t l = 0; l < cand->links && cand->fibers_of; l++)
        for (uint32_t w = 0; w < p->run->channels; w++)
            if (w % cand->fibers >= cand->fibers_of[l])
                close_channel(p, l, w);
    for (size_t i = 0; i < cand->taken_count; i++)
        close_channel(p, cand->taken[i].link, cand->taken[i].channel);
}

static void name_segment(struct program *p, uint32_t d, size_t r, size_t s)
{
    const struct candidates *cand = p->run->cand;
    char text[CHANNEL_TEXT];
    for (uint32_t w = 0; w < p->run->channels; w++) {
        candidates_channel_text(text, cand, w);
        if (cand->segment[r + 1] - cand->segment[r] == 1)
            lp_rows_name_column(&p->rows, x_of(p, s, w), "x_d%" PRIu32 "_r%zu_%s", d, r - cand->route[d], text);
        else
            lp_rows_name_column(&p->rows, x_of(p, s, w), "x_d%" PRIu32 "_r%zu_s%zu_%s", d, r - cand->route[d], s - cand->segment[r], text);
    }
}

/* Demand, route of it, and channel; wavelengths in use. */
static void name_columns(struct program *p)
{
    const struct candidates *cand = p->run->cand;
    for (uint32_t d = 0; d < cand->demands; d++)
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            for (size_t s = cand->segment[r]; s < cand->segment[r + 1]; s++)
                name_segment(p, d, r, s);
    for (uint32_t v = 0; v < p->wavelengths; v++)
        lp_rows_name_column(&p->rows, y_of(p, v), "used_w%" PRIu32, v);
}

/* The demands of one link have different channels anyway; the names of channels are arbitrary. */
static void fix_channels(struct program *p, uint32_t link)
{
    assert(p->crossing.first[link + 1] - p->crossing.first[link] <= p->run->channels);
    const struct bins *over = &p->crossing;
    for (size_t i = over->first[link]; i < over->first[link + 1]; i++) {
        uint32_t channel = (uint32_t)(i - over->first[link]);
        p->rows.lower[x_of(p, over->number[i], channel)] = 1;
        p->rows.lower[y_of(p, channel)] = 1;
    }
}

static void read_placement(const struct program *p, const double *x, struct placement *best)
{
    const struct candidates *cand = p->run->cand;
    best->placed = best->channels = 0;
    for (uint32_t d = 0; d < cand->demands; d++) {
        best->route[d] = NO_ROUTE;
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            for (size_t s = cand->segment[r]; s < cand->segment[r + 1]; s++)
                for (uint32_t w = 0; w < p->run->channels; w++)
                    if (x[x_of(p, s, w)] > 0.5) {
                        best->route[d] = r;
                        best->channel[s] = w;
                        best->channels = w >= best->channels ? w + 1 : best->channels;
                    }
        best->placed += best->route[d] != NO_ROUTE;
    }
    best->channels = p->run->most ? p->run->channels : best->channels;
}

rwa_status link_path_run(const struct link_path *run, struct placement *best, uint32_t *bound, rwa_error *err)
{
    assert(run->channels > 0 && run->channels % run->cand->fibers == 0);
    rwa_status st = RWA_OK;
    struct program p = {.run = run};
    struct lp_result result = {0};
    TRY(program_open(&p, err));
    add_columns(&p);
    if (run->fixed_link != NO_FIXED_LINK)
        fix_channels(&p, run->fixed_link);
    add_choices(&p);
    add_channels(&p);
    if (run->budget->programs)
        name_columns(&p);
    TRY(arena_status(&p.rows.memory));
    TRY(base_new(result.x, (size_t)p.rows.columns, err));
    if (run->only_written) {
        st = lp_write(lp_rows_close(&p.rows), run->budget, err);
        goto done;
    }
    TRY(lp_solve(&result, lp_rows_close(&p.rows), run->budget, err));
    if (result.solved)
        read_placement(&p, result.x, best);
    *bound = run->most ? run->cand->demands : result.infeasible ? p.wavelengths + 1 : 0;
    if (result.bound > -1e9 && !result.infeasible)
        *bound = run->most ? (uint32_t)fmin(*bound, floor(-result.bound + 1e-6)) : (uint32_t)fmax(0, ceil(result.bound - 1e-6));
done:
    free(result.x);
    bins_free(&p.crossing);
    lp_rows_free(&p.rows);
    return st;
}
