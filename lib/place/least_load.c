/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/place.h"

uint32_t circuits_for(double bytes, double load)
{
    double x = fmax(ceil(bytes / load), 1);
    if (!(x < (double)UINT32_MAX))
        return UINT32_MAX;
    /* the quotient was rounded; only the load bytes / x counts */
    while (x > 1 && bytes / (x - 1) <= load)
        x--;
    while (bytes / x > load)
        x++;
    return (uint32_t)x;
}

/** Tell whether `ports` circuits out and `ports` circuits in suffice at every node if each circuit carries at most
 *  `load` bytes. */
static bool fits(const rwa_traffic *t, double load, uint32_t ports)
{
    for (uint32_t v = 0; v < t->nodes; v++) {
        uint64_t out = 0, in = 0;
        for (size_t i = t->row[v]; i < t->row[v + 1] && out <= ports; i++)
            out += circuits_for(t->flow[i].bytes, load);
        for (size_t i = t->column[v]; i < t->column[v + 1] && in <= ports; i++)
            in += circuits_for(t->flow[t->by_dst[i]].bytes, load);
        if (out > ports || in > ports)
            return false;
    }
    return true;
}

/** Return the largest number of bytes on a circuit if each flow gets the fewest circuits that keep it within `load`. */
static double real_load(const rwa_traffic *t, double load)
{
    double most = 0;
    for (size_t i = 0; i < t->count; i++)
        most = fmax(most, t->flow[i].bytes / circuits_for(t->flow[i].bytes, load));
    return most;
}

double most_bytes(const rwa_traffic *t)
{
    double most = 0;
    for (size_t i = 0; i < t->count; i++)
        most = fmax(most, t->flow[i].bytes);
    return most;
}

double least_share(const rwa_traffic *t, uint32_t ports)
{
    double most = 0;
    for (uint32_t v = 0; v < t->nodes; v++) {
        double out = 0, in = 0;
        for (size_t i = t->row[v]; i < t->row[v + 1]; i++)
            out += t->flow[i].bytes / ports;
        for (size_t i = t->column[v]; i < t->column[v + 1]; i++)
            in += t->flow[t->by_dst[i]].bytes / ports;
        most = fmax(most, fmax(out, in));
    }
    return most;
}

/** Bisect between a load that does not fit and one that does, until no floating-point number lies between them: so the
 *  result is exact. */
double least_load(const rwa_traffic *t, uint32_t ports)
{
    double low = least_share(t, ports) / 2; /* does not fit: it needs twice the ports */
    double high = most_bytes(t);            /* one circuit for every peer */
    for (;;) {
        double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high))
            return high;
        if (fits(t, middle, ports))
            high = real_load(t, middle);
        else
            low = middle;
    }
}
