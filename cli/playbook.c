/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "playbook.h"

enum { PLAYS_SHOWN = 8 };

static rwa_playbook *book;
static const rwa_plan_report *s;
static uint32_t failures, steps;

/* The totals over all plays. */
static struct {
    const rwa_play *slowest;        /* NULL: there are no schedules */
    const rwa_play *missing_one;    /* the first without a schedule; NULL: there is none */
    double mean_s;
    uint64_t plays, made, most_changed, lost;
} all;

static const rwa_play *play_at(size_t i)
{
    return rwa_playbook_play(book, (uint32_t)(i / steps), (uint32_t)(i % steps) + 1);
}

static void sum_up(void)
{
    for (all.plays = 0; all.plays < (uint64_t)failures * steps; all.plays++) {
        const rwa_play *p = play_at(all.plays);
        if (p->steps == 0) {
            all.missing_one = all.missing_one ? all.missing_one : p;
            continue;
        }
        all.made++;
        all.mean_s += p->after_s;
        all.lost = p->lost > all.lost ? p->lost : all.lost;
        all.most_changed = p->changed > all.most_changed ? p->changed : all.most_changed;
        all.slowest = !all.slowest || p->after_s > all.slowest->after_s ? p : all.slowest;
    }
    all.mean_s /= (double)all.made;
}

/* ---- JSON ---- */

static json_t *play_json(size_t i)
{
    const rwa_play *p = play_at(i);
    return JSON("failure:u name:s step:u begins_again:b steps:u time_seconds:f after_seconds:f changed:U lost:U why:s",
                p->failure, p->name, p->step, p->begins_again, p->steps, p->time_s, p->after_s, p->changed, p->lost,
                p->why[0] ? p->why : NULL);
}

static json_t *report_json(void)
{
    const rwa_schedule *plan = rwa_playbook_plan(book);
    json_t *head = json_setting(json_object(), rwa_schedule_network(plan), rwa_schedule_collective(plan));
    return json_add(head,
                    "folder:s failures:u steps:u time_seconds:f made:U missing:U worst_after_seconds:f "
                    "mean_after_seconds:f most_changed:U plays:o",
                    output.file, failures, steps, s->time_s, all.made, all.plays - all.made,
                    all.slowest ? all.slowest->after_s : NAN, all.mean_s, all.most_changed,
                    json_list(all.plays, play_json));
}

/* ---- text ---- */

static void say_plays(void)
{
    static const char heading[] = "Failure";
    size_t shown = all.plays < PLAYS_SHOWN ? all.plays : PLAYS_SHOWN;
    size_t widest = strlen(heading);
    for (size_t i = 0; i < shown; i++)
        widest = strlen(play_at(i)->name) > widest ? strlen(play_at(i)->name) : widest;
    say("\n%-*s %4s %5s %12s %10s\n", (int)widest, heading, "step", "steps", "time after", "to change");
    for (size_t i = 0; i < shown; i++) {
        const rwa_play *p = play_at(i);
        say("%-*s %4u %5s %12s %10s%s\n", (int)widest, p->name, p->step,
            cell_text(p->steps > 0, p->steps), time_text(p->after_s), cell_text(p->steps > 0, p->changed),
            p->begins_again && p->steps > 0 ? "  begins again" : "");
    }
    if (all.plays > shown)
        say("... and %" PRIu64 " more (--format json lists all)\n", all.plays - shown);
}

static void say_report(void)
{
    const rwa_schedule *plan = rwa_playbook_plan(book);
    int nodes = rwa_playbook_kind(book) == RWA_PLAY_NODE;
    say_task(target.net, rwa_schedule_collective(plan));
    say(": %s by %s in %s\n", time_text(s->time_s), rwa_schedule_scheme(plan), counted(steps, "step"));
    say("Playbook          %s, each in %s: %s, checked\n",
        counted(failures, nodes ? "node" : rwa_network_is_paired(rwa_schedule_network(plan)) ? "fibre pair" : "link"),
        counted(steps, "step"), counted(all.made, "schedule"));
    if (all.slowest)
        say("Time after        at most %s (%s in step %u), %s on average\n", time_text(all.slowest->after_s),
            all.slowest->name, all.slowest->step, time_text(all.mean_s));
    say("To change         at most %s of the next step\n", counted(all.most_changed, "lightpath"));
    if (nodes)
        say("Lost              at most %s with a node\n", counted(all.lost, "block"));
    if (all.missing_one)
        say("Cannot be repaired %" PRIu64 " of %" PRIu64 "; %s in step %u: %s\n", all.plays - all.made, all.plays,
            all.missing_one->name, all.missing_one->step, as_flags(all.missing_one->why));
    else
        say("Cannot be repaired none\n");
    say_plays();
    say_written();
}

int playbook_answer(const rwa_plan *plan, rwa_play_kind kind, double limit_s)
{
    rwa_plan_options opts = planning;
    opts.time_limit_s = limit_s;
    MUST(WRITE(rwa_playbook_make, output.file, rwa_plan_schedule(plan), kind, &opts));
    MUST(CALL(rwa_playbook_read, &book, output.file, &opts));
    s = rwa_plan_summary(plan);
    failures = rwa_playbook_failures(book);
    steps = s->steps;
    sum_up();
    return print_answer(say_report, report_json, NULL);
}
