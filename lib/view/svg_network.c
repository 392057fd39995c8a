/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws a network as a map: each link once, its width and colour by the share of its channels that are busy.  The
 *  lightpaths of a followed block lie on it, each direction to the right of its link. */
#include "network/network.h"
#include "view/sheet.h"

/** Pixels: a node, and between the two directions of a link. */
enum { NODE = 8, MIDDLE = 2 };

/** Return the distance in pixels between the lines of neighbouring wavelengths beside a link. */
static double lane_width(const struct sheet *s)
{
    return fmin(4, 20.0 / raster_channels(s->net));
}

void network_picture_plan(struct sheet *s)
{
    svg_map_plan(&s->map, MIDDLE + lane_width(s) * raster_channels(s->net));
    s->picture_size = s->map.width;
    s->picture_height = s->map.height;
}

/** Draw a link and its opposite as one line. */
static void add_link(const struct sheet *s, uint32_t l, uint32_t step, const struct raster *r)
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

/** Draw the arrow head of a lightpath, with its tip at the end of the last link. */
static void add_head(const struct sheet *s, const struct svg_curve *c, double width)
{
    double dx = c->x[3] - c->x[2], dy = c->y[3] - c->y[2], length = hypot(dx, dy), head = fmax(2.4, width * 1.3);
    double nx = c->x[3] - 6 * dx / length, ny = c->y[3] - 6 * dy / length;
    text_add(s->t, "<path stroke=\"none\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", c->x[3], c->y[3],
             nx - head * dy / length, ny + head * dx / length, nx + head * dy / length, ny - head * dx / length);
}

/** Draw a lightpath, with a dot at the end of each link that leads to a tap, which receives it and lets it pass. */
static void add_lightpath(const struct sheet *s, const struct walk *w)
{
    uint32_t channel = lightpath_channel(s->net, &w->lp), hops = walk_hops(w);
    double width = fmax(3, lane_width(s) * 0.7), off = MIDDLE + lane_width(s) * (channel + 0.5);
    struct svg_curve c = {0};
    sheet_open_line(s, channel, width);
    for (uint32_t k = 0; k < hops; k++) {
        c = svg_map_curve(&s->map, walk_hop_link(w, k), off);
        svg_map_add(s->t, k == 0 ? "M" : "L", &c);
    }
    text_add(s->t, "\"/>");
    add_head(s, &c, width);
    for (uint32_t k = 0; k + 1 < hops; k++) {
        c = svg_map_curve(&s->map, walk_hop_link(w, k), off);
        if (walk_is_tap(w, walk_hop_node(w, k + 1)))
            sheet_tap(s, c.x[3], c.y[3], fmax(7, lane_width(s)));
    }
    sheet_title(s, w);
    text_add(s->t, "</g>\n");
}

rwa_status network_picture_draw(struct sheet *s, double x, double y, uint32_t step, const struct raster *r)
{
    s->map.left = x;
    s->map.top = y;
    for (uint32_t l = 0; l < rwa_network_links(s->net); l++)
        add_link(s, l, step, r);
    for (size_t i = 0; s->options->block != RWA_NO_INDEX && i < r->count; i++)
        if (sheet_shows(s, &r->paths[i]))
            add_lightpath(s, &r->paths[i]);
    return svg_map_nodes(&s->map, NULL);
}
