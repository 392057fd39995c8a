/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Turn an exchange into steps.  Every transfer takes a shortest route, and is divided into several parallel lightpaths
 * where the channels allow, so that the lightpath with the most blocks carries as few as possible.  The loads of links
 * tell which divisions are worth colouring; the colouring tells how many steps they take. */
#include "plan/pack/pieces.h"

#include "schedule/schedule.h"
#include "solvers/solver.h"

static void pieces_free(struct pieces *p)
{
    arena_free(&p->memory);
    *p = (struct pieces){0};
}

struct shifted {
    uint32_t shift, transfer;
};

COMPARATOR(by_shift, struct shifted, UP(shift) UP(transfer))

/** Write into *order the indices of the transfers, sorted by destination - source (mod nodes).  Transfers with the same
 * difference follow each other; no node sends or receives two of these, so limited ports allow them in one step.
 * @param memory  owns *order */
static rwa_status order_by_shift(uint32_t **order, const struct exchange *e, uint32_t nodes, struct arena *memory)
{
    struct shifted *list;
    MUST(arena_arrays(memory, e->count, *order, list));
    for (size_t i = 0; i < e->count; i++)
        list[i] = (struct shifted){(e->dst[i] + nodes - e->src[i]) % nodes, (uint32_t)i};
    qsort(list, e->count, sizeof *list, by_shift);
    for (size_t i = 0; i < e->count; i++)
        (*order)[i] = list[i].transfer;
    return RWA_OK;
}

static uint64_t shares_of(const struct packing *p, size_t transfer, uint64_t tau)
{
    return ceil_div(p->routed.e->blocks[transfer], tau);
}

static rwa_status make_pieces(struct pieces *out, const struct packing *p, uint64_t tau)
{
    const struct routed *r = &p->routed;
    size_t count = 0, at = 0;
    uint32_t *order = NULL;
    for (size_t i = 0; i < r->e->count; i++)
        count += shares_of(p, i, tau);
    *out = (struct pieces){.tau = tau, .count = count, .memory = {.err = p->err}};
    MUST(arena_arrays(&out->memory, count, out->transfer, out->share, out->start, out->end, out->colour));
    if (rwa_network_ports(p->request->net) > 0)
        MUST(order_by_shift(&order, r->e, rwa_network_nodes(p->request->net), &out->memory));
    for (int ccw = 0; ccw < 2; ccw++) {
        for (size_t n = 0; n < r->e->count; n++) {
            size_t i = order ? order[n] : n;
            for (uint64_t k = 0; (r->arcs && r->ccw[i]) == ccw && k < shares_of(p, i, tau); k++, at++) {
                out->transfer[at] = (uint32_t)i;
                out->share[at] = (uint32_t)k;
                out->start[at] = r->arcs ? r->start[i] : 0;
                out->end[at] = r->arcs ? r->end[i] : 0;
            }
        }
        out->clockwise = ccw ? out->clockwise : at;
    }
    assert(at == count);
    return RWA_OK;
}

/* ---- wavelengths ---- */

/** Colour the pieces (lightpaths) `from` … `to` - 1, all of one direction of a ring or line: each colour is a step and
 * a channel.  If the caller chose no solver, a search of limited work does it. */
static rwa_status colour_arcs(struct pieces *c, const struct packing *p, size_t from, size_t to)
{
    const rwa_plan_options *o = p->request->opts;
    rwa_solver_options solving = solver_options(o);
    rwa_solver_result found;
    rwa_problem problem = {.struct_size = sizeof problem,
                           .links = rwa_network_nodes(p->request->net),
                           .paths = to - from,
                           .start = c->start + from,
                           .end = c->end + from};
    /* unless the caller chose a solver its work is limited by itself, not by time */
    solving.time_limit_s = o->solver ? o->time_limit_s : 0;
    if (from == to)
        return RWA_OK;
    const char *solver = o->solver ? o->solver : solver_brief.name;
    rwa_status st = solver_run(c->colour + from, &found, sizeof found, solver, &problem, &solving, o->programs, p->err);
    if (st == RWA_OK && found.wavelengths > c->colours)
        c->colours = found.wavelengths;
    return st;
}

/** Colour the pieces (lightpaths): each colour is a step and a channel.
 * @param steps  the number of steps to aim at */
static rwa_status colour_pieces(struct pieces *c, const struct packing *p, uint64_t steps)
{
    c->colours = 0;
    if (p->routed.e->alike)
        return colour_orbits(c, p);
    if (!p->routed.arcs || rwa_network_ports(p->request->net) > 0)
        return colour_paths(c, p, steps);
    MUST(colour_arcs(c, p, 0, c->clockwise));
    return colour_arcs(c, p, c->clockwise, c->count);
}

static uint64_t steps_of(const struct packing *p, const struct pieces *c)
{
    return ceil_div(c->colours, p->channels);
}

static double time_of(const struct packing *p, const struct pieces *c)
{
    return (double)steps_of(p, c) * routed_step_s(&p->routed, c->tau);
}

/** Divide the transfers into pieces (lightpaths) of at most cut.tau blocks, and colour the pieces.  Replace *best by
 * this division if it takes less time, or if *best is empty (count 0).  If some piece gets no channel, or sums that
 * must move at once need several steps, *best stays. */
static rwa_status try_cut(struct pieces *best, const struct packing *p, struct cut cut)
{
    struct pieces next = {0};
    rwa_status st = RWA_OK;
    TRY(make_pieces(&next, p, cut.tau));
    TRY(colour_pieces(&next, p, cut.steps));
    bool fits = next.colours > 0 && (steps_of(p, &next) == 1 || !p->routed.e->at_once);
    if (fits && (best->count == 0 || time_of(p, &next) < time_of(p, best))) {
        struct pieces slower = *best;
        *best = next;
        next = slower;
    }
done:
    pieces_free(&next);
    return st;
}

/** Find a division of the transfers into lightpaths that fits one step; *best stays empty (count 0) if there is none.
 * Try increasing numbers of blocks on a lightpath, from the least that the loads of links allow up to undivided
 * transfers. */
static rwa_status fit_one_step(struct pieces *best, struct packing *p)
{
    enum { FINENESS = 8 }; /* each load tried is larger than the last one by an eighth */
    struct routed *r = &p->routed;
    uint64_t tau = routed_steps(r, r->largest) > 1 ? r->largest : routed_cut(r, 1).tau;
    for (; best->count == 0 && tau < r->largest; tau += ceil_div(tau, FINENESS))
        MUST(try_cut(best, p, (struct cut){.tau = tau, .steps = 1}));
    return best->count > 0 ? RWA_OK : try_cut(best, p, (struct cut){.tau = r->largest, .steps = 1});
}

/** Choose the division of the transfers into lightpaths that takes the least time.  Try one for each number of steps,
 * from the fewest that the loads of links allow up to routed_most_steps(). */
static rwa_status choose_pieces(struct pieces *best, struct packing *p)
{
    struct routed *r = &p->routed;
    if (r->e->one_block)
        return try_cut(best, p, (struct cut){.tau = 1, .steps = r->e->at_once ? 1 : routed_steps(r, 1)});
    if (r->e->at_once)
        return fit_one_step(best, p);
    uint64_t least = routed_steps(r, r->largest), most = routed_most_steps(r, least);
    for (uint64_t steps = least; steps <= most; steps++) {
        struct cut cut = routed_cut(r, steps);
        if (best->count == 0 || cut.time_s < time_of(p, best))
            MUST(try_cut(best, p, cut));
    }
    return RWA_OK;
}

/* ---- steps ---- */

static uint32_t path_of(uint32_t *path, const struct packing *p, const struct pieces *c, size_t k)
{
    uint32_t hops = (uint32_t)(c->first ? c->first[k + 1] - c->first[k] : 0);
    if (p->routed.arcs)
        return 0;
    path[0] = p->routed.e->src[c->transfer[k]];
    if (c->period)
        return orbit_path(path, c, k, p->request->net);
    for (uint32_t i = 1; i <= hops; i++)
        path[i] = p->request->net->links[c->link[c->first[k] + i - 1]].to;
    return hops + 1;
}

/** Append the lightpath of piece k to the schedule.
 * @param base  the first step of the exchange
 * @param run   memory for as many runs of blocks as a transfer has
 * @param path  memory for the nodes of a route */
static rwa_status add_piece(rwa_schedule *sched, const struct packing *p, const struct pieces *c, size_t k,
                            uint32_t base, rwa_run *run, uint32_t *path)
{
    const struct exchange *e = p->routed.e;
    size_t i = c->transfer[k];
    uint32_t w = rwa_network_wavelengths(p->request->net), channel = c->colour[k] % p->channels;
    uint64_t shares = shares_of(p, i, c->tau);
    uint64_t from = e->blocks[i] * c->share[k] / shares, to = e->blocks[i] * (c->share[k] + 1) / shares;
    rwa_lists lists = {.runs = run, .block_count = (uint32_t)(to - from), .path_nodes = path_of(path, p, c, k)};
    lists.path = lists.path_nodes > 0 ? path : NULL;
    lists.run_count = exchange_slice(run, e, i, from, to - from);
    rwa_lightpath lp = {.step = base + c->colour[k] / p->channels,
                        .fiber = channel / w,
                        .wavelength = channel % w,
                        .orbit = c->period ? p->request->net->nodes : 1,
                        .period = c->period ? c->period[k] : 0,
                        .src = e->src[i],
                        .dst = e->dst[i],
                        .direction = p->routed.arcs && p->routed.ccw[i] ? RWA_CCW : RWA_CW,
                        .op = e->ops ? (rwa_op)e->ops[i] : e->op};
    return rwa_schedule_add_lists(sched, &lp, &lists, p->err);
}

static rwa_status append_pieces(rwa_schedule *sched, const struct packing *p, const struct pieces *c)
{
    const struct exchange *e = p->routed.e;
    uint32_t base = rwa_schedule_steps(sched) + 1, *order = NULL, *path = NULL;
    rwa_run *run = NULL;
    size_t most = 0;
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < e->count; i++)
        RAISE(most, e->first[i + 1] - e->first[i]);
    TRY(order_by_step(&order, c->colour, c->count, p->channels, p->err));
    TRY(base_new(run, most, p->err));
    TRY(base_new(path, p->routed.longest + 1, p->err));
    for (size_t n = 0; n < c->count; n++)
        TRY(add_piece(sched, p, c, order[n], base, run, path));
done:
    free_all(order, run, path);
    return st;
}

/** Record in *figures the lightpaths of an exchange, the channels that they take (added up over the steps), and a
 * lower bound on these channels (0: none). */
static void note_exchange(struct coloured *figures, struct packing *p, const struct pieces *c)
{
    uint32_t steps = (uint32_t)routed_steps(&p->routed, c->tau);
    assert(steps > 0);
    figures->wavelengths = c->colours;
    /* by the loads of links, the channels of steps - 1 steps are too few */
    figures->bound = steps > 1 ? (steps - 1) * p->channels + 1 : 0;
    figures->t.count = c->count;
}

/** Set up the packing: the costs and the routes of the transfers.  Every step is timed as if it sets up new
 * lightpaths. */
static rwa_status open_packing(struct packing *p, const struct exchange *e, const struct distances *distances)
{
    const struct plan_request *request = p->request;
    p->channels = network_most_fibers(request->net) * rwa_network_wavelengths(request->net);
    p->routed.step_s = request->price.step_s;
    p->routed.block_bytes = request->coll->block_bytes;
    p->routed.model = &request->opts->cost;
    return routed_make(&p->routed, e, distances, p->err);
}

static rwa_status pack_one_by_one(rwa_schedule *sched, struct coloured *figures, const struct exchange *e,
                                  const struct distances *distances, const struct plan_request *request,
                                  rwa_error *err)
{
    struct exchange all;
    rwa_status st = exchange_expand(&all, e, request, err);
    if (st == RWA_OK)
        st = pack_exchange(sched, figures, &all, distances, request, err);
    exchange_free(&all);
    return st;
}

/** Tell whether to pack the lightpaths one by one: packing by orbits failed, or takes longer than the loads of links
 * suggest.  Up to 5 % longer is accepted if there are many lightpaths. */
static bool orbits_lose(struct packing *p, const struct pieces *c)
{
    const double much_work = 16384, little = 1.05;
    struct cut all = routed_quickest(&p->routed);
    /* one by one these take much work */
    if (c->count == 0 || (double)c->count * p->request->net->nodes > much_work)
        return c->count == 0 || time_of(p, c) > little * all.time_s;
    return steps_of(p, c) > all.steps || time_of(p, c) > all.time_s;
}

rwa_status pack_exchange(rwa_schedule *sched, struct coloured *figures, const struct exchange *e,
                         const struct distances *distances, const struct plan_request *request, rwa_error *err)
{
    struct packing p = {.request = request, .err = err};
    struct pieces best = {0};
    uint32_t limit = request->opts->max_hops;
    rwa_status st = RWA_OK;
    exchange_check(e);
    TRY(open_packing(&p, e, distances));
    if (p.routed.unreachable) {
        st = scheme_refuse(request, "a node cannot reach another");
    } else if (limit > 0 && p.routed.longest > limit) {
        st = scheme_refuse(request, "a lightpath needs %u hops, and max_hops allows %u", p.routed.longest, limit);
    } else {
        TRY(choose_pieces(&best, &p));
        if (e->alike && orbits_lose(&p, &best)) {
            st = pack_one_by_one(sched, figures, e, distances, request, err);
            goto done;
        }
        if (best.count == 0)
            st = scheme_refuse(request, e->at_once ? "sums that are exchanged at once do not fit one step"
                                                   : "a route has no free channel");
        else
            st = append_pieces(sched, &p, &best);
    }
    if (best.count > 0)
        note_exchange(figures, &p, &best);
done:
    pieces_free(&best);
    routed_free(&p.routed);
    return st;
}
