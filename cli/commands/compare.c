/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/planning.h"
#include "cli/plot.h"
#include "cli/pool.h"
#include "cli/rows.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct compare_options {
    common common;
    target target;
    planning planning;
    rows_choice rows;
    output_choice output;
    uint32_t threads;
} compare_options;

static const option own_options[] = {
    {"threads", 0, "N", "plan with N schemes at a time; 0: as many as there are processors", "1",
     IS_COUNT(compare_options, threads, 0, THREADS_MAX)},
    {0}};

static void init(void *options)
{
    ((compare_options *)options)->threads = 1;
}

static const option_group groups[] = {
    TARGET_GROUPS(compare_options), PLANNING_GROUPS(compare_options, target.device), {rows_options, offsetof(compare_options, rows), NULL},
    {own_options, 0, init}, {table_options, offsetof(compare_options, output), NULL}, {NULL, 0, NULL}};

/* Why power is not checked; all rows are of one network. */
static void print_power_open(FILE *to, const rwa_device *device, const row *rows, size_t count)
{
    const char *why = NULL;
    for (size_t i = 0; i < count && why == NULL; i++)
        why = rows[i].figures.power_unchecked;
    if (device == NULL)
        fprintf(to, "\nPower is not checked (give --device).\n");
    else if (why != NULL)
        fprintf(to, "\nPower is not checked: %s.\n", why);
    else
        print_lacking(to, device, "\nPower is not fully checked, the profile lacks: ");
}

static void print_text(const compare_options *o, const row *rows, size_t count)
{
    const rwa_collective *coll = &o->target.coll;
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    print_setting(to, o->target.network.spec, o->target.net, coll);
    fprintf(to, ", %" PRIu64 " byte%s a %s\n", coll->message_bytes, plural(coll->message_bytes),
            rwa_collective_is_reduction(coll->kind) ? "vector" : "node");
    print_missing(to, o->target.net, coll);
    fputc('\n', to);
    print_rows(to, rows, count);
    print_power_open(to, o->planning.opts.device, rows, count);
    wrap_close(&wrapped, 2, 0);
}

static void print_csv(const row *rows, size_t count)
{
    char line[ROW_TEXT];
    printf("%s\n", row_csv_columns);
    for (size_t i = 0; i < count; i++) {
        row_csv(line, &rows[i]);
        printf("%s\n", line);
    }
}

static json_t *report(const rwa_network *net, const rwa_collective *coll, const row *rows, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, row_json(&rows[i]));
    json_t *all = json_add(json_object(), "network:s collective:s nodes:u wavelengths:u fibers:u message_bytes:U schemes:o",
                           rwa_topology_name(rwa_network_topology(net)), rwa_collective_name(coll->kind), rwa_network_nodes(net),
                           rwa_network_wavelengths(net), rwa_network_fibers(net), coll->message_bytes, list);
    return json_missing(all, net, coll);
}

static int answer(const compare_options *o, const row *rows, size_t count)
{
    int any = 0, undecided = 0, code = 0;
    if (o->output.format == AS_JSON)
        code = json_print(stdout, report(o->target.net, &o->target.coll, rows, count));
    else if (o->output.format == AS_CSV)
        print_csv(rows, count);
    else
        print_text(o, rows, count);
    for (size_t i = 0; i < count; i++) {
        any = any || rows[i].figures.steps > 0;
        undecided = undecided || rows[i].figures.outcome == RWA_UNDECIDED;
    }
    THEN(finish(any ? EXIT_YES : undecided ? EXIT_STOPPED : EXIT_NO));
    return code == EXIT_YES && o->rows.plot != NULL ? plot_rows(o->rows.plot, rows, count) : code;
}

/* The schemes that remain share the remaining time evenly; 0: no limit. */
static double share_s(double limit_s, double begin, size_t left)
{
    const double least = 0.001;
    double share = (begin + limit_s - clock_s()) / (double)left;
    if (limit_s == 0)
        return 0;
    return share > least ? share : least;
}

/* The library names the share of this scheme; the user gave the limit of all. */
static void name_whole_limit(rwa_comparison *figures, double limit_s)
{
    if (figures->outcome == RWA_UNDECIDED)
        snprintf(figures->why, sizeof figures->why,
                 "total_limit_s %g: no plan was found and checked in one scheme's share of that time; more would help", limit_s);
}

typedef struct comparison { const compare_options *o; row *rows; double begin_s; } comparison;

static rwa_status compare_scheme(void *data, size_t index, rwa_poll poll, void *poll_data, rwa_error *err)
{
    const comparison *c = data;
    const target *t = &c->o->target;
    rwa_plan_options opts = c->o->planning.opts;
    opts.total_limit_s = share_s(opts.total_limit_s, c->begin_s, c->o->rows.schemes.count - index);
    opts.poll = opts.solving.poll = poll;
    opts.poll_data = opts.solving.poll_data = poll_data;
    rwa_status status = row_make(&c->rows[index], c->o->rows.schemes.names[index], t->net, &t->coll, &opts, err);
    name_whole_limit(&c->rows[index].figures, c->o->planning.opts.total_limit_s);
    return status;
}

/* On one thread the phases of a plan are shown. */
static rwa_status compare_schemes(const comparison *c, rwa_error *err)
{
    const compare_options *o = c->o;
    size_t done = 0;
    rwa_status status = RWA_OK;
    if (o->threads != 1)
        return pool_run(&o->common, o->threads, o->rows.schemes.count, NULL, compare_scheme, (void *)c, &done, err);
    for (size_t i = 0; i < o->rows.schemes.count && status == RWA_OK; i++)
        status = compare_scheme((void *)c, i, o->planning.opts.poll, o->planning.opts.poll_data, err);
    progress_clear();
    return status;
}

static int compare(compare_options *o)
{
    const target *t = &o->target;
    scheme_list *schemes = &o->rows.schemes;
    rwa_error err = {0};
    double begin = clock_s();
    int code = rows_schemes(schemes, t->net, &t->coll, &o->planning.opts);
    if (code != 0)
        return code;
    row *rows = calloc(schemes->count, sizeof *rows);
    if (rows == NULL)
        return fail_memory();
    comparison all = {o, rows, begin};
    rwa_status status = compare_schemes(&all, &err);
    code = status == RWA_OK ? answer(o, rows, schemes->count) : fail_status(status, &err, 0);
    free(rows);
    return code;
}

static int run(void *options)
{
    compare_options *o = options;
    int code = target_open(&o->target, &o->planning.opts.cost, &o->common);
    if (code == 0) {
        planning_ready(&o->planning, &o->target, &o->common);
        code = compare(o);
    }
    target_close(&o->target);
    return code;
}

const command command_compare = {
    "compare", "schemes side by side: steps, bound, time, power",
    "rwa compare --network SPEC [options]\n\n"
    "Plans with every scheme that applies, checks each schedule, and shows them in one table: the steps of the "
    "paper's formula and of the schedule, the lower bound, the time in the models paper and circuit, the longest lightpath, the "
    "wavelengths used, and whether the optical power suffices.  Exit 1: no scheme has a schedule; 3: the time limit "
    "ended before one had.\n\n"
    "Examples:\n"
    "  rwa compare --network ring:64 --wavelengths 8\n"
    "  rwa compare --network ring:1000 --collective all-reduce --message 552MB\n"
    "  rwa compare --network ring:128 --device aggressive --plot compare.svg\n",
    groups, sizeof(compare_options), 0, run, NULL};
