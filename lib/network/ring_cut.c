/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/ring_cut.h"

#include "base/arena.h"

static void keep_larger(struct ring_cut *best, double amount, size_t first, size_t last, bool inward)
{
    if (amount > best->amount)
        *best = (struct ring_cut){amount, (uint32_t)first, (uint32_t)last, inward};
}

rwa_status ring_cut_find(struct ring_cut *best, const double *amount, size_t nodes, bool line, bool both,
                         rwa_error *err)
{
    struct arena memory = {.err = err};
    double *sent, *received, *inside;   /* inside[last]: between the nodes first … last, both ways */
    *best = (struct ring_cut){0};
    rwa_status st = arena_arrays(&memory, nodes, sent, received, inside);
    for (size_t v = 0; st == RWA_OK && v < nodes * nodes; v++) {
        sent[v / nodes] += amount[v];
        received[v % nodes] += amount[v];
    }
    for (size_t first = nodes; st == RWA_OK && first-- > 0;) {
        double out = 0, in = 0, joined = 0;
        for (size_t last = first; last < nodes && last - first + 1 < nodes; last++) {
            out += sent[last];
            in += received[last];
            joined += last > first ? amount[first * nodes + last] + amount[last * nodes + first] : 0;
            inside[last] += joined;
            if (line && first > 0)
                continue;
            keep_larger(best, out - inside[last] + (both ? in - inside[last] : 0), first, last, false);
            if (!both)
                keep_larger(best, in - inside[last], first, last, true);
        }
    }
    arena_free(&memory);
    return st;
}
