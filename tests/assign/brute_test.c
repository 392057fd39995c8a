/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A thousand random small instances, some with backups, against brute force that shares nothing with the library: the
 *  same optimum. */
#include "rwa.h"

#include "tests/support/proof.h"
#include "tests/support/suite.h"

#include <string.h>

/* WAVELENGTHS: five lightpaths, with reserved channels below 3, never need more. */
enum { NODES = 8, LINKS = 32, FIBERS = 3, WAVELENGTHS = 8, LIGHTPATHS = 5, INSTANCES = 1000 };

static uint64_t state;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

/* ---- one instance ---- */

struct instance {
    rwa_model model;
    uint32_t nodes, links;
    rwa_link link[LINKS];           /* fibre pairs when undirected */
    rwa_reserved reserved[3];
    size_t reserved_count, demand_count, lightpaths;
    rwa_demand demand[LIGHTPATHS];
    uint32_t converter, forbidden, max_hops;    /* RWA_NONE: none; 0: none */
    uint32_t second_converter;
    rwa_protection protection;
    uint32_t group[3];              /* a risk group; undirected: the links themselves */
    size_t group_count;
    rwa_network *net;
    rwa_demands *demands;
};

static void add_link(struct instance *x, uint32_t from, uint32_t to, uint32_t fibers)
{
    x->link[x->links++] = (rwa_link){.from = from, .to = to, .fibers = fibers};
}

/* A random tree, then random links more; directed ones forth and back. */
static void draw_links(struct instance *x)
{
    uint32_t more = below(5);
    int thick = below(4) == 0;
    for (uint32_t v = 1; v < x->nodes + more; v++) {
        uint32_t from = v < x->nodes ? v : below(x->nodes), to = below(v < x->nodes ? v : x->nodes);
        if (from == to)
            continue;
        uint32_t fibers = thick ? 1 + below(FIBERS - 1) : 1;
        add_link(x, from, to, fibers);
        if (x->model == RWA_DIRECTED)
            add_link(x, to, from, fibers);
    }
}

static void draw_demands(struct instance *x)
{
    size_t most = x->protection ? 1 + below(2) : 2 + below(LIGHTPATHS - 1);
    while (x->lightpaths < most) {
        rwa_demand d = {below(x->nodes), below(x->nodes), 1, RWA_NONE};
        if (d.src == d.dst)
            continue;
        d.count = x->lightpaths + 2 <= most && below(3) == 0 ? 2 : 1;
        if (below(8) == 0) {
            d.via = below(x->nodes);
            d.via = d.via == d.src || d.via == d.dst ? RWA_NONE : d.via;
        }
        x->lightpaths += d.count;
        x->demand[x->demand_count++] = d;
    }
}

static void draw(struct instance *x)
{
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    memset(x, 0, sizeof *x);
    x->model = below(2) ? RWA_DIRECTED : RWA_UNDIRECTED;
    x->nodes = 3 + below(NODES - 2);
    draw_links(x);
    x->protection = below(5) == 0 ? RWA_PROTECTION_DEDICATED : RWA_PROTECTION_NONE;
    draw_demands(x);
    x->converter = below(4) == 0 ? below(x->nodes) : RWA_NONE;
    x->second_converter = RWA_NONE;
    x->forbidden = below(6) == 0 ? below(x->nodes) : RWA_NONE;
    x->max_hops = below(6) == 0 ? 1 + below(4) : 0;
    for (size_t n = below(3) == 0 ? 1 + below(3) : 0; x->reserved_count < n; x->reserved_count++)
        x->reserved[x->reserved_count] = (rwa_reserved){below(x->links), 0, below(3)};
    for (size_t n = x->protection && below(2) ? 2 + below(2) : 0; x->group_count < n; x->group_count++)
        x->group[x->group_count] = below(x->links);
    rwa_risk_group group = {x->group, x->group_count};
    opts.risk_groups = &group;
    opts.risk_group_count = x->group_count > 0;
    opts.both_ways = x->model == RWA_UNDIRECTED;
    opts.reserved = x->reserved;
    opts.reserved_count = x->reserved_count;
    OK(rwa_network_create_graph(&x->net, x->nodes, x->link, x->links, &opts, NULL));
    OK(rwa_demands_create(&x->demands, x->nodes, x->demand, x->demand_count, NULL));
}

static void drop(struct instance *x)
{
    rwa_network_free(x->net);
    rwa_demands_free(x->demands);
}

/* ---- brute force: every lightpath hop by hop, on every channel ---- */

struct force {
    const struct instance *x;
    uint32_t wavelengths, spare;  /* spare: lightpaths that may be left out */
    char busy[LINKS][FIBERS][WAVELENGTHS];
    char passed[NODES];
    const rwa_demand *todo[LIGHTPATHS];     /* with protection each twice in a row */
    char avoid[LIGHTPATHS][LINKS];          /* links each must keep apart from */
};

static int extend(struct force *f, size_t at, uint32_t node, uint32_t hops, int by_via, uint32_t channel);

static size_t lines(const struct instance *x)
{
    return x->lightpaths * (x->protection ? 2 : 1);
}

static int in_group(const struct instance *x, uint32_t link)
{
    for (size_t i = 0; i < x->group_count; i++)
        if (x->group[i] == link)
            return 1;
    return 0;
}

/* Backups barred by a working line on this link: more by 1, or less. */
static void bar(struct force *f, size_t at, uint32_t link, int by)
{
    const struct instance *x = f->x;
    for (uint32_t l = 0; l < x->links && x->protection && at % 2 == 0; l++)
        if (l == link || (in_group(x, l) && in_group(x, link)))
            f->avoid[at + 1][l] = (char)(f->avoid[at + 1][l] + by);
}

static int from_next(struct force *f, size_t at)
{
    const struct instance *x = f->x;
    if (at == lines(x))
        return 1;
    char kept[NODES];
    memcpy(kept, f->passed, sizeof kept);
    memset(f->passed, 0, sizeof f->passed);
    f->passed[f->todo[at]->src] = 1;
    int found = extend(f, at, f->todo[at]->src, 0, f->todo[at]->via == RWA_NONE, UINT32_MAX);
    if (!found && f->spare > 0 && !(x->protection && at % 2)) {
        f->spare--;
        found = from_next(f, at + 1 + (x->protection != 0));
        f->spare++;
    }
    memcpy(f->passed, kept, sizeof kept);
    return found;
}

static int take(struct force *f, size_t at, uint32_t link, uint32_t to, uint32_t hops, int by_via, uint32_t channel)
{
    char *busy = &f->busy[link][channel % FIBERS][channel / FIBERS];
    if (*busy || channel % FIBERS >= f->x->link[link].fibers || f->avoid[at][link])
        return 0;
    *busy = 1;
    bar(f, at, link, 1);
    f->passed[to] = 1;
    int found = extend(f, at, to, hops + 1, by_via || to == f->todo[at]->via, channel);
    f->passed[to] = 0;
    bar(f, at, link, -1);
    *busy = 0;
    return found;
}

/* channel UINT32_MAX: the first hop, any will do; so it is behind a converter. */
static int extend(struct force *f, size_t at, uint32_t node, uint32_t hops, int by_via, uint32_t channel)
{
    const struct instance *x = f->x;
    if (node == f->todo[at]->dst)
        return by_via && from_next(f, at + 1);
    if ((hops > 0 && node == x->forbidden) || (x->max_hops > 0 && hops == x->max_hops))
        return 0;
    int any = channel == UINT32_MAX || node == x->converter || node == x->second_converter;
    for (uint32_t l = 0; l < x->links; l++) {
        int forth = x->link[l].from == node, back = x->model == RWA_UNDIRECTED && x->link[l].to == node;
        uint32_t to = forth ? x->link[l].to : x->link[l].from;
        if ((!forth && !back) || f->passed[to])
            continue;
        for (uint32_t c = any ? 0 : channel; c < (any ? f->wavelengths * FIBERS : channel + 1); c++)
            if (take(f, at, l, to, hops, by_via, c))
                return 1;
    }
    return 0;
}

/* Whether every lightpath has some way for itself. */
static int all_have_ways(const struct instance *x)
{
    struct instance one = *x;
    one.lightpaths = 1;
    for (size_t d = 0; d < x->demand_count; d++) {
        struct force f = {.x = &one, .wavelengths = WAVELENGTHS, .todo = {&x->demand[d], &x->demand[d]}};
        if (!from_next(&f, 0))
            return 0;
    }
    return 1;
}

/* Whether all but `spare` lightpaths fit on so many wavelengths. */
static int fits(const struct instance *x, uint32_t wavelengths, uint32_t spare)
{
    struct force f = {.x = x, .wavelengths = wavelengths, .spare = spare};
    size_t n = 0;
    for (size_t d = 0; d < x->demand_count; d++)
        for (uint32_t c = 0; c < x->demand[d].count * (x->protection ? 2 : 1); c++)
            f.todo[n++] = &x->demand[d];
    for (size_t i = 0; i < x->reserved_count; i++)
        f.busy[x->reserved[i].link][x->reserved[i].fiber][x->reserved[i].wavelength] = 1;
    return from_next(&f, 0);
}

/* ---- the library ---- */

static rwa_assignment *solve(const struct instance *x, const char *solver, uint32_t wavelengths,
                             rwa_objective objective)
{
    rwa_assignment_options opts;
    rwa_assignment *r = NULL;
    rwa_error err = {0};
    rwa_assignment_options_init(&opts);
    opts.model = x->model;
    opts.solver = solver;
    opts.wavelengths = wavelengths;
    opts.objective = objective;
    opts.max_hops = x->max_hops;
    opts.protection = x->protection;
    opts.converters = &x->converter;
    opts.converter_count = x->converter != RWA_NONE;
    opts.forbidden = &x->forbidden;
    opts.forbidden_count = x->forbidden != RWA_NONE;
    opts.time_limit_s = 20;
    rwa_status st = rwa_assignment_make(&r, x->net, x->demands, &opts, &err);
    if (st != RWA_OK)
        fprintf(stderr, "%s\n", err.text);
    OK(st);
    CU_ASSERT(rwa_assignment_summary(r)->check->ok);
    return r;
}

/* With the one change that was told, one lightpath more can be served. */
static unsigned check_remedies(const struct instance *x, uint32_t wavelengths, const rwa_assignment *r)
{
    const rwa_remedy *list = NULL;
    size_t count = rwa_assignment_remedies(&list, r);
    unsigned kinds = 0;
    for (size_t i = 0; i < count; i++) {
        struct instance better = *x;
        uint32_t given = wavelengths;
        kinds |= 1u << list[i].kind;
        switch (list[i].kind) {
        case RWA_REMEDY_WAVELENGTHS: given = list[i].where; break;
        case RWA_REMEDY_FIBER: better.link[list[i].where].fibers++; break;
        case RWA_REMEDY_CONVERTER: better.second_converter = list[i].where; break;
        case RWA_REMEDY_HOPS: better.max_hops = list[i].where; break;
        case RWA_REMEDY_NODE: better.forbidden = RWA_NONE; break;
        default: CU_FAIL("a remedy of assignments"); break;
        }
        CU_ASSERT_TRUE(fits(&better, given, (uint32_t)(x->lightpaths - rwa_assignment_summary(r)->routed - 1)));
    }
    return kinds;
}

static unsigned remedies_seen;

/* Too few wavelengths: what is told must be so.  Lengths are gone through again; a search, by the brute force. */
static void check_infeasible(const struct instance *x, uint32_t wavelengths)
{
    rwa_assignment *r = solve(x, "auto", wavelengths, RWA_FEWEST_WAVELENGTHS);
    const rwa_assignment_report *s = rwa_assignment_summary(r);
    CU_ASSERT_EQUAL(s->outcome, RWA_INFEASIBLE);
    CU_ASSERT_EQUAL(s->extra_wavelengths, 1);
    CU_ASSERT(s->bound.value > wavelengths && s->why[0] != '\0');
    if (s->bound.kind == RWA_WITNESS_LENGTHS && !x->protection)
        CU_ASSERT_EQUAL(proof_value(r, 0), s->bound.value);
    if (s->bound.kind == RWA_WITNESS_LENGTHS)
        CU_ASSERT_EQUAL(s->check->bound_verdict, RWA_PASS);
    CU_ASSERT(s->bound.kind == RWA_WITNESS_LENGTHS || s->bound.kind == RWA_WITNESS_SEARCH ||
              s->bound.kind == RWA_WITNESS_NONE);
    uint64_t routed = s->routed;
    CU_ASSERT_FATAL(routed < x->lightpaths);
    remedies_seen |= check_remedies(x, wavelengths, r);
    CU_ASSERT_FALSE(fits(x, wavelengths, (uint32_t)(x->lightpaths - routed - 1)));
    rwa_assignment_free(r);
    r = solve(x, "auto", wavelengths, RWA_MOST_DEMANDS);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->routed, routed);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
    rwa_assignment_free(r);
}

/* Some demand has no route: not all can be served. */
static void check_impossible(const struct instance *x)
{
    rwa_assignment *r = solve(x, "auto", 0, RWA_FEWEST_WAVELENGTHS);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_INFEASIBLE);
    CU_ASSERT(rwa_assignment_summary(r)->routed < x->lightpaths);
    remedies_seen |= check_remedies(x, WAVELENGTHS, r);
    rwa_assignment_free(r);
}

static void the_same_optimum_as_brute_force(void)
{
    struct instance x;
    unsigned by_search = 0, impossible = 0;
    state = 20;
    for (int i = 0; i < INSTANCES; i++) {
        uint32_t fewest = 1;
        draw(&x);
        int possible = all_have_ways(&x);
        while (possible && !fits(&x, fewest, 0))
            fewest++;
        if (!possible) {
            check_impossible(&x);
            impossible++;
        } else {
            rwa_assignment *r = solve(&x, i % 2 ? "auto" : "exact", 0, RWA_FEWEST_WAVELENGTHS);
            const rwa_assignment_report *s = rwa_assignment_summary(r);
            CU_ASSERT_EQUAL(s->wavelengths, fewest);
            CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
            if (s->wavelengths != fewest || s->outcome != RWA_OPTIMAL)
                fprintf(stderr, "instance %d: %u wavelengths, expected %u\n", i, s->wavelengths, fewest);
            by_search += s->bound.kind == RWA_WITNESS_SEARCH;
            rwa_assignment_free(r);
            if (fewest > 1)
                check_infeasible(&x, fewest - 1);
        }
        drop(&x);
    }
    CU_ASSERT(by_search > 10 && impossible > 10); /* else the instances are too tame */
    CU_ASSERT_EQUAL(remedies_seen, 1u << RWA_REMEDY_WAVELENGTHS | 1u << RWA_REMEDY_FIBER | 1u << RWA_REMEDY_CONVERTER |
                                       1u << RWA_REMEDY_HOPS | 1u << RWA_REMEDY_NODE);
}

int main(void)
{
    return RUN_TESTS("brute force", the_same_optimum_as_brute_force);
}
