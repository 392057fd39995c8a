/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The spectrum of an assignment as a table: a row for each fibre of a link, a column for each slot. */
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "rwa/assign.h"

/* Values of a cell. */
#define SPECTRUM_FREE 0
#define SPECTRUM_RESERVED UINT32_MAX
#define SPECTRUM_SHARED (UINT32_MAX - 1)    /* of several shared backups */
#define SPECTRUM_GUARD (UINT32_C(1) << 31)   /* of lightpath (cell & ~SPECTRUM_GUARD) - 1 */
enum { SPECTRUM_LABEL = 24 };

/** The table of an assignment's spectrum.  Its rows are the fibres of the carriers, which are fibre pairs in the
 *  undirected model, else directed links. */
struct spectrum_map {
    const rwa_assignment *result;    /* borrowed */
    uint32_t carriers, slots, rows;
    uint32_t *first_row;        /* of each carrier */
    uint32_t *carrier;          /* of each row */
    uint32_t *cells;            /* rows * slots: FREE, RESERVED, SHARED, or the number of a route plus 1, with GUARD */
    uint64_t *taken;            /* slots of each row that lightpaths take */
    uint64_t rectangles;        /* hops of all routes */
    bool shared;                /* some cell is SHARED */
};

/** Set m to the table of an assignment's spectrum.  RWA_BADARG: no lightpath has a slot, too many links and slots;
 *  RWA_NOMEM.  Cost O(links * slots + hops of all routes times their slots). */
rwa_status spectrum_map_open(struct spectrum_map *m, const rwa_assignment *result, struct arena *memory);
uint32_t *spectrum_cell(const struct spectrum_map *m, uint32_t row, uint32_t slot);
/** Return the carrier of a directed link: its fibre pair in the undirected model, else itself.  spectrum_link_of()
 *  returns a directed link of a carrier. */
uint32_t spectrum_carrier_of(const struct spectrum_map *m, uint32_t link);
uint32_t spectrum_link_of(const struct spectrum_map *m, uint32_t carrier);
/** The name of a row: "Bonn-Celle", or "3-7 /1" for fibre 1 of a link with several fibres. */
struct spectrum_label {
    char text[2 * SPECTRUM_LABEL];
};
struct spectrum_label spectrum_name_row(const struct spectrum_map *m, uint32_t row);
