/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Binary-tree all-reduce (WRHT, Section III-B and Table I): in step i the first node of every group of 2^i adds what the
 * middle one has gathered; then the same steps backwards as a broadcast.  2 ceil(log2 N) steps, one wavelength, since
 * the groups do not overlap.
 */
#include "scheme/scheme.h"

static uint32_t binary_levels(uint32_t nodes)
{
    uint32_t levels = 0;
    while (((uint64_t)1 << levels) < nodes)
        levels++;
    return levels;
}

/** Level i: the first node of a group of 2^(i+1) adds the sum of its middle node, or informs it of the whole sum. */
static rwa_status push_binary_level(struct schedule_sink *sink, uint32_t nodes, uint32_t level, bool reducing, rwa_error *err)
{
    uint64_t half = (uint64_t)1 << level;
    struct transfers t;
    MUST(transfers_create(&t, nodes / half / 2 + 1, 0, err));
    t.op = reducing ? RWA_REDUCE : RWA_COPY;
    for (uint64_t first = 0; first + half < nodes; first += 2 * half) {
        uint32_t low = (uint32_t)first, middle = (uint32_t)(first + half);
        transfer_add(&t, reducing ? middle : low, reducing ? low : middle, 0);
    }
    return sink_transfers(sink, &t, err);
}

static rwa_status plan_binary_tree(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(request->net), levels = binary_levels(nodes);
    for (uint32_t level = 0; level < levels; level++)
        MUST(push_binary_level(sink, nodes, level, true, err));
    for (uint32_t level = levels; level-- > 0;)
        MUST(push_binary_level(sink, nodes, level, false, err));
    return RWA_OK;
}

static void binary_formula(rwa_formula *f, const struct plan_request *request)
{
    f->known = 1;
    f->steps = (uint64_t)2 * binary_levels(rwa_network_nodes(request->net));
    f->source = "WRHT, Table I";
}

const struct scheme scheme_binary_tree = {
    .name = "binary-tree",
    .summary = "pairs of groups add up into their first node, then the sum goes back the same way",
    .source = "WRHT, Table I",
    .collectives = 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_ARCS,
    .solver_needs = NETWORK_ARCS,
    .traits = STRIPES,
    .estimate = estimate_whole_message,
    .plan = plan_binary_tree,
    .formula = binary_formula,
};
