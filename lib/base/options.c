/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Structures of options and answers, which may be of an older version of the library: copying them, the range of each
 *  member that is an enumeration, or an amount that cannot be negative, and the limits of a call. */
#include "base/base.h"
#include "base/limits.h"

#include "rwa/blocking.h"
#include "rwa/foreign.h"
#include "rwa/place.h"
#include "rwa/view.h"

void base_init_options(void *theirs, size_t size, const void *defaults, size_t known)
{
    assert(size >= sizeof size);
    memset(theirs, 0, size);
    memcpy(theirs, defaults, size < known ? size : known);
    memcpy(theirs, &size, sizeof size);
}

/** A member whose range does not depend on other members or on the task. */
struct member {
    const char *options, *name;
    size_t offset;
    int most;       /* AMOUNT, or the last value of an enumeration, whose first one, or "not given", is 0 */
};

enum { AMOUNT = -1 };   /* a finite number, 0 or more */

#define MEMBER(options, member, most) {#options, #member, offsetof(options, member), most}

static const struct member members[] = {
    MEMBER(rwa_limits, time_limit_s, AMOUNT),
    MEMBER(rwa_plan_options, power_model, RWA_POWER_PAPER),
    MEMBER(rwa_plan_options, order, RWA_ORDER_START),
    MEMBER(rwa_plan_options, last_exchange, RWA_LAST_TREE),
    MEMBER(rwa_plan_options, objective, RWA_FEWEST_STEPS),
    MEMBER(rwa_plan_options, cost.model, RWA_COST_OVERLAP),
    MEMBER(rwa_plan_options, time_limit_s, AMOUNT),
    MEMBER(rwa_cost_options, model, RWA_COST_OVERLAP),
    MEMBER(rwa_cost_options, alpha_s, AMOUNT),
    MEMBER(rwa_cost_options, reconfig_s, AMOUNT),
    MEMBER(rwa_cost_options, cycles_per_flit, AMOUNT),
    MEMBER(rwa_check_options, power_model, RWA_POWER_PAPER),
    MEMBER(rwa_check_options, rate_bps, AMOUNT),
    MEMBER(rwa_view_options, power_model, RWA_POWER_PAPER),
    MEMBER(rwa_view_options, rate_bps, AMOUNT),
    MEMBER(rwa_import_options, collective, RWA_ROOTED_REDUCE),
    MEMBER(rwa_solver_options, order, RWA_ORDER_START),
    MEMBER(rwa_solver_options, time_limit_s, AMOUNT),
    MEMBER(rwa_assignment_options, model, RWA_UNDIRECTED),
    MEMBER(rwa_assignment_options, objective, RWA_MOST_TRAFFIC),
    MEMBER(rwa_assignment_options, routing, RWA_ROUTES_MIN_LOAD),
    MEMBER(rwa_assignment_options, protection, RWA_PROTECTION_SHARED),
    MEMBER(rwa_assignment_options, time_limit_s, AMOUNT),
    MEMBER(rwa_state_options, model, RWA_UNDIRECTED),
    MEMBER(rwa_blocking_options, state.model, RWA_UNDIRECTED),
    MEMBER(rwa_blocking_options, routing, RWA_ROUTING_LEAST_LOADED),
    MEMBER(rwa_blocking_options, policy, RWA_POLICY_LEAST_FRAGMENTATION),
    MEMBER(rwa_blocking_options, protection, RWA_PROTECTION_SHARED),
    MEMBER(rwa_circuits_options, method, RWA_CIRCUITS_ILP),
    MEMBER(rwa_circuits_options, reconfig_s, AMOUNT),
    MEMBER(rwa_circuits_options, time_limit_s, AMOUNT),
    MEMBER(rwa_allocation_options, method, RWA_RING_ILP),
    MEMBER(rwa_allocation_options, reconfig_s, AMOUNT),
    MEMBER(rwa_allocation_options, time_limit_s, AMOUNT),
    MEMBER(rwa_placement_options, memory_bytes, AMOUNT)};

static rwa_status check_member(const void *options, const struct member *m, rwa_error *err)
{
    const char *at = (const char *)options + m->offset;
    double amount = 0;
    int choice = 0;
    if (m->most == AMOUNT)
        memcpy(&amount, at, sizeof amount);
    else
        memcpy(&choice, at, sizeof choice);
    if (!(amount >= 0 && isfinite(amount)))
        return base_refuse(err, "%s: %s is %g, expected a finite number of at least 0", m->options, m->name, amount);
    if (m->most != AMOUNT && (choice < 0 || choice > m->most))
        return base_refuse(err, "%s: %s is %d, expected 0 to %d", m->options, m->name, choice, m->most);
    return RWA_OK;
}

rwa_status base_take_options(void *ours, size_t size, const void *theirs, const char *name, rwa_error *err)
{
    size_t theirs_size = 0;
    if (!theirs)
        return RWA_OK;
    memcpy(&theirs_size, theirs, sizeof theirs_size);
    if (theirs_size < sizeof theirs_size || theirs_size > size)
        return base_refuse(err, "%s: struct_size %zu, expected at most %zu (call its init function first)", name,
                           theirs_size, size);
    memcpy(ours, theirs, theirs_size);
    memcpy(ours, &size, sizeof size);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(members[i].options, name) == 0)
            MUST(check_member(ours, &members[i], err));
    return RWA_OK;
}

void base_give_answer(void *theirs, size_t size, const void *ours, size_t our_size)
{
    assert(theirs && ours);
    memset(theirs, 0, size);
    memcpy(theirs, ours, size < our_size ? size : our_size);
}

/* ---- limits ---- */

OPTIONS(rwa_limits, 0)

rwa_status limits_take(rwa_limits *ours, const rwa_limits *theirs, rwa_error *err)
{
    return base_options(rwa_limits, ours, theirs, err);
}

rwa_status limits_refuse_nodes(const rwa_limits *limits, uint64_t nodes, rwa_error *err)
{
    if (limits->nodes > 0 && nodes > limits->nodes)
        return base_refuse(err, "%" PRIu64 " nodes: expected at most %" PRIu64 ", the caller's limit", nodes,
                           limits->nodes);
    return RWA_OK;
}

rwa_status limits_refuse_lightpaths(const rwa_limits *limits, double lightpaths, rwa_error *err)
{
    if (limits->lightpaths > 0 && lightpaths > (double)limits->lightpaths)
        return base_refuse(err, "%.0f lightpaths: expected at most %" PRIu64 ", the caller's limit", lightpaths,
                           limits->lightpaths);
    return RWA_OK;
}

rwa_status limits_allow(const rwa_limits *limits, double bytes, const char *what, rwa_error *err)
{
    if (limits->memory_bytes > 0 && bytes > (double)limits->memory_bytes)
        return base_fail(err, RWA_NOMEM,
                         "%s would need about %.0f bytes of memory, expected at most %" PRIu64 ", the caller's limit",
                         what, bytes, limits->memory_bytes);
    return RWA_OK;
}

rwa_status limits_fit(const rwa_limits *limits, double bytes, const char *what, rwa_error *err)
{
    rwa_status st = limits_allow(limits, bytes, what, err);
    return st == RWA_OK ? base_fits_memory(bytes, what, err) : st;
}
