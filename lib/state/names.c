/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names of policies and routings. */
#include "rwa/state.h"

#include "base/base.h"

static const char *const policies[] = {"first-fit", "last-fit",  "most-used",          "least-used",
                                       "random",    "exact-fit", "least-fragmentation"};
static const char *const routings[] = {"shortest", "alternate", "least-loaded"};
static LISTED(policy_name, policies, )
static LISTED(routing_name, routings, )

const char *rwa_policy_name(rwa_policy policy)
{
    return policy_name((size_t)policy);
}

const char *rwa_routing_name(rwa_routing routing)
{
    return routing_name((size_t)routing);
}

int rwa_policy_find(const char *name)
{
    return strcmp(name, "best-fit") == 0 ? RWA_POLICY_MOST_USED : (int)base_find_name(policy_name, name);
}

int rwa_routing_find(const char *name)
{
    return (int)base_find_name(routing_name, name);  /* SIZE_MAX becomes -1 */
}
