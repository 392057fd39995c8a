/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Assignments as a line of words (request.h), which the checker accepts: "nsfnet14-21 undirected given=12 by exact", of
 * all pairs, or of "random=300,5" (a number and a seed) or "pairs=0>4x12000,3>1", of one slot or of "widths=3,1".
 * The last few of them are kept.
 */
#pragma once

#include "tests/support/proof.h"
#include "tests/support/request.h"

KEEPER(assignment)
KEEPER(demands)

static inline rwa_status make_demands(rwa_demands **out, const struct request *r, const rwa_network *net,
                                      rwa_error *err)
{
    rwa_model model = r->assign.model ? r->assign.model : rwa_network_model(net);
    rwa_demand list[NUMBERS_MOST];
    uint32_t nodes = rwa_network_nodes(net);
    size_t count = 0;
    for (const char *at = r->pairs; *at; at += strcspn(at, ","), at += *at == ',') {
        rwa_demand *d = &list[count++];
        *d = (rwa_demand){.count = 1, .via = RWA_NONE};
        CU_ASSERT_FATAL(sscanf(at, "%u>%ux%u", &d->src, &d->dst, &d->count) >= 2);
    }
    return count > 0             ? rwa_demands_create(out, nodes, list, count, err)
           : r->random.count > 0 ? rwa_demands_random(out, nodes, model, r->random.at[0], r->random.at[1], err)
                                 : rwa_demands_all_to_all(out, nodes, model, err);
}

static inline rwa_demands *request_demands(const struct request *r, const rwa_network *net)
{
    rwa_demands *demands = NULL, *wide = NULL;
    OK(make_demands(&demands, r, net, NULL));
    keep_demands(demands);
    if (r->widths.count > 0)
        OK(rwa_demands_with_widths(&wide, demands, r->widths.at, NULL));
    return wide ? keep_demands(wide) : demands;
}

/** Demands of which none is assigned yet. */
static inline rwa_assignment *unassigned_for(struct request r)
{
    const rwa_network *net = request_network(r);
    rwa_assignment *a = NULL;
    OK(rwa_assignment_create(&a, net, request_demands(&r, net), r.assign.model, NULL));
    return keep_assignment(a);
}

static inline rwa_assignment_options assignment_options(const struct request *r)
{
    rwa_assignment_options o = r->assign;
    o.solver = r->scheme[0] ? r->scheme : NULL;
    return o;
}

/** NULL: refused. */
static inline rwa_status request_assignment(rwa_assignment **out, const struct request *r, rwa_error *err)
{
    const rwa_network *net = request_network(*r);
    const rwa_assignment_options o = assignment_options(r);
    rwa_status st = rwa_assignment_make(out, net, request_demands(r, net), &o, err);
    keep_assignment(*out);
    return st;
}

/** Right, and what its bound claims by lengths or odd cuts follows from them: of single slots, without backups. */
static inline rwa_assignment *right_assignment(rwa_assignment *a)
{
    const rwa_assignment_report *s = rwa_assignment_summary(a);
    CU_ASSERT(s->check->ok && s->check->bound_verdict != RWA_FAIL);
    bool follows = s->bound.kind == RWA_WITNESS_LENGTHS || s->bound.kind == RWA_WITNESS_ODD_CUTS,
         plain = rwa_assignment_count(a) == s->lightpaths && !rwa_demands_widths(rwa_assignment_demands(a)) &&
                 rwa_assignment_guard(a, 0) == 0,
         all = s->routed == s->lightpaths || s->extra_wavelengths > 0;
    if (follows && !s->bound.most_served && plain && all && rwa_network_nodes(rwa_assignment_network(a)) <= 200)
        CU_ASSERT_EQUAL(proof_value(a, 0), s->bound.value);
    return a;
}

static inline rwa_assignment *assign_demands(const rwa_network *net, const rwa_demands *demands,
                                             const rwa_assignment_options *opts)
{
    rwa_assignment *a = NULL;
    OK(rwa_assignment_make(&a, net, demands, opts, NULL));
    return right_assignment(keep_assignment(a));
}

static inline rwa_assignment *assignment_for(struct request r)
{
    rwa_assignment *a = NULL;
    rwa_error err = {0};
    if (request_assignment(&a, &r, &err) != RWA_OK)
        fprintf(stderr, "%s: %s\n", r.line, err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    return right_assignment(a);
}

/** Of the same demand over the same links, on any channels. */
static inline bool same_route(const rwa_assignment *a, const rwa_assignment *b, uint64_t i)
{
    rwa_route x, y;
    rwa_assignment_get(&x, a, i);
    rwa_assignment_get(&y, b, i);
    bool same = x.demand == y.demand && x.copy == y.copy && x.hops == y.hops;
    for (uint32_t k = 0; same && k < x.hops; k++)
        same = rwa_assignment_link(a, i, k) == rwa_assignment_link(b, i, k);
    return same;
}

#define assignment_on(...) assignment_for(request_of(__VA_ARGS__))
#define unassigned_on(...) unassigned_for(request_of(__VA_ARGS__))
#define assigned_on(...) rwa_assignment_summary(assignment_on(__VA_ARGS__))

/** So many wavelengths are used, and proven the fewest. */
static inline const rwa_assignment_report *expect_fewest(const rwa_assignment_report *s, uint32_t wavelengths)
{
    CU_ASSERT(s->wavelengths == wavelengths && s->bound.value == wavelengths && s->outcome == RWA_OPTIMAL);
    if (s->wavelengths != wavelengths || s->outcome != RWA_OPTIMAL)
        fprintf(stderr, "%u wavelengths, bound %u, expected %u\n", s->wavelengths, (unsigned)s->bound.value,
                wavelengths);
    return s;
}
