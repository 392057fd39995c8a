/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/translations.h"

#include "network/network.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool translations_of(struct translations *t, const rwa_network *net)
{
    const uint32_t *shape = NULL;
    size_t count = rwa_network_shape(&shape, net);
    *t = (struct translations){.net = net, .nodes = rwa_network_nodes(net), .digits = 1};
    t->radix[0] = t->nodes;
    switch (rwa_network_topology(net)) {
    case RWA_RING:
    case RWA_CIRCULANT:
        return true;
    case RWA_TORUS:
        t->digits = count;
        memcpy(t->radix, shape, count * sizeof *shape);
        return true;
    case RWA_HYPERCUBE:
        t->digits = shape[0];
        for (size_t d = 0; d < t->digits; d++)
            t->radix[d] = 2;
        return true;
    default:
        return false;
    }
}

uint32_t translations_move(const struct translations *t, uint32_t node, uint32_t from, uint32_t to)
{
    uint32_t moved = 0, place = 1;
    assert(node < t->nodes && from < t->nodes && to < t->nodes);
    for (size_t d = t->digits; d-- > 0;) {
        uint32_t radix = t->radix[d];
        moved += (uint32_t)(((uint64_t)node % radix + to % radix + radix - from % radix) % radix) * place;
        place *= radix;
        node /= radix;
        from /= radix;
        to /= radix;
    }
    assert(moved < t->nodes);
    return moved;
}

uint32_t translations_add(const struct translations *t, uint32_t a, uint32_t b)
{
    return translations_move(t, a, 0, b);
}

bool network_is_uniform(const rwa_network *net)
{
    const rwa_reserved *reserved = NULL;
    rwa_faults faults;
    rwa_network_faults(&faults, net);
    for (uint32_t l = 0; l < rwa_network_links(net); l++)
        if (rwa_network_link(net, l).fibers != rwa_network_fibers(net))
            return false;
    return faults.link_count == 0 && rwa_network_reserved(&reserved, net) == 0;
}

/* ---- folding ---- */

/* As the number of cosets divides the last radix, nodes 0 … cosets - 1 are in different ones: coset k has no lower node than k. */
static uint32_t coset_of(const struct translations *t, uint32_t node, uint32_t cosets)
{
    uint64_t sum = 0;
    for (size_t d = t->digits; d-- > 0;) {
        sum += node % t->radix[d];
        node /= t->radix[d];
    }
    return (uint32_t)(sum % cosets);
}

static void sort_nodes(struct folding *f)
{
    for (uint32_t v = 0; v < f->group.nodes; v++) {
        f->node[v] = coset_of(&f->group, v, f->cosets);
        assert(f->node[v] <= v);
        if (f->node[v] == 0)
            f->member[f->members++] = v;
    }
    assert(f->members * f->cosets == f->group.nodes && f->member[0] == 0);
}

static void sort_links(struct folding *f, const rwa_network *listed)
{
    for (uint32_t l = 0; l < rwa_network_links(listed); l++) {
        rwa_link link = rwa_network_link(listed, l);
        uint32_t from = f->node[link.from], to = translations_move(&f->group, link.to, link.from, from);
        f->link[l] = rwa_network_find_link(listed, from, to);
        assert(f->link[l] != RWA_NO_LINK && f->node[to] == f->node[link.to]);
    }
}

rwa_status folding_create(struct folding *f, const struct translations *group, const rwa_network *listed, uint32_t cosets,
                          rwa_error *err)
{
    assert(cosets > 0);
    for (size_t d = 0; d < group->digits; d++)
        assert(group->radix[d] % cosets == 0);
    *f = (struct folding){.group = *group, .cosets = cosets};
    f->member = base_array(group->nodes / cosets, sizeof *f->member, err);
    f->node = base_array(group->nodes, sizeof *f->node, err);
    f->link = base_array(rwa_network_links(listed), sizeof *f->link, err);
    if (!f->member || !f->node || !f->link)
        return RWA_NOMEM;
    sort_nodes(f);
    sort_links(f, listed);
    return RWA_OK;
}

void folding_free(struct folding *f)
{
    free(f->member);
    free(f->node);
    free(f->link);
    memset(f, 0, sizeof *f);
}
