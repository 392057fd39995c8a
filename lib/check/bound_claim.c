/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/bound_claim.h"

#include "base/text.h"
#include "network/network.h"
#include "network/translations.h"

/* Limit on nodes * links * demands, the cost of finding a disjoint pair for every demand. */
#define MOST_WORK 2e10

static uint32_t carrier_of(const struct bound_claim *c, uint32_t link)
{
    return c->model == RWA_UNDIRECTED ? rwa_network_pair(c->net, link) : link;
}

static size_t words(const struct bound_claim *c)
{
    return c->carriers / 64 + 1;
}

rwa_status bound_claim_open(struct bound_claim *c)
{
    rwa_witness_kind kind = c->claimed.kind;
    if (!c->claimed.name)
        return RWA_OK;
    if (kind == RWA_WITNESS_LENGTHS || kind == RWA_WITNESS_FORMULA || kind == RWA_WITNESS_ODD_CUTS)
        return base_new(c->ends, (size_t)c->demands, c->err);
    if (kind != RWA_WITNESS_CLIQUE)
        return RWA_OK;
    MUST(base_fits_memory(8.0 * (double)words(c) * (double)c->claimed.route_count, "checking this clique", c->err));
    c->crossed = base_array(c->claimed.route_count, words(c) * sizeof *c->crossed, c->err);
    return c->crossed ? RWA_OK : RWA_NOMEM;
}

void bound_claim_close(struct bound_claim *c)
{
    free_all(c->ends, c->crossed);
}

void bound_claim_take_demand(struct bound_claim *c, uint64_t demand, const struct ends *ends)
{
    if (!c->ends)
        return;
    uint32_t before = c->ends[demand].slots;    /* slots of another line of the demand; 0: this is the first line */
    c->ends[demand] = *ends;
    if (before > 0 && before < ends->slots)
        c->ends[demand].slots = before;
}

/* Note a route.  Its links are noted if it is the next route of the claimed clique, which the witness lists in
 * ascending order; its slots are added if it crosses the claimed link. */
void bound_claim_take_route(struct bound_claim *c, uint64_t record, const uint32_t *links, uint32_t hops,
                            uint32_t slots)
{
    bool member = c->crossed && c->members < c->claimed.route_count && c->claimed.routes[c->members] == record;
    for (uint32_t k = 0; k < hops; k++) {
        uint32_t carrier = carrier_of(c, links[k]);
        c->crossing += c->claimed.kind == RWA_WITNESS_LINK && carrier == c->claimed.link ? slots : 0;
        if (member)
            c->crossed[c->members * words(c) + carrier / 64] |= UINT64_C(1) << carrier % 64;
    }
    c->members += member;
    c->member_slots += member ? slots : 0;
}

/* ---- the values that witnesses prove ---- */

static uint64_t shared_by(uint64_t slots, uint32_t fibers)
{
    return (slots + fibers - 1) / fibers;
}

/* Return the first directed link of the claimed carrier. */
static rwa_link claimed_link(const struct bound_claim *c)
{
    uint32_t i = 0;
    while (carrier_of(c, i) != c->claimed.link)
        i++;
    return rwa_network_link(c->net, i);
}

static bool share(const struct bound_claim *c, uint64_t a, uint64_t b)
{
    for (size_t w = 0; w < words(c); w++)
        if (c->crossed[a * words(c) + w] & c->crossed[b * words(c) + w])
            return true;
    return false;
}

/* Return the wavelengths that a clique of routes proves necessary: if every two of its routes share a link, no two can
 * have the same slot of the same fibre.  0 if some route is missing, or two share no link. */
static uint64_t of_clique(const struct bound_claim *c)
{
    if (c->members < c->claimed.route_count)
        return 0;
    for (uint64_t a = 0; a < c->members; a++)
        for (uint64_t b = a + 1; b < c->members; b++)
            if (!share(c, a, b))
                return 0;
    return shared_by(c->member_slots, network_most_fibers(c->net));
}

/* Compute the wavelengths that the theorem for all pairs on an undirected ring of n = 4k nodes proves necessary,
 * n^2 / 8 + 1 divided by the fibres (docs/reference/bounds.md).  Its proof is that of lengths of 1 with the cut round
 * one node, where an odd number of lightpaths end on an even number of channels. */
static rwa_status of_theorem(uint64_t *proven, const struct bound_claim *c)
{
    struct bound_claim ring = *c;
    uint32_t *ones, node = 0;
    if (c->model != RWA_UNDIRECTED)
        return RWA_OK;
    MUST(base_new(ones, c->carriers, c->err));
    for (uint32_t i = 0; i < c->carriers; i++)
        ones[i] = 1;
    ring.claimed.lengths = ones;
    ring.sets = &(rwa_odd_set){.nodes = &node, .count = 1, .weight = 1};
    ring.set_count = 1;
    ring.backups = false;
    rwa_status st = certificate_of_lengths(proven, &ring);
    free(ones);
    return st;
}

static bool can_check(const struct bound_claim *c)
{
    double work = (double)rwa_network_nodes(c->net) * rwa_network_links(c->net) * (double)c->demands;
    switch (c->claimed.name ? c->claimed.kind : RWA_WITNESS_NONE) {
    case RWA_WITNESS_LENGTHS:
        return (!c->backups || work <= MOST_WORK) && (!c->claimed.most_served || c->claimed.wavelengths > 0);
    case RWA_WITNESS_CLIQUE: return !c->converts && !c->claimed.most_served;
    case RWA_WITNESS_ODD_CUTS:
        return !c->converts && !c->claimed.most_served && !c->backups && c->model == RWA_UNDIRECTED;
    case RWA_WITNESS_FORMULA: return !c->claimed.most_served && (!c->converts || network_is_uniform(c->net));
    case RWA_WITNESS_LINK: return !c->claimed.most_served;
    case RWA_WITNESS_SEARCH:
    case RWA_WITNESS_NONE: break;
    }
    return false;
}

/* Say why the routes of a link or clique prove `proven`. */
static void say_proof(const struct bound_claim *c, uint64_t proven)
{
    uint64_t fibers = network_most_fibers(c->net), channels = c->member_slots;
    const char *what = rwa_network_slot_hz(c->net) > 0 ? "slot" : "lightpath";
    if (c->claimed.kind == RWA_WITNESS_LINK) {
        rwa_link link = claimed_link(c);
        fibers = link.fibers;
        channels = c->crossing;
        text_append(c->proof, "%" PRIu64 " %s%s, as routed, cross link %u%c%u, each on a channel of its own", channels,
                    what, plural(channels), link.from, c->model == RWA_UNDIRECTED ? '-' : '>', link.to);
    } else if (c->claimed.kind == RWA_WITNESS_CLIQUE && proven > 0) {
        text_append(c->proof, "Any two of %" PRIu64 " lightpaths, as routed, share a link, so no two have the same "
                    "channel", c->members);
    } else {
        return;
    }
    if (fibers > 1)
        text_append(c->proof, ", on %" PRIu64 " fibres", fibers);
    text_append(c->proof, ": %s", QUOTIENT(channels, fibers));
}

rwa_status bound_claim_check(struct bound_claim *c, rwa_verdict *verdict, uint64_t *proven)
{
    *verdict = RWA_UNCHECKED;
    *proven = 0;
    if (c->claimed.name && c->claimed.kind == RWA_WITNESS_SEARCH)
        text_append(c->proof, "A search, or integer program, that leaves nothing out%s found no better answer; only "
                    "repeating it can confirm that", c->claimed.fixed_routes ? " on the routes offered" : "");
    if (!can_check(c))
        return RWA_OK;
    if (c->claimed.kind == RWA_WITNESS_LENGTHS || c->claimed.kind == RWA_WITNESS_ODD_CUTS)
        MUST(certificate_of_lengths(proven, c));
    else if (c->claimed.kind == RWA_WITNESS_LINK)
        *proven = shared_by(c->crossing, claimed_link(c).fibers);
    else if (c->claimed.kind == RWA_WITNESS_FORMULA)
        MUST(of_theorem(proven, c));
    else
        *proven = of_clique(c);
    say_proof(c, *proven);
    bool holds = c->claimed.most_served ? *proven <= c->claimed.value : *proven >= c->claimed.value;
    *verdict = holds ? RWA_PASS : RWA_FAIL;
    return RWA_OK;
}

static uint32_t root_of(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node)
        node = parent[node] = parent[parent[node]];
    return node;
}

/* Find out whether the network has a cycle.  A network without one has as many pairs of links as nodes, less one for
 * each component. */
static rwa_status has_cycle(const rwa_network *net, bool *cycle, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), needed = 0, *parent = base_array(nodes, sizeof *parent, err);
    MUST(parent ? RWA_OK : RWA_NOMEM);
    for (uint32_t node = 0; node < nodes; node++)
        parent[node] = node;
    for (uint32_t i = 0; i < rwa_network_links(net); i++) {
        rwa_link link = rwa_network_link(net, i);
        uint32_t a = root_of(parent, link.from), b = root_of(parent, link.to);
        needed += a != b;
        parent[a] = b;
    }
    *cycle = rwa_network_pairs(net) > needed;
    free(parent);
    return RWA_OK;
}

rwa_status bound_claim_of_routes(const struct bound_claim *c, bool *of_routes)
{
    rwa_witness_kind kind = c->claimed.name ? c->claimed.kind : RWA_WITNESS_NONE;
    *of_routes = c->claimed.name && c->claimed.fixed_routes;
    if (*of_routes || (kind != RWA_WITNESS_LINK && kind != RWA_WITNESS_CLIQUE))
        return RWA_OK;
    return has_cycle(c->net, of_routes, c->err);
}
