/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fold.h"
#include "print.h"

#include <inttypes.h>
#include <string.h>

/* What is known of a schedule that was read. */
typedef struct judged {
    rwa_import found;
    rwa_schedule *sched;
    rwa_check check;
    rwa_bound bound;
    double time_s;
} judged;

static int optimal(const judged *j)
{
    return j->check.ok && j->bound.value == rwa_schedule_steps(j->sched);
}

static rwa_status read_schedule(judged *j, const rwa_network *net, const options *o, rwa_error *err)
{
    rwa_import_options opts;
    rwa_import_options_init(&opts);
    opts.format = o->from;
    opts.collective = option_given(o, "collective") ? o->collective : (rwa_collective_kind)0;
    opts.root = o->root;
    opts.message_bytes = o->message;
    opts.blocks = o->blocks;
    opts.plan = &o->plan;
    return rwa_schedule_import(&j->sched, &j->found, o->file, net, &opts, err);
}

/* For schedules as free as this one; more blocks on a lightpath than bounds are proven for have none. */
static rwa_status bound(judged *j, options *o, rwa_error *err)
{
    rwa_bound_options opts;
    rwa_bound_options_init(&opts);
    opts.members = rwa_schedule_members(j->sched);
    opts.slots = rwa_schedule_slots(j->sched);
    opts.taps = rwa_schedule_drops(j->sched) > 1;
    opts.max_drops = rwa_schedule_drops(j->sched);
    opts.poll = poll_progress;
    opts.poll_data = o;
    if (opts.slots > RWA_BOUND_SLOTS_MAX)
        return RWA_OK;
    return rwa_bound_best(&j->bound, rwa_schedule_network(j->sched), rwa_schedule_collective(j->sched), &opts, err);
}

static rwa_status judge(judged *j, options *o, rwa_error *err)
{
    rwa_check_options checking;
    rwa_check_options_init(&checking);
    checking.device = o->plan.device;
    checking.power_model = o->plan.power_model;
    checking.poll = poll_progress;
    checking.poll_data = o;
    rwa_status status = rwa_check_schedule(&j->check, j->sched, &checking, err);
    if (status == RWA_OK)
        status = rwa_cost_schedule(&j->time_s, j->sched, &o->plan.cost, err);
    if (status == RWA_OK)
        status = bound(j, o, err);
    return status;
}

static json_t *report(const judged *j, const options *o)
{
    const rwa_collective *coll = rwa_schedule_collective(j->sched);
    const rwa_network *net = rwa_schedule_network(j->sched);
    uint32_t steps = rwa_schedule_steps(j->sched);
    int has = j->bound.value > 0;
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:s}",
                     "format", j->found.format, "collective", rwa_collective_name(coll->kind), "nodes",
                     json_count(rwa_network_nodes(net)), "wavelengths", json_count(rwa_network_wavelengths(net)), "fibers",
                     json_count(rwa_network_fibers(net)), "steps_in_file", json_count(j->found.steps), "steps", json_count(steps),
                     "routes_assigned", j->found.routes_assigned, "blocks_assigned", j->found.blocks_assigned, "lightpaths",
                     json_count(rwa_schedule_lightpaths(j->sched)), "wavelengths_used", json_count(j->check.wavelengths_used),
                     "longest_hops", json_count(j->check.longest_hops), "block_bytes", json_count(coll->block_bytes), "time_seconds",
                     json_figure(j->time_s), "bound",
                     has ? json_pack("{s:s, s:o}", "name", j->bound.name, "steps", json_count(j->bound.value)) : json_null(),
                     "gap_steps", has ? json_integer((json_int_t)steps - (json_int_t)j->bound.value) : json_null(), "optimal",
                     optimal(j), "power", json_power(&j->check, o->plan.device), "violations", json_count(j->check.violations),
                     "check", j->check.ok ? "ok" : j->check.first[0].text);
}

static void text(FILE *where, const judged *j, const options *o)
{
    fold folded;
    FILE *to = fold_open(&folded, where);
    const rwa_collective *coll = rwa_schedule_collective(j->sched);
    const rwa_network *net = rwa_schedule_network(j->sched);
    uint32_t steps = rwa_schedule_steps(j->sched);
    fprintf(to, "%s of %s on ", rwa_collective_name(coll->kind), o->file);
    if (o->network != NULL)
        fputs(o->network, to);
    else
        fprintf(to, "a %s of %" PRIu32 " nodes", rwa_network_kind_name(rwa_network_get_kind(net)), rwa_network_nodes(net));
    fprintf(to, ", blocks of %" PRIu64 " bytes\n", coll->block_bytes);
    print_missing(to, net, rwa_schedule_collective(j->sched));
    fprintf(to, "Read as           %s, %" PRIu32 " step%s", j->found.format, j->found.steps, j->found.steps == 1 ? "" : "s");
    fprintf(to, "%s%s\n", j->found.routes_assigned ? "; routes and wavelengths assigned" : "",
            j->found.blocks_assigned ? "; which blocks move chosen" : "");
    fprintf(to, "Steps             %" PRIu32 "%s%s\n", steps, optimal(j) ? ", proven the fewest possible" : "",
            steps > j->found.steps ? ", as the wavelengths do not suffice for the file's" : "");
    if (j->bound.value > 0)
        fprintf(to, "  at least        %" PRIu64 " (lower bound: %s)\n", j->bound.value, j->bound.name);
    fprintf(to, "Time              ");
    print_time(to, j->time_s);
    fprintf(to, " (%s cost model)\n", rwa_cost_model_name(o->plan.cost.model));
    fprintf(to, "Lightpaths        %" PRIu64 "\nLongest lightpath %" PRIu32 " hop%s\n", rwa_schedule_lightpaths(j->sched),
            j->check.longest_hops, j->check.longest_hops == 1 ? "" : "s");
    fprintf(to, "Check             %s\n", j->check.ok ? "ok" : "WRONG");
    print_violations(to, &j->check);
    print_power(to, &j->check, o->plan.device);
    if (o->output != NULL && strcmp(o->output, "-") != 0 && j->check.ok)
        fprintf(to, "Written           %s\n", o->output);
    fold_close(&folded, FOLD_HANG, 0);
}

/* The file first, so that the summary never speaks of one that is not there; a wrong schedule is not written. */
static int answer(const judged *j, options *o)
{
    FILE *to = o->output != NULL && strcmp(o->output, "-") == 0 ? stderr : stdout;
    rwa_error err = {0};
    int code = 0;
    rwa_status status = RWA_OK;
    if (o->output != NULL && j->check.ok)
        status = rwa_schedule_write_polled(j->sched, o->output, poll_progress, o, &err);
    progress_clear();
    if (status != RWA_OK)
        return fail_status(status, &err, 1);
    if (o->json)
        code = json_print(to, report(j, o));
    else
        text(to, j, o);
    return code != 0 ? code : finish(j->check.ok ? EXIT_YES : EXIT_NO);
}

/* What the file says itself, and another number than it says is not looked for; a limit of hops holds for its lightpaths too. */
static int check_options(const judged *j, const options *o)
{
    const rwa_collective *coll = rwa_schedule_collective(j->sched);
    const char *why = "the file says something else, expected without it";
    rwa_collective asked;
    int code = refuse_root(o, coll->kind);
    if (code == 0 && coll->root != o->root)
        code = refuse_given(o, NAMES("root"), why);
    if (code == 0 && o->blocks != coll->blocks)
        code = refuse_given(o, NAMES("blocks"), why);
    if (code == 0 && rwa_collective_init(&asked, coll->kind, coll->nodes, coll->root, o->message, coll->blocks, NULL) == RWA_OK &&
        asked.block_bytes != coll->block_bytes)
        code = refuse_given(o, NAMES("message"), why);
    if (code == 0 && !j->found.routes_assigned)
        code = refuse_given(o, NAMES("solver"), "the file says all wavelengths, expected without it");
    if (code == 0 && o->plan.max_hops > 0 && j->check.longest_hops > o->plan.max_hops)
        code = fail(EXIT_NO, "%s has a lightpath of %" PRIu32 " hops, more than --max-hops %" PRIu32, o->file, j->check.longest_hops,
                    o->plan.max_hops);
    return code;
}

int command_import(options *o)
{
    judged j = {.sched = NULL};
    rwa_device *device = NULL;
    rwa_network *net = NULL;
    rwa_error err = {0};
    if (o->file == NULL)
        return fail(EXIT_BAD_INPUT, "a file is missing, expected for example: "
                    "rwa import allgather.xml --network ring:16 -o imported.jsonl");
    int code = 0;
    if (o->network == NULL)
        code = refuse_given(o, NAMES("wavelengths", "fibers", "rate", "ports"), "goes with --network, which is missing");
    if (code == 0)
        code = refuse_alpha(o);
    if (code == 0)
        code = device_apply(&device, o);
    o->plan.poll = o->plan.solving.poll = poll_progress;
    o->plan.poll_data = o->plan.solving.poll_data = o;
    if (code == 0) {
        rwa_status status = o->network != NULL ? rwa_network_open(&net, o->network, &o->net, &err) : RWA_OK;
        if (status == RWA_OK)
            status = read_schedule(&j, net, o, &err);
        if (status == RWA_OK)
            status = judge(&j, o, &err);
        progress_clear();
        code = status == RWA_OK ? check_options(&j, o) : fail_status(status, &err, 0);
        if (code == 0)
            code = answer(&j, o);
    }
    rwa_schedule_free(j.sched);
    rwa_network_free(net);
    rwa_device_free(device);
    return code;
}
