/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Make the plays of a plan: repairs, new plans without a failed node, and translations of both. */
#include "playbook/playbook.h"

#include "collective/needs.h"
#include "foreign/folder.h"
#include "network/network.h"
#include "plan/steps.h"
#include "schedule/schedule.h"

struct maker {
    struct rwa_playbook book;
    rwa_plan_options opts;      /* of each play */
    struct budget budget;
    struct folder folder;
    double *end_s;              /* when each step of the plan ends */
    size_t done, all;
    rwa_error *err;
};

/* ---- progress ---- */

/** The poll of all plays: the fraction is that of the playbook. */
static int poll_playbook(void *maker, const char *phase, double fraction)
{
    struct maker *m = maker;
    (void)phase;
    (void)fraction;
    return base_must_stop(&m->budget, "making a playbook", (double)m->done / (double)m->all);
}

static rwa_status go_on(struct maker *m)
{
    if (!poll_playbook(m, NULL, 0))
        return RWA_OK;
    return base_fail(m->err, RWA_CANCELLED, "%s after %zu of %zu plays of the playbook; nothing was written",
                     m->budget.cancelled ? "stopped" : "time_limit_s: the time was over", m->done, m->all);
}

/** No play has a limit of its own: a poll stops it when the time of all is over. */
static rwa_status take_options(struct maker *m, const rwa_plan_options *given)
{
    rwa_plan_options o;
    MUST(base_options(rwa_plan_options, &o, given, "plan options", m->err));
    rwa_plan_options_init(&m->opts);
    m->budget = base_budget(o.time_limit_s, o.poll, o.poll_data);
    m->opts.max_hops = o.max_hops;
    m->opts.device = o.device;
    m->opts.power_model = o.power_model;
    m->opts.cost = o.cost;
    m->opts.seed = o.seed;
    m->opts.limits = o.limits;
    m->opts.poll = poll_playbook;
    m->opts.poll_data = m;
    return RWA_OK;
}

/* ---- what changes ---- */

static uint64_t hash_of(uint64_t hash, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        hash = base_random(&(uint64_t){hash ^ list[i]});
    return hash;
}

/** List the lightpaths of a step as hashes of ends, channel, route and taps, sorted; the caller frees them. */
static rwa_status list_step(uint64_t **out, size_t *count, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    size_t have = 0;
    struct walk_memory memory = {0};
    rwa_status st = RWA_OK;
    for (struct walk w = walk_step(sched, step); st == RWA_OK && walk_next(&w);) {
        uint32_t own[] = {w.lp.src, w.lp.dst, w.lp.fiber, w.lp.wavelength, w.lp.direction};
        rwa_lists lists;
        TRY(walk_lists(&lists, &memory, &w, err));
        uint64_t route = hash_of(hash_of(0, own, sizeof own / sizeof *own), lists.path, lists.path_nodes);
        st = base_append(*out, *count, have, err, hash_of(route, lists.taps, lists.tap_count));
    }
    base_sort(*out, *count, order_uint64);
done:
    free(memory.words);
    return st;
}

/** Count the lightpaths of step `at` of a schedule that `step` of the plan does not have. */
static rwa_status count_changed(uint64_t *changed, const rwa_schedule *plan, uint32_t step, const rwa_schedule *to,
                                uint32_t at, rwa_error *err)
{
    uint64_t *now = NULL, *next = NULL;
    size_t count = 0, next_count = 0;
    rwa_status st = RWA_OK;
    TRY(list_step(&now, &count, plan, step, err));
    TRY(list_step(&next, &next_count, to, at, err));
    *changed = 0;
    for (size_t i = 0; i < next_count; i++)
        *changed += count == 0 || !bsearch(&next[i], now, count, sizeof *now, order_uint64);
done:
    free_all(now, next);
    return st;
}

/** Count the blocks that other nodes need and that only a failed node has when the others begin again. */
static uint64_t count_lost(const struct rwa_playbook *b, uint32_t failure)
{
    const rwa_collective *coll = rwa_schedule_collective(b->plan);
    const uint32_t *members = rwa_schedule_members(b->plan);
    bool one_each = coll->kind == RWA_SCATTER || coll->kind == RWA_GATHER || coll->kind == RWA_ALL_TO_ALL;
    uint64_t lost = 0;
    if (rwa_collective_is_reduction(coll->kind))
        return 0;
    for (uint64_t block = 0; block < coll->blocks; block++) {
        uint32_t source = collective_source(coll, block);
        bool own = one_each && collective_needs(coll, source, block);
        lost += !own && (members ? members[source] : source) == failure;
    }
    return lost;
}

/** Fill in the figures of a play with this schedule. */
static rwa_status measure(struct maker *m, struct play *play, const rwa_schedule *sched)
{
    rwa_play *seen = &play->seen;
    seen->steps = rwa_schedule_steps(sched);
    MUST(rwa_cost_schedule(&seen->time_s, sched, &m->opts.cost, m->err));
    seen->after_s = seen->time_s - (seen->begins_again || seen->step == 1 ? 0 : m->end_s[seen->step - 2]);
    seen->lost = seen->begins_again ? count_lost(&m->book, seen->failure) : 0;
    return count_changed(&seen->changed, m->book.plan, seen->step, sched, seen->begins_again ? 1 : seen->step, m->err);
}

/* ---- plays ---- */

/** The end of a play: its file, which is read as rwa_playbook_schedule() will read it, or the reason why there is none.
 * A play that begins again is the same in all steps. */
static rwa_status end_play(struct maker *m, struct play *play, const char *path, const char *why)
{
    rwa_check_options checking;
    rwa_schedule *sched = NULL;
    uint32_t last = play->seen.begins_again ? m->book.steps : play->seen.step;
    rwa_error wrong = {.status = RWA_OK};
    rwa_status st = RWA_OK;
    rwa_check_options_init(&checking);
    checking.device = m->opts.device;
    checking.power_model = m->opts.power_model;
    play->path = path;
    if (path) {
        st = playbook_load(&sched, &m->book, play, &checking, &wrong);
        if (st != RWA_OK)
            TRY(base_fail(m->err, st == RWA_FORMAT ? RWA_BACKEND : st, "%s", wrong.text));
        play->translates = rwa_schedule_collective(sched)->blocks % rwa_schedule_collective(sched)->nodes == 0;
    } else
        TRY(arena_copy(&m->book.arena, play->seen.why, why, strlen(why) + 1) ? RWA_OK : RWA_NOMEM);
    for (uint32_t step = play->seen.step; step <= last; step++) {
        struct play *same = play_at(&m->book, play->seen.failure, step);
        *same = *play;
        same->seen.step = step;
        if (sched)
            TRY(measure(m, same, sched));
        m->done++;
    }
done:
    rwa_schedule_free(sched);
    return st;
}

/** Plan the collective among the other nodes. */
static rwa_status plan_without(rwa_plan **out, struct maker *m, struct play *play)
{
    const rwa_collective *coll = rwa_schedule_collective(m->book.plan);
    uint32_t root = playbook_root(&m->book, play), *members = NULL, count = 0;
    rwa_plan_options o = m->opts;
    rwa_collective rest;
    rwa_network *net = NULL;
    rwa_status st = RWA_OK;
    if (root == RWA_NONE || coll->nodes == 2)
        return end_play(m, play, NULL, root == RWA_NONE ? "the root is lost" : "a single node is left");
    TRY(playbook_members(&members, &count, &m->book, play, m->err));
    TRY(playbook_network(&net, &m->book, play, m->err));
    /* a node of a gather has its share of the message, also among fewer nodes */
    TRY(rwa_collective_init(&rest, coll->kind, count, root, plan_message_bytes(coll), 0, m->err));
    o.members = members;
    st = rwa_plan_make(out, net, &rest, &o, m->err);
done:
    rwa_network_free(net);
    free(members);
    return st;
}

static rwa_status repair(rwa_plan **out, struct maker *m, const struct play *play)
{
    uint32_t *links = NULL;
    size_t count = 0;
    rwa_status st = playbook_links(&links, &count, &m->book, play->seen.failure, m->err);
    if (st == RWA_OK)
        st = rwa_plan_repair(out, m->book.plan, links, count, play->seen.step, &m->opts, m->err);
    free(links);
    return st;
}

/** Write a schedule to a file of the folder.  *path NULL: memory is out. */
static rwa_status write_schedule(const char **path, struct maker *m, const char *name, const rwa_schedule *sched)
{
    *path = playbook_path(&m->book, name);
    return *path ? rwa_schedule_write_polled(sched, *path, poll_playbook, m, m->err) : RWA_NOMEM;
}

/** Make the schedule of a play that is no translation of another. */
static rwa_status make_play(struct maker *m, struct play *play)
{
    char file[64];
    const char *path = NULL;
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    TRY(play->seen.begins_again ? plan_without(&plan, m, play) : repair(&plan, m, play));
    if (!plan)
        goto done;
    const rwa_plan_report *report = rwa_plan_summary(plan);
    if (rwa_plan_schedule(plan) && report->outcome != RWA_INFEASIBLE) {
        snprintf(file, sizeof file, "%s-%u-step-%u.jsonl.gz", m->book.kind == RWA_FAILED_NODE ? "node" : "link",
                 play->seen.failure, play->seen.step);
        TRY(write_schedule(&path, m, file, rwa_plan_schedule(plan)));
    }
    st = end_play(m, play, path, report->why[0] ? report->why : rwa_outcome_text(report->outcome));
done:
    rwa_plan_free(plan);
    return st;
}

/** Fill in a play: by the schedule of another one, translated if it can be, or by one of its own. */
static rwa_status fill_play(struct maker *m, struct play *play)
{
    uint32_t move, failure = play->seen.failure,
             from = playbook_origin(&move, &m->book, failure, play->seen.step);
    const struct play *origin = play_at(&m->book, from, play->seen.step);
    if (play->path || play->seen.why[0])
        return RWA_OK;
    MUST(go_on(m));
    if (from == failure || (origin->path && !origin->translates))
        return make_play(m, play);
    play->move = move;
    return end_play(m, play, origin->path, origin->seen.why);
}

/* ---- the playbook ---- */

static rwa_status open_maker(struct maker *m, const rwa_schedule *sched, rwa_failure_kind kind)
{
    rwa_check_report report;
    double *begin_s;
    MUST(playbook_open(&m->book, sched, kind, m->err));
    MUST(check_schedule(&report, sched, NULL, m->err));
    if (!report.ok)
        return base_refuse(m->err, "the schedule is wrong: %s", report.first[0].text);
    m->all = (size_t)m->book.failures * m->book.steps;
    MUST(arena_arrays(&m->book.arena, m->book.steps, begin_s, m->end_s));
    return rwa_cost_step_times(begin_s, m->end_s, sched, 0, &m->opts.cost, m->err);
}

static rwa_status write_index(struct maker *m)
{
    struct text index = {.err = m->err};
    playbook_write(&index, &m->book);
    rwa_status st = index.status == RWA_OK ? folder_put(&m->folder, PLAYBOOK_INDEX, index.data, index.used)
                                           : index.status;
    free(index.data);
    return st;
}

rwa_status rwa_playbook_make(const char *folder, const rwa_schedule *sched, rwa_failure_kind kind,
                             const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN(err, folder, sched);
    struct maker m = {.err = err, .book.arena.err = err};
    const char *plan;
    rwa_status st = RWA_OK;
    TRY(take_options(&m, opts));
    TRY(limits_take(&m.book.limits, m.opts.limits, err));
    TRY(open_maker(&m, sched, kind));
    TRY(folder_open(&m.folder, folder, err));
    m.book.folder = m.folder.temporary;
    TRY(write_schedule(&plan, &m, PLAYBOOK_PLAN, sched));
    for (size_t i = 0; st == RWA_OK && i < m.all; i++)
        st = fill_play(&m, &m.book.plays[i]);
    if (st == RWA_CANCELLED) {
        base_begin(err);    /* one message, whatever was stopped */
        st = go_on(&m);
    }
    TRY(st);
    TRY(write_index(&m));
    TRY(folder_finish(&m.folder));
done:
    playbook_close(&m.book);
    folder_drop(&m.folder);
    return st;
}
