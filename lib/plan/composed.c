/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plans composed of plans for other collectives.
 *
 * A part: take a plan of a larger collective, for example the ring's all-reduce, and keep only what a smaller
 * collective needs; this takes no longer than the whole.
 *
 * A sequence: one collective after another, each by its quickest scheme; for example, a broadcast is a scatter followed
 * by an all-gather.  If the collective has no root, the sequence goes through a central node. */
#include "plan/composed.h"

#include "delivery/exchange_load.h"
#include "plan/residual/map.h"
#include "schedule/schedule.h"

/** Size of a piece's message relative to that of the whole: the same, times the number of nodes, or divided by the
 * number of nodes. */
enum size { SAME, TIMES_NODES, OVER_NODES };

/** A composition: the collective `whole` is a part of `first`, or `first` followed by `last`. */
struct sequence {
    rwa_collective_kind whole, first;
    enum size first_size;
    rwa_collective_kind last;   /* 0: none */
    enum size last_size;
};
#define A_PART 0, SAME

static const struct sequence compositions[] = {
    {RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, SAME, A_PART},
    {RWA_ROOTED_REDUCE, RWA_ALL_REDUCE, SAME, A_PART},
    {RWA_ROOTED_REDUCE, RWA_REDUCE_SCATTER, TIMES_NODES, A_PART},
    {RWA_BROADCAST, RWA_ALL_REDUCE, SAME, A_PART},
    {RWA_BROADCAST, RWA_ALL_GATHER, SAME, A_PART},
    {RWA_GATHER, RWA_ALL_GATHER, SAME, A_PART},
    {RWA_SCATTER, RWA_REDUCE_SCATTER, TIMES_NODES, A_PART},
    {RWA_SCATTER, RWA_BROADCAST, TIMES_NODES, A_PART},
    {RWA_GATHER, RWA_ROOTED_REDUCE, TIMES_NODES, A_PART},
    {RWA_ALL_REDUCE, RWA_ALL_GATHER, SAME, A_PART},     /* an all-gather in one step, whose lightpaths each become a
                                                           sum */
    {RWA_BROADCAST, RWA_SCATTER, OVER_NODES, RWA_ALL_GATHER, OVER_NODES},
    {RWA_ROOTED_REDUCE, RWA_REDUCE_SCATTER, SAME, RWA_GATHER, OVER_NODES},
    {RWA_ALL_GATHER, RWA_GATHER, SAME, RWA_BROADCAST, TIMES_NODES},
    {RWA_REDUCE_SCATTER, RWA_ROOTED_REDUCE, SAME, RWA_SCATTER, OVER_NODES},
    {RWA_ALL_REDUCE, RWA_ROOTED_REDUCE, SAME, RWA_BROADCAST, SAME},
};

const struct sequence *composition_after(const struct sequence *c, rwa_collective_kind whole)
{
    for (c = c ? c + 1 : compositions; c < compositions + sizeof compositions / sizeof *compositions; c++)
        if (c->whole == whole)
            return c;
    return NULL;
}

/** Largest number of lightpaths of a plan of which a part is taken, and of records of a sequence. */
enum { LIGHTPATHS_MOST = 1 << 18, RECORDS_MOST = 5000000 };

/* ---- names ---- */

/** The name of a composition, split in place: "part of FIRST by SCHEME", or "LAST by SCHEME after FIRST by SCHEME". */
struct composed_name {
    char text[2 * TERM_TEXT + RWA_ERROR_TEXT];
    int first, last;            /* kinds of collectives; last 0: a part */
    const char *first_scheme, *last_scheme;
};

/** End the text at the separator, and return the text behind it; NULL: there is no separator. */
static char *cut(char *text, const char *separator)
{
    char *at = text ? strstr(text, separator) : NULL;
    if (at)
        *at = '\0';
    return at ? at + strlen(separator) : NULL;
}

/** Parse a `text` of the form "KIND by SCHEME": set *kind to the kind of collective, and return the scheme's name.  The
 * name is a part of `text`, which is cut behind KIND.  Return NULL if the text has another form. */
static const char *read_plan(int *kind, char *text)
{
    const char *scheme = cut(text, " by ");
    *kind = scheme ? rwa_collective_find(text) : 0;
    return *kind > 0 ? scheme : NULL;
}

static bool read_name(struct composed_name *out, const char *name)
{
    static const char begin[] = "part of ";
    const size_t length = sizeof begin - 1;
    *out = (struct composed_name){.last = 0};
    if (!name || strlen(name) >= sizeof out->text)
        return false;
    memcpy(out->text, name, strlen(name) + 1);
    if (strncmp(name, begin, length) == 0)
        return (out->first_scheme = read_plan(&out->first, out->text + length)) != NULL;
    out->first_scheme = read_plan(&out->first, cut(out->text, " after "));
    out->last_scheme = out->first_scheme ? read_plan(&out->last, out->text) : NULL;
    return out->last_scheme != NULL;
}

bool is_composite_name(const char *scheme)
{
    struct composed_name name;
    return read_name(&name, scheme);
}

/* ---- the collectives that it is made of ---- */

/** Set *centre to the node from which a broadcast to all nodes is shortest; on a network where all nodes are alike, to
 * the first node. */
static rwa_status find_centre(uint32_t *centre, const struct plan_task *t, rwa_error *err)
{
    struct distances d = {0};
    bool alike = network_is_one_hop(t->net) || (network_is_transitive(t->net) && !t->opts->members);
    rwa_status st = alike ? RWA_OK : distances_open(&d, t->net, err);
    *centre = alike || st != RWA_OK ? 0 : distances_centre(&d, t->opts->members, t->coll->nodes);
    distances_free(&d);
    return st;
}

/** Set up the collective of a piece: one of the collectives of which the composition is made.  Return false if its
 * message is too large.
 * @param size  of the piece's message, relative to the message of the whole
 * @param root  used if this kind of collective has a root */
static bool open_piece(rwa_collective *out, const struct plan_task *t, rwa_collective_kind kind, enum size size,
                       uint32_t root)
{
    uint64_t bytes = t->coll->message_bytes, nodes = t->coll->nodes;
    if (size == TIMES_NODES && bytes > UINT64_MAX / nodes)
        return false;
    bytes = size == TIMES_NODES ? bytes * nodes : size == OVER_NODES ? ceil_div(bytes, nodes) : bytes;
    return rwa_collective_init(out, kind, t->coll->nodes, rwa_collective_has_root(kind) ? root : 0, bytes, 0, NULL) ==
           RWA_OK;
}

/** A composition for one task, with the collectives of its pieces. */
struct sequencing {
    const struct sequence *c;
    const struct plan_task *task;
    rwa_collective piece[2];    /* first and last */
    const char *scheme[2];      /* to plan them by; NULL: any */
    size_t pieces;              /* 0: the numbers are too large */
};

static rwa_status open_composing(struct sequencing *c, rwa_error *err)
{
    const struct sequence *of = c->c;
    uint32_t root = c->task->coll->root;
    if (of->last && !rwa_collective_has_root(of->whole))
        MUST(find_centre(&root, c->task, err));
    if (open_piece(&c->piece[0], c->task, of->first, of->first_size, root))
        c->pieces = !of->last ? 1 : open_piece(&c->piece[1], c->task, of->last, of->last_size, root) ? 2 : 0;
    return RWA_OK;
}

/** Return the time that two plans may save when one follows the other: the second is reconfigured while the first still
 * sends. */
static double hidden_time(const struct sequencing *c)
{
    const rwa_cost_options *cost = &c->task->opts->cost;
    return c->pieces > 1 && cost->model == RWA_COST_OVERLAP ? cost->reconfig_s : 0;
}

/** Compute a lower bound on the time of each piece (least_s), and one on the time of the whole composition (*sum_s):
 * the sum of these, less the time that the pieces may overlap (hidden_time()).  *sum_s is INFINITY if there are no
 * pieces. */
static rwa_status least_times(double least_s[2], double *sum_s, const struct sequencing *c, rwa_error *err)
{
    *sum_s = c->pieces > 0 ? -hidden_time(c) : INFINITY;
    for (size_t i = 0; i < c->pieces; i++) {
        struct plan_task piece = *c->task;
        piece.coll = &c->piece[i];
        MUST(task_least_time(&least_s[i], &piece, err));
        *sum_s += least_s[i];
    }
    return RWA_OK;
}

rwa_status composition_least_time(double *seconds, const struct sequence *of, const struct plan_task *t,
                                  rwa_error *err)
{
    struct sequencing c = {.c = of, .task = t};
    double least_s[2];
    MUST(open_composing(&c, err));
    return least_times(least_s, seconds, &c, err);
}

/** Plan piece i by its scheme, if that takes less than below_s seconds; otherwise *out stays NULL. */
static rwa_status plan_piece(rwa_plan **out, const struct sequencing *c, size_t i, double below_s, rwa_error *err)
{
    struct plan_task piece = *c->task;
    rwa_plan_options o = *c->task->opts;
    o.scheme = c->scheme[i] ? c->scheme[i] : c->c->whole == RWA_ALL_REDUCE && !c->c->last ? "one-stage" : NULL;
    piece.opts = &o;
    piece.coll = &c->piece[i];
    piece.below_s = isfinite(below_s) ? below_s : 0;
    if (c->pieces > 1)
        piece.records_most = RECORDS_MOST;
    else
        piece.lightpaths_most = LIGHTPATHS_MOST;
    return plan_quickest(out, &piece, err);
}

/* ---- a part ---- */

/** Tell whether a part of the schedule `outer` for the collective `coll` is made and checked soon.  Its blocks are as
 * many as both collectives can be divided into. */
static bool is_small(const rwa_schedule *outer, const rwa_collective *coll)
{
    enum { SMALL_HELD = 1 << 22, SMALL_MOVED = 1 << 24 };     /* limits on blocks at all nodes, and on all lightpaths */
    uint64_t blocks = rwa_schedule_collective(outer)->blocks;
    double lightpaths = (double)rwa_schedule_lightpaths(outer);
    blocks *= coll->blocks / common_divisor(blocks, coll->blocks);
    return lightpaths <= LIGHTPATHS_MOST && (double)coll->nodes * (double)blocks <= SMALL_HELD &&
           lightpaths * rwa_schedule_lightpath_blocks(outer) <= SMALL_MOVED;
}

/** Turn the schedule of an all-gather into one of an all-reduce (`whole`): each lightpath adds the vector that it
 * carries to the sum at its receiver.  *out stays NULL unless each node sends its whole vector to every other node in a
 * single step.
 * @param name  of the scheme, for the new schedule */
static rwa_status sum_in_one_step(rwa_schedule **out, const rwa_schedule *gather, const rwa_collective *whole,
                                  const char *name, rwa_error *err)
{
    rwa_collective coll;
    rwa_status st = RWA_OK;
    if (rwa_schedule_steps(gather) > 1 || rwa_schedule_records(gather) != (uint64_t)whole->nodes * (whole->nodes - 1))
        return RWA_OK;
    TRY(rwa_collective_init(&coll, whole->kind, whole->nodes, 0, whole->message_bytes, 1, err));
    TRY(rwa_schedule_create_among(out, rwa_schedule_network(gather), &coll, rwa_schedule_members(gather), name, err));
    for (uint64_t i = 0; i < rwa_schedule_records(gather); i++) {
        rwa_lightpath lp = schedule_lightpath(gather, i);
        rwa_lists lists = schedule_lists(gather, i);
        lp.block = 0;
        lp.op = RWA_REDUCE;
        TRY(rwa_schedule_add_lists(*out, &lp, &lists, err));
    }
done:
    return schedule_keep(out, st);
}

/** Take from the schedule `outer` the part that carries out collective `coll`.  *out stays NULL if there is no such
 * part, or if `outer` is too large. */
static rwa_status take_part(rwa_schedule **out, const rwa_schedule *outer, const rwa_collective *coll, rwa_error *err)
{
    char name[RWA_ERROR_TEXT + TERM_TEXT];
    snprintf(name, sizeof name, "part of %s by %s", rwa_collective_name(rwa_schedule_collective(outer)->kind),
             rwa_schedule_scheme(outer));
    if (!is_small(outer, coll))
        return RWA_OK;
    return coll->kind == RWA_ALL_REDUCE ? sum_in_one_step(out, outer, coll, name, err)
                                        : restrict_schedule(out, outer, coll, UINT32_MAX, name, err);
}

/* ---- a sequence ---- */

/** Append the current lightpath of the walk `w` to the schedule `to`, with its step increased by `base`.  Each block
 * that it carries is cut into `parts` blocks.
 * @param lists  the blocks of the lightpath's record, but the path and taps of the lightpath itself
 * @param run    memory for as many runs as the lightpath has blocks */
static rwa_status append_cut(rwa_schedule *to, const struct walk *w, rwa_lists lists, uint32_t base, uint32_t parts,
                             rwa_run *run, rwa_error *err)
{
    rwa_lightpath lp = w->lp;
    rwa_run one;
    uint32_t count, runs = 0;
    const rwa_run *from;
    count = rwa_lists_runs(&from, &one, &w->whole, &lists);
    const rwa_collective *coll = rwa_schedule_collective(w->sched);
    bool arcs = network_has_arcs(rwa_schedule_network(w->sched));
    /* otherwise an orbit can only move the blocks of an owner together */
    bool whole = (arcs && coll->kind != RWA_ALL_TO_ALL) || w->turn == 0;
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
    uint32_t *words = NULL;
    rwa_status st = RWA_OK;
    rwa_run *run;
    MUST(base_new(run, rwa_schedule_collective(from)->blocks, err));
    parts = (uint32_t)(rwa_schedule_collective(to)->blocks / rwa_schedule_collective(from)->blocks);
    TRY(schedule_reserve(to, once ? rwa_schedule_lightpaths(from) : rwa_schedule_records(from), err));
    for (uint32_t step = 1; step <= steps; step++)
        for (struct walk w = walk_step(from, step); walk_next(&w);) {
            rwa_lists moved, lists = w.lists;
            TRY(walk_lists(&moved, &words, &w, err));
            lists.path = moved.path;
            lists.taps = moved.taps;
            w.lp = once ? w.lp : w.whole;
            TRY(append_cut(to, &w, lists, base, parts, run, err));
            w.turn = once ? w.turn : w.whole.orbit - 1;
        }
done:
    free(run);
    free(words);
    return st;
}

rwa_status schedule_map_after(rwa_schedule **out, const rwa_schedule *before, uint32_t kept, const rwa_schedule *sched,
                              const struct schedule_map *map, rwa_error *err)
{
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(rwa_schedule_create_among(out, map->net, rwa_schedule_collective(sched), map->members,
                                  rwa_schedule_scheme(sched), err));
    if (kept > 0)
        TRY(schedule_append_steps(*out, before, kept, true, err));
    TRY(map_steps(*out, sched, kept + 1, map, err));
done:
    return schedule_keep(out, st);
}

rwa_status schedule_join(rwa_schedule **out, const rwa_network *net, const rwa_collective *whole, const char *name,
                         const rwa_schedule *first, uint32_t steps, const rwa_schedule *last, bool once, rwa_error *err)
{
    /* for sums the checker follows each contribution at each node */
    enum { BLOCKS_MOST = 1 << 22, SUMS_MOST = 1 << 27 };
    uint64_t (*length)(const rwa_schedule *) = once ? rwa_schedule_lightpaths : rwa_schedule_records;
    uint64_t one = rwa_schedule_collective(first)->blocks, blocks = rwa_schedule_collective(last)->blocks;
    rwa_collective coll;
    rwa_status st = RWA_OK;
    blocks *= steps > 0 ? one / common_divisor(one, blocks) : 1;
    if (length(first) + length(last) > RECORDS_MOST || blocks > BLOCKS_MOST ||
        (rwa_collective_is_reduction(whole->kind) && blocks > SUMS_MOST / whole->nodes))
        return RWA_OK;
    TRY(rwa_collective_init(&coll, whole->kind, whole->nodes, whole->root, plan_message_bytes(whole), blocks, err));
    TRY(rwa_schedule_create_among(out, net, &coll, rwa_schedule_members(last), name, err));
    TRY(schedule_append_steps(*out, first, steps, once, err));
    TRY(schedule_append_steps(*out, last, rwa_schedule_steps(last), once, err));
done:
    return schedule_keep(out, st);
}

static rwa_status join(rwa_schedule **out, const rwa_schedule *first, const rwa_schedule *last,
                       const struct sequencing *c, rwa_error *err)
{
    char name[2 * TERM_TEXT + RWA_ERROR_TEXT];
    snprintf(name, sizeof name, "%s by %s after %s by %s", rwa_collective_name(c->c->last), rwa_schedule_scheme(last),
             rwa_collective_name(c->c->first), rwa_schedule_scheme(first));
    return schedule_join(out, c->task->net, c->task->coll, name, first, rwa_schedule_steps(first), last, false, err);
}

/* ---- the plan ---- */

/** Plan the pieces (piece i becomes plan[i]) for a total of less than below_s seconds.  The piece with the larger lower
 * bound comes first, limited to below_s less the other's lower bound.  The other is limited to what is then left.
 * @param[out] all  whether each piece has a plan */
static rwa_status plan_pieces(rwa_plan *plan[2], bool *all, const struct sequencing *c, double below_s, rwa_error *err)
{
    double least_s[2], sum_s, left_s;
    MUST(least_times(least_s, &sum_s, c, err));
    left_s = below_s - sum_s;   /* time left above the lower bounds */
    size_t lead = c->pieces > 1 && least_s[1] > least_s[0];
    *all = c->pieces > 0 && left_s > 0;
    for (size_t k = 0; *all && k < c->pieces; k++) {
        size_t i = k == 0 ? lead : 1 - lead;
        MUST(plan_piece(&plan[i], c, i, least_s[i] + left_s, err));
        *all = plan[i] && plan[i]->schedule;
        left_s -= *all ? plan[i]->summary.time_s - least_s[i] : 0;
    }
    return RWA_OK;
}

/** Make the composition's plan. *out stays NULL if it does not take less than below_s seconds. */
static rwa_status compose(rwa_plan **out, const struct sequencing *c, double below_s, rwa_error *err)
{
    rwa_plan *piece[2] = {NULL, NULL}, *plan = NULL;
    rwa_schedule *schedule = NULL;
    bool all = false;
    rwa_status st = RWA_OK;
    TRY(plan_pieces(piece, &all, c, below_s, err));
    if (!all)
        goto done;
    if (c->pieces > 1)
        TRY(join(&schedule, piece[0]->schedule, piece[1]->schedule, c, err));
    else
        TRY(take_part(&schedule, piece[0]->schedule, c->task->coll, err));
    if (!schedule)
        goto done;
    TRY(plan_create(&plan, piece[c->pieces - 1]->summary.scheme, err));
    plan->schedule = schedule;
    schedule = NULL;
    plan->summary.part_of = c->pieces > 1 ? 0 : (int)c->c->first;
    plan->summary.scatter_scheme = c->pieces > 1 ? piece[0]->summary.scheme : NULL;
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(plan->schedule);
    TRY(plan_times(&plan->summary, plan->schedule, &c->task->opts->cost, err));
    if (plan->summary.time_s < below_s) {
        *out = plan;
        plan = NULL;
    }
done:
    rwa_schedule_free(schedule);
    rwa_plan_free(piece[0]);
    rwa_plan_free(piece[1]);
    rwa_plan_free(plan);
    return st;
}

rwa_status composition_plan(rwa_plan **out, const struct sequence *of, const struct plan_task *t, double below_s,
                            rwa_error *err)
{
    struct sequencing c = {.c = of, .task = t};
    *out = NULL;
    MUST(open_composing(&c, err));
    return compose(out, &c, below_s, err);
}

rwa_status composed_by_name(rwa_plan **out, const struct plan_task *t, rwa_error *err)
{
    struct composed_name name;
    struct sequencing c = {.task = t};
    bool composed = read_name(&name, t->opts->scheme);
    assert(composed);
    (void)composed;
    *out = NULL;
    MUST(options_refuse_but(0, "plans made of other plans", t->opts, err));
    for (c.c = composition_after(NULL, t->coll->kind); c.c; c.c = composition_after(c.c, t->coll->kind))
        if ((int)c.c->first == name.first && (int)c.c->last == name.last)
            break;
    if (!c.c)
        return base_refuse(err, "%s %s %s is not planned for %s",
                           name.last ? rwa_collective_name((rwa_collective_kind)name.last) : "a part",
                           name.last ? "after" : "of", rwa_collective_name((rwa_collective_kind)name.first),
                           rwa_collective_name(t->coll->kind));
    c.scheme[0] = name.first_scheme;
    c.scheme[1] = name.last_scheme;
    MUST(open_composing(&c, err));
    MUST(compose(out, &c, INFINITY, err));
    return *out ? RWA_OK
                : base_refuse(err, "scheme \"%.100s\" plans nothing here, expected auto", t->opts->scheme);
}
