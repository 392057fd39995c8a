/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Arcs are judged a word of links at a time; link by link, as the file of the same assignment is, the verdict is the same. */
#include "rwa.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <unistd.h>

static uint64_t state = 5;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

/* Lightpaths any way round on any channel: many clash. */
static rwa_assignment *draw(rwa_topology kind, rwa_model model)
{
    enum { MOST = 40 };
    rwa_network_options opts;
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *r = NULL;
    rwa_demand list[MOST];
    uint32_t nodes = 3 + below(150), count = 2 + below(MOST - 1);
    rwa_network_options_init(&opts);
    opts.fibers = 1 + below(2);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t src = below(nodes);
        list[i] = (rwa_demand){src, (src + 1 + below(nodes - 1)) % nodes, 1, RWA_NONE};
    }
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, kind, nodes, &opts, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_demands_create(&demands, nodes, list, count, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_assignment_create(&r, net, demands, model, NULL), RWA_OK);
    for (uint32_t i = 0; i < count; i++) {
        rwa_route route = {.demand = i, .direction = below(2) ? RWA_CW : RWA_CCW, .fiber = below(opts.fibers),
                           .wavelength = below(12), .why = "left out"};
        if (kind == RWA_LINE)
            route.direction = list[i].src < list[i].dst ? RWA_CW : RWA_CCW;
        route.hops = below(9) ? rwa_network_hops(net, list[i].src, list[i].dst, route.direction) : 0;
        CU_ASSERT_EQUAL_FATAL(rwa_assignment_add(r, &route, NULL), RWA_OK);
    }
    rwa_demands_free(demands);
    rwa_network_free(net);
    return r;
}

static void both_judges_agree(void)
{
    char path[] = "/tmp/rwa-arcs-XXXXXX";
    int fd = mkstemp(path), right = 0, wrong = 0;
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    for (int i = 0; i < 400; i++) {
        rwa_check_report arcs, links;
        rwa_assignment *r = draw(i % 2 ? RWA_RING : RWA_LINE, i / 2 % 2 ? RWA_DIRECTED : RWA_UNDIRECTED);
        CU_ASSERT_EQUAL_FATAL(report_assignment(&arcs, r, NULL, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_assignment_write(r, path, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(report_file(&links, path, NULL, NULL), RWA_OK);
        CU_ASSERT_EQUAL(arcs.ok, links.ok);
        CU_ASSERT_EQUAL(arcs.violations, links.violations);
        CU_ASSERT_EQUAL(arcs.lightpaths, links.lightpaths);
        CU_ASSERT_EQUAL(arcs.longest_hops, links.longest_hops);
        CU_ASSERT_EQUAL(arcs.wavelengths_used, links.wavelengths_used);
        right += arcs.ok;
        wrong += !arcs.ok;
        rwa_assignment_free(r);
    }
    CU_ASSERT(right > 10 && wrong > 10);
    unlink(path);
}

int main(void)
{
    static const struct test tests[] = {TEST(both_judges_agree), {0}};
    return run_tests("assigned arcs", tests);
}
