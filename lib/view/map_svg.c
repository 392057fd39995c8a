/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws an assignment as a map, with a legend. */
#include "view/map.h"

#include "network/network.h"

/* Pixels: the longer side of the map, the narrowest drawing, its heading, and the legend. */
enum { SIZE = 860, NARROWEST = 620, HEADING = 40, LEGEND = 36 };

rwa_status rwa_view_assignment_svg(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                   rwa_error *err)
{
    BEGIN_NEW(text, err, result);
    struct text t = {.err = err};
    struct map m;
    char title[256];
    rwa_status st = RWA_OK;
    TRY(map_open(&m, result, opts, err));
    struct svg_map d = {.t = &t, .net = rwa_assignment_network(result), .places = &m.places, .size = SIZE,
                        .top = HEADING};
    svg_map_plan(&d, 0);
    map_title(title, sizeof title, &m);
    view_open_drawing(&t, &(struct view_drawing){
        .width = fmax(d.width, NARROWEST), .height = HEADING + d.height + LEGEND, .title = title, .x = 16, .y = 26,
        .style = "svg{color:#1c2733}text{font:12px system-ui,sans-serif;fill:currentColor}text.small{font-size:10px}"
                 ".mid{text-anchor:middle}" SVG_MAP_STYLE});
    for (uint32_t l = 0; l < m.line_count; l++)
        svg_map_line(&d, m.lines[l].link, (double)m.lines[l].taken,
                     (double)m.lines[l].rows * m.spectrum.slots, "");
    TRY(svg_map_nodes(&d, NULL, err));
    svg_map_legend(&d, 16, HEADING + d.height + LEGEND / 2.0);
    text_add(&t, "</svg>\n");
    st = text_finish(&t, text);
done:
    free(t.data);
    map_close(&m);
    return st;
}
