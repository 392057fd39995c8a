/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_report.h"
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

/* ---- playbooks ---- */

enum { PLAYS_SHOWN = 8 };

static rwa_playbook *book;
static const rwa_plan_report *s;
static uint32_t failures, steps;

/* The totals over all plays. */
static const rwa_play *slowest;     /* NULL: there are no schedules */
static const rwa_play *missing_one; /* the first without a schedule; NULL: there is none */
static double mean_s;
static uint64_t plays, made, most_changed, lost;

static const rwa_play *play_at(size_t i)
{
    return rwa_playbook_play(book, (uint32_t)(i / steps), (uint32_t)(i % steps) + 1);
}

static void sum_up(void)
{
    for (plays = 0; plays < (uint64_t)failures * steps; plays++) {
        const rwa_play *p = play_at(plays);
        if (p->steps == 0) {
            missing_one = missing_one ? missing_one : p;
            continue;
        }
        made++;
        mean_s += p->after_s;
        lost = p->lost > lost ? p->lost : lost;
        most_changed = p->changed > most_changed ? p->changed : most_changed;
        slowest = !slowest || p->after_s > slowest->after_s ? p : slowest;
    }
    mean_s /= (double)made;
}

static json_t *play_json(size_t i)
{
    const rwa_play *p = play_at(i);
    return JSON("failure:u name:s step:u begins_again:b steps:u time_seconds:f after_seconds:f changed:U lost:U why:s",
                p->failure, p->name, p->step, p->begins_again, p->steps, p->time_s, p->after_s, p->changed, p->lost,
                p->why[0] ? p->why : NULL);
}

static json_t *plays_json(void)
{
    const rwa_schedule *sched = rwa_playbook_plan(book);
    json_t *head = json_setting(json_object(), rwa_schedule_network(sched), rwa_schedule_collective(sched));
    return json_add(head,
                    "folder:s failures:u steps:u time_seconds:f made:U missing:U worst_after_seconds:f "
                    "mean_after_seconds:f most_changed:U plays:o",
                    output.file, failures, steps, s->time_s, made, plays - made,
                    slowest ? slowest->after_s : NAN, mean_s, most_changed,
                    json_list(plays, play_json));
}

static void say_plays(void)
{
    static const char heading[] = "Failure";
    size_t shown = plays < PLAYS_SHOWN ? plays : PLAYS_SHOWN;
    size_t widest = strlen(heading);
    for (size_t i = 0; i < shown; i++)
        widest = strlen(play_at(i)->name) > widest ? strlen(play_at(i)->name) : widest;
    say("\n%-*s %4s %5s %12s %10s\n", (int)widest, heading, "step", "steps", "time after", "to change");
    for (size_t i = 0; i < shown; i++) {
        const rwa_play *p = play_at(i);
        say("%-*s %4u %5s %12s %10s%s\n", (int)widest, p->name, p->step,
            cell_text(p->steps), time_text(p->after_s), p->steps > 0 ? phrase("%" PRIu64, p->changed) : "-",
            p->begins_again && p->steps > 0 ? "  begins again" : "");
    }
    if (plays > shown)
        say("... and %" PRIu64 " more (--format json lists all)\n", plays - shown);
}

static void say_playbook(void)
{
    const rwa_schedule *sched = rwa_playbook_plan(book);
    int nodes = rwa_playbook_kind(book) == RWA_PLAY_NODE;
    say_task(target.net, rwa_schedule_collective(sched));
    say(": %s by %s in %s\n", time_text(s->time_s), rwa_schedule_scheme(sched), counted(steps, "step"));
    say("Playbook          %s, each in %s: %s, checked\n",
        counted(failures, nodes ? "node" : rwa_network_is_paired(rwa_schedule_network(sched)) ? "fibre pair" : "link"),
        counted(steps, "step"), counted(made, "schedule"));
    if (slowest)
        say("Time after        at most %s (%s in step %u), %s on average\n", time_text(slowest->after_s),
            slowest->name, slowest->step, time_text(mean_s));
    say("To change         at most %s of the next step\n", counted(most_changed, "lightpath"));
    if (nodes)
        say("Lost              at most %s with a node\n", counted(lost, "block"));
    if (missing_one)
        say("Cannot be repaired %" PRIu64 " of %" PRIu64 "; %s in step %u: %s\n", plays - made, plays,
            missing_one->name, missing_one->step, as_flags(missing_one->why));
    else
        say("Cannot be repaired none\n");
    say_plays();
    say_written();
}

/* Make a playbook of the plan in the new folder of -o, within limit_s seconds (0: no limit), and report it.  Return 0,
 * or the exit code after an error message. */
static int playbook_answer(double limit_s)
{
    rwa_plan_options opts = planning;
    opts.time_limit_s = limit_s;
    MUST(WRITE(rwa_playbook_make, output.file, rwa_plan_schedule(plan), playbook, &opts));
    MUST(CALL(rwa_playbook_read, &book, output.file, &opts));
    s = rwa_plan_summary(plan);
    failures = rwa_playbook_failures(book);
    steps = s->steps;
    sum_up();
    return print_answer(say_playbook, plays_json, NULL);
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
    return playbook_answer(time_left(begin, 1));
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
