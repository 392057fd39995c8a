/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The interface of the export formats of schedules, networks and assignments: each format has a file and a line in
 *  formats.c, those of assignments in design/design.c. */
#pragma once

#include "rwa/foreign.h"

#include "foreign/output.h"
#include "schedule/schedule.h"

struct export_request {
    const rwa_network *net;
    const rwa_schedule *sched;      /* NULL: a network or an assignment */
    const rwa_collective *coll;
    const rwa_assignment *result;   /* NULL: a network or a schedule */
    const rwa_demands *demands;
    const char *path;
    rwa_export_options o;
    uint32_t from, to;      /* the steps asked for */
    rwa_hold *hold;         /* when each record is up; NULL: in its own step */
    struct budget budget;
    rwa_error *err;
};

/** What a format cannot do without. */
enum {
    EXPORT_UNTAPPED = 1,    /* lightpaths with one receiver */
    EXPORT_PLAIN = 2,       /* also, all nodes take part */
    EXPORT_SINGLE = 4,      /* also, one block on a lightpath */
    EXPORT_ARCS = 8,        /* a ring or a line, and no taps */
    EXPORT_LINKS = 16,      /* links between nodes: no coupler or switches that all share */
    EXPORT_GRID = 32,       /* a device whose grid has the network's wavelengths */
};

struct export_format {
    const char *name, *summary;
    rwa_status (*put)(struct output *out, struct export_request *r);    /* of one stream */
    rwa_status (*write)(struct export_request *r);                      /* of several files; NULL: put */
    unsigned needs;
};

extern const struct export_format export_csv, export_nodes, export_settings, export_openconfig, export_harvest,
    export_msccl, export_mscclpp, export_chakra, export_gnpy, export_sndlib, network_graphml, network_json,
    network_sndlib, network_gnpy;

/** Check what the format needs, and write. */
rwa_status export_by(const struct export_format *format, struct export_request *r);

/** RWA_CANCELLED with a message when the caller cancels; call it before each step. */
rwa_status export_go_on(struct export_request *r, uint32_t step);
/** Find r->hold by the options' cost model. */
rwa_status export_hold(struct export_request *r);

/** "cw" or "ccw". */
static inline const char *export_direction(rwa_direction direction)
{
    return direction == RWA_CCW ? "ccw" : "cw";
}

/** Slot of a wavelength on a device's grid, from band[0] to band[1] MHz; RWA_BADARG when the profile has no grid or it
 * is not in whole MHz. */
rwa_status export_slot_mhz(uint64_t band[2], const rwa_device *device, uint32_t wavelength, rwa_error *err);
