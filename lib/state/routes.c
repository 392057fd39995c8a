/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The shortest routes of each pair of nodes, searched for when first asked for. */
#include "state/state.h"

#include "network/network.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_BEGIN = 64 };

void routes_free(struct routes *r)
{
    finder_close(r->finder);
    roads_free(&r->roads);
    paths_free(&r->paths);
    free(r->table);
}

/** The network with these carriers failed, and nothing else. */
static rwa_status without(rwa_network **out, const rwa_network *net, rwa_model model, const bool *failed, rwa_error *err)
{
    uint32_t count = rwa_network_directed_links(net);
    rwa_faults faults = {0};
    uint32_t *links = base_array(count, sizeof *links, err);
    *out = NULL;
    if (!links)
        return RWA_NOMEM;
    for (uint32_t a = 0; a < count; a++)
        if (failed[model == RWA_UNDIRECTED ? rwa_network_pair(net, a) : a])
            links[faults.link_count++] = a;
    faults.links = links;
    rwa_status st = rwa_network_with_faults(out, net, &faults, err);
    free(links);
    return st;
}

rwa_status routes_begin(struct routes *r, const rwa_network *net, rwa_model model, const bool *failed, rwa_error *err)
{
    rwa_network *left = NULL;
    struct roads roads = {0};
    struct finder *finder = NULL;
    rwa_status st = RWA_OK;
    TRY(without(&left, net, model, failed, err));
    TRY(roads_create(&roads, left, model, err));
    finder_close(r->finder);    /* it points to the roads that go */
    r->finder = NULL;
    roads_free(&r->roads);
    r->roads = roads;
    memset(&roads, 0, sizeof roads);
    TRY(finder_open(&finder, &r->roads, err));
    r->finder = finder;
    finder = NULL;
    paths_cut(&r->paths, 0);
    if (r->table)
        memset(r->table, 0, r->room * sizeof *r->table);
    r->used = 0;
    r->stale = false;
done:
    finder_close(finder);
    roads_free(&roads);
    rwa_network_free(left);
    return st;
}

/** Where the key is, or belongs. */
static struct pair *place_of(const struct routes *r, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (r->room - 1);
    while (r->table[i].key && r->table[i].key != key)
        i = (i + 1) & (r->room - 1);
    return &r->table[i];
}

static rwa_status make_room(struct routes *r, rwa_error *err)
{
    struct routes grown = *r;
    if (2 * (r->used + 1) <= r->room)
        return RWA_OK;
    grown.room = r->room ? 2 * r->room : TABLE_BEGIN;
    grown.table = base_array(grown.room, sizeof *grown.table, err);
    if (!grown.table)
        return RWA_NOMEM;
    for (size_t i = 0; i < r->room; i++)
        if (r->table[i].key)
            *place_of(&grown, r->table[i].key) = r->table[i];
    free(r->table);
    r->table = grown.table;
    r->room = grown.room;
    return RWA_OK;
}

rwa_status routes_find(struct routes *r, uint32_t src, uint32_t dst, size_t *first, uint32_t *count, rwa_error *err)
{
    uint64_t key = (uint64_t)src * r->roads.nodes + dst + 1;
    struct pair *pair = r->room ? place_of(r, key) : NULL;
    rwa_status st = RWA_OK;
    if (!pair || !pair->key) {
        size_t before = r->paths.count;
        TRY(make_room(r, err));
        st = finder_shortest(r->finder, &r->paths, src, dst, r->most, r->max_hops, err);
        if (st != RWA_OK) {
            paths_cut(&r->paths, before);
            goto done;
        }
        pair = place_of(r, key);
        *pair = (struct pair){key, before, (uint32_t)(r->paths.count - before)};
        r->used++;
    }
    *first = pair->first;
    *count = pair->count;
done:
    return st;
}
