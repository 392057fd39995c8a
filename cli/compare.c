/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fold.h"
#include "plot.h"
#include "print.h"
#include "rows.h"

#include <inttypes.h>
#include <stdlib.h>

static int text(const options *o, const rwa_network *net, const rwa_collective *coll, const row *rows, size_t count)
{
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    char rate[32];
    rate_text(rate, sizeof rate, rwa_network_rate_bps(net));
    fprintf(to, "%s on %s: %" PRIu32 " wavelength%s x %" PRIu32 " fibre%s each way, %s, %" PRIu64 " bytes a %s\n",
            rwa_collective_name(coll->kind), o->network, rwa_network_wavelengths(net), rwa_network_wavelengths(net) == 1 ? "" : "s",
            rwa_network_fibers(net), rwa_network_fibers(net) == 1 ? "" : "s", rate,
            coll->message_bytes, coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER ? "vector" : "node");
    print_missing(to, net, coll);
    fputc('\n', to);
    rows_text(to, rows, count);
    if (o->plan.device == NULL)
        fprintf(to, "\nPower is not checked (give --device).\n");
    fold_close(&folded, 2, 0);
    return 0;
}

static int csv(const row *rows, size_t count)
{
    char line[ROW_TEXT];
    printf("%s\n", row_csv_columns);
    for (size_t i = 0; i < count; i++) {
        row_csv(line, &rows[i]);
        printf("%s\n", line);
    }
    return 0;
}

static int json(const rwa_network *net, const rwa_collective *coll, const row *rows, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, row_json(&rows[i]));
    json_t *all = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "network",
                            rwa_network_kind_name(rwa_network_get_kind(net)), "collective", rwa_collective_name(coll->kind),
                            "nodes", json_count(rwa_network_nodes(net)), "wavelengths",
                            json_count(rwa_network_wavelengths(net)), "fibers", json_count(rwa_network_fibers(net)),
                            "message_bytes", json_count(coll->message_bytes), "schemes", list);
    if (all != NULL)
        json_missing(all, net, coll);
    return json_print(stdout, all);
}

static int answer(const options *o, const rwa_network *net, const rwa_collective *coll, const row *rows, size_t count)
{
    int any = 0, code = o->json ? json(net, coll, rows, count)
                        : o->csv ? csv(rows, count) : text(o, net, coll, rows, count);
    for (size_t i = 0; i < count; i++)
        any = any || rows[i].figures.steps > 0;
    if (code == 0)
        code = finish(any ? EXIT_YES : EXIT_NO);
    if (code == EXIT_YES && o->plot != NULL)
        code = plot_rows(o->plot, rows, count);
    return code;
}

static int compare(options *o, const rwa_network *net, const rwa_collective *coll)
{
    const char *names[SCHEMES_MAX];
    size_t count = rows_schemes(names, o, net, coll->kind);
    rwa_error err = {0};
    if (count == 0)
        return fail(EXIT_BAD_INPUT, "no scheme here does %s on a %s", rwa_collective_name(coll->kind),
                    rwa_network_kind_name(rwa_network_get_kind(net)));
    rwa_status status = rwa_compare_refuse(names, count, net, coll, &o->plan, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    row *rows = calloc(count, sizeof *rows);
    if (rows == NULL)
        return fail(EXIT_MACHINE, "out of memory");
    for (size_t i = 0; i < count && status == RWA_OK; i++)
        status = row_make(&rows[i], names[i], net, coll, &o->plan, &err);
    progress_clear();
    int code = status == RWA_OK ? answer(o, net, coll, rows, count) : fail_status(status, &err, 0);
    free(rows);
    return code;
}

int command_compare(options *o)
{
    rwa_device *device = NULL;
    rwa_network *net = NULL;
    rwa_collective coll;
    if (o->network == NULL)
        return fail(EXIT_BAD_INPUT, "no network given, expected for example: rwa compare --network ring:16");
    int code = device_apply(&device, o);
    if (code == 0)
        code = target_build(&net, &coll, o);
    if (code == 0) {
        o->plan.poll = o->plan.solving.poll = poll_progress;
        o->plan.poll_data = o->plan.solving.poll_data = o;
        code = compare(o, net, &coll);
    }
    target_free(net, o);
    rwa_device_free(device);
    return code;
}
