/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan_report.h"

#include "wrap.h"

enum { RUNNERS_UP = 3 };

static int optimal(const rwa_plan_report *s)
{
    return s->outcome == RWA_OPTIMAL && s->bound.value == s->steps;
}

/* The collective whose plan contains this one; NULL: none. */
static const char *part_of(const rwa_plan_report *s)
{
    return s->part_of != 0 ? rwa_collective_name((rwa_collective_kind)s->part_of) : NULL;
}

/* ---- JSON ---- */

static json_t *count_or_null(uint64_t count)
{
    return count > 0 ? json_count(count) : json_null();
}

static json_t *head(const rwa_plan_report *s, const plan_setting *setting)
{
    json_t *all = json_add(json_object(), "scheme:s collective:s nodes:u wavelengths:u fibers:u", s->scheme != NULL ? s->scheme : "",
                           rwa_collective_name(setting->coll->kind), rwa_network_nodes(setting->net),
                           rwa_network_wavelengths(setting->net), rwa_network_fibers(setting->net));
    return json_missing(all, setting->net, setting->coll);
}

static json_t *no_plan_report(const rwa_plan_report *s, const plan_setting *setting)
{
    char why[RWA_ERROR_TEXT];
    return json_add(head(s, setting), "outcome:s why:s", s->outcome == RWA_INFEASIBLE ? "infeasible" : "undecided",
                    fields_as_flags(why, sizeof why, s->why));
}

static json_t *add_stages(json_t *all, const rwa_plan *plan)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    const rwa_formula *f = &s->formula;
    const rwa_stage *stage;
    json_t *radix = json_array(), *wavelengths = json_array(), *bound = json_array();
    for (size_t i = 0; (stage = rwa_plan_stage(plan, i)) != NULL; i++) {
        json_array_append_new(radix, json_count(stage->radix));
        json_array_append_new(wavelengths, json_count(stage->wavelengths));
        json_array_append_new(bound, json_count(stage->bound));
    }
    assert(f->stages <= RWA_STAGES_MAX);
    return json_add(all, "stages:z radix:o group:o stage_wavelengths:o stage_bound:o formula_steps:o formula_stage_wavelengths:o",
                    s->stages, radix, count_or_null(s->group), wavelengths, bound,
                    f->known ? json_count(f->steps) : json_null(),
                    f->known && f->stages > 0 ? json_counts(f->stage_wavelengths, f->stages) : json_null());
}

static json_t *add_bound(json_t *all, const rwa_plan_report *s)
{
    int has = s->bound.value > 0 && s->bound.name != NULL;
    json_t *gap = has ? json_integer((json_int_t)s->steps - (json_int_t)s->bound.value) : json_null();
    return json_add(all, "bound:o gap_steps:o optimal:b", json_bound(&s->bound), gap, optimal(s));
}

/* Star, ron and ocs: the cost of setting ports and switches. */
static json_t *add_tuning(json_t *all, const rwa_plan_report *s, const rwa_network *net)
{
    if (!network_is_tuned(net))
        return all;
    return json_add(all, "ports:u tuning:u tunings:U tuning_cost:U formula_tunings:o finish_steps:U", rwa_network_ports(net),
                    rwa_network_tuning(net), s->check->tunings, s->check->tuning_cost, count_or_null(s->formula.tunings),
                    s->check->finish_steps);
}

static json_t *add_alternatives(json_t *all, const rwa_plan *plan)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    const rwa_alternative *other;
    json_t *others = json_array();
    for (size_t i = 0; (other = rwa_plan_alternative(plan, i)) != NULL; i++)
        json_array_append_new(others, json_add(json_object(), "scheme:s steps:u time_seconds:f stripes:u slots:u group:o", other->scheme,
                                               other->steps, other->time_s, other->stripes, other->lightpath_blocks,
                                               count_or_null(other->group)));
    json_t *fewest = json_null();
    if (s->fewest.scheme != NULL)
        fewest = json_add(json_object(), "scheme:s steps:u time_seconds:o", s->fewest.scheme, s->fewest.steps,
                          s->fewest.time_s > 0 ? json_figure(s->fewest.time_s) : json_null());
    return json_add(all, "runners_up:o fewest_steps:o time_bound_seconds:o", others, fewest,
                    s->time_bound_s > 0 ? json_figure(s->time_bound_s) : json_null());
}

/* The lightpaths that a repair kept and added; null without a repair. */
static json_t *repair_report(const rwa_plan_report *s, const plan_setting *setting)
{
    const repair_choice *r = setting->repair;
    if (r->file == NULL)
        return json_null();
    return json_add(json_object(), "file:s failed:s at_step:u steps_before:u kept_steps:u extra_steps:I", r->file, setting->failed,
                    r->at_step, r->steps_before, r->at_step - 1, (int64_t)s->steps - (int64_t)r->steps_before);
}

static json_t *report(const rwa_plan *plan, const plan_setting *setting)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    json_t *all = json_add(head(s, setting), "steps:u", s->steps);
    all = add_stages(all, plan);
    all = json_add(all, "lightpaths:U wavelengths_used:u longest_hops:u drops:u block_bytes:U stripes:u slots:u time_seconds:f "
                   "time_paper_seconds:f time_circuit_seconds:f time_overlap_seconds:f cost_model:s",
                   s->lightpaths, s->wavelengths_used, s->longest_hops,
                   s->receivers, setting->coll->block_bytes, s->stripes, s->lightpath_blocks, s->time_s, s->paper_s, s->circuit_s,
                   s->overlap_s, rwa_cost_model_name(setting->opts->cost.model));
    all = add_bound(all, s);
    all = add_alternatives(all, plan);
    all = json_add(all, "repair:o", repair_report(s, setting));
    all = add_tuning(all, s, setting->net);
    return json_add(all, "power:o check:s plan_seconds:f check_seconds:f solver:s part_of:s scatter_scheme:s first_plan_seconds:f",
                    json_power(s->check, setting->opts->device), check_text(s->check), s->plan_s, s->check_s, s->solver, part_of(s),
                    s->scatter_scheme, s->first_plan_s);
}

/* ---- text ---- */

static int has_stage_wavelengths(const rwa_plan *plan)
{
    const rwa_stage *stage;
    for (size_t i = 0; (stage = rwa_plan_stage(plan, i)) != NULL; i++)
        if (stage->bound > 0)
            return 1;
    return 0;
}

static void print_stages(FILE *to, const rwa_plan *plan)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    const rwa_stage *stage;
    size_t i;
    if (!has_stage_wavelengths(plan))
        return;
    fprintf(to, "\nWavelengths each stage needs to run in one step:\n  stage  radix    formula       here  lower bound\n");
    for (i = 0; (stage = rwa_plan_stage(plan, i)) != NULL; i++) {
        char radix[16] = "-", formula[24] = "-", bound[24] = "-";
        if (stage->radix > 0)
            snprintf(radix, sizeof radix, "%" PRIu32, stage->radix);
        if (s->formula.known && i < s->formula.stages)
            snprintf(formula, sizeof formula, "%" PRIu64, s->formula.stage_wavelengths[i]);
        if (stage->bound > 0)
            snprintf(bound, sizeof bound, "%" PRIu64, stage->bound);
        fprintf(to, "  %5zu  %5s %10s %10" PRIu64 " %12s\n", i + 1, radix, formula, stage->wavelengths, bound);
    }
    if (s->stages > i)
        fprintf(to, "  ... and %zu more stage%s\n", s->stages - i, plural(s->stages - i));
    fputc('\n', to);
}

static void print_steps(FILE *to, const rwa_plan_report *s, const rwa_collective *coll, int verbose)
{
    fprintf(to, "Steps             %" PRIu32 "%s", s->steps, optimal(s) ? ", proven the fewest possible" : "");
    if (optimal(s) && coll->blocks > rwa_collective_default_blocks(coll->kind, coll->nodes))  /* the bound holds for this number */
        fprintf(to, " with the message cut into %" PRIu64 " blocks", coll->blocks);
    fputc('\n', to);
    if (s->formula.known)
        fprintf(to, "  by formula      %" PRIu64 " (%s)\n", s->formula.steps, s->formula.source);
    if (s->bound.value > 0)
        fprintf(to, "  lower bound     %" PRIu64 " (%s)\n", s->bound.value, s->bound.name);
    else
        fprintf(to, "  lower bound     none applies\n");
    if (verbose && s->bound.value > 0)
        fprintf(to, "                  %s\n                  Source: %s\n", s->bound.statement, s->bound.source);
}

/* Beside a quickest plan that cuts or groups blocks: the plan of whole blocks, one on a lightpath, with the fewest steps. */
static void print_fewest(FILE *to, const rwa_plan_report *s, const plan_setting *setting)
{
    int whole = s->stripes <= 1 && s->lightpath_blocks <= 1 && s->steps <= s->fewest.steps;
    if (s->fewest.scheme != NULL && !whole && setting->opts->objective == RWA_LEAST_TIME)
        fprintf(to, "Fewest steps      %" PRIu32 " of whole blocks, by %s; --objective steps looks for fewer\n", s->fewest.steps,
                s->fewest.scheme);
}

static void print_tuning(FILE *to, const rwa_plan_report *s)
{
    print_tunings(to, s->check);
    if (s->formula.tunings > 0)
        fprintf(to, "  by formula      %" PRIu64 "\n", s->formula.tunings);
}

static void print_times(FILE *to, const rwa_plan_report *s, rwa_cost_model model)
{
    fprintf(to, "Time              %s (%s cost model);", TIME_TEXT(s->time_s), rwa_cost_model_name(model));
    if (model != RWA_COST_PAPER)
        fprintf(to, " %s (%s)%s", TIME_TEXT(s->paper_s), rwa_cost_model_name(RWA_COST_PAPER), model == RWA_COST_OVERLAP ? "," : "\n");
    if (model != RWA_COST_CIRCUIT)
        fprintf(to, " %s (%s)\n", TIME_TEXT(s->circuit_s), rwa_cost_model_name(RWA_COST_CIRCUIT));
    if (s->time_bound_s <= 0)
        return;
    fprintf(to, "  lower bound     %s (%s cost model, for any number of blocks)\n", TIME_TEXT(s->time_bound_s), rwa_cost_model_name(model));
}

/* The scheme, its groups where there are several sizes to choose from, and how full its lightpaths are. */
static void print_scheme(FILE *to, const char *scheme, uint32_t stripes, uint32_t slots, uint32_t group)
{
    fputs(scheme, to);
    if (group > 0)
        fprintf(to, " in groups of %" PRIu32, group);
    if (stripes > 1)
        fprintf(to, " in %" PRIu32 " stripes", stripes);
    if (slots > 1)
        fprintf(to, " with %" PRIu32 " blocks per lightpath", slots);
}

/* The schemes that auto did not choose. */
static void print_alternatives(FILE *to, const rwa_plan *plan)
{
    const rwa_alternative *other;
    for (size_t i = 0; i < RUNNERS_UP && (other = rwa_plan_alternative(plan, i)) != NULL; i++) {
        fputs(i == 0 ? "Runners-up        " : "                  ", to);
        print_scheme(to, other->scheme, other->stripes, other->lightpath_blocks, other->group);
        fprintf(to, ", %" PRIu32 " step%s, %s\n", other->steps, plural(other->steps), TIME_TEXT(other->time_s));
    }
}

static void print_repair(FILE *to, const rwa_plan_report *s, const plan_setting *setting)
{
    const repair_choice *r = setting->repair;
    uint32_t kept = r->at_step - 1;
    int64_t more = (int64_t)s->steps - (int64_t)r->steps_before;
    fprintf(to, "Repair            of %s after the failure of %s %s in step %" PRIu32 "\n", r->file,
            strchr(setting->failed, ',') != NULL ? "links" : "link", setting->failed, r->at_step);
    fprintf(to, "  kept            %" PRIu32 " of %" PRIu32 " step%s\n", kept, r->steps_before, plural(r->steps_before));
    fprintf(to, "  in all          %" PRIu32 " step%s, ", s->steps, plural(s->steps));
    if (more == 0)
        fprintf(to, "as many as before\n");
    else
        fprintf(to, "%" PRId64 " %s than without the failure\n", more > 0 ? more : -more, more > 0 ? "more" : "fewer");
}

/** The two collectives of a sequence. */
static const char *sequence_text(rwa_collective_kind kind)
{
    switch (kind) {
    case RWA_ALL_REDUCE: return "a broadcast after a reduce";
    case RWA_REDUCE_SCATTER: return "a scatter after a reduce";
    case RWA_ALL_GATHER: return "a broadcast after a gather";
    default: return "an all-gather after a scatter";
    }
}

static void print_head(FILE *to, const rwa_plan *plan, const plan_setting *setting)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    const rwa_stage *stage;
    print_setting(to, setting->network, setting->net, setting->coll);
    fprintf(to, ", blocks of %" PRIu64 " byte%s\n", setting->coll->block_bytes, plural(setting->coll->block_bytes));
    print_missing(to, setting->net, setting->coll);
    if (setting->repair->file != NULL)
        print_repair(to, s, setting);
    fputs("Scheme            ", to);
    print_scheme(to, s->scheme, s->stripes, s->lightpath_blocks, 0);
    for (size_t i = 0; (stage = rwa_plan_stage(plan, i)) != NULL && stage->radix > 0; i++)
        fprintf(to, "%s%" PRIu32, i == 0 ? ", radices " : " x ", stage->radix);
    if (s->group > 0)
        fprintf(to, ", groups of %" PRIu32, s->group);
    if (s->scatter_scheme != NULL)
        fprintf(to, ", %s by %s%s", sequence_text(setting->coll->kind), s->scatter_scheme,
                setting->coll->kind == RWA_ROOTED_REDUCE ? ", backwards" : "");
    if (part_of(s) != NULL)
        fprintf(to, ", the part of its %s that %s needs", part_of(s), rwa_collective_name(setting->coll->kind));
    fputc('\n', to);
}

static void print_taps(FILE *to, const rwa_plan_report *s, uint32_t allowed)
{
    if (allowed > 1 && s->receivers > 1)
        fprintf(to, "Taps              up to %" PRIu32 " nodes receive a lightpath, of %" PRIu32 " allowed\n", s->receivers, allowed);
    else if (allowed > 1)
        fputs("Taps              none used\n", to);
}

static void print_report(FILE *where, const rwa_plan *plan, const plan_setting *setting)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, where);
    int tuned = network_is_tuned(setting->net), verbose = setting->common->verbose;
    print_head(to, plan, setting);
    if (!tuned)     /* elsewhere a stage is one setting, not one step */
        print_stages(to, plan);
    print_steps(to, s, setting->coll, verbose);
    if (tuned)
        print_tuning(to, s);
    print_times(to, s, setting->opts->cost.model);
    print_lightpaths(to, s->lightpaths, s->longest_hops);
    print_taps(to, s, setting->opts->max_drops);
    print_fewest(to, s, setting);
    print_alternatives(to, plan);
    fprintf(to, "Check             %s\n", check_text(s->check));
    if (!s->check->ok)
        print_violations(to, s->check, NULL);
    print_power(to, s->check, setting->opts->device);
    if (verbose)
        fprintf(to, "Solver            %s\nPlanned in        %.3f s, checked in %.3f s\n", s->solver != NULL ? s->solver : "-", s->plan_s,
                s->check_s);
    if (s->check->ok)
        print_written(to, &setting->output);
    wrap_close(&wrapped, WRAP_HANG, 0);
}

void print_no_plan(FILE *where, const rwa_plan_report *s)
{
    wrap wrapped;
    char why[RWA_ERROR_TEXT];
    FILE *to = wrap_open(&wrapped, where);
    fprintf(to, "No plan: %s\n", s->why[0] != '\0' ? fields_as_flags(why, sizeof why, s->why) : rwa_outcome_text(s->outcome));
    wrap_close(&wrapped, 2, 0);
}

/* ---- answers ---- */

static int no_plan_answer(const rwa_plan_report *s, const plan_setting *setting)
{
    FILE *to = report_stream(&setting->output);
    int code = 0;
    if (setting->output.format == AS_JSON)
        code = json_print(to, no_plan_report(s, setting));
    else
        print_no_plan(to, s);
    return code != 0 ? code : finish(s->outcome == RWA_UNDECIDED ? EXIT_STOPPED : EXIT_NO);
}

int plan_answer(const rwa_plan *plan, const plan_setting *given)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    plan_setting setting = *given;
    rwa_error err = {0};
    int code = 0;
    if (s->outcome == RWA_INFEASIBLE || s->outcome == RWA_UNDECIDED || sched == NULL)
        return no_plan_answer(s, given);
    setting.coll = rwa_schedule_collective(sched);  /* the scheme may have chosen the blocks */
    if (setting.output.file != NULL && s->check->ok) {
        rwa_status status = rwa_schedule_write_polled(sched, setting.output.file, poll_progress, setting.common, &err);
        progress_clear();
        code = fail_status(status, &err, 1);
    }
    if (code != 0)
        return code;
    if (setting.output.format == AS_JSON)
        code = json_print(report_stream(&setting.output), report(plan, &setting));
    else
        print_report(report_stream(&setting.output), plan, &setting);
    return code != 0 ? code : finish(s->check->ok ? EXIT_YES : EXIT_NO);
}

/* Give the bound one second: the user asked to stop. */
static int one_second(void *begin, const char *phase, double fraction)
{
    (void)phase;
    (void)fraction;
    return clock_s() - *(const double *)begin > 1;
}

int stopped_answer(const plan_setting *s)
{
    rwa_bound bound = {.value = 0};
    rwa_bound_options opts;
    double begin = clock_s();
    FILE *to = report_stream(&s->output);
    rwa_bound_options_init(&opts);
    opts.max_hops = s->opts->max_hops;
    opts.max_drops = s->opts->max_drops;
    opts.members = s->opts->members;
    opts.poll = one_second;
    opts.poll_data = &begin;
    if (rwa_bound_best(&bound, s->net, s->coll, &opts, NULL) != RWA_OK || bound.value == 0)
        return 0;
    if (s->output.format == AS_JSON)
        return json_print(to, json_add(json_object(), "collective:s outcome:s bound:o", rwa_collective_name(s->coll->kind), "undecided",
                                       json_bound(&bound)));
    fprintf(to, "Steps             no schedule yet\n  lower bound     %" PRIu64 " (%s)\n", bound.value, bound.name);
    return 0;
}
