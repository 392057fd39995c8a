/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collective/demand_list.h"

#include "base/base.h"
#include "base/number.h"

#include <ctype.h>

static bool is_digits(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

/** Two nodes of one name: neither is found by it. */
rwa_status demand_list_open(struct demand_list *d)
{
    uint32_t nodes = rwa_network_nodes(d->net), number = 0;
    bool known = false;
    MUST(base_new(d->nodes, nodes, d->err));
    for (uint32_t v = 0; v < nodes; v++) {
        const char *name = rwa_network_node_name(d->net, v);
        if (!name)
            continue;
        MUST(names_add(&d->names, name, &number, &known, d->err));
        d->nodes[number] = known ? RWA_NO_NODE : v;
        d->numbers_are_names = d->numbers_are_names || is_digits(name);
    }
    return RWA_OK;
}

void demand_list_free(struct demand_list *d)
{
    names_free(&d->names);
    free_all(d->nodes, d->list, d->widths, d->rates);
}

rwa_status demand_list_node(struct demand_list *d, const char *text, uint32_t *node)
{
    uint32_t number = names_find(&d->names, text), nodes = rwa_network_nodes(d->net);
    unsigned long place = strlen(text) < 9 ? strtoul(text, NULL, 10) : ULONG_MAX;
    if (number != NAMES_NONE && d->nodes[number] == RWA_NO_NODE)
        return demand_list_fail(d, "node \"%.64s\": several have that name, expected its number", text);
    if (number != NAMES_NONE)
        *node = d->nodes[number];
    else if (is_digits(text) && !d->numbers_are_names && place < nodes)
        *node = (uint32_t)place;
    else
        return demand_list_fail(d, "node \"%.64s\" is unknown, expected a name or a number from 0 to %u", text, nodes - 1);
    return RWA_OK;
}

rwa_status demand_list_add(struct demand_list *d, uint32_t src, uint32_t dst, uint64_t count, uint32_t via)
{
    if (src == dst)
        return demand_list_fail(d, "a demand from node %u to itself, expected two different nodes", src);
    if (count > RWA_DEMANDS_MAX)
        return demand_list_fail(d, "%llu lightpaths, expected at most %u", (unsigned long long)count, RWA_DEMANDS_MAX);
    if (via != RWA_NO_NODE && (via == src || via == dst))
        return demand_list_fail(d, "via node %u, expected a node that is no end of the demand", via);
    if (count == 0)
        return RWA_OK;
    MUST(base_grow((void **)&d->list, &d->capacity, d->count + 1, sizeof *d->list, d->err));
    MUST(base_grow((void **)&d->widths, &d->width_capacity, d->count + 1, sizeof *d->widths, d->err));
    MUST(base_grow((void **)&d->rates, &d->rate_capacity, d->count + 1, sizeof *d->rates, d->err));
    d->widths[d->count] = 1;
    d->rates[d->count] = 0;
    d->list[d->count++] = (rwa_demand){src, dst, (uint32_t)count, via};
    return RWA_OK;
}

rwa_status demand_list_add_amount(struct demand_list *d, uint32_t src, uint32_t dst, double amount, double unit_bps, uint32_t via)
{
    uint64_t count = 0;
    size_t before = d->count;
    assert(src < rwa_network_nodes(d->net) && dst < rwa_network_nodes(d->net));
    bool flexible = unit_bps > 0 && rwa_network_slot_hz(d->net) > 0;
    MUST(demand_list_amount(d, amount, unit_bps, &count));
    MUST(demand_list_add(d, src, dst, flexible && count > 0 ? 1 : count, via));
    if (flexible && d->count > before)
        demand_list_widen(d, 0, amount * unit_bps);
    return RWA_OK;
}

void demand_list_widen(struct demand_list *d, uint64_t width, double rate_bps)
{
    assert(d->count > 0 && width <= RWA_CHANNELS_MAX && rate_bps >= 0);
    if (width > 0)
        d->widths[d->count - 1] = (uint32_t)width;
    if (rate_bps > 0)
        d->rates[d->count - 1] = rate_bps;
}

rwa_status demand_list_width(struct demand_list *d, double number, uint64_t *width)
{
    if (!(number >= 1 && number <= RWA_CHANNELS_MAX) || number != floor(number))
        return demand_list_fail(d, "a width of %g slots, expected a whole number from 1 to %u", number, RWA_CHANNELS_MAX);
    *width = (uint64_t)number;
    return RWA_OK;
}

rwa_status demand_list_rate(struct demand_list *d, const char *text, double *rate_bps)
{
    static const char prefixes[] = "kMGT";
    double number = 0, factor = 1;
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

rwa_status demand_list_finish(rwa_demands **out, struct demand_list *d)
{
    assert(d->count == 0 || (d->widths[d->count - 1] >= 1 && d->rates[d->count - 1] >= 0));
    rwa_demands *plain = NULL, *wide = NULL;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    TRY(rwa_demands_create(&plain, rwa_network_nodes(d->net), d->list, d->count, &why));
    TRY(rwa_demands_with_widths(&wide, plain, d->widths, &why));
    TRY(rwa_demands_with_rates(out, wide, d->rates, &why));
done:
    if (st != RWA_OK)
        base_fail(d->err, st, "%s: %s", d->file, why.text);
    rwa_demands_free(plain);
    rwa_demands_free(wide);
    return st;
}

rwa_status demand_list_amount(struct demand_list *d, double amount, double unit_bps, uint64_t *count)
{
    double lightpaths = unit_bps > 0 ? amount * unit_bps / rwa_network_rate_bps(d->net) : amount;
    if (!(lightpaths >= 0) || lightpaths > RWA_DEMANDS_MAX)
        return demand_list_fail(d, "an amount of %g, expected one that is not negative and at most %u lightpaths", amount, RWA_DEMANDS_MAX);
    *count = (uint64_t)ceil(lightpaths - 1e-9); /* an amount that fills its lightpaths asks for no other */
    return RWA_OK;
}

rwa_status demand_list_matrix(struct demand_list *d, const uint64_t *counts)
{
    uint32_t nodes = rwa_network_nodes(d->net);
    bool undirected = d->model == RWA_UNDIRECTED;
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t v = undirected ? u : 0; v < nodes; v++) {
            uint64_t here = counts[(size_t)u * nodes + v], back = counts[(size_t)v * nodes + u];
            if (u == v && here == 0)
                continue;
            MUST(demand_list_add(d, u, v, undirected && back > here ? back : here, RWA_NO_NODE));
        }
    return RWA_OK;
}
