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
    size_t count, capacity;
    size_t *first;              /* of each backup: where its working route begins in `carriers` */
    size_t first_count, first_capacity;
    uint32_t *carriers;
    size_t carrier_count, carrier_capacity;
    size_t working;             /* where the last working route begins in `carriers`, while it has no shared backup */
    struct place *places;
    size_t place_count, place_capacity;
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
    size_t link_capacity;
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
    return chk->model == RWA_UNDIRECTED ? rwa_network_pair(chk->net, link) : link;
}

/** Write a link, or pair of links, with its ends: "link 2 (1 - 5)". */
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

/** Return the name of a channel's unit: a wavelength, or a slot on a flexible grid. */
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
    chk->report->longest_hops = p->hops > chk->report->longest_hops ? p->hops : chk->report->longest_hops;
}

/* ---- violations ---- */

rwa_violation claim_violation(rwa_violation_kind kind, const struct route_claim *p, uint64_t link, uint64_t wavelength);
/** Report a violation by a demand's lightpath; the text begins with "demand D". */
#define report_channel(chk, kind, claim, link, wavelength, ...) \
    report_add((chk)->report, (chk)->line, claim_violation((kind), (claim), (link), (wavelength)), __VA_ARGS__)
#define REPORT_LINK(chk, kind, claim, link, ...) report_channel(chk, kind, claim, link, RWA_NO_INDEX, __VA_ARGS__)
#define REPORT(chk, kind, claim, ...) REPORT_LINK(chk, kind, claim, RWA_NO_INDEX, __VA_ARGS__)
/** Report a violation on a channel of a link.  Its text is `before`, the name of the channel and the link, and
 *  `after`. */
void report_place(struct assignment_checker *chk, rwa_violation_kind kind, const struct route_claim *p,
                  uint32_t carrier, uint64_t channel, const char *before, const char *after);

/* ---- one lightpath (route_claim.c) ---- */

/** Check a lightpath whose links are in chk->links: its route, its channel on each link, and its role as working route
 *  or backup.  RWA_CANCELLED, RWA_NOMEM. */
rwa_status check_claimed_route(struct assignment_checker *chk, const struct route_claim *p);
/** Count a lightpath that the assignment leaves without a route.  The file must still list it, once and without a
 *  backup. */
void check_unserved(struct assignment_checker *chk, const struct route_claim *p);

/* ---- the claimed bound (bound_claim.c) ---- */

/** Prepare to gather evidence for the claimed bound. */
rwa_status bound_claim_open(struct assignment_checker *chk);
void bound_claim_close(struct assignment_checker *chk);

/** Note the ends and slots of a demand; if it has several lines, the fewest slots count. */
void bound_claim_take_demand(struct assignment_checker *chk, uint64_t demand, const struct ends *ends);
/** Note a route with this number of the file, which takes `slots` slots on each of its links. */
void bound_claim_take_route(struct assignment_checker *chk, uint64_t record, const uint32_t *links, uint32_t hops,
                            uint32_t slots);

/**
 * Compute the bound that the witness proves, and compare it with the claimed one.
 * @param[out] verdict  UNCHECKED: nothing is claimed; or the claim rests on an exhausted search, on routes some of
 *                      which can convert, or on lengths whose check would take too long
 * @param[out] proven  the bound that the witness proves
 * The steps from the witness to the bound are added to chk->claim.proof in words.
 */
rwa_status bound_claim_check(struct assignment_checker *chk, rwa_verdict *verdict, uint64_t *proven);
/** Tell in *of_routes whether the bound holds only for the routes of the file.  It does if the file says so, or if the
 *  witness is a link or a clique of routes, unless the network has no cycle and so no other routes. */
rwa_status bound_claim_of_routes(const struct assignment_checker *chk, bool *of_routes);

/* ---- lengths (certificate.c) ---- */

/**
 * Compute the bound that the lengths of a claim prove: how many wavelengths are necessary, or how many demands the
 * claimed wavelengths can serve at most.
 * Every lightpath takes at least the distance of its ends, by way of its node, times its slots (with backups: the
 * length of the two shortest paths without a common link).  A wavelength offers the length of every carrier once for
 * each of its fibres.  A demand without any path adds nothing.
 * With sets (undirected, without backups): a slot number that is not used by a lightpath with one end in a set leaves
 * a fibre of the odd cut dark, so the weight of the set is lost.  The weight is subtracted from the offer of every
 * wavelength, and added again for each slot of the lightpaths with one end in the set.  Over all wavelengths together,
 * the lightpaths take an even or an odd number of the fibres of a cut; if the number of all these fibres has the other
 * parity, the weight is lost at least once.
 * @param[out] value  rounded up; 0 when all lengths are 0, or a set is invalid.  For the most demands served, those
 *                    with the least lengths are counted first
 * @return RWA_OK; RWA_BADARG: a sum too large for 64 bits; RWA_CANCELLED; RWA_NOMEM.  Cost: a Dijkstra search for each
 *         node that demands leave; backups: a search of Bellman and Ford for each demand
 */
rwa_status certificate_of_lengths(uint64_t *value, struct assignment_checker *chk);

/* ---- shared backups (failures.c) ---- */

void failures_free(struct failures *f);
/** Note a lightpath that is a working route, or a shared backup of the last working route; other lightpaths are
 *  ignored.  `broken`: it crosses a failed link. */
rwa_status failures_add(struct assignment_checker *chk, const struct route_claim *p, bool broken);
/** Add a channel of a carrier to those that the last shared backup uses. */
rwa_status failures_add_place(struct assignment_checker *chk, uint32_t carrier, uint32_t channel);
/**
 * Check the shared backups, which may use the same channel as long as no failure makes two of them need it.
 * No other lightpath may use their channels.  In the present state, no two backups that carry traffic may use one
 * channel of a link, and a backup may wait only for one that carries traffic on its channels.  Then each carrier fails
 * in turn, and each risk group (all its carriers at once): each channel that two backups need after one failure is
 * reported, once for each failure and channel.
 * Cost O(sum over backups of (carriers of the working route and its groups) * places)
 */
rwa_status failures_check(struct assignment_checker *chk);

/* ---- arcs (route_claim.c) ---- */

/** Tell whether ends, direction and channel describe every lightpath of the assignment, so that arcs_check() can check
 *  routes as arcs of a ring or line, without lists of links.  An arc that fails is checked again as a list of links,
 *  which reports the violation. */
bool arcs_can_check(const struct rwa_assignment *r, const struct assignment_checker *chk);
/** Check a lightpath as an arc and take its channel.  Return false, and take nothing, if something is wrong with it. */
bool arcs_check(struct assignment_checker *chk, const struct route_claim *p, rwa_direction dir);
