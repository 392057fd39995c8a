/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finds subgroups of the translations of a network, and the nodes and links that a subgroup maps to each other. */
#include "network/translations.h"

#include "base/arithmetic.h"
#include "network/network.h"

/** Return the exponent of the group of translations: the smallest number e such that e times every element is 0.  The
 *  characters of the group take values in the integers modulo e. */
static uint32_t exponent(const struct translations *group)
{
    uint32_t e = 1;
    for (size_t d = 0; d < group->digits; d++) {
        assert(e > 0 && group->radix[d] > 0);
        e = e / (uint32_t)common_divisor(e, group->radix[d]) * group->radix[d];
    }
    return e;
}

/** Tell whether character number c of the group maps a node to 0.  A character is a homomorphism from the group to the
 *  integers modulo e, the exponent of the group. */
static bool in_kernel(const struct translations *group, uint32_t e, uint32_t c, uint32_t node)
{
    uint32_t x = base_mapped(group->element, node);
    uint64_t value = 0;
    for (size_t d = group->digits; d-- > 0;) {
        uint32_t radix = group->radix[d];
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

static void number_cosets(struct subgroup *g, const struct translations *group)
{
    memset(g->coset, 0xff, group->nodes * sizeof *g->coset);
    for (uint32_t v = 0; v < group->nodes; v++) {
        if (g->coset[v] != RWA_NONE)
            continue;
        for (uint32_t i = 0; i < g->order; i++)
            g->coset[translations_add(group, v, g->member[i])] = g->index;
        g->index++;
    }
    assert(g->index * g->order == group->nodes && g->member[0] == 0);
}

static rwa_status subgroup_create(struct subgroup *g, const struct translations *group, const uint32_t *member,
                                  uint32_t order, rwa_error *err)
{
    *g = (struct subgroup){.order = order};
    MUST(base_new(g->member, order, err));
    MUST(base_new(g->coset, group->nodes, err));
    memcpy(g->member, member, order * sizeof *member);
    number_cosets(g, group);
    return RWA_OK;
}

static void subgroup_free(struct subgroup *g)
{
    free_all(g->member, g->coset);
}

static rwa_status add_subgroup(struct subgroups *all, const struct translations *group, const uint32_t *member,
                               uint32_t order, rwa_error *err)
{
    MUST(base_reserve(all->list, all->count + 1, err));
    return subgroup_create(&all->list[all->count++], group, member, order, err);
}

static int larger_first(const void *a, const void *b)
{
    const struct subgroup *x = a, *y = b;
    DESCENDING(x->order, y->order);
    for (uint32_t i = 0; i < x->order; i++)
        ASCENDING(x->member[i], y->member[i]);
    return 0;
}

/** Intersect subgroup number `at` of the list `all` with the kernel of each character of the group.  Append to `all`
 *  the intersections that are new and have at most `index` cosets, until the list has `most` subgroups.  member[] is
 *  working memory. */
static rwa_status cut_subgroup(struct subgroups *all, size_t at, const struct translations *group, uint32_t index,
                               size_t most, uint32_t *member, rwa_error *err)
{
    uint32_t e = exponent(group);
    for (uint32_t c = 1; c < group->nodes && all->count < most; c++) {
        uint32_t order = 0;
        for (uint32_t i = 0; i < all->list[at].order; i++)
            if (in_kernel(group, e, c, all->list[at].member[i]))
                member[order++] = all->list[at].member[i];
        if ((uint64_t)order * index >= group->nodes && is_new(all, member, order))
            MUST(add_subgroup(all, group, member, order, err));
    }
    return RWA_OK;
}

rwa_status subgroups_find(struct subgroups *out, const struct translations *group, uint32_t index, size_t most,
                          rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t *member;
    MUST(base_new(member, group->nodes, err));
    for (uint32_t v = 0; v < group->nodes; v++)
        member[v] = v;
    TRY(add_subgroup(out, group, member, group->nodes, err));
    for (size_t at = 0; at < out->count; at++)
        TRY(cut_subgroup(out, at, group, index, most, member, err));
    qsort(out->list, out->count, sizeof *out->list, larger_first);
done:
    free(member);
    return st;
}

void subgroups_free(struct subgroups *all)
{
    for (size_t i = 0; i < all->count; i++)
        subgroup_free(&all->list[i]);
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

/* ---- links that are alike ---- */

uint32_t subgroup_link_orbits(uint32_t *orbit, const struct subgroup *by, const struct translations *group,
                              rwa_model model)
{
    uint32_t orbits = 0, links = rwa_network_links(group->net);
    for (uint32_t l = 0; l < links; l++)
        orbit[network_carrier(group->net, l, model)] = UINT32_MAX;
    for (uint32_t l = 0; l < links; l++) {
        if (orbit[network_carrier(group->net, l, model)] != UINT32_MAX)
            continue;
        for (uint32_t i = 0; i < by->order; i++)
            orbit[network_carrier(group->net, translations_link(group, l, by->member[i]), model)] = orbits;
        orbits++;
    }
    return orbits;
}

bool folding_exists(const struct translations *group, uint32_t cosets)
{
    for (size_t d = 0; d < group->digits; d++)
        if (group->radix[d] % cosets != 0)
            return false;
    return cosets == 1 || !group->element;
}

/** Set member[] to the nodes, ascending, whose group element has digits with a sum divisible by `multiple`; return
 *  their number.  They are a subgroup if `multiple` divides every radix. */
static uint32_t list_members(uint32_t *member, const struct translations *group, uint32_t multiple)
{
    uint32_t order = 0;
    for (uint32_t v = 0; v < group->nodes; v++) {
        uint32_t rest = base_mapped(group->element, v);
        uint64_t sum = 0;
        for (size_t d = group->digits; d-- > 0; rest /= group->radix[d])
            sum += rest % group->radix[d];
        if (sum % multiple == 0)
            member[order++] = v;
    }
    return order;
}

static void fold_links(struct folding *f, const rwa_network *listed)
{
    for (uint32_t l = 0; l < rwa_network_links(listed); l++) {
        rwa_link link = rwa_network_link(listed, l);
        uint32_t from = f->by.coset[link.from], to = translations_move(&f->group, link.to, link.from, from);
        f->link[l] = rwa_network_find_link(listed, from, to);
        assert(f->link[l] != RWA_NONE && f->by.coset[from] == from && f->by.coset[to] == f->by.coset[link.to]);
    }
}

rwa_status folding_create(struct folding *f, const struct translations *group, const rwa_network *listed,
                          uint32_t cosets, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t *member = base_array(group->nodes, sizeof *member, err);
    assert(folding_exists(group, cosets));
    f->group = *group;
    f->link = base_array(rwa_network_links(listed), sizeof *f->link, err);
    TRY(member && f->link ? RWA_OK : RWA_NOMEM);
    TRY(subgroup_create(&f->by, group, member, list_members(member, group, cosets), err));
    fold_links(f, listed);
done:
    free(member);
    return st;
}

void folding_free(struct folding *f)
{
    subgroup_free(&f->by);
    free(f->link);
    memset(f, 0, sizeof *f);
}
