/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Make the plays of a plan: repairs, new plans without a failed node, and translations of both. */
#include "playbook/playbook.h"

#include "base/json.h"
#include "foreign/folder.h"
#include "network/network.h"
#include "plan/reroute.h"
#include "plan/steps.h"
#include "schedule/schedule.h"

struct maker {
    struct rwa_playbook book;
    rwa_schedule **again;       /* see plan_repair(): for the failures that translations move to this one */
    rwa_plan_options opts;      /* of each play */
    struct budget budget;
    struct folder folder;
    size_t done, all;
    rwa_error *err;
};

/* ---- progress ---- */

/** Call the caller's poll function during the planning of a play, with the fraction of all plays that is done.  Return
 *  whether the planning must stop.  `phase` and `fraction` (of this play) are not used. */
static int poll_playbook(void *maker, const char *phase, double fraction)
{
    struct maker *m = maker;
    (void)phase;
    (void)fraction;
    return base_must_stop(&m->budget, "making a playbook", (double)m->done / (double)m->all);
}

/** Take the caller's options into m->book, and set those for planning a play, m->opts.  No play has a time limit of its
 *  own: poll_playbook() stops the planning of a play when the time of the playbook is over. */
static rwa_status take_options(struct maker *m, const rwa_plan_options *given)
{
    const rwa_plan_options *o = &m->book.opts;
    MUST(playbook_take_options(&m->book, given, m->err));
    rwa_plan_options_init(&m->opts);
    m->budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    m->opts.max_hops = o->max_hops;
    m->opts.device = o->device;
    m->opts.power_model = o->power_model;
    m->opts.cost = o->cost;
    m->opts.seed = o->seed;
    m->opts.limits = o->limits;
    m->opts.poll = m->book.checking.poll = poll_playbook;
    m->opts.poll_data = m->book.checking.poll_data = m;
    return RWA_OK;
}

/* ---- plays ---- */

/** Plan for a failure in a step: the rest of the collective or, if it begins again, all of it without the failed node.
 *  If *out stays NULL, play->seen.why says why. */
static rwa_status plan_play(rwa_plan **out, struct maker *m, struct play *play)
{
    const rwa_collective *coll = rwa_schedule_collective(m->book.plan);
    rwa_schedule **again = &m->again[playbook_origin(&play->move, &m->book, play->seen.failure, 1)];
    rwa_plan_options o = m->opts;
    rwa_collective rest;
    struct rest r;
    rwa_status st = RWA_OK;
    TRY(rest_open(&r, &m->book, play, m->err));
    if (!play->seen.begins_again)
        TRY(plan_repair(out, again, false, m->book.plan, r.links, r.link_count, play->seen.step, &o, m->err));
    else if (r.root == RWA_NONE || r.count == 1)
        play->seen.why = r.root == RWA_NONE ? "the root is lost" : "a single node is left";
    else {
        /* a node of a gather has its share of the message, also among fewer nodes */
        TRY(rwa_collective_init(&rest, coll->kind, r.count, r.root, plan_message_bytes(coll), 0, m->err));
        o.members = r.members;
        TRY(rwa_plan_make(out, r.net, &rest, &o, m->err));
    }
done:
    rest_close(&r);
    return st;
}

/** Write a schedule to the file `name` of the folder, and set *path to its path (NULL: out of memory). */
static rwa_status write_schedule(const char **path, struct maker *m, const char *name, const rwa_schedule *sched)
{
    *path = playbook_path(&m->book, name);
    return *path ? rwa_schedule_write_polled(sched, *path, poll_playbook, m, m->err) : RWA_NOMEM;
}

/** Plan for one failure in one step.  Write the schedule to a file, and its path to play->path, or the reason why there
 *  is none to play->seen.why. */
static rwa_status plan_anew(struct maker *m, struct play *play)
{
    char file[64];
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    TRY(plan_play(&plan, m, play));
    play->move = 0;
    if (!plan)
        goto done;
    const rwa_plan_report *report = rwa_plan_summary(plan);
    if (rwa_plan_schedule(plan) && report->outcome != RWA_INFEASIBLE) {
        snprintf(file, sizeof file, "%s-%u-step-%u.jsonl.gz", m->book.kind == RWA_PLAY_NODE ? "node" : "link",
                 play->seen.failure, play->seen.step);
        TRY(write_schedule(&play->path, m, file, rwa_plan_schedule(plan)));
    } else {
        const char *why = report->why[0] ? report->why : rwa_outcome_text(report->outcome);
        TRY(arena_copy(&m->book.arena, play->seen.why, why, strlen(why) + 1) ? RWA_OK : RWA_NOMEM);
    }
done:
    rwa_plan_free(plan);
    return st;
}

/** Check the schedule for a failure in a step, if there is one: load it as rwa_playbook_schedule() does.  RWA_BACKEND:
 *  the checker rejects it. */
static rwa_status check_play(const struct maker *m, const struct play *play)
{
    rwa_schedule *sched = NULL;
    rwa_error wrong = {.status = RWA_OK};
    rwa_status st = play->path ? playbook_load(&sched, &m->book, play, &wrong) : RWA_OK;
    rwa_schedule_free(sched);
    return st == RWA_OK ? st : base_fail(m->err, st == RWA_FORMAT ? RWA_BACKEND : st, "%s", wrong.text);
}

/** Make the play for a failure in a step, and check it.  Failures and steps come in ascending order.  If translations
 * map the failure to one with a lower number, the play uses the schedule of that one.  Else it is planned and written
 * to a file.  If a participant has failed, the collective begins again: the play of step 1 serves for all steps. */
static rwa_status make_play(struct maker *m, struct play *play)
{
    uint32_t step = play->seen.step, from = playbook_origin(&play->move, &m->book, play->seen.failure, step);
    const struct play *lowest = play_at(&m->book, from, step);
    if (step > 1 && play->seen.begins_again) {
        *play = *play_at(&m->book, play->seen.failure, 1);
        play->seen.step = step;
        return RWA_OK;
    }
    if (lowest->path)
        play->path = lowest->path;
    else
        MUST(plan_anew(m, play));
    return check_play(m, play);
}

static void forget_starts(struct maker *m)
{
    for (uint32_t f = 0; m->again && f < m->book.failures; f++) {
        rwa_schedule_free(m->again[f]);
        m->again[f] = NULL;
    }
}

/* ---- the playbook ---- */

static rwa_status open_maker(struct maker *m, const rwa_schedule *sched, rwa_play_kind kind)
{
    rwa_check_report report;
    MUST(playbook_open(&m->book, sched, kind, m->err));
    MUST(check_schedule(&report, sched, NULL, m->err));
    if (!report.ok)
        return base_refuse(m->err, "the schedule is wrong: %s", report.first[0].text);
    m->all = (size_t)m->book.failures * m->book.steps;
    return arena_arrays(&m->book.arena, m->book.failures, m->again);
}

static void add_play(struct text *t, const struct maker *m, const struct play *p)
{
    text_add(t, "{\"failure\":%" PRIu32 ",\"step\":%" PRIu32 ",", p->seen.failure, p->seen.step);
    if (p->path)
        text_add(t, "\"file\":\"%s\",\"move\":%" PRIu32, p->path + strlen(m->book.folder) + 1, p->move);
    else {
        text_add(t, "\"why\":");
        text_add_json(t, p->seen.why);
    }
    text_add(t, "}");
}

static rwa_status write_index(struct maker *m)
{
    struct text t = {.err = m->err};
    text_add(&t, "{\"format\":\"" PLAYBOOK_FORMAT "\",\"version\":%d,\"failures\":\"%s\",\"plays\":[", PLAYBOOK_VERSION,
             playbook_kinds[m->book.kind]);
    for (size_t i = 0; i < m->all; i++) {
        text_add(&t, i ? ",\n" : "\n");
        add_play(&t, m, &m->book.plays[i]);
    }
    text_add(&t, "\n]}\n");
    rwa_status st = t.status == RWA_OK ? folder_put(&m->folder, PLAYBOOK_INDEX, t.data, t.used) : t.status;
    free(t.data);
    return st;
}

rwa_status rwa_playbook_make(const char *folder, const rwa_schedule *sched, rwa_play_kind kind,
                             const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN(err, folder, sched);
    struct maker m = {.err = err, .book.arena.err = err};
    const char *plan;
    rwa_status st = RWA_OK;
    TRY(take_options(&m, opts));
    TRY(open_maker(&m, sched, kind));
    TRY(folder_open(&m.folder, folder, err));
    m.book.folder = m.folder.temporary;
    TRY(write_schedule(&plan, &m, PLAYBOOK_PLAN, sched));
    for (; st == RWA_OK && m.done < m.all; m.done++) {
        if (m.book.symmetric == 0 && m.done % m.book.steps == 0)
            forget_starts(&m);      /* they serve a single failure each */
        st = poll_playbook(&m, NULL, 0) ? RWA_CANCELLED : make_play(&m, &m.book.plays[m.done]);
    }
    if (st == RWA_CANCELLED) {
        base_begin(err);    /* one message, whatever was stopped */
        base_fail(err, st, "%s after %zu of %zu plays of the playbook; nothing was written",
                  m.budget.cancelled ? "stopped" : "time_limit_s: the time was over", m.done, m.all);
    }
    TRY(st);
    TRY(write_index(&m));
    TRY(folder_finish(&m.folder));
done:
    forget_starts(&m);
    playbook_close(&m.book);
    folder_drop(&m.folder);
    return st;
}
