/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SiP-ML, Algorithm 1: places sub-operations on devices so that no producer is more than the distance (Delta) behind
 *  its consumers. */
#include "place/positions.h"

enum { DEVICES_MAX = 1 << 20, POLL_EVERY = 256 };

struct placing {
    rwa_placement *out;
    const rwa_tasks *tasks;
    const rwa_placement_options *opts;
    uint32_t devices;
    struct positions positions;
    size_t *rank;           /* of each task: its number in the order */
    double *start, *end, *before;   /* of each task; before: when its device was free */
    double *free_at, *used; /* of each device: when it is free; memory in use */
    bool anywhere;          /* the distance allows any device to send to any other */
    int64_t reach;          /* a task stands at most this far ahead of the foremost of its producers */
};

OPTIONS(rwa_placement_options, .devices = 1, .replicas = 1)

void rwa_placement_free(rwa_placement *p)
{
    if (!p)
        return;
    rwa_tasks_free(p->tasks);
    free_all(p->device, p->start, p);
}

GETTER_ADDRESS(rwa_placement_report, rwa_placement_summary, rwa_placement, summary)

GETTER_ENTRY(uint32_t, rwa_placement_device, rwa_placement, device)

GETTER_ENTRY(double, rwa_placement_start, rwa_placement, start)

static rwa_status check_options(uint32_t *distance, const rwa_placement_options *o, rwa_error *err)
{
    uint32_t reserved = o->replicas > 1;
    if (o->devices == 0 || o->devices > DEVICES_MAX)
        return base_refuse(err, "%u devices, expected 1 to %d", o->devices, DEVICES_MAX);
    if (o->replicas == 0 || (uint64_t)o->devices * o->replicas > RWA_NODES_MAX)
        return base_refuse(err, "%u replicas on %u devices each, expected 1 to %u nodes in all", o->replicas,
                           o->devices, RWA_NODES_MAX);
    if (o->degree != 0 && o->degree < reserved)
        return base_refuse(err, "degree %u, expected at least %u", o->degree, reserved);
    *distance = o->devices - 1;
    if (o->degree != 0 && o->degree - reserved < *distance)
        *distance = o->degree - reserved;
    return RWA_OK;
}

/* ---- times: each task, in the order of placing, starts when its producers have ended and its device is free ---- */

static double ready_at(const struct placing *p, uint32_t task)
{
    double ready = 0;
    for (size_t i = p->tasks->in[task]; i < p->tasks->in[task + 1]; i++)
        ready = fmax(ready, p->end[p->tasks->edge[i].from]);
    return ready;
}

static void run_task(struct placing *p, uint32_t task)
{
    double *free_at = &p->free_at[p->out->device[task]];
    p->before[task] = *free_at;
    p->start[task] = fmax(ready_at(p, task), *free_at);
    p->end[task] = *free_at = p->start[task] + p->tasks->task[task].duration_s;
}

/* ---- placing ---- */

static bool has_memory(const struct placing *p, uint32_t device, double bytes)
{
    return p->opts->memory_bytes <= 0 || p->used[device] + bytes <= p->opts->memory_bytes;
}

/** Set *best to that point in [from, to] on the line of devices where the task can start first; of equals the nearest
 *  to `from`.  Devices with too little memory are left out; return false if none is left. */
static bool earliest(int64_t *best, const struct placing *p, uint32_t task, int64_t from, int64_t to)
{
    double ready = ready_at(p, task), first = INFINITY;
    for (int64_t at = from; at <= to; at++) {
        uint32_t device = positions_device_at(&p->positions, at);
        double start = fmax(ready, p->free_at[device]);
        if (start >= first || !has_memory(p, device, p->tasks->task[task].memory_bytes))
            continue;
        first = start;
        *best = at;
    }
    return first < INFINITY;
}

/** After positions_gather() has moved tasks, move their memory to their new devices, and recompute the times of all
 *  placed tasks from the first moved one on.  The placed tasks are those before number `index` of the order. */
static void follow_moves(struct placing *p, size_t index)
{
    struct positions *q = &p->positions;
    const uint32_t *order = p->tasks->order;
    size_t first = index;
    for (size_t i = 0; i < q->moved_count; i++)
        LOWER(first, p->rank[q->moved[i]]);
    for (size_t i = index; i-- > first;)
        p->free_at[p->out->device[order[i]]] = p->before[order[i]];
    for (size_t i = 0; i < q->moved_count; i++) {
        uint32_t task = q->moved[i], device = positions_device(q, task);
        p->used[p->out->device[task]] -= p->tasks->task[task].memory_bytes;
        p->used[device] += p->tasks->task[task].memory_bytes;
        p->out->device[task] = device;
    }
    for (size_t i = first; i < index; i++)
        run_task(p, order[i]);
    p->out->summary.repairs++;
    p->out->summary.moved += q->moved_count;
}

static rwa_status report_no_memory(struct placing *p, uint32_t task)
{
    rwa_placement_report *s = &p->out->summary;
    s->outcome = RWA_UNDECIDED;
    snprintf(
        s->why, sizeof s->why,
        "task %u needs %g bytes of memory, and no device it may run on has that much left of %g; expected more memory, "
        "more devices or a larger degree",
        task, p->tasks->task[task].memory_bytes, p->opts->memory_bytes);
    return RWA_OK;
}

/** Place task number `index` of the order where it can start first.  If no device that it may use has enough memory,
 *  say so in p->out->summary.why. */
static rwa_status place_task(struct placing *p, size_t index, rwa_error *err)
{
    uint32_t task = p->tasks->order[index];
    int64_t from = 0, to = (int64_t)p->devices - 1, at = 0;
    bool first = p->anywhere || p->tasks->in[task] == p->tasks->in[task + 1];
    if (!first) {
        MUST(positions_gather(&p->positions, task, &from, &to, err));
        if (p->positions.moved_count > 0)
            follow_moves(p, index);
        LOWER(to, from + p->reach);
    }
    if (!earliest(&at, p, task, from, to))
        return report_no_memory(p, task);
    positions_place(&p->positions, task, at);
    p->out->device[task] = positions_device(&p->positions, task);
    p->used[p->out->device[task]] += p->tasks->task[task].memory_bytes;
    run_task(p, task);
    return RWA_OK;
}

static double critical_path(const struct placing *p)
{
    double longest = 0; /* nothing runs yet, so p->end is free for other use */
    for (size_t i = 0; i < p->tasks->count; i++) {
        uint32_t task = p->tasks->order[i];
        p->end[task] = ready_at(p, task) + p->tasks->task[task].duration_s;
        longest = fmax(longest, p->end[task]);
    }
    return longest;
}

static void report_times(struct placing *p)
{
    rwa_placement_report *s = &p->out->summary;
    double *work = p->free_at; /* not used otherwise at this point */
    memset(work, 0, p->devices * sizeof *work);
    for (size_t i = 0; i < p->tasks->count; i++) {
        s->makespan_s = fmax(s->makespan_s, p->end[i]);
        p->out->start[i] = p->start[i];
        work[p->out->device[i]] += p->tasks->task[i].duration_s;
    }
    s->idlest_s = INFINITY;
    for (uint32_t d = 0; d < p->devices; d++) {
        s->busiest_s = fmax(s->busiest_s, work[d]);
        s->idlest_s = fmin(s->idlest_s, work[d]);
        s->memory_bytes = fmax(s->memory_bytes, p->used[d]);
    }
    s->outcome = s->makespan_s <= s->bound_s * (1 + 1e-12) ? RWA_OPTIMAL : RWA_FEASIBLE;
    if (p->opts->memory_bytes > 0 && s->memory_bytes > p->opts->memory_bytes) {
        s->outcome = RWA_UNDECIDED;
        snprintf(s->why, sizeof s->why,
                 "bringing producers near their consumers has put %g bytes on one device, which has %g; expected more "
                 "memory, "
                 "more devices or a larger degree",
                 s->memory_bytes, p->opts->memory_bytes);
    }
}

/** Tell whether the largest task fits the memory of a device, and all tasks together that of all devices.  If not,
 *  p->out->summary says why the problem is infeasible. */
static bool fits_at_all(struct placing *p)
{
    rwa_placement_report *s = &p->out->summary;
    double all = 0, most = 0, has = p->opts->memory_bytes;
    for (size_t i = 0; i < p->tasks->count; i++) {
        all += p->tasks->task[i].memory_bytes;
        most = fmax(most, p->tasks->task[i].memory_bytes);
    }
    if (has <= 0 || (most <= has && all <= has * p->devices * (1 + 1e-12)))
        return true;
    s->outcome = RWA_INFEASIBLE;
    snprintf(
        s->why, sizeof s->why,
        "the largest task needs %g bytes and all need %g, but the %u devices have %g bytes each; expected at least %g",
        most, all, p->devices, has, fmax(most, all / p->devices));
    return false;
}

static rwa_status place_all(struct placing *p, rwa_error *err)
{
    rwa_placement_report *s = &p->out->summary;
    struct budget budget = base_budget(0, p->opts->poll, p->opts->poll_data);
    double work = 0;
    for (size_t i = 0; i < p->tasks->count; i++) {
        p->rank[p->tasks->order[i]] = i;
        work += p->tasks->task[i].duration_s;
    }
    s->bound_s = fmax(critical_path(p), work / p->devices);
    if (!fits_at_all(p))
        return RWA_OK;
    for (size_t i = 0; i < p->tasks->count && s->why[0] == '\0'; i++) {
        if (i % POLL_EVERY == 0 && base_must_stop(&budget, "placement", (double)i / (double)p->tasks->count))
            MUST(base_fail(err, RWA_CANCELLED, "stopped while placing"));
        MUST(place_task(p, i, err));
    }
    if (s->why[0] == '\0')
        report_times(p);
    return RWA_OK;
}

/** Place all tasks once, each at most `reach` points ahead of the foremost of its producers on the line of devices; a
 *  consumer is at most `distance` points ahead of any of its producers. */
static rwa_status try_reach(rwa_placement **out, const rwa_tasks *tasks, const rwa_placement_options *o,
                            uint32_t distance, uint32_t reach, rwa_error *err)
{
    struct arena memory = {.err = err};
    struct placing p = {.tasks = tasks, .opts = o, .devices = o->devices, .reach = reach,
                        .anywhere = distance == o->devices - 1};
    rwa_status st = RWA_OK;
    *out = NULL;
    MUST(base_new(p.out, 1, err));
    p.out->summary = (rwa_placement_report){
        .devices = o->devices, .replicas = o->replicas, .distance = distance, .reach = reach};
    TRY(base_new(p.out->device, tasks->count, err));
    TRY(base_new(p.out->start, tasks->count, err));
    positions_open(&p.positions, tasks, o->devices, distance, &memory);
    arena_arrays(&memory, tasks->count, p.rank, p.start, p.end, p.before);
    TRY(arena_arrays(&memory, o->devices, p.free_at, p.used));
    TRY(place_all(&p, err));
    *out = p.out;
    p.out = NULL;
done:
    positions_free(&p.positions);
    arena_free(&memory);
    rwa_placement_free(p.out);
    return st;
}

/** Tell whether placement a is better than b: a complete placement beats an incomplete one, and of two complete ones
 *  the shorter iteration is better. */
static bool is_better(const rwa_placement_report *a, const rwa_placement_report *b)
{
    if ((a->why[0] == '\0') != (b->why[0] == '\0'))
        return a->why[0] == '\0';
    return a->why[0] == '\0' && a->makespan_s < b->makespan_s;
}

/** Place the tasks with the whole distance as reach, then with half of it, a quarter, and so on, and keep the best
 *  placement. */
static rwa_status try_reaches(rwa_placement **best, const rwa_tasks *tasks, const rwa_placement_options *o,
                              uint32_t distance, rwa_error *err)
{
    rwa_status st = try_reach(best, tasks, o, distance, distance, err);
    if (distance == o->devices - 1)
        return st; /* a smaller reach cannot help */
    /* With a large reach, the parts of an operation may spread over the whole distance; then only the foremost device
     * is left for the parts of the next one. */
    for (uint32_t reach = distance / 2; st == RWA_OK && reach > 0; reach /= 2) {
        rwa_placement *other = NULL;
        if ((*best)->summary.outcome == RWA_OPTIMAL || (*best)->summary.outcome == RWA_INFEASIBLE)
            break;
        st = try_reach(&other, tasks, o, distance, reach, err);
        if (st == RWA_OK && is_better(&other->summary, &(*best)->summary)) {
            rwa_placement_free(*best);
            *best = other;
        } else {
            rwa_placement_free(other);
        }
    }
    return st;
}

rwa_status rwa_placement_make(rwa_placement **out, const rwa_tasks *tasks, const rwa_placement_options *opts,
                              rwa_error *err)
{
    BEGIN_NEW(out, err, tasks);
    rwa_placement *best = NULL;
    rwa_placement_options o;
    uint32_t distance = 0;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_placement_options, &o, opts, err));
    TRY(check_options(&distance, &o, err));
    TRY(try_reaches(&best, tasks, &o, distance, err));
    TRY(rwa_tasks_create(&best->tasks, tasks->task, (const char *const *)tasks->name, tasks->count, tasks->edge,
                         tasks->edge_count, err));
    *out = best;
    best = NULL;
done:
    rwa_placement_free(best);
    return st;
}
