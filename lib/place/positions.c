/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/positions.h"

/** A demand on a task during a repair: its position must become `at`, or a point further in the direction of the
 *  repair. */
struct step {
    uint32_t task;
    int64_t at;
};

void positions_open(struct positions *p, const rwa_tasks *tasks, uint32_t devices, uint32_t distance,
                    struct arena *memory)
{
    size_t n = tasks->count;
    *p = (struct positions){.tasks = tasks, .devices = devices, .distance = distance};
    (void)arena_arrays(memory, n, p->at, p->placed, p->component, p->next, p->size, p->moved, p->is_moved);
}

void positions_free(struct positions *p)
{
    free(p->step);
}

static int64_t floor_to_multiple(int64_t x, int64_t k)
{
    int64_t rest = x % k;
    return x - (rest < 0 ? rest + k : rest);
}

uint32_t positions_device_at(const struct positions *p, int64_t at)
{
    return (uint32_t)(at - floor_to_multiple(at, p->devices));
}

uint32_t positions_device(const struct positions *p, uint32_t task)
{
    assert(p->placed[task]);
    return positions_device_at(p, p->at[task]);
}

/** Join the components of two placed tasks.  The members of the smaller one change their component: O(n log n) for all
 *  unions together. */
static void unite(struct positions *p, uint32_t a, uint32_t b)
{
    uint32_t keep = p->component[a], lose = p->component[b];
    assert(p->placed[a] && p->placed[b]);
    if (keep == lose)
        return;
    if (p->size[keep] < p->size[lose]) {
        uint32_t kept = keep;
        keep = lose;
        lose = kept;
    }
    uint32_t member = lose;
    do {
        p->component[member] = keep;
        member = p->next[member];
    } while (member != lose);
    uint32_t after = p->next[keep]; /* joins the two circular lists */
    p->next[keep] = p->next[lose];
    p->next[lose] = after;
    p->size[keep] += p->size[lose];
}

static void shift(struct positions *p, uint32_t task, int64_t by)
{
    uint32_t member = task;
    do {
        p->at[member] += by;
        member = p->next[member];
    } while (member != task);
}

static int64_t span_with(int64_t low, int64_t high, int64_t a, int64_t b)
{
    return (high > b ? high : b) - (low < a ? low : a);
}

/** Return by how much interval [a, b] must move so that it spans least together with [low, high].  It moves by a
 *  multiple of the number of devices, which leaves its tasks on their devices. */
static int64_t best_shift(const struct positions *p, int64_t low, int64_t high, int64_t a, int64_t b)
{
    int64_t candidates[4], best = 0;
    candidates[0] = floor_to_multiple(low - a, p->devices);
    candidates[1] = candidates[0] + p->devices;
    candidates[2] = floor_to_multiple(high - b, p->devices);
    candidates[3] = candidates[2] + p->devices;
    for (int i = 0; i < 4; i++)
        if (i == 0 ||
            span_with(low, high, a + candidates[i], b + candidates[i]) < span_with(low, high, a + best, b + best))
            best = candidates[i];
    return best;
}

static uint32_t producer(const struct positions *p, size_t edge)
{
    return p->tasks->edge[edge].from;
}

/** Set [*low, *high] to the interval of the line that is spanned by the producers of a task that are in this
 *  component. */
static void interval_of(const struct positions *p, uint32_t task, uint32_t component, int64_t *low, int64_t *high)
{
    *low = INT64_MAX;
    *high = INT64_MIN;
    for (size_t i = p->tasks->in[task]; i < p->tasks->in[task + 1]; i++) {
        uint32_t from = producer(p, i);
        if (p->component[from] != component)
            continue;
        LOWER(*low, p->at[from]);
        RAISE(*high, p->at[from]);
    }
}

/** Join the components of all producers of a task, and set [*low, *high] to the interval that its producers then span.
 *  A component is shifted, before it joins, such that the interval becomes as short as possible. */
static void join_components(struct positions *p, uint32_t task, int64_t *low, int64_t *high)
{
    uint32_t first = producer(p, p->tasks->in[task]);
    interval_of(p, task, p->component[first], low, high);
    for (size_t i = p->tasks->in[task]; i < p->tasks->in[task + 1]; i++) {
        uint32_t from = producer(p, i);
        int64_t a, b;
        if (p->component[from] == p->component[first])
            continue;
        interval_of(p, task, p->component[from], &a, &b);
        int64_t by = best_shift(p, *low, *high, a, b);
        /* moving either component gives the same distance, so move the smaller one */
        if (p->size[p->component[from]] <= p->size[p->component[first]]) {
            shift(p, from, by);
            a += by;
            b += by;
        } else {
            shift(p, first, -by);
            *low -= by;
            *high -= by;
        }
        unite(p, first, from);
        LOWER(*low, a);
        RAISE(*high, b);
    }
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/** Set *low to the lower end of that interval of length `distance` which contains the most producers of a task; of
 *  equals take the one furthest ahead. */
static rwa_status best_interval(const struct positions *p, uint32_t task, int64_t *low, rwa_error *err)
{
    size_t count = p->tasks->in[task + 1] - p->tasks->in[task], most = 0;
    int64_t *at;
    MUST(base_new(at, count, err));
    for (size_t i = 0; i < count; i++)
        at[i] = p->at[producer(p, p->tasks->in[task] + i)];
    qsort(at, count, sizeof *at, by_value);
    for (size_t i = 0, j = 0; i < count; i++) {
        while (j < count && at[j] - at[i] <= p->distance)
            j++;
        if (j - i >= most) {
            most = j - i;
            *low = at[i];
        }
    }
    free(at);
    return RWA_OK;
}

static rwa_status ask(struct positions *p, uint32_t task, int64_t at, rwa_error *err)
{
    return base_append(p->step, p->steps, err, (struct step){task, at});
}

static void note_moved(struct positions *p, uint32_t task)
{
    if (!p->is_moved[task])
        p->moved[p->moved_count++] = task;
    p->is_moved[task] = true;
}

/** Move task s.task to its new point s.at, and add the moves that this makes necessary to the work list p->step.  If
 *  the task moves ahead (sign 1), consumers behind it must come up to it, and producers must follow to within the
 *  distance. If it moves back (sign -1), producers and consumers exchange these roles. */
static rwa_status settle(struct positions *p, struct step s, int64_t sign, rwa_error *err)
{
    const rwa_tasks *t = p->tasks;
    bool ahead = sign > 0;
    p->at[s.task] = s.at;
    note_moved(p, s.task);
    for (size_t i = t->in[s.task]; i < t->in[s.task + 1]; i++)
        MUST(ask(p, t->edge[i].from, ahead ? s.at - p->distance : s.at, err));
    for (size_t i = t->out[s.task]; i < t->out[s.task + 1]; i++) {
        uint32_t to = t->edge[t->out_edge[i]].to;
        if (p->placed[to])
            MUST(ask(p, to, ahead ? s.at : s.at + p->distance, err));
    }
    return RWA_OK;
}

/** Move the producers of a task that are behind a limit (sign 1) or ahead of it (sign -1) to the limit.  Then move
 *  every task that is now too far from another, no further than necessary. */
static rwa_status cut_off(struct positions *p, uint32_t task, int64_t limit, int64_t sign, rwa_error *err)
{
    p->steps = 0;
    for (size_t i = p->tasks->in[task]; i < p->tasks->in[task + 1]; i++)
        MUST(ask(p, producer(p, i), limit, err));
    /* a task moves again if a later request goes further, so the order of the requests does not matter */
    for (size_t i = 0; i < p->steps; i++)
        if (sign * p->at[p->step[i].task] < sign * p->step[i].at)
            MUST(settle(p, p->step[i], sign, err));
    return RWA_OK;
}

rwa_status positions_gather(struct positions *p, uint32_t task, int64_t *from, int64_t *to, rwa_error *err)
{
    int64_t low = 0, high = 0, begin = 0;
    rwa_status st = RWA_OK;
    p->moved_count = 0;
    join_components(p, task, &low, &high);
    if (high - low > p->distance) {
        TRY(best_interval(p, task, &begin, err));
        TRY(cut_off(p, task, begin, 1, err));
        TRY(cut_off(p, task, begin + p->distance, -1, err));
        interval_of(p, task, p->component[producer(p, p->tasks->in[task])], &low, &high);
    }
    *from = high;
    *to = low + p->distance;
done:
    for (size_t i = 0; i < p->moved_count; i++)
        p->is_moved[p->moved[i]] = false;
    return st;
}

void positions_place(struct positions *p, uint32_t task, int64_t at)
{
    p->at[task] = at;
    p->placed[task] = true;
    p->component[task] = p->next[task] = task;
    p->size[task] = 1;
    if (p->tasks->in[task] < p->tasks->in[task + 1])
        unite(p, producer(p, p->tasks->in[task]), task);
}
