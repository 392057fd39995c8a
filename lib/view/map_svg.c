/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws one map: of an assignment, with a legend, or of the cut that bounds a schedule, with the words of a proof. */
#include "view/map.h"

#include "assignment/assignment.h"
#include "network/network.h"

/* Pixels: the narrowest drawing, its heading, a line of words, and a letter of it. */
enum { NARROWEST = 620, HEADING = 40, LINE = 18, LETTER = 7 };

struct drawing {
    struct svg_map map;
    const char *words;      /* NULL: none */
    uint32_t letters;       /* of a line of words */
};

/** Add d->words in lines of at most d->letters letters, the first one at y, and return the number of lines.  If t is
 *  NULL, only count them. */
static uint32_t add_words(struct text *t, const struct drawing *d, double y)
{
    uint32_t lines = 0;
    for (const char *from = d->words; from && *from; lines++) {
        size_t left = strlen(from), end = left;
        if (left > d->letters)
            for (end = d->letters; end > 0 && from[end] != ' ';)
                end--;
        end = end > 0 ? end : left;
        char line[RWA_ERROR_TEXT];
        snprintf(line, sizeof line, "%.*s", (int)end, from);
        if (t) {
            text_add(t, "<text x=\"16\" y=\"%.1f\">", y + lines * LINE);
            view_add_words(t, line, "</text>\n");
        }
        from += end + strspn(from + end, " ");
    }
    return lines;
}

static void open_drawing(struct drawing *d, const char *title, const char *words)
{
    d->map.top = HEADING;
    svg_map_plan(&d->map, 0);
    double width = fmax(fmax(d->map.width, NARROWEST), 8.6 * (double)strlen(title) + 32);
    d->words = words;
    d->letters = (uint32_t)(width / LETTER);
    view_open_drawing(d->map.t, &(struct view_drawing){
        .width = width, .height = HEADING + d->map.height + (2 + add_words(NULL, d, 0)) * LINE,
        .title = title,
        .style = "text.small{font-size:10px}" SVG_MAP_STYLE});
}

static rwa_status close_drawing(struct drawing *d, const uint32_t *side, bool legend)
{
    double y = HEADING + d->map.height + LINE;
    MUST(svg_map_nodes(&d->map, side));
    if (legend)
        svg_map_legend(&d->map, 16, y);
    add_words(d->map.t, d, y + legend * LINE);
    text_add(d->map.t, "</svg>\n");
    return RWA_OK;
}

/* ---- an assignment ---- */

rwa_status rwa_view_assignment_svg(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                   rwa_error *err)
{
    BEGIN_NEW(text, err, result);
    struct text t = {.err = err}, title = {.err = err};
    struct map m;
    rwa_status st = RWA_OK;
    TRY(map_open(&m, result, opts, err));
    struct drawing d = {.map = {.t = &t, .net = result->net, .places = &m.places, .memory = &m.arena}};
    view_name_assignment(&title, result, &m.opts);
    open_drawing(&d, title.data ? title.data : "", m.proof);
    text_drop_part(&t, &title);
    for (uint32_t l = 0; l < rwa_network_links(result->net); l++)
        if (m.lines[l].rows > 0)
            svg_map_line(&d.map, l, (double)m.lines[l].taken, (double)m.lines[l].rows * m.spectrum.slots,
                         !m.proof ? "" : m.lines[l].counted ? " cut" : " dim");
    TRY(close_drawing(&d, m.side, true));
    st = text_finish(&t, text);
done:
    free(t.data);
    arena_free(&m.arena);
    return st;
}

/* ---- the bound of a schedule ---- */

rwa_status view_proof(struct text *t, const rwa_network *net, const rwa_view_options *o, const char *title,
                      struct arena *memory)
{
    struct places places;
    struct drawing d = {.map = {.t = t, .net = net, .places = &places, .memory = memory}};
    const uint32_t *side = o->sides ? o->sides[0] : NULL;
    MUST(places_open(&places, net, memory));
    open_drawing(&d, title, o->proofs[0]);
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        rwa_link ends = rwa_network_link(net, l);
        bool cut = side && side[ends.from] && !side[ends.to];
        if (cut || !side || side[ends.from] == side[ends.to])
            svg_map_line(&d.map, l, NAN, (double)ends.fibers * rwa_network_wavelengths(net),
                         network_failed_from(net, l) <= 1 ? " failed" : cut ? " cut" : "");
    }
    return close_drawing(&d, side, false);
}
