/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The checker of assignments: every lightpath by itself, then its channel against all others. */
#include "check/assignment.h"

#include "check/physics/gsnr.h"
#include "assignment/assignment.h"
#include "assignment/reader.h"

/* ---- opening ---- */

/** List in chk->risks, for each carrier, the risk groups (links that fail together) that it belongs to.  A carrier is a
 *  directed link, or for undirected demands a fibre pair. */
static rwa_status list_groups(struct assignment_checker *chk)
{
    size_t groups = rwa_network_risk_groups(chk->net);
    const uint32_t *links = NULL;
    rwa_status st = RWA_OK;
    arena_new(&chk->memory, chk->groups, groups);
    MUST(arena_arrays(&chk->memory, chk->carriers, chk->used));
    while (bins_pass(&chk->risks, chk->carriers, &st, chk->err))
        for (size_t g = 0; g < groups; g++)
            for (size_t k = rwa_network_risk_group(&links, chk->net, g); k-- > 0;)
                bins_add(&chk->risks, carrier_of(chk, links[k]), (uint32_t)g);
    return st;
}

static size_t words_of(uint64_t bits)
{
    return (size_t)(bits / 64 + 1);
}

static rwa_status open_checker(struct assignment_checker *chk, const struct assignment_reader *head)
{
    uint32_t nodes = rwa_network_nodes(head->net);
    chk->net = head->net;
    chk->model = head->model;
    chk->demands = head->demands;
    chk->wavelengths = head->wavelengths;
    chk->protection = head->protection;
    chk->carriers = chk->model == RWA_UNDIRECTED ? rwa_network_pairs(chk->net) : rwa_network_links(chk->net);
    chk->fibers = network_most_fibers(chk->net);
    double channels = (double)chk->carriers * chk->fibers * chk->wavelengths;
    MUST(base_fits_memory(channels / 8 + (double)chk->demands / 4, "checking this assignment", chk->err));
    arena_new(&chk->memory, chk->busy, words_of((uint64_t)chk->carriers * chk->fibers * chk->wavelengths));
    arena_new(&chk->memory, chk->lit, words_of((uint64_t)chk->fibers * chk->wavelengths));
    arena_arrays(&chk->memory, words_of(chk->demands), chk->served, chk->backed);
    arena_new(&chk->memory, chk->converts, words_of(nodes));
    MUST(arena_arrays(&chk->memory, nodes, chk->visited));
    for (size_t i = 0; i < head->converters.count; i++)
        set_bit(chk->converts, head->converters.list[i]);
    MUST(list_groups(chk));
    chk->claim.claimed = head->claim;
    chk->claim.converts = head->converters.count > 0;
    MUST(bound_claim_open(chk));
    chk->last_working = RWA_NO_INDEX;
    return RWA_OK;
}

static void close_checker(struct assignment_checker *chk)
{
    arena_free(&chk->memory);
    bins_free(&chk->risks);
    free_all(chk->links, chk->failures.list, chk->failures.first, chk->failures.carriers, chk->failures.places);
}

/** Check the claimed bound on the wavelengths (or on the demands served).  Report it if its witness does not prove it,
 *  or if the assignment refutes it.  The bound stays unchecked after a violation of completeness, such as a demand
 *  without a line, and if there are shared backups. */
static rwa_status check_claim(struct assignment_checker *chk)
{
    rwa_check_report *c = chk->report;
    const rwa_certificate *claimed = &chk->claim.claimed;
    uint64_t proven = 0;
    bool of_routes = false;
    MUST(bound_claim_of_routes(chk, &of_routes));
    c->bound_of_routes = of_routes;
    c->bound = claimed->name ? claimed->value : 0;
    c->bound_of_served = claimed->most_served;
    c->counts_slots = rwa_network_slot_hz(chk->net) > 0;
    c->bound_verdict = RWA_UNCHECKED;
    if (c->by_kind[RWA_VIOLATION_COMPLETENESS] > 0 ||
        chk->failures.count > 0) /* bounds do not hold where channels are shared */
        return RWA_OK;
    chk->claim.proof = c->bound_proof;
    MUST(bound_claim_check(chk, &c->bound_verdict, &proven));
    /* An assignment of all demands refutes a bound above what it uses; reserved channels count in bounds, too. */
    bool refuted = c->bound_verdict == RWA_UNCHECKED && claimed->name && !claimed->most_served && c->unserved == 0 &&
                   !network_has_reserved(chk->net) && claimed->value > c->wavelengths_used;
    c->bound_verdict = refuted ? RWA_FAIL : c->bound_verdict;
    if (c->bound_verdict == RWA_FAIL)
        report_add(chk->report, 0,
                   (rwa_violation){.kind = RWA_VIOLATION_HEADER,
                                   .lightpath = RWA_NO_INDEX,
                                   .link = RWA_NO_INDEX,
                                   .wavelength = RWA_NO_INDEX},
                   "the bound claims %" PRIu64 " %s%s, %s %" PRIu64, claimed->value,
                   claimed->most_served ? "lightpaths served" : unit_of(chk), claimed->most_served ? "" : "s",
                   refuted ? "the assignment uses only" : "its witness proves", refuted ? c->wavelengths_used : proven);
    return RWA_OK;
}

/** Examine 64 demands, from number 64 * word on.  Report each that has no working line, or that lacks the backup which
 *  the assignment promises. */
static void report_missing(struct assignment_checker *chk, uint64_t word)
{
    rwa_check_report *c = chk->report;
    uint64_t left = chk->demands - 64 * word, all = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
    uint64_t missing = all & ~chk->served[word],
             bare = chk->protection ? chk->served[word] & ~chk->backed[word] & all : 0;
    while ((missing && !report_is_full(c, RWA_VIOLATION_COMPLETENESS)) ||
           (bare && !report_is_full(c, RWA_VIOLATION_PROTECTION))) {
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
    report_count(c, RWA_VIOLATION_COMPLETENESS, (uint64_t)__builtin_popcountll(missing));
    report_count(c, RWA_VIOLATION_PROTECTION, (uint64_t)__builtin_popcountll(bare));
}

static rwa_status end_assignment(struct assignment_checker *chk)
{
    for (uint64_t word = 0; 64 * word < chk->demands; word++)
        report_missing(chk, word);
    MUST(failures_check(chk));
    chk->report->wavelengths_used = (uint32_t)bit_run_count(chk->lit, 0, (uint64_t)chk->fibers * chk->wavelengths);
    rwa_status st = check_claim(chk);
    chk->report->ok = chk->report->violations == 0;
    return st;
}

static rwa_status start_assignment(struct assignment_checker *chk, rwa_check_report *out, const rwa_check_options *opts,
                                   rwa_error *err)
{
    rwa_check_options o;
    memset(out, 0, sizeof *out);
    memset(chk, 0, sizeof *chk);
    rwa_status st = base_options(rwa_check_options, &o, opts, err);
    if (st == RWA_OK && o.device)
        st = base_refuse(err, "the power of an assignment cannot be whole, expected no device");
    chk->report = out;
    chk->err = chk->memory.err = err;
    chk->budget = base_budget(0, o.poll, o.poll_data);
    chk->transmission = o.transmission;
    out->gsnr_lightpath = o.lightpath;
    return st;
}

static rwa_status reserve_links(struct assignment_checker *chk, uint32_t hops)
{
    return base_reserve(chk->links, (size_t)hops + 1, chk->err);
}

/* ---- in memory ---- */

static rwa_status check_result_route(struct assignment_checker *chk, const rwa_assignment *r, uint64_t i,
                                     uint64_t first)
{
    rwa_route route = result_route(r, i);
    struct extent extent = assignment_extent(r, i);
    const uint32_t *widths = rwa_demands_widths(r->demands);
    const rwa_demand *d = &rwa_demands_list(r->demands)[route.demand];
    struct route_claim p = {i,
                            first + route.copy,
                            d->src,
                            d->dst,
                            d->via,
                            route.role,
                            route.hops,
                            route.fiber,
                            route.wavelength,
                            route.fibers,
                            route.wavelengths,
                            route.down,
                            extent.width,
                            extent.guard,
                            widths ? widths[route.demand] : 1};
    if (chk->arcs && route.hops > 0 && arcs_check(chk, &p, route.direction))
        return poll_assignment(chk);
    MUST(reserve_links(chk, route.hops));
    for (uint32_t k = 0; k < route.hops; k++)
        chk->links[k] = rwa_assignment_link(r, i, k);
    if (route.hops > 0)
        return check_claimed_route(chk, &p);
    check_unserved(chk, &p);
    return RWA_OK;
}

static rwa_status check_result(struct assignment_checker *chk, const rwa_assignment *r)
{
    uint64_t first = 0; /* number of the demand's first lightpath */
    size_t demand = 0;
    chk->arcs = arcs_can_check(r, chk);
    for (uint64_t i = 0; i < r->count; i++) {
        for (; demand < r->routes[i].demand; demand++)
            first += rwa_demands_list(r->demands)[demand].count;
        MUST(check_result_route(chk, r, i, first));
    }
    return RWA_OK;
}

/* ---- from a file ---- */

/** Store in chk->links the directed link of each hop of the record that `r` has just read; `p`: the same record, as the
 *  checks take it.  Return false, after a report, if no link joins the two nodes of a hop, or if the link that the
 *  record names does not lead from the first of them to the second. */
static bool find_links(struct assignment_checker *chk, const struct assignment_reader *r, const struct route_claim *p)
{
    for (uint32_t k = 0; k < p->hops; k++) {
        chk->links[k] = assignment_hop(r, k);
        if (chk->links[k] != RWA_NONE)
            continue;
        REPORT(chk, RWA_VIOLATION_CONTINUITY, p, ": %s from node %u to node %u",
               r->links.count ? "the link named does not lead" : "no link leads", r->path.list[k],
               r->path.list[k + 1]);
        return false;
    }
    return true;
}

static rwa_status check_file_record(struct assignment_checker *chk, const struct assignment_reader *r, uint64_t i)
{
    const struct assignment_record *record = &r->record;
    uint32_t nodes = rwa_network_nodes(chk->net);
    struct route_claim p = {i,
                            record->demand,
                            record->src,
                            record->dst,
                            record->via,
                            record->role,
                            record->hops,
                            record->fiber,
                            record->wavelength,
                            record->has_fibers ? r->hop_fibers.list : NULL,
                            record->has_wavelengths ? r->hop_wavelengths.list : NULL,
                            record->down,
                            record->width,
                            record->guard,
                            record->width};
    MUST(reserve_links(chk, p.hops));
    if (record->src >= nodes || record->dst >= nodes || record->src == record->dst)
        REPORT(chk, RWA_VIOLATION_RANGE, &p, " from node %u to node %u: expected two nodes below %u", record->src,
               record->dst, nodes);
    else if (record->via != RWA_NONE &&
             (record->via >= nodes || record->via == record->src || record->via == record->dst))
        REPORT(chk, RWA_VIOLATION_RANGE, &p, " by way of node %u: expected another node below %u", record->via, nodes);
    else if (!record->routed)
        check_unserved(chk, &p);
    else if (r->path.list[0] != record->src)
        REPORT(chk, RWA_VIOLATION_CONTINUITY, &p, " begins at node %u, expected node %u", r->path.list[0],
               record->src);
    else if (find_links(chk, r, &p))
        return check_claimed_route(chk, &p);
    return RWA_OK;
}

/** Check the GSNR (signal-to-noise ratio) of the lightpaths of an assignment file, and report violations in *out.  The
 *  whole file is read into memory, because the GSNR of a lightpath depends on all others on its fibres.  RWA_BADARG:
 *  there are lightpaths, and none names a modulation format. */
static rwa_status check_file_gsnr(rwa_check_report *out, const char *path, const rwa_transmission *transmission,
                                  rwa_error *err)
{
    rwa_assignment *result = NULL;
    rwa_status st = rwa_assignment_read(&result, path, err);
    uint64_t plain = 0;
    while (st == RWA_OK && plain < result->count && !rwa_assignment_modulation(result, plain))
        plain++;
    if (st == RWA_OK && out->lightpaths > 0 && plain == result->count)
        st = base_refuse(err, "%s names no modulation formats, expected an assignment made with a device", path);
    if (st == RWA_OK)
        st = check_gsnr(out, result, transmission, err);
    rwa_assignment_free(result);
    return st;
}

static rwa_status check_lines(struct assignment_checker *chk, struct assignment_reader *r)
{
    int got = 1;
    for (uint64_t i = 0;; i++) {
        MUST(assignment_next(r, &got, chk->err));
        chk->line = got ? r->lines.number : 0;
        if (!got)
            return RWA_OK;
        MUST(check_file_record(chk, r, i));
    }
}

/* ---- both ---- */

/** Check all lightpaths of an assignment, then the demands without a line, the shared backups and the claimed bound.
 *  The lightpaths come from `result` or, if it is NULL, from the file that `head` has open, behind its header. */
static rwa_status check_all(struct assignment_checker *chk, struct assignment_reader *head,
                            const rwa_assignment *result)
{
    rwa_status st = open_checker(chk, head);
    TRY(st);
    TRY(result ? check_result(chk, result) : check_lines(chk, head));
    TRY(end_assignment(chk));
done:
    close_checker(chk);
    return st;
}

rwa_status check_assignment(rwa_check_report *out, const rwa_assignment *r, const rwa_check_options *opts,
                            rwa_error *err)
{
    struct assignment_checker chk;
    struct assignment_reader head = {.net = r->net, .model = r->model, .demands = rwa_demands_lightpaths(r->demands),
                                     .wavelengths = r->summary.wavelengths, .protection = r->protection,
                                     .converters = {r->converters, r->converter_count}, .claim = r->summary.bound};
    MUST(start_assignment(&chk, out, opts, err));
    chk.claim.sets = r->summary.odd_sets;
    chk.claim.set_count = r->summary.odd_set_count;
    MUST(check_all(&chk, &head, r));
    return chk.transmission && out->ok ? check_gsnr(out, r, chk.transmission, err) : RWA_OK;
}

rwa_status check_assignment_file(rwa_check_report *out, const char *path, const rwa_check_options *opts, rwa_error *err)
{
    struct assignment_checker chk;
    struct assignment_reader r = {0};
    rwa_status st = RWA_OK;
    MUST(start_assignment(&chk, out, opts, err));
    TRY(assignment_open(&r, path, err));
    chk.claim.sets = r.odd_sets;
    chk.claim.set_count = r.odd_set_count;
    TRY(check_all(&chk, &r, NULL));
    if (chk.transmission && out->ok)
        TRY(check_file_gsnr(out, path, chk.transmission, err));
done:
    assignment_close(&r);
    return st;
}
