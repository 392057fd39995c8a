/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names of policies and routings. */
#include "rwa/state.h"

#include <string.h>

static const char *const policies[] = {"first-fit", "last-fit",  "most-used",          "least-used",
                                       "random",    "exact-fit", "least-fragmentation"};
static const char *const routings[] = {"shortest", "alternate", "least-loaded"};
enum { POLICIES = sizeof policies / sizeof *policies, ROUTINGS = sizeof routings / sizeof *routings };

static int find(const char *name, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return i;
    return -1;
}

const char *rwa_policy_name(rwa_policy policy)
{
    return (unsigned)policy < POLICIES ? policies[policy] : NULL;
}

const char *rwa_routing_name(rwa_routing routing)
{
    return (unsigned)routing < ROUTINGS ? routings[routing] : NULL;
}

int rwa_policy_find(const char *name)
{
    return strcmp(name, "best-fit") == 0 ? RWA_POLICY_MOST_USED : find(name, policies, POLICIES);
}

int rwa_routing_find(const char *name)
{
    return find(name, routings, ROUTINGS);
}
