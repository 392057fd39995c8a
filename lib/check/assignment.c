/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The checker of assignments: every lightpath by itself, then its channel against all others. */
#include "check/assignment.h"

#include "check/physics/gsnr.h"
#include "assignment/assignment.h"
#include "assignment/reader.h"

/* ---- violations ---- */

static rwa_violation claim_violation(rwa_violation_kind kind, const struct route_claim *p, uint64_t link, uint64_t wavelength)
{
    rwa_violation violation = {.kind = kind, .lightpath = p->record, .link = link, .wavelength = wavelength};
    snprintf(violation.text, sizeof violation.text, "demand %llu", (unsigned long long)p->demand);
    return violation;
}

/** Report a violation of a demand's lightpath; its text begins with "demand D". */
#define report_channel(chk, kind, claim, link, wavelength, ...) \
    report_add((chk)->report, (chk)->line, claim_violation((kind), (claim), (link), (wavelength)), __VA_ARGS__)
#define REPORT_LINK(chk, kind, claim, link, ...) report_channel(chk, kind, claim, link, RWA_NO_INDEX, __VA_ARGS__)
#define REPORT(chk, kind, claim, ...) REPORT_LINK(chk, kind, claim, RWA_NO_INDEX, __VA_ARGS__)

static uint32_t carrier_of(const struct assignment_checker *chk, uint32_t link)
{
    return chk->model == RWA_UNDIRECTED ? rwa_network_pair(chk->net, link) : link;
}

/* ---- opening ---- */

/** The risk groups of each carrier, in one row. */
static rwa_status list_groups(struct assignment_checker *chk)
{
    size_t groups = rwa_network_risk_groups(chk->net);
    const uint32_t *links = NULL;
    arena_new(&chk->memory, chk->groups, groups);
    arena_new(&chk->memory, chk->used, chk->carriers);
    MUST(arena_status(&chk->memory));
    MUST(bins_open(&chk->risks, chk->carriers, chk->err));
    for (size_t g = 0; g < groups; g++)
        for (size_t k = rwa_network_risk_group(&links, chk->net, g); k-- > 0;)
            bins_count(&chk->risks, carrier_of(chk, links[k]));
    MUST(bins_divide(&chk->risks, chk->carriers, chk->err));
    for (size_t g = 0; g < groups; g++)
        for (size_t k = rwa_network_risk_group(&links, chk->net, g); k-- > 0;)
            bins_put(&chk->risks, carrier_of(chk, links[k]), (uint32_t)g);
    return RWA_OK;
}

static size_t words_of(uint64_t bits)
{
    return (size_t)(bits / 64 + 1);
}

static rwa_status open_checker(struct assignment_checker *chk, const uint32_t *converters, size_t converter_count)
{
    uint32_t nodes = rwa_network_nodes(chk->net);
    chk->carriers = chk->model == RWA_UNDIRECTED ? rwa_network_pairs(chk->net) : rwa_network_links(chk->net);
    chk->fibers = network_most_fibers(chk->net);
    double channels = (double)chk->carriers * chk->fibers * chk->wavelengths;
    MUST(base_fits_memory(channels / 8 + (double)chk->demands / 4, "checking this assignment", chk->err));
    arena_new(&chk->memory, chk->busy, words_of((uint64_t)chk->carriers * chk->fibers * chk->wavelengths));
    arena_new(&chk->memory, chk->lit, words_of((uint64_t)chk->fibers * chk->wavelengths));
    arena_new(&chk->memory, chk->served, words_of(chk->demands));
    arena_new(&chk->memory, chk->backed, words_of(chk->demands));
    arena_new(&chk->memory, chk->converts, words_of(nodes));
    arena_new(&chk->memory, chk->visited, nodes);
    MUST(arena_status(&chk->memory));
    for (size_t i = 0; i < converter_count; i++)
        set_bit(chk->converts, converters[i]);
    MUST(list_groups(chk));
    chk->claim.net = chk->net;
    chk->claim.model = chk->model;
    chk->claim.demands = chk->demands;
    chk->claim.backups = chk->protection;
    chk->claim.converts = converter_count > 0;
    chk->claim.budget = &chk->budget;
    chk->claim.err = chk->err;
    MUST(bound_claim_open(&chk->claim));
    chk->last_working = RWA_NO_INDEX;
    return RWA_OK;
}

static void close_checker(struct assignment_checker *chk)
{
    arena_free(&chk->memory);
    bins_free(&chk->risks);
    free(chk->links);
    failures_free(&chk->failures);
    bound_claim_close(&chk->claim);
}

/* ---- one lightpath ---- */

/** A simple path from src to dst through via. */
static bool check_route(struct assignment_checker *chk, const struct route_claim *p)
{
    uint32_t at = p->src;
    bool by_via = p->via == RWA_NO_NODE;
    chk->visited[at] = ++chk->routes;
    for (uint32_t k = 0; k < p->hops; k++) {
        rwa_link link = rwa_network_link(chk->net, chk->links[k]);
        if (link.from != at) {
            REPORT_LINK(chk, RWA_VIOLATION_CONTINUITY, p, chk->links[k], ": hop %u begins at node %u, expected node %u", k, link.from, at);
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

/** Only a converter may change a lightpath's fibre or wavelength. */
static void check_constancy(struct assignment_checker *chk, const struct route_claim *p)
{
    for (uint32_t k = 1; k < p->hops; k++) {
        bool changes = (p->fibers && p->fibers[k] != p->fibers[k - 1]) || (p->wavelengths && p->wavelengths[k] != p->wavelengths[k - 1]);
        uint32_t node = rwa_network_link(chk->net, chk->links[k]).from;
        if (changes && !get_bit(chk->converts, node))
            REPORT(chk, RWA_VIOLATION_CONTINUITY, p, " changes its channel at node %u, which has no converter", node);
    }
}

static bool is_reserved(const struct assignment_checker *chk, uint32_t link, uint32_t fiber, uint32_t wavelength)
{
    if (rwa_network_is_reserved(chk->net, link, fiber, wavelength))
        return true;
    return chk->model == RWA_UNDIRECTED && rwa_network_topology(chk->net) == RWA_GRAPH &&
           rwa_network_is_reserved(chk->net, link ^ 1, fiber, wavelength);
}

/** A fibre pair has failed when one of its directions has. */
static bool has_failed(const struct assignment_checker *chk, uint32_t link)
{
    uint32_t links = rwa_network_pairs(chk->net);
    bool arcs = network_has_arcs(chk->net);
    if (rwa_network_is_failed(chk->net, link))
        return true;
    return chk->model == RWA_UNDIRECTED && rwa_network_is_failed(chk->net, !arcs ? link ^ 1 : link < links ? link + links : link - links);
}

static bool crosses_failed(const struct assignment_checker *chk, const struct route_claim *p)
{
    for (uint32_t k = 0; k < p->hops; k++)
        if (has_failed(chk, chk->links[k]))
            return true;
    return false;
}

/** A lightpath is marked down exactly when it crosses a failed link; a shared backup may also wait for another one (check_failures). */
static void check_links(struct assignment_checker *chk, const struct route_claim *p)
{
    bool crosses = crosses_failed(chk, p), waits = p->role == RWA_SHARED_BACKUP && p->hops > 0;
    for (uint32_t k = 0; k < p->hops; k++)
        if (has_failed(chk, chk->links[k]) && !p->down)
            REPORT_LINK(chk, RWA_VIOLATION_CHANNEL, p, carrier_of(chk, chk->links[k]), " crosses link %u, which has failed",
                        carrier_of(chk, chk->links[k]));
    if (p->down && !crosses && !waits)
        REPORT(chk, RWA_VIOLATION_HEADER, p, " is marked down, but %s", p->hops > 0 ? "no link of its route has failed" : "has no route");
    chk->report->down += p->down && (crosses || waits);
}

/** The word for a wavelength: on a flexible grid it is a slot. */
static const char *unit_of(const struct assignment_checker *chk)
{
    return rwa_network_slot_hz(chk->net) > 0 ? "slot" : "wavelength";
}

/** The channel exists and is not reserved. */
static bool is_offered(struct assignment_checker *chk, const struct route_claim *p, uint32_t link, uint32_t fiber, uint32_t wavelength)
{
    uint32_t carrier = carrier_of(chk, link), fibers = rwa_network_link(chk->net, link).fibers;
    assert(fibers <= chk->fibers);
    if (fiber >= fibers || wavelength >= chk->wavelengths)
        report_channel(chk, RWA_VIOLATION_RANGE, p, carrier, wavelength, ": fibre %u, %s %u: link %u has %u, each of %u",
                       fiber, unit_of(chk), wavelength, carrier, fibers, chk->wavelengths);
    else if (is_reserved(chk, link, fiber, wavelength))
        report_channel(chk, RWA_VIOLATION_CHANNEL, p, carrier, wavelength,
                       " uses fibre %u, %s %u of link %u, which is reserved", fiber, unit_of(chk), wavelength, carrier);
    else
        return true;
    return false;
}

static rwa_status take_channel(struct assignment_checker *chk, const struct route_claim *p, uint32_t link, uint32_t fiber,
                               uint32_t wavelength)
{
    uint32_t carrier = carrier_of(chk, link);
    uint64_t channel = (uint64_t)fiber * chk->wavelengths + wavelength, bit = channel * chk->carriers + carrier;
    if (!is_offered(chk, p, link, fiber, wavelength))
        return RWA_OK;
    if (p->role == RWA_SHARED_BACKUP)   /* others may have it too; the failures judge them together */
        return failures_add_place(&chk->failures, carrier, (uint32_t)channel, chk->err);
    if (get_bit(chk->busy, bit))
        report_channel(chk, RWA_VIOLATION_CHANNEL, p, carrier, wavelength, ": fibre %u, %s %u of link %u is taken", fiber,
                       unit_of(chk), wavelength, carrier);
    set_bit(chk->busy, bit);
    set_bit(chk->lit, channel);
    return RWA_OK;
}

/** The slots of a lightpath on one link, lowest first: those of its signal, then its guard. */
static rwa_status take_slots(struct assignment_checker *chk, const struct route_claim *p, uint32_t link, uint32_t fiber, uint32_t lowest)
{
    for (uint64_t i = 0; i < (uint64_t)p->width + p->guard; i++) {
        uint64_t slot = lowest + i;
        MUST(take_channel(chk, p, link, fiber, slot > UINT32_MAX ? UINT32_MAX : (uint32_t)slot));
        if (slot >= chk->wavelengths)
            break;      /* one violation says it all */
    }
    return RWA_OK;
}

/* ---- shared backups ---- */

/** Its working route has been seen, or it is one. */
static rwa_status note_failures(struct assignment_checker *chk, const struct route_claim *p)
{
    bool broken = crosses_failed(chk, p);
    if (p->role == RWA_SHARED_BACKUP)
        return failures_add(&chk->failures, &(struct shared_backup){.record = p->record, .demand = p->demand, .waits = p->down && !broken,
                            .lit = chk->working_broken && !p->down && !broken}, chk->err);
    if (p->role == RWA_WORKING) {
        chk->working_broken = broken;
        MUST(failures_begin(&chk->failures, chk->links, p->hops, chk->err));
        for (uint32_t k = 0; k < p->hops; k++)
            chk->failures.working[k] = carrier_of(chk, chk->links[k]);
    }
    return RWA_OK;
}

/** No other lightpath is on the channels of a shared backup. */
static void check_places(struct assignment_checker *chk, const struct shared_backup *backup)
{
    const struct route_claim p = {.record = backup->record, .demand = backup->demand};
    for (uint32_t i = 0; i < backup->places; i++) {
        uint32_t carrier, channel;
        failures_place(&chk->failures, backup, i, &carrier, &channel);
        if (get_bit(chk->busy, (uint64_t)channel * chk->carriers + carrier))
            report_channel(chk, RWA_VIOLATION_CHANNEL, &p, carrier, channel % chk->wavelengths,
                           ": fibre %u, %s %u of link %u is taken", channel / chk->wavelengths, unit_of(chk),
                           channel % chk->wavelengths, carrier);
        set_bit(chk->lit, channel);
    }
}

/** Two backups are lit on one channel, or one waits for nothing. */
static void report_lit(struct assignment_checker *chk, const struct route_claim *p, const struct conflict *c)
{
    if (c->other)
        report_channel(chk, RWA_VIOLATION_CHANNEL, p, c->carrier, c->channel % chk->wavelengths,
                       ": its shared backup and that of demand %llu are both lit on fibre %u, %s %u of link %u",
                       (unsigned long long)c->other->demand, c->channel / chk->wavelengths, unit_of(chk),
                       c->channel % chk->wavelengths, c->carrier);
    else
        REPORT(chk, RWA_VIOLATION_HEADER, p,
               ": its shared backup is marked down, but no link of it has failed, and no lit backup is on its channels");
}

static void report_conflict(void *data, const struct conflict *c)
{
    struct assignment_checker *chk = data;
    const struct route_claim p = {.record = c->backup->record, .demand = c->backup->demand};
    bool group = c->failure >= chk->carriers;
    if (c->failure == FAILED_NOW) {
        report_lit(chk, &p, c);
        return;
    }
    report_channel(chk, RWA_VIOLATION_PROTECTION, &p, c->carrier, c->channel % chk->wavelengths,
                   ": after a failure of %s %zu its backup and that of demand %llu need fibre %u, %s %u of link %u",
                   group ? "risk group" : "link", group ? c->failure - chk->carriers : c->failure,
                   (unsigned long long)c->other->demand, c->channel / chk->wavelengths, unit_of(chk), c->channel % chk->wavelengths,
                   c->carrier);
}

static rwa_status check_failures(struct assignment_checker *chk)
{
    for (size_t b = 0; b < chk->failures.count; b++)
        check_places(chk, &chk->failures.list[b]);
    return failures_check(&chk->failures, chk->carriers, (uint64_t)chk->fibers * chk->wavelengths, &chk->risks,
                          rwa_network_risk_groups(chk->net), report_conflict, chk, chk->err);
}

/** A lightpath may be wider than its demand asks. */
static void check_width(struct assignment_checker *chk, const struct route_claim *p)
{
    if (p->width < p->asked)
        REPORT(chk, RWA_VIOLATION_RANGE, p, " has %u slot%s, expected %u", p->width, p->width == 1 ? "" : "s", p->asked);
}

/** A working route marks the links and nodes it uses; true when a backup meets a mark of its working route. */
static bool meets_working(struct assignment_checker *chk, const struct route_claim *p, uint32_t *mark)
{
    if (p->role == RWA_WORKING)
        *mark = chk->last_number;
    return p->role != RWA_WORKING && *mark == chk->last_number;
}

/** A backup follows its working route, and shares no link or risk group with it. */
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
            REPORT_LINK(chk, RWA_VIOLATION_PROTECTION, p, carrier, ": the backup shares link %u with its working lightpath", carrier);
        for (size_t m = chk->risks.first[carrier]; m < chk->risks.first[carrier + 1]; m++)
            if (meets_working(chk, p, &chk->groups[chk->risks.number[m]]))
                REPORT_LINK(chk, RWA_VIOLATION_PROTECTION, p, carrier,
                            ": the backup shares risk group %u with its working lightpath", chk->risks.number[m]);
    }
}

/** Each demand has one working line, and at most one backup. */
static bool check_demand(struct assignment_checker *chk, const struct route_claim *p)
{
    uint64_t *seen = p->role == RWA_WORKING ? chk->served : chk->backed;
    if (p->demand >= chk->demands) {
        REPORT(chk, RWA_VIOLATION_RANGE, p, ": expected one below %llu", (unsigned long long)chk->demands);
        return false;
    }
    if (get_bit(seen, p->demand))
        REPORT(chk, RWA_VIOLATION_COMPLETENESS, p, " has two %s lines", p->role == RWA_WORKING ? "working" : "backup");
    set_bit(seen, p->demand);
    bound_claim_take_demand(&chk->claim, p->demand, &(struct ends){p->src, p->dst, p->via, p->width + p->guard});
    return true;
}

static rwa_status poll_check(struct assignment_checker *chk)
{
    return base_must_stop(&chk->budget, "checking", -1) ? base_fail(chk->err, RWA_CANCELLED, "checking was stopped") : RWA_OK;
}

/** Its links are in chk->links. */
static rwa_status check_lightpath(struct assignment_checker *chk, const struct route_claim *p)
{
    rwa_status st = poll_check(chk);
    if (st != RWA_OK || !check_demand(chk, p) || !check_route(chk, p))
        return st;
    chk->report->lightpaths++;
    chk->report->longest_hops = p->hops > chk->report->longest_hops ? p->hops : chk->report->longest_hops;
    check_width(chk, p);
    check_constancy(chk, p);
    check_links(chk, p);
    check_protection(chk, p);
    bound_claim_take_route(&chk->claim, p->record, chk->links, p->hops, p->width + p->guard);
    MUST(note_failures(chk, p));
    for (uint32_t k = 0; k < p->hops; k++)
        MUST(take_slots(chk, p, chk->links[k], p->fibers ? p->fibers[k] : p->fiber, p->wavelengths ? p->wavelengths[k] : p->wavelength));
    return RWA_OK;
}

/** A demand without a route needs a line too, but no backup. */
static void check_unserved(struct assignment_checker *chk, const struct route_claim *p)
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

/** Check the bound if every demand had a line, so that its ends are known. */
static rwa_status check_claim(struct assignment_checker *chk)
{
    rwa_check_report *c = chk->report;
    const rwa_certificate *claimed = &chk->claim.claimed;
    uint64_t proven = 0;
    bool of_routes = false;
    MUST(bound_claim_of_routes(&chk->claim, &of_routes));
    c->bound_of_routes = of_routes;
    c->bound = claimed->name ? claimed->value : 0;
    c->bound_of_served = claimed->most_served;
    c->counts_slots = rwa_network_slot_hz(chk->net) > 0;
    c->bound_verdict = RWA_UNCHECKED;
    if (c->by_kind[RWA_VIOLATION_COMPLETENESS] > 0 || chk->failures.count > 0)  /* shared channels weigh less than the bounds say */
        return RWA_OK;
    MUST(bound_claim_check(&chk->claim, &c->bound_verdict, &proven));
    if (c->bound_verdict == RWA_FAIL)
        report_add(chk->report, 0, (rwa_violation){.kind = RWA_VIOLATION_HEADER, .lightpath = RWA_NO_INDEX, .link = RWA_NO_INDEX,
                                                   .wavelength = RWA_NO_INDEX},
                   "the bound claims %llu %s%s, its witness proves %llu", (unsigned long long)claimed->value,
                   claimed->most_served ? "lightpaths served" : unit_of(chk), claimed->most_served ? "" : "s",
                   (unsigned long long)proven);
    return RWA_OK;
}

/** Demands 64 · word … without a working line, or without a backup where one is promised. */
static void report_missing(struct assignment_checker *chk, uint64_t word)
{
    rwa_check_report *c = chk->report;
    uint64_t left = chk->demands - 64 * word, all = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
    uint64_t missing = all & ~chk->served[word], bare = chk->protection ? chk->served[word] & ~chk->backed[word] & all : 0;
    while ((missing | bare) && c->named < RWA_VIOLATIONS_NAMED) {
        unsigned bit = (unsigned)__builtin_ctzll(missing | bare);
        struct route_claim none = {.record = RWA_NO_INDEX, .demand = 64 * word + bit};
        if (missing >> bit & 1) {
            REPORT(chk, RWA_VIOLATION_COMPLETENESS, &none, " has no line");
            missing &= ~(UINT64_C(1) << bit);
        } else {
            REPORT(chk, RWA_VIOLATION_PROTECTION, &none, " has no backup");
            bare &= ~(UINT64_C(1) << bit);
        }
    }
    c->by_kind[RWA_VIOLATION_COMPLETENESS] += (uint64_t)__builtin_popcountll(missing);
    c->by_kind[RWA_VIOLATION_PROTECTION] += (uint64_t)__builtin_popcountll(bare);
    c->violations += (uint64_t)__builtin_popcountll(missing | bare);
}

static rwa_status end_assignment(struct assignment_checker *chk)
{
    for (uint64_t word = 0; 64 * word < chk->demands; word++)
        report_missing(chk, word);
    MUST(check_failures(chk));
    for (uint64_t c = 0; c < (uint64_t)chk->fibers * chk->wavelengths; c++)
        chk->report->wavelengths_used += get_bit(chk->lit, c);
    rwa_status st = check_claim(chk);
    chk->report->ok = chk->report->violations == 0;
    return st;
}

static rwa_status start_assignment(struct assignment_checker *chk, rwa_check_report *out, const rwa_check_options *opts, rwa_error *err)
{
    rwa_check_options o;
    memset(out, 0, sizeof *out);
    memset(chk, 0, sizeof *chk);
    rwa_check_options_init(&o);
    rwa_status st = base_take_options(&o, sizeof o, opts, "check options", err);
    if (st == RWA_OK && o.device)
        st = base_fail(err, RWA_BADARG, "the power of an assignment cannot be whole, expected no device");
    chk->report = out;
    chk->err = chk->memory.err = err;
    chk->budget = base_budget(0, o.poll, o.poll_data);
    chk->transmission = o.transmission;
    return st;
}

static rwa_status reserve_links(struct assignment_checker *chk, uint32_t hops)
{
    return base_grow((void **)&chk->links, &chk->link_capacity, (size_t)hops + 1, sizeof *chk->links, chk->err);
}

/* ---- in memory ---- */

static rwa_status check_result_route(struct assignment_checker *chk, const rwa_assign_result *r, uint64_t i, const uint64_t *first)
{
    rwa_route route = result_route(r, i);
    struct extent extent = assignment_extent(r, i);
    const uint32_t *widths = rwa_demands_widths(r->demands);
    const rwa_demand *d = &rwa_demands_list(r->demands)[route.demand];
    struct route_claim p = {i, first[route.demand] + route.copy, d->src, d->dst, d->via, route.role, route.hops, route.fiber,
                     route.wavelength, route.fibers, route.wavelengths, route.down, extent.width, extent.guard,
                     widths ? widths[route.demand] : 1};
    if (chk->arcs && route.hops > 0 && arcs_check(chk, &p, route.direction))
        return poll_check(chk);
    MUST(reserve_links(chk, route.hops));
    for (uint32_t k = 0; k < route.hops; k++)
        chk->links[k] = rwa_assign_result_link(r, i, k);
    if (route.hops > 0)
        return check_lightpath(chk, &p);
    check_unserved(chk, &p);
    return RWA_OK;
}

rwa_status check_assignment(rwa_check_report *out, const rwa_assign_result *r, const rwa_check_options *opts, rwa_error *err)
{
    struct assignment_checker chk;
    size_t count = rwa_demands_count(r->demands);
    uint64_t *first = base_array(count + 1, sizeof *first, err);
    rwa_status st = start_assignment(&chk, out, opts, err);
    TRY(st);
    TRY(first ? RWA_OK : RWA_NOMEM);
    for (size_t d = 0; d < count; d++)
        first[d + 1] = first[d] + rwa_demands_list(r->demands)[d].count;
    chk.net = r->net;
    chk.model = r->model;
    chk.demands = first[count];
    chk.wavelengths = r->summary.wavelengths;
    chk.protection = r->protection;
    chk.claim.claimed = r->summary.bound;
    chk.claim.sets = r->summary.odd_sets;
    chk.claim.set_count = r->summary.odd_set_count;
    TRY(open_checker(&chk, r->converters, r->converter_count));
    chk.arcs = arcs_can_check(r, &chk);
    for (uint64_t i = 0; i < r->count; i++)
        TRY(check_result_route(&chk, r, i, first));
    TRY(end_assignment(&chk));
    if (chk.transmission && out->ok)
        TRY(check_gsnr(out, r, chk.transmission, err));
done:
    close_checker(&chk);
    free(first);
    return st;
}

/* ---- from a file ---- */

/** false after a violation was reported: some hop is no link. */
static bool find_links(struct assignment_checker *chk, const struct assignment_reader *r, const struct route_claim *p)
{
    const struct assignment_record *record = &r->record;
    for (uint32_t k = 0; k < p->hops; k++) {
        chk->links[k] = assignment_hop(r, k);
        if (chk->links[k] != RWA_NO_LINK)
            continue;
        REPORT(chk, RWA_VIOLATION_CONTINUITY, p, ": %s from node %u to node %u",
               record->links.count ? "the link named does not lead" : "no link leads", record->path.list[k],
               record->path.list[k + 1]);
        return false;
    }
    return true;
}

static rwa_status check_file_record(struct assignment_checker *chk, const struct assignment_reader *r, uint64_t i)
{
    const struct assignment_record *record = &r->record;
    uint32_t nodes = rwa_network_nodes(chk->net);
    struct route_claim p = {i, record->demand, record->src, record->dst, record->via, record->role,
                     record->routed ? (uint32_t)(record->path.count - 1) : 0, record->fiber, record->wavelength,
                     record->fibers.count ? record->fibers.list : NULL,
                     record->wavelengths.count ? record->wavelengths.list : NULL, record->down, record->width, record->guard,
                     record->width};
    MUST(reserve_links(chk, p.hops));
    if (record->src >= nodes || record->dst >= nodes || record->src == record->dst)
        REPORT(chk, RWA_VIOLATION_RANGE, &p, " from node %u to node %u: expected two nodes below %u", record->src, record->dst, nodes);
    else if (record->via != RWA_NO_NODE && (record->via >= nodes || record->via == record->src || record->via == record->dst))
        REPORT(chk, RWA_VIOLATION_RANGE, &p, " by way of node %u: expected another node below %u", record->via, nodes);
    else if (!record->routed)
        check_unserved(chk, &p);
    else if (record->path.list[0] != record->src)
        REPORT(chk, RWA_VIOLATION_CONTINUITY, &p, " begins at node %u, expected node %u", record->path.list[0], record->src);
    else if (find_links(chk, r, &p))
        return check_lightpath(chk, &p);
    return RWA_OK;
}

/** Among all others of its fibres a lightpath is checked when all have been read. */
static rwa_status check_file_gsnr(rwa_check_report *out, const char *path, const rwa_transmission *transmission, rwa_error *err)
{
    rwa_assign_result *result = NULL;
    rwa_status st = rwa_assign_result_read(&result, path, err);
    if (st == RWA_OK)
        st = check_gsnr(out, result, transmission, err);
    rwa_assign_result_free(result);
    return st;
}

rwa_status check_assignment_file(rwa_check_report *out, const char *path, const rwa_check_options *opts, rwa_error *err)
{
    struct assignment_checker chk;
    struct assignment_reader r = {0};
    int got = 1;
    rwa_status st = start_assignment(&chk, out, opts, err);
    TRY(st);
    TRY(assignment_open(&r, path, err));
    chk.net = r.net;
    chk.model = r.model;
    chk.demands = r.demands;
    chk.wavelengths = r.wavelengths;
    chk.protection = r.protection;
    chk.claim.claimed = r.claim;
    chk.claim.sets = r.odd_sets;
    chk.claim.set_count = r.odd_set_count;
    TRY(open_checker(&chk, r.converters.list, r.converters.count));
    for (uint64_t i = 0;; i++) {
        TRY(assignment_next(&r, &got, err));
        if (!got)
            break;
        chk.line = r.lines.number;
        TRY(check_file_record(&chk, &r, i));
    }
    chk.line = 0;
    TRY(end_assignment(&chk));
    if (chk.transmission && out->ok)
        TRY(check_file_gsnr(out, path, chk.transmission, err));
done:
    close_checker(&chk);
    assignment_close(&r);
    return st;
}
