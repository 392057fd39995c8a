/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The link-path integer program: x(segment, lowest channel) and y(wavelength), without cuts. */
#include "solvers/link_path.h"

#include "base/bins.h"
#include "lp/lp.h"

struct path_program {
    const struct link_path *run;
    const struct candidates *cand;
    size_t routes;
    size_t *first;                  /* columns of segment s, by their lowest channel: first[s] … first[s + 1] - 1;
                                       the columns y come after all x */
    uint32_t *span;                 /* of each segment */
    uint32_t wavelengths;
    struct lp lp;
    struct bins crossing;           /* segments over each link */
};

static size_t hops_of(const struct candidates *cand, size_t segment)
{
    return cand->hop[segment + 1] - cand->hop[segment];
}

/* Number the variables of each segment: one for each channel from which its slots fit in the fibre.  Add to *entries
 * how many entries the program's matrix then has. */
static rwa_status count_columns(struct path_program *p, size_t *entries, rwa_error *err)
{
    const struct candidates *cand = p->cand;
    size_t segments = cand->segment[p->routes];
    MUST(base_new(p->first, segments + 1, err));
    MUST(base_new(p->span, segments, err));
    for (size_t r = 0; r < p->routes; r++)
        for (size_t s = cand->segment[r]; s < cand->segment[r + 1]; s++) {
            uint32_t span = p->span[s] = spectrum_span(p->run->spectrum, r);
            size_t here = span <= p->wavelengths ? (p->wavelengths - span + 1) * (size_t)cand->fibers : 0;
            p->first[s + 1] = p->first[s] + here;
            *entries += here * (3 + span * hops_of(cand, s));
        }
    return RWA_OK;
}

static rwa_status program_open(struct path_program *p, rwa_error *err)
{
    const struct candidates *cand = p->cand;
    p->routes = cand->route[cand->demands];
    p->wavelengths = p->run->channels / cand->fibers;
    size_t cells = (size_t)cand->links * p->run->channels, segments = cand->segment[p->routes],
           entries = cells + 2 * p->wavelengths;
    MUST(count_columns(p, &entries, err));
    size_t columns = p->first[segments] + p->wavelengths;
    if (columns > p->run->most_variables || entries > p->run->most_entries)
        return base_refuse(err, "the link-path program has %zu variables here, expected at most %zu: try paths "
                           "2 or 1, fewer demands or slots, or auto or exact, which have no such limit", columns,
                           p->run->most_variables);
    MUST(lp_open(&p->lp, columns, cand->demands + (segments - p->routes) + cells + p->wavelengths, entries,
                 p->run->budget, err));
    return bins_index(&p->crossing, cand->links, segments, cand->hop, cand->link, NULL, err);
}

static size_t y_of(const struct path_program *p, uint32_t wavelength)
{
    return p->first[p->cand->segment[p->routes]] + wavelength;
}

static void put_channels(struct path_program *p, size_t segment, double value)
{
    for (size_t x = p->first[segment]; x < p->first[segment + 1]; x++)
        lp_put(&p->lp, x, value);
}

/* Add two sorts of rows.  Each demand takes one route (to serve the most value: at most one).  Each later segment of a
 * route has a channel exactly when the first segment has one. */
static void add_choices(struct path_program *p)
{
    const struct candidates *cand = p->cand;
    for (uint32_t d = 0; d < cand->demands; d++) {
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            put_channels(p, cand->segment[r], 1);
        lp_end(&p->lp, p->run->most ? -INFINITY : 1, 1, "demand_d%" PRIu32, d);
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            for (size_t s = cand->segment[r] + 1; s < cand->segment[r + 1]; s++) {
                put_channels(p, s, 1);
                put_channels(p, cand->segment[r], -1);
                lp_end(&p->lp, 0, 0, "route_d%" PRIu32 "_r%zu_s%zu", d, r - cand->route[d], s - cand->segment[r]);
            }
    }
}

/* For each variable that, when it is 1, takes this channel of this link, call `call` with its column. */
static void for_columns(struct path_program *p, uint32_t link, uint32_t channel,
                        void (*call)(struct lp *lp, size_t column))
{
    uint32_t fibers = p->cand->fibers;
    for (size_t i = p->crossing.first[link]; i < p->crossing.first[link + 1]; i++) {
        uint32_t s = p->crossing.number[i];
        for (uint32_t k = 0; k < p->span[s] && k * fibers <= channel; k++)
            if (channel - k * fibers < p->first[s + 1] - p->first[s])
                call(&p->lp, p->first[s] + channel - k * fibers);
    }
}

static void put_one(struct lp *lp, size_t column)
{
    lp_put(lp, column, 1);
}

static void close_column(struct lp *lp, size_t column)
{
    lp->upper[column] = 0;
}

/* Add three sorts of rows: each channel of a link is taken at most once; it is taken only if its wavelength is in use;
 * a wavelength is in use only if all lower ones are. */
static void add_channels(struct path_program *p)
{
    const struct candidates *cand = p->cand;
    char text[CHANNEL_TEXT];
    for (uint32_t l = 0; l < cand->links; l++)
        for (uint32_t w = 0; w < p->run->channels && p->crossing.first[l] < p->crossing.first[l + 1]; w++) {
            for_columns(p, l, w, put_one);
            lp_put(&p->lp, y_of(p, w / cand->fibers), -1);
            lp_end(&p->lp, -INFINITY, 0, "link_l%" PRIu32 "_%s", l, candidates_channel_text(text, cand, w));
        }
    for (uint32_t v = 1; v < p->wavelengths; v++) {
        lp_put(&p->lp, y_of(p, v - 1), 1);
        lp_put(&p->lp, y_of(p, v), -1);
        lp_end(&p->lp, 0, INFINITY, "order_w%" PRIu32, v);
    }
}

static void add_columns(struct path_program *p)
{
    const struct candidates *cand = p->cand;
    assert(p->lp.upper && p->lp.cost);
    for (int c = 0; c < p->lp.columns; c++)
        p->lp.upper[c] = 1;
    for (uint32_t v = 0; v < p->wavelengths && !p->run->most; v++) {
        p->lp.cost[y_of(p, v)] = 1;
        p->lp.lower[y_of(p, v)] = v < p->run->least;
    }
    for (uint32_t d = 0; d < cand->demands && p->run->most; d++)
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            for (size_t x = p->first[cand->segment[r]]; x < p->first[cand->segment[r] + 1]; x++)
                p->lp.cost[x] = -(double)spectrum_value_of(p->run->spectrum, d);
    for (uint32_t l = 0; l < cand->links && cand->fibers_of; l++)
        for (uint32_t w = 0; w < p->run->channels; w++)
            if (w % cand->fibers >= cand->fibers_of[l])
                for_columns(p, l, w, close_column);
    for (size_t i = 0; i < cand->taken_count; i++)
        if (cand->taken[i].channel < p->run->channels)
            for_columns(p, cand->taken[i].link, cand->taken[i].channel, close_column);
}

/* Name the variables, for files of the program: x by demand, route, segment and lowest channel, y by wavelength. */
static void name_columns(struct path_program *p)
{
    const struct candidates *cand = p->cand;
    char part[32], text[CHANNEL_TEXT];
    for (uint32_t d = 0; d < cand->demands; d++)
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            for (size_t s = cand->segment[r]; s < cand->segment[r + 1]; s++) {
                part[0] = '\0';
                if (cand->segment[r + 1] - cand->segment[r] > 1)
                    snprintf(part, sizeof part, "_s%zu", s - cand->segment[r]);
                for (size_t x = p->first[s]; x < p->first[s + 1]; x++)
                    lp_name_column(&p->lp, x, "x_d%" PRIu32 "_r%zu%s_%s", d, r - cand->route[d], part,
                                        candidates_channel_text(text, cand, (uint32_t)(x - p->first[s])));
            }
    for (uint32_t v = 0; v < p->wavelengths; v++)
        lp_name_column(&p->lp, y_of(p, v), "used_w%" PRIu32, v);
}

/* Fix the channels of the demands over one link as 0, 1, 2 and so on.  They must differ on that link, and channels are
 * interchangeable, so the program loses no solution that matters. */
static void fix_channels(struct path_program *p, uint32_t link)
{
    assert(p->crossing.first[link + 1] - p->crossing.first[link] <= p->run->channels);
    const struct bins *over = &p->crossing;
    for (size_t i = over->first[link]; i < over->first[link + 1]; i++) {
        uint32_t channel = (uint32_t)(i - over->first[link]);
        p->lp.lower[p->first[over->number[i]] + channel] = 1;
        p->lp.lower[y_of(p, channel)] = 1;
    }
}

static void read_placement(const struct path_program *p, const double *x, struct placement *best)
{
    const struct candidates *cand = p->cand;
    best->placed = best->channels = 0;
    for (uint32_t d = 0; d < cand->demands; d++) {
        best->route[d] = NO_ROUTE;
        for (size_t r = cand->route[d]; r < cand->route[d + 1]; r++)
            for (size_t s = cand->segment[r]; s < cand->segment[r + 1]; s++)
                for (uint32_t w = 0; w < p->first[s + 1] - p->first[s]; w++)
                    if (x[p->first[s] + w] > 0.5) {
                        uint32_t end = w + 1 + (p->span[s] - 1) * cand->fibers;
                        best->route[d] = r;
                        best->channel[s] = w;
                        RAISE(best->channels, end);
                    }
        best->placed += best->route[d] != NO_ROUTE;
    }
    best->channels = p->run->most ? p->run->channels : best->channels;
}

/* Return the bound that the solved program proves: a lower bound on the wavelengths for all demands or, to serve the
 * most, an upper bound on the value. */
static uint64_t bound_of(const struct path_program *p, const struct lp_result *result)
{
    uint64_t all = spectrum_total(p->run->spectrum);
    if (result->infeasible || !(result->bound > -1e9))
        return p->run->most ? all : result->infeasible ? p->wavelengths + 1 : 0;
    return p->run->most ? (uint64_t)fmin((double)all, floor(-result->bound + 1e-6))
                        : (uint64_t)fmax(0, ceil(result->bound - 1e-6));
}

rwa_status link_path_run(const struct link_path *run, struct placement *best, uint64_t *bound, rwa_error *err)
{
    assert(run->channels > 0 && run->channels % run->spectrum->cand->fibers == 0);
    rwa_status st = RWA_OK;
    struct path_program p = {.run = run, .cand = run->spectrum->cand};
    struct lp_result result;
    TRY(program_open(&p, err));
    add_columns(&p);
    if (run->fixed_link != NO_FIXED_LINK)
        fix_channels(&p, run->fixed_link);
    add_choices(&p);
    add_channels(&p);
    if (run->budget->programs)
        name_columns(&p);
    TRY(lp_solve(&result, &p.lp, run->only_written, err));
    if (result.solved)
        read_placement(&p, result.x, best);
    *bound = bound_of(&p, &result);
done:
    free_all(p.first, p.span);
    bins_free(&p.crossing);
    lp_free(&p.lp);
    return st;
}
