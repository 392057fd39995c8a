/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Bandwidth and wavelengths in one integer program.  x[flow][direction][channel] is 1 when the flow has a lightpath
 * there; each link carries at most one lightpath on a channel.  The program maximises z subject to z T / max T <=
 * number of lightpaths, for each flow of T bytes.  Where not every flow can have a lightpath, it maximises the number
 * of flows that have one.
 */
#include "place/ring.h"
#include "lp/lp.h"

struct ring_program {
    const struct ring_job *job;
    struct lp m;
    size_t flows;
    double *x;
};

double ring_ilp_size(const struct ring_job *job)
{
    return (double)job->traffic->count * job->directions * job->channels + (double)job->traffic->count + 1;
}

static size_t column(const struct ring_program *g, size_t flow, int direction, uint32_t channel)
{
    return (flow * (size_t)g->job->directions + (size_t)direction) * g->job->channels + channel;
}

static const char *const ways[] = {"cw", "ccw"};

/** Return the first column after the variables x: that of z or, if not every flow can be served, the first of the
 *  variables that tell whether a flow has a lightpath. */
static size_t extra(const struct ring_program *g)
{
    return column(g, g->flows, 0, 0);
}

static bool crosses(const struct ring_job *job, size_t flow, int direction, uint32_t link)
{
    const rwa_flow *f = &job->traffic->flow[flow];
    uint32_t from = direction == 0 ? f->src : f->dst;
    return (link + job->nodes - from) % job->nodes < ring_hops(job, flow, direction);
}

static void one_lightpath_a_link(struct ring_program *g)
{
    for (int d = 0; d < g->job->directions; d++)
        for (uint32_t c = 0; c < g->job->channels; c++)
            for (uint32_t s = 0; s < g->job->nodes; s++) {
                for (size_t i = 0; i < g->flows; i++)
                    if (crosses(g->job, i, d, s))
                        lp_put(&g->m, column(g, i, d, c), 1);
                lp_end(&g->m, -INFINITY, 1, "link_%s_l%u_c%u", ways[d], s, c);
            }
}

/** Add a row to the program: the flow has at least `least` * v lightpaths, where v is the variable of column `with`. */
static void at_least(struct ring_program *g, size_t flow, size_t with, double least)
{
    for (int d = 0; d < g->job->directions; d++)
        for (uint32_t c = 0; c < g->job->channels; c++)
            lp_put(&g->m, column(g, flow, d, c), 1);
    lp_put(&g->m, with, -least);
    lp_end(&g->m, 0, INFINITY, "flow_%u_%u", g->job->traffic->flow[flow].src, g->job->traffic->flow[flow].dst);
}

/** Name the variables, for files of the program: x by flow, direction and channel; then z or, if not all flows can be
 *  served, the variables that tell whether each flow has a lightpath. */
static void name_columns(struct ring_program *g, bool all_served)
{
    for (size_t i = 0; i < g->flows; i++) {
        const rwa_flow *f = &g->job->traffic->flow[i];
        for (int d = 0; d < g->job->directions; d++)
            for (uint32_t c = 0; c < g->job->channels; c++)
                lp_name_column(&g->m, column(g, i, d, c), "x_%u_%u_%s_c%u", f->src, f->dst, ways[d], c);
        if (!all_served)
            lp_name_column(&g->m, extra(g) + i, "served_%u_%u", f->src, f->dst);
    }
    if (all_served)
        lp_name_column(&g->m, extra(g), "z");
}

static rwa_status build(struct ring_program *g, bool all_served, double bound, struct budget *budget, rwa_error *err)
{
    const struct ring_job *job = g->job;
    double entries = ring_ilp_size(job) + (double)g->flows;
    for (size_t i = 0; i < g->flows; i++)
        for (int d = 0; d < job->directions; d++)
            entries += (double)ring_hops(job, i, d) * job->channels;
    size_t columns = extra(g) + g->flows + 1;
    MUST(base_fits_memory(entries * 40, "the integer program", err));
    MUST(lp_open(&g->m, columns, (size_t)job->directions * job->channels * job->nodes + g->flows, (size_t)entries,
                 budget, err));
    if (budget->programs)
        name_columns(g, all_served);
    for (size_t c = 0; c < extra(g); c++)
        g->m.upper[c] = 1;
    one_lightpath_a_link(g);
    double most = most_bytes(job->traffic);
    g->m.continuous[extra(g)] = all_served;
    for (size_t i = 0; i < g->flows; i++) {
        size_t with = extra(g) + (all_served ? 0 : i);
        g->m.cost[with] = -1;
        g->m.upper[with] = all_served ? most / bound * (1 + 1e-9) : 1;
        at_least(g, i, with, all_served ? job->traffic->flow[i].bytes / most : 1);
    }
    return arena_status(&g->m.memory);
}

static rwa_status take_solution(struct ring_packing *p, const struct ring_program *g, rwa_error *err)
{
    for (size_t i = 0; i < g->flows; i++)
        for (int d = 0; d < g->job->directions; d++)
            for (uint32_t c = 0; c < g->job->channels; c++)
                if (g->x[column(g, i, d, c)] > 0.5)
                    MUST(packing_put(p, i, d, c, err));
    return RWA_OK;
}

static rwa_status solve(struct ring_packing *best, double *bound, bool all_served, struct budget *budget,
                        rwa_error *err)
{
    const rwa_traffic *t = best->job->traffic;
    struct ring_program g = {.job = best->job, .flows = t->count};
    struct ring_packing found = {0};
    struct lp_result result;
    size_t before, after;
    rwa_status st = RWA_OK;
    TRY(build(&g, all_served, *bound, budget, err));
    TRY(packing_open(&found, best->job, err));
    TRY(lp_solve(&result, &g.m, false, err));
    if (all_served && result.bound < 0)
        *bound = fmax(*bound, most_bytes(t) / -result.bound * (1 - 1e-9));
    if (!all_served && result.bound > -(double)t->count + 1 - 1e-6)
        *bound = INFINITY;
    if (!result.solved)
        goto done;
    g.x = result.x;
    TRY(take_solution(&found, &g, err));
    TRY(packing_fill(&found, err));
    double had = packing_load(best, &before), has = packing_load(&found, &after);
    if (after > before || (after == before && has < had)) {
        struct ring_packing worse = *best;
        *best = found;
        found = worse;
    }
done:
    packing_free(&found);
    lp_free(&g.m);
    return st;
}

rwa_status ring_ilp(struct ring_packing *best, double *bound, struct budget *budget, rwa_error *err)
{
    size_t served;
    packing_load(best, &served);
    if (served < best->job->traffic->count)
        MUST(solve(best, bound, false, budget, err));
    packing_load(best, &served);
    if (served == best->job->traffic->count)
        MUST(solve(best, bound, true, budget, err));
    return RWA_OK;
}
