/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/shifts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The smallest number that every element times it is 0: characters take values in the integers modulo that. */
static uint32_t exponent(const struct translations *s)
{
    uint32_t e = 1;
    for (size_t d = 0; d < s->digits; d++) {
        uint32_t a = e, b = s->radix[d];
        while (b > 0) {
            uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        e = e / a * s->radix[d];
    }
    return e;
}

/* Whether character c is 0 on node x. */
static bool in_kernel(const struct translations *s, uint32_t e, uint32_t c, uint32_t x)
{
    uint64_t value = 0;
    for (size_t d = s->digits; d-- > 0;) {
        uint32_t radix = s->radix[d];
        value += (uint64_t)(c % radix) * (x % radix) % radix * (e / radix);
        c /= radix;
        x /= radix;
    }
    return value % e == 0;
}

static bool is_new(const struct subgroups *all, const uint32_t *member, uint32_t order)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].order == order && memcmp(all->list[i].member, member, order * sizeof *member) == 0)
            return false;
    return true;
}

static void number_cosets(struct subgroup *g, const struct translations *s)
{
    for (uint32_t v = 0; v < s->nodes; v++)
        g->coset[v] = RWA_NO_NODE;
    for (uint32_t v = 0; v < s->nodes; v++) {
        if (g->coset[v] != RWA_NO_NODE)
            continue;
        for (uint32_t i = 0; i < g->order; i++)
            g->coset[translations_add(s, v, g->member[i])] = g->index;
        g->index++;
    }
}

static rwa_status add_subgroup(struct subgroups *all, const struct translations *s, const uint32_t *member, uint32_t order,
                               rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&all->list, &all->capacity, all->count + 1, sizeof *all->list, err));
    struct subgroup *g = &all->list[all->count++];
    *g = (struct subgroup){.order = order};
    g->member = base_array(order, sizeof *g->member, err);
    g->coset = base_array(s->nodes, sizeof *g->coset, err);
    if (!g->member || !g->coset)
        return RWA_NOMEM;
    memcpy(g->member, member, order * sizeof *member);
    number_cosets(g, s);
done:
    return st;
}

static int larger_first(const void *a, const void *b)
{
    const struct subgroup *x = a, *y = b;
    if (x->order != y->order)
        return x->order > y->order ? -1 : 1;
    for (uint32_t i = 0; i < x->order; i++)
        if (x->member[i] != y->member[i])
            return x->member[i] < y->member[i] ? -1 : 1;
    return 0;
}

/* The intersections of a subgroup with the kernel of each character. */
static rwa_status cut_subgroup(struct subgroups *all, size_t at, const struct translations *s, uint32_t index, size_t most,
                               uint32_t *member, rwa_error *err)
{
    uint32_t e = exponent(s);
    rwa_status st = RWA_OK;
    for (uint32_t c = 1; c < s->nodes && all->count < most; c++) {
        uint32_t order = 0;
        for (uint32_t i = 0; i < all->list[at].order; i++)
            if (in_kernel(s, e, c, all->list[at].member[i]))
                member[order++] = all->list[at].member[i];
        if ((uint64_t)order * index >= s->nodes && is_new(all, member, order))
            TRY(add_subgroup(all, s, member, order, err));
    }
done:
    return st;
}

rwa_status subgroups_find(struct subgroups *out, const struct translations *s, uint32_t index, size_t most, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t *member = base_array(s->nodes, sizeof *member, err);
    if (!member)
        return RWA_NOMEM;
    for (uint32_t v = 0; v < s->nodes; v++)
        member[v] = v;
    TRY(add_subgroup(out, s, member, s->nodes, err));
    for (size_t at = 0; at < out->count; at++)
        TRY(cut_subgroup(out, at, s, index, most, member, err));
    qsort(out->list, out->count, sizeof *out->list, larger_first);
done:
    free(member);
    return st;
}

void subgroups_free(struct subgroups *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].member);
        free(all->list[i].coset);
    }
    free(all->list);
    memset(all, 0, sizeof *all);
}

bool subgroup_holds(const struct subgroup *outer, const struct subgroup *inner)
{
    assert(outer->member[0] == 0 && inner->member[0] == 0);
    for (uint32_t i = 0; i < inner->order; i++)
        if (outer->coset[inner->member[i]] != 0)
            return false;
    return true;
}

uint32_t shifts_arc(const struct translations *s, const struct routing_graph *r, uint32_t arc, uint32_t by)
{
    assert(arc < r->arcs);
    return rwa_network_find_link(s->net, translations_add(s, r->from[arc], by), translations_add(s, r->to[arc], by));
}

void shifts_lanes(const struct translations *s, const struct routing_graph *r, const struct subgroup *by, uint32_t *lane, uint32_t *lanes)
{
    *lanes = 0;
    for (uint32_t l = 0; l < r->links; l++)
        lane[l] = UINT32_MAX;
    for (uint32_t a = 0; a < r->arcs; a++) {
        if (lane[r->link[a]] != UINT32_MAX)
            continue;
        for (uint32_t i = 0; i < by->order; i++)
            lane[r->link[shifts_arc(s, r, a, by->member[i])]] = *lanes;
        ++*lanes;
    }
}
