/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Proof by going through everything, where that is not too much; and the integer program of the textbooks. */
#include "assign/assign.h"

#include "solvers/exhaust.h"

#include <stdlib.h>
#include <string.h>

/* Where a search through everything has a chance. */
enum { EXHAUST_PATHS = 256, EXHAUST_UNITS = 64, EXHAUST_ROUTES = 4096 };

uint32_t wavelengths_of(const struct job *job, uint32_t waves)
{
    uint32_t fibers = job->offer.menu.fibers;
    return (waves + fibers - 1) / fibers;
}

/* ---- a menu of all routes ---- */

static size_t first_hop(const struct offer *o, size_t route)
{
    return o->hop[o->segment[route]];
}

static bool same_route(const struct offer *a, size_t r, const struct offer *b, size_t q)
{
    size_t hops = first_hop(a, r + 1) - first_hop(a, r);
    return hops == first_hop(b, q + 1) - first_hop(b, q) &&
           memcmp(a->arc + first_hop(a, r), b->arc + first_hop(b, q), hops * sizeof *a->arc) == 0;
}

/* The placement on the old menu, on the new one, which has its routes too. */
static void carry_over(struct placement *to, const struct offer *full, const struct placement *from, const struct offer *old)
{
    to->waves = from->waves;
    to->placed = from->placed;
    for (uint32_t u = 0; u < full->menu.demands; u++) {
        size_t route = from->route[u], q = full->route[u];
        if (route == MENU_NONE)
            continue;
        while (q < full->route[u + 1] && !same_route(old, route, full, q))
            q++;
        to->route[u] = q;
        memcpy(to->wave + full->segment[q], from->wave + old->segment[route],
               (full->segment[q + 1] - full->segment[q]) * sizeof *to->wave);
    }
}

static rwa_status offer_all(struct job *job)
{
    rwa_status st = RWA_OK;
    struct candidates c = {0};
    struct offer full = {0};
    struct placement best = {0};
    if (job->complete)
        return RWA_OK;
    TRY(candidates_find(&c, job, EXHAUST_PATHS, true));
    if (!c.complete || c.paths.count > EXHAUST_ROUTES)
        goto done;
    TRY(offer_create(&full, job, &c));
    TRY(placement_create(&best, &full.menu, job->err));
    carry_over(&best, &full, &job->best, &job->offer);
    offer_free(&job->offer);
    placement_free(&job->best);
    job->offer = full;
    job->best = best;
    job->complete = true;
    memset(&full, 0, sizeof full);
    memset(&best, 0, sizeof best);
done:
    candidates_free(&c);
    offer_free(&full);
    placement_free(&best);
    return st;
}

/* ---- searching it ---- */

static rwa_status find_twins(uint32_t **twin, const struct job *job)
{
    const struct offer *o = &job->offer;
    bool alike = job->fixed.name == NULL; /* copies of a demand that were dealt routes of their own differ */
    *twin = base_array(o->menu.demands, sizeof **twin, job->err);
    for (uint32_t u = 0; *twin && u < o->menu.demands; u++)
        (*twin)[u] = alike && u > 0 && o->demand_of[u - 1] == o->demand_of[u] ? u - 1 : UINT32_MAX;
    return *twin ? RWA_OK : RWA_NOMEM;
}

static rwa_certificate by_search(uint64_t value, bool most)
{
    return (rwa_certificate){.name = "search", .value = value, .kind = RWA_WITNESS_SEARCH, .most_served = most,
                             .source = "every route offered and every channel of every demand was tried"};
}

/* Fewer wavelengths by one, until there is no way or no time. */
static rwa_status exhaust_fewest(struct job *job, struct exhaust *run)
{
    rwa_status st = RWA_OK;
    enum exhausted answer = EXHAUST_FOUND;
    uint32_t wavelengths = wavelengths_of(job, job->best.waves), given = job->opts->wavelengths;
    uint64_t enough = job_least(job) > given ? job_least(job) : given;
    run->need = job->offer.menu.demands;
    while (answer == EXHAUST_FOUND && wavelengths > enough && wavelengths > 1) {
        run->waves = (wavelengths - 1) * job->offer.menu.fibers;
        TRY(exhaust_run(run, &job->best, &answer, job->err));
        wavelengths -= answer == EXHAUST_FOUND;
    }
    if (answer == EXHAUST_NONE && job->complete)
        job->bound = by_search(wavelengths, false);
    else if (answer == EXHAUST_NONE)
        job->fixed = by_search(wavelengths, false);
    job->fixed.fixed_routes = 1;
done:
    return st;
}

/* One more, until there is no way or no time; so many can be served at most. */
static rwa_status exhaust_most(struct job *job, struct exhaust *run)
{
    rwa_status st = RWA_OK;
    enum exhausted answer = EXHAUST_FOUND;
    bool by_metric = job->opts->objective == RWA_MOST_DEMANDS && job->bound.name;
    uint64_t most = by_metric && job->bound.value < job->offer.menu.demands ? job->bound.value : job->offer.menu.demands;
    run->waves = job->best.waves;
    while (answer == EXHAUST_FOUND && job->best.placed < most) {
        run->need = job->best.placed + 1;
        TRY(exhaust_run(run, &job->best, &answer, job->err));
    }
    if (answer == EXHAUST_NONE && job->complete && job->opts->objective == RWA_MOST_DEMANDS)
        job->bound = by_search(job->best.placed, true);
    job->fewest_left_out = job->best.placed == most || (answer == EXHAUST_NONE && job->complete);
done:
    return st;
}

rwa_status job_exhaust(struct job *job, struct budget *budget, bool most)
{
    rwa_status st = RWA_OK;
    uint32_t *twin = NULL;
    struct exhaust run = {.menu = &job->offer.menu, .budget = budget,
                          .named = job->offer.menu.taken_count > 0 || job->offer.fibers_of};
    if (job->offer.menu.demands > EXHAUST_UNITS)
        return RWA_OK;
    bool any_routes = strcmp(job->routing, "auto") == 0;
    if (any_routes)
        TRY(offer_all(job));
    if ((any_routes && !job->complete) || job->offer.menu.route[job->offer.menu.demands] > EXHAUST_ROUTES)
        goto done;
    TRY(find_twins(&twin, job));
    run.twin = twin;
    st = most ? exhaust_most(job, &run) : exhaust_fewest(job, &run);
done:
    free(twin);
    return st;
}

/* ---- the textbook ---- */

rwa_status job_textbook(struct job *job, bool most)
{
    rwa_status st = RWA_OK;
    uint32_t value = 0;
    struct textbook run = {.menu = &job->offer.menu, .most = most, .budget = &job->budget};
    run.waves = most ? job->best.waves : wavelengths_of(job, job->best.waves) * job->offer.menu.fibers;
    TRY(textbook_run(&run, &job->best, &value, job->err));
    bool reported = most == (job->opts->objective == RWA_MOST_DEMANDS);
    bool better = !job->bound.name || (most ? value < job->bound.value : value > job->bound.value);
    if (reported && better) {
        job->bound = by_search(value, most);
        job->bound.name = "ilp";
        job->bound.source = "the bound of the textbook's integer program for the routes offered";
        job->bound.fixed_routes = !job->complete;
    }
done:
    return st;
}
