/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain_file.h"
#include "cli/plan_report.h"
#include "commands.h"

static uint32_t stage;

static const option own_options[] = {{"stage", "S", "only this step", IS_COUNT(stage, 1, UINT32_MAX)}, {0}};

/* Read the schedule of a file as a plan. */
static int read_plan(rwa_plan **plan, const char *file)
{
    static rwa_schedule *sched;
    MUST(refuse_others("stage device power-model time-limit", "the file gives it"));
    MUST(explain_wrong(file));
    MUST(CALL(rwa_schedule_read, &sched, file, NULL));
    MUST(device_apply());
    planning_ready();
    return CALL(rwa_plan_from_schedule, plan, sched, &planning);
}

/* Explain the plan; if there is none, say why. */
static int explain(const rwa_plan *plan)
{
    static char *text;
    if (!rwa_plan_schedule(plan)) {
        say_no_plan(rwa_plan_summary(plan));
        return EXIT_NO;
    }
    MUST(CALL(rwa_plan_explain, &text, plan, stage));
    if (stage == 0) {
        explain_plan(plan, text);
        return EXIT_YES;
    }
    say("%s", text);
    print_said(-1, WRAP_PROSE);
    return EXIT_YES;
}

/* Report the link budget of the worst lightpath of the plan, or of the plan that was refused. */
static int explain_budget(const rwa_plan *plan)
{
    const rwa_schedule *sched = rwa_plan_schedule(plan) ? rwa_plan_schedule(plan) : rwa_plan_refused(plan);
    const rwa_check_report *known = rwa_plan_summary(plan)->check;
    static rwa_check *check;
    rwa_check_options opts;
    if (!sched || !known->power_checked || known->power_unchecked)
        return 0;
    check_options(&opts);
    opts.lightpath = worst_lightpath(&known->power);
    MUST(CALL(rwa_check_schedule, &check, sched, &opts));
    say("Lightpath with the %s\n",
        opts.lightpath == known->power.least_margin_lightpath ? "least margin" : "worst bit error rate");
    say_budget(&rwa_check_summary(check)->budget);
    return 0;
}

static int run(void)
{
    static rwa_plan *plan;
    if (args.file && rwa_assignment_is_file(args.file)) {
        MUST(refuse_others("", "the file is an assignment, expected rwa check or rwa gsnr"));
        return explain_assignment(args.file);
    }
    MUST(args.file ? read_plan(&plan, args.file) : make_plan(&plan));
    int answer = explain(plan);
    if (answer == EXIT_YES || answer == EXIT_NO)
        MUST(explain_budget(plan));
    return answer;
}

const command command_explain = {"explain",
                                 "say how a plan is made, and why it is as good as it is",
                                 "rwa explain --network SPEC [options]\n"
                                 "       rwa explain FILE [--stage S] [--device NAME|FILE]\n\n"
                                 "Walks through a plan, or the schedule of a file: the task, the path of a block "
                                 "step by step, the bounds with their proofs, and the link budget.  Of an "
                                 "assignment: its fullest link, and why fewer wavelengths do not suffice.  Of what "
                                 "was refused or is wrong: why.\n\n"
                                 "Examples:\n"
                                 "  rwa explain --network ring:16 -w 2 --scheme optree --radix 4,4 --stage 1\n"
                                 "  rwa explain plan.jsonl --device onoc-typical\n"
                                 "  rwa explain assignment.jsonl\n",
                                 TABLES(TARGET_TABLES, scheme_options, PLANNING_TABLES, own_options),
                                 1,
                                 run,
                                 NULL};
