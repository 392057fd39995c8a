/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Search from a greedy first placement until the bound is met or the time is over. */
#include "assign/assign.h"

/* Effort of one search, from the first to the last one without a time limit. */
enum {
    TINY_WORK = 40000,
    FIRST_WORK = 2000000,
    SHORT_WORK = 8 * FIRST_WORK,
    LAST_WORK = 1 << 29,
    TABU_MARKS = 1 << 26
};

/* The first placement may use twice the slots of the bound, and this many more. */
enum { FEW_MORE = 8 };

/* Up to FEW_UNITS lightpaths, branch and bound precedes the long searches.  Lightpaths of several slots: in auto,
 * branch and bound is used only up to FEW_WIDE_UNITS. */
enum { FEW_UNITS = 12, FEW_WIDE_UNITS = 40 };

static uint32_t count_channels(const struct job *job)
{
    return job->opts->wavelengths * job->instance.cand.fibers;
}

/* Return how the first greedy pass places lightpaths.  A greedy method has its own rule and order.  For other methods,
 * each lightpath takes the lowest free channel, in the order `list` (NULL: the method's order). */
static struct spectrum_fit first_pass(struct job *job, const uint32_t *list)
{
    const struct method *m = job->method;
    bool by_rule = m->kind == METHOD_GREEDY;
    return (struct spectrum_fit){.list = by_rule ? NULL : list,
                                 .rule = by_rule ? m->rule : FIT_LOWEST,
                                 .order = m->order,
                                 .grows = true,
                                 .random = &job->random,
                                 .budget = &job->budget,
                                 .patient = true};
}

/* Place all lightpaths in job->best by the greedy pass of first_pass(job, order).  As long as some find no place,
 * repeat it with twice the slots. */
static rwa_status start(struct job *job, const uint32_t *order)
{
    const struct spectrum_fit fit = first_pass(job, order);
    uint32_t demands = job->instance.cand.demands, given = job->opts->wavelengths;
    uint64_t slots = 2 * job->bound.value + FEW_MORE;
    RAISE(slots, given);
    MUST(spectrum_fit_all(&job->best, &job->instance.spectrum, slots, given, &fit, job->err));
    if (job->best.placed < demands)
        return base_fail(job->err, RWA_CANCELLED,
                         "the time limit of %g s is over, and only %u of %u lightpaths have a wavelength",
                         job->opts->time_limit_s, job->best.placed, demands);
    return RWA_OK;
}

uint64_t job_least(const struct job *job)
{
    return job->fixed.name && job->fixed.value > job->bound.value ? job->fixed.value : job->bound.value;
}

/* Place lightpaths of several slots in job->best by the greedy rule of the method.  If a number of slots is given,
 * place as many lightpaths as fit.  Otherwise take the number of slots on which FIT_LOWEST places all of them.  If the
 * method's rule cannot place all on these, keep the placement by FIT_LOWEST. */
static rwa_status place_by_rule(struct job *job)
{
    struct placement *best = &job->best;
    const struct method *m = job->method;
    const struct spectrum *spectrum = &job->instance.spectrum;
    uint32_t slots = job->opts->wavelengths;
    struct spectrum_fit lowest = {.order = m->order, .grows = true}, fit = {.order = m->order, .random = &job->random};
    fit.rule = m->rule == FIT_SHORTEST ? FIT_SMALLEST_BLOCK : m->rule;
    if (slots == 0) {
        MUST(spectrum_fit_all(best, spectrum, 2 * job->bound.value + FEW_MORE, 0, &lowest, job->err));
        slots = spectrum_slots(best, spectrum);
    }
    MUST(spectrum_fit_run(best, spectrum, slots, slots, &fit, job->err));
    if (job->opts->wavelengths == 0 && best->placed < spectrum->cand->demands)
        MUST(spectrum_fit_run(best, spectrum, slots, slots, &lowest, job->err));
    return RWA_OK;
}

static uint64_t length_of(const struct job *job, size_t route)
{
    const struct candidates *cand = &job->instance.cand;
    uint64_t length = 0;
    for (size_t k = first_hop(cand, route); k < end_hop(cand, route); k++)
        length += job->bound.lengths[cand->link[k]];
    return length;
}

/* Mark each candidate route that is longer, under the link lengths of the bound, than the shortest route of its
 * lightpath.  An assignment that meets the bound exactly contains no marked route. */
static void mark_detours(bool *detour, const struct job *job)
{
    const struct candidates *cand = &job->instance.cand;
    for (uint32_t u = 0; u < cand->demands; u++) {
        uint64_t least = UINT64_MAX;
        for (size_t r = cand->route[u]; r < cand->route[u + 1]; r++) {
            uint64_t length = length_of(job, r);
            LOWER(least, length);
        }
        for (size_t r = cand->route[u]; r < cand->route[u + 1]; r++)
            detour[r] = length_of(job, r) > least;
    }
}

/* Improve run->best by tabu searches, each with twice the work of the one before, from first_work to last_work (0:
 * until the budget ends). */
static rwa_status improve(struct improve *run, struct job *job, uint64_t first_work, uint64_t last_work)
{
    assert(first_work > 0);
    rwa_status st = RWA_OK;
    const struct candidates *cand = &job->instance.cand;
    bool small = (double)cand->demands * job->best.channels <= TABU_MARKS, *detour = NULL;
    bool fills = (network_is_transitive(job->net) || job->opts->protection) && !run->goal.most;
    TRY(base_new(detour, cand->route[cand->demands], job->err));
    if (fills && job->bound.lengths)
        mark_detours(detour, job);
    /* Where every link is to be filled, some answers are found only by counting hops without detours, and some only by
     * counting lightpaths: the searches alternate. */
    run->by_hops = fills && (job->symmetric_channels > 0 || job->opts->protection);
    run->work = first_work;
    for (; small && !improve_done(run) && !base_must_stop(run->goal.budget, "search", -1) &&
           (last_work == 0 || run->work <= last_work);
         run->work *= 2, run->by_hops = fills && !run->by_hops) {
        run->left_out = run->by_hops ? detour : NULL;
        TRY(improve_tabu(run));
    }
done:
    free(detour);
    return st;
}

/* Raise run->goal.bound, the number of wavelengths at which the search may stop, to the present lower bound.  Never
 * lower it: it may be the number of wavelengths given. */
static void raise_bound(struct improve *run, const struct job *job)
{
    RAISE(run->goal.bound, job_least(job));
}

/* Improve run->best until it meets the goal: by tabu searches with growing work, with odd cuts and branch and bound
 * between them. */
static rwa_status search(struct improve *run, struct job *job)
{
    bool most = run->goal.most, few = job->instance.cand.demands <= FEW_UNITS;
    uint64_t work = few ? TINY_WORK : FIRST_WORK;
    MUST(improve(run, job, work, work));
    if (!few && !most && !improve_done(run)) {
        MUST(job_odd_cuts(job));
        run->goal.budget->cancelled = job->budget.cancelled;
        raise_bound(run, job);
    }
    if (!few)
        MUST(improve(run, job, 2 * FIRST_WORK, SHORT_WORK));
    if (improve_done(run))
        return RWA_OK;
    if (job->work == 0)
        MUST(job_branch_bound(job, &run->goal));
    if (most && job->fewest_left_out)
        run->goal.bound = job->best.placed;
    if (!most)
        raise_bound(run, job);
    uint64_t last_work = job->work > 0 ? job->work : job->budget.deadline_s > 0 ? 0 : LAST_WORK;
    return improve(run, job, few ? FIRST_WORK : 2 * SHORT_WORK, last_work);
}

/* Improve run->best, the greedy placement, as the method provides: not at all, by an integer program, or by all
 * searches. */
static rwa_status seek(struct improve *run, struct job *job)
{
    bool wide = job_is_wide(job), few = job->instance.cand.demands <= FEW_WIDE_UNITS;
    if (wide)
        MUST(spectrum_search(run->best, run->spectrum, &run->goal));
    bool met = improve_done(run);
    if (job->method->kind == METHOD_ILP)
        return met && !run->goal.budget->programs ? RWA_OK : job_link_path(job, &run->goal, met);
    if (!job_searches(job) || (wide && (met || (job->method->kind != METHOD_EXACT && !few))))
        return RWA_OK;
    return wide ? job_branch_bound(job, &run->goal) : search(run, job);
}

/* Set *most to an upper bound on the value (lightpaths or slots) that the given wavelengths can serve. */
static rwa_status most_possible(struct job *job, uint64_t *most)
{
    struct flow *flow = NULL;
    rwa_status st = RWA_OK;
    *most = spectrum_total(&job->instance.spectrum);
    if (job->opts->objective != RWA_FEWEST_WAVELENGTHS)
        *most = job->bound.name && job->bound.value < *most ? job->bound.value : *most;
    if (job->opts->objective != RWA_FEWEST_WAVELENGTHS || job_is_wide(job))
        return RWA_OK;
    st = flow_solve(&flow, &job->graph, &job->traffic, job->opts->wavelengths, &job->budget, job->err);
    if (st == RWA_OK && flow_bound(flow)->name && flow_bound(flow)->value < *most)
        *most = flow_bound(flow)->value;
    flow_close(flow);
    return st;
}

/* Place the lightpaths greedily on the given wavelengths: the shortest first, since these block the fewest others,
 * unless the method has an order of its own.  Reverses `order`, which has the longest first. */
static rwa_status shortest_first(struct job *job, uint32_t *order)
{
    for (uint32_t i = 0, j = job->instance.cand.demands; i + 1 < j; i++, j--) {
        uint32_t kept = order[i];
        order[i] = order[j - 1];
        order[j - 1] = kept;
    }
    const struct spectrum_fit fit = first_pass(job, order);
    uint32_t given = job->opts->wavelengths;
    MUST(spectrum_fit_run(&job->best, &job->instance.spectrum, given, given, &fit, job->err));
    job->best.channels = count_channels(job);
    return RWA_OK;
}

static rwa_status most_on_given(struct improve *run, struct job *job, uint32_t *order)
{
    assert(job->opts->wavelengths > 0);
    run->goal.most = true;
    run->goal.slots = job->opts->wavelengths;
    MUST(most_possible(job, &run->goal.bound));
    placement_clear(&job->best, &job->instance.cand);
    if (!job_is_wide(job))
        MUST(shortest_first(job, order));
    MUST(seek(run, job));
    job->fewest_left_out = job->fewest_left_out || job->best.placed == run->goal.bound;
    return RWA_OK;
}

/* Place all lightpaths greedily, unless symmetry has placed them, and search for placements on fewer slots.  If
 * lightpaths take one slot and the wavelengths given suffice, only a short search looks for fewer.  order: of the
 * greedy pass, for methods without an order of their own. */
static rwa_status seek_all(struct improve *run, struct job *job, const uint32_t *order)
{
    uint32_t given = job->opts->wavelengths;
    bool wide = job_is_wide(job);
    run->goal.bound = wide || job_least(job) > given ? job_least(job) : given;
    if (job->symmetric_channels == 0)
        MUST(start(job, order));
    MUST(seek(run, job));
    run->goal.bound = job_least(job);
    if (!wide && job_searches(job) && given > 0 && job->best.channels <= count_channels(job))
        MUST(improve(run, job, FIRST_WORK, FIRST_WORK));
    return RWA_OK;
}

/* Place all lightpaths on few channels.  If wavelengths are given, this gets half of the time.  If they do not suffice,
 * set job->extra to the number missing (0: not known), and use the other half to serve as many lightpaths as possible
 * on those given. */
static rwa_status all_units(struct improve *run, struct job *job, uint32_t *order)
{
    uint32_t given = job->opts->wavelengths, slots;
    struct budget part = base_budget_part(&job->budget, given > 0 ? 0.5 : 1);
    run->goal.budget = &part;
    rwa_status st = seek_all(run, job, order);
    run->goal.budget = &job->budget;
    job->budget.cancelled = part.cancelled;
    slots = wavelengths_of(job, job->best.channels);
    if (st == RWA_CANCELLED && given > 0 && job_is_wide(job) && !part.cancelled) {
        rwa_error_clear(job->err);
        st = RWA_OK;
        slots = 0;
    } else if (slots <= given || given == 0) {
        return st;
    }
    MUST(st);
    job->extra = slots > 0 ? slots - given : 0;
    return most_on_given(run, job, order);
}

rwa_status job_search(struct job *job)
{
    rwa_status st = RWA_OK;
    const struct candidates *cand = &job->instance.cand;
    struct improve run = {.spectrum = &job->instance.spectrum,
                          .best = &job->best,
                          .goal = {.budget = &job->budget, .random = &job->random, .err = job->err}};
    bool wide = job_is_wide(job);
    uint32_t *order = NULL;
    TRY(base_new(order, cand->demands, job->err));
    spectrum_order(order, run.spectrum, true);
    if (wide && (job->method->kind == METHOD_GREEDY || job->method->kind == METHOD_SLOTS))
        TRY(place_by_rule(job));
    else if (job->opts->objective == RWA_FEWEST_WAVELENGTHS)
        TRY(all_units(&run, job, order));
    else
        TRY(most_on_given(&run, job, order));
    if (wide)
        job->best.channels = spectrum_slots(&job->best, run.spectrum) * cand->fibers;
    else if (job_searches(job) && !job->opts->protection)
        TRY(spectrum_shorten(&job->best, run.spectrum, job->err));
done:
    free(order);
    return st;
}
