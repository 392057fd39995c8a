/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/places.h"

#include "network/layout.h"

/** The least distance between two nodes, in the unit square. */
static const double apart = 0.035;
/** The least distance between a link and a node that is not its end; a nearer link would seem to end there. */
static const double too_near = 0.025;
/** The most that a link is bent: bent links stay between the rows of a torus, and within the margin. */
static const double highest_bow = 0.12;

static double shortest_link(const struct places *p, const rwa_network *net)
{
    double shortest = 1;
    for (uint32_t i = 0; i < rwa_network_links(net); i++) {
        rwa_link l = rwa_network_link(net, i);
        shortest = fmin(shortest, hypot(p->x[l.to] - p->x[l.from], p->y[l.to] - p->y[l.from]));
    }
    return shortest;
}

/** Tell whether link l, bent by `bow`, keeps away from all nodes except its ends. */
static bool is_clear(const struct places *p, const rwa_network *net, rwa_link l, double bow)
{
    enum { POINTS = 96 };
    double dx = p->x[l.to] - p->x[l.from], dy = p->y[l.to] - p->y[l.from], length = fmax(hypot(dx, dy), 1e-9);
    for (int k = 1; k < POINTS; k++) {
        double along = (double)k / POINTS, across = 3 * along * (1 - along) * bow / length;
        double smooth = along * along * (3 - 2 * along);    /* of a cubic curve whose handles stand beside its ends */
        double x = p->x[l.from] + smooth * dx - across * dy, y = p->y[l.from] + smooth * dy + across * dx;
        for (uint32_t v = 0; v < rwa_network_nodes(net); v++)
            if (v != l.from && v != l.to && hypot(p->x[v] - x, p->y[v] - y) < too_near)
                return false;
    }
    return true;
}

/** Choose how far to bend a link so that it meets no node but its ends: `usual` if that suffices, otherwise the least
 *  bend to either side that does.  If that is above what a drawing allows, return `usual`. */
static double choose_bow(const struct places *p, const rwa_network *net, rwa_link l, double usual)
{
    if (is_clear(p, net, l, usual))
        return usual;
    double most = fmin(highest_bow, 0.5 * hypot(p->x[l.to] - p->x[l.from], p->y[l.to] - p->y[l.from]));
    for (double bow = 0.03; bow <= most; bow += 0.03) {
        if (is_clear(p, net, l, bow))
            return bow;
        if (is_clear(p, net, l, -bow))
            return -bow;
    }
    return usual;
}

/** Set p->bow[] such that links are bent that would run over a node between their ends, such as the links that close
 *  the rows of a torus. */
static void bend(struct places *p, const rwa_network *net)
{
    double height = fmin(0.45 * shortest_link(p, net), highest_bow);
    for (uint32_t i = 0; i < rwa_network_links(net); i++) {
        rwa_link l = rwa_network_link(net, i);
        uint32_t back = rwa_network_find_link(net, l.to, l.from);
        assert(back == RWA_NONE || back < rwa_network_links(net));
        if (back < i)
            p->bow[i] = -p->bow[back]; /* both directions keep together */
        else
            p->bow[i] = is_clear(p, net, l, 0) ? 0 : choose_bow(p, net, l, height);
    }
}

rwa_status places_open(struct places *p, const rwa_network *net, struct arena *memory)
{
    arena_arrays(memory, rwa_network_nodes(net), p->x, p->y);
    MUST(arena_arrays(memory, rwa_network_links(net), p->bow));
    MUST(network_layout(p->x, p->y, net, apart, memory->err));
    bend(p, net);
    return RWA_OK;
}
