/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demands in JSON: a list, or a matrix. */
#include "collective/demand_list.h"

#include "base/base.h"
#include "base/json.h"

static rwa_status take_node(struct demand_list *d, const json_t *value, uint32_t *node)
{
    char number[32];
    if (json_is_string(value))
        return demand_list_node(d, json_string_value(value), node);
    if (!json_is_integer(value))
        return demand_list_fail(d, "expected a node as a name or a number");
    /* A number in JSON is a place, whatever the nodes are called. */
    if (json_integer_value(value) >= 0 && json_integer_value(value) < (json_int_t)rwa_network_nodes(d->net)) {
        *node = (uint32_t)json_integer_value(value);
        return RWA_OK;
    }
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    return demand_list_fail(d, "node %s is unknown, expected 0 to %u", number, rwa_network_nodes(d->net) - 1);
}

/** Lightpaths, or an amount in the file's unit. */
static rwa_status check_amount(struct demand_list *d, const json_t *value, double unit_bps)
{
    if (!json_is_number(value) || (unit_bps == 0 && !json_is_integer(value)))
        return demand_list_fail(d, "expected %s",
                                unit_bps > 0 ? "an amount as a number" : "a whole number of lightpaths");
    return RWA_OK;
}

static rwa_status take_width(struct demand_list *d, const json_t *value, uint64_t *width)
{
    if (!json_is_integer(value))
        return demand_list_fail(d, "width: expected a whole number of slots");
    return demand_list_width(d, json_number_value(value), width);
}

/** Bit/s in the file's unit or as "100G". */
static rwa_status take_rate(struct demand_list *d, const json_t *value, double unit_bps, double *rate_bps)
{
    if (json_is_string(value))
        return demand_list_rate(d, json_string_value(value), rate_bps);
    *rate_bps = json_number_value(value) * (unit_bps > 0 ? unit_bps : 1);
    if (!json_is_number(value) || !(*rate_bps > 0) || !isfinite(*rate_bps))
        return demand_list_fail(d, "rate: expected bit/s above 0, such as \"100G\"");
    return RWA_OK;
}

static rwa_status take_demand(struct demand_list *d, const json_t *demand, double unit_bps)
{
    const json_t *given[DEMAND_FIELDS];
    struct demand_row row = {.via = RWA_NO_NODE, .count = 1};
    for (size_t i = 0; i < DEMAND_FIELDS; i++)
        given[i] = json_is_array(demand) ? json_array_get(demand, i) : json_object_get(demand, demand_fields[i]);
    if (!given[DEMAND_SRC] || !given[DEMAND_DST] || json_array_size(demand) > DEMAND_COUNT + 1)
        return demand_list_fail(d, "expected [src, dst], [src, dst, count] or {\"src\": …, \"dst\": …}");
    MUST(take_node(d, given[DEMAND_SRC], &row.src));
    MUST(take_node(d, given[DEMAND_DST], &row.dst));
    if (given[DEMAND_COUNT]) {
        MUST(check_amount(d, given[DEMAND_COUNT], unit_bps));
        MUST(demand_list_amount(d, json_number_value(given[DEMAND_COUNT]), unit_bps, &row));
    }
    if (given[DEMAND_VIA])
        MUST(take_node(d, given[DEMAND_VIA], &row.via));
    if (given[DEMAND_WIDTH])
        MUST(take_width(d, given[DEMAND_WIDTH], &row.width));
    if (given[DEMAND_RATE])
        MUST(take_rate(d, given[DEMAND_RATE], unit_bps, &row.rate_bps));
    return demand_list_add(d, &row);
}

static rwa_status take_row(struct demand_list *d, const json_t *row, double unit_bps, uint64_t *counts)
{
    uint32_t nodes = rwa_network_nodes(d->net);
    if (json_array_size(row) != nodes)
        return demand_list_fail(d, "%zu entries, expected %u", json_array_size(row), nodes);
    for (uint32_t v = 0; v < nodes; v++) {
        MUST(check_amount(d, json_array_get(row, v), unit_bps));
        MUST(demand_list_count(d, json_number_value(json_array_get(row, v)), unit_bps, &counts[v]));
    }
    return RWA_OK;
}

static rwa_status take_matrix(struct demand_list *d, const json_t *matrix, double unit_bps)
{
    uint32_t nodes = rwa_network_nodes(d->net);
    uint64_t *counts = NULL;
    rwa_status st = RWA_OK;
    snprintf(d->item, sizeof d->item, "matrix");
    if (json_array_size(matrix) != nodes)
        return demand_list_fail(d, "%zu rows, expected one for each of the %u nodes", json_array_size(matrix), nodes);
    MUST(base_new(counts, (size_t)nodes * nodes, d->err));
    for (uint32_t u = 0; u < nodes; u++) {
        snprintf(d->item, sizeof d->item, "matrix[%u]", u);
        TRY(take_row(d, json_array_get(matrix, u), unit_bps, counts + (size_t)u * nodes));
    }
    TRY(demand_list_matrix(d, counts));
done:
    free(counts);
    return st;
}

/** "Gbit/s" and its kin; without a unit, amounts count lightpaths. */
static rwa_status take_unit(struct demand_list *d, const json_t *unit, double *unit_bps)
{
    static const struct {
        const char *name;
        double bps;
    } units[] = {{"bit/s", 1}, {"kbit/s", 1e3}, {"Mbit/s", 1e6}, {"Gbit/s", 1e9}, {"Tbit/s", 1e12}};
    *unit_bps = 0;
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (json_is_string(unit) && strcmp(json_string_value(unit), units[i].name) == 0)
            *unit_bps = units[i].bps;
    return unit && *unit_bps == 0 ? demand_list_fail(d, "unit: expected bit/s, kbit/s, Mbit/s, Gbit/s or Tbit/s")
                                  : RWA_OK;
}

static rwa_status take_root(struct demand_list *d, const json_t *root)
{
    const json_t *list = json_is_array(root) ? root : json_object_get(root, "demands");
    const json_t *matrix = json_object_get(root, "matrix");
    double unit_bps = 0;
    MUST(take_unit(d, json_object_get(root, "unit"), &unit_bps));
    if (json_is_array(matrix))
        return take_matrix(d, matrix, unit_bps);
    if (!json_is_array(list))
        return demand_list_fail(d, "expected an array of demands, {\"demands\": […]} or {\"matrix\": [[…], …]}");
    for (size_t i = 0; i < json_array_size(list); i++) {
        snprintf(d->item, sizeof d->item, "demands[%zu]", i);
        MUST(take_demand(d, json_array_get(list, i), unit_bps));
    }
    return RWA_OK;
}

rwa_status demand_list_json(struct demand_list *d, const char *text, size_t length)
{
    json_t *root = NULL;
    rwa_status st = json_open(&root, text, length, d->file, d->err);
    if (st == RWA_OK)
        st = take_root(d, root);
    json_decref(root);
    return st;
}
