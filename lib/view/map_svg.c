/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws an assignment as a map: lines whose colour and width show how full the links are, names of nodes, and a
 *  legend. */
#include "view/map.h"

#include "assignment/assignment.h"
#include "network/network.h"

/* Pixels: the longer side of the map, its margins (names stand beside nodes), a letter, a node, a line of letters. */
enum { SIZE = 860, SIDE = 90, TOP = 76, BOTTOM = 70, LETTER = 7, NODE = 7, LINE = 14, DIRECTIONS = 8 };

static const struct fullness fullness[] = {{0, "#aab6c1", "empty", 1.5}, {0.5, "#56b4e9", "up to half", 3},
                                           {0.8, "#0072b2", "up to 80 %", 4.5},
                                           {1 - 1e-12, "#e69f00", "nearly full", 6}, {1, "#d55e00", "full", 7.5}};
enum { CLASSES = sizeof fullness / sizeof *fullness };

struct box {
    double left, top, right, bottom;
};

struct drawing {
    const struct map *map;
    struct text *t;
    double *x, *y;          /* of nodes */
    struct box *taken;      /* by nodes, then by names */
    size_t taken_count;
    double width, height;
};

const struct fullness *map_fullness(double share)
{
    size_t k = 0;
    while (k + 1 < CLASSES && share > fullness[k].share)
        k++;
    return &fullness[k];
}

static double share_of(const struct map *m, const struct map_line *l)
{
    return (double)l->taken / ((double)l->rows * m->spectrum.slots);
}

static rwa_status place_nodes(struct drawing *d, rwa_error *err)
{
    const struct map *m = d->map;
    uint32_t nodes = rwa_network_nodes(m->spectrum.result->net);
    double right = 0, bottom = 0, bow = 0;
    for (uint32_t l = 0; l < m->line_count; l++)
        bow = fmax(bow, 0.75 * SIZE * fabs(m->lines[l].bow));
    MUST(base_new(d->x, nodes, err));
    MUST(base_new(d->y, nodes, err));
    MUST(base_new(d->taken, 2 * (size_t)nodes, err));
    for (uint32_t v = 0; v < nodes; v++) {
        d->x[v] = fmax(SIDE, bow + NODE) + SIZE * m->places.x[v];
        d->y[v] = TOP + bow + SIZE * m->places.y[v];
        right = fmax(right, d->x[v]);
        bottom = fmax(bottom, d->y[v]);
        d->taken[d->taken_count++] = (struct box){d->x[v] - NODE, d->y[v] - NODE, d->x[v] + NODE, d->y[v] + NODE};
    }
    d->width = fmax(right + fmax(SIDE, bow + NODE), 620);
    d->height = bottom + bow + BOTTOM;
    return RWA_OK;
}

static void add_name(const struct drawing *d, uint32_t node, const char *after)
{
    char name[64];
    network_name_node(name, sizeof name, d->map->spectrum.result->net, node);
    view_add_words(d->t, "", name, after);
}

static void add_line(const struct drawing *d, const struct map_line *l)
{
    double ax = d->x[l->ends.from], ay = d->y[l->ends.from], bx = d->x[l->ends.to], by = d->y[l->ends.to];
    double length = fmax(hypot(bx - ax, by - ay), 1), across = l->bow * SIZE, ux = (bx - ax) / length,
           uy = (by - ay) / length;
    const struct fullness *c = map_fullness(share_of(d->map, l));
    text_add(d->t,
             "<path class=\"link\" stroke=\"%s\" stroke-width=\"%.1f\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f "
             "%.1f\"><title>",
             c->color, c->width, ax, ay, ax - across * uy, ay + across * ux, bx - across * uy, by + across * ux, bx,
             by);
    add_name(d, l->ends.from, "–");
    add_name(d, l->ends.to, ": ");
    text_add(d->t, "%" PRIu64 " of %" PRIu64 " channels, %.0f %%</title></path>\n", l->taken,
             (uint64_t)l->rows * d->map->spectrum.slots, 100 * share_of(d->map, l));
}

static bool overlap(const struct box *a, const struct box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/** Return the box of a node's name if it is placed in one of eight directions from the node. */
static struct box name_box(const struct drawing *d, uint32_t node, uint32_t direction, double width)
{
    double angle = direction * acos(-1) / 4, away = NODE + 4;
    double x = d->x[node] + away * cos(angle), y = d->y[node] + away * sin(angle);
    double left = direction % 4 == 2 ? x - width / 2 : direction > 2 && direction < 6 ? x - width : x;
    double top = direction == 0 || direction == 4 ? y - LINE / 2.0 : direction < 4 ? y - 2 : y - LINE + 2;
    return (struct box){left, top, left + width, top + LINE};
}

/** Return the angle in radians between a direction and the nearest line that ends at the node. */
static double clearance(const struct drawing *d, uint32_t node, double angle)
{
    double least = acos(-1);
    for (uint32_t k = 0; k < d->map->line_count; k++) {
        rwa_link ends = d->map->lines[k].ends;
        if (ends.from != node && ends.to != node)
            continue;
        uint32_t other = ends.from == node ? ends.to : ends.from;
        double turn = atan2(d->y[other] - d->y[node], d->x[other] - d->x[node]) - angle;
        least = fmin(least, fabs(atan2(sin(turn), cos(turn))));
    }
    return least;
}

/** Choose the box for a node's name: the one that overlaps the fewest other boxes, and among equals the one farthest
 *  from the lines of the node. */
static struct box choose_box(const struct drawing *d, uint32_t node, double width)
{
    double best = -1e9;
    struct box chosen = {0};
    for (uint32_t k = 0; k < DIRECTIONS; k++) {
        struct box box = name_box(d, node, k, width);
        double score = clearance(d, node, k * acos(-1) / 4) - (k % 2) * 0.1;
        for (size_t i = 0; i < d->taken_count; i++)
            score -= overlap(&box, &d->taken[i]) ? 4 : 0;
        score -= box.left < 2 || box.right > d->width - 2 ? 8 : 0;
        if (score > best) {
            best = score;
            chosen = box;
        }
    }
    return chosen;
}

static void add_node(struct drawing *d, uint32_t v)
{
    char name[64];
    network_name_node(name, sizeof name, d->map->spectrum.result->net, v);
    double width = LETTER * (double)text_letters(name);
    struct box box = choose_box(d, v, width);
    d->taken[d->taken_count++] = box;
    text_add(d->t,
             "<circle class=\"node\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/><text class=\"name\" x=\"%.1f\" y=\"%.1f\">",
             d->x[v], d->y[v], NODE, (box.left + box.right) / 2, box.bottom - 3);
    view_add_words(d->t, "", name, "</text>\n");
}

static void add_legend(const struct drawing *d)
{
    double x = 16, y = d->height - 18;
    text_add(d->t, "<text x=\"%.1f\" y=\"%.1f\">Channels in use:</text>\n", x, y);
    x += 112;
    for (size_t k = 0; k < CLASSES; k++) {
        text_add(
            d->t,
            "<path stroke=\"%s\" stroke-width=\"%.1f\" d=\"M%.1f %.1fh24\"/><text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            fullness[k].color, fullness[k].width, x, y - 4, x + 29, y, fullness[k].words);
        x += 29 + LETTER * (double)strlen(fullness[k].words) + 14;
    }
}

static void add_drawing(struct drawing *d)
{
    char title[256];
    map_title(title, sizeof title, d->map);
    view_open_drawing(d->t, &(struct view_drawing){
        .width = d->width, .height = d->height, .title = title, .x = 16, .y = 26,
        .style = "svg{color:#1c2733}text{font:12px system-ui,sans-serif;fill:currentColor}path{fill:none}"
                 ".node{fill:#fff;stroke:#1c2733;stroke-width:1.5}"
                 ".name{text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px}"});
    for (uint32_t l = 0; l < d->map->line_count; l++)
        add_line(d, &d->map->lines[l]);
    for (uint32_t v = 0; v < rwa_network_nodes(d->map->spectrum.result->net); v++)
        add_node(d, v);
    add_legend(d);
    text_add(d->t, "</svg>\n");
}

rwa_status rwa_view_assignment_svg(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                   rwa_error *err)
{
    BEGIN_NEW(text, err, result);
    struct text t = {.err = err};
    struct map m;
    struct drawing d = {.map = &m, .t = &t};
    rwa_status st = RWA_OK;
    TRY(map_open(&m, result, opts, err));
    TRY(place_nodes(&d, err));
    add_drawing(&d);
    st = text_finish(&t, text);
done:
    free_all(d.x, d.y, d.taken);
    map_close(&m);
    return st;
}
