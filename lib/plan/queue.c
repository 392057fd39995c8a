/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * One queue of candidates.  A candidate is first rated (a time by a closed form, or a lower bound on its time), then
 * built, which gives its exact time, and then checked.  The next candidate is the one of least effort; of equal
 * effort, the one with the smallest lower bound.  Candidates that cannot beat the quickest plan so far are skipped.
 * A search only looks for plans quicker than that.  Candidates that are large to build or to check are tried only
 * when all others have failed, and the caller has no plan either.
 */
#include "plan/queue.h"

#include "collective/needs.h"

/** Limits on the effort of building plans, counted in records.  A scheme that does not count the records of its plan
 * costs UNCOUNTED times an estimate.  A candidate is large if its effort exceeds EACH_MOST or what is left of ALL_MOST,
 * or if it has more than CHECKED_MOST lightpaths to check.  A search, or a plan composed of plans for other
 * collectives, counts half the square of the number of nodes; it limits its own work, and is not large. */
#define EACH_MOST 8388608.0
#define ALL_MOST 134217728.0
#define UNCOUNTED 16.0
#define CHECKED_MOST 268435456.0
/** Largest number of (signal, receiver) pairs in all plans whose power is checked; checking this many takes seconds. */
#define LIT_MOST 67108864.0
/** Limit on the work for a number of blocks that the planner chooses.  For each pair of a block and a node there is one
 * search among all nodes, and one more in each step; there is about one step for CUT_WIDTH blocks. */
#define CUT_WORK 4194304.0
#define CUT_WIDTH 8
/** Ratio of each number of blocks tried to the one before: for a broadcast CUT_FINER; for an all-reduce CUT_FEWER, the
 * inverse of the ratio in larger_number(). */
#define CUT_FINER 0.25
#define CUT_FEWER 0.8

/** A plan of more records is not built before any other, smaller one. */
#define DRAFT_RECORDS 16384.0

/** The order in which candidates are considered. */
enum effort { AT_ONCE, QUICK, SEARCH, SLOWLY, COMPOSED };

/* ---- the list ---- */

static rwa_status push(struct queue *q, const struct candidate *like, rwa_error *err)
{
    struct candidate *k;
    MUST(base_new(k, 1, err));
    *k = *like;
    k->residuals = &q->residuals;
    k->load = 1;
    k->task = *q->task;
    rwa_status st = base_append(q->list, q->count, err, k);
    if (st != RWA_OK)
        free(k);
    return st;
}

/** Tell whether the caller left three choices open: stripes, blocks per lightpath and number of blocks. */
static bool may_choose_load(const struct plan_task *t)
{
    return t->opts->stripes == 0 && t->opts->lightpath_blocks == 0 && !chose_blocks(t->coll);
}

/** Tell whether "auto" also tries to cut the scheme's blocks into stripes. */
static bool may_stripe(const struct plan_task *t, const struct scheme *scheme)
{
    enum { LISTED_NODES = 128 };
    bool arcs = network_has_arcs(t->net);
    return scheme_is_open(t->opts) && may_choose_load(t) && t->coll->kind != RWA_ALL_TO_ALL &&
           scheme_has(scheme, arcs ? STRIPES : SLOW) && (arcs || rwa_network_nodes(t->net) <= LISTED_NODES);
}

/** Tell whether the planner also chooses the number of blocks into which the scheme cuts the message. */
static bool may_cut(const struct plan_task *t, const struct scheme *scheme)
{
    return may_choose_load(t) && scheme_has(scheme, ANY_BLOCKS) && !collective_has_owners(t->coll->kind);
}

/** Tell whether the message has a single block until the planner cuts it, as in a broadcast. */
static bool is_one_block(const rwa_collective *coll)
{
    return coll->blocks == 1;
}

/** Add copies of the candidate `like` with other numbers of blocks.  A message of one block (broadcast) is cut into the
 * most blocks that CUT_WORK allows, a quarter of that number, and so on.  Otherwise (all-reduce) the numbers are four
 * fifths of the usual one, four fifths of that, and so on; the first is at most what CUT_WORK allows. */
static rwa_status push_cuts(struct queue *q, const struct candidate *like, rwa_error *err)
{
    const rwa_collective *coll = q->task->coll;
    struct candidate k = *like;
    bool finer = is_one_block(coll);
    double ratio = finer ? CUT_FINER : CUT_FEWER;
    double nodes = rwa_network_nodes(q->task->net);
    uint64_t fewer = (uint64_t)(ratio * (double)coll->blocks);
    /* the root of n b² / width + n² b = work */
    uint64_t most = (uint64_t)((sqrt(nodes * nodes + 4 * CUT_WORK / nodes / CUT_WIDTH) - nodes) * CUT_WIDTH / 2);
    k.blocks = finer || most < fewer ? most : fewer;
    for (; k.blocks > finer; k.blocks = (uint64_t)(ratio * (double)k.blocks))
        MUST(push(q, &k, err));
    return RWA_OK;
}

/** Add the candidates of a scheme on each residual network that suits it: with whole blocks or the caller's number of
 * stripes.  If the planner may choose, also add candidates with about 2, 4, 8, … stripes, and with other numbers of
 * blocks. */
static rwa_status push_scheme(struct queue *q, const struct scheme *scheme, rwa_error *err)
{
    const struct plan_task *t = q->task;
    const rwa_plan_options *asked = t->opts;
    uint32_t all = stripes_most(t->net), most = may_stripe(t, scheme) ? all : 1;
    bool suits = false;
    for (const struct residual *r = q->residuals.list; r < q->residuals.list + q->residuals.count; r++)
        for (uint32_t s = 1; s <= most; s *= 2) {
            struct candidate k = {.scheme = scheme, .residual = r, .opts = *asked};
            k.opts.stripes = s > 1 ? all / (all / s) : asked->stripes > 0 ? asked->stripes : 1;
            if (!scheme_suits(scheme, r, &k.opts))
                continue;
            suits = true;
            MUST(push(q, &k, err));
            if (s == 1 && may_cut(t, scheme)) /* stripes are another way to cut finer */
                MUST(push_cuts(q, &k, err));
        }
    q->unsuited = suits || q->unsuited ? q->unsuited : scheme;
    return RWA_OK;
}

/** Add all compositions as candidates, if the caller left all choices to "auto". */
static rwa_status push_compositions(struct queue *q, rwa_error *err)
{
    const struct plan_task *t = q->task;
    bool piece = t->records_most > 0 || t->lightpaths_most > 0;
    if (scheme_is_open(t->opts) && may_choose_load(t) && !options_shape(t->opts) && !piece)
        for (const struct sequence *c = NULL; (c = composition_after(c, t->coll->kind));)
            MUST(push(q, &(struct candidate){.composition = c}, err));
    return RWA_OK;
}

static rwa_status push_all(struct queue *q, rwa_error *err)
{
    const struct plan_task *t = q->task;
    bool open = scheme_is_open(t->opts), any = false;
    if (is_composite_name(t->opts->scheme))
        return push(q, &(struct candidate){.scheme = NULL}, err);
    q->residuals =
        (struct residuals){.real = t->net, .coll = t->coll, .members = t->opts->members, .number = t->number};
    MUST(residuals_open(&q->residuals, t->opts->max_hops, q->why, err));
    for (size_t i = 0; i < scheme_count; i++) {
        if (!scheme_is_wanted(schemes[i], t))
            continue;
        any = true;
        if (!open || scheme_reads_shape(schemes[i], t))
            MUST(push_scheme(q, schemes[i], err));
    }
    return any ? push_compositions(q, err) : refuse_scheme(t, err);
}

static void queue_close(struct queue *q)
{
    for (size_t i = 0; i < q->count; i++)
        candidate_free(q->list[i]);
    free(q->list);
    residuals_close(&q->residuals);
}

/* ---- the order ---- */

/** Return the effort of a search, or of planning a composition, as the queue counts it: in records. */
static double search_effort(const struct queue *q)
{
    double nodes = q->task->coll->nodes;
    return nodes * nodes / 2;
}

/** Tell whether building the candidate's plan takes longer than a search, as it has many records. */
static bool outlasts_search(const struct queue *q, const struct candidate *k)
{
    return k->rating.records > fmax(DRAFT_RECORDS, search_effort(q));
}

static enum effort effort_class(const struct queue *q, const struct candidate *k, bool any)
{
    if (!k->scheme)
        return COMPOSED;
    if (k->state == UNRATED)
        return scheme_has(k->scheme, SEARCHES) ? SEARCH : AT_ONCE;
    bool slow = scheme_has(k->scheme, SLOW | LAST_RESORT);
    return (slow && (any || !task_has_limit(q->task))) || (!any && outlasts_search(q, k)) ? SLOWLY : QUICK;
}

static double effort(const struct queue *q, const struct candidate *k)
{
    double held = (double)k->forward.nodes * (double)k->forward.blocks;
    bool rated = k->scheme && k->state != UNRATED, counted = k->estimate.records > 0;
    if (!rated)
        return k->scheme && !scheme_has(k->scheme, SEARCHES) ? 0 : search_effort(q);
    return counted ? k->rating.records
                   : UNCOUNTED * fmax(k->rating.records, held / 8);     /* bytes, a bit for each */
}

static bool is_large(const struct queue *q, const struct candidate *k)
{
    bool counted = k->scheme && k->state != UNRATED && k->rating.time_s == 0;
    double most = fmin(EACH_MOST, ALL_MOST - q->spent);
    return k != q->anyhow && (k->rating.to_check > CHECKED_MOST || (counted && effort(q, k) > most));
}

/** Return the time in seconds that a plan must stay below to be of use: the task's below_s or the time of `best`,
 * whichever is less; 0: no limit.
 * @param best  NULL: there is no plan yet */
static double limit_s(const struct queue *q, const struct candidate *best)
{
    double below_s = q->task->below_s, best_s = best ? best->rating.time_s : 0;
    return (best_s > 0 && (below_s == 0 || best_s < below_s) ? best_s : below_s) * (1 - ROUNDING);
}

/** Tell whether a candidate is of no use because it takes at least time_s seconds, which is not below limit_s(). */
static bool takes_too_long(const struct queue *q, const struct candidate *best, double time_s)
{
    double limit = limit_s(q, best);
    return limit > 0 && time_s >= limit;
}

/** The key under which the ratio of time to lower bound is kept for similar candidates. */
struct likeness {
    const struct scheme *scheme;
    /* 0: the usual number of blocks; else one that the planner chose: of a broadcast this one, as the numbers that it
     * tries are far apart, of others any */
    uint64_t cut;
    uint64_t striped;       /* 1: with stripes */
};

static struct likeness likeness_of(const struct candidate *k)
{
    return (struct likeness){k->scheme, is_one_block(k->task.coll) ? k->blocks : k->blocks > 0, k->opts.stripes > 1};
}

/** Return the likely time of a candidate, in seconds: its lower bound, times r / FAR if r is larger than FAR.  Here r
 * is the time of a plan divided by its lower bound, as found for the last similar candidate (likeness_of()). */
static double likely_s(const struct queue *q, const struct candidate *k)
{
    const struct likeness key = likeness_of(k);
    const double *slack = k->scheme ? memo_find(q->task->memo, &key, sizeof key) : NULL;
    return k->rating.least_s * (slack ? fmax(1, *slack / FAR) : 1);
}

/** Tell whether the candidate's plan takes no longer than the best one and has fewer lightpaths.  Both plans must be
 * built. */
static bool ties(const struct candidate *best, const struct candidate *k)
{
    return best && k->rating.lightpaths > 0 && k->rating.lightpaths < best->rating.lightpaths &&
           k->rating.time_s <= best->rating.time_s * (1 + ROUNDING);
}

/** Tell whether the candidate's plan may have fewer lightpaths than the best one, and takes little work to build. */
static bool may_tie(const struct queue *q, const struct candidate *best, const struct candidate *k)
{
    double least = k->rating.least_lightpaths;
    return best && least > 0 && least < (double)best->rating.lightpaths && effort(q, k) <= DRAFT_RECORDS;
}

/** Return the quickest of the candidates that have a known time and are not large; NULL: none.  Among equally quick
 * ones, fewer lightpaths win if both plans are built, else the first wins. */
static struct candidate *quickest(const struct queue *q)
{
    struct candidate *best = NULL;
    for (size_t i = 0; i < q->count; i++) {
        struct candidate *k = q->list[i];
        bool timed = k->state != OUT && k->rating.time_s > 0 && !is_large(q, k);
        if (timed && (!takes_too_long(q, best, k->rating.time_s) || ties(best, k)))
            best = k;
    }
    return best;
}

/** Tell whether the candidate's plan may be quicker than the best one, or as quick with fewer lightpaths.  A search or
 * other slow work must promise to be more than 1 % quicker (NEARLY).
 * @param class  the candidate's effort */
static bool is_worth(const struct queue *q, const struct candidate *best, const struct candidate *k, enum effort class)
{
    bool works = class > QUICK, bounded = works && best && !task_may_refuse(q->task);
    double least_s = fmax(likely_s(q, k), bounded ? q->bound_s : 0);
    return !takes_too_long(q, best, least_s * (may_tie(q, best, k) ? 1 - 2 * ROUNDING : works ? 1 + NEARLY : 1));
}

/** Return the candidate to work on next, among those that have no known time and may be quicker than `best`; NULL:
 * none.  It is the one of least effort; of equal effort, the one with the smallest lower bound. */
static struct candidate *least_open(const struct queue *q, const struct candidate *best)
{
    struct candidate *least = NULL;
    enum effort least_class = COMPOSED;
    for (size_t i = 0; i < q->count; i++) {
        struct candidate *k = q->list[i];
        enum effort class = effort_class(q, k, best != NULL);
        bool open = k->state == UNRATED || (k->state == RATED && k->rating.time_s == 0);
        if (!open || is_large(q, k) || !is_worth(q, best, k, class) || (k->composition && limit_s(q, best) == 0))
            continue;
        if (!least || class < least_class || (class == least_class && k->rating.least_s < least->rating.least_s)) {
            least = k;
            least_class = class;
        }
    }
    return least;
}

/** Tell whether building the candidate's plan still takes a search.  If its time is known, the search is done. */
static bool builds_by_search(const struct candidate *k)
{
    return k->rating.time_s == 0 && (k->estimate.records == 0 || scheme_has(k->scheme, SLOW | LAST_RESORT));
}

/** Return a small candidate to build before all others, so that some plan exists soon; NULL: there is none, or the next
 * plan is small itself.  Candidates that are built without a search come first, then the smallest lower bound decides.
 * @param records_of_turn  records of the plan that comes next without a draft; INFINITY: not known
 * @param turn             effort of the next candidate; if it is SEARCH or less, candidates that are built by a search
 *                         are left out */
static struct candidate *first_draft(const struct queue *q, double records_of_turn, enum effort turn)
{
    struct candidate *draft = NULL;
    for (size_t i = 0; i < q->count && records_of_turn > DRAFT_RECORDS; i++) {
        struct candidate *k = q->list[i];
        if (k->state != RATED || !k->scheme)
            continue;
        bool slow = builds_by_search(k), than_slow = draft && builds_by_search(draft);
        bool sooner = !draft || slow < than_slow || (slow == than_slow && k->rating.least_s < draft->rating.least_s);
        if (sooner && (!slow || turn > SEARCH) && k->rating.records <= DRAFT_RECORDS / (slow ? UNCOUNTED : 1))
            draft = k;
    }
    return draft;
}

/** Return the candidate of least effort that was skipped because it is large; NULL: there is none. */
static struct candidate *least_large(const struct queue *q)
{
    struct candidate *least = NULL;
    for (size_t i = 0; i < q->count; i++) {
        struct candidate *k = q->list[i];
        bool large = k->state != OUT && !k->composition && is_large(q, k);
        if (large && (!least || effort(q, k) < effort(q, least)))
            least = k;
    }
    return least;
}

/* ---- work ---- */

/** Handle the status `st` of work on a candidate, and the error `why` of that work.  After an error, drop the
 * candidate.  Return RWA_OK if the time was too short, or if the candidate does not suit the caller's options; else the
 * error. */
static rwa_status settle(struct queue *q, struct candidate *k, rwa_status st, const rwa_error *why, rwa_error *err)
{
    const rwa_plan_options *o = q->task->opts;
    if (st == RWA_OK)
        return RWA_OK;
    rwa_plan_free(k->plan);
    k->plan = NULL;
    k->state = OUT;
    if (deadline_ended(q->task->deadline, st) || (scheme_is_open(o) && work_was_limited(o, st)))
        q->hurried = true;
    else if (st != RWA_BADARG)
        return base_fail(err, st, "%s", why->text);
    /* not recorded where the planner itself chose the stripes */
    else if (q->refusal.status == RWA_OK && !(k->scheme && k->opts.stripes > 1 && o->stripes == 0))
        q->refusal = *why;
    return RWA_OK;
}

/** Replace the estimates of a candidate by the steps, blocks and time of its plan, and set its state; without a
 * schedule, the state is OUT. */
static void note_plan(struct queue *q, struct candidate *k, enum state state)
{
    const rwa_schedule *sched = k->plan ? k->plan->schedule : NULL;
    k->state = sched ? state : OUT;
    if (!sched)
        return;
    assert(rwa_schedule_steps(sched) > 0 && k->plan->summary.time_s >= 0);
    k->rating.steps = rwa_schedule_steps(sched);
    k->rating.blocks = rwa_schedule_collective(sched)->blocks;
    k->rating.time_s = k->plan->summary.time_s;
    k->rating.lightpaths = rwa_schedule_lightpaths(sched);
    k->load = k->plan->summary.lightpath_blocks;
    deadline_note_plan(q->task->deadline);
}

/** Free all plans but the quickest one; their candidates become RATED and can be built again.  Do nothing if the
 * quickest plan may still have to be replaced: a limit may refuse it, or the time limit may end its check. */
static void drop_slower(struct queue *q)
{
    const struct candidate *best = quickest(q);
    bool stay = task_may_refuse(q->task) || (task_has_limit(q->task) && best && best->state != CHECKED);
    for (size_t i = 0; i < q->count && !stay; i++) {
        struct candidate *k = q->list[i];
        if (k == best || !k->plan || !k->plan->schedule)
            continue;
        rwa_plan_free(k->plan);
        k->plan = NULL;
        k->state = RATED;
    }
}

/** Return the time in seconds that further plans must stay below; 0: no limit.  The quickest plan so far sets it,
 * unless that plan may still be refused. */
static double final_limit_s(const struct queue *q)
{
    const struct candidate *best = quickest(q);
    return limit_s(q, best && (best->state == CHECKED || !task_may_refuse(q->task)) ? best : NULL);
}

static rwa_status rate(struct queue *q, struct candidate *k, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    k->below_s = final_limit_s(q);
    rwa_status st = candidate_rate(k, &why);
    return settle(q, k, st, &why, err);
}

static rwa_status note_slack(struct queue *q, const struct candidate *k, rwa_error *err)
{
    const struct likeness key = likeness_of(k);
    double slack = k->rating.time_s / k->rating.least_s;
    bool known = k->scheme && k->state == BUILT && k->rating.least_s > 0;
    return known ? memo_keep(q->task->memo, &key, sizeof key, &slack, sizeof slack, err) : RWA_OK;
}

/** Build a candidate's plan.
 *  @param below_s seconds; a search may end without a plan if none takes less; 0: no limit */
static rwa_status build_plan(struct queue *q, struct candidate *k, double below_s, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_status st = RWA_CANCELLED;
    assert(!k->plan && k->state == RATED);
    /* infinite: it will fail at once; timed: it may be large */
    bool counts = isfinite(k->rating.records) && k->rating.time_s == 0;
    q->spent += counts ? effort(q, k) : 0;
    k->below_s = k->rating.time_s == 0 ? below_s : k->below_s;
    if (!deadline_passed(q->task->deadline))
        st = candidate_build(&k->plan, k, &why);
    if (st == RWA_OK)
        note_plan(q, k, BUILT);
    MUST(settle(q, k, st, &why, err));
    drop_slower(q);
    return RWA_OK;
}

static rwa_status build(struct queue *q, struct candidate *k, rwa_error *err)
{
    double tied = may_tie(q, quickest(q), k) ? 1 + 2 * ROUNDING : 1;
    MUST(build_plan(q, k, tied * final_limit_s(q), err));
    return note_slack(q, k, err);
}

/** Tell whether the power of the candidate's plan may be checked.  If so, add its (signal, receiver) pairs to q->lit,
 * which may reach LIT_MOST.  If not, make the candidate a large one (is_large()).  The candidate q->anyhow is always
 * checked. */
static bool is_worth_its_light(struct queue *q, struct candidate *k)
{
    double pairs = task_lit_pairs(q->task, k->plan->schedule);
    if (q->lit + pairs > LIT_MOST && k != q->anyhow) {
        k->rating.to_check = INFINITY;
        return false;
    }
    q->lit += pairs;
    return true;
}

static rwa_status check(struct queue *q, struct candidate *k, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    if (!is_worth_its_light(q, k))
        return RWA_OK;
    rwa_status st = fit_power_budget(&k->plan, k, &why);
    if (st == RWA_OK)
        note_plan(q, k, CHECKED);
    return settle(q, k, st, &why, err);
}

/** Do the next piece of work on a candidate: estimate its plan, build it or check it. */
static rwa_status advance(struct queue *q, struct candidate *k, rwa_error *err)
{
    return (k->state == UNRATED ? rate : k->state == RATED ? build : check)(q, k, err);
}

/** Set q->bound_s to a lower bound on the time of any plan.  If the deadline ends the computation, set it to infinity,
 * so that no search begins: none would end in time. */
static rwa_status find_bound(struct queue *q, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_status st = task_least_time(&q->bound_s, q->task, &why);
    if (deadline_ended(q->task->deadline, st))
        q->bound_s = INFINITY;
    else if (st != RWA_OK)
        return base_fail(err, st, "%s", why.text);
    return RWA_OK;
}

/** Work on candidates until the quickest plan that is not refused is found; *winner is its candidate, NULL: none.  A
 * small plan, if any, is built before searches begin.  The winner is checked, unless only plans below the task's
 * below_s are wanted and no limit can refuse it. */
static rwa_status run(struct queue *q, struct candidate **winner, rwa_error *err)
{
    bool refuses = task_may_refuse(q->task), checks = refuses || task_has_limit(q->task);
    enum state done = q->task->below_s > 0 && !refuses ? BUILT : CHECKED;
    for (;;) {
        struct candidate *best = quickest(q), *next = least_open(q, best);
        enum effort class = next ? effort_class(q, next, best != NULL) : COMPOSED;
        bool settled = !best || best->state >= done, first = q->task->deadline && q->task->deadline->first_s == 0;
        double turn = class == QUICK ? next->rating.records : best ? best->rating.records : INFINITY;
        struct candidate *draft = first && class > AT_ONCE ? first_draft(q, turn, class) : NULL;
        if (draft)
            MUST(build_plan(q, draft, limit_s(q, NULL), err));
        else if (best && q->bound_s < 0 && class > QUICK && next)
            MUST(find_bound(q, err));
        else if (!settled && (!next || ((checks || (first && !outlasts_search(q, best))) && class > QUICK)))
            MUST(advance(q, best, err));
        else if (next)
            MUST(advance(q, next, err));
        else if (!best && q->task->below_s <= 0 && (next = least_large(q))) {
            q->anyhow = next;
            MUST(advance(q, next, err));
        } else {
            *winner = best;
            return RWA_OK;
        }
    }
}

rwa_status plan_quickest(rwa_plan **out, const struct plan_task *task, rwa_error *err)
{
    struct queue q = {.task = task, .bound_s = -1};
    struct candidate *winner = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(push_all(&q, err));
    TRY(run(&q, &winner, err));
    if (task->below_s > 0) {
        *out = winner ? winner->plan : NULL;
        if (winner)
            winner->plan = NULL;
        goto done;
    }
    if (!winner && (q.hurried || deadline_passed(task->deadline)))
        TRY(base_fail(err, RWA_CANCELLED, "planning was stopped"));
    TRY(queue_report(out, &q, winner, err));
done:
    queue_close(&q);
    return st;
}
