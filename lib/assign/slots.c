/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths of several slots: the search for routes and neighbouring slots. */
#include "assign/slots.h"

/* In auto, up to so many lightpaths. */
enum { FEW_LIGHTPATHS = 40 };

bool job_is_wide(const struct job *job)
{
    return rwa_demands_widths(job->demands) || job->opts->guard > 0 || job->method->kind == METHOD_SLOTS || job_has_formats(job);
}

uint32_t job_width(const struct job *job, size_t demand)
{
    const uint32_t *widths = job->fewest ? job->fewest : rwa_demands_widths(job->demands);
    return widths ? widths[demand] : 1;
}

uint32_t job_span(const struct job *job, size_t demand)
{
    return job_width(job, demand) + job->opts->guard;
}

/* The span of candidate r of a demand: by formats the wider one of its working route and its backup. */
static rwa_status span_of(uint32_t *span, const struct job *job, size_t demand, size_t r)
{
    const struct instance *in = &job->instance;
    size_t from = in->segment[r], to = in->segment[r + 1], cut = in->backup ? in->backup[r] : to;
    uint32_t width = 0, backup = 0;
    MUST(route_width(&width, job, demand, in->arc + in->hop[from], in->hop[cut] - in->hop[from]));
    if (cut < to)
        MUST(route_width(&backup, job, demand, in->arc + in->hop[cut], in->hop[to] - in->hop[cut]));
    *span = (width > backup ? width : backup) + job->opts->guard;
    return RWA_OK;
}

rwa_status slots_open(struct slots *s)
{
    const struct instance *in = &s->job->instance;
    const struct candidates *c = &in->cand;
    bool traffic = s->job->opts->objective == RWA_MOST_TRAFFIC;
    s->arena.err = s->job->err;
    arena_new(&s->arena, s->span, c->route[c->demands]);
    arena_new(&s->arena, s->value, c->demands);
    if (arena_status(&s->arena) != RWA_OK)
        return RWA_NOMEM;
    for (uint32_t u = 0; u < c->demands; u++) {
        for (size_t r = c->route[u]; r < c->route[u + 1]; r++)
            MUST(span_of(&s->span[r], s->job, in->demand_of[u], r));
        s->value[u] = traffic ? job_width(s->job, in->demand_of[u]) : 1;
    }
    s->spectrum = (struct spectrum){.cand = c, .span = s->span, .value = s->value};
    return RWA_OK;
}

void slots_close(struct slots *s)
{
    arena_free(&s->arena);
}

/* ---- one pass by a rule ---- */

/* On the slots given as many as fit; else all, on the slots that the lowest places take, and where the rule leaves some out, there. */
static rwa_status place_by_rule(struct slots *s)
{
    struct job *job = s->job;
    struct placement *best = &job->best;
    const struct method *m = job->method;
    uint32_t demands = s->spectrum.cand->demands, slots = job->opts->wavelengths;
    struct spectrum_fit lowest = {.order = m->order}, fit = {.order = m->order, .random = &job->random};
    fit.rule = m->rule == FIT_SHORTEST ? FIT_SMALLEST_BLOCK : m->rule;
    for (uint64_t most = 2 * job->bound.value + 8; slots == 0 && demands > 0; most *= 2) {
        uint32_t tried = (uint32_t)(most > UINT32_MAX ? UINT32_MAX : most);
        MUST(spectrum_fit_run(best, &s->spectrum, tried, tried, &lowest, job->err));
        slots = best->placed == demands ? spectrum_slots(best, &s->spectrum) : 0;
    }
    MUST(spectrum_fit_run(best, &s->spectrum, slots, slots, &fit, job->err));
    if (job->opts->wavelengths == 0 && best->placed < demands)
        MUST(spectrum_fit_run(best, &s->spectrum, slots, slots, &lowest, job->err));
    return RWA_OK;
}

/* ---- searches ---- */

static uint64_t most_value(const struct slots *s)
{
    uint64_t all = 0;
    for (uint32_t u = 0; u < s->spectrum.cand->demands; u++)
        all += s->value[u];
    return all;
}

static bool is_met(const struct slots *s, const struct spectrum_goal *goal)
{
    const struct placement *best = &s->job->best;
    bool all = best->placed == s->spectrum.cand->demands;
    if (goal->most)
        return spectrum_value(best, &s->spectrum) >= goal->bound;
    return all && spectrum_slots(best, &s->spectrum) <= goal->bound;
}

static rwa_status seek(struct slots *s, struct spectrum_goal *goal)
{
    const struct job *job = s->job;
    bool few = s->spectrum.cand->demands <= FEW_LIGHTPATHS;
    MUST(spectrum_search(&s->job->best, &s->spectrum, goal));
    bool met = is_met(s, goal);
    if (job->method->kind == METHOD_ILP)
        return met && !goal->budget->programs ? RWA_OK : slots_link_path(s, goal, met);
    return met || (job->method->kind != METHOD_EXACT && !few) ? RWA_OK : slots_branch_bound(s, goal);
}

/* All lightpaths on few slots, in half of the time if slots are given; *slots: so many serve all, 0: the time was too short to say. */
static rwa_status seek_all(uint32_t *slots, struct slots *s, struct spectrum_goal *goal)
{
    struct job *job = s->job;
    struct budget *whole = goal->budget, part = base_budget_part(whole, job->opts->wavelengths ? 0.5 : 1);
    goal->bound = job_least(job);
    goal->budget = &part;
    rwa_status st = seek(s, goal);
    goal->budget = whole;
    whole->cancelled = part.cancelled;
    *slots = st == RWA_OK ? spectrum_slots(&job->best, &s->spectrum) : 0;
    if (st == RWA_CANCELLED && job->opts->wavelengths && !whole->cancelled) {
        rwa_error_clear(job->err);
        st = RWA_OK;
    }
    return st;
}

/* All lightpaths on few slots; if these are more than given, as much as fits those. */
static rwa_status all_on_few(struct slots *s, struct spectrum_goal *goal)
{
    struct job *job = s->job;
    uint32_t given = job->opts->wavelengths, slots;
    MUST(seek_all(&slots, s, goal));
    if (given == 0 || (slots > 0 && slots <= given))
        return RWA_OK;
    job->extra = slots > given ? slots - given : 0;
    job->best.placed = 0;
    for (uint32_t u = 0; u < s->spectrum.cand->demands; u++)
        job->best.route[u] = NO_ROUTE;
    goal->slots = given;
    goal->most = true;
    goal->bound = most_value(s);
    return seek(s, goal);
}

rwa_status job_search_slots(struct job *job)
{
    struct slots s = {.job = job};
    struct spectrum_goal goal = {.budget = &job->budget, .random = &job->random, .err = job->err};
    bool most = job->opts->objective != RWA_FEWEST_WAVELENGTHS;
    rwa_status st = RWA_OK;
    TRY(slots_open(&s));
    if (job->method->kind == METHOD_GREEDY || job->method->kind == METHOD_SLOTS) {
        TRY(place_by_rule(&s));
    } else if (most) {
        goal.most = true;
        goal.slots = job->opts->wavelengths;
        goal.bound = job->bound.name && job->bound.value < most_value(&s) ? job->bound.value : most_value(&s);
        TRY(seek(&s, &goal));
    } else {
        TRY(all_on_few(&s, &goal));
    }
    job->best.channels = spectrum_slots(&job->best, &s.spectrum) * job->instance.cand.fibers;
    job->served = spectrum_value(&job->best, &s.spectrum);
done:
    slots_close(&s);
    return st;
}
