/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "demand/demand_list.h"

#include "base/arena.h"
#include "base/number.h"

#include <ctype.h>

const char *const demand_fields[DEMAND_NAMES] = {"src",  "dst",    "count",  "via",  "width",
                                                  "rate", "source", "target", "from", "to"};

/** Prepare to find nodes by their names.  If two nodes have the same name, neither can be found by it. */
rwa_status demand_list_open(struct demand_list *d)
{
    uint32_t nodes = rwa_network_nodes(d->net), number = 0;
    MUST(base_new(d->nodes, nodes, d->err));
    for (uint32_t v = 0; v < nodes; v++) {
        const char *name = rwa_network_node_name(d->net, v);
        uint32_t before = d->names.count;
        if (!name)
            continue;
        MUST(names_add(&d->names, name, &number, d->err));
        d->nodes[number] = d->names.count == before ? RWA_NONE : v;
        d->numbers_are_names = d->numbers_are_names || base_is_digits(name);
    }
    return RWA_OK;
}

void demand_list_free(struct demand_list *d)
{
    names_free(&d->names);
    free_all(d->nodes, d->rows);
}

/** Numbers of fewer digits fit the types of node numbers (PLACE_DIGITS) and of amounts (WHOLE_DIGITS). */
enum { PLACE_DIGITS = 9, WHOLE_DIGITS = 18 };

rwa_status demand_list_node(struct demand_list *d, const char *text, bool by_place, uint32_t *node)
{
    uint32_t number = by_place ? NAMES_NONE : names_find(&d->names, text), nodes = rwa_network_nodes(d->net);
    unsigned long place = strlen(text) < PLACE_DIGITS ? strtoul(text, NULL, 10) : ULONG_MAX;
    if (number != NAMES_NONE && d->nodes[number] == RWA_NONE)
        return demand_list_fail(d, "node \"%.64s\": several have that name, expected its number", text);
    if (number != NAMES_NONE)
        *node = d->nodes[number];
    else if (base_is_digits(text) && (by_place || !d->numbers_are_names) && place < nodes)
        *node = (uint32_t)place;
    else
        return demand_list_fail(d, "node \"%.64s\" is unknown, expected a name or a number from 0 to %u", text,
                                nodes - 1);
    return RWA_OK;
}

rwa_status demand_list_add(struct demand_list *d, const struct demand_row *row)
{
    if (row->src == row->dst)
        return demand_list_fail(d, "a demand from node %u to itself, expected two different nodes", row->src);
    if (row->count > RWA_DEMANDS_MAX)
        return demand_list_fail(d, "%" PRIu64 " lightpaths, expected at most %u", row->count,
                                RWA_DEMANDS_MAX);
    if (row->via != RWA_NONE && (row->via == row->src || row->via == row->dst))
        return demand_list_fail(d, "via node %u, expected a node that is no end of the demand", row->via);
    assert(row->src < rwa_network_nodes(d->net) && row->dst < rwa_network_nodes(d->net));
    assert(row->width <= RWA_CHANNELS_MAX && row->rate_bps >= 0);
    return row->count == 0 ? RWA_OK : base_append(d->rows, d->count, d->err, *row);
}

rwa_status demand_list_count(struct demand_list *d, double amount, double unit_bps, uint64_t *count)
{
    double lightpaths = unit_bps > 0 ? amount * unit_bps / rwa_network_rate_bps(d->net) : amount;
    if (!(lightpaths >= 0) || lightpaths > RWA_DEMANDS_MAX)
        return demand_list_fail(d, "an amount of %g, expected one that is not negative and at most %u lightpaths",
                                amount, RWA_DEMANDS_MAX);
    *count = (uint64_t)ceil(lightpaths - 1e-9); /* rounding errors must not add a lightpath to an amount that fills
                                                   its lightpaths exactly */
    return RWA_OK;
}

rwa_status demand_list_amount(struct demand_list *d, double amount, double unit_bps, struct demand_row *row)
{
    MUST(demand_list_count(d, amount, unit_bps, &row->count));
    if (unit_bps > 0 && rwa_network_slot_hz(d->net) > 0) {
        row->count = row->count > 0;
        row->rate_bps = amount * unit_bps;
    }
    return RWA_OK;
}

bool demand_whole(const char *text, uint64_t *number)
{
    *number = strlen(text) < WHOLE_DIGITS ? strtoull(text, NULL, 10) : UINT64_MAX;
    return base_is_digits(text);
}

static rwa_status take_whole(struct demand_list *d, const char *text, enum demand_field field, uint64_t *number)
{
    if (demand_whole(text, number))
        return RWA_OK;
    return demand_list_fail(d, "%s \"%.64s\", expected a whole number%s", demand_fields[field], text,
                            field == DEMAND_WIDTH ? " of slots" : " that is not negative");
}

static rwa_status take_width(struct demand_list *d, const char *text, uint64_t *width)
{
    MUST(take_whole(d, text, DEMAND_WIDTH, width));
    if (*width < 1 || *width > RWA_CHANNELS_MAX)
        return demand_list_fail(d, "a width of %g slots, expected a whole number from 1 to %u", (double)*width,
                                RWA_CHANNELS_MAX);
    return RWA_OK;
}

/** Set *rate_bps to the bit rate, in bit/s, of a text such as "100G" or "1e11".  If unit_bps is positive, the number
 *  counts in units of that rate. */
static rwa_status take_rate(struct demand_list *d, const char *text, double unit_bps, double *rate_bps)
{
    static const char prefixes[] = "kMGT";
    double number = 0, factor = unit_bps > 0 ? unit_bps : 1;
    size_t digits = strspn(text, "0123456789.eE+-"), length = strlen(text);
    char *end = NULL;
    bool is_number = digits > 0 && isdigit((unsigned char)text[0]);
    const char *prefix = length == digits + 1 ? strchr(prefixes, text[digits]) : NULL;
    for (const char *p = prefixes; prefix && p <= prefix; p++)
        factor *= 1e3;
    if (is_number) {
        number = number_read(text, &end);
        is_number = end == text + digits;
    }
    if (!is_number || (length > digits && !prefix) || !(number > 0) || !isfinite(number * factor))
        return demand_list_fail(d, "rate \"%.64s\", expected bit/s above 0, such as 100G", text);
    *rate_bps = number * factor;
    return RWA_OK;
}

rwa_status demand_list_take(struct demand_list *d, const char *const field[DEMAND_FIELDS], const bool *number,
                            double unit_bps)
{
    struct demand_row row = {.via = RWA_NONE, .count = 1};
    uint32_t *node[DEMAND_FIELDS] = {[DEMAND_SRC] = &row.src, [DEMAND_DST] = &row.dst, [DEMAND_VIA] = &row.via};
    for (size_t i = 0; i < DEMAND_FIELDS; i++)
        if (node[i] && (i != DEMAND_VIA || *field[i]))
            MUST(demand_list_node(d, field[i], number && number[i], node[i]));
    if (*field[DEMAND_COUNT])
        MUST(unit_bps > 0 ? demand_list_amount(d, number_read(field[DEMAND_COUNT], NULL), unit_bps, &row)
                          : take_whole(d, field[DEMAND_COUNT], DEMAND_COUNT, &row.count));
    if (*field[DEMAND_WIDTH])
        MUST(take_width(d, field[DEMAND_WIDTH], &row.width));
    if (*field[DEMAND_RATE])
        MUST(take_rate(d, field[DEMAND_RATE], number && number[DEMAND_RATE] ? unit_bps : 0, &row.rate_bps));
    return demand_list_add(d, &row);
}

rwa_status demand_list_finish(rwa_demands **out, struct demand_list *d)
{
    struct arena memory = {.err = d->err};
    rwa_demand *list;
    uint32_t *widths;
    double *rates;
    rwa_error why = {0};
    rwa_status st = arena_arrays(&memory, d->count, list, widths, rates);
    TRY(st);
    for (size_t i = 0; i < d->count; i++) {
        const struct demand_row *row = &d->rows[i];
        list[i] = (rwa_demand){row->src, row->dst, (uint32_t)row->count, row->via};
        widths[i] = row->width > 0 ? (uint32_t)row->width : 1;
        rates[i] = row->rate_bps;
    }
    st = demands_make(out, rwa_network_nodes(d->net), list, d->count, widths, rates, &why);
    if (st != RWA_OK)
        base_fail(d->err, st, "%s: %s", d->file, why.text);
done:
    arena_free(&memory);
    return st;
}

rwa_status demand_list_matrix(struct demand_list *d, const uint64_t *counts)
{
    uint32_t nodes = rwa_network_nodes(d->net);
    bool undirected = d->model == RWA_UNDIRECTED;
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t v = undirected ? u : 0; v < nodes; v++) {
            uint64_t here = counts[(size_t)u * nodes + v], back = undirected ? counts[(size_t)v * nodes + u] : 0;
            struct demand_row row = {u, v, RWA_NONE, back > here ? back : here, 0, 0};
            if (u != v || here > 0)
                MUST(demand_list_add(d, &row));
        }
    return RWA_OK;
}
