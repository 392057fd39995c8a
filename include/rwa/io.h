/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules as files: JSON Lines, format "rwa-schedule" versions 1 to 3 (docs/reference/formats.md), plain or gzip.
 *  Both directions stream. */
#ifndef RWA_IO_H
#define RWA_IO_H

#include "rwa/schedule.h"

/**
 * Write a schedule to a file.  The file appears whole or not at all: the function renames a temporary file at the end.
 * @param path  ".gz" at its end means gzip; "-" writes to standard output (no temporary)
 * @return RWA_OK; RWA_IO: cannot create, disk full, rename refused (the old file is intact); RWA_BADARG: a network
 *         whose links do not fit a header; RWA_NOMEM
 */
RWA_API rwa_status rwa_schedule_write(const rwa_schedule *sched, const char *path, rwa_error *err);

/** Write a schedule as rwa_schedule_write() does, and call `poll` (NULL: none) now and then.  RWA_CANCELLED: the poll
 *  stopped the work, and there is no file. */
RWA_API rwa_status rwa_schedule_write_polled(const rwa_schedule *sched, const char *path, rwa_poll poll, void *data,
                                             rwa_error *err);

/** Pass the bytes of the file of rwa_schedule_write(), not compressed, to the function `write`.  Errors as there;
 *  RWA_CANCELLED: the function stopped the output. */
RWA_API rwa_status rwa_schedule_stream(const rwa_schedule *sched, rwa_write write, void *data, rwa_error *err);

/**
 * Read a whole schedule into memory.
 * @param[out] out  new schedule, caller frees with rwa_schedule_free()
 * @param limits    most bytes of the file, and most nodes of its network; NULL: no limits of the caller's
 * @return RWA_OK; RWA_FORMAT with FILE:LINE: not JSON, a member missing or ill-typed, a last line cut short, damaged
 *         gzip (also when something else follows it), a version this library does not know, a record outside the
 *         header's ranges; RWA_IO; RWA_NOMEM
 */
RWA_API rwa_status rwa_schedule_read(rwa_schedule **out, const char *path, const rwa_limits *limits, rwa_error *err);

/** The header of a file; new members are added only at its end. */
typedef struct rwa_header {
    uint32_t version;               /**< of the format */
    rwa_network *network;
    rwa_collective collective;
    uint32_t *members;              /**< as rwa_schedule_members() */
    char *scheme;
    uint32_t steps;                 /**< the records may claim otherwise, as with the next three */
    uint32_t lightpath_blocks;      /**< most blocks of a lightpath */
    uint64_t lightpaths;            /**< UINT64_MAX: the file does not say */
    uint32_t *cuts;                 /**< as rwa_schedule_epoch_cuts(): cut_count of them, none above `steps` */
    size_t cut_count;
} rwa_header;

/** A reader of a file, record by record; memory for one line. */
typedef struct rwa_reader rwa_reader;

/** Open a file (gzip recognised by its first bytes; "-" is standard input) and read its header.  The caller frees
 *  *out with rwa_reader_free().  Limits and errors as rwa_schedule_read(). */
RWA_API rwa_status rwa_reader_open(rwa_reader **out, const char *path, const rwa_limits *limits, rwa_error *err);
RWA_API void rwa_reader_free(rwa_reader *reader);
/** Return the header of the file; it lives as long as the reader. */
RWA_API const rwa_header *rwa_reader_header(const rwa_reader *reader);
RWA_API uint64_t rwa_reader_line(const rwa_reader *reader);    /**< of the record last read */

/**
 * Read the next record, exactly as it is in the file: the reader does not compare it with the header.  A number too
 * large for its field becomes the field's largest value, which no network allows.
 * @param[out] got  1 with a record, 0 at the end of the file
 * @return RWA_OK; RWA_FORMAT with FILE:LINE; RWA_IO; RWA_NOMEM
 */
RWA_API rwa_status rwa_reader_next(rwa_lightpath *out, int *got, rwa_reader *reader, rwa_error *err);
/** Set *out to the lists of the record that rwa_reader_next() read last.  They live until its next call. */
RWA_API void rwa_reader_lists(rwa_lists *out, const rwa_reader *reader);

#endif
