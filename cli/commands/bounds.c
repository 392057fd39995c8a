/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"

/* The bounds, and the least time of any schedule; 0: unknown. */
static rwa_bounds *list;
static double seconds;
static char time_proof[RWA_ERROR_TEXT];

static const option own_options[] = {{"load-factor", "C", "most blocks on a lightpath (1)",
                                      IS_COUNT(planning.lightpath_blocks, 1, RWA_LIGHTPATH_BLOCKS_MAX)},
                                     {0}};

static json_t *bound_json(size_t i)
{
    const rwa_bound *b = rwa_bounds_get(list, i);
    return JSON("name:s value:U unit:s statement:s proof:s source:s holds:b", b->name, b->value, b->unit, b->statement,
                rwa_bounds_proof(list, i), b->source, b->holds);
}

static json_t *report(void)
{
    return JSON("bounds:o time_seconds:f time_proof:s cost_model:s",
                json_list(rwa_bounds_count(list), bound_json), seconds,
                time_proof, rwa_cost_model_name(cost.model));
}

/* Report the highest bound on the steps, if there is one, and the bound on the time. */
static void say_most(void)
{
    const rwa_collective *coll = &target.coll;
    const rwa_bound *most = rwa_bounds_get(list, 0);
    say_task(target.net, coll);
    say("\n");
    say_channels(target.net);
    say("\n");
    if (most && is_on_steps(most))
        say("At least %s with %s in all, of %s each, at most %u on a lightpath: the first bound below.\n",
            counted(most->value, "step"), counted(coll->blocks, "block"), size_text((double)coll->block_bytes),
            planning.lightpath_blocks + !planning.lightpath_blocks);
    if (seconds > 0) {
        say("At least %s %s (--cost %s), with blocks of any size; a byte takes %s:\n  ", time_text(seconds),
            cost_text(cost.model), rwa_cost_model_name(cost.model), byte_text(rwa_network_rate_bps(target.net)));
        say_proof(time_proof, 2);
    }
    say("\n");
}

static void print_text(void)
{
    const rwa_bound *b;
    int alone = 0;
    say_most();
    for (size_t i = 0; (b = rwa_bounds_get(list, i)); i++)
        say("%s%-20s %10" PRIu64 " %.*s%s\n    %s.\n    Here: %s.\n",
            !is_on_steps(b) && !alone++ ? "\nFor one step only\n" : "", b->name, b->value,
            (int)(strlen(b->unit) - (b->value == 1)), b->unit, /* "1 step" */
            b->holds ? "" : "  (printed, but no lower bound here)", b->statement, rwa_bounds_proof(list, i));
    if (rwa_bounds_count(list) == 0)
        say("No bound applies.\n");
    if (target.coll.kind == RWA_ROOTED_REDUCE && !network_is_tuned(target.net))
        say("A reduce is a broadcast run backwards: the bounds are those of the broadcast, over reversed links.\n");
    print_said(-1, WRAP_PROSE);
}

static int find_bounds(void)
{
    rwa_bound_options opts;
    rwa_cost_prices floor;
    bound_options(&opts);
    MUST(CALL(rwa_bounds_make, &list, target.net, &target.coll, &opts));
    MUST(CALL(rwa_cost_floor, &floor, rwa_network_rate_bps(target.net), &cost));
    return CALL(rwa_bound_time, &seconds, time_proof, target.net, &target.coll, &floor, &opts);
}

static int run(void)
{
    MUST(target.spec ? refuse_alpha() : 0);
    MUST(target_open());
    MUST(find_bounds());
    return print_answer(print_text, report, NULL);
}

const command command_bounds = {
    "bounds", "list the lower bounds on any schedule",
    "rwa bounds --network SPEC [options]\n\n"
    "Lists every lower bound that applies, the one that decides first: value, statement and proof; with --format "
    "json the source.\n\n"
    "Examples:\n"
    "  rwa bounds --network ring:16 --wavelengths 2\n"
    "  rwa bounds --network line:64 --max-hops 8 --format json\n",
    TABLES(TARGET_TABLES, hops_options, own_options, device_options, cost_options, report_options), 0, run, NULL};
