/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fold.h"
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static json_t *counts(const uint64_t *list, size_t count)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, json_count(list[i]));
    return all;
}

/* The stages of which the summary says more. */
static size_t told_stages(const rwa_plan_summary *s)
{
    return s->stages < RWA_STAGES_MAX ? s->stages : RWA_STAGES_MAX;
}

static int optimal(const rwa_plan_summary *s)
{
    return s->outcome == RWA_OPTIMAL && s->bound.value == s->steps;
}

static int has_tuning(const rwa_network *net)
{
    rwa_network_kind kind = rwa_network_get_kind(net);
    return kind == RWA_STAR || kind == RWA_RON || kind == RWA_OCS;
}

static const char *verdict(const rwa_check *c)
{
    return c->ok ? "ok" : c->named > 0 ? c->first[0].text : "violations";
}

static json_t *head(const rwa_plan_summary *s, const rwa_network *net, const rwa_collective *coll)
{
    json_t *all = json_pack("{s:s, s:s, s:o, s:o, s:o}", "scheme", s->scheme != NULL ? s->scheme : "", "collective",
                            rwa_collective_name(coll->kind), "nodes", json_count(rwa_network_nodes(net)), "wavelengths",
                            json_count(rwa_network_wavelengths(net)), "fibers", json_count(rwa_network_fibers(net)));
    if (all != NULL)
        json_missing(all, net, coll);
    return all;
}

static json_t *refusal(const rwa_plan_summary *s, const rwa_network *net, const rwa_collective *coll)
{
    json_t *all = head(s, net, coll);
    if (all != NULL) {
        json_object_set_new(all, "outcome", json_string(s->outcome == RWA_INFEASIBLE ? "infeasible" : "undecided"));
        json_object_set_new(all, "why", json_string(s->why));
    }
    return all;
}

static json_t *group_or_null(uint32_t group)
{
    return group > 0 ? json_count(group) : json_null();
}

static void add_stages(json_t *all, const rwa_plan_summary *s)
{
    const rwa_formula *f = &s->formula;
    json_t *radix = json_array();
    for (size_t i = 0; i < told_stages(s); i++)
        json_array_append_new(radix, json_count(s->radix[i]));
    json_object_set_new(all, "stages", json_count(s->stages));
    json_object_set_new(all, "radix", radix);
    json_object_set_new(all, "group", group_or_null(s->group));
    json_object_set_new(all, "stage_wavelengths", counts(s->stage_wavelengths, told_stages(s)));
    json_object_set_new(all, "stage_bound", counts(s->stage_bound, told_stages(s)));
    json_object_set_new(all, "formula_steps", f->known ? json_count(f->steps) : json_null());
    json_object_set_new(all, "formula_stage_wavelengths",
                        f->known && f->stages > 0 ? counts(f->stage_wavelengths, f->stages) : json_null());
}

static void add_bound(json_t *all, const rwa_plan_summary *s)
{
    int has = s->bound.value > 0 && s->bound.name != NULL;
    json_object_set_new(all, "bound", has ? json_pack("{s:s, s:o}", "name", s->bound.name, "steps",
                                                      json_count(s->bound.value)) : json_null());
    json_object_set_new(all, "gap_steps",
                        has ? json_integer((json_int_t)s->steps - (json_int_t)s->bound.value) : json_null());
    json_object_set_new(all, "optimal", json_boolean(optimal(s)));
}

/* Star, ron and ocs: what setting ports and switches anew costs. */
static void add_tuning(json_t *all, const rwa_plan_summary *s, const rwa_network *net)
{
    if (!has_tuning(net))
        return;
    json_object_set_new(all, "ports", json_count(rwa_network_ports(net)));
    json_object_set_new(all, "tuning", json_count(rwa_network_tuning(net)));
    json_object_set_new(all, "tunings", json_count(s->check.tunings));
    json_object_set_new(all, "tuning_cost", json_count(s->check.tuning_cost));
    json_object_set_new(all, "formula_tunings", s->formula.tunings > 0 ? json_count(s->formula.tunings) : json_null());
    json_object_set_new(all, "finish_steps", json_count(s->check.finish_steps));
}

static void add_rivals(json_t *all, const rwa_plan_summary *s)
{
    json_t *rivals = json_array(), *sizes = json_array();
    for (size_t i = 0; i < s->rivals; i++)
        json_array_append_new(rivals, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "scheme", s->rival[i].scheme, "steps",
                                                json_count(s->rival[i].steps), "time_seconds",
                                                json_figure(s->rival[i].time_s), "stripes",
                                                json_count(s->rival[i].stripes), "slots",
                                                json_count(s->rival[i].slots), "group",
                                                group_or_null(s->rival[i].group)));
    for (size_t i = 0; i < s->crossovers; i++)
        json_array_append_new(sizes, json_pack("{s:s, s:o, s:o, s:o, s:o}", "scheme", s->crossover[i].scheme, "from_bytes",
                                               json_count(s->crossover[i].from_bytes), "stripes",
                                               json_count(s->crossover[i].stripes), "slots",
                                               json_count(s->crossover[i].slots), "group",
                                               group_or_null(s->crossover[i].group)));
    json_object_set_new(all, "runners_up", rivals);
    json_object_set_new(all, "crossovers", sizes);
    json_object_set_new(all, "time_bound_seconds", s->time_bound_s > 0 ? json_figure(s->time_bound_s) : json_null());
}

/* What a repair left as it was, and what it cost; null without one. */
static json_t *repaired(const rwa_plan_summary *s, const options *o)
{
    if (o->repair == NULL)
        return json_null();
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "file", o->repair, "failed", o->failed, "at_step", json_count(o->at_step),
                     "steps_before", json_count(o->steps_before), "kept_steps", json_count(o->at_step - 1), "extra_steps",
                     json_integer((json_int_t)s->steps - (json_int_t)o->steps_before));
}

static json_t *report(const rwa_plan_summary *s, const options *o, const rwa_network *net, const rwa_collective *coll)
{
    json_t *all = head(s, net, coll);
    if (all == NULL)
        return NULL;
    json_object_set_new(all, "steps", json_count(s->steps));
    add_stages(all, s);
    json_object_set_new(all, "lightpaths", json_count(s->lightpaths));
    json_object_set_new(all, "wavelengths_used", json_count(s->wavelengths_used));
    json_object_set_new(all, "longest_hops", json_count(s->longest_hops));
    json_object_set_new(all, "drops", json_count(s->drops));
    json_object_set_new(all, "block_bytes", json_count(coll->block_bytes));
    json_object_set_new(all, "stripes", json_count(s->stripes));
    json_object_set_new(all, "slots", json_count(s->slots));
    json_object_set_new(all, "time_seconds", json_figure(s->time_s));
    json_object_set_new(all, "time_paper_seconds", json_figure(s->paper_s));
    json_object_set_new(all, "time_circuit_seconds", json_figure(s->circuit_s));
    json_object_set_new(all, "cost_model", json_string(rwa_cost_model_name(o->plan.cost.model)));
    add_bound(all, s);
    add_rivals(all, s);
    json_object_set_new(all, "repair", repaired(s, o));
    add_tuning(all, s, net);
    json_object_set_new(all, "power", json_power(&s->check, o->plan.device));
    json_object_set_new(all, "check", json_string(verdict(&s->check)));
    json_object_set_new(all, "plan_seconds", json_figure(s->plan_s));
    json_object_set_new(all, "check_seconds", json_figure(s->check_s));
    json_object_set_new(all, "solver", s->solver != NULL ? json_string(s->solver) : json_null());
    return all;
}

/** Schemes that lay out whole steps themselves have no stages to tell of. */
static int has_stage_wavelengths(const rwa_plan_summary *s)
{
    for (size_t i = 0; i < told_stages(s); i++)
        if (s->stage_bound[i] > 0)
            return 1;
    return 0;
}

static void text_stages(FILE *to, const rwa_plan_summary *s)
{
    if (!has_stage_wavelengths(s))
        return;
    fprintf(to, "\nWavelengths each stage needs to run in one step:\n  stage  radix    formula       here  at least\n");
    for (size_t i = 0; i < told_stages(s); i++) {
        char radix[16] = "-", formula[24] = "-";
        if (s->radix[i] > 0)
            snprintf(radix, sizeof radix, "%" PRIu32, s->radix[i]);
        if (s->formula.known && i < s->formula.stages)
            snprintf(formula, sizeof formula, "%" PRIu64, s->formula.stage_wavelengths[i]);
        fprintf(to, "  %5zu  %5s %10s %10" PRIu64 " %9" PRIu64 "\n", i + 1, radix, formula, s->stage_wavelengths[i],
                s->stage_bound[i]);
    }
    if (s->stages > told_stages(s))
        fprintf(to, "  ... and %zu more stages\n", s->stages - told_stages(s));
    fputc('\n', to);
}

/* A bound on steps holds for the number of blocks that the message is cut into. */
static int is_cut_finer(const rwa_collective *coll)
{
    return coll->blocks > rwa_collective_usual_blocks(coll->kind, coll->nodes);
}

static void text_steps(FILE *to, const rwa_plan_summary *s, const rwa_collective *coll, int verbose)
{
    fprintf(to, "Steps             %" PRIu32 "%s", s->steps, optimal(s) ? ", proven the fewest possible" : "");
    if (optimal(s) && is_cut_finer(coll))
        fprintf(to, " with the message cut into %" PRIu64 " blocks", coll->blocks);
    fputc('\n', to);
    if (s->formula.known)
        fprintf(to, "  by formula      %" PRIu64 " (%s)\n", s->formula.steps, s->formula.source);
    if (s->bound.value > 0)
        fprintf(to, "  at least        %" PRIu64 " (lower bound: %s)\n", s->bound.value, s->bound.name);
    else
        fprintf(to, "  at least        no lower bound applies\n");
    if (verbose && s->bound.value > 0)
        fprintf(to, "                  %s\n                  Source: %s\n", s->bound.statement, s->bound.source);
}

static void text_tuning(FILE *to, const rwa_plan_summary *s)
{
    fprintf(to, "Tunings           %" PRIu64 ", cost %" PRIu64 ", all done after %" PRIu64 " steps\n", s->check.tunings,
            s->check.tuning_cost, s->check.finish_steps);
    if (s->formula.tunings > 0)
        fprintf(to, "  by formula      %" PRIu64 "\n", s->formula.tunings);
}

static void print_size(FILE *to, uint64_t bytes)
{
    if (bytes >= 1000000)
        fprintf(to, "%.4g MB", (double)bytes / 1e6);
    else if (bytes >= 1000)
        fprintf(to, "%.4g kB", (double)bytes / 1e3);
    else
        fprintf(to, "%" PRIu64 " B", bytes);
}

static void text_time_bound(FILE *to, const rwa_plan_summary *s, rwa_cost_model model)
{
    if (s->time_bound_s <= 0)
        return;
    fprintf(to, "  at least        ");
    print_time(to, s->time_bound_s);
    fprintf(to, " (%s model, however the message is cut)\n", rwa_cost_model_name(model));
}

/* The scheme, its groups where there are several to choose from, and how full its lightpaths are. */
static void print_scheme(FILE *to, const char *scheme, uint32_t stripes, uint32_t slots, uint32_t group)
{
    fputs(scheme, to);
    if (group > 0)
        fprintf(to, " in groups of %" PRIu32, group);
    if (stripes > 1)
        fprintf(to, " in %" PRIu32 " stripes", stripes);
    if (slots > 1)
        fprintf(to, " merging %" PRIu32, slots);
}

/* What auto did not choose, and when it would have. */
static void text_rivals(FILE *to, const rwa_plan_summary *s)
{
    for (size_t i = 0; i < s->rivals && i < 3; i++) {
        fputs(i == 0 ? "Runners-up        " : "                  ", to);
        print_scheme(to, s->rival[i].scheme, s->rival[i].stripes, s->rival[i].slots, s->rival[i].group);
        fprintf(to, ", %" PRIu32 " step%s, ", s->rival[i].steps, s->rival[i].steps == 1 ? "" : "s");
        print_time(to, s->rival[i].time_s);
        fputc('\n', to);
    }
    for (size_t i = 0; i < s->crossovers && s->crossovers > 1; i++) {
        fputs(i == 0 ? "By message size   " : ", ", to);
        print_scheme(to, s->crossover[i].scheme, s->crossover[i].stripes, s->crossover[i].slots, s->crossover[i].group);
        fputs(" from ", to);
        print_size(to, s->crossover[i].from_bytes);
    }
    if (s->crossovers > 1)
        fprintf(to, " (paper model)\n");
}

static void text_repair(FILE *to, const rwa_plan_summary *s, const options *o)
{
    uint32_t kept = o->at_step - 1;
    int64_t more = (int64_t)s->steps - (int64_t)o->steps_before;
    fprintf(to, "Repair            of %s, whose link %s failed in step %" PRIu32 "\n", o->repair, o->failed, o->at_step);
    fprintf(to, "  as it was       %" PRIu32 " of %" PRIu32 " step%s, %s the failure\n", kept, o->steps_before,
            o->steps_before == 1 ? "" : "s", kept < o->steps_before ? "those before" : "all of them before");
    fprintf(to, "  in all          %" PRIu32 " step%s, ", s->steps, s->steps == 1 ? "" : "s");
    if (more == 0)
        fprintf(to, "as many as before\n");
    else
        fprintf(to, "%" PRId64 " %s than without the failure\n", more > 0 ? more : -more, more > 0 ? "more" : "fewer");
}

static void text_taps(FILE *to, const rwa_plan_summary *s, const options *o)
{
    if (s->drops > 1)
        fprintf(to, "Taps              up to %" PRIu32 " nodes read a lightpath, of %" PRIu32 " allowed\n", s->drops, o->plan.max_drops);
    else
        fputs("Taps              none used\n", to);
}

static void text(FILE *where, const rwa_plan_summary *s, const options *o, const rwa_network *net,
                 const rwa_collective *coll)
{
    fold folded;
    FILE *to = fold_open(&folded, where);
    char rate[32];
    rate_text(rate, sizeof rate, rwa_network_rate_bps(net));
    fprintf(to, "%s on %s: %" PRIu32 " wavelength%s x %" PRIu32 " fibre%s each way, %s, blocks of %" PRIu64
            " bytes\n", rwa_collective_name(coll->kind), o->network, rwa_network_wavelengths(net),
            rwa_network_wavelengths(net) == 1 ? "" : "s", rwa_network_fibers(net), rwa_network_fibers(net) == 1 ? "" : "s",
            rate, coll->block_bytes);
    print_missing(to, net, coll);
    if (o->repair != NULL)
        text_repair(to, s, o);
    fputs("Scheme            ", to);
    print_scheme(to, s->scheme, s->stripes, s->slots, 0);
    for (size_t i = 0; i < told_stages(s) && s->radix[i] > 0; i++)
        fprintf(to, "%s%" PRIu32, i == 0 ? ", radices " : " x ", s->radix[i]);
    if (s->group > 0)
        fprintf(to, ", groups of %" PRIu32, s->group);
    fputc('\n', to);
    if (!has_tuning(net)) /* there a stage is what is set at once, and takes the steps it takes */
        text_stages(to, s);
    text_steps(to, s, coll, o->verbose);
    if (has_tuning(net))
        text_tuning(to, s);
    fprintf(to, "Time              ");
    print_time(to, s->time_s);
    fprintf(to, " (%s cost model); ", rwa_cost_model_name(o->plan.cost.model));
    print_time(to, o->plan.cost.model == RWA_COST_CIRCUIT ? s->paper_s : s->circuit_s);
    fprintf(to, " (%s)\n",
            rwa_cost_model_name(o->plan.cost.model == RWA_COST_CIRCUIT ? RWA_COST_PAPER : RWA_COST_CIRCUIT));
    text_time_bound(to, s, o->plan.cost.model);
    fprintf(to, "Lightpaths        %" PRIu64 "\nLongest lightpath %" PRIu32 " hop%s\n", s->lightpaths, s->longest_hops,
            s->longest_hops == 1 ? "" : "s");
    if (o->plan.max_drops > 1)
        text_taps(to, s, o);
    text_rivals(to, s);
    fprintf(to, "Check             %s\n", verdict(&s->check));
    if (!s->check.ok)
        print_violations(to, &s->check);
    print_power(to, &s->check, o->plan.device);
    if (o->verbose)
        fprintf(to, "Solver            %s\nPlanned in        %.3f s, checked in %.3f s\n",
                s->solver != NULL ? s->solver : "-", s->plan_s, s->check_s);
    if (o->output != NULL && strcmp(o->output, "-") != 0 && s->check.ok)
        fprintf(to, "Written           %s\n", o->output);
    fold_close(&folded, FOLD_HANG, 0);
}

static void text_refusal(FILE *where, const rwa_plan_summary *s)
{
    fold folded;
    FILE *to = fold_open(&folded, where);
    fprintf(to, "No plan: %s\n", s->why[0] != '\0' ? s->why : rwa_outcome_text(s->outcome));
    fold_close(&folded, 2, 0);
}

/* Write what was asked for, then print; the file first, so that a summary never speaks of a file that is not there. */
int plan_answer(const rwa_plan *plan, options *o, const rwa_network *net, const rwa_collective *coll)
{
    const rwa_plan_summary *s = rwa_plan_get_summary(plan);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    FILE *to = o->output != NULL && strcmp(o->output, "-") == 0 ? stderr : stdout;
    rwa_error err = {0};
    int code = 0;
    if (s->outcome == RWA_INFEASIBLE || s->outcome == RWA_UNDECIDED || sched == NULL) {
        if (o->json)
            code = json_print(to, refusal(s, net, coll));
        else
            text_refusal(to, s);
        return code != 0 ? code : finish(s->outcome == RWA_UNDECIDED ? EXIT_STOPPED : EXIT_NO);
    }
    if (o->output != NULL && s->check.ok) {
        rwa_status status = rwa_schedule_write_polled(sched, o->output, poll_progress, o, &err);
        progress_clear();
        if (status != RWA_OK)
            return fail_status(status, &err, 1);
    }
    if (o->json)
        code = json_print(to, report(s, o, net, rwa_schedule_collective(sched)));
    else
        text(to, s, o, net, rwa_schedule_collective(sched));
    return code != 0 ? code : finish(s->check.ok ? EXIT_YES : EXIT_NO);
}

static int explain(const rwa_plan *plan, const options *o, const rwa_device *device)
{
    rwa_error err = {0};
    char *text = NULL;
    if (rwa_plan_schedule(plan) == NULL) {
        text_refusal(stdout, rwa_plan_get_summary(plan));
        return finish(EXIT_NO);
    }
    rwa_status status = rwa_plan_explain(&text, plan, device, o->stage, &err);
    if (status == RWA_OK) {
        fold folded;
        fputs(text, fold_open(&folded, stdout));
        fold_close(&folded, -1, FOLD_PROSE);
    }
    rwa_text_free(text);
    return status == RWA_OK ? finish(EXIT_YES) : fail_status(status, &err, 0);
}

int command_explain(options *o)
{
    o->explain = 1;
    return command_plan(o);
}

int command_plan(options *o)
{
    rwa_device *device = NULL;
    rwa_network *net = NULL;
    rwa_plan *plan = NULL;
    rwa_collective coll;
    rwa_error err = {0};
    if (o->repair != NULL)
        return command_repair(o);
    if (o->at_step > 0)
        return fail(EXIT_BAD_INPUT, "--at-step goes with --repair, expected for example: "
                    "rwa plan --repair plan.jsonl --fail 17 --at-step 3");
    if (o->network == NULL)
        return fail(EXIT_BAD_INPUT, "no network given, expected for example: rwa plan --network ring:16");
    int code = device_apply(&device, o);
    if (code == 0)
        code = target_build(&net, &coll, o);
    if (code == 0) {
        o->plan.poll = o->plan.solving.poll = poll_progress;
        o->plan.poll_data = o->plan.solving.poll_data = o;
        rwa_status status = rwa_plan_make(&plan, net, &coll, &o->plan, &err);
        progress_clear();
        if (status != RWA_OK)
            code = fail_status(status, &err, 0);
        else
            code = o->explain ? explain(plan, o, device) : plan_answer(plan, o, net, &coll);
        if (status == RWA_CANCELLED && stopped_answer(o, net, &coll) == 0)
            code = finish(code);
    }
    rwa_plan_free(plan);
    target_free(net, o);
    rwa_device_free(device);
    return code;
}
