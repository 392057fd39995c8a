/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plot.h"
#include "cli/pool.h"
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

/* Report why power is not checked; the reason is the same for all rows, which are of one network. */
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
    while (i < count && !is_answer(rows[i].figures.outcome))
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
    say_rows(rows, count);
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

static int answer(void)
{
    int any = 0, undecided = 0;
    MUST(print_answer(print_text, report, print_table));
    for (size_t i = 0; i < count; i++) {
        any = any || rows[i].figures.steps > 0;
        undecided = undecided || rows[i].figures.outcome == RWA_UNDECIDED;
    }
    MUST(finish(any ? EXIT_YES : undecided ? EXIT_STOPPED : EXIT_NO));
    return rows_choice.plot ? plot_rows(rows_choice.plot, rows, count) : EXIT_YES;
}

static rwa_status compare_scheme(size_t index, rwa_poll poll, void *poll_data, rwa_error *err)
{
    row *r = &rows[index];
    rwa_plan_options opts = planning;
    *r = (row){target.net, &target.coll, NULL, schemes.names[index], schemes.objectives[index], {0}};
    opts.time_limit_s = time_left(begin_s, count - index);
    poll_by(&opts, poll, poll_data);
    rwa_status status = row_plan(r, &opts, 0, err);
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
    MUST(plot_needs(rows_choice.plot));
    MUST(rows_schemes(&schemes, target.net, &target.coll));
    count = schemes.count;
    if (OUT_OF_MEMORY(rows, count + 1))
        return fail_memory();
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
