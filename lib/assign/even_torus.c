/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-to-all on tori of equal even dimensions, directed, in closed form: as many wavelengths as the total length of the shortest
 * routes demands.  The construction and its proof are in docs/bounds.md.
 *
 * Let the size of each of D dimensions be 2m, and the steps of a lightpath i_1 … i_D, each from 0 to m, in directions s_1 … s_D.  The
 * phase of a node x is s_1 x_1 + … + s_D x_D mod m.  Two lightpaths of steps i and m - i are partners.  From all nodes of phase c
 * go lightpaths of steps i, first dimension first, and from all of phase c + i_1 + … + i_D those of steps m - i, last dimension first.
 * Together they use every link in directions s exactly once: one wavelength.  The opposite directions carry another such set.
 */
#include "assign/assign.h"

#include "assignment/assignment.h"
#include "network/network.h"

/** How the lightpaths whose ends differ by one offset go. */
struct offset_rule {
    uint32_t colour;    /* of the first phase */
    uint32_t period;    /* phases that have colours of their own: m, or m / 2 for steps that are their own partners */
    uint32_t shift;     /* phase at which they start for phase 0 of their partners; below m */
    bool known, last_first;
    bool reversed;      /* steps of m go in negative direction */
    bool corner;        /* all steps are 0 or m: two phases share a colour, one in each direction */
};

struct even_torus {
    struct job *job;
    uint32_t size, half, dimensions, nodes, fibers;
    struct offset_rule *rule;   /* of each offset, numbered as the node that it leads to from place 0 */
    uint32_t colours;
    uint32_t *length;           /* of each link: 1, the witness */
    uint32_t *arc;
    struct arena arena;
};

static uint32_t digit(const struct even_torus *t, uint32_t number, uint32_t d)
{
    for (uint32_t k = t->dimensions - 1; k > d; k--)
        number /= t->size;
    return number % t->size;
}

static uint32_t steps_of(const struct even_torus *t, uint32_t offset, uint32_t d)
{
    uint32_t ahead = digit(t, offset, d);
    return ahead <= t->half ? ahead : t->size - ahead;
}

static bool is_ambiguous(const struct even_torus *t, uint32_t offset, uint32_t d)
{
    return digit(t, offset, d) % t->half == 0;
}

/* Steps i become m - i (partner), or directions turn round, where there is one. */
static uint32_t change(const struct even_torus *t, uint32_t offset, bool partner)
{
    uint32_t changed = 0;
    for (uint32_t d = 0; d < t->dimensions; d++) {
        uint32_t ahead = digit(t, offset, d), now;
        if (partner)
            now = ahead <= t->half ? t->half - ahead : 3 * t->half - ahead;
        else
            now = is_ambiguous(t, offset, d) ? ahead : t->size - ahead;
        changed = changed * t->size + now % t->size;
    }
    return changed;
}

static uint32_t total_steps(const struct even_torus *t, uint32_t offset)
{
    uint32_t sum = 0;
    for (uint32_t d = 0; d < t->dimensions; d++)
        sum += steps_of(t, offset, d);
    return sum % t->half;
}

static bool is_corner(const struct even_torus *t, uint32_t offset)
{
    for (uint32_t d = 0; d < t->dimensions; d++)
        if (!is_ambiguous(t, offset, d))
            return false;
    return true;
}

/* An offset and its partner, with `period` colours from here on. */
static void rule_pair(struct even_torus *t, uint32_t offset, bool reversed)
{
    uint32_t partner = change(t, offset, true);
    struct offset_rule rule = {.colour = t->colours, .period = partner == offset ? t->half / 2 : t->half, .reversed = reversed,
                               .known = true, .corner = is_corner(t, offset)};
    t->rule[offset] = rule;
    rule.shift = total_steps(t, offset);
    rule.last_first = true;
    if (partner != offset)
        t->rule[partner] = rule;
}

static void make_rules(struct even_torus *t)
{
    uint32_t phases = 0, first;
    for (uint32_t offset = 0; offset < t->nodes; offset++) {
        if (t->rule[offset].known || is_corner(t, offset))
            continue;
        rule_pair(t, offset, false);
        rule_pair(t, change(t, offset, false), true);
        t->colours += t->rule[offset].period;
    }
    first = t->colours;
    for (uint32_t offset = 0; offset < t->nodes; offset++) {
        if (t->rule[offset].known)
            continue;
        t->colours = phases; /* corners count phases; two of them are a colour */
        rule_pair(t, offset, false);
        phases += t->half;
    }
    for (uint32_t offset = 0; offset < t->nodes; offset++)
        t->rule[offset].colour += t->rule[offset].corner ? 2 * first : 0;
    t->colours = first + (phases + 1) / 2;
}

/* ---- lightpaths ---- */

/* The direction along a dimension: true is positive. */
static bool goes_up(const struct even_torus *t, uint32_t offset, uint32_t d, bool reversed)
{
    return is_ambiguous(t, offset, d) ? !reversed : digit(t, offset, d) < t->half;
}

static uint32_t phase_of(const struct even_torus *t, uint32_t place, uint32_t offset, bool reversed)
{
    uint32_t sum = 0;
    for (uint32_t d = 0; d < t->dimensions; d++) {
        uint32_t at = digit(t, place, d);
        sum += goes_up(t, offset, d, reversed) ? at : t->size - at;
    }
    return sum % t->half;
}

static uint32_t colour_of(const struct even_torus *t, uint32_t place, uint32_t offset, bool *reversed)
{
    const struct offset_rule *rule = &t->rule[offset];
    uint32_t phase = phase_of(t, place, offset, rule->reversed) + t->half - rule->shift;
    *reversed = rule->reversed;
    if (!rule->corner)
        return rule->colour + phase % t->half % rule->period;
    uint32_t number = rule->colour + phase % t->half;
    *reversed = number % 2 == 1;
    return number / 2;
}

/* One step along a dimension, and the link it takes. */
static uint32_t go(const struct even_torus *t, uint32_t place, uint32_t d, bool up, uint32_t *link)
{
    uint32_t stride = 1, at = digit(t, place, d), next;
    for (uint32_t k = d + 1; k < t->dimensions; k++)
        stride *= t->size;
    next = place - at * stride + (up ? (at + 1) % t->size : (at + t->size - 1) % t->size) * stride;
    *link = rwa_network_find_link(t->job->net, network_canonical_node(t->job->net, place), network_canonical_node(t->job->net, next));
    return next;
}

static uint32_t write_path(struct even_torus *t, uint32_t place, uint32_t offset, bool reversed)
{
    uint32_t hops = 0;
    bool last_first = t->rule[offset].last_first;
    for (uint32_t k = 0; k < t->dimensions; k++) {
        uint32_t d = last_first ? t->dimensions - 1 - k : k;
        bool up = goes_up(t, offset, d, reversed);
        for (uint32_t steps = steps_of(t, offset, d); steps > 0; steps--)
            place = go(t, place, d, up, &t->arc[hops++]);
    }
    return hops;
}

static uint32_t offset_between(const struct even_torus *t, uint32_t from, uint32_t to)
{
    uint32_t offset = 0;
    for (uint32_t d = 0; d < t->dimensions; d++)
        offset = offset * t->size + (digit(t, to, d) + t->size - digit(t, from, d)) % t->size;
    return offset;
}

static rwa_status add_lightpaths(rwa_assign_result *r, struct even_torus *t)
{
    rwa_status st = RWA_OK;
    const rwa_network *net = t->job->net;
    for (size_t d = 0; d < rwa_demands_count(t->job->demands) && st == RWA_OK; d++) {
        const rwa_demand *demand = &rwa_demands_list(t->job->demands)[d];
        uint32_t place = network_canonical_place(net, demand->src);
        uint32_t offset = offset_between(t, place, network_canonical_place(net, demand->dst));
        bool reversed;
        uint32_t colour = colour_of(t, place, offset, &reversed);
        rwa_route route = {.demand = d, .hops = write_path(t, place, offset, reversed), .links = t->arc,
                           .fiber = colour % t->fibers, .wavelength = colour / t->fibers};
        st = rwa_assign_result_add(r, &route, t->job->err);
    }
    return st;
}

/* ---- the answer ---- */

static bool is_even_torus(struct even_torus *t)
{
    const struct job *job = t->job;
    struct network_grid grid;
    if (job->model != RWA_DIRECTED || job->opts->objective != RWA_FEWEST_WAVELENGTHS || strcmp(job->routing, "auto") != 0 ||
        !job_searches(job) || !job_is_plain(job) || !network_grid(&grid, network_canonical(job->net)) || !grid.cyclic ||
        grid.dimensions < 2 || grid.size[0] % 2 != 0 || grid.size[0] < 4)
        return false;
    for (size_t d = 1; d < grid.dimensions; d++)
        if (grid.size[d] != grid.size[0])
            return false;
    for (uint32_t l = 0; l < job->graph.links; l++)
        if (job->graph.fibers[l] != job->graph.fibers[0])
            return false;
    t->size = grid.size[0];
    t->half = t->size / 2;
    t->dimensions = (uint32_t)grid.dimensions;
    t->nodes = job->graph.nodes;
    t->fibers = job->graph.fibers[0];
    return rwa_demands_is_all_to_all(job->demands, job->model);
}

static rwa_status open_torus(struct even_torus *t)
{
    t->arena.err = t->job->err;
    arena_new(&t->arena, t->rule, t->nodes);
    arena_new(&t->arena, t->length, t->job->graph.links);
    arena_new(&t->arena, t->arc, t->nodes);
    for (uint32_t l = 0; t->length && l < t->job->graph.links; l++)
        t->length[l] = 1;
    return arena_status(&t->arena);
}

static rwa_status certify(struct even_torus *t)
{
    struct metric metric = {.length = t->length};
    struct job *job = t->job;
    MUST(job_traffic(&job->traffic, job, NULL));
    MUST(metric_evaluate(&metric, &job->graph, &job->traffic, 0, job->err));
    job->bound = job_certificate(job, &metric);
    return RWA_OK;
}

rwa_status job_even_torus(rwa_assign_result **out, struct job *job)
{
    rwa_status st = RWA_OK;
    rwa_assign_result *r = NULL;
    struct even_torus t = {.job = job};
    if (!is_even_torus(&t))
        return RWA_OK;
    TRY(open_torus(&t));
    make_rules(&t);
    if (job->opts->wavelengths > 0 && t.colours > (uint64_t)job->opts->wavelengths * t.fibers)
        goto done; /* a search chooses the lightpaths to leave out */
    TRY(certify(&t));
    TRY(rwa_assign_result_create(&r, job->net, job->demands, job->model, job->err));
    TRY(add_lightpaths(r, &t));
    TRY(assignment_certify(r, &job->bound, job->err));
    TRY(job_conclude(r, job));
    *out = r;
    r = NULL;
done:
    rwa_assign_result_free(r);
    arena_free(&t.arena);
    return st;
}
