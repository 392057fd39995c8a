/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes that load the heaviest link least, against brute force; and what fixed routes prove, seen through by the
 *  judge. */
#include "tests/support/assigning.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/report.h"

enum { NODES = 7, DEMANDS = 7, LINKS = 16 };

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

/* Rings and other graphs, both models.  Round a ring that is ring loading, solved exactly. */
static void the_least_load_is_that_of_brute_force(void)
{
    for (int i = 0; i < 200; i++) {
        bool ring = i % 2;
        uint32_t n = 4 + any(NODES - 3);
        struct request r = request_of("links:0-%u %s min-load paths=400", ring ? n - 1 : 1,
                                      any(2) ? "directed" : "undirected");
        struct force f = {.model = r.assign.model, .best = DEMANDS + 1};
        char *links = r.spec + strlen(r.spec), *pairs = r.pairs;
        for (uint32_t v = ring ? 1 : 2, most = ring ? n : n + any(5); v < most; v++) {
            uint32_t a = v < n ? v : any(n), b = ring ? v - 1 : any(v < n ? v : n);
            if (a != b)
                links += sprintf(links, ",%u-%u", a, b);
        }
        while (f.count < DEMANDS) {
            rwa_demand d = {any(n), any(n), 1, RWA_NONE};
            if (d.src == d.dst)
                continue;
            pairs += sprintf(pairs, "%u>%u,", d.src, d.dst);
            f.list[f.count++] = d;
        }
        f.net = request_network(r);
        route(&f, 0, 0);
        const rwa_assignment *a = assignment_for(r);
        const rwa_assignment_report *s = rwa_assignment_summary(a);
        CU_ASSERT_EQUAL(heaviest(a), f.best);
        CU_ASSERT(s->bound.value >= f.best || !s->bound.fixed_routes);
        CU_ASSERT(s->wavelengths >= f.best);
    }
}

/* ---- certificates of fixed routes ---- */

/** The file of an assignment passes; with a text replaced it claims too much, which the judge finds. */
static void expect_false_claim(const rwa_assignment *a, const char *right, const char *wrong)
{
    struct file file = file_make("claim.jsonl", "", 0);
    rwa_check_report check;
    OK(rwa_assignment_write(a, file.path, NULL));
    OK(report_file(&check, file.path, NULL, NULL));
    CU_ASSERT(check.ok && check.bound_verdict == RWA_PASS);
    file_replace(&file, right, wrong);
    OK(report_file(&check, file.path, NULL, NULL));
    CU_ASSERT(!check.ok && check.bound_verdict == RWA_FAIL);
    file_drop(&file);
}

/* On each sort of witness, a claim that is one too high. */
static void false_claims_are_seen_through(void)
{
    /* Three arcs of two links each round a triangle: no link carries more than two, but any two of them share one. */
    const rwa_assignment *a = assignment_on("links:0>1,1>2,2>0 pairs=0>2,1>0,2>1 shortest");
    const rwa_assignment_report *s = rwa_assignment_summary(a);
    CU_ASSERT(s->wavelengths == 3 && s->bound.value == 3 && s->bound.kind == RWA_WITNESS_CLIQUE);
    expect_false_claim(a, "\"clique\":[0,1,2]", "\"clique\":[0,1,1]");
    expect_false_claim(assignment_on("uknet21-39 shortest"), "\"value\":30,", "\"value\":31,");
    expect_false_claim(assignment_on("uknet21-39 min-load"), "\"value\":19,", "\"value\":20,");
    expect_false_claim(assignment_on("ring:12 undirected"), "\"value\":19,", "\"value\":20,");
}

int main(void)
{
    seed = 11;
    return RUN_TESTS("spread", the_least_load_is_that_of_brute_force, false_claims_are_seen_through);
}
