/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Steps that the caller planned: each gets routes and wavelengths, and is split where the channels do not suffice. */
#include "plan/plan.h"

#include "assignment/assignment.h"
#include "plan/pack/pack.h"
#include "schedule/schedule.h"
#include "solvers/solver.h"

/** One given step under way. */
struct given_step {
    struct arena memory;        /* of the arrays */
    rwa_schedule *sched;
    const rwa_network *net;
    const rwa_plan_options *o;
    const rwa_transfer *all;    /* of the step */
    size_t *first;              /* lightpath i carries transfers first[i] … first[i + 1] - 1 of them */
    rwa_transfer *list;         /* of each lightpath the first one */
    size_t count;               /* lightpaths */
    uint32_t *blocks;           /* of the lightpath in work */
    uint8_t *ccw;               /* of each: the way round, on rings and lines */
    uint32_t *load;             /* of each link and direction: lightpaths */
    uint32_t *colour;           /* of each: wavelength and fibre of an unlimited fibre, fibres of a wavelength last */
    uint32_t *from, *to, *part; /* of the transfers of one direction: arc and colour */
    rwa_assign_result *routes;  /* where links are listed */
    uint32_t fibers, channels;  /* of the link that has most */
    double limit_s;             /* for the step; 0: none */
    rwa_error *err;
};

static void steps_close(struct given_step *g)
{
    rwa_assign_result_free(g->routes);
    arena_free(&g->memory);
}

static rwa_status steps_open(struct given_step *g, size_t most)
{
    g->memory.err = g->err;
    arena_new(&g->memory, g->first, most + 1);
    arena_new(&g->memory, g->list, most);
    arena_new(&g->memory, g->blocks, most);
    arena_new(&g->memory, g->ccw, most);
    arena_new(&g->memory, g->load, 2 * (size_t)rwa_network_nodes(g->net));
    arena_new(&g->memory, g->colour, most);
    arena_new(&g->memory, g->from, most);
    arena_new(&g->memory, g->to, most);
    arena_new(&g->memory, g->part, most);
    return arena_status(&g->memory);
}

/* ---- rings and lines: the shorter way, then a solver for arcs ---- */

/** The most lightpaths on any link of an arc. */
static uint32_t load_of(const struct given_step *g, const rwa_transfer *t, rwa_direction dir, uint32_t hops)
{
    uint32_t nodes = rwa_network_nodes(g->net), from = dir == RWA_CW ? t->src : t->dst, most = 0;
    for (uint32_t k = 0; k < hops; k++) {
        uint32_t load = g->load[(size_t)dir * nodes + (from + k) % nodes];
        most = load > most ? load : most;
    }
    return most;
}

static void take_arc(struct given_step *g, size_t i, rwa_direction dir, uint32_t hops)
{
    uint32_t nodes = rwa_network_nodes(g->net), from = dir == RWA_CW ? g->list[i].src : g->list[i].dst;
    g->ccw[i] = dir == RWA_CCW;
    for (uint32_t k = 0; k < hops; k++)
        g->load[(size_t)dir * nodes + (from + k) % nodes]++;
}

/** The shorter way; in a second round those half-way round, each the way with fewer lightpaths. */
static rwa_status route_arcs(struct given_step *g)
{
    memset(g->load, 0, (size_t)2 * rwa_network_nodes(g->net) * sizeof *g->load);
    for (int halves = 0; halves < 2; halves++)
        for (size_t i = 0; i < g->count; i++) {
            const rwa_transfer *t = &g->list[i];
            uint32_t ahead = network_hops(g->net, t->src, t->dst, RWA_CW);
            uint32_t back = network_hops(g->net, t->src, t->dst, RWA_CCW);
            bool shorter_back = ahead == 0 || (back > 0 && back < ahead);
            uint32_t hops = shorter_back ? back : ahead;
            if ((ahead == back) != halves)
                continue;
            if (g->o->max_hops > 0 && hops > g->o->max_hops)
                return base_fail(g->err, RWA_BADARG, "step %u: from node %u to node %u there are %u hops, expected at most %u",
                                 t->step, t->src, t->dst, hops, g->o->max_hops);
            if (halves)
                shorter_back = load_of(g, t, RWA_CCW, hops) < load_of(g, t, RWA_CW, hops);
            take_arc(g, i, shorter_back ? RWA_CCW : RWA_CW, hops);
        }
    return RWA_OK;
}

/** First-fit is enough where nothing could save a step. */
static rwa_status colour_part(struct given_step *g, size_t count)
{
    rwa_solver_result found;
    rwa_solver_options solving = g->o->solving;
    rwa_problem p = {.struct_size = sizeof p, .links = rwa_network_nodes(g->net), .paths = count, .start = g->from, .end = g->to};
    solving.time_limit_s = g->limit_s;
    MUST(solver_run(g->part, &found, sizeof found, g->o->solver ? g->o->solver : "first-fit", &p, &solving, g->o->programs, g->err));
    if (!g->o->solver && ceil_div(found.wavelengths, g->channels) > ceil_div(found.bound, g->channels))
        MUST(solver_run(g->part, &found, sizeof found, "auto", &p, &solving, g->o->programs, g->err));
    return RWA_OK;
}

static rwa_status colour_way(struct given_step *g, rwa_direction dir)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (g->ccw[i] != (dir == RWA_CCW))
            continue;
        g->from[count] = dir == RWA_CW ? g->list[i].src : g->list[i].dst;
        g->to[count++] = dir == RWA_CW ? g->list[i].dst : g->list[i].src;
    }
    if (count == 0)
        return RWA_OK;
    MUST(colour_part(g, count));
    for (size_t i = 0; i < g->count; i++)
        if (g->ccw[i] == (dir == RWA_CCW))
            g->colour[i] = g->part[at++];
    assert(at == count);
    return RWA_OK;
}

/* ---- links that are listed: the static problem, one demand a transfer ---- */

static rwa_status assign_by(struct given_step *g, const char *solver)
{
    struct transfers all = {.count = g->count, .src = g->from, .dst = g->to};
    for (size_t i = 0; i < g->count; i++) {
        g->from[i] = g->list[i].src;
        g->to[i] = g->list[i].dst;
    }
    rwa_assign_result_free(g->routes);
    return assign_transfers(&g->routes, g->net, &all, g->o, solver, g->limit_s, g->err);
}

static rwa_status take_assigned(struct given_step *g)
{
    for (size_t i = 0; i < g->count; i++) {
        rwa_route route = result_route(g->routes, i);
        assert(route.demand == i && route.fiber < g->fibers);
        if (route.hops == 0)
            return base_fail(g->err, RWA_BADARG, "step %u: no route from node %u to node %u: %s", g->list[i].step,
                             g->list[i].src, g->list[i].dst, route.why);
        g->colour[i] = route.wavelength * g->fibers + route.fiber;
    }
    return RWA_OK;
}

static rwa_status assign_listed(struct given_step *g)
{
    MUST(assign_by(g, "first-fit"));
    if (rwa_assign_result_summary(g->routes)->wavelengths > rwa_network_wavelengths(g->net))
        MUST(assign_by(g, "auto"));
    return take_assigned(g);
}

/* ---- a step of a reduction that is split: what is read must not have been written in an earlier part ---- */

COMPARATOR(by_arrival, rwa_transfer, UP(dst) UP(block) UP(step))

/** The part of the step in which a node's value of a block first changes; UINT32_MAX: in none.  `sorted` has parts as steps. */
static uint32_t first_change(const rwa_transfer *sorted, size_t count, uint32_t node, uint64_t block)
{
    rwa_transfer sought = {.dst = node, .block = block};
    size_t at = base_first_from(sorted, count, sizeof *sorted, &sought, by_arrival);
    return at < count && sorted[at].dst == node && sorted[at].block == block ? sorted[at].step : UINT32_MAX;
}

/** Whether no block of lightpath i changes at its source before the part of the step that the lightpath is in. */
static rwa_status check_lightpath(const struct given_step *g, size_t i, const rwa_transfer *sorted)
{
    size_t count = g->first[g->count];
    for (size_t k = g->first[i]; k < g->first[i + 1]; k++) {
        const rwa_transfer *t = &g->all[k];
        if (first_change(sorted, count, t->src, t->block) < g->colour[i] / g->channels)
            return base_fail(g->err, RWA_BADARG, "step %u needs more than the %u channels there are and cannot be split: node %u "
                             "sends its value of block %llu and receives another; more wavelengths would help", t->step,
                             g->channels, t->src, (unsigned long long)t->block);
    }
    return RWA_OK;
}

static rwa_status check_split(const struct given_step *g)
{
    size_t count = g->first[g->count];
    rwa_transfer *sorted = base_array(count, sizeof *sorted, g->err);
    rwa_status st = sorted ? RWA_OK : RWA_NOMEM;
    for (size_t i = 0; i < g->count && sorted; i++)
        for (size_t k = g->first[i]; k < g->first[i + 1]; k++) {
            sorted[k] = g->all[k];
            sorted[k].step = g->colour[i] / g->channels;
        }
    if (sorted)
        qsort(sorted, count, sizeof *sorted, by_arrival);
    for (size_t i = 0; i < g->count && st == RWA_OK; i++)
        st = check_lightpath(g, i, sorted);
    free(sorted);
    return st;
}

/** The blocks of lightpath i, in g->blocks; returns their number, 0 for one alone. */
static uint32_t list_blocks(const struct given_step *g, size_t i)
{
    uint32_t count = (uint32_t)(g->first[i + 1] - g->first[i]);
    for (uint32_t k = 0; k < count; k++)
        g->blocks[k] = (uint32_t)g->all[g->first[i] + k].block;
    return count > 1 ? count : 0;
}

/** A lightpath, all of whose blocks are on the list, over its arc or its route. */
static rwa_status append_lightpath(struct given_step *g, const rwa_lightpath *lp, size_t i, uint32_t *path)
{
    uint32_t blocks = list_blocks(g, i);
    rwa_lists lists = {.blocks = g->blocks, .block_count = blocks};
    if (g->routes)
        return add_assigned(g->sched, lp, blocks > 0 ? g->blocks : NULL, blocks, g->routes, i, path, g->err);
    return blocks > 0 ? rwa_schedule_add_lists(g->sched, lp, &lists, g->err) : rwa_schedule_add(g->sched, lp, g->err);
}

static rwa_status append_step(struct given_step *g)
{
    uint32_t base = rwa_schedule_steps(g->sched) + 1, *order = NULL;
    assert(g->count > 0 && g->channels > 0);
    uint32_t *path = base_array(rwa_network_nodes(g->net), sizeof *path, g->err);
    rwa_status st = path ? RWA_OK : RWA_NOMEM;
    TRY(st);
    TRY(order_by_step(&order, g->colour, g->count, g->channels, g->err));
    if (g->colour[order[g->count - 1]] >= g->channels && rwa_collective_is_reduction(rwa_schedule_collective(g->sched)->kind))
        TRY(check_split(g));
    for (size_t k = 0; k < g->count; k++) {
        size_t i = order[k];
        const rwa_transfer *t = &g->list[i];
        uint32_t channel = g->colour[i] % g->channels;
        rwa_lightpath lp = {.step = base + g->colour[i] / g->channels, .src = t->src, .dst = t->dst, .fiber = channel % g->fibers,
                            .wavelength = channel / g->fibers, .orbit = 1, .block = t->block, .op = t->op,
                            .direction = g->routes == NULL && g->ccw[i] ? RWA_CCW : RWA_CW};
        TRY(append_lightpath(g, &lp, i, path));
    }
done:
    free(order);
    free(path);
    return st;
}

static rwa_status colour_step(struct given_step *g)
{
    if (!network_has_arcs(g->net))
        return assign_listed(g);
    MUST(route_arcs(g));
    MUST(colour_way(g, RWA_CW));
    return colour_way(g, RWA_CCW);
}

/* ---- the request ---- */

static rwa_status check_network(const rwa_network *net, rwa_error *err)
{
    if (network_is_one_hop(net))
        return base_fail(err, RWA_BADARG, "given steps: a %s has no routes to choose, expected a network with links",
                         rwa_topology_name(rwa_network_topology(net)));
    if (network_has_reserved(net) || network_has_failed_links(net))
        return base_fail(err, RWA_BADARG, "given steps: expected a network without reserved channels or failed links");
    return RWA_OK;
}

static rwa_status check_transfers(const rwa_transfer *list, size_t count, uint32_t nodes, rwa_error *err)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t before = i ? list[i - 1].step : 1;
        if (list[i].step < before || list[i].step == 0)
            return base_fail(err, RWA_BADARG, "transfer %zu: step %u after step %u, expected steps from 1 that do not go down", i,
                             list[i].step, before);
        if (list[i].src >= nodes || list[i].dst >= nodes || list[i].src == list[i].dst)
            return base_fail(err, RWA_BADARG, "transfer %zu: from node %u to node %u, expected two different nodes from 0 to %u",
                             i, list[i].src, list[i].dst, nodes - 1);
    }
    return count < UINT32_MAX ? RWA_OK : base_fail(err, RWA_BADARG, "%zu transfers, expected fewer than 2^32 - 1", count);
}

/** The end of the step that begins with transfer i. */
static size_t end_of_step(const rwa_transfer *list, size_t count, size_t i)
{
    size_t end = i;
    while (end < count && list[end].step == list[i].step)
        end++;
    return end;
}

/** By step, ends and operation; equal ones by their block. */
COMPARATOR(by_ends, rwa_transfer, UP(step) UP(src) UP(dst) UP(op) UP(block))

/** The end of the transfers that differ from the sorted one at i by their block alone. */
static size_t end_of_message(const rwa_transfer *sorted, size_t count, size_t i)
{
    size_t end = i + 1;
    while (end < count && sorted[end].step == sorted[i].step && sorted[end].src == sorted[i].src && sorted[end].dst == sorted[i].dst &&
           sorted[end].op == sorted[i].op)
        end++;
    return end;
}

static rwa_transfer *sort_transfers(const rwa_transfer *list, size_t count, rwa_error *err)
{
    rwa_transfer *sorted = base_array(count, sizeof *sorted, err);
    if (sorted && count > 0) {
        memcpy(sorted, list, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_ends);
    }
    return sorted;
}

uint32_t plan_most_blocks(const rwa_transfer *list, size_t count)
{
    rwa_transfer *sorted = sort_transfers(list, count, NULL);
    size_t most = 1;
    for (size_t i = 0, end; sorted && i < count; i = end) {
        end = end_of_message(sorted, count, i);
        most = end - i > most ? end - i : most;
    }
    free(sorted);
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

/** Lightpaths of at most `most` blocks, as even as can be; more than one needs sorted transfers. */
static void group_step(struct given_step *g, const rwa_transfer *all, size_t count, uint32_t most)
{
    g->all = all;
    g->count = 0;
    for (size_t i = 0, end; i < count; i = end) {
        end = most > 1 ? end_of_message(all, count, i) : i + 1;
        size_t parts = (end - i + most - 1) / most;
        for (size_t k = 0; k < parts; k++) {
            g->first[g->count] = i + (end - i) * k / parts;
            g->list[g->count] = all[g->first[g->count]];
            g->count++;
        }
    }
    g->first[g->count] = count;
}

/** The steps that a coloured step takes. */
static uint64_t parts_of(const struct given_step *g)
{
    uint32_t last = 0;
    for (size_t i = 0; i < g->count; i++)
        last = g->colour[i] > last ? g->colour[i] : last;
    return last / g->channels + 1;
}

/** Blocks of a lightpath so that the step takes the fewest block times, then the fewest parts: all that go from one node to
 *  another cut into up to PIECES pieces, or one by one. */
static rwa_status choose_most(uint32_t *most, struct given_step *g, const rwa_transfer *all, size_t count)
{
    enum { PIECES = 8 };
    uint32_t largest = 1;
    uint64_t best = UINT64_MAX, fewest = UINT64_MAX;
    for (size_t i = 0, end; i < count; i = end) {
        end = end_of_message(all, count, i);
        largest = end - i > largest ? (uint32_t)(end - i) : largest;
    }
    *most = largest;
    for (uint32_t pieces = 1, tried = 0; largest > 1 && pieces <= PIECES + 1; pieces++) {
        uint32_t here = pieces > PIECES ? 1 : (largest + pieces - 1) / pieces;
        if (here == tried)
            continue;
        tried = here;
        group_step(g, all, count, here);
        MUST(colour_step(g));
        uint64_t parts = parts_of(g);
        if (parts * here < best || (parts * here == best && parts < fewest)) {
            best = parts * here;
            fewest = parts;
            *most = here;
        }
    }
    return RWA_OK;
}

static rwa_status add_step(struct given_step *g, const rwa_transfer *all, size_t count, uint32_t most)
{
    if (most == 0)
        MUST(choose_most(&most, g, all, count));
    group_step(g, all, count, most);
    MUST(colour_step(g));
    return append_step(g);
}

static rwa_status add_steps(struct given_step *g, const rwa_transfer *list, size_t count, uint32_t most_blocks, struct budget *budget)
{
    size_t most = 0, steps = 0;
    for (size_t i = 0, end; i < count; i = end, steps++) {
        end = end_of_step(list, count, i);
        most = end - i > most ? end - i : most;
    }
    g->limit_s = steps ? g->o->time_limit_s / (double)steps : 0;
    MUST(steps_open(g, most));
    for (size_t i = 0, end; i < count; i = end) {
        end = end_of_step(list, count, i);
        if (base_must_stop(budget, "planning", (double)i / (double)count))
            MUST(base_fail(g->err, RWA_CANCELLED, "planning was stopped at step %u", list[i].step));
        MUST(add_step(g, list + i, end - i, most_blocks));
    }
    return RWA_OK;
}

rwa_status plan_messages(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll, const char *scheme,
                         const rwa_transfer *list, size_t count, uint32_t most, const rwa_plan_options *opts, rwa_error *err)
{
    rwa_plan_options o;
    struct given_step g = {.net = net, .o = &o, .fibers = network_most_fibers(net), .err = err};
    rwa_transfer *sorted = NULL;
    rwa_status st = RWA_OK;
    g.channels = g.fibers * rwa_network_wavelengths(net);
    rwa_plan_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "plan options", err));
    TRY(options_refuse_but(READS_SOLVER, "transfers that are given", &o, err));
    struct budget budget = base_budget(0, o.poll, o.poll_data);
    if (o.poll) {
        o.poll = o.solving.poll = base_poll_budget;
        o.poll_data = o.solving.poll_data = &budget;
    }
    TRY(check_network(net, err));
    TRY(check_transfers(list, count, rwa_network_nodes(net), err));
    TRY(rwa_schedule_create(&g.sched, net, coll, scheme, err));
    if (most != 1)
        TRY((sorted = sort_transfers(list, count, err)) ? RWA_OK : RWA_NOMEM);
    TRY(add_steps(&g, sorted ? sorted : list, count, most, &budget));
    *out = g.sched;
    g.sched = NULL;
done:
    rwa_schedule_free(g.sched);
    steps_close(&g);
    free(sorted);
    return st;
}

rwa_status rwa_plan_transfers(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll, const char *scheme,
                              const rwa_transfer *list, size_t count, const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, net, coll, !count || list);
    return plan_messages(out, net, coll, scheme, list, count, 1, opts, err);
}
