/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The map of a network in a drawing: every link once, nodes with numbers and names. */
#pragma once

#include "view/places.h"
#include "view/view.h"

/** A class of fullness, with a colour that readers without red-green vision can distinguish, and a width that can be
 *  told apart in print. */
struct fullness {
    double share;   /* the largest share of busy channels in this class */
    const char *color, *words;
    double width;
};
/** All classes; behind the last one is one without a colour. */
extern const struct fullness svg_map_fullness[];

struct svg_map {
    struct text *t;
    const rwa_network *net;
    const struct places *places;
    struct arena *memory;
    double size;            /* pixels along a side of the unit square; 0: svg_map_plan() chooses */
    bool small;             /* names are of 10 pixels, not 12 */
    double edge, rise;      /* margins beside the unit square, and above and below it */
    double width, height;   /* of the whole map */
    double left, top;       /* where it stands in the drawing */
};

/** A link in the drawing: a cubic Bézier curve whose first and last points are its ends. */
struct svg_curve {
    double x[4], y[4];
};

/** Compute the size and the margins of a map, and m->size, its scale, if that is 0.  m->t, m->net and m->places must be
 *  set.  beside: how far the lightpaths beside a link reach, in pixels */
void svg_map_plan(struct svg_map *m, double beside);
/** Return the curve of directed link l, moved `off` pixels to the right of the link. */
struct svg_curve svg_map_curve(const struct svg_map *m, uint32_t l, double off);
/** Add a curve to an SVG path.  to: "M" begins a line, "L" continues one. */
void svg_map_add(struct text *t, const char *to, const struct svg_curve *c);
/** Draw all links between the ends of `link` as one line, whose width and colour show that `busy` of `most` channels
 *  are in use.  busy NAN: unknown.  look: CSS classes to add, " failed", " dim" or " cut"; "" for none. */
void svg_map_line(const struct svg_map *m, uint32_t link, double busy, double most, const char *look);
/** Draw all nodes with their numbers and names; nodes with side[v] != 0 have another colour (side NULL: none).  A name
 *  covers no other name and is nearer to its node than to any other; without space for that it is left out.  Nodes with
 *  the most links choose first.  RWA_NOMEM. */
rwa_status svg_map_nodes(const struct svg_map *m, const uint32_t *side);
/** Add the layout of the map in several sizes, among which a page chooses, to the data of the page.  A size has its
 *  margins and, for each node, the position of the node's name; 0: the name is not drawn.  RWA_NOMEM. */
rwa_status svg_map_sizes(struct text *t, const rwa_network *net, const struct places *places, struct arena *memory);
/** Add the legend of the lines (which colour stands for which share of channels in use), on one line. */
void svg_map_legend(const struct svg_map *m, double x, double y);
/** The CSS of what these functions draw. */
#define SVG_MAP_STYLE                                                                                      \
    ".link{fill:none}.dim{opacity:.25}.cut{stroke:#c2185b;stroke-width:8}.node{fill:#fff;stroke:currentColor}"  \
    ".side{fill:#f4b5cd}.name{font-size:12px}"                                                                    \
    ".failed{fill:none;stroke:#d40000;stroke-width:3;stroke-dasharray:5 4}"
