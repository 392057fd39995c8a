/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_report.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct explain_options {
    common common;
    target target;
    planning planning;
    uint32_t stage;
} explain_options;

static const option own_options[] = {
    {"stage", 0, "S", "only this step", NULL, IS_COUNT(explain_options, stage, 1, UINT32_MAX)}, {0}};
static const option_group groups[] = {
    TARGET_GROUPS(explain_options), {scheme_options, offsetof(explain_options, planning.opts), NULL},
    PLANNING_GROUPS(explain_options, target.device), {own_options, 0, NULL}, {NULL, 0, NULL}};

static int explain(const explain_options *o, const rwa_plan *plan)
{
    rwa_error err = {0};
    char *text = NULL;
    if (rwa_plan_schedule(plan) == NULL) {
        print_no_plan(stdout, rwa_plan_summary(plan));
        return finish(EXIT_NO);
    }
    rwa_status status = rwa_plan_explain(&text, plan, o->target.device.device, o->stage, &err);
    if (status == RWA_OK) {
        wrap wrapped;
        fputs(text, wrap_open(&wrapped, stdout));
        wrap_close(&wrapped, -1, WRAP_PROSE);
    }
    rwa_text_free(text);
    return status == RWA_OK ? finish(EXIT_YES) : fail_status(status, &err, 0);
}

/* Plan, then explain. */
static int run_plan(explain_options *o)
{
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    int code = target_open(&o->target, &o->planning.opts.cost, &o->common);
    if (code == 0) {
        plan_setting setting = {.net = o->target.net, .coll = &o->target.coll, .opts = &o->planning.opts};
        planning_ready(&o->planning, &o->target, &o->common);
        rwa_status status = rwa_plan_make(&plan, o->target.net, &o->target.coll, &o->planning.opts, &err);
        progress_clear();
        code = status == RWA_OK ? explain(o, plan) : fail_status(status, &err, 0);
        if (status == RWA_CANCELLED && stopped_answer(&setting) == 0)
            code = finish(code);
    }
    rwa_plan_free(plan);
    return code;
}

/* Explain the schedule of a file. */
static int run_file(explain_options *o, const char *file)
{
    rwa_schedule *sched = NULL;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    int code = refuse_others(&o->common, NAMES("stage", "device", "power-model", "time-limit"), "the file gives it");
    if (code == 0 && rwa_is_assignment_file(file))
        code = fail(EXIT_BAD_INPUT, "%s is an assignment, expected a schedule; rwa show draws assignments", file);
    THEN(fail_status(rwa_schedule_read(&sched, file, &err), &err, 0));
    THEN(device_apply(&o->target.device, &o->target.network.opts, &o->planning.opts.cost, &o->common));
    if (code == 0) {
        planning_ready(&o->planning, &o->target, &o->common);
        rwa_status status = rwa_plan_from_schedule(&plan, sched, &o->planning.opts, &err);
        progress_clear();
        code = status == RWA_OK ? explain(o, plan) : fail_status(status, &err, 0);
    }
    rwa_plan_free(plan);
    rwa_schedule_free(sched);
    return code;
}

static int run(void *options)
{
    explain_options *o = options;
    const char *file = o->common.operands[0];
    int code = file != NULL ? run_file(o, file) : run_plan(o);
    target_close(&o->target);
    return code;
}

const command command_explain = {
    "explain", "say how a plan is made, and why it is as good as it is",
    "rwa explain --network SPEC [options]\n"
    "       rwa explain FILE [--stage S] [--device NAME|FILE]\n\n"
    "Walks through a plan, or the schedule of a file: the task, the path of a block step by step, the "
    "bound, and the power budget.\n\n"
    "Examples:\n"
    "  rwa explain --network ring:16 --wavelengths 2\n"
    "  rwa explain --network ring:16 -w 2 --scheme optree --radix 4,4 --stage 1\n"
    "  rwa explain --network ring:64 --wavelengths 8 --device onoc-typical\n"
    "  rwa explain plan.jsonl\n",
    groups, sizeof(explain_options), 1, run, NULL};
