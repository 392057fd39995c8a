/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names and numbers shared by the files of one GNPy folder. */
#pragma once

#include "foreign/design/design.h"

#define GNPY_AMPLIFIER "std_medium_gain"
#define GNPY_TRANSCEIVER "rwa"

/** Elements and connections. */
void gnpy_add_topology(struct text *t, const struct design_names *names);

/** A slot of the flexible grid: centre 193.1 THz + n x 6.25 GHz, width m x 12.5 GHz. */
struct gnpy_slot {
    long n, m;
};
/** The slot of a wavelength of a device; RWA_BADARG: its frequency is on no slot. */
rwa_status gnpy_slot(struct gnpy_slot *slot, const rwa_device *device, uint32_t wavelength, rwa_error *err);

/** A service: begin it, add its strict hops in travel order, end it. */
struct gnpy_request {
    struct text *t;
    const struct design_names *names;
    uint32_t hops;          /* so far */
};
/** mode: of the transceiver GNPY_TRANSCEIVER, from 1; 0: one that the user's equipment has. */
struct gnpy_request gnpy_begin_request(struct text *t, const struct design_names *names, const char *before,
                                       uint64_t id, const uint32_t ends[2], bool both_ways, size_t mode,
                                       const struct gnpy_slot *slot, double rate_bps);
void gnpy_add_hop(struct gnpy_request *request, uint32_t node);
/** The first fibre of a directed link. */
void gnpy_add_fiber(struct gnpy_request *request, uint32_t link);
void gnpy_end_request(struct gnpy_request *request);
