/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The measures of a drawing of a schedule and of its panels, one panel for each step. */
#pragma once

#include "schedule/raster.h"
#include "view/svg_map.h"

/** The measures of a drawing, in pixels unless noted. */
struct sheet {
    struct text *t;
    const rwa_network *net;
    uint32_t sides;         /* of the rasters */
    bool full;              /* lightpath by lightpath; else by density */
    bool picture;           /* the ring, or the network, is drawn */
    double radius, cx, cy;  /* of the circle of nodes in the step in work */
    double lane;            /* between two wavelengths */
    double picture_size, picture_height;    /* of a picture */
    double cell, row;       /* of a grid */
    uint32_t columns, rows; /* of a grid and side */
    double panel, height;   /* a step: picture above grids */
    uint32_t per_row;       /* panels */
    bool tapped;            /* some lightpath has taps */
    uint32_t keys;          /* channels in the legend; colours repeat after them */
    const rwa_view_options *options;
    struct places places;   /* of a picture */
    struct svg_map map;
    struct view_times times;
};

/** Tell whether a lightpath is drawn: if the options name a block to follow, only lightpaths that carry it are. */
bool sheet_shows(const struct sheet *s, const struct walk *path);
/** Add the tooltip of a lightpath: end nodes, hops, channel and blocks. */
void sheet_title(const struct sheet *s, const struct walk *path);
/** Begin the group of a lightpath that is drawn as a line, in the colour of its channel.  The caller continues with the
 *  points of the line. */
void sheet_open_line(const struct sheet *s, uint32_t channel, double width);
/** Draw the dot of a tap, a node on the route that also receives, on a line or bar of this width. */
void sheet_tap(const struct sheet *s, double x, double y, double width);

/** For a network whose links are listed: network_picture_plan() computes the size of its picture,
 *  network_picture_draw() draws a step of it at (x, y).  The positions of the nodes, s->places, must be known.
 *  RWA_NOMEM. */
void network_picture_plan(struct sheet *s);
rwa_status network_picture_draw(struct sheet *s, double x, double y, uint32_t step, const struct raster *r);
