/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The proof of an assignment's bound, gone through again without the library: all distances by Floyd and Warshall. */
#pragma once

#include "rwa.h"

#include "tests/support/suite.h"

#include "base/base.h"

/** The fibres of a link; none if it has failed, or if undirected the other direction of its pair. */
static inline uint32_t proof_fibers(const rwa_network *net, rwa_model model, uint32_t link)
{
    rwa_faults faults;
    rwa_network_faults(&faults, net);
    for (size_t i = 0; i < faults.link_count; i++)
        if (faults.links[i] == link ||
            (model == RWA_UNDIRECTED && rwa_network_pair(net, faults.links[i]) == rwa_network_pair(net, link)))
            return 0;
    return rwa_network_link(net, link).fibers;
}

/** dist[u * n + v] under the lengths of a certificate; UINT64_MAX / 4: no way. */
static inline uint64_t *proof_distances(const rwa_network *net, rwa_model model, const uint32_t *lengths)
{
    size_t n = rwa_network_nodes(net);
    uint64_t *dist = malloc(n * n * sizeof *dist);
    for (size_t i = 0; i < n * n; i++)
        dist[i] = i % (n + 1) == 0 ? 0 : UINT64_MAX / 4;
    for (uint32_t a = 0; a < rwa_network_links(net); a++) {
        rwa_link link = rwa_network_link(net, a);
        uint64_t length = lengths[model == RWA_UNDIRECTED ? rwa_network_pair(net, a) : a];
        if (proof_fibers(net, model, a) > 0 && length < dist[link.from * n + link.to])
            dist[link.from * n + link.to] = length;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (dist[i * n + k] + dist[k * n + j] < dist[i * n + j])
                    dist[i * n + j] = dist[i * n + k] + dist[k * n + j];
    return dist;
}

/** The capacity of one wavelength: the length of each link of the model, once per fibre. */
static inline uint64_t proof_offer(const rwa_network *net, rwa_model model, const uint32_t *lengths)
{
    uint64_t offer = 0;
    for (uint32_t a = 0; a < rwa_network_links(net); a++)
        offer += lengths[model == RWA_UNDIRECTED ? rwa_network_pair(net, a) : a] *
                 (uint64_t)proof_fibers(net, model, a);
    return model == RWA_UNDIRECTED ? offer / 2 : offer;     /* both directions of a pair have its length */
}

/** The lightpaths' distances, ascending; *count of them. */
static inline uint64_t *proof_demands(const rwa_assignment *r, const uint64_t *dist, size_t *count)
{
    const rwa_demands *demands = rwa_assignment_demands(r);
    const rwa_demand *list = rwa_demands_list(demands);
    size_t n = rwa_demands_nodes(demands);
    uint64_t *length = malloc((size_t)rwa_demands_lightpaths(demands) * sizeof *length + 1);
    *count = 0;
    for (size_t d = 0; d < rwa_demands_count(demands); d++)
        for (uint32_t copy = 0; copy < list[d].count; copy++)
            length[(*count)++] = list[d].via == RWA_NONE ? dist[list[d].src * n + list[d].dst]
                                                            : dist[list[d].src * n + list[d].via] +
                                                                  dist[list[d].via * n + list[d].dst];
    base_sort(length, *count, order_uint64);
    return length;
}

static inline int proof_is_in(const rwa_odd_set *set, uint32_t node)
{
    for (size_t k = 0; k < set->count; k++)
        if (set->nodes[k] == node)
            return 1;
    return 0;
}

/** The length of fibres that stay dark at the sets of a bound on so many wavelengths; UINT64_MAX: a link is too short
 *  for them. */
static inline uint64_t proof_lost(const rwa_assignment *r, uint64_t wavelengths)
{
    const rwa_assignment_report *s = rwa_assignment_summary(r);
    const rwa_network *net = rwa_assignment_network(r);
    const rwa_demands *demands = rwa_assignment_demands(r);
    const rwa_demand *list = rwa_demands_list(demands);
    uint64_t lost = 0;
    for (uint32_t a = 0; a < rwa_network_links(net); a++) {
        rwa_link link = rwa_network_link(net, a);
        uint64_t weights = 0;
        for (size_t i = 0; i < s->odd_set_count; i++)
            weights += proof_is_in(&s->odd_sets[i], link.from) != proof_is_in(&s->odd_sets[i], link.to)
                           ? s->odd_sets[i].weight
                           : 0;
        if (weights > s->bound.lengths[rwa_network_pair(net, a)])
            return UINT64_MAX;
    }
    for (size_t i = 0; i < s->odd_set_count; i++) {
        const rwa_odd_set *set = &s->odd_sets[i];
        uint64_t fibers = 0, ends = 0;
        for (uint32_t a = 0; a < rwa_network_links(net); a++) {
            rwa_link link = rwa_network_link(net, a);
            fibers += proof_is_in(set, link.from) && !proof_is_in(set, link.to) ? link.fibers : 0;
        }
        for (size_t d = 0; d < rwa_demands_count(demands); d++)
            ends += proof_is_in(set, list[d].src) != proof_is_in(set, list[d].dst) ? list[d].count : 0;
        if (fibers % 2 == 1 && wavelengths > ends)
            lost += set->weight * (wavelengths - ends);
        else
            lost += set->weight * ((fibers * wavelengths + ends) % 2);
    }
    return lost;
}

/** The bound that the lengths of the certificate prove: fewest wavelengths for all, or (wavelengths > 0) most
 *  lightpaths served. */
static inline uint64_t proof_value(const rwa_assignment *r, uint32_t wavelengths)
{
    const rwa_certificate *c = &rwa_assignment_summary(r)->bound;
    const rwa_network *net = rwa_assignment_network(r);
    rwa_model model = rwa_assignment_model(r);
    size_t count = 0;
    uint64_t *dist = proof_distances(net, model, c->lengths), *length = proof_demands(r, dist, &count);
    uint64_t offer = proof_offer(net, model, c->lengths), used = 0, value = 0;
    for (size_t i = 0; i < count && length[i] < UINT64_MAX / 4; i++) {
        used += length[i];
        if (wavelengths > 0 && used <= wavelengths * offer)
            value = i + 1;
    }
    if (rwa_assignment_summary(r)->odd_set_count > 0 && proof_lost(r, 0) == UINT64_MAX)
        offer = 0;
    if (wavelengths == 0)
        value = offer ? (used + offer - 1) / offer : 0;
    while (wavelengths == 0 && offer && value < 1u << 16 && used + proof_lost(r, value) > value * offer)
        value++;    /* so many are too few, and then so are all less */
    free(length);
    free(dist);
    return value;
}
