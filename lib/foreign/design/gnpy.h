/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names and numbers shared by the files of one GNPy folder. */
#pragma once

#include "foreign/design/design.h"

#define GNPY_AMPLIFIER "std_medium_gain"
#define GNPY_TRANSCEIVER "rwa"

/** Add the elements of the network and their connections, after export_names(). */
void gnpy_add_topology(struct text *t, const struct export_request *r);

/** A slot of the flexible grid: centre 193.1 THz + n x 6.25 GHz, width m x 12.5 GHz. */
struct gnpy_slot {
    long n, m;
};
/** Set *slot to the slot of a wavelength of a device.  RWA_BADARG: no slot is centred at its frequency. */
rwa_status gnpy_slot(struct gnpy_slot *slot, const rwa_device *device, uint32_t wavelength, rwa_error *err);

/** A service request in the making: begin it, add its strict hops in travel order, end it. */
struct gnpy_request {
    struct text *t;
    const struct export_request *r;
    uint32_t hops;          /* so far */
};
/** Begin a request.  mode: number, from 1, of a mode of the transceiver GNPY_TRANSCEIVER; 0: name the transceiver
 *  "MRR", which the user's equipment must have, and no mode. */
struct gnpy_request gnpy_begin_request(struct text *t, const struct export_request *r, const char *before, uint64_t id,
                                       const uint32_t ends[2], bool both_ways, size_t mode,
                                       const struct gnpy_slot *slot, double rate_bps);
void gnpy_add_hop(struct gnpy_request *request, uint32_t node);
/** Add the first fibre of a directed link as a strict hop. */
void gnpy_add_fiber(struct gnpy_request *request, uint32_t link);
void gnpy_end_request(struct gnpy_request *request);
