/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes that carry the rate of a lightpath in a modulation format that reaches. */
#include "assign/assign.h"

/* The noise limit of a format in integer units; sums over 2^22 arcs fit 64 bits. */
#define LIMIT (UINT64_C(1) << 40)

static bool is_flexible(const struct job *job)
{
    return rwa_network_slot_hz(job->net) > 0;
}

/* Return the most slots that a signal may take: on a fixed grid those of a channel, on a flexible grid 0, no limit but
 * the band. */
static uint32_t most_slots(const struct job *job)
{
    return is_flexible(job) ? 0 : rwa_transmission_channel_slots(job->opts->transmission);
}

/* Return the rate in bit/s at which to test whether a format reaches.  On a flexible grid it does not matter: a higher
 * rate takes more carriers, and each of them reaches as far as before. */
static double filter_rate_bps(const struct job *job)
{
    return is_flexible(job) ? 1 : rwa_network_rate_bps(job->net);
}

double job_rate_bps(const struct job *job, size_t demand)
{
    const double *rates = rwa_demands_rates(job->demands);
    return is_flexible(job) && rates && rates[demand] > 0 ? rates[demand] : rwa_network_rate_bps(job->net);
}

bool job_has_formats(const struct job *job)
{
    return job->opts->transmission && is_flexible(job);
}

bool job_is_wide(const struct job *job)
{
    return rwa_demands_widths(job->demands) || job->opts->guard > 0 || job->method->kind == METHOD_SLOTS ||
           job_has_formats(job);
}

uint32_t job_width(const struct job *job, size_t demand)
{
    const uint32_t *widths = job->fewest ? job->fewest : rwa_demands_widths(job->demands);
    return widths ? widths[demand] : 1;
}

uint32_t job_span(const struct job *job, size_t demand)
{
    return job_width(job, demand) + job->opts->guard;
}

rwa_status job_fewest_slots(struct job *job)
{
    size_t count = job->count;
    rwa_modulation_choice choice;
    if (!job_has_formats(job))
        return RWA_OK;
    if (rwa_demands_widths(job->demands))
        return base_refuse(job->err,
                           "assign: demands with widths and a transmission: expected rates, from which widths follow");
    MUST(base_new(job->fewest, count, job->err));
    for (size_t d = 0; d < count; d++) {
        MUST(rwa_transmission_choose(&choice, job->opts->transmission, NULL, 0, job_rate_bps(job, d), 0, job->err));
        if (choice.width == 0)
            return base_refuse(job->err, "assign: demand %zu: no format carries %g Gbit/s within the band", d,
                               job_rate_bps(job, d) / 1e9);
        job->fewest[d] = choice.width;
    }
    return RWA_OK;
}

static rwa_status choose(rwa_modulation_choice *choice, const struct job *job, double rate_bps, const uint32_t *arc,
                         size_t hops)
{
    return rwa_transmission_choose_route(choice, job->opts->transmission, job->net, arc, hops, rate_bps,
                                         most_slots(job), job->err);
}

rwa_status route_width(uint32_t *width, const struct job *job, size_t demand, const uint32_t *arc, size_t hops)
{
    rwa_modulation_choice choice;
    *width = job_width(job, demand);
    if (!job_has_formats(job))
        return RWA_OK;
    rwa_status st = choose(&choice, job, job_rate_bps(job, demand), arc, hops);
    *width = st == RWA_OK && choice.width > 0 ? choice.width : RWA_CHANNELS_MAX;
    return st;
}

static rwa_status reaches(bool *yes, const struct job *job, const uint32_t *arc, size_t hops)
{
    rwa_modulation_choice choice;
    rwa_status st = RWA_OK;
    if (hops > 0)
        st = choose(&choice, job, filter_rate_bps(job), arc, hops);
    *yes = hops == 0 || (st == RWA_OK && choice.modulation != RWA_NONE);
    return st;
}

rwa_status route_name_format(rwa_assignment *result, const struct job *job, size_t demand, const uint32_t *arc,
                             size_t hops)
{
    rwa_modulation_choice choice;
    rwa_modulation format;
    if (!job->opts->transmission)
        return RWA_OK;
    MUST(choose(&choice, job, job_rate_bps(job, demand), arc, hops));
    assert(choice.modulation != RWA_NONE);
    rwa_modulations_get(&format, rwa_transmission_modulations(job->opts->transmission), choice.modulation);
    return rwa_assignment_set_modulation(result, rwa_assignment_count(result) - 1, format.name, job->err);
}

rwa_status routes_keep_reaching(struct route_sets *c, size_t from, const struct job *job)
{
    struct paths *paths = &c->paths;
    size_t count = paths->count;
    bool yes = false;
    if (!job->opts->transmission || from == count)
        return RWA_OK;
    paths_cut(paths, from);
    for (size_t p = from; p < count; p++) { /* moves down over the routes removed */
        const uint32_t *arc = paths->arc + paths->first[p];
        size_t hops = paths->first[p + 1] - paths->first[p], working = paths->working[p];
        MUST(reaches(&yes, job, arc, working));
        if (yes)
            MUST(reaches(&yes, job, arc + working, hops - working));
        if (yes)
            MUST(paths_add_pair(paths, arc, working, hops, job->err));
    }
    return RWA_OK;
}

/* ---- the route of least noise ---- */

struct quietest {
    const struct job *job;
    struct path_tree tree;
    uint64_t *length;   /* of each arc: its noise in the current format, rounded down */
    uint32_t *arc;      /* of a path */
};

static void weigh(struct quietest *q, size_t format)
{
    const struct routing_graph *g = &q->job->graph;
    double limit = transmission_limit(q->job->opts->transmission, format);
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t k = g->out_first[v]; k < g->out_first[v + 1]; k++) {
            rwa_link link = rwa_network_link(q->job->net, g->out[k]);
            double part = transmission_noise(q->job->opts->transmission, format, link.length_km) / limit;
            q->length[g->out[k]] = part < 2 ? (uint64_t)(part * (double)LIMIT) : 2 * LIMIT;
        }
}

/* Find the path of least noise from src to dst, and write its arcs to q->arc and its hops to *hops.  Set *hops to 0 if
 * even that path is too noisy for the format. */
static void find_quietest(size_t *hops, struct quietest *q, size_t format, uint32_t src, uint32_t dst)
{
    *hops = 0;
    if (!(transmission_limit(q->job->opts->transmission, format) > 0))
        return;
    weigh(q, format);
    if (path_tree_between(&q->tree, &q->job->graph, q->length, src, dst, NULL, NULL, NULL) &&
        q->tree.dist[dst] <= LIMIT)
        *hops = tree_path(q->arc, &q->job->graph, q->tree.arc, src, dst);
}

/* Append to c->paths the path of least noise from src to dst in the first modulation format that reaches over it.
 * Noise adds up along a path, so a format that reaches over any path reaches over the one of least noise.  Set *none to
 * whether no format reaches. */
static rwa_status try_formats(struct route_sets *c, struct quietest *q, uint32_t src, uint32_t dst, bool *none)
{
    const struct job *job = q->job;
    const rwa_transmission *t = job->opts->transmission;
    *none = true;
    for (size_t i = 0; i < rwa_modulations_count(rwa_transmission_modulations(t)); i++) {
        size_t hops = 0;
        bool yes = false;
        if (!transmission_fits(t, i, filter_rate_bps(job), most_slots(job)))
            continue;
        find_quietest(&hops, q, i, src, dst);
        if (hops == 0)
            continue;
        *none = false;
        MUST(reaches(&yes, job, q->arc, hops));
        if (yes)
            return paths_add(&c->paths, q->arc, hops, job->err);
    }
    return RWA_OK;
}

rwa_status routes_add_reaching(struct route_sets *c, const struct job *job, uint32_t src, uint32_t dst, bool *none)
{
    assert(job->opts->transmission);
    rwa_status st = RWA_OK;
    struct quietest q = {.job = job};
    TRY(path_tree_create(&q.tree, &job->graph, job->err));
    TRY(base_new(q.length, job->graph.arcs, job->err));
    TRY(base_new(q.arc, job->graph.nodes, job->err));
    TRY(try_formats(c, &q, src, dst, none));
done:
    path_tree_free(&q.tree);
    free_all(q.length, q.arc);
    return st;
}
