/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/paths.h"

void paths_free(struct paths *p)
{
    free_all(p->first, p->working, p->arc);
    memset(p, 0, sizeof *p);
}

rwa_status paths_add(struct paths *p, const uint32_t *arc, size_t hops, rwa_error *err)
{
    return paths_add_pair(p, arc, hops, hops, err);
}

rwa_status paths_copy(struct paths *p, const struct paths *from, size_t i, rwa_error *err)
{
    return paths_add_pair(p, paths_arcs(from, i), from->working[i], paths_hops(from, i), err);
}

rwa_status paths_add_pair(struct paths *p, const uint32_t *arc, size_t working, size_t hops, rwa_error *err)
{
    assert(working > 0 && working <= hops);
    size_t at = p->count ? p->first[p->count] : 0;
    MUST(base_reserve(p->first, p->count + 2, err));
    MUST(base_reserve(p->arc, at + hops, err));
    MUST(base_reserve(p->working, p->count + 1, err));
    memmove(p->arc + at, arc, hops * sizeof *arc);
    p->working[p->count] = working;
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
