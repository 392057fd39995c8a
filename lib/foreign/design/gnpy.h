/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names and numbers shared by the files of one GNPy folder. */
#pragma once

#include "foreign/design/design.h"

#define GNPY_AMPLIFIER "std_medium_gain"
#define GNPY_TRANSCEIVER "rwa"

/** The uid of a node's element, "roadm Berlin", and of the first fibre of a directed link; in quotes. */
void gnpy_add_node_uid(struct text *t, const struct design_names *names, const char *kind, uint32_t node);
void gnpy_add_fiber_uid(struct text *t, const struct design_names *names, uint32_t link);
/** Elements and connections. */
void gnpy_add_topology(struct text *t, const struct design_names *names);
/** Slot of a wavelength of a device on the flexible grid: centre 193.1 THz + n x 6.25 GHz, width m x 12.5 GHz; RWA_BADARG: it is none. */
rwa_status gnpy_slot(long *n, long *m, const rwa_device *device, uint32_t wavelength, rwa_error *err);
