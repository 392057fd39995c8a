/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The formulas of OpTree as printed: Theorem 1, Lemmas 1 and 3, and the wavelengths of Section III-C. */
#include "scheme/published/optree.h"

/** Return the steps with k stages by Theorem 1, or by Lemma 1 for k = 1.  The number of nodes need not be a k-th
 *  power. */
static uint64_t theorem1(uint32_t nodes, uint32_t channels, uint32_t k)
{
    double n = nodes, steps = 0;
    if (k < 2)
        return ceil_div((uint64_t)nodes * nodes, (uint64_t)8 * channels);
    steps = (2.0 * k - 1) * pow(n, 1 + 1.0 / k) / (8.0 * channels);
    return (uint64_t)ceil(steps - 1e-9 * steps); /* exact powers must not be pushed up by rounding */
}

/** Return the paper's best number of stages (Lemma 3), rounded up as its tables require. */
static uint32_t lemma3(uint32_t nodes)
{
    double l = log((double)nodes);
    return l < 2 ? 1 : (uint32_t)ceil((l + sqrt(l * (l - 2))) / 2);
}

/** Compute out[j], the wavelengths of stage j on a ring (`cycle`) or line of n nodes, as the example in Section III-C
 * does.  There are `levels` stages, with the radices `radix`. */
static void stage_wavelengths(uint64_t *out, uint64_t n, bool cycle, const uint32_t *radix, size_t levels)
{
    uint64_t held = 1, product = 1;
    for (size_t j = 0; j < levels; j++) {
        uint64_t m = radix[j];
        product = product > n ? product : product * m;
        out[j] = held * ceil_div(n, product) * (j == 0 && cycle ? ceil_div(m * m, 8) : m * m / 4);
        held = held > n ? held : held * m;
    }
}

void optree_formula(rwa_formula *f, const struct plan_request *request)
{
    uint32_t nodes = rwa_network_nodes(request->net), channels = rwa_network_channels(request->net);
    size_t levels = optree_levels(request->parameters);
    bool cycle = network_is_cycle(request->net);
    if (optree_dimensions(request->net) > 1)
        return; /* the paper only sketches it */
    f->stages = levels;
    stage_wavelengths(f->stage_wavelengths, nodes, cycle, request->parameters->radix, levels);
    f->source = "OpTree, Section III-C";
    if (cycle) {
        f->best_stages = lemma3(nodes);
        f->best_steps = scheme_passes(request) * theorem1(nodes, channels, f->best_stages);
    }
    if (cycle && (levels == 1 || request->opts->radix_count == 0)) {
        f->steps = scheme_passes(request) * theorem1(nodes, channels, (uint32_t)levels);
        f->source = levels > 1 ? "OpTree, Theorem 1" : "OpTree, Lemma 1";
        return;
    }
    for (size_t j = 0; j < levels; j++)
        f->steps += scheme_passes(request) * ceil_div(f->stage_wavelengths[j], channels);
}
