/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which scheme: the one asked for, or those that can, in the order of the table. */
#include "rwa/compare.h"

#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

static bool fits(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll)
{
    rwa_collective_kind forwards = scheme->reversible ? forward_kind(coll->kind) : coll->kind;
    return (scheme->networks >> rwa_network_get_kind(net) & 1) &&
           ((scheme->collectives >> coll->kind & 1) || (scheme->collectives >> forwards & 1));
}

int rwa_scheme_fits(size_t i, const rwa_network *net, rwa_collective_kind collective)
{
    rwa_collective coll = {.kind = collective};
    return i < scheme_count && fits(schemes[i], net, &coll);
}

bool scheme_is_open(const rwa_plan_options *o)
{
    return !o->scheme || strcmp(o->scheme, "auto") == 0;
}

/** The schemes that carry out the collective on the network, as "a, b, c". */
static void list_fitting(char *text, size_t size, const rwa_network *net, const rwa_collective *coll)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < scheme_count; i++)
        if (fits(schemes[i], net, coll) && used + 40 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", schemes[i]->name);
}

rwa_status pick_scheme(const struct scheme **out, size_t *at, const rwa_network *net, const rwa_collective *coll,
                       const rwa_plan_options *o, rwa_error *err)
{
    char fitting[256];
    bool exists = scheme_is_open(o);
    for (; *at < scheme_count; ++*at) {
        bool named = !scheme_is_open(o) && strcmp(schemes[*at]->name, o->scheme) == 0;
        exists = exists || named;
        if ((named || scheme_is_open(o)) && fits(schemes[*at], net, coll)) {
            *out = schemes[(*at)++];
            return RWA_OK;
        }
    }
    list_fitting(fitting, sizeof fitting, net, coll);
    if (fitting[0] == '\0')
        return base_fail(err, RWA_BADARG, "no scheme here does %s on a %s", rwa_collective_name(coll->kind),
                         rwa_network_kind_name(rwa_network_get_kind(net)));
    return base_fail(err, RWA_BADARG, "scheme \"%.64s\" %s, expected auto or one of %s", o->scheme,
                     exists ? "does not do this collective on this network" : "is unknown", fitting);
}
