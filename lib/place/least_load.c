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

/** Tell whether `ports` circuits out of each node and as many into it are enough if each circuit carries at most `load`
 *  bytes. */
static bool fits(const rwa_traffic *t, double load, uint64_t ports)
{
    for (int end = 0; end < 2; end++)
        for (uint32_t v = 0; v < t->nodes; v++) {
            uint64_t circuits = 0;
            for (size_t i = t->of[end].first[v]; i < t->of[end].first[v + 1] && circuits <= ports; i++)
                circuits += circuits_for(t->flow[t->of[end].number[i]].bytes, load);
            if (circuits > ports)
                return false;
        }
    return true;
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
    for (int end = 0; end < 2; end++)
        for (uint32_t v = 0; v < t->nodes; v++) {
            double share = 0;
            for (size_t i = t->of[end].first[v]; i < t->of[end].first[v + 1]; i++)
                share += t->flow[t->of[end].number[i]].bytes / ports;
            most = fmax(most, share);
        }
    return most;
}

/** Bisect between a load that suffices() rejects and one that it accepts, until no floating-point number lies between
 *  them.  So the result is exact. */
double least_fitting(double low, load_fits *suffices, const rwa_traffic *t, uint64_t most)
{
    double high = most_bytes(t), middle = low + (high - low) / 2;
    for (; middle > low && middle < high; middle = low + (high - low) / 2)
        if (suffices(t, middle, most))
            high = middle;
        else
            low = middle;
    return high;
}

double least_load(const rwa_traffic *t, uint32_t ports)
{
    return least_fitting(least_share(t, ports) / 2, fits, t, ports);    /* half the share needs twice the ports */
}
