/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plant.h"
#include "cli/target.h"
#include "cli/wrap.h"
#include "commands.h"

#include <unistd.h>

typedef struct check_options {
    common common;
    device_choice device;
    plant_choice plant;     /* of assignments */
    output_choice output;
    rwa_limits limits;
    rwa_cost_options cost;
    rwa_network_options net;    /* the rate only */
} check_options;

static const option limit_options[] = {
    {"time-limit", 0, "SECONDS", "stop the check; 0: no limit", "0", IS_LIMIT(rwa_limits, time_limit_s), .field = "time_limit_s"},
    {0}};

static void init_limits(void *limits)
{
    rwa_limits_init((rwa_limits *)limits);
}

static const option_group groups[] = {
    {device_options, offsetof(check_options, device), NULL}, {power_options, offsetof(check_options, device), NULL},
    {modulation_options, offsetof(check_options, plant), plant_init}, {report_options, offsetof(check_options, output), NULL},
    {limit_options, offsetof(check_options, limits), init_limits}, {cost_model_options, offsetof(check_options, cost), cost_init},
    {cost_options, offsetof(check_options, cost), NULL}, {rate_options, offsetof(check_options, net), network_init}, {NULL, 0, NULL}};

static size_t named_unserved(const rwa_check_report *c)
{
    return c->unserved < RWA_UNSERVED_NAMED ? (size_t)c->unserved : RWA_UNSERVED_NAMED;
}

static int is_assignment(const rwa_check_report *c)
{
    return c->steps == 0 && (c->lightpaths > 0 || c->unserved > 0);
}

/* ---- JSON ---- */

/* The bound that an assignment claims; null without one. */
static json_t *claim(const rwa_check_report *c)
{
    return c->bound == 0 ? json_null() : json_add(json_object(), "value:U fixed_routes:b verified:v", c->bound,
                                                      c->bound_of_routes, c->bound_verdict);
}

/* GSNR of an assignment; null when no profile was given. */
static json_t *gsnr(const rwa_check_report *c)
{
    return c->gsnr_checked == 0 ? json_null() : json_add(json_object(), "lightpaths:U worst_gsnr_db:f margin_db:f worst_lightpath:U",
                                                         c->gsnr_checked, c->worst_gsnr_db, c->gsnr_margin_db, c->worst_gsnr_lightpath);
}

static json_t *report(const rwa_check_report *c, const rwa_device *device, rwa_cost_model model)
{
    json_t *first = json_array(), *unserved = json_array();
    for (size_t i = 0; i < c->named; i++) {
        const rwa_violation *v = &c->first[i];
        uint64_t line = c->first_line[i];
        json_array_append_new(first, json_add(json_object(), "kind:s step:u lightpath:U link:U wavelength:U text:s line:o",
                                              rwa_violation_name(v->kind), v->step, v->lightpath, v->link, v->wavelength, v->text,
                                              line > 0 ? json_count(line) : json_null()));
    }
    for (size_t i = 0; i < named_unserved(c); i++) {
        const rwa_unserved *u = &c->first_unserved[i];
        json_array_append_new(unserved, json_add(json_object(), "demand:U src:u dst:u", u->demand, u->src, u->dst));
    }
    return json_add(json_object(), "ok:b violations:U first:o steps:u lightpaths:U longest_hops:u wavelengths_used:u tunings:U "
                    "tuning_cost:U finish_steps:U power:o bound:o unserved:U first_unserved:o down:U drops:u "
                    "time_seconds:f cost_model:s gsnr:o", c->ok, c->violations,
                    first, c->steps, c->lightpaths, c->longest_hops, c->wavelengths_used, c->tunings, c->tuning_cost,
                    c->finish_steps, json_power(c, device), claim(c), c->unserved, unserved, c->down, c->receivers,
                    is_assignment(c) ? NAN : c->time_s, rwa_cost_model_name(model), gsnr(c));
}

/* ---- text ---- */

static void print_unserved(FILE *to, const rwa_check_report *c)
{
    if (c->unserved == 0)
        return;
    fprintf(to, "Not served        %" PRIu64 " demand%s, as the file says\n", c->unserved, plural(c->unserved));
    for (size_t i = 0; i < named_unserved(c); i++)
        fprintf(to, "  demand %" PRIu64 ", %" PRIu32 " to %" PRIu32 "\n", c->first_unserved[i].demand,
                c->first_unserved[i].src, c->first_unserved[i].dst);
    if (c->unserved > RWA_UNSERVED_NAMED)
        fprintf(to, "  ... and %" PRIu64 " more\n", c->unserved - RWA_UNSERVED_NAMED);
}

static void print_bound(FILE *to, const rwa_check_report *c)
{
    if (c->bound > 0)
        fprintf(to, "Bound             %" PRIu64 " %s%s%s, %s\n", c->bound,
                c->bound_of_served ? "lightpath" : c->counts_slots ? "slot" : "wavelength", plural(c->bound),
                c->bound_of_routes ? " for these routes" : "",
                c->bound_verdict == RWA_PASS ? "proven by its witness" : c->bound_verdict == RWA_FAIL ? "NOT proven" : "not recomputed");
}

static void print_report(const check_options *o, const rwa_check_report *c)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    const char *file = o->common.operands[0];
    int assignment = is_assignment(c);
    if (c->ok)
        fprintf(to, "ok: %s\n", file);
    else
        fprintf(to, "WRONG: %s, %" PRIu64 " violation%s\n", file, c->violations, plural(c->violations));
    print_violations(to, c, file);
    print_unserved(to, c);
    if (!assignment)
        fprintf(to, "Steps             %" PRIu32 "\n", c->steps);
    if (!assignment && c->ok)
        fprintf(to, "Time              %s (%s cost model)\n", TIME_TEXT(c->time_s), rwa_cost_model_name(o->cost.model));
    print_lightpaths(to, c->lightpaths, c->longest_hops);
    if (c->receivers > 1)
        fprintf(to, "Taps              up to %" PRIu32 " nodes receive a lightpath\n", c->receivers);
    if (c->down > 0)
        fprintf(to, "Down              %" PRIu64 " of them, as the file says\n", c->down);
    if (o->common.verbose)
        fprintf(to, "Channels used     at most %" PRIu32 " in one direction in one step\n", c->wavelengths_used);
    if (c->tunings > 0)
        print_tunings(to, c);
    print_bound(to, c);
    if (c->gsnr_checked > 0)
        fprintf(to, "GSNR              %" PRIu64 " lightpath%s; least margin %.2f dB (lightpath %" PRIu64 ", %.2f dB)\n", c->gsnr_checked,
                plural(c->gsnr_checked), c->gsnr_margin_db, c->worst_gsnr_lightpath, c->worst_gsnr_db);
    if (!assignment)
        print_power(to, c, o->device.device);
    wrap_close(&wrapped, WRAP_HANG, 0);
}

/* ---- the command ---- */

/* A document of media channels is named .json, a schedule .jsonl. */
static int is_document(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

static int check_document(const check_options *o)
{
    rwa_media_check *check = NULL;
    rwa_error err = {0};
    rwa_status status = rwa_openconfig_check(&check, o->common.operands[0], o->device.device, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    const rwa_media_report *verdict = rwa_media_check_summary(check);
    int ok = verdict->ok;
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    fprintf(to, "%s: %s, %" PRIu64 " media channel%s, %" PRIu64 " violation%s\n", ok ? "ok" : "WRONG", o->common.operands[0],
           verdict->channels, plural(verdict->channels), verdict->violations, plural(verdict->violations));
    for (size_t i = 0; i < verdict->named; i++)
        fprintf(to, "  %s\n", rwa_media_check_violation(check, i));
    if (verdict->violations > verdict->named)
        fprintf(to, "  ... and %" PRIu64 " more\n", verdict->violations - (uint64_t)verdict->named);
    wrap_close(&wrapped, WRAP_HANG, 0);
    rwa_media_check_free(check);
    return finish(ok ? EXIT_YES : EXIT_NO);
}

static int check_schedule(check_options *o)
{
    rwa_check *check = NULL;
    rwa_check_options opts;
    rwa_error err = {0};
    rwa_check_options_init(&opts);
    opts.device = o->device.device;
    opts.power_model = o->device.model;
    opts.limits = &o->limits;
    opts.cost = &o->cost;
    opts.rate_bps = o->net.rate_bps;
    opts.transmission = o->plant.transmission;
    SHOW_PROGRESS(&opts, &o->common);
    rwa_status status = rwa_check_file(&check, o->common.operands[0], &opts, &err);
    progress_clear();
    int code = fail_status(status, &err, 0);
    const rwa_check_report *verdict = rwa_check_summary(check);
    if (code == 0 && o->output.format == AS_JSON)
        code = json_print(stdout, report(verdict, o->device.device, o->cost.model));
    else if (code == 0)
        print_report(o, verdict);
    THEN(finish(verdict->ok ? EXIT_YES : EXIT_NO));
    rwa_check_free(check);
    return code;
}

static int is_missing(const char *file)
{
    return strcmp(file, "-") != 0 && access(file, F_OK) != 0;
}

/* Of an assignment the device is a fibre profile.  The reader reports a file that is missing. */
static int open_device(check_options *o)
{
    if (rwa_is_assignment_file(o->common.operands[0])) {
        o->plant.device = o->device.name;
        int code = refuse_given(&o->common, NAMES("power-model"), "is for schedules, this file is an assignment");
        return code != 0 ? code : plant_open(&o->plant, 0, 0);
    }
    int code = is_missing(o->common.operands[0]) ? 0
             : refuse_given(&o->common, NAMES("modulations"), "is for assignments, this file is none");
    return code != 0 ? code : device_apply(&o->device, &o->net, &o->cost, &o->common);
}

static int run(void *options)
{
    check_options *o = options;
    if (o->common.operands[0] == NULL)
        return fail(EXIT_BAD_INPUT, "no file given, expected for example: rwa check plan.jsonl");
    int code = refuse_alpha(&o->cost, &o->common);
    THEN(open_device(o));
    THEN(is_document(o->common.operands[0]) && o->output.format == AS_TEXT ? check_document(o) : check_schedule(o));
    rwa_device_free(o->device.device);
    plant_close(&o->plant);
    return code;
}

const command command_check = {
    "check", "verify a schedule or an assignment",
    "rwa check FILE [options]\n\n"
    "Verifies a schedule: channels, continuity, causality and completeness, and power when a device is given; and computes its time "
    "in a cost model, independently of the planner.  Verifies an assignment: channels, continuity and the bound's witness; with a "
    "fibre profile as device, that every lightpath reaches its end in its modulation format, among all others on its fibres.\n"
    "Exit 1: a violation; exit 2: the file cannot be read.\n\n"
    "Examples:\n"
    "  rwa check plan.jsonl\n"
    "  rwa check plan.jsonl.gz --device onoc-typical --format json\n"
    "  rwa check plan.jsonl --cost overlap --alpha 1us\n",
    groups, sizeof(check_options), 1, run, NULL};
