/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/paths.h"

void paths_free(struct paths *p)
{
    free_all(p->first, p->arc);
    memset(p, 0, sizeof *p);
}

rwa_status paths_add(struct paths *p, const uint32_t *arc, size_t hops, rwa_error *err)
{
    assert(hops > 0);
    size_t at = p->count ? p->first[p->count] : 0;
    MUST(base_grow((void **)&p->first, &p->first_capacity, p->count + 2, sizeof *p->first, err));
    MUST(base_grow((void **)&p->arc, &p->arc_capacity, at + hops, sizeof *p->arc, err));
    memcpy(p->arc + at, arc, hops * sizeof *arc);
    p->first[p->count++] = at;
    p->first[p->count] = at + hops;
    return RWA_OK;
}

void paths_cut(struct paths *p, size_t count)
{
    assert(count <= p->count);
    p->count = count;
}

bool paths_hold(const struct paths *p, size_t from, const uint32_t *arc, size_t hops)
{
    for (size_t i = from; i < p->count; i++)
        if (paths_hops(p, i) == hops && memcmp(paths_arcs(p, i), arc, hops * sizeof *arc) == 0)
            return true;
    return false;
}
