/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain: task graph -> placement -> traffic -> circuits -> time. */
#include "circuits.h"
#include "fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the chain has made so far. */
typedef struct chain {
    rwa_tasks *tasks;
    rwa_placement *placement;
    rwa_traffic *traffic;       /* NULL: a single node */
    circuits_answer circuits;   /* empty without --network */
    rwa_iteration iteration;
    int timed;
} chain;

static void chain_drop(chain *c)
{
    circuits_drop(&c->circuits);
    rwa_traffic_free(c->traffic);
    rwa_placement_free(c->placement);
    rwa_tasks_free(c->tasks);
}

static int placed(const chain *c)
{
    return rwa_placement_get_summary(c->placement)->why[0] == '\0';
}

static json_t *task_list(const chain *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rwa_tasks_count(c->tasks); i++) {
        const char *name = rwa_tasks_name(c->tasks, i);
        json_t *task = json_pack("{s:I, s:f}", "device", (json_int_t)rwa_placement_device(c->placement, i), "start",
                                 rwa_placement_start(c->placement, i));
        if (name != NULL)
            json_object_set_new(task, "name", json_string(name));
        json_array_append_new(list, task);
    }
    return list;
}

static json_t *flow_list(const rwa_traffic *t)
{
    json_t *list = json_array();
    for (size_t i = 0; t != NULL && i < rwa_traffic_flows(t); i++) {
        rwa_flow f = rwa_traffic_flow(t, i);
        json_array_append_new(list, json_pack("[I,I,f]", (json_int_t)f.src, (json_int_t)f.dst, f.bytes));
    }
    return list;
}

static json_t *report(const chain *c)
{
    const rwa_placement_summary *s = rwa_placement_get_summary(c->placement);
    json_t *out = json_pack("{s:I, s:I, s:I, s:s, s:b}", "devices", (json_int_t)s->devices, "replicas", (json_int_t)s->replicas,
                            "distance", (json_int_t)s->distance, "outcome", rwa_outcome_text(s->outcome), "optimal",
                            s->outcome == RWA_OPTIMAL);
    if (!placed(c)) {
        json_object_set_new(out, "why", json_string(s->why));
        return out;
    }
    json_object_set_new(out, "reach", json_integer((json_int_t)s->reach));
    json_object_set_new(out, "makespan_seconds", json_real(s->makespan_s));
    json_object_set_new(out, "bound_seconds", json_real(s->bound_s));
    json_object_set_new(out, "repairs", json_count(s->repairs));
    json_object_set_new(out, "moved", json_count(s->moved));
    json_object_set_new(out, "memory_bytes", json_real(s->memory_bytes));
    json_object_set_new(out, "tasks", task_list(c));
    json_object_set_new(out, "nodes", json_integer((json_int_t)s->devices * (json_int_t)s->replicas));
    json_object_set_new(out, "flows", flow_list(c->traffic));
    json_object_set_new(out, "circuits", c->circuits.net != NULL ? circuits_json(&c->circuits) : json_null());
    json_object_set_new(out, "iteration", !c->timed ? json_null() :
                        json_pack("{s:f, s:f, s:f}", "compute_seconds", c->iteration.compute_s, "reduce_seconds",
                                  c->iteration.reduce_s, "time_seconds", c->iteration.time_s));
    return out;
}

static void chain_text(FILE *to, const chain *c)
{
    const rwa_placement_summary *s = rwa_placement_get_summary(c->placement);
    fprintf(to, "Placement         %zu tasks on %lu devices, %lu replica%s, consumers at most %lu ahead\n",
            rwa_tasks_count(c->tasks), (unsigned long)s->devices, (unsigned long)s->replicas, s->replicas == 1 ? "" : "s",
            (unsigned long)s->distance);
    if (!placed(c)) {
        fprintf(to, "No placement      %s\n", s->why);
        return;
    }
    fprintf(to, "Makespan          ");
    print_time(to, s->makespan_s);
    fprintf(to, " without communication; no placement does in less than ");
    print_time(to, s->bound_s);
    fprintf(to, "\nRepairs           %" PRIu64 ", %" PRIu64 " tasks moved\n", s->repairs, s->moved);
    if (c->circuits.net != NULL)
        circuits_text(to, &c->circuits);
    if (!c->timed)
        return;
    fprintf(to, "Iteration         ");
    print_time(to, c->iteration.time_s);
    fprintf(to, ": ");
    print_time(to, c->iteration.compute_s);
    fprintf(to, " of tasks and transfers, ");
    print_time(to, c->iteration.reduce_s);
    fprintf(to, " of adding up gradients\n");
}

static void text(FILE *where, const chain *c)
{
    fold folded;
    chain_text(fold_open(&folded, where), c);
    fold_close(&folded, FOLD_HANG, 0);
}

static void traffic_csv(const rwa_traffic *t)
{
    printf("src,dst,bytes\n");
    for (size_t i = 0; t != NULL && i < rwa_traffic_flows(t); i++) {
        rwa_flow f = rwa_traffic_flow(t, i);
        printf("%lu,%lu,%.17g\n", (unsigned long)f.src, (unsigned long)f.dst, f.bytes);
    }
}

static rwa_status read_tasks(chain *c, const options *o, rwa_error *err)
{
    rwa_tasks *whole = NULL;
    rwa_status status = rwa_tasks_read(&whole, o->file, err);
    if (status == RWA_OK && o->quantum_s > 0)
        status = rwa_tasks_split(&c->tasks, whole, o->quantum_s, o->devices, err);
    else if (status == RWA_OK) {
        c->tasks = whole;
        whole = NULL;
    }
    rwa_tasks_free(whole);
    return status;
}

static rwa_status place(chain *c, options *o, rwa_error *err)
{
    rwa_place_options p;
    rwa_place_options_init(&p);
    p.devices = o->devices;
    p.replicas = o->replicas;
    p.degree = o->degree;
    p.memory_bytes = (double)o->memory;
    p.poll = poll_progress;
    p.poll_data = o;
    rwa_status status = rwa_place(&c->placement, c->tasks, &p, err);
    progress_clear();
    if (status == RWA_OK && placed(c) && (uint64_t)o->devices * o->replicas > 1)
        status = rwa_placement_traffic(&c->traffic, c->placement, err);
    return status;
}

/* Circuits, and the time over them where they stay as they are. */
static int connect(chain *c, options *o)
{
    rwa_error err = {0};
    if (c->traffic == NULL)
        return fail(EXIT_BAD_INPUT, "a single device has no traffic, expected no --network, or more devices");
    int code = circuits_make(&c->circuits, c->traffic, o);
    if (code != 0 || c->circuits.circuits == NULL || circuits_verdict(&c->circuits) != EXIT_YES ||
        rwa_circuits_get_summary(c->circuits.circuits)->episodes != 1)
        return code;
    rwa_status status = rwa_placement_time(&c->iteration, c->placement, c->circuits.circuits,
                                           rwa_network_rate_bps(c->circuits.net), &err);
    c->timed = status == RWA_OK;
    return status == RWA_OK ? 0 : fail_status(status, &err, 0);
}

static int print(const chain *c, const options *o)
{
    int code = !placed(c) ? EXIT_NO : c->circuits.net != NULL ? circuits_verdict(&c->circuits) : EXIT_YES;
    if (o->csv)
        traffic_csv(c->traffic);
    else if (!o->json)
        text(o->output != NULL && strcmp(o->output, "-") == 0 ? stderr : stdout, c);
    return report_print(o, o->json || o->output != NULL ? report(c) : NULL, code);
}

int command_place(options *o)
{
    chain c = {0};
    rwa_error err = {0};
    if (o->file == NULL || o->devices == 0)
        return fail(EXIT_BAD_INPUT, "no %s given, expected for example: rwa place tasks.json --devices 4 --replicas 2 --degree 3",
                    o->file == NULL ? "task graph" : "devices");
    int code = o->network == NULL ? refuse_given(o, NAMES("wavelengths", "fibers", "rate", "method", "episodes", "duty", "one-way",
                                                          "time-limit", "reconfig"), "is for circuits, expected --network too") : 0;
    if (code != 0)
        return code;
    rwa_status status = read_tasks(&c, o, &err);
    if (status == RWA_OK)
        status = place(&c, o, &err);
    code = status == RWA_OK ? 0 : fail_status(status, &err, 0);
    if (code == 0 && o->network != NULL && placed(&c))
        code = connect(&c, o);
    if (code == 0)
        code = print(&c, o);
    chain_drop(&c);
    return code;
}
