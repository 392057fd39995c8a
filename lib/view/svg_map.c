/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/svg_map.h"

#include "base/arithmetic.h"
#include "network/network.h"

/** Pixels: the longest side, a node, a letter and a line of names, also of small ones, and the least space around the
 *  nodes, without names and with them. */
enum { LARGEST = 860, NODE = 8, LETTER = 7, LINE = 14, SMALL_LETTER = 6, SMALL_LINE = 12, EDGE = 30, NAME_EDGE = 90 };
/** Where a name may stand: BESIDE places beside its node, and SHARES places each above and below it, which differ in
 *  the share of the name to the left of the node; all of them near the node, and again farther off, DISTANCES times. */
enum { BESIDE = 2, SHARES = 5, PLACES = BESIDE + 2 * SHARES, DISTANCES = 3 };

const struct fullness svg_map_fullness[] = {{0, "#aab6c1", "empty", 1.5}, {0.5, "#56b4e9", "up to half", 3},
                                           {0.8, "#0072b2", "up to 80 %", 4.5},
                                           {1 - 1e-12, "#e69f00", "nearly full", 6}, {1, "#d55e00", "full", 7.5},
                                           {.color = NULL}};

void svg_map_plan(struct svg_map *m, double beside)
{
    double bow = 0, right = 0, bottom = 0;
    bool named = rwa_network_node_name(m->net, 0) != NULL;
    if (m->size == 0)
        m->size = fmax(320, fmin(LARGEST, (named ? 200 : 160) * sqrt(rwa_network_nodes(m->net)) - 40));
    for (uint32_t l = 0; l < rwa_network_links(m->net); l++)
        bow = fmax(bow, fabs(m->places->bow[l]));
    for (uint32_t v = 0; v < rwa_network_nodes(m->net); v++) {
        right = fmax(right, m->places->x[v]);
        bottom = fmax(bottom, m->places->y[v]);
    }
    /* a bent link rises to three quarters of the height of its handles */
    m->rise = fmax(EDGE, 0.75 * bow * m->size + beside + NODE);
    m->edge = fmax(named ? fmin(NAME_EDGE, m->size / 3) : EDGE, m->rise);
    m->width = m->size * right + 2 * m->edge;
    m->height = m->size * bottom + 2 * m->rise;
}

static double x_of(const struct svg_map *m, uint32_t v)
{
    return m->left + m->edge + m->size * m->places->x[v];
}

static double y_of(const struct svg_map *m, uint32_t v)
{
    return m->top + m->rise + m->size * m->places->y[v];
}

struct svg_curve svg_map_curve(const struct svg_map *m, uint32_t l, double off)
{
    rwa_link ends = rwa_network_link(m->net, l);
    double bow = m->places->bow[l] * m->size, turn = bow > 0 ? 1 : bow < 0 ? -1 : 0;
    double ax = x_of(m, ends.from), ay = y_of(m, ends.from), dx = x_of(m, ends.to) - ax, dy = y_of(m, ends.to) - ay;
    double length = hypot(dx, dy);
    /* Along the straight line between the ends is the direction (dx, dy) / length, across it (-dy, dx) / length, to its
     * right.  A bent link leaves and enters its ends across that line: there "to the right of the link" is along it. */
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

void svg_map_add(struct text *t, const char *to, const struct svg_curve *c)
{
    text_add(t, "%s%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", to, c->x[0], c->y[0], c->x[1], c->y[1], c->x[2], c->y[2],
             c->x[3], c->y[3]);
}

void svg_map_line(const struct svg_map *m, uint32_t link, double busy, double most, const char *look)
{
    rwa_link ends = rwa_network_link(m->net, link);
    const struct fullness *f = svg_map_fullness;
    while (f[1].color && busy > f->share * most)
        f++;
    struct svg_curve c = svg_map_curve(m, link, 0);
    text_add(m->t, "<path class=\"link%s\" stroke=\"%s\" stroke-width=\"%.1f\" d=\"", look, f->color, f->width);
    svg_map_add(m->t, "M", &c);
    text_add(m->t, "\"><title>");
    view_add_node(m->t, m->net, ends.from, "–");
    view_add_node(m->t, m->net, ends.to, ": ");
    if (isnan(busy))
        text_add(m->t, "%.0f channels</title></path>\n", most);
    else
        text_add(m->t, "%.0f of %.0f channels, %.0f %%</title></path>\n", busy, most, 100 * busy / most);
}

void svg_map_legend(const struct svg_map *m, double x, double y)
{
    text_add(m->t, "<text x=\"%.1f\" y=\"%.1f\">Channels in use:</text>\n", x, y);
    x += 112;
    for (const struct fullness *f = svg_map_fullness; f->color; f++) {
        text_add(
            m->t,
            "<path stroke=\"%s\" stroke-width=\"%.1f\" d=\"M%.1f %.1fh24\"/><text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            f->color, f->width, x, y - 4, x + 29, y, f->words);
        x += 29 + LETTER * (double)strlen(f->words) + 14;
    }
}

/* ---- names ---- */

struct box {
    double left, top, right, bottom;
};

struct named {
    uint32_t node, links;
};

COMPARATOR(by_links, struct named, DOWN(links) UP(node))

/** Return the box for the name of a node at place k, `width` pixels wide. k % PLACES chooses the side of the node and,
 *  above and below it, how much of the name is left of the node. k / PLACES is 0 for a box near the node, 1 for one
 *  farther off. */
static struct box name_box(const struct svg_map *m, uint32_t node, uint32_t k, double width)
{
    uint32_t place = k % PLACES;
    double side = place < BESIDE ? 0 : place < BESIDE + SHARES ? -1 : 1;
    double share = side == 0 ? place : (place - BESIDE) % SHARES / (SHARES - 1.0);
    double line = m->small ? SMALL_LINE : LINE, far = (NODE + 3 + k / PLACES * line) * (side == 0 ? 1 : 0.7);
    double left = x_of(m, node) - share * width + (share < 0.5 ? far : share > 0.5 ? -far : 0);
    double top = y_of(m, node) - line / 2 + side * (line / 2 + far);
    return (struct box){left, top, left + width, top + line};
}

/** Return the least angle, in radians, between the direction `angle` and the links that leave the node; pi without
 *  links. */
static double clearance(const struct svg_map *m, uint32_t node, double angle)
{
    double least = M_PI;
    for (uint32_t l = 0; l < rwa_network_links(m->net); l++) {
        rwa_link ends = rwa_network_link(m->net, l);
        if (ends.from != node)
            continue;
        double turn = atan2(y_of(m, ends.to) - y_of(m, node), x_of(m, ends.to) - x_of(m, node)) - angle;
        least = fmin(least, fabs(atan2(sin(turn), cos(turn))));
    }
    return least;
}

static double gap(const struct svg_map *m, const struct box *box, uint32_t node)
{
    double x = x_of(m, node), y = y_of(m, node);
    return hypot(fmax(0, fmax(box->left - x, x - box->right)), fmax(0, fmax(box->top - y, y - box->bottom)));
}

/** Tell whether a box for the name of a node is free: it is within the map, covers no name placed so far, and is nearer
 *  to its node than to any other.  taken[v] is the box of node v's name, empty if it has none. */
static bool is_free(const struct svg_map *m, const struct box *box, uint32_t node, const struct box *taken)
{
    bool outside = box->left < m->left || box->right > m->left + m->width || box->top < m->top ||
                   box->bottom > m->top + m->height;
    for (uint32_t v = 0; !outside && v < rwa_network_nodes(m->net); v++)
        outside = (box->left < taken[v].right && taken[v].left < box->right && box->top < taken[v].bottom &&
                   taken[v].top < box->bottom) || gap(m, box, v) < gap(m, box, node);
    return !outside;
}

/** Store in `name` the name of a node without its state: Seattle for "Seattle (WA)", Springfield for "Springfield,
 *  Illinois". */
static void name_shortly(char name[NODE_TEXT], const struct svg_map *m, uint32_t node)
{
    network_name_node(name, NODE_TEXT, m->net, node);
    char *state = strstr(name, " (") ? strstr(name, " (") : strchr(name, ',');
    if (state)
        *state = '\0';
}

/** Set taken[v] to a free box for the name of node v, near the node and far from its links; to an empty box if none is
 *  free. */
static void place_name(const struct svg_map *m, uint32_t v, struct box *taken)
{
    char name[NODE_TEXT];
    struct box found = {0};
    name_shortly(name, m, v);
    double width = (m->small ? SMALL_LETTER : LETTER) * (double)text_letters(name), best = -INFINITY;
    for (uint32_t k = 0; k < PLACES * DISTANCES; k++) {
        struct box box = name_box(m, v, k, width);
        double angle = atan2((box.top + box.bottom) / 2 - y_of(m, v), (box.left + box.right) / 2 - x_of(m, v));
        double score = clearance(m, v, angle) - k / PLACES * 1.5;
        if (score <= best || !is_free(m, &box, v, taken))
            continue;
        best = score;
        found = box;
    }
    taken[v] = found;
}

/** Set (*boxes)[v] to a box for the name of node v, empty if none is free, for all nodes; nodes with the most links
 *  choose first. */
static rwa_status place_names(struct box **boxes, const struct svg_map *m)
{
    uint32_t nodes = rwa_network_nodes(m->net);
    struct named *order = NULL;
    MUST(arena_arrays(m->memory, nodes, *boxes, order));
    for (uint32_t v = 0; v < nodes; v++)
        order[v].node = v;
    for (uint32_t l = 0; l < rwa_network_links(m->net); l++)
        order[rwa_network_link(m->net, l).from].links++;
    base_sort(order, nodes, by_links);
    for (uint32_t i = 0; i < nodes && rwa_network_node_name(m->net, 0); i++)
        place_name(m, order[i].node, *boxes);
    return RWA_OK;
}

rwa_status svg_map_nodes(const struct svg_map *m, const uint32_t *side)
{
    uint32_t nodes = rwa_network_nodes(m->net);
    struct box *boxes = NULL;
    char name[NODE_TEXT];
    MUST(place_names(&boxes, m));
    for (uint32_t v = 0; v < nodes; v++)
        text_add(m->t, "<circle class=\"node%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/><text class=\"small mid\" "
                 "x=\"%.1f\" y=\"%.1f\">%u</text>\n", side && side[v] ? " side" : "", x_of(m, v), y_of(m, v), NODE,
                 x_of(m, v), y_of(m, v) + 3.5, v);
    for (uint32_t v = 0; v < nodes; v++)
        if (boxes[v].bottom > 0) {
            name_shortly(name, m, v);
            text_add(m->t, "<text class=\"mid name\" x=\"%.1f\" y=\"%.1f\">", (boxes[v].left + boxes[v].right) / 2,
                     boxes[v].bottom - 3);
            view_add_words(m->t, name, "</text>\n");
        }
    return RWA_OK;
}

rwa_status svg_map_sizes(struct text *t, const rwa_network *net, const struct places *places, struct arena *memory)
{
    enum { LEAST = 240, MOST = 1500 };
    text_add(t, "maps:[");
    for (double size = LEAST; size < MOST; size *= 1.35) {
        struct svg_map m = {.t = t, .net = net, .places = places, .memory = memory, .size = size, .small = true};
        struct box *boxes = NULL;
        svg_map_plan(&m, 0);
        MUST(place_names(&boxes, &m));
        text_add(t, "{wide:%.0f,tall:%.0f,scale:%g,edge:%g,rise:%g,names:[", m.width, m.height, size, m.edge,
                 m.rise);
        for (uint32_t v = 0; v < rwa_network_nodes(net); v++)
            text_add(t, boxes[v].bottom > 0 ? "[%.1f,%.1f]," : "0,", (boxes[v].left + boxes[v].right) / 2,
                     boxes[v].bottom - 3);
        text_add(t, "]},\n");
    }
    text_add(t, "],\n");
    return RWA_OK;
}
