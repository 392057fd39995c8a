/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Maps of assignments against the lightpaths that they show. */
#include "tests/support/assigning.h"
#include "tests/support/files.h"

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
    static const struct { const char *network; uint64_t lines, carriers; } cases[] = {
        {"nsfnet14-21 undirected", 21, 21}, {"ring:6 directed", 6, 12}, {"line:5 undirected", 4, 4},
        {"torus:3x3 directed", 18, 36}, {"germany17-26 undirected", 26, 26}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_assignment *r = assignment_on("%s by first-fit", cases[i].network);
        char *text = NULL;
        uint64_t lines, taken, channels;
        OK(rwa_view_assignment_svg(&text, r, NULL, NULL));
        add_lines(text, &lines, &taken, &channels);
        CU_ASSERT_EQUAL(lines, cases[i].lines);
        CU_ASSERT_EQUAL(taken, hops_of(r));
        CU_ASSERT_EQUAL(channels, cases[i].carriers * rwa_assignment_summary(r)->wavelengths);
        rwa_text_free(text);
    }
}

/** The page has every route. */
static void pages_hold_every_route(void)
{
    rwa_assignment *r = assignment_on("nsfnet14-21 by first-fit");
    rwa_view_options o;
    char *text = NULL;
    rwa_view_options_init(&o);
    o.title = "</script><b>\"x\" & y";
    OK(rwa_view_assignment_html(&text, r, &o, NULL));
    CU_ASSERT_EQUAL(count_of(text, "{demand:"), 91);
    CU_ASSERT_PTR_NULL(strstr(text, "</script><b>"));   /* a title ends no script */
    rwa_text_free(text);
}

/** All pairs with one node on each side of the cut need a channel of one of its lines: so many pairs over so many
 *  lines, both counted in the drawing of a file that was read, are the bound. */
static void cuts_are_drawn_as_they_count(void)
{
    static const char *const networks[] = {
        "nsfnet14-21", "germany17-26", "usa100-171", "line:3", "line:7", "line:12", "mesh:3x3", "mesh:4x4", "mesh:2x7",
        "mesh:3x5", "mesh:3x4", "links:0-1,1-2,2-0,2-3,3-4,4-5,5-3"};
    uint64_t cuts = 0;
    struct file file = file_make("a.jsonl", "", 0);
    for (size_t i = 0; i < 2 * COUNT(networks); i++) {
        rwa_assignment *r = assignment_on("%s %s", networks[i / 2], i % 2 == 0 ? "undirected" : "directed");
        const rwa_certificate *bound = &rwa_assignment_summary(r)->bound;
        uint64_t nodes = rwa_network_nodes(rwa_assignment_network(r));
        const char *words = rwa_assignment_summary(r)->check->bound_proof;
        rwa_view_options o;
        char *text = NULL;
        OK(rwa_assignment_write(r, file.path, NULL));
        OK(rwa_assignment_read(&r, file.path, NULL));
        keep_assignment(r);
        rwa_view_options_init(&o);
        o.proofs = &words;
        OK(rwa_view_assignment_svg(&text, r, &o, NULL));
        uint64_t side = count_of(text, "class=\"node side\""), lines = count_of(text, "class=\"link cut\"");
        if (side > 0) {
            CU_ASSERT_EQUAL((side * (nodes - side) + lines - 1) / lines, bound->value);
            cuts++;
        }
        const char *name = rwa_assignment_summary(r)->bound.name;
        CU_ASSERT(strcmp(bound->name, name) == 0 && (strcmp(name, "cut") == 0) == (side > 0));
        rwa_text_free(text);
    }
    CU_ASSERT(cuts >= 20);
    file_drop(&file);
}

static void too_large_assignments_are_refused(void)
{
    rwa_assignment *r = unassigned_on("line:600 directed pairs=0>1");
    char *text = NULL;
    rwa_route route = {.hops = 1, .direction = RWA_CW};
    OK(rwa_assignment_add(r, &route, NULL));
    CU_ASSERT_EQUAL(rwa_view_assignment_svg(&text, r, NULL, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(text);
    CU_ASSERT_EQUAL(rwa_view_assignment_html(&text, r, NULL, NULL), RWA_BADARG);
}

TESTS("maps of assignments", lines_count_every_hop, pages_hold_every_route, cuts_are_drawn_as_they_count,
      too_large_assignments_are_refused)
