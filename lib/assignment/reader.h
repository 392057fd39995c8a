/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads assignment files record by record, exactly as written. */
#pragma once

#include "assignment/assignment.h"
#include "base/json.h"
#include "base/lines.h"

/** The most that a file's next_lightpath may be: a JSON number holds all below it exactly. */
#define LIGHTPATH_MOST (UINT64_C(1) << 53)

/** Numbers of a record; a number too large for its field becomes the largest value, which is never valid. */
struct assignment_numbers {
    uint32_t *list;
    size_t count;
};

/** A line without its lists. */
struct assignment_record {
    uint64_t line, demand;
    uint32_t src, dst, via;             /**< via: RWA_NONE without one */
    rwa_role role, lost;                /**< lost: of the backup that a working route has lost; RWA_WORKING: none */
    bool down;                          /**< marked down: it keeps its channels and carries nothing */
    bool has_fibers, has_wavelengths;   /**< those of its links differ */
    bool routed;                        /**< false: no route, and only demand, src, dst and why are set */
    uint32_t hops, fiber, wavelength;
    uint32_t width, guard;              /**< slots from `wavelength` on */
    double rate_bps;                    /**< 0: not known */
    const char *why;                    /**< of root, as modulation; NULL: none is given */
    const char *modulation;             /**< NULL: none is named */
    const char *tag;                    /**< of a working route; NULL: none */
    uint64_t lightpath;                 /**< of a working route: its number in a state; 0: it has none */
    size_t at;                          /**< for a caller that keeps lists */
};

/** Start with {0}; assignment_close() must follow assignment_open(), failed or not. */
struct assignment_reader {
    rwa_error *err;             /**< of the call that reads */
    rwa_status status;          /**< its first failure */
    struct arena memory;        /**< of the lists of the header */
    struct lines lines;
    rwa_network *net;           /**< of the header: pairs of links when undirected, single ones when directed */
    rwa_model model;
    uint64_t demands;
    bool wide;                  /**< version 2: lightpaths have widths and guards */
    uint32_t wavelengths;
    bool protection;
    uint64_t next_lightpath;    /**< numbers of lightpaths rise with their demands and stay below this; 0: lightpaths
                                     have no numbers */
    uint64_t last_lightpath, last_demand;   /**< of the last line with a number; 0: none so far */
    struct assignment_failure *failures;
    size_t failure_count;
    struct assignment_numbers converters;
    rwa_certificate claim;      /**< the bound of the file; its name is claim_name, NULL: there is none; lengths
                                     belong to the reader */
    char claim_name[32];        /**< as the file says, in small letters and "-"; else "claimed" */
    rwa_odd_set *odd_sets;      /**< of a bound by odd cuts: odd_set_count sets of nodes of the network */
    size_t odd_set_count;
    json_t *root;               /**< the line of the record */
    struct assignment_record record;
    /* the lists of the record: */
    struct assignment_numbers path;       /**< nodes */
    struct assignment_numbers links;      /**< count 0: none given */
    struct assignment_numbers hop_fibers, hop_wavelengths;  /**< for each link; count 0: the same on all links */
    rwa_remedy *remedies;               /**< of a record without a route; demand is the record's */
    size_t remedy_count;
};

/** Open a file and read its header.  RWA_FORMAT with FILE:LINE; RWA_IO; RWA_NOMEM. */
rwa_status assignment_open(struct assignment_reader *r, const char *path, rwa_error *err);
/** Read the next record into r->record; *got is 0 at the end of the file.  RWA_FORMAT with FILE:LINE; RWA_IO;
 *  RWA_NOMEM. */
rwa_status assignment_next(struct assignment_reader *r, int *got, rwa_error *err);
/** Return the directed link of hop k (from 0) of the path of r->record.  RWA_NONE: no link joins the two nodes of this
 *  hop, or the record names a link that does not join them. */
uint32_t assignment_hop(const struct assignment_reader *r, size_t k);
void assignment_close(struct assignment_reader *r);

/** Set *is to whether the first line of a file is the header of an assignment.  It is false if the file cannot be
 *  read, and for pipes and standard input, which could not be read a second time.  RWA_NOMEM. */
rwa_status assignment_is_file(bool *is, const char *path, rwa_error *err);
