/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Makes a map from the positions of the nodes: projects them, fills gaps, and moves crowded nodes apart. */
#include "network/layout.h"

#include "network/network.h"

/** Return the cosine of the mean latitude of the nodes, which makes a degree of longitude as long as one of latitude.
 *  Return 1 if the positions are not degrees. */
static double longitude_scale(const rwa_network *net)
{
    double sum = 0, count = 0;
    for (uint32_t v = 0; v < net->nodes; v++) {
        rwa_position at;
        if (!rwa_network_position(&at, net, v))
            continue;
        if (fabs(at.y) > 90 || fabs(at.x) > 360)
            return 1;
        sum += at.y;
        count++;
    }
    assert(count > 0);
    return cos(sum / count * M_PI / 180);
}

/** Set x[v], y[v] to the mean of the positions that v's neighbours have in x[] and y[].  Return false, without a
 *  change, if none of them has one. */
static bool take_mean(double *x, double *y, const rwa_network *net, uint32_t v)
{
    double sum_x = 0, sum_y = 0, count = 0;
    for (uint32_t k = net->first[v]; k < net->first[v + 1]; k++) {
        uint32_t to = net->links[net->out[k]].to;
        if (isnan(x[to]))
            continue;
        sum_x += x[to];
        sum_y += y[to];
        count++;
    }
    if (count == 0)
        return false;
    x[v] = sum_x / count;
    y[v] = sum_y / count;
    return true;
}

/** Set x[v], y[v] of each node v without a position (NaN) to the mean of its neighbours.  A node from which no chain of
 *  links leads to a known position gets the mean of all nodes that have one by then. */
static void fill_gaps(double *x, double *y, const rwa_network *net)
{
    for (bool found = true; found;) {
        found = false;
        for (uint32_t v = 0; v < net->nodes; v++)
            found = (isnan(x[v]) && take_mean(x, y, net, v)) || found;
    }
    double sum_x = 0, sum_y = 0, count = 0;
    for (uint32_t v = 0; v < net->nodes; v++)
        if (!isnan(x[v])) {
            sum_x += x[v];
            sum_y += y[v];
            count++;
        }
    for (uint32_t v = 0; v < net->nodes; v++)
        if (isnan(x[v])) {
            x[v] = sum_x / count;
            y[v] = sum_y / count;
        }
}

void layout_by_positions(double *x, double *y, const rwa_network *net)
{
    double scale = longitude_scale(net);
    for (uint32_t v = 0; v < net->nodes; v++) {
        rwa_position at;
        rwa_network_position(&at, net, v);
        x[v] = at.x * scale;
        y[v] = -at.y;
    }
    fill_gaps(x, y, net);
}

/** If nodes a and b are nearer than `least`, move each by half of the missing distance and return true.  Two nodes at
 *  the same point move in a direction that depends on their numbers. */
static bool part(double *x, double *y, uint32_t a, uint32_t b, double least)
{
    double dx = x[b] - x[a], dy = y[b] - y[a], distance = hypot(dx, dy);
    if (distance >= least)
        return false;
    double away = (least - distance) / 2 + 1e-6, angle = distance > 1e-9 ? atan2(dy, dx) : 2.4 * a;
    x[a] -= away * cos(angle);
    y[a] -= away * sin(angle);
    x[b] += away * cos(angle);
    y[b] += away * sin(angle);
    return true;
}

void layout_part(double *x, double *y, uint32_t nodes, double least)
{
    enum { ROUNDS = 60 };
    bool moved = true;
    for (int round = 0; round < ROUNDS && moved; round++) {
        moved = false;
        for (uint32_t a = 0; a < nodes; a++)
            for (uint32_t b = a + 1; b < nodes; b++)
                moved = part(x, y, a, b, least) || moved;
    }
}
