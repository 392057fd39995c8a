/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_report.h"
#include "commands.h"

#include <sys/stat.h>

static uint32_t stage;

static const option own_options[] = {{"stage", "S", "only this step", IS_COUNT(stage, 1, UINT32_MAX)}, {0}};

/* ---- files ---- */

static const rwa_check_report *c;       /* of the file */

/* Run the checker on args.file, within --time-limit, and set c to its report.  Return 0 or the exit code. */
static int check_file(void)
{
    static rwa_check *verdict;
    rwa_check_options opts;
    rwa_limits limits;
    rwa_limits_init(&limits);
    check_options(&opts);
    limits.time_limit_s = planning.time_limit_s;
    opts.limits = &limits;
    MUST(CALL(rwa_check_file, &verdict, args.file, &opts));
    c = rwa_check_summary(verdict);
    return 0;
}

static rwa_assignment *a;       /* in the file, and its network */
static const rwa_network *net;

/* Report the link that most lightpaths cross; in the undirected model, the fibre pair.  Return 0, or the exit code if
 * memory runs out. */
static int say_fullest(void)
{
    static uint32_t *load;
    int both = rwa_assignment_model(a) == RWA_UNDIRECTED;
    uint32_t most = 0;
    rwa_link fullest = {0};
    rwa_route route;
    MUST(NEW(load, rwa_network_links(net)));
    for (uint64_t i = 0; i < rwa_assignment_count(a); i++) {
        rwa_assignment_get(&route, a, i);
        for (uint32_t k = 0; k < route.hops; k++) {
            uint32_t link = rwa_assignment_link(a, i, k), now = ++load[both ? rwa_network_pair(net, link) : link];
            fullest = now > most ? rwa_network_link(net, link) : fullest;
            most = now > most ? now : most;
        }
    }
    say("Fullest link      %s %s %s, crossed by %s\n", node_text(net, fullest.from), both ? "-" : "to",
        node_text(net, fullest.to), counted(most, "lightpath"));
    return 0;
}

/* Explain an assignment file: the task, the fullest link, what is not served and why, the bound with its proof, and
 * what is wrong.  Return the exit code. */
static int explain_assignment(void)
{
    MUST(CALL(rwa_assignment_read, &a, args.file));
    MUST(check_file());
    net = rwa_assignment_network(a);
    say("Assignment        %s of %u nodes, over %u %s\n", counted(c->lightpaths - c->backups + c->unserved, "demand"),
        rwa_network_nodes(net), model_links(net, rwa_assignment_model(a)),
        rwa_assignment_model(a) == RWA_UNDIRECTED ? "fibre pairs" : "directed links");
    say_lightpaths(c);
    MUST(say_fullest());
    say_unserved(a);
    say_used(c, rwa_assignment_summary(a)->wavelengths);
    if (!c->ok) {
        say_kinds(c, args.file);
        say_broken(c, args.file);
    }
    print_said(WRAP_HANG, WRAP_PROSE);
    return c->ok ? EXIT_YES : EXIT_NO;
}

/* Check a schedule file, unless it is a pipe, which can be read only once.  If the file is wrong, report which lines
 * break which rules and return EXIT_NO; else return EXIT_YES. */
static int explain_wrong(void)
{
    struct stat about;
    if (stat(args.file, &about) != 0 || !S_ISREG(about.st_mode)) /* what comes through a pipe can be read only once */
        return EXIT_YES;
    MUST(check_file());
    if (c->ok)
        return EXIT_YES;
    say_kinds(c, args.file);
    say_broken(c, args.file);
    print_said(-1, WRAP_PROSE);
    return EXIT_NO;
}

/* ---- plans ---- */

static rwa_plan *plan;

/* Set `plan` to the schedule of args.file, with bounds, time and check.  Return 0; EXIT_NO if the file is wrong, after
 * a report of what it breaks; or another exit code after an error message. */
static int read_plan(void)
{
    static rwa_schedule *sched;
    MUST(refuse_others("stage device power-model time-limit cost alpha reconfig packet flit clock",
                       "the file gives it"));
    MUST(explain_wrong());
    MUST(CALL(rwa_schedule_read, &sched, args.file, NULL));
    MUST(device_apply());
    planning_ready();
    return CALL(rwa_plan_from_schedule, &plan, sched, &planning);
}

/* Explain the plan, or one stage of it with --stage, and return EXIT_YES.  If there is no plan, say why and return
 * EXIT_NO.  After an error message return another exit code. */
static int explain(void)
{
    static char *text;
    if (!rwa_plan_schedule(plan)) {
        say_no_plan(rwa_plan_summary(plan));
        return EXIT_NO;
    }
    MUST(CALL(rwa_plan_explain, &text, plan, stage));
    if (stage == 0) {
        explain_plan(plan, text);
    } else {
        say("%s", text);
        print_said(-1, WRAP_PROSE);
    }
    return EXIT_YES;
}

/* Report the link budget of the worst lightpath of the plan, or of the plan that was refused; nothing if power was not
 * fully checked.  Return 0 or the exit code. */
static int explain_budget(void)
{
    const rwa_schedule *sched = rwa_plan_schedule(plan) ? rwa_plan_schedule(plan) : rwa_plan_refused(plan);
    const rwa_check_report *known = rwa_plan_summary(plan)->check;
    static rwa_check *budgeted;
    rwa_check_options opts;
    if (!sched || !known->power_checked || known->power_unchecked)
        return 0;
    check_options(&opts);
    opts.lightpath = worst_lightpath(&known->power);
    MUST(CALL(rwa_check_schedule, &budgeted, sched, &opts));
    say("Lightpath with the %s\n",
        opts.lightpath == known->power.least_margin_lightpath ? "least margin" : "worst bit error rate");
    say_budget(&rwa_check_summary(budgeted)->budget);
    return 0;
}

static int run(void)
{
    if (args.file && rwa_assignment_is_file(args.file)) {
        MUST(refuse_others("", "the file is an assignment, expected rwa check or rwa gsnr"));
        return explain_assignment();
    }
    MUST(args.file ? read_plan() : make_plan(&plan));
    int answer = explain();
    if (answer == EXIT_YES || answer == EXIT_NO)
        MUST(explain_budget());
    return answer;
}

const command command_explain = {"explain",
                                 "say how a plan is made, and why it is as good as it is",
                                 "rwa explain --network SPEC [options]\n"
                                 "       rwa explain FILE [--stage S] [--device NAME|FILE] [--cost MODEL]\n\n"
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
