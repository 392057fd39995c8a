/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads task graphs from JSON. */
#include "place/input.h"
#include "place/tasks.h"

#include "base/json.h"
#include "base/names.h"

struct parse {
    struct input in;
    rwa_task *task;
    const char **name;      /* borrowed from the JSON tree */
    struct names names;
    uint32_t *named;        /* the task of each name */
    rwa_task_edge *edge;
    size_t count, edges;
};

/** Set *out to a member of task number i, a number of at least 0.  If the member is missing, *out stays as it is or, if
 *  `needed`, that is an error. */
static rwa_status take_amount(double *out, const struct parse *p, const json_t *task, size_t i, const char *member,
                              bool needed)
{
    const json_t *value = json_object_get(task, member);
    if (input_amount(out, value) || (!value && !needed))
        return RWA_OK;
    return input_fail(&p->in, "tasks[%zu].%s: %s, expected a number of at least 0", i, member,
                     value ? "is none" : "is missing");
}

static rwa_status take_task(struct parse *p, const json_t *task, size_t i)
{
    const json_t *name = json_object_get(task, "name");
    if (!json_is_object(task) || (name && !json_is_string(name)))
        return input_fail(&p->in, "tasks[%zu]: expected an object such as {\"name\":\"A\",\"duration\":1e-3}", i);
    uint32_t number = 0, before = p->names.count;
    p->name[i] = json_string_value(name);
    if (name) {
        MUST(names_add(&p->names, p->name[i], &number, p->in.err));
        if (p->names.count == before)
            return input_fail(&p->in, "two tasks are named \"%s\"", p->name[i]);
        p->named[number] = (uint32_t)i;
    }
    MUST(take_amount(&p->task[i].duration_s, p, task, i, "duration", true));
    MUST(take_amount(&p->task[i].memory_bytes, p, task, i, "memory", false));
    return take_amount(&p->task[i].gradient_bytes, p, task, i, "gradient", false);
}

static bool find_task(uint32_t *out, const struct parse *p, const json_t *value)
{
    const char *name = json_string_value(value);
    uint32_t number = name ? names_find(&p->names, name) : NAMES_NONE;
    if (number != NAMES_NONE)
        *out = p->named[number];
    return number != NAMES_NONE || (json_u32(value, out) && *out < p->count);
}

static rwa_status take_edges(struct parse *p, const json_t *list)
{
    const json_t *edge;
    size_t i;
    json_array_foreach(list, i, edge) {
        rwa_task_edge *e = &p->edge[i];
        if (json_array_size(edge) != 3 || !find_task(&e->from, p, json_array_get(edge, 0)) ||
            !find_task(&e->to, p, json_array_get(edge, 1)) || !input_amount(&e->bytes, json_array_get(edge, 2)))
            return input_fail(&p->in, "edges[%zu]: expected [from, to, bytes] with two tasks by name or number "
                             "and a number of at least 0", i);
    }
    return RWA_OK;
}

static rwa_status take_graph(rwa_tasks **out, struct parse *p, const json_t *root)
{
    const json_t *tasks = json_object_get(root, "tasks"), *edges = json_object_get(root, "edges"), *task;
    rwa_status st = RWA_OK;
    size_t i;
    if (json_array_size(tasks) == 0 || (edges && !json_is_array(edges)))
        return input_fail(&p->in, "expected {\"tasks\":[...], \"edges\":[...]} with at least one task");
    p->count = json_array_size(tasks);
    p->edges = json_array_size(edges);
    TRY(base_new(p->task, p->count, p->in.err));
    TRY(base_new(p->name, p->count, p->in.err));
    TRY(base_new(p->named, p->count, p->in.err));
    TRY(base_new(p->edge, p->edges, p->in.err));
    json_array_foreach(tasks, i, task)
        TRY(take_task(p, task, i));
    TRY(take_edges(p, edges));
    st = rwa_tasks_create(out, p->task, p->name, p->count, p->edge, p->edges, p->in.err);
    st = base_blame(st, p->in.path, 0, p->in.err);
done:
    names_free(&p->names);
    free_all(p->edge, p->named, p->name, p->task);
    return st;
}

rwa_status rwa_tasks_read(rwa_tasks **out, const char *path, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    struct parse p = {.in = {.path = path, .err = err}};
    json_t *root = NULL;
    rwa_status st = RWA_OK;
    TRY(input_read(&p.in));
    TRY(input_json(&root, &p.in));
    TRY(take_graph(out, &p, root));
done:
    json_decref(root);
    free(p.in.text);
    return st;
}
