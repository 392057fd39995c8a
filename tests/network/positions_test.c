/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Positions of nodes: through files and copies, and as maps. */
#include "network/layout.h"
#include "network/network.h"
#include "tests/support/assigning.h"
#include "tests/support/files.h"

enum { CITIES = 4 };
/** Hamburg, Berlin, Cologne, Munich. */
static const rwa_position cities[CITIES] = {{10.0, 53.55}, {13.4, 52.52}, {6.96, 50.94}, {11.58, 48.14}};
static const rwa_link roads[] = {{0, 1, 0, 1}, {1, 3, 505, 1}, {3, 2, 0, 1}, {2, 0, 0, 1}, {0, 3, 0, 1}};

static rwa_network *network_at(const rwa_position *positions)
{
    static const char *const names[CITIES] = {"Hamburg", "Berlin", "Cologne", "Munich"};
    rwa_network *net = NULL;
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.both_ways = 1;
    opts.rate_bps = 25e9;
    opts.node_names = names;
    opts.positions = positions;
    OK(rwa_network_create_graph(&net, CITIES, roads, 5, &opts, NULL));
    return keep_network(net);
}

static void same_positions(const rwa_network *net)
{
    for (uint32_t v = 0; v < CITIES; v++) {
        rwa_position at;
        CU_ASSERT_EQUAL(rwa_network_position(&at, net, v), 1);
        CU_ASSERT(at.x == cities[v].x && at.y == cities[v].y);
    }
}

/** A copy with failed links, a schedule and an assignment, in memory and from their files; the last keep what exports
 *  need, names and the rate, too. */
static void products_keep_positions(void)
{
    rwa_network *net = network_at(cities), *copy = NULL;
    rwa_faults faults = {.links = (uint32_t[]){8}, .link_count = 1};
    rwa_schedule *sched = NULL;
    rwa_assignment *back = NULL;
    struct request all = request_of("net undirected");
    struct file file = file_make("p.jsonl", "", 0);
    OK(rwa_network_with_faults(&copy, net, &faults, NULL));
    same_positions(keep_network(copy));
    OK(rwa_schedule_write(rwa_plan_schedule(plan_in(net, "bytes=1 broadcast")), file.path, NULL));
    OK(rwa_schedule_read(&sched, file.path, NULL, NULL));
    same_positions(rwa_schedule_network(keep_schedule(sched)));
    OK(rwa_assignment_write(assign_demands(net, request_demands(&all, net), NULL), file.path, NULL));
    OK(rwa_assignment_read(&back, file.path, NULL));
    same_positions(rwa_assignment_network(keep_assignment(back)));
    CU_ASSERT_STRING_EQUAL(rwa_network_node_name(rwa_assignment_network(back), 3), "Munich");
    CU_ASSERT_EQUAL(rwa_network_rate_bps(rwa_assignment_network(back)), 25e9);
    CU_ASSERT_EQUAL(rwa_network_link(rwa_assignment_network(back), 2).length_km, 505);
    file_drop(&file);
}

#define TOPOLOGY(at)                                                                                                   \
    "{\"elements\":[{\"uid\":\"a\",\"type\":\"Roadm\"" at "},{\"uid\":\"b\",\"type\":\"Roadm\"" at "}],"               \
    "\"connections\":[{\"from_node\":\"a\",\"to_node\":\"b\"},{\"from_node\":\"b\",\"to_node\":\"a\"}]}"

/** The names that other tools give coordinates; equal ones for all nodes, as tools write that know none, are none. */
static void files_of_other_tools(void)
{
    static const struct { const char *file, *text; int known;
    } cases[] = {
        {"p.json",
         "{\"nodes\":[{\"id\":0,\"longitude\":1,\"latitude\":2},{\"id\":1,\"lon\":3,\"lat\":4},{\"id\":2,\"x\":5,\"y\":"
         "6}],"
         "\"links\":[[0,1],[1,2]]}",
         3},
        {"p.json",
         "{\"nodes\":[\"a\",{\"id\":\"b\",\"x\":1,\"y\":2},{\"id\":\"c\",\"x\":3,\"y\":null}],\"links\":[[0,1],[1,2]]}",
         0},
        {"p.gml",
         "graph [ node [ id 0 Longitude 1.5 Latitude 2.0 ] node [ id 1 Longitude 3.0 Latitude 4.0 ] node [ id 2 ]\n"
         "edge [ source 0 target 1 ] edge [ source 1 target 2 ] ]",
         2},
        {"p.xml",
         "<?xml version=\"1.0\"?><network xmlns=\"http://sndlib.zib.de/network\"><networkStructure><nodes>"
         "<node id=\"a\"><coordinates><x>1.5</x><y>2</y></coordinates></node>"
         "<node id=\"b\"><coordinates><x>-3</x><y>4</y></coordinates></node></nodes><links>"
         "<link id=\"l\"><source>a</source><target>b</target></link></links></networkStructure></network>",
         2},
        {"p.json", TOPOLOGY(",\"metadata\":{\"location\":{\"latitude\":0.0,\"longitude\":0.0}}"), 0},
        {"p.json", TOPOLOGY(""), 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct file file = file_with(cases[i].file, cases[i].text);
        rwa_network *net = network_on("%s", file.path);
        int known = 0;
        for (uint32_t v = 0; v < rwa_network_nodes(net); v++) {
            rwa_position at;
            known += rwa_network_position(&at, net, v);
        }
        CU_ASSERT_EQUAL(known, cases[i].known);
        file_drop(&file);
    }
}

/** A position is two numbers; one alone in an array of the options is refused, and so is a word in a file. */
static void halves_are_refused(void)
{
    rwa_position odd[CITIES] = {{1, 2}, {3, 4}, {NAN, 5}, {6, 7}};
    rwa_network_options opts;
    rwa_network *net = NULL;
    static const char word[] = "{\"nodes\":[{\"id\":0,\"x\":\"east\",\"y\":1},1],\"links\":[[0,1]]}";
    struct file file = file_make("p.json", word, strlen(word));
    rwa_error err = {0};
    rwa_network_options_init(&opts);
    opts.positions = odd;
    CU_ASSERT_EQUAL(rwa_network_create_graph(&net, CITIES, roads, 5, &opts, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(net);
    CU_ASSERT_EQUAL(rwa_network_read(&net, file.path, NULL, &err), RWA_FORMAT);
    expect_part(err.text, "nodes[0]: expected the position of a node as two numbers");
    file_drop(&file);
}

/** North is up, east is right, and a degree of longitude is shorter than one of latitude: at 51.3 degrees by 0.625. */
static void maps_show_the_compass(void)
{
    rwa_network *net = network_at(cities);
    double x[CITIES], y[CITIES];
    OK(network_layout(x, y, net, NETWORK_NODES_APART, NULL));
    CU_ASSERT(y[0] < y[1] && y[1] < y[2] && y[2] < y[3]);
    CU_ASSERT(x[2] < x[0] && x[0] < x[3] && x[3] < x[1]);
    CU_ASSERT_DOUBLE_EQUAL((x[1] - x[2]) / (y[3] - y[0]),
                           (13.4 - 6.96) / (53.55 - 48.14) * cos(51.2875 * 3.14159265 / 180), 1e-6);
}

/** A node without a position stands among its neighbours, here Hamburg and Munich and no other; two at one point do not
 *  cover each other; and where most have none, springs place all, so that only the square bounds them. */
static void maps_fill_gaps(void)
{
    rwa_position gap[CITIES] = {cities[0], {NAN, NAN}, cities[2], cities[3]},
                 twice[CITIES] = {cities[0], cities[1], cities[1], cities[3]};
    rwa_position one[CITIES] = {cities[0], {NAN, NAN}, {NAN, NAN}, {NAN, NAN}};
    double x[CITIES], y[CITIES];
    rwa_network *net = network_at(gap);
    OK(network_layout(x, y, net, NETWORK_NODES_APART, NULL));
    CU_ASSERT_DOUBLE_EQUAL(x[1], (x[0] + x[3]) / 2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(y[1], (y[0] + y[3]) / 2, 1e-9);
    net = network_at(twice);
    OK(network_layout(x, y, net, NETWORK_NODES_APART, NULL));
    CU_ASSERT(hypot(x[1] - x[2], y[1] - y[2]) > 0.03);
    net = network_at(one);
    OK(network_layout(x, y, net, NETWORK_NODES_APART, NULL));
    for (size_t v = 0; v < CITIES; v++)
        CU_ASSERT(x[v] >= 0 && x[v] <= 1 && y[v] >= 0 && y[v] <= 1);
}

static void no_node_covers_another(const rwa_network *net)
{
    double x[128], y[128];
    uint32_t nodes = rwa_network_nodes(net);
    CU_ASSERT_FATAL(nodes <= 128 && network_layout(x, y, net, NETWORK_NODES_APART, NULL) == RWA_OK);
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = a + 1; b < nodes; b++)
            CU_ASSERT(hypot(x[a] - x[b], y[a] - y[b]) > 0.02);
}

/** On the built-in maps no node covers another, and links are about as long as the way through the air between their
 *  ends, from the rounded lengths of nsfnet14-21 to detours: a coordinate that was mistyped would show here. */
static void built_in_maps_are_sound(void)
{
    static const double radius_km = 6371, degree = 3.14159265358979 / 180;
    size_t maps = 0;
    for (size_t i = 0; rwa_network_builtin(i); i++) {
        const rwa_network *net = network_on("%s", rwa_network_builtin(i));
        rwa_position a, b;
        bool map = 2 * network_known_positions(net) >= rwa_network_nodes(net);
        maps += map;
        if (map)
            no_node_covers_another(net);
        for (uint32_t l = 0; l < rwa_network_links(net); l++) {
            rwa_link link = rwa_network_link(net, l);
            if (!rwa_network_position(&a, net, link.from) || !rwa_network_position(&b, net, link.to))
                continue;
            double angle = acos(fmin(1, sin(a.y * degree) * sin(b.y * degree) +
                                     cos(a.y * degree) * cos(b.y * degree) * cos((a.x - b.x) * degree)));
            CU_ASSERT(link.length_km > 0.75 * radius_km * angle && link.length_km < 3 * radius_km * angle);
        }
    }
    CU_ASSERT_EQUAL(maps, 10);
}

TESTS("positions", products_keep_positions, files_of_other_tools, halves_are_refused,
      maps_show_the_compass, maps_fill_gaps, built_in_maps_are_sound)
