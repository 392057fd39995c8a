/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plot.h"
#include "cli/plan_report.h"
#include "cli/pool.h"
#include "cli/rows.h"
#include "commands.h"

static uint32_t threads = 1;

static const option own_options[] = {{"threads", "N",
                                      "plan with N schemes at a time; 0: as many as there are processors (1)",
                                      IS_COUNT(threads, 0, THREADS_MAX)},
                                     {0}};

static row *rows;
static size_t count;
static scheme_list schemes;
static double begin_s;

/* Return the name of a row: its scheme or, for auto, its objective, such as "auto, time". */
static const char *row_name(const row *r)
{
    return r->asked ? r->figures.scheme : r->objective == RWA_LEAST_TIME ? "auto, time" : "auto, whole blocks";
}

static void say_row(const row *r, int with_power)
{
    const rwa_comparison *c = &r->figures;
    say("%-18s%7s%c", row_name(r), cell_text(c->formula.known ? c->formula.steps : 0), c->formula.flaw ? '~' : ' ');
    if (!row_is_planned(r)) {
        say("%5s\n", "none*");
        return;
    }
    say("%5s %5s %11s %8s %8s %4u", phrase("%u%s", c->steps, c->outcome == RWA_OPTIMAL ? "!" : ""),
        cell_text(c->bound.value),
        load_text(c->lightpath_blocks, c->block_bytes), time_text(c->paper_s),
        time_text(cost.model == RWA_COST_OVERLAP ? c->overlap_s : c->circuit_s), c->longest_hops);
    if (with_power)
        say("  %s\n", verdict_text(c->power, "ok", "fails", "open"));
    else
        say(" %5u\n", c->wavelengths_used);
}

/* Report the lower bound on the time, the same for all rows, in the column of its cost model. */
static void say_time_bound(void)
{
    size_t i = 0;
    while (i < count && !(rows[i].figures.time_bound_s > 0))
        i++;
    if (i < count)
        say("%-18s%30s%*s\n", "lower bound", "any", cost.model == RWA_COST_PAPER ? 9 : 18,
            time_text(rows[i].figures.time_bound_s));
}

/* Report each scheme whose published formula gives fewer steps than any schedule can have, and why.  Then report the
 * hop limit that the bounds assume. */
static void say_remarks(void)
{
    uint32_t hops = 0;
    for (size_t i = 0; i < count; i++) {
        const rwa_comparison *c = &rows[i].figures;
        hops = c->bound_max_hops > 0 ? c->bound_max_hops : hops;
        if (c->formula.flaw)
            say("~ no schedule of %s takes only %" PRIu64 ": %s (N = %u, w = %u)\n", row_name(&rows[i]),
                c->formula.steps, c->formula.flaw, target.coll.nodes, rwa_network_channels(target.net));
    }
    if (hops > 0)
        say("%sounds are for lightpaths of at most %s\n", target.device ? "where power is ok, b" : "b",
            counted(hops, "hop"));
}

/* Report which schemes auto chose. */
static void say_chosen(void)
{
    for (size_t i = 0; i < count; i++)
        if (!rows[i].asked && row_is_planned(&rows[i])) {
            say("%s: ", row_name(&rows[i]));
            if (rows[i].objective == RWA_LEAST_TIME)
                say("least time with --cost %s", rwa_cost_model_name(cost.model));
            else
                say("fewest steps, one whole block on a lightpath");
            say(", by %s", rows[i].figures.scheme);
            if (rows[i].figures.stripes > 1)
                say(", blocks in %u parts", rows[i].figures.stripes);
            if (rows[i].objective == RWA_LEAST_TIME) {
                say(" **\n** %s", rows[i].figures.scheme);
                say_summary(rows[i].figures.scheme);
            } else
                say("\n");
        }
}

/* Report, for each scheme without a schedule, why it has none. */
static void say_unplanned(void)
{
    static reason list[SCHEMES_MAX];
    for (size_t i = 0; i < count; i++)
        list[i] = reason_of(row_is_planned(&rows[i]) ? NULL : row_name(&rows[i]), rows[i].figures.scheme,
                            rows[i].figures.why);
    say_reasons("* no schedule", list, count);
}

static void say_rows(void)
{
    const char *other = cost.model == RWA_COST_OVERLAP ? "overlap" : "circuit";
    int any = 0, with_power = 0;
    for (size_t i = 0; i < count; i++) {
        any |= row_is_planned(&rows[i]);
        with_power |= row_is_planned(&rows[i]) && rows[i].figures.power != RWA_UNCHECKED;
    }
    say("%-18s%7s %5s %5s %11s %8s %8s %4s %s\n", "scheme", "formula", "steps", "bound", "block", "paper", other,
        "hops", with_power ? " power" : "waves");
    for (size_t i = 0; i < count; i++)
        say_row(&rows[i], with_power);
    say_time_bound();
    say("\n");
    say_chosen();
    if (any)
        say("formula: steps by the scheme's article; steps: of the checked schedule\n"
            "bound: no schedule with such blocks takes fewer steps; ! the steps equal it\n"
            "lower bound: no schedule takes less time; rwa bounds says why, for both\n"
            "block: its size; 2x1 MiB: 1 or 2 of 1 MiB on a lightpath; any: of any size\n"
            "paper: time %s\n"
            "%s: time %s\n"
            "hops: links of the longest lightpath%s\n"
            "a set-up takes %s%s\n",
            cost_text(RWA_COST_PAPER), other,
            cost_text(cost.model == RWA_COST_OVERLAP ? RWA_COST_OVERLAP : RWA_COST_CIRCUIT),
            with_power ? "" : "; waves: wavelengths used", time_text(cost.reconfig_s),
            cost.alpha_s > 0 ? phrase("; %s also counts the start-up of a step, %s", other, time_text(cost.alpha_s))
                             : "");
    say_remarks();
    say_unplanned();
}

/* Report why power is not checked, or not fully.  The reason is the same for all rows, which share one network. */
static void say_power_open(void)
{
    const char *why = NULL;
    for (size_t i = 0; i < count && !why; i++)
        why = rows[i].figures.power_unchecked;
    if (!target.device)
        say("\nPower is not checked (give --device).\n");
    else if (why)
        say("\nPower is not checked: %s.\n", why);
    else
        say_lacking("\nPower is not fully checked, the profile lacks: ");
}

/* Report the command that explains the first row with a plan. */
static void say_why(void)
{
    size_t i = 0;
    while (i < count && !row_is_planned(&rows[i]))
        i++;
    if (i < count)
        say_next("a plan step by step, and the reason for its bound", "explain", "scheme format plot threads",
                 rows[i].asked ? phrase("--scheme %s", rows[i].asked) : "");
}

static void print_text(void)
{
    const rwa_collective *coll = &target.coll;
    say_task(target.net, coll);
    say("\n");
    say_channels(target.net);
    say_missing(target.net, coll);
    say("\n");
    say_rows();
    say_power_open();
    say_why();
    print_said(2, 0);
}

static int print_table(void)
{
    for (size_t i = 0; i <= count; i++) {
        char *line = row_csv(i > 0 ? &rows[i - 1] : NULL);
        if (!line)
            return fail_memory();
        fputs(line, stdout);
        free(line);
    }
    return 0;
}

static json_t *scheme_json(size_t i)
{
    return row_json(&rows[i]);
}

static json_t *report(void)
{
    const char *kind = rwa_topology_name(rwa_network_topology(target.net));
    return json_add(json_setting(JSON("network:s", kind), target.net, &target.coll), "message_bytes:U schemes:o",
                    target.coll.message_bytes, json_list(count, scheme_json));
}

/* ---- the figure: formula, schedule and bound as bars ---- */

static void bars(FILE *to)
{
    const rwa_network *net = target.net;
    fprintf(to, "$rows << END\n");
    for (size_t i = 0; i < count; i++) {
        const rwa_comparison *c = &rows[i].figures;
        fprintf(to, "\"%s\" %s %s %s\n", row_name(&rows[i]), cell_text(c->formula.known ? c->formula.steps : 0),
                cell_text(c->steps), cell_text(c->steps > 0 ? c->bound.value : 0));
    }
    fprintf(to, "END\nset title \"%s on %s:%u, %s\"\n", rwa_collective_name(target.coll.kind),
            rwa_topology_name(rwa_network_topology(net)), rwa_network_nodes(net),
            counted(rwa_network_channels(net), "wavelength"));
    fprintf(to, "set style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9\n"
                "set logscale y\nset yrange [0.8:*]\nset ylabel 'steps'\nset grid y\nset key top left\nset xtics "
                "rotate by -30\n"
                "set datafile missing '-'\n"
                "plot $rows using 2:xtic(1) title 'formula' linecolor rgb '#b0b0b0', "
                "'' using 3 title 'schedule' linecolor rgb '#1f77b4', "
                "'' using 4 title 'lower bound' linecolor rgb '#d62728'\n");
}

static int answer(void)
{
    int any = 0, undecided = 0;
    MUST(print_answer(print_text, report, print_table));
    for (size_t i = 0; i < count; i++) {
        any = any || rows[i].figures.steps > 0;
        undecided = undecided || rows[i].figures.outcome == RWA_UNDECIDED;
    }
    MUST(finish(any ? EXIT_YES : undecided ? EXIT_STOPPED : EXIT_NO));
    return plot_file ? plot_script(bars, 800, 480) : EXIT_YES;
}

static rwa_status compare_scheme(size_t index, rwa_poll poll, void *poll_data, rwa_error *err)
{
    row *r = &rows[index];
    *r = (row){target.net, &target.coll, NULL, schemes.names[index], schemes.objectives[index], {0}};
    rwa_status status = row_plan(r, 0, time_left(begin_s, count - index), poll, poll_data, err);
    if (r->figures.outcome == RWA_UNDECIDED)    /* the library's message names the share of this scheme */
        snprintf(r->figures.why, sizeof r->figures.why,
                 "time_limit_s %g: no plan was found and checked in one scheme's share of that time",
                 planning.time_limit_s);
    return status;
}

static int run(void)
{
    size_t done = 0;
    MUST(target_open());
    planning_ready();
    begin_s = clock_s();
    MUST(plot_needs());
    MUST(rows_schemes(&schemes, target.net, &target.coll));
    count = schemes.count;
    MUST(NEW(rows, count + 1));
    int code = pool_run(threads, count, NULL, compare_scheme, &done);
    return code == EXIT_STOPPED ? fail(EXIT_STOPPED, "%s", rwa_status_text(RWA_CANCELLED))
           : code != 0          ? code
                                : answer();
}

const command command_compare = {
    "compare",
    "schemes side by side: steps, bound, time, power",
    "rwa compare --network SPEC [options]\n\n"
    "Plans with auto, for least time and for fewest steps, and with every scheme that applies, and shows the "
    "checked schedules in one table, with a key.  Exit 1: there is none; 3: none before the time limit.\n\n"
    "Examples:\n"
    "  rwa compare --network ring:1000 --collective all-reduce --message 552MB\n"
    "  rwa compare --network ring:128 --device aggressive --plot compare.svg\n",
    TABLES(TARGET_TABLES, PLANNING_TABLES, rows_options, own_options, table_options),
    0,
    run,
    NULL};
