/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * WRHT's own arithmetic, as printed.  The all-gather's steps cannot be carried out as lightpaths: a representative must
 * deliver about N - 1 blocks to each of m - 1 members over 2w channels, which alone takes (N - 1)(m - 1) / 2w steps.
 */
#include "scheme/published/wrht.h"

rwa_status wrht_validate(const struct plan_request *request, rwa_error *err)
{
    return request->opts->group == 1 ? base_fail(err, RWA_BADARG, "group 1: expected at least 2 nodes") : RWA_OK;
}

/** Of an all-gather: a representative sends each of the others in its group what it lacks, one block a lightpath, over its channels on
 *  both sides; unless all nodes exchange at once. */
static uint64_t least_steps_to_spread(const struct plan_request *request, uint32_t group)
{
    uint64_t nodes = rwa_network_nodes(request->net), channels = rwa_network_channels(request->net);
    bool at_once = request->opts->last_exchange != RWA_LAST_TREE &&
                   exchange_wavelengths(nodes, network_is_cycle(request->net)) <= channels;
    uint64_t largest = ceil_div(nodes, ceil_div(nodes, group));
    return at_once || request->coll->kind != RWA_ALL_GATHER ? 0 : ceil_div((largest - 1) * (nodes - 1), 2 * channels);
}

rwa_status wrht_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    uint32_t group = request->opts->group, nodes = rwa_network_nodes(request->net);
    if (group > nodes)
        group = nodes; /* one group of all */
    e->set[0].group = group > 0 ? group : 2 * rwa_network_channels(request->net) + 1;
    e->sets = 1;
    e->least_steps = least_steps_to_spread(request, e->set[0].group);
    return estimate_whole_message(e, request, err);
}

/** ceil(log_m n). */
static size_t levels_of(uint64_t n, uint64_t m)
{
    size_t levels = 0;
    for (uint64_t power = 1; power < n; power *= m)
        levels++;
    return levels;
}

static uint64_t power_of(uint64_t m, size_t k)
{
    uint64_t power = 1;
    while (k-- > 0)
        power *= m;
    return power;
}

/** Section III-D: 2 ceil(log_m N), or one less when the last m* representatives exchange all-to-all. */
static void all_reduce(rwa_formula *f, uint64_t n, uint64_t m, uint64_t channels, rwa_last_exchange last)
{
    size_t levels = levels_of(n, m);
    uint64_t left = ceil_div(n, power_of(m, levels - 1));
    bool exchange = last != RWA_LAST_TREE && ceil_div(left * left, 8) <= channels;
    for (size_t j = 0; j < 2 * levels - exchange && j < RWA_STAGES_MAX; j++)
        f->stage_wavelengths[f->stages++] = exchange && j == levels - 1 ? ceil_div(left * left, 8) : ceil_div(m, 2);
    f->steps = 2 * levels - exchange;
    f->source = "WRHT, Section III-D";
}

/** OpTree, Section IV-B, the form that gives the 259 steps of its Table 1. */
static void all_gather(rwa_formula *f, uint64_t n, uint64_t m)
{
    size_t levels = levels_of(n, m);
    uint64_t top = power_of(m, levels - 1);
    f->steps = 1 + ceil_div(m * top - m, m - 1) + (levels - 1) * top;
    f->source = "OpTree, Table 1 (not realisable as lightpaths)";
}

void wrht_formula(rwa_formula *f, const struct plan_request *request)
{
    uint64_t n = rwa_network_nodes(request->net);
    f->known = 1;
    if (request->coll->kind == RWA_ALL_REDUCE)
        all_reduce(f, n, request->parameters->group, rwa_network_channels(request->net), request->opts->last_exchange);
    else
        all_gather(f, n, request->parameters->group);
}
