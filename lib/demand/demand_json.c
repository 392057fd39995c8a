/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demands in JSON: a list, or a matrix. */
#include "demand/demand_list.h"

#include "base/base.h"
#include "base/json.h"

/** Set *text to the value of a field as text.  A number is written to `number`, which has `size` bytes, and *text
 *  points to it.  RWA_FORMAT: the value is neither a number nor a string, or it is the string of a field that must be a
 *  number (count, width). */
static rwa_status take_field(struct demand_list *d, const json_t *value, enum demand_field field, const char **text,
                             char *number, size_t size)
{
    bool named = field != DEMAND_COUNT && field != DEMAND_WIDTH;
    if (json_is_number(value))
        snprintf(number, size, "%.17g", json_number_value(value));
    else if (!(named && json_is_string(value)))
        return demand_list_fail(d, "%s: expected a %snumber", demand_fields[field], named ? "text or a " : "");
    *text = json_is_number(value) ? number : json_string_value(value);
    return RWA_OK;
}

static rwa_status take_demand(struct demand_list *d, const json_t *demand, double unit_bps)
{
    const char *text[DEMAND_FIELDS];
    char numbers[DEMAND_FIELDS][32];
    bool is_number[DEMAND_FIELDS];
    for (size_t i = 0; i < DEMAND_FIELDS; i++) {
        const json_t *value =
            json_is_array(demand) ? json_array_get(demand, i) : json_object_get(demand, demand_fields[i]);
        if ((!value && i <= DEMAND_DST) || json_array_size(demand) > DEMAND_COUNT + 1)
            return demand_list_fail(d, "expected [src, dst], [src, dst, count] or {\"src\": …, \"dst\": …}");
        text[i] = "";
        is_number[i] = json_is_number(value);
        if (value)
            MUST(take_field(d, value, (enum demand_field)i, &text[i], numbers[i], sizeof numbers[i]));
    }
    return demand_list_take(d, text, is_number, unit_bps);
}

static rwa_status take_row(struct demand_list *d, const json_t *row, double unit_bps, uint64_t *counts)
{
    uint32_t nodes = rwa_network_nodes(d->net);
    if (json_array_size(row) != nodes)
        return demand_list_fail(d, "%zu entries, expected %u", json_array_size(row), nodes);
    for (uint32_t v = 0; v < nodes; v++) {
        const json_t *value = json_array_get(row, v);
        if (!json_is_number(value) || (unit_bps == 0 && !json_is_integer(value)))
            return demand_list_fail(d, "expected %s",
                                    unit_bps > 0 ? "an amount as a number" : "a whole number of lightpaths");
        MUST(demand_list_count(d, json_number_value(value), unit_bps, &counts[v]));
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

/** Set *unit_bps to the bit/s of a unit such as "Gbit/s".  Without a unit (NULL) it is 0, and amounts are numbers of
 *  lightpaths.  RWA_FORMAT: an unknown unit. */
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
