/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/planning.h"
#include "cli/print.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct import_options {
    common common;
    const char *from;           /* NULL: recognised by how the file begins */
    network_choice network;     /* no specification: the file gives the network */
    collective_choice collective;
    device_choice device;
    rwa_plan_options plan;
    output_choice output;
} import_options;

static const option own_options[] = {
    {"from", 0, "FORMAT", "csv, harvest, msccl, mscclpp, teccl, forestcoll or chakra", "recognised by how the file begins",
     IS_NAME(import_options, from, rwa_import_name)},
    {"network", 0, "SPEC|FILE", "what it runs on, as ring:16 or torus:8x8", "as a csv says; others need it",
     IS_TEXT(import_options, network.spec)},
    {"blocks", 0, "M", "blocks of the message", "as the file says, or the usual number",
     IS_NUMBER(import_options, collective.blocks, 1, UINT32_MAX)},
    {"max-hops", 0, "H", "no lightpath longer than H links", NULL, IS_COUNT(import_options, plan.max_hops, 1, RWA_NODES_MAX)},
    {"output", 'o', "FILE", "write the schedule; .gz compresses, - is standard output", NULL, IS_FILE(import_options, output.file)},
    {0}};
static void plan_init(void *opts)
{
    rwa_plan_options_init((rwa_plan_options *)opts);
}

static const option_group groups[] = {
    {own_options, 0, NULL}, NETWORK_GROUPS(import_options, network.opts), COLLECTIVE_GROUPS(import_options, collective),
    {search_options, offsetof(import_options, plan), plan_init}, {device_options, offsetof(import_options, device), NULL},
    {power_options, offsetof(import_options, device), NULL}, {cost_model_options, offsetof(import_options, plan.cost), NULL},
    {cost_options, offsetof(import_options, plan.cost), NULL}, {report_options, offsetof(import_options, output), NULL},
    {NULL, 0, NULL}};

/* A schedule that was read, and what is known about it. */
typedef struct imported {
    rwa_import found;
    rwa_schedule *sched;
    rwa_check *verdict;
    const rwa_check_report *check;  /* of the verdict */
    rwa_bound bound;
    double time_s;
} imported;

static int optimal(const imported *i)
{
    assert(i->check);
    return i->check->ok && i->bound.value == rwa_schedule_steps(i->sched);
}

/* ---- reading and checking ---- */

static rwa_status read_schedule(imported *i, const rwa_network *net, import_options *o, rwa_error *err)
{
    rwa_import_options opts;
    rwa_import_options_init(&opts);
    opts.format = o->from;
    opts.collective = option_given(&o->common, "collective") ? o->collective.kind : (rwa_collective_kind)0;
    opts.root = o->collective.root;
    opts.message_bytes = o->collective.message;
    opts.blocks = o->collective.blocks;
    opts.plan = &o->plan;
    return rwa_schedule_import(&i->sched, &i->found, o->common.operands[0], net, &opts, err);
}

/* For schedules as free as this one; there is no bound for more blocks on a lightpath than RWA_LIGHTPATH_BLOCKS_MAX. */
static rwa_status find_bound(imported *i, import_options *o, rwa_error *err)
{
    rwa_bound_options opts;
    rwa_bound_options_init(&opts);
    opts.members = rwa_schedule_members(i->sched);
    opts.lightpath_blocks = rwa_schedule_lightpath_blocks(i->sched);
    opts.taps = rwa_schedule_receivers(i->sched) > 1;
    opts.max_drops = rwa_schedule_receivers(i->sched);
    SHOW_PROGRESS(&opts, &o->common);
    if (opts.lightpath_blocks > RWA_LIGHTPATH_BLOCKS_MAX)
        return RWA_OK;
    return rwa_bound_best(&i->bound, rwa_schedule_network(i->sched), rwa_schedule_collective(i->sched), &opts, err);
}

static rwa_status check_schedule(imported *i, import_options *o, rwa_error *err)
{
    rwa_check_options opts;
    rwa_check_options_init(&opts);
    opts.device = o->device.device;
    opts.power_model = o->device.model;
    SHOW_PROGRESS(&opts, &o->common);
    rwa_status status = rwa_check_schedule(&i->verdict, i->sched, &opts, err);
    i->check = rwa_check_summary(i->verdict);
    if (status == RWA_OK)
        status = rwa_cost_schedule(&i->time_s, i->sched, &o->plan.cost, err);
    return status == RWA_OK ? find_bound(i, o, err) : status;
}

/* ---- the report ---- */

static json_t *report(const imported *i, const import_options *o)
{
    const rwa_collective *coll = rwa_schedule_collective(i->sched);
    const rwa_network *net = rwa_schedule_network(i->sched);
    uint32_t steps = rwa_schedule_steps(i->sched);
    assert(i->check);
    json_t *gap = i->bound.value > 0 ? json_integer((json_int_t)steps - (json_int_t)i->bound.value) : json_null();
    json_t *all = json_add(json_object(), "format:s collective:s nodes:u wavelengths:u fibers:u steps_in_file:u steps:u "
                           "routes_assigned:b blocks_assigned:b", i->found.format, rwa_collective_name(coll->kind),
                           rwa_network_nodes(net), rwa_network_wavelengths(net), rwa_network_fibers(net), i->found.steps, steps,
                           i->found.routes_assigned, i->found.blocks_assigned);
    return json_add(all, "lightpaths:U wavelengths_used:u longest_hops:u block_bytes:U time_seconds:f bound:o gap_steps:o optimal:b "
                    "power:o violations:U check:s", rwa_schedule_lightpaths(i->sched), i->check->wavelengths_used,
                    i->check->longest_hops, coll->block_bytes, i->time_s, json_bound(&i->bound), gap, optimal(i),
                    json_power(i->check, o->device.device), i->check->violations, check_text(i->check));
}

static void print_head(FILE *to, const imported *i, const import_options *o)
{
    const rwa_collective *coll = rwa_schedule_collective(i->sched);
    const rwa_network *net = rwa_schedule_network(i->sched);
    uint32_t steps = rwa_schedule_steps(i->sched);
    fprintf(to, "%s of %s on ", rwa_collective_name(coll->kind), o->common.operands[0]);
    if (o->network.spec != NULL)
        fputs(o->network.spec, to);
    else
        fprintf(to, "a %s of %" PRIu32 " nodes", rwa_topology_name(rwa_network_topology(net)), rwa_network_nodes(net));
    fprintf(to, ", blocks of %" PRIu64 " byte%s\n", coll->block_bytes, plural(coll->block_bytes));
    print_missing(to, net, coll);
    fprintf(to, "Read as           %s, %" PRIu32 " step%s%s%s%s\n", i->found.format, i->found.steps, plural(i->found.steps),
            i->found.routes_assigned ? "; routes and wavelengths assigned" : "",
            i->found.blocks_assigned ? "; blocks to send chosen" : "",
            i->found.routes_assigned && rwa_schedule_lightpath_blocks(i->sched) > 1 ? "; blocks share lightpaths" : "");
    fprintf(to, "Steps             %" PRIu32 "%s%s\n", steps, optimal(i) ? ", proven the fewest possible" : "",
            steps > i->found.steps ? ", more than in the file for lack of wavelengths" : "");
    if (i->bound.value > 0)
        fprintf(to, "  lower bound     %" PRIu64 " (%s)\n", i->bound.value, i->bound.name);
}

static void print_report(FILE *where, const imported *i, const import_options *o)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, where);
    assert(i->check);
    print_head(to, i, o);
    fprintf(to, "Time              %s (%s cost model)\n", TIME_TEXT(i->time_s), rwa_cost_model_name(o->plan.cost.model));
    print_lightpaths(to, rwa_schedule_lightpaths(i->sched), i->check->longest_hops);
    if (rwa_schedule_lightpath_blocks(i->sched) > 1)
        fprintf(to, "  blocks each     up to %" PRIu32 "\n", rwa_schedule_lightpath_blocks(i->sched));
    fprintf(to, "Wavelengths       %" PRIu32 " used\n", i->check->wavelengths_used);
    fprintf(to, "Check             %s\n", i->check->ok ? "ok" : "WRONG");
    print_violations(to, i->check, NULL);
    print_power(to, i->check, o->device.device);
    if (i->check->ok)
        print_written(to, &o->output);
    wrap_close(&wrapped, WRAP_HANG, 0);
}

/* The file first, so that the report never names a file that does not exist; a wrong schedule is not written. */
static int answer(const imported *i, import_options *o)
{
    rwa_error err = {0};
    int code = 0;
    assert(i->check);
    if (o->output.file != NULL && i->check->ok) {
        rwa_status status = rwa_schedule_write_polled(i->sched, o->output.file, poll_progress, &o->common, &err);
        progress_clear();
        code = fail_status(status, &err, 1);
    }
    if (code == 0 && o->output.format == AS_JSON)
        code = json_print(report_stream(&o->output), report(i, o));
    else if (code == 0)
        print_report(report_stream(&o->output), i, o);
    return code != 0 ? code : finish(i->check->ok ? EXIT_YES : EXIT_NO);
}

/* ---- the command ---- */

/* Options must not contradict the file; max-hops is a limit on its lightpaths too. */
static int check_options(const imported *i, const import_options *o)
{
    const rwa_collective *coll = rwa_schedule_collective(i->sched);
    const collective_choice *chosen = &o->collective;
    const char *why = "the file gives another value, expected no such option";
    rwa_collective asked;
    int code = refuse_root(chosen, coll->kind);
    if (code == 0 && coll->root != chosen->root)
        code = refuse_given(&o->common, NAMES("root"), why);
    if (code == 0 && chosen->blocks != coll->blocks)
        code = refuse_given(&o->common, NAMES("blocks"), why);
    if (code == 0 && rwa_collective_init(&asked, coll->kind, coll->nodes, coll->root, chosen->message, coll->blocks, NULL) == RWA_OK &&
        asked.block_bytes != coll->block_bytes)
        code = refuse_given(&o->common, NAMES("message"), why);
    if (code == 0 && !i->found.routes_assigned)
        code = refuse_given(&o->common, NAMES("solver"), "the file gives all wavelengths, expected no solver");
    if (code == 0 && o->plan.max_hops > 0 && i->check->longest_hops > o->plan.max_hops)
        code = fail(EXIT_NO, "%s has a lightpath of %" PRIu32 " hops, more than --max-hops %" PRIu32, o->common.operands[0],
                    i->check->longest_hops, o->plan.max_hops);
    return code;
}

static int prepare(import_options *o)
{
    int code = 0;
    if (o->common.operands[0] == NULL)
        return fail(EXIT_BAD_INPUT, "a file is missing, expected for example: "
                    "rwa import allgather.xml --network ring:16 -o imported.jsonl");
    if (o->network.spec == NULL)
        code = refuse_given(&o->common, NAMES("wavelengths", "fibers", "rate", "ports"), "needs --network");
    THEN(refuse_alpha(&o->plan.cost, &o->common));
    THEN(device_apply(&o->device, &o->network.opts, &o->plan.cost, &o->common));
    planning p = {.opts = o->plan};
    planning_ready(&p, NULL, &o->common);
    o->plan = p.opts;
    o->plan.device = o->device.device;
    o->plan.power_model = o->device.model;
    return code;
}

static int run(void *options)
{
    import_options *o = options;
    imported i = {.sched = NULL};
    rwa_network *net = NULL;
    rwa_error err = {0};
    int code = prepare(o);
    if (code == 0) {
        rwa_status status = o->network.spec != NULL ? network_open(&net, o->network.spec, &o->network.opts, &err) : RWA_OK;
        code = status == RWA_OK ? find_root(&o->collective, net) : 0;
        if (status == RWA_OK && code == 0)
            status = read_schedule(&i, net, o, &err);
        if (status == RWA_OK && code == 0)
            status = check_schedule(&i, o, &err);
        progress_clear();
        THEN(status == RWA_OK ? check_options(&i, o) : fail_status(status, &err, 0));
        THEN(answer(&i, o));
    }
    rwa_check_free(i.verdict);
    rwa_schedule_free(i.sched);
    rwa_network_free(net);
    rwa_device_free(o->device.device);
    return code;
}

const command command_import = {
    "import", "read another planner's schedule, complete it and check it",
    "rwa import FILE [--network SPEC] [-o OUT] [options]\n\n"
    "Formats: csv, the table that export writes, which includes its network; msccl and mscclpp, programs (XML, JSON) of an "
    "all-gather or all-reduce; harvest, steps of demands or topologies (JSON); teccl, flows of TE-CCL (JSON); forestcoll, spanning trees "
    "(XML); chakra, a folder of execution traces.  Missing routes and wavelengths are assigned, and a step "
    "for which the wavelengths do not suffice becomes several.  "
    "OUT is written when the schedule is right.\n"
    "Exit 1: it is not; the violations are named.  docs/formats.md describes the formats.\n\n"
    "Examples:\n"
    "  rwa import allgather.xml --network ring:16 --wavelengths 4 -o imported.jsonl\n"
    "  rwa import demands.json --network torus:4x4 --format json\n"
    "  rwa import plan.csv -o plan.jsonl\n",
    groups, sizeof(import_options), 1, run, NULL};
