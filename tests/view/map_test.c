/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Maps of assignments against the lightpaths that they show. */
#include "rwa.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>

static rwa_assignment *assigned(const char *network, rwa_model model)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *r = NULL;
    rwa_assignment_options o;
    rwa_assignment_options_init(&o);
    o.model = model;
    o.solver = "first-fit";
    OK(rwa_network_open(&net, network, NULL, NULL));
    OK(rwa_demands_all_to_all(&demands, rwa_network_nodes(net), model, NULL));
    OK(rwa_assignment_make(&r, net, demands, &o, NULL));
    rwa_demands_free(demands);
    rwa_network_free(net);
    return r;
}

static uint64_t hops_of(const rwa_assignment *r)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rwa_assignment_count(r); i++) {
        rwa_route route;
        rwa_assignment_get(&route, r, i);
        sum += route.hops;
    }
    return sum;
}

/** Sums of "N of M channels" over the lines of a drawing. */
static void add_lines(const char *text, uint64_t *lines, uint64_t *taken, uint64_t *channels)
{
    *lines = *taken = *channels = 0;
    for (const char *at = text; (at = strstr(at, "class=\"link\"")) != NULL; at++) {
        unsigned long long n = 0, m = 0;
        const char *words = strchr(strstr(at, "<title>"), ':');
        CU_ASSERT_EQUAL_FATAL(sscanf(words, ": %llu of %llu channels", &n, &m), 2);
        ++*lines;
        *taken += n;
        *channels += m;
    }
}

/** A lightpath takes a channel on every link of its route, so the channels in use are the hops of all routes; there are
 *  as many as links (fibre pairs when undirected) times wavelengths. */
static void lines_count_every_hop(void)
{
    static const struct { const char *network; rwa_model model; uint64_t lines, carriers; } cases[] = {
        {"nsfnet14-21", RWA_UNDIRECTED, 21, 21}, {"ring:6", RWA_DIRECTED, 6, 12}, {"line:5", RWA_UNDIRECTED, 4, 4},
        {"torus:3x3", RWA_DIRECTED, 18, 36}, {"germany17-26", RWA_UNDIRECTED, 26, 26}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_assignment *r = assigned(cases[i].network, cases[i].model);
        char *text = NULL;
        uint64_t lines, taken, channels;
        OK(rwa_view_assignment_svg(&text, r, NULL, NULL));
        add_lines(text, &lines, &taken, &channels);
        CU_ASSERT_EQUAL(lines, cases[i].lines);
        CU_ASSERT_EQUAL(taken, hops_of(r));
        CU_ASSERT_EQUAL(channels, cases[i].carriers * rwa_assignment_summary(r)->wavelengths);
        rwa_text_free(text);
        rwa_assignment_free(r);
    }
}

/** The page is the template with data: the place of the data is filled, and every route is there. */
static void pages_hold_every_route(void)
{
    rwa_assignment *r = assigned("nsfnet14-21", RWA_UNDIRECTED);
    rwa_view_options o;
    char *text = NULL;
    uint64_t count = 0;
    rwa_view_options_init(&o);
    o.title = "</script><b>\"x\" & y";
    OK(rwa_view_assignment_html(&text, r, &o, NULL));
    for (const char *at = text; (at = strstr(at, "{\"demand\":")) != NULL; at++)
        count++;
    CU_ASSERT_EQUAL(count, 91);
    CU_ASSERT_PTR_NULL(strstr(text, "RWA-DATA"));
    CU_ASSERT_PTR_NULL(strstr(text, "RWA-SPECTRUM"));
    CU_ASSERT_PTR_NULL(strstr(text, "</script><b>"));   /* a title ends no script */
    rwa_text_free(text);
    rwa_assignment_free(r);
}

static void too_large_assignments_are_refused(void)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *r = NULL;
    char *text = NULL;
    rwa_demand one = {0, 1, 1, RWA_NONE};
    rwa_route route = {.hops = 1, .direction = RWA_CW};
    OK(rwa_network_parse(&net, "line:600", NULL, NULL));
    OK(rwa_demands_create(&demands, 600, &one, 1, NULL));
    OK(rwa_assignment_create(&r, net, demands, RWA_DIRECTED, NULL));
    OK(rwa_assignment_add(r, &route, NULL));
    CU_ASSERT_EQUAL(rwa_view_assignment_svg(&text, r, NULL, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(text);
    CU_ASSERT_EQUAL(rwa_view_assignment_html(&text, r, NULL, NULL), RWA_BADARG);
    rwa_assignment_free(r);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

TESTS("maps of assignments", lines_count_every_hop, pages_hold_every_route, too_large_assignments_are_refused)
