/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a plan, as text and as JSON.  The static variables below hold the plan that is reported. */
#include "plan_report.h"

enum { ALSO_PLANNED = 3 };

/* The plan that the report describes. */
static const rwa_plan *plan;
static const rwa_plan_report *s;
static const rwa_network *net;
static const rwa_collective *coll;
static const repair_choice *repair;
static int explained;   /* the bounds say what they rest on, too */

static int optimal(void)
{
    return s->outcome == RWA_OPTIMAL && s->bound.value == s->steps;
}

/* Tell whether --objective steps was given. */
static int by_steps(void)
{
    return planning.objective == RWA_FEWEST_STEPS;
}

/* Tell whether auto chose the scheme, which it does without --scheme and without --repair. */
static int searched(void)
{
    return !planning.scheme && !repair->file;
}

/* Return the name of the collective whose plan by the same scheme contains this plan as a part; NULL: there is none. */
static const char *part_of(void)
{
    return s->part_of != 0 ? rwa_collective_name((rwa_collective_kind)s->part_of) : NULL;
}

/* ---- JSON ---- */

static json_t *head(void)
{
    return json_setting(JSON("scheme:s", s->scheme ? s->scheme : ""), net, coll);
}

static json_t *add_stages(json_t *all)
{
    const rwa_formula *f = &s->formula;
    const rwa_stage *stage;
    json_t *radix = json_array(), *wavelengths = json_array(), *bound = json_array();
    for (size_t i = 0; (stage = rwa_plan_stage(plan, i)); i++) {
        json_array_append_new(radix, json_count(stage->radix));
        json_array_append_new(wavelengths, json_count(stage->wavelengths));
        json_array_append_new(bound, json_count(stage->bound));
    }
    assert(f->stages <= RWA_STAGES_MAX);
    return json_add(
        all, "stages:z radix:o group:p stage_wavelengths:o stage_bound:o formula_steps:P formula_stage_wavelengths:o",
        s->stages, radix, s->group, wavelengths, bound, f->known ? f->steps : 0,
        f->known && f->stages > 0 ? json_counts(f->stage_wavelengths, f->stages) : json_null());
}

/* Add to the report `all`, if the network is a star, ron or ocs, the cost of setting ports and switches.  Return `all`;
 * NULL if `all` is NULL or memory runs out. */
static json_t *add_tuning(json_t *all)
{
    if (!network_is_tuned(net))
        return all;
    return json_add(all, "ports:u tuning:u tunings:U tuning_cost:U formula_tunings:P finish_steps:U",
                    rwa_network_ports(net), rwa_network_tuning(net), s->check->tunings, s->check->tuning_cost,
                    s->formula.tunings, s->check->finish_steps);
}

static json_t *alternative_json(const rwa_alternative *a)
{
    return JSON("scheme:s steps:u time_seconds:F", a->scheme, a->steps, a->time_s);
}

static json_t *runner_up_json(size_t i)
{
    const rwa_alternative *a = rwa_plan_alternative(plan, i);
    return json_add(alternative_json(a), "stripes:u slots:u group:p", a->stripes, a->lightpath_blocks, a->group);
}

static json_t *add_alternatives(json_t *all)
{
    const rwa_left_out *out;
    json_t *left_out = json_array();
    for (size_t i = 0; (out = rwa_plan_left_out(plan, i)); i++)
        json_array_append_new(left_out, JSON("scheme:s least_seconds:F why:s", out->scheme, out->least_s,
                                             out->why[0] ? as_flags(out->why) : NULL));
    return json_add(all, "runners_up:o fewest_steps:o time_bound_seconds:F left_out:o",
                    json_list(s->alternatives, runner_up_json),
                    s->fewest.scheme ? alternative_json(&s->fewest) : json_null(), s->time_bound_s, left_out);
}

/* Return the numbers of lightpaths that a repair kept and added as JSON, or null without a repair. */
static json_t *repair_json(void)
{
    const repair_choice *r = repair;
    if (!r->file)
        return json_null();
    return JSON("file:s failed:s at_step:u steps_before:u kept_steps:u extra_steps:I", r->file, target.failed,
                r->at_step, r->steps_before, r->at_step - 1, (int64_t)s->steps - (int64_t)r->steps_before);
}

static json_t *report(void)
{
    json_t *all = add_stages(json_add(head(), "steps:u", s->steps));
    all = json_add(
        all,
        "lightpaths:U wavelengths_used:u longest_hops:u drops:u block_bytes:U stripes:u slots:u time_seconds:f "
        "time_paper_seconds:f time_circuit_seconds:f time_overlap_seconds:f cost_model:s",
        s->lightpaths, s->wavelengths_used, s->longest_hops, s->receivers, coll->block_bytes, s->stripes,
        s->lightpath_blocks, s->time_s, s->paper_s, s->circuit_s, s->overlap_s, rwa_cost_model_name(cost.model));
    all = json_add(add_alternatives(add_bound(all, &s->bound, s->steps, optimal())), "bound_max_hops:p repair:o",
                   s->bound_max_hops, repair_json());
    return json_add(add_tuning(all),
                    "power:o check:s plan_seconds:f check_seconds:f solver:s part_of:s scatter_scheme:s "
                    "first_plan_seconds:f",
                    json_power(s->check), check_text(s->check), s->plan_s, s->check_s, s->solver, part_of(),
                    s->scatter_scheme, s->first_plan_s);
}

/* ---- text ---- */

static void say_stages(void)
{
    const rwa_formula *f = &s->formula;
    const rwa_stage *stage;
    size_t i = 0;
    while ((stage = rwa_plan_stage(plan, i)) && stage->radix > 0 && stage->bound <= 1)
        i++;
    if (!stage || stage->radix == 0)    /* no stage needs several wavelengths */
        return;
    say("\nWavelengths each stage needs to run in one step, else it takes several (radix: parts of a group):\n"
        "  stage  radix    formula   schedule  lower bound\n");
    for (i = 0; (stage = rwa_plan_stage(plan, i)); i++) {
        int known = f->known && i < f->stages;
        say("  %5zu  %5s %10s %10" PRIu64 " %12s\n", i + 1, cell_text(stage->radix),
            cell_text(known ? f->stage_wavelengths[i] : 0), stage->wavelengths,
            cell_text(stage->bound));
    }
    if (s->stages > i)
        say("  ... and %s\n", counted(s->stages - i, "more stage"));
    say("\n");
}

enum { PROOF_LINE = 140 };

/* Report the hop limit that a lower bound on the steps assumes, if any, and the proof of the bound.  rwa explain also
 * reports `statement`, the bound in general (NULL: none). */
static void say_proven(const char *statement, const char *proof)
{
    if (s->bound_max_hops > 0)
        say(" and lightpaths of at most %s%s", counted(s->bound_max_hops, "hop"),
            s->bound_max_hops != planning.max_hops ? ", all that power allows" : "");
    say(":\n%18s", "");
    if (explained && statement)
        say("%s.\n%18sHere: ", statement, "");
    say_proof(proof, strlen(proof) > PROOF_LINE ? 18 : 0);
}

/* Report the number and size of the blocks, as "whole blocks of 4 MiB" or "64 blocks of 1 MiB".  on_lightpath: the most
 * blocks on one lightpath, reported if above 1. */
static void say_blocks(const rwa_collective *c, uint32_t on_lightpath)
{
    if (c->blocks == rwa_collective_default_blocks(c->kind, c->nodes))
        say(" with whole blocks");
    else
        say(" with %s", counted(c->blocks, "block"));
    say(" of %s", size_text((double)c->block_bytes));
    if (on_lightpath > 1)
        say(", up to %u on a lightpath", on_lightpath);
}

static void say_steps(void)
{
    const rwa_bound *b = &s->bound;
    say("Steps             %u", s->steps);
    say_blocks(coll, rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)));
    if (s->steps > b->value && b->value > 0)
        say("; %" PRIu64 " above the lower bound", s->steps - b->value);
    say("%s\n", optimal() ? "; the fewest for such blocks" : "");
    if (s->formula.known)
        say("  by formula      %" PRIu64 " (%s)\n", s->formula.steps, s->formula.source);
    if (b->value == 0 || b->value > s->steps) {
        say("  lower bound     none applies\n");
        return;
    }
    say("  lower bound     %" PRIu64 " with such blocks", b->value);
    say_proven(b->statement, s->bound_proof);
}

/* Return the collective with its message divided into as many blocks as an alternative plan has. */
static rwa_collective cut_as(const rwa_alternative *other)
{
    rwa_collective cut = *coll;
    rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, other->blocks, NULL);
    return cut;
}

/* Report the plan with the fewest steps that auto found with whole blocks, one on a lightpath.  Report nothing if the
 * plan that auto chose has no more steps. */
static void say_fewest(void)
{
    const rwa_alternative *f = &s->fewest;
    if (!f->scheme || s->steps <= f->steps || by_steps() || !searched())
        return;
    say("Fewer steps       %u, but %s: whole blocks of %s, by %s; --objective steps searches for the fewest\n",
        f->steps, time_text(f->time_s), size_text((double)cut_as(f).block_bytes), f->scheme);
}

static void say_tuning(void)
{
    say_tunings(s->check);
    if (s->formula.tunings > 0)
        say("  by formula      %" PRIu64 "\n", s->formula.tunings);
}

/* Tell whether a lower bound on the time is known and not above the time of this plan.  A bound above it assumes limits
 * that this plan does not keep. */
static int bounds_time(void)
{
    return s->time_bound_s > 0 && s->time_bound_s <= s->time_s;
}

/* Report how far the time is above its lower bound, in percent or as a factor.  Call it only if bounds_time(). */
static void say_above(void)
{
    double ratio = s->time_s / s->time_bound_s;
    double percent = ratio < 2 ? 100 * (ratio - 1) : 1, unit = pow(10, floor(log10(percent)) - 2);
    if (ratio <= 1)
        say("the least possible");
    else if (strcmp(time_text(s->time_s), time_text(s->time_bound_s)) == 0)
        say("the least possible to 4 digits");
    else if (ratio < 2)
        say("at most %.3g %% above the least possible", unit * ceil(percent / unit));
    else
        say("at most %.3g times the least possible", unit * ceil(ratio / unit));
}

static void say_times(void)
{
    rwa_cost_model other = cost.model == RWA_COST_CIRCUIT ? RWA_COST_PAPER : RWA_COST_CIRCUIT;
    say_time(s->time_s, s->check, rwa_network_rate_bps(net));
    if (bounds_time()) {
        say("  lower bound     %s with blocks of any size", time_text(s->time_bound_s));
        say_proven(NULL, s->time_proof);
    }
    say("  --cost %-9s%s %s", rwa_cost_model_name(other),
        time_text(other == RWA_COST_PAPER ? s->paper_s : s->circuit_s), cost_text(other));
    if (other == RWA_COST_CIRCUIT && cost.alpha_s > 0)
        say("; each step starts up in %s", time_text(cost.alpha_s));
    say("\n");
}

/* Report a scheme, the size of its groups (0: it has none), and into how many parts it divides a block. */
static void say_scheme(const char *scheme, uint32_t stripes, uint32_t group)
{
    say("%s", scheme);
    if (group > 0)
        say(" in groups of %u", group);
    if (stripes > 1)
        say(", blocks in %u parts", stripes);
}

/* Return plan i, from 0, of the other plans that auto compared, the quickest first; NULL beyond those that are
 * reported. */
static const rwa_alternative *also_planned(size_t i)
{
    return i < ALSO_PLANNED ? rwa_plan_alternative(plan, i) : NULL;
}

/* Tell whether auto also plans on every second, fourth, ... wavelength, to limit crosstalk. */
static int tries_fewer(void)
{
    const rwa_reserved *reserved;
    return target.device && network_is_arcs(net) && rwa_network_reserved(&reserved, net) == 0;
}

/* Report the wavelengths used if power is checked and some are idle, and why quicker plans of the scheme failed. */
static void say_wavelengths(void)
{
    uint32_t channels = rwa_network_channels(net);
    const rwa_left_out *one;
    if (!target.device || s->wavelengths_used == channels)
        return;
    say("Wavelengths used  %u of %u", s->wavelengths_used, channels);
    for (size_t i = 0; (one = rwa_plan_left_out(plan, i)); i++)
        if (strcmp(one->scheme, s->scheme) == 0)
            say("; %s%s", one->why, tries_fewer() ? ", so every second, fourth, ... one was tried" : "");
    say("; the lower bounds count on all\n");
}

/* Report the quickest plans that auto compared with the one it chose. */
static void say_alternatives(void)
{
    const rwa_alternative *other;
    for (size_t i = 0; (other = also_planned(i)); i++) {
        if (i == 0)
            say("Also planned           time  steps  on a lightpath  scheme\n");
        say("%27s %6u  %-14s  ", time_text(other->time_s), other->steps,
            load_text(other->lightpath_blocks, cut_as(other).block_bytes));
        say_scheme(other->scheme, other->stripes, other->group);
        say("\n");
    }
}

/* Tell whether the report shows a plan that a scheme made. */
static int is_planned(const char *scheme)
{
    size_t i = 0;
    while (also_planned(i) && strcmp(also_planned(i)->scheme, scheme) != 0)
        i++;
    return also_planned(i) || strcmp(scheme, s->scheme) == 0;
}

/* Report the schemes for which the report shows no plan, and why. */
static void say_left_out(void)
{
    reason list[SCHEMES_MAX];
    const rwa_left_out *one;
    double least_s = INFINITY;
    size_t count = 0;
    for (size_t i = 0; (one = rwa_plan_left_out(plan, i)); i++)
        least_s = one->why[0] ? least_s : fmin(least_s, one->least_s);
    for (; count < SCHEMES_MAX && (one = rwa_plan_left_out(plan, count)); count++)
        list[count] = reason_of(is_planned(one->scheme) ? NULL : one->scheme, one->scheme,
                                strncmp(one->why, "a plan on ", 10) == 0 && tries_fewer()
                                    ? phrase("%s; on fewer, none is better", one->why)
                                : one->why[0] ? one->why
                                : by_steps() ? "not planned, as none has fewer steps"
                                             : phrase("not planned: at least %s by lower bounds on their steps",
                                                      time_text(least_s)));
    say_reasons("Left out", list, count);
}

static void say_repair(void)
{
    const repair_choice *r = repair;
    uint32_t before = r->steps_before;
    say("Repair            of %s after the failure of %s %s in step %u\n", r->file,
        strchr(target.failed, ',') ? "links" : "link", target.failed, r->at_step);
    say("  kept            %u of %s\n  in all          %s, %u without the failure\n", r->at_step - 1,
        counted(before, "step"), counted(s->steps, "step"), before);
}

/** Return the names of the two collectives that carry out this one, one after the other, as text. */
static const char *sequence_text(void)
{
    switch (coll->kind) {
    case RWA_ALL_REDUCE: return "a broadcast after a reduce";
    case RWA_REDUCE_SCATTER: return "a scatter after a reduce";
    case RWA_ALL_GATHER: return "a broadcast after a gather";
    default: return "an all-gather after a scatter";
    }
}

/* Report the text `before` and what text(i) returns for a scheme, number i of the table of schemes.  Report nothing if
 * the scheme is not in the table. */
static void say_known(const char *before, const char *scheme, const char *(*text)(size_t i))
{
    const char *known = rwa_scheme_find(scheme);
    if (known)
        say("%s%s", before, text((size_t)number_of(rwa_scheme_name, known)));
}

void say_summary(const char *scheme)
{
    say_known(": ", scheme, rwa_scheme_summary);
    say("\n");
}

/* Report where the plan's scheme was published.  If the name of the scheme does not suffice to make this plan again,
 * report the value of --scheme that does. */
static void say_source(void)
{
    const char *name = rwa_schedule_scheme(rwa_plan_schedule(plan));
    say_known("  source          ", s->scheme, rwa_scheme_source);
    if (strcmp(name, s->scheme) != 0)
        say("\n  to plan again   --scheme \"%s\" makes this plan without a search", name);
    say("\n");
}

static void say_headline(void)
{
    say_task(net, coll);
    say(": %s", by_steps() ? counted(s->steps, "step") : time_text(s->time_s));
    if (by_steps() && optimal())
        say(", the fewest possible");
    else if (by_steps() && s->bound.value > 0)
        say(", of which at least %" PRIu64 " are needed", s->bound.value);
    else if (!by_steps() && bounds_time()) {
        say(", ");
        say_above();
        say(" with --cost %s", rwa_cost_model_name(cost.model));
    }
    say("\n");
}

static void say_head(void)
{
    const rwa_stage *stage;
    say_headline();
    say_channels(net);
    say_missing(net, coll);
    if (repair->file)
        say_repair();
    say("Scheme            ");
    say_scheme(s->scheme, s->stripes, 0);
    for (size_t i = 0; (stage = rwa_plan_stage(plan, i)) && stage->radix > 0; i++)
        say("%s%u", i == 0 ? ", radices " : " x ", stage->radix);
    if (s->group > 0)
        say(", groups of %u", s->group);
    if (s->scatter_scheme)
        say(", %s by %s%s", sequence_text(), s->scatter_scheme, coll->kind == RWA_ROOTED_REDUCE ? ", backwards" : "");
    if (part_of())
        say(", the part of its %s that %s needs", part_of(), rwa_collective_name(coll->kind));
    say_summary(s->scheme);
}

/* Options that belong to plan alone. */
#define OWN "output format write-lp"

/* Report commands that tell more about the plan. */
static void say_commands(void)
{
    const char *file = names_file() && is_plain(output.file) ? output.file : NULL;
    say_next("step by step, and the reason for the bound", "explain", file ? NULL : OWN, file ? file : "");
    say_next("all schemes, and the fewest steps of whole blocks", "compare", "scheme " OWN, "");
    if (file)
        say_next("a drawing", "show", NULL, file);
    else
        say_next("a drawing, by rwa show plan.jsonl", "plan", OWN, "-o plan.jsonl");
}

/* Report time and steps, the objective first, each with its bound. */
static void say_bounds(void)
{
    if (!by_steps())
        say_times();
    say_steps();
    if (by_steps())
        say_times();
    if (network_is_tuned(net))
        say_tuning();
}

static void say_report(void)
{
    say_head();
    say_bounds();
    say_fewest();
    say_lightpaths(s->check);
    say_wavelengths();
    if (planning.max_drops > 1 && s->receivers > 1)
        say("Taps              up to %u nodes receive a lightpath, of %u allowed\n", s->receivers, planning.max_drops);
    if (!network_is_tuned(net))     /* elsewhere a stage is one setting, not one step */
        say_stages();
    say_alternatives();
    say_left_out();
    say("Check             %s%s\n", check_text(s->check), s->check->ok ? rules_text(1) : "");
    if (!s->check->ok)
        say_violations(s->check, NULL);
    say_power(s->check);
    if (args.verbose)
        say("Solver            %s\nPlanned in        %.3f s, checked in %.3f s\n", s->solver ? s->solver : "-",
            s->plan_s, s->check_s);
    if (s->check->ok)
        say_written();
    say_programs();
    if (s->check->ok && !repair->file)
        say_commands();
}

void say_no_plan(const rwa_plan_report *of)
{
    say("No plan: %s\n", of->why[0] ? as_flags(of->why) : rwa_outcome_text(of->outcome));
    print_said(2, 0);
}

/* ---- answers ---- */

static json_t *no_answer(void)
{
    return json_add(head(), "outcome:s why:s", s->outcome == RWA_INFEASIBLE ? "infeasible" : "undecided",
                    as_flags(s->why));
}

static void say_no_answer(void)
{
    say_no_plan(s);
    if (rwa_plan_refused(plan) && s->check->power.verdict == RWA_FAIL)
        say_next("the link budget of its worst lightpath", "explain", OWN, "");
}

int write_schedule(const rwa_schedule *sched, const rwa_check_report *check)
{
    return !output.file || !check->ok
               ? 0
               : WRITE(rwa_schedule_write_polled, sched, output.file, poll_progress, NULL);
}

/* Set the plan, network and repair that the functions of the report describe. */
static void describe(const rwa_plan *made, const rwa_network *on, const repair_choice *chosen)
{
    const rwa_schedule *sched = rwa_plan_schedule(made);
    plan = made;
    s = rwa_plan_summary(made);
    net = on;
    repair = chosen;
    coll = sched ? rwa_schedule_collective(sched) : &target.coll;   /* the scheme may have chosen the blocks */
}

/* Let the report describe a plan that has a schedule and is not a repair. */
static void describe_made(const rwa_plan *made)
{
    static const repair_choice none;
    describe(made, rwa_schedule_network(rwa_plan_schedule(made)), &none);
}

void say_bounds_of(const rwa_plan *made)
{
    describe_made(made);
    say_bounds();
    say_lightpaths(s->check);
    say_power(s->check);
}

void explain_plan(const rwa_plan *made, const char *walk)
{
    explained = 1;
    describe_made(made);
    say_head();
    say_source();
    print_said(WRAP_HANG, WRAP_PROSE);
    say("\n%s\n", walk);
    print_said(-1, WRAP_PROSE);
    say_bounds_of(made);
    print_said(WRAP_HANG, WRAP_PROSE);
}

int plan_answer(const rwa_plan *made, const rwa_network *on, const repair_choice *chosen)
{
    const rwa_schedule *sched = rwa_plan_schedule(made);
    describe(made, on, chosen);
    if (!is_answer(s->outcome) || !sched) {
        MUST(print_answer(say_no_answer, no_answer, NULL));
        return s->outcome == RWA_UNDECIDED ? EXIT_STOPPED : EXIT_NO;
    }
    MUST(write_schedule(sched, s->check));
    MUST(print_answer(say_report, report, NULL));
    return s->check->ok ? EXIT_YES : EXIT_NO;
}

/* Poll function for the computation of the bound after the user has asked to stop: return 1, to stop it, if one second
 * has passed since the time *begin; else 0. */
static int one_second(void *begin, const char *phase, double fraction)
{
    (void)phase;
    (void)fraction;
    return clock_s() - *(const double *)begin > 1;
}

static void say_stopped(void)
{
    rwa_bound bound = {.value = 0};
    rwa_bound_options opts;
    double begin = clock_s();
    bound_options(&opts);
    opts.poll = one_second;
    opts.poll_data = &begin;
    if (!signals_asked() || rwa_bound_best(&bound, target.net, &target.coll, &opts, NULL) != RWA_OK || bound.value == 0)
        return;
    if (output.format == AS_JSON)
        print_json(JSON("collective:s outcome:s bound:o", rwa_collective_name(target.coll.kind), "undecided",
                        json_bound(&bound)));
    else
        say("Steps             no schedule yet\n  lower bound     %" PRIu64 " (%s)\n", bound.value, bound.name);
}

int make_plan(rwa_plan **made)
{
    MUST(target_open());
    planning_ready();
    int code = CALL(rwa_plan_make, made, target.net, &target.coll, &planning);
    if (code == EXIT_STOPPED)
        say_stopped();
    return code;
}
