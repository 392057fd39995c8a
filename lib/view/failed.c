/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Describes failed links in words. */
#include "network/network.h"
#include "view/view.h"

/** Pairs of nodes named before the rest is only counted. */
enum { FAILURES_NAMED = 8 };

bool view_fails_by(const rwa_network *net, uint32_t link, uint32_t step)
{
    return network_failed_from(net, link) <= step;
}

uint32_t view_kept_steps(const rwa_network *net)
{
    uint64_t first = UINT64_MAX;
    rwa_faults faults = network_faults(net);
    for (size_t i = 0; i < faults.link_count; i++) {
        uint64_t from = network_failed_from(net, faults.links[i]);
        LOWER(first, from);
    }
    return first != UINT64_MAX && first > 1 ? (uint32_t)first - 1 : 0;
}

/** Tell whether a failed link has been named together with its opposite link, which comes before it and fails in the
 *  same step. */
static bool is_named(const rwa_network *net, uint32_t link)
{
    rwa_link ends = rwa_network_link(net, link);
    uint32_t back = rwa_network_find_link(net, ends.to, ends.from);
    return back < link && network_failed_from(net, back) == network_failed_from(net, link);
}

static void name_failure(struct text *t, const rwa_network *net, uint32_t link)
{
    rwa_link ends = rwa_network_link(net, link);
    uint32_t back = rwa_network_find_link(net, ends.to, ends.from);
    uint64_t from = network_failed_from(net, link);
    bool both = back != RWA_NONE && network_failed_from(net, back) == from;
    char a[NODE_TEXT], b[NODE_TEXT];
    text_add(t, "%s %s %s", network_node_text(a, net, ends.from), both ? "-" : ">", network_node_text(b, net, ends.to));
    if (from > 1)
        text_add(t, " from step %" PRIu64 " on", from);
}

void view_name_failures(struct text *t, const rwa_network *net)
{
    size_t named = 0;
    rwa_faults faults = network_faults(net);
    for (size_t i = 0; i < faults.link_count; i++) {
        if (is_named(net, faults.links[i]))
            continue;
        if (named++ < FAILURES_NAMED) {
            text_add(t, "%s", named > 1 ? "; " : "");
            name_failure(t, net, faults.links[i]);
        }
    }
    if (named > FAILURES_NAMED)
        text_add(t, "; and %zu more", named - FAILURES_NAMED);
}
