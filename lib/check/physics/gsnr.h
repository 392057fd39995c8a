/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Signal to noise of lightpaths on amplified fibre: those of an assignment, or of each step of a schedule. */
#pragma once

#include "base/base.h"
#include "rwa/assign.h"

/** A carrier on one fibre of one link. */
struct checked_signal {
    double hz, baud, density;   /* W/Hz */
    uint64_t key;               /* link of the model, then fibre */
    size_t noise;               /* its number among all carriers */
    double km;
};

/** A lightpath's format, its number in the report, and its carriers. */
struct checked_route {
    rwa_modulation m;
    uint64_t number;
    size_t first;
    uint32_t carriers;
};

struct gsnr_checker {
    rwa_check_report *report;
    const rwa_network *net;
    bool undirected;            /* the two links of a pair are one carrier */
    const rwa_transmission *t;
    const rwa_fiber_profile *fiber;     /* NULL: by reach */
    uint32_t step;              /* of a schedule; 0: an assignment */
    struct checked_signal *signals;
    size_t count;
    struct checked_route *routes;
    size_t route_count;
    size_t carriers;
    double *noise;              /* of each carrier: noise density divided by signal density */
    rwa_error *err;
};

/** A lightpath: its directed links, with its fibre and wavelength on each; NULL: the same on all. */
struct gsnr_path {
    uint64_t number;            /* in the report */
    uint32_t hops, fiber, wavelength;
    const uint32_t *links, *fibers, *wavelengths;
    uint32_t width;             /* slots on a flexible grid */
    double rate_bps;            /* that it must carry; 0: unknown */
};

struct gsnr_checker gsnr_begin(rwa_check_report *report, const rwa_network *net, const rwa_transmission *t,
                               rwa_error *err);
/** Add a lightpath in modulation format `m` to those on its fibres.  Report it if it has a link without a length, does
 *  not fit its slots or, if formats are chosen by reach, is too long.  RWA_NOMEM. */
rwa_status gsnr_take(struct gsnr_checker *chk, const struct gsnr_path *path, const rwa_modulation *m);
/** Compute the GSNR of each lightpath added since the last call, among the others on its fibres.  Report those whose
 *  GSNR is too low for their formats, and forget them all.  RWA_NOMEM.  Cost O(sum over fibres of carriers²) */
rwa_status gsnr_judge(struct gsnr_checker *chk);
void gsnr_release(struct gsnr_checker *chk);

/**
 * Check the signals of an assignment, and add violations to a report.  Each lightpath must name a format of the table
 * that carries its rate in its slots.  Its GSNR among the lightpaths on its fibres (for formats by reach: its length)
 * must suffice.  Lightpaths that are down, and shared backups, carry no light and are left out.
 * @return RWA_OK for any verdict; RWA_NOMEM.  Cost O(sum over fibres of carriers²)
 */
rwa_status check_gsnr(rwa_check_report *report, const rwa_assignment *result, const rwa_transmission *transmission,
                      rwa_error *err);
