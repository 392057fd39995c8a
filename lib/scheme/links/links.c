/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/links/links.h"

#include "network/translations.h"

const char *links_limit(const struct plan_request *request)
{
    const rwa_network *net = request->net;
    if (rwa_network_ports(net) > 0)
        return "a limit of ports";
    if (network_has_reserved(net) || !network_is_uniform(net))
        return "links that are not alike, reserved channels or failed links";
    if (network_has_parallel_links(net) || !rwa_network_is_paired(net))
        return "parallel links, or links that lead one way only";
    if (request->coll->nodes != rwa_network_nodes(net) || request->coll->nodes < 3)
        return "members that are not all nodes, or fewer than 3 nodes";
    return request->opts->stripes > 1 ? "stripes, since it fills all channels" : NULL;
}

const char *links_limit_unlike(const struct plan_request *request)
{
    const char *limit = links_limit(request);
    if (!limit && network_is_transitive(request->net))
        limit = "nodes that are all alike, between which longer lightpaths stay up as well";
    return limit;
}
