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
    {"stage", 0, "S", "only this stage of a tree, or this step", NULL, IS_COUNT(explain_options, stage, 1, UINT32_MAX)}, {NULL}};
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

static int run(void *options)
{
    explain_options *o = options;
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
    target_close(&o->target);
    return code;
}

const command command_explain = {
    "explain", "say how a plan is made, and why it is as good as it is",
    "rwa explain --network SPEC [options]\n\n"
    "Walks through a plan: the task, the groups and stages of a tree or the path of a block, how many lightpaths the "
    "heaviest link carries and why that needs so many wavelengths, the bound, and the power budget.\n\n"
    "Examples:\n"
    "  rwa explain --network ring:16 --wavelengths 2\n"
    "  rwa explain --network ring:16 -w 2 --scheme optree --radix 4,4 --stage 1\n"
    "  rwa explain --network ring:64 --wavelengths 8 --device onoc-typical\n",
    groups, sizeof(explain_options), 0, run, schemes_help};
