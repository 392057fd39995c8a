/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collective/demand_list.h"

#include "base/base.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool is_digits(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

/** Two nodes of one name: neither is found by it. */
rwa_status demand_list_open(struct demand_list *d)
{
    uint32_t nodes = rwa_network_nodes(d->net), number = 0;
    bool known = false;
    rwa_status st = RWA_OK;
    d->nodes = base_array(nodes, sizeof *d->nodes, d->err);
    if (!d->nodes)
        return RWA_NOMEM;
    for (uint32_t v = 0; v < nodes; v++) {
        const char *name = rwa_network_node_name(d->net, v);
        if (!name)
            continue;
        TRY(names_add(&d->names, name, &number, &known, d->err));
        d->nodes[number] = known ? RWA_NO_NODE : v;
        d->numbers_are_names = d->numbers_are_names || is_digits(name);
    }
done:
    return st;
}

void demand_list_free(struct demand_list *d)
{
    names_free(&d->names);
    free(d->nodes);
    free(d->list);
}

rwa_status demand_list_fail(struct demand_list *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rwa_status st = base_fail_at(d->err, d->file, d->line, d->item, format, args);
    va_end(args);
    return st;
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
    rwa_status st = RWA_OK;
    if (src == dst)
        return demand_list_fail(d, "a demand from node %u to itself, expected two different nodes", src);
    if (count > RWA_DEMANDS_MAX)
        return demand_list_fail(d, "%llu lightpaths, expected at most %u", (unsigned long long)count, RWA_DEMANDS_MAX);
    if (via != RWA_NO_NODE && (via == src || via == dst))
        return demand_list_fail(d, "via node %u, expected a node that is no end of the demand", via);
    if (count == 0)
        return RWA_OK;
    TRY(base_grow((void **)&d->list, &d->capacity, d->count + 1, sizeof *d->list, d->err));
    d->list[d->count++] = (rwa_demand){src, dst, (uint32_t)count, via};
done:
    return st;
}

rwa_status demand_list_amount(struct demand_list *d, double amount, double unit_bps, uint64_t *count)
{
    double lightpaths = unit_bps > 0 ? amount * unit_bps / rwa_network_rate_bps(d->net) : amount;
    if (!(lightpaths >= 0) || lightpaths > RWA_DEMANDS_MAX)
        return demand_list_fail(d, "an amount of %g, expected one that is not negative and at most %u lightpaths", amount,
                                RWA_DEMANDS_MAX);
    *count = (uint64_t)ceil(lightpaths - 1e-9); /* an amount that fills its lightpaths asks for no other */
    return RWA_OK;
}

rwa_status demand_list_matrix(struct demand_list *d, const uint64_t *counts)
{
    uint32_t nodes = rwa_network_nodes(d->net);
    bool undirected = d->model == RWA_UNDIRECTED;
    rwa_status st = RWA_OK;
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t v = undirected ? u : 0; v < nodes; v++) {
            uint64_t here = counts[(size_t)u * nodes + v], back = counts[(size_t)v * nodes + u];
            if (u == v && here == 0)
                continue;
            TRY(demand_list_add(d, u, v, undirected && back > here ? back : here, RWA_NO_NODE));
        }
done:
    return st;
}
