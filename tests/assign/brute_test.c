/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A thousand random small instances, some with backups or failed links, against brute force: the same optimum. */
#include "tests/support/assigning.h"
#include "tests/support/brute.h"
#include "tests/support/random.h"

/* WAVELENGTHS: five lightpaths, with reserved channels below 3, never need more. */
enum { WAVELENGTHS = 8, LIGHTPATHS = 5, INSTANCES = 1000 };

struct instance {
    struct request r;
    rwa_reserved reserved[3];
    rwa_demand demand[LIGHTPATHS];
    size_t demands, lightpaths;
    uint32_t converter, forbidden;  /* RWA_NONE: none */
    uint32_t group[3];              /* a risk group; undirected: the links themselves */
    rwa_risk_group risk;
    struct brute brute;
};

/* A random tree, then random links more; directed ones forth and back.  Returns how many there are. */
static uint32_t draw_links(struct request *r, uint32_t nodes)
{
    uint32_t more = any(5), thick = any(4) == 0, count = 0;
    char *end = r->spec + strlen(r->spec);
    for (uint32_t v = 1; v < nodes + more; v++) {
        uint32_t from = v < nodes ? v : any(nodes), to = any(v < nodes ? v : nodes), fibers = thick ? 1 + any(2) : 1;
        if (from == to)
            continue;
        bool both = r->assign.model == RWA_UNDIRECTED;
        count += both ? 1 : 2;
        end += sprintf(end, both ? "%u-%ux%u," : "%u>%ux%u,%u>%ux%u,", from, to, fibers, to, from, fibers);
    }
    return count;
}

static void draw_demands(struct instance *x, uint32_t nodes)
{
    size_t most = x->r.assign.protection ? 1 + any(2) : 2 + any(LIGHTPATHS - 1);
    while (x->lightpaths < most) {
        rwa_demand d = {any(nodes), any(nodes), 1, RWA_NONE};
        if (d.src == d.dst)
            continue;
        d.count = x->lightpaths + 2 <= most && any(3) == 0 ? 2 : 1;
        d.via = any(8) ? RWA_NONE : any(nodes);
        d.via = d.via == d.src || d.via == d.dst ? RWA_NONE : d.via;
        x->lightpaths += d.count;
        x->demand[x->demands++] = d;
    }
}

static void draw(struct instance *x)
{
    uint32_t nodes = 3 + any(BRUTE_NODES - 2);
    *x = (struct instance){.r = request_of("links: seconds=20 %s %s", any(2) ? "directed" : "undirected",
                                           any(5) ? "" : "protected")};
    rwa_network_options *o = &x->r.network;
    rwa_assignment_options *a = &x->r.assign;
    uint32_t links = draw_links(&x->r, nodes);
    draw_demands(x, nodes);
    x->converter = any(4) ? RWA_NONE : any(nodes);
    x->forbidden = any(6) ? RWA_NONE : any(nodes);
    a->max_hops = any(6) ? 0 : 1 + any(4);
    for (size_t n = any(3) ? 0 : 1 + any(3); o->reserved_count < n; o->reserved_count++)
        x->reserved[o->reserved_count] = (rwa_reserved){any(links), 0, any(3)};
    for (size_t n = a->protection && any(2) ? 2 + any(2) : 0; x->risk.count < n; x->risk.count++)
        x->group[x->risk.count] = any(links);
    x->risk.links = x->group;
    o->reserved = x->reserved;
    o->risk_groups = &x->risk;
    o->risk_group_count = x->risk.count > 0;
    a->converters = &x->converter;
    a->converter_count = x->converter != RWA_NONE;
    a->forbidden = &x->forbidden;
    a->forbidden_count = x->forbidden != RWA_NONE;
    if (any(3) == 0)
        random_numbers(&x->r.links, 1 + any(3), rwa_network_links(request_network(x->r)));
    x->brute = brute_of(request_network(x->r), a->model, x->demand, x->demands);
    x->brute.max_hops = a->max_hops;
    x->brute.forbidden = x->forbidden;
    x->brute.converter[0] = x->converter;
    x->brute.protects = a->protection != RWA_PROTECTION_NONE;
}

/* Whether every lightpath has some way for itself. */
static bool all_have_ways(const struct instance *x)
{
    bool all = true;
    for (size_t d = 0; d < x->demands; d++) {
        struct brute one = x->brute;
        rwa_demand demand = x->demand[d];
        demand.count = 1;
        one.demand = &demand;
        one.demands = 1;
        all = all && brute_fits(&one, WAVELENGTHS, 0);
    }
    return all;
}

/* ---- the library ---- */

static rwa_assignment *solve(const struct instance *x, const char *solver, uint32_t wavelengths,
                             rwa_objective objective)
{
    const rwa_network *net = request_network(x->r);
    rwa_assignment_options o = x->r.assign;
    rwa_demands *demands = NULL;
    OK(rwa_demands_create(&demands, rwa_network_nodes(net), x->demand, x->demands, NULL));
    o.solver = solver;
    o.wavelengths = wavelengths;
    o.objective = objective;
    return assign_demands(net, keep_demands(demands), &o);
}

/* With the one change that was told, one lightpath more can be served. */
static unsigned check_remedies(const struct instance *x, uint32_t wavelengths, const rwa_assignment *a)
{
    const rwa_remedy *list = NULL;
    size_t count = rwa_assignment_remedies(&list, a);
    unsigned kinds = 0;
    for (size_t i = 0; i < count; i++) {
        struct brute better = x->brute;
        uint32_t given = wavelengths;
        kinds |= 1u << list[i].kind;
        switch (list[i].kind) {
        case RWA_REMEDY_WAVELENGTHS: given = list[i].where; break;
        case RWA_REMEDY_FIBER: better.fibers[list[i].where]++; break;
        case RWA_REMEDY_CONVERTER: better.converter[1] = list[i].where; break;
        case RWA_REMEDY_HOPS: better.max_hops = list[i].where; break;
        case RWA_REMEDY_NODE: better.forbidden = RWA_NONE; break;
        default: CU_FAIL("a remedy of assignments"); break;
        }
        CU_ASSERT_TRUE(brute_fits(&better, given, (uint32_t)(x->lightpaths - rwa_assignment_summary(a)->routed - 1)));
    }
    return kinds;
}

static unsigned remedies_seen;

/* Too few wavelengths: what is told must be so. */
static void check_infeasible(const struct instance *x, uint32_t wavelengths)
{
    const rwa_assignment *a = solve(x, "auto", wavelengths, RWA_FEWEST_WAVELENGTHS);
    const rwa_assignment_report *s = rwa_assignment_summary(a);
    uint64_t routed = s->routed;
    CU_ASSERT(s->outcome == RWA_INFEASIBLE && s->extra_wavelengths == 1);
    CU_ASSERT(s->bound.value > wavelengths && s->why[0] != '\0');
    CU_ASSERT(s->bound.kind == RWA_WITNESS_LENGTHS ? s->check->bound_verdict == RWA_PASS
                                                   : s->bound.kind == RWA_WITNESS_SEARCH ||
                                                         s->bound.kind == RWA_WITNESS_NONE);
    CU_ASSERT_FATAL(routed < x->lightpaths);
    remedies_seen |= check_remedies(x, wavelengths, a);
    CU_ASSERT_FALSE(brute_fits(&x->brute, wavelengths, (uint32_t)(x->lightpaths - routed - 1)));
    s = rwa_assignment_summary(solve(x, "auto", wavelengths, RWA_MOST_DEMANDS));
    CU_ASSERT(s->routed == routed && s->outcome == RWA_OPTIMAL);
}

/* Some demand has no route: not all can be served. */
static void check_impossible(const struct instance *x)
{
    const rwa_assignment *a = solve(x, "auto", 0, RWA_FEWEST_WAVELENGTHS);
    CU_ASSERT_EQUAL(rwa_assignment_summary(a)->outcome, RWA_INFEASIBLE);
    CU_ASSERT(rwa_assignment_summary(a)->routed < x->lightpaths);
    remedies_seen |= check_remedies(x, WAVELENGTHS, a);
}

static void the_same_optimum_as_brute_force(void)
{
    seed = 20;
    unsigned by_search = 0, impossible = 0;
    for (int i = 0; i < INSTANCES; i++) {
        struct instance x;
        draw(&x);
        if (!all_have_ways(&x)) {
            check_impossible(&x);
            impossible++;
            continue;
        }
        uint32_t fewest = brute_fewest(&x.brute, WAVELENGTHS);
        const rwa_assignment_report *s =
            expect_fewest(rwa_assignment_summary(solve(&x, i % 2 ? "auto" : "exact", 0, RWA_FEWEST_WAVELENGTHS)),
                          fewest);
        CU_ASSERT(s->bound.kind != RWA_WITNESS_NONE || x.forbidden != RWA_NONE);    /* which no file lists */
        by_search += s->bound.kind == RWA_WITNESS_SEARCH;
        if (fewest > 1)
            check_infeasible(&x, fewest - 1);
    }
    CU_ASSERT(by_search > 10 && impossible > 10); /* else the instances are too tame */
    CU_ASSERT_EQUAL(remedies_seen, 1u << RWA_REMEDY_WAVELENGTHS | 1u << RWA_REMEDY_FIBER | 1u << RWA_REMEDY_CONVERTER |
                                       1u << RWA_REMEDY_HOPS | 1u << RWA_REMEDY_NODE);
}

TESTS("brute force", the_same_optimum_as_brute_force)
