/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Broadcasts as a scatter and then an all-gather, each by the scheme that is quickest for it: together they take about twice as long as
 * the message takes to leave the root, where a tree whose lightpaths carry the whole message takes many times that.  All-gathers as a
 * gather to the centre and a broadcast from there, reduce-scatters as a reduce and a scatter.  All-reduces as a broadcast backwards, which
 * is a reduce to its root, and then forwards; those of short vectors in a single step.
 */
#include "delivery/exchange_load.h"
#include "plan/plan.h"
#include "schedule/schedule.h"

/** Sums of more pairs of a node and a block are not joined: the checker follows them one by one. */
enum { SUMS_MOST = 1 << 27 };
/** Networks of more unlike nodes take long to plan twice where each step pays for its tuning. */
enum { UNLIKE_NODES = 2048 };

/** Two collectives that one after the other are a third, through one node where it has no root. */
static const struct sequence {
    rwa_collective_kind whole, first, last;
    bool last_leads;            /* the last one is planned before the first: it takes longer, and needs a quicker one less often */
} sequences[] = {
    {RWA_BROADCAST, RWA_SCATTER, RWA_ALL_GATHER, true},
    {RWA_ALL_GATHER, RWA_GATHER, RWA_BROADCAST, false},
    {RWA_REDUCE_SCATTER, RWA_ROOTED_REDUCE, RWA_SCATTER, true},
    {RWA_ALL_REDUCE, RWA_ROOTED_REDUCE, RWA_BROADCAST, true},
};

/** NULL: there is none. */
static const struct sequence *sequence_of(rwa_collective_kind whole)
{
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        if (sequences[i].whole == whole)
            return &sequences[i];
    return NULL;
}

static bool has_root(rwa_collective_kind kind)
{
    return kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE || kind == RWA_SCATTER || kind == RWA_GATHER;
}

/** Whether its message is what one node has of that of all together. */
static bool is_shared(rwa_collective_kind kind)
{
    return kind == RWA_SCATTER || kind == RWA_GATHER || kind == RWA_ALL_GATHER;
}

/** A collective that the whole is made of, on as many bytes and with its root; false: the numbers are too large. */
static bool open_share(rwa_collective *share, const rwa_collective *whole, rwa_collective_kind kind)
{
    uint64_t bytes = whole->message_bytes, nodes = whole->nodes;
    if (is_shared(kind) && !is_shared(whole->kind))
        bytes = ceil_div(bytes, nodes);
    else if (is_shared(whole->kind) && !is_shared(kind))
        bytes *= nodes;
    return rwa_collective_init(share, kind, whole->nodes, has_root(kind) ? whole->root : 0, bytes, 0, NULL) == RWA_OK;
}

static rwa_status least_time(double *least_s, const struct plan_task *t, rwa_collective_kind kind, rwa_error *err)
{
    rwa_collective coll;
    struct plan_task share = *t;
    *least_s = INFINITY;
    if (!open_share(&coll, t->coll, kind))
        return RWA_OK;
    share.coll = &coll;
    return task_least_time(least_s, &share, err);
}

/** The quickest plan of such a collective, if it takes less than that. */
static rwa_status plan_share(rwa_plan **out, const struct plan_task *t, rwa_collective_kind kind, double below_s, rwa_error *err)
{
    struct plan_task share = *t;
    rwa_collective coll;
    *out = NULL;
    if (below_s <= 0 || !open_share(&coll, t->coll, kind))
        return RWA_OK;
    share.coll = &coll;
    share.below_s = below_s;
    share.lightpaths_most = t->once ? JOINED_RECORDS_MOST : 0;
    share.records_most = t->once ? 0 : JOINED_RECORDS_MOST;
    return plan_quickest(out, &share, err);
}

/* ---- one schedule ---- */

static uint64_t joined_records(const rwa_schedule *s, bool once)
{
    return once ? rwa_schedule_lightpaths(s) : rwa_schedule_records(s);
}

/** A lightpath as step `base` + its own, with its blocks cut into `parts` each; lists: those of its record. */
static rwa_status append_cut(rwa_schedule *to, const struct walk *w, rwa_lists lists, uint32_t base, uint32_t parts, rwa_run *run,
                             rwa_error *err)
{
    rwa_lightpath lp = w->lp;
    rwa_run one;
    uint32_t count, runs = 0;
    const rwa_run *from = rwa_lists_runs(&count, &one, &w->whole, &lists);
    const rwa_collective *coll = rwa_schedule_collective(w->sched);
    bool arcs = network_has_arcs(rwa_schedule_network(w->sched));
    bool whole = (arcs && coll->kind != RWA_ALL_TO_ALL) || w->turn == 0; /* else orbits move the blocks of an owner together, no more */
    uint64_t blocks = 0, all = whole ? coll->blocks : coll->blocks / coll->nodes;
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t k = 0, together; k < from[r].count; k += together) {
            uint64_t first = walk_block(w, from[r].first + (uint64_t)k * from[r].stride), behind = all - first % all;
            together = from[r].stride > 1 ? 1 : behind < from[r].count - k ? (uint32_t)behind : from[r].count - k;
            rwa_run next = {(uint32_t)(first * parts), together * parts, 1};
            runs = run_append(run, runs, next);
            blocks += next.count;
        }
    lp.step += base;
    lp.block = run[0].first;
    lists.blocks = NULL;
    lists.runs = run;
    lists.run_count = runs;
    lists.block_count = (uint32_t)blocks;
    return rwa_schedule_add_lists(to, &lp, &lists, err);
}

rwa_status schedule_append_steps(rwa_schedule *to, const rwa_schedule *from, uint32_t steps, bool once, rwa_error *err)
{
    uint32_t base = rwa_schedule_steps(to), parts;
    rwa_run *run = base_array(rwa_schedule_collective(from)->blocks, sizeof *run, err);
    struct walk_memory memory = {0};
    rwa_status st = run ? RWA_OK : RWA_NOMEM;
    TRY(st);
    parts = (uint32_t)(rwa_schedule_collective(to)->blocks / rwa_schedule_collective(from)->blocks);
    TRY(schedule_reserve(to, joined_records(from, once), err));
    for (uint32_t step = 1; step <= steps; step++)
        for (struct walk w = walk_step(from, step); walk_next(&w);) {
            rwa_lists moved, lists = schedule_lists(from, w.record);
            TRY(walk_lists(&moved, &memory, &w, err));
            lists.path = moved.path;
            w.lp = once ? w.lp : w.whole;
            TRY(append_cut(to, &w, lists, base, parts, run, err));
            w.turn = once ? w.turn : w.whole.orbit - 1;
        }
done:
    free(run);
    free(memory.words);
    return st;
}

/** Name both parts in the schedule. */
static rwa_status name_both(rwa_schedule *sched, const char *last, const char *last_scheme, const char *first, const char *first_scheme,
                            rwa_error *err)
{
    char name[2 * TERM_TEXT + RWA_ERROR_TEXT];
    snprintf(name, sizeof name, NAME_OF_SEQUENCE, last, last_scheme, first, first_scheme);
    return schedule_rename(sched, name, err);
}

/** The two as one plan of the task's collective; NULL: it would be too large. */
static rwa_status join(rwa_plan **out, const rwa_plan *begin, const rwa_plan *end, const struct plan_task *t, rwa_error *err)
{
    const rwa_schedule *first = begin->schedule, *last = end->schedule;
    const rwa_collective *from = rwa_schedule_collective(first), *to = rwa_schedule_collective(last);
    uint64_t blocks = from->blocks / common_divisor(from->blocks, to->blocks) * to->blocks;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    bool sums = t->once || rwa_collective_is_reduction(t->coll->kind);
    if (joined_records(first, t->once) + joined_records(last, t->once) > JOINED_RECORDS_MOST || blocks > JOINED_BLOCKS_MOST ||
        (sums && blocks > SUMS_MOST / t->coll->nodes))
        return RWA_OK;
    uint32_t root = has_root(t->coll->kind) ? t->coll->root : 0;
    TRY(rwa_collective_init(&coll, t->coll->kind, t->coll->nodes, root, t->coll->message_bytes, blocks, err));
    TRY(plan_create(&plan, end->summary.scheme, err));
    TRY(rwa_schedule_create_among(&plan->schedule, t->net, &coll, rwa_schedule_members(first), end->summary.scheme, err));
    TRY(schedule_append_steps(plan->schedule, first, rwa_schedule_steps(first), t->once, err));
    TRY(schedule_append_steps(plan->schedule, last, rwa_schedule_steps(last), t->once, err));
    TRY(name_both(plan->schedule, rwa_collective_name(to->kind), rwa_schedule_scheme(last), rwa_collective_name(from->kind),
                  rwa_schedule_scheme(first), err));
    plan->summary.scatter_scheme = begin->summary.scheme;
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(plan->schedule);
    TRY(plan_times(&plan->summary, plan->schedule, &t->opts->cost, err));
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

/** How much less two plans may take one after the other: the second is tuned while the first one sends. */
static double hidden_time(const struct plan_task *t)
{
    return t->opts->cost.model == RWA_COST_OVERLAP ? t->opts->cost.reconfig_s : 0;
}

/** Both parts of the task's sequence, the second one limited by what the first one leaves. */
static rwa_status plan_two(rwa_plan **out, const struct plan_task *t, double below_s, rwa_error *err)
{
    const struct sequence *s = sequence_of(t->coll->kind);
    rwa_collective_kind kind[2] = {s->last_leads ? s->last : s->first, s->last_leads ? s->first : s->last};
    rwa_plan *plan[2] = {NULL, NULL};
    double least_s[2], both_s = below_s + hidden_time(t);
    rwa_status st = RWA_OK;
    TRY(least_time(&least_s[0], t, kind[0], err));
    TRY(least_time(&least_s[1], t, kind[1], err));
    if (least_s[0] + least_s[1] >= both_s)
        goto done;
    TRY(plan_share(&plan[0], t, kind[0], both_s - least_s[1], err));
    if (plan[0] && plan[0]->schedule)
        TRY(plan_share(&plan[1], t, kind[1], both_s - plan[0]->summary.time_s, err));
    if (plan[1] && plan[1]->schedule)
        TRY(join(out, plan[s->last_leads], plan[!s->last_leads], t, err));
done:
    rwa_plan_free(plan[0]);
    rwa_plan_free(plan[1]);
    return st;
}

static bool leads_both_ways(const rwa_network *net)
{
    return rwa_network_is_paired(net) && !network_has_failed_links(net);
}

/** Whether the collective is a broadcast run backwards, or backwards and then forwards. */
static bool is_mirrored(const struct plan_task *t)
{
    rwa_collective_kind kind = t->coll->kind;
    return kind == RWA_ROOTED_REDUCE || (kind == RWA_ALL_REDUCE && leads_both_ways(t->net));
}

/** A reduce and a broadcast that are the all-reduce, or the broadcast that is both.  Planned only where other plans take twice the
 *  all-reduce's bound or more: below that, no cell of the time grid gained.  Of short vectors also where the bound leaves it a chance;
 *  then, and where links failed, without searches: of 150 all-reduces on networks of unlike nodes 10 were quicker by up to a third,
 *  of 66 with failed links 11 by up to 0.4. */
static rwa_status plan_halves(rwa_plan **out, const struct plan_task *t, bool mirrored, double below_s, rwa_error *err)
{
    const double chance = 0.98;
    double least_s, both_s, half_s = (below_s + hidden_time(t)) / 2;
    struct plan_task half = *t;
    MUST(least_time(&least_s, t, RWA_BROADCAST, err));
    MUST(least_time(&both_s, t, RWA_ALL_REDUCE, err));
    bool far = both_s < below_s / 2 && !network_has_failed_links(t->net);
    half.without |= far ? 0 : SEARCHES;
    if (least_s >= half_s || (!far && (!task_takes_few_steps(t, both_s) || least_s >= half_s * chance)))
        return RWA_OK;
    if (!mirrored)
        return plan_two(out, &half, below_s, err);
    MUST(plan_share(out, &half, RWA_BROADCAST, half_s, err));
    if (*out)
        (*out)->summary.scatter_scheme = (*out)->summary.scheme;
    return RWA_OK;
}

/** A reduce is a broadcast run backwards, and an all-reduce one backwards and then forwards. */
static rwa_status reverse(rwa_plan *plan, const struct plan_task *t, rwa_error *err)
{
    rwa_collective coll;
    MUST(rwa_collective_init(&coll, t->coll->kind, t->coll->nodes, t->coll->root, t->coll->message_bytes,
                             rwa_schedule_collective(plan->schedule)->blocks, err));
    MUST(reverse_plan(plan, plan, t->net, &coll, err));
    if (coll.kind == RWA_ALL_REDUCE) {
        const char *both = rwa_schedule_scheme(plan->schedule);
        MUST(name_both(plan->schedule, "broadcast", both, "reduce", both, err));
    }
    return plan_times(&plan->summary, plan->schedule, &t->opts->cost, err);
}

/* ---- one step ---- */

/** The same lightpaths, each with its source's contribution; NULL: they are not one for each pair, in one step. */
static rwa_status sum_at_once(rwa_plan **out, const rwa_plan *gather, const struct plan_task *t, rwa_error *err)
{
    const rwa_schedule *from = gather->schedule;
    uint64_t nodes = t->coll->nodes;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    if (rwa_schedule_steps(from) > 1 || rwa_schedule_records(from) != nodes * (nodes - 1))
        return RWA_OK;
    TRY(rwa_collective_init(&coll, RWA_ALL_REDUCE, t->coll->nodes, 0, t->coll->message_bytes, 1, err));
    TRY(plan_create(&plan, gather->summary.scheme, err));
    TRY(rwa_schedule_create_among(&plan->schedule, t->net, &coll, rwa_schedule_members(from), gather->summary.scheme, err));
    for (uint64_t i = 0; i < rwa_schedule_records(from); i++) {
        rwa_lightpath lp = schedule_lightpath(from, i);
        rwa_lists lists = schedule_lists(from, i);
        lp.block = 0;
        lp.op = RWA_REDUCE;
        TRY(rwa_schedule_add_lists(plan->schedule, &lp, &lists, err));
    }
    TRY(plan_times(&plan->summary, plan->schedule, &t->opts->cost, err));
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

/** An all-reduce of short vectors: every node sends its own to every other, as in an all-gather of so many bytes. */
static rwa_status plan_at_once(rwa_plan **out, const struct plan_task *t, double below_s, rwa_error *err)
{
    struct plan_task task = *t;
    rwa_plan_options o = *t->opts;
    rwa_collective coll;
    rwa_plan *gather = NULL;
    double least_s;
    rwa_status st = RWA_OK;
    if (rwa_collective_init(&coll, RWA_ALL_GATHER, t->coll->nodes, 0, t->coll->message_bytes, 0, NULL) != RWA_OK)
        return RWA_OK;
    o.scheme = "one-stage";
    task.coll = &coll;
    task.opts = &o;
    task.below_s = below_s;
    TRY(task_least_time(&least_s, &task, err));
    if (least_s < below_s)
        TRY(plan_quickest(&gather, &task, err));
    if (gather && gather->schedule)
        TRY(sum_at_once(out, gather, t, err));
done:
    rwa_plan_free(gather);
    return st;
}

/** Where links lead both ways, so that a reduce takes as long as a broadcast, and small all-reduces elsewhere; all-gathers and
 *  reduce-scatters, and in the model `paper` all-reduces, where nodes are not alike, so that there is a centre. */
static bool is_possible(const struct plan_task *t)
{
    rwa_collective_kind kind = t->coll->kind;
    bool tuned = t->opts->cost.model != RWA_COST_PAPER, both_ways = leads_both_ways(t->net);
    bool centred = !network_is_transitive(t->net) && (tuned || t->coll->nodes <= UNLIKE_NODES);
    bool rooted = kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE, all_reduce = kind == RWA_ALL_REDUCE;
    if (network_is_one_hop(t->net) || !(both_ways || (all_reduce && task_is_thorough(t))))
        return false;
    return rooted || !both_ways || (centred && sequence_of(kind)) || (all_reduce && tuned);
}

/** From where a broadcast to all is shortest; where all nodes are alike, from the first. */
static rwa_status find_centre(uint32_t *centre, const struct plan_task *t, rwa_error *err)
{
    struct distances d = {0};
    bool alike = network_is_transitive(t->net) && !t->opts->members;
    rwa_status st = alike ? RWA_OK : distances_open(&d, t->net, err);
    *centre = alike || st != RWA_OK ? 0 : distances_centre(&d, t->opts->members, t->coll->nodes);
    distances_free(&d);
    return st;
}

/** By the scheme named. */
static rwa_status plan_share_by(rwa_plan **out, const struct plan_task *t, rwa_collective_kind kind, const char *scheme, rwa_error *err)
{
    struct plan_task share = *t;
    rwa_plan_options o = *t->opts;
    rwa_collective coll;
    o.scheme = scheme;
    share.opts = &o;
    share.coll = &coll;
    if (!open_share(&coll, t->coll, kind))
        return RWA_OK;
    return is_composite_name(scheme) ? plan_named(out, &share, err) : plan_quickest(out, &share, err);
}

static rwa_status plan_both(rwa_plan **out, const struct plan_task *t, const struct sequence_names *names, rwa_error *err)
{
    rwa_plan *first = NULL, *last = NULL;
    rwa_status st = RWA_OK;
    TRY(plan_share_by(&first, t, names->first, names->first_scheme, err));
    TRY(plan_share_by(&last, t, names->last, names->last_scheme, err));
    if (first && first->schedule && last && last->schedule)
        TRY(join(out, first, last, t, err));
done:
    rwa_plan_free(first);
    rwa_plan_free(last);
    return st;
}

/** What is carried out forwards, backwards, or both for the task's collective: a broadcast for a reduce and an all-reduce, else itself.
 *  Its root is the centre where the task's has none. */
static rwa_status open_forward(struct plan_task *forward, rwa_collective *coll, const struct plan_task *task, rwa_error *err)
{
    bool whole = !is_mirrored(task);
    *coll = *task->coll;
    coll->kind = whole ? coll->kind : RWA_BROADCAST;
    *forward = *task;
    forward->coll = coll;
    forward->once = !whole;
    return has_root(task->coll->kind) ? RWA_OK : find_centre(&coll->root, task, err);
}

rwa_status plan_named_sequence(rwa_plan **out, const struct plan_task *task, const struct sequence_names *names, rwa_error *err)
{
    rwa_collective_kind kind = task->coll->kind;
    rwa_collective coll;
    struct plan_task forward;
    const struct sequence *s = sequence_of(kind == RWA_ROOTED_REDUCE ? RWA_BROADCAST : kind);
    bool fits = s && names->first == s->first && names->last == s->last, sums = fits && kind == RWA_ALL_REDUCE && is_mirrored(task);
    bool two = fits && !sums;
    rwa_status st = RWA_OK;
    if (!fits || network_is_one_hop(task->net) || (kind != RWA_ALL_REDUCE && !leads_both_ways(task->net)))
        return base_fail(err, RWA_BADARG, "%s after %s is not planned for %s on this network", rwa_collective_name(names->last),
                         rwa_collective_name(names->first), rwa_collective_name(kind));
    TRY(open_forward(&forward, &coll, task, err));
    if (two)
        TRY(plan_both(out, &forward, names, err));
    else
        TRY(plan_share_by(out, &forward, RWA_BROADCAST, names->last_scheme, err));
    if (*out && (*out)->schedule && sums)
        (*out)->summary.scatter_scheme = (*out)->summary.scheme;
    if (*out && (*out)->schedule && forward.once)
        TRY(reverse(*out, task, err));
    return RWA_OK;
done:
    rwa_plan_free(*out);
    *out = NULL;
    return st;
}

rwa_status plan_sequence(rwa_plan **out, const struct plan_task *task, double below_s, rwa_error *err)
{
    struct plan_task forward;
    rwa_collective coll;
    rwa_status st = RWA_OK;
    *out = NULL;
    if (task->coll->kind == RWA_ALL_REDUCE && !network_has_arcs(task->net) && !network_is_one_hop(task->net))
        TRY(plan_at_once(out, task, below_s, err));
    if (*out || !is_possible(task))
        return RWA_OK;
    TRY(open_forward(&forward, &coll, task, err));
    if (task->coll->kind == RWA_ALL_REDUCE)
        TRY(plan_halves(out, &forward, is_mirrored(task), below_s, err));
    else
        TRY(plan_two(out, &forward, below_s, err));
    if (*out && forward.once)
        TRY(reverse(*out, task, err));
    if (!*out || (*out)->summary.time_s < below_s)
        return RWA_OK;
done:
    rwa_plan_free(*out);
    *out = NULL;
    return st;
}
