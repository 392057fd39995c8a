/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of an assignment check while lightpaths are read. */
#pragma once

#include "check/check.h"

#include "check/bits.h"
#include "base/bins.h"
#include "network/network.h"

/* ---- lightpaths ---- */

/** One lightpath as the assignment claims it. */
struct route_claim {
    uint64_t record;
    uint64_t demand;
    uint32_t src, dst, via;
    rwa_role role;
    uint32_t hops;
    uint32_t fiber, wavelength;
    const uint32_t *fibers, *wavelengths;   /* NULL: the same on every link */
    bool down;
    uint32_t width, guard;                  /* slots from the wavelength on */
    uint32_t asked;                         /* slots that its demand asks for */
};

/* ---- shared backups ---- */

/** A channel of a carrier (a directed link, or a fibre pair). */
struct place {
    uint32_t carrier, channel;
};

struct shared_backup {
    struct route_claim claim;
    size_t first;               /* of its places */
    uint32_t places;
    bool lit;                   /* its working route has failed, and the backup is neither broken nor marked down */
    bool waits;                 /* it is marked down, though no link of it has failed */
};

/** Shared backups, and the data to check them; starts with zeros. */
struct failures {
    struct shared_backup *list;
    size_t count;
    size_t *first;              /* of each backup: where its working route begins in `carriers` */
    size_t first_count;
    uint32_t *carriers;
    size_t carrier_count;
    size_t working;             /* where the last working route begins in `carriers`, while it has no shared backup */
    struct place *places;
    size_t place_count;
    bool working_broken;        /* the last working route crosses a failed link */
};

/* ---- the claimed bound ---- */

/** The ends of a demand, the node that its route must pass (RWA_NONE: none), and the slots that it takes on each
 *  link. */
struct ends {
    uint32_t src, dst, via;
    uint32_t slots;
};

struct bound_claim {
    rwa_certificate claimed;       /* borrowed; its name is NULL when nothing is claimed */
    const rwa_odd_set *sets;    /* odd cuts of the claim; borrowed */
    size_t set_count;
    bool converts;              /* some node has a converter */
    struct ends *ends;          /* of each demand; for lengths and theorems, which sort them */
    uint64_t crossing;          /* LINK: slots of the routes over it */
    uint64_t members;           /* CLIQUE: number of routes of the witness seen so far, and their slots */
    uint64_t member_slots;
    uint64_t *crossed;          /* bit set of the carriers of each route, words_of(carriers) words each */
    char *proof;                /* of RWA_ERROR_TEXT bytes; NULL: no words are wanted */
};

struct assignment_checker {
    rwa_check_report *report;
    const rwa_network *net;
    rwa_model model;
    uint64_t demands;
    uint32_t wavelengths;       /* largest number allowed */
    uint32_t fibers;            /* of the link that has most */
    uint32_t carriers;          /* number of carriers; each offers every wavelength once: directed links, or fibre
                                   pairs */
    bool protection;
    bool arcs;                  /* lightpaths are arcs, which are checked as runs of bits */
    struct budget budget;
    uint64_t *busy;             /* bit (fiber * wavelengths + wavelength) * links + link; undirected: of fibre pairs */
    uint64_t *lit;              /* bit fiber * wavelengths + wavelength */
    uint64_t *served, *backed;  /* bit demand: it has its working line; it has its backup */
    uint64_t *converts;         /* bit node */
    uint32_t *visited;          /* of each node: number of the last route through it */
    uint32_t routes;
    uint32_t *groups;           /* of each risk group: number of the last working route that used it */
    uint32_t *used;             /* of each link (fibre pair): likewise */
    struct bins risks;          /* risk groups of each link (fibre pair) */
    struct arena memory;        /* of the arrays above */
    uint32_t *links;            /* of the current route */
    struct bound_claim claim;
    uint64_t last_working;      /* demand of the last working route, whose links and groups are marked with its
                                   number */
    uint32_t last_number;
    struct failures failures;   /* shared backups */
    const rwa_transmission *transmission;   /* NULL: GSNR stays unchecked */
    uint64_t line;              /* line of the record in a file; 0: no record */
    rwa_error *err;
};

static inline uint32_t carrier_of(const struct assignment_checker *chk, uint32_t link)
{
    return network_carrier(chk->net, link, chk->model);
}

/** Write the name of a carrier (a directed link, or for undirected demands a fibre pair) to `to`: "link 2 (1 - 5)".
 *  Return `to`. */
static inline const char *carrier_text(char to[LINK_TEXT_SIZE], const struct assignment_checker *chk, uint32_t carrier)
{
    bool both = chk->model == RWA_UNDIRECTED, listed = both && rwa_network_pair(chk->net, carrier) != carrier;
    rwa_link ends = rwa_network_link(chk->net, listed ? 2 * carrier : carrier);
    snprintf(to, LINK_TEXT_SIZE, "link %u (%u %s %u)", carrier, ends.from, both ? "-" : "to", ends.to);
    return to;
}
#define CARRIER_TEXT(chk, carrier) carrier_text((char[LINK_TEXT_SIZE]){0}, (chk), (carrier))

static inline uint64_t channel_at(const struct assignment_checker *chk, uint32_t fiber, uint32_t wavelength)
{
    return (uint64_t)fiber * chk->wavelengths + wavelength;
}

/** Return what messages call a wavelength: "slot" on a flexible grid, else "wavelength". */
static inline const char *unit_of(const struct assignment_checker *chk)
{
    return rwa_network_slot_hz(chk->net) > 0 ? "slot" : "wavelength";
}

static inline rwa_status poll_assignment(struct assignment_checker *chk)
{
    return base_must_stop(&chk->budget, "checking", -1) ? base_fail(chk->err, RWA_CANCELLED, "checking was stopped")
                                                        : RWA_OK;
}

static inline void count_lightpath(struct assignment_checker *chk, const struct route_claim *p)
{
    chk->report->lightpaths++;
    chk->report->backups += p->role != RWA_WORKING;
    RAISE(chk->report->longest_hops, p->hops);
}

/* ---- violations ---- */

rwa_violation claim_violation(rwa_violation_kind kind, const struct route_claim *p, uint64_t link, uint64_t wavelength);
/** Report a violation by a demand's lightpath; the text begins with "demand D". */
#define report_channel(chk, kind, claim, link, wavelength, ...) \
    report_add((chk)->report, (chk)->line, claim_violation((kind), (claim), (link), (wavelength)), __VA_ARGS__)
#define REPORT_LINK(chk, kind, claim, link, ...) report_channel(chk, kind, claim, link, RWA_NO_INDEX, __VA_ARGS__)
#define REPORT(chk, kind, claim, ...) REPORT_LINK(chk, kind, claim, RWA_NO_INDEX, __VA_ARGS__)
/** Report a violation of this kind by the lightpath `p` on one channel of a carrier (link or fibre pair).  The text is
 *  `before`, the names of the channel and the carrier, then `after`. */
void report_place(struct assignment_checker *chk, rwa_violation_kind kind, const struct route_claim *p,
                  uint32_t carrier, uint64_t channel, const char *before, const char *after);

/* ---- one lightpath (route_claim.c) ---- */

/** Check a lightpath: its demand, its route (links in chk->links), its channel on each link, and its role as working
 *  route or backup.  Violations go to the report.  Errors: RWA_CANCELLED; RWA_NOMEM. */
rwa_status check_claimed_route(struct assignment_checker *chk, const struct route_claim *p);
/** Add the demand of `p`, a line without a route, to the unserved demands of the report.  Report a violation if the
 *  demand does not exist or has another line, or if the line is marked down. */
void check_unserved(struct assignment_checker *chk, const struct route_claim *p);

/* ---- the claimed bound (bound_claim.c) ---- */

/** Allocate memory to verify the witness of the claimed bound.  Lengths and odd cuts need the ends of all demands, a
 *  clique needs the links of each of its routes, other witnesses need nothing.  RWA_NOMEM. */
rwa_status bound_claim_open(struct assignment_checker *chk);

/** Record in chk->claim the ends of a demand and the slots that it takes on each link.  Of a demand with several lines,
 *  keep the slots of the line that takes the fewest. */
void bound_claim_take_demand(struct assignment_checker *chk, uint64_t demand, const struct ends *ends);
/** Record a route, which a witness by a link or by a clique of routes may need.  `record`: number of the route in the
 *  assignment, from 0; `links`: its `hops` directed links; `slots`: what it takes on each of them. */
void bound_claim_take_route(struct assignment_checker *chk, uint64_t record, const uint32_t *links, uint32_t hops,
                            uint32_t slots);

/**
 * Compute the bound that the witness of the claim proves, and compare it with the claimed one.  Append the steps from
 * the witness to the bound to chk->claim.proof, in words.
 * @param[out] verdict  PASS: the witness proves the claimed bound; FAIL: it does not; UNCHECKED: nothing is claimed, an
 *                      exhausted search is claimed, the witness is of a kind that proves nothing here (with converters,
 *                      say), or verifying its lengths would take too long
 * @param[out] proven  the bound that the witness proves; 0: unchecked
 * @return RWA_OK; RWA_BADARG: a sum of lengths too large for 64 bits; RWA_CANCELLED; RWA_NOMEM
 */
rwa_status bound_claim_check(struct assignment_checker *chk, rwa_verdict *verdict, uint64_t *proven);
/** Set *of_routes to whether the claimed bound holds only for the routes of this assignment.  It does if the claim
 *  says so.  It also does if the witness is a link or a clique of routes and the network has a cycle; without a cycle
 *  there are no other routes.  RWA_NOMEM. */
rwa_status bound_claim_of_routes(const struct assignment_checker *chk, bool *of_routes);

/* ---- lengths (certificate.c) ---- */

/**
 * Compute the bound that lengths of links prove (docs/reference/bounds.md has the proofs): how many wavelengths are
 * necessary or, if chk->claim.claimed.most_served is set, how many demands the claimed wavelengths can serve at most.
 * A lightpath takes its slots times the length of a shortest route by way of its via node (with backups: of a shortest
 * pair of routes that share no link).  A wavelength offers the length of every carrier once for each of its fibres.
 * The wavelengths must offer what the lightpaths take.  A demand without any path takes nothing.  Unless a lightpath is
 * down, failed links are left out.
 * Odd cuts (undirected, without backups) reduce the offer: if an odd number of fibres leaves a set of nodes, each
 * wavelength that no lightpath with one end in the set uses offers less by the weight of the set.
 * @param[out] value  the bound.  Wavelengths are rounded up.  They are 0 if all lengths are 0, if the set of an odd cut
 *                    names a node twice or one that does not exist, or if a fibre pair is shorter than the weights of
 *                    the sets that it leaves.  Of the demands those that take the least length are served
 * @return RWA_OK; RWA_BADARG: a sum too large for 64 bits; RWA_CANCELLED; RWA_NOMEM.  Cost: a search by Dijkstra's
 *         algorithm for each node that demands leave; with backups one more for each demand
 */
rwa_status certificate_of_lengths(uint64_t *value, struct assignment_checker *chk);

/* ---- shared backups (failures.c) ---- */

/** Record in chk->failures a working route, or a shared backup of the working route recorded last; ignore lightpaths of
 *  other roles.  `broken`: the lightpath crosses a failed link.  RWA_NOMEM. */
rwa_status failures_add(struct assignment_checker *chk, const struct route_claim *p, bool broken);
/** Record in chk->failures that the shared backup recorded last uses a channel of a carrier.  RWA_NOMEM. */
rwa_status failures_add_place(struct assignment_checker *chk, uint32_t carrier, uint32_t channel);
/**
 * Check the shared backups, which may use the same channel as long as no single failure makes two of them need it.
 * In the present state no other lightpath may use their channels, and two backups that carry traffic may share none.  A
 * backup without a failed link may be marked down only if a backup that carries traffic uses one of its channels.
 * Then each carrier fails in turn, and each risk group with all its carriers.  After each of these failures the
 * channels that two backups need are reported.
 * @return RWA_OK for any verdict; RWA_NOMEM.  Cost O(sum over backups of (carriers of the working route and its
 *         groups) * channels of the backup)
 */
rwa_status failures_check(struct assignment_checker *chk);

/* ---- arcs (route_claim.c) ---- */

/** Tell whether arcs_check() can check all lightpaths of the assignment.  The network must be a ring or line without
 *  failed links and reserved channels.  All lightpaths must be working routes, one wavelength wide and on the same
 *  channel on all their links.  The claimed witness must be neither a link nor a clique. */
bool arcs_can_check(const struct rwa_assignment *r, const struct assignment_checker *chk);
/** Check a lightpath on a ring or line, in direction `dir`, as an arc without a list of links.  Take its channel on all
 *  carriers of the arc.  Return false, without a report and without taking anything, if it violates a constraint. */
bool arcs_check(struct assignment_checker *chk, const struct route_claim *p, rwa_direction dir);
