/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "playbook.h"

enum { PLAYS_SHOWN = 8 };

static const rwa_playbook *book;
static const rwa_plan_report *s;
static const char *network;
static uint32_t failures, steps;

/* The figures of all plays. */
static struct summary {
    const rwa_play *slowest;    /* NULL: there are no schedules */
    double sum_s;
    uint32_t made, missing;
    uint64_t most_changed, lost;
} all;

static const rwa_play *play_at(size_t i)
{
    return rwa_playbook_play(book, (uint32_t)(i / steps), (uint32_t)(i % steps) + 1);
}

static void sum_up(void)
{
    all = (struct summary){.made = 0};
    for (size_t i = 0; i < (size_t)failures * steps; i++) {
        const rwa_play *p = play_at(i);
        all.lost = p->lost > all.lost ? p->lost : all.lost;
        all.missing += p->steps == 0;
        if (p->steps == 0)
            continue;
        all.made++;
        all.sum_s += p->after_s;
        all.most_changed = p->changed > all.most_changed ? p->changed : all.most_changed;
        all.slowest = !all.slowest || p->after_s > all.slowest->after_s ? p : all.slowest;
    }
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
                    "folder:s failures:u steps:u time_seconds:f made:u missing:u worst_after_seconds:f "
                    "mean_after_seconds:f most_changed:U plays:o",
                    output.file, failures, steps, s->time_s, all.made, all.missing,
                    all.slowest ? all.slowest->after_s : NAN, all.sum_s / all.made, all.most_changed,
                    json_list((size_t)failures * steps, play_json));
}

/* ---- text ---- */

static void say_plays(void)
{
    static const char heading[] = "Failure";
    size_t count = (size_t)failures * steps, shown = count < PLAYS_SHOWN ? count : PLAYS_SHOWN;
    size_t widest = strlen(heading);
    for (size_t i = 0; i < shown; i++)
        widest = strlen(play_at(i)->name) > widest ? strlen(play_at(i)->name) : widest;
    say("\n%-*s %4s %5s %12s %10s\n", (int)widest, heading, "step", "steps", "time after", "to change");
    for (size_t i = 0; i < shown; i++) {
        const rwa_play *p = play_at(i);
        say("%-*s %4u %5s %12s %10s%s\n", (int)widest, p->name, p->step,
            CELL(p->steps > 0, p->steps), TIME_TEXT(p->after_s), CELL(p->steps > 0, p->changed),
            p->begins_again && p->steps > 0 ? "  begins again" : "");
    }
    if (count > PLAYS_SHOWN)
        say("... and %zu more (--format json lists all)\n", count - PLAYS_SHOWN);
}

/* Report the first failure that leaves no way to finish. */
static void say_missing_plays(void)
{
    size_t i = 0;
    say("Cannot be repaired ");
    if (all.missing == 0) {
        say("none\n");
        return;
    }
    while (play_at(i)->steps > 0)
        i++;
    say("%u of %u; %s in step %u: %s\n", all.missing, all.missing + all.made, play_at(i)->name, play_at(i)->step,
        AS_FLAGS(play_at(i)->why));
}

static void say_report(void)
{
    const rwa_schedule *plan = rwa_playbook_plan(book);
    int nodes = rwa_playbook_kind(book) == RWA_FAILED_NODE;
    say_task(network, rwa_schedule_collective(plan));
    say(": %s by %s in %s\n", TIME_TEXT(s->time_s), rwa_schedule_scheme(plan), COUNTED(steps, "step"));
    say("Playbook          %s, each in %s: %s, checked\n",
        COUNTED(failures, nodes ? "node" : rwa_network_is_paired(rwa_schedule_network(plan)) ? "fibre pair" : "link"),
        COUNTED(steps, "step"), COUNTED(all.made, "schedule"));
    if (all.slowest)
        say("Time after        at most %s (%s in step %u), %s on average\n", TIME_TEXT(all.slowest->after_s),
            all.slowest->name, all.slowest->step, TIME_TEXT(all.sum_s / all.made));
    say("To change         at most %s of the next step\n", COUNTED(all.most_changed, "lightpath"));
    if (nodes)
        say("Lost              at most %s with a node\n", COUNTED(all.lost, "block"));
    say_missing_plays();
    say_plays();
    say_written();
}

int playbook_answer(const rwa_plan *plan, const char *name, rwa_failure_kind kind, double limit_s)
{
    rwa_playbook *read = NULL;
    rwa_plan_options opts = planning;
    opts.time_limit_s = limit_s;
    int code = WRITE(rwa_playbook_make, output.file, rwa_plan_schedule(plan), kind, &opts);
    THEN(CALL(rwa_playbook_read, &read, output.file, NULL));
    if (code == 0) {
        book = read;
        s = rwa_plan_summary(plan);
        network = name;
        failures = rwa_playbook_failures(read);
        steps = s->steps;
        sum_up();
        code = print_answer(say_report, report_json, NULL);
    }
    rwa_playbook_free(read);
    return code;
}
