/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain: task graph -> placement -> traffic -> circuits -> time. */
#include "cli/circuits.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct place_options {
    common common;
    uint32_t devices, replicas, degree;
    uint64_t memory;
    double quantum_s;           /* 0: no splitting */
    circuits_choice circuits;
    output_choice output;
} place_options;

static const option own_options[] = {
    {"devices", 0, "K", "devices that one replica of the model is spread over", "required", IS_COUNT(place_options, devices, 1, 1u << 20)},
    {"replicas", 0, "L", "replicas of the model, each on K devices of its own", "1", IS_COUNT(place_options, replicas, 1, RWA_NODES_MAX)},
    {"degree", 0, "D", "other devices that a device may send to, the next replica among them", "all",
     IS_COUNT(place_options, degree, 1, RWA_NODES_MAX)},
    {"quantum", 0, "TIME", "split tasks into parts of about this time, at most K", "no splitting",
     IS_POSITIVE(place_options, quantum_s, time_units, "a time, such as 50us")},
    {"memory", 0, "SIZE", "of a device, as 40GiB", "no limit", IS_SIZE(place_options, memory), .field = "memory_bytes"},
    {"network", 0, "SPEC", "find circuits too: as ocs:64x8 or ring:64", NULL, IS_TEXT(place_options, circuits.network.spec)},
    {"output", 'o', "FILE", "write the JSON report; - is standard output", NULL, IS_FILE(place_options, output.file)},
    {"format", 0, "FORMAT", "text, json, or csv: the traffic, as circuits reads it", "text",
     IS_CHOICE(place_options, output.format, text_json_csv)},
    {0}};
static void init(void *options)
{
    ((place_options *)options)->replicas = 1;
}

static const option_group groups[] = {
    {own_options, 0, init}, {circuits_options, offsetof(place_options, circuits), circuits_init}, {NULL, 0, NULL}};

/* The results of the chain so far. */
typedef struct chain {
    rwa_tasks *tasks;
    rwa_placement *placement;
    rwa_traffic *traffic;       /* NULL: a single node */
    circuits_answer circuits;   /* empty without --network */
    rwa_iteration iteration;
    int timed;
} chain;

static void chain_free(chain *c)
{
    circuits_free(&c->circuits);
    rwa_traffic_free(c->traffic);
    rwa_placement_free(c->placement);
    rwa_tasks_free(c->tasks);
}

static int placed(const chain *c)
{
    return rwa_placement_summary(c->placement)->why[0] == '\0';
}

/* ---- the report ---- */

static json_t *task_list(const chain *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rwa_tasks_count(c->tasks); i++) {
        const char *name = rwa_tasks_name(c->tasks, i);
        json_t *task = json_add(json_object(), "device:u start:f", rwa_placement_device(c->placement, i),
                                rwa_placement_start(c->placement, i));
        json_array_append_new(list, name != NULL ? json_add(task, "name:s", name) : task);
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
    const rwa_placement_report *s = rwa_placement_summary(c->placement);
    json_t *all = json_add(json_object(), "devices:u replicas:u distance:u outcome:s optimal:b", s->devices, s->replicas, s->distance,
                           rwa_outcome_text(s->outcome), s->outcome == RWA_OPTIMAL);
    if (!placed(c))
        return json_add(all, "why:s", s->why);
    json_t *iteration = !c->timed ? json_null()
                        : json_add(json_object(), "compute_seconds:f reduce_seconds:f time_seconds:f", c->iteration.compute_s,
                                   c->iteration.reduce_s, c->iteration.time_s);
    return json_add(all, "reach:u makespan_seconds:f bound_seconds:f repairs:U moved:U memory_bytes:f tasks:o nodes:U flows:o "
                    "circuits:o iteration:o", s->reach, s->makespan_s, s->bound_s, s->repairs, s->moved, s->memory_bytes,
                    task_list(c), (uint64_t)s->devices * s->replicas, flow_list(c->traffic),
                    c->circuits.net != NULL ? circuits_json(&c->circuits) : json_null(), iteration);
}

static void print_chain(FILE *to, const chain *c)
{
    const rwa_placement_report *s = rwa_placement_summary(c->placement);
    size_t tasks = rwa_tasks_count(c->tasks);
    fprintf(to, "Placement         %zu task%s on %" PRIu32 " device%s, %" PRIu32 " replica%s, consumers at most %" PRIu32 " ahead\n", tasks,
            plural(tasks), s->devices, plural(s->devices), s->replicas, plural(s->replicas), s->distance);
    if (!placed(c)) {
        fprintf(to, "No placement      %s\n", s->why);
        return;
    }
    fprintf(to, "Makespan          %s without communication; lower bound %s\nRepairs           %" PRIu64 ", %" PRIu64 " task%s moved\n",
            TIME_TEXT(s->makespan_s), TIME_TEXT(s->bound_s), s->repairs, s->moved, plural(s->moved));
    if (c->circuits.net != NULL)
        print_circuits(to, &c->circuits);
    if (!c->timed)
        return;
    fprintf(to, "Iteration         %s: %s of tasks and transfers, %s of adding up gradients\n", TIME_TEXT(c->iteration.time_s),
            TIME_TEXT(c->iteration.compute_s), TIME_TEXT(c->iteration.reduce_s));
}

static void print_traffic_csv(const rwa_traffic *t)
{
    printf("src,dst,bytes\n");
    for (size_t i = 0; t != NULL && i < rwa_traffic_flows(t); i++) {
        rwa_flow f = rwa_traffic_flow(t, i);
        printf("%" PRIu32 ",%" PRIu32 ",%.17g\n", f.src, f.dst, f.bytes);
    }
}

static int answer(const chain *c, const place_options *o)
{
    wrap wrapped;
    int code = !placed(c) ? EXIT_NO : c->circuits.net != NULL ? circuits_verdict(&c->circuits) : EXIT_YES;
    if (o->output.format == AS_CSV) {
        print_traffic_csv(c->traffic);
    } else if (o->output.format == AS_TEXT) {
        print_chain(wrap_open(&wrapped, report_stream(&o->output)), c);
        wrap_close(&wrapped, WRAP_HANG, 0);
    }
    return report_finish(&o->output, o->output.format == AS_JSON || o->output.file != NULL ? report(c) : NULL, code);
}

/* ---- the chain ---- */

static rwa_status read_tasks(chain *c, const place_options *o, rwa_error *err)
{
    rwa_tasks *whole = NULL;
    rwa_status status = rwa_tasks_read(&whole, o->common.operands[0], err);
    if (status != RWA_OK || o->quantum_s <= 0) {
        c->tasks = whole;
        return status;
    }
    status = rwa_tasks_split(&c->tasks, whole, o->quantum_s, o->devices, err);
    rwa_tasks_free(whole);
    return status;
}

static rwa_status place(chain *c, place_options *o, rwa_error *err)
{
    rwa_place_options opts;
    rwa_place_options_init(&opts);
    opts.devices = o->devices;
    opts.replicas = o->replicas;
    opts.degree = o->degree;
    opts.memory_bytes = (double)o->memory;
    SHOW_PROGRESS(&opts, &o->common);
    rwa_status status = rwa_place(&c->placement, c->tasks, &opts, err);
    progress_clear();
    if (status == RWA_OK && placed(c) && (uint64_t)o->devices * o->replicas > 1)
        status = rwa_placement_traffic(&c->traffic, c->placement, err);
    return status;
}

/* Circuits, and the time over them where they stay as they are. */
static int connect_devices(chain *c, place_options *o)
{
    rwa_error err = {0};
    if (c->traffic == NULL)
        return fail(EXIT_BAD_INPUT, "a single device has no traffic, expected no --network, or more devices");
    int code = circuits_make(&c->circuits, c->traffic, &o->circuits, &o->common);
    if (code != 0 || c->circuits.circuits == NULL || circuits_verdict(&c->circuits) != EXIT_YES ||
        rwa_circuits_summary(c->circuits.circuits)->episodes != 1)
        return code;
    code = fail_status(rwa_placement_time(&c->iteration, c->placement, c->circuits.circuits, rwa_network_rate_bps(c->circuits.net), &err),
                       &err, 0);
    c->timed = code == 0;
    return code;
}

static int run(void *options)
{
    place_options *o = options;
    chain c = {0};
    rwa_error err = {0};
    int code = 0;
    if (o->common.operands[0] == NULL || o->devices == 0)
        return fail(EXIT_BAD_INPUT, "no %s given, expected for example: rwa place tasks.json --devices 4 --replicas 2 --degree 3",
                    o->common.operands[0] == NULL ? "task graph" : "devices");
    if (o->circuits.network.spec == NULL)
        code = refuse_given(&o->common, NAMES("wavelengths", "fibers", "rate", "method", "episodes", "duty", "one-way", "time-limit",
                                              "reconfig"), "is for circuits, expected --network too");
    THEN(fail_status(read_tasks(&c, o, &err), &err, 0));
    THEN(fail_status(place(&c, o, &err), &err, 0));
    if (code == 0 && o->circuits.network.spec != NULL && placed(&c))
        code = connect_devices(&c, o);
    THEN(answer(&c, o));
    chain_free(&c);
    return code;
}

const command command_place = {
    "place", "place a task graph onto devices; traffic, circuits and time from it",
    "rwa place TASKS --devices K [options]\n\n"
    "Places the tasks so that every device sends to few others; the traffic follows from that, with --network the "
    "circuits for it, and the time of an iteration over them.  Exit 1: the tasks do not fit, or not every pair can be served.\n\n"
    "Examples:\n"
    "  rwa place tasks.json --devices 4 --replicas 2 --degree 3 --network ocs:8x3\n"
    "  rwa place tasks.json --devices 8 --quantum 1ms --format csv |\n"
    "    rwa circuits - --network ring:8\n",
    groups, sizeof(place_options), 1, run, NULL};
