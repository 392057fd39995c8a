/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which scheme: the one asked for, or those that can, in the order of the table. */
#include "rwa/compare.h"

#include "collective/canonical.h"
#include "plan/plan.h"

unsigned capabilities_left(const rwa_network *net, const rwa_plan_options *o)
{
    bool apart = o && o->members && o->max_hops > 0; /* members may be too far apart */
    unsigned all = network_capabilities(net);
    return network_is_cycle(net) && (network_has_failed_links(net) || apart) ? all | NETWORK_PATH : all;
}

/** Whether a last resort is not called for: no link failed, and neither ports nor hops are few. */
static bool is_needless(const struct scheme *scheme, const rwa_network *net, const rwa_plan_options *o)
{
    return scheme_has(scheme, LAST_RESORT) && rwa_network_ports(net) == 0 && !(o && o->max_hops > 0);
}

bool scheme_fits(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    rwa_collective_kind forwards = scheme_has(scheme, REVERSIBLE) ? forward_kind(coll->kind) : coll->kind;
    if (!network_has_failed_links(net) && (scheme_has(scheme, ONLY_FAILED) || is_needless(scheme, net, o)))
        return false;
    return (scheme->needs & capabilities_left(net, o)) &&
           ((scheme->collectives >> coll->kind & 1) || (scheme->collectives >> forwards & 1));
}

int rwa_scheme_fits(size_t i, const rwa_network *net, rwa_collective_kind collective)
{
    rwa_collective coll = {.kind = collective};
    return i < scheme_count && (scheme_fits(schemes[i], network_canonical(net), &coll, NULL) || scheme_fits(schemes[i], net, &coll, NULL));
}

static bool is_fitting(const char *name, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    for (size_t i = 0; i < scheme_count; i++)
        if (scheme_is_named(schemes[i], name) && scheme_fits(schemes[i], net, coll, o))
            return true;
    return false;
}

const rwa_network *network_to_plan(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    const rwa_network *canonical = network_canonical(net);
    bool listed_only = !scheme_is_open(o) && !is_fitting(o->scheme, canonical, coll, o) && is_fitting(o->scheme, net, coll, o);
    return listed_only || !canonical_applies(net, coll) ? net : canonical;
}

bool scheme_is_open(const rwa_plan_options *o)
{
    return !o->scheme || strcmp(o->scheme, "auto") == 0;
}

const struct scheme *merging_scheme(const rwa_network *net, const rwa_collective *coll)
{
    for (size_t i = 0; i < scheme_count; i++)
        if (scheme_has(schemes[i], MERGES) && scheme_fits(schemes[i], net, coll, NULL))
            return schemes[i];
    return NULL;
}

/** The schemes that carry out the collective on the network, as "a, b, c". */
static void list_fitting(char *text, size_t size, const struct plan_task *t)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < scheme_count; i++)
        if (scheme_fits(schemes[i], t->net, t->coll, t->opts) && used + 40 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", schemes[i]->name);
}

rwa_status pick_scheme(const struct scheme **out, size_t *at, const struct plan_task *task, rwa_error *err)
{
    const rwa_plan_options *o = task->opts;
    char fitting[256];
    bool exists = scheme_is_open(o);
    for (; *at < scheme_count; ++*at) {
        bool named = !scheme_is_open(o) && scheme_is_named(schemes[*at], o->scheme);
        exists = exists || named;
        if ((named || scheme_is_open(o)) && scheme_fits(schemes[*at], task->net, task->coll, o)) {
            *out = schemes[(*at)++];
            return RWA_OK;
        }
    }
    list_fitting(fitting, sizeof fitting, task);
    if (fitting[0] == '\0')
        return base_fail(err, RWA_BADARG, "no scheme here does %s on a %s", rwa_collective_name(task->coll->kind),
                         rwa_topology_name(rwa_network_topology(task->net)));
    return base_fail(err, RWA_BADARG, "scheme \"%.64s\" %s, expected auto or one of %s", o->scheme,
                     exists ? "does not do this collective on this network" : "is unknown", fitting);
}

bool is_last_that_searches(size_t i)
{
    while (++i < scheme_count)
        if (scheme_has(schemes[i], SEARCHES))
            return false;
    return true;
}

bool may_load(const struct plan_task *t)
{
    return scheme_is_open(t->opts) && t->opts->stripes == 0 && t->opts->lightpath_blocks == 0 && network_has_arcs(t->net) &&
           t->coll->kind != RWA_ALL_TO_ALL;
}

bool may_stripe(const struct scheme *scheme, const struct plan_task *t)
{
    if (chose_blocks(t->coll)) /* each stripe is a block of its own */
        return false;
    return may_load(t) ? !scheme_has(scheme, TAKES_TERM | KEEPS_LIGHTPATHS) && (task_is_thorough(t) || scheme_has(scheme, STRIPES))
                       : stripes_may_pay(t, scheme);
}

bool is_left_out(const struct scheme *scheme, const struct plan_task *t)
{
    const rwa_plan_options *o = t->opts;
    bool loaded = o->stripes > 1 || (o->stripes + o->lightpath_blocks > 0 && !scheme_has(scheme, LIMITS_LOAD));
    return scheme_is_open(o) && scheme_has(scheme, TAKES_TERM | KEEPS_LIGHTPATHS) && loaded;
}

bool is_unwanted(const struct scheme *scheme, const struct plan_task *t)
{
    return scheme_has(scheme, t->without);
}
