/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From a first placement by greed to one that meets the bound, or to the end of the time. */
#include "assign/assign.h"

/* Effort of one search: at first, and without a time limit at last. */
enum { TINY_WORK = 4000, FIRST_WORK = 200000, SHORT_WORK = 8 * FIRST_WORK, LAST_WORK = 1 << 26, TABU_SHARE = 10, TABU_MARKS = 1 << 26 };

/* From so many channels on the search is slow beside a better bound with its routes, which comes first. */
enum { MANY_CHANNELS = 300 };

/* Up to so many lightpaths branch and bound comes before the long searches. */
enum { FEW_UNITS = 12 };

static uint32_t count_channels(const struct job *job)
{
    return job->opts->wavelengths * job->instance.cand.fibers;
}

/* One more pass, where that places more or takes fewer channels. */
static rwa_status place_again(struct job *job, const struct spectrum_fit *fit, uint32_t slots, uint32_t open)
{
    rwa_status st = RWA_OK;
    struct placement other = {0};
    const struct spectrum spectrum = {.cand = &job->instance.cand};
    TRY(placement_create(&other, spectrum.cand, job->err));
    TRY(spectrum_fit_run(&other, &spectrum, slots, open, fit, job->err));
    if (other.placed > job->best.placed || (other.placed == job->best.placed && other.channels < job->best.channels))
        placement_copy(&job->best, &other, spectrum.cand);
done:
    placement_free(&other);
    return st;
}

/* As many units as fit on the channels; the rest stays unplaced.  list: NULL, or the order of the units. */
static rwa_status place_greedily(struct job *job, const uint32_t *list, uint32_t channels)
{
    const struct method *m = job->method;
    bool by_rule = m->kind == METHOD_GREEDY;
    const struct spectrum spectrum = {.cand = &job->instance.cand};
    struct spectrum_fit fit = {.list = by_rule ? NULL : list, .rule = by_rule ? m->rule : FIT_LOWEST, .order = m->order, .grows = true,
                               .random = &job->random, .budget = &job->budget, .patient = true};
    uint32_t slots = wavelengths_of(job, channels), given = job->opts->wavelengths, open = slots < given ? slots : given;
    MUST(spectrum_fit_run(&job->best, &spectrum, slots, open, &fit, job->err));
    fit.first_only = true;
    return job->balanced && !base_is_late(&job->budget) ? place_again(job, &fit, slots, open) : RWA_OK;
}

/* Greedy passes on a growing number of channels: twice as many until all units fit. */
static rwa_status start(struct job *job, const uint32_t *order)
{
    rwa_status st = RWA_OK;
    uint64_t channels = 2 * job->bound.value * job->instance.cand.fibers + 8;
    channels = channels < count_channels(job) ? count_channels(job) : channels;
    for (; st == RWA_OK; channels *= 2) {
        if (channels > UINT32_MAX / 2)
            return base_fail(job->err, RWA_NOMEM, "%u lightpaths need more wavelengths than can be numbered", job->instance.cand.demands);
        st = place_greedily(job, order, (uint32_t)channels);
        if (st == RWA_OK && job->best.placed == job->instance.cand.demands)
            break;
        if (st == RWA_OK && job->instance.cand.demands > FIT_ALWAYS_PLACED && base_is_late(&job->budget))
            return base_fail(job->err, RWA_CANCELLED, "the time limit of %g s is over, and only %u of %u lightpaths have a wavelength",
                             job->opts->time_limit_s, job->best.placed, job->instance.cand.demands);
    }
    return st;
}

uint64_t job_least(const struct job *job)
{
    return job->fixed.name && job->fixed.value > job->bound.value ? job->fixed.value : job->bound.value;
}

/* With lengths of links their hops count: by turns on the shortest routes and on all.  Without them hops take turns with demands. */
static void change_measure(struct improve *run)
{
    run->no_detours = run->length && run->by_hops && !run->no_detours;
    run->by_hops = (run->length || !run->by_hops) && !run->fixed;
}

/* The two searches fail on different inputs, so they alternate with growing effort.  last_work 0: until the budget ends. */
static rwa_status alternate(struct improve *run, struct job *job, uint64_t first_work, uint64_t last_work)
{
    assert(first_work > 0);
    double marks = (double)job->instance.cand.demands * job->best.channels;
    for (uint64_t work = first_work; !improve_done(run) && !base_must_stop(run->budget, "search", -1) &&
                                     (last_work == 0 || work <= last_work);
         work *= 2) {
        run->work = work;
        run->length = job->bound.lengths;
        MUST(improve_greedy(run, job->err));
        run->work = TABU_SHARE * work;
        if (marks <= TABU_MARKS)
            MUST(improve_tabu(run, job->err));
        change_measure(run);
    }
    return RWA_OK;
}

/* Passes of iterated greedy, which are quick. */
static rwa_status pass_again(struct improve *run, struct job *job)
{
    run->work = FIRST_WORK;
    return improve_greedy(run, job->err);
}

static struct improve improve_job(struct job *job, struct budget *budget)
{
    return (struct improve){.cand = &job->instance.cand, .state = &job->random, .budget = budget, .best = &job->best,
                            .distinct = job->instance.cand.taken_count > 0 || job->instance.cand.fibers_of};
}

static void raise_target(struct improve *run, const struct job *job)
{
    uint64_t least = job_least(job) * job->instance.cand.fibers;
    run->target = least > run->target ? (uint32_t)least : run->target;
}

static uint64_t length_of(const struct job *job, size_t route)
{
    const struct instance *in = &job->instance;
    uint64_t sum = 0;
    for (size_t k = in->hop[in->segment[route]]; k < in->hop[in->segment[route + 1]]; k++)
        sum += job->bound.lengths[in->link[k]];
    return sum;
}

/* Routes that are longer than others of their lightpath under the lengths of the bound: there is no room for them on its full links. */
static void bar_detours(bool *barred, const struct job *job)
{
    const struct candidates *c = &job->instance.cand;
    for (uint32_t u = 0; u < c->demands; u++) {
        uint64_t least = UINT64_MAX;
        for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
            least = length_of(job, r) < least ? length_of(job, r) : least;
        for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
            barred[r] = length_of(job, r) > least;
    }
}

/* The new routes are worth more to a new start than to the placement there is. */
static rwa_status start_anew(struct job *job)
{
    const struct candidates *c = &job->instance.cand;
    const struct spectrum spectrum = {.cand = c};
    struct spectrum_fit fit = {.budget = &job->budget, .patient = true};
    uint32_t slots = wavelengths_of(job, job->best.channels), *order = NULL;
    rwa_status st = RWA_OK;
    bool *barred = NULL;
    TRY(base_new(order, c->demands, job->err));
    TRY(base_new(barred, c->route[c->demands], job->err));
    spectrum_order(order, &spectrum, true);
    fit.list = order;
    TRY(place_again(job, &fit, slots, slots));
    if (job->bound.lengths)
        bar_detours(barred, job);
    fit.barred = barred;
    TRY(place_again(job, &fit, slots, slots));
done:
    free(barred);
    free(order);
    return st;
}

static rwa_status raise_bound(struct improve *run, struct job *job)
{
    size_t before = job->sets.paths.count;
    MUST(job_odd_cuts(job));
    run->budget->cancelled = job->budget.cancelled;
    raise_target(run, job);
    return job->sets.paths.count > before && job->symmetric_channels == 0 ? start_anew(job) : RWA_OK;
}

/* Improve the greedy placement: not at all, by an integer program, or by all searches. */
static rwa_status seek(struct improve *run, struct job *job)
{
    bool most = run->fixed;
    if (job->method->kind == METHOD_ILP && (!improve_done(run) || run->budget->programs))
        return job_link_path(job, run, improve_done(run));
    if (!job_searches(job))
        return RWA_OK;
    bool few = job->instance.cand.demands <= FEW_UNITS;
    bool bound_first = !few && !most && job->best.channels >= MANY_CHANNELS;
    if (bound_first)    /* a bound that is met at once is not raised */
        MUST(pass_again(run, job));
    if (bound_first && !improve_done(run))
        MUST(raise_bound(run, job));
    MUST(alternate(run, job, few ? TINY_WORK : FIRST_WORK, few ? TINY_WORK : FIRST_WORK));
    if (!few && !most && !bound_first && !improve_done(run))
        MUST(raise_bound(run, job));
    if (!few)
        MUST(alternate(run, job, 2 * FIRST_WORK, SHORT_WORK));
    if (improve_done(run))
        return RWA_OK;
    MUST(job_branch_bound(job, run));
    if (most && job->fewest_left_out)
        run->goal = job->best.placed;
    if (!most)
        raise_target(run, job);
    return alternate(run, job, few ? FIRST_WORK : 2 * SHORT_WORK, job->budget.deadline_s > 0 ? 0 : LAST_WORK);
}

/* No more than this can be served on the wavelengths given. */
static rwa_status most_possible(struct job *job, uint32_t *most)
{
    struct flow *flow = NULL;
    rwa_status st = RWA_OK;
    *most = job->instance.cand.demands;
    if (job->opts->objective != RWA_FEWEST_WAVELENGTHS) {
        *most = job->bound.name && job->bound.value < *most ? (uint32_t)job->bound.value : *most;
        return RWA_OK;
    }
    st = flow_solve(&flow, &job->graph, &job->traffic, job->opts->wavelengths, &job->budget, job->err);
    if (st == RWA_OK && flow_bound(flow)->name && flow_bound(flow)->value < *most)
        *most = (uint32_t)flow_bound(flow)->value;
    flow_close(flow);
    return st;
}

static rwa_status most_on_given(struct job *job, uint32_t *order, uint32_t channels)
{
    assert(channels > 0);
    struct improve run = improve_job(job, &job->budget);
    run.fixed = true;
    MUST(most_possible(job, &run.goal));
    for (uint32_t i = 0, j = job->instance.cand.demands; i + 1 < j; i++, j--) { /* short ones block the fewest others */
        uint32_t kept = order[i];
        order[i] = order[j - 1];
        order[j - 1] = kept;
    }
    MUST(place_greedily(job, order, channels));
    job->best.channels = channels;
    MUST(seek(&run, job));
    job->fewest_left_out = job->fewest_left_out || job->best.placed == run.goal;
    return RWA_OK;
}

/*
 * All units on few channels.  If these are more than given, the search for fewer has half of the time: the answer names the
 * additional wavelengths.
 */
static rwa_status all_units(struct job *job, const uint32_t *order, uint64_t channels)
{
    rwa_status st = RWA_OK;
    struct budget half = base_budget_part(&job->budget, channels > 0 ? 0.5 : 1);
    struct improve run = improve_job(job, &half);
    uint64_t least = job_least(job) * job->instance.cand.fibers;
    run.target = (uint32_t)(least > channels ? least : channels);
    if (job->symmetric_channels == 0)
        TRY(start(job, order));
    TRY(seek(&run, job));
    run.target = (uint32_t)least;
    if (job_searches(job) && channels > 0 && job->best.channels <= channels)
        TRY(alternate(&run, job, FIRST_WORK, FIRST_WORK));
done:
    job->budget.cancelled = half.cancelled;
    return st;
}

rwa_status job_search(struct job *job)
{
    rwa_status st = RWA_OK;
    uint32_t *order = NULL;
    const struct spectrum spectrum = {.cand = &job->instance.cand};
    uint64_t channels = count_channels(job);
    if (job_is_wide(job))
        return job_search_slots(job);
    TRY(base_new(order, spectrum.cand->demands, job->err));
    spectrum_order(order, &spectrum, true);
    if (job->opts->objective == RWA_FEWEST_WAVELENGTHS) {
        TRY(all_units(job, order, channels));
        if (channels == 0 || job->best.channels <= channels)
            goto done;
        job->extra = wavelengths_of(job, job->best.channels) - job->opts->wavelengths;
    }
    TRY(most_on_given(job, order, (uint32_t)channels));
done:
    free(order);
    return st;
}
