/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The interface of the export formats: each format has a file and a line in formats.c. */
#pragma once

#include "rwa/foreign.h"

#include "foreign/output.h"
#include "schedule/schedule.h"

struct export_request {
    const rwa_schedule *sched;
    const rwa_network *net;
    const rwa_collective *coll;
    const char *path;
    rwa_export_options o;
    uint32_t from, to;      /* the steps asked for */
    rwa_hold *hold;         /* when each record is up; NULL: in its own step */
    struct budget budget;
    rwa_error *err;
};

struct export_format {
    const char *name, *summary;
    rwa_status (*put)(struct output *out, struct export_request *r);    /* of one stream */
    rwa_status (*write)(struct export_request *r);                      /* of several files; NULL: put */
};

extern const struct export_format export_csv, export_nodes, export_settings, export_openconfig, export_harvest,
    export_msccl, export_mscclpp, export_chakra, export_gnpy, export_sndlib;

/** RWA_CANCELLED with a message when the caller cancels; call it before each step. */
rwa_status export_go_on(struct export_request *r, uint32_t step);
/** Find r->hold by the options' cost model. */
rwa_status export_hold(struct export_request *r);
/** RWA_BADARG unless the network is a ring or a line, on which nothing is tapped. */
rwa_status export_needs_arcs(const struct export_request *r, const char *format);

/** RWA_BADARG if the caller gave a function for the bytes: a folder has several files, and the function receives a
 * single stream. */
rwa_status export_needs_folder(const struct export_request *r, const char *format);
/** RWA_BADARG where only some nodes take part, or a lightpath is tapped or carries more than `most` blocks: some
 * formats cannot express these. */
rwa_status export_needs_plain(const struct export_request *r, const char *format, uint32_t most);
/** RWA_BADARG where a lightpath is tapped. */
rwa_status export_needs_untapped(const struct export_request *r, const char *format);

/** "cw" or "ccw". */
static inline const char *export_direction(rwa_direction direction)
{
    return direction == RWA_CCW ? "ccw" : "cw";
}

/** Slot of a wavelength on a device's grid, from band[0] to band[1] MHz; RWA_BADARG when the profile has no grid or it
 * is not in whole MHz. */
rwa_status export_slot_mhz(uint64_t band[2], const rwa_device *device, uint32_t wavelength, rwa_error *err);
/** RWA_BADARG unless there is a device whose grid has the network's wavelengths. */
rwa_status export_needs_grid(const struct export_request *r, const char *format);
