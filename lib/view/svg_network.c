/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws a network as a map: each link once, its width and colour by the share of its channels that are busy.  The
 *  lightpaths of a followed block lie on it, each direction to the right of its link. */
#include "network/network.h"
#include "view/map.h"
#include "view/sheet.h"

/** Pixels: a node, the least space around the picture, and between the two directions of a link. */
enum { NODE = 8, EDGE = 56, MIDDLE = 2 };

/** A link in the drawing: a cubic Bézier curve whose first and last points are its ends. */
struct svg_curve {
    double x[4], y[4];
};

/** Return the distance between two wavelengths of one direction of a link. */
static double lane_width(const struct sheet *s)
{
    return fmin(4, 20.0 / raster_channels(s->net));
}

/** Return the margin around the nodes.  A bent link rises to three quarters of the height of its handles, and the
 *  outermost wavelength lies beyond it. */
static double edge_of(const struct sheet *s, double size)
{
    double bow = 0;
    for (uint32_t l = 0; l < rwa_network_links(s->net); l++)
        bow = fmax(bow, fabs(s->places.bow[l]));
    return bow > 0 ? fmax(EDGE, 0.75 * bow * size + MIDDLE + lane_width(s) * raster_channels(s->net) + NODE) : EDGE;
}

void network_picture_plan(struct sheet *s)
{
    double size = fmax(320, fmin(860, 160 * sqrt(rwa_network_nodes(s->net)) - 40)), lowest = 0;
    for (uint32_t v = 0; v < rwa_network_nodes(s->net); v++)
        lowest = fmax(lowest, s->places.y[v]);
    s->edge = edge_of(s, size);
    s->picture_size = size + 2 * s->edge;
    s->picture_height = size * lowest + 2 * s->edge;
}

/** Directed link l, `off` pixels to the right of its middle.  (ux, uy) points along it, (-uy, ux) to its right; a bow
    leaves and arrives at right angles, so there its right is along the link. */
static struct svg_curve curve_of(const struct sheet *s, double x, double y, uint32_t l, double off)
{
    rwa_link ends = rwa_network_link(s->net, l);
    double size = s->picture_size - 2 * s->edge, bow = s->places.bow[l] * size, turn = bow > 0 ? 1 : bow < 0 ? -1 : 0;
    const double *px = s->places.x, *py = s->places.y;
    double ax = x + s->edge + size * px[ends.from], ay = y + s->edge + size * py[ends.from];
    double dx = size * (px[ends.to] - px[ends.from]), dy = size * (py[ends.to] - py[ends.from]), length = hypot(dx, dy);
    double along[4] = {NODE, length / 3, 2 * length / 3, length - NODE}, across[4] = {off, off, off, off};
    if (turn != 0) {
        along[0] = along[1] = -turn * off;
        along[2] = along[3] = length + turn * off;
        across[0] = across[3] = turn * NODE;
        across[1] = across[2] = bow + off;
    }
    struct svg_curve c;
    for (int i = 0; i < 4; i++) {
        c.x[i] = ax + (along[i] * dx - across[i] * dy) / length;
        c.y[i] = ay + (along[i] * dy + across[i] * dx) / length;
    }
    return c;
}

static void add_curve(const struct sheet *s, const char *to, const struct svg_curve *c)
{
    text_add(s->t, "%s%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", to, c->x[0], c->y[0], c->x[1], c->y[1], c->x[2],
             c->y[2], c->x[3], c->y[3]);
}

/** Draw a link and its opposite as one line. */
static void add_link(const struct sheet *s, double x, double y, uint32_t l, uint32_t step, const struct raster *r)
{
    rwa_link ends = rwa_network_link(s->net, l);
    uint32_t back = rwa_network_find_link(s->net, ends.to, ends.from), pair[2] = {l, back == RWA_NONE ? l : back};
    if (pair[1] < l)
        return;
    double busy = 0, most = 0;
    for (int i = 0; i < 2; i++) {
        busy += r->channels * raster_density(r, 0, 0, r->channels, pair[i], pair[i] + 1);
        most += (double)rwa_network_link(s->net, pair[i]).fibers * rwa_network_wavelengths(s->net);
    }
    const struct fullness *full = map_fullness(busy / most);
    struct svg_curve c = curve_of(s, x, y, l, 0);
    if (view_fails_by(s->net, l, step))
        text_add(s->t, "<path class=\"failed\" d=\"");
    else
        text_add(s->t, "<path class=\"link\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"%s d=\"", full->color,
                 full->width, s->options->block == RWA_NO_INDEX ? "" : " opacity=\"0.25\"");
    add_curve(s, "M", &c);
    text_add(s->t, "\"/>\n");
}

/** Draw the arrow head of a lightpath, with its tip at the end of the last link. */
static void add_head(const struct sheet *s, const struct svg_curve *c, double width)
{
    double dx = c->x[3] - c->x[2], dy = c->y[3] - c->y[2], length = hypot(dx, dy), head = fmax(2.4, width * 1.3);
    double nx = c->x[3] - 6 * dx / length, ny = c->y[3] - 6 * dy / length;
    text_add(s->t, "<path stroke=\"none\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", c->x[3], c->y[3],
             nx - head * dy / length, ny + head * dx / length, nx + head * dy / length, ny - head * dx / length);
}

/** Draw a dot at the end of each link of lightpath i that leads to a tap, which receives it and lets it pass. */
static void add_taps(const struct sheet *s, double x, double y, const struct raster *r, size_t i)
{
    double off = MIDDLE + lane_width(s) * (sheet_channel(s, &r->paths[i]) + 0.5);
    for (size_t k = r->route_from[i]; k + 1 < r->route_from[i + 1]; k++) {
        struct svg_curve c = curve_of(s, x, y, r->route[k], off);
        if (raster_is_tap(r, i, rwa_network_link(s->net, r->route[k]).to))
            sheet_tap(s, c.x[3], c.y[3], fmax(7, lane_width(s)));
    }
}

static void add_lightpath(const struct sheet *s, double x, double y, const struct raster *r, size_t i)
{
    const rwa_lightpath *lp = &r->paths[i];
    uint32_t channel = sheet_channel(s, lp);
    double width = fmax(3, lane_width(s) * 0.7);
    struct svg_curve c = {0};
    sheet_open_line(s, channel, width);
    for (size_t k = r->route_from[i]; k < r->route_from[i + 1]; k++) {
        c = curve_of(s, x, y, r->route[k], MIDDLE + lane_width(s) * (channel + 0.5));
        add_curve(s, k == r->route_from[i] ? "M" : "L", &c);
    }
    text_add(s->t, "\"/>");
    add_head(s, &c, width);
    add_taps(s, x, y, r, i);
    sheet_title(s, r, i, (uint32_t)(r->route_from[i + 1] - r->route_from[i]));
    text_add(s->t, "</g>\n");
}

void network_picture_draw(const struct sheet *s, double x, double y, uint32_t step, const struct raster *r)
{
    uint32_t nodes = rwa_network_nodes(s->net), links = rwa_network_links(s->net);
    double size = s->picture_size - 2 * s->edge;
    for (uint32_t l = 0; l < links; l++)
        add_link(s, x, y, l, step, r);
    for (size_t i = 0; s->options->block != RWA_NO_INDEX && i < r->count; i++)
        if (sheet_shows(s, r, i))
            add_lightpath(s, x, y, r, i);
    for (uint32_t v = 0; v < nodes; v++)
        sheet_node(s, x + s->edge + size * s->places.x[v], y + s->edge + size * s->places.y[v], v);
}

/** Add a line that describes lightpath i: a box in the colour of its channel, and "w0: 0 > 3 > 4, block 5". */
static void list_lightpath(const struct sheet *s, double x, double y, const struct raster *r, size_t i)
{
    const rwa_lightpath *lp = &r->paths[i];
    struct walk w = raster_walk(r, i);
    text_add(s->t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"8\" height=\"8\" rx=\"2\" fill=\"%s\"/>"
             "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">", x, y - 8, view_hex(sheet_channel(s, lp)).text, x + 13, y);
    if (network_most_fibers(s->net) > 1)
        text_add(s->t, "f%u ", lp->fiber);
    text_add(s->t, "w%u: %u", lp->wavelength, lp->src);
    for (size_t k = r->route_from[i]; k < r->route_from[i + 1]; k++)
        text_add(s->t, " &gt; %u", rwa_network_link(s->net, r->route[k]).to);
    text_add(s->t, ", ");
    view_name_blocks(s->t, &w);
    text_add(s->t, "</text>\n");
}

void network_list_draw(const struct sheet *s, double x, double y, const struct raster *r)
{
    for (size_t i = 0; i < r->count; i++)
        list_lightpath(s, x, y + (double)i * SHEET_LINE, r, i);
}
