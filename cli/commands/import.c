/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_report.h"
#include "commands.h"

static const char *from;    /* NULL: recognised by how the file begins */
static const char *against; /* the scheme of the plan to compare with; NULL: auto, if --against is given */

static const option own_options[] = {
    {"from", "FORMAT", "csv, harvest, msccl, mscclpp, teccl, forestcoll or chakra (recognised by how the file begins)",
     IS_NAME(from, rwa_import_format_name)},
    {"network", "SPEC|FILE", "what it runs on, as ring:16 or torus:8x8 (as a csv says; others need it)",
     IS_TEXT(target.spec)},
    {"blocks", "M", "blocks of the message (as the file says, or the usual number)",
     IS_NUMBER(target.blocks, 1, UINT32_MAX)},
    {"against", "SCHEME", "judge it beside rwa's own plan, by auto or this scheme", IS(against, read_scheme),
     .names = rwa_scheme_name, .low = 1, .field = "scheme"},
    {"max-hops", "H", "no lightpath longer than H links", IS_COUNT(planning.max_hops, 1, RWA_NODES_MAX)},
    {0}};

/* The schedule that was read, and what is known about it. */
static rwa_import found;
static rwa_schedule *sched;
static const rwa_network *net;
static const rwa_collective *coll;
static rwa_plan *judged, *own;  /* the schedule as a plan; librwa's plan for the same message, NULL: not asked for */
static const rwa_plan_report *s, *ours;     /* of these two */
static double begin_s;          /* begin of the work that --time-limit limits */

/* ---- reading and judging ---- */

static int read_schedule(void)
{
    rwa_import_options opts;
    rwa_import_options_init(&opts);
    opts.format = from;
    opts.collective = given("collective") ? target.kind : (rwa_collective_kind)0;
    opts.root = target.root;
    opts.message_bytes = target.message;
    opts.blocks = target.blocks;
    opts.plan = &planning;
    MUST(CALL(rwa_schedule_import, &sched, &found, args.file, target.net, &opts));
    net = rwa_schedule_network(sched);
    coll = rwa_schedule_collective(sched);
    return 0;
}

/* If no option gives the wavelengths, take those of the network that the file names, if it names one. */
static void take_wavelengths(void)
{
    rwa_import_options opts;
    rwa_import first;
    rwa_schedule *read = NULL;
    rwa_import_options_init(&opts);
    opts.format = from;
    if (given("wavelengths") || target.device_name || strcmp(args.file, "-") == 0)
        return;
    if (rwa_schedule_import(&read, &first, args.file, NULL, &opts, NULL) == RWA_OK)
        target.opts.wavelengths = rwa_network_wavelengths(rwa_schedule_network(read));
    rwa_schedule_free(read);
}

static int judge(void)
{
    rwa_plan_options opts = planning;
    opts.solver = NULL;     /* it has given the schedule its wavelengths */
    opts.time_limit_s = time_left(begin_s, 1);
    MUST(CALL(rwa_plan_from_schedule, &judged, sched, &opts));
    s = rwa_plan_summary(judged);
    return 0;
}

/* Set `own` to librwa's plan for the same collective with a message of the same size on the same network.  The planner
 * chooses the number of blocks.  Return 0 or the exit code. */
static int plan_own(void)
{
    rwa_plan_options opts = planning;
    rwa_collective same;
    opts.scheme = against;
    opts.members = rwa_schedule_members(sched);
    opts.time_limit_s = time_left(begin_s, 1);
    MUST(CALL(rwa_collective_init, &same, coll->kind, coll->nodes, coll->root, message_bytes(coll), 0));
    MUST(CALL(rwa_plan_make, &own, net, &same, &opts));
    ours = rwa_plan_summary(own);
    return 0;
}

/* ---- the report ---- */

static int has_own(void)
{
    return own && rwa_plan_schedule(own);
}

/* Return the time of the schedule divided by that of librwa's plan; NaN: unknown. */
static double times_own(void)
{
    return has_own() ? s->check->time_s / ours->time_s : NAN;
}

static double times_bound(double time_s)
{
    return has_own() && ours->time_bound_s > 0 ? time_s / ours->time_bound_s : NAN;
}

static json_t *own_json(void)
{
    if (!has_own())
        return own ? JSON("scheme:s why:s", NULL, ours->why) : json_null();
    json_t *all = JSON("scheme:s steps:u lightpaths:U longest_hops:u wavelengths_used:u time_seconds:f "
                       "time_bound_seconds:F power:o plan_seconds:f",
                       ours->scheme, ours->steps, ours->lightpaths, ours->longest_hops, ours->wavelengths_used,
                       ours->time_s, ours->time_bound_s, json_power(ours->check), ours->plan_s);
    return json_add(all, "time_ratio:f bound_ratio:f own_bound_ratio:f", times_own(),
                    times_bound(s->check->time_s), times_bound(ours->time_s));
}

static void say_verdict(void)
{
    int ok = s->check->ok;
    if (ok)
        say("Verdict           valid");
    else
        say("Verdict           NOT valid, %s", counted(s->check->violations, "violation"));
    if (own && !has_own())
        say("; %s has no plan here: %s", against ? against : "auto", as_flags(ours->why));
    else if (times_own() >= 1)
        say(times_own() == 1 ? "; takes as long as rwa's plan" : "; takes %.3g times as long as rwa's plan",
            times_own());
    else if (own && ok)
        say("; takes %.3g of the time of rwa's plan", times_own());
    say("\n");
}

static const char *const lines[] = {"steps", "  lower bound, same blocks", "time, --cost %s", "  on fullest lightpaths",
                                    "blocks on a lightpath", "longest, in hops", "wavelengths used", "power"};
enum { LINES = sizeof lines / sizeof *lines };
typedef struct column { const char *text[LINES]; } column;

/* Return the column for schedule `of` in the report's table: its numbers, from its report r, as texts in the order of
 * the labels in lines[]. */
static column column_of(const rwa_plan_report *r, const rwa_schedule *of)
{
    return (column){{cell_text(r->steps), cell_text(r->bound.value),
                     time_text(r->check->time_s), r->check->ok ? size_text((double)r->check->fullest_bytes) : "-",
                     load_text(rwa_schedule_lightpath_blocks(of), rwa_schedule_collective(of)->block_bytes),
                     cell_text(r->longest_hops), cell_text(r->wavelengths_used),
                     power_text(r->check->power.verdict)}};
}

/* Report the numbers of the schedule beside those of librwa's plan. */
static void say_table(void)
{
    column read = column_of(s, sched), planned = column_of(ours, rwa_plan_schedule(own));
    say("%29s%-24srwa's, scheme %s\n", "", "this schedule", ours->scheme);
    for (size_t i = 0; i < (target.device ? LINES : LINES - 1); i++)
        say("  %-27s%-24s%s\n", phrase(lines[i], rwa_cost_model_name(cost.model)), read.text[i], planned.text[i]);
}

static json_t *report(void)
{
    json_t *all =
        json_add(json_setting(JSON("format:s", found.format), net, coll),
                 "steps_in_file:u steps:u routes_assigned:b blocks_assigned:b lightpaths:U wavelengths_used:u "
                 "longest_hops:u block_bytes:U time_seconds:f",
                 found.steps, s->steps, found.routes_assigned, found.blocks_assigned, s->lightpaths,
                 s->wavelengths_used, s->longest_hops, coll->block_bytes, s->check->time_s);
    return json_add(add_bound(all, &s->bound, s->steps, s->outcome == RWA_OPTIMAL),
                    "power:o violations:U check:s against:o", json_power(s->check), s->check->violations,
                    check_text(s->check), own_json());
}

static void say_head(void)
{
    say_task(net, coll);
    say(", from %s\n", args.file);
    say_channels(net);
    say_missing(net, coll);
    say("Read as           %s, %s%s%s%s%s\n", found.format, counted(found.steps, "step"),
        s->steps > found.steps ? ", some of them split for lack of wavelengths" : "",
        found.routes_assigned ? "; routes and wavelengths by rwa" : "",
        found.blocks_assigned ? "; blocks to send chosen by rwa" : "",
        found.routes_assigned && rwa_schedule_lightpath_blocks(sched) > 1 ? "; blocks share lightpaths" : "");
}

static void say_report(void)
{
    say_head();
    say_verdict();
    say_violations(s->check, args.file);
    if (has_own())
        say_table();
    if (s->check->ok) {
        say_bounds_of(judged);
        say_written();
    } else {
        say_power(s->check);
    }
}

/* Write the schedule to -o unless it has violations, and then the report: in this order the report never names a file
 * that does not exist.  Return EXIT_YES, with violations EXIT_NO; another exit code after an error message. */
static int answer(void)
{
    MUST(write_schedule(sched, s->check));
    MUST(print_answer(say_report, report, NULL));
    return s->check->ok ? EXIT_YES : EXIT_NO;
}

/* ---- the command ---- */

/* Refuse options that contradict the file, and a file with a lightpath longer than --max-hops.  Return 0, or the exit
 * code after an error message. */
static int refuse_options(void)
{
    const char *why = "the file gives another value, expected no such option";
    rwa_collective asked;
    MUST(refuse_root(coll->kind));
    if (coll->root != target.root)
        MUST(refuse_given("root", why));
    if (target.blocks != coll->blocks)
        MUST(refuse_given("blocks", why));
    if (rwa_collective_init(&asked, coll->kind, coll->nodes, coll->root, target.message, coll->blocks,
                            NULL) == RWA_OK &&
        asked.block_bytes != coll->block_bytes)
        MUST(refuse_given("message", why));
    if (!found.routes_assigned)
        MUST(refuse_given("solver", "the file gives all wavelengths, expected no solver"));
    if (planning.max_hops > 0 && s->longest_hops > planning.max_hops)
        return fail(EXIT_NO, "%s has a lightpath of %u hops, more than --max-hops %u", args.file, s->longest_hops,
                    planning.max_hops);
    return 0;
}

static int run(void)
{
    begin_s = clock_s();
    if (!args.file)
        return BAD_INPUT(
            "a file is missing, expected for example: rwa import allgather.xml --network ring:16 -o imported.jsonl");
    if (!target.spec)
        MUST(refuse_given("wavelengths fibers rate ports", "needs --network"));
    MUST(refuse_alpha());
    MUST(device_apply());
    planning_ready();
    if (target.spec) {
        take_wavelengths();
        MUST(open_network());
    }
    MUST(find_root(target.net));
    MUST(read_schedule());
    MUST(judge());
    MUST(refuse_options());
    if (given("against"))
        MUST(plan_own());
    return answer();
}

const command command_import =
    {"import",
     "read another planner's schedule, complete it and check it",
     "rwa import FILE [--network SPEC] [-o OUT] [options]\n\n"
     "Reads csv, which export writes, msccl and mscclpp, teccl, forestcoll, harvest and chakra "
     "(docs/reference/formats.md), and judges the schedule: violations, time and steps beside their bounds.  "
     "Missing routes and wavelengths are assigned; a step that lacks wavelengths becomes several.  OUT is written "
     "when the schedule is right.  Exit 1: it is not.\n\n"
     "Examples:\n"
     "  rwa import allgather.xml --network ring:16 --wavelengths 4 -o imported.jsonl\n"
     "  rwa import demands.json --network torus:4x4 --format json\n"
     "  rwa import plan.json --network ring:8 --against auto\n"
     "  rwa import plan.csv -o plan.jsonl\n",
     TABLES(own_options, schedule_file_options, channel_options, collective_options, search_options, device_options,
            power_options, cost_options, report_options),
     1,
     run,
     NULL};
