/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The judge of assignments: every lightpath by itself, then its channel against all others. */
#include "rwa/assign.h"

#include "base/base.h"
#include "check/check.h"
#include "check/claim.h"
#include "check/runs.h"
#include "network/network.h"
#include "assignment/assignment.h"
#include "assignment/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** One lightpath as somebody claims it. */
struct plea {
    uint64_t record;
    uint64_t demand;
    uint32_t src, dst, via;
    rwa_role role;
    uint32_t hops;
    uint32_t fiber, wavelength;
    const uint32_t *fibers, *wavelengths;   /* NULL: the same on every link */
    bool down;
};

struct judge {
    rwa_check_report *verdict;
    const rwa_network *net;
    rwa_model model;
    uint64_t demands;
    uint32_t wavelengths;       /* most allowed */
    uint32_t fibers;            /* of the link that has most */
    bool protection;
    bool arcs;                  /* lightpaths are arcs, and may be judged as such */
    struct budget budget;
    uint64_t *busy;             /* bit (fiber * wavelengths + wavelength) * links + link; undirected: of fibre pairs */
    uint64_t *lit;              /* bit fiber * wavelengths + wavelength */
    uint64_t *served, *backed;  /* bit demand: has its working line, its backup */
    uint64_t *converts;         /* bit node */
    uint32_t *passed;           /* the number of the last route through each node */
    uint32_t routes;
    uint32_t *groups;           /* the number of the last working route that used each risk group */
    uint32_t *used;             /* the same for each link (fibre pair) */
    uint32_t *members;          /* risk groups of each link: first[link] … */
    uint64_t *first;
    uint32_t *links;            /* of the route at hand */
    size_t link_room;
    struct claim claim;         /* the bound */
    uint64_t last_working;      /* demand of the last working route; its links and groups are marked with its number */
    uint32_t last_number;
    rwa_error *err;
};

/* ---- accusations ---- */

static void accuse(struct judge *j, rwa_violation_kind kind, uint64_t record, uint64_t link, uint64_t wavelength,
                   const char *format, ...) __attribute__((format(printf, 6, 7)));

static void accuse(struct judge *j, rwa_violation_kind kind, uint64_t record, uint64_t link, uint64_t wavelength,
                   const char *format, ...)
{
    rwa_check_report *c = j->verdict;
    c->ok = 0;
    c->violations++;
    c->by_kind[kind]++;
    if (c->named == RWA_VIOLATIONS_NAMED)
        return;
    rwa_violation *v = &c->first[c->named++];
    va_list args;
    *v = (rwa_violation){.kind = kind, .lightpath = record, .link = link, .wavelength = wavelength};
    va_start(args, format);
    vsnprintf(v->text, sizeof v->text, format, args);
    va_end(args);
}

#define ACCUSE(j, kind, plea, ...) accuse((j), (kind), (plea)->record, RWA_NO_INDEX, RWA_NO_INDEX, __VA_ARGS__)

static bool get_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

/** What carries a wavelength once: a directed link, or a fibre pair. */
static uint32_t carrier_of(const struct judge *j, uint32_t link)
{
    return j->model == RWA_UNDIRECTED ? rwa_network_pair(j->net, link) : link;
}

static uint32_t count_carriers(const struct judge *j)
{
    return j->model == RWA_UNDIRECTED ? rwa_network_pairs(j->net) : rwa_network_links(j->net);
}

/* ---- opening ---- */

static uint32_t most_fibers(const rwa_network *net)
{
    uint32_t most = rwa_network_fibers(net);
    for (uint32_t i = 0; rwa_network_topology(net) == RWA_GRAPH && i < rwa_network_links(net); i++)
        most = rwa_network_link(net, i).fibers > most ? rwa_network_link(net, i).fibers : most;
    return most;
}

/** The risk groups of each carrier, in one row. */
static rwa_status list_groups(struct judge *j)
{
    size_t groups = rwa_network_risk_groups(j->net), total = 0;
    uint32_t carriers = count_carriers(j);
    const uint32_t *links = NULL;
    for (size_t g = 0; g < groups; g++)
        total += rwa_network_risk_group(&links, j->net, g);
    j->first = base_array((size_t)carriers + 2, sizeof *j->first, j->err);
    j->members = base_array(total, sizeof *j->members, j->err);
    j->groups = base_array(groups, sizeof *j->groups, j->err);
    j->used = base_array(carriers, sizeof *j->used, j->err);
    if (!j->first || !j->members || !j->groups || !j->used)
        return RWA_NOMEM;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t g = 0; g < groups; g++) {
            size_t count = rwa_network_risk_group(&links, j->net, g);
            for (size_t k = 0; k < count; k++) {
                uint32_t carrier = carrier_of(j, links[k]);
                if (pass == 0)
                    j->first[carrier + 2]++;
                else
                    j->members[j->first[carrier + 1]++] = (uint32_t)g;
            }
        }
        for (uint32_t c = 0; pass == 0 && c < carriers; c++)
            j->first[c + 2] += j->first[c + 1];
    }
    return RWA_OK;
}

static uint64_t *bits(uint64_t count, rwa_error *err)
{
    return base_array((size_t)(count / 64 + 1), sizeof(uint64_t), err);
}

static rwa_status judge_open(struct judge *j, const uint32_t *converters, size_t converter_count)
{
    uint32_t nodes = rwa_network_nodes(j->net);
    double channels = (double)count_carriers(j) * most_fibers(j->net) * j->wavelengths;
    rwa_status st = RWA_OK;
    j->fibers = most_fibers(j->net);
    TRY(base_fits_memory(channels / 8 + (double)j->demands / 4, "checking this assignment", j->err));
    j->busy = bits((uint64_t)count_carriers(j) * j->fibers * j->wavelengths, j->err);
    j->lit = bits((uint64_t)j->fibers * j->wavelengths, j->err);
    j->served = bits(j->demands, j->err);
    j->backed = bits(j->demands, j->err);
    j->converts = bits(nodes, j->err);
    j->passed = base_array(nodes, sizeof *j->passed, j->err);
    if (!j->busy || !j->lit || !j->served || !j->backed || !j->converts || !j->passed)
        return RWA_NOMEM;
    for (size_t i = 0; i < converter_count; i++)
        set_bit(j->converts, converters[i]);
    TRY(list_groups(j));
    j->claim.net = j->net;
    j->claim.model = j->model;
    j->claim.demands = j->demands;
    j->claim.twice = j->protection;
    j->claim.converts = converter_count > 0;
    j->claim.budget = &j->budget;
    j->claim.err = j->err;
    TRY(claim_open(&j->claim));
    j->last_working = RWA_NO_INDEX;
done:
    return st;
}

static void judge_close(struct judge *j)
{
    free(j->busy);
    free(j->lit);
    free(j->served);
    free(j->backed);
    free(j->converts);
    free(j->passed);
    free(j->groups);
    free(j->used);
    free(j->members);
    free(j->first);
    free(j->links);
    claim_close(&j->claim);
}

/* ---- one lightpath ---- */

/** A simple path from src to dst, by way of its node to pass. */
static bool rate_route(struct judge *j, const struct plea *p)
{
    uint32_t at = p->src;
    bool by_via = p->via == RWA_NO_NODE;
    j->passed[at] = ++j->routes;
    for (uint32_t k = 0; k < p->hops; k++) {
        rwa_link link = rwa_network_link(j->net, j->links[k]);
        if (link.from != at) {
            accuse(j, RWA_VIOLATION_CONTINUITY, p->record, j->links[k], RWA_NO_INDEX,
                   "demand %llu: hop %u begins at node %u, expected node %u", (unsigned long long)p->demand, k, link.from, at);
            return false;
        }
        at = link.to;
        by_via = by_via || at == p->via;
        if (j->passed[at] == j->routes) {
            ACCUSE(j, RWA_VIOLATION_CONTINUITY, p, "demand %llu passes node %u twice", (unsigned long long)p->demand, at);
            return false;
        }
        j->passed[at] = j->routes;
    }
    if (at != p->dst)
        ACCUSE(j, RWA_VIOLATION_CONTINUITY, p, "demand %llu ends at node %u, expected node %u", (unsigned long long)p->demand,
               at, p->dst);
    else if (!by_via)
        ACCUSE(j, RWA_VIOLATION_CONTINUITY, p, "demand %llu does not pass node %u", (unsigned long long)p->demand, p->via);
    return at == p->dst && by_via;
}

/** Only a converter may change a lightpath's fibre or wavelength. */
static void judge_constancy(struct judge *j, const struct plea *p)
{
    for (uint32_t k = 1; k < p->hops; k++) {
        bool changes = (p->fibers && p->fibers[k] != p->fibers[k - 1]) ||
                       (p->wavelengths && p->wavelengths[k] != p->wavelengths[k - 1]);
        uint32_t node = rwa_network_link(j->net, j->links[k]).from;
        if (changes && !get_bit(j->converts, node))
            ACCUSE(j, RWA_VIOLATION_CONTINUITY, p, "demand %llu changes its channel at node %u, which has no converter",
                   (unsigned long long)p->demand, node);
    }
}

static bool is_reserved(const struct judge *j, uint32_t link, uint32_t fiber, uint32_t wavelength)
{
    if (rwa_network_is_reserved(j->net, link, fiber, wavelength))
        return true;
    return j->model == RWA_UNDIRECTED && rwa_network_topology(j->net) == RWA_GRAPH &&
           rwa_network_is_reserved(j->net, link ^ 1, fiber, wavelength);
}

/** A fibre pair has failed when one of its directions has. */
static bool has_failed(const struct judge *j, uint32_t link)
{
    uint32_t links = rwa_network_pairs(j->net);
    bool arcs = network_has_arcs(j->net);
    if (rwa_network_is_failed(j->net, link))
        return true;
    return j->model == RWA_UNDIRECTED && rwa_network_is_failed(j->net, !arcs ? link ^ 1 : link < links ? link + links : link - links);
}

/** What is down, and nothing else, lies across a link that failed. */
static void judge_links(struct judge *j, const struct plea *p)
{
    bool crosses = false;
    for (uint32_t k = 0; k < p->hops; k++) {
        bool failed = has_failed(j, j->links[k]);
        crosses = crosses || failed;
        if (failed && !p->down)
            accuse(j, RWA_VIOLATION_CHANNEL, p->record, carrier_of(j, j->links[k]), RWA_NO_INDEX,
                   "demand %llu crosses link %u, which has failed", (unsigned long long)p->demand, carrier_of(j, j->links[k]));
    }
    if (p->down && !crosses)
        ACCUSE(j, RWA_VIOLATION_HEADER, p, "demand %llu is said to be down, but %s", (unsigned long long)p->demand,
               p->hops > 0 ? "no link on its way has failed" : "has no route");
    j->verdict->down += p->down && crosses;
}

static void claim(struct judge *j, const struct plea *p, uint32_t link, uint32_t fiber, uint32_t wavelength)
{
    uint32_t carrier = carrier_of(j, link);
    uint64_t bit = ((uint64_t)fiber * j->wavelengths + wavelength) * count_carriers(j) + carrier;
    unsigned long long demand = p->demand;
    if (fiber >= rwa_network_link(j->net, link).fibers || wavelength >= j->wavelengths)
        accuse(j, RWA_VIOLATION_RANGE, p->record, carrier, wavelength,
               "demand %llu: fibre %u, wavelength %u: link %u has %u, each of %u", demand, fiber, wavelength, carrier,
               rwa_network_link(j->net, link).fibers, j->wavelengths);
    else if (is_reserved(j, link, fiber, wavelength))
        accuse(j, RWA_VIOLATION_CHANNEL, p->record, carrier, wavelength,
               "demand %llu uses fibre %u, wavelength %u of link %u, which is reserved", demand, fiber, wavelength, carrier);
    else if (get_bit(j->busy, bit))
        accuse(j, RWA_VIOLATION_CHANNEL, p->record, carrier, wavelength,
               "demand %llu: fibre %u, wavelength %u of link %u is taken", demand, fiber, wavelength, carrier);
    else {
        set_bit(j->busy, bit);
        set_bit(j->lit, (uint64_t)fiber * j->wavelengths + wavelength);
    }
}

/** Mark what a working route uses; whether a backup meets the marks of the route before it. */
static void judge_protection(struct judge *j, const struct plea *p)
{
    if (p->role == RWA_BACKUP && j->last_working != p->demand) {
        ACCUSE(j, RWA_VIOLATION_ORDER, p, "the backup of demand %llu does not follow what it protects",
               (unsigned long long)p->demand);
        return;
    }
    if (p->role == RWA_WORKING) {
        j->last_working = p->demand;
        j->last_number = j->routes;
    }
    for (uint32_t k = 0; k < p->hops; k++) {
        uint32_t carrier = carrier_of(j, j->links[k]);
        if (p->role == RWA_WORKING)
            j->used[carrier] = j->last_number;
        else if (j->used[carrier] == j->last_number)
            accuse(j, RWA_VIOLATION_PROTECTION, p->record, carrier, RWA_NO_INDEX,
                   "the backup of demand %llu shares link %u with what it protects", (unsigned long long)p->demand, carrier);
        for (uint64_t m = j->first[carrier]; m < j->first[carrier + 1]; m++) {
            uint32_t group = j->members[m];
            if (p->role == RWA_WORKING)
                j->groups[group] = j->last_number;
            else if (j->groups[group] == j->last_number)
                accuse(j, RWA_VIOLATION_PROTECTION, p->record, carrier, RWA_NO_INDEX,
                       "the backup of demand %llu shares risk group %u with what it protects", (unsigned long long)p->demand,
                       group);
        }
    }
}

/** Each demand has one working line, and at most one backup. */
static bool judge_demand(struct judge *j, const struct plea *p)
{
    uint64_t *seen = p->role == RWA_BACKUP ? j->backed : j->served;
    if (p->demand >= j->demands) {
        ACCUSE(j, RWA_VIOLATION_RANGE, p, "demand %llu: expected one below %llu", (unsigned long long)p->demand,
               (unsigned long long)j->demands);
        return false;
    }
    if (get_bit(seen, p->demand))
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS, p, "demand %llu has two %s lines", (unsigned long long)p->demand,
               p->role == RWA_BACKUP ? "backup" : "working");
    set_bit(seen, p->demand);
    claim_take_demand(&j->claim, p->demand, &(struct ends){p->src, p->dst, p->via});
    return true;
}

static rwa_status poll_judge(struct judge *j)
{
    return base_must_stop(&j->budget, "checking", -1) ? base_fail(j->err, RWA_CANCELLED, "checking was stopped") : RWA_OK;
}

/** Its links are in j->links. */
static rwa_status judge_lightpath(struct judge *j, const struct plea *p)
{
    rwa_status st = poll_judge(j);
    if (st != RWA_OK || !judge_demand(j, p) || !rate_route(j, p))
        return st;
    j->verdict->lightpaths++;
    j->verdict->longest_hops = p->hops > j->verdict->longest_hops ? p->hops : j->verdict->longest_hops;
    judge_constancy(j, p);
    judge_links(j, p);
    judge_protection(j, p);
    claim_take_route(&j->claim, p->record, j->links, p->hops);
    for (uint32_t k = 0; k < p->hops; k++)
        claim(j, p, j->links[k], p->fibers ? p->fibers[k] : p->fiber, p->wavelengths ? p->wavelengths[k] : p->wavelength);
    return RWA_OK;
}

/* ---- arcs ---- */

/** An arc's carriers are neighbours: at most two runs of bits of its channel. */
struct arc {
    uint64_t base;          /* of the channel, and of the direction in it */
    uint32_t nodes, first, hops;
};

/** false: it is no arc from src to dst by way of its node, or its channel does not exist. */
static bool find_arc(const struct judge *j, const struct plea *p, rwa_direction dir, struct arc *a)
{
    uint32_t n = rwa_network_nodes(j->net), ahead = dir == RWA_CW ? p->dst - p->src + (p->dst < p->src ? n : 0)
                                                                 : p->src - p->dst + (p->src < p->dst ? n : 0);
    uint64_t channel = (uint64_t)p->fiber * j->wavelengths + p->wavelength;
    bool block = dir == RWA_CCW && j->model == RWA_DIRECTED;
    *a = (struct arc){channel * count_carriers(j) + (block ? rwa_network_pairs(j->net) : 0), n,
                      dir == RWA_CW ? p->src : p->dst, p->hops};
    bool open = rwa_network_topology(j->net) == RWA_RING || a->first + p->hops < n;
    return open && ahead == p->hops && p->via == RWA_NO_NODE && p->fiber < j->fibers && p->wavelength < j->wavelengths;
}

/** Take the arc's channel; false when some of it is taken already. */
static bool take_arc(struct judge *j, const struct arc *a)
{
    uint32_t before = a->nodes - a->first < a->hops ? a->nodes - a->first : a->hops, after = a->hops - before;
    if (run_has(j->busy, a->base + a->first, before) || run_has(j->busy, a->base, after))
        return false;
    run_set(j->busy, a->base + a->first, before);
    run_set(j->busy, a->base, after);
    return true;
}

/** All that matters about these lightpaths is ends, direction and channel; what is wrong is left to the judge of lists. */
static bool judges_arcs(const struct rwa_assign_result *r, const struct judge *j)
{
    const rwa_reserved *list = NULL;
    rwa_faults faults;
    rwa_witness_kind kind = j->claim.said.kind;
    rwa_network_faults(&faults, r->net);
    if (!network_has_arcs(r->net) || rwa_network_reserved(&list, r->net) > 0 || faults.channel_count > 0 || faults.link_count > 0 ||
        kind == RWA_WITNESS_LINK || kind == RWA_WITNESS_CLIQUE)
        return false;
    for (size_t i = 0; i < r->count; i++)
        if (r->routes[i].role != RWA_WORKING || r->routes[i].down || r->routes[i].has_fibers || r->routes[i].has_wavelengths)
            return false;
    return true;
}

/** true when the lightpath was in order. */
static bool judge_arc(struct judge *j, const struct plea *p, rwa_direction dir)
{
    struct arc arc;
    if (p->demand >= j->demands || get_bit(j->served, p->demand) || !find_arc(j, p, dir, &arc) || !take_arc(j, &arc))
        return false;
    set_bit(j->served, p->demand);
    claim_take_demand(&j->claim, p->demand, &(struct ends){p->src, p->dst, p->via});
    set_bit(j->lit, (uint64_t)p->fiber * j->wavelengths + p->wavelength);
    j->verdict->lightpaths++;
    j->verdict->longest_hops = p->hops > j->verdict->longest_hops ? p->hops : j->verdict->longest_hops;
    return true;
}

/** A demand that got no route needs its line too; it is owed no backup. */
static void judge_unserved(struct judge *j, const struct plea *p)
{
    rwa_check_report *c = j->verdict;
    judge_links(j, p);
    if (!judge_demand(j, p) || p->role != RWA_WORKING)
        return;
    set_bit(j->backed, p->demand);
    if (c->unserved < RWA_UNSERVED_NAMED)
        c->first_unserved[c->unserved] = (rwa_unserved){p->demand, p->src, p->dst};
    c->unserved++;
}

/** Every demand must have had a line, so that its ends are known. */
static rwa_status judge_claim(struct judge *j)
{
    rwa_check_report *c = j->verdict;
    const rwa_certificate *said = &j->claim.said;
    uint64_t proven = 0;
    rwa_status st = RWA_OK;
    c->bound = said->name ? said->value : 0;
    c->bound_of_served = said->most_served;
    c->bound_verdict = RWA_UNCHECKED;
    if (c->by_kind[RWA_VIOLATION_COMPLETENESS] > 0)
        return RWA_OK;
    TRY(claim_judge(&j->claim, &c->bound_verdict, &proven));
    if (c->bound_verdict == RWA_FAIL)
        accuse(j, RWA_VIOLATION_HEADER, RWA_NO_INDEX, RWA_NO_INDEX, RWA_NO_INDEX,
               "the bound claims %llu %s, its witness proves %llu", (unsigned long long)said->value,
               said->most_served ? "lightpaths served" : "wavelengths", (unsigned long long)proven);
done:
    return st;
}

static rwa_status judge_end(struct judge *j)
{
    for (uint64_t d = 0; d < j->demands; d++) {
        if (!get_bit(j->served, d))
            accuse(j, RWA_VIOLATION_COMPLETENESS, RWA_NO_INDEX, RWA_NO_INDEX, RWA_NO_INDEX, "demand %llu has no line",
                   (unsigned long long)d);
        else if (j->protection && !get_bit(j->backed, d))
            accuse(j, RWA_VIOLATION_PROTECTION, RWA_NO_INDEX, RWA_NO_INDEX, RWA_NO_INDEX, "demand %llu has no backup",
                   (unsigned long long)d);
    }
    for (uint64_t c = 0; c < (uint64_t)j->fibers * j->wavelengths; c++)
        j->verdict->wavelengths_used += get_bit(j->lit, c);
    return judge_claim(j);
}

static rwa_status start(struct judge *j, rwa_check_report *out, const rwa_check_options *opts, rwa_error *err)
{
    rwa_check_options o;
    memset(out, 0, sizeof *out);
    memset(j, 0, sizeof *j);
    rwa_check_options_init(&o);
    rwa_status st = base_take_options(&o, sizeof o, opts, "check options", err);
    if (st == RWA_OK && o.device)
        st = base_fail(err, RWA_BADARG, "the power of an assignment cannot be judged, expected no device");
    out->ok = 1;
    j->verdict = out;
    j->err = err;
    j->budget = base_budget(0, o.poll, o.poll_data);
    return st;
}

static rwa_status allocate(struct judge *j, uint32_t hops)
{
    return base_grow((void **)&j->links, &j->link_room, (size_t)hops + 1, sizeof *j->links, j->err);
}

/* ---- in memory ---- */

static rwa_status judge_result_route(struct judge *j, const rwa_assign_result *r, uint64_t i, const uint64_t *first)
{
    rwa_route route;
    rwa_status st = RWA_OK;
    rwa_assign_result_get(&route, r, i);
    const rwa_demand *d = &rwa_demands_list(r->demands)[route.demand];
    struct plea p = {i, first[route.demand] + route.copy, d->src, d->dst, d->via, route.role, route.hops, route.fiber,
                     route.wavelength, route.fibers, route.wavelengths, route.down};
    if (j->arcs && route.hops > 0 && judge_arc(j, &p, route.direction))
        return poll_judge(j);
    TRY(allocate(j, route.hops));
    for (uint32_t k = 0; k < route.hops; k++)
        j->links[k] = rwa_assign_result_link(r, i, k);
    if (route.hops > 0)
        st = judge_lightpath(j, &p);
    else
        judge_unserved(j, &p);
done:
    return st;
}

rwa_status check_assignment(rwa_check_report *out, const rwa_assign_result *r, const rwa_check_options *opts, rwa_error *err)
{
    struct judge j;
    size_t count = rwa_demands_count(r->demands);
    uint64_t *first = base_array(count + 1, sizeof *first, err);
    rwa_status st = start(&j, out, opts, err);
    TRY(st);
    st = RWA_NOMEM;
    if (!first)
        goto done;
    for (size_t d = 0; d < count; d++)
        first[d + 1] = first[d] + rwa_demands_list(r->demands)[d].count;
    j.net = r->net;
    j.model = r->model;
    j.demands = first[count];
    j.wavelengths = r->summary.wavelengths;
    j.protection = r->protection;
    j.claim.said = r->summary.bound;
    TRY(judge_open(&j, r->converters, r->converter_count));
    j.arcs = judges_arcs(r, &j);
    for (uint64_t i = 0; i < r->count; i++)
        TRY(judge_result_route(&j, r, i, first));
    TRY(judge_end(&j));
done:
    judge_close(&j);
    free(first);
    return st;
}

/* ---- from a file ---- */

/** false after an accusation: some hop is no link. */
static bool find_links(struct judge *j, const struct assignment_reader *r, const struct plea *p)
{
    const struct assignment_record *record = &r->record;
    for (uint32_t k = 0; k < p->hops; k++) {
        j->links[k] = assignment_hop(r, k);
        if (j->links[k] != RWA_NO_LINK)
            continue;
        ACCUSE(j, RWA_VIOLATION_CONTINUITY, p, "demand %llu: %s from node %u to node %u", (unsigned long long)p->demand,
               record->links.count ? "the link named does not lead" : "no link leads", record->path.list[k],
               record->path.list[k + 1]);
        return false;
    }
    return true;
}

static rwa_status judge_file_record(struct judge *j, const struct assignment_reader *r, uint64_t i)
{
    const struct assignment_record *record = &r->record;
    uint32_t nodes = rwa_network_nodes(j->net);
    rwa_status st = RWA_OK;
    struct plea p = {i, record->demand, record->src, record->dst, record->via, record->role,
                     record->routed ? (uint32_t)(record->path.count - 1) : 0, record->fiber, record->wavelength,
                     record->fibers.count ? record->fibers.list : NULL,
                     record->wavelengths.count ? record->wavelengths.list : NULL, record->down};
    TRY(allocate(j, p.hops));
    if (record->src >= nodes || record->dst >= nodes || record->src == record->dst)
        ACCUSE(j, RWA_VIOLATION_RANGE, &p, "demand %llu from node %u to node %u: expected two nodes below %u",
               (unsigned long long)p.demand, record->src, record->dst, nodes);
    else if (record->via != RWA_NO_NODE && (record->via >= nodes || record->via == record->src || record->via == record->dst))
        ACCUSE(j, RWA_VIOLATION_RANGE, &p, "demand %llu by way of node %u: expected another node below %u",
               (unsigned long long)p.demand, record->via, nodes);
    else if (!record->routed)
        judge_unserved(j, &p);
    else if (record->path.list[0] != record->src)
        ACCUSE(j, RWA_VIOLATION_CONTINUITY, &p, "demand %llu begins at node %u, expected node %u",
               (unsigned long long)p.demand, record->path.list[0], record->src);
    else if (find_links(j, r, &p))
        st = judge_lightpath(j, &p);
done:
    return st;
}

rwa_status check_assignment_file(rwa_check_report *out, const char *path, const rwa_check_options *opts, rwa_error *err)
{
    struct judge j;
    struct assignment_reader r = {0};
    int got = 1;
    rwa_status st = start(&j, out, opts, err);
    TRY(st);
    TRY(assignment_open(&r, path, err));
    j.net = r.net;
    j.model = r.model;
    j.demands = r.demands;
    j.wavelengths = r.wavelengths;
    j.protection = r.protection;
    j.claim.said = r.claim;
    TRY(judge_open(&j, r.converters.list, r.converters.count));
    for (uint64_t i = 0;; i++) {
        TRY(assignment_next(&r, &got, err));
        if (!got)
            break;
        TRY(judge_file_record(&j, &r, i));
    }
    TRY(judge_end(&j));
done:
    judge_close(&j);
    assignment_close(&r);
    return st;
}
