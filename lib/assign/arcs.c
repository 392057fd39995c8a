/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Rings and lines without further options.  A lightpath is stored as a direction and a colour, so that a million
 * lightpaths take seconds.  Each takes its shorter direction, then a solver for fixed arcs colours them; its answer is
 * compared with a bound from cuts by two links (one on a line).
 */
#include "assign/assign.h"

#include "assignment/assignment.h"
#include "network/ring_cut.h"
#include "solvers/solver.h"

enum { CUT_NODES = 2048 };

struct arcs_job {
    struct job *job;
    uint32_t nodes, fibers;
    uint64_t count;         /* lightpaths */
    uint8_t *ccw;           /* of each: the direction */
    uint64_t second;        /* two problems, one for each direction: index in the arrays below at which the ccw
                               lightpaths begin; else 0 */
    uint32_t *colour;       /* of each: its channel, numbered fibres of a wavelength first */
    uint32_t *start, *end;  /* of each: the links it covers, clockwise */
    uint32_t colours;
    uint32_t *length;       /* the witness */
    struct arena arena;
};

/* Return the index in a->start and a->end at which to store the next lightpath of a direction, and increase the counter
 * that holds it.  That is next[ccw] where the two directions are coloured separately, else next[0]. */
static uint64_t next_place(const struct arcs_job *a, uint64_t next[2], bool ccw)
{
    assert(next[ccw && a->second > 0] < a->count);
    return next[ccw && a->second > 0]++;
}

bool job_goes_ccw(const struct job *job, uint32_t src, uint32_t dst)
{
    uint32_t nodes = rwa_network_nodes(job->net), ahead = dst - src + (dst < src ? nodes : 0),
             low = src < dst ? src : dst;
    if (network_is_path(job->net))
        return dst < src;
    if (2 * ahead != nodes)
        return 2 * ahead > nodes;
    bool odd = low % 2;
    return job->model == RWA_DIRECTED || src < dst ? odd : !odd;
}

/* Choose a direction for each lightpath (a->ccw), and store its arc in a->start and a->end.  In the directed model,
 * clockwise arcs come first, then the counter-clockwise ones: the directions are coloured separately. */
static void orient_arcs(struct arcs_job *a)
{
    const struct job *job = a->job;
    for (size_t d = 0; d < job->count && job->model == RWA_DIRECTED; d++)
        a->second += job_goes_ccw(job, job->list[d].src, job->list[d].dst) ? 0 : job->list[d].count;
    uint64_t i = 0, next[2] = {0, a->second};
    for (size_t d = 0; d < job->count; d++) {
        uint32_t src = job->list[d].src, dst = job->list[d].dst;
        bool ccw = job_goes_ccw(job, src, dst);
        for (uint32_t copy = 0; copy < job->list[d].count; copy++) {
            uint64_t at = next_place(a, next, ccw);
            a->ccw[i++] = ccw;
            a->start[at] = ccw ? dst : src;
            a->end[at] = ccw ? src : dst;
        }
    }
}

static rwa_status colour_problem(struct arcs_job *a, const char *solver, uint64_t first, uint64_t end)
{
    struct job *job = a->job;
    rwa_solver_result found = {0};
    rwa_solver_options solving;
    rwa_problem p = {.struct_size = sizeof p,
                     .links = a->nodes,
                     .paths = (size_t)(end - first),
                     .start = a->start + first,
                     .end = a->end + first};
    rwa_solver_options_init(&solving);
    solving.time_limit_s = job->opts->time_limit_s;
    solving.seed = job->opts->seed;
    solving.poll = job->opts->poll;
    solving.poll_data = job->opts->poll_data;
    solving.order = job->method->kind == METHOD_GREEDY && job->method->order == FIT_AS_GIVEN ? RWA_ORDER_GIVEN
                                                                                             : RWA_ORDER_LONGEST;
    rwa_status st =
        solver_run(a->colour + first, &found, sizeof found, solver, &p, &solving, job->opts->programs, job->err);
    if (st == RWA_OK && found.wavelengths > a->colours)
        a->colours = found.wavelengths;
    return st;
}

/* Set a->colour and a->colours to a colouring of the arcs by the solver of this name.  In the directed model the two
 * directions share no link and are coloured separately. */
static rwa_status colour_arcs(struct arcs_job *a, const char *solver)
{
    if (a->second > 0)
        MUST(colour_problem(a, solver, 0, a->second));
    return colour_problem(a, solver, a->second, a->count);
}

/* ---- bounds ---- */

static uint32_t carrier(const struct arcs_job *a, uint32_t link, rwa_direction dir)
{
    assert(link < rwa_network_pairs(a->job->net));
    bool back = a->job->model == RWA_DIRECTED && dir == RWA_CCW;
    return link + (back ? rwa_network_pairs(a->job->net) : 0);
}

/* Set *best to the interval of nodes that exchanges the most lightpaths with the nodes outside it: in one direction or,
 * in the undirected model, in both directions together. */
static rwa_status cut_arcs(struct arcs_job *a, struct ring_cut *best)
{
    const struct job *job = a->job;
    double *amount;
    MUST(base_new(amount, (size_t)a->nodes * a->nodes, job->err));
    for (size_t d = 0; d < job->count; d++)
        amount[(size_t)job->list[d].src * a->nodes + job->list[d].dst] += job->list[d].count;
    rwa_status st =
        ring_cut_find(best, amount, a->nodes, network_is_path(job->net), job->model == RWA_UNDIRECTED, job->err);
    free(amount);
    return st;
}

/* Write to a->length the witness of the bound that the interval of nodes cut->first … cut->last proves: length 1 for
 * each link that leads out of the interval or, with cut->inward, into it.  On a ring there are two such links, on a
 * line one. */
static void mark_interval(struct arcs_job *a, const struct ring_cut *cut)
{
    assert(cut->amount > 0 && cut->first < a->nodes && cut->last < a->nodes);
    a->length[carrier(a, cut->last, cut->inward ? RWA_CCW : RWA_CW)] = 1;
    if (!network_is_path(a->job->net))
        a->length[carrier(a, (cut->first + a->nodes - 1) % a->nodes, cut->inward ? RWA_CW : RWA_CCW)] = 1;
}

static uint64_t distance_bound(const struct arcs_job *a)
{
    uint64_t hops = 0, offered = (uint64_t)a->job->graph.links * a->fibers;
    for (uint64_t i = 0; i < a->count; i++) /* every arc is the shorter one */
        hops += a->end[i] - a->start[i] + (a->end[i] < a->start[i] ? a->nodes : 0u);
    return (hops + offered - 1) / offered;
}

static rwa_status certify_arcs(struct arcs_job *a, rwa_certificate *bound)
{
    struct ring_cut best = {0};
    uint64_t distance = distance_bound(a), offered = (uint64_t)a->fibers * (network_is_path(a->job->net) ? 1 : 2);
    if (a->nodes <= CUT_NODES)
        MUST(cut_arcs(a, &best));
    uint64_t value = ((uint64_t)best.amount + offered - 1) / offered;
    if (value >= distance && value > 0)
        mark_interval(a, &best);
    for (uint32_t l = 0; l < a->job->graph.links && value < distance; l++)
        a->length[l] = 1;
    *bound = (rwa_certificate){.name = value < distance ? "distance" : "cut",
                               .value = value < distance ? distance : value, .kind = RWA_WITNESS_LENGTHS,
                               .lengths = a->length, .length_count = a->job->graph.links,
                               .source = "what leaves an interval of nodes shares the links out of it; all hops share "
                                         "all links"};
    return RWA_OK;
}

/* ---- the answer ---- */

static rwa_status add_routes(rwa_assignment *r, void *data)
{
    const struct arcs_job *a = data;
    const struct job *job = a->job;
    const rwa_demand *list = job->list;
    size_t count = job->count;
    uint32_t fibers = a->fibers;
    uint64_t i = 0, next[2] = {0, a->second};
    uint64_t channels = job->opts->wavelengths > 0 ? (uint64_t)job->opts->wavelengths * fibers : UINT64_MAX;
    MUST(base_reserve(r->routes, a->count, job->err));
    for (size_t d = 0; d < count; d++)
        for (uint32_t copy = 0; copy < list[d].count; copy++, i++) {
            uint32_t colour = a->colour[next_place(a, next, a->ccw[i])],
                     wavelength = fibers == 1 ? colour : colour / fibers;
            rwa_route route = {.demand = d,
                               .copy = copy,
                               .direction = a->ccw[i] ? RWA_CCW : RWA_CW,
                               .fiber = colour - wavelength * fibers,
                               .wavelength = wavelength,
                               .why = "no wavelength is left for it"};
            if (colour < channels)
                route.hops = network_hops(job->net, list[d].src, list[d].dst, route.direction);
            MUST(rwa_assignment_add_wide(r, &route, 1, 0, job->err));
        }
    return RWA_OK;
}

/* Whether a solver for fixed arcs can do what the job's method does: a search, or first-fit in the order given or
 * longest first. */
static bool is_for_arcs(const struct job *job)
{
    const struct method *m = job->method;
    return job_searches(job) || (m->kind == METHOD_GREEDY && m->rule == FIT_LOWEST &&
                              (m->order == FIT_AS_GIVEN || m->order == FIT_LONGEST));
}

static bool wants_arcs(const struct job *job)
{
    bool one_way = network_is_path(job->net) || job->routing == RWA_ROUTES_SHORTEST;
    bool many = rwa_demands_lightpaths(job->demands) > MANY_ARCS;
    return job_is_plain(job) && network_has_arcs(job->net) && is_for_arcs(job) && job->routing != RWA_ROUTES_MIN_LOAD &&
           (many || (one_way && job->opts->wavelengths == 0));
}

static rwa_status open_arcs(struct arcs_job *a)
{
    size_t count = (size_t)rwa_demands_lightpaths(a->job->demands);
    a->nodes = rwa_network_nodes(a->job->net);
    a->fibers = rwa_network_fibers(a->job->net);
    a->count = count;
    arena_arrays(&a->arena, count, a->ccw, a->colour, a->start, a->end);
    return arena_arrays(&a->arena, a->job->graph.links, a->length);
}

/* Colour the arcs again, the shortest first.  Keep the new a->colour if more lightpaths then get one of the wavelengths
 * given. */
static rwa_status serve_more(struct arcs_job *a)
{
    uint32_t *before = a->colour;
    uint64_t channels = (uint64_t)a->job->opts->wavelengths * a->fibers, had = 0, has = 0;
    MUST(arena_arrays(&a->arena, a->count, a->colour));
    MUST(colour_arcs(a, solver_shortest.name));
    for (uint64_t i = 0; i < a->count; i++) {
        had += before[i] < channels;
        has += a->colour[i] < channels;
    }
    a->colour = has > had ? a->colour : before;
    return RWA_OK;
}

rwa_status job_arcs(rwa_assignment **out, struct job *job)
{
    rwa_status st = RWA_OK;
    struct arcs_job a = {.job = job, .arena = {.err = job->err}};
    uint32_t given = job->opts->wavelengths, needed;
    if (!wants_arcs(job))
        return RWA_OK;
    TRY(open_arcs(&a));
    orient_arcs(&a);
    TRY(colour_arcs(&a, job_searches(job) ? "auto" : "first-fit"));
    TRY(certify_arcs(&a, &job->bound));
    needed = (a.colours + a.fibers - 1) / a.fibers;
    job->extra = given > 0 && needed > given ? needed - given : 0;
    if (job->extra > 0 && job_searches(job))
        TRY(serve_more(&a));
    TRY(job_write(out, job, add_routes, &a));
done:
    arena_free(&a.arena);
    return st;
}
