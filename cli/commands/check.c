/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plant.h"
#include "cli/plot.h"
#include "commands.h"

#include <limits.h>
#include <unistd.h>

static rwa_limits limits;
static uint64_t lightpath = RWA_NO_INDEX;

static const option own_options[] = {
    {"time-limit", "SECONDS", "stop the check; 0: no limit (0)", IS_LIMIT(limits.time_limit_s)},
    {"lightpath", "N",
     "with --device: the link budget (on fibre: GSNR) of this lightpath, counted from 0 in the order of the "
     "file; a line with an orbit of 32 counts as 32",
     IS_NUMBER(lightpath, 0, RWA_NO_INDEX - 1)},
    {"plot", "FILE.svg", "with --lightpath: draw its link budget from laser to receiver", IS(plot_file, read_plot)},
    {0}};

static void init(void)
{
    rwa_limits_init(&limits);
}

static const rwa_check_report *c;   /* of the file */

static size_t named_unserved(void)
{
    return c->unserved < RWA_UNSERVED_NAMED ? (size_t)c->unserved : RWA_UNSERVED_NAMED;
}

static int is_assignment(void)
{
    return c->steps == 0 && (c->lightpaths > 0 || c->unserved > 0);
}

/* ---- JSON ---- */

/* Return as JSON the bound that the assignment file claims; null if it claims none. */
static json_t *claim(void)
{
    return c->bound == 0 ? json_null()
                         : JSON("proof:s value:U fixed_routes:b verified:v", c->bound_proof, c->bound,
                                c->bound_of_routes, c->bound_verdict);
}

/* Tell whether the GSNR of --lightpath is known. */
static int has_gsnr(void)
{
    return c->gsnr_needed_db > 0;
}

/* Return the GSNR of an assignment or schedule as JSON; null if no fibre profile was given. */
static json_t *gsnr(void)
{
    return c->gsnr_checked == 0 ? json_null()
                                : JSON("lightpaths:U worst_gsnr_db:f margin_db:f worst_lightpath:U gsnr_db:f "
                                       "needed_db:f",
                                       c->gsnr_checked, c->worst_gsnr_db, c->gsnr_margin_db, c->worst_gsnr_lightpath,
                                       has_gsnr() ? c->gsnr_db : NAN, has_gsnr() ? c->gsnr_needed_db : NAN);
}

static json_t *violation_json(size_t i)
{
    const rwa_violation *v = &c->first[i];
    return JSON("kind:s step:u lightpath:U link:U wavelength:U text:s line:P", rwa_violation_name(v->kind), v->step,
                v->lightpath, v->link, v->wavelength, v->text, c->first_line[i]);
}

static json_t *unserved_json(size_t i)
{
    const rwa_unserved *u = &c->first_unserved[i];
    return JSON("demand:U src:u dst:u", u->demand, u->src, u->dst);
}

static json_t *report(void)
{
    return JSON("ok:b violations:U first:o steps:u lightpaths:U longest_hops:u wavelengths_used:u tunings:U "
                "tuning_cost:U finish_steps:U power:o bound:o unserved:U first_unserved:o down:U drops:u "
                "backups:U backups_down:U time_seconds:f cost_model:s gsnr:o link_budget:o",
                c->ok, c->violations, json_list(c->named, violation_json), c->steps, c->lightpaths, c->longest_hops,
                c->wavelengths_used, c->tunings,
                c->tuning_cost, c->finish_steps, json_power(c), claim(), c->unserved,
                json_list(named_unserved(), unserved_json), c->down, c->receivers,
                c->backups, c->backups_down, is_assignment() ? NAN : c->time_s, rwa_cost_model_name(cost.model),
                gsnr(), json_budget(&c->budget));
}

/* ---- text ---- */

static void say_declared(void)
{
    if (c->unserved == 0)
        return;
    say("Not served        %s, as the file says\n", counted(c->unserved, "demand"));
    for (size_t i = 0; i < named_unserved(); i++)
        say("  demand %" PRIu64 ", node %u to node %u\n", c->first_unserved[i].demand, c->first_unserved[i].src,
            c->first_unserved[i].dst);
    say_more(c->unserved, RWA_UNSERVED_NAMED);
}

/* Report the command that says why the file is wrong. */
static void say_why(void)
{
    uint64_t worst = c->power.verdict == RWA_FAIL ? worst_lightpath(&c->power) : c->worst_gsnr_lightpath;
    if (lightpath == RWA_NO_INDEX && c->violations == c->by_kind[RWA_VIOLATION_POWER] &&
        (c->power.verdict != RWA_FAIL || isfinite(c->power.margin_db)))
        say_next("why: the budget of the worst lightpath", "check", "lightpath format",
                 phrase("%s --lightpath %" PRIu64, args.file, worst));
}

static void say_report(void)
{
    int assignment = is_assignment();
    say_budget(&c->budget);
    if (c->budget.step > 0)
        say("\n");
    if (c->ok)
        say("ok: %s%s\n", args.file, rules_text(!assignment));
    else
        say_kinds(c, args.file);
    if (c->power.verdict == RWA_FAIL)
        say_power(c);
    if (!c->ok && c->budget.step == 0)
        say_broken(c, args.file);
    say_declared();
    if (!assignment)
        say("Steps             %u\n", c->steps);
    if (!assignment && c->ok)
        say_time(c->time_s, c, target.opts.rate_bps);
    say_lightpaths(c);
    if (c->receivers > 1)
        say("Taps              up to %u nodes receive a lightpath\n", c->receivers);
    if (c->down > 0) {
        say_routes("Down", c->down, c->backups_down);
        say(" of them, as the file says\n");
    }
    if (args.verbose)
        say("Channels used     at most %u in one direction in one step\n", c->wavelengths_used);
    if (c->tunings > 0)
        say_tunings(c);
    if (assignment && !c->counts_slots)
        say_used(c, c->wavelengths_used);
    else
        say_bound(c, NULL);
    if (c->gsnr_checked > 0)
        say("GSNR              %s; least margin %.2f dB among them (lightpath %" PRIu64
            ": %.2f dB, needed %.2f)\n",
            counted(c->gsnr_checked, "lightpath"), c->gsnr_margin_db, c->worst_gsnr_lightpath, c->worst_gsnr_db,
            c->worst_gsnr_db - c->gsnr_margin_db);
    if (has_gsnr())
        say("  lightpath %-8" PRIu64 "%.2f dB, needs %.2f dB: margin %.2f dB\n", c->gsnr_lightpath, c->gsnr_db,
            c->gsnr_needed_db, c->gsnr_db - c->gsnr_needed_db);
    if (!assignment && !plant.transmission && c->power.verdict != RWA_FAIL)
        say_power(c);
    if (!is_plain(args.file) || strcmp(args.file, "-") == 0)
        return;
    if (!c->ok)
        say_why();
    else if (!assignment && !plant.transmission)
        say_next("how far from the least possible, and why", "explain",
                 "lightpath format plot time-limit rate", args.file);
}

/* Refuse --lightpath, with the reason, if the check gave that lightpath neither a link budget nor a GSNR.  Return 0 or
 * the exit code. */
static int refuse_lightpath(void)
{
    if (lightpath == RWA_NO_INDEX || c->budget.step > 0 || has_gsnr())
        return 0;
    return lightpath >= c->lightpaths
               ? BAD_INPUT("--lightpath %" PRIu64 ": %s has %s, expected a number below", lightpath, args.file,
                           counted(c->lightpaths, "lightpath"))
               : BAD_INPUT("--lightpath %" PRIu64 ": its power is not computed: %s", lightpath,
                           !target.device_name  ? "--device is missing"
                           : c->power_unchecked ? c->power_unchecked
                                                 : "its route or a wavelength of its step is wrong");
}

static int draw_budget(void)
{
    const rwa_link_budget *b = &c->budget;
    static char *text;
    if (b->step == 0)
        return BAD_INPUT("--plot draws a link budget, expected --lightpath and a device of micro-rings");
    const char *title = phrase("Link budget of lightpath %" PRIu64 ", node %u to %u, wavelength %u, on %s",
                               b->lightpath, b->route.src, b->receiver, b->route.wavelength,
                               rwa_device_name(target.device));
    MUST(CALL(rwa_view_budget, &text, b, title));
    return WRITE(rwa_text_write, text, plot_file);
}

/* ---- the command ---- */

static int check_document(void)
{
    static rwa_media_check *check;
    MUST(CALL(rwa_media_check_file, &check, args.file, target.device));
    const rwa_media_report *verdict = rwa_media_check_summary(check);
    say("%s: %s, %s, %s\n", verdict->ok ? "ok" : "WRONG", args.file, counted(verdict->channels, "media channel"),
        counted(verdict->violations, "violation"));
    for (size_t i = 0; i < verdict->named; i++)
        say("  %s\n", rwa_media_check_violation(check, i));
    say_more(verdict->violations, verdict->named);
    return verdict->ok ? EXIT_YES : EXIT_NO;
}

static int check_schedule(void)
{
    static rwa_check *check;
    rwa_check_options opts;
    check_options(&opts);
    opts.limits = &limits;
    opts.rate_bps = target.opts.rate_bps;
    opts.transmission = plant.transmission;
    opts.lightpath = lightpath;
    MUST(CALL(rwa_check_file, &check, args.file, &opts));
    c = rwa_check_summary(check);
    MUST(refuse_lightpath());
    if (plot_file)
        MUST(draw_budget());
    MUST(print_answer(say_report, report, NULL));
    return c->ok ? EXIT_YES : EXIT_NO;
}

/* Tell whether to check the file as a document of media channels: the output is text, the name ends in .json, and the
 * file is no assignment and has no header of a schedule. */
static int is_document(void)
{
    rwa_reader *reader = NULL;
    int is = ends_with(args.file, ".json") && output.format == AS_TEXT && !rwa_assignment_is_file(args.file) &&
             rwa_reader_open(&reader, args.file, NULL, NULL) != RWA_OK;
    rwa_reader_free(reader);
    return is;
}

/* Tell whether --device names a fibre profile. */
static int is_fiber(void)
{
    rwa_fiber_profile *profile = NULL;
    int is = target.device_name && rwa_fiber_profile_open(&profile, target.device_name, NULL) == RWA_OK;
    rwa_fiber_profile_free(profile);
    return is;
}

/* Open the device of --device: a fibre profile for an assignment, a profile of micro-rings or of fibre for a schedule.
 * A missing input file is no error here: the reader of the file reports it later.  Return 0, or the exit code after an
 * error message. */
static int open_device(void)
{
    if (rwa_assignment_is_file(args.file) || is_fiber()) {
        plant.device = target.device_name;
        MUST(refuse_given("power-model", "is for schedules on devices of micro-rings"));
        return plant_open(0);
    }
    if (strcmp(args.file, "-") == 0 || access(args.file, F_OK) == 0)
        MUST(refuse_given("modulations", "is for assignments, this file is none"));
    return device_apply();
}

static int run(void)
{
    if (!args.file)
        return BAD_INPUT("no file given, expected for example: rwa check plan.jsonl");
    MUST(refuse_alpha());
    MUST(open_device());
    return is_document() ? check_document() : check_schedule();
}

const command command_check = {
    "check",
    "verify a schedule or an assignment",
    "rwa check FILE [options]\n\n"
    "Verifies a schedule, independently of the planner: channels, continuity, causality and completeness, power "
    "with a device, and its time.  Verifies an assignment: channels, continuity and the bound's witness.  With a "
    "fibre profile as device every lightpath must reach its end among all others.  Exit 1: a violation.\n\n"
    "Examples:\n"
    "  rwa check plan.jsonl\n"
    "  rwa check plan.jsonl.gz --device onoc-typical --format json\n"
    "  rwa check plan.jsonl --device conservative --lightpath 12\n"
    "  rwa check plan.jsonl --cost overlap --alpha 1us\n",
    TABLES(device_options, power_options, modulation_options, report_options, own_options, cost_options, rate_options),
    1,
    run,
    init};
