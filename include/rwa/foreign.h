/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Export of schedules to controllers and simulators, and import of schedules of other planners. */
#ifndef RWA_FOREIGN_H
#define RWA_FOREIGN_H

#include "rwa/assign.h"
#include "rwa/plan.h"

#define RWA_EXPORT_ALL UINT64_MAX

typedef struct rwa_export_options {
    size_t struct_size;         /**< set by init */
    uint32_t step;              /**< only this step; 0: every step */
    uint64_t node;              /**< only this node, where a format is per node; default RWA_EXPORT_ALL */
    int changes;                /**< nodes, settings: only the settings that differ from the step before; in each step
                                     the nodes with the fewest changes come first */
    int csv;                    /**< nodes: a table instead of JSON Lines */
    const rwa_device *device;   /**< openconfig and gnpy: the grid of frequencies; borrowed */
    rwa_poll poll;
    void *poll_data;
    rwa_write write;            /**< NULL, or the function that receives the bytes in place of the file; path is then
                                     ignored.  Formats that write several files refuse it; openconfig accepts it for one
                                     step of one node */
    void *write_data;
    const rwa_cost_options *cost;   /**< nodes, settings, openconfig: rwa_cost_holds() under these options gives the
                                         lightpaths that are up in a step; harvest: for the times; NULL: the model
                                         paper; borrowed */
} rwa_export_options;

RWA_INIT(rwa_export_options)

/** Return the name of format i = 0, 1, … in which schedules can be written; NULL past the end. */
RWA_API const char *rwa_schedule_format_name(size_t i);

/**
 * Write a schedule in another format, whole or not at all.
 * @param format  a name from rwa_schedule_format_name()
 * @param path    a file ("-": standard output, ".gz": gzip).  openconfig: a new folder with a file step-S/nV.json for
 *                each step and node, but a file if both a step and a node are chosen; chakra: a new folder with a file
 *                trace.V.et for each node
 * @param opts    NULL for the defaults; a format ignores options that it does not use
 * @return RWA_OK; RWA_BADARG: unknown format, a network or collective that the format cannot express, a step or node
 *         outside the schedule, no device for a format that needs one; RWA_IO; RWA_NOMEM; RWA_CANCELLED.  Cost
 *         O(lightpaths), for nodes and openconfig O(sum of their hops); memory for one step
 */
RWA_API rwa_status rwa_schedule_export(const rwa_schedule *sched, const char *format, const char *path,
                                       const rwa_export_options *opts, rwa_error *err);

/** Return the name of format i = 0, 1, … in which networks can be written; NULL past the end. */
RWA_API const char *rwa_network_format_name(size_t i);

/**
 * Write a network to a file.  graphml takes every network; the coupler or switches of star, ron and ocs become further
 * nodes.  json is the project's own format, gnpy a topology.  sndlib needs links that come in pairs.
 * @param format  a name from rwa_network_format_name()
 * @param path    as rwa_schedule_write()
 * @return RWA_OK; RWA_BADARG: unknown format, a network that the format cannot express; RWA_IO; RWA_NOMEM.  Cost
 *         O(nodes + links)
 */
RWA_API rwa_status rwa_network_write(const rwa_network *net, const char *format, const char *path, rwa_error *err);
/** Write a network as rwa_network_write() does, but pass the text piece by piece to the function `write`.  Errors as
 *  there; RWA_CANCELLED: the function stopped the output. */
RWA_API rwa_status rwa_network_stream(const rwa_network *net, const char *format, rwa_write write, void *data,
                                      rwa_error *err);

/** Return the name of format i = 0, 1, … in which assignments can be written; NULL past the end. */
RWA_API const char *rwa_assignment_format_name(size_t i);

/**
 * Write an assignment in another format.  csv and table have a line for each lightpath: demand, ends, route, fibre and
 * wavelength.  gnpy is a new folder with topology.json, equipment.json and services.json.  sndlib has the network, the
 * demands and the routes.
 * @param format  a name from rwa_assignment_format_name()
 * @param path    as rwa_schedule_write(); gnpy: a folder that does not exist
 * @param opts    NULL for the defaults; only `write` and `device` are read; the device gives the grid of gnpy, and the
 *                rate of gnpy and sndlib (without a device 50 GHz from 191.4 THz, and the rate of the network)
 * @return RWA_OK; RWA_BADARG: unknown format, sndlib for a link that has no link back, wavelengths outside the
 *         amplifiers' band, lightpaths that a format cannot express; RWA_IO; RWA_NOMEM.  Cost O(hops of all routes)
 */
RWA_API rwa_status rwa_assignment_export(const rwa_assignment *result, const char *format, const char *path,
                                            const rwa_export_options *opts, rwa_error *err);

typedef struct rwa_import_options {
    size_t struct_size;             /**< set by init */
    const char *format;             /**< a name from the table of imports; NULL: recognised from the beginning of the
                                         file */
    rwa_collective_kind collective; /**< 0: as the file says, or else all-gather */
    uint32_t root;                  /**< used if the file names no root */
    uint64_t message_bytes;         /**< used if the file gives no sizes; default 4 MiB */
    uint64_t blocks;                /**< 0: as the file says, or else the default number */
    const rwa_plan_options *plan;   /**< for rwa_plan_transfers(), which adds missing routes; borrowed; NULL:
                                         defaults */
} rwa_import_options;

RWA_INIT(rwa_import_options)

/** Return the name of format i = 0, 1, … from which schedules can be read; NULL past the end. */
RWA_API const char *rwa_import_format_name(size_t i);

/** Numbers of an imported file; an answer in the sense of docs/reference/versions.md. */
typedef struct rwa_import {
    const char *format;             /**< a constant */
    uint32_t steps;                 /**< in the file; the schedule has more where one step needs too many channels */
    int routes_assigned;            /**< 1: librwa assigned routes, fibres and wavelengths */
    int blocks_assigned;            /**< 1: the file gives numbers of blocks only, and librwa chose the blocks */
} rwa_import;

/**
 * Read another planner's schedule in one of these formats (docs/reference/formats.md):
 * - csv: the table that rwa_schedule_export() writes
 * - msccl: a program (XML) of an all-gather or all-reduce; independent transfers share a step
 * - harvest: steps of demands or topologies (JSON) of an all-gather, broadcast, reduce-scatter or all-to-all
 * - mscclpp: an MSCCL++ execution plan (JSON); teccl: flows of TE-CCL (JSON); forestcoll: spanning trees (XML); chakra:
 *   a folder of execution traces (protobuf)
 * @param[out] out    new schedule, caller frees with rwa_schedule_free(); call rwa_check_schedule() on it
 * @param[out] found  NULL, or receives the numbers of the imported file
 * @param size        sizeof *found; the macro rwa_schedule_import() passes it
 * @param path        gzip is recognised; "-": standard input
 * @param net         the network of the schedule; borrowed; NULL: the one in the comment of a csv; files of other
 *                    formats contain none
 * @param opts        NULL for the defaults
 * @return RWA_OK; RWA_FORMAT: "FILE:LINE: what is wrong, and what was expected"; RWA_BADARG: unknown format, a
 *         collective that the format cannot express, transfers that rwa_plan_transfers() refuses; RWA_IO;
 *         RWA_NOMEM; RWA_BACKEND; RWA_CANCELLED
 */
RWA_API rwa_status rwa_schedule_import_sized(rwa_schedule **out, rwa_import *found, size_t size, const char *path,
                                             const rwa_network *net, const rwa_import_options *opts, rwa_error *err);
#define rwa_schedule_import(out, found, ...) rwa_schedule_import_sized((out), (found), sizeof(rwa_import), __VA_ARGS__)

/** The verdict on a document of media channels.  Immutable; free it with rwa_media_check_free(). */
typedef struct rwa_media_check rwa_media_check;

/** The numbers of a verdict.  The verdict owns the record; new members are added only at its end. */
typedef struct rwa_media_report {
    int ok;                     /**< 1: no violation */
    uint64_t channels;
    uint64_t violations;        /**< all of them, counted */
    size_t named;               /**< violations with a text: at most the first 20 */
} rwa_media_report;

/**
 * Check an OpenConfig wavelength-router document.  Violations are a slot whose upper frequency is not above its lower
 * one, slots that overlap on one port, a slot outside the device's band, a port that is no component, and a duplicate
 * index.
 * @param[out] out  new verdict, caller frees with rwa_media_check_free(); NULL on failure
 * @param device    its grid is the band; borrowed; NULL: the band is not checked
 * @return RWA_OK for any verdict; RWA_FORMAT: not such a document; RWA_IO; RWA_NOMEM.  Cost O(channels log channels)
 */
RWA_API rwa_status rwa_media_check_file(rwa_media_check **out, const char *path, const rwa_device *device,
                                        rwa_error *err);
RWA_API void rwa_media_check_free(rwa_media_check *check);
/** Return the report of a verdict, which lives as long as the verdict; NULL for NULL. */
RWA_API const rwa_media_report *rwa_media_check_summary(const rwa_media_check *check);
/** Return violation i, 0 … named - 1, in one line; NULL past the end. */
RWA_API const char *rwa_media_check_violation(const rwa_media_check *check, size_t i);

#endif
