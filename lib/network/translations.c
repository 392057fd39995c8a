/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/translations.h"

#include "network/network.h"

/** Set *t to the translations of the canonical network, converted to the node numbers of `net`; node 0 is the same in
 *  both.  Return false if there is no canonical network or it has no translations. */
static bool renumber(struct translations *t, const rwa_network *net)
{
    if (!net->form.canonical || !translations_of(t, net->form.canonical))
        return false;
    assert(!t->node && network_canonical_node(net, 0) == 0);
    t->net = net;
    t->node = net->form.node;
    t->element = net->form.place;
    return true;
}

bool translations_of(struct translations *t, const rwa_network *net)
{
    *t = (struct translations){.net = net, .nodes = net->nodes, .radix = {net->nodes}, .digits = 1};
    switch (net->kind) {
    case RWA_RING:
    case RWA_CIRCULANT:
        return true;
    case RWA_TORUS:
        t->digits = net->shape_count;
        memcpy(t->radix, net->shape, net->shape_count * sizeof *net->shape);
        return true;
    case RWA_HYPERCUBE:
        t->digits = net->shape[0];
        for (size_t d = 0; d < t->digits; d++)
            t->radix[d] = 2;
        return true;
    default:
        return net->form.cyclic || renumber(t, net);
    }
}

static uint32_t element_of(const struct translations *t, uint32_t node)
{
    assert(node < t->nodes);
    return base_mapped(t->element, node);
}

/** Remove digit number d from a group element, a number in mixed radix, and return the digit.  The digits after it,
 *  which vary faster, must be removed already. */
static inline uint32_t next_digit(uint32_t *element, uint32_t radix, size_t d)
{
    uint32_t rest = *element;
    *element = d > 0 && rest > 0 ? rest / radix : 0; /* before digit 0 nothing is left: spare the division */
    return rest - *element * radix;
}

uint32_t translations_move(const struct translations *t, uint32_t node, uint32_t from, uint32_t to)
{
    uint32_t moved = 0, place = 1;
    assert(node < t->nodes && from < t->nodes && to < t->nodes);
    if (t->digits == 1 && !t->element) {
        uint32_t by = to >= from ? to - from : to + (t->nodes - from);
        return node < t->nodes - by ? node + by : node - (t->nodes - by);
    }
    node = element_of(t, node);
    from = element_of(t, from);
    to = element_of(t, to);
    for (size_t d = t->digits; d-- > 0;) {
        uint32_t radix = t->radix[d];
        uint64_t digit =
            (uint64_t)next_digit(&node, radix, d) + next_digit(&to, radix, d) + radix - next_digit(&from, radix, d);
        while (digit >= radix) /* at most twice */
            digit -= radix;
        moved += (uint32_t)digit * place;
        place *= radix;
    }
    assert(moved < t->nodes);
    return base_mapped(t->node, moved);
}

uint32_t translations_add(const struct translations *t, uint32_t a, uint32_t b)
{
    return translations_move(t, a, 0, b);
}

uint32_t translations_digit(const struct translations *t, uint32_t node, size_t dimension)
{
    assert(dimension < t->digits);
    node = element_of(t, node);
    for (size_t d = t->digits - 1; d > dimension; d--)
        node /= t->radix[d];
    return node % t->radix[dimension];
}

size_t translations_dimension(const struct translations *t, uint32_t a, uint32_t b)
{
    size_t d = 0;
    while (d + 1 < t->digits && translations_digit(t, a, d) == translations_digit(t, b, d))
        d++;
    return d;
}

bool network_has_orbits(const rwa_network *net)
{
    return net->kind == RWA_RING || net->kind == RWA_TORUS || net->kind == RWA_HYPERCUBE;
}

uint32_t translations_link(const struct translations *t, uint32_t link, uint32_t by)
{
    rwa_link ends = rwa_network_link(t->net, link);
    return rwa_network_find_link(t->net, translations_add(t, ends.from, by), translations_add(t, ends.to, by));
}

uint32_t translations_lowest(uint32_t *moved, const struct translations *t, const uint32_t *links, size_t count)
{
    uint32_t lowest = UINT32_MAX, move = 0;
    for (size_t i = 0; i < count; i++) {
        rwa_link ends = rwa_network_link(t->net, links[i]);
        uint32_t link = rwa_network_find_link(t->net, 0, translations_move(t, ends.to, ends.from, 0));
        move = link < lowest ? ends.from : move;
        LOWER(lowest, link);
    }
    for (size_t i = 0; i < count; i++)
        moved[i] = translations_link(t, links[i], translations_move(t, 0, move, 0));
    return move;
}

bool network_is_uniform(const rwa_network *net)
{
    for (uint32_t l = 0; l < net->link_count; l++)
        if (net->links[l].fibers != net->fibers)
            return false;
    return net->reserved_count == 0 && net->faults.link_count == 0;
}
