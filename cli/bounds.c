/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fold.h"
#include "print.h"

#include <inttypes.h>
#include <stdlib.h>

static json_t *report(const rwa_bound *list, size_t count, double seconds, const options *o)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, json_pack("{s:s, s:o, s:s, s:s, s:s, s:b}", "name", list[i].name, "value",
                                             json_count(list[i].value), "unit", list[i].unit, "statement",
                                             list[i].statement, "source", list[i].source, "holds", list[i].holds));
    return json_pack("{s:o, s:f, s:s}", "bounds", all, "time_seconds", seconds, "cost_model",
                     rwa_cost_model_name(o->plan.cost.model));
}

static void text(const rwa_bound *list, size_t count, double seconds, const options *o)
{
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%-20s %10" PRIu64 " %s%s\n    %s\n    Source: %s\n", list[i].name, list[i].value, list[i].unit,
               list[i].holds ? "" : "  (printed, but no lower bound here)", list[i].statement, list[i].source);
    if (count == 0)
        fprintf(to, "No bound applies.\n");
    if (seconds > 0)
        fprintf(to, "Any schedule takes at least %.4g ms (%s cost model), however it splits or merges blocks.\n", seconds * 1e3,
               rwa_cost_model_name(o->plan.cost.model));
    fold_close(&folded, -1, FOLD_PROSE);
}

static rwa_status find(rwa_bound *list, size_t *count, double *seconds, const rwa_network *net,
                       const rwa_collective *coll, options *o, rwa_error *err)
{
    rwa_bound_options opts;
    rwa_cost_floor floor;
    rwa_bound_options_init(&opts);
    opts.max_hops = o->plan.max_hops;
    opts.max_drops = o->plan.max_drops;
    opts.members = o->plan.members;
    opts.poll = poll_progress;
    opts.poll_data = o;
    rwa_status status = rwa_bounds(list, rwa_bound_count(), count, net, coll, &opts, err);
    if (status == RWA_OK)
        status = rwa_cost_get_floor(&floor, rwa_network_rate_bps(net), &o->plan.cost, err);
    if (status == RWA_OK)
        status = rwa_bound_time(seconds, net, coll, &floor, &opts, err);
    progress_clear();
    return status;
}

int command_bounds(options *o)
{
    rwa_device *device = NULL;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_bound *list = NULL;
    rwa_error err = {0};
    size_t count = 0;
    double seconds = 0;
    if (o->network == NULL)
        return fail(EXIT_BAD_INPUT, "no network given, expected for example: rwa bounds --network ring:16");
    int code = refuse_alpha(o);
    if (code == 0)
        code = device_apply(&device, o);
    if (code == 0)
        code = target_build(&net, &coll, o);
    if (code != 0)
        goto done;
    list = calloc(rwa_bound_count() + 1, sizeof *list);
    if (list == NULL) {
        code = fail(EXIT_MACHINE, "out of memory");
        goto done;
    }
    rwa_status status = find(list, &count, &seconds, net, &coll, o, &err);
    if (status != RWA_OK)
        code = fail_status(status, &err, 0);
    else if (o->json)
        code = json_print(stdout, report(list, count, seconds, o));
    else
        text(list, count, seconds, o);
    if (code == 0)
        code = finish(EXIT_YES);
done:
    free(list);
    target_free(net, o);
    rwa_device_free(device);
    return code;
}
