/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain_file.h"
#include "cli/plan_report.h"
#include "commands.h"

static uint32_t stage;

static const option own_options[] = {{"stage", "S", "only this step", IS_COUNT(stage, 1, UINT32_MAX)}, {0}};

/* Read the schedule of a file as a plan. */
static int read_plan(rwa_plan **plan, const char *file)
{
    rwa_schedule *sched = NULL;
    int code = refuse_others("stage device power-model time-limit", "the file gives it");
    THEN(explain_wrong(file));
    THEN(CALL(rwa_schedule_read, &sched, file, NULL));
    THEN(device_apply());
    planning_ready();
    THEN(CALL(rwa_plan_from_schedule, plan, sched, &planning));
    rwa_schedule_free(sched);
    return code;
}

/* Explain the plan; if there is none, say why. */
static int explain(const rwa_plan *plan)
{
    char *text = NULL;
    if (!rwa_plan_schedule(plan)) {
        say_no_plan(rwa_plan_summary(plan));
        return EXIT_NO;
    }
    int code = CALL(rwa_plan_explain, &text, plan, stage);
    if (code == 0 && stage > 0) {
        say("%s", text);
        print_said(-1, WRAP_PROSE);
    } else if (code == 0)
        explain_plan(plan, text);
    rwa_text_free(text);
    return code;
}

/* Report the link budget of the worst lightpath of the plan, or of the plan that was refused. */
static int explain_budget(const rwa_plan *plan)
{
    const rwa_schedule *sched = rwa_plan_schedule(plan) ? rwa_plan_schedule(plan) : rwa_plan_refused(plan);
    const rwa_check_report *known = rwa_plan_summary(plan)->check;
    rwa_check *check = NULL;
    rwa_check_options opts;
    if (!sched || !known->power_checked || known->power_unchecked)
        return 0;
    check_options(&opts);
    opts.lightpath = worst_lightpath(&known->power);
    int code = CALL(rwa_check_schedule, &check, sched, &opts);
    if (code == 0)
        say("Lightpath with the %s\n",
            opts.lightpath == known->power.least_margin_lightpath ? "least margin" : "worst bit error rate");
    if (code == 0)
        say_budget(&rwa_check_summary(check)->budget);
    rwa_check_free(check);
    return code;
}

static int run(void)
{
    rwa_plan *plan = NULL;
    if (args.file && rwa_assignment_is_file(args.file)) {
        int code = refuse_others("", "the file is an assignment, expected rwa check or rwa gsnr");
        THEN(explain_assignment(args.file));
        return code;
    }
    int code = args.file ? read_plan(&plan, args.file) : make_plan(&plan);
    int answer = code == 0 ? explain(plan) : code;
    if (answer == EXIT_YES || answer == EXIT_NO)
        THEN(explain_budget(plan));
    THEN(answer);
    rwa_plan_free(plan);
    return code;
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
