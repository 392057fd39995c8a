/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes that load the heaviest link least, against brute force; and what fixed routes prove, seen through by the
 *  judge. */
#include "tests/support/assigning.h"
#include "tests/support/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 7, DEMANDS = 7, LINKS = 16 };

static uint64_t state = 11;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static rwa_assignment *assign(const rwa_network *net, const rwa_demands *demands, rwa_assignment_routing routing,
                              rwa_model model)
{
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    opts.model = model;
    opts.routing = routing;
    opts.paths = 400; /* all there are */
    return assign_demands(net, demands, &opts);
}

/* ---- brute force over all simple routes ---- */

struct force {
    rwa_network *net;
    rwa_model model;
    rwa_demand list[DEMANDS];
    size_t count;
    uint32_t load[2 * LINKS], best;
    char passed[NODES];
};

static uint32_t carrier(const struct force *f, uint32_t link)
{
    return f->model == RWA_UNDIRECTED ? rwa_network_pair(f->net, link) : link;
}

static void extend(struct force *f, size_t at, uint32_t node, uint32_t most);

static void route(struct force *f, size_t at, uint32_t most)
{
    char kept[NODES];
    if (at == f->count) {
        f->best = most;
        return;
    }
    memcpy(kept, f->passed, sizeof kept);
    memset(f->passed, 0, sizeof f->passed);
    f->passed[f->list[at].src] = 1;
    extend(f, at, f->list[at].src, most);
    memcpy(f->passed, kept, sizeof kept);
}

static void extend(struct force *f, size_t at, uint32_t node, uint32_t most)
{
    if (node == f->list[at].dst) {
        route(f, at + 1, most);
        return;
    }
    for (uint32_t a = 0; a < rwa_network_links(f->net); a++) {
        rwa_link link = rwa_network_link(f->net, a);
        uint32_t *load = &f->load[carrier(f, a)];
        if (link.from != node || f->passed[link.to] || *load + 1 >= f->best)
            continue;
        f->passed[link.to] = 1;
        ++*load;
        extend(f, at, link.to, *load > most ? *load : most);
        --*load;
        f->passed[link.to] = 0;
    }
}

/* The load of the heaviest link in a result. */
static uint32_t heaviest(const rwa_assignment *r)
{
    const rwa_network *net = rwa_assignment_network(r);
    uint32_t load[256] = {0}, most = 0;
    for (uint64_t i = 0; i < rwa_assignment_count(r); i++) {
        rwa_route one;
        rwa_assignment_get(&one, r, i);
        for (uint32_t k = 0; k < one.hops; k++) {
            uint32_t link = rwa_assignment_link(r, i, k);
            link = rwa_assignment_model(r) == RWA_UNDIRECTED ? rwa_network_pair(net, link) : link;
            most = ++load[link] > most ? load[link] : most;
        }
    }
    return most;
}

static void draw(struct force *f, int ring)
{
    rwa_link links[LINKS];
    rwa_network_options opts;
    uint32_t n = 4 + below(NODES - 3);
    size_t count = 0;
    rwa_network_options_init(&opts);
    memset(f, 0, sizeof *f);
    f->model = below(2) ? RWA_DIRECTED : RWA_UNDIRECTED;
    for (uint32_t v = 1; v < n; v++)
        links[count++] = (rwa_link){.from = v, .to = ring ? v - 1 : below(v), .fibers = 1};
    for (uint32_t more = ring ? 0 : below(5); more > 0; more--) {
        uint32_t a = below(n), b = below(n);
        if (a != b)
            links[count++] = (rwa_link){.from = a, .to = b, .fibers = 1};
    }
    if (ring)
        links[count++] = (rwa_link){.from = n - 1, .to = 0, .fibers = 1};
    opts.both_ways = 1;
    OK(rwa_network_create_graph(&f->net, n, links, count, &opts, NULL));
    while (f->count < DEMANDS) {
        rwa_demand d = {below(n), below(n), 1, RWA_NONE};
        if (d.src != d.dst)
            f->list[f->count++] = d;
    }
}

/* Rings and other graphs, both models.  Round a ring that is ring loading, solved exactly. */
static void the_least_load_is_that_of_brute_force(void)
{
    for (int i = 0; i < 200; i++) {
        struct force f;
        rwa_demands *demands = NULL;
        draw(&f, i % 2);
        f.best = DEMANDS + 1;
        route(&f, 0, 0);
        OK(rwa_demands_create(&demands, rwa_network_nodes(f.net), f.list, f.count, NULL));
        rwa_assignment *r = assign(f.net, demands, RWA_ROUTES_MIN_LOAD, f.model);
        CU_ASSERT_EQUAL(heaviest(r), f.best);
        CU_ASSERT(rwa_assignment_summary(r)->bound.value >= f.best || !rwa_assignment_summary(r)->bound.fixed_routes);
        CU_ASSERT(rwa_assignment_summary(r)->wavelengths >= f.best);
        rwa_assignment_free(r);
        rwa_demands_free(demands);
        rwa_network_free(f.net);
    }
}

/* NSFNET, UKNet, German 17/26, EON 19/37: what the cut says is reached by routes fixed beforehand (rwa-theory: the
   optima). */
static void known_networks_reach_their_cuts(void)
{
    static const struct {
        const char *name;
        uint32_t load;
    } known[] = {{"nsfnet14-21", 13}, {"uknet21-39", 19}, {"germany17-26", 22}, {"eon19-37", 17}, {"nsfnet14-22", 12}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rwa_assignment_options opts;
        rwa_assignment_options_init(&opts);
        opts.routing = RWA_ROUTES_MIN_LOAD;
        rwa_assignment *r = assign_all(known[i].name, RWA_UNDIRECTED, &opts);
        CU_ASSERT_EQUAL(heaviest(r), known[i].load);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, known[i].load);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
        rwa_assignment_free(r);
    }
}

/* ---- certificates of fixed routes ---- */

/* Replace a text in a file by another of the same length. */
static void spoil(const char *path, const char *from, const char *to)
{
    static char bytes[1 << 16];
    FILE *file = fopen(path, "r+");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t count = fread(bytes, 1, sizeof bytes - 1, file);
    bytes[count] = '\0';
    char *at = strstr(bytes, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    memcpy(at, to, strlen(to));
    rewind(file);
    fwrite(bytes, 1, count, file);
    fclose(file);
}

static rwa_verdict verdict_of(const char *path, int *ok)
{
    rwa_check_report check;
    OK(report_file(&check, path, NULL, NULL));
    *ok = check.ok;
    return check.bound_verdict;
}

/* Three arcs of two links each round a triangle: no link carries more than two, but any two of them share one. */
static void a_clique_is_more_than_a_load(void)
{
    static const rwa_link links[] = {{.from = 0, .to = 1, .fibers = 1}, {.from = 1, .to = 2, .fibers = 1},
                                     {.from = 2, .to = 0, .fibers = 1}};
    static const rwa_demand list[] = {{0, 2, 1, RWA_NONE}, {1, 0, 1, RWA_NONE}, {2, 1, 1, RWA_NONE}};
    char path[] = "/tmp/rwa-clique-XXXXXX";
    int fd = mkstemp(path), ok = 0;
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    OK(rwa_network_create_graph(&net, 3, links, 3, NULL, NULL));
    OK(rwa_demands_create(&demands, 3, list, 3, NULL));
    rwa_assignment *r = assign(net, demands, RWA_ROUTES_SHORTEST, RWA_DIRECTED);
    const rwa_certificate *bound = &rwa_assignment_summary(r)->bound;
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, 3);
    CU_ASSERT_EQUAL(bound->kind, RWA_WITNESS_CLIQUE);
    CU_ASSERT_EQUAL(bound->value, 3);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->check->bound_verdict, RWA_PASS);
    OK(rwa_assignment_write(r, path, NULL));
    CU_ASSERT_EQUAL(verdict_of(path, &ok), RWA_PASS);
    spoil(path, "\"clique\":[0,1,2]", "\"clique\":[0,1,1]");
    CU_ASSERT_EQUAL(verdict_of(path, &ok), RWA_FAIL);
    CU_ASSERT_FALSE(ok);
    rwa_assignment_free(r);
    rwa_demands_free(demands);
    rwa_network_free(net);
    unlink(path);
}

/* A claim that is one too high, on each sort of witness. */
static void false_claims_are_seen_through(void)
{
    static const struct {
        const char *net, *right, *wrong;
        rwa_assignment_routing routing;
        rwa_model model;
    } claims[] = {{"uknet21-39", "\"value\":30,", "\"value\":31,", RWA_ROUTES_SHORTEST, RWA_UNDIRECTED},
                  {"uknet21-39", "\"value\":19,", "\"value\":20,", RWA_ROUTES_MIN_LOAD, RWA_UNDIRECTED},
                  {"ring:12", "\"value\":19,", "\"value\":20,", RWA_ROUTES_AUTO, RWA_UNDIRECTED}};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        char path[] = "/tmp/rwa-claims-XXXXXX";
        int fd = mkstemp(path), ok = 0;
        rwa_assignment_options opts;
        CU_ASSERT_FATAL(fd >= 0);
        close(fd);
        rwa_assignment_options_init(&opts);
        opts.routing = claims[i].routing;
        rwa_assignment *r = assign_all(claims[i].net, claims[i].model, &opts);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->check->bound_verdict, RWA_PASS);
        OK(rwa_assignment_write(r, path, NULL));
        CU_ASSERT_EQUAL(verdict_of(path, &ok), RWA_PASS);
        CU_ASSERT_TRUE(ok);
        spoil(path, claims[i].right, claims[i].wrong);
        CU_ASSERT_EQUAL(verdict_of(path, &ok), RWA_FAIL);
        CU_ASSERT_FALSE(ok);
        rwa_assignment_free(r);
        unlink(path);
    }
}

int main(void)
{
    return RUN_TESTS("spread", the_least_load_is_that_of_brute_force, known_networks_reach_their_cuts,
                     a_clique_is_more_than_a_load, false_claims_are_seen_through);
}
