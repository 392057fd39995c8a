/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Drawings: lightpaths round the ring, clockwise ones outside and counter-clockwise ones inside, or along the links of
 *  the network, and grids of links by wavelengths.  Colour and distance from the nodes both show the wavelength:
 *  colour alone would exclude some readers.  A network is drawn as a map: each link once, with width and colour by the
 *  share of its channels that are busy.  The lightpaths of a followed block lie on it, each direction to the right of
 *  its link. */
#include "network/network.h"
#include "schedule/raster.h"
#include "view/svg_map.h"

/** Pixels.  Panels stand in rows; steps beyond STEPS_DRAWN are left out, and a note is drawn. */
enum {
    SHEET_WIDTH = 640,
    MARGIN = 16,
    HEADING = 44,
    STEPS_DRAWN = 24,
    GRID_COLUMNS = 96,
    GRID_ROWS = 16,
    BAND = 64,
    CAPTION_LEFT = 122,
    KEY_LINE = 16,
    KEY_LABEL = 86,
    NUMBER_KEY = 150,
    MIDDLE = 2              /* between the two directions of a link */
};

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
    struct arena memory;
    struct places places;   /* of a picture */
    struct svg_map map;
    struct view_times times;
};

/** The caption of a step: its lightpaths, and the share of busy channels. */
#define CAPTION "%" PRIu64 " lightpaths, %.0f %% of the channels busy"

#define KEPT ", kept"

/** Return the width in pixels of the longest caption of a panel, without the margin beside the panel. */
static double caption_width(const struct sheet *s, const rwa_schedule *sched)
{
    enum { TIMES = 34, EPOCH = 14 };    /* letters, each a little wider than half its height */
    double times = 5.4 * ((s->times.begin_s ? TIMES : 0) + (s->times.epoch ? EPOCH : 0));
    return times + CAPTION_LEFT + 5.4 * snprintf(NULL, 0, CAPTION "%s", rwa_schedule_lightpaths(sched), 100.0,
                                         view_kept_steps(rwa_schedule_network(sched)) > 0 ? KEPT : "") - MARGIN;
}

/** Return the distance in pixels between the lines of neighbouring wavelengths beside a link. */
static double lane_width(const struct sheet *s)
{
    return fmin(4, 20.0 / raster_channels(s->net));
}

/** Set the size of the picture above the grids of a step, which shows the ring or the network; 0 without a picture.
 *  channels: the channels of a link */
static rwa_status plan_picture(struct sheet *s, uint32_t channels)
{
    s->lane = channels > 8 ? (double)BAND / channels : 9;
    s->radius = fmax(60 + s->lane * channels, rwa_network_nodes(s->net) * 3.2);
    s->picture_size = s->picture_height = s->picture ? 2 * (s->radius + s->lane * channels + 26) : 0;
    if (!s->picture)
        return RWA_OK;
    MUST(places_open(&s->places, s->net, &s->memory));
    s->map = (struct svg_map){.t = s->t, .net = s->net, .places = &s->places, .memory = &s->memory};
    if (s->sides == 2) {
        s->map.size = 2 * s->radius;
        return RWA_OK;
    }
    svg_map_plan(&s->map, MIDDLE + lane_width(s) * channels);
    s->picture_size = s->map.width;
    s->picture_height = s->map.height;
    return RWA_OK;
}

/** Set in s the measures of the drawing of a schedule. */
static rwa_status plan_sheet(struct sheet *s, const rwa_schedule *sched)
{
    uint32_t links = network_links_each_way(s->net), channels = raster_channels(s->net);
    s->sides = raster_sides(s->net);
    s->full = view_drawn_fully(sched) && channels <= 128;
    s->tapped = s->full && rwa_schedule_receivers(sched) > 1;
    s->picture = s->full && !network_is_path(s->net);
    MUST(plan_picture(s, channels));
    s->columns = s->full || links < GRID_COLUMNS ? links : GRID_COLUMNS;
    s->rows = s->full || channels < GRID_ROWS ? channels : GRID_ROWS;
    s->cell = fmax(5, fmin(24, fmax(320, s->picture_size - 56) / s->columns));
    s->row = s->rows <= 8 ? 16 : s->rows <= 32 ? 9 : 5;
    s->panel = fmax(fmax(s->picture_size, s->columns * s->cell + 56) + MARGIN, caption_width(s, sched));
    s->height = 26 + s->picture_height + s->sides * (s->rows * s->row + 30) + MARGIN;
    s->per_row = s->panel > 700 ? 2 : 3;
    s->keys = !s->full ? 0 : channels < VIEW_COLORS ? channels : VIEW_COLORS;
    return RWA_OK;
}

/** Tell whether a lightpath is drawn: if the options name a block to follow, only lightpaths that carry it are. */
static bool is_shown(const struct sheet *s, const struct walk *w)
{
    return s->options->block == RWA_NO_INDEX || walk_carries(w, s->options->block);
}

/** Add the tooltip of a lightpath: end nodes, hops, channel and blocks. */
static void add_tooltip(const struct sheet *s, const struct walk *w)
{
    const rwa_lightpath *lp = &w->lp;
    uint32_t hops = walk_hops(w);
    static const char *const way[] = {"clockwise, ", "counter-clockwise, "};
    char src[NODE_TEXT], dst[NODE_TEXT];
    text_add(s->t, "<title>");
    view_add_words(s->t, network_node_text(src, s->net, lp->src), " to ");
    view_add_words(s->t, network_node_text(dst, s->net, lp->dst), "");
    text_add(s->t, ", %s%u hop%s, fibre %u, wavelength %u, ", s->sides == 1 ? "" : way[lp->direction == RWA_CCW],
             hops, plural(hops), lp->fiber, lp->wavelength);
    view_name_blocks(s->t, w);
    text_add(s->t, "</title>");
}

/** Draw the dot of a tap, a node on the route that also receives, at (x, y), on a line or bar of this width. */
static void add_tap(const struct sheet *s, double x, double y, double width)
{
    double r = fmax(1, fmin(3, width * 0.4));
    text_add(s->t, "<circle class=\"tap\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" stroke-width=\"%.2f\"/>", x, y, r, r / 3);
}

/** Begin the group of a lightpath that is drawn as a line, in the colour of its channel, `width` pixels wide.  The
 *  caller continues with the points of the line. */
static void open_line(const struct sheet *s, uint32_t channel, double width)
{
    struct view_hex hex = view_hex(channel);
    text_add(s->t, "<g stroke=\"%s\" fill=\"%s\"><path fill=\"none\" stroke-width=\"%.2f\" d=\"", hex.text, hex.text,
             width);
}

/* ---- the ring ---- */

static double angle_of(const struct sheet *s, double node)
{
    return 2 * M_PI * node / rwa_network_nodes(s->net) - M_PI / 2;
}

/** Draw the taps of a lightpath (the nodes on its route that also receive it) on its arc, whose radius is `at`. */
static void add_arc_taps(const struct sheet *s, double at, const struct walk *w)
{
    for (uint32_t k = 0; k < w->lists.tap_count; k++) {
        double angle = angle_of(s, walk_node(w, w->lists.taps[k]));
        add_tap(s, s->cx + at * cos(angle), s->cy + at * sin(angle), s->lane);
    }
}

/** Add a point to a path, after the letter `to` ("M" begins a line, "L" continues one), at distance r and this angle
 *  from the centre of the ring. */
static void add_point(const struct sheet *s, const char *to, double r, double angle)
{
    text_add(s->t, "%s%.1f %.1f", to, s->cx + r * cos(angle), s->cy + r * sin(angle));
}

/** Add to a path element that has been begun an arc of radius r round the centre of the ring, from one angle to another
 *  (in radians), clockwise if `cw`, and end the element. */
static void add_curve(const struct sheet *s, double r, double from, double to, bool cw)
{
    add_point(s, "M", r, from);
    text_add(s->t, "A%.1f %.1f 0 %d %d ", r, r, fabs(to - from) > M_PI, cw);
    add_point(s, "", r, to);
    text_add(s->t, "\"/>");
}

static void add_arc(const struct sheet *s, const struct walk *path)
{
    const rwa_lightpath *lp = &path->lp;
    int way = lp->direction == RWA_CW ? 1 : -1;
    uint32_t hops = walk_hops(path), channel = lightpath_channel(s->net, lp);
    double r = s->radius + way * (14 + s->lane * (channel + 0.5)), end = lp->src + way * (hops - 0.12);
    double neck = angle_of(s, end - way * fmin(0.35, 5 / (r * 2 * M_PI / rwa_network_nodes(s->net))));
    double w = fmin(3, s->lane * 0.6), head = fmax(2.2, w * 1.3);
    open_line(s, channel, w);
    add_curve(s, r, angle_of(s, lp->src + way * 0.12), neck, way > 0);
    text_add(s->t, "<path stroke=\"none\" d=\"");
    add_point(s, "M", r, angle_of(s, end));
    add_point(s, "L", r + head, neck);
    add_point(s, "L", r - head, neck);
    text_add(s->t, "Z\"/>");
    add_arc_taps(s, r, path);
    add_tooltip(s, path);
    text_add(s->t, "</g>\n");
}

/** On the circle of nodes, mark the arc from node `link` to the next one as failed if, in this step, at least one of
 *  the two links between them is down. */
static void add_failed_arc(const struct sheet *s, uint32_t link, uint32_t step)
{
    uint32_t each_way = network_links_each_way(s->net);
    if (network_failed_from(s->net, link) > step && network_failed_from(s->net, link + each_way) > step)
        return;
    text_add(s->t, "<path class=\"failed\" d=\"");
    add_curve(s, s->radius, angle_of(s, link), angle_of(s, link + 1.0), true);
}

static rwa_status add_ring(struct sheet *s, double x, double y, uint32_t step, const struct raster *r)
{
    s->cx = x + s->panel / 2;
    s->cy = y + s->picture_height / 2;
    text_add(s->t, "<circle class=\"track\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", s->cx, s->cy, s->radius);
    for (uint32_t link = 0; link < r->links; link++)
        add_failed_arc(s, link, step);
    for (size_t i = 0; i < r->count; i++)
        if (is_shown(s, &r->paths[i]))
            add_arc(s, &r->paths[i]);
    s->map.left = s->cx - s->radius;
    s->map.top = s->cy - s->radius;
    return svg_map_nodes(&s->map, NULL);
}

/* ---- the map ---- */

/** Draw directed link l and its opposite as one line, which shows the share of their channels that is busy in a step.
 *  r: the raster of the step.  If the opposite has the lower number, draw nothing. */
static void add_pair(const struct sheet *s, uint32_t l, uint32_t step, const struct raster *r)
{
    rwa_link ends = rwa_network_link(s->net, l);
    uint32_t back = rwa_network_find_link(s->net, ends.to, ends.from), pair[2] = {l, back == RWA_NONE ? l : back};
    if (pair[1] < l)
        return;
    double busy = 0, most = 0;
    for (int i = 0; i < 2; i++) {
        busy += r->channels * raster_density(r, 0, 0, 1, pair[i], r->links);
        most += (double)rwa_network_link(s->net, pair[i]).fibers * rwa_network_wavelengths(s->net);
    }
    svg_map_line(&s->map, l, busy, most, network_failed_from(s->net, l) <= step ? " failed"
                                         : s->options->block == RWA_NO_INDEX  ? "" : " dim");
}

/** Draw the arrow head of a lightpath, with its tip at the end of its last link, whose curve is c.  width: the width of
 *  its line */
static void add_head(const struct sheet *s, const struct svg_curve *c, double width)
{
    double dx = c->x[3] - c->x[2], dy = c->y[3] - c->y[2], length = hypot(dx, dy), head = fmax(2.4, width * 1.3);
    double nx = c->x[3] - 6 * dx / length, ny = c->y[3] - 6 * dy / length;
    text_add(s->t, "<path stroke=\"none\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", c->x[3], c->y[3],
             nx - head * dy / length, ny + head * dx / length, nx + head * dy / length, ny - head * dx / length);
}

/** Draw a lightpath on the map along its links, with a dot at each tap, a node that receives it and lets it pass. */
static void add_lightpath(const struct sheet *s, const struct walk *w)
{
    uint32_t channel = lightpath_channel(s->net, &w->lp), hops = walk_hops(w);
    double width = fmax(3, lane_width(s) * 0.7), off = MIDDLE + lane_width(s) * (channel + 0.5);
    struct svg_curve c = {0};
    open_line(s, channel, width);
    for (uint32_t k = 0; k < hops; k++) {
        c = svg_map_curve(&s->map, walk_hop_link(w, k), off);
        svg_map_add(s->t, k == 0 ? "M" : "L", &c);
    }
    text_add(s->t, "\"/>");
    add_head(s, &c, width);
    for (uint32_t k = 0; k + 1 < hops; k++) {
        c = svg_map_curve(&s->map, walk_hop_link(w, k), off);
        if (walk_is_tap(w, walk_hop_node(w, k + 1)))
            add_tap(s, c.x[3], c.y[3], fmax(7, lane_width(s)));
    }
    add_tooltip(s, w);
    text_add(s->t, "</g>\n");
}

static rwa_status add_network(struct sheet *s, double x, double y, uint32_t step, const struct raster *r)
{
    s->map.left = x;
    s->map.top = y;
    for (uint32_t l = 0; l < rwa_network_links(s->net); l++)
        add_pair(s, l, step, r);
    for (size_t i = 0; s->options->block != RWA_NO_INDEX && i < r->count; i++)
        if (is_shown(s, &r->paths[i]))
            add_lightpath(s, &r->paths[i]);
    return svg_map_nodes(&s->map, NULL);
}

/* ---- the grid ---- */

/** A part of a lightpath's row of links in the grid: links [from, from + count). */
struct piece {
    const struct walk *path;
    uint32_t from, count;
    uint32_t begin;     /* how many links of the run, counted clockwise, come before it */
};

/** Tell whether a row of the grid is high enough for dots below the block numbers. */
static bool has_space_below(const struct sheet *s)
{
    return s->row >= 16;
}

static bool fits_number(const struct sheet *s, double width)
{
    return s->row >= 9 && width >= 18;
}

static void add_block(const struct sheet *s, double x, double y, uint32_t from, uint32_t count, const rwa_lightpath *lp)
{
    double width = count * s->cell - 1;
    if (fits_number(s, width))
        text_add(s->t, "<text class=\"small mid %s\" x=\"%.1f\" y=\"%.1f\">%s%" PRIu64 "%s</text>",
                 view_is_light(lightpath_channel(s->net, lp)) ? "black" : "white", x + from * s->cell + width / 2,
                 y + s->row / 2 + (s->tapped && has_space_below(s) ? 1 : 2.5),
                 s->sides == 2 && lp->direction == RWA_CCW ? "‹" : "", lp->block,
                 s->sides == 2 && lp->direction == RWA_CW ? "›" : "");
}

/** Draw the taps on a piece of a lightpath, the nodes there that receive it in passing: a dot at the end of the link
 *  that leads to the tap.  (x, y) is the upper left corner of the row in the grid. */
static void add_taps(const struct sheet *s, double x, double y, const struct piece *p)
{
    bool listed = s->sides == 1, forwards = listed || p->path->lp.direction == RWA_CW;
    for (uint32_t link = p->from; link < p->from + p->count; link++) {
        uint32_t end = listed ? rwa_network_link(s->net, link).to : (link + forwards) % rwa_network_nodes(s->net);
        /* node 0 of a ring is at both borders: its dot is at the one at which the signal arrives */
        double at = x + (link + forwards) * s->cell - (listed ? 3 : 0.5);
        if (walk_is_tap(p->path, end))
            add_tap(s, fmin(fmax(at, x + 2.5), x + s->columns * s->cell - 2.5),
                      has_space_below(s) ? y + s->row - 3.3 : y + (s->row - 1) / 2, fmin(s->cell, fmin(5, s->row)));
    }
}

/** Draw a piece of a lightpath in the row of the grid at (x, y).  A lightpath that passes node 0 of a ring has two
 *  pieces. */
static void add_piece(const struct sheet *s, double x, double y, const struct piece *p)
{
    const rwa_lightpath *lp = &p->path->lp;
    double width = p->count * s->cell - 1;
    uint32_t begin = p->begin, end = begin + p->count;
    assert(p->count > 0 && end <= walk_hops(p->path));
    text_add(s->t, "<g><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\"/>",
             x + p->from * s->cell, y, width, s->row - 1, view_hex(lightpath_channel(s->net, lp)).text);
    if (s->sides == 2 && !has_space_below(s))
        raster_widest_unread(p->path, &begin, &end);
    add_block(s, x, y, p->from + begin - p->begin, end - begin, lp);
    add_taps(s, x, y, p);
    add_tooltip(s, p->path);
    text_add(s->t, "</g>\n");
}

/** Draw the lightpaths of one direction (`side`) in the grid, whose upper left corner is (x, y), a row for each
 *  channel.  Where routes are lists of links, each link is a piece of its own, since consecutive links need not be
 *  neighbouring columns. */
static void add_lightpaths(const struct sheet *s, double x, double y, const struct raster *r, uint32_t side)
{
    for (const struct walk *w = r->paths; w < r->paths + r->count; w++) {
        double row = y + lightpath_channel(s->net, &w->lp) * s->row;
        uint32_t hops = walk_hops(w), first = raster_first_link(&w->lp);
        if (!is_shown(s, w) || (s->sides == 2 && w->lp.direction != (rwa_direction)side))
            continue;
        for (uint32_t k = 0; s->sides == 1 && k < hops; k++)
            add_piece(s, x, row, &(struct piece){w, walk_hop_link(w, k), 1, 0});
        if (s->sides == 1)
            continue;
        uint32_t here = first + hops > r->links ? r->links - first : hops;
        add_piece(s, x, row, &(struct piece){w, first, here, 0});
        if (here < hops)
            add_piece(s, x, row, &(struct piece){w, 0, hops - here, here});
    }
}

static void add_heat(const struct sheet *s, double x, double y, const struct raster *r, uint32_t side)
{
    for (uint32_t row = 0; row < s->rows; row++)
        for (uint32_t i = 0, next; i < s->columns; i = next) {
            int level = -1;
            for (next = i; next < s->columns; next++) { /* neighbours of one shade are one rectangle */
                int here = (int)ceil(raster_density(r, side, row, s->rows, next, s->columns) * 8);
                if (level >= 0 && here != level)
                    break;
                level = here;
            }
            if (level > 0)
                text_add(
                    s->t,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"heat\" opacity=\"%.3g\"/>\n",
                    x + i * s->cell, y + row * s->row, (next - i) * s->cell, s->row, level / 8.0);
        }
}

static void add_row_label(const struct sheet *s, double x, double y, uint32_t channel)
{
    text_add(s->t, "<text class=\"small end\" x=\"%.1f\" y=\"%.1f\">%s</text>", x, y,
             view_name_channel(s->net, channel, " ").text);
}

static void add_grid(const struct sheet *s, double x, double y, const struct raster *r, uint32_t side)
{
    static const char *const name[] = {"cw link", "ccw link"};
    uint32_t every = (uint32_t)ceil(24 / s->cell);
    text_add(s->t, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", x - 0.5, y - 0.5,
             s->columns * s->cell + 1, s->rows * s->row + 1);
    if (!s->full)
        add_heat(s, x, y, r, side);
    else
        add_lightpaths(s, x, y, r, side);
    for (uint32_t i = 0; i < s->columns; i += every)
        text_add(s->t, "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">%u</text>", x + i * s->cell,
                 y + s->rows * s->row + 11, raster_bucket(i, s->columns, r->links));
    text_add(s->t, "<text class=\"small end\" x=\"%.1f\" y=\"%.1f\">%s</text>",
             x - 6, y + s->rows * s->row + 11, s->sides == 1 ? "link" : name[side]);
    add_row_label(s, x - 6, y + 9, 0);
    if (r->channels > 1 && s->rows * s->row >= 24)
        add_row_label(s, x - 6, y + s->rows * s->row - 2, r->channels - 1);
    text_add(s->t, "\n");
}

/* ---- the sheet ---- */

static rwa_status add_step(struct sheet *s, double x, double y, uint32_t step, const struct raster *r)
{
    double grid = y + 26 + s->picture_height, left = x + 50;
    text_add(s->t, "<text class=\"step\" x=\"%.1f\" y=\"%.1f\">step %u</text>", x + 50, y + 14, step);
    text_add(s->t, "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">" CAPTION "%s", x + CAPTION_LEFT, y + 14,
             (uint64_t)r->count, 100.0 * (double)r->busy / (double)raster_cells(s->net),
             step <= view_kept_steps(s->net) ? KEPT : "");
    view_add_times(s->t, step, &s->times);
    text_add(s->t, "</text>\n");
    if (s->picture && s->sides == 2)
        MUST(add_ring(s, x, y + 20, step, r));
    else if (s->picture)
        MUST(add_network(s, x + (s->panel - s->picture_size) / 2, y + 20, step, r));
    for (uint32_t side = 0; side < s->sides; side++)
        add_grid(s, left, grid + side * (s->rows * s->row + 30), r, side);
    return RWA_OK;
}

/** Add the legend that explains the dots of taps. */
static void add_legend(const struct sheet *s)
{
    add_tap(s, MARGIN + 4, MARGIN + 30.5, 9);
    text_add(s->t, "<text class=\"small\" x=\"%d\" y=\"%d\">a node that reads the lightpath on its way</text>\n",
             MARGIN + 12, MARGIN + 34);
}

/** Return the width of the drawing: enough for the panels of a row, and for the title, whose letters are at most half
 *  as wide as high. */
static double sheet_width(const struct sheet *s, uint32_t panels, const char *title)
{
    return fmax(fmin(panels, s->per_row) * s->panel, fmax(SHEET_WIDTH - 2 * MARGIN, (double)strlen(title) * 8.6)) +
           2 * MARGIN;
}

/* ---- the legend of wavelengths ---- */

static double key_width(const struct sheet *s)
{
    return network_most_fibers(s->net) > 1 ? 56 : 40;
}

/** Return how many keys (a colour and its channel) fit in a line of the legend, beside the label of its first line, in
 *  a drawing of this width. */
static uint32_t keys_per_line(const struct sheet *s, double width)
{
    return (uint32_t)((width - 2 * MARGIN - KEY_LABEL) / key_width(s));
}

static double keys_height(const struct sheet *s, double width)
{
    return ceil((double)s->keys / keys_per_line(s, width)) * KEY_LINE;
}

/** Add the failed links in words, at height y, below the legend of wavelengths. */
static void add_failures(const struct sheet *s, double y)
{
    struct text words = {.err = s->t->err};
    view_name_failures(&words, s->net);
    if (words.data) {
        text_add(s->t,
                 "<path class=\"failed\" d=\"M%d %.1fh24\"/><text class=\"small\" x=\"%d\" y=\"%.1f\">failed: ", MARGIN,
                 y - 3.5, MARGIN + 30, y);
        view_add_words(s->t, words.data, "</text>\n");
    }
    text_drop_part(s->t, &words);
}

/** Add the legend of wavelengths to a drawing of this width: each channel in its colour, "w3" or "f1 w3".  top: the
 *  position of its first line */
static void add_keys(const struct sheet *s, double width, double top)
{
    uint32_t per_line = keys_per_line(s, width);
    if (s->keys > 0)
        text_add(s->t, "<text class=\"small\" x=\"%d\" y=\"%.1f\">%s</text>", MARGIN, top + 10,
                 raster_channels(s->net) > s->keys ? "Colours repeat:" : "Wavelengths:");
    for (uint32_t c = 0; c < s->keys; c++) {
        double x = MARGIN + KEY_LABEL + c % per_line * key_width(s), y = top + c / per_line * KEY_LINE;
        text_add(s->t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" rx=\"2\" fill=\"%s\"/>"
                 "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">%s</text>",
                 x, y + 1, view_hex(c).text, x + 14, y + 10, view_name_channel(s->net, c, " ").text);
    }
    text_add(s->t, s->keys > 0 ? "\n" : "");
}

/** Add the note that the numbers in the rows are blocks, if rows have numbers and the note fits in the line of the
 *  legend.  width: the width of the drawing; top: the position of the line */
static void add_number_key(const struct sheet *s, double width, double top)
{
    double x = MARGIN + KEY_LABEL + s->keys * key_width(s) + 20;
    if (s->keys > 0 && fits_number(s, s->cell - 1) && x + NUMBER_KEY <= width - MARGIN)
        text_add(s->t, "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">Numbers in the rows: blocks</text>\n", x, top + 10);
}

static void open_sheet(const struct sheet *s, const char *title, uint32_t panels)
{
    uint32_t down = (panels + s->per_row - 1) / s->per_row;
    double width = sheet_width(s, panels, title), top = HEADING + down * s->height + MARGIN;
    bool lines = s->picture && s->sides == 1;
    double legend = top + keys_height(s, width) + KEY_LINE, failures = legend + (lines ? KEY_LINE : 0);
    double height = failures + MARGIN - (network_has_failed_links(s->net) ? 0 : KEY_LINE);
    view_open_drawing(s->t, &(struct view_drawing){
        .width = width, .height = height, .title = title,
        .style = "text{font-size:13px}text.small{font-size:10px}text.step{font-weight:600}text.black{fill:#10181f}"
                 "text.white{fill:#fff}" SVG_MAP_STYLE ".track{fill:none;stroke:currentColor;opacity:.25}"
                 ".frame{fill:none;stroke:currentColor;opacity:.35}.heat{fill:#0072b2}"
                 ".tap{fill:#fff;stroke:#10181f}"});
    if (s->tapped)
        add_legend(s);
    add_keys(s, width, top);
    add_number_key(s, width, top);
    if (lines)
        svg_map_legend(&s->map, MARGIN, legend);
    add_failures(s, failures);
}

rwa_status rwa_view_svg(char **text, const rwa_schedule *sched, const rwa_view_options *opts, rwa_error *err)
{
    BEGIN_NEW(text, err, sched);
    struct text t = {.err = err}, words = {.err = err};
    struct sheet s = {.t = &t, .net = rwa_schedule_network(sched), .memory.err = err};
    struct raster r = {0};
    rwa_view_options o;
    rwa_status st = RWA_OK;
    TRY(view_take_options(&o, sched, opts, err));
    TRY(view_needs_links(sched, err));
    s.options = &o;
    view_title(&words, sched, &o);
    TRY(words.status);
    const char *title = words.data ? words.data : "";
    TRY(view_time(&s.times, sched, o.cost, o.rate_bps, &s.memory));
    if (o.gantt || o.proofs) {
        TRY(o.gantt ? view_gantt(&t, sched, &s.times, o.cost, title, &s.memory)
                    : view_proof(&t, s.net, &o, title, &s.memory));
        st = text_finish(&t, text);
        goto done;
    }
    TRY(plan_sheet(&s, sched));
    uint32_t steps = rwa_schedule_steps(sched), from = o.step ? o.step : 1, to = o.step ? o.step : steps;
    uint32_t left_out = to - from + 1 > STEPS_DRAWN ? to - from + 1 - STEPS_DRAWN : 0;
    to -= left_out;
    open_sheet(&s, title, to - from + 1);
    for (uint32_t step = from; step <= to; step++) {
        uint32_t at = step - from;
        TRY(raster_draw(&r, sched, step, err));
        TRY(add_step(&s, MARGIN + at % s.per_row * s.panel, HEADING + MARGIN + at / s.per_row * s.height, step, &r));
    }
    if (left_out)
        text_add(&t, "<text class=\"small\" x=\"%d\" y=\"%d\">%u further steps are left out</text>\n",
                 MARGIN + (s.tapped ? 240 : 0), MARGIN + 34, left_out);
    text_add(&t, "</svg>\n");
    st = text_finish(&t, text);
done:
    raster_free(&r);
    arena_free(&s.memory);
    free_all(t.data, words.data);
    return st;
}
