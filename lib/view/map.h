/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An assignment on the map of its network: all links between two nodes are one line, which shows how full they are. */
#pragma once

#include "view/spectrum_map.h"
#include "view/svg_map.h"

/** A line of the map: all links between two nodes. */
struct map_line {
    uint32_t rows;      /* fibres, of both directions when links are directed */
    uint64_t taken;     /* slots of all its rows that lightpaths take */
    uint32_t counted;   /* its length in the proof of the bound; 0: the proof does not count it */
};

struct map {
    struct spectrum_map spectrum;
    struct places places;
    struct map_line *lines; /* each at the directed link that stands for it; the others have no rows */
    const char *proof;      /* NULL: none is shown */
    uint32_t *lengths;      /* of each directed link in the proof; 0: not counted */
    uint32_t *side;         /* of each node: 1 on one side of the proof's cut */
    rwa_view_options opts;
    struct arena arena;
};

/** Set m to the map of an assignment: its spectrum, positions of nodes, and lines.  Call arena_free(&m->arena)
 *  afterwards, also after a failure.  RWA_BADARG: an option, no lightpath with a slot, too much to draw; RWA_NOMEM;
 *  RWA_BACKEND.  Cost of places_open() and spectrum_map_open(). */
rwa_status map_open(struct map *m, const rwa_assignment *result, const rwa_view_options *opts, rwa_error *err);
/** Store what proves an assignment's bound: in lengths[] the length of each directed link (0: not counted).  If the
 *  proof is a cut, store 1 in side[v] for each node v on one side.  Both arrays must be zeros before. */
void map_mark_proof(uint32_t *lengths, uint32_t *side, const rwa_assignment *r);
/** Add the nodes of a map to the data of a page: positions and names. */
void map_add_spots(struct text *t, const struct places *p, const rwa_network *net);
/** Add the words of a proof and the side of each node, 0 or 1, to the data of a page.  The caller may add more to the
 *  proof, and ends it by "}". */
void map_add_proof(struct text *t, const char *words, const uint32_t *side, uint32_t nodes);
