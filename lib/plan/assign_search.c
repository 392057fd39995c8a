/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From a first placement by greed to one that meets the bound, or to the end of the time. */
#include "plan/assign.h"

#include <stdlib.h>

/* Effort of one search: at first, and without a time limit at last. */
enum { FIRST_WORK = 200000, LAST_WORK = 1 << 26, TABU_SHARE = 10, TABU_MARKS = 1 << 26 };

static uint32_t shortest_of(const struct job *job, uint32_t unit)
{
    size_t segment = job->segment[job->route[unit]];
    return (uint32_t)(job->hop[job->segment[job->route[unit] + 1]] - job->hop[segment]);
}

/* Units by their shortest route, longest first; counting sort. */
static rwa_status longest_first(uint32_t **order, const struct job *job)
{
    uint32_t units = job->menu.demands, most = job->roads.nodes;
    size_t *at = base_array((size_t)most + 2, sizeof *at, job->err);
    *order = base_array(units, sizeof **order, job->err);
    if (!at || !*order) {
        free(at);
        return RWA_NOMEM;
    }
    for (uint32_t u = 0; u < units; u++)
        at[most - shortest_of(job, u) + 1]++;
    for (uint32_t k = 0; k <= most; k++)
        at[k + 1] += at[k];
    for (uint32_t u = 0; u < units; u++)
        (*order)[at[most - shortest_of(job, u)]++] = u;
    free(at);
    return RWA_OK;
}

/* The lowest wave on which all segments of a route are free, each on its own; noted in the placement. */
static uint32_t lowest_on(struct table *t, size_t route)
{
    uint32_t most = 0;
    for (size_t s = t->menu->segment[route]; s < t->menu->segment[route + 1]; s++) {
        t->at.wave[s] = table_lowest(t, s);
        most = t->at.wave[s] > most ? t->at.wave[s] : most;
    }
    return most;
}

/* First-fit over all routes of a unit; true when it found a place. */
static bool place_lowest(struct table *t, uint32_t unit, uint32_t *used)
{
    const struct menu *menu = t->menu;
    uint32_t lowest = t->waves;
    size_t best = MENU_NONE;
    for (size_t r = menu->route[unit]; r < menu->route[unit + 1]; r++) {
        uint32_t w = lowest_on(t, r);
        if (w < lowest) {
            lowest = w;
            best = r;
        }
    }
    if (best == MENU_NONE)
        return false;
    table_put(t, unit, best);
    *used = lowest >= *used ? lowest + 1 : *used;
    return true;
}

/* As many as fit on so many waves; the rest stays unplaced. */
static rwa_status place_greedily(struct job *job, const uint32_t *order, uint32_t waves)
{
    struct table table = {0};
    uint32_t used = 0;
    rwa_status st = table_create(&table, &job->menu, waves, job->err);
    for (uint32_t i = 0; i < job->menu.demands && st == RWA_OK; i++)
        (void)place_lowest(&table, order[i], &used);
    if (st == RWA_OK) {
        placement_copy(&job->best, &table.at, &job->menu);
        job->best.waves = used;
    }
    table_free(&table);
    return st;
}

/* How many waves greed needs is not known before: twice as many until all fit. */
static rwa_status start(struct job *job, const uint32_t *order)
{
    rwa_status st = RWA_OK;
    uint64_t waves = 2 * job->bound.value * job->menu.fibers + 8;
    for (; st == RWA_OK; waves *= 2) {
        if (waves > UINT32_MAX / 2)
            return base_fail(job->err, RWA_NOMEM, "%u lightpaths need more wavelengths than can be numbered",
                             job->menu.demands);
        st = place_greedily(job, order, (uint32_t)waves);
        if (st == RWA_OK && job->best.placed == job->menu.demands)
            break;
    }
    return st;
}

/* The two searches fail on different inputs: they take turns, for ever longer.  last_work 0: until the watch ends it. */
static rwa_status alternate(struct improve *run, struct job *job, uint64_t last_work)
{
    rwa_status st = RWA_OK;
    double marks = (double)job->menu.demands * job->best.waves;
    for (uint64_t work = FIRST_WORK; !job->greedy && !improve_done(run) && !base_must_stop(run->watch, "search", -1) &&
                                     (last_work == 0 || work <= last_work);
         work *= 2) {
        run->work = work;
        TRY(improve_greedy(run, job->err));
        run->work = TABU_SHARE * work;
        if (marks <= TABU_MARKS)
            TRY(improve_tabu(run, job->err));
    }
done:
    return st;
}

static struct improve improve_job(struct job *job, struct watch *watch)
{
    return (struct improve){.menu = &job->menu, .state = &job->random, .watch = watch, .best = &job->best,
                            .named = job->menu.taken_count > 0 || job->menu.fibers_of};
}

/* No more than this can be served on the wavelengths given. */
static rwa_status most_possible(struct job *job, uint32_t *most)
{
    struct flow *flow = NULL;
    rwa_status st = RWA_OK;
    *most = job->menu.demands;
    if (job->opts->objective == RWA_MOST_DEMANDS) {
        *most = job->bound.name && job->bound.value < *most ? (uint32_t)job->bound.value : *most;
        return RWA_OK;
    }
    st = flow_solve(&flow, &job->roads, &job->traffic, job->opts->wavelengths, &job->watch, job->err);
    if (st == RWA_OK && flow_bound(flow)->name && flow_bound(flow)->value < *most)
        *most = (uint32_t)flow_bound(flow)->value;
    flow_close(flow);
    return st;
}

static rwa_status most_on_given(struct job *job, uint32_t *order, uint32_t channels)
{
    rwa_status st = RWA_OK;
    struct improve run = improve_job(job, &job->watch);
    run.fixed = true;
    TRY(most_possible(job, &run.goal));
    for (uint32_t i = 0, j = job->menu.demands; i + 1 < j; i++, j--) { /* short ones take least from the others */
        uint32_t kept = order[i];
        order[i] = order[j - 1];
        order[j - 1] = kept;
    }
    TRY(place_greedily(job, order, channels));
    job->best.waves = channels;
    TRY(alternate(&run, job, job->watch.deadline_s > 0 ? 0 : LAST_WORK));
done:
    return st;
}

/*
 * All units on few waves.  When that is more than there are, the search for fewer has half of the time: how many more
 * would do is part of the answer.
 */
static rwa_status all_units(struct job *job, const uint32_t *order, uint64_t channels)
{
    rwa_status st = RWA_OK;
    struct watch half = base_watch_part(&job->watch, channels > 0 ? 0.5 : 1);
    struct improve run = improve_job(job, &half);
    uint64_t least = job->bound.value * job->menu.fibers;
    run.target = (uint32_t)(least > channels ? least : channels);
    if (job->known_waves == 0)
        TRY(start(job, order));
    TRY(alternate(&run, job, job->watch.deadline_s > 0 ? 0 : LAST_WORK));
    run.target = (uint32_t)least;
    if (channels > 0 && job->best.waves <= channels)
        TRY(alternate(&run, job, FIRST_WORK));
done:
    job->watch.cancelled = half.cancelled;
    return st;
}

rwa_status job_search(struct job *job)
{
    rwa_status st = RWA_OK;
    uint32_t *order = NULL, fibers = job->menu.fibers;
    uint64_t channels = (uint64_t)job->opts->wavelengths * fibers;
    TRY(longest_first(&order, job));
    if (job->opts->objective == RWA_FEWEST_WAVELENGTHS) {
        TRY(all_units(job, order, channels));
        if (channels == 0 || job->best.waves <= channels)
            goto done;
        job->extra = (job->best.waves + fibers - 1) / fibers - job->opts->wavelengths;
    }
    TRY(most_on_given(job, order, (uint32_t)channels));
done:
    free(order);
    return st;
}
