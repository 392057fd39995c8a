/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Properties of single links: reserved channels, and risk groups, whose links fail together. */
#include "network/network.h"

COMPARATOR(compare_reserved, rwa_reserved, UP(link) UP(fiber) UP(wavelength))

/** Return the number of links from which the network was made.  If it was made of fibre pairs (net->paired), this is
 * the number of pairs. */
static uint32_t given_links(const struct rwa_network *net)
{
    return net->paired ? net->link_count / 2 : net->link_count;
}

static rwa_status check_reserved(const struct rwa_network *net, const rwa_reserved *r, size_t i, rwa_error *err)
{
    if (r->link >= given_links(net))
        return base_refuse(err, "reserved channel %zu: link %u, expected one below %u", i, r->link, given_links(net));
    if (r->fiber >= net->links[net->paired ? 2 * r->link : r->link].fibers)
        return base_refuse(err, "reserved channel %zu: link %u has no fibre %u", i, r->link, r->fiber);
    if (r->wavelength >= RWA_CHANNELS_MAX)
        return base_refuse(err, "reserved channel %zu: wavelength %u, expected one below %u", i, r->wavelength,
                           RWA_CHANNELS_MAX);
    return RWA_OK;
}

rwa_status graph_take_reserved(struct rwa_network *net, const rwa_reserved *reserved, size_t count, rwa_error *err)
{
    uint32_t each = net->paired ? 2 : 1;
    if (count == 0)
        return RWA_OK;
    MUST(arena_arrays(&net->arena, count * each, net->reserved));
    for (size_t i = 0; i < count; i++) {
        MUST(check_reserved(net, &reserved[i], i, err));
        for (uint32_t way = 0; way < each; way++)
            net->reserved[net->reserved_count++] =
                (rwa_reserved){reserved[i].link * each + way, reserved[i].fiber, reserved[i].wavelength};
    }
    net->reserved_count = base_sort_unique(net->reserved, net->reserved_count, sizeof *net->reserved, compare_reserved);
    return RWA_OK;
}

rwa_status graph_take_groups(struct rwa_network *net, const rwa_risk_group *groups, size_t count, rwa_error *err)
{
    uint32_t each = net->paired ? 2 : 1;
    size_t total = 0, at = 0;
    for (size_t g = 0; g < count; g++)
        total += groups[g].count;
    if (count == 0)
        return RWA_OK;
    arena_new(&net->arena, net->group_first, count + 1);
    arena_new(&net->arena, net->group_links, total * each);
    if (arena_status(&net->arena) != RWA_OK)
        return RWA_NOMEM;
    for (size_t g = 0; g < count; g++) {
        for (size_t k = 0; k < groups[g].count; k++) {
            uint32_t link = groups[g].links[k];
            if (link >= given_links(net))
                return base_refuse(err, "risk group %zu: link %u, expected one below %u", g, link, given_links(net));
            for (uint32_t way = 0; way < each; way++)
                net->group_links[at++] = link * each + way;
        }
        net->group_first[g + 1] = at;
        qsort(net->group_links + net->group_first[g], at - net->group_first[g], sizeof(uint32_t), order_uint32);
    }
    net->group_count = count;
    return RWA_OK;
}

size_t rwa_network_reserved(const rwa_reserved **list, const rwa_network *net)
{
    *list = net->reserved;
    return net->reserved_count;
}

int rwa_network_is_reserved(const rwa_network *net, uint32_t link, uint32_t fiber, uint32_t wavelength)
{
    rwa_reserved key = {link, fiber, wavelength};
    if (rwa_network_is_reserved_everywhere(net, fiber * net->wavelengths + wavelength))
        return 1;
    return net->reserved_count > 0 &&
           bsearch(&key, net->reserved, net->reserved_count, sizeof key, compare_reserved) != NULL;
}

GETTER(size_t, rwa_network_risk_groups, rwa_network, group_count)

size_t rwa_network_risk_group(const uint32_t **links, const rwa_network *net, size_t g)
{
    *links = NULL;
    if (g >= net->group_count)
        return 0;
    *links = net->group_links + net->group_first[g];
    return net->group_first[g + 1] - net->group_first[g];
}
