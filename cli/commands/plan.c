/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_report.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct plan_options {
    common common;
    target target;
    planning planning;
    repair_choice repair;
    output_choice output;
    rwa_programs programs;
    int schemes;
} plan_options;

static const option own_options[] = {
    {"repair", 0, "FILE", "finish this schedule after the links of --fail failed in step --at-step", NULL,
     IS_TEXT(plan_options, repair.file)},
    {"at-step", 0, "T", "with --repair: the step in which the links failed", NULL, IS_COUNT(plan_options, repair.at_step, 1, UINT32_MAX)},
    {"write-lp", 0, "FILE", "write each integer program before it is solved: .lp, or .mps", NULL, IS_FILE(plan_options, programs.path)},
    {"output", 'o', "FILE", "write the schedule; .gz compresses, - is standard output", NULL, IS_FILE(plan_options, output.file)},
    {"schemes", 0, NULL, "list the schemes", NULL, IS_FLAG(plan_options, schemes)},
    {0}};
static const option_group groups[] = {
    TARGET_GROUPS(plan_options), {scheme_options, offsetof(plan_options, planning.opts), NULL},
    PLANNING_GROUPS(plan_options, target.device),
    {own_options, 0, NULL},
    {report_options, offsetof(plan_options, output), NULL}, {NULL, 0, NULL}};

static plan_setting setting_of(plan_options *o)
{
    return (plan_setting){o->target.network.spec, o->target.net, &o->target.coll, &o->planning.opts, &o->repair, o->target.failed,
                          o->output, &o->common};
}

/* ---- repair ---- */

static int check_repair(const plan_options *o)
{
    int code = refuse_others(&o->common, NAMES("repair", "fail", "at-step", "network", "max-hops", "time-limit", "seed", "device",
                                               "power-model", "cost", "alpha", "reconfig", "packet", "flit", "clock", "format", "output"),
                             "the file of --repair gives it, expected only --fail, --at-step, limits, costs and a device");
    const char *fault = o->target.network.spec != NULL ? "the file gives the network" : o->target.failed == NULL ? "--fail is missing"
                        : o->repair.at_step == 0 ? "--at-step is missing" : NULL;
    return code != 0 || fault == NULL ? code
           : fail(EXIT_BAD_INPUT, "%s, expected for example: rwa plan --repair plan.jsonl --fail 17 --at-step 3", fault);
}

static int repair(plan_options *o, const rwa_schedule *sched)
{
    const rwa_network *net = rwa_schedule_network(sched);
    plan_setting setting = setting_of(o);
    uint32_t *links = NULL;
    size_t count = 0;
    char name[64], text[RWA_ERROR_TEXT];
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    int code = read_links(&links, &count, net, o->target.failed);
    if (code == 0) {
        rwa_status status = rwa_plan_repair(&plan, sched, links, count, o->repair.at_step, &o->planning.opts, &err);
        progress_clear();
        snprintf(name, sizeof name, "%s:%" PRIu32, rwa_topology_name(rwa_network_topology(net)), rwa_network_nodes(net));
        o->repair.steps_before = rwa_schedule_steps(sched);
        setting.network = name;
        setting.net = net;
        setting.coll = rwa_schedule_collective(sched);
        if (status == RWA_BADARG)   /* the schedule in the file cannot be repaired */
            code = fail(EXIT_BAD_INPUT, "--repair %s: %s", o->repair.file, fields_as_flags(text, sizeof text, err.text));
        else
            code = status == RWA_OK ? plan_answer(plan, &setting) : fail_status(status, &err, 0);
    }
    rwa_plan_free(plan);
    free(links);
    return code;
}

static int run_repair(plan_options *o)
{
    rwa_schedule *sched = NULL;
    rwa_error err = {0};
    int code = check_repair(o);
    THEN(fail_status(rwa_schedule_read(&sched, o->repair.file, &err), &err, 0));
    THEN(device_apply(&o->target.device, &o->target.network.opts, &o->planning.opts.cost, &o->common));
    if (code == 0) {
        planning_ready(&o->planning, &o->target, &o->common);
        code = repair(o, sched);
    }
    rwa_schedule_free(sched);
    target_close(&o->target);
    return code;
}

/* ---- schemes ---- */

static int list_schemes(const plan_options *o)
{
    wrap wrapped;
    int code = refuse_others(&o->common, NAMES("schemes"), "--schemes lists all schemes, expected nothing else");
    if (code != 0)
        return code;
    FILE *to = wrap_open(&wrapped, stdout);
    for (size_t i = 0; rwa_scheme_name(i) != NULL; i++)
        fprintf(to, "%-20s %s (%s)\n", rwa_scheme_name(i), rwa_scheme_summary(i), rwa_scheme_source(i));
    wrap_close(&wrapped, 21, WRAP_PROSE);
    return finish(EXIT_YES);
}

/* ---- planning ---- */

static int run(void *options)
{
    plan_options *o = options;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    if (o->schemes)
        return list_schemes(o);
    if (o->repair.file != NULL)
        return run_repair(o);
    if (o->repair.at_step > 0)
        return fail(EXIT_BAD_INPUT, "--at-step needs --repair, expected for example: rwa plan --repair plan.jsonl --fail 17 --at-step 3");
    int code = target_open(&o->target, &o->planning.opts.cost, &o->common);
    if (code == 0) {
        plan_setting setting = setting_of(o);
        planning_ready(&o->planning, &o->target, &o->common);
        o->programs.struct_size = sizeof o->programs;
        o->planning.opts.programs = o->programs.path != NULL ? &o->programs : NULL;
        rwa_status status = rwa_plan_make(&plan, o->target.net, &o->target.coll, &o->planning.opts, &err);
        progress_clear();
        code = status == RWA_OK ? plan_answer(plan, &setting) : fail_status(status, &err, 0);
        if (status == RWA_CANCELLED && signals_asked() && stopped_answer(&setting) == 0)
            code = finish(code);
        if (status == RWA_OK && o->output.format == AS_TEXT)
            print_programs(report_stream(&o->output), &o->programs);
    }
    rwa_plan_free(plan);
    target_close(&o->target);
    return code;
}

const command command_plan = {
    "plan", "make a schedule, check it, compare it with the lower bounds",
    "rwa plan --network SPEC [options]\n"
    "       rwa plan --schemes\n\n"
    "Plans a collective, checks the schedule with the independent checker, and compares it with the lower bounds.  "
    "Exit 1: no schedule satisfies the limits.\n\n"
    "Examples:\n"
    "  rwa plan --network ring:16 -w 2 --scheme optree --radix 4,4 -o plan.jsonl\n"
    "  rwa plan --network ring:64 --message 4MiB --device onoc-typical --format json\n"
    "  rwa plan --network ring:1024 --members 0-63,128-191 --reserve 0-7 --fail cw:17\n"
    "  rwa plan --network ring:1024 --scheme wavefront --max-drops 5\n"
    "  rwa plan --repair plan.jsonl --fail 7 --at-step 3 -o repaired.jsonl\n",
    groups, sizeof(plan_options), 0, run, NULL};
