/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demands while their file is being read. */
#pragma once

#include "base/names.h"
#include "rwa/demand.h"

#include <stdbool.h>

/** One demand as the file gives it. */
struct demand_row {
    uint32_t src, dst, via;     /**< via RWA_NONE: no node to pass */
    uint64_t count;             /**< lightpaths; 0: nothing is asked for */
    uint64_t width;             /**< slots; 0: not given */
    double rate_bps;            /**< 0: not given */
};

/** Start with {.file = …, .net = …, .model = …, .err = …} and demand_list_open(). */
struct demand_list {
    const char *file;
    size_t line;            /**< 0: item names the place */
    char item[64];
    const rwa_network *net;
    rwa_model model;
    rwa_error *err;
    struct names names;     /**< of the nodes that have one */
    uint32_t *nodes;        /**< the node of a name */
    bool numbers_are_names; /**< some node's name is a number, so numbers in the file are names */
    struct demand_row *rows;
    size_t count;
};

/** The fields of a demand in a file, in the order of their names: names of columns, and of members in JSON.  After
 *  these names come two more pairs of column names for the ends. */
enum demand_field {
    DEMAND_SRC,
    DEMAND_DST,
    DEMAND_COUNT,
    DEMAND_VIA,
    DEMAND_WIDTH,
    DEMAND_RATE,
    DEMAND_FIELDS,
    DEMAND_NAMES = DEMAND_FIELDS + 4
};
extern const char *const demand_fields[DEMAND_NAMES];

rwa_status demand_list_open(struct demand_list *d);
void demand_list_free(struct demand_list *d);
/** Fail with RWA_FORMAT and a message that begins with "FILE:LINE: " or "FILE: ITEM: ". */
#define demand_list_fail(d, ...) base_fail_at((d)->err, (d)->file, (d)->line, (d)->item, __VA_ARGS__)
/** Set *node to the node with the name `text`, or else to the node with the number `text`, from 0.  If some node has
 *  digits as its name, `text` is not taken as a number; with by_place it is always taken as one.  RWA_FORMAT: there is
 *  no such node, or several have that name. */
rwa_status demand_list_node(struct demand_list *d, const char *text, bool by_place, uint32_t *node);
/** Read a whole number that is not negative into *number.  Return false if the text is not one. */
bool demand_whole(const char *text, uint64_t *number);
/** Set *count to the number of lightpaths of the network's rate that carry amount * unit_bps bit/s.  If unit_bps is 0,
 *  the amount is the number of lightpaths. */
rwa_status demand_list_count(struct demand_list *d, double amount, double unit_bps, uint64_t *count);
/** Set row->count to the number of lightpaths that an amount needs (demand_list_count()).  On a flexible grid, a rate
 *  (unit_bps > 0) needs one lightpath, of that rate: row->rate_bps. */
rwa_status demand_list_amount(struct demand_list *d, double amount, double unit_bps, struct demand_row *row);
rwa_status demand_list_add(struct demand_list *d, const struct demand_row *row);
/**
 * Add the demand of these fields, each a text; a field that is not given is "".
 * @param number    NULL; or number[f]: field f was a JSON number.  If so, a node is given by its number, even if
 *                  another node has this number as its name, and a rate counts in unit_bps
 * @param unit_bps  amounts count in units of this rate; 0: an amount is a number of lightpaths, and rates are in bit/s
 */
rwa_status demand_list_take(struct demand_list *d, const char *const field[DEMAND_FIELDS], const bool *number,
                            double unit_bps);
/** Add the demands of a matrix: counts[u * nodes + v] lightpaths from node u to node v.  If demands are undirected, the
 *  larger of the two entries of a pair counts. */
rwa_status demand_list_matrix(struct demand_list *d, const uint64_t *counts);
/** Create the set of the demands that were read.  Errors as demands_make(), with the name of the file. */
rwa_status demand_list_finish(rwa_demands **out, struct demand_list *d);

/** Read demands from a JSON text into the list. */
rwa_status demand_list_json(struct demand_list *d, const char *text, size_t length);

/* ---- demands.c ---- */

/** Create a demand set as rwa_demands_create() does, in which demand i has the width widths[i] in slots and the bit
 *  rate rates[i].  widths NULL: all are 1; rates NULL: none is known. */
rwa_status demands_make(rwa_demands **out, uint32_t nodes, const rwa_demand *list, size_t count, const uint32_t *widths,
                        const double *rates, rwa_error *err);
