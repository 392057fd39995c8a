/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The interface of the export formats of schedules, networks and assignments: each format has a file and a line in
 *  formats.c, those of assignments in design/design.c. */
#pragma once

#include "rwa/foreign.h"

#include "base/sink.h"
#include "foreign/folder.h"
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
    struct sink sink;       /* of the file, or the caller's function in its place */
    struct folder folder;   /* in place of a file */
    struct arena memory;    /* of the names, and of what a format needs until the file is complete */
    const char **names;     /* of the nodes in the file, by export_names() */
    rwa_error *err;
};

/** What a format needs, as flags. */
enum {
    EXPORT_UNTAPPED = 1,    /* lightpaths with one receiver */
    EXPORT_PLAIN = 2,       /* also, all nodes take part */
    EXPORT_SINGLE = 4,      /* also, one block on a lightpath */
    EXPORT_ARCS = 8,        /* a ring or a line, and no taps */
    EXPORT_LINKS = 16,      /* links between nodes: no coupler or switches that all share */
    EXPORT_GRID = 32,       /* a device whose grid has the network's wavelengths */
    EXPORT_FOLDER = 64,     /* a new folder with several files */
    EXPORT_ONE_FILE = 128,  /* a single file in place of the folder, for one node in one step */
};

struct export_format {
    const char *name;
    /* Adds the file to the text, which writes itself; in a folder, export_end_file() ends each file. */
    rwa_status (*put)(struct text *t, struct export_request *r);
    unsigned needs;
};

extern const struct export_format export_csv, export_nodes, export_settings, export_openconfig, export_harvest,
    export_msccl, export_mscclpp, export_chakra, export_gnpy, export_sndlib, network_graphml, network_json,
    network_sndlib, network_gnpy;

/** Write the request r in the format named `format`: the one of formats[] whose index listed() gives that name.
 *  RWA_BADARG: no such format, or the request lacks what the format needs. */
rwa_status export_by(const struct export_format *const *formats, const char *(*listed)(size_t i), const char *format,
                     struct export_request *r);

/** Poll the budget before step number `step` is written.  RWA_CANCELLED with a message: the work must stop.  If writing
 *  has failed before, return the status of r->sink.text. */
rwa_status export_go_on(struct export_request *r, uint32_t step);
/** End a document of a folder: write the text so far to the file `name`, which may contain a subfolder, and empty the
 *  text.  In an export to a single file do nothing, since the text is that file. */
rwa_status export_end_file(struct export_request *r, const char *name);
/** Set r->hold to the steps in which the lightpaths of each record are up, by the cost model of the options.  With the
 *  model `paper`, or without a model, r->hold stays NULL: the lightpaths are up only in the record's own step. */
rwa_status export_hold(struct export_request *r);

/** Return "cw" or "ccw". */
static inline const char *export_direction(rwa_direction direction)
{
    return direction == RWA_CCW ? "ccw" : "cw";
}

/** Set band[0] and band[1] to the lower edge of wavelength `first` and the upper edge of wavelength `last` in MHz, on
 *  the grid of a device.  RWA_BADARG: the profile has no grid, or the edges are not whole MHz. */
rwa_status export_band_mhz(uint64_t band[2], const rwa_device *device, uint32_t first, uint32_t last, rwa_error *err);

/** Set r->names, the names of the nodes in the file, to the network's if all nodes have different names that allowed()
 *  accepts.  Otherwise, or if `allowed` is NULL, node 7 becomes "n7".  RWA_NOMEM */
rwa_status export_names(struct export_request *r, bool (*allowed)(const char *name));
/** Return true: accept the name, whichever it is.  For export_names(). */
bool export_any_name(const char *name);
