/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The bound that an assignment claims: gathers what its witness needs, and computes the value
 *  that the witness proves. */
#include "check/assignment.h"

#include "base/arithmetic.h"
#include "base/text.h"
#include "network/translations.h"

/* Limit on nodes * links * demands, the cost of finding a disjoint pair for every demand. */
#define MOST_WORK 2e10

static size_t words(const struct assignment_checker *chk)
{
    return chk->carriers / 64 + 1;
}

rwa_status bound_claim_open(struct assignment_checker *chk)
{
    struct bound_claim *c = &chk->claim;
    rwa_witness_kind kind = c->claimed.kind;
    if (!c->claimed.name)
        return RWA_OK;
    if (kind == RWA_WITNESS_LENGTHS || kind == RWA_WITNESS_ODD_CUTS)
        return arena_arrays(&chk->memory, (size_t)chk->demands, c->ends);
    if (kind != RWA_WITNESS_CLIQUE)
        return RWA_OK;
    MUST(base_fits_memory(8.0 * (double)words(chk) * (double)c->claimed.route_count, "checking this clique", chk->err));
    return arena_arrays(&chk->memory, words(chk) * c->claimed.route_count, c->crossed);
}

void bound_claim_take_demand(struct assignment_checker *chk, uint64_t demand, const struct ends *ends)
{
    struct bound_claim *c = &chk->claim;
    if (!c->ends)
        return;
    uint32_t before = c->ends[demand].slots;    /* slots of another line of the demand; 0: this is the first line */
    c->ends[demand] = *ends;
    if (before > 0 && before < ends->slots)
        c->ends[demand].slots = before;
}

/* If the route is the next member of the claimed clique, store its carriers in chk->claim.crossed; the witness lists
 * the members in ascending order.  If it crosses the claimed link, add its slots to chk->claim.crossing. */
void bound_claim_take_route(struct assignment_checker *chk, uint64_t record, const uint32_t *links, uint32_t hops,
                            uint32_t slots)
{
    struct bound_claim *c = &chk->claim;
    bool member = c->crossed && c->members < c->claimed.route_count && c->claimed.routes[c->members] == record;
    for (uint32_t k = 0; k < hops; k++) {
        uint32_t carrier = carrier_of(chk, links[k]);
        c->crossing += c->claimed.kind == RWA_WITNESS_LINK && carrier == c->claimed.link ? slots : 0;
        if (member)
            set_bit(c->crossed + c->members * words(chk), carrier);
    }
    c->members += member;
    c->member_slots += member ? slots : 0;
}

/* ---- the values that witnesses prove ---- */

/* Return the directed link that the claim names as its witness.  If it names a fibre pair, return the first link of
 * the pair. */
static rwa_link claimed_link(const struct assignment_checker *chk)
{
    uint32_t i = 0;
    while (carrier_of(chk, i) != chk->claim.claimed.link)
        i++;
    return rwa_network_link(chk->net, i);
}

static bool share(const struct assignment_checker *chk, uint64_t a, uint64_t b)
{
    for (size_t w = 0; w < words(chk); w++)
        if (chk->claim.crossed[a * words(chk) + w] & chk->claim.crossed[b * words(chk) + w])
            return true;
    return false;
}

/* Return how many wavelengths the claimed clique proves necessary; 0 if one of its routes is missing, or two share no
 * link.  Any two routes of a clique share a link, so all have different channels, and a wavelength has one channel per
 * fibre. */
static uint64_t of_clique(const struct assignment_checker *chk)
{
    const struct bound_claim *c = &chk->claim;
    if (c->members < c->claimed.route_count)
        return 0;
    for (uint64_t a = 0; a < c->members; a++)
        for (uint64_t b = a + 1; b < c->members; b++)
            if (!share(chk, a, b))
                return 0;
    return ceil_div(c->member_slots, network_most_fibers(chk->net));
}

static bool can_check(const struct assignment_checker *chk)
{
    const struct bound_claim *c = &chk->claim;
    double work = (double)rwa_network_nodes(chk->net) * rwa_network_links(chk->net) * (double)chk->demands;
    switch (c->claimed.name ? c->claimed.kind : RWA_WITNESS_NONE) {
    case RWA_WITNESS_LENGTHS:
        return (!chk->protection || work <= MOST_WORK) && (!c->claimed.most_served || c->claimed.wavelengths > 0);
    case RWA_WITNESS_CLIQUE: return !c->converts && !c->claimed.most_served;
    case RWA_WITNESS_ODD_CUTS:
        return !c->converts && !c->claimed.most_served && !chk->protection && chk->model == RWA_UNDIRECTED;
    case RWA_WITNESS_LINK: return !c->claimed.most_served;
    case RWA_WITNESS_SEARCH:
    case RWA_WITNESS_NONE: break;
    }
    return false;
}

/* Append to chk->claim.proof why the lightpaths over the claimed link, or those of the claimed clique, need `proven`
 * wavelengths. */
static void say_proof(const struct assignment_checker *chk, uint64_t proven)
{
    const struct bound_claim *c = &chk->claim;
    uint64_t fibers = network_most_fibers(chk->net), channels = c->member_slots;
    const char *what = rwa_network_slot_hz(chk->net) > 0 ? "slot" : "lightpath";
    if (c->claimed.kind == RWA_WITNESS_LINK) {
        rwa_link link = claimed_link(chk);
        fibers = link.fibers;
        channels = c->crossing;
        text_append(c->proof, "%" PRIu64 " %s%s, as routed, cross link %u%c%u, each on a channel of its own", channels,
                    what, plural(channels), link.from, chk->model == RWA_UNDIRECTED ? '-' : '>', link.to);
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

rwa_status bound_claim_check(struct assignment_checker *chk, rwa_verdict *verdict, uint64_t *proven)
{
    const struct bound_claim *c = &chk->claim;
    *verdict = RWA_UNCHECKED;
    *proven = 0;
    if (c->claimed.name && c->claimed.kind == RWA_WITNESS_SEARCH)
        text_append(c->proof, "A search, or integer program, that leaves nothing out%s found no better answer; only "
                    "repeating it can confirm that", c->claimed.fixed_routes ? " on the routes offered" : "");
    if (!can_check(chk))
        return RWA_OK;
    if (c->claimed.kind == RWA_WITNESS_LENGTHS || c->claimed.kind == RWA_WITNESS_ODD_CUTS)
        MUST(certificate_of_lengths(proven, chk));
    else if (c->claimed.kind == RWA_WITNESS_LINK)
        *proven = ceil_div(c->crossing, claimed_link(chk).fibers);
    else
        *proven = of_clique(chk);
    say_proof(chk, *proven);
    bool holds = c->claimed.most_served ? *proven <= c->claimed.value : *proven >= c->claimed.value;
    *verdict = holds ? RWA_PASS : RWA_FAIL;
    return RWA_OK;
}

/* Set *cycle to whether the network has a cycle.  A network without one is a forest: it has as many links (pairs of
 * opposite links count once) as nodes, less one for each connected component. */
static rwa_status has_cycle(const rwa_network *net, bool *cycle, rwa_error *err)
{
    uint32_t parts = 1, links = rwa_network_is_paired(net) ? rwa_network_pairs(net) : rwa_network_links(net);
    if (net->links)
        MUST(graph_count_parts(&parts, NULL, net->nodes, net->links, net->link_count, err));
    *cycle = links > net->nodes - parts;
    return RWA_OK;
}

rwa_status bound_claim_of_routes(const struct assignment_checker *chk, bool *of_routes)
{
    const struct bound_claim *c = &chk->claim;
    rwa_witness_kind kind = c->claimed.name ? c->claimed.kind : RWA_WITNESS_NONE;
    *of_routes = c->claimed.name && c->claimed.fixed_routes;
    if (*of_routes || (kind != RWA_WITNESS_LINK && kind != RWA_WITNESS_CLIQUE))
        return RWA_OK;
    return has_cycle(chk->net, of_routes, chk->err);
}
