/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"
#include "network/network.h"

#include <string.h>

static const struct bound_entry *const table[] = {
#define X(name) &bound_##name,
    BOUND_TABLE(X)
#undef X
};

static const struct bound_entry *const one_hop[] = {
#define X(name) &bound_##name,
    ONE_HOP_TABLE(X)
#undef X
};
_Static_assert(sizeof one_hop <= sizeof table, "rwa_bound_count() is for both tables");

size_t rwa_bound_count(void)
{
    return sizeof table / sizeof table[0];
}

void rwa_bound_options_init_sized(rwa_bound_options *opts, size_t size)
{
    rwa_bound_options defaults = {.struct_size = sizeof defaults, .slots = 1};
    memcpy(opts, &defaults, size < sizeof defaults ? size : sizeof defaults);
    opts->struct_size = size;
}

rwa_status bound_list_for(rwa_bound *list, size_t capacity, size_t *count, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err)
{
    const struct bound_entry *const *entries = network_is_one_hop(net) ? one_hop : table;
    size_t most = network_is_one_hop(net) ? sizeof one_hop / sizeof one_hop[0] : rwa_bound_count();
    struct bound_case c = {0};
    rwa_bound_options o;
    rwa_status st = RWA_OK;
    *count = 0;
    rwa_bound_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "bound options", err));
    if (capacity < rwa_bound_count())
        return base_fail(err, RWA_BADARG, "room for %zu bounds: expected at least %zu", capacity, rwa_bound_count());
    struct budget budget = base_budget(0, o.poll, o.poll_data);
    TRY(bound_case_open(&c, net, coll, &o, &budget, err));
    c.reached = reached;
    for (size_t i = 0; i < most; i++) {
        rwa_bound found = {entries[i]->name, 0, entries[i]->unit, entries[i]->statement, entries[i]->source, 1};
        TRY(entries[i]->compute(&found, &c, err));
        if (found.value > 0)
            list[(*count)++] = found;
    }
done:
    bound_case_close(&c);
    return st;
}

rwa_status rwa_bounds(size_t *count, rwa_bound *list, size_t capacity, const rwa_network *net,
                      const rwa_collective *coll, const rwa_bound_options *opts, rwa_error *err)
{
    base_begin(err);
    return bound_list_for(list, capacity, count, net, coll, opts, 0, err);
}

rwa_status bound_best_for(rwa_bound *out, const rwa_network *net, const rwa_collective *coll, const rwa_bound_options *opts,
                          uint64_t reached, rwa_error *err)
{
    rwa_bound list[sizeof table / sizeof table[0]];
    size_t count = 0;
    *out = (rwa_bound){"none", 0, "steps", "no bound in steps applies", "", 1};
    rwa_status st = bound_list_for(list, sizeof list / sizeof list[0], &count, net, coll, opts, reached, err);
    for (size_t i = 0; st == RWA_OK && i < count; i++)
        if (list[i].holds && strcmp(list[i].unit, "steps") == 0 && list[i].value > out->value)
            *out = list[i];
    return st;
}

rwa_status rwa_bound_best(rwa_bound *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, rwa_error *err)
{
    base_begin(err);
    return bound_best_for(out, net, coll, opts, 0, err);
}
