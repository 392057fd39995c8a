/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/tasks.h"

enum { TASKS_MAX = 1 << 28, NAME_MAX_BYTES = 256 };

void rwa_tasks_free(rwa_tasks *t)
{
    if (!t)
        return;
    arena_free(&t->memory);
    free(t);
}

GETTER(size_t, rwa_tasks_count, rwa_tasks, count)

GETTER_ENTRY(rwa_task, rwa_tasks_task, rwa_tasks, task)

const char *rwa_tasks_name(const rwa_tasks *tasks, size_t i)
{
    return tasks->name ? tasks->name[i] : NULL;
}

GETTER(size_t, rwa_tasks_edges, rwa_tasks, edge_count)

GETTER_ENTRY(rwa_task_edge, rwa_tasks_edge, rwa_tasks, edge)

static bool is_amount(double x)
{
    return x >= 0 && isfinite(x);
}

static rwa_status check_figures(const rwa_task *tasks, size_t count, const rwa_task_edge *edges, size_t edge_count,
                                rwa_error *err)
{
    if (count == 0 || count > TASKS_MAX)
        return base_refuse(err, "%zu tasks, expected 1 to %d", count, TASKS_MAX);
    for (size_t i = 0; i < count; i++)
        if (!is_amount(tasks[i].duration_s) || !is_amount(tasks[i].memory_bytes) || !is_amount(tasks[i].gradient_bytes))
            return base_refuse(err, "task %zu: duration %g, memory %g, gradient %g: expected numbers of at least 0", i,
                               tasks[i].duration_s, tasks[i].memory_bytes, tasks[i].gradient_bytes);
    for (size_t i = 0; i < edge_count; i++) {
        if (edges[i].from >= count || edges[i].to >= count)
            return base_refuse(err, "edge %zu: from task %u to %u, expected 0 to %zu", i, edges[i].from, edges[i].to,
                               count - 1);
        if (!is_amount(edges[i].bytes))
            return base_refuse(err, "edge %zu: %g bytes, expected a number of at least 0", i, edges[i].bytes);
    }
    return RWA_OK;
}

/** Sort the edges by the task to which they lead, and list the edges that leave each task, by counting sorts. */
static void index_edges(rwa_tasks *t, const rwa_task_edge *edges)
{
    for (size_t i = 0; i < t->edge_count; i++) {
        t->in[edges[i].to]++;
        t->out[edges[i].from]++;
    }
    for (size_t v = 0, in = 0, out = 0; v <= t->count; v++) { /* in[v] becomes the end of v's edges … */
        in = t->in[v] += in;
        out = t->out[v] += out;
    }
    for (size_t i = t->edge_count; i-- > 0;) /* … and moves down to their start */
        t->edge[--t->in[edges[i].to]] = edges[i];
    for (size_t i = t->edge_count; i-- > 0;)
        t->out_edge[--t->out[t->edge[i].from]] = i;
}

static rwa_status sort_topologically(rwa_tasks *t, rwa_error *err)
{
    size_t done = 0, found = 0;
    size_t *waits;
    MUST(base_new(waits, t->count, err));
    for (size_t v = 0; v < t->count; v++) {
        waits[v] = t->in[v + 1] - t->in[v];
        if (waits[v] == 0)
            t->order[found++] = (uint32_t)v;
    }
    for (; done < found; done++)
        for (size_t i = t->out[t->order[done]]; i < t->out[t->order[done] + 1]; i++) {
            uint32_t to = t->edge[t->out_edge[i]].to;
            if (--waits[to] == 0)
                t->order[found++] = to;
        }
    size_t stuck = 0;
    assert(done == found && found <= t->count);
    while (found < t->count && waits[stuck] == 0)
        stuck++;
    free(waits);
    if (found < t->count)
        return base_refuse(err, "task %zu waits for itself: it is on a cycle of edges, or behind one", stuck);
    return RWA_OK;
}

static void copy_names(rwa_tasks *t, const char *const *names)
{
    arena_new(&t->memory, t->name, t->count);
    for (size_t i = 0; t->name && i < t->count; i++)
        t->name[i] = arena_copy_text(&t->memory, names[i]);
}

rwa_status rwa_tasks_create(rwa_tasks **out, const rwa_task *tasks, const char *const *names, size_t count,
                            const rwa_task_edge *edges, size_t edge_count, rwa_error *err)
{
    BEGIN_NEW(out, err, !count || tasks, !edge_count || edges);
    rwa_tasks *t = NULL;
    rwa_status st = RWA_OK;
    TRY(check_figures(tasks, count, edges, edge_count, err));
    TRY(base_new(t, 1, err));
    t->count = count;
    t->edge_count = edge_count;
    t->memory.err = err;
    arena_copy(&t->memory, t->task, tasks, count);
    arena_arrays(&t->memory, edge_count, t->edge, t->out_edge);
    arena_arrays(&t->memory, count + 1, t->in, t->out);
    arena_new(&t->memory, t->order, count);
    if (names)
        copy_names(t, names);
    TRY(arena_status(&t->memory));
    t->memory.err = NULL;
    index_edges(t, edges);
    TRY(sort_topologically(t, err));
    *out = t;
    t = NULL;
done:
    rwa_tasks_free(t);
    return st;
}

/* ---- splitting ---- */

/** Split each task into parts of about quantum_s seconds, at most `most` parts a task, and number all parts: those of
 *  task i are first[i] … first[i + 1] - 1.  Set *edges to the number of edges between parts. */
static rwa_status count_parts(size_t *first, size_t *edges, const rwa_tasks *t, double quantum_s, uint32_t most,
                              rwa_error *err)
{
    double all = 0;
    for (size_t i = 0; i < t->count; i++) {
        double parts = fmin(fmax(floor(t->task[i].duration_s / quantum_s + 0.5), 1), most);
        first[i + 1] = first[i] + (size_t)parts;
        if (first[i + 1] > TASKS_MAX)
            return base_refuse(err, "a quantum of %g s makes more than %d tasks", quantum_s, TASKS_MAX);
    }
    for (size_t e = 0; e < t->edge_count; e++)
        all += (double)(first[t->edge[e].from + 1] - first[t->edge[e].from]) *
               (double)(first[t->edge[e].to + 1] - first[t->edge[e].to]);
    *edges = (size_t)all;
    return base_fits_memory(all * (2 * sizeof(rwa_task_edge) + sizeof(size_t)), "the split task graph", err);
}

static void split_tasks(rwa_task *part, const rwa_tasks *t, const size_t *first)
{
    for (size_t i = 0; i < t->count; i++)
        for (size_t p = first[i]; p < first[i + 1]; p++) {
            double share = (double)(first[i + 1] - first[i]);
            part[p] = (rwa_task){t->task[i].duration_s / share, t->task[i].memory_bytes / share,
                                 t->task[i].gradient_bytes / share};
        }
}

static void split_edges(rwa_task_edge *edge, const rwa_tasks *t, const size_t *first)
{
    for (size_t e = 0; e < t->edge_count; e++) {
        const rwa_task_edge *whole = &t->edge[e];
        size_t from = first[whole->from], from_end = first[whole->from + 1];
        size_t to = first[whole->to], to_end = first[whole->to + 1];
        double bytes = whole->bytes / ((double)(from_end - from) * (double)(to_end - to));
        for (size_t p = from; p < from_end; p++)
            for (size_t q = to; q < to_end; q++)
                *edge++ = (rwa_task_edge){(uint32_t)p, (uint32_t)q, bytes};
    }
}

/** Name the parts of tasks: part j of task "conv" is "conv.j", counted from 1.  A task that is not split keeps its
 *  name. */
static void name_parts(char **name, const rwa_tasks *t, const size_t *first, struct arena *memory)
{
    char text[NAME_MAX_BYTES + 24];
    for (size_t i = 0; i < t->count; i++)
        for (size_t p = first[i]; t->name && t->name[i] && p < first[i + 1]; p++) {
            if (first[i + 1] - first[i] == 1)
                snprintf(text, sizeof text, "%.*s", NAME_MAX_BYTES, t->name[i]);
            else
                snprintf(text, sizeof text, "%.*s.%zu", NAME_MAX_BYTES, t->name[i], p - first[i] + 1);
            name[p] = arena_copy_text(memory, text);
        }
}

rwa_status rwa_tasks_split(rwa_tasks **out, const rwa_tasks *tasks, double quantum_s, uint32_t most, rwa_error *err)
{
    BEGIN_NEW(out, err, tasks);
    struct arena memory = {.err = err};
    rwa_status st = RWA_OK;
    rwa_task *part;
    rwa_task_edge *edge;
    char **name;
    size_t edges = 0, parts = 0, *first;
    if (!(quantum_s > 0) || !isfinite(quantum_s) || most == 0)
        return base_refuse(err, "a quantum of %g s and at most %u parts, expected a time above 0 and a part", quantum_s,
                           most);
    TRY(arena_arrays(&memory, tasks->count + 1, first));
    TRY(count_parts(first, &edges, tasks, quantum_s, most, err));
    parts = first[tasks->count];
    arena_arrays(&memory, parts, part, name);
    TRY(arena_arrays(&memory, edges, edge));
    split_tasks(part, tasks, first);
    split_edges(edge, tasks, first);
    name_parts(name, tasks, first, &memory);
    TRY(arena_status(&memory));
    TRY(rwa_tasks_create(out, part, (const char *const *)name, parts, edge, edges, err));
done:
    arena_free(&memory);
    return st;
}
