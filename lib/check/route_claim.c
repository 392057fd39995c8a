/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One lightpath of an assignment: its route, links and channels, and its role among the lines of its demand. */
#include "check/assignment.h"

#include "assignment/assignment.h"

rwa_violation claim_violation(rwa_violation_kind kind, const struct route_claim *p, uint64_t link, uint64_t wavelength)
{
    rwa_violation violation = {.kind = kind, .lightpath = p->record, .link = link, .wavelength = wavelength};
    snprintf(violation.text, sizeof violation.text, "demand %" PRIu64, p->demand);
    return violation;
}

void report_place(struct assignment_checker *chk, rwa_violation_kind kind, const struct route_claim *p,
                  uint32_t carrier, uint64_t channel, const char *before, const char *after)
{
    uint32_t fiber = (uint32_t)(channel / chk->wavelengths), wavelength = (uint32_t)(channel % chk->wavelengths);
    report_channel(chk, kind, p, carrier, wavelength, "%s fibre %u, %s %u of %s%s", before, fiber, unit_of(chk),
                   wavelength, CARRIER_TEXT(chk, carrier), after);
}

/** Check that a route leads from its source to its end, visits no node twice, and passes the node `via` if its demand
 *  names one.  Return false, after a report, if not. */
static bool check_route(struct assignment_checker *chk, const struct route_claim *p)
{
    uint32_t at = p->src;
    bool by_via = p->via == RWA_NONE;
    chk->visited[at] = ++chk->routes;
    for (uint32_t k = 0; k < p->hops; k++) {
        rwa_link link = rwa_network_link(chk->net, chk->links[k]);
        if (link.from != at) {
            REPORT_LINK(chk, RWA_VIOLATION_CONTINUITY, p, chk->links[k], ": hop %u begins at node %u, expected node %u",
                        k, link.from, at);
            return false;
        }
        at = link.to;
        by_via = by_via || at == p->via;
        if (chk->visited[at] == chk->routes) {
            REPORT(chk, RWA_VIOLATION_CONTINUITY, p, " passes node %u twice", at);
            return false;
        }
        chk->visited[at] = chk->routes;
    }
    if (at != p->dst)
        REPORT(chk, RWA_VIOLATION_CONTINUITY, p, " ends at node %u, expected node %u", at, p->dst);
    else if (!by_via)
        REPORT(chk, RWA_VIOLATION_CONTINUITY, p, " does not pass node %u", p->via);
    return at == p->dst && by_via;
}

/** Check that a lightpath changes its fibre or wavelength only at nodes with converters. */
static void check_constancy(struct assignment_checker *chk, const struct route_claim *p)
{
    for (uint32_t k = 1; k < p->hops; k++) {
        bool changes = (p->fibers && p->fibers[k] != p->fibers[k - 1]) ||
                       (p->wavelengths && p->wavelengths[k] != p->wavelengths[k - 1]);
        uint32_t node = rwa_network_link(chk->net, chk->links[k]).from;
        if (changes && !get_bit(chk->converts, node))
            REPORT(chk, RWA_VIOLATION_CONTINUITY, p, " changes its channel at node %u, which has no converter", node);
    }
}

/** Return the link in the opposite direction of a fibre pair if demands are undirected, else the link itself. */
static uint32_t other_way(const struct assignment_checker *chk, uint32_t link)
{
    uint32_t pairs = rwa_network_pairs(chk->net);
    if (chk->model == RWA_DIRECTED)
        return link;
    return !network_has_arcs(chk->net) ? link ^ 1 : link < pairs ? link + pairs : link - pairs;
}

static bool is_reserved(const struct assignment_checker *chk, uint32_t link, uint32_t fiber, uint32_t wavelength)
{
    return rwa_network_is_reserved(chk->net, link, fiber, wavelength) ||
           rwa_network_is_reserved(chk->net, other_way(chk, link), fiber, wavelength);
}

/** Tell whether a link has failed.  For undirected demands a fibre pair has failed if one of its directions has. */
static bool has_failed(const struct assignment_checker *chk, uint32_t link)
{
    return rwa_network_is_failed(chk->net, link) || rwa_network_is_failed(chk->net, other_way(chk, link));
}

static bool crosses_failed(const struct assignment_checker *chk, const struct route_claim *p)
{
    for (uint32_t k = 0; k < p->hops; k++)
        if (has_failed(chk, chk->links[k]))
            return true;
    return false;
}

/** Check that a lightpath is marked down exactly if it crosses a failed link.  A shared backup may also be down
 *  because another one carries traffic on its channels, which failures_check() examines. */
static void check_links(struct assignment_checker *chk, const struct route_claim *p)
{
    bool crosses = crosses_failed(chk, p), waits = p->role == RWA_SHARED_BACKUP && p->hops > 0;
    for (uint32_t k = 0; k < p->hops; k++)
        if (has_failed(chk, chk->links[k]) && !p->down)
            REPORT_LINK(chk, RWA_VIOLATION_CHANNEL, p, carrier_of(chk, chk->links[k]),
                        " crosses %s, which has failed", CARRIER_TEXT(chk, carrier_of(chk, chk->links[k])));
    if (p->down && !crosses && !waits)
        REPORT(chk, RWA_VIOLATION_HEADER, p, " is marked down, but %s",
               p->hops > 0 ? "no link of its route has failed" : "has no route");
    chk->report->down += p->down && (crosses || waits);
    chk->report->backups_down += p->down && (crosses || waits) && p->role != RWA_WORKING;
}

/** Return whether a channel exists on a link and is not reserved; if not, report it. */
static bool is_offered(struct assignment_checker *chk, const struct route_claim *p, uint32_t link, uint32_t fiber,
                       uint32_t wavelength)
{
    uint32_t carrier = carrier_of(chk, link), fibers = rwa_network_link(chk->net, link).fibers;
    assert(fibers <= chk->fibers);
    if (fiber >= fibers || wavelength >= chk->wavelengths)
        report_channel(chk, RWA_VIOLATION_RANGE, p, carrier, wavelength,
                       ": fibre %u, %s %u: %s has %u, each of %u", fiber, unit_of(chk), wavelength,
                       CARRIER_TEXT(chk, carrier), fibers, chk->wavelengths);
    else if (is_reserved(chk, link, fiber, wavelength))
        report_place(chk, RWA_VIOLATION_CHANNEL, p, carrier, channel_at(chk, fiber, wavelength), " uses",
                     ", which is reserved");
    else
        return true;
    return false;
}

static rwa_status take_channel(struct assignment_checker *chk, const struct route_claim *p, uint32_t link,
                               uint32_t fiber, uint32_t wavelength)
{
    uint32_t carrier = carrier_of(chk, link);
    uint64_t channel = channel_at(chk, fiber, wavelength), bit = channel * chk->carriers + carrier;
    if (!is_offered(chk, p, link, fiber, wavelength))
        return RWA_OK;
    if (p->role == RWA_SHARED_BACKUP)   /* other shared backups may use it too; failures_check() compares them */
        return failures_add_place(chk, carrier, (uint32_t)channel);
    if (get_bit(chk->busy, bit))
        report_place(chk, RWA_VIOLATION_CHANNEL, p, carrier, channel, ":", " is taken");
    set_bit(chk->busy, bit);
    set_bit(chk->lit, channel);
    return RWA_OK;
}

/** Take the slots of a lightpath on one link, from the lowest on: those of its signal, then its guard band. */
static rwa_status take_slots(struct assignment_checker *chk, const struct route_claim *p, uint32_t link, uint32_t fiber,
                             uint32_t lowest)
{
    for (uint64_t i = 0; i < (uint64_t)p->width + p->guard; i++) {
        uint64_t slot = lowest + i;
        MUST(take_channel(chk, p, link, fiber, slot > UINT32_MAX ? UINT32_MAX : (uint32_t)slot));
        if (slot >= chk->wavelengths)
            break;      /* one violation is enough */
    }
    return RWA_OK;
}

/** Check that a lightpath has at least as many slots as its demand asks for. */
static void check_width(struct assignment_checker *chk, const struct route_claim *p)
{
    if (p->width < p->asked)
        REPORT(chk, RWA_VIOLATION_RANGE, p, " has %u slot%s, expected %u", p->width, p->width == 1 ? "" : "s",
               p->asked);
}

/** `mark`: of a link or risk group on the route.  If the route is a working route, set *mark to its number, and return
 *  false.  If it is a backup, return whether *mark is the number of its working route: then both use the link or
 *  group. */
static bool meets_working(struct assignment_checker *chk, const struct route_claim *p, uint32_t *mark)
{
    if (p->role == RWA_WORKING)
        *mark = chk->last_number;
    return p->role != RWA_WORKING && *mark == chk->last_number;
}

/** Check that a backup comes directly after its working route, and shares no link or risk group with it. */
static void check_protection(struct assignment_checker *chk, const struct route_claim *p)
{
    if (p->role != RWA_WORKING && chk->last_working != p->demand) {
        REPORT(chk, RWA_VIOLATION_ORDER, p, ": the backup does not follow its working lightpath");
        return;
    }
    if (p->role == RWA_WORKING) {
        chk->last_working = p->demand;
        chk->last_number = chk->routes;
    }
    for (uint32_t k = 0; k < p->hops; k++) {
        uint32_t carrier = carrier_of(chk, chk->links[k]);
        if (meets_working(chk, p, &chk->used[carrier]))
            REPORT_LINK(chk, RWA_VIOLATION_PROTECTION, p, carrier,
                        ": the backup shares %s with its working lightpath", CARRIER_TEXT(chk, carrier));
        for (size_t m = chk->risks.first[carrier]; m < chk->risks.first[carrier + 1]; m++)
            if (meets_working(chk, p, &chk->groups[chk->risks.number[m]]))
                REPORT_LINK(chk, RWA_VIOLATION_PROTECTION, p, carrier,
                            ": the backup shares risk group %u with its working lightpath", chk->risks.number[m]);
    }
}

/** Record that the demand of a lightpath has this line, and record its ends.  Report a second line of the demand in
 *  the same role (working route or backup).  Return false, after a report, if the demand does not exist. */
static bool check_demand(struct assignment_checker *chk, const struct route_claim *p)
{
    uint64_t *seen = p->role == RWA_WORKING ? chk->served : chk->backed;
    if (p->demand >= chk->demands) {
        REPORT(chk, RWA_VIOLATION_RANGE, p, ": expected one below %" PRIu64, chk->demands);
        return false;
    }
    if (get_bit(seen, p->demand))
        REPORT(chk, RWA_VIOLATION_COMPLETENESS, p, " has two %s lines", p->role == RWA_WORKING ? "working" : "backup");
    set_bit(seen, p->demand);
    bound_claim_take_demand(chk, p->demand, &(struct ends){p->src, p->dst, p->via, p->width + p->guard});
    return true;
}

rwa_status check_claimed_route(struct assignment_checker *chk, const struct route_claim *p)
{
    rwa_status st = poll_assignment(chk);
    if (st != RWA_OK || !check_demand(chk, p) || !check_route(chk, p))
        return st;
    count_lightpath(chk, p);
    check_width(chk, p);
    check_constancy(chk, p);
    check_links(chk, p);
    check_protection(chk, p);
    bound_claim_take_route(chk, p->record, chk->links, p->hops, p->width + p->guard);
    MUST(failures_add(chk, p, crosses_failed(chk, p)));
    for (uint32_t k = 0; k < p->hops; k++)
        MUST(take_slots(chk, p, chk->links[k], p->fibers ? p->fibers[k] : p->fiber,
                        p->wavelengths ? p->wavelengths[k] : p->wavelength));
    return RWA_OK;
}

void check_unserved(struct assignment_checker *chk, const struct route_claim *p)
{
    rwa_check_report *c = chk->report;
    check_links(chk, p);
    if (!check_demand(chk, p) || p->role != RWA_WORKING)
        return;
    set_bit(chk->backed, p->demand);
    if (c->unserved < RWA_UNSERVED_NAMED)
        c->first_unserved[c->unserved] = (rwa_unserved){p->demand, p->src, p->dst};
    c->unserved++;
}

/* ---- arcs ---- */

/** The carriers of a lightpath on a ring or line.  They are neighbours, so they form at most two runs of bits of its
 *  channel. */
struct claimed_arc {
    uint64_t base;          /* of the channel, and of the direction in it */
    uint32_t nodes, first, hops;
};

/** Store in *a the arc that a lightpath takes in a direction.  Return false if its hops do not lead from src to dst,
 *  if its demand must pass a certain node, or if its channel does not exist. */
static bool find_arc(const struct assignment_checker *chk, const struct route_claim *p, rwa_direction dir,
                     struct claimed_arc *a)
{
    uint32_t n = rwa_network_nodes(chk->net), ahead = dir == RWA_CW ? p->dst - p->src + (p->dst < p->src ? n : 0)
                                                                 : p->src - p->dst + (p->src < p->dst ? n : 0);
    uint64_t channel = channel_at(chk, p->fiber, p->wavelength);
    bool block = dir == RWA_CCW && chk->model == RWA_DIRECTED;
    *a = (struct claimed_arc){channel * chk->carriers + (block ? rwa_network_pairs(chk->net) : 0), n,
                      dir == RWA_CW ? p->src : p->dst, p->hops};
    bool open = rwa_network_topology(chk->net) == RWA_RING || a->first + p->hops < n;
    return open && ahead == p->hops && p->via == RWA_NONE && p->fiber < chk->fibers &&
           p->wavelength < chk->wavelengths;
}

/** Take the channel of a lightpath on all carriers of its arc.  Return false, and take nothing, if one of them is
 *  already taken. */
static bool take_arc(struct assignment_checker *chk, const struct claimed_arc *a)
{
    assert(a->first < a->nodes);
    uint32_t before = a->nodes - a->first < a->hops ? a->nodes - a->first : a->hops, after = a->hops - before;
    if (bit_run_first(chk->busy, a->base + a->first, before) < before ||
        bit_run_first(chk->busy, a->base, after) < after)
        return false;
    bit_run_set(chk->busy, a->base + a->first, before);
    bit_run_set(chk->busy, a->base, after);
    return true;
}

bool arcs_can_check(const struct rwa_assignment *r, const struct assignment_checker *chk)
{
    rwa_witness_kind kind = chk->claim.claimed.kind;
    if (assignment_is_wide(r))
        return false;
    if (!network_has_arcs(r->net) || network_has_reserved(r->net) || network_has_failed_links(r->net) ||
        kind == RWA_WITNESS_LINK || kind == RWA_WITNESS_CLIQUE)
        return false;
    for (size_t i = 0; i < r->count; i++)
        if (r->routes[i].role != RWA_WORKING || r->routes[i].down || r->routes[i].has_fibers ||
            r->routes[i].has_wavelengths)
            return false;
    return true;
}

bool arcs_check(struct assignment_checker *chk, const struct route_claim *p, rwa_direction dir)
{
    struct claimed_arc arc;
    if (p->demand >= chk->demands || get_bit(chk->served, p->demand) || !find_arc(chk, p, dir, &arc) ||
        !take_arc(chk, &arc))
        return false;
    set_bit(chk->served, p->demand);
    bound_claim_take_demand(chk, p->demand, &(struct ends){p->src, p->dst, p->via, 1});
    set_bit(chk->lit, channel_at(chk, p->fiber, p->wavelength));
    count_lightpath(chk, p);
    return true;
}
