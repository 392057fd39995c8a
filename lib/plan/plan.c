/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme -> routes -> wavelengths -> steps -> checked plan. */
#include "rwa/plan.h"

#include "base/base.h"
#include "network/network.h"
#include "routing/exchange.h"
#include "schedule/schedule.h"
#include "scheme/scheme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rwa_plan {
    rwa_plan_summary summary;
    rwa_schedule *schedule;
};

static const struct {
    const char *name, *summary, *source;
} schemes[] = {
    {"one-stage", "every node sends its block straight to every other", "OpTree, Lemma 1"},
    {"optree", "m-ary tree: nodes at equal position in sibling groups exchange all they hold", "OpTree, Section IV"},
};
static const size_t scheme_count = sizeof schemes / sizeof schemes[0];

const char *rwa_scheme_name(size_t i)
{
    return i < scheme_count ? schemes[i].name : NULL;
}

const char *rwa_scheme_summary(size_t i)
{
    return i < scheme_count ? schemes[i].summary : NULL;
}

const char *rwa_scheme_source(size_t i)
{
    return i < scheme_count ? schemes[i].source : NULL;
}

void rwa_plan_options_init_sized(rwa_plan_options *opts, size_t size)
{
    rwa_plan_options defaults = {.struct_size = sizeof defaults};
    rwa_solver_options_init(&defaults.solving);
    rwa_cost_options_init(&defaults.cost);
    memcpy(opts, &defaults, size < sizeof defaults ? size : sizeof defaults);
    opts->struct_size = size;
}

/** A stage whose transfers have directions, clockwise ones first, and colours. */
struct coloured {
    struct stage stage;
    uint32_t *known;        /* colours by construction; NULL without */
    uint32_t *colour;
    size_t clockwise;
    uint32_t wavelengths, bound;
    const char *solver;
};

static void coloured_free(struct coloured *c)
{
    stage_free(&c->stage);
    free(c->known);
    free(c->colour);
    memset(c, 0, sizeof *c);
}

static rwa_direction direction_of(const struct stage *s, size_t i, uint32_t *known)
{
    rwa_direction dir = s->dst[i] > s->src[i] ? RWA_CW : RWA_CCW;
    if (s->ranks)
        exchange_assign(s->ranks, s->copies, s->rank_of[s->src[i]], s->rank_of[s->dst[i]], s->copy_of[s->src[i]], &dir,
                        known);
    return dir;
}

static void swap(uint32_t *array, size_t a, size_t b)
{
    uint32_t kept = array[a];
    array[a] = array[b];
    array[b] = kept;
}

static void swap_flags(uint8_t *array, size_t a, size_t b)
{
    uint8_t kept = array[a];
    array[a] = array[b];
    array[b] = kept;
}

/** Choose directions and bring the clockwise transfers to the front, so that each direction is one plain problem. */
static rwa_status route_stage(struct coloured *c, rwa_error *err)
{
    struct stage *s = &c->stage;
    uint32_t colour = 0;
    size_t front = 0;
    c->known = s->ranks ? base_array(s->count, sizeof *c->known, err) : NULL;
    if (s->ranks && !c->known)
        return RWA_NOMEM;
    for (size_t i = 0; i < s->count; i++) {
        rwa_direction dir = direction_of(s, i, &colour);
        if (c->known)
            c->known[i] = colour;
        if (dir != RWA_CW)
            continue;
        swap(s->src, i, front);
        swap(s->dst, i, front);
        swap(s->block, i, front);
        swap_flags(s->early, i, front);
        if (c->known)
            swap(c->known, i, front);
        front++;
    }
    c->clockwise = front;
    return RWA_OK;
}

static rwa_status colour_direction(struct coloured *c, uint32_t links, rwa_direction dir, const rwa_plan_options *o,
                                   rwa_error *err)
{
    size_t from = dir == RWA_CW ? 0 : c->clockwise;
    size_t count = dir == RWA_CW ? c->clockwise : c->stage.count - c->clockwise;
    rwa_assignment found;
    rwa_problem p = {.struct_size = sizeof p, .links = links, .paths = count};
    p.start = (dir == RWA_CW ? c->stage.src : c->stage.dst) + from;
    p.end = (dir == RWA_CW ? c->stage.dst : c->stage.src) + from;
    p.known = c->known ? c->known + from : NULL;
    if (count == 0)
        return RWA_OK;
    rwa_status st = rwa_solver_run(c->colour + from, &found, o->solver, &p, &o->solving, err);
    if (st != RWA_OK)
        return st;
    if (found.wavelengths > c->wavelengths)
        c->wavelengths = found.wavelengths;
    if (found.bound > c->bound)
        c->bound = found.bound;
    c->solver = found.solver;
    return RWA_OK;
}

static rwa_status colour_stage(struct coloured *c, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    rwa_status st = route_stage(c, err);
    uint32_t nodes = rwa_network_nodes(net);
    if (st != RWA_OK)
        return st;
    c->colour = base_array(c->stage.count, sizeof *c->colour, err);
    if (!c->colour)
        return RWA_NOMEM;
    TRY(colour_direction(c, nodes, RWA_CW, o, err));
    TRY(colour_direction(c, nodes, RWA_CCW, o, err));
done:
    return st;
}

/** Counting sort by step, so that the schedule can be appended in order. */
static rwa_status sort_by_step(uint32_t **order, const struct coloured *c, uint32_t channels, uint32_t steps,
                               rwa_error *err)
{
    size_t *fill = base_array((size_t)steps + 1, sizeof *fill, err);
    *order = base_array(c->stage.count, sizeof **order, err);
    if (!fill || !*order) {
        free(fill);
        return RWA_NOMEM;
    }
    for (size_t i = 0; i < c->stage.count; i++)
        fill[c->colour[i] / channels + 1]++;
    for (uint32_t t = 0; t < steps; t++)
        fill[t + 1] += fill[t];
    for (size_t i = 0; i < c->stage.count; i++)
        (*order)[fill[c->colour[i] / channels]++] = (uint32_t)i;
    free(fill);
    return RWA_OK;
}

/** W colours a step. */
static rwa_status pack_stage(rwa_schedule *sched, const struct coloured *c, const rwa_network *net, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(net), w = rwa_network_wavelengths(net);
    uint32_t base = rwa_schedule_steps(sched) + 1, *order = NULL;
    rwa_status st = RWA_OK;
    TRY(sort_by_step(&order, c, channels, c->wavelengths / channels + 1, err));
    TRY(schedule_reserve(sched, c->stage.count, err));
    for (size_t k = 0; k < c->stage.count; k++) {
        size_t i = order[k];
        uint32_t channel = c->colour[i] % channels;
        rwa_lightpath lp = {.step = base + c->colour[i] / channels, .src = c->stage.src[i], .dst = c->stage.dst[i],
                            .fiber = channel / w, .wavelength = channel % w, .orbit = 1, .block = c->stage.block[i],
                            .direction = i < c->clockwise ? RWA_CW : RWA_CCW};
        TRY(rwa_schedule_add(sched, &lp, err));
    }
done:
    free(order);
    return st;
}

/** Room for a part of a stage. */
static rwa_status part_create(struct coloured *part, size_t count, rwa_error *err)
{
    part->stage.src = base_array(count, sizeof(uint32_t), err);
    part->stage.dst = base_array(count, sizeof(uint32_t), err);
    part->stage.block = base_array(count, sizeof(uint32_t), err);
    part->colour = base_array(count, sizeof(uint32_t), err);
    bool whole = part->stage.src && part->stage.dst && part->stage.block && part->colour;
    return whole ? RWA_OK : RWA_NOMEM;
}

static void part_add(struct coloured *part, const struct coloured *c, size_t i)
{
    size_t k = part->stage.count++;
    part->stage.src[k] = c->stage.src[i];
    part->stage.dst[k] = c->stage.dst[i];
    part->stage.block[k] = c->stage.block[i];
    part->clockwise += i < c->clockwise;
}

static rwa_status colour_part(struct coloured *part, uint32_t nodes, const rwa_plan_options *o, rwa_error *err)
{
    rwa_status st = colour_direction(part, nodes, RWA_CW, o, err);
    return st == RWA_OK ? colour_direction(part, nodes, RWA_CCW, o, err) : st;
}

/** Append the lightpaths of a part whose colour is below `colours` to the last step, above the `used` channels. */
static rwa_status append_spare(rwa_schedule *sched, const struct coloured *part, uint32_t used, uint32_t colours,
                               const rwa_network *net, rwa_error *err)
{
    uint32_t w = rwa_network_wavelengths(net);
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < part->stage.count && st == RWA_OK; i++) {
        uint32_t channel = used + part->colour[i];
        if (part->colour[i] >= colours)
            continue;
        rwa_lightpath lp = {.step = rwa_schedule_steps(sched), .src = part->stage.src[i], .dst = part->stage.dst[i],
                            .fiber = channel / w, .wavelength = channel % w, .orbit = 1,
                            .block = part->stage.block[i], .direction = i < part->clockwise ? RWA_CW : RWA_CCW};
        st = rwa_schedule_add(sched, &lp, err);
    }
    return st;
}

/**
 * Send in the spare channels of the last step what its senders already held before the stage now ending, when that
 * saves this stage a step.  Every block such a sender holds arrived in an earlier step, so causality is kept.
 */
static rwa_status borrow(rwa_plan *plan, struct coloured *c, uint32_t used, const rwa_network *net,
                         const rwa_plan_options *o, uint64_t *borrowed, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(net), nodes = rwa_network_nodes(net), spare = channels - used;
    struct coloured early = {0}, rest = {0};
    size_t early_at = 0, count = c->stage.count;
    rwa_status st = RWA_OK;
    *borrowed = 0;
    if (used == 0 || c->wavelengths % channels == 0 || c->wavelengths % channels > spare)
        return RWA_OK;
    TRY(part_create(&early, count, err));
    TRY(part_create(&rest, count, err));
    for (size_t i = 0; i < count; i++)
        if (c->stage.early[i])
            part_add(&early, c, i);
    TRY(colour_part(&early, nodes, o, err));
    for (size_t i = 0; i < count; i++)
        if (!c->stage.early[i] || early.colour[early_at++] >= spare)
            part_add(&rest, c, i);
    TRY(colour_part(&rest, nodes, o, err));
    if ((rest.wavelengths + channels - 1) / channels >= (c->wavelengths + channels - 1) / channels)
        goto done; /* the early ones do not cross the heaviest links */
    *borrowed = count - rest.stage.count;
    TRY(append_spare(plan->schedule, &early, used, spare, net, err));
    stage_free(&c->stage);
    free(c->colour);
    c->stage = rest.stage;
    c->colour = rest.colour;
    c->clockwise = rest.clockwise;
    c->wavelengths = rest.wavelengths;
    memset(&rest, 0, sizeof rest);
done:
    coloured_free(&early);
    coloured_free(&rest);
    return st;
}

static void note_stage(rwa_plan_summary *sum, const struct coloured *c)
{
    size_t j = sum->stages++;
    if (j >= RWA_STAGES_MAX)
        return;
    sum->radix[j] = c->stage.radix;
    sum->stage_wavelengths[j] = c->wavelengths;
    sum->stage_bound[j] = c->bound;
    sum->stage_lightpaths[j] = c->stage.count;
    sum->solver = c->solver;
}

static rwa_status build(rwa_plan *plan, const rwa_network *net, const uint32_t *radix, size_t levels,
                        const rwa_plan_options *o, rwa_error *err)
{
    struct tree *tree = NULL;
    struct coloured c = {0};
    struct watch watch = base_watch(0, o->poll, o->poll_data);
    uint32_t used = 0; /* channels taken in the last step so far; 0: all, or none */
    rwa_status st = RWA_OK;
    TRY(tree_create(&tree, net, radix, levels, err));
    for (;;) {
        TRY(tree_next(tree, &c.stage, err));
        if (c.stage.count == 0)
            break;
        if (base_must_stop(&watch, "planning", (double)plan->summary.stages / (double)levels)) {
            st = base_fail(err, RWA_CANCELLED, "planning was stopped at stage %zu", plan->summary.stages + 1);
            goto done;
        }
        TRY(colour_stage(&c, net, o, err));
        note_stage(&plan->summary, &c);
        TRY(borrow(plan, &c, used, net, o, &plan->summary.stage_borrowed[(plan->summary.stages - 1) % RWA_STAGES_MAX], err));
        TRY(pack_stage(plan->schedule, &c, net, err));
        used = c.wavelengths % rwa_network_channels(net);
        coloured_free(&c);
    }
done:
    coloured_free(&c);
    tree_free(tree);
    return st;
}

static size_t levels_of(const uint32_t *radix)
{
    size_t levels = 0;
    while (levels < RADIX_LEVELS && radix[levels])
        levels++;
    return levels;
}

/** Explicit steps of a radix sequence: the stages are really built, and counted by their heaviest link. */
static rwa_status explicit_steps(uint64_t *steps, const rwa_network *net, const uint32_t *radix, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), channels = rwa_network_channels(net);
    struct tree *tree = NULL;
    struct coloured c = {0};
    rwa_status st = RWA_OK;
    int64_t *change = base_array((size_t)nodes * 2 + 2, sizeof *change, err);
    *steps = 0;
    if (!change)
        return RWA_NOMEM;
    TRY(tree_create(&tree, net, radix, levels_of(radix), err));
    for (;;) {
        int64_t load[2] = {0, 0}, most = 0;
        TRY(tree_next(tree, &c.stage, err));
        if (c.stage.count == 0)
            break;
        TRY(route_stage(&c, err));
        memset(change, 0, ((size_t)nodes * 2 + 2) * sizeof *change);
        for (size_t i = 0; i < c.stage.count; i++) {
            size_t dir = i < c.clockwise ? 0 : 1;
            uint32_t from = dir ? c.stage.dst[i] : c.stage.src[i], to = dir ? c.stage.src[i] : c.stage.dst[i];
            change[from * 2 + dir]++;
            change[to * 2 + dir]--;
            load[dir] += to < from;
        }
        for (size_t v = 0; v < nodes; v++)
            for (size_t dir = 0; dir < 2; dir++) {
                load[dir] += change[v * 2 + dir];
                most = load[dir] > most ? load[dir] : most;
            }
        *steps += ((uint64_t)most + channels - 1) / channels;
        coloured_free(&c);
    }
done:
    coloured_free(&c);
    tree_free(tree);
    free(change);
    return st;
}

/** Lemma 3 only looks at the formula; here the cheapest sequences are built and the one with fewest steps wins. */
static rwa_status choose_radix(radix_sequence best, const rwa_network *net, uint32_t stages, rwa_error *err)
{
    enum { MOST = 24 };
    radix_sequence tried[MOST];
    uint64_t steps = 0, least = UINT64_MAX, pairs = (uint64_t)rwa_network_nodes(net) * rwa_network_nodes(net);
    size_t budget = pairs > (1u << 24) / 2 ? 2 : (size_t)((1u << 24) / pairs);
    size_t count = optree_candidates(tried, budget > MOST ? MOST : budget, net, stages);
    rwa_status st = RWA_OK;
    memcpy(best, tried[0], sizeof tried[0]);
    for (size_t i = 0; i < count && count > 1; i++) {
        TRY(explicit_steps(&steps, net, tried[i], err));
        if (steps < least) {
            least = steps;
            memcpy(best, tried[i], sizeof tried[i]);
        }
    }
done:
    return st;
}

static rwa_status check_radix(const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    uint64_t product = 1, nodes = rwa_network_nodes(net);
    if (o->radix_count >= RADIX_LEVELS)
        return base_fail(err, RWA_BADARG, "radix: %zu stages, expected at most %d", o->radix_count, RADIX_LEVELS - 1);
    for (size_t j = 0; j < o->radix_count; j++) {
        if (o->radix[j] < 2)
            return base_fail(err, RWA_BADARG, "radix %u: expected at least 2", o->radix[j]);
        product = product >= nodes ? product : product * o->radix[j];
    }
    if (o->radix_count > 0 && product < nodes)
        return base_fail(err, RWA_BADARG, "radix: the product is %llu, expected at least the %llu nodes",
                         (unsigned long long)product, (unsigned long long)nodes);
    if (o->radix_count > 0 && o->stages > 0 && o->stages != o->radix_count)
        return base_fail(err, RWA_BADARG, "radix has %zu stages but %u are asked for: give one of the two",
                         o->radix_count, o->stages);
    if (o->stages >= RADIX_LEVELS || (o->stages > 1 && ((uint64_t)1 << (o->stages - 1)) >= nodes))
        return base_fail(err, RWA_BADARG, "stages: %u, expected at most the tree of radix 2 has for %llu nodes", o->stages,
                         (unsigned long long)nodes);
    return RWA_OK;
}

static rwa_status check_request(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o,
                                rwa_error *err)
{
    double lightpaths = (double)coll->nodes * (coll->nodes - 1.0);
    if (coll->kind != RWA_ALL_GATHER)
        return base_fail(err, RWA_BADARG, "no scheme for %s here, expected all-gather", rwa_collective_name(coll->kind));
    if (coll->nodes != rwa_network_nodes(net) || coll->blocks != coll->nodes)
        return base_fail(err, RWA_BADARG, "expected one block for each of the network's %u nodes",
                         rwa_network_nodes(net));
    if (o->device && rwa_network_wavelengths(net) > rwa_device_wavelengths(o->device))
        return base_fail(err, RWA_BADARG, "%u wavelengths: the grid of device %s has %u", rwa_network_wavelengths(net),
                         rwa_device_name(o->device), rwa_device_wavelengths(o->device));
    if (lightpaths >= UINT32_MAX)
        return base_fail(err, RWA_BADARG, "an all-gather on %u nodes has %.0f lightpaths, expected fewer than 2^32",
                         coll->nodes, lightpaths);
    rwa_status st = base_fits_memory(lightpaths * 48, "this plan", err);
    return st == RWA_OK ? check_radix(net, o, err) : st;
}

/** Which scheme; -1 when unknown. */
static int find_scheme(const char *name)
{
    if (!name || strcmp(name, "auto") == 0)
        name = "optree";
    for (size_t i = 0; i < scheme_count; i++)
        if (strcmp(schemes[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void fill_formula(rwa_formula *f, const rwa_network *net, const uint32_t *radix, size_t levels, bool given)
{
    uint32_t nodes = rwa_network_nodes(net), channels = rwa_network_channels(net);
    bool ring = rwa_network_get_kind(net) == RWA_RING;
    f->known = 1;
    f->stages = levels;
    optree_stage_wavelengths(f->stage_wavelengths, net, radix, levels);
    f->source = "OpTree, Section III-C";
    if (ring) {
        f->best_stages = optree_lemma3(nodes);
        f->best_steps = optree_theorem1(nodes, channels, f->best_stages);
    }
    if (ring && !given) {
        f->steps = optree_theorem1(nodes, channels, (uint32_t)levels);
        f->source = levels > 1 ? "OpTree, Theorem 1" : "OpTree, Lemma 1";
        return;
    }
    for (size_t j = 0; j < levels; j++)
        f->steps += (f->stage_wavelengths[j] + channels - 1) / channels;
}

/** The limits a complete schedule may still break; says what would help. */
static void judge_limits(rwa_plan_summary *sum, const rwa_network *net, const rwa_plan_options *o)
{
    const rwa_power_report *p = &sum->check.power;
    if (o->max_hops > 0 && sum->longest_hops > o->max_hops) {
        sum->outcome = RWA_INFEASIBLE;
        snprintf(sum->why, sizeof sum->why,
                 "the longest lightpath has %u hops, more than --max-hops %u; a scheme with shorter hops, or more "
                 "stages, would help", sum->longest_hops, o->max_hops);
    } else if (o->device && p->verdict == RWA_FAIL) {
        uint32_t reach = rwa_device_reach(o->device, o->power_model, rwa_network_nodes(net),
                                          rwa_network_wavelengths(net));
        sum->outcome = RWA_INFEASIBLE;
        snprintf(sum->why, sizeof sum->why,
                 "power: %llu lightpaths fail under device %s (worst margin %.2f dB, worst log10 BER %.2f); the longest "
                 "feasible lightpath has %u hops, this plan needs %u; fewer wavelengths, shorter hops or a device with "
                 "more margin would help", (unsigned long long)p->failing, rwa_device_name(o->device), p->margin_db,
                 p->worst_log10_ber, reach, sum->longest_hops);
    }
}

static bool only_power(const rwa_check *c)
{
    return c->violations == c->by_kind[RWA_VIOLATION_POWER];
}

static rwa_status judge_plan(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll,
                             const rwa_plan_options *o, rwa_error *err)
{
    rwa_plan_summary *sum = &plan->summary;
    rwa_check_options checking;
    rwa_bound_options bounding;
    double begin = base_now_s();
    rwa_status st = RWA_OK;
    rwa_check_options_init(&checking);
    rwa_bound_options_init(&bounding);
    checking.device = o->device;
    checking.power_model = o->power_model;
    checking.poll = bounding.poll = o->poll;
    checking.poll_data = bounding.poll_data = o->poll_data;
    bounding.max_hops = o->max_hops;
    TRY(rwa_check_schedule(&sum->check, plan->schedule, &checking, err));
    sum->check_s = base_now_s() - begin;
    if (!only_power(&sum->check)) {
        st = base_fail(err, RWA_BACKEND, "the planner's schedule did not pass the checker: %s", sum->check.first[0].text);
        goto done;
    }
    sum->steps = rwa_schedule_steps(plan->schedule);
    sum->lightpaths = rwa_schedule_lightpaths(plan->schedule);
    sum->wavelengths_used = sum->check.wavelengths_used;
    sum->longest_hops = sum->check.longest_hops;
    TRY(rwa_cost_schedule(&sum->time_s, plan->schedule, &o->cost, err));
    TRY(rwa_bound_best(&sum->bound, net, coll, &bounding, err));
    sum->outcome = sum->bound.value == sum->steps ? RWA_OPTIMAL : RWA_FEASIBLE;
    judge_limits(sum, net, o);
done:
    return st;
}

rwa_status rwa_plan_make(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                         const rwa_plan_options *opts, rwa_error *err)
{
    rwa_plan_options o;
    radix_sequence radix = {0};
    rwa_plan *plan = NULL;
    double begin = base_now_s();
    rwa_status st = RWA_OK;
    *out = NULL;
    rwa_plan_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "plan options", err));
    int scheme = find_scheme(o.scheme);
    if (scheme < 0)
        return base_fail(err, RWA_BADARG, "scheme \"%.64s\": unknown, expected one-stage, optree or auto", o.scheme);
    TRY(network_needs_arcs(net, "the planner", err));
    TRY(check_request(net, coll, &o, err));
    plan = base_array(1, sizeof *plan, err);
    if (!plan)
        return RWA_NOMEM;
    if (scheme == 0)
        radix[0] = coll->nodes;
    else if (o.radix_count > 0)
        memcpy(radix, o.radix, o.radix_count * sizeof *radix);
    else
        TRY(choose_radix(radix, net, o.stages, err));
    plan->summary.scheme = schemes[scheme].name;
    TRY(rwa_schedule_create(&plan->schedule, net, coll, schemes[scheme].name, err));
    TRY(build(plan, net, radix, levels_of(radix), &o, err));
    fill_formula(&plan->summary.formula, net, radix, levels_of(radix), o.radix_count > 0);
    plan->summary.plan_s = base_now_s() - begin;
    TRY(judge_plan(plan, net, coll, &o, err));
    if (plan->summary.outcome == RWA_INFEASIBLE) {
        rwa_schedule_free(plan->schedule);
        plan->schedule = NULL;
    }
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

void rwa_plan_free(rwa_plan *plan)
{
    if (!plan)
        return;
    rwa_schedule_free(plan->schedule);
    free(plan);
}

const rwa_plan_summary *rwa_plan_get_summary(const rwa_plan *plan)
{
    return &plan->summary;
}

const rwa_schedule *rwa_plan_schedule(const rwa_plan *plan)
{
    return plan->schedule;
}
