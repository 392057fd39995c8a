/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes that load the heaviest link least, against brute force; and what fixed routes prove, seen through by the
 *  judge. */
#include "tests/support/assigning.h"
#include "tests/support/brute.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/report.h"

enum { NODES = 7, DEMANDS = 7 };

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
    seed = 11;
    for (int i = 0; i < 200; i++) {
        bool ring = i % 2;
        uint32_t n = 4 + any(NODES - 3);
        struct request r = request_of("links:0-%u %s min-load paths=400", ring ? n - 1 : 1,
                                      any(2) ? "directed" : "undirected");
        rwa_demand list[DEMANDS];
        size_t count = 0;
        char *links = r.spec + strlen(r.spec), *pairs = r.pairs;
        for (uint32_t v = ring ? 1 : 2, most = ring ? n : n + any(5); v < most; v++) {
            uint32_t a = v < n ? v : any(n), b = ring ? v - 1 : any(v < n ? v : n);
            if (a != b)
                links += sprintf(links, ",%u-%u", a, b);
        }
        while (count < DEMANDS) {
            rwa_demand d = {any(n), any(n), 1, RWA_NONE};
            if (d.src == d.dst)
                continue;
            pairs += sprintf(pairs, "%u>%u,", d.src, d.dst);
            list[count++] = d;
        }
        struct brute b = brute_of(request_network(r), r.assign.model, list, count);
        b.converts = true;
        uint32_t least = brute_fewest(&b, DEMANDS);
        const rwa_assignment *a = assignment_for(r);
        const rwa_assignment_report *s = rwa_assignment_summary(a);
        CU_ASSERT(heaviest(a) == least && s->wavelengths >= least);
        CU_ASSERT(s->bound.value >= least || !s->bound.fixed_routes);
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
    file_replace(file.path, right, wrong);
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

TESTS("spread", the_least_load_is_that_of_brute_force, false_claims_are_seen_through)
