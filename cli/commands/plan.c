/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_report.h"
#include "cli/playbook.h"
#include "commands.h"

#include <sys/stat.h>

static repair_choice repair;
static int schemes, playbook = -1;
static rwa_plan *plan;

static const option own_options[] = {
    {"repair", "FILE", "finish this schedule after the links of --fail failed in step --at-step", IS_TEXT(repair.file)},
    {"at-step", "T", "with --repair: the step in which the links failed", IS_COUNT(repair.at_step, 1, UINT32_MAX)},
    {"playbook", "FAILURES",
     "links or nodes: for each single failure in each step write the schedule that takes over to the new folder of -o",
     IS_CHOICE(playbook, RWA_PLAY_LINK, "links", "nodes")},
    {"schemes", NULL, "list the schemes", IS_FLAG(schemes)},
    {0}};

/* ---- repair ---- */

#define EXAMPLE ", expected for example: rwa plan --repair plan.jsonl --fail 17 --at-step 3"

static int check_repair(void)
{
    MUST(refuse_others(
        "repair fail at-step network max-hops time-limit seed device power-model cost alpha reconfig packet flit clock "
        "format output",
        "the file of --repair gives it, expected only --fail, --at-step, limits, costs and a device"));
    const char *fault = target.spec ? "the file gives the network" : !target.failed ? "--fail is missing"
                        : repair.at_step == 0 ? "--at-step is missing" : NULL;
    return fault ? BAD_INPUT("%s" EXAMPLE, fault) : 0;
}

static int finish_schedule(const rwa_schedule *sched)
{
    static uint32_t *links;
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_error *err = new_error();
    size_t count = 0;
    MUST(read_links(&links, &count, net));
    rwa_status status = rwa_plan_repair(&plan, sched, links, count, repair.at_step, &planning, err);
    MUST(status == RWA_BADARG ? BAD_INPUT("--repair %s: %s", repair.file, as_flags(err->text)) : fail_call(status, 0));
    repair.steps_before = rwa_schedule_steps(sched);
    return plan_answer(plan, net, &repair);
}

static int run_repair(void)
{
    static rwa_schedule *sched;
    MUST(check_repair());
    MUST(CALL(rwa_schedule_read, &sched, repair.file, NULL));
    MUST(device_apply());
    planning_ready();
    return finish_schedule(sched);
}

/* ---- planning ---- */

static int list_schemes(void)
{
    MUST(refuse_others("schemes", "--schemes lists all schemes, expected nothing else"));
    for (size_t i = 0; rwa_scheme_name(i); i++)
        say("%-20s %s (%s)\n", rwa_scheme_name(i), rwa_scheme_summary(i), rwa_scheme_source(i));
    print_said(21, WRAP_PROSE);
    return EXIT_YES;
}

static int run_plan(void)
{
    if (repair.at_step > 0)
        return BAD_INPUT("--at-step needs --repair" EXAMPLE);
    if (playbook >= 0 && (!names_file() || lstat(output.file, &(struct stat){0}) == 0))
        return BAD_INPUT("--playbook needs a new folder, expected for example: -o plays");
    double begin = clock_s();
    MUST(make_plan(&plan));
    if (playbook < 0 || !rwa_plan_schedule(plan))
        return plan_answer(plan, target.net, &repair);
    return playbook_answer(plan, playbook, time_left(begin, 1));
}

static int run(void)
{
    return schemes ? list_schemes() : repair.file ? run_repair() : run_plan();
}

const command command_plan = {
    "plan",
    "make a schedule, check it, compare it with the lower bounds",
    "rwa plan --network SPEC [options]\n"
    "       rwa plan --schemes\n\n"
    "Plans a collective, checks the schedule, and compares it with the lower bounds.  Exit 1: no schedule satisfies "
    "the limits.\n\n"
    "Examples:\n"
    "  rwa plan --network ring:16 -w 2 --scheme optree --radix 4,4 -o plan.jsonl\n"
    "  rwa plan --network ring:1024 --members 0-63,128-191 --reserve 0-7 --fail cw:17\n"
    "  rwa plan --repair plan.jsonl --fail 7 --at-step 3 -o repaired.jsonl\n"
    "  rwa plan --network ring:16 --playbook links -o plays\n",
    TABLES(TARGET_TABLES, scheme_options, PLANNING_TABLES, own_options, program_options, schedule_file_options,
           report_options),
    0,
    run,
    NULL};
