/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names and numbers shared by the files of one GNPy folder. */
#pragma once

#include "foreign/design/design.h"

#define GNPY_AMPLIFIER "std_medium_gain"
#define GNPY_TRANSCEIVER "rwa"

/** Set r->names to the names of the nodes, by export_names(), escaped for strings of JSON. */
rwa_status gnpy_names(struct export_request *r);
/** Add the elements of the network and their connections.  gnpy_names() must come first. */
void gnpy_add_topology(struct text *t, const struct export_request *r);

/** A slot of the flexible grid: centre 193.1 THz + n x 6.25 GHz, width m x 12.5 GHz. */
struct gnpy_slot {
    long n, m;
};
/** Set *slot to the slot of a wavelength of a device.  RWA_BADARG: no slot is centred at its frequency. */
rwa_status gnpy_slot(struct gnpy_slot *slot, const rwa_device *device, uint32_t wavelength, rwa_error *err);

/** Begin service request number `id` after the text `before`: from node ends[0] to node ends[1] or, if both_ways, in
 *  both directions.  The caller then adds its strict hops, numbered from 0, and GNPY_REQUEST_END.  mode: the number of
 *  a mode of the transceiver GNPY_TRANSCEIVER, from 1; 0: no mode, and the transceiver "MRR", which the user's
 *  equipment must have. */
void gnpy_begin_request(struct text *t, const struct export_request *r, const char *before, uint64_t id,
                        const uint32_t ends[2], bool both_ways, size_t mode, const struct gnpy_slot *slot,
                        double rate_bps);
#define GNPY_REQUEST_END "]}}"
void gnpy_add_hop(struct text *t, const struct export_request *r, uint32_t index, uint32_t node);
/** Add strict hop number `index`, from 0: the first fibre of a directed link. */
void gnpy_add_fiber(struct text *t, const struct export_request *r, uint32_t index, uint32_t link);
