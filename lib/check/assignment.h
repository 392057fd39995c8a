/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of an assignment check while lightpaths pass. */
#pragma once

#include "check/check.h"

#include "check/bits.h"
#include "check/bound_claim.h"
#include "base/bins.h"
#include "network/network.h"

/* ---- shared backups ---- */

/** A shared backup: the carriers of its working route, then carriers and channels of its own, in `numbers`. */
struct shared_backup {
    uint64_t record, demand;
    size_t first;               /* in numbers */
    uint32_t working, places;   /* carriers; pairs of a carrier and a channel */
    bool lit;                   /* its working route has failed, and it is neither broken nor marked down */
    bool waits;                 /* marked down, though no link of it has failed */
};

/** Start with zeros. */
struct failures {
    uint32_t *working;          /* carriers of the last working route */
    size_t working_count, working_capacity;
    struct shared_backup *list;
    size_t count, capacity;
    uint32_t *numbers;
    size_t number_count, number_capacity;
};

/** No failure, but what has failed already. */
#define FAILED_NOW SIZE_MAX

/** Two backups that one failure needs on one channel; without `other` a backup that waits for no lit one. */
struct conflict {
    const struct shared_backup *backup, *other;
    uint32_t carrier, channel;
    size_t failure;             /* a carrier, carriers + a risk group, or FAILED_NOW */
};

void failures_free(struct failures *f);
/** A working route; a backup that follows belongs to it. */
rwa_status failures_begin(struct failures *f, const uint32_t *carriers, uint32_t count, rwa_error *err);
/** A backup of the last working route (record, demand, lit, waits), then its places one by one. */
rwa_status failures_add(struct failures *f, const struct shared_backup *backup, rwa_error *err);
rwa_status failures_add_place(struct failures *f, uint32_t carrier, uint32_t channel, rwa_error *err);
/** Place i of a backup. */
void failures_place(const struct failures *f, const struct shared_backup *backup, uint32_t i, uint32_t *carrier, uint32_t *channel);

/**
 * The backups that are lit now: report each place that two of them hold, and each backup that waits without a lit one on its places.
 * Then let every carrier fail, and every risk group: all carriers of a group at once.
 * @param risks   of each carrier its groups
 * @param report  also called for each place that two backups need after one failure, once for each failure and place
 * Cost O(sum over backups of (carriers of the working route and its groups) * places)
 */
rwa_status failures_check(const struct failures *f, uint32_t carriers, uint64_t channels, const struct bins *risks, size_t groups,
                          void (*report)(void *data, const struct conflict *conflict), void *data, rwa_error *err);

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
    uint32_t asked;                         /* the width of its demand */
};

struct assignment_checker {
    rwa_check_report *report;
    const rwa_network *net;
    rwa_model model;
    uint64_t demands;
    uint32_t wavelengths;       /* most allowed */
    uint32_t fibers;            /* of the link that has most */
    uint32_t carriers;          /* each offers every wavelength once: directed links, or fibre pairs */
    bool protection;
    bool arcs;                  /* lightpaths are arcs, which can be checked as bit runs */
    struct budget budget;
    uint64_t *busy;             /* bit (fiber * wavelengths + wavelength) * links + link; undirected: of fibre pairs */
    uint64_t *lit;              /* bit fiber * wavelengths + wavelength */
    uint64_t *served, *backed;  /* bit demand: has its working line, its backup */
    uint64_t *converts;         /* bit node */
    uint32_t *visited;          /* the number of the last route through each node */
    uint32_t routes;
    uint32_t *groups;           /* the number of the last working route that used each risk group */
    uint32_t *used;             /* the same for each link (fibre pair) */
    struct bins risks;          /* risk groups of each link (fibre pair) */
    struct arena memory;        /* of the arrays above */
    uint32_t *links;            /* of the route at hand */
    size_t link_capacity;
    struct bound_claim claim;         /* the bound */
    uint64_t last_working;      /* demand of the last working route; its links and groups are marked with its number */
    uint32_t last_number;
    struct failures failures;   /* shared backups */
    bool working_broken;        /* the last working route crosses a failed link */
    const rwa_transmission *transmission;   /* NULL: GSNR stays unchecked */
    uint64_t line;              /* of the record, in a file; 0: of none */
    rwa_error *err;
};

/** Whether ends, direction and channel describe every lightpath.  A violation found there is reported by the check of link lists. */
bool arcs_can_check(const struct rwa_assign_result *r, const struct assignment_checker *chk);
/** true when the lightpath was in order, and is taken. */
bool arcs_check(struct assignment_checker *chk, const struct route_claim *p, rwa_direction dir);
