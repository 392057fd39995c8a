/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Choose the schemes to plan by: the one asked for, or all that fit, in the order of the table. */
#include "rwa/compare.h"

#include "collective/canonical.h"
#include "plan/plan.h"

unsigned capabilities_left(const rwa_network *net, const rwa_plan_options *o)
{
    bool apart = o && o->members && o->max_hops > 0; /* members may be too far apart */
    unsigned all = network_capabilities(net);
    return network_is_cycle(net) && (network_has_failed_links(net) || apart) ? all | NETWORK_PATH : all;
}

/** Tell whether the scheme is one of last resort, and the task does not need it: neither ports nor hops are limited,
 * and the number of blocks is the default of the collective, or not known (0).  The caller has found that no link
 * failed. */
static bool is_needless(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                        const rwa_plan_options *o)
{
    bool usual = coll->blocks == 0 || coll->blocks == rwa_collective_default_blocks(coll->kind, coll->nodes);
    return scheme_has(scheme, LAST_RESORT) && rwa_network_ports(net) == 0 && !(o && o->max_hops > 0) && usual;
}

bool scheme_fits(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                 const rwa_plan_options *o)
{
    rwa_collective_kind forwards = scheme_has(scheme, REVERSIBLE) ? forward_kind(coll->kind) : coll->kind;
    if (!network_has_failed_links(net) && (scheme_has(scheme, ONLY_FAILED) || is_needless(scheme, net, coll, o)))
        return false;
    return (scheme->needs & capabilities_left(net, o)) &&
           ((scheme->collectives >> coll->kind & 1) || (scheme->collectives >> forwards & 1));
}

int rwa_scheme_fits(size_t i, const rwa_network *net, rwa_collective_kind collective)
{
    rwa_collective coll = {.kind = collective};
    return i < scheme_count &&
           (scheme_fits(schemes[i], network_canonical(net), &coll, NULL) || scheme_fits(schemes[i], net, &coll, NULL));
}

/** Return the first scheme of the table that fits the task and that the options name or allow; NULL: none. */
static const struct scheme *wanted_scheme(const struct plan_task *t)
{
    for (size_t i = 0; i < scheme_count; i++)
        if (scheme_is_wanted(schemes[i], t))
            return schemes[i];
    return NULL;
}

/** Tell whether a network and its canonical form are grids that differ at most in the order of their dimensions. */
static bool are_one_grid(const rwa_network *net, const rwa_network *canonical)
{
    struct network_grid a, b;
    return network_grid(&a, net) && network_grid(&b, canonical) && a.cyclic == b.cyclic && a.dimensions == b.dimensions;
}

const rwa_network *network_to_plan(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    const rwa_network *canonical = network_canonical(net);
    const struct plan_task known = {.net = canonical, .coll = coll, .opts = o},
                           listed = {.net = net, .coll = coll, .opts = o};
    const struct scheme *own = wanted_scheme(&listed);
    bool named = own && !scheme_is_open(o), shaped = options_shape(o) || (named && (own->reads & READS_RADIX));
    bool as_given = (named && !wanted_scheme(&known)) || (own && shaped && are_one_grid(net, canonical));
    return as_given || !canonical_applies(net, coll) ? net : canonical;
}

bool scheme_is_open(const rwa_plan_options *o)
{
    return !o->scheme || strcmp(o->scheme, "auto") == 0;
}

/** Write into text[], of `size` bytes, the names of the schemes that carry out the collective on the network, as "a, b,
 * c".  Names that do not fit are left out. */
static void list_fitting(char *text, size_t size, const struct plan_task *t)
{
    enum { NAME_ROOM = 40 };    /* space for the longest name */
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < scheme_count; i++)
        if (scheme_fits(schemes[i], t->net, t->coll, t->opts) && used + NAME_ROOM < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", schemes[i]->name);
}

bool scheme_is_wanted(const struct scheme *scheme, const struct plan_task *t)
{
    return (scheme_is_open(t->opts) || scheme_is_named(scheme, t->opts->scheme)) &&
           scheme_fits(scheme, t->net, t->coll, t->opts);
}

rwa_status refuse_scheme(const struct plan_task *t, rwa_error *err)
{
    char fitting[256];
    bool exists = scheme_is_open(t->opts) || rwa_scheme_find(t->opts->scheme);
    list_fitting(fitting, sizeof fitting, t);
    if (fitting[0] == '\0')
        return base_refuse(err, "no scheme here does %s on a %s", rwa_collective_name(t->coll->kind),
                           rwa_topology_name(rwa_network_topology(t->net)));
    return base_refuse(err, "scheme \"%.64s\" %s, expected auto or one of %s", t->opts->scheme,
                       exists ? "does not do this collective on this network" : "is unknown", fitting);
}
