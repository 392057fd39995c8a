/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The placement in the public form, with its proof and the checker's verdict. */
#include "assign/assign.h"

#include "network/network.h"
#include "assign/why.h"
#include "assignment/assignment.h"

#include <stdlib.h>

struct writing {
    const struct job *job;
    rwa_assign_result *result;
    uint32_t *fibers, *wavelengths; /* of each hop of one route */
    char dead_text[192];            /* why the next demand without a route has none */
};

static rwa_direction direction_of(const struct job *job, uint32_t arc)
{
    return arc < rwa_network_links(job->net) ? RWA_CW : RWA_CCW;
}

/* Segments from … to - 1 of a unit's route. */
static rwa_status add_route(struct writing *w, uint32_t unit, rwa_role role, size_t from, size_t to)
{
    const struct job *job = w->job;
    const size_t *hop = job->offer.hop;
    uint32_t hops = 0;
    bool changes = false;
    for (size_t s = from; s < to; s++) {
        uint32_t wave = job->best.wave[s], wavelength = wave / job->offer.menu.fibers;
        changes = changes || wave != job->best.wave[from];
        for (size_t k = hop[s]; k < hop[s + 1]; k++) {
            w->fibers[hops] = wave % job->offer.menu.fibers;
            w->wavelengths[hops++] = wavelength;
        }
    }
    rwa_route route = {.demand = job->offer.demand_of[unit], .copy = job->offer.copy_of[unit], .role = role, .hops = hops,
                       .direction = direction_of(job, job->offer.arc[hop[from]]), .links = job->offer.arc + hop[from],
                       .fiber = w->fibers[0], .wavelength = w->wavelengths[0],
                       .fibers = changes ? w->fibers : NULL, .wavelengths = changes ? w->wavelengths : NULL};
    return rwa_assign_result_add(w->result, &route, job->err);
}

static rwa_status add_unplaced(struct writing *w, uint32_t demand, uint32_t copy, const char *why)
{
    rwa_route route = {.demand = demand, .copy = copy, .why = why};
    return rwa_assign_result_add(w->result, &route, w->job->err);
}

static rwa_status add_unit(struct writing *w, uint32_t unit)
{
    const struct job *job = w->job;
    size_t r = job->best.route[unit];
    rwa_status st = RWA_OK;
    if (r == MENU_NONE)
        return add_unplaced(w, job->offer.demand_of[unit], job->offer.copy_of[unit], "no wavelength is left for it");
    size_t from = job->offer.segment[r], to = job->offer.segment[r + 1], cut = job->offer.backup ? job->offer.backup[r] : to;
    TRY(add_route(w, unit, RWA_WORKING, from, cut));
    if (cut < to)
        TRY(add_route(w, unit, RWA_BACKUP, cut, to));
done:
    return st;
}

/* Units and demands without a route, merged in the order of the demands. */
static rwa_status add_all(struct writing *w)
{
    const struct job *job = w->job;
    const rwa_demand *list = rwa_demands_list(job->demands);
    rwa_status st = RWA_OK;
    size_t dead = 0;
    uint32_t unit = 0;
    while (unit < job->offer.menu.demands || dead < job->dead_count) {
        if (dead < job->dead_count && (unit == job->offer.menu.demands || job->dead[dead] < job->offer.demand_of[unit])) {
            TRY(why_dead(w->dead_text, sizeof w->dead_text, job, job->dead[dead]));
            for (uint32_t copy = 0; copy < list[job->dead[dead]].count; copy++)
                TRY(add_unplaced(w, job->dead[dead], copy, w->dead_text));
            dead++;
        } else {
            TRY(add_unit(w, unit++));
        }
    }
done:
    return st;
}

static rwa_outcome outcome_of(const rwa_assign_summary *sum, const struct job *job)
{
    bool all = sum->routed == sum->lightpaths;
    if (job->opts->objective == RWA_MOST_DEMANDS)
        return all || (!job->bound.fixed_routes && sum->routed == job->bound.value) ? RWA_OPTIMAL : RWA_FEASIBLE;
    if (all)
        return !job->bound.fixed_routes && sum->wavelengths == job->bound.value ? RWA_OPTIMAL : RWA_FEASIBLE;
    return (job->dead_count > 0 && !job->dead_unsure) || (!job->bound.fixed_routes && job->bound.value > job->opts->wavelengths)
               ? RWA_INFEASIBLE
               : RWA_UNDECIDED;
}

rwa_status job_conclude(rwa_assign_result *r, const struct job *job)
{
    rwa_assign_summary *sum = &r->summary;
    rwa_check_options checking;
    rwa_status st = RWA_OK;
    sum->extra_wavelengths = job->extra;
    sum->routing = job->routing;
    sum->solver = job->method->name;
    sum->outcome = outcome_of(sum, job);
    if (sum->routed < sum->lightpaths)
        TRY(why_not_all(r, job));
    sum->seconds = base_now_s() - job->began_s;
    rwa_check_options_init(&checking);
    if (!job->budget.cancelled) { /* who has stopped the search gets what there is, checked */
        checking.poll = job->opts->poll;
        checking.poll_data = job->opts->poll_data;
    }
    st = rwa_check_assignment(&sum->check, r, &checking, job->err);
done:
    return st;
}

rwa_status job_answer(rwa_assign_result **out, const struct job *job)
{
    rwa_status st = RWA_NOMEM;
    struct writing w = {.job = job};
    w.fibers = base_array(2 * (size_t)job->roads.nodes, sizeof *w.fibers, job->err);
    w.wavelengths = base_array(2 * (size_t)job->roads.nodes, sizeof *w.wavelengths, job->err);
    if (!w.fibers || !w.wavelengths)
        goto done;
    TRY(rwa_assign_result_create(&w.result, job->net, job->demands, job->model, job->err));
    TRY(assigned_rules(w.result, job->opts->protection != 0, job->opts->converters, job->opts->converter_count,
                       job->err));
    TRY(add_all(&w));
    TRY(assigned_certify(w.result, &job->bound, job->err));
    if (w.result->summary.routed < w.result->summary.lightpaths)
        TRY(remedies_find(w.result, job));
    TRY(job_conclude(w.result, job));
    *out = w.result;
    w.result = NULL;
done:
    rwa_assign_result_free(w.result);
    free(w.fibers);
    free(w.wavelengths);
    return st;
}
