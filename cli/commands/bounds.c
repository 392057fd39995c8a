/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/print.h"
#include "cli/target.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct bounds_options {
    common common;
    target target;
    rwa_bound_options limits;
    rwa_cost_options cost;
    output_choice output;
} bounds_options;

static const option limit_options[] = {
    {"max-hops", 0, "H", "no lightpath longer than H links", NULL, IS_COUNT(rwa_bound_options, max_hops, 1, RWA_NODES_MAX)},
    {"max-drops", 0, "K", "up to K nodes may receive one lightpath, its end and taps on its way", "1",
     IS_COUNT(rwa_bound_options, max_drops, 1, RWA_NODES_MAX)},
    {0}};

static void limits_init(void *limits)
{
    rwa_bound_options_init((rwa_bound_options *)limits);
}

static const option_group groups[] = {
    TARGET_GROUPS(bounds_options), {limit_options, offsetof(bounds_options, limits), limits_init},
    {device_options, offsetof(bounds_options, target.device), NULL}, {cost_model_options, offsetof(bounds_options, cost), NULL},
    {cost_options, offsetof(bounds_options, cost), cost_init}, {report_options, offsetof(bounds_options, output), NULL}, {NULL, 0, NULL}};

/* The bounds, and the least time of any schedule; 0: unknown. */
typedef struct bound_list {
    rwa_bounds *list;
    double seconds;
    uint64_t blocks;        /* of the message */
} bound_list;

static json_t *report(const bound_list *b, rwa_cost_model model)
{
    json_t *all = json_array();
    const rwa_bound *each;
    for (size_t i = 0; (each = rwa_bounds_get(b->list, i)) != NULL; i++)
        json_array_append_new(all, json_add(json_object(), "name:s value:U unit:s statement:s source:s holds:b", each->name, each->value,
                                            each->unit, each->statement, each->source, each->holds));
    return json_add(json_object(), "bounds:o time_seconds:f cost_model:s", all, b->seconds, rwa_cost_model_name(model));
}

static void print_bounds(const bound_list *b, const target *t, rwa_cost_model model)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    const rwa_bound *each;
    int steps = 0;
    for (size_t i = 0; (each = rwa_bounds_get(b->list, i)) != NULL; i++) {
        steps |= strcmp(each->unit, "steps") == 0;
        fprintf(to, "%-20s %10" PRIu64 " %.*s%s\n    %s\n    Source: %s\n", each->name, each->value,
                (int)(strlen(each->unit) - (each->value == 1)), each->unit, /* "1 step" */
                each->holds ? "" : "  (printed, but no lower bound here)", each->statement, each->source);
    }
    if (rwa_bounds_count(b->list) == 0)
        fprintf(to, "No bound applies.\n");
    if (steps)
        fprintf(to, "Bounds in steps are for lightpaths that carry one block at a time, of %" PRIu64 " block%s in all%s.\n", b->blocks,
                plural(b->blocks), network_is_tuned(t->net) ? "" : "; --blocks sets their number");
    if (steps && t->coll.kind == RWA_ROOTED_REDUCE && !network_is_tuned(t->net))
        fprintf(to, "A reduce is a broadcast run backwards: the bounds are those of the broadcast, over reversed links.\n");
    if (b->seconds > 0)
        fprintf(to, "Any schedule takes at least %.4g ms (%s cost model), for any number of blocks and any grouping of them.\n",
                b->seconds * 1e3, rwa_cost_model_name(model));
    wrap_close(&wrapped, -1, WRAP_PROSE);
}

static rwa_status find_bounds(bound_list *b, bounds_options *o, rwa_error *err)
{
    rwa_cost_prices floor;
    const target *t = &o->target;
    o->limits.members = t->member_list;
    b->blocks = t->coll.blocks;
    SHOW_PROGRESS(&o->limits, &o->common);
    rwa_status status = rwa_bounds_find(&b->list, t->net, &t->coll, &o->limits, err);
    if (status == RWA_OK)
        status = rwa_cost_floor(&floor, rwa_network_rate_bps(t->net), &o->cost, err);
    if (status == RWA_OK)
        status = rwa_bound_time(&b->seconds, t->net, &t->coll, &floor, &o->limits, err);
    progress_clear();
    return status;
}

static int run(void *options)
{
    bounds_options *o = options;
    bound_list b = {NULL, 0, 0};
    rwa_error err = {0};
    int code = o->target.network.spec != NULL ? refuse_alpha(&o->cost, &o->common) : 0;
    THEN(target_open(&o->target, &o->cost, &o->common));
    THEN(fail_status(find_bounds(&b, o, &err), &err, 0));
    if (code == 0 && o->output.format == AS_JSON)
        code = json_print(stdout, report(&b, o->cost.model));
    else if (code == 0)
        print_bounds(&b, &o->target, o->cost.model);
    rwa_bounds_free(b.list);
    target_close(&o->target);
    return code != 0 ? code : finish(EXIT_YES);
}

const command command_bounds = {
    "bounds", "list the lower bounds on any schedule",
    "rwa bounds --network SPEC [options]\n\n"
    "Lists every lower bound that applies, with its value, statement and source.\n\n"
    "Examples:\n"
    "  rwa bounds --network ring:16 --wavelengths 2\n"
    "  rwa bounds --network line:64 --max-hops 8 --format json\n",
    groups, sizeof(bounds_options), 0, run, NULL};
